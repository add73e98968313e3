//! Tests of fields against walks and searches that share no code with them.

mod flow;
mod others;
mod reach;

use crate::grid::{Cell, Corners, Map, Rule};
pub(super) use crate::random::Random;

pub(super) const RULES: [Rule; 5] = [
    Rule::Four,
    Rule::Eight(Corners::Never),
    Rule::Eight(Corners::OneFree),
    Rule::Eight(Corners::Always),
    Rule::Six,
];

impl Random {
    pub(super) fn cell(&mut self, map: &Map) -> Cell {
        map.cell_at(self.below(map.cell_count()))
    }

    /// A map with walls at a random density, and sometimes with costs.
    pub(super) fn map(&mut self, side: usize) -> Map {
        let (width, height) = (1 + self.below(side), 1 + self.below(side));
        let density = self.below(50);
        let mut map = Map::from_fn(width, height, |_| self.below(100) < density).expect("small");
        if self.below(2) == 0 {
            let most = 1 + self.below(9);
            for _ in 0..map.cell_count() / 2 {
                let (cell, cost) = (self.cell(&map), 1 + self.below(most));
                map.set_cost(cell, cost as u8);
            }
        }
        map
    }

    pub(super) fn free(&mut self, map: &Map) -> Option<Cell> {
        (0..50).map(|_| self.cell(map)).find(|&cell| map.is_free(cell))
    }
}

/// The cells one step away from a cell, each with whether the step is diagonal: written from the
/// rules in words, not from the crate's tables.
pub(super) fn steps(map: &Map, rule: Rule, from: Cell) -> Vec<(Cell, bool)> {
    let mut steps = Vec::new();
    for y in -1..=1 {
        for x in -1..=1 {
            let to = from + Cell::new(x, y);
            let diagonal = x != 0 && y != 0;
            let beside = [from + Cell::new(x, 0), from + Cell::new(0, y)].map(|cell| map.is_free(cell));
            let allowed = match rule {
                Rule::Four => !diagonal,
                Rule::Six => x != y,
                Rule::Eight(Corners::Always) => true,
                Rule::Eight(Corners::OneFree) => !diagonal || beside[0] || beside[1],
                Rule::Eight(Corners::Never) => !diagonal || beside[0] && beside[1],
            };
            if (x, y) != (0, 0) && allowed && map.is_free(from) && map.is_free(to) {
                steps.push((to, diagonal && rule != Rule::Six));
            }
        }
    }
    steps
}
