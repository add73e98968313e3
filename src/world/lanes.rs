//! Pairs of one kind, eight at a time, from their rows to their manifolds.
//!
//! In: contacts whose bodies are in one region, placed parts and their forms, velocities. Out: their manifolds, through
//! [`Sink`]; and the contacts that the kernels leave to others. Called by `collide.rs`, a list a kind.
//!
//! ```text
//!   Boxes    sharp boxes             narrowphase/obb.rs; where two corners decide, they are cores
//!   Circles  two circles             narrowphase/round.rs
//!   CircleCore, CoreCircle, Cores    narrowphase/cores.rs
//! ```
//!
//! A stands at the origin, so that nothing depends on where in the region both are.

use glam::Vec2;

use super::sink::{Approach, Found, Sink};
use crate::body::collider::PlacedRow;
use crate::contact::{Shares, flag};
use crate::narrowphase::cores::{self, Cores, Terms, Touch};
use crate::narrowphase::{FeatureId, obb, round};
use crate::simd::{
    AllLanes, EIGHT, LANES, Lane, Level, OneLane, Simd, Width, bits, dispatch, inlined, scatter,
    scatter_whole, transpose_lanes,
};
use crate::tuning::{NEAR_GAP, SEPARATION_NOISE, SPECULATIVE_DISTANCE};

/// What pairs are made from.
pub(super) struct Columns<'w> {
    pub(super) placed: &'w [PlacedRow],
    /// Form of each part.
    pub(super) form: &'w [u32],
    pub(super) forms: cores::Forms<'w>,
    /// Of bodies, by row: velocities after the first kick, and what gravity and forces add to them in each sub-step.
    pub(super) velocity: &'w [[f32; 4]],
    pub(super) push: &'w [[f32; 4]],
    /// Rows of bodies.
    pub(super) rows: &'w [u32],
    pub(super) dt: f32,
    /// How far a body gets by its push in the step, for each of it, beyond what the velocity tells.
    pub(super) fall: f32,
}

/// Which kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Boxes,
    Circles,
    /// A is the circle.
    CircleCore,
    /// B is the circle.
    CoreCircle,
    Cores,
}

/// Eight pairs; those beyond `count` repeat the first.
struct Job {
    contacts: [u32; LANES],
    count: usize,
    a: [u32; LANES],
    b: [u32; LANES],
    row_a: [u32; LANES],
    row_b: [u32; LANES],
    /// -1 where A is immovable, 1 where B is, 0 where neither.
    stands: [f32; LANES],
}

impl Job {
    #[inline(always)]
    fn new(contacts: &[u32], columns: Shares, rows: &[u32]) -> Job {
        let mut job = Job {
            contacts: [contacts[0]; LANES],
            count: contacts.len(),
            a: [0; LANES],
            b: [0; LANES],
            row_a: [0; LANES],
            row_b: [0; LANES],
            stands: [0.0; LANES],
        };
        job.contacts[..contacts.len()].copy_from_slice(contacts);
        for k in 0..LANES {
            let contact = job.contacts[k] as usize;
            let (pair, link) = (columns.pair[contact], columns.link.get(contact));
            (job.a[k], job.b[k]) = (pair.a, pair.b);
            (job.row_a[k], job.row_b[k]) = (rows[link.body_a as usize], rows[link.body_b as usize]);
            let (one_sided, a) = (link.flags & flag::ONE_SIDED != 0, link.flags & flag::A_STANDS != 0);
            job.stands[k] = f32::from(i8::from(one_sided) * if a { -1 } else { 1 });
        }
        job
    }
}

/// Tests all `contacts`, which are of one kind. What the kernel leaves to others, the sink is told.
pub(super) fn collide(
    level: Option<Level>,
    kind: Kind,
    contacts: &[u32],
    columns: &Columns,
    sink: &mut Sink,
) {
    match level {
        Some(level) if EIGHT => dispatch!(level, simd => {
            match kind {
                Kind::Boxes => all(simd, Kind::Boxes, contacts, columns, sink),
                Kind::Circles => all(simd, Kind::Circles, contacts, columns, sink),
                Kind::CircleCore => all(simd, Kind::CircleCore, contacts, columns, sink),
                Kind::CoreCircle => all(simd, Kind::CoreCircle, contacts, columns, sink),
                Kind::Cores => all(simd, Kind::Cores, contacts, columns, sink),
            }
        }),
        _ => {
            for contacts in contacts.chunks(LANES) {
                let job = Job::new(contacts, sink.contacts, columns.rows);
                for lane in 0..contacts.len() {
                    one(OneLane(lane), kind, &job, columns, sink);
                }
            }
        }
    }
}

/// Eight pairs after eight; `kind` is known where this is compiled.
#[inline(always)]
fn all<S: Simd>(simd: S, kind: Kind, contacts: &[u32], columns: &Columns, sink: &mut Sink) {
    let w = AllLanes(simd);
    w.apart_in_debug(
        #[inline(always)]
        || {
            for contacts in contacts.chunks(LANES) {
                let job = Job::new(contacts, sink.contacts, columns.rows);
                eight(w, kind, &job, columns, sink);
            }
        },
    );
}

/// What was found for pairs, in one lane or in eight.
struct Answer<L: Lane> {
    /// Points from the middle of A's part.
    touch: Touch<L>,
    meeting: Meeting<L>,
    /// See [`Approach`].
    gap_left: L,
}

/// How two parts stand and move against each other.
struct Meeting<L: Lane> {
    a: Placed<L>,
    b: Placed<L>,
    /// From the middle of A's part to that of B's, and between the centres of mass.
    between: [L; 2],
    way: [L; 2],
    /// See [`Approach`].
    approach: [L; 2],
    turn: L,
    /// How far B goes against A at its velocity.
    goes: [L; 2],
    /// How far each of the two turns.
    turns: [L; 2],
    /// How far each reaches from its centre of mass.
    reaches: [L; 2],
    terms: Terms<L>,
}

/// The row of a part.
struct Placed<L> {
    cos: L,
    sin: L,
    half: [L; 2],
    offset: [L; 2],
}

impl<L: Lane> Meeting<L> {
    #[inline(always)]
    fn new<W: Width<L = L>>(w: W, job: &Job, columns: &Columns) -> Meeting<L> {
        let [a_x, a_y, a_cos, a_sin, a_hx, a_hy, a_ox, a_oy] = w.gather_eight(columns.placed, &job.a);
        let [b_x, b_y, b_cos, b_sin, b_hx, b_hy, b_ox, b_oy] = w.gather_eight(columns.placed, &job.b);
        let [va_x, va_y, w_a, _] = w.gather(columns.velocity, &job.row_a);
        let [vb_x, vb_y, w_b, _] = w.gather(columns.velocity, &job.row_b);
        let (zero, dt) = (w.splat(0.0), w.splat(columns.dt));
        let (x, y) = (b_x - a_x, b_y - a_y);
        let (way_x, way_y) = ((x - b_ox) + a_ox, (y - b_oy) + a_oy);
        let (size_a, size_b) = ((a_hx * a_hx + a_hy * a_hy).sqrt(), (b_hx * b_hx + b_hy * b_hy).sqrt());
        let reach_a = size_a + (a_ox * a_ox + a_oy * a_oy).sqrt();
        let reach_b = size_b + (b_ox * b_ox + b_oy * b_oy).sqrt();
        // Seen from the larger one, as `Approach::new` says.
        let (turn_a, turn_b) = (w_a * dt, w_b * dt);
        let larger = L::select(reach_b.le(reach_a), turn_a, turn_b);
        let goes = [(vb_x - va_x) * dt, (vb_y - va_y) * dt];
        let approach = [goes[0] + way_y * larger, goes[1] - way_x * larger];
        let turn = (turn_b - turn_a).abs() * reach_a.smaller(reach_b);
        let reach = (approach[0] * approach[0] + approach[1] * approach[1]).sqrt() + turn;
        let stands = w.read(&job.stands);
        let terms = Terms {
            margin: reach + w.splat(SPECULATIVE_DISTANCE),
            noise: w.splat(SEPARATION_NOISE) * ((size_a + size_b) + x.abs().larger(y.abs())),
            stands: [stands.lt(zero), zero.lt(stands)],
        };
        let a = Placed { cos: a_cos, sin: a_sin, half: [a_hx, a_hy], offset: [a_ox, a_oy] };
        let b = Placed { cos: b_cos, sin: b_sin, half: [b_hx, b_hy], offset: [b_ox, b_oy] };
        let (turns, reaches) = ([turn_a, turn_b], [reach_a, reach_b]);
        Meeting { a, b, between: [x, y], way: [way_x, way_y], approach, turn, goes, turns, reaches, terms }
    }

    /// A touch with the gap that is left: see [`Meeting::gap_left`].
    #[inline(always)]
    fn with_gap<W: Width<L = L>>(
        &self,
        w: W,
        of: (&Job, &Columns),
        touch: Touch<L>,
        (low_a, low_b): ((impl Fn([L; 2]) -> L, L), (impl Fn([L; 2]) -> L, L)),
    ) -> (Touch<L>, L) {
        let gap_left = w.apart_in_debug(
            #[inline(always)]
            || self.gap_left(w, of, &touch, low_a, low_b),
        );
        (touch, gap_left)
    }

    /// The gap along the normal n of `touch` that is sure to be left at all times of the step, as predict.rs foresees it, for parts that are
    /// apart and may come together; of others, nothing. Of A and of B: how low it gets along a direction, from its middle, and how far
    /// what turns reaches.
    ///
    /// A corner c, seen from the centre of mass, of what turns by φ rises by φ n·c⊥ and bends off that by no more than ½ φ² |c|: K of
    /// `cast.rs` for a normal that stands still. So
    ///
    /// ```text
    ///   gap at the end >= n·(between + goes) + φ_b n·o_b⊥ - φ_a n·o_a⊥ + low_b(n + φ_b n') + low_a(-(n + φ_a n')) - ½ Σ φ² reach
    /// ```
    ///
    /// with o from the centre of mass to the middle and n' = (n_y, -n_x). In between it is no less than at the start or at the end: a least
    /// of lines, less a square. (Half of those that the bound on turning alone lets through are turned away here, and not cast.)
    #[inline(always)]
    fn gap_left<W: Width<L = L>>(
        &self,
        w: W,
        (job, columns): (&Job, &Columns),
        touch: &Touch<L>,
        (low_a, reach_a): (impl Fn([L; 2]) -> L, L),
        (low_b, reach_b): (impl Fn([L; 2]) -> L, L),
    ) -> L {
        let (zero, n, [first, second]) = (w.splat(0.0), touch.normal, &touch.points);
        let nearer = first.separation.smaller(second.separation);
        let gap = L::select(touch.count.lt(w.splat(2.0)), first.separation, nearer);
        let closes = self.turn - (n[0] * self.approach[0] + n[1] * self.approach[1]);
        let comes = zero.lt(touch.count) & w.splat(NEAR_GAP).lt(gap) & gap.lt(closes);
        if !w.any(comes) {
            return zero;
        }
        let [pa_x, pa_y, ..] = w.gather(columns.push, &job.row_a);
        let [pb_x, pb_y, ..] = w.gather(columns.push, &job.row_b);
        let fall = w.splat(columns.fall);
        let goes = [self.goes[0] + fall * (pb_x - pa_x), self.goes[1] + fall * (pb_y - pa_y)];
        let ([turn_a, turn_b], [o_a, o_b]) = (self.turns, [self.a.offset, self.b.offset]);
        let rises = inlined(
            #[inline(always)]
            |turn: L, o: [L; 2]| turn * (n[1] * o[0] - n[0] * o[1]),
        );
        let along = inlined(
            #[inline(always)]
            |turn: L| [n[0] + turn * n[1], n[1] - turn * n[0]],
        );
        let [back_x, back_y] = along(turn_a);
        let lowest = low_b(along(turn_b)) + low_a([-back_x, -back_y]);
        let (x, y) = (self.between[0] + goes[0], self.between[1] + goes[1]);
        let bend = turn_a * turn_a * reach_a + turn_b * turn_b * reach_b;
        let left = (n[0] * x + n[1] * y) + (rises(turn_b, o_b) - rises(turn_a, o_a)) + lowest;
        L::select(comes, left - w.splat(0.5) * bend, zero)
    }
}

impl<L: Lane> Placed<L> {
    /// A direction as the part itself sees it.
    #[inline(always)]
    fn own(&self, m: [L; 2]) -> [L; 2] {
        [m[0] * self.cos + m[1] * self.sin, m[1] * self.cos - m[0] * self.sin]
    }
}

impl<L: Lane> Answer<L> {
    /// The manifold's row, number by number, points from A's centre of mass.
    #[inline(always)]
    fn row(&self) -> [L; 8] {
        let (n, [p, q], o) = (self.touch.normal, &self.touch.points, self.meeting.a.offset);
        let (p_x, p_y) = (p.point[0] + o[0], p.point[1] + o[1]);
        let (q_x, q_y) = (q.point[0] + o[0], q.point[1] + o[1]);
        [n[0], n[1], p_x, p_y, p.separation, q_x, q_y, q.separation]
    }
}

/// The kernel.
#[inline(always)]
fn answer<W: Width>(w: W, kind: Kind, job: &Job, columns: &Columns) -> Answer<W::L> {
    let meeting = w.apart_in_debug(
        #[inline(always)]
        || Meeting::new(w, job, columns),
    );
    let (touch, gap_left) = match kind {
        Kind::Boxes => boxes(w, job, columns, &meeting),
        Kind::Circles => circles(w, job, columns, &meeting),
        Kind::CircleCore => circle_core(w, job, columns, &meeting),
        Kind::CoreCircle => core_circle(w, job, columns, &meeting),
        Kind::Cores => cores(w, job, columns, &meeting),
    };
    Answer { touch, meeting, gap_left }
}

#[inline(always)]
fn boxes<W: Width>(w: W, job: &Job, columns: &Columns, meeting: &Meeting<W::L>) -> (Touch<W::L>, W::L) {
    let (zero, margin) = (w.splat(0.0), meeting.terms.margin);
    let boxed = |placed: &Placed<W::L>, center: [W::L; 2]| obb::Boxes {
        center,
        half: placed.half,
        cos: placed.cos,
        sin: placed.sin,
        radius: zero,
    };
    let (a, b) = (boxed(&meeting.a, [zero, zero]), boxed(&meeting.b, meeting.between));
    let packed = obb::pack(&obb::contacts(&a, &b, margin), margin);
    let [a_stands, b_stands] = meeting.terms.stands;
    // Both axes of the immovable box, the one along which the normal lies.
    let x = [Lane::select(a_stands, a.cos, b.cos), Lane::select(a_stands, a.sin, b.sin)];
    let n = packed.normal;
    let (along, across) = (n[0] * x[0] + n[1] * x[1], n[1] * x[0] - n[0] * x[1]);
    let is_x = across.abs().lt(along.abs());
    let face = [Lane::select(is_x, x[0], -x[1]), Lane::select(is_x, x[1], x[0])];
    let back = Lane::select(is_x, along, across).lt(zero);
    let face = [Lane::select(back, -face[0], face[0]), Lane::select(back, -face[1], face[1])];
    let touch = Touch {
        normal: cores::straightened(n, face, a_stands | b_stands),
        points: packed.points,
        ids: packed.ids,
        count: packed.count,
        doubtful: packed.corners,
    };
    let (low_a, low_b) = (box_low(&meeting.a, meeting.reaches[0]), box_low(&meeting.b, meeting.reaches[1]));
    meeting.with_gap(w, (job, columns), touch, (low_a, low_b))
}

#[inline(always)]
fn circles<W: Width>(w: W, job: &Job, columns: &Columns, meeting: &Meeting<W::L>) -> (Touch<W::L>, W::L) {
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let a = round::Circles { center: [zero, zero], radius: meeting.a.half[0] };
    let b = round::Circles { center: meeting.between, radius: meeting.b.half[0] };
    let found = round::contacts(&a, &b);
    let near = found.separation.le(meeting.terms.margin);
    let only = |number: W::L| Lane::select(near, number, zero);
    let point = [only(found.point[0]), only(found.point[1])];
    let touch = Touch {
        normal: [only(found.normal[0]), only(found.normal[1])],
        points: [
            obb::Point { point, separation: only(found.separation) },
            obb::Point { point: [zero, zero], separation: zero },
        ],
        ids: [only(w.splat(FeatureId::ROUND_NUMBER)), zero],
        count: only(one),
        doubtful: one.lt(zero),
    };
    let (low_a, low_b) =
        (round_low(&meeting.a, meeting.reaches[0]), round_low(&meeting.b, meeting.reaches[1]));
    meeting.with_gap(w, (job, columns), touch, (low_a, low_b))
}

/// How low a box gets along a direction, from its middle, and how far it reaches.
#[inline(always)]
fn box_low<L: Lane>(placed: &Placed<L>, reach: L) -> (impl Fn([L; 2]) -> L, L) {
    (
        #[inline(always)]
        move |m| {
            let ([x, y], [half_x, half_y]) = (placed.own(m), placed.half);
            -(x.abs() * half_x + y.abs() * half_y)
        },
        reach,
    )
}

/// The same of a circle: as low in all directions, and only its centre goes round.
#[inline(always)]
fn round_low<L: Lane>(placed: &Placed<L>, reach: L) -> (impl Fn([L; 2]) -> L, L) {
    let radius = placed.half[0];
    (
        #[inline(always)]
        move |_| -radius,
        reach - radius,
    )
}

/// The same of a core.
#[inline(always)]
fn core_low<'c, L: Lane>(
    core: &'c Cores<L>,
    placed: &'c Placed<L>,
    reach: L,
) -> (impl Fn([L; 2]) -> L + 'c, L) {
    (
        #[inline(always)]
        move |m| core.lowest(placed.own(m)) - core.radius,
        reach,
    )
}

#[inline(always)]
fn core_circle<W: Width>(w: W, job: &Job, columns: &Columns, meeting: &Meeting<W::L>) -> (Touch<W::L>, W::L) {
    let (a, [x, y]) = (&meeting.a, meeting.between);
    let core = Cores::read(w, &columns.forms, &forms_of(columns, &job.a), a.half);
    let center = [x * a.cos + y * a.sin, y * a.cos - x * a.sin];
    let radius = meeting.b.half[0];
    let touch = cores::collide_circles(w, &core, (center, radius), &meeting.terms, true).turned(a.cos, a.sin);
    let (low_a, low_b) = (core_low(&core, a, meeting.reaches[0]), round_low(&meeting.b, meeting.reaches[1]));
    meeting.with_gap(w, (job, columns), touch, (low_a, low_b))
}

#[inline(always)]
fn circle_core<W: Width>(w: W, job: &Job, columns: &Columns, meeting: &Meeting<W::L>) -> (Touch<W::L>, W::L) {
    let (b, [x, y]) = (&meeting.b, meeting.between);
    let core = Cores::read(w, &columns.forms, &forms_of(columns, &job.b), b.half);
    let center = [-(x * b.cos + y * b.sin), -(y * b.cos - x * b.sin)];
    let [a_stands, b_stands] = meeting.terms.stands;
    let terms = Terms { stands: [b_stands, a_stands], ..meeting.terms };
    let radius = meeting.a.half[0];
    let touch = cores::collide_circles(w, &core, (center, radius), &terms, false);
    let touch = touch.turned(b.cos, b.sin).flipped(meeting.between);
    let (low_a, low_b) = (round_low(&meeting.a, meeting.reaches[0]), core_low(&core, b, meeting.reaches[1]));
    meeting.with_gap(w, (job, columns), touch, (low_a, low_b))
}

#[inline(always)]
fn cores<W: Width>(w: W, job: &Job, columns: &Columns, meeting: &Meeting<W::L>) -> (Touch<W::L>, W::L) {
    let (form_a, form_b) = (forms_of(columns, &job.a), forms_of(columns, &job.b));
    let (a, b) = (&meeting.a, &meeting.b);
    let core = inlined(
        #[inline(always)]
        |forms: &[u32; LANES], half: [W::L; 2]| {
            w.apart_in_debug(
                #[inline(always)]
                || Cores::read(w, &columns.forms, forms, half),
            )
        },
    );
    let (core_a, core_b) = (core(&form_a, a.half), core(&form_b, b.half));
    let turn = [a.cos * b.cos + a.sin * b.sin, a.cos * b.sin - a.sin * b.cos];
    let [x, y] = meeting.between;
    let at = [x * a.cos + y * a.sin, y * a.cos - x * a.sin];
    let touch = cores::collide(w, &core_a, &core_b, (turn, at), &meeting.terms).turned(a.cos, a.sin);
    let (low_a, low_b) = (core_low(&core_a, a, meeting.reaches[0]), core_low(&core_b, b, meeting.reaches[1]));
    meeting.with_gap(w, (job, columns), touch, (low_a, low_b))
}

#[inline(always)]
fn forms_of(columns: &Columns, parts: &[u32; LANES]) -> [u32; LANES] {
    let mut forms = [0; LANES];
    for k in 0..LANES {
        forms[k] = columns.form[parts[k] as usize];
    }
    forms
}

/// Eight pairs: the kernel, then row by row into the contacts.
#[inline(always)]
fn eight<S: Simd>(w: AllLanes<S>, kind: Kind, job: &Job, columns: &Columns, sink: &mut Sink) {
    let found = w.apart_in_debug(
        #[inline(always)]
        || answer(w, kind, job, columns),
    );
    let doubtful = bits(found.touch.doubtful);
    let rows = transpose_lanes(found.row()).map(scatter);
    let (count, [first, second]) = (scatter_whole(found.touch.count), found.touch.ids);
    let ids = [scatter_whole(first), scatter_whole(second)];
    let Meeting { approach: [x, y], turn, way: [way_x, way_y], .. } = found.meeting;
    let (approach, turn, gap_left) = ([scatter(x), scatter(y)], scatter(turn), scatter(found.gap_left));
    let way = [scatter(way_x), scatter(way_y)];
    for k in 0..job.count {
        if doubtful >> k & 1 == 1 {
            sink.finds.left.push(job.contacts[k]);
            continue;
        }
        let ids = [FeatureId::from_number(ids[0][k]), FeatureId::from_number(ids[1][k])];
        let way = Vec2::new(way[0][k], way[1][k]);
        let found = Found { row: rows[k], ids, count: count[k] as u8, way };
        let way_of = Vec2::new(approach[0][k], approach[1][k]);
        let approach = Approach { way: way_of, turn: turn[k], gap_left: gap_left[k] };
        put(kind, job, k, found, approach, sink);
    }
}

/// One pair in the same lines: the reference of [`eight`].
fn one(w: OneLane, kind: Kind, job: &Job, columns: &Columns, sink: &mut Sink) {
    let k = w.0;
    let found = answer(w, kind, job, columns);
    if found.touch.doubtful {
        sink.finds.left.push(job.contacts[k]);
        return;
    }
    let row = found.row();
    let ids = found.touch.ids.map(|id| FeatureId::from_number(id as u32));
    let Meeting { approach: way, turn, .. } = found.meeting;
    let approach = Approach { way: Vec2::from(way), turn, gap_left: found.gap_left };
    let found = Found { row, ids, count: found.touch.count as u8, way: Vec2::from(found.meeting.way) };
    put(kind, job, k, found, approach, sink);
}

#[inline(always)]
fn put(kind: Kind, job: &Job, k: usize, mut found: Found, approach: Approach, sink: &mut Sink) {
    if kind == Kind::Circles && found.way == Vec2::ZERO {
        found.spread(job.a[k].wrapping_add(job.b[k]));
    }
    sink.put(job.contacts[k], found, approach);
}
