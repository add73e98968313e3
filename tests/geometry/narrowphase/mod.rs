//! Two shapes at a time, against a brute force in `f64`, against parry2d, and against answers known
//! by hand.
//!
//! Bounds are relative to the size of a pair: the larger of the two greatest diameters, rounding
//! included.

mod cases;
mod composite;
mod half_plane;
mod kind_pairs;
mod oracle_itself;
mod parry;
mod rays;
