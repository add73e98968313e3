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
//!   manifold              as the last one in this direction; normal: an axis of a body, which is told
//! ```
//!
//! Of impulses and links, eight contacts are worked out at a time, word by word.

use glam::Vec2;

use crate::body::Body;
use crate::broadphase::{Pair, Period};
use crate::state::{GROUP, end_of_way, way};
use crate::world::snapshot::write::{CONTACT, Steps};

/// A walk along the sorted list of pairs.
pub(super) struct PairWalk<'p> {
    pairs: &'p [Pair],
    at: usize,
}

impl<'p> PairWalk<'p> {
    pub(super) fn new(pairs: &'p [Pair]) -> PairWalk<'p> {
        PairWalk { pairs, at: usize::MAX }
    }

    /// Restarts the walk.
    pub(super) fn begin_piece(&mut self) {
        self.at = usize::MAX;
    }

    /// How far a pair is from the next one, in two words; goes behind it.
    #[inline(always)]
    pub(super) fn ways_to(&mut self, pair: Pair) -> [u32; 2] {
        if self.pairs.get(self.at) == Some(&pair) {
            self.at += 1;
            return [0; 2];
        }
        self.go_elsewhere(pair)
    }

    #[inline(never)]
    fn go_elsewhere(&mut self, pair: Pair) -> [u32; 2] {
        let next = self.next();
        self.at = self.pairs.partition_point(|other| *other <= pair);
        [way(next.a, pair.a), way(next.b, pair.b)]
    }

    fn next(&self) -> Pair {
        self.pairs.get(self.at).copied().unwrap_or(Pair { a: 0, b: 0 })
    }

    /// The next pair, and where it is in the list.
    #[inline(always)]
    pub(super) fn step(&mut self) -> (Pair, usize) {
        let at = self.at;
        let next = self.next();
        self.at = at.wrapping_add(1);
        (next, at)
    }

    /// The pair so far from the next one, and where it is in the list, or that before it.
    pub(super) fn go(&mut self, ways: [u32; 2]) -> (Pair, usize) {
        let next = self.next();
        let pair = Pair { a: end_of_way(next.a, ways[0]), b: end_of_way(next.b, ways[1]) };
        self.ways_to(pair);
        (pair, self.at.wrapping_sub(1))
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
#[inline(always)]
pub(super) fn way_between(period: Period, a: &Body, b: &Body) -> Vec2 {
    if a.region == b.region {
        return b.center - a.center;
    }
    period.way(a.center_point(), b.center_point())
}

/// The sums of a step, in words, of normal impulses as forces.
#[inline(always)]
pub(super) fn sums_of_step(normals: [&[u32; GROUP]; 2], dt: f32) -> [u32; GROUP] {
    core::array::from_fn(
        #[inline(always)]
        |k| bits((f32::from_bits(normals[0][k]) + f32::from_bits(normals[1][k])) * dt),
    )
}

/// The bits of a number; 0 for NaN, whose bits depend on the machine.
#[inline(always)]
fn bits(number: f32) -> u32 {
    if number.is_nan() { 0 } else { number.to_bits() }
}

/// What a contact is told from, besides its bodies: the contacts before it.
pub(super) struct ContactGuess<'p> {
    pub(super) walk: PairWalk<'p>,
    pub(super) steps: Steps,
    /// Words of the last one, of those that are told from it.
    pub(super) last: [u32; CONTACT],
    pub(super) manifolds: LastInDirection,
}

impl<'p> ContactGuess<'p> {
    pub(super) fn new(pairs: &'p [Pair]) -> ContactGuess<'p> {
        let (walk, manifolds) = (PairWalk::new(pairs), LastInDirection::NONE);
        ContactGuess { walk, steps: Steps::START, last: [0; CONTACT], manifolds }
    }

    /// Begins a piece, in which nothing is known of contacts before it but their number.
    #[inline(always)]
    pub(super) fn begin_piece(&mut self) {
        self.walk.begin_piece();
        (self.last, self.manifolds) = ([0; CONTACT], LastInDirection::NONE);
    }
}

/// The last contact in each direction: its manifold is near that of the next one.
pub(super) struct LastInDirection {
    /// Slot and axis; slot 0 if there is none.
    last: [(u32, Axis); DIRECTIONS],
}

/// Steeper or flatter than a diagonal, up or down, left or right.
const DIRECTIONS: usize = 8;

impl LastInDirection {
    pub(super) const NONE: LastInDirection = LastInDirection { last: [(0, Axis::NONE); DIRECTIONS] };

    /// The last contact whose bodies stood to each other in this direction, from A to B.
    #[inline(always)]
    pub(super) fn of(&mut self, way: Vec2) -> &mut (u32, Axis) {
        let direction = usize::from(way.x.abs() > way.y.abs())
            | usize::from(way.x > 0.0) << 1
            | usize::from(way.y > 0.0) << 2;
        &mut self.last[direction % DIRECTIONS]
    }
}

/// An axis of a body, that the normal of a contact is near to, as one word: 0 for none; else 1 and
/// by how many quarters it is turned from the x axis of A, or 5 and from that of B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis(u32);

/// A normal farther than this from an axis counts as no axis.
const NEAR: f32 = 0.02;

impl Axis {
    pub(super) const NONE: Axis = Axis(0);

    /// What is told of it: nothing, if it is that of the last contact.
    #[inline(always)]
    pub(super) fn told(self, last: Axis) -> u32 {
        self.0 ^ last.0
    }

    /// Inverse of [`Axis::told`].
    #[inline(always)]
    pub(super) fn of_told(told: u32, last: Axis) -> Option<Axis> {
        Some(Axis(told ^ last.0)).filter(|axis| axis.0 <= 8)
    }

    /// Where it points, if it is one.
    #[inline(always)]
    pub(super) fn normal(self, bodies: [&Body; 2]) -> Option<Vec2> {
        let number = self.0.checked_sub(1)?;
        let turn = bodies[(number as usize >> 2) % 2].rotation;
        let (x, y) = if number & 1 == 0 { (turn.cos, turn.sin) } else { (-turn.sin, turn.cos) };
        Some(if number & 2 == 0 { Vec2::new(x, y) } else { Vec2::new(-x, -y) })
    }

    /// The axis that is near to a normal: `last` if that is.
    #[inline(always)]
    pub(super) fn near(normal: Vec2, bodies: [&Body; 2], last: Axis) -> Axis {
        let is_near = |axis: Vec2| (normal - axis).abs().max_element() < NEAR;
        if last.normal(bodies).is_some_and(is_near) { last } else { Axis::nearest(normal, bodies) }
    }

    #[inline(never)]
    fn nearest(normal: Vec2, bodies: [&Body; 2]) -> Axis {
        let [of_a, of_b] = bodies.map(|body| {
            let along = normal.x * body.rotation.cos + normal.y * body.rotation.sin;
            let across = normal.y * body.rotation.cos - normal.x * body.rotation.sin;
            if along.abs() > across.abs() {
                (across.abs(), if along > 0.0 { 1 } else { 3 })
            } else {
                (along.abs(), if across > 0.0 { 2 } else { 4 })
            }
        });
        let (off, number) = if of_b.0 < of_a.0 { (of_b.0, of_b.1 + 4) } else { of_a };
        if off < NEAR { Axis(number) } else { Axis::NONE }
    }
}
