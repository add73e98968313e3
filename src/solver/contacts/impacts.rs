//! Impacts, at their time within the sub-step: bounces, and hard landings.
//!
//! In: blocks with a lane that has restitution or comes in fast, and velocities after gravity. Out:
//! velocities after the impact, friction included, and positions as if the impact had happened at
//! its moment. Called before the contacts are solved, in every sub-step.
//!
//! # Why not at the end of the step
//!
//! The usual restitution pass compares with the speed at the start of the step and ignores slow
//! hits. So glancing hits become inelastic, a second hit within the step uses a stale speed, and
//! the motion to the wall and back is lost. Here an impact uses the speeds of its own moment, so
//! for e = 1 each conserves energy whatever else happens.
//!
//! ```text
//!   s + v_0 x h + ½ g x h = 0, 0 <= x <= 1     v_0: speed along n when the sub-step began
//!   v(x) = v_0 + g x                            g: its change by gravity in the whole sub-step
//!   impulse: v' = -e v(x) for every point that hits
//!   position: the change of velocity counts from x on, so x h times it is taken off
//! ```
//!
//! Two points that hit together are solved as two equations, so that a box that lands flat leaves
//! flat. A body that would leave no faster than gravity takes back in one step does not bounce:
//! that is how resting begins. Without gravity every body bounces.
//!
//! Hard landings are treated as impacts too, even with restitution 0: left to `solve`, its impulse
//! would be the next sub-step's warm start, and a body on two feet would hop before that is taken
//! back. Impulses of impacts are not remembered.

use glam::Vec4;

use super::block::{ColdBlock, ContactBlock};
use super::solve::{PairRows, PairVelocities, normal_axis, normal_spin, tangent_axis, tangent_spin};
use crate::ablate::Rule;
use crate::simd::{Lane, Width, inlined};
use crate::solver::columns::{Columns, Shares};
use crate::solver::integrate::RowPass;
use crate::solver::params::ImpactParams;
use crate::threads::Shared;
use crate::util::trim::trim;

/// The velocity change of a sub-step by gravity, if it is the same for all dynamic bodies and no
/// other force or torque acts: then the rows of `force_delta` need not be read. (They are a quarter
/// of the rows that an impact reads.)
pub(crate) fn even_push(columns: &Columns) -> Option<[f32; 2]> {
    let rows = || columns.force_delta.iter().zip(&columns.mass);
    let even = rows().find(|(_, mass)| mass[0] > 0.0).map_or([0.0; 2], |(push, _)| [push[0], push[1]]);
    let fits = |(push, mass): (&[f32; 4], &[f32; 4])| {
        let [x, y] = if mass[0] > 0.0 { even } else { [0.0; 2] };
        push[0] == x && push[1] == y && push[2] == 0.0
    };
    rows().all(fits).then_some(even)
}

/// The time at which a block is checked. Struck bodies keep the time of their last impact in the
/// fourth number of their velocities. A block is checked again only if one of its bodies was struck
/// since, so most blocks are checked once.
///
/// `now` increases by one per phase: within a phase, no two blocks strike the same body, except
/// blocks without a colour, whose lanes are solved one by one. (A column of its own, read and
/// written body by body, took a third of the time of blows in a stirred heap.)
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) now: f32,
    pub(crate) is_first: bool,
}

impl Look {
    /// Lanes that are checked for the first time, or whose bodies were struck since the last check.
    #[inline(always)]
    fn news<W: Width>(self, w: W, cold: &mut ColdBlock, v: &PairVelocities<W::L>) -> <W::L as Lane>::Mask {
        let since = if self.is_first { w.splat(-1.0) } else { w.read(&cold.looked) };
        w.write(&mut cold.looked, w.splat(self.now));
        since.lt(v.a[3]) | since.lt(v.b[3])
    }

    /// Records the time of the impact for the struck bodies of a block; rows of immovable bodies
    /// are not written.
    #[inline(always)]
    fn strike<W: Width>(self, w: W, hits: <W::L as Lane>::Mask, v: &mut PairVelocities<W::L>) {
        let after = w.splat(self.now + 1.0);
        v.a[3] = W::L::select(hits, after, v.a[3]);
        v.b[3] = W::L::select(hits, after, v.b[3]);
    }
}

/// Rows are listed if the list, in which most come several times, has at most one in so many of
/// all; else passes go over all rows.
const LISTED_SHARE: usize = 2;

/// The rows of bodies that impacts may strike: bodies in blocks that may have an impact.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrikableRows {
    /// In ascending order; not used if they are many.
    rows: Vec<u32>,
    are_many: bool,
}

impl StrikableRows {
    /// Frees memory that few bodies do not need.
    pub(crate) fn trim(&mut self) {
        trim(&mut self.rows);
    }

    /// Lists them anew, of so many rows.
    pub(crate) fn list(&mut self, single: &[ContactBlock<1>], double: &[ContactBlock<2>], count: usize) {
        self.rows.clear();
        let most = count / LISTED_SHARE;
        self.are_many =
            !add_strikable(single, &mut self.rows, most) || !add_strikable(double, &mut self.rows, most);
        if !self.are_many {
            self.rows.sort_unstable();
            self.rows.dedup();
            self.rows.retain(|&row| row > 0);
        }
    }

    /// The bodies, for passes that go over all rows if these are many.
    pub(crate) fn of<'r>(&'r self, all: RowPass<'r>) -> Strikable<'r> {
        Strikable { all, few: (!self.are_many).then_some(&self.rows) }
    }
}

/// Adds the rows of blocks that may have an impact. Returns whether these are no more than `most`.
fn add_strikable<const P: usize>(blocks: &[ContactBlock<P>], rows: &mut Vec<u32>, most: usize) -> bool {
    blocks.iter().filter(|block| block.flags.bounces).all(|block| {
        rows.extend(block.row_a);
        rows.extend(block.row_b);
        rows.len() <= most
    })
}

/// The bodies that impacts may strike.
#[derive(Clone, Copy)]
pub(crate) struct Strikable<'r> {
    all: RowPass<'r>,
    /// Their rows, if they are few.
    few: Option<&'r [u32]>,
}

/// Rows per chunk of a list of them.
const LISTED_GRAIN: usize = 256;

/// The rows of a body that impacts read and change, from [`Columns::struck`].
struct StruckBody {
    velocity: Vec4,
    unconstrained: Vec4,
    moved: Vec4,
    lag: Vec4,
    reach: Vec4,
    with_held: Vec4,
}

impl StruckBody {
    fn of([velocity, unconstrained, moved, lag, reach, with_held]: [[f32; 4]; 6]) -> StruckBody {
        StruckBody {
            velocity: velocity.into(),
            unconstrained: unconstrained.into(),
            moved: moved.into(),
            lag: lag.into(),
            reach: reach.into(),
            with_held: with_held.into(),
        }
    }

    /// Sets the constrained velocity aside, and works out the displacement with the half kick.
    fn reach_out(&mut self, is_jointed: bool, h: f32) {
        self.with_held = self.velocity;
        if is_jointed {
            self.with_held.w = 1.0;
        } else {
            self.velocity = self.unconstrained;
        }
        self.reach = self.moved + h * self.lag;
    }

    /// Adds the changes by impacts to the constrained velocity and the displacement.
    fn let_go(&mut self, h: f32) {
        // A struck body has a time in the fourth number. (The whole row is read before one number
        // is taken out: a wide load waits for parts that were just written.)
        let now = self.velocity.with_w(0.0);
        let is_jointed = Vec4::splat(self.with_held.w).cmpgt(Vec4::ZERO);
        let held = self.with_held.with_w(0.0);
        let began = Vec4::select(is_jointed, held, self.unconstrained);
        let stays = now.cmpeq(began) | Vec4::splat(self.velocity.w).cmpeq(Vec4::ZERO);
        self.velocity = Vec4::select(stays, held, held + (now - began));
        self.unconstrained = Vec4::select(stays, self.unconstrained, self.unconstrained + (now - began));
        self.moved = Vec4::select(stays, self.moved, self.reach - h * self.lag);
    }
}

impl Strikable<'_> {
    /// Calls `job` for each of the bodies, with its row.
    #[inline(always)]
    fn for_each(self, columns: &mut Columns, job: impl Fn(usize, &mut StruckBody) + Sync) {
        // Columns begin behind the immovable row.
        let columns = columns.struck();
        let Some(rows) = self.few else {
            self.all.team.for_columns(columns, self.all.grain, |first, columns| {
                let [velocity, unconstrained, moved, lag, reach, with_held] = columns;
                let rows = velocity.iter_mut().zip(unconstrained).zip(moved).zip(lag).zip(reach);
                for (k, (((((v, u), m), l), r), w)) in rows.zip(with_held).enumerate() {
                    let mut body = StruckBody::of([*v, *u, *m, *l, *r, *w]);
                    job(first + k + 1, &mut body);
                    (*v, *u, *m) = (body.velocity.into(), body.unconstrained.into(), body.moved.into());
                    (*r, *w) = (body.reach.into(), body.with_held.into());
                }
            });
            return;
        };
        let columns = columns.map(Shared::new);
        // Threads share rows only where they share the contacts: see `Solver::grain`.
        let size = if self.all.grain == usize::MAX { usize::MAX } else { LISTED_GRAIN };
        self.all.team.for_ranges(rows.len(), size, |range| {
            for row in rows[range].iter().map(|&row| row as usize) {
                let [velocity, unconstrained, moved, lag, reach, with_held] = &columns;
                let mut body = StruckBody::of([
                    velocity.get(row - 1),
                    unconstrained.get(row - 1),
                    moved.get(row - 1),
                    lag.get(row - 1),
                    reach.get(row - 1),
                    with_held.get(row - 1),
                ]);
                job(row, &mut body);
                velocity.set(row - 1, body.velocity.into());
                unconstrained.set(row - 1, body.unconstrained.into());
                moved.set(row - 1, body.moved.into());
                reach.set(row - 1, body.reach.into());
                with_held.set(row - 1, body.with_held.into());
            }
        });
    }
}

/// Stores the velocities before impacts, and in `moved_full` the displacement including the half
/// kick that positions leave out. (With `lag` read by each block instead, impacts took a tenth
/// longer.)
///
/// Impacts are found from the unconstrained velocities: the constrained velocities still contain
/// contact impulses of the sub-step before, from a blow that is over by now. With constrained
/// velocities, a body between the ground and a heavy body seemed to approach both, and gained
/// energy, in one of two drops of a box onto a smaller one. Bodies with joints use full velocities:
/// joints are solved after impacts, so their forces are missing from the unconstrained velocity.
/// (With it, heavy boxes fell off balls that hang by springs.)
pub(crate) fn reach_out(bodies: Strikable, columns: &mut Columns, params: &ImpactParams) {
    columns.make_room_for_impacts();
    let jointed = core::mem::take(&mut columns.jointed);
    let is_jointed =
        |row: usize| Rule::JointedImpacts.acts(jointed.get(row).is_some_and(|&is_jointed| is_jointed));
    bodies.for_each(columns, |row, body| body.reach_out(is_jointed(row), params.h));
    columns.jointed = jointed;
}

/// Called when nothing was struck; restores the velocities.
pub(crate) fn take_back(bodies: Strikable, columns: &mut Columns) {
    if bodies.few.is_some() {
        bodies.for_each(columns, |_, body| body.velocity = body.with_held.with_w(0.0));
        return;
    }
    let [velocity, .., with_held] = columns.struck();
    bodies.all.team.for_columns([velocity, with_held], bodies.all.grain, |_, [velocity, held]| {
        for (v, held) in velocity.iter_mut().zip(held) {
            *v = Vec4::from(*held).with_w(0.0).into();
        }
    });
}

/// Adds the velocity changes of impacts to the constrained velocities as well, once per body and
/// not once per impact, and writes `moved` back from `moved_full`.
pub(crate) fn free_struck(bodies: Strikable, columns: &mut Columns, params: &ImpactParams) {
    bodies.for_each(columns, |_, body| body.let_go(params.h));
}

/// Applies the impacts of a block within the sub-step, in lanes that are new or whose bodies were
/// struck since the last check. Returns whether there was any.
#[inline(always)]
pub(crate) fn bounce<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &mut ColdBlock),
    columns: Shares,
    params: &ImpactParams,
    look: Look,
) -> bool {
    let rows = PairRows::of(block);
    let before = rows.load(w, &columns.velocity);
    let news = look.news(w, cold, &before);
    if !w.any(news) || !w.any(news & comes_fast(w, (block, cold), &before, params)) {
        return false;
    }
    let reach = rows.load(w, &columns.reach());
    let hits = impacts(w, (block, cold), (rows, columns), (&before, &reach), params);
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
    rows.store(w, columns.velocity, after);
    forget(w, (block, cold), (rows, columns), hits.any, params.deepest);
    let time = hits.time * w.splat(params.h);
    let mut back = reach;
    for k in 0..3 {
        back.a[k] = reach.a[k] - (after.a[k] - before.a[k]) * time;
        back.b[k] = reach.b[k] - (after.b[k] - before.b[k]) * time;
    }
    rows.store(w, columns.reach(), back);
    true
}

/// An impact replaces the warm-start impulse of its contact: both together would stop the same
/// approach twice. Deep overlaps keep theirs: the impulses that hold a crushed heap apart must not
/// be lost.
#[inline(always)]
fn forget<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &ColdBlock),
    (rows, columns): (PairRows, Shares),
    hits: <W::L as Lane>::Mask,
    deepest: f32,
) {
    let zero = w.splat(0.0);
    let held = block.points.iter().fold(zero, |most, point| most.larger(w.read(&point.normal_impulse)));
    let nearest = block.points.iter().fold(zero, |least, point| least.smaller(w.read(&point.separation)));
    let is_shallow = if Rule::DeepWarmStart.is_on() { w.splat(-deepest).le(nearest) } else { zero.le(zero) };
    Rule::DeepWarmStart.count_if(|| w.any(hits & w.splat(deepest).lt(-nearest) & zero.lt(held)));
    let hits = hits & is_shallow & zero.lt(held);
    if !Rule::ImpactReplaces.acts(w.any(hits)) {
        return;
    }
    let mut v = rows.load(w, &columns.with_held());
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
        // Lanes without a hit keep their bits: adding an impulse of 0 to -0 would give 0.
        v.a[k] = W::L::select(hits, v.a[k], before.a[k]);
        v.b[k] = W::L::select(hits, v.b[k], before.b[k]);
    }
    rows.store(w, columns.with_held(), v);
}

/// Whether any point may hit, by an upper bound of its speed. (Needs a third of the loads, and most
/// blocks end here.)
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

/// Whether an approach at `speed` (negative) is an impact. (The leaving speed is compared, not the
/// approach, so that a heap of little restitution is checked as seldom as one of none.)
#[inline(always)]
fn is_impact<W: Width>(w: W, params: &ImpactParams, restitution: W::L, speed: W::L) -> <W::L as Lane>::Mask {
    let landing = if Rule::Landings.is_on() { params.blow } else { f32::INFINITY };
    (restitution * speed).lt(w.splat(-params.threshold)) | speed.lt(w.splat(-landing))
}

/// Friction of the impact, within the friction cone of its normal impulse.
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

/// Impacts of a block: whether there are any, their time, and the impulse of each point.
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
    (rows, columns): (PairRows, Shares),
    (velocity, reach): (&PairVelocities<W::L>, &PairVelocities<W::L>),
    params: &ImpactParams,
) -> Impacts<W::L, P> {
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let n = [w.read(&block.normal[0]), w.read(&block.normal[1])];
    let push = pushes(w, block, (rows, columns), params);
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
    // Per point: its speed when the sub-step began, and the speed that the push adds; the time and
    // the speed of its hit; and whether it hits.
    let mut speeds = [((zero, zero), (zero, zero), any); P];
    for (point, speeds) in block.points.iter().zip(&mut speeds) {
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
        // `solve` moves bodies by h v and would see a touch here: it must not be missed because of
        // ½ g h².
        let soon = (gap + gap).le(below) | (gap + vn).le(zero);
        let reaches = !apart | (zero.le(square) & falls & soon);
        // They meet after a share x = 2 gap / below, at speed start + g x = -root.
        let speed = W::L::select(apart, -root, start);
        let x = W::L::select(apart, ((gap + gap) / W::L::select(falls, below, one)).smaller(one), zero);
        let real = zero.lt(w.read(&point.normal_mass));
        let hits = real & reaches & is_impact(w, params, restitution, speed);
        *speeds = ((start, g), (x, speed), hits);
        time = W::L::select(hits, time.smaller(x), time);
        any = any | hits;
    }
    // Both points have the speeds of one time, the first hit's: for e = 1 the impact then keeps the
    // energy. (With each at its own time, planks on hills gained up to 0.2 J/kg in one.)
    let mut wanted = [zero; P];
    for (wanted, ((start, g), (x, speed), hits)) in wanted.iter_mut().zip(speeds) {
        let speed = W::L::select(x.eq(time), speed, (start + g * time).smaller(zero));
        *wanted = W::L::select(hits, -(one + restitution) * speed, zero);
    }
    Impacts { any, time, impulses: impulses(w, (block, cold), wanted) }
}

/// Velocity change by gravity and forces in the sub-step.
#[inline(always)]
fn pushes<W: Width, const P: usize>(
    w: W,
    block: &ContactBlock<P>,
    (rows, columns): (PairRows, Shares),
    params: &ImpactParams,
) -> PairVelocities<W::L> {
    let Some([x, y]) = params.even_push else { return rows.load(w, columns.force_delta) };
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
    // k λ = wanted, one row per point.
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
