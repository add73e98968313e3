//! Impacts, at their time within the sub-step: bounces, and hard landings.
//!
//! In: blocks of which a lane has restitution or comes in fast, velocities after gravity. Out:
//! velocities after the impact, friction included, and positions as if it had happened at its
//! moment. Called before the contacts are solved, in every sub-step.
//!
//! # Why not at the end of the step
//!
//! The usual restitution pass compares with the speed at the start of the step and ignores slow
//! hits. So glancing hits become inelastic, a second hit within the step uses a stale speed, and
//! the way to the wall and back is lost. Here an impact uses the speeds of its own moment, so for e
//! = 1 each keeps the energy whatever else happens.
//!
//! ```text
//!   s + v_0 x h + ½ g x h = 0, 0 <= x <= 1     v_0: speed along n when the sub-step began
//!   v(x) = v_0 + g x                            g: what gravity adds to it in the whole sub-step
//!   impulse: v' = -e v(x) for every point that hits
//!   position: the change of velocity counts from x on, so x h times it is taken off
//! ```
//!
//! Two points that hit together are solved as two equations, so that a box that lands flat leaves
//! flat. What would leave no faster than gravity takes back in one step does not bounce: that is
//! how resting begins. Without gravity everything does.
//!
//! A hard landing goes the same way however little it gives back, even nothing: left to `solve`,
//! its impulse would be the next sub-step's warm start, and a body on two feet would hop before
//! that is taken back. Impulses of impacts are not remembered.

use glam::Vec4;

use super::block::{ColdBlock, ContactBlock};
use super::solve::{PairRows, PairVelocities, normal_axis, normal_spin, tangent_axis, tangent_spin};
use crate::simd::{Lane, Width, inlined};
use crate::solver::columns::{Columns, Shares};
use crate::solver::integrate::RowPass;
use crate::solver::params::ImpactParams;

/// What gravity adds in a sub-step to the velocities of all that have a mass, if it is the same for
/// all of them and nothing else pushes or turns: then the rows of pushes need not be read. (A
/// quarter of what an impact reads of its bodies.)
pub(crate) fn even_push(columns: &Columns) -> Option<[f32; 2]> {
    let rows = || columns.force_delta.iter().zip(&columns.mass);
    let even = rows().find(|(_, mass)| mass[0] > 0.0).map_or([0.0; 2], |(push, _)| [push[0], push[1]]);
    let fits = |(push, mass): (&[f32; 4], &[f32; 4])| {
        let [x, y] = if mass[0] > 0.0 { even } else { [0.0; 2] };
        push[0] == x && push[1] == y && push[2] == 0.0
    };
    rows().all(fits).then_some(even)
}

/// When a block is looked at: struck bodies tell the time in the fourth place of their velocities.
/// A block is looked at again only if one of its bodies was struck since: of most blocks, the first
/// look is the last.
///
/// Time goes on from turn to turn: within one, no two blocks strike the same body, but for those
/// without a colour, whose lanes come one by one. (A column of its own, read and written body by
/// body, took a third of the time of blows in a stirred heap.)
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) now: f32,
    pub(crate) is_first: bool,
}

impl Look {
    /// Where this is the first look, or anything has happened since the last one.
    #[inline(always)]
    fn news<W: Width>(self, w: W, cold: &mut ColdBlock, v: &PairVelocities<W::L>) -> <W::L as Lane>::Mask {
        let since = if self.is_first { w.splat(-1.0) } else { w.read(&cold.looked) };
        w.write(&mut cold.looked, w.splat(self.now));
        since.lt(v.a[3]) | since.lt(v.b[3])
    }

    /// Notes that the bodies of a block were struck; of those that do not give way nothing is
    /// written.
    #[inline(always)]
    fn strike<W: Width>(self, w: W, hits: <W::L as Lane>::Mask, v: &mut PairVelocities<W::L>) {
        let after = w.splat(self.now + 1.0);
        v.a[3] = W::L::select(hits, after, v.a[3]);
        v.b[3] = W::L::select(hits, after, v.b[3]);
    }
}

/// Notes the velocities before impacts, and how far bodies reach with all of their way. (With the
/// part that is left out read by each block, impacts took a tenth longer.)
///
/// Impacts are looked for in the free velocities: those with what contacts hold from the sub-step
/// before contain a blow that is over by now. What is caught between the ground and something heavy
/// then seemed to come at both, and took energy from nowhere: one drop in two of a box onto a
/// smaller one. Not so of what has joints: they push after the impacts, and what they hold against
/// contacts is missing in the free velocities. (Heavy boxes fell off balls that hang by springs.)
pub(crate) fn reach_out(pass: RowPass, columns: &mut Columns, params: &ImpactParams) {
    let jointed = core::mem::take(&mut columns.jointed);
    pass.team.for_columns(
        columns.struck(),
        pass.grain,
        |first, [velocity, free, moved, kick, reach, with_held]| {
            with_held.copy_from_slice(velocity);
            velocity.copy_from_slice(free);
            // Columns begin behind the immovable row.
            for (k, _) in
                jointed.iter().skip(first + 1).take(velocity.len()).enumerate().filter(|(_, is)| **is)
            {
                (velocity[k], with_held[k][3]) = (with_held[k], 1.0);
            }
            for ((moved, kick), reach) in moved.iter().zip(kick).zip(reach) {
                *reach = (Vec4::from(*moved) + params.h * Vec4::from(*kick)).into();
            }
        },
    );
    columns.jointed = jointed;
}

/// Nothing was struck: the velocities are what they were.
pub(crate) fn take_back(pass: RowPass, columns: &mut Columns) {
    let [velocity, _, _, _, _, with_held] = columns.struck();
    pass.team.for_columns([velocity, with_held], pass.grain, |_, [velocity, held]| {
        for (v, held) in velocity.iter_mut().zip(held) {
            *v = Vec4::from(*held).with_w(0.0).into();
        }
    });
}

/// What impacts did to the free velocities is added to those with what contacts hold: once a body
/// and not once a blow. And so do their ways come back.
pub(crate) fn free_struck(pass: RowPass, columns: &mut Columns, params: &ImpactParams) {
    pass.team.for_columns(
        columns.struck(),
        pass.grain,
        |_, [velocity, free, moved, kick, reach, with_held]| {
            let ways = moved.iter_mut().zip(kick).zip(reach);
            for (((v, free), held), ((moved, kick), reach)) in
                velocity.iter_mut().zip(free).zip(with_held).zip(ways)
            {
                // A body that was struck has a time there. (Read whole before that is taken out of
                // it: a wide load waits for what was just written by parts.)
                let (seen, held, was) = (Vec4::from(*v), Vec4::from(*held), Vec4::from(*free));
                let now = seen.with_w(0.0);
                let is_jointed = Vec4::splat(held.w).cmpgt(Vec4::ZERO);
                let held = held.with_w(0.0);
                let began = Vec4::select(is_jointed, held, was);
                let stays = now.cmpeq(began) | Vec4::splat(seen.w).cmpeq(Vec4::ZERO);
                *v = Vec4::select(stays, held, held + (now - began)).into();
                *free = Vec4::select(stays, was, was + (now - began)).into();
                let back = Vec4::from(*reach) - params.h * Vec4::from(*kick);
                *moved = Vec4::select(stays, Vec4::from(*moved), back).into();
            }
        },
    );
}

/// Bounces what hits within the sub-step, if this is the first look at it or anything happened
/// since the last; whether anything did.
#[inline(always)]
pub(crate) fn bounce<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &mut ColdBlock),
    columns: Shares,
    params: &ImpactParams,
    look: Look,
) -> bool {
    let seats = PairRows::of(block);
    let before = seats.load(w, &columns.velocity);
    let news = look.news(w, cold, &before);
    if !w.any(news) || !w.any(news & comes_fast(w, (block, cold), &before, params)) {
        return false;
    }
    let reach = seats.load(w, &columns.reach());
    let hits = impacts(w, (block, cold), (seats, columns), (&before, &reach), params);
    if !w.any(hits.any) {
        return false;
    }
    let mut after = before;
    look.strike(w, hits.any, &mut after);
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let n = normal_axis(w, (block, cold));
    for (point, &impulse) in block.points.iter_mut().zip(&hits.impulses) {
        normal_spin(w, point, inv).apply(&mut after, impulse);
        n.apply(&mut after, impulse);
        let total = w.read(&point.total) + impulse;
        w.write(&mut point.total, total);
    }
    solve_friction(w, (block, cold), &mut after, hits.impulses);
    seats.store(w, columns.velocity, after);
    forget(w, (block, cold), (seats, columns), hits.any, params.deepest);
    let time = hits.time * w.splat(params.h);
    let mut back = reach;
    for k in 0..3 {
        back.a[k] = reach.a[k] - (after.a[k] - before.a[k]) * time;
        back.b[k] = reach.b[k] - (after.b[k] - before.b[k]) * time;
    }
    seats.store(w, columns.reach(), back);
    true
}

/// An impact takes the place of what its contact held: both together would stop the same approach
/// twice. Not so of those that are deep in each other: what holds a crushed heap apart must not be
/// lost.
#[inline(always)]
fn forget<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &ColdBlock),
    (seats, columns): (PairRows, Shares),
    hits: <W::L as Lane>::Mask,
    deepest: f32,
) {
    let zero = w.splat(0.0);
    let held = block.points.iter().fold(zero, |most, point| most.larger(w.read(&point.normal_impulse)));
    let nearest = block.points.iter().fold(zero, |least, point| least.smaller(w.read(&point.separation)));
    let hits = hits & w.splat(-deepest).le(nearest) & zero.lt(held);
    if !w.any(hits) {
        return;
    }
    let mut v = seats.load(w, &columns.with_held());
    let (hits, before) = (hits & v.a[3].eq(zero) & v.b[3].eq(zero), v);
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let (n, t) = (normal_axis(w, (block, cold)), tangent_axis(w, (block, cold)));
    for point in &mut block.points {
        let (normal, tangent) = (w.read(&point.normal_impulse), w.read(&point.tangent_impulse));
        let (gone, rubbed) = (W::L::select(hits, normal, zero), W::L::select(hits, tangent, zero));
        normal_spin(w, point, inv).apply(&mut v, -gone);
        n.apply(&mut v, -gone);
        tangent_spin(w, point, inv).apply(&mut v, -rubbed);
        t.apply(&mut v, -rubbed);
        w.write(&mut point.normal_impulse, normal - gone);
        w.write(&mut point.tangent_impulse, tangent - rubbed);
    }
    for k in 0..3 {
        // Lanes that are not hit keep their bits: of -0 an impulse of 0 would make 0.
        v.a[k] = W::L::select(hits, v.a[k], before.a[k]);
        v.b[k] = W::L::select(hits, v.b[k], before.b[k]);
    }
    seats.store(w, columns.with_held(), v);
}

/// Where any point may hit: what is not fast enough whatever is added to its speed need not be
/// looked at more closely. (A third of the loads, and most blocks end here.)
#[inline(always)]
fn comes_fast<W: Width, const P: usize>(
    w: W,
    (block, cold): (&ContactBlock<P>, &ColdBlock),
    v: &PairVelocities<W::L>,
    params: &ImpactParams,
) -> <W::L as Lane>::Mask {
    let [fastest, spin] = params.most_push;
    let restitution = w.read(&cold.restitution);
    let u = w.read(&block.normal[0]) * (v.b[0] - v.a[0]) + w.read(&block.normal[1]) * (v.b[1] - v.a[1]);
    let mut fast = w.splat(0.0).lt(w.splat(0.0));
    for point in &block.points {
        let (arm_a, arm_b) = (w.read(&point.arm_a), w.read(&point.arm_b));
        let vn = u + (arm_b * v.b[2] - arm_a * v.a[2]);
        let added = w.splat(fastest) + w.splat(spin) * (arm_a.abs() + arm_b.abs());
        fast = fast | is_impact(w, params, restitution, vn - added);
    }
    fast
}

/// Whether surfaces that part at `speed`, which is negative, are an impact. (With what leaves
/// measured, and not what comes, a heap of little restitution is looked at as seldom as one of
/// none.)
#[inline(always)]
fn is_impact<W: Width>(w: W, params: &ImpactParams, restitution: W::L, speed: W::L) -> <W::L as Lane>::Mask {
    (restitution * speed).lt(w.splat(-params.threshold)) | speed.lt(w.splat(-params.blow))
}

/// Friction of the impact: within the cone of what passed along the normal.
#[inline(always)]
fn solve_friction<W: Width, const P: usize>(
    w: W,
    (block, cold): (&ContactBlock<P>, &ColdBlock),
    v: &mut PairVelocities<W::L>,
    pressures: [W::L; P],
) {
    let t = tangent_axis(w, (block, cold));
    let inv = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let (rests, slides) = (w.read(&block.static_friction), w.read(&cold.kinetic_friction));
    for (point, pressure) in block.points.iter().zip(pressures) {
        let spin = tangent_spin(w, point, inv);
        let vt = t.speed(v) - w.read(&cold.tangent_speed) + spin.speed(v);
        let wanted = -(w.read(&point.tangent_mass) * vt);
        let limit = slides * pressure;
        let clamped = wanted.larger(-limit).smaller(limit);
        let impulse = W::L::select(wanted.abs().le(rests * pressure), wanted, clamped);
        spin.apply(v, impulse);
        t.apply(v, impulse);
    }
}

/// Which points hit, when, and with what impulse.
struct Impacts<L: Lane, const P: usize> {
    any: L::Mask,
    /// Share of the sub-step.
    time: L,
    impulses: [L; P],
}

#[inline(always)]
fn impacts<W: Width, const P: usize>(
    w: W,
    (block, cold): (&ContactBlock<P>, &ColdBlock),
    (seats, columns): (PairRows, Shares),
    (velocity, reach): (&PairVelocities<W::L>, &PairVelocities<W::L>),
    params: &ImpactParams,
) -> Impacts<W::L, P> {
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let n = [w.read(&block.normal[0]), w.read(&block.normal[1])];
    let push = pushes(w, block, (seats, columns), params);
    let along = inlined(
        #[inline(always)]
        |of: &PairVelocities<W::L>| {
            (n[0] * (of.b[0] - of.a[0]) + n[1] * (of.b[1] - of.a[1]), of.a[2], of.b[2])
        },
    );
    let (velocity, reach, push) = (along(velocity), along(reach), along(&push));
    let restitution = w.read(&cold.restitution);
    let mut any = zero.lt(zero);
    let mut time = one;
    let mut wanted = [zero; P];
    for (point, wanted) in block.points.iter().zip(&mut wanted) {
        let (arm_a, arm_b) = (w.read(&point.arm_a), w.read(&point.arm_b));
        let form = inlined(
            #[inline(always)]
            |(along, a, b): (W::L, W::L, W::L)| along + (arm_b * b - arm_a * a),
        );
        let vn = form(velocity);
        let g = form(push);
        let gap = (w.read(&point.separation) + form(reach)) * w.splat(params.inv_h);
        let start = vn - g;
        let square = start * start - (g + g) * gap;
        let root = square.larger(zero).sqrt();
        let below = root - start;
        let falls = zero.lt(below);
        let apart = zero.lt(gap);
        // What `solve` takes for a touch, which moves by h v, must not slip through here by half of
        // g h².
        let soon = (gap + gap).le(below) | (gap + vn).le(zero);
        let reaches = !apart | (zero.le(square) & falls & soon);
        // They meet after a share x = 2 gap / below, at start + g x: that is what the root says,
        // and the blow need not wait for x.
        let speed = W::L::select(apart, -root, start);
        let x = W::L::select(apart, ((gap + gap) / W::L::select(falls, below, one)).smaller(one), zero);
        let real = zero.lt(w.read(&point.normal_mass));
        let hits = real & reaches & is_impact(w, params, restitution, speed);
        *wanted = W::L::select(hits, -(one + restitution) * speed, zero);
        time = W::L::select(hits, time.smaller(x), time);
        any = any | hits;
    }
    Impacts { any, time, impulses: impulses(w, (block, cold), wanted) }
}

/// What gravity and forces add to the velocities in the sub-step.
#[inline(always)]
fn pushes<W: Width, const P: usize>(
    w: W,
    block: &ContactBlock<P>,
    (seats, columns): (PairRows, Shares),
    params: &ImpactParams,
) -> PairVelocities<W::L> {
    let Some([x, y]) = params.even_push else { return seats.load(w, columns.force_delta) };
    let zero = w.splat(0.0);
    let of = inlined(
        #[inline(always)]
        |inv_mass: W::L| {
            let falls = zero.lt(inv_mass);
            [W::L::select(falls, w.splat(x), zero), W::L::select(falls, w.splat(y), zero), zero, zero]
        },
    );
    PairVelocities { a: of(w.read(&block.inv_mass_a)), b: of(w.read(&block.inv_mass_b)) }
}

/// The impulses that change the speeds at the points by `wanted`, which is zero where nothing hits.
#[inline(always)]
fn impulses<W: Width, const P: usize>(
    w: W,
    (block, cold): (&ContactBlock<P>, &ColdBlock),
    wanted: [W::L; P],
) -> [W::L; P] {
    let zero = w.splat(0.0);
    let mut alone = wanted;
    for (impulse, point) in alone.iter_mut().zip(&block.points) {
        *impulse = *impulse * w.read(&point.normal_mass);
    }
    let (&[first, second], &[p, q]) = (&wanted[..], &block.points.each_ref()[..]) else { return alone };
    // k λ = wanted: a row a point.
    let (inv_a, inv_b) = (w.read(&block.inv_inertia_a), w.read(&block.inv_inertia_b));
    let n = [w.read(&block.normal[0]), w.read(&block.normal[1])];
    let [m_a, m_b] = cold.inv_masses(w, block);
    let both = n[0] * n[0] * (m_a[0] + m_b[0]) + n[1] * n[1] * (m_a[1] + m_b[1]);
    let entry = inlined(
        #[inline(always)]
        |i: &super::block::ContactPoints, j: &super::block::ContactPoints| {
            both + inv_a * w.read(&i.arm_a) * w.read(&j.arm_a) + inv_b * w.read(&i.arm_b) * w.read(&j.arm_b)
        },
    );
    let (k11, k12, k22) = (entry(p, p), entry(p, q), entry(q, q));
    let determinant = k11 * k22 - k12 * k12;
    let solvable = (k11 * k22 * w.splat(1.0e-4)).lt(determinant);
    let divisor = W::L::select(solvable, determinant, w.splat(1.0));
    let (x, y) = ((k22 * first - k12 * second) / divisor, (k11 * second - k12 * first) / divisor);
    let together = solvable & zero.lt(first) & zero.lt(second) & zero.le(x) & zero.le(y);
    // Else the harder hit alone; the other is seen in the next round.
    let first_leads = second.le(first);
    let mut result = alone;
    result[0] = W::L::select(together, x, W::L::select(first_leads, alone[0], zero));
    result[1] = W::L::select(together, y, W::L::select(first_leads, zero, alone[1]));
    result
}
