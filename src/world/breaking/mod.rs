//! Breaking (destruction, fracture): bodies cut in pieces, and holes in terrain.
//!
//! In: a body, and a line, points or a shape. Out: bodies in its place, or the same body with less
//! area; or an error, and an unchanged world. All of this happens between steps. Cuts are recorded
//! as the equivalent plain calls: bodies added and removed.
//!
//! ```text
//!   clip.rs       convex outlines, cut by lines        cells.rs      half-planes around each piece
//!   pieces.rs     connected parts of a cell
//!   fracture.rs   `slice`, `fragment`; mass and motion of the pieces
//!   subtract.rs   holes in single shapes             in_place.rs   parts that stay where they are
//! ```

mod cells;
mod clip;
mod fracture;
mod in_place;
mod pieces;
mod subtract;
