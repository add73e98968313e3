//! What a world holds, apart from any stage of a step.
//!
//! ```text
//!   joint_lists.rs   the joints of each body
//!   own_laws.rs      gravity, greatest speed, lasting force and dominance of single bodies
//!   capacity.rs      how many bodies, shapes, contacts and joints fit in
//! ```

pub(super) mod capacity;
pub(super) mod joint_lists;
pub(super) mod own_laws;
