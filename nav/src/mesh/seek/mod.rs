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
//! This is Polyanya (Cui, Harabor and Grastien 2017) with circles for points; it pulls the string
//! while it searches, where A* over faces and the funnel algorithm do so afterwards. A way in a
//! chain of faces keeps its distance from all walls if it keeps it from the corners of the chain: a
//! straight piece that is far enough from both ends of an edge, on one side of it, is far enough
//! from all of it, and of what lies beyond. Whether the disc fits between two ends is their
//! distance (feet.rs).
//!
//! Each node has the length of the shortest way through it if there were no walls beyond its edge,
//! a lower bound of true lengths; the first complete way that is the least is the shortest.
//!
//! ```text
//!   ends.rs    the first edges, and the goal     expand.rs   from an edge to the next two
//!   fan.rs     all lines of a circle              notes.rs    the corners that they may come to
//!   bounds.rs  which lines a node lets through, and how short a way through it can be
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
    /// The first edge of those at the corner that the way crosses in turning about it; [`NONE`]
    /// while it has crossed none.
    first: u32,
}

impl Root {
    /// A root to which no way has a length yet.
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
    /// The corners that set them; [`NONE`] if it was how the way came to the root.
    lo_at: u32,
    hi_at: u32,
    /// Corners that bound the directions less, but nearer: see [`Bound`].
    lo_before: u32,
    hi_before: u32,
    /// -1 if the root is the edge's right end, 1 if its left: then there is no bound on that side.
    about: Side,
}

/// A corner that bounded the directions before a tighter bound.
///
/// A line from the root keeps its distance from a corner only until it ends. A line that ends
/// before it passes the corner that bounds it most may break that bound, but not those of corners
/// that it does pass. Lines of a point have no such bounds: a tighter corner is nearer.
#[derive(Clone, Copy, Debug)]
struct Bound {
    direction: Place,
    vertex: u32,
    before: u32,
}

/// Bound of a node that a line from its root breaks.
enum Sight {
    Clear,
    /// The corner that it must turn about first, and the direction to it.
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
    /// The length of the shortest way that is complete.
    least: f64,
    nodes: Vec<Node>,
    pub(crate) roots: Vec<Root>,
    bounds: Vec<Bound>,
    /// The ways on from the node at hand.
    children: Vec<Node>,
    pub(crate) heap: BinaryHeap<Reverse<(u64, u32)>>,
    unused: Vec<u32>,
    pub(crate) fan: Fan,
    /// A face that each root lies in which is no corner.
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
    /// The faces that it lies in.
    goal_faces: &'a [u32],
}

/// A direction is inside two others that are turned past each other by this: sines of angles.
const GRAZE: f64 = 1e-10;
/// How far a foot may be off its wall, in units: it is rounded, and walls are moved.
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

    /// Finds the way of a disc from a place to another, both of which hold it, each given with the
    /// faces that it lies in. Returns the length, and the last root; earlier ones follow from
    /// `roots`.
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
        // A limit that no known search comes near; it guarantees an end.
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
            // A chain of faces without a choice is followed at once.
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

    /// The line from a circle past a vertex, which bounds directions. A foot is no bound: the
    /// wall's next corner is, and a foot that is off its wall must not hide that.
    #[inline(always)]
    fn past(&self, circle: (Place, Side), vertex: u32, side: Side) -> Place {
        let direction = tangent(circle, (self.place(vertex), side), self.r).0;
        self.widen(direction, circle.0, vertex, side)
    }

    #[inline(always)]
    fn widen(&self, direction: Place, from: Place, vertex: u32, side: Side) -> Place {
        if self.cdt.vertices[vertex as usize].asker == NONE {
            return direction;
        }
        // The angle by which it may be off, seen from the circle's middle. (By 0.001 alone, a foot
        // within a centimetre of a corner hid the corner after it.)
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

    /// Whether walls leave more than half a turn free at a vertex.
    fn is_corner(&self, vertex: u32) -> bool {
        self.cdt.vertices[vertex as usize].asker == NONE && self.cdt.is_reflex_somewhere(vertex)
    }

    /// Length of the arc about a root until the way leaves in a direction.
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
    /// The free faces at a place: those about a vertex, the two beside an edge, or one.
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
