//! What joints pull at their bodies, and how far they are from their places: noted as they are aimed.
//!
//! In: a block that was aimed. Out: the pulls of its joints, added up by body; open loops. Why it matters stands in `aim.rs`.

use super::aim;
use super::block::Block;
use crate::simd::{LANES, Width};
use crate::threads::Shared;

/// What a block of joints that were aimed pulls at its bodies, and how far they are from their places.
#[derive(Default)]
pub(super) struct Strain {
    pub(super) pulls: [[f32; LANES]; 2],
    pub(super) is_taut: bool,
    pub(super) is_open: bool,
}

impl Strain {
    #[inline(always)]
    pub(super) fn aim<W: Width>(&mut self, w: W, block: &mut Block, moved: &[[f32; 4]], h: f32) {
        aim::aim(w, block, moved);
        self.is_taut |= aim::note_pull(w, block, h, &mut self.pulls);
        self.is_open |= aim::is_open(w, block);
    }

    /// Adds what the joints of block `at` pull to the `masses` of their bodies, and notes what is `felt`.
    #[inline(always)]
    pub(super) fn note(&self, (block, at): (&Block, usize), masses: Shared<[f32; 4]>, felt: Shared<Felt>) {
        if self.is_taut || self.is_open {
            let lanes = if self.is_taut { add_pulls(block, &self.pulls, masses) } else { [0; 2] };
            felt.set(at, Felt { lanes, is_open: self.is_open });
        }
    }
}

/// What is to be noted of a block of joints that were aimed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Felt {
    /// Which of the bodies A, and which of the bodies B, feel what pulls at them.
    pub(super) lanes: [u8; 2],
    pub(super) is_open: bool,
}

impl Felt {
    pub(super) const NOTHING: Felt = Felt { lanes: [0; 2], is_open: false };

    pub(super) fn is_any(&self) -> bool {
        self.is_open || self.lanes != [0; 2]
    }
}

/// Adds what the joints of a block pull to their bodies; answers which of the bodies feel it. What stands does not.
fn add_pulls(block: &Block, pulls: &[[f32; LANES]; 2], masses: Shared<[f32; 4]>) -> [u8; 2] {
    let mut felt = [0; 2];
    for ((rows, pulls), felt) in [&block.row_a, &block.row_b].into_iter().zip(pulls).zip(&mut felt) {
        for (lane, (&row, &pull)) in rows.iter().zip(pulls).enumerate() {
            let [x, y, spin, sum] = masses.get(row as usize);
            if pull * spin > aim::TAUT {
                masses.set(row as usize, [x, y, spin, sum + pull]);
                *felt |= 1 << lane;
            }
        }
    }
    felt
}
