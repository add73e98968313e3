//! Behaviour: what a world promises, a test each: picture, numbers, expectation.
//!
//! SI units, gravity 9.81 down unless said, 60 Hz, 4 sub-steps, boxes by full width × height. A file a topic.

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/world.rs"]
mod worlds;

mod contacts;
mod continuous;
mod games;
mod heaps;
mod joints;
mod lines;
mod sensors;
mod sleep;
mod slides;
mod structural;
