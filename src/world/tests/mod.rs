//! Tests of whole steps that need internals.

mod late_impacts;
mod quarantine;
pub(super) mod wide_vs_scalar;
