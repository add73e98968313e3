//! Events: what happened in a step, as slices in a fixed order.
//!
//! In: what the stages of a step notice. Out: slices, sorted by the shapes or bodies they name; valid until the next
//! step. Nothing has to be switched on.

use glam::Vec2;

use crate::body::{BodyId, ShapeId};
use crate::math::WorldPoint;

/// Two shapes that touch, or did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// One shape.
    pub a: ShapeId,
    /// The other one.
    pub b: ShapeId,
    /// The body of `a`.
    pub body_a: BodyId,
    /// The body of `b`.
    pub body_b: BodyId,
}

/// A shape that entered or left a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorEvent {
    /// The sensor.
    pub sensor: ShapeId,
    /// Who came or went.
    pub visitor: ShapeId,
    /// The body of the sensor.
    pub sensor_body: BodyId,
    /// The body of the visitor.
    pub visitor_body: BodyId,
    /// Share of the step after which it happened, 0 to 1.
    pub time: f32,
}

/// Two shapes that struck each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// One shape.
    pub a: ShapeId,
    /// The other one.
    pub b: ShapeId,
    /// The body of `a`.
    pub body_a: BodyId,
    /// The body of `b`.
    pub body_b: BodyId,
    /// Where.
    pub point: WorldPoint,
    /// From `a` to `b`.
    pub normal: Vec2,
    /// How fast the surfaces came together, in m/s.
    pub speed: f32,
    /// What passed between the bodies in this step, in N s.
    pub impulse: f32,
    /// Share of the step after which it happened, 0 to 1.
    pub time: f32,
}

/// What happened in the last step.
#[derive(Clone, Debug, Default)]
pub struct Events {
    pub(crate) begun: Vec<Touch>,
    pub(crate) ended: Vec<Touch>,
    pub(crate) entered: Vec<SensorEvent>,
    pub(crate) left: Vec<SensorEvent>,
    pub(crate) hits: Vec<Hit>,
    pub(crate) slept: Vec<BodyId>,
    pub(crate) woken: Vec<BodyId>,
}

impl Events {
    /// Shapes that began to touch; [`World::contacts`](crate::World::contacts) has those that still do.
    #[must_use]
    pub fn begun(&self) -> &[Touch] {
        &self.begun
    }

    /// Shapes that ceased to touch. One of them may have been removed since.
    #[must_use]
    pub fn ended(&self) -> &[Touch] {
        &self.ended
    }

    /// Shapes that struck each other at 1 m/s or more.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Shapes that entered a sensor.
    #[must_use]
    pub fn entered(&self) -> &[SensorEvent] {
        &self.entered
    }

    /// Shapes that left a sensor.
    #[must_use]
    pub fn left(&self) -> &[SensorEvent] {
        &self.left
    }

    /// Bodies that fell asleep.
    #[must_use]
    pub fn slept(&self) -> &[BodyId] {
        &self.slept
    }

    /// Bodies that woke, by a touch or by a call since the step before.
    #[must_use]
    pub fn woken(&self) -> &[BodyId] {
        &self.woken
    }

    pub(crate) fn clear(&mut self) {
        self.begun.clear();
        self.ended.clear();
        self.entered.clear();
        self.left.clear();
        self.hits.clear();
        self.slept.clear();
        self.woken.clear();
    }

    /// Brings every list into its order: by shapes, then by time.
    pub(crate) fn sort(&mut self) {
        self.begun.sort_by_key(|touch| (touch.a, touch.b));
        self.ended.sort_by_key(|touch| (touch.a, touch.b));
        let by_time = |a: f32, b: f32| a.total_cmp(&b);
        self.entered
            .sort_by(|p, q| (p.sensor, p.visitor).cmp(&(q.sensor, q.visitor)).then(by_time(p.time, q.time)));
        self.left
            .sort_by(|p, q| (p.sensor, p.visitor).cmp(&(q.sensor, q.visitor)).then(by_time(p.time, q.time)));
        self.hits.sort_by(|p, q| (p.a, p.b).cmp(&(q.a, q.b)).then(by_time(p.time, q.time)));
        self.slept.sort_unstable();
        self.woken.sort_unstable();
    }
}
