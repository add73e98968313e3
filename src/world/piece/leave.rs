//! Takes bodies out of a world, with the contacts and joints between them, and without waking any
//! of them.
//!
//! In: slots of bodies, the contacts and joints that go along. Out: a world without them, in which
//! the remaining bodies that touched them are awake.
//!
//! Everything goes in the reverse of the order in which a paste takes slots: the last slot that
//! became free is taken first, so a piece that returns at once finds its old slots.

use super::World;
use crate::body::NONE;
use crate::contact::flag;

impl World {
    /// Removes bodies, their contacts among each other and with immovable bodies outside, and their
    /// joints; `leaves` says whether a slot is one of them.
    pub(super) fn take_leave(
        &mut self,
        slots: &[u32],
        leaves: impl Fn(u32) -> bool,
        (contacts, outside, joints): (Vec<u32>, Vec<u32>, Vec<u32>),
    ) {
        for &slot in slots {
            self.leave_island(slot, &leaves);
        }
        let mut all = contacts;
        all.extend(&outside);
        all.sort_unstable();
        for &contact in all.iter().rev() {
            if outside.binary_search(&contact).is_ok() {
                self.leave_outside(contact, &leaves);
                continue;
            }
            if self.contacts.has(contact, flag::TOUCHING) {
                self.dirty.colouring = true;
            }
            if self.contacts.has(contact, flag::WAS_TOUCHING) {
                self.count_touch(contact, false);
            }
            self.forget_contact(contact);
        }
        // Gears come after the joints that they couple.
        for &joint in joints.iter().rev() {
            self.take_out_joint(joint);
        }
        for &slot in slots.iter().rev() {
            self.take_out_untold(slot);
        }
        self.islands.forget_all(leaves);
    }

    /// Ends a contact with an immovable body that stays; a kinematic one wakes.
    fn leave_outside(&mut self, contact: u32, leaves: impl Fn(u32) -> bool) {
        let link = self.contacts.link[contact as usize];
        self.wake(if leaves(link.body_a) { link.body_b } else { link.body_a });
        self.end_contact(contact);
    }

    /// Frees the island of a body if all its bodies leave; otherwise wakes the bodies that stay.
    fn leave_island(&mut self, slot: u32, leaves: impl Fn(u32) -> bool) {
        let island = self.bodies.rows[slot as usize].island;
        if island == NONE {
            return;
        }
        if !self.islands.bodies_of(island).iter().all(|&other| leaves(other)) {
            self.wake(slot);
            return;
        }
        for &other in self.islands.bodies_of(island) {
            self.bodies.rows[other as usize].island = NONE;
        }
        self.islands.dissolve(island);
    }
}
