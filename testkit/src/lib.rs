//! What carom's tests, benches, examples, rivals and demo share, so that each scene is written once.

pub mod random;
