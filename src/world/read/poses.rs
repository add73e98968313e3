//! Interpolated poses for drawing: the pose of every body at a moment between the last two steps.
//!
//! In: poses of bodies, and their displacements in the last step. Out: a slice of plain data, one
//! pose per slot of bodies, for upload as it is. Called by game loops once a frame.
//!
//! ```text
//!   step n              step n + 1
//!     o----------x----------o           x: the pose at alpha, 0 there, 1 here
//!     |<- alpha->|<-1-alpha>|           a body that did not move by itself is where it is
//! ```
//!
//! A displacement belongs to a row of the solver's columns, and rows go to other bodies when bodies
//! fall asleep or are removed. So `note_ways` notes displacements (ways) as the step ends, each
//! with its body and its end. A body that is elsewhere at the time of drawing was moved from
//! outside, by [`World::teleport`] say: it is not blended.

use bytemuck::{Pod, Zeroable};
use core::num::NonZeroU32;
use glam::Vec2;

use crate::body::{Body, BodyId};
use crate::broadphase::Period;
use crate::math::{Rot, WorldPoint};
use crate::util::sort;
use crate::world::World;

/// Squared distance, in m², from the end of its displacement at which a body counts as moved from
/// outside. Margin for the rounding of a centre of mass that moved within the body.
const SAME_PLACE: f32 = 1.0e-6;

/// The pose at which a body is drawn: its origin and rotation. 16 bytes, for upload as they are.
///
/// Slots without a body, or with a disabled one, have [`Pose::NOWHERE`]: its cosine and sine are 0,
/// so everything drawn with it shrinks to a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Pose {
    /// Position of the body's origin (not its centre of mass).
    pub position: Vec2,
    /// Cosine and sine of the body's angle; both 0 where there is no body.
    pub rotation: Rot,
}

impl Pose {
    /// No body: draws nothing.
    pub const NOWHERE: Pose = Pose { position: Vec2::ZERO, rotation: Rot { cos: 0.0, sin: 0.0 } };

    /// Whether there is a body to draw.
    #[must_use]
    pub fn is_somewhere(&self) -> bool {
        self.rotation != Pose::NOWHERE.rotation
    }
}

/// A body that the last step moved, or that fell asleep in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The body.
    pub body: BodyId,
    /// Whether it fell asleep at the end of the step.
    pub slept: bool,
}

/// The displacement of a body in the last step, and its pose at the end.
#[derive(Clone, Copy, Debug)]
struct Way {
    slot: u32,
    generation: NonZeroU32,
    /// Displacement of its centre of mass.
    linear: Vec2,
    angular: f32,
    rotation: Rot,
    center: WorldPoint,
    local_center: Vec2,
}

impl Way {
    /// Whether `body` is still at the end of this displacement. Its centre of mass may have moved
    /// within it since.
    fn led_to(&self, body: &Body, period: Period) -> bool {
        let origin = || self.center.offset(-(self.rotation * self.local_center));
        self.rotation == body.rotation
            && (self.center == body.center_point()
                || period.between(origin(), body.world_position()).length_squared() <= SAME_PLACE)
    }
}

/// Displacements of the last step, and the slice that is returned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Poses {
    ways: Vec<Way>,
    /// The step of the displacements.
    step: u64,
    /// Whether poses are asked for: a world that is not drawn does not note displacements.
    wanted: bool,
    out: Vec<Pose>,
}

impl World {
    /// The present pose of every body: [`World::poses_at`] with 1.
    pub fn poses(&mut self) -> &[Pose] {
        self.poses_at(1.0)
    }

    /// The pose of every body at `alpha` between the last two steps, from 0, the step before, to 1,
    /// the last step; `poses[id.index()]` is the body's. For smooth motion on a screen whose frames
    /// and steps do not coincide.
    ///
    /// A body that was added, or put elsewhere by [`World::teleport`], is drawn where it stands.
    /// Positions are from the origin of the world; far out, ask for [`World::poses_from`]. An
    /// `alpha` outside of 0 to 1, or NaN, counts as the nearer end, or 1.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let ball = world.add(BodyDef::dynamic().velocity([60.0, 0.0]).shape(Shape::circle(0.5)))?;
    /// world.step(1.0 / 60.0)?;
    ///
    /// let poses = world.poses_at(0.25);
    /// assert!((poses[ball.index()].position - vec2(0.25, 0.0)).length() < 1e-6);
    /// let bytes: &[u8] = bytemuck::cast_slice(poses); // as a graphics card wants it
    /// assert_eq!(bytes.len(), 16);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn poses_at(&mut self, alpha: f32) -> &[Pose] {
        self.poses_seen(WorldPoint::ORIGIN, alpha, Period::NONE)
    }

    /// [`World::poses_at`], but as seen from `origin`, a camera's position: exact however far out
    /// that is.
    ///
    /// From an origin that is no valid point, nothing is drawn. In a world that wraps round, each
    /// body is drawn where its image nearest to the origin is; by [`World::poses_at`], where it is
    /// kept.
    pub fn poses_from(&mut self, origin: impl Into<WorldPoint>, alpha: f32) -> &[Pose] {
        self.poses_seen(origin.into(), alpha, self.def.period())
    }

    fn poses_seen(&mut self, origin: WorldPoint, alpha: f32, period: Period) -> &[Pose] {
        let (origin, alpha) = (origin, if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) });
        self.note_late();
        let mut poses = core::mem::take(&mut self.poses);
        poses.out.clear();
        poses.out.resize(self.bodies.rows.len(), Pose::NOWHERE);
        if origin.is_valid() {
            for slot in self.bodies.slots.iter() {
                let body = &self.bodies.rows[slot as usize];
                if body.is_enabled() {
                    let position = period.between(origin, body.world_position());
                    poses.out[slot as usize] = Pose { position, rotation: body.rotation };
                }
            }
            for way in poses.ways.iter().filter(|_| alpha < 1.0) {
                let pose = &mut poses.out[way.slot as usize];
                let body = &self.bodies.rows[way.slot as usize];
                let same = self.bodies.slots.tenant(way.slot) == Some(way.generation);
                if same && pose.is_somewhere() && way.led_to(body, self.def.period()) {
                    *pose = blended(body, way, 1.0 - alpha, (origin, period));
                }
            }
        }
        self.poses = poses;
        &self.poses.out
    }

    /// [`World::poses_from`] for the bodies alone that the last step moved: bodies that sleep or do
    /// not move cost nothing. For programs that keep and update a pose of their own for every body.
    ///
    /// Bodies come in no particular order, each once. All others are where [`World::get`] says.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let ball = world.add(BodyDef::dynamic().velocity([60.0, 0.0]).shape(Shape::circle(0.5)))?;
    /// world.add(BodyDef::dynamic().at([0.0, 9.0]).shape(Shape::circle(0.5)))?;
    /// world.step(1.0 / 60.0)?;
    ///
    /// let moved: Vec<(BodyId, Pose)> = world.moved_poses([0.0, 0.0], 0.5).collect();
    /// assert_eq!((moved.len(), moved[0].0), (1, ball));
    /// assert!((moved[0].1.position.x - 0.5).abs() < 1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn moved_poses(
        &mut self,
        origin: impl Into<WorldPoint>,
        alpha: f32,
    ) -> impl Iterator<Item = (BodyId, Pose)> + '_ {
        let (origin, alpha) = (origin.into(), if alpha.is_nan() { 1.0 } else { alpha.clamp(0.0, 1.0) });
        self.note_late();
        let world = &*self;
        let ways: &[Way] = if origin.is_valid() { &world.poses.ways } else { &[] };
        ways.iter().filter_map(move |way| {
            let id = BodyId::new(way.slot, way.generation);
            let body = world.get(id).filter(|body| body.is_enabled())?;
            let pose = if alpha < 1.0 && way.led_to(body, world.def.period()) {
                blended(body, way, 1.0 - alpha, (origin, world.def.period()))
            } else {
                Pose { position: world.way(origin, body.world_position()), rotation: body.rotation }
            };
            Some((id, pose))
        })
    }

    /// The bodies that the last step moved, and the bodies that fell asleep at its end, each once,
    /// in the order of their ids: all bodies to update in a copy of the world. Sleeping bodies cost
    /// nothing.
    ///
    /// From the first request on, a step notes which bodies moved. The first answer names every
    /// body that is awake, moved or not, if bodies fell asleep or woke in that step.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let ball = world.add(BodyDef::dynamic().velocity([60.0, 0.0]).shape(Shape::circle(0.5)))?;
    /// world.add(BodyDef::dynamic().at([0.0, 9.0]).shape(Shape::circle(0.5)))?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.moved(), [carom::Moved { body: ball, slept: false }]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn moved(&mut self) -> Vec<Moved> {
        let noted = self.note_late();
        let ways = self.poses.ways.iter().map(|way| BodyId::new(way.slot, way.generation));
        let awake = self.bodies.awake.iter().filter(|_| !noted).map(|&slot| self.body_id(slot));
        let slept = self.events.now.slept();
        let mut ids: Vec<BodyId> = ways.chain(awake).chain(slept.iter().copied()).collect();
        ids.retain(|&id| self.get(id).is_some());
        sort::plain(&mut ids);
        ids.dedup();
        ids.into_iter().map(|body| Moved { body, slept: slept.binary_search(&body).is_ok() }).collect()
    }

    /// Bodies that calls added, put elsewhere, or changed in another way since the last step; some
    /// of them more than once. Together with [`World::moved_poses`], these are all bodies whose
    /// drawn pose may have changed.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let door = world.add(BodyDef::fixed().shape(Shape::rect(0.2, 2.0)))?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.edited_bodies().count(), 0);
    /// world.teleport(door, [3.0, 0.0], 0.0)?;
    /// assert!(world.edited_bodies().all(|id| id == door));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn edited_bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.dirty.boxes.iter().filter_map(|&slot| Some(BodyId::new(slot, self.bodies.slots.tenant(slot)?)))
    }

    /// Notes the displacements of the step that is about to end, before bodies fall asleep; called
    /// by the step.
    ///
    /// 52 bytes per awake body; nothing for a world that is not drawn.
    pub(crate) fn note_ways(&mut self) {
        if self.poses.wanted {
            self.gather_ways(self.step.number + 1);
        }
    }

    /// Notes the displacements of the last step, if the step did not: steps do so from the first
    /// request on. Returns whether they are known.
    fn note_late(&mut self) -> bool {
        self.poses.wanted = true;
        if self.poses.step == self.step.number {
            return true;
        }
        // A body that entered or left a row since then raised the flag for a new colouring.
        let unchanged = !self.dirty.colouring && self.columns.moved.len() == self.bodies.awake.len() + 1;
        if unchanged {
            self.gather_ways(self.step.number);
        } else {
            self.poses.step = self.step.number;
            self.poses.ways.clear();
        }
        unchanged
    }

    /// Forgets all displacements: the state was replaced since they were noted.
    pub(crate) fn forget_ways(&mut self) {
        self.poses.step = self.step.number;
        self.poses.ways.clear();
    }

    fn gather_ways(&mut self, step: u64) {
        self.poses.step = step;
        self.poses.ways.clear();
        for (&slot, moved) in self.bodies.awake.iter().zip(self.columns.moved.iter().skip(1)) {
            let [x, y, angular, _] = *moved;
            let Some(generation) = self.bodies.slots.tenant(slot) else { continue };
            if (x, y, angular) == (0.0, 0.0, 0.0) {
                continue;
            }
            let body = &self.bodies.rows[slot as usize];
            self.poses.ways.push(Way {
                slot,
                generation,
                linear: Vec2::new(x, y),
                angular,
                rotation: body.rotation,
                center: body.center_point(),
                local_center: body.local_center,
            });
        }
    }
}

/// The body with a share of its displacement taken back.
fn blended(body: &Body, way: &Way, share: f32, (origin, period): (WorldPoint, Period)) -> Pose {
    let rotation = if way.angular == 0.0 {
        body.rotation
    } else {
        Rot::from_angle(-share * way.angular) * body.rotation
    };
    let place = body.center_point().offset(way.linear * -share - rotation * body.local_center);
    Pose { position: period.between(origin, place), rotation }
}
