//! Joint tension and gaps: noted as Jacobians are updated.
//!
//! In: a block with an up-to-date Jacobian. Out: the pulls of its joints, added up per body; open
//! loops. `jacobian.rs` says why. Without it `a_net_gains_no_energy` fails in
//! `tests/physics/joints/energy.rs`, and four more tests of nets in `tests/physics/`.

use crate::simd::{LANES, Width};
use crate::solver::joints::block::JointBlock;
use crate::solver::joints::jacobian;
use crate::solver::params::JointParams;
use crate::threads::Shared;
use crate::tuning::JointTuning;

/// Pulls of a block of joints on their bodies, and whether gaps are open.
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
                jacobian::aim(w, block, moved, params.tuning.no_line);
                self.is_taut |= jacobian::note_pull(w, block, params.h, &mut self.pulls);
                self.is_open |= jacobian::is_open(w, block, &params.tuning.open);
            },
        );
    }

    /// Adds the pulls of block `at` to the `masses` of their bodies, and lists the rows and open
    /// blocks.
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

/// Results of a chunk of joints whose Jacobians were updated.
#[derive(Clone, Debug, Default)]
pub(crate) struct TensionOutput {
    /// The rows with a pull large enough to count.
    pub(super) pulled: Vec<u32>,
    /// Blocks with open gaps.
    pub(super) open: Vec<u32>,
}

/// Adds the pulls of a block to its bodies, and lists these rows, each once. Immovable bodies are
/// skipped. (Listed once for each joint that pulls at them, resetting them all was 4 % of the time
/// of `joint_grid`.)
fn add_pulls(block: &JointBlock, pulls: &[[f32; LANES]; 2], masses: Shared<[f32; 4]>, pulled: &mut Vec<u32>) {
    for (rows, pulls) in [&block.row_a, &block.row_b].into_iter().zip(pulls) {
        for (&row, &pull) in rows.iter().zip(pulls) {
            let [x, y, spin, sum] = masses.get(row as usize);
            if pull * spin > JointTuning::TAUT {
                masses.set(row as usize, [x, y, spin, sum + pull]);
                if sum == 0.0 {
                    pulled.push(row);
                }
            }
        }
    }
}
