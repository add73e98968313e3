//! Pins: hinges of loops without drives or limits; they hold two points together.
//!
//! In: blocks of that form with up-to-date Jacobians. Out: impulses, and velocities in the columns.
//! The derivation is in `solve.rs`.
//!
//! Most iterated joints are pins, so the data of a pass is kept apart, in a third of the size of a
//! block; K⁻¹ and the speed that closes the gap stay the same until the bodies move, and are
//! computed with the Jacobian. Their axes are x and y, as for all joints that hold a point: nothing
//! has to be rotated. The start of the step is read from their blocks; kept in the pin it was no
//! faster.

use super::tension::Strain;
use crate::simd::{LANES, Lane, Width};
use crate::solver::columns::{Column, ZERO};
use crate::solver::joints::block::JointBlock;
use crate::solver::joints::jacobian::{rotated, turn};
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{inverse, read, second_pivot, two, write};
use crate::solver::joints::two_bodies::{PairRows, scatter_both};
use crate::solver::params::JointParams;
use crate::threads::Shared;
use crate::tuning::{HANGING_SOFTNESS, JointTuning, OVER_RELAXATION};

/// Eight pins: ten cache lines. Nets of thousands exceed the second-level cache, and then a pass is
/// bound by memory bandwidth.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Pin {
    row_a: [u32; LANES],
    row_b: [u32; LANES],
    /// From A's centre of mass to B's anchor, and from B's.
    a: [Column; 2],
    b: [Column; 2],
    /// Inverse masses; those along x, if they differ along y.
    inv_mass_a: Column,
    inv_mass_b: Column,
    /// Inverse inertias as the joint sees them, extra inertia included.
    inv_inertia_a: Column,
    inv_inertia_b: Column,
    /// K⁻¹: xx, xy, yy.
    mass: [Column; 3],
    /// The speed that closes the gap, or the share of it that a sub-step closes.
    closing: [Column; 2],
    /// Impulses of the last sub-step, before the bodies moved and after.
    held: [[Column; 2]; 2],
    /// See [`Block::gives`].
    gives: [u8; 2],
    /// Lanes with a locked axis of a body, one bit per lane: if there are any, masses along y are
    /// read from the block.
    locks: u8,
    /// Lanes of parts without contacts and drives, see [`Loops::hangs`](super::energy::Loops): one
    /// bit per lane.
    pub(super) hangs: u8,
}

const _: () = assert!(size_of::<Pin>() == 640);

impl Pin {
    /// The pins of a block.
    pub(crate) fn new(block: &JointBlock) -> Pin {
        Pin {
            gives: [0; 2],
            locks: 0,
            hangs: 0,
            row_a: block.row_a,
            row_b: block.row_b,
            a: [ZERO; 2],
            b: [ZERO; 2],
            inv_mass_a: ZERO,
            inv_mass_b: ZERO,
            inv_inertia_a: ZERO,
            inv_inertia_b: ZERO,
            mass: [ZERO; 3],
            closing: [ZERO; 2],
            held: [[ZERO; 2]; 2],
        }
    }
}

/// Begins a step: masses, and the last impulses of the step before.
#[inline(always)]
pub(super) fn fill<W: Width>(w: W, pin: &mut Pin, block: &JointBlock) {
    debug_assert!(block.seat.goal[..2].iter().flatten().all(|&goal| goal == 0.0));
    pin.gives = block.dynamic;
    let (m_a, m_b) = (two(w, &block.start.inv_mass_a), two(w, &block.start.inv_mass_b));
    w.write(&mut pin.inv_mass_a, m_a[0]);
    w.write(&mut pin.inv_mass_b, m_b[0]);
    let (zero, even) = (w.splat(0.0), m_a[0].is_same(m_a[1]) & m_b[0].is_same(m_b[1]));
    pin.locks = pin.locks & !w.bits(zero.eq(zero)) | w.bits(!even);
    for (held, of_block) in pin.held.iter_mut().zip(&block.held) {
        write(w, held, [w.read(&of_block[0]), w.read(&of_block[1])]);
    }
}

/// Ends a step: stores impulses in the block.
#[inline(always)]
pub(super) fn finish<W: Width>(w: W, pin: &Pin, block: &mut JointBlock) {
    for (of_block, held) in block.held.iter_mut().zip(&pin.held) {
        for (of_block, held) in of_block.iter_mut().zip(held) {
            w.write(of_block, w.read(held));
        }
    }
}

/// Arms of A and B to their anchors, and the gap between these.
#[inline(always)]
fn arms<W: Width>(w: W, block: &JointBlock, (a, b): (&[W::L; 4], &[W::L; 4])) -> [[W::L; 2]; 3] {
    let r_a = rotated(w, &block.start.anchor_a, turn(w, a[2]));
    let r_b = rotated(w, &block.start.anchor_b, turn(w, b[2]));
    let way = two(w, &block.start.way);
    let d = [way[0] + (b[0] - a[0]) + r_b[0] - r_a[0], way[1] + (b[1] - a[1]) + r_b[1] - r_a[1]];
    [r_a, r_b, d]
}

/// Updates the Jacobian; returns the pull on the bodies, and whether any gap is open.
#[inline(always)]
pub(super) fn aim<W: Width>(
    w: W,
    (pin, block): (&mut Pin, &mut JointBlock),
    strain: &mut Strain,
    moved: &[[f32; 4]],
    params: &JointParams,
) {
    let (moved_a, moved_b) = (w.gather(moved, &pin.row_a), w.gather(moved, &pin.row_b));
    let [r_a, b, d] = arms(w, block, (&moved_a, &moved_b));
    let a = [r_a[0] + d[0], r_a[1] + d[1]];
    write(w, &mut pin.a, a);
    write(w, &mut pin.b, b);
    let (close, most) = (w.splat(params.rate * params.inv_h), w.splat(params.max_push));
    let mut closing = [d[0] * close, d[1] * close];
    let too_fast = (most * most).lt(squared(closing));
    if w.any(too_fast) {
        // Limits the speed, keeping its direction.
        let scale = W::L::select(too_fast, most / squared(closing).sqrt(), w.splat(1.0));
        closing = [closing[0] * scale, closing[1] * scale];
    }
    write(w, &mut pin.closing, closing);
    let (i_a, i_b) = (w.read(&block.start.inv_inertia_a), w.read(&block.start.inv_inertia_b));
    weigh_with(w, (pin, block), (a, b), (i_a, i_b));
    // (h² F r)², and the root only where that is large enough, as in `jacobian.rs`; with a margin,
    // as the exact comparison uses the root.
    let [before, after] = [two(w, &pin.held[0]), two(w, &pin.held[1])];
    let force = squared([before[0] + after[0], before[1] + after[1]]) * w.splat(params.h * params.h);
    let pulls = [force * squared(a), force * squared(b)];
    let taut = w.splat(0.9 * JointTuning::TAUT * JointTuning::TAUT);
    if w.any(taut.lt((pulls[0] * i_a * i_a).larger(pulls[1] * i_b * i_b))) {
        strain.is_taut = true;
        write(w, &mut strain.pulls, [pulls[0].sqrt(), pulls[1].sqrt()]);
    }
    if w.any(w.splat(params.tuning.open[0]).lt(d[0].abs().larger(d[1].abs()))) {
        strain.is_open = true;
    }
    w.write(&mut block.now.value[0], d[0]);
    w.write(&mut block.now.value[1], d[1]);
}

#[inline(always)]
fn squared<L: Lane>(v: [L; 2]) -> L {
    v[0] * v[0] + v[1] * v[1]
}

impl Pin {
    #[inline(always)]
    fn rows(&self) -> PairRows {
        PairRows { a: self.row_a, b: self.row_b, gives: self.gives }
    }

    /// Inverse masses of A and of B, per axis.
    #[inline(always)]
    fn inv_masses<W: Width>(&self, w: W, block: &JointBlock) -> [[W::L; 2]; 2] {
        let (a, b) = (w.read(&self.inv_mass_a), w.read(&self.inv_mass_b));
        if self.locks == 0 {
            [[a, a], [b, b]]
        } else {
            [[a, w.read(&block.start.inv_mass_a[1])], [b, w.read(&block.start.inv_mass_b[1])]]
        }
    }

    /// Whether any of its bodies has extra inertia.
    #[inline(always)]
    pub(super) fn is_stiff(&self, stiff: &[bool]) -> bool {
        let rows = self.row_a.iter().zip(&self.row_b);
        rows.fold(false, |any, (&a, &b)| any | stiff[a as usize] | stiff[b as usize])
    }
}

/// Recomputes the effective masses for bodies with extra inertia.
#[inline(always)]
pub(super) fn weigh<W: Width>(w: W, (pin, block): (&mut Pin, &JointBlock), masses: &[[f32; 4]]) {
    let inertias = (w.gather(masses, &pin.row_a)[2], w.gather(masses, &pin.row_b)[2]);
    let arms = (two(w, &pin.a), two(w, &pin.b));
    weigh_with(w, (pin, block), arms, inertias);
}

/// K⁻¹, by L D Lᵀ as in `small_matrix.rs`.
#[inline(always)]
fn weigh_with<W: Width>(
    w: W,
    (pin, block): (&mut Pin, &JointBlock),
    (a, b): ([W::L; 2], [W::L; 2]),
    (i_a, i_b): (W::L, W::L),
) {
    let [m_a, m_b] = pin.inv_masses(w, block);
    let k_xx = m_a[0] + m_b[0] + i_a * a[1] * a[1] + i_b * b[1] * b[1];
    let k_yy = m_a[1] + m_b[1] + i_a * a[0] * a[0] + i_b * b[0] * b[0];
    let k_xy = -(i_a * a[0] * a[1] + i_b * b[0] * b[1]);
    let d_0 = inverse(w, k_xx);
    let l = k_xy * d_0;
    let d_1 = second_pivot(w, k_yy, k_yy - l * k_xy);
    w.write(&mut pin.inv_inertia_a, i_a);
    w.write(&mut pin.inv_inertia_b, i_b);
    write(w, &mut pin.mass, [d_0 + l * (l * d_1), -(l * d_1), d_1]);
}

/// Warm start: adds the impulses of the same half of the sub-step before.
#[inline(always)]
pub(super) fn warm_start<W: Width>(
    w: W,
    (pin, block): (&Pin, &JointBlock),
    velocity: Shared<[f32; 4]>,
    half: Half,
) {
    let rows = pin.rows();
    let pair = (w.gather(&velocity, &rows.a), w.gather(&velocity, &rows.b));
    apply(w, (pin, block), (velocity, &rows), pair, two(w, &pin.held[half as usize]));
}

/// Solves the points once.
///
/// Before the bodies move it yields a little to its load (compliance), as contacts do: swings of a
/// net die away.
#[inline(always)]
pub(super) fn push<W: Width>(
    w: W,
    (pin, block): (&mut Pin, &JointBlock),
    velocity: Shared<[f32; 4]>,
    (half, params): (Half, &JointParams),
) {
    let rows = pin.rows();
    let (v_a, v_b) = (w.gather(&velocity, &rows.a), w.gather(&velocity, &rows.b));
    let (a, b) = (two(w, &pin.a), two(w, &pin.b));
    let mut x = (v_b[0] - v_a[0]) + (a[1] * v_a[2] - b[1] * v_b[2]);
    let mut y = (v_b[1] - v_a[1]) + (b[0] * v_b[2] - a[0] * v_a[2]);
    let [xx, xy, yy] = read(w, &pin.mass);
    let held = two(w, &pin.held[half as usize]);
    let impulse = if half == Half::Before {
        let closing = two(w, &pin.closing);
        (x, y) = (x + closing[0], y + closing[1]);
        let softness = of_hanging(w, pin, (params.softness, HANGING_SOFTNESS));
        let keep = w.splat(1.0) - softness;
        [-(keep * (xx * x + xy * y)) - softness * held[0], -(keep * (xy * x + yy * y)) - softness * held[1]]
    } else {
        let more = of_hanging(w, pin, (1.0, OVER_RELAXATION));
        [-(more * (xx * x + xy * y)), -(more * (xy * x + yy * y))]
    };
    write(w, &mut pin.held[half as usize], [held[0] + impulse[0], held[1] + impulse[1]]);
    apply(w, (pin, block), (velocity, &rows), (v_a, v_b), impulse);
}

/// Selects `hanging` for pins of parts without contacts and drives, else `others`.
#[inline(always)]
fn of_hanging<W: Width>(w: W, pin: &Pin, (others, hanging): (f32, f32)) -> W::L {
    match pin.hangs {
        0 => w.splat(others),
        u8::MAX => w.splat(hanging),
        hangs => {
            let of = |lane: usize| if hangs & (1 << lane) != 0 { hanging } else { others };
            w.read(&core::array::from_fn(of))
        }
    }
}

/// Applies an impulse to both bodies.
#[inline(always)]
fn apply<W: Width>(
    w: W,
    (pin, block): (&Pin, &JointBlock),
    (velocity, rows): (Shared<[f32; 4]>, &PairRows),
    (v_a, v_b): ([W::L; 4], [W::L; 4]),
    [x, y]: [W::L; 2],
) {
    let [m_a, m_b] = pin.inv_masses(w, block);
    let (i_a, i_b) = (w.read(&pin.inv_inertia_a), w.read(&pin.inv_inertia_b));
    let (a, b) = (two(w, &pin.a), two(w, &pin.b));
    let spin_a = v_a[2] + i_a * (a[1] * x - a[0] * y);
    let spin_b = v_b[2] + i_b * (b[0] * y - b[1] * x);
    let v_a = [v_a[0] - m_a[0] * x, v_a[1] - m_a[1] * y, spin_a, v_a[3]];
    let v_b = [v_b[0] + m_b[0] * x, v_b[1] + m_b[1] * y, spin_b, v_b[3]];
    scatter_both(w, velocity, rows, (v_a, v_b));
}

/// Adds this sub-step's impulses to the totals of the step.
#[inline(always)]
pub(super) fn count<W: Width>(w: W, pin: &Pin, block: &mut JointBlock) {
    for k in 0..2 {
        let sum = w.read(&block.total[k]) + (w.read(&pin.held[0][k]) + w.read(&pin.held[1][k]));
        w.write(&mut block.total[k], sum);
    }
}
