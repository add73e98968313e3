//! Closed loops of corners on a grid of whole numbers, and the check that their edges do not meet.
//!
//! In: corners as they were given. Out: loops without straight corners. No two edges meet except in
//! a common corner. The solid is to the left of every edge: an outline runs counter-clockwise, a
//! hole clockwise.
//!
//! The grid has 2^29 steps from the origin to the farthest corner, 32 times as fine as the numbers
//! that stand there; a turn of three corners then fits an `i64` and is exact.

use glam::Vec2;

use super::{ShapeError, check_coordinates};
use crate::bounds::{Aabb, BoxTree};
use crate::math::max;
use crate::shape::Polygon;
use crate::shape::hull::{height, least_thickness};
use crate::tuning::MAX_POLYGON_VERTICES;
use crate::util::sort;

/// A corner on the grid.
pub(super) type Node = [i64; 2];

/// Twice the area of the triangle p, q, r: positive if they turn left.
#[inline(always)]
pub(super) fn turn(p: Node, q: Node, r: Node) -> i64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

/// The corners of all loops, loop after loop.
pub(super) struct Loops {
    pub(super) points: Vec<Vec2>,
    pub(super) grid: Vec<Node>,
    /// The corner before and after each in its loop.
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
    /// Where each loop begins, and the end of the last.
    starts: Vec<u32>,
}

impl Loops {
    pub(super) fn new(outlines: &[Vec<Vec2>]) -> Result<Loops, ShapeError> {
        let count = outlines.iter().map(Vec::len).sum::<usize>();
        if u32::try_from(count).is_err() {
            return Err(ShapeError::TooManyParts);
        }
        let mut points = Vec::with_capacity(count);
        let mut starts = vec![0];
        let all: Vec<Vec2> = outlines.iter().flatten().copied().collect();
        all.iter().try_for_each(|p| check_coordinates(&p.to_array()))?;
        let slop = least_thickness(&all);
        for outline in outlines {
            let from = points.len();
            push_corners(outline, slop, &mut points);
            if points.len() < from + 3 {
                return Err(ShapeError::Degenerate);
            }
            starts.push(points.len() as u32);
        }
        let grid = on_grid(&points);
        let mut loops =
            Loops { before: vec![0; points.len()], after: vec![0; points.len()], points, grid, starts };
        loops.link();
        Ok(loops)
    }

    /// The corners of each loop.
    pub(super) fn spans(&self) -> impl Iterator<Item = core::ops::Range<usize>> + '_ {
        self.starts.windows(2).map(|span| span[0] as usize..span[1] as usize)
    }

    fn link(&mut self) {
        for span in self.starts.windows(2) {
            for corner in span[0]..span[1] {
                let after = if corner + 1 == span[1] { span[0] } else { corner + 1 };
                self.after[corner as usize] = after;
                self.before[after as usize] = corner;
            }
        }
    }

    /// Turns the first loop counter-clockwise, all others clockwise.
    pub(super) fn orient(&mut self) {
        let spans: Vec<_> = self.spans().collect();
        for (number, span) in spans.into_iter().enumerate() {
            let wide = |corner: usize| self.grid[corner].map(i128::from);
            let cross = |corner: usize| {
                let (p, q) = (wide(corner), wide(self.after[corner] as usize));
                p[0] * q[1] - p[1] * q[0]
            };
            let doubled_area: i128 = span.clone().map(cross).sum();
            if (doubled_area < 0) == (number == 0) {
                self.points[span.clone()].reverse();
                self.grid[span].reverse();
            }
        }
    }

    /// Returns the only loop as a polygon, if it is convex and small enough.
    pub(super) fn as_polygon(&self) -> Option<Polygon> {
        let is_small = self.starts.len() == 2 && self.points.len() <= MAX_POLYGON_VERTICES;
        if is_small { Polygon::new(&self.points).ok() } else { None }
    }

    /// Checks that no two edges meet except in a common corner.
    pub(super) fn check_simple(&self) -> Result<(), ShapeError> {
        let end = |corner: usize| self.after[corner] as usize;
        let count = self.grid.len();
        for corner in 0..count {
            let (p, q, r) = (self.grid[corner], self.grid[end(corner)], self.grid[end(end(corner))]);
            let turns_back = (q[0] - p[0]) * (r[0] - q[0]) + (q[1] - p[1]) * (r[1] - q[1]) < 0;
            if p == q || turn(p, q, r) == 0 && turns_back {
                return Err(ShapeError::SelfCrossing);
            }
        }
        let meets = |i: usize, j: usize| {
            let apart = j != i && end(i) != j && end(j) != i;
            apart && edges_meet([i, end(i)].map(|k| self.grid[k]), [j, end(j)].map(|k| self.grid[k]))
        };
        let crosses = if count <= SWEPT {
            any_pair_by_sweep(count, |i| [self.grid[i], self.grid[end(i)]], meets)
        } else {
            any_pair_by_tree(count, |i| [self.points[i], self.points[end(i)]], meets)
        };
        if crosses { Err(ShapeError::SelfCrossing) } else { Ok(()) }
    }
}

/// The number of edges up to which a sweep over all of them is quicker than a tree of their boxes:
/// it takes a third of the time at 100.
const SWEPT: usize = 256;

/// Whether any two edges meet whose boxes overlap, found along x.
fn any_pair_by_sweep(
    count: usize,
    edge: impl Fn(usize) -> [Node; 2],
    meets: impl Fn(usize, usize) -> bool,
) -> bool {
    let mut order: Vec<(i64, i64, u32)> = (0..count)
        .map(|i| {
            let [p, q] = edge(i);
            (p[0].min(q[0]), p[0].max(q[0]), i as u32)
        })
        .collect();
    sort::plain(&mut order);
    order.iter().enumerate().any(|(at, &(_, right, i))| {
        let near = order[at + 1..].iter().take_while(|other| other.0 <= right);
        near.into_iter().any(|other| meets(i as usize, other.2 as usize))
    })
}

/// The test of [`any_pair_by_sweep`] for many edges.
fn any_pair_by_tree(
    count: usize,
    edge: impl Fn(usize) -> [Vec2; 2],
    meets: impl Fn(usize, usize) -> bool,
) -> bool {
    let boxes: Vec<Aabb> = (0..count).map(|i| Aabb::around_points(&edge(i))).collect();
    let tree = BoxTree::new(&boxes);
    boxes.iter().enumerate().any(|(i, own)| {
        let mut found = false;
        tree.visit(
            |node| node.overlaps(own),
            |other| {
                found = meets(i, other as usize);
                !found
            },
        );
        found
    })
}

/// Whether two segments have a point in common.
fn edges_meet([a, b]: [Node; 2], [c, d]: [Node; 2]) -> bool {
    let overlap = |k: usize| a[k].min(b[k]) <= c[k].max(d[k]) && c[k].min(d[k]) <= a[k].max(b[k]);
    let parts = |p: Node, q: Node, r: Node, s: Node| turn(p, q, r).signum() * turn(p, q, s).signum() > 0;
    overlap(1) && overlap(0) && !parts(a, b, c, d) && !parts(c, d, a, b)
}

/// Corners on whole numbers: at most 2^29, so that products of differences stay below 2^61.
fn on_grid(points: &[Vec2]) -> Vec<Node> {
    let reach = points.iter().fold(0.0_f32, |reach, p| max(reach, p.abs().max_element()));
    // `reach` is below 2^(exponent + 1), and an `f64` holds every possible scale.
    let exponent = ((reach.to_bits() >> 23) & 0xff) as i64 - 127;
    let scale = f64::from_bits(((1023 + 28 - exponent) as u64) << 52);
    let snap = |x: f32| (f64::from(x) * scale).round() as i64;
    points.iter().map(|p| [snap(p.x), snap(p.y)]).collect()
}

/// Appends the corners of an outline. Drops corners that coincide with the next one, lie on the
/// line through their neighbours, or are the tip of a spike without width.
///
/// Dropped corners are within `slop` of the remaining edges, also where many corners in a row are
/// dropped, as on a circle.
fn push_corners(outline: &[Vec2], slop: f64, points: &mut Vec<Vec2>) {
    let count = outline.len();
    if count < 3 {
        return;
    }
    let mut after: Vec<usize> = (1..count).chain([0]).collect();
    let mut before: Vec<usize> = [count - 1].into_iter().chain(0..count - 1).collect();
    // How far the outline is from the edge that begins here, at most.
    let mut off = vec![0.0_f64; count];
    let (mut left, mut corner, mut kept_in_a_row) = (count, 0, 0);
    while left >= 3 && kept_in_a_row < left {
        let (p, r) = (before[corner], after[corner]);
        let height = height(outline[p], outline[r], outline[corner]).abs();
        let worst = height + off[p].max(off[corner]);
        if worst < slop || outline[corner] == outline[r] {
            (after[p], before[r]) = (r, p);
            off[p] = worst;
            left -= 1;
            kept_in_a_row = 0;
            // The neighbours have new neighbours, so they are tested again.
            corner = before[p];
        } else {
            kept_in_a_row += 1;
            corner = r;
        }
    }
    // Begin with the first of the remaining corners, in the order given.
    let mut is_left = vec![false; count];
    for _ in 0..left {
        is_left[corner] = true;
        corner = after[corner];
    }
    points.extend(outline.iter().zip(&is_left).filter(|(_, left)| **left).map(|(p, _)| *p));
}
