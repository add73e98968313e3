//! The joints of a world, and the joint list of each body: see `joint_lists.rs`.

use crate::body::NONE;
use crate::body::id::Slots;
use crate::joint::Joint;
use crate::solver::joints::layout::SharedLayout;
use crate::util::{Seal, Sealed};
use crate::world::joints::revolutions::Turns;
use crate::world::joints::springs::AtRest;

/// Joints by slot.
#[derive(Debug, Default)]
pub(crate) struct JointStore {
    pub(crate) slots: Sealed<Slots>,
    pub(crate) rows: Vec<Joint>,
    /// Per slot of a joint: relative turns of its bodies.
    pub(crate) turns: Vec<Turns>,
    /// Per slot of a body, as far as there was ever a joint: its first joint and its last one, or
    /// [`NONE`].
    ends: Vec<[u32; 2]>,
    /// Number of joints added so far.
    pub(crate) serial: u64,
    /// Per solver row: whether joints constrain the body, as of the last change of joints or awake
    /// bodies.
    pub(crate) held: Vec<bool>,
    /// Per slot of a joint, if worlds share a workspace: masses for which its springs are tuned.
    pub(crate) at_rest: Vec<Option<AtRest>>,
    /// The layout of the joints, if it may be shared, and neither joints nor awake bodies have
    /// changed since it was made.
    pub(crate) layout: Option<SharedLayout>,
    /// The seal of all values that lanes are filled with once: definitions of the joints; masses,
    /// inertias, centres of mass, kinds, locks and extents of their bodies. Code that changes such
    /// a value breaks the seal: `link_joint`, `unlink_joint`, `redefine` and `refill_joints_of` do.
    /// It does not cover the length of a sub-step, regions, impulses and turns.
    pub(crate) seal: Seal,
}

crate::state::clone_by_field! { JointStore { slots, rows, turns, ends, serial, seal } kept { held, at_rest, layout } }

impl JointStore {
    /// The first joint of a body, or [`NONE`].
    #[inline(always)]
    pub(crate) fn first_of(&self, body: u32) -> u32 {
        self.ends.get(body as usize).map_or(NONE, |ends| ends[0])
    }

    /// The last joint of a body, or [`NONE`].
    #[inline(always)]
    pub(crate) fn last_of(&self, body: u32) -> u32 {
        self.ends.get(body as usize).map_or(NONE, |ends| ends[1])
    }

    /// The first joint of a body and its last one, to be changed.
    #[inline]
    pub(crate) fn ends_mut(&mut self, body: u32) -> &mut [u32; 2] {
        let index = body as usize;
        if self.ends.len() <= index {
            self.ends.resize(index + 1, [NONE; 2]);
        }
        &mut self.ends[index]
    }

    /// No body has a joint.
    pub(crate) fn clear_ends(&mut self) {
        self.ends.clear();
    }
}
