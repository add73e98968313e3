//! Code shared by these tests: random maps, a checker of paths, and the plainest search.

use carom_nav::prelude::*;
use testkit::random::Random;

pub(crate) const RULES: [Rule; 5] = [
    Rule::Four,
    Rule::Eight(Corners::Never),
    Rule::Eight(Corners::OneFree),
    Rule::Eight(Corners::Always),
    Rule::Six,
];

/// A random whole number below `below`.
pub(crate) fn draw(random: &mut Random, below: usize) -> usize {
    (random.bits() % below as u64) as usize
}

/// A map of up to `side` cells along each side, with about `density` walls in 100 cells.
pub(crate) fn random_map(random: &mut Random, side: usize, density: usize) -> Map {
    let (width, height) = (1 + draw(random, side), 1 + draw(random, side));
    Map::from_fn(width, height, |_| draw(random, 100) < density).expect("a map")
}

/// A random free cell; `None` if 50 draws find none.
pub(crate) fn free_cell(random: &mut Random, map: &Map) -> Option<Cell> {
    (0..50).map(|_| map.cell_at(draw(random, map.cell_count()))).find(|&cell| map.is_free(cell))
}

/// Whether one step is legal, written from single cells in plain words.
fn step_is_legal(map: &Map, rule: Rule, from: Cell, to: Cell) -> bool {
    let way = to - from;
    let (right, up) = (Cell::new(to.x, from.y), Cell::new(from.x, to.y));
    let near = way.x.abs() <= 1 && way.y.abs() <= 1 && way != Cell::ZERO;
    let diagonal = way.x != 0 && way.y != 0;
    near && map.is_free(from)
        && map.is_free(to)
        && match rule {
            Rule::Four => !diagonal,
            Rule::Six => way.x + way.y != 2 && way.x + way.y != -2,
            Rule::Eight(_) if !diagonal => true,
            Rule::Eight(Corners::Never) => map.is_free(right) && map.is_free(up),
            Rule::Eight(Corners::OneFree) => map.is_free(right) || map.is_free(up),
            Rule::Eight(Corners::Always) => true,
        }
}

/// Checks that a path goes from start to goal, is legal, and has the stated length. Returns its
/// straight and diagonal steps.
pub(crate) fn check_way(map: &Map, ask: &Ask, path: &Path, cost: Length) -> (u32, u32) {
    let cells: Vec<Cell> = path.cells().collect();
    assert_eq!(cells.first(), Some(&ask.start));
    assert_eq!(cells.last(), Some(&ask.goal));
    let (mut straight, mut diagonal, mut units) = (0, 0, 0);
    for step in cells.windows(2) {
        assert!(step_is_legal(map, ask.rule, step[0], step[1]), "{ask:?}: {} to {}", step[0], step[1]);
        let crooked = step[0].x != step[1].x && step[0].y != step[1].y && ask.rule != Rule::Six;
        let (length, count) =
            if crooked { (cost.scale.diagonal, &mut diagonal) } else { (cost.scale.straight, &mut straight) };
        *count += 1;
        units += u32::from(length) * u32::from(map.cost(step[1]));
    }
    assert_eq!(units, cost.units, "{ask:?}");
    (straight, diagonal)
}

/// Lengths from a cell to all others by relaxing every step until nothing changes (Bellman and
/// Ford).
pub(crate) fn lengths_from(
    map: &Map,
    rule: Rule,
    scale: Scale,
    start: Cell,
    more: impl Fn(usize) -> u32,
) -> Vec<u32> {
    let mut lengths = vec![u32::MAX; map.cell_count()];
    lengths[map.index(start).expect("on the map")] = 0;
    let mut work = vec![start];
    while let Some(from) = work.pop() {
        let length = lengths[map.index(from).expect("on the map")];
        for y in -1..=1 {
            for x in -1..=1 {
                let to = from + Cell::new(x, y);
                if !step_is_legal(map, rule, from, to) {
                    continue;
                }
                let index = map.index(to).expect("on the map");
                let crooked = x != 0 && y != 0 && rule != Rule::Six;
                let step = u32::from(if crooked { scale.diagonal } else { scale.straight });
                let next = length + step * (u32::from(map.cost(to)) + more(index));
                if next < lengths[index] {
                    lengths[index] = next;
                    work.insert(0, to);
                }
            }
        }
    }
    lengths
}
