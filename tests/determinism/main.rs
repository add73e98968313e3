//! Determinism: the same bits everywhere.
//!
//! ```text
//!   golden.rs         golden scenes against tests/golden/hashes.txt: all lanes, any count of
//!                     threads
//!   nav.rs            golden scenes of carom-nav against tests/golden/nav.txt
//!   threads.rs        steps on several threads have the bits of one
//!   periodic.rs       a scene across the seam of a world that wraps round: the bits of the middle
//!   same_bits.rs      twice in one process, far from the origin, and a clone
//!   wild.rs           scenes drawn from seeds against tests/golden/wild.txt: all lanes, three
//!                     threads
//!   units.rs          a world in pixels has the scaled bits of the one in metres
//! ```
//!
//! A new test that compares whole worlds bit for bit goes here. Snapshots are in
//! `world/snapshots/`.

mod golden;
mod nav;
mod periodic;
mod same_bits;
mod threads;
mod units;
mod wild;
