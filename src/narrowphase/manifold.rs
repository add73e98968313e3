//! The answers: manifold, distance, hits.
//!
//! In: the result of a pair test, in the frame of the first shape. Out: plain data, seen from
//! outside, in the order in which the caller named the shapes.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::math::{Transform, max, min};

/// The features of the two shapes that make a contact point, so that a solver finds the point again
/// in the next step.
///
/// An edge of the first, an edge of the second, and which end of their common stretch; or two
/// corners; or the one edge or corner that a circle or half-plane meets. It does not depend on
/// which of the two edges the test took as its reference.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
pub struct FeatureId {
    /// Edge or corner of the first shape.
    pub a: u8,
    /// Edge or corner of the second shape.
    pub b: u8,
    /// 0 and 1: lower and upper end of the common stretch, along the tangent of the first edge; 2:
    /// a point.
    pub end: u8,
    padding: u8,
}

impl FeatureId {
    /// No stretch: a circle, two corners.
    pub(crate) const POINT: u8 = 2;

    /// The id of pairs that always meet in one point.
    pub(crate) const ROUND: FeatureId = FeatureId { a: 0, b: 0, end: Self::POINT, padding: 0 };

    /// [`FeatureId::ROUND`] as [`FeatureId::from_number`] reads it.
    pub(crate) const ROUND_NUMBER: f32 = 131_072.0;

    pub(crate) fn new(a: usize, b: usize, end: u8) -> FeatureId {
        FeatureId { a: a as u8, b: b as u8, end, padding: 0 }
    }

    /// From a + 256 b + 65,536 end.
    #[inline(always)]
    pub(crate) fn from_number(number: u32) -> FeatureId {
        let [a, b, end, _] = number.to_le_bytes();
        FeatureId { a, b, end, padding: 0 }
    }

    /// The id of the point with the two shapes exchanged: the tangent turns round with the normal.
    pub(crate) fn flipped(self) -> FeatureId {
        let end = if self.end == Self::POINT { self.end } else { self.end ^ 1 };
        FeatureId { a: self.b, b: self.a, end, padding: 0 }
    }
}

/// One point of a manifold.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct ManifoldPoint {
    /// Midway between the two surfaces.
    pub point: Vec2,
    /// Distance of the two surfaces along the normal; negative where they overlap.
    pub separation: f32,
    /// The features that make the point.
    pub id: FeatureId,
}

/// Where two shapes touch: a normal and one or two points.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Manifold {
    /// Unit vector from the first shape to the second.
    pub normal: Vec2,
    /// Number of the part of the first shape, 0 where it has only one.
    pub part_a: u32,
    /// Number of the part of the second shape, 0 where it has only one.
    pub part_b: u32,
    points: [ManifoldPoint; 2],
    count: u32,
}

impl Manifold {
    /// No contact: the value that fills the gaps of a batch.
    pub const NONE: Manifold = Manifold {
        normal: Vec2::ZERO,
        part_a: 0,
        part_b: 0,
        points: [ManifoldPoint {
            point: Vec2::ZERO,
            separation: 0.0,
            id: FeatureId { a: 0, b: 0, end: 0, padding: 0 },
        }; 2],
        count: 0,
    };

    pub(crate) fn new(normal: Vec2) -> Manifold {
        Manifold { normal, ..Manifold::NONE }
    }

    pub(crate) fn single(normal: Vec2, point: Vec2, separation: f32, id: FeatureId) -> Manifold {
        let mut manifold = Manifold::new(normal);
        manifold.push(ManifoldPoint { point, separation, id });
        manifold
    }

    /// Makes a manifold of two points; points beyond `count` must be zero.
    #[inline(always)]
    pub(crate) fn from_points(normal: Vec2, points: [ManifoldPoint; 2], count: u32) -> Manifold {
        Manifold { normal, part_a: 0, part_b: 0, points, count }
    }

    /// Adds a point; there is room for two.
    pub(crate) fn push(&mut self, point: ManifoldPoint) {
        debug_assert!(self.count < 2, "a manifold holds two points");
        self.points[self.count as usize] = point;
        self.count += 1;
    }

    /// The one or two points; none in [`Manifold::NONE`].
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..min_index(self.count, 2)]
    }

    /// Whether there is no contact.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The least separation of its points: the deepest place. Infinite when there is none.
    #[must_use]
    pub fn separation(&self) -> f32 {
        self.points().iter().fold(f32::INFINITY, |least, p| min(least, p.separation))
    }

    /// The depth of the overlap; 0 without overlap.
    #[must_use]
    pub fn depth(&self) -> f32 {
        max(-self.separation(), 0.0)
    }

    /// The contact with the two shapes exchanged.
    #[must_use]
    pub fn flipped(&self) -> Manifold {
        let mut flipped = *self;
        flipped.normal = -self.normal;
        (flipped.part_a, flipped.part_b) = (self.part_b, self.part_a);
        for point in &mut flipped.points[..min_index(self.count, 2)] {
            point.id = point.id.flipped();
        }
        // Lower end first, along the tangent that now runs the other way.
        if self.count == 2 {
            flipped.points.swap(0, 1);
        }
        flipped
    }

    /// The contact of a face of the first shape, without points deeper than `separation` or farther
    /// than `margin`.
    ///
    /// If one end of the edge is deeper, its point moves along the edge to that depth, where it is
    /// on both surfaces. If both ends are deeper, the points stay on the face, and `slide` tells
    /// how far along the face the other shape is at that depth.
    pub(crate) fn bounded(&self, separation: f32, margin: f32, slide: impl Fn(Vec2) -> Vec2) -> Manifold {
        let mut bounded = Manifold { points: [ManifoldPoint::default(); 2], count: 0, ..*self };
        for (k, &point) in self.points().iter().enumerate() {
            let less = max(separation - point.separation, 0.0);
            let mut moved = point;
            moved.separation += less;
            moved.point += self.normal * (0.5 * less);
            if let Some(other) = self.points().get(1 - k).filter(|other| other.separation > separation) {
                let share = less / max(other.separation - point.separation, f32::MIN_POSITIVE);
                let along = (other.point - point.point).reject_from_normalized(self.normal);
                moved.point += along * if less > 0.0 { share } else { 0.0 };
            } else if less > 0.0 {
                moved.point += slide(moved.point);
            }
            if moved.separation <= margin {
                bounded.push(moved);
            }
        }
        bounded
    }

    /// The contact transformed by `by`.
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Manifold {
        let mut moved = *self;
        moved.normal = by.rotation * self.normal;
        for point in &mut moved.points[..min_index(self.count, 2)] {
            point.point = by.apply(point.point);
        }
        moved
    }
}

fn min_index(count: u32, most: usize) -> usize {
    (count as usize).min(most)
}

/// The distance of two shapes, and their closest points.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Distance {
    /// The distance; when the two overlap, minus the least translation that parts them.
    pub separation: f32,
    /// Unit vector from the first shape to the second.
    pub normal: Vec2,
    /// On the border of the first shape, closest to (or deepest in) the second.
    pub point_a: Vec2,
    /// On the border of the second shape, closest to (or deepest in) the first.
    pub point_b: Vec2,
}

impl Distance {
    /// The distance of an invalid shape from any other.
    pub(crate) const INFINITE: Distance =
        Distance { separation: f32::INFINITY, normal: Vec2::ZERO, point_a: Vec2::ZERO, point_b: Vec2::ZERO };

    /// The distance; 0 when the two overlap.
    #[must_use]
    pub fn distance(&self) -> f32 {
        max(self.separation, 0.0)
    }

    /// Halfway between the two points.
    pub(crate) fn middle(&self) -> Vec2 {
        (self.point_a + self.point_b) * 0.5
    }

    pub(crate) fn flipped(self) -> Distance {
        Distance { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }

    pub(crate) fn transformed(self, by: Transform) -> Distance {
        Distance {
            separation: self.separation,
            normal: by.rotation * self.normal,
            point_a: by.apply(self.point_a),
            point_b: by.apply(self.point_b),
        }
    }
}

/// Time and place of the first touch of two moving shapes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct CastHit {
    /// Share of the motion that was made, 0..=1; 0 when they touched from the start.
    pub time: f32,
    /// The point of the touch at that time.
    pub point: Vec2,
    /// Unit vector from the first shape to the second at that time.
    pub normal: Vec2,
}

/// A straight line from a point, of limited length.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ray {
    /// Where it starts.
    pub from: Vec2,
    /// From its start to its end.
    pub translation: Vec2,
}

impl Ray {
    /// From a point, as far as `translation`.
    #[must_use]
    pub fn new(from: impl Into<Vec2>, translation: impl Into<Vec2>) -> Ray {
        Ray { from: from.into(), translation: translation.into() }
    }

    /// From one point to another.
    #[must_use]
    pub fn between(from: impl Into<Vec2>, to: impl Into<Vec2>) -> Ray {
        let from = from.into();
        Ray { from, translation: to.into() - from }
    }

    /// From a point along `direction`, of any length, up to `distance` metres.
    #[must_use]
    pub fn toward(from: impl Into<Vec2>, direction: impl Into<Vec2>, distance: f32) -> Ray {
        Ray { from: from.into(), translation: direction.into().normalize_or_zero() * distance }
    }

    /// The point after `fraction` of the way.
    #[must_use]
    pub fn at(&self, fraction: f32) -> Vec2 {
        self.from + self.translation * fraction
    }
}

/// The first hit of a ray on a shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct RayHit {
    /// Share of the ray's length, 0..=1.
    pub fraction: f32,
    /// The point on the border; the start of the ray when that lies inside.
    pub point: Vec2,
    /// Outward unit normal there; zero when the ray starts inside, because no border was crossed.
    pub normal: Vec2,
}

/// The point of a shape that is closest to a given point.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct ClosestPoint {
    /// On the border of the shape.
    pub point: Vec2,
    /// The distance; negative when the given point lies inside.
    pub distance: f32,
    /// Outward unit normal of the shape there.
    pub normal: Vec2,
}
