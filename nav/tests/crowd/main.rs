//! Crowds of bodies, in scenes.

mod common;
mod try_out;
