//! Bad numbers and dead ids, one at a time, in every place that takes one: nothing panics, not in
//! debug builds either.
//!
//! ```text
//!   shapes.rs    a definition is refused (Shape::Invalid) or usable for every question
//!   table.rs     a call as a function of its numbers, and what is done with it
//!   changes.rs   every change of a world           defs.rs      every number of every definition
//!   reads.rs     queries, poses, grids, clocks     places.rs    places at the end of the world
//!   ids.rs       ids that are gone, in every call
//!   complete.rs  whether a function of the world is missing here
//! ```
//!
//! A refused call leaves the world as it was to the bit; after a taken one it steps, and every
//! invariant holds.

mod changes;
mod complete;
mod defs;
mod ids;
mod places;
mod reads;
mod shapes;
mod table;

/// Not a number, both infinities, and numbers that are valid as floats but rarely as sizes: minus
/// zero, two subnormal ones, the largest, a negative one.
const BAD: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1.0e-40, 1.0e-45, f32::MAX, -1.0];

/// Every list of numbers in which one place, or all places, hold a bad number.
fn spoilt(good: &[f32]) -> Vec<Vec<f32>> {
    spoilt_by(&BAD, good)
}

/// Every list of numbers in which one place, or all places, hold one of `bad`.
fn spoilt_by(bad: &[f32], good: &[f32]) -> Vec<Vec<f32>> {
    let single = |place: usize| {
        bad.iter().map(move |&bad| {
            let mut numbers = good.to_vec();
            numbers[place] = bad;
            numbers
        })
    };
    let all = bad.iter().map(|&bad| vec![bad; good.len()]);
    (0..good.len()).flat_map(single).chain(all).collect()
}
