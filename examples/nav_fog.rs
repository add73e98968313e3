//! Two scouts in unknown land: they share what they see, and look for a new way only when news lie
//! on the old one.
//!
//! ```text
//! cargo run --release -p carom-examples --example nav_fog      out/nav_fog.svg
//!
//! four moments, one below and beside the other: grey is what neither has seen, and counts as free
//! for both; thin lines are the ways that they walked, broad ones those they mean to go
//! ```
//!
//! Prints how many cells the scouts' searches expanded, and how many as many plain ones would have,
//! one at each step.

use std::error::Error;

use carom_nav::prelude::*;
use testkit::draw::svg::{BLUE, GREY, INK, RED, Style, Svg};
use testkit::random::Random;

const WIDTH: i32 = 56;
const HEIGHT: i32 = 30;
const SIGHT: i32 = 6;
/// When it is drawn, in steps.
const MOMENTS: [usize; 4] = [0, 20, 45, 1_000];
/// From panel to panel, and room for letters.
const STEP: [f32; 2] = [60.0, 36.0];

struct Scout {
    cell: Cell,
    goal: Cell,
    plans: Adaptive,
    path: Path,
    /// What is ahead, the next cell last; and what lies behind.
    way: Vec<Cell>,
    walked: Vec<Cell>,
    has_way: bool,
}

impl Scout {
    fn new(cell: impl Into<Cell>, goal: impl Into<Cell>) -> Scout {
        let (cell, goal) = (cell.into(), goal.into());
        let plans = Adaptive::new(Rule::default(), goal);
        let walked = vec![cell];
        Scout { cell, goal, plans, path: Path::default(), way: Vec::new(), walked, has_way: false }
    }

    /// Looks around, and for a way if there is none, or news lie on it. How many cells were
    /// expanded.
    fn look(&mut self, map: &Map, known: &mut Known) -> u64 {
        known.see(map, self.cell, SIGHT);
        if self.has_way && !known.is_news_on(&self.path) {
            return 0;
        }
        self.has_way = self.plans.path(known.land(), self.cell, &mut self.path).is_way();
        self.way.clear();
        self.way.extend(self.path.cells().skip(1));
        self.way.reverse();
        self.plans.expansions()
    }

    fn walk(&mut self) {
        if let Some(next) = self.way.pop() {
            self.cell = next;
            self.walked.push(next);
        }
    }
}

/// Walls of some cells here and there, and free land at the corners.
fn land(random: &mut Random) -> Result<Map, MapError> {
    let mut map = Map::new(WIDTH as usize, HEIGHT as usize)?;
    for _ in 0..105 {
        let at = Cell::new((random.bits() % 56) as i32, (random.bits() % 30) as i32);
        let along = if random.bits().is_multiple_of(2) { Cell::X } else { Cell::Y };
        (0..2 + (random.bits() % 7) as i32).for_each(|k| _ = map.set_wall(at + along * k, true));
    }
    for corner in [[0, 0], [WIDTH - 4, 0], [0, HEIGHT - 4], [WIDTH - 4, HEIGHT - 4]] {
        (0..16).for_each(|k| _ = map.set_wall(Cell::from(corner) + Cell::new(k % 4, k / 4), false));
    }
    Ok(map)
}

/// Cells of one kind, each run of a row at once.
fn runs(svg: &mut Svg, is_one: impl Fn(Cell) -> bool, style: Style) {
    svg.open(style);
    for y in 0..HEIGHT {
        let mut x = 0;
        while x < WIDTH {
            let start = x;
            while x < WIDTH && is_one(Cell::new(x, y)) {
                x += 1;
            }
            if x > start {
                svg.rect(Cell::new(start, y).as_vec2(), Cell::new(x, y + 1).as_vec2(), Style::INHERITED);
            }
            x += 1;
        }
    }
    svg.close();
}

fn draw(svg: &mut Svg, map: &Map, known: &Known, scouts: &[Scout]) {
    svg.rect(
        [0.0; 2].into(),
        [WIDTH as f32, HEIGHT as f32].into(),
        Style { width: 1.0, ..Style::outline(GREY) },
    );
    runs(svg, |cell| !known.is_seen(cell), Style { opacity: 0.35, ..Style::flat(GREY) });
    runs(svg, |cell| known.is_seen(cell) && !map.is_free(cell), Style::flat(INK));
    for (scout, color) in scouts.iter().zip([BLUE, RED]) {
        let line = |cells: &[Cell]| -> Vec<_> { cells.iter().map(|cell| cell.as_vec2() + 0.5).collect() };
        svg.polyline(&line(&scout.walked), Style { width: 1.0, ..Style::outline(color) });
        let mut ahead = scout.way.clone();
        ahead.push(scout.cell);
        svg.polyline(&line(&ahead), Style { width: 2.5, opacity: 0.5, ..Style::outline(color) });
        [scout.cell, scout.goal].iter().for_each(|end| svg.dot(end.as_vec2() + 0.5, color));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let map = land(&mut Random::new(3))?;
    let mut known = Known::new(&map);
    let mut scouts =
        [Scout::new([1, 1], [WIDTH - 2, HEIGHT - 2]), Scout::new([1, HEIGHT - 2], [WIDTH - 2, 1])];
    let (mut search, mut path) = (Search::default(), Path::default());
    let (mut expanded, mut plain, mut step) = (0, 0, 0);
    let mut svg = Svg::new([-2.0, -STEP[1] - 4.0].into(), [2.0 * STEP[0] - 2.0, STEP[1] - 2.0].into(), 9.0);
    for (panel, moment) in MOMENTS.into_iter().enumerate() {
        loop {
            for scout in &mut scouts {
                expanded += scout.look(&map, &mut known);
            }
            if step == moment || scouts.iter().all(|scout| scout.cell == scout.goal) {
                break;
            }
            for scout in &mut scouts {
                let ask = Ask::new(scout.cell, scout.goal).method(Method::AStar);
                _ = search.path(known.land(), ask, &mut path);
                plain += search.expansions();
                scout.walk();
            }
            step += 1;
        }
        let at = [panel as f32 % 2.0 * STEP[0], -((panel / 2) as f32) * STEP[1]];
        svg.shifted(at.into(), |svg| {
            draw(svg, &map, &known, &scouts);
            let text = format!("step {step}: {expanded} cells expanded; anew at each step {plain}");
            println!("{text}");
            svg.text([0.0, -2.2].into(), 13.0, &text, Style::flat(INK));
        });
    }
    svg.save("out/nav_fog.svg")?;
    Ok(())
}
