//! Tests of the worked examples of the classic texts, and of their errors.

use carom_nav::graph::{Graph, GraphError, GraphSearch, List, Matrix, Order};
use carom_nav::grid::DIRECTIONS;
use carom_nav::prelude::*;
use testkit::random::Random;

use crate::common::{RULES, check_way, draw, free_cell, lengths_from, random_map};

/// The worked example of the best known tutorial: 10 : 14, Manhattan, no corner cut. Its rows go
/// down, ours up; the result is the same.
#[test]
fn the_tutorial_comes_out_as_printed() {
    let map = Map::from_fn(7, 5, |cell| cell.x == 3 && (1..=3).contains(&cell.y)).expect("a map");
    let ask = Ask::new([1, 2], [5, 2]).scale(Scale::CLASSIC).method(Method::AStar);
    let (mut search, mut path) = (Search::default(), Path::default());
    // Cells that were closed before the goal, and the goal.
    let mut by = |heuristic: Heuristic| {
        let found = search.path(&map, ask.heuristic(heuristic), &mut path);
        let Found::Way { cost } = found else { panic!("{found:?}") };
        assert_eq!(cost.units, 68);
        assert_eq!(path.cells().count(), 7);
        search.expansions()
    };
    assert_eq!(by(Heuristic::Manhattan), 12);
    let (octile, zero) = (by(Heuristic::Octile), by(Heuristic::Zero));
    assert!(12 <= octile && octile < zero && zero <= 30, "{octile}, {zero}");
}

/// Manhattan with diagonals promises a shortest path and does not keep the promise; all estimates
/// that are never too great do.
#[test]
fn manhattan_with_diagonals_is_fast_and_not_shortest() {
    let mut random = Random::new(21);
    let (mut search, mut path) = (Search::default(), Path::default());
    let (mut longer, mut ways, mut quick, mut slow) = (0, 0, 0, 0);
    for _ in 0..300 {
        let map = random_map(&mut random, 40, 25);
        let (Some(start), Some(goal)) = (free_cell(&mut random, &map), free_cell(&mut random, &map)) else {
            continue;
        };
        let ask = Ask::new(start, goal).method(Method::AStar);
        let Found::Way { cost } = search.path(&map, ask, &mut path) else { continue };
        slow += search.expansions();
        let Found::Way { cost: other } = search.path(&map, ask.heuristic(Heuristic::Manhattan), &mut path)
        else {
            panic!("no way");
        };
        check_way(&map, &ask, &path, other);
        quick += search.expansions();
        assert!(other.units >= cost.units);
        longer += usize::from(other.units > cost.units);
        ways += 1;
    }
    assert!(longer > 0 && longer < ways / 2, "{longer} of {ways} longer");
    assert!(quick < slow);
}

/// Estimates are never too great: at no cell of any map do they exceed the length of the path.
#[test]
fn estimates_are_never_too_great() {
    let scale = Scale::FINE;
    for rule in RULES {
        let map = Map::new(17, 13).expect("a map");
        let lengths = lengths_from(&map, rule, scale, Cell::new(6, 4), |_| 0);
        for (at, &length) in lengths.iter().enumerate() {
            let (straight, diagonal) = rule.steps([6, 4], map.cell_at(at));
            assert_eq!(scale.sum(straight, diagonal), length, "{rule:?} {}", map.cell_at(at));
        }
    }
}

/// Stopping when the goal is first seen, as in one of the texts, gives the dearer of two paths,
/// whose last step is dear.
#[test]
fn the_search_stops_when_the_goal_is_settled() {
    let roads = List::new(4, &[(0, 3, 100), (0, 1, 1), (1, 2, 1), (2, 3, 1)]).expect("a graph");
    let (mut search, mut way) = (GraphSearch::default(), Vec::new());
    assert_eq!(search.path(&roads, 0, 3, Order::Shortest, |_| 0, &mut way), Ok(Some(3)));
    assert_eq!(way, [0, 1, 2, 3]);
}

/// A swamp of cost 5, grass of 3, plain of 1: the cheapest path is not the path of fewest steps.
#[test]
fn roads_around_swamps_are_taken() {
    let map = Map::parse("1111111\n1555551\n1555551\n").expect("a map");
    let (mut search, mut path) = (Search::default(), Path::default());
    let ask = Ask::new([0, 0], [6, 0]).rule(Rule::Four);
    assert_eq!(search.path(&map, ask, &mut path).cells(), Some(10.0));
    assert_eq!(search.path(&map, ask.method(Method::Breadth), &mut path).cells(), Some(26.0));
    assert_eq!(path.cells().count(), 7);
}

/// Nodes are visited in the documented order, on lists and tables.
#[test]
fn orders_of_visiting_follow_the_edges() {
    let edges = [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 4, 1), (3, 4, 1), (2, 4, 1)];
    let list = List::both_ways(5, &edges).expect("a graph");
    let mut matrix = Matrix::new(5).expect("a graph");
    for (from, to, length) in edges {
        matrix.set(from, to, Some(length)).expect("nodes");
        matrix.set(to, from, Some(length)).expect("nodes");
    }
    let mut search = GraphSearch::default();
    let mut way = Vec::new();
    let mut visit = |order| {
        assert_eq!(search.path_to(&list, 0, |_| false, order, |_| 0, &mut way), Ok(None));
        let listed = search.expanded().to_vec();
        assert_eq!(search.path_to(&matrix, 0, |_| false, order, |_| 0, &mut way), Ok(None));
        (listed, search.expanded().to_vec())
    };
    assert_eq!(visit(Order::Breadth), (vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3, 4]));
    // From 4 the list goes on to 3 first, by the order in which edges were given; the table to 2.
    assert_eq!(visit(Order::Depth), (vec![0, 1, 4, 3, 2], vec![0, 1, 4, 2, 3]));
    assert_eq!(List::new(2, &[(0, 2, 1)]), Err(GraphError::NoSuchNode(2)));
    assert_eq!(matrix.set(0, 5, None), Err(GraphError::NoSuchNode(5)));
    let far = List::new(3, &[(0, 1, u32::MAX), (1, 2, 1)]).expect("a graph");
    assert_eq!(search.path(&far, 0, 2, Order::Shortest, |_| 0, &mut way), Err(GraphError::TooFar));
    assert_eq!(search.path(&far, 0, 3, Order::Shortest, |_| 0, &mut way), Err(GraphError::NoSuchNode(3)));
}

/// Tiles as a list, as a table and as a graph of their own give the lengths of the searches on
/// tiles, under all rules.
#[test]
fn one_search_fits_all_graphs() {
    struct Tiles<'m>(&'m Map, Rule);
    impl Graph for Tiles<'_> {
        fn node_count(&self) -> usize {
            self.0.cell_count()
        }

        fn each_edge(&self, node: usize, mut take: impl FnMut(usize, u32)) {
            let cell = self.0.cell_at(node);
            let moves = self.0.moves(self.1, cell);
            for d in (0..8).filter(|d| moves >> d & 1 != 0) {
                let to = cell + DIRECTIONS[d];
                let step = if self.1.is_diagonal(d) { Scale::FINE.diagonal } else { Scale::FINE.straight };
                take(self.0.index(to).expect("on the map"), u32::from(step));
            }
        }
    }
    let rounds = if cfg!(debug_assertions) { 40 } else { 1_000 };
    let mut random = Random::new(22);
    let (mut search, mut path) = (Search::default(), Path::default());
    let (mut graphs, mut way) = (GraphSearch::default(), Vec::new());
    for round in 0..rounds {
        let map = random_map(&mut random, 14, 30);
        let (Some(start), Some(goal)) = (free_cell(&mut random, &map), free_cell(&mut random, &map)) else {
            continue;
        };
        let rule = RULES[round % 5];
        let tiles = Tiles(&map, rule);
        let mut edges = Vec::new();
        let mut matrix = Matrix::new(map.cell_count()).expect("a table");
        for from in 0..map.cell_count() {
            tiles.each_edge(from, |to, length| edges.push((from, to, length)));
        }
        edges.iter().for_each(|&(from, to, length)| matrix.set(from, to, Some(length)).expect("nodes"));
        let list = List::new(map.cell_count(), &edges).expect("a list");
        let (from, to) = (map.index(start).expect("on it"), map.index(goal).expect("on it"));
        let estimate = |node: usize| {
            let (straight, diagonal) = rule.steps(map.cell_at(node), goal);
            Scale::FINE.sum(straight, diagonal)
        };
        let expected = match search.path(&map, Ask::new(start, goal).rule(rule), &mut path) {
            Found::Way { cost } => Some(cost.units),
            _ => None,
        };
        for guess in [0, 1] {
            let estimate = |node: usize| guess * estimate(node);
            assert_eq!(graphs.path(&tiles, from, to, Order::Shortest, estimate, &mut way), Ok(expected));
            assert_eq!(graphs.path(&list, from, to, Order::Shortest, estimate, &mut way), Ok(expected));
            assert_eq!(graphs.path(&matrix, from, to, Order::Shortest, estimate, &mut way), Ok(expected));
        }
        for order in [Order::Greedy, Order::Breadth, Order::Depth] {
            let found = graphs.path(&list, from, to, order, estimate, &mut way).expect("nodes");
            assert_eq!(found.is_some(), expected.is_some());
            assert!(found >= expected);
        }
    }
}

/// With a cost of turns the sum is the least of all: never more turns than without, and never
/// longer than the cost allows.
#[test]
fn turns_that_cost_are_left_out() {
    let rounds = if cfg!(debug_assertions) { 60 } else { 1_500 };
    let mut random = Random::new(23);
    let (mut search, mut path, mut other) = (Search::default(), Path::default(), Path::default());
    for round in 0..rounds {
        let map = random_map(&mut random, 25, [10, 25, 40][round % 3]);
        let (Some(start), Some(goal)) = (free_cell(&mut random, &map), free_cell(&mut random, &map)) else {
            continue;
        };
        let ask = Ask::new(start, goal).rule(RULES[round % 5]);
        let Found::Way { cost } = search.path(&map, ask, &mut path) else {
            assert_eq!(search.path(&map, ask.turn(3), &mut other), Found::None);
            continue;
        };
        let Found::Way { cost: straighter } = search.path(&map, ask.turn(3), &mut other) else {
            panic!("no way")
        };
        check_way(&map, &ask, &other, straighter);
        let price = 3 * u32::from(cost.scale.straight);
        let sum = |cost: Length, path: &Path| cost.units + price * path.turn_count() as u32;
        assert!(sum(straighter, &other) <= sum(cost, &path));
        assert!(other.turn_count() <= path.turn_count());
    }
}

/// A pulled string stays free, gets no longer, and does not change when pulled again.
#[test]
fn taut_ways_are_legal_and_no_longer() {
    let rounds = if cfg!(debug_assertions) { 200 } else { 10_000 };
    let mut random = Random::new(24);
    let (mut search, mut path, mut corners) = (Search::default(), Path::default(), Vec::new());
    let mut fewer = 0;
    for round in 0..rounds {
        let mut map = random_map(&mut random, 30, [5, 15, 30][round % 3]);
        if round % 4 == 0 {
            (0..200).for_each(|_| _ = map.set_cost(map.cell_at(draw(&mut random, map.cell_count())), 4));
        }
        let (Some(start), Some(goal)) = (free_cell(&mut random, &map), free_cell(&mut random, &map)) else {
            continue;
        };
        let rule = RULES[1 + round % 3];
        let Found::Way { .. } = search.path(&map, Ask::new(start, goal).rule(rule), &mut path) else {
            continue;
        };
        map.taut(rule, &path, &mut corners);
        assert_eq!([corners.first(), corners.last()], [Some(&start), Some(&goal)]);
        let length = |corners: &[Cell]| {
            corners.windows(2).map(|leg| (leg[1] - leg[0]).as_dvec2().length()).sum::<f64>()
        };
        assert!(length(&corners) <= length(path.turns()) + 1e-9);
        fewer += usize::from(corners.len() < path.turns().len());
        for leg in corners.windows(2) {
            assert!(map.sees(rule, leg[0], leg[1]) && map.sees(rule, leg[1], leg[0]));
            // Points all along the line lie in free cells; a point on a corner of cells lies in no
            // cell.
            for k in 1..400 {
                let at = leg[0].as_dvec2() + (leg[1] - leg[0]).as_dvec2() * (f64::from(k) / 400.0);
                let cell = (at + 0.5).floor();
                let border = (at + 0.5 - cell).min_element() < 1e-6;
                assert!(border || map.is_free(cell.as_ivec2()), "{leg:?} {at}");
            }
        }
    }
    assert!(fewer > rounds / 10);
}

/// An invalid request is answered as invalid, and nothing is searched.
#[test]
fn bad_questions_are_told() {
    assert_eq!(Map::new(0, 5).map(|_| ()), Err(MapError::Empty));
    assert_eq!(Map::new(1 << 16, 1 << 15).map(|_| ()), Err(MapError::TooLarge));
    assert_eq!(Map::new(usize::MAX, usize::MAX).map(|_| ()), Err(MapError::TooLarge));
    let mut map = Map::parse("...#\n....\n").expect("a map");
    let (mut search, mut path) = (Search::default(), Path::default());
    let good = Ask::new([0, 0], [3, 0]);
    let mut ask = |map: &Map, ask: Ask| {
        let found = search.path(map, ask, &mut path);
        assert!(found.is_way() != path.is_empty());
        found
    };
    assert_eq!(ask(&map, Ask::new([-1, 0], [3, 0])), Found::Bad(Bad::Start));
    assert_eq!(ask(&map, Ask::new([3, 1], [3, 0])), Found::Bad(Bad::Start));
    assert_eq!(ask(&map, Ask::new([0, 0], [4, 0])), Found::Bad(Bad::Goal));
    assert_eq!(ask(&map, Ask::new([0, 0], [i32::MAX, i32::MIN])), Found::Bad(Bad::Goal));
    assert_eq!(ask(&map, good.size(2)), Found::Bad(Bad::Size));
    assert_eq!(ask(&map, good.size(0)), Found::Bad(Bad::Size));
    assert_eq!(ask(&map, good.scale(Scale { straight: 0, diagonal: 0 })), Found::Bad(Bad::Scale));
    assert_eq!(ask(&map, good.scale(Scale { straight: 10, diagonal: 21 })), Found::Bad(Bad::Scale));
    assert_eq!(
        ask(&map, good.method(Method::Jump).rule(Rule::Four)),
        Found::Bad(Bad::Method(Unfit::JumpRule))
    );
    assert_eq!(ask(&map, Ask::new([2, 1], [2, 1])).cells(), Some(0.0));
    assert_eq!(map.keep_size(0), Err(MapError::BadSize));
    assert_eq!(map.keep_size(17), Err(MapError::BadSize));
    assert!(!map.set_cost([0, 0], 0) && !map.set_wall([9, 9], true) && map.revision() == 0);
    map.keep_size(2).expect("a size");
    assert_eq!(ask(&map, good.size(2)), Found::Bad(Bad::Goal));
    assert!(ask(&map, Ask::new([0, 0], [1, 0]).size(2)).is_way());
    let layer = [0_u16; 3];
    assert_eq!(search.path_over(&map, good, &layer[..], &mut path), Found::Bad(Bad::Layer));
    assert_eq!(search.nearest(&map, good, &[], &mut path), Found::Bad(Bad::Goal));
    assert_eq!(
        search.nearest(&map, good.method(Method::Greedy), &[[3, 0].into()], &mut path),
        Found::Bad(Bad::Method(Unfit::ManyGoals))
    );
}

/// A refused method says why.
#[test]
fn a_method_that_does_not_fit_says_why() {
    let mut map = Map::new(4, 4).expect("a map");
    let (mut search, mut path) = (Search::default(), Path::default());
    let jump = Ask::new([0, 0], [3, 3]).method(Method::Jump);
    let mut why = |map: &Map, ask: Ask| match search.path(map, ask, &mut path) {
        Found::Bad(Bad::Method(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(&map, jump.rule(Rule::Eight(Corners::OneFree))), Unfit::JumpRule);
    assert_eq!(why(&map, jump.heuristic(Heuristic::Manhattan)), Unfit::JumpHeuristic);
    assert_eq!(why(&map, jump.turn(2)), Unfit::Turns);
    map.set_cost([1, 1], 5);
    assert_eq!(why(&map, jump), Unfit::JumpCosts);
    let mut tier = Tier::default();
    let two = Ask::new([0, 0], [3, 3]).rule(Rule::Eight(Corners::Always));
    let found = tier.path(&map, &mut search, two, &mut path);
    assert_eq!(found, Found::Bad(Bad::Method(Unfit::Tiers)));
    let mut queue = Queue::new(100);
    for (ask, why) in [
        (jump, Unfit::JumpCosts),
        (Ask::new([0, 0], [3, 3]).turn(1), Unfit::TurnsInQueue),
        (jump.rule(Rule::Four), Unfit::JumpRule),
    ] {
        let ticket = queue.ask(ask);
        queue.work(&map);
        let mut image = Vec::new();
        queue.save_into(&mut image);
        let mut loaded = Queue::new(1);
        loaded.load(&map, &image).expect("its own image");
        let answer = Found::Bad(Bad::Method(why));
        assert_eq!(loaded.take(ticket).map(|(found, _)| found), Some(answer));
        assert!(queue.take(ticket).is_some_and(|(found, _)| found == answer) && !why.to_string().is_empty());
    }
}

/// Lengths beyond 31 bits are reported as too far, and not as something else.
#[test]
fn lengths_that_overflow_are_too_far() {
    let mut map = Map::new(3000, 1).expect("a map");
    for x in 0..3000 {
        map.set_cost([x, 0], 255);
    }
    let dear = Scale { straight: 9_000, diagonal: 12_000 };
    let (mut search, mut path) = (Search::default(), Path::default());
    let ask = Ask::new([0, 0], [2999, 0]).scale(dear);
    for method in [Method::AStar, Method::Dijkstra, Method::Greedy, Method::Breadth, Method::Depth] {
        assert_eq!(search.path(&map, ask.method(method), &mut path), Found::TooFar);
        assert!(path.is_empty());
        let near = Ask { goal: Cell::new(900, 0), ..ask };
        assert_eq!(search.path(&map, near.method(method), &mut path).cells(), Some(900.0 * 255.0));
    }
}

/// Columns 3 and rows 4 away: 7 by rows and columns, 5 in a straight line, 4 if a diagonal step
/// counts 1. And the example of another text, of six such steps from (6, 5) to (2, 7) on free land.
#[test]
fn distances_are_those_of_the_texts() {
    let map = Map::new(9, 9).expect("a map");
    let (mut search, mut path) = (Search::default(), Path::default());
    let mut length = |ask: Ask| search.path(&map, ask.scale(Scale::STEPS), &mut path).cells();
    let ask = Ask::new([1, 1], [4, 5]);
    assert_eq!(length(ask.rule(Rule::Four)), Some(7.0));
    assert_eq!(length(ask), Some(4.0));
    assert_eq!((ask.goal - ask.start).as_dvec2().length(), 5.0);
    for heuristic in [Heuristic::Chebyshev, Heuristic::Octile, Heuristic::Zero] {
        assert_eq!(length(ask.heuristic(heuristic).method(Method::AStar)), Some(4.0));
    }
    // Its map is lost, but its path is not: the cells of the path are free, all others walls.
    let way = [[2, 7], [2, 6], [2, 5], [3, 4], [4, 3], [5, 4], [6, 5]].map(Cell::from);
    let map = Map::from_fn(9, 9, |cell| !way.contains(&cell)).expect("a map");
    let ask = Ask::new(way[6], way[0]).corners(Corners::Always).scale(Scale::STEPS);
    assert_eq!(search.path(&map, ask.heuristic(Heuristic::Chebyshev), &mut path).cells(), Some(6.0));
    assert!(path.cells().eq(way.into_iter().rev()));
}
