//! The events of a world: those of the last step, those to come, and what tells them.

use crate::contact::pair_map::PairMap;
use crate::event::{Events, Sorter, Touch};

/// Events, and what tells whether there is one.
#[derive(Debug, Default)]
pub(crate) struct EventStore {
    /// What happened in the last step, for the game to read.
    pub(crate) now: Events,
    /// What happened since the last step ended.
    pub(crate) next: Events,
    /// What ended between the last step and this one.
    pub(crate) late: Events,
    /// How many parts of two shapes touch.
    pub(crate) touch_counts: PairMap,
    /// The same of a sensor, named first, and a visitor.
    pub(crate) visit_counts: PairMap,
    /// Contacts of which this step may have an event to tell.
    pub(crate) candidates: Vec<u32>,
    /// Touches that became welds in this step.
    pub(crate) welded: Vec<Touch>,
    pub(crate) sorter: Sorter,
}

crate::state::clone_by_field! {
    EventStore { now, next, late, touch_counts, visit_counts } kept { candidates, welded, sorter }
}
