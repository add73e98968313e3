//! All lines of a disc from one circle: to the corners that it can turn about next.
//!
//! In: a place, or a corner and its side of the way. Out: a [`Line`] for each corner and side that
//! a straight piece of a shortest way may lead to.
//!
//! ```text
//!            u2               A way with corner v on its left keeps v's walls on its left, so its
//!             |               directions lie between `first`, along the wall that it meets first,
//!             |  free         and `last`. If another corner x is so near to v that the disc does
//!     u1 ---- v - - - x       not pass between them, ways about v end before x or begin behind
//!      first >  \             it: these are numbered parts of the turn.
//! ```
//!
//! All nodes of a search with one root are visited, so the result does not depend on the goal and
//! can be kept (corners/mod.rs).

use core::cmp::Reverse;
use core::f64::consts::PI;

use super::super::cdt::{Cdt, NONE, next};
use super::super::feet::Area;
use super::super::fixed::Place;
use super::super::tangent::{Side, angle, tangent};
use super::notes::MAX_NOTED;
use super::{Node, Root, Seek, Task};

/// A straight piece from the fan's circle to the circle about a corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) vertex: u32,
    /// The side of the way that the corner is on.
    pub(crate) side: Side,
    /// The part of the turn about the fan's own corner that the line leaves from, and the part of
    /// the turn about `vertex` that it arrives in.
    pub(crate) part: u8,
    pub(crate) part_there: u8,
    /// The angle of its direction from the first direction of `vertex`.
    pub(crate) turned_there: f64,
    /// The direction of the way.
    pub(crate) direction: Place,
    pub(crate) length: f64,
    /// Whether only ways that end nearby turn about the corner.
    pub(crate) is_pocket: bool,
}

/// Result of a fan.
#[derive(Clone, Debug)]
pub(crate) struct Fan {
    pub(crate) lines: Vec<Line>,
    /// The direction to the goal and its distance, if a straight line goes there.
    pub(crate) direct: Option<(Place, f64)>,
    /// A box of all faces that the fan depends on.
    pub(crate) area: Area,
    /// Whether it reached a corner without walls, for which not all lines are stored.
    pub(crate) is_short: bool,
    pub(super) part: u8,
    /// Whether the lines being added lead to corners in pockets.
    pub(super) is_pocket: bool,
    /// Number of lines after the fan of each end was begun.
    pub(crate) lines_of: [usize; 2],
    /// The corners noted last: the root, the corner, its side, and the part.
    pub(super) noted: [u64; MAX_NOTED],
    pub(super) next_noted: usize,
    /// Whether it is being made.
    pub(super) is_open: bool,
    stack: Vec<Node>,
    /// Work space: corners near the ends of a line, and corners near an end of a way.
    pub(super) beside: Vec<u32>,
    pub(super) around: Vec<u32>,
}

impl Default for Fan {
    fn default() -> Fan {
        Fan {
            lines: Vec::new(),
            direct: None,
            area: Area::EMPTY,
            is_short: false,
            part: 0,
            is_pocket: false,
            lines_of: [0; 2],
            noted: [u64::MAX; MAX_NOTED],
            next_noted: 0,
            is_open: false,
            stack: Vec::new(),
            beside: Vec::new(),
            around: Vec::new(),
        }
    }
}

/// Greatest number of parts of a turn; with more, a search without fans is made.
pub(crate) const MAX_PARTS: usize = 4;

/// The directions in which ways turn about a corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cone {
    pub(crate) first: Place,
    pub(crate) last: Place,
    /// Tolerances of both directions: a foot on a wall is rounded.
    slack: [f64; 2],
    starts: [Start; MAX_PARTS],
    count: usize,
    /// Whether it has more parts than are stored.
    is_short: bool,
}

/// The beginning of a part of a turn.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    /// The half-edge of its first face, from the left end of a node to the right end.
    h: u32,
    direction: Place,
    /// The corner that limits the part; [`NONE`] for the wall.
    by: u32,
}

impl Cone {
    /// Angle of a direction from the first one, towards the corner's side.
    pub(crate) fn turned(&self, direction: Place, side: Side) -> f64 {
        let angle = angle(self.first, direction) * f64::from(side);
        // Half a turn, about the end of a wall, may be computed as minus half a turn.
        if angle < -1.0 { angle + 2.0 * PI } else { angle }
    }

    /// Whether a line of a length, with the corner at one end, is clear of the corner's walls;
    /// within a unit or two, because places are rounded.
    pub(crate) fn holds(&self, direction: Place, length: f64, side: Side) -> bool {
        let (s, slack) = (f64::from(side), -2.0 / (length + 2.0));
        // Where a turn begins before another corner, no line comes to the wall itself.
        let begin = self.starts[0];
        if begin.by != NONE && begin.direction.cross(direction) * s < 0.0 {
            return false;
        }
        let [first, last] = self.slack.map(|of_wall| slack - of_wall);
        self.first.cross(direction) * s > first && direction.cross(self.last) * s > last
    }

    /// The part that a direction lies in.
    pub(crate) fn part(&self, direction: Place, side: Side) -> u8 {
        let is_behind = |start: &&Start| start.direction.cross(direction) * f64::from(side) < 0.0;
        let ahead = self.starts[1..self.count].iter().rev().take_while(is_behind).count();
        (self.count - 1 - ahead) as u8
    }
}

impl Seek {
    /// Begins the fans of both ends of a way, given with the faces that contain them. Their nodes
    /// are in `heap`, by a lower bound of the ways through each.
    pub(crate) fn begin_ends(&mut self, cdt: &Cdt, ends: [(Place, &[u32]); 2], r: f64) {
        let root = |at| Root::new(at, 0, NONE, NONE, Place::default());
        self.begin_fan(root(ends[0].0));
        self.roots.push(root(ends[1].0));
        self.nodes.clear();
        self.unused.clear();
        self.heap.clear();
        self.least = f64::INFINITY;
        self.first_faces = ends.map(|(_, faces)| faces.first().copied().unwrap_or(0));
        for end in 0..2 {
            let mut task = Task::of_end(cdt, self, ends, end, r);
            task.start(end as u32, ends[end].1);
            task.note_beside(end as u32, ends[end].1);
            let stack = core::mem::take(&mut task.seek.fan.stack);
            stack.iter().for_each(|node| task.put_in_heap(node, task.estimate(node)));
            task.seek.fan.stack = stack;
            task.seek.fan.stack.clear();
            self.fan.lines_of[end] = self.fan.lines.len();
        }
    }

    /// Expands the first node in the heap. Returns the end that it belongs to.
    pub(crate) fn expand_end(&mut self, cdt: &Cdt, ends: [(Place, &[u32]); 2], r: f64) -> usize {
        let Some(Reverse((_, id))) = self.heap.pop() else { return 0 };
        let mut node = self.nodes[id as usize];
        self.unused.push(id);
        self.fan.lines.clear();
        let end = node.root as usize;
        let mut task = Task::of_end(cdt, self, ends, end, r);
        let mut children = core::mem::take(&mut task.seek.children);
        loop {
            children.clear();
            task.expand(&node, &mut children);
            if children.len() != 1 {
                break;
            }
            // Follows a chain of faces without a choice at once.
            node = children[0];
        }
        for child in &children {
            let f = task.estimate(child);
            if f < task.seek.least {
                task.put_in_heap(child, f);
            }
        }
        self.children = children;
        end
    }

    /// Makes the fan of a corner, and returns the cone of its turns; `None` if no way turns about
    /// it.
    pub(crate) fn fan_of_corner(&mut self, cdt: &Cdt, vertex: u32, side: Side, r: f64) -> Option<Cone> {
        let at = cdt.at(vertex).place();
        let root = Root::new(at, side, vertex, NONE, Place::default());
        self.begin_fan(root);
        self.fan.is_open = false;
        let mut task = Task::new(cdt, self, r, at, &[]);
        let cone = cdt.cone(vertex, side, task.gap)?;
        task.seek.fan.is_open = true;
        task.seek.fan.is_short = cone.is_short;
        task.seek.roots[0].came = cone.first;
        for (part, start) in cone.starts[..cone.count].iter().enumerate() {
            task.seek.fan.part = part as u8;
            let none = Node {
                h: start.h,
                root: 0,
                lo: start.direction,
                hi: start.direction,
                lo_at: NONE,
                hi_at: NONE,
                lo_before: NONE,
                hi_before: NONE,
                about: side,
            };
            let node =
                if side > 0 { Node { lo_at: start.by, ..none } } else { Node { hi_at: start.by, ..none } };
            task.seek.fan.stack.push(node);
            task.finish_fan();
        }
        self.fan.is_open = false;
        Some(cone)
    }

    fn begin_fan(&mut self, root: Root) {
        self.roots.clear();
        self.roots.push(root);
        self.bounds.clear();
        let fan = &mut self.fan;
        fan.lines.clear();
        fan.stack.clear();
        fan.direct = None;
        fan.area = Area::EMPTY;
        fan.is_short = false;
        fan.part = 0;
        fan.is_pocket = false;
        fan.noted = [u64::MAX; MAX_NOTED];
        fan.next_noted = 0;
        fan.is_open = true;
    }
}

impl<'a> Task<'a> {
    /// A task for the fan of one end of a way; the other end is its goal.
    fn of_end(
        cdt: &'a Cdt,
        seek: &'a mut Seek,
        ends: [(Place, &'a [u32]); 2],
        end: usize,
        r: f64,
    ) -> Task<'a> {
        let goal = ends[1 - end];
        // Only the first fan finds a direct line between the ends.
        Task::new(cdt, seek, r, goal.0, if end == 0 { goal.1 } else { &[] })
    }

    /// Visits all nodes of a fan.
    fn finish_fan(&mut self) {
        let most = 64 * self.cdt.faces.len() as u64;
        let mut children = core::mem::take(&mut self.seek.children);
        let mut steps = 0;
        while let Some(node) = self.seek.fan.stack.pop() {
            steps += 1;
            if steps > most {
                debug_assert!(false, "a fan that does not end");
                self.seek.fan.stack.clear();
                break;
            }
            // Its other corners belong to faces before it, or to the faces about the fan's corner.
            self.seek.fan.area.add(self.cdt.at(self.cdt.apex(node.h)));
            children.clear();
            self.expand(&node, &mut children);
            self.seek.fan.stack.append(&mut children);
        }
        self.seek.children = children;
    }

    pub(super) fn push_to_fan(&mut self, node: &Node) {
        self.seek.fan.stack.push(*node);
    }

    /// Handles a node whose next face contains the goal: notes a straight line to it, if there is
    /// one.
    pub(super) fn see_goal(&mut self, corners: &[u32]) {
        let from = self.seek.roots[0];
        let (direction, length) = tangent(from.circle(), (self.goal, 0), self.r);
        let is_close = |corner: u32| {
            let by = self.place(corner) - from.at;
            let ahead = by.dot(direction);
            ahead > 0.0 && ahead < length && direction.cross(by).abs() < self.r - 0.5
        };
        match corners.iter().copied().find(|&corner| self.r > 0.0 && is_close(corner)) {
            None if self.is_line(0, direction, length) => self.seek.fan.direct = Some((direction, length)),
            None => {}
            Some(corner) => {
                let side = if direction.cross(self.place(corner) - from.at) > 0.0 { 1 } else { -1 };
                let (first, _) = tangent(from.circle(), (self.place(corner), side), self.r);
                self.note(0, first, corner, side);
            }
        }
    }
}

impl Cdt {
    /// The spokes with walls beside the free angle of more than half a turn at a vertex, if there
    /// is such an angle: from the first counter-clockwise to the second all faces are free.
    pub(crate) fn corner(&self, vertex: u32) -> Option<(u32, u32)> {
        for h in self.spokes(vertex).filter(|&h| self.is_wall(h) && self.is_free(h >> 2)) {
            let mut last = self.turn(h);
            while !self.is_wall(last) {
                last = self.turn(last);
            }
            if self.is_reflex(vertex, [self.corner_after(h), self.corner_before(last)]) {
                return Some((h, last));
            }
        }
        None
    }

    /// Whether a vertex has no walls.
    pub(super) fn is_lone(&self, vertex: u32) -> bool {
        !self.spokes(vertex).any(|h| self.is_wall(h))
    }

    /// The cone of turns about a corner on one side, if there are any; a disc does not pass edges
    /// whose squared length is below `gap`.
    pub(crate) fn cone(&self, vertex: u32, side: Side, gap: u64) -> Option<Cone> {
        let (mut cone, spokes) = self.cone_of_walls(vertex, side)?;
        self.part_turns(&mut cone, spokes, (vertex, side), gap);
        Some(cone)
    }

    /// The cone between the walls at a corner, and the spokes of these walls; corners nearby have
    /// not divided it yet.
    #[inline(always)]
    pub(super) fn cone_of_walls(&self, vertex: u32, side: Side) -> Option<(Cone, [u32; 2])> {
        let (right, left) = self.corner(vertex)?;
        let at = self.at(vertex);
        let to = |h: u32| self.at(self.dest(h)).place() - at.place();
        let unit = |d: Place| d * (1.0 / d.length());
        let (begin, end) = if side > 0 { (right, left) } else { (left, right) };
        let (right, left) = (self.corner_after(right), self.corner_before(left));
        let walls = [right, left].map(|corner| unit(self.at(corner).place() - at.place()));
        let (first, last) = if side > 0 { (walls[0] * -1.0, walls[1]) } else { (walls[1] * -1.0, walls[0]) };
        let half_edge = |spoke: u32| if side > 0 { spoke } else { self.twin(spoke) };
        let start = Start { h: half_edge(begin), direction: first, by: NONE };
        let slack = [begin, end].map(|h| 2.0 / (to(h).length() + 2.0));
        let cone = Cone { first, last, slack, starts: [start; MAX_PARTS], count: 1, is_short: false };
        Some((cone, [begin, end]))
    }

    /// Divides a turn about a corner, between the spokes of its walls, into parts.
    #[inline(always)]
    pub(super) fn part_turns(
        &self,
        cone: &mut Cone,
        [begin, end]: [u32; 2],
        (vertex, side): (u32, Side),
        gap: u64,
    ) {
        let (first, last, start) = (cone.first, cone.last, cone.starts[0]);
        let at = self.at(vertex).place();
        let to = |h: u32| self.at(self.dest(h)).place() - at;
        let unit = |d: Place| d * (1.0 / d.length());
        let half_edge = |spoke: u32| if side > 0 { spoke } else { self.twin(spoke) };
        let turn = |h: u32| if side > 0 { self.turn(h) } else { next(self.twin(h)) };
        let s = f64::from(side);
        let mut spoke = turn(begin);
        // The direction up to which the free angles of the disc's middle are known.
        let mut free = first.left() * -s;
        while spoke != end {
            let by = to(spoke);
            // The disc's middle begins a quarter turn after the first wall, and ends a quarter turn
            // before the other.
            if by.dot(last) > 0.0 && by.cross(last) * s > 0.0 {
                break;
            }
            let h = half_edge(spoke);
            let square = self.square(spoke);
            if by.dot(first) <= 0.0 {
                cone.starts[0] = Start { h, ..start };
            } else if square < gap {
                // The disc's middle, at the corner, cannot be within an angle of the spoke.
                let (ray, cos) = (unit(by), (square as f64 / gap as f64).sqrt());
                let (along, off) = (ray * cos, ray.left() * ((1.0 - cos * cos).sqrt() * s));
                let begin = Start { h, direction: ray.left() * s, by: self.dest(spoke) };
                if free.cross(along - off) * s <= 0.0 {
                    // No free angle lies between this part and the part before.
                    cone.starts[cone.count - 1] = begin;
                } else if cone.count == MAX_PARTS {
                    cone.is_short = true;
                } else {
                    cone.starts[cone.count] = begin;
                    cone.count += 1;
                }
                free = along + off;
            }
            spoke = turn(spoke);
        }
    }
}
