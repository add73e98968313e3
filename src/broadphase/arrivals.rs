//! Many boxes that come in at once, as a piece of a world does.
//!
//! In: how many will come; and another grid in which the same boxes stand under other names. Out:
//! memory for them; and the trees of resting boxes of that grid, taken over as they are. To put
//! 5,000 boxes into the order of a tree takes longer than all else that a piece needs, and can be
//! done before, on any thread: [`Grid::refresh`] of the other grid.

use super::Grid;
use super::forest::Boxes;

impl Grid {
    /// Makes room for `count` boxes under ids below `ids`.
    pub(crate) fn reserve(&mut self, count: usize, ids: usize) {
        self.proxies.reserve(ids.saturating_sub(self.proxies.len()));
        self.homes.reserve(ids.saturating_sub(self.homes.len()));
        self.changes.resets.reserve(count);
        self.resting_forest.reserve(count);
    }

    /// Takes resting boxes that have just come in into trees as those in which they stand in
    /// another grid, where id k is `names[k]` of here.
    pub(crate) fn plant_like(&mut self, other: &Grid, names: &[u32]) {
        let boxes = Boxes { proxies: &self.proxies, before: None };
        self.resting_forest.plant_like((&other.resting_forest, names), boxes, &mut self.homes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::broadphase::{Activity, WorldAabb};
    use glam::vec2;

    fn at(id: u32, shift: f32) -> WorldAabb {
        let min = vec2((id % 40) as f32 * 1.5 + shift, (id / 40) as f32 * 1.5);
        Aabb { min, max: min + 1.0 }.into()
    }

    fn found(grid: &Grid, aabb: &WorldAabb) -> Vec<u32> {
        let mut ids = Vec::new();
        grid.query(aabb, |id| {
            ids.push(id);
            true
        });
        ids.sort_unstable();
        ids
    }

    /// Pieces come and go, with some boxes that are no part of any: what is asked is answered as by
    /// a grid that sorted everything itself, and trees of pieces that are gone are gone too.
    #[test]
    fn trees_of_another_grid_answer_as_own_ones() {
        let mut piece = Grid::new();
        for id in 0..900 {
            let activity = if id % 50 == 7 { Activity::Active } else { Activity::Resting };
            piece.insert(id, at(id, 0.0), activity);
        }
        (0..900).step_by(13).for_each(|id| _ = piece.remove(id));
        piece.refresh();
        let (mut grid, mut own) = (Grid::new(), Grid::new());
        for round in 0..40_u32 {
            let (first, shift) = (2_000 * (round % 3), 70.0 * (round % 3) as f32);
            let mut names = vec![u32::MAX; 900];
            for id in (0..900).filter(|&id| id % 13 != 0) {
                let name = first + 1_800 - 2 * id;
                names[id as usize] = name;
                let activity = if id % 50 == 7 { Activity::Active } else { Activity::Resting };
                for grid in [&mut grid, &mut own] {
                    grid.insert(name, at(id, shift), activity);
                }
            }
            for grid in [&mut grid, &mut own] {
                grid.insert(first + 1, at(3, shift), Activity::Active);
            }
            grid.plant_like(&piece, &names);
            assert!(grid.resting_forest.loose_count() < 100, "boxes at rest are in trees at once");
            for grid in [&mut grid, &mut own] {
                grid.find_pairs();
            }
            assert_eq!(grid.pairs(), own.pairs());
            assert!(!grid.pairs().is_empty());
            for k in 0..20 {
                let around = at(37 * k, shift - 20.0);
                let around = WorldAabb { aabb: around.aabb.grown(3.0), ..around };
                assert_eq!(found(&grid, &around), found(&own, &around));
            }
            // The one before goes; a few of it stay.
            let before = 2_000 * ((round + 2) % 3);
            let stay = if round % 4 == 0 { 3 } else { 0 };
            for id in before + stay..before + 2_000 {
                assert_eq!(grid.remove(id), own.remove(id));
            }
            assert_eq!(grid.len(), own.len());
            assert!(grid.resting_forest.tree_count() < 6);
        }
    }
}
