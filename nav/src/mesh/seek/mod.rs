//! The shortest way of a disc.
//!
//! In: two places and a radius. Out: a chain of corners, each with the side of the way that it is
//! on.
//!
//! ```text
//!              w                A node is an edge L to R that the way crosses, the last corner
//!           .  |  .             (root) about which it turned, and the directions from `lo` (most
//!         L ---|--- R           clockwise) to `hi`, in which it leaves the root and passes between
//!          \   |   /            all corners since: corners on its left have a tangent as `hi`,
//!        hi \  |  / lo          corners on its right have one as `lo`. Beyond the edge, corner w
//!            \ | /              splits the directions. If R bounds the directions and w lies to
//!             root              the right of the bound, the way may turn about R, the new root.
//! ```
//!
//! This is Polyanya (Cui, Harabor and Grastien 2017) with circles for points; it pulls the string
//! while it searches, where A* over faces and the funnel algorithm do so afterwards. A way in a
//! chain of faces keeps its distance from all walls if it keeps it from the corners of the chain: a
//! straight piece that is far enough from both ends of an edge, on one side of it, is far enough
//! from the whole edge, and from all land beyond it. The distance between the ends of an edge tells
//! whether the disc fits between them (feet.rs).
//!
//! The key of a node is the length of the shortest way through it if there were no walls beyond its
//! edge, a lower bound of true lengths; so the first complete way taken from the heap is the
//! shortest.
//!
//! ```text
//!   ends.rs    the first edges, and the goal     expand.rs   from an edge to the next two
//!   fan.rs     all lines of a circle              notes.rs    the corners that they may lead to
//!   bounds.rs  the lines that a node lets through, and lower bounds of ways through it
//! ```

mod bounds;
mod ends;
mod expand;
mod fan;
mod lines;
mod notes;

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cdt::{Cdt, NONE, Spot};
use super::fixed::Place;
use super::tangent::{Side, angle, tangent, turn};

pub(crate) use fan::{Fan, MAX_PARTS};
pub(crate) use notes::is_near_pocket;

/// A corner about which the way turns, with the way up to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pub(crate) at: Place,
    /// The side of the way that the corner is on; 0 for the start.
    pub(crate) side: Side,
    /// [`NONE`] for the start.
    pub(crate) vertex: u32,
    /// The root before; [`NONE`] for the start.
    pub(crate) before: u32,
    /// The direction of the way at its arrival on the circle, and its length until there.
    pub(crate) came: Place,
    length: f64,
    /// The first edge at the corner that the way crosses while turning about it; [`NONE`] while it
    /// has crossed none.
    first: u32,
}

impl Root {
    /// A root before the length of its way is known.
    pub(crate) fn new(at: Place, side: Side, vertex: u32, before: u32, came: Place) -> Root {
        Root { at, side, vertex, before, came, length: 0.0, first: NONE }
    }

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
    /// The corners that set them; [`NONE`] if the direction of arrival at the root did.
    lo_at: u32,
    hi_at: u32,
    /// Corners that bound the directions less, but are nearer: see [`Bound`].
    lo_before: u32,
    hi_before: u32,
    /// -1 if the root is the edge's right end, 1 if its left: then there is no bound on that side.
    about: Side,
}

/// A corner that bounded the directions before a tighter bound.
///
/// A line from the root keeps its distance from a corner only up to its end. A line that ends
/// before it passes the tightest corner may break that corner's bound, but not the bounds of
/// corners that it does pass. A way of a point has no such bounds: there a tighter corner is
/// nearer.
#[derive(Clone, Copy, Debug)]
struct Bound {
    direction: Place,
    vertex: u32,
    before: u32,
}

/// Result of testing a line from a node's root against its bounds.
enum Sight {
    Clear,
    /// The corner that the line must turn about first, and the direction to it.
    Behind(u32, Place),
}

/// Best way to a corner and side.
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
    /// The length of the shortest complete way.
    least: f64,
    nodes: Vec<Node>,
    pub(crate) roots: Vec<Root>,
    bounds: Vec<Bound>,
    /// Nodes made by the current expansion.
    children: Vec<Node>,
    pub(crate) heap: BinaryHeap<Reverse<(u64, u32)>>,
    unused: Vec<u32>,
    pub(crate) fan: Fan,
    /// For each end that is no corner, a face that contains it.
    first_faces: [u32; 2],
    pub(crate) expansions: u64,
}

/// A running search.
struct Task<'a> {
    cdt: &'a Cdt,
    seek: &'a mut Seek,
    r: f64,
    /// The square of the least length of an edge that the disc passes.
    gap: u64,
    goal: Place,
    /// The faces that contain the goal.
    goal_faces: &'a [u32],
}

/// Tolerance for a direction between two others that are turned past each other: sines of angles.
const GRAZE: f64 = 1e-10;
/// Greatest distance of a foot from its wall, in units: it is rounded, and walls are moved.
const OFF_FOOT: f64 = 4.0;

impl Seek {
    /// The radius used in searches. Feet and crossings are rounded to whole units, and a passage
    /// may be a unit short: the disc is one unit smaller.
    pub(crate) fn radius(r: f64) -> f64 {
        (r - 1.0).max(0.0)
    }

    /// The square of the least length of an edge that a disc passes.
    pub(crate) fn gap(r: f64) -> u64 {
        let gap = 2.0 * Seek::radius(r);
        (gap * gap) as u64
    }

    fn begin(&mut self, cdt: &Cdt) {
        if self.stamp == u32::MAX {
            *self = Seek::default();
        }
        self.stamp += 1;
        self.best.resize(cdt.vertices.len().max(self.best.len()), [Best::default(); 2]);
        self.least = f64::INFINITY;
        self.nodes.clear();
        self.roots.clear();
        self.bounds.clear();
        self.heap.clear();
        self.unused.clear();
        self.expansions = 0;
    }

    /// Finds the way of a disc between two places that hold it, each given with the faces that
    /// contain it. Returns the length, and the last root; earlier roots follow from `roots`.
    pub(crate) fn way(
        &mut self,
        cdt: &Cdt,
        (from, from_faces): (Place, &[u32]),
        (to, to_faces): (Place, &[u32]),
        r: f64,
    ) -> Option<(f64, u32)> {
        self.begin(cdt);
        self.roots.push(Root::new(from, 0, NONE, NONE, Place::default()));
        let mut task = Task::new(cdt, self, r, to, to_faces);
        task.seek.first_faces[0] = from_faces.first().copied().unwrap_or(0);
        task.start(0, from_faces);
        task.run()
    }
}

impl<'a> Task<'a> {
    fn new(cdt: &'a Cdt, seek: &'a mut Seek, r: f64, goal: Place, goal_faces: &'a [u32]) -> Task<'a> {
        Task { cdt, seek, r: Seek::radius(r), gap: Seek::gap(r), goal, goal_faces }
    }

    fn run(&mut self) -> Option<(f64, u32)> {
        // No known search comes near this limit; it guarantees an end.
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
            // Follows a chain of faces without a choice at once.
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

    /// The direction of the line from a circle past a vertex, which bounds directions. A foot is no
    /// bound: the wall's next corner is, and a foot that is off its wall must not hide that corner.
    #[inline(always)]
    fn past(&self, circle: (Place, Side), vertex: u32, side: Side) -> Place {
        let direction = tangent(circle, (self.place(vertex), side), self.r).0;
        self.widen(direction, circle.0, vertex, side)
    }

    #[inline(always)]
    fn widen(&self, direction: Place, from: Place, vertex: u32, side: Side) -> Place {
        if self.cdt.vertices[vertex as usize].foot_of == NONE {
            return direction;
        }
        // The angle by which the foot may be off, seen from the circle's middle. (By 0.001 alone, a
        // foot within a centimetre of a corner hid the corner after it.)
        let by = (OFF_FOOT / (self.place(vertex) - from).length().max(OFF_FOOT)).max(0.001);
        direction + direction.left() * (by * f64::from(side))
    }

    /// Whether the disc passes between an edge's ends.
    #[inline(always)]
    fn passes(&self, h: u32) -> bool {
        !self.cdt.is_wall(h) && self.cdt.square(h) >= self.gap
    }

    /// Whether a shorter way to the same root has been found since.
    fn is_stale(&self, root: u32) -> bool {
        // Tried: checking earlier roots, too, saves less than one expansion in a thousand.
        let root = &self.seek.roots[root as usize];
        root.vertex != NONE && self.best(root).is_some_and(|length| length < root.length - 1e-6)
    }

    /// The length of the shortest way so far to a root's corner and side, if it arrived in the
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

    /// Adds a root: the way leaves the old root in a direction and comes to a corner. `None` if
    /// another way as short has reached it, or if the vertex is no corner.
    fn new_root(&mut self, before: u32, direction: Place, vertex: u32, side: Side) -> Option<u32> {
        if self.seek.fan.is_open {
            self.note(before, direction, vertex, side);
            return None;
        }
        let from = self.seek.roots[before as usize];
        let at = self.place(vertex);
        let (_, along) = tangent(from.circle(), (at, side), self.r);
        let length = from.length + self.arc(&from, direction) + along;
        let root = Root { length, ..Root::new(at, side, vertex, before, direction) };
        if self.best(&root).is_some_and(|best| length >= best - 1e-6) || !self.is_corner(vertex) {
            return None;
        }
        let best = &mut self.seek.best[vertex as usize][usize::from(side > 0)];
        *best = Best { stamp: self.seek.stamp, length, came: direction };
        self.seek.roots.push(root);
        Some(self.seek.roots.len() as u32 - 1)
    }

    /// Whether the free angle between walls at a vertex is more than half a turn.
    fn is_corner(&self, vertex: u32) -> bool {
        self.cdt.vertices[vertex as usize].foot_of == NONE && self.cdt.is_reflex_somewhere(vertex)
    }

    /// Length of the arc about a root from the arrival to the departure in a direction.
    #[inline(always)]
    fn arc(&self, root: &Root, direction: Place) -> f64 {
        if root.side == 0 || self.r == 0.0 {
            return 0.0;
        }
        self.r * turn(root.came, direction, root.side)
    }

    fn push(&mut self, node: &Node) {
        if self.seek.fan.is_open {
            return self.push_to_fan(node);
        }
        let f = self.estimate(node);
        if f >= self.seek.least {
            return;
        }
        self.put_in_heap(node, f);
    }

    fn put_in_heap(&mut self, node: &Node, f: f64) {
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
}

impl Cdt {
    /// Lists the free faces at a place: the faces about a vertex, two beside an edge, or one.
    pub(crate) fn faces_at(&self, spot: Spot, faces: &mut Vec<u32>) {
        faces.clear();
        match spot {
            Spot::Vertex(vertex) => faces.extend(self.spokes(vertex).map(|h| h >> 2)),
            Spot::Edge(h) => faces.extend([h >> 2, self.twin(h) >> 2]),
            Spot::Face(face) => faces.push(face),
        }
        faces.retain(|&face| self.is_free(face));
    }
}
