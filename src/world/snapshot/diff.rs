//! First difference of two worlds (divergence).
//!
//! In: two worlds that should be equal. Out: the first word in which they differ, in the order in
//! which a step writes them: if the worlds are compared after each step, the word names the stage
//! that diverged.

use core::fmt;

use super::write::Outlines;
use crate::body::{BodyId, NONE};
use crate::state::{Told, first_difference};
use crate::world::World;

/// The first difference of two worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The stage of a step that writes it, as in [`StepStats`](crate::StepStats); `"build"` for
    /// data that only calls between steps change.
    pub stage: &'static str,
    /// Kind of the row that differs: a body, a contact, a joint.
    pub what: &'static str,
    /// The field that differs.
    pub field: &'static str,
    /// The body of the row; for a contact, the first of its bodies.
    pub body: Option<BodyId>,
    /// Its bits in both worlds; `None` if there is no such row.
    pub bits: [Option<u32>; 2],
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { stage, what, field, body, bits } = self;
        write!(f, "{stage}: {field} of {what}")?;
        if let Some(body) = body {
            write!(f, " of {body}")?;
        }
        let [a, b] = bits.map(Word);
        write!(f, " is {a} and {b}")
    }
}

/// Shows a word as a float, if it may be one, and as bits.
struct Word(Option<u32>);

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => write!(f, "not there"),
            Some(bits) => write!(f, "{:?} ({bits:#010x})", f32::from_bits(bits)),
        }
    }
}

impl World {
    /// The first difference of two worlds, if there is one: compared after each step, it names the
    /// stage in which they diverged.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let mut other = world.clone();
    /// assert!(world.first_difference(&other).is_none());
    ///
    /// other.set_velocity(ball, [0.0, 1.0])?;
    /// let difference = world.first_difference(&other).expect("one moves");
    /// assert_eq!((difference.stage, difference.field), ("store", "velocity y"));
    /// assert_eq!(difference.body, Some(ball));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn first_difference(&self, other: &World) -> Option<Difference> {
        let told = |world: &World| {
            let mut told = Told::default();
            world.tell(Outlines::None, &mut told);
            told
        };
        let place = first_difference(&told(self), &told(other))?;
        let tenant = |world: &World| {
            world.bodies.slots.tenant(place.of).map(|generation| BodyId::new(place.of, generation))
        };
        Some(Difference {
            stage: place.column.stage,
            what: place.column.name,
            field: place.field,
            body: tenant(self).or_else(|| tenant(other)).filter(|_| place.of != NONE),
            bits: place.words,
        })
    }
}
