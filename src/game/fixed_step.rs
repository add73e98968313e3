//! Fixed time steps from frames of any length (an accumulator).
//!
//! In: the duration of each frame, as the game measured it. Out: how many steps to make, and how
//! far the frame lies between the last two steps. The remaining time waits for the next frame.
//!
//! ```text
//!   frames   |------|--------|-----|------------|        as long as they take
//!   steps    |----|----|----|----|----|----|---->        all alike
//!                                           ^ alpha: how far into the step that is still to come
//! ```

/// The rate that replaces an invalid rate.
const USUAL_HZ: f32 = 60.0;

/// The default limit of steps a frame. At 60 Hz they cover an eighth of a second.
const USUAL_MAX_STEPS: u32 = 8;

/// The largest `f32` below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// Computes how many steps of one length a game loop makes in a frame. Reads no clock.
///
/// ```
/// use carom::prelude::*;
///
/// let mut world = World::new(WorldDef::default());
/// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
/// let mut clock = FixedStep::hz(60.0);
/// for frame_seconds in [0.007, 0.016, 0.034] {
///     for _ in 0..clock.advance(frame_seconds) {
///         // Apply the player's input here.
///         world.step(clock.dt())?;
///     }
///     let poses: &[Pose] = world.poses_at(clock.alpha());
///     let _drawn_at = poses[ball.index()].position;
/// }
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Frames that take too long
///
/// A frame makes [`max_steps`](FixedStep::max_steps) steps at most. Without this limit, a game
/// whose steps take longer than the time they cover would fall further behind in every frame. The
/// rest is dropped, so the game slows down, and [`dropped`](FixedStep::dropped) returns by how
/// much. An invalid frame time (NaN, negative, infinite) counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedStep {
    hz: f64,
    max_steps: u32,
    /// The time that waits, in steps; in `0.0..1.0` between frames.
    ///
    /// It is an `f64`, and whole steps are subtracted exactly: after a day of frames the error is a
    /// billionth of a step.
    waiting: f64,
    dropped: u64,
}

impl Default for FixedStep {
    fn default() -> FixedStep {
        FixedStep::hz(USUAL_HZ)
    }
}

impl FixedStep {
    /// Makes a clock of `hz` steps a second, 1 to 1,000,000. Any other number becomes 60.
    #[must_use]
    pub fn hz(hz: f32) -> FixedStep {
        let hz = if (1.0..=1.0e6).contains(&hz) { hz } else { USUAL_HZ };
        FixedStep { hz: f64::from(hz), max_steps: USUAL_MAX_STEPS, waiting: 0.0, dropped: 0 }
    }

    /// Sets the limit to `steps` steps a frame; at least one.
    #[must_use]
    pub fn max_steps(self, steps: u32) -> FixedStep {
        FixedStep { max_steps: steps.max(1), ..self }
    }

    /// Adds a frame of `frame_seconds`. Returns how many steps to make now.
    #[must_use]
    pub fn advance(&mut self, frame_seconds: f32) -> u32 {
        let is_time = frame_seconds.is_finite() && frame_seconds > 0.0;
        let frame = if is_time { f64::from(frame_seconds) } else { 0.0 };
        let waiting = self.waiting + frame * self.hz;
        let whole = waiting.floor();
        self.waiting = waiting - whole;
        // The cast saturates beyond its range.
        let steps = (whole as u64).min(u64::from(self.max_steps));
        self.dropped = whole as u64 - steps;
        steps as u32
    }

    /// Returns the length of a step, in seconds.
    #[must_use]
    pub fn dt(&self) -> f32 {
        (1.0 / self.hz) as f32
    }

    /// Returns how far the present frame lies between the last two steps, in `0.0..1.0`; for
    /// [`World::poses_at`](crate::World::poses_at).
    ///
    /// The drawn pose is up to one step old. In exchange it moves evenly, whatever frames take.
    #[must_use]
    pub fn alpha(&self) -> f32 {
        crate::math::min(self.waiting as f32, BELOW_ONE)
    }

    /// Returns how many steps the last frame left out because of the limit.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Drops the time that waits: after a pause, or when another level has been loaded.
    pub fn reset(&mut self) {
        (self.waiting, self.dropped) = (0.0, 0);
    }
}
