//! What once went wrong with bodies that move, a test each, with its cause.

use carom::prelude::*;

use testkit::worlds::step;

const DT: f32 = 1.0 / 60.0;

/// A welded body that was put 20 m away and turned came back at 200 m/s, as its turn was made good on a lever of 20 m.
#[test]
fn a_weld_torn_apart_closes_slowly() {
    for exchanged in [false, true] {
        let mut world = World::default();
        let floor = BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(80.0, 1.0));
        let floor = world.add(floor).expect("it breaks no rule");
        let disc = BodyDef::dynamic().at([1.0, 0.5]).shape(Shape::circle(0.35));
        let disc = world.add(disc).expect("it breaks no rule");
        let weld = if exchanged { JointDef::weld(floor, disc) } else { JointDef::weld(disc, floor) };
        world.add_joint(weld.at([0.5, 0.5]).collide()).expect("it breaks no rule");
        (0..10).for_each(|_| assert!(world.step(DT).is_ok()));
        world.teleport(disc, [20.0, 10.0], 2.5).expect("it is there");
        for _ in 0..300 {
            let before = world[disc].position();
            world.step(DT).expect("dt is in range");
            let way = (world[disc].position() - before).length();
            assert!(way < 25.0 * DT, "{way} m in a step");
        }
        assert!((world[disc].position() - vec2(1.0, 0.5)).length() < 0.01);
    }
}

/// Seen from a centre of mass that was put a million kilometres away, a segment was a point without sides, and the impact that was foreseen
/// for it had no normal.
#[test]
fn a_segment_far_from_its_centre_of_mass_has_normals() {
    let mut met = 0;
    for k in 0..60 {
        let mut world = World::new(WorldDef { gravity: Vec2::ZERO, ..WorldDef::default() });
        let far = carom::Mass { mass: 2.0, center: vec2(4.75, 1.0e9), inertia: 0.5 };
        let line =
            BodyDef::dynamic().angle(0.1 * k as f32).shape(Shape::segment([-11.75, -8.0], [-11.75, -11.75]));
        let line = world.add(BodyDef { mass: Some(far), ..line }).expect("it breaks no rule");
        let at = world[line].world_position().offset(world[line].rotation() * vec2(-11.75, -10.0));
        let ball = BodyDef::dynamic().at(at.offset(vec2(-8.0, 0.0))).velocity([2000.0, 0.0]);
        world.add(ball.shape(Shape::circle(4.0))).expect("it breaks no rule");
        for _ in 0..4 {
            world.step(DT).expect("dt is in range");
            assert_eq!(world.validate(), Ok(()), "{k}");
            met += world.contacts().count();
        }
    }
    assert!(met > 0);
}

/// A line pushed a ball over the border of a region, and the joint that held it went on as if it stood in the region before: it
/// pulled it back from a kilometre away.
#[test]
fn a_joint_holds_a_ball_that_a_line_pushes_into_another_region() {
    let mut world = World::new(WorldDef { gravity: Vec2::ZERO, ..WorldDef::default() });
    let at = vec2(511.9, 0.0);
    let ball = BodyDef::dynamic().at(at).shape(Shape::circle(0.5));
    let ball = world.add(ball).expect("it breaks no rule");
    world.add_joint(JointDef::revolute(None, ball).at(at)).expect("it breaks no rule");
    let line = BodyDef::kinematic().at([511.3, 0.0]).velocity([1.0, 0.0]);
    world.add(line.shape(Shape::segment([0.0, -3.0], [0.0, 3.0]))).expect("it breaks no rule");
    for step in 0..60 {
        let mut loaded = reloaded(&world);
        world.step(DT).expect("dt is in range");
        loaded.step(DT).expect("dt is in range");
        assert_eq!(world.first_difference(&loaded), None, "{step}");
    }
    assert!((0.1..2.0).contains(&(world[ball].position().x - at.x)), "{}", world[ball].position());
}
