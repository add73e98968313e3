//! At the end of a step: the impulse of an impact at which a body was cut short, and the rest of
//! its displacement.
//!
//! In: bodies that continuous collision put back to their time of impact, and moved on with the
//! bodies that they struck. Out: velocities after the impact. A body that was also cut short in the
//! step before goes on from there, in short strides, in the frame of the body that it struck.
//!
//! The contact solver keeps arms and normals for a whole step. They are wrong for a body that turns
//! by a radian meanwhile: it ends the step with the point that touched at its start at rest, and
//! another point deep in the obstacle. Put back to its time of impact in each step, it would hang
//! there while gravity makes its velocity grow. So an impact that cuts a body short gets its
//! impulse at once, at the pose of the impact.
//!
//! ```text
//!   step n     o-----x             cut short at x: impulse there; the rest of the step is lost
//!   step n+1         x-.x          cut short again: impulse, and on from there
//!                       `-x-.-.-.  strides: a short way, impulses at whatever is touched then, and
//!                                  so on
//! ```
//!
//! Most bodies are cut short once, and move freely in the next step. Strides are for bodies that
//! are cut short in two steps in a row, or that spun while they overlapped something (time 0).

use glam::Vec2;

use super::MANY_STRAYS;
use super::scratch::CutBody;
use crate::ablate::Rule;
use crate::body::collider::Manner;
use crate::body::{Body, flag as body_flag};
use crate::bounds::Aabb;
use crate::broadphase::{Pair, WorldAabb};
use crate::contact::flag;
use crate::math::{Transform, cross, max, min};
use crate::narrowphase::{Manifold, collide_smoothly};
use crate::tuning::CcdTuning;
use crate::world::World;

/// Fewest and most strides for the rest of a displacement. Anything left after that is lost.
const STRIDES: [u32; 2] = [4, 16];

/// Most pairs that a body may meet in its strides. With more of them it is in a crowd and has no
/// free path: the rest of its step is lost. (Each stride looks at all of them: 1,000 balls at one
/// point took 2 s a step.)
const MOST_NEAR: usize = 64;

/// Most impacts, one after another, of the two points of a manifold.
const IMPACT_ROUNDS: usize = 8;

/// Two points are one if the determinant of their equations is at most this share of its first
/// product.
const SINGULAR: f32 = 1.0e-4;

/// A pair during the rest of a displacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    pair: Pair,
    /// Half-thickness of the other part.
    thickness: f32,
    /// Greatest allowed overlap.
    deepest: f32,
    /// From the centre of the body to the centre of the other one, at the time of the cut.
    at: Vec2,
    /// Greatest distance of the two centres at which the bodies may touch.
    reach: f32,
}

impl Late {
    /// Whether the two come within `margin` when the body has moved by `way`, by the circles around
    /// both.
    fn is_near(&self, way: Vec2, margin: f32) -> bool {
        let reach = self.reach + margin;
        (self.at - way).length_squared() <= reach * reach
    }
}

/// The rest of the displacement of a body that was cut short.
#[derive(Clone, Copy)]
struct Rest {
    /// Time left, in seconds.
    time: f32,
    /// Greatest distance from its present position, in metres: pairs were gathered up to there.
    farthest: f32,
    frame: Frame,
}

/// Velocity and spin with which a body has moved on since it was cut short.
#[derive(Clone, Copy)]
struct Frame {
    velocity: Vec2,
    spin: f32,
    /// Gravity in this frame, for bodies that keep their energy; else zero.
    gravity: Vec2,
}

impl World {
    /// Lists the bodies that were cut short in the step before, and clears their flags.
    pub(crate) fn note_cut_before(&mut self) {
        let mut before = core::mem::take(&mut self.scratch.ccd.cut_before);
        before.clear();
        for &slot in &self.bodies.awake {
            let body = &mut self.bodies.rows[slot as usize];
            if body.has(body_flag::CUT_SHORT) {
                body.set(body_flag::CUT_SHORT, false);
                before.push(slot);
            }
        }
        before.sort_unstable();
        self.scratch.ccd.cut_before = before;
    }

    /// Impulses for the bodies that were cut short, in the order of their impacts. A body that was
    /// also cut short in the step before goes on from there.
    pub(super) fn strike_late(&mut self, order: &[CutBody], dt: f32) {
        let mut last = None;
        for cut in order {
            if order.len() > MANY_STRAYS {
                self.grid.refresh_if_scattered();
            }
            self.bodies.rows[cut.slot as usize].set(body_flag::CUT_SHORT, true);
            let [a, b] = self.bodies_of(cut.pair);
            if self.is_held(a) || self.is_held(b) {
                // Jointed bodies react as a whole: left to the solver.
                continue;
            }
            // Two bodies that were cut short at each other have one impact.
            if Rule::LateImpacts.acts(last != Some(cut.pair)) {
                self.strike(cut.pair);
            }
            last = Some(cut.pair);
            let goes_on = cut.time == 0.0 || self.scratch.ccd.cut_before.binary_search(&cut.slot).is_ok();
            if Rule::Strides.acts(goes_on && self.scratch.ccd.boxes_left > 0) {
                self.go_on(cut, (1.0 - cut.time) * dt);
            }
        }
    }

    pub(super) fn bodies_of(&self, pair: Pair) -> [u32; 2] {
        [pair.a, pair.b].map(|part| self.shapes.proxies.rows[part as usize].body)
    }

    /// The manifold of two parts at present, relative to the first body's centre of mass, and the
    /// vector from there to the second body's.
    fn touch(&self, pair: Pair, margin: f32) -> Option<(Manifold, Vec2)> {
        let (part_a, part_b) =
            (&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]);
        let (a, b) = (&self.bodies.rows[part_a.body as usize], &self.bodies.rows[part_b.body as usize]);
        let (own_a, own_b) = (self.centred(part_a), self.centred(part_b));
        let way = self.way(a.center_point(), b.center_point());
        let at_a = Transform { position: Vec2::ZERO, rotation: a.rotation };
        let at_b = Transform { position: way, rotation: b.rotation };
        let manifold = collide_smoothly(own_a.piece(), own_b.piece(), at_a.relative(at_b), margin)?;
        Some((manifold.transformed(at_a), way))
    }

    /// Whether the impact of a pair has to wait for the next step: hooks and one-way parts decide
    /// about it, and only contacts know the sides of two crossing lines.
    fn is_for_next_step(&self, pair: Pair) -> bool {
        let is_line = |part: u32| self.shapes.proxies.rows[part as usize].manner == Manner::Line;
        self.link_of(pair).flags & (flag::ONE_WAY | flag::HOOKED) != 0 || (is_line(pair.a) && is_line(pair.b))
    }

    /// Whether one of the two sleeps: it takes no impulse until the contact of the next step wakes
    /// it.
    fn sleeps(&self, pair: Pair) -> bool {
        self.bodies_of(pair).into_iter().any(|slot| {
            let body = &self.bodies.rows[slot as usize];
            body.has(body_flag::DYNAMIC) && !body.is_awake()
        })
    }

    /// The frame in which a body goes on that was cut short `time` seconds before the end of the
    /// step.
    fn frame_of(&self, cut: &CutBody, time: f32) -> Frame {
        let (shift, time) = (cut.moved_on.unwrap_or_default(), max(time, f32::MIN_POSITIVE));
        let gravity = self.late_gravity(cut);
        Frame { velocity: shift.way / time, spin: shift.turn / time, gravity }
    }

    /// Gravity on a body in the frame of the body that it struck: only for surfaces with
    /// restitution, and not for two dynamic bodies, as both fall. (Two bodies that are cut short at
    /// each other keep their centre of mass, and so the sum of their energies.)
    fn late_gravity(&self, cut: &CutBody) -> Vec2 {
        let [a, b] =
            self.bodies_of(cut.pair).map(|slot| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC));
        let body = &self.bodies.rows[cut.slot as usize];
        if (a && b) || self.surface_of(cut.pair).restitution <= 0.0 || self.is_held(cut.slot) {
            return Vec2::ZERO;
        }
        let feels = |g: f32, inv_mass: f32| if inv_mass > 0.0 { g * body.gravity_scale } else { 0.0 };
        let gravity = self.gravity_at(cut.slot);
        Vec2::new(feels(gravity.x, body.inv_mass.x), feels(gravity.y, body.inv_mass.y))
    }

    /// Gives a body that was put back to its time of impact, `time` seconds before the end of the
    /// step, the speed that it has there.
    ///
    /// (With the speed of the end of the step, a plank that fell was a little higher each time that
    /// it was cut short, and as fast: elastic planks gained 2 %.)
    pub(super) fn slow_put_back(&mut self, cut: &CutBody, time: f32) {
        let frame = self.frame_of(cut, time);
        self.keep_energy(cut.slot, cut.put_back, &frame);
    }

    /// Keeps the sum of a body's energies when it is put back by x: along gravity g,
    /// v² loses 2 g·x.
    fn keep_energy(&mut self, slot: u32, back: Vec2, frame: &Frame) {
        let work = 2.0 * frame.gravity.dot(back);
        if !Rule::LateEnergy.acts(work != 0.0) {
            return;
        }
        let body = &mut self.bodies.rows[slot as usize];
        let along = frame.gravity.normalize_or_zero();
        let speed = along.dot(body.linear_velocity - frame.velocity);
        let change = max(speed * speed - work, 0.0).sqrt().copysign(speed) - speed;
        if change.is_finite() {
            body.linear_velocity += along * change;
        }
    }

    /// Applies impulses that keep two touching parts from coming closer.
    fn strike(&mut self, pair: Pair) {
        if self.is_for_next_step(pair) || self.sleeps(pair) {
            return;
        }
        let near = self.tuning.margins.near_gap;
        if let Some((manifold, way)) = self.touch(pair, near) {
            self.push_apart(pair, &manifold, way, near);
        }
    }

    /// Applies impulses with friction at points of a manifold within `margin`.
    fn push_apart(&mut self, pair: Pair, manifold: &Manifold, way: Vec2, margin: f32) {
        let surface = self.surface_of(pair);
        let [a, b] = self.bodies_of(pair);
        let threshold = self.most_gravity() * self.step.dt;
        let mut two = [(a, b), (b, a)].map(|(slot, other)| {
            let mover = Mover::of(&self.bodies.rows[slot as usize]);
            let is_heavy = self.dominates(slot, other);
            if is_heavy { Mover { inv_mass: Vec2::ZERO, inv_inertia: 0.0, ..mover } } else { mover }
        });
        let n = manifold.normal;
        let near = manifold.points().iter().filter(|point| point.separation <= margin);
        let mut hits = [Hit::default(); 2];
        let mut count = 0;
        for (hit, point) in hits.iter_mut().zip(near) {
            *hit = Hit::new(&two, n, [point.point, point.point - way]);
            count += 1;
        }
        let hits = &mut hits[..count];
        let goal = |speed: f32| {
            let leaves = -surface.restitution * speed;
            if leaves > threshold { leaves } else { 0.0 }
        };
        if !strike_points(&mut two, n, hits, goal) {
            return;
        }
        let t = Vec2::new(n.y, -n.x);
        for hit in &*hits {
            let (slip, mass) = hit.along(&two, t);
            let wanted = -mass * (slip - surface.tangent_speed);
            let rests = wanted.abs() <= surface.static_friction * hit.pressure;
            let most = surface.kinetic_friction * hit.pressure;
            hit.push(&mut two, t * if rests { wanted } else { max(min(wanted, most), -most) });
        }
        // Bodies of 1e25 kg keep their velocity: impulses of that size may overflow.
        if !two.iter().all(|mover| mover.velocity.is_finite() && mover.spin.is_finite()) {
            return;
        }
        for (slot, mover) in [a, b].into_iter().zip(two) {
            let body = &mut self.bodies.rows[slot as usize];
            if (body.linear_velocity, body.angular_velocity) != (mover.velocity, mover.spin) {
                (body.linear_velocity, body.angular_velocity) = (mover.velocity, mover.spin);
                // It no longer rests: falling asleep in this step, it would lose the impulse.
                body.sleep_time = 0.0;
            }
        }
    }

    /// Moves a body for another `time` seconds, in strides, with impulses at its touches after
    /// each. It has already moved on with the body that it struck, so strides are relative to that
    /// motion.
    fn go_on(&mut self, cut: &CutBody, time: f32) {
        let (slot, frame) = (cut.slot, self.frame_of(cut, time));
        let mut near = core::mem::take(&mut self.scratch.ccd.late_pairs);
        near.clear();
        let body = &self.bodies.rows[slot as usize];
        let least = CcdTuning::STRIDE_WAY * body_core(body);
        let speed = (body.linear_velocity - frame.velocity).length();
        let farthest = min(speed * time + least, STRIDES[1] as f32 * least);
        if farthest > 0.0 {
            let round = self.around(slot, farthest);
            self.show_beside(slot, round);
        }
        let mut others = core::mem::take(&mut self.scratch.ccd.late_others);
        let may_go = farthest > 0.0 && self.gather_late(slot, farthest, (&mut near, &mut others));
        let left = &mut self.scratch.ccd.boxes_left;
        *left = left.saturating_sub(others.len());
        self.scratch.ccd.late_others = others;
        if may_go {
            self.go_in_strides(slot, Rest { time, farthest, frame }, &near);
            self.update_boxes(slot);
        }
        self.scratch.ccd.late_pairs = near;
    }

    /// Makes the rest of a displacement in strides.
    fn go_in_strides(&mut self, slot: u32, rest: Rest, near: &[Late]) {
        let Rest { time, farthest, frame } = rest;
        let start = self.bodies.rows[slot as usize].center_point();
        let thinnest = near.iter().fold(self.tuning.ccd.most_thick, |least, late| min(least, late.thickness));
        let least = CcdTuning::STRIDE_WAY * (body_core(&self.bodies.rows[slot as usize]) + thinnest);
        let (mut left, longest) = (time, time / STRIDES[0] as f32);
        for _ in 0..STRIDES[1] {
            let body = &self.bodies.rows[slot as usize];
            let velocity = body.linear_velocity - frame.velocity;
            let spin = (body.angular_velocity - frame.spin).abs();
            let way = least / max(velocity.length() + spin * body.max_extent, f32::MIN_POSITIVE);
            let stride =
                min(min(way, CcdTuning::STRIDE_TURN / max(spin, f32::MIN_POSITIVE)), min(longest, left));
            left -= stride;
            // An impulse may have made the body faster: it stops at the border of the gathered
            // pairs.
            let at = self.way(start, body.center_point()) + velocity * stride;
            if stride <= 0.0 || at.length_squared() > farthest * farthest {
                break;
            }
            self.stride(slot, (stride, frame), (at, near));
        }
    }

    /// A box around everything that a body may meet within `farthest` metres.
    fn around(&self, slot: u32, farthest: f32) -> WorldAabb {
        let body = &self.bodies.rows[slot as usize];
        let round = Vec2::splat(body.max_extent + farthest + self.tuning.margins.near_gap);
        let aabb = Aabb { min: body.center - round, max: body.center + round };
        WorldAabb { region: body.region, aabb }
    }

    /// Gathers the pairs that a body may meet within `farthest` metres; false if they are a crowd,
    /// or if one of them has to wait for the next step.
    fn gather_late(&self, slot: u32, farthest: f32, (near, others): (&mut Vec<Late>, &mut Vec<u32>)) -> bool {
        others.clear();
        self.grid.query(&self.around(slot, farthest), |other| {
            if self.shapes.proxies.rows[other as usize].body != slot {
                others.push(other);
            }
            true
        });
        for part in self.parts_of_body(slot) {
            near.extend(others.iter().map(|&other| self.late_of(slot, Pair::new(part, other))));
        }
        near.retain(|late| late.is_near(Vec2::ZERO, farthest));
        near.sort_unstable_by_key(|late| late.pair);
        // Contacts have passed the filter hook already.
        let most = if Rule::StrideCrowd.is_on() { MOST_NEAR } else { usize::MAX };
        let mut count = 0;
        near.retain(|late| {
            let counts = count <= most
                && self.link_of(late.pair).flags & flag::SENSOR == 0
                && (self.contacts.find(late.pair).is_some() || self.may_touch(late.pair));
            count += usize::from(counts);
            counts
        });
        if Rule::StrideCrowd.acts(count > most) || near.iter().any(|late| self.is_for_next_step(late.pair)) {
            return false;
        }
        near.iter_mut().for_each(|late| self.measure(late, slot));
        true
    }

    /// Makes one stride; it is taken back if an overlap gets too deep, but impulses stay. `at`:
    /// where the body is after it, from the start of the rest.
    fn stride(&mut self, slot: u32, (time, frame): (f32, Frame), (at, near): (Vec2, &[Late])) {
        let body = &self.bodies.rows[slot as usize];
        let way = (body.linear_velocity - frame.velocity) * time;
        let turn = (body.angular_velocity - frame.spin) * time;
        self.place_late(slot, way, turn);
        self.keep_energy(slot, -way, &frame);
        let mut is_too_deep = false;
        for late in near.iter().filter(|late| late.is_near(at, 0.0)) {
            if let Some((manifold, between)) = self.touch(late.pair, 0.0) {
                let sleeps = self.sleeps(late.pair);
                is_too_deep |= sleeps || Rule::StrideDepth.acts(manifold.depth() > late.deepest);
                if !sleeps {
                    self.push_apart(late.pair, &manifold, between, 0.0);
                }
            }
        }
        if is_too_deep {
            self.place_late(slot, -way, -turn);
            self.keep_energy(slot, way, &frame);
        }
    }

    /// A pair at the start of the rest, before its overlap is measured.
    fn late_of(&self, slot: u32, pair: Pair) -> Late {
        let [a, b] = self.bodies_of(pair);
        let other = &self.bodies.rows[(if a == slot { b } else { a }) as usize];
        let body = &self.bodies.rows[slot as usize];
        let at = self.way(body.center_point(), other.center_point());
        let reach = body.max_extent + other.max_extent + self.tuning.margins.near_gap;
        Late { pair, thickness: 0.0, deepest: 0.0, at, reach }
    }

    /// Measures a pair at the start of the rest: its overlap may grow a little, or not at all if it
    /// is deep.
    fn measure(&self, late: &mut Late, slot: u32) {
        let pair = late.pair;
        let touch = if late.is_near(Vec2::ZERO, 0.0) { self.touch(pair, 0.0) } else { None };
        let before = touch.map_or(0.0, |(manifold, _)| manifold.depth());
        let [a, b] = [pair.a, pair.b].map(|part| {
            let part = &self.shapes.proxies.rows[part as usize];
            self.shapes.colliders[part.shape as usize].shape.piece(part.part as usize).half_thickness()
        });
        let thinner = if min(a, b) > 0.0 { min(a, b) } else { max(a, b) };
        let is_deep = before > CcdTuning::STRIDE_DEPTH * thinner;
        let more = if is_deep { 0.0 } else { max(self.tuning.ccd.deeper, CcdTuning::DEEPER_SHARE * thinner) };
        late.thickness = if self.bodies_of(pair)[0] == slot { b } else { a };
        late.deepest = before + more;
    }

    /// Moves and turns a body within the step; its boxes in the grid are updated later.
    pub(super) fn place_late(&mut self, slot: u32, way: Vec2, turn: f32) {
        self.put_moved(slot, way);
        let body = &mut self.bodies.rows[slot as usize];
        body.rotation = body.rotation.turned(turn);
        let row = self.bodies.solver_rows[slot as usize] as usize;
        for (sum, more) in self.columns.moved[row].iter_mut().zip([way.x, way.y, turn]) {
            *sum += more;
        }
    }
}

/// A line has no thickness.
fn body_core(body: &Body) -> f32 {
    if body.min_extent.is_finite() { body.min_extent } else { 0.0 }
}

/// Velocity and inverse mass of a body.
#[derive(Clone, Copy)]
struct Mover {
    velocity: Vec2,
    spin: f32,
    inv_mass: Vec2,
    inv_inertia: f32,
}

impl Mover {
    fn of(body: &Body) -> Mover {
        let moves = body.has(body_flag::DYNAMIC) && body.is_awake();
        let (inv_mass, inv_inertia) =
            if moves { (body.inv_mass, body.inv_inertia) } else { (Vec2::ZERO, 0.0) };
        Mover { velocity: body.linear_velocity, spin: body.angular_velocity, inv_mass, inv_inertia }
    }
}

/// Impulses at one or two points: for each point that approaches, the impulse after which it leaves
/// at its goal. Returns whether any point approached.
///
/// As in `solver/contacts/impacts.rs`: both points together if neither pulls, else the harder hit
/// alone, then whatever still approaches. Goals follow from the speeds of that moment, so no
/// impulse adds energy. (With the goals of the first moment, and rounds over the two points that
/// ended before they agreed, a plank that landed nearly flat left with 6 % more.)
fn strike_points(two: &mut [Mover; 2], n: Vec2, hits: &mut [Hit], goal: impl Fn(f32) -> f32) -> bool {
    let mut any = false;
    for _ in 0..IMPACT_ROUNDS {
        let wanted: [f32; 2] = core::array::from_fn(|k| {
            let speed = hits.get(k).map_or(0.0, |hit| hit.speed(two, n));
            if speed < 0.0 { goal(speed) - speed } else { 0.0 }
        });
        let [first, second] = wanted;
        if first <= 0.0 && second <= 0.0 {
            break;
        }
        any = true;
        let are_both = Rule::LatePoints.acts(first > 0.0 && second > 0.0);
        let together = if are_both { both_impulses(two, n, hits, wanted) } else { None };
        let impulses = together.unwrap_or_else(|| {
            let harder = usize::from(second > first);
            core::array::from_fn(|k| if k == harder { hits[k].mass * wanted[k] } else { 0.0 })
        });
        for (hit, impulse) in hits.iter_mut().zip(impulses) {
            hit.push(two, n * impulse);
            hit.pressure += impulse;
        }
    }
    any
}

/// The impulses at two points that change their speeds by `wanted`, if neither pulls.
///
/// ```text
///   k11 x + k12 y = first      k_ij: change of the speed at i by a unit of impulse at j
///   k12 x + k22 y = second
/// ```
fn both_impulses(two: &[Mover; 2], n: Vec2, hits: &[Hit], wanted: [f32; 2]) -> Option<[f32; 2]> {
    let [p, q] = hits else { return None };
    let still = two.map(|mover| Mover { velocity: Vec2::ZERO, spin: 0.0, ..mover });
    let changes = |by: &Hit, at: &Hit| {
        let mut pushed = still;
        by.push(&mut pushed, n);
        at.speed(&pushed, n)
    };
    let (k11, k12, k22) = (changes(p, p), changes(p, q), changes(q, q));
    let determinant = k11 * k22 - k12 * k12;
    if determinant <= SINGULAR * (k11 * k22) {
        return None;
    }
    let [first, second] = wanted;
    let (x, y) = ((k22 * first - k12 * second) / determinant, (k11 * second - k12 * first) / determinant);
    (x >= 0.0 && y >= 0.0).then_some([x, y])
}

/// A point that is hit.
#[derive(Clone, Copy, Default)]
struct Hit {
    /// From both centres of mass.
    arms: [Vec2; 2],
    /// Effective mass along the normal.
    mass: f32,
    pressure: f32,
}

impl Hit {
    fn new(two: &[Mover; 2], n: Vec2, arms: [Vec2; 2]) -> Hit {
        let hit = Hit { arms, ..Hit::default() };
        Hit { mass: hit.along(two, n).1, ..hit }
    }

    /// Speed of the second against the first along `axis`, and the effective mass there.
    fn along(&self, [a, b]: &[Mover; 2], axis: Vec2) -> (f32, f32) {
        let [turn_a, turn_b] = self.arms.map(|arm| cross(arm, axis));
        let speed = axis.dot(b.velocity - a.velocity) + (turn_b * b.spin - turn_a * a.spin);
        let square = axis * axis;
        let inverse = square.dot(a.inv_mass + b.inv_mass)
            + (a.inv_inertia * turn_a * turn_a + b.inv_inertia * turn_b * turn_b);
        (speed, if inverse > 0.0 { 1.0 / inverse } else { 0.0 })
    }

    fn speed(&self, two: &[Mover; 2], n: Vec2) -> f32 {
        self.along(two, n).0
    }

    fn push(&self, [a, b]: &mut [Mover; 2], impulse: Vec2) {
        a.velocity -= a.inv_mass * impulse;
        a.spin -= a.inv_inertia * cross(self.arms[0], impulse);
        b.velocity += b.inv_mass * impulse;
        b.spin += b.inv_inertia * cross(self.arms[1], impulse);
    }
}
