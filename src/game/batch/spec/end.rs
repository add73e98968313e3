//! Ends as data: conditions that end the episode of a world.
//!
//! In: a world after a step. Out: whether the end is reached.

use glam::Vec2;

use super::contacts::Contacts;
use super::error::{Fault, Field, Rule, finite, fits};
use super::title;
use crate::body::BodyId;
use crate::bounds::Aabb;
use crate::world::World;

/// A condition under which the episode of a world ends, looked at after each step.
///
/// [`Batch::ended`](crate::Batch::ended) tells which one it was, by its number in the spec. If
/// several are reached in one step, the first one counts. A body that is gone reaches none.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Batch, End, Spec};
///
/// let mut world = World::default();
/// world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(9.0, 1.0)))?;
/// let ball = world.add(BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(0.25)))?;
/// let spec = Spec::new()
///     .end(End::outside(ball, [-4.5, -1.0], [4.5, 9.0]).name("gone"))
///     .end(End::touches(ball).name("down"))
///     .step_limit(100);
/// let mut batch = Batch::new(&world, 1)?.spec(&spec)?;
/// while batch.ended()[0] == Batch::RUNS {
///     batch.step(1.0 / 60.0)?;
/// }
/// assert_eq!(spec.end_names()[batch.ended()[0] as usize], "down");
/// assert_eq!((batch.terminated()[0], batch.truncated()[0]), (true, false));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    name: Option<String>,
    misfit: Option<Field>,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Outside { body: BodyId, area: Aabb },
    AngleBeyond { body: BodyId, limit: f32, from: Option<BodyId> },
    Touches { body: BodyId, with: Option<BodyId>, except: Vec<BodyId> },
    Asleep { body: BodyId },
}

impl End {
    fn new(what: What) -> End {
        End { name: None, misfit: None, what }
    }

    /// The origin of a body is outside of a box of the world, from `min` to `max`; sides may be
    /// infinite.
    #[must_use]
    pub fn outside(body: BodyId, min: impl Into<Vec2>, max: impl Into<Vec2>) -> End {
        End::new(What::Outside { body, area: Aabb { min: min.into(), max: max.into() } })
    }

    /// The angle of a body is beyond `limit` radians, to either side.
    #[must_use]
    pub fn angle_beyond(body: BodyId, limit: f32) -> End {
        End::new(What::AngleBeyond { body, limit, from: None })
    }

    /// A body touches something solid.
    #[must_use]
    pub fn touches(body: BodyId) -> End {
        End::new(What::Touches { body, with: None, except: Vec::new() })
    }

    /// A body is asleep, or disabled.
    #[must_use]
    pub fn asleep(body: BodyId) -> End {
        End::new(What::Asleep { body })
    }

    /// Counts an angle against that of another body.
    #[must_use]
    pub fn relative_to(mut self, body: BodyId) -> End {
        match &mut self.what {
            What::AngleBeyond { from, .. } => *from = Some(body),
            _ => self.misfit = Some(Field::Other),
        }
        self
    }

    /// Counts only touches with another body, or visits to a sensor of it.
    #[must_use]
    pub fn with_body(mut self, body: BodyId) -> End {
        match &mut self.what {
            What::Touches { with, .. } => *with = Some(body),
            _ => self.misfit = Some(Field::Other),
        }
        self
    }

    /// Does not count touches with another body; may be called several times.
    #[must_use]
    pub fn except(mut self, body: BodyId) -> End {
        match &mut self.what {
            What::Touches { except, .. } => except.push(body),
            _ => self.misfit = Some(Field::Except),
        }
        self
    }

    /// Names the end.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> End {
        self.name = Some(name.into());
        self
    }

    /// The name of the end.
    pub(super) fn title(&self) -> String {
        let (body, what, other) = match self.what {
            What::Outside { body, .. } => (body, "outside", None),
            What::AngleBeyond { body, from, .. } => (body, "angle_beyond", from),
            What::Touches { body, with, .. } => (body, "touches", with),
            What::Asleep { body } => (body, "asleep", None),
        };
        match other {
            Some(other) => title(self.name.as_deref(), &body, &format!("{what}.{other}")),
            None => title(self.name.as_deref(), &body, what),
        }
    }

    /// Checks that a world has the bodies, and that all numbers are in range.
    pub(super) fn check(&self, world: &World) -> Result<(), Fault> {
        fits(self.misfit)?;
        let exists = |field: Field, body: BodyId| world.get(body).map(drop).ok_or((field, Rule::NoSuchBody));
        let other_than = |field: Field, body: BodyId, other: BodyId| {
            exists(field, other)?;
            if other == body { Err((field, Rule::SameBody)) } else { Ok(()) }
        };
        match &self.what {
            What::Outside { body, area } => {
                exists(Field::Body, *body)?;
                if area.min.is_nan() {
                    return Err((Field::Min, Rule::NotFinite));
                }
                if area.max.is_nan() {
                    return Err((Field::Max, Rule::NotFinite));
                }
                let is_box = area.min.cmple(area.max).all();
                if is_box { Ok(()) } else { Err((Field::Max, Rule::LowAboveHigh)) }
            }
            What::AngleBeyond { body, limit, from } => {
                exists(Field::Body, *body)?;
                from.map_or(Ok(()), |from| other_than(Field::Other, *body, from))?;
                finite(Field::Limit, &[*limit])?;
                let is_angle = *limit > 0.0 && *limit < core::f32::consts::PI;
                if is_angle { Ok(()) } else { Err((Field::Limit, Rule::NoAngle)) }
            }
            What::Touches { body, with, except } => {
                exists(Field::Body, *body)?;
                with.map_or(Ok(()), |with| other_than(Field::Other, *body, with))?;
                except.iter().try_for_each(|&other| other_than(Field::Except, *body, other))?;
                // A single body is wanted: there is nothing to leave out.
                let is_both = with.is_some() && !except.is_empty();
                if is_both { Err((Field::Except, Rule::Misfit)) } else { Ok(()) }
            }
            What::Asleep { body } => exists(Field::Body, *body),
        }
    }

    /// Whether a world has reached it.
    pub(super) fn is_reached(&self, world: &World) -> bool {
        match &self.what {
            What::Outside { body, area } => {
                world.get(*body).is_some_and(|body| !area.contains_point(body.position()))
            }
            What::AngleBeyond { body, limit, from: None } => {
                world.get(*body).is_some_and(|body| body.angle().abs() > *limit)
            }
            What::AngleBeyond { body, limit, from: Some(from) } => {
                let both = world.get(*body).zip(world.get(*from));
                both.is_some_and(|(body, from)| {
                    (from.rotation().inverse() * body.rotation()).angle().abs() > *limit
                })
            }
            What::Touches { body, with, except } => {
                let contacts = Contacts::of(world, *body, *with);
                contacts.is_some_and(|contacts| contacts.any_but(except))
            }
            What::Asleep { body } => world.get(*body).is_some_and(|body| !body.is_awake()),
        }
    }
}
