//! Contacts in the solver: constraints that push, with friction and restitution.
//!
//! ```text
//!   block.rs     blocks of eight contacts                  what all others read
//!   prepare.rs   contacts into blocks, impulses back       once a step
//!   impacts.rs   impacts that bounce (restitution)         every sub-step, if there are any
//!   solve.rs     warm starting, solve, relax               warm starting once, the others always
//!   lone.rs      bodies that only touch what stands still  every sub-step, if there are any
//!   schedule.rs  blocks in which order, side by side       when contacts begin or end
//! ```
//!
//! Passes over all blocks are in `solver/mod.rs`.

pub(crate) mod block;
pub(super) mod impacts;
pub(super) mod lone;
pub(super) mod prepare;
pub(super) mod schedule;
pub(super) mod solve;
