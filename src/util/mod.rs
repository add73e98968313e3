//! Small tools that know nothing of geometry.
//!
//! ```text
//!   union_find.rs        groups of things that are connected, directly or indirectly
//!   graph_colouring.rs   colours for constraints that share no body: first fit
//!   number_table.rs      a table from numbers to numbers, emptied entry by entry
//!   common.rs            values that clones share until one of them changes
//!   sealed.rs            values that know whether a copy of them is still equal
//!   lazy.rs              values that are computed when they are first needed
//!   prefetch.rs          loads of memory before it is needed
//!   sort.rs              sorts of little code, for calls that are not hot
//!   trim.rs              release of unused room in large lists
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
