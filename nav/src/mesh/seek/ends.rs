//! The start and the end of a search.

use core::cmp::Reverse;

use super::super::cdt::NONE;
use super::super::fixed::{Place, orient};
use super::super::tangent::{Side, contact, tangent};
use super::{Node, Sight, Task};

impl Task<'_> {
    /// Adds the nodes of an end of a way (a root that is no corner), in the faces that contain it.
    pub(super) fn start(&mut self, root: u32, faces: &[u32]) {
        for &face in faces {
            if self.goal_faces.contains(&face) {
                self.finish(root, &self.cdt.faces[face as usize].org);
            }
        }
        let from = self.seek.roots[root as usize];
        let (at, circle) = (from.at.nearest(), from.circle());
        for &face in faces {
            for h in 4 * face..4 * face + 3 {
                let (right, left) = (self.cdt.org(h), self.cdt.dest(h));
                let is_on = orient(self.cdt.at(right), self.cdt.at(left), at) <= 0;
                if is_on || !self.passes(h) {
                    continue;
                }
                let (mut lo, mut hi) = (self.past(circle, right, -1), self.past(circle, left, 1));
                if lo.cross(hi) <= 0.0 {
                    // The view of a place on the edge spans half a turn.
                    lo = tangent(circle, (self.place(right), -1), self.r).0;
                    hi = tangent(circle, (self.place(left), 1), self.r).0;
                }
                let node = Node {
                    h: self.cdt.twin(h),
                    root,
                    lo,
                    hi,
                    lo_at: right,
                    hi_at: left,
                    lo_before: NONE,
                    hi_before: NONE,
                    about: 0,
                };
                if self.r > 0.0 {
                    self.start_past(node, self.cdt.apex(h));
                } else {
                    self.push(&node);
                }
            }
        }
    }

    /// Adds a node over an edge of the first face; the way may first have to turn about the
    /// opposite corner.
    fn start_past(&mut self, mut node: Node, corner: u32) {
        let from = self.seek.roots[node.root as usize];
        let by = self.place(corner) - from.at;
        let middle = node.lo + node.hi;
        let side: Side = if middle.cross(by) > 0.0 { 1 } else { -1 };
        let (direction, _) = tangent(from.circle(), (self.place(corner), side), self.r);
        let is_tight = if side > 0 { direction.cross(node.hi) > 0.0 } else { node.lo.cross(direction) > 0.0 };
        if !is_tight || direction.dot(by) <= 0.0 {
            self.push(&node);
            return;
        }
        if let Some(root) = self.new_root(node.root, direction, corner, side) {
            let circle = (self.place(corner), side);
            let mut lo = self.past(circle, node.lo_at, -1);
            let mut hi = self.past(circle, node.hi_at, 1);
            let (mut lo_at, mut hi_at) = (node.lo_at, node.hi_at);
            if side > 0 && lo.cross(direction) > 0.0 {
                (lo, lo_at) = (direction, NONE);
            }
            if side < 0 && direction.cross(hi) > 0.0 {
                (hi, hi_at) = (direction, NONE);
            }
            self.push(&Node { root, lo, hi, lo_at, hi_at, ..node });
        }
        if side > 0 {
            node.hi_before = self.bound(node.hi, node.hi_at, NONE);
            (node.hi, node.hi_at) = (direction, corner);
        } else {
            node.lo_before = self.bound(node.lo, node.lo_at, NONE);
            (node.lo, node.lo_at) = (direction, corner);
        }
        self.push(&node);
    }

    /// Handles a node whose next face contains the goal.
    pub(super) fn arrive(&mut self, node: &Node) {
        let root = self.seek.roots[node.root as usize];
        let (direction, _) = tangent(root.circle(), (self.goal, 0), self.r);
        let (l, r, w) = (self.cdt.org(node.h), self.cdt.dest(node.h), self.cdt.apex(node.h));
        for side in [1, -1] {
            if let Sight::Behind(vertex, first) = self.sight(node, direction, self.goal, side) {
                let end = if side > 0 { l } else { r };
                let top = if side > 0 { node.hi_at } else { node.lo_at };
                // If it turns about another corner that bounds the line most, another node leads to
                // the goal.
                let is_mine = vertex != NONE && (vertex == end || vertex != top);
                let touches = || contact((self.place(vertex), side), first, self.r);
                if is_mine
                    && self.is_in_sight(node, first, touches(), -side)
                    && let Some(root) = self.new_root(node.root, first, vertex, side)
                {
                    self.finish(root, &[l, r, w]);
                }
                return;
            }
        }
        self.finish(node.root, &[l, r, w]);
    }

    /// Goes from a root to the goal, turning about a corner of the goal's face if that is too close
    /// to the line.
    fn finish(&mut self, root: u32, corners: &[u32]) {
        if self.seek.fan.is_open {
            return self.see_goal(corners);
        }
        let from = self.seek.roots[root as usize];
        let (direction, length) = tangent(from.circle(), (self.goal, 0), self.r);
        if self.r > 0.0 {
            let start = contact(from.circle(), direction, self.r);
            for &corner in corners {
                let by = self.place(corner) - start;
                let (ahead, left) = (by.dot(direction), direction.cross(by));
                let is_close = ahead > 0.0 && ahead < length && left.abs() < self.r - 0.5;
                if is_close && corner != from.vertex {
                    let side = if left > 0.0 { 1 } else { -1 };
                    let (first, _) = tangent(from.circle(), (self.place(corner), side), self.r);
                    if let Some(root) = self.new_root(root, first, corner, side) {
                        let circle = self.seek.roots[root as usize].circle();
                        let (direction, length) = tangent(circle, (self.goal, 0), self.r);
                        self.complete(root, direction, length);
                    }
                    return;
                }
            }
        }
        self.complete(root, direction, length);
    }

    /// Adds a complete way, by its length.
    fn complete(&mut self, root: u32, direction: Place, length: f64) {
        let from = self.seek.roots[root as usize];
        let f = from.length + self.arc(&from, direction) + length;
        self.seek.least = self.seek.least.min(f);
        let none = Place::default();
        let node = Node {
            h: NONE,
            root,
            lo: none,
            hi: none,
            lo_at: NONE,
            hi_at: NONE,
            lo_before: NONE,
            hi_before: NONE,
            about: 0,
        };
        self.seek.nodes.push(node);
        self.seek.heap.push(Reverse((f.to_bits(), self.seek.nodes.len() as u32 - 1)));
    }
}
