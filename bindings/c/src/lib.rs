//! carom for C: every function of `carom.h`, over the safe crates carom and carom-nav.
//!
//! ```text
//!   types/, exports/   generated from bindings/api.json: structs as C lays them out, and for each
//!                      function a shim that checks pointers and writes answers
//!   api/               the safe functions behind the shims, by the groups of the header
//!   convert/           definitions and answers, from C's structs to carom's and back
//!   handle.rs          objects behind pointers: in use, or broken by a panic
//!   border.rs          no panic crosses; failures become a status and a text per thread
//!   raw.rs             pointers and lists of the caller
//! ```
//!
//! # Safety
//!
//! The shims trust a caller in five things, which the header asks for; all else is checked.
//!
//! 1. A pointer to an object is NULL, or came from a function of this library and was not freed.
//! 2. Any other pointer is NULL, or points to as many valid values as its type or count says, which
//!    no other thread changes during the call.
//! 3. While a thread calls with an object that is not const, no other thread calls with it.
//! 4. A list that the library handed out is not read after the next call that is given its object
//!    without const.
//! 5. A hook returns: it neither throws nor jumps out.

#![warn(clippy::expect_used, clippy::panic, clippy::unreachable)]

mod api;
mod border;
mod convert;
pub mod exports;
mod failure;
mod handle;
mod raw;
pub mod types;

#[doc(hidden)]
pub use failure::take_last_status;
