//! A map without end: four tiles around the view are in the world, all others are bytes.

use carom::prelude::*;
use carom::{Error, Piece, Ties, Tile, Window};
use core::fmt::Write as _;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};
use std::collections::{BTreeMap, BTreeSet};
use testkit::random::Random;

pub(crate) static SCENE: Info = Info {
    name: "endless",
    title: "Endless map",
    hint: "Tiles of 32 m are built when the truck first comes near, cut out when it leaves, and kept as bytes: go back, \
           and the crates lie as they were left. Left and right drive. The naive way keeps all that it has seen.",
    counted: "heaps of a tile",
    count: [1, 3, 6],
    view: [vec2(-15.0, -3.0), vec2(15.0, 13.0)],
    keys: "drive",
    naive: "keeps all that it has seen",
    build,
    ..PLAIN
};

const SIDE: f32 = 32.0;
const VIEW: Vec2 = vec2(28.0, 16.0);
/// Of the truck, in m/s, by keys and by itself.
const FAST: f32 = 14.0;
const CRUISE: f32 = 8.0;
/// Where the page draws the truck, and what is the middle of the view from there.
const SPOT: Vec2 = vec2(-5.0, 1.6);
const MIDDLE: Vec2 = vec2(5.0, 3.4);
/// Steps after the last key until it drives by itself.
const ALONE: u32 = 120;

struct Map {
    window: Window,
    /// Tiles that are in the world, and those that are bytes.
    there: BTreeSet<Tile>,
    kept: BTreeMap<Tile, Vec<u8>>,
    seen: BTreeSet<Tile>,
    truck: BodyId,
    heaps: u32,
    /// Steps since a key was down, and where it goes by itself.
    alone: u32,
    way: f32,
    most: usize,
    naive: bool,
    drawing: u64,
}

fn build(heaps: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    let start = vec2(0.5 * SIDE, 1.6);
    let truck = BodyDef::kinematic().at(start).shape(Shape::rect(4.0, 2.0).rounded(0.4));
    let truck = world.add(hue(truck, 6))?;
    let mut map = Map {
        window: Window::new(SIDE, VIEW, 2.0)?,
        there: BTreeSet::new(),
        kept: BTreeMap::new(),
        seen: BTreeSet::new(),
        truck,
        heaps,
        alone: ALONE,
        way: CRUISE,
        most: 0,
        naive: false,
        drawing: 0,
    };
    map.follow(&mut world)?;
    Ok(Scene::new(world, map))
}

/// What every program builds of the number of a tile: ground below, heaps of crates above, else
/// sky and rock.
fn tile([x, y]: Tile, heaps: u32) -> Result<World, Error> {
    let mut world = World::default();
    if y == -1 {
        world.add(BodyDef::fixed().at([0.5 * SIDE, SIDE - 2.0]).shape(Shape::rect(SIDE, 4.0)))?;
    }
    if y != 0 {
        return Ok(world);
    }
    let mut random = Random::new(x as u64);
    for heap in 0..heaps {
        let room = SIDE / heaps as f32;
        let left = room * heap as f32 + random.range(0.0_f32, room - 4.0);
        let (rows, color) = (2 + random.below(3), random.below(6));
        for row in 0..rows {
            for column in 0..rows - row {
                let at = vec2(left + 0.5 + 0.9 * (column as f32 + 0.5 * row as f32), 0.4 + 0.8 * row as f32);
                let body = BodyDef::dynamic().at(at).asleep().shape(Shape::rect(0.8, 0.8)).density(0.2);
                world.add(hue(body, color))?;
            }
        }
    }
    Ok(world)
}

impl Map {
    /// Tiles come and go with the view. The truck belongs to none: it is taken out meanwhile.
    fn follow(&mut self, world: &mut World) -> Result<(), Error> {
        let Some(at) = world.get(self.truck).map(|truck| truck.world_position()) else { return Ok(()) };
        self.window.look(at.offset(MIDDLE));
        let wanted: BTreeSet<Tile> = self.window.tiles().collect();
        let come: Vec<Tile> = wanted.difference(&self.there).copied().collect();
        let go: Vec<Tile> = self.there.difference(&wanted).copied().filter(|_| !self.naive).collect();
        if come.is_empty() && go.is_empty() {
            return Ok(());
        }
        let aside = world.extract(&[self.truck])?;
        for tile in go {
            let piece = world.cut(self.window.area(tile), Ties::Stay)?;
            let mut bytes = Vec::new();
            piece.write(&mut bytes);
            self.kept.insert(tile, bytes);
            self.there.remove(&tile);
        }
        for place in come {
            let piece = match self.kept.remove(&place).map(|bytes| Piece::read(&bytes)) {
                Some(Ok(piece)) => piece,
                // The first time; it was written here, so it can be read.
                _ => Piece::from(tile(place, self.heaps)?),
            };
            world.paste(&piece, self.window.corner(place))?;
            self.there.insert(place);
            self.seen.insert(place);
        }
        self.truck = world.paste(&aside, WorldPoint::ORIGIN)?.bodies[0];
        self.drawing += 1;
        Ok(())
    }

    /// Where to: as keys say, or there and back.
    fn steer(&mut self, world: &World, keys: f32) -> f32 {
        self.alone = if keys == 0.0 { self.alone.saturating_add(1) } else { 0 };
        let x = world.get(self.truck).map_or(0.0, |truck| truck.position().x);
        if x > 8.0 * SIDE {
            self.way = -CRUISE;
        } else if x < 0.5 * SIDE {
            self.way = CRUISE;
        }
        if self.alone >= ALONE { self.way } else { FAST * keys }
    }
}

impl Play for Map {
    fn step(&mut self, places: &mut [Place], input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        let speed = self.steer(world, input.keys.across());
        world.set_velocity(self.truck, [speed, 0.0])?;
        world.step(DT)?;
        self.follow(world)?;
        self.most = self.most.max(world.body_count());
        Ok(())
    }

    fn anchor(&self) -> Option<(BodyId, Vec2)> {
        Some((self.truck, SPOT))
    }

    fn set_naive(&mut self, _places: &mut [Place], on: bool) {
        self.naive = on;
    }

    fn drawing(&self) -> u64 {
        self.drawing
    }

    fn overlay(&self, places: &[Place], out: &mut Commands) {
        for &tile in self.there.iter().filter(|[_, y]| *y == 0) {
            let corner = places[0].home().to(self.window.corner(tile));
            out.put_line(Ink::Blue.faint(0.5), corner, corner + vec2(0.0, 11.0));
            out.put_words(Ink::Blue, corner + vec2(0.5 * SIDE, 10.2), &format!("tile {}", tile[0]));
        }
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let world = &places[0].world;
        let at = world.get(self.truck).map_or(0.0, |truck| truck.position().x);
        let bytes: usize = self.kept.values().map(Vec::len).sum();
        let _ = writeln!(out, "the truck is at\t{at:.0} m");
        let _ = writeln!(out, "tiles in the world\t{} of {} seen", self.there.len(), self.seen.len());
        let _ = writeln!(out, "bodies in the world\t{}, at most {}", world.body_count(), self.most);
        let _ = writeln!(out, "tiles as bytes\t{}, {} kB", self.kept.len(), bytes.div_ceil(1024));
    }

    fn focus(&self, _places: &[Place]) -> Option<Vec2> {
        Some(SPOT)
    }
}
