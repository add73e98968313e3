//! Where a shape stands: a position and a rotation; and how it moves during one step.
//!
//! In: numbers from the user. Out: points seen from inside and outside, and for a pair the one
//! relative place that every test starts from.

use bytemuck::{Pod, Zeroable};
use core::ops::Mul;
use glam::Vec2;

use super::Rot;

/// A position and a rotation: turns a point by `rotation`, then moves it by `position`.
///
/// ```
/// use carom::{Transform, Vec2, vec2};
///
/// let ship = Transform::new([10.0, 0.0], std::f32::consts::PI);
/// assert!((ship.apply(vec2(1.0, 0.0)) - vec2(9.0, 0.0)).length() < 1e-6);
/// assert!((ship.apply_inverse(vec2(9.0, 0.0)) - Vec2::X).length() < 1e-6);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// Where the shape's own origin stands.
    pub position: Vec2,
    /// How the shape's own axes are turned.
    pub rotation: Rot,
}

impl Transform {
    /// At the origin, not turned.
    pub const IDENTITY: Transform = Transform { position: Vec2::ZERO, rotation: Rot::IDENTITY };

    /// At `position`, turned by `angle` radians counter-clockwise.
    #[must_use]
    pub fn new(position: impl Into<Vec2>, angle: f32) -> Transform {
        Transform { position: position.into(), rotation: Rot::from_angle(angle) }
    }

    /// At `position`, not turned.
    #[must_use]
    pub fn at(position: impl Into<Vec2>) -> Transform {
        Transform { position: position.into(), rotation: Rot::IDENTITY }
    }

    /// A point given in the shape's own frame, seen from outside.
    #[inline]
    #[must_use]
    pub fn apply(self, point: Vec2) -> Vec2 {
        self.rotation * point + self.position
    }

    /// A point given outside, seen in the shape's own frame.
    #[inline]
    #[must_use]
    pub fn apply_inverse(self, point: Vec2) -> Vec2 {
        self.rotation.inverse_rotate(point - self.position)
    }

    /// The transform that undoes this one.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Transform {
        Transform {
            position: -self.rotation.inverse_rotate(self.position),
            rotation: self.rotation.inverse(),
        }
    }

    /// `other` as seen in the frame of `self`: every pair test starts with it.
    ///
    /// Only the difference of the two positions is used, so nothing changes when both are moved
    /// together.
    #[inline]
    #[must_use]
    pub fn relative(self, other: Transform) -> Transform {
        Transform {
            position: self.rotation.inverse_rotate(other.position - self.position),
            rotation: self.rotation.inverse() * other.rotation,
        }
    }

    /// Whether the position is finite and the rotation of unit length.
    #[must_use]
    pub fn is_valid(self) -> bool {
        self.position.is_finite() && self.rotation.is_valid()
    }
}

impl Mul for Transform {
    type Output = Transform;

    /// First `other`, then `self`.
    #[inline]
    fn mul(self, other: Transform) -> Transform {
        Transform { position: self.apply(other.position), rotation: self.rotation * other.rotation }
    }
}

/// A motion over one step: at time t in 0..=1 the shape stands at `start.position + t translation`,
/// turned about its own origin by `t turn` radians from `start.rotation`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion {
    /// Where the motion starts.
    pub start: Transform,
    /// How far the origin travels.
    pub translation: Vec2,
    /// By how much it turns, in radians, counter-clockwise; more than a full turn is allowed.
    pub turn: f32,
}

impl Motion {
    /// Standing still.
    #[must_use]
    pub fn still(at: Transform) -> Motion {
        Motion { start: at, translation: Vec2::ZERO, turn: 0.0 }
    }

    /// A straight motion without rotation.
    #[must_use]
    pub fn straight(start: Transform, translation: impl Into<Vec2>) -> Motion {
        Motion { start, translation: translation.into(), turn: 0.0 }
    }

    /// The same motion, turning by `angle` radians on the way.
    #[must_use]
    pub fn turning(self, angle: f32) -> Motion {
        Motion { turn: angle, ..self }
    }

    /// Where the shape stands at `time` in 0..=1.
    #[must_use]
    pub fn at(self, time: f32) -> Transform {
        let rotation = if self.turn == 0.0 {
            self.start.rotation
        } else {
            self.start.rotation * Rot::from_angle(time * self.turn)
        };
        Transform { position: self.start.position + self.translation * time, rotation }
    }
}
