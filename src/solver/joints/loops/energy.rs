//! Energy clamp: loops of joints that iteration has not closed may not gain energy.
//!
//! In: blocks with up-to-date Jacobians, velocities before and after the joint pass. Out:
//! velocities.
//!
//! A few iterations hold a loop together as long as its gaps are small. A loop that is torn open or
//! jammed, by limits that contradict each other, by anchors metres apart, or by too large mass
//! ratios, is pushed to and fro by contradicting joints, and bodies have turned between one impulse
//! along its axes and the next. The same happens where a body has been given extra inertia
//! (geometric stiffness, see `jacobian.rs`). Energy gained by that is taken away again: all bodies
//! of the part are slowed down by the same share, relative to the ground that it hangs on, or to
//! their common centre where it hangs on nothing. Parts without drives are always watched: a large
//! net with little enough compliance to swing would wind itself up within seconds. So are pulleys
//! whose ends hang on nothing else. (The end of a pulley that comes to its wheel passes it within a
//! sub-step, and is drawn back from the other side: the speeds that pulled the excess length in
//! stayed, and lifted the other end. 11 of 30 random pulleys gained more than 1 % of the energy in
//! motion, the worst 32 %.) Gears are not: they share their bodies with trees, and slowed down
//! after both, 1 of 30 pairs of geared hinges rose by 13 % where it rises by less than 3 % without.
//!
//! Without it these fail: `the_net_of_joint_grid_swings_on` and three more of nets in
//! `tests/physics/loops.rs`.

use core::ops::Range;

use crate::ablate::Rule;
use crate::math::{max, min};
use crate::simd::LANES;
use crate::solver::Columns;
use crate::solver::joints::block::JointBlock;
use crate::solver::joints::couplings::Coupled;
use crate::solver::joints::pass::Half;
use crate::tuning::JointTuning;
use crate::util::UnionFind;

/// A connected part: bodies joined by joints, some of them iterated.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// The row of the body it hangs on, which impulses do not move.
    ground: Option<u32>,
    is_watched: bool,
    /// Whether some of its bodies have contacts in this step, and in the step before.
    has_contacts: bool,
    is_met: bool,
    was_met: bool,
    /// Some joint holds or limits something.
    holds: bool,
    /// Without drives: any energy that its joints add is an error.
    is_passive: bool,
    /// Some of its joints are solved in trees or are couplings. It always counts as met.
    is_mixed: bool,
    /// The velocity of its ground, or of its common centre.
    seen_from: [f32; 4],
    /// Energy that its joints added, less the energy taken away again.
    gain: f32,
    energy: f32,
    momentum: [f32; 4],
    mass: [f32; 4],
}

/// Rows up to the last one of a list.
fn count_of(rows: &[u32]) -> usize {
    rows.last().map_or(1, |&row| row as usize + 1)
}

/// The rows of both bodies of each lane.
fn rows_of(block: &JointBlock) -> impl Iterator<Item = u32> {
    block.row_a.into_iter().chain(block.row_b)
}

/// Groups of bodies that impulses move and that joints connect (union-find).
fn connected(
    rows: &[u32],
    moves: impl Fn(u32) -> bool,
    (iterated, trees): (&[JointBlock], &[&JointBlock]),
    coupled: &[Coupled],
) -> UnionFind {
    let mut groups = UnionFind::new(count_of(rows));
    let mut join = |a: u32, b: u32| {
        if moves(a) && moves(b) {
            groups.join(a, b);
        }
    };
    let ends = coupled.iter().flat_map(|coupled| &coupled.ends);
    for block in iterated.iter().chain(trees.iter().copied()).chain(ends) {
        (0..LANES).for_each(|lane| join(block.row_a[lane], block.row_b[lane]));
    }
    for [first, second] in coupled.iter().map(|coupled| &coupled.ends) {
        (0..LANES).for_each(|lane| join(first.row_b[lane], second.row_b[lane]));
    }
    groups
}

/// The parts that are watched.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedLoops {
    /// The bodies that joints push, in runs of one part each; parts that are solved directly have
    /// no run. Runs of parts that contacts may push come first.
    runs: Vec<(usize, Range<usize>)>,
    met_runs: usize,
    /// The part of each solver row, [`NO_PART`] for a part that is solved directly.
    by_row: Vec<u32>,
    /// Masses along x and y and inertias of the bodies that joints push; 0 where impulses do not
    /// move the body.
    weights: Vec<[f32; 4]>,
    parts: Vec<Part>,
    any_watched: bool,
}

const NO_PART: u32 = u32::MAX;

impl WatchedLoops {
    /// Finds the parts of the bodies in `rows`; `moves` says which of them impulses move. Takes the
    /// iterated blocks, and the blocks of trees that share bodies with them.
    pub(crate) fn new(
        (rows, moves): (&[u32], &[bool]),
        (iterated, trees): (&[JointBlock], &[&JointBlock]),
        coupled: &[Coupled],
    ) -> WatchedLoops {
        if iterated.is_empty() && coupled.is_empty() {
            return WatchedLoops::default();
        }
        let moves = |row: u32| moves[row as usize];
        let mut loops = WatchedLoops::default();
        let ends = || coupled.iter().flat_map(|coupled| &coupled.ends);
        let groups = connected(rows, moves, (iterated, trees), coupled);
        loops.make_parts(rows, moves, iterated.iter().chain(ends()), groups);
        for block in trees {
            loops.note_mixed(block, false);
        }
        for block in ends() {
            loops.note_mixed(block, true);
        }
        for block in iterated {
            loops.note_iterated(block);
        }
        for block in iterated.iter().chain(trees.iter().copied()).chain(ends()) {
            loops.note_ground(block, moves);
        }
        loops
    }

    /// Makes a part for each group that has an iterated joint or a coupling, which `blocks` holds.
    fn make_parts<'b>(
        &mut self,
        rows: &[u32],
        moves: impl Fn(u32) -> bool,
        blocks: impl Iterator<Item = &'b JointBlock>,
        mut groups: UnionFind,
    ) {
        let count = count_of(rows);
        let mut of_roots = vec![NO_PART; count];
        for row in blocks.flat_map(rows_of).filter(|&row| moves(row)) {
            let part = &mut of_roots[groups.root(row) as usize];
            if *part == NO_PART {
                *part = self.parts.len() as u32;
                self.parts.push(Part { is_met: true, is_passive: true, ..Part::default() });
            }
        }
        self.by_row = vec![NO_PART; count];
        for &row in rows.iter().filter(|&&row| moves(row)) {
            self.by_row[row as usize] = of_roots[groups.root(row) as usize];
        }
    }

    /// Notes that a block of a tree or of couplings acts on its parts.
    fn note_mixed(&mut self, block: &JointBlock, is_passive: bool) {
        for row in rows_of(block) {
            if let Some(part) = self.part(row) {
                self.parts[part].is_mixed = true;
                self.parts[part].is_passive &= is_passive;
            }
        }
    }

    /// Notes the drives and the firm joints of an iterated block.
    fn note_iterated(&mut self, block: &JointBlock) {
        for row in rows_of(block) {
            if let Some(part) = self.part(row) {
                self.parts[part].is_passive &= !block.form.is_driven();
                self.parts[part].holds |= block.form.is_firm();
            }
        }
    }

    /// Notes the grounds on which the parts of a block hang.
    fn note_ground(&mut self, block: &JointBlock, moves: impl Fn(u32) -> bool) {
        for lane in 0..LANES {
            for (row, other) in
                [(block.row_a[lane], block.row_b[lane]), (block.row_b[lane], block.row_a[lane])]
            {
                if let (Some(part), false) = (self.part(row), moves(other)) {
                    self.parts[part].ground.get_or_insert(other);
                    // A kinematic ground may do work.
                    self.parts[part].is_passive &= other == 0;
                }
            }
        }
    }

    /// Whether there are no parts.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Notes which bodies have contacts in this step. Returns whether any part changed between met
    /// and not met.
    pub(super) fn meet(&mut self, rows: &[u32], has_contacts: impl Fn(u32) -> bool) -> bool {
        for part in &mut self.parts {
            part.was_met = core::mem::replace(&mut part.is_met, part.is_mixed);
            part.has_contacts = false;
        }
        for &row in rows {
            if let Some(part) = self.part(row)
                && !self.parts[part].has_contacts
            {
                self.parts[part].has_contacts = has_contacts(row);
                self.parts[part].is_met |= self.parts[part].has_contacts;
            }
        }
        self.parts.iter().any(|part| part.is_met != part.was_met)
    }

    /// Whether contacts may push the part of either row; rows in no part count as pushed.
    pub(super) fn is_met(&self, row: u32, other: u32) -> bool {
        self.part(row).or(self.part(other)).is_none_or(|part| self.parts[part].is_met)
    }

    /// Whether the part of either row hangs by itself: no contact may push it, and nothing drives
    /// it, so that its energy is watched.
    pub(super) fn hangs(&self, row: u32, other: u32) -> bool {
        let part = self.part(row).or(self.part(other)).map(|part| &self.parts[part]);
        part.is_some_and(|part| part.is_passive && !part.is_met)
    }

    /// Lists the bodies that joints push, in the order of `rows`. Contacts may push the first `met`
    /// rows.
    pub(crate) fn list(&mut self, rows: &[u32], met: usize) {
        let (mut runs, mut first) = (core::mem::take(&mut self.runs), 0);
        runs.clear();
        for run in rows.chunk_by(|&a, &b| self.part(a) == self.part(b)) {
            if let Some(part) = self.part(run[0]) {
                runs.push((part, first..first + run.len()));
            }
            first += run.len();
        }
        self.met_runs = runs.partition_point(|(_, run)| run.start < met);
        self.runs = runs;
    }

    /// The rows of parts with locked or limited axes and with contacts.
    pub(crate) fn touched<'l>(&'l self, rows: &'l [u32]) -> impl Iterator<Item = u32> + 'l {
        let is_touched = |row: u32| {
            self.part(row).is_some_and(|part| self.parts[part].has_contacts && self.parts[part].holds)
        };
        rows.iter().copied().filter(move |&row| is_touched(row))
    }

    fn part(&self, row: u32) -> Option<usize> {
        let part = *self.by_row.get(row as usize)?;
        (row != 0 && part != NO_PART).then_some(part as usize)
    }

    /// Whether any loop is open.
    pub(crate) fn any_watched(&self) -> bool {
        self.any_watched
    }

    /// Begins a step. Energy that joints took in the step before is not given back: nothing but the
    /// state of joints goes from step to step.
    pub(crate) fn begin(&mut self, rows: &[u32], mass: &[[f32; 4]]) {
        self.parts.iter_mut().for_each(|part| part.gain = 0.0);
        self.weights.clear();
        if !self.parts.is_empty() {
            let weight = |inverse: f32| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
            self.weights.extend(rows.iter().map(|&row| {
                let [x, y, spin, _] = mass[row as usize];
                [weight(x), weight(y), weight(spin), 0.0]
            }));
        }
    }

    /// Forgets open loops, before Jacobians are updated.
    pub(crate) fn close(&mut self) {
        self.any_watched = false;
        for part in &mut self.parts {
            part.is_watched = part.is_passive;
            self.any_watched |= part.is_passive;
        }
    }

    /// Watches the part of a body with extra inertia: such impulses may add energy.
    pub(super) fn watch(&mut self, row: u32) {
        if let Some(part) = self.part(row) {
            self.parts[part].is_watched = true;
            self.any_watched = true;
        }
    }

    /// Notes which joints of an iterated block have open gaps.
    pub(super) fn note_gaps(&mut self, block: &JointBlock, open: &[f32; 3]) {
        for number in (0..3).filter(|&number| block.form.holds(number)) {
            for lane in 0..LANES {
                let off = (block.now.value[number][lane] - block.seat.goal[number][lane]).abs();
                let part = self.part(block.row_a[lane]).or(self.part(block.row_b[lane]));
                if let (true, Some(part)) = (off > open[number], part) {
                    self.parts[part].is_watched = true;
                    self.any_watched = true;
                }
            }
        }
    }

    /// Adds the change of energy by a pass to all watched parts, or to the met ones only. Takes the
    /// velocities before and after, and the half.
    ///
    /// When joints are solved before the bodies move, half of gravity's change is applied (`lag` is
    /// left out). Counting kinetic and potential energy, an impulse adds as much as it would have
    /// before gravity was applied. (Without this a net that hangs still had m (g h)² / 4 to give
    /// away in each sub-step, and wound itself up.)
    pub(crate) fn note_work(
        &mut self,
        (rows, all, half): (&[u32], bool, Half),
        columns: &Columns,
        before: &[[f32; 4]],
    ) {
        self.parts.iter_mut().for_each(|part| part.look_from(columns));
        for (part, run) in &self.runs[..if all { self.runs.len() } else { self.met_runs }] {
            let part = &mut self.parts[*part];
            if part.is_watched {
                let bodies =
                    rows[run.clone()].iter().zip(&self.weights[run.clone()]).zip(&before[run.clone()]);
                let (mut work, ground) = ([0.0; 4], part.seen_from);
                for ((&row, weight), before) in bodies {
                    let v = columns.velocity[row as usize];
                    let kick = if half == Half::Before { columns.lag[row as usize] } else { [0.0; 4] };
                    for k in 0..4 {
                        let mean = 0.5 * (v[k] + before[k]) - kick[k];
                        work[k] += weight[k] * (v[k] - before[k]) * (mean - ground[k]);
                    }
                }
                part.gain += work[0] + work[1] + work[2];
            }
        }
    }

    /// Slows down the watched parts that gained energy.
    pub(crate) fn keep_energy(&mut self, rows: &[u32], columns: &mut Columns) {
        for part in &mut self.parts {
            part.look_from(columns);
            (part.energy, part.momentum, part.mass) = (0.0, [0.0; 4], [0.0; 4]);
        }
        for (part, run) in &self.runs {
            let part = &mut self.parts[*part];
            if part.is_watched {
                part.sum_up((&rows[run.clone()], &self.weights[run.clone()]), columns);
            }
        }
        for (part, run) in &self.runs {
            let part = &self.parts[*part];
            let (common, share) = part.slowed();
            if part.is_watched && share < 1.0 {
                for (&row, weight) in rows[run.clone()].iter().zip(&self.weights[run.clone()]) {
                    let v = &mut columns.velocity[row as usize];
                    for k in (0..3).filter(|&k| weight[k] > 0.0) {
                        v[k] = common[k] + (v[k] - common[k]) * share;
                    }
                }
            }
        }
        for part in &mut self.parts {
            part.gain = if part.is_watched {
                min(max(part.gain, -(JointTuning::CREDIT as f32) * part.energy), 0.0)
            } else {
                0.0
            };
        }
    }
}

impl Part {
    /// Takes velocities relative to the ground that the part hangs on.
    fn look_from(&mut self, columns: &Columns) {
        let [x, y, ..] = columns.velocity[self.ground.unwrap_or(0) as usize];
        self.seen_from = [x, y, 0.0, 0.0];
    }

    /// Adds energy, momentum and mass of a run of its bodies.
    fn sum_up(&mut self, (rows, weights): (&[u32], &[[f32; 4]]), columns: &Columns) {
        let (mut twice, ground) = ([0.0; 4], self.seen_from);
        for (&row, weight) in rows.iter().zip(weights) {
            let v = columns.velocity[row as usize];
            for k in 0..4 {
                twice[k] += weight[k] * (v[k] - ground[k]) * (v[k] - ground[k]);
                self.momentum[k] += weight[k] * v[k];
                self.mass[k] += weight[k];
            }
        }
        self.energy += 0.5 * (twice[0] + twice[1] + twice[2]);
    }

    /// The reference velocity of the part, and the share of the relative velocities that is left.
    fn slowed(&self) -> ([f32; 4], f32) {
        let (mut common, mut inner) = (self.seen_from, self.energy);
        if self.ground.is_none() {
            for k in (0..2).filter(|&k| self.mass[k] > 0.0) {
                common[k] = self.momentum[k] / self.mass[k];
                inner -= 0.5 * common[k] * self.momentum[k];
            }
        }
        if !Rule::NetEnergy.acts(self.gain > 0.0 && inner > 0.0) {
            return (common, 1.0);
        }
        (common, (max(inner - self.gain, 0.0) / inner).sqrt())
    }
}
