//! A hill of tiles that one draws in while crates lie on it: cells come and go under them.

use carom::prelude::*;
use carom::{Error, TileMap};
use core::fmt::Write as _;

use demo_shell::{DT, Info, Input, PLAIN, Place, Play, Scene, hue};

pub(crate) static SCENE: Info = Info {
    name: "tiles",
    title: "Tile map",
    hint: "One shape, a byte or two a cell. Press into the ground and draw to dig; press into the air to build. \
           What lies on a cell falls when it goes, and is pushed out where one comes.",
    counted: "crates",
    count: [5, 40, 150],
    view: [vec2(-16.0, 0.0), vec2(16.0, 17.0)],
    build,
    ..PLAIN
};

/// Columns, rows, and the side of a cell.
const WIDTH: u32 = 64;
const HEIGHT: u32 = 32;
const SIDE: f32 = 0.5;
/// The lower left corner of the map.
const CORNER: Vec2 = vec2(-16.0, 0.0);

/// The height of the hills in a column, in cells.
fn height(x: u32) -> u32 {
    let x = x as f32;
    (9.0 + 4.0 * carom::math::sin_cos(0.19 * x).0 + 2.0 * carom::math::sin_cos(0.41 * x + 1.0).0) as u32
}

/// The cell in a column and row, before anybody draws.
fn cell(x: u32, y: u32) -> TileCell {
    let [before, here, after] = [height(x.max(1) - 1), height(x), height(x + 1)];
    let is_edge = x == 0 || x + 1 == WIDTH;
    let kind = if y < here || is_edge {
        TileKind::Solid
    } else if y == here && after > here {
        TileKind::SlopeUp
    } else if y == here && before > here {
        TileKind::SlopeDown
    } else if y == 18 && (12..24).contains(&x) {
        TileKind::OneWay
    } else {
        TileKind::Empty
    };
    kind.into()
}

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    let cells: Vec<TileCell> = (0..WIDTH * HEIGHT).map(|k| cell(k % WIDTH, k / WIDTH)).collect();
    let ground = world.add(BodyDef::fixed().shape(Shape::tiles(SIDE, WIDTH, &cells).at(CORNER)))?;
    let map = world.shapes_of(ground).next().map(|(id, _)| id).ok_or(Error::BadNumber("a map is a shape"))?;
    for k in 0..count {
        let at = vec2(-13.0 + 1.3 * (k % 21) as f32, 10.5 + 0.8 * (k / 21) as f32);
        let shape = match k % 3 {
            0 => Shape::circle(0.3),
            1 => Shape::rect(0.6, 0.6),
            _ => Shape::rect(0.9, 0.45),
        };
        world.add(hue(BodyDef::dynamic().at(at).shape(shape), k as usize % 6))?;
    }
    Ok(Scene::new(world, Drawn { map, brush: TileCell::EMPTY, last: None, edits: 0 }))
}

/// The map, and who draws in it.
struct Drawn {
    map: ShapeId,
    brush: TileCell,
    /// The cell where the brush was last.
    last: Option<[u32; 2]>,
    edits: u64,
}

impl Drawn {
    fn map<'w>(&self, places: &'w [Place]) -> Option<&'w TileMap> {
        match places[0].world[self.map].shape() {
            Shape::Tiles(map) => Some(map),
            _ => None,
        }
    }

    /// The cell at a point; the frame of the body is that of the world. The outermost stay.
    fn cell_at(&self, places: &[Place], point: Vec2) -> Option<[u32; 2]> {
        let [x, y] = self.map(places)?.cell_around(point)?;
        (x > 0 && x + 1 < WIDTH && y > 0).then_some([x, y])
    }

    fn set(&mut self, places: &mut [Place], at: [u32; 2]) {
        if self.map(places).and_then(|map| map.cell_at(at)) != Some(self.brush) {
            let set = places[0].world.set_tile(self.map, at, self.brush);
            self.edits += u64::from(set.is_ok());
        }
    }

    /// All cells on the line from the last one.
    fn draw(&mut self, places: &mut [Place], to: [u32; 2]) {
        let [from_x, from_y] = self.last.unwrap_or(to).map(|place| place as i32);
        let [x, y] = to.map(|place| place as i32);
        let steps = (x - from_x).abs().max((y - from_y).abs()).max(1);
        for step in 0..=steps {
            let between = |a: i32, b: i32| (a + ((b - a) * step) / steps) as u32;
            self.set(places, [between(from_x, x), between(from_y, y)]);
        }
        self.last = Some(to);
    }
}

impl Play for Drawn {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        places[0].world.step(DT).map(drop)
    }

    fn press(&mut self, places: &mut [Place], point: Vec2) -> bool {
        let Some(at) = self.cell_at(places, point) else { return false };
        let is_empty = self.map(places).and_then(|map| map.cell_at(at)) == Some(TileCell::EMPTY);
        self.brush = if is_empty { TileCell::SOLID } else { TileCell::EMPTY };
        self.last = None;
        self.draw(places, at);
        true
    }

    fn draw_to(&mut self, places: &mut [Place], point: Vec2) {
        if let Some(at) = self.cell_at(places, point) {
            self.draw(places, at);
        }
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let Some(map) = self.map(places) else { return };
        let _ = writeln!(out, "cells\t{}", map.len());
        let _ = writeln!(out, "bytes a cell\t{:.1}", map.bytes() as f32 / map.len() as f32);
        let _ = writeln!(out, "cells drawn\t{}", self.edits);
    }

    fn drawing(&self) -> u64 {
        self.edits
    }
}
