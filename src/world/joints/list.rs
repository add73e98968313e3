//! Lists of joints, and what they mean for contacts.
//!
//! Every body has a list of its joints, in the order they were added: `first_joint` by slot, then `next_a` or `next_b`,
//! whichever side of the joint the body is.

use super::super::World;
use crate::body::NONE;
use crate::broadphase::Pair;
use crate::joint::Joint;

impl World {
    /// The joints of a body, in the order they were added.
    pub(crate) fn joint_slots_of(&self, body: u32) -> impl Iterator<Item = u32> + '_ {
        let first = Some(self.first_joint[body as usize]).filter(|&slot| slot != NONE);
        core::iter::successors(first, move |&slot| {
            Some(self.next_joint(slot, body)).filter(|&slot| slot != NONE)
        })
    }

    pub(super) fn next_joint(&self, slot: u32, body: u32) -> u32 {
        let joint = &self.joints[slot as usize];
        if joint.body_a == body { joint.next_a } else { joint.next_b }
    }

    fn set_next(&mut self, slot: u32, body: u32, next: u32) {
        let joint = &mut self.joints[slot as usize];
        if joint.body_a == body {
            joint.next_a = next;
        } else {
            joint.next_b = next;
        }
    }

    /// Puts a joint at the end of the lists of its bodies.
    pub(super) fn enlist(&mut self, slot: u32) {
        let Joint { body_a, body_b, .. } = self.joints[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            self.set_next(slot, body, NONE);
            match self.joint_slots_of(body).last() {
                Some(last) => self.set_next(last, body, slot),
                None => self.first_joint[body as usize] = slot,
            }
        }
        self.relink = true;
    }

    pub(super) fn delist(&mut self, slot: u32) {
        let Joint { body_a, body_b, .. } = self.joints[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            let next = self.next_joint(slot, body);
            let before = self.joint_slots_of(body).find(|&other| self.next_joint(other, body) == slot);
            match before {
                Some(before) => self.set_next(before, body, next),
                None => self.first_joint[body as usize] = next,
            }
        }
        self.relink = true;
    }

    /// Whether joints let two bodies touch each other.
    pub(crate) fn joints_allow(&self, a: u32, b: u32) -> bool {
        if self.first_joint[a as usize] == NONE || self.first_joint[b as usize] == NONE {
            return true;
        }
        self.joint_slots_of(a).all(|slot| {
            let joint = &self.joints[slot as usize];
            joint.def.collide || (joint.body_a != b && joint.body_b != b)
        })
    }

    /// The pairs of parts of two bodies that are near each other.
    fn pairs_between(&self, a: u32, b: u32) -> Vec<Pair> {
        let shapes = self.shape_slots_from(self.bodies[a as usize].first_shape);
        let is_other = |proxy: u32| self.proxies.rows[proxy as usize].body == b;
        shapes
            .flat_map(|shape| self.pairs_of(shape))
            .filter(|pair| is_other(pair.a) || is_other(pair.b))
            .collect()
    }

    pub(super) fn end_contacts_between(&mut self, a: u32, b: u32) {
        if self.contact_counts[a as usize] == 0 || self.contact_counts[b as usize] == 0 {
            return;
        }
        for pair in self.pairs_between(a, b) {
            if let Some(contact) = self.contacts.find(pair) {
                self.end_contact(contact);
            }
        }
    }

    /// Pairs of parts of two bodies may make contacts again.
    pub(crate) fn contacts_between_anew(&mut self, a: u32, b: u32) {
        for pair in self.pairs_between(a, b) {
            if self.grid.pairs().binary_search(&pair).is_ok() {
                self.begin_contact(pair);
            }
        }
    }
}
