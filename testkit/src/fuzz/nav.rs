//! Bytes into carom-nav: texts of maps, changes of maps against a plain model, images.
//!
//! ```text
//!   parse   bytes -> a text              a map as the text says it, or an error
//!   edits   bytes -> changes, questions  every answer as counted on a list of cells
//!   images  bytes -> an image of each kind, as it stands or a valid one changed
//! ```

use carom_nav::prelude::*;
use carom_nav::restamp;

use super::input::Input;

/// A text as a map, in both formats, and as scenarios.
pub fn parse(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    if let Ok(map) = Map::parse(text) {
        let lines: Vec<&str> = text.trim_matches(['\r', '\n']).lines().collect();
        assert_eq!((map.width() as usize, map.height() as usize), (lines[0].len(), lines.len()));
        for (row, line) in lines.iter().rev().enumerate() {
            for (x, byte) in line.bytes().enumerate() {
                let cell = Cell::new(x as i32, row as i32);
                assert_eq!(map.is_free(cell), byte != b'#');
                assert_eq!(map.cost(cell), if byte.is_ascii_digit() { byte - b'0' } else { 1 });
            }
        }
        use_map(&map);
    }
    if let Ok(map) = Map::parse_moving_ai(text) {
        use_map(&map);
    }
    if let Ok(scenarios) = Scenario::parse(text) {
        assert!(scenarios.iter().all(|scenario| scenario.length.is_finite()));
    }
}

fn use_map(map: &Map) {
    let (mut search, mut path, mut image) = (Search::default(), Path::default(), Vec::new());
    let last = Cell::new(map.width() - 1, map.height() - 1);
    let found = search.path(map, Ask::new([0, 0], last), &mut path);
    assert!(!found.is_way() || map.connected([0, 0], last));
    map.save_into(&mut image);
    assert_eq!(Map::load(&image).map(|loaded| loaded.hash()), Ok(map.hash()));
}

/// A map as a list: whether a cell is free, and what it costs.
struct Model {
    width: i32,
    height: i32,
    cells: Vec<(bool, u8)>,
}

const RULES: [Rule; 5] = [
    Rule::Four,
    Rule::Eight(Corners::Never),
    Rule::Eight(Corners::OneFree),
    Rule::Eight(Corners::Always),
    Rule::Six,
];

impl Model {
    fn get(&self, cell: Cell) -> (bool, u8) {
        let is_in = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        if is_in { self.cells[(cell.y * self.width + cell.x) as usize] } else { (false, 1) }
    }

    /// Whether a unit stands at a cell, and what it costs.
    fn stands(&self, cell: Cell, size: i32) -> (bool, u8) {
        let covered = (0..size * size).map(|k| self.get(cell + Cell::new(k % size, k / size)));
        covered.fold((true, 1), |(free, cost), (its, dear)| (free && its, cost.max(dear)))
    }

    /// Lengths of ways to a cell by relaxing every step until none is shorter.
    fn lengths(&self, rule: Rule, scale: Scale, goal: Cell, size: i32) -> Vec<u32> {
        let at = |cell: Cell| (cell.y * self.width + cell.x) as usize;
        let mut lengths = vec![u32::MAX; self.cells.len()];
        if !self.stands(goal, size).0 {
            return lengths;
        }
        lengths[at(goal)] = 0;
        let mut work = vec![goal];
        while let Some(to) = work.pop() {
            let length = lengths[at(to)];
            for k in 0..9 {
                let from = to + Cell::new(k % 3 - 1, k / 3 - 1);
                let way = to - from;
                let beside = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
                let beside = beside.map(|cell| self.stands(cell, size).0);
                let diagonal = way.x != 0 && way.y != 0;
                let legal = match rule {
                    Rule::Four => !diagonal,
                    Rule::Six => way.x != way.y,
                    Rule::Eight(_) if !diagonal => true,
                    Rule::Eight(Corners::Never) => beside[0] && beside[1],
                    Rule::Eight(Corners::OneFree) => beside[0] || beside[1],
                    Rule::Eight(Corners::Always) => true,
                };
                if way == Cell::ZERO || !legal || !self.stands(from, size).0 {
                    continue;
                }
                let step = if diagonal && rule != Rule::Six { scale.diagonal } else { scale.straight };
                let next = length + u32::from(step) * u32::from(self.stands(to, size).1);
                if next < lengths[at(from)] {
                    lengths[at(from)] = next;
                    work.insert(0, from);
                }
            }
        }
        lengths
    }
}

/// Changes of a map, and questions in between.
pub fn edits(data: &[u8]) {
    let mut input = Input::new(data);
    let (width, height) = (1 + input.below(24) as i32, 1 + input.below(20) as i32);
    let density = input.below(60);
    let mut model = Model { width, height, cells: vec![(true, 1); (width * height) as usize] };
    let mut bits = u64::from(input.word()) | 1;
    for cell in &mut model.cells {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        cell.0 = (bits >> 33) as usize % 100 >= density;
    }
    let map = Map::from_fn(width as usize, height as usize, |cell| !model.get(cell).0);
    let mut map = map.expect("a size that is allowed");
    let (mut search, mut path, mut image) = (Search::default(), Path::default(), Vec::new());
    let (mut flow, mut tier, mut dead_ends) = (Flow::default(), Tier::default(), DeadEnds::new(&map));
    let mut adaptive = Adaptive::new(Rule::default(), [0, 0]);
    for _ in 0..60 {
        if input.is_over() {
            break;
        }
        let any = |input: &mut Input| {
            // One beyond each side too.
            Cell::new(input.below(width as usize + 2) as i32 - 1, input.below(height as usize + 2) as i32 - 1)
        };
        match input.below(8) {
            0..3 => {
                let (cell, wall) = (any(&mut input), input.once_in(2));
                let changed = map.set_wall(cell, wall);
                assert_eq!(changed, map.contains(cell) && model.get(cell).0 == wall);
                if map.contains(cell) {
                    model.cells[(cell.y * width + cell.x) as usize].0 = !wall;
                }
            }
            3 => {
                let (cell, cost) = (any(&mut input), input.below(6) as u8);
                let changed = map.set_cost(cell, cost);
                assert_eq!(changed, cost > 0 && map.contains(cell) && model.get(cell).1 != cost);
                if changed {
                    model.cells[(cell.y * width + cell.x) as usize].1 = cost;
                }
            }
            4 => {
                map.keep_size(1 + input.below(4) as u8).expect("1 to 16");
                map.keep_islands(RULES[input.below(5)]);
            }
            5 => {
                map.save_into(&mut image);
                let loaded = Map::load(&image).expect("it was saved");
                assert_eq!((loaded.hash(), loaded.print()), (map.hash(), map.print()));
                map = loaded;
            }
            _ => {
                let (start, goal, rule) = (any(&mut input), any(&mut input), RULES[input.below(5)]);
                let size = 1 + input.below(3) as u8;
                let Some(view) = map.view(size) else { continue };
                let scale = if view.is_uniform() { Scale::FINE } else { Scale::COARSE };
                let lengths = if map.contains(goal) {
                    model.lengths(rule, scale, goal, i32::from(size))
                } else {
                    vec![u32::MAX; model.cells.len()]
                };
                let right = map.index(start).map(|at| lengths[at]).filter(|&length| length < u32::MAX);
                let units = |found: Found| match found {
                    Found::Way { cost } => Some(cost.units),
                    _ => None,
                };
                let ask = Ask::new(start, goal).rule(rule).size(size);
                assert_eq!(units(search.path(&map, ask, &mut path)), right, "{ask:?}");
                assert!(path.is_empty() == right.is_none() && !path.is_stale(&map));
                assert_eq!(units(search.path(&map, ask.method(Method::AStar), &mut path)), right, "{ask:?}");
                if let Some(connected) = view.connected_by(rule, start, goal) {
                    assert_eq!(connected, right.is_some());
                }
                if !matches!(rule, Rule::Six | Rule::Eight(Corners::Always)) {
                    let found = tier.path(&map, &mut search, ask, &mut path);
                    assert!(units(found).is_some() == right.is_some() && units(found) >= right);
                }
                if size > 1 {
                    continue;
                }
                if matches!(rule, Rule::Four | Rule::Eight(Corners::Never)) {
                    assert_eq!(units(dead_ends.path(&map, &mut search, ask, &mut path)), right);
                }
                if rule == Rule::default() {
                    adaptive.set_goal(goal);
                    assert_eq!(units(adaptive.path(&map, start, &mut path)), right);
                    flow.aim(&[goal]);
                    flow.until(&map, &[start]);
                    assert_eq!(flow.distance(start).map(|length| length.units), right);
                }
            }
        }
    }
    for index in 0..map.cell_count() {
        let cell = map.cell_at(index);
        assert_eq!((map.is_free(cell), map.cost(cell)), model.get(cell));
        for size in 2..5 {
            if let Some(view) = map.view(size) {
                assert_eq!(view.is_free(cell), model.stands(cell, i32::from(size)).0);
            }
        }
    }
}

/// An image of each kind, as it stands behind its header, or a valid one with changes.
pub fn images(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, raw) = (input.below(9), input.once_in(3));
    let mut map = Map::from_fn(21, 18, |cell| (cell.x * 7 + cell.y * 13) % 11 == 0).expect("a small map");
    map.keep_size(2).expect("1 to 16");
    map.set_cost([3, 3], 4);
    let (mut search, mut path, mut image) = (Search::default(), Path::default(), Vec::new());
    let (start, goal) = (Cell::new(1, 1), Cell::new(18, 15));
    let mut known = Known::new(&map);
    known.see(&map, start, 5);
    let mut claims = Claims::new(&map);
    claims.walk(3, [start, Cell::new(2, 2)], 5);
    let mut adaptive = Adaptive::new(Rule::default(), goal);
    let mut queue = Queue::new(30);
    let mut flow = Flow::to(&[goal]).straight(5);
    let mut danger = Influence::new(&map);
    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    match kind {
        0 => map.save_into(&mut image),
        1 => known.save_into(&mut image),
        2 => claims.save_into(&mut image),
        3 => {
            _ = adaptive.path(&map, start, &mut path);
            adaptive.save_into(&mut image);
        }
        4 => {
            (0..4).for_each(|k| _ = queue.ask(Ask::new([1, 1 + k % 2], goal).size(1 + (k / 2) as u8)));
            queue.work(&map);
            queue.save_into(&mut image);
        }
        5 => {
            _ = search.path(&map, Ask::new(start, goal), &mut path);
            path.save_into(&mut image);
        }
        6 => {
            flow.until(&map, &[Cell::new(10, 10)]);
            flow.save_into(&mut image);
        }
        7 => {
            danger.add(&Stamp::cone(3, 9), goal);
            danger.save_into(&mut image);
        }
        _ => {
            let id = squad.goal(goal);
            (0..8).for_each(|x| _ = squad.add([2 * x, 5], id));
            _ = squad.step(&map);
            squad.save_into(&mut image);
        }
    }
    if raw {
        image.truncate(24);
        while !input.is_over() {
            image.extend(input.word().to_le_bytes());
        }
    } else {
        for _ in 0..8 {
            if input.is_over() {
                break;
            }
            let words = image.len() / 4;
            let at = 4 * ((6 + input.word() as usize % words) % words);
            let new =
                if input.once_in(2) { input.pick(&[0, 1, u32::MAX, 1 << 31, 1 << 16]) } else { input.word() };
            image[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
    }
    restamp(&mut image);
    let ask = Ask::new(start, goal);
    match kind {
        0 => {
            if let Ok(map) = Map::load(&image) {
                use_map(&map);
            }
        }
        1 => {
            let before = known.hash();
            if known.load(&image).is_err() {
                assert_eq!(known.hash(), before);
            }
            _ = search.path(known.land(), ask, &mut path);
            known.see(&map, goal, 6);
            _ = known.is_news_on(&path);
        }
        2 => {
            _ = claims.load(&image);
            claims.tick();
            _ = search.path_over(&map, ask, &claims.near(1, start, 9, 3), &mut path);
        }
        3 => {
            _ = adaptive.load(&map, &image);
            map.set_wall([9, 9], true);
            _ = adaptive.path(&map, start, &mut path);
        }
        4 => {
            if queue.load(&map, &image).is_ok() {
                _ = queue.ask(ask);
                queue.set_budget(1_000);
                (0..20).for_each(|_| _ = queue.work(&map));
                _ = queue.take_next();
            }
        }
        5 => {
            _ = path.load(&image);
            _ = (path.is_stale(&map), path.cells().count());
        }
        6 => {
            _ = flow.load(&map, &image);
            map.set_wall([9, 9], true);
            flow.fill(&map);
            _ = flow.next(&map, start);
        }
        7 => {
            _ = danger.load(&image);
            danger.decay(3);
        }
        _ => {
            _ = squad.load(&map, &image);
            (0..3).for_each(|_| _ = squad.step(&map));
        }
    }
}
