//! Polar.
