//! Every kind of convex shape against every kind, on random pairs.
//!
//! ```text
//!   seed -> 1 pair of shapes -> 16 pairs of poses -> every rule of check.rs against the oracle
//! ```

use std::thread;

use testkit::convex::{Kind, poses};
use testkit::long_rounds;
use testkit::pair_rules::{Scene, Tally, Truth, check};
use testkit::random::Random;

/// Poses tried with one pair of shapes: building shapes costs more than a question about them.
const POSES: usize = 16;

/// Checks `count` random pairs of two kinds.
fn run(kinds: [Kind; 2], seed: u64, count: usize) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    while tally.pairs < count {
        let [(a, convex_a), (b, convex_b)] = kinds.map(|kind| kind.sample(&mut random));
        for _ in 0..POSES {
            let [at_a, at_b] = poses(&mut random, &convex_a, &convex_b);
            let scene = Scene { a: &a, at_a, b: &b, at_b };
            let truth = Truth::new(&scene, &convex_a, &convex_b);
            tally.add(&scene, truth.separation, check(&scene, &truth));
        }
    }
    tally
}

/// `first` against itself and every kind after it: 2,000 pairs each in debug builds, 100,000 in
/// release, a million where one takes the time.
fn against_the_rest(first: Kind) {
    let mut report = String::new();
    for &second in Kind::ALL.iter().skip_while(|&&kind| kind != first) {
        let what = format!("{first:?} and {second:?}");
        let seed = 100 * first as u64 + second as u64;
        let tally = run([first, second], seed, long_rounds(2_000, 50_000, 1_000_000));
        eprintln!("{}", tally.line(&what));
        report += &tally.report(&what);
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn circles_against_every_kind() {
    against_the_rest(Kind::Circle);
}

#[test]
fn capsules_against_the_other_kinds() {
    against_the_rest(Kind::Capsule);
}

#[test]
fn segments_against_the_other_kinds() {
    against_the_rest(Kind::Segment);
}

#[test]
fn rects_against_the_other_kinds() {
    against_the_rest(Kind::Rect);
}

#[test]
fn rounded_rects_against_the_other_kinds() {
    against_the_rest(Kind::RoundedRect);
}

#[test]
fn polygons_against_the_other_kinds() {
    against_the_rest(Kind::Polygon);
}

#[test]
fn rounded_polygons_against_needles() {
    against_the_rest(Kind::RoundedPolygon);
}

#[test]
fn needles_against_needles() {
    against_the_rest(Kind::Needle);
}

/// 10^8 pairs of every two kinds, on all cores: an hour or two. The lines it prints may be quoted.
///
/// `cargo test --release -p carom-tests --test geometry hundred_million -- --ignored --nocapture`
#[test]
#[ignore = "runs for an hour or two"]
fn hundred_million_of_every_two_kinds() {
    const PAIRS: usize = 100_000_000;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut report = String::new();
    for (i, &first) in Kind::ALL.iter().enumerate() {
        for (j, &second) in Kind::ALL.iter().enumerate().skip(i) {
            let what = format!("{first:?} and {second:?}");
            let mut tally = Tally::default();
            thread::scope(|scope| {
                let share = |core: usize| 1_000_000 + 10_000 * core as u64 + (100 * i + j) as u64;
                let run_share =
                    |core| scope.spawn(move || run([first, second], share(core), PAIRS.div_ceil(cores)));
                let threads: Vec<_> = (0..cores).map(run_share).collect();
                for thread in threads {
                    tally.merge(thread.join().expect("a thread ends without a panic"));
                }
            });
            eprintln!("{}", tally.line(&what));
            report += &tally.report_of_many(&what);
        }
    }
    assert!(report.is_empty(), "{report}");
}
