//! Small tools that know nothing of geometry.
//!
//! ```text
//!   union_find.rs   which things hang together, directly or by way of others
//! ```

mod union_find;

pub(crate) use union_find::UnionFind;
