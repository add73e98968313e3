//! Rotations, transforms, points of an unlimited world, and trigonometry that has the same bits
//! everywhere.
//!
//! Conventions of the whole crate, stated once:
//!
//! ```text
//!        y
//!        ^        positive angle: counter-clockwise
//!        |  /     perpendicular of (x, y): (-y, x), a quarter turn counter-clockwise
//!        | /      cross(a, b) = a.x b.y - a.y b.x > 0 when b points to the left of a
//!        |/ ) angle
//!        +---------> x        polygons run counter-clockwise; an edge's outward normal lies to its
//!                             right
//! ```
//!
//! Vectors are glam's [`Vec2`], so that they can be handed to and from other crates; the types that
//! are stored ([`Rot`], [`Transform`], [`WorldPoint`]) are our own, with a layout that no other
//! crate's feature can change.

#[cfg(feature = "approx")]
mod approx;
#[cfg(feature = "serde")]
pub(crate) mod infinite;
mod point;
mod rot;
mod transform;
mod trig;

pub use point::WorldPoint;
pub use rot::Rot;
pub use transform::{Motion, Transform};
pub(crate) use trig::{Double, SMALL_ANGLE, atan2_straight, of_reduced};
pub use trig::{atan2, cos, sin, sin_cos};

use glam::Vec2;

/// A velocity, clamped to `most`; its square may overflow.
#[inline]
pub(crate) fn limited(velocity: Vec2, most: f32) -> Vec2 {
    let scale = velocity.abs().max_element();
    if scale < most * 0.5 || !scale.is_finite() {
        return if scale.is_finite() { velocity } else { Vec2::ZERO };
    }
    let speed = (velocity / scale).length() * scale;
    if speed > most { velocity / scale * (most / (speed / scale)) } else { velocity }
}

/// The z component of the cross product: positive when `b` points to the left of `a`.
#[inline]
pub(crate) fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

/// The normal to the right of a direction: outward for an edge of a counter-clockwise polygon.
#[inline]
pub(crate) fn right_of(direction: Vec2) -> Vec2 {
    Vec2::new(direction.y, -direction.x)
}

/// The smaller of two numbers as a plain select, so that ties of +0 and -0 go the same way on every
/// CPU.
#[inline]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger of two numbers as a plain select; see [`min`].
#[inline]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Vectors shorter than this have no direction: digits of their squares are lost.
pub(crate) const SHORTEST: f32 = 1.0e-18;

/// The unit vector along `v`, or zero where `v` is too short to have a direction.
#[inline]
pub(crate) fn unit_or_zero(v: Vec2) -> Vec2 {
    let length = v.length();
    if length > SHORTEST { v / length } else { Vec2::ZERO }
}
