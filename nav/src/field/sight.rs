//! Field of view of a cell, symmetric in both directions.
//!
//! In: a map, a cell, a radius. Out: the cells whose centres it sees. A line from centre to centre
//! crosses the rows between them (or the columns, where it is flat) at exact fractions; it is
//! blocked where such a point lies in a wall. A point on the border of two cells is free if either
//! cell is: a line that grazes a wall, or passes a corner, counts as seen. The same test from the
//! other end gives the same answer.
//!
//! A whole field of view is found row by row outwards, with the slopes between which light still
//! falls (shadow casting): each slope is a fraction of integers, so the result equals that of the
//! lines.

use crate::grid::{Cell, Map};

/// Whether two cells see each other. A wall sees nothing; all cells outside of the map are walls.
///
/// ```
/// use carom_nav::prelude::*;
/// use carom_nav::field::sees;
///
/// let map = Map::from_fn(9, 9, |cell| cell.x == 4 && cell.y < 8)?;
/// assert!(!sees(&map, [1, 1], [7, 1]));
/// assert!(sees(&map, [1, 8], [7, 8])); // along the end of the wall
/// assert_eq!(sees(&map, [3, 5], [5, 8]), sees(&map, [5, 8], [3, 5]));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[must_use]
pub fn sees(map: &Map, a: impl Into<Cell>, b: impl Into<Cell>) -> bool {
    let (a, b) = (a.into(), b.into());
    if !map.is_free(a) || !map.is_free(b) {
        return false;
    }
    let way = b - a;
    let (flat, length) = (way.x.abs() > way.y.abs(), way.abs().max_element());
    let (slope, ahead) = if flat { (way.y, way.x.signum()) } else { (way.x, way.y.signum()) };
    (1..length).all(|k| {
        // The point lies across at slope k / length, counted in half cells: in the nearest cell,
        // and on a border also in the next lower cell.
        let twice = 2 * i64::from(slope) * i64::from(k) + i64::from(length);
        let across = twice.div_euclid(2 * i64::from(length)) as i32;
        let on_border = twice.rem_euclid(2 * i64::from(length)) == 0;
        let cell =
            |across: i32| a + if flat { Cell::new(ahead * k, across) } else { Cell::new(across, ahead * k) };
        map.is_free(cell(across)) || on_border && map.is_free(cell(across - 1))
    })
}

/// A fraction, with a denominator above 0.
type Slope = (i64, i64);

/// A part of a quarter of the plane between two slopes, from a row on.
#[derive(Clone, Copy, Debug)]
struct Sector {
    row: i32,
    from: Slope,
    to: Slope,
}

/// Fields of view. Keep one: its memory is reused.
///
/// ```
/// use carom_nav::prelude::*;
/// use carom_nav::field::Fov;
///
/// let map = Map::from_fn(40, 40, |cell| cell == Cell::new(20, 22))?;
/// let (mut fov, mut seen) = (Fov::default(), Vec::new());
/// fov.see(&map, [20, 20], 7, &mut seen);
/// assert!(seen.contains(&Cell::new(20, 22))); // the wall
/// assert!(!seen.contains(&Cell::new(20, 25))); // hidden by the wall
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fov {
    open: Vec<Sector>,
    walls: Vec<Cell>,
}

impl Fov {
    /// Writes the cells within `radius` (in a straight line) that a cell sees, itself first, into
    /// `out`: the free cells that [`sees`] accepts, then the walls on which light falls, each once.
    /// A wall, or a cell outside, sees nothing.
    pub fn see(&mut self, map: &Map, from: impl Into<Cell>, radius: u32, out: &mut Vec<Cell>) {
        let from = from.into();
        out.clear();
        if !map.is_free(from) {
            return;
        }
        out.push(from);
        self.walls.clear();
        let radius = radius.min((map.width() + map.height()) as u32) as i32;
        for quarter in [Cell::Y, Cell::NEG_Y, Cell::X, Cell::NEG_X] {
            self.open.clear();
            self.open.push(Sector { row: 1, from: (-1, 1), to: (1, 1) });
            while let Some(sector) = self.open.pop() {
                if sector.row <= radius {
                    self.row(map, from, quarter, sector, radius, out);
                }
            }
        }
        // Light may fall on a wall from two sides.
        self.walls.sort_unstable_by_key(|cell| (cell.y, cell.x));
        self.walls.dedup();
        out.append(&mut self.walls);
    }

    /// Scans one row of a sector: reports its visible cells, and opens the sectors that go on
    /// behind it.
    fn row(
        &mut self,
        map: &Map,
        origin: Cell,
        ahead: Cell,
        sector: Sector,
        radius: i32,
        out: &mut Vec<Cell>,
    ) {
        let across = Cell::new(ahead.y.abs(), ahead.x.abs());
        let (row, Sector { from, to, .. }) = (i64::from(sector.row), sector);
        // The cells that the sector touches, their borders included.
        let first = (2 * row * from.0 - from.1).div_euclid(2 * from.1)
            + i64::from((2 * row * from.0 - from.1).rem_euclid(2 * from.1) != 0);
        let last = (2 * row * to.0 + to.1).div_euclid(2 * to.1);
        let mut begins = from;
        // Whether the cell before was free.
        let mut lit = false;
        for column in first..=last {
            let cell = origin + ahead * sector.row + across * column as i32;
            let is_free = map.is_free(cell);
            // The cell's centre lies within the sector, or the cell is a wall.
            let centre = (column * from.1 >= row * from.0 && column * to.1 <= row * to.0) || !is_free;
            // Cells on the diagonals belong to the quarters that go along columns.
            let is_mine = column.abs() < row || ahead.x == 0;
            if centre
                && is_mine
                && map.contains(cell)
                && row * row + column * column <= i64::from(radius) * i64::from(radius)
            {
                if is_free { out.push(cell) } else { self.walls.push(cell) }
            }
            let border = (2 * column - 1, 2 * row);
            if is_free && !lit && column > first {
                begins = border;
            }
            if !is_free && lit {
                self.go_on(sector.row, begins, border);
            }
            lit = is_free;
        }
        if lit {
            self.go_on(sector.row, begins, to);
        }
    }

    fn go_on(&mut self, row: i32, from: Slope, to: Slope) {
        // A single ray is a sector too: it passes between two corners.
        if from.0 * to.1 <= to.0 * from.1 {
            self.open.push(Sector { row: row + 1, from, to });
        }
    }
}
