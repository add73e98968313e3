//! How fast fields, ranges and units are: `cargo run --release -p carom-nav --example fields`.
//!
//! Prints a table in Markdown. Each time is the least of some rounds, for others may be at work on the machine.

use std::hint::black_box;
use std::time::Instant;

use carom_nav::field::Flow;
use carom_nav::prelude::*;

fn main() {
    println!("| what | time |\n|---|---|");
    flow();
}

/// The least time of some rounds in microseconds; `prepare` is not counted.
fn least<T>(rounds: usize, mut prepare: impl FnMut() -> T, mut run: impl FnMut(&mut T)) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..rounds {
        let mut input = prepare();
        let begin = Instant::now();
        run(black_box(&mut input));
        least = least.min(begin.elapsed().as_secs_f64() * 1e6);
    }
    least
}

fn row(what: &str, micros: f64) {
    if micros >= 1e3 {
        println!("| {what} | {:.2} ms |", micros / 1e3);
    } else {
        println!("| {what} | {micros:.2} us |");
    }
}

/// Linear congruences, upper bits.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % below
    }
}

fn flow() {
    let open = Map::new(1000, 1000).expect("a map");
    let mut random = Random(1);
    let rocks = Map::from_fn(1000, 1000, |_| random.below(10) == 0).expect("a map");
    let mut dear = Map::new(1000, 1000).expect("a map");
    for at in 0..dear.cell_count() {
        dear.set_cost(dear.cell_at(at), 1 + random.below(4) as u8);
    }
    for (name, map) in [("open", &open), ("10 % walls", &rocks), ("costs 1 to 4", &dear)] {
        let goal = (0..1000).map(|x| Cell::new(x, 500)).find(|cell| map.is_free(*cell)).expect("a free cell");
        let mut flow = Flow::to(&[goal]);
        flow.fill(map);
        let other = [Cell::new(1, 1)];
        let time = least(
            10,
            || (),
            |()| {
                flow.aim(&other);
                flow.aim(&[goal]);
                flow.fill(map);
            },
        );
        row(&format!("a field of 1000 x 1000, {name}"), time);

        let mut map = map.clone();
        let mut times = [f64::MAX; 2];
        for _ in 0..10 {
            for (time, wall) in times.iter_mut().zip([true, false]) {
                for at in 0..100 {
                    map.set_wall([495 + at % 10, 495 + at / 10], wall);
                }
                let begin = Instant::now();
                flow.update(&map);
                *time = time.min(begin.elapsed().as_secs_f64() * 1e6);
            }
        }
        row("a wall of 10 x 10 in its middle: repair", times[0]);
        row("and its removal", times[1]);

        let mut fresh = Flow::to(&[goal]);
        fresh.fill(&map);
        let mut at = 0;
        let positions: Vec<_> = (0..100_000)
            .map(|_| carom_nav::Vec2::new(random.below(1000) as f32, random.below(1000) as f32 + 0.3))
            .collect();
        let time = least(
            5,
            || (),
            |()| {
                for position in &positions {
                    at += flow.next(&map, position.as_ivec2()).map_or(0, |cell| cell.x as usize);
                }
            },
        );
        row("the next cell, at random places", time / 1e5);
        let time = least(
            5,
            || (),
            |()| {
                for position in &positions {
                    at += flow.heading(&map, *position).x.to_bits() as usize;
                }
            },
        );
        row("a heading, at random places", time / 1e5);
        black_box(at);
        assert_eq!(flow.hash(), fresh.hash());
    }
}
