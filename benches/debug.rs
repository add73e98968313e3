//! What a step costs in the build that a game is developed in.
//!
//! ```text
//!   pile/500        500 mixed bodies, fallen into a box, kept awake; a step is 1/60 s in 4 sub-steps
//! ```
//!
//! `cargo bench --profile dev --bench debug` measures carom without optimisation, `cargo bench --bench debug` with.
//!
//! A main of its own, not criterion: a step without optimisation takes long, and the question is whether it fits a frame.
//! So the median counts, and the slowest step that a player would feel.

#[path = "support/pile.rs"]
mod pile;
use pile::{check_pile, pile, step};
use std::time::{Duration, Instant};

const BODIES: usize = 500;
const STEPS: usize = 201;
const FRAME: Duration = Duration::from_micros(16_667);
const BUILD: &str = if cfg!(debug_assertions) { "with debug assertions" } else { "without debug assertions" };

fn main() {
    let mut world = pile(BODIES);
    let mut times: Vec<Duration> = (0..STEPS)
        .map(|_| {
            let start = Instant::now();
            step(&mut world);
            start.elapsed()
        })
        .collect();
    check_pile(&world, BODIES);
    times.sort_unstable();
    let (median, slowest) = (times[STEPS / 2], times[STEPS - 1]);
    let share = 100.0 * median.as_secs_f64() / FRAME.as_secs_f64();
    println!(
        "debug/pile/{BODIES}, {BUILD}: median {median:.2?}, slowest {slowest:.2?}; {share:.1} % of a frame at 60 Hz"
    );
}
