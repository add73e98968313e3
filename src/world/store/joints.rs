//! The joints of a world, and the list that each body has of its own: see `joint_lists.rs`.

use crate::body::id::Slots;
use crate::joint::Joint;
use crate::world::joints::revolutions::Turns;

/// Joints by slot.
#[derive(Debug, Default)]
pub(crate) struct JointStore {
    pub(crate) slots: Slots,
    pub(crate) rows: Vec<Joint>,
    /// By slot of a joint: turns of its bodies against each other.
    pub(crate) turns: Vec<Turns>,
    /// By slot of a body: its first joint and its last one, or [`NONE`](crate::body::NONE).
    pub(crate) first: Vec<u32>,
    pub(crate) last: Vec<u32>,
    /// How many joints there have been.
    pub(crate) serial: u64,
    /// By solver row, whether joints hold the body; as of the last time that joints or awake bodies
    /// changed.
    pub(crate) held: Vec<bool>,
}

crate::state::clone_by_field! { JointStore { slots, rows, turns, first, last, serial } kept { held } }
