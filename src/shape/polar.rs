//! A star-shaped outline around a centre: triangles, ships, any outline whose whole border is
//! visible from the centre.
//!
//! In: corners as the user gives them, and the centre. Out: the distance from the centre to the
//! border along any direction, for `narrowphase/polar.rs`; and the same outline as convex pieces,
//! for every other test.
//!
//! ```text
//!         0            corners run counter-clockwise around the centre c, each less than half a
//!        / \           turn from the one before, all of them once around
//!       / c \
//!      /  2  \         rho(u): how far from c the ray along u leaves the outline
//!     / .' '. \
//!    1'       '3       pieces: neighbours in the fan of triangles (c, 0, 1), (c, 1, 2), …, joined
//!                      while they stay convex; here (0, 1, 2) and (2, 3, 0), with c on their
//!                      common edge
//! ```

use core::f32::consts::TAU;
use core::hint::select_unpredictable;
use glam::{DVec2, Vec2};

use super::error::{ShapeError, check_coordinates, check_size};
use super::hull::{doubled_area, height, least_thickness, turn};
use super::mass::Mass;
use super::polygon::Polygon;
use super::state::stamp_of_polar;
use crate::bounds::{Aabb, BoxTree};
use crate::math::{Rot, Transform};
use crate::tuning::MAX_POLYGON_VERTICES;

/// Most corners; each may start a piece, and a table of two such outlines still fits in memory.
const MAX_CORNERS: usize = u16::MAX as usize;

/// A star-shaped outline around a centre, concave or not, of three to 65,535 corners.
///
/// The distance of its border is a function of the direction, over the full circle: no symmetry is
/// used, and no direction is special.
///
/// ```
/// use carom::{PolarShape, vec2};
///
/// let ship = PolarShape::new(&[vec2(2.0, 0.0), vec2(-1.0, 1.0), vec2(-0.5, 0.0), vec2(-1.0, -1.0)])?;
/// assert_eq!(ship.rho(vec2(7.0, 0.0)), 2.0);
/// assert_eq!(ship.rho(vec2(-1.0, 0.0)), 0.5);
/// assert_eq!(ship.pieces().len(), 2);
/// # Ok::<(), carom::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PolarShape {
    pub(super) vertices: Vec<Vec2>,
    pub(super) center: Vec2,
    /// See [`PolarShape::second_half`].
    pub(super) half: usize,
    pub(super) pieces: Vec<Polygon>,
    tree: BoxTree,
    /// Hash that identifies the outline in snapshots.
    pub(super) stamp: u64,
}

impl PolarShape {
    /// The outline with these corners around the origin, given in order, either way round.
    ///
    /// # Errors
    /// Numbers out of range; fewer than three points or too many; an outline that is not wholly
    /// visible from the origin, or so close to it or so pointed that the triangle of an edge and
    /// the origin is a sliver.
    pub fn new(points: &[Vec2]) -> Result<PolarShape, ShapeError> {
        PolarShape::around(Vec2::ZERO, points)
    }

    /// The outline with these corners around `center`, given in order, either way round.
    ///
    /// # Errors
    /// As [`PolarShape::new`], with `center` in place of the origin.
    pub fn around(center: impl Into<Vec2>, points: &[Vec2]) -> Result<PolarShape, ShapeError> {
        let center = center.into();
        check_coordinates(&center.to_array())?;
        points.iter().try_for_each(|p| check_coordinates(&p.to_array()))?;
        match points.len() {
            0..3 => return Err(ShapeError::Degenerate),
            3..=MAX_CORNERS => {}
            _ => return Err(ShapeError::TooManyVertices),
        }
        let mut vertices = points.to_vec();
        if doubled_area(&vertices) < 0.0 {
            vertices[1..].reverse();
        }
        check_directions(center, &vertices)?;
        check_fan(center, &vertices)?;
        let half = PolarShape::second_half(vertices.len(), |i| spoke(center, vertices[i]));
        let pieces = convex_pieces(center, &vertices)?;
        Ok(PolarShape::of_parts(vertices, center, half, pieces))
    }

    /// From parts already checked for consistency.
    pub(super) fn of_parts(
        vertices: Vec<Vec2>,
        center: Vec2,
        half: usize,
        pieces: Vec<Polygon>,
    ) -> PolarShape {
        let tree = tree_over(&pieces);
        let stamp = stamp_of_polar(&vertices, center, half, &pieces);
        PolarShape { vertices, center, half, pieces, tree, stamp }
    }

    /// The outline whose border is `radii[k]` away from the origin at angle k · 2π / count.
    ///
    /// ```
    /// use carom::PolarShape;
    ///
    /// let triangle = PolarShape::from_radii(&[1.0; 3])?;
    /// let star = PolarShape::from_radii(&[2.0, 1.0].repeat(5))?;
    /// assert_eq!((triangle.pieces().len(), star.pieces().len()), (1, 5));
    /// # Ok::<(), carom::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A radius that is no size, and as [`PolarShape::new`].
    pub fn from_radii(radii: &[f32]) -> Result<PolarShape, ShapeError> {
        radii.iter().try_for_each(|&radius| check_size(radius))?;
        let step = TAU / radii.len() as f32;
        let corner = |(k, &radius): (usize, &f32)| Rot::from_angle(k as f32 * step).x_axis() * radius;
        let corners: Vec<Vec2> = radii.iter().enumerate().map(corner).collect();
        PolarShape::new(&corners)
    }

    /// The corners, counter-clockwise.
    #[must_use]
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// The centre, from which the whole outline is visible.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Distance from the centre to the border along `direction`, of any length; 0 when it has no
    /// length.
    ///
    /// A binary search over the corners: O(log n), two products a step, no trigonometry.
    #[must_use]
    pub fn rho(&self, direction: Vec2) -> f32 {
        let direction = direction.as_dvec2();
        let length = direction.length();
        if length > 0.0 && length.is_finite() { self.reach(direction / length, 0.0) as f32 } else { 0.0 }
    }

    /// Distance from the centre to the border at `angle` radians from the x axis.
    #[must_use]
    pub fn rho_at(&self, angle: f32) -> f32 {
        self.rho(Rot::from_angle(angle).x_axis())
    }

    /// The outline cut into convex polygons of at most eight corners that all reach the centre.
    ///
    /// A convex outline of at most eight corners is one piece.
    #[must_use]
    pub fn pieces(&self) -> &[Polygon] {
        &self.pieces
    }

    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        self.vertices.iter().fold(Aabb::EMPTY, |all, &v| all.union(Aabb::around_point(at.apply(v))))
    }

    /// The triangles of the sum have signs, so it holds for concave outlines too.
    pub(crate) fn unit_mass(&self) -> Mass {
        Mass::rounded_hull(&self.vertices, 0.0)
    }

    /// The outline, transformed by `by`.
    #[must_use]
    pub fn transformed(&self, by: Transform) -> PolarShape {
        let pieces = self.pieces.iter().map(|piece| piece.transformed(by)).collect();
        let vertices: Vec<Vec2> = self.vertices.iter().map(|&v| by.apply(v)).collect();
        let center = by.apply(self.center);
        let half = PolarShape::second_half(vertices.len(), |i| spoke(center, vertices[i]));
        PolarShape::of_parts(vertices, center, half, pieces)
    }

    /// Whether the whole outline is still visible from the centre, after a change of place that may
    /// have rounded both together.
    pub(super) fn check_outline(&self) -> Result<(), ShapeError> {
        check_directions(self.center, &self.vertices)?;
        check_fan(self.center, &self.vertices)?;
        self.pieces.iter().try_for_each(Polygon::check_corners)
    }

    /// Distance from the centre to the border along the unit vector `u`, every edge moved inward by
    /// `slop`.
    ///
    /// With p, q the ends of the edge that the ray leaves through, seen from the centre, and
    /// e = q - p: t u lies on the edge where (t u - p) × e = 0, so t = (p × q) / (u × e). Moving
    /// the edge inward by `slop` takes slop · |e| off p × q, twice the area of the triangle
    /// (0, p, q); |e| is taken as the sum of its coordinates, which is no less.
    pub(crate) fn reach(&self, u: DVec2, slop: f64) -> f64 {
        let count = self.vertices.len();
        let k = PolarShape::sector(count, self.half, |i| self.spoke(i), u);
        let (p, q) = (self.spoke(k), self.spoke(if k + 1 < count { k + 1 } else { 0 }));
        let e = q - p;
        let length = e.x.abs() + e.y.abs();
        let (area, facing) = (p.perp_dot(q) - slop * length, u.perp_dot(e));
        // Both are positive, unless `slop` eats the area up, or the outline was moved so far from
        // where it was defined that its corners have lost the digits that keep it one.
        if !(area > 0.0 && facing > 0.0) {
            return 0.0;
        }
        let (along, farthest) = (area / facing, p.length_squared().max(q.length_squared()));
        if along * along <= farthest { along } else { farthest.sqrt() }
    }

    /// Corner `i` seen from the centre.
    #[inline]
    pub(crate) fn spoke(&self, i: usize) -> DVec2 {
        spoke(self.center, self.vertices[i])
    }
}

/// The search for a direction, for any ring of directions: a table searches its border in the same
/// way.
impl PolarShape {
    /// Returns the number of the direction that `u` coincides with or follows, among `count`
    /// directions once around, counter-clockwise.
    ///
    /// Directions are compared by cross products alone, in `f64`, where the products of `f32`
    /// vectors have the right sign. A cross product orders two directions within half a turn; the
    /// side of `u` as seen along direction 0 decides which half is searched, and `half` is where
    /// the second half starts: see [`PolarShape::second_half`].
    ///
    /// Selects take the place of branches, because branches of a search are mispredicted: a query
    /// of a table of 6 to 448 corners takes 14 to 18 ns so, and took 21 to 50 ns with branches (AMD
    /// EPYC).
    #[inline]
    pub(crate) fn sector(count: usize, half: usize, spoke: impl Fn(usize) -> DVec2, u: DVec2) -> usize {
        let second = is_behind(spoke(0), u);
        // u does not lie before direction `at`, and lies before all of this half from `at + left`
        // on.
        let mut at = select_unpredictable(second, half - 1, 0);
        let mut left = select_unpredictable(second, count + 1 - half, half);
        while left > 1 {
            let middle = at + left / 2;
            at = select_unpredictable(spoke(middle).perp_dot(u) >= 0.0, middle, at);
            left -= left / 2;
        }
        at
    }

    /// The number of the first direction that is half a turn or more from direction 0.
    pub(crate) fn second_half(count: usize, spoke: impl Fn(usize) -> DVec2) -> usize {
        (1..count).find(|&i| is_behind(spoke(0), spoke(i))).unwrap_or(count)
    }
}

fn spoke(center: Vec2, vertex: Vec2) -> DVec2 {
    vertex.as_dvec2() - center.as_dvec2()
}

/// Whether `u` is half a turn or more from `first`, counter-clockwise.
#[inline]
fn is_behind(first: DVec2, u: DVec2) -> bool {
    let side = first.perp_dot(u);
    side < 0.0 || (side == 0.0 && first.dot(u) < 0.0)
}

/// Each corner lies to the left of the ray to the one before, and all together make one turn.
fn check_directions(center: Vec2, vertices: &[Vec2]) -> Result<(), ShapeError> {
    let count = vertices.len();
    let is_upper = |v: DVec2| v.y > 0.0 || (v.y == 0.0 && v.x > 0.0);
    let mut turns = 0;
    for i in 0..count {
        let (p, q) = (spoke(center, vertices[i]), spoke(center, vertices[(i + 1) % count]));
        if p.perp_dot(q) <= 0.0 {
            return Err(ShapeError::NotStarShaped);
        }
        turns += usize::from(!is_upper(p) && is_upper(q));
    }
    if turns == 1 { Ok(()) } else { Err(ShapeError::NotStarShaped) }
}

/// Each triangle of the fan is thick enough all around for a polygon of its own.
fn check_fan(center: Vec2, vertices: &[Vec2]) -> Result<(), ShapeError> {
    let count = vertices.len();
    let slop = least_thickness(vertices).max(least_thickness(&[center]));
    for i in 0..count {
        let (p, q) = (vertices[i], vertices[(i + 1) % count]);
        if [height(center, p, q), height(p, q, center), height(q, center, p)].iter().any(|&h| h < slop) {
            return Err(ShapeError::Degenerate);
        }
    }
    Ok(())
}

/// Joins neighbours of the fan while a polygon takes them.
///
/// No piece can go on across a corner where the outline turns inward, so the first piece starts at
/// such a corner. From there, pieces of as many corners as possible give the fewest pieces.
fn convex_pieces(center: Vec2, vertices: &[Vec2]) -> Result<Vec<Polygon>, ShapeError> {
    if vertices.len() <= MAX_POLYGON_VERTICES
        && let Ok(whole) = Polygon::new(vertices)
    {
        return Ok(vec![whole]);
    }
    let count = vertices.len();
    let corner = |i: usize| vertices[i % count];
    let is_inward = |&i: &usize| turn(corner(i + count - 1), corner(i), corner(i + 1)) <= 0.0;
    let start = (0..count).find(is_inward).unwrap_or(0);
    let fan = |from: usize, to: usize| -> Result<Polygon, ShapeError> {
        let mut corners: Vec<Vec2> = (from..=to).map(|i| corner(start + i)).collect();
        // Half a turn exactly, as the halves of a symmetric ship: the centre lies on an edge.
        if turn(corner(start + to), center, corner(start + from)) != 0.0 {
            corners.push(center);
        }
        Polygon::new(&corners)
    };
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < count {
        let mut to = from + 1;
        let mut piece = fan(from, to)?;
        while to < count
            && let Ok(larger) = fan(from, to + 1)
        {
            piece = larger;
            to += 1;
        }
        pieces.push(piece);
        from = to;
    }
    Ok(pieces)
}

fn tree_over(pieces: &[Polygon]) -> BoxTree {
    let boxes: Vec<Aabb> = pieces.iter().map(|piece| piece.aabb(Transform::IDENTITY)).collect();
    BoxTree::new(&boxes)
}
