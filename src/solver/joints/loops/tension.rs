//! What joints pull at their bodies, and how far they are from their places: noted as they are
//! aimed.
//!
//! In: a block that was aimed. Out: the pulls of its joints, added up by body; open loops. Why it
//! matters stands in `jacobian.rs`. Without it `a_net_gains_no_energy` fails in
//! `tests/physics/joints/energy.rs`, and four more tests of nets.

use crate::simd::{LANES, Width};
use crate::solver::joints::block::JointBlock;
use crate::solver::joints::jacobian;
use crate::solver::params::JointParams;
use crate::threads::Shared;

/// What a block of joints that were aimed pulls at its bodies, and how far they are from their
/// places.
#[derive(Default)]
pub(super) struct Strain {
    pub(super) pulls: [[f32; LANES]; 2],
    pub(super) is_taut: bool,
    pub(super) is_open: bool,
}

impl Strain {
    #[inline(always)]
    pub(super) fn aim<W: Width>(
        &mut self,
        w: W,
        block: &mut JointBlock,
        moved: &[[f32; 4]],
        params: &JointParams,
    ) {
        w.apart(
            #[inline(always)]
            || {
                jacobian::aim(w, block, moved, params.unit);
                self.is_taut |= jacobian::note_pull(w, block, params.h, &mut self.pulls);
                self.is_open |= jacobian::is_open(w, block, params.unit);
            },
        );
    }

    /// Adds what the joints of block `at` pull to the `masses` of their bodies, and lists what is
    /// found.
    #[inline(always)]
    pub(super) fn note(
        &self,
        (block, at): (&JointBlock, usize),
        masses: Shared<[f32; 4]>,
        felt: &mut TensionOutput,
    ) {
        if self.is_open {
            felt.open.push(at as u32);
        }
        if self.is_taut {
            add_pulls(block, &self.pulls, masses, &mut felt.pulled);
        }
    }
}

/// What a chunk of joints that were aimed found.
#[derive(Clone, Debug, Default)]
pub(crate) struct TensionOutput {
    /// The rows that feel what pulls at them.
    pub(super) pulled: Vec<u32>,
    /// Blocks of joints that are not where they should be.
    pub(super) open: Vec<u32>,
}

/// Adds what the joints of a block pull to their bodies, and lists those that feel it. What stands
/// does not.
fn add_pulls(block: &JointBlock, pulls: &[[f32; LANES]; 2], masses: Shared<[f32; 4]>, pulled: &mut Vec<u32>) {
    for (rows, pulls) in [&block.row_a, &block.row_b].into_iter().zip(pulls) {
        for (&row, &pull) in rows.iter().zip(pulls) {
            let [x, y, spin, sum] = masses.get(row as usize);
            if pull * spin > jacobian::TAUT {
                masses.set(row as usize, [x, y, spin, sum + pull]);
                pulled.push(row);
            }
        }
    }
}
