//! What joints pull at their bodies, and how far they are from their places: noted as they are aimed.
//!
//! In: a block that was aimed. Out: the pulls of its joints, added up by body; open loops. Why it matters stands in `aim.rs`.

use super::aim;
use super::block::Block;
use super::loops::Loops;
use crate::simd::{LANES, Width};

/// What a block of joints that were aimed pulls at its bodies, and how far they are from their places.
#[derive(Clone, Debug, Default)]
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

    /// Adds what the joints pull to their bodies, and notes open loops; `false` if no body feels the pull.
    #[inline(always)]
    pub(super) fn note(&self, block: &Block, masses: Pulled, loops: &mut Loops) -> bool {
        if self.is_open {
            loops.note_gaps(block);
        }
        self.is_taut && add_pulls(block, &self.pulls, masses)
    }
}

/// What joints meet, by solver row, and the rows that are pulled at.
type Pulled<'j> = (&'j mut [[f32; 4]], &'j mut Vec<u32>);

/// Adds what the joints of a block pull to their bodies; `false` if no body feels it.
fn add_pulls(block: &Block, pulls: &[[f32; LANES]; 2], (masses, pulled): Pulled) -> bool {
    let mut strained = false;
    for (rows, pulls) in [&block.row_a, &block.row_b].into_iter().zip(pulls) {
        for (&row, &pull) in rows.iter().zip(pulls) {
            let mass = &mut masses[row as usize];
            if pull * mass[2] > aim::TAUT {
                pulled.push(row);
                mass[3] += pull;
                strained = true;
            }
        }
    }
    strained
}
