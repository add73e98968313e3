//! The ground of a mover: where it can stand, how the ground carries it, steps up and the way back
//! down.
//!
//! In: a mover in the middle of a move. Out: the ground under it, or none. Called by `walk.rs`.
//!
//! # Edges
//!
//! A round mover touches the edge of a step with a normal that leans over, although the step is
//! level. So an edge counts as ground if the surface right behind it can be walked on, and if the
//! mover stands already: to a mover that falls past it, an edge is a wall.
//!
//! ```text
//!     ( )  n         step:  up as far as it may  ->  forward  ->  down to the ground
//!      '-./                 refused where it is too steep or too high, or where the free way on
//!                           top is too short
//!         |~~~~~ walkable
//!         |
//! ```

use glam::Vec2;

use super::Footing;
use super::SteepRule;
use super::field::{Gap, Stop};
use super::planes::{Plane, Planes};
use super::walk::Walker;
use crate::body::BodyKind;
use crate::bounds::Aabb;
use crate::math::{Transform, WorldPoint, max, min, right_of};
use crate::narrowphase::{Ray, ray_piece};

/// The least rise of a normal that can hold a mover at all.
const LEAST_RISE: f32 = 0.1;

/// The most ways down to the ground that the mover follows: past walls that it brushes.
const MAX_SNAPS: usize = 3;

/// The ground under a mover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    /// The index of the part.
    pub(super) index: usize,
    pub(super) point: WorldPoint,
    /// The normal for walking: straight up on edges and between slopes.
    pub(super) normal: Vec2,
    pub(super) velocity: Vec2,
}

/// The contact of a mover with its ground part, before the part moves.
pub(super) struct Grip {
    index: usize,
    gap: Gap,
    before: Transform,
}

impl Walker<'_> {
    /// Whether ground with this normal can be walked on.
    pub(super) fn is_walkable(&self, normal: Vec2) -> bool {
        normal.dot(self.up) >= self.least_up
    }

    /// Whether ground with this normal can be stood on.
    pub(super) fn holds(&self, normal: Vec2) -> bool {
        let stands = self.def.steep == SteepRule::Stand && normal.dot(self.up) > LEAST_RISE;
        stands || self.is_walkable(normal)
    }

    /// Returns part `index` as ground.
    pub(super) fn ground_at(&self, index: usize, normal: Vec2) -> Ground {
        let point = self.field.gap(index, Vec2::ZERO).point;
        Ground {
            index,
            point: self.field.place.offset(point),
            normal: if self.is_walkable(normal) { normal } else { self.up },
            velocity: self.velocity_of(index, point, normal),
        }
    }

    /// Takes over the ground of the last move, if it is still there.
    pub(super) fn find_footing(&mut self, footing: Option<Footing>) {
        let Some(footing) = footing else { return };
        let is_it = |part: &super::Part| part.shape == footing.shape && part.number == footing.part;
        let Some(index) = self.field.parts.iter().position(is_it) else { return };
        let gap = self.field.gap(index, Vec2::ZERO);
        let falls_through = self.field.parts[index].one_way.is_some() && !self.def.one_way;
        if gap.apart <= self.field.touch_level() + self.def.snap {
            self.ground = Some(self.ground_at(index, gap.normal));
        }
        if falls_through {
            self.leave();
        }
    }

    /// Returns the velocity of a part in this step, at a point relative to the mover's place,
    /// including the speed of its surface.
    pub(super) fn velocity_of(&self, index: usize, point: Vec2, normal: Vec2) -> Vec2 {
        let part = &self.field.parts[index];
        let body = &self.field.world.bodies.rows[part.body.index()];
        let point = self.field.world.nearest_image(self.field.place.offset(point), body.center_point());
        let follows = body.kind() == BodyKind::Kinematic || part.goes_ahead;
        let moved = if self.dt > 0.0 && follows {
            let (way, turn) = (part.way / self.dt, part.turn / self.dt);
            way + body.center_point().to(point).perp() * turn
        } else {
            body.velocity_at(point)
        };
        moved + right_of(normal) * self.surface_speed(index)
    }

    fn surface_speed(&self, index: usize) -> f32 {
        let part = &self.field.parts[index];
        self.field.world.shapes.colliders[part.shape.index()].material_of(part.number as usize).surface_speed
    }

    /// Returns the present contact of the mover with a part.
    pub(super) fn grip(&self, index: usize) -> Grip {
        let before = self.field.parts[index].seen_from(self.field.place);
        Grip { index, gap: self.field.gap(index, Vec2::ZERO), before }
    }

    /// Moves the mover along with its ground part, which has moved, and with the surface.
    ///
    /// The middle of the mover's rounding keeps its place in the frame of the part: the mover does
    /// not turn with the part, and neither rolls nor slips on it.
    pub(super) fn carry(&mut self, grip: &Grip, h: f32) {
        let Grip { index, gap, before } = grip;
        let after = self.field.parts[*index].seen_from(self.field.place);
        let turned = |v: Vec2| after.rotation * before.rotation.inverse_rotate(v);
        let still = before.position == after.position && before.rotation == after.rotation;
        let mut way = right_of(gap.normal) * (self.surface_speed(*index) * h);
        if !still {
            let middle = gap.point + gap.normal * (gap.apart + self.field.radius());
            way += after.position + turned(middle - before.position) - middle;
        }
        if way != Vec2::ZERO {
            let body = self.field.parts[*index].body;
            self.field.go(way, Some(body));
        }
    }

    /// Returns the best ground among the touched parts. Edges count if the mover `stands` already.
    fn best_ground(&self, stands: bool) -> Option<Ground> {
        let mut best: Option<(bool, f32, usize, Vec2)> = None;
        for (index, gap) in self.field.touched() {
            let is_edge = !self.holds(gap.normal);
            if is_edge && !(stands && self.is_edge_of_floor(&gap)) {
                continue;
            }
            let nearer = best.is_none_or(|(edge, apart, ..)| (is_edge, gap.apart) < (edge, apart));
            if nearer {
                best = Some((is_edge, gap.apart, index, gap.normal));
            }
        }
        best.map(|(.., index, normal)| self.ground_at(index, normal)).or_else(|| self.wedge())
    }

    /// Returns the ground between two slopes, or a slope and a wall, where the mover cannot fall
    /// further.
    fn wedge(&self) -> Option<Ground> {
        let mut planes = Planes::default();
        let mut flattest: Option<(usize, Vec2)> = None;
        for (index, gap) in self.field.touched() {
            planes.push(Plane { normal: gap.normal, least: 0.0 });
            let rise = gap.normal.dot(self.up);
            if flattest.is_none_or(|(_, normal)| rise > normal.dot(self.up)) {
                flattest = Some((index, gap.normal));
            }
        }
        let (index, normal) = flattest.filter(|(_, normal)| normal.dot(self.up) > 0.0)?;
        let falls = planes.nearest(-self.up).is_some_and(|way| way.length_squared() > 1.0e-6);
        let ground = self.ground_at(index, normal);
        (!falls).then_some(Ground { normal: self.up, ..ground })
    }

    /// Whether the surface right behind a touched edge can be walked on.
    fn is_edge_of_floor(&self, gap: &Gap) -> bool {
        let (rise, lean) = (gap.normal.dot(self.up), gap.normal.dot(self.right));
        if rise < LEAST_RISE {
            return false;
        }
        let height = 2.0 * self.field.skin;
        let inward = self.right * (-self.field.skin * lean.signum());
        let from = gap.point + inward + self.up * height;
        let way = self.up * (-2.0 * height);
        let start = self.field.start.to(self.field.place);
        let swept = Aabb::around_points(&[start + from, start + from + way]);
        let mut first = (1.0, Vec2::ZERO);
        for part in self.field.parts.iter().filter(|part| part.around.overlaps(&swept)) {
            let at = part.seen_from(self.field.place);
            let ray = Ray { from: at.apply_inverse(from), translation: at.rotation.inverse_rotate(way) };
            if let Some(hit) = ray_piece(part.piece(self.field.world), ray)
                && hit.fraction < first.0
            {
                first = (hit.fraction, at.rotation * hit.normal);
            }
        }
        self.is_walkable(first.1)
    }

    /// Follows the ground down after walking, or leaves it if it falls away too far.
    pub(super) fn stay_on_ground(&mut self) {
        let before = self.field.place;
        let mut way = self.up * -self.def.snap;
        for _ in 0..MAX_SNAPS {
            let stop = self.field.march(way, None);
            self.field.advance(way, stop.map_or(0.0, |stop| stop.time));
            if let Some(ground) = self.best_ground(true) {
                self.ground = Some(ground);
                self.field.recover(self.ground_body());
                return;
            }
            let Some(stop) = stop.filter(|stop| stop.normal.dot(self.up).abs() < LEAST_RISE) else { break };
            // A wall that the mover brushes on the way down.
            way *= 1.0 - stop.time;
            way -= stop.normal * stop.normal.dot(way);
        }
        self.field.place = before;
        self.leave();
    }

    /// Sets the ground after a flight, if the mover came down on ground without running into it.
    pub(super) fn look_for_ground(&mut self) {
        let Some(ground) = self.best_ground(false) else { return };
        let rises = (self.velocity - ground.velocity).dot(ground.normal) > 1.0e-3;
        if !rises {
            self.velocity -= ground.velocity;
            self.ground = Some(ground);
        }
    }

    /// Climbs the step that stopped it, and walks the remaining `left` metres of its way.
    pub(super) fn step_up(&mut self, side: Vec2, left: f32, stop: &Stop) -> bool {
        let before = self.field.place;
        let climbs = self.try_step(side, left, stop);
        if !climbs {
            self.field.place = before;
        }
        climbs
    }

    fn try_step(&mut self, side: Vec2, left: f32, stop: &Stop) -> bool {
        let tolerance = self.field.tolerance;
        let before = self.field.place;
        let is_too_loose = |walker: &Walker, index: usize| {
            walker.field.parts[index].kind == BodyKind::Dynamic && !walker.def.step_on_dynamic
        };
        if self.def.step_height <= 0.0 || is_too_loose(self, stop.index) {
            return false;
        }
        let rise = self.field.go(self.up * self.def.step_height, None) * self.def.step_height;
        let reach = max(left, self.def.step_width);
        let free = self.field.march(side * reach, None).map_or(reach, |stop| stop.time * reach);
        if rise < tolerance || free < min(reach, self.def.step_width) - 4.0 * tolerance {
            return false;
        }
        self.field.advance(side * min(free, left), 1.0);
        let way = self.up * -rise;
        let Some(down) = self.field.march(way, None) else { return false };
        self.field.advance(way, down.time);
        let gap = self.field.gap(down.index, Vec2::ZERO);
        let gained = before.to(self.field.place).dot(self.up);
        let feet = self.field.depth_below(self.up) + self.field.skin;
        let height = gained + gap.point.dot(self.up) + feet;
        let is_low = height <= self.def.step_height + 4.0 * tolerance;
        let is_ground = self.is_walkable(gap.normal) || self.is_edge_of_floor(&gap);
        is_low && is_ground && gained > tolerance && !is_too_loose(self, down.index)
    }
}
