use std::collections::VecDeque;

use glam::Vec2;

use super::*;
use crate::field::Flow;
use crate::length::Scale;
use crate::state::refuses_damage;

const ROUNDS: usize = if cfg!(debug_assertions) { 150 } else { 2_000 };

/// Lengths to the nearest goal by Bellman and Ford: relaxes every step from a cell whose length
/// fell, until no length falls.
fn lengths(map: &Map, rule: Rule, goals: &[Cell]) -> Vec<Option<u32>> {
    let scale = if map.is_uniform() { Scale::FINE } else { Scale::COARSE };
    let mut lengths = vec![None; map.cell_count()];
    let mut queue = VecDeque::new();
    for &goal in goals.iter().filter(|goal| map.is_free(**goal)) {
        lengths[map.at(goal)] = Some(0);
        queue.push_back(goal);
    }
    while let Some(cell) = queue.pop_front() {
        let length = lengths[map.at(cell)].expect("it was reached");
        // Steps are legal both ways; this step enters `cell`.
        for (from, diagonal) in steps(map, rule, cell) {
            let step = u32::from(if diagonal { scale.diagonal } else { scale.straight });
            let way = length + step * u32::from(map.cost(cell));
            let old = &mut lengths[map.at(from)];
            if old.is_none_or(|old| way < old) {
                *old = Some(way);
                queue.push_back(from);
            }
        }
    }
    lengths
}

fn all(map: &Map, flow: &Flow) -> Vec<Option<u32>> {
    (0..map.cell_count()).map(|at| flow.final_length(map.cell_at(at))).collect()
}

fn goals(random: &mut Random, map: &Map) -> Vec<Cell> {
    (0..1 + random.below(4)).map(|_| random.cell(map)).collect()
}

/// D18, D29, A30: lengths to the nearest of many goals are equal to Bellman and Ford's, under every
/// rule, with and without costs; and walking along the field from any cell takes exactly the cell's
/// length, by legal steps.
#[test]
fn lengths_are_exact_and_ways_are_as_long() {
    let mut random = Random(1);
    for round in 0..ROUNDS {
        let map = random.map(16);
        let rule = RULES[round % 5];
        let goals = goals(&mut random, &map);
        let mut flow = Flow::to(&goals).rule(rule);
        flow.fill(&map);
        assert_eq!(all(&map, &flow), lengths(&map, rule, &goals), "{rule:?}");
        let mut way = Vec::new();
        for at in 0..map.cell_count() {
            let from = map.cell_at(at);
            let there = flow.way(&map, from, &mut way);
            let Some(length) = flow.distance(from) else {
                assert!(!there && flow.is_known(from));
                continue;
            };
            assert!(there && goals.contains(&way[way.len() - 1]));
            let walked: u32 = way
                .windows(2)
                .map(|leg| {
                    let step = steps(&map, rule, leg[0]).into_iter().find(|step| step.0 == leg[1]);
                    let (to, diagonal) = step.expect("a legal step");
                    let scale = length.scale;
                    u32::from(if diagonal { scale.diagonal } else { scale.straight })
                        * u32::from(map.cost(to))
                })
                .sum();
            assert_eq!(walked, length.units);
        }
    }
}

/// Extending the field in small parts gives the result of one search, and each part stops as soon
/// as its cells are known.
#[test]
fn parts_are_the_whole() {
    let mut random = Random(2);
    let mut stopped = 0;
    for round in 0..ROUNDS {
        let map = random.map(40);
        let rule = RULES[round % 5];
        let goals = goals(&mut random, &map);
        let mut whole = Flow::to(&goals).rule(rule);
        whole.fill(&map);
        let mut flow = Flow::to(&goals).rule(rule);
        for _ in 0..4 {
            let asked: Vec<Cell> = (0..3).map(|_| random.cell(&map)).collect();
            flow.until(&map, &asked);
            for cell in asked {
                assert_eq!(flow.distance(cell), whole.distance(cell));
                assert!(flow.is_known(cell) || !map.is_free(cell));
            }
            for at in 0..map.cell_count() {
                let cell = map.cell_at(at);
                if flow.distance(cell).is_some() {
                    assert_eq!(flow.distance(cell), whole.distance(cell));
                    assert_eq!(flow.next(&map, cell), whole.next(&map, cell));
                }
            }
        }
        stopped += usize::from(all(&map, &flow) != all(&map, &whole));
        flow.fill(&map);
        assert_eq!((all(&map, &flow), flow.hash()), (all(&map, &whole), whole.hash()));
    }
    assert!(stopped > ROUNDS / 10, "{stopped}");
}

/// After any edits a repaired field is equal, to the bit, to a new one found to the same length:
/// finished or not, with goals that became walls.
#[test]
fn repaired_is_fresh() {
    let mut random = Random(3);
    for round in 0..ROUNDS {
        let mut map = random.map(50);
        let rule = RULES[round % 5];
        let goals = goals(&mut random, &map);
        let mut flow = Flow::to(&goals).rule(rule);
        for _ in 0..8 {
            if random.below(4) == 0 {
                flow.fill(&map);
            } else {
                flow.until(&map, &[random.cell(&map)]);
            }
            for _ in 0..1 + random.below(12) {
                let (corner, wall, cost) =
                    (random.cell(&map), random.below(2) == 0, 1 + random.below(5) as u8);
                let span = Cell::new(random.below(4) as i32, random.below(4) as i32);
                for y in 0..=span.y {
                    for x in 0..=span.x {
                        let cell = corner + Cell::new(x, y);
                        if map.is_uniform() || random.below(3) > 0 {
                            map.set_wall(cell, wall);
                        } else {
                            map.set_cost(cell, cost);
                        }
                    }
                }
            }
            if random.below(5) == 0 {
                map.set_wall(goals[0], random.below(2) == 0);
            }
            flow.update(&map);
            let mut fresh = Flow::to(&goals).rule(rule);
            let mut image = Vec::new();
            flow.save_into(&mut image);
            fresh.load(&map, &image).expect("its own image");
            assert_eq!(all(&map, &flow), all(&map, &fresh), "{rule:?} round {round}");
            assert_eq!(flow.hash(), fresh.hash());
            // The repaired field is open in the same cells as the fresh one: extending both gives
            // the same.
            let (mut flow, mut fresh) = (flow.clone(), fresh);
            let asked = random.cell(&map);
            flow.until(&map, &[asked]);
            fresh.until(&map, &[asked]);
            assert_eq!(flow.hash(), fresh.hash());
            flow.fill(&map);
            assert_eq!(all(&map, &flow), lengths(&map, rule, &goals));
        }
    }
}

/// D18: the flow field leads out of a U, because it follows lengths; the raw potential does not.
#[test]
fn it_leads_out_of_a_trap() {
    let map = Map::from_fn(21, 21, |cell| {
        (cell.x == 14 && (4..=16).contains(&cell.y))
            || ((6..=14).contains(&cell.x) && (cell.y == 4 || cell.y == 16))
    })
    .expect("small");
    let mut flow = Flow::to(&[Cell::new(19, 10)]);
    flow.fill(&map);
    let mut way = Vec::new();
    assert!(flow.way(&map, [12, 10], &mut way));
    assert!(way.iter().any(|cell| cell.x < 6));
}

#[test]
fn headings_are_smooth_and_of_length_one() {
    let map = Map::from_fn(30, 30, |cell| cell.x == 15 && cell.y < 20).expect("small");
    let mut flow = Flow::to(&[Cell::new(25, 3)]);
    assert_eq!(flow.heading(&map, Vec2::new(3.0, 3.0)), Vec2::ZERO);
    flow.fill(&map);
    let mut before = None::<Vec2>;
    for step in 0..1_000 {
        let heading = flow.heading(&map, Vec2::new(3.0, 1.0 + 0.025 * step as f32));
        assert!((heading.length() - 1.0).abs() < 1e-6);
        assert!(before.is_none_or(|before| (heading - before).length() < 0.1));
        before = Some(heading);
    }
    // At the centre of a cell the heading is the direction of that cell.
    let d = flow.direction(&map, [3, 3]).expect("a way");
    let way = crate::grid::DIRECTIONS[d].as_vec2().normalize();
    assert!((flow.heading(&map, Vec2::new(3.5, 3.5)) - way).length() < 1e-6);
    assert_eq!(flow.heading(&map, Vec2::splat(f32::NAN)), Vec2::ZERO);
    assert_eq!(flow.heading(&map, Vec2::splat(1e30)), Vec2::ZERO);
    assert_eq!(flow.heading(&map, Vec2::splat(-1e30)), Vec2::ZERO);
}

/// A unit walks straight to a visible goal exactly if the line touches no wall, the goal is within
/// the radius, and no other goal is nearer by path. The same holds after edits and after loading
/// images.
#[test]
fn who_sees_the_goal_walks_straight() {
    let mut random = Random(4);
    let mut seen = 0;
    for _ in 0..ROUNDS {
        let mut map = Map::from_fn(1 + random.below(40), 1 + random.below(40), |_| random.below(100) < 12)
            .expect("small");
        let goals = goals(&mut random, &map);
        let radius = 1 + random.below(30) as i32;
        let mut flow = Flow::to(&goals).straight(radius as u16);
        for _ in 0..3 {
            flow.fill(&map);
            let mut image = Vec::new();
            flow.save_into(&mut image);
            let mut loaded = Flow::default();
            loaded.load(&map, &image).expect("its own image");
            for at in 0..map.cell_count() {
                let cell = map.cell_at(at);
                let sees = |goal: &Cell| {
                    (*goal - cell).length_squared() <= radius * radius
                        && map.sees(Rule::default(), cell, *goal)
                };
                let length = |goal: Cell| {
                    let (straight, diagonal) = Rule::default().steps(cell, goal);
                    Scale::FINE.sum(straight, diagonal)
                };
                let nearest =
                    goals.iter().copied().filter(sees).min_by_key(|goal| (*goal - cell).length_squared());
                let own = flow.distance(cell).map_or(0, |length| length.units);
                let expected = nearest.filter(|&goal| map.is_free(cell) && length(goal) <= own);
                assert_eq!(flow.goal_in_sight(cell), expected, "{cell}");
                assert_eq!(loaded.goal_in_sight(cell), expected);
                seen += usize::from(expected.is_some());
            }
            for _ in 0..5 {
                let cell = random.cell(&map);
                map.set_wall(cell, map.is_free(cell));
            }
        }
    }
    assert!(seen > 50 * ROUNDS, "{seen}");
    // On open land the heading is the straight line, not one of eight directions.
    let map = Map::new(50, 50).expect("small");
    let mut flow = Flow::to(&[Cell::new(40, 30)]).straight(60);
    flow.fill(&map);
    let way = (Vec2::new(40.5, 30.5) - Vec2::new(3.2, 4.7)).normalize();
    assert!((flow.heading(&map, Vec2::new(3.2, 4.7)) - way).length() < 1e-6);
}

/// Lengths end at the limit: cells beyond are not reached, and nothing overflows.
#[test]
fn lengths_end_at_the_limit() {
    let mut map = Map::new(20_000, 1).expect("a row");
    for x in 0..20_000 {
        map.set_cost([x, 0], 255);
    }
    let mut flow = Flow::to(&[Cell::ZERO]).scale(Scale { straight: 1_000, diagonal: 1_400 });
    flow.fill(&map);
    let last = crate::length::LIMIT / 255_000;
    assert_eq!(flow.distance([last as i32, 0]).map(|length| length.units), Some(last * 255_000));
    assert_eq!((flow.distance([last as i32 + 1, 0]), flow.is_known([last as i32 + 1, 0])), (None, true));
    // A wall and its removal next to the limit.
    map.set_wall([100, 0], true);
    flow.update(&map);
    assert_eq!(flow.distance([101, 0]), None);
    map.set_wall([100, 0], false);
    flow.update(&map);
    assert_eq!(flow.distance([last as i32, 0]).map(|length| length.units), Some(last * 255_000));
    assert_eq!(flow.distance([last as i32 + 1, 0]), None);
}

#[test]
fn strange_questions_have_answers() {
    let map = Map::new(8, 8).expect("small");
    let outside = [Cell::new(-1, 0), Cell::new(8, 8), Cell::new(i32::MAX, i32::MIN)];
    let mut flow = Flow::to(&outside);
    flow.fill(&map);
    assert_eq!((flow.distance([0, 0]), flow.is_known([0, 0]), flow.is_known([8, 0])), (None, true, false));
    flow.aim(&[Cell::ZERO]);
    flow.until(&map, &outside);
    assert_eq!(flow.distance(outside[0]), None);
    assert_eq!(flow.next(&map, [3, 3]), None);
    flow.until(&map, &[Cell::new(3, 3)]);
    assert_eq!(flow.next(&map, [3, 3]), Some(Cell::new(2, 2)));
    assert_eq!(flow.next(&map, [0, 0]), None);
    // Another map starts the field anew, and old answers do not mix with the new ones.
    let other = Map::new(5, 9).expect("small");
    assert_eq!(flow.next(&other, [3, 3]), None);
    flow.fill(&other);
    assert_eq!(flow.distance([0, 8]).map(|length| length.cells()), Some(8.0));
}

#[test]
fn damaged_images_are_refused() {
    let map = Map::new(20, 20).expect("small");
    let mut flow = Flow::to(&[Cell::new(3, 3), Cell::new(18, 2)]).rule(Rule::Four).scale(Scale::CLASSIC);
    flow.until(&map, &[Cell::new(12, 12)]);
    let (mut image, mut into) = (Vec::new(), Flow::default());
    flow.save_into(&mut image);
    refuses_damage(&image, |bytes| {
        let before = into.hash();
        let result = into.load(&map, bytes);
        assert!(result.is_ok() || into.hash() == before, "a refused image changes nothing");
        result
    });
    into.load(&map, &image).expect("its own image");
    assert_eq!(into.hash(), flow.hash());
}
