//! Stage `collide`: from pairs to manifolds (narrowphase).
//!
//! In: candidate pairs, contacts, placed parts, velocities. Out: a manifold for every contact whose
//! parts come within the speculative distance, with impulses carried over from the points that were
//! there before.
//!
//! Candidate pairs that come near each other become contacts. Contacts that did not touch in the
//! step before are culled first, by circles and slabs around their parts (`cull.rs`, the sieve).
//! The rest is tested eight at a time, kind by kind (`wide.rs`). Tested one by one are half-planes,
//! chains, one-way parts, pairs with a hook, bodies in two regions, and pairs that the kernels
//! reject.
//!
//! Manifolds of pairs that hardly moved are not reused: checking that and rotating a manifold took
//! 44 ns per pair, and a new one takes 25 to 60.
//!
//! For a pair that is apart but comes together fast, `predicted_impacts.rs` finds the time of
//! impact, if there is one. `deep_overlap.rs` limits how fast deep overlaps are pushed apart.
//!
//! ```text
//!   here                  contacts into a list per kind of test; tests one by one
//!   cull.rs               mid-phase culling: drops pairs that stay apart
//!   wide.rs, wide/        tests eight at a time
//!   write.rs              manifolds and impulses into the rows of contacts (`ManifoldSink`)
//!   hooks.rs              one-way parts, hooks of the game
//!   predicted_impacts.rs  fast pairs: speculative contacts at their time of impact
//!   deep_overlap.rs       bodies deep in each other
//!   tile_ghosts.rs        drops ghost collisions of separate parts that lie flush
//!   bends.rs              bodies that slide over fixed faces at an angle
//! ```

mod bends;
pub(super) mod cull;
pub(super) mod deep_overlap;
pub(crate) mod hooks;
pub(super) mod predicted_impacts;
pub(super) mod tile_ghosts;
pub(super) mod wide;
pub(crate) mod write;

use glam::Vec2;

use crate::ablate::Rule;
use crate::body::collider::{PlacedRow, Proxy};
use crate::body::{Body, Collider};
use crate::broadphase::{Pair, Period};
use crate::contact::{ContactHeader, ContactShares, Test, flag};
use crate::math::{Transform, min};
use crate::narrowphase::{Manifold, collide_lines, collide_pieces, segment_ahead, smoothed};
use crate::shape::Piece;
use crate::threads::Team;
use crate::tuning::{MarginTuning, SurfaceTuning};
use crate::util::trim::trim;
use crate::world::{Proxies, World};
use tile_ghosts::{Before, GroundContact};
use wide::KernelKind;
use write::{Approach, ChunkOutput, FoundContact, ManifoldSink};

/// Pairs in a chunk, a multiple of the lanes: some microseconds of work.
const PAIR_GRAIN: usize = 256;

/// Pairs per chunk where pairs are tested one by one.
const PAIR_GRAIN_ALONE: usize = 32;

/// The number of kinds of tests: one for each kernel, and [`Test::Any`], which is one by one.
const TESTS: usize = Test::Any as usize + 1;

/// Index of the list of contacts that are culled before they are tested, in
/// [`CollideScratch::tests`]: after the lists of the kinds of tests.
const SIEVED: usize = TESTS;

/// Flags of contacts that other passes read too, or that are tested one by one.
const RARE: u16 = flag::SENSOR | flag::LINE | flag::ONE_SIDED | flag::ONE_WAY | flag::HOOKED;

/// Kernels in their order: the pairs that each tests, and the test of pairs that it rejects.
const KERNELS: [(Test, KernelKind, Test); 7] = [
    (Test::Boxes, KernelKind::Boxes, Test::Fours),
    (Test::Circles, KernelKind::Circles, Test::Any),
    (Test::CircleCore, KernelKind::CircleCore, Test::Any),
    (Test::CoreCircle, KernelKind::CoreCircle, Test::Any),
    (Test::Lines, KernelKind::Cores, Test::Any),
    (Test::Fours, KernelKind::Cores, Test::Any),
    (Test::Eights, KernelKind::Cores, Test::Any),
];

/// Lists that each step fills anew, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct CollideScratch {
    /// A list of contacts for each kind of [`Test`], and behind them the list [`SIEVED`]: contacts
    /// that did not touch in the step before. Culling moves those that come near into the list of
    /// their kind.
    pub(super) tests: [Vec<u32>; TESTS + 1],
    /// Outputs of the chunks of a list.
    pub(super) chunks: Vec<ChunkOutput>,
    /// Contacts with hooks or one-way parts.
    with_hooks: Vec<u32>,
    /// Contacts that are apart and come together fast.
    pub(crate) fast: Vec<u32>,
    /// Contacts whose parts overlap by more than a little.
    deep: Vec<u32>,
    /// By slot of a body: how many others it overlaps deeply.
    crowds: Vec<u32>,
    /// Pairs of bodies that overlap deeply.
    deep_pairs: deep_overlap::DeepPairs,
    /// Contacts of sensors.
    pub(crate) sensors: Vec<u32>,
    /// Contacts with immovable parts, by body.
    pub(crate) sides: Vec<GroundContact>,
    /// State of the touching contacts in `sides` before their tests.
    pub(crate) before: Vec<Before>,
    /// Candidate pairs that become contacts.
    pub(crate) near: Vec<Pair>,
    /// Contacts with lines.
    pub(crate) lines: Vec<u32>,
}

impl CollideScratch {
    /// Frees memory that the last step did not need.
    pub(crate) fn trim(&mut self) {
        self.tests.iter_mut().for_each(trim);
        [&mut self.fast, &mut self.lines].into_iter().for_each(trim);
        trim(&mut self.near);
        trim(&mut self.sides);
        trim(&mut self.before);
    }
}

impl World {
    /// Tests every pair.
    pub(crate) fn collide(&mut self, team: &Team, dt: f32) {
        if core::mem::take(&mut self.dirty.regions) {
            self.note_regions();
        }
        let mut scratch = core::mem::take(&mut self.scratch.collide);
        self.begin_near(team, &mut scratch, dt);
        self.sort_out(&mut scratch);
        self.sieve(team, &mut scratch, dt);
        self.collide_in_lanes(team, &mut scratch, dt);
        self.collide_alone(team, &mut scratch, dt);
        self.predict_impacts(team, &mut scratch, dt);
        self.limit_depenetration(&scratch.deep, &mut scratch.crowds, &mut scratch.deep_pairs);
        self.scratch.collide = scratch;
        self.replace_ghost_contacts(dt);
        self.wake_touched();
    }

    /// Sorts contacts into the lists of the passes that read them.
    fn sort_out(&mut self, scratch: &mut CollideScratch) {
        scratch.tests.iter_mut().for_each(Vec::clear);
        scratch.fast.clear();
        scratch.sides.clear();
        scratch.before.clear();
        scratch.sensors.clear();
        scratch.deep.clear();
        scratch.lines.clear();
        for contact in self.contacts.active.iter() {
            let link = &self.contacts.link[contact as usize];
            // A contact that touched most likely still does. (A branch on that costs more than the
            // rest of the loop: half of the contacts touched, so the processor could not predict
            // it.)
            let list = if link.count > 0 { link.test as usize } else { SIEVED };
            if link.flags & (RARE | flag::ONE_REGION) == flag::ONE_REGION {
                scratch.tests[list].push(contact);
                continue;
            }
            if link.flags & flag::SENSOR != 0 {
                scratch.sensors.push(contact);
                continue;
            }
            if link.flags & flag::LINE != 0 {
                scratch.lines.push(contact);
            }
            let plain = link.flags & (flag::ONE_WAY | flag::HOOKED) == 0;
            if link.flags & flag::ONE_SIDED != 0 {
                let stands_a = link.flags & flag::A_STANDS != 0;
                let body = if stands_a { link.body_b } else { link.body_a };
                let place = if link.count > 0 { scratch.before.len() as u32 } else { u32::MAX };
                scratch.sides.push(GroundContact::new(body, contact, place));
                if link.count > 0 {
                    scratch.before.push(self.before(contact));
                }
            }
            let alone = !plain || link.flags & flag::ONE_REGION == 0;
            scratch.tests[if alone { Test::Any as usize } else { list }].push(contact);
        }
    }

    /// Culls the contacts that did not touch: those that come near join the lists of tests.
    fn sieve(&mut self, team: &Team, scratch: &mut CollideScratch, dt: f32) {
        let (circles, level) = (self.circles(dt), self.solver.level());
        let (contacts, CollideScratch { chunks, tests: [tests @ .., sieved], .. }) =
            (&self.contacts, scratch);
        team.for_list(sieved, PAIR_GRAIN, chunks, |some, output| {
            cull::sieve(level, some, contacts, &circles, |contact, near| {
                if near {
                    output.left.push(contact);
                }
            });
        });
        for contact in chunks.iter_mut().flat_map(|output| output.left.drain(..)) {
            tests[contacts.link[contact as usize].test as usize].push(contact);
        }
    }

    /// Candidate pairs that come near each other become contacts.
    fn begin_near(&mut self, team: &Team, scratch: &mut CollideScratch, dt: f32) {
        // A pair whose circles are near keeps its contact as long as the boxes overlap: it will
        // probably touch soon.
        let (circles, level) = (cull::CullInput { slabs: &[], ..self.circles(dt) }, self.solver.level());
        let CollideScratch { chunks, near, .. } = scratch;
        team.for_list(self.contacts.apart.pairs(), PAIR_GRAIN, chunks, |some, output| {
            cull::sieve_pairs(level, some, &self.shapes.proxies.rows, &circles, |pair, is_near| {
                if is_near {
                    output.near.push(pair);
                }
            });
        });
        near.clear();
        near.extend(chunks.iter_mut().flat_map(|output| output.near.drain(..)));
        self.begin_waiting(near);
    }

    /// The rows to cull, with the displacements of this step.
    fn circles(&self, dt: f32) -> cull::CullInput<'_> {
        cull::CullInput {
            placed: self.shapes.proxies.placed.lanes(),
            velocity: &self.columns.velocity,
            rows: &self.bodies.solver_rows,
            dt,
            margin: self.tuning.margins.speculative,
            by_gravity: self.most_gravity() * dt * dt,
            cores: &[],
            form: &self.shapes.proxies.form,
            slabs: self.shapes.proxies.forms.slabs(),
        }
    }

    /// The columns that kernels read, and the columns that they write.
    fn for_kernels(&mut self, dt: f32) -> (wide::PairInput<'_>, ContactShares<'_>) {
        let columns = wide::PairInput {
            placed: self.shapes.proxies.placed.lanes(),
            form: &self.shapes.proxies.form,
            forms: self.shapes.proxies.forms.columns(),
            velocity: &self.columns.velocity,
            push: &self.columns.force_delta,
            rows: &self.bodies.solver_rows,
            dt,
            margins: self.tuning.margins,
            // Gravity changes the velocity by p in each of n sub-steps, which makes a displacement
            // of about p dt n / 2; p dt of it is in the velocity already.
            fall: dt * (0.5 * self.def.sub_steps as f32 - 1.0),
        };
        (columns, self.contacts.share())
    }

    /// Notes which contacts have both bodies in one region, as lanes take only those. Candidate
    /// pairs whose bodies have come into two regions become contacts.
    fn note_regions(&mut self) {
        for contact in self.contacts.active.iter() {
            let link = &mut self.contacts.link[contact as usize];
            let (a, b) = (&self.bodies.rows[link.body_a as usize], &self.bodies.rows[link.body_b as usize]);
            link.flags &= !flag::ONE_REGION;
            link.flags |= if a.region == b.region { flag::ONE_REGION } else { 0 };
        }
        let mut parted = core::mem::take(&mut self.scratch.collide.near);
        parted.clear();
        let apart = self.contacts.apart.pairs().iter().copied();
        parted.extend(apart.filter(|&pair| !self.may_wait(pair)));
        self.begin_waiting(&parted);
        self.scratch.collide.near = parted;
    }

    /// Tests all kinds that have a kernel. Pairs that the box kernel rejects are tested as cores,
    /// pairs that other kernels reject one by one.
    fn collide_in_lanes(&mut self, team: &Team, scratch: &mut CollideScratch, dt: f32) {
        let (level, continuous) = (self.solver.level(), self.def.continuous);
        let margins = self.tuning.margins;
        let (columns, contacts) = self.for_kernels(dt);
        for (test, kind, rest) in KERNELS {
            let CollideScratch { tests, chunks, .. } = scratch;
            team.for_list(&tests[test as usize], PAIR_GRAIN, chunks, |some, output| {
                wide::collide(
                    level,
                    kind,
                    some,
                    &columns,
                    &mut ManifoldSink { contacts, output, continuous, margins: &margins },
                );
            });
            for output in chunks {
                tests[rest as usize].append(&mut output.left);
            }
        }
        self.take_chunks(scratch);
    }

    /// Tests all others one by one. Contacts with hooks and one-way parts come last, as hooks read
    /// the world.
    fn collide_alone(&mut self, team: &Team, scratch: &mut CollideScratch, dt: f32) {
        let continuous = self.def.continuous;
        let pairs = PairReader::new(
            &self.bodies.rows,
            &self.shapes.colliders,
            &self.shapes.proxies,
            (continuous, self.def.period(), &self.tuning.margins),
        );
        let (contacts, margins) = (self.contacts.share(), &self.tuning.margins);
        let CollideScratch { tests, chunks, with_hooks, .. } = &mut *scratch;
        team.for_list(&tests[Test::Any as usize], PAIR_GRAIN_ALONE, chunks, |some, output| {
            for &contact in some {
                let (pair, link) = (contacts.pair[contact as usize], contacts.link.get(contact as usize));
                if link.flags & (flag::ONE_WAY | flag::HOOKED) != 0 {
                    output.left.push(contact);
                    continue;
                }
                let (found, approach) = pairs.test(pair, &link, dt);
                ManifoldSink { contacts, output, continuous, margins }.put(contact, found, approach);
            }
        });
        with_hooks.clear();
        with_hooks.extend(chunks.iter_mut().flat_map(|output| output.left.drain(..)));
        for &contact in &*with_hooks {
            let pairs = PairReader::new(
                &self.bodies.rows,
                &self.shapes.colliders,
                &self.shapes.proxies,
                (continuous, self.def.period(), &self.tuning.margins),
            );
            let link = &self.contacts.link[contact as usize];
            let (mut found, approach) = pairs.test(self.contacts.pair[contact as usize], link, dt);
            if self.lets_through(contact, &mut found, approach.reach()) {
                self.clear_manifold(contact);
            } else {
                self.sink(continuous, |sink| sink.put(contact, found, approach));
            }
        }
        self.take_chunks(scratch);
        scratch.fast.append(&mut self.scratch.output.fast);
        scratch.deep.append(&mut self.scratch.output.deep);
    }

    /// Merges the outputs of all chunks, in their order.
    pub(super) fn take_chunks(&mut self, scratch: &mut CollideScratch) {
        for output in &mut scratch.chunks {
            scratch.fast.append(&mut output.fast);
            scratch.deep.append(&mut output.deep);
            self.take_output(output);
        }
    }
}

/// Data of the world that tests of single pairs read, besides their contacts; shared by several
/// pairs at a time.
#[derive(Clone, Copy)]
pub(super) struct PairReader<'w> {
    pub(super) bodies: &'w [Body],
    colliders: &'w [Collider],
    pub(super) proxies: &'w Proxies,
    /// Whether fast pairs are cast.
    continuous: bool,
    margins: &'w MarginTuning,
    period: Period,
}

impl<'w> PairReader<'w> {
    pub(super) fn new(
        bodies: &'w [Body],
        colliders: &'w [Collider],
        proxies: &'w Proxies,
        (continuous, period, margins): (bool, Period, &'w MarginTuning),
    ) -> PairReader<'w> {
        PairReader { bodies, colliders, proxies, continuous, margins, period }
    }

    /// From the centre of mass of one body to that of the other.
    fn between(&self, a: &Body, b: &Body) -> Vec2 {
        self.period.between(a.center_point(), b.center_point())
    }

    /// The geometry of a part.
    pub(super) fn piece(&self, part: &Proxy) -> Piece<'w> {
        self.colliders[part.shape as usize].shape.piece(part.part as usize)
    }

    /// Tests a pair of any kinds; returns its manifold and its relative motion in this step.
    fn test(&self, pair: Pair, link: &ContactHeader, dt: f32) -> (FoundContact, Approach) {
        let (a, b) = (&self.proxies.rows[pair.a as usize], &self.proxies.rows[pair.b as usize]);
        let (body_a, body_b) = (&self.bodies[a.body as usize], &self.bodies[b.body as usize]);
        let between = self.between(body_a, body_b);
        let step = |body: &Body| (body.linear_velocity * dt, body.angular_velocity * dt);
        let approach = Approach::new(
            (step(body_a), body_a.max_extent),
            (step(body_b), body_b.max_extent),
            between,
            self.margins.near_gap,
        );
        let (row_a, row_b) = (&self.proxies.placed[pair.a as usize], &self.proxies.placed[pair.b as usize]);
        let margin =
            min(self.margins.speculative, 2.0 * min(radius(row_a), radius(row_b))) + approach.reach();
        if !circles_meet(row_a, row_b, between, margin) {
            return (FoundContact::NOTHING, Approach::default());
        }
        let (piece_a, piece_b) = (self.piece(a), self.piece(b));
        let b_in_a = relative(body_a, body_b, between);
        // (Tried: a test whether the circle reaches the line of a segment, before the exact one. It
        // rejected 9 of 2,000 pairs of a pile against a chain.)
        let seen =
            Transform { position: -(body_a.rotation * body_a.local_center), rotation: body_a.rotation };
        let of_lines = collide_lines(piece_a, piece_b, b_in_a, (margin, self.margins));
        let are_lines = of_lines.is_some();
        let plain = of_lines.unwrap_or_else(|| collide_pieces(piece_a, piece_b, b_in_a, margin));
        let Some(plain) = plain else { return (FoundContact::NOTHING, approach) };
        // Fast pairs are cast first: the segment of a chain that owns a corner is decided at the
        // pose of impact. (Decided before, a plank that came down on a saw, turning past the
        // horizontal, was left by each segment to the other, and met none.)
        let is_cast = || {
            let asks = link.flags & (flag::ONE_WAY | flag::HOOKED) != 0;
            let (normal, gap) = (body_a.rotation * plain.normal, plain.separation());
            let comes = || gap > approach.near && approach.may_touch(normal, gap, self.margins.near_gap);
            self.continuous && !asks && comes()
        };
        let mut found = if are_lines || is_cast() {
            FoundContact::new(&plain.transformed(seen), between)
        } else {
            let goes = step(body_b).0 - step(body_a).0;
            let pieces = ((piece_a, seen), (piece_b, b_in_a));
            match self.on_chains(pieces, &plain, (between, goes), (margin, approach.near)) {
                ChainContact::Owned(manifold) => FoundContact::new(&manifold.transformed(seen), between),
                ChainContact::Ahead(found) => return (found, approach),
                ChainContact::Nothing => return (FoundContact::NOTHING, approach),
            }
        };
        if between == Vec2::ZERO && link.test == Test::Circles {
            found.spread(pair.a.wrapping_add(pair.b));
        }
        if link.flags & flag::ONE_SIDED != 0 && found.count > 0 {
            let stands_a = link.flags & flag::A_STANDS != 0;
            snap_to_ground(&mut found, [(piece_a, body_a), (piece_b, body_b)], stands_a, between);
        }
        (found, approach)
    }

    /// The contact of a part with a segment of a chain, if the rule of chains gives it to this
    /// segment and not to a neighbour (`narrowphase/chain_ghosts.rs`). If the rule does not, or the
    /// contact is far off, the result is the contact that arises as the part moves over the segment
    /// in this step, if there is one. Points are found up to a gap of `margin`, and a gap above
    /// `near` is far off.
    fn on_chains(
        &self,
        ((piece_a, seen), (piece_b, b_in_a)): ((Piece, Transform), (Piece, Transform)),
        plain: &Manifold,
        (between, goes): (Vec2, Vec2),
        (margin, near): (f32, f32),
    ) -> ChainContact {
        let owned = smoothed(piece_a, piece_b, b_in_a, *plain, margin);
        // In front of a segment that leads up, the upper part of a box is beside the face, far
        // off, while its corner gets over the face in this step. (With the contact of the upper
        // part alone, boxes on chains passed bends that were 1 to 5 mm ahead.)
        let is_far = |manifold: &Manifold| manifold.separation() > near;
        let found = if owned.as_ref().is_none_or(is_far) {
            ahead((piece_a, seen), (piece_b, b_in_a), (between, goes), self.margins)
        } else {
            None
        };
        match (found, owned) {
            (Some(found), _) => ChainContact::Ahead(found),
            (None, Some(manifold)) => ChainContact::Owned(manifold),
            (None, None) => ChainContact::Nothing,
        }
    }
}

/// A contact with a segment of a chain, after the rule of chains.
enum ChainContact {
    /// The part itself.
    Owned(Manifold),
    /// A segment that lies ahead of the other part.
    Ahead(FoundContact),
    Nothing,
}

/// Snaps the normal of a contact with an immovable part (A's if `stands_a`) to a face of that part.
/// `between` goes from A's centre of mass to B's.
fn snap_to_ground(found: &mut FoundContact, [a, b]: [(Piece, &Body); 2], stands_a: bool, between: Vec2) {
    let ((piece, ground), (other, body)) = if stands_a { (a, b) } else { (b, a) };
    let ball = match other {
        Piece::Circle(circle) => {
            let from_center = body.rotation * (circle.center - body.local_center);
            Some((if stands_a { between } else { Vec2::ZERO }) + from_center)
        }
        _ => None,
    };
    snap_normal_to_face(found, piece.face_normals().map(|normal| ground.rotation * normal), ball);
}

/// The contact with a segment of a chain that the other part stands beside, and moves over, as B
/// moves by `goes` relative to A. `seen` is A's frame, from A's centre of mass.
pub(super) fn ahead(
    (piece_a, seen): (Piece, Transform),
    (piece_b, b_in_a): (Piece, Transform),
    (between, goes): (Vec2, Vec2),
    margins: &MarginTuning,
) -> Option<FoundContact> {
    let goes_in_a = seen.rotation.inverse_rotate(goes);
    let manifold = match (piece_a, piece_b) {
        (Piece::ChainSegment(_), Piece::ChainSegment(_)) => return None,
        (Piece::ChainSegment(segment), _) => segment_ahead(segment, piece_b, b_in_a, goes_in_a, margins)?,
        (_, Piece::ChainSegment(segment)) => {
            let a_goes = -b_in_a.rotation.inverse_rotate(goes_in_a);
            let manifold = segment_ahead(segment, piece_a, b_in_a.inverse(), a_goes, margins)?;
            manifold.flipped().transformed(b_in_a)
        }
        _ => return None,
    };
    Rule::SegmentAhead.acts(true).then(|| FoundContact::new(&manifold.transformed(seen), between))
}

/// The place of B's frame in A's frame; `between` goes from one centre of mass to the other.
#[inline]
pub(crate) fn relative(a: &Body, b: &Body, between: Vec2) -> Transform {
    let origins = between + a.rotation * a.local_center - b.rotation * b.local_center;
    Transform { position: a.rotation.inverse_rotate(origins), rotation: a.rotation.inverse() * b.rotation }
}

/// Whether the circles around two parts come within `margin`.
#[inline]
fn circles_meet(a: &PlacedRow, b: &PlacedRow, between: Vec2, margin: f32) -> bool {
    let reach = radius(a) + radius(b) + margin;
    // Half-planes are infinite.
    !reach.is_finite() || (between + b.offset - a.offset).length_squared() <= reach * reach
}

/// The radius of the circle around a part.
fn radius(row: &PlacedRow) -> f32 {
    row.half_size.length()
}

/// Snaps a normal that is off the face of an immovable part by less than
/// [`SurfaceTuning::OWN_NORMAL`] to that face.
///
/// A sliding body leans slightly, and the test may choose its face as the reference face: the
/// ground would push it back by that share of its weight. (A box over 40 tiles lost 0.15 % of its
/// speed.) The contact point of a ball moves along with the normal: otherwise the push would turn
/// the ball.
fn snap_normal_to_face(found: &mut FoundContact, faces: impl Iterator<Item = Vec2>, ball: Option<Vec2>) {
    let normal = found.row.normal;
    for face in faces {
        if Rule::GroundSnap.acts(crate::math::cross(normal, face).abs() < SurfaceTuning::OWN_NORMAL) {
            let face = if normal.dot(face) < 0.0 { -face } else { face };
            found.row.normal = face;
            if let Some(center) = ball {
                let arm = found.row.points[0].at - center;
                let length = if arm.dot(face) < 0.0 { -arm.length() } else { arm.length() };
                found.row.points[0].at = center + face * length;
            }
            return;
        }
    }
}
