//! Crowds of bodies: scenes with numbers to reach, the linear program against brute force, images.
//!
//! Long scenes run in release builds alone.

mod common;
mod orders;
mod program;
mod scenes;
mod state;
mod zones;
