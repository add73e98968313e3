//! Walks of several queries at a time (wavefront traversal), for batches of queries.
//!
//! In: walks, each looking for its next entry. Out: the entries. Called by `Grid` for batches.
//!
//! ```text
//!   first      fall    each new walk goes down by a fan, until all are at entries
//!   a round    pick    each walk takes its most promising lane; its fan begins to be fetched
//!              open    each fan is asked, and its lanes wait as keys
//!   until      half of the walks have come to an entry, or to their end
//! ```
//!
//! A walk alone is one chain: the next fan is known only after the last one was tested, and each
//! step waits for memory and for its branches. Eight chains do not wait for one another: their
//! loads are in flight together, and a round branches once for all of them. Each walk takes the
//! same steps as it does alone, so answers are equal.

use super::best_first::{Pick, TREES, Walk};
use super::fan::{Fans, Question, Sieve};
use crate::simd::{Level, Widths, dispatch, inlined};

/// The number of walks at a time.
pub(crate) const FLIGHT: usize = 8;

/// A set of walks, a bit each.
type Seats = u32;

pub(super) struct Flight<'t, Q> {
    trees: [Option<&'t Fans>; TREES],
    walks: [Walk<'t, Q>; FLIGHT],
    /// The bound of each walk: entries with a greater promise are skipped.
    pub(super) bounds: [f32; FLIGHT],
    picks: [Pick; FLIGHT],
    /// Walks that are not yet at the roots.
    fresh: Seats,
    /// Walks on their way to an entry.
    going: Seats,
}

impl<'t, Q: Question> Flight<'t, Q> {
    /// Makes walks through the same trees, at most [`TREES`].
    pub(super) fn new(question: Q, trees: impl Iterator<Item = &'t Fans>) -> Flight<'t, Q> {
        let mut trees = trees.filter(|tree| tree.root().is_some());
        Flight {
            trees: core::array::from_fn(|_| trees.next()),
            walks: core::array::from_fn(|_| Walk::new(question)),
            bounds: [0.0; FLIGHT],
            picks: [Pick::NONE; FLIGHT],
            fresh: 0,
            going: 0,
        }
    }

    /// Begins a walk for a query with its first bound.
    #[inline]
    pub(super) fn begin(&mut self, seat: usize, (question, bound): (Q, f32)) {
        self.walks[seat].restart(question, &self.trees);
        self.bounds[seat] = bound;
        self.fresh |= 1 << seat;
        self.going |= 1 << seat;
    }

    /// Continues a walk that had come to an entry, within its bound.
    pub(super) fn resume(&mut self, seat: usize) {
        self.going |= 1 << seat;
    }

    /// Whether a walk is under way: it has come neither to an entry nor to its end.
    pub(super) fn is_going(&self, seat: usize) -> bool {
        self.going >> seat & 1 != 0
    }

    /// Returns the entry that a walk has come to; `None` at its end.
    pub(super) fn entry(&self, seat: usize) -> Option<u32> {
        let pick = self.picks[seat];
        if pick.is_over { None } else { self.walks[seat].id_of(pick) }
    }

    /// Walks on until half of the walks have stopped. If one is under way, at least one stops.
    pub(super) fn advance(&mut self, level: Level) {
        dispatch!(level, lanes => self.rounds(lanes));
    }

    #[inline(always)]
    fn rounds(&mut self, lanes: impl Widths) {
        let mut falling = core::mem::take(&mut self.fresh);
        while falling != 0 {
            for seat in seats(falling) {
                let walk = &mut self.walks[seat];
                let goes_on = walk.fall(lanes, self.bounds[seat]);
                walk.fetch_next();
                falling &= !(Seats::from(!goes_on) << seat);
            }
        }
        let all = self.going;
        while self.going != 0 && (self.going == all || self.going.count_ones() as usize > FLIGHT / 2) {
            let mut opening = 0;
            for seat in seats(self.going) {
                let walk = &mut self.walks[seat];
                let pick = walk.pick(lanes, self.bounds[seat]);
                walk.fetch(pick);
                self.picks[seat] = pick;
                opening |= Seats::from(!pick.is_over & !pick.is_entry()) << seat;
            }
            for seat in seats(opening) {
                self.walks[seat].open(lanes, self.picks[seat], self.bounds[seat]);
            }
            self.going = opening;
        }
    }
}

/// Runs sieves until each is done or has filled its room for found ids.
pub(super) fn sift<'t, Q: Question, T: Iterator<Item = &'t Fans>>(
    sieves: &mut [Sieve<'t, Q, T>],
    level: Level,
) {
    dispatch!(level, lanes => {
        let mut going: Seats = (1 << sieves.len()) - 1;
        while going != 0 {
            for seat in seats(going) {
                let goes_on = sieves[seat].pick();
                sieves[seat].fetch();
                going &= !(Seats::from(!goes_on) << seat);
            }
            for seat in seats(going) {
                sieves[seat].open(lanes);
            }
        }
    });
}

/// Returns the seats of a set in ascending order.
#[inline(always)]
fn seats(mut set: Seats) -> impl Iterator<Item = usize> {
    core::iter::from_fn(inlined(
        #[inline(always)]
        move || {
            let seat = (set != 0).then_some(set.trailing_zeros() as usize % FLIGHT);
            set &= set.wrapping_sub(1);
            seat
        },
    ))
}
