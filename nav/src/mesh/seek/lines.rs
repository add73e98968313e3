//! Tests whether a disc can go straight from one circle to another.
//!
//! In: a tangent of two circles. Out: whether all walls are farther from it than the radius.
//!
//! A wall that a line does not cross has an end on a face along the line, or lies beyond an edge of
//! such a face. If both ends of the edge are a radius away from the line, and on one side of it, so
//! is all land beyond; except beside an end of the line, where the disc may reach over an edge.

use super::super::cdt::{Cdt, NONE, next, prev};
use super::super::fixed::Place;
use super::super::near::segment_square;
use super::super::tangent::{contact, tangent};
use super::{Root, Seek, Task};

/// Greatest number of corners near a place that holds a disc.
const MAX_BESIDE: usize = 256;
/// A distance, in units, above all rounding.
const OFF_WALLS: f64 = 4.0;

impl Seek {
    /// Whether a straight line from a place in a face to another is free of walls, and some units
    /// away from them: a fast test that may return false for a free line.
    pub(crate) fn is_straight(&mut self, cdt: &Cdt, (from, face): (Place, u32), to: Place, r: f64) -> bool {
        let by = to - from;
        let length = by.length();
        if length == 0.0 {
            return true;
        }
        self.roots.clear();
        self.roots.push(Root::new(from, 0, NONE, NONE, Place::default()));
        self.first_faces[0] = face;
        let mut task = Task::new(cdt, self, r, to, &[]);
        if task.r < OFF_WALLS {
            task.r = OFF_WALLS;
        }
        task.is_line(0, by * (1.0 / length), length)
    }

    /// Whether all lines of the last way, to a goal in `faces`, are free.
    pub(crate) fn is_free(&mut self, cdt: &Cdt, last: u32, goal: (Place, &[u32]), r: f64) -> bool {
        let mut task = Task::new(cdt, self, r, goal.0, goal.1);
        let (mut to, mut at) = ((goal.0, 0), last);
        while at != NONE {
            let root = task.seek.roots[at as usize];
            let (direction, length) = tangent(root.circle(), to, task.r);
            if !task.is_line(at, direction, length) {
                return false;
            }
            (to, at) = (root.circle(), root.before);
        }
        true
    }
}

impl Task<'_> {
    /// Whether a disc can go straight from the circle about a root in a direction, for a length.
    pub(super) fn is_line(&mut self, root: u32, direction: Place, length: f64) -> bool {
        if self.r == 0.0 {
            return true;
        }
        let from = self.seek.roots[root as usize];
        let begin = contact(from.circle(), direction, self.r);
        let face = if from.vertex == NONE {
            self.seek.first_faces[root as usize]
        } else {
            let face = self.cdt.face_towards(from.vertex, begin - from.at);
            match self.walk(face, from.at, begin, |_| true) {
                Some(face) => face,
                None => return false,
            }
        };
        let end = begin + direction * length;
        let mut beside = core::mem::take(&mut self.seek.fan.beside);
        let is_free = self.walk(face, begin, end, |h| self.is_far(h, [begin, end], &mut beside)).is_some();
        self.seek.fan.beside = beside;
        is_free
    }

    /// Whether an edge that a line does not cross, and all near walls beyond it, are far enough
    /// away; within a unit.
    fn is_far(&self, h: u32, [begin, end]: [Place; 2], beside: &mut Vec<u32>) -> bool {
        let room = self.r - 1.0;
        let is_far = |vertex: u32| {
            let at = self.place(vertex);
            segment_square(begin - at, end - at) >= room * room
        };
        beside.clear();
        let is_off = is_far(self.cdt.org(h)) && is_far(self.cdt.dest(h));
        is_off
            && self.look_beside(h, [begin, end], room, beside)
            && beside.iter().all(|&vertex| is_far(vertex))
    }

    /// Lists the corners beyond an edge that a disc reaches over with its middle at one of two
    /// places. Returns false if it reaches over a wall.
    pub(super) fn look_beside(&self, h: u32, at: [Place; 2], room: f64, beside: &mut Vec<u32>) -> bool {
        let (c, d) = (self.place(self.cdt.org(h)), self.place(self.cdt.dest(h)));
        let is_near = |&at: &Place| segment_square(c - at, d - at) < room * room;
        if !at.iter().any(is_near) {
            return true;
        }
        if self.cdt.is_wall(h) || beside.len() > MAX_BESIDE {
            return false;
        }
        let beyond = self.cdt.twin(h);
        beside.push(self.cdt.apex(beyond));
        self.look_beside(next(beyond), at, room, beside) && self.look_beside(prev(beyond), at, room, beside)
    }

    /// The face that contains the end of a straight line from a place in another face, if no wall
    /// crosses the line, and `is_free` holds for all edges along it that it does not cross.
    fn walk(
        &self,
        mut face: u32,
        from: Place,
        to: Place,
        mut is_free: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let along = to - from;
        let mut came = NONE;
        for _ in 0..self.cdt.faces.len() {
            let leaves = |&h: &u32| {
                let (c, d) = (self.place(self.cdt.org(h)), self.place(self.cdt.dest(h)));
                let is_beyond = (d - c).cross(to - c) < 0.0;
                is_beyond && along.cross(c - from) <= 0.0 && along.cross(d - from) >= 0.0
            };
            let edges = (4 * face..4 * face + 3).filter(|&h| h != came);
            let over = edges.clone().find(leaves);
            if !edges.filter(|&h| Some(h) != over).all(&mut is_free) {
                return None;
            }
            match over {
                None => return Some(face),
                Some(h) if self.cdt.is_wall(h) => return None,
                Some(h) => came = self.cdt.twin(h),
            }
            face = came >> 2;
        }
        None
    }
}

impl Cdt {
    /// The face at a vertex in a direction.
    fn face_towards(&self, vertex: u32, direction: Place) -> u32 {
        let at = self.at(vertex).place();
        let lies_in = |&h: &u32| {
            let (right, left) = (self.at(self.dest(h)).place() - at, self.at(self.apex(h)).place() - at);
            right.cross(direction) >= 0.0 && direction.cross(left) >= 0.0
        };
        self.spokes(vertex).find(lies_in).unwrap_or(self.vertices[vertex as usize].out) >> 2
    }
}
