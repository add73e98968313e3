//! Loose bodies of a wild scene.
//!
//! In: a recipe and random numbers. Out: bodies with their extents, without a place.

use carom::{Aabb, Transform, Vec2, vec2};
use core::f32::consts::{PI, TAU};

use super::recipe::{Form, Recipe};
use super::{log_range, on_circle, smaller};
use crate::random::Random;
use crate::scenes::plan::{BodyPlan, Part};

/// A box of a compound: half width, half height, x, y.
type Plank = [f32; 4];
/// An L, a T, a cross, a U, an H, in a square from -1 to 1.
const COMPOUNDS: [&[Plank]; 5] = [
    &[[0.25, 1.0, -0.75, 0.0], [0.75, 0.25, 0.25, -0.75]],
    &[[1.0, 0.3, 0.0, 0.7], [0.3, 0.7, 0.0, -0.3]],
    &[[0.3, 1.0, 0.0, 0.0], [1.0, 0.3, 0.0, 0.0]],
    &[[1.0, 0.2, 0.0, -0.8], [0.2, 0.8, -0.8, 0.2], [0.2, 0.8, 0.8, 0.2]],
    &[[0.2, 1.0, -0.8, 0.0], [0.2, 1.0, 0.8, 0.0], [0.6, 0.2, 0.0, 0.0]],
];

/// A body before it has a place.
pub(super) struct Loose {
    pub(super) plan: BodyPlan,
    /// Side of the square that holds it and its share of the gap.
    pub(super) side: f32,
    /// Of that square, against the place of the body.
    pub(super) middle: Vec2,
}

/// All loose bodies, in the order of creation.
pub(super) fn loose_bodies(recipe: &Recipe, random: &mut Random) -> Vec<Loose> {
    (0..recipe.loose).map(|_| loose_body(recipe, random)).collect()
}

fn loose_body(recipe: &Recipe, random: &mut Random) -> Loose {
    let form = random.one(&recipe.forms);
    let largest = recipe.smallest * recipe.spread;
    // The smaller one of two: few large bodies among many small ones.
    let sizes = [(); 2].map(|()| log_range(random, recipe.smallest, largest));
    let parts = parts(form, smaller(sizes[0], sizes[1]), random);
    let mut plan = BodyPlan::dynamic(Vec2::ZERO);
    plan.angle = if recipe.pile.turned { random.range(-PI, PI) } else { 0.0 };
    let density = log_range(random, 1.0, recipe.densities);
    let friction = random.range(recipe.friction[0], recipe.friction[1]);
    for part in parts {
        plan = plan.part(part.density(density).friction(friction).restitution(recipe.restitution));
    }
    let bounds = bounds(&plan);
    let size = bounds.size().max_element();
    Loose { side: size * (1.0 + recipe.pile.gap), middle: bounds.center(), plan }
}

/// Around all parts of a body at the origin.
fn bounds(plan: &BodyPlan) -> Aabb {
    let frame = Transform::new(Vec2::ZERO, plan.angle);
    let boxes = plan.parts.iter().map(|part| part.shape().aabb(frame));
    boxes.reduce(|sum, next| sum.union(next)).expect("a body has a part")
}

/// The parts of a body of half the extent `size`.
fn parts(form: Form, size: f32, random: &mut Random) -> Vec<Part> {
    match form {
        Form::Circle => vec![Part::circle(size)],
        Form::Box => vec![Part::rect(size, size * random.one(&[1.0, 1.0, 0.75, 0.5]))],
        Form::ThinBox => vec![Part::rect(size, size / random.range(4.0, 16.0))],
        Form::Capsule => {
            let half = size * random.range(0.3, 0.8);
            vec![Part::capsule(vec2(-half, 0.0), vec2(half, 0.0), size - half)]
        }
        Form::Polygon => vec![polygon(size, random)],
        Form::Compound => {
            let plank =
                |&[x, y, at_x, at_y]: &Plank| Part::rect(size * x, size * y).at(size * vec2(at_x, at_y));
            random.one(&COMPOUNDS).iter().map(plank).collect()
        }
    }
}

/// Corners on a circle, each a little off its even place: less on small ones, of which Box2D would
/// drop corners less than 1 cm off the line of their neighbours.
fn polygon(radius: f32, random: &mut Random) -> Part {
    let corners = 3 + random.below(6);
    let off = if radius < 0.25 { 0.15 } else { 0.3 };
    let share = TAU / corners as f32;
    let corner = |k: usize| on_circle(radius, share * (k as f32 + random.range(-off, off)));
    Part::polygon((0..corners).map(corner).collect::<Vec<Vec2>>())
}
