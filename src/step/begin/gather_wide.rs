//! Bodies into the solver's columns eight at a time: the fast twin of `gather.rs`.
//!
//! In: the awake bodies in their order. Out: the columns of the first sub-step. The bits are the
//! same as from `gather.rs`, operation by operation, which also explains the formulas. The scalar
//! code there takes every body that has a locked axis, is not dynamic, or is near the greatest
//! speed.

use super::gather::{Beginning, MOST_FORCE_DELTA, begin_one};
use crate::body::row_view::{Quarter, Quarters};
use crate::body::{FASTEST, flag};
use crate::math::min;
use crate::simd::{ALL_LANES, AllLanes, LANES, LANES_IN_ORDER, Lane, Vectors, Width, bits};

/// Fills the rows of some bodies, as `begin_one` does; bodies with locked axes, and bodies that are
/// not dynamic, go through `begin_one`.
#[inline(always)]
pub(super) fn fill<S: Vectors>(
    w: AllLanes<S>,
    bodies: &Quarters,
    awake: &[u32],
    [velocity, free, moved, push, mass]: [&mut [[f32; 4]]; 5],
    beginning: &Beginning,
) {
    free.fill([0.0; 4]);
    moved.fill([0.0; 4]);
    let (eights, rest) = awake.as_chunks::<LANES>();
    let columns = velocity.chunks_mut(LANES).zip(push.chunks_mut(LANES)).zip(mass.chunks_mut(LANES));
    let one = |slot: u32| {
        let mut body = bodies.body(slot);
        let rows = begin_one(&mut body, beginning);
        bodies.set_body(slot, body);
        rows
    };
    for (at, ((velocity, push), mass)) in eights.iter().zip(columns) {
        let (rows, fine) = begun(w, bodies, at, beginning);
        w.scatter(velocity, &LANES_IN_ORDER, rows[0]);
        w.scatter(push, &LANES_IN_ORDER, rows[1]);
        w.scatter(mass, &LANES_IN_ORDER, rows[2]);
        let odd = ALL_LANES & !bits(fine);
        for k in (0..LANES).filter(|k| odd >> k & 1 == 1) {
            (velocity[k], push[k], mass[k]) = one(at[k]);
        }
    }
    for (k, &slot) in (awake.len() - rest.len()..).zip(rest) {
        (velocity[k], push[k], mass[k]) = one(slot);
    }
}

/// Velocity, push and mass of bodies, and the lanes without uncommon cases.
#[inline(always)]
fn begun<W: Width>(
    w: W,
    bodies: &Quarters,
    at: &[u32; LANES],
    beginning: &Beginning,
) -> ([[W::L; 4]; 3], <W::L as Lane>::Mask) {
    let [v_x, v_y, spin, _] = w.gather(&bodies.all(Quarter::Motion), at);
    let [m_x, m_y, i, scale] = w.gather(&bodies.all(Quarter::Mass), at);
    let [force_x, force_y, torque, damping] = w.gather(&bodies.all(Quarter::Force), at);
    let [angular_damping, flags, ..] = w.gather(&bodies.all(Quarter::State), at);
    let (zero, one, h, most) = (w.splat(0.0), w.splat(1.0), w.splat(beginning.h), w.splat(MOST_FORCE_DELTA));
    let (g_x, g_y) = (w.splat(beginning.gravity.x), w.splat(beginning.gravity.y));
    let feels_x = W::L::select(zero.lt(m_x), g_x * scale, zero);
    let feels_y = W::L::select(zero.lt(m_y), g_y * scale, zero);
    let push_x = (h * (feels_x + m_x * force_x)).smaller(most).larger(-most);
    let push_y = (h * (feels_y + m_y * force_y)).smaller(most).larger(-most);
    let push_spin = (h * i * torque).smaller(most).larger(-most);
    let slow = v_x.abs().larger(v_y.abs()).lt(w.splat(min(beginning.max_speed, FASTEST) * 0.5))
        & spin.abs().le(w.splat(beginning.max_spin));
    let plain = flags.has(flag::DYNAMIC) & !flags.has(flag::LOCK_X | flag::LOCK_Y | flag::LOCK_ROTATION);
    let rows = [
        [v_x, v_y, spin, zero],
        [push_x, push_y, push_spin, one / (one + h * angular_damping)],
        [m_x, m_y, i, one / (one + h * damping)],
    ];
    (rows, slow & plain)
}
