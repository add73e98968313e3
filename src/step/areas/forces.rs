//! Forces of areas (force fields): which bodies are in which area, and the sum of the areas' forces
//! on each body.
//!
//! In: contacts of sensors as the step before left them. Out: forces and torques of bodies, which
//! the columns of the step are filled with.
//!
//! A force is the same in all sub-steps of a step, and each of those moves by the mean of its two
//! velocities, so a step leads from place x and velocity v to
//!
//! ```text
//!   v' = v + dt a         x' = x + ½ dt (v + v')
//! ```
//!
//! With `a` taken at x + ½ dt v that is a drift of half a step, a kick, and a drift of the rest:
//! leapfrog integration, which is symplectic. Orbits keep their energy, and so do bodies that bob
//! on water. (With `a` taken at x + ⅜ dt v, an orbit of 22 s gained 1 % per turn.)
//!
//! Drag is applied last and implicitly, so that it never reverses a body's velocity:
//!
//! ```text
//!   a_drag = (Σ κ wind - Σ κ (v + dt a)) / (1 + dt Σ κ)          κ: shares a second
//! ```

use glam::Vec2;

use super::fluid::{Frame, Line, under};
use super::{Area, Fluid, Pull};
use crate::body::{Body, NONE, ShapeId, flag as body_flag};
use crate::broadphase::Pair;
use crate::contact::flag;
use crate::math::{Transform, WorldPoint, unit_or_zero};
use crate::narrowphase::pieces_overlap;
use crate::tuning::SleepTuning;
use crate::util::sort;
use crate::world::World;

/// Lists that each step fills anew, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct AreaScratch {
    /// Indices of the areas in the order in which they act, the highest priority first.
    order: Vec<u32>,
    rank: Vec<u32>,
    /// By rank: the bodies in the area, and which of their parts is in it.
    inside: Vec<Vec<Guest>>,
    /// Effects, by solver row.
    forces: Vec<AreaForces>,
}

/// A part of a body that is in an area.
#[derive(Clone, Copy, Debug)]
struct Guest {
    /// Slot of the body.
    body: u32,
    part: u32,
}

/// Sum of the effects of all areas on a body.
#[derive(Clone, Copy, Debug)]
struct AreaForces {
    /// Rank of the last area that it was found in, or [`NONE`].
    area: u32,
    /// The gravity of an area replaced that of all areas after it.
    replaced: bool,
    /// Part of the body is in a fluid.
    wet: bool,
    /// Gravity of areas.
    pull: Vec2,
    /// Force and torque of fluids.
    force: Vec2,
    torque: f32,
    /// Sum of drag shares per second, of shares times the velocity they lead to, and of shares for
    /// the spin.
    drag: f32,
    drift: Vec2,
    angular_drag: f32,
}

const NO_FORCES: AreaForces = AreaForces {
    area: NONE,
    replaced: false,
    wet: false,
    pull: Vec2::ZERO,
    force: Vec2::ZERO,
    torque: 0.0,
    drag: 0.0,
    drift: Vec2::ZERO,
    angular_drag: 0.0,
};

/// An area in its present pose.
struct PlacedArea {
    area: Area,
    rank: u32,
    /// The centre of its body: the image of a guest nearest to it counts.
    home: WorldPoint,
    /// The point that its gravity pulls to.
    point: WorldPoint,
    surface: WorldPoint,
    up: Vec2,
}

/// The moment within the step at which forces are taken.
#[derive(Clone, Copy)]
struct Moment {
    /// Time until then, in seconds.
    ahead: f32,
    gravity: Vec2,
}

impl World {
    /// Adds the forces of areas to the forces of this step.
    pub(crate) fn apply_areas(&mut self, dt: f32) {
        if self.areas.list.is_empty() || dt == 0.0 {
            return;
        }
        let mut list = core::mem::take(&mut self.areas.list);
        list.retain(|(shape, _)| self.get_shape(*shape).is_some());
        let mut scratch = core::mem::take(&mut self.areas.scratch);
        self.wake_moved_areas(&list);
        let moment = Moment { ahead: 0.5 * dt, gravity: self.def.gravity };
        self.find_inside(&list, moment.ahead, &mut scratch);
        scratch.forces.clear();
        scratch.forces.resize(self.bodies.awake.len() + 1, NO_FORCES);
        for (rank, &index) in scratch.order.iter().enumerate() {
            let (shape, area) = list[index as usize];
            let placed = self.placed(shape, area, rank as u32);
            for &guest in &scratch.inside[rank] {
                let forces = &mut scratch.forces[self.bodies.solver_rows[guest.body as usize] as usize];
                self.feel(&placed, guest, moment, forces);
            }
        }
        for (forces, &slot) in scratch.forces[1..].iter().zip(&self.bodies.awake) {
            if forces.area != NONE {
                let gravity = self.gravity_at(slot);
                let params = PushParams { gravity, dt, sleep_speed: self.def.sleep_speed };
                push(&mut self.bodies.rows[slot as usize], forces, params);
            }
        }
        (self.areas.list, self.areas.scratch) = (list, scratch);
    }

    /// Wakes the bodies that sleep in areas that move.
    fn wake_moved_areas(&mut self, list: &[(ShapeId, Area)]) {
        for &(shape, _) in list {
            let slot = self.shapes.colliders[shape.index()].body;
            let body = &self.bodies.rows[slot as usize];
            let moves = body.linear_velocity != Vec2::ZERO || body.angular_velocity != 0.0;
            if body.is_awake() && moves {
                for visitor in self.visitors(shape) {
                    self.wake(self.shapes.colliders[visitor.index()].body);
                }
            }
        }
    }

    /// Whether two parts overlap `ahead` seconds from now. (Without such pairs, a body that falls
    /// into water falls for one more step as in air, and gains 0.2 % of its energy each time.)
    fn enters(&self, pair: Pair, ahead: f32) -> bool {
        let rows = [pair.a, pair.b].map(|part| &self.shapes.proxies.rows[part as usize]);
        let [a, b] = rows.map(|row| &self.bodies.rows[row.body as usize]);
        let frame = |body: &Body, center: Vec2| {
            let rotation = body.rotation.turned(body.angular_velocity * ahead);
            let position = center + body.linear_velocity * ahead - rotation * body.local_center;
            Transform { position, rotation }
        };
        let at = frame(a, Vec2::ZERO).relative(frame(b, self.way(a.center_point(), b.center_point())));
        let [a, b] = rows.map(|row| self.shapes.colliders[row.shape as usize].shape.piece(row.part as usize));
        pieces_overlap(a, b, at)
    }

    /// Finds the parts of awake dynamic bodies that are in an area or about to be, from contacts.
    fn find_inside(&self, list: &[(ShapeId, Area)], ahead: f32, scratch: &mut AreaScratch) {
        let AreaScratch { order, rank, inside, .. } = scratch;
        order.clear();
        order.extend(0..list.len() as u32);
        sort::by_key(order, |&index| core::cmp::Reverse(list[index as usize].1.priority));
        rank.clear();
        rank.resize(list.len(), 0);
        order.iter().zip(0..).for_each(|(&index, place)| rank[index as usize] = place);
        inside.iter_mut().for_each(Vec::clear);
        inside.resize_with(list.len(), Vec::new);
        for contact in self.contacts.active.iter() {
            let flags = self.contacts.link[contact as usize].flags;
            if flags & flag::SENSOR == 0 {
                continue;
            }
            let was_in = flags & flag::WAS_TOUCHING != 0;
            let pair = self.contacts.pair[contact as usize];
            for (sensor, visitor) in [(pair.a, pair.b), (pair.b, pair.a)] {
                let [sensor, guest] = [sensor, visitor].map(|part| &self.shapes.proxies.rows[part as usize]);
                let feels = self.bodies.solver_rows[guest.body as usize] != 0
                    && self.bodies.rows[guest.body as usize].has(body_flag::DYNAMIC);
                if !sensor.sensor || guest.sensor || !feels {
                    continue;
                }
                let found = list.binary_search_by_key(&sensor.shape, |(shape, _)| shape.index() as u32);
                let Ok(index) = found else { continue };
                if was_in || self.enters(pair, ahead) {
                    inside[rank[index] as usize].push(Guest { body: guest.body, part: visitor });
                }
            }
        }
    }

    fn placed(&self, shape: ShapeId, area: Area, rank: u32) -> PlacedArea {
        let (body, span) =
            (&self.bodies.rows[self.shapes.colliders[shape.index()].body as usize], self.def.span());
        let point = match area.gravity {
            Some(Pull::Toward { point, .. }) => body.point_at(point, span),
            Some(Pull::Along(_)) | None => body.center_point(),
        };
        let surface = area.fluid.map_or(body.center_point(), |fluid| body.point_at(fluid.surface, span));
        let up = area.fluid.map_or(Vec2::Y, |fluid| unit_or_zero(body.rotation * fluid.up));
        PlacedArea { area, rank, home: body.center_point(), point, surface, up }
    }

    /// Adds the effect of an area on a part of a body.
    fn feel(&self, placed: &PlacedArea, guest: Guest, moment: Moment, forces: &mut AreaForces) {
        let body = &self.bodies.rows[guest.body as usize];
        let ahead = body.linear_velocity * moment.ahead;
        let center = self.def.period().image(body.center_point(), placed.home);
        let Area { gravity, replaces, drag, angular_drag, wind, fluid, .. } = placed.area;
        // Effects that do not depend on the part count once per body.
        if forces.area != placed.rank {
            forces.area = placed.rank;
            if let Some(pull) = gravity.filter(|_| !forces.replaced) {
                forces.pull += pull_at(pull, || placed.point.to(center) + ahead);
                forces.replaced = replaces;
            }
            forces.drag += drag;
            forces.drift += wind * drag;
            forces.angular_drag += angular_drag;
        }
        if let Some(fluid) = fluid {
            let height = placed.up.dot(placed.surface.to(center) + ahead);
            self.float(&fluid, Line { up: placed.up, height }, guest, moment, forces);
        }
    }

    /// Lift and drag of a fluid.
    fn float(&self, fluid: &Fluid, line: Line, guest: Guest, moment: Moment, forces: &mut AreaForces) {
        let body = &self.bodies.rows[guest.body as usize];
        if line.height >= body.max_extent {
            return;
        }
        let row = &self.shapes.proxies.rows[guest.part as usize];
        let piece = self.shapes.colliders[row.shape as usize].shape.piece(row.part as usize);
        let rotation = body.rotation.turned(body.angular_velocity * moment.ahead);
        let (area, center) = under(&piece, Frame { rotation, local_center: body.local_center }, line);
        let displaced = fluid.density * area;
        forces.wet |= displaced > 0.0;
        let gravity = if forces.replaced { forces.pull } else { moment.gravity + forces.pull };
        let lift = gravity * -displaced;
        forces.force += lift;
        forces.torque += crate::math::cross(center, lift);
        if body.mass > 0.0 {
            let share = displaced / body.mass;
            forces.drag += share * fluid.drag;
            forces.drift += fluid.flow * (share * fluid.drag);
            forces.angular_drag += share * fluid.angular_drag;
        }
    }
}

/// Gravity at a place, from its centre of attraction.
fn pull_at(pull: Pull, from_point: impl FnOnce() -> Vec2) -> Vec2 {
    let (strength, radius, falloff) = match pull {
        Pull::Along(pull) => return pull,
        Pull::Toward { strength, radius, falloff, .. } => (strength, radius, falloff),
    };
    let way = from_point();
    let distance = way.length();
    if distance <= radius || !distance.is_finite() {
        return if distance.is_finite() { way * (-strength / radius) } else { Vec2::ZERO };
    }
    let share = radius / distance;
    let size = (0..falloff).fold(strength, |size, _| size * share);
    way * (-size / distance)
}

/// Parameters of the forces on a body, besides areas.
#[derive(Clone, Copy)]
struct PushParams {
    /// Gravity of the world, or the body's own.
    gravity: Vec2,
    dt: f32,
    sleep_speed: f32,
}

/// Turns the sum of all effects into the force and torque of a body.
fn push(body: &mut Body, forces: &AreaForces, params: PushParams) {
    let PushParams { gravity, dt, sleep_speed } = params;
    let world = if forces.replaced { Vec2::ZERO } else { gravity };
    // The column adds the world's gravity to the force, whether it is replaced or not.
    let instead = (world + forces.pull - gravity) * body.gravity_scale;
    let masses = Vec2::new(
        if body.inv_mass.x > 0.0 { body.mass } else { 0.0 },
        if body.inv_mass.y > 0.0 { body.mass } else { 0.0 },
    );
    body.force += masses * instead + forces.force;
    body.torque += forces.torque;
    if forces.drag > 0.0 {
        let a = gravity * body.gravity_scale + body.inv_mass * body.force;
        let slow = (forces.drift - (body.linear_velocity + a * dt) * forces.drag) / (1.0 + forces.drag * dt);
        body.force += masses * slow;
    }
    if forces.angular_drag > 0.0 {
        let spin = body.angular_velocity + body.inv_inertia * body.torque * dt;
        body.torque -= body.inertia * spin * (forces.angular_drag / (1.0 + forces.angular_drag * dt));
    }
    // A bobbing body is slow twice per period, although it is off its draught.
    let slow = SleepTuning::AFLOAT * sleep_speed;
    let turns = body.angular_velocity.abs() * body.max_extent;
    if forces.wet && (body.linear_velocity.length_squared() > slow * slow || turns > slow) {
        body.sleep_time = 0.0;
    }
    // Only finite numbers: a force that overflowed is dropped.
    let most = |x: f32| if x.is_finite() { x } else { 0.0 };
    body.force = Vec2::new(most(body.force.x), most(body.force.y));
    body.torque = most(body.torque);
}
