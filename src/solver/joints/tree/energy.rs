//! What the joints of a tree do to its energy: nothing.
//!
//! In: the motion of a tree before its joints pushed and after. Out: a motion with no more energy.

use super::{Kind, Tree, by_axes};
use crate::body::NONE;
use crate::simd::{Lane, Width, inlined};
use crate::solver::joints::hold::{Axes, Turned, Upright};
use crate::solver::joints::matrix::{inverse, read, two, write};
use crate::solver::joints::push::Half;

/// Kinetic energy, momentum and mass of a tree, as its ground sees them.
pub(super) struct Motion<L> {
    /// Velocity of the point that the tree hangs on.
    pub(super) ground: [L; 2],
    energy: L,
    momentum: [L; 2],
    mass: [L; 2],
}

#[inline(always)]
pub(super) fn motion<W: Width>(w: W, tree: &Tree, ground: [W::L; 2]) -> Motion<W::L> {
    let (zero, half) = (w.splat(0.0), w.splat(0.5));
    let mut motion = Motion { ground, energy: zero, momentum: [zero; 2], mass: [zero; 2] };
    for node in &tree.nodes {
        let ([x, y, spin], m) = (read(w, &node.velocity), read(w, &node.mass));
        let v = [x - ground[0], y - ground[1], spin];
        let twice = v[0] * v[0] * m[0] + v[1] * v[1] * m[1] + v[2] * v[2] * m[2];
        motion.energy = motion.energy + half * twice;
        for k in 0..2 {
            motion.momentum[k] = motion.momentum[k] + m[k] * v[k];
            motion.mass[k] = motion.mass[k] + m[k];
        }
    }
    motion
}

/// The velocity of the point that a tree hangs on; nothing for one that hangs on nothing.
#[inline(always)]
pub(super) fn ground_of<W: Width>(w: W, tree: &Tree, velocity: &[[f32; 4]]) -> [W::L; 2] {
    let Some(edge) = tree.edges.last().filter(|edge| edge.parent == NONE) else {
        return [w.splat(0.0); 2];
    };
    let [x, y, spin, _] = w.gather(velocity, &edge.ground);
    let r = by_axes!(w, edge, axes => axes.unseen(two(w, &edge.of_parent)));
    [x - spin * r[1], y + spin * r[0]]
}

/// Joints do no work. Where they did all the same, because a chain snapped tight or was jammed, the bodies are slowed down: all
/// by the same share, seen from what the tree hangs on, or from their common centre where it hangs on nothing.
#[inline(always)]
pub(super) fn keep_energy<W: Width>(w: W, tree: &mut Tree, before: Motion<W::L>, half: Half) {
    let after = motion(w, tree, before.ground);
    let gain = w.read(&tree.gain) + (after.energy - before.energy);
    w.write(&mut tree.gain, gain);
    if half == Half::Before {
        return;
    }
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let free = if tree.edges.last().is_some_and(|edge| edge.parent == NONE) { zero } else { one };
    let mut common = [zero; 2];
    let mut inner = after.energy;
    for ((common, momentum), mass) in common.iter_mut().zip(after.momentum).zip(after.mass) {
        *common = free * momentum * inverse(w, mass);
        inner = inner - w.splat(0.5) * *common * momentum;
    }
    let allowed = (inner * w.splat(MOST_GAIN)).larger(zero);
    let excess = (gain - allowed).larger(zero);
    if !w.any(zero.lt(excess)) {
        return;
    }
    let left = (inner - excess).larger(zero) * inverse(w, inner);
    let scale = W::L::select(zero.lt(excess), left.sqrt(), one);
    for node in &mut tree.nodes {
        let [x, y, spin] = read(w, &node.velocity);
        // Lanes that kept their energy keep their bits.
        let slow = inlined(
            #[inline(always)]
            |v: W::L, common: W::L| W::L::select(zero.lt(excess), common + (v - common) * scale, v),
        );
        let common = [common[0] + after.ground[0], common[1] + after.ground[1]];
        let slowed = [slow(x, common[0]), slow(y, common[1]), slow(spin, zero)];
        write(w, &mut node.velocity, slowed);
    }
    w.write(&mut tree.gain, gain.smaller(allowed));
}

/// Share of its energy that the joints of a tree may seem to have given it in a step: what the order of the sub-steps leaves open.
const MOST_GAIN: f32 = 1.0e-3;
