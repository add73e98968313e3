//! The joints of a world, and the joint list of each body: see `joint_lists.rs`.

use crate::body::id::Slots;
use crate::joint::Joint;
use crate::solver::joints::layout::SharedLayout;
use crate::util::Sealed;
use crate::world::joints::fill::AtRest;
use crate::world::joints::revolutions::Turns;

/// Joints by slot.
#[derive(Debug, Default)]
pub(crate) struct JointStore {
    pub(crate) slots: Sealed<Slots>,
    pub(crate) rows: Vec<Joint>,
    /// Per slot of a joint: relative turns of its bodies.
    pub(crate) turns: Vec<Turns>,
    /// Per slot of a body: its first joint and its last one, or [`NONE`](crate::body::NONE).
    pub(crate) first: Vec<u32>,
    pub(crate) last: Vec<u32>,
    /// Number of joints added so far.
    pub(crate) serial: u64,
    /// Per solver row: whether joints constrain the body, as of the last change of joints or awake
    /// bodies.
    pub(crate) held: Vec<bool>,
    /// Per slot of a joint, if worlds share a workspace: masses for which its springs are tuned.
    pub(crate) at_rest: Vec<Option<AtRest>>,
    /// The layout of these joints, if there was one since they or the awake bodies changed, and it
    /// may be shared.
    pub(crate) layout: Option<SharedLayout>,
}

crate::state::clone_by_field! { JointStore { slots, rows, turns, first, last, serial } kept { held, at_rest, layout } }
