//! Axis-aligned boxes.
//!
//! In: points. Out: the box around them, and comparisons. Shapes make tight ones of themselves,
//! trees of parts are made of them, and a broadphase finds pairs by them.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::math::{max, min};

/// An axis-aligned box. Touching boxes overlap.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Lower left corner.
    pub min: Vec2,
    /// Upper right corner.
    pub max: Vec2,
}

impl Aabb {
    /// The box that contains nothing: the neutral element of [`Aabb::union`].
    pub const EMPTY: Aabb = Aabb { min: Vec2::INFINITY, max: Vec2::NEG_INFINITY };

    /// The box between two opposite corners, given in any order.
    #[must_use]
    pub fn new(corner: impl Into<Vec2>, opposite: impl Into<Vec2>) -> Aabb {
        Aabb::around_points(&[corner.into(), opposite.into()])
    }

    /// The box without extent at `point`.
    #[must_use]
    pub fn around_point(point: Vec2) -> Aabb {
        Aabb { min: point, max: point }
    }

    /// The tight box around some points; [`Aabb::EMPTY`] around none.
    #[must_use]
    pub fn around_points(points: &[Vec2]) -> Aabb {
        points.iter().fold(Aabb::EMPTY, |aabb, &p| aabb.union(Aabb::around_point(p)))
    }

    /// Whether the two have a point in common. Touching counts.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Aabb) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// Whether `other` lies inside, borders included.
    #[inline]
    #[must_use]
    pub fn contains(&self, other: &Aabb) -> bool {
        self.min.x <= other.min.x
            && other.max.x <= self.max.x
            && self.min.y <= other.min.y
            && other.max.y <= self.max.y
    }

    /// Whether `point` lies inside, borders included.
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: Vec2) -> bool {
        self.min.x <= point.x && point.x <= self.max.x && self.min.y <= point.y && point.y <= self.max.y
    }

    /// The smallest box around both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: Aabb) -> Aabb {
        Aabb {
            min: Vec2::new(min(self.min.x, other.min.x), min(self.min.y, other.min.y)),
            max: Vec2::new(max(self.max.x, other.max.x), max(self.max.y, other.max.y)),
        }
    }

    /// The box with every side moved outward by `margin`.
    #[inline]
    #[must_use]
    pub fn grown(&self, margin: f32) -> Aabb {
        Aabb { min: self.min - Vec2::splat(margin), max: self.max + Vec2::splat(margin) }
    }

    /// Its middle.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        (self.min + self.max) * 0.5
    }

    /// Its width and height.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// The square of the distance between two boxes, 0 when they overlap.
    #[inline]
    #[must_use]
    pub fn distance_squared(&self, other: &Aabb) -> f32 {
        let gap_x = max(max(other.min.x - self.max.x, self.min.x - other.max.x), 0.0);
        let gap_y = max(max(other.min.y - self.max.y, self.min.y - other.max.y), 0.0);
        gap_x * gap_x + gap_y * gap_y
    }

    /// The tight box around this box after `by`: exact for its corners, so every shape in this box
    /// is in the new one after `by`.
    #[must_use]
    pub fn transformed(&self, by: crate::math::Transform) -> Aabb {
        let (min, max) = (self.min, self.max);
        Aabb::around_points(
            &[min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)].map(|p| by.apply(p)),
        )
    }

    /// Whether no corner is NaN and `min` is not beyond `max`.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.min.x <= self.max.x && self.min.y <= self.max.y
    }
}
