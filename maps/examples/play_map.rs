//! Plays a map: a hero runs from the point `player` to the sensor `goal`, jumps where something is
//! in the way, and pushes the crates about; what was drawn as kinematic goes up and down.
//!
//! Prints what is in the map, how long the hero took and what fell into the water; leaves
//! `out/harbour.svg`, or that of another map: the world at the end, and the hero's way.
//!
//! ```text
//! cargo run --release -p carom-maps --example play_map
//! cargo run --release -p carom-maps --example play_map -- maps/data/cellar.ldtk
//! ```

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use carom::prelude::*;
use carom::{Aabb, DrawOptions};
use carom_maps::{Map, Options, Value, ldtk, tiled};
use testkit::draw::camera::Camera;
use testkit::draw::draw_svg::DrawSvg;
use testkit::draw::svg::{RED, Style};

const DT: f32 = 1.0 / 60.0;

/// In m/s.
const RUN: f32 = 4.0;
const JUMP: f32 = 8.5;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/harbour.tmx")),
        PathBuf::from,
    );
    let options = Options::pixels_per_metre(16.0)
        .material("ice", Material::default().friction(0.03))
        .material("wood", Material::default().friction(0.5));
    let map = match file.extension().and_then(|end| end.to_str()) {
        Some("ldtk") => ldtk::load(&file, &options)?,
        _ => tiled::load(&file, &options)?,
    };
    let mut world = World::default();
    let ids = map.add_to(&mut world)?;
    println!("{}: {:.0} by {:.0} m", file.display(), map.size.x, map.size.y);
    for (body, id) in map.bodies.iter().zip(&ids) {
        println!("  {:?} {:?} {:?}", world[*id].kind(), body.tags.class, body.tags.name);
    }
    let way = play(&map, &ids, &mut world)?;
    draw(&file, &map, &world, &way)
}

/// Plays until the hero is at the goal, or for a minute: its way.
fn play(map: &Map, ids: &[BodyId], world: &mut World) -> Result<Vec<Vec2>, Box<dyn Error>> {
    let start = map.point("player").or_else(|| map.point("Player")).ok_or("there is no point `player`")?;
    let def = MoverDef::new(Shape::capsule([0.0, -0.35], [0.0, 0.35], 0.3)).step(0.2);
    let mut mover = Mover::new(def)?;
    let hero = BodyDef::kinematic().at(start.at + vec2(0.0, 0.7)).shape(mover.def().shape.clone());
    let hero = world.add(hero)?;
    let goal = map.body("goal").map(|(place, _)| ids[place]);
    let (mut velocity, mut way, mut wet, mut stuck) = (Vec2::ZERO, Vec::new(), BTreeSet::new(), 0);
    for step in 0..3_600 {
        lifts(map, ids, world, step)?;
        velocity = vec2(RUN, velocity.y - 9.81 * DT);
        let outcome = mover.move_body(world, hero, velocity, DT)?;
        velocity = outcome.velocity;
        // Where it does not get on, it jumps.
        stuck = if outcome.motion.x < 0.5 * RUN * DT { stuck + 1 } else { 0 };
        if outcome.grounded() && (outcome.hit_wall || stuck > 3) {
            velocity.y = JUMP;
        }
        world.step(DT)?;
        way.push(world[hero].position());
        for visit in world.events().entered() {
            if visit.visitor_body == hero && Some(visit.sensor_body) == goal {
                println!("the hero is at the goal after {:.1} s", step as f32 * DT);
                let splashes = wet.len();
                println!("{splashes} bodies were in the water");
                return Ok(way);
            }
            wet.insert(visit.visitor_body);
        }
    }
    println!("the hero ran for a minute; {} bodies were in the water", wet.len());
    Ok(way)
}

/// What has a property `speed` goes up and down by it.
fn lifts(map: &Map, ids: &[BodyId], world: &mut World, step: u32) -> Result<(), carom::Error> {
    for (body, &id) in map.bodies.iter().zip(ids) {
        let Some(Value::Float(speed)) = body.tags.properties.get("speed") else { continue };
        let up = if (step / 120).is_multiple_of(2) { 1.0 } else { -1.0 };
        world.set_velocity(id, vec2(0.0, up * *speed as f32))?;
    }
    Ok(())
}

fn draw(file: &Path, map: &Map, world: &World, way: &[Vec2]) -> Result<(), Box<dyn Error>> {
    let view = Aabb::new([0.0, 0.0], map.size);
    let camera = Camera::new(world, Some(view), 960.0);
    let options = camera.options(&DrawOptions { shapes: true, sleep: true, ..DrawOptions::none() });
    let mut page = DrawSvg::new(camera);
    world.draw(&mut page, &options);
    let mut page = page.finish();
    page.polyline(way, Style { width: 2.0, ..Style::outline(RED) });
    let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or("map");
    let out = format!("out/{name}.svg");
    page.save(&out)?;
    println!("left in {out}");
    Ok(())
}
