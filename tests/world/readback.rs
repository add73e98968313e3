//! Definitions can be read back as they were given, and what was refused says why.

use std::error::Error as _;

use carom::prelude::*;
use carom::{Combine, Error, Limits, Mass, Motor, Servo, Weight};
use testkit::worlds::{add, check_range, run, space};

/// Every number of a definition, as the body tells it.
#[test]
fn bodies_tell_what_they_were_made_from() {
    let mut world = space();
    let def = BodyDef {
        linear_damping: 0.25,
        angular_damping: 0.5,
        mass: Some(Mass { mass: 2.0, center: vec2(0.5, 0.0), inertia: 3.0 }),
        ..BodyDef::dynamic().at([1.0, 2.0]).velocity([3.0, 4.0]).spin(2.0).gravity_scale(0.75).sleepless()
    };
    let id = add(&mut world, def.shape(Shape::circle(0.5)).user_data(7));
    let body = &world[id];
    assert_eq!((body.kind(), body.can_sleep(), body.user_data()), (BodyKind::Dynamic, false, 7));
    assert_eq!((body.linear_damping(), body.angular_damping(), body.gravity_scale()), (0.25, 0.5, 0.75));
    assert_eq!((body.mass(), body.inertia(), body.local_center()), (2.0, 3.0, vec2(0.5, 0.0)));
    // ½ 2 · 5² + ½ 3 · 2²
    assert_eq!((body.kinetic_energy(), body.momentum()), (31.0, vec2(6.0, 8.0)));
    assert_eq!((body.force(), body.torque()), (Vec2::ZERO, 0.0));
    // A force at the origin of the body, half a metre left of its centre of mass: 4 N up turn it by
    // -2 N m.
    world.apply_force_at(id, [0.0, 4.0], [1.0, 2.0]).expect("it is there");
    assert_eq!((world[id].force(), world[id].torque()), (vec2(0.0, 4.0), -2.0));
    world.set_can_sleep(id, true).expect("it is there");
    run(&mut world, 1);
    assert_eq!((world[id].force(), world[id].torque(), world[id].can_sleep()), (Vec2::ZERO, 0.0, true));
}

/// Each error names its rule; shapes and materials pass on what they said.
#[test]
fn errors_say_what_is_wrong() {
    let mut world = space();
    let [a, b] =
        [0.0, 2.0].map(|x| add(&mut world, BodyDef::dynamic().at([x, 0.0]).shape(Shape::circle(0.5))));
    let weld = world.add_joint(JointDef::weld(a, b)).expect("it breaks no rule");
    let bad_shape = world.attach(a, Shape::circle(-1.0)).map(|_| ());
    let bad_material =
        world.attach(a, ShapeDef::from(Shape::circle(1.0)).material(Material::default().friction(-1.0)));
    let cases = [
        (bad_shape, "a radius, width or height must be above 0", true),
        (bad_material.map(|_| ()), "a static friction must be 0 or more", true),
        (
            world.add_joint(JointDef::weld(a, a)).map(|_| ()),
            "a joint needs two bodies, not body#0v1 twice",
            false,
        ),
        (
            world.add_joint(JointDef::gear(weld, weld, 1.0)).map(|_| ()),
            "joint#0v1 cannot be geared: a gear couples two different revolute or prismatic joints",
            false,
        ),
        (Err(Error::Full), "a world holds at most 2^32 - 2 bodies", false),
        (world.set_gravity_scale(a, f32::NAN), "a gravity scale must be finite, and at most 1e9", false),
    ];
    for (answer, words, passed_on) in cases {
        let error = answer.expect_err(words);
        assert!(error.to_string().contains(words), "{error} for {words}");
        assert_eq!(error.source().map(ToString::to_string), passed_on.then(|| error.to_string()));
    }
}

/// A box of friction 0.2 on a floor of 0.8, pushed off at 4 m/s: the way until it stands, by the
/// coefficient of the pair, v² / 2 μ g.
#[test]
fn surfaces_are_mixed_by_the_stronger_rule() {
    for (rule, mixed) in [
        (Combine::Average, 0.5),
        (Combine::GeometricMean, 0.4),
        (Combine::Max, 0.8),
        (Combine::Multiply, 0.16),
        (Combine::Min, 0.2),
    ] {
        let mut world = World::new(WorldDef::default().sleepless());
        let of = |friction: f32, friction_rule| Material {
            friction_rule,
            ..Material::default().friction(friction)
        };
        // The weakest of the rules on the floor: the other one decides.
        let floor = BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(200.0, 2.0));
        add(&mut world, floor.material(of(0.8, Combine::Average)));
        let block = BodyDef::dynamic().at([0.0, 0.2]).velocity([4.0, 0.0]).shape(Shape::rect(2.0, 0.4));
        let block = add(&mut world, block.material(of(0.2, rule)));
        run(&mut world, 300);
        let way = 16.0 / (2.0 * mixed * 9.81);
        check_range("way", world[block].position().x, way * 0.97..way * 1.03);
    }
}

/// A filter's category, mask and predicate each decide which shapes answer.
#[test]
fn category_mask_and_predicate_filter_answers() {
    let mut world = space();
    let wall = |x: f32, category: u64, mask: u64| {
        let filter = Filter { category, mask, group: 0 };
        BodyDef::fixed()
            .at([x, 0.0])
            .shape(ShapeDef::from(Shape::circle(0.5)).filter(filter).user_data(category))
    };
    let ids = [(2.0, 1, 1), (4.0, 2, 2), (6.0, 4, 3)]
        .map(|(x, category, mask)| add(&mut world, wall(x, category, mask)));
    let first =
        |filter: QueryFilter| world.ray(WorldRay::new([0.0, 0.0], [9.0, 0.0]), &filter).map(|hit| hit.body);
    let all = QueryFilter::default();
    assert_eq!(first(all), Some(ids[0]));
    assert_eq!(
        [1, 2, 4, 8].map(|mask| first(all.mask(mask))),
        [Some(ids[0]), Some(ids[1]), Some(ids[2]), None]
    );
    // Who asks as category 2 is met by masks that have it; as 4, by none.
    assert_eq!([1, 2, 4].map(|category| first(all.category(category))), [Some(ids[0]), Some(ids[1]), None]);
    let last = |shape: ShapeId| world[shape].user_data() == 4;
    assert_eq!(first(all.only(&last)), Some(ids[2]));
    assert_eq!(first(all.only(&last).without(ids[2])), None);
    let words = format!("{:?}", all.only(&last).mask(2).without(ids[1]));
    assert!(
        words.contains("mask: 2") && words.contains("body#1v1") && words.contains("predicate: true"),
        "{words}"
    );
}

/// Short forms are what they stand for.
#[test]
fn short_forms_equal_what_they_stand_for() {
    let servo = Servo::new(1.0, Spring::new(2.0, 0.5)).max(9.0);
    assert_eq!((servo.target, servo.force), (1.0, Limits::new(-9.0, 9.0)));
    assert_eq!(Motor::new(3.0, 4.0), Motor { speed: 3.0, max: 4.0 });
    assert_eq!(Rot::default(), Rot::IDENTITY);
    let def = BodyDef::dynamic().shape(Shape::circle(1.0)).density(3.0).asleep().user_data(5);
    assert_eq!((def.awake, def.user_data, def.shapes[0].weight), (false, 5, Weight::Density(3.0)));
}
