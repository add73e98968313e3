//! Repair of a field after edits.
//!
//! In: a field, and its map, changed since the last update. Out: the same field as a new search
//! would give, up to the same length; found by visiting changed chunks and the cells that depended
//! on them.

use super::{ALL, Flow, Scope, UNKNOWN, all_around};
use crate::field::wave::Entry;
use crate::grid::{Cell, DIRECTIONS, Map};
use crate::length::LIMIT;

impl Flow {
    pub(super) fn repair_edits(&mut self, map: &Map) {
        self.seeds.clear();
        self.cut.clear();
        self.forget_tentative();
        let mut cut = core::mem::take(&mut self.cut);
        self.each_changed(map, |flow, cell| flow.check(map, cell, &mut cut));
        // Checks the neighbours that may have depended on a cell of `cut`; the list grows as it is
        // read.
        let (steps, mut read) = (self.steps, 0);
        while let Some(&(cell, length)) = cut.get(read) {
            read += 1;
            let at = map.cell_at(cell as usize);
            let cost = u32::from(map.cost(at));
            for (d, way) in DIRECTIONS.into_iter().enumerate() {
                if map.contains(at + way) && self.lengths[map.at(at + way)] >= length + steps[d] * cost {
                    self.check(map, at + way, &mut cut);
                }
            }
        }
        for &(cell, _) in &cut {
            self.seed(map, map.cell_at(cell as usize));
        }
        self.cut = cut;
        self.each_changed(map, |flow, cell| flow.seed(map, cell));
        self.seeds.sort_unstable();
        self.refill(map);
        self.open_again(map);
    }

    /// Drops all lengths that are not final. The content of an open list depends on pruning, and
    /// pruning depends on walls far behind the front.
    fn forget_tentative(&mut self) {
        self.open.clear();
        if self.reached != ALL {
            let reached = self.reached;
            self.lengths
                .iter_mut()
                .for_each(|length| *length = if *length < reached { *length } else { UNKNOWN });
        }
    }

    /// Opens the cells beyond `reached` again: offers them the paths through final cells.
    fn open_again(&mut self, map: &Map) {
        if self.reached == ALL {
            return;
        }
        let mut border = core::mem::take(&mut self.bucket);
        border.clear();
        let longest = u32::from(self.scale.diagonal);
        let goes_beyond = |at: usize, length: u32| {
            length < self.reached
                && length + longest * map.costs().get(at).map_or(1, |&cost| u32::from(cost)) >= self.reached
        };
        let lengths = self.lengths.iter().enumerate().filter(|(at, length)| goes_beyond(*at, **length));
        border.extend(lengths.map(|(at, &length)| Entry { length, cell: at as u32 }));
        self.spread(map, &border, Scope::All);
        for &goal in &self.goals {
            // A goal without a length: no bucket was final yet, or the goal was a wall.
            if map.is_free(goal) && self.lengths[map.at(goal)] == UNKNOWN {
                self.lengths[map.at(goal)] = 0;
                self.open.push(Entry { length: 0, cell: map.at(goal) as u32 });
                all_around(&mut self.came, map.at(goal));
            }
        }
        self.bucket = border;
    }

    /// Calls `call` for each cell whose steps may have changed: the cells of changed chunks, and
    /// the cells around them.
    fn each_changed(&mut self, map: &Map, mut call: impl FnMut(&mut Flow, Cell)) {
        let prints = core::mem::take(&mut self.prints);
        let last = Cell::new(map.width() - 1, map.height() - 1);
        map.each_change(&prints, |low, high| {
            let (low, high) = ((low - 1).max(Cell::ZERO), (high + 1).min(last));
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    call(self, Cell::new(x, y));
                }
            }
        });
        self.prints = prints;
    }

    /// Makes a cell unknown, and lists it, if no neighbour supports its length.
    fn check(&mut self, map: &Map, cell: Cell, cut: &mut Vec<(u32, u32)>) {
        let length = self.lengths[map.at(cell)];
        if length != UNKNOWN && self.best(map, cell, length) > length {
            self.lengths[map.at(cell)] = UNKNOWN;
            cut.push((map.at(cell) as u32, length));
        }
    }

    /// Offers a cell the path through its best neighbour, if that is shorter than the cell's
    /// length.
    fn seed(&mut self, map: &Map, cell: Cell) {
        let best = self.best(map, cell, 0);
        let length = &mut self.lengths[map.at(cell)];
        // `open_again` opens cells beyond `reached` at the end.
        if best < *length && best < self.reached {
            *length = best;
            self.seeds.push(Entry { length: best, cell: map.at(cell) as u32 });
        }
    }

    /// The shortest length through a neighbour, or the first length of at most `enough`; unknown
    /// beyond the limit.
    fn best(&self, map: &Map, cell: Cell, enough: u32) -> u32 {
        if !map.is_free(cell) {
            return UNKNOWN;
        }
        let (steps, offsets, at) = (self.steps, self.offsets, map.at(cell) as u32);
        let mut least = UNKNOWN;
        let mut open = map.moves(self.rule, cell);
        while open != 0 && least > enough {
            let d = open.trailing_zeros() as usize;
            open &= open - 1;
            let to = at.wrapping_add(offsets[d]) as usize;
            let length = self.lengths[to];
            if length != UNKNOWN {
                let cost = map.costs().get(to).map_or(1, |&cost| u32::from(cost));
                least = least.min(length + steps[d] * cost);
            }
        }
        match least {
            _ if least > enough && self.ends.binary_search(&at).is_ok() => 0,
            0..=LIMIT => least,
            _ => UNKNOWN,
        }
    }

    /// Extends the search from the seeds, in order of length, until all lengths below `reached` are
    /// final again.
    fn refill(&mut self, map: &Map) {
        let seeds = core::mem::take(&mut self.seeds);
        let mut bucket = core::mem::take(&mut self.bucket);
        let (mut left, mut now) = (&seeds[..], 0);
        loop {
            let seed = left.first().map(|seed| self.repair.bucket(seed.length));
            let wave = self.repair.next(now);
            now = match (seed, wave) {
                (Some(seed), Some(wave)) => seed.min(wave),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => break,
            };
            self.repair.take(now, &mut bucket);
            while let Some(&seed) = left.first().filter(|seed| self.repair.bucket(seed.length) == now) {
                bucket.push(seed);
                left = &left[1..];
            }
            self.spread(map, &bucket, Scope::All);
        }
        (self.seeds, self.bucket) = (seeds, bucket);
    }
}
