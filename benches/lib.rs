//! What the benches share: how long criterion measures.

use criterion::Criterion;
use std::time::Duration;

/// Twenty samples in `seconds` after a warm-up of `warm_up` seconds: enough to tell 3 % on a quiet
/// machine, and all benches together stay within minutes.
pub fn settings(warm_up: f64, seconds: f64) -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs_f64(warm_up))
        .measurement_time(Duration::from_secs_f64(seconds))
}
