//! Elimination order of the bodies of a web (minimum degree), and its fill-in.
//!
//! In: pairs of bodies with joints. Out: an order, the positions of all 3 × 3 blocks below the
//! diagonal, and for each product of the factorization the block it is subtracted from; or `None`,
//! if there is too much fill-in.

use std::collections::BTreeSet;

use crate::body::NONE;

/// Most bodies of a web.
const MOST_BODIES: usize = 1024;

/// Most products of blocks of a factorization: so many per body, and so many more for small webs.
/// Larger webs are iterated: nets of more than 10 × 10. (29 nets of 12 × 12 took 5.0 s for 291 steps
/// when they were solved directly, twice a pass, and take 0.26 s. Iterated, a net of 10 × 10 swings for longer than 40 s: `a_net_at_rest_stays_at_rest`.)
const PRODUCTS: usize = 16;
const FREE_PRODUCTS: usize = 1200;

/// The symbolic factorization: order of elimination and fill-in.
#[derive(Clone, Debug, Default)]
pub(super) struct EliminationOrder {
    /// Start of each body's column in `rows`, and the end of the last one.
    pub(super) starts: Vec<u32>,
    /// Row of each block below the diagonal, ascending within a column.
    pub(super) rows: Vec<u32>,
    /// For each pair of blocks in a column, the block that their product is subtracted from;
    /// [`NONE`] for a diagonal one.
    pub(super) targets: Vec<u32>,
}

impl EliminationOrder {
    /// Orders `count` bodies by minimum degree. Returns the bodies in that order, by old index;
    /// `None` if there is too much fill-in.
    pub(super) fn new(count: usize, pairs: &[(u32, u32)]) -> Option<(EliminationOrder, Vec<u32>)> {
        if count > MOST_BODIES {
            return None;
        }
        let mut near: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count];
        for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
            near[a as usize].insert(b);
            near[b as usize].insert(a);
        }
        let mut queue: BTreeSet<(usize, u32)> = (0..).zip(&near).map(|(k, near)| (near.len(), k)).collect();
        let (mut order, mut columns, mut products) = (Vec::new(), Vec::new(), 0);
        while let Some((degree, body)) = queue.pop_first() {
            products += 1 + degree * (degree + 3) / 2;
            if products > PRODUCTS * count + FREE_PRODUCTS {
                return None;
            }
            let others: Vec<u32> = core::mem::take(&mut near[body as usize]).into_iter().collect();
            for &other in &others {
                let before = near[other as usize].len();
                near[other as usize].remove(&body);
                near[other as usize].extend(others.iter().filter(|&&third| third != other));
                let after = near[other as usize].len();
                if after != before {
                    queue.remove(&(before, other));
                    queue.insert((after, other));
                }
            }
            order.push(body);
            columns.push(others);
        }
        Some((EliminationOrder::of(&order, &columns), order))
    }

    /// The plan for bodies in `order`; `columns` lists the later bodies in each column.
    fn of(order: &[u32], columns: &[Vec<u32>]) -> EliminationOrder {
        let mut place = vec![0; order.len()];
        (0..).zip(order).for_each(|(k, &body)| place[body as usize] = k);
        let mut plan = EliminationOrder { starts: vec![0], ..EliminationOrder::default() };
        for column in columns {
            let start = plan.rows.len();
            plan.rows.extend(column.iter().map(|&body| place[body as usize]));
            plan.rows[start..].sort_unstable();
            plan.starts.push(plan.rows.len() as u32);
        }
        for column in 0..order.len() {
            let blocks = plan.blocks(column);
            for p in blocks.clone() {
                for q in blocks.start..p {
                    let target = plan.find(plan.rows[p], plan.rows[q]);
                    plan.targets.push(target);
                }
            }
        }
        plan
    }

    /// The blocks of a column.
    pub(super) fn blocks(&self, column: usize) -> core::ops::Range<usize> {
        self.starts[column] as usize..self.starts[column + 1] as usize
    }

    /// The block of a row and an earlier column.
    pub(super) fn find(&self, row: u32, column: u32) -> u32 {
        let blocks = self.blocks(column as usize);
        let found = self.rows[blocks.clone()].binary_search(&row);
        debug_assert!(found.is_ok(), "a plan has all blocks that are filled");
        found.map_or(NONE, |at| (blocks.start + at) as u32)
    }
}
