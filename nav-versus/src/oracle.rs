//! Random maps: every length of carom-nav against pathfinding's.

use std::time::Instant;

use carom_nav::prelude::*;
use testkit::random::Random;

use crate::tiles::rival_astar;

const RULES: [Rule; 5] = [
    Rule::Four,
    Rule::Eight(Corners::Never),
    Rule::Eight(Corners::OneFree),
    Rule::Eight(Corners::Always),
    Rule::Six,
];

fn draw(random: &mut Random, below: usize) -> usize {
    (random.bits() % below as u64) as usize
}

/// A* and Dijkstra under all rules, jump points where they apply, a field, and two tiers, on so
/// many maps of up to 40 cells a side.
pub(crate) fn run(maps: usize) {
    println!("## Random maps against pathfinding\n");
    let (mut random, begin) = (Random::new(2026), Instant::now());
    let (mut search, mut path, mut tier) = (Search::default(), Path::default(), Tier::default());
    // A*, Dijkstra, jump points, field, two tiers that are found or not.
    let (mut asked, mut wrong, mut ways) = ([0_u64; 5], [0_u64; 5], 0_u64);
    for round in 0..maps {
        let (width, height) = (1 + draw(&mut random, 40), 1 + draw(&mut random, 40));
        let density = [5, 20, 35, 45][round % 4];
        let Ok(map) = Map::from_fn(width, height, |_| draw(&mut random, 100) < density) else { continue };
        let mut free = || {
            (0..50).map(|_| map.cell_at(draw(&mut random, map.cell_count()))).find(|&cell| map.is_free(cell))
        };
        let (Some(start), Some(goal)) = (free(), free()) else { continue };
        let rule = RULES[round / 4 % 5];
        let right = rival_astar(&map, rule, start, goal).map(|(_, units)| units);
        ways += u64::from(right.is_some());
        let ask = Ask::new(start, goal).rule(rule);
        let mut check = |which: usize, units: Option<u32>| {
            asked[which] += 1;
            wrong[which] += u64::from(units != right);
        };
        let units = |found: Found| match found {
            Found::Way { cost } => Some(cost.units),
            _ => None,
        };
        check(0, units(search.path(&map, ask.method(Method::AStar), &mut path)));
        check(1, units(search.path(&map, ask.method(Method::Dijkstra), &mut path)));
        if rule == Rule::default() {
            check(2, units(search.path(&map, ask.method(Method::Jump), &mut path)));
        }
        let mut flow = Flow::to(&[goal]).rule(rule);
        flow.until(&map, &[start]);
        check(3, flow.distance(start).map(|length| length.units));
        if matches!(rule, Rule::Four | Rule::Eight(Corners::Never | Corners::OneFree)) {
            let found = tier.path(&map, &mut search, ask, &mut path).is_way();
            check(4, right.filter(|_| found));
        }
    }
    println!(
        "{maps} maps of up to 40 × 40 cells, 5 to 45 % walls, {ways} ways, {:.0} s.\n",
        begin.elapsed().as_secs_f64()
    );
    println!("| | asked | wrong answers |\n|---|---|---|");
    let names = ["A*", "Dijkstra", "jump points", "field", "two tiers (found or not)"];
    for (name, (asked, wrong)) in names.into_iter().zip(asked.into_iter().zip(wrong)) {
        println!("| {name} | {asked} | {wrong} |");
    }
    println!();
}
