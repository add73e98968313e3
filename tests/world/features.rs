//! The optional features: definitions written and read, approximate equality, mint's vectors.

mod definitions {
    use carom::{Shape, ShapeError, Transform, WorldPoint, vec2};

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
            assert!(shape.clone().checked().is_ok(), "{shape:?}");
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
