//! Which boxes may meet, directly or through others that strike each other.
//!
//! In: boxes that hold something for [`AHEAD`] ticks as fast as it is now, and its speed. Out:
//! groups of boxes that may meet, and boxes that hold their content although it may be struck by
//! others of the group: it is as fast as twice the fastest then, as a ball that something heavy
//! strikes.

use carom::broadphase::{Activity, Grid, WorldAabb};

use crate::{AHEAD, DT};

/// The greater of two numbers, with the same bits on every processor for zeros of both signs.
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Groups of numbers; the root of a group is its least member.
pub(crate) struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        Groups { parents: (0..count).collect() }
    }

    pub(crate) fn root(&self, mut of: usize) -> usize {
        while self.parents[of] != of {
            of = self.parents[of];
        }
        of
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high] = low;
        // Shorter ways for the next question.
        for start in [low, high] {
            let mut of = start;
            while self.parents[of] != of {
                of = core::mem::replace(&mut self.parents[of], low);
            }
        }
    }
}

/// A box, its owner among `count` things, and the speed of its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) of: usize,
    pub(crate) bounds: WorldAabb,
    pub(crate) speed: f32,
}

/// Groups `count` things by their boxes, which grow as the head of this file says.
pub(crate) fn meet(count: usize, reaches: &mut [Reach]) -> Groups {
    let before: Vec<WorldAabb> = reaches.iter().map(|reach| reach.bounds).collect();
    let mut groups = joined(count, reaches);
    loop {
        let mut fastest = vec![0.0_f32; count];
        let mut struck = vec![false; count];
        for reach in &*reaches {
            let root = groups.root(reach.of);
            fastest[root] = max(fastest[root], reach.speed);
            struck[root] |= reach.of != root;
        }
        for (reach, before) in reaches.iter_mut().zip(&before) {
            let root = groups.root(reach.of);
            let more = if struck[root] { 2.0 * fastest[root] - reach.speed } else { 0.0 };
            reach.bounds.aabb = before.aabb.grown(max(more, 0.0) * AHEAD as f32 * DT);
        }
        let again = joined(count, reaches);
        if (0..count).all(|of| again.root(of) == groups.root(of)) {
            return again;
        }
        groups = again;
    }
}

fn joined(count: usize, reaches: &[Reach]) -> Groups {
    let (mut grid, mut groups) = (Grid::new(), Groups::new(count));
    reaches.iter().zip(0..).for_each(|(reach, id)| grid.insert(id, reach.bounds, Activity::Active));
    grid.find_pairs();
    for pair in grid.pairs() {
        groups.join(reaches[pair.a as usize].of, reaches[pair.b as usize].of);
    }
    groups
}
