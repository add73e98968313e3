//! Gathers bodies into the solver's columns as a step begins.
//!
//! In: rows of bodies, with the forces, targets and changes that the game gave them. Out: the
//! columns of the first sub-step: velocities with gravity and forces, masses; kinematic bodies have
//! the velocity that gets them to their targets. `finish/bodies.rs` writes bodies back.

use glam::Vec2;

use super::gather_wide;
use crate::ablate::Rule;
use crate::body::row_view::Quarters;
use crate::body::{Body, FASTEST, at_most, flag};
use crate::simd::{AllLanes, Level, at_level};
use crate::solver::{RowPass, StepParams, SubStep, integrate_velocities};
use crate::step::speed_limit::{limit_speed, max_spin};
use crate::threads::{Places, Team};
use crate::world::World;

impl World {
    /// Stage `begin`: applies changes since the last step, and fills the columns. Returns the
    /// parameters of this step.
    pub(crate) fn begin(&mut self, team: &Team, dt: f32) -> StepParams {
        self.step.stats = crate::step::StepStats { islands: self.step.stats.islands, ..Default::default() };
        self.merge_late_ends();
        self.wake_pulled();
        let h = dt / self.def.sub_steps as f32;
        let before = if self.step.h > 0.0 { self.step.h } else { self.step.dt / self.def.sub_steps as f32 };
        self.take_fills();
        self.feel_own_laws(dt);
        self.apply_areas(dt);
        self.take_changes(dt);
        self.partition_rows();
        self.step.h = h;
        self.columns.resize(self.bodies.awake.len());
        for index in 0..self.bodies.awake.len() {
            self.set_target_velocity(self.bodies.awake[index], dt);
        }
        self.fill_rows(team, h);
        self.fill_own_rows(h);
        self.hold_sleepers();
        if dt > 0.0 {
            let rows = RowPass { team, grain: BODY_GRAIN };
            integrate_velocities(rows, &mut self.columns, h, SubStep::First);
        }
        self.step_params(dt, h, before)
    }

    /// Fills all rows of the columns; speeds are clamped to the greatest that is allowed.
    fn fill_rows(&mut self, team: &Team, h: f32) {
        let most = self.def.max_speed_in(self.step.dt);
        let (max_speed, max_spin) =
            if h > 0.0 { (most, max_spin(h)) } else { (f32::INFINITY, f32::INFINITY) };
        let beginning = Beginning { gravity: self.def.gravity, h, max_speed, max_spin };
        let (awake, columns) = (&self.bodies.awake, self.columns.moving());
        match self.solver.level().warm() {
            Level::Scalar => {
                let bodies = Places::new(&mut self.bodies.rows);
                team.for_columns(columns, BODY_GRAIN, |first, [velocity, free, moved, push, mass]| {
                    for (k, &slot) in awake[first..first + velocity.len()].iter().enumerate() {
                        (velocity[k], push[k], mass[k]) =
                            bodies.change(slot as usize, |body| begin_one(body, &beginning));
                        (free[k], moved[k]) = ([0.0; 4], [0.0; 4]);
                    }
                });
            }
            #[allow(
                unreachable_patterns,
                reason = "the scalar level is the only one on targets without vectors"
            )]
            level => {
                let bodies = Quarters::new(&mut self.bodies.rows);
                team.for_columns(columns, BODY_GRAIN, |first, columns| {
                    let awake = &awake[first..first + columns[0].len()];
                    at_level!(warm, level, simd => gather_wide::fill(AllLanes(simd), &bodies, awake, columns, &beginning));
                });
            }
        }
    }

    /// Updates the boxes of bodies that were changed between steps; the boxes of all bodies if this
    /// step is longer than the step for which they were made.
    fn take_changes(&mut self, dt: f32) {
        let mut changed = core::mem::take(&mut self.dirty.boxes);
        if dt > self.step.dt {
            self.step.dt = dt;
            changed.extend_from_slice(&self.bodies.awake);
        }
        self.step.dt = if dt > 0.0 { dt } else { self.step.dt };
        for &slot in &changed {
            if self.bodies.slots.tenant(slot).is_some() {
                self.update_boxes(slot);
            }
        }
        changed.clear();
        self.dirty.boxes = changed;
    }

    /// Bodies that are to sleep after this step stay in place: their contacts are found, and
    /// nothing moves them.
    fn hold_sleepers(&mut self) {
        for &slot in &self.islands.told_to_sleep {
            let row = self.bodies.solver_rows.get(slot as usize).copied().unwrap_or(0) as usize;
            if Rule::ToldToSleep.acts(row > 0 && self.bodies.slots.tenant(slot).is_some()) {
                self.columns.velocity[row] = [0.0; 4];
                self.columns.force_delta[row] = [0.0, 0.0, 0.0, 1.0];
                self.columns.mass[row] = [0.0, 0.0, 0.0, 1.0];
            }
        }
    }

    /// Turns the target pose of a kinematic body into a velocity that gets it there in this step.
    fn set_target_velocity(&mut self, slot: u32, dt: f32) {
        let body = &mut self.bodies.rows[slot as usize];
        // A step of no length keeps the target for the next one.
        if !body.has(flag::HAS_TARGET) || dt == 0.0 {
            return;
        }
        body.set(flag::HAS_TARGET, false);
        // A target is kept in the fields for forces, which kinematic bodies do not need.
        let (way, turn) = (body.force, body.torque);
        (body.force, body.torque) = (Vec2::ZERO, 0.0);
        if dt > 0.0 {
            body.linear_velocity = way / dt;
            body.angular_velocity = turn / dt;
            self.update_boxes(slot);
        }
    }

    /// Row `row` of the columns from the body in `slot`.
    pub(crate) fn fill_row(&mut self, slot: u32, row: u32, h: f32) {
        let (row, body, gravity) = (row as usize, &self.bodies.rows[slot as usize], self.gravity_at(slot));
        let columns = &mut self.columns;
        (columns.velocity[row], columns.force_delta[row], columns.mass[row]) = row_of(body, gravity, h);
        (columns.unconstrained[row], columns.moved[row]) = ([0.0; 4], [0.0; 4]);
    }
}

/// Bodies per chunk: some microseconds of work.
pub(crate) const BODY_GRAIN: usize = 128;

/// Parameters of gathering a body.
pub(crate) struct Beginning {
    pub(crate) gravity: Vec2,
    pub(crate) h: f32,
    /// Infinite in a step of no length, which changes no velocity.
    pub(crate) max_speed: f32,
    pub(crate) max_spin: f32,
}

/// Gathers a body: its rows, with its speed clamped.
#[inline]
pub(crate) fn begin_one(body: &mut Body, beginning: &Beginning) -> Rows {
    if beginning.h > 0.0 {
        limit_speed(body, beginning.max_speed, beginning.max_spin);
    }
    row_of(body, beginning.gravity, beginning.h)
}

/// Greatest change of a velocity by gravity and forces in a sub-step.
pub(super) const MOST_FORCE_DELTA: f32 = 0.1 * FASTEST;

/// Velocity, push and mass of a body: see [`Columns`](crate::solver::Columns).
pub(crate) type Rows = ([f32; 4], [f32; 4], [f32; 4]);

/// The rows of a body for sub-steps of `h` seconds.
#[inline]
pub(crate) fn row_of(body: &Body, gravity: Vec2, h: f32) -> Rows {
    // A locked axis does not move, whatever velocity was given to the body.
    let unless = |lock: u32, x: f32| if body.has(lock) { 0.0 } else { x };
    let v =
        Vec2::new(unless(flag::LOCK_X, body.linear_velocity.x), unless(flag::LOCK_Y, body.linear_velocity.y));
    let velocity = [v.x, v.y, unless(flag::LOCK_ROTATION, body.angular_velocity), 0.0];
    // A locked axis has no inverse mass, and no gravity acts along it.
    let feels = |inv_mass: f32, g: f32| if inv_mass > 0.0 { g * body.gravity_scale } else { 0.0 };
    let (m, i) = (body.inv_mass, body.inv_inertia);
    let (force, torque) = if body.has(flag::DYNAMIC) { (body.force, body.torque) } else { (Vec2::ZERO, 0.0) };
    let pushed = |push: f32| at_most(push, MOST_FORCE_DELTA);
    let push = [
        pushed(h * (feels(m.x, gravity.x) + m.x * force.x)),
        pushed(h * (feels(m.y, gravity.y) + m.y * force.y)),
        pushed(h * i * torque),
        1.0 / (1.0 + h * body.angular_damping),
    ];
    (velocity, push, [m.x, m.y, i, 1.0 / (1.0 + h * body.linear_damping)])
}
