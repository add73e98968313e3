//! Questions at the edges of their definition: borders that are met exactly, boxes without end,
//! numbers that are refused, equal answers.
//!
//! In: worlds of a few bodies. Expected: answers that follow from the definition by hand.

use carom::IVec2;
use carom::prelude::*;

/// A box from -1 to 1 and a segment on the x axis from 5 to 7.
fn box_and_segment() -> (World, BodyId, BodyId) {
    let mut world = World::new(WorldDef::default());
    let square = world.add(BodyDef::fixed().shape(Shape::rect(2.0, 2.0))).expect("a valid body");
    let segment =
        world.add(BodyDef::fixed().shape(Shape::segment([5.0, 0.0], [7.0, 0.0]))).expect("a valid body");
    (world, square, segment)
}

#[test]
fn rays_at_the_edges_of_their_definition() {
    let (world, square, segment) = box_and_segment();
    let ask = |from: [f32; 2], to: [f32; 2]| {
        let hit = world.ray(WorldRay::between(from, to), &QueryFilter::default())?;
        Some((hit.body, hit.fraction, hit.point.position(), hit.normal))
    };
    let start = |x: f32, y: f32| Some((square, 0.0, vec2(x, y), Vec2::ZERO));
    assert_eq!(ask([0.5, 0.5], [9.0, 0.5]), start(0.5, 0.5), "starts inside");
    assert_eq!(ask([1.0, 0.5], [9.0, 0.5]), start(1.0, 0.5), "starts on the border, going out");
    assert_eq!(ask([0.5, 0.5], [0.5, 0.5]), start(0.5, 0.5), "has no length, inside");
    assert_eq!(ask([1.0, 1.0], [1.0, 1.0]), start(1.0, 1.0), "has no length, on the border");
    assert_eq!(ask([2.0, 0.5], [2.0, 0.5]), None, "has no length, outside");
    let west = Some((square, 1.0, vec2(-1.0, 0.0), Vec2::NEG_X));
    assert_eq!(ask([-3.0, 0.0], [-1.0, 0.0]), west, "ends exactly on the face");
    assert_eq!(ask([-3.0, 0.0], [-1.0 - f32::EPSILON, 0.0]), None, "ends just before it");
    let above = ask([-3.0, 1.0], [3.0, 1.0]).expect("runs along the border");
    assert_eq!((above.0, above.2), (square, vec2(-1.0, 1.0)));
    assert_eq!(ask([-3.0, 1.0 + 1.0e-6], [3.0, 1.0 + 1.0e-6]), None, "runs beside the border");
    let corner = ask([0.0, 2.0], [2.0, 0.0]).expect("grazes the corner");
    assert_eq!((corner.0, corner.2), (square, vec2(1.0, 1.0)));
    let end = Some((segment, 0.5, vec2(5.0, 0.0), Vec2::NEG_X));
    assert_eq!(ask([3.0, 0.0], [7.0, 0.0]), end, "runs along a segment");
    assert_eq!(ask([4.0, 1.0e-3], [9.0, 1.0e-3]), None, "runs beside a segment");
    let on = Some((segment, 0.0, vec2(6.0, 0.0), Vec2::ZERO));
    assert_eq!(ask([6.0, 0.0], [6.0, 5.0]), on, "starts on a segment");
}

#[test]
fn points_and_boxes_touch_from_the_border_on() {
    let (world, square, segment) = box_and_segment();
    let filter = QueryFilter::default();
    let at = |x: f32, y: f32| {
        let mut out = Vec::new();
        world.overlap_point([x, y], &filter, &mut out);
        out.iter().map(|found| found.body).collect::<Vec<_>>()
    };
    assert_eq!((at(1.0, 1.0), at(5.0, 0.0)), (vec![square], vec![segment]));
    assert!(at(1.0 + 1.0e-6, 0.0).is_empty());
    let inside = |min: [f32; 2], max: [f32; 2]| {
        let mut out = Vec::new();
        world.overlap_aabb(Aabb { min: min.into(), max: max.into() }, &filter, &mut out);
        out.iter().map(|found| found.body).collect::<Vec<_>>()
    };
    assert_eq!(inside([1.0, 1.0], [2.0, 2.0]), [square], "a corner touches");
    assert_eq!(inside([1.0, 0.0], [5.0, 0.0]), [square, segment], "a box without height");
    assert_eq!(inside([6.0, -1.0], [6.0, 1.0]), [segment], "a box without width");
    assert_eq!(inside([0.0, 0.0], [0.0, 0.0]), [square], "a box without either");
    let most = f32::INFINITY;
    assert_eq!(inside([-most, -most], [most, most]), [square, segment], "everything");
    assert_eq!(inside([2.0, -most], [most, most]), [segment], "half of everything");
    assert!(inside([2.0, 1.0], [1.0, 2.0]).is_empty(), "no box");
    assert!(inside([f32::NAN, 0.0], [1.0, 1.0]).is_empty());
}

#[test]
fn an_infinite_box_holds_what_is_a_million_regions_out() {
    let mut world = World::new(WorldDef::default());
    let at = WorldPoint::new(IVec2::new(1_000_003, -1_000_002), Vec2::ZERO);
    let id = world.add(BodyDef::fixed().at(at).shape(Shape::circle(1.0))).unwrap();
    let mut out = Vec::new();
    let all = Aabb { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY };
    world.overlap_aabb(all, &QueryFilter::default(), &mut out);
    assert_eq!(out[0].body, id);
}

#[test]
fn casts_at_the_edges_of_their_definition() {
    let (world, square, _) = box_and_segment();
    let ball = Shape::circle(0.5);
    let ask = |from: [f32; 2], way: [f32; 2]| {
        world.cast(&ShapeCast::new(&ball, from, way), &QueryFilter::default())
    };
    let inside = ask([1.2, 0.0], [1.0, 0.0]).expect("overlaps from the start");
    assert_eq!((inside.body, inside.time, inside.normal), (square, 0.0, Vec2::X));
    let still = ask([1.2, 0.0], [0.0, 0.0]).expect("has no way, and overlaps");
    assert_eq!((still.body, still.time), (square, 0.0));
    assert_eq!(ask([2.0, 0.0], [0.0, 0.0]), None);
    let until = ask([-3.5, 0.0], [2.0, 0.0]).expect("ends exactly at the face");
    assert!((until.time - 1.0).abs() < 1.0e-5 && until.normal == Vec2::NEG_X);
    assert_eq!(ask([-3.5, 0.0], [1.9, 0.0]), None, "ends before it");
    assert_eq!(ask([-3.0, 1.51], [6.0, 0.0]), None, "passes above");
    let plate = Shape::half_plane([0.0, 0.0], [0.0, -1.0]);
    let press = ShapeCast::new(&plate, [40.0, 5.0], [0.0, -8.0]);
    let pressed = world.cast(&press, &QueryFilter::default()).expect("a plate without end comes down");
    assert!(pressed.body == square && (pressed.time - 0.5).abs() < 1.0e-5);
}

#[test]
fn bad_questions_have_no_answers() {
    let (world, ..) = box_and_segment();
    let filter = QueryFilter::default();
    let (nan, most) = (f32::NAN, f32::INFINITY);
    let ball = Shape::circle(0.5);
    let broken = Shape::circle(-1.0);
    let mut out = Vec::new();
    for bad in [[nan, 0.0], [0.0, nan], [most, 0.0], [0.0, -most]] {
        for ray in [WorldRay::new(bad, [1.0, 0.0]), WorldRay::new([0.0, 0.0], bad)] {
            assert_eq!(world.ray(ray, &filter), None);
            assert!(!world.ray_any(ray, &filter));
        }
        for cast in [ShapeCast::new(&ball, bad, [1.0, 0.0]), ShapeCast::new(&ball, [0.0, 0.0], bad)] {
            assert_eq!(world.cast(&cast, &filter), None);
        }
        assert_eq!(world.nearest(bad, 9.0, &filter), None);
        world.overlap_point(bad, &filter, &mut out);
        assert!(out.is_empty());
        world.overlap_shape(&PlacedShape::at(&ball, bad), &filter, &mut out);
        assert!(out.is_empty());
    }
    assert_eq!(world.ray(WorldRay::new([-9.0, 0.0], [f32::MAX, 0.0]), &filter), None, "its square overflows");
    assert!(world.ray(WorldRay::new([-9.0, 0.0], [1.0e18, 0.0]), &filter).is_some());
    assert_eq!(world.cast(&ShapeCast::new(&broken, [0.0, 0.0], [1.0, 0.0]), &filter), None);
    let turned = ShapeCast::new(&ball, [0.0, 0.0], [1.0, 0.0]);
    assert_eq!(world.cast(&turned.turning(nan), &filter), None);
    let unturned = Rot { cos: nan, sin: 0.0 };
    assert_eq!(
        world.cast(
            &ShapeCast { start: PlacedShape { rotation: unturned, ..turned.start }, ..turned },
            &filter
        ),
        None
    );
    assert_eq!(world.nearest([0.0, 0.0], nan, &filter), None);
    assert_eq!(world.nearest([9.0, 0.0], -1.0, &filter), None);
    assert!(world.nearest([0.0, 0.0], -0.5, &filter).is_some(), "half a metre deep");
    let mut near = Vec::new();
    world.nearest_few([0.0, 0.0], most, 0, &filter, &mut near);
    assert!(near.is_empty());
    assert_eq!(World::default().ray(WorldRay::new([0.0, 0.0], [1.0, 0.0]), &filter), None);
}

#[test]
fn equal_answers_go_to_the_lowest_id() {
    let mut world = World::new(WorldDef::default());
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(1.0, 1.0))).unwrap());
    }
    world.prepare_queries();
    let (filter, mut hits) = (QueryFilter::default(), Vec::new());
    let ray = WorldRay::new([0.0, 0.0], [9.0, 0.0]);
    assert_eq!(world.ray(ray, &filter).unwrap().body, ids[0]);
    world.ray_all(ray, &filter, &mut hits);
    assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), ids);
    let ball = Shape::circle(0.5);
    assert_eq!(world.cast(&ShapeCast::new(&ball, [0.0, 0.0], [9.0, 0.0]), &filter).unwrap().body, ids[0]);
    assert_eq!(world.nearest([0.0, 0.0], 9.0, &filter).unwrap().body, ids[0]);
    world.remove(ids[0]).unwrap();
    assert_eq!(world.ray(ray, &filter).unwrap().body, ids[1]);
}

#[test]
fn changes_count_at_once() {
    let mut world = World::new(WorldDef::default());
    let filter = QueryFilter::default();
    let id = world.add(BodyDef::dynamic().at([5.0, 0.0]).shape(Shape::circle(1.0))).unwrap();
    let ray = WorldRay::new([0.0, 0.0], [9.0, 0.0]);
    assert!(world.ray_any(ray, &filter), "added");
    world.teleport(id, [5.0, 50.0], 0.0).unwrap();
    assert!(!world.ray_any(ray, &filter), "gone elsewhere");
    world.teleport(id, [7.0, 0.0], 0.0).unwrap();
    assert!(world.ray_any(ray, &filter), "back");
    world.set_velocity(id, [1000.0, 0.0]).unwrap();
    assert!(world.ray_any(ray, &filter), "not gone yet");
    world.set_enabled(id, false).unwrap();
    assert!(!world.ray_any(ray, &filter), "disabled");
    world.set_enabled(id, true).unwrap();
    assert!(world.ray_any(ray, &filter), "enabled");
    world.remove(id).unwrap();
    assert!(!world.ray_any(ray, &filter), "removed");
}
