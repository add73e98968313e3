//! Where manifolds go: into the rows of the contacts.
//!
//! In: the result of the exact test of a pair. Out: its manifold, with the impulses of the points
//! that were there before, matched by feature id (manifold persistence); or its entry in the list
//! of pairs that are apart and come together fast. Tests in lanes and tests one by
//! one hand their results to a `ManifoldSink`.

use glam::Vec2;

use crate::ablate::Rule;
use crate::broadphase::Pair;
use crate::contact::{
    ContactHeader, ContactShares, ImpulseRow, ManifoldPoint, ManifoldRow, SurfaceRow, flag,
};
use crate::math::{Rot, min};
use crate::narrowphase::{FeatureId, Manifold};
use crate::tuning::{LEVER_LEAN, LEVER_SLACK, MarginTuning};
use crate::world::World;

/// The result for one contact, with points relative to A's centre of mass.
pub(crate) struct FoundContact {
    pub(crate) row: ManifoldRow,
    pub(crate) ids: [FeatureId; 2],
    pub(crate) count: u8,
    /// From A's centre of mass to B's.
    pub(crate) way: Vec2,
}

impl FoundContact {
    pub(super) const NOTHING: FoundContact = FoundContact {
        row: ManifoldRow {
            normal: Vec2::ZERO,
            points: [ManifoldPoint { at: Vec2::ZERO, separation: 0.0 }; 2],
        },
        ids: [FeatureId::ROUND; 2],
        count: 0,
        way: Vec2::ZERO,
    };

    /// From a manifold whose points are relative to A's centre of mass.
    pub(crate) fn new(manifold: &Manifold, way: Vec2) -> FoundContact {
        let mut found = FoundContact { way, count: manifold.points().len() as u8, ..FoundContact::NOTHING };
        found.row.normal = manifold.normal;
        for (k, point) in manifold.points().iter().enumerate() {
            found.row.points[k] = ManifoldPoint { at: point.point, separation: point.separation };
            found.ids[k] = point.id;
        }
        found
    }

    /// Separates concentric balls in different directions, chosen by their indices, instead of
    /// along one line. (300 balls in one place got to 130 m/s along a line.) The golden angle
    /// spreads the directions evenly.
    pub(super) fn spread(&mut self, number: u32) {
        if Rule::ConcentricCircles.acts(true) {
            self.row.normal = Rot::from_angle(2.399_963 * (number % 1024) as f32).x_axis();
        }
    }

    pub(crate) fn separation(&self) -> f32 {
        if self.count == 0 { f32::INFINITY } else { self.row.separation(self.count) }
    }
}

/// Relative motion of two bodies in a step: displacement of B relative to A, greatest displacement
/// of their points by rotation, and a bound of the gap.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Approach {
    pub(crate) way: Vec2,
    pub(crate) turn: f32,
    /// Lower bound of the gap along the normal during the step, by corners; 0 if it was not
    /// computed.
    pub(super) gap_left: f32,
    /// Gap from which on the two are cast; less than [`MarginTuning::near_gap`] for circles
    /// that come round each other.
    pub(super) near: f32,
}

impl Approach {
    /// From displacement, rotation and reach of both, with `between` from one centre to the other.
    ///
    /// In the frame of the larger body, which may turn: a small body that goes round with a large
    /// ring does not move.
    pub(crate) fn new(a: ((Vec2, f32), f32), b: ((Vec2, f32), f32), between: Vec2, near: f32) -> Approach {
        let (((way_a, turn_a), reach_a), ((way_b, turn_b), reach_b)) = (a, b);
        let round = between.perp() * if reach_a >= reach_b { turn_a } else { turn_b };
        let reach = min(reach_a, reach_b);
        let turn = (turn_b - turn_a).abs() * reach;
        Approach { way: way_b - way_a - round, turn, gap_left: 0.0, near }
    }

    pub(super) fn reach(&self) -> f32 {
        self.way.length() + self.turn
    }

    /// Whether the gap along `normal` may close.
    #[inline(always)]
    pub(super) fn may_touch(&self, normal: Vec2, gap: f32, near_gap: f32) -> bool {
        self.closes(normal) > gap && self.gap_left < near_gap
    }

    /// How far the gap along `normal` may close. It separates the two, so while it is open nothing
    /// else matters.
    #[inline(always)]
    pub(crate) fn closes(&self, normal: Vec2) -> f32 {
        self.turn - normal.dot(self.way)
    }
}

/// Output of a chunk of tests, or of a single one, besides manifolds. The caller of the tests
/// empties the lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkOutput {
    /// Apart, and coming together fast.
    pub(super) fast: Vec<u32>,
    /// Their parts overlap by more than a little.
    pub(super) deep: Vec<u32>,
    /// Contacts for which there may be an event.
    unsure: Vec<u32>,
    /// Contacts that a kernel rejects, or that pass culling.
    pub(crate) left: Vec<u32>,
    /// Pairs without a contact that came near each other.
    pub(crate) near: Vec<Pair>,
    /// How many contacts began to touch.
    begun: usize,
    /// Whether the set of touching contacts, or their number of points, has changed.
    colouring: bool,
}

impl ChunkOutput {
    /// Hands the outputs to the world.
    #[inline]
    fn tell(&mut self, candidates: &mut Vec<u32>, new_touches: &mut usize, colouring: &mut bool) {
        candidates.append(&mut self.unsure);
        *new_touches += core::mem::take(&mut self.begun);
        *colouring |= core::mem::take(&mut self.colouring);
    }
}

/// Where manifolds go: into the rows of the contacts.
pub(super) struct ManifoldSink<'w> {
    pub(super) contacts: ContactShares<'w>,
    pub(super) output: &'w mut ChunkOutput,
    pub(super) continuous: bool,
    pub(super) margins: &'w MarginTuning,
}

impl ManifoldSink<'_> {
    /// Stores the result for a contact. A pair that is apart is listed as fast if its gap may close
    /// within this step.
    #[inline(always)]
    pub(super) fn put(&mut self, contact: u32, mut found: FoundContact, approach: Approach) {
        let separation = found.separation();
        if separation < -self.margins.speculative {
            self.output.deep.push(contact);
        }
        if separation > approach.near {
            if self.continuous && approach.may_touch(found.row.normal, separation, self.margins.near_gap) {
                self.output.fast.push(contact);
                return;
            }
            if separation > self.margins.speculative {
                found.count = 0;
            }
        }
        self.keep(contact, &found);
    }

    /// Stores the predicted manifold of a contact that is apart, if it will touch within the step.
    #[inline(always)]
    pub(super) fn put_foreseen(&mut self, contact: u32, found: Option<&FoundContact>) {
        self.keep(contact, found.unwrap_or(&FoundContact::NOTHING));
        if found.is_some() {
            let foreseen =
                |link: ContactHeader| ContactHeader { flags: link.flags | flag::PREDICTED, ..link };
            self.contacts.link.change(contact as usize, foreseen);
        }
    }

    /// Writes a manifold, with impulses carried over for points that were there before.
    #[inline(always)]
    pub(super) fn keep(&mut self, contact: u32, found: &FoundContact) {
        let (place, contacts) = (contact as usize, &self.contacts);
        let mut link = contacts.link.get(place);
        if link.count == 0 && found.count == 0 {
            // Most pairs of a loose heap: nothing to write.
            return;
        }
        if link.count != found.count {
            self.output.colouring = true;
            self.output.begun += usize::from(link.count == 0);
        }
        // A touch lasts while its gap is small: all other contacts are checked when events are
        // written.
        let (has_met, is_near) =
            (link.flags & flag::WAS_TOUCHING != 0, found.separation() <= self.margins.near_gap);
        if has_met != (found.count > 0) || !is_near {
            self.output.unsure.push(contact);
        }
        let (old_ids, old_count) = (contacts.ids.get(place), link.count);
        link.count = found.count;
        link.flags &= !(flag::PREDICTED | flag::TOUCHING);
        link.flags |= if found.count > 0 { flag::TOUCHING } else { 0 };
        contacts.link.set(place, link);
        let (old_impulse, mut way) = (contacts.impulse.get(place), found.way);
        if old_count == found.count && old_ids == found.ids {
            // As separate numbers: a wide load of parts that were just written waits for those
            // stores.
            let ImpulseRow { normal, tangent, rolling, a_to_b, total } = old_impulse;
            let mut row = found.row;
            if found.count == 2 && normal[0] > 0.0 && normal[1] > 0.0 {
                let old = (contacts.manifold.get(place), a_to_b);
                keep_levers((&mut row, &mut way), old);
            }
            if found.count == 1 {
                let old = (contacts.manifold.get(place), a_to_b);
                let is_ahead = Rule::ArmAhead.acts(normal[0] > 0.0);
                row.points[1].at = if is_ahead { arms_moved((&row, way), old) } else { Vec2::ZERO };
            }
            contacts.manifold.set(place, row);
            contacts.impulse.set(place, ImpulseRow { normal, tangent, rolling, a_to_b: way, total });
            return;
        }
        let mut row = found.row;
        if found.count == 1 {
            row.points[1].at = Vec2::ZERO;
        }
        contacts.manifold.set(place, row);
        let (before, now) = (&old_ids[..usize::from(old_count)], &found.ids[..usize::from(found.count)]);
        let (mut impulse, mut surface) = (old_impulse, contacts.surface.get(place));
        match_points(&mut impulse, &mut surface, before, now);
        impulse.a_to_b = way;
        contacts.impulse.set(place, impulse);
        contacts.surface.set(place, surface);
        contacts.ids.set(place, found.ids);
    }
}

impl World {
    /// Writes the manifold of a single contact.
    pub(crate) fn keep(&mut self, contact: u32, found: &FoundContact) {
        self.sink(false, |sink| sink.keep(contact, found));
    }

    /// Clears the manifold: the contact does not touch in this step.
    pub(crate) fn clear_manifold(&mut self, contact: u32) {
        self.keep(contact, &FoundContact::NOTHING);
    }

    /// Puts one contact through a sink.
    #[inline]
    pub(super) fn sink(&mut self, continuous: bool, put: impl FnOnce(&mut ManifoldSink)) {
        let output = &mut self.scratch.output;
        let (contacts, margins) = (self.contacts.share(), &self.tuning.margins);
        put(&mut ManifoldSink { contacts, output, continuous, margins });
        output.tell(&mut self.events.candidates, &mut self.step.new_touches, &mut self.dirty.colouring);
    }

    /// Notes the outputs; all lists but `unsure` are for the caller of the tests.
    pub(super) fn take_output(&mut self, output: &mut ChunkOutput) {
        output.tell(&mut self.events.candidates, &mut self.step.new_touches, &mut self.dirty.colouring);
    }
}

/// Face contacts keep their levers (contact arms) while the bodies hardly move relative to each
/// other: points and centres within [`LEVER_SLACK`] of the kept ones, and rotated by less than
/// [`LEVER_LEAN`]. Normal and separations are the new ones.
///
/// A column on faces is only as stiff as its contacts: when it leans, its weight turns each box
/// further, and beyond some twenty boxes that exceeds the contacts' stiffness (n³ ~ ω², elastic
/// buckling). With kept levers such a small lean has no torque. Nothing else that can be kept of a
/// manifold helps: with normals fixed to a body, separations of fixed anchors, levers that turn
/// with the bodies, or any two together, a column of 30 falls after 15 s as before.
#[inline(always)]
fn keep_levers((row, way): (&mut ManifoldRow, &mut Vec2), (old, old_way): (ManifoldRow, Vec2)) {
    let ([first, second], [old_first, old_second]) = (row.points.map(|of| of.at), old.points.map(|of| of.at));
    let (face, old_face) = (second - first, old_second - old_first);
    let width = old_face.length_squared();
    // The rotation of both, from the line through the points: valid while it is small.
    let turn = (old_face.x * face.y - old_face.y * face.x) / width;
    let slack = LEVER_SLACK * LEVER_SLACK * width;
    let strays = |now: Vec2, old: Vec2| (now - old - turn * old.perp()).length_squared();
    if turn.abs() < LEVER_LEAN
        && strays(first, old_first) <= slack
        && strays(second, old_second) <= slack
        && strays(*way, old_way) <= slack
    {
        (row.points[0].at, row.points[1].at) = (old_first, old_second);
        *way = old_way;
    }
}

/// How far both arms of a single point moved in the last step; 0 after a rotation beyond
/// [`MarginTuning::MOST_ROLLED`], as another feature may touch now. It is stored in place of the
/// second point. `solver/contacts/prepare.rs` uses it.
#[inline(always)]
fn arms_moved((row, way): (&ManifoldRow, Vec2), (old, old_way): (ManifoldRow, Vec2)) -> Vec2 {
    let arms = |row: &ManifoldRow, way: Vec2| {
        let (at, normal) = (row.points[0].at, row.normal);
        Vec2::new(at.perp_dot(normal), (at - way).perp_dot(normal))
    };
    let turn = row.normal.perp_dot(old.normal);
    if turn.abs() < MarginTuning::MOST_ROLLED { arms(row, way) - arms(&old, old_way) } else { Vec2::ZERO }
}

/// Each point takes over impulses and load of the old point made by the same features; others start
/// from none.
#[inline(never)]
fn match_points(impulse: &mut ImpulseRow, surface: &mut SurfaceRow, before: &[FeatureId], now: &[FeatureId]) {
    let (old, loads) = (*impulse, surface.loads);
    for k in 0..2 {
        let from = now.get(k).and_then(|id| before.iter().position(|other| other == id));
        let point = from.map_or((0.0, 0.0, 0.0), |from| (old.normal[from], old.tangent[from], loads[from]));
        (impulse.normal[k], impulse.tangent[k], surface.loads[k]) = point;
    }
    if now.is_empty() {
        (impulse.rolling, impulse.total) = (0.0, 0.0);
    }
}
