//! Steps from frames, and poses between steps.
//!
//! In: frames of all kinds, worlds that change between a step and the drawing. Out: counts of
//! steps, and poses that nobody would call a jump.

use carom::prelude::*;
use carom::{IVec2, Pose, tuning};
use testkit::random::Random;

const DT: f32 = 1.0 / 60.0;

fn weightless() -> World {
    World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless())
}

fn ball(at: [f32; 2], velocity: [f32; 2]) -> BodyDef {
    BodyDef::dynamic().at(at).velocity(velocity).shape(Shape::circle(0.25))
}

#[test]
fn ten_seconds_of_144_hz_make_600_steps() {
    let mut clock = FixedStep::hz(60.0);
    let mut steps = 0;
    for _ in 0..1440 {
        let now = clock.advance(1.0 / 144.0);
        assert!(now <= 1 && clock.dropped() == 0);
        assert!((0.0..1.0).contains(&clock.alpha()));
        steps += now;
    }
    assert!((599..=601).contains(&steps), "{steps} steps");
}

#[test]
fn a_day_of_frames_does_not_drift() {
    let (mut clock, mut steps) = (FixedStep::hz(60.0), 0_u64);
    let frame = 1.0 / 144.0_f32;
    let frames = if cfg!(debug_assertions) { 144 * 3600 } else { 144 * 86_400 };
    for _ in 0..frames {
        steps += u64::from(clock.advance(frame));
    }
    let exact = frames as f64 * f64::from(frame) * 60.0;
    assert!((steps as f64 + f64::from(clock.alpha()) - exact).abs() < 1.0e-3, "{steps} steps for {exact}");
}

#[test]
fn alpha_is_below_one_whatever_frames_take() {
    let mut random = Random::new(1);
    for rate in [1.0, 30.0, 59.94, 60.0, 144.0, 1000.0] {
        let mut clock = FixedStep::hz(rate);
        for _ in 0..testkit::rounds(20_000, 1_000_000) {
            let _ = clock.advance(random.log_range(1.0e-9, 1.0) as f32);
            assert!((0.0..1.0).contains(&clock.alpha()), "{clock:?}");
        }
    }
}

#[test]
fn a_hitch_makes_as_many_steps_as_allowed_and_tells_the_rest() {
    let mut clock = FixedStep::hz(60.0);
    assert_eq!((clock.advance(10.0), clock.dropped()), (8, 592));
    assert_eq!((clock.advance(DT), clock.dropped()), (1, 0), "the next frame is a frame like any other");
    let mut clock = FixedStep::hz(60.0).max_steps(2);
    assert_eq!((clock.advance(0.1), clock.dropped()), (2, 4));
    assert_eq!(FixedStep::hz(60.0).max_steps(0).advance(1.0), 1);
}

#[test]
fn frames_that_are_no_time_make_no_step() {
    let mut clock = FixedStep::hz(60.0);
    let _ = clock.advance(0.01);
    let before = clock;
    for frame in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, -0.0, 0.0] {
        assert_eq!(clock.advance(frame), 0, "{frame}");
        assert_eq!(clock, before, "{frame}");
    }
    assert_eq!(clock.advance(f32::MAX), 8);
    assert!((0.0..1.0).contains(&clock.alpha()) && clock.dropped() == u64::MAX - 8);
    assert_eq!(clock.advance(DT * 1.5), 1, "it goes on after that");
}

#[test]
fn a_rate_that_is_none_is_60_hz() {
    for hz in [0.0, -60.0, f32::NAN, f32::INFINITY, 0.5, 1.0e7] {
        assert_eq!(FixedStep::hz(hz), FixedStep::default());
    }
    assert_eq!(FixedStep::default().dt(), 1.0 / 60.0);
    let mut clock = FixedStep::hz(60.0);
    let _ = clock.advance(0.01);
    clock.reset();
    assert_eq!(clock, FixedStep::hz(60.0));
}

#[test]
fn two_steps_in_a_frame_blend_the_last_one() {
    let mut world = weightless();
    let id = world.add(ball([0.0, 0.0], [60.0, 0.0])).unwrap();
    let mut clock = FixedStep::hz(60.0);
    let steps = clock.advance(2.25 / 60.0);
    assert_eq!(steps, 2);
    for _ in 0..steps {
        world.step(clock.dt()).unwrap();
    }
    let x = world.poses_at(clock.alpha())[id.index()].position.x;
    assert!((x - 1.25).abs() < 1.0e-5, "a quarter from 1 to 2, not {x}");
}

#[test]
fn poses_between_steps_lie_on_the_way() {
    let mut world = World::new(WorldDef::default());
    let heavy = Shape::rect(1.0, 0.2).at([0.4, 0.1]); // its centre of mass is not its origin
    let thrown = BodyDef::dynamic().at([3.0, 4.0]).velocity([5.0, 2.0]).spin(4.0).shape(heavy);
    let id = world.add(thrown).unwrap();
    let mut before = world[id].transform();
    for _ in 0..60 {
        world.step(DT).unwrap();
        let after = world[id].transform();
        let at = |world: &mut World, alpha: f32| world.poses_at(alpha)[id.index()];
        let (start, end) = (at(&mut world, 0.0), at(&mut world, 1.0));
        assert!((start.position - before.position).length() < 1.0e-5);
        assert!((start.rotation.sin - before.rotation.sin).abs() < 1.0e-6);
        assert_eq!((end.position, end.rotation), (after.position, after.rotation));
        let middle = at(&mut world, 0.5);
        let center = |pose: Pose| pose.position + pose.rotation * world[id].local_center();
        let halfway = (center(start) + center(end)) * 0.5;
        assert!((center(middle) - halfway).length() < 1.0e-5, "the centre of mass moves straight");
        before = after;
    }
}

#[test]
fn odd_alphas_count_as_the_nearer_end() {
    let mut world = weightless();
    let id = world.add(ball([0.0, 0.0], [60.0, 0.0])).unwrap();
    world.step(DT).unwrap();
    let x = |world: &mut World, alpha: f32| world.poses_at(alpha)[id.index()].position.x;
    let (first, last) = (x(&mut world, 0.0), x(&mut world, 1.0));
    assert!(first.abs() < 1.0e-5 && (last - 1.0).abs() < 1.0e-5);
    for (alpha, expected) in [(-1.0, first), (2.0, last), (f32::NAN, last), (f32::INFINITY, last)] {
        assert_eq!(x(&mut world, alpha), expected, "{alpha}");
    }
    assert_eq!(world.poses()[id.index()].position.x, last);
}

#[test]
fn a_teleport_does_not_smear() {
    let mut world = weightless();
    let id = world.add(ball([0.0, 0.0], [60.0, 0.0])).unwrap();
    world.step(DT).unwrap();
    world.poses_at(0.5);
    world.teleport(id, [100.0, 7.0], 0.5).unwrap();
    for alpha in [0.0, 0.5, 0.99] {
        assert_eq!(world.poses_at(alpha)[id.index()].position, vec2(100.0, 7.0));
    }
    world.step(DT).unwrap();
    let x = world.poses_at(0.5)[id.index()].position.x;
    assert!((x - 100.5).abs() < 1.0e-4, "the step after it blends again: {x}");
}

#[test]
fn what_was_added_after_the_step_stays_put() {
    let mut world = weightless();
    let gone = world.add(ball([0.0, 0.0], [60.0, 0.0])).unwrap();
    world.step(DT).unwrap();
    world.remove(gone).unwrap();
    // Where the other ended, in its place, in its row.
    let new = world.add(ball([1.0, 0.0], [60.0, 0.0])).unwrap();
    assert_eq!(gone.index(), new.index());
    assert_eq!(world.poses_at(0.0)[new.index()].position, vec2(1.0, 0.0));
    let more = world.add(ball([9.0, 0.0], [60.0, 0.0])).unwrap();
    assert_eq!(world.poses_at(0.0)[more.index()].position, vec2(9.0, 0.0));
}

/// Rows change hands between the step and the drawing, and nobody is drawn with the way of another.
#[test]
fn removal_after_the_step_mixes_up_no_ways() {
    let mut world = weightless();
    let ids: Vec<BodyId> = (0..8)
        .map(|k| world.add(ball([0.0, 3.0 * k as f32], [60.0 + k as f32, 0.0])))
        .map(|id| id.unwrap())
        .collect();
    world.step(DT).unwrap();
    world.poses_at(0.5);
    for &gone in &[ids[0], ids[3]] {
        world.remove(gone).unwrap();
        assert_eq!(world.poses_at(0.5)[gone.index()], Pose::NOWHERE);
    }
    world.teleport(ids[7], [500.0, 0.0], 0.0).unwrap();
    let poses = world.poses_at(0.5).to_vec();
    for k in [1, 2, 4, 5, 6] {
        let expected = (60.0 + k as f32) / 120.0;
        assert!((poses[ids[k].index()].position.x - expected).abs() < 1.0e-5, "ball {k}");
    }
    assert_eq!(poses[ids[7].index()].position, vec2(500.0, 0.0));
}

/// The same, when nobody looked in between: `World::note_ways` has to be called by the step.
#[test]
fn removal_before_the_first_look_mixes_up_no_ways() {
    let mut world = weightless();
    let ids: Vec<BodyId> =
        (0..4).map(|k| world.add(ball([0.0, 3.0 * k as f32], [60.0 + k as f32, 0.0])).unwrap()).collect();
    world.poses();
    world.step(DT).unwrap();
    world.remove(ids[0]).unwrap();
    let poses = world.poses_at(0.5);
    for k in 1..4 {
        let expected = [0.5].map(|share| share * (60.0 + k as f32) / 60.0);
        let x = poses[ids[k].index()].position.x;
        assert!(expected.iter().any(|expected| (x - expected).abs() < 1.0e-5), "ball {k} is at {x}");
    }
}

#[test]
fn what_fell_asleep_or_stands_stays_put() {
    let mut world = World::new(WorldDef::default());
    world.add(BodyDef::fixed().shape(Shape::rect(40.0, 1.0)).at([0.0, -0.5])).unwrap();
    let sleeper = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0))).unwrap();
    let roller = world.add(ball([0.0, 50.0], [9.0, 0.0])).unwrap();
    let mut slept = false;
    for _ in 0..120 {
        let before = world[roller].position();
        world.poses_at(0.5);
        world.step(DT).unwrap();
        slept |= !world[sleeper].is_awake();
        let after = world[roller].position();
        let rest = world[sleeper].position();
        let poses = world.poses_at(0.5);
        assert!((poses[sleeper.index()].position - rest).length() < 2.0e-3);
        let drawn = poses[roller.index()].position;
        let on_the_way = (drawn - (before + after) * 0.5).length() < 1.0e-4;
        assert!(on_the_way, "nobody is drawn with the way of another");
    }
    assert!(slept, "it comes to rest");
}

#[test]
fn disabled_bodies_draw_nothing() {
    let mut world = weightless();
    let id = world.add(ball([1.0, 2.0], [0.0, 0.0])).unwrap();
    assert!(world.poses()[id.index()].is_somewhere());
    world.set_enabled(id, false).unwrap();
    assert_eq!(world.poses()[id.index()], Pose::NOWHERE);
    world.set_enabled(id, true).unwrap();
    assert_eq!(world.poses()[id.index()].position, vec2(1.0, 2.0));
}

#[test]
fn a_shape_more_does_not_jump() {
    let mut world = weightless();
    let id = world.add(ball([0.0, 0.0], [60.0, 0.0])).unwrap();
    world.step(DT).unwrap();
    let before = world.poses_at(0.5)[id.index()].position;
    world.attach(id, Shape::circle(0.5).at([1.0, 0.0])).unwrap(); // moves the centre of mass, not the body
    let after = world.poses_at(0.5)[id.index()].position;
    assert!((before - after).length() < 1.0e-5, "{before} became {after}");
}

/// Seen from a camera, a world a million regions out draws the same bits as one at the origin.
#[test]
fn poses_from_a_camera_far_out_have_the_same_bits() {
    let shift = IVec2::new(1_000_000, -1_000_000);
    let mut drawn = [IVec2::ZERO, shift].map(|region| {
        let mut world = World::new(WorldDef::default());
        let camera = WorldPoint::new(region, vec2(500.0, 3.0));
        let mut random = Random::new(4);
        for _ in 0..20 {
            let at = WorldPoint::new(region, vec2(508.0, 0.0) + random.vec2(10.0));
            let body = BodyDef::dynamic().at(at).velocity(random.vec2(10.0)).spin(random.angle());
            world.add(body.shape(Shape::rect(1.0, 0.5).at([0.2, 0.1]))).unwrap();
        }
        let mut all = Vec::new();
        for _ in 0..30 {
            world.step(DT).unwrap();
            all.extend_from_slice(world.poses_from(camera, 0.3));
        }
        all
    });
    let [near, far] = &mut drawn;
    assert_eq!(bytemuck::cast_slice::<Pose, u8>(near), bytemuck::cast_slice::<Pose, u8>(far));
    assert!(near.iter().all(|pose| pose.position.length() < tuning::REGION_SIZE));
}

/// A heap that falls asleep and is stirred: a list of poses that takes in only what moved, what
/// moved the step before, and what was edited is that of all poses, bit for bit.
#[test]
fn what_moved_and_what_was_edited_is_all_that_changes() {
    let block = |at: [f32; 2]| BodyDef::dynamic().at(at).shape(Shape::rect(0.5, 0.4));
    let mut random = Random::new(6);
    let mut world = World::default();
    world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0))).unwrap();
    let mut ids: Vec<BodyId> =
        (0..30).map(|k| world.add(block([0.3 * k as f32 - 5.0, 3.0])).unwrap()).collect();
    let mut shown: Vec<Pose> = world.poses().to_vec();
    let (mut due, mut quiet) = (Vec::new(), 0);
    for step in 0..1200 {
        if step % 300 < 5 {
            let one = ids.swap_remove(random.below(ids.len()));
            match random.below(5) {
                0 => world.remove(one).unwrap(),
                1 => world.teleport(one, random.vec2(5.0) + vec2(0.0, 6.0), 1.0).unwrap(),
                2 => world.set_kind(one, BodyKind::Fixed).unwrap(),
                3 => world.apply_impulse(one, [0.2, 0.4]).unwrap(),
                _ => ids.push(world.add(block([0.0, 9.0])).unwrap()),
            }
        }
        due.extend(world.edited_bodies());
        world.step(DT).unwrap();
        let alpha = random.range(0.0, 1.0);
        let moved: Vec<(BodyId, Pose)> = world.moved_poses([0.0, 0.0], alpha).collect();
        quiet += u32::from(moved.is_empty());
        shown.resize(shown.len().max(world.poses().len()), Pose::NOWHERE);
        for id in due.drain(..).filter(|&id| world.get(id).is_some()) {
            shown[id.index()] = Pose { position: world[id].position(), rotation: world[id].rotation() };
        }
        for (id, pose) in moved {
            shown[id.index()] = pose;
            due.push(id);
        }
        let poses = world.poses_at(alpha);
        for (index, pose) in poses.iter().enumerate().filter(|(_, pose)| pose.is_somewhere()) {
            assert_eq!(shown[index], *pose, "place {index} in step {step}");
        }
    }
    assert!(quiet > 100, "it sleeps in between, for {quiet} steps");
}

#[test]
fn an_origin_that_is_no_point_draws_nothing() {
    let mut world = weightless();
    world.add(ball([0.0, 0.0], [60.0, 0.0])).unwrap();
    assert_eq!(world.poses_from([f32::NAN, 0.0], 0.5), [Pose::NOWHERE]);
}
