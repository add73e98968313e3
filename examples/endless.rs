//! A map without end: four tiles around the view are in the world, all others are files.
//!
//! A truck with a camera drives two kilometres out and back. Tiles that come into the window are
//! read by a loader thread, which is told of them a second ahead; the step thread only pastes.
//! Tiles that go out are cut, and written by the same thread. A tile that nobody has seen is built
//! from its number. What was left lying sleeps in its file, and lies there when the truck comes
//! back.
//!
//! ```text
//! cargo run --release -p carom-examples --example endless      out/endless.svg, out/endless/*.piece
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use carom::prelude::*;
use carom::{Error as WorldError, Piece, Ties, Tile, Window};
use testkit::draw::svg::{BLUE, GREY, INK, RED, Style, Svg};
use testkit::random::Random;

const FOLDER: &str = "out/endless";
const SIDE: f32 = 64.0;
const VIEW: Vec2 = vec2(40.0, 24.0);
const DT: f32 = 1.0 / 60.0;
const FARTHEST: f32 = 2_000.0;
const SPEED: f32 = 25.0;

/// What the loader is told.
enum Order {
    /// A tile that will be wanted soon.
    Fetch(Tile),
    /// A tile that was put away.
    Keep(Tile, Box<Piece>),
}

/// What was in memory at a place of the way.
struct Sample {
    way: f32,
    bodies: usize,
    tiles_seen: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let _ = fs::remove_dir_all(FOLDER);
    fs::create_dir_all(FOLDER)?;
    let (orders, to_do) = channel();
    let (done, pieces) = channel();
    let loader = thread::spawn(move || load(&to_do, &done));
    let mut map = Map {
        world: World::new(WorldDef::default()),
        window: Window::new(SIDE, VIEW, 8.0)?,
        orders,
        pieces,
        asked: Vec::new(),
        fetched: BTreeMap::new(),
        seen: BTreeSet::new(),
        late: 0,
    };
    let driven = drive(&mut map);
    let Map { orders, late, seen, .. } = map;
    drop(orders);
    // Why the loader ended, if it did, comes before what the drive missed because of it.
    let bytes = loader.join().map_err(|_| "the loader panicked")??;
    let samples = driven?;
    let most = samples.iter().map(|sample| sample.bodies).max().unwrap_or(0);
    println!("{:.0} m of way, {} tiles seen, at most {most} bodies in memory", 2.0 * FARTHEST, seen.len());
    println!("{} kB in files; {late} tiles were waited for", bytes / 1024);
    picture(&samples).save("out/endless.svg")?;
    Ok(())
}

struct Map {
    world: World,
    window: Window,
    orders: Sender<Order>,
    pieces: Receiver<(Tile, Piece)>,
    /// Tiles that the loader works on.
    asked: Vec<Tile>,
    /// Tiles that are read and not there yet.
    fetched: BTreeMap<Tile, Piece>,
    seen: BTreeSet<Tile>,
    late: usize,
}

impl Map {
    /// Follows the view: tiles go and come.
    fn follow(&mut self, view: WorldPoint, velocity: Vec2) -> Result<(), Box<dyn Error>> {
        for tile in self.window.ahead(view, velocity, 1.0) {
            self.fetch(tile)?;
        }
        let change = self.window.look(view);
        for tile in change.left() {
            let piece = self.world.cut(self.window.area(tile), Ties::Stay)?;
            self.orders.send(Order::Keep(tile, Box::new(piece)))?;
        }
        for tile in change.entered() {
            self.fetch(tile)?;
            let piece = self.wait_for(tile)?;
            self.world.paste(&piece, self.window.corner(tile))?;
            self.seen.insert(tile);
        }
        Ok(())
    }

    fn fetch(&mut self, tile: Tile) -> Result<(), Box<dyn Error>> {
        if !self.asked.contains(&tile) && !self.fetched.contains_key(&tile) {
            self.asked.push(tile);
            self.orders.send(Order::Fetch(tile))?;
        }
        Ok(())
    }

    /// The piece of a tile that was asked for: at once, if the loader was quick enough.
    fn wait_for(&mut self, tile: Tile) -> Result<Piece, Box<dyn Error>> {
        while let Ok((other, piece)) = self.pieces.try_recv() {
            self.asked.retain(|&asked| asked != other);
            self.fetched.insert(other, piece);
        }
        self.late += usize::from(!self.fetched.contains_key(&tile));
        loop {
            if let Some(piece) = self.fetched.remove(&tile) {
                return Ok(piece);
            }
            let (other, piece) = self.pieces.recv()?;
            self.asked.retain(|&asked| asked != other);
            self.fetched.insert(other, piece);
        }
    }
}

/// The loader: reads tiles, builds those that are new, and writes those that were put away.
fn load(to_do: &Receiver<Order>, done: &Sender<(Tile, Piece)>) -> Result<u64, String> {
    let mut bytes = Vec::new();
    for order in to_do {
        match order {
            Order::Keep(tile, piece) => {
                piece.write(&mut bytes);
                fs::write(path(tile), &bytes).map_err(|error| error.to_string())?;
            }
            Order::Fetch(tile) => {
                let piece = match fs::read(path(tile)) {
                    Ok(bytes) => Piece::read(&bytes).map_err(|error| error.to_string())?,
                    Err(_) => Piece::from(build(tile).map_err(|error| error.to_string())?),
                };
                if done.send((tile, piece)).is_err() {
                    break;
                }
            }
        }
    }
    let files = fs::read_dir(FOLDER).map_err(|error| error.to_string())?;
    Ok(files.flatten().filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum())
}

fn path([x, y]: Tile) -> PathBuf {
    Path::new(FOLDER).join(format!("{x}_{y}.piece"))
}

/// A tile that nobody has seen: ground with crates on it in the row of tiles at height 0, sky
/// above, rock below.
fn build([x, y]: Tile) -> Result<World, WorldError> {
    let mut world = World::new(WorldDef::default());
    if !(-1..=0).contains(&y) {
        return Ok(world);
    }
    if y == -1 {
        world.add(BodyDef::fixed().at([0.5 * SIDE, SIDE - 2.0]).shape(Shape::rect(SIDE, 4.0)))?;
        return Ok(world);
    }
    let mut random = Random::new(x as u64);
    for _ in 0..6 {
        let (left, rows) = (random.range(2.0, f64::from(SIDE) - 6.0) as f32, 1 + random.below(3));
        for row in 0..rows {
            for column in 0..rows - row {
                let at = vec2(left + 0.9 * (column as f32 + 0.5 * row as f32), 0.4 + 0.8 * row as f32);
                world.add(BodyDef::dynamic().at(at).asleep().shape(Shape::rect(0.8, 0.8)).density(0.2))?;
            }
        }
    }
    Ok(world)
}

/// Out and back with a truck that ploughs through the crates.
fn drive(map: &mut Map) -> Result<Vec<Sample>, Box<dyn Error>> {
    let start = vec2(32.0, 1.5);
    map.follow(WorldPoint::from(start), Vec2::ZERO)?;
    let truck = BodyDef::kinematic().at(start).shape(Shape::rect(5.0, 2.0).rounded(0.4));
    let mut truck = map.world.add(truck)?;
    let mut samples = Vec::new();
    let steps = (2.0 * FARTHEST / (SPEED * DT)) as usize;
    for step in 0..steps {
        let velocity = vec2(if step < steps / 2 { SPEED } else { -SPEED }, 0.0);
        map.world.set_velocity(truck, velocity)?;
        map.world.step(DT)?;
        let view = map.world[truck].world_position();
        // The truck belongs to no tile: it is taken out while tiles go and come.
        let change = map.window.ahead(view, Vec2::ZERO, 0.0).next();
        if change.is_some() {
            let aside = map.world.extract(&[truck])?;
            map.follow(view, velocity)?;
            truck = map.world.paste(&aside, WorldPoint::ORIGIN)?.bodies[0];
        } else {
            map.follow(view, velocity)?;
        }
        if step % 20 == 0 {
            let way = step as f32 * SPEED * DT;
            samples.push(Sample { way, bodies: map.world.body_count(), tiles_seen: map.seen.len() });
        }
    }
    Ok(samples)
}

/// Bodies in memory, and tiles seen, over the way.
fn picture(samples: &[Sample]) -> Svg {
    let size = vec2(60.0, 24.0);
    let mut page = Svg::new(vec2(-7.0, -5.0), size + vec2(7.0, 5.0), 12.0);
    let most = samples.iter().map(|sample| sample.bodies).max().unwrap_or(1) as f32;
    let tiles = samples.iter().map(|sample| sample.tiles_seen).max().unwrap_or(1) as f32;
    let across = |way: f32| size.x * way / (2.0 * FARTHEST);
    page.rect(Vec2::ZERO, size, Style::outline(GREY));
    let bodies: Vec<Vec2> =
        samples.iter().map(|s| vec2(across(s.way), 0.9 * size.y * s.bodies as f32 / most)).collect();
    let seen: Vec<Vec2> =
        samples.iter().map(|s| vec2(across(s.way), 0.9 * size.y * s.tiles_seen as f32 / tiles)).collect();
    page.polyline(&seen, Style::outline(RED));
    page.polyline(&bodies, Style::outline(BLUE));
    page.text(
        vec2(0.0, size.y + 1.6),
        16.0,
        "Two kilometres out and back over a map of files",
        Style::flat(INK),
    );
    page.text(vec2(30.0, 6.0), 13.0, &format!("bodies in memory, at most {most}"), Style::flat(BLUE));
    page.text(vec2(24.0, 19.5), 13.0, &format!("tiles seen, {tiles}: in files"), Style::flat(RED));
    for k in 0..=4 {
        let way = 0.5 * FARTHEST * k as f32;
        page.text(vec2(across(way) - 1.5, -2.0), 13.0, &format!("{way:.0} m"), Style::flat(INK));
    }
    page
}
