//! Snapshots: what comes back is the same world, to the bit, wherever it comes back.

#[path = "../support/asking.rs"]
mod asking;
#[path = "../support/chaos.rs"]
mod chaos;
mod hostile;
mod memory;
mod record;
mod restore;
mod ring;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/world.rs"]
mod worlds;

use support::random;
