//! Delaunay triangulation: diagonals are flipped until every pair of triangles has the better of
//! its two possible diagonals.
//!
//! In: triangles as the sweep leaves them, long and thin. Out: the constrained Delaunay
//! triangulation of the same corners (Lawson 1977), whose least angle is the greatest there is; so
//! parts made of them are compact.

use super::loops::{Node, turn};
use super::sweep::{NO_SIDE, Triangles, next};

/// Flips diagonals until every diagonal is the better one. Each flip makes the triangulation
/// better, in exact numbers, so the flips end.
pub(super) fn flip(triangles: &mut Triangles, grid: &[Node]) {
    let mut queue: Vec<u32> = (0..triangles.twin.len() as u32).collect();
    while let Some(side) = queue.pop() {
        let twin = triangles.twin[side as usize];
        if twin == NO_SIDE || !is_worse(triangles, grid, side, twin) {
            continue;
        }
        triangles.turn_diagonal(side, twin);
        let (a, b) = (next(side), next(twin));
        queue.extend([side, a, next(a), twin, b, next(b)]);
    }
}

/// Whether the circle through the triangle of `side` contains the far corner of its neighbour: the
/// angles α and γ across the diagonal are more than half a turn together, sin(α + γ) < 0.
///
/// With dot = cos · lengths and cross = sin · lengths: dot_α cross_γ + cross_α dot_γ < 0. If so,
/// the quadrilateral is convex, for its other two angles are together less than half a turn.
fn is_worse(triangles: &Triangles, grid: &[Node], side: u32, twin: u32) -> bool {
    let corner = |side: u32| grid[triangles.corner[side as usize] as usize];
    let (a, b) = (corner(side), corner(twin));
    let (c, d) = (corner(next(next(side))), corner(next(next(twin))));
    let dot =
        |tip: Node, p: Node, q: Node| (p[0] - tip[0]) * (q[0] - tip[0]) + (p[1] - tip[1]) * (q[1] - tip[1]);
    let (dot_c, dot_d) = (dot(c, a, b), dot(d, a, b));
    if dot_c >= 0 && dot_d >= 0 {
        return false;
    }
    let (cross_c, cross_d) = (turn(c, a, b), turn(d, b, a));
    let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
    // Convex in exact numbers as well: neither new triangle is turned over.
    wide(dot_c, cross_d) + wide(cross_c, dot_d) < 0 && turn(a, d, c) > 0 && turn(d, b, c) > 0
}

impl Triangles {
    /// Replaces the diagonal from a to b of a quadrilateral a, d, b, c by the diagonal from d to c.
    ///
    /// ```text
    ///        c                 c
    ///      / | \             /   \
    ///     a  |  b   becomes a-----b   with the picture turned: sides keep their numbers,
    ///      \ | /             \   /    the diagonal is `side` and `twin` before and after.
    ///        d                 d
    /// ```
    fn turn_diagonal(&mut self, side: u32, twin: u32) {
        let (bc, ca) = (next(side), next(next(side)));
        let (ad, db) = (next(twin), next(next(twin)));
        let (c, d) = (self.corner[ca as usize], self.corner[db as usize]);
        let (a, b) = (self.corner[side as usize], self.corner[twin as usize]);
        let (out_bc, out_ca) = (self.twin[bc as usize], self.twin[ca as usize]);
        let (out_ad, out_db) = (self.twin[ad as usize], self.twin[db as usize]);
        // The triangle of `side`: d, c, a; that of `twin`: c, d, b.
        let rows = [(side, d), (bc, c), (ca, a), (twin, c), (ad, d), (db, b)];
        rows.iter().for_each(|&(side, corner)| self.corner[side as usize] = corner);
        for (side, out) in [(bc, out_ca), (ca, out_ad), (ad, out_db), (db, out_bc)] {
            self.twin[side as usize] = out;
            if out != NO_SIDE {
                self.twin[out as usize] = side;
            }
        }
    }
}
