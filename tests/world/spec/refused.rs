//! Wrong items of a spec: each is refused with the field that is wrong.

use carom::prelude::*;
use carom::{Action, Batch, End, Error, Observation, Spec, Variation};
use testkit::worlds::add;

use super::lander;

/// The item, its number and the field that are refused.
fn refused(world: &World, spec: Spec) -> (&'static str, usize, &'static str) {
    let error = spec.check(world).expect_err("it is wrong");
    assert_eq!(Batch::new(world, 2).expect("two").spec(&spec).expect_err("it is wrong"), Error::Spec(error));
    let text = error.to_string();
    assert!(text.contains(error.field()) && text.contains(error.rule()), "{text}");
    (error.item(), error.index(), error.field())
}

#[test]
fn a_wrong_action_is_refused_with_its_field() {
    let it = lander();
    let (hull, ground, knee, axle) = (it.hull, it.ground, it.knees[0], it.axle);
    let right = Action::torque(hull);
    for (wrong, field) in [
        (Action::force(ground, [1.0, 0.0]), "body"),
        (Action::torque(ground), "body"),
        (Action::force(hull, [0.0, 0.0]), "axis"),
        (Action::impulse(hull, [f32::NAN, 0.0]), "axis"),
        (Action::force(hull, [1.0, 0.0]).at([f32::INFINITY, 0.0]), "at"),
        (Action::torque(hull).at([0.0, 0.0]), "at"),
        (Action::motor_speed(axle).in_body_frame(), "frame"),
        (Action::motor_speed(knee), "joint"),
        (Action::motor_effort(knee, 1.0), "joint"),
        (Action::motor_effort(axle, f32::NAN), "speed"),
        (Action::servo_target(axle), "joint"),
        (Action::torque(hull).scale(f32::NAN), "scale"),
        (Action::torque(hull).scale(1.0e10), "scale"),
        (Action::torque(hull).offset(f32::INFINITY), "offset"),
        (Action::torque(hull).range(1.0, -1.0), "range"),
        (Action::torque(hull).range(f32::NAN, 1.0), "range"),
    ] {
        let spec = Spec::new().action(right.clone()).action(wrong.clone());
        assert_eq!(refused(&it.world, spec), ("action", 1, field), "{wrong:?}");
    }
}

#[test]
fn a_wrong_observation_is_refused_with_its_field() {
    let it = lander();
    let (hull, pad, knee) = (it.hull, it.pad, it.knees[0]);
    let right = Observation::angle(hull);
    for (wrong, field) in [
        (Observation::position(hull).relative_to(hull), "other"),
        (Observation::touches(hull).with_body(hull), "other"),
        (Observation::touches(hull).relative_to(pad), "other"),
        (Observation::position(hull).with_body(pad), "other"),
        (Observation::joint_angle(knee).relative_to(pad), "other"),
        (Observation::angle(hull).only_x(), "component"),
        (Observation::sine_and_cosine(hull).only_y(), "component"),
        (Observation::rays(hull, 0, 1.0), "count"),
        (Observation::rays(hull, usize::MAX, 1.0), "count"),
        (Observation::rays(hull, 3, 0.0), "reach"),
        (Observation::rays(hull, 3, f32::INFINITY), "reach"),
        (Observation::nearest_distance(hull, -1.0), "reach"),
        (Observation::rays(hull, 3, 1.0).fan(0.0, f32::NAN), "fan"),
        (Observation::nearest_distance(hull, 1.0).fan(0.0, 1.0), "fan"),
        (Observation::rays(hull, 3, 1.0).at([f32::NAN, 0.0]), "at"),
        (Observation::angle(hull).at([0.0, 0.0]), "at"),
        (Observation::nearest_distance(hull, 1.0).in_world_frame(), "frame"),
        (Observation::spin(hull).mask(1), "mask"),
        (Observation::spin(hull).scale(f32::NAN), "scale"),
        (Observation::spin(hull).offset(f32::NEG_INFINITY), "offset"),
    ] {
        assert!(Spec::new().observation(wrong.clone()).observation_names().len() <= 4096);
        let spec = Spec::new().observation(right.clone()).observation(wrong.clone());
        assert_eq!(refused(&it.world, spec), ("observation", 1, field), "{wrong:?}");
    }
}

#[test]
fn a_wrong_variation_is_refused_with_its_field() {
    let mut it = lander();
    let empty = add(&mut it.world, BodyDef::fixed());
    let (hull, ground, knee, axle) = (it.hull, it.ground, it.knees[0], it.axle);
    let right = Variation::spin(hull, 0.0, 1.0);
    for (wrong, field) in [
        (Variation::mass(ground, 1.0, 2.0), "body"),
        (Variation::gravity_scale(ground, 1.0, 2.0), "body"),
        (Variation::friction(empty, 1.0, 2.0), "body"),
        (Variation::density(hull, 1.0, 2.0).also(empty), "also"),
        (Variation::spin(hull, 1.0, 2.0).also(hull), "also"),
        (Variation::gravity([0.0; 2], [0.0; 2]).also(hull), "also"),
        (Variation::spin(hull, 2.0, 1.0), "range"),
        (Variation::spin(hull, f32::NAN, 1.0), "range"),
        (Variation::position(hull, [0.0, 2.0], [1.0, 1.0]), "range"),
        (Variation::gravity([0.0, f32::INFINITY], [0.0, f32::INFINITY]), "range"),
        (Variation::mass(hull, -1.0, 2.0), "range"),
        (Variation::density(hull, -1.0, 2.0).multiplied(), "range"),
        (Variation::friction(hull, -0.1, 2.0), "range"),
        (Variation::restitution(hull, 0.0, 1.1), "range"),
        (Variation::angle(hull, 0.0, 1.0).about([f32::NAN, 0.0]), "about"),
        (Variation::spin(hull, 0.0, 1.0).about([0.0, 0.0]), "about"),
        (Variation::motor_speed(knee, 0.0, 1.0), "joint"),
        (Variation::servo_target(axle, 0.0, 1.0), "joint"),
    ] {
        let spec = Spec::new().variation(right.clone()).variation(wrong.clone());
        assert_eq!(refused(&it.world, spec), ("variation", 1, field), "{wrong:?}");
    }
}

#[test]
fn a_wrong_end_is_refused_with_its_field() {
    let it = lander();
    let (hull, leg, pad) = (it.hull, it.legs[0], it.pad);
    let right = End::touches(hull);
    for (wrong, field) in [
        (End::outside(hull, [f32::NAN, 0.0], [1.0, 1.0]), "min"),
        (End::outside(hull, [0.0, 0.0], [1.0, f32::NAN]), "max"),
        (End::outside(hull, [0.0, 2.0], [1.0, 1.0]), "max"),
        (End::angle_beyond(hull, 0.0), "limit"),
        (End::angle_beyond(hull, 4.0), "limit"),
        (End::angle_beyond(hull, f32::NAN), "limit"),
        (End::angle_beyond(hull, 1.0).relative_to(hull), "other"),
        (End::touches(hull).relative_to(leg), "other"),
        (End::touches(hull).with_body(hull), "other"),
        (End::asleep(hull).with_body(leg), "other"),
        (End::touches(hull).except(hull), "except"),
        (End::touches(hull).with_body(leg).except(pad), "except"),
        (End::angle_beyond(hull, 1.0).except(pad), "except"),
    ] {
        let spec = Spec::new().end(right.clone()).end(wrong.clone());
        assert_eq!(refused(&it.world, spec), ("end", 1, field), "{wrong:?}");
    }
    assert_eq!(refused(&it.world, Spec::new().step_limit(0)), ("spec", 0, "step_limit"));
}

/// Every item that names a body or joint is refused in a world without it, and so is an id that is
/// in one start world alone.
#[test]
fn ids_of_another_world_are_refused() {
    let it = lander();
    let (hull, pad, knee, axle) = (it.hull, it.pad, it.knees[0], it.axle);
    let mut specs = Vec::new();
    for (action, field) in [
        (Action::force(hull, [1.0, 0.0]), "body"),
        (Action::impulse(hull, [1.0, 0.0]), "body"),
        (Action::torque(hull), "body"),
        (Action::motor_speed(axle), "joint"),
        (Action::motor_effort(axle, 1.0), "joint"),
        (Action::servo_target(knee), "joint"),
    ] {
        specs.push((Spec::new().action(action), ("action", 0, field)));
    }
    let of_body = [
        Observation::position,
        Observation::angle,
        Observation::sine_and_cosine,
        Observation::velocity,
        Observation::spin,
        Observation::touches,
        Observation::contact_impulse,
        Observation::contact_count,
        |body| Observation::rays(body, 2, 1.0),
        |body| Observation::nearest_distance(body, 1.0),
    ];
    let of_joint = [
        Observation::joint_angle,
        Observation::joint_spin,
        Observation::joint_length,
        Observation::joint_speed,
        Observation::joint_force,
        Observation::joint_torque,
    ];
    let shown =
        of_body.map(|of| (of(hull), "body")).into_iter().chain(of_joint.map(|of| (of(knee), "joint")));
    specs.extend(shown.map(|(one, field)| (Spec::new().observation(one), ("observation", 0, field))));
    let of_body = [
        |body| Variation::position(body, [0.0; 2], [0.0; 2]),
        |body| Variation::angle(body, 0.0, 1.0),
        |body| Variation::velocity(body, [0.0; 2], [0.0; 2]),
        |body| Variation::spin(body, 0.0, 1.0),
        |body| Variation::density(body, 0.0, 1.0),
        |body| Variation::mass(body, 0.0, 1.0),
        |body| Variation::friction(body, 0.0, 1.0),
        |body| Variation::restitution(body, 0.0, 1.0),
        |body| Variation::gravity_scale(body, 0.0, 1.0),
    ];
    let of_joint = [Variation::motor_speed(axle, 0.0, 1.0), Variation::servo_target(knee, 0.0, 1.0)];
    let drawn = of_body.map(|of| (of(hull), "body")).into_iter().chain(of_joint.map(|one| (one, "joint")));
    specs.extend(drawn.map(|(one, field)| (Spec::new().variation(one), ("variation", 0, field))));
    for end in [
        End::outside(hull, [0.0; 2], [1.0; 2]),
        End::angle_beyond(hull, 1.0),
        End::touches(hull),
        End::asleep(hull),
    ] {
        specs.push((Spec::new().end(end), ("end", 0, "body")));
    }
    let empty = World::default();
    for (spec, expected) in specs {
        assert_eq!(refused(&empty, spec.clone()), expected);
        assert_eq!(spec.check(&it.world), Ok(()));
        let both = Batch::from_starts(&[it.world.clone(), empty.clone()], 2).expect("two");
        assert!(matches!(both.spec(&spec), Err(Error::Spec(_))));
    }
    // The other body of an item is gone, and the first one is there.
    let mut without = it.world.clone();
    without.remove(pad).expect("it is there");
    for (spec, expected) in [
        (Spec::new().observation(Observation::angle(hull).relative_to(pad)), ("observation", 0, "other")),
        (Spec::new().observation(Observation::touches(hull).with_body(pad)), ("observation", 0, "other")),
        (Spec::new().variation(Variation::spin(hull, 0.0, 1.0).also(pad)), ("variation", 0, "also")),
        (Spec::new().end(End::angle_beyond(hull, 1.0).relative_to(pad)), ("end", 0, "other")),
        (Spec::new().end(End::touches(hull).with_body(pad)), ("end", 0, "other")),
        (Spec::new().end(End::touches(hull).except(pad)), ("end", 0, "except")),
    ] {
        assert_eq!(refused(&without, spec.clone()), expected);
        assert_eq!(spec.check(&it.world), Ok(()));
    }
}
