//! Joint lists of bodies, and their effect on contacts.
//!
//! Every body has a list of its joints, in the order they were added: `JointStore::first_of`, then
//! `next_a` or `next_b`, for the side of the joint on which the body is; and back from
//! `JointStore::last_of` by `before_a` or `before_b`.

use super::super::World;
use crate::body::{NONE, flag};
use crate::broadphase::Pair;
use crate::joint::Joint;

/// Up to this many pairs are looked up one by one instead of by a search in space.
const FEW_PAIRS: usize = 16;

impl World {
    /// The joints of a body, in the order they were added.
    pub(crate) fn joint_slots_of(&self, body: u32) -> impl Iterator<Item = u32> + '_ {
        let first = Some(self.joints.first_of(body)).filter(|&slot| slot != NONE);
        core::iter::successors(first, move |&slot| {
            Some(self.next_joint(slot, body)).filter(|&slot| slot != NONE)
        })
    }

    pub(crate) fn next_joint(&self, slot: u32, body: u32) -> u32 {
        let joint = &self.joints.rows[slot as usize];
        if joint.body_a == body { joint.next_a } else { joint.next_b }
    }

    pub(crate) fn joint_before(&self, slot: u32, body: u32) -> u32 {
        let joint = &self.joints.rows[slot as usize];
        if joint.body_a == body { joint.before_a } else { joint.before_b }
    }

    /// The neighbours of a joint in the list of a body.
    fn neighbours(&mut self, slot: u32, body: u32) -> (&mut u32, &mut u32) {
        let joint = &mut self.joints.rows[slot as usize];
        if joint.body_a == body {
            (&mut joint.before_a, &mut joint.next_a)
        } else {
            (&mut joint.before_b, &mut joint.next_b)
        }
    }

    /// Puts a joint at the end of the lists of its bodies, and gives it its serial number: lists
    /// are in the order of serial numbers.
    pub(crate) fn link_joint(&mut self, slot: u32) {
        self.joints.seal.break_open();
        self.joints.rows[slot as usize].serial = self.joints.serial;
        self.joints.serial += 1;
        let Joint { body_a, body_b, .. } = self.joints.rows[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            let last = core::mem::replace(&mut self.joints.ends_mut(body)[1], slot);
            let (before, next) = self.neighbours(slot, body);
            (*before, *next) = (last, NONE);
            if last == NONE {
                self.joints.ends_mut(body)[0] = slot;
            } else {
                *self.neighbours(last, body).1 = slot;
            }
        }
        self.dirty.colouring = true;
        self.lay_out_joint(slot);
    }

    /// Takes a joint out of the lists of its bodies.
    pub(crate) fn unlink_joint(&mut self, slot: u32) {
        self.joints.seal.break_open();
        let Joint { body_a, body_b, .. } = self.joints.rows[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            let (before, next) = (self.joint_before(slot, body), self.next_joint(slot, body));
            if before == NONE {
                self.joints.ends_mut(body)[0] = next;
            } else {
                *self.neighbours(before, body).1 = next;
            }
            if next == NONE {
                self.joints.ends_mut(body)[1] = before;
            } else {
                *self.neighbours(next, body).0 = before;
            }
        }
        self.dirty.colouring = true;
        self.lay_out_joint(slot);
    }

    /// Marks a joint for a new layout, with everything connected to it.
    pub(crate) fn lay_out_joint(&mut self, slot: u32) {
        self.dirty.joint_layout = true;
        let Joint { body_a, body_b, .. } = self.joints.rows[slot as usize];
        let is_there = [body_a, body_b].map(|body| body != NONE);
        let falls =
            [body_a, body_b].map(|body| body != NONE && self.bodies.rows[body as usize].has(flag::DYNAMIC));
        // Other joints of a ground stay in their lanes, but joints between two grounds are found
        // through the grounds.
        let named = if falls.contains(&true) { falls } else { is_there };
        for (body, is_named) in [body_a, body_b].into_iter().zip(named) {
            if is_named {
                self.note_joints_of(body);
            }
        }
    }

    fn note_joints_of(&mut self, body: u32) {
        self.dirty.joints_of.push(body);
        // A world that is edited without steps does not keep a list of all edits.
        if self.dirty.joints_of.len() > 2 * self.bodies.rows.len() + 16 {
            self.dirty.joints_of.sort_unstable();
            self.dirty.joints_of.dedup();
        }
    }

    /// Marks the joints of a body for a new layout: its mass or pose changed from outside, or it
    /// woke or fell asleep.
    pub(crate) fn lay_out_joints_of(&mut self, body: u32) {
        if self.joints.first_of(body) != NONE {
            self.dirty.joint_layout = true;
            self.note_joints_of(body);
        }
    }

    /// [`Self::lay_out_joints_of`] after a change of values in lanes, too: mass, centre of mass,
    /// kind, locks or extent of the body.
    pub(crate) fn refill_joints_of(&mut self, body: u32) {
        if self.joints.first_of(body) != NONE {
            self.joints.seal.break_open();
        }
        self.lay_out_joints_of(body);
    }

    /// Whether `is_so` holds for any joint between two bodies. Both lists are walked side by side,
    /// as one of them may be that of a ground with thousands of joints.
    pub(crate) fn any_between(&self, a: u32, b: u32, is_so: impl Fn(&Joint) -> bool) -> bool {
        let between = |slot: u32| {
            let joint = &self.joints.rows[slot as usize];
            (joint.body_a, joint.body_b) == (a, b) || (joint.body_a, joint.body_b) == (b, a)
        };
        let pairs = self.joint_slots_of(a).zip(self.joint_slots_of(b));
        // The shorter list has all joints between the two.
        pairs.flat_map(|(p, q)| [p, q]).any(|slot| between(slot) && is_so(&self.joints.rows[slot as usize]))
    }

    /// Whether joints let two bodies touch each other.
    pub(crate) fn joints_allow(&self, a: u32, b: u32) -> bool {
        !self.any_between(a, b, |joint| joint.is_on && !joint.def.collide)
    }

    /// The pairs of parts of two bodies that may be near each other: all, if they are few; else
    /// those near the smaller body.
    fn pairs_between(&self, a: u32, b: u32) -> Vec<Pair> {
        let shapes = |body: u32| self.shape_slots_from(self.bodies.rows[body as usize].first_shape);
        let parts = |body: u32| shapes(body).flat_map(|shape| self.proxies_of(shape));
        let count = |body: u32| parts(body).take(FEW_PAIRS + 1).count();
        if count(a) * count(b) <= FEW_PAIRS {
            return parts(a).flat_map(|p| parts(b).map(move |q| Pair::new(p, q))).collect();
        }
        let reach = |body: u32| self.bodies.rows[body as usize].max_extent;
        let (a, b) = if reach(b) < reach(a) { (b, a) } else { (a, b) };
        let is_other = |proxy: u32| self.shapes.proxies.rows[proxy as usize].body == b;
        shapes(a)
            .flat_map(|shape| self.pairs_of(shape))
            .filter(|pair| is_other(pair.a) || is_other(pair.b))
            .collect()
    }

    pub(crate) fn end_contacts_between(&mut self, a: u32, b: u32) {
        if !self.contacts.edges().has(a) || !self.contacts.edges().has(b) {
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
        for body in [a, b] {
            let shapes: Vec<u32> =
                self.shape_slots_from(self.bodies.rows[body as usize].first_shape).collect();
            shapes.into_iter().for_each(|shape| self.note_boxes_of(shape));
        }
        for pair in self.pairs_between(a, b) {
            if self.grid.pairs().binary_search(&pair).is_ok() {
                self.begin_contact(pair);
            }
        }
    }
}
