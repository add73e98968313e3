//! Tests of paths by two tiers against shortest ones.

use carom_nav::prelude::*;
use testkit::random::Random;

use crate::common::{check_way, draw, free_cell};
use crate::moving_ai::{MAPS, folder, read};

/// A path is found if and only if there is one, legal and no shorter than the shortest; on maps
/// that change, of several sizes, with costs, and with one tier for all requests.
#[test]
fn two_tiers_find_what_one_finds() {
    let mut random = Random::new(51);
    let (mut search, mut path) = (Search::default(), Path::default());
    let rules = [Rule::Four, Rule::Eight(Corners::Never), Rule::Eight(Corners::OneFree)];
    let (mut ways, mut sum, mut best, mut worst) = (0, 0.0, 0.0, 1_f64);
    for round in 0..if cfg!(debug_assertions) { 24 } else { 300 } {
        let (width, height) = (40 + draw(&mut random, 120), 40 + draw(&mut random, 120));
        let density = [5, 25, 38][round % 3];
        let mut map = Map::from_fn(width, height, |_| draw(&mut random, 100) < density).expect("a map");
        map.keep_size(2).expect("a size");
        if round % 4 == 3 {
            (0..width * height / 3).for_each(|_| {
                let cell = map.cell_at(draw(&mut random, width * height));
                map.set_cost(cell, 1 + draw(&mut random, 5) as u8);
            });
        }
        let mut tier = Tier::default();
        let (rule, size) = (rules[round / 3 % 3], 1 + (round / 2 % 2) as u8);
        for question in 0..12 {
            let view = map.view(size).expect("it is kept").clone();
            let (Some(start), Some(goal)) = (free_cell(&mut random, &view), free_cell(&mut random, &view))
            else {
                continue;
            };
            // Some requests go to the goal of earlier ones.
            for start in [start, Cell::new(goal.y % map.width(), goal.x % map.height())] {
                let ask = Ask::new(start, goal).rule(rule).size(size);
                let shortest = search.path(&map, ask, &mut path);
                let found = tier.path(&map, &mut search, ask, &mut path);
                let (Found::Way { cost }, Some(least)) = (found, shortest.cells()) else {
                    assert_eq!(found, shortest, "{ask:?}");
                    continue;
                };
                check_way(&view, &ask, &path, cost);
                assert!(!path.is_stale(&map) && cost.cells() >= least);
                (ways, sum, best) = (ways + 1, sum + cost.cells(), best + least);
                worst = worst.max(cost.cells() / least);
            }
            if question % 2 == 0 {
                let cell = map.cell_at(draw(&mut random, map.cell_count()));
                map.set_wall(cell, map.is_free(cell));
            }
        }
    }
    println!("{ways} ways, {:.4} x the shortest in sum, {worst:.3} x at worst", sum / best);
    assert!(ways > 100 && sum <= 1.02 * best && worst < 1.3);
}

/// On published maps: at most 1.01 x the length in the mean and 1.07 x at worst; in sum at most a
/// tenth of the expansions of A*.
#[test]
fn long_ways_take_a_tenth_of_the_expansions() {
    let Some(folder) = folder() else { return };
    let count = if cfg!(debug_assertions) { 50 } else { 400 };
    for name in MAPS {
        let (map, scenarios) = read(&folder, name);
        let every = scenarios.len().div_ceil(count);
        let (mut search, mut path, mut tier) = (Search::default(), Path::default(), Tier::default());
        let (mut plain, mut tiered, mut ratios, mut worst, mut count) = (0, 0, 0.0, 1_f64, 0);
        for scenario in scenarios.iter().step_by(every).filter(|scenario| scenario.length > 0.0) {
            let ask = Ask::new(scenario.start, scenario.goal).method(Method::AStar);
            let shortest = search.path(&map, ask, &mut path).cells().expect("a way");
            plain += search.expansions();
            let Found::Way { cost } = tier.path(&map, &mut search, ask, &mut path) else {
                panic!("{name}: no way")
            };
            tiered += tier.expansions();
            check_way(&map, &ask, &path, cost);
            (ratios, count) = (ratios + cost.cells() / shortest, count + 1);
            worst = worst.max(cost.cells() / shortest);
        }
        let mean = ratios / f64::from(count);
        let fewer = plain as f64 / tiered as f64;
        println!("{name}: {fewer:.1} x fewer, {mean:.4} x as long in the mean, {worst:.3} x at worst");
        assert!(mean <= 1.01 && worst <= 1.07, "{name}");
        assert!(fewer >= 10.0, "{name}");
    }
}
