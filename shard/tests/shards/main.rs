//! Shards on a network in memory: nothing is lost, doubled or touched by two owners, whatever the
//! network does.
//!
//! ```text
//!   cluster.rs     hosts on a network, and what is checked in every tick
//!   scenes.rs      gases, towers, chains over borders
//!   invariants.rs  bodies, mass, momentum, owners, contacts; equal hashes on any network
//!   towers.rs      against the undivided run
//!   failures.rs    hosts that die, come back, and partitions
//!   inputs.rs      inputs of clients
//! ```

mod cluster;
mod failures;
mod inputs;
mod invariants;
mod scenes;
mod towers;
