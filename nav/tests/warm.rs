//! Once warm, nothing allocates: searches, edits, requests, fields of view and claims are asked for
//! what they did before.

use carom_nav::grid::Adaptive;
use carom_nav::prelude::*;
use testkit::memory::{Watching, asked_by};
use testkit::random::Random;

#[global_allocator]
static ALLOCATOR: Watching = Watching;

fn count(act: impl FnOnce()) -> u64 {
    asked_by(act).pieces
}

#[test]
fn nothing_allocates_once_warm() {
    let mut random = Random::new(1);
    let mut map = Map::from_fn(100, 80, |_| random.bits() % 100 < 25).expect("a map");
    map.keep_size(2).expect("a size");
    map.keep_islands(Rule::Eight(Corners::Always));
    map.set_cost([0, 0], 3);
    map.set_cost([0, 0], 1);
    let (mut search, mut path, mut corners) = (Search::default(), Path::default(), Vec::new());
    let methods =
        [Method::Jump, Method::AStar, Method::Dijkstra, Method::Greedy, Method::Breadth, Method::Depth];
    let ends: Vec<(Cell, Cell)> = (0..40)
        .map(|_| (Cell::new((random.bits() % 100) as i32, (random.bits() % 80) as i32), Cell::new(50, 40)))
        .collect();
    let mut queue = Queue::new(2_000);
    let mut known = Known::new(&map);
    let mut adaptive = Adaptive::new(Rule::default(), [50, 40]);
    let mut claims = Claims::new(&map);
    let mut image = Vec::new();
    map.set_wall([50, 40], false);
    let mut all = |map: &mut Map| {
        for &(start, goal) in &ends {
            for method in methods {
                _ = search.path(map, Ask::new(start, goal).method(method), &mut path);
            }
            _ = search.path(map, Ask::new(start, goal).turn(2), &mut path);
            _ = search.path_over(map, Ask::new(start, goal), &claims.near(1, start, 9, 3), &mut path);
            _ = search.nearest(map, Ask::new(start, goal), &[goal, start], &mut path);
            map.taut(Rule::default(), &path, &mut corners);
            _ = map.nearest_reachable(Rule::default(), goal, start);
            _ = adaptive.path(map, start, &mut path);
            _ = queue.ask(Ask::new(start, goal));
            claims.walk(1, [start, goal], 3);
            claims.tick();
            known.see(map, start, 6);
            for wall in [map.is_free(start), !map.is_free(start)] {
                map.set_wall(start, wall);
                map.set_cost(start, if wall { 2 } else { 1 });
            }
        }
        while !queue.is_empty() {
            queue.work(map);
            while let Some((.., path)) = queue.take_next() {
                queue.recycle(path);
            }
        }
        queue.save_into(&mut image);
        claims.save_into(&mut image);
        adaptive.save_into(&mut image);
        known.save_into(&mut image);
    };
    // Paths go around, and each has to have been the longest.
    for _ in 0..50 {
        all(&mut map);
    }
    assert_eq!(count(|| all(&mut map)), 0);
}
