//! The connected pieces of a body after a cut.
//!
//! In: the shapes of a body and cells. Out: pieces, each with the parts of shapes that lie in one
//! cell and touch along more than a point.

use std::sync::Arc;

use glam::{DVec2, Vec2};

use super::cells::Cell;
use super::clip::{Clipped, HalfPlane, clip, corners_of, push_polygons};
use crate::body::Collider;
use crate::bounds::Aabb;
use crate::error::Error;
use crate::shape::Shape;
use crate::util::UnionFind;
use crate::util::sort;

/// A convex part of a shape in a cell.
struct Part {
    cell: u32,
    /// The index of its shape in the body, and its index in the shape.
    shape: u32,
    number: u32,
    /// Unchanged, or with these corners.
    is_whole: bool,
    corners: Vec<Vec2>,
    aabb: Aabb,
}

/// A shape of a piece: its geometry, and the shape and parts that it is made of.
pub(super) struct Made {
    pub(super) shape: Shape,
    pub(super) of: u32,
    pub(super) parts: Vec<u32>,
}

/// Most convex parts that a cut may meet or leave; larger bodies should be split.
const MOST_CUT_PARTS: usize = 1 << 20;

/// The pieces of solid shapes by cells; one piece if nothing is cut off.
pub(super) fn pieces_of(shapes: &[&Collider], cells: &[Cell], slop: f64) -> Result<Vec<Vec<Made>>, Error> {
    let parts = parts_in(shapes, cells)?;
    let pieces = groups(&parts, slop);
    Ok(pieces.iter().map(|piece| shapes_of(piece, &parts, shapes)).filter(|made| !made.is_empty()).collect())
}

/// All parts of all shapes, cell by cell.
fn parts_in(shapes: &[&Collider], cells: &[Cell]) -> Result<Vec<Part>, Error> {
    let mut parts = Vec::new();
    for (shape, collider) in shapes.iter().enumerate() {
        if matches!(*collider.shape, Shape::Tiles(_) | Shape::Invalid(_)) {
            return Err(Error::NotSolid);
        }
        for number in 0..collider.shape.piece_count() {
            let corners = corners_of(&collider.shape.piece(number)).ok_or(Error::NotSolid)?;
            for (cell, halves) in cells.iter().enumerate() {
                let Some((corners, is_whole)) = within(&corners, halves) else { continue };
                let aabb = Aabb::around_points(&corners);
                let [cell, shape, number] = [cell as u32, shape as u32, number as u32];
                parts.push(Part { cell, shape, number, is_whole, corners, aabb });
                if is_whole {
                    break;
                }
            }
            if parts.len() > MOST_CUT_PARTS {
                return Err(Error::Full);
            }
        }
    }
    sort::by_key(&mut parts, |part| part.cell);
    Ok(parts)
}

/// The part of a convex outline in a cell, and whether the whole outline is in the cell.
fn within(corners: &[Vec2], halves: &[HalfPlane]) -> Option<(Vec<Vec2>, bool)> {
    let mut left: Option<Vec<Vec2>> = None;
    for half in halves {
        match clip(left.as_deref().unwrap_or(corners), half) {
            Clipped::All => {}
            Clipped::Some(rest) => left = Some(rest),
            Clipped::None => return None,
        }
    }
    let is_whole = left.is_none();
    Some((left.unwrap_or_else(|| corners.to_vec()), is_whole))
}

/// Connected components of the parts of a cell: ascending indices of parts.
fn groups(parts: &[Part], slop: f64) -> Vec<Vec<usize>> {
    let mut together = UnionFind::new(parts.len());
    let mut order: Vec<usize> = (0..parts.len()).collect();
    sort::by(&mut order, |&a, &b| {
        let left = |part: usize| (parts[part].cell, parts[part].aabb.min.x);
        left(a).0.cmp(&left(b).0).then(left(a).1.total_cmp(&left(b).1)).then(a.cmp(&b))
    });
    for (at, &a) in order.iter().enumerate() {
        let grown = parts[a].aabb.grown(2.0 * slop as f32);
        for &b in &order[at + 1..] {
            if parts[b].cell != parts[a].cell || parts[b].aabb.min.x > grown.max.x {
                break;
            }
            let (one, other) = (a as u32, b as u32);
            if together.root(one) != together.root(other)
                && grown.overlaps(&parts[b].aabb)
                && touch(&parts[a].corners, &parts[b].corners, slop)
            {
                together.join(one, other);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = vec![usize::MAX; parts.len()];
    for part in 0..parts.len() {
        let first = together.root(part as u32) as usize;
        if group_of[first] == usize::MAX {
            group_of[first] = groups.len();
            groups.push(Vec::new());
        }
        groups[group_of[first]].push(part);
    }
    groups
}

/// Whether two convex outlines share more than a point: some length along an edge of one, or one
/// lies in the other.
fn touch(a: &[Vec2], b: &[Vec2], slop: f64) -> bool {
    runs_along(a, b, slop) || runs_along(b, a, slop)
}

/// Whether more than a point of `b` is on some edge of `a`, or all of it inside.
fn runs_along(a: &[Vec2], b: &[Vec2], slop: f64) -> bool {
    let mut is_inside = true;
    for (i, &p) in a.iter().enumerate() {
        let (p, q) = (p.as_dvec2(), a[(i + 1) % a.len()].as_dvec2());
        let along = (q - p).normalize_or_zero();
        let normal = DVec2::new(-along.y, along.x);
        let halves = [
            (normal, normal.dot(p) - slop),
            (-normal, -normal.dot(p) - slop),
            (along, along.dot(p)),
            (-along, -along.dot(q)),
        ];
        let halves = halves.map(|(normal, offset)| HalfPlane { normal, offset, slop: 0.0 });
        if let Some((on, _)) = within(b, &halves) {
            let places = || on.iter().map(|point| along.dot(point.as_dvec2()));
            let length = places().fold(f64::NEG_INFINITY, f64::max) - places().fold(f64::INFINITY, f64::min);
            if length > 4.0 * slop {
                return true;
            }
        }
        is_inside &= b.iter().all(|point| normal.dot(point.as_dvec2() - p) >= -slop);
    }
    is_inside
}

/// The shapes of a piece: one for each shape of the body that it has a part of.
fn shapes_of(piece: &[usize], parts: &[Part], shapes: &[&Collider]) -> Vec<Made> {
    let mut made = Vec::new();
    let mut numbers: Vec<u32> = piece.iter().map(|&part| parts[part].shape).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for of in numbers {
        let own: Vec<&Part> =
            piece.iter().map(|&part| &parts[part]).filter(|part| part.shape == of).collect();
        let collider = shapes[of as usize];
        if own.len() == collider.shape.piece_count() && own.iter().all(|part| part.is_whole) {
            let all = own.iter().map(|part| part.number).collect();
            made.push(Made { shape: Shape::clone(&collider.shape), of, parts: all });
            continue;
        }
        let (mut forms, mut numbers) = (Vec::new(), Vec::new());
        for part in own {
            if part.is_whole {
                forms.push(part_shape(&collider.shape, part.number));
                numbers.push(part.number);
            } else {
                push_polygons(&part.corners, |polygon| {
                    forms.push(Shape::Polygon(polygon));
                    numbers.push(part.number);
                });
            }
        }
        if let Some(shape) = as_one(forms) {
            made.push(Made { shape, of, parts: numbers });
        }
    }
    made
}

/// A part of a shape as a shape of its own.
pub(super) fn part_shape(shape: &Shape, number: u32) -> Shape {
    match shape {
        Shape::Compound(compound) => compound.parts()[number as usize].clone(),
        Shape::Polar(polar) => Shape::Polygon(polar.pieces()[number as usize]),
        _ => shape.clone(),
    }
}

/// Convex shapes as one compound; `None` if there are none, or too many.
pub(super) fn as_one(mut forms: Vec<Shape>) -> Option<Shape> {
    match forms.len() {
        0 => None,
        1 => forms.pop(),
        _ => crate::shape::Compound::new(forms).ok().map(|compound| Shape::Compound(Arc::new(compound))),
    }
}
