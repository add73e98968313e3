//! Questions to the world, held to brute force: the same question to every shape, one by one.
//!
//! In: seeded worlds of all kinds of shapes and bodies, stepped and changed, with sensors and
//! filters. Out: the same answers to the bit, in the same order, at any distance from the origin,
//! one by one or in batches.

use carom::broadphase::WorldAabb;
use carom::prelude::*;
use carom::{
    Answers, Body, CastAnswer, Collider, Filter, IVec2, NearestAnswer, OverlapAnswer, PlacedShape, RayAnswer,
};
use core::cmp::Ordering;
use testkit::convex::Kind;
use testkit::random::Random;
use testkit::rounds;

const DT: f32 = 1.0 / 60.0;
const REACH: f64 = 25.0;
const HERE: IVec2 = IVec2::new(3, -2);
const AFAR: IVec2 = IVec2::new(1_000_003, -1_000_002);

/// Half a region off the centre, so that the scene lies across a border.
fn place(region: IVec2, random: &mut Random) -> WorldPoint {
    WorldPoint::new(region, vec2(505.0, -3.0)).offset(random.vec2(REACH))
}

fn any_shape(random: &mut Random) -> Shape {
    let ring = |random: &mut Random, count: usize| -> Vec<Vec2> {
        let angle = |k: usize| k as f64 / count as f64 * core::f64::consts::TAU;
        (0..count)
            .map(|k| {
                let (sin, cos) = angle(k).sin_cos();
                let r = random.range(1.0, 3.0);
                vec2((cos * r) as f32, (sin * r) as f32)
            })
            .collect()
    };
    let shape = match random.below(14) {
        0 => Shape::compound((0..4).map(|_| {
            let kind = Kind::ALL[random.below(Kind::ALL.len())];
            kind.sample(random).0.transformed(random.transform(2.0))
        })),
        1 => {
            let points: Vec<Vec2> = (0..12).map(|k| vec2(k as f32 - 6.0, random.unit() as f32)).collect();
            Shape::chain(&points)
        }
        2 => Shape::closed_chain(&ring(random, 9)),
        3 => Shape::polar(&ring(random, 7)),
        _ => Kind::ALL[random.below(Kind::ALL.len())].sample(random).0,
    };
    if shape.check().is_ok() { shape } else { Shape::circle(0.7) }
}

/// About a hundred shapes, some of them changed in every way since the last step.
fn scene(seed: u64, region: IVec2) -> World {
    let mut random = Random::new(seed);
    let mut world = World::new(WorldDef::default());
    let mut ids = Vec::new();
    for k in 0..70 {
        let mut def = match random.below(3) {
            0 => BodyDef::fixed(),
            1 => BodyDef::kinematic(),
            _ => BodyDef::dynamic(),
        };
        def = def.at(place(region, &mut random)).angle(random.angle()).velocity(random.vec2(5.0));
        for _ in 0..1 + random.below(2) {
            let filter = Filter { category: 1 << random.below(4), mask: random.bits(), group: 0 };
            let mut shape = ShapeDef::from(any_shape(&mut random)).filter(filter);
            shape.sensor = random.below(8) == 0;
            // Dynamic bodies have no solid chains.
            shape.sensor |= def.kind == BodyKind::Dynamic && matches!(shape.shape, Shape::Chain(_));
            def = def.shape(shape);
        }
        def.enabled = random.below(10) != 0;
        if k == 0 && random.below(4) == 0 {
            def = BodyDef::fixed().at(def.position).angle(def.angle);
            def = def.shape(Shape::half_plane([0.0, 0.0], [0.0, 1.0]));
        }
        ids.push(world.add(def).expect("a valid body"));
    }
    for _ in 0..random.below(3) {
        world.step(DT).expect("a valid change");
    }
    for &id in &ids {
        let at = place(region, &mut random);
        match random.below(16) {
            0 => world.remove(id).expect("a valid change"),
            1 => world.set_enabled(id, false).expect("a valid change"),
            2 => world.set_enabled(id, true).expect("a valid change"),
            3 => world.teleport(id, at, random.angle()).expect("a valid change"),
            4 => world.set_velocity(id, random.vec2(50.0)).expect("a valid change"),
            5 => is_done(world.attach(id, any_shape(&mut random)).map(|_| ())),
            6 => {
                let first = world.shapes_of(id).next().expect("it has a shape").0;
                is_done(world.set_shape(first, any_shape(&mut random)));
            }
            7 => {
                let first = world.shapes_of(id).next().expect("it has a shape").0;
                world.detach(first).expect("a valid change");
            }
            8 => {
                let def = BodyDef::dynamic().at(at).shape(any_shape(&mut random));
                is_done(world.add(def).map(|_| ()));
            }
            _ => {}
        }
    }
    if random.below(2) == 0 {
        world.prepare_queries();
    }
    world
}

/// Any change is valid, but for a solid chain on a dynamic body.
fn is_done(change: Result<(), Error>) {
    assert!(matches!(change, Ok(()) | Err(Error::DynamicChain)), "a valid change: {change:?}");
}

fn any_filter(world: &World, random: &mut Random) -> QueryFilter<'static> {
    let mut filter = QueryFilter::default();
    if random.below(2) == 0 {
        return filter;
    }
    filter.sensors = random.below(2) == 0;
    if random.below(2) == 0 {
        filter.mask = 1 << random.below(4) | 1 << random.below(4);
    }
    if random.below(4) == 0 {
        filter.category = random.bits();
    }
    if random.below(4) == 0 {
        let kinds = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic];
        filter = filter.kinds(&kinds[random.below(3)..]);
    }
    filter.hollow = random.below(4) == 0;
    if random.below(2) == 0 {
        filter.without = world.bodies().map(|(id, _)| id).nth(random.below(60));
    }
    if random.below(4) == 0 {
        filter.predicate = Some(&|id: ShapeId| !id.index().is_multiple_of(3));
    }
    filter
}

/// Every shape that may answer, with its place as seen from `origin`.
fn shapes_for<'w>(
    world: &'w World,
    filter: &'w QueryFilter,
    origin: WorldPoint,
) -> impl Iterator<Item = (ShapeId, BodyId, &'w Collider, Transform)> {
    let admits = |id: ShapeId, collider: &Collider, body: BodyId| {
        let Filter { category, mask, .. } = collider.filter();
        (filter.sensors || !collider.is_sensor())
            && (filter.category == u64::MAX || filter.category & mask != 0)
            && (filter.mask == u64::MAX || filter.mask & category != 0)
            && filter.without != Some(body)
            && match world[body].kind() {
                BodyKind::Fixed => filter.kinds.fixed,
                BodyKind::Kinematic => filter.kinds.kinematic,
                BodyKind::Dynamic => filter.kinds.dynamic,
            }
            && filter.predicate.is_none_or(|predicate| predicate(id))
    };
    let at = move |body: &Body| Transform {
        position: origin.to(body.world_center()) - body.rotation() * body.local_center(),
        rotation: body.rotation(),
    };
    world.bodies().filter(|(_, body)| body.is_enabled()).flat_map(move |(id, body)| {
        let shapes = world.shapes_of(id).filter(move |&(shape, collider)| admits(shape, collider, id));
        shapes.map(move |(shape, collider)| (shape, id, collider, at(body)))
    })
}

/// The parts of a shape, as shapes; a polar one is taken whole.
///
/// A ray is held to the parts: at the tip of a needle within a compound, the box around it and the
/// needle itself round to different sides.
fn parts_of(shape: &Shape) -> Vec<Shape> {
    match shape {
        Shape::Compound(compound) => compound.parts().to_vec(),
        Shape::Chain(chain) => {
            let ends = chain.segments().iter().map(|segment| segment.segment().ends());
            ends.map(|[a, b]| Shape::segment(a, b)).collect()
        }
        one => vec![one.clone()],
    }
}

fn is_one(shape: &Shape) -> bool {
    !matches!(shape, Shape::Compound(_) | Shape::Chain(_) | Shape::Polar(_))
}

/// By number, then by shape.
fn by_rank(a: (f32, ShapeId), b: (f32, ShapeId)) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

fn any_ray(region: IVec2, random: &mut Random) -> WorldRay {
    let from = place(region, random);
    match random.below(8) {
        0 => WorldRay::new(from, Vec2::ZERO),
        1 => WorldRay::new(from, vec2(random.range(-60.0, 60.0) as f32, 0.0)),
        2 => WorldRay::new(from, vec2(0.0, random.range(-60.0, 60.0) as f32)),
        3 => WorldRay::new(from, random.vec2(1.0)),
        _ => WorldRay::between(from, place(region, random)),
    }
}

fn check_ray(world: &World, ask: WorldRay, filter: &QueryFilter, out: &mut Vec<RayAnswer>) {
    let local = Ray { from: Vec2::ZERO, translation: ask.translation };
    let mut expected: Vec<RayAnswer> = Vec::new();
    for (shape, body, collider, at) in shapes_for(world, filter, ask.from) {
        let answer = |(part, shape_of_part): (usize, &Shape)| {
            let hit = ray(shape_of_part, at, local)?;
            let (fraction, normal, part) = (hit.fraction, hit.normal, part as u32);
            Some(RayAnswer { shape, body, part, fraction, point: ask.at(fraction), normal })
        };
        let hits = parts_of(collider.shape()).iter().enumerate().filter_map(answer).collect::<Vec<_>>();
        if filter.hollow && hits.iter().any(|hit| hit.normal == Vec2::ZERO) {
            continue;
        }
        expected.extend(hits.into_iter().min_by(|a, b| a.fraction.total_cmp(&b.fraction)));
    }
    expected.sort_by(|a, b| by_rank((a.fraction, a.shape), (b.fraction, b.shape)));
    world.ray_all(ask, filter, out);
    assert_eq!(out.len(), expected.len(), "{ask:?} {filter:?}");
    for (found, expected) in out.iter().zip(&mut expected) {
        if matches!(world[found.shape].shape(), Shape::Polar(_)) {
            (expected.part, expected.normal) = (found.part, found.normal);
        }
        assert_eq!(found, expected, "{ask:?}");
    }
    assert_eq!(world.ray(ask, filter), out.first().copied());
    assert_eq!(world.ray_any(ask, filter), !out.is_empty());
}

fn any_cast<'s>(shape: &'s Shape, region: IVec2, random: &mut Random) -> ShapeCast<'s> {
    let WorldRay { from, translation } = any_ray(region, random);
    let cast = ShapeCast::new(shape, from, translation).angle(random.angle());
    if random.below(2) == 0 { cast } else { cast.turning(random.range(-7.0, 7.0) as f32) }
}

fn check_cast(world: &World, ask: &ShapeCast, filter: &QueryFilter, out: &mut Vec<CastAnswer>) {
    let own = Motion {
        start: Transform { position: Vec2::ZERO, rotation: ask.start.rotation },
        translation: ask.translation,
        turn: ask.turn,
    };
    let mut expected = Vec::new();
    for (shape, body, collider, at) in shapes_for(world, filter, ask.start.position) {
        if let Some(hit) = cast(ask.start.shape, own, collider.shape(), Motion::still(at))
            && !(filter.hollow && hit.time <= 0.0)
        {
            expected.push((hit, shape, body));
        }
    }
    expected.sort_by(|a, b| by_rank((a.0.time, a.1), (b.0.time, b.1)));
    world.cast_all(ask, filter, out);
    assert_eq!(out.len(), expected.len(), "{ask:?} {filter:?}\n{out:?}\n{expected:?}");
    for (found, (hit, shape, body)) in out.iter().zip(&expected) {
        assert_eq!((found.time, found.shape, found.body), (hit.time, *shape, *body), "{ask:?}");
        if is_one(ask.start.shape) && is_one(world[*shape].shape()) {
            assert_eq!((found.point, found.normal), (ask.start.position.offset(hit.point), -hit.normal));
        }
    }
    assert_eq!(world.cast(ask, filter), out.first().copied(), "{ask:?}");
}

fn check_shape(world: &World, ask: &PlacedShape, filter: &QueryFilter, out: &mut Vec<OverlapAnswer>) {
    let own = Transform { position: Vec2::ZERO, rotation: ask.rotation };
    let mut expected: Vec<_> = shapes_for(world, filter, ask.position)
        .filter(|(_, _, collider, at)| overlaps(ask.shape, own, collider.shape(), *at))
        .map(|(shape, body, ..)| (shape, body))
        .collect();
    expected.sort();
    world.overlap_shape(ask, filter, out);
    let found: Vec<_> = out.iter().map(|found| (found.shape, found.body)).collect();
    assert_eq!(found, expected, "{ask:?} {filter:?}");
}

fn check_aabb(world: &World, ask: &WorldAabb, filter: &QueryFilter, out: &mut Vec<OverlapAnswer>) {
    let size = ask.aabb.size();
    let shape = Shape::rect(size.x, size.y);
    let at = WorldPoint::new(ask.region, ask.aabb.center());
    let mut expected: Vec<_> = shapes_for(world, filter, at)
        .filter(|(_, _, collider, place)| overlaps(&shape, Transform::IDENTITY, collider.shape(), *place))
        .map(|(shape, body, ..)| (shape, body))
        .collect();
    expected.sort();
    world.overlap_aabb(*ask, filter, out);
    let found: Vec<_> = out.iter().map(|found| (found.shape, found.body)).collect();
    assert_eq!(found, expected, "{ask:?} {filter:?}");
}

fn check_point(world: &World, ask: WorldPoint, filter: &QueryFilter, out: &mut Vec<OverlapAnswer>) {
    let mut expected: Vec<_> = shapes_for(world, filter, ask)
        .filter(|(_, _, collider, at)| contains(collider.shape(), *at, Vec2::ZERO))
        .map(|(shape, body, ..)| (shape, body))
        .collect();
    expected.sort();
    world.overlap_point(ask, filter, out);
    let found: Vec<_> = out.iter().map(|found| (found.shape, found.body)).collect();
    assert_eq!(found, expected, "{ask:?} {filter:?}");
}

fn check_nearest(
    world: &World,
    ask: WorldPoint,
    most: f32,
    filter: &QueryFilter,
    out: &mut Vec<NearestAnswer>,
) {
    let mut expected = Vec::new();
    for (shape, body, collider, at) in shapes_for(world, filter, ask) {
        let closest = closest_point(collider.shape(), at, Vec2::ZERO);
        if closest.distance <= most {
            expected.push((closest, shape, body));
        }
    }
    expected.sort_by(|a, b| by_rank((a.0.distance, a.1), (b.0.distance, b.1)));
    for count in [1, 4, 1000] {
        world.nearest_few(ask, most, count, filter, out);
        assert_eq!(out.len(), expected.len().min(count), "{ask:?} {most} {filter:?}");
        for (found, (closest, shape, body)) in out.iter().zip(&expected) {
            let distance = closest.distance;
            assert_eq!((found.distance, found.shape, found.body), (distance, *shape, *body), "{ask:?}");
            assert!((ask.to(found.point).length() - distance.abs()).abs() < 1.0e-3);
        }
    }
    assert_eq!(world.nearest(ask, most, filter), out.first().copied());
}

/// How many questions of each kind a world is asked, and how many worlds: 300,000
/// questions in release.
const WORLDS: usize = rounds(12, 150);
const QUESTIONS: usize = rounds(20, 400);

#[test]
fn rays_equal_brute_force() {
    let mut out = Vec::new();
    for seed in 0..WORLDS as u64 {
        let (world, mut random) = (scene(seed, HERE), Random::new(seed ^ 0xabc));
        for _ in 0..2 * QUESTIONS {
            let (ask, filter) = (any_ray(HERE, &mut random), any_filter(&world, &mut random));
            check_ray(&world, ask, &filter, &mut out);
        }
    }
}

/// Between changes a world is asked so often that it makes itself trees for questions: answers are
/// those of the world as it is.
#[test]
fn answers_follow_every_change() {
    let (mut rays, mut nearest, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..WORLDS as u64 / 4 {
        let (mut world, mut random) = (scene(seed, HERE), Random::new(seed ^ 0x777));
        for _ in 0..12 {
            let bodies: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
            let (id, at) = (bodies[random.below(bodies.len())], place(HERE, &mut random));
            match random.below(7) {
                0 => world.remove(id).expect("a valid change"),
                1 => is_done(world.add(BodyDef::fixed().at(at).shape(any_shape(&mut random))).map(|_| ())),
                2 => is_done(world.attach(id, any_shape(&mut random)).map(|_| ())),
                3 => world.set_enabled(id, random.below(2) == 0).expect("a valid change"),
                4 => _ = world.step(DT),
                5 => world.clone_from(&scene(seed + 1, HERE)),
                _ => world.teleport(id, at, random.angle()).expect("a valid change"),
            }
            let filter = QueryFilter::default();
            for _ in 0..40 {
                check_ray(&world, any_ray(HERE, &mut random), &filter, &mut rays);
                check_nearest(&world, place(HERE, &mut random), 9.0, &filter, &mut nearest);
                check_point(&world, place(HERE, &mut random), &filter, &mut found);
            }
        }
    }
}

#[test]
fn casts_equal_brute_force() {
    let mut out = Vec::new();
    for seed in 0..WORLDS as u64 {
        let (world, mut random) = (scene(seed, HERE), Random::new(seed ^ 0xdef));
        for _ in 0..QUESTIONS / 2 {
            let shape = any_shape(&mut random);
            let ask = any_cast(&shape, HERE, &mut random);
            check_cast(&world, &ask, &any_filter(&world, &mut random), &mut out);
        }
    }
}

/// What stops at a distance stops there: at the time of the answer the two shapes are that far
/// apart, to a thousandth of their sizes, and nowhere nearer before; what has no answer never comes
/// so near.
#[test]
fn casts_stop_at_their_distance() {
    let (mut stopped, mut missed) = (0, 0);
    // A fifth of the worlds: each cast is looked at in nine places, by brute force.
    let worlds = WORLDS / 5;
    for seed in 0..worlds as u64 {
        let (world, mut random) = (scene(seed, HERE), Random::new(seed ^ 0x5109));
        for _ in 0..QUESTIONS {
            let shape = any_shape(&mut random);
            let ask = any_cast(&shape, HERE, &mut random);
            let gap = random.range(0.05, 2.0) as f32;
            let ask = ask.stopping_at(gap);
            let filter = any_filter(&world, &mut random);
            let answer = world.cast(&ask, &filter);
            let from = ask.start.position;
            let nearest = |time: f32| {
                let placed = ask.at(time);
                let own = Transform { position: from.to(placed.position), rotation: placed.rotation };
                let all = shapes_for(&world, &filter, from);
                let all = all.filter(|(.., collider, at)| {
                    let start = Transform { position: Vec2::ZERO, rotation: ask.start.rotation };
                    let apart = distance(&shape, start, collider.shape(), *at);
                    !filter.hollow || apart.separation > gap + 0.01
                });
                all.map(|(.., collider, at)| distance(&shape, own, collider.shape(), at).separation)
                    .fold(f32::INFINITY, testkit::smaller)
            };
            let end = answer.map_or(1.0, |answer| answer.time);
            for share in 0..if end > 0.0 { 8 } else { 0 } {
                let apart = nearest(end * share as f32 / 8.0);
                assert!(apart > gap - 0.01, "{seed}: {apart}, {gap} {ask:?}");
            }
            match answer {
                Some(answer) if answer.time > 0.0 => {
                    let apart = nearest(answer.time);
                    assert!(filter.hollow || (apart - gap).abs() < 0.01, "{seed}: {apart}, {gap} {ask:?}");
                    stopped += 1;
                }
                _ => missed += 1,
            }
        }
    }
    assert!(stopped > worlds && missed > worlds, "{stopped} {missed}");
}

#[test]
fn overlaps_equal_brute_force() {
    let mut out = Vec::new();
    for seed in 0..WORLDS as u64 {
        let (world, mut random) = (scene(seed, HERE), Random::new(seed ^ 0x123));
        for _ in 0..QUESTIONS {
            let filter = any_filter(&world, &mut random);
            let (shape, at) = (any_shape(&mut random), place(HERE, &mut random));
            check_shape(&world, &PlacedShape::at(&shape, at).angle(random.angle()), &filter, &mut out);
            let size =
                Vec2::new(random.log_range(1.0e-3, 30.0) as f32, random.log_range(1.0e-3, 30.0) as f32);
            let aabb = Aabb { min: at.local, max: at.local + size };
            check_aabb(&world, &WorldAabb { region: at.region, aabb }, &filter, &mut out);
            check_point(&world, place(HERE, &mut random), &filter, &mut out);
        }
    }
}

#[test]
fn nearest_equals_brute_force() {
    let mut out = Vec::new();
    for seed in 0..WORLDS as u64 {
        let (world, mut random) = (scene(seed, HERE), Random::new(seed ^ 0x456));
        for _ in 0..QUESTIONS / 2 {
            let filter = any_filter(&world, &mut random);
            let most = [f32::INFINITY, 1.0, 5.0, 0.0][random.below(4)];
            check_nearest(&world, place(HERE, &mut random), most, &filter, &mut out);
        }
    }
}

/// Everything a world answers to one set of questions, with points as seen from `region`.
fn everything(seed: u64, region: IVec2) -> Vec<u64> {
    let mut world = scene(seed, region);
    let mut random = Random::new(seed);
    let filter = QueryFilter::default();
    let base = WorldPoint::new(region, Vec2::ZERO);
    let mut bits: Vec<u64> = Vec::new();
    let mut put = |shape: ShapeId, part: u32, number: f32, point: WorldPoint, normal: Vec2| {
        let seen = WorldPoint::new(point.region - base.region, point.local);
        let [x, y] = seen.local.to_array().map(f32::to_bits).map(u64::from);
        let [nx, ny] = normal.to_array().map(f32::to_bits).map(u64::from);
        bits.extend([shape.index() as u64, u64::from(part), u64::from(number.to_bits()), x, y, nx, ny]);
        bits.extend([seen.region.x as u64, seen.region.y as u64]);
    };
    let rays: Vec<_> = (0..200).map(|_| any_ray(region, &mut random)).collect();
    let mut hits = Answers::default();
    world.rays_all(&rays, &filter, &mut hits);
    hits.all().iter().for_each(|hit| put(hit.shape, hit.part, hit.fraction, hit.point, hit.normal));
    let shapes: Vec<_> = (0..100).map(|_| any_shape(&mut random)).collect();
    let casts: Vec<_> = shapes.iter().map(|shape| any_cast(shape, region, &mut random)).collect();
    let mut touched = Answers::default();
    world.casts_all(&casts, &filter, &mut touched);
    touched.all().iter().for_each(|hit| put(hit.shape, hit.part, hit.time, hit.point, hit.normal));
    let points: Vec<_> = (0..100).map(|_| place(region, &mut random)).collect();
    let mut near = Answers::default();
    world.nearest_few_to_points(&points, 9.0, 5, &filter, &mut near);
    near.all()
        .iter()
        .for_each(|found| put(found.shape, found.part, found.distance, found.point, found.normal));
    let boxes = points.iter().map(|p| Aabb { min: p.local, max: p.local + Vec2::splat(3.0) });
    let boxes: Vec<_> = boxes.zip(&points).map(|(aabb, p)| WorldAabb { region: p.region, aabb }).collect();
    let mut inside = Answers::default();
    world.overlap_aabbs(&boxes, &filter, &mut inside);
    inside.all().iter().for_each(|found| put(found.shape, found.part, 0.0, base, Vec2::ZERO));
    bits
}

#[test]
fn a_million_regions_out_the_answers_have_the_same_bits() {
    for seed in 0..rounds(4, 60) as u64 {
        let near = everything(seed, HERE);
        assert!(near.len() > 1000);
        assert_eq!(near, everything(seed, AFAR), "scene {seed}");
    }
}

/// Lanes of every width find the same, of scenes that were just prepared and of those that were
/// not.
#[test]
fn lanes_do_not_change_an_answer() {
    for seed in 0..rounds(4, 20) as u64 {
        let (mut world, mut random) = (scene(seed, HERE), Random::new(seed));
        let filter = QueryFilter::default().with_sensors();
        let rays: Vec<_> = (0..40).map(|_| any_ray(HERE, &mut random)).collect();
        let ball = Shape::circle(2.0);
        let mut first = None;
        for lanes in carom::Lanes::all() {
            world.set_lanes(lanes);
            let answers: Vec<_> = rays
                .iter()
                .map(|ray| {
                    let cast = ShapeCast::new(&ball, ray.from, ray.translation);
                    let (mut all, mut over) = (Vec::new(), Vec::new());
                    world.ray_all(*ray, &filter, &mut all);
                    world.overlap_shape(&PlacedShape::at(&ball, ray.from), &filter, &mut over);
                    let near = world.nearest(ray.from, 9.0, &filter);
                    (world.ray(*ray, &filter), all, world.cast(&cast, &filter), over, near)
                })
                .collect();
            assert_eq!(*first.get_or_insert_with(|| answers.clone()), answers, "{lanes}");
        }
    }
}

#[test]
fn batches_equal_singles() {
    for seed in 0..rounds(4, 60) as u64 {
        let (mut world, mut random) = (scene(seed, HERE), Random::new(seed));
        let filter = QueryFilter::default().with_sensors();
        let rays: Vec<_> = (0..60).map(|_| any_ray(HERE, &mut random)).collect();
        let shapes: Vec<_> = (0..60).map(|_| any_shape(&mut random)).collect();
        let casts: Vec<_> = shapes.iter().map(|shape| any_cast(shape, HERE, &mut random)).collect();
        let placed: Vec<_> = casts.iter().map(|cast| cast.start).collect();
        let points: Vec<_> = rays.iter().map(|ray| ray.from).collect();
        let boxes: Vec<_> = points
            .iter()
            .map(|p| WorldAabb { region: p.region, aabb: Aabb::around_point(p.local).grown(2.0) })
            .collect();
        let one_by_one = world.clone();

        let mut found = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        world.rays(&rays, &filter, &mut found.0);
        world.rays_any(&rays, &filter, &mut found.1);
        world.casts(&casts, &filter, &mut found.2);
        world.nearest_to_points(&points, 9.0, &filter, &mut found.3);
        for k in 0..60 {
            assert_eq!(found.0[k], one_by_one.ray(rays[k], &filter));
            assert_eq!(found.1[k], one_by_one.ray_any(rays[k], &filter));
            assert_eq!(found.2[k], one_by_one.cast(&casts[k], &filter));
            assert_eq!(found.3[k], one_by_one.nearest(points[k], 9.0, &filter));
        }

        let (mut hits, mut touched, mut near) = (Answers::default(), Answers::default(), Answers::default());
        let mut inside = [Answers::default(), Answers::default(), Answers::default()];
        world.rays_all(&rays, &filter, &mut hits);
        world.casts_all(&casts, &filter, &mut touched);
        world.nearest_few_to_points(&points, 9.0, 3, &filter, &mut near);
        world.overlap_aabbs(&boxes, &filter, &mut inside[0]);
        world.overlap_shapes(&placed, &filter, &mut inside[1]);
        world.overlap_points(&points, &filter, &mut inside[2]);
        assert_eq!((hits.len(), inside[2].len()), (60, 60));
        let (mut hit, mut touch, mut close, mut over) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for k in 0..60 {
            one_by_one.ray_all(rays[k], &filter, &mut hit);
            one_by_one.cast_all(&casts[k], &filter, &mut touch);
            one_by_one.nearest_few(points[k], 9.0, 3, &filter, &mut close);
            assert_eq!((&hits[k], &touched[k], &near[k]), (&hit[..], &touch[..], &close[..]));
            one_by_one.overlap_aabb(boxes[k], &filter, &mut over);
            assert_eq!(inside[0][k], over[..]);
            one_by_one.overlap_shape(&placed[k], &filter, &mut over);
            assert_eq!(inside[1][k], over[..]);
            one_by_one.overlap_point(points[k], &filter, &mut over);
            assert_eq!(inside[2][k], over[..]);
        }
    }
}

#[test]
fn answers_need_no_more_room_the_second_time() {
    let (mut world, mut random) = (scene(1, HERE), Random::new(1));
    let rays: Vec<_> = (0..200).map(|_| any_ray(HERE, &mut random)).collect();
    let (mut one, mut all) = (Vec::new(), Answers::default());
    let filter = QueryFilter::default();
    world.rays(&rays, &filter, &mut one);
    world.rays_all(&rays, &filter, &mut all);
    let (room, first) = (one.capacity(), all.clone());
    world.rays(&rays, &filter, &mut one);
    world.rays_all(&rays, &filter, &mut all);
    assert_eq!((one.capacity(), all), (room, first));
}
