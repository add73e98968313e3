//! Golden scenes of carom-nav: what searches, fields, squads, scouts, battles, meshes and crowds
//! come to after so many ticks, the same on every machine.
//!
//! In: the name of a scene. Out: a script that plays it; each tick asks questions, changes the
//! land, and takes answers and hashes of all that lives on into one number. `tests/golden/nav.txt`
//! has those numbers; played by `tests/determinism/nav.rs` and `ci/golden`.

use carom::prelude::*;
use carom_nav::prelude::*;

use super::nav_bodies::{crowds, meshes};
use crate::random::Random;

/// After so many ticks a number is written down.
pub const FRAMES: [u32; 3] = [20, 100, 300];

/// Makes a scene.
pub type Build = fn() -> NavScene;

/// All scenes by name.
pub const SCENES: [(&str, Build); 10] = [
    ("ways", ways),
    ("tiers", tiers),
    ("requests", requests),
    ("scouts", scouts),
    ("fields", fields),
    ("tactics", tactics),
    ("squads", squads),
    ("battles", battles),
    ("meshes", meshes),
    ("crowds", crowds),
];

/// Numbers in the order in which they came, as one.
#[derive(Clone, Copy, Debug)]
pub struct Sum(u64);

impl Sum {
    pub(super) fn take(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn cell(&mut self, cell: Cell) {
        self.take(u64::from(cell.x as u32) << 32 | u64::from(cell.y as u32));
    }

    fn found(&mut self, found: Found) {
        self.take(match found {
            Found::Way { cost } => u64::from(cost.units) << 8 | 3,
            Found::None => 0,
            Found::TooFar => 1,
            Found::Bad(bad) => {
                let kinds = [Bad::Start, Bad::Goal, Bad::Size, Bad::Scale];
                let kind = kinds.iter().position(|kind| *kind == bad);
                (kind.unwrap_or(if bad == Bad::Layer { 5 } else { 4 }) as u64) << 8 | 2
            }
        });
    }

    fn path(&mut self, path: &Path) {
        path.turns().iter().for_each(|&cell| self.cell(cell));
    }
}

/// What is done in the tick of a number.
type Script = Box<dyn FnMut(&mut Sum, u32)>;

/// A script, and what it came to.
pub struct NavScene {
    script: Script,
    sum: Sum,
    frame: u32,
}

impl NavScene {
    pub(super) fn new(script: impl FnMut(&mut Sum, u32) + 'static) -> NavScene {
        NavScene { script: Box::new(script), sum: Sum(1), frame: 0 }
    }

    /// A scene by its name.
    #[must_use]
    pub fn named(name: &str) -> Option<NavScene> {
        SCENES.iter().find(|(known, _)| *known == name).map(|(_, build)| build())
    }

    /// Plays until tick `frame` is over, and says what it came to.
    pub fn hash_at(&mut self, frame: u32) -> u64 {
        while self.frame < frame {
            (self.script)(&mut self.sum, self.frame);
            self.frame += 1;
        }
        self.sum.0
    }
}

/// What is written down: scene, ticks, number.
pub fn golden() -> impl Iterator<Item = (&'static str, u32, u64)> {
    super::lines_of(include_str!("../../../tests/golden/nav.txt"))
}

/// Plays a scene and compares it with what is written down of it.
///
/// # Errors
/// The first number that is another; or that nothing is written down for so few ticks.
pub fn check(name: &str, ticks: u32) -> Result<(), String> {
    let mut scene = NavScene::named(name).ok_or("there is no such scene")?;
    let mut compared = 0;
    for (_, frame, golden) in golden().filter(|&(known, frame, _)| known == name && frame <= ticks) {
        let hash = scene.hash_at(frame);
        if hash != golden {
            return Err(format!("{name} after {frame} ticks: {hash:016x}, golden is {golden:016x}"));
        }
        compared += 1;
    }
    if compared == 0 { Err(format!("no golden number of {name} within {ticks} ticks")) } else { Ok(()) }
}

const RULES: [Rule; 5] = [
    Rule::Four,
    Rule::Eight(Corners::Never),
    Rule::Eight(Corners::OneFree),
    Rule::Eight(Corners::Always),
    Rule::Six,
];

pub(super) fn draw(random: &mut Random, below: usize) -> usize {
    (random.bits() % below as u64) as usize
}

fn any(random: &mut Random, map: &Map) -> Cell {
    map.cell_at(draw(random, map.cell_count()))
}

/// Land with walls, so many of a hundred.
fn land(random: &mut Random, width: usize, height: usize, walls: usize) -> Map {
    Map::from_fn(width, height, |_| draw(random, 100) < walls).expect("a map of that size")
}

/// A wall comes or goes somewhere; costs change too, if they may.
fn edit(random: &mut Random, map: &mut Map, costs: bool) {
    let cell = any(random, map);
    if costs && draw(random, 3) == 0 {
        map.set_cost(cell, 1 + draw(random, 6) as u8);
    } else {
        map.set_wall(cell, map.is_free(cell));
    }
}

/// Every method, rule and estimate, on land that changes.
fn ways() -> NavScene {
    const METHODS: [Method; 7] = [
        Method::Auto,
        Method::AStar,
        Method::Jump,
        Method::Dijkstra,
        Method::Greedy,
        Method::Breadth,
        Method::Depth,
    ];
    const GUESSES: [Heuristic; 5] =
        [Heuristic::Octile, Heuristic::Manhattan, Heuristic::Chebyshev, Heuristic::Euclid, Heuristic::Zero];
    let mut random = Random::new(101);
    let mut maps = [land(&mut random, 150, 90, 25), land(&mut random, 90, 150, 35)];
    maps.iter_mut().for_each(|map| {
        map.keep_size(2).expect("a size");
        map.keep_islands(Rule::Six);
    });
    let (mut search, mut path, mut corners) = (Search::default(), Path::default(), Vec::new());
    let mut image = Vec::new();
    NavScene::new(move |sum, tick| {
        let map = &mut maps[tick as usize % 2];
        edit(&mut random, map, tick % 4 >= 2);
        for k in 0..20 {
            let ask = Ask::new(any(&mut random, map), any(&mut random, map))
                .rule(RULES[draw(&mut random, 5)])
                .method(METHODS[k % 7])
                .heuristic(GUESSES[draw(&mut random, 5)])
                .size(1 + (k % 3 == 2) as u8)
                .turn((k == 19) as u8);
            sum.found(search.path(map, ask, &mut path));
            sum.take(search.expansions());
            sum.path(&path);
            map.taut(ask.rule, &path, &mut corners);
            corners.iter().for_each(|&cell| sum.cell(cell));
            sum.take(path.hash());
        }
        sum.take(map.hash());
        map.save_into(&mut image);
        *map = Map::load(&image).expect("it was saved");
    })
}

/// Two tiers, dead ends, the nearest cell that can be reached.
fn tiers() -> NavScene {
    let mut random = Random::new(102);
    let mut map = Map::from_fn(260, 200, |cell| {
        let (x, y) = (cell.x % 19, cell.y % 13);
        (x == 0 || y == 0) && draw(&mut random, 7) > 0
    })
    .expect("a map of that size");
    let (mut tier, mut search, mut path) = (Tier::default(), Search::default(), Path::default());
    let mut dead_ends = DeadEnds::new(&map);
    NavScene::new(move |sum, tick| {
        edit(&mut random, &mut map, tick > 60);
        let goal = any(&mut random, &map);
        for _ in 0..3 {
            let ask = Ask::new(any(&mut random, &map), goal);
            sum.found(tier.path(&map, &mut search, ask, &mut path));
            sum.take(tier.expansions());
            sum.path(&path);
            let near = map.nearest_reachable(ask.rule, ask.start, goal);
            near.iter().for_each(|&cell| sum.cell(cell));
        }
        let ask = Ask::new(any(&mut random, &map), goal);
        sum.found(dead_ends.path(&map, &mut search, ask, &mut path));
        sum.take(search.expansions());
    })
}

/// A queue of little budget, saved and loaded on the way.
fn requests() -> NavScene {
    let mut random = Random::new(103);
    let mut map = land(&mut random, 120, 100, 20);
    map.keep_size(3).expect("a size");
    let (mut queue, mut image) = (Queue::new(400), Vec::new());
    NavScene::new(move |sum, tick| {
        for _ in 0..3 {
            let goal = Cell::new(10 * draw(&mut random, 12) as i32, 50);
            let ask = Ask::new(any(&mut random, &map), goal).rule(RULES[draw(&mut random, 5)]);
            let ask = ask.size(1 + 2 * (draw(&mut random, 4) == 0) as u8);
            _ = queue.ask(ask.priority(draw(&mut random, 3) as i8));
        }
        sum.take(queue.work(&map));
        sum.take(queue.hash());
        while let Some((_, found, path)) = queue.take_next() {
            sum.found(found);
            sum.path(&path);
            queue.recycle(path);
        }
        if tick % 5 == 3 {
            queue.save_into(&mut image);
            queue.load(&map, &image).expect("it was saved");
        }
        edit(&mut random, &mut map, tick % 50 == 49);
    })
}

/// Scouts of two players on unknown land, with claims.
fn scouts() -> NavScene {
    let mut random = Random::new(104);
    let mut map = land(&mut random, 70, 60, 30);
    map.set_wall([35, 30], false);
    let mut players = [(); 2].map(|()| (Known::new(&map), Adaptive::new(Rule::default(), [35, 30])));
    let mut units: Vec<Cell> = (0..12).map(|_| any(&mut random, &map)).collect();
    let (mut claims, mut path) = (Claims::new(&map), Path::default());
    NavScene::new(move |sum, _| {
        for (id, unit) in units.iter_mut().enumerate() {
            let (known, adaptive) = &mut players[id % 2];
            known.see(&map, *unit, 6);
            let found = adaptive.path(known.land(), *unit, &mut path);
            sum.found(found);
            sum.take(adaptive.expansions());
            sum.take(u64::from(known.is_news_on(&path)));
            let mut next = path.cells().skip(1);
            let next = [next.next(), next.next()].into_iter().flatten();
            if claims.walk(id as u32, next, 2) > 0 {
                let step = path.cells().nth(1);
                *unit = step.filter(|&cell| map.is_free(cell)).unwrap_or(*unit);
            }
            if *unit == adaptive.goal() || !found.is_way() {
                *unit = any(&mut random, &map);
            }
        }
        claims.tick();
        sum.take(claims.hash());
        for (known, adaptive) in &mut players {
            known.forget_news();
            sum.take(known.hash());
            sum.take(adaptive.hash());
        }
        let cell = any(&mut random, &map);
        if cell != Cell::new(35, 30) {
            map.set_wall(cell, map.is_free(cell));
        }
    })
}

/// Flow fields that are repaired, with headings; influence that decays.
fn fields() -> NavScene {
    let mut random = Random::new(105);
    let mut map = land(&mut random, 110, 80, 12);
    let mut fields = [(); 5].map(|()| Flow::default());
    for (field, rule) in fields.iter_mut().zip(RULES) {
        let goals = [any(&mut random, &map), any(&mut random, &map), any(&mut random, &map)];
        *field = Flow::to(&goals).rule(rule).straight(25);
    }
    let (mut danger, tank) = (Influence::new(&map), Stamp::cone(9, 60));
    NavScene::new(move |sum, tick| {
        (0..4).for_each(|_| edit(&mut random, &mut map, tick % 100 > 70));
        let field = &mut fields[tick as usize % 5];
        field.until(&map, &[any(&mut random, &map), any(&mut random, &map)]);
        sum.take(field.hash());
        for _ in 0..20 {
            let place = Vec2::new(random.range(0.0, 110.0), random.range(0.0, 80.0));
            let heading = field.heading(&map, place);
            sum.take(u64::from(heading.x.to_bits()) << 32 | u64::from(heading.y.to_bits()));
        }
        danger.add(&tank, any(&mut random, &map));
        danger.decay(4);
        sum.take(danger.hash());
    })
}

/// Ranges, attacks, threats and sight; walls from a world of bodies.
fn tactics() -> NavScene {
    let mut random = Random::new(106);
    let mut world = World::default();
    for _ in 0..60 {
        let at = [random.range(0.0, 50.0), random.range(0.0, 40.0)];
        let shape = match draw(&mut random, 3) {
            0 => Shape::circle(random.range(0.3, 2.0)),
            1 => Shape::rect(random.range(0.4, 4.0), random.range(0.4, 3.0)),
            _ => Shape::capsule([-1.0, 0.0], [1.5, 0.7], random.range(0.1, 0.6)),
        };
        let body = BodyDef::fixed().at(at).angle(random.range(-3.0, 3.0)).shape(shape);
        world.add(body).expect("a shape of that size");
    }
    let tiling = Tiling { corner: WorldPoint::from([0.0, 0.0]), cell: 0.5, size: [100, 80] };
    let mut map = Map::raster(&world, &tiling, &QueryFilter::default()).expect("a map of that size");
    let (mut fov, mut cells, mut threats) = (Fov::default(), Vec::new(), Vec::new());
    NavScene::new(move |sum, tick| {
        edit(&mut random, &mut map, true);
        let enemies: Vec<Cell> = (0..8).map(|_| any(&mut random, &map)).collect();
        let allies: Vec<Cell> = (0..8).map(|_| any(&mut random, &map)).collect();
        let zones = [Zone::Ignored, Zone::Stops, Zone::Costs(2)][tick as usize % 3];
        let occupied = Occupied { enemies: &enemies, allies: &allies, zones, ..Occupied::default() };
        let mut reach = Reach::default().rule(RULES[tick as usize % 5]);
        reach.fill(&map, any(&mut random, &map), 12, &occupied);
        for &cell in reach.cells() {
            sum.cell(cell);
            sum.take(u64::from(reach.left(cell).unwrap_or(0)));
        }
        reach.attack(&map, 1..=3, if tick % 2 == 0 { Sight::Needed } else { Sight::Ignored }, &mut cells);
        cells.iter().for_each(|&cell| sum.cell(cell));
        let strikers: Vec<Striker> =
            enemies.iter().map(|&cell| Striker { cell, points: 5, range: 1..=2 }).collect();
        reach.threat(&map, &strikers, &Occupied::default(), Sight::Ignored, &mut threats);
        sum.take(threats.iter().enumerate().map(|(at, &count)| at as u64 * u64::from(count)).sum());
        fov.see(&map, any(&mut random, &map), 20, &mut cells);
        cells.iter().for_each(|&cell| sum.cell(cell));
        sum.take(map.print());
    })
}

/// Units that move by tiles, of squares and of hexes, saved and loaded on the way.
fn squads() -> NavScene {
    let mut random = Random::new(107);
    let mut map = land(&mut random, 48, 40, 20);
    let mut squads = [Rule::Four, Rule::Six].map(|rule| Squad::new(&map, rule).expect("no diagonals"));
    let mut goals = Vec::new();
    for squad in &mut squads {
        goals = (0..6).map(|_| squad.goal(any(&mut random, &map))).collect::<Vec<_>>();
        for _ in 0..300 {
            _ = squad.add(any(&mut random, &map), goals[draw(&mut random, 6)]);
        }
    }
    let mut image = Vec::new();
    NavScene::new(move |sum, tick| {
        edit(&mut random, &mut map, tick % 40 > 30);
        for squad in &mut squads {
            sum.take(squad.step(&map).expect("its map") as u64);
            sum.take(squad.hash());
            let (unit, _) = squad.units().nth(tick as usize % 50).expect("there are more");
            squad.aim(unit, goals[draw(&mut random, 6)]).expect("both are there");
            if tick % 10 == 5 {
                squad.save_into(&mut image);
                squad.load(&map, &image).expect("it was saved");
            }
        }
    })
}

/// Battles of all three laws, and minds.
fn battles() -> NavScene {
    let mut random = Random::new(108);
    let table = Machine::new('w')
        .on('w', 'n', 'c')
        .on('c', 'r', 'a')
        .on('a', 'o', 'c')
        .on('c', 'l', 'w')
        .others_stay()
        .check()
        .expect("no gaps");
    let (mut minds, mut image) = (vec![table.start(); 50], Vec::new());
    NavScene::new(move |sum, _| {
        let fire = [random.range(0.0, 0.1), random.range(0.0, 0.1)];
        let war = War {
            law: if draw(&mut random, 2) == 0 { Law::Aimed } else { Law::Area },
            fire,
            attrition: [random.range(0.0, 0.02), random.range(0.0, 0.02)],
            reinforcement: [random.range(0.0, 1.0), random.range(0.0, 0.5)],
            ..War::default()
        }
        .from(random.range(1.0, 200.0), random.range(1.0, 200.0));
        for time in [0.5, 7.0, 100.0] {
            if let Ok([x, y]) = war.at(time) {
                sum.take(x.to_bits());
                sum.take(y.to_bits());
            }
        }
        if let Ok(Some(end)) = war.end() {
            sum.take(end.time.to_bits());
            sum.take(end.left[0].to_bits() ^ end.left[1].to_bits());
        }
        for mind in &mut minds {
            let event = ['n', 'r', 'o', 'l'][draw(&mut random, 4)];
            let step = table.step(mind, event).expect("a mind of the table");
            sum.take(step.entered().map_or(0, u64::from));
        }
        table.save_into(&minds, &mut image);
        sum.take(image.iter().fold(0, |sum: u64, &byte| sum.wrapping_mul(31) + u64::from(byte)));
    })
}
