//! Contacts in the solver: constraints that push, with friction and restitution.
//!
//! ```text
//!   block.rs     blocks of eight contacts                  data of all the others
//!   prepare.rs   contacts into blocks                      once a step
//!   impacts.rs   impacts that bounce (restitution)         every sub-step, if there are any
//!   solve.rs     warm starting, solve, relax               warm starting once, the others always
//!   lone.rs      bodies that touch immovable bodies only   every sub-step, if there are any
//!   store.rs     impulses back to the contacts             once a step
//!   schedule.rs  the order of blocks, and their threads    when contacts begin or end
//! ```
//!
//! Passes over all blocks are in `solver/mod.rs`.

pub(crate) mod block;
pub(super) mod impacts;
pub(super) mod lone;
pub(super) mod prepare;
pub(super) mod schedule;
pub(super) mod solve;
pub(super) mod store;
