//! One move: carried by the ground, then walking on it or through the air, then down to the ground
//! again.
//!
//! In: a mover, a world, a position and a stride. Out: the result of the move. Called by
//! `mover.rs`.
//!
//! ```text
//!   for each part of the step, one as a rule, more where something is fast:
//!     parts to their next places -> carried along -> out of parts that moved in -> walk or fly
//!     -> settle
//! ```
//!
//! Walking goes along the ground by a length; slopes turn it, walls stop it, and it climbs steps.
//! Flying goes by a velocity, which every obstacle reduces, until the mover hits ground and walks
//! the rest.

use glam::Vec2;

use super::field::{Field, Stop};
use super::ground::Ground;
use super::planes::{Plane, Planes};
use super::{Footing, MoveOutcome, Mover, MoverDef, MoverGround, MoverTouch, Stride};
use crate::body::{BodyId, BodyKind};
use crate::error::Error;
use crate::math::{Rot, WorldPoint, cos, max, min, right_of, unit_or_zero};
use crate::shape::ShapeError;
use crate::world::{CastAnswer, QueryFilter, World};

/// The most obstacles that change the direction in one part of a step.
const MAX_STOPS: usize = 8;

/// The most parts of a step.
const MAX_STRIDE_PARTS: u32 = 8;

/// The least velocity away from the ground that leaves it: in m/s, and as a share of the velocity.
const LEAVING: f32 = 0.01;
const LEAVING_SHARE: f32 = 1.0e-3;

/// How far to look for a way out of solid walls, in radii of the mover.
const ESCAPE: f32 = 4.0;

/// The sine of the slope from which on sliding down is falling, 45 degrees. Gentler slopes brake.
const STEEP: f32 = 0.7;

/// The cosine of the steepest ceiling; a surface that leans less is a wall.
const CEILING: f32 = -0.7;

/// A mover in the middle of a move.
pub(super) struct Walker<'a> {
    pub(super) field: Field<'a>,
    pub(super) def: &'a MoverDef,
    pub(super) up: Vec2,
    pub(super) right: Vec2,
    /// The cosine of the steepest slope to walk on.
    pub(super) least_up: f32,
    pub(super) dt: f32,
    /// The share of the step at the end of its present part.
    pub(super) share: f32,
    pub(super) filter: QueryFilter<'a>,
    /// Relative to the ground while there is ground.
    pub(super) velocity: Vec2,
    pub(super) ground: Option<Ground>,
    pub(super) touches: &'a mut Vec<MoverTouch>,
    pub(super) hits: &'a mut Vec<CastAnswer>,
    outcome: MoveOutcome,
}

/// Makes a move from `place`, turned by `rotation`.
pub(super) fn run(
    mover: &mut Mover,
    world: &World,
    (place, rotation): (WorldPoint, Rot),
    stride: &Stride,
) -> Result<MoveOutcome, Error> {
    let Mover { def, footing, touches, parts, found, hits } = mover;
    let own = def.shape.only_piece().ok_or(Error::Shape(ShapeError::NotApplicable))?;
    touches.clear();
    let field = Field { world, own, rotation, skin: def.skin, tolerance: 0.0, parts, start: place, place };
    let up = unit_or_zero(def.up);
    let mut walker = Walker {
        field,
        def,
        up,
        right: right_of(up),
        // Room for the rounding of normals. Without an up direction there is no ground.
        least_up: if up == Vec2::ZERO { 2.0 } else { cos(def.max_slope) - 1.0e-4 },
        dt: stride.dt,
        share: 0.0,
        filter: stride.filter,
        velocity: stride.velocity,
        ground: None,
        touches,
        hits,
        outcome: nothing_done(place),
    };
    let body = footing.and_then(|footing| world.body_of(footing.shape));
    let reach = walker.reach(body);
    walker.field.gather((reach, stride.dt), &stride.filter, body, found);
    if walker.field.deepest(None) > def.skin && walker.field.recover(None) > def.skin {
        let most = ESCAPE * def.shape.bounding_circle().radius;
        walker.field.place = place;
        walker.field.gather((reach + most, stride.dt), &stride.filter, body, found);
        walker.break_free(most);
    }
    walker.find_footing(*footing);
    walker.go();
    let outcome = walker.finish(stride.velocity);
    if !outcome.position.is_valid() {
        return Err(Error::BadNumber("a move must not lead out of the world"));
    }
    *footing = outcome.ground.map(|ground| Footing { shape: ground.shape, part: ground.part });
    Ok(outcome)
}

fn nothing_done(position: WorldPoint) -> MoveOutcome {
    MoveOutcome {
        position,
        motion: Vec2::ZERO,
        velocity: Vec2::ZERO,
        ground: None,
        inherited: Vec2::ZERO,
        hit_wall: false,
        hit_ceiling: false,
        stepped: false,
        crushed: 0.0,
    }
}

impl Walker<'_> {
    /// Returns how far from its place the mover may meet something in this step. It meets parts
    /// late that come towards it faster than half its size a step.
    fn reach(&self, ground: Option<BodyId>) -> f32 {
        let size = self.def.shape.bounding_circle().radius;
        let carried = ground.and_then(|id| self.field.world.get(id)).map_or(0.0, |body| {
            let (way, turn) = super::parts::motion(body, self.dt);
            way.length() + turn.abs() * self.field.world.way(body.center_point(), self.field.start).length()
        });
        let own = self.velocity.length() * self.dt + self.def.step_height + self.def.snap;
        own + 2.0 * carried + 4.0 * self.def.skin + size
    }

    /// Leaves solid walls, unless a kinematic body holds the mover there.
    fn break_free(&mut self, most: f32) {
        self.field.judge_one_way(true);
        let is_held = self
            .field
            .touched()
            .any(|(index, gap)| gap.apart < 0.0 && self.field.parts[index].kind == BodyKind::Kinematic);
        if !is_held {
            self.field.escape(if self.up == Vec2::ZERO { Vec2::Y } else { self.up }, most);
        }
    }

    fn go(&mut self) {
        let leaves = self.ground.is_some_and(|ground| {
            let away = self.velocity.dot(ground.normal);
            self.velocity.dot(self.up) > 0.0 && away > LEAVING + LEAVING_SHARE * self.velocity.length()
        });
        if leaves {
            self.leave();
        }
        let count = self.count_of_parts();
        for k in 1..=count {
            self.go_part(k as f32 / count as f32, self.dt / count as f32);
        }
    }

    /// Returns the number of parts of the step: enough that ground does not fall away farther than
    /// the mover follows it, and that no part passes over the mover unseen.
    fn count_of_parts(&self) -> u32 {
        let thickness = max(2.0 * self.field.own.half_thickness(), 4.0 * self.def.skin);
        let walks = if self.ground.is_some() { self.velocity.dot(self.right).abs() * self.dt } else { 0.0 };
        let stride = max(min(thickness, self.def.snap), 4.0 * self.def.skin);
        let fastest = self
            .field
            .parts
            .iter()
            .fold(0.0, |most, part| max(most, part.way.length() + part.turn.abs() * part.extent()));
        let count = max(walks / stride, 2.0 * fastest / thickness);
        if count > 1.0 { (count.ceil() as u32).min(MAX_STRIDE_PARTS) } else { 1 }
    }

    fn go_part(&mut self, share: f32, h: f32) {
        self.share = share;
        self.field.judge_one_way(!self.def.one_way);
        let grip = self.ground.map(|ground| {
            self.field.parts[ground.index].is_passed = false;
            self.grip(ground.index)
        });
        self.field.pose(share);
        if let Some(grip) = grip {
            self.carry(&grip, h);
        }
        if self.ground.is_some() {
            self.field.recover(self.ground_body());
            self.walk(h);
        } else {
            // A body that pushes a mover which moves away anyway adds nothing.
            self.fly(h);
        }
        self.outcome.crushed = self.field.recover(self.ground_body());
        if self.ground.is_some() { self.stay_on_ground() } else { self.look_for_ground() }
    }

    pub(super) fn ground_body(&self) -> Option<BodyId> {
        self.ground.map(|ground| self.field.parts[ground.index].body)
    }

    /// Goes along the ground for `h` seconds.
    fn walk(&mut self, h: f32) {
        let Some(Ground { mut normal, .. }) = self.ground else { return };
        let speed = self.velocity.dot(self.right);
        let (mut left, side) = (speed.abs() * h, speed.signum());
        for _ in 0..MAX_STOPS {
            if left <= 0.0 {
                return;
            }
            let way = right_of(normal) * (side * left);
            let stop = self.field.march(way, None);
            let time = stop.map_or(1.0, |stop| stop.time);
            self.field.advance(way, time);
            left *= 1.0 - time;
            let Some(stop) = stop else { return };
            self.run_into(&stop);
            if self.is_walkable(stop.normal) {
                normal = stop.normal;
            } else if self.step_up(self.right * side, left, &stop) {
                self.outcome.stepped = true;
                return;
            } else if !self.send_ahead(&stop) {
                // As fast as the obstacle moves in the same direction.
                let ahead = max(self.relative_velocity(&stop).dot(self.right) * side, 0.0);
                self.velocity += self.right * (side * min(ahead, speed.abs()) - speed);
                return;
            }
        }
    }

    /// Goes through the air for `h` seconds, and along the ground from where it lands.
    fn fly(&mut self, h: f32) {
        let (mut left, mut want) = (h, self.velocity * h);
        let mut held: [Option<Stop>; MAX_STOPS] = [None; MAX_STOPS];
        for k in 0..MAX_STOPS {
            let stop = self.field.march(want, None);
            let time = stop.map_or(1.0, |stop| stop.time);
            self.field.advance(want, time);
            (left, want) = (left * (1.0 - time), want * (1.0 - time));
            let Some(stop) = stop else { return };
            self.run_into(&stop);
            if self.holds(stop.normal) {
                self.land(&stop);
                return self.walk(left);
            }
            if self.send_ahead(&stop) {
                continue;
            }
            held[k] = Some(stop);
            let level = self.field.touch_level();
            for other in held.iter_mut() {
                let is_near = |stop: &Stop| self.field.gap(stop.index, Vec2::ZERO).apart <= level;
                *other = other.filter(is_near);
            }
            want = self.deflect(want, &held, |_| 0.0);
            let leaves = |stop: &Stop| min(self.relative_velocity(stop).dot(stop.normal), 0.0);
            self.velocity = self.deflect(self.velocity, &held, leaves);
            if want == Vec2::ZERO {
                return;
            }
        }
    }

    /// Limits a vector by obstacles. Its component along each normal becomes at least `least`: 0,
    /// or negative for an obstacle that moves away itself.
    fn deflect(&self, vector: Vec2, held: &[Option<Stop>], least: impl Fn(&Stop) -> f32) -> Vec2 {
        let (mut planes, mut vector) = (Planes::default(), vector);
        for stop in held.iter().flatten() {
            let least = least(stop);
            if least == 0.0 {
                vector = self.turn_down(vector, stop.normal);
            }
            planes.push(Plane { normal: stop.normal, least });
        }
        planes.nearest(vector).unwrap_or(Vec2::ZERO)
    }

    /// Removes the level part of a vector first at steep ground, so that the ground turns no motion
    /// upward. A falling mover slides down as fast as it fell: a program that sets the level
    /// velocity anew in each step would otherwise make it start from rest each time.
    fn turn_down(&self, vector: Vec2, normal: Vec2) -> Vec2 {
        let (rise, lean, level) = (normal.dot(self.up), normal.dot(self.right), vector.dot(self.right));
        if rise <= 0.0 || level * lean > 0.0 {
            return vector;
        }
        let falling = self.up * vector.dot(self.up);
        if lean.abs() < STEEP || falling.dot(self.up) >= 0.0 {
            return falling;
        }
        falling + self.right * (-falling.dot(self.up) * rise / lean)
    }

    /// Notes an obstacle in the outcome and the touches.
    fn run_into(&mut self, stop: &Stop) {
        let rise = stop.normal.dot(self.up);
        self.outcome.hit_ceiling |= rise < CEILING;
        self.outcome.hit_wall |= rise >= CEILING && !self.holds(stop.normal);
        let approach = (self.relative_velocity(stop) - self.velocity).dot(stop.normal);
        self.note_touch(stop.index, stop.normal, approach);
    }

    /// Returns the velocity of an obstacle at its contact, relative to the ground while there is
    /// ground.
    fn relative_velocity(&self, stop: &Stop) -> Vec2 {
        let gap = self.field.gap(stop.index, Vec2::ZERO);
        let own = self.ground.map_or(Vec2::ZERO, |ground| ground.velocity);
        self.velocity_of(stop.index, gap.point, stop.normal) - own
    }

    /// Adds a touch, or raises the speed of an earlier touch of the same part.
    fn note_touch(&mut self, index: usize, normal: Vec2, speed: f32) {
        let part = &self.field.parts[index];
        let is_same = |touch: &&mut MoverTouch| touch.shape == part.shape && touch.part == part.number;
        if let Some(touch) = self.touches.iter_mut().find(is_same) {
            touch.speed = max(touch.speed, speed);
            return;
        }
        let point = self.field.place.offset(self.field.gap(index, Vec2::ZERO).point);
        let (shape, body, part) = (part.shape, part.body, part.number);
        self.touches.push(MoverTouch { shape, body, part, point, normal, speed: max(speed, 0.0) });
    }

    fn land(&mut self, stop: &Stop) {
        let ground = self.ground_at(stop.index, stop.normal);
        self.velocity -= ground.velocity;
        self.ground = Some(ground);
        self.outcome.inherited = Vec2::ZERO;
    }

    /// Leaves the ground and adds its velocity.
    pub(super) fn leave(&mut self) {
        if let Some(ground) = self.ground.take() {
            self.velocity += ground.velocity;
            self.outcome.inherited = ground.velocity;
        }
    }

    fn finish(mut self, wanted: Vec2) -> MoveOutcome {
        let mut outcome = self.outcome;
        outcome.velocity = self.velocity;
        if let Some(ground) = self.ground {
            outcome.velocity -= self.up * self.velocity.dot(self.up);
            let normal = self.field.gap(ground.index, Vec2::ZERO).normal;
            self.note_touch(ground.index, normal, -wanted.dot(normal));
            let part = &self.field.parts[ground.index];
            outcome.ground = Some(MoverGround {
                shape: part.shape,
                body: part.body,
                part: part.number,
                point: ground.point,
                normal: ground.normal,
                velocity: ground.velocity,
            });
        }
        outcome.position = self.field.place;
        outcome.motion = self.field.start.to(self.field.place);
        outcome
    }
}
