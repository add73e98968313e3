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
