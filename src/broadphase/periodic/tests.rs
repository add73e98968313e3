//! Boxes at the seam, compared with brute force.

use super::*;
use crate::util::Random;
use glam::{Vec2, vec2};

/// A box of the crowd, with its activity and group.
#[derive(Clone, Copy)]
struct Row {
    aabb: WorldAabb,
    activity: Activity,
    group: u32,
}

/// Boxes near the seams of a world of 2 × 3 regions, up to 120 m wide, that move, come, go, rest
/// and change their groups.
struct Crowd {
    period: Period,
    random: Random,
    rows: Vec<Option<Row>>,
}

impl Crowd {
    fn any_box(&mut self, size: f32) -> WorldAabb {
        let mut near = |period: i32| {
            let from_seam = (self.random.between(0.0, 1.0) - 0.5) * 300.0;
            let x = if period > 0 { -512.0 + from_seam } else { from_seam };
            let at = WorldPoint::from(vec2(x, 0.0));
            let wrapped = Period(IVec2::new(period, 0)).wrapped(at);
            (wrapped.region.x, wrapped.local.x)
        };
        let ((r_x, x), (r_y, y)) = (near(self.period.0.x), near(self.period.0.y));
        let half =
            0.5 * size * vec2(0.1 + self.random.between(0.0, 1.0), 0.1 + self.random.between(0.0, 1.0));
        let middle = vec2(x, y);
        WorldAabb { region: IVec2::new(r_x, r_y), aabb: Aabb { min: middle - half, max: middle + half } }
    }

    /// Changes a few boxes or many, here and in the grid.
    fn change(&mut self, grid: &mut PeriodicGrid) {
        let changes = if self.random.below(3) == 0 { self.rows.len() as u64 } else { 4 };
        for _ in 0..changes {
            let id = self.random.below(self.rows.len() as u64) as u32;
            let size = if self.random.below(10) == 0 { 120.0 } else { 6.0 };
            let aabb = self.any_box(size);
            let kind = self.random.below(12);
            let Some(row) = &mut self.rows[id as usize] else {
                let activity = if kind < 3 { Activity::Resting } else { Activity::Active };
                self.rows[id as usize] = Some(Row { aabb, activity, group: 0 });
                grid.insert_new(id, aabb, activity, 0);
                continue;
            };
            match kind {
                0 => {
                    self.rows[id as usize] = None;
                    assert!(grid.remove(id));
                }
                1 => {
                    row.activity =
                        if row.activity == Activity::Active { Activity::Resting } else { Activity::Active };
                    grid.set_activity(id, row.activity);
                }
                2 => {
                    row.group = self.random.below(4) as u32;
                    grid.set_group(id, row.group);
                }
                _ => {
                    row.aabb = aabb;
                    grid.update(id, aabb);
                }
            }
        }
    }

    fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (a, p) in (0..).zip(&self.rows).filter_map(|(id, row)| row.map(|row| (id, row))) {
            for (b, q) in (0..).zip(&self.rows).filter_map(|(id, row)| row.map(|row| (id, row))) {
                let may = (p.activity == Activity::Active || q.activity == Activity::Active)
                    && (p.group == 0 || p.group != q.group);
                if a < b && may && self.period.overlap(&p.aabb, &q.aabb) {
                    pairs.push(Pair { a, b });
                }
            }
        }
        pairs
    }
}

/// Pairs, their changes, and walks equal the results of brute force; in a grid made anew from its
/// rows too.
#[test]
fn pairs_across_the_seam_are_those_of_brute_force() {
    for (seed, period) in [[2, 3], [2, 0], [0, 4], [2, 2]].into_iter().enumerate() {
        let period = Period(IVec2::from(period));
        let mut crowd = Crowd { period, random: Random(seed as u64), rows: vec![None; 1_500] };
        let mut grid = PeriodicGrid::default();
        grid.set_period(period);
        let (mut before, mut across) = (Vec::new(), 0);
        let rounds = if cfg!(debug_assertions) { 24 } else { 60 };
        for round in 0..rounds {
            crowd.change(&mut grid);
            if round % 20 == 19 {
                let rows = crowd.rows.clone();
                let of = |id: u32| rows[id as usize].map(|row| (row.aabb, row.activity, row.group));
                grid = PeriodicGrid::default();
                grid.set_period(period);
                grid.restore(rows.len(), of, &before);
                assert_eq!(grid.pairs(), before);
            }
            grid.find_pairs();
            let pairs = crowd.pairs();
            assert_eq!(grid.pairs(), pairs, "seed {seed}, round {round}");
            let added: Vec<Pair> =
                pairs.iter().copied().filter(|pair| before.binary_search(pair).is_err()).collect();
            let removed: Vec<Pair> =
                before.iter().copied().filter(|pair| pairs.binary_search(pair).is_err()).collect();
            assert_eq!((grid.added(), grid.removed()), (&added[..], &removed[..]));
            across += pairs.len() - grid.plain().pairs().iter().filter(|pair| pair.b < 1_500).count();
            before = pairs;
            for _ in 0..8 {
                let asked = crowd.any_box(200.0);
                let mut found = Vec::new();
                grid.query(&asked, |id| {
                    found.push(id);
                    true
                });
                found.sort_unstable();
                let is_met = |row: &Option<Row>| row.is_some_and(|row| period.overlap(&asked, &row.aabb));
                let met = (0..).zip(&crowd.rows).filter(|(_, row)| is_met(row)).map(|(id, _)| id);
                assert_eq!(found, met.collect::<Vec<u32>>());
            }
        }
        assert!(across > 16 * rounds, "{across} pairs across the seam");
    }
}

/// A box wider than the world, as that of a fast body may be, meets each box once.
#[test]
fn boxes_wider_than_the_world_meet_each_box_once() {
    let mut grid = PeriodicGrid::default();
    grid.set_period(Period(IVec2::new(2, 2)));
    let around = |middle: Vec2, half: f32| WorldAabb::from(Aabb { min: middle - half, max: middle + half });
    grid.insert_new(0, around(vec2(0.0, 0.0), 3_000.0), Activity::Active, 0);
    grid.insert_new(1, around(vec2(400.0, 300.0), 1.0), Activity::Active, 0);
    grid.find_pairs();
    assert_eq!(grid.pairs(), [Pair { a: 0, b: 1 }]);
    let mut found = Vec::new();
    grid.query(&around(vec2(9_000.0, 0.0), 1.0), |id| {
        found.push(id);
        true
    });
    assert_eq!(found, [0]);
}
