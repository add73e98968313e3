//! Small tools that know nothing of geometry.
//!
//! ```text
//!   union_find.rs        which things hang together, directly or by way of others
//!   graph_colouring.rs   colours of what shares no body: first fit
//!   number_table.rs      numbers by number, emptied entry by entry
//!   common.rs            values that clones have in common until one of them changes
//!   sealed.rs            values that know whether a copy of them is still equal
//!   lazy.rs              values that are made when they are first asked for
//!   prefetch.rs          memory that is asked for before it is needed
//!   sort.rs              sorts that are small as code, for what is no hot path
//!   trim.rs              room in large lists that nothing is in
//!   random.rs            random numbers of the unit tests
//! ```

mod common;
pub(crate) mod graph_colouring;
mod lazy;
mod number_table;
mod prefetch;
#[cfg(test)]
mod random;
mod sealed;
pub(crate) mod sort;
pub(crate) mod trim;
mod union_find;

pub(crate) use common::Common;
pub(crate) use lazy::Lazy;
pub(crate) use number_table::NumberTable;
pub(crate) use prefetch::Prefetch;
#[cfg(test)]
pub(crate) use random::Random;
pub(crate) use sealed::{Seal, Sealed};
pub(crate) use union_find::UnionFind;
