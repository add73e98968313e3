//! A hill of tiles in which a miner digs: cells go, crates fall into the pit, a way of one-way
//! cells holds, and water of sensor cells reports what fell in.
//!
//! Prints where each crate came to rest and how many cells were changed; leaves `out/tiles.svg`:
//! the hill before, after the pit, and after the tunnel below it.
//!
//! ```text
//! cargo run --release -p carom-examples --example tiles
//! ```

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::error::Error;

use carom::TileMap;
use carom::prelude::*;
use testkit::draw::svg::{BLUE, GREY, INK, ORANGE, SKY, Style, Svg};

const DT: f32 = 1.0 / 60.0;
const SIDE: f32 = 0.5;
const WIDTH: u32 = 80;
const HEIGHT: u32 = 36;

/// Names of materials.
const ROCK: u8 = 0;
const ICE: u8 = 1;

/// The height of the hill in a column, in cells.
fn height(x: u32) -> u32 {
    let x = x as i32 - 40;
    (24 - (x * x) / 80).max(7) as u32
}

/// The cell in a column and row of the hill.
fn cell([x, y]: [u32; 2]) -> TileCell {
    let [before, here, after] = [height(x.max(1) - 1), height(x), height(x + 1)];
    let kind = match here.cmp(&y) {
        _ if x == 0 || x + 1 == WIDTH => TileKind::Solid,
        Ordering::Greater => TileKind::Solid,
        Ordering::Equal if after > here => TileKind::SlopeUp,
        Ordering::Equal if before > here => TileKind::SlopeDown,
        Ordering::Less if y == 29 && (30..50).contains(&x) => TileKind::OneWay,
        Ordering::Equal | Ordering::Less => TileKind::Empty,
    };
    TileCell::new(kind, if here > 21 && y + 2 > here { ICE } else { ROCK })
}

fn main() -> Result<(), Box<dyn Error>> {
    let cells: Vec<TileCell> = (0..WIDTH * HEIGHT).map(|k| cell([k % WIDTH, k / WIDTH])).collect();
    let mut ground = ShapeDef::from(Shape::tiles(SIDE, WIDTH, &cells).at([-20.0, 0.0]));
    ground.part_materials = vec![Material::default().friction(0.9), Material::default().friction(0.02)];
    let mut world = World::default();
    let ground = world.add(BodyDef::fixed().shape(ground))?;
    let (map, _) = world.shapes_of(ground).next().ok_or("the ground has a shape")?;
    let mut crates = Vec::new();
    for k in 0..24 {
        let at = [-4.0 + 1.1 * (k % 8) as f32, 15.6 + 0.6 * (k / 8) as f32];
        crates.push(world.add(BodyDef::dynamic().at(at).shape(Shape::rect(0.5, 0.5)).density(200.0))?);
    }
    let (mut changed, mut wet, mut frames) = (0, BTreeSet::new(), Vec::new());
    let mut dig = |world: &mut World, [left, bottom, right, top]: [u32; 4], to: TileKind| {
        (bottom..top).flat_map(|y| (left..right).map(move |x| [x, y])).try_for_each(|place| {
            changed += 1;
            world.set_tile(map, place, to.into())
        })
    };
    for step in 0..=900 {
        match step {
            // The pit, from above, with water at its bottom.
            180..240 => {
                dig(&mut world, [32, 24 - (step - 180) / 5, 48, 26 - (step - 180) / 5], TileKind::Empty)?
            }
            240 => dig(&mut world, [32, 11, 48, 14], TileKind::Sensor)?,
            // The way over it breaks.
            300 => dig(&mut world, [34, 29, 46, 30], TileKind::Empty)?,
            // A tunnel, whose mouth is in the left wall of the pit.
            600..660 => {
                dig(&mut world, [31 - (step - 600) / 3, 11, 32 - (step - 600) / 3, 14], TileKind::Empty)?
            }
            _ => {}
        }
        if [170, 420, 900].contains(&step) {
            frames.push(look(&world, map, &crates));
        }
        world.step(DT)?;
        wet.extend(world.events().entered().iter().map(|visit| visit.visitor_body));
    }
    let asleep = crates.iter().filter(|&&id| !world[id].is_awake()).count();
    println!(
        "{changed} cells were changed; {} crates fell into the water, {asleep} of {} sleep",
        wet.len(),
        crates.len()
    );
    draw(&frames)?;
    Ok(())
}

/// A map as it is, and where crates are.
type Frame = (Shape, Vec<Transform>);

fn look(world: &World, map: ShapeId, crates: &[BodyId]) -> Frame {
    let place = |&id: &BodyId| Transform { position: world[id].position(), rotation: world[id].rotation() };
    (world[map].shape().clone(), crates.iter().map(place).collect())
}

/// Corners of what is in a row of cells side by side that are of one kind, as few as can be.
fn runs(map: &TileMap, y: u32) -> Vec<(TileCell, Vec<Vec2>)> {
    let [width, _] = map.size();
    let cell = |x: u32| map.cell_at([x, y]).unwrap_or(TileCell::EMPTY);
    let (mut runs, mut x) = (Vec::new(), 0);
    while x < width {
        let (first, from) = (cell(x), x);
        let is_full = matches!(first.kind, TileKind::Solid | TileKind::Sensor | TileKind::OneWay);
        x += 1;
        while is_full && x < width && cell(x) == first {
            x += 1;
        }
        let (mut corners, last): (Vec<Vec2>, Vec<Vec2>) =
            (map.corners([from, y]).collect(), map.corners([x - 1, y]).collect());
        if is_full {
            (corners[1], corners[2]) = (last[1], last[2]);
        }
        if !corners.is_empty() {
            runs.push((first, corners));
        }
    }
    runs
}

fn draw(frames: &[Frame]) -> std::io::Result<()> {
    let (step, size) = (19.5, vec2(40.0, 18.0));
    let mut svg = Svg::new(vec2(-20.5, -0.5), vec2(20.5, step * frames.len() as f32), 20.0);
    let titles = ["a hill, with ice on its top", "a pit with water, and the way over it broke", "a tunnel"];
    for ((shape, crates), (k, title)) in frames.iter().zip(titles.iter().enumerate()) {
        svg.shifted(vec2(0.0, step * (frames.len() - 1 - k) as f32), |svg| {
            if let Shape::Tiles(map) = shape {
                for (cell, corners) in (0..HEIGHT).flat_map(|y| runs(map, y)) {
                    let color = match (cell.kind, cell.material) {
                        (TileKind::Sensor, _) => BLUE,
                        (TileKind::OneWay, _) => INK,
                        (_, ICE) => SKY,
                        _ => GREY,
                    };
                    svg.polygon(&corners, Style::flat(color));
                }
            }
            for at in crates {
                let corners = Shape::rect(0.5, 0.5).transformed(*at);
                if let Shape::Obb(obb) = corners {
                    svg.polygon(&obb.corners(), Style::body(ORANGE));
                }
            }
            svg.text(vec2(-0.5 * size.x, size.y + 0.3), 0.8, title, Style::flat(INK));
        });
    }
    std::fs::create_dir_all("out")?;
    svg.save("out/tiles.svg")
}
