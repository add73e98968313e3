//! Scenes drawn from seeds, in no engine's words: a measure that cannot be tuned to.
//!
//! In: a seed. Out: a [`WildScene`], the same on every machine, which builds itself on a [`Stage`].
//!
//! ```text
//!   recipe.rs    seed -> what there is: how many bodies, of what forms, on what ground, what stirs
//!   forms.rs     recipe -> loose bodies            cells.rs      bodies -> places, none in another
//!   machines.rs  chains, nets, dolls, cars, ...    ground.rs     what they fall on
//!   stirrers.rs  paddles, pushers, balls, blasts   words.rs      the recipe, to be read
//! ```
//!
//! Loose bodies and machines start in a box above y = 0, whatever the ground is: each ground lies
//! below, or around.
//!
//! ```text
//!     _____________
//!    | balls       |  only where balls are shot
//!    | machines    |
//!    | loose bodies|
//!    | paddles     |  only where there are some
//!    |_____________|  y = 0
//!   #               #
//!   ### ground ######
//! ```

mod cells;
mod forms;
mod ground;
mod machines;
pub mod recipe;
mod stirrers;
mod words;

use carom::{Vec2, vec2};

use super::plan::{BodyPlan, Handle, WorldPlan};
use super::{Play, Stage};
use crate::random::Random;
use crate::{greater, smaller};
use cells::Cells;
use forms::Loose;
use machines::MachineRows;
use recipe::Recipe;

/// Shapes of dynamic bodies × steps that an engine plays in some two seconds.
const SHAPE_STEPS: usize = 1_200_000;
/// No scene has fewer steps or more.
const STEPS: [usize; 2] = [150, 600];

/// A scene that a seed gave.
#[derive(Clone, Debug, PartialEq)]
pub struct WildScene {
    /// From which all of it is drawn.
    pub seed: u64,
    /// What there is.
    pub recipe: Recipe,
    /// How many steps it is played for.
    pub steps: usize,
}

/// The box in which everything that moves starts: from `-width / 2` to `width / 2`, and from 0 to
/// `height`.
#[derive(Clone, Copy, Debug)]
struct StartBox {
    width: f32,
    height: f32,
}

impl WildScene {
    /// The scene of a seed.
    pub fn new(seed: u64) -> WildScene {
        let recipe = Recipe::draw(&mut Random::new(seed));
        let shapes = recipe.shape_count();
        let steps = (SHAPE_STEPS / shapes.max(1)).clamp(STEPS[0], STEPS[1]);
        WildScene { seed, recipe, steps }
    }

    /// What is there, to be read: `412 boxes, sizes 1:8, ...`.
    pub fn words(&self) -> String {
        words::of(&self.recipe)
    }

    /// The world that it asks for, on one thread.
    pub fn world_plan(&self) -> WorldPlan {
        WorldPlan { gravity: self.recipe.gravity, sleep: self.recipe.sleep, threads: 1 }
    }

    /// Adds all that is there at the start.
    pub fn build(&self, stage: &mut dyn Stage) -> Play {
        let recipe = &self.recipe;
        // Not the stream that drew the recipe.
        let mut random = Random::new(!self.seed);
        let mut loose = forms::loose_bodies(recipe, &mut random);
        let mut cells = Cells::new(&loose, recipe.pile.aspect);
        let rows = MachineRows::new(recipe, cells.width());
        let width = greater(cells.width(), rows.width);
        let band = stirrers::band(recipe, width);
        cells.place_all(&mut loose, band);
        let height = band + cells.height() + rows.height;
        let start = StartBox { width, height: height + stirrers::headroom(recipe) };

        let container = ground::add(stage, recipe, start, &mut random);
        let mut moved = add_loose(stage, loose, recipe, &mut random);
        moved.extend(rows.add(stage, recipe, band + cells.height(), &mut random));
        let script = stirrers::add(stage, recipe, start, moved, random);
        Play { script, container: Some(container) }
    }
}

/// Adds the loose bodies, shaken or at rest.
fn add_loose(stage: &mut dyn Stage, loose: Vec<Loose>, recipe: &Recipe, random: &mut Random) -> Vec<Handle> {
    let speed = recipe.pile.shaken;
    let shaken = |body: Loose| {
        let velocity = random.square(speed);
        let spin = random.range(-speed, speed);
        stage.add(BodyPlan { velocity, spin, ..body.plan })
    };
    loose.into_iter().map(shaken).collect()
}

/// Evenly within each octave, octaves alike: nearly even on a logarithmic scale, and the same bits
/// on every machine, which the mathematics library's logarithm is not.
fn log_range(random: &mut Random, low: f32, high: f32) -> f32 {
    let (mut octaves, mut top) = (0, low);
    while top < high {
        octaves += 1;
        top *= 2.0;
    }
    if octaves == 0 {
        return low;
    }
    loop {
        let base = low * (1_u32 << random.below(octaves)) as f32;
        let value = base * random.range(1.0, 2.0);
        if value <= high {
            return value;
        }
    }
}

/// A whole number between two, by [`log_range`].
fn log_count(random: &mut Random, low: usize, high: usize) -> usize {
    log_range(random, low as f32, high as f32) as usize
}

/// A point on a circle around the origin, at an angle in radians.
fn on_circle(radius: f32, angle: f32) -> Vec2 {
    let (sin, cos) = carom::math::sin_cos(angle);
    vec2(radius * cos, radius * sin)
}

/// Between two bounds.
fn limited(value: f32, low: f32, high: f32) -> f32 {
    smaller(greater(value, low), high)
}
