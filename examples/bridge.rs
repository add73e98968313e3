//! A plank bridge between two cliffs: barrels roll over it, crates stand on it, and a ball is too
//! heavy for it.
//!
//! One of its hinges has rusted and holds a quarter of what the others do. Prints what the bridge
//! bears, and which hinge broke when and at what force; leaves `out/bridge.svg`: the bridge empty,
//! in use, and how it breaks.
//!
//! ```text
//! cargo run --release -p carom-examples --example bridge
//! ```

use carom::prelude::*;
use std::error::Error;
use testkit::draw::moment::Moment;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, RED, Style, Svg};
use testkit::joint_scenes::{Bridge, BridgeDef, bridge, greatest_gap};

const DT: f32 = 1.0 / 60.0;
const LEFT: Vec2 = vec2(-8.0, 0.0);
const BRIDGE: BridgeDef = BridgeDef { planks: 16, size: vec2(1.0, 0.2), slope: 0.35, density: 400.0 };
/// What a hinge holds, in N.
const STRENGTH: f32 = 900_000.0;
/// Which hinge is rusty, and what that one holds.
const RUSTY: (usize, f32) = (10, 300_000.0);

/// What is put onto the bridge, at what time.
struct Load {
    time: f32,
    at: Vec2,
    /// Of what rolls.
    speed: f32,
    shape: Shape,
    density: f32,
}

fn loads() -> [Load; 6] {
    let ball = |time: f32, [x, y, radius]: [f32; 3], speed, density| Load {
        time,
        at: vec2(x, y + radius),
        speed,
        shape: Shape::circle(radius),
        density,
    };
    let crate_ = |time: f32, [x, y, size]: [f32; 3]| Load {
        time,
        at: vec2(x, y + 0.5 * size),
        speed: 0.0,
        shape: Shape::rect(size, size),
        density: 300.0,
    };
    [
        ball(1.0, [-12.0, 0.1, 0.5], 6.5, 300.0),
        ball(1.8, [-12.0, 0.1, 0.35], 6.5, 300.0),
        crate_(6.0, [-2.6, -1.1, 1.1]),
        crate_(6.0, [-1.2, -1.2, 0.9]),
        crate_(7.5, [-1.9, 0.2, 0.7]),
        ball(10.0, [1.0, 0.1, 1.1], 0.0, 1_300.0),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let right = BRIDGE.end(LEFT);
    let mut cliff = |from: f32, to: f32| {
        world.add(BodyDef::fixed().at([0.5 * (from + to), -4.4]).shape(Shape::rect(to - from, 9.0)))
    };
    let banks = [cliff(LEFT.x - 6.0, LEFT.x - 0.12)?, cliff(right.x + 0.12, right.x + 6.0)?];
    world.add(BodyDef::fixed().at([0.5 * (LEFT.x + right.x), -9.4]).shape(Shape::rect(30.0, 1.0)))?;
    let bridge = bridge(&mut world, &BRIDGE, LEFT, banks);
    for (k, &hinge) in bridge.hinges.iter().enumerate() {
        let strength = if k == RUSTY.0 { RUSTY.1 } else { STRENGTH };
        world.change_joint(hinge, |def| def.break_force = strength)?;
    }
    let mut loads = loads().into_iter().peekable();
    let (mut bodies, mut moments) = (Vec::new(), Vec::new());
    let mut gap = 0.0;
    for step in 0..=(14.0 / DT) as usize {
        let time = step as f32 * DT;
        while let Some(load) = loads.next_if(|load| load.time <= time) {
            let roll = -load.speed / load.shape.bounding_circle().radius;
            let body =
                BodyDef::dynamic().at(load.at).velocity([load.speed, 0.0]).spin(roll).shape(load.shape);
            bodies.push(world.add(body.density(load.density))?);
            println!("{time:5.2} s  {:.0} kg let go", world[bodies[bodies.len() - 1]].mass());
        }
        if MOMENTS.iter().any(|(moment, _)| (moment - time).abs() < 0.5 * DT) {
            report(&world, &bridge, time);
            moments.push(Moment::of(&world));
        }
        world.step(DT)?;
        for event in world.events().broken() {
            let hinge = bridge.hinges.iter().position(|&hinge| hinge == event.joint);
            println!("{:5.2} s  hinge {} broke: {:.0} N", time + DT, hinge.unwrap_or(0), event.force);
        }
        let now = greatest_gap(&world);
        gap = if now > gap { now } else { gap };
    }
    println!("greatest gap of a hinge: {:.2} mm", 1e3 * gap);
    picture(&bridge, &bodies, &moments).save("out/bridge.svg")?;
    Ok(())
}

/// When the picture looks, in seconds, and what it shows.
const MOMENTS: [(f32, &str); 6] = [
    (0.9, "empty"),
    (2.7, "barrels roll over it"),
    (9.9, "crates stand on it"),
    (10.4, "a ball falls"),
    (10.8, "too heavy"),
    (13.5, "what is left"),
];

/// How far the bridge hangs down, and the largest force in a hinge.
fn report(world: &World, bridge: &Bridge, time: f32) {
    let heights = bridge.planks.iter().map(|&plank| world[plank].position().y);
    let lowest = heights.fold(0.0, |low, y| if y < low { y } else { low });
    let forces =
        bridge.hinges.iter().filter_map(|&hinge| world.joint_state(hinge)).map(|it| it.force.length());
    let force = forces.fold(0.0, |most, force| if force > most { force } else { most });
    println!("{time:5.2} s  lowest plank {:.2} m below the banks, largest force {force:.0} N", -lowest);
}

fn picture(bridge: &Bridge, bodies: &[BodyId], moments: &[Moment]) -> Svg {
    const MIN: Vec2 = vec2(-12.4, -9.4);
    const SIZE: Vec2 = vec2(24.6, 14.0);
    let mut svg = Svg::new(MIN - vec2(0.0, SIZE.y), MIN + vec2(3.0 * SIZE.x, SIZE.y), 17.5);
    let style = |id: BodyId| match bodies.iter().position(|&body| body == id) {
        Some(k) => Style::body([BLUE, BLUE, GREEN, GREEN, GREEN, RED][k]),
        None if bridge.planks.contains(&id) => Style { opacity: 0.6, ..Style::body(ORANGE) },
        None => Style { fill: "#e4e7ea", opacity: 1.0, ..Style::body(GREY) },
    };
    for (k, (moment, (time, title))) in moments.iter().zip(MOMENTS).enumerate() {
        let by = vec2(SIZE.x * (k % 3) as f32, -SIZE.y * (k / 3) as f32);
        svg.shifted(by, |svg| {
            svg.clipped(MIN + 0.3, MIN + SIZE - 0.3, |svg| moment.draw(svg, |id| Some(style(id))));
            svg.text(vec2(-11.8, 3.4), 16.0, &format!("{time:.1} s: {title}"), Style::flat(INK));
        });
    }
    svg
}
