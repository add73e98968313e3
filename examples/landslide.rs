//! Stones of all shapes down a slope: circles, capsules, boxes, polygons, outlines with notches,
//! compounds.
//!
//! The slope is one chain, whose inner corners are smooth: nothing catches on them. Prints how the
//! stones came to rest, and leaves `out/landslide.svg`: the slope before, and after twenty seconds.
//!
//! ```text
//! cargo run --release -p carom-examples --example landslide
//! ```

use carom::Material;
use carom::prelude::*;
use std::error::Error;
use std::f32::consts::TAU;
use testkit::draw::moment::Moment;
use testkit::draw::svg::{INK, PALETTE, Style, Svg};
use testkit::random::Random;

const STONES: usize = 320;
const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 1_200;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(WorldDef::default());
    let slope = slope();
    world.add(BodyDef::fixed().shape(Shape::chain(&slope)))?;
    let stones = stones(&mut world)?;
    let before = Moment::of(&world);
    let (mut fastest, mut asleep_at) = (0.0_f32, None);
    for step in 1..=STEPS {
        let stats = world.step(DT)?;
        fastest = stones.iter().map(|&stone| world[stone].velocity().length()).fold(fastest, largest);
        if stats.awake == 0 && asleep_at.is_none() {
            asleep_at = Some(step as f32 * DT);
        }
    }
    let awake = stones.iter().filter(|&&stone| world[stone].is_awake()).count();
    let is_below = |center: Vec2| center.y < ground(&slope, center.x);
    let below = stones.iter().filter(|&&stone| is_below(world[stone].world_center().position()));
    let furthest = stones.iter().map(|&stone| world[stone].position().x).fold(f32::MIN, largest);
    println!("{STONES} stones, {STEPS} steps; fastest {fastest:.1} m/s, furthest {furthest:.1} m out");
    match asleep_at {
        Some(time) => println!("all asleep after {time:.1} s"),
        None => println!("{awake} still awake"),
    }
    println!("stones whose centre is below the ground: {}", below.count());
    picture(&slope, &stones, [&before, &Moment::of(&world)]).save("out/landslide.svg")?;
    Ok(())
}

fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// From the cliff down to the plain, and up a little at its end.
fn slope() -> Vec<Vec2> {
    let mut points = vec![vec2(-31.0, 19.0)];
    for k in 0..=20 {
        let x = -30.0 + 2.0 * k as f32;
        // Steep above, flat below, with a swell on it.
        let share = k as f32 / 20.0;
        points.push(vec2(x, 12.0 * (1.0 - share) * (1.0 - share) + 0.35 * f32::from(k % 3 == 1)));
    }
    points.extend([vec2(24.0, 0.0), vec2(26.0, 1.0), vec2(27.0, 4.0)]);
    points
}

/// Height of the ground at `x`.
fn ground(slope: &[Vec2], x: f32) -> f32 {
    let edge = slope.windows(2).find(|edge| (edge[0].x..=edge[1].x).contains(&x));
    edge.map_or(f32::MIN, |edge| {
        edge[0].y + (edge[1].y - edge[0].y) * (x - edge[0].x) / (edge[1].x - edge[0].x)
    })
}

/// A grid of stones above the upper slope.
fn stones(world: &mut World) -> Result<Vec<BodyId>, carom::Error> {
    let mut random = Random::new(7);
    // Without resistance to rolling, a round stone would roll on over the plain for good.
    let surface = Material { rolling_resistance: 0.02, ..Material::default().friction(0.35) };
    let mut stones = Vec::new();
    for k in 0..STONES {
        let at = vec2(-28.5 + 0.95 * (k % 16) as f32, 13.6 + 0.95 * (k / 16) as f32);
        let (size, angle) = (random.range(0.35, 0.75), random.range(0.0, TAU));
        let stone = BodyDef::dynamic().at(at).angle(angle).shape(stone(k % 6, size)).density(2_500.0);
        stones.push(world.add(stone.material(surface))?);
    }
    Ok(stones)
}

/// A stone about `size` metres across.
fn stone(kind: usize, size: f32) -> Shape {
    match kind {
        0 => Shape::circle(0.5 * size),
        1 => Shape::capsule([-0.3 * size, 0.0], [0.3 * size, 0.0], 0.25 * size),
        2 => Shape::rect(size, 0.7 * size),
        3 => Shape::regular(5, 0.4 * size).rounded(0.1 * size),
        // A dart with a notch in its stern.
        4 => Shape::polar(
            &[vec2(0.6, 0.0), vec2(-0.45, 0.45), vec2(-0.1, 0.0), vec2(-0.45, -0.45)].map(|p| p * size),
        ),
        _ => Shape::compound([
            Shape::rect(size, 0.35 * size),
            Shape::rect(0.35 * size, size).at([0.3 * size, 0.3 * size]),
        ]),
    }
}

fn picture(slope: &[Vec2], stones: &[BodyId], [before, after]: [&Moment; 2]) -> Svg {
    /// From the left to the right cliff, with room above for the stones.
    const MIN: Vec2 = vec2(-32.0, -1.0);
    const MAX: Vec2 = vec2(28.0, 33.5);
    let below = vec2(0.0, -24.0);
    let mut svg = Svg::new(MIN + below, MAX, 18.0);
    let style = |id: BodyId| {
        let k = stones.iter().position(|&stone| stone == id)?;
        Some(Style { opacity: 0.4, width: 1.0, ..Style::body(PALETTE[k % 6]) })
    };
    for (title, offset, moment) in [("before", Vec2::ZERO, before), ("after 20 s", below, after)] {
        svg.shifted(offset, |svg| {
            svg.text(vec2(-12.0, 20.0), 18.0, title, Style::flat(INK));
            svg.polyline(slope, Style { width: 2.5, ..Style::outline(INK) });
            moment.draw(svg, style);
        });
    }
    svg
}
