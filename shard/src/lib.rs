//! One world of carom over many machines: shards that own regions, and the protocol between them,
//! without a network.
//!
//! A shard is a world with a part of the bodies. In every tick it gets one message from each shard,
//! sends one, and makes a step. Two bodies of different shards never touch: islands change hands
//! before they can meet. So no body pushes a copy of another one, and momentum is kept.
//!
//! ```text
//!   shard.rs      a shard: messages of a tick in, a step, a message out
//!   message.rs    what shards tell each other        settle.rs    who gets islands that may meet
//!   layout.rs     which shard owns a region          clusters.rs  islands that may meet soon
//!   meet.rs       which boxes may meet
//!   inputs.rs     inputs of clients, once and in order
//!   host.rs       shards of one process: waits, asks again, checkpoints, epochs
//!   quorum.rs     which hosts go on when some are silent
//!   net.rs        a network in memory that delays, reorders, repeats and loses
//! ```
//!
//! # A tick
//!
//! ```text
//!            tick k            tick k + 1          tick k + 2
//!   loser    claims of S(k) ─► settled: cut S(k+1) ─────────────► pasted at S(k+2)
//!   winner   claims of S(k) ─► settled             catch-up step    by the winner
//! ```
//!
//! Messages of tick k are read in tick k + 1, so the network has a whole tick to bring them. An
//! island that is cut at the state S(k+1) reaches its new owner in tick k + 2, which makes the
//! missing step in a small world of the level and the arrivals, and pastes the result. A conflict
//! that the claims of S(k) do not show is in the claims of S(k+1), and its islands are in one
//! world from S(k+3) on. So claims are boxes that hold their islands for three ticks: [`AHEAD`].
//!
//! # Promise
//!
//! A shard is a function of its level, its first bodies and the messages; messages are applied in
//! the order of shards, whenever they came. So the same layout and inputs give the same hash of
//! every shard in every tick on any machines and any network. It is not the hash of one undivided
//! world: bodies have other slots there.

mod clusters;
mod host;
mod inputs;
mod layout;
mod meet;
mod message;
mod net;
mod quorum;
mod settle;
mod shard;

pub use host::{Cargo, Host, HostId, Packet, Plan, Refusal};
pub use inputs::Input;
pub use layout::Layout;
pub use message::{Claim, Message, Moved};
pub use net::{Net, Weather};
pub use quorum::{Verdict, verdict};
pub use settle::{Settled, settle};
pub use shard::{Broken, Counts, Shard};

/// The number of a shard.
pub type ShardId = u16;

/// Ticks for which the boxes of claims hold their islands: see the head of this crate.
pub const AHEAD: u32 = 3;

/// A tick within which bodies are foreseen, in seconds.
pub const DT: f32 = 1.0 / 60.0;
