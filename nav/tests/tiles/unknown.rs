//! Tests of units that discover the land while they walk, and of units in each other's way.

use carom_nav::grid::Adaptive;
use carom_nav::prelude::*;
use testkit::random::Random;

use crate::common::{RULES, draw, free_cell, random_map};

/// Sight agrees with a count: both ends see each other, and a cell is seen unless its line crosses
/// a wall.
#[test]
fn sight_is_symmetric() {
    let rounds = if cfg!(debug_assertions) { 100 } else { 500 };
    let mut random = Random::new(11);
    for _ in 0..rounds {
        let map = random_map(&mut random, 12, 25);
        let free: Vec<Cell> =
            (0..map.cell_count()).map(|at| map.cell_at(at)).filter(|&cell| map.is_free(cell)).collect();
        let views: Vec<Known> = free
            .iter()
            .map(|&cell| {
                let mut known = Known::new(&map);
                known.see(&map, cell, 6);
                known
            })
            .collect();
        for (a, from) in free.iter().zip(&views) {
            for (b, back) in free.iter().zip(&views) {
                assert_eq!(from.is_seen(*b), back.is_seen(*a), "{a} {b}");
                let near = (*a - *b).length_squared() <= 36;
                assert_eq!(from.is_seen(*b), near && is_in_sight(&map, *a, *b), "{a} {b}");
            }
        }
    }
}

/// Walks the line in small steps, in whole numbers of a 2 x 840th of a cell: 840 is a multiple of
/// all numbers up to 8.
fn is_in_sight(map: &Map, a: Cell, b: Cell) -> bool {
    let parts = 840;
    (0..=parts).all(|k| {
        // Twice the place, times 840: cells have odd borders.
        let place = [a.x * parts + (b.x - a.x) * k, a.y * parts + (b.y - a.y) * k].map(|c| 2 * c + parts);
        let inside = |[x, y]: [i32; 2]| map.is_free([x.div_euclid(2 * parts), y.div_euclid(2 * parts)]);
        let on_border = place.map(|c| c.rem_euclid(2 * parts) == 0);
        let before = |c: i32, border: bool| if border { c - 1 } else { c };
        match on_border {
            // A corner: two of the four cells lie beside the line, and one of the two must be free.
            [true, true] => {
                let [x, y] = place;
                let rising = (b.x > a.x) == (b.y > a.y);
                let beside = if rising { [[x - 1, y], [x, y - 1]] } else { [[x, y], [x - 1, y - 1]] };
                beside.iter().any(|&place| inside(place))
            }
            _ => inside(place) && inside([before(place[0], on_border[0]), before(place[1], on_border[1])]),
        }
    })
}

/// A scout that plans over unknown land arrives, if there is a path: and each plan is as long as a
/// plain search's.
#[test]
fn scouts_arrive_with_fewer_expansions() {
    let rounds = if cfg!(debug_assertions) { 40 } else { 1_000 };
    let mut random = Random::new(12);
    let (mut search, mut path, mut other) = (Search::default(), Path::default(), Path::default());
    let (mut adapted, mut plain, mut image) = (0, 0, Vec::new());
    for round in 0..rounds {
        let map = Map::from_fn(40, 40, |_| draw(&mut random, 100) < [15, 30, 38][round % 3]).expect("a map");
        let (Some(start), Some(goal)) = (free_cell(&mut random, &map), free_cell(&mut random, &map)) else {
            continue;
        };
        let rule = RULES[round % 4];
        let expected = search.path(&map, Ask::new(start, goal).rule(rule), &mut path).is_way();
        let (mut known, mut adaptive) = (Known::new(&map), Adaptive::new(rule, goal));
        let (mut unit, mut steps) = (start, 0);
        let arrived = loop {
            known.see(&map, unit, 3);
            let found = adaptive.path(known.land(), unit, &mut path);
            adapted += adaptive.expansions();
            let ask = Ask::new(unit, goal).rule(rule).method(Method::AStar);
            let alone = search.path(known.land(), ask, &mut other);
            plain += search.expansions();
            assert_eq!(found, alone);
            if !found.is_way() {
                break false;
            }
            let Some(next) = path.cells().nth(1) else { break true };
            assert!(map.is_free(next), "what is beside a unit is seen");
            unit = next;
            steps += 1;
            assert!(steps < 40 * 40 * 40, "it walks in circles");
            if draw(&mut random, 20) == 0 {
                let (before, knew) = (adaptive.hash(), known.hash());
                adaptive.save_into(&mut image);
                adaptive = Adaptive::new(Rule::Four, [0, 0]);
                adaptive.load(known.land(), &image).expect("an image");
                assert_eq!(adaptive.hash(), before);
                known.save_into(&mut image);
                known = Known::new(&map);
                known.load(&image).expect("an image");
                assert_eq!(known.hash(), knew);
            }
        };
        assert_eq!(arrived, expected);
    }
    println!("{adapted} expansions, {plain} by A* from the start");
    assert!(adapted * 2 <= plain, "{adapted} expansions, {plain} by A* from the start");
}

/// Opened cells are noticed: after any changes, paths are as short as a plain search's.
#[test]
fn what_opens_is_not_missed() {
    let mut random = Random::new(13);
    let (mut search, mut path) = (Search::default(), Path::default());
    for _ in 0..20 {
        let mut map = Map::from_fn(24, 24, |_| draw(&mut random, 100) < 30).expect("a map");
        let goal = free_cell(&mut random, &map).expect("free land");
        let mut adaptive = Adaptive::new(Rule::default(), goal);
        for _ in 0..100 {
            for _ in 0..3 {
                let cell = map.cell_at(draw(&mut random, 24 * 24));
                if draw(&mut random, 5) == 0 {
                    map.set_cost(cell, 1 + draw(&mut random, 4) as u8);
                } else if cell != goal {
                    map.set_wall(cell, map.is_free(cell));
                }
            }
            let Some(start) = free_cell(&mut random, &map) else { continue };
            let found = adaptive.path(&map, start, &mut path);
            assert_eq!(found, search.path(&map, Ask::new(start, goal), &mut path));
        }
    }
}

/// Two units with equal paths take different ones; through a single door both go; left cells are
/// not avoided; cells of parked units are.
#[test]
fn claims_part_units_and_expire() {
    let map = Map::parse(".....\n.###.\n.....\n").expect("a map");
    let mut claims = Claims::new(&map);
    let (mut search, mut path) = (Search::default(), Path::default());
    let ask = Ask::new([0, 1], [4, 1]).rule(Rule::Four);
    let mut go = |claims: &Claims, unit: u32| {
        assert!(search.path_over(&map, ask, &claims.near(unit, [0, 1], 9, 5), &mut path).is_way());
        path.cells().collect::<Vec<_>>()
    };
    let first = go(&claims, 1);
    assert_eq!(claims.walk(1, first[1..3].iter().copied(), 2), 2);
    let second = go(&claims, 2);
    assert!(first[1..3].iter().all(|cell| !second.contains(cell)));
    assert_eq!(go(&claims, 1), first, "a unit does not shun its own cells");
    assert_eq!(claims.walk(2, first[1..3].iter().copied(), 2), 0);
    (0..3).for_each(|_| claims.tick());
    assert_eq!(go(&claims, 2), first, "claims expire");
    // Both paths claimed: the unit takes one of them all the same. Both parked: there is no path.
    claims.walk(3, [Cell::new(2, 0), Cell::new(2, 2)], 9);
    assert_eq!(go(&claims, 2).len(), 7);
    assert!(!claims.park(4, [2, 0]) && claims.leave(3, [2, 0]) && claims.park(4, [2, 0]));
    assert!(go(&claims, 2).contains(&Cell::new(2, 2)));
    claims.leave(3, [2, 2]);
    claims.park(5, [2, 2]);
    let mut image = Vec::new();
    claims.save_into(&mut image);
    let mut loaded = Claims::new(&map);
    loaded.load(&image).expect("an image");
    assert_eq!(loaded.hash(), claims.hash());
    assert_eq!(search.path_over(&map, ask, &loaded.near(2, [0, 1], 9, 5), &mut path), Found::None);
    // From far away a parked unit does not count.
    assert!(search.path_over(&map, ask, &loaded.near(2, [0, 1], 1, 5), &mut path).is_way());
}

/// News of one scout count for all units, until they are forgotten or the path is newer; and they
/// are saved.
#[test]
fn news_stay_until_they_are_heeded() {
    let map =
        Map::from_fn(40, 12, |cell| cell.x == 20 && cell.y < 11 || cell == Cell::new(5, 5)).expect("a map");
    let (mut known, mut search, mut path) = (Known::new(&map), Search::default(), Path::default());
    let ask = Ask::new([2, 2], [38, 2]);
    assert!(search.path(known.land(), ask, &mut path).is_way());
    assert!(!known.is_news_on(&path));
    // The first scout sees the wall on the path, the second sees nothing.
    assert!(!known.see(&map, [16, 3], 6).is_empty());
    assert!(known.see(&map, [2, 9], 2).is_empty());
    assert!(known.is_news_on(&path), "the second look does not hide the first");
    let mut image = Vec::new();
    known.save_into(&mut image);
    let mut loaded = Known::new(&map);
    loaded.load(&image).expect("an image");
    assert!(loaded.is_news_on(&path) && loaded.hash() == known.hash());
    // A new search gives a path without news; the old path still has news.
    let old = path.clone();
    assert!(search.path(known.land(), ask, &mut path).is_way());
    assert!(!known.is_news_on(&path) && known.is_news_on(&old));
    known.forget_news();
    assert!(!known.is_news_on(&old));
    // News beside a unit of several cells.
    let mut map = map;
    map.keep_size(3).expect("a size");
    let mut known = Known::new(&map);
    assert!(search.path(known.land(), Ask::new([0, 2], [12, 2]).size(3), &mut path).is_way());
    assert!(!known.see(&map, [5, 7], 3).is_empty());
    assert!(known.is_news_on(&path), "the wall at [5, 5] is beside the unit's upper row");
}

/// Known land has the labels and sizes of its map: islands, the nearest cell, units of several
/// cells; cloned and changed, saved and loaded.
#[test]
fn known_land_is_land() {
    let mut map = Map::from_fn(30, 9, |cell| cell.x == 15 || cell == Cell::new(4, 4)).expect("a map");
    map.keep_size(2).expect("a size");
    map.keep_islands(Rule::Six);
    let mut known = Known::new(&map);
    assert!(known.land().connected([1, 1], [28, 1]), "nobody has seen the wall");
    for y in 0..9 {
        known.see(&map, [13, y], 4);
    }
    known.see(&map, [4, 2], 3);
    let check = |land: &Map| {
        assert!(!land.connected([1, 1], [28, 1]) && land.connected([1, 1], [14, 8]));
        assert_eq!(land.connected_by(Rule::Six, [1, 1], [28, 1]), Some(false));
        assert_eq!(land.nearest_reachable(Rule::default(), [1, 1], [20, 3]), Some(Cell::new(14, 3)));
        let view = land.view(2).expect("kept");
        assert!(!view.is_free([3, 3]) && view.is_free([5, 3]));
        assert_eq!(view.connected_by(Rule::Six, [0, 0], [20, 0]), Some(false));
    };
    check(known.land());
    let mut image = Vec::new();
    known.save_into(&mut image);
    let mut loaded = Known::new(&map);
    loaded.load(&image).expect("an image");
    check(loaded.land());
    let mut clone = known.land().clone();
    clone.keep_size(3).expect("a size");
    check(&clone);
    clone.set_wall([15, 4], false);
    assert!(clone.connected([1, 1], [28, 1]) && clone.view(3).is_some());
}
