//! Corners that a straight piece of a way may lead to, as a fan finds them.
//!
//! In: a root, a corner, and its side. Out: a [`Line`] if ways turn about the corner and the line
//! is free.
//!
//! ```text
//!     a --- disc --- b    A disc does not pass between a and b, but reaches over the edge as far
//!        \        /       as corner x. A way that begins or ends there, in a pocket, may turn
//!          -- x --        about x, though the disc's middle does not cross the edge.
//! ```
//!
//! Each line is tested against all walls (lines.rs): an extra corner costs time, but gives no wrong
//! way.

use super::super::cdt::{Cdt, NONE, next, prev};
use super::super::fixed::Place;
use super::super::near::segment_square;
use super::super::tangent::{Side, contact, tangent};
use super::fan::Line;
use super::{Node, OFF_FOOT, Task};

/// Greatest number of vertices in a row without a turn: feet, and concave vertices.
const MAX_LEVEL: usize = 4;
/// Greatest number of corners beyond an edge that a disc reaches over.
const MAX_BEYOND: usize = 16;
/// Greatest distance of a corner in a pocket, in radii, from the end of a way that turns about it.
/// A passage too narrow for the disc is less than two radii wide; there is room for three in a row.
const MAX_POCKET: f64 = 8.0;
/// A corner is noted once among this many.
pub(super) const MAX_NOTED: usize = 8;

/// Whether a way between two places may turn about a corner in a pocket.
#[inline(always)]
pub(crate) fn is_near_pocket(at: Place, ends: [Place; 2], r: f64) -> bool {
    let reach = MAX_POCKET * r;
    ends.iter().any(|&end| (at - end).dot(at - end) < reach * reach)
}

impl Task<'_> {
    /// Notes a corner that a line from a root leads to. Where the wall beyond the corner leads into
    /// the line, as at a foot or in a concave place, the line leads to the wall's next corner.
    pub(super) fn note(&mut self, root: u32, direction: Place, vertex: u32, side: Side) {
        if self.is_noted(root, vertex, side) {
            return;
        }
        if self.note_corner(root, direction, vertex, side) || self.r == 0.0 {
            return;
        }
        let (circle, cdt) = (self.seek.roots[root as usize].circle(), self.cdt);
        let leads_in = |h: u32, direction: Place| {
            let along = cdt.at(cdt.dest(h)).place() - cdt.at(cdt.org(h)).place();
            along.dot(direction) > 0.0 && direction.cross(along) * f64::from(side) < OFF_FOOT
        };
        let walls = cdt.spokes(vertex).filter(|&h| cdt.is_wall(h) && cdt.is_free_beside(h, side));
        for wall in walls.filter(|&h| leads_in(h, direction)) {
            let mut wall = wall;
            for _ in 0..MAX_LEVEL {
                let corner = cdt.dest(wall);
                let (direction, _) = tangent(circle, (self.place(corner), side), self.r);
                if self.is_noted(root, corner, side) || self.note_corner(root, direction, corner, side) {
                    break;
                }
                wall = cdt.wall_after(wall, side);
                if !leads_in(wall, direction) {
                    break;
                }
            }
        }
    }

    /// Whether a corner is among the last noted ones; adds it if not.
    #[inline(always)]
    fn is_noted(&mut self, root: u32, vertex: u32, side: Side) -> bool {
        let fan = &mut self.seek.fan;
        let flags =
            root << 4 | u32::from(side > 0) << 3 | u32::from(fan.is_pocket) << 2 | u32::from(fan.part);
        let corner = u64::from(vertex) << 32 | u64::from(flags);
        if fan.noted.contains(&corner) {
            return true;
        }
        fan.noted[fan.next_noted] = corner;
        fan.next_noted = (fan.next_noted + 1) % MAX_NOTED;
        false
    }

    /// Notes a corner that a line from a root leads to. Returns false if no way turns about it.
    fn note_corner(&mut self, root: u32, direction: Place, vertex: u32, side: Side) -> bool {
        if self.cdt.vertices[vertex as usize].foot_of != NONE {
            return false;
        }
        let from = self.seek.roots[root as usize];
        let (_, length) = tangent(from.circle(), (self.place(vertex), side), self.r);
        // A line from the goal belongs to a way that runs from the corner.
        let flip: Side = if root == 0 { 1 } else { -1 };
        let (way_side, way) = (side * flip, direction * f64::from(flip));
        let Some((mut cone, spokes)) = self.cdt.cone_of_walls(vertex, way_side) else {
            let is_lone = self.cdt.is_lone(vertex);
            self.seek.fan.is_short |= self.r > 0.0 && is_lone;
            return is_lone;
        };
        if !cone.holds(way, length, way_side) {
            return false;
        }
        if self.r > 0.0 {
            self.cdt.part_turns(&mut cone, spokes, (vertex, way_side), self.gap);
            if !cone.holds(way, length, way_side) {
                return false;
            }
        }
        if self.is_line(root, direction, length) {
            self.seek.fan.lines.push(Line {
                vertex,
                side: way_side,
                part: self.seek.fan.part,
                part_there: cone.part(way, way_side),
                turned_there: cone.turned(way, way_side),
                direction: way,
                length,
                is_pocket: self.seek.fan.is_pocket,
            });
        }
        true
    }

    /// Whether a way may turn about a corner beside a passage too narrow for the disc: only where
    /// the way begins or ends near there.
    pub(super) fn is_pocket(&self, root: u32, at: Place) -> bool {
        let root = &self.seek.roots[root as usize];
        root.side != 0 || is_near_pocket(at, [root.at, self.goal], self.r)
    }

    /// Notes a corner if a node lets a line to it through.
    pub(super) fn note_in_sight(&mut self, node: &Node, vertex: u32, side: Side) {
        let (circle, corner) = (self.seek.roots[node.root as usize].circle(), (self.place(vertex), side));
        let (direction, _) = tangent(circle, corner, self.r);
        let end = contact(corner, direction, self.r);
        let is_seen = self.is_in_sight(node, direction, end, 1) && self.is_in_sight(node, direction, end, -1);
        self.seek.fan.is_pocket = true;
        if is_seen && !self.is_noted(node.root, vertex, side) {
            self.note_corner(node.root, direction, vertex, side);
        }
        self.seek.fan.is_pocket = false;
    }

    /// Notes the corners beyond an edge that the disc does not pass, as far as the disc reaches
    /// over the edge.
    pub(super) fn note_beyond(&mut self, node: &Node, h: u32) {
        let mut beyond = core::mem::take(&mut self.seek.fan.around);
        beyond.clear();
        let (a, b) = (self.place(self.cdt.org(h)), self.place(self.cdt.dest(h)));
        let along = b - a;
        let square = along.dot(along);
        // The disc reaches furthest where it touches both ends.
        let off = (self.r * self.r / square - 0.25).max(0.0).sqrt();
        let middle = (a + b) * 0.5 + along.left() * off;
        self.look_beyond(h, middle, &mut beyond);
        for &vertex in &beyond {
            self.note_in_sight(node, vertex, 1);
            self.note_in_sight(node, vertex, -1);
        }
        self.seek.fan.around = beyond;
    }

    /// Lists the corners beyond an edge that a disc with its middle at a place reaches.
    fn look_beyond(&self, h: u32, middle: Place, beyond: &mut Vec<u32>) {
        if self.cdt.is_wall(h) || beyond.len() > MAX_BEYOND {
            return;
        }
        let h = self.cdt.twin(h);
        let vertex = self.cdt.apex(h);
        let at = self.place(vertex);
        if (at - middle).length() < self.r - 1.0 {
            beyond.push(vertex);
        }
        for h in [next(h), prev(h)] {
            let (c, d) = (self.place(self.cdt.org(h)), self.place(self.cdt.dest(h)));
            if segment_square(c - middle, d - middle) < (self.r - 1.0) * (self.r - 1.0) {
                self.look_beyond(h, middle, beyond);
            }
        }
    }

    /// Notes corners of the faces around a disc at an end, which may be so close that no line to
    /// another corner passes them.
    pub(super) fn note_beside(&mut self, root: u32, faces: &[u32]) {
        if self.r == 0.0 {
            return;
        }
        let from = self.seek.roots[root as usize].at;
        let mut beside = core::mem::take(&mut self.seek.fan.around);
        beside.clear();
        for &face in faces {
            beside.extend(self.cdt.faces[face as usize].org);
            for h in 4 * face..4 * face + 3 {
                self.look_beside(h, [from; 2], self.r, &mut beside);
            }
        }
        for &vertex in &beside {
            for side in [1, -1] {
                let (direction, _) = tangent((from, 0), (self.place(vertex), side), self.r);
                let is_ahead = direction.dot(self.place(vertex) - from) > 0.0;
                if is_ahead && self.note_corner(root, direction, vertex, side) {
                    self.is_noted(root, vertex, side);
                }
            }
        }
        self.seek.fan.around = beside;
    }
}

impl Cdt {
    /// Whether the land is free beside a wall, where a way runs with the wall on a side.
    fn is_free_beside(&self, wall: u32, side: Side) -> bool {
        self.is_free(if side < 0 { wall } else { self.twin(wall) } >> 2)
    }

    /// The next wall along free land, for a way with the walls on a side.
    fn wall_after(&self, wall: u32, side: Side) -> u32 {
        if side < 0 {
            let mut h = next(wall);
            while !self.is_wall(h) {
                h = next(self.twin(h));
            }
            return h;
        }
        let mut h = prev(self.twin(wall));
        while !self.is_wall(h) {
            h = prev(self.twin(h));
        }
        self.twin(h)
    }
}
