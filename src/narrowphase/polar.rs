//! The polar test: border distances along the line of centres, and an exact test built on it.
//!
//! In: two star-shaped outlines ([`PolarShape`]) or convex polygons, and where they stand. Out:
//! [`accept`], a quick yes that is never wrong; [`Table`], the exact answer in O(log n) for a fixed
//! relative rotation; and [`Ring`], one table for each of n rotations.
//!
#![doc = include_str!("../../docs/polar.svg")]
//!
//! # What is tested
//!
//! Shape A has its centre at a, shape B at b; d = |b - a|, and θ is the direction from a to b. ρ(θ)
//! is the distance from a shape's centre to its border, read in its own frame: a ship turned by α
//! is read at θ - α.
//!
//! | test | says overlap when | right when it says yes | right when it says no |
//! |---|---|---|---|
//! | truth | b - a lies in A + (-B), the sum of A and of B mirrored through its centre | | |
//! | radial sum, [`accept`] | d ≤ ρ_A(θ) + ρ_B(θ + π) | always | no |
//! | classic | d ≤ 2 ρ_A(θ) | only for mirrored B | only for mirrored B |
//! | [`Table`] | the ray along θ leaves A + (-B) no nearer than d | always | always |
//!
//! The radial sum never errs when it says yes: the two outlines reach that far along the line of
//! centres, so they meet on it. But outlines may touch first beside that line, and then it misses.
//!
//! # When the classic test is right
//!
//! When A is convex and B is A mirrored through a point: same size, and one points up where the
//! other points down. Then -B is A again, A + A is A at twice the size, and its border is 2 ρ_A(θ)
//! away: the test *is* the truth. It stays right as long as both turn together.
//!
//! For any other pair the classic test does not test the given shapes. If B points the same way as
//! A, or has another size or form, B's own border never enters. A concave A fails even against its
//! mirror image: A + A is then larger than A at twice the size, because the notches fill up; a ship
//! and its mirror image lose 14 % of their overlaps.
//!
//! Measured over 491,401 positions of b, spread evenly over the square around A + (-B) and A at
//! twice the size (`tests/geometry/polar.rs`; `examples/polar.rs` draws them). Misses are shares of
//! the true overlaps, false hits shares of the positions at which the test says overlap:
//!
//! | pair | classic misses | classic false hits | radial sum misses | its false hits |
//! |---|---|---|---|---|
//! | equal triangles, one the mirror image of the other | 0 | 0 | 0.0 % | 0 |
//! | equal triangles that point the same way | 39 % | 8 % | 36 % | 0 |
//! | two concave ships, sizes 1 and 0.7, turned by 2 radians | 38 % | 16 % | 51 % | 0 |
//!
//! Asking whether a corner of one outline lies inside the other is no way out: two triangles
//! crossed like a star hold none of each other's corners. That test misses 25 % of the overlaps of
//! an upright and an inverted triangle.
//!
//! # The exact test
//!
//! For star-shaped outlines the sum A + (-B), taken about the centres, is star-shaped too: with x =
//! p - q also t x = t p - t q belongs to it for every t in 0..=1. So its border has one distance
//! for each direction, and one binary search over the directions of its corners answers exactly the
//! question of the classic test.

mod envelope;
mod ring;
mod sum;
mod table;

pub use ring::Ring;
pub use table::Table;

use glam::{DVec2, Vec2};

use crate::math::{Rot, Transform, max};
use crate::shape::{PolarShape, Polygon};

/// The share of the coordinates of a pair by which borders are moved inward before a yes: a few
/// units in the last place, more than the exact tests lose to rounding.
const INWARD: f32 = 8.0 * f32::EPSILON;

/// A quick yes: the borders of `a` and `b` reach each other on the line of their centres.
///
/// True only when the two overlap, by a margin above rounding, so that every exact test agrees.
/// False says nothing. Exchanging the two changes nothing.
///
/// ```
/// use carom::{PolarShape, Transform, polar};
///
/// let star = PolarShape::from_radii(&[2.0, 1.0].repeat(5))?;
/// assert!(polar::accept(&star, Transform::IDENTITY, &star, Transform::at([2.7, 0.0])));
/// assert!(!polar::accept(&star, Transform::IDENTITY, &star, Transform::at([4.1, 0.0])));
/// # Ok::<(), carom::ShapeError>(())
/// ```
#[must_use]
pub fn accept(a: &PolarShape, xa: Transform, b: &PolarShape, xb: Transform) -> bool {
    let between = placed(xb, b.center()) - placed(xa, a.center());
    let distance = between.length();
    let toward = if distance > 0.0 { between / distance } else { DVec2::X };
    let slop = f64::from(INWARD) * (extent(a) + extent(b) + distance);
    let reach_a = a.reach(seen_from(xa.rotation, toward), slop);
    let reach_b = b.reach(seen_from(xb.rotation, -toward), slop);
    // A reach of 0 is smaller than its rounding: nothing is known then, not even that the centre is
    // inside.
    reach_a > 0.0 && reach_b > 0.0 && distance <= reach_a + reach_b
}

/// [`accept`] for convex polygons and their centroids: the middle stage between the circle's quick
/// no and the separating axis test's final word.
///
/// A rounding reaches at least its radius beyond the border along any direction.
#[must_use]
pub fn accept_convex(a: &Polygon, xa: Transform, b: &Polygon, xb: Transform) -> bool {
    let at = xa.relative(xb);
    let between = at.apply(b.center()) - a.center();
    let distance = between.length();
    let toward = if distance > 0.0 { between / distance } else { Vec2::X };
    let back = at.rotation.inverse_rotate(-toward);
    let reach_a = reach(a.vertices(), a.normals(), a.center(), toward);
    let reach_b = reach(b.vertices(), b.normals(), b.center(), back);
    let rounding = a.radius() + b.radius();
    let slop = INWARD * (at.position.length() + rounding);
    reach_a > 0.0 && reach_b > 0.0 && distance + slop <= reach_a + reach_b + rounding
}

/// Distance from `center`, inside a convex polygon, to its border along a unit direction, rounded
/// down.
///
/// The ray leaves through the edge it meets first: min over edges with n·u > 0 of n·(v - c) / n·u,
/// with v a corner of the edge, n its outward normal, c the centre and u the direction.
#[inline]
pub(crate) fn reach(vertices: &[Vec2], normals: &[Vec2], center: Vec2, direction: Vec2) -> f32 {
    let mut least = f32::INFINITY;
    for (&v, &n) in vertices.iter().zip(normals) {
        let facing = n.dot(direction);
        let slop = INWARD * (v.abs() + center.abs()).element_sum();
        let along = (n.dot(v - center) - slop) / facing;
        least = if (facing > 0.0) & (along < least) { along } else { least };
    }
    // A direction that faces no edge is none.
    if least < f32::INFINITY { max(least, 0.0) } else { 0.0 }
}

/// Returns the position of a point of a shape, in `f64`: positions far from the origin may be close
/// to each other.
fn placed(at: Transform, point: Vec2) -> DVec2 {
    let (cos, sin) = (f64::from(at.rotation.cos), f64::from(at.rotation.sin));
    let p = point.as_dvec2();
    at.position.as_dvec2() + DVec2::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y)
}

/// Returns a direction in a frame turned by `rotation`.
fn seen_from(rotation: Rot, direction: DVec2) -> DVec2 {
    let (cos, sin) = (f64::from(rotation.cos), f64::from(rotation.sin));
    DVec2::new(cos * direction.x + sin * direction.y, cos * direction.y - sin * direction.x)
}

/// The greatest coordinate of a shape.
fn extent(shape: &PolarShape) -> f64 {
    let aabb = shape.tree().aabb();
    f64::from(max(aabb.min.abs().max_element(), aabb.max.abs().max_element()))
}
