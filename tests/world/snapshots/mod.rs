//! Snapshots: what comes back is the same world, to the bit, wherever it comes back.

mod memory;
mod record;
mod restore;
mod ring;
