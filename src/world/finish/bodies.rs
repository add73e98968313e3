//! Gathers bodies into the solver's columns as a step begins, and finalizes them as it ends; boxes
//! into the grid.
//!
//! In: rows of bodies. Out: columns that start a step, and rows, placed parts and boxes after it.
//! Every awake body is visited once at each end.

use glam::Vec2;

use super::bodies_wide::{self, Eights};
use super::quarantine::{Lost, NOWHERE, is_reachable};
use super::sweep::{SweepParams, SweptBody, limited, room_of};
use crate::body::collider::{Class, LocalRow, OfMap, Proxy, ShapeLinks, place, placed_box};
use crate::body::core_table::Forms;
use crate::body::row_view::Quarters;
use crate::body::{Body, Collider, FASTEST, NONE, at_most, flag};
use crate::bounds::Aabb;
use crate::broadphase::{Period, PeriodicGrid, WorldAabb};
use crate::math::{max, min};
use crate::simd::{AlignedRows, AllLanes, LANES, Level, at_level};
use crate::solver::{
    ContactParams, ImpactParams, Keeping, RowPass, StepParams, SubStep, integrate_velocities,
};
use crate::threads::{Places, Shared, Team};
use crate::tuning;
use crate::world::ccd::went_far;
use crate::world::store::bodies::BodyStore;
use crate::world::store::shapes::ShapeStore;
use crate::world::{Proxies, World};

impl World {
    /// Stage `begin`: brings up to date what was changed since the last step, and fills the
    /// columns. Returns the parameters of this step.
    pub(crate) fn begin(&mut self, team: &Team, dt: f32) -> StepParams {
        self.step.stats = crate::world::StepStats { islands: self.step.stats.islands, ..Default::default() };
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
            self.aim(self.bodies.awake[index], dt);
        }
        self.fill_rows(team, h);
        self.fill_own_rows(h);
        self.hold_sleepers();
        if dt > 0.0 {
            let rows = RowPass { team, grain: GRAIN };
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
                team.for_columns(columns, GRAIN, |first, [velocity, free, moved, push, _, mass]| {
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
                team.for_columns(columns, GRAIN, |first, columns| {
                    let awake = &awake[first..first + columns[0].len()];
                    at_level!(warm, level, simd => bodies_wide::fill(AllLanes(simd), &bodies, awake, columns, &beginning));
                });
            }
        }
    }

    /// Boxes of bodies that were changed from outside; of all, if the step is longer than they were
    /// made for.
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

    /// Bodies that are to sleep after this step stay where they were put: their contacts are found,
    /// and nothing moves them.
    fn hold_sleepers(&mut self) {
        for &slot in &self.islands.told_to_sleep {
            let row = self.bodies.solver_rows.get(slot as usize).copied().unwrap_or(0) as usize;
            if row > 0 && self.bodies.slots.tenant(slot).is_some() {
                self.columns.velocity[row] = [0.0; 4];
                self.columns.force_delta[row] = [0.0, 0.0, 0.0, 1.0];
                self.columns.mass[row] = [0.0, 0.0, 0.0, 1.0];
            }
        }
    }

    /// Turns the target pose of a kinematic body into a velocity that gets it there in this step.
    fn aim(&mut self, slot: u32, dt: f32) {
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

    /// The parameters of a step of `dt` seconds in sub-steps of `h` seconds, which were of `before`
    /// seconds.
    ///
    /// A spring of ω = 2π hertz with damping ratio ζ, integrated implicitly, closes a share
    /// ω / (2ζ + h ω) of the gap a second, and yields to 1 / (1 + h ω (2ζ + h ω)) of its load
    /// (Catto, Soft Constraints, GDC 2011). Overlaps are those that the longer sub-step left, and
    /// grow with its square, so it is the longer one whose ω pushes them out: in heaps whose steps
    /// were of 1/240 and 1/30 s in turn, short ones threw out at 0.2 m/s what long ones had pressed
    /// in, and 19 of 20 never slept.
    fn step_params(&self, dt: f32, h: f32, before: f32) -> StepParams {
        let (inv_h, unit) = (if h > 0.0 { 1.0 / h } else { 0.0 }, self.def.unit);
        let turn = core::f32::consts::TAU * tuning::CONTACT_HERTZ;
        let damping = 2.0 * tuning::CONTACT_DAMPING + turn;
        let contact = ContactParams {
            inv_h,
            push_rate: if h > 0.0 { turn / (max(h, before) * damping) } else { 0.0 },
            max_push: tuning::MAX_PUSH * unit,
            slip_speed: tuning::SLIP_SPEED * unit,
            softness: 1.0 / (1.0 + turn * damping),
        };
        let threshold = self.most_gravity() * h * self.def.sub_steps as f32;
        StepParams {
            dt,
            contact,
            carried: min(h, before),
            before,
            bounce: ImpactParams {
                h,
                inv_h,
                threshold,
                blow: max(threshold, tuning::BLOW * unit),
                deepest: tuning::SPECULATIVE_DISTANCE * unit,
                most_push: [0.0; 2],
                even_push: None,
            },
            joint: crate::solver::JointParams {
                h,
                inv_h,
                rate: tuning::JOINT_RATE,
                softness: tuning::JOINT_SOFTNESS,
                max_push: tuning::MAX_JOINT_PUSH * unit,
                max_turn: tuning::MAX_JOINT_PUSH,
                unit,
                max_speed: self.def.max_speed_in(dt),
            },
        }
    }

    /// Row `row` of the columns from the body in `slot`.
    pub(crate) fn fill_row(&mut self, slot: u32, row: u32, h: f32) {
        let (row, body, gravity) = (row as usize, &self.bodies.rows[slot as usize], self.gravity_at(slot));
        let columns = &mut self.columns;
        (columns.velocity[row], columns.force_delta[row], columns.mass[row]) = row_of(body, gravity, h);
        (columns.unconstrained[row], columns.moved[row]) = ([0.0; 4], [0.0; 4]);
    }

    /// Brings impulses back to contacts and places back to bodies; boxes that were left go into the
    /// grid.
    pub(crate) fn finish(&mut self, team: &Team, params: &StepParams) {
        let dt = params.dt;
        let keeping = Keeping {
            inv_h: 1.0 / self.step.h,
            follows: self.step.h / max(params.before, self.step.h),
            memory: min(tuning::LOAD_MEMORY * dt, 1.0),
        };
        let (impulses, surfaces) = (&mut self.contacts.impulse, &mut self.contacts.surface);
        self.solver.store(team, impulses.lanes_mut(), surfaces.lanes_mut(), keeping);
        let count = self.bodies.awake.len();
        self.store_joints(team, dt);
        // A joint that broke may have woken others: they take no part in this step any more.
        self.columns.resize(self.bodies.awake.len());
        self.step.any_far = false;
        let mut left = core::mem::take(&mut self.scratch.left);
        left.resize_with(count.div_ceil(GRAIN), Deferred::default);
        self.put_back(team, &mut left, dt);
        for left in &mut left {
            self.clean_up(left);
        }
        self.scratch.left = left;
        self.keep_own_speeds();
        self.quarantine();
    }

    /// Moves each body to its new position, and its parts with it.
    fn put_back(&mut self, team: &Team, left: &mut [Deferred], dt: f32) {
        let World { def, bodies, columns, shapes, grid, .. } = self;
        let BodyStore { rows: bodies, awake, sole_parts, .. } = bodies;
        let ShapeStore { proxies, colliders, links, .. } = shapes;
        let (max_speed, continuous) = (def.max_speed_in(dt), def.continuous);
        let ending = Ending {
            dt,
            max_speed,
            max_spin: max_spin(self.step.h),
            continuous,
            sleep_speed: def.sleep_speed,
            span: def.span(),
            period: def.period(),
        };
        let params = SweepParams { dt: self.step.dt, max_speed, unit: def.unit };
        let parts = Parts::new(proxies, (colliders, links), grid, params);
        let (velocity, moved) = (&columns.velocity[..], &columns.moved[..]);
        match self.solver.level().warm() {
            Level::Scalar => {
                let bodies = Places::new(bodies);
                team.for_chunks(left, 1, |first, left| {
                    for (k, left) in left.iter_mut().enumerate() {
                        let begin = (first + k) * GRAIN;
                        for (index, &slot) in awake.iter().enumerate().skip(begin).take(GRAIN) {
                            let ways = (velocity[index + 1], moved[index + 1]);
                            bodies.change(slot as usize, |body| {
                                if put_back_one(body, slot, ways, &ending, left) {
                                    parts.place(body, &mut left.boxes);
                                }
                            });
                        }
                    }
                });
            }
            #[allow(
                unreachable_patterns,
                reason = "the scalar level is the only one on targets without vectors"
            )]
            level => {
                let bodies = Quarters::new(bodies);
                let eights = Eights { bodies, awake, velocity, moved, parts, sole_parts, ending };
                team.for_chunks(left, 1, |first, left| {
                    at_level!(warm, level, simd => eights.put_back(AllLanes(simd), first, left));
                });
            }
        }
    }

    /// Moves a centre of mass within a step.
    pub(crate) fn put_moved(&mut self, slot: u32, by: Vec2) {
        let center = self.def.offset(self.bodies.rows[slot as usize].center_point(), by);
        let body = &mut self.bodies.rows[slot as usize];
        let crossed = center.region != body.region;
        (body.region, body.center) = (center.region, center.local);
        if crossed {
            self.note_region(slot);
        }
    }

    /// A body has entered another region: its contacts and joints hold differences of regions,
    /// which change.
    fn note_region(&mut self, slot: u32) {
        self.dirty.regions = true;
        self.lay_out_joints_of(slot);
    }

    /// The work that is left for one thread.
    pub(in crate::world) fn clean_up(&mut self, left: &mut Deferred) {
        self.scratch.lost.append(&mut left.lost);
        for slot in left.crossed.drain(..) {
            self.note_region(slot);
        }
        self.step.any_far |= core::mem::take(&mut left.any_far);
        for slot in left.strays.drain(..) {
            self.note_stray(slot);
        }
        for (proxy, aabb) in left.boxes.drain(..) {
            self.grid.update(proxy, aabb);
            self.note_box(proxy);
        }
    }

    /// What the boxes of parts are made for.
    pub(crate) fn sweep_params(&self) -> SweepParams {
        let dt = self.step.dt;
        SweepParams { dt, max_speed: self.def.max_speed_in(dt), unit: self.def.unit }
    }

    /// Places the parts of a body, and gives the grid a new box for each that is about to leave its
    /// own.
    pub(crate) fn update_boxes(&mut self, slot: u32) {
        let mut boxes = core::mem::take(&mut self.scratch.boxes);
        let params = self.sweep_params();
        Parts::new(
            &mut self.shapes.proxies,
            (&self.shapes.colliders, &self.shapes.links),
            &self.grid,
            params,
        )
        .place(&self.bodies.rows[slot as usize], &mut boxes);
        for (proxy, aabb) in boxes.drain(..) {
            self.grid.update(proxy, aabb);
            if self.shapes.proxies.rows[proxy as usize].of_map == OfMap::Whole {
                self.note_boxes_of(self.shapes.proxies.rows[proxy as usize].shape);
            } else {
                self.note_box(proxy);
            }
        }
        self.scratch.boxes = boxes;
    }
}

/// Bodies in a chunk: some microseconds of work.
pub(super) const GRAIN: usize = 128;

/// What gathering a body needs to know of the step.
pub(in crate::world) struct Beginning {
    pub(in crate::world) gravity: Vec2,
    pub(in crate::world) h: f32,
    /// Infinite in a step of no length, which changes no velocity.
    pub(in crate::world) max_speed: f32,
    pub(in crate::world) max_spin: f32,
}

/// Gathers a body: its rows, with its speed clamped.
#[inline]
pub(in crate::world) fn begin_one(body: &mut Body, beginning: &Beginning) -> Rows {
    if beginning.h > 0.0 {
        limit_speed(body, beginning.max_speed, beginning.max_spin);
    }
    row_of(body, beginning.gravity, beginning.h)
}

/// What finalizing a body needs to know of the step.
pub(in crate::world) struct Ending {
    pub(in crate::world) dt: f32,
    pub(in crate::world) max_speed: f32,
    pub(in crate::world) max_spin: f32,
    pub(in crate::world) continuous: bool,
    pub(in crate::world) sleep_speed: f32,
    /// How many regions count as one.
    pub(in crate::world) span: i32,
    pub(in crate::world) period: Period,
}

/// Finalizes a body, without its parts. Returns whether its new position is valid; if not, the body
/// stays as it was.
#[inline]
pub(in crate::world) fn put_back_one(
    body: &mut Body,
    slot: u32,
    (velocity, moved): ([f32; 4], [f32; 4]),
    ending: &Ending,
    left: &mut Deferred,
) -> bool {
    let (region, spin) = (body.region, body.angular_velocity);
    if !advance(body, velocity, moved, ending) {
        left.lost.push(Lost { slot, alone: velocity.iter().all(|v| v.is_finite()) });
        return false;
    }
    limit_spin(body, spin);
    if body.region != region {
        left.crossed.push(slot);
    }
    limit_speed(body, ending.max_speed, ending.max_spin);
    update_sleep_timer(body, Vec2::new(moved[0], moved[1]), ending);
    (body.force, body.torque) = (Vec2::ZERO, 0.0);
    let way = Vec2::new(moved[0], moved[1]).length_squared();
    left.any_far |= went_far(body, moved);
    if ending.continuous && way > body.min_extent * body.min_extent {
        left.strays.push(slot);
    }
    true
}

/// What a chunk of bodies leaves to be done one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deferred {
    /// Bodies without a valid position.
    lost: Vec<Lost>,
    /// Bodies that entered another region.
    crossed: Vec<u32>,
    /// Bodies that moved farther than they are thick, and perhaps out of their boxes.
    pub(super) strays: Vec<u32>,
    /// Whether any body moved as far as that, its rotation included.
    pub(super) any_far: bool,
    pub(in crate::world) boxes: Vec<NewBox>,
    /// Parts that are still to be placed, in their order.
    pub(super) waiting: Vec<u32>,
}

/// A part that is about to leave its box, and a new one for it.
pub(crate) type NewBox = (u32, WorldAabb);

/// The parts of bodies, to be placed.
pub(in crate::world) struct Parts<'w> {
    /// Rows of [`PlacedRow`](crate::body::collider::PlacedRow), as numbers.
    pub(super) placed: Shared<'w, [f32; LANES]>,
    pub(super) rows: &'w [Proxy],
    pub(super) local: &'w AlignedRows<LocalRow>,
    pub(super) form: &'w [u32],
    pub(super) forms: &'w Forms,
    colliders: &'w [Collider],
    pub(super) links: &'w [ShapeLinks],
    pub(super) grid: &'w PeriodicGrid,
    pub(super) params: SweepParams,
}

impl<'w> Parts<'w> {
    pub(in crate::world) fn new(
        proxies: &'w mut Proxies,
        (colliders, links): (&'w [Collider], &'w [ShapeLinks]),
        grid: &'w PeriodicGrid,
        params: SweepParams,
    ) -> Parts<'w> {
        let Proxies { rows, placed, local, form, forms, .. } = proxies;
        Parts {
            placed: Shared::new(placed.lanes_mut()),
            rows,
            local,
            form,
            forms,
            colliders,
            links,
            grid,
            params,
        }
    }

    /// Places all parts of a body, and notes a new box for each that is about to leave its own.
    #[inline]
    pub(in crate::world) fn place(&self, body: &Body, boxes: &mut Vec<NewBox>) {
        let sweep = SweptBody::new(body, self.params);
        self.for_each(body.first_shape, |proxy| self.place_one(body, &sweep, proxy, boxes));
    }

    /// All parts of a body with this first shape.
    #[inline(always)]
    pub(super) fn for_each(&self, mut shape: u32, mut visit: impl FnMut(u32)) {
        while shape != NONE {
            let link = self.links[shape as usize];
            let mut proxy = link.first_proxy;
            while proxy != NONE {
                visit(proxy);
                proxy = self.rows[proxy as usize].next;
            }
            shape = link.next;
        }
    }

    /// Places a part.
    #[inline]
    pub(super) fn place_one(&self, body: &Body, sweep: &SweptBody, proxy: u32, boxes: &mut Vec<NewBox>) {
        let index = proxy as usize;
        let (part, row) = (&self.rows[index], place(&self.local[index], body));
        let tight = match part.class {
            Class::Other => {
                let shape = &self.colliders[part.shape as usize].shape;
                shape.piece(part.part as usize).aabb(body.local_transform())
            }
            class => placed_box(class, &row, (self.forms, self.form[index])),
        };
        self.placed.set(index, bytemuck::cast(row));
        let needed = sweep.around(&tight);
        let room = room_of(&tight, self.params.unit);
        let fits = self.grid.aabb(proxy).is_some_and(|old| holds(&old, body, &needed, room));
        if !fits {
            boxes.push((proxy, WorldAabb { region: body.region, aabb: needed.grown(room) }));
        }
    }
}

/// Whether a box of the grid holds the box of a part of `body`, and is not much larger than it has
/// to be. (A heap that fell into place kept the long boxes of its fall, and had half as many pairs
/// again.)
#[inline]
fn holds(old: &WorldAabb, body: &Body, needed: &Aabb, room: f32) -> bool {
    let (size, least) = (old.aabb.size(), needed.size());
    let loose = (size.x - least.x) + (size.y - least.y) > LOOSE * room;
    !loose && old.region == body.region && old.aabb.contains(needed)
}

/// How much wider and higher a box may be than it has to be, in times of its room. Four when it is
/// made.
pub(super) const LOOSE: f32 = 6.0;

/// Most that gravity and forces add to a velocity in a sub-step.
pub(super) const MOST_PUSH: f32 = 0.1 * FASTEST;

/// Velocity, push and mass of a body: see [`Columns`](crate::solver::Columns).
pub(in crate::world) type Rows = ([f32; 4], [f32; 4], [f32; 4]);

/// The rows of a body for sub-steps of `h` seconds.
#[inline]
pub(in crate::world) fn row_of(body: &Body, gravity: Vec2, h: f32) -> Rows {
    // A locked axis does not move, whatever velocity was given to the body.
    let unless = |lock: u32, x: f32| if body.has(lock) { 0.0 } else { x };
    let v =
        Vec2::new(unless(flag::LOCK_X, body.linear_velocity.x), unless(flag::LOCK_Y, body.linear_velocity.y));
    let velocity = [v.x, v.y, unless(flag::LOCK_ROTATION, body.angular_velocity), 0.0];
    // A locked axis has no inverse mass, and no gravity acts along it.
    let feels = |inv_mass: f32, g: f32| if inv_mass > 0.0 { g * body.gravity_scale } else { 0.0 };
    let (m, i) = (body.inv_mass, body.inv_inertia);
    let (force, torque) = if body.has(flag::DYNAMIC) { (body.force, body.torque) } else { (Vec2::ZERO, 0.0) };
    let pushed = |push: f32| at_most(push, MOST_PUSH);
    let push = [
        pushed(h * (feels(m.x, gravity.x) + m.x * force.x)),
        pushed(h * (feels(m.y, gravity.y) + m.y * force.y)),
        pushed(h * i * torque),
        1.0 / (1.0 + h * body.angular_damping),
    ];
    (velocity, push, [m.x, m.y, i, 1.0 / (1.0 + h * body.linear_damping)])
}

/// Velocity and position of a body after the step. Returns whether the position is valid; if not,
/// the body stays as it was.
#[inline]
fn advance(body: &mut Body, velocity: [f32; 4], moved: [f32; 4], ending: &Ending) -> bool {
    let center = body.center_point().offset_in(Vec2::new(moved[0], moved[1]), ending.span);
    let center = ending.period.wrapped(center);
    let sound = velocity.iter().all(|v| v.is_finite()) && moved.iter().all(|way| way.abs() < NOWHERE);
    if !sound || !is_reachable(center) {
        return false;
    }
    body.linear_velocity = Vec2::new(velocity[0], velocity[1]);
    body.angular_velocity = velocity[2];
    (body.region, body.center) = (center.region, center.local);
    if moved[2] != 0.0 {
        body.rotation = body.rotation.turned(moved[2]);
    }
    true
}

#[inline]
fn limit_speed(body: &mut Body, max_speed: f32, max_spin: f32) {
    body.linear_velocity = limited(body.linear_velocity, min(max_speed, FASTEST));
    body.angular_velocity = min(max(body.angular_velocity, -max_spin), max_spin);
}

/// Sleep timer: counts how long a body has been nearly at rest. The speed of its centre and that of
/// its farthest point around the centre are compared separately, or rolling bodies would rest at
/// half the speed of others. Its displacement counts too, as a body that is pushed out of an
/// overlap has no velocity.
fn update_sleep_timer(body: &mut Body, way: Vec2, ending: &Ending) {
    let (v, slow) = (body.linear_velocity, ending.sleep_speed);
    let far = slow * ending.dt;
    let goes_slow = v.x * v.x + v.y * v.y < slow * slow && way.x * way.x + way.y * way.y <= far * far;
    let resting =
        goes_slow && body.angular_velocity.abs() * body.max_extent < slow && body.has(flag::CAN_SLEEP);
    body.sleep_time = if resting { body.sleep_time + ending.dt } else { 0.0 };
}

/// Keeps a body that is pushed out of a deep overlap to the limit of this step.
fn limit_spin(body: &mut Body, spin: f32) {
    let most = core::mem::take(&mut body.push_limit);
    if most == 0.0 || !body.has(flag::DYNAMIC) {
        return;
    }
    let speed = body.linear_velocity.length();
    if speed > most {
        body.linear_velocity *= most / speed;
    }
    let most = max(spin.abs(), most / max(body.max_extent, tuning::MIN_SIZE));
    body.angular_velocity = min(max(body.angular_velocity, -most), most);
}

/// The greatest angular velocity: as far as a body may turn in a sub-step.
pub(in crate::world) fn max_spin(h: f32) -> f32 {
    if h > 0.0 { tuning::MAX_TURN / h } else { f32::MAX }
}
