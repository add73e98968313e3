//! Continuous collision detection (CCD), at the end of a step: did a fast body pass through
//! something?
//!
//! In: bodies with their old and new positions. Out: a body that went through something is put back
//! to its time of impact, and moves on with the body that it struck (`carry.rs`).
//!
//! This is the second half of continuous collision. The first half, before the solver, made
//! predicted impacts contacts of this step (`collide/predicted_impacts.rs`). Left are displacements
//! that were bent by a first impact. Two kinds of pairs cannot have passed through each other:
//! pairs whose relative displacement is shorter than the thickness of the thinner body, or a
//! quarter of that if one is immovable, and pairs in which neither body moved farther than half of
//! its own half-thickness. The displacement of every other pair is cast once more: with the whole
//! parts if they were apart, with their cores if they touched all along, or if one slides over a
//! fixed body. A body that is cut short gets the impulse of that impact at once
//! (`late_impacts.rs`).
//!
//! `segment_side.rs`: centres that crossed a line. `late_impacts.rs`: impulses of bodies cut short.

pub(super) mod carry;
pub(super) mod late_impacts;
pub(crate) mod scratch;
pub(super) mod segment_side;

use std::collections::BTreeSet;

use glam::Vec2;

use crate::ablate::Rule;
use crate::body::collider::{Class, Proxy, placed_box};
use crate::body::{Body, NONE, flag as body_flag};
use crate::bounds::Aabb;
use crate::broadphase::{Pair, WorldAabb};
use crate::contact::{ContactHeader, flag};
use crate::math::{Motion, cross, max, min};
use crate::narrowphase::{cast_pieces, collide_pieces};
use crate::shape::{Piece, Seen};
use crate::solver::JointParams;
use crate::step::collide::cull;
use crate::step::collide::write::Approach;
use crate::step::displacement::{motion, way, went_far};
use crate::threads::Team;
use crate::tuning::CcdTuning;
use crate::world::World;
use crate::world::joints::held::MOST_HELD;
use scratch::{CcdOutput, CutBody};

/// Pairs in a chunk of culling, and in a chunk of casts: a cast takes about a microsecond.
const CULL_GRAIN: usize = 256;
const CAST_GRAIN: usize = 16;

/// Number of strays, or of bodies cut short, from which the trees of the grid are brought up to date
/// first: it pays for that many walks.
const MANY_STRAYS: usize = 8;

impl World {
    /// Puts bodies that passed through something back to their time of impact. `joints`: the
    /// parameters of the step, if there are joints.
    pub(crate) fn ccd(&mut self, team: &Team, dt: f32, joints: Option<&JointParams>) {
        // If two bodies pass through each other, one moves farther than its thickness.
        if !self.def.continuous || !self.step.any_far {
            return;
        }
        self.note_cut_before();
        self.note_cores();
        let mut suspects = core::mem::take(&mut self.scratch.ccd.suspects);
        let mut cuts = core::mem::take(&mut self.scratch.ccd.cuts);
        cuts.clear();
        let mut all = core::mem::take(&mut self.scratch.ccd.sieved);
        self.find_suspects(team, (&mut all, &mut suspects));
        self.find_waiting_suspects(team);
        self.scratch.ccd.sieved = all;
        self.note_pressed(&suspects);
        self.in_chunks(team, (&suspects, CAST_GRAIN), |world, some, output| {
            for &contact in some {
                let link = &world.contacts.link[contact as usize];
                let is_hooked_off = link.flags & (flag::HOOKED | flag::TOUCHING) == flag::HOOKED;
                let passes = is_hooked_off || link.flags & (flag::SENSOR | flag::PASSING) != 0;
                let excused = passes || Rule::HeldOff.acts(world.was_held_off(contact));
                if !excused && world.may_have_passed(link) {
                    world.cut_short(world.contacts.pair[contact as usize], link, &mut output.cuts);
                }
            }
        });
        self.scratch.ccd.suspects = suspects;
        self.cut_strays(team);
        cuts.extend(self.scratch.ccd.chunks.iter_mut().flat_map(|output| output.cuts.drain(..)));
        self.share_cuts(&mut cuts);
        cuts.sort_unstable_by(|p, q| {
            p.slot.cmp(&q.slot).then(p.time.total_cmp(&q.time)).then(p.pair.cmp(&q.pair))
        });
        cuts.dedup_by_key(|cut| cut.slot);
        let mut order = core::mem::take(&mut self.scratch.ccd.cut_order);
        order.clear();
        order.extend_from_slice(&cuts);
        order.sort_unstable_by(|p, q| {
            p.time.total_cmp(&q.time).then(p.pair.cmp(&q.pair)).then(p.slot.cmp(&q.slot))
        });
        self.move_on_with_struck(&mut cuts, &mut order, dt);
        let any_cut_joint = !cuts.is_empty() && !self.joints.slots.is_empty();
        if let Some(params) = joints.filter(|_| Rule::CutJoints.acts(any_cut_joint)) {
            self.close_cut_joints(&cuts, params);
        }
        self.strike_late(&order, dt);
        self.scratch.ccd.cuts = cuts;
        self.scratch.ccd.cut_order = order;
    }

    /// Goes through a list in chunks of `size`; the outputs are appended to the outputs of earlier
    /// calls.
    fn in_chunks<T: Sync>(
        &mut self,
        team: &Team,
        (list, size): (&[T], usize),
        look: impl Fn(&World, &[T], &mut CcdOutput) + Sync,
    ) {
        let mut chunks = core::mem::take(&mut self.scratch.ccd.chunks);
        let world = &*self;
        team.for_list(list, size, &mut chunks, |some, output| look(world, some, output));
        self.scratch.ccd.chunks = chunks;
    }

    /// Notes per row the least half-thickness of each body that may be cut short, negated if the
    /// body did not go far; and per part whether its body did. Most pairs have no such body and are
    /// skipped.
    fn note_cores(&mut self) {
        let mut far = core::mem::take(&mut self.scratch.ccd.far);
        let mut cores = core::mem::take(&mut self.scratch.ccd.cores);
        far.clear();
        far.resize(self.shapes.proxies.rows.len(), self.dirty.regions);
        cores.clear();
        cores.push(-f32::INFINITY);
        for (&slot, &moved) in self.bodies.awake.iter().zip(&self.columns.moved[1..]) {
            let body = &self.bodies.rows[slot as usize];
            let core = if body.has(body_flag::DYNAMIC) { body.min_extent } else { f32::INFINITY };
            let went_far = went_far(body, moved);
            cores.push(if went_far { max(core, f32::MIN_POSITIVE) } else { -core });
            if went_far {
                self.parts_of_body(slot).for_each(|part| far[part as usize] = true);
            }
        }
        (self.scratch.ccd.far, self.scratch.ccd.cores) = (far, cores);
    }

    /// Finds contacts whose circles came near each other, with displacements above the thickness of
    /// a body. All contacts across regions are suspects.
    fn find_suspects(&mut self, team: &Team, (all, suspects): (&mut Vec<u32>, &mut Vec<u32>)) {
        let (contacts, far) = (&self.contacts, &self.scratch.ccd.far);
        keep(all, contacts.active.len(), contacts.active.iter(), |&contact| {
            let Pair { a, b } = contacts.pair[contact as usize];
            far[a as usize] | far[b as usize]
        });
        self.in_chunks(team, (all, CULL_GRAIN), |world, some, output| {
            let (circles, level) = (world.circles_back(), world.solver.level());
            cull::sieve(level, some, &world.contacts, &circles, |contact, near| {
                let link = &world.contacts.link[contact as usize];
                // Circles are relative to the centres of their regions.
                let is_torn = link.flags & flag::ONE_REGION == 0
                    || (world.dirty.regions && world.is_torn(link.body_a, link.body_b));
                if near || is_torn {
                    output.left.push(contact);
                }
            });
        });
        suspects.clear();
        suspects.extend(self.scratch.ccd.chunks.iter_mut().flat_map(|output| output.left.drain(..)));
    }

    /// Finds such candidate pairs as well: an impact within the step may have brought them
    /// together.
    fn find_waiting_suspects(&mut self, team: &Team) {
        let mut suspects = core::mem::take(&mut self.scratch.ccd.stray_pairs);
        let mut pairs = core::mem::take(&mut self.scratch.ccd.near);
        suspects.clear();
        let (waiting, far) = (self.contacts.apart.pairs(), &self.scratch.ccd.far);
        keep(&mut pairs, waiting.len(), waiting.iter().copied(), |pair| {
            far[pair.a as usize] | far[pair.b as usize]
        });
        // All candidate pairs are in one region, until a body crosses a border.
        self.sieve_back(team, (&pairs, self.dirty.regions), &mut suspects);
        (self.scratch.ccd.stray_pairs, self.scratch.ccd.near) = (suspects, pairs);
    }

    /// Culls pairs without a contact: keeps pairs whose circles came near each other, with
    /// displacements above the thickness of a body, and pairs now in different regions. `any_torn`:
    /// whether bodies of a pair may be in different regions.
    fn sieve_back(&mut self, team: &Team, (pairs, any_torn): (&[Pair], bool), suspects: &mut Vec<Pair>) {
        self.in_chunks(team, (pairs, CULL_GRAIN), |world, some, output| {
            let (circles, parts) = (world.circles_back(), &world.shapes.proxies.rows);
            let body = |part: u32| parts[part as usize].body;
            cull::sieve_pairs(world.solver.level(), some, parts, &circles, |pair, near| {
                if near || (any_torn && world.is_torn(body(pair.a), body(pair.b))) {
                    output.near.push(pair);
                }
            });
        });
        suspects.extend(self.scratch.ccd.chunks.iter_mut().flat_map(|output| output.near.drain(..)));
    }

    /// The rows to cull, with the displacements of the step that ends.
    fn circles_back(&self) -> cull::CullInput<'_> {
        cull::CullInput {
            margin: self.tuning.margins.speculative,
            placed: self.shapes.proxies.placed.lanes(),
            velocity: &self.columns.moved,
            rows: &self.bodies.solver_rows,
            dt: -1.0,
            by_gravity: 0.0,
            cores: &self.scratch.ccd.cores,
            form: &[],
            // Most bodies moved less than their thickness; testing slabs for the others cost more
            // than the casts that it saved.
            slabs: &[],
        }
    }

    /// Whether two bodies are in different regions.
    fn is_torn(&self, a: u32, b: u32) -> bool {
        self.bodies.rows[a as usize].region != self.bodies.rows[b as usize].region
    }

    /// Whether the contact itself kept the two apart, up to a small overlap: they were apart along
    /// its normal as the step began, and are at its end, and their motion was straight. A body that
    /// slides along a wall at speed must not stop there.
    fn was_held_off(&self, contact: u32) -> bool {
        let (link, row) = (&self.contacts.link[contact as usize], &self.contacts.manifold[contact as usize]);
        let (way_of_b, normal) = (self.contacts.impulse[contact as usize].a_to_b, row.normal);
        let (p, q) = (self.displacement_of(link.body_a), self.displacement_of(link.body_b));
        let (a, b) = (&self.bodies.rows[link.body_a as usize], &self.bodies.rows[link.body_b as usize]);
        let core = |body: &Body| if body.has(body_flag::DYNAMIC) { body.min_extent } else { f32::INFINITY };
        let most = CcdTuning::HELD_OFF * min(core(a), core(b));
        let arcs = 0.5 * (p[2] * p[2] * a.max_extent + q[2] * q[2] * b.max_extent);
        let mut points = row.points[..usize::from(link.count)].iter().map(|of| {
            let (point, gap) = (of.at, of.separation);
            let turned = cross(point - way_of_b, normal) * q[2] - cross(point, normal) * p[2];
            min(gap, gap + normal.dot(way(q) - way(p)) + turned - arcs)
        });
        // A predicted manifold does not hold the poses at the start.
        link.flags & flag::PREDICTED == 0 && link.count > 0 && points.all(|least| least > -most)
    }

    /// Notes per row which bodies lay on an immovable body when the step began. A body that moved
    /// far is a suspect together with the immovable body it lay on, unless both moved alike.
    fn note_pressed(&mut self, suspects: &[u32]) {
        let near = self.tuning.margins.near_gap;
        let mut pressed = core::mem::take(&mut self.scratch.ccd.pressed);
        pressed.clear();
        pressed.resize(self.columns.moved.len(), false);
        for &contact in suspects {
            let (link, manifold) =
                (&self.contacts.link[contact as usize], &self.contacts.manifold[contact as usize]);
            let [first, second] = manifold.points;
            let lies = first.separation <= near || (link.count > 1 && second.separation <= near);
            if link.count > 0 && lies && link.flags & (flag::SENSOR | flag::PREDICTED) == 0 {
                let gives = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
                match (gives(link.body_a), gives(link.body_b)) {
                    (true, false) => pressed[self.bodies.solver_rows[link.body_a as usize] as usize] = true,
                    (false, true) => pressed[self.bodies.solver_rows[link.body_b as usize] as usize] = true,
                    _ => {}
                }
            }
        }
        self.scratch.ccd.pressed = pressed;
    }

    pub(crate) fn displacement_of(&self, slot: u32) -> [f32; 4] {
        self.columns.moved[self.bodies.solver_rows[slot as usize] as usize]
    }

    fn may_have_passed(&self, link: &ContactHeader) -> bool {
        let (p, q) = (self.displacement_of(link.body_a), self.displacement_of(link.body_b));
        let (a, b) = (&self.bodies.rows[link.body_a as usize], &self.bodies.rows[link.body_b as usize]);
        let step = |moved: [f32; 4]| (way(moved), moved[2]);
        let between = self.way(a.center_point(), b.center_point());
        let near = self.tuning.margins.near_gap;
        let approach = Approach::new((step(p), a.max_extent), (step(q), b.max_extent), between, near);
        // Whatever the spin of the smaller body, its inner circle only moves with its middle.
        let reach = min(a.max_extent, b.max_extent);
        let arm = max(reach - min(a.min_extent, b.min_extent), 0.0);
        let both_give = a.has(body_flag::DYNAMIC) && b.has(body_flag::DYNAMIC);
        let share = if both_give || !Rule::Dips.acts(true) {
            1.0
        } else if Rule::DipsOfBouncy.acts(link.flags & flag::BOUNCY != 0) {
            CcdTuning::DIPS_OF_BOUNCY
        } else {
            CcdTuning::DIPS
        };
        approach.way.length() + approach.turn * (arm / max(reach, f32::MIN_POSITIVE))
            > share * way_through(a, b)
    }

    fn cut_short(&self, pair: Pair, link: &ContactHeader, cuts: &mut Vec<CutBody>) {
        let (part_a, part_b) =
            (self.shapes.proxies.rows[pair.a as usize], self.shapes.proxies.rows[pair.b as usize]);
        let (a, b) = (&self.bodies.rows[link.body_a as usize], &self.bodies.rows[link.body_b as usize]);
        let (moved_a, moved_b) = (self.displacement_of(link.body_a), self.displacement_of(link.body_b));
        let (own_a, own_b) = (self.centred(&part_a), self.centred(&part_b));
        let (piece_a, piece_b) = (own_a.piece(), own_b.piece());
        let now = self.way(a.center_point(), b.center_point());
        let start = now - (way(moved_b) - way(moved_a));
        let (motion_a, motion_b) = (motion(a, Vec2::ZERO, moved_a), motion(b, start, moved_b));
        let cores = || cast_cores((&piece_a, motion_a, a), (&piece_b, motion_b, b));
        let both_give = a.has(body_flag::DYNAMIC) && b.has(body_flag::DYNAMIC);
        let lies = |slot: u32| self.scratch.ccd.pressed[self.bodies.solver_rows[slot as usize] as usize];
        if !both_give && lies(if a.has(body_flag::DYNAMIC) { link.body_a } else { link.body_b }) {
            let pair = [(piece_a, motion_a, a), (piece_b, motion_b, b)];
            let misses = cores().is_none_or(|hit| hit.time == 0.0 || hit.time >= 1.0);
            if Rule::SlidesOver.acts(misses && slides_over(pair)) {
                return;
            }
        }
        // Jointed bodies may be pressed into something for a moment; stopping them at every touch
        // would hold up all of them.
        let mut touched = None;
        let is_held = Rule::JointedCores.acts(self.is_held(link.body_a) || self.is_held(link.body_b));
        if !is_held {
            // If the parts never touched, their cores did not.
            let Some(hit) = cast_pieces(piece_a, motion_a, piece_b, motion_b) else { return };
            touched = Some(hit).filter(|hit| hit.time > 0.0);
        }
        let heavy = self.heavy_of(link);
        let gives = [(link.body_a, a), (link.body_b, b)]
            .into_iter()
            .zip(heavy)
            .filter(|((_, body), heavy)| body.has(body_flag::DYNAMIC) && body.is_awake() && !heavy)
            .map(|(gives, _)| gives);
        let hit = touched.or_else(|| cores().filter(|hit| Rule::CoreCasts.acts(hit.time > 0.0)));
        let Some(hit) = hit.filter(|hit| hit.time < 1.0) else {
            // A body that spins while overlapping another one turns new corners into it.
            let spins = (moved_a[2] - moved_b[2]).abs() > CcdTuning::SPINS;
            let is_inside = || cores().is_some_and(|hit| hit.time == 0.0);
            if Rule::SpinCuts.acts(!is_held && spins && is_inside()) {
                cuts.extend(gives.map(|(slot, _)| CutBody::new(slot, 0.0, pair)));
            }
            return;
        };
        // Two movable bodies that overlap, but did not pass through each other, are left to the
        // contact: if all touching bodies were stopped, those behind would run into them. (In a
        // stirred ring, one body in ten stood still for half a step.)
        let step = |moved: [f32; 4]| (way(moved), moved[2]);
        let at_hit = start + (way(moved_b) - way(moved_a)) * hit.time;
        let approach = Approach::new(
            (step(moved_a), a.max_extent),
            (step(moved_b), b.max_extent),
            at_hit,
            self.tuning.margins.near_gap,
        );
        let stays = || approach.closes(hit.normal) * (1.0 - hit.time) <= way_through(a, b);
        if Rule::LeftToContact.acts(touched.is_some() && both_give && stays()) {
            return;
        }
        cuts.extend(gives.map(|(slot, _)| CutBody::new(slot, hit.time, pair)));
    }

    /// Notes a stray: a body that moved farther than its thickness and left its boxes in the grid,
    /// after an impact that could not be predicted. Bodies on its path may not be among its pairs.
    pub(super) fn note_stray(&mut self, slot: u32) {
        let body = &self.bodies.rows[slot as usize];
        if !self.def.continuous
            || way(self.displacement_of(slot)).length_squared() <= body.min_extent * body.min_extent
        {
            return;
        }
        let strays = self.parts_of_body(slot).any(|proxy| {
            let tight = self.tight_box(proxy);
            !self.grid.aabb(proxy).is_some_and(|old| self.box_beside(old, body).contains(&tight))
        });
        if strays {
            self.scratch.ccd.strays.push(slot);
        }
    }

    pub(crate) fn parts_of_body(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.bodies.rows[slot as usize].first_shape;
        self.shape_slots_from(first).flat_map(|shape| self.proxies_of(shape))
    }

    /// The tight box around a part, from the centre of its body's region.
    fn tight_box(&self, proxy: u32) -> Aabb {
        let part = &self.shapes.proxies.rows[proxy as usize];
        if part.class != Class::Other {
            let (row, form) =
                (&self.shapes.proxies.placed[proxy as usize], self.shapes.proxies.form[proxy as usize]);
            return placed_box(part.class, row, (&self.shapes.proxies.forms, form));
        }
        let piece = self.shapes.colliders[part.shape as usize].shape.piece(part.part as usize);
        piece.aabb(self.bodies.rows[part.body as usize].local_transform())
    }

    /// A part in the frame of the centre of mass, so that its motion is a straight line plus a
    /// rotation about the origin.
    pub(super) fn centred(&self, part: &Proxy) -> Seen<'_> {
        let piece = self.shapes.colliders[part.shape as usize].shape.piece(part.part as usize);
        piece.shifted(-self.bodies.rows[part.body as usize].local_center)
    }

    /// Cuts strays short at bodies that are not among their pairs, and candidate pairs at each
    /// other.
    fn cut_strays(&mut self, team: &Team) {
        let mut strays = core::mem::take(&mut self.scratch.ccd.strays);
        let mut pairs = core::mem::take(&mut self.scratch.ccd.stray_pairs);
        let mut met = core::mem::take(&mut self.scratch.ccd.near);
        met.clear();
        if strays.len() > MANY_STRAYS {
            self.grid.refresh();
        }
        for &slot in &strays {
            let (body, back) = (&self.bodies.rows[slot as usize], way(self.displacement_of(slot)));
            let here = Aabb { min: body.center, max: body.center };
            let whole = here.union(Aabb { min: body.center - back, max: body.center - back });
            let aabb = whole.grown(body.max_extent + min(body.max_extent, back.length()));
            let region = body.region;
            self.show_beside(slot, WorldAabb { region, aabb });
        }
        for &slot in &strays {
            let (body, back) = (&self.bodies.rows[slot as usize], way(self.displacement_of(slot)));
            for proxy in self.parts_of_body(slot) {
                let tight = self.tight_box(proxy);
                let start = Aabb { min: tight.min - back, max: tight.max - back };
                let aabb = tight.union(start).grown(min(body.max_extent, back.length()));
                self.grid.query(&WorldAabb { region: body.region, aabb }, |other| {
                    if self.shapes.proxies.rows[other as usize].body != slot {
                        met.push(Pair::new(proxy, other));
                    }
                    true
                });
            }
        }
        strays.clear();
        self.scratch.ccd.strays = strays;
        // Boxes around displacements are large and overlap many parts that are never met; culling
        // these first costs less than looking up their contacts.
        self.sieve_back(team, (&met, true), &mut pairs);
        met.clear();
        self.scratch.ccd.near = met;
        pairs.sort_unstable();
        pairs.dedup();
        // Hooks are called in a fixed order, as their answers are recorded.
        pairs.retain(|&pair| self.contacts.find(pair).is_none() && self.may_touch(pair));
        self.in_chunks(team, (&pairs, CAST_GRAIN), |world, some, output| {
            for &pair in some {
                let link = world.link_of(pair);
                let other = flag::SENSOR | flag::ONE_WAY | flag::HOOKED;
                if link.flags & other == 0 && world.may_have_passed(&link) {
                    world.cut_short(pair, &link, &mut output.cuts);
                }
            }
        });
        self.scratch.ccd.stray_pairs = pairs;
    }

    /// Jointed bodies are cut short together: the first cut counts for all. (Otherwise a ring of
    /// 200 links that falls together opened by 120 mm, as 64 of them were held up.)
    fn share_cuts(&self, cuts: &mut Vec<CutBody>) {
        if self.joints.slots.is_empty() || !Rule::SharedCuts.is_on() {
            return;
        }
        // Earlier cuts first: later ones do not matter for bodies that are held up by then.
        cuts.sort_unstable_by(|p, q| {
            p.time.total_cmp(&q.time).then(p.pair.cmp(&q.pair)).then(p.slot.cmp(&q.slot))
        });
        let mut held_up = BTreeSet::new();
        for index in 0..cuts.len() {
            let cut = cuts[index];
            if self.joints.first_of(cut.slot) != NONE && !held_up.contains(&cut.slot) {
                Rule::SharedCuts.count();
                let held = self.held_with(cut.slot, MOST_HELD);
                held_up.extend(held.iter().copied().chain([cut.slot]));
                cuts.extend(held.into_iter().map(|slot| CutBody { slot, ..cut }));
            }
        }
    }

    /// Closes the gaps of joints in loops whose bodies were moved back.
    fn close_cut_joints(&mut self, cuts: &[CutBody], params: &JointParams) {
        let rows: BTreeSet<u32> = cuts.iter().map(|cut| self.bodies.solver_rows[cut.slot as usize]).collect();
        let (joints, moved) = (&mut self.solver.joints, &mut self.columns.moved);
        for (row, [x, y, turn]) in joints.mend_webs(moved, |row| rows.contains(&row), params) {
            let slot = self.bodies.awake[row as usize - 1];
            self.put_moved(slot, Vec2::new(x, y));
            let body = &mut self.bodies.rows[slot as usize];
            body.rotation = body.rotation.turned(turn);
            self.update_boxes(slot);
        }
    }

    /// Takes back a share of the displacement of this step; the boxes in the grid are updated
    /// later.
    fn take_back(&mut self, slot: u32, share: f32) {
        let row = self.bodies.solver_rows[slot as usize] as usize;
        let moved = self.columns.moved[row];
        self.put_moved(slot, way(moved) * -share);
        let body = &mut self.bodies.rows[slot as usize];
        body.rotation = body.rotation.turned(-share * moved[2]);
        for number in &mut self.columns.moved[row] {
            *number *= 1.0 - share;
        }
    }
}

/// Fills a list with the items to keep, at most `count`. Each item is written, and the length grows
/// if it is kept: a branch here could not be predicted by the processor.
#[inline(always)]
fn keep<T: Copy + Default>(
    list: &mut Vec<T>,
    count: usize,
    from: impl Iterator<Item = T>,
    is_kept: impl Fn(&T) -> bool,
) {
    list.resize(count, T::default());
    let mut kept = 0;
    for one in from {
        list[kept] = one;
        kept += usize::from(is_kept(&one));
    }
    list.truncate(kept);
}

/// Distance that a body moves from the touch on until it has passed through: its own half-thickness
/// plus that of the other.
fn way_through(a: &Body, b: &Body) -> f32 {
    match (a.has(body_flag::DYNAMIC), b.has(body_flag::DYNAMIC)) {
        (true, true) => 2.0 * min(a.min_extent, b.min_extent),
        (true, false) => a.min_extent + min(a.min_extent, b.min_extent),
        _ => b.min_extent + min(a.min_extent, b.min_extent),
    }
}

/// Whether a body that lies on fixed pieces, and whose core does not meet this piece, just slides
/// over its end: over the end of any line, as bodies are pressed deep into lines; and over a piece
/// with hardly more overlap than at rest. (The shortest way out of a low piece with sides is over
/// it.)
///
/// Otherwise each piece of a ring or floor stops bodies that run over it: one of eight bodies
/// stirred in a ring stood still to the end of the step, and those behind ran into it; boxes at 60
/// m/s made less than half of their displacement over tiles.
fn slides_over([a, b]: [(Piece, Motion, &Body); 2]) -> bool {
    let (slider, fixed) = if a.2.has(body_flag::DYNAMIC) { (&a, &b) } else { (&b, &a) };
    if slider.0.line().is_some() || fixed.0.line().is_some() {
        return slider.0.line().is_none();
    }
    let end = a.1.at(1.0).relative(b.1.at(1.0));
    let depth = collide_pieces(a.0, b.0, end, 0.0).map_or(0.0, |manifold| manifold.depth());
    depth <= CcdTuning::HELD_OFF * min(slider.2.min_extent, fixed.0.half_thickness())
}

/// Casts the core of the movable part against the whole other part; a line has no core.
fn cast_cores(a: (&Piece, Motion, &Body), b: (&Piece, Motion, &Body)) -> Option<crate::narrowphase::CastHit> {
    if a.2.has(body_flag::DYNAMIC) {
        cast_pieces(a.0.thinned(CcdTuning::CORE)?.piece(), a.1, *b.0, b.1)
    } else {
        cast_pieces(*a.0, a.1, b.0.thinned(CcdTuning::CORE)?.piece(), b.1)
    }
}
