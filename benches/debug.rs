//! What a step costs in the build that a game is developed in.
//!
//! ```text
//!   pile/500        500 mixed bodies, fallen into a box, kept awake; a step is 1/60 s in 4 sub-steps
//! ```
//!
//! `cargo bench -p carom-benches --profile unoptimised --bench debug` measures carom without
//! optimisation, `cargo bench -p carom-benches --bench debug` with. A game's debug build comes near
//! the latter if it optimises what it depends on, by `[profile.dev.package."*"]` and `opt-level =
//! 3`: the README has the figures. Without that, most of a step is the wrappers of single
//! instructions, each a call: so the scalar reference, which comes to the same bits, is the quicker
//! one there, and is measured beside the widest lanes.
//!
//! A main of its own, not criterion: a step without optimisation takes long, and the question is
//! whether it fits a frame.

use carom::Lanes;
use std::time::{Duration, Instant};
use testkit::build::step;
use testkit::pile::{check_pile, pile};

const BODIES: usize = 500;
const STEPS: usize = 201;
const BUILD: &str = if cfg!(debug_assertions) { "with debug assertions" } else { "without debug assertions" };

fn main() {
    let settled = pile(BODIES);
    for lanes in [Lanes::default(), Lanes::scalar()] {
        let mut world = settled.clone();
        world.set_lanes(lanes);
        let mut times: Vec<Duration> = (0..STEPS)
            .map(|_| {
                let start = Instant::now();
                step(&mut world);
                start.elapsed()
            })
            .collect();
        check_pile(&world, BODIES);
        times.sort_unstable();
        let (least, median, most) = (times[0], times[STEPS / 2], times[STEPS - 1]);
        println!(
            "debug/pile/{BODIES}, {lanes}, {BUILD}: least {least:.2?}, median {median:.2?}, most {most:.2?}"
        );
    }
}
