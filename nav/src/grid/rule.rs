//! Rules: the neighbours of a cell.
//!
//! Directions are counted counter-clockwise from east; hexes in axial coordinates have six of them:
//!
//! ```text
//!   3 2 1        3 2 .
//!   4 . 0        4 . 0
//!   5 6 7        . 6 7
//! ```

use super::Cell;

/// The offsets of the eight directions, counter-clockwise from east. The opposite of `d` is `(d +
/// 4) % 8`.
pub const DIRECTIONS: [Cell; 8] = [
    Cell::new(1, 0),
    Cell::new(1, 1),
    Cell::new(0, 1),
    Cell::new(-1, 1),
    Cell::new(-1, 0),
    Cell::new(-1, -1),
    Cell::new(0, -1),
    Cell::new(1, -1),
];

/// When a diagonal step past walls is allowed. Each rule is symmetric: a step back is allowed too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Corners {
    /// Both cells beside the step must be free: no corner is cut. MovingAI's lengths follow this
    /// rule.
    #[default]
    Never,
    /// One of the two cells must be free.
    OneFree,
    /// Neither need be free: a unit passes even the gap between two walls that touch at a corner.
    Always,
}

/// Steps that a search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Along rows and columns.
    Four,
    /// To all eight neighbours, diagonals by a rule for corners.
    Eight(Corners),
    /// To the six neighbours of a hex; cells are axial coordinates, and all steps count as
    /// straight.
    Six,
}

impl Default for Rule {
    fn default() -> Rule {
        Rule::Eight(Corners::Never)
    }
}

/// The table of a rule: for the nine walls around a cell, the open directions.
pub(crate) type Legal = [u8; 512];

const fn table(rule: Rule) -> Legal {
    let mut table = [0; 512];
    let mut walls = 0;
    while walls < 512 {
        let mut open = 0;
        let mut d = 0;
        while d < 8 {
            let Cell { x, y } = DIRECTIONS[d];
            let to = walls >> ((y + 1) * 3 + x + 1) & 1 == 0;
            let beside = walls >> (3 + x + 1) & 1 == 0;
            let above = walls >> ((y + 1) * 3 + 1) & 1 == 0;
            let diagonal = d % 2 == 1;
            let allowed = match rule {
                Rule::Four => !diagonal,
                Rule::Eight(Corners::Never) => !diagonal || beside && above,
                Rule::Eight(Corners::OneFree) => !diagonal || beside || above,
                Rule::Eight(Corners::Always) => true,
                Rule::Six => d != 1 && d != 5,
            };
            if to && allowed {
                open |= 1 << d;
            }
            d += 1;
        }
        table[walls] = open;
        walls += 1;
    }
    table
}

static FOUR: Legal = table(Rule::Four);
static NEVER: Legal = table(Rule::Eight(Corners::Never));
static ONE_FREE: Legal = table(Rule::Eight(Corners::OneFree));
static ALWAYS: Legal = table(Rule::Eight(Corners::Always));
static SIX: Legal = table(Rule::Six);

impl Rule {
    /// For the nine walls around a cell (see `Bits::nine`), the open directions as bits.
    #[inline]
    pub(crate) fn legal(self) -> &'static Legal {
        match self {
            Rule::Four => &FOUR,
            Rule::Eight(Corners::Never) => &NEVER,
            Rule::Eight(Corners::OneFree) => &ONE_FREE,
            Rule::Eight(Corners::Always) => &ALWAYS,
            Rule::Six => &SIX,
        }
    }

    /// Whether a direction counts as a diagonal step.
    #[inline]
    pub fn is_diagonal(self, direction: usize) -> bool {
        direction % 2 == 1 && self != Rule::Six
    }

    /// Straight and diagonal steps from one cell to another over free land.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// assert_eq!(Rule::Four.steps([0, 0], [3, -2]), (5, 0));
    /// assert_eq!(Rule::default().steps([0, 0], [3, -2]), (1, 2));
    /// assert_eq!(Rule::Six.steps([0, 0], [3, -2]), (3, 0));
    /// ```
    #[inline]
    pub fn steps(self, from: impl Into<Cell>, to: impl Into<Cell>) -> (u32, u32) {
        let (from, to): (Cell, Cell) = (from.into(), to.into());
        let (dx, dy) = (to.x.abs_diff(from.x), to.y.abs_diff(from.y));
        match self {
            Rule::Four => (dx.saturating_add(dy), 0),
            Rule::Eight(_) => (dx.max(dy) - dx.min(dy), dx.min(dy)),
            // The third axis is -x - y: the length is half the sum of all three absolute values,
            // which is the greatest of them.
            Rule::Six if (to.x < from.x) == (to.y < from.y) => (dx.saturating_add(dy), 0),
            Rule::Six => (dx.max(dy), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step is allowed if and only if the step back is, under every rule and with every choice of
    /// walls.
    #[test]
    fn rules_are_symmetric() {
        let rules = [
            Rule::Four,
            Rule::Eight(Corners::Never),
            Rule::Eight(Corners::OneFree),
            Rule::Eight(Corners::Always),
            Rule::Six,
        ];
        for rule in rules {
            // Walls of a 4 x 4 block: two neighbours in it, and the cells beside the step between
            // them.
            for walls in 0_usize..1 << 16 {
                let nine = |x: usize, y: usize| {
                    (0..3).map(|row| (walls >> ((y + row - 1) * 4 + x - 1) & 7) << (3 * row)).sum::<usize>()
                };
                for (d, way) in DIRECTIONS.into_iter().enumerate() {
                    let (x, y) = ((1 + way.x) as usize, (1 + way.y) as usize);
                    let inside = (1..3).contains(&x) && (1..3).contains(&y);
                    if !inside || walls >> 5 & 1 != 0 || walls >> (4 * y + x) & 1 != 0 {
                        continue;
                    }
                    let there = rule.legal()[nine(1, 1)] >> d & 1;
                    let back = rule.legal()[nine(x, y)] >> ((d + 4) % 8) & 1;
                    assert_eq!(there, back, "{rule:?} {walls:b} {d}");
                }
            }
        }
    }
}
