//! Decisions: state machines as checked tables, and zones that make their events.

#[cfg(any(doc, doctest))]
pub mod guide;
mod machine;
#[cfg(feature = "world")]
mod zones;

pub use machine::{Fault, Machine, Mind, MindError, Step, Table};
#[cfg(feature = "world")]
pub use zones::{WatcherId, Zone, ZoneError, ZoneEvent, Zones};

#[cfg(test)]
mod tests;
