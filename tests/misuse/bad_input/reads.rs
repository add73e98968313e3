//! What only reads a world, and what stands beside one: queries, poses, grids, clocks. Any number
//! is taken, and the answers are numbers.

use carom::broadphase::{Activity, BruteForce, WorldAabb};
use carom::prelude::*;
use carom::{Answers, IVec2, PlacedShape, Prediction, RayAnswer, Start};

use super::table::{Case, Rule, Scene, finite, try_all};

fn all() -> QueryFilter<'static> {
    QueryFilter::default().with_sensors()
}

fn aabb(p: &[f32]) -> WorldAabb {
    Aabb { min: vec2(p[0], p[1]), max: vec2(p[2], p[3]) }.into()
}

fn sound_hits<'a>(hits: impl IntoIterator<Item = &'a RayAnswer>) {
    for hit in hits {
        assert!((0.0..=1.0).contains(&hit.fraction) && hit.normal.is_finite(), "{hit:?}");
        assert!(hit.point.is_valid(), "{hit:?}");
    }
}

fn sound_touches<'a>(touches: impl IntoIterator<Item = &'a carom::CastAnswer>) {
    for touch in touches {
        assert!((0.0..=1.0).contains(&touch.time) && touch.normal.is_finite(), "{touch:?}");
        assert!(touch.point.is_valid(), "{touch:?}");
    }
}

fn sound_places<'a>(places: impl IntoIterator<Item = &'a carom::NearestAnswer>) {
    for place in places {
        assert!(
            place.distance.is_finite() && place.normal.is_finite() && place.point.is_valid(),
            "{place:?}"
        );
    }
}

/// Velocities and steps of a prediction.
pub(crate) fn predictions() -> Vec<Case> {
    vec![finite("predict velocity spin", &[3.0, 4.0, 1.0, 0.016], |s, p| {
        let start = Start::from(s.ball).velocity([p[0], p[1]]).spin(p[2]);
        let mut found = Prediction::new();
        let before = s.world.hash();
        let answer = s.world.predict(&[start, s.lift.into()], 60, p[3], &mut found);
        assert_eq!(s.world.hash(), before);
        assert_eq!(found.path(s.ball).len(), if answer.is_ok() { 60 } else { 0 });
        assert!(found.path(s.ball).iter().all(|place| place.position.is_valid()));
        answer
    })]
}

/// Rays, casts, overlaps, nearest; one by one, all of them, and in batches.
pub(crate) fn queries() -> Vec<Case> {
    let reads = |name, good, call| finite(name, good, call).rule(Rule::Reads);
    vec![
        reads(
            "ray ray_any ray_all rays rays_any rays_all prepare_queries",
            &[-9.0, 0.5, 18.0, 0.1],
            |s, p| {
                for ray in [
                    WorldRay::new([p[0], p[1]], [p[2], p[3]]),
                    WorldRay::between([p[0], p[1]], [p[2], p[3]]),
                    WorldRay::toward([p[0], p[1]], [p[2], p[3]], p[2]),
                    WorldRay {
                        from: WorldPoint { region: IVec2::MAX, local: vec2(p[0], p[1]) },
                        translation: vec2(p[2], p[3]),
                    },
                ] {
                    let (mut one, mut some, mut any) = (Vec::new(), Vec::new(), Vec::new());
                    let mut many = Answers::default();
                    let first = s.world.ray(ray, &all());
                    sound_hits(&first);
                    assert_eq!(s.world.ray_any(ray, &all()), first.is_some(), "{ray:?}");
                    s.world.ray_all(ray, &all(), &mut one);
                    sound_hits(&one);
                    s.world.rays(&[ray; 3], &all(), &mut some);
                    assert_eq!(some, [first; 3]);
                    s.world.rays_any(&[ray; 3], &all(), &mut any);
                    assert_eq!(any, [first.is_some(); 3]);
                    s.world.rays_all(&[ray; 3], &all(), &mut many);
                    assert!(many.len() == 3 && many.iter().all(|hits| hits == one), "{ray:?}");
                    let _ = (ray.at(p[0]), ray.at(p[3]));
                }
                Ok(())
            },
        ),
        reads("cast cast_all casts casts_all", &[-9.0, 0.5, 18.0, 0.1, 0.5, 1.0], |s, p| {
            let shapes =
                [Shape::circle(0.5), Shape::rect(1.0, 0.5), Shape::chain(&[vec2(0.0, 0.0), vec2(1.0, 0.0)])];
            for shape in &shapes {
                let cast = ShapeCast::new(shape, [p[0], p[1]], [p[2], p[3]]).angle(p[4]).turning(p[5]);
                let near = s.world.cast(&cast.stopping_at(p[4]), &all().hollow());
                sound_touches(&near);
                let (mut one, mut some, mut many) = (Vec::new(), Vec::new(), Answers::default());
                let first = s.world.cast(&cast, &all());
                sound_touches(&first);
                s.world.cast_all(&cast, &all(), &mut one);
                sound_touches(&one);
                s.world.casts(&[cast; 3], &all(), &mut some);
                assert_eq!(some, [first; 3]);
                s.world.casts_all(&[cast; 3], &all(), &mut many);
                assert!(many.len() == 3 && many.iter().all(|touches| touches == one), "{cast:?}");
                let _ = (cast.at(p[0]), cast.at(p[5]));
            }
            Ok(())
        }),
        reads("overlap_aabb overlap_aabbs", &[-9.0, -1.0, 9.0, 4.0], |s, p| {
            let (mut one, mut many) = (Vec::new(), Answers::default());
            s.world.overlap_aabb(aabb(p), &all(), &mut one);
            s.world.overlap_aabbs(&[aabb(p); 3], &all(), &mut many);
            assert!(many.iter().all(|found| found == one));
            Ok(())
        }),
        reads("overlap_shape overlap_shapes", &[1.0, 0.5, 0.3, 1.0], |s, p| {
            let shape = Shape::rect(p[3], 2.0);
            let placed = PlacedShape::at(&shape, [p[0], p[1]]).angle(p[2]);
            let raw = PlacedShape { rotation: Rot { cos: p[2], sin: p[3] }, ..placed };
            for placed in [placed, raw] {
                let (mut one, mut many) = (Vec::new(), Answers::default());
                s.world.overlap_shape(&placed, &all(), &mut one);
                s.world.overlap_shapes(&[placed; 3], &all(), &mut many);
                assert!(many.iter().all(|found| found == one));
            }
            Ok(())
        }),
        reads("overlap_point overlap_points", &[1.0, 0.5], |s, p| {
            let raw = WorldPoint { region: IVec2::ZERO, local: vec2(p[0], p[1]) };
            for point in [WorldPoint::from([p[0], p[1]]), raw] {
                let (mut one, mut many) = (Vec::new(), Answers::default());
                s.world.overlap_point(point, &all(), &mut one);
                s.world.overlap_points(&[point; 3], &all(), &mut many);
                assert!(many.iter().all(|found| found == one));
            }
            Ok(())
        }),
        reads("nearest_image", &[1.0, 3.0, 5.0, -9.0], |s, p| {
            let (of, to) = (WorldPoint::from([p[0], p[1]]), WorldPoint::from([p[2], p[3]]));
            assert!(s.world.nearest_image(of, to) == of || !of.is_valid());
            let ring = World::new(WorldDef::default().periodic(2, 3));
            let image = ring.nearest_image(of, to);
            assert_eq!(image.is_valid(), of.is_valid());
            assert!(!of.is_valid() || !to.is_valid() || to.to(image).x.abs() <= 1024.0);
            Ok(())
        }),
        reads("nearest nearest_few nearest_to_points nearest_few_to_points", &[1.0, 3.0, 5.0], |s, p| {
            for point in [WorldPoint::from([p[0], p[1]]), WorldPoint::new(IVec2::MIN, vec2(p[0], p[1]))] {
                for count in [0, 1, 3, usize::MAX] {
                    let (mut few, mut some, mut many) = (Vec::new(), Vec::new(), Answers::default());
                    let first = s.world.nearest(point, p[2], &all());
                    sound_places(&first);
                    s.world.nearest_few(point, p[2], count, &all(), &mut few);
                    sound_places(&few);
                    assert!(few.len() <= count);
                    s.world.nearest_to_points(&[point; 3], p[2], &all(), &mut some);
                    assert_eq!(some, [first; 3]);
                    s.world.nearest_few_to_points(&[point; 3], p[2], count, &all(), &mut many);
                    assert!(many.iter().all(|found| found == few));
                }
            }
            Ok(())
        }),
    ]
}

pub(crate) fn poses() -> Vec<Case> {
    let reads = |name, good, call| finite(name, good, call).rule(Rule::Reads);
    fn sound(poses: &[Pose]) {
        for pose in poses.iter().filter(|pose| pose.is_somewhere()) {
            assert!(pose.position.is_finite() && pose.rotation.is_valid(), "{pose:?}");
        }
    }
    vec![
        reads("poses poses_at", &[0.5], |s, p| {
            sound(s.world.poses());
            sound(s.world.poses_at(p[0]));
            Ok(())
        }),
        reads("poses_from", &[100.0, 200.0, 0.5], |s, p| {
            sound(s.world.poses_from([p[0], p[1]], p[2]));
            let far = WorldPoint { region: IVec2::MAX, local: vec2(p[0], p[1]) };
            sound(s.world.poses_from(far, p[2]));
            Ok(())
        }),
        reads("moved_poses", &[100.0, 200.0, 0.5], |s, p| {
            for origin in [[p[0], p[1]].into(), WorldPoint { region: IVec2::MAX, local: vec2(p[0], p[1]) }] {
                sound(&s.world.moved_poses(origin, p[2]).map(|(_, pose)| pose).collect::<Vec<_>>());
            }
            Ok(())
        }),
        reads("Body::velocity_at to_world to_local", &[1.0, 2.0], |s, p| {
            let body = &s.world[s.crate_];
            let _ =
                (body.velocity_at([p[0], p[1]]), body.to_world([p[0], p[1]]), body.to_local([p[0], p[1]]));
            Ok(())
        }),
    ]
}

/// Frames, rates and grids: no world is needed.
pub(crate) fn beside() -> Vec<Case> {
    let reads = |name, good, call| finite(name, good, call).rule(Rule::Reads);
    vec![
        reads("FixedStep::hz advance", &[60.0, 0.1], |s, p| {
            for max in [0, 1, u32::MAX] {
                s.clock = FixedStep::hz(p[0]).max_steps(max);
                for _ in 0..3 {
                    assert!(s.clock.advance(p[1]) <= max.max(1));
                    assert!((0.0..1.0).contains(&s.clock.alpha()) && s.clock.dt() > 0.0, "{:?}", s.clock);
                }
                assert!((1.0e-6..=1.0).contains(&s.clock.dt()));
            }
            Ok(())
        }),
        reads("Window::new", &[64.0, 20.0, 10.0, 4.0], |_, p| {
            if let Ok(mut window) = Window::new(p[0], [p[1], p[2]], p[3]) {
                assert_eq!(window.look([3.0, 5.0]).entered().count(), 4);
            }
            Ok(())
        }),
        reads("Window::look ahead tile_of", &[30.0, -40.0, 5.0, 3.0, 2.0], |_, p| {
            let mut window = Window::new(64.0, [20.0, 10.0], 4.0)?;
            window.look([1000.0, 1000.0]);
            let place = WorldPoint::from([p[0], p[1]]);
            let _ = window.ahead(place, vec2(p[2], p[3]), p[4]).count();
            let _ = window.corner(window.tile_of(place));
            let seen = window.look(place);
            assert!(seen.entered().count() <= 4 && seen.left().count() <= 4);
            assert_eq!(window.tiles().count(), 4);
            Ok(())
        }),
        reads("Grid::insert update visit query visit_nearest", &[0.5, 0.5, 2.0, 2.0], |s, p| {
            for region in [IVec2::ZERO, IVec2::MAX, IVec2::MIN, IVec2::new(i32::MIN, i32::MAX)] {
                grids(s, WorldAabb { region, ..aabb(p) });
            }
            Ok(())
        }),
    ]
}

/// A bad box under a new id and under one that is there: pairs as brute force finds them, and walks
/// that end.
fn grids(scene: &Scene, bad: WorldAabb) {
    let (mut grid, mut brute) = (scene.grid.clone(), BruteForce::new());
    for id in 0..20 {
        if let Some(aabb) = grid.aabb(id) {
            brute.insert(id, aabb, Activity::Active);
        }
    }
    for (id, activity) in [(20, Activity::Active), (21, Activity::Resting), (5, Activity::Active)] {
        grid.insert(id, bad, activity);
        brute.insert(id, bad, activity);
        grid.find_pairs();
        brute.find_pairs();
        assert_eq!(grid.pairs(), brute.pairs(), "{bad:?}");
    }
    grid.update(20, aabb(&[0.0, 0.0, 1.0, 1.0]));
    grid.update(7, bad);
    grid.find_pairs();
    grid.refresh();
    let mut visited = 0;
    grid.query(&bad, |_| {
        visited += 1;
        true
    });
    grid.visit(bad.region, |_| true, |_| true);
    grid.visit_nearest(bad.region, |seen| seen.min.x, |_| f32::INFINITY);
    assert!(visited <= grid.len());
    // The id that is no id is ignored, and so are those that are not there.
    grid.insert(u32::MAX, bad, Activity::Active);
    brute.insert(u32::MAX, bad, Activity::Active);
    assert!(!brute.contains(u32::MAX));
    grid.update(99, bad);
    grid.set_activity(99, Activity::Active);
    grid.set_group(99, 7);
    assert!(!grid.remove(99) && !grid.contains(u32::MAX) && grid.aabb(99).is_none());
    grid.clear();
    grid.find_pairs();
    assert!(grid.is_empty() && grid.pairs().is_empty());
}

#[test]
fn queries_take_any_number() {
    try_all(&queries());
    try_all(&predictions());
}

#[test]
fn poses_take_any_number() {
    try_all(&poses());
}

#[test]
fn clocks_and_grids_take_any_number() {
    try_all(&beside());
}
