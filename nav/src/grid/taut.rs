//! Paths with fewer bends (string pulling).
//!
//! In: a path from cell to cell. Out: corners that see each other, so that a unit may walk straight
//! from one to the next (as in the funnel algorithm). Cells that touch a straight line between two
//! centres are found exactly, with integers: no cell is missed.

use super::path::Path;
use super::rule::{Corners, Rule};
use super::{Cell, Map};

impl Map {
    /// Whether a unit can walk straight from the centre of one cell to the centre of another: all
    /// cells that the line crosses are free. Where the line goes exactly through a corner of cells,
    /// it makes a diagonal step, and the rule for corners decides.
    ///
    /// On hexes ([`Rule::Six`]) only neighbours along one of the three axes see each other.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let map = Map::parse("...#\n....\n....\n")?;
    /// assert!(map.sees(Rule::default(), [0, 0], [3, 1]));
    /// assert!(!map.sees(Rule::default(), [0, 0], [3, 2]));
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    pub fn sees(&self, rule: Rule, from: impl Into<Cell>, to: impl Into<Cell>) -> bool {
        self.look(rule, from.into(), to.into()).is_some()
    }

    /// The greatest cost of the entered cells, if a unit can walk straight from one centre to the
    /// other.
    pub(crate) fn look(&self, rule: Rule, from: Cell, to: Cell) -> Option<u8> {
        if !self.is_free(from) || !self.is_free(to) {
            return None;
        }
        if rule == Rule::Six {
            return self.look_along_axis(from, to);
        }
        let (way, step) = ((to - from).abs(), (to - from).signum());
        let (mut cell, mut dearest) = (from, 1);
        // Distances to the next border in x and in y, both times 2 dx dy: odd multiples of dy and
        // of dx.
        let (mut next_x, mut next_y) = (i64::from(way.y), i64::from(way.x));
        let is_free = |cell: Cell| self.is_free(cell);
        while cell != to {
            let (x, y) = (Cell::new(cell.x + step.x, cell.y), Cell::new(cell.x, cell.y + step.y));
            let across_x = way.y == 0 || way.x != 0 && next_x < next_y;
            let across_y = way.x == 0 || way.y != 0 && next_y < next_x;
            if across_x {
                cell = x;
                next_x += 2 * i64::from(way.y);
            } else if across_y {
                cell = y;
                next_y += 2 * i64::from(way.x);
            } else {
                let passes = match rule {
                    Rule::Eight(Corners::Always) => true,
                    Rule::Eight(Corners::OneFree) => is_free(x) || is_free(y),
                    _ => is_free(x) && is_free(y),
                };
                if !passes {
                    return None;
                }
                cell += step;
                next_x += 2 * i64::from(way.y);
                next_y += 2 * i64::from(way.x);
            }
            if !is_free(cell) {
                return None;
            }
            dearest = dearest.max(self.cost(cell));
        }
        Some(dearest)
    }

    fn look_along_axis(&self, from: Cell, to: Cell) -> Option<u8> {
        let way = to - from;
        if way.x != 0 && way.y != 0 && way.x != -way.y {
            return None;
        }
        let (mut cell, mut dearest) = (from, 1);
        while cell != to {
            cell += way.signum();
            if !self.is_free(cell) {
                return None;
            }
            dearest = dearest.max(self.cost(cell));
        }
        Some(dearest)
    }

    /// Pulls the string: leaves out turns of a path until none can be left out. Each corner sees
    /// the next; the length never grows, also where land is dear. `corners` is overwritten.
    ///
    /// For a unit larger than a cell, the map has to be the view for its size.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let map = Map::new(20, 20)?;
    /// let (mut path, mut corners) = (Path::default(), Vec::new());
    /// let _ = Search::default().path(&map, Ask::new([0, 0], [13, 6]), &mut path);
    /// assert_eq!(path.turn_count(), 1);
    /// map.taut(Rule::default(), &path, &mut corners);
    /// assert_eq!(corners, [Cell::new(0, 0), Cell::new(13, 6)]);
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    pub fn taut(&self, rule: Rule, path: &Path, corners: &mut Vec<Cell>) {
        corners.clear();
        corners.extend_from_slice(path.turns());
        loop {
            let before = corners.len();
            let mut at = 1;
            while at + 1 < corners.len() {
                if self.is_needless(rule, corners[at - 1], corners[at], corners[at + 1]) {
                    corners.remove(at);
                } else {
                    at += 1;
                }
            }
            if corners.len() == before {
                return;
            }
        }
    }

    /// Whether the path from `a` to `c` is no longer without `b`.
    fn is_needless(&self, rule: Rule, a: Cell, b: Cell, c: Cell) -> bool {
        let Some(dearest) = self.look(rule, a, c) else { return false };
        // The straight line is the shortest. On land with costs, the line at its greatest cost must
        // not be dearer than both legs at their least costs.
        self.is_uniform() || {
            let length = |a: Cell, b: Cell| ((b - a).length_squared() as f64).sqrt();
            let least =
                f64::from(self.least_on(a, b)) * length(a, b) + f64::from(self.least_on(b, c)) * length(b, c);
            f64::from(dearest) * length(a, c) <= least
        }
    }

    /// The least cost of the cells that a line enters.
    fn least_on(&self, from: Cell, to: Cell) -> u8 {
        let way = to - from;
        let count = way.x.abs().max(way.y.abs()).max(1);
        let touched = (1..=count).flat_map(|k| {
            // Rounded down and up: these include all cells of the line.
            let low = from + Cell::new((way.x * k).div_euclid(count), (way.y * k).div_euclid(count));
            [
                low,
                low + Cell::new(i32::from((way.x * k).rem_euclid(count) != 0), 0),
                low + Cell::new(0, i32::from((way.y * k).rem_euclid(count) != 0)),
            ]
        });
        touched.map(|cell| self.cost(cell)).min().unwrap_or(1)
    }
}
