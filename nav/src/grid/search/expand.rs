//! The main loop of all searches except jump point search.
//!
//! In: the open list, nodes of cells, costs of steps. Out: the progress of the search. The compiler
//! makes a variant for each kind of search, because this runs once per cell.

use super::{Progress, Run, pack, unpack};
use crate::grid::Map;
use crate::grid::bits::Bits;
use crate::grid::layer::{Bare, Layer};
use crate::grid::nodes::{CAME, CLOSED, GOAL, Node, Nodes};
use crate::grid::order::{NOWHERE, Order, order};
use crate::grid::rule::{DIRECTIONS, Legal};
use crate::length::LIMIT;
use crate::open::Open;

/// Treatment of a cell that was reached before and is not closed.
pub(super) type Reached = u8;
/// Take the shorter path.
pub(super) const RELAX: Reached = 0;
/// Keep the first path.
pub(super) const KEEP: Reached = 1;
/// Take the last path: with a stack this is depth-first search.
pub(super) const REPLACE: Reached = 2;
/// Take the shorter path, and among equal lengths only the path that goes diagonally first.
pub(super) const ORDERED: Reached = 3;

/// Costs of steps.
pub(in crate::grid) trait Steps {
    /// Whether only the map's costs count.
    const IS_PLAIN: bool;

    fn more(&self, index: usize) -> u32;
}

impl Steps for Bare {
    const IS_PLAIN: bool = true;

    #[inline(always)]
    fn more(&self, _: usize) -> u32 {
        0
    }
}

/// A layer for a unit of some size.
pub(super) struct Layered<'l, L: ?Sized> {
    layer: &'l L,
    size: usize,
    /// Cells along x.
    width: usize,
}

impl<'l, L: ?Sized> Layered<'l, L> {
    pub(super) fn new(layer: &'l L, size: u8, map: &Map) -> Self {
        Layered { layer, size: usize::from(size), width: map.width() as usize }
    }
}

impl<L: Layer + ?Sized> Steps for Layered<'_, L> {
    const IS_PLAIN: bool = false;

    #[inline(always)]
    fn more(&self, index: usize) -> u32 {
        if self.size == 1 {
            return self.layer.extra(index);
        }
        // All cells that a standing unit covers are on the map.
        let covered = (0..self.size).flat_map(|y| (0..self.size).map(move |x| index + y * self.width + x));
        covered.map(|index| self.layer.extra(index)).max().unwrap_or(0)
    }
}

pub(super) trait Pricing {
    /// The length of a step into the cell `entered`, if it is `step` over land of cost 1.
    fn price(&self, step: u32, entered: usize) -> u32;

    /// Whether a cell and all cells around it have the same cost.
    fn is_even_around(&self, at: usize, width: usize) -> bool;
}

/// All cells cost 1.
pub(super) struct Even;

impl Pricing for Even {
    #[inline(always)]
    fn price(&self, step: u32, _: usize) -> u32 {
        step
    }

    #[inline(always)]
    fn is_even_around(&self, _: usize, _: usize) -> bool {
        true
    }
}

/// The map's costs (if any), plus the costs of a layer.
pub(super) struct Priced<'a, L>(pub(super) &'a [u8], pub(super) &'a L);

impl<L: Steps> Pricing for Priced<'_, L> {
    #[inline(always)]
    fn price(&self, step: u32, entered: usize) -> u32 {
        let cost = self.0.get(entered).map_or(1, |&cost| u32::from(cost));
        if L::IS_PLAIN { step * cost } else { step.saturating_mul(cost.saturating_add(self.1.more(entered))) }
    }

    #[inline(always)]
    fn is_even_around(&self, at: usize, width: usize) -> bool {
        let cost = self.0.get(at).map_or(0, |&cost| u32::from(cost));
        // Three cells of each row, and a fourth that is masked out. At the ends of rows some belong
        // to other rows: if all costs are equal, so are the costs of the neighbours.
        (0..3).all(|row| {
            let four =
                (at + row * width).checked_sub(width + 1).and_then(|first| self.0.get(first..first + 4));
            let four = four.and_then(|four| four.first_chunk()).map(|four| u32::from_le_bytes(*four));
            four.is_some_and(|four| four & 0xFF_FFFF == cost * 0x01_0101)
        })
    }
}

/// The main loop of all searches except that by jump points: takes the first open cell, closes it,
/// and relaxes its neighbours. Long because it is one kernel: it is compiled for each open list,
/// each pricing and each rule `REACHED`, with all of it inlined.
pub(super) fn expand<O: Open, P: Pricing, const REACHED: Reached>(
    nodes: &mut [Node],
    open: &mut O,
    view: &Map,
    pricing: &P,
    run: &mut Run,
) -> Progress {
    let (legal, order): (&Legal, &Order) = (run.rule.legal(), order(run.rule));
    let rows: &Bits = view.rows();
    let (stamp, width, steps, estimate) = (run.stamp, run.width as usize, run.steps, run.estimate);
    while run.allowed > 0 {
        // Close the first open cell.
        let Some(packed) = open.pop() else { return Progress::Exhausted };
        let cell = unpack(packed);
        let at = cell.y as usize * width + cell.x as usize;
        let Node { mark, g } = nodes[at];
        if mark & CLOSED != 0 {
            continue; // a longer path, replaced since
        }
        run.allowed -= 1;
        run.expansions += 1;
        nodes[at].mark = mark | CLOSED;
        if mark & GOAL != 0 {
            run.unexpanded = Some(cell);
            return Progress::At(cell);
        }
        // The directions to follow: legal steps, pruned to one of equal paths where `REACHED`
        // allows.
        let walls = rows.nine(cell.x, cell.y) & 511;
        let mut directions = u32::from(if REACHED != ORDERED {
            legal[walls]
        } else if pricing.is_even_around(at, width) {
            ways_on(order, mark & CAME, walls)
        } else {
            legal[walls] & !SHORTER_BEFORE[(mark & CAME) as usize]
        });
        while directions != 0 {
            // A stack takes the directions backwards, so that the first ends on top.
            let d = if REACHED == REPLACE {
                (31 - directions.leading_zeros()) as usize
            } else {
                directions.trailing_zeros() as usize
            };
            directions ^= 1 << d;
            let d = d & 7;
            let to = (at as i32 + run.offsets[d]) as usize;
            // Relax the neighbour.
            let node = &mut nodes[to];
            let paid = if run.backward { at } else { to };
            let length = g.saturating_add(pricing.price(steps[d], paid));
            // Skip it if it is closed, or was reached by a path that is no longer.
            let mut kept = 0;
            if Nodes::is_of(node.mark, stamp) {
                let is_closed = node.mark & CLOSED != 0;
                if REACHED == ORDERED && length == node.g && node.mark & 1 << d == 0 {
                    // Two paths of equal length arrive from two sides: the search goes on from
                    // both, and expands the cell again if it was closed.
                    node.mark = (node.mark | 1 << d) & !CLOSED;
                    if !is_closed {
                        continue;
                    }
                    kept = node.mark & (GOAL | CAME);
                } else {
                    let is_worse = match REACHED {
                        RELAX | ORDERED => length >= node.g,
                        KEEP => node.g != u32::MAX,
                        _ => false,
                    };
                    if is_closed || is_worse {
                        continue;
                    }
                    kept = node.mark & GOAL;
                }
            }
            if length > LIMIT {
                // A cell blocked by a layer does not count as too far.
                run.too_far |= length < u32::MAX;
                continue;
            }
            // Open it.
            *node = Node { mark: stamp | kept | 1 << d, g: length };
            let next = cell + DIRECTIONS[d];
            let key = match REACHED {
                RELAX | ORDERED => length + estimate.at(next.x, next.y),
                KEEP => estimate.at(next.x, next.y),
                _ => 0,
            };
            open.push(key, pack(next));
        }
    }
    Progress::Going
}

/// For each set of directions by which a cell was reached, the directions in which its parent is
/// nearer, at any costs: the parent goes there straight, and a path through this cell enters the
/// same land one step later. These are the directions back, and to both sides of it: diagonal for a
/// straight step, straight for a diagonal one.
static SHORTER_BEFORE: [u8; 256] = {
    let mut table = [0; 256];
    let mut came = 0;
    while came < 256 {
        let mut d = 0;
        while d < 8 {
            if came >> d & 1 != 0 {
                table[came] |= 1 << ((d + 3) % 8) | 1 << ((d + 4) % 8) | 1 << ((d + 5) % 8);
            }
            d += 1;
        }
        came += 1;
    }
    table
};

/// The directions in which to go on from a cell that was reached in the directions `came`; `came`
/// is 0 at the start, where all directions are open.
#[inline(always)]
fn ways_on(order: &Order, came: u32, walls: usize) -> u8 {
    if came == 0 {
        return order[NOWHERE][walls];
    }
    let mut ways = order[came.trailing_zeros() as usize & 7][walls];
    let mut more = came & (came - 1);
    while more != 0 {
        ways |= order[more.trailing_zeros() as usize & 7][walls];
        more &= more - 1;
    }
    ways
}
