//! Finalizes bodies: their velocities and positions back from the solver's columns, their parts
//! placed, their boxes into the grid.
//!
//! In: columns at the end of a step. Out: rows of bodies, placed parts and boxes. Every awake body
//! is visited once; `begin/gather.rs` is the other end of it.

use glam::Vec2;

use super::bodies_wide::Eights;
use super::fat_aabb::{SweepParams, SweptBody, room_of};
use super::quarantine::{Lost, NOWHERE, is_reachable};
use crate::body::collider::{Class, OfMap, Proxy, ShapeLinks, place, placed_box};
use crate::body::core_table::Forms;
use crate::body::local_table::LocalRows;
use crate::body::row_view::Quarters;
use crate::body::{Body, Collider, NONE, flag};
use crate::bounds::Aabb;
use crate::broadphase::{Period, PeriodicGrid, WorldAabb};
use crate::math::{max, min};
use crate::simd::{AllLanes, LANES, Level, Width, at_level};
use crate::solver::{StepParams, StoreParams};
use crate::step::begin::gather::BODY_GRAIN;
use crate::step::displacement::went_far;
use crate::step::speed_limit::{limit_speed, max_spin};
use crate::threads::{Places, Shared, Team};
use crate::tuning::{self, MarginTuning};
use crate::world::store::bodies::BodyStore;
use crate::world::store::shapes::ShapeStore;
use crate::world::{Proxies, World};

impl World {
    /// Stores impulses in contacts and poses in bodies; new boxes go into the grid.
    pub(crate) fn finish(&mut self, team: &Team, params: &StepParams) {
        let dt = params.dt;
        let store_params = StoreParams {
            inv_h: 1.0 / self.step.h,
            follows: self.step.h / max(params.before, self.step.h),
            memory: min(tuning::LOAD_MEMORY * dt, 1.0),
        };
        let (impulses, surfaces) = (&mut self.contacts.impulse, &mut self.contacts.surface);
        self.solver.store(team, impulses.lanes_mut(), surfaces.lanes_mut(), store_params);
        let count = self.bodies.awake.len();
        self.store_joints(team, dt);
        // A broken joint may have woken bodies: they do not take part in this step.
        self.columns.resize(self.bodies.awake.len());
        self.limit_pushed_out();
        self.step.any_far = false;
        let mut left = core::mem::take(&mut self.scratch.left);
        left.resize_with(count.div_ceil(BODY_GRAIN), Deferred::default);
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
        let params = SweepParams { dt: self.step.dt, max_speed, margins: self.tuning.margins };
        let parts = Parts::new(proxies, (colliders, links), grid, params);
        let (velocity, moved) = (&columns.velocity[..], &columns.moved[..]);
        match self.solver.level().warm() {
            Level::Scalar => {
                let bodies = Places::new(bodies);
                team.for_chunks(left, 1, |first, left| {
                    for (k, left) in left.iter_mut().enumerate() {
                        let begin = (first + k) * BODY_GRAIN;
                        for (index, &slot) in awake.iter().enumerate().skip(begin).take(BODY_GRAIN) {
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

    /// The rest of the stage, on one thread.
    pub(crate) fn clean_up(&mut self, left: &mut Deferred) {
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

    /// Parameters of the boxes of parts.
    pub(crate) fn sweep_params(&self) -> SweepParams {
        let dt = self.step.dt;
        SweepParams { dt, max_speed: self.def.max_speed_in(dt), margins: self.tuning.margins }
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

/// Parameters of finalizing a body.
pub(crate) struct Ending {
    pub(crate) dt: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_spin: f32,
    pub(crate) continuous: bool,
    pub(crate) sleep_speed: f32,
    /// How many regions count as one.
    pub(crate) span: i32,
    pub(crate) period: Period,
}

/// Finalizes a body, without its parts. Returns whether its new position is valid; if not, the body
/// stays as it was.
#[inline]
pub(crate) fn put_back_one(
    body: &mut Body,
    slot: u32,
    (velocity, moved): ([f32; 4], [f32; 4]),
    ending: &Ending,
    left: &mut Deferred,
) -> bool {
    let region = body.region;
    if !advance(body, velocity, moved, ending) {
        left.lost.push(Lost { slot, alone: velocity.iter().all(|v| v.is_finite()) });
        return false;
    }
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

/// Outputs of a chunk of bodies, to be handled one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deferred {
    /// Bodies without a valid position.
    lost: Vec<Lost>,
    /// Bodies that entered another region.
    crossed: Vec<u32>,
    /// Bodies that moved farther than their thickness, and perhaps out of their boxes.
    pub(super) strays: Vec<u32>,
    /// Whether any body moved farther than its thickness, rotation included.
    pub(super) any_far: bool,
    pub(crate) boxes: Vec<NewBox>,
    /// Parts that are still to be placed, in their order.
    pub(super) waiting: Vec<u32>,
}

/// A part that is about to leave its box, and a new one for it.
pub(crate) type NewBox = (u32, WorldAabb);

/// Columns for placing the parts of bodies.
pub(crate) struct Parts<'w> {
    /// Rows of [`PlacedRow`](crate::body::collider::PlacedRow), as numbers.
    pub(super) placed: Shared<'w, [f32; LANES]>,
    pub(super) rows: &'w [Proxy],
    local: &'w [u32],
    locals: &'w LocalRows,
    pub(super) form: &'w [u32],
    pub(super) forms: &'w Forms,
    colliders: &'w [Collider],
    pub(super) links: &'w [ShapeLinks],
    pub(super) grid: &'w PeriodicGrid,
    pub(super) params: SweepParams,
}

impl<'w> Parts<'w> {
    pub(crate) fn new(
        proxies: &'w mut Proxies,
        (colliders, links): (&'w [Collider], &'w [ShapeLinks]),
        grid: &'w PeriodicGrid,
        params: SweepParams,
    ) -> Parts<'w> {
        let Proxies { rows, placed, local, locals, form, forms, .. } = proxies;
        Parts {
            placed: Shared::new(placed.lanes_mut()),
            rows,
            local,
            locals,
            form,
            forms,
            colliders,
            links,
            grid,
            params,
        }
    }

    /// Parts in the frames of their bodies.
    #[inline(always)]
    pub(super) fn locals<W: Width>(&self, w: W, at: &[u32; LANES]) -> [W::L; LANES] {
        let numbers = at.map(|part| self.local[part as usize]);
        w.gather_eight(self.locals.lanes(), &numbers)
    }

    /// Places all parts of a body, and notes a new box for each that is about to leave its own.
    #[inline]
    pub(crate) fn place(&self, body: &Body, boxes: &mut Vec<NewBox>) {
        let swept = SweptBody::new(body, self.params);
        self.for_each(body.first_shape, |proxy| self.place_one(body, &swept, proxy, boxes));
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
    pub(super) fn place_one(&self, body: &Body, swept: &SweptBody, proxy: u32, boxes: &mut Vec<NewBox>) {
        let index = proxy as usize;
        let (part, row) = (&self.rows[index], place(self.locals.row(self.local[index]), body));
        let tight = match part.class {
            Class::Other => {
                let shape = &self.colliders[part.shape as usize].shape;
                shape.piece(part.part as usize).aabb(body.local_transform())
            }
            class => placed_box(class, &row, (self.forms, self.form[index])),
        };
        self.placed.set(index, bytemuck::cast(row));
        let needed = swept.swept_aabb(&tight);
        let room = room_of(&tight, &self.params.margins);
        let fits = self.grid.aabb(proxy).is_some_and(|old| holds(&old, body, &needed, room));
        if !fits {
            boxes.push((proxy, WorldAabb { region: body.region, aabb: needed.grown(room) }));
        }
    }
}

/// Whether a box of the grid contains the box of a part of `body`, and is not much larger than
/// needed. (A heap that fell into place kept the long boxes of its fall, and had half as many pairs
/// again.)
#[inline]
fn holds(old: &WorldAabb, body: &Body, needed: &Aabb, room: f32) -> bool {
    let (size, least) = (old.aabb.size(), needed.size());
    let loose = (size.x - least.x) + (size.y - least.y) > MarginTuning::LOOSE_BOX * room;
    !loose && old.region == body.region && old.aabb.contains(needed)
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
