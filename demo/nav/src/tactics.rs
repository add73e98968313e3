//! Turns of a tactics game: where a unit can go among enemies, what it can strike, and where
//! enemies can.

use carom::Error;
use carom::prelude::*;
use carom_nav::field::{Occupied, Reach, Sight, Striker, Zone};
use carom_nav::prelude::*;
use core::fmt::Write as _;
use demo_shell::geometry::Fnv;
use demo_shell::{Commands, Info, Ink, Input, PLAIN, Place, Play, Scene};

use crate::board::{cell_of, glide, line, middle, piece, runs, tile};
use demo_shell::people::{from_above, walls};

pub(crate) static SCENE: Info = Info {
    name: "tactics",
    title: "Tactics",
    hint: "Blue: where the ringed unit can go, with the points that are left there; orange: where enemies can strike \
           next turn. Point at a cell to see the way, press to go; press a unit to take it. Left alone, they play. \
           The naive rules know no zones of control.",
    counted: "points a turn",
    count: [3, 7, 12],
    view: [vec2(-0.5, -0.5), vec2(24.5, 16.5)],
    naive: "no zones of control",
    plain: true,
    build,
    ..PLAIN
};

/// Walls `#`, swamp `~` at 2 points, hills `^` at 3; ours `a`, theirs `e`, the flag `f`.
const LEVEL: &str = "\
########################
#..........~~........e.#
#...##.....~~~....##...#
#...##......~~....##...#
#..........~~......e..f#
#.....^^^.......###....#
#.a..^^^^^......#......#
#.....^^^.......#..e...#
#.a.........~...#......#
#..###..........#......#
#.a..#..........#.e....#
#....#...##............#
#....#...##....~~......#
#.............~~~~.....#
#..............~~....e.#
########################";

/// Points of an enemy, and how far it strikes after going.
const THEIRS: u32 = 4;
/// Of pieces, in cells a second.
const SPEED: f32 = 9.0;
/// Steps of rest before units play by themselves, and after somebody pressed.
const PAUSE: u32 = 50;
const PATIENCE: u32 = 480;

struct Piece {
    cell: Cell,
    body: BodyId,
    /// Cells that it still goes through.
    way: Vec<Cell>,
}

struct Battle {
    map: Map,
    flag: Cell,
    ours: Vec<Piece>,
    theirs: Vec<Piece>,
    points: u32,
    /// The unit whose turn it is.
    turn: usize,
    reach: Reach,
    targets: Vec<Cell>,
    threat: Vec<u16>,
    /// Where the pointer is, and the way there.
    over: Option<Cell>,
    way: Vec<Cell>,
    /// Steps until the units play by themselves.
    rest: u32,
    turns: usize,
    struck: usize,
    arrived: usize,
    zones: Zone,
}

fn build(points: u32) -> Result<Scene, Error> {
    let lines: Vec<&[u8]> = LEVEL.lines().map(str::as_bytes).collect();
    let (width, height) = (lines[0].len(), lines.len());
    // The first line is the upper one.
    let sign = |cell: Cell| lines[height - 1 - cell.y as usize][cell.x as usize];
    let map = Map::from_fn(width, height, |cell| sign(cell) == b'#');
    let mut map = map.map_err(|_| Error::BadNumber("a map has cells"))?;
    let mut world = from_above();
    let (mut ours, mut theirs, mut flag) = (Vec::new(), Vec::new(), Cell::ZERO);
    for at in 0..map.cell_count() {
        let cell = map.cell_at(at);
        match sign(cell) {
            b'~' => drop(map.set_cost(cell, 2)),
            b'^' => drop(map.set_cost(cell, 3)),
            b'a' => ours.push(Piece { cell, body: piece(&mut world, cell, 4)?, way: Vec::new() }),
            b'e' => theirs.push(Piece { cell, body: piece(&mut world, cell, 0)?, way: Vec::new() }),
            b'f' => flag = cell,
            _ => {}
        }
    }
    let mut boxes = Vec::new();
    runs(
        &map,
        |cell| !map.is_free(cell),
        |cell, count| {
            let size = vec2(count as f32, 1.0);
            boxes.push(((cell.as_vec2() + 0.5 * size).to_array(), size.to_array()));
        },
    );
    walls(&mut world, &boxes)?;
    let reach = Reach::default().rule(Rule::Four);
    let mut battle = Battle {
        map,
        flag,
        ours,
        theirs,
        points,
        turn: 0,
        reach,
        targets: Vec::new(),
        threat: Vec::new(),
        over: None,
        way: Vec::new(),
        rest: PAUSE,
        turns: 0,
        struck: 0,
        arrived: 0,
        zones: Zone::Stops,
    };
    battle.look();
    Ok(Scene::new(world, battle))
}

fn cells(pieces: &[Piece]) -> Vec<Cell> {
    pieces.iter().map(|piece| piece.cell).collect()
}

fn distance(a: Cell, b: Cell) -> i32 {
    (a - b).abs().element_sum()
}

impl Battle {
    /// What the unit whose turn it is can do, and what enemies can.
    fn look(&mut self) {
        let (ours, theirs) = (cells(&self.ours), cells(&self.theirs));
        let strikers: Vec<Striker> =
            theirs.iter().map(|&cell| Striker { cell, points: THEIRS, range: 1..=1 }).collect();
        let seen = Occupied { enemies: &ours, allies: &theirs, zones: self.zones, ..Occupied::default() };
        self.reach.threat(&self.map, &strikers, &seen, Sight::Ignored, &mut self.threat);
        let seen = Occupied { enemies: &theirs, allies: &ours, zones: self.zones, ..Occupied::default() };
        self.reach.fill(&self.map, ours[self.turn], self.points, &seen);
        self.reach.attack(&self.map, 1..=3, Sight::Needed, &mut self.targets);
        self.point_at(self.over);
    }

    fn point_at(&mut self, cell: Option<Cell>) {
        self.over = cell;
        self.way.clear();
        if let Some(cell) = cell.filter(|cell| self.reach.can_stop(*cell)) {
            self.reach.way(cell, &mut self.way);
        }
    }

    fn is_moving(&self) -> bool {
        self.ours.iter().chain(&self.theirs).any(|piece| !piece.way.is_empty())
    }

    /// The unit goes, an enemy answers, and the next unit's turn comes.
    fn go(&mut self, cell: Cell) -> bool {
        let unit = &mut self.ours[self.turn];
        if cell == unit.cell || !self.reach.can_stop(cell) || !self.reach.way(cell, &mut unit.way) {
            return false;
        }
        unit.cell = cell;
        self.turns += 1;
        self.answer();
        self.turn = (self.turn + 1) % self.ours.len();
        self.rest = PAUSE;
        self.look();
        true
    }

    /// The enemy that is nearest to one of ours goes there, and strikes if it can.
    fn answer(&mut self) {
        let ours = cells(&self.ours);
        let far = |cell: Cell| ours.iter().map(|our| distance(*our, cell)).min().unwrap_or(0);
        let Some(who) = (0..self.theirs.len()).min_by_key(|&k| (far(self.theirs[k].cell), k)) else { return };
        let theirs = cells(&self.theirs);
        let seen = Occupied { enemies: &ours, allies: &theirs, zones: self.zones, ..Occupied::default() };
        self.reach.fill(&self.map, theirs[who], THEIRS, &seen);
        let best = self.reach.stops().min_by_key(|&cell| (far(cell), cell.y, cell.x));
        if let Some(cell) = best.filter(|cell| far(*cell) < far(theirs[who])) {
            self.reach.way(cell, &mut self.theirs[who].way);
            self.theirs[who].cell = cell;
        }
        self.struck += usize::from(far(self.theirs[who].cell) == 1);
    }

    /// Toward the flag, but not where enemies can strike.
    fn play_alone(&mut self) {
        let flag = self.flag;
        let danger = |cell: Cell| self.map.index(cell).map_or(0, |at| i32::from(self.threat[at]));
        let best =
            self.reach.stops().min_by_key(|&cell| (distance(cell, flag) + 3 * danger(cell), cell.y, cell.x));
        let moved = best.is_some_and(|cell| self.go(cell));
        if !moved {
            // It stays where it is.
            self.answer();
            self.turn = (self.turn + 1) % self.ours.len();
            self.rest = PAUSE;
            self.turns += 1;
            self.look();
        }
    }

    /// Who reached the flag begins again at the left.
    fn begin_again(&mut self, world: &mut World) -> Result<(), Error> {
        let taken: Vec<Cell> = cells(&self.ours).into_iter().chain(cells(&self.theirs)).collect();
        let Some(unit) = self.ours.iter_mut().find(|it| it.cell == self.flag && it.way.is_empty()) else {
            return Ok(());
        };
        let start = (1..self.map.height()).map(|y| Cell::new(1, y));
        if let Some(cell) = start.into_iter().find(|cell| self.map.is_free(*cell) && !taken.contains(cell)) {
            unit.cell = cell;
            world.teleport(unit.body, middle(cell), 0.0)?;
            self.arrived += 1;
            self.look();
        }
        Ok(())
    }
}

impl Play for Battle {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        for piece in self.ours.iter_mut().chain(&mut self.theirs) {
            let to = piece.way.first().copied().unwrap_or(piece.cell);
            if glide(world, piece.body, middle(to), SPEED)? && !piece.way.is_empty() {
                piece.way.remove(0);
            }
        }
        world.step(1.0 / SCENE.hertz)?;
        if !self.is_moving() {
            self.begin_again(world)?;
            self.rest = self.rest.saturating_sub(1);
            if self.rest == 0 {
                self.play_alone();
            }
        }
        Ok(())
    }

    fn takes_presses(&self) -> bool {
        true
    }

    fn press(&mut self, _places: &mut [Place], point: Vec2) -> bool {
        let cell = cell_of(point);
        if !self.map.contains(cell) || self.is_moving() {
            return false;
        }
        if let Some(unit) = self.ours.iter().position(|unit| unit.cell == cell) {
            self.turn = unit;
            self.look();
        }
        self.point_at(Some(cell));
        self.go(cell);
        self.rest = PATIENCE;
        true
    }

    fn hover(&mut self, _places: &mut [Place], point: Vec2) {
        if !self.is_moving() {
            self.point_at(Some(cell_of(point)));
        }
    }

    fn set_naive(&mut self, _places: &mut [Place], on: bool) {
        self.zones = if on { Zone::Ignored } else { Zone::Stops };
        self.look();
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        for at in 0..self.map.cell_count() {
            let cell = self.map.cell_at(at);
            match self.map.cost(cell) {
                2 => tile(out, Ink::Blue.faint(0.25), cell),
                3 => tile(out, Ink::Yellow.faint(0.4), cell),
                _ => {}
            }
            if self.threat[at] > 0 {
                tile(out, Ink::Orange.faint(0.3 + 0.2 * f32::from(self.threat[at].min(3))), cell);
            }
        }
        if !self.is_moving() {
            for &cell in self.reach.cells() {
                let left = self.reach.left(cell).unwrap_or(0);
                if self.reach.can_stop(cell) {
                    tile(out, Ink::Blue.faint(0.45 + 0.5 * left as f32 / self.points as f32), cell);
                }
                out.put_words(Ink::Plain, middle(cell) - vec2(0.3, 0.42), &left.to_string());
            }
        }
        line(out, Ink::Red, &self.way);
        let turn = &self.ours[self.turn];
        out.put_circle(Ink::Red, false, (middle(turn.cell), 0.47), Vec2::ZERO);
        for enemy in self.theirs.iter().filter(|enemy| self.targets.contains(&enemy.cell)) {
            out.put_circle(Ink::Orange, false, (middle(enemy.cell), 0.47), Vec2::ZERO);
        }
        let pole = self.flag.as_vec2() + vec2(0.3, 0.1);
        out.put_line(Ink::Plain, pole, pole + vec2(0.0, 0.8));
        let cloth = [vec2(0.0, 0.4), vec2(0.45, 0.6), vec2(0.0, 0.8)].map(|corner| pole + corner);
        out.put_polygon(Ink::Red, true, 0.0, &cloth);
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let safe = (0..self.threat.len())
            .filter(|&at| self.threat[at] == 0 && self.map.is_free(self.map.cell_at(at)));
        let _ = writeln!(out, "cells it can stop on\t{}", self.reach.stops().count());
        let _ = writeln!(out, "enemies it can strike\t{}", self.hits());
        let _ = writeln!(out, "cells that are safe\t{}", safe.count());
        let _ = writeln!(out, "turns\t{}", self.turns);
        let _ = writeln!(out, "struck by enemies\t{}", self.struck);
        let _ = writeln!(out, "reached the flag\t{}", self.arrived);
    }

    fn hash(&self, _places: &[Place]) -> u64 {
        let mut hash = Fnv::default();
        for piece in self.ours.iter().chain(&self.theirs) {
            hash.add(u64::from(piece.cell.x as u32) << 32 | u64::from(piece.cell.y as u32));
        }
        [self.turns, self.struck, self.arrived, self.turn].iter().for_each(|&count| hash.add(count as u64));
        hash.0
    }
}

impl Battle {
    fn hits(&self) -> usize {
        self.theirs.iter().filter(|enemy| self.targets.contains(&enemy.cell)).count()
    }
}
