//! Threads within a step: one by default, several with the feature `parallel` (work stealing over a
//! rayon pool).
//!
//! In: a stage, cut into chunks that do not depend on one another. Out: the same bits, in any order
//! of the chunks and on any threads, because
//!
//! * chunks write to rows of their own: slices that are cut ([`Team::for_chunks`]), or rows that
//!   only one zone or one colour has, or that a list names once ([`Shared`]);
//! * the output of a chunk goes into a list of its own, and the lists are read in the order of the
//!   chunks;
//! * a list whose chunks have outputs is cut by its length ([`Team::for_list`]), and never by the
//!   number of threads. The exception is a pass whose result does not depend on the cuts
//!   ([`Team::part`]).
//!
//! ```text
//!   serial.rs     without `parallel`: the chunks one after the other; no unsafe code
//!   scheduler.rs  with it: helpers from the rayon pool take chunks; the caller finishes alone if
//!                 none comes
//!   model.rs      an estimate of a step's time on more threads than there are
//!   disjoint.rs   rows and slices that several threads write: all unsafe code
//!   check.rs      debug builds: do two chunks touch the same row?
//! ```

#[cfg(feature = "parallel")]
mod check;
#[cfg(feature = "parallel")]
#[allow(unsafe_code, reason = "see its head")]
mod disjoint;
#[cfg(feature = "parallel")]
mod model;
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
