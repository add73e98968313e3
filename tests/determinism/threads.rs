//! Steps on several threads: the bits of one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use carom::prelude::*;
use carom::{Filter, Recorder};
use testkit::random::Random;
use testkit::worlds::{add, bits, difference, valid};

/// A part of any kind.
fn some_shape(random: &mut Random) -> Shape {
    match random.below(7) {
        0 | 1 => Shape::circle(0.3),
        2 => Shape::rect(0.8, 0.5),
        3 => Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2),
        4 => Shape::triangle([-0.4, -0.3], [0.5, -0.2], [0.1, 0.5]),
        5 => Shape::rect(0.6, 0.6).rounded(0.1),
        _ => Shape::compound([Shape::circle(0.2).at([-0.3, 0.0]), Shape::rect(0.4, 0.4).at([0.3, 0.0])]),
    }
}

fn drop_one(world: &mut World, random: &mut Random, place: [f32; 2]) -> BodyId {
    let shape = some_shape(random);
    let restitution = [0.0, 0.0, 0.5, 1.0][random.below(4)];
    let material = Material::default().restitution(restitution);
    let velocity = [random.range(-4.0, 4.0) as f32, random.range(-30.0, 0.0) as f32];
    let def = BodyDef::dynamic().at(place).angle(random.angle()).velocity(velocity);
    add(world, def.shape(shape).material(material))
}

/// A pit over hills in which all kinds of things fall on each other: a stirrer, chains of hinges,
/// dolls, a sensor, a one-way shelf, and a border of regions through the middle.
fn pit(count: usize, random: &mut Random) -> World {
    let mut world = World::default();
    let hills: Vec<Vec2> = (0..60).map(|k| vec2(k as f32 - 30.0, (k % 4) as f32 * 0.3)).rev().collect();
    add(&mut world, BodyDef::fixed().shape(Shape::chain(&hills)));
    for x in [-26.0, 26.0] {
        add(&mut world, BodyDef::fixed().at([x, 40.0]).shape(Shape::rect(1.0, 90.0)));
    }
    let shelf = ShapeDef::from(Shape::rect(10.0, 0.2)).one_way([0.0, 1.0]);
    add(&mut world, BodyDef::fixed().at([-10.0, 8.0]).shape(shelf));
    add(&mut world, BodyDef::fixed().at([10.0, 6.0]).shape(ShapeDef::from(Shape::circle(3.0)).sensor()));
    let stirrer = BodyDef::kinematic().at([0.0, 4.0]).spin(2.0);
    add(&mut world, stirrer.shape(Shape::rect(12.0, 0.4)).shape(Shape::rect(0.4, 6.0)));
    let mut last = None;
    for k in 0..count {
        let (column, row) = (k % 40, k / 40);
        let place = [column as f32 * 1.2 - 23.5, 6.0 + row as f32 * 1.3];
        let body = drop_one(&mut world, random, place);
        if let Some(before) = last.filter(|_| k % 3 > 0) {
            let hinge = JointDef::revolute(before, body).at([place[0] - 0.6, place[1]]);
            let hinge = if k % 12 == 1 { hinge.motor(3.0, 20.0) } else { hinge };
            let hinge = if k % 12 == 5 { hinge.limits(-0.5, 0.5) } else { hinge };
            world.add_joint(hinge).expect("no rule is broken");
        }
        last = (column < 39).then_some(body);
    }
    world
}

/// The bits of a world that is changed while it goes on, every so many steps.
fn history(threads: usize, seed: u64, (count, steps): (usize, usize)) -> Vec<Vec<[u32; 9]>> {
    let mut random = Random::new(seed);
    let mut world = pit(count, &mut random);
    world.set_threads(threads);
    let mut history = Vec::new();
    for step in 0..steps {
        if step % 10 == 3 {
            let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).skip(6).collect();
            for _ in 0..5 {
                // One of them may be gone by now.
                let _ = world.remove(ids[random.below(ids.len())]);
                let place = [random.range(-20.0, 20.0) as f32, random.range(20.0, 40.0) as f32];
                drop_one(&mut world, &mut random, place);
            }
        }
        world.step(1.0 / 60.0).expect("dt is in range");
        if step % 20 == 19 {
            history.push(bits(&world));
        }
    }
    valid(&world);
    history
}

/// Threads for worlds of any size, however few cores there are.
fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(8).build().expect("a pool")
}

#[test]
fn any_number_of_threads_steps_to_the_same_bits() {
    // In debug builds every row is checked for who writes to it: `src/threads/check.rs`.
    let (size, seeds) = if cfg!(debug_assertions) { ((300, 40), 1) } else { ((1500, 200), 2) };
    for seed in 0..seeds {
        let reference = history(1, seed, size);
        assert!(reference.len() > 1 && reference.first() != reference.last());
        for threads in [2, 3, 8] {
            let other = pool().install(|| history(threads, seed, size));
            let differs = reference.iter().zip(&other).position(|(a, b)| a != b);
            assert_eq!(differs, None, "seed {seed}, {threads} threads, in twenties of steps");
        }
        assert!(history(2, seed, size) == reference, "outside of a pool");
    }
}

/// Contacts from which on there are two zones, see `src/step/begin/partition.rs`.
const TWO_ZONES: usize = 2048;

/// Threads share contacts where there are enough of them for several zones: two in debug builds,
/// four else.
#[test]
fn a_large_pyramid_steps_to_the_same_bits() {
    let rows = if cfg!(debug_assertions) { 48 } else { 130 };
    let stand = |threads: usize| {
        let mut world = World::default();
        world.set_threads(threads);
        add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(400.0, 2.0)));
        for (row, column) in (0..rows).flat_map(|row| (row..rows).map(move |column| (row, column))) {
            let place = [(column as f32 - 0.5 * (row + rows) as f32) * 1.1, 0.5 + row as f32];
            add(&mut world, BodyDef::dynamic().at(place).shape(Shape::rect(1.0, 1.0)));
        }
        for _ in 0..30 {
            world.step(1.0 / 60.0).expect("dt is in range");
        }
        assert!(world.stats().contacts > TWO_ZONES);
        bits(&world)
    };
    let reference = stand(1);
    for threads in [2, 3, 8] {
        assert!(pool().install(|| stand(threads)) == reference, "{threads} threads");
    }
}

/// Steps a world on several numbers of threads: the bits are those of one, every five steps.
/// Answers how many contacts there are in the end.
fn same_bits(steps: usize, build: impl Fn(&mut World) + Sync) -> usize {
    let history = |threads: usize| {
        let mut world = World::new(WorldDef::default().sleepless());
        world.set_threads(threads);
        build(&mut world);
        let history: Vec<_> = (0..steps)
            .filter_map(|step| {
                world.step(1.0 / 60.0).expect("dt is in range");
                (step % 5 == 4).then(|| bits(&world))
            })
            .collect();
        valid(&world);
        (history, world.stats().contacts)
    };
    let (reference, contacts) = history(1);
    assert!(reference.len() > 1 && reference.first() != reference.last());
    for threads in [2, 3, 8] {
        let (other, _) = pool().install(|| history(threads));
        let differs = reference.iter().zip(&other).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{threads} threads, in fives of steps");
    }
    contacts
}

/// A wall of bricks that were laid in no order, some of them tied together, through which a
/// kinematic ball flies: rows are dealt out anew.
#[test]
fn a_wall_in_no_order_steps_to_the_same_bits() {
    let (columns, rows) = if cfg!(debug_assertions) { (40, 25) } else { (90, 70) };
    let contacts = same_bits(25, |world| {
        add(world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(400.0, 2.0)));
        let ball = BodyDef::kinematic().at([-20.0, 5.0]).velocity([60.0, 5.0]);
        add(world, ball.shape(Shape::circle(2.0)));
        let mut last = None;
        for place in (0..columns * rows).map(|k| k * 947 % (columns * rows)) {
            let (column, row) = ((place % columns) as f32, (place / columns) as f32);
            let at = [column + 0.5 * (row % 2.0), 0.5 * row + 0.25];
            let brick = add(world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 0.5)));
            if let Some(other) = last.replace(brick).filter(|_| place % 7 == 0) {
                join(world, JointDef::rope(other, brick, 100.0));
            }
        }
    });
    assert!(contacts > TWO_ZONES);
}

fn join(world: &mut World, def: JointDef) -> JointId {
    world.add_joint(def).expect("no rule is broken")
}

/// A torso with two arms of two parts each, a leg, and a head: limits, a motor, springs.
fn doll(world: &mut World, [x, y]: [f32; 2], number: usize) {
    let part = |world: &mut World, at: [f32; 2], size: [f32; 2]| {
        let filter = Filter { group: -1 - number as i32, ..Filter::default() };
        let shape = ShapeDef::from(Shape::rect(size[0], size[1])).filter(filter);
        add(world, BodyDef::dynamic().at([x + at[0], y + at[1]]).spin(number as f32 % 3.0 - 1.0).shape(shape))
    };
    let torso = part(world, [0.0, 0.0], [0.4, 1.0]);
    let head = part(world, [0.0, 0.7], [0.3, 0.4]);
    join(world, JointDef::revolute(torso, head).at([x, y + 0.5]).limits(-0.5, 0.5));
    for side in [-1.0, 1.0] {
        let upper = part(world, [side * 0.45, 0.4], [0.5, 0.15]);
        let lower = part(world, [side * 0.95, 0.4], [0.5, 0.12]);
        let shoulder = JointDef::revolute(torso, upper).at([x + side * 0.2, y + 0.4]);
        join(world, shoulder.servo(side, Spring::new(3.0, 0.5)).limits(-2.0, 2.0));
        join(world, JointDef::revolute(upper, lower).at([x + side * 0.7, y + 0.4]).motor(2.0 * side, 0.5));
    }
    let leg = part(world, [0.0, -0.9], [0.2, 0.8]);
    join(world, JointDef::revolute(torso, leg).at([x, y - 0.5]).limits(-1.0, 0.2).motor(0.0, 1.0));
}

/// Small things of all kinds that fly at each other and at a ring of lines, faster than they are
/// thick in a step: impacts that are foreseen, ways that are cut short, hooks that are asked, and
/// strays that a blow takes out of their boxes. `refused` counts what the hook forbids.
fn swarm(world: &mut World, refused: &Arc<AtomicUsize>) {
    let ring: Vec<Vec2> =
        (0..64).rev().map(|k| Rot::from_angle(0.098_174_77 * k as f32).x_axis() * 40.0).collect();
    add(world, BodyDef::fixed().shape(Shape::closed_chain(&ring)));
    let refused = Arc::clone(refused);
    world.set_filter_hook(move |pair| {
        let allows = (pair.a.index() + pair.b.index()) % 5 != 0;
        refused.fetch_add(usize::from(!allows), Ordering::Relaxed);
        allows
    });
    world.set_contact_hook(|pair, edit| {
        edit.solid = pair.body_a.velocity().length() < 140.0;
        edit.restitution = 0.5;
    });
    let mut random = Random::new(3);
    for k in 0..if cfg!(debug_assertions) { 250 } else { 2500 } {
        let place = Rot::from_angle(random.angle()).x_axis() * random.range(0.0, 34.0) as f32;
        let way = [random.range(-150.0, 150.0) as f32, random.range(-150.0, 150.0) as f32];
        let shape = ShapeDef::from(some_shape(&mut random));
        let shape = if k % 7 == 0 { shape.contact_hook() } else { shape };
        let material = Material::default().restitution(if k % 2 == 0 { 0.9 } else { 0.0 });
        let spin = random.range(-20.0, 20.0) as f32;
        add(world, BodyDef::dynamic().at(place).velocity(way).spin(spin).shape(shape.material(material)));
    }
}

#[test]
fn fast_things_step_to_the_same_bits() {
    let refused = Arc::default();
    same_bits(if cfg!(debug_assertions) { 10 } else { 120 }, |world| swarm(world, &refused));
    assert!(refused.load(Ordering::Relaxed) > 100);
}

/// What hooks say is recorded in the order in which they are asked: that of one thread.
#[test]
fn a_recording_is_the_same_on_any_number_of_threads() {
    let record = |threads: usize| {
        let mut world = World::new(WorldDef::default().sleepless());
        swarm(&mut world, &Arc::default());
        world.set_threads(threads);
        world.record(Recorder { key_every: 5, hashes: true });
        for _ in 0..if cfg!(debug_assertions) { 10 } else { 60 } {
            world.step(1.0 / 60.0).expect("dt is in range");
        }
        world.stop_recording().expect("it was on")
    };
    let reference = record(1).to_bytes();
    for threads in [2, 8] {
        let recording = pool().install(|| record(threads));
        assert!(recording.to_bytes() == reference, "{threads} threads");
        assert_eq!(recording.replay().first_divergence(), None);
    }
}

/// Trees, of which some stand and fall over and others are in flight.
#[test]
fn dolls_step_to_the_same_bits() {
    let (count, steps) = if cfg!(debug_assertions) { (60, 20) } else { (600, 200) };
    same_bits(steps, |world| {
        add(world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(400.0, 2.0)));
        for k in 0..count {
            let (column, row) = (k % 30, k / 30);
            doll(world, [column as f32 * 2.4 - 36.0, 1.6 + row as f32 * 3.0], k);
        }
    });
}

/// Nets that hang, with and without drives, and things that fall on them; the weight on one of them
/// is heavy enough to strain it.
#[test]
fn nets_step_to_the_same_bits() {
    let (side, steps) = if cfg!(debug_assertions) { (20, 10) } else { (70, 100) };
    same_bits(steps, |world| {
        for (number, left) in [0.0, 200.0].into_iter().enumerate() {
            let mut knots = Vec::new();
            for (column, row) in (0..side).flat_map(|column| (0..side).map(move |row| (column, row))) {
                let at = [left + column as f32, -(row as f32)];
                let hangs = row == 0 && column % 7 == 0;
                let def = if hangs { BodyDef::fixed() } else { BodyDef::dynamic() };
                let filter = Filter { group: -1, ..Filter::default() };
                let knot = add(world, def.at(at).shape(ShapeDef::from(Shape::circle(0.3)).filter(filter)));
                let hinge = |other: BodyId, at: [f32; 2]| {
                    let hinge = JointDef::revolute(other, knot).at(at);
                    if number == 1 { hinge.motor(0.0, 0.1).limits(-0.4, 0.4) } else { hinge }
                };
                if row > 0 {
                    join(world, hinge(knots[knots.len() - 1], [at[0], at[1] + 0.5]));
                }
                if column > 0 {
                    join(world, hinge(knots[knots.len() - side], [at[0] - 0.5, at[1]]));
                }
                knots.push(knot);
            }
            for k in 0..side {
                let at = [left + 2.0 + k as f32, 4.0 + (k % 3) as f32];
                add(world, BodyDef::dynamic().at(at).velocity([0.0, -20.0]).shape(Shape::rect(0.8, 0.8)));
            }
            let ball = BodyDef::dynamic().at([left + 5.0, -(side as f32)]);
            let ball = add(world, ball.shape(ShapeDef::from(Shape::circle(0.5)).density(500.0)));
            join(world, JointDef::rope(knots[6 * side - 1], ball, 2.0));
        }
    });
}

/// Trees on a bar that moves, joined by friction, gears and pulleys: bodies that several kinds of
/// solvers push.
#[test]
fn trees_among_others_step_to_the_same_bits() {
    let (count, steps) = if cfg!(debug_assertions) { (120, 20) } else { (1200, 150) };
    same_bits(steps, |world| {
        let bar = BodyDef::kinematic().at([0.0, 1.0]).velocity([1.0, 0.5]).spin(0.02);
        let bar = add(world, bar.shape(Shape::rect(4.0, 0.2)));
        let mut last = None;
        for k in 0..count {
            let x = k as f32 * 0.7 - 0.35 * count as f32;
            let (mut above, mut before) = (bar, None);
            for link in 0..3 {
                let y = -(link as f32);
                let rod = BodyDef::dynamic().at([x, y - 0.5]).velocity([(k % 5) as f32 - 2.0, 0.0]);
                let rod = add(world, rod.shape(Shape::rect(0.2, 0.9)));
                let hinge = JointDef::revolute(above, rod).at([x, y]);
                let hinge = if k % 3 == 0 { hinge.limits(-0.3, 0.3) } else { hinge };
                let hinge = if k % 5 == 0 { hinge.motor(1.0, 5.0) } else { hinge };
                let hinge = join(world, hinge);
                if let (Some(before), true) = (before, k % 8 == 1) {
                    join(world, JointDef::gear(before, hinge, -2.0));
                }
                (above, before) = (rod, Some(hinge));
            }
            match last {
                Some(other) if k % 4 == 2 => {
                    join(world, JointDef::friction(other, above, 20.0, 5.0));
                }
                Some(other) if k % 16 == 5 => {
                    join(world, JointDef::distance(other, above));
                }
                _ => {}
            }
            last = Some(above);
        }
    });
}

#[test]
fn worlds_step_side_by_side_and_clones_are_worlds_of_their_own() {
    let mut random = Random::new(7);
    let mut world = pit(400, &mut random);
    world.set_threads(2);
    let mut clone = world.clone();
    assert_eq!(clone.threads(), 2);
    std::thread::scope(|scope| {
        for world in [&mut world, &mut clone] {
            scope.spawn(move || {
                for _ in 0..if cfg!(debug_assertions) { 5 } else { 100 } {
                    world.step(1.0 / 60.0).expect("dt is in range");
                }
            });
        }
    });
    assert_eq!(difference(&world, &clone), None);
}

/// A count of no sense becomes one that makes sense: none is one, and more than anybody has are as
/// many as there may be.
#[test]
fn any_count_of_threads_is_taken() {
    let mut random = Random::new(9);
    let mut world = pit(300, &mut random);
    let mut reference = world.clone();
    for count in [0, usize::MAX] {
        world.set_threads(count);
        assert!((1..=1000).contains(&world.threads()), "{}", world.threads());
        for _ in 0..5 {
            world.step(1.0 / 60.0).expect("dt is in range");
            reference.step(1.0 / 60.0).expect("dt is in range");
        }
        assert_eq!(difference(&world, &reference), None);
    }
}
