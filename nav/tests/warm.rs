//! Tests that nothing allocates once warm: searches, edits, requests, fields, squads and claims
//! repeat earlier requests.

use carom_nav::Vec2;
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
    // Buffers of paths rotate, and each has to have held the longest path once.
    for _ in 0..50 {
        all(&mut map);
    }
    assert_eq!(count(|| all(&mut map)), 0);
}

#[test]
fn fields_squads_and_tiers_allocate_nothing_once_warm() {
    let mut random = Random::new(2);
    let mut map = Map::from_fn(100, 80, |_| random.bits() % 100 < 15).expect("a map");
    let goals = [Cell::new(50, 40), Cell::new(3, 70), Cell::new(90, 5)];
    goals.iter().for_each(|&goal| _ = map.set_wall(goal, false));
    let free: Vec<Cell> =
        (0..map.cell_count()).map(|at| map.cell_at(at)).filter(|&cell| map.is_free(cell)).collect();
    let mut flow = Flow::to(&goals).straight(20);
    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    let ids = goals.map(|goal| squad.goal(goal));
    let units: Vec<UnitId> = free
        .iter()
        .step_by(6)
        .enumerate()
        .map(|(k, &cell)| squad.add(cell, ids[k % 3]).expect("it is free"))
        .collect();
    let (mut reach, mut fov, mut danger) = (Reach::default(), Fov::default(), Influence::new(&map));
    let (mut tier, mut search, mut path) = (Tier::default(), Search::default(), Path::default());
    let (mut cells, mut image, mut counts, tank) = (Vec::new(), Vec::new(), Vec::new(), Stamp::cone(8, 50));
    let mut all = |map: &mut Map| {
        for turn in 0..3 {
            flow.aim(&goals[turn..]);
            flow.until(map, &[free[turn]]);
            for (k, &cell) in free.iter().step_by(700).enumerate() {
                for wall in [true, false] {
                    map.set_wall(cell, wall);
                    flow.update(map);
                    assert!(flow.heading(map, cell.as_vec2() + 0.3).length() < 1.1);
                }
                reach.fill(
                    map,
                    cell,
                    9,
                    &Occupied { enemies: &goals, zones: Zone::Stops, ..Occupied::default() },
                );
                reach.attack(map, 1..=3, Sight::Needed, &mut cells);
                let strikers = Striker { cell, points: 5, range: 1..=2 };
                reach.threat(map, &[strikers], &Occupied::default(), Sight::Ignored, &mut counts);
                fov.see(map, cell, 12, &mut cells);
                danger.add(&tank, cell);
                danger.sub(&tank, cell);
                _ = tier.path(map, &mut search, Ask::new(cell, goals[(turn + k) % 3]), &mut path);
                _ = search.path_over(map, Ask::new(cell, goals[0]), &danger, &mut path);
            }
            flow.fill(map);
            flow.save_into(&mut image);
            danger.save_into(&mut image);
            path.save_into(&mut image);
        }
        // Once there and once back, as before.
        for turn in 0..2 {
            for (k, &unit) in units.iter().enumerate() {
                squad.aim(unit, ids[(k + turn) % 3]).expect("it is there");
            }
            for _ in 0..150 {
                squad.step(map).expect("its map");
            }
        }
        squad.save_into(&mut image);
        map.save_into(&mut image);
    };
    for _ in 0..4 {
        all(&mut map);
    }
    assert_eq!(count(|| all(&mut map)), 0);
}

/// Ways on a mesh, and queries that need no search.
#[cfg(feature = "mesh")]
#[test]
fn ways_on_meshes_allocate_nothing_once_warm() {
    use carom_nav::mesh::{Mesh, MeshDef, Way};
    let mut random = Random::new(5);
    let mut mesh = Mesh::new(MeshDef { half: 30.0, max_radius: 1.0 }).expect("a mesh");
    let mut place = |most: f32| Vec2::new(random.range(-most, most), random.range(-most, most));
    for _ in 0..120 {
        let (at, by) = (place(28.0), place(2.0));
        mesh.add(&[at + by, at + by.perp(), at - by, at - by.perp()]).expect("built");
    }
    let ends: Vec<(Vec2, Vec2)> = (0..60).map(|_| (place(29.0), place(29.0))).collect();
    let mut way = Way::default();
    let mut all = |mesh: &mut Mesh| {
        for &(from, to) in &ends {
            for radius in [0.0, 0.4] {
                _ = mesh.way(from, to, radius, &mut way);
                _ = mesh.reachable(from, to, radius);
            }
            _ = mesh.widest(from, to);
        }
    };
    all(&mut mesh);
    assert_eq!(count(|| all(&mut mesh)), 0);
}
