//! The schedule of a pass: which blocks follow one another, and which are solved side by side.
//!
//! In: the blocks of each zone, colour by colour, and the number of threads. Out: jobs, one after
//! the other; the parts of a job share no row that is written, and each is for one thread.
//!
//! ```text
//!   by zones     | colours 1 2 3 4 5 6 of zone 1 |     two zones for two threads: one job
//!                | colours 1 2 3 4 5 6 of zone 2 |
//!
//!   shared       | 1 of zone 1 | 2 of zone 1 |   | 4 5 6 of zone 1 |       two zones for four:
//!                | 1 of zone 1 | 2 of zone 1 |   | 4 5 6 of zone 2 |       a job a colour, but for
//!                | 1 of zone 2 | 2 of zone 2 |                             colours of few blocks
//!                | 1 of zone 2 | 2 of zone 2 |
//! ```
//!
//! A pass by zones has a job for all colours, and each thread finds its rows in its cache. Where
//! there are more threads than zones, they share the blocks of each colour: a job more for each,
//! and the same bits, as no row is in two contacts of a colour. That is for heaps whose contacts
//! come in the order of their rows, like a pyramid's: there each thread comes to nearly the same
//! rows in all colours. (In a stirred heap each row went to and fro between caches, and two threads
//! in one zone took 1.25 times as long as one.)

use core::ops::Range;

/// Blocks that may be solved in any order, or one lane after the other.
#[derive(Clone, Debug)]
pub(in crate::solver) struct Phase {
    pub(in crate::solver) single: Range<usize>,
    pub(in crate::solver) double: Range<usize>,
    /// Bodies may come twice: one lane at a time.
    pub(in crate::solver) one_by_one: bool,
    /// Order in a pass: greater than the turn of any earlier phase that shares a body with it.
    pub(in crate::solver) turn: usize,
}

impl Phase {
    fn blocks(&self) -> usize {
        self.single.len() + self.double.len()
    }

    /// Piece `k` of `pieces`.
    fn piece(&self, k: usize, pieces: usize) -> Phase {
        let cut = |range: &Range<usize>| {
            let at = |k: usize| range.start + range.len() * k / pieces;
            at(k)..at(k + 1)
        };
        Phase { single: cut(&self.single), double: cut(&self.double), ..*self }
    }
}

/// Phases that one thread goes through.
#[derive(Clone, Debug)]
pub(in crate::solver) struct Part {
    pub(in crate::solver) phases: Range<usize>,
    /// All blocks of those phases, of one point and of two.
    pub(in crate::solver) blocks: [Range<usize>; 2],
}

/// The stages of a pass: contacts within zones, across zones, within zones with immovable bodies,
/// and contacts without a colour.
pub(in crate::solver) const STAGES: usize = 4;

/// The stage of contacts with immovable bodies, and that of contacts without a colour.
pub(in crate::solver) const OUTER: usize = 2;
pub(in crate::solver) const REST: usize = 3;

/// How many blocks are solved in the time that a post takes, for each doubling of the threads: a
/// post takes 0.4 µs, and a block 0.06 in one pass.
const POST_BLOCKS: usize = 7;

/// The phases of a pass, and its jobs.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct Schedule {
    /// Phases of zones, and behind them pieces of such phases.
    pub(in crate::solver) phases: Vec<Phase>,
    /// Jobs by zones: a stage each. With a single zone one part has all of that.
    pub(in crate::solver) stages: [Vec<Part>; STAGES],
    /// Parts of the jobs by which threads share colours too, job by job, and where each job ends.
    parts: Vec<Part>,
    ends: Vec<usize>,
    /// Phases of zones.
    whole: usize,
    /// The number of threads that these jobs are for; 0 while there are none.
    threads: usize,
}

impl Schedule {
    pub(in crate::solver) fn clear(&mut self) {
        self.phases.clear();
        self.stages.iter_mut().for_each(Vec::clear);
        self.threads = 0;
    }

    /// All phases so far are one part: one thread goes through all of it.
    pub(in crate::solver) fn join(&mut self, blocks: [Range<usize>; 2]) {
        self.stages.iter_mut().for_each(Vec::clear);
        self.stages[0].push(Part { phases: 0..self.phases.len(), blocks });
    }

    /// The jobs of a pass that has much to do for every block.
    pub(in crate::solver) fn jobs(&self) -> impl Iterator<Item = &[Part]> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.parts[start..end])
    }

    /// Makes the jobs for so many threads, unless that is done. `is_in_order` says whether
    /// contacts come in the order of their rows.
    pub(in crate::solver) fn deal(&mut self, threads: usize, is_in_order: impl FnOnce(&[Phase]) -> bool) {
        if self.threads == threads {
            return;
        }
        if self.threads != 0 {
            self.phases.truncate(self.whole);
        }
        (self.threads, self.whole) = (threads, self.phases.len());
        self.parts.clear();
        self.ends.clear();
        let zones = self.stages[0].len();
        let shares = 1 < zones && zones < threads && is_in_order(&self.phases);
        for stage in 0..STAGES {
            if shares && stage != REST {
                self.share(stage);
            } else {
                self.parts.extend_from_slice(&self.stages[stage]);
                self.end_job();
            }
        }
    }

    /// Makes the jobs of a stage: one job for each colour with many blocks, and one job for the
    /// small colours between two large ones.
    fn share(&mut self, stage: usize) {
        let zones = self.stages[stage].len();
        let turn_of = |part: &Part, last: bool| {
            let phases = &self.phases[part.phases.clone()];
            if last { phases.last() } else { phases.first() }.map(|phase| phase.turn)
        };
        let first = self.stages[stage].iter().filter_map(|part| turn_of(part, false)).min();
        let last = self.stages[stage].iter().filter_map(|part| turn_of(part, true)).max();
        let (Some(first), Some(last)) = (first, last) else { return };
        let pieces = self.threads / common_divisor(self.threads, zones);
        let mut since = first;
        for turn in first..=last {
            if self.gains(stage, turn, pieces) {
                self.add_zones(stage, since..turn);
                self.add_pieces(stage, turn, pieces);
                since = turn + 1;
            }
        }
        self.add_zones(stage, since..last + 1);
    }

    /// Whether a colour is solved sooner in pieces, and by a post of its own.
    fn gains(&self, stage: usize, turn: usize, pieces: usize) -> bool {
        let zones = &self.stages[stage];
        let blocks = |zone: &Part| self.phase_of(zone, turn).map_or(0, |at| self.phases[at].blocks());
        let most = zones.iter().map(blocks).max().unwrap_or(0);
        let rounds = (zones.len() * pieces).div_ceil(self.threads);
        let post = POST_BLOCKS * self.threads.next_power_of_two().ilog2() as usize;
        rounds * most.div_ceil(pieces) + post < most
    }

    fn phase_of(&self, zone: &Part, turn: usize) -> Option<usize> {
        zone.phases.clone().find(|&at| self.phases[at].turn == turn)
    }

    /// A job of zones, each with its colours of some turns.
    fn add_zones(&mut self, stage: usize, turns: Range<usize>) {
        for zone in &self.stages[stage] {
            let of_turns = |&at: &usize| turns.contains(&self.phases[at].turn);
            let mut phases = zone.phases.clone().filter(of_turns);
            let Some(first) = phases.next() else { continue };
            let (last, phases) = (phases.next_back().unwrap_or(first), &self.phases);
            let (from, to) = (&phases[first], &phases[last]);
            let blocks = [from.single.start..to.single.end, from.double.start..to.double.end];
            self.parts.push(Part { phases: first..last + 1, blocks });
        }
        self.end_job();
    }

    /// A job of one colour, with the blocks of each zone in pieces.
    fn add_pieces(&mut self, stage: usize, turn: usize, pieces: usize) {
        for zone in 0..self.stages[stage].len() {
            let Some(at) = self.phase_of(&self.stages[stage][zone], turn) else { continue };
            for k in 0..pieces {
                let piece = self.phases[at].piece(k, pieces);
                let (here, blocks) = (self.phases.len(), [piece.single.clone(), piece.double.clone()]);
                self.phases.push(piece);
                self.parts.push(Part { phases: here..here + 1, blocks });
            }
        }
        self.end_job();
    }

    fn end_job(&mut self) {
        if self.parts.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.parts.len());
        }
    }
}

fn common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Colours of each zone: how many blocks of one point and of two.
    fn schedule(stages: [&[&[[usize; 2]]]; STAGES]) -> Schedule {
        let mut schedule = Schedule::default();
        let (mut ends, mut turn) = ([0; 2], 0);
        for (stage, zones) in stages.into_iter().enumerate() {
            for &zone in zones {
                let (first, starts) = (schedule.phases.len(), ends);
                for (k, counts) in zone.iter().enumerate() {
                    let [single, double] = [0, 1].map(|kind| ends[kind]..ends[kind] + counts[kind]);
                    ends = [single.end, double.end];
                    if *counts != [0; 2] {
                        let phase = Phase { single, double, one_by_one: stage == REST, turn: turn + k };
                        schedule.phases.push(phase);
                    }
                }
                let blocks = [starts[0]..ends[0], starts[1]..ends[1]];
                schedule.stages[stage].push(Part { phases: first..schedule.phases.len(), blocks });
            }
            turn += zones.iter().map(|zone| zone.len()).max().unwrap_or(0);
        }
        schedule
    }

    /// Two zones of three large colours and two small ones, one of them without the first colour;
    /// contacts across; the ground of one; and a rest.
    fn pyramid() -> Schedule {
        schedule([
            &[
                &[[0, 300], [4, 280], [9, 7], [3, 2], [100, 90]],
                &[[0, 0], [11, 301], [9, 7], [1, 0], [99, 99]],
            ],
            &[&[[2, 9], [1, 8]]],
            &[&[[0, 14]]],
            &[&[[5, 0]]],
        ])
    }

    /// For each block of both kinds, the job and the part that have it, and the turn.
    fn places(schedule: &Schedule) -> [Vec<(usize, usize, usize)>; 2] {
        let total = |kind: usize| {
            let parts = schedule.stages.iter().flatten();
            parts.map(|part| part.blocks[kind].end).max().unwrap_or(0)
        };
        let mut places = [vec![None; total(0)], vec![None; total(1)]];
        for (job, parts) in schedule.jobs().enumerate() {
            for (k, part) in parts.iter().enumerate() {
                let mut ends = [part.blocks[0].start, part.blocks[1].start];
                for phase in &schedule.phases[part.phases.clone()] {
                    for (kind, range) in [&phase.single, &phase.double].into_iter().enumerate() {
                        assert_eq!(range.start, ends[kind], "a part has its blocks one after the other");
                        ends[kind] = range.end;
                        for at in range.clone() {
                            assert_eq!(places[kind][at].replace((job, k, phase.turn)), None, "twice");
                        }
                    }
                }
                assert_eq!(ends, [part.blocks[0].end, part.blocks[1].end]);
            }
        }
        places.map(|places| places.into_iter().map(|place| place.expect("no block is left out")).collect())
    }

    #[test]
    fn threads_share_what_zones_do_not_give_them() {
        let mut schedule = pyramid();
        let jobs = |schedule: &Schedule| -> Vec<usize> { schedule.jobs().map(<[Part]>::len).collect() };
        for threads in [1, 2] {
            schedule.deal(threads, |_| true);
            assert_eq!(jobs(&schedule), [2, 1, 1, 1], "a stage each");
        }
        // Colours 1, 2 and 5 in four pieces a zone; 3 and 4 by zones.
        schedule.deal(8, |_| true);
        assert_eq!(jobs(&schedule), [4, 8, 2, 8, 1, 1, 1]);
        // Three pieces of each zone, two for each thread.
        schedule.deal(3, |_| true);
        assert_eq!(jobs(&schedule), [3, 6, 2, 6, 1, 1, 1]);
        schedule.deal(4, |phases| {
            assert_eq!(phases.len(), 13, "those of zones, and no piece of the last deal");
            false
        });
        assert_eq!(jobs(&schedule), [2, 1, 1, 1], "not where rows would go to and fro");
        schedule.deal(4, |_| true);
        assert_eq!(jobs(&schedule), [2, 1, 1, 1], "that was asked once");
    }

    #[test]
    fn a_pass_has_every_block_once_and_in_its_turn() {
        for threads in 1..=64 {
            let mut schedule = pyramid();
            schedule.deal(threads, |_| true);
            let [single, double] = places(&schedule);
            let turns = |job: usize| {
                let all = single.iter().chain(&double);
                all.filter(move |place| place.0 == job).map(|place| place.2)
            };
            for job in 1..schedule.jobs().count() {
                assert!(turns(job - 1).max() < turns(job).min(), "{threads} threads");
            }
        }
    }
}
