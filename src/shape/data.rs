//! Reading and writing of shapes as definitions.
//!
//! In: the numbers by which a user defines a shape, such as the size of a box. Out: these numbers.
//! A shape that is read goes through the checks of its constructor, so a file cannot bring in a
//! shape that the constructor refuses.

use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::error::check_coordinates;
use super::{HalfPlane, PolarShape, Shape, ShapeError, TileCell};
use crate::math::{Rot, Transform};

/// The definition of a shape in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ShapeData {
    Circle {
        #[serde(default)]
        center: Vec2,
        radius: f32,
    },
    Capsule {
        a: Vec2,
        b: Vec2,
        radius: f32,
    },
    Segment {
        a: Vec2,
        b: Vec2,
    },
    Rect {
        size: Vec2,
        #[serde(default)]
        center: Vec2,
        #[serde(default)]
        rotation: Rot,
        #[serde(default)]
        rounding: f32,
    },
    Polygon {
        points: Vec<Vec2>,
        #[serde(default)]
        rounding: f32,
    },
    Polar {
        #[serde(default)]
        center: Vec2,
        points: Vec<Vec2>,
    },
    Compound {
        parts: Vec<ShapeData>,
    },
    Chain {
        points: Vec<Vec2>,
        #[serde(default)]
        closed: bool,
    },
    HalfPlane {
        normal: Vec2,
        #[serde(default)]
        offset: f32,
    },
    Tiles {
        side: f32,
        width: u32,
        cells: Vec<u16>,
        #[serde(default)]
        position: Vec2,
        #[serde(default)]
        rotation: Rot,
    },
    Invalid(ShapeError),
}

impl From<Shape> for ShapeData {
    fn from(shape: Shape) -> ShapeData {
        match shape {
            Shape::Circle(c) => ShapeData::Circle { center: c.center(), radius: c.radius() },
            Shape::Capsule(c) => ShapeData::Capsule { a: c.ends()[0], b: c.ends()[1], radius: c.radius() },
            Shape::Segment(s) => ShapeData::Segment { a: s.ends()[0], b: s.ends()[1] },
            Shape::Obb(obb) => ShapeData::Rect {
                size: obb.half_size() * 2.0,
                center: obb.center(),
                rotation: obb.rotation(),
                rounding: obb.radius(),
            },
            Shape::Polygon(p) => ShapeData::Polygon { points: p.vertices().to_vec(), rounding: p.radius() },
            Shape::Polar(p) => ShapeData::Polar { center: p.center(), points: p.vertices().to_vec() },
            Shape::Compound(c) => {
                ShapeData::Compound { parts: c.parts().iter().cloned().map(From::from).collect() }
            }
            Shape::Chain(c) => ShapeData::Chain { points: c.points(), closed: c.is_closed() },
            Shape::Tiles(map) => ShapeData::Tiles {
                side: map.side(),
                width: map.size()[0],
                cells: map.packed(),
                position: map.frame().position,
                rotation: map.frame().rotation,
            },
            Shape::HalfPlane(h) => ShapeData::HalfPlane { normal: h.normal(), offset: h.offset() },
            Shape::Invalid(error) => ShapeData::Invalid(error),
        }
    }
}

/// The half-plane as it was, to the bit, if the normal is a unit vector; else the half-plane whose
/// border runs through `normal * offset`.
fn half_plane(normal: Vec2, offset: f32) -> Shape {
    let is_unit = (normal.length_squared() - 1.0).abs() <= 4.0 * f32::EPSILON;
    match check_coordinates(&[offset]) {
        Ok(()) if is_unit => Shape::HalfPlane(HalfPlane { normal, offset }),
        _ => Shape::half_plane(normal * offset, normal),
    }
}

impl TryFrom<ShapeData> for Shape {
    type Error = ShapeError;

    fn try_from(data: ShapeData) -> Result<Shape, ShapeError> {
        let shape = match data {
            ShapeData::Circle { center, radius } => Shape::circle(radius).at(center),
            ShapeData::Capsule { a, b, radius } => Shape::capsule(a, b, radius),
            ShapeData::Segment { a, b } => Shape::segment(a, b),
            ShapeData::Rect { size, center, rotation, rounding } => {
                let place = Transform { position: center, rotation };
                let sharp = Shape::rect(size.x, size.y);
                let rect = if rounding == 0.0 { sharp } else { sharp.rounded(rounding) };
                // As it was made, if it was never placed: a world keeps which of the two it is.
                if place == Transform::IDENTITY { rect } else { rect.transformed(place) }
            }
            ShapeData::Polygon { points, rounding } => Shape::polygon(&points).rounded(rounding),
            ShapeData::Polar { center, points } => {
                Shape::Polar(Arc::new(PolarShape::around(center, &points)?))
            }
            ShapeData::Compound { parts } => {
                let parts: Result<Vec<Shape>, ShapeError> = parts.into_iter().map(Shape::try_from).collect();
                Shape::compound(parts?)
            }
            ShapeData::Chain { points, closed: true } => Shape::closed_chain(&points),
            ShapeData::Chain { points, closed: false } => Shape::chain(&points),
            ShapeData::Tiles { side, width, cells, position, rotation } => {
                let known = cells.iter().all(|&bits| bits >> 8 < 16);
                let cells: Vec<TileCell> = cells.into_iter().map(TileCell::of_packed).collect();
                let map = if known {
                    Shape::tiles(side, width, &cells)
                } else {
                    Shape::Invalid(ShapeError::OutOfRange)
                };
                let place = Transform { position, rotation };
                if place == Transform::IDENTITY { map } else { map.transformed(place) }
            }
            ShapeData::HalfPlane { normal, offset } => half_plane(normal, offset),
            ShapeData::Invalid(error) => Shape::Invalid(error),
        };
        shape.checked()
    }
}
