//! Deep overlaps: bodies that were spawned in each other, or crushed by something heavy and fast.
//!
//! In: contacts whose parts overlap by more than a little. Out: less depth in their manifolds, and
//! limits to how fast bodies may get by being pushed out.
//!
//! Three things go wrong when every contact pushes as it would alone: many bodies in one place
//! press against each other like springs and fly apart; two that are nearly through each other get
//! fast; and the parts of two bodies push each to its own side, so that the bodies stay where they
//! are, or explode. Depths are compared with the half-thickness of the thinner body.

use glam::Vec2;

use crate::body::BodyKind;
use crate::contact::flag;
use crate::math::{max, min};
use crate::tuning::MAX_PUSH;
use crate::world::World;

/// Depth from which on a contact shares its push with all others in which both of its bodies are
/// deep, so that together they push no faster. (All contacts were counted once: then whatever lies
/// in a heap is in a crowd, and compounds that 80 m/s had crushed stayed 0.9 m deep in each other.)
const CROWDED: f32 = 0.3;

/// Cosine between the normals of two contacts of one pair below which they push against each other,
/// and length of the mean of all of them.
const AGAINST: f32 = -0.7;
/// See [`AGAINST`].
const EVEN: f32 = 0.3;

/// Least cosine between the normal of a contact and the direction in which its bodies part.
const AGREES: f32 = 0.2;

/// Depth from which on speed is limited.
const DEEP: f32 = 0.8;

/// Pairs of bodies that are deep in each other, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    pairs: Vec<[u32; 2]>,
    /// Contacts that do not bounce in this step, and what they give back else.
    numb: Vec<(u32, f32)>,
    contacts: Vec<u32>,
}

impl World {
    /// Goes through the deep contacts of a step; `crowds` is for counting, and empty; `pairs` is
    /// for sorting.
    pub(super) fn limit_depenetration(&mut self, deep: &[u32], crowds: &mut Vec<u32>, pairs: &mut Pairs) {
        if deep.is_empty() {
            return;
        }
        crowds.resize(self.bodies.rows.len(), 0);
        for &contact in deep {
            self.slots(contact).into_iter().for_each(|slot| crowds[slot] += 1);
        }
        self.part_one_way(deep, crowds, pairs);
        for &contact in deep {
            let crowd = self.slots(contact).map(|slot| crowds[slot]);
            self.limit_speed(contact);
            if self.is_crowded(contact) {
                self.share_push(contact, crowd[0].min(crowd[1]));
            }
        }
        crowds.clear();
    }

    /// Of each pair of bodies that are deep in each other by several contacts, of which some push
    /// against the others: drops those that do not push along the line of their centres, the
    /// shallow ones too. (Outlines of twelve corners, and compounds, left each other at up to 80
    /// m/s, or fell asleep as they were.)
    ///
    /// Along that line they get farther from each other in each step, and so part in the end,
    /// whatever their forms. Not so where one is deep in others too: a heap that was crushed found
    /// its ways out by itself, and along one line stayed as it was.
    fn part_one_way(&mut self, deep: &[u32], crowds: &[u32], scratch: &mut Pairs) {
        let Pairs { pairs, numb, contacts } = scratch;
        pairs.clear();
        for &contact in deep {
            let [a, b] = self.slots(contact);
            if [a, b].into_iter().all(|slot| self.bodies.rows[slot].kind() == BodyKind::Dynamic) {
                pairs.push([a.min(b) as u32, a.max(b) as u32]);
            }
        }
        pairs.sort_unstable();
        for pair in pairs.chunk_by(|p, q| p == q) {
            let [a, b] = pair[0];
            if [a, b].map(|slot| crowds[slot as usize] as usize) != [pair.len(); 2] {
                continue;
            }
            let touches = |&contact: &u32| {
                let link = &self.contacts.link[contact as usize];
                let other = if link.body_a == a { link.body_b } else { link.body_a };
                other == b && link.flags & (flag::TOUCHING | flag::SENSOR) == flag::TOUCHING
            };
            contacts.clear();
            contacts.extend(self.contacts.by_body.of(a).filter(touches));
            if contacts.len() < 2 {
                continue;
            }
            contacts.sort_unstable();
            for &contact in &*contacts {
                let restitution = &mut self.contacts.surface[contact as usize][2];
                numb.push((contact, core::mem::take(restitution)));
            }
            if self.is_at_odds(contacts) {
                self.push_along([a, b], contacts);
            }
        }
    }

    /// Whether contacts push against each other.
    fn is_at_odds(&self, contacts: &[u32]) -> bool {
        let normals = || contacts.iter().map(|&contact| self.normal(contact));
        let sum: Vec2 = normals().sum();
        let opposed = |n: Vec2| normals().any(|m| n.dot(m) < AGAINST);
        sum.length() < EVEN * contacts.len() as f32 || normals().any(opposed)
    }

    /// Leaves the contacts of two bodies that push along the line of their centres, or has the
    /// deepest one do so.
    fn push_along(&mut self, [a, b]: [u32; 2], contacts: &[u32]) {
        let [at_a, at_b] = [a, b].map(|slot| self.bodies.rows[slot as usize].center_point());
        let way = at_a.to(at_b).normalize_or(Vec2::Y);
        let agrees = |world: &World, contact: u32| world.normal(contact).dot(way) > AGREES;
        let deepest = contacts.iter().copied().max_by(|&p, &q| self.depth(p).total_cmp(&self.depth(q)));
        let Some(deepest) = deepest else { return };
        // Who is hardly in the other has nothing to push.
        let half = 0.5 * self.depth(deepest);
        let all_against = !contacts.iter().any(|&c| self.depth(c) >= half && agrees(self, c));
        for &contact in contacts {
            if all_against && contact == deepest {
                let turned = if self.contacts.link[contact as usize].body_a == a { way } else { -way };
                let row = &mut self.contacts.manifold[contact as usize];
                (row[0], row[1]) = (turned.x, turned.y);
            } else if !agrees(self, contact) {
                self.clear_manifold(contact);
            }
        }
    }

    /// Gives the contacts of deep bodies their restitution back, once the solver knows of none.
    pub(crate) fn wake_numb(&mut self) {
        for (contact, restitution) in self.scratch.collide.deep_pairs.numb.drain(..) {
            self.contacts.surface[contact as usize][2] = restitution;
        }
    }

    /// Normal of a contact from the body with the lower slot to the other.
    fn normal(&self, contact: u32) -> Vec2 {
        let row = &self.contacts.manifold[contact as usize];
        let [a, b] = self.slots(contact);
        Vec2::new(row[0], row[1]) * if a < b { 1.0 } else { -1.0 }
    }

    fn slots(&self, contact: u32) -> [usize; 2] {
        let link = &self.contacts.link[contact as usize];
        [link.body_a as usize, link.body_b as usize]
    }

    /// How deep the two of a contact are in each other.
    fn depth(&self, contact: u32) -> f32 {
        let row = &self.contacts.manifold[contact as usize];
        match self.contacts.link[contact as usize].count {
            0 => 0.0,
            1 => -row[4],
            _ => -min(row[4], row[7]),
        }
    }

    /// Half-thickness of the thinner body. A line has no thickness of its own.
    fn thinner(&self, contact: u32) -> f32 {
        let [a, b] = self.slots(contact).map(|slot| self.bodies.rows[slot].core);
        if min(a, b) > 0.0 { min(a, b) } else { max(a, b) }
    }

    /// The ground gives back all of what presses into it: who is half through is lost. So do bodies
    /// that are moved by hand.
    fn is_crowded(&self, contact: u32) -> bool {
        let yields = |slot: usize| self.bodies.rows[slot].kind() == BodyKind::Dynamic;
        self.slots(contact).into_iter().all(yields) && self.depth(contact) > CROWDED * self.thinner(contact)
    }

    /// Bodies that are pushed out get no faster than either of them was and the fastest push.
    fn limit_speed(&mut self, contact: u32) {
        let is_bouncy = self.contacts.link[contact as usize].flags & flag::BOUNCY != 0;
        if is_bouncy || self.depth(contact) <= DEEP * self.thinner(contact) {
            return;
        }
        let slots = self.slots(contact);
        let [a, b] = slots.map(|slot| self.bodies.rows[slot].linear_velocity.length());
        let limit = max(max(a, b), MAX_PUSH * self.def.unit) + self.most_gravity() * self.step.dt;
        for slot in slots {
            let body = &mut self.bodies.rows[slot];
            body.push_limit = max(body.push_limit, limit);
        }
    }

    /// Takes off the depth of a contact what others of its `crowd` push already.
    fn share_push(&mut self, contact: u32, crowd: u32) {
        let most = self.depth(contact) / crowd as f32;
        let row = &mut self.contacts.manifold[contact as usize];
        (row[4], row[7]) = (max(row[4], -most), max(row[7], -most));
    }
}
