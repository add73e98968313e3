//! What once went wrong with shapes, a test each, with its cause.

use carom::prelude::*;

use testkit::random::Random;

/// The square that stood in for a half-plane was smaller than the bar that turned into it, so the
/// bound on the bar's motion did not hold.
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

/// Each of two segments rounded its own share of the way along it, and a ray through the joint
/// missed both.
#[test]
fn no_ray_passes_through_a_joint_of_a_chain() {
    let mut random = Random::new(3);
    let mut unit = || random.range(0.0_f32, 1.0);
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

/// Moved far away, both ends of a short segment were rounded to one point, and it contained every
/// point.
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
fn a_rotation_off_unit_length_does_not_scale() {
    let place = Transform { position: vec2(0.0, 0.0), rotation: Rot { cos: 1.002, sin: 0.0 } };
    let Shape::Polygon(polygon) = Shape::regular(4, 1.0).transformed(place) else { panic!("a polygon") };
    assert!((polygon.vertices()[0].length() - 1.0).abs() < 1e-6);
}

/// Boxes that overlap by the last bit: the axes said near, the ends of the faces said apart, and
/// nothing was left.
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

/// Where the first of several parts weighed nothing and was far away, the inertia of the others was
/// lost in it, or negative.
#[test]
fn a_part_without_mass_far_away_changes_nothing() {
    let rod = Shape::segment([9.0e8, 0.0], [9.0e8, 64.0]);
    let disc = Shape::circle(0.5).at([1.0, 2.0]);
    let alone = disc.mass(1.0);
    let both = carom::Mass::sum(&[rod.mass(1.0), alone]);
    assert_eq!(both, alone);
}

/// A ray almost along a segment met it as far before its end as the rounding of a small angle is
/// large.
#[test]
fn a_ray_along_a_segment_meets_its_end() {
    let segment = Shape::segment([-1.0e-5, 0.0], [-2.4306796, -2.4306796]);
    let along = Ray { from: vec2(-4.0, -4.0), translation: vec2(3.5, 3.5) };
    let hit = ray(&segment, Transform::IDENTITY, along).expect("it goes along it");
    assert!(hit.point.distance(vec2(-2.4306796, -2.4306796)) < 1.0e-4, "{hit:?}");
}

/// Seen from a disc of a million kilometres, a segment of a chain was a point, and its contact had
/// no normal.
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

/// A bar that turned hundreds of times on its way ran out of rounds, and was said to touch what was
/// metres away. It touches where the circle around all of its turns does, or a little later. One
/// that turns more often than anybody can tell touches nothing.
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
