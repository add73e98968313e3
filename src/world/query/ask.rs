//! Queries: a ray, a placed shape, a moving shape.
//!
//! In: positions and displacements from the game. Out: plain values; batches take slices of them. A
//! query with NaN, or with a displacement whose square overflows, has no answer; nor has a query
//! that goes more than four times round a world that wraps round.

use glam::Vec2;

use crate::math::{Motion, Rot, Transform, WorldPoint, unit_or_zero};
use crate::shape::Shape;
use crate::tuning::MAX_SIZE;

/// A ray through the world: from a point, as far as `translation` goes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldRay {
    /// Where it starts.
    pub from: WorldPoint,
    /// How far it goes, as a vector; fractions are shares of it. At most 1e19 m.
    pub translation: Vec2,
}

impl WorldRay {
    /// From a point, as far as `translation`.
    #[must_use]
    pub fn new(from: impl Into<WorldPoint>, translation: impl Into<Vec2>) -> WorldRay {
        WorldRay { from: from.into(), translation: translation.into() }
    }

    /// From one point to another.
    #[must_use]
    pub fn between(from: impl Into<WorldPoint>, to: impl Into<WorldPoint>) -> WorldRay {
        let from = from.into();
        WorldRay { from, translation: from.to(to.into()) }
    }

    /// From a point along `direction`, of any length, up to `distance` metres.
    #[must_use]
    pub fn toward(from: impl Into<WorldPoint>, direction: impl Into<Vec2>, distance: f32) -> WorldRay {
        WorldRay { from: from.into(), translation: unit_or_zero(direction.into()) * distance }
    }

    /// The point at a share of the way.
    #[must_use]
    pub fn at(&self, fraction: f32) -> WorldPoint {
        self.from.offset(self.translation * fraction)
    }

    pub(super) fn is_valid(&self) -> bool {
        self.from.is_valid() && is_way(self.translation)
    }
}

/// A shape somewhere in the world that belongs to no body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedShape<'s> {
    /// Its geometry, in its own frame. An invalid one touches nothing.
    pub shape: &'s Shape,
    /// Where its frame stands.
    pub position: WorldPoint,
    /// How its frame is turned.
    pub rotation: Rot,
}

impl<'s> PlacedShape<'s> {
    /// At `position`, not turned.
    #[must_use]
    pub fn at(shape: &'s Shape, position: impl Into<WorldPoint>) -> PlacedShape<'s> {
        PlacedShape { shape, position: position.into(), rotation: Rot::IDENTITY }
    }

    /// Turned to `angle` radians.
    #[must_use]
    pub fn angle(self, angle: f32) -> PlacedShape<'s> {
        PlacedShape { rotation: Rot::from_angle(angle), ..self }
    }

    /// Its pose relative to its own position.
    pub(super) fn turned(&self) -> Transform {
        Transform { position: Vec2::ZERO, rotation: self.rotation }
    }

    pub(super) fn is_valid(&self) -> bool {
        self.position.is_valid() && self.rotation.is_valid()
    }
}

/// A moving shape: along a straight line, and perhaps turning about its own origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeCast<'s> {
    /// Where it starts.
    pub start: PlacedShape<'s>,
    /// How far it goes.
    pub translation: Vec2,
    /// By how much it turns on the way, in radians; a cast that turns by more than 1,000 touches
    /// nothing.
    pub turn: f32,
    /// How far in front of the obstacle it stops, in metres, from 0 to 1e9; with a distance out of
    /// range the cast touches nothing.
    pub distance: f32,
}

impl<'s> ShapeCast<'s> {
    /// From a point, as far as `translation`, without turning.
    #[must_use]
    pub fn new(shape: &'s Shape, from: impl Into<WorldPoint>, translation: impl Into<Vec2>) -> ShapeCast<'s> {
        ShapeCast {
            start: PlacedShape::at(shape, from),
            translation: translation.into(),
            turn: 0.0,
            distance: 0.0,
        }
    }

    /// Turned to `angle` radians at the start.
    #[must_use]
    pub fn angle(self, angle: f32) -> ShapeCast<'s> {
        ShapeCast { start: self.start.angle(angle), ..self }
    }

    /// Turning by `angle` radians on the way.
    #[must_use]
    pub fn turning(self, angle: f32) -> ShapeCast<'s> {
        ShapeCast { turn: angle, ..self }
    }

    /// Makes it stop `distance` metres in front of the obstacle: at a skin's thickness, say. Shapes
    /// that are nearer at the start count as touched from the start.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(2.0, 9.0)))?; // a wall at x = 4
    /// let robot = Shape::circle(0.5);
    /// let way = ShapeCast::new(&robot, [0.0, 0.0], [10.0, 0.0]).stopping_at(0.1);
    /// let stop = world.cast(&way, &QueryFilter::default()).expect("a wall");
    /// assert!((way.at(stop.time).position.position().x - 3.4).abs() < 1e-4);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn stopping_at(self, distance: f32) -> ShapeCast<'s> {
        ShapeCast { distance, ..self }
    }

    /// The shape where it is at `time`, 0 to 1.
    #[must_use]
    pub fn at(&self, time: f32) -> PlacedShape<'s> {
        let Transform { position, rotation } = self.motion().at(time);
        PlacedShape { position: self.start.position.offset(position), rotation, ..self.start }
    }

    /// The motion, seen from where it starts.
    pub(super) fn motion(&self) -> Motion {
        Motion { start: self.start.turned(), translation: self.translation, turn: self.turn }
    }

    pub(super) fn is_valid(&self) -> bool {
        self.start.is_valid()
            && is_way(self.translation)
            && self.turn.abs() <= MOST_TURN
            && (0.0..=MAX_SIZE).contains(&self.distance)
    }
}

/// Greatest rotation of a cast, in radians: 160 turns. With more, it touches everything within its
/// reach, up to rounding.
const MOST_TURN: f32 = 1000.0;

/// Whether a vector has a length.
fn is_way(translation: Vec2) -> bool {
    translation.length_squared().is_finite()
}
