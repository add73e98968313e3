//! Places at the end of the world: refused beyond it, and from just inside of it bodies go no
//! further.

use carom::prelude::*;
use carom::{Error, Freeze, IVec2, JointDef};

use super::table::Scene;
use testkit::worlds::{add, run, space, step, valid};

/// The last region in which something may be put, and the first one that is refused.
const LAST: i32 = i32::MAX - (1 << 23);

fn at(x: i32, y: i32) -> WorldPoint {
    WorldPoint::new(IVec2::new(x, y), vec2(500.0, -500.0))
}

/// Points that are none, as only their fields can say, and points beyond the end.
fn nowhere() -> Vec<WorldPoint> {
    let local = |x: f32, y: f32| WorldPoint { region: IVec2::ZERO, local: vec2(x, y) };
    let mut points = vec![
        local(f32::NAN, 0.0),
        local(0.0, f32::INFINITY),
        local(512.0, 0.0),
        local(0.0, -513.0),
        local(f32::MAX, f32::MIN),
    ];
    for region in [i32::MIN, -LAST - 1, LAST + 1, i32::MAX] {
        points.extend([at(region, 0), at(0, region), at(region, region)]);
    }
    points
}

/// Every call that puts something somewhere refuses a place that is none, and nothing changes.
#[test]
fn places_that_are_none_are_refused() {
    let scene = Scene::new();
    let before = scene.world.hash();
    for point in nowhere() {
        let mut s = scene.clone();
        let answers = [
            s.world.add(BodyDef::fixed().at(point)).map(|_| ()),
            s.world.add(BodyDef::dynamic().at(point).shape(Shape::circle(1.0))).map(|_| ()),
            s.world.teleport(s.crate_, point, 0.0),
            s.world.move_to(s.lift, point, 0.0),
        ];
        assert!(
            answers.iter().all(|answer| matches!(answer, Err(Error::BadNumber(_)))),
            "{point:?} {answers:?}"
        );
        assert_eq!(s.world.hash(), before, "{point:?}");
    }
    // Those who apply something at a point only know how far it is from the body.
    for point in [WorldPoint { region: IVec2::ZERO, local: Vec2::NAN }, at(i32::MAX, 0)] {
        let mut s = scene.clone();
        let answers = [
            s.world.apply_force_at(s.crate_, [1.0, 0.0], point),
            s.world.apply_impulse_at(s.crate_, [1.0, 0.0], point),
            s.world.add_joint(JointDef::weld(s.crate_, s.ball).at(point)).map(|_| ()),
            s.world.change_joint(s.hinges[0], |def| *def = def.at(point)),
        ];
        assert!(
            answers.iter().all(|answer| matches!(answer, Err(Error::BadNumber(_)))),
            "{point:?} {answers:?}"
        );
        assert_eq!(s.world.hash(), before, "{point:?}");
    }
}

/// In the four corners of the world a ball falls on a box and rests, jointed to another ball;
/// masses and shapes are changed there to ones that stand far from their body's origin. Queries,
/// poses and validation work.
#[test]
fn the_last_region_is_like_any_other() {
    for corner in [at(LAST, LAST), at(-LAST, LAST), at(LAST, -LAST), at(-LAST, -LAST)] {
        let mut world = World::default();
        let up = |y: f32| corner.offset(vec2(0.0, y));
        add(&mut world, BodyDef::fixed().at(corner).shape(Shape::rect(10.0, 1.0)));
        let ball = add(&mut world, BodyDef::dynamic().at(up(1.2)).shape(Shape::circle(0.5)));
        let bob = add(&mut world, BodyDef::dynamic().at(up(2.5)).shape(Shape::circle(0.5)));
        world.add_joint(JointDef::distance(ball, bob)).expect("it breaks no rule");
        run(&mut world, 60);
        let height = corner.to(world[ball].world_position()).y;
        assert!((height - 1.0).abs() < 0.01, "{height}");
        let ray = WorldRay::new(up(9.0), [0.0, -20.0]);
        assert_eq!(world.ray(ray, &QueryFilter::default()).map(|hit| hit.body), Some(bob));
        assert!(world.poses_from(corner, 0.5)[ball.index()].position.length() < 2.0);
        let far = Shape::circle(1.0).at([1.0e9, -1.0e9]);
        world.attach(ball, far.clone()).expect("it breaks no rule");
        world.attach(bob, far).expect("it breaks no rule");
        let mass = carom::Mass { mass: 1.0, center: vec2(-1.0e9, 1.0e9), inertia: 1.0 };
        world.set_mass(bob, Some(mass)).expect("it breaks no rule");
        for _ in 0..30 {
            step(&mut world);
        }
        world.set_mass(bob, None).expect("it breaks no rule");
        run(&mut world, 30);
    }
}

/// A body that leaves the world is stopped at its end: fixed where the last step left it, and
/// reported once. Its neighbour, which is as near the end and does not move, stays what it is;
/// teleported and made dynamic again, the body goes on.
#[test]
fn a_body_that_leaves_the_world_is_stopped() {
    for towards in [1, -1] {
        let mut world = World::new(WorldDef { max_speed: f32::INFINITY, ..*space().def() });
        let edge = |away: f32| at(towards * LAST, 0).offset(vec2(0.0, away));
        let leaver = add(&mut world, BodyDef::dynamic().at(edge(0.0)).shape(Shape::circle(0.5)));
        let stayer = add(&mut world, BodyDef::dynamic().at(edge(3.0)).shape(Shape::circle(0.5)));
        world.set_velocity(leaver, [towards as f32 * 1.0e9, 0.0]).expect("it is there");
        let mut reports = Vec::new();
        for _ in 0..600 {
            world.step(0.1).expect("dt is in range");
            valid(&world);
            reports.extend_from_slice(world.events().frozen());
        }
        assert_eq!(reports, [Freeze { body: leaver, kind: BodyKind::Dynamic }]);
        assert_eq!(world[leaver].kind(), BodyKind::Fixed);
        assert_eq!(world[leaver].velocity(), Vec2::ZERO);
        assert!(world[leaver].world_position().region.x.abs() > LAST);
        assert_eq!(world[stayer].kind(), BodyKind::Dynamic);
        assert_eq!(world[stayer].world_position(), edge(3.0));

        world.teleport(leaver, [0.0, 0.0], 0.0).expect("it is there");
        world.set_kind(leaver, BodyKind::Dynamic).expect("it is there");
        world.set_velocity(leaver, [1.0, 0.0]).expect("it is there");
        run(&mut world, 60);
        assert!((world[leaver].position().x - 1.0).abs() < 1.0e-3, "{}", world[leaver].position());
        assert!((world[leaver].mass() - core::f32::consts::FRAC_PI_4).abs() < 1.0e-3);
    }
}
