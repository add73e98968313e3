//! The bodies of a world, and data of each besides its row.

use super::own_laws::OwnLaws;
use crate::body::Body;
use crate::body::id::Slots;
use crate::contact::SlotSet;
use crate::util::Sealed;

/// Bodies by slot.
#[derive(Debug, Default)]
pub(crate) struct BodyStore {
    pub(crate) slots: Sealed<Slots>,
    pub(crate) rows: Vec<Body>,
    /// Slots of the bodies that steps move.
    pub(crate) awake: Vec<u32>,
    /// Per slot: the row in the solver's columns; 0, the immovable row, for bodies that steps do
    /// not move.
    pub(crate) solver_rows: Vec<u32>,
    /// Per slot: the only part of the body in the grid; [`NONE`](crate::body::NONE) if there are
    /// none or several.
    pub(crate) sole_parts: Vec<u32>,
    /// Bodies whose centre of mass may be far from the boxes of their parts: see `piece/find.rs`.
    pub(crate) off_center: SlotSet,
    /// Own laws of single bodies.
    pub(crate) own_laws: OwnLaws,
}

crate::state::clone_by_field! { BodyStore { slots, rows, awake, solver_rows, sole_parts, off_center, own_laws } }
