//! The border of the sum A + (-B) of two star-shaped outlines, each about its centre.
//!
//! In: corners of A, and of B turned and mirrored through its centre, counter-clockwise. Out: the
//! corners of the sum in polar order. Called when a table is built.
//!
//! A border point of the sum is the sum of two border points at which both face the same way. So
//! every edge of the sum is an edge of one of the two, moved by a corner of the other whose two
//! edges have its direction between theirs (corners that turn inward have none between).
//!
//! ```text
//!    f2 ^   ^ e      f1, f2: the edges that meet in corner c of the one outline
//!       |  /         e: an edge of the other, from p to q
//!       | /          f1, e, f2 in the order of their angles: the edge from p + c to q + c may lie
//!                    on the border
//!       |/
//!  ---->c
//!   f1
//! ```
//!
//! For convex outlines that is the merge of both rings of edges by angle, and every edge is on the
//! border. For concave outlines some edges run through the inside of the sum; the outermost along
//! each direction make the border (`envelope.rs`). All the edges belong to the sum, so one too many
//! does no harm.

use glam::DVec2;

use super::envelope::{self, Edge};
use crate::math::Rot;
use crate::shape::PolarShape;

/// A corner of the sum that stands out by less than this share of its distance is left out.
const FLAT: f64 = 1.0e-11;

/// The corners of `a` seen from its centre.
pub(super) fn outline(a: &PolarShape) -> Vec<DVec2> {
    (0..a.vertices().len()).map(|i| a.spoke(i)).collect()
}

/// The corners of `b` seen from its centre, turned by `rotation` and mirrored through the centre.
pub(super) fn mirrored_outline(b: &PolarShape, rotation: Rot) -> Vec<DVec2> {
    let rotation = rotation.normalized();
    let x_axis = DVec2::new(f64::from(rotation.cos), f64::from(rotation.sin)).normalize();
    outline(b).iter().map(|v| -(x_axis * v.x + x_axis.perp() * v.y)).collect()
}

/// The corners of the sum of two star-shaped outlines about the origin, counter-clockwise.
pub(super) fn border(a: &[DVec2], b: &[DVec2]) -> Vec<DVec2> {
    if is_convex(a) && is_convex(b) {
        return without_flat_corners(&convex_sum(a, b));
    }
    let mut edges = Vec::new();
    push_matches(a, b, &mut edges);
    push_matches(b, a, &mut edges);
    // The sum sees the ball of radius h_A + h_B whole, where h is the least distance of an edge's
    // line from the centre, so no line of its border cuts that ball. Half is far above the
    // rounding.
    let ball = 0.5 * (nearest_line(a) + nearest_line(b));
    edges.retain(|edge| edge.p.perp_dot(edge.q) >= ball * edge.p.distance(edge.q));
    without_flat_corners(&envelope::outermost(&edges))
}

fn is_convex(outline: &[DVec2]) -> bool {
    (0..outline.len()).all(|i| edge(outline, i + outline.len() - 1).perp_dot(edge(outline, i)) >= 0.0)
}

/// Edge `i`, counted on around the outline.
fn edge(outline: &[DVec2], i: usize) -> DVec2 {
    let count = outline.len();
    outline[(i + 1) % count] - outline[i % count]
}

/// Both rings of edges in one, by angle, from the lowest corner on: O(n + m). Parallel edges become
/// one.
fn convex_sum(a: &[DVec2], b: &[DVec2]) -> Vec<DVec2> {
    let (first_a, first_b) = (lowest(a), lowest(b));
    let (mut i, mut j) = (0, 0);
    let mut sum = Vec::with_capacity(a.len() + b.len());
    while i < a.len() || j < b.len() {
        sum.push(a[(first_a + i) % a.len()] + b[(first_b + j) % b.len()]);
        let (e, f) = (edge(a, first_a + i), edge(b, first_b + j));
        let a_is_first = j == b.len() || (i < a.len() && !comes_before(f, e));
        let b_is_first = i == a.len() || (j < b.len() && !comes_before(e, f));
        i += usize::from(a_is_first);
        j += usize::from(b_is_first);
    }
    sum
}

/// The lowest corner, of several the leftmost: the edge that leaves it has the least angle in [0,
/// 2π).
fn lowest(outline: &[DVec2]) -> usize {
    let order = |p: DVec2, q: DVec2| p.y.total_cmp(&q.y).then(p.x.total_cmp(&q.x));
    (0..outline.len()).min_by(|&i, &j| order(outline[i], outline[j])).unwrap_or(0)
}

/// Whether the angle of `e` in [0, 2π) is less than that of `f`.
fn comes_before(e: DVec2, f: DVec2) -> bool {
    let is_upper = |v: DVec2| v.y > 0.0 || (v.y == 0.0 && v.x > 0.0);
    match (is_upper(e), is_upper(f)) {
        (true, false) => true,
        (false, true) => false,
        _ => e.perp_dot(f) > 0.0,
    }
}

/// Every edge of `a`, moved by every corner of `b` whose two edges have its direction between
/// theirs.
///
/// The products of `a` with `b` and of `b` with `a` have opposite signs to the last bit, so of two
/// nearly parallel edges both calls agree which comes first, and no edge is lost between them.
fn push_matches(a: &[DVec2], b: &[DVec2], edges: &mut Vec<Edge>) {
    for (j, &c) in b.iter().enumerate() {
        let (f1, f2) = (edge(b, j + b.len() - 1), edge(b, j));
        if f1.perp_dot(f2) <= 0.0 {
            continue;
        }
        for (i, &p) in a.iter().enumerate() {
            let e = edge(a, i);
            if f1.perp_dot(e) >= 0.0 && e.perp_dot(f2) >= 0.0 {
                edges.push(Edge { p: p + c, q: a[(i + 1) % a.len()] + c });
            }
        }
    }
}

/// The least distance of an edge's line from the centre.
fn nearest_line(outline: &[DVec2]) -> f64 {
    let distance = |i: usize| outline[i].perp_dot(edge(outline, i)) / edge(outline, i).length();
    (0..outline.len()).map(distance).fold(f64::INFINITY, f64::min)
}

/// The corners at which the outline turns; corners in line with their neighbours, and repeated
/// corners, are dropped.
///
/// The farthest corner always stays: the walk around the outline starts there.
fn without_flat_corners(outline: &[DVec2]) -> Vec<DVec2> {
    let count = outline.len();
    let farther =
        |i: usize, j: usize| if outline[j].length_squared() > outline[i].length_squared() { j } else { i };
    let first = (0..count).fold(0, farther);
    let corner = |i: usize| outline[(first + i) % count];
    let mut distinct: Vec<DVec2> = (0..count.min(1)).map(corner).collect();
    for p in (1..count).map(corner) {
        let [before, start] = [distinct[distinct.len() - 1], distinct[0]];
        if before.perp_dot(p) > 0.0 && p.distance(before).min(p.distance(start)) > FLAT * p.length() {
            distinct.push(p);
        }
    }
    let mut kept: Vec<DVec2> = Vec::with_capacity(distinct.len());
    for (i, &p) in distinct.iter().enumerate() {
        let stands_out = kept.last().is_none_or(|&before| {
            let along = distinct[(i + 1) % distinct.len()] - before;
            along.perp_dot(p - before).abs() > FLAT * p.length() * along.length()
        });
        if stands_out {
            kept.push(p);
        }
    }
    kept
}
