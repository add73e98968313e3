//! A rotation, kept as the cosine and sine of its angle.
//!
//! In: an angle, once. Out: turned vectors without any further trigonometry. Our own type and not
//! glam's `Mat2`, whose alignment and layout depend on other crates' features.

use bytemuck::{Pod, Zeroable};
use core::ops::Mul;
use glam::Vec2;

use super::trig::{atan2, sin_cos};

/// A rotation, kept as the cosine and sine of its angle: turning a vector is four multiplications.
///
/// ```
/// use carom::{Rot, Vec2};
///
/// let quarter = Rot::from_angle(std::f32::consts::FRAC_PI_2);
/// assert!((quarter * Vec2::X - Vec2::Y).length() < 1e-6);
/// assert_eq!(quarter * quarter.inverse(), Rot::IDENTITY);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rot {
    /// Cosine of the angle.
    pub cos: f32,
    /// Sine of the angle.
    pub sin: f32,
}

impl Rot {
    /// No rotation.
    pub const IDENTITY: Rot = Rot { cos: 1.0, sin: 0.0 };

    /// The rotation by `angle` radians, counter-clockwise.
    #[inline]
    #[must_use]
    pub fn from_angle(angle: f32) -> Rot {
        let (sin, cos) = sin_cos(angle);
        Rot { cos, sin }
    }

    /// The angle in radians, in `-pi..=pi`.
    #[inline]
    #[must_use]
    pub fn angle(self) -> f32 {
        atan2(self.sin, self.cos)
    }

    /// The rotation the other way round.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Rot {
        Rot { cos: self.cos, sin: -self.sin }
    }

    /// `v` turned the other way round: `v` as seen from a frame that is turned by `self`.
    #[inline]
    #[must_use]
    pub fn inverse_rotate(self, v: Vec2) -> Vec2 {
        Vec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x)
    }

    /// The direction that the x axis is turned to.
    #[inline]
    #[must_use]
    pub fn x_axis(self) -> Vec2 {
        Vec2::new(self.cos, self.sin)
    }

    /// The direction that the y axis is turned to.
    #[inline]
    #[must_use]
    pub fn y_axis(self) -> Vec2 {
        Vec2::new(-self.sin, self.cos)
    }

    /// Back to unit length after many products; the identity where nothing sensible is left.
    #[must_use]
    pub fn normalized(self) -> Rot {
        let length = (self.cos * self.cos + self.sin * self.sin).sqrt();
        if length > f32::MIN_POSITIVE && length.is_finite() {
            Rot { cos: self.cos / length, sin: self.sin / length }
        } else {
            Rot::IDENTITY
        }
    }

    /// Turned on by `angle`, and of unit length to rounding however often that was done before.
    ///
    /// One step of Newton's for 1/√(x² + y²) from 1: for a length that is off by rounding its error
    /// is far below rounding, without a root and a quotient to wait for.
    #[inline]
    #[must_use]
    pub(crate) fn turned(self, angle: f32) -> Rot {
        let product = Rot::from_angle(angle) * self;
        let off = product.cos * product.cos + product.sin * product.sin - 1.0;
        if off.abs() < 1.0e-4 {
            let scale = 1.0 - 0.5 * off;
            Rot { cos: product.cos * scale, sin: product.sin * scale }
        } else {
            product.normalized()
        }
    }

    /// Whether both parts are finite and of unit length to a few parts in a thousand.
    #[must_use]
    pub fn is_valid(self) -> bool {
        (self.cos * self.cos + self.sin * self.sin - 1.0).abs() < 6.0e-3
    }
}

impl Default for Rot {
    fn default() -> Rot {
        Rot::IDENTITY
    }
}

impl Mul<Vec2> for Rot {
    type Output = Vec2;

    /// `v` turned by `self`.
    #[inline]
    fn mul(self, v: Vec2) -> Vec2 {
        Vec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }
}

impl Mul for Rot {
    type Output = Rot;

    /// First `other`, then `self`; angles add.
    #[inline]
    fn mul(self, other: Rot) -> Rot {
        Rot {
            cos: self.cos * other.cos - self.sin * other.sin,
            sin: self.sin * other.cos + self.cos * other.sin,
        }
    }
}
