//! What once went wrong with bodies that move, a test each, with its cause.

use carom::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// A welded body that was put 20 m away and turned came back at 200 m/s, as its turn was made good
/// on a lever of 20 m.
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
