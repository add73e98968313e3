//! The stand-in for recordings without the feature `record`: a world that notes no calls.
//!
//! Calls still pass their input, to functions that ignore it.

#[path = "input.rs"]
mod input;

use super::World;
pub(crate) use input::Input;

/// State of a running recording: there is none.
#[derive(Debug)]
pub(crate) enum Log {}

impl World {
    #[inline]
    pub(crate) fn note(&mut self, _input: impl FnOnce() -> Input) {}

    pub(crate) fn note_decision(&self, _words: &[u32]) {}

    pub(crate) fn note_step(&mut self) {}

    pub(crate) fn note_key(&mut self, _jump: bool) {}
}
