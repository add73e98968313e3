//! The shortest way over lines between corners (A*).
//!
//! In: two places with their faces, and a radius. Out: the chain of roots, in the form of a search
//! over edges (seek/mod.rs).
//!
//! A way comes to the circle about a corner in one direction and leaves it in a direction turned
//! further. So it is compared by its length minus the arc from the corner's first direction to the
//! direction of arrival. The way with the lesser value is the better of two ways to a corner,
//! wherever both go on: where their lines cross, a way can turn from one line into the other.

use core::cmp::Reverse;
use core::f64::consts::PI;
use core::ops::Range;
use std::collections::BinaryHeap;

use super::super::cdt::{Cdt, NONE};
use super::super::fixed::Place;
use super::super::seek::{MAX_PARTS, Root, Seek, is_near_pocket};
use super::super::tangent::{Side, angle, tangent};
use super::{Changed, Corners, corner, state};

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    /// The length, and the last root.
    Way(f64, u32),
    None,
    /// Some corners have lines that are not stored.
    Unsure,
    /// The limit of visited corners was reached.
    Pause,
}

/// A way to a corner.
#[derive(Clone, Copy, Debug)]
struct Label {
    /// The [`state`] of the corner; [`NONE`] if the way is complete.
    state: u32,
    part: u8,
    /// The label before; [`NONE`] at the start.
    before: u32,
    arrive: f64,
    length: f64,
    came: Place,
}

/// A line from a corner to the goal.
#[derive(Clone, Copy, Debug)]
struct Last {
    part: u8,
    depart: f64,
    length: f64,
    /// The next line from the same corner to the goal, or [`NONE`].
    next: u32,
}

/// Tolerance for lines turned back, and for lengths of ways.
const TURN_SLACK: f64 = 1e-7;
const LENGTH_SLACK: f64 = 1e-6;

/// A search's arrays, kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    stamp: u32,
    /// By part and state: stamp, and the least length minus the arc.
    best: [Vec<(u32, f64)>; MAX_PARTS],
    /// By state: stamp, and the first of its lines to the goal.
    last_at: Vec<(u32, u32)>,
    last: Vec<Last>,
    labels: Vec<Label>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    least: f64,
    r: f64,
    goal: Place,
    pub(crate) expansions: u64,
}

impl Search {
    fn begin(&mut self, cdt: &Cdt, r: f64, goal: Place) {
        if self.stamp == u32::MAX {
            *self = Search::default();
        }
        self.stamp += 1;
        let states = 2 * cdt.vertices.len();
        self.best[0].resize(states.max(self.best[0].len()), (0, 0.0));
        self.last_at.resize(states.max(self.last_at.len()), (0, 0));
        self.last.clear();
        self.labels.clear();
        self.heap.clear();
        self.least = f64::INFINITY;
        (self.r, self.goal) = (r, goal);
        self.expansions = 0;
    }

    /// Begins a search between two places, given with the faces that they lie in; [`Search::run`]
    /// completes it.
    pub(crate) fn start(&mut self, cdt: &Cdt, ends_seek: &mut Seek, ends: [(Place, &[u32]); 2], radius: f64) {
        self.begin(cdt, Seek::radius(radius), ends[1].0);
        ends_seek.begin_ends(cdt, ends, radius);
        let [first, second] = ends_seek.fan.lines_of;
        self.take_lines(cdt, ends_seek, 0, 0..first);
        self.take_lines(cdt, ends_seek, 1, first..second);
        self.take_direct(ends_seek);
    }

    /// Adds lines from an end.
    fn take_lines(&mut self, cdt: &Cdt, seek: &Seek, end: usize, lines: Range<usize>) {
        for line in &seek.fan.lines[lines] {
            let (state, part, turned) = (state(line.vertex, line.side), line.part_there, line.turned_there);
            if end == 0 {
                let (length, came) = (line.length, line.direction);
                let label = Label { state, part, before: NONE, arrive: turned, length, came };
                self.push(label, cdt.at(line.vertex).place(), cdt);
            } else {
                let at = &mut self.last_at[state as usize];
                let next = if at.0 == self.stamp { at.1 } else { NONE };
                *at = (self.stamp, self.last.len() as u32);
                self.last.push(Last { part, depart: turned, length: line.length, next });
            }
        }
    }

    fn take_direct(&mut self, seek: &mut Seek) {
        if let Some((direction, length)) = seek.fan.direct.take() {
            self.complete(NONE, direction, length);
        }
    }

    /// Whether an end's fan comes before all ways so far: so a corner's lines to the goal are known
    /// when the corner is expanded.
    fn is_end_first(&self, ends: &Seek) -> bool {
        let Some(&Reverse((node, _))) = ends.heap.peek() else { return false };
        // A disc that turns about the end of an edge may not reach the edge itself: the way over
        // the edge is longer by at most half a turn.
        let node = f64::from_bits(node) - PI * self.r - 1.0;
        node < self.least && self.heap.peek().is_none_or(|&Reverse((f, _))| node <= f64::from_bits(f))
    }

    /// Runs until there is an answer, or `most` corners have been visited.
    pub(crate) fn run(
        &mut self,
        cdt: &Cdt,
        [seek, ends_seek]: [&mut Seek; 2],
        ends: [(Place, &[u32]); 2],
        (corners, changed): (&mut Corners, &Changed),
        radius: f64,
        most: u64,
    ) -> Found {
        let graph = corners.graph(radius, cdt.vertices.len());
        loop {
            // Expands the fans of start and goal, edge by edge, as long as they may give shorter
            // ways.
            while self.is_end_first(ends_seek) {
                let end = ends_seek.expand_end(cdt, ends, radius);
                self.take_lines(cdt, ends_seek, end, 0..ends_seek.fan.lines.len());
                self.take_direct(ends_seek);
            }
            if ends_seek.fan.is_short {
                return Found::Unsure;
            }
            let Some(&Reverse((f, id))) = self.heap.peek() else { return Found::None };
            if self.expansions >= most {
                return Found::Pause;
            }
            // Take the first open corner; a complete way ends the search.
            self.heap.pop();
            let label = self.labels[id as usize];
            if label.state == NONE {
                return Found::Way(f64::from_bits(f), self.trace(cdt, seek, label.before));
            }
            let value = label.length - self.r * label.arrive;
            if self.best[usize::from(label.part)][label.state as usize].1 < value - LENGTH_SLACK {
                continue;
            }
            // Follow its lines, kept or found now.
            self.expansions += 1;
            self.try_last(id, &label);
            let fan = graph.fan(cdt, seek, changed, radius, label.state);
            if fan.is_short {
                return Found::Unsure;
            }
            // Lines that turn further than the arrival come last, so they are read from the end.
            let lines = &graph.lines[fan.first as usize..(fan.first + fan.count) as usize];
            for line in lines.iter().rev().skip_while(|line| line.from_part > label.part) {
                let turn = line.depart - label.arrive;
                if line.from_part < label.part || turn < -TURN_SLACK {
                    break;
                }
                if line.is_pocket && !is_near_pocket(line.at.place(), [ends[0].0, self.goal], self.r) {
                    continue;
                }
                let arc = if turn > 0.0 { turn * self.r } else { 0.0 };
                let next = Label {
                    state: line.to,
                    part: line.to_part,
                    before: id,
                    arrive: line.arrive,
                    length: label.length + arc + line.length,
                    came: line.direction,
                };
                self.push(next, line.at.place(), cdt);
            }
        }
    }

    /// Adds a label for a way to a corner at a place.
    fn push(&mut self, label: Label, at: Place, cdt: &Cdt) {
        let f = label.length + self.rest(at, &label);
        if f >= self.least {
            return;
        }
        let value = label.length - self.r * label.arrive;
        let best = &mut self.best[usize::from(label.part)];
        if best.len() <= label.state as usize {
            best.resize(2 * cdt.vertices.len(), (0, 0.0));
        }
        let best = &mut best[label.state as usize];
        if best.0 == self.stamp && value >= best.1 - LENGTH_SLACK {
            return;
        }
        *best = (self.stamp, value);
        self.labels.push(label);
        self.heap.push(Reverse((f.to_bits(), self.labels.len() as u32 - 1)));
    }

    /// A lower bound of the length from a corner to the goal.
    #[inline(always)]
    fn rest(&self, at: Place, label: &Label) -> f64 {
        if self.r == 0.0 {
            return (self.goal - at).length();
        }
        let side = corner(label.state).1;
        let (direction, length) = tangent((at, side), (self.goal, 0), self.r);
        let turn = angle(label.came, direction) * f64::from(side);
        if turn > -TURN_SLACK {
            return length + self.r * turn;
        }
        let touch = at - label.came.left() * (f64::from(side) * self.r);
        (self.goal - touch).length()
    }

    /// Completes a way by the lines from its corner to the goal.
    fn try_last(&mut self, id: u32, label: &Label) {
        let (stamp, mut at) = self.last_at[label.state as usize];
        if stamp != self.stamp {
            return;
        }
        while at != NONE {
            let last = self.last[at as usize];
            at = last.next;
            let turn = last.depart - label.arrive;
            if last.part == label.part && turn >= -TURN_SLACK {
                let arc = if turn > 0.0 { turn * self.r } else { 0.0 };
                self.complete(id, Place::default(), label.length + arc + last.length);
            }
        }
    }

    fn complete(&mut self, before: u32, came: Place, length: f64) {
        if length < self.least {
            self.least = length;
            self.labels.push(Label { state: NONE, part: 0, before, arrive: 0.0, length, came });
            self.heap.push(Reverse((length.to_bits(), self.labels.len() as u32 - 1)));
        }
    }

    /// Writes the chain of corners as roots. Returns the last root.
    fn trace(&self, cdt: &Cdt, seek: &mut Seek, mut at: u32) -> u32 {
        seek.roots.clear();
        while at != NONE {
            let label = &self.labels[at as usize];
            let (vertex, side): (u32, Side) = corner(label.state);
            let next = if label.before == NONE { NONE } else { seek.roots.len() as u32 + 1 };
            seek.roots.push(Root::new(cdt.at(vertex).place(), side, vertex, next, label.came));
            at = label.before;
        }
        if seek.roots.is_empty() { NONE } else { 0 }
    }
}
