//! Tests of whole steps that need internals.

mod late_impacts;
mod memory;
mod quarantine;
pub(super) mod wide_vs_scalar;
