//! Published maps with their published lengths, where the variable CAROM_DATA names a folder that
//! has them in `movingai/` (CONTRIBUTING.md says where to get them), and a map of our own.

use std::path::{Path as File, PathBuf};

use carom_nav::grid::Scenario;
use carom_nav::prelude::*;

use crate::common::check_way;

pub(crate) const MAPS: [&str; 8] =
    ["arena", "den312d", "arena2", "brc202d", "Aurora", "random512-40-0", "16room_000", "maze512-8-0"];

/// The folder of published maps; `None`, and a line about it, without the variable.
pub(crate) fn folder() -> Option<PathBuf> {
    let Some(data) = std::env::var_os("CAROM_DATA") else {
        println!("CAROM_DATA is not set: published maps are left out");
        return None;
    };
    Some(PathBuf::from(data).join("movingai"))
}

/// A map and its scenarios.
pub(crate) fn read(folder: &File, name: &str) -> (Map, Vec<Scenario>) {
    let read = |end: &str| std::fs::read_to_string(folder.join(format!("{name}.map{end}"))).expect("a file");
    let map = Map::parse_moving_ai(&read("")).expect("a map");
    (map, Scenario::parse(&read(".scen")).expect("scenarios"))
}

/// A map of our own in the same format, with lengths that a program in another language found.
#[test]
fn lengths_on_a_map_of_our_own_are_right() {
    check(&File::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps"), "thicket", 1);
}

/// Each scenario by jump points and by A*; every fourth in release, every twentieth in builds
/// for debugging. (`nav-versus -- tiles` asks all of them.)
#[test]
fn lengths_are_those_that_were_published() {
    let Some(folder) = folder() else { return };
    let every = if cfg!(debug_assertions) { 20 } else { 4 };
    MAPS.iter().for_each(|name| check(&folder, name, every));
}

/// Tests every `every`th scenario of a map.
fn check(folder: &File, name: &str, every: usize) {
    let (map, scenarios) = read(folder, name);
    let (mut search, mut path) = (Search::default(), Path::default());
    let mut worst: f64 = 0.0;
    for (k, scenario) in scenarios.iter().enumerate().step_by(every) {
        let ask = Ask::new(scenario.start, scenario.goal);
        let mut units = None;
        for method in [Method::Jump, Method::AStar] {
            let ask = ask.method(method);
            let Found::Way { cost } = search.path(&map, ask, &mut path) else {
                panic!("{name}, scenario {k}")
            };
            let (straight, diagonal) = check_way(&map, &ask, &path, cost);
            let length = f64::from(straight) + f64::from(diagonal) * 2_f64.sqrt();
            let error = (length - scenario.length).abs() / scenario.length.max(1.0);
            worst = worst.max(error);
            assert!(error < 5e-5, "{name}, scenario {k}: {length}, not {}", scenario.length);
            assert!((cost.cells() - length).abs() <= 5e-7 * length);
            assert_eq!(*units.get_or_insert(cost.units), cost.units, "{name}, scenario {k}");
        }
    }
    println!("{name}: {} scenarios, greatest error {worst:.1e}", scenarios.len().div_ceil(every));
}
