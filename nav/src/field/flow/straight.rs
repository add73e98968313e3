//! The pass of sight: cells from which a unit may walk straight to a goal.
//!
//! In: goals, walls, a radius. Out: for each cell within the radius that sees a goal, the goal. A
//! field of lengths has only eight directions, so on open land paths bend by 45 degrees; units that
//! see their goal need not follow them.
//!
//! A line from centre to centre must not cross or touch a wall. Seen from the goal, row by row
//! outwards in four quarters, a wall covers the slopes between its outermost corners, both corners
//! included; the uncovered slopes are open sectors. Slopes are fractions of integers, so the result
//! is exact.
//!
//! ```text
//!   . . . / x .       a quarter is |column| <= row, seen from G upwards: from/to are the slopes
//!   .\. ■ . . .       column / row between which light falls. The wall covers (1 - 1/2) / (2 + 1/2)
//!   . \ G . . .       to (1 + 1/2) / (2 - 1/2), if it stands in column 1 of row 2.
//! ```

use glam::Vec2;

use super::Flow;
use crate::grid::{Cell, Map, Rule};

/// A slope, with a denominator above 0.
type Slope = (i32, i32);

fn is_less(a: Slope, b: Slope) -> bool {
    i64::from(a.0) * i64::from(b.1) < i64::from(b.0) * i64::from(a.1)
}

/// The goal that each cell sees.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// Range of sight; 0 for none.
    pub(super) radius: u16,
    /// Per cell, 1 + the index of the visible goal; 0 if none. Empty without sight.
    goal_of: Vec<u16>,
    /// Cells with a goal in sight.
    seen: Vec<u32>,
    /// Work space: sectors of light in the current row and in the next one.
    sectors: [Vec<[Slope; 2]>; 2],
}

impl Straight {
    /// Computes sight from all goals. A cell that sees several goals gets the nearest one, and
    /// among equally near goals the first.
    pub(super) fn look(&mut self, map: &Map, goals: &[Cell]) {
        for at in self.seen.drain(..) {
            self.goal_of[at as usize] = 0;
        }
        if self.goal_of.len() != map.cell_count() {
            self.goal_of.clear();
            self.goal_of.resize(map.cell_count(), 0);
        }
        for (k, &goal) in goals.iter().enumerate().take(usize::from(u16::MAX) - 1) {
            if !map.is_free(goal) {
                continue;
            }
            self.see(map, goals, k, goal);
            for ahead in [Cell::Y, Cell::NEG_Y, Cell::X, Cell::NEG_X] {
                self.quarter(map, goals, k, ahead);
            }
        }
    }

    /// The index of the goal that a cell sees.
    #[inline]
    pub(super) fn goal(&self, at: usize) -> Option<usize> {
        self.goal_of.get(at).and_then(|&goal| usize::from(goal).checked_sub(1))
    }

    fn see(&mut self, map: &Map, goals: &[Cell], k: usize, cell: Cell) {
        let at = map.at(cell);
        let square = |goal: Cell| (goal - cell).length_squared();
        match self.goal(at) {
            None => self.seen.push(at as u32),
            Some(other) if square(goals[other]) <= square(goals[k]) => return,
            Some(_) => {}
        }
        self.goal_of[at] = k as u16 + 1;
    }

    fn quarter(&mut self, map: &Map, goals: &[Cell], k: usize, ahead: Cell) {
        let (origin, across) = (goals[k], Cell::new(ahead.y.abs(), ahead.x.abs()));
        let radius = i32::from(self.radius);
        let [mut light, mut next] = core::mem::take(&mut self.sectors);
        light.clear();
        // The sectors reach a little beyond the quarter, except at walls beside the goal: lines
        // along the diagonals touch such a wall.
        let side = |way: Cell| if map.is_free(origin + way) { 2 } else { 1 };
        light.push([(-side(-across), 1), (side(across), 1)]);
        for row in 1..=radius {
            // Which cells see the goal depends on the walls of nearer rows. A wall of this row can
            // touch a line only at its end, and only the wall beside the diagonal does.
            for &[from, to] in &light {
                let first = ((from.0 * row).div_euclid(from.1) + 1).max(-row);
                let last = (-((-to.0 * row).div_euclid(to.1)) - 1).min(row);
                for column in first..=last {
                    let cell = origin + ahead * row + across * column;
                    let is_near = row * row + column * column <= radius * radius;
                    let beside = cell - across * column.signum();
                    // Cells on the diagonals belong to the quarters that go along columns.
                    let is_ours = column.abs() < row || ahead.x == 0 && map.is_free(beside);
                    if is_near && is_ours && map.is_free(cell) {
                        self.see(map, goals, k, cell);
                    }
                }
            }
            next.clear();
            for &[mut from, to] in &light {
                // Columns of all cells that the sector may touch.
                let first = (from.0 * row).div_euclid(from.1).max(-row) - 1;
                let last = -((-to.0 * row).div_euclid(to.1)).min(row) + 1;
                for column in first..=last {
                    let cell = origin + ahead * row + across * column;
                    if map.is_free(cell) {
                        continue;
                    }
                    let [low, high] = covered(column, row);
                    if is_less(from, low) {
                        let end = if is_less(low, to) { low } else { to };
                        next.push([from, end]);
                    }
                    if is_less(from, high) {
                        from = high;
                    }
                }
                if is_less(from, to) {
                    next.push([from, to]);
                }
            }
            core::mem::swap(&mut light, &mut next);
            if light.is_empty() {
                break;
            }
        }
        self.sectors = [light, next];
    }
}

/// The slopes that a wall covers, as lower and upper end.
fn covered(column: i32, row: i32) -> [Slope; 2] {
    let (near, far) = (2 * row - 1, 2 * row + 1);
    let (left, right) = (2 * column - 1, 2 * column + 1);
    let low = if left > 0 { (left, far) } else { (left, near) };
    let high = if right > 0 { (right, near) } else { (right, far) };
    [low, high]
}

impl Flow {
    /// Units that see a goal up to `radius` cells away walk straight to it: see
    /// [`heading`](Flow::heading). 0, the default, turns this off. On hexes, and where costs
    /// differ, no unit walks straight.
    #[must_use]
    pub fn straight(mut self, radius: u16) -> Flow {
        self.straight.radius = radius.min(Flow::FARTHEST_SIGHT);
        self.size = [0; 2];
        self
    }

    /// Greatest range of sight.
    pub const FARTHEST_SIGHT: u16 = 1024;

    /// Computes sight from the goals, if it is turned on.
    pub(super) fn look(&mut self, map: &Map) {
        if self.straight.radius > 0 && self.uniform && self.rule != Rule::Six {
            self.straight.look(map, &self.goals);
        } else if self.straight.radius > 0 {
            self.straight.look(map, &[]);
        }
    }

    /// The goal that a cell sees, if no other goal is nearer by path: a unit there walks straight
    /// to it. `None` unless [`straight`](Flow::straight) turned this on.
    #[inline]
    #[must_use]
    pub fn goal_in_sight(&self, cell: impl Into<Cell>) -> Option<Cell> {
        let cell = cell.into();
        if self.straight.radius == 0 {
            return None;
        }
        let own = self.final_length(cell)?;
        let at = cell.y as usize * self.size[0] as usize + cell.x as usize;
        let goal = *self.goals.get(self.straight.goal(at)?)?;
        let (straight, diagonal) = self.rule.steps(cell, goal);
        (self.scale.sum(straight, diagonal) <= own).then_some(goal)
    }

    /// The straight direction from a position to the goal in sight.
    #[inline]
    pub(super) fn beeline(&self, cell: Cell, position: Vec2) -> Option<Vec2> {
        let way = self.goal_in_sight(cell)?.as_vec2() + 0.5 - position;
        let square = way.x * way.x + way.y * way.y;
        Some(if square > 0.0 { way / square.sqrt() } else { Vec2::ZERO })
    }
}
