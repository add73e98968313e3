//! Deep overlaps: depenetration of bodies that were spawned inside each other, or crushed by
//! something heavy and fast (by soft constraints in place of Baumgarte's push).
//!
//! In: contacts whose parts overlap by more than a little. Out: less depth in their manifolds, and
//! speed limits for depenetration.
//!
//! Three things go wrong if every contact pushes as it would alone: many bodies in one place press
//! against each other like springs and fly apart; two that are nearly through each other get fast;
//! and contacts between several parts of two bodies push in opposite directions, so that the bodies
//! stay where they are, or explode. Depths are compared with the half-thickness of the thinner
//! body.

use glam::Vec2;

use crate::ablate::Rule;
use crate::body::material::Surface;
use crate::body::{Body, BodyKind, NONE, at_most};
use crate::contact::{ManifoldPoint, ManifoldRow, flag};
use crate::math::{max, min};
use crate::step::collide::write::FoundContact;
use crate::tuning::{MIN_SIZE, OverlapTuning};
use crate::util::UnionFind;
use crate::world::World;

/// Pairs of bodies with deep overlap, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct DeepPairs {
    pairs: Vec<[u32; 2]>,
    /// Contacts without restitution (or friction, too) in this step, with their original surface.
    muted: Vec<(u32, Surface)>,
    contacts: Vec<u32>,
    pushed_out: Vec<PushedOut>,
    groups: UnionFind,
    crowds: Vec<Crowd>,
}

/// A body that is pushed out of deep overlaps in this step.
#[derive(Clone, Copy, Debug)]
struct PushedOut {
    slot: u32,
    /// The velocity of its crowd.
    common: Vec2,
    /// By how much its own may differ from that at the end of the step.
    most: f32,
}

/// Bodies that overlap each other deeply, directly or through others.
#[derive(Clone, Copy, Debug, Default)]
struct Crowd {
    momentum: Vec2,
    mass: f32,
    /// The velocity of the first immovable body in it.
    held: Option<Vec2>,
}

impl Crowd {
    fn add(&mut self, body: &Body) {
        if body.kind() != BodyKind::Dynamic {
            self.held.get_or_insert(body.linear_velocity);
            return;
        }
        self.momentum += body.mass * body.linear_velocity;
        self.mass += body.mass;
    }

    /// The velocity of an immovable body in it, or of its centre of mass.
    fn velocity(&self) -> Vec2 {
        let of_center = || if self.mass > 0.0 { self.momentum / self.mass } else { Vec2::ZERO };
        self.held.unwrap_or_else(of_center)
    }
}

impl World {
    /// Limits the deep contacts of a step; `crowds` is scratch memory for counting by slot, of zeros
    /// between steps, `pairs` for sorting.
    pub(super) fn limit_depenetration(&mut self, deep: &[u32], crowds: &mut Vec<u32>, pairs: &mut DeepPairs) {
        pairs.pushed_out.clear();
        if deep.is_empty() {
            return;
        }
        crowds.resize(self.bodies.rows.len().max(crowds.len()), 0);
        for &contact in deep {
            self.slots(contact).into_iter().for_each(|slot| crowds[slot] += 1);
        }
        self.part_one_way(deep, pairs);
        self.list_pushed_out(deep, pairs);
        for &contact in deep {
            let crowd = self.slots(contact).map(|slot| crowds[slot]);
            if Rule::DeepShared.acts(self.is_crowded(contact)) {
                self.share_push(contact, crowd[0].min(crowd[1]));
            }
        }
        for &contact in deep {
            self.slots(contact).into_iter().for_each(|slot| crowds[slot] = 0);
        }
    }

    /// Turns restitution off for bodies with several deep contacts between them: they would bounce
    /// off each other while pushed out. If some deep contacts of a pair push against others, one
    /// push along the line of the centres replaces all, without friction. (Outlines of twelve
    /// corners, and compounds, left each other at up to 80 m/s, or fell asleep as they were.)
    ///
    /// Along that line they get farther apart in each step, and so separate in the end, whatever
    /// their shapes and however many are in one place. With friction they would wedge: in more than
    /// half of the rooms of compounds created inside each other, overlaps stayed 36 cm deep, and so
    /// did nearly half of the pairs of stars with five tips. Bodies hooked into each other in a
    /// full room, like letters U, still stay.
    fn part_one_way(&mut self, deep: &[u32], scratch: &mut DeepPairs) {
        let DeepPairs { pairs, muted, contacts, .. } = scratch;
        pairs.clear();
        for &contact in deep {
            let [a, b] = self.slots(contact);
            // Two bodies of one part each have only this contact.
            let has_others = self.bodies.sole_parts[a] == NONE || self.bodies.sole_parts[b] == NONE;
            let is_dynamic = |slot: usize| self.bodies.rows[slot].kind() == BodyKind::Dynamic;
            if has_others && is_dynamic(a) && is_dynamic(b) {
                pairs.push([a.min(b) as u32, a.max(b) as u32]);
            }
        }
        pairs.sort_unstable();
        for pair in pairs.chunk_by(|p, q| p == q) {
            // Walks the contacts of the body that has fewer: a paddle in a heap has thousands.
            let [body, other] = self.contacts.edges().shorter_first(pair[0]);
            let touches = |&contact: &u32| {
                let link = &self.contacts.link[contact as usize];
                let second = if link.body_a == body { link.body_b } else { link.body_a };
                second == other && link.flags & (flag::TOUCHING | flag::SENSOR) == flag::TOUCHING
            };
            contacts.clear();
            contacts.extend(self.contacts.edges().of(body).filter(touches));
            contacts.sort_unstable();
            if contacts.len() < 2 {
                continue;
            }
            let is_at_odds = Rule::DeepOpposed.acts(self.is_at_odds(contacts));
            for &contact in contacts.iter().filter(|_| Rule::DeepMuted.acts(true)) {
                let surface = &mut self.contacts.surface[contact as usize].surface;
                muted.push((contact, *surface));
                surface.restitution = 0.0;
                if is_at_odds {
                    (surface.static_friction, surface.kinetic_friction) = (0.0, 0.0);
                }
            }
            if is_at_odds {
                self.push_along(contacts);
            }
        }
    }

    /// Whether overlapping contacts push against each other. (A contact with a gap on the other
    /// side, as in a hook, does not push.)
    fn is_at_odds(&self, contacts: &[u32]) -> bool {
        let pushing = || contacts.iter().copied().filter(|&contact| self.depth(contact) > 0.0);
        let normals = || pushing().map(|contact| self.normal(contact));
        let sum: Vec2 = normals().sum();
        let opposed = |n: Vec2| normals().any(|m| n.dot(m) < OverlapTuning::OPPOSED);
        sum.length() < OverlapTuning::OPPOSED_MEAN * pushing().count() as f32 || normals().any(opposed)
    }

    /// Keeps one contact of two bodies: it pushes along the line of their centres, with the
    /// greatest depth. (Several that push only partly along the line act like a wedge: bodies left
    /// each other at up to 15 m/s.)
    fn push_along(&mut self, contacts: &[u32]) {
        let deepest = contacts.iter().copied().max_by(|&p, &q| self.depth(p).total_cmp(&self.depth(q)));
        let Some(deepest) = deepest else { return };
        let separation = -self.depth(deepest);
        for &contact in contacts.iter().filter(|&&contact| contact != deepest) {
            self.clear_manifold(contact);
        }
        let [at_a, at_b] = self.slots(deepest).map(|slot| self.bodies.rows[slot].center_point());
        let way = self.way(at_a, at_b);
        let (normal, point) = (way.normalize_or(Vec2::Y), 0.5 * way);
        let first = ManifoldPoint { at: point, separation };
        let row = ManifoldRow { normal, points: [first, ManifoldPoint::default()] };
        self.keep(deepest, &FoundContact { row, count: 1, way, ..FoundContact::NOTHING });
    }

    /// Restores the surfaces of deep contacts, after the solver has read them.
    pub(crate) fn restore_surfaces(&mut self) {
        for (contact, kept) in self.scratch.collide.deep_pairs.muted.drain(..) {
            self.contacts.surface[contact as usize].surface = kept;
        }
    }

    /// Normal of a contact from the body with the lower slot to the other.
    fn normal(&self, contact: u32) -> Vec2 {
        let row = &self.contacts.manifold[contact as usize];
        let [a, b] = self.slots(contact);
        row.normal * if a < b { 1.0 } else { -1.0 }
    }

    fn slots(&self, contact: u32) -> [usize; 2] {
        let link = &self.contacts.link[contact as usize];
        [link.body_a as usize, link.body_b as usize]
    }

    /// Depth of a contact.
    fn depth(&self, contact: u32) -> f32 {
        let row = &self.contacts.manifold[contact as usize];
        match self.contacts.link[contact as usize].count {
            0 => 0.0,
            count => -row.separation(count),
        }
    }

    /// Half-thickness of the thinner body. A line has no thickness of its own.
    fn thinner(&self, contact: u32) -> f32 {
        let [a, b] = self.slots(contact).map(|slot| self.bodies.rows[slot].min_extent);
        if min(a, b) > 0.0 { min(a, b) } else { max(a, b) }
    }

    /// Immovable bodies push with full strength: a body that is halfway through the ground is lost.
    /// So do kinematic bodies.
    fn is_crowded(&self, contact: u32) -> bool {
        let yields = |slot: usize| self.bodies.rows[slot].kind() == BodyKind::Dynamic;
        self.slots(contact).into_iter().all(yields)
            && self.depth(contact) > OverlapTuning::CROWDED * self.thinner(contact)
    }

    /// Lists the bodies that are pushed out of deep overlaps. Each may leave what it overlaps as fast
    /// as that came, or as the fastest push: seen from the whole crowd of deep overlaps, so that one
    /// on a train parts like one at rest. (With a crowd of the pushed out alone, what leaves in a
    /// group was a crowd of its own, and boxes from one point got 1.4 times as fast.)
    fn list_pushed_out(&self, deep: &[u32], scratch: &mut DeepPairs) {
        let DeepPairs { pushed_out, groups, crowds, .. } = scratch;
        if !deep.iter().any(|&contact| Rule::PushLimit.acts(self.is_pushed_out(contact))) {
            return;
        }
        for slot in deep.iter().flat_map(|&contact| self.slots(contact)) {
            pushed_out.push(PushedOut { slot: slot as u32, common: Vec2::ZERO, most: 0.0 });
        }
        pushed_out.sort_unstable_by_key(|pushed| pushed.slot);
        pushed_out.dedup_by_key(|pushed| pushed.slot);
        let place =
            |all: &[PushedOut], slot: usize| all.partition_point(|pushed| (pushed.slot as usize) < slot);
        groups.reset(pushed_out.len());
        for &contact in deep {
            let [a, b] = self.slots(contact).map(|slot| place(pushed_out, slot) as u32);
            groups.join(a, b);
        }
        crowds.clear();
        crowds.resize(pushed_out.len(), Crowd::default());
        for (at, pushed) in (0..).zip(&*pushed_out) {
            crowds[groups.root(at) as usize].add(&self.bodies.rows[pushed.slot as usize]);
        }
        for (at, pushed) in (0..).zip(&mut *pushed_out) {
            pushed.common = crowds[groups.root(at) as usize].velocity();
        }
        let gravity = self.most_gravity() * self.step.dt;
        for &contact in deep.iter().filter(|&&contact| self.is_pushed_out(contact)) {
            let slots = self.slots(contact);
            let at = slots.map(|slot| place(pushed_out, slot));
            let common = pushed_out[at[0]].common;
            let [a, b] = slots.map(|slot| self.bodies.rows[slot].linear_velocity.distance(common));
            let most = max(max(a, b), self.tuning.overlaps.max_push) + gravity;
            for at in at {
                pushed_out[at].most = max(pushed_out[at].most, most);
            }
        }
        pushed_out.retain(|pushed| pushed.most > 0.0);
    }

    /// Clamps the velocities and spins that bodies got from being pushed out of deep overlaps.
    pub(in crate::step) fn limit_pushed_out(&mut self) {
        for &PushedOut { slot, common, most } in &self.scratch.collide.deep_pairs.pushed_out {
            let row = self.bodies.solver_rows[slot as usize] as usize;
            let body = &self.bodies.rows[slot as usize];
            if row == 0 || body.kind() != BodyKind::Dynamic {
                continue;
            }
            let [x, y, spin, _] = &mut self.columns.velocity[row];
            let leaves = Vec2::new(*x, *y) - common;
            let speed = leaves.length();
            if speed > most {
                [*x, *y] = (common + leaves * (most / speed)).to_array();
            }
            let most = max(body.angular_velocity.abs(), most / max(body.max_extent, MIN_SIZE));
            *spin = at_most(*spin, most);
        }
    }

    /// Whether a contact is too deep for an impact. Contacts with restitution are exempt: a light
    /// body leaves a heavy one at twice its speed.
    fn is_pushed_out(&self, contact: u32) -> bool {
        let is_bouncy = self.contacts.link[contact as usize].flags & flag::BOUNCY != 0;
        !is_bouncy && self.depth(contact) > OverlapTuning::PUSHED_OUT * self.thinner(contact)
    }

    /// Reduces the depth of a contact by the share of the others in its `crowd`.
    fn share_push(&mut self, contact: u32, crowd: u32) {
        let most = self.depth(contact) / crowd as f32;
        for point in &mut self.contacts.manifold[contact as usize].points {
            point.separation = max(point.separation, -most);
        }
    }
}
