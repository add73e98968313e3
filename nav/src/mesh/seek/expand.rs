//! Expansion of a node, from an edge to the next two: the directions that go on, and the corners
//! about which ways turn.
//!
//! In: a node. Out: the nodes beyond its face.

use super::super::cdt::{NONE, next, prev};
use super::super::fixed::Place;
use super::super::tangent::{Side, contact, tangent};
use super::{GRAZE, Node, Sight, Task};

impl Task<'_> {
    /// Finds the ways on from a node: through the left and the right edge of the face beyond it,
    /// and about the ends of its own edge where a bound blocks the view. The cases share values
    /// about the third corner w, so they stand in one function.
    pub(super) fn expand(&mut self, node: &Node, children: &mut Vec<Node>) {
        self.seek.expansions += 1;
        let face = node.h >> 2;
        if self.goal_faces.contains(&face) {
            self.arrive(node);
        }
        let (to_right, to_left) = (next(node.h), prev(node.h));
        let (is_right_open, is_left_open) = (self.passes(to_right), self.passes(to_left));
        // A fan also finds the corners about which ways turn to a goal in a dead end.
        if !is_right_open && !is_left_open && !self.seek.fan.is_open {
            return;
        }
        let (l, r, w) = (self.cdt.org(node.h), self.cdt.dest(node.h), self.cdt.org(to_left));
        let (right, left) = (self.cdt.twin(to_right), self.cdt.twin(to_left));
        let circle = self.seek.roots[node.root as usize].circle();
        let at_w = self.place(w);
        let mut add = |child: Node| children.push(child);

        // Straight on, past w: to its left, then to its right.
        let pass_left = tangent(circle, (at_w, -1), self.r).0;
        let pass_right = if self.r == 0.0 { pass_left } else { tangent(circle, (at_w, 1), self.r).0 };
        let mut is_left_seen = true;
        if is_left_open || node.hi_at == l {
            let past = self.widen(pass_left, circle.0, w, -1);
            let (lo, lo_at, lo_before) = self.tighten(node, (past, w), -1);
            // If the bound is the direction of arrival, there is no corner to turn about, and a
            // foot beside it hides nothing.
            let sees_left = if node.hi_at == NONE { past } else { pass_left };
            let is_wide = node.about == 1
                || sees_left.cross(node.hi) > -GRAZE && (node.about == -1 || node.lo.cross(node.hi) > -GRAZE);
            let is_far = node.about == 1 && self.is_too_far(node.root, pass_left, left);
            is_left_seen = is_wide;
            let may = || is_wide || self.may_bend(circle, [(lo, lo_at), (node.hi, node.hi_at)], [l, w]);
            if is_left_open && !is_far && may() {
                let about = if node.about == 1 { 1 } else { 0 };
                add(Node { h: left, lo, lo_at, lo_before, about, ..*node });
            }
        }
        let mut is_right_seen = true;
        if is_right_open || node.lo_at == r {
            let past = self.widen(pass_right, circle.0, w, 1);
            let (hi, hi_at, hi_before) = self.tighten(node, (past, w), 1);
            let sees_right = if node.lo_at == NONE { past } else { pass_right };
            let is_wide = node.about == -1
                || node.lo.cross(sees_right) > -GRAZE && (node.about == 1 || node.lo.cross(node.hi) > -GRAZE);
            let is_far = node.about == -1 && self.is_too_far(node.root, pass_right, right);
            is_right_seen = is_wide;
            let may = || is_wide || self.may_bend(circle, [(node.lo, node.lo_at), (hi, hi_at)], [w, r]);
            if is_right_open && !is_far && may() {
                let about = if node.about == -1 { -1 } else { 0 };
                add(Node { h: right, hi, hi_at, hi_before, about, ..*node });
            }
        }

        // A disc that reaches into a passage too narrow for it may turn about w, or about corners
        // beyond.
        if self.seek.fan.is_open && self.r > 0.0 && self.is_pocket(node.root, at_w) {
            if !is_left_open && !self.cdt.is_wall(to_left) {
                self.note_in_sight(node, w, -1);
                self.note_beyond(node, to_left);
            }
            if !is_right_open && !self.cdt.is_wall(to_right) {
                self.note_in_sight(node, w, 1);
                self.note_beyond(node, to_right);
            }
        }

        // About the right end of the edge, if that bounds the way and w lies right of the bound.
        // But a disc may reach w first, and turn about w.
        if !is_right_seen {
            let is_first = self.is_before(node.lo_at, pass_right, (at_w, 1));
            if is_first
                && is_right_open
                && let Some(child) = self.about_beyond(node, (pass_right, w), 1, right)
            {
                add(child);
            }
            if !(is_first && is_right_open) && node.lo_at == r {
                self.about_right(node, r, w, [right, left], [is_right_open, is_left_open], &mut add);
            }
        }
        if !is_left_seen {
            let is_first = self.is_before(node.hi_at, pass_left, (at_w, -1));
            if is_first
                && is_left_open
                && let Some(child) = self.about_beyond(node, (pass_left, w), -1, left)
            {
                add(child);
            }
            if !(is_first && is_left_open) && node.hi_at == l {
                self.about_left(node, l, w, [right, left], [is_right_open, is_left_open], &mut add);
            }
        }
    }

    /// Whether a disc may still go straight on though no straight line passes both bounds: it may
    /// bend about a third corner before it reaches the farther bound. A point would pass.
    fn may_bend(&self, circle: (Place, Side), bounds: [(Place, u32); 2], [left, right]: [u32; 2]) -> bool {
        if self.r == 0.0 || bounds.iter().any(|&(_, corner)| corner == NONE) {
            return false;
        }
        // Along the tangent of the nearer corner, up to the other corner.
        let crosses = |direction: Place, other: u32| {
            let from = contact(circle, direction, self.r);
            let (l, r) = (self.place(left) - from, self.place(right) - from);
            let (on_left, on_right) = (direction.cross(l), -direction.cross(r));
            if on_left <= 0.0 || on_right <= 0.0 {
                return false;
            }
            // The distance to the crossing of line and edge, times the sum of both offsets.
            let ahead = direction.dot(l) * on_right + direction.dot(r) * on_left;
            let end = direction.dot(self.place(other) - from) * (on_left + on_right);
            ahead > 0.0 && ahead < end
        };
        crosses(bounds[0].0, bounds[1].1) || crosses(bounds[1].0, bounds[0].1)
    }

    /// The bound on one side after w was added on that side.
    fn tighten(&mut self, node: &Node, w: (Place, u32), side: Side) -> (Place, u32, u32) {
        let (bound, vertex, before) = if side < 0 {
            (node.lo, node.lo_at, node.lo_before)
        } else {
            (node.hi, node.hi_at, node.hi_before)
        };
        let is_first = node.about == side;
        if is_first || bound.cross(w.0) * f64::from(side) < GRAZE {
            let before = if is_first { NONE } else { self.bound(bound, vertex, before) };
            return (w.0, w.1, before);
        }
        if self.r > 0.0 && vertex != NONE {
            // It bounds less, but may be nearer.
            if self.is_before(vertex, w.0, (self.place(w.1), side)) {
                return (bound, vertex, self.bound(w.0, w.1, before));
            }
        }
        (bound, vertex, before)
    }

    /// Whether a line that touches a circle does so before it passes a corner.
    fn is_before(&self, corner: u32, direction: Place, to: (Place, Side)) -> bool {
        if self.r == 0.0 || corner == NONE {
            return false;
        }
        (self.place(corner) - contact(to, direction, self.r)).dot(direction) > 0.0
    }

    /// A node for a way that turns about w, on its left or right, before it reaches the corner on
    /// the other side; it goes over the edge between these two.
    fn about_beyond(&mut self, node: &Node, w: (Place, u32), side: Side, h: u32) -> Option<Node> {
        let end = contact((self.place(w.1), side), w.0, self.r);
        if !self.is_in_sight(node, w.0, end, side) {
            return None;
        }
        let root = match self.sight(node, w.0, end, -side) {
            Sight::Clear => self.new_root(node.root, w.0, w.1, side)?,
            Sight::Behind(NONE, _) => return None,
            Sight::Behind(vertex, direction) => {
                let first = self.new_root(node.root, direction, vertex, -side)?;
                let circle = self.seek.roots[first as usize].circle();
                let (direction, _) = tangent(circle, (self.place(w.1), side), self.r);
                self.new_root(first, direction, w.1, side)?
            }
        };
        self.seek.roots[root as usize].first = h;
        let came = self.seek.roots[root as usize].came;
        let circle = (self.place(w.1), side);
        let other = if side > 0 { self.cdt.dest(h) } else { self.cdt.org(h) };
        let pass = self.past(circle, other, -side);
        // The other end bounds the way on its side, and so does the direction of arrival.
        let is_tighter = came.cross(pass) * f64::from(side) > 0.0;
        let (bound, at) = if is_tighter { (pass, other) } else { (came, NONE) };
        let none = Node { h, root, lo: bound, hi: bound, lo_at: at, hi_at: at, about: side, ..*node };
        Some(Node { lo_before: NONE, hi_before: NONE, ..none })
    }

    fn about_right(
        &mut self,
        node: &Node,
        r: u32,
        w: u32,
        [right, left]: [u32; 2],
        [is_right_open, is_left_open]: [bool; 2],
        add: &mut impl FnMut(Node),
    ) {
        if !self.is_in_sight(node, node.lo, contact((self.place(r), -1), node.lo, self.r), 1) {
            return;
        }
        let Some(root) = self.new_root(node.root, node.lo, r, -1) else { return };
        let circle = (self.place(r), -1);
        let came = node.lo;
        let base = Node { root, lo_before: NONE, hi_before: NONE, ..*node };
        if is_right_open {
            self.seek.roots[root as usize].first = right;
            let pass = self.past(circle, w, 1);
            let is_inner = pass.cross(came) > -GRAZE;
            let (hi, hi_at) = if is_inner { (pass, w) } else { (came, NONE) };
            add(Node { h: right, lo: came, lo_at: NONE, hi, hi_at, about: -1, ..base });
        }
        let lo = self.past(circle, w, -1);
        if is_left_open && lo.cross(came) > -GRAZE {
            add(Node { h: left, lo, lo_at: w, hi: came, hi_at: NONE, about: 0, ..base });
        }
    }

    fn about_left(
        &mut self,
        node: &Node,
        l: u32,
        w: u32,
        [right, left]: [u32; 2],
        [is_right_open, is_left_open]: [bool; 2],
        add: &mut impl FnMut(Node),
    ) {
        if !self.is_in_sight(node, node.hi, contact((self.place(l), 1), node.hi, self.r), -1) {
            return;
        }
        let Some(root) = self.new_root(node.root, node.hi, l, 1) else { return };
        let circle = (self.place(l), 1);
        let came = node.hi;
        let base = Node { root, lo_before: NONE, hi_before: NONE, ..*node };
        if is_left_open {
            self.seek.roots[root as usize].first = left;
            let pass = self.past(circle, w, -1);
            let is_inner = came.cross(pass) > -GRAZE;
            let (lo, lo_at) = if is_inner { (pass, w) } else { (came, NONE) };
            add(Node { h: left, lo, lo_at, hi: came, hi_at: NONE, about: 1, ..base });
        }
        let hi = self.past(circle, w, 1);
        if is_right_open && came.cross(hi) > -GRAZE {
            add(Node { h: right, lo: came, lo_at: NONE, hi, hi_at: w, about: 0, ..base });
        }
    }

    /// Whether a way that leaves a root in a direction, over an edge, has turned about it by more
    /// than half a turn, which no shortest way does. Large faces skip the directions that would
    /// show this; about a corner without walls the way reaches its first edge again.
    fn is_too_far(&self, root: u32, direction: Place, h: u32) -> bool {
        let root = &self.seek.roots[root as usize];
        if root.first == h {
            return true;
        }
        let is_behind = root.came.cross(direction) * f64::from(root.side) < 0.0;
        is_behind && root.came.dot(direction) < 0.0
    }
}
