//! Heaps: what presses and tumbles does not sink into what bears it.

use carom::Vec2;
use carom::prelude::*;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{
    DT, add, box_on, check_range, deepest_overlap, earth, energy, run, step, top_speed, wall,
};

/// A square drum of 4 m inside that hangs on a hinge whose motor turns it, a third full of boxes of
/// 0.25 m: whatever falls over whatever, no corner of any gets deeper into a wall than a quarter of
/// a box.
#[test]
fn a_drum_bears_what_tumbles_in_it() {
    let mut world = earth();
    let mut drum = BodyDef::dynamic();
    for (x, y, width, height) in
        [(2.5, 0.0, 1.0, 6.0), (-2.5, 0.0, 1.0, 6.0), (0.0, 2.5, 6.0, 1.0), (0.0, -2.5, 6.0, 1.0)]
    {
        drum = drum.shape(ShapeDef::from(Shape::rect(width, height).at([x, y])).density(50.0));
    }
    let drum = add(&mut world, drum);
    let hinge = JointDef::revolute(None, drum).at([0.0, 0.0]).motor(25.0_f32.to_radians(), 1.0e8);
    world.add_joint(hinge).expect("a hinge");
    let mut boxes = Vec::new();
    for k in 0..100 {
        let at = [0.35 * (k % 10) as f32 - 1.6, 0.3 * (k / 10) as f32 - 1.6];
        boxes.push(add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(0.25, 0.25))));
    }
    let mut deepest = 0.0;
    for number in 0..600 {
        step(&mut world);
        let frame = world[drum].transform();
        let deep = |&id: &BodyId| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| {
                    let corner = world[id].transform().apply(0.125 * Vec2::new(x, y));
                    frame.apply_inverse(corner).abs().max_element() - 2.0
                })
                .into_iter()
                .fold(0.0, higher)
        };
        let now = boxes.iter().map(deep).fold(0.0, higher);
        if number > 60 && now > deepest {
            deepest = now;
        }
    }
    check_range("deepest in a wall, m", deepest, ..=0.0625);
}

/// A column of 240 compounds falls at 52 to 68 m/s into a pit, which crushes it: half a metre and more
/// of overlap after a second. After four, half of nine heaps have 5 cm left at most.
///
/// Which heap wedges is chance: of 24, one in six has more than 5 cm left, and the worst 18 cm.
#[test]
fn a_crushed_heap_recovers() {
    let mut left: Vec<f64> = (0..rounds(3, 9)).map(|k| crushed(52.0 + 2.0 * k as f32)).collect();
    left.sort_by(f64::total_cmp);
    check_range("deepest overlap left, median of heaps, m", left[left.len() / 2], ..=0.05);
    check_range("deepest overlap left, worst heap, m", left[left.len() - 1], ..=0.2);
}

/// The deepest overlap left after 4 s of a heap that fell at a speed.
fn crushed(speed: f32) -> f64 {
    let mut world = earth();
    let wall = |x: f32, y: f32, width: f32, height: f32| Shape::rect(width, height).at([x, y]);
    let pit = BodyDef::fixed().shape(wall(0.0, -5.0, 60.0, 10.0));
    add(&mut world, pit.shape(wall(-15.0, 50.0, 10.0, 100.0)).shape(wall(15.0, 50.0, 10.0, 100.0)));
    let left = Shape::polygon(&[Vec2::new(-1.0, 0.0), Vec2::new(0.5, 1.0), Vec2::new(0.0, 2.0)]);
    let right = Shape::polygon(&[Vec2::new(1.0, 0.0), Vec2::new(0.0, 2.0), Vec2::new(-0.5, 1.0)]);
    for k in 0..240 {
        let at = [2.3 * (k % 8) as f32 - 8.0 + 0.2 * (k / 8 % 3) as f32, 1.0 + 2.25 * (k / 8) as f32];
        let def = BodyDef::dynamic().at(at).velocity([0.0, -speed]);
        add(&mut world, def.shape(left.clone()).shape(right.clone()));
    }
    run(&mut world, 60);
    let crushed = deepest_overlap(&world);
    run(&mut world, 180);
    let left = f64::from(deepest_overlap(&world));
    println!("at {speed} m/s: deepest overlap {crushed:.3} m after 1 s, {left:.3} m after 4 s");
    left
}

fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

const G: f64 = 9.81;

/// A truckload of 150 bodies of every kind is tipped into a pit with a slope and a see-saw of
/// crates. Energy never rises, nothing is faster than its fall allows, nothing leaves the pit, and
/// after 20 s all lie still, not inside each other.
#[test]
fn a_tipped_truckload_comes_to_rest_and_gains_no_energy() {
    let mut random = Random::new(85);
    let mut world = World::default();
    for (x, y, width, height) in [(0.0, -1.0, 24.0, 2.0), (-11.0, 8.0, 2.0, 20.0), (11.0, 8.0, 2.0, 20.0)] {
        wall(&mut world, [x, y], width, height);
    }
    add(&mut world, BodyDef::fixed().shape(Shape::triangle([-10.0, 0.0], [-4.0, 0.0], [-10.0, 3.0])));
    box_on(&mut world, 0.0, 4.0, [0.5, 0.5]);
    box_on(&mut world, 0.5, 4.0, [4.0, 0.2]);
    let count = rounds(50, 150);
    for k in 0..count {
        // None begins inside of another: the farthest point of any is 0.57 m from its middle.
        let size = random.range(0.3, 0.6) as f32;
        let shape = match k % 5 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::rect(size, 0.6 * size),
            2 => Shape::regular(3 + random.below(6), 0.5 * size),
            3 => Shape::capsule([-0.3 * size, 0.0], [0.3 * size, 0.0], 0.25 * size),
            _ => Shape::compound([
                Shape::rect(size, 0.3 * size),
                Shape::rect(0.3 * size, size).at([0.3 * size, 0.3 * size]),
            ]),
        };
        // The balls roll out in the end.
        let material = Material { rolling_resistance: 0.01, ..Material::default() };
        let at = [1.2 * (k % 15) as f32 - 8.4, 4.0 + 1.2 * (k / 15) as f32];
        add(&mut world, BodyDef::dynamic().at(at).angle(random.angle()).shape(shape).material(material));
    }
    let (mut before, mut gained, mut fastest) = (energy(&world), 0.0_f64, 0.0_f64);
    let start = before;
    for _ in 0..rounds(300, 1_200) {
        step(&mut world);
        let now = energy(&world);
        gained = gained.max(now - before);
        before = now;
        fastest = fastest.max(f64::from(top_speed(&world)));
    }
    // What has been pushed into something is pushed out, uphill; that is all that may be gained in
    // a step.
    check_range("most energy gained in a step, of all there was", gained / start, ..=0.001);
    check_range("fastest, m/s", fastest, ..=(2.0 * G * 16.0).sqrt());
    assert!(
        world.bodies().all(|(_, body)| body.position().x.abs() < 12.0 && body.position().y > -2.0),
        "something left the pit"
    );
    if !cfg!(debug_assertions) {
        check_range("deepest overlap, m", deepest_overlap(&world), ..=0.005);
        check_range("top speed in the end, m/s", top_speed(&world), ..=0.05);
        let awake = world.bodies().filter(|(_, body)| body.is_awake()).count();
        check_range("still awake", awake as f64, ..=0.0);
    }
}

/// Piles of 2,000 sticks of 1 m × 8 cm dropped crosswise into a pit, every second one upright: after
/// 20 s nothing has left the pit, and the deepest overlap is that of two sticks, not of a layer.
///
/// How deep the deepest pair ends is chance: 66 to 191 mm in twelve piles, half of them below 103.
#[test]
fn a_pile_of_crosswise_sticks_is_not_crushed() {
    let mut deepest: Vec<f64> = (86..89).map(pile_of_sticks).collect();
    deepest.sort_by(f64::total_cmp);
    check_range("deepest overlap, median of piles, m", deepest[1], ..0.12);
    check_range("deepest overlap, worst pile, m", deepest[2], ..0.2);
}

/// The deepest overlap of a pile after 20 s.
fn pile_of_sticks(seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let mut world = World::default();
    let count = rounds(200, 2_000);
    let columns = if count > 1_000 { 20 } else { 8 };
    let half = 0.55 * columns as f32 + 0.2;
    for (x, y, width, height) in
        [(0.0, -1.0, 2.0 * half + 8.0, 2.0), (-half - 1.0, 70.0, 2.0, 144.0), (half + 1.0, 70.0, 2.0, 144.0)]
    {
        wall(&mut world, [x, y], width, height);
    }
    for k in 0..count {
        let (row, column) = (k / columns, k % columns);
        let upright = if (row + column) % 2 == 0 { 0.0 } else { core::f32::consts::FRAC_PI_2 };
        let at = [1.1 * (column as f32 + 0.5) - half + 0.2, 0.6 + 1.1 * row as f32];
        let def = BodyDef::dynamic().at(at).angle(upright + random.range(-0.1_f32, 0.1));
        add(&mut world, def.shape(Shape::rect(1.0, 0.08)));
    }
    for _ in 0..rounds(600, 1_200) {
        world.step(DT).expect("dt is in range");
    }
    let out =
        world.bodies().filter(|(_, body)| body.position().x.abs() > half + 2.0 || body.position().y < -1.5);
    check_range("sticks that left the pit", out.count() as f64, ..=0.0);
    println!("{} awake after 20 s", world.stats().awake);
    f64::from(deepest_overlap(&world))
}
