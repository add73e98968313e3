//! Joints: what holds two bodies together.
//!
//! In: two solver rows, anchors, a law. Out: velocities in the columns, impulses kept for the next step. A file a kind,
//! with its derivation; each has `prepare`, `warm_start`, `solve` and `relax`, as contacts have.

pub(crate) mod weld;
