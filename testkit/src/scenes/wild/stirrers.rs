//! What keeps a wild scene moving.
//!
//! In: a recipe, and the bodies that can be moved. Out: kinematic bodies in the lowest band of the
//! start box, and a script for balls, blasts and pushers.

use carom::math::sin_cos;
use carom::{Vec2, vec2};
use core::f32::consts::PI;

use super::recipe::{Recipe, Stir};
use super::{StartBox, log_range};
use crate::random::Random;
use crate::scenes::plan::{BodyPlan, DT, Handle, Part};
use crate::scenes::{Script, Stage};
use crate::smaller;

/// Half of a band of paddles, in which they turn, against the width of the start box.
const PADDLE_REACH: f32 = 0.45;
/// Angular frequency of pushers, in rad/s.
const PUSH: f32 = 1.5;

/// What blasts give along each axis at most, in m/s.
const BLAST: f32 = 32.0;

/// What stirrers give to bodies directly, at most.
pub(super) fn greatest_speed(recipe: &Recipe) -> f32 {
    match recipe.stir {
        Stir::Nothing | Stir::Balls(_) => 0.0,
        Stir::Paddles(_) | Stir::Pushers(_) => 20.0,
        Stir::Blasts(_) => BLAST,
    }
}

/// Height of the band that stirrers take, below all else.
pub(super) fn band(recipe: &Recipe, width: f32) -> f32 {
    match recipe.stir {
        Stir::Paddles(count) => 2.0 * width * PADDLE_REACH / count as f32,
        Stir::Pushers(_) => 0.2 * width,
        _ => 0.0,
    }
}

/// Room above all else, where balls start.
pub(super) fn headroom(recipe: &Recipe) -> f32 {
    if let Stir::Balls(_) = recipe.stir { 3.0 * ball_radius(recipe) + 0.1 } else { 0.0 }
}

fn ball_radius(recipe: &Recipe) -> f32 {
    3.0 * smaller(recipe.smallest, 1.0)
}

/// Adds what stirs. `moved` are all dynamic bodies.
pub(super) fn add(
    stage: &mut dyn Stage,
    recipe: &Recipe,
    start: StartBox,
    moved: Vec<Handle>,
    mut random: Random,
) -> Script {
    match recipe.stir {
        Stir::Nothing => Box::new(|_, _| {}),
        Stir::Paddles(count) => {
            add_paddles(stage, count, start.width, &mut random);
            Box::new(|_, _| {})
        }
        Stir::Pushers(count) => pushers(stage, count, start.width),
        Stir::Balls(every) => balls(recipe, every, start, random),
        Stir::Blasts(every) => blasts(every, moved, random),
    }
}

fn add_paddles(stage: &mut dyn Stage, count: usize, width: f32, random: &mut Random) {
    let apart = width / count as f32;
    let reach = PADDLE_REACH * apart;
    for k in 0..count {
        let at = vec2(apart * (k as f32 + 0.5) - 0.5 * width, reach);
        let paddle = BodyPlan::kinematic(at).part(Part::rect(0.95 * reach, 0.08 * reach));
        // Tips no faster than 20 m/s.
        let spin = random.sign() as f32 * log_range(random, 0.5, 8.0);
        stage.add(BodyPlan { spin: smaller(spin.abs(), 20.0 / reach).copysign(spin), ..paddle });
    }
}

/// Each slides over a third of its share of the width.
fn pushers(stage: &mut dyn Stage, count: usize, width: f32) -> Script {
    let apart = width / count as f32;
    let half = vec2(0.05 * apart, 0.09 * width);
    let pusher = |k: usize| {
        let at = vec2(apart * (k as f32 + 0.5) - 0.5 * width, 0.1 * width);
        stage.add(BodyPlan::kinematic(at).part(Part::rect(half.x, half.y)))
    };
    let pushers: Vec<Handle> = (0..count).map(pusher).collect();
    let most = smaller(PUSH * 0.3 * apart, 20.0);
    Box::new(move |stage, step| {
        let (_, cos) = sin_cos((PUSH * DT * step as f32) % (2.0 * PI));
        pushers.iter().for_each(|&pusher| stage.drive(pusher, vec2(most * cos, 0.0)));
    })
}

/// A ball each `every` steps, from above at a place of the floor.
fn balls(recipe: &Recipe, every: usize, start: StartBox, mut random: Random) -> Script {
    let radius = ball_radius(recipe);
    let (restitution, densities) = (recipe.restitution, 10.0 * recipe.densities);
    Box::new(move |stage, step| {
        if step == 0 || !step.is_multiple_of(every) {
            return;
        }
        let reach = 0.5 * start.width - smaller(radius, 0.5 * start.width);
        let at = vec2(random.range(-reach, reach), start.height - 1.5 * radius);
        let target = vec2(random.range(-reach, reach), 0.0);
        let velocity = (target - at).normalize() * log_range(&mut random, 15.0, 150.0);
        let part = Part::circle(radius).density(log_range(&mut random, 1.0, densities));
        stage.add(BodyPlan { velocity, ..BodyPlan::dynamic(at).part(part.restitution(restitution)) });
    })
}

/// A fifth of all bodies flies off, each in a direction of its own.
fn blasts(every: usize, moved: Vec<Handle>, mut random: Random) -> Script {
    let speed = log_range(&mut random, 2.0, BLAST);
    Box::new(move |stage, step| {
        if step == 0 || !step.is_multiple_of(every) {
            return;
        }
        for &body in &moved {
            if random.below(5) == 0 {
                let velocity: Vec2 = random.square(speed);
                stage.drive(body, velocity);
            }
        }
    })
}
