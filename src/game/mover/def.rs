//! The definition of a mover, and the input of a move.
//!
//! In: numbers from the program, in plain structs with public fields. Out: the same structs,
//! checked by [`Mover`](super::Mover) when it takes them.

use glam::Vec2;

use crate::error::Error;
use crate::shape::{Shape, ShapeError};
use crate::world::QueryFilter;

/// The behaviour of a mover on ground that is too steep to walk on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SteepRule {
    /// It slides down, and counts as in the air: it has no ground to jump from.
    #[default]
    Slide,
    /// It stands where it landed, but climbs no further.
    Stand,
}

/// A kinematic character: its shape, and how it goes over ground. Lengths in metres, angles in
/// radians.
///
/// ```
/// use carom::prelude::*;
/// use carom::MoverDef;
///
/// let hero = Mover::new(MoverDef::new(Shape::capsule([0.0, -0.5], [0.0, 0.5], 0.3)).max_slope(0.9).step(0.4))?;
/// assert_eq!(hero.def().snap, MoverDef::default().snap);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoverDef {
    /// The shape of the mover, in the frame of its place: a circle, capsule, segment, box or convex
    /// polygon, rounded or not.
    ///
    /// A shape that is round or pointed below goes over low edges as over slopes, whatever the
    /// height of steps.
    pub shape: Shape,
    /// The direction against gravity; its length does not matter. Zero for a world seen from above,
    /// without ground.
    pub up: Vec2,
    /// The distance kept from everything, 0.001 to 1 m.
    ///
    /// Corners count as rounded by it, so it is also the height of the highest edge that has no
    /// effect.
    pub skin: f32,
    /// The steepest ground to walk on, 0 to 1.5 radians from level.
    pub max_slope: f32,
    /// The behaviour on steeper ground.
    pub steep: SteepRule,
    /// The highest step that it climbs, 0 to 1000 m; 0 for none.
    pub step_height: f32,
    /// The least free way on top of a step, 0 to 1000 m.
    pub step_width: f32,
    /// Whether it steps up on dynamic bodies, rather than pushing them.
    pub step_on_dynamic: bool,
    /// The greatest drop of the ground in a step that it follows, measured below its feet, 0 to
    /// 1000 m; 0 for not at all.
    pub snap: f32,
    /// Whether it stops at one-way shapes. If not, it falls through the shape it stands on.
    pub one_way: bool,
    /// Its mass towards bodies that it pushes, in kg, up to 1e9; 0 pushes nothing.
    pub mass: f32,
    /// The greatest force of its pushes, in newtons, up to 1e9.
    pub push_force: f32,
}

impl Default for MoverDef {
    /// Returns a capsule 1.8 m high and 0.6 m wide around the middle of its place.
    fn default() -> MoverDef {
        MoverDef {
            shape: Shape::capsule([0.0, -0.6], [0.0, 0.6], 0.3),
            up: Vec2::Y,
            skin: 0.01,
            max_slope: 0.875,
            steep: SteepRule::Slide,
            step_height: 0.3,
            step_width: 0.1,
            step_on_dynamic: false,
            snap: 0.2,
            one_way: true,
            mass: 80.0,
            push_force: 800.0,
        }
    }
}

impl MoverDef {
    /// Makes a definition with this shape, and defaults for the rest.
    #[must_use]
    pub fn new(shape: Shape) -> MoverDef {
        MoverDef { shape, ..MoverDef::default() }
    }

    /// Scales it for a world in which a metre has `unit` units: see
    /// [`WorldDef::unit`](crate::WorldDef::unit). Multiplies skin, steps, snap, force, and the
    /// shape if it is the default shape.
    ///
    /// ```
    /// use carom::{MoverDef, Shape};
    ///
    /// let hero = MoverDef { shape: Shape::circle(30.0), ..MoverDef::default().unit(64.0) };
    /// assert_eq!((hero.skin, hero.step_height), (0.64, 19.2));
    /// ```
    #[must_use]
    pub fn unit(self, unit: f32) -> MoverDef {
        let is_default = self.shape == MoverDef::default().shape;
        MoverDef {
            shape: if is_default { self.shape.scaled(unit) } else { self.shape },
            skin: self.skin * unit,
            step_height: self.step_height * unit,
            step_width: self.step_width * unit,
            snap: self.snap * unit,
            push_force: self.push_force * unit,
            ..self
        }
    }

    /// Sets the direction against gravity.
    #[must_use]
    pub fn up(self, up: impl Into<Vec2>) -> MoverDef {
        MoverDef { up: up.into(), ..self }
    }

    /// Sets the distance kept from everything.
    #[must_use]
    pub fn skin(self, skin: f32) -> MoverDef {
        MoverDef { skin, ..self }
    }

    /// Sets the steepest slope to walk on, in radians.
    #[must_use]
    pub fn max_slope(self, angle: f32) -> MoverDef {
        MoverDef { max_slope: angle, ..self }
    }

    /// Sets the rule for steeper slopes.
    #[must_use]
    pub fn steep(self, steep: SteepRule) -> MoverDef {
        MoverDef { steep, ..self }
    }

    /// Sets the height of the highest step that it climbs.
    #[must_use]
    pub fn step(self, height: f32) -> MoverDef {
        MoverDef { step_height: height, ..self }
    }

    /// Sets the greatest drop of the ground in a step that it follows.
    #[must_use]
    pub fn snap(self, distance: f32) -> MoverDef {
        MoverDef { snap: distance, ..self }
    }

    /// Sets its mass towards bodies that it pushes, and its greatest force, in kilograms and
    /// newtons.
    #[must_use]
    pub fn push(self, mass: f32, force: f32) -> MoverDef {
        MoverDef { mass, push_force: force, ..self }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if let Shape::Invalid(error) = self.shape {
            return Err(error.into());
        }
        if self.shape.only_piece().is_none() || matches!(self.shape, Shape::HalfPlane(_)) {
            return Err(ShapeError::NotApplicable.into());
        }
        if !(self.up.is_finite() && self.up.length_squared() <= 1.0e18) {
            return Err(Error::BadNumber("the direction up of a mover must be finite, at most 1e9 long"));
        }
        let within = |x: f32, low: f32, high: f32, rule| {
            if (low..=high).contains(&x) { Ok(()) } else { Err(Error::BadNumber(rule)) }
        };
        within(self.skin, 0.001, 1.0, "the skin of a mover must be 0.001 to 1 m")?;
        within(self.max_slope, 0.0, 1.5, "the steepest slope of a mover must be 0 to 1.5 radians")?;
        within(self.step_height, 0.0, 1.0e3, "the highest step of a mover must be 0 to 1000 m")?;
        within(self.step_width, 0.0, 1.0e3, "the free way on a step must be 0 to 1000 m")?;
        within(self.snap, 0.0, 1.0e3, "the snap of a mover must be 0 to 1000 m")?;
        within(self.mass, 0.0, 1.0e9, "the mass of a mover must be 0 to 1e9 kg")?;
        within(self.push_force, 0.0, 1.0e9, "the force of a mover must be 0 to 1e9 N")
    }
}

/// A move: velocity, duration, and a filter of obstacles.
#[derive(Clone, Copy, Debug)]
pub struct Stride<'f> {
    /// The wanted velocity, in m/s, at most 1e6: relative to the ground if the mover stands,
    /// absolute in the air.
    pub velocity: Vec2,
    /// The length of the step, 0 to 1 s.
    pub dt: f32,
    /// The filter of shapes that block the mover. Sensors never do.
    pub filter: QueryFilter<'f>,
}

impl<'f> Stride<'f> {
    /// Makes a move at `velocity` for `dt` seconds, blocked by everything solid.
    #[must_use]
    pub fn new(velocity: impl Into<Vec2>, dt: f32) -> Stride<'f> {
        Stride { velocity: velocity.into(), dt, filter: QueryFilter::default() }
    }

    /// Sets the filter of shapes that block the mover.
    #[must_use]
    pub fn among(self, filter: QueryFilter<'f>) -> Stride<'f> {
        Stride { filter, ..self }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if !(self.velocity.is_finite() && self.velocity.length_squared() <= 1.0e12) {
            return Err(Error::BadNumber("the velocity of a mover must be finite, and at most 1e6 m/s"));
        }
        if !(0.0..=1.0).contains(&self.dt) {
            return Err(Error::BadNumber("a step takes 0 to 1 s: give seconds, as in 1.0 / 60.0"));
        }
        Ok(())
    }
}
