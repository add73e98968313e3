//! Triangles merged to convex parts of at most eight corners.
//!
//! In: triangles, and which sides they share. Out: the corners of each part.
//!
//! A diagonal is removed if the two parts that it separates are one convex part without it. With
//! all such diagonals removed, there are at most four times as many parts as necessary (Hertel and
//! Mehlhorn 1983); the order of removal decides how many parts are left. For random outlines of 100
//! corners the better of two orders leaves 1.09 times as many on average, 1.3 times at most:
//! `tests/geometry/outline.rs`.

use super::loops::{Node, turn};
use super::sweep::{NO_SIDE, Triangles, next};
use crate::tuning::MAX_POLYGON_VERTICES;
use crate::util::sort;

/// Parts while they grow: sides in rings.
struct Rings<'a> {
    grid: &'a [Node],
    triangles: &'a Triangles,
    after: Vec<u32>,
    before: Vec<u32>,
    /// The part of each triangle, as in a union-find forest: a part that is merged leads to
    /// another.
    part: Vec<u32>,
    /// How many corners a part has.
    corners: Vec<u32>,
    /// Sides that are gone.
    is_gone: Vec<bool>,
    left: usize,
}

/// Calls `part` with the corners of each part, counter-clockwise.
pub(super) fn for_parts(triangles: &Triangles, grid: &[Node], mut part: impl FnMut(&[u32])) {
    let rings = [Order::Longest, Order::Shortest].map(|order| {
        let mut rings = Rings::new(triangles, grid);
        for side in sides_by(triangles, grid, order) {
            rings.remove(side);
        }
        rings
    });
    let best = if rings[1].left < rings[0].left { &rings[1] } else { &rings[0] };
    let mut is_told = vec![false; triangles.corner.len()];
    let mut corners = Vec::new();
    for side in 0..triangles.corner.len() as u32 {
        if is_told[side as usize] || best.is_gone[side as usize] {
            continue;
        }
        corners.clear();
        let mut at = side;
        while !is_told[at as usize] {
            is_told[at as usize] = true;
            corners.push(triangles.corner[at as usize]);
            at = best.after[at as usize];
        }
        part(&corners);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Longest,
    Shortest,
}

/// One side of each diagonal, in an order.
fn sides_by(triangles: &Triangles, grid: &[Node], order: Order) -> Vec<u32> {
    let corner = |side: u32| grid[triangles.corner[side as usize] as usize];
    let mut sides: Vec<(i64, u32)> = (0..triangles.corner.len() as u32)
        .filter(|&side| triangles.twin[side as usize] != NO_SIDE && side < triangles.twin[side as usize])
        .map(|side| {
            let (p, q) = (corner(side), corner(next(side)));
            let length = (q[0] - p[0]).pow(2) + (q[1] - p[1]).pow(2);
            (if order == Order::Longest { -length } else { length }, side)
        })
        .collect();
    sort::plain(&mut sides);
    sides.into_iter().map(|(_, side)| side).collect()
}

impl<'a> Rings<'a> {
    fn new(triangles: &'a Triangles, grid: &'a [Node]) -> Rings<'a> {
        let sides = triangles.corner.len() as u32;
        let count = triangles.corner.len() / 3;
        Rings {
            grid,
            triangles,
            after: (0..sides).map(next).collect(),
            before: (0..sides).map(|side| next(next(side))).collect(),
            part: (0..count as u32).collect(),
            corners: vec![3; count],
            is_gone: vec![false; sides as usize],
            left: count,
        }
    }

    /// The part that a side belongs to.
    fn part_of(&mut self, side: u32) -> u32 {
        let mut part = side / 3;
        while self.part[part as usize] != part {
            let over = self.part[self.part[part as usize] as usize];
            self.part[part as usize] = over;
            part = over;
        }
        part
    }

    /// Whether the border turns left, or goes straight, from one side to another that begins
    /// where it ends.
    fn is_convex(&self, comes: u32, goes: u32) -> bool {
        let corner = |side: u32| self.grid[self.triangles.corner[side as usize] as usize];
        turn(corner(comes), corner(goes), corner(self.after[goes as usize])) >= 0
    }

    /// Removes a diagonal if one convex part is left.
    fn remove(&mut self, side: u32) {
        let twin = self.triangles.twin[side as usize];
        let (one, other) = (self.part_of(side), self.part_of(twin));
        let corners = self.corners[one as usize] + self.corners[other as usize] - 2;
        if one == other || corners as usize > MAX_POLYGON_VERTICES {
            return;
        }
        let [before, after] = [self.before[side as usize], self.after[side as usize]];
        let [twin_before, twin_after] = [self.before[twin as usize], self.after[twin as usize]];
        if !self.is_convex(before, twin_after) || !self.is_convex(twin_before, after) {
            return;
        }
        for (comes, goes) in [(before, twin_after), (twin_before, after)] {
            (self.after[comes as usize], self.before[goes as usize]) = (goes, comes);
        }
        (self.is_gone[side as usize], self.is_gone[twin as usize]) = (true, true);
        self.part[other as usize] = one;
        self.corners[one as usize] = corners;
        self.left -= 1;
    }
}
