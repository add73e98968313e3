//! A turn of a tactics game: where a unit can go among enemies and allies, what it can strike, and
//! where the enemies can.
//!
//! ```text
//! cargo run --release -p carom-examples --example nav_tactics      out/nav_tactics.svg
//!
//! left    the range of the unit in the middle: points left by the shade, a way back, and what can
//!         be struck with line of sight
//! right   how many of the enemies can strike each cell in their next turn
//! ```

use std::error::Error;

use carom::Vec2;
use carom_nav::field::{Occupied, Reach, Sight, Striker, Zone};
use carom_nav::prelude::*;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, RED, Style, Svg};

/// Walls `#`, swamp `~` at 2 points, hills `^` at 3; the unit `@`, allies `a`, enemies `e`.
const LEVEL: &str = "\
########################
#..........~~..........#
#...##.....~~~....##...#
#...##......~~....##...#
#..........~~......e...#
#.....^^^.......###....#
#....^^^^^......#......#
#.....^^^...a...#..e...#
#.......e...@...#......#
#..###.....a....#......#
#....#..........#.e....#
#....#...##............#
#....#...##....~~......#
#.......e.....~~~~.....#
#..............~~......#
########################";

const POINTS: u32 = 7;

struct Level {
    map: Map,
    unit: Cell,
    allies: Vec<Cell>,
    enemies: Vec<Cell>,
}

fn level() -> Result<Level, Box<dyn Error>> {
    let lines: Vec<&[u8]> = LEVEL.lines().map(str::as_bytes).collect();
    let (width, height) = (lines[0].len(), lines.len());
    // The first line is the upper one.
    let sign = |cell: Cell| lines[height - 1 - cell.y as usize][cell.x as usize];
    let mut map = Map::from_fn(width, height, |cell| sign(cell) == b'#')?;
    let (mut unit, mut allies, mut enemies) = (Cell::ZERO, Vec::new(), Vec::new());
    for at in 0..map.cell_count() {
        let cell = map.cell_at(at);
        match sign(cell) {
            b'~' => drop(map.set_cost(cell, 2)),
            b'^' => drop(map.set_cost(cell, 3)),
            b'@' => unit = cell,
            b'a' => allies.push(cell),
            b'e' => enemies.push(cell),
            _ => {}
        }
    }
    Ok(Level { map, unit, allies, enemies })
}

fn main() -> Result<(), Box<dyn Error>> {
    let Level { map, unit, allies, enemies } = level()?;
    let mut reach = Reach::default().rule(Rule::Four);
    let ours = Occupied { enemies: &enemies, allies: &allies, zones: Zone::Stops, ..Occupied::default() };
    reach.fill(&map, unit, POINTS, &ours);
    let mut targets = Vec::new();
    reach.attack(&map, 1..=3, Sight::Needed, &mut targets);
    println!("{} cells in range, {} of them to stop on", reach.cells().len(), reach.stops().count());
    let hit: Vec<Cell> = enemies.iter().copied().filter(|enemy| targets.contains(enemy)).collect();
    println!("{} of {} enemies can be struck at 1 to 3", hit.len(), enemies.len());

    let width = map.width() as f32;
    let mut page =
        Svg::new(Vec2::new(-1.0, -2.5), Vec2::new(2.0 * width + 3.0, map.height() as f32 + 2.0), 22.0);
    land(&mut page, &map);
    for &cell in reach.cells() {
        let left = reach.left(cell).unwrap_or(0) as f32 / POINTS as f32;
        let color = if reach.can_stop(cell) { BLUE } else { GREY };
        tile(&mut page, cell, Style { opacity: 0.25 + 0.55 * left, ..Style::flat(color) });
    }
    for &cell in targets.iter().filter(|cell| reach.left(**cell).is_none()) {
        tile(&mut page, cell, Style { opacity: 0.18, ..Style::flat(RED) });
    }
    let farthest = reach.stops().min_by_key(|cell| cell.x * 100 - cell.y).unwrap_or(unit);
    let mut way = Vec::new();
    reach.way(farthest, &mut way);
    let way: Vec<Vec2> = way.into_iter().map(middle).collect();
    page.polyline(&way, Style { width: 3.0, ..Style::outline(INK) });
    for &cell in reach.cells() {
        let left = reach.left(cell).unwrap_or(0).to_string();
        page.text(middle(cell) + Vec2::new(-0.42, -0.4), 8.0, &left, Style::flat(INK));
    }
    units(&mut page, unit, &allies, &enemies);
    for &enemy in &hit {
        page.circle(middle(enemy), 0.46, Style { width: 2.0, ..Style::outline(INK) });
    }
    legend(&mut page, "7 points; next to an enemy a move ends; red: in range to strike, ringed: who is");

    let strikers: Vec<Striker> =
        enemies.iter().map(|&cell| Striker { cell, points: 4, range: 1..=1 }).collect();
    let (mut threat, party) = (Vec::new(), [&allies[..], &[unit]].concat());
    let theirs = Occupied { enemies: &party, allies: &enemies, ..Occupied::default() };
    reach.threat(&map, &strikers, &theirs, Sight::Ignored, &mut threat);
    println!(
        "{} cells are safe",
        (0..threat.len()).filter(|at| threat[*at] == 0 && map.is_free(map.cell_at(*at))).count()
    );
    page.shifted(Vec2::X * (width + 2.0), |page| {
        land(page, &map);
        for (at, &count) in threat.iter().enumerate().filter(|(_, count)| **count > 0) {
            let opacity = 0.15 + 0.2 * f32::from(count);
            tile(page, map.cell_at(at), Style { opacity, ..Style::flat(ORANGE) });
            page.text(
                middle(map.cell_at(at)) + Vec2::new(-0.42, -0.4),
                8.0,
                &count.to_string(),
                Style::flat(INK),
            );
        }
        units(page, unit, &allies, &enemies);
        legend(page, "how many enemies can strike here in their next turn: 4 points, then 1 cell");
    });
    page.save("out/nav_tactics.svg")?;
    Ok(())
}

fn middle(cell: Cell) -> Vec2 {
    cell.as_vec2() + 0.5
}

fn tile(page: &mut Svg, cell: Cell, style: Style) {
    page.rect(cell.as_vec2() + 0.04, cell.as_vec2() + 0.96, style);
}

fn land(page: &mut Svg, map: &Map) {
    for at in 0..map.cell_count() {
        let cell = map.cell_at(at);
        let color = match (map.is_free(cell), map.cost(cell)) {
            (false, _) => "#57606a",
            (_, 2) => "#d6e4d0",
            (_, 3) => "#eadfc8",
            _ => "#f4f6f8",
        };
        tile(page, cell, Style::flat(color));
    }
}

fn units(page: &mut Svg, unit: Cell, allies: &[Cell], enemies: &[Cell]) {
    let all = allies.iter().map(|cell| (cell, GREEN)).chain(enemies.iter().map(|cell| (cell, RED)));
    for (&cell, color) in all.chain([(&unit, BLUE)]) {
        page.circle(middle(cell), 0.32, Style { opacity: 1.0, ..Style::body(color) });
    }
}

fn legend(page: &mut Svg, text: &str) {
    page.text(Vec2::new(0.0, -1.2), 12.0, text, Style::flat(INK));
}
