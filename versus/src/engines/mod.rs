//! The engines, one file each, behind one trait.
//!
//! In: plans. Out: places and speeds of the bodies. An adapter translates and does nothing else:
//! what it stores beside the engine is the engine's own id of each body, in order of creation.
//!
//! To add one: a file here, and its name in [`Rival`].

mod box2d;
mod carom;
mod rapier;

pub(crate) use box2d::Box2dTree;
pub(crate) use box2d::allocated_bytes as box2d_bytes;

use ::carom::{Transform, Vec2};
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan, WorldPlan};

pub(crate) use testkit::scenes::plan::DT;

/// Sub-steps of a step: rapier2d calls them solver iterations.
pub(crate) const SUB_STEPS: usize = 4;

/// What an explosion gives to a metre of surface, in N s.
pub(crate) const BLAST: f32 = 10.0;

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Of its frame.
    pub(crate) place: Transform,
    /// Of its centre of mass.
    pub(crate) velocity: Vec2,
    pub(crate) spin: f32,
}

/// Names and milliseconds.
pub(crate) type Parts = Vec<(&'static str, f64)>;

/// A ray, or the way of a square through the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) from: Vec2,
    pub(crate) by: Vec2,
}

/// A world of one engine.
pub(crate) trait Engine {
    /// Adds a body, whose handle is the count of bodies added before it.
    fn add(&mut self, plan: &BodyPlan);
    /// Adds many bodies: by the engine's own way to do that at once, if it has one.
    fn add_all(&mut self, plans: &[BodyPlan]) {
        plans.iter().for_each(|plan| self.add(plan));
    }
    /// Removes a body with its hinges.
    fn remove(&mut self, body: Handle);
    fn join(&mut self, plan: &HingePlan);
    /// Gives a kinematic or dynamic body another velocity, and wakes it.
    fn drive(&mut self, body: Handle, velocity: Vec2);
    fn step(&mut self);
    /// From now on [`parts`](Engine::parts) need not be told, which takes the engine time.
    fn stop_clock(&mut self) {}
    /// Milliseconds of the parts of the last step, where the engine tells them.
    fn parts(&self) -> Parts;
    fn state(&self, body: Handle) -> State;
    /// How many bodies there are, as the engine counts them.
    fn body_count(&self) -> usize;
    /// How many bodies are awake, as the engine says.
    fn awake_count(&self) -> usize;

    /// From now on questions are asked one at a time, where the engine has batches, too.
    fn ask_one_by_one(&mut self) {}
    /// How many of these rays hit something.
    fn rays(&mut self, rays: &[Way]) -> usize;
    /// How many squares of this half side hit something on their way.
    fn casts(&mut self, half: f32, ways: &[Way]) -> usize;
    /// How many shapes squares of this half side overlap, all together.
    fn overlaps(&mut self, half: f32, centers: &[Vec2]) -> usize;
    /// Of how many points something is within `most` metres, having found what is nearest; `None`
    /// where the engine has no such question.
    fn nearest(&mut self, most: f32, points: &[Vec2]) -> Option<usize>;

    /// Adds a level of square cells of 1 m, row by row from the origin, lowest row first: solid or
    /// not. Whether the engine has such a shape.
    fn tiles(&mut self, width: usize, solid: &[bool]) -> bool;
    /// Makes a cell of the level solid or empty.
    fn set_tile(&mut self, place: [usize; 2], solid: bool);
    /// Pushes bodies about a place, with full strength up to `radius` and less and less over
    /// `falloff` more. Whether the engine has such a call.
    fn explode(&mut self, at: Vec2, radius: f32, falloff: f32) -> bool;

    /// All that the engine would need to go on from here, as bytes; `None` where it has no such
    /// thing.
    fn save(&mut self) -> Option<Vec<u8>>;
    /// Goes back to what was saved; whether that went well.
    fn restore(&mut self, image: &[u8]) -> bool;
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rival {
    Carom,
    Box2d,
    Rapier,
}

impl Rival {
    pub(crate) const ALL: [Rival; 3] = [Rival::Carom, Rival::Box2d, Rival::Rapier];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Rival::Carom => "carom",
            Rival::Box2d => "box2d",
            Rival::Rapier => rapier::NAME,
        }
    }

    /// What it makes of a concave outline: the area of its convex parts, and how many these are;
    /// `None` where it takes no such outline.
    pub(crate) fn outline(self, points: &[Vec2]) -> Option<(f32, usize)> {
        match self {
            Rival::Carom => carom::outline(points),
            Rival::Box2d => None,
            Rival::Rapier => rapier::outline(points),
        }
    }

    /// Its version, and how it was built.
    pub(crate) fn build(self) -> String {
        match self {
            Rival::Carom => carom::build(),
            Rival::Box2d => box2d::build(),
            Rival::Rapier => rapier::build(),
        }
    }

    /// An empty world.
    ///
    /// # Errors
    /// More threads than the engine can be given, with the reason.
    pub(crate) fn world(self, plan: &WorldPlan) -> Result<Box<dyn Engine>, String> {
        match self {
            Rival::Carom => carom::CaromWorld::new(plan).map(boxed),
            Rival::Box2d => Ok(boxed(box2d::Box2dWorld::new(plan))),
            Rival::Rapier => rapier::RapierWorld::new(plan).map(boxed),
        }
    }
}

/// A world of carom whose parts take as long as they would on so many threads.
///
/// # Errors
/// A build without threads.
pub(crate) fn imagined(plan: &WorldPlan, threads: usize) -> Result<Box<dyn Engine>, String> {
    carom::CaromWorld::imagined(plan, threads).map(boxed)
}

fn boxed(engine: impl Engine + 'static) -> Box<dyn Engine> {
    Box::new(engine)
}
