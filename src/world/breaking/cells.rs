//! The cells into which a body is broken.
//!
//! In: a line, or points, in the frame of the body. Out: half-planes, whose intersection is a cell.
//! Cells (for points a Voronoi diagram) fill the plane and do not overlap.

use crate::util::sort;
use glam::{DVec2, Vec2};

use super::clip::HalfPlane;

/// A cell: the intersection of half-planes.
pub(super) type Cell = Vec<HalfPlane>;

/// Left of the line through two points, and right of it.
pub(super) fn sides_of(a: Vec2, b: Vec2, slop: f64) -> Option<Vec<Cell>> {
    let (a, b) = (a.as_dvec2(), b.as_dvec2());
    let along = (b - a).normalize_or_zero();
    let normal = DVec2::new(-along.y, along.x);
    let left = HalfPlane { normal, offset: normal.dot(a), slop };
    (along != DVec2::ZERO).then(|| vec![vec![left], vec![left.flipped()]])
}

/// The Voronoi cells of points. Points that coincide with an earlier point have no cell.
pub(super) fn voronoi(points: &[Vec2], slop: f64) -> Vec<Cell> {
    let mut sites: Vec<DVec2> = Vec::new();
    for point in points {
        let point = point.as_dvec2();
        if sites.iter().all(|site| site.distance(point) > slop) {
            sites.push(point);
        }
    }
    let cell = |own: usize| {
        let mut others: Vec<usize> = (0..sites.len()).filter(|&other| other != own).collect();
        // The nearest point comes first: it cuts most off, and most of the others find nothing to
        // cut.
        sort::by(&mut others, |&p, &q| {
            sites[own]
                .distance_squared(sites[p])
                .total_cmp(&sites[own].distance_squared(sites[q]))
                .then(p.cmp(&q))
        });
        others.into_iter().map(|other| nearer(sites[own], sites[other], own < other, slop)).collect()
    };
    (0..sites.len()).map(cell).collect()
}

/// The half-plane nearer to one point than to another, left of their bisector; the line is the
/// same, to the bit, from both sides.
fn nearer(own: DVec2, other: DVec2, is_first: bool, slop: f64) -> HalfPlane {
    let (p, q) = if is_first { (own, other) } else { (other, own) };
    let normal = (p - q).normalize_or_zero();
    let half = HalfPlane { normal, offset: normal.dot((p + q) * 0.5), slop };
    if is_first { half } else { half.flipped() }
}
