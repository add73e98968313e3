//! Joints between a world and its solver. Adding, changing and removing: `edit/joints.rs`.
//!
//! In: joints of awake bodies. Out: blocks of the solver, filled; and what was read back from them.
//!
//! ```text
//!   layout.rs      which joints are solved, in which lanes      frames.rs        where joints stand
//!   relayout.rs    the same, where little has changed           revolutions.rs   angles over many turns
//!   fill.rs        joints into their lanes                      couplings.rs     the ends of gears and pulleys
//!   read_back.rs   what they did, back from there               state.rs         what the user is told
//!   validate.rs    every invariant
//! ```

pub(super) mod couplings;
pub(super) mod fill;
pub(super) mod frames;
pub(super) mod layout;
pub(super) mod read_back;
pub(super) mod relayout;
pub(super) mod revolutions;
pub(super) mod state;
pub(super) mod validate;
