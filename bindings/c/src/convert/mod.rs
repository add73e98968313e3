//! Definitions and answers: from C's structs to carom's, and back.
//!
//! A definition may be refused here: for a number that is no value of its enumeration, or a list
//! without a pointer. All other rules are carom's own.

mod answers;
mod bodies;
mod games;
mod geometry;
mod joints;
mod math;
mod nav;

pub(crate) use answers::with_filter;
pub(crate) use bodies::{body_state, kind, shape_state};
pub(crate) use games::{line_color, mover_def, ties};
pub(crate) use geometry::shape;
pub(crate) use joints::joint_def;
pub(crate) use nav::rule;

use crate::failure::{Failure, Result};

/// The value of an enumeration with this number, by its list of values in the order of numbers.
pub(crate) fn one_of<T: Copy>(values: &[T], number: u32, name: &'static str) -> Result<T> {
    values.get(number as usize).copied().ok_or(Failure::Enum(name, number))
}

/// The number of a value of an enumeration.
pub(crate) fn number_of<T: PartialEq>(values: &[T], value: &T) -> u32 {
    values.iter().position(|other| other == value).unwrap_or(0) as u32
}
