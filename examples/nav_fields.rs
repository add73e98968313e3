//! How fast fields, ranges and units are: `cargo run --release -p carom-examples --example
//! nav_fields`.
//!
//! Prints a table in Markdown. Each time is the least of some rounds, for others may be at work on
//! the machine; beside it stands how often memory was asked for in the last of them.

use std::hint::black_box;
use std::time::Instant;

use allocation_counter::measure;
use carom_nav::coop::Squad;
use carom_nav::field::{Flow, Influence, Occupied, Reach, Sight, Stamp, Striker};
use carom_nav::mind::Machine;
use carom_nav::prelude::*;

fn main() {
    println!("| what | time | allocations |\n|---|---|---|");
    flow();
    orders();
    reach();
    influence();
    minds();
    squad();
}

/// The least time of some rounds in microseconds, and how often the last one asked for memory.
fn least(rounds: usize, mut run: impl FnMut()) -> (f64, u64) {
    let (mut least, mut count) = (f64::MAX, 0);
    for _ in 0..rounds {
        count = measure(|| {
            let begin = Instant::now();
            run();
            least = least.min(begin.elapsed().as_secs_f64() * 1e6);
        })
        .count_total;
    }
    (least, count)
}

fn row(what: &str, (micros, count): (f64, u64)) {
    let time = if micros >= 1e3 { format!("{:.2} ms", micros / 1e3) } else { format!("{micros:.3} us") };
    println!("| {what} | {time} | {count} |");
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
        let time = least(10, || {
            flow.aim(&other);
            flow.aim(&[goal]);
            flow.fill(map);
        });
        row(&format!("a field of 1000 x 1000, {name}"), time);

        let mut map = map.clone();
        let mut times = [(f64::MAX, 0); 2];
        for _ in 0..10 {
            for (time, wall) in times.iter_mut().zip([true, false]) {
                for at in 0..100 {
                    map.set_wall([495 + at % 10, 495 + at / 10], wall);
                }
                let (took, count) = least(1, || flow.update(&map));
                *time = (time.0.min(took), count);
            }
        }
        row("a wall of 10 x 10 in its middle: repair", times[0]);
        row("and its removal", times[1]);
        let mut fresh = Flow::to(&[goal]);
        fresh.fill(&map);
        assert_eq!(flow.hash(), fresh.hash());
    }
}

/// 3,200 soldiers in a block are sent to one goal.
fn orders() {
    let mut random = Random(2);
    let map = Map::from_fn(1000, 1000, |_| random.below(10) == 0).expect("a map");
    let mut soldiers: Vec<Cell> = (0..4_000).map(|k| Cell::new(100 + k % 64, 100 + k / 64)).collect();
    soldiers.retain(|cell| map.is_free(*cell));
    soldiers.truncate(3_200);
    let goals = [Cell::new(700, 650), Cell::new(701, 650)].map(|cell| {
        (0..).map(|x| cell + Cell::new(x, 0)).find(|cell| map.is_free(*cell)).expect("a free cell")
    });
    let mut flow = Flow::to(&goals[..1]);
    let mut next = 0;
    let first = least(6, || {
        flow.aim(&goals[next % 2..][..1]);
        next += 1;
        flow.until(&map, &soldiers);
    });
    row("3,200 orders to one goal, the first tick", first);
    let refused = soldiers.iter().filter(|cell| flow.distance(**cell).is_none()).count();
    let mut whole = flow.clone();
    whole.fill(&map);
    let lost = soldiers.iter().filter(|cell| whole.distance(**cell).is_none()).count();
    println!("| of these falsely refused | {} | |", refused - lost);
    let mut sum = 0;
    let tick = least(50, || {
        flow.until(&map, &soldiers);
        for soldier in &mut soldiers {
            *soldier = flow.next(&map, *soldier).unwrap_or(*soldier);
        }
    });
    row("each tick after: all step along the field", tick);
    let tick = least(20, || {
        for soldier in &soldiers {
            sum += flow.heading(&map, soldier.as_vec2() + 0.3).x.to_bits() as usize;
        }
    });
    row("or all ask for a heading between cells", tick);
    black_box(sum);
}

fn reach() {
    let mut random = Random(3);
    let map = Map::from_fn(200, 200, |_| random.below(20) == 0).expect("a map");
    let (mut reach, from) = (Reach::default().rule(Rule::Four), Cell::new(100, 100));
    let (mut points, mut targets) = (0, Vec::new());
    while reach.cells().len() < 1_000 {
        points += 1;
        reach.fill(&map, from, points, &Occupied::default());
    }
    let count = reach.cells().len();
    let enemies: Vec<Cell> =
        (0..30).map(|_| Cell::new(85 + random.below(30) as i32, 85 + random.below(30) as i32)).collect();
    let occupied = Occupied { enemies: &enemies, ..Occupied::default() };
    row(
        &format!("reach of {count} cells"),
        least(200, || reach.fill(&map, from, points, &Occupied::default())),
    );
    row("the same among 30 enemies", least(200, || reach.fill(&map, from, points, &occupied)));
    row(
        "attacks from 1 to 3 from there",
        least(200, || reach.attack(&map, 1..=3, Sight::Ignored, &mut targets)),
    );
    row("and with line of sight", least(50, || reach.attack(&map, 1..=3, Sight::Needed, &mut targets)));
    let map = Map::from_fn(64, 64, |_| random.below(10) == 0).expect("a map");
    let strikers: Vec<Striker> = (0..50)
        .map(|_| Striker {
            cell: Cell::new(random.below(64) as i32, random.below(64) as i32),
            points: 6,
            range: 1..=2,
        })
        .collect();
    let mut threat = Vec::new();
    let time = least(20, || reach.threat(&map, &strikers, &Occupied::default(), Sight::Ignored, &mut threat));
    row("threat of 50 units with 6 points on 64 x 64", time);
}

fn influence() {
    let map = Map::new(512, 512).expect("a map");
    let (mut layer, stamp) = (Influence::new(&map), Stamp::cone(8, 100));
    let (micros, count) = least(50, || {
        for k in 0..1_000 {
            layer.add(&stamp, [k % 500, k / 4 + 10]);
        }
    });
    row("a stamp of 17 x 17", (micros / 1e3, count));
}

fn minds() {
    let table = (0..6_u8).fold(Machine::new(0), |machine, state| {
        machine.on(state, 'a', (state + 1) % 6).on(state, 'b', (state + 5) % 6)
    });
    let table = table.check().expect("nothing is wrong");
    let mut minds = vec![table.start(); 10_000];
    let time = least(50, || {
        for (k, mind) in minds.iter_mut().enumerate() {
            let step = table.step(mind, ['a', 'b'][k % 2]);
            assert!(step.is_ok());
        }
    });
    row("an event each for 10,000 minds", time);
}

fn squad() {
    let mut random = Random(4);
    let map = Map::from_fn(512, 512, |_| random.below(10) == 0).expect("a map");
    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    let mut free = || loop {
        let cell = map.cell_at(random.below(map.cell_count()));
        if map.is_free(cell) {
            break cell;
        }
    };
    let goals: Vec<_> = (0..64).map(|_| squad.goal(free())).collect();
    let mut count = 0;
    while count < 10_000 {
        count += usize::from(squad.add(free(), goals[count % 64]).is_ok());
    }
    row(
        "10,000 units to 64 goals on 512 x 512: the first tick",
        least(1, || assert!(squad.step(&map).is_ok())),
    );
    for ticks in [50, 200] {
        let mut times = Vec::new();
        let mut allocations = 0;
        for _ in 0..ticks {
            let (micros, count) = least(1, || assert!(squad.step(&map).is_ok()));
            times.push(micros);
            allocations += count;
        }
        times.sort_by(f64::total_cmp);
        row(&format!("the median of the next {ticks} ticks"), (times[ticks / 2], allocations));
    }
}
