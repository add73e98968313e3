//! A core against a circle, in lanes: `round.rs` without a branch a pair.

use super::{Cores, Edge, Points, Terms, Touch, WRAP, dot, minus, perp, pick, straightened};
use crate::narrowphase::obb::KernelPoint;
use crate::simd::{Lane, Width, inlined};

/// The manifolds of cores, the first shapes, and circles around `center` in their frames, the
/// second ones.
///
/// The best edge is the closest one; `first` says that ids name the core first. As above with a
/// point for the second core. Beside it, its corner decides.
#[inline(always)]
pub(crate) fn collide_circles<W: Width>(
    w: W,
    core: &Cores<W::L>,
    (center, radius): ([W::L; 2], W::L),
    terms: &Terms<W::L>,
    first: bool,
) -> Touch<W::L> {
    w.apart(
        #[inline(always)]
        || {
            let (zero, noise) = (w.splat(0.0), terms.noise);
            let height = inlined(
                #[inline(always)]
                |k: usize| {
                    let k = k & WRAP;
                    dot(minus(center, [core.x[k], core.y[k]]), [core.nx[k], core.ny[k]])
                },
            );
            let mut best = core.edge(0, height(0));
            for k in 1..core.most {
                let height = height(k);
                best = Edge::select(best.measure.lt(height), core.edge(k, height), best);
            }
            let (n, height) = (best.normal, best.measure);
            let t = perp(n);
            let x = dot(minus(center, best.from), t);
            let on_edge = x.larger(zero).smaller(dot(minus(best.to, best.from), t));
            let aside = x - on_edge;
            let reach = (core.radius + radius) + terms.margin;
            let near = height.le(reach);
            let beside = near & noise.lt(aside.abs());
            let distance = Lane::select(beside, (aside * aside + height * height).sqrt(), height);
            let (s, c) = (aside / distance, height / distance);
            let u = [t[0] * s + n[0] * c, t[1] * s + n[1] * c];
            // The corner is the nearest point if no other reaches farther along u.
            let clear = dot(u, center) + core.lowest([-u[0], -u[1]]);
            let slack = noise * w.splat(4.0);
            let proven = slack.lt(distance) & distance.le(clear + slack);
            let normal = straightened(pick(beside, u, n), n, terms.stands[0]);
            let over = w.splat(0.5) * ((core.radius - radius) - distance);
            // Along the straightened normal: a contact point beside it would give a ball a torque.
            let to = normal;
            let separation = distance - (core.radius + radius);
            let point =
                KernelPoint { point: [center[0] + to[0] * over, center[1] + to[1] * over], separation };
            let keep = near & distance.le(reach) & (!beside | proven);
            let id = best.number * w.splat(if first { 1.0 } else { 256.0 }) + w.splat(131_072.0);
            let points = Points { points: [point, point], ids: [id, id], keep: [keep, keep & !keep] };
            points.packed(normal, beside & !proven)
        },
    )
}
