//! Calls of the game between steps that change a world.
//!
//! In: ids, definitions, values. Out: a changed world; or an error, and a world as it was.
//!
//! ```text
//!   add_remove.rs   bodies and shapes that come and go
//!   check.rs        checks of definitions and numbers
//!   bodies.rs       changes of bodies and of the world
//!   joints.rs       joints that come, change and go           shapes.rs   changes of shapes
//!   explode.rs      explosions                          shadow.rs   angles that a shape hides
//!   parts.rs        parts of shapes in the grid
//!   add_all.rs      many bodies at once
//! ```

mod add_all;
pub(super) mod add_remove;
pub(super) mod bodies;
pub(crate) mod check;
mod explode;
pub(crate) mod joints;
pub(super) mod parts;
mod shadow;
pub(super) mod shapes;
