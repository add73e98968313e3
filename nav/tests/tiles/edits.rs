//! Tests of maps that change against maps that are built anew.

use carom_nav::prelude::*;
use testkit::random::Random;

use crate::common::{RULES, draw, lengths_from};

/// After every change: labels equal the labels of a new map, sizes are as counted cell by cell,
/// costs and words are the same.
#[test]
fn a_changed_map_is_as_one_that_is_built_anew() {
    let rounds = if cfg!(debug_assertions) { 30 } else { 600 };
    let mut random = Random::new(3);
    for round in 0..rounds {
        // Some maps are higher than wide: labels are kept by squares of 32 cells.
        let (long, short) = (1 + draw(&mut random, 90), 1 + draw(&mut random, 40));
        let (width, height) = if round % 3 == 0 { (short, long) } else { (long, short) };
        let density = [3, 40, 55, 80][round % 4];
        let mut map = Map::from_fn(width, height, |_| draw(&mut random, 100) < density).expect("a map");
        map.keep_size(3).expect("a size");
        RULES.iter().for_each(|&rule| map.keep_islands(rule));
        for change in 0..150 {
            let cell = map.cell_at(draw(&mut random, map.cell_count()));
            if draw(&mut random, 4) == 0 {
                map.set_cost(cell, 1 + draw(&mut random, 4) as u8);
            } else {
                map.set_wall(cell, map.is_free(cell));
            }
            if change % 10 == 0 {
                compare(&mut random, &map);
            }
        }
    }
}

fn compare(random: &mut Random, map: &Map) {
    let (width, height) = (map.width() as usize, map.height() as usize);
    let mut fresh = Map::from_fn(width, height, |cell| !map.is_free(cell)).expect("a map");
    (0..map.cell_count())
        .for_each(|index| _ = fresh.set_cost(map.cell_at(index), map.cost(map.cell_at(index))));
    RULES.iter().for_each(|&rule| fresh.keep_islands(rule));
    fresh.keep_size(3).expect("a size");
    assert_eq!([map.least_cost(), map.greatest_cost()], [fresh.least_cost(), fresh.greatest_cost()]);
    assert_eq!(map.is_uniform(), fresh.is_uniform());
    for (map, fresh) in [(map, &fresh), (map.view(3).expect("kept"), fresh.view(3).expect("kept"))] {
        (0..map.height()).for_each(|y| assert_eq!(map.row(y), fresh.row(y)));
        (0..map.width()).for_each(|x| assert_eq!(map.column(x), fresh.column(x)));
        for index in 0..map.cell_count() {
            assert_eq!(map.cost(map.cell_at(index)), fresh.cost(map.cell_at(index)));
        }
        for rule in RULES {
            // Two labellings agree if their labels correspond one to one.
            let mut pairs: Vec<_> = (0..map.cell_count())
                .map(|index| map.cell_at(index))
                .map(|cell| (map.island(rule, cell), fresh.island(rule, cell)))
                .collect();
            pairs.sort_unstable();
            pairs.dedup();
            let mut sides = [
                pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(),
                pairs.iter().map(|pair| pair.1).collect(),
            ];
            for side in &mut sides {
                side.sort_unstable();
                side.dedup();
                assert_eq!(side.len(), pairs.len(), "{rule:?}");
            }
        }
    }
    let wide = map.view(3).expect("kept");
    let cell = map.cell_at(draw(random, map.cell_count()));
    let covered = |y: i32| (0..3).map(move |x| cell + Cell::new(x, y));
    let expected = (0..3).flat_map(covered).all(|cell| map.is_free(cell));
    assert_eq!(wide.is_free(cell), expected);
    if expected {
        let cost = (0..3).flat_map(covered).map(|cell| map.cost(cell)).max();
        assert_eq!(Some(wide.cost(cell)), cost);
    }
    // Labels agree with paths, and the nearest reachable cell is the nearest of all.
    let rule = RULES[draw(random, 5)];
    if map.is_free(cell) {
        let lengths = lengths_from(map, rule, Scale::FINE, cell, |_| 0);
        let goal = Cell::new(draw(random, 120) as i32 - 15, draw(random, 40) as i32 - 10);
        let distance = |cell: Cell| (cell - goal).length_squared();
        let mut least = i32::MAX;
        for (index, &length) in lengths.iter().enumerate() {
            let other = map.cell_at(index);
            assert_eq!(map.connected_by(rule, cell, other), Some(length < u32::MAX), "{rule:?}");
            if length < u32::MAX {
                least = least.min(distance(other));
            }
        }
        assert_eq!(map.nearest_reachable(rule, cell, goal).map(distance), Some(least));
    }
}
