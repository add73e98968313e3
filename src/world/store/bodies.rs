//! The bodies of a world, and what is kept of each beside its row.

use super::own_laws::OwnLaws;
use crate::body::Body;
use crate::body::id::Slots;

/// Bodies by slot.
#[derive(Debug, Default)]
pub(crate) struct BodyStore {
    pub(crate) slots: Slots,
    pub(crate) rows: Vec<Body>,
    /// Slots of the bodies that steps move.
    pub(crate) awake: Vec<u32>,
    /// By slot: the row in the solver's columns; 0, the immovable row, for what steps do not move.
    pub(crate) solver_rows: Vec<u32>,
    /// By slot: how many contacts a body has, asleep or not. Most edits have nothing to look for
    /// where there are none.
    pub(crate) contact_counts: Vec<u32>,
    /// By slot: the only part that the body has in the grid; [`NONE`](crate::body::NONE) if there
    /// are none or several.
    pub(crate) sole_parts: Vec<u32>,
    /// What single bodies have of their own.
    pub(crate) own_laws: OwnLaws,
}

crate::state::clone_by_field! { BodyStore { slots, rows, awake, solver_rows, contact_counts, sole_parts, own_laws } }
