//! Misuse: bad numbers, dead ids, damaged bytes. Nothing panics, and a refused call changes
//! nothing.
//!
//! ```text
//!   bad_input/       every function that takes a number or an id, with every bad one
//!   hostile.rs       images of worlds that were cut, changed or made up
//!   fuzz_corpus.rs   what fuzzing has found
//!   random_calls.rs  every call that edits, at random
//!   chains.rs        chains on dynamic bodies
//!   layers.rs        which folder of carom imports from which
//!   constants.rs     names of constants, and where thresholds of the step stand
//!   comparison.rs    what docs/comparison.md and docs/claims.md say, and what shows it
//! ```
//!
//! A new public function of the world gets a line in the tables of `bad_input/`; an input that
//! fuzzing found goes to `fuzz/regressions/`.

mod bad_input;
mod chains;
mod comparison;
mod constants;
mod fuzz_corpus;
mod hostile;
mod layers;
mod random_calls;

#[global_allocator]
static ALLOCATOR: testkit::memory::Watching = testkit::memory::Watching;
