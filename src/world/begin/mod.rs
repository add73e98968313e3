//! Stage `begin`: bodies into the rows that the solver reads.
//!
//! In: bodies with the forces and changes of the game. Out: rows of bodies, cut into zones for
//! threads (domain decomposition).
//!
//! ```text
//!   partition.rs   which bodies have neighbouring rows, and where rows are cut into zones
//! ```
//!
//! The rows themselves are filled in `finish/bodies.rs`, beside the code that reads them back.

pub(super) mod partition;
