//! Tests of results found on one map and used with another of the same size and number of changes:
//! the difference is noticed, and the answers fit the present map.

use carom_nav::prelude::*;
use testkit::random::Random;

use crate::common::{check_way, draw, free_cell};

/// Two maps of one size with the same number of changes, in other places.
fn twins(random: &mut Random) -> [Map; 2] {
    let map = Map::from_fn(40, 30, |_| draw(random, 100) < 30).expect("a map");
    [(); 2].map(|()| {
        let mut map = map.clone();
        for _ in 0..60 {
            let cell = map.cell_at(draw(random, map.cell_count()));
            map.set_wall(cell, map.is_free(cell));
        }
        map
    })
}

#[test]
fn another_map_of_the_same_size_is_noticed() {
    let mut random = Random::new(41);
    let (mut search, mut path, mut other) = (Search::default(), Path::default(), Path::default());
    let mut stale = 0;
    for _ in 0..if cfg!(debug_assertions) { 100 } else { 2_000 } {
        let maps = twins(&mut random);
        assert_eq!(maps[0].revision(), maps[1].revision());
        let (Some(start), Some(goal)) = (free_cell(&mut random, &maps[0]), free_cell(&mut random, &maps[0]))
        else {
            continue;
        };
        let mut dead_ends = DeadEnds::new(&maps[0]);
        let mut adaptive = Adaptive::new(Rule::default(), goal);
        let mut flow = Flow::to(&[goal]);
        let mut queue = Queue::new(5);
        let ticket = queue.ask(Ask::new(start, goal).method(Method::AStar));
        for k in [0, 1, 0] {
            let map = &maps[k];
            let ask = Ask::new(start, goal);
            let expected = search.path(map, ask, &mut path);
            assert!(path.is_empty() || !path.is_stale(map));
            assert_eq!(dead_ends.path(map, &mut search, ask, &mut other).cells(), expected.cells());
            assert_eq!(adaptive.path(map, start, &mut other), expected);
            flow.until(map, &[start]);
            let length =
                if map.is_free(goal) { flow.distance(start).map(|length| length.cells()) } else { None };
            assert_eq!(length.filter(|_| map.is_free(start)), expected.cells());
            queue.work(map);
        }
        // Results taken over from the wrong map would give an invalid path.
        let mut ticks = 0;
        while queue.answer(ticket).is_none() {
            queue.work(&maps[1]);
            ticks += 1;
            assert!(ticks < 1_000);
        }
        let ask = Ask::new(start, goal).method(Method::AStar);
        let (found, way) = queue.take(ticket).expect("an answer");
        let (right, wrong) = (search.path(&maps[1], ask, &mut path), search.path(&maps[0], ask, &mut other));
        // It may have been answered while the first map was in use.
        assert!(found == right || found == wrong);
        if let Found::Way { cost } = found {
            check_way(if way.is_stale(&maps[1]) { &maps[0] } else { &maps[1] }, &ask, &way, cost);
            stale += usize::from(way.is_stale(&maps[1]));
        }
    }
    println!("{stale} ways were answered on the other map");
}

/// A path is stale on another map if the two differ along it, and not on a clone, on a loaded map,
/// or on a map that was changed back.
#[test]
fn paths_know_their_land() {
    let map = Map::from_fn(60, 50, |cell| (cell.x * 7 + cell.y * 5) % 9 == 0).expect("a map");
    let (mut search, mut path, mut image) = (Search::default(), Path::default(), Vec::new());
    assert!(search.path(&map, Ask::new([1, 1], [40, 3]), &mut path).is_way());
    let (mut clone, other) = (map.clone(), Map::new(60, 50).expect("a map"));
    assert!(path.is_stale(&other) && !path.is_stale(&clone));
    map.save_into(&mut image);
    assert!(!path.is_stale(&Map::load(&image).expect("an image")));
    clone.set_wall([50, 45], true);
    assert!(!path.is_stale(&clone), "far away");
    clone.set_cost([20, 2], 3);
    assert!(path.is_stale(&clone));
    clone.set_cost([20, 2], 1);
    assert!(!path.is_stale(&clone));
    assert!(path.is_stale(&Map::new(30, 25).expect("a map")));
}

/// The same for units of several cells: a change anywhere beside the cells that they cover counts,
/// and the number of changes of the view does not. By a search, by a queue, and after both were
/// saved and loaded.
#[test]
fn paths_of_large_units_go_stale() {
    let map = {
        let mut map = Map::new(64, 64).expect("a map");
        map.keep_size(4).expect("a size");
        // The view changes more often than the map.
        (0..10).for_each(|x| _ = map.set_wall([x, 60], true));
        map
    };
    let ask = Ask::new([0, 28], [50, 28]).size(4);
    let (mut search, mut path) = (Search::default(), Path::default());
    assert!(search.path(&map, ask, &mut path).is_way());
    let mut queue = Queue::new(u64::MAX);
    let ticket = queue.ask(ask);
    queue.work(&map);
    let (_, queued) = queue.take(ticket).expect("an answer");
    for path in [&path, &queued] {
        let mut image = Vec::new();
        let mut loaded = Path::default();
        path.save_into(&mut image);
        loaded.load(&image).expect("an image");
        for path in [path, &loaded] {
            assert!(!path.is_stale(&map));
            // Rows 28 to 31 are covered: row 32 is beside them, in chunks without an anchor near
            // them.
            for (cell, stale) in [([20, 32], true), ([20, 28], true), ([20, 10], false), ([60, 60], false)] {
                let mut changed = map.clone();
                changed.set_wall(cell, true);
                assert_eq!(path.is_stale(&changed), stale, "{cell:?}");
            }
        }
    }
}

/// A unit of several cells pays for the dearest cell of a layer that it covers, and does not stand
/// on claims of others; its own claims are all cells that it covers.
#[test]
fn large_units_heed_layers_and_claims_with_all_their_cells() {
    let mut map = Map::new(12, 8).expect("a map");
    map.keep_size(3).expect("a size");
    let (mut search, mut path) = (Search::default(), Path::default());
    let ask = Ask::new([0, 2], [9, 2]).size(3);
    let covered = |cell: Cell| (0..9).map(move |k| cell + Cell::new(k % 3, k / 3));
    let mut layer = vec![0_u16; map.cell_count()];
    layer[map.index([5, 4]).expect("on the map")] = 50;
    let found = search.path_over(&map, ask, &layer[..], &mut path);
    assert!(found.cells() > Some(9.0), "around: {found:?}");
    assert!(path.cells().all(|cell| covered(cell).all(|cell| cell != Cell::new(5, 4))));
    // Where there is no path around, it pays once for each position in which it covers a dear cell.
    for y in 0..8 {
        layer[map.index([5, y]).expect("on the map")] = 50;
    }
    let found = search.path_over(&map, ask, &layer[..], &mut path);
    assert_eq!(found.cells(), Some(9.0 + 3.0 * 50.0));

    let mut claims = Claims::new(&map);
    assert!(claims.park_as(7, 2, [5, 3]) && claims.holder([6, 4]) == Some(7));
    assert!(
        !claims.park_as(8, 2, [6, 4]) && !claims.park_as(8, 2, [11, 7]) && claims.holder([7, 5]).is_none()
    );
    assert!(search.path_over(&map, ask, &claims.near(1, [0, 2], 20, 3), &mut path).is_way());
    let parked = |cell: Cell| (5..7).contains(&cell.x) && (3..5).contains(&cell.y);
    assert!(path.cells().all(|cell| covered(cell).all(|cell| !parked(cell))));
    assert_eq!(claims.walk_as(8, 2, [Cell::new(3, 3), Cell::new(4, 3)], 2), 1);
    assert!(claims.leave_as(7, 2, [5, 3]) && claims.holder([6, 4]).is_none());
}
