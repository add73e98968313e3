//! From pairs to manifolds.
//!
//! In: contacts, placed parts, velocities. Out: a manifold for every contact whose parts come within the speculative
//! distance, with impulses carried over from the points that were there before. Boxes go through in eights; the rest one by
//! one, where their circles come near each other (`sieve.rs`).
//!
//! A pair that is apart but comes together fast is looked at by `predict.rs`: where will they meet, if at all?

use glam::Vec2;

use super::World;
use super::seams::Side;
use super::sieve;
use crate::body::collider::PlacedRow;
use crate::broadphase::Pair;
use crate::contact::{Contacts, Row, Test, flag};
use crate::math::{Transform, max, min};
use crate::narrowphase::{FeatureId, Manifold, collide_smoothly, obb};
use crate::shape::Obb;
use crate::simd::{AllLanes, LANES, Lane, OneLane, Width, bits, dispatch, scatter, scatter_whole};
use crate::tuning::{MAX_PUSH, NEAR_GAP, SPECULATIVE_DISTANCE};

/// Sine of the angle by which a normal may be off a face and still mean the face.
const STRAIGHT: f32 = 1.0e-3;

/// Depth, as a share of the thinner body's half-thickness, from which on pushing out is limited.
const DEEP: f32 = 0.8;

/// In a crowd of more contacts than this for both bodies, each pushes out less, so that together they push no faster.
const CROWD: u32 = 2;

/// Depth, as a share of the thinner body's half-thickness, from which on that holds.
const CROWDED: f32 = 0.3;

/// Lists that are made anew in every step, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    boxes: Vec<u32>,
    others: Vec<u32>,
    /// Contacts in one region that the sieve looks at first.
    sieved: Vec<u32>,
    /// Of these, the ones that touched and do no more.
    far: Vec<u32>,
    /// Contacts that are apart and come together fast.
    pub(crate) fast: Vec<u32>,
    /// Contacts whose parts overlap by more than a little.
    deep: Vec<u32>,
    /// Contacts of sensors.
    pub(crate) sensors: Vec<u32>,
    /// Contacts with immovable parts, by body.
    pub(crate) sides: Vec<Side>,
    /// Bodies that got farther than their boxes foresaw.
    pub(crate) strays: Vec<u32>,
    pub(crate) stray_pairs: Vec<Pair>,
    /// Contacts with lines.
    pub(crate) lines: Vec<u32>,
    /// How far bodies got, by row.
    pub(crate) ways: Vec<super::continuous::FarAndCore>,
    /// Bodies whose way is cut short, and after which share of the step.
    pub(crate) cuts: Vec<(u32, f32)>,
}

/// What was found for one contact, points from A's centre of mass.
pub(crate) struct Found {
    pub(crate) row: Row,
    pub(crate) ids: [FeatureId; 2],
    pub(crate) count: u8,
    /// From A's centre of mass to B's.
    pub(crate) way: Vec2,
}

impl Found {
    const NOTHING: Found = Found { row: [0.0; 8], ids: [FeatureId::ROUND; 2], count: 0, way: Vec2::ZERO };

    /// Of a manifold whose points are given from A's centre of mass.
    pub(crate) fn new(manifold: &Manifold, way: Vec2) -> Found {
        let mut found = Found { way, count: manifold.points().len() as u8, ..Found::NOTHING };
        (found.row[0], found.row[1]) = (manifold.normal.x, manifold.normal.y);
        for (k, point) in manifold.points().iter().enumerate() {
            let [x, y, s] = [2 + 3 * k, 3 + 3 * k, 4 + 3 * k];
            (found.row[x], found.row[y], found.row[s]) = (point.point.x, point.point.y, point.separation);
            found.ids[k] = point.id;
        }
        found
    }

    pub(crate) fn separation(&self) -> f32 {
        match self.count {
            0 => f32::INFINITY,
            1 => self.row[4],
            _ => min(self.row[4], self.row[7]),
        }
    }
}

impl World {
    /// Tests every pair.
    pub(crate) fn collide(&mut self, dt: f32) {
        if core::mem::take(&mut self.regions_changed) {
            self.sort_tests();
        }
        let mut scratch = core::mem::take(&mut self.collide);
        scratch.boxes.clear();
        scratch.others.clear();
        scratch.sieved.clear();
        scratch.fast.clear();
        scratch.sides.clear();
        scratch.sensors.clear();
        scratch.deep.clear();
        scratch.lines.clear();
        for &contact in &self.contacts.active {
            let link = &self.contacts.link[contact as usize];
            if link.flags & flag::SENSOR != 0 {
                scratch.sensors.push(contact);
                continue;
            }
            if link.flags & flag::LINE != 0 {
                scratch.lines.push(contact);
            }
            let plain = link.flags & (flag::ONE_WAY | flag::HOOKED) == 0;
            if link.flags & flag::ONE_SIDED != 0 {
                let a_moves = self.bodies[link.body_a as usize].has(crate::body::flag::DYNAMIC);
                scratch.sides.push(Side::new(if a_moves { link.body_a } else { link.body_b }, contact));
            }
            if plain && link.test == Test::Boxes {
                scratch.boxes.push(contact);
            } else if plain && link.flags & flag::ONE_REGION != 0 {
                scratch.sieved.push(contact);
            } else {
                scratch.others.push(contact);
            }
        }
        self.collide_boxes(&mut scratch, dt);
        self.sieve(&mut scratch, dt);
        for &contact in &scratch.others {
            self.collide_one(contact, dt, (&mut scratch.fast, &mut scratch.deep));
        }
        for &contact in &scratch.fast {
            self.predict(contact, dt);
        }
        for &contact in &scratch.deep {
            self.limit_push(contact);
        }
        self.collide = scratch;
        self.smooth_seams();
        self.wake_touched();
    }

    /// Pairs that come near each other join those that are tested one by one; the others touch nothing.
    fn sieve(&mut self, scratch: &mut Scratch, dt: f32) {
        let circles = sieve::Circles {
            placed: &self.proxies.placed,
            velocity: &self.columns.velocity,
            rows: &self.solver_rows,
            dt,
            fall: self.def.gravity.length() * dt * dt,
        };
        let level = if self.solver.one_by_one { None } else { Some(self.solver.level()) };
        let (others, far) = (&mut scratch.others, &mut scratch.far);
        far.clear();
        sieve::sieve(level, &scratch.sieved, &self.contacts, &circles, |contact, near| {
            if near {
                others.push(contact);
            } else if self.contacts.link[contact as usize].count > 0 {
                far.push(contact);
            }
        });
        for &contact in &scratch.far {
            self.keep_nothing(contact);
        }
    }

    /// Boxes go through lanes only while both bodies are in one region, and the sieve takes only such pairs.
    fn sort_tests(&mut self) {
        for &contact in &self.contacts.active {
            let link = &mut self.contacts.link[contact as usize];
            let pair = self.contacts.pair[contact as usize];
            let boxes =
                |proxy: u32| self.proxies.rows[proxy as usize].class == crate::body::collider::Class::Box;
            let (a, b) = (&self.bodies[link.body_a as usize], &self.bodies[link.body_b as usize]);
            let one_region = a.region == b.region;
            link.flags &= !flag::ONE_REGION;
            link.flags |= if one_region { flag::ONE_REGION } else { 0 };
            if boxes(pair.a) && boxes(pair.b) {
                link.test = if one_region { Test::Boxes } else { Test::Any };
            }
        }
    }

    fn collide_boxes(&mut self, scratch: &mut Scratch, dt: f32) {
        let columns = BoxColumns {
            placed: &self.proxies.placed,
            velocity: &self.columns.velocity,
            mass: &self.columns.mass,
            rows: &self.solver_rows,
            dt,
        };
        let mut sink = Sink {
            contacts: &mut self.contacts,
            recolour: &mut self.recolour,
            begun: &mut self.begun,
            fast: &mut scratch.fast,
            deep: &mut scratch.deep,
            continuous: self.def.continuous,
        };
        if self.solver.one_by_one {
            for contacts in scratch.boxes.chunks(LANES) {
                let job = Job::new(contacts, sink.contacts, columns.rows);
                for lane in 0..contacts.len() {
                    one_box(OneLane(lane), &job, &columns, &mut sink);
                }
            }
            return;
        }
        dispatch!(self.solver.level(), simd => {
            for contacts in scratch.boxes.chunks(LANES) {
                let job = Job::new(contacts, sink.contacts, columns.rows);
                eight_boxes(AllLanes(simd), &job, &columns, &mut sink);
            }
        });
    }

    /// Tests one pair of any kinds.
    fn collide_one(&mut self, contact: u32, dt: f32, lists: (&mut Vec<u32>, &mut Vec<u32>)) {
        let pair = self.contacts.pair[contact as usize];
        let link = self.contacts.link[contact as usize];
        let (a, b) = (&self.proxies.rows[pair.a as usize], &self.proxies.rows[pair.b as usize]);
        let (body_a, body_b) = (&self.bodies[a.body as usize], &self.bodies[b.body as usize]);
        let way = body_a.world_center().to(body_b.world_center());
        let way_of = self.approach(&link, way, dt);
        let margin = SPECULATIVE_DISTANCE + way_of.reach();
        let (row_a, row_b) = (&self.proxies.placed[pair.a as usize], &self.proxies.placed[pair.b as usize]);
        if !circles_meet(row_a, row_b, way, margin) {
            self.contacts.set(contact, flag::PASSING, false);
            self.put(contact, Found::NOTHING, Approach::default(), lists);
            return;
        }
        let piece_a = self.colliders[a.shape as usize].shape.piece(a.part as usize);
        let piece_b = self.colliders[b.shape as usize].shape.piece(b.part as usize);
        let b_in_a = relative(body_a, body_b, way);
        if let Some(found) = self.recycle(contact, &b_in_a, body_a, way) {
            self.put(contact, found, way_of, lists);
            return;
        }
        let found = collide_smoothly(piece_a, piece_b, b_in_a, margin);
        let mut found = found.map_or(Found::NOTHING, |manifold| {
            let seen =
                Transform { position: -(body_a.rotation * body_a.local_center), rotation: body_a.rotation };
            Found::new(&manifold.transformed(seen), way)
        });
        if way == Vec2::ZERO && link.test == Test::Circles {
            spread(&mut found, pair.a.wrapping_add(pair.b));
        }
        if link.flags & flag::ONE_SIDED != 0 && found.count > 0 {
            let a_gives = body_a.has(crate::body::flag::DYNAMIC);
            let (piece, ground) = if a_gives { (piece_b, body_b) } else { (piece_a, body_a) };
            straighten(&mut found, piece.face_normals().map(|normal| ground.rotation * normal));
        }
        let body_a = *body_a;
        self.note_tested(contact, &found, &b_in_a, &body_a);
        if link.flags & (flag::ONE_WAY | flag::HOOKED) != 0 && self.lets_through(contact, &found) {
            self.keep_nothing(contact);
            return;
        }
        self.put(contact, found, way_of, lists);
    }

    /// Bodies that are deep in each other may not get fast by being pushed out: not faster than either of them was, and
    /// the fastest push. Many bodies in one place press against each other like springs, and would fly apart.
    fn limit_push(&mut self, contact: u32) {
        let link = self.contacts.link[contact as usize];
        let row = &self.contacts.manifold[contact as usize];
        let depth = -if link.count == 2 { min(row[4], row[7]) } else { row[4] };
        let (a, b) = (&self.bodies[link.body_a as usize], &self.bodies[link.body_b as usize]);
        // A line has no thickness of its own.
        let core = if min(a.core, b.core) > 0.0 { min(a.core, b.core) } else { max(a.core, b.core) };
        let counts = &self.contact_counts;
        let crowd = counts[link.body_a as usize].min(counts[link.body_b as usize]);
        // A line gives back all of what presses into it: whoever is half through is lost.
        let spares = link.flags & flag::LINE == 0;
        if spares && crowd > CROWD && depth > CROWDED * core {
            let most = depth * CROWD as f32 / crowd as f32;
            let row = &mut self.contacts.manifold[contact as usize];
            (row[4], row[7]) = (max(row[4], -most), max(row[7], -most));
        }
        let (a, b) = (&self.bodies[link.body_a as usize], &self.bodies[link.body_b as usize]);
        if depth <= DEEP * core || link.flags & flag::BOUNCY != 0 {
            return;
        }
        let fastest = max(a.linear_velocity.length(), b.linear_velocity.length());
        let limit = max(fastest, MAX_PUSH) + self.def.gravity.length() * self.last_dt;
        for slot in [link.body_a, link.body_b] {
            let body = &mut self.bodies[slot as usize];
            body.push_limit = max(body.push_limit, limit);
        }
    }

    /// How two bodies move against each other in this step.
    fn approach(&self, link: &crate::contact::Link, way: Vec2, dt: f32) -> Approach {
        let (a, b) = (&self.bodies[link.body_a as usize], &self.bodies[link.body_b as usize]);
        let step = |body: &crate::body::Body| (body.linear_velocity * dt, body.angular_velocity * dt);
        Approach::new((step(a), a.reach), (step(b), b.reach), way)
    }

    fn put(
        &mut self,
        contact: u32,
        found: Found,
        approach: Approach,
        (fast, deep): (&mut Vec<u32>, &mut Vec<u32>),
    ) {
        let mut sink = Sink {
            contacts: &mut self.contacts,
            recolour: &mut self.recolour,
            begun: &mut self.begun,
            fast,
            deep,
            continuous: self.def.continuous,
        };
        sink.put(contact, found, approach);
    }
}

/// The place of B's frame in A's frame; `way` goes from one centre of mass to the other.
#[inline]
pub(crate) fn relative(a: &crate::body::Body, b: &crate::body::Body, way: Vec2) -> Transform {
    let origins = way + a.rotation * a.local_center - b.rotation * b.local_center;
    Transform { position: a.rotation.inverse_rotate(origins), rotation: a.rotation.inverse() * b.rotation }
}

/// Whether the circles around two parts come within `margin`.
#[inline]
fn circles_meet(a: &PlacedRow, b: &PlacedRow, way: Vec2, margin: f32) -> bool {
    let offset = |row: &PlacedRow| Vec2::new(row[6], row[7]);
    let radius = |row: &PlacedRow| Vec2::new(row[4], row[5]).length();
    let reach = radius(a) + radius(b) + margin;
    // Half-planes have no end.
    !reach.is_finite() || (way + offset(b) - offset(a)).length_squared() <= reach * reach
}

/// How two bodies move against each other in a step: the way of B seen from A, and how far turning may bring any of
/// their points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Approach {
    way: Vec2,
    turn: f32,
}

impl Approach {
    /// From way, turn and reach of both, with `between` from one centre to the other.
    ///
    /// Seen from the larger body, which may turn: a small one that goes round with a large ring does not move.
    pub(super) fn new(a: ((Vec2, f32), f32), b: ((Vec2, f32), f32), between: Vec2) -> Approach {
        let (((way_a, turn_a), reach_a), ((way_b, turn_b), reach_b)) = (a, b);
        let round = between.perp() * if reach_a >= reach_b { turn_a } else { turn_b };
        let turn = (turn_b - turn_a).abs() * min(reach_a, reach_b);
        Approach { way: way_b - way_a - round, turn }
    }

    pub(super) fn reach(&self) -> f32 {
        self.way.length() + self.turn
    }

    /// How far the gap along `normal` may close. It separates the two, so while it is open nothing else matters.
    pub(super) fn closes(&self, normal: Vec2) -> f32 {
        self.turn - normal.dot(self.way)
    }
}

/// Where manifolds go: into the rows of the contacts.
struct Sink<'w> {
    contacts: &'w mut Contacts,
    recolour: &'w mut bool,
    begun: &'w mut usize,
    fast: &'w mut Vec<u32>,
    deep: &'w mut Vec<u32>,
    continuous: bool,
}

impl Sink<'_> {
    /// Takes what was found for a contact. One that is apart goes on to be cast if it can close within this step.
    #[inline]
    fn put(&mut self, contact: u32, mut found: Found, approach: Approach) {
        let separation = found.separation();
        if separation < -SPECULATIVE_DISTANCE {
            self.deep.push(contact);
        }
        if separation > NEAR_GAP {
            let closes = approach.closes(Vec2::new(found.row[0], found.row[1])) > separation;
            if closes && self.continuous {
                self.fast.push(contact);
                return;
            }
            if separation > SPECULATIVE_DISTANCE {
                found.count = 0;
            }
        }
        self.keep(contact, &found);
    }

    /// Writes a manifold, with the impulses of those of its points that were there before.
    #[inline]
    fn keep(&mut self, contact: u32, found: &Found) {
        let place = contact as usize;
        let link = &mut self.contacts.link[place];
        if link.count == 0 && found.count == 0 {
            // Most pairs of a loose heap: nothing to write.
            return;
        }
        if link.count != found.count {
            *self.recolour = true;
            *self.begun += usize::from(link.count == 0);
        }
        let (before, old) = (self.contacts.ids[place], link.count);
        link.count = found.count;
        link.flags &= !(flag::PREDICTED | flag::TOUCHING);
        link.flags |= if found.count > 0 { flag::TOUCHING } else { 0 };
        self.contacts.manifold[place] = found.row;
        let impulse = &mut self.contacts.impulse[place];
        (impulse[5], impulse[6]) = (found.way.x, found.way.y);
        if old != found.count || before != found.ids {
            let (before, now) = (&before[..usize::from(old)], &found.ids[..usize::from(found.count)]);
            match_points(impulse, &mut self.contacts.surface[place], before, now);
            self.contacts.ids[place] = found.ids;
        }
    }
}

impl World {
    /// Writes the manifold of a contact as it is.
    pub(crate) fn keep(&mut self, contact: u32, found: &Found) {
        let mut sink = Sink {
            contacts: &mut self.contacts,
            recolour: &mut self.recolour,
            begun: &mut self.begun,
            fast: &mut Vec::new(),
            deep: &mut Vec::new(),
            continuous: false,
        };
        sink.keep(contact, found);
    }

    /// The contact touches nothing in this step.
    pub(crate) fn keep_nothing(&mut self, contact: u32) {
        self.keep(contact, &Found::NOTHING);
    }
}

/// Each point takes over impulses and load of the old point made by the same features; others start from none.
fn match_points(impulse: &mut Row, surface: &mut Row, before: &[FeatureId], now: &[FeatureId]) {
    let (old, loads) = (*impulse, [surface[5], surface[6]]);
    for k in 0..2 {
        let from = now.get(k).and_then(|id| before.iter().position(|other| other == id));
        let point = from.map_or((0.0, 0.0, 0.0), |from| (old[from], old[2 + from], loads[from]));
        (impulse[k], impulse[2 + k], surface[5 + k]) = point;
    }
    if now.is_empty() {
        (impulse[4], impulse[7]) = (0.0, 0.0);
    }
}

/// What box pairs are made from.
struct BoxColumns<'w> {
    placed: &'w [PlacedRow],
    velocity: &'w [[f32; 4]],
    mass: &'w [[f32; 4]],
    rows: &'w [u32],
    dt: f32,
}

/// Eight pairs of boxes; those beyond `count` repeat the first.
struct Job {
    contacts: [u32; LANES],
    count: usize,
    a: [u32; LANES],
    b: [u32; LANES],
    row_a: [u32; LANES],
    row_b: [u32; LANES],
}

impl Job {
    #[inline(always)]
    fn new(contacts: &[u32], columns: &Contacts, rows: &[u32]) -> Job {
        let mut job = Job {
            contacts: [contacts[0]; LANES],
            count: contacts.len(),
            a: [0; LANES],
            b: [0; LANES],
            row_a: [0; LANES],
            row_b: [0; LANES],
        };
        job.contacts[..contacts.len()].copy_from_slice(contacts);
        for k in 0..LANES {
            let contact = job.contacts[k] as usize;
            let (pair, link) = (columns.pair[contact], &columns.link[contact]);
            (job.a[k], job.b[k]) = (pair.a, pair.b);
            (job.row_a[k], job.row_b[k]) = (rows[link.body_a as usize], rows[link.body_b as usize]);
        }
        job
    }
}

/// The manifolds of box pairs, in one lane or in eight.
struct BoxAnswer<L: Lane> {
    packed: obb::Packed<L>,
    /// See [`Approach`].
    approach: [L; 2],
    turn: L,
    /// From A's centre of mass to B's.
    way: [L; 2],
    /// From A's centre of mass to the middle of its box.
    offset_a: [L; 2],
}

impl<L: Lane> BoxAnswer<L> {
    /// The manifold's row, number by number, points from A's centre of mass.
    #[inline(always)]
    fn manifold(&self) -> [L; 8] {
        let (n, [p, q], o) = (self.packed.normal, &self.packed.points, self.offset_a);
        let (p_x, p_y) = (p.point[0] + o[0], p.point[1] + o[1]);
        let (q_x, q_y) = (q.point[0] + o[0], q.point[1] + o[1]);
        [n[0], n[1], p_x, p_y, p.separation, q_x, q_y, q.separation]
    }
}

/// A stands at the origin, so that nothing depends on where in the region both are.
#[inline(always)]
fn answer<W: Width>(w: W, job: &Job, columns: &BoxColumns) -> BoxAnswer<W::L> {
    let [a_x, a_y, a_cos, a_sin, a_hx, a_hy, a_ox, a_oy] = w.gather_eight(columns.placed, &job.a);
    let [b_x, b_y, b_cos, b_sin, b_hx, b_hy, b_ox, b_oy] = w.gather_eight(columns.placed, &job.b);
    let v_a = w.gather(columns.velocity, &job.row_a);
    let v_b = w.gather(columns.velocity, &job.row_b);
    let zero = w.splat(0.0);
    let (x, y) = (b_x - a_x, b_y - a_y);
    let (dv_x, dv_y) = (v_b[0] - v_a[0], v_b[1] - v_a[1]);
    let turn_a = v_a[2].abs() * (a_hx + a_hy + a_ox.abs() + a_oy.abs());
    let turn_b = v_b[2].abs() * (b_hx + b_hy + b_ox.abs() + b_oy.abs());
    let dt = w.splat(columns.dt);
    let (approach, turn) = ([dv_x * dt, dv_y * dt], (turn_a + turn_b) * dt);
    let reach = (approach[0] * approach[0] + approach[1] * approach[1]).sqrt() + turn;
    let margin = reach + w.splat(SPECULATIVE_DISTANCE);
    let a = obb::Boxes { center: [zero, zero], half: [a_hx, a_hy], cos: a_cos, sin: a_sin, radius: zero };
    let b = obb::Boxes { center: [x, y], half: [b_hx, b_hy], cos: b_cos, sin: b_sin, radius: zero };
    let packed = obb::pack(&obb::contacts(&a, &b, margin), margin);
    let way = [(x - b_ox) + a_ox, (y - b_oy) + a_oy];
    BoxAnswer { packed, approach, turn, way, offset_a: [a_ox, a_oy] }
}

/// Eight pairs: the kernel, then row by row into the contacts.
#[inline(always)]
fn eight_boxes<S: crate::simd::Simd>(w: AllLanes<S>, job: &Job, columns: &BoxColumns, sink: &mut Sink) {
    let found = answer(w, job, columns);
    let corners = bits(found.packed.corners);
    let swapped = bits(found.packed.reference_is_b);
    let rows = crate::simd::transpose_lanes(found.manifold()).map(scatter);
    let (count, ids) = (scatter_whole(found.packed.count), found.packed.ids.map(scatter_whole));
    let (approach, turn, way) = (found.approach.map(scatter), scatter(found.turn), found.way.map(scatter));
    for k in 0..job.count {
        let contact = job.contacts[k];
        let way = Vec2::new(way[0][k], way[1][k]);
        let approach = Approach { way: Vec2::new(approach[0][k], approach[1][k]), turn: turn[k] };
        if corners >> k & 1 == 1 {
            let found = corner_pair(job, k, columns, swapped >> k & 1 == 1, approach.reach(), way);
            sink.put(contact, found, approach);
            continue;
        }
        let ids = [FeatureId::from_number(ids[0][k]), FeatureId::from_number(ids[1][k])];
        let mut found = Found { row: rows[k], ids, count: count[k] as u8, way };
        straighten_box(&mut found, job, k, columns);
        sink.put(contact, found, approach);
    }
}

/// One pair in the same lines: the reference of [`eight_boxes`].
fn one_box(w: OneLane, job: &Job, columns: &BoxColumns, sink: &mut Sink) {
    let k = w.0;
    let found = answer(w, job, columns);
    let way = Vec2::from(found.way);
    let approach = Approach { way: Vec2::from(found.approach), turn: found.turn };
    if found.packed.corners {
        let corners = corner_pair(job, k, columns, found.packed.reference_is_b, approach.reach(), way);
        sink.put(job.contacts[k], corners, approach);
        return;
    }
    let row = found.manifold();
    let ids = found.packed.ids.map(|id| FeatureId::from_number(id as u32));
    let mut found = Found { row, ids, count: found.packed.count as u8, way };
    straighten_box(&mut found, job, k, columns);
    sink.put(job.contacts[k], found, approach);
}

/// [`straighten`] for a pair of boxes of which one is immovable.
#[inline]
fn straighten_box(found: &mut Found, job: &Job, k: usize, columns: &BoxColumns) {
    let gives = |row: u32| columns.mass[row as usize][0] + columns.mass[row as usize][1] > 0.0;
    let ground = match (gives(job.row_a[k]), gives(job.row_b[k])) {
        (true, true) => return,
        (true, false) => job.b[k],
        _ => job.a[k],
    };
    let row = &columns.placed[ground as usize];
    let axis = Vec2::new(row[2], row[3]);
    straighten(found, [axis, axis.perp()].into_iter());
}

/// Concentric balls part in all directions, by their numbers, and not all along one line. (300 balls in one place got to
/// 130 m/s along a line.) The golden angle leaves no direction out.
fn spread(found: &mut Found, number: u32) {
    let direction = crate::math::Rot::from_angle(2.399_963 * (number % 1024) as f32).x_axis();
    (found.row[0], found.row[1]) = (direction.x, direction.y);
}

/// Brings a normal that is off by less than [`STRAIGHT`] to the face of the immovable part.
///
/// What slides leans by a hair, and the test may take its face for the reference: the ground would push it back by as
/// much of its weight. (A box over 40 tiles lost 0.15 % of its speed.)
fn straighten(found: &mut Found, faces: impl Iterator<Item = Vec2>) {
    let normal = Vec2::new(found.row[0], found.row[1]);
    for face in faces {
        if crate::math::cross(normal, face).abs() < STRAIGHT {
            let face = if normal.dot(face) < 0.0 { -face } else { face };
            (found.row[0], found.row[1]) = (face.x, face.y);
            return;
        }
    }
}

/// The rare pair whose nearest features are two corners.
#[cold]
fn corner_pair(job: &Job, k: usize, columns: &BoxColumns, swapped: bool, reach: f32, way: Vec2) -> Found {
    let (a, b) = (&columns.placed[job.a[k] as usize], &columns.placed[job.b[k] as usize]);
    let boxed = |row: &PlacedRow, center: Vec2| {
        let rotation = crate::math::Rot { cos: row[2], sin: row[3] };
        Obb::from_parts(center, rotation, Vec2::new(row[4], row[5]))
    };
    let b_from_a = Vec2::new(b[0] - a[0], b[1] - a[1]);
    let found = obb::collide_corners(
        &boxed(a, Vec2::ZERO),
        &boxed(b, b_from_a),
        swapped,
        SPECULATIVE_DISTANCE + reach,
    );
    let from_center = Transform::at(Vec2::new(a[6], a[7]));
    found.map_or(Found::NOTHING, |manifold| Found::new(&manifold.transformed(from_center), way))
}
