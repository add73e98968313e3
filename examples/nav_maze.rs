//! Five searches through one maze, side by side: which cells each expands before it arrives.
//!
//! Dijkstra's search looks everywhere, A* where the way may be, greedy search where the goal is,
//! the one in depth anywhere; jump points are the few cells where a way may bend. All but the
//! greedy one and the one in depth find a shortest way. Prints the numbers, and leaves
//! `out/nav_maze.svg`.

use carom_nav::prelude::*;
use std::error::Error;
use testkit::draw::svg::{BLUE, GREY, INK, ORANGE, RED, Style, Svg};
use testkit::random::Random;

/// Cells along a side; odd, for walls stand between streets.
const SIDE: i32 = 41;
/// From panel to panel, and room for letters below.
const STEP: f32 = 45.0;
const BELOW: f32 = 7.0;

const SEARCHES: [(&str, Method); 5] = [
    ("Dijkstra", Method::Dijkstra),
    ("A*", Method::AStar),
    ("greedy", Method::Greedy),
    ("in depth", Method::Depth),
    ("jump points", Method::Jump),
];

/// A maze with squares in it: streets are dug from place to place, then some walls fall.
fn maze(random: &mut Random) -> Result<Map, MapError> {
    let mut map = Map::from_fn(SIDE as usize, SIDE as usize, |_| true)?;
    let mut dug = vec![Cell::new(1, 1)];
    map.set_wall([1, 1], false);
    while let Some(&from) = dug.last() {
        let ways = [[2, 0], [0, 2], [-2, 0], [0, -2]].map(Cell::from);
        let new: Vec<Cell> =
            ways.into_iter().filter(|way| map.contains(from + *way) && !map.is_free(from + *way)).collect();
        if new.is_empty() {
            dug.pop();
            continue;
        }
        let way = new[(random.bits() % new.len() as u64) as usize];
        map.set_wall(from + way / 2, false);
        map.set_wall(from + way, false);
        dug.push(from + way);
    }
    for _ in 0..9 {
        let at = Cell::new((random.bits() % 30) as i32 + 3, (random.bits() % 30) as i32 + 3);
        (0..30).for_each(|k| _ = map.set_wall(at + Cell::new(k % 6, k / 6), false));
    }
    Ok(map)
}

/// Cells of one kind, each run of a row at once.
fn runs(svg: &mut Svg, map: &Map, is_one: impl Fn(Cell) -> bool, style: Style) {
    svg.open(style);
    for y in 0..map.height() {
        let mut x = 0;
        while x < map.width() {
            let start = x;
            while x < map.width() && is_one(Cell::new(x, y)) {
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

fn draw(svg: &mut Svg, map: &Map, search: &Search, path: &Path) {
    let is_settled = |cell: Cell| map.is_free(cell) && search.is_settled(map, cell);
    runs(svg, map, is_settled, Style { opacity: 0.45, ..Style::flat(ORANGE) });
    runs(svg, map, |cell| !map.is_free(cell), Style::flat(INK));
    let line: Vec<_> = path.turns().iter().map(|turn| turn.as_vec2() + 0.5).collect();
    svg.polyline(&line, Style { width: 2.0, ..Style::outline(BLUE) });
    [line.first(), line.last()].into_iter().flatten().for_each(|&end| svg.dot(end, RED));
}

fn main() -> Result<(), Box<dyn Error>> {
    let map = maze(&mut Random::new(5))?;
    let ask = Ask::new([1, 1], [SIDE - 2, SIDE - 2]);
    let (mut search, mut path) = (Search::default(), Path::default());
    let width = STEP * SEARCHES.len() as f32;
    let mut svg = Svg::new([-2.0, -BELOW].into(), [width + 2.0, SIDE as f32 + 2.0].into(), 6.0);
    for (k, (name, method)) in SEARCHES.into_iter().enumerate() {
        let found = search.path(&map, ask.method(method), &mut path);
        let cells = found.cells().ok_or("the maze has a way")?;
        let text = format!("{name}: {} expanded, {cells:.1} long", search.expansions());
        println!("{text}");
        svg.shifted([k as f32 * STEP, 0.0].into(), |svg| {
            draw(svg, &map, &search, &path);
            svg.text([0.0, -3.4].into(), 13.0, &text, Style::flat(INK));
        });
    }
    let note = "settled cells orange; every way that is not greedy or in depth is a shortest one";
    svg.text([0.0, -6.0].into(), 12.0, note, Style::flat(GREY));
    svg.save("out/nav_maze.svg")?;
    Ok(())
}
