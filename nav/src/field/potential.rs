//! The raw potential of a goal: a unit steps to the neighbour of the highest value.
//!
//! In: goals with a value that falls off around them. Out: for a cell, the neighbour of the highest
//! value, if that is higher than its own.

use crate::grid::{Cell, DIRECTIONS, Map, Rule};

/// How a value falls off around its goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Falloff {
    /// By the straight distance, rounded down.
    #[default]
    Circle,
    /// By the greater of columns and rows. All cells on a side of the square have the same value,
    /// so diagonal steps are as good as straight ones.
    Square,
}

/// A goal that attracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The cell of the goal.
    pub goal: Cell,
    /// Its value there, and one less for each cell of distance, down to 0. So it attracts only
    /// units that are nearer than `value` cells.
    pub value: u32,
}

/// A field whose value in a cell is the highest of the values of some goals.
///
/// Values know nothing of walls. That is cheap, good enough on open land, and **fails in a U**:
///
/// ```text
///   . . . . . . .     The value grows towards the goal, so a unit climbs into the U
///   . ██████████.     and stays there, as every way out leads down first. Beyond the radius it is
///   . . . x █  . G    0, and there is no direction at all. A flow field (`Flow`) has lengths of
///   . ██████████.     real ways as values: each cell that has a way has a neighbour nearer to it.
/// ```
///
/// ```
/// use carom_nav::prelude::*;
/// use carom_nav::field::{Charge, Potential};
///
/// let map = Map::new(20, 20)?;
/// let mut field = Potential::default();
/// field.charges.push(Charge { goal: Cell::new(15, 10), value: 30 });
/// assert_eq!(field.next(&map, [3, 10]), Some(Cell::new(4, 10)));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Potential {
    /// The goals.
    pub charges: Vec<Charge>,
    /// How the values of goals fall off.
    pub falloff: Falloff,
    /// The rule for steps.
    pub rule: Rule,
}

impl Potential {
    /// The value in a cell.
    #[must_use]
    pub fn value(&self, cell: impl Into<Cell>) -> u32 {
        let cell = cell.into();
        let of = |charge: &Charge| {
            let [x, y] = [cell.x.abs_diff(charge.goal.x), cell.y.abs_diff(charge.goal.y)].map(u64::from);
            let distance = match self.falloff {
                Falloff::Circle => (x * x).saturating_add(y * y).isqrt(),
                Falloff::Square => x.max(y),
            };
            charge.value.saturating_sub(u32::try_from(distance).unwrap_or(u32::MAX))
        };
        self.charges.iter().map(of).max().unwrap_or(0)
    }

    /// The neighbour of the highest value, the first of equal ones; `None` where no neighbour has a
    /// higher value than the cell: at a goal, in a trap, and beyond all radii.
    #[must_use]
    pub fn next(&self, map: &Map, cell: impl Into<Cell>) -> Option<Cell> {
        let cell = cell.into();
        let (mut best, mut next) = (self.value(cell), None);
        let open = map.moves(self.rule, cell);
        for d in (0..8).filter(|d| open >> d & 1 != 0) {
            let value = self.value(cell + DIRECTIONS[d]);
            if value > best {
                (best, next) = (value, Some(cell + DIRECTIONS[d]));
            }
        }
        next
    }
}
