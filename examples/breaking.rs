//! A house that is made of the pixels of a picture is sliced, a pane in it is shot to shards, and
//! bombs dig craters into the ground around it.
//!
//! Prints how many bodies and parts there are in the end; leaves `out/breaking.svg`: before, the
//! moment after, and when all has come to rest.
//!
//! ```text
//! cargo run --release -p carom-examples --example breaking
//! ```

use std::error::Error;

use carom::prelude::*;
use testkit::draw::svg::{BLUE, GREY, INK, ORANGE, Style, Svg};
use testkit::random::Random;

const DT: f32 = 1.0 / 60.0;

/// A gate, as a picture of pixels of 0.5 m.
const GATE: [&str; 10] = [
    "..............",
    "#..##....##..#",
    "##############",
    "##############",
    "#####....#####",
    "####......####",
    "####......####",
    "####......####",
    "####......####",
    "####......####",
];

/// What a body is drawn in.
const STONE: u64 = 1;
const GLASS: u64 = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let mut random = Random::new(12);
    let mut hill: Vec<Vec2> = (0..=60)
        .map(|k| vec2(15.0 - 0.5 * k as f32, -random.range(0.0_f32, 0.3) * f32::from(u8::from(k % 60 != 0))))
        .collect();
    // Level where the gate stands.
    hill.iter_mut().filter(|p| p.x.abs() < 8.0).for_each(|p| p.y = 0.0);
    hill.extend([vec2(-15.0, -5.0), vec2(15.0, -5.0)]);
    let hill = world.add(BodyDef::fixed().shape(Shape::outline(&hill)))?;
    let pixels: Vec<bool> = GATE.iter().flat_map(|row| row.bytes().map(|pixel| pixel == b'#')).collect();
    let gate = Shape::from_mask(0.5, 14, &pixels, 0.0).at([-3.5, 0.0]);
    let stone = BodyDef { user_data: STONE, ..BodyDef::dynamic() }.density(3.0);
    let gate = world.add(stone.shape(gate))?;
    let glass = BodyDef { user_data: GLASS, ..BodyDef::dynamic() }.at([7.0, 1.5]).density(2.0);
    let pane = world.add(glass.shape(Shape::rect(0.3, 3.0)))?;
    let ball = world.add(BodyDef::dynamic().at([-12.0, 1.0]).shape(Shape::circle(0.6)).density(4.0))?;
    for _ in 0..120 {
        world.step(DT)?;
    }
    let mut frames = vec![look(&world)];

    // Three swipes, each through everything that the ones before have left.
    let swipes = [([-6.0, 5.2], [6.0, 2.2]), ([-2.0, 6.0], [-3.4, -1.0]), ([1.2, 6.0], [2.9, 0.0])];
    let mut pieces = vec![gate];
    for (from, to) in swipes {
        let mut next = Vec::new();
        for id in pieces {
            next.extend(world.slice(id, from, to)?);
        }
        pieces = next;
    }
    let blow = |random: &mut Random| {
        vec2(7.0, 1.6) + vec2(random.range(-0.15_f32, 0.15), random.range(-1.3_f32, 1.3))
    };
    let points: Vec<Vec2> = (0..14).map(|_| blow(&mut random)).collect();
    let shards = world.fragment(pane, &points)?;
    let crater = Shape::circle(1.3);
    for x in [-11.5, -9.6, 10.5, 12.0] {
        world.subtract(hill, &PlacedShape::at(&crater, [x, 0.2]))?;
    }
    world.explode([8.5, 1.0], 1.0, 3.0, 2.0)?;
    world.set_velocity(ball, [9.0, 2.0])?;
    for _ in 0..12 {
        world.step(DT)?;
    }
    frames.push(look(&world));
    for _ in 0..700 {
        world.step(DT)?;
    }
    frames.push(look(&world));
    let parts = world.shapes_of(hill).map(|(_, it)| polygons(it.shape()).len()).sum::<usize>();
    println!(
        "the gate is {} pieces, the pane {}; the ground has {parts} convex parts; {} bodies are awake",
        pieces.len(),
        shards.len(),
        world.stats().awake
    );
    draw(&frames)?;
    Ok(())
}

/// An outline and what it is drawn in.
type Look = (Vec<Vec2>, u64, bool);

fn polygons(shape: &Shape) -> Vec<Shape> {
    match shape {
        Shape::Compound(compound) => compound.parts().to_vec(),
        one => vec![one.clone()],
    }
}

fn look(world: &World) -> Vec<Look> {
    let mut all = Vec::new();
    for (id, body) in world.bodies() {
        let at = Transform { position: body.position(), rotation: body.rotation() };
        for part in world.shapes_of(id).flat_map(|(_, it)| polygons(it.shape())) {
            let is_fixed = body.kind() == BodyKind::Fixed;
            let corners = match part.transformed(at) {
                Shape::Polygon(polygon) => polygon.vertices().to_vec(),
                Shape::Obb(obb) => obb.corners().to_vec(),
                Shape::Circle(circle) => (0..40)
                    .map(|k| {
                        circle.center() + Vec2::from(carom::math::sin_cos(k as f32 * 0.157)) * circle.radius()
                    })
                    .collect(),
                _ => continue,
            };
            all.push((corners, body.user_data(), is_fixed));
        }
    }
    all
}

fn draw(frames: &[Vec<Look>]) -> std::io::Result<()> {
    let step = 12.0;
    let mut svg = Svg::new(vec2(-15.5, -5.5), vec2(15.5, step * frames.len() as f32 - 4.5), 26.0);
    let titles = ["a gate of pixels, and a pane", "sliced, shot, and bombed", "at rest"];
    for (frame, (k, title)) in frames.iter().zip(titles.iter().enumerate()) {
        svg.shifted(vec2(0.0, step * (frames.len() - 1 - k) as f32), |svg| {
            for (corners, kind, is_fixed) in frame {
                let color = match (*kind, is_fixed) {
                    (_, true) => GREY,
                    (GLASS, _) => BLUE,
                    _ => ORANGE,
                };
                svg.polygon(corners, if *is_fixed { Style::flat(color) } else { Style::body(color) });
            }
            svg.text(vec2(-15.0, 5.6), 0.7, title, Style::flat(INK));
        });
    }
    std::fs::create_dir_all("out")?;
    svg.save("out/breaking.svg")
}
