//! Stage `finish`: bodies back from the rows of the solver, and their boxes into the grid.
//!
//! In: velocities and displacements, as the sub-steps left them. Out: bodies with new positions,
//! placed parts, enlarged boxes; bodies whose numbers are not finite go into quarantine.
//!
//! ```text
//!   bodies.rs        bodies from the rows of the solver, parts placed; boxes into the grid
//!   bodies_wide.rs   the same for eight bodies at a time
//!   fat_aabb.rs      boxes in the grid, with margin and room to move
//!   quarantine.rs    bodies whose numbers ran away
//! ```

pub(crate) mod bodies;
pub(super) mod bodies_wide;
pub(crate) mod fat_aabb;
pub(crate) mod quarantine;
