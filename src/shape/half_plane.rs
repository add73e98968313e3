//! A half-plane, all points on one side of a line: the cheapest ground.
//!
//! In: a point of the border and a normal of any length. Out: a unit normal and an offset. It has
//! no corners and no mass, and its box is infinite on most sides: a broadphase keeps it apart.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::error::{ShapeError, check_coordinates};
use crate::bounds::Aabb;
use crate::math::Transform;

/// A half-plane: all points p with `normal · p <= offset`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct HalfPlane {
    pub(crate) normal: Vec2,
    pub(crate) offset: f32,
}

impl HalfPlane {
    /// The half-plane whose border runs through `point` and whose free side `normal` points to, of
    /// any length.
    ///
    /// # Errors
    /// Numbers out of range, or a normal without a direction.
    pub fn new(point: impl Into<Vec2>, normal: impl Into<Vec2>) -> Result<HalfPlane, ShapeError> {
        let (point, normal) = (point.into(), normal.into());
        check_coordinates(&[point.x, point.y, normal.x, normal.y])?;
        // Scaled first, so that neither a tiny nor a huge normal loses its direction in the
        // squares.
        let scale = normal.abs().max_element();
        if scale < f32::MIN_POSITIVE {
            return Err(ShapeError::NoDirection);
        }
        let normal = (normal / scale).normalize();
        let offset = normal.dot(point);
        check_coordinates(&[offset])?;
        Ok(HalfPlane { normal, offset })
    }

    /// The unit vector that points out of it.
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        self.normal
    }

    /// The distance of its border from the origin, along the normal.
    #[must_use]
    pub fn offset(&self) -> f32 {
        self.offset
    }

    /// The half-plane, transformed by `by`.
    #[inline]
    #[must_use]
    pub fn transformed(&self, by: Transform) -> HalfPlane {
        let normal = by.rotation * self.normal;
        HalfPlane { normal, offset: self.offset + normal.dot(by.position) }
    }

    /// The height of `point` over the border; negative inside.
    #[inline]
    #[must_use]
    pub fn height(&self, point: Vec2) -> f32 {
        self.normal.dot(point) - self.offset
    }

    /// The box around it at `at`: infinite on every side that the half-plane does not cut along an
    /// axis.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        let plane = self.transformed(at);
        let mut aabb = Aabb { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY };
        if plane.normal.x == 0.0 && plane.normal.y > 0.0 {
            aabb.max.y = plane.offset;
        } else if plane.normal.x == 0.0 {
            aabb.min.y = -plane.offset;
        } else if plane.normal.y == 0.0 && plane.normal.x > 0.0 {
            aabb.max.x = plane.offset;
        } else if plane.normal.y == 0.0 {
            aabb.min.x = -plane.offset;
        }
        aabb
    }
}
