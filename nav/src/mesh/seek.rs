//! The shortest way of a disc.
//!
//! In: two places and a radius. Out: a chain of corners, and on which side the way passes each.
//!
//! ```text
//!              w                A node is an edge from L to R that the way crosses, the corner
//!           .  |  .             (root) about which it turned last, and the directions, from `lo`
//!         L ---|--- R           clockwise-most to `hi`, in which it leaves the root and passes
//!          \   |   /            between all corners since: those on its left have a tangent as
//!        hi \  |  / lo          `hi`, those on its right one as `lo`. Beyond the edge, corner w
//!            \ | /              splits the directions. Where R is what bounds them and w lies
//!             root              to the right of that, the way may turn about R, the new root.
//! ```
//!
//! This is Polyanya (Cui, Harabor and Grastien 2017) with circles for points. A way in a chain of
//! faces keeps its distance from all walls if it keeps it from the corners of the chain: a straight
//! piece that is far enough from both ends of an edge, on one side of it, is far enough from all of
//! it, and of what lies beyond. Whether the disc fits between two ends is their distance (feet.rs).
//!
//! Each node bears the length of the shortest way through it if there were nothing beyond its edge,
//! which no true one is shorter than; the first way that is complete when it is the least is the
//! shortest.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cdt::{Cdt, NONE, next, prev};
use super::fixed::{Place, Point, orient};
use super::tangent::{Side, angle, contact, tangent, turn};

/// A corner about which the way turns, and how it got there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pub(crate) at: Place,
    /// Which side of the way the corner is on; 0 for the start.
    pub(crate) side: Side,
    /// [`NONE`] for the start.
    pub(crate) vertex: u32,
    /// The root before; [`NONE`] for the start.
    pub(crate) before: u32,
    /// The direction of the way where it comes to the circle, and its length until there.
    pub(crate) came: Place,
    length: f64,
}

impl Root {
    #[inline(always)]
    fn circle(&self) -> (Place, Side) {
        (self.at, self.side)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The half-edge of the face beyond; [`NONE`] if the way is complete.
    h: u32,
    root: u32,
    lo: Place,
    hi: Place,
    /// The corners that set them; [`NONE`] if it was how the way came to the root.
    lo_at: u32,
    hi_at: u32,
    /// Corners that bound the directions less, but nearer: see [`Bound`].
    lo_before: u32,
    hi_before: u32,
    /// -1 if the root is the edge's right end, 1 if its left: then there is no bound on that side.
    about: Side,
}

/// A corner that bounded the directions before a tighter one came.
///
/// A line from the root keeps its distance from a corner only until it ends. One that ends before
/// it comes past the corner that bounds it most may break that bound, but not those of corners that
/// it does come past. A point's lines have no such bounds: who bounds more is nearer.
#[derive(Clone, Copy, Debug)]
struct Bound {
    direction: Place,
    vertex: u32,
    before: u32,
}

/// What of a node's bounds a line from its root breaks.
enum Sight {
    Clear,
    /// The corner that it must turn about first, and the direction to it.
    Behind(u32, Place),
}

/// What has been found at a corner and side.
#[derive(Clone, Copy, Debug, Default)]
struct Best {
    stamp: u32,
    length: f64,
    came: Place,
}

/// A search's arrays, kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seek {
    stamp: u32,
    best: Vec<[Best; 2]>,
    goals: Vec<u32>,
    nodes: Vec<Node>,
    pub(crate) roots: Vec<Root>,
    bounds: Vec<Bound>,
    /// The ways on from the node at hand.
    children: Vec<Node>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    unused: Vec<u32>,
    pub(crate) expansions: u64,
}

/// A search at work.
struct Task<'a> {
    cdt: &'a Cdt,
    seek: &'a mut Seek,
    r: f64,
    /// The square of the least length of an edge that the disc passes.
    gap: u64,
    goal: Place,
}

/// A direction is inside two others that are turned past each other by this: sines of angles.
const GRAZE: f64 = 1e-10;

impl Seek {
    fn begin(&mut self, cdt: &Cdt) {
        if self.stamp == u32::MAX {
            *self = Seek::default();
        }
        self.stamp += 1;
        self.best.resize(cdt.vertices.len().max(self.best.len()), [Best::default(); 2]);
        self.goals.resize(cdt.faces.len().max(self.goals.len()), 0);
        self.nodes.clear();
        self.roots.clear();
        self.bounds.clear();
        self.heap.clear();
        self.unused.clear();
        self.expansions = 0;
    }

    /// Finds the way of a disc from a place to another, both of which hold it, each given with the
    /// faces that it lies in. The answer is the length, and the last root; earlier ones follow from
    /// `roots`.
    pub(crate) fn way(
        &mut self,
        cdt: &Cdt,
        (from, from_faces): (Place, &[u32]),
        (to, to_faces): (Place, &[u32]),
        r: f64,
    ) -> Option<(f64, u32)> {
        self.begin(cdt);
        // Feet and crossings are rounded to whole units, and a passage may be a unit short: the
        // disc is one unit smaller.
        let r = (r - 1.0).max(0.0);
        let gap = 2.0 * r;
        for &face in to_faces {
            self.goals[face as usize] = self.stamp;
        }
        let start =
            Root { at: from, side: 0, vertex: NONE, before: NONE, came: Place::default(), length: 0.0 };
        self.roots.push(start);
        let mut task = Task { cdt, seek: self, r, gap: (gap * gap) as u64, goal: to };
        task.start(from_faces);
        task.run()
    }
}

impl Task<'_> {
    fn start(&mut self, faces: &[u32]) {
        for &face in faces {
            if self.seek.goals[face as usize] == self.seek.stamp {
                self.finish(0, &self.cdt.faces[face as usize].org);
            }
        }
        let at = self.seek.roots[0].at.nearest();
        for &face in faces {
            for h in 4 * face..4 * face + 3 {
                let (right, left) = (self.cdt.org(h), self.cdt.dest(h));
                let is_on = orient(self.cdt.at(right), self.cdt.at(left), at) <= 0;
                if is_on || !self.passes(h) {
                    continue;
                }
                let circle = self.seek.roots[0].circle();
                let (mut lo, mut hi) = (self.past(circle, right, -1), self.past(circle, left, 1));
                if lo.cross(hi) <= 0.0 {
                    // From a place by the edge, it spans half a turn.
                    lo = tangent(circle, (self.place(right), -1), self.r).0;
                    hi = tangent(circle, (self.place(left), 1), self.r).0;
                }
                let node = Node {
                    h: self.cdt.twin(h),
                    root: 0,
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

    /// A way that leaves the first face by one edge may first have to turn about the corner
    /// opposite.
    fn start_past(&mut self, mut node: Node, corner: u32) {
        let from = self.seek.roots[0];
        let by = self.place(corner) - from.at;
        let middle = node.lo + node.hi;
        let side: Side = if middle.cross(by) > 0.0 { 1 } else { -1 };
        let (direction, _) = tangent(from.circle(), (self.place(corner), side), self.r);
        let is_tight = if side > 0 { direction.cross(node.hi) > 0.0 } else { node.lo.cross(direction) > 0.0 };
        if !is_tight || direction.dot(by) <= 0.0 {
            self.push(&node);
            return;
        }
        if let Some(root) = self.new_root(0, direction, corner, side) {
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

    /// Notes a bound that a tighter one takes the place of.
    fn bound(&mut self, direction: Place, vertex: u32, before: u32) -> u32 {
        if self.r == 0.0 || vertex == NONE {
            return before;
        }
        self.seek.bounds.push(Bound { direction, vertex, before });
        self.seek.bounds.len() as u32 - 1
    }

    /// Whether a line that leaves a node's root in a direction, and ends at a place, stays within
    /// the bounds on one side: -1 for `lo`, 1 for `hi`.
    fn sight(&self, node: &Node, direction: Place, end: Place, side: Side) -> Sight {
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
                // Not if the corner is further on than the line.
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
            // A bound that is all but opposite bounds nothing.
            if is_worse && bound.direction.dot(direction) > 0.0 && breaks(&bound) {
                worst = Some(bound);
            }
        }
        worst.map_or(Sight::Clear, |bound| Sight::Behind(bound.vertex, bound.direction))
    }

    fn run(&mut self) -> Option<(f64, u32)> {
        // No search known comes near it; it keeps one from not ending.
        let most = 10_000 + 64 * self.cdt.faces.len() as u64;
        while let Some(Reverse((f, id))) = self.seek.heap.pop() {
            let mut node = self.seek.nodes[id as usize];
            self.seek.unused.push(id);
            if self.seek.expansions > most {
                debug_assert!(false, "a search that does not end");
                return None;
            }
            if node.h == NONE {
                return Some((f64::from_bits(f), node.root));
            }
            if self.is_stale(node.root) {
                continue;
            }
            // A chain of faces without a choice is gone through at once.
            loop {
                let mut children = core::mem::take(&mut self.seek.children);
                children.clear();
                self.expand(&node, &mut children);
                let is_chain = children.len() == 1 && self.seek.expansions <= most;
                if is_chain {
                    node = children[0];
                } else {
                    children.iter().for_each(|child| self.push(child));
                }
                self.seek.children = children;
                if !is_chain {
                    break;
                }
            }
        }
        None
    }

    #[inline(always)]
    fn place(&self, vertex: u32) -> Place {
        self.cdt.at(vertex).place()
    }

    /// The line from a circle past a vertex, which bounds directions. A foot bounds none: the
    /// wall's next corner does, and what is rounded off a foot must not hide that.
    #[inline(always)]
    fn past(&self, circle: (Place, Side), vertex: u32, side: Side) -> Place {
        self.widen(tangent(circle, (self.place(vertex), side), self.r).0, vertex, side)
    }

    #[inline(always)]
    fn widen(&self, direction: Place, vertex: u32, side: Side) -> Place {
        if self.cdt.vertices[vertex as usize].asker == NONE {
            return direction;
        }
        direction + direction.left() * (0.001 * f64::from(side))
    }

    /// Whether the disc passes between an edge's ends.
    #[inline(always)]
    fn passes(&self, h: u32) -> bool {
        !self.cdt.is_wall(h) && self.cdt.square(h) >= self.gap
    }

    /// Whether a shorter way to the same root has been found since.
    fn is_stale(&self, root: u32) -> bool {
        let root = self.seek.roots[root as usize];
        root.vertex != NONE && self.best(&root).is_some_and(|length| length < root.length - 1e-6)
    }

    /// The length of the shortest way so far to a root's corner and side, were it to come in the
    /// direction of this root.
    fn best(&self, root: &Root) -> Option<f64> {
        let best = self.seek.best[root.vertex as usize][usize::from(root.side > 0)];
        if best.stamp != self.seek.stamp {
            return None;
        }
        if self.r == 0.0 {
            return Some(best.length);
        }
        Some(best.length + self.r * f64::from(root.side) * angle(best.came, root.came))
    }

    /// A new root: the way leaves the old one in a direction and comes to a corner. None if it has
    /// been reached on a way as short, or if the corner is no corner.
    fn new_root(&mut self, before: u32, direction: Place, vertex: u32, side: Side) -> Option<u32> {
        let from = self.seek.roots[before as usize];
        let at = self.place(vertex);
        let (_, along) = tangent(from.circle(), (at, side), self.r);
        let length = from.length + self.arc(&from, direction) + along;
        let root = Root { at, side, vertex, before, came: direction, length };
        if self.best(&root).is_some_and(|best| length >= best - 1e-6) || !self.is_corner(vertex) {
            return None;
        }
        let best = &mut self.seek.best[vertex as usize][usize::from(side > 0)];
        *best = Best { stamp: self.seek.stamp, length, came: direction };
        self.seek.roots.push(root);
        Some(self.seek.roots.len() as u32 - 1)
    }

    /// Whether walls leave more than half a turn free at a vertex.
    fn is_corner(&self, vertex: u32) -> bool {
        self.cdt.vertices[vertex as usize].asker == NONE && self.cdt.is_reflex_somewhere(vertex)
    }

    /// How long the way goes along the circle of a root until it leaves in a direction.
    #[inline(always)]
    fn arc(&self, root: &Root, direction: Place) -> f64 {
        if root.side == 0 || self.r == 0.0 {
            return 0.0;
        }
        self.r * turn(root.came, direction, root.side)
    }

    fn push(&mut self, node: &Node) {
        let f = self.estimate(node);
        let id = match self.seek.unused.pop() {
            Some(id) => {
                self.seek.nodes[id as usize] = *node;
                id
            }
            None => {
                self.seek.nodes.push(*node);
                self.seek.nodes.len() as u32 - 1
            }
        };
        self.seek.heap.push(Reverse((f.to_bits(), id)));
    }

    /// No way through a node is shorter than this.
    fn estimate(&self, node: &Node) -> f64 {
        let root = &self.seek.roots[node.root as usize];
        let (l, r) = (self.place(self.cdt.org(node.h)), self.place(self.cdt.dest(node.h)));
        // A goal on the near side is as far as its mirror image in the edge.
        let along = r - l;
        let side = along.cross(self.goal - l);
        let goal =
            if side < 0.0 { self.goal - along.left() * (2.0 * side / along.dot(along)) } else { self.goal };
        let (direction, length) = tangent(root.circle(), (goal, 0), self.r);
        if node.about != 1 && direction.cross(node.hi) < 0.0 {
            if let Sight::Behind(vertex, first) = self.sight(node, direction, goal, 1) {
                return self.bend(root, first, (vertex, 1), goal);
            }
        } else if node.about != -1
            && node.lo.cross(direction) < 0.0
            && let Sight::Behind(vertex, first) = self.sight(node, direction, goal, -1)
        {
            return self.bend(root, first, (vertex, -1), goal);
        }
        root.length + self.arc(root, direction) + length
    }

    /// The length of the way that leaves a root in a direction, turns about a corner, and goes to a
    /// place.
    fn bend(&self, root: &Root, direction: Place, (vertex, side): (u32, Side), goal: Place) -> f64 {
        if vertex == NONE {
            // The way cannot leave the root like that; it is no shorter than the straight line.
            let from = contact(root.circle(), root.came, self.r);
            return root.length + (goal - from).length();
        }
        let corner = (self.place(vertex), side);
        let (_, first) = tangent(root.circle(), corner, self.r);
        let (then, second) = tangent(corner, (goal, 0), self.r);
        let mut length = root.length + self.arc(root, direction) + first + second;
        if self.r > 0.0 {
            length += self.r * turn(direction, then, side);
        }
        length
    }

    /// The ways on from a node.
    fn expand(&mut self, node: &Node, children: &mut Vec<Node>) {
        self.seek.expansions += 1;
        let face = node.h >> 2;
        if self.seek.goals[face as usize] == self.seek.stamp {
            self.arrive(node);
        }
        let (to_right, to_left) = (next(node.h), prev(node.h));
        let (is_right_open, is_left_open) = (self.passes(to_right), self.passes(to_left));
        if !is_right_open && !is_left_open {
            return;
        }
        let (l, r, w) = (self.cdt.org(node.h), self.cdt.dest(node.h), self.cdt.org(to_left));
        let (right, left) = (self.cdt.twin(to_right), self.cdt.twin(to_left));
        let circle = self.seek.roots[node.root as usize].circle();
        let at_w = self.place(w);
        let mut add = |child: Node| children.push(child);

        // Straight on, past w.
        let pass_left = tangent(circle, (at_w, -1), self.r).0;
        let pass_right = if self.r == 0.0 { pass_left } else { tangent(circle, (at_w, 1), self.r).0 };
        let mut is_left_seen = true;
        if is_left_open || node.hi_at == l {
            let (lo, lo_at, lo_before) = self.tighten(node, (pass_left, w), -1);
            let is_wide = node.about == 1
                || pass_left.cross(node.hi) > -GRAZE && (node.about == -1 || node.lo.cross(node.hi) > -GRAZE);
            let is_far = node.about == 1 && self.is_too_far(node.root, pass_left);
            is_left_seen = is_wide;
            let may = || is_wide || self.may_bend(circle, [(lo, lo_at), (node.hi, node.hi_at)], [l, w]);
            if is_left_open && !is_far && may() {
                let about = if node.about == 1 { 1 } else { 0 };
                add(Node { h: left, lo, lo_at, lo_before, about, ..*node });
            }
        }
        let mut is_right_seen = true;
        if is_right_open || node.lo_at == r {
            let (hi, hi_at, hi_before) = self.tighten(node, (pass_right, w), 1);
            let is_wide = node.about == -1
                || node.lo.cross(pass_right) > -GRAZE && (node.about == 1 || node.lo.cross(node.hi) > -GRAZE);
            let is_far = node.about == -1 && self.is_too_far(node.root, pass_right);
            is_right_seen = is_wide;
            let may = || is_wide || self.may_bend(circle, [(node.lo, node.lo_at), (hi, hi_at)], [w, r]);
            if is_right_open && !is_far && may() {
                let about = if node.about == -1 { -1 } else { 0 };
                add(Node { h: right, hi, hi_at, hi_before, about, ..*node });
            }
        }

        // About the right end of the edge, if that bounds the way and w lies right of the bound.
        // A disc may come to w first, though, and turn about that.
        if !is_right_seen {
            let is_first = self.is_before(node.lo_at, pass_right, (at_w, 1));
            if is_first
                && is_right_open
                && let Some(child) = self.about_beyond(node, (pass_right, w), 1, right)
            {
                add(child);
            }
            if !is_first && node.lo_at == r {
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
            if !is_first && node.hi_at == l {
                self.about_left(node, l, w, [right, left], [is_right_open, is_left_open], &mut add);
            }
        }
    }

    /// Whether a disc that no straight line takes past both bounds may still go on straight, to
    /// bend about a third corner before it comes to the farther of the two: a point would pass.
    fn may_bend(&self, circle: (Place, Side), bounds: [(Place, u32); 2], [left, right]: [u32; 2]) -> bool {
        if self.r == 0.0 || bounds.iter().any(|&(_, corner)| corner == NONE) {
            return false;
        }
        // Along the tangent of the nearer corner, until the other one comes.
        let crosses = |direction: Place, other: u32| {
            let from = contact(circle, direction, self.r);
            let (l, r) = (self.place(left) - from, self.place(right) - from);
            let (on_left, on_right) = (direction.cross(l), -direction.cross(r));
            if on_left <= 0.0 || on_right <= 0.0 {
                return false;
            }
            // Where the line meets the edge, times the sum of both offsets.
            let ahead = direction.dot(l) * on_right + direction.dot(r) * on_left;
            let end = direction.dot(self.place(other) - from) * (on_left + on_right);
            ahead > 0.0 && ahead < end
        };
        crosses(bounds[0].0, bounds[1].1) || crosses(bounds[1].0, bounds[0].1)
    }

    /// The bound on one side when w has come to that side.
    fn tighten(&mut self, node: &Node, w: (Place, u32), side: Side) -> (Place, u32, u32) {
        let (bound, vertex, before) = if side < 0 {
            (node.lo, node.lo_at, node.lo_before)
        } else {
            (node.hi, node.hi_at, node.hi_before)
        };
        let is_first = node.about == side;
        let w = (self.widen(w.0, w.1, side), w.1);
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

    fn is_clear(&self, node: &Node, direction: Place, end: Place, side: Side) -> bool {
        self.r == 0.0 || matches!(self.sight(node, direction, end, side), Sight::Clear)
    }

    /// Whether a line that touches a circle does so before it comes past a corner.
    fn is_before(&self, corner: u32, direction: Place, to: (Place, Side)) -> bool {
        if self.r == 0.0 || corner == NONE {
            return false;
        }
        (self.place(corner) - contact(to, direction, self.r)).dot(direction) > 0.0
    }

    /// A way that turns about w, on its left or right, before it comes to the corner on the other
    /// side; over the edge between these.
    fn about_beyond(&mut self, node: &Node, w: (Place, u32), side: Side, h: u32) -> Option<Node> {
        let end = contact((self.place(w.1), side), w.0, self.r);
        if !self.is_clear(node, w.0, end, side) {
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
        let came = self.seek.roots[root as usize].came;
        let circle = (self.place(w.1), side);
        let other = if side > 0 { self.cdt.dest(h) } else { self.cdt.org(h) };
        let pass = self.past(circle, other, -side);
        // The other end bounds the way on its side; how it came does, too.
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
        if !self.is_clear(node, node.lo, contact((self.place(r), -1), node.lo, self.r), 1) {
            return;
        }
        let Some(root) = self.new_root(node.root, node.lo, r, -1) else { return };
        let circle = (self.place(r), -1);
        let came = node.lo;
        let base = Node { root, lo_before: NONE, hi_before: NONE, ..*node };
        if is_right_open {
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
        if !self.is_clear(node, node.hi, contact((self.place(l), 1), node.hi, self.r), -1) {
            return;
        }
        let Some(root) = self.new_root(node.root, node.hi, l, 1) else { return };
        let circle = (self.place(l), 1);
        let came = node.hi;
        let base = Node { root, lo_before: NONE, hi_before: NONE, ..*node };
        if is_left_open {
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

    /// Whether a way that leaves a root in a direction has turned about it for more than half a
    /// round, which no shortest way does.
    fn is_too_far(&self, root: u32, direction: Place) -> bool {
        let root = &self.seek.roots[root as usize];
        let is_behind = root.came.cross(direction) * f64::from(root.side) < 0.0;
        is_behind && root.came.dot(direction) < 0.0
    }

    /// The goal lies in the face beyond a node.
    fn arrive(&mut self, node: &Node) {
        let root = self.seek.roots[node.root as usize];
        let (direction, _) = tangent(root.circle(), (self.goal, 0), self.r);
        let (l, r, w) = (self.cdt.org(node.h), self.cdt.dest(node.h), self.cdt.apex(node.h));
        for side in [1, -1] {
            if let Sight::Behind(vertex, first) = self.sight(node, direction, self.goal, side) {
                let end = if side > 0 { l } else { r };
                let top = if side > 0 { node.hi_at } else { node.lo_at };
                // About another corner that bounds it most, another node comes here.
                let is_mine = vertex != NONE && (vertex == end || vertex != top);
                let touches = || contact((self.place(vertex), side), first, self.r);
                if is_mine
                    && self.is_clear(node, first, touches(), -side)
                    && let Some(root) = self.new_root(node.root, first, vertex, side)
                {
                    self.finish(root, &[l, r, w]);
                }
                return;
            }
        }
        self.finish(node.root, &[l, r, w]);
    }

    /// Goes from a root to the goal, about a corner of the goal's face that is too close to the
    /// line.
    fn finish(&mut self, root: u32, corners: &[u32]) {
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

    /// A way that is complete, by its length.
    fn complete(&mut self, root: u32, direction: Place, length: f64) {
        let from = self.seek.roots[root as usize];
        let f = from.length + self.arc(&from, direction) + length;
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

impl Cdt {
    /// A free face that a place lies in.
    pub(crate) fn free_face_at(&self, at: Point) -> Option<u32> {
        use super::cdt::Spot;
        match self.locate(at) {
            Spot::Face(face) => Some(face).filter(|&face| self.is_free(face)),
            Spot::Edge(h) => [h >> 2, self.twin(h) >> 2].into_iter().find(|&face| self.is_free(face)),
            Spot::Vertex(vertex) => self.spokes(vertex).map(|h| h >> 2).find(|&face| self.is_free(face)),
        }
    }

    /// The free faces that a place lies in: those about a vertex, the two beside an edge, or one.
    pub(crate) fn faces_at(&self, at: Point, faces: &mut Vec<u32>) {
        use super::cdt::Spot;
        faces.clear();
        match self.locate(at) {
            Spot::Vertex(vertex) => faces.extend(self.spokes(vertex).map(|h| h >> 2)),
            Spot::Edge(h) => faces.extend([h >> 2, self.twin(h) >> 2]),
            Spot::Face(face) => faces.push(face),
        }
        faces.retain(|&face| self.is_free(face));
    }
}
