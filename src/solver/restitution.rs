//! Impacts, at their time within the sub-step: bounces, and hard landings.
//!
//! In: blocks of which a lane has restitution or comes in fast, velocities after gravity. Out: velocities after the
//! impact, friction included, and positions as if it had happened at its moment. Called before the contacts are solved,
//! in every sub-step.
//!
//! # Why not at the end of the step
//!
//! The usual restitution pass compares with the speed at the start of the step and ignores slow hits. So
//! glancing hits become inelastic, a second hit within the step uses a stale speed, and the way to the wall and back is lost.
//! Here an impact uses the speeds of its own moment, so for e = 1 each keeps the energy whatever else happens.
//!
//! ```text
//!   s + v_0 x h + ½ g x h = 0, 0 <= x <= 1         v_0: speed along n when the sub-step began
//!   v(x) = v_0 + g x                                g: what gravity adds to it in the whole sub-step
//!   impulse: v' = -e v(x) for every point that hits
//!   position: the change of velocity counts from x on, so x h times it is taken off
//! ```
//!
//! Two points that hit together are solved as two equations, so that a box that lands flat leaves flat. Below a speed
//! that gravity makes in one step nothing bounces: that is how resting begins. Without gravity everything does.
//!
//! A landing with e = 0 goes the same way if it is hard: left to `solve`, its impulse would be the next sub-step's warm start, and
//! a body on two feet would hop before that is taken back. Impulses of impacts are not remembered.

use super::block::{Block, Shares};
use super::kernel::{Pair, load, normal_axis, normal_spin, store, tangent_axis, tangent_spin};
use crate::simd::{Lane, Width, inlined};
use crate::threads::Shared;

/// What decides whether a touch is a bounce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BounceLaw {
    /// Length of the sub-step.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Slowest approach that bounces, in m/s.
    pub(crate) threshold: f32,
    /// Slowest approach that counts as an impact where nothing is given back.
    pub(crate) blow: f32,
    /// What gravity and forces add to a speed at most in a sub-step, and to a spin.
    pub(crate) most_push: [f32; 2],
}

/// When bodies were last struck, by row. A block is looked at again only if one of its bodies was struck since: of most blocks,
/// the first look is the last.
///
/// Time goes on from phase to phase. Within a phase no two blocks strike the same body, so it does not matter which comes first.
#[derive(Clone, Copy)]
pub(crate) struct Struck<'s> {
    rows: Shared<'s, u32>,
    now: u32,
}

impl Struck<'_> {
    /// Nobody was struck; `count` rows.
    pub(crate) fn new(at: &mut Vec<u32>, count: usize) -> Struck<'_> {
        at.clear();
        at.resize(count, 0);
        Struck { rows: Shared::new(at), now: 1 }
    }

    /// The same, at a later time: `moment` is the number of the phase, over all rounds.
    #[inline(always)]
    pub(crate) fn at(self, moment: usize) -> Self {
        Struck { now: 1 + 2 * moment as u32, ..self }
    }

    /// Whether anything has happened to a block since it was last looked at; it is looked at now.
    #[inline(always)]
    pub(crate) fn look<W: Width, const P: usize>(&self, w: W, block: &mut Block<P>) -> bool {
        let mut news = false;
        for lane in w.lanes() {
            let since = core::mem::replace(&mut block.looked[lane], self.now);
            let struck = |row: u32| self.rows.get(row as usize) > since;
            news |= struck(block.row_a[lane]) | struck(block.row_b[lane]);
        }
        news
    }

    /// Notes that the bodies of a block were struck, those that give way: just after it was looked at.
    #[inline(always)]
    pub(crate) fn strike<W: Width, const P: usize>(
        &self,
        w: W,
        block: &Block<P>,
        hits: <W::L as Lane>::Mask,
    ) {
        for lane in w.lanes_of(hits) {
            for (of, gives) in [(&block.row_a, block.gives[0]), (&block.row_b, block.gives[1])] {
                if gives >> lane & 1 == 1 {
                    self.rows.set(of[lane] as usize, self.now + 1);
                }
            }
        }
    }
}

/// Bounces what hits within the sub-step; whether anything did.
#[inline(always)]
pub(crate) fn bounce<W: Width, const P: usize>(
    w: W,
    block: &mut Block<P>,
    columns: Shares,
    law: &BounceLaw,
    struck: Struck,
) -> bool {
    if !comes_fast(w, block, columns, law) {
        return false;
    }
    let hits = impacts(w, block, columns, law);
    if !w.any(hits.any) {
        return false;
    }
    struck.strike(w, block, hits.any);
    let time = hits.time * w.splat(law.h);
    let before = load(w, block, columns.velocity);
    let mut after = before;
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let n = normal_axis(w, block);
    for (point, &impulse) in block.points.iter_mut().zip(&hits.impulses) {
        normal_spin(w, point, inv).apply(&mut after, impulse);
        n.apply(&mut after, impulse);
        let total = w.read(&point.total) + impulse;
        w.write(&mut point.total, total);
    }
    rub(w, block, &mut after, hits.impulses);
    store(w, block, columns.velocity, after);
    let mut free = load(w, block, columns.free);
    let mut moved = load(w, block, columns.moved);
    for k in 0..3 {
        let (change_a, change_b) = (after.a[k] - before.a[k], after.b[k] - before.b[k]);
        (free.a[k], free.b[k]) = (free.a[k] + change_a, free.b[k] + change_b);
        (moved.a[k], moved.b[k]) = (moved.a[k] - change_a * time, moved.b[k] - change_b * time);
    }
    store(w, block, columns.free, free);
    store(w, block, columns.moved, moved);
    true
}

/// Whether any point may hit: what is not fast enough whatever is added to its speed need not be looked at more closely.
/// (A third of the loads, and most blocks end here.)
#[inline(always)]
fn comes_fast<W: Width, const P: usize>(w: W, block: &Block<P>, columns: Shares, law: &BounceLaw) -> bool {
    let v = load(w, block, columns.velocity);
    let [fastest, spin] = law.most_push;
    let restitution = w.read(&block.restitution);
    let slowest = W::L::select(w.splat(0.0).lt(restitution), w.splat(law.threshold), w.splat(law.blow));
    let u = w.read(&block.normal[0]) * (v.b[0] - v.a[0]) + w.read(&block.normal[1]) * (v.b[1] - v.a[1]);
    let mut fast = w.splat(0.0).lt(w.splat(0.0));
    for point in &block.points {
        let (arm_a, arm_b) = (w.read(&point.arm_a), w.read(&point.arm_b));
        let vn = u + (arm_b * v.b[2] - arm_a * v.a[2]);
        let added = w.splat(fastest) + w.splat(spin) * (arm_a.abs() + arm_b.abs());
        fast = fast | (vn - added).lt(-slowest);
    }
    w.any(fast)
}

/// Friction of the impact: within the cone of what passed along the normal.
#[inline(always)]
fn rub<W: Width, const P: usize>(w: W, block: &Block<P>, v: &mut Pair<W::L>, pressures: [W::L; P]) {
    let t = tangent_axis(w, block);
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let (rests, slides) = (w.read(&block.static_friction), w.read(&block.kinetic_friction));
    for (point, pressure) in block.points.iter().zip(pressures) {
        let spin = tangent_spin(w, point, inv);
        let vt = t.speed(v) - w.read(&block.tangent_speed) + spin.speed(v);
        let wanted = -(w.read(&point.tangent_mass) * vt);
        let limit = slides * pressure;
        let clamped = wanted.larger(-limit).smaller(limit);
        let impulse = W::L::select(wanted.abs().le(rests * pressure), wanted, clamped);
        spin.apply(v, impulse);
        t.apply(v, impulse);
    }
}

/// Which points hit, when, and with what impulse.
struct Impacts<L: Lane, const P: usize> {
    any: L::Mask,
    /// Share of the sub-step.
    time: L,
    impulses: [L; P],
}

#[inline(always)]
fn impacts<W: Width, const P: usize>(
    w: W,
    block: &Block<P>,
    columns: Shares,
    law: &BounceLaw,
) -> Impacts<W::L, P> {
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let n = [w.read(&block.normal[0]), w.read(&block.normal[1])];
    let (a, b) = (Motion::of(w, columns, &block.row_a), Motion::of(w, columns, &block.row_b));
    let along = inlined(
        #[inline(always)]
        |a: [W::L; 3], b: [W::L; 3]| (n[0] * (b[0] - a[0]) + n[1] * (b[1] - a[1]), a[2], b[2]),
    );
    let (velocity, moved) = (along(a.velocity, b.velocity), along(a.moved, b.moved));
    let (push, lag) = (along(a.push, b.push), along(a.lag, b.lag));
    let restitution = w.read(&block.restitution);
    let slowest = W::L::select(zero.lt(restitution), w.splat(law.threshold), w.splat(law.blow));
    let mut any = zero.lt(zero);
    let mut time = one;
    let mut wanted = [zero; P];
    for (point, wanted) in block.points.iter().zip(&mut wanted) {
        let (arm_a, arm_b) = (w.read(&point.arm_a), w.read(&point.arm_b));
        let form = inlined(
            #[inline(always)]
            |(along, a, b): (W::L, W::L, W::L)| along + (arm_b * b - arm_a * a),
        );
        let vn = form(velocity);
        let g = form(push);
        let gap = (w.read(&point.separation) + form(moved)) * w.splat(law.inv_h) + w.splat(0.5) * form(lag);
        let start = vn - g;
        let square = start * start - (g + g) * gap;
        let root = square.larger(zero).sqrt();
        let below = root - start;
        let x = (gap + gap) / W::L::select(zero.lt(below), below, one);
        let apart = zero.lt(gap);
        // What `solve` takes for a touch, which moves by h v, must not slip through here by half of g h².
        let soon = x.le(one) | (gap + vn).le(zero);
        let reaches = !apart | (zero.le(square) & zero.lt(below) & soon);
        let x = W::L::select(apart, x.smaller(one), zero);
        let speed = start + g * x;
        let real = zero.lt(w.read(&point.normal_mass));
        let hits = real & reaches & speed.lt(-slowest);
        *wanted = W::L::select(hits, -(one + restitution) * speed, zero);
        time = W::L::select(hits, time.smaller(x), time);
        any = any | hits;
    }
    Impacts { any, time, impulses: impulses(w, block, wanted) }
}

/// How a body moves: x, y, spin of each.
struct Motion<L> {
    velocity: [L; 3],
    moved: [L; 3],
    push: [L; 3],
    /// What was taken off the way, twice over: see `integrate.rs`.
    lag: [L; 3],
}

impl<L: Lane> Motion<L> {
    #[inline(always)]
    fn of<W: Width<L = L>>(w: W, columns: Shares, rows: &[u32; 8]) -> Motion<L> {
        let [x, y, spin, _] = w.gather(&columns.velocity, rows);
        let velocity = [x, y, spin];
        let [x, y, spin, _] = w.gather(columns.push, rows);
        let push = [x, y, spin];
        let free = w.gather(&columns.free, rows);
        let [x, y, spin, even] = w.gather(&columns.moved, rows);
        let moved = [x, y, spin];
        let mut lag = [w.splat(0.0); 3];
        for k in 0..3 {
            lag[k] = (push[k] + (velocity[k] - free[k])) * even;
        }
        Motion { velocity, moved, push, lag }
    }
}

/// The impulses that change the speeds at the points by `wanted`, which is zero where nothing hits.
#[inline(always)]
fn impulses<W: Width, const P: usize>(w: W, block: &Block<P>, wanted: [W::L; P]) -> [W::L; P] {
    let zero = w.splat(0.0);
    let mut alone = wanted;
    for (impulse, point) in alone.iter_mut().zip(&block.points) {
        *impulse = *impulse * w.read(&point.normal_mass);
    }
    let (&[first, second], &[p, q]) = (&wanted[..], &block.points.each_ref()[..]) else { return alone };
    // k λ = wanted: a row a point.
    let (inv_a, inv_b) = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let n = [w.read(&block.normal[0]), w.read(&block.normal[1])];
    let (m_a, m_b) = (&block.inv_mass_a, &block.inv_mass_b);
    let both =
        n[0] * n[0] * (w.read(&m_a[0]) + w.read(&m_b[0])) + n[1] * n[1] * (w.read(&m_a[1]) + w.read(&m_b[1]));
    let entry = inlined(
        #[inline(always)]
        |i: &super::block::Point, j: &super::block::Point| {
            both + inv_a * w.read(&i.arm_a) * w.read(&j.arm_a) + inv_b * w.read(&i.arm_b) * w.read(&j.arm_b)
        },
    );
    let (k11, k12, k22) = (entry(p, p), entry(p, q), entry(q, q));
    let determinant = k11 * k22 - k12 * k12;
    let solvable = (k11 * k22 * w.splat(1.0e-4)).lt(determinant);
    let divisor = W::L::select(solvable, determinant, w.splat(1.0));
    let (x, y) = ((k22 * first - k12 * second) / divisor, (k11 * second - k12 * first) / divisor);
    let together = solvable & zero.lt(first) & zero.lt(second) & zero.le(x) & zero.le(y);
    // Else the harder hit alone; the other is seen in the next round.
    let first_leads = second.le(first);
    let mut result = alone;
    result[0] = W::L::select(together, x, W::L::select(first_leads, alone[0], zero));
    result[1] = W::L::select(together, y, W::L::select(first_leads, zero, alone[1]));
    result
}
