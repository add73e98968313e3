//! The events of a world: events of the last step, pending events, and counts of touches.

use crate::contact::pair_map::PairMap;
use crate::event::{Events, Sorter, Touch};

/// Events, and the counts from which they follow.
#[derive(Debug, Default)]
pub(crate) struct EventStore {
    /// Events of the last step, for the game to read.
    pub(crate) now: Events,
    /// Events since the last step ended.
    pub(crate) next: Events,
    /// Ends between the last step and this one.
    pub(crate) late: Events,
    /// Number of touching parts per pair of shapes, if one of the two has several parts. (An entry
    /// for each touch was 25 bytes of the memory of a contact.) Ends look here in any case: the
    /// shapes may have had other parts before.
    pub(crate) touch_counts: PairMap,
    /// Number of overlapping parts per sensor (first) and visitor.
    pub(crate) visit_counts: PairMap,
    /// Contacts that may have an event in this step.
    pub(crate) candidates: Vec<u32>,
    /// Touches that became welds in this step.
    pub(crate) welded: Vec<Touch>,
    pub(crate) sorter: Sorter,
}

crate::state::clone_by_field! {
    EventStore { now, next, late, touch_counts, visit_counts } kept { candidates, welded, sorter }
}
