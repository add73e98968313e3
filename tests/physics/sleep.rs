//! Sleep: what rests costs nothing, and wakes whenever it should.

use carom::prelude::*;
use carom::{Filter, Mass, Weight};

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, bits, box_on, check_range, gap, ground, ground_of, run, step, wall};

/// Steps until `id` sleeps, at most `limit`.
fn steps_until_asleep(world: &mut World, id: BodyId, limit: usize) -> usize {
    (0..limit)
        .find(|_| {
            step(world);
            !world[id].is_awake()
        })
        .map_or(limit, |number| number + 1)
}

/// Six boxes of 1 m stacked fall asleep within 240 steps, all in the same step.
#[test]
fn a_stack_of_six_sleeps_as_one() {
    let mut world = World::default();
    ground(&mut world);
    let stack: Vec<BodyId> = (0..6).map(|row| box_on(&mut world, row as f32, 0.0, [1.0, 1.0])).collect();
    let mut slept = Vec::new();
    for number in 0..240 {
        step(&mut world);
        slept.extend(world.events().slept().iter().map(|&id| (number, id)));
    }
    println!("{slept:?}");
    assert_eq!(slept.len(), 6, "each falls asleep once within 240 steps: {slept:?}");
    assert!(slept.iter().all(|&(number, _)| number == slept[0].0), "all at once: {slept:?}");
    assert!(stack.iter().all(|&id| !world[id].is_awake()));
}

/// A ball r 0.5, dropped 2 m, or rolling at 1 m/s with a rolling resistance of 1 cm, sleeps within
/// 2,000 steps.
#[test]
fn a_ball_sleeps() {
    for (drop, speed) in [(2.0, 0.0), (0.0, 1.0)] {
        let mut world = World::default();
        ground(&mut world);
        let material = Material { rolling_resistance: 0.01, ..Material::default() };
        let ball = BodyDef::dynamic().at([0.0, drop + 0.5]).velocity([speed, 0.0]).spin(-2.0 * speed);
        let ball = add(&mut world, ball.shape(Shape::circle(0.5)).material(material));
        check_range(
            "steps until the ball sleeps",
            steps_until_asleep(&mut world, ball, 2_001) as f64,
            ..=2_000.0,
        );
    }
}

/// Ten boxes side by side sleep. A ball at 20 m/s strikes the first: in that step or the next all
/// ten are awake.
#[test]
fn an_impact_wakes_the_row() {
    let mut world = World::default();
    ground(&mut world);
    let row: Vec<BodyId> = (0..10).map(|k| box_on(&mut world, 0.0, k as f32, [1.0, 1.0])).collect();
    run(&mut world, 240);
    assert!(row.iter().all(|&id| !world[id].is_awake()), "they sleep");
    let ball = BodyDef::dynamic().at([-3.0, 0.5]).velocity([20.0, 0.0]).shape(Shape::circle(0.3));
    add(&mut world, ball);
    for _ in 0..60 {
        step(&mut world);
        let struck = world.events().hits().iter().any(|hit| [hit.body_a, hit.body_b].contains(&row[0]));
        if struck {
            step(&mut world);
            let awake = row.iter().filter(|&&id| world[id].is_awake()).count();
            assert_eq!(awake, 10, "boxes awake one step after the impact");
            return;
        }
    }
    panic!("the ball struck nothing in a second");
}

/// A kinematic floor at 0.15 m/s, sideways, up or down, keeps its rider awake for 10 s, and carries
/// it along. One at
/// 0.02 m/s, slower than what counts as rest, carries it as well: it is not left behind asleep.
#[test]
fn a_moving_floor_carries_its_rider() {
    for speed in [0.15, 0.02] {
        for direction in [Vec2::X, Vec2::Y, -Vec2::Y] {
            let mut world = World::default();
            let lift =
                BodyDef::kinematic().at([0.0, -0.5]).velocity(direction * speed).shape(Shape::rect(4.0, 1.0));
            let lift = add(&mut world, lift);
            let rider = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
            for number in 0..600 {
                step(&mut world);
                assert!(world[rider].is_awake() || speed < 0.1, "asleep on a lift after {number} steps");
            }
            let apart = world[rider].position() - world[lift].position() - vec2(0.0, 1.0);
            let name = format!("rider off its place on the floor at {} m/s", direction * speed);
            // Sideways it may slip while the lift starts.
            check_range(&name, apart.length(), ..=0.02);
        }
    }
}

/// A kinematic floor that starts under a sleeping rider, by a velocity or by a target, wakes it
/// with the same step.
#[test]
fn a_floor_that_starts_wakes_its_rider() {
    for by_target in [false, true] {
        let mut world = World::default();
        let lift = add(&mut world, BodyDef::kinematic().at([0.0, -0.5]).shape(Shape::rect(4.0, 1.0)));
        let rider = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
        run(&mut world, 240);
        assert!(!world[rider].is_awake(), "it sleeps on a floor that stands still");
        for number in 0..60 {
            if by_target {
                world.move_to(lift, [0.0, -0.5 - 0.01 * (number + 1) as f32], 0.0).expect("it is kinematic");
            } else {
                world.set_velocity(lift, [0.0, -0.6]).expect("it is there");
            }
            step(&mut world);
            assert!(world[rider].is_awake(), "by target: {by_target}, step {number}");
        }
        check_range("gap to the floor after a second, m", gap(&world, lift, rider), -0.01..=0.01);
    }
}

/// A settled scene: a high shelf, or a kinematic one, or a pile of crates; on it crates and balls,
/// three high; all asleep.
fn settled(seed: u64) -> (World, Vec<BodyId>) {
    let mut random = Random::new(seed);
    let mut world = World::default();
    wall(&mut world, [0.0, -6.0], 60.0, 1.0);
    let mut ids = Vec::new();
    for x in [-4.0_f32, 0.0, 4.0] {
        let shelf = match random.below(3) {
            0 => BodyDef::fixed(),
            1 => BodyDef::kinematic(),
            _ => BodyDef::dynamic(),
        };
        let top = if shelf.kind == BodyKind::Dynamic { -5.0 } else { 0.0 };
        ids.push(add(&mut world, shelf.at([x, top - 0.5 + 0.5]).shape(Shape::rect(2.0, 1.0))));
        let mut height = top + 0.5;
        for _ in 0..1 + random.below(3) {
            let (width, tall) = (random.range(0.6, 1.6) as f32, random.range(0.3, 1.0) as f32);
            let shape = match random.below(3) {
                0 => Shape::rect(width, tall),
                1 => Shape::rect(width - 0.1, tall - 0.1).rounded(0.05),
                _ => Shape::compound([
                    Shape::rect(0.5 * width, tall).at([-0.25 * width, 0.0]),
                    Shape::rect(0.5 * width, tall).at([0.25 * width, 0.0]),
                ]),
            };
            let at = [x + random.range(-0.1, 0.1) as f32, height + 0.5 * tall + 0.005];
            ids.push(add(&mut world, BodyDef::dynamic().at(at).shape(shape)));
            height += tall + 0.01;
        }
    }
    run(&mut world, 400);
    (world, ids)
}

/// One of the ways to take a support away or change it.
fn change_support(world: &mut World, id: BodyId, random: &mut Random) -> &'static str {
    let shape = world.shapes_of(id).next().map(|(shape, _)| shape).expect("each has a shape");
    let place = world[id].position();
    let aside = [place.x + random.range(-3.0, 3.0) as f32, place.y + random.range(-2.0, 2.0) as f32];
    let (name, done) = match random.below(11) {
        0 => ("remove", world.remove(id)),
        1 => ("teleport", world.teleport(id, aside, random.angle())),
        2 => ("disable", world.set_enabled(id, false)),
        3 => ("make a sensor", world.set_sensor(shape, true)),
        4 => ("filter", world.set_filter(shape, Filter { mask: 0, ..Filter::default() })),
        5 => ("shrink", world.set_shape(shape, Shape::rect(0.2, 0.2))),
        6 => ("detach", world.detach(shape)),
        7 => {
            let kind =
                if world[id].kind() == BodyKind::Dynamic { BodyKind::Kinematic } else { BodyKind::Dynamic };
            ("change of kind", world.set_kind(id, kind))
        }
        8 => ("velocity", world.set_velocity(id, [random.range(-2.0, 2.0) as f32, -1.0])),
        9 => ("one way", world.set_one_way(shape, Some(vec2(0.0, -1.0)))),
        _ => ("surface", world.set_material(shape, Material { surface_speed: 2.0, ..Material::default() })),
    };
    done.expect("it is there");
    name
}

/// Whether a solid body stands on another, which stands on another, down to one that nothing moves.
fn is_held(world: &World, id: BodyId, ids: &[BodyId], seen: &mut Vec<BodyId>) -> bool {
    if world[id].kind() != BodyKind::Dynamic {
        return true;
    }
    seen.push(id);
    ids.iter().copied().any(|other| {
        let solid = world.get(other).is_some_and(carom::Body::is_enabled)
            && world
                .shapes_of(other)
                .next()
                .is_some_and(|(_, shape)| !shape.is_sensor() && shape.filter().mask != 0);
        solid && !seen.contains(&other) && gap(world, id, other) < 0.01 && is_held(world, other, ids, seen)
    })
}

/// 10,000 times a random support of a sleeping scene is removed, moved, disabled, shrunk, and so
/// on: every body that still or again sleeps within the next second stands on something; none is
/// left floating, none deep in anything.
#[test]
fn sleepers_do_not_float_when_their_support_changes() {
    let (scenes, changes) = (rounds(4, 100), rounds(10, 100));
    let mut floating = Vec::new();
    for seed in 0..scenes {
        let (settled, mut ids) = settled(seed as u64);
        let floor = settled.bodies().next().map(|(id, _)| id).expect("the floor");
        ids.push(floor);
        let mut random = Random::new(1_000 + seed as u64);
        for trial in 0..changes {
            let mut world = settled.clone();
            let target = ids[random.below(ids.len() - 1)];
            let name = change_support(&mut world, target, &mut random);
            for _ in 0..60 {
                world.step(DT).expect("dt is in range");
            }
            for &id in &ids {
                let Some(body) = world.get(id) else { continue };
                let sleeps = body.kind() == BodyKind::Dynamic && body.is_enabled() && !body.is_awake();
                let untouchable = world
                    .shapes_of(id)
                    .next()
                    .is_none_or(|(_, shape)| shape.is_sensor() || shape.filter().mask == 0);
                if sleeps && (untouchable || !is_held(&world, id, &ids, &mut Vec::new())) {
                    floating.push(format!(
                        "scene {seed}, trial {trial}: {name} of {target}: {id} at {}",
                        body.position()
                    ));
                }
            }
        }
    }
    println!("{:#?}", &floating[..floating.len().min(20)]);
    check_range(&format!("left floating in {} trials", scenes * changes), floating.len() as f64, ..=0.0);
}

/// A sleeping crate whose own weight, gravity scale, locks or shape change wakes and obeys in the
/// next step.
#[test]
fn a_change_wakes_what_is_changed() {
    type Change = fn(&mut World, BodyId) -> Result<(), Error>;
    let changes: [(&str, Change); 8] = [
        ("impulse", |world, id| world.apply_impulse(id, [5.0, 0.0])),
        ("force", |world, id| world.apply_force(id, [500.0, 0.0])),
        ("velocity", |world, id| world.set_velocity(id, [1.0, 0.0])),
        ("spin", |world, id| world.set_angular_velocity(id, 3.0)),
        ("gravity scale", |world, id| world.set_gravity_scale(id, -1.0)),
        ("mass", |world, id| world.set_mass(id, Some(Mass { mass: 3.0, center: Vec2::ZERO, inertia: 1.0 }))),
        ("weight", |world, id| {
            let shape = world.shapes_of(id).next().map(|(shape, _)| shape).expect("it has one");
            world.set_weight(shape, Weight::Density(7.0))
        }),
        ("gravity", |world, _| world.set_gravity([3.0, 0.0])),
    ];
    for (name, change) in changes {
        let mut world = World::default();
        ground_of(&mut world, Material::default().friction(0.1));
        let crate_ = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
        run(&mut world, 240);
        assert!(!world[crate_].is_awake(), "it sleeps");
        let before = world[crate_].transform();
        change(&mut world, crate_).expect("it is there");
        run(&mut world, 2);
        assert!(world[crate_].is_awake(), "{name} wakes it");
        run(&mut world, 28);
        let moves = !["mass", "weight"].contains(&name);
        let after = world[crate_].transform();
        let moved = (after.position - before.position).length() > 0.01 || after.rotation != before.rotation;
        assert!(moved || !moves, "{name} moves it: {before:?} {after:?}");
    }
}

/// A crate put into the air and put to sleep by hand stays where it was put, to 0.1 mm, for 10 s
/// (rapier #448); woken, it falls.
#[test]
fn a_body_put_to_sleep_stays_where_it_was_put() {
    for asleep_before in [false, true] {
        let mut world = World::default();
        ground(&mut world);
        let crate_ = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
        run(&mut world, if asleep_before { 240 } else { 10 });
        world.teleport(crate_, [3.0, 7.0], 0.5).expect("it is there");
        world.put_to_sleep(crate_).expect("it is there");
        run(&mut world, 600);
        assert!(!world[crate_].is_awake(), "it sleeps");
        let off = (world[crate_].position() - vec2(3.0, 7.0)).length();
        check_range("off where it was put, m", off, ..=1.0e-4);
        check_range("angle off, rad", (world[crate_].angle() - 0.5).abs(), ..=1.0e-4);
        world.wake_up(crate_).expect("it is there");
        run(&mut world, 60);
        check_range("height after a second awake, m", world[crate_].position().y, ..=3.0);
    }
}

/// A crate that rests 4 cm from a wall, another crate or a sensor, and is pushed towards it right
/// after the step in which it fell asleep, at 1 m/s: it is stopped there, or noticed.
#[test]
fn what_is_pushed_as_it_falls_asleep_meets_its_neighbours() {
    for neighbour in ["wall", "crate", "sensor"] {
        let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
        let pushed = add(&mut world, BodyDef::dynamic().shape(Shape::rect(1.0, 1.0)));
        let (fixed, shape) = (BodyDef::fixed().at([1.04, 0.0]), ShapeDef::from(Shape::rect(1.0, 1.0)));
        let other = match neighbour {
            "wall" => add(&mut world, fixed.shape(shape)),
            "crate" => add(&mut world, BodyDef::dynamic().at([1.04, 0.0]).shape(shape)),
            _ => add(&mut world, fixed.shape(shape.sensor())),
        };
        steps_until_asleep(&mut world, pushed, 240);
        assert!(!world[pushed].is_awake(), "it sleeps beside the {neighbour}");
        world.set_velocity(pushed, [1.0, 0.0]).expect("it is there");
        let mut entered = 0;
        for _ in 0..30 {
            step(&mut world);
            entered += world.events().entered().len();
        }
        if neighbour == "sensor" {
            assert_eq!(entered, 1, "it entered the sensor");
        } else {
            let way = (world[other].position() - world[pushed].position()).x;
            check_range("least distance of the two middles, m", way, 0.99..);
        }
    }
}

/// A sleeping world's bodies keep their bits for 10 s, nothing is awake, and nothing is reported.
#[test]
fn a_sleeping_world_does_not_change() {
    let mut world = World::default();
    ground(&mut world);
    for row in 0..5 {
        for column in 0..4 {
            box_on(&mut world, row as f32, 1.5 * column as f32, [1.0, 1.0]);
        }
    }
    add(&mut world, BodyDef::dynamic().at([-4.0, 0.5]).shape(Shape::circle(0.5)));
    run(&mut world, 600);
    let before = bits(&world);
    for number in 0..600 {
        step(&mut world);
        assert_eq!(world.stats().awake, 0, "step {number}");
        let events = world.events();
        let quiet = events.begun().is_empty() && events.ended().is_empty() && events.hits().is_empty();
        assert!(quiet && events.slept().is_empty() && events.woken().is_empty(), "step {number}: {events:?}");
    }
    assert!(before == bits(&world), "a sleeping world has changed");
}

/// A beam of 100 m that turns at 0.04 rad/s moves its ends at 2 m/s: it does not rest. What resting
/// is, a world may be told.
#[test]
fn sleep_goes_by_the_farthest_point() {
    let beam = |def: WorldDef, spin: f32| {
        let mut world = World::new(def.gravity([0.0, 0.0]));
        let beam = add(&mut world, BodyDef::dynamic().spin(spin).shape(Shape::rect(100.0, 1.0)));
        steps_until_asleep(&mut world, beam, 300)
    };
    assert_eq!(beam(WorldDef::default(), 0.04), 300);
    assert!(beam(WorldDef::default(), 0.0009) < 60);
    assert!(beam(WorldDef { sleep_speed: 3.0, ..WorldDef::default() }, 0.04) < 60);
    let late = beam(WorldDef { sleep_time: 2.0, ..WorldDef::default() }, 0.0);
    assert!((120..=130).contains(&late), "{late}");
    for (sleep_speed, sleep_time) in [(-1.0, 0.5), (f32::NAN, 0.5), (0.05, f32::INFINITY)] {
        let bad = WorldDef { sleep_speed, sleep_time, ..WorldDef::default() };
        assert!(World::try_new(bad).is_err(), "{bad:?}");
    }
}

/// Each body that fell asleep wakes before it sleeps again, and says so: also one that was disabled
/// or of another kind.
#[test]
fn who_is_put_back_has_woken() {
    let mut world = World::default();
    ground(&mut world);
    let crate_ = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
    for round in 0..2 {
        assert!(steps_until_asleep(&mut world, crate_, 300) < 300);
        if round == 0 {
            world.set_enabled(crate_, false).expect("it is there");
            step(&mut world);
            assert_eq!(world.events().woken(), [crate_], "disabled");
            world.set_enabled(crate_, true).expect("it is there");
        } else {
            world.set_kind(crate_, BodyKind::Fixed).expect("it is there");
            world.set_kind(crate_, BodyKind::Dynamic).expect("it is there");
            step(&mut world);
            assert_eq!(world.events().woken(), [crate_], "of another kind");
        }
        assert!(world[crate_].is_awake());
    }
}
