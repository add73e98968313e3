//! carom in a browser: scenes of physics, for one page.
//!
//! The C interface is that of `demo/shell`, the scenes are in `scenes/`. Scenes that examples and
//! benches share are in the testkit.

mod scenes;
#[cfg(test)]
mod tests;

demo_shell::module!(&scenes::ALL);
