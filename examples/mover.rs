//! A character that walks through a level: through a one-way ledge, up a slope and stairs, over a
//! gap on a lift, down a slope, against a crate and over it.
//!
//! The character is a [`Mover`] that drives a kinematic body: the program says how fast it wants to
//! go, and the mover where that leads. Input comes from a script, so that every run is the same.
//! Prints what happened, and leaves `out/mover.svg` with the path, the places where it stood in
//! blue and those where it was in the air in orange.
//!
//! ```text
//!                               ~~~~ ________
//!    one-way            ________lift|        \__
//!     -----          __|            |           \__       crate
//!            slope __|  stairs      |              \________[]____|
//!   ___________.--'                 |
//! ```

use carom::prelude::*;
use carom::{MoveOutcome, MoverDef};
use std::error::Error;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, PURPLE, Style, Svg};
use testkit::level::{Level, level, lift_at, surfaces};

const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 900;
const RUN: f32 = 4.0;
const JUMP: f32 = 5.5;
const GRAVITY: f32 = 9.81;
const RADIUS: f32 = 0.3;
/// Ends of the capsule's middle line, from its place.
const HALF: Vec2 = vec2(0.0, 0.6);

/// How fast the character wants to run, and whether it jumps.
fn input(step: usize) -> (f32, bool) {
    match step {
        20 => (0.0, true), // up through the ledge
        0..110 => (0.0, false),
        110..320 => (RUN, false),
        320..332 => (0.5 * RUN, false),
        332..540 => (0.0, false), // stands on the lift
        700 => (RUN, true),
        _ => (RUN, false),
    }
}

fn describe(outcome: &MoveOutcome, level: &Level) -> &'static str {
    match outcome.ground {
        None => "in the air",
        Some(ground) if ground.body == level.lift => "on the lift",
        Some(ground) if ground.body == level.crate_ => "on the crate",
        Some(ground) if ground.normal.y < 0.99 => "on a slope",
        Some(_) => "on the level",
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let shape = Shape::capsule(-HALF, HALF, RADIUS);
    let mut mover = Mover::new(MoverDef::new(shape))?;
    let mut level = level(&mover)?;
    let (mut velocity, mut grounded, mut before) = (Vec2::ZERO, false, "");
    let mut path: Vec<(Vec2, bool)> = Vec::new();
    for step in 0..STEPS {
        // Platforms first, so that the mover knows where they will be.
        level.world.move_to(level.lift, lift_at(step + 1), 0.0)?;
        let (run, jump) = input(step);
        let up = if jump && grounded { JUMP } else { velocity.y - GRAVITY * DT };
        let outcome = mover.move_body(&mut level.world, level.hero, vec2(run, up), DT)?;
        level.world.step(DT)?;
        (velocity, grounded) = (outcome.velocity, outcome.grounded());
        let now = describe(&outcome, &level);
        if now != before {
            println!("{:5.2} s  {now}, at {:.2}", step as f32 * DT, outcome.position);
            before = now;
        }
        path.push((outcome.position.position(), grounded));
    }
    println!("the crate was pushed to x = {:.2}", level.world[level.crate_].position().x);
    picture(&level, &path).save("out/mover.svg")?;
    Ok(())
}

fn picture(level: &Level, path: &[(Vec2, bool)]) -> Svg {
    let mut svg = Svg::new(vec2(-4.0, -0.6), vec2(27.4, 7.0), 36.0);
    svg.grid(1.0);
    for surface in surfaces() {
        let mut ground = surface.clone();
        let (first, last) = (surface[0], surface[surface.len() - 1]);
        ground.extend([vec2(last.x, -0.6), vec2(first.x, -0.6)]);
        svg.polygon(&ground, Style { opacity: 0.15, ..Style::flat(GREY) });
        svg.polyline(&surface, Style { width: 2.0, ..Style::outline(INK) });
    }
    for (id, body) in level.world.bodies() {
        let color = match id {
            _ if id == level.lift => PURPLE,
            _ if id == level.crate_ => ORANGE,
            _ => GREEN,
        };
        for (_, collider) in level.world.shapes_of(id) {
            if let Shape::Obb(obb) = collider.shape() {
                let corners = obb.corners().map(|corner| body.transform().apply(corner));
                let dash = if collider.one_way().is_some() { 4.0 } else { 0.0 };
                svg.polygon(&corners, Style { dash, ..Style::body(color) });
            }
        }
    }
    let mut drawn = Vec2::INFINITY;
    for &(at, grounded) in path {
        if at.distance(drawn) < 0.7 {
            continue;
        }
        drawn = at;
        let color = if grounded { BLUE } else { ORANGE };
        svg.rounded(
            &[at - HALF, at + HALF],
            RADIUS,
            Style { opacity: 0.08, width: 0.7, ..Style::body(color) },
        );
    }
    let middle: Vec<Vec2> = path.iter().step_by(2).map(|&(at, _)| at).collect();
    svg.polyline(&middle, Style { width: 1.5, ..Style::outline(BLUE) });
    for (at, text) in [
        (vec2(-3.2, 0.9), "one-way"),
        (vec2(4.2, 0.4), "slope"),
        (vec2(7.4, 1.2), "stairs"),
        (vec2(11.6, 2.3), "lift"),
        (vec2(17.2, 2.2), "slope"),
        (vec2(23.6, 1.5), "crate"),
    ] {
        svg.label(at, 14.0, text, Style::flat(INK));
    }
    svg
}
