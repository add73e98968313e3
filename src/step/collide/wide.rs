//! Wide narrowphase (SIMD): pairs of one kind, eight at a time, from their rows to their manifolds.
//!
//! In: contacts whose bodies are in one region, placed parts and their forms, velocities. Out:
//! their manifolds, through [`Sink`]; and the contacts that the kernels reject. Called by
//! `collide/mod.rs` with one list per kind; and by `predicted_impacts.rs` for fast pairs that are
//! apart.
//!
//! ```text
//!   Boxes    sharp boxes             narrowphase/obb.rs; where two corners decide, they are cores
//!   Circles  two circles             narrowphase/round.rs
//!   CircleCore, CoreCircle, Cores    narrowphase/cores.rs
//! ```
//!
//! `wide/pose.rs` tests pairs at their present pose, `wide/toi.rs` finds the time of impact. A is
//! at the origin, so that results do not depend on the place in the region.

mod pose;
mod toi;

use glam::Vec2;

use super::write::{Approach, FoundContact, ManifoldSink};
use crate::ablate::Rule;
use crate::contact::{ContactShares, ManifoldRow, flag};
use crate::narrowphase::FeatureId;
use crate::narrowphase::cores::{self, Cores, Terms, Touch};
use crate::simd::{
    AllLanes, LANES, Lane, Level, OneLane, Vector, Vectors, Width, bits, dispatch, inlined, scatter,
    scatter_whole, transpose_lanes,
};
use crate::tuning::{MarginTuning, NEAR_CIRCLES, ROUND_SHARE, SEPARATION_NOISE, STRAIGHT_SHARE};
use pose::{Ball, Brick, Course, Placed, RelativePose, Side};
pub(super) use toi::foresee;

/// Columns from which pairs are loaded.
pub(super) struct PairInput<'w> {
    /// Rows of [`PlacedRow`](crate::body::collider::PlacedRow), as numbers.
    pub(super) placed: &'w [[f32; LANES]],
    /// Form of each part.
    pub(super) form: &'w [u32],
    pub(super) forms: cores::Forms<'w>,
    /// Velocities of bodies after the first kick, by row, and their change by gravity and forces in
    /// each sub-step.
    pub(super) velocity: &'w [[f32; 4]],
    pub(super) push: &'w [[f32; 4]],
    /// Rows of bodies.
    pub(super) rows: &'w [u32],
    pub(super) dt: f32,
    pub(super) margins: MarginTuning,
    /// Displacement in the step per unit of `push`, in addition to the displacement by the
    /// velocity.
    pub(super) fall: f32,
}

/// The kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KernelKind {
    Boxes,
    Circles,
    /// A is the circle.
    CircleCore,
    /// B is the circle.
    CoreCircle,
    Cores,
}

/// Eight pairs; lanes beyond `count` repeat the first.
struct PairBatch {
    contacts: [u32; LANES],
    count: usize,
    a: [u32; LANES],
    b: [u32; LANES],
    row_a: [u32; LANES],
    row_b: [u32; LANES],
    /// -1 where A is immovable, 1 where B is, 0 where neither.
    stands: [f32; LANES],
}

impl PairBatch {
    #[inline(always)]
    fn new(contacts: &[u32], shares: ContactShares, rows: &[u32]) -> PairBatch {
        let mut batch = PairBatch {
            contacts: [contacts[0]; LANES],
            count: contacts.len(),
            a: [0; LANES],
            b: [0; LANES],
            row_a: [0; LANES],
            row_b: [0; LANES],
            stands: [0.0; LANES],
        };
        batch.contacts[..contacts.len()].copy_from_slice(contacts);
        for k in 0..LANES {
            let contact = batch.contacts[k] as usize;
            let (pair, link) = (shares.pair[contact], shares.link.get(contact));
            (batch.a[k], batch.b[k]) = (pair.a, pair.b);
            (batch.row_a[k], batch.row_b[k]) = (rows[link.body_a as usize], rows[link.body_b as usize]);
            let (one_sided, a) = (link.flags & flag::ONE_SIDED != 0, link.flags & flag::A_STANDS != 0);
            let one_sided = Rule::GroundSnap.acts(one_sided);
            batch.stands[k] = f32::from(i8::from(one_sided) * if a { -1 } else { 1 });
        }
        batch
    }
}

/// Tests all `contacts`, which are of one kind. Pairs that the kernel rejects are listed in the
/// sink.
pub(super) fn collide(
    level: Level,
    kind: KernelKind,
    contacts: &[u32],
    input: &PairInput,
    sink: &mut ManifoldSink,
) {
    dispatch!(level, serial => {
        for contacts in contacts.chunks(LANES) {
            let batch = PairBatch::new(contacts, sink.contacts, input.rows);
            for lane in 0..contacts.len() {
                one(OneLane(lane), kind, &batch, input, sink);
            }
        }
    }, simd => {
        match kind {
            KernelKind::Boxes => all(simd, KernelKind::Boxes, contacts, input, sink),
            KernelKind::Circles => all(simd, KernelKind::Circles, contacts, input, sink),
            KernelKind::CircleCore => all(simd, KernelKind::CircleCore, contacts, input, sink),
            KernelKind::CoreCircle => all(simd, KernelKind::CoreCircle, contacts, input, sink),
            KernelKind::Cores => all(simd, KernelKind::Cores, contacts, input, sink),
        }
    });
}

/// Runs over all pairs, eight at a time; `kind` is a compile-time constant.
#[inline(always)]
fn all<S: Vectors>(simd: S, kind: KernelKind, contacts: &[u32], input: &PairInput, sink: &mut ManifoldSink) {
    let w = AllLanes(simd);
    w.apart_in_debug(
        #[inline(always)]
        || {
            for contacts in contacts.chunks(LANES) {
                let batch = PairBatch::new(contacts, sink.contacts, input.rows);
                eight(w, kind, &batch, input, sink);
            }
        },
    );
}

/// Results of a kernel, in one lane or eight.
struct Answer<L: Lane> {
    /// Points from the middle of A's part.
    touch: Touch<L>,
    motion: RelativeMotion<L>,
    /// See [`Approach`].
    gap_left: L,
    near: L,
}

/// Relative pose and motion of two parts.
struct RelativeMotion<L: Lane> {
    pose: RelativePose<L>,
    /// See [`Approach`].
    approach: [L; 2],
    turn: L,
    /// Displacement of B relative to A, at the present velocity.
    goes: [L; 2],
    /// Rotations of both.
    turns: [L; 2],
    /// Greatest distance of each from its centre of mass.
    reaches: [L; 2],
}

impl<L: Lane> RelativeMotion<L> {
    #[inline(always)]
    fn new<W: Width<L = L>>(w: W, batch: &PairBatch, input: &PairInput) -> RelativeMotion<L> {
        w.apart(
            #[inline(always)]
            || {
                let [a_x, a_y, a_cos, a_sin, a_hx, a_hy, a_ox, a_oy] = w.gather_eight(input.placed, &batch.a);
                let [b_x, b_y, b_cos, b_sin, b_hx, b_hy, b_ox, b_oy] = w.gather_eight(input.placed, &batch.b);
                let [va_x, va_y, w_a, _] = w.gather(input.velocity, &batch.row_a);
                let [vb_x, vb_y, w_b, _] = w.gather(input.velocity, &batch.row_b);
                let (zero, dt) = (w.splat(0.0), w.splat(input.dt));
                let (x, y) = (b_x - a_x, b_y - a_y);
                let (way_x, way_y) = ((x - b_ox) + a_ox, (y - b_oy) + a_oy);
                let (size_a, size_b) =
                    ((a_hx * a_hx + a_hy * a_hy).sqrt(), (b_hx * b_hx + b_hy * b_hy).sqrt());
                let reach_a = size_a + (a_ox * a_ox + a_oy * a_oy).sqrt();
                let reach_b = size_b + (b_ox * b_ox + b_oy * b_oy).sqrt();
                // In the frame of the larger body, as `Approach::new` says.
                let (turn_a, turn_b) = (w_a * dt, w_b * dt);
                let larger = L::select(reach_b.le(reach_a), turn_a, turn_b);
                let goes = [(vb_x - va_x) * dt, (vb_y - va_y) * dt];
                let approach = [goes[0] + way_y * larger, goes[1] - way_x * larger];
                let turn = (turn_b - turn_a).abs() * reach_a.smaller(reach_b);
                let reach = (approach[0] * approach[0] + approach[1] * approach[1]).sqrt() + turn;
                let stands = w.read(&batch.stands);
                // A small part meets another one farther away than its own size only along its
                // displacement.
                let smaller = size_a.smaller(size_b);
                let margin = w.splat(input.margins.speculative).smaller(smaller + smaller);
                let terms = Terms {
                    margin: reach + margin,
                    noise: w.splat(SEPARATION_NOISE) * ((size_a + size_b) + x.abs().larger(y.abs())),
                    stands: [stands.lt(zero), zero.lt(stands)],
                };
                let a = Placed { cos: a_cos, sin: a_sin, half: [a_hx, a_hy], offset: [a_ox, a_oy] };
                let b = Placed { cos: b_cos, sin: b_sin, half: [b_hx, b_hy], offset: [b_ox, b_oy] };
                let (turns, reaches) = ([turn_a, turn_b], [reach_a, reach_b]);
                let pose = RelativePose { a, b, between: [x, y], way: [way_x, way_y], terms };
                RelativeMotion { pose, approach, turn, goes, turns, reaches }
            },
        )
    }

    /// The motion of both in the step, forces included, if they hit nothing.
    #[inline(always)]
    fn course<W: Width<L = L>>(&self, w: W, (batch, input): (&PairBatch, &PairInput)) -> Course<L> {
        let [pa_x, pa_y, ..] = w.gather(input.push, &batch.row_a);
        let [pb_x, pb_y, ..] = w.gather(input.push, &batch.row_b);
        let fall = w.splat(input.fall);
        let goes = [self.goes[0] + fall * (pb_x - pa_x), self.goes[1] + fall * (pb_y - pa_y)];
        Course { goes, turns: self.turns, reaches: self.reaches, bend: w.splat(0.0) }
    }

    /// Gap from which circles are cast: less where one moves round the other.
    #[inline(always)]
    fn near_circles<W: Width<L = L>>(&self, w: W, touch: &Touch<L>, near_gap: f32) -> L {
        if !Rule::RoundCircles.acts(true) {
            return w.splat(near_gap);
        }
        let (n, [goes_x, goes_y]) = (touch.normal, self.goes);
        let both = self.pose.a.half[0] + self.pose.b.half[0];
        let off = inlined(
            #[inline(always)]
            |turn: L, [x, y]: [L; 2]| turn.abs() * (x.abs() + y.abs()),
        );
        let [turn_a, turn_b] = self.turns;
        let turning = off(turn_a, self.pose.a.offset) + off(turn_b, self.pose.b.offset);
        let round = (n[0] * goes_y - n[1] * goes_x).abs() + turning;
        let less = w.splat(NEAR_CIRCLES) * both;
        let near = w.splat(near_gap).smaller(w.splat(STRAIGHT_SHARE) * both);
        L::select((w.splat(ROUND_SHARE) * both).lt(round), near.smaller(less), near)
    }

    /// A touch with a lower bound of the separation over the whole step, along its normal; 0 if the
    /// pair touches or moves apart.
    #[inline(always)]
    fn with_gap<W: Width<L = L>>(
        &self,
        w: W,
        of: (&PairBatch, &PairInput),
        touch: Touch<L>,
        sides: (&impl Side<L>, &impl Side<L>),
    ) -> (Touch<L>, L) {
        let gap_left = w.apart_in_debug(
            #[inline(always)]
            || self.gap_left(w, of, &touch, sides),
        );
        (touch, gap_left)
    }

    /// See [`RelativeMotion::with_gap`]: at the end of the step. [`RelativePose::gap_after`] says
    /// why there is no less in between. (Half of the pairs that pass the bound by rotation alone
    /// are rejected here, and are not cast.)
    #[inline(always)]
    fn gap_left<W: Width<L = L>>(
        &self,
        w: W,
        (batch, input): (&PairBatch, &PairInput),
        touch: &Touch<L>,
        sides: (&impl Side<L>, &impl Side<L>),
    ) -> L {
        let (zero, n, gap) = (w.splat(0.0), touch.normal, touch.gap());
        let closes = self.turn - (n[0] * self.approach[0] + n[1] * self.approach[1]);
        let comes = zero.lt(touch.count) & w.splat(input.margins.near_gap).lt(gap) & gap.lt(closes);
        if !w.any(comes) {
            return zero;
        }
        let course = self.course(w, (batch, input));
        L::select(comes, self.pose.gap_after(w, &course, n, sides, w.splat(1.0)), zero)
    }
}

impl<L: Lane> Answer<L> {
    /// The manifold's row, number by number, points from A's centre of mass.
    #[inline(always)]
    fn row(&self) -> [L; 8] {
        let (n, [p, q], o) = (self.touch.normal, &self.touch.points, self.motion.pose.a.offset);
        let (p_x, p_y) = (p.point[0] + o[0], p.point[1] + o[1]);
        let (q_x, q_y) = (q.point[0] + o[0], q.point[1] + o[1]);
        [n[0], n[1], p_x, p_y, p.separation, q_x, q_y, q.separation]
    }
}

/// The kernel.
#[inline(always)]
fn answer<W: Width>(w: W, kind: KernelKind, batch: &PairBatch, input: &PairInput) -> Answer<W::L> {
    let motion = RelativeMotion::new(w, batch, input);
    let (touch, gap_left) = match kind {
        KernelKind::Boxes => boxes(w, batch, input, &motion),
        KernelKind::Circles => circles(w, batch, input, &motion),
        KernelKind::CircleCore => circle_core(w, batch, input, &motion),
        KernelKind::CoreCircle => core_circle(w, batch, input, &motion),
        KernelKind::Cores => cores(w, batch, input, &motion),
    };
    let near = if kind == KernelKind::Circles {
        motion.near_circles(w, &touch, input.margins.near_gap)
    } else {
        w.splat(input.margins.near_gap)
    };
    Answer { touch, motion, gap_left, near }
}

#[inline(always)]
fn boxes<W: Width>(
    w: W,
    batch: &PairBatch,
    input: &PairInput,
    motion: &RelativeMotion<W::L>,
) -> (Touch<W::L>, W::L) {
    let pose = &motion.pose;
    motion.with_gap(w, (batch, input), pose.boxes(w), (&Brick(pose.a.half), &Brick(pose.b.half)))
}

#[inline(always)]
fn circles<W: Width>(
    w: W,
    batch: &PairBatch,
    input: &PairInput,
    motion: &RelativeMotion<W::L>,
) -> (Touch<W::L>, W::L) {
    let pose = &motion.pose;
    motion.with_gap(w, (batch, input), pose.circles(w), (&Ball::of(&pose.a), &Ball::of(&pose.b)))
}

#[inline(always)]
fn core_circle<W: Width>(
    w: W,
    batch: &PairBatch,
    input: &PairInput,
    motion: &RelativeMotion<W::L>,
) -> (Touch<W::L>, W::L) {
    let pose = &motion.pose;
    let core = core_of(w, input, &batch.a, &pose.a);
    motion.with_gap(w, (batch, input), pose.core_circle(w, &core), (&core, &Ball::of(&pose.b)))
}

#[inline(always)]
fn circle_core<W: Width>(
    w: W,
    batch: &PairBatch,
    input: &PairInput,
    motion: &RelativeMotion<W::L>,
) -> (Touch<W::L>, W::L) {
    let pose = &motion.pose;
    let core = core_of(w, input, &batch.b, &pose.b);
    motion.with_gap(w, (batch, input), pose.circle_core(w, &core), (&Ball::of(&pose.a), &core))
}

#[inline(always)]
fn cores<W: Width>(
    w: W,
    batch: &PairBatch,
    input: &PairInput,
    motion: &RelativeMotion<W::L>,
) -> (Touch<W::L>, W::L) {
    let pose = &motion.pose;
    let (a, b) = (core_of(w, input, &batch.a, &pose.a), core_of(w, input, &batch.b, &pose.b));
    motion.with_gap(w, (batch, input), pose.cores(w, (&a, &b)), (&a, &b))
}

/// The cores of eight parts.
#[inline(always)]
fn core_of<W: Width>(w: W, input: &PairInput, parts: &[u32; LANES], placed: &Placed<W::L>) -> Cores<W::L> {
    let mut forms = [0; LANES];
    for k in 0..LANES {
        forms[k] = input.form[parts[k] as usize];
    }
    Cores::read(w, &input.forms, &forms, placed.half)
}

/// Results for eight pairs, row by row.
struct Eightfold {
    rows: [[f32; LANES]; LANES],
    ids: [[u32; LANES]; 2],
    count: [u32; LANES],
    way: [[f32; LANES]; 2],
}

impl<V: Vector> Answer<V> {
    #[inline(always)]
    fn by_rows(&self) -> Eightfold {
        let ([first, second], [way_x, way_y]) = (self.touch.ids, self.motion.pose.way);
        Eightfold {
            rows: transpose_lanes(self.row()).map(scatter),
            ids: [scatter_whole(first), scatter_whole(second)],
            count: scatter_whole(self.touch.count),
            way: [scatter(way_x), scatter(way_y)],
        }
    }
}

impl Eightfold {
    /// The result of pair `k`.
    #[inline(always)]
    fn found(&self, k: usize) -> FoundContact {
        let ids = [FeatureId::from_number(self.ids[0][k]), FeatureId::from_number(self.ids[1][k])];
        let way = Vec2::new(self.way[0][k], self.way[1][k]);
        FoundContact { row: ManifoldRow::from_lanes(self.rows[k]), ids, count: self.count[k] as u8, way }
    }
}

impl Answer<f32> {
    fn found(&self) -> FoundContact {
        let ids = self.touch.ids.map(|id| FeatureId::from_number(id as u32));
        let way = Vec2::from(self.motion.pose.way);
        FoundContact { row: ManifoldRow::from_lanes(self.row()), ids, count: self.touch.count as u8, way }
    }
}

/// Eight pairs: the kernel, then row by row into the contacts.
#[inline(always)]
fn eight<S: Vectors>(
    w: AllLanes<S>,
    kind: KernelKind,
    batch: &PairBatch,
    input: &PairInput,
    sink: &mut ManifoldSink,
) {
    let found = w.apart_in_debug(
        #[inline(always)]
        || answer(w, kind, batch, input),
    );
    let (doubtful, by_rows) = (bits(found.touch.doubtful), found.by_rows());
    let RelativeMotion { approach: [x, y], turn, .. } = found.motion;
    let (approach, turn, gap_left) = ([scatter(x), scatter(y)], scatter(turn), scatter(found.gap_left));
    let near = scatter(found.near);
    for k in 0..batch.count {
        if doubtful >> k & 1 == 1 {
            sink.output.left.push(batch.contacts[k]);
            continue;
        }
        let way = Vec2::new(approach[0][k], approach[1][k]);
        let approach = Approach { way, turn: turn[k], gap_left: gap_left[k], near: near[k] };
        put(kind, batch, k, by_rows.found(k), approach, sink);
    }
}

/// One pair by the same code: the reference of [`eight`].
fn one(w: OneLane, kind: KernelKind, batch: &PairBatch, input: &PairInput, sink: &mut ManifoldSink) {
    let k = w.0;
    let found = answer(w, kind, batch, input);
    if found.touch.doubtful {
        sink.output.left.push(batch.contacts[k]);
        return;
    }
    let RelativeMotion { approach: way, turn, .. } = found.motion;
    let approach = Approach { way: Vec2::from(way), turn, gap_left: found.gap_left, near: found.near };
    put(kind, batch, k, found.found(), approach, sink);
}

#[inline(always)]
fn put(
    kind: KernelKind,
    batch: &PairBatch,
    k: usize,
    mut found: FoundContact,
    approach: Approach,
    sink: &mut ManifoldSink,
) {
    if kind == KernelKind::Circles && found.way == Vec2::ZERO {
        found.spread(batch.a[k].wrapping_add(batch.b[k]));
    }
    sink.put(batch.contacts[k], found, approach);
}
