//! How fast searches are on published maps: `cargo run --release -p carom-nav --example speed [folder of maps]`.
//!
//! Prints a table in Markdown: microseconds a query, and nanoseconds an expansion, over whole scenario files. Each query counts
//! with the least time of some rounds, for others may be at work on the machine.

use std::path::{Path as File, PathBuf};
use std::time::Instant;

use carom_nav::grid::Scenario;
use carom_nav::prelude::*;

const MAPS: [&str; 8] =
    ["arena", "den312d", "arena2", "brc202d", "Aurora", "random512-40-0", "16room_000", "maze512-8-0"];

/// All scenarios by a method: microseconds a query, expansions a query, nanoseconds an expansion.
fn measure(map: &Map, scenarios: &[Scenario], method: Method, rounds: usize) -> (f64, f64, f64) {
    let (mut search, mut path) = (Search::default(), Path::default());
    let (mut least, mut expansions) = (vec![f64::MAX; scenarios.len()], 0);
    for _ in 0..rounds {
        expansions = 0;
        for (scenario, least) in scenarios.iter().zip(&mut least) {
            let begin = Instant::now();
            let found = search.path(map, Ask::new(scenario.start, scenario.goal).method(method), &mut path);
            *least = least.min(begin.elapsed().as_secs_f64());
            assert!(found.is_way());
            expansions += search.expansions();
        }
    }
    let least: f64 = least.iter().sum();
    let queries = scenarios.len() as f64;
    (least * 1e6 / queries, expansions as f64 / queries, least * 1e9 / expansions as f64)
}

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = words.next().map_or_else(
        || File::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/movingai"),
        PathBuf::from,
    );
    let only = words.next();
    println!(
        "| map | queries | prepare, ms | JPS, µs | nodes | A*, µs | cells | A*, ns a cell | weighted, ns |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for name in MAPS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let read = |end: &str| std::fs::read_to_string(folder.join(format!("{name}.map{end}")));
        let (Ok(text), Ok(scenarios)) = (read(""), read(".scen")) else {
            println!("| {name} | not in {} |", folder.display());
            continue;
        };
        let map = Map::parse_moving_ai(&text).expect("a map");
        let mut scenarios = Scenario::parse(&scenarios).expect("scenarios");
        let (width, height) = (map.width() as usize, map.height() as usize);
        let mut prepare = f64::MAX;
        for _ in 0..10 {
            let begin = Instant::now();
            let built = Map::from_rows(width, height, |y| map.row(y)).expect("a map");
            prepare = prepare.min(begin.elapsed().as_secs_f64());
            assert!(built.is_free(scenarios[0].start));
        }
        let (jump, nodes, _) = measure(&map, &scenarios, Method::Jump, 5);
        scenarios = scenarios.into_iter().step_by(8).collect();
        let (a_star, cells, each) = measure(&map, &scenarios, Method::AStar, 4);
        let mut dear = map.clone();
        for index in 0..dear.cell_count() {
            dear.set_cost(dear.cell_at(index), 1 + (index * 7 % 13) as u8 / 3);
        }
        let (.., weighted) = measure(&dear, &scenarios, Method::AStar, 4);
        println!(
            "| {name} | {} | {:.2} | {jump:.2} | {nodes:.0} | {a_star:.1} | {cells:.0} | {each:.1} | {weighted:.1} |",
            scenarios.len() * 8,
            prepare * 1e3
        );
    }
}
