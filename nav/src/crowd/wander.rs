//! Wandering: a heading that turns at random, and stays near a place.
//!
//! The turns are noise of a seed, the agent and the tick: the same seed gives the same track, at
//! any frame rate.

use carom::{Vec2, WorldPoint};

use super::math::{dot, length, noise, turned, unit};

/// Settings of a wandering agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wander {
    /// Seed of the turns; agents with one seed still go different ways.
    pub seed: u64,
    /// Greatest turning speed, in radians a second.
    pub turn: f32,
    /// A disc, as middle and radius: an agent outside comes back.
    pub leash: Option<(WorldPoint, f32)>,
}

impl Default for Wander {
    fn default() -> Wander {
        Wander { seed: 0, turn: 2.0, leash: None }
    }
}

/// A turn lasts this many ticks before noise picks a new one.
const TICKS: u64 = 24;

impl Wander {
    /// The heading of an agent after a tick, from the previous one; a zero vector begins anew.
    /// `wall` points out of a wall near by, or is zero.
    pub(super) fn heading(
        &self,
        agent: u32,
        tick: u64,
        place: WorldPoint,
        before: Vec2,
        wall: Vec2,
        dt: f32,
    ) -> Vec2 {
        let draw = |tick: u64| noise(self.seed ^ (u64::from(agent) << 40) ^ tick.wrapping_mul(0x9E37_79B9));
        if before == Vec2::ZERO {
            let (sin, cos) = carom::math::sin_cos(draw(tick) * core::f32::consts::PI);
            return Vec2::new(cos, sin);
        }
        let mut angle = self.turn * dt * draw(tick / TICKS);
        let mut heading = before;
        if let Some((middle, radius)) = self.leash {
            let home = place.to(middle);
            // Outside of the leash it turns home, the shorter way around, as fast as it may.
            if length(home) > radius && dot(heading, home) < 0.9 * length(home) {
                let side = heading.x * home.y - heading.y * home.x;
                angle = if side >= 0.0 { self.turn * dt } else { -self.turn * dt };
            }
        }
        let (sin, cos) = carom::math::sin_cos(angle);
        heading = turned(heading, (cos, sin));
        // A heading into a wall is turned along the wall and a little out of it.
        let into = dot(heading, wall);
        if into < 0.0 {
            heading -= wall * (1.1 * into);
        }
        let heading = unit(heading);
        // In a corner of walls nothing may be left of the heading.
        if heading == Vec2::ZERO { wall } else { heading }
    }
}
