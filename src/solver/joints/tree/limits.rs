//! Limits that are solved with what a tree holds: which of them, and how fast they go.
//!
//! In: the motion that a trial found, limits in the drives. Out: the side on which each limit holds.

use super::pass::hold_of;
use super::{Joint, Tree};
use crate::simd::{Lane, Width};
use crate::solver::joints::block::{Block, Drives, Form, LIMITS};
use crate::solver::joints::push::Law;

/// The speed that a number at a limit is to have before bodies move: one that brings it to the limit. Then none.
#[inline(always)]
pub(super) fn wanted_at_limit<W: Width>(w: W, joint: Joint, number: usize, law: &Law) -> W::L {
    let zero = w.splat(0.0);
    let Some(drives) = joint.drives else { return zero };
    let driven = &drives[number];
    let side = w.read(&driven.at_limit);
    let limit = W::L::select(zero.lt(side), w.read(&driven.lower), w.read(&driven.upper));
    let most = w.splat(law.max_push);
    let back = (limit - w.read(&joint.block.now.value[number])) * w.splat(law.inv_h);
    W::L::select(side.eq(zero), zero, back.smaller(most).larger(-most))
}

/// Which limits hold: those that push, and those that would be passed. Answers whether they are others than before.
#[inline(always)]
pub(super) fn find_limits<W: Width>(
    w: W,
    tree: &Tree,
    (blocks, drives): (&[Block], &mut [Drives]),
    velocity: &[[f32; 4]],
    law: &Law,
) -> bool {
    let (zero, one, inv_h) = (w.splat(0.0), w.splat(1.0), w.splat(law.inv_h));
    let mut others = zero;
    for edge in tree.edges.iter().filter(|_| tree.limited) {
        let block = &blocks[edge.block as usize];
        let Some(drives) = drives.get_mut(block.drives as usize) else { continue };
        let speeds = hold_of(w, edge, &tree.nodes, velocity).speeds();
        for number in (0..3).filter(|&number| edge.form.drives(number, LIMITS)) {
            let driven = &mut drives[number];
            let (value, speed) = (w.read(&block.now.value[number]), edge.seen(speeds[number]));
            let below = speed.lt((w.read(&driven.lower) - value) * inv_h);
            let above = ((w.read(&driven.upper) - value) * inv_h).lt(speed);
            let fresh = W::L::select(below, one, W::L::select(above, -one, zero));
            let side = w.read(&driven.at_limit);
            let pushes = zero.lt(side * edge.seen(w.read(&edge.sum[number])));
            let kept = W::L::select(pushes, side, zero);
            let found = W::L::select(side.eq(zero), fresh, kept);
            others = W::L::select(found.eq(side), others, one);
            w.write(&mut driven.at_limit, found);
        }
    }
    w.any(zero.lt(others))
}

/// The limits that still push go on doing so: what the half after starts from.
#[inline(always)]
pub(crate) fn keep_limits<W: Width>(w: W, form: Form, drives: &mut Drives) {
    let zero = w.splat(0.0);
    for (_, driven) in drives.iter_mut().enumerate().filter(|(number, _)| form.drives(*number, LIMITS)) {
        let impulse = w.read(&driven.impulse[0][LIMITS]);
        let side =
            W::L::select(zero.lt(impulse), w.splat(1.0), W::L::select(impulse.lt(zero), w.splat(-1.0), zero));
        w.write(&mut driven.at_limit, side);
    }
}
