//! Decisions: state machines as checked tables.

mod machine;

pub use machine::{Fault, Machine, Mind, MindError, Step, Table};

#[cfg(test)]
mod tests;
