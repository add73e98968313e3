//! Bodies and their joints: the bodies that joints connect, and how firmly joints hold a body.

use std::collections::BTreeSet;

use crate::body::{NONE, flag};
use crate::world::World;

/// Most bodies that are held up because one of them is held up. With more, one knot would stop a
/// whole net.
pub(crate) const MOST_HELD: usize = 1024;

impl World {
    /// The awake dynamic bodies connected to `body` by joints, directly or through others, up to
    /// `most`, without `body` itself.
    pub(crate) fn held_with(&self, body: u32, most: usize) -> Vec<u32> {
        let mut found = vec![body];
        let mut seen = BTreeSet::from([body]);
        let mut next = 0;
        while let Some(&body) = found.get(next) {
            next += 1;
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints.rows[slot as usize];
                let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
                let gives = |slot: u32| {
                    let body = &self.bodies.rows[slot as usize];
                    body.is_awake() && body.has(flag::DYNAMIC)
                };
                let holds = joint.form.held().1 > 0;
                if found.len() < most && other != NONE && holds && gives(other) && seen.insert(other) {
                    found.push(other);
                }
            }
        }
        found.remove(0);
        found
    }

    /// Whether a joint locks a body to an immovable one: a contact that presses on the body then
    /// works against the joint.
    pub(crate) fn is_held(&self, body: u32) -> bool {
        self.bodies.rows[body as usize].has(flag::DYNAMIC)
            && self.joint_slots_of(body).any(|slot| {
                let joint = &self.joints.rows[slot as usize];
                let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
                joint.firm && self.takes_part(other)
            })
    }

    /// Whether a body has only one joint, to an immovable body: a tree of one body, solved exactly.
    pub(crate) fn hangs_alone(&self, body: u32) -> bool {
        let mut slots = self.joint_slots_of(body).filter(|&slot| self.joints.rows[slot as usize].is_on);
        let (Some(slot), None) = (slots.next(), slots.next()) else { return false };
        let joint = &self.joints.rows[slot as usize];
        let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
        joint.def.kind.ratio().is_none()
            && (other == NONE || !self.bodies.rows[other as usize].has(flag::DYNAMIC))
    }

    /// Whether a body has a joint that is on.
    #[inline]
    pub(crate) fn is_jointed(&self, body: u32) -> bool {
        let mut slot = self.joints.first_of(body);
        while slot != NONE && !self.joints.rows[slot as usize].is_on {
            slot = self.next_joint(slot, body);
        }
        slot != NONE
    }

    pub(crate) fn takes_part(&self, body: u32) -> bool {
        body == NONE || self.bodies.rows[body as usize].is_enabled()
    }
}
