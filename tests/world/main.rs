//! World: the interface of a world. What is read back, refused, saved and asked; not how bodies
//! move.
//!
//! ```text
//!   queries.rs     rays, casts, overlaps, neighbours, against brute force; query_edges.rs, by hand
//!   readback.rs    definitions come back as they were given; errors say why
//!   definitions.rs builders and what they refuse
//!   contacts.rs    contacts as an interface             joints.rs      joints as an interface
//!   snapshots/     save, load, ring, recordings
//!   fixed_step.rs  steps from frames, poses between
//!   allocation.rs  what steps allocate                  features.rs    serde, approx, mint
//!   window.rs      tiles around a view
//!   between.rs     moved bodies, blasts, many at once
//!   changes.rs     fixed shapes that came and went              batch.rs       many worlds at once
//!   prediction.rs  what some bodies will do                    spec.rs        batches by data
//!   episodes.rs    batches as trainers use them
//!   switches.rs    joints off and on; what single bodies have of their own
//!   tiles.rs       tile maps                       breaking.rs    cuts, fragments, holes
//!   levels.rs      worlds as definitions under names
//!   periodic.rs    worlds that wrap round
//!   pieces.rs      bodies out of a world and into it
//!   scaling.rs     calls about one body cost the same in a large world
//!   regressions.rs what once went wrong, a test each
//! ```
//!
//! A new function of the world gets its test here, in the file of its topic; how bodies behave goes
//! to `physics`, bad numbers and damaged bytes to `misuse`.

mod allocation;
mod batch;
mod between;
mod breaking;
mod changes;
mod contacts;
mod definitions;
mod episodes;
mod features;
mod fixed_step;
mod joints;
mod levels;
mod outside;
mod periodic;
mod pieces;
mod prediction;
mod queries;
mod query_edges;
mod readback;
mod regressions;
mod scaling;
mod snapshots;
mod spec;
mod switches;
mod tiles;
mod window;

#[global_allocator]
static ALLOCATOR: testkit::memory::Watching = testkit::memory::Watching;
