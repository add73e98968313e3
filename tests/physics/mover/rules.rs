//! Rules of every call: filters, touches, bad numbers, the same bits anywhere, no allocation.

use super::levels::room;
use super::{DT, GRAVITY, Hero, ROOM};
use carom::prelude::*;
use carom::{Error, Filter, IVec2, MoverDef, ShapeError, Stride};
use testkit::memory;
use testkit::random::Random;
use testkit::worlds::{self, add, check_range, earth, ground, step, wall};

#[test]
fn sensors_and_what_is_filtered_out_are_not_there() {
    let mut world = earth();
    ground(&mut world);
    let ghost = Filter { category: 4, ..Filter::default() };
    add(&mut world, BodyDef::fixed().at([1.0, 1.0]).shape(ShapeDef::from(Shape::rect(0.2, 2.0)).sensor()));
    add(&mut world, BodyDef::fixed().at([2.0, 1.0]).shape(Shape::rect(0.2, 2.0)).filter(ghost));
    let door = wall(&mut world, [3.0, 1.0], 0.2, 2.0);
    let filter = QueryFilter::default().mask(!4).without(door);
    let run = |filter: QueryFilter| {
        let (mut mover, mut place) = (Mover::default(), WorldPoint::from([0.0, 0.91]));
        for _ in 0..120 {
            let stride = Stride::new([4.0, -0.1], DT).among(filter);
            place = mover.slide_by(&world, place, &stride).expect("in range").position;
        }
        place.position().x
    };
    check_range("among all, stopped at", run(QueryFilter::default()), 1.58..1.60);
    check_range("among some, stopped at", run(filter.mask(u64::MAX).without(door)), 1.58..1.60);
    check_range("without both", run(filter), 7.9..);
    check_range("with sensors asked for", run(filter.with_sensors()), 7.9..);
}

#[test]
fn touches_name_what_was_met() {
    let mut world = earth();
    let floor = ground(&mut world);
    let block = wall(&mut world, [1.0, 1.0], 1.0, 2.0);
    let mut hero = Hero::new(MoverDef::default(), [0.0, 0.91]);
    (0..30).for_each(|_| {
        hero.run(&world, 4.0);
    });
    let touches = hero.mover.touches();
    assert_eq!(touches.iter().map(|touch| touch.body).collect::<Vec<_>>(), [block, floor]);
    assert!(
        (touches[0].normal - vec2(-1.0, 0.0)).length() < 1.0e-5 && (touches[0].speed - 4.0).abs() < 1.0e-3
    );
    assert!((touches[0].point.position().x - 0.5).abs() < 1.0e-4);
    assert!((touches[1].speed - GRAVITY * DT).abs() < 1.0e-4, "its weight");
}

#[test]
fn bad_numbers_are_refused() {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 1.0e30];
    let good = MoverDef::default;
    for x in bad {
        let defs = [
            good().skin(x),
            good().max_slope(x),
            good().step(x),
            MoverDef { step_width: x, ..good() },
            good().snap(x),
            good().push(x, 1.0),
            good().push(1.0, x),
        ];
        for def in defs {
            assert!(matches!(Mover::new(def.clone()), Err(Error::BadNumber(_))), "{def:?}");
        }
        assert!(x == -1.0 || Mover::new(good().up([x, 1.0])).is_err());
    }
    let not_convex = Shape::chain(&[Vec2::ZERO, Vec2::X]);
    let shapes = [
        (Shape::circle(-1.0), ShapeError::NotPositive),
        (not_convex, ShapeError::NotApplicable),
        (Shape::half_plane(Vec2::ZERO, Vec2::Y), ShapeError::NotApplicable),
        (Shape::compound([Shape::circle(1.0), Shape::circle(2.0)]), ShapeError::NotApplicable),
    ];
    for (shape, error) in shapes {
        assert_eq!(Mover::new(MoverDef::new(shape)).map(|_| ()), Err(Error::Shape(error)));
    }
    assert!(Mover::new(good().skin(0.0)).is_err());

    let mut world = earth();
    let floor = ground(&mut world);
    let mut mover = Mover::default();
    let body = add(&mut world, BodyDef::kinematic().at([0.0, 0.91]).shape(good().shape));
    let gone = add(&mut world, BodyDef::kinematic());
    world.remove(gone).expect("it is there");
    let before = world.clone();
    for x in bad {
        for velocity in [vec2(x, 0.0), vec2(0.0, x)].into_iter().filter(|_| x != -1.0) {
            assert!(mover.slide(&world, [0.0, 2.0], velocity, DT).is_err());
            assert!(mover.move_body(&mut world, body, velocity, DT).is_err());
        }
        assert!(mover.slide(&world, [0.0, 2.0], [1.0, 0.0], x).is_err());
        assert!(mover.move_body(&mut world, body, [1.0, 0.0], x).is_err());
        assert!(mover.push(&mut world, x).is_err());
        assert!(x.is_finite() || mover.slide(&world, [x, 2.0], [1.0, 0.0], DT).is_err());
    }
    let velocity = [1.0, 0.0];
    assert_eq!(mover.move_body(&mut world, gone, velocity, DT).map(|_| ()), Err(Error::NoSuchBody(gone)));
    assert!(matches!(mover.move_body(&mut world, floor, velocity, DT), Err(Error::BadNumber(_))));
    assert_eq!(worlds::difference(&world, &before), None, "nothing was changed");
    let still = mover.slide(&world, [20.0, 0.9101], [4.0, -1.0], 0.0).expect("a step of no length");
    assert!(still.motion.length() < ROOM && still.grounded());
    assert!(mover.slide(&world, [0.0, 5.0], [7.0e5, -7.0e5], 1.0).is_ok());
}

/// A journey with everything in it, to the bit: in two worlds alike, and at the other end of the
/// world.
#[test]
fn the_same_bits_twice_and_anywhere() {
    let journey = |region: IVec2| {
        let mut random = Random::new(77);
        let mut world = room(&mut random, region);
        let center = WorldPoint::new(region, vec2(500.0, -3.0));
        let lift = BodyDef::kinematic().at(center.offset(vec2(6.0, 0.0))).velocity([-0.5, 0.2]).spin(0.3);
        add(&mut world, lift.shape(Shape::rect(3.0, 0.3)));
        for _ in 0..10 {
            let at = center.offset(random.vec2(9.0));
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(0.5, 0.5)).density(20.0));
        }
        let mut mover = Mover::default();
        let body = BodyDef::kinematic().at(center.offset(vec2(0.0, 4.0))).shape(mover.def().shape.clone());
        let body = add(&mut world, body);
        let (mut velocity, mut log, mut run) = (Vec2::ZERO, Vec::new(), 0.0);
        for k in 0..900 {
            run = if k % 60 == 0 { random.range(-6.0, 6.0) as f32 } else { run };
            let up = if k % 90 == 0 { 6.0 } else { velocity.y - GRAVITY * DT };
            let outcome = mover.move_body(&mut world, body, vec2(run, up), DT).expect("in range");
            velocity = outcome.velocity;
            step(&mut world);
            let place = outcome.position;
            log.push(
                [place.local.x, place.local.y, velocity.x, velocity.y, outcome.crushed].map(f32::to_bits),
            );
            assert!((place.region - region).abs().max_element() <= 1);
        }
        log
    };
    let here = journey(IVec2::ZERO);
    assert_eq!(here, journey(IVec2::ZERO));
    assert_eq!(here, journey(IVec2::new(1_000_000, -1_000_000)));
    assert!(here.windows(2).filter(|pair| pair[0] != pair[1]).count() > 300, "it does move");
}

#[test]
fn a_copy_goes_on_the_same_way() {
    let world = room(&mut Random::new(9), IVec2::ZERO);
    let mut hero = Hero::new(MoverDef::default(), [500.0, -3.0]);
    (0..50).for_each(|k| {
        hero.run(&world, if k % 40 < 20 { 3.0 } else { -3.0 });
    });
    let mut copy = hero.clone();
    for _ in 0..100 {
        assert_eq!(hero.run(&world, 2.0), copy.run(&world, 2.0));
    }
}

#[test]
fn a_warm_mover_allocates_nothing() {
    let mut world = earth();
    for k in 0..200 {
        wall(&mut world, [k as f32 - 99.5, -0.5 + 0.1 * (k % 3) as f32], 1.0, 1.0);
    }
    let mut hero = Hero::new(MoverDef::default(), [-90.0, 1.5]);
    (0..300).for_each(|_| {
        hero.run(&world, 4.0);
    });
    let asked = memory::asked_by(|| {
        (0..600).for_each(|_| {
            hero.run(&world, 4.0);
        });
    });
    assert_eq!(asked.pieces, 0);
}

/// Beyond the last region there is nothing to stand on.
#[test]
fn the_end_of_the_world_is_an_error() {
    let world = earth();
    let mut mover = Mover::default();
    let last = WorldPoint::new(IVec2::new(i32::MAX, 0), vec2(500.0, 0.0));
    assert!(matches!(mover.slide(&world, last, [1.0e4, 0.0], 1.0), Err(Error::BadNumber(_))));
    assert!(mover.slide(&world, last, [-1.0e4, 0.0], 1.0).is_ok());
}
