//! Look-ahead (trajectory prediction): the motion of some bodies while all others stand still. For
//! an aiming line, or a bot that looks ahead.
//!
//! In: bodies of a world, and for how long. Out: the pose of each after each step, and the bodies
//! that it met; the world is not changed.
//!
//! ```text
//!   scene.rs      the bodies and the parts near them, in a small world of their own
//!   contacts.rs   their contacts, and visits of sensors
//!   excerpt.rs    a world with the numbers of another one
//!   flight.rs     steps in which nothing is near
//! ```
//!
//! The small world is stepped as any world is. Its parts have the same indices as in the large one
//! and its contacts the same order, so that the result has the same bits as the future. A step of a
//! small world takes at least a microsecond. Steps in which the bodies are near no others skip the
//! stages of a step, and take a tenth of that.

mod contacts;
mod excerpt;
mod flight;
mod scene;

use glam::Vec2;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::World;
use crate::body::{BodyId, ShapeId};
use crate::error::Error;
use crate::math::{Rot, WorldPoint};
use crate::world::edit::check::check;
use scene::Scene;

/// Most steps of a prediction.
const MOST_STEPS: u32 = 100_000;

/// Most places that a prediction holds.
const MOST_PREDICTED: usize = 10_000_000;

/// A body to be predicted, and its initial velocity.
///
/// ```
/// use carom::Start;
/// use carom::prelude::*;
///
/// let mut world = World::default();
/// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.2)))?;
/// let thrown = Start::from(ball).velocity([3.0, 4.0]);
/// assert_eq!((thrown.body, thrown.velocity), (ball, Some(vec2(3.0, 4.0))));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The body.
    pub body: BodyId,
    /// Its initial velocity, as by [`World::set_velocity`]; `None`: the present one.
    pub velocity: Option<Vec2>,
    /// Its initial spin, as by [`World::set_angular_velocity`]; `None`: the present one.
    pub angular_velocity: Option<f32>,
}

impl From<BodyId> for Start {
    fn from(body: BodyId) -> Start {
        Start { body, velocity: None, angular_velocity: None }
    }
}

impl Start {
    /// With an initial `velocity`, in m/s.
    #[must_use]
    pub fn velocity(self, velocity: impl Into<Vec2>) -> Start {
        Start { velocity: Some(velocity.into()), ..self }
    }

    /// With this initial spin, in radians per second.
    #[must_use]
    pub fn spin(self, speed: f32) -> Start {
        Start { angular_velocity: Some(speed), ..self }
    }

    fn check(&self) -> Result<(), Error> {
        let rule = "a velocity must be finite, and at most 1e9";
        check(&self.velocity.unwrap_or_default().to_array(), rule)?;
        check(self.angular_velocity.as_slice(), rule)
    }
}

/// The predicted pose and velocity of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathPoint {
    /// Position of its origin.
    pub position: WorldPoint,
    /// Its rotation.
    pub rotation: Rot,
    /// Velocity of its centre of mass, in m/s.
    pub velocity: Vec2,
    /// In radians a second, counter-clockwise.
    pub angular_velocity: f32,
}

/// Two bodies that will begin to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// After how many steps, from 1 on.
    pub step: u32,
    /// The predicted body.
    pub body: BodyId,
    /// The body that it meets: a body that stands still, or another predicted body.
    pub other: BodyId,
    /// The shape of the other body.
    pub shape: ShapeId,
}

/// The result of [`World::predict`]. Keep one and use it again: nothing is allocated once it is
/// large enough.
#[derive(Debug, Default)]
pub struct Prediction {
    bodies: Vec<BodyId>,
    steps: usize,
    /// The points of the first body, then the points of the next.
    places: Vec<PathPoint>,
    meetings: Vec<Meeting>,
}

impl Prediction {
    /// An empty prediction.
    #[must_use]
    pub fn new() -> Prediction {
        Prediction::default()
    }

    /// The points of a body after each of the steps; empty for a body that was not predicted.
    #[must_use]
    pub fn path(&self, body: BodyId) -> &[PathPoint] {
        let place = self.bodies.iter().position(|&other| other == body);
        place.map_or(&[], |place| &self.places[place * self.steps..][..self.steps])
    }

    /// Touches that begin in these steps, in order; without sensors.
    #[must_use]
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// Clears the result.
    fn begin(&mut self) {
        self.bodies.clear();
        self.places.clear();
        self.meetings.clear();
        self.steps = 0;
    }
}

/// Scratch memory of predictions, kept by the world that they are about: it has columns by the
/// numbers of all parts of that world, which grow with it and are emptied entry by entry. (A new
/// scene for each prediction took 6 ns for each part of the world.) Predictions that are made at
/// the same time have a scene each.
#[derive(Debug, Default)]
pub(in crate::world) struct Scenes(Mutex<Vec<Box<Scene>>>);

impl Scenes {
    fn take(&self) -> Box<Scene> {
        self.list().pop().unwrap_or_default()
    }

    fn give_back(&self, scene: Box<Scene>) {
        self.list().push(scene);
    }

    /// The list is valid even if a thread panicked while it had the lock.
    fn list(&self) -> MutexGuard<'_, Vec<Box<Scene>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World {
    /// Predicts the motion of some bodies in `steps` steps of `dt` seconds while all others stand
    /// still. The result is in `prediction`.
    ///
    /// Where nothing interferes, it is the future to the bit: the bodies move among fixed and
    /// resting bodies, with their contacts, joints and areas. The other bodies do nothing
    /// meanwhile: moving bodies stand still, lifts and doors included, and bodies that are hit do
    /// not give way, fall or wake. Joints to other bodies hold on to the present positions of those
    /// bodies. Hooks are not called. A recording does not note it, for it changes nothing.
    ///
    /// Bodies elsewhere interfere as little as they do with the future itself: while they rest, not
    /// at all. If they move, or fall asleep, they begin and end contacts. That changes the numbers
    /// of the predicted bodies' contacts. The solver goes in the order of the numbers, so last bits
    /// may differ.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Prediction, Start};
    ///
    /// let mut world = World::default();
    /// let ground = world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(99.0, 1.0)))?;
    /// let ball = world.add(BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(0.2)))?;
    ///
    /// let mut aim = Prediction::new(); // kept from frame to frame
    /// world.predict(&[Start::from(ball).velocity([3.0, 4.0])], 60, 1.0 / 60.0, &mut aim)?;
    /// let end = aim.path(ball)[59].position;
    /// assert_eq!(aim.meetings()[0].other, ground);
    ///
    /// world.set_velocity(ball, [3.0, 4.0])?; // and so it comes
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert_eq!(world[ball].world_position(), end);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// A ball that is thrown over ten thousand resting boxes takes 120 steps in 30 µs.
    ///
    /// # Errors
    /// A body that is gone, a number out of its range, more than 100,000 steps, or a `dt` that
    /// [`World::step`] would refuse; the prediction is empty then.
    pub fn predict<S: Copy + Into<Start>>(
        &self,
        starts: &[S],
        steps: u32,
        dt: f32,
        prediction: &mut Prediction,
    ) -> Result<(), Error> {
        prediction.begin();
        World::check_dt(dt)?;
        if steps > MOST_STEPS || starts.len().saturating_mul(steps as usize) > MOST_PREDICTED {
            return Err(Error::BadNumber("a prediction has at most 100,000 steps, and 10,000,000 places"));
        }
        for start in starts {
            let start: Start = (*start).into();
            self.slot_of(start.body)?;
            start.check()?;
        }
        let mut scene = self.scratch.scenes.take();
        let mut right = self.foresee(starts, (steps, dt), &mut scene, prediction);
        while right == Ok(false) {
            prediction.begin();
            right = self.foresee(starts, (steps, dt), &mut scene, prediction);
        }
        scene.clear();
        self.scratch.scenes.give_back(scene);
        right.map(drop)
    }

    /// Makes a prediction. Returns whether it is right: if there were more contacts than expected,
    /// it must be made again.
    fn foresee<S: Copy + Into<Start>>(
        &self,
        starts: &[S],
        (steps, dt): (u32, f32),
        scene: &mut Scene,
        prediction: &mut Prediction,
    ) -> Result<bool, Error> {
        scene.begin(self, starts.iter().map(|&start| start.into().body.index() as u32));
        for start in starts {
            scene.set_out((*start).into())?;
        }
        let asked = scene.asked();
        prediction.bodies.extend((0..asked).map(|body| scene.name_of(body)));
        prediction.steps = steps as usize;
        prediction.places.resize(asked as usize * steps as usize, PathPoint::default());
        for step in 0..steps as usize {
            scene.step(self, dt)?;
            if scene.wants_more_places(self) {
                return Ok(false);
            }
            for body in 0..asked {
                let place = &mut prediction.places[body as usize * steps as usize + step];
                *place = scene.place_of(body);
            }
            scene.tell_meetings(|body, other, shape| {
                prediction.meetings.push(Meeting { step: step as u32 + 1, body, other, shape });
            });
        }
        Ok(true)
    }
}
