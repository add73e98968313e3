//! The exact overlap test for two outlines whose relative rotation is fixed.
//!
//! In: two star-shaped outlines and the angle between them, once; then offsets of their centres.
//! Out: overlap. The border of the sum A + (-B) comes from `sum.rs`.

use glam::{DVec2, Vec2};

use super::sum;
use crate::math::Rot;
use crate::shape::PolarShape;

/// The exact overlap test for two outlines that do not turn relative to each other: the border of A
/// + (-B) in polar order, built once.
///
/// ```
/// use carom::{PolarShape, Rot, Transform, polar::Table, vec2};
///
/// let ship = PolarShape::new(&[vec2(2.0, 0.0), vec2(-1.0, 1.0), vec2(-0.5, 0.0), vec2(-1.0, -1.0)])?;
/// let table = Table::new(&ship, &ship, Rot::IDENTITY);
/// assert!(table.overlaps(vec2(2.5, 0.0))); // the nose of the first in the notch of the second
/// assert!(!table.overlaps(vec2(2.6, 0.0)));
///
/// // Two ships that head the same way, somewhere:
/// let (xa, xb) = (Transform::new([10.0, 10.0], 0.8), Transform::new([10.0, 12.5], 0.8));
/// assert!(!table.overlaps(xa.relative(xb).position));
/// # Ok::<(), carom::ShapeError>(())
/// ```
///
/// # Cost
///
/// A query is a binary search over the border: O(log n), two products a step.
///
/// Building takes O(n + m) for two convex outlines of n and m corners, whose sum has at most n + m
/// corners. When one is concave, every edge is compared with every corner, and the s edges that may
/// lie on the border are sorted out in O(s log s), usually with s of the order of n + m; two stars
/// of many spikes may come close to s = n m. Building needs 100 bytes for each of them, the table
/// itself 16 bytes a corner of the border.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    border: Vec<DVec2>,
    /// See [`PolarShape::second_half`].
    half: usize,
    /// Square of the distance of the farthest corner.
    farthest: f64,
}

impl Table {
    /// The test for `b` turned by `relative_rotation` as seen from `a`.
    #[must_use]
    pub fn new(a: &PolarShape, b: &PolarShape, relative_rotation: Rot) -> Table {
        let border = sum::border(&sum::outline(a), &sum::mirrored_outline(b, relative_rotation));
        Table {
            half: PolarShape::second_half(border.len(), |i| border[i]),
            farthest: border.iter().fold(0.0, |most, p| p.length_squared().max(most)),
            border,
        }
    }

    /// Whether the two have a point in common when b's centre stands at `offset` from a's, in a's
    /// frame.
    ///
    /// Touching counts. For shapes whose centre is their origin the offset is
    /// `xa.relative(xb).position`.
    #[must_use]
    pub fn overlaps(&self, offset: Vec2) -> bool {
        let (c, count) = (offset.as_dvec2(), self.border.len());
        // The circle's quick no; also the answer for offsets that are not finite.
        if count < 3 || c.length_squared() > self.farthest || !c.is_finite() {
            return false;
        }
        let k = PolarShape::sector(count, self.half, |i| self.border[i], c);
        let (p, q) = (self.border[k], self.border[if k + 1 < count { k + 1 } else { 0 }]);
        (q - p).perp_dot(c - p) >= 0.0
    }

    /// The corners of the border, counter-clockwise: the offsets at which the two just touch run
    /// along it.
    pub fn border(&self) -> impl ExactSizeIterator<Item = Vec2> {
        self.border.iter().map(|p| p.as_vec2())
    }
}
