//! Water, wind and a planet: what areas do.
//!
//! Left: crates of a fifth to more than all of the water's density fall into a pool, with a boat that
//! comes down on its side. Right: a planet whose gravity hides the world's, and moons round it.
//! Prints how deep each crate lies against what Archimedes says, and leaves `out/water.svg`.
//!
//! ```text
//! cargo run --release -p carom-examples --example water
//! ```

use carom::prelude::*;
use carom::{Area, ShapeDef};
use std::error::Error;
use testkit::draw::moment::Moment;
use testkit::draw::svg::{INK, PALETTE, Style, Svg};

const DT: f32 = 1.0 / 60.0;

/// In kg/m², in water of 1000.
const DENSITIES: [f32; 6] = [200.0, 400.0, 600.0, 800.0, 950.0, 1_200.0];

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(WorldDef::default());
    let crates = pool(&mut world)?;
    let moons = planet(&mut world)?;
    let before = Moment::of(&world);
    let mut trails = vec![Vec::new(); moons.len()];
    for step in 0..3_000 {
        world.step(DT)?;
        if step % 6 == 0 {
            for (trail, &moon) in trails.iter_mut().zip(&moons) {
                trail.push(world[moon].position());
            }
        }
    }
    for (&id, density) in crates.iter().zip(DENSITIES) {
        let (under, wanted) = (0.5 - world[id].position().y, density / 1_000.0);
        let state = if world[id].is_awake() { "awake" } else { "asleep" };
        println!("{density:5.0} kg/m²: {under:.3} m under water, {wanted:.3} of its height; {state}");
    }
    for &moon in &moons {
        println!("moon: {:.2} m out", (world[moon].position() - CENTER).length());
    }
    picture([&before, &Moment::of(&world)], &trails).save("out/water.svg")?;
    Ok(())
}

/// A pool with crates above it, and a boat on its side.
fn pool(world: &mut World) -> Result<Vec<BodyId>, carom::Error> {
    for (at, size) in
        [([0.0, -5.25], [24.0, 0.5]), ([-11.75, -2.25], [0.5, 5.5]), ([11.75, -2.25], [0.5, 5.5])]
    {
        world.add(BodyDef::fixed().at(at).shape(Shape::rect(size[0], size[1])))?;
    }
    let water = BodyDef::fixed().at([0.0, -2.5]).shape(ShapeDef::from(Shape::rect(23.0, 5.0)).sensor());
    let water = world.add(water)?;
    let water = world.shapes_of(water).next().map(|(id, _)| id);
    if let Some(water) = water {
        world.set_area(water, Some(Area::fluid(1_000.0, 2.5)))?;
    }
    let hull = [vec2(-1.6, 0.5), vec2(-1.0, -0.4), vec2(1.0, -0.4), vec2(1.6, 0.5)];
    let boat = ShapeDef::from(Shape::polygon(&hull)).density(300.0);
    world.add(BodyDef::dynamic().at([-8.5, 2.5]).angle(1.2).shape(boat))?;
    let crates = DENSITIES.iter().enumerate().map(|(k, &density)| {
        let shape = ShapeDef::from(Shape::rect(1.6, 1.0)).density(density);
        BodyDef::dynamic().at([2.6 * k as f32 - 4.5, 1.0 + 0.3 * k as f32]).angle(0.2).shape(shape)
    });
    world.add_all(crates)
}

const CENTER: Vec2 = vec2(24.0, 0.0);

/// A planet of 1.5 m, with 10 m/s² on its ground, and three moons.
fn planet(world: &mut World) -> Result<Vec<BodyId>, carom::Error> {
    let reach = ShapeDef::from(Shape::circle(10.0)).sensor();
    let planet = world.add(BodyDef::fixed().at(CENTER).shape(Shape::circle(1.5)).shape(reach))?;
    let reach = world.shapes_of(planet).find(|(_, it)| it.is_sensor()).map(|(id, _)| id);
    if let Some(reach) = reach {
        world.set_area(reach, Some(Area::planet(10.0, 1.5)))?;
    }
    // G M = 10 · 1.5²; a circle at r takes √(G M / r).
    let moon = |r: f32, share: f32| {
        let speed = share * (22.5 / r).sqrt();
        BodyDef::dynamic().at(CENTER + vec2(r, 0.0)).velocity([0.0, speed]).shape(Shape::circle(0.25))
    };
    world.add_all([moon(3.0, 1.0), moon(4.5, 1.1), moon(7.5, 0.75)])
}

fn picture([before, after]: [&Moment; 2], trails: &[Vec<Vec2>]) -> Svg {
    const MIN: Vec2 = vec2(-13.0, -7.0);
    const MAX: Vec2 = vec2(34.0, 9.0);
    let below = vec2(0.0, -17.0);
    let mut svg = Svg::new(MIN + below, MAX, 18.0);
    let style = |id: BodyId| Some(Style { opacity: 0.5, width: 1.0, ..Style::body(PALETTE[id.index() % 6]) });
    for (title, offset, moment) in [("before", Vec2::ZERO, before), ("after 50 s", below, after)] {
        svg.shifted(offset, |svg| {
            svg.text(vec2(-2.0, 6.0), 18.0, title, Style::flat(INK));
            svg.polyline(
                &[vec2(-11.5, 0.0), vec2(11.5, 0.0)],
                Style { width: 1.0, ..Style::outline(PALETTE[0]) },
            );
            if offset != Vec2::ZERO {
                for (trail, color) in trails.iter().zip(PALETTE) {
                    svg.polyline(trail, Style { width: 0.5, ..Style::outline(color) });
                }
            }
            moment.draw(svg, style);
        });
    }
    svg
}
