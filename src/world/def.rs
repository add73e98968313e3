//! How a world behaves as a whole: gravity, sub-steps, limits, sleep.

use glam::Vec2;

use crate::error::Error;
use crate::tuning;

/// How a world behaves as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct WorldDef {
    /// Acceleration of every body, in m/s².
    pub gravity: Vec2,
    /// Sub-steps of a step, 1 to 64. More make stacks stiffer and cost in proportion.
    pub sub_steps: u32,
    /// Fastest a body may go, in m/s; infinite for no limit but that of the numbers, 1e11. Faster
    /// ones are slowed down by the next step: [`World::set_velocity`](crate::World::set_velocity)
    /// takes any up to 1e9.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub max_speed: f32,
    /// Whether bodies may fall asleep.
    pub sleep: bool,
    /// Whether fast bodies are kept from passing through others.
    pub continuous: bool,
    /// Speed in m/s, of a body and of its farthest point round it, below which the body counts as
    /// resting.
    pub sleep_speed: f32,
    /// How long all bodies that touch each other must rest before they fall asleep, in seconds.
    pub sleep_time: f32,
    /// Slowest approach of two surfaces that [`Events::hits`](crate::Events::hits) tells of, in
    /// m/s: 0 for every touch, infinite for none.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub hit_speed: f32,
}

impl Default for WorldDef {
    fn default() -> WorldDef {
        WorldDef {
            gravity: Vec2::new(0.0, -9.81),
            sub_steps: tuning::SUB_STEPS,
            max_speed: tuning::MAX_SPEED,
            sleep: true,
            continuous: true,
            sleep_speed: tuning::SLEEP_SPEED,
            sleep_time: tuning::SLEEP_TIME,
            hit_speed: tuning::HIT_SPEED,
        }
    }
}

impl WorldDef {
    /// With another gravity.
    #[must_use]
    pub fn gravity(self, gravity: impl Into<Vec2>) -> WorldDef {
        WorldDef { gravity: gravity.into(), ..self }
    }

    /// Where nothing falls asleep.
    #[must_use]
    pub fn sleepless(self) -> WorldDef {
        WorldDef { sleep: false, ..self }
    }

    /// With another number of sub-steps, 1 to 64.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let stiff = World::new(WorldDef::default().sub_steps(8).hit_speed(0.2));
    /// assert_eq!((stiff.def().sub_steps, stiff.def().hit_speed), (8, 0.2));
    /// ```
    #[must_use]
    pub fn sub_steps(self, count: u32) -> WorldDef {
        WorldDef { sub_steps: count, ..self }
    }

    /// Telling in [`Events::hits`](crate::Events::hits) of what comes together at `speed` m/s or
    /// more.
    #[must_use]
    pub fn hit_speed(self, speed: f32) -> WorldDef {
        WorldDef { hit_speed: speed, ..self }
    }

    /// The same, with the default in place of each number that breaks a rule.
    pub(super) fn mended(self) -> WorldDef {
        let whole = WorldDef::default();
        let candidates = [
            WorldDef { gravity: self.gravity, ..whole },
            WorldDef { sub_steps: self.sub_steps, ..whole },
            WorldDef { max_speed: self.max_speed, ..whole },
            WorldDef { sleep_speed: self.sleep_speed, ..whole },
            WorldDef { sleep_time: self.sleep_time, ..whole },
            WorldDef { hit_speed: self.hit_speed, ..whole },
        ];
        let [gravity, sub_steps, max_speed, sleep_speed, sleep_time, hit_speed] =
            candidates.map(|one| if one.check().is_ok() { one } else { whole });
        WorldDef {
            gravity: gravity.gravity,
            sub_steps: sub_steps.sub_steps,
            max_speed: max_speed.max_speed,
            sleep_speed: sleep_speed.sleep_speed,
            sleep_time: sleep_time.sleep_time,
            hit_speed: hit_speed.hit_speed,
            ..self
        }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if !(self.gravity.is_finite() && self.gravity.length() <= 1.0e6) {
            return Err(Error::BadNumber("gravity must be finite, and at most 1e6 m/s²"));
        }
        if !(1..=64).contains(&self.sub_steps) {
            return Err(Error::BadNumber("a step has 1 to 64 sub-steps"));
        }
        if self.max_speed.is_nan() || self.max_speed <= 0.0 {
            return Err(Error::BadNumber("the greatest speed must be above 0; infinite for none"));
        }
        if ![self.sleep_speed, self.sleep_time].iter().all(|x| (0.0..=1.0e6).contains(x)) {
            return Err(Error::BadNumber("what rests is slower than 0 to 1e6 m/s, for 0 to 1e6 s"));
        }
        if self.hit_speed.is_nan() || self.hit_speed < 0.0 {
            return Err(Error::BadNumber("the slowest hit must be 0 m/s or more; infinite for none"));
        }
        Ok(())
    }
}
