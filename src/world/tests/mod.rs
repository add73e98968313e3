//! Tests of whole steps that need what no user can reach.

mod late_impacts;
mod quarantine;
pub(super) mod wide_vs_scalar;
