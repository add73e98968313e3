//! Pins: hinges of loops that nothing drives, which hold two points together and nothing else.
//!
//! In: blocks of that form, aimed at this moment. Out: impulses, and velocities in the columns. The
//! derivation stands in `solve.rs`.
//!
//! They are most of what is iterated, so what a push reads of them stands by itself, in a third of
//! the room of a block; what stays the same until the bodies move, K⁻¹ and the speed that closes
//! the gap, is worked out as they are aimed. Their numbers are x and y, as those of all that hold a
//! point are: nothing has to be turned. Where they stand as a step begins is read from their
//! blocks; beside the rest of a pin it was no quicker.

use super::energy::OPEN;
use super::tension::Strain;
use crate::simd::{LANES, Lane, Width};
use crate::solver::columns::Column;
use crate::solver::joints::block::JointBlock;
use crate::solver::joints::jacobian::{TAUT, rotated, turn};
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{inverse, read, second_pivot, two, write};
use crate::solver::joints::two_bodies::{PairRows, scatter_both};
use crate::solver::params::JointParams;
use crate::threads::Shared;
use crate::tuning::{HANGING_SOFTNESS, OVER_RELAXATION};

/// Eight pins: ten lines of the cache. Nets of thousands are more than its second level holds, and
/// then a pass takes as long as its bytes take to come.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Pin {
    row_a: [u32; LANES],
    row_b: [u32; LANES],
    /// From A's centre of mass to B's anchor, and from B's.
    a: [Column; 2],
    b: [Column; 2],
    /// One over the masses, along x where they are others along y.
    inv_mass_a: Column,
    inv_mass_b: Column,
    /// One over the inertias that the joint meets.
    inv_inertia_a: Column,
    inv_inertia_b: Column,
    /// K⁻¹: xx, xy, yy.
    mass: [Column; 3],
    /// The speed that is to close the gap, as far as that is done in a sub-step.
    closing: [Column; 2],
    /// Impulses of the last sub-step, before the bodies moved and after.
    held: [[Column; 2]; 2],
    /// See [`Block::gives`].
    gives: [u8; 2],
    /// Where an axis of a body is locked, a bit a lane: if anywhere, the block tells masses along
    /// y.
    locks: u8,
    /// Which hang by themselves, see [`Loops::hangs`](super::energy::Loops): a bit a lane.
    pub(super) hangs: u8,
}

const _: () = assert!(size_of::<Pin>() == 640);

const ZERO: Column = [0.0; LANES];

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

/// As a step begins: masses, and the impulses that the last one ended with.
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

/// As a step ends: what others read.
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

/// Where the pins stand now; and what they pull at their bodies, and whether any gap is open.
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
        // As fast as may be, and straight.
        let scale = W::L::select(too_fast, most / squared(closing).sqrt(), w.splat(1.0));
        closing = [closing[0] * scale, closing[1] * scale];
    }
    write(w, &mut pin.closing, closing);
    let (i_a, i_b) = (w.read(&block.start.inv_inertia_a), w.read(&block.start.inv_inertia_b));
    weigh_with(w, (pin, block), (a, b), (i_a, i_b));
    // (h² F r)², and only where that is enough the root, as in `jacobian.rs`; with some room, for
    // what is taut is told by the root.
    let [before, after] = [two(w, &pin.held[0]), two(w, &pin.held[1])];
    let force = squared([before[0] + after[0], before[1] + after[1]]) * w.splat(params.h * params.h);
    let pulls = [force * squared(a), force * squared(b)];
    let taut = w.splat(0.9 * TAUT * TAUT);
    if w.any(taut.lt((pulls[0] * i_a * i_a).larger(pulls[1] * i_b * i_b))) {
        strain.is_taut = true;
        write(w, &mut strain.pulls, [pulls[0].sqrt(), pulls[1].sqrt()]);
    }
    if w.any(w.splat(OPEN * params.unit).lt(d[0].abs().larger(d[1].abs()))) {
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
    fn seats(&self) -> PairRows {
        PairRows { a: self.row_a, b: self.row_b, gives: self.gives }
    }

    /// One over the masses of A and of B, an axis each.
    #[inline(always)]
    fn inv_masses<W: Width>(&self, w: W, block: &JointBlock) -> [[W::L; 2]; 2] {
        let (a, b) = (w.read(&self.inv_mass_a), w.read(&self.inv_mass_b));
        if self.locks == 0 {
            [[a, a], [b, b]]
        } else {
            [[a, w.read(&block.start.inv_mass_a[1])], [b, w.read(&block.start.inv_mass_b[1])]]
        }
    }

    /// Whether any of its bodies weighs more than it is.
    #[inline(always)]
    pub(super) fn is_stiff(&self, stiff: &[bool]) -> bool {
        let rows = self.row_a.iter().zip(&self.row_b);
        rows.fold(false, |any, (&a, &b)| any | stiff[a as usize] | stiff[b as usize])
    }
}

/// For inertias that are others than those of the bodies.
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

/// Adds the impulses that the same half of the sub-step before ended with.
#[inline(always)]
pub(super) fn warm_start<W: Width>(
    w: W,
    (pin, block): (&Pin, &JointBlock),
    velocity: Shared<[f32; 4]>,
    half: Half,
) {
    let seats = pin.seats();
    let pair = (w.gather(&velocity, &seats.a), w.gather(&velocity, &seats.b));
    apply(w, (pin, block), (velocity, &seats), pair, two(w, &pin.held[half as usize]));
}

/// One push at the points.
///
/// Before the bodies move it yields a little to what it bears, as contacts do: what a net has wound
/// itself up to runs down again.
#[inline(always)]
pub(super) fn push<W: Width>(
    w: W,
    (pin, block): (&mut Pin, &JointBlock),
    velocity: Shared<[f32; 4]>,
    (half, params): (Half, &JointParams),
) {
    let seats = pin.seats();
    let (v_a, v_b) = (w.gather(&velocity, &seats.a), w.gather(&velocity, &seats.b));
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
    apply(w, (pin, block), (velocity, &seats), (v_a, v_b), impulse);
}

/// One number of pins that hang by themselves, and another one of all others.
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

/// What an impulse does to both bodies.
#[inline(always)]
fn apply<W: Width>(
    w: W,
    (pin, block): (&Pin, &JointBlock),
    (velocity, seats): (Shared<[f32; 4]>, &PairRows),
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
    scatter_both(w, velocity, seats, (v_a, v_b));
}

/// Adds up what the pins did in this sub-step.
#[inline(always)]
pub(super) fn count<W: Width>(w: W, pin: &Pin, block: &mut JointBlock) {
    for k in 0..2 {
        let sum = w.read(&block.total[k]) + (w.read(&pin.held[0][k]) + w.read(&pin.held[1][k]));
        w.write(&mut block.total[k], sum);
    }
}
