//! Joints in loops: what fits keeps still and keeps its energy, whatever hangs on whatever; what
//! repeats or contradicts something shares what it bears.

use carom::prelude::*;
use carom::{Locks, Spring};

use testkit::build::join;
use testkit::joint_scenes::{ALONE, greatest_gap};
use testkit::random::Random;
use testkit::worlds::{add, check_range, energy, kinetic_energy, run, step, top_speed, valid};
use testkit::{long_rounds, rounds};

/// A plank or bar of full size `width` × `height`.
fn bar(at: Vec2, width: f32, height: f32) -> BodyDef {
    BodyDef::dynamic().at(at).shape(Shape::rect(width, height))
}

/// A bar from point to point that touches nothing.
fn bar_between(world: &mut World, [from, to]: [Vec2; 2]) -> BodyId {
    let way = to - from;
    let angle = carom::math::atan2(way.y, way.x);
    add(world, bar(0.5 * (from + to), way.length(), 0.1).angle(angle).filter(ALONE))
}

/// The kinetic energy that a world has at most in so many steps, and how far its energy comes above
/// what it began with: in J.
fn energies(world: &mut World, steps: usize) -> (f64, f64) {
    let before = energy(world);
    let (mut most, mut above) = (0.0, 0.0);
    for _ in 0..steps {
        step(world);
        most = f64::max(most, kinetic_energy(world));
        above = f64::max(above, energy(world) - before);
    }
    (most, above)
}

/// Planks of 1 × 1 m in a row from a fixed point, each nailed twice to the one before, 0.2 m apart:
/// at rest within a second, no gap above 1 mm, and asleep.
#[test]
fn planks_nailed_twice_are_still() {
    for (planks, is_glued) in [(3, true), (5, true), (3, false), (5, false)] {
        let mut world = World::default();
        let mut before = None;
        for k in 0..planks {
            let plank = add(&mut world, bar(vec2(k as f32 + 0.5, 0.0), 1.0, 1.0));
            for y in [-0.1, 0.1] {
                let glue = JointDef::weld(before, plank);
                let nail = if is_glued { glue } else { JointDef::revolute(before, plank) };
                join(&mut world, nail.at([k as f32, y]));
            }
            before = Some(plank);
        }
        run(&mut world, 60);
        check_range(&format!("{planks} planks: speed after 1 s, m/s"), top_speed(&world), ..=0.001);
        run(&mut world, 60);
        check_range("gap, m", greatest_gap(&world), ..=0.001);
        assert!(world.bodies().all(|(_, body)| !body.is_awake()), "{planks} planks, glued: {is_glued}");
    }
}

/// What random worlds are joined by.
#[derive(Clone, Copy, Debug)]
enum By {
    Glue,
    Slides,
    Hinges,
    Rods,
}

/// Bodies that fall, as they are, and joints that fit them as they are: between any two, or a body
/// and the world.
fn fitting(random: &mut Random, (bodies, joints): (usize, usize), by: By) -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    let point = |random: &mut Random| vec2(random.range(-1.0, 1.0), random.range(-1.0, 1.0));
    let mut ids = Vec::new();
    for _ in 0..bodies {
        let def = bar(point(random), random.range(0.2, 1.0), random.range(0.2, 1.0));
        let def = def.angle(random.range(-3.0, 3.0)).density(random.range(0.5, 4.0));
        ids.push(add(&mut world, def.filter(ALONE)));
    }
    for _ in 0..joints {
        let b = random.bits() as usize % bodies;
        let a = random.bits() as usize % (bodies + 1);
        let a = (a != bodies && a != b).then(|| ids[a]);
        let at = world[ids[b]].position() + point(random);
        let (lower, upper) = (-random.range(0.0, 0.5), random.range(0.0, 0.5));
        let axis = Rot::from_angle(random.range(-3.1, 3.1)).x_axis();
        join(
            &mut world,
            match by {
                By::Glue => JointDef::weld(a, ids[b]).at(at),
                By::Slides => JointDef::prismatic(a, ids[b], axis).at(at).limits(lower, upper),
                By::Hinges => JointDef::revolute(a, ids[b]).at(at).limits(lower, upper),
                By::Rods => JointDef::distance(a, ids[b]).between(at + axis, at),
            },
        );
    }
    world
}

/// Joints that fit exactly, at rest, no contacts: the energy never comes above that of the start by
/// more than 0.1 % of what is in motion, and no gap is above 1 mm. (Unmet by rods that come to a
/// dead point, where they may go either way: 1.3 % and a gap of 14 mm in the worst of 400 worlds.)
#[test]
fn joints_that_fit_add_no_energy() {
    for (by, count) in [(By::Glue, (2, 3)), (By::Slides, (2, 4)), (By::Hinges, (3, 4)), (By::Rods, (3, 6))] {
        let mut random = Random::new(28);
        let (mut worst, mut gap) = (0.0, 0.0);
        for _ in 0..long_rounds(10, 200, 400) {
            let mut world = fitting(&mut random, count, by);
            let (most, above) = energies(&mut world, 300);
            worst = f64::max(worst, above / f64::max(most, 0.1));
            gap = testkit::greater(gap, greatest_gap(&world));
            valid(&world);
        }
        let most = if matches!(by, By::Rods) { 2.0e-2 } else { 1.0e-3 };
        check_range(&format!("{by:?}: energy above that of the start, share of motion"), worst, ..=most);
        let widest = if matches!(by, By::Rods) { 2.0e-2 } else { 1.0e-3 };
        check_range("gap, m", gap, ..=widest);
    }
}

/// Chains of wheels on springs, at rest: no energy comes from turning bodies while springs are
/// stretched.
#[test]
fn wheels_on_springs_add_no_energy() {
    for count in [2, 3] {
        let (mut random, mut worst) = (Random::new(29), 0.0);
        for _ in 0..long_rounds(10, 200, 400) {
            let mut world = World::new(WorldDef::default().sleepless());
            let mut before = None;
            for _ in 0..count {
                let mut draw = |least, most| random.range(least, most);
                let def = bar(vec2(draw(-1.0, 1.0), draw(-1.0, 1.0)), draw(0.2, 1.0), draw(0.2, 1.0));
                let wheel = add(&mut world, def.angle(draw(-3.0, 3.0)).filter(ALONE));
                let at = world[wheel].position() + vec2(draw(-1.0, 1.0), draw(-1.0, 1.0));
                let axis = Rot::from_angle(draw(-3.0, 3.0)).x_axis();
                let spring = Spring::new(draw(1.0, 8.0), draw(0.0, 1.0));
                join(&mut world, JointDef::wheel(before, wheel, axis, spring).at(at));
                before = Some(wheel);
            }
            let (most, above) = energies(&mut world, 600);
            worst = f64::max(worst, above / f64::max(most, 0.1));
        }
        check_range(&format!("{count} wheels: above the start, share of motion"), worst, ..=1.0e-3);
    }
}

/// Three bodies in a row on wheel joints, springs of 4 Hz, damped by 0.7: the energy falls.
#[test]
fn a_row_of_wheels_on_damped_springs_loses_energy() {
    let mut world = World::new(WorldDef::default().sleepless());
    let mut before = None;
    for k in 0..3 {
        let wheel = add(&mut world, bar(vec2(k as f32, 0.0), 0.8, 0.4).filter(ALONE));
        let spring = Spring::new(4.0, 0.7);
        join(&mut world, JointDef::wheel(before, wheel, [0.0, 1.0], spring).at([k as f32 - 0.5, 0.0]));
        before = Some(wheel);
    }
    let (_, above) = energies(&mut world, 13 * 60);
    check_range("energy above that of the start, J", above, ..=0.001);
    check_range("energy after 13 s, J", energy(&world), ..=0.0);
}

/// A truss bridge of 40 panels, bars hinged at their ends, with a load of 100 times its mass in the
/// middle: sags by less than 1 cm.
#[test]
fn a_truss_bears_a_hundred_times_its_mass() {
    let (panels, mut world) = (40, World::default());
    let low = |k: usize| vec2(k as f32, 0.0);
    let high = |k: usize| vec2(k as f32 + 0.5, 0.8);
    let mut ways = Vec::new();
    for k in 0..panels {
        ways.extend([[low(k), low(k + 1)], [low(k), high(k)], [high(k), low(k + 1)]]);
        if k + 1 < panels {
            ways.push([high(k), high(k + 1)]);
        }
    }
    let bars: Vec<BodyId> = ways.iter().map(|&way| bar_between(&mut world, way)).collect();
    let of = |point: Vec2| {
        let ends = ways.iter().zip(&bars).filter(|(way, _)| way.contains(&point));
        ends.map(|(_, &bar)| bar).collect::<Vec<_>>()
    };
    for point in (0..=panels).map(low).chain((0..panels).map(high)) {
        for pair in of(point).windows(2) {
            join(&mut world, JointDef::revolute(pair[0], pair[1]).at(point));
        }
    }
    for k in [0, panels] {
        join(&mut world, JointDef::revolute(None, of(low(k))[0]).at(low(k)));
    }
    let mass: f32 = world.bodies().map(|(_, body)| body.mass()).sum();
    let middle = low(panels / 2);
    let load = bar(middle - vec2(0.0, 1.0), 1.0, 1.0).density(100.0 * mass).filter(ALONE);
    let load = add(&mut world, load);
    join(&mut world, JointDef::revolute(of(middle)[0], load).at(middle));
    run(&mut world, 600);
    check_range("sag, m", -1.0 - world[load].position().y, -0.001..=0.01);
    check_range("gap, m", greatest_gap(&world), ..=0.001);
    check_range("speed, m/s", top_speed(&world), ..=0.001);
}

/// A scissor lift of 20 stages stands.
#[test]
fn a_scissor_lift_stands() {
    let mut world = World::default();
    let mut below: Option<[BodyId; 2]> = None;
    for stage in 0..20 {
        let y = 0.5 * stage as f32;
        let corners = [vec2(-0.5, y), vec2(0.5, y)];
        let [left, right] = corners;
        let rising = bar_between(&mut world, [left, right + vec2(0.0, 0.5)]);
        let falling = bar_between(&mut world, [right, left + vec2(0.0, 0.5)]);
        join(&mut world, JointDef::revolute(rising, falling).at([0.0, y + 0.25]));
        let feet = below.map_or([None, None], |[rising, falling]| [Some(falling), Some(rising)]);
        for ((foot, bar), at) in feet.into_iter().zip([rising, falling]).zip(corners) {
            join(&mut world, JointDef::revolute(foot, bar).at(at));
        }
        below = Some([rising, falling]);
    }
    run(&mut world, 600);
    let top = below.map_or(0.0, |[rising, _]| world[rising].position().y);
    check_range("height of the top stage, m", top, 9.749..=9.751);
    check_range("gap, m", greatest_gap(&world), ..=0.001);
}

/// Discs in so many columns and rows, hinged to their neighbours half way; the top row pinned at
/// `pins` points.
fn net((side, long): (usize, usize), pins: usize) -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    let place = |row: usize, column: usize| vec2(column as f32, -(row as f32));
    let mut discs = Vec::new();
    for at in (0..long * side).map(|k| place(k / side, k % side)) {
        discs.push(add(&mut world, BodyDef::dynamic().at(at).shape(Shape::circle(0.4)).filter(ALONE)));
    }
    for (row, column) in (0..long * side).map(|k| (k / side, k % side)) {
        let (at, disc) = (place(row, column), discs[row * side + column]);
        if column > 0 {
            join(
                &mut world,
                JointDef::revolute(discs[row * side + column - 1], disc).at(at - vec2(0.5, 0.0)),
            );
        }
        if row > 0 {
            join(
                &mut world,
                JointDef::revolute(discs[(row - 1) * side + column], disc).at(at + vec2(0.0, 0.5)),
            );
        }
    }
    for k in 0..pins {
        let column = if pins > 1 { k * (side - 1) / (pins - 1) } else { 0 };
        join(&mut world, JointDef::revolute(None, discs[column]).at(place(0, column)));
    }
    world
}

/// A net of 24 × 24 discs pinned at four points of its top row swings on, and gains nothing.
#[test]
fn a_large_net_swings_on() {
    let mut world = net((24, 24), 4);
    let before = energy(&world);
    let (mut early, mut late, mut above, mut gap) = (0.0, 0.0, f64::MIN, 0.0);
    for number in 0..if cfg!(debug_assertions) { 300 } else { 900 } {
        world.step(testkit::worlds::DT).expect("dt is in range");
        let motion = kinetic_energy(&world);
        match number as f64 / 60.0 {
            t if (2.5..5.0).contains(&t) => early = f64::max(early, motion),
            t if t >= 12.5 => late = f64::max(late, motion),
            _ => {}
        }
        above = f64::max(above, energy(&world) - before);
        gap = testkit::greater(gap, greatest_gap(&world));
    }
    check_range("greatest kinetic energy in 2.5 to 5 s, J", early, 1.5..);
    if !cfg!(debug_assertions) {
        check_range("greatest kinetic energy in 12.5 to 15 s, J", late, 0.5..);
    }
    check_range("energy above that of the start, J", above, ..=0.001 * before.abs());
    check_range("gap, m", gap, ..=0.04);
}

/// The energy of a large net, kinetic and potential, never comes above that of the start by more
/// than 0.1 %, and falls by less than 5 % in 10 s, however wide or long it is and wherever it
/// hangs. (It is measured from the highest disc: most is in the height. Of what is in motion the
/// first pull takes up to a quarter, and nothing is lost from then on.)
#[test]
fn large_nets_keep_their_energy() {
    for (size, pins) in [((24, 24), 1), ((24, 24), 2), ((16, 40), 3), ((40, 16), 6)] {
        let mut world = net(size, pins);
        let start = energy(&world);
        let (mut above, mut after_first, mut gap) = (f64::MIN, 0.0, 0.0);
        for number in 0..if cfg!(debug_assertions) { 90 } else { 600 } {
            world.step(testkit::worlds::DT).expect("dt is in range");
            above = f64::max(above, energy(&world) - start);
            gap = testkit::greater(gap, greatest_gap(&world));
            if number == 150 {
                after_first = energy(&world);
            }
        }
        let share = |energy: f64| energy / start.abs();
        check_range(&format!("{size:?}, {pins} pins: above the start"), share(above), ..=0.001);
        check_range("lost", share(start - energy(&world)), ..=0.05);
        if !cfg!(debug_assertions) {
            check_range("of that after 2.5 s", share(after_first - energy(&world)), ..=1.0e-4);
        }
        check_range("gap, m", gap, ..=0.04);
    }
}

/// The net of the scene `joint_grid`, of 100 × 100 discs and of fewer: opens by less than 40 mm,
/// swings on, and gains nothing.
#[test]
fn the_net_of_joint_grid_swings_on() {
    for side in if cfg!(debug_assertions) { &[30][..] } else { &[30, 60, 100] } {
        let def = WorldDef::default().gravity([0.0, -10.0]).sleepless();
        let mut stage = testkit::scenes::CaromStage::new(World::new(def));
        testkit::scenes::joint_grid::net(&mut stage, *side);
        let (mut world, mut gap, mut late) = (stage.world, 0.0, 0.0);
        let start = energy(&world);
        let mut above = f64::MIN;
        for number in 0..if cfg!(debug_assertions) { 60 } else { 500 } {
            world.step(testkit::worlds::DT).expect("dt is in range");
            if number % 5 == 0 {
                gap = testkit::greater(gap, greatest_gap(&world));
                above = f64::max(above, energy(&world) - start);
                late = if number >= 400 { f64::max(late, kinetic_energy(&world)) } else { late };
            }
        }
        check_range(&format!("{side} × {side}: gap, m"), gap, ..=0.04);
        check_range("energy above that of the start, share", above / start.abs(), ..=0.001);
        if !cfg!(debug_assertions) {
            check_range("greatest kinetic energy after 6.7 s, J", late, 1.0..);
        }
    }
}

/// A large net that falls on the ground, or over a block, gains nothing from its contacts, and lies
/// there: what makes a net that hangs stretch less bursts one that lies.
#[test]
fn a_large_net_that_falls_lies_there() {
    for has_block in [false, true] {
        let (side, apart) = (if cfg!(debug_assertions) { 24 } else { 30 }, 0.5);
        let mut world = World::new(WorldDef::default().sleepless());
        testkit::worlds::ground(&mut world);
        if has_block {
            testkit::worlds::wall(&mut world, [0.25 * side as f32, 2.0], 6.0, 4.0);
        }
        let place = |row: usize, column: usize| vec2(column as f32, (side - row) as f32) * apart;
        let mut discs = Vec::new();
        for (row, column) in (0..side * side).map(|k| (k / side, k % side)) {
            let at = place(row, column) + vec2(0.0, 5.0);
            let disc = BodyDef::dynamic().at(at).shape(Shape::circle(0.4 * apart));
            let disc = add(&mut world, disc);
            if column > 0 {
                let left = discs[row * side + column - 1];
                join(&mut world, JointDef::revolute(left, disc).at(at - vec2(0.5 * apart, 0.0)));
            }
            if row > 0 {
                let above = discs[(row - 1) * side + column];
                join(&mut world, JointDef::revolute(above, disc).at(at + vec2(0.0, 0.5 * apart)));
            }
            discs.push(disc);
        }
        let (_, above) = energies(&mut world, if cfg!(debug_assertions) { 120 } else { 600 });
        check_range(&format!("block {has_block}: energy above the start, J"), above, ..=0.1);
        if !cfg!(debug_assertions) {
            check_range("kinetic energy after 10 s, J", kinetic_energy(&world), ..=20.0);
            check_range("gap, m", greatest_gap(&world), ..=0.05);
        }
    }
}

/// A net of 6 × 6 discs that hangs at one corner and swings keeps its energy as a tree does: to 5 %
/// of what is in motion in 10 s.
#[test]
fn a_small_net_keeps_its_energy() {
    let mut world = net((6, 6), 1);
    let before = energy(&world);
    let (most, above) = energies(&mut world, if cfg!(debug_assertions) { 200 } else { 600 });
    check_range("energy above that of the start, share of motion", above / most, ..=0.001);
    check_range("energy lost, share of motion", (before - energy(&world)) / most, ..=0.05);
    check_range("gap, m", greatest_gap(&world), ..=0.001);
}

/// A rod holds on a ground that was disabled while the rod was added, and then enabled: it was in
/// no layout.
#[test]
fn a_ground_that_is_enabled_again_holds() {
    let mut world = World::default();
    let ids = [0.0, 2.0, 4.0].map(|x| add(&mut world, bar(vec2(x, 0.0), 0.5, 0.5)));
    world.set_kind(ids[2], BodyKind::Fixed).expect("it is there");
    world.set_enabled(ids[2], false).expect("it is there");
    join(&mut world, JointDef::revolute(None, ids[1]));
    let rod = join(&mut world, JointDef::distance(ids[2], ids[0]).length(4.0));
    step(&mut world);
    world.set_enabled(ids[2], true).expect("it is there");
    run(&mut world, 60);
    check_range("gap, m", world.joint_state(rod).map_or(1.0, |state| state.gap), ..=0.001);
    assert_eq!(world[ids[0]].locks(), Locks::default());
}

/// A closed ring of links, 4 m across, on a slope of 15 degrees, which rolls at `speed`; its hinges
/// bend by at most `most` radians, or freely.
fn ring(count: usize, speed: f32, most: Option<f32>) -> World {
    let (radius, thickness) = (2.0_f32, 0.02_f32);
    let mut world = World::default();
    let slope = Rot::from_angle(-15.0 * core::f32::consts::PI / 180.0);
    let (along, normal) = (slope.x_axis(), slope.x_axis().perp());
    let plane = BodyDef::fixed().at(along * 200.0 - normal).angle(slope.angle());
    add(&mut world, plane.shape(Shape::rect(440.0, 2.0)));
    let center = normal * (radius + thickness + 0.01);
    let around = |k: usize| {
        let turn = Rot::from_angle(core::f32::consts::TAU * k as f32 / count as f32 - core::f32::consts::PI);
        center + turn.x_axis() * radius
    };
    let links: Vec<BodyId> = (0..count)
        .map(|k| {
            let way = around((k + 1) % count) - around(k);
            let half = vec2(0.5 * way.length(), 0.0);
            let at = 0.5 * (around(k) + around((k + 1) % count));
            let link = BodyDef::dynamic().at(at).angle(carom::math::atan2(way.y, way.x));
            let spin = -speed / radius;
            let link = link.velocity(along * speed + (at - center).perp() * spin).spin(spin);
            add(&mut world, link.shape(Shape::capsule(-half, half, thickness)).density(20.0))
        })
        .collect();
    for k in 0..count {
        let next = (k + 1) % count;
        let hinge = JointDef::revolute(links[k], links[next]).at(around(next));
        join(&mut world, if let Some(most) = most { hinge.limits(-most, most) } else { hinge });
    }
    world
}

/// The ring rolls at 5 m/s with hinges that bend by at most 0.36 or 3.6 degrees, of which 50 to 170
/// are at their limits at once: its energy never rises by more than a twentieth of what it began
/// with. (Unmet: it opens by 0.6 m, or 8 cm, and rises by 13 J of 667, or 3.)
#[test]
fn a_ring_with_stiff_hinges_gains_little() {
    for degrees in [0.36_f32, 3.6] {
        let mut world = ring(200, 5.0, Some(degrees * core::f32::consts::PI / 180.0));
        let start = energy(&world);
        let (mut least, mut rise) = (start, 0.0);
        for _ in 0..rounds(30, 240) {
            world.step(testkit::worlds::DT).expect("dt is in range");
            least = f64::min(least, energy(&world));
            rise = f64::max(rise, energy(&world) - least);
        }
        valid(&world);
        check_range(&format!("{degrees} degrees: rise, share of the start"), rise / start, ..=0.05);
    }
}

/// A closed ring of 200 links that is let go on a slope of 15 degrees falls together, slides and
/// comes to rest: no energy from nowhere, and closed to 1 mm all the time, also while its top meets
/// its bottom. (It cannot roll: nothing in it resists bending, within a second it lies flat, 16 cm
/// high and 4.8 m long, and friction of 0.6 holds it on a slope of 0.27. Unmet: one that rolls at
/// 20 m/s from the start, which its spin keeps round, opens by 58 mm.)
#[test]
fn a_ring_of_200_links_falls_on_a_slope() {
    let mut world = ring(if cfg!(debug_assertions) { 60 } else { 200 }, 0.0, None);
    let start = energy(&world);
    let (mut gap, mut above) = (0.0, 0.0);
    for _ in 0..if cfg!(debug_assertions) { 150 } else { 900 } {
        step(&mut world);
        gap = testkit::greater(gap, greatest_gap(&world));
        above = f64::max(above, energy(&world) - start);
    }
    check_range("greatest gap, m", gap, ..=0.001);
    check_range("energy above that of the start, J", above, ..=0.001);
    if !cfg!(debug_assertions) {
        check_range("gap in the end, m", greatest_gap(&world), ..=0.001);
        check_range("speed in the end, m/s", top_speed(&world), ..=0.01);
    }
}
