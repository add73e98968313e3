//! Sensors, filters, queries: which pairs touch, what is reported, and what is found.

use carom::prelude::*;
use carom::{Filter, PlacedShape};

use testkit::convex::Kind;
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, bits, box_on, check_range, earth, ground, run, space, step, wall};

/// What a sensor reported: (enters, exits) of `visitor` into `sensor`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Visits {
    entered: usize,
    left: usize,
}

impl Visits {
    fn read(&mut self, world: &World, sensor: BodyId, visitor: BodyId) {
        let events = world.events();
        let ours = |event: &&carom::SensorEvent| (event.sensor_body, event.visitor_body) == (sensor, visitor);
        self.entered += events.entered().iter().filter(ours).count();
        self.left += events.left().iter().filter(ours).count();
    }
}

/// A body of a kind that gravity does not pull, with one shape, sensor or not.
fn plain(kind: BodyKind, sensor: bool) -> BodyDef {
    let def = match kind {
        BodyKind::Fixed => BodyDef::fixed(),
        BodyKind::Kinematic => BodyDef::kinematic(),
        BodyKind::Dynamic => BodyDef::dynamic(),
    };
    let shape = ShapeDef::from(Shape::rect(1.0, 1.0));
    def.shape(if sensor { shape.sensor() } else { shape })
}

const KINDS: [BodyKind; 3] = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic];

/// Sensor against fixed, kinematic, dynamic and sensor bodies, the sensor itself of any kind;
/// brought together and apart by teleport, and where one of them can move, by its velocity, at 3
/// and at 300 m/s: each overlap is one enter and one exit, on both sides if both are sensors; and a
/// question while inside finds the visitor.
#[test]
fn each_overlap_is_one_enter_and_one_exit() {
    let mut wrong = Vec::new();
    for sensor_kind in KINDS {
        for visitor_kind in KINDS {
            for both in [false, true] {
                for by in ["teleport", "visitor at 3", "visitor at 300", "sensor at 3", "sensor at 300"] {
                    let moves = if by.starts_with("visitor") { visitor_kind } else { sensor_kind };
                    if by != "teleport" && moves == BodyKind::Fixed {
                        continue;
                    }
                    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
                    let sensor = add(&mut world, plain(sensor_kind, true));
                    let visitor = add(&mut world, plain(visitor_kind, both).at([-2.5, 0.3]));
                    let speed = if by.ends_with("300") { 300.0 } else { 3.0 };
                    let velocity = match by {
                        "teleport" => Ok(()),
                        _ if by.starts_with("visitor") => world.set_velocity(visitor, [speed, 0.0]),
                        _ => world.set_velocity(sensor, [-speed, 0.0]),
                    };
                    velocity.expect("it is there");
                    let (mut there, mut back) = (Visits::default(), Visits::default());
                    for number in 0..150 {
                        if by == "teleport" && number % 40 == 20 {
                            let x = if number % 80 == 20 { 0.1 } else { -2.5 };
                            world.teleport(visitor, [x, 0.3], 0.0).expect("it is there");
                        }
                        step(&mut world);
                        there.read(&world, sensor, visitor);
                        back.read(&world, visitor, sensor);
                    }
                    // By teleport: in at 20, out at 60, in at 100, out at 140.
                    let times = if by == "teleport" { 2 } else { 1 };
                    let wanted = Visits { entered: times, left: times };
                    let wanted_back = if both { wanted } else { Visits::default() };
                    if (there, back) != (wanted, wanted_back) {
                        wrong.push(format!(
                            "{sensor_kind:?} sensor, {visitor_kind:?} visitor, sensor too: {both}, {by}: {there:?} {back:?}"
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "promised one enter and one exit an overlap: {wrong:#?}");
}

/// A dynamic crate comes to rest inside of a sensor, falls asleep, is woken, and is removed: one
/// enter at the start, one exit at the end, and at any time the question who is inside names it
/// alone.
#[test]
fn a_sleeper_stays_inside() {
    let mut world = World::default();
    ground(&mut world);
    let zone = Shape::rect(4.0, 4.0);
    let sensor =
        add(&mut world, BodyDef::fixed().at([0.0, 2.5]).shape(ShapeDef::from(zone.clone()).sensor()));
    let crate_ = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
    let mut visits = Visits::default();
    for number in 0..600 {
        if number == 300 {
            assert!(!world[crate_].is_awake(), "it sleeps");
            world.wake_up(crate_).expect("it is there");
        }
        step(&mut world);
        visits.read(&world, sensor, crate_);
        assert_eq!(visits, Visits { entered: 1, left: 0 }, "step {number}");
        let mut inside = Vec::new();
        world.overlap_shape(&PlacedShape::at(&zone, [0.0, 2.5]), &QueryFilter::default(), &mut inside);
        let bodies: Vec<BodyId> = inside.iter().map(|answer| answer.body).collect();
        assert_eq!(bodies, [crate_], "step {number}");
    }
    world.remove(crate_).expect("it is there");
    step(&mut world);
    visits.read(&world, sensor, crate_);
    assert_eq!(visits, Visits { entered: 1, left: 1 });
}

/// A compound of three parts, a chain of twenty edges and a body of two shapes fall through a
/// sensor: a shape enters and leaves once, however many parts it has.
#[test]
fn a_shape_of_many_parts_enters_once() {
    let parts = Shape::compound([
        Shape::rect(0.5, 0.5),
        Shape::circle(0.2).at([0.4, 0.2]),
        Shape::rect(0.2, 0.9).at([-0.3, 0.1]),
    ]);
    let edges: Vec<Vec2> = (0..21).map(|k| vec2(0.1 * k as f32 - 1.0, 0.05 * (k % 3) as f32)).collect();
    for (name, shape) in [("compound", parts), ("chain", Shape::chain(&edges))] {
        for sensor_is_many in [false, true] {
            let mut world = earth();
            let (mut zone, mut faller) =
                (ShapeDef::from(Shape::rect(4.0, 1.0)), ShapeDef::from(shape.clone()));
            if sensor_is_many {
                faller = faller.sensor();
            } else {
                zone = zone.sensor();
            }
            if name == "chain" && !sensor_is_many {
                // Dynamic bodies have no solid chains: a kinematic one falls as fast.
                continue;
            }
            let zone = add(&mut world, BodyDef::fixed().shape(zone));
            let faller = add(&mut world, BodyDef::dynamic().at([0.0, 3.0]).spin(3.0).shape(faller));
            let mut visits = Visits::default();
            for _ in 0..120 {
                step(&mut world);
                let (sensor, visitor) = if sensor_is_many { (faller, zone) } else { (zone, faller) };
                visits.read(&world, sensor, visitor);
            }
            let wanted = Visits { entered: 1, left: 1 };
            assert_eq!(visits, wanted, "{name}, itself the sensor: {sensor_is_many}");
        }
    }
}

/// The same of solid shapes: a compound that lands on a ground of its own parts begins to touch it
/// once.
#[test]
fn a_shape_of_many_parts_begins_once() {
    let mut world = earth();
    ground(&mut world);
    let feet = Shape::compound([
        Shape::rect(0.2, 0.4).at([-0.5, 0.0]),
        Shape::rect(0.2, 0.4).at([0.5, 0.0]),
        Shape::rect(1.0, 0.2).at([0.0, 0.3]),
    ]);
    add(&mut world, BodyDef::dynamic().at([0.0, 1.0]).shape(feet));
    let (mut begun, mut ended) = (0, 0);
    for _ in 0..240 {
        step(&mut world);
        begun += world.events().begun().len();
        ended += world.events().ended().len();
    }
    assert_eq!((begun, ended), (1, 0), "both feet land at once: one touch begins");
}

/// A fast sensor is stopped by nothing, and a sensor on a falling body weighs nothing.
#[test]
fn a_sensor_stops_nothing() {
    let mut world = space();
    wall(&mut world, [0.0, 0.0], 0.5, 10.0);
    let ghost = ShapeDef::from(Shape::circle(0.2)).sensor();
    let ghost = BodyDef::dynamic().at([-5.0, 0.0]).velocity([150.0, 0.0]).shape(ghost);
    let ghost = add(&mut world, ghost);
    let mut visits = (0, 0);
    for _ in 0..10 {
        step(&mut world);
        visits = (visits.0 + world.events().entered().len(), visits.1 + world.events().left().len());
        assert!(world.events().begun().is_empty() && world.events().hits().is_empty());
    }
    assert_eq!(world[ghost].velocity(), vec2(150.0, 0.0));
    assert_eq!(visits, (1, 1));
}

/// Category and mask of 64 bits on both sides, and groups that overrule them: ten pairs of filters,
/// each tried by a ball dropped on a block, asked of `Filter::allows`, and of a ray.
#[test]
fn category_mask_and_group_decide_contacts() {
    let high = 1_u64 << 63;
    let filter = |category: u64, mask: u64, group: i32| Filter { category, mask, group };
    let cases = [
        (filter(1, u64::MAX, 0), filter(1, u64::MAX, 0), true),
        (filter(high, high, 0), filter(high, high, 0), true),
        (filter(high, u64::MAX, 0), filter(1, !high, 0), false),
        (filter(1, 2, 0), filter(2, 1, 0), true),
        (filter(1, 2, 0), filter(2, 4, 0), false),
        (filter(1, 0, 0), filter(1, u64::MAX, 0), false),
        (filter(1, 0, 5), filter(1, 0, 5), true),
        (filter(1, u64::MAX, -5), filter(1, u64::MAX, -5), false),
        (filter(1, u64::MAX, -5), filter(1, u64::MAX, -6), true),
        (filter(0, u64::MAX, 0), filter(1, u64::MAX, 0), false),
    ];
    for (number, (a, b, touch)) in cases.into_iter().enumerate() {
        assert_eq!((a.allows(&b), b.allows(&a)), (touch, touch), "case {number}");
        let mut world = World::default();
        add(&mut world, BodyDef::fixed().shape(Shape::rect(4.0, 1.0)).filter(a));
        let ball = BodyDef::dynamic().at([0.0, 2.0]).shape(Shape::circle(0.3)).filter(b);
        let ball = add(&mut world, ball);
        run(&mut world, 120);
        let held = world[ball].position().y > 0.0;
        assert_eq!(held, touch, "case {number}: the ball is at {}", world[ball].position());
    }
}

/// A filter that changes lets the ball through, or catches it, with the next step, awake or asleep.
#[test]
fn a_filter_acts_with_the_next_step() {
    for asleep in [false, true] {
        let mut world = World::default();
        let block = add(&mut world, BodyDef::fixed().shape(Shape::rect(4.0, 1.0)));
        wall(&mut world, [0.0, -20.0], 10.0, 1.0);
        let ball = add(&mut world, BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::rect(1.0, 1.0)));
        run(&mut world, if asleep { 240 } else { 20 });
        assert_eq!(world[ball].is_awake(), !asleep);
        let shape = world.shapes_of(ball).next().map(|(id, _)| id).expect("it has one");
        world.set_filter(shape, Filter { group: -1, category: 2, mask: !1 }).expect("it is there");
        step(&mut world);
        check_range("speed after one step, m/s", world[ball].velocity().y, -0.1636..=-0.1634);
        run(&mut world, 59);
        assert!(world[ball].position().y < -3.0, "it falls through: {}", world[ball].position());
        // And back: the block, put below it, catches it.
        let y = world[ball].position().y;
        world.teleport(block, [0.0, y - 2.0], 0.0).expect("it is there");
        world.set_filter(shape, Filter::default()).expect("it is there");
        run(&mut world, 60);
        check_range("caught, above the block, m", world[ball].position().y - (y - 2.0), 0.99..=1.01);
    }
}

/// What a ray says at its limits: start inside, on the border, no length, an end exactly on a face,
/// along a face, along a segment and across its end.
#[test]
fn rays_at_their_limits_are_defined() {
    let mut world = World::default();
    let block = wall(&mut world, [0.0, 0.0], 2.0, 2.0);
    let line =
        add(&mut world, BodyDef::fixed().at([10.0, 0.0]).shape(Shape::segment([-1.0, 0.0], [1.0, 0.0])));
    let all = QueryFilter::default();
    let ask = |from: [f32; 2], to: [f32; 2]| {
        world.ray(WorldRay::between(from, to), &all).map(|hit| (hit.body, hit.fraction, hit.normal))
    };
    let inside = Some((block, 0.0, Vec2::ZERO));
    assert_eq!(ask([0.5, 0.5], [5.0, 0.5]), inside, "starts inside");
    assert_eq!(ask([0.5, 0.5], [0.6, 0.5]), inside, "lies inside");
    assert_eq!(ask([0.5, 0.5], [0.5, 0.5]), inside, "no length, inside");
    assert_eq!(ask([1.0, 0.5], [1.0, 0.5]), inside, "no length, on the border");
    assert_eq!(ask([3.0, 0.5], [3.0, 0.5]), None, "no length, outside");
    assert_eq!(ask([1.0, 0.5], [-3.0, 0.5]), inside, "from the border inward");
    assert_eq!(ask([1.0, 0.5], [3.0, 0.5]), inside, "from the border outward: it touches where it starts");
    assert_eq!(ask([3.0, 0.5], [1.0, 0.5]), Some((block, 1.0, Vec2::X)), "ends exactly on the face");
    assert_eq!(ask([3.0, 0.5], [1.001, 0.5]), None, "ends just before the face");
    let along = ask([-3.0, 1.0], [3.0, 1.0]).expect("along the border: touching counts");
    assert_eq!(along.0, block);
    assert!((along.1 - 1.0 / 3.0).abs() < 1e-5, "{along:?}");
    assert_eq!(ask([-3.0, 1.001], [3.0, 1.001]), None, "just above the border");
    // A segment: met at its near end, from within at once, beside it not at all.
    let collinear = ask([5.0, 0.0], [15.0, 0.0]).expect("collinear with the segment");
    assert_eq!(collinear.0, line);
    assert!((collinear.1 - 0.4).abs() < 1e-5, "{collinear:?}");
    assert_eq!(ask([10.0, 0.0], [15.0, 0.0]).map(|hit| (hit.0, hit.1)), Some((line, 0.0)), "starts on it");
    assert_eq!(ask([10.0, 1.0], [10.0, 0.0]).map(|hit| (hit.0, hit.1)), Some((line, 1.0)), "ends on it");
    assert_eq!(ask([11.0, 1.0], [11.0, -1.0]).map(|hit| (hit.0, hit.1)), Some((line, 0.5)), "across its end");
    assert_eq!(ask([5.0, 0.001], [15.0, 0.001]), None, "parallel beside it");
    for bad in [[f32::NAN, 0.0], [f32::INFINITY, 0.0]] {
        assert_eq!(ask(bad, [0.0, 0.0]), None, "a place that is none");
        assert_eq!(ask([0.0, 5.0], bad), None, "a way that is none");
    }
}

/// After removal, disabling or detaching nothing is found at once, before any step; after moving it
/// is found where it is now.
#[test]
fn nothing_returns_a_removed_body() {
    type Change = fn(&mut World, BodyId) -> Result<(), Error>;
    let changes: [(&str, Change); 3] = [
        ("removed", |world, id| world.remove(id)),
        ("disabled", |world, id| world.set_enabled(id, false)),
        ("detached", |world, id| {
            let shape = world.shapes_of(id).next().map(|(shape, _)| shape).expect("it has one");
            world.detach(shape)
        }),
    ];
    for (name, change) in changes {
        for stepped in [false, true] {
            let mut world = World::default();
            let kinds = [BodyDef::fixed(), BodyDef::kinematic(), BodyDef::dynamic()];
            let ids: Vec<BodyId> = kinds
                .into_iter()
                .enumerate()
                .map(|(k, def)| add(&mut world, def.at([3.0 * k as f32, 0.0]).shape(Shape::circle(1.0))))
                .collect();
            if stepped {
                run(&mut world, 3);
            }
            ids.iter().for_each(|&id| change(&mut world, id).expect("it is there"));
            assert_eq!(everything(&world), 0, "{name}, stepped: {stepped}");
        }
    }
    let mut world = World::default();
    let block = wall(&mut world, [0.0, 0.0], 2.0, 2.0);
    world.teleport(block, [100.0, 100.0], 0.0).expect("it is there");
    let ray = WorldRay::between([-5.0, 0.0], [5.0, 0.0]);
    assert!(world.ray(ray, &QueryFilter::default()).is_none(), "it is not where it was");
    let ray = WorldRay::between([95.0, 100.0], [105.0, 100.0]);
    assert_eq!(world.ray(ray, &QueryFilter::default()).map(|hit| hit.body), Some(block), "but where it is");
}

/// How many answers every kind of question has, about all of a small world.
fn everything(world: &World) -> usize {
    let all = QueryFilter::default().with_sensors();
    let (mut rays, mut casts, mut overlaps, mut points, mut boxes, mut near) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let square = Shape::rect(40.0, 40.0);
    world.ray_all(WorldRay::between([-20.0, 0.0], [20.0, 0.0]), &all, &mut rays);
    world.cast_all(&ShapeCast::new(&Shape::circle(1.0), [-20.0, 0.0], [40.0, 0.0]), &all, &mut casts);
    world.overlap_shape(&PlacedShape::at(&square, [0.0, 0.0]), &all, &mut overlaps);
    world.overlap_point([0.0, 0.0], &all, &mut points);
    let aabb = Aabb { min: Vec2::splat(-20.0), max: Vec2::splat(20.0) };
    world.overlap_aabb(aabb, &all, &mut boxes);
    world.nearest_few([0.0, 0.0], 100.0, 10, &all, &mut near);
    rays.len() + casts.len() + overlaps.len() + points.len() + boxes.len() + near.len()
}

/// 60 bodies of every kind in a square of 40 m, some of them sensors, some fixed.
fn crowd(random: &mut Random) -> World {
    let mut world = World::default();
    for _ in 0..60 {
        let (shape, _) = Kind::ALL[random.below(Kind::ALL.len())].sample(random);
        let def = if random.below(2) == 0 { BodyDef::fixed() } else { BodyDef::dynamic() };
        add(&mut world, def.at(random.vec2(20.0)).angle(random.angle()).shape(shape));
    }
    world
}

/// Bodies with their forms and places.
fn forms(world: &World) -> Vec<(BodyId, Shape, Transform)> {
    let form = |(id, body): (BodyId, &carom::Body)| {
        let shape = world.shapes_of(id).next().map(|(_, collider)| collider.shape().clone());
        (id, shape.expect("it has one"), body.transform())
    };
    world.bodies().map(form).collect()
}

/// Every question (point, box, shape, ray, cast, nearest) equals brute force over all shapes: 10^6
/// random cases.
///
/// Which of two shapes answers first may differ where both answer within 1e-4 of each other, and
/// whether one that is touched to 1e-4 counts.
#[test]
fn questions_equal_brute_force() {
    let mut random = Random::new(61);
    let all = QueryFilter::default();
    let (worlds, cases) = (rounds(2, 50), rounds(100, 3_400));
    let mut wrong: Vec<String> = Vec::new();
    for _ in 0..worlds {
        let mut world = crowd(&mut random);
        if random.below(2) == 0 {
            run(&mut world, 3);
        }
        world.prepare_queries();
        let forms = forms(&world);
        let place = |id: BodyId| forms.iter().find(|form| form.0 == id).expect("it is there");
        for _ in 0..cases {
            let (from, way) = (random.vec2(24.0), random.vec2(30.0));
            // Points.
            let mut found = Vec::new();
            world.overlap_point(from, &all, &mut found);
            for (id, shape, at) in &forms {
                let is_in = contains(shape, *at, from);
                let named = found.iter().any(|answer| answer.body == *id);
                if is_in != named && closest_point(shape, *at, from).distance.abs() > 1e-4 {
                    wrong.push(format!("point {from} in {id}: {is_in}, named {named}"));
                }
            }
            // The nearest.
            let nearest = world.nearest(from, 100.0, &all);
            let distances =
                forms.iter().map(|(id, shape, at)| (closest_point(shape, *at, from).distance, *id));
            let least = distances
                .fold((f32::INFINITY, None), |best, (d, id)| if d < best.0 { (d, Some(id)) } else { best });
            let named = nearest.map_or(f32::INFINITY, |answer| answer.distance);
            if (named - least.0).abs() > 1e-3 {
                wrong.push(format!("nearest to {from}: {least:?}, named {nearest:?}"));
            }
            // Rays.
            let hit = world.ray(WorldRay::new(from, way), &all);
            let rays = forms.iter().map(|(id, shape, at)| {
                (ray(shape, *at, Ray { from, translation: way }).map_or(2.0, |hit| hit.fraction), *id)
            });
            let first = rays.fold((2.0, None), |best, (t, id)| if t < best.0 { (t, Some(id)) } else { best });
            let named = hit.map_or(2.0, |hit| hit.fraction);
            // A ray that grazes a corner may meet it or not.
            if (named - first.0).abs() > 1e-4 && !grazes(&forms, from, way) {
                wrong.push(format!("ray {from} + {way}: {first:?}, named {hit:?}"));
            }
            // Boxes.
            let half = random.vec2(3.0).abs() + 0.01;
            world.overlap_aabb(Aabb { min: from - half, max: from + half }, &all, &mut found);
            let boxed = Shape::rect(2.0 * half.x, 2.0 * half.y);
            for (id, shape, at) in &forms {
                let is_in = overlaps(shape, *at, &boxed, Transform::at(from));
                let named = found.iter().any(|answer| answer.body == *id);
                if is_in != named && distance(shape, *at, &boxed, Transform::at(from)).separation.abs() > 1e-3
                {
                    wrong.push(format!("box of {half} around {from} and {id}: {is_in}, named {named}"));
                }
            }
            // Shapes.
            let (probe, _) = Kind::ALL[random.below(Kind::ALL.len())].sample(&mut random);
            let angle = random.angle();
            world.overlap_shape(&PlacedShape::at(&probe, from).angle(angle), &all, &mut found);
            let at_probe = Transform::new(from, angle);
            for (id, shape, at) in &forms {
                let is_in = overlaps(shape, *at, &probe, at_probe);
                let named = found.iter().any(|answer| answer.body == *id);
                if is_in != named && distance(shape, *at, &probe, at_probe).separation.abs() > 1e-3 {
                    wrong.push(format!("{probe:?} at {at_probe:?} and {id}: {is_in}, named {named}"));
                }
            }
            // Casts: a tenth of the others, as brute force is slow.
            if random.below(4) == 0 {
                let turn = if random.below(2) == 0 { 0.0 } else { random.range(-1.0, 1.0) as f32 };
                let question = ShapeCast::new(&probe, from, way).angle(angle).turning(turn);
                let hit = world.cast(&question, &all);
                let motion = Motion::straight(at_probe, way).turning(turn);
                let casts = forms.iter().map(|(id, shape, at)| {
                    (cast(shape, Motion::still(*at), &probe, motion).map_or(2.0, |hit| hit.time), *id)
                });
                let first =
                    casts.fold((2.0, None), |best, (t, id)| if t < best.0 { (t, Some(id)) } else { best });
                let named = hit.map_or(2.0, |hit| hit.time);
                if (named - first.0).abs() > 1e-3 {
                    // Those that graze: nearly touch on the way without crossing.
                    let id = first.1.or(hit.map(|hit| hit.body));
                    let grazed = id.is_some_and(|id| {
                        let (_, shape, at) = place(id);
                        let at_time = motion.at(if named < first.0 { named } else { first.0 });
                        let deepest = least_separation(shape, *at, &probe, motion);
                        deepest > -1e-3 || distance(shape, *at, &probe, at_time).separation > 1e-2
                    });
                    if !grazed {
                        wrong.push(format!("cast of {probe:?}, {motion:?}: {first:?}, named {hit:?}"));
                    }
                }
            }
        }
    }
    println!("{:#?}", &wrong[..wrong.len().min(10)]);
    check_range(&format!("wrong answers, of {} cases", worlds * cases * 6), wrong.len() as f64, ..=0.0);
}

/// Least separation of two shapes at 200 moments of a motion.
fn least_separation(shape: &Shape, at: Transform, probe: &Shape, motion: Motion) -> f32 {
    (0..=200)
        .map(|k| distance(shape, at, probe, motion.at(k as f32 / 200.0)).separation)
        .fold(f32::INFINITY, |least, x| if x < least { x } else { least })
}

/// Whether a ray passes within 1e-3 of any shape's corner or border without crossing it well:
/// sampled.
fn grazes(forms: &[(BodyId, Shape, Transform)], from: Vec2, way: Vec2) -> bool {
    forms.iter().any(|(_, shape, at)| {
        let met = |side: f32| {
            let shift = way.perp().normalize_or_zero() * side;
            ray(shape, *at, Ray { from: from + shift, translation: way }).map(|hit| hit.fraction)
        };
        match (met(-1e-3), met(0.0), met(1e-3)) {
            (Some(a), Some(b), Some(c)) => (a - b).abs() > 0.01 || (b - c).abs() > 0.01,
            (None, None, None) => false,
            _ => true,
        }
    })
}

/// A question changes nothing: a world that is asked ten thousand things goes on to the same bits
/// as one that is not.
#[test]
fn questions_change_nothing() {
    let mut random = Random::new(62);
    let mut asked = crowd(&mut random);
    ground(&mut asked);
    let mut other = asked.clone();
    for _ in 0..50 {
        step(&mut asked);
        step(&mut other);
        for _ in 0..rounds(5, 40) {
            everything(&asked);
        }
        asked.prepare_queries();
        assert!(bits(&asked) == bits(&other));
    }
}
