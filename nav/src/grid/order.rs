//! Canonical order: the neighbours of a cell that a search has to visit, by its direction of
//! arrival.
//!
//! Between two cells of open land there are many shortest paths. It is enough to follow the path
//! that goes diagonally first (Sturtevant and Rabin, "Canonical orderings on grids", IJCAI 2016;
//! the pruning rules of jump point search). A neighbour is left out if the previous cell reaches it
//! without the current one, by an equally good path that comes first in this order. On open land
//! each cell is then offered to about one neighbour instead of eight.
//!
//! ```text
//!   came east      came north-east
//!   . . .          . n n        n is visited. Next to walls, more neighbours are: those
//!   > x n          . x n        which the previous cell cannot reach around the wall
//!   . . .          / . .
//! ```

use std::sync::OnceLock;

use super::Cell;
use super::rule::{Corners, DIRECTIONS, Rule};

/// The "direction" at the start of a search: all neighbours are visited.
pub(crate) const NOWHERE: usize = 8;

/// For each direction of arrival, and the nine walls around, the directions in which to go on.
pub(crate) type Order = [[u8; 512]; 9];

/// The table of a rule, made when first used. For rules without diagonals, where this order has no
/// effect, all neighbours are visited.
pub(crate) fn order(rule: Rule) -> &'static Order {
    static ORDERS: [OnceLock<Box<Order>>; 5] = [const { OnceLock::new() }; 5];
    let k = match rule {
        Rule::Eight(Corners::Never) => 0,
        Rule::Eight(Corners::OneFree) => 1,
        Rule::Eight(Corners::Always) => 2,
        Rule::Four => 3,
        Rule::Six => 4,
    };
    ORDERS[k].get_or_init(|| {
        let mut order = Box::new([[0; 512]; 9]);
        for (came, ways) in order.iter_mut().enumerate() {
            for (walls, ways) in ways.iter_mut().enumerate() {
                let legal = rule.legal()[walls];
                let is_left = |d: &usize| came == NOWHERE || k > 2 || !is_pruned(rule, walls, came, *d);
                *ways =
                    (0..8).filter(|d| legal >> d & 1 != 0).filter(is_left).fold(0, |ways, d| ways | 1 << d);
            }
        }
        order
    })
}

/// Whether the previous cell reaches the neighbour in direction `d` as well without this cell.
///
/// Paths are compared by their number of steps, then by their number of diagonal steps: for every
/// scale whose diagonal step is longer than one straight step and shorter than two, this orders
/// them by length.
fn is_pruned(rule: Rule, walls: usize, came: usize, d: usize) -> bool {
    let before = -DIRECTIONS[came];
    let to = DIRECTIONS[d];
    if to == before {
        return true;
    }
    let diagonals = |steps: &[usize]| steps.iter().filter(|step| *step % 2 == 1).count();
    let through = diagonals(&[came, d]);
    // A path that arrived diagonally comes before all paths of its length, and a path that arrived
    // straight comes after them.
    let is_before = |other: usize| if came.is_multiple_of(2) { other <= through } else { other < through };
    for first in 0..8 {
        let Some(middle) = step(rule, walls, before, first) else { continue };
        if middle == to {
            return true;
        }
        let mut seconds = (0..8).filter(|&second| step(rule, walls, middle, second) == Some(to));
        if middle != Cell::ZERO && seconds.any(|second| is_before(diagonals(&[first, second]))) {
            return true;
        }
    }
    false
}

/// The cell to which a step leads within the nine cells, if the step is legal.
fn step(rule: Rule, walls: usize, from: Cell, d: usize) -> Option<Cell> {
    let to = from + DIRECTIONS[d];
    let is_free =
        |cell: Cell| cell.abs().max_element() <= 1 && walls >> ((cell.y + 1) * 3 + cell.x + 1) & 1 == 0;
    let beside = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)].map(is_free);
    let allowed = d.is_multiple_of(2)
        || match rule {
            Rule::Eight(Corners::Never) => beside[0] && beside[1],
            Rule::Eight(Corners::OneFree) => beside[0] || beside[1],
            _ => true,
        };
    (is_free(from) && is_free(to) && allowed).then_some(to)
}
