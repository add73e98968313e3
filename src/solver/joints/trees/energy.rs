//! Energy clamp of trees: joints do no work.
//!
//! In: velocities of a tree before and after its joints are solved. Out: velocities with no more
//! energy.
//!
//! Without it these fail: `far_apart_and_brought_together` in `tests/physics/joints/rough.rs`,
//! `passive_joints_add_no_energy` in `tests/physics/joint_audit.rs`.

use super::kinds::{EdgeKind, by_axes};
use super::tree::Tree;
use crate::ablate::Rule;
use crate::body::NONE;
use crate::simd::{Lane, Width, inlined};
use crate::solver::columns::SharedColumns;
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{inverse, read, two, write};
use crate::solver::joints::two_bodies::{Axes, Turned, Upright};
use crate::tuning::JointTuning;

/// Kinetic energy of a tree, relative to a point that moves at `ground`.
#[inline(always)]
pub(super) fn energy<W: Width>(w: W, tree: &Tree, ground: [W::L; 2]) -> W::L {
    let (mut energy, half) = (w.splat(0.0), w.splat(0.5));
    for node in &tree.nodes {
        let ([x, y, spin], m) = (read(w, &node.velocity), read(w, &node.mass));
        let v = [x - ground[0], y - ground[1], spin];
        let twice = v[0] * v[0] * m[0] + v[1] * v[1] * m[1] + v[2] * v[2] * m[2];
        energy = energy + half * twice;
    }
    energy
}

/// Kinetic energy of a tree, less its kinetic energy with the extra inertia of its bodies. A change
/// of it by drives counts as gained: a body with extra inertia that stretches a spring gives the
/// spring more energy than it loses itself.
#[inline(always)]
pub(super) fn lent<W: Width>(w: W, tree: &Tree) -> W::L {
    let (mut lent, half) = (w.splat(0.0), w.splat(0.5));
    for node in &tree.nodes {
        let (spin, own) = (w.read(&node.velocity[2]), w.read(&node.mass[2]));
        let extra = inverse(w, w.read(&node.inv_inertia)) - own;
        lent = lent - half * extra * spin * spin;
    }
    lent
}

/// Momentum and mass of a tree along x and y, relative to `ground`.
#[inline(always)]
fn momentum<W: Width>(w: W, tree: &Tree, ground: [W::L; 2]) -> ([W::L; 2], [W::L; 2]) {
    let (mut momentum, mut mass) = ([w.splat(0.0); 2], [w.splat(0.0); 2]);
    for node in &tree.nodes {
        let ([x, y, _], m) = (read(w, &node.velocity), read(w, &node.mass));
        for (k, v) in [x - ground[0], y - ground[1]].into_iter().enumerate() {
            momentum[k] = momentum[k] + m[k] * v;
            mass[k] = mass[k] + m[k];
        }
    }
    (momentum, mass)
}

/// The velocity of the point that a tree hangs on; 0 without a ground.
#[inline(always)]
pub(super) fn ground_of<W: Width>(w: W, tree: &Tree, columns: &SharedColumns) -> [W::L; 2] {
    let Some(edge) = tree.edges.last().filter(|edge| edge.parent == NONE) else {
        return [w.splat(0.0); 2];
    };
    let [x, y, spin, _] = w.gather(&columns.velocity, &edge.ground);
    let r = by_axes!(w, edge, axes => axes.unseen(two(w, &edge.of_parent)));
    [x - spin * r[1], y + spin * r[0]]
}

/// Joints do no work. If they did, because a chain snapped taut or was jammed, the bodies are
/// slowed down, all by the same share, relative to the ground of the tree, or to their common
/// centre where it has none.
#[inline(always)]
pub(super) fn keep_energy<W: Width>(w: W, tree: &mut Tree, (ground, before): ([W::L; 2], W::L), half: Half) {
    let after = energy(w, tree, ground);
    let gain = w.read(&tree.gain) + (after - before);
    w.write(&mut tree.gain, gain);
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    if half == Half::Before || !w.any(zero.lt(gain)) {
        return;
    }
    let free = if tree.edges.last().is_some_and(|edge| edge.parent == NONE) { zero } else { one };
    let mut common = [zero; 2];
    let mut inner = after;
    let (momentum, mass) = momentum(w, tree, ground);
    for ((common, momentum), mass) in common.iter_mut().zip(momentum).zip(mass) {
        *common = free * momentum * inverse(w, mass);
        inner = inner - w.splat(0.5) * *common * momentum;
    }
    let allowed = (inner * w.splat(JointTuning::MOST_GAIN as f32)).larger(zero);
    let excess = (gain - allowed).larger(zero);
    if !Rule::TreeEnergy.acts(w.any(zero.lt(excess))) {
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
        let common = [common[0] + ground[0], common[1] + ground[1]];
        let slowed = [slow(x, common[0]), slow(y, common[1]), slow(spin, zero)];
        write(w, &mut node.velocity, slowed);
    }
    w.write(&mut tree.gain, gain.smaller(allowed));
}
