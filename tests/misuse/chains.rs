//! What chains cannot be used for: solid shapes of dynamic bodies.

use carom::prelude::*;

/// Solid chains are for what forces do not move; every way to have one on a dynamic body is
/// refused, and changes nothing.
#[test]
fn a_dynamic_body_has_no_solid_chain() {
    let chain = || Shape::chain(&[vec2(-1.0, 0.0), vec2(0.0, 0.5), vec2(1.0, 0.0)]);
    let refused = Err(Error::DynamicChain);
    let mut world = World::default();
    let crate_ = world.add(BodyDef::dynamic().shape(Shape::rect(1.0, 1.0))).expect("a crate");
    let (handle, _) = world.shapes_of(crate_).next().expect("its shape");
    let ledge = world.add(BodyDef::kinematic().at([9.0, 0.0]).shape(chain())).expect("a ledge");
    let zone = world.add(BodyDef::dynamic().at([-9.0, 0.0]).shape(ShapeDef::from(chain()).sensor()));
    let zone = zone.expect("sensors may be chains");
    let (sensor, _) = world.shapes_of(zone).next().expect("its shape");
    let before = world.hash();
    assert_eq!(world.add(BodyDef::dynamic().shape(chain())).map(|_| ()), refused);
    assert_eq!(world.attach(crate_, chain()).map(|_| ()), refused);
    assert_eq!(world.set_shape(handle, chain()), refused);
    assert_eq!(world.set_kind(ledge, BodyKind::Dynamic), refused);
    assert_eq!(world.set_sensor(sensor, false), refused);
    assert_eq!(world.hash(), before);
    let text = Error::DynamicChain.to_string();
    assert!(text.contains("compound"), "it says what to take: {text}");
}

/// A solid shape of a dynamic body is at least a millimetre across; what forces do not move, and
/// sensors, may be smaller.
#[test]
fn a_dynamic_body_is_no_speck() {
    let speck = || Shape::circle(0.0004);
    let mut world = World::default();
    let peg = world.add(BodyDef::fixed().shape(speck())).expect("a fixed speck");
    let sensor = BodyDef::dynamic().shape(Shape::circle(0.5)).shape(ShapeDef::from(speck()).sensor());
    let body = world.add(sensor).expect("a body with a small sensor");
    let before = world.hash();
    for refused in [
        world.add(BodyDef::dynamic().shape(speck())).map(|_| ()),
        world.attach(body, speck()).map(|_| ()),
        world.set_kind(peg, BodyKind::Dynamic),
    ] {
        let error = refused.expect_err("too small");
        assert!(error.to_string().contains("1 mm"), "{error}");
    }
    assert_eq!(world.hash(), before);
    world.add(BodyDef::dynamic().shape(Shape::circle(0.0005))).expect("a millimetre across");
}
