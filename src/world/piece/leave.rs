//! Takes bodies out of a world, with the contacts and joints between them, and without waking any
//! of them.
//!
//! In: slots of bodies, the contacts and joints that go along. Out: a world without them, in which
//! the remaining bodies that touched them are awake.

use super::World;
use crate::body::NONE;
use crate::contact::flag;

impl World {
    /// Removes bodies; `leaves` says whether a slot is one of them.
    pub(super) fn take_leave(
        &mut self,
        slots: &[u32],
        leaves: impl Fn(u32) -> bool,
        (contacts, joints): (&[u32], &[u32]),
    ) {
        for &slot in slots {
            self.leave_island(slot, &leaves);
        }
        for &contact in contacts {
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
        for &slot in slots {
            self.take_out_untold(slot);
        }
        self.islands.forget_all(leaves);
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
