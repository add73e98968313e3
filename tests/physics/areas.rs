//! Areas: gravity, drag, wind and water of sensors, against arithmetic.

use std::time::{Duration, Instant};

use carom::prelude::*;
use carom::{Area, Fluid, Piece, Pull, Recorder};
use testkit::rounds;
use testkit::worlds::{DT, add, check_range, run, space, step, valid};

/// A sensor of a fixed body at `at`, with an area.
fn zone(world: &mut World, at: [f32; 2], shape: Shape, area: Area) -> ShapeId {
    let body = add(world, BodyDef::fixed().at(at).shape(ShapeDef::from(shape).sensor()));
    let (id, _) = world.shapes_of(body).next().expect("it has one");
    world.set_area(id, Some(area)).expect("a sound area");
    id
}

/// Water of 1000 kg/m² up to y = 0.
fn sea(world: &mut World) -> ShapeId {
    zone(world, [0.0, -10.0], Shape::rect(100.0, 20.0), Area::fluid(1000.0, 10.0))
}

fn floating(world: &mut World, shape: Shape, density: f32, [x, y]: [f32; 2], angle: f32) -> BodyId {
    let def = BodyDef::dynamic().at([x, y]).angle(angle).shape(ShapeDef::from(shape).density(density));
    add(world, def)
}

/// Boxes, discs, a capsule and a hull of a box and a disc, of a half and of other densities: all
/// rest with as much under water as they weigh, and sleep. Boxes at the draught `h ρ / ρ_0`.
#[test]
fn what_floats_rests_at_its_draught() {
    let mut world = World::default();
    sea(&mut world);
    let mut boxes = Vec::new();
    for (k, density) in [150.0, 300.0, 500.0, 700.0, 900.0].into_iter().enumerate() {
        let x = 6.0 * k as f32 - 20.0;
        boxes.push((density, floating(&mut world, Shape::rect(3.0, 0.8), density, [x, 0.3], 0.02)));
    }
    let half = [
        floating(&mut world, Shape::circle(0.7), 500.0, [20.0, 0.5], 0.0),
        floating(&mut world, Shape::rect(2.0, 0.6).rounded(0.2), 500.0, [24.0, 0.5], 0.1),
        floating(&mut world, Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.4), 500.0, [28.0, 0.5], 0.1),
        floating(
            &mut world,
            Shape::compound([Shape::rect(1.0, 0.8).at([-1.0, 0.0]), Shape::rect(1.0, 0.8).at([1.0, 0.0])]),
            500.0,
            [34.0, 0.4],
            0.0,
        ),
    ];
    run(&mut world, 3000);
    for (density, id) in boxes {
        let draught = 0.4 - world[id].position().y;
        check_range("draught of 1", draught / (0.8 * density / 1000.0), 0.99..=1.01);
        check_range("tilt", world[id].angle().abs(), ..=0.002);
    }
    for id in half {
        check_range("middle", world[id].position().y.abs(), ..=0.005);
    }
    assert!(world.bodies().all(|(_, body)| !body.is_awake()), "what rests in water sleeps");
    valid(&world);
}

/// A raft on its edge, and one nearly on its back: both come to lie flat.
#[test]
fn a_tilted_box_rights_itself() {
    let mut world = World::default();
    sea(&mut world);
    for (k, angle) in [0.3, 0.8, 1.4, -1.2].into_iter().enumerate() {
        floating(&mut world, Shape::rect(2.0, 0.5), 400.0, [5.0 * k as f32, 0.2], angle);
    }
    run(&mut world, 3000);
    for (_, body) in world.bodies().filter(|(_, body)| body.kind() == BodyKind::Dynamic) {
        check_range("tilt", body.angle().abs(), ..=0.01);
    }
}

/// Energy of a raft that stays level, 2 m by 0.6 m of 500 kg/m²: of its motion, its height, and the
/// water that it lifted, `½ ρ g w d²` for a draught of d, all of it over that of rest.
fn energy_of(world: &World, raft: BodyId) -> f64 {
    let body = &world[raft];
    let (mass, y, v) = (600.0, f64::from(body.position().y), body.velocity().as_dvec2());
    let (bottom, height) = (0.3 - y, 0.6);
    let wet = bottom.clamp(0.0, height);
    let water = 1000.0 * 9.81 * 2.0 * (0.5 * wet * wet + height * (bottom - height).max(0.0));
    0.5 * mass * v.length_squared() + mass * 9.81 * y + water - 0.5 * 1000.0 * 9.81 * 2.0 * 0.09
}

/// Ten minutes of a raft that fell into water from 0.7 m: without drag the highest energy of each
/// two seconds stays what it was, with drag it never grows, and ends at nothing.
#[test]
fn what_bobs_gains_no_energy() {
    for drag in [0.0, 0.05] {
        let mut world = World::new(WorldDef::default().sleepless());
        let id = sea(&mut world);
        let mut area = *world.area(id).expect("it was set");
        area.fluid = area.fluid.map(|fluid| Fluid { drag, angular_drag: drag, ..fluid });
        world.set_area(id, Some(area)).expect("a sound area");
        let raft = floating(&mut world, Shape::rect(2.0, 0.6), 500.0, [0.0, 0.7], 0.0);
        run(&mut world, 120);
        let mut tops = Vec::new();
        for _ in 0..rounds(50, 300) {
            let mut top = f64::MIN;
            for _ in 0..120 {
                run(&mut world, 1);
                top = top.max(energy_of(&world, raft));
            }
            tops.push(top);
        }
        let first = tops[0];
        let most = tops.iter().copied().fold(f64::MIN, f64::max);
        check_range("most energy by the first", most / first, ..=1.01);
        if drag == 0.0 {
            check_range("last energy by the first", tops[tops.len() - 1] / first, 0.98..=1.01);
        } else {
            let grown = tops.windows(2).map(|two| two[1] - two[0]).fold(f64::MIN, f64::max);
            check_range("most that it grew by, of the first", grown / first, ..=1.0e-4);
            check_range("last energy by the first", tops[tops.len() - 1] / first, ..=0.2);
        }
    }
}

/// 100 turns round a planet, on a circle and on an ellipse: energy within 1 %, whatever the number
/// of sub-steps.
#[test]
fn an_orbit_keeps_its_energy() {
    for (sub_steps, v) in [(4, 1.0), (4, 0.85), (1, 0.9), (8, 1.1)] {
        let mut world = World::new(WorldDef { sub_steps, ..*space().def() });
        // 10 m/s² at 1 m, so G M = 10; at 5 m a circle takes √2 m/s, and 22 s.
        zone(&mut world, [0.0, 0.0], Shape::circle(30.0), Area::planet(10.0, 1.0));
        let speed = v * 2.0_f32.sqrt();
        let moon = BodyDef::dynamic().at([5.0, 0.0]).velocity([0.0, speed]).shape(Shape::circle(0.2));
        let moon = add(&mut world, moon);
        let energy = |world: &World| {
            let (place, v) = (world[moon].position().as_dvec2(), world[moon].velocity().as_dvec2());
            0.5 * v.length_squared() - 10.0 / place.length()
        };
        run(&mut world, 1);
        let first = energy(&world);
        let (mut turns, mut below) = (0, false);
        let most = rounds(4, 100);
        while turns < most {
            run(&mut world, 1);
            let under = world[moon].position().y < 0.0;
            turns += usize::from(below && !under);
            below = under;
            let ratio = energy(&world) / first;
            assert!((0.99..=1.01).contains(&ratio), "{sub_steps} sub-steps, turn {turns}: {ratio}");
        }
    }
}

/// Wind and drag against `v = w (1 - e^(-k t))`; gravity with drag against its last speed `g / k`.
#[test]
fn wind_and_drag_are_those_of_arithmetic() {
    let mut world = space();
    zone(&mut world, [0.0, 0.0], Shape::rect(400.0, 20.0), Area::wind([6.0, 0.0], 0.5));
    let leaf = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.3)));
    run(&mut world, 121);
    check_range("in the wind", world[leaf].velocity().x, 6.0 * 0.632 * 0.99..=6.0 * 0.632 * 1.01);
    let mut world = World::default();
    let drag = Area { drag: 2.0, angular_drag: 3.0, ..Area::default() };
    zone(&mut world, [0.0, 0.0], Shape::rect(4.0, 900.0), drag);
    let stone = add(&mut world, BodyDef::dynamic().at([0.0, 100.0]).spin(5.0).shape(Shape::circle(0.3)));
    run(&mut world, 600);
    check_range("last speed", -world[stone].velocity().y, 0.999 * 9.81 / 2.0..=1.001 * 9.81 / 2.0);
    check_range("spin", world[stone].angular_velocity(), 0.0..=1.0e-6);
    // Drag beyond all measure stops, and turns nothing round.
    let mut world = space();
    let thick = Area { drag: 1.0e9, angular_drag: 1.0e9, ..Area::default() };
    zone(&mut world, [0.0, 0.0], Shape::rect(40.0, 40.0), thick);
    let bullet = BodyDef::dynamic().velocity([10.0, 0.0]).spin(9.0).shape(Shape::circle(0.3));
    let bullet = add(&mut world, bullet);
    run(&mut world, 3);
    let body = &world[bullet];
    assert!(body.velocity().length() < 1.0e-3 && body.angular_velocity().abs() < 1.0e-3, "{body:?}");
}

/// Of two areas on top of each other the higher hides the lower one's gravity if it replaces it,
/// and adds to it if not; a body of two shapes feels an area once; outside, the world's gravity is
/// back.
#[test]
fn areas_act_by_priority() {
    for (priority, replaces, expected) in [(1, true, 3.0), (1, false, 5.0), (-1, true, 2.0)] {
        let mut world = World::default();
        zone(&mut world, [0.0, 0.0], Shape::rect(9.0, 9.0), Area::gravity([2.0, 0.0]));
        let over = Area { replaces, ..Area::gravity([3.0, 0.0]).priority(priority) };
        zone(&mut world, [0.0, 0.0], Shape::rect(9.0, 9.0), over);
        let pair = BodyDef::dynamic().shape(Shape::circle(0.3)).shape(Shape::circle(0.3).at([1.0, 0.0]));
        let pair = add(&mut world, pair);
        let out = add(&mut world, BodyDef::dynamic().at([50.0, 0.0]).shape(Shape::circle(0.3)));
        run(&mut world, 1);
        let before = world[pair].velocity();
        run(&mut world, 30);
        let gained = (world[pair].velocity() - before) / (30.0 * DT);
        check_range("gained", gained.x, expected * 0.999..=expected * 1.001);
        check_range("fallen", gained.y.abs(), ..=1.0e-3);
        check_range("outside", world[out].velocity().y / (31.0 * DT), -9.82..=-9.80);
    }
}

/// What sleeps in an area wakes when that changes or goes, and when the area moves.
#[test]
fn changes_of_areas_wake_who_is_in_them() {
    let mut world = World::default();
    let pool = sea(&mut world);
    let raft = floating(&mut world, Shape::rect(2.0, 0.5), 500.0, [0.0, 0.0], 0.0);
    run(&mut world, 900);
    assert!(!world[raft].is_awake());
    let area = world.area(pool).copied();
    world.set_area(pool, Some(Area::fluid(700.0, 10.0))).expect("a sound area");
    assert!(world[raft].is_awake());
    run(&mut world, 900);
    check_range("draught", 0.25 - world[raft].position().y, 0.99 * 0.5 / 1.4..=1.01 * 0.5 / 1.4);
    assert!(!world[raft].is_awake());
    world.set_area(pool, area).expect("a sound area");
    run(&mut world, 900);
    assert!(!world[raft].is_awake());
    let body = world.body_of(pool).expect("it is there");
    world.remove(body).expect("it is there");
    run(&mut world, 60);
    assert!(world[raft].position().y < -3.0 && world.area(pool).is_none());
    valid(&world);
}

/// What sleeps wakes when an area appears where it is, however that comes about; what sleeps
/// beside it sleeps on, and what sleeps in a sensor that is no area.
#[test]
fn areas_that_appear_wake_who_is_in_them() {
    let lift = Area::gravity([0.0, 6.0]);
    let sensor =
        |x: f32| BodyDef::fixed().at([x, 2.0]).shape(ShapeDef::from(Shape::rect(10.0, 6.0)).sensor());
    let add_lift = |world: &mut World, x: f32| {
        let body = add(world, sensor(x));
        let (shape, _) = world.shapes_of(body).next().expect("it has one");
        world.set_area(shape, Some(lift)).expect("sound numbers");
        body
    };
    type Appear<'a> = &'a dyn Fn(&mut World, BodyId);
    let ways: [(&str, Appear); 4] = [
        ("added", &|world, _| _ = add_lift(world, 0.0)),
        ("pasted", &|world, _| {
            let mut other = World::default();
            add_lift(&mut other, 0.0);
            world.paste(&Piece::from(other), [0.0, 0.0]).expect("there is room");
        }),
        ("teleported", &|world, away| world.teleport(away, [0.0, 2.0], 0.0).expect("it is there")),
        ("enabled", &|world, away| {
            world.set_enabled(away, false).expect("it is there");
            world.teleport(away, [0.0, 2.0], 0.0).expect("it is there");
            run(world, 10);
            world.set_enabled(away, true).expect("it is there");
        }),
    ];
    for (name, appear) in ways {
        let mut world = World::default();
        add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(80.0, 2.0)));
        let [inside, beside] =
            [0.0, 5.6].map(|x| add(&mut world, BodyDef::dynamic().at([x, 0.5]).shape(Shape::rect(1.0, 1.0))));
        let away = add_lift(&mut world, 200.0);
        run(&mut world, 200);
        assert!(!world[inside].is_awake() && !world[beside].is_awake());
        add(&mut world, sensor(0.0));
        run(&mut world, 10);
        assert!(!world[inside].is_awake(), "{name}: a sensor that is no area wakes nothing");
        appear(&mut world, away);
        run(&mut world, 60);
        assert!(world[inside].position().y > 2.0, "{name}: {}", world[inside].position());
        assert!(!world[beside].is_awake(), "{name}");
        valid(&world);
    }
}

/// A snapshot, a clone and a recording go on to the same bits, and a world that lost its areas
/// hashes as one that never had any.
#[test]
fn areas_are_state() {
    let mut world = World::default();
    let pool = sea(&mut world);
    let pull = Pull::Toward { point: vec2(1.0, 2.0), strength: 4.0, radius: 2.0, falloff: 1 };
    let pull = Area { gravity: Some(pull), priority: -3, ..Area::wind([1.0, 2.0], 0.1) };
    let other = zone(&mut world, [3.0, 0.0], Shape::circle(4.0), pull);
    for k in 0..20 {
        let at = [1.5 * k as f32 - 10.0, 1.0 + 0.1 * k as f32];
        floating(&mut world, Shape::regular(3 + k % 6, 0.5), 100.0 + 60.0 * k as f32, at, 0.1 * k as f32);
    }
    run(&mut world, 50);
    let mut bytes = Vec::new();
    world.save_whole_into(&mut bytes);
    let mut loaded = World::default();
    loaded.load(&bytes).expect("it was saved");
    let mut cloned = world.clone();
    assert_eq!((loaded.area(other), loaded.hash()), (Some(&pull), world.hash()));
    world.record(Recorder::default());
    for world in [&mut world, &mut loaded, &mut cloned] {
        run(world, 50);
        world.set_area(pool, None).expect("it is there");
        run(world, 20);
    }
    assert_eq!((loaded.hash(), cloned.hash()), (world.hash(), world.hash()));
    assert_eq!(world.stop_recording().expect("it was on").replay().first_divergence(), None);
    let with = world.hash();
    assert!(world.first_difference(&loaded).is_none());
    world.set_area(other, None).expect("it is there");
    assert_ne!(world.hash(), with);
    assert!(world.first_difference(&loaded).is_some());
    // No solid shape has one.
    let (solid, _) = world.shapes_of(world.bodies().last().expect("one").0).next().expect("one");
    world.set_area(solid, Some(pull)).expect_err("it is no sensor");
}

/// What 20 areas add to a step of 5,000 awake bodies that are in them: gravity, drag and wind by
/// turns. The number is printed, of the same world with and without; 0.3 ms is meant.
#[test]
fn areas_cost_little() {
    let build = |with_areas: bool| {
        let mut world = World::new(WorldDef { gravity: Vec2::ZERO, ..WorldDef::default() }.sleepless());
        for k in 0..20_u32 {
            let at = [100.0 * (k % 5) as f32, 100.0 * (k / 5) as f32];
            let body = add(
                &mut world,
                BodyDef::fixed().at(at).shape(ShapeDef::from(Shape::rect(90.0, 90.0)).sensor()),
            );
            let (id, _) = world.shapes_of(body).next().expect("it has one");
            let area = match k % 3 {
                0 => Area { drag: 0.5, ..Area::gravity([0.0, 0.1]) },
                1 => Area::planet(0.1, 10.0),
                _ => Area::wind([0.5, 0.2], 1.0),
            };
            if with_areas {
                world.set_area(id, Some(area)).expect("a sound area");
            }
            for j in 0..250_u32 {
                let at = [at[0] - 38.0 + 3.2 * (j % 25) as f32, at[1] - 38.0 + 8.0 * (j / 25) as f32];
                add(&mut world, BodyDef::dynamic().at(at).shape(Shape::circle(0.4)));
            }
        }
        run(&mut world, 3);
        world
    };
    let mut worlds = [build(false), build(true)];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds(3, 60) {
        for (world, times) in worlds.iter_mut().zip(&mut times) {
            let start = Instant::now();
            world.step(DT).expect("a step");
            times.push(start.elapsed());
        }
    }
    let [without, with] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    });
    println!("5,000 bodies in 20 sensors {without:?}, with areas {with:?}");
    assert!(cfg!(debug_assertions) || with < without + Duration::from_millis(3));
}

/// Areas that come over sleepers of one shape, two shapes and many parts: added with the area,
/// attached, enabled, teleported, pasted, one area and three. All bodies wake, and nothing panics.
/// (A body woke while the visits of its other shapes were still to be read: it had no row in that
/// step.)
#[test]
fn sleepers_wake_in_an_area_that_appears() {
    let bar = |x: f32| Shape::rect(0.4, 0.6).at([x, 0.3]);
    let outline = [[-0.5, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 0.4], [-0.5, 1.0]].map(Vec2::from);
    let sleepers: [(&str, Vec<Shape>); 4] = [
        ("one shape", vec![Shape::rect(1.0, 1.0).at([0.0, 0.5])]),
        ("two shapes", vec![bar(-0.4), bar(0.4)]),
        ("compound", vec![Shape::compound([bar(-0.4), bar(0.0), bar(0.4)])]),
        ("outline", vec![Shape::outline(&outline)]),
    ];
    let wind = Area::wind([5.0, 0.0], 2.0);
    let way = ["added", "attached", "enabled", "teleported", "set as a shape", "pasted"];
    for ((name, shapes), how) in sleepers.iter().flat_map(|one| way.iter().map(move |how| (one, *how))) {
        for count in [1, 3] {
            let mut world = World::default();
            add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(60.0, 2.0)));
            let mut ids = Vec::new();
            for x in [-2.0, 2.0] {
                let def = shapes
                    .iter()
                    .fold(BodyDef::dynamic().at([x, 0.0]), |def, shape| def.shape(shape.clone()));
                ids.push(add(&mut world, def));
            }
            run(&mut world, 180);
            assert!(ids.iter().all(|&id| !world[id].is_awake()), "{name}: they sleep");
            let sensor = || ShapeDef::from(Shape::rect(10.0, 3.0)).sensor();
            let areas: Vec<ShapeId> = (0..count).map(|_| appear(&mut world, how, sensor())).collect();
            for &id in &areas {
                world.set_area(id, Some(wind)).expect("a sound area");
            }
            if how == "pasted" {
                let around = Aabb { min: vec2(-6.0, -0.2), max: vec2(6.0, 3.0) };
                let piece = world.cut(around, Ties::Stay).expect("a box");
                run(&mut world, 5);
                ids = world.paste(&piece, around.min).expect("there is room").bodies;
                ids.retain(|&id| world[id].kind() == BodyKind::Dynamic);
            }
            run(&mut world, 30);
            for &id in &ids {
                assert!(world[id].is_awake() && world[id].velocity().x > 0.0, "{name}, {how}, {count} areas");
            }
        }
    }
}

/// A sensor that comes over the origin in one of several ways.
fn appear(world: &mut World, how: &str, sensor: ShapeDef) -> ShapeId {
    let mut def = BodyDef::fixed().at([0.0, 1.0]);
    match how {
        "attached" => {
            let body = add(world, def);
            step(world);
            return world.attach(body, sensor).expect("it breaks no rule");
        }
        "enabled" => def.enabled = false,
        "teleported" => def = def.at([0.0, 500.0]),
        _ => {}
    }
    let shape = if how == "set as a shape" { ShapeDef::from(Shape::circle(0.01)).sensor() } else { sensor };
    let body = add(world, def.shape(shape));
    step(world);
    let (id, _) = world.shapes_of(body).next().expect("it has one");
    let done = match how {
        "enabled" => world.set_enabled(body, true),
        "teleported" => world.teleport(body, [0.0, 1.0], 0.0),
        "set as a shape" => world.set_shape(id, Shape::rect(10.0, 3.0)),
        _ => Ok(()),
    };
    assert_eq!(done, Ok(()));
    id
}
