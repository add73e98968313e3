//! Jacobians and effective masses of joints, at the start of a step and after their bodies have
//! moved.
//!
//! In: blocks, the poses of the bodies, and their displacements. Out: axes, arms, values and
//! effective masses at the present poses. Done at the start of a step and each time the bodies have
//! moved, so that constraints turn with the bodies: a pendulum keeps its energy only because of
//! that.
//!
//! A taut chain is a string: across its pull F it swings at ω² = Σ F r / I, r the arms of a link's
//! joints and I its inertia. Impulses along the present axes follow such a swing only for ω h < 2.
//! A link that would swing faster is given enough extra inertia for ω h = 1, for joint impulses
//!   alone (geometric stiffness; Andrews, Teichmann and Kry, Geometric Stiffness for Real-time
//!   Constrained Multibody Dynamics, 2017, add it as a stiffness). The sum goes over all joints of
//!   a body, and all use the same inertia: with a different inertia per joint, impulses that
//!   respond to each other gain energy.

use super::block::JointBlock;
use super::small_matrix::{two, write};
use super::two_bodies::{Axes, Turned, Upright};
use crate::simd::{LANES, Lane, Table, Width};
use crate::solver::columns::Column;
use crate::tuning::JointTuning;

/// Fills `block.start` from the poses of the bodies: `[x, y, cos, sin]`, from the centres of their
/// regions.
#[inline(always)]
pub(crate) fn seat<W: Width>(w: W, block: &mut JointBlock, pose: &[[f32; 4]], mass: &[[f32; 4]]) {
    w.apart(
        #[inline(always)]
        || {
            let a = w.gather(pose, &block.seat.pose_a);
            let b = w.gather(pose, &block.seat.pose_b);
            let mass_a = w.gather(mass, &block.row_a);
            let mass_b = w.gather(mass, &block.row_b);
            let anchor_a = rotated(w, &block.seat.anchor_a, (a[3], a[2]));
            let anchor_b = rotated(w, &block.seat.anchor_b, (b[3], b[2]));
            let axis = rotated(w, &block.seat.axis, (a[3], a[2]));
            let upright = block.form.upright();
            let start = &mut block.start;
            for k in 0..2 {
                w.write(&mut start.anchor_a[k], anchor_a[k]);
                w.write(&mut start.anchor_b[k], anchor_b[k]);
                if !upright {
                    w.write(&mut start.axis[k], axis[k]);
                }
                w.write(&mut start.way[k], w.read(&block.seat.regions[k]) + (b[k] - a[k]));
                w.write(&mut start.inv_mass_a[k], mass_a[k]);
                w.write(&mut start.inv_mass_b[k], mass_b[k]);
            }
            w.write(&mut start.inv_inertia_a, mass_a[2]);
            w.write(&mut start.inv_inertia_b, mass_b[2]);
            let (zero, lanes) = (w.splat(0.0), w.bits(w.splat(0.0).eq(w.splat(0.0))));
            for (gives, [x, y, spin, _]) in block.dynamic.iter_mut().zip([mass_a, mass_b]) {
                *gives = *gives & !lanes | w.bits(zero.lt(x) | zero.lt(y) | zero.lt(spin));
            }
            block.total.iter_mut().for_each(
                #[inline(always)]
                |total| w.write(total, w.splat(0.0)),
            );
        },
    );
}

/// Displacement of a body: x, y and angle; sine and cosine of the angle.
pub(super) type Way<L> = [L; 5];

#[inline(always)]
pub(super) fn way<W: Width>(w: W, moved: &(impl Table + ?Sized), rows: &[u32; LANES]) -> Way<W::L> {
    let [x, y, angle, _] = w.gather(moved, rows);
    let (sin, cos) = turn(w, angle);
    [x, y, angle, sin, cos]
}

/// Fills `block.now` from the displacements of the bodies.
#[inline(always)]
pub(crate) fn aim<W: Width>(w: W, block: &mut JointBlock, moved: &[[f32; 4]], no_line: f32) {
    let ways = (way(w, moved, &block.row_a), way(w, moved, &block.row_b));
    aim_after(w, block, ways, no_line);
}

/// Fills `block.now`, given the displacements of both bodies.
#[inline(always)]
pub(super) fn aim_after<W: Width>(
    w: W,
    block: &mut JointBlock,
    (a, b): (Way<W::L>, Way<W::L>),
    no_line: f32,
) {
    let (turn_a, turn_b) = ((a[3], a[4]), (b[3], b[4]));
    let anchor_a = rotated(w, &block.start.anchor_a, turn_a);
    let r_b = rotated(w, &block.start.anchor_b, turn_b);
    // d = x_b + r_b - x_a - r_a
    let d = [
        w.read(&block.start.way[0]) + (b[0] - a[0]) + r_b[0] - anchor_a[0],
        w.read(&block.start.way[1]) + (b[1] - a[1]) + r_b[1] - anchor_a[1],
    ];
    let angle = w.read(&block.start.angle) + (b[2] - a[2]);
    w.write(&mut block.now.value[2], angle);
    let arm_a = [anchor_a[0] + d[0], anchor_a[1] + d[1]];
    if block.form.upright() {
        return aim_along(w, block, Upright, [arm_a, r_b, d]);
    }
    let mut n = rotated(w, &block.start.axis, turn_a);
    if block.form.line() {
        let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
        let has_line = w.splat(no_line).lt(length);
        let scale = w.splat(1.0) / W::L::select(has_line, length, w.splat(1.0));
        for k in 0..2 {
            n[k] = W::L::select(has_line, d[k] * scale, n[k]);
        }
    }
    write(w, &mut block.now.axis, n);
    aim_along(w, block, Turned(n), [arm_a, r_b, d]);
}

/// Both arms and the gap in the joint's axes, and its effective masses.
#[inline(always)]
fn aim_along<W: Width>(
    w: W,
    block: &mut JointBlock,
    axes: impl Axes<W::L>,
    [arm_a, arm_b, gap]: [[W::L; 2]; 3],
) {
    let (a, b, [along, across]) = (axes.seen(arm_a), axes.seen(arm_b), axes.seen(gap));
    write(w, &mut block.now.a, a);
    write(w, &mut block.now.b, b);
    w.write(&mut block.now.value[0], along);
    w.write(&mut block.now.value[1], across);
    let inertias = (w.read(&block.start.inv_inertia_a), w.read(&block.start.inv_inertia_b));
    weigh_along(w, block, axes, (a, b), inertias);
}

/// h² F, from the impulses along and across in the last sub-step.
#[inline(always)]
pub(super) fn force<W: Width>(w: W, [before, after]: [[&Column; 2]; 2], h: f32) -> W::L {
    let (along, across) = (w.read(before[0]) + w.read(after[0]), w.read(before[1]) + w.read(after[1]));
    length([along, across]) * w.splat(h)
}

/// r: the arm lengths of both bodies.
#[inline(always)]
pub(super) fn arms<W: Width>(w: W, block: &JointBlock) -> [W::L; 2] {
    [length(two(w, &block.now.a)), length(two(w, &block.now.b))]
}

#[inline(always)]
pub(super) fn length<L: Lane>([x, y]: [L; 2]) -> L {
    (x * x + y * y).sqrt()
}

/// Computes the pull of the joints on their bodies; `false` if all are below [`JointTuning::TAUT`].
#[inline(always)]
pub(super) fn note_pull<W: Width>(w: W, block: &JointBlock, h: f32, pulls: &mut [Column; 2]) -> bool {
    let [before, after] = &block.held;
    let held = [before, after].map(
        #[inline(always)]
        |held| [&held[0], &held[1]],
    );
    let (force, arms) = (force(w, held, h), arms(w, block));
    let [of_a, of_b] = [force * arms[0], force * arms[1]];
    w.write(&mut pulls[0], of_a);
    w.write(&mut pulls[1], of_b);
    let (i_a, i_b) = (w.read(&block.start.inv_inertia_a), w.read(&block.start.inv_inertia_b));
    w.any(w.splat(JointTuning::TAUT).lt((of_a * i_a).larger(of_b * i_b)))
}

/// Whether the gap of any joint is wider than `open`: see [`JointTuning::open`].
#[inline(always)]
pub(super) fn is_open<W: Width>(w: W, block: &JointBlock, open: &[f32; 3]) -> bool {
    let (mut most, mut turn) = (w.splat(0.0), w.splat(0.0));
    for number in 0..3 {
        if block.form.holds(number) {
            let off = (w.read(&block.now.value[number]) - w.read(&block.seat.goal[number])).abs();
            (most, turn) = if number == 2 { (most, off) } else { (most.larger(off), turn) };
        }
    }
    w.any(w.splat(open[0]).lt(most) | w.splat(open[2]).lt(turn))
}

/// Recomputes the effective masses of `block.now` for bodies with extra inertia.
#[inline(always)]
pub(super) fn weigh<W: Width>(w: W, block: &mut JointBlock, masses: &(impl Table + ?Sized)) {
    w.apart(
        #[inline(always)]
        || {
            let i_a = w.gather(masses, &block.row_a)[2];
            let i_b = w.gather(masses, &block.row_b)[2];
            let arms = (two(w, &block.now.a), two(w, &block.now.b));
            if block.form.upright() {
                weigh_along(w, block, Upright, arms, (i_a, i_b));
            } else {
                weigh_along(w, block, Turned(two(w, &block.now.axis)), arms, (i_a, i_b));
            }
        },
    );
}

/// K = J M⁻¹ Jᵀ of the three axes. The inverse masses of a body may differ by axis, where one is
/// locked.
#[inline(always)]
pub(super) fn weigh_along<W: Width>(
    w: W,
    block: &mut JointBlock,
    axes: impl Axes<W::L>,
    (a, b): ([W::L; 2], [W::L; 2]),
    (i_a, i_b): (W::L, W::L),
) {
    let (m_a, m_b) = (two(w, &block.start.inv_mass_a), two(w, &block.start.inv_mass_b));
    let (masses, between) = axes.masses([m_a[0] + m_b[0], m_a[1] + m_b[1]]);
    let along = masses[0] + i_a * a[1] * a[1] + i_b * b[1] * b[1];
    let across = masses[1] + i_a * a[0] * a[0] + i_b * b[0] * b[0];
    let arms = i_a * a[0] * a[1] + i_b * b[0] * b[1];
    let cross = between.map_or(
        -arms,
        #[inline(always)]
        |between| between - arms,
    );
    w.write(&mut block.now.inv_inertia_a, i_a);
    w.write(&mut block.now.inv_inertia_b, i_b);
    write(w, &mut block.now.k, [along, across, i_a + i_b]);
    let with_angle = [-(i_a * a[1] + i_b * b[1]), i_a * a[0] + i_b * b[0]];
    write(w, &mut block.now.k_cross, [cross, with_angle[0], with_angle[1]]);
}

/// A vector turned by (sine, cosine).
#[inline(always)]
pub(super) fn rotated<W: Width>(w: W, v: &[Column; 2], (sin, cos): (W::L, W::L)) -> [W::L; 2] {
    let (x, y) = (w.read(&v[0]), w.read(&v[1]));
    [cos * x - sin * y, sin * x + cos * y]
}

/// Sine and cosine of an angle, to 4e-7: a series for a quarter of it, doubled twice.
///
/// [`crate::math::sin_cos`] is exact to the last bit and takes ten times as long; here the angle is
/// that of one step, and the next step starts from the exact rotation again.
#[inline(always)]
pub(crate) fn turn<W: Width>(w: W, angle: W::L) -> (W::L, W::L) {
    let one = w.splat(1.0);
    // Subtracts whole turns: adding 1.5 × 2^23 rounds a float to a whole number.
    let whole = w.splat(12_582_912.0);
    let turns = (angle * w.splat(1.0 / core::f32::consts::TAU) + whole) - whole;
    let reduced = (angle - turns * w.splat(6.281_25)) - turns * w.splat(0.001_935_307_2);
    let x = reduced * w.splat(0.25);
    let u = x * x;
    let sin_series =
        one - u * w.splat(1.0 / 20.0) * (one - u * w.splat(1.0 / 42.0) * (one - u * w.splat(1.0 / 72.0)));
    let sin = x * (one - u * w.splat(1.0 / 6.0) * sin_series);
    let cos_series =
        one - u * w.splat(1.0 / 12.0) * (one - u * w.splat(1.0 / 30.0) * (one - u * w.splat(1.0 / 56.0)));
    // Kept as 1 - cos, which is small: doubling then loses nothing.
    let versine = u * w.splat(0.5) * cos_series;
    let (sin, versine) = doubled(w, (sin, versine));
    let (sin, versine) = doubled(w, (sin, versine));
    (sin, one - versine)
}

/// Sine and 1 - cosine of twice the angle.
#[inline(always)]
fn doubled<W: Width>(w: W, (sin, versine): (W::L, W::L)) -> (W::L, W::L) {
    let two = w.splat(2.0);
    (two * sin * (w.splat(1.0) - versine), two * sin * sin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::OneLane;

    #[test]
    fn the_quick_sine_is_right_to_4e_7() {
        let mut worst = 0.0_f32;
        for k in -200_000..200_000 {
            let angle = k as f32 * 1.0e-4;
            let (sin, cos) = turn(OneLane(0), angle);
            let (true_sin, true_cos) = crate::math::sin_cos(angle);
            let error = crate::math::max((sin - true_sin).abs(), (cos - true_cos).abs());
            worst = crate::math::max(worst, error);
        }
        // Up to three turns, rounding of the reduction included.
        assert!(worst < 2.0e-6, "{worst}");
        let (sin, cos) = turn(OneLane(0), 1.0);
        assert!((sin - 0.841_471).abs() < 4.0e-7 && (cos - 0.540_302_3).abs() < 4.0e-7);
    }
}
