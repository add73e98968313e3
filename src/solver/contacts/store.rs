//! Stores the impulses of contacts at the end of a step, and updates their remembered loads.
//!
//! In: solved blocks. Out: rows of contacts with the impulses from which the next step starts warm,
//! and with the load memory. The reverse of `prepare.rs`.

use super::block::{ColdBlock, ContactBlock};
use crate::contact::Row;
use crate::simd::{LANES, Width};
use crate::threads::Shared;

/// Parameters of storing impulses in the contacts.
#[derive(Clone, Copy)]
pub(crate) struct StoreParams {
    /// One over the length of a sub-step.
    pub(crate) inv_h: f32,
    /// Share by which the stored normal forces follow the forces of this step: 1, unless sub-steps
    /// are shorter than in the step before. A short step between long ones says little about the
    /// resting forces: gaps that a long one closes at once are open in it.
    pub(crate) follows: f32,
    /// Share by which the memory of a load follows it in this step.
    pub(crate) memory: f32,
}

/// Stores the impulses of a block in its contacts; their remembered load follows slowly.
#[inline(always)]
pub(crate) fn store<W: Width, const P: usize>(
    w: W,
    (block, cold): (&ContactBlock<P>, &ColdBlock),
    at: &[u32; LANES],
    (impulses, surfaces): (Shared<Row>, Shared<Row>),
    params: StoreParams,
) {
    let surfaces = surfaces.first(impulses.len());
    let mut loads = w.gather_shared(surfaces, at);
    let inv_h = w.splat(params.inv_h);
    let old = w.gather_shared(impulses, at);
    let mut row = [w.splat(0.0); LANES];
    let mut off = w.splat(0.0);
    let (follows, stays) = (w.splat(params.follows), w.splat(1.0 - params.follows));
    for (k, point) in block.points.iter().enumerate() {
        row[k] = inv_h * w.read(&point.normal_impulse);
        row[2 + k] = inv_h * w.read(&point.tangent_impulse);
        off = off + (row[k] - loads[5 + k]);
        row[k] = follows * row[k] + stays * old[k];
        row[7] = row[7] + w.read(&point.total);
    }
    let change = w.splat(params.memory / P as f32) * off;
    for load in &mut loads[5..5 + P] {
        *load = *load + change;
    }
    row[4] = if block.flags.rolls { inv_h * w.read(&cold.rolling_impulse) } else { old[4] };
    (row[5], row[6]) = (old[5], old[6]);
    w.scatter_eight(impulses, at, block.used(), row);
    w.scatter_eight(surfaces, at, block.used(), loads);
}
