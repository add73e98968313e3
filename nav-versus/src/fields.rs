//! What no rival does: fields, orders to one goal, squads, ranges, stamps.

use carom_nav::prelude::*;
use glam::Vec2;
use testkit::random::Random;

use crate::{least, mean};

fn draw(random: &mut Random, below: usize) -> usize {
    (random.bits() % below as u64) as usize
}

fn land(random: &mut Random, side: usize, walls: usize) -> Map {
    Map::from_fn(side, side, |_| draw(random, 100) < walls).expect("a map of that size")
}

pub(crate) fn run() {
    println!(
        "## Fields, squads, ranges\n\nMilliseconds are means of time on the processor, the rest the least of some rounds.\n\n| | measured | goal |\n|---|---|---|"
    );
    let mut random = Random::new(7);
    for (name, walls) in [("open", 0), ("20 % walls", 20)] {
        let map = land(&mut random, 1000, walls);
        let mut flow = Flow::default();
        let mut turn = 0;
        let (micros, ()) = mean(20, || {
            turn = 1 - turn;
            flow.aim(&[Cell::new(500, 500 + turn), Cell::new(20, 30)]);
            flow.fill(&map);
        });
        println!("| field of 1000², {name} | {:.1} ms | 20 ms |", micros / 1e3);
        let (mut map, mut at) = (map, 0);
        let (micros, ()) = least(9, || {
            at += 1;
            for k in 0..100 {
                map.set_wall([400 + k % 10, 450 + k / 10], at % 2 == 1);
            }
            flow.update(&map);
        });
        println!("| a wall of 10 × 10 in it, repaired, {name} | {:.2} ms | 1 ms |", micros / 1e3);
    }
    orders(&mut random);
    squad(&mut random);
    reach(&mut random);
    let map = land(&mut random, 512, 10);
    let (mut layer, stamp) = (Influence::new(&map), Stamp::cone(8, 100));
    let (micros, ()) = least(20, || {
        for k in 0..1_000 {
            layer.add(&stamp, [20 + k % 400, 30 + k % 350]);
        }
    });
    println!("| a stamp of 17 × 17 | {micros:.0} ns | 150 ns |");
}

/// 3,200 soldiers are ordered to one goal in one tick.
fn orders(random: &mut Random) {
    let map = land(random, 512, 15);
    let goal = (0..map.cell_count())
        .map(|k| map.cell_at(k))
        .find(|cell| cell.x > 300 && cell.y > 300 && map.is_free(*cell));
    let goal = goal.expect("free land");
    let soldiers: Vec<Cell> = (0..)
        .map(|_| map.cell_at(draw(random, map.cell_count())))
        .filter(|&cell| map.connected(cell, goal))
        .take(3_200)
        .collect();
    let (micros, refused) = mean(20, || {
        let mut flow = Flow::to(&[goal]);
        flow.until(&map, &soldiers);
        soldiers.iter().filter(|&&cell| flow.distance(cell).is_none()).count()
    });
    println!(
        "| 3,200 orders to one goal by a field | {:.1} ms, {refused} refused | 25 ms, 0 |",
        micros / 1e3
    );
    let mut flow = Flow::to(&[goal]).straight(64);
    flow.until(&map, &soldiers);
    let places: Vec<Vec2> = soldiers.iter().map(|cell| cell.as_vec2() + Vec2::new(0.3, 0.6)).collect();
    let (micros, sum) = least(50, || {
        flow.until(&map, &soldiers);
        places.iter().fold(Vec2::ZERO, |sum, &place| sum + flow.heading(&map, place))
    });
    assert!(sum.is_finite());
    println!("| and each tick after it, with 3,200 headings | {:.3} ms | 0.1 ms |", micros / 1e3);
    let (micros, refused) = mean(3, || {
        let mut queue = Queue::new(u64::MAX);
        soldiers.iter().for_each(|&cell| _ = queue.ask(Ask::new(cell, goal)));
        queue.work(&map);
        let mut refused = 0;
        while let Some((_, found, _)) = queue.take_next() {
            refused += usize::from(!found.is_way());
        }
        refused
    });
    println!(
        "| 3,200 orders to one goal by a queue, with a path each | {:.1} ms, {refused} refused | |",
        micros / 1e3
    );
}

fn squad(random: &mut Random) {
    let map = land(random, 512, 10);
    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    let goals: Vec<GoalId> =
        (0..64).map(|_| squad.goal(map.cell_at(draw(random, map.cell_count())))).collect();
    let mut units = 0;
    while units < 10_000 {
        let cell = map.cell_at(draw(random, map.cell_count()));
        if map.is_free(cell) && squad.add(cell, goals[units % 64]).is_ok() {
            units += 1;
        }
    }
    let (first, _) = mean(1, || squad.step(&map));
    let (early, _) = mean(100, || squad.step(&map));
    let (late, _) = mean(200, || squad.step(&map));
    println!(
        "| PIBT, 10,000 units to 64 goals on 512² | {:.1} ms a tick under way, {:.1} when jammed at the goals (the first, with all fields: {:.0}) | 8 ms |",
        early / 1e3,
        late / 1e3,
        first / 1e3
    );
}

fn reach(random: &mut Random) {
    let map = land(random, 128, 5);
    let mut reach = Reach::default().rule(Rule::Four);
    let start = (0..).map(|k| Cell::new(64 + k, 64)).find(|&cell| map.is_free(cell)).expect("free land");
    let mut points = 1;
    while reach.cells().len() < 1_000 {
        points += 1;
        reach.fill(&map, start, points, &Occupied::default());
    }
    let (micros, ()) = least(200, || reach.fill(&map, start, points, &Occupied::default()));
    println!("| reach of {} cells | {micros:.1} µs | 20 µs |", reach.cells().len());
    let map = land(random, 64, 10);
    let strikers: Vec<Striker> = (0..50)
        .map(|_| Striker { cell: map.cell_at(draw(random, 64 * 64)), points: 6, range: 1..=2 })
        .collect();
    let mut counts = Vec::new();
    let (micros, ()) =
        least(50, || reach.threat(&map, &strikers, &Occupied::default(), Sight::Ignored, &mut counts));
    println!("| threat of 50 units on 64² | {:.2} ms | 1 ms |", micros / 1e3);
}
