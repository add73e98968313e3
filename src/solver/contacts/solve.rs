//! The contact solver: warm starting, `solve` (the biased pass, with soft constraints), `relax`
//! (relaxation: the unbiased pass) and friction (Coulomb's law, the friction cone), block by block;
//! a projected Gauss–Seidel method.
//!
//! In: blocks and the columns of the bodies. Out: impulses in the blocks, velocities in the
//! columns. Each kernel is written over [`Width`]: with one lane it is the scalar reference, with
//! all lanes its fast twin, bit for bit.
//!
//! # Derivation
//!
//! Two bodies touch at a point, n the normal from A to B, t = (n_y, -n_x) the tangent to the right
//! of it, r_a and r_b from the centres of mass to the point. The speed vn at which the surfaces
//! part, and its change by an impulse λ along n:
//!
//! ```text
//!   vn  = n·(v_b - v_a) + w_b (r_b × n) - w_a (r_a × n)
//!   v_a -= m_a n λ     w_a -= i_a (r_a × n) λ     v_b += m_b n λ     w_b += i_b (r_b × n) λ
//!   vn' = vn + λ / mass         1 / mass = n·(m_a + m_b) n + i_a (r_a × n)² + i_b (r_b × n)²
//! ```
//!
//! m and i are inverse masses and inertias; m has one number per axis, so that a locked axis has
//! inverse mass 0. `mass` is the effective mass. The same with t in place of n for friction.
//! Impulses add up over the step and never pull: Σλ >= 0 (Catto, Iterative Dynamics with Temporal
//! Coherence, 2005). The points of one contact share n, so they work on one speed u = n·(v_b - v_a)
//! and on the two spins; the bodies see the sum once.
//!
//! In a sub-step of h seconds (Macklin et al., Small Steps in Physics Simulation, 2019; Catto,
//! Solver2D, 2024):
//!
//! 1. `solve` lets the surfaces close a gap s > 0 within the sub-step (vn >= -s / h) and pushes
//!    them apart where s < 0, like a damped spring (vn >= -rate s). s follows the motion to first
//!    order: s = s_0 + the same form as vn, of how far the bodies have come.
//! 2. positions advance;
//! 3. `relax` takes the push out of the velocities again (vn >= 0), and adds friction,
//!    |λt| <= μ λn, and rolling resistance.
//!
//! The spring yields under load (compliance): each sub-step takes a share `softness` off the
//! impulse. That damps a tall stack, and makes it sink, in other engines by millimetres per
//! contact. Here the share is taken off the difference from the remembered load, which follows
//! slowly. So quick changes are damped, and resting contacts settle at s = 0. (Without any
//! compliance a pyramid of 100 rows falls.)

use super::block::{ColdBlock, ContactBlock, ContactPoints};
use crate::simd::{LANES, Lane, Table, Width};
use crate::solver::columns::Shares;
use crate::solver::params::ContactParams;
use crate::threads::Shared;

/// Velocities of both bodies of a block.
#[derive(Clone, Copy)]
pub(super) struct PairVelocities<L> {
    pub(super) a: [L; 4],
    pub(super) b: [L; 4],
}

/// The rows of a block's bodies, read before anything is written: after a write to a row, the
/// compiler would have to load each index and check its bounds again.
#[derive(Clone, Copy)]
pub(super) struct PairRows {
    a: [u32; LANES],
    b: [u32; LANES],
    gives: [u8; 2],
}

impl PairRows {
    #[inline(always)]
    pub(super) fn of<const P: usize>(block: &ContactBlock<P>) -> PairRows {
        PairRows { a: block.row_a, b: block.row_b, gives: block.dynamic }
    }

    #[inline(always)]
    pub(super) fn load<W: Width>(&self, w: W, rows: &(impl Table + ?Sized)) -> PairVelocities<W::L> {
        PairVelocities { a: w.gather(rows, &self.a), b: w.gather(rows, &self.b) }
    }

    /// Writes the rows of the bodies that impulses move; immovable bodies may be in several blocks
    /// at once.
    #[inline(always)]
    pub(super) fn store<W: Width>(&self, w: W, mut rows: Shared<[f32; 4]>, pair: PairVelocities<W::L>) {
        if self.gives == [u8::MAX; 2] {
            w.scatter(&mut rows, &self.a, pair.a);
            w.scatter(&mut rows, &self.b, pair.b);
        } else {
            w.scatter_some(&mut rows, &self.a, self.gives[0], pair.a);
            w.scatter_some(&mut rows, &self.b, self.gives[1], pair.b);
        }
    }
}

/// A direction, and the change of both linear velocities per unit of impulse along it.
pub(super) struct Axis<L> {
    direction: [L; 2],
    of_a: [L; 2],
    of_b: [L; 2],
    /// n·(m_a + m_b) n
    pub(super) both: L,
}

impl<L: Lane> Axis<L> {
    #[inline(always)]
    fn new<W: Width<L = L>, const P: usize>(
        w: W,
        (block, cold): (&ContactBlock<P>, &ColdBlock),
        direction: [L; 2],
    ) -> Axis<L> {
        let [a, b] = cold.inv_masses(w, block);
        let of_a = [a[0] * direction[0], a[1] * direction[1]];
        let of_b = [b[0] * direction[0], b[1] * direction[1]];
        let both = direction[0] * (of_a[0] + of_b[0]) + direction[1] * (of_a[1] + of_b[1]);
        Axis { direction, of_a, of_b, both }
    }

    /// n·(v_b - v_a)
    #[inline(always)]
    pub(super) fn speed(&self, pair: &PairVelocities<L>) -> L {
        let d = &self.direction;
        d[0] * (pair.b[0] - pair.a[0]) + d[1] * (pair.b[1] - pair.a[1])
    }

    /// Applies the impulse `sum` to the linear velocities.
    #[inline(always)]
    pub(super) fn apply(&self, pair: &mut PairVelocities<L>, sum: L) {
        for axis in 0..2 {
            pair.a[axis] = pair.a[axis] - self.of_a[axis] * sum;
            pair.b[axis] = pair.b[axis] + self.of_b[axis] * sum;
        }
    }
}

/// Angular part of an impulse: the arms of one point, and both inverse inertias.
pub(super) struct Spin<L> {
    arm_a: L,
    arm_b: L,
    inv_a: L,
    inv_b: L,
}

impl<L: Lane> Spin<L> {
    /// w_b (r_b × n) - w_a (r_a × n), of spins or of angles.
    #[inline(always)]
    pub(super) fn speed(&self, pair: &PairVelocities<L>) -> L {
        self.arm_b * pair.b[2] - self.arm_a * pair.a[2]
    }

    #[inline(always)]
    pub(super) fn apply(&self, pair: &mut PairVelocities<L>, impulse: L) {
        pair.a[2] = pair.a[2] - self.inv_a * self.arm_a * impulse;
        pair.b[2] = pair.b[2] + self.inv_b * self.arm_b * impulse;
    }
}

#[inline(always)]
pub(super) fn normal_spin<W: Width>(w: W, point: &ContactPoints, inv: (W::L, W::L)) -> Spin<W::L> {
    Spin { arm_a: w.read(&point.arm_a), arm_b: w.read(&point.arm_b), inv_a: inv.0, inv_b: inv.1 }
}

#[inline(always)]
pub(super) fn tangent_spin<W: Width>(w: W, point: &ContactPoints, inv: (W::L, W::L)) -> Spin<W::L> {
    Spin { arm_a: w.read(&point.lever_a), arm_b: w.read(&point.lever_b), inv_a: inv.0, inv_b: inv.1 }
}

#[inline(always)]
pub(super) fn normal_axis<W: Width, const P: usize>(
    w: W,
    both: (&ContactBlock<P>, &ColdBlock),
) -> Axis<W::L> {
    Axis::new(w, both, [w.read(&both.0.normal[0]), w.read(&both.0.normal[1])])
}

#[inline(always)]
pub(super) fn tangent_axis<W: Width, const P: usize>(
    w: W,
    both: (&ContactBlock<P>, &ColdBlock),
) -> Axis<W::L> {
    Axis::new(w, both, [w.read(&both.0.normal[1]), -w.read(&both.0.normal[0])])
}

/// Adds the impulses of the step before to the velocities.
#[inline(always)]
pub(crate) fn warm_start<W: Width, const P: usize>(
    w: W,
    (block, cold): (&ContactBlock<P>, &ColdBlock),
    columns: Shares,
) {
    let rows = PairRows::of(block);
    let mut v = rows.load(w, &columns.velocity);
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let (n, t) = (normal_axis(w, (block, cold)), tangent_axis(w, (block, cold)));
    let (mut along, mut across) = (w.splat(0.0), w.splat(0.0));
    for point in &block.points {
        let (normal, tangent) = (w.read(&point.normal_impulse), w.read(&point.tangent_impulse));
        normal_spin(w, point, inv).apply(&mut v, normal);
        tangent_spin(w, point, inv).apply(&mut v, tangent);
        along = along + normal;
        across = across + tangent;
    }
    n.apply(&mut v, along);
    t.apply(&mut v, across);
    if block.flags.rolls {
        let rolling = w.read(&cold.rolling_impulse);
        v.a[2] = v.a[2] - inv.0 * rolling;
        v.b[2] = v.b[2] + inv.1 * rolling;
    }
    rows.store(w, columns.velocity, v);
}

/// Step 1 of the head: no closer than touching, and apart where they overlap.
#[inline(always)]
pub(crate) fn solve<W: Width, const P: usize>(
    w: W,
    both: (&mut ContactBlock<P>, &ColdBlock),
    columns: Shares,
    params: &ContactParams,
) {
    solve_lanes(w, both, columns, params, None);
}

/// The same for the lanes that are solved more often; all others keep their bits.
#[inline(always)]
pub(crate) fn solve_some<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &ColdBlock),
    columns: Shares,
    params: &ContactParams,
) {
    let repeated = block.flags.repeated;
    solve_lanes(w, (block, cold), columns, params, Some(repeated));
}

#[inline(always)]
fn solve_lanes<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &ColdBlock),
    columns: Shares,
    params: &ContactParams,
    only: Option<u8>,
) {
    let mut rows = PairRows::of(block);
    if let Some(lanes) = only {
        rows.gives = rows.gives.map(|gives| gives & lanes);
    }
    let mut v = rows.load(w, &columns.velocity);
    let moved = rows.load(w, &columns.moved());
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let n = normal_axis(w, (block, cold));
    let (zero, inv_h) = (w.splat(0.0), w.splat(params.inv_h));
    let (rate, slowest) = (w.splat(params.push_rate), w.splat(-params.max_push));
    let (one, mut softness) = (w.splat(1.0), w.splat(params.softness));
    if block.flags.yields {
        softness = softness.larger(w.read(&cold.softness));
    }
    let (mut u, came) = (n.speed(&v), n.speed(&moved));
    let mut sum = zero;
    for point in &mut block.points {
        let spin = normal_spin(w, point, inv);
        let vn = u + spin.speed(&v);
        let s = w.read(&point.separation) + (came + spin.speed(&moved));
        let before = w.read(&point.normal_impulse);
        let apart = zero.lt(s) & before.le(zero);
        let bias = W::L::select(apart, s * inv_h, (rate * s).larger(slowest));
        let mass = w.read(&point.normal_mass) * W::L::select(apart, one, one - softness);
        let softness = W::L::select(apart, zero, softness);
        let mut after =
            (before - mass * (vn + bias) - softness * (before - w.read(&point.load))).larger(zero);
        if let Some(lanes) = only {
            after = W::L::select(mask_of(w, lanes), after, before);
        }
        w.write(&mut point.normal_impulse, after);
        let impulse = after - before;
        u = u + n.both * impulse;
        spin.apply(&mut v, impulse);
        sum = sum + impulse;
    }
    n.apply(&mut v, sum);
    rows.store(w, columns.velocity, v);
}

/// The lanes whose bit is set.
#[inline(always)]
fn mask_of<W: Width>(w: W, lanes: u8) -> <W::L as Lane>::Mask {
    let set: [f32; LANES] = core::array::from_fn(|lane| f32::from(lanes >> lane & 1));
    w.splat(0.0).lt(w.read(&set))
}

/// Step 3 of the head: takes the push out of the velocities, then friction and rolling resistance.
///
/// A point without an impulse from `solve` is skipped: its motion since is seen in the next
/// sub-step, and displacements need not be read again.
#[inline(always)]
pub(crate) fn relax<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &mut ColdBlock),
    columns: Shares,
    params: &ContactParams,
) {
    let rows = PairRows::of(block);
    let mut v = rows.load(w, &columns.velocity);
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let (n, zero) = (normal_axis(w, (block, cold)), w.splat(0.0));
    let mut u = n.speed(&v);
    let (mut sum, mut held) = (zero, zero);
    for point in &mut block.points {
        let spin = normal_spin(w, point, inv);
        let vn = u + spin.speed(&v);
        let before = w.read(&point.normal_impulse);
        let wanted = (before - w.read(&point.normal_mass) * vn).larger(zero);
        let after = W::L::select(zero.lt(before), wanted, before);
        w.write(&mut point.normal_impulse, after);
        let total = w.read(&point.total) + after;
        w.write(&mut point.total, total);
        let impulse = after - before;
        u = u + n.both * impulse;
        spin.apply(&mut v, impulse);
        sum = sum + impulse;
        held = held + after;
    }
    n.apply(&mut v, sum);
    solve_friction(w, (block, cold), &mut v, inv, params);
    if block.flags.rolls {
        solve_rolling_resistance(w, cold, &mut v, inv, held);
    }
    rows.store(w, columns.velocity, v);
}

/// Friction: the impulse that stops the sliding, within the cone of the static coefficient. If the
/// points together reach that cone the contact slides, and their impulses are clamped to the cone
/// of the kinetic coefficient.
#[inline(always)]
fn solve_friction<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &ColdBlock),
    v: &mut PairVelocities<W::L>,
    inv: (W::L, W::L),
    params: &ContactParams,
) {
    let (t, zero) = (tangent_axis(w, (block, cold)), w.splat(0.0));
    let rests = w.read(&block.static_friction);
    let mut u = t.speed(v);
    if block.flags.drives {
        u = u - w.read(&cold.tangent_speed);
    }
    let mut sum = zero;
    let (mut used, mut pressures) = (zero, zero);
    for point in &mut block.points {
        let spin = tangent_spin(w, point, inv);
        let vt = u + spin.speed(v);
        let pressure = w.read(&point.normal_impulse);
        let before = w.read(&point.tangent_impulse);
        let wanted = before - w.read(&point.tangent_mass) * vt;
        let limit = rests * pressure;
        let after = wanted.larger(-limit).smaller(limit);
        w.write(&mut point.tangent_impulse, after);
        let impulse = after - before;
        u = u + t.both * impulse;
        spin.apply(v, impulse);
        sum = sum + impulse;
        used = used + after.abs();
        pressures = pressures + pressure;
    }
    if block.flags.slips {
        let slides = w.read(&cold.kinetic_friction);
        let mut fastest = zero;
        for point in &block.points {
            fastest = fastest.larger((u + tangent_spin(w, point, inv).speed(v)).abs());
        }
        // Both at the cone and moving: a load that only just shifts is not a slide.
        let at_cone = (rests * pressures * w.splat(0.999)).le(used);
        let sliding = at_cone & w.splat(params.slip_speed).lt(fastest);
        for point in &mut block.points {
            let spin = tangent_spin(w, point, inv);
            let before = w.read(&point.tangent_impulse);
            let limit = slides * w.read(&point.normal_impulse);
            let after = W::L::select(sliding, before.larger(-limit).smaller(limit), before);
            w.write(&mut point.tangent_impulse, after);
            let impulse = after - before;
            spin.apply(v, impulse);
            sum = sum + impulse;
        }
    }
    t.apply(v, sum);
}

/// Rolling resistance: an impulse against the relative spin, at most `rolling_resistance` times the
/// pressure.
#[inline(always)]
fn solve_rolling_resistance<W: Width>(
    w: W,
    cold: &mut ColdBlock,
    v: &mut PairVelocities<W::L>,
    inv: (W::L, W::L),
    held: W::L,
) {
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let both = inv.0 + inv.1;
    let mass = W::L::select(zero.lt(both), one / both, zero);
    let before = w.read(&cold.rolling_impulse);
    let limit = w.read(&cold.rolling_resistance) * held;
    let after = (before - mass * (v.b[2] - v.a[2])).larger(-limit).smaller(limit);
    w.write(&mut cold.rolling_impulse, after);
    let impulse = after - before;
    v.a[2] = v.a[2] - inv.0 * impulse;
    v.b[2] = v.b[2] + inv.1 * impulse;
}
