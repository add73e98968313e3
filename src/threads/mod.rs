//! Threads within a step: one thread by default, a crew of them with the feature `parallel`.
//!
//! In: a stage, cut into chunks that do not depend on one another. Out: the same bits in whatever
//! order and on whichever thread the chunks were done, because
//!
//! * chunks write to places of their own: slices that are cut ([`Team::for_chunks`]), or rows that
//!   only one zone or one colour has, or that a list names once ([`Shared`]);
//! * what a chunk finds goes into a list of its own, and lists are read in the order of the chunks;
//! * a list of which something is found is cut by its size ([`Team::for_list`]), and never by the
//!   number of threads, unless nobody can see how it was cut ([`Team::part`]).
//!
//! ```text
//!   serial.rs     without `parallel`: calls the chunks one after the other; nothing in the crate is unsafe
//!   scheduler.rs  with it: a step calls for helpers from the rayon pool; whoever comes takes chunks, the caller finishes alone if nobody does
//!   disjoint.rs   rows and slices that threads write side by side: all that is unsafe
//!   check.rs      debug builds: do two chunks touch the same row?
//! ```

#[cfg(feature = "parallel")]
mod check;
#[cfg(feature = "parallel")]
#[allow(unsafe_code, reason = "see its head")]
mod disjoint;
#[cfg(feature = "parallel")]
mod scheduler;
#[cfg(feature = "parallel")]
pub(crate) use check::let_go as unwatched;
#[cfg(feature = "parallel")]
pub(crate) use {
    disjoint::{Places, Shared},
    scheduler::{Crew, Team},
};

#[cfg(not(feature = "parallel"))]
mod serial;
#[cfg(not(feature = "parallel"))]
pub(crate) use serial::{Crew, Places, Shared, Team, unwatched};

#[cfg(all(test, feature = "parallel"))]
mod tests;
