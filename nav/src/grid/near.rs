//! The nearest reachable cell.

use super::{Cell, Map, Rule};

impl Map {
    /// The reachable cell nearest to `to` for a unit at `from`: `to` itself if it is reachable. For
    /// orders that point into a wall.
    ///
    /// The distance is in a straight line; among equally near cells the lowest, then the leftmost
    /// counts. `None` if `from` is no free cell, or the rule's islands are not kept
    /// ([`Map::keep_islands`]).
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let map = Map::parse("....##.\n....##.\n")?;
    /// assert_eq!(map.nearest_reachable(Rule::default(), [0, 0], [5, 1]), Some(Cell::new(3, 1)));
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    pub fn nearest_reachable(&self, rule: Rule, from: impl Into<Cell>, to: impl Into<Cell>) -> Option<Cell> {
        let home = self.island(rule, from)?;
        let to: Cell = to.into();
        let mut best: Option<(i64, Cell)> = None;
        // Searches squares around `to`, up to the farthest corner of the map.
        let corner = Cell::new(self.width() - 1, self.height() - 1);
        let reach =
            |at: i32, last: i32| i64::from(at.max(0)).max(i64::from(at)).max(i64::from(last) - i64::from(at));
        let farthest = reach(to.x, corner.x).max(reach(to.y, corner.y));
        // If `to` is outside of the map, begins with the first square that meets the map.
        let outside = |at: i32, last: i32| (-i64::from(at)).max(i64::from(at) - i64::from(last)).max(0);
        let nearest = outside(to.x, corner.x).max(outside(to.y, corner.y));
        for ring in nearest..=farthest {
            if best.is_some_and(|(square, _)| square < ring * ring) {
                break;
            }
            self.each_of_ring(to, ring, |cell| {
                if self.island(rule, cell) != Some(home) {
                    return;
                }
                let (x, y) = (i64::from(cell.x) - i64::from(to.x), i64::from(cell.y) - i64::from(to.y));
                let square = x * x + y * y;
                let is_nearer =
                    best.is_none_or(|(least, other)| (square, cell.y, cell.x) < (least, other.y, other.x));
                if is_nearer {
                    best = Some((square, cell));
                }
            });
        }
        best.map(|(_, cell)| cell)
    }

    /// Calls `take` for the cells of the map on the border of a square about a cell.
    fn each_of_ring(&self, about: Cell, ring: i64, mut take: impl FnMut(Cell)) {
        let (x, y) = (i64::from(about.x), i64::from(about.y));
        let columns = (x - ring).max(0)..=(x + ring).min(i64::from(self.width()) - 1);
        let rows = (y - ring).max(0)..=(y + ring).min(i64::from(self.height()) - 1);
        for row in rows {
            if row == y - ring || row == y + ring {
                columns.clone().for_each(|column| take(Cell::new(column as i32, row as i32)));
            } else {
                for column in [x - ring, x + ring] {
                    if columns.contains(&column) {
                        take(Cell::new(column as i32, row as i32));
                    }
                }
            }
        }
    }
}
