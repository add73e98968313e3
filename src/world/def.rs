//! Settings of a world: gravity, sub-steps, limits, sleep.

use glam::{IVec2, Vec2};

use crate::broadphase::Period;
use crate::error::Error;
use crate::math::WorldPoint;
use crate::tuning;

/// Settings of a world as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct WorldDef {
    /// Acceleration of every dynamic body, in m/s², at most 1e6.
    pub gravity: Vec2,
    /// Sub-steps of a step, 1 to 64. More make stacks stiffer and cost in proportion.
    pub sub_steps: u32,
    /// Fastest a body may go, in m/s, above 0; infinite for no limit but that of the numbers, 1e11.
    /// A faster body is slowed down by the next step:
    /// [`World::set_velocity`](crate::World::set_velocity) takes any up to 1e9.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub max_speed: f32,
    /// Whether bodies may fall asleep.
    pub sleep: bool,
    /// Whether fast bodies are kept from passing through others.
    pub continuous: bool,
    /// Speed in m/s, of a body and of its farthest point round it, below which the body counts as
    /// resting; 0 to 1e6.
    pub sleep_speed: f32,
    /// How long all bodies that touch each other must rest before they fall asleep, in seconds;
    /// 0 to 1e6.
    pub sleep_time: f32,
    /// Slowest approach of two surfaces that [`Events::hits`](crate::Events::hits) tells of, in
    /// m/s: 0 for every touch, infinite for none.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub hit_speed: f32,
    /// How many of the world's units of length a metre has: 1 where lengths are metres, 64 where
    /// they are pixels and a man is about 110 of them high. See [`WorldDef::unit`].
    pub unit: f32,
    /// Number of [regions](tuning::REGION_SIZE) after which the world repeats itself along x and y;
    /// 0 for never. See [`WorldDef::periodic`].
    pub period: IVec2,
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
            unit: 1.0,
            period: IVec2::ZERO,
        }
    }
}

impl WorldDef {
    /// With another gravity.
    #[must_use]
    pub fn gravity(self, gravity: impl Into<Vec2>) -> WorldDef {
        WorldDef { gravity: gravity.into(), ..self }
    }

    /// Without sleep.
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

    /// With [`Events::hits`](crate::Events::hits) for touches that come together at `speed` m/s or
    /// more.
    #[must_use]
    pub fn hit_speed(self, speed: f32) -> WorldDef {
        WorldDef { hit_speed: speed, ..self }
    }

    /// Sets the unit of lengths: `unit` is the number of units in a metre, 1/1024 to 4096; 64.0 for
    /// pixels, if 64 of them are drawn for a metre.
    ///
    /// All lengths and speeds of carom itself scale with it: margins and slop, the speed at which
    /// bodies rest, the fastest push out of an overlap. So do numbers of this definition that are
    /// still the defaults: with 64.0, gravity becomes 64 · 9.81, and the greatest speed 64,000.
    /// Numbers set before or after are taken as they are, in the units of the world.
    ///
    /// All else is in the unit, too: positions, sizes, forces (kg px/s²), densities (kg/px²). Scale
    /// lengths alone, by a power of two, and each body has *exactly* the scaled places and speeds
    /// of the world in metres, bit for bit; below 1 within 512 units of the origin.
    /// [`guide::pixels`](crate::guide::pixels) has more of it.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().unit(64.0));
    /// assert_eq!(world.def().gravity, [0.0, -627.84].into());
    /// let crate_ = world.add(BodyDef::dynamic().shape(Shape::rect(48.0, 48.0)))?;
    /// world.step(1.0 / 60.0)?;
    /// assert!(world[crate_].velocity().y < -10.0); // px/s
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn unit(self, unit: f32) -> WorldDef {
        let (old, new) = (WorldDef::defaults_in(self.unit), WorldDef::defaults_in(unit));
        let moved = |own: f32, old: f32, new: f32| if own == old { new } else { own };
        WorldDef {
            gravity: if self.gravity == old.gravity { new.gravity } else { self.gravity },
            max_speed: moved(self.max_speed, old.max_speed, new.max_speed),
            sleep_speed: moved(self.sleep_speed, old.sleep_speed, new.sleep_speed),
            hit_speed: moved(self.hit_speed, old.hit_speed, new.hit_speed),
            unit,
            ..self
        }
    }

    /// Makes a world that wraps round (periodic boundary): a body that leaves at one side enters at
    /// the other. The world repeats itself after `x` and `y` regions of 1024 units
    /// ([`REGION_SIZE`](tuning::REGION_SIZE)), 2 to 1,048,576 of them; 0 along an axis that goes on
    /// without end.
    ///
    /// Contacts, joints, sensors, areas and questions reach across the seam as if it were not
    /// there: a scene on it has the same bits as in the middle. Two bodies act on each other along
    /// the shortest vector between them; a motor on the world acts along the vector to its anchor.
    /// So shapes reach at most a sixteenth of the shorter period from the origin of their body,
    /// rods and limits of joints and explosions at most a quarter, and nothing goes farther than a
    /// sixteenth in a step. Half-planes end nowhere, and are refused. Rays, casts and overlaps go
    /// round up to four times; longer ones, and those with half-planes, have no answer. For a query
    /// between two points, such as [`WorldRay::between`](crate::WorldRay::between), first ask for
    /// the nearest image of the second.
    ///
    /// Centres of mass are kept in regions 0 to `x - 1` and 0 to `y - 1`, as 2 regions from -512 to
    /// 1536; with a [unit](WorldDef::unit) of 2 or more, where regions are joined, up to a quarter
    /// of the period before that. Two positions are compared by
    /// [`World::nearest_image`](crate::World::nearest_image), and answers of questions are told
    /// beside where they were asked. Navigation meshes and [`Window`](crate::Window) know nothing
    /// of periods.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).periodic(2, 2));
    /// let ship = BodyDef::dynamic().at([1535.0, 0.0]).velocity([120.0, 0.0]);
    /// let ship = world.add(ship.shape(Shape::circle(1.0)))?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world[ship].position(), vec2(-511.0, 0.0)); // in again on the left
    ///
    /// let ray = WorldRay::toward([1530.0, 0.0], [1.0, 0.0], 20.0);
    /// let hit = world.ray(ray, &QueryFilter::default()).expect("a ship");
    /// assert_eq!((hit.body, hit.fraction), (ship, 0.3));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn periodic(self, x: i32, y: i32) -> WorldDef {
        WorldDef { period: IVec2::new(x, y), ..self }
    }

    /// The defaults where a metre has so many units.
    fn defaults_in(unit: f32) -> WorldDef {
        let metres = WorldDef::default();
        WorldDef {
            gravity: metres.gravity * unit,
            max_speed: metres.max_speed * unit,
            sleep_speed: metres.sleep_speed * unit,
            hit_speed: metres.hit_speed * unit,
            unit,
            ..metres
        }
    }

    /// How many regions bodies of the world count as one: see
    /// [`WorldPoint::offset_in`](crate::WorldPoint).
    #[inline]
    pub(crate) fn span(&self) -> i32 {
        if self.period().is_none() { span_of(self.unit) } else { self.span_of_period() }
    }

    /// The span in a world that wraps round: it divides the period, and two bodies in one joined
    /// region are nearer to each other than to their images.
    #[inline(never)]
    fn span_of_period(&self) -> i32 {
        let mut span = span_of(self.unit);
        let fits = |period: i32, span: i32| period == 0 || (period % span == 0 && period >= 2 * span);
        while span > 1 && !(fits(self.period.x, span) && fits(self.period.y, span)) {
            span /= 2;
        }
        span
    }

    /// Where the world repeats itself.
    #[inline(always)]
    pub(crate) fn period(&self) -> Period {
        Period(self.period)
    }

    /// The point `by` further on, as bodies of the world keep it.
    #[inline]
    pub(crate) fn offset(&self, point: WorldPoint, by: Vec2) -> WorldPoint {
        self.period().wrapped(point.offset_in(by, self.span()))
    }

    /// The greatest speed in a step of `dt` seconds: in a world that wraps round nothing gets as
    /// far as its own image.
    #[inline]
    pub(crate) fn max_speed_in(&self, dt: f32) -> f32 {
        if self.period().is_none() || dt <= 0.0 {
            return self.max_speed;
        }
        crate::math::min(self.max_speed, self.period().least() / (16.0 * dt))
    }

    /// The definition with the default in place of each number that breaks a rule.
    pub(super) fn mended(self) -> WorldDef {
        let in_metres = WorldDef { unit: self.unit, ..WorldDef::default() };
        let unit = if in_metres.check().is_ok() { self.unit } else { 1.0 };
        let whole = WorldDef::defaults_in(unit);
        let candidates = [
            WorldDef { gravity: self.gravity, ..whole },
            WorldDef { sub_steps: self.sub_steps, ..whole },
            WorldDef { max_speed: self.max_speed, ..whole },
            WorldDef { sleep_speed: self.sleep_speed, ..whole },
            WorldDef { sleep_time: self.sleep_time, ..whole },
            WorldDef { hit_speed: self.hit_speed, ..whole },
            WorldDef { period: self.period, ..whole },
        ];
        let [gravity, sub_steps, max_speed, sleep_speed, sleep_time, hit_speed, period] =
            candidates.map(|one| if one.check().is_ok() { one } else { whole });
        WorldDef {
            gravity: gravity.gravity,
            sub_steps: sub_steps.sub_steps,
            max_speed: max_speed.max_speed,
            sleep_speed: sleep_speed.sleep_speed,
            sleep_time: sleep_time.sleep_time,
            hit_speed: hit_speed.hit_speed,
            period: period.period,
            unit,
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
        if !UNITS.contains(&self.unit) {
            return Err(Error::BadNumber("a metre has 1/1024 to 4096 units"));
        }
        if ![self.period.x, self.period.y].iter().all(|period| *period == 0 || PERIODS.contains(period)) {
            return Err(Error::BadNumber(
                "a world repeats itself after 2 to 1048576 regions, or 0 for never",
            ));
        }
        Ok(())
    }
}

/// How many units a metre may have.
const UNITS: core::ops::RangeInclusive<f32> = 1.0 / 1024.0..=4096.0;

/// Regions after which a world may repeat itself. In one region alone, half of all bodies would be
/// nearer to another's image than to it.
const PERIODS: core::ops::RangeInclusive<i32> = 2..=1 << 20;

/// The power of two up to a unit, at least 1.
///
/// A region is [`REGION_SIZE`](tuning::REGION_SIZE) units wide in every world, so that a
/// [`WorldPoint`](crate::WorldPoint) means the same everywhere. Where a metre has 64 units, bodies
/// count 64 regions as one: else a scene of 30 metres would lie in two regions, with its pixels
/// known more finely than its metres were.
pub(crate) fn span_of(unit: f32) -> i32 {
    1 << (unit as u32).max(1).ilog2()
}
