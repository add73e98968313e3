//! Tests of whole steps that need what no user can reach.

mod quarantine;
pub(super) mod wide_vs_scalar;
