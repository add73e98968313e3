//! Prediction of the rows of an image (compression), from earlier columns.
//!
//! In: bodies, the list of pairs, earlier rows. Out: a row near the next one, so that only a small
//! difference is written. Writing and reading make the same predictions in the same order; they
//! only decide the length of an image. Predictions restart with each piece.
//!
//! ```text
//!   pair of a contact     contacts begin in the order of the list of pairs: the one after the last
//!   box of a part         as far from the body as the last one: one kind, one size
//!   impulses              the load that the contact remembers; the way from centre to centre
//!   sum of a step         normal impulses, as forces, over the length of the step
//!   manifold              as the last one in this direction; normal: an axis of a body
//! ```

use glam::Vec2;

use crate::body::Body;
use crate::broadphase::{Pair, Period};

/// A walk along the sorted list of pairs.
pub(super) struct PairWalk<'p> {
    pairs: &'p [Pair],
    at: usize,
}

impl<'p> PairWalk<'p> {
    pub(super) fn new(pairs: &'p [Pair]) -> PairWalk<'p> {
        PairWalk { pairs, at: usize::MAX }
    }

    /// The next pair, as two words.
    #[inline]
    pub(super) fn next(&self) -> [u32; 2] {
        self.pairs.get(self.at).map_or([0; 2], |pair| [pair.a, pair.b])
    }

    /// Restarts the walk.
    pub(super) fn begin_piece(&mut self) {
        self.at = usize::MAX;
    }

    /// Goes to behind a pair; answers where it is.
    #[inline]
    pub(super) fn go_over(&mut self, [a, b]: [u32; 2]) -> usize {
        let pair = Pair { a, b };
        if self.pairs.get(self.at) == Some(&pair) {
            self.at += 1;
        } else {
            self.at = self.pairs.partition_point(|other| *other <= pair);
        }
        self.at.wrapping_sub(1)
    }
}

/// Boxes of parts, as seven words: step of the slot, sides, region.
pub(super) struct BoxGuess {
    row: [u32; 7],
    center: Vec2,
}

impl BoxGuess {
    pub(super) fn new() -> BoxGuess {
        BoxGuess { row: [0; 7], center: Vec2::ZERO }
    }

    /// The predicted row of a part of `body`. Boxes of immovable bodies are written as differences
    /// from their initial boxes.
    pub(super) fn row(&self, body: &Body) -> [u32; 7] {
        if !body.moves() {
            return [self.row[0], 0, 0, 0, 0, 0, 0];
        }
        let [x, y] = (body.center - self.center).to_array();
        let mut row = self.row;
        for (side, by) in row[1..5].iter_mut().zip([x, y, x, y]) {
            *side = bits(f32::from_bits(*side) + by);
        }
        row
    }

    /// Takes note of a row.
    pub(super) fn note(&mut self, row: &[u32; 7], body: &Body) {
        if body.moves() {
            (self.row, self.center) = (*row, body.center);
        } else {
            self.row[0] = row[0];
        }
    }
}

/// The vector between the centres of mass of two bodies.
#[inline]
pub(super) fn way_between(period: Period, a: &Body, b: &Body) -> Vec2 {
    period.way(a.center_point(), b.center_point())
}

/// The sum of a step, in words, of normal impulses as forces.
pub(super) fn sum_of_step(normals: [u32; 2], dt: f32) -> u32 {
    let [first, second] = normals.map(f32::from_bits);
    bits((first + second) * dt)
}

/// The bits of a number; 0 for NaN, whose bits depend on the machine.
fn bits(number: f32) -> u32 {
    if number.is_nan() { 0 } else { number.to_bits() }
}

/// Manifolds, as ten words: ids of features, then normal, points and separations.
pub(super) struct ManifoldGuess {
    /// By direction from A to B.
    last: [([u32; 10], Axis); DIRECTIONS],
}

/// Steeper or flatter than a diagonal, up or down, left or right.
const DIRECTIONS: usize = 8;

/// An axis of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    Neither,
    /// Axis of A or B, turned by so many quarters from its x axis.
    Of {
        is_b: bool,
        quarters: u8,
    },
}

fn direction(way: Vec2) -> usize {
    usize::from(way.x.abs() > way.y.abs()) | usize::from(way.x > 0.0) << 1 | usize::from(way.y > 0.0) << 2
}

impl ManifoldGuess {
    pub(super) fn new() -> ManifoldGuess {
        ManifoldGuess { last: [([0; 10], Axis::Neither); DIRECTIONS] }
    }

    /// The predicted row of a contact of two bodies.
    #[inline]
    pub(super) fn row(&self, a: &Body, b: &Body, way: Vec2) -> [u32; 10] {
        let (mut row, axis) = self.last[direction(way)];
        if let Axis::Of { is_b, quarters } = axis {
            let turn = if is_b { b.rotation } else { a.rotation };
            let (x, y) = match quarters {
                0 => (turn.cos, turn.sin),
                1 => (-turn.sin, turn.cos),
                2 => (-turn.cos, -turn.sin),
                _ => (turn.sin, -turn.cos),
            };
            (row[2], row[3]) = (x.to_bits(), y.to_bits());
        }
        row
    }

    /// Takes note of a row.
    #[inline]
    pub(super) fn note(&mut self, row: &[u32; 10], a: &Body, b: &Body, way: Vec2) {
        let normal = Vec2::new(f32::from_bits(row[2]), f32::from_bits(row[3]));
        self.last[direction(way)] = (*row, nearest_axis(normal, a, b));
    }
}

/// A normal farther than this from an axis counts as no axis.
const NEAR: f32 = 0.02;

#[inline]
fn nearest_axis(normal: Vec2, a: &Body, b: &Body) -> Axis {
    let [of_a, of_b] = [a, b].map(|body| {
        let along = normal.x * body.rotation.cos + normal.y * body.rotation.sin;
        let across = normal.y * body.rotation.cos - normal.x * body.rotation.sin;
        if along.abs() > across.abs() {
            (across.abs(), if along > 0.0 { 0 } else { 2 })
        } else {
            (along.abs(), if across > 0.0 { 1 } else { 3 })
        }
    });
    let is_b = of_b.0 < of_a.0;
    let (off, quarters) = if is_b { of_b } else { of_a };
    if off < NEAR { Axis::Of { is_b, quarters } } else { Axis::Neither }
}
