//! Outlines of any size, concave or not, as a compound of convex parts.
//!
//! In: the corners of a simple polygon, in order, either way round. Out: one convex polygon, or a
//! compound. parry2d does the decomposition: ears are clipped to triangles, and triangles merged to
//! convex polygons (Hertel and Mehlhorn 1983: at most four times as many as necessary). Here the
//! input is checked before, because a crossing outline has no inside, and the result is brought to
//! eight corners a part after.

use glam::Vec2;
use parry2d::math::Vector;
use parry2d::shape::TriMesh;
use parry2d::transformation::hertel_mehlhorn;

use super::error::{ShapeError, check_coordinates};
use super::hull::{doubled_area, height, least_thickness, turn};
use super::polygon::Polygon;
use super::{Compound, Shape};
use crate::bounds::{Aabb, BoxTree};
use crate::tuning::MAX_POLYGON_VERTICES;
use std::sync::Arc;

impl Shape {
    /// The area inside a closed outline, concave or not, given in order, either way round. Needs
    /// feature `parry`.
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
        decompose(&super::vectors(points)).unwrap_or_else(Shape::Invalid)
    }
}

fn decompose(points: &[Vec2]) -> Result<Shape, ShapeError> {
    points.iter().try_for_each(|p| check_coordinates(&p.to_array()))?;
    let slop = least_thickness(points);
    let mut outline = points.to_vec();
    drop_straight_corners(&mut outline, slop);
    if outline.len() < 3 {
        return Err(ShapeError::Degenerate);
    }
    check_simple(&outline)?;
    if doubled_area(&outline) < 0.0 {
        outline.reverse();
    }
    if let Ok(polygon) = Polygon::new(&outline) {
        return Ok(Shape::Polygon(polygon));
    }
    let corners: Vec<Vector> = outline.iter().map(|p| Vector::new(p.x, p.y)).collect();
    let mesh = TriMesh::from_polygon(corners).ok_or(ShapeError::Degenerate)?;
    let mut parts = Vec::new();
    for convex in hertel_mehlhorn(mesh.vertices(), mesh.indices()) {
        let corners: Vec<Vec2> = convex.iter().map(|p| Vec2::new(p.x, p.y)).collect();
        push_convex(&corners, &mut parts)?;
    }
    Compound::new(parts).map(|compound| Shape::Compound(Arc::new(compound)))
}

/// A convex polygon of any number of corners, cut from its first corner into polygons of at most
/// eight.
fn push_convex(corners: &[Vec2], parts: &mut Vec<Shape>) -> Result<(), ShapeError> {
    let mut rest = &corners[1..];
    while rest.len() >= 2 {
        let (taken, next) =
            (rest.len().min(MAX_POLYGON_VERTICES - 1), rest.len().min(MAX_POLYGON_VERTICES - 1) - 1);
        let mut part = vec![corners[0]];
        part.extend_from_slice(&rest[..taken]);
        match Polygon::hull(&part) {
            Ok(polygon) => parts.push(Shape::Polygon(polygon)),
            // A sliver between nearly straight corners: it has no area worth a part.
            Err(ShapeError::Degenerate) => {}
            Err(error) => return Err(error),
        }
        rest = &rest[next..];
    }
    Ok(())
}

/// Removes corners that coincide with the next one, lie on the line through their neighbours, or
/// are the tip of a spike without width.
fn drop_straight_corners(outline: &mut Vec<Vec2>, slop: f64) {
    let mut i = 0;
    let mut kept_in_a_row = 0;
    while outline.len() >= 3 && kept_in_a_row < outline.len() {
        let count = outline.len();
        i %= count;
        let (before, corner, after) =
            (outline[(i + count - 1) % count], outline[i], outline[(i + 1) % count]);
        if height(before, after, corner).abs() < slop || corner == after {
            outline.remove(i);
            kept_in_a_row = 0;
            i = i.saturating_sub(1);
        } else {
            kept_in_a_row += 1;
            i += 1;
        }
    }
}

/// No two edges may meet but in the corner they share.
fn check_simple(outline: &[Vec2]) -> Result<(), ShapeError> {
    let count = outline.len();
    let edge = |i: usize| (outline[i], outline[(i + 1) % count]);
    let boxes: Vec<Aabb> = (0..count).map(|i| Aabb::around_points(&[edge(i).0, edge(i).1])).collect();
    let tree = BoxTree::new(&boxes);
    for (i, own) in boxes.iter().enumerate() {
        let mut crossing = false;
        tree.visit(
            |node| node.overlaps(own),
            |other| {
                let j = other as usize;
                let apart = j != i && (i + 1) % count != j && (j + 1) % count != i;
                crossing = apart && edges_meet(edge(i), edge(j));
                !crossing
            },
        );
        if crossing {
            return Err(ShapeError::SelfCrossing);
        }
    }
    Ok(())
}

/// Whether two segments have a point in common, by the signs of four exact turns.
fn edges_meet((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> bool {
    let (abc, abd, cda, cdb) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    if abc == 0.0 && abd == 0.0 {
        return Aabb::around_points(&[a, b]).overlaps(&Aabb::around_points(&[c, d]));
    }
    abc * abd <= 0.0 && cda * cdb <= 0.0
}
