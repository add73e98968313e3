//! Welds: what a sticky surface holds on to.
//!
//! In: touching contacts of surfaces that weld. Out: welds between their bodies, solved before the contacts of each pass. Two
//! welded bodies make no contacts with each other.

use super::World;
use crate::body::{BodyId, flag as body_flag};
use crate::broadphase::Pair;
use crate::contact::flag;
use crate::error::Error;
use crate::joint::weld::{Stand, Weld};
use glam::{Vec2, Vec3};

impl World {
    /// Whether two bodies were welded by touching.
    #[must_use]
    pub fn are_welded(&self, a: BodyId, b: BodyId) -> bool {
        let (Ok(a), Ok(b)) = (self.slot_of(a), self.slot_of(b)) else { return false };
        self.weld_of(a, b).is_some()
    }

    /// Undoes all welds of a body. What still touches is welded again by the next step.
    ///
    /// # Errors
    /// A body that is gone.
    pub fn break_welds(&mut self, id: BodyId) -> Result<(), Error> {
        let slot = self.slot_of(id)?;
        self.wake(slot);
        self.drop_welds(slot);
        Ok(())
    }

    pub(crate) fn weld_of(&self, a: u32, b: u32) -> Option<usize> {
        let pair = Pair::new(a, b);
        self.welds.iter().position(|weld| Pair::new(weld.body_a, weld.body_b) == pair)
    }

    /// Forgets the welds of a body; those it was welded to wake.
    pub(crate) fn drop_welds(&mut self, slot: u32) {
        let mut others = Vec::new();
        self.welds.retain(|weld| {
            let has = weld.body_a == slot || weld.body_b == slot;
            if has {
                others.push(if weld.body_a == slot { weld.body_b } else { weld.body_a });
            }
            !has
        });
        for other in others {
            self.wake(other);
            self.contacts_between_anew(slot, other);
        }
    }

    /// Pairs of parts of two bodies may make contacts again.
    fn contacts_between_anew(&mut self, a: u32, b: u32) {
        let pairs: Vec<Pair> = self.grid.pairs().to_vec();
        for pair in pairs {
            let (p, q) = (self.proxies.rows[pair.a as usize].body, self.proxies.rows[pair.b as usize].body);
            if Pair::new(p, q) == Pair::new(a, b) && self.grid.contains(pair.a) && self.grid.contains(pair.b)
            {
                self.begin_contact(pair);
            }
        }
    }

    /// Wakes what a body is welded to: it moves along.
    pub(crate) fn wake_welded(&mut self, slot: u32) {
        for index in 0..self.welds.len() {
            let Weld { body_a, body_b, .. } = self.welds[index];
            if body_a == slot || body_b == slot {
                self.wake(if body_a == slot { body_b } else { body_a });
            }
        }
    }

    /// Welds what touched in this step on a surface that holds on.
    pub(crate) fn weld_touched(&mut self) {
        let mut index = 0;
        while index < self.contacts.active.len() {
            let contact = self.contacts.active[index];
            let link = self.contacts.link[contact as usize];
            let wanted = flag::WELDS | flag::WAS_TOUCHING;
            index += 1;
            if link.flags & (wanted | flag::SENSOR) != wanted {
                continue;
            }
            if self.weld_of(link.body_a, link.body_b).is_none() {
                self.weld(contact);
            }
            // Not an end: the two go on touching, as one. But it is not counted any more.
            let (touch, _) = self.touch_of(contact);
            self.welded_now.push(touch);
            self.recolour = true;
            self.forget_contact(contact);
            // Another contact took its place in the list.
            index -= 1;
        }
    }

    fn weld(&mut self, contact: u32) {
        let link = self.contacts.link[contact as usize];
        let row = &self.contacts.manifold[contact as usize];
        let (a, b) = (&self.bodies[link.body_a as usize], &self.bodies[link.body_b as usize]);
        let way = a.world_center().to(b.world_center());
        let point = Vec2::new(row[2], row[3]);
        self.welds.push(Weld {
            body_a: link.body_a,
            body_b: link.body_b,
            anchor_a: a.rotation.inverse_rotate(point),
            anchor_b: b.rotation.inverse_rotate(point - way),
            angle: (a.rotation.inverse() * b.rotation).angle(),
            impulse: Vec3::ZERO,
            now: crate::joint::weld::Now::default(),
        });
    }

    /// Fills the welds of this step.
    pub(crate) fn prepare_welds(&mut self) {
        for weld in &mut self.welds {
            let (a, b) = (&self.bodies[weld.body_a as usize], &self.bodies[weld.body_b as usize]);
            let turned = (a.rotation.inverse() * b.rotation).angle() - weld.angle;
            let stand = Stand {
                rows: (self.solver_rows[weld.body_a as usize], self.solver_rows[weld.body_b as usize]),
                r_a: a.rotation * weld.anchor_a,
                r_b: b.rotation * weld.anchor_b,
                way: a.world_center().to(b.world_center()),
                // Half a turn off is never meant: the shorter way round.
                angle: crate::math::Rot::from_angle(turned).angle(),
            };
            weld.prepare(&stand, &self.columns);
        }
    }

    /// Pairs of bodies that are welded and move: one island.
    pub(crate) fn welded_rows(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let dynamic = |slot: u32| self.bodies[slot as usize].has(body_flag::DYNAMIC);
        let both = move |weld: &&Weld| dynamic(weld.body_a) && dynamic(weld.body_b);
        let row = |slot: u32| self.solver_rows[slot as usize];
        self.welds.iter().filter(both).map(move |weld| (row(weld.body_a), row(weld.body_b)))
    }
}
