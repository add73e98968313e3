//! Tests of squads: no conflicts on any map, all units arrive where all can, and images give the
//! same steps again.

use super::*;
use crate::grid::{Cell, Map, Rule};
use crate::random::Random;
use crate::state::refuses_damage;

/// Number of audited unit-steps.
const UNIT_STEPS: usize = if cfg!(debug_assertions) { 1_000_000 } else { 10_000_000 };

/// Steps once, and checks every unit: it made at most one step allowed by the rule, onto free land,
/// is alone there, and did not pass through another unit.
fn audit(squad: &mut Squad, map: &Map, rule: Rule) -> usize {
    let before: Vec<_> = squad.units().collect();
    squad.step(map).expect("its map");
    let after: Vec<_> = squad.units().collect();
    let mut came = vec![usize::MAX; map.cell_count()];
    for (k, ((id, from), (same, to))) in before.iter().zip(&after).enumerate() {
        assert_eq!((id, squad.unit_at(*to)), (same, Some(*id)));
        let way = *to - *from;
        let is_step = match rule {
            Rule::Six => way.abs().max_element() <= 1 && way.x != way.y,
            _ => way.abs().element_sum() == 1,
        };
        assert!(way == Cell::ZERO || is_step && map.is_free(*to), "{from} {to}");
        let cell = &mut came[map.at(*to)];
        assert_eq!(*cell, usize::MAX, "two on {to}");
        *cell = k;
    }
    for ((id, from), (_, to)) in before.iter().zip(&after) {
        let other = came[map.at(*from)];
        assert!(from == to || other == usize::MAX || before[other].1 != *to, "{id:?} went through another");
    }
    before.len()
}

/// A15, D29, B11: no two units on a cell, no two through each other, in 10^6 unit-steps (10^7 in
/// release) on random maps, from nearly empty to full, while walls come and go and units change
/// goals.
#[test]
fn there_are_no_conflicts() {
    let mut random = Random(1);
    let (mut steps, mut round) = (0, 0);
    while steps < UNIT_STEPS {
        round += 1;
        let rule = if round % 3 == 0 { Rule::Six } else { Rule::Four };
        let (width, height, density) = (2 + random.below(40), 2 + random.below(40), random.below(50));
        let mut map = Map::from_fn(width, height, |_| random.below(100) < density).expect("small");
        let mut squad = Squad::new(&map, rule).expect("no diagonals");
        let goals: Vec<_> = (0..1 + random.below(8))
            .map(|_| squad.goal(map.cell_at(random.below(map.cell_count()))))
            .collect();
        let share = 1 + random.below(100);
        for at in 0..map.cell_count() {
            if map.is_free(map.cell_at(at)) && random.below(100) < share {
                squad.add(map.cell_at(at), goals[random.below(goals.len())]).expect("it is free");
            }
        }
        for _ in 0..60 {
            steps += audit(&mut squad, &map, rule);
            if random.below(4) == 0 {
                map.set_wall(map.cell_at(random.below(map.cell_count())), random.below(3) == 0);
                let units: Vec<_> = squad.units().collect();
                if !units.is_empty() {
                    let unit = units[random.below(units.len())].0;
                    match random.below(3) {
                        0 => squad.remove(unit).expect("it is there"),
                        _ => squad.aim(unit, goals[random.below(goals.len())]).expect("both are there"),
                    }
                }
            }
        }
    }
}

/// On open land every unit gets to a goal of its own, at any density.
#[test]
fn everyone_arrives_on_loops() {
    let mut random = Random(2);
    for share in [5, 30, 70] {
        let map = Map::new(20, 20).expect("small");
        let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
        let mut cells: Vec<usize> = (0..map.cell_count()).collect();
        for k in (1..cells.len()).rev() {
            cells.swap(k, random.below(k + 1));
        }
        let count = map.cell_count() * share / 100;
        let mut goals = cells.clone();
        goals.rotate_left(57);
        let units: Vec<_> = (0..count)
            .map(|k| {
                let goal = squad.goal(map.cell_at(goals[k]));
                squad.add(map.cell_at(cells[k]), goal).expect("it is free")
            })
            .collect();
        let mut arrived = vec![false; count];
        let mut ticks = 0;
        while arrived.contains(&false) {
            audit(&mut squad, &map, Rule::Four);
            units.iter().zip(&mut arrived).for_each(|(unit, arrived)| *arrived |= squad.is_home(*unit));
            ticks += 1;
            assert!(ticks < 2_000, "{} of {count} arrived", arrived.iter().filter(|its| **its).count());
        }
    }
}

/// The swap rule: in a street that is one tile wide, with a bay beside one end, two units get past
/// each other, and both stay at their goals.
#[test]
fn two_pass_each_other_in_a_street() {
    for text in ["........\n###.####\n", "........\n#.######\n", ".........\n####.####\n"] {
        let map = Map::parse(text).expect("a map");
        let far = map.width() - 1;
        // The street is the upper line of the text; y is up.
        let street = map.height() - 1;
        let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
        let (east, west) = (squad.goal([far, street]), squad.goal([0, street]));
        let a = squad.add([0, street], east).expect("free");
        let b = squad.add([far, street], west).expect("free");
        let mut ticks = 0;
        while !(squad.is_home(a) && squad.is_home(b)) {
            audit(&mut squad, &map, Rule::Four);
            ticks += 1;
            assert!(ticks < 60, "they never pass: {text}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let map = Map::parse("...\n.#.\n").expect("a map");
    assert_eq!(Squad::new(&map, Rule::default()).err(), Some(SquadError::Diagonals));
    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    let mut other = Squad::new(&map, Rule::Four).expect("no diagonals");
    let goal = other.goal([2, 0]);
    assert_eq!(squad.add([0, 0], goal), Err(SquadError::NoSuchGoal(goal)));
    let goal = squad.goal([2, 0]);
    assert_eq!(squad.goal([2, 0]), goal);
    let unit = squad.add([0, 0], goal).expect("free");
    assert_eq!(squad.add([0, 0], goal), Err(SquadError::Taken(Cell::ZERO)));
    assert_eq!(squad.add([3, 0], goal), Err(SquadError::NotFree(Cell::new(3, 0))));
    squad.remove(unit).expect("it is there");
    assert_eq!(squad.remove(unit), Err(SquadError::NoSuchUnit(unit)));
    assert_eq!(squad.aim(unit, goal), Err(SquadError::NoSuchUnit(unit)));
    assert_eq!((squad.cell(unit), squad.is_home(unit), squad.units().count()), (None, false, 0));
    let wide = Map::new(9, 9).expect("small");
    assert_eq!(squad.step(&wide), Err(SquadError::OtherMap));
    assert_eq!(squad.step(&map), Ok(0));
}

/// Images give the same steps over dear land too, with any changes on the way: the reach of fields
/// decides which unit makes room, and an image holds it.
#[test]
fn images_go_on_alike_over_dear_land() {
    let mut random = Random(7);
    for _ in 0..if cfg!(debug_assertions) { 20 } else { 300 } {
        let mut map = Map::from_fn(24, 24, |_| random.below(5) == 0).expect("small");
        let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
        let goals: Vec<_> = (0..4).map(|_| squad.goal(map.cell_at(random.below(576)))).collect();
        for at in (0..576).step_by(1 + random.below(4)).filter(|at| map.is_free(map.cell_at(*at))) {
            squad.add(map.cell_at(at), goals[random.below(4)]).expect("free");
        }
        let mut change = |map: &mut Map| {
            for _ in 0..random.below(30) {
                map.set_cost(map.cell_at(random.below(576)), 1 + random.below(9) as u8);
            }
            map.set_wall(map.cell_at(random.below(576)), random.below(2) == 0);
        };
        for _ in 0..4 {
            change(&mut map);
            (0..3).for_each(|_| assert!(squad.step(&map).is_ok()));
        }
        let (mut image, mut twin) = (Vec::new(), Squad::new(&map, Rule::Six).expect("no diagonals"));
        squad.save_into(&mut image);
        twin.load(&map, &image).expect("its own image");
        for _ in 0..20 {
            assert_eq!(twin.hash(), squad.hash());
            assert_eq!(squad.step(&map), twin.step(&map));
            change(&mut map);
        }
    }
}

/// An image gives the same steps again, and damaged images are refused.
#[test]
fn images_go_on_alike() {
    let mut random = Random(3);
    let map = Map::from_fn(30, 30, |_| random.below(5) == 0).expect("small");
    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    let goals: Vec<_> = (0..5).map(|_| squad.goal(map.cell_at(random.below(900)))).collect();
    let mut units = Vec::new();
    for at in (0..900).step_by(4).filter(|at| map.is_free(map.cell_at(*at))) {
        units.push(squad.add(map.cell_at(at), goals[at % 5]).expect("free"));
    }
    squad.remove(units[7]).expect("it is there");
    squad.remove(units[3]).expect("it is there");
    (0..25).for_each(|_| assert!(squad.step(&map).is_ok()));
    let mut image = Vec::new();
    squad.save_into(&mut image);
    let mut twin = Squad::new(&map, Rule::Six).expect("no diagonals");
    twin.load(&map, &image).expect("its own image");
    for _ in 0..50 {
        assert_eq!(twin.hash(), squad.hash());
        assert_eq!(squad.step(&map), twin.step(&map));
    }
    let goal = goals[0];
    let free =
        (0..900).map(|at| map.cell_at(at)).find(|cell| map.is_free(*cell) && squad.unit_at(*cell).is_none());
    let free = free.expect("there is room");
    assert_eq!(squad.add(free, goal), twin.add(free, goal));
    refuses_damage(&image, |bytes| {
        let before = twin.hash();
        let result = twin.load(&map, bytes);
        assert!(result.is_ok() || twin.hash() == before, "a refused image changes nothing");
        if result.is_ok() {
            twin.step(&map).expect("its map");
        }
        result
    });
    assert!(twin.load(&Map::new(3, 3).expect("small"), &image).is_err());
}
