//! Time of impact of fast pairs of one kind, eight at a time, by conservative advancement.
//!
//! In: contacts whose parts are apart and may come together. Out: the manifold of the moment they
//! will touch, given to the solver from the start of the step; or nothing, if they pass each other
//! by. Pairs that take too many rounds are cast one by one, see `predicted_impacts.rs`.
//!
//! ```text
//!   touch     of the two as they stand after a share t of the step: how far they are apart, and
//!             along which normal
//!   advance   to a time until which that normal is sure to keep them apart, by
//!             `RelativePose::gap_after`
//!   again     until they are within the meeting gap, and meet; or the normal keeps them apart
//! ```
//!
//! The bound is concave, so it lies above its chord from now to the end of the step: where the
//! chord comes down to the target, the bound is still above. A second chord from there covers most
//! of the rest. So no time is too late, and rounds are few: among half a million pairs in a stirred
//! heap, half needed no more than two rounds, one in five more than three, and one in 250 more than
//! [`MEETING_ROUNDS`].

use super::pose::{Ball, Course, Placed, RelativePose, Side};
use super::{Answer, KernelKind, PairBatch, PairInput, RelativeMotion, core_of};
use crate::narrowphase::cores::{Terms, Touch};
use crate::narrowphase::obb::KernelPoint;
use crate::simd::{AllLanes, LANES, Lane, Level, OneLane, Vectors, Width, bits, dispatch, inlined};
use crate::solver::joints::turn;
use crate::step::collide::write::ManifoldSink;
use crate::tuning::MarginTuning;

/// Rounds after which a pair is cast alone.
const MEETING_ROUNDS: usize = 12;

/// Finds where `contacts`, which are of one kind, will meet; pairs that take too many rounds are
/// listed in the sink.
pub(crate) fn foresee(
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
                land_one(OneLane(lane), kind, &batch, input, sink);
            }
        }
    }, simd => {
        match kind {
            KernelKind::Circles => land_eights(simd, KernelKind::Circles, contacts, input, sink),
            KernelKind::CircleCore => land_eights(simd, KernelKind::CircleCore, contacts, input, sink),
            KernelKind::CoreCircle => land_eights(simd, KernelKind::CoreCircle, contacts, input, sink),
            KernelKind::Boxes | KernelKind::Cores => land_eights(simd, KernelKind::Cores, contacts, input, sink),
        }
    });
}

/// Results for pairs, in one lane or eight.
struct Landing<L: Lane> {
    answer: Answer<L>,
    /// Lanes that meet, and lanes that are undecided.
    meets: L::Mask,
    doubtful: L::Mask,
}

/// Finds where eight pairs (or one) that are apart will meet.
#[inline(always)]
fn land<W: Width>(w: W, kind: KernelKind, batch: &PairBatch, input: &PairInput) -> Landing<W::L> {
    let motion = RelativeMotion::new(w, batch, input);
    let RelativeMotion { pose: RelativePose { a, b, .. }, .. } = &motion;
    let (ball_a, ball_b) = (Ball::of(a), Ball::of(b));
    let at = (batch, input);
    match kind {
        KernelKind::Circles => fly(
            w,
            at,
            motion,
            (&ball_a, &ball_b),
            #[inline(always)]
            |pose| pose.circles(w),
            MarginTuning::MEETING_SHARE_OF_CIRCLES,
        ),
        KernelKind::CircleCore => {
            let core = core_of(w, input, &batch.b, b);
            fly(
                w,
                at,
                motion,
                (&ball_a, &core),
                #[inline(always)]
                |pose| pose.circle_core(w, &core),
                MarginTuning::MEETING_SHARE,
            )
        }
        KernelKind::CoreCircle => {
            let core = core_of(w, input, &batch.a, a);
            fly(
                w,
                at,
                motion,
                (&core, &ball_b),
                #[inline(always)]
                |pose| pose.core_circle(w, &core),
                MarginTuning::MEETING_SHARE,
            )
        }
        KernelKind::Boxes | KernelKind::Cores => {
            let (core_a, core_b) = (core_of(w, input, &batch.a, a), core_of(w, input, &batch.b, b));
            fly(
                w,
                at,
                motion,
                (&core_a, &core_b),
                #[inline(always)]
                |pose| pose.cores(w, (&core_a, &core_b)),
                MarginTuning::MEETING_SHARE,
            )
        }
    }
}

/// Advances the two along their motion until they meet: see the head.
#[inline(always)]
fn fly<W: Width>(
    w: W,
    at: (&PairBatch, &PairInput),
    motion: RelativeMotion<W::L>,
    sides: (&impl Side<W::L>, &impl Side<W::L>),
    touch: impl Fn(&RelativePose<W::L>) -> Touch<W::L>,
    small: f32,
) -> Landing<W::L> {
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let (course, start) = (motion.course(w, at), &motion.pose);
    let [reach_a, reach_b] = course.reaches;
    let near = (w.splat(small) * reach_a.smaller(reach_b)).smaller(w.splat(at.1.margins.meeting_gap));
    let near = near.larger(start.terms.noise * w.splat(8.0));
    // At any distance; and along the separating normal, not snapped to the normal of a face.
    let nobody = zero.lt(zero);
    let open = Terms { margin: w.splat(f32::MAX), stands: [nobody, nobody], ..start.terms };
    let (mut time, mut flies, mut meets, mut doubtful) = (zero, zero.lt(one), nobody, nobody);
    for _ in 0..MEETING_ROUNDS {
        let round = w.apart(
            #[inline(always)]
            || {
                let now = start.after(w, &course, time, open);
                Round::new(w, (&now, &course), &touch(&now), sides, (one - time, near))
            },
        );
        doubtful = doubtful | (flies & round.doubtful);
        meets = meets | (flies & round.meets & !round.doubtful);
        flies = flies & !(round.doubtful | round.meets | round.stays_apart);
        if !w.any(flies) {
            break;
        }
        time = Lane::select(flies, time + round.advance, time);
    }
    // Tried 4 cm, for bodies that land nearly flat on one end and are thrown onto the other: half
    // as many landings gain energy, but flush seams are felt by 2 cm, and a crushed heap stays 16
    // cm deep. Tried 1.5 times the remaining displacement of the far end of a bar, up to 4 cm: 43
    // of 3,441 landings gain energy instead of 75, but a crushed heap stays 6 cm deep, and landings
    // on the ledge of a chain gain more often than on boxes.
    let pose = start.after(w, &course, time, Terms { margin: w.splat(at.1.margins.near_gap), ..start.terms });
    let touch = touch(&pose);
    // If they are slightly farther apart than in the round before, a meeting pair may be out of
    // reach.
    let unclear = touch.doubtful | !zero.lt(touch.count);
    let doubtful = doubtful | flies | (meets & unclear);
    let touch = pose.back(w, touch, &course, time);
    let motion = RelativeMotion { pose, ..motion };
    Landing { answer: Answer { touch, motion, gap_left: zero, near: zero }, meets, doubtful }
}

/// Result of one round of advancement.
struct Round<L: Lane> {
    meets: L::Mask,
    /// They stay apart to the end of the step.
    stays_apart: L::Mask,
    doubtful: L::Mask,
    /// Else the share of the step for which they are sure to stay apart.
    advance: L,
}

impl<L: Lane> Round<L> {
    /// From a touch at the present pose `now`, with a share `left` of the step to go; they meet at
    /// a gap of `near`.
    #[inline(always)]
    fn new<W: Width<L = L>>(
        w: W,
        (now, course): (&RelativePose<L>, &Course<L>),
        touch: &Touch<L>,
        sides: (&impl Side<L>, &impl Side<L>),
        (left, near): (L, L),
    ) -> Round<L> {
        let (zero, one, target) = (w.splat(0.0), w.splat(1.0), w.splat(0.5) * near);
        let gap_after = inlined(
            #[inline(always)]
            |course: &Course<L>, share: L| now.gap_after(w, course, touch.normal, sides, share),
        );
        // The normal may be fixed, or turn with one of the two: the choice that keeps them apart
        // for longest.
        let [turn_a, turn_b] = course.turns;
        let (with_a, with_b) = (course.seen_turning(now.way, turn_a), course.seen_turning(now.way, turn_b));
        let (still, of_a, of_b) =
            (gap_after(course, left), gap_after(&with_a, left), gap_after(&with_b, left));
        let best = Course::select(still.lt(of_a), &with_a, course);
        let end = still.larger(of_a);
        let best = Course::select(end.lt(of_b), &with_b, &best);
        let end = end.larger(of_b);
        // t + (left - t) (gap(t) - target) / (gap(t) - gap(left)): where the chord from t to the
        // end comes down to the target.
        let chord = inlined(
            #[inline(always)]
            |share: L, gap: L| {
                let (over, drop) = ((gap - target).larger(zero), gap - end);
                let falls = zero.lt(drop);
                share + (left - share) * L::select(falls, over / L::select(falls, drop, one), zero)
            },
        );
        let first = gap_after(&best, zero);
        let soon = chord(zero, first);
        let found = zero.lt(touch.count);
        Round {
            // By the bound as well, which the next advance begins with.
            meets: found & touch.gap().smaller(first).le(near),
            stays_apart: target.lt(end),
            doubtful: touch.doubtful | !found,
            advance: chord(soon, gap_after(&best, soon)),
        }
    }
}

impl<L: Lane> RelativePose<L> {
    /// After a share `time` of the `course`, to 4e-7 of its size.
    #[inline(always)]
    fn after<W: Width<L = L>>(&self, w: W, course: &Course<L>, time: L, terms: Terms<L>) -> RelativePose<L> {
        let turned = inlined(
            #[inline(always)]
            |placed: &Placed<L>, angle: L| {
                let (sin, cos) = turn(w, angle);
                let by = inlined(
                    #[inline(always)]
                    |x: L, y: L| [cos * x - sin * y, sin * x + cos * y],
                );
                let [to_cos, to_sin] = by(placed.cos, placed.sin);
                let offset = by(placed.offset[0], placed.offset[1]);
                Placed { cos: to_cos, sin: to_sin, offset, half: placed.half }
            },
        );
        let ([turn_a, turn_b], [goes_x, goes_y]) = (course.turns, course.goes);
        let (a, b) = (turned(&self.a, turn_a * time), turned(&self.b, turn_b * time));
        let way = [self.way[0] + goes_x * time, self.way[1] + goes_y * time];
        let between = [way[0] + (b.offset[0] - a.offset[0]), way[1] + (b.offset[1] - a.offset[1])];
        RelativePose { a, b, between, way, terms }
    }

    /// A touch at `time`, moved back to the start of the step for the solver: its gaps are widened
    /// by the distance that the motion closes until then.
    #[inline(always)]
    fn back<W: Width<L = L>>(&self, w: W, touch: Touch<L>, course: &Course<L>, time: L) -> Touch<L> {
        let (n, [o_x, o_y], [turn_a, turn_b]) = (touch.normal, self.a.offset, course.turns);
        let along = n[0] * course.goes[0] + n[1] * course.goes[1];
        let back = inlined(
            #[inline(always)]
            |point: &KernelPoint<L>, others: f32| {
                let [x, y] = [point.point[0] + o_x, point.point[1] + o_y];
                let arm_a = x * n[1] - y * n[0];
                let arm_b = (x - self.way[0]) * n[1] - (y - self.way[1]) * n[0];
                let closed = along + (arm_b * turn_b - arm_a * turn_a);
                let is_there = w.splat(others).lt(touch.count);
                let separation = point.separation - closed * time;
                KernelPoint { separation: L::select(is_there, separation, point.separation), ..*point }
            },
        );
        let [first, second] = &touch.points;
        let points = [back(first, 0.0), back(second, 1.0)];
        Touch { points, ..touch }
    }
}

/// Runs over all pairs, eight at a time; `kind` is a compile-time constant.
#[inline(always)]
fn land_eights<S: Vectors>(
    simd: S,
    kind: KernelKind,
    contacts: &[u32],
    input: &PairInput,
    sink: &mut ManifoldSink,
) {
    let w = AllLanes(simd);
    for contacts in contacts.chunks(LANES) {
        let batch = PairBatch::new(contacts, sink.contacts, input.rows);
        let landing = land(w, kind, &batch, input);
        let (meets, doubtful) = (bits(landing.meets), bits(landing.doubtful));
        let by_rows = landing.answer.by_rows();
        for (k, &contact) in contacts.iter().enumerate() {
            if doubtful >> k & 1 == 1 {
                sink.output.left.push(contact);
            } else {
                sink.put_foreseen(contact, (meets >> k & 1 == 1).then(|| by_rows.found(k)).as_ref());
            }
        }
    }
}

/// One pair by the same code: the reference of [`land_eights`].
fn land_one(w: OneLane, kind: KernelKind, batch: &PairBatch, input: &PairInput, sink: &mut ManifoldSink) {
    let (landing, contact) = (land(w, kind, batch, input), batch.contacts[w.0]);
    if landing.doubtful {
        sink.output.left.push(contact);
    } else {
        sink.put_foreseen(contact, landing.meets.then(|| landing.answer.found()).as_ref());
    }
}
