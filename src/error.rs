//! Errors of calls that a world refuses.

use core::fmt;

use crate::body::{BodyId, JointId, MaterialError, ShapeId};
use crate::game::SpecError;
use crate::shape::ShapeError;

/// The rule that a call broke. A refused call changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A shape's definition broke a rule.
    Shape(ShapeError),
    /// A material's definition broke a rule.
    Material(MaterialError),
    /// A field of the spec of a batch does not fit a start world.
    Spec(SpecError),
    /// The body was removed, or never was in this world.
    NoSuchBody(BodyId),
    /// The shape was removed, or never was in this world.
    NoSuchShape(ShapeId),
    /// The joint was removed, broke, or never was in this world.
    NoSuchJoint(JointId),
    /// A joint needs two bodies.
    JointToItself(BodyId),
    /// Only revolute and prismatic joints can be geared, two different ones.
    NotGearable(JointId),
    /// A joint's definition has an option that its kind does not have, as a hinge a length or a
    /// weld a motor; the text says which.
    WrongKind(&'static str),
    /// A dynamic body cannot have a solid chain: a chain has no inside, and no weight. Sensors may
    /// be chains.
    DynamicChain,
    /// Only a shape with an inside can be cut, or cut others: no segment, chain, half-plane or tile
    /// map.
    NotSolid,
    /// Only a kinematic body is moved to a place: a dynamic one is pushed, or dragged by a joint,
    /// and any can be teleported.
    NotKinematic(BodyId),
    /// A number is NaN, infinite, or outside its range; the text says which, and the range.
    BadNumber(&'static str),
    /// The world is full: it has 2^32 - 2 bodies, shapes, or convex parts of shapes, or 2^28
    /// joints.
    Full,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Shape(error) => fmt::Display::fmt(error, f),
            Error::Material(error) => fmt::Display::fmt(error, f),
            Error::Spec(error) => fmt::Display::fmt(error, f),
            Error::NoSuchBody(id) => {
                write!(f, "{id} is not in this world: it was removed, or belongs to another")
            }
            Error::NoSuchShape(id) => {
                write!(f, "{id} is not in this world: it was removed, or belongs to another")
            }
            Error::NoSuchJoint(id) => {
                write!(f, "{id} is not in this world: it was removed, broke, or belongs to another")
            }
            Error::JointToItself(id) => write!(f, "a joint needs two bodies, not {id} twice"),
            Error::NotGearable(id) => {
                write!(f, "{id} cannot be geared: a gear couples two different revolute or prismatic joints")
            }
            Error::DynamicChain => write!(
                f,
                "a dynamic body cannot have a solid chain, which has no inside: take a compound, or a fixed or kinematic body"
            ),
            Error::NotSolid => write!(
                f,
                "only shapes with an inside are cut or cut others: no segment, chain, half-plane or tile map, of which single cells are set"
            ),
            Error::NotKinematic(id) => write!(
                f,
                "{id} is not kinematic, so `move_to` does not move it: give it a velocity, drag it by a joint, or `teleport` it"
            ),
            Error::WrongKind(rule) | Error::BadNumber(rule) => write!(f, "{rule}"),
            Error::Full => {
                write!(
                    f,
                    "a world holds at most 2^32 - 2 bodies, as many shapes and parts of shapes, and 2^28 joints"
                )
            }
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Error::Shape(error) => Some(error),
            Error::Material(error) => Some(error),
            Error::Spec(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ShapeError> for Error {
    fn from(error: ShapeError) -> Error {
        Error::Shape(error)
    }
}

impl From<MaterialError> for Error {
    fn from(error: MaterialError) -> Error {
        Error::Material(error)
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Error {
        Error::Spec(error)
    }
}
