//! Small tools that know nothing of geometry.
//!
//! ```text
//!   union_find.rs   which things hang together, directly or by way of others
//!   trim.rs         room in large lists that nothing is in
//! ```

pub(crate) mod trim;
mod union_find;

pub(crate) use union_find::UnionFind;
