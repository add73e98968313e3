//! The grid against brute force: pairs, what came and went, and walks.
//!
//! Long random sequences of everything that can be done to a grid, over boxes of every size and in
//! every awkward place. The oracle compares everything with everything; the two share the overlap
//! of two boxes, which has a test of its own in whole numbers.

use carom::broadphase::{Activity, BruteForce, Grid, Pair, WorldAabb};
use carom::{Aabb, IVec2, Vec2, vec2};

use testkit::random::Random;
use testkit::rounds;

/// A grid and its oracle, to which the same is done.
#[derive(Clone, Default)]
struct Both {
    grid: Grid,
    oracle: BruteForce,
}

impl Both {
    fn insert(&mut self, id: u32, aabb: WorldAabb, activity: Activity) {
        self.grid.insert(id, aabb, activity);
        self.oracle.insert(id, aabb, activity);
    }

    fn update(&mut self, id: u32, aabb: WorldAabb) {
        self.grid.update(id, aabb);
        self.oracle.update(id, aabb);
    }

    /// One random change to one of the ids below `ids`.
    fn change(&mut self, random: &mut Random, scene: Scene, ids: usize) {
        let id = random.below(ids) as u32;
        let activity = if random.below(2) == 0 { Activity::Active } else { Activity::Resting };
        match random.below(20) {
            0..4 => self.insert(id, scene.aabb(random), activity),
            4..7 => assert_eq!(self.grid.remove(id), self.oracle.remove(id)),
            7..9 => {
                self.grid.set_activity(id, activity);
                self.oracle.set_activity(id, activity);
            }
            9 => {
                let group = random.below(4) as u32;
                self.grid.set_group(id, group);
                self.oracle.set_group(id, group);
            }
            10..14 => self.update(id, scene.aabb(random)),
            _ => {
                // A small step, as bodies take them.
                let Some(mut aabb) = self.oracle.aabb(id) else { return };
                let step = (aabb.aabb.size() * (random.unit() as f32 - 0.5)).min(Vec2::splat(1.0e9));
                aabb.aabb = Aabb { min: aabb.aabb.min + step, max: aabb.aabb.max + step };
                self.update(id, aabb);
            }
        }
    }

    fn check_pairs(&mut self) {
        self.grid.find_pairs();
        self.oracle.find_pairs();
        assert_eq!(self.grid.pairs(), self.oracle.pairs());
        assert_eq!(self.grid.added(), self.oracle.added());
        assert_eq!(self.grid.removed(), self.oracle.removed());
        assert_eq!(self.grid.len(), self.oracle.len());
    }

    fn check_walks(&self, aabb: WorldAabb) {
        let mut ours = Vec::new();
        self.grid.query(&aabb, |id| {
            ours.push(id);
            true
        });
        let mut theirs = Vec::new();
        self.oracle.query(&aabb, |id| {
            theirs.push(id);
            true
        });
        ours.sort_unstable();
        assert_eq!(ours, theirs, "query {aabb:?}");
        self.check_visit(aabb);
        self.check_nearest(aabb);
    }

    fn check_visit(&self, aabb: WorldAabb) {
        let (origin, around) = (aabb.region, aabb.aabb);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut visit = |id| {
            ours.push(id);
            true
        };
        self.grid.visit(origin, |other| around.overlaps(other), &mut visit);
        self.oracle.visit(
            origin,
            |other| around.overlaps(other),
            |id| {
                theirs.push(id);
                true
            },
        );
        ours.sort_unstable();
        assert_eq!(ours, theirs, "visit {aabb:?}");
        let mut calls = 0;
        self.grid.visit(
            origin,
            |_| true,
            |_| {
                calls += 1;
                calls < 3
            },
        );
        assert!(calls <= 3, "a walk that is told to stop stops");
    }

    fn check_nearest(&self, aabb: WorldAabb) {
        let (origin, around) = (aabb.region, aabb.aabb);
        let distance = |other: &Aabb| {
            let d = around.distance_squared(other);
            if d.is_nan() { f32::INFINITY } else { d }
        };
        let of = |id: u32| distance(&self.oracle.aabb(id).expect("present").relative_to(origin));
        let (mut ours, mut theirs) = ((f32::INFINITY, u32::MAX), (f32::INFINITY, u32::MAX));
        self.grid.visit_nearest(origin, distance, |id| keep_nearer(&mut ours, (of(id), id)));
        self.oracle.visit_nearest(origin, distance, |id| keep_nearer(&mut theirs, (of(id), id)));
        assert_eq!(ours, theirs, "nearest to {aabb:?}");
    }
}

/// Keeps the nearer of two, ties by id, and answers its distance.
fn keep_nearer(best: &mut (f32, u32), found: (f32, u32)) -> f32 {
    if found < *best {
        *best = found;
    }
    best.0
}

/// Where boxes are and how large.
#[derive(Clone, Copy, Debug)]
enum Scene {
    /// About four neighbours each.
    Packed,
    /// Sizes from 1e-6 to 1e9 m, places on a logarithmic scale about the origin.
    Mixed,
    /// Corners on the borders of cells, on both sides of zero.
    Borders,
    /// Around the borders of regions, seen from one or the other.
    Regions,
    /// Points, needles and boxes within a hand's breadth.
    OneCell,
    /// Over 1e6 m, a few near each other.
    Wide,
    /// A bit of everything, with infinite and invalid boxes.
    Odd,
}

const SCENES: [Scene; 7] =
    [Scene::Packed, Scene::Mixed, Scene::Borders, Scene::Regions, Scene::OneCell, Scene::Wide, Scene::Odd];

impl Scene {
    fn aabb(self, random: &mut Random) -> WorldAabb {
        match self {
            Scene::Packed => around(random, 10.0, 0.3, 3.0),
            Scene::Mixed => {
                let reach = random.log_range(1.0e-6, 1.0e9);
                around(random, reach, 1.0e-6, 1.0e9)
            }
            Scene::Borders => {
                let cell = (random.below(12) as f64 - 6.0).exp2() as f32;
                let mut at = Vec2::ZERO;
                for axis in 0..2 {
                    at[axis] = (random.below(9) as f32 - 4.0) * cell;
                }
                let size = vec2(random.below(3) as f32, random.below(3) as f32) * cell;
                Aabb { min: at, max: at + size }.into()
            }
            Scene::Regions => {
                let mut aabb = around(random, 3.0, 0.1, 2.0);
                for axis in 0..2 {
                    let side = random.below(3) as i32;
                    aabb.region[axis] += side;
                    let shift = 512.0 - 1024.0 * side as f32;
                    aabb.aabb.min[axis] += shift;
                    aabb.aabb.max[axis] += shift;
                }
                aabb
            }
            Scene::OneCell => {
                let mut aabb = around(random, 0.1, 1.0e-6, 0.1);
                let thin = random.below(3);
                if thin < 2 {
                    aabb.aabb.max[thin] = aabb.aabb.min[thin];
                }
                aabb
            }
            Scene::Wide => {
                let place = random.below(20) as f32;
                let mut aabb = around(random, 2.0, 0.1, 2.0);
                let at = vec2(place * 5.0e4, place * place * -2.5e3);
                aabb.aabb = Aabb { min: aabb.aabb.min + at, max: aabb.aabb.max + at };
                aabb
            }
            Scene::Odd => odd(random),
        }
    }
}

/// A box within `reach` of the origin.
fn around(random: &mut Random, reach: f64, smallest: f64, largest: f64) -> WorldAabb {
    let at = vec2(random.range(-reach, reach) as f32, random.range(-reach, reach) as f32);
    let size = random.log_range(smallest, largest) as f32;
    let size = vec2(size, size * random.range(0.2, 1.0) as f32);
    Aabb { min: at, max: at + size }.into()
}

fn odd(random: &mut Random) -> WorldAabb {
    let mut aabb = SCENES[random.below(6)].aabb(random);
    let axis = random.below(2);
    match random.below(12) {
        0 => aabb.aabb.min[axis] = f32::NEG_INFINITY,
        1 => aabb.aabb.max[axis] = f32::INFINITY,
        2 => aabb.aabb = Aabb { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY },
        3 => aabb.aabb.min[axis] = f32::NAN,
        4 => aabb.aabb = Aabb::EMPTY,
        5 => aabb.aabb.max = aabb.aabb.min - 1.0,
        6 => aabb.aabb.min[axis] = f32::INFINITY,
        7 => aabb.aabb.max[axis] = 1.0e30,
        8 => aabb.region[axis] += if random.below(2) == 0 { i32::MIN } else { i32::MAX - 2 },
        _ => {}
    }
    aabb
}

#[test]
fn random_sequences_agree_with_brute_force() {
    for (seed, scene) in SCENES.into_iter().enumerate() {
        for ids in [3, 20, 150, 400] {
            let mut random = Random::new(seed as u64);
            let mut both = Both::default();
            for _ in 0..rounds(60, 400) {
                // From none through a few to most of them: every way of finding pairs gets its
                // turn.
                for _ in 0..[0, 1, 3, ids / 16, ids][random.below(5)] {
                    both.change(&mut random, scene, ids);
                    if random.below(50) == 0 {
                        both.check_walks(scene.aabb(&mut random));
                    }
                }
                if random.below(4) == 0 {
                    both.grid.refresh();
                }
                both.check_walks(scene.aabb(&mut random));
                if random.below(3) > 0 {
                    both.check_pairs();
                }
            }
        }
    }
}

/// Everything moves by a share of its size, as bodies do; some rest, some jump, and now and then
/// only a few move.
#[test]
fn moving_crowds_agree_with_brute_force() {
    // Reach over the reach of an even spread, and the ratio of sizes; the last are heaps around far
    // places.
    for (seed, (spread, ratio, heaps)) in
        [(0.6, 2.0, 1), (4.0, 1.1, 1), (2.0, 300.0, 1), (0.3, 2.0, 8)].into_iter().enumerate()
    {
        let mut random = Random::new(seed as u64 + 20);
        let (mut both, count) = (Both::default(), rounds(150, 1_200));
        let reach = (count as f64).sqrt() * spread;
        for id in 0..count {
            let mut aabb = around(&mut random, reach, 1.0, ratio);
            aabb.region.x = (id % heaps) as i32 * 5 + i32::from(id % 7 == 0);
            let activity = if id % 5 == 0 { Activity::Resting } else { Activity::Active };
            both.insert(id as u32, aabb, activity);
        }
        for round in 0..rounds(15, 60) {
            let share = if round % 4 == 3 { 50 } else { 1 };
            for id in (0..count).filter(|_| random.below(share) == 0).collect::<Vec<_>>() {
                let Some(mut aabb) = both.oracle.aabb(id as u32) else { continue };
                let fast = if random.below(200) == 0 { 40.0 } else { 0.2 };
                let size = aabb.aabb.size();
                let step = vec2(random.range(-fast, fast) as f32, random.range(-fast, fast) as f32) * size;
                aabb.aabb = Aabb { min: aabb.aabb.min + step, max: aabb.aabb.max + step };
                if random.below(100) == 0 {
                    // The same place, seen from the next region.
                    aabb.region.y += 1;
                    aabb.aabb.min.y -= 1024.0;
                    aabb.aabb.max.y -= 1024.0;
                }
                both.update(id as u32, aabb);
            }
            both.check_pairs();
        }
    }
}

/// A few pairs among many jump apart, both of them, and somebody asks before pairs are found: what
/// they were is nowhere in the trees then.
#[test]
fn pairs_that_part_before_a_walk_are_no_pairs() {
    let mut random = Random::new(31);
    let mut both = Both::default();
    let count = 600;
    let at = |id: u32, away: Vec2| {
        let pair = (id / 2) as f32;
        let low = vec2(pair % 20.0, (pair / 20.0).floor()) * 9.0
            + if id.is_multiple_of(2) { away } else { 0.5 - away };
        WorldAabb::from(Aabb { min: low, max: low + 1.0 })
    };
    for id in 0..count {
        both.insert(id, at(id, Vec2::ZERO), Activity::Active);
    }
    both.check_pairs();
    for _ in 0..200 {
        for _ in 0..1 + random.below(4) {
            let pair = 2 * random.below(count as usize / 2) as u32;
            let away = vec2(random.range(-3.0, 3.0) as f32, random.range(-3.0, 3.0) as f32);
            let away = if random.below(2) == 0 { away } else { Vec2::ZERO };
            [pair, pair + 1].into_iter().for_each(|id| both.update(id, at(id, away)));
            if random.below(2) == 0 {
                both.grid.refresh();
            }
        }
        both.check_pairs();
    }
}

#[test]
fn the_last_id_is_never_there() {
    let mut grid = Grid::new();
    grid.insert(u32::MAX, Aabb::new([0.0, 0.0], [1.0, 1.0]), Activity::Active);
    grid.update(u32::MAX, Aabb::new([0.0, 0.0], [2.0, 1.0]));
    grid.find_pairs();
    assert!(grid.is_empty() && !grid.contains(u32::MAX) && !grid.remove(u32::MAX));
}

#[test]
fn pairs_do_not_depend_on_history() {
    for scene in SCENES {
        let mut random = Random::new(7);
        let mut old = Both::default();
        for _ in 0..rounds(5_000, 50_000) {
            old.change(&mut random, scene, 300);
            if random.below(20) == 0 {
                old.grid.find_pairs();
            }
        }
        old.oracle.find_pairs();
        let mut fresh = Grid::new();
        let mut ids: Vec<u32> = (0..300).filter(|&id| old.grid.contains(id)).collect();
        while !ids.is_empty() {
            let id = ids.swap_remove(random.below(ids.len()));
            fresh.insert(id, old.grid.aabb(id).expect("present"), Activity::Active);
            old.grid.set_activity(id, Activity::Active);
            old.grid.set_group(id, 0);
        }
        fresh.find_pairs();
        old.grid.find_pairs();
        assert_eq!(fresh.pairs(), old.grid.pairs(), "{scene:?}");
    }
}

#[test]
fn a_shift_by_regions_changes_nothing() {
    let shift = IVec2::new(1_000_000, -1_000_000);
    for scene in [Scene::Packed, Scene::Mixed, Scene::Borders, Scene::Regions, Scene::OneCell, Scene::Wide] {
        let mut random = Random::new(3);
        let (mut here, mut there) = (Grid::new(), Grid::new());
        for _ in 0..rounds(20, 100) {
            for _ in 0..100 {
                let (id, aabb) = (random.below(300) as u32, scene.aabb(&mut random));
                let activity = if id.is_multiple_of(3) { Activity::Resting } else { Activity::Active };
                here.insert(id, aabb, activity);
                there.insert(id, WorldAabb { region: aabb.region + shift, ..aabb }, activity);
            }
            here.find_pairs();
            there.find_pairs();
            assert_eq!(here.pairs(), there.pairs(), "{scene:?}");
            assert_eq!(here.added(), there.added());
            let (mut seen_here, mut seen_there) = (Vec::new(), Vec::new());
            here.visit(
                IVec2::ZERO,
                |aabb| aabb.min.x < 1.0,
                |id| {
                    seen_here.push(id);
                    true
                },
            );
            there.visit(
                shift,
                |aabb| aabb.min.x < 1.0,
                |id| {
                    seen_there.push(id);
                    true
                },
            );
            assert_eq!(seen_here, seen_there, "{scene:?}: the same walk in the same order");
        }
    }
}

/// Overlap across regions against whole numbers: everything in 2^-20 m.
#[test]
fn overlap_across_regions_is_exact() {
    let mut random = Random::new(11);
    let whole =
        |region: i32, x: f32| i128::from(region) * (1024 << 20) + (f64::from(x) * f64::from(1 << 20)) as i128;
    for _ in 0..rounds(100_000, 2_000_000) {
        let mut side = || {
            let region = random.below(5) as i32 - 2 + [0, i32::MIN + 2, i32::MAX - 2][random.below(3)];
            let x = (random.below(5) as f32 - 2.0) * 512.0 + random.below(3) as f32 * (1.0 / 8192.0);
            (region, x, x + random.below(3) as f32 * 512.0)
        };
        let (a, b) = (side(), side());
        let of = |(region, min, max): (i32, f32, f32)| WorldAabb {
            region: IVec2::new(region, -region.saturating_neg()),
            aabb: Aabb { min: vec2(min, -1.0e30), max: vec2(max, 1.0e30) },
        };
        let expected = whole(a.0, a.1) <= whole(b.0, b.2) && whole(b.0, b.1) <= whole(a.0, a.2);
        assert_eq!(of(a).overlaps(&of(b)), expected, "{a:?} {b:?}");
        assert_eq!(of(b).overlaps(&of(a)), expected, "{a:?} {b:?}");
    }
}

/// A box as seen from afar contains the box.
#[test]
fn relative_boxes_are_rounded_outward() {
    let mut random = Random::new(12);
    for _ in 0..rounds(10_000, 200_000) {
        let mut aabb = Scene::Mixed.aabb(&mut random);
        aabb.region = IVec2::new(random.below(2_000) as i32 - 1_000, random.below(3) as i32);
        let origin = IVec2::new(random.below(2_000_000) as i32 - 1_000_000, 1);
        let seen = aabb.relative_to(origin);
        let d = f64::from(aabb.region.x - origin.x) * 1024.0;
        assert!(f64::from(seen.min.x) - d <= f64::from(aabb.aabb.min.x), "{aabb:?} from {origin}");
        assert!(f64::from(seen.max.x) - d >= f64::from(aabb.aabb.max.x), "{aabb:?} from {origin}");
        let back = WorldAabb { region: origin, aabb: seen };
        assert!(back.overlaps(&aabb));
    }
}

#[test]
fn resting_boxes_wake_and_sleep() {
    let mut both = Both::default();
    let unit = |x: f32| WorldAabb::from(Aabb::new([x, 0.0], [x + 1.0, 1.0]));
    for id in 0..4 {
        both.insert(id, unit(id as f32), Activity::Resting);
    }
    both.check_pairs();
    assert!(both.grid.pairs().is_empty(), "resting boxes are no pairs");
    for (activity, count) in [(Activity::Active, 2), (Activity::Resting, 0), (Activity::Active, 2)] {
        both.grid.set_activity(1, activity);
        both.oracle.set_activity(1, activity);
        both.check_pairs();
        assert_eq!(both.grid.pairs().len(), count);
        assert_eq!(both.grid.added().len() + both.grid.removed().len(), 2);
        both.check_pairs();
        assert!(both.grid.added().is_empty() && both.grid.removed().is_empty());
    }
    both.grid.remove(1);
    both.oracle.remove(1);
    both.check_pairs();
    assert_eq!(both.grid.removed(), [Pair { a: 0, b: 1 }, Pair { a: 1, b: 2 }]);
    both.grid.clear();
    both.oracle.clear();
    both.check_pairs();
    assert!(both.grid.is_empty());
}

/// Boxes that move and come to rest between two searches, and are planted among resting ones by a
/// question, are found where they are put later. (They were marked as moved where nobody looked.)
#[test]
fn boxes_that_came_to_rest_are_found_where_they_go() {
    let mut both = Both::default();
    let unit = |x: f32, y: f32| WorldAabb::from(Aabb::new([x, y], [x + 1.0, y + 1.0]));
    for id in 0..480 {
        both.insert(id, unit(2.0 * id as f32, 0.0), Activity::Active);
    }
    both.check_pairs();
    for id in 0..8 {
        both.update(id, unit(2.0 * id as f32, 0.5));
        both.grid.set_activity(id, Activity::Resting);
        both.oracle.set_activity(id, Activity::Resting);
    }
    both.grid.refresh();
    both.check_pairs();
    for id in 0..8 {
        let at = 2.0 * f32::from(100 + id as u16);
        both.update(id, unit(at, 0.5));
        both.check_walks(unit(at, 0.5));
    }
    both.check_pairs();
    assert_eq!(both.grid.pairs().len(), 8);
}

/// A box of 1e9 m crosses a field of small ones, and things fall for ever: neither must take time
/// with empty space.
#[test]
fn large_and_falling_boxes_cost_what_they_touch() {
    let mut grid = Grid::new();
    for id in 0..1_000_u32 {
        let at = vec2(id as f32 * 7.0e-6, 0.0);
        grid.insert(id, Aabb { min: at, max: at + 1.0e-6 }, Activity::Resting);
    }
    for step in 0..200 {
        let at = vec2(step as f32 * 1.0e6 - 9.995e8, -1.0e8);
        grid.insert(1_000, Aabb { min: at, max: at + 9.0e8 }, Activity::Active);
        for k in 0..10_u32 {
            let region = IVec2::new(k as i32, -step * 10_000_000);
            grid.insert(
                1_001 + k,
                WorldAabb { region, aabb: Aabb::new([0.0, 0.0], [1.0, 1.0]) },
                Activity::Active,
            );
        }
        grid.find_pairs();
        let is_over = at.x <= 0.0 && at.x + 9.0e8 >= 1.0;
        let on_field = grid.pairs().iter().filter(|pair| pair.b == 1_000).count();
        assert_eq!(on_field, if is_over { 1_000 } else { 0 }, "step {step}");
    }
}

/// A hundred thousand boxes at rest are not looked at: the same few walks are made with and without
/// them.
#[test]
fn resting_boxes_far_away_are_not_looked_at() {
    let mut grid = Grid::new();
    for id in 0..100_000_u32 {
        let at = vec2((id % 300) as f32, (id / 300) as f32) * 2.0;
        grid.insert(id, Aabb { min: at, max: at + 1.0 }, Activity::Resting);
    }
    grid.find_pairs();
    let mut asked = 0;
    let corner = Aabb::new([0.0, 0.0], [3.0, 3.0]);
    let mut hits = 0;
    grid.visit(
        IVec2::ZERO,
        |aabb| {
            asked += 1;
            corner.overlaps(aabb)
        },
        |_| {
            hits += 1;
            true
        },
    );
    assert_eq!(hits, 4);
    assert!(asked < 200, "{asked} boxes were looked at for {hits}");
}
