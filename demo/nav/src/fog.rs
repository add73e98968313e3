//! Two scouts in unknown land: they share what they see, and look for a new way only when news lie
//! on the old one.

use carom::Error;
use carom::prelude::*;
use carom_nav::prelude::*;
use core::fmt::Write as _;
use demo_shell::geometry::Fnv;
use demo_shell::{Commands, Info, Ink, Input, PLAIN, Place, Play, Scene};

use crate::board::{glide, line, middle, piece, runs, strip};
use demo_shell::people::from_above;

pub(crate) static SCENE: Info = Info {
    name: "fog",
    title: "Fog",
    hint: "What nobody has seen counts as free. Two scouts share what they see, and search anew only when a wall turns \
           up on their way, with what earlier searches taught them. The naive way searches at every step. When the \
           land is known they move on to another.",
    counted: "how far they see",
    count: [2, 5, 12],
    view: [vec2(-0.5, -0.5), vec2(WIDTH as f32 + 0.5, HEIGHT as f32 + 0.5)],
    naive: "search at every step",
    plain: true,
    build,
    ..PLAIN
};

const WIDTH: usize = 56;
const HEIGHT: usize = 30;
/// Walls of a map, each a line of cells.
const WALLS: u64 = 105;
/// Cells a second.
const SPEED: f32 = 8.0;
/// Ways that each goes before the land is another.
const LEGS: usize = 4;
const CORNERS: [[i32; 2]; 4] = [[2, 2], [53, 27], [2, 27], [53, 2]];

struct Scout {
    cell: Cell,
    body: BodyId,
    /// The number of its goal, and how many it came to.
    goal: usize,
    legs: usize,
    plans: Adaptive,
    path: Path,
    /// What is ahead.
    way: Vec<Cell>,
    has_way: bool,
}

struct Fog {
    map: Map,
    known: Known,
    scouts: Vec<Scout>,
    search: Search,
    sight: i32,
    seed: u64,
    steps: u64,
    searches: u64,
    expansions: u64,
    naive: bool,
}

/// A number from others, as in SplitMix64 (Steele, Lea, Flood 2014).
fn scatter(word: u64) -> u64 {
    let word = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

/// Land with lines of walls; the first after a seed whose corners are connected.
fn land(mut seed: u64) -> Result<Map, Error> {
    let refused = |_| Error::BadNumber("a map has cells");
    loop {
        let mut map = Map::new(WIDTH, HEIGHT).map_err(refused)?;
        for wall in 0..WALLS {
            let draw = scatter(seed << 16 | wall);
            let at = Cell::new((draw % WIDTH as u64) as i32, (draw >> 16) as i32 % HEIGHT as i32);
            let along = if draw >> 48 & 1 == 0 { Cell::X } else { Cell::Y };
            let length = 2 + (draw >> 50) as i32 % 7;
            for k in 0..length {
                let cell = at + along * k;
                let is_corner =
                    CORNERS.iter().any(|&corner| (cell - Cell::from(corner)).abs().max_element() < 2);
                if !is_corner {
                    map.set_wall(cell, true);
                }
            }
        }
        map.keep_islands(Rule::default());
        if CORNERS.iter().all(|&corner| map.connected(CORNERS[0], corner)) {
            return Ok(map);
        }
        seed = scatter(seed);
    }
}

fn build(sight: u32) -> Result<Scene, Error> {
    let mut world = from_above();
    let map = land(1)?;
    let known = Known::new(&map);
    let mut scouts = Vec::new();
    for (k, color) in [(0, 4), (2, 0)] {
        let cell = Cell::from(CORNERS[k]);
        scouts.push(Scout {
            cell,
            body: piece(&mut world, cell, color)?,
            goal: k + 1,
            legs: 0,
            plans: Adaptive::new(Rule::default(), CORNERS[k + 1]),
            path: Path::default(),
            way: Vec::new(),
            has_way: false,
        });
    }
    let fog = Fog {
        map,
        known,
        scouts,
        search: Search::default(),
        sight: sight as i32,
        seed: 1,
        steps: 0,
        searches: 0,
        expansions: 0,
        naive: false,
    };
    Ok(Scene::new(world, fog))
}

impl Fog {
    /// A scout looks around, and searches if it must.
    fn look(&mut self, number: usize) {
        let scout = &mut self.scouts[number];
        self.known.see(&self.map, scout.cell, self.sight);
        let is_news = !scout.has_way || self.known.is_news_on(&scout.path);
        if !(self.naive || is_news) {
            return;
        }
        self.searches += 1;
        if self.naive {
            let ask = Ask::new(scout.cell, CORNERS[scout.goal]).method(Method::AStar);
            let found = self.search.path(self.known.land(), ask, &mut scout.path);
            scout.has_way = found.is_way();
            self.expansions += self.search.expansions();
        } else {
            scout.has_way = scout.plans.path(self.known.land(), scout.cell, &mut scout.path).is_way();
            self.expansions += scout.plans.expansions();
        }
        scout.way.clear();
        scout.way.extend(scout.path.cells().skip(1));
    }

    fn arrive(&mut self, number: usize) {
        let scout = &mut self.scouts[number];
        scout.legs += 1;
        scout.goal = (scout.goal + if number == 0 { 1 } else { 3 }) % CORNERS.len();
        scout.plans.set_goal(CORNERS[scout.goal]);
        scout.has_way = false;
    }

    /// Other land, of which nothing is known.
    fn move_on(&mut self) -> Result<(), Error> {
        self.seed = scatter(self.seed);
        self.map = land(self.seed)?;
        self.known = Known::new(&self.map);
        for scout in &mut self.scouts {
            (scout.legs, scout.has_way) = (0, false);
            scout.plans = Adaptive::new(Rule::default(), CORNERS[scout.goal]);
        }
        Ok(())
    }
}

impl Play for Fog {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        for number in 0..self.scouts.len() {
            let Scout { cell, body, goal, legs, .. } = self.scouts[number];
            if !glide(world, body, middle(cell), SPEED)? || legs >= LEGS {
                continue;
            }
            if cell == Cell::from(CORNERS[goal]) {
                self.arrive(number);
            }
            self.look(number);
            let scout = &mut self.scouts[number];
            if let Some(next) = (!scout.way.is_empty()).then(|| scout.way.remove(0)) {
                scout.cell = next;
                self.steps += 1;
            }
        }
        if self.scouts.iter().all(|scout| scout.legs >= LEGS) {
            self.move_on()?;
        }
        world.step(1.0 / SCENE.hertz).map(drop)
    }

    fn takes_presses(&self) -> bool {
        true
    }

    fn set_naive(&mut self, _places: &mut [Place], on: bool) {
        self.naive = on;
        (self.steps, self.searches, self.expansions) = (0, 0, 0);
        self.scouts.iter_mut().for_each(|scout| scout.has_way = false);
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        let (map, known) = (&self.map, &self.known);
        runs(map, |cell| !known.is_seen(cell), |cell, count| strip(out, Ink::Soft.faint(0.9), cell, count));
        let is_wall = |cell: Cell| known.is_seen(cell) && !map.is_free(cell);
        runs(map, is_wall, |cell, count| strip(out, Ink::Plain, cell, count));
        for (number, scout) in self.scouts.iter().enumerate() {
            let ink = if number == 0 { Ink::Blue } else { Ink::Red };
            let mut way = vec![scout.cell];
            way.extend(&scout.way);
            line(out, ink, &way);
            out.put_circle(ink, false, (middle(Cell::from(CORNERS[scout.goal])), 0.6), Vec2::ZERO);
            out.put_circle(ink.faint(0.4), false, (middle(scout.cell), self.sight as f32), Vec2::ZERO);
        }
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let seen = (0..self.map.cell_count()).filter(|&at| self.known.is_seen(self.map.cell_at(at))).count();
        let _ = writeln!(out, "land that is known\t{} %", 100 * seen / self.map.cell_count());
        let _ = writeln!(out, "steps walked\t{}", self.steps);
        let _ = writeln!(out, "searches\t{}", self.searches);
        let each = self.expansions as f32 / self.steps.max(1) as f32;
        let _ = writeln!(out, "cells looked at, a step\t{each:.1}");
    }

    fn hash(&self, _places: &[Place]) -> u64 {
        let mut hash = Fnv(self.known.hash());
        for scout in &self.scouts {
            hash.add(u64::from(scout.cell.x as u32) << 32 | u64::from(scout.cell.y as u32));
        }
        [self.steps, self.searches, self.expansions].iter().for_each(|&count| hash.add(count));
        hash.0
    }
}
