//! Broadphase: the grid of boxes and ids, without shapes and without a world.
//!
//! `grid.rs` holds it to brute force: pairs, what came and went, and walks. A new test of the grid
//! goes there; queries of a world, which also use the grid, are in `world/queries.rs`.

mod grid;
