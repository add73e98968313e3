//! Bodies eight at a time as a step ends: the fast twin of `bodies.rs`.
//!
//! In: the awake bodies in their order, and the solver's columns. Out: their new positions and
//! velocities, their parts placed, and lists for the scalar code. The bits are the same as from
//! `bodies.rs`, operation by operation, which also explains the formulas. Uncommon cases fall back
//! to the scalar code there: a body that leaves its region, has no valid position, turns by more
//! than π/4, is too fast, or is pushed out of a deep overlap; and a part that is no box, circle or
//! core.
//!
//! Parts of eight bodies that have one part each are placed at once; all others wait in a list, in
//! their order, until there are eight.

use glam::{IVec2, Vec2};

use super::bodies::{Deferred, Ending, Parts, put_back_one};
use super::fat_aabb::{SweepParams, SweptBody};
use super::quarantine::{LAST_REGION, NOWHERE};
use crate::body::collider::Class;
use crate::body::row_view::{Quarter, Quarters};
use crate::body::{FASTEST, NONE, flag};
use crate::bounds::Aabb;
use crate::broadphase::{PRESENT, WorldAabb};
use crate::math::{SMALL_ANGLE, min, of_reduced};
use crate::simd::{
    ALL_LANES, AllLanes, LANES, LANES_IN_ORDER, Lane, Table, TableMut, Vectors, Width, bits, scatter,
};
use crate::step::begin::gather::BODY_GRAIN;
use crate::tuning::{self, CcdTuning, MarginTuning};

/// Columns that `finish` reads and writes.
pub(super) struct Eights<'w> {
    pub(super) bodies: Quarters<'w>,
    pub(super) awake: &'w [u32],
    pub(super) velocity: &'w [[f32; 4]],
    pub(super) moved: &'w [[f32; 4]],
    pub(super) parts: Parts<'w>,
    /// Per slot: see `BodyStore`.
    pub(super) sole_parts: &'w [u32],
    pub(super) ending: Ending,
}

/// Poses and velocities of bodies, as needed by their parts; see [`Quarter`].
#[derive(Clone, Copy)]
struct PoseLanes<L> {
    region: [L; 2],
    center: [L; 2],
    turn: [L; 2],
    frame: [L; 2],
    velocity: [L; 2],
    spin: L,
    reach: L,
}

/// Bodies after the step.
struct Advanced<L: Lane> {
    pose: PoseLanes<L>,
    sleep_time: L,
    /// Lanes without uncommon cases.
    fine: L::Mask,
    /// Lanes that moved farther than their thickness, rotation included; and without it.
    far: L::Mask,
    stray: L::Mask,
    /// Lanes whose force or torque is to be cleared.
    pushed: L::Mask,
}

/// Parts after the step.
struct PlacedLanes<L: Lane> {
    row: [L; 8],
    /// A new box, with margin.
    low: [L; 2],
    high: [L; 2],
    /// Lanes whose box in the grid contains the part.
    fits: L::Mask,
    /// Lanes for which these results are valid.
    fine: L::Mask,
}

impl Eights<'_> {
    /// The bodies of some chunks, beginning with chunk `first`.
    #[inline(always)]
    pub(super) fn put_back<S: Vectors>(&self, w: AllLanes<S>, first: usize, left: &mut [Deferred]) {
        for (k, left) in left.iter_mut().enumerate() {
            let begin = (first + k) * BODY_GRAIN;
            let chunk = &self.awake[begin..self.awake.len().min(begin + BODY_GRAIN)];
            for (eight, slots) in chunk.chunks(LANES).enumerate() {
                self.put_back_eight(w, slots, begin + eight * LANES + 1, left);
            }
            self.place_waiting(w, left);
        }
    }

    /// Up to eight bodies from row `row` on; unused lanes repeat the first.
    #[inline(always)]
    fn put_back_eight<S: Vectors>(&self, w: AllLanes<S>, slots: &[u32], row: usize, left: &mut Deferred) {
        let (count, bodies) = (slots.len(), &self.bodies);
        let mut at = [slots[0]; LANES];
        at[..count].copy_from_slice(slots);
        let ways = (rows_from(w, self.velocity, row), rows_from(w, self.moved, row));
        let advanced = advanced(w, bodies, &at, ways, &self.ending);
        let used = u32::MAX >> (32 - count);
        let fine = bits(advanced.fine) & used;
        let Advanced { pose, sleep_time, pushed, .. } = advanced;
        if fine == ALL_LANES {
            write(w, bodies, &at, ALL_LANES, (&pose, sleep_time));
        } else {
            write(w, bodies, &at, fine, (&pose, sleep_time));
        }
        left.any_far |= bits(advanced.far) & fine != 0;
        let stray = if self.ending.continuous { bits(advanced.stray) & fine } else { 0 };
        let (odd, pushed) = (used & !fine, bits(pushed) & fine);
        let mut gone = 0;
        if odd | stray | pushed != 0 {
            for (k, &slot) in slots.iter().enumerate() {
                if odd >> k & 1 == 1 {
                    gone |= u32::from(!self.put_back_one(slot, row + k, left)) << k;
                }
                if stray >> k & 1 == 1 {
                    left.strays.push(slot);
                }
                if pushed >> k & 1 == 1 {
                    let mut forces = bodies.all(Quarter::Force);
                    let [.., damping] = forces.row(slot);
                    forces.set_row(slot, [0.0, 0.0, 0.0, damping]);
                }
            }
        }
        self.place_parts(w, slots, (fine, gone), &pose, left);
    }

    /// Places the parts of up to eight bodies; `fine` marks the bodies that were advanced in lanes,
    /// `gone` the bodies without a valid position.
    #[inline(always)]
    fn place_parts<S: Vectors>(
        &self,
        w: AllLanes<S>,
        slots: &[u32],
        (fine, gone): (u32, u32),
        pose: &PoseLanes<<AllLanes<S> as Width>::L>,
        left: &mut Deferred,
    ) {
        if let (Ok(slots), ALL_LANES) = (<&[u32; LANES]>::try_from(slots), fine) {
            let (mut parts, mut single) = ([0; LANES], true);
            for k in 0..LANES {
                parts[k] = self.sole_parts[slots[k] as usize];
                single &= parts[k] != NONE;
            }
            if single {
                self.place_waiting(w, left);
                w.apart(
                    #[inline(always)]
                    || self.place_eight(w, &parts, LANES, pose, left),
                );
                return;
            }
        }
        for (k, &slot) in slots.iter().enumerate() {
            if gone >> k & 1 == 0 {
                self.wait(slot, left);
            }
        }
    }

    /// Lists all parts of a body to be placed.
    #[inline(always)]
    fn wait(&self, slot: u32, left: &mut Deferred) {
        match self.sole_parts[slot as usize] {
            NONE => {
                let [first, ..] = self.bodies.all(Quarter::Lists).row(slot);
                self.parts.for_each(first.to_bits(), |part| left.waiting.push(part));
            }
            part => left.waiting.push(part),
        }
    }

    /// Places the listed parts.
    #[inline(always)]
    fn place_waiting<S: Vectors>(&self, w: AllLanes<S>, left: &mut Deferred) {
        if left.waiting.is_empty() {
            return;
        }
        let mut waiting = core::mem::take(&mut left.waiting);
        for some in waiting.chunks(LANES) {
            let mut parts = [some[0]; LANES];
            parts[..some.len()].copy_from_slice(some);
            let mut at = [0; LANES];
            for k in 0..LANES {
                at[k] = self.parts.rows[parts[k] as usize].body;
            }
            let pose = pose(w, &self.bodies, &at);
            w.apart(
                #[inline(always)]
                || self.place_eight(w, &parts, some.len(), &pose, left),
            );
        }
        waiting.clear();
        left.waiting = waiting;
    }

    /// Places the first `count` of eight parts, each on the body of its lane.
    #[inline(always)]
    fn place_eight<S: Vectors>(
        &self,
        w: AllLanes<S>,
        parts: &[u32; LANES],
        count: usize,
        pose: &PoseLanes<<AllLanes<S> as Width>::L>,
        left: &mut Deferred,
    ) {
        let used = u32::MAX >> (32 - count);
        let placed = placed(w, &self.parts, parts, pose);
        if used == ALL_LANES {
            w.scatter_eight(self.parts.placed, parts, ALL_LANES as u8, placed.row);
        } else {
            w.scatter_eight(self.parts.placed, parts, used as u8, placed.row);
        }
        let fine = bits(placed.fine);
        let fits = fine & bits(placed.fits);
        if used & !fits == 0 {
            return;
        }
        let (low, high) = (placed.low.map(scatter), placed.high.map(scatter));
        for k in (0..count).filter(|k| fits >> k & 1 == 0) {
            let slot = self.parts.rows[parts[k] as usize].body;
            if fine >> k & 1 == 0 {
                let body = self.bodies.body(slot);
                let swept = SweptBody::new(&body, self.parts.params);
                self.parts.place_one(&body, &swept, parts[k], &mut left.boxes);
                continue;
            }
            let [x, y, ..] = self.bodies.all(Quarter::Place).row(slot).map(|word| word.to_bits() as i32);
            let (min, max) = (Vec2::new(low[0][k], low[1][k]), Vec2::new(high[0][k], high[1][k]));
            left.boxes.push((parts[k], WorldAabb { region: IVec2::new(x, y), aabb: Aabb { min, max } }));
        }
    }

    /// One body by the scalar reference. Returns whether it has a valid position.
    #[inline(never)]
    fn put_back_one(&self, slot: u32, row: usize, left: &mut Deferred) -> bool {
        let mut body = self.bodies.body(slot);
        let there = put_back_one(&mut body, slot, (self.velocity[row], self.moved[row]), &self.ending, left);
        self.bodies.set_body(slot, body);
        there
    }
}

/// Eight rows from `first` on; lanes beyond the last row repeat it.
#[inline(always)]
fn rows_from<W: Width>(w: W, rows: &[[f32; 4]], first: usize) -> [W::L; 4] {
    match rows[first..].first_chunk::<LANES>() {
        Some(eight) => w.gather(&eight[..], &LANES_IN_ORDER),
        None => w.gather(rows, &LANES_IN_ORDER.map(|k| (first + k as usize).min(rows.len() - 1) as u32)),
    }
}

/// Loads bodies.
#[inline(always)]
fn pose<W: Width>(w: W, bodies: &Quarters, at: &[u32; LANES]) -> PoseLanes<W::L> {
    let [region_x, region_y, x, y] = w.gather(&bodies.all(Quarter::Place), at);
    let [cos, sin, frame_x, frame_y] = w.gather(&bodies.all(Quarter::Turn), at);
    let [v_x, v_y, spin, _] = w.gather(&bodies.all(Quarter::Motion), at);
    let [reach, ..] = w.gather(&bodies.all(Quarter::Size), at);
    PoseLanes {
        region: [region_x, region_y],
        center: [x, y],
        turn: [cos, sin],
        frame: [frame_x, frame_y],
        velocity: [v_x, v_y],
        spin,
        reach,
    }
}

/// Bodies after the step, from their velocities and displacements, as in `put_back_one`.
#[inline(always)]
fn advanced<W: Width>(
    w: W,
    bodies: &Quarters,
    at: &[u32; LANES],
    (velocity, moved): ([W::L; 4], [W::L; 4]),
    ending: &Ending,
) -> Advanced<W::L> {
    let [region_x, region_y, x, y] = w.gather(&bodies.all(Quarter::Place), at);
    let [cos, sin, frame_x, frame_y] = w.gather(&bodies.all(Quarter::Turn), at);
    let [.., sleep_time] = w.gather(&bodies.all(Quarter::Motion), at);
    let [_, flags, ..] = w.gather(&bodies.all(Quarter::State), at);
    let [force_x, force_y, torque, _] = w.gather(&bodies.all(Quarter::Force), at);
    let [reach, core, ..] = w.gather(&bodies.all(Quarter::Size), at);
    let ([v_x, v_y, spin, v_rest], [way_x, way_y, angle, way_rest]) = (velocity, moved);
    let (zero, infinity, nowhere) = (w.splat(0.0), w.splat(f32::INFINITY), w.splat(NOWHERE));

    let speed = v_x.abs().larger(v_y.abs());
    let finite = v_x.abs().lt(infinity) & v_y.abs().lt(infinity);
    let finite = finite & spin.abs().lt(infinity) & v_rest.abs().lt(infinity);
    let near = way_x.abs().lt(nowhere) & way_y.abs().lt(nowhere);
    let near = near & angle.abs().lt(nowhere) & way_rest.abs().lt(nowhere);
    let half = w.splat(tuning::REGION_SIZE / 2.0 * ending.span as f32);
    let (x, y) = (x + way_x, y + way_y);
    let stays = (-half).le(x) & x.lt(half) & (-half).le(y) & y.lt(half);
    let there = stays & region_x.is_whole_within(LAST_REGION) & region_y.is_whole_within(LAST_REGION);
    let slow =
        speed.lt(w.splat(min(ending.max_speed, FASTEST) * 0.5)) & spin.abs().le(w.splat(ending.max_spin));
    let (turned, unit) = turned(w, [cos, sin], angle);
    let turned = [W::L::select(angle.eq(zero), cos, turned[0]), W::L::select(angle.eq(zero), sin, turned[1])];

    let tired = w.splat(ending.sleep_speed);
    let way_squared = way_x * way_x + way_y * way_y;
    let far = tired * w.splat(ending.dt);
    let goes_slow = (v_x * v_x + v_y * v_y).lt(tired * tired) & way_squared.le(far * far);
    let rests = goes_slow & (spin.abs() * reach).lt(tired) & flags.has(flag::CAN_SLEEP);
    let slack = w.splat(CcdTuning::FAR) * core - angle.abs() * reach;
    Advanced {
        pose: PoseLanes {
            region: [region_x, region_y],
            center: [x, y],
            turn: turned,
            frame: [frame_x, frame_y],
            velocity: [v_x, v_y],
            spin,
            reach,
        },
        sleep_time: W::L::select(rests, sleep_time + w.splat(ending.dt), zero),
        fine: finite & near & there & slow & unit,
        far: slack.lt(zero) | (slack * slack).lt(way_squared),
        stray: (core * core).lt(way_squared),
        pushed: !(force_x.is_same(zero) & force_y.is_same(zero) & torque.is_same(zero)),
    }
}

/// [`Rot::turned`](crate::math::Rot::turned) for angles up to [`SMALL_ANGLE`] and results of nearly
/// unit length; and the lanes in which it is valid.
#[inline(always)]
fn turned<W: Width>(w: W, [cos, sin]: [W::L; 2], angle: W::L) -> ([W::L; 2], <W::L as Lane>::Mask) {
    let (turn_sin, turn_cos) = of_reduced(angle.widen());
    let (turn_sin, turn_cos) = (W::L::narrow(turn_sin), W::L::narrow(turn_cos));
    let (x, y) = (turn_cos * cos - turn_sin * sin, turn_sin * cos + turn_cos * sin);
    let off = x * x + y * y - w.splat(1.0);
    let scale = w.splat(1.0) - w.splat(0.5) * off;
    let unit = angle.abs().le(w.splat(SMALL_ANGLE)) & off.abs().lt(w.splat(1.0e-4));
    ([x * scale, y * scale], unit)
}

/// Writes back the bodies whose bit is set.
#[inline(always)]
fn write<W: Width>(
    w: W,
    bodies: &Quarters,
    at: &[u32; LANES],
    lanes: u32,
    (pose, sleep_time): (&PoseLanes<W::L>, W::L),
) {
    let ([region_x, region_y], [x, y]) = (pose.region, pose.center);
    let ([cos, sin], [frame_x, frame_y], [v_x, v_y]) = (pose.turn, pose.frame, pose.velocity);
    w.scatter_some(&mut bodies.all(Quarter::Place), at, lanes as u8, [region_x, region_y, x, y]);
    w.scatter_some(&mut bodies.all(Quarter::Turn), at, lanes as u8, [cos, sin, frame_x, frame_y]);
    w.scatter_some(&mut bodies.all(Quarter::Motion), at, lanes as u8, [v_x, v_y, pose.spin, sleep_time]);
}

/// Parts on their bodies, and their boxes, as in `Parts::place_one`.
#[inline(always)]
fn placed<W: Width>(w: W, parts: &Parts, at: &[u32; LANES], pose: &PoseLanes<W::L>) -> PlacedLanes<W::L> {
    let [x, y, local_cos, local_sin, half_x, half_y, class, _] = parts.locals(w, at);
    let [cos, sin] = pose.turn;
    let (x, y) = (x - pose.frame[0], y - pose.frame[1]);
    let offset = [cos * x - sin * y, sin * x + cos * y];
    let (x, y) = (pose.center[0] + offset[0], pose.center[1] + offset[1]);
    let turn = [cos * local_cos - sin * local_sin, sin * local_cos + cos * local_sin];
    let row = [x, y, turn[0], turn[1], half_x, half_y, offset[0], offset[1]];
    let ([tight_x, tight_y], [tight_to_x, tight_to_y]) = tight(w, parts, at, class, &row);

    // As in `Sweep`.
    let (SweepParams { dt, max_speed, margins }, [v_x, v_y]) = (parts.params, pose.velocity);
    let (dt, slow) = (w.splat(dt), v_x.abs().larger(v_y.abs()).lt(w.splat(max_speed * 0.5)));
    let (way_x, way_y) = (v_x * dt, v_y * dt);
    let size = (tight_to_x - tight_x).larger(tight_to_y - tight_y);
    let near = w.splat(margins.speculative).smaller(w.splat(margins.small) + size);
    let margin = near + (pose.spin.abs() * dt).smaller(w.splat(1.0)) * pose.reach;
    let low_x = tight_x.smaller(tight_x + way_x) - margin;
    let low_y = tight_y.smaller(tight_y + way_y) - margin;
    let high_x = tight_to_x.larger(tight_to_x + way_x) + margin;
    let high_y = tight_to_y.larger(tight_to_y + way_y) + margin;
    let room = w.splat(margins.max_box_room).smaller(w.splat(tuning::BOX_ROOM) * size);

    // As in `holds`.
    let [region_x, region_y, old_x, old_y, old_to_x, old_to_y, _, state] =
        w.gather_eight(parts.grid.rows(), at);
    let spare = ((old_to_x - old_x) - (high_x - low_x)) + ((old_to_y - old_y) - (high_y - low_y));
    let loose = (w.splat(MarginTuning::LOOSE_BOX) * room).lt(spare);
    let here = region_x.is_same(pose.region[0]) & region_y.is_same(pose.region[1]) & state.has(PRESENT);
    let inside = old_x.le(low_x) & high_x.le(old_to_x) & old_y.le(low_y) & high_y.le(old_to_y);
    PlacedLanes {
        row,
        low: [low_x - room, low_y - room],
        high: [high_x + room, high_y + room],
        fits: here & inside & !loose,
        fine: slow & class.lt(w.splat(Class::Other.number())),
    }
}

/// The tight boxes around parts, as in `placed_box`.
#[inline(always)]
fn tight<W: Width>(
    w: W,
    parts: &Parts,
    at: &[u32; LANES],
    class: W::L,
    &[x, y, cos, sin, half_x, half_y, ..]: &[W::L; 8],
) -> ([W::L; 2], [W::L; 2]) {
    let (a_cos, a_sin) = (cos.abs(), sin.abs());
    let round = class.eq(w.splat(Class::Circle.number()));
    let reach_x = W::L::select(round, half_x, a_cos * half_x + a_sin * half_y);
    let reach_y = W::L::select(round, half_x, a_sin * half_x + a_cos * half_y);
    let (low, high) = ([x - reach_x, y - reach_y], [x + reach_x, y + reach_y]);
    let core = class.eq(w.splat(Class::Core.number()));
    if !w.any(core) {
        return (low, high);
    }
    let mut form = [0; LANES];
    for k in 0..LANES {
        form[k] = parts.form[at[k] as usize];
    }
    let (from, to) = parts.forms.bounds_in_lanes(w, &form, [cos, sin]);
    (
        [W::L::select(core, x + from[0], low[0]), W::L::select(core, y + from[1], low[1])],
        [W::L::select(core, x + to[0], high[0]), W::L::select(core, y + to[1], high[1])],
    )
}
