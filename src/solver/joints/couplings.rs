//! Couplings (gears and pulleys): one constraint row made of coordinates of two joints, over up to
//! four bodies.
//!
//! In: two ends, each a block whose Jacobian is updated like any other. Out: impulses. The
//! derivation is in `joint/gear.rs` and `joint/pulley.rs`.

use super::block::{JointBlock, Now};
use super::jacobian::{aim, weigh};
use super::small_matrix::inverse;
use super::two_bodies::{Hold, foreseen};
use crate::simd::{LANES, Lane, Width};
use crate::solver::columns::Column;
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use crate::threads::Shared;

/// Eight couplings.
#[derive(Clone, Debug)]
pub(crate) struct Coupled {
    pub(crate) ends: [JointBlock; 2],
    /// The axis of each end that it couples.
    pub(crate) numbers: [usize; 2],
    /// Weight of each end's coordinate: 1 and the ratio.
    pub(crate) shares: [Column; 2],
    /// Target of the weighted sum.
    pub(crate) sum: Column,
    /// A rope that only pulls: impulses are 0 or less.
    pub(crate) slack: bool,
    /// 1 where a body of the first end (A, B) is one of the second (A, B), in this order.
    pub(crate) shared: [[Column; 2]; 2],
    pub(crate) impulse: [Column; 2],
    pub(crate) total: Column,
    value: Column,
    k: Column,
}

impl Coupled {
    pub(crate) fn new(numbers: [usize; 2], slack: bool) -> Coupled {
        let zero = [0.0; LANES];
        Coupled {
            ends: [JointBlock::EMPTY; 2],
            numbers,
            shares: [[1.0; LANES], zero],
            sum: zero,
            slack,
            shared: [[zero; 2]; 2],
            impulse: [zero; 2],
            total: zero,
            value: zero,
            k: zero,
        }
    }
}

/// Updates the Jacobians of both ends, and the effective mass of their sum.
#[inline(always)]
pub(crate) fn aim_both<W: Width>(
    w: W,
    coupled: &mut Coupled,
    (moved, masses): (&[[f32; 4]], &[[f32; 4]]),
    no_line: f32,
) {
    let [first, second] = &mut coupled.ends;
    for end in [&mut *first, &mut *second] {
        aim(w, end, moved, no_line);
        weigh(w, end, masses);
    }
    let (one, ratio) = (w.read(&coupled.shares[0]), w.read(&coupled.shares[1]));
    let [p, q] = coupled.numbers;
    let value =
        one * w.read(&first.now.value[p]) + ratio * w.read(&second.now.value[q]) - w.read(&coupled.sum);
    w.write(&mut coupled.value, value);
    let mut k = one * one * w.read(&first.now.k[p]) + ratio * ratio * w.read(&second.now.k[q]);
    // A body in both ends takes impulses of both rows: a cross term of K.
    for (x, of_b) in [false, true].into_iter().enumerate() {
        for (y, of_other_b) in [false, true].into_iter().enumerate() {
            let both = cross(w, (first, p, of_b), (second, q, of_other_b));
            k = k + w.splat(2.0) * w.read(&coupled.shared[x][y]) * one * ratio * both;
        }
    }
    w.write(&mut coupled.k, k);
}

/// J_1 M⁻¹ J_2ᵀ over one body, seen as body A or B of each end.
#[inline(always)]
fn cross<W: Width>(
    w: W,
    (first, p, of_b): (&JointBlock, usize, bool),
    (second, q, of_other_b): (&JointBlock, usize, bool),
) -> W::L {
    let a = row(w, &first.now, p, of_b);
    let b = row(w, &second.now, q, of_other_b);
    let (mass, inertia) = if of_b {
        (&first.start.inv_mass_b, &first.now.inv_inertia_b)
    } else {
        (&first.start.inv_mass_a, &first.now.inv_inertia_a)
    };
    a[0] * b[0] * w.read(&mass[0]) + a[1] * b[1] * w.read(&mass[1]) + a[2] * b[2] * w.read(inertia)
}

/// Warm start: adds the impulse of the same half of the sub-step before.
#[inline(always)]
pub(crate) fn warm_start<W: Width>(w: W, coupled: &Coupled, velocity: Shared<[f32; 4]>, half: Half) {
    apply(w, coupled, velocity, w.read(&coupled.impulse[half as usize]));
}

/// Solves the coupling once.
#[inline(always)]
pub(crate) fn push<W: Width>(
    w: W,
    coupled: &mut Coupled,
    velocity: Shared<[f32; 4]>,
    half: Half,
    params: &JointParams,
) {
    let zero = w.splat(0.0);
    let mut speed = zero;
    for end in 0..2 {
        let (block, number) = (&coupled.ends[end], coupled.numbers[end]);
        let hold = Hold::load(w, block, &velocity);
        let mut of_end = hold.speeds()[number];
        if half == Half::Before && number < 2 {
            of_end = of_end + bend_of(w, block, &hold, (number, params));
        }
        speed = speed + w.read(&coupled.shares[end]) * of_end;
    }
    let value = w.read(&coupled.value);
    let most = w.splat(params.most_push(coupled.numbers[0]));
    if half == Half::Before {
        let close = value * w.splat(params.rate * params.inv_h);
        let closing = close.smaller(most).larger(-most);
        // A slack rope may become taut, but no longer than that.
        let room = W::L::select(value.lt(zero), value * w.splat(params.inv_h), closing);
        speed = speed + if coupled.slack { room } else { closing };
    }
    let before = w.read(&coupled.impulse[half as usize]);
    let mut after = before - speed * inverse(w, w.read(&coupled.k));
    if coupled.slack {
        let other = w.read(&coupled.impulse[0]);
        after = if half == Half::Before { after.smaller(zero) } else { after.smaller(-other) };
        if half == Half::After {
            after = W::L::select(other.lt(zero), after, zero);
        }
    }
    w.write(&mut coupled.impulse[half as usize], after);
    apply(w, coupled, velocity, after - before);
}

/// The speed by which an end goes beyond its present axis while bodies and axis turn: see
/// `loops/solve.rs`. (Without it, pulleys whose ends swing gained up to a third of the energy that
/// was in motion.)
#[inline(always)]
fn bend_of<W: Width>(
    w: W,
    block: &JointBlock,
    hold: &Hold<W::L>,
    (number, params): (usize, &JointParams),
) -> W::L {
    let length = block.form.line().then(|| w.read(&block.now.value[0]));
    let share = foreseen(w, (hold.v_a[2], hold.v_b[2]), params.h);
    hold.bend(w, length, params)[number] * share * w.splat(params.inv_h)
}

/// One end after the other: they may share a body.
#[inline(always)]
fn apply<W: Width>(w: W, coupled: &Coupled, velocity: Shared<[f32; 4]>, impulse: W::L) {
    for end in 0..2 {
        let block = &coupled.ends[end];
        let mut hold = Hold::load(w, block, &velocity);
        let mut row = [w.splat(0.0); 3];
        row[coupled.numbers[end]] = impulse * w.read(&coupled.shares[end]);
        hold.push(row);
        hold.store(w, block, velocity);
    }
}

/// Adds this sub-step's impulses to the totals of the step.
pub(crate) fn count(coupled: &mut Coupled) {
    for lane in 0..LANES {
        coupled.total[lane] += coupled.impulse[0][lane] + coupled.impulse[1][lane];
    }
}

/// The row of J of one axis, for one body: x, y, spin.
#[inline(always)]
fn row<W: Width>(w: W, now: &Now, number: usize, of_b: bool) -> [W::L; 3] {
    let (n_x, n_y) = (w.read(&now.axis[0]), w.read(&now.axis[1]));
    let one = w.splat(1.0);
    match (number, of_b) {
        (0, true) => [n_x, n_y, -w.read(&now.b[1])],
        (0, false) => [-n_x, -n_y, w.read(&now.a[1])],
        (1, true) => [-n_y, n_x, w.read(&now.b[0])],
        (1, false) => [n_y, -n_x, -w.read(&now.a[0])],
        (_, true) => [w.splat(0.0), w.splat(0.0), one],
        (_, false) => [w.splat(0.0), w.splat(0.0), -one],
    }
}
