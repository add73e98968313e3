//! Rigid bodies: ids, definitions, and the row stored per body.
//!
//! In: definitions. Out: one row of plain data per body, 128 bytes. A step reads and writes the
//! first half; the second half changes rarely. Rows never move: an id is a row and a generation.
//!
//! A body's row is touched twice a step, when its velocity is gathered into the solver's columns
//! and when its new position is written back; in between, the solver works on columns of 16 bytes.
//! So rows are kept whole here.

pub(crate) mod collider;
pub(crate) mod core_table;
pub(crate) mod def;
pub(crate) mod id;
pub(crate) mod local_table;
pub(crate) mod material;
pub(crate) mod row_view;
pub(crate) mod state;

pub use collider::Collider;
pub use def::{BodyDef, BodyKind, Filter, Locks, ShapeDef, ShapeDefaults, Weight};
pub use id::{BodyId, JointId, ShapeId};
pub use material::{Combine, Material, MaterialError};

use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Vec2};

use crate::math::{Rot, Transform, WorldPoint, cross, max, min};

/// No row.
pub(crate) const NONE: u32 = u32::MAX;

/// Masses in kg, and inertias in kg m², up to this one count as 0: their reciprocals would
/// overflow. The smallest disc there may be, as dense as air, has an inertia of 2e-24 kg m².
pub(crate) const LIGHTEST: f32 = 1.0e-30;

/// Speed in m/s, and angular velocity, that no body exceeds, whatever the world allows: beyond it,
/// a step of a second might leave the range of positions.
pub(crate) const FASTEST: f32 = 1.0e11;

/// The number within `most` of 0 that is nearest to `x`.
pub(crate) fn at_most(x: f32, most: f32) -> f32 {
    max(min(x, most), -most)
}

/// A body of a world, to be read: `world[id]`. The functions of the world change it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Body {
    pub(crate) region: IVec2,
    /// Centre of mass, from the centre of the region.
    pub(crate) center: Vec2,
    pub(crate) rotation: Rot,
    /// Centre of mass in the frame of the body.
    pub(crate) local_center: Vec2,
    pub(crate) linear_velocity: Vec2,
    pub(crate) angular_velocity: f32,
    /// How long it has been slow, in seconds.
    pub(crate) sleep_time: f32,
    /// Inverse mass per axis; zero for a locked axis, and for bodies that are not dynamic.
    pub(crate) inv_mass: Vec2,
    pub(crate) inv_inertia: f32,
    pub(crate) gravity_scale: f32,

    pub(crate) force: Vec2,
    pub(crate) torque: f32,
    pub(crate) linear_damping: f32,
    pub(crate) angular_damping: f32,
    pub(crate) flags: u32,
    /// Room for a number, 0.
    pub(crate) spare: f32,
    /// The sleeping island it belongs to, or [`NONE`].
    pub(crate) island: u32,
    pub(crate) first_shape: u32,
    /// Its index in the list of awake bodies, or [`NONE`].
    pub(crate) awake_index: u32,
    pub(crate) mass: f32,
    pub(crate) inertia: f32,
    /// Maximum extent: distance of its farthest point from the centre of mass.
    pub(crate) max_extent: f32,
    /// Minimum extent: its least half-thickness. If it moves less than that in a step, it cannot
    /// tunnel.
    pub(crate) min_extent: f32,
    pub(crate) user_data: u64,
}

/// Flags of a body.
pub(crate) mod flag {
    pub(crate) const DYNAMIC: u32 = 1;
    pub(crate) const KINEMATIC: u32 = 1 << 1;
    pub(crate) const LOCK_X: u32 = 1 << 2;
    pub(crate) const LOCK_Y: u32 = 1 << 3;
    pub(crate) const LOCK_ROTATION: u32 = 1 << 4;
    pub(crate) const CAN_SLEEP: u32 = 1 << 5;
    pub(crate) const ENABLED: u32 = 1 << 6;
    /// Its mass was given, and is not the sum of its shapes'.
    pub(crate) const OWN_MASS: u32 = 1 << 7;
    /// A target pose was given for the next step.
    pub(crate) const HAS_TARGET: u32 = 1 << 8;
    /// Continuous collision cut it short in the last step that looked for that.
    pub(crate) const CUT_SHORT: u32 = 1 << 9;
    /// The highest flag.
    pub(crate) const HIGHEST: u32 = CUT_SHORT;
}

impl Body {
    /// Whether a flag is set.
    #[inline(always)]
    pub(crate) fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// Sets or clears a flag.
    pub(crate) fn set(&mut self, flag: u32, on: bool) {
        self.flags = if on { self.flags | flag } else { self.flags & !flag };
    }

    /// Its kind: fixed, kinematic or dynamic.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        if self.has(flag::DYNAMIC) {
            BodyKind::Dynamic
        } else if self.has(flag::KINEMATIC) {
            BodyKind::Kinematic
        } else {
            BodyKind::Fixed
        }
    }

    /// Where its origin stands.
    #[must_use]
    #[inline]
    pub fn world_position(&self) -> WorldPoint {
        self.center_point().offset(-(self.rotation * self.local_center))
    }

    /// Where its origin stands, as one vector: exact within 512 m of the origin of the world.
    #[must_use]
    pub fn position(&self) -> Vec2 {
        self.world_position().position()
    }

    /// Where its centre of mass is.
    #[must_use]
    pub fn world_center(&self) -> WorldPoint {
        self.center_point().split()
    }

    /// Where its centre of mass is, as the body keeps it: in a world of pixels many regions count
    /// as one, see [`WorldPoint::offset_in`].
    #[inline(always)]
    pub(crate) fn center_point(&self) -> WorldPoint {
        WorldPoint { region: self.region, local: self.center }
    }

    /// Its rotation.
    #[must_use]
    pub fn rotation(&self) -> Rot {
        self.rotation
    }

    /// Its angle in radians, in `-pi..=pi`.
    #[must_use]
    pub fn angle(&self) -> f32 {
        self.rotation.angle()
    }

    /// Position and rotation of its frame, for drawing and for tests of single shapes.
    #[must_use]
    pub fn transform(&self) -> Transform {
        Transform { position: self.position(), rotation: self.rotation }
    }

    /// Position and rotation of its frame, seen from the centre of its region.
    #[inline]
    pub(crate) fn local_transform(&self) -> Transform {
        Transform { position: self.center - self.rotation * self.local_center, rotation: self.rotation }
    }

    /// Speed of its centre of mass, in m/s.
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.linear_velocity
    }

    /// In radians a second, counter-clockwise.
    #[must_use]
    pub fn angular_velocity(&self) -> f32 {
        self.angular_velocity
    }

    /// Velocity, in m/s, of the point of the body that is at `point`; in a world that wraps round,
    /// at its image beside the body, see [`World::nearest_image`](crate::World::nearest_image).
    #[must_use]
    pub fn velocity_at(&self, point: impl Into<WorldPoint>) -> Vec2 {
        let arm = self.center_point().to(point.into());
        self.linear_velocity + arm.perp() * self.angular_velocity
    }

    /// Mass in kilograms; 0 for bodies that forces do not move.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.mass
    }

    /// Rotational inertia about the centre of mass, in kg m².
    #[must_use]
    pub fn inertia(&self) -> f32 {
        self.inertia
    }

    /// Centre of mass in the frame of the body.
    #[must_use]
    pub fn local_center(&self) -> Vec2 {
        self.local_center
    }

    /// Energy of its motion, in joules.
    #[must_use]
    pub fn kinetic_energy(&self) -> f32 {
        let w = self.angular_velocity;
        0.5 * (self.mass * self.linear_velocity.length_squared() + self.inertia * w * w)
    }

    /// Linear momentum: mass times velocity, in kg m/s.
    #[must_use]
    pub fn momentum(&self) -> Vec2 {
        self.linear_velocity * self.mass
    }

    /// A point given in the frame of the body, as a point of the world.
    #[must_use]
    pub fn to_world(&self, point: impl Into<Vec2>) -> WorldPoint {
        self.center_point().offset(self.rotation * (point.into() - self.local_center))
    }

    /// [`Body::to_world`] in a world in which `span` regions count as one: stated and rounded as
    /// the body's own place is.
    pub(crate) fn point_at(&self, point: Vec2, span: i32) -> WorldPoint {
        self.center_point().offset_in(self.rotation * (point - self.local_center), span)
    }

    /// A point of the world, seen in the frame of the body; in a world that wraps round, its image
    /// beside the body, see [`World::nearest_image`](crate::World::nearest_image).
    #[must_use]
    pub fn to_local(&self, point: impl Into<WorldPoint>) -> Vec2 {
        self.rotation.inverse_rotate(self.center_point().to(point.into())) + self.local_center
    }

    /// Whether it takes part in steps: neither asleep, nor disabled, nor fixed.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.awake_index != NONE
    }

    /// Whether it takes part in the world at all.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.has(flag::ENABLED)
    }

    /// Whether it may fall asleep.
    #[must_use]
    pub fn can_sleep(&self) -> bool {
        self.has(flag::CAN_SLEEP)
    }

    /// Its locked axes.
    #[must_use]
    pub fn locks(&self) -> Locks {
        Locks {
            x: self.has(flag::LOCK_X),
            y: self.has(flag::LOCK_Y),
            rotation: self.has(flag::LOCK_ROTATION),
        }
    }

    /// Its gravity scale: the world's gravity acts on it times this.
    #[must_use]
    pub fn gravity_scale(&self) -> f32 {
        self.gravity_scale
    }

    /// Its linear damping: see [`BodyDef::linear_damping`].
    #[must_use]
    pub fn linear_damping(&self) -> f32 {
        self.linear_damping
    }

    /// Its angular damping: see [`BodyDef::angular_damping`].
    #[must_use]
    pub fn angular_damping(&self) -> f32 {
        self.angular_damping
    }

    /// The force in N that will act in the next step, gravity not included.
    #[must_use]
    pub fn force(&self) -> Vec2 {
        self.force
    }

    /// The torque in N m that will act in the next step.
    #[must_use]
    pub fn torque(&self) -> f32 {
        self.torque
    }

    /// Its user data: the program's own number, which carom does not read.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    /// Reciprocals of mass and inertia: zero for locked axes, for bodies that are not dynamic, and
    /// for bodies too light to compute with.
    pub(crate) fn weigh(&mut self) {
        let dynamic = self.has(flag::DYNAMIC);
        let inverse = |x: f32, locked: bool| if x > LIGHTEST && dynamic && !locked { 1.0 / x } else { 0.0 };
        let Locks { x, y, rotation } = self.locks();
        self.inv_mass = Vec2::new(inverse(self.mass, x), inverse(self.mass, y));
        self.inv_inertia = inverse(self.inertia, rotation);
    }

    /// Adds an impulse at `arm` from the centre of mass, and the angular impulse `turn`.
    pub(crate) fn push(&mut self, impulse: Vec2, arm: Vec2, turn: f32) {
        let [x, y] = (self.linear_velocity + self.inv_mass * impulse).to_array();
        self.linear_velocity = Vec2::new(at_most(x, FASTEST), at_most(y, FASTEST));
        let spin = self.angular_velocity + self.inv_inertia * (cross(arm, impulse) + turn);
        self.angular_velocity = at_most(spin, FASTEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_takes_two_cache_lines() {
        assert_eq!(size_of::<Body>(), 128);
        assert_eq!(core::mem::offset_of!(Body, force), 64, "what a step needs is in the first");
    }
}
