//! Distances from a mover to its surroundings, and straight ways through them.
//!
//! In: a convex shape, its place, and the parts around it. Out: its distance from each part; how
//! far it may go along a straight way before it comes closer than its skin; the way out of an
//! overlap. Called by `walk.rs`.
//!
//! # Never too far
//!
//! A mover goes straight and does not turn. Along a straight way the signed distance s(t) of two
//! convex shapes is a convex function of t. So Newton's method from the near side never passes the
//! place where s is the skin, at any speed and however thin the obstacle. The distance to several
//! flush tiles is the distance to their union: an edge between two tiles is like the middle of one.
//!
//! # Two levels
//!
//! ```text
//!   . . . . . . . . .   skin + tol   where a mover is put when it has come to rest
//!   - - - - - - - - -   skin         where it is stopped
//!   _________________   surface
//! ```
//!
//! So the rounding of its own height does not stop a mover that has come to rest. The two levels
//! are one tolerance apart: a hundredth of the skin, or the resolution of positions there.

use glam::Vec2;

use super::parts::{Part, Search, list};
use super::planes::{Plane, Planes};
use crate::body::{BodyId, BodyKind};
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::math::{Rot, Transform, WorldPoint, max, min};
use crate::narrowphase::piece_distance;
use crate::shape::Piece;
use crate::tuning::SurfaceTuning;
use crate::world::{OverlapAnswer, QueryFilter, World};

/// The most evaluations of the distance to one part along one way.
const MAX_ROUNDS: usize = 32;

/// The most corrections of an overlap, each exact for the known faces.
const MAX_CORRECTIONS: usize = 8;

/// How far dynamic bodies may reach into the skin before the mover yields to them, as a share of
/// the skin.
const YIELD: f32 = 0.25;

/// The distance of a mover from a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    pub(super) apart: f32,
    /// From the part to the mover.
    pub(super) normal: Vec2,
    /// On the part, relative to the mover's place.
    pub(super) point: Vec2,
}

/// The stop of a mover at a part on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The share of the way up to the stop.
    pub(super) time: f32,
    /// The index of the part.
    pub(super) index: usize,
    /// The normal out of the part at the point of contact.
    pub(super) normal: Vec2,
}

/// A mover among parts.
pub(super) struct Field<'a> {
    pub(super) world: &'a World,
    pub(super) own: Piece<'a>,
    pub(super) rotation: Rot,
    pub(super) skin: f32,
    pub(super) tolerance: f32,
    pub(super) parts: &'a mut Vec<Part>,
    /// The start of the step; boxes are relative to it.
    pub(super) start: WorldPoint,
    pub(super) place: WorldPoint,
}

impl Field<'_> {
    /// Lists the parts within `reach` of the mover.
    pub(super) fn gather(
        &mut self,
        (reach, dt): (f32, f32),
        filter: &QueryFilter,
        ground: Option<BodyId>,
        found: &mut Vec<OverlapAnswer>,
    ) {
        let within = self.own_box(Vec2::ZERO).grown(reach);
        let local = self.start.local;
        let aabb = Aabb { min: within.min + local, max: within.max + local };
        let filter = QueryFilter { sensors: false, ..*filter };
        self.world.overlap_aabb(WorldAabb { region: self.start.region, aabb }, &filter, found);
        list(self.world, &Search { from: self.start, within, dt, ground }, found, self.parts);
        let resolution = 2.0 * f32::EPSILON * local.abs().max_element();
        let coarsest = self.parts.iter().fold(0.0, |most, part| max(most, part.extent()));
        let rounding = max(resolution, min(f32::EPSILON * coarsest, 0.1 * self.skin));
        self.tolerance = max(0.01 * self.skin, rounding);
        let arm = self.skin + self.radius();
        for part in self.parts.iter_mut() {
            part.doubt = 1.0e-5 + 4.0 * f32::EPSILON * part.extent() / arm;
        }
    }

    /// Places moving parts where they are after a share of the step.
    pub(super) fn pose(&mut self, share: f32) {
        for part in self.parts.iter_mut().filter(|part| part.way != Vec2::ZERO || part.turn != 0.0) {
            part.place(self.world, self.start, share);
        }
    }

    /// Returns the box around the mover, `moved` from the start of the step.
    fn own_box(&self, moved: Vec2) -> Aabb {
        self.own.aabb(Transform { position: moved, rotation: self.rotation })
    }

    /// Returns the radius by which the mover is rounded.
    pub(super) fn radius(&self) -> f32 {
        match self.own {
            Piece::Circle(circle) => circle.radius,
            Piece::Capsule(capsule) => capsule.radius,
            Piece::Obb(obb) => obb.radius,
            Piece::Polygon(polygon) => polygon.radius,
            Piece::Segment(_) | Piece::ChainSegment(_) | Piece::HalfPlane(_) => 0.0,
        }
    }

    /// Returns how far the lowest point of the mover is below its place, along `up`.
    pub(super) fn depth_below(&self, up: Vec2) -> f32 {
        let upright = Rot { cos: up.y, sin: up.x };
        -self.own.aabb(Transform { position: Vec2::ZERO, rotation: upright * self.rotation }).min.y
    }

    /// Returns the distance of the mover from a part, once the mover has `moved`.
    pub(super) fn gap(&self, index: usize, moved: Vec2) -> Gap {
        let part = &self.parts[index];
        let own = Transform { position: moved, rotation: self.rotation };
        let other = part.seen_from(self.place);
        let found = piece_distance(self.own, part.piece(self.world), own.relative(other)).transformed(own);
        Gap { apart: found.separation, normal: -found.normal, point: found.point_b - moved }
    }

    /// Marks one-way parts with the mover inside as passed; with `all`, every one-way part.
    pub(super) fn judge_one_way(&mut self, all: bool) {
        for index in 0..self.parts.len() {
            if self.parts[index].one_way.is_some() {
                let inside = self.gap(index, Vec2::ZERO).apart < -self.tolerance;
                self.parts[index].is_passed = all || inside;
            }
        }
    }

    /// Whether a part is solid against the direction of a normal.
    fn is_solid(&self, index: usize, normal: Vec2) -> bool {
        let part = &self.parts[index];
        !part.is_passed
            && part.direction().is_none_or(|direction| direction.dot(normal) > SurfaceTuning::SOLID)
    }

    /// Returns the greatest distance that counts as touching.
    pub(super) fn touch_level(&self) -> f32 {
        self.skin + 2.5 * self.tolerance
    }

    /// Returns the touched parts, with their distances.
    pub(super) fn touched(&self) -> impl Iterator<Item = (usize, Gap)> + '_ {
        let near = self.own_box(self.start.to(self.place)).grown(self.skin + 4.0 * self.tolerance);
        (0..self.parts.len()).filter(move |&index| self.parts[index].around.overlaps(&near)).filter_map(
            |index| {
                let gap = self.gap(index, Vec2::ZERO);
                let touches = gap.apart <= self.touch_level() && self.is_solid(index, gap.normal);
                touches.then_some((index, gap))
            },
        )
    }

    /// Returns the first stop of the mover on a straight way, if any. Parts of body `except` do not
    /// count.
    pub(super) fn march(&self, way: Vec2, except: Option<BodyId>) -> Option<Stop> {
        let here = self.own_box(self.start.to(self.place));
        let ahead = Aabb { min: here.min + way, max: here.max + way };
        let swept = here.union(ahead).grown(self.skin + 4.0 * self.tolerance);
        let mut first: Option<Stop> = None;
        for index in 0..self.parts.len() {
            let part = &self.parts[index];
            if part.is_passed || except == Some(part.body) || !part.around.overlaps(&swept) {
                continue;
            }
            let limit = first.map_or(1.0, |stop| stop.time);
            first = self.stop_at(index, way, limit).or(first);
        }
        first
    }

    /// Returns the stop where the mover reaches the level of one part, before `limit`.
    fn stop_at(&self, index: usize, way: Vec2, limit: f32) -> Option<Stop> {
        let (length, tolerance) = (way.length(), self.tolerance);
        let start = self.gap(index, Vec2::ZERO);
        // A part that is too near already may not come nearer.
        let level = if start.apart > self.skin { self.skin } else { start.apart - 0.5 * tolerance };
        if start.apart - level > length * limit {
            return None;
        }
        // A rounding error of the normal may hide this much of an approach.
        let doubt = length * self.parts[index].doubt;
        let longest = 0.5 * self.skin / doubt;
        let (mut safe, mut time, mut gap) = (0.0, 0.0, start);
        for _ in 0..MAX_ROUNDS {
            let (above, closing) = (gap.apart - level, -gap.normal.dot(way));
            if above < -0.2 * tolerance {
                // Too far, because of such a normal.
                time = 0.5 * (safe + time);
                gap = self.gap(index, way * time);
                continue;
            }
            if closing < -doubt {
                return None;
            }
            if above <= 0.1 * tolerance && closing > 1.0e-6 * length {
                // A mover that rests on a face keeps its place, to the bit.
                let rests = start.apart <= self.touch_level() && start.normal.dot(gap.normal) > 0.999;
                let stop = Stop { time: if rests { 0.0 } else { time }, index, normal: gap.normal };
                return self.is_solid(index, gap.normal).then_some(stop);
            }
            safe = time;
            let step = max(above - 0.05 * tolerance, 0.05 * tolerance) / max(closing, 1.0e-6 * length);
            time += min(step, longest);
            // NaN counts as far: a way without length.
            if time.is_nan() || time >= limit {
                return None;
            }
            gap = self.gap(index, way * time);
        }
        self.is_solid(index, gap.normal).then_some(Stop { time: safe, index, normal: gap.normal })
    }

    /// Moves by a share of a way.
    pub(super) fn advance(&mut self, way: Vec2, share: f32) {
        if share > 0.0 {
            self.place = self.place.offset(way * share);
        }
    }

    /// Moves along a way until something stops the mover. Returns the share that was made.
    pub(super) fn go(&mut self, way: Vec2, except: Option<BodyId>) -> f32 {
        let share = self.march(way, except).map_or(1.0, |stop| stop.time);
        self.advance(way, share);
        share
    }

    /// Returns the distance to restore to a part that has come too near; `None` for a part that the
    /// mover passes through.
    fn due(&self, index: usize, normal: Vec2, ground: Option<BodyId>) -> Option<f32> {
        let part = &self.parts[index];
        let carries = ground == Some(part.body);
        match part.kind {
            _ if !self.is_solid(index, normal) => None,
            BodyKind::Dynamic if !carries => Some(-YIELD * self.skin),
            // A mover that rises through a thin platform is not lifted off it.
            BodyKind::Fixed if part.one_way.is_some() && !carries => None,
            _ => Some(self.skin + self.tolerance),
        }
    }

    /// Restores the distance to all parts that are too near. Returns the missing distance if that
    /// is not possible.
    pub(super) fn recover(&mut self, ground: Option<BodyId>) -> f32 {
        for _ in 0..MAX_CORRECTIONS {
            let (mut planes, mut is_due) = (Planes::default(), false);
            for (index, gap) in self.touched() {
                let Some(target) = self.due(index, gap.normal, ground) else { continue };
                let lacks = target - gap.apart;
                let lifts = lacks > 0.7 * self.tolerance;
                is_due |= lifts;
                let least = if lifts { lacks } else { min(lacks - 0.7 * self.tolerance, 0.0) };
                planes.push(Plane { normal: gap.normal, least });
            }
            if !is_due {
                return 0.0;
            }
            let longest = 2.0 * planes.deepest() + 4.0 * self.skin;
            let (way, missing) = planes.shortest_within(longest);
            if way.length() < 0.1 * self.tolerance {
                return missing;
            }
            self.go(way, None);
        }
        self.deepest(ground)
    }

    /// Returns by how much the distance to any part is too small.
    pub(super) fn deepest(&self, ground: Option<BodyId>) -> f32 {
        self.touched().fold(0.0, |most, (index, gap)| {
            let due = self.due(index, gap.normal, ground);
            due.map_or(most, |target| max(most, target - self.tolerance - gap.apart))
        })
    }

    /// Looks for a free place in eight directions, upward first, within `most` metres; for a mover
    /// that is stuck in fixed parts.
    pub(super) fn escape(&mut self, up: Vec2, most: f32) -> bool {
        let diagonal = Rot::from_angle(core::f32::consts::FRAC_PI_4);
        let (mut direction, mut best) = (up, None);
        for _ in 0..8 {
            let shortest = best.map_or(most, |(length, _)| length);
            best = self.way_out(direction, shortest).map(|length| (length, direction)).or(best);
            direction = diagonal * direction;
        }
        let Some((length, direction)) = best else { return false };
        self.advance(direction, length);
        true
    }

    /// Returns how far the mover must go in a direction to leave all parts, if that is less than
    /// `most`.
    ///
    /// A distance grows by at most the length of the way. So the missing distance is a way that the
    /// mover must make at least.
    fn way_out(&self, direction: Vec2, most: f32) -> Option<f32> {
        let mut length = 0.0;
        for _ in 0..4 * MAX_ROUNDS {
            let lacks = (0..self.parts.len()).fold(0.0, |lacks, index| {
                let part = &self.parts[index];
                let counts = part.kind != BodyKind::Dynamic && !part.is_passed && part.one_way.is_none();
                let apart = if counts { self.gap(index, direction * length).apart } else { f32::INFINITY };
                max(lacks, self.skin + self.tolerance - apart)
            });
            if lacks <= 0.5 * self.tolerance {
                return Some(length);
            }
            length += max(lacks, 0.5 * self.tolerance);
            if length >= most {
                return None;
            }
        }
        None
    }
}
