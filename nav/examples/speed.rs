//! Times of searches on published maps: `cargo run --release -p carom-nav --example speed [folder
//! of maps [map [each]]]`.
//!
//! Without a folder the maps are those in `movingai/` of the folder that CAROM_DATA names;
//! CONTRIBUTING.md says where to get them. Without that variable there is one small map.
//!
//! Prints a table in Markdown: microseconds a query, and nanoseconds an expansion, over every tenth
//! query of scenario files. Each query counts with the least time of some rounds, or a round with
//! its time on the processor, because other programs may run on the machine.

use std::path::{Path as File, PathBuf};
use std::time::Instant;

use carom_nav::grid::Scenario;
use carom_nav::prelude::*;

const MAPS: [&str; 8] =
    ["arena", "den312d", "arena2", "brc202d", "Aurora", "random512-40-0", "16room_000", "maze512-8-0"];

/// One query among this many is measured.
const EVERY: usize = 10;

/// Makes cells walls and free again, all over a map: the median and the 99th of 100, in nanoseconds
/// a change.
fn edits(map: &mut Map) -> (f64, f64) {
    let mut times = Vec::new();
    for k in 0..20_000 {
        let cell = map.cell_at(k * 7919 % map.cell_count());
        let wall = map.is_free(cell);
        let begin = Instant::now();
        map.set_wall(cell, wall);
        map.set_wall(cell, !wall);
        times.push(begin.elapsed().as_secs_f64() * 1e9 / 2.0);
    }
    times.sort_unstable_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Nanoseconds of the answer that there is no path.
fn unreachable(map: &mut Map) -> f64 {
    let goal =
        (0..map.cell_count()).map(|at| map.cell_at(at)).rfind(|&cell| map.is_free(cell)).expect("free land");
    let start =
        (0..map.cell_count()).map(|at| map.cell_at(at)).find(|&cell| map.is_free(cell)).expect("free land");
    for k in 0..9 {
        let beside = goal + Cell::new(k % 3 - 1, k / 3 - 1);
        map.set_wall(beside, beside != goal);
    }
    let (mut search, mut path, mut least) = (Search::default(), Path::default(), f64::MAX);
    for _ in 0..100 {
        let begin = Instant::now();
        for _ in 0..1_000 {
            assert_eq!(search.path(map, Ask::new(start, goal), &mut path), Found::None);
        }
        least = least.min(begin.elapsed().as_secs_f64() * 1e6);
    }
    least
}

/// Runs all scenarios by a method: microseconds a query, expansions a query, nanoseconds an
/// expansion.
///
/// Short rounds count each query with its least time, long rounds their time on the processor: on a
/// busy machine other programs interrupt every query of milliseconds.
fn measure(map: &Map, scenarios: &[Scenario], method: Method, rounds: usize) -> (f64, f64, f64) {
    let (mut search, mut path) = (Search::default(), Path::default());
    let (mut least, mut expansions) = (vec![f64::MAX; scenarios.len()], 0);
    let mut spent = f64::MAX;
    for _ in 0..rounds {
        expansions = 0;
        let before = on_processor();
        for (scenario, least) in scenarios.iter().zip(&mut least) {
            let begin = Instant::now();
            let found = search.path(map, Ask::new(scenario.start, scenario.goal).method(method), &mut path);
            *least = least.min(begin.elapsed().as_secs_f64());
            assert!(found.is_way());
            expansions += search.expansions();
        }
        if let Some((before, now)) = before.zip(on_processor()) {
            spent = spent.min(now - before);
        }
    }
    let least: f64 = least.iter().sum();
    // The system counts time on the processor in parts of some milliseconds.
    let seconds = if least > 0.05 { least.min(spent) } else { least };
    let queries = scenarios.len() as f64;
    (seconds * 1e6 / queries, expansions as f64 / queries, seconds * 1e9 / expansions as f64)
}

/// Prints the nanoseconds of each query of a map by jump points, the least of five rounds, one a
/// line: for comparison with the output of other programs.
fn each(map: &Map, scenarios: &[Scenario]) {
    let (mut search, mut path) = (Search::default(), Path::default());
    let mut least = vec![u128::MAX; scenarios.len()];
    for _ in 0..5 {
        for (scenario, least) in scenarios.iter().zip(&mut least) {
            let begin = Instant::now();
            let found = search.path(map, Ask::new(scenario.start, scenario.goal), &mut path);
            *least = begin.elapsed().as_nanos().min(*least);
            assert!(found.is_way());
        }
    }
    least.iter().for_each(|least| println!("{least}"));
}

/// Seconds that this program has been on a processor, if the system reports them.
fn on_processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// The folder of maps, and their names.
fn maps(told: Option<String>) -> (PathBuf, &'static [&'static str]) {
    let data = || std::env::var_os("CAROM_DATA").map(|data| PathBuf::from(data).join("movingai"));
    match told.map(PathBuf::from).or_else(data) {
        Some(folder) => (folder, &MAPS),
        None => (File::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps"), &["thicket"]),
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let (folder, names) = maps(words.next());
    let (only, is_each) = (words.next(), words.next().is_some_and(|word| word == "each"));
    if let (true, Some(name)) = (is_each, &only) {
        let read =
            |end: &str| std::fs::read_to_string(folder.join(format!("{name}.map{end}"))).expect("a file");
        let scenarios = Scenario::parse(&read(".scen")).expect("scenarios");
        each(&Map::parse_moving_ai(&read("")).expect("a map"), &scenarios);
        return;
    }
    println!(
        "| map | queries | prepare, ms | JPS, µs | nodes | A*, µs | cells | A*, ns a cell | weighted, ns a cell | edit, ns | p99 | no way, ns |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for &name in names {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let read = |end: &str| std::fs::read_to_string(folder.join(format!("{name}.map{end}")));
        let (Ok(text), Ok(scenarios)) = (read(""), read(".scen")) else {
            println!("| {name} | not in {} |", folder.display());
            continue;
        };
        let mut map = Map::parse_moving_ai(&text).expect("a map");
        let mut scenarios = Scenario::parse(&scenarios).expect("scenarios");
        let (width, height) = (map.width() as usize, map.height() as usize);
        let mut prepare = f64::MAX;
        for _ in 0..10 {
            let begin = Instant::now();
            let built = Map::from_rows(width, height, |y| map.row(y)).expect("a map");
            prepare = prepare.min(begin.elapsed().as_secs_f64());
            assert!(built.is_free(scenarios[0].start));
        }
        let queries = scenarios.len();
        scenarios = scenarios.into_iter().step_by(EVERY).collect();
        let (jump, nodes, _) = measure(&map, &scenarios, Method::Jump, 9);
        let (a_star, cells, each) = measure(&map, &scenarios, Method::AStar, 5);
        let mut dear = map.clone();
        for index in 0..dear.cell_count() {
            // Patches of 8 x 8 cells of cost 1 to 5.
            let patch = dear.cell_at(index) / 8;
            let cost = 1 + ((patch.x * 7 + patch.y * 11) % 13) as u8 / 3;
            dear.set_cost(dear.cell_at(index), cost);
        }
        let (.., weighted) = measure(&dear, &scenarios, Method::AStar, 5);
        let (edit, late) = edits(&mut map);
        let none = unreachable(&mut map);
        println!(
            "| {name} | {} | {:.2} | {jump:.2} | {nodes:.0} | {a_star:.1} | {cells:.0} | {each:.1} | {weighted:.1} | {edit:.0} | {late:.0} | {none:.0} |",
            queries,
            prepare * 1e3
        );
    }
}
