//! Many boxes that come in at once, as with a piece of a world.
//!
//! In: how many will come; and another grid that has the same boxes under other ids. Out: memory
//! for them; and the trees of resting boxes of that grid, taken over as they are, or only their
//! order, from which a third grid builds trees. Sorting 5,000 boxes into a tree takes longer than
//! everything else that a piece needs. It can be done before, on any thread, by [`Grid::refresh`]
//! of the other grid.
//!
//! In: boxes that came and went. Out: the boxes that search for pairs; only boxes near new boxes
//! have to.

use super::cell_order::union_of;
use super::forest::{Boxes, Home};
use super::proxy::{ACTIVE, BOUNDED, PRESENT, Proxy};
use super::{Activity, Grid, WorldAabb};
use crate::util::NumberTable;

/// If at most one in this many moving boxes moved, is new, or is near new resting boxes, only these
/// search.
const ASKERS_SHARE: usize = 4;

impl Grid {
    /// Lists the boxes that search for pairs beside the moved boxes, and returns how many of the
    /// listed boxes are new; `None` if they are too many. Unless only `few` changed, resting boxes
    /// leave the search to the moving boxes near them, which come last in the list. Many resting
    /// boxes may come and go with a piece of a world: removed boxes have no pairs any more, and no
    /// two new resting boxes are a pair.
    pub(super) fn find_askers(&mut self, few: bool) -> Option<usize> {
        let Grid { proxies, homes, active_forest, changes, askers, .. } = self;
        askers.clear();
        self.resting_do_not_search = false;
        if few {
            askers.extend_from_slice(&changes.resets);
            return Some(askers.len());
        }
        let mut around: Option<WorldAabb> = None;
        for &id in &changes.resets {
            let proxy = &proxies[id as usize];
            if !proxy.is(PRESENT) {
                continue;
            }
            if proxy.is(ACTIVE) || !proxy.is(BOUNDED) {
                askers.push(id);
            } else {
                around = Some(around.map_or(proxy.aabb, |around| union_of(&around, &proxy.aabb)));
            }
        }
        let (new, most) = (askers.len(), self.active_count / ASKERS_SHARE);
        if self.moved_count + new > most {
            return None;
        }
        self.resting_do_not_search = true;
        let Some(around) = around else { return Some(new) };
        let boxes = Boxes { proxies, before: None };
        let went_through = active_forest.visit(
            (boxes, homes),
            |aabb| around.overlaps(aabb),
            |id| {
                askers.push(id);
                self.moved_count + askers.len() <= most
            },
        );
        self.resting_do_not_search = went_through;
        went_through.then_some(new)
    }

    /// Makes room for `count` boxes under ids below `ids`.
    pub(crate) fn reserve(&mut self, count: usize, ids: usize) {
        if ids > self.proxies.len() {
            self.proxies.resize(ids, Proxy::ABSENT);
            self.homes.resize(ids, Home::NOWHERE);
        }
        self.changes.resets.reserve(count);
        self.resting_forest.reserve(count);
    }

    /// Inserts a box in a group under an id that has no box.
    #[inline]
    pub(crate) fn insert_new(&mut self, id: u32, aabb: WorldAabb, activity: Activity, group: u32) {
        if id as usize >= self.proxies.len() {
            self.reserve(1, id as usize + 1);
        }
        self.put(id, aabb, activity, group);
    }

    /// Keeps the order in which resting boxes stand in the trees of another grid, so that a third
    /// grid can take it over; id k of the other grid is `names.of(k)` here. Building the trees here
    /// as well would be an eighth of the time in which a piece is cut out.
    pub(crate) fn order_like(&mut self, other: &Grid, names: &NumberTable) {
        let homes = (other.homes.as_slice(), self.homes.as_mut_slice());
        self.resting_forest.order_like((&other.resting_forest, names), homes);
    }

    /// Moves resting boxes that have just come in into trees like the trees of another grid, whose
    /// id k is `names.of(k)` here.
    pub(crate) fn plant_like(&mut self, other: &Grid, names: &NumberTable) {
        let boxes = Boxes { proxies: &self.proxies, before: None };
        self.resting_forest.plant_like((&other.resting_forest, names), boxes, &mut self.homes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::broadphase::BruteForce;
    use glam::vec2;

    fn at(id: u32, shift: f32) -> WorldAabb {
        let min = vec2((id % 40) as f32 * 1.5 + shift, (id / 40) as f32 * 1.5);
        Aabb { min, max: min + 1.0 }.into()
    }

    fn table(names: &[u32]) -> NumberTable {
        let mut table = NumberTable::default();
        table.reach(names.len());
        let entries = (0..).zip(names).filter(|&(_, &name)| name != u32::MAX);
        entries.for_each(|(id, &name)| table.set(id, name));
        table
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

    /// A grid that keeps only the order of trees hands it on: from two trees and a loose list to
    /// one tree, also where boxes have gone in between.
    #[test]
    fn an_order_that_was_kept_makes_a_tree() {
        let (mut first, mut kept, mut last) = (Grid::new(), Grid::new(), Grid::new());
        (0..600).for_each(|id| first.insert(id, at(id, 0.0), Activity::Resting));
        first.refresh();
        (600..700).for_each(|id| first.insert(id, at(id, 0.0), Activity::Resting));
        first.refresh();
        (700..720).for_each(|id| first.insert(id, at(id, 0.0), Activity::Resting));
        let names: Vec<u32> = (0..720).map(|id| if id % 7 == 0 { u32::MAX } else { 1_000 - id }).collect();
        let there = || (0..720).filter(|id| id % 7 != 0);
        there().for_each(|id| kept.insert(1_000 - id, at(id, 0.0), Activity::Resting));
        kept.order_like(&first, &table(&names));
        let around = WorldAabb { aabb: at(90, 0.0).aabb.grown(4.0), ..at(90, 0.0) };
        let expected: Vec<u32> = {
            let mut ids: Vec<u32> = found(&first, &around).into_iter().filter(|id| id % 7 != 0).collect();
            ids.iter_mut().for_each(|id| *id = 1_000 - *id);
            ids.sort_unstable();
            ids
        };
        assert!(!expected.is_empty());
        assert_eq!(found(&kept, &around), expected);
        let copy = kept.clone();
        for (kept, gone) in [(&mut kept, [303, 999]), (&mut copy.clone(), [994, 450])] {
            gone.into_iter().for_each(|id| _ = kept.remove(id));
            let same: Vec<u32> = (0..1_001).collect();
            last.clear();
            (0..1_001).filter_map(|id| Some((id, kept.aabb(id)?))).for_each(|(id, aabb)| {
                last.insert(id, aabb, Activity::Resting);
            });
            last.plant_like(kept, &table(&same));
            assert_eq!(found(&last, &around), found(kept, &around));
            last.find_pairs();
            assert_eq!(found(&last, &around), found(kept, &around));
        }
        // Most of them stand in a tree at once.
        let mut whole = Grid::new();
        there().for_each(|id| whole.insert(1_000 - id, at(id, 0.0), Activity::Resting));
        whole.plant_like(&copy, &table(&(0..1_001).collect::<Vec<u32>>()));
        assert!(whole.resting_forest.loose_count() < 40 && whole.resting_forest.tree_count() == 1);
    }

    /// A few boxes of a large grid are looked up one by one, many boxes by a walk through its
    /// trees: the order is equal.
    #[test]
    fn a_few_are_in_the_order_in_which_many_are() {
        let mut first = Grid::new();
        for ids in [0..900, 900..1_000] {
            ids.for_each(|id| first.insert(id, at(id * 7 % 1_000, 0.0), Activity::Resting));
            first.refresh();
        }
        (1_000..1_010).for_each(|id| first.insert(id, at(id, 0.0), Activity::Resting));
        (0..90).for_each(|id| first.insert(2_000 + id, at(id, 0.0), Activity::Active));
        first.remove(40);
        let all = first.resting_forest.all_in_order();
        for share in [2, 3, 7, 15, 29, 200] {
            let names: Vec<u32> =
                (0..2_100).map(|id| if id % share == 1 { 3_000 - id } else { u32::MAX }).collect();
            let mut kept = Grid::new();
            let here = (0..2_100_u32).filter(|&id| id % share == 1 && first.contains(id));
            here.for_each(|id| {
                kept.insert(3_000 - id, first.aabb(id).expect("it is there"), Activity::Resting)
            });
            kept.order_like(&first, &table(&names));
            let expected: Vec<u32> = all.iter().filter(|&&id| id % share == 1).map(|id| 3_000 - id).collect();
            let found = kept.resting_forest.all_in_order();
            assert!(found == expected || share == 200 && found.is_empty(), "one in {share}");
        }
    }

    /// Pieces come and go, beside boxes that belong to no piece: queries answer as in a grid that
    /// sorted everything itself, and trees of removed pieces are removed too.
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
            grid.plant_like(&piece, &table(&names));
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
            // The piece before goes; a few of its boxes stay.
            let before = 2_000 * ((round + 2) % 3);
            let stay = if round % 4 == 0 { 3 } else { 0 };
            for id in before + stay..before + 2_000 {
                assert_eq!(grid.remove(id), own.remove(id));
            }
            assert_eq!(grid.len(), own.len());
            assert!(grid.resting_forest.tree_count() < 6);
        }
    }

    /// Many resting boxes come and go at once, and a few moving boxes with them, while others move:
    /// pairs equal the pairs of brute force, without a search of all boxes.
    #[test]
    fn many_that_come_or_go_at_once_make_the_pairs_of_brute_force() {
        let mut state = 5_u64;
        let mut below = |count: u64| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            (state >> 33) % count
        };
        let (mut grid, mut oracle) = (Grid::new(), BruteForce::new());
        let mut left_out = 0;
        for id in 0..400_u32 {
            let aabb = at(id, 0.1);
            grid.insert(id, aabb, Activity::Active);
            oracle.insert(id, aabb, Activity::Active);
        }
        grid.insert(400, Aabb::new([-f32::INFINITY, 3.0], [f32::INFINITY, 3.5]), Activity::Active);
        oracle.insert(400, Aabb::new([-f32::INFINITY, 3.0], [f32::INFINITY, 3.5]), Activity::Active);
        for round in 0..60_u32 {
            let is_there = round % 2 == 1;
            let shift = 55.0 + (round / 4) as f32;
            for id in 1_000..1_000 + 300 + below(300) as u32 {
                let activity = if id % 20 == 0 { Activity::Active } else { Activity::Resting };
                if is_there {
                    assert_eq!(grid.remove(id), oracle.remove(id));
                } else {
                    let region = glam::IVec2::new((round % 3 == 0) as i32, 0);
                    let shift = shift - 1024.0 * region.x as f32;
                    let aabb = WorldAabb { region, ..at(id % 900, shift) };
                    grid.insert(id, aabb, activity);
                    oracle.insert(id, aabb, activity);
                }
            }
            for _ in 0..below(20) {
                let id = below(400) as u32;
                let aabb = at(id, 0.1 + below(20) as f32 * 0.1);
                grid.update(id, aabb);
                oracle.update(id, aabb);
            }
            grid.find_pairs();
            oracle.find_pairs();
            left_out += usize::from(grid.resting_do_not_search);
            assert_eq!(
                (grid.pairs(), grid.added(), grid.removed()),
                (oracle.pairs(), oracle.added(), oracle.removed()),
                "round {round}"
            );
        }
        assert!(left_out > 10, "{left_out}");
    }
}
