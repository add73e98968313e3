//! The iterative joint solver: one pass over a block, before the bodies move or after.
//!
//! In: blocks with up-to-date Jacobians, velocities. Out: impulses in the blocks, velocities in the
//! columns. Written over [`Width`]: one lane is the scalar reference.
//!
//! # Derivation
//!
//! n is the axis, t across it, a and b the arms of A and B to B's anchor in these axes (a = a_n n +
//! a_t t). The speeds of the three axes, and the effect of impulses λ along them:
//!
//! ```text
//!   u_0 = n·(v_b - v_a) - b_t w_b + a_t w_a   v_a -= m_a p    w_a += i_a (a_t λ_0 - a_n λ_1 - λ_2)
//!   u_1 = t·(v_b - v_a) + b_n w_b - a_n w_a   v_b += m_b p    w_b += i_b (b_n λ_1 - b_t λ_0 + λ_2)
//!   u_2 = w_b - w_a                           p = n λ_0 + t λ_1
//! ```
//!
//! A sub-step is the symmetric one of Andersen (RATTLE, 1983; Leimkuhler and Reich, Simulating
//! Hamiltonian Dynamics, 2004, chapter 7): joints are solved once before the bodies move, along the
//! axes of then, so that gaps are closed afterwards; and once after, along the new axes, so that no
//! gap opens. This neither loses nor gains energy: a pendulum swings as high as before. Drives
//! apply half of their impulse before and half after.
//!
//! `Before` must foresee where the anchors will be once the bodies have moved and turned: with R_a,
//! R_b the turns by h w_a, h w_b,
//!
//! ```text
//!   c' = R_a⁻¹ (a + h (v_b - v_a) + (R_b - 1) b) - (a - c) = c + h u + bend  on a line: c_0' = |d'|
//! ```
//!
//! bend is of second order in h. A solver that assumes straight motion leaves it out, and loses
//! energy by it.

use crate::simd::{Width, inlined};
use crate::solver::joints::block::{Drives, JointBlock, LIMITS, MOTOR, SERVO};
use crate::solver::joints::drives::{DriveStage, answer, push_along, push_driven, push_round};
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{inverse, solve_two, write};
use crate::solver::joints::two_bodies::Hold;
use crate::solver::params::JointParams;
use crate::threads::Shared;

/// Warm start: adds the impulses of the same half of the sub-step before. Trees are solved
/// directly: only their motors start warm, with the response of the locked axes, and the rest is
/// computed anew.
#[inline(always)]
pub(crate) fn warm_start<W: Width>(
    w: W,
    block: &mut JointBlock,
    drives: Option<&Drives>,
    velocity: Shared<[f32; 4]>,
    (half, direct): (Half, bool),
) {
    w.apart(
        #[inline(always)]
        || {
            let mut hold = Hold::load(w, block, &velocity);
            warm_start_on(w, block, drives, &mut hold, (half, direct));
            hold.store(w, block, velocity);
        },
    );
}

/// Warm start, with velocities at hand.
#[inline(always)]
pub(crate) fn warm_start_on<W: Width>(
    w: W,
    block: &mut JointBlock,
    drives: Option<&Drives>,
    hold: &mut Hold<W::L>,
    (half, direct): (Half, bool),
) {
    if direct {
        let drives = drives.filter(|_| block.form.is_driven());
        return warm_start_drives(w, block, drives, hold, half);
    }
    let zero = w.splat(0.0);
    let mut sum = [zero; 3];
    for (k, sum) in sum.iter_mut().enumerate() {
        if block.form.holds(k) {
            *sum = w.read(&block.held[half as usize][k]);
        }
    }
    for (k, driven) in drives.into_iter().flatten().enumerate() {
        let mut driving = zero;
        for by in [SERVO, MOTOR, LIMITS] {
            if block.form.drives(k, by) {
                driving = driving + w.read(&driven.impulse[half as usize][by]);
            }
        }
        sum[k] = sum[k] + driving;
    }
    hold.push(sum);
}

/// Warm starts the motors of a tree, with the response of its locked axes. Limits are solved with
/// the locked axes, and servos do not depend on their earlier impulses.
#[inline(always)]
fn warm_start_drives<W: Width>(
    w: W,
    block: &mut JointBlock,
    drives: Option<&Drives>,
    hold: &mut Hold<W::L>,
    half: Half,
) {
    write(w, &mut block.held[half as usize], [w.splat(0.0); 3]);
    let Some(drives) = drives else { return };
    let mut start = inlined(
        #[inline(always)]
        |k: usize| {
            if !block.form.is_driven_along(k) {
                return;
            }
            let mut driving = w.splat(0.0);
            if block.form.drives(k, MOTOR) {
                driving = driving + w.read(&drives[k].impulse[half as usize][MOTOR]);
            }
            let answer = answer(w, (block.form, &block.now), k);
            push_along(w, (block.form, &mut block.held[half as usize]), hold, (k, &answer), driving);
        },
    );
    // Not in a loop: the compiler is to know the number.
    start(0);
    start(1);
    start(2);
}

/// Solves the drives of a block once, and its locked axes.
///
/// A function of its own: it is called in six places; pins have a function of their own, as a net
/// has thousands.
#[inline(always)]
pub(crate) fn push<W: Width>(
    w: W,
    block: &mut JointBlock,
    drives: Option<&mut Drives>,
    velocity: Shared<[f32; 4]>,
    (half, params): (Half, &JointParams),
) {
    w.apart(
        #[inline(always)]
        || {
            let mut hold = Hold::load(w, block, &velocity);
            push_on(w, block, drives, &mut hold, (half, params, DriveStage::Iterated));
            hold.store(w, block, velocity);
        },
    );
}

/// One pass over a block, with velocities at hand. Where joints are solved directly, locked axes
/// and limits are left out.
#[inline(always)]
pub(crate) fn push_on<W: Width>(
    w: W,
    block: &mut JointBlock,
    drives: Option<&mut Drives>,
    hold: &mut Hold<W::L>,
    (half, params, stage): (Half, &JointParams, DriveStage),
) {
    if let Some(drives) = drives {
        if block.form.round() {
            push_round(w, block, drives, hold, (half, params, stage));
            push_driven(w, (block, 2), &mut drives[2], hold, (half, params, stage));
        } else {
            // Not in a loop: the compiler is to know the number.
            push_driven(w, (block, 2), &mut drives[2], hold, (half, params, stage));
            push_driven(w, (block, 1), &mut drives[1], hold, (half, params, stage));
            push_driven(w, (block, 0), &mut drives[0], hold, (half, params, stage));
        }
    }
    if stage == DriveStage::Iterated {
        push_held(w, block, hold, half, params);
    }
}

/// Solves the locked axes: the angle first, then the point, or one direction of it.
///
/// Before the bodies move it yields a little to its load (compliance), as contacts do: swings of a
/// net die away.
#[inline(always)]
fn push_held<W: Width>(
    w: W,
    block: &mut JointBlock,
    hold: &mut Hold<W::L>,
    half: Half,
    params: &JointParams,
) {
    let zero = w.splat(0.0);
    let side = half as usize;
    let softness = w.splat(if half == Half::Before { params.softness } else { 0.0 });
    let keep = w.splat(1.0) - softness;
    if block.form.holds(2) {
        let excess = hold.excess(w, block, half, params, params.rate)[2];
        let before = w.read(&block.held[side][2]);
        let impulse = -(keep * excess * inverse(w, w.read(&block.now.k[2]))) - softness * before;
        w.write(&mut block.held[side][2], before + impulse);
        hold.push([zero, zero, impulse]);
    }
    match (block.form.holds(0), block.form.holds(1)) {
        (true, true) => {
            let excess = hold.excess(w, block, half, params, params.rate);
            let (k_00, k_11, k_01) =
                (w.read(&block.now.k[0]), w.read(&block.now.k[1]), w.read(&block.now.k_cross[0]));
            let before = [w.read(&block.held[side][0]), w.read(&block.held[side][1])];
            let found = solve_two(w, [k_00, k_01, k_11], [excess[0], excess[1]]);
            let along = -(keep * found[0]) - softness * before[0];
            let across = -(keep * found[1]) - softness * before[1];
            w.write(&mut block.held[side][0], before[0] + along);
            w.write(&mut block.held[side][1], before[1] + across);
            hold.push_point([along, across]);
        }
        (false, false) => {}
        (along, _) => {
            let k = if along { 0 } else { 1 };
            let excess = hold.excess(w, block, half, params, params.rate)[k];
            let before = w.read(&block.held[side][k]);
            let impulse = -(keep * excess * inverse(w, w.read(&block.now.k[k]))) - softness * before;
            w.write(&mut block.held[side][k], before + impulse);
            hold.push_point(if along { [impulse, zero] } else { [zero, impulse] });
        }
    }
}

/// Adds this sub-step's impulses to the totals of the step.
#[inline(always)]
pub(crate) fn count<W: Width>(w: W, block: &mut JointBlock, drives: Option<&Drives>) {
    for k in 0..3 {
        if block.form.holds(k) {
            let [before, after] = [w.read(&block.held[0][k]), w.read(&block.held[1][k])];
            let sum = w.read(&block.total[k]) + (before + after);
            w.write(&mut block.total[k], sum);
        } else if let Some(drives) = drives {
            let mut sum = w.read(&block.total[k]);
            for by in [SERVO, MOTOR, LIMITS] {
                if block.form.drives(k, by) {
                    let [before, after] = &drives[k].impulse;
                    sum = sum + (w.read(&before[by]) + w.read(&after[by]));
                }
            }
            w.write(&mut block.total[k], sum);
        }
    }
}
