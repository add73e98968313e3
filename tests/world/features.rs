//! The optional features: definitions written and read, approximate equality, mint's vectors.

mod definitions {
    use carom::prelude::*;
    use carom::{Combine, Mass};

    fn round_trip(shape: &Shape) -> Shape {
        let text = serde_json::to_string(shape).expect("every shape can be written");
        serde_json::from_str(&text).expect("what was written can be read")
    }

    #[test]
    fn every_kind_comes_back_as_it_was() {
        let corners = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(1.0, 1.5)];
        let ship = [vec2(1.0, 0.0), vec2(-1.0, 1.0), vec2(-0.5, 0.0), vec2(-1.0, -1.0)];
        let shapes = [
            Shape::circle(0.5).at([1.0, 2.0]),
            Shape::capsule([0.0, 0.0], [1.0, 0.0], 0.25),
            Shape::segment([0.0, 0.0], [1.0, 0.0]),
            Shape::rect(1.0, 2.0).rounded(0.125).at([3.0, 0.5]),
            Shape::polygon(&corners).rounded(0.25),
            Shape::polar(&ship),
            Shape::compound([Shape::circle(1.0), Shape::rect(1.0, 1.0).at([2.0, 0.0])]),
            Shape::chain(&corners),
            Shape::closed_chain(&corners),
            Shape::half_plane([0.0, 1.0], [0.0, 1.0]),
        ];
        for shape in shapes {
            assert!(shape.check().is_ok(), "{shape:?}");
            assert_eq!(round_trip(&shape), shape);
        }
    }

    #[test]
    fn what_a_constructor_refuses_cannot_be_read() {
        for text in [
            r#"{"circle":{"center":[0,0],"radius":-1}}"#,
            r#"{"rect":{"size":[1,0],"center":[0,0],"rotation":{"cos":1,"sin":0},"rounding":0}}"#,
            r#"{"rect":{"size":[1,1],"center":[0,0],"rotation":{"cos":5,"sin":0},"rounding":0}}"#,
            r#"{"polygon":{"points":[[0,0],[1,0],[2,0]],"rounding":0}}"#,
            r#"{"compound":{"parts":[]}}"#,
        ] {
            assert!(serde_json::from_str::<Shape>(text).is_err(), "{text}");
        }
        let invalid =
            serde_json::to_string(&Shape::Invalid(ShapeError::Empty)).expect("an error can be written");
        assert!(serde_json::from_str::<Shape>(&invalid).is_err());
    }

    macro_rules! comes_back {
        ($it:expr) => {{
            let it = $it;
            let text = serde_json::to_string(&it).expect("it can be written");
            let mut read = it.clone();
            assert_eq!(read, it);
            read = serde_json::from_str(&text).expect("it can be read");
            assert_eq!(read, it, "{text}");
        }};
    }

    /// Every definition comes back from JSON, which has no infinity, with every number that it may
    /// hold; a world made of what was read has the same bits.
    #[test]
    fn definitions_come_back_as_they_were() {
        let sticky = Material { weld_on_touch: true, friction_rule: Combine::Min, ..Material::sticky() };
        let ghost = Filter { category: 6, mask: u64::MAX, group: -7 };
        let ledge = ShapeDef::from(Shape::rect(4.0, 0.25)).one_way([0.0, 1.0]).filter(ghost).mass(3.0);
        let chain = ShapeDef::from(Shape::chain(&[[0.0, 0.0], [1.0, 0.5], [2.0, 0.0]])).sensor();
        let chain = chain.part_materials([Material::elastic(), sticky]).contact_hook().user_data(u64::MAX);
        let mass = Mass { mass: 2.0, center: vec2(0.1, 0.2), inertia: 0.3 };
        let bodies = [
            BodyDef::dynamic().at([3.0, 4.0]).angle(0.3).velocity([1.0, 2.0]).spin(0.5).shape(ledge.clone()),
            BodyDef::dynamic().density(2.0).material(sticky).filter(ghost).shape(Shape::circle(0.5)),
            BodyDef::kinematic()
                .damping(0.1, 0.2)
                .gravity_scale(0.5)
                .sleepless()
                .asleep()
                .shape(chain.clone()),
            BodyDef::dynamic().at([1e7, -3e5]).locks(Locks::ROTATION).disabled().mass(mass).user_data(9),
        ];
        comes_back!(sticky);
        comes_back!(ghost);
        comes_back!(ledge.clone());
        comes_back!(chain.clone());
        bodies.iter().for_each(|body| comes_back!(body.clone()));
        comes_back!(WorldDef::default());
        comes_back!(WorldDef { max_speed: f32::INFINITY, hit_speed: 0.0, ..WorldDef::default().sleepless() });
        // What a file leaves out is the default.
        let read: WorldDef = serde_json::from_str(r#"{"sub_steps":8}"#).expect("it can be read");
        assert_eq!(read, WorldDef::default().sub_steps(8));

        let (mut one, mut other) = (World::default(), World::default());
        let read = |body: &BodyDef| -> BodyDef {
            serde_json::from_str(&serde_json::to_string(body).expect("written")).expect("read")
        };
        let ids: Vec<_> =
            bodies.iter().map(|body| one.add(body.clone()).expect("it breaks no rule")).collect();
        for body in &bodies {
            other.add(read(body)).expect("it breaks no rule");
        }
        let hinge = |a, b| one.clone().add_joint(JointDef::revolute(a, b)).expect("it breaks no rule");
        let hinges = [hinge(ids[0], ids[1]); 2];
        for def in testkit::joint_defs::every_kind(ids[0], ids[1], hinges) {
            comes_back!(def);
        }
        let spring = Spring::new(2.0, 0.5);
        let def = JointDef::prismatic(None, ids[0], [1.0, 0.0]).limits(f32::NEG_INFINITY, 3.0);
        comes_back!(def.motor(1.0, f32::INFINITY).servo(0.5, spring).breaks_at(10.0, f32::INFINITY));
        one.add_joint(def).expect("it breaks no rule");
        let text = serde_json::to_string(&def).expect("written");
        other.add_joint(serde_json::from_str(&text).expect("read")).expect("it breaks no rule");
        for _ in 0..10 {
            one.step(1.0 / 60.0).expect("dt is in range");
            other.step(1.0 / 60.0).expect("dt is in range");
        }
        assert_eq!(one.hash(), other.hash());
        // A number that means nothing is not written down as if it meant no limit.
        assert!(serde_json::to_string(&def.limits(f32::NAN, 1.0)).is_err());
    }

    #[test]
    fn places_come_back_to_the_bit() {
        let place = Transform::new([1.5, -0.1], 0.7);
        let text = serde_json::to_string(&place).expect("written");
        assert_eq!(serde_json::from_str::<Transform>(&text).expect("read"), place);
        let point = WorldPoint::from([70_000.25, -3.0]);
        let text = serde_json::to_string(&point).expect("written");
        assert_eq!(serde_json::from_str::<WorldPoint>(&text).expect("read"), point);
    }
}

mod approximately {
    use approx::{assert_abs_diff_eq, assert_abs_diff_ne, assert_relative_eq};
    use carom::{Rot, Shape, Transform, Vec2, WorldPoint, contact};

    #[test]
    fn types_compare_part_by_part() {
        let turn = Rot::from_angle(0.5);
        assert_abs_diff_eq!(turn * turn, Rot::from_angle(1.0), epsilon = 1e-6);
        assert_abs_diff_ne!(turn, Rot::IDENTITY, epsilon = 1e-2);
        let there = Transform::new([100.0, 2.0], 0.5);
        assert_relative_eq!(there * there.inverse(), Transform::IDENTITY, epsilon = 1e-5);
        let across = (WorldPoint::from([511.999_97, 0.0]), WorldPoint::from([512.0, 0.0]));
        assert_abs_diff_eq!(across.0, across.1, epsilon = 1e-4);
    }

    #[test]
    fn sword_reaches_slime() {
        let sword = Shape::capsule([0.0, 0.0], [0.0, 1.2], 0.1);
        let slime = Shape::circle(0.5);
        let hit =
            contact(&sword, Transform::IDENTITY, &slime, Transform::at([0.55, 0.6])).expect("they touch");
        assert_abs_diff_eq!(hit.normal, Vec2::X, epsilon = 1e-5);
        assert_abs_diff_eq!(hit.depth(), 0.05, epsilon = 1e-5);
    }
}

mod foreign_vectors {
    use carom::{Shape, Transform, overlaps, vec2};

    #[test]
    fn constructors_take_mint_vectors() {
        let there = mint::Vector2 { x: 1.0_f32, y: 2.0 };
        assert_eq!(Shape::circle(1.0).at(there), Shape::circle(1.0).at([1.0, 2.0]));
        let point = mint::Point2 { x: 0.5_f32, y: 0.0 };
        assert_eq!(Transform::at(point).position, vec2(0.5, 0.0));
        assert!(!overlaps(
            &Shape::circle(1.0),
            Transform::at(there),
            &Shape::circle(1.0),
            Transform::at(point)
        ));
    }
}
