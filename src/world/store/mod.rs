//! Stores: the data of a world, apart from any stage of a step.
//!
//! ```text
//!   bodies.rs        rows of bodies, which are awake, their rows in the solver
//!   shapes.rs        rows of shapes, and the parts that the grid knows
//!   joints.rs        rows of joints
//!   joint_lists.rs   the joints of each body
//!   events.rs        events of the last step and of the next one, and data to find them
//!   graph.rs         contacts that touch, and their colours
//!   dirty.rs         dirty flags: data to recompute, with the code that sets and clears them
//!   step_state.rs    lengths and counts of the last step
//!   scratch.rs       memory of the stages; no state
//!   workspace.rs     solver, columns and scratch, which worlds may share one after the other
//!   prefetch.rs      data that a step of a small world reads, prefetched at once
//!   trim.rs          unused memory is given back
//!   own_laws.rs      gravity, greatest speed, lasting force and dominance of single bodies
//!   capacity.rs      how many bodies, shapes, contacts and joints fit in
//! ```

pub(crate) mod bodies;
pub(super) mod capacity;
pub(super) mod dirty;
pub(super) mod events;
pub(super) mod graph;
pub(super) mod joint_lists;
pub(crate) mod joints;
pub(super) mod own_laws;
mod prefetch;
pub(super) mod scratch;
pub(crate) mod shapes;
pub(super) mod step_state;
mod trim;
pub(super) mod workspace;
