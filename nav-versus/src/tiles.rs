//! Published maps: microseconds a query, and wrong answers.
//!
//! Each search answers all queries again and again for a fifth of a second, three times at least;
//! what counts is the least time of a round if that is short, else the mean time on the processor.
//! An answer is wrong if its length is not the published one within 5e-5: eight directions, no
//! corner cut. grid_pathfinding cuts corners, so its lengths are held against carom-nav's under the
//! rule that it follows.

use std::path::Path as File;

use carom_nav::prelude::*;
use condor::{AStar, Pathfinder, SearchRequest};
use grid_pathfinding::PathingGrid;
use grid_util::grid::{BoolGrid, ValueGrid};
use grid_util::point::Point;
use pathfinding::prelude::astar;

use crate::{least, mean, names, read, timed};

/// Times of one search over all queries, and wrong answers.
#[derive(Clone, Copy, Default)]
struct Sum {
    micros: f64,
    expansions: u64,
    wrong: usize,
    /// The sum of lengths, each by the right one.
    longer: f64,
}

impl Sum {
    /// `search` answers the question of a number: how many cells it expanded.
    fn of(questions: usize, mut search: impl FnMut(usize) -> u64) -> Sum {
        let mut pass = || (0..questions).map(&mut search).sum();
        let (first, expansions) = timed(&mut pass);
        let rounds = (2e5 / first).clamp(1.0, 1e5) as usize;
        // The system counts time on the processor in parts of some milliseconds.
        let (micros, _) = if first < 3e3 { least(rounds, pass) } else { mean(rounds.max(3), pass) };
        Sum { micros, expansions, ..Sum::default() }
    }

    fn check(&mut self, length: Option<f64>, right: f64) {
        self.wrong += usize::from(length.is_none_or(|length| (length - right).abs() > 5e-5 * right.max(1.0)));
        self.longer += length.unwrap_or(0.0).max(1.0) / right.max(1.0);
    }
}

/// The length of a list of cells, or of the cells where a way turns: straight and diagonal steps.
fn length(cells: impl Iterator<Item = Cell>) -> f64 {
    let mut before = None::<Cell>;
    cells.fold(0.0, |sum, cell| {
        let (straight, diagonal) = Rule::default().steps(before.replace(cell).unwrap_or(cell), cell);
        sum + f64::from(straight) + f64::from(diagonal) * 2_f64.sqrt()
    })
}

/// A* of pathfinding, with the same integers and estimate as carom-nav's.
pub(crate) fn rival_astar(map: &Map, rule: Rule, start: Cell, goal: Cell) -> Option<(Vec<Cell>, u32)> {
    let Scale { straight, diagonal } = Scale::FINE;
    astar(
        &start,
        |&cell| {
            let open = map.moves(rule, cell);
            (0..8).filter(move |d| open >> d & 1 != 0).map(move |d| {
                let step = if rule.is_diagonal(d) { diagonal } else { straight };
                (cell + DIRECTIONS[d], u32::from(step))
            })
        },
        |&cell| {
            let (columns, diagonals) = rule.steps(cell, goal);
            Scale::FINE.sum(columns, diagonals)
        },
        |&cell| cell == goal,
    )
}

/// grid_pathfinding's own map.
pub(crate) fn rival_grid(map: &Map) -> PathingGrid {
    let (width, height) = (map.width(), map.height());
    let mut walls = BoolGrid::new(width as usize, height as usize, false);
    (0..height).for_each(|y| (0..width).for_each(|x| walls.set(x, y, !map.is_free([x, y]))));
    let mut grid: PathingGrid = ValueGrid::new(width as usize, height as usize, true);
    grid.grid = walls;
    grid.initialize();
    grid.generate_components();
    grid
}

pub(crate) fn rival_jumps(grid: &PathingGrid, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
    let point = |cell: Cell| Point::new(cell.x, cell.y);
    let way = grid.get_waypoints_single_goal(point(start), point(goal), false)?;
    Some(way.into_iter().map(|point| Cell::new(point.x, point.y)).collect())
}

pub(crate) fn run(folder: &File, every: usize) {
    println!("## Tiles: µs a query (wrong answers)\n");
    println!("Every {every}th scenario.\n");
    println!(
        "| map | queries | A* | ns a cell | pathfinding | × | JPS | grid_pathfinding | × | two tiers | × fewer cells | × length |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let (mut quicker, mut jumped, mut maps) = (0.0, 0.0, 0);
    for &name in names(folder) {
        let Some((map, scenarios)) = read(folder, name) else { continue };
        let [ratio, jumps] = table(name, &map, &scenarios, every);
        (quicker, jumped, maps) = (quicker + ratio.ln(), jumped + jumps.ln(), maps + 1);
    }
    if maps > 0 {
        let mean = |sum: f64| (sum / f64::from(maps)).exp();
        println!(
            "\nGeometric means: A* {:.1} × pathfinding, JPS {:.1} × grid_pathfinding.\n",
            mean(quicker),
            mean(jumped)
        );
    }
}

/// condor's own map. It knows four neighbours, and steps that all cost the same.
fn rival_squares(map: &Map) -> Option<condor::Grid> {
    let mut grid = condor::Grid::new(map.width() as usize, map.height() as usize).ok()?;
    for cell in (0..map.cell_count()).map(|index| map.cell_at(index)).filter(|&cell| !map.is_free(cell)) {
        grid.set_cell(square(cell), condor::Cell::Blocked).ok()?;
    }
    Some(grid)
}

fn square(cell: Cell) -> condor::Point {
    condor::Point::new(cell.x as usize, cell.y as usize)
}

/// How many steps condor's A* says that a way has.
fn rival_steps(grid: &condor::Grid, start: Cell, goal: Cell) -> Option<usize> {
    let found = AStar.search(grid, SearchRequest::new(square(start), square(goal))).ok()?;
    found.path().map(condor::Path::cost)
}

/// Four neighbours, beside condor: an answer is wrong if it is not what pathfinding says.
pub(crate) fn run_four(folder: &File, every: usize) {
    println!("## Tiles with four neighbours: µs a query (wrong answers)\n");
    println!("Every {every}th scenario.\n");
    println!("| map | queries | A* | condor | × |\n|---|---|---|---|---|");
    for &name in names(folder) {
        let Some((map, scenarios)) = read(folder, name) else { continue };
        let Some(grid) = rival_squares(&map) else { continue };
        let asks: Vec<Ask> = scenarios
            .iter()
            .step_by(every)
            .map(|scenario| Ask::new(scenario.start, scenario.goal).rule(Rule::Four))
            .collect();
        let (mut search, mut path) = (Search::default(), Path::default());
        let mut mine = Sum::of(asks.len(), |k| {
            _ = search.path(&map, asks[k], &mut path);
            search.expansions()
        });
        let mut its =
            Sum::of(asks.len(), |k| u64::from(rival_steps(&grid, asks[k].start, asks[k].goal).is_some()));
        for ask in &asks {
            let right = rival_astar(&map, Rule::Four, ask.start, ask.goal).map(|(cells, _)| cells.len() - 1);
            let right = right.map_or(f64::NAN, |steps| steps as f64);
            let found = search.path(&map, *ask, &mut path);
            mine.check(found.is_way().then(|| path.cells().count() as f64 - 1.0), right);
            its.check(rival_steps(&grid, ask.start, ask.goal).map(|steps| steps as f64), right);
        }
        let queries = asks.len() as f64;
        println!(
            "| {name} | {queries} | {:.1} ({}) | {:.1} ({}) | {:.1} |",
            mine.micros / queries,
            mine.wrong,
            its.micros / queries,
            its.wrong,
            its.micros / mine.micros
        );
    }
    println!();
}

fn table(name: &str, map: &Map, scenarios: &[Scenario], every: usize) -> [f64; 2] {
    let (mut search, mut path, mut tier) = (Search::default(), Path::default(), Tier::default());
    let grid = rival_grid(map);
    let scenarios: Vec<Scenario> = scenarios.iter().copied().step_by(every).collect();
    let count = scenarios.len();
    let ask = |k: usize| Ask::new(scenarios[k].start, scenarios[k].goal);
    let [mut cells, mut jumps] = [Method::AStar, Method::Jump].map(|method| {
        Sum::of(count, |k| {
            _ = search.path(map, ask(k).method(method), &mut path);
            search.expansions()
        })
    });
    // With chunks made before, but for each goal anew.
    let mut tiers = Sum::of(count, |k| {
        _ = tier.path(map, &mut search, ask(k), &mut path);
        tier.expansions()
    });
    let mut rival =
        Sum::of(count, |k| u64::from(rival_astar(map, ask(k).rule, ask(k).start, ask(k).goal).is_some()));
    let mut rival_jump =
        Sum::of(count, |k| u64::from(rival_jumps(&grid, ask(k).start, ask(k).goal).is_some()));
    for (k, scenario) in scenarios.iter().enumerate() {
        for (sum, method) in [(&mut cells, Method::AStar), (&mut jumps, Method::Jump)] {
            let found = search.path(map, ask(k).method(method), &mut path);
            sum.check(found.is_way().then(|| length(path.cells())), scenario.length);
        }
        let found = tier.path(map, &mut search, ask(k), &mut path);
        tiers.check(found.is_way().then(|| length(path.cells())), scenario.length);
        let way = rival_astar(map, ask(k).rule, ask(k).start, ask(k).goal);
        rival.check(way.map(|(cells, _)| length(cells.into_iter())), scenario.length);
        let cut = search.path(map, ask(k).corners(Corners::Always), &mut path);
        let right = if cut.is_way() { length(path.cells()) } else { f64::NAN };
        let way = rival_jumps(&grid, ask(k).start, ask(k).goal);
        rival_jump.check(way.map(|cells| length(cells.into_iter())), right);
    }
    let queries = count as u32;
    let each = |sum: Sum| format!("{:.1} ({})", sum.micros / f64::from(queries), sum.wrong);
    let (ratio, jump_ratio) = (rival.micros / cells.micros, rival_jump.micros / jumps.micros);
    println!(
        "| {name} | {queries} | {} | {:.0} | {} | {ratio:.1} | {} | {} | {jump_ratio:.1} | {} | {:.1} | {:.4} |",
        each(cells),
        cells.micros * 1e3 / cells.expansions as f64,
        each(rival),
        each(jumps),
        each(rival_jump),
        format_args!("{:.1}", tiers.micros / f64::from(queries)),
        cells.expansions as f64 / tiers.expansions as f64,
        tiers.longer / f64::from(queries),
    );
    [ratio, jump_ratio]
}
