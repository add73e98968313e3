//! Structural change: bodies and shapes may change in any way at any moment, and the next step goes
//! by it.

use carom::prelude::*;
use carom::{Error, Filter, Locks, Mass, Weight};
use std::collections::BTreeMap;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, box_on, check_range, gap, ground, run, space, step, valid, wall};

/// The only shape of a body.
fn shape_of(world: &World, id: BodyId) -> ShapeId {
    world.shapes_of(id).next().map(|(shape, _)| shape).expect("it has one")
}

/// Its form.
fn shape_at(world: &World, id: BodyId) -> Shape {
    world[shape_of(world, id)].shape().clone()
}

/// A crate on a shelf 5 m up: falling towards it, at rest on it, or asleep on it.
fn crate_on_shelf(state: &str) -> (World, BodyId, BodyId) {
    let mut world = World::default();
    ground(&mut world);
    let shelf = wall(&mut world, [0.0, 4.5], 4.0, 1.0);
    let crate_ = box_on(&mut world, if state == "falling" { 5.3 } else { 5.0 }, 0.0, [1.0, 1.0]);
    run(&mut world, if state == "asleep" { 240 } else { 10 });
    assert_eq!(world[crate_].is_awake(), state != "asleep");
    (world, shelf, crate_)
}

/// Whatever takes the shelf away, in whichever state the crate above is: it falls freely from the
/// next step on, for 0.5 s; and where the shelf comes back, it lands on it (rapier #477, #593,
/// #783, #918).
#[test]
fn a_shelf_that_goes_lets_go_at_once() {
    type Change = fn(&mut World, BodyId) -> Result<(), Error>;
    let changes: [(&str, Change); 8] = [
        ("removed", |world, id| world.remove(id)),
        ("disabled", |world, id| world.set_enabled(id, false)),
        ("moved away", |world, id| world.teleport(id, [50.0, 4.5], 0.0)),
        ("filtered out", |world, id| {
            world.set_filter(shape_of(world, id), Filter { mask: 0, ..Filter::default() })
        }),
        ("shrunk", |world, id| world.set_shape(shape_of(world, id), Shape::rect(0.1, 0.1).at([-1.9, 0.0]))),
        ("made a sensor", |world, id| world.set_sensor(shape_of(world, id), true)),
        ("taken off its body", |world, id| world.detach(shape_of(world, id))),
        ("made one-way from below", |world, id| {
            world.set_one_way(shape_of(world, id), Some(vec2(0.0, -1.0)))
        }),
    ];
    for (name, change) in changes {
        for state in ["falling", "resting", "asleep"] {
            let (mut world, shelf, crate_) = crate_on_shelf(state);
            let (start, speed) = (world[crate_].position().y, world[crate_].velocity().y);
            change(&mut world, shelf).expect("it is there");
            valid(&world);
            step(&mut world);
            let gained = f64::from(world[crate_].velocity().y - speed);
            assert!((gained + 9.81 / 60.0).abs() < 0.01, "{name}, {state}: {gained} m/s in the first step");
            run(&mut world, 29);
            let fallen = f64::from(start - world[crate_].position().y);
            let free = 0.5 * 9.81 * 0.25 - 0.5 * f64::from(speed);
            assert!(
                (fallen - free).abs() < 0.02,
                "{name}, {state}: fell {fallen} m in 0.5 s, free fall is {free}"
            );
            if name == "disabled" {
                world.teleport(crate_, [0.0, 5.6], 0.0).expect("it is there");
                world.set_velocity(crate_, [0.0, 0.0]).expect("it is there");
                world.set_enabled(shelf, true).expect("it is there");
                run(&mut world, 60);
                assert!((world[crate_].position().y - 5.5).abs() < 0.01, "{}", world[crate_].position());
            }
        }
    }
}

/// A flying crate that is made fixed stops with that step, made kinematic it flies on straight,
/// made dynamic again it falls.
#[test]
fn a_body_obeys_its_new_kind_at_once() {
    let mut world = World::default();
    let crate_ =
        BodyDef::dynamic().at([0.0, 50.0]).velocity([3.0, 4.0]).spin(2.0).shape(Shape::rect(1.0, 1.0));
    let crate_ = add(&mut world, crate_);
    run(&mut world, 5);
    let velocity = world[crate_].velocity();
    world.set_kind(crate_, BodyKind::Kinematic).expect("it is there");
    run(&mut world, 30);
    assert_eq!(world[crate_].velocity(), velocity, "kinematic: straight on");
    let place = world[crate_].transform();
    world.set_kind(crate_, BodyKind::Fixed).expect("it is there");
    run(&mut world, 30);
    assert_eq!(world[crate_].transform(), place, "fixed: still");
    assert_eq!((world[crate_].velocity(), world[crate_].angular_velocity()), (Vec2::ZERO, 0.0));
    world.set_kind(crate_, BodyKind::Dynamic).expect("it is there");
    step(&mut world);
    check_range("speed after one step as a dynamic body, m/s", world[crate_].velocity().y, -0.1636..=-0.1634);
    check_range("its mass is back, kg", world[crate_].mass(), 0.999..=1.001);
}

/// A body that becomes solid, larger, or of another filter where another one stands is pushed out
/// of it, within a second, by no more than 4 m/s.
#[test]
fn what_becomes_solid_pushes_softly() {
    type Change = fn(&mut World, BodyId) -> Result<(), Error>;
    let changes: [(&str, Change); 3] = [
        ("no sensor any more", |world, id| world.set_sensor(shape_of(world, id), false)),
        ("grown", |world, id| world.set_shape(shape_of(world, id), Shape::rect(4.0, 1.0))),
        ("filter allows", |world, id| world.set_filter(shape_of(world, id), Filter::default())),
    ];
    for (name, change) in changes {
        let mut world = space();
        let mut def = ShapeDef::from(Shape::rect(4.0, 1.0));
        match name {
            "no sensor any more" => def = def.sensor(),
            "grown" => def = ShapeDef::from(Shape::rect(0.2, 0.2).at([-1.9, -0.4])),
            _ => def = def.filter(Filter { mask: 0, ..Filter::default() }),
        }
        let block = add(&mut world, BodyDef::fixed().shape(def));
        let ball = add(&mut world, BodyDef::dynamic().at([0.1, 0.6]).shape(Shape::circle(0.3)));
        run(&mut world, 30);
        assert_eq!(world[ball].velocity(), Vec2::ZERO, "{name}: not yet");
        change(&mut world, block).expect("it is there");
        let mut fastest = 0.0_f32;
        for _ in 0..60 {
            step(&mut world);
            let speed = world[ball].velocity().length();
            fastest = if speed > fastest { speed } else { fastest };
        }
        check_range(&format!("{name}: gap after a second, m"), gap(&world, block, ball), -0.005..);
        check_range(&format!("{name}: greatest speed, m/s"), fastest, ..=4.0);
    }
}

/// A moving ball whose mass is set to ten times what it was, in flight, strikes like ten: after the
/// inelastic impact both go on at 10/11 of its speed. So does one whose shape got another weight,
/// or more shapes.
#[test]
fn a_new_mass_counts_at_the_next_impact() {
    type Change = fn(&mut World, BodyId) -> Result<(), Error>;
    let changes: [(&str, Change); 3] = [
        ("mass", |world, id| {
            let mass = world[id].mass();
            world.set_mass(id, Some(Mass { mass: 10.0 * mass, center: Vec2::ZERO, inertia: 1.0 }))
        }),
        ("weight", |world, id| world.set_weight(shape_of(world, id), Weight::Density(10.0))),
        ("shapes", |world, id| {
            let weight = Weight::Mass(9.0 * world[id].mass());
            world.attach(id, ShapeDef { weight, ..Shape::circle(0.1).into() }).map(|_| ())
        }),
    ];
    for (name, change) in changes {
        let mut world = space();
        let ball =
            |x: f32, v: f32| BodyDef::dynamic().at([x, 0.0]).velocity([v, 0.0]).shape(Shape::circle(0.25));
        let (striker, struck) = (add(&mut world, ball(-2.0, 5.0)), add(&mut world, ball(0.0, 0.0)));
        run(&mut world, 10);
        change(&mut world, striker).expect("it is there");
        assert_eq!(world[striker].velocity(), vec2(5.0, 0.0), "{name}: the velocity stays");
        run(&mut world, 30);
        let wanted = 5.0 * 10.0 / 11.0;
        check_range(
            &format!("{name}: speed of both, m/s"),
            world[struck].velocity().x,
            wanted - 0.01..=wanted + 0.01,
        );
        check_range(
            &format!("{name}: speed of the striker, m/s"),
            world[striker].velocity().x,
            wanted - 0.01..=wanted + 0.01,
        );
    }
}

/// A crate of 1 t at rest on the ground, or on three others, becomes as light as 1 kg, or loses its
/// heavy shape: nothing jumps. The impulses that held the ton are not put on the kilogram.
#[test]
fn what_becomes_light_does_not_jump() {
    for count in [1, 4] {
        let row = count - 1;
        for by_weight in [false, true] {
            let mut world = World::new(WorldDef::default().sleepless());
            ground(&mut world);
            let stack: Vec<BodyId> = (0..count)
                .map(|k| {
                    let def = BodyDef::dynamic().at([0.0, 0.5 + k as f32]);
                    let (hull, load) = (Shape::rect(1.0, 1.0), Shape::rect(0.5, 0.5));
                    let hull = ShapeDef {
                        weight: Weight::Mass(if by_weight { 1_000.0 } else { 1.0 }),
                        ..hull.into()
                    };
                    let load =
                        ShapeDef { weight: Weight::Mass(if by_weight { 0.0 } else { 999.0 }), ..load.into() };
                    add(&mut world, def.shape(hull).shape(load))
                })
                .collect();
            run(&mut world, 60);
            let shapes: Vec<ShapeId> = world.shapes_of(stack[row]).map(|(shape, _)| shape).collect();
            let change = if by_weight {
                world.set_weight(shapes[0], Weight::Mass(1.0))
            } else {
                world.detach(shapes[1])
            };
            change.expect("it is there");
            assert!((world[stack[row]].mass() - 1.0).abs() < 0.01, "it weighs 1 kg now");
            let mut fastest = 0.0_f32;
            for _ in 0..60 {
                step(&mut world);
                let top = testkit::worlds::top_speed(&world);
                fastest = if top > fastest { top } else { fastest };
            }
            let what = format!("row {row} of {count}, by weight {by_weight}: greatest speed after, m/s");
            check_range(&what, fastest, ..=0.5);
        }
    }
}

/// Any shape, of any kind.
fn any_shape(random: &mut Random) -> Shape {
    let size = random.range(0.2, 1.2) as f32;
    match random.below(7) {
        0 => Shape::circle(0.5 * size),
        1 => Shape::rect(size, 0.6 * size),
        2 => Shape::regular(3 + random.below(6), 0.5 * size),
        3 => Shape::capsule([-0.4 * size, 0.0], [0.4 * size, 0.0], 0.2 * size),
        4 => Shape::segment([-0.5 * size, 0.0], [0.5 * size, 0.1 * size]),
        5 => Shape::capsule([-size, 0.2], [0.0, 0.0], 0.05 * size),
        _ => Shape::compound([
            Shape::rect(size, 0.3 * size),
            Shape::circle(0.3 * size).at([0.4 * size, 0.2 * size]),
        ]),
    }
}

fn any_material(random: &mut Random) -> Material {
    let material = Material::default().friction(random.range(0.0, 1.0) as f32);
    material.restitution(if random.below(4) == 0 { random.unit() as f32 } else { 0.0 })
}

fn any_body(random: &mut Random) -> BodyDef {
    let mut def = match random.below(8) {
        0 => BodyDef::fixed(),
        1 => BodyDef::kinematic().spin(random.range(-2.0, 2.0) as f32),
        _ => BodyDef::dynamic().velocity(random.vec2(8.0)),
    };
    def = def.at(random.vec2(6.0)).angle(random.angle());
    for _ in 0..1 + random.below(2) {
        let mut shape = ShapeDef::from(any_shape(random)).material(any_material(random));
        shape.sensor = random.below(8) == 0;
        shape.one_way = (random.below(10) == 0).then_some(Vec2::Y);
        def = def.shape(shape);
    }
    def.enabled = random.below(10) != 0;
    def.awake = random.below(6) != 0;
    def
}

/// One random change of a random body or shape.
fn churn(world: &mut World, random: &mut Random, ids: &mut [BodyId]) {
    let index = random.below(ids.len());
    let id = ids[index];
    let shapes: Vec<ShapeId> = world.shapes_of(id).map(|(shape, _)| shape).collect();
    let shape = if shapes.is_empty() { None } else { Some(shapes[random.below(shapes.len())]) };
    let kind = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic][random.below(3)];
    let done = match (random.below(20), shape) {
        (0, _) => world.set_kind(id, kind),
        (1, _) => world.set_enabled(id, random.below(2) == 0),
        (2, Some(shape)) => world.set_filter(shape, Filter { mask: random.bits() & 3, ..Filter::default() }),
        (3, Some(shape)) => world.set_shape(shape, any_shape(random)),
        (4, _) => {
            let mass = Mass { mass: random.range(0.1, 50.0) as f32, center: random.vec2(0.1), inertia: 1.0 };
            world.set_mass(id, (random.below(2) == 0).then_some(mass))
        }
        (5, Some(shape)) => world.detach(shape),
        (6, _) => world.attach(id, any_shape(random)).map(|_| ()),
        (7, _) => {
            let done = world.remove(id);
            ids[index] = add(world, any_body(random));
            done
        }
        (8, _) => world.teleport(id, random.vec2(6.0), random.angle()),
        (9, _) => world.put_to_sleep(id),
        (10, _) => world.wake_up(id),
        (11, Some(shape)) => world.set_sensor(shape, random.below(2) == 0),
        (12, Some(shape)) => world.set_material(shape, any_material(random)),
        (13, _) => world.apply_impulse(id, random.vec2(1.0)),
        (14, _) => {
            let [x, y, rotation] = [0, 1, 2].map(|_| random.below(4) == 0);
            world.set_locks(id, Locks { x, y, rotation })
        }
        (15, Some(shape)) => world.set_one_way(shape, (random.below(2) == 0).then_some(Vec2::Y)),
        (16, _) => world.set_gravity(random.vec2(10.0)),
        (17, _) => world.set_can_sleep(id, random.below(2) == 0),
        (18, Some(shape)) => world.set_weight(shape, Weight::Density(random.range(0.3, 9.0) as f32)),
        _ if world[id].kind() == BodyKind::Kinematic => {
            let near = world[id].position() + random.vec2(0.3);
            world.move_to(id, near, world[id].angle() + random.range(-0.5, 0.5) as f32)
        }
        _ => world.set_velocity(id, random.vec2(30.0)),
    };
    done.expect("the body is there, and the values are in range");
}

/// Which shapes touch, as the events tell it: each begin once, each end after its begin.
#[derive(Default)]
struct Ledger {
    touching: BTreeMap<(ShapeId, ShapeId), i32>,
    inside: BTreeMap<(ShapeId, ShapeId), i32>,
}

impl Ledger {
    /// Takes in the events of a step. Contacts of shapes of several parts begin and end part by
    /// part.
    fn read(&mut self, world: &World) {
        let events = world.events();
        events.begun().iter().for_each(|touch| *self.touching.entry((touch.a, touch.b)).or_default() += 1);
        events
            .entered()
            .iter()
            .for_each(|visit| *self.inside.entry((visit.sensor, visit.visitor)).or_default() += 1);
        for touch in events.ended() {
            // Which of two shapes is named first may change with their proxies.
            let key = if self.touching.contains_key(&(touch.a, touch.b)) {
                (touch.a, touch.b)
            } else {
                (touch.b, touch.a)
            };
            *self.touching.entry(key).or_default() -= 1;
        }
        events
            .left()
            .iter()
            .for_each(|visit| *self.inside.entry((visit.sensor, visit.visitor)).or_default() -= 1);
        for (what, counts) in [("touch", &self.touching), ("visit", &self.inside)] {
            let bad = counts.iter().find(|(_, count)| **count < 0);
            assert!(bad.is_none(), "the end of a {what} without a begin: {bad:?}, {events:?}");
        }
        self.touching.retain(|_, count| *count > 0);
        self.inside.retain(|_, count| *count > 0);
    }
}

/// 500 steps with five random changes before each, of kind, enabled flag, filter, shape, mass,
/// sleep, place, sensors, locks, removal and re-creation, among 40 bodies: every invariant holds
/// after every step, every touch and every visit that ends has begun, and when all bodies are gone
/// all have ended. 12 scenes, each run twice: the same bits.
#[test]
fn churn_leaves_nothing_stale() {
    for seed in 0..rounds(2, 12) as u64 {
        let scene = || {
            let mut random = Random::new(300 + seed);
            let mut world = World::default();
            for center in [[0.0, -9.0], [0.0, 9.0]] {
                wall(&mut world, center, 20.0, 2.0);
            }
            for center in [[-9.0, 0.0], [9.0, 0.0]] {
                wall(&mut world, center, 2.0, 20.0);
            }
            let mut ids: Vec<BodyId> = (0..40).map(|_| add(&mut world, any_body(&mut random))).collect();
            let mut ledger = Ledger::default();
            for number in 0..500 {
                for _ in 0..5 {
                    churn(&mut world, &mut random, &mut ids);
                }
                world.step(DT).expect("dt is in range");
                if let Err(rule) = world.validate() {
                    panic!("seed {seed}, step {number}: {rule}");
                }
                // The lightest gets 362 m/s from an impulse. At the limit of the world there was an
                // explosion.
                let top = testkit::worlds::top_speed(&world);
                assert!(top < 999.0, "seed {seed}, step {number}: a body at {top} m/s");
                ledger.read(&world);
            }
            for id in ids {
                world.remove(id).expect("it is there");
            }
            step(&mut world);
            ledger.read(&world);
            let Ledger { touching, inside } = ledger;
            assert!(
                touching.is_empty() && inside.is_empty(),
                "seed {seed}: never ended: {touching:?} {inside:?}"
            );
            world
        };
        let (one, two) = (scene(), scene());
        assert_eq!(testkit::worlds::difference(&one, &two), None, "seed {seed}: the same twice");
    }
}

/// All bodies of a pile are removed at once: every touch ends, in the next step; and every visit.
#[test]
fn removal_ends_every_touch() {
    let mut random = Random::new(41);
    let mut world = World::default();
    ground(&mut world);
    let zone = Shape::rect(10.0, 4.0);
    // Clear of the ground, which would be one more visitor.
    add(&mut world, BodyDef::fixed().at([0.0, 2.01]).shape(ShapeDef::from(zone.clone()).sensor()));
    let ids: Vec<BodyId> = (0..60)
        .map(|_| {
            let size = random.range(0.2, 0.6) as f32;
            let at = [random.range(-3.0, 3.0) as f32, random.range(0.5, 6.0) as f32];
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(size, size)))
        })
        .collect();
    let mut ledger = Ledger::default();
    for _ in 0..120 {
        step(&mut world);
        ledger.read(&world);
    }
    let visitors: Vec<BodyId> =
        ledger.inside.keys().filter_map(|(_, visitor)| world.body_of(*visitor)).collect();
    for &id in &ids {
        let place = world[id].transform();
        let depth = -distance(&zone, Transform::at([0.0, 2.01]), &shape_at(&world, id), place).separation;
        let inside = visitors.contains(&id);
        assert!(
            inside == (depth > 0.0) || depth.abs() < 0.001,
            "{id} at {place:?}, reported inside: {inside}"
        );
    }
    let touches = ledger.touching.len();
    assert!(
        touches > 50 && visitors.len() > 40,
        "a pile inside of the sensor: {touches}, {}",
        visitors.len()
    );
    for (number, &id) in ids.iter().enumerate() {
        // One by one, and the rest at once.
        if number < 30 {
            step(&mut world);
            ledger.read(&world);
        }
        world.remove(id).expect("it is there");
    }
    step(&mut world);
    ledger.read(&world);
    assert_eq!((ledger.touching.len(), ledger.inside.len()), (0, 0), "all is over");
    assert_eq!(world.stats().contacts, 0);
}

/// Whatever ends a touch from outside (a filter, a sensor's flag, another form, disabling, another
/// kind, moving away), the end stands among the events of the next step, once; and so does the exit
/// from a sensor.
#[test]
fn a_touch_that_is_ended_from_outside_is_reported() {
    type Change = fn(&mut World, BodyId) -> Result<(), Error>;
    let changes: [(&str, Change); 7] = [
        ("filter", |world, id| {
            world.set_filter(shape_of(world, id), Filter { mask: 0, ..Filter::default() })
        }),
        ("disabled", |world, id| world.set_enabled(id, false)),
        ("moved", |world, id| world.teleport(id, [50.0, 50.0], 0.0)),
        ("another form", |world, id| world.set_shape(shape_of(world, id), Shape::circle(0.1).at([0.0, 9.0]))),
        ("detached", |world, id| world.detach(shape_of(world, id))),
        ("removed", |world, id| world.remove(id)),
        ("shelf removed", |world, _| {
            let floor = world.bodies().next().map(|(id, _)| id).expect("the ground");
            world.remove(floor)
        }),
    ];
    let mut wrong = Vec::new();
    for (name, change) in changes {
        for asleep in [false, true] {
            let mut world = World::default();
            ground(&mut world);
            let sensor = ShapeDef::from(Shape::rect(10.0, 3.0)).sensor();
            add(&mut world, BodyDef::fixed().at([0.0, 2.0]).shape(sensor));
            let crate_ = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
            run(&mut world, if asleep { 240 } else { 10 });
            assert_eq!(world[crate_].is_awake(), !asleep);
            change(&mut world, crate_).expect("it is there");
            let (mut ended, mut left) = (0, 0);
            for _ in 0..2 {
                step(&mut world);
                ended += world.events().ended().len();
                left += world.events().left().len();
            }
            let exits = usize::from(name != "shelf removed");
            if (ended, left) != (1, exits) {
                wrong.push(format!(
                    "{name}, asleep {asleep}: {ended} ends, {left} exits, should be 1 and {exits}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A crate on the ground inside of a sensor, in a place that had another tenant before it, is
/// removed; and a new body takes its place before the next step: the end of its touch and its exit
/// name the one that is gone.
#[test]
fn end_events_name_the_removed_body() {
    for replaced in [false, true] {
        let mut world = World::default();
        let floor = ground(&mut world);
        let sensor = ShapeDef::from(Shape::rect(10.0, 4.0)).sensor();
        add(&mut world, BodyDef::fixed().at([0.0, 2.0]).shape(sensor));
        let first = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
        world.remove(first).expect("it is there");
        let crate_ = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
        let shape = shape_of(&world, crate_);
        assert_eq!((crate_.index(), crate_ == first), (first.index(), false));
        run(&mut world, 10);
        world.remove(crate_).expect("it is there");
        if replaced {
            add(&mut world, BodyDef::dynamic().at([100.0, 50.0]).shape(Shape::circle(0.5)));
        }
        step(&mut world);
        let (ended, left) = (world.events().ended(), world.events().left());
        assert_eq!((ended.len(), left.len()), (1, 1), "{ended:?} {left:?}");
        let touch = ended[0];
        let named = [touch.body_a, touch.body_b];
        assert!(
            named.contains(&crate_) && named.contains(&floor),
            "replaced: {replaced}: {touch:?} for {crate_}"
        );
        assert!([touch.a, touch.b].contains(&shape), "replaced: {replaced}: {touch:?} for {shape}");
        assert_eq!((left[0].visitor_body, left[0].visitor), (crate_, shape), "replaced: {replaced}");
    }
}

/// Removing twice, and every other call on what is gone, is refused by an error that names the id,
/// and changes nothing; an id is never used again.
#[test]
fn calls_on_removed_ids_are_refused_by_name() {
    let mut world = World::default();
    let ball = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.5)));
    let shape = shape_of(&world, ball);
    world.remove(ball).expect("it is there");
    let again = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.5)));
    assert_eq!(again.index(), ball.index(), "the place is used again");
    let before = testkit::worlds::bits(&world);
    let answers = [
        world.remove(ball),
        world.teleport(ball, [0.0, 0.0], 0.0),
        world.set_velocity(ball, [1.0, 0.0]),
        world.set_kind(ball, BodyKind::Fixed),
        world.apply_force(ball, [1.0, 0.0]),
        world.wake_up(ball),
        world.attach(ball, Shape::circle(1.0)).map(|_| ()),
    ];
    assert!(answers.iter().all(|answer| *answer == Err(Error::NoSuchBody(ball))), "{answers:?}");
    let answers = [
        world.detach(shape),
        world.set_shape(shape, Shape::circle(1.0)),
        world.set_filter(shape, Filter::default()),
        world.set_material(shape, Material::default()),
    ];
    assert!(answers.iter().all(|answer| *answer == Err(Error::NoSuchShape(shape))), "{answers:?}");
    assert!(world.get(ball).is_none() && world.get_shape(shape).is_none() && world.body_of(shape).is_none());
    assert_eq!(before, testkit::worlds::bits(&world));
    assert!(format!("{}", Error::NoSuchBody(ball)).contains("body#0v1"));
    valid(&world);
}

/// An empty world steps; bodies without shapes fall; an empty chain, a chain of one point and an
/// empty compound are refused and change nothing.
#[test]
fn empty_worlds_and_bodies_without_shapes_step() {
    let mut world = World::default();
    run(&mut world, 10);
    assert_eq!(world.stats().pairs, 0);
    let bare = add(&mut world, BodyDef::dynamic());
    run(&mut world, 60);
    check_range("fall of a body without shapes in a second, m", -world[bare].position().y, 4.9..=4.91);
    for shape in [
        Shape::chain::<Vec2>(&[]),
        Shape::chain(&[Vec2::ZERO]),
        Shape::closed_chain::<Vec2>(&[]),
        Shape::compound([]),
        Shape::polygon::<Vec2>(&[]),
    ] {
        assert!(world.add(BodyDef::fixed().shape(shape)).is_err());
    }
    assert_eq!(world.body_count(), 1);
}

/// A world of 0 to 200 bodies is filled, stepped and emptied 100 times: places are used again,
/// nothing is left in the grid, and the last round takes no more pairs than the first.
#[test]
fn filling_and_emptying_leaks_nothing() {
    let mut world = World::default();
    let mut first = 0;
    for round in 0..100 {
        let count = if round == 0 || round == 99 { 200 } else { round * 37 % 201 };
        let ids: Vec<BodyId> = (0..count)
            .map(|k| {
                let def = if k % 10 == 0 { BodyDef::fixed() } else { BodyDef::dynamic() };
                let at = [0.9 * (k % 20) as f32, 0.9 * (k / 20) as f32];
                add(&mut world, def.at(at).shape(Shape::rect(1.0, 1.0)))
            })
            .collect();
        assert!(ids.iter().all(|id| id.index() < 200), "places are used again");
        step(&mut world);
        first = if round == 0 { world.stats().pairs } else { first };
        if round == 99 {
            assert_eq!(world.stats().pairs, first, "the same scene finds the same pairs");
        }
        for id in ids {
            world.remove(id).expect("it is there");
        }
        step(&mut world);
        assert_eq!(
            (world.stats().pairs, world.stats().contacts, world.body_count()),
            (0, 0, 0),
            "round {round}"
        );
        let anywhere = PlacedShapes::everywhere(&world);
        assert_eq!(anywhere, 0, "round {round}: nothing answers questions");
    }
}

/// How many shapes a question about all the world finds.
struct PlacedShapes;

impl PlacedShapes {
    fn everywhere(world: &World) -> usize {
        let all = Shape::rect(1_000.0, 1_000.0);
        let mut out = Vec::new();
        world.overlap_shape(
            &PlacedShape::at(&all, [0.0, 0.0]),
            &QueryFilter::default().with_sensors(),
            &mut out,
        );
        out.len()
    }
}

/// A player who jumps at 12 m/s from below goes up through a one-way platform without losing speed,
/// and lands on top.
#[test]
fn a_one_way_platform_lets_up_and_holds() {
    for thickness in [0.1_f32, 0.4] {
        let mut world = World::default();
        ground(&mut world);
        let platform = ShapeDef::from(Shape::rect(6.0, thickness)).one_way([0.0, 1.0]);
        add(&mut world, BodyDef::fixed().at([0.0, 3.0 - 0.5 * thickness]).shape(platform));
        let player = BodyDef::dynamic().at([0.0, 0.9]).velocity([0.0, 12.0]).locks(Locks::ROTATION);
        let player = add(&mut world, player.shape(Shape::capsule([0.0, -0.4], [0.0, 0.4], 0.5)));
        let mut highest = 0.0_f32;
        for _ in 0..240 {
            step(&mut world);
            let y = world[player].position().y;
            highest = if y > highest { y } else { highest };
        }
        check_range("top of the jump, m", highest, 8.22..=8.25);
        check_range("height in the end, m", world[player].position().y, 3.89..=3.905);
        // Whoever stands on it and is pushed down gently stays; a crate thrown down at 30 m/s stays
        // as well.
        let thrown = BodyDef::dynamic().at([2.0, 8.0]).velocity([0.0, -30.0]).shape(Shape::rect(0.4, 0.4));
        let thrown = add(&mut world, thrown);
        run(&mut world, 120);
        check_range("height of a crate thrown from above, m", world[thrown].position().y, 3.19..=3.205);
    }
}

/// A single body with 2,000 overlapping shapes: no pairs among its own, a step that takes no time
/// to speak of, and it still lands on the ground.
#[test]
fn the_shapes_of_a_body_do_not_pair_with_each_other() {
    let mut world = World::default();
    let mut def = BodyDef::dynamic().at([0.0, 1.0]);
    for k in 0..2_000 {
        def = def.shape(Shape::rect(1.0, 1.0).at([1.0e-4 * k as f32, 0.0]));
    }
    let body = add(&mut world, def);
    step(&mut world);
    assert_eq!((world.stats().pairs, world.stats().contacts), (0, 0));
    ground(&mut world);
    run(&mut world, rounds(30, 120));
    assert!(world.stats().pairs <= 2_000, "{} pairs with the ground", world.stats().pairs);
    check_range("height on the ground, m", world[body].position().y, 0.49..=0.51);
}
