//! Contacts in the solver: constraints that push, with friction and restitution.
//!
//! ```text
//!   file         contents                                  runs
//!   block.rs     blocks of eight contacts                  (data, for all other files)
//!   schedule.rs  the order of blocks, and their threads    when touching contacts change
//!   prepare.rs   contacts into blocks                      once a step
//!   solve.rs     warm starting                             once a step
//!                solve, relax                              once a sub-step
//!   impacts.rs   impacts that bounce (restitution)         once a sub-step, if any contact bounces
//!   lone.rs      bodies that touch immovable bodies only   once a sub-step, if there are any
//!   store.rs     impulses back to the contacts             once a step
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
