//! Avoidance (ORCA): the velocities that one neighbour or one wall permits an agent.
//!
//! In: two agents with their velocities, or an agent and the nearest point of a wall. Out: one
//! half-plane of velocities for the linear program.
//!
//! The rule is optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha 2011,
//! "Reciprocal n-body collision avoidance"). Relative velocities v that lead to a touch within the
//! time T form a cone, truncated by a disc:
//!
//! ```text
//!            \         /         x: from the agent to the other; R: sum of the radii
//!             \   x   /          cone: touches the disc of radius R about x
//!     left leg \     / right     cap: the disc of radius R / T about x / T
//!               \_ _/
//!                cap             m: the point of the border nearest to v, n: its outward normal,
//!                                s: depth of v inside the cone; below 0 v is outside
//!                 0
//! ```
//!
//! If the pair together changes v by s along n, the discs do not touch within T. Each agent takes a
//! share, and the shares of a pair sum to 1: the agent's velocity u has to satisfy n . u >= n .
//! u_now + share s. If v is outside (s < 0), the free room is shared the other way: the agent with
//! the right of way may use more of it.

use glam::Vec2;

use super::math::{cross, dot, left_of, length, max};
use super::program::HalfPlane;

/// Two agents, as one of them sees the other.
#[derive(Clone, Copy, Debug)]
pub struct Encounter {
    /// From the agent to the other.
    pub to: Vec2,
    /// The agent's present velocity.
    pub mine: Vec2,
    /// The other's present velocity.
    pub theirs: Vec2,
    /// The sum of both radii.
    pub radius: f32,
    /// Time without a touch, in seconds.
    pub horizon: f32,
    /// The agent's share of the change, 0 to 1.
    pub share: f32,
}

impl Encounter {
    /// The half-plane of velocities that avoid the other agent.
    #[must_use]
    pub fn half_plane(&self) -> HalfPlane {
        let v = self.mine - self.theirs;
        let (normal, depth) = self.nearest_border(v);
        let share = if depth > 0.0 { self.share } else { 1.0 - self.share };
        HalfPlane { normal, offset: dot(normal, self.mine) + share * depth }
    }

    /// The outward normal of the truncated cone at the border point nearest to `v`, and the depth
    /// of `v` inside.
    fn nearest_border(&self, v: Vec2) -> (Vec2, f32) {
        let (x, r) = (self.to, self.radius);
        let square = dot(x, x);
        if square <= r * r {
            // The discs overlap. "Not closer" is enough: the contact solver separates them.
            let away = -x / max(square.sqrt(), f32::MIN_POSITIVE);
            return (away, -dot(v, away));
        }
        let cap = x / self.horizon;
        let w = v - cap;
        let along = dot(w, x);
        if along < 0.0 && along * along > r * r * dot(w, w) {
            let size = length(w);
            return (w / size, r / self.horizon - size);
        }
        // The legs: x turned by the angle whose sine is R / |x|.
        let leg = (square - r * r).sqrt();
        let side = cross(x, w);
        if side > 0.0 {
            let along = Vec2::new(x.x * leg - x.y * r, x.x * r + x.y * leg) / square;
            let normal = left_of(along);
            (normal, -dot(normal, v))
        } else if side < 0.0 {
            let along = Vec2::new(x.x * leg + x.y * r, x.y * leg - x.x * r) / square;
            let normal = -left_of(along);
            (normal, -dot(normal, v))
        } else {
            // Head-on, both legs are equally near: brake, which favours no side.
            let distance = square.sqrt();
            let away = -x / distance;
            (away, -dot(away, v) - (distance - r) / self.horizon)
        }
    }
}

/// The half-plane of velocities that keep an agent out of a wall for `horizon` seconds.
///
/// The agent may use up the gap to the wall's nearest point in that time, and no faster. `normal`
/// points out of the wall, and `drift` is the wall's own velocity there. In contact the plane says
/// "not closer", so that walls at rest always permit standing still.
#[must_use]
pub fn wall(normal: Vec2, gap: f32, drift: Vec2, horizon: f32) -> HalfPlane {
    HalfPlane { normal, offset: dot(normal, drift) - max(gap, 0.0) / horizon }
}
