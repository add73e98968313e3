//! The plugin, driven frame by frame without a window: each test builds an `App` and says how long
//! its frames take.
//!
//! ```text
//!   app.rs        apps without a window, and their frames     drawing.rs   transforms: evenness, parents, origins
//!   bodies.rs     spawning, refusing, despawning              messages.rs  what happened, and to whom
//!   state.rs      hash, save, load, rollback                  worlds.rs    several worlds, pauses
//!   headless.rs   starts with less than a game has          nav.rs       agents and minds, with feature `nav`
//! ```

mod app;
mod bodies;
mod drawing;
mod headless;
mod messages;
#[cfg(feature = "nav")]
mod nav;
mod state;
mod worlds;
