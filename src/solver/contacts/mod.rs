//! Contacts in the solver: constraints that push, with friction and restitution.
//!
//! ```text
//!   block.rs     blocks of eight contacts                  what all others read
//!   prepare.rs   contacts into blocks, impulses back       once a step
//!   impacts.rs   impacts that bounce (restitution)         every sub-step, if there are any
//!   solve.rs     warm starting, solve, relax               warm starting once, the others always
//!   lone.rs      bodies that only touch what stands still  every sub-step, if there are any
//! ```
//!
//! Which blocks are solved in which order and on which thread is decided in `solver/mod.rs`.

pub(crate) mod block;
pub(super) mod impacts;
pub(super) mod lone;
pub(super) mod prepare;
pub(super) mod solve;
