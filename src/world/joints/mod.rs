//! Joints between a world and its solver. Adding, changing and removing: `edit/joints.rs`.
//!
//! In: joints of awake bodies. Out: filled blocks of the solver; and impulses and loads read back.
//!
//! ```text
//!   layout.rs     joints into trees, webs, colours  frames.rs        anchors and axes in the world
//!   relayout.rs   layout after small changes        revolutions.rs   angles over many turns
//!   fill.rs       definitions and poses into lanes  couplings.rs     the ends of gears and pulleys
//!   read_back.rs  impulses and loads back           state.rs         `World::joint_state`
//!   springs.rs    how strongly springs pull       held.rs          which bodies hang together
//!   validate.rs   every invariant
//! ```

pub(super) mod couplings;
pub(super) mod fill;
pub(super) mod frames;
pub(crate) mod held;
pub(super) mod layout;
pub(super) mod read_back;
pub(super) mod relayout;
pub(super) mod revolutions;
pub(crate) mod springs;
pub(super) mod state;
pub(super) mod validate;
