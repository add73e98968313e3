//! Requests in a queue.

use carom_nav::prelude::*;
use testkit::random::Random;

use crate::common::{RULES, draw, free_cell};

fn map_of(random: &mut Random, costs: bool) -> Map {
    let mut map = Map::from_fn(48, 40, |_| draw(random, 100) < 25).expect("a map");
    if costs {
        (0..500)
            .for_each(|_| _ = map.set_cost(map.cell_at(draw(random, 48 * 40)), 1 + draw(random, 9) as u8));
    }
    map
}

fn asks(random: &mut Random, map: &Map, count: usize) -> Vec<Ask> {
    let goals: Vec<Cell> = (0..4).filter_map(|_| free_cell(random, map)).collect();
    let any = |random: &mut Random| map.cell_at(draw(random, map.cell_count()));
    (0..count)
        .map(|_| {
            let goal = if draw(random, 3) > 0 { goals[draw(random, goals.len())] } else { any(random) };
            let ask = Ask::new(any(random), goal).rule(RULES[draw(random, 2)]);
            ask.priority(draw(random, 3) as i8 - 1)
        })
        .collect()
}

/// With any budget, the answers equal the answers of one unlimited tick; each is as long as a
/// search alone finds it; no tick takes more than its budget; and saving and loading between any
/// two ticks changes nothing.
#[test]
fn sliced_is_unsliced() {
    let rounds = if cfg!(debug_assertions) { 25 } else { 800 };
    let mut random = Random::new(5);
    let (mut search, mut path, mut image) = (Search::default(), Path::default(), Vec::new());
    for round in 0..rounds {
        let map = map_of(&mut random, round % 3 == 0);
        // Few and many requests to one goal.
        let asks = asks(&mut random, &map, [20, 240][usize::from(round % 16 == 0)]);
        let mut whole = Queue::new(u64::MAX);
        let mut sliced = Queue::new(1 + draw(&mut random, 60) as u64);
        let tickets: Vec<Ticket> = asks.iter().map(|&ask| whole.ask(ask)).collect();
        asks.iter().for_each(|&ask| _ = sliced.ask(ask));
        let effort = whole.work(&map);
        let mut spent = 0;
        let mut saved = Queue::default();
        while tickets.iter().any(|&ticket| sliced.answer(ticket).is_none()) {
            let now = sliced.work(&map);
            assert!(now <= sliced.budget());
            spent += now;
            if draw(&mut random, 4) == 0 {
                sliced.save_into(&mut image);
                saved.load(&map, &image).expect("it was saved");
                assert_eq!(saved.hash(), sliced.hash());
                core::mem::swap(&mut saved, &mut sliced);
            }
        }
        assert_eq!(spent, effort);
        for (&ticket, &ask) in tickets.iter().zip(&asks) {
            let (found, way) = sliced.take(ticket).expect("an answer");
            let alone = search.path(&map, ask, &mut path);
            assert_eq!(found, alone, "{ask:?}");
            assert_eq!(whole.take(ticket), Some((found, way)));
        }
        assert!(whole.is_empty() && sliced.is_empty());
    }
}

/// While the map changes all the time, answers are right for the map at the time of the answer. A
/// search that is disturbed repeatedly before its budget lets it end may wait; once the changes
/// stop, all requests are answered.
#[test]
fn what_changes_on_the_way_is_heeded() {
    let rounds = if cfg!(debug_assertions) { 20 } else { 500 };
    let mut random = Random::new(6);
    let (mut search, mut path) = (Search::default(), Path::default());
    for round in 0..rounds {
        let mut map = map_of(&mut random, round % 2 == 0);
        let mut queue = Queue::new(100);
        let asks = asks(&mut random, &map, 12);
        let mut open: Vec<(Ticket, Ask)> = asks.iter().map(|&ask| (queue.ask(ask), ask)).collect();
        for tick in 0..2_000 {
            queue.work(&map);
            open.retain(|&(ticket, ask)| {
                let Some((found, way)) = queue.take(ticket) else { return true };
                // Requests that share a search may have been answered for land far from their
                // present units.
                assert_eq!(
                    found.cells().is_some(),
                    search.path(&map, ask, &mut path).is_way(),
                    "{ask:?} {found:?}"
                );
                assert!(way.cells().all(|cell| map.is_free(cell)));
                assert_eq!(found.cells(), search.path(&map, ask, &mut path).cells(), "{ask:?}");
                false
            });
            if open.is_empty() {
                break;
            }
            if tick % 3 == 0 && tick < 1_000 {
                let cell = map.cell_at(draw(&mut random, map.cell_count()));
                map.set_wall(cell, map.is_free(cell));
            }
        }
        assert!(open.is_empty(), "{} without an answer", open.len());
    }
}

/// Twenty units with one goal, even an unreachable one, do not stop the game.
#[test]
fn a_shared_goal_is_searched_once() {
    let map = Map::from_fn(200, 200, |cell| cell.x == 100 && cell.y > 0 || cell.x == 150).expect("a map");
    let mut queue = Queue::new(u64::MAX);
    for y in 0..100 {
        _ = queue.ask(Ask::new([0, 50 + y], [140, 199]));
        _ = queue.ask(Ask::new([0, 50 + y], [199, 199]));
    }
    assert!(queue.work(&map) <= 200 * 200);
    assert_eq!(queue.len(), 200);
}
