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
//! Impulses and links of eight contacts are predicted at a time, word by word.

use glam::Vec2;

use super::poses::{LastInDirection, numbers_of};
use crate::body::Body;
use crate::broadphase::{Pair, Period};
use crate::simd::{Eight, LANES, Lane, Vector, Vectors, Words};
use crate::state::{GROUP, end_of_way, way};
use crate::world::snapshot::write::{CONTACT, Steps};

/// A walk along the sorted list of pairs.
pub(super) struct PairWalk<'p> {
    pairs: &'p [Pair],
    at: usize,
    places: PairPlaces,
}

impl<'p> PairWalk<'p> {
    pub(super) fn new(pairs: &'p [Pair]) -> PairWalk<'p> {
        PairWalk { pairs, at: usize::MAX, places: PairPlaces::NONE }
    }

    /// Restarts the walk.
    pub(super) fn begin_piece(&mut self) {
        self.at = usize::MAX;
    }

    /// Returns the difference of a pair from the next pair of the list, in two words, and goes
    /// behind the pair.
    #[inline(always)]
    pub(super) fn ways_to(&mut self, pair: Pair) -> [u32; 2] {
        if self.pairs.get(self.at) == Some(&pair) {
            self.at += 1;
            return [0; 2];
        }
        self.go_elsewhere(pair)
    }

    /// Returns the differences of eight pairs, which mostly follow each other in the list.
    #[inline(always)]
    pub(super) fn ways_to_eight(&mut self, pairs: &[Pair; GROUP], count: usize) -> [[u32; GROUP]; 2] {
        let mut ways = [[0; GROUP]; 2];
        if count == GROUP && self.next_eight().is_some_and(|next| are_same(next, pairs)) {
            self.at += GROUP;
            return ways;
        }
        for (index, &pair) in pairs.iter().enumerate().take(count) {
            [ways[0][index], ways[1][index]] = self.ways_to(pair);
        }
        ways
    }

    /// The next eight pairs, if there are as many.
    #[inline(always)]
    fn next_eight(&self) -> Option<&'p [Pair; GROUP]> {
        self.pairs.get(self.at..)?.first_chunk()
    }

    /// The next eight pairs, and where the first of them is in the list.
    #[inline(always)]
    pub(super) fn step_eight(&mut self) -> Option<(&'p [Pair; GROUP], usize)> {
        let (next, at) = (self.next_eight()?, self.at);
        self.at += GROUP;
        Some((next, at))
    }

    #[inline(never)]
    fn go_elsewhere(&mut self, pair: Pair) -> [u32; 2] {
        let next = self.next();
        self.at = self.places.behind(pair, self.pairs);
        [way(next.a, pair.a), way(next.b, pair.b)]
    }

    fn next(&self) -> Pair {
        self.pairs.get(self.at).copied().unwrap_or(Pair { a: 0, b: 0 })
    }

    /// Returns the pair with the given difference from the next one, its place in the list, and
    /// whether it is there: if not, the place before it.
    pub(super) fn go(&mut self, ways: [u32; 2]) -> (Pair, usize, bool) {
        let next = self.next();
        let pair = Pair { a: end_of_way(next.a, ways[0]), b: end_of_way(next.b, ways[1]) };
        self.ways_to(pair);
        let place = self.at.wrapping_sub(1);
        (pair, place, self.pairs.get(place) == Some(&pair))
    }
}

/// An index of a sorted list of pairs, in 256 parts: a search looks at one part. In a stirred heap
/// most contacts are searched for, in any order; searches of the whole list took a seventh of the
/// instructions of a save, and more of its time, as comparisons were mispredicted.
struct PairPlaces {
    /// Element k is where the pairs begin whose first number, divided by 2^`by`, is k; the last
    /// element is the end. Empty before the first search.
    begins: [u32; EXPECTED_PLACES + 1],
    by: u32,
    is_there: bool,
}

const EXPECTED_PLACES: usize = 256;

impl PairPlaces {
    const NONE: PairPlaces = PairPlaces { begins: [0; EXPECTED_PLACES + 1], by: 0, is_there: false };

    /// The place of the first pair behind `pair`.
    fn behind(&mut self, pair: Pair, pairs: &[Pair]) -> usize {
        if !self.is_there {
            self.find(pairs);
        }
        let part = (pair.a >> self.by) as usize;
        if part >= EXPECTED_PLACES {
            return pairs.len();
        }
        let (begin, end) = (self.begins[part] as usize, self.begins[part + 1] as usize);
        // A pair as one number, which is compared without a branch.
        let number = |pair: Pair| u64::from(pair.a) << 32 | u64::from(pair.b);
        begin + pairs[begin..end].partition_point(|&other| number(other) <= number(pair))
    }

    #[cold]
    fn find(&mut self, pairs: &[Pair]) {
        let last = pairs.last().map_or(0, |pair| pair.a);
        self.by = (u32::BITS - last.leading_zeros()).saturating_sub(EXPECTED_PLACES.trailing_zeros());
        let mut at = 0;
        for (part, begin) in self.begins.iter_mut().enumerate() {
            at += pairs[at..].partition_point(|pair| ((pair.a >> self.by) as usize) < part);
            *begin = at as u32;
        }
        self.is_there = true;
    }
}

/// Whether eight pairs are the same: without a branch for each.
#[inline(always)]
fn are_same(some: &[Pair; GROUP], others: &[Pair; GROUP]) -> bool {
    let words = |pairs| bytemuck::cast_ref::<[Pair; GROUP], [u32; 2 * GROUP]>(pairs);
    words(some).iter().zip(words(others)).fold(0, |all, (word, other)| all | word ^ other) == 0
}

/// Boxes of parts, as seven words: step of the slot, sides, region.
pub(super) struct BoxGuess {
    row: [u32; 7],
    center: Vec2,
}

/// The words of a part that are sides of its box.
const SIDES: [u32; GROUP] = [0, u32::MAX, u32::MAX, u32::MAX, u32::MAX, 0, 0, 0];

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

    /// [`Self::row`] in lanes, with a zero behind it.
    #[inline(always)]
    pub(super) fn row_in_lanes<S: Vectors>(&self, simd: S, body: &Body) -> [u32; GROUP] {
        let [step, left, bottom, right, top, x, y] = self.row;
        if !body.moves() {
            return [step, 0, 0, 0, 0, 0, 0, 0];
        }
        let row = [step, left, bottom, right, top, x, y, 0];
        let way = body.center - self.center;
        let by: Eight<S> = Vector::load(simd, &[0.0, way.x, way.y, way.x, way.y, 0.0, 0.0, 0.0]);
        let sides: Eight<S> = numbers_of(simd, &row) + by;
        let sides = Words::of(simd, Eight::<S>::select(sides.eq(sides), sides, Vector::all(simd, 0.0)));
        Words::load(simd, &row).blend(&SIDES, sides).to_array()
    }

    /// The last row, and the centre of its body.
    #[inline(always)]
    pub(super) fn last(&self) -> (&[u32; 7], Vec2) {
        (&self.row, self.center)
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
    period.between(a.center_point(), b.center_point())
}

/// The sums of a step, in words, of normal impulses as forces; 0 for NaN, whose bits depend on the
/// machine.
#[inline(always)]
pub(super) fn sums_of_step<S: Vectors>(simd: S, normals: [&[u32; GROUP]; 2], dt: f32) -> [u32; GROUP] {
    let (first, second) = (numbers_of(simd, normals[0]), numbers_of(simd, normals[1]));
    let sums: Eight<S> = (first + second) * Vector::all(simd, dt);
    let mut array = [0.0; LANES];
    Eight::<S>::select(sums.eq(sums), sums, Vector::all(simd, 0.0)).store(&mut array);
    bytemuck::cast(array)
}

/// The bits of a number; 0 for NaN, whose bits depend on the machine.
#[inline(always)]
fn bits(number: f32) -> u32 {
    if number.is_nan() { 0 } else { number.to_bits() }
}

/// The contacts before a contact; with its bodies, they predict its row.
pub(super) struct ContactGuess<'p> {
    pub(super) walk: PairWalk<'p>,
    pub(super) steps: Steps,
    /// Words of the last contact from which the next is predicted.
    pub(super) last: [u32; CONTACT],
    pub(super) manifolds: LastInDirection,
}

impl<'p> ContactGuess<'p> {
    pub(super) fn new(pairs: &'p [Pair]) -> ContactGuess<'p> {
        let (walk, manifolds) = (PairWalk::new(pairs), LastInDirection::NONE);
        ContactGuess { walk, steps: Steps::START, last: [0; CONTACT], manifolds }
    }

    /// Begins a piece, which knows only the number of the contacts before it.
    #[inline(always)]
    pub(super) fn begin_piece(&mut self) {
        self.walk.begin_piece();
        (self.last, self.manifolds) = ([0; CONTACT], LastInDirection::NONE);
    }
}
