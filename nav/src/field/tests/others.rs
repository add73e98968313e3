//! Tests of sight, influence maps and potentials.

use super::*;
use crate::field::{Charge, Falloff, Flow, Fov, Influence, Potential, Stamp, Threshold, sees};
use crate::grid::{Ask, Layer};
use crate::state::refuses_damage;

const ROUNDS: usize = if cfg!(debug_assertions) { 3_000 } else { 100_000 };

/// Seeing is symmetric, and a field of view equals the cells that line tests accept one by one;
/// walls are seen where light falls on them.
#[test]
fn sight_is_symmetric_and_fields_are_lines() {
    let mut random = Random(21);
    let (mut fov, mut seen) = (Fov::default(), Vec::new());
    for round in 0..ROUNDS {
        let map = random.map(if round % 20 == 0 { 30 } else { 9 });
        let from = random.cell(&map);
        let radius = 1 + random.below(40) as u32;
        fov.see(&map, from, radius, &mut seen);
        let mut ours: Vec<usize> = seen.iter().map(|cell| map.at(*cell)).collect();
        ours.sort_unstable();
        let count = ours.len();
        ours.dedup();
        assert_eq!(count, ours.len(), "each once");
        let is_near = |cell: Cell| {
            let way = cell - from;
            way.x * way.x + way.y * way.y <= (radius * radius) as i32
        };
        for at in 0..map.cell_count() {
            let cell = map.cell_at(at);
            assert_eq!(sees(&map, from, cell), sees(&map, cell, from), "{from} {cell}");
            let is_seen = ours.binary_search(&at).is_ok();
            if map.is_free(cell) {
                assert_eq!(is_seen, is_near(cell) && sees(&map, from, cell), "{from} {cell} {radius}");
            } else if is_seen {
                assert!(map.is_free(from) && is_near(cell));
            }
        }
    }
}

#[test]
fn walls_around_a_room_are_seen() {
    let map =
        Map::from_fn(9, 7, |cell| cell.x == 0 || cell.y == 0 || cell.x == 8 || cell.y == 6).expect("small");
    let (mut fov, mut seen) = (Fov::default(), Vec::new());
    fov.see(&map, [3, 3], 50, &mut seen);
    assert_eq!(seen.len(), 9 * 7);
    fov.see(&map, [0, 0], 50, &mut seen);
    assert!(seen.is_empty());
    fov.see(&map, [3, 3], 0, &mut seen);
    assert_eq!(seen, [Cell::new(3, 3)]);
}

/// After all stamps are taken off, in any order, every cell is 0; before, a cell holds the sum of
/// the stamps on it.
#[test]
fn stamps_come_off_exactly() {
    let mut random = Random(22);
    let map = Map::new(40, 30).expect("small");
    let mut layer = Influence::new(&map);
    let stamps = [Stamp::cone(8, 100), Stamp::disc(3, -7), Stamp::cone(20, i32::MAX), Stamp::cone(0, 5)];
    let mut on: Vec<(usize, Cell)> = Vec::new();
    let anywhere =
        |random: &mut Random| Cell::new(random.below(90) as i32 - 25, random.below(80) as i32 - 25);
    for round in 0..ROUNDS * 4 {
        if random.below(2) == 0 {
            let (which, at) = (random.below(4), anywhere(&mut random));
            layer.add(&stamps[which], at);
            on.push((which, at));
        } else if !on.is_empty() {
            let (which, at) = on.swap_remove(random.below(on.len()));
            if random.below(2) == 0 {
                layer.sub(&stamps[which], at);
            } else {
                let to = anywhere(&mut random);
                layer.shift(&stamps[which], at, to);
                on.push((which, to));
            }
        }
        if round % 1_000 == 0 {
            let cell = random.cell(&map);
            let mut alone = Influence::new(&map);
            on.iter().for_each(|(which, at)| alone.add(&stamps[*which], *at));
            assert_eq!(alone.value(cell), layer.value(cell));
        }
    }
    on.iter().for_each(|(which, at)| layer.sub(&stamps[*which], *at));
    assert!(layer.values().iter().all(|value| *value == 0));
    for far in [Cell::MIN, Cell::MAX] {
        layer.add(&stamps[0], far);
        assert_eq!((layer.value(far), layer.hash()), (0, Influence::new(&map).hash()));
    }
}

#[test]
fn stamps_have_their_shapes() {
    let map = Map::new(41, 41).expect("small");
    let mut layer = Influence::new(&map);
    layer.add(&Stamp::cone(9, 1000), [20, 20]);
    let values: Vec<_> = (20..31).map(|x| layer.value([x, 20])).collect();
    assert_eq!(values, [1000, 900, 800, 700, 600, 500, 400, 300, 200, 100, 0]);
    assert_eq!(layer.value([26, 28]), 0);
    assert!(
        layer.value([24, 23]) == 500 && layer.value([17, 16]) == 500,
        "5 away by columns and rows of 3 and 4"
    );
    layer.clear();
    layer.add(&Stamp::disc(5, 3), [20, 20]);
    assert_eq!(layer.values().iter().filter(|value| **value == 3).count(), 81);
    assert_eq!(Stamp::cone(u32::MAX, 1), Stamp::cone(Stamp::MAX_RADIUS, 1));
}

/// Decay takes every value to zero from both sides, never past it.
#[test]
fn decay_ends_at_zero() {
    let map = Map::new(5, 1).expect("small");
    for shift in [0, 1, 4, 31, 99] {
        let mut layer = Influence::new(&map);
        for (x, value) in [i32::MAX, i32::MIN, 1, -1, 1000].into_iter().enumerate() {
            layer.add(&Stamp::disc(0, value), [x as i32, 0]);
        }
        let mut ticks = 0;
        while layer.values().iter().any(|value| *value != 0) && ticks < 500 {
            let before = layer.clone();
            layer.decay(shift);
            ticks += 1;
            for (now, before) in layer.values().iter().zip(before.values()) {
                assert!(now.unsigned_abs() < before.unsigned_abs() || *before == 0);
                assert!(now.signum() * before.signum() >= 0);
            }
        }
        assert!(shift > 5 || ticks < 500);
    }
}

/// A18, B7, B8: danger on a pass diverts the path exactly when the detour is cheaper, and decay
/// brings it back.
#[test]
fn danger_turns_the_way_aside_until_it_decays() {
    // Two passes through a wall: the near one straight ahead, the far one a detour of so many
    // steps.
    let map = Map::from_fn(21, 21, |cell| cell.x == 10 && cell.y != 10 && cell.y != 16).expect("small");
    let ask = Ask::new([5, 10], [15, 10]).rule(Rule::Four);
    let length = |layer: &Influence, pass: i32| 10 + 2 * (pass - 10) + layer.value([10, pass]);
    let mut danger = Influence::new(&map);
    for value in 0..20 {
        danger.clear();
        danger.add(&Stamp::disc(0, value), [10, 10]);
        let mut flow_map = map.clone();
        flow_map.set_cost([10, 10], 1 + danger.extra(map.at(Cell::new(10, 10))) as u8);
        let mut flow = Flow::to(&[ask.goal]).rule(ask.rule).scale(crate::length::Scale::STEPS);
        flow.fill(&flow_map);
        let least = length(&danger, 10).min(length(&danger, 16));
        assert_eq!(flow.distance(ask.start).map(|length| length.units), Some(least as u32));
        let mut way = Vec::new();
        flow.way(&flow_map, ask.start, &mut way);
        assert!(value == 12 || way.contains(&Cell::new(10, 16)) == (value > 12), "{value}");
    }
    let mut ticks = 0;
    while length(&danger, 16) < length(&danger, 10) {
        danger.decay(3);
        ticks += 1;
    }
    assert!((1..20).contains(&ticks));
}

/// A value that trembles around a threshold changes sides once.
#[test]
fn hysteresis_does_not_flicker() {
    let threshold = Threshold { rise: 100, fall: 90 };
    let (mut above, mut changes) = (false, 0);
    for tick in 0..1_000 {
        let value = 95 + tick / 100 + [-4, 3, 0, 4][tick as usize % 4];
        let now = threshold.is_above(value, above);
        changes += i32::from(now != above);
        above = now;
    }
    assert_eq!((above, changes), (true, 1));
}

#[test]
fn layers_add_up_and_images_are_checked() {
    let map = Map::new(30, 20).expect("small");
    let (mut a, mut b) = (Influence::new(&map), Influence::new(&map));
    a.add(&Stamp::cone(4, 50), [10, 10]);
    b.add(&Stamp::cone(6, 30), [14, 3]);
    let mut sum = a.clone();
    sum.add_layer(&b, -2).expect("as large");
    for at in 0..map.cell_count() {
        let cell = map.cell_at(at);
        assert_eq!(sum.value(cell), a.value(cell) - 2 * b.value(cell));
    }
    let other = Influence::new(&Map::new(20, 30).expect("small"));
    assert!(a.add_layer(&other, 1).is_err());
    let mut image = Vec::new();
    sum.save_into(&mut image);
    let mut into = Influence::new(&map);
    refuses_damage(&image, |bytes| {
        let before = into.clone();
        let result = into.load(bytes);
        assert!(result.is_ok() || into == before, "a refused image changes nothing");
        result
    });
    into.load(&image).expect("its own image");
    assert_eq!((&into, into.hash()), (&sum, sum.hash()));
    assert!(other.clone().load(&image).is_err());
}

/// D18, D19: the raw potential leads to the goal on open land, and stays in the U where a flow
/// field does not; beyond its radius it gives no direction.
#[test]
fn the_potential_stays_in_a_trap() {
    let open = Map::new(30, 30).expect("small");
    for falloff in [Falloff::Circle, Falloff::Square] {
        let mut field = Potential { falloff, ..Potential::default() };
        field.charges.push(Charge { goal: Cell::new(20, 12), value: 60 });
        let mut random = Random(23);
        for _ in 0..200 {
            let mut at = random.cell(&open);
            while let Some(next) = field.next(&open, at) {
                assert!(field.value(next) > field.value(at));
                at = next;
            }
            assert_eq!(field.value(at), 60);
        }
    }
    let trap = Map::from_fn(21, 21, |cell| {
        (cell.x == 14 && (4..=16).contains(&cell.y))
            || ((6..=14).contains(&cell.x) && (cell.y == 4 || cell.y == 16))
    })
    .expect("small");
    let mut field = Potential::default();
    field.charges.push(Charge { goal: Cell::new(19, 10), value: 40 });
    let mut at = Cell::new(8, 10);
    while let Some(next) = field.next(&trap, at) {
        at = next;
    }
    assert!(at.x <= 13, "it stays in the U at {at}");
    let mut flow = Flow::to(&[Cell::new(19, 10)]);
    flow.fill(&trap);
    let mut way = Vec::new();
    assert!(flow.way(&trap, [8, 10], &mut way));
    field.charges[0].value = 3;
    assert_eq!((field.value([8, 10]), field.next(&trap, [8, 10])), (0, None));
}
