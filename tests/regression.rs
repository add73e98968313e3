//! What once went wrong, a test each.

use carom::prelude::*;

/// The square that stood in for a half-plane was smaller than the bar that turned into it, so the bound on the bar's
/// motion did not hold.
#[test]
fn a_turning_bar_hits_the_half_plane_in_time() {
    let ground = Shape::half_plane([0.0, 0.0], [0.0, 1.0]);
    let bar = Shape::segment([-5.0, 0.0], [5.0, 0.0]);
    for (height, turn) in [(0.1_f32, 1.0_f32), (0.01, 0.01), (1.0, 3.0)] {
        let motion = Motion::still(Transform::at([0.0, height])).turning(turn);
        let hit = cast(&ground, Motion::still(Transform::IDENTITY), &bar, motion).expect("an end goes under");
        // The end is at the height minus 5 sin(angle).
        let touch = f64::from(height / 5.0).asin() / f64::from(turn);
        // In metres that the end moves.
        let error = (f64::from(hit.time) - touch) * f64::from(turn) * 5.0;
        assert!(error.abs() < 1e-4, "{hit:?} for {touch}");
    }
}

/// Each of two segments rounded its own share of the way along it, and a ray through the joint missed both.
#[test]
fn no_ray_passes_through_a_joint_of_a_chain() {
    let mut state = 3_u64;
    let mut unit = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 40) as f32 / 16_777_216.0
    };
    for _ in 0..100_000 {
        let joint = vec2(unit(), unit());
        let chain = Shape::chain(&[
            joint + vec2(-1.0 - unit(), unit() - 0.5),
            joint,
            joint + vec2(1.0 + unit(), unit() - 0.5),
        ]);
        let from = vec2(4.0 * unit() - 1.5, 5.0);
        let through = Ray { from, translation: (joint - from) * 2.0 };
        assert!(ray(&chain, Transform::IDENTITY, through).is_some(), "{through:?} passes {joint}");
    }
}

/// Moved far away, both ends of a short segment were rounded to one point, and it contained every point.
#[test]
fn a_shape_is_refused_where_its_coordinates_are_too_coarse() {
    assert!(Shape::segment([0.0, 0.0], [0.01, 0.0]).at([1.0e6, 0.0]).checked().is_err());
    assert!(Shape::capsule([0.0, 0.0], [0.01, 0.0], 0.1).at([1.0e6, 0.0]).checked().is_err());
    assert!(Shape::triangle([0.0, 0.0], [0.01, 0.0], [0.0, 0.01]).at([1.0e6, 0.0]).checked().is_err());
    assert!(Shape::rect(1.0e9, 1.0e9).rounded(1.0e9).checked().is_err());
    assert!(Shape::segment([0.0, 0.0], [0.01, 0.0]).at([100.0, 0.0]).checked().is_ok());
}

/// A rotation a little off unit length scaled the shape it was given to.
#[test]
fn a_place_does_not_scale() {
    let place = Transform { position: vec2(0.0, 0.0), rotation: Rot { cos: 1.002, sin: 0.0 } };
    let Shape::Polygon(polygon) = Shape::regular(4, 1.0).transformed(place) else { panic!("a polygon") };
    assert!((polygon.vertices()[0].length() - 1.0).abs() < 1e-6);
}

/// Boxes that overlap by the last bit: the axes said near, the ends of the faces said apart, and nothing was left.
#[test]
fn boxes_that_overlap_by_the_last_bit_have_a_contact() {
    let (a, b) = (Shape::rect(1.0, 1.0), Shape::rect(0.7, 0.3));
    for step in 0..2_000 {
        let angle = 0.003 * step as f32;
        let rotation = Rot::from_angle(angle);
        // Slid along the face normal until they just touch, then bit by bit inward.
        let mut x = 0.5 + 0.35 * rotation.cos.abs() + 0.15 * rotation.sin.abs() + 3.0e-7;
        for _ in 0..12 {
            let (xa, xb) = (Transform::IDENTITY, Transform { position: vec2(x, 0.05), rotation });
            let touching = overlaps(&a, xa, &b, xb);
            assert_eq!(touching, contact(&a, xa, &b, xb).is_some(), "at {x}, {angle}");
            x = x.next_down();
        }
    }
}

/// Equal boxes compared unequal when one of them had been moved by nothing.
#[test]
fn a_box_moved_by_nothing_is_the_same_box() {
    assert_eq!(Shape::rect(1.0, 2.0).at([0.0, 0.0]), Shape::rect(1.0, 2.0));
}

/// Moments about a far origin cancelled, and the inertia of a distant compound was 0.
#[test]
fn a_distant_compound_keeps_its_inertia() {
    let pair = || [Shape::circle(0.01).at([1.0e6, 0.0]), Shape::circle(0.01).at([1.0e6, 0.0])];
    let (one, two) = (Shape::circle(0.01).mass(1.0), Shape::compound(pair()).mass(1.0));
    assert!((two.inertia / one.inertia - 2.0).abs() < 1e-5, "{two:?}");
    let box_far_out = Shape::rect(0.1, 0.1).at([1.0e6, 0.0]).mass(1.0);
    assert!((box_far_out.mass - 0.01).abs() < 1e-8);
}

/// Asked for more neighbours than a list can have, a batch gives each point all of its own: the place of the last one
/// wanted went round past the end of the numbers, panicked in debug builds, and in release builds was that of another
/// point's answer.
#[test]
fn any_count_of_neighbours_may_be_asked_for() {
    let mut world = World::new(WorldDef::default());
    for x in [0.0, 3.0, 9.0] {
        world.add(BodyDef::fixed().at([x, 0.0]).shape(Shape::circle(1.0))).expect("it breaks no rule");
    }
    let mut found = carom::Answers::default();
    let points = [WorldPoint::from([0.0, 5.0]), WorldPoint::from([9.0, 0.0])];
    world.nearest_fews(&points, f32::INFINITY, usize::MAX, &QueryFilter::default(), &mut found);
    assert!(found.iter().all(|near| near.len() == 3), "{found:?}");
}

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

/// A body may weigh more than it can be told to weigh, if its shapes are large: such an image was refused.
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

/// A rod between bodies that are farther apart than a rod may be long was taken, and its image refused.
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

/// A gear whose joints move the same body hangs on that body alone; asking for its state took it for a joint with two.
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

/// Pairs that a filter hook had left out were missed when an image was looked at, for it is read without hooks; and missed by
/// `validate` once the hooks were gone.
#[test]
fn what_a_hook_left_out_is_not_missed() {
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

/// When the centre of mass moved, parts stood where they had been placed from the old one until the body moved: by a last bit
/// elsewhere than in a world that was loaded.
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

/// Two half-planes that do not face each other are infinitely deep in each other, and a world cannot count with that.
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

/// Where the first of several parts weighed nothing and was far away, the inertia of the others was lost in it, or negative.
#[test]
fn a_part_without_mass_far_away_changes_nothing() {
    let rod = Shape::segment([9.0e8, 0.0], [9.0e8, 64.0]);
    let disc = Shape::circle(0.5).at([1.0, 2.0]);
    let alone = disc.mass(1.0);
    let both = carom::Mass::sum(&[rod.mass(1.0), alone]);
    assert_eq!(both, alone);
}

/// A filter that changed while two bodies were apart was forgotten when they were back before the next step.
#[test]
fn a_filter_may_change_while_a_body_is_away() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let ghost = Shape::rect(1.0, 1.0);
    let filtered = ShapeDef::from(ghost.clone()).filter(carom::Filter { mask: 0, ..Default::default() });
    world.add(BodyDef::fixed().shape(ghost)).expect("it breaks no rule");
    let body = world.add(BodyDef::dynamic().at([0.9, 0.0]).shape(filtered)).expect("it breaks no rule");
    let shape = world.shapes_of(body).last().map(|(id, _)| id).expect("it has a shape");
    world.step(DT).expect("dt is in range");
    assert_eq!(world.contacts().count(), 0);
    world.teleport(body, [50.0, 0.0], 0.0).expect("it is there");
    world.set_filter(shape, carom::Filter::default()).expect("it is there");
    assert_eq!(world.validate(), Ok(()));
    world.teleport(body, [0.9, 0.0], 0.0).expect("it is there");
    world.step(DT).expect("dt is in range");
    assert_eq!(world.contacts().count(), 1);
    assert_eq!(world.validate(), Ok(()));
}

/// In a step of no length a loaded world, which had solved no joint yet, put bodies to sleep whose joints were still open.
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

/// A ray almost along a segment met it as far before its end as the rounding of a small angle is large.
#[test]
fn a_ray_along_a_segment_meets_its_end() {
    let segment = Shape::segment([-1.0e-5, 0.0], [-2.4306796, -2.4306796]);
    let along = Ray { from: vec2(-4.0, -4.0), translation: vec2(3.5, 3.5) };
    let hit = ray(&segment, Transform::IDENTITY, along).expect("it goes along it");
    assert!(hit.point.distance(vec2(-2.4306796, -2.4306796)) < 1.0e-4, "{hit:?}");
}

/// Seen from a disc of a million kilometres, a segment of a chain was a point, and its contact had no normal.
#[test]
fn a_chain_beside_a_huge_disc_has_normals() {
    let corners = [[-2.1, -7.9], [-14.0, 13.2], [5.4, 12.9], [12.9, 3.4]].map(Vec2::from);
    let (chain, disc) = (Shape::closed_chain(&corners), Shape::circle(1.0e9));
    for x in [10.0, -7.0, 0.3] {
        let at = Transform::new([x, 1.0e9], 2.0);
        let place = Transform::at([0.0, -2.1]);
        if let Some(found) = contact(&chain, at, &disc, place) {
            assert!(found.normal.is_normalized(), "{found:?}");
        }
    }
}

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

/// A bar that turned hundreds of times on its way ran out of rounds, and was said to touch what was metres away. It touches where the
/// circle around all of its turns does, or a little later. One that turns more often than anybody can tell touches nothing.
#[test]
fn a_bar_that_whirls_touches_where_it_gets() {
    let mut world = World::default();
    world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0))).expect("it breaks no rule");
    let bar = Shape::rect(3.0, 0.1);
    let reach = vec2(1.5, 0.05).length();
    for turn in [60.0, 300.0, 999.0, -700.0] {
        let fall = ShapeCast::new(&bar, [0.0, 8.0], [0.0, -10.0]).turning(turn);
        let hit = world.cast(&fall, &QueryFilter::default()).expect("it falls on the floor");
        let height = 8.0 - 10.0 * hit.time;
        // An end passes its lowest point every half turn.
        let between = 10.0 * core::f32::consts::PI / f32::abs(turn);
        assert!((reach - between - 1e-3..reach + 1e-3).contains(&height), "{turn}: at a height of {height}");
    }
    let fall = ShapeCast::new(&bar, [0.0, 8.0], [0.0, -10.0]).turning(1001.0);
    assert_eq!(world.cast(&fall, &QueryFilter::default()), None);
}
