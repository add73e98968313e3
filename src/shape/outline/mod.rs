//! Convex decomposition: outlines of any size, concave or not, with holes or without, as a compound
//! of convex parts.
//!
//! In: the corners of simple polygons, in order, either way round. Out: one convex polygon, or a
//! compound. All decisions are made on whole numbers, so they are exact and the same everywhere;
//! the parts have exactly the given corners.
//!
//! ```text
//!   loops.rs      corners on a grid of whole numbers, straight ones dropped, crossings refused
//!   sweep.rs      triangles, by a line that sweeps from left to right
//!   delaunay.rs   diagonals flipped until no triangle is needlessly thin
//!   merge.rs      triangles merged to convex parts of at most eight corners
//!   mask.rs       outlines of pixels
//! ```

mod delaunay;
mod loops;
mod mask;
mod merge;
mod sweep;

use std::sync::Arc;

use glam::Vec2;

use super::error::{ShapeError, check_coordinates};
use super::hull::{height, least_thickness};
use super::polygon::Polygon;
use super::{Compound, Shape};
use crate::tuning::MAX_POLYGON_VERTICES;
use loops::Loops;

impl Shape {
    /// The area inside a closed outline, concave or not, given in order, either way round.
    ///
    /// A convex outline of at most eight corners gives a polygon, anything else a compound. Corners
    /// that lie on a straight line with their neighbours, to the precision of their coordinates,
    /// are dropped, and so are parts thinner than that.
    ///
    /// ```
    /// use carom::{Shape, vec2};
    ///
    /// let arrow = Shape::outline(&[vec2(0.0, 0.0), vec2(2.0, -1.0), vec2(1.0, 0.0), vec2(2.0, 1.0)]);
    /// assert!((arrow.mass(1.0).mass - 1.0).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn outline<P: Copy + Into<Vec2>>(points: &[P]) -> Shape {
        decompose(&[super::vectors(points)]).unwrap_or_else(Shape::Invalid)
    }

    /// The area inside a closed outline and outside of all `holes`, each given in order, either way
    /// round.
    ///
    /// A hole lies inside of the outline, and in no other hole; they touch neither the outline nor
    /// each other.
    ///
    /// ```
    /// use carom::Shape;
    ///
    /// let frame = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]];
    /// let window = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]];
    /// let wall = Shape::outline_with_holes(&frame, &[window]);
    /// assert!((wall.mass(1.0).mass - 8.0).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn outline_with_holes<P: Copy + Into<Vec2>>(points: &[P], holes: &[impl AsRef<[P]>]) -> Shape {
        let mut loops = vec![super::vectors(points)];
        loops.extend(holes.iter().map(|hole| super::vectors(hole.as_ref())));
        decompose(&loops).unwrap_or_else(Shape::Invalid)
    }
}

/// The area inside of the first loop and outside of all others.
fn decompose(outlines: &[Vec<Vec2>]) -> Result<Shape, ShapeError> {
    let mut loops = Loops::new(outlines)?;
    loops.check_simple()?;
    loops.orient();
    if let Some(polygon) = loops.as_polygon() {
        return Ok(Shape::Polygon(polygon));
    }
    shape_of(parts_of(&loops)?)
}

/// Parts as one shape.
fn shape_of(mut parts: Vec<Polygon>) -> Result<Shape, ShapeError> {
    match (parts.pop(), parts.is_empty()) {
        (None, _) => Err(ShapeError::Degenerate),
        (Some(only), true) => Ok(Shape::Polygon(only)),
        (Some(last), false) => {
            parts.push(last);
            let compound = Compound::new(parts.into_iter().map(Shape::Polygon))?;
            Ok(Shape::Compound(Arc::new(compound)))
        }
    }
}

/// Returns the convex parts of the region to the left of all loops, which touch neither themselves
/// nor each other.
fn parts_of(loops: &Loops) -> Result<Vec<Polygon>, ShapeError> {
    let mut triangles = sweep::triangulate(loops)?;
    delaunay::flip(&mut triangles, &loops.grid);
    let slop = least_thickness(&loops.points);
    let mut parts = Vec::new();
    merge::for_parts(&triangles, &loops.grid, |corners| {
        let mut part = [Vec2::ZERO; MAX_POLYGON_VERTICES];
        let part = &mut part[..corners.len()];
        part.iter_mut().zip(corners).for_each(|(point, &corner)| *point = loops.points[corner as usize]);
        parts.extend(convex_part(part, slop));
    });
    Ok(parts)
}

/// The polygon of at most eight corners that turn left or go straight; none if it is so thin that
/// it has no area worth a part.
fn convex_part(corners: &[Vec2], slop: f64) -> Option<Polygon> {
    let count = corners.len();
    let stands_out = |i: usize| {
        let (before, corner, after) =
            (corners[(i + count - 1) % count], corners[i], corners[(i + 1) % count]);
        height(before, after, corner) <= -slop && corner.distance_squared(after) >= (slop * slop) as f32
    };
    let is_sound = (0..count).all(stands_out);
    if is_sound { Polygon::from_corners(corners) } else { Polygon::hull(corners) }.ok()
}
