//! What once went wrong with a world as an interface, a test each, with its cause.

use carom::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// What the world comes to by way of its bytes, in a world that knows nothing of it.
fn reloaded(world: &World) -> World {
    let mut image = Vec::new();
    world.save_whole_into(&mut image);
    let mut other = World::default();
    assert_eq!(other.load(&image), Ok(()));
    assert_eq!((other.hash(), other.validate()), (world.hash(), Ok(())));
    other
}

/// Asked for more neighbours than a list can have, a batch gives each point all of its own: the
/// place of the last one wanted went round past the end of the numbers, panicked in debug builds,
/// and in release builds was that of another point's answer.
#[test]
fn any_count_of_neighbours_may_be_asked_for() {
    let mut world = World::new(WorldDef::default());
    for x in [0.0, 3.0, 9.0] {
        world.add(BodyDef::fixed().at([x, 0.0]).shape(Shape::circle(1.0))).expect("it breaks no rule");
    }
    let mut found = carom::Answers::default();
    let points = [WorldPoint::from([0.0, 5.0]), WorldPoint::from([9.0, 0.0])];
    world.nearest_few_to_points(&points, f32::INFINITY, usize::MAX, &QueryFilter::default(), &mut found);
    assert!(found.iter().all(|near| near.len() == 3), "{found:?}");
}

/// A body may weigh more than it can be told to weigh, if its shapes are large: such an image was
/// refused.
#[test]
fn a_world_with_a_heavy_body_can_be_loaded() {
    let mut world = World::default();
    let heavy = ShapeDef::from(Shape::circle(1.0e5)).density(1.0e3);
    world.add(BodyDef::dynamic().shape(heavy)).expect("it breaks no rule");
    world
        .add(BodyDef::fixed().shape(Shape::rect(1.0e9, 1.0e9).at([4.9e8, 4.9e8])))
        .expect("it breaks no rule");
    reloaded(&world);
}

/// A rod between bodies that are farther apart than a rod may be long was taken, and its image
/// refused.
#[test]
fn a_rod_is_no_longer_than_it_may_be() {
    let mut world = World::default();
    let mut add = |x: i32| {
        let place = WorldPoint { region: carom::IVec2::new(x, 0), local: Vec2::ZERO };
        world.add(BodyDef::dynamic().at(place).shape(Shape::circle(1.0))).expect("it breaks no rule")
    };
    let (near, far) = (add(0), add(1 << 21));
    let hash = world.hash();
    let anchors = |def: JointDef| def.anchors([0.0, 0.0], [0.0, 0.0]);
    assert!(world.add_joint(anchors(JointDef::distance(near, far))).is_err(), "2e9 m");
    assert_eq!(world.hash(), hash);
    world.add_joint(anchors(JointDef::rope(near, far, 5.0))).expect("it has no length of its own");
    reloaded(&world);
}

/// A gear whose joints move the same body hangs on that body alone; asking for its state took it
/// for a joint with two.
#[test]
fn a_gear_on_one_body_has_a_state() {
    let mut world = World::default();
    let wheel = world.add(BodyDef::dynamic().shape(Shape::circle(1.0))).expect("it breaks no rule");
    let hinges = [0.0, 0.5].map(|x| world.add_joint(JointDef::revolute(None, wheel).at([x, 0.0])));
    let [Ok(first), Ok(second)] = hinges else { panic!("they break no rule") };
    let gear = world.add_joint(JointDef::gear(first, second, 2.0)).expect("both can be geared");
    world.step(DT).expect("dt is in range");
    let state = world.joint_state(gear).expect("it is there");
    assert!(state.force.is_finite() && state.torque.is_finite(), "{state:?}");
}

/// Pairs that a filter hook had left out were missed when an image was looked at, for it is read
/// without hooks; and missed by `validate` once the hooks were gone.
#[test]
fn pairs_left_out_by_a_hook_are_valid_without_it() {
    let mut world = World::default();
    for y in [-0.5, 0.4] {
        let kind = if y < 0.0 { BodyDef::fixed() } else { BodyDef::dynamic() };
        world.add(kind.at([0.0, y]).shape(Shape::rect(1.0, 1.0))).expect("it breaks no rule");
    }
    world.set_filter_hook(|_| false);
    world.step(DT).expect("dt is in range");
    reloaded(&world);
    let mut image = Vec::new();
    world.save_into(&mut image);
    assert_eq!(world.load(&image), Ok(()), "where the hook is still there");
    world.step(DT).expect("dt is in range");
    assert_eq!(world.contacts().count(), 0, "the hook stayed");
    world.clear_hooks();
    assert_eq!(world.validate(), Ok(()));
    world.load(&image).expect("without a hook");
    assert_eq!(world.validate(), Ok(()));
}

/// When the centre of mass moved, parts stood where they had been placed from the old one until the
/// body moved: by a last bit elsewhere than in a world that was loaded.
#[test]
fn a_changed_body_stands_where_a_loaded_one_does() {
    for change in 0..4 {
        let mut world = World::default();
        let block = Shape::rect(1.525, 3.5625).turned(-0.43);
        world.add(BodyDef::fixed().at([1.25, 0.0]).angle(-0.785).shape(block)).expect("it breaks no rule");
        let corners = [[-8.0, 4.625], [-2.875, -9.375], [13.125, -9.875], [11.5, -0.75], [6.25, 2.625]];
        let hull = Shape::hull(&corners.map(Vec2::from)).rounded(1.95);
        let def = BodyDef::dynamic().at([-8.6, -6.6]).angle(0.9).spin(-0.7);
        let body = world.add(def.shape(hull).shape(Shape::circle(3.75))).expect("it breaks no rule");
        for _ in 0..20 {
            world.step(DT).expect("dt is in range");
            let circle = world.shapes_of(body).last().map(|(id, _)| id).expect("it has shapes");
            let mut other = world.clone();
            let done = match change {
                0 => other.detach(circle),
                1 => other.attach(body, Shape::circle(0.7).at([0.3, 0.1])).map(drop),
                2 => other.set_weight(circle, carom::Weight::Mass(17.3)),
                _ => other
                    .set_mass(body, Some(carom::Mass { mass: 9.0, center: vec2(0.3, 0.7), inertia: 7.0 })),
            };
            assert_eq!(done, Ok(()));
            let mut loaded = reloaded(&other);
            for _ in 0..2 {
                assert_eq!(other.step(DT).map(drop), loaded.step(DT).map(drop));
            }
            assert_eq!(other.first_difference(&loaded), None, "change {change}");
        }
    }
}

/// Two half-planes that do not face each other are infinitely deep in each other, and a world
/// cannot count with that.
#[test]
fn half_planes_on_half_planes_have_numbers() {
    let mut world = World::default();
    for kind in [BodyDef::fixed(), BodyDef::dynamic()] {
        let plane = Shape::half_plane([0.0, 0.0], [0.3, 1.0]);
        world.add(kind.shape(plane)).expect("it breaks no rule");
    }
    for _ in 0..3 {
        world.step(DT).expect("dt is in range");
        assert_eq!(world.validate(), Ok(()));
    }
    reloaded(&world);
}

/// A filter that changed while two bodies were apart was forgotten when they were back before the
/// next step.
#[test]
fn a_filter_may_change_while_a_body_is_away() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let ghost = Shape::rect(1.0, 1.0);
    let filtered = ShapeDef::from(ghost.clone()).filter(Filter { mask: 0, ..Default::default() });
    world.add(BodyDef::fixed().shape(ghost)).expect("it breaks no rule");
    let body = world.add(BodyDef::dynamic().at([0.9, 0.0]).shape(filtered)).expect("it breaks no rule");
    let shape = world.shapes_of(body).last().map(|(id, _)| id).expect("it has a shape");
    world.step(DT).expect("dt is in range");
    assert_eq!(world.contacts().count(), 0);
    world.teleport(body, [50.0, 0.0], 0.0).expect("it is there");
    world.set_filter(shape, Filter::default()).expect("it is there");
    assert_eq!(world.validate(), Ok(()));
    world.teleport(body, [0.9, 0.0], 0.0).expect("it is there");
    world.step(DT).expect("dt is in range");
    assert_eq!(world.contacts().count(), 1);
    assert_eq!(world.validate(), Ok(()));
}

/// In a step of no length a loaded world, which had solved no joint yet, put bodies to sleep whose
/// joints were still open.
#[test]
fn no_time_puts_no_jointed_body_to_sleep() {
    for waited in 60..68 {
        let mut world = World::default();
        let bob = BodyDef::dynamic().shape(Shape::circle(0.3));
        let bob = world.add(bob).expect("it breaks no rule");
        // Pinned to two places 2 cm apart: one of them is always open.
        for x in [-0.01, 0.01] {
            let joint = JointDef::revolute(None, bob).anchors([x, 0.0], [0.0, 0.0]);
            world.add_joint(joint).expect("it breaks no rule");
        }
        for _ in 0..waited {
            world.step(DT).expect("dt is in range");
        }
        let mut loaded = reloaded(&world);
        for _ in 0..8 {
            assert_eq!(world.step(0.0).map(drop), loaded.step(0.0).map(drop));
        }
        assert_eq!(world.first_difference(&loaded), None, "after {waited}");
        assert!(world[bob].is_awake());
    }
}

/// Seen from a centre of mass that was put a million kilometres away, a segment was a point without
/// sides, and the impact that was foreseen for it had no normal.
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

/// A line pushed a ball over the border of a region, and the joint that held it went on as if it
/// stood in the region before: it pulled it back from a kilometre away.
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

/// A weld made by touch was switched off, or made to let its bodies collide: their contact ended
/// again in every step, as that of bodies which become one, so a box fell through the ground, and
/// its world could not be loaded.
#[test]
fn bodies_touch_after_their_weld_by_touch_is_off() {
    for collides in [false, true] {
        let mut world = World::default();
        let glue = Material::default().welding();
        let ground = BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(20.0, 2.0)).material(glue);
        let ground = world.add(ground).expect("it breaks no rule");
        let def = BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0));
        let crate_ = world.add(def).expect("it breaks no rule");
        (0..5).for_each(|_| _ = world.step(DT));
        assert!(world.are_welded(ground, crate_));
        let (weld, _) = world.joints_of(crate_).next().expect("it is welded");
        let change = |def: &mut JointDef| if collides { def.collide = true } else { def.enabled = false };
        world.change_joint(weld, change).expect("it is there");
        for _ in 0..60 {
            world.step(DT).expect("dt is in range");
            assert_eq!(world.validate(), Ok(()));
        }
        reloaded(&world);
        assert_eq!(world.joint_count(), 1, "no second weld");
        assert_eq!(world.contacts_of_body(crate_).count(), 1);
        assert!((world[crate_].position().y - 0.5).abs() < 0.01, "{}", world[crate_].position());
        // On again, it holds, and they are one.
        world.change_joint(weld, |def| (def.collide, def.enabled) = (false, true)).expect("it is there");
        (0..5).for_each(|_| _ = world.step(DT));
        assert_eq!(world.contacts_of_body(crate_).count(), 0);
        reloaded(&world);
    }
}

/// A gear of two hinges of one body, taken out with it: the gear has no first body, and its place
/// was looked up under no number; and pasted, it named a body that was gone.
#[test]
fn a_gear_of_two_hinges_of_one_body_goes_along_with_it() {
    for def in [WorldDef::default(), WorldDef::default().periodic(2, 2)] {
        let mut world = World::new(def);
        let wheel = BodyDef::dynamic().at([1.0, 1.0]).shape(Shape::circle(0.5));
        let wheel = world.add(wheel).expect("it breaks no rule");
        let hinges = [0.0, 0.2].map(|x| {
            let hinge = JointDef::revolute(None, wheel).at([1.0 + x, 1.0]);
            world.add_joint(hinge).expect("it breaks no rule")
        });
        world.add_joint(JointDef::gear(hinges[0], hinges[1], 2.0)).expect("both are hinges");
        world.step(DT).expect("dt is in range");
        let piece = world.extract(&[wheel]).expect("it is there");
        let pasted = world.paste(&piece, WorldPoint::ORIGIN).expect("there is room");
        assert_eq!(pasted.joints.len(), 3);
        world.step(DT).expect("dt is in range");
        assert_eq!(world.validate(), Ok(()));
        reloaded(&world);
    }
}
