//! A disc: a centre and a radius.
//!
//! In: numbers from the user. Out: a shape with a positive radius and numbers in range; its mass,
//! bounds and other properties. The narrowphase tests it as a point with a radius.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::error::{ShapeError, check_coordinates, check_size};
use super::mass::Mass;
use crate::bounds::Aabb;
use crate::math::Transform;

/// A disc: a centre and a radius.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Circle {
    pub(crate) center: Vec2,
    pub(crate) radius: f32,
}

impl Circle {
    /// A disc around `center`.
    ///
    /// # Errors
    /// Numbers out of range, or a radius too small.
    pub fn new(center: impl Into<Vec2>, radius: f32) -> Result<Circle, ShapeError> {
        let center = center.into();
        check_coordinates(&center.to_array())?;
        check_size(radius)?;
        Ok(Circle { center, radius })
    }

    /// The centre.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// The radius.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The disc, transformed by `by`.
    #[inline]
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Circle {
        // Turning such a circle changes nothing.
        let center = if self.is_centered() { by.position } else { by.apply(self.center) };
        Circle { center, radius: self.radius }
    }

    /// Whether it stands on the origin, as most circles do.
    #[inline(always)]
    pub(crate) fn is_centered(&self) -> bool {
        bytemuck::cast::<Vec2, u64>(self.center) == 0
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        Aabb::around_point(at.apply(self.center)).grown(self.radius)
    }

    pub(crate) fn unit_mass(&self) -> Mass {
        Mass::disc(self.center, self.radius)
    }
}
