//! A stream of 600 soldiers over one flow field, while walls rise and fall in its way: they close
//! the near pass, and open it again.
//!
//! ```text
//! cargo run --release -p carom-examples --example nav_stream      out/nav_stream.svg
//!
//! four moments, from left to right and down; the colour of the land is how far the goal is,
//! arrows are which way the field leads
//! ```

use std::error::Error;
use std::time::Instant;

use carom::Vec2;
use carom_nav::field::Flow;
use carom_nav::prelude::*;
use testkit::draw::svg::{BLUE, GREY, INK, RED, Style, Svg};

const WIDTH: i32 = 96;
const HEIGHT: i32 = 54;
const GOAL: Cell = Cell::new(90, 27);
const SOLDIERS: i32 = 600;
/// Cells a tick.
const SPEED: f32 = 0.25;
/// When a picture is made, and what is built after it.
const MOMENTS: [usize; 4] = [100, 200, 340, 460];

/// The pass in the middle of the ridge, closed by a wall.
fn near_pass(map: &mut Map, wall: bool) {
    for y in 24..=30 {
        map.set_wall([48, y], wall);
        map.set_wall([49, y], wall);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // A ridge with two passes, and rocks before it.
    let mut map = Map::from_fn(WIDTH as usize, HEIGHT as usize, |cell| {
        let ridge =
            (48..=49).contains(&cell.x) && !(24..=30).contains(&cell.y) && !(46..=50).contains(&cell.y);
        let rock = |x: i32, y: i32, r: i32| (cell.x - x).pow(2) + (cell.y - y).pow(2) <= r * r;
        ridge || rock(32, 20, 4) || rock(36, 37, 5) || rock(66, 34, 5) || rock(70, 18, 6)
    })?;
    let mut flow = Flow::to(&[GOAL]);
    flow.fill(&map);
    let mut soldiers: Vec<Vec2> = Vec::new();
    let mut arrived = 0;
    let page_size = Vec2::new(2.0 * WIDTH as f32 + 4.0, 2.0 * HEIGHT as f32 + 9.0);
    let mut page = Svg::new(Vec2::new(-1.0, -1.0), page_size, 6.0);
    for tick in 0..=MOMENTS[3] {
        // They come in rows of ten.
        if tick % 4 == 0 && (soldiers.len() as i32 + arrived) < SOLDIERS {
            soldiers.extend((0..10).map(|k| Vec2::new(2.3, 15.5 + 2.4 * k as f32)));
        }
        for soldier in &mut soldiers {
            let to = *soldier + flow.heading(&map, *soldier) * SPEED;
            *soldier = if map.is_free(cell_of(to)) { to } else { slide(&map, *soldier, to) };
        }
        let before = soldiers.len();
        soldiers.retain(|soldier| soldier.distance(GOAL.as_vec2() + 0.5) > 1.5);
        arrived += (before - soldiers.len()) as i32;
        let inside = soldiers.iter().filter(|soldier| !map.is_free(cell_of(**soldier))).count();
        if let Some(moment) = MOMENTS.iter().position(|moment| *moment == tick) {
            let corner = Vec2::new(
                (moment % 2) as f32 * (WIDTH as f32 + 2.0),
                (1 - moment / 2) as f32 * (HEIGHT as f32 + 5.0),
            );
            page.shifted(corner, |page| draw(page, &map, &flow, &soldiers, moment, tick, arrived));
            if moment < 2 {
                near_pass(&mut map, moment == 0);
                // Those on whom the wall is built step aside.
                soldiers.retain(|soldier| map.is_free(cell_of(*soldier)));
                let begin = Instant::now();
                flow.update(&map);
                println!(
                    "tick {tick}: the pass {}, repaired in {:?}",
                    ["closes", "opens"][moment],
                    begin.elapsed()
                );
            }
            println!("tick {tick}: {} under way, {arrived} arrived, {inside} in a wall", soldiers.len());
        }
    }
    page.save("out/nav_stream.svg")?;
    Ok(())
}

fn cell_of(at: Vec2) -> Cell {
    at.floor().as_ivec2()
}

/// Along a wall: the part of a step that leads into free land.
fn slide(map: &Map, from: Vec2, to: Vec2) -> Vec2 {
    [from.with_x(to.x), from.with_y(to.y)].into_iter().find(|at| map.is_free(cell_of(*at))).unwrap_or(from)
}

fn draw(page: &mut Svg, map: &Map, flow: &Flow, soldiers: &[Vec2], moment: usize, tick: usize, arrived: i32) {
    for at in 0..map.cell_count() {
        let cell = map.cell_at(at);
        let low = cell.as_vec2();
        let color = match flow.distance(cell) {
            _ if !map.is_free(cell) => String::from("#57606a"),
            None => String::from("#ffffff"),
            // Bands of ten cells, darker further away.
            Some(length) => {
                let band = (length.cells() / 8.0) as u32;
                let shade = 248 - 5 * band.min(22) - 4 * (band % 2);
                format!("rgb({},{},{})", shade.saturating_sub(8), shade, (shade + 6).min(255))
            }
        };
        page.rect(low, low + 1.0, Style::flat(&color));
    }
    for y in (2..HEIGHT).step_by(4) {
        for x in (2..WIDTH).step_by(4) {
            let at = Vec2::new(x as f32, y as f32) + 0.5;
            let heading = flow.heading(map, at);
            if heading != Vec2::ZERO {
                page.line(at - heading, at + heading, Style { width: 0.8, ..Style::outline(GREY) });
                page.circle(at + heading, 0.25, Style::flat(GREY));
            }
        }
    }
    for &soldier in soldiers {
        page.circle(soldier, 0.42, Style::flat(BLUE));
    }
    page.circle(GOAL.as_vec2() + 0.5, 1.2, Style { width: 2.5, ..Style::outline(RED) });
    let what = [
        "both passes are open",
        "the near pass was closed at tick 100",
        "it opened again at tick 200",
        "the rest",
    ];
    let text = format!("tick {tick}: {}; {arrived} arrived", what[moment]);
    page.text(Vec2::new(0.0, HEIGHT as f32 + 0.9), 13.0, &text, Style::flat(INK));
}
