//! Lists of continuous collision, which each step fills anew, kept for their memory.

use glam::Vec2;

use super::carry::Shift;
use super::late_impacts::Late;
use crate::broadphase::Pair;
use crate::util::trim::trim;

/// Lists of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct CcdScratch {
    /// Outputs of the chunks of a list.
    pub(super) chunks: Vec<CcdOutput>,
    /// Contacts that are culled at the end of the step.
    pub(super) sieved: Vec<u32>,
    /// Strays: bodies that left their boxes.
    pub(crate) strays: Vec<u32>,
    pub(super) stray_pairs: Vec<Pair>,
    /// Pairs without a contact that are culled.
    pub(super) near: Vec<Pair>,
    /// Per part: whether its body moved farther than its thickness.
    pub(super) far: Vec<bool>,
    /// Per row: the least half-thickness of the body; infinite if it cannot be cut short; negated
    /// if it moved less than that.
    pub(super) cores: Vec<f32>,
    /// Contacts whose parts may have passed through each other.
    pub(super) suspects: Vec<u32>,
    /// Per row: whether a body that moved far lay on an immovable one.
    pub(super) pressed: Vec<bool>,
    /// Bodies that are cut short, by slot; and in the order of their impacts.
    pub(super) cuts: Vec<CutBody>,
    pub(super) cut_order: Vec<CutBody>,
    /// Bodies that were cut short in the step before.
    pub(super) cut_before: Vec<u32>,
    /// Parts near a body that goes on after its impact.
    pub(super) late_others: Vec<u32>,
    /// Boxes that may still be looked at for obstacles and strides in this step.
    pub(super) boxes_left: usize,
    /// Pairs of a body during the rest of its displacement.
    pub(super) late_pairs: Vec<Late>,
}

impl CcdScratch {
    /// Frees memory that the last step did not need.
    pub(crate) fn trim(&mut self) {
        trim(&mut self.sieved);
        trim(&mut self.near);
    }
}

/// Output of a chunk of a list. Each pass empties it.
#[derive(Clone, Debug, Default)]
pub(crate) struct CcdOutput {
    /// Contacts that pass culling.
    pub(super) left: Vec<u32>,
    /// Pairs without a contact that pass culling.
    pub(super) near: Vec<Pair>,
    pub(super) cuts: Vec<CutBody>,
}

/// A body that is cut short: at which share of the step, and by which pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CutBody {
    pub(super) slot: u32,
    pub(super) time: f32,
    pub(super) pair: Pair,
    /// Its displacement from the time of impact to the end of the step, once it has moved on.
    pub(super) moved_on: Option<Shift>,
    /// The part of its displacement that was taken back, less the displacement that followed.
    pub(super) put_back: Vec2,
}

impl CutBody {
    pub(super) fn new(slot: u32, time: f32, pair: Pair) -> CutBody {
        CutBody { slot, time, pair, moved_on: None, put_back: Vec2::ZERO }
    }
}
