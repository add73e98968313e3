//! Ragdolls down a staircase: eleven bones each, hinged with limits, rub and weak muscles.
//!
//! What a doll is made of stands in `testkit/src/doll.rs`. Prints how well its joints held while
//! the dolls fell and lay, and leaves `out/ragdolls.svg`: three moments of the fall, and how they
//! came to rest.
//!
//! ```text
//! cargo run --release -p carom-examples --example ragdolls
//! ```

use carom::Touch;
use carom::prelude::*;
use std::error::Error;
use testkit::doll::{BONES, DollDef, doll};
use testkit::draw::moment::Moment;
use testkit::draw::svg::{GREY, INK, PALETTE, Style, Svg};
use testkit::joint_scenes::greatest_gap;

const DT: f32 = 1.0 / 60.0;
const SECONDS: f32 = 12.0;
const DOLLS: usize = 7;
/// When the picture looks, in seconds.
const MOMENTS: [f32; 4] = [0.0, 0.9, 1.8, SECONDS];

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    for (low, high) in STAIRS {
        let size = high - low;
        world.add(BodyDef::fixed().at(0.5 * (low + high)).shape(Shape::rect(size.x, size.y)))?;
    }
    for peg in PEGS {
        world.add(BodyDef::fixed().at(peg).shape(Shape::circle(PEG)))?;
    }
    let dolls = dolls(&mut world);
    let mut moments = vec![Moment::of(&world)];
    let (mut gap, mut strain, mut depth, mut fastest, mut asleep_at) = (0.0, 0.0, 0.0, 0.0, None);
    for step in 1..=(SECONDS / DT).round() as usize {
        let stats = world.step(DT)?;
        let time = step as f32 * DT;
        gap = largest(gap, greatest_gap(&world));
        strain = largest(strain, beyond_limits(&world));
        depth = largest(depth, deepest(&world));
        fastest = world.bodies().map(|(_, body)| body.velocity().length()).fold(fastest, largest);
        if stats.awake == 0 && asleep_at.is_none() {
            asleep_at = Some(time);
        }
        if MOMENTS[1..].iter().any(|moment| (moment - time).abs() < 0.5 * DT) {
            println!("{time:5.2} s  energy of motion {:8.2} J", kinetic_energy(&world));
            moments.push(Moment::of(&world));
        }
    }
    println!(
        "{DOLLS} dolls, {} bones, {} hinges; fastest bone {fastest:.1} m/s",
        BONES.len() * DOLLS,
        world.joint_count()
    );
    println!(
        "greatest gap of a hinge: {:.2} mm falling, {:.3} mm at rest",
        1e3 * gap,
        1e3 * greatest_gap(&world)
    );
    println!("farthest beyond a limit: {strain:.3} rad falling, {:.3} rad at rest", beyond_limits(&world));
    println!("deepest overlap: {:.1} mm falling, {:.1} mm at rest", 1e3 * depth, 1e3 * deepest(&world));
    match asleep_at {
        Some(time) => println!("all asleep after {time:.1} s"),
        None => println!("{} bones still awake", world.stats().awake),
    }
    picture(&dolls, &moments).save("out/ragdolls.svg")?;
    Ok(())
}

fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Lower left and upper right corners: a wall, a landing, five steps, the floor, and another wall.
const STAIRS: [(Vec2, Vec2); 9] = [
    (vec2(-3.2, -0.3), vec2(-3.0, 6.0)),
    (vec2(-3.0, -0.3), vec2(-0.4, 3.6)),
    (vec2(-0.4, -0.3), vec2(0.5, 3.0)),
    (vec2(0.5, -0.3), vec2(1.4, 2.4)),
    (vec2(1.4, -0.3), vec2(2.3, 1.8)),
    (vec2(2.3, -0.3), vec2(3.2, 1.2)),
    (vec2(3.2, -0.3), vec2(4.1, 0.6)),
    (vec2(4.1, -0.3), vec2(6.6, 0.0)),
    (vec2(6.6, -0.3), vec2(6.8, 1.2)),
];

const PEG: f32 = 0.2;
const PEGS: [Vec2; 3] = [vec2(-0.6, 5.1), vec2(1.5, 4.0), vec2(3.4, 2.9)];

/// Above the landing and the upper steps, each turned otherwise.
fn dolls(world: &mut World) -> Vec<[BodyId; BONES.len()]> {
    let def = |k: usize| DollDef {
        at: vec2(-2.2 + 1.4 * (k % 4) as f32 + 0.6 * (k / 4) as f32, 6.2 + 1.8 * (k / 4) as f32),
        angle: [0.2, -0.7, 0.5, -0.3, 1.2, 2.6, -1.0][k],
        group: -1 - k as i32,
        density: 230.0,
        friction: 2.0,
        muscle: Spring::new(1.2, 0.7),
        strength: 25.0,
    };
    (0..DOLLS).map(|k| doll(world, &def(k))).collect()
}

fn kinetic_energy(world: &World) -> f32 {
    world.bodies().map(|(_, body)| body.kinetic_energy()).sum()
}

/// The deepest overlap of two shapes, in m.
fn deepest(world: &World) -> f32 {
    let overlap = |touch: Touch| {
        let placed =
            |shape, body: BodyId| Some((world.get_shape(shape)?.shape(), world.get(body)?.transform()));
        let ((a, at_a), (b, at_b)) = (placed(touch.a, touch.body_a)?, placed(touch.b, touch.body_b)?);
        Some(contact(a, at_a, b, at_b)?.depth())
    };
    world.contacts().filter_map(|contact| overlap(contact.touch)).fold(0.0, largest)
}

/// How far a hinge has turned beyond its limits, in radians, of the one that has most.
fn beyond_limits(world: &World) -> f32 {
    let beyond = |(id, joint): (JointId, &carom::Joint)| {
        let (limits, state) = (joint.def().drive.limits?, world.joint_state(id)?);
        Some(largest(limits.lower - state.angle, state.angle - limits.upper))
    };
    world.joints().filter_map(beyond).fold(0.0, largest)
}

fn picture(dolls: &[[BodyId; BONES.len()]], moments: &[Moment]) -> Svg {
    const MIN: Vec2 = vec2(-3.3, -0.4);
    const SIZE: Vec2 = vec2(10.4, 9.5);
    let mut svg = Svg::new(MIN - vec2(0.0, SIZE.y), MIN + vec2(2.0 * SIZE.x, SIZE.y), 50.0);
    let style = |id: BodyId| match dolls.iter().position(|bones| bones.contains(&id)) {
        Some(k) => Style { opacity: 0.5, width: 1.2, ..Style::body(PALETTE[k % 6]) },
        None => Style { fill: "#e4e7ea", opacity: 1.0, ..Style::body(GREY) },
    };
    for (k, (moment, time)) in moments.iter().zip(MOMENTS).enumerate() {
        svg.shifted(vec2(SIZE.x * (k % 2) as f32, -SIZE.y * (k / 2) as f32), |svg| {
            svg.text(vec2(4.6, 8.3), 18.0, &format!("{time:.1} s"), Style::flat(INK));
            moment.draw(svg, |id| Some(style(id)));
        });
    }
    svg
}
