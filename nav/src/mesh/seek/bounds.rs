//! Bounds of the directions of a node, and lower bounds of ways through it.

use super::super::cdt::NONE;
use super::super::fixed::Place;
use super::super::tangent::{Side, angle, contact, tangent};
use super::{Bound, GRAZE, Node, Root, Sight, Task};

impl Task<'_> {
    /// Keeps a bound that a tighter one replaces.
    pub(super) fn bound(&mut self, direction: Place, vertex: u32, before: u32) -> u32 {
        if self.r == 0.0 || vertex == NONE {
            return before;
        }
        self.seek.bounds.push(Bound { direction, vertex, before });
        self.seek.bounds.len() as u32 - 1
    }

    /// Tests whether a line that leaves a node's root in a direction, and ends at a place, stays
    /// within the bounds on one side: -1 for `lo`, 1 for `hi`.
    pub(super) fn sight(&self, node: &Node, direction: Place, end: Place, side: Side) -> Sight {
        if node.about == side {
            return Sight::Clear;
        }
        let first = if side < 0 {
            Bound { direction: node.lo, vertex: node.lo_at, before: node.lo_before }
        } else {
            Bound { direction: node.hi, vertex: node.hi_at, before: node.hi_before }
        };
        let breaks = |bound: &Bound| {
            let turned = bound.direction.cross(direction) * f64::from(side);
            turned > GRAZE && {
                // Not if the corner is beyond the line's end.
                let is_corner = self.r > 0.0 && bound.vertex != NONE;
                !(is_corner && (self.place(bound.vertex) - end).dot(direction) > 0.0)
            }
        };
        let mut worst = breaks(&first).then_some(first);
        let mut before = first.before;
        for _ in 0..32 {
            if before == NONE {
                break;
            }
            let bound = self.seek.bounds[before as usize];
            before = bound.before;
            let is_worse =
                worst.is_none_or(|worst| worst.direction.cross(bound.direction) * f64::from(side) < 0.0);
            // A nearly opposite bound bounds nothing.
            if is_worse && bound.direction.dot(direction) > 0.0 && breaks(&bound) {
                worst = Some(bound);
            }
        }
        worst.map_or(Sight::Clear, |bound| Sight::Behind(bound.vertex, bound.direction))
    }

    /// A lower bound of the length of ways through a node.
    pub(super) fn estimate(&self, node: &Node) -> f64 {
        let root = &self.seek.roots[node.root as usize];
        let (l, r) = (self.place(self.cdt.org(node.h)), self.place(self.cdt.dest(node.h)));
        // A goal on the near side is as far as its mirror image in the edge.
        let along = r - l;
        let side = along.cross(self.goal - l);
        let goal =
            if side < 0.0 { self.goal - along.left() * (2.0 * side / along.dot(along)) } else { self.goal };
        let (direction, length) = tangent(root.circle(), (goal, 0), self.r);
        let is_left = node.about != 1 && direction.cross(node.hi) < 0.0;
        let is_right = node.about != -1 && node.lo.cross(direction) < 0.0;
        let bend = |side: Side| match self.sight(node, direction, goal, side) {
            Sight::Behind(vertex, first) => Some(self.bend(root, first, (vertex, side), goal)),
            Sight::Clear => None,
        };
        // A goal behind the root is left of one bound and right of the other: the way turns about
        // either corner.
        let bent = match (is_left, is_right) {
            (true, true) => bend(1).and_then(|left| bend(-1).map(|right| left.min(right))),
            (true, false) => bend(1),
            (false, true) => bend(-1),
            (false, false) => None,
        };
        bent.unwrap_or_else(|| root.length + self.arc(root, direction) + length)
    }

    /// The length of the way that leaves a root in a direction, turns about a corner, and goes to
    /// the goal.
    fn bend(&self, root: &Root, direction: Place, (vertex, side): (u32, Side), goal: Place) -> f64 {
        // The way may not be able to leave the root like this; the straight line is a lower bound.
        let straight = || {
            let from = contact(root.circle(), root.came, self.r);
            root.length + (goal - from).length()
        };
        if vertex == NONE {
            return straight();
        }
        let corner = (self.place(vertex), side);
        let (_, first) = tangent(root.circle(), corner, self.r);
        let (then, second) = tangent(corner, (goal, 0), self.r);
        let mut length = root.length + self.arc(root, direction) + first + second;
        if self.r > 0.0 {
            let turn = angle(direction, then) * f64::from(side);
            if turn < 0.0 {
                return straight();
            }
            length += self.r * turn;
        }
        length
    }

    pub(super) fn is_in_sight(&self, node: &Node, direction: Place, end: Place, side: Side) -> bool {
        self.r == 0.0 || matches!(self.sight(node, direction, end, side), Sight::Clear)
    }
}
