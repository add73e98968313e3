use std::collections::BTreeMap;

use super::*;
use crate::field::{Occupied, Passing, Reach, Sight, Striker, Zone, sees};
use crate::length::Scale;

const ROUNDS: usize = if cfg!(debug_assertions) { 3_000 } else { 100_000 };

/// R1: open land of cost 1 gives a diamond, a square, a hexagon, of exactly as many cells.
#[test]
fn open_land_gives_a_diamond_a_square_a_hexagon() {
    let map = Map::new(40, 40).expect("small");
    for r in 0..15_usize {
        for (rule, count) in [
            (Rule::Four, 2 * r * r + 2 * r + 1),
            (Rule::default(), (2 * r + 1) * (2 * r + 1)),
            (Rule::Six, 3 * r * (r + 1) + 1),
        ] {
            let mut reach = Reach::default().rule(rule);
            reach.fill(&map, [20, 20], r as u32, &Occupied::default());
            assert_eq!((reach.cells().len(), reach.stops().count()), (count, count), "{rule:?} {r}");
            // From the middle cell alone, an attack at a distance covers the border of the next
            // larger shape.
            reach.fill(&map, [20, 20], 0, &Occupied::default());
            let mut targets = Vec::new();
            reach.attack(&map, 0..=r as u32, Sight::Ignored, &mut targets);
            assert_eq!(targets.len(), count);
        }
    }
}

/// R3: the corner behind the dear cell is reached by the path around it, with more points left than
/// over it.
#[test]
fn the_way_around_is_found_though_the_dear_one_is_seen_first() {
    let mut map = Map::new(3, 2).expect("small");
    map.set_cost([1, 0], 3);
    let mut reach = Reach::default().rule(Rule::Four);
    reach.fill(&map, [0, 0], 4, &Occupied::default());
    assert_eq!((reach.left([2, 1]), reach.left([2, 0]), reach.left([1, 0])), (Some(1), Some(0), Some(1)));
    let mut way = Vec::new();
    assert!(reach.way([2, 1], &mut way));
    assert_eq!(way, [[0, 0], [0, 1], [1, 1], [2, 1]].map(Cell::from));
}

/// R2: no points, a wall, the border of the map, an enemy, an ally: each ends a path.
#[test]
fn each_reason_to_stay_out_counts() {
    let map = Map::parse("...#\n....\n").expect("a map");
    let mut reach = Reach::default().rule(Rule::Four);
    let no_units = Occupied::default();
    reach.fill(&map, [0, 0], 2, &no_units);
    assert_eq!((reach.left([2, 0]), reach.left([3, 0]), reach.left([-1, 0])), (Some(0), None, None));
    reach.fill(&map, [0, 0], 9, &no_units);
    assert_eq!((reach.left([3, 0]), reach.left([3, 1])), (Some(6), None));
    let at = [Cell::new(1, 0)];
    reach.fill(&map, [0, 0], 9, &Occupied { enemies: &at, ..no_units });
    assert_eq!((reach.left([1, 0]), reach.left([2, 0])), (None, Some(5)));
    reach.fill(&map, [0, 0], 9, &Occupied { allies: &at, ..no_units });
    assert_eq!((reach.left([1, 0]), reach.can_stop([1, 0]), reach.left([2, 0])), (Some(8), false, Some(7)));
    reach.fill(&map, [0, 0], 9, &Occupied { allies: &at, ally: Passing::Free, ..no_units });
    assert!(reach.can_stop([1, 0]));
    for from in [Cell::new(3, 1), Cell::new(9, 9), Cell::new(-1, 0)] {
        reach.fill(&map, from, 9, &no_units);
        assert!(reach.cells().is_empty() && !reach.can_stop(from));
    }
    reach.fill(&map, [0, 0], u32::MAX, &Occupied { enemies: &at, zones: Zone::Costs(u16::MAX), ..no_units });
    assert_eq!(reach.cells().len(), 6);
}

struct Walk<'w> {
    map: &'w Map,
    rule: Rule,
    scale: Scale,
    occupied: Occupied<'w>,
    best: BTreeMap<(i32, i32), u32>,
}

impl Walk<'_> {
    /// Every walk that visits no cell twice, with the points left at its end.
    fn all(&mut self, way: &mut Vec<Cell>, left: u32) {
        let at = way[way.len() - 1];
        let best = self.best.entry((at.x, at.y)).or_insert(left);
        *best = (*best).max(left);
        let Occupied { enemies, allies, enemy, ally, zones } = self.occupied;
        for (to, diagonal) in steps(self.map, self.rule, at) {
            let blocked = enemies.contains(&to) && enemy == Passing::Block
                || allies.contains(&to) && ally == Passing::Block;
            let zone = enemies
                .iter()
                .any(|&enemy| steps(self.map, self.rule, enemy).iter().any(|step| step.0 == to));
            let step = u32::from(if diagonal { self.scale.diagonal } else { self.scale.straight });
            let extra = if let (Zone::Costs(extra), true) = (zones, zone) { u32::from(extra) } else { 0 };
            let cost = step * u32::from(self.map.cost(to)) + extra;
            if blocked || way.contains(&to) || left == 0 || cost > left {
                continue;
            }
            way.push(to);
            self.all(way, if zones == Zone::Stops && zone { 0 } else { left - cost });
            way.pop();
        }
    }
}

/// R3, R5: on small maps, with every rule on, the result equals that of all possible walks; and
/// each path back is legal, and spends the stated points.
#[test]
fn it_is_what_every_walk_says() {
    let mut random = Random(11);
    for round in 0..ROUNDS {
        let map = random.map(4);
        let rule = RULES[random.below(5)];
        let scale = [Scale::STEPS, Scale::STEPS, Scale::CLASSIC][random.below(3)];
        let points = if scale == Scale::STEPS { random.below(8) } else { random.below(60) } as u32;
        let (enemies, allies): (Vec<_>, Vec<_>) = (
            (0..random.below(3)).map(|_| random.cell(&map)).collect(),
            (0..random.below(3)).map(|_| random.cell(&map)).collect(),
        );
        let passing = [Passing::Block, Passing::PassOnly, Passing::Free];
        let zones = [Zone::Ignored, Zone::Stops, Zone::Costs(1), Zone::Costs(3)][random.below(4)];
        let occupied = Occupied {
            enemies: &enemies,
            allies: &allies,
            enemy: passing[random.below(3)],
            ally: passing[random.below(3)],
            zones,
        };
        let from = random.cell(&map);
        let mut reach = Reach::default().rule(rule).scale(scale);
        // The result of an earlier call must not show.
        reach.fill(
            &map,
            random.cell(&map),
            5,
            &Occupied { enemies: &[from], zones: Zone::Stops, ..Occupied::default() },
        );
        reach.fill(&map, from, points, &occupied);
        let mut walk = Walk { map: &map, rule, scale, occupied, best: BTreeMap::new() };
        if map.is_free(from) {
            walk.all(&mut vec![from], points);
        }
        let ours: BTreeMap<_, _> = reach
            .cells()
            .iter()
            .map(|cell| ((cell.x, cell.y), reach.left(*cell).expect("it is reached")))
            .collect();
        assert_eq!(ours, walk.best, "round {round}: {rule:?} {occupied:?} {points}");
        assert_eq!(ours.len(), reach.cells().len(), "each cell once");
        let spent: Vec<_> = reach.cells().iter().map(|cell| points - ours[&(cell.x, cell.y)]).collect();
        assert!(spent.is_sorted() || scale != Scale::STEPS);
        let mut way = Vec::new();
        for &cell in reach.cells() {
            let taken = |list: &[Cell], passing| list.contains(&cell) && passing != Passing::Free;
            let stop = cell == from || !taken(&enemies, occupied.enemy) && !taken(&allies, occupied.ally);
            assert_eq!(reach.can_stop(cell), stop);
            assert!(reach.way(cell, &mut way) && way[0] == from && way[way.len() - 1] == cell);
            // R6: following the path leaves the stated points.
            for leg in way.windows(2) {
                let step = steps(&map, rule, leg[0]).into_iter().find(|step| step.0 == leg[1]);
                let (to, diagonal) = step.expect("a legal step");
                let units = u32::from(if diagonal { scale.diagonal } else { scale.straight });
                let cost = units * u32::from(map.cost(to));
                let (before, after) = (ours[&(leg[0].x, leg[0].y)], ours[&(leg[1].x, leg[1].y)]);
                assert!(before >= after + cost || zones == Zone::Stops && after == 0 && before >= cost);
            }
        }
    }
}

/// On larger maps: the reached cells are those with a length within the points, found by another
/// search (`Flow` backwards from the start, with the cost of the start in place of the cell's).
#[test]
fn it_is_what_lengths_say() {
    let mut random = Random(12);
    for round in 0..ROUNDS / 50 {
        let map = random.map(40);
        let Some(from) = random.free(&map) else { continue };
        let rule = RULES[round % 5];
        let points = random.below(30) as u32;
        let mut reach = Reach::default().rule(rule);
        reach.fill(&map, from, points, &Occupied::default());
        let mut flow = crate::field::Flow::to(&[from]).rule(rule).scale(Scale::STEPS);
        flow.fill(&map);
        for at in 0..map.cell_count() {
            let cell = map.cell_at(at);
            let length = flow.distance(cell).map(|length| length.units);
            // Paths there and back cross the same cells, except for their ends.
            let forth = length.map(|length| length + u32::from(map.cost(cell)) - u32::from(map.cost(from)));
            let forth = if cell == from { Some(0) } else { forth };
            assert_eq!(reach.left(cell), forth.filter(|spent| *spent <= points).map(|spent| points - spent));
        }
    }
}

/// Attacks computed by words of bits equal attacks tested cell by cell: some stop lies within the
/// distances, and in sight if that is needed.
#[test]
fn attacks_and_threats_are_what_distances_say() {
    let mut random = Random(13);
    for _ in 0..ROUNDS / 50 {
        let map = random.map(70);
        let rule = RULES[random.below(5)];
        let mut reach = Reach::default().rule(rule);
        let mut counts = vec![0; map.cell_count()];
        let mut strikers = Vec::new();
        let sight = [Sight::Ignored, Sight::Needed][random.below(2)];
        let mut targets = Vec::new();
        for _ in 0..2 {
            let (from, points) = (random.cell(&map), random.below(4) as u32);
            let near = random.below(4) as u32;
            let range = near..=near + random.below(4) as u32;
            reach.fill(&map, from, points, &Occupied::default());
            reach.attack(&map, range.clone(), sight, &mut targets);
            let hit = |target: Cell| {
                map.is_free(target)
                    && reach.stops().any(|stop| {
                        let (straight, diagonal) = rule.steps(stop, target);
                        range.contains(&(straight + diagonal))
                            && (sight == Sight::Ignored || sees(&map, stop, target))
                    })
            };
            let expected: Vec<Cell> =
                (0..map.cell_count()).map(|at| map.cell_at(at)).filter(|cell| hit(*cell)).collect();
            assert_eq!(targets, expected, "{rule:?} {range:?} {sight:?}");
            targets.iter().for_each(|target| counts[map.at(*target)] += 1);
            strikers.push(Striker { cell: from, points, range });
        }
        let mut threat = Vec::new();
        reach.threat(&map, &strikers, &Occupied::default(), sight, &mut threat);
        assert_eq!(threat, counts);
    }
    let map = Map::new(5, 5).expect("small");
    let mut targets = vec![Cell::ZERO];
    Reach::default().attack(&map, 1..=2, Sight::Ignored, &mut targets);
    assert!(targets.is_empty());
    let mut reach = Reach::default();
    reach.fill(&map, [2, 2], 1, &Occupied::default());
    reach.attack(&map, 0..=u32::MAX, Sight::Needed, &mut targets);
    assert_eq!(targets.len(), 25);
    #[expect(clippy::reversed_empty_ranges)]
    reach.attack(&map, 5..=2, Sight::Ignored, &mut targets);
    assert!(targets.is_empty());
}
