//! Stage `begin`: bodies into the rows that the solver reads.
//!
//! In: bodies with the forces and changes of the game. Out: rows of bodies, cut into zones for
//! threads (domain decomposition), and the parameters of the step.
//!
//! ```text
//!   gather.rs        rows of bodies filled; kinematic targets become velocities
//!   gather_wide.rs   the same for eight bodies at a time
//!   step_params.rs   softness of contacts, thresholds and limits of this step
//!   partition.rs     which bodies have neighbouring rows, and where rows are cut into zones
//! ```

pub(crate) mod gather;
mod gather_wide;
pub(crate) mod partition;
mod step_params;
