//! Objects of an editor as bodies: properties, outlines, definitions.
//!
//! In: an outline in metres with y up, about the object's place, and properties. Out: a definition
//! that a world takes. Called by the readers of both editors.

use std::collections::BTreeMap;

use carom::{BodyDef, Locks, Shape, ShapeDef, Vec2, Weight, World, math, vec2};

use crate::{Fault, Options, Tags};

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A whole number; also the number of another object.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text, the name of a file, a colour, a value of an enum.
    Text(String),
}

/// An outline about the object's place.
#[derive(Clone, Debug)]
pub(crate) enum Outline {
    Rect { center: Vec2, size: Vec2 },
    Ellipse { center: Vec2, size: Vec2 },
    Capsule { center: Vec2, size: Vec2 },
    Polygon(Vec<Vec2>),
    Polyline(Vec<Vec2>),
}

/// Where an object is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) at: Vec2,
    pub(crate) angle: f32,
}

/// A property that was asked for, of the type asked for.
struct Properties<'a>(&'a BTreeMap<String, Value>);

impl<'a> Properties<'a> {
    fn bool(&self, name: &str) -> Result<bool, Fault> {
        match self.0.get(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(Fault::Property { name: name.to_owned(), wanted: "true or false" }),
        }
    }

    fn number(&self, name: &str) -> Result<Option<f32>, Fault> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Int(value)) => Ok(Some(*value as f32)),
            Some(Value::Float(value)) => Ok(Some(*value as f32)),
            Some(_) => Err(Fault::Property { name: name.to_owned(), wanted: "a number" }),
        }
    }

    fn text(&self, name: &str) -> Result<Option<&'a str>, Fault> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(Fault::Property { name: name.to_owned(), wanted: "a text" }),
        }
    }
}

/// The name of a material, if one is said.
pub(crate) fn material_name(properties: &BTreeMap<String, Value>) -> Result<Option<&str>, Fault> {
    Properties(properties).text("material")
}

/// Whether a layer is more than a picture.
pub(crate) fn collides(properties: &BTreeMap<String, Value>) -> Result<bool, Fault> {
    match properties.get("collides") {
        None => Ok(true),
        Some(_) => Properties(properties).bool("collides"),
    }
}

/// The definition of an object, which keeps carom's rules.
pub(crate) fn body(
    tags: &Tags,
    place: Place,
    outline: &Outline,
    options: &Options,
) -> Result<BodyDef, Fault> {
    let said = Properties(&tags.properties);
    let kind = said.text("body")?.map(str::to_lowercase);
    let (def, moves) = match kind.as_deref() {
        None | Some("fixed") => (BodyDef::fixed(), false),
        Some("kinematic") => (BodyDef::kinematic(), false),
        Some("dynamic") => (BodyDef::dynamic(), true),
        Some(_) => {
            return Err(Fault::Property {
                name: "body".to_owned(),
                wanted: "`fixed`, `kinematic` or `dynamic`",
            });
        }
    };
    let mut shape = ShapeDef::from(shape(outline, options.tolerance, moves)?);
    shape.sensor = said.bool("sensor")?;
    shape.one_way = said.bool("one_way")?.then_some(Vec2::Y);
    if let Some(name) = said.text("material")? {
        let material = options.materials.get(name).copied();
        shape.material = material.ok_or_else(|| Fault::UnknownMaterial(name.to_owned()))?;
    }
    match (said.number("mass")?, said.number("density")?) {
        (Some(mass), _) => shape.weight = Weight::Mass(mass),
        (None, Some(density)) => shape.weight = Weight::Density(density),
        (None, None) => {}
    }
    let mut def = def.at(place.at).angle(place.angle).shape(shape);
    def.gravity_scale = said.number("gravity_scale")?.unwrap_or(1.0);
    if said.bool("fixed_rotation")? {
        def.locks = Locks::ROTATION;
    }
    World::default().add(def.clone()).map_err(Fault::Body)?;
    Ok(def)
}

fn shape(outline: &Outline, tolerance: f32, moves: bool) -> Result<Shape, Fault> {
    let shape = match outline {
        Outline::Rect { center, size } => Shape::rect(size.x, size.y).at(*center),
        Outline::Ellipse { center, size } => ellipse(*size, tolerance).at(*center),
        Outline::Capsule { center, size } => {
            let across = size.x < size.y;
            let radius = 0.5 * if across { size.x } else { size.y };
            let arm =
                if across { vec2(0.0, 0.5 * size.y - radius) } else { vec2(0.5 * size.x - radius, 0.0) };
            if size.x == size.y {
                Shape::circle(radius).at(*center)
            } else {
                Shape::capsule(*center - arm, *center + arm, radius)
            }
        }
        Outline::Polygon(points) => return polygon(points, moves),
        Outline::Polyline(points) => Shape::chain(points),
    };
    shape.checked().map_err(|error| Fault::Body(error.into()))
}

/// A circle, or what is nowhere farther than `tolerance` inside of an ellipse.
fn ellipse(size: Vec2, tolerance: f32) -> Shape {
    let [a, b] = [0.5 * size.x, 0.5 * size.y];
    if (a - b).abs() <= 1.0e-3 * a {
        return Shape::circle(a);
    }
    // A chord over an angle φ of the larger circle is r (1 - cos φ/2), about r φ²/8, inside of it.
    let largest = if a > b { a } else { b };
    let angle = (8.0 * f64::from(tolerance) / f64::from(largest)).sqrt();
    let count = (core::f64::consts::TAU / angle).ceil().clamp(8.0, 128.0) as u32;
    let point = |k: u32| {
        let (sin, cos) = math::sin_cos(core::f32::consts::TAU * k as f32 / count as f32);
        vec2(a * cos, b * sin)
    };
    Shape::polar(&(0..count).map(point).collect::<Vec<Vec2>>())
}

/// Twice the area, positive counter-clockwise.
pub(crate) fn turn(points: &[Vec2]) -> f32 {
    let ends = points.iter().zip(points.iter().cycle().skip(1));
    ends.map(|(a, b)| a.x * b.y - a.y * b.x).sum()
}

/// A convex polygon as one, one that is seen whole from its middle as a polar shape; any other, if
/// it does not move, as the chain round it, and else as the convex parts of its outline.
fn polygon(points: &[Vec2], moves: bool) -> Result<Shape, Fault> {
    let mut points = points.to_vec();
    points.dedup();
    if turn(&points) < 0.0 {
        points.reverse();
    }
    let convex = Shape::polygon(&points);
    let error = match convex.clone().checked() {
        Ok(shape) => return Ok(shape),
        Err(error) => error,
    };
    if let Ok(shape) = Shape::polar(&points).checked() {
        return Ok(shape);
    }
    if moves {
        return Shape::outline(&points).checked().map_err(|error| Fault::Body(error.into()));
    }
    Shape::closed_chain(&points).checked().map_err(|_| Fault::Body(error.into()))
}
