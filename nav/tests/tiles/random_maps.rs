//! Tests on random maps, under every rule: all shortest searches agree with one another and with
//! the plainest search.

use carom_nav::grid::DeadEnds;
use carom_nav::prelude::*;
use testkit::random::Random;

use crate::common::{RULES, check_way, draw, free_cell, lengths_from, random_map};

/// The length that a search finds, after its path was checked.
fn length(search: &mut Search, map: &Map, ask: Ask, path: &mut Path) -> Option<u32> {
    match search.path(map, ask, path) {
        Found::Way { cost } => {
            check_way(map, &ask, path, cost);
            Some(cost.units)
        }
        Found::None => {
            assert!(path.is_empty());
            None
        }
        found => panic!("{ask:?}: {found:?}"),
    }
}

#[test]
fn jump_points_a_star_and_dijkstra_agree() {
    let rounds = if cfg!(debug_assertions) { 2_000 } else { 25_000 };
    let mut random = Random::new(1);
    let (mut search, mut path) = (Search::default(), Path::default());
    let (mut ways, mut guided, mut blind) = (0, 0, 0);
    for round in 0..rounds {
        let map = random_map(&mut random, 40, [5, 20, 35, 45][round % 4]);
        let (Some(start), Some(goal)) = (free_cell(&mut random, &map), free_cell(&mut random, &map)) else {
            continue;
        };
        for rule in RULES {
            let ask = Ask::new(start, goal).rule(rule);
            let expected = length(&mut search, &map, ask.method(Method::Dijkstra), &mut path);
            ways += usize::from(expected.is_some());
            let dijkstra = search.expansions();
            for heuristic in [Heuristic::Octile, Heuristic::Euclid, Heuristic::Chebyshev, Heuristic::Zero] {
                let ask = ask.method(Method::AStar).heuristic(heuristic);
                assert_eq!(length(&mut search, &map, ask, &mut path), expected, "{round} {ask:?}");
                // A cell reached from two sides at one length may be expanded twice, so only the
                // sums are compared.
                guided += search.expansions();
                blind += dijkstra;
            }
            let found = length(&mut search, &map, ask, &mut path);
            assert_eq!(found, expected, "round {round} {ask:?}");
            for method in [Method::Greedy, Method::Breadth, Method::Depth] {
                let found = length(&mut search, &map, ask.method(method), &mut path);
                assert_eq!(found.is_some(), expected.is_some(), "round {round} {ask:?} {method:?}");
                assert!(found >= expected);
            }
            if let Some(connected) = map.connected_by(rule, start, goal) {
                assert_eq!(connected, expected.is_some());
            }
        }
    }
    assert!(guided < blind, "{guided} expansions with estimates, {blind} without");
    assert!(ways > rounds, "{ways} ways in {rounds} rounds");
}

/// Costs, layers, many goals, other scales: against Bellman and Ford.
#[test]
fn lengths_over_dear_land_are_the_shortest() {
    let rounds = if cfg!(debug_assertions) { 300 } else { 20_000 };
    let mut random = Random::new(2);
    let (mut search, mut path) = (Search::default(), Path::default());
    for round in 0..rounds {
        let mut map = random_map(&mut random, 16, [0, 10, 30][round / 3 % 3]);
        let dearest = [1, 3, 9, 255][draw(&mut random, 4)];
        // Costs of single cells, or of patches of four or five by as many.
        let (patch, salt) = ([1, 4, 5][round % 3], random.bits());
        for index in 0..map.cell_count() {
            let cell = map.cell_at(index) / patch;
            let mut by_patch = Random::new(salt ^ (cell.x + 100 * cell.y) as u64);
            map.set_cost(map.cell_at(index), (1 + draw(&mut by_patch, dearest)) as u8);
        }
        let layer: Vec<u16> = (0..map.cell_count()).map(|_| draw(&mut random, 50) as u16).collect();
        let Some(start) = free_cell(&mut random, &map) else { continue };
        let rule = RULES[draw(&mut random, 5)];
        let scale = [Scale::FINE, Scale::COARSE, Scale::CLASSIC, Scale::STEPS][draw(&mut random, 4)];
        let lengths = lengths_from(&map, rule, scale, start, |_| 0);
        let layered = lengths_from(&map, rule, scale, start, |index| u32::from(layer[index]));
        for _ in 0..4 {
            let Some(goal) = free_cell(&mut random, &map) else { continue };
            let expected = lengths[map.index(goal).expect("on the map")];
            let expected = (expected < u32::MAX).then_some(expected);
            for method in [Method::AStar, Method::Dijkstra, Method::Auto] {
                let ask = Ask::new(start, goal).rule(rule).scale(scale).method(method);
                assert_eq!(length(&mut search, &map, ask, &mut path), expected, "round {round} {ask:?}");
                let found = match search.path_over(&map, ask, &layer[..], &mut path) {
                    Found::Way { cost } => cost.units,
                    _ => u32::MAX,
                };
                assert_eq!(found, layered[map.index(goal).expect("on the map")]);
            }
        }
        let goals: Vec<Cell> = (0..5).filter_map(|_| free_cell(&mut random, &map)).collect();
        let nearest = goals.iter().map(|&goal| lengths[map.index(goal).expect("on the map")]).min();
        let ask = Ask::new(start, start).rule(rule).scale(scale);
        let found = match search.nearest(&map, ask, &goals, &mut path) {
            Found::Way { cost } => cost.units,
            found => {
                assert_eq!(found, Found::None);
                u32::MAX
            }
        };
        assert_eq!(Some(found), nearest);
    }
}

/// Paths found without entering dead ends are as short as all others, and take fewer expansions
/// where streets are narrow.
#[test]
fn dead_ends_are_passed_by() {
    let rounds = if cfg!(debug_assertions) { 300 } else { 20_000 };
    let mut random = Random::new(4);
    let (mut search, mut path) = (Search::default(), Path::default());
    let (mut without, mut with) = (0, 0);
    for round in 0..rounds {
        let mut map = random_map(&mut random, 24, [20, 35, 45][round % 3]);
        if round % 2 == 0 {
            (0..map.cell_count())
                .for_each(|index| _ = map.set_cost(map.cell_at(index), 1 + draw(&mut random, 4) as u8));
        }
        let mut dead_ends = DeadEnds::new(&map);
        for change in 0..4 {
            let (Some(start), Some(goal)) = (free_cell(&mut random, &map), free_cell(&mut random, &map))
            else {
                continue;
            };
            let ask = Ask::new(start, goal).rule(RULES[round % 2]).method(Method::Dijkstra);
            let expected = length(&mut search, &map, ask, &mut path);
            without += search.expansions();
            let found = match dead_ends.path(&map, &mut search, ask, &mut path) {
                Found::Way { cost } => {
                    check_way(&map, &ask, &path, cost);
                    with += search.expansions();
                    Some(cost.units)
                }
                found => {
                    assert_eq!(found, Found::None);
                    None
                }
            };
            assert_eq!(found, expected, "{round} {ask:?}");
            if change == 1 {
                let cell = map.cell_at(draw(&mut random, map.cell_count()));
                map.set_wall(cell, map.is_free(cell));
            }
        }
    }
    assert!(with < without, "{with} expansions, {without} with dead ends");
    let map = Map::parse(".....\n").expect("a map");
    let ask = Ask::new([0, 0], [4, 0]).corners(Corners::Always);
    assert_eq!(
        DeadEnds::new(&map).path(&map, &mut search, ask, &mut path),
        Found::Bad(Bad::Method(Unfit::DeadEnds))
    );
    assert!(DeadEnds::new(&map).is_dead_end(&map, [4, 0], [0, 0], [2, 0]));
    assert!(!DeadEnds::new(&map).is_dead_end(&map, [1, 0], [0, 0], [2, 0]));
}
