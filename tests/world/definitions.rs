//! Definitions as one writes them down: in any order, with a word for each thing, and refused where
//! they say nothing.

use carom::prelude::*;
use carom::{Error, Filter, Mass, ShapeDef, Weight};
use testkit::worlds::{add, space};

/// What is said of a body holds for its shapes, whether they come before or after; a shape that
/// says something itself keeps it.
#[test]
fn builders_hold_for_shapes_before_and_after() {
    let ice = Material::default().friction(0.02);
    let ghost = Filter { category: 4, mask: 0, group: -1 };
    let [one, other] = [Shape::rect(1.0, 0.2), Shape::circle(0.5)];
    let said = |def: BodyDef| def.material(ice).density(7.0).filter(ghost);
    let first = said(BodyDef::dynamic()).shape(one.clone()).shape(other.clone());
    let last = said(BodyDef::dynamic().shape(one.clone()).shape(other.clone()));
    let between = said(BodyDef::dynamic().shape(one.clone())).shape(other.clone());
    assert!(first == last && first == between);
    for shape in &first.shapes {
        assert_eq!((shape.material, shape.weight, shape.filter), (ice, Weight::Density(7.0), ghost));
    }
    let own = ShapeDef::from(other).material(Material::elastic()).mass(3.0);
    let mixed = said(BodyDef::dynamic()).shape(own).shape(one);
    assert_eq!((mixed.shapes[0].material, mixed.shapes[0].weight), (Material::elastic(), Weight::Mass(3.0)));
    assert_eq!((mixed.shapes[0].filter, mixed.shapes[1].material), (ghost, ice));
    // The world weighs what was said.
    let mut world = space();
    let sled = add(&mut world, BodyDef::dynamic().density(7.0).shape(Shape::rect(2.0, 0.5)));
    assert_eq!(world[sled].mass(), 7.0);
}

/// Mass, damping and whether a body takes part have a builder each.
#[test]
fn bodies_have_a_builder_for_each_thing() {
    let mass = Mass { mass: 5.0, center: vec2(0.1, 0.2), inertia: 2.0 };
    let def = BodyDef::dynamic().mass(mass).damping(0.1, 0.2).disabled();
    assert_eq!(
        (def.mass, def.linear_damping, def.angular_damping, def.enabled),
        (Some(mass), 0.1, 0.2, false)
    );
    assert_eq!(Material::default().rolling_resistance(0.01).rolling_resistance, 0.01);
    let world = WorldDef::default().sub_steps(7).hit_speed(0.5);
    assert_eq!((world.sub_steps, world.hit_speed), (7, 0.5));
}

/// A definition that breaks a rule stops a program that is being written, and takes the default of
/// that number alone from one that is finished.
#[test]
fn a_new_world_tells_of_a_bad_number() {
    let def = WorldDef::default().gravity([0.0, -3.0]).sub_steps(0);
    let is_debug = cfg!(debug_assertions);
    let made = std::panic::catch_unwind(|| World::new(def));
    match made {
        Ok(world) => {
            assert!(!is_debug, "it panics");
            assert_eq!(*world.def(), WorldDef { sub_steps: WorldDef::default().sub_steps, ..def });
        }
        Err(message) => {
            assert!(is_debug, "it is mended");
            assert_eq!(
                message.downcast_ref::<String>().map(String::as_str),
                Some("a step has 1 to 64 sub-steps")
            );
        }
    }
    assert!(matches!(World::try_new(def), Err(Error::BadNumber(_))));
}

/// Two discs that meet at 0.4 m/s are a hit where that is asked for, in a world that was saved and
/// loaded as in the first one, and none by default.
#[test]
fn the_slowest_hit_is_settable() {
    for (hit_speed, hits) in [(1.0, 0), (0.41, 0), (0.39, 1), (0.0, 1), (f32::INFINITY, 0)] {
        let mut world = World::new(WorldDef { hit_speed, ..*space().def() });
        add(&mut world, BodyDef::dynamic().at([-0.51, 0.0]).velocity([0.2, 0.0]).shape(Shape::circle(0.5)));
        add(&mut world, BodyDef::dynamic().at([0.51, 0.0]).velocity([-0.2, 0.0]).shape(Shape::circle(0.5)));
        let mut image = Vec::new();
        world.save_whole_into(&mut image);
        let mut copy = World::default();
        copy.load(&image).expect("it is an image");
        assert_eq!(copy.def(), world.def());
        for mut world in [world.clone(), copy, world] {
            let (mut told, mut begun) = (0, 0);
            for _ in 0..6 {
                world.step(1.0 / 60.0).expect("dt is in range");
                told += world.events().hits().len();
                begun += world.events().begun().len();
            }
            // With no least speed, what still trembles as it rests is told of again.
            let is_told = if hit_speed == 0.0 { told >= hits } else { told == hits };
            assert!(is_told && begun == 1, "{hit_speed}: {told} {begun}");
        }
    }
    for bad in [-0.1, f32::NAN] {
        assert!(matches!(World::try_new(WorldDef::default().hit_speed(bad)), Err(Error::BadNumber(_))));
    }
}

/// A pair that parts between two steps and meets again within the next one is in both lists; a set
/// that takes what ended out before it puts in what began is that of the touches there are.
#[test]
fn ends_are_read_before_beginnings() {
    let mut world = World::default();
    add(&mut world, BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(8.0, 1.0)));
    let crate_ = add(&mut world, BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)));
    let face = world.shapes_of(crate_).next().map(|(id, _)| id).expect("it has a shape");
    let (mut touching, mut both) = (std::collections::HashSet::new(), 0);
    for frame in 0..60 {
        if frame % 10 == 5 {
            world.set_shape(face, Shape::rect(1.0, 1.0)).expect("it is there");
        }
        world.step(1.0 / 60.0).expect("dt is in range");
        let (ended, begun) = (world.events().ended(), world.events().begun());
        both += ended.iter().filter(|touch| begun.contains(touch)).count();
        ended.iter().for_each(|touch| assert!(touching.remove(&(touch.a, touch.b)), "{frame}"));
        begun.iter().for_each(|touch| assert!(touching.insert((touch.a, touch.b)), "{frame}"));
        let now: std::collections::HashSet<_> = world.contacts().map(|c| (c.touch.a, c.touch.b)).collect();
        assert_eq!(touching, now, "{frame}");
    }
    assert!(both >= 5, "{both}");
}

/// What a wheel limits has a name each; what means neither is refused, and says what to call it.
#[test]
fn limits_of_wheels_say_which() {
    let mut world = space();
    let car = add(&mut world, BodyDef::dynamic().shape(Shape::rect(2.0, 0.5)));
    let tyre = add(&mut world, BodyDef::dynamic().at([0.0, -1.0]).shape(Shape::circle(0.4)));
    let wheel = JointDef::wheel(car, tyre, [0.0, 1.0], Spring::new(4.0, 0.7)).at([0.0, -1.0]);
    let refused = world.add_joint(wheel.limits(-0.2, 0.2)).expect_err("it says not which");
    assert!(matches!(refused, Error::WrongKind(_)) && refused.to_string().contains("travel_limits"));
    for wrong in [
        JointDef::weld(car, tyre).angle_limits(0.0, 1.0),
        JointDef::revolute(car, tyre).travel_limits(0.0, 1.0),
    ] {
        assert!(matches!(world.add_joint(wrong), Err(Error::WrongKind(_))));
    }
    // Driven at 10 rad/s for a second, it turns by 10 rad, and is stopped at 1 where it is told so.
    for (def, angle) in [(wheel.travel_limits(-0.2, 0.2), 10.0), (wheel.angle_limits(-1.0, 1.0), 1.0)] {
        let mut world = world.clone();
        let joint = world.add_joint(def.motor(10.0, 1e3)).expect("it breaks no rule");
        for _ in 0..60 {
            world.step(1.0 / 60.0).expect("dt is in range");
        }
        let state = world.joint_state(joint).expect("it is there");
        assert!((state.angle - angle).abs() < 0.02 * angle, "{} {angle}", state.angle);
    }
    // Pushed up by a hundred newtons, the spring gives way up to its limit, and no further.
    let joint = world.add_joint(wheel.travel_limits(-0.1, 0.1)).expect("it breaks no rule");
    for _ in 0..60 {
        let up = world[car].rotation().x_axis().perp();
        world.apply_force(tyre, up * 1000.0).expect("it is there");
        world.apply_force(car, up * -1000.0).expect("it is there");
        world.step(1.0 / 60.0).expect("dt is in range");
    }
    let travel = world.joint_state(joint).expect("it is there").length;
    assert!((travel - 0.1).abs() < 0.01, "{travel}");
}

/// A place without an angle leaves a body turned as it is, to the bit, also when the calls are
/// recorded and made again.
#[test]
fn places_without_an_angle_turn_nothing() {
    let mut world = space();
    let crate_ = add(&mut world, BodyDef::dynamic().angle(0.7).shape(Shape::rect(1.0, 2.0).at([0.3, 0.1])));
    let lift = add(&mut world, BodyDef::kinematic().at([9.0, 0.0]).angle(-2.0).shape(Shape::rect(1.0, 2.0)));
    let turned = [world[crate_].rotation(), world[lift].rotation()];
    world.record(carom::Recorder { key_every: 0, hashes: true });
    world.teleport(crate_, [5.0, 6.0], None).expect("it is there");
    assert_eq!((world[crate_].position(), world[crate_].rotation()), (vec2(5.0, 6.0), turned[0]));
    world.move_to(lift, [9.0, 0.1], None).expect("it is there");
    world.step(1.0 / 60.0).expect("dt is in range");
    assert!((world[lift].position() - vec2(9.0, 0.1)).length() < 1e-6);
    assert_eq!(world[lift].rotation(), turned[1]);
    world.teleport(crate_, [5.0, 6.0], 0.25).expect("it is there");
    assert!((world[crate_].angle() - 0.25).abs() < 1e-6);
    let hash = world.hash();
    let recording = world.stop_recording().expect("it was on");
    let bytes = recording.to_bytes();
    let mut replay = carom::Recording::from_bytes(&bytes).expect("it can be read").replay();
    assert_eq!(replay.first_divergence(), None);
    while replay.step().expect("it can be made again") {}
    assert_eq!(replay.world().hash(), hash);
    let refused = world.move_to(crate_, [0.0, 0.0], None);
    assert_eq!(refused, Err(Error::NotKinematic(crate_)));
    assert!(refused.expect_err("it is dynamic").to_string().contains("teleport"));
}

/// Dragging, motors and targets in one call each do what `change_joint` does, and are refused where
/// the joint has no such thing.
#[test]
fn joints_are_driven_in_one_call() {
    let mut world = space();
    let body =
        |world: &mut World, x: f32| add(world, BodyDef::dynamic().at([x, 0.0]).shape(Shape::circle(0.4)));
    let [ball, wheel, door] = [0.0, 5.0, 10.0].map(|x| body(&mut world, x));
    let mouse = world.add_joint(JointDef::drag(ball, [0.0, 0.0], 100.0)).expect("it breaks no rule");
    let axle = world.add_joint(JointDef::revolute(None, wheel).at([5.0, 0.0])).expect("it breaks no rule");
    let hinge = JointDef::revolute(None, door).at([10.0, 0.0]).servo(0.0, Spring::new(4.0, 1.0));
    let hinge = world.add_joint(hinge).expect("it breaks no rule");
    let mut other = world.clone();
    world.drag_to(mouse, [0.0, 1.0]).expect("it is there");
    world.set_motor(axle, Motor::new(3.0, 100.0)).expect("it is there");
    world.set_target(hinge, 1.0).expect("it is there");
    other.change_joint(mouse, |def| *def = def.drag_to([0.0, 1.0])).expect("it is there");
    other.change_joint(axle, |def| *def = def.motor(3.0, 100.0)).expect("it is there");
    other.change_joint(hinge, |def| *def = def.servo(1.0, Spring::new(4.0, 1.0))).expect("it is there");
    for _ in 0..120 {
        world.step(1.0 / 60.0).expect("dt is in range");
        other.step(1.0 / 60.0).expect("dt is in range");
    }
    assert_eq!(world.hash(), other.hash());
    assert!((world[ball].position() - vec2(0.0, 1.0)).length() < 0.01);
    assert!((world[wheel].angular_velocity() - 3.0).abs() < 1e-3 && (world[door].angle() - 1.0).abs() < 1e-2);
    world.set_motor(axle, None).expect("it is there");
    assert_eq!(world[axle].def().drive.motor, None);
    let refused = [
        world.drag_to(axle, [0.0, 0.0]),
        world.set_target(axle, 1.0),
        world.set_motor(mouse, Motor::new(1.0, 1.0)),
    ];
    assert!(refused.iter().all(|answer| matches!(answer, Err(Error::WrongKind(_)))), "{refused:?}");
}

/// A point and a movement add up as `offset` does, across regions too.
#[test]
fn points_and_movements_add_up() {
    let start = WorldPoint::from([500.0, -500.0]);
    let way = vec2(20.25, -30.5);
    let mut point = start;
    point += way;
    assert_eq!((point, start + way), (start.offset(way), start.offset(way)));
    assert!(point.region != start.region);
    point -= way;
    assert_eq!((point, start.offset(way) - way), (start, start));
}

/// A crate that slides to the right presses with its weight, and friction holds it back: both as
/// sums over its two points, in the order of the shapes or the other one.
#[test]
fn contacts_say_what_each_point_bears() {
    for crate_first in [false, true] {
        let mut world = World::default();
        let ground = BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(80.0, 1.0));
        let material = Material::default().friction(0.5);
        let slide = BodyDef::dynamic().at([0.0, 0.5]).velocity([8.0, 0.0]).shape(Shape::rect(1.0, 1.0));
        let (ground, slide) = (ground.material(material), slide.material(material));
        let crate_ = if crate_first {
            let crate_ = add(&mut world, slide);
            add(&mut world, ground);
            crate_
        } else {
            add(&mut world, ground);
            add(&mut world, slide)
        };
        for _ in 0..30 {
            world.step(1.0 / 60.0).expect("dt is in range");
        }
        assert!(world[crate_].velocity().x > 2.0);
        let contact = world.contacts_of_body(crate_).next().expect("it lies there");
        assert_eq!((contact.points().len(), contact.touch.body_a == crate_), (2, crate_first));
        let [first, second] = [contact.points()[0], contact.points()[1]];
        let weight = 9.81 / 60.0;
        assert!((first.normal_impulse + second.normal_impulse - weight).abs() < 0.02 * weight, "{contact:?}");
        assert!((contact.impulse - weight).abs() < 0.02 * weight, "{contact:?}");
        // Along the normal turned clockwise, on the second shape.
        let clockwise = vec2(contact.normal.y, -contact.normal.x);
        let friction = first.friction_impulse + second.friction_impulse;
        let on_crate = clockwise * friction * if crate_first { -1.0 } else { 1.0 };
        assert!((on_crate - vec2(-0.5 * weight, 0.0)).length() < 0.02 * weight, "{on_crate} {contact:?}");
        assert!(contact.points().iter().all(|point| point.separation.abs() < 0.01), "{contact:?}");
        // Resting on a front edge as it brakes, it presses more there.
        assert!(first.normal_impulse != second.normal_impulse);
    }
}

/// Each rule of a material is named alone.
#[test]
fn materials_name_the_broken_rule() {
    use carom::MaterialError as Rule;
    let whole = Material::default();
    let cases = [
        (whole.restitution(1.1), Rule::Restitution, "restitution"),
        (Material { static_friction: -1.0, ..whole }, Rule::StaticFriction, "static"),
        (Material { kinetic_friction: f32::NAN, ..whole }, Rule::KineticFriction, "kinetic"),
        (Material { kinetic_friction: 0.9, ..whole }, Rule::KineticAboveStatic, "above the static"),
        (whole.rolling_resistance(-0.1), Rule::RollingResistance, "rolling"),
        (Material { surface_speed: f32::INFINITY, ..whole }, Rule::SurfaceSpeed, "speed"),
    ];
    for (material, rule, word) in cases {
        assert_eq!(material.checked(), Err(rule));
        assert!(rule.to_string().contains(word), "{rule}");
    }
    assert_eq!(whole.checked(), Ok(whole));
}

/// What most programs use comes by one line, and outlines are written as arrays or as vectors.
#[test]
fn the_prelude_has_what_games_use() {
    fn build() -> Result<(World, Ring), Error> {
        let mut world = World::default();
        let hill = Shape::chain(&[[0.0, 0.0], [4.0, 1.0], [8.0, 0.0]]);
        world.add(BodyDef::fixed().shape(hill).filter(Filter { category: 2, ..Filter::default() }))?;
        world.add(BodyDef::dynamic().at([4.0, 4.0]).locks(Locks::ROTATION).shape(Shape::circle(0.5)))?;
        let _ = (MoverDef::default(), Motor::new(1.0, 1.0), Drive::default());
        let shape = Shape::hull(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]);
        let mut found = Vec::new();
        world.overlap_shape(&PlacedShape::at(&shape, [4.0, 4.0]), &QueryFilter::default(), &mut found);
        assert_eq!(found.len(), 1);
        Ok((world, Ring::new(8)))
    }
    build().expect("it breaks no rule");
    let points = [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]];
    let vectors = points.map(Vec2::from);
    assert_eq!(Shape::polygon(&points), Shape::polygon(&vectors));
    assert_eq!(
        Shape::closed_chain(&points).checked().is_ok(),
        Shape::closed_chain(&vectors).checked().is_ok()
    );
    let star = [[1.0, 0.0], [0.0, 0.3], [-1.0, 0.0], [0.0, -0.3]];
    assert!(matches!(Shape::polar(&star), Shape::Polar(_)));
}
