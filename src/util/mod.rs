//! Small tools that know nothing of geometry.
//!
//! ```text
//!   union_find.rs        which things hang together, directly or by way of others
//!   graph_colouring.rs   colours of what shares no body: first fit
//!   number_table.rs      numbers by number, emptied entry by entry
//!   sealed.rs            values that know whether a copy of them is still equal
//!   trim.rs              room in large lists that nothing is in
//!   random.rs            random numbers of the unit tests
//! ```

pub(crate) mod graph_colouring;
mod number_table;
#[cfg(test)]
mod random;
mod sealed;
pub(crate) mod trim;
mod union_find;

pub(crate) use number_table::NumberTable;
#[cfg(test)]
pub(crate) use random::Random;
pub(crate) use sealed::Sealed;
pub(crate) use union_find::UnionFind;
