//! Touches of a body, for observations and ends: without a list, so that nothing is allocated.
//!
//! In: a world, a body, and perhaps the only other body that counts. Out: whether they touch, how
//! many pairs of parts do, and the sum of their impulses.

use crate::body::BodyId;
use crate::contact::flag;
use crate::world::World;

/// Contacts that are added up in a list on the stack.
const FEW: usize = 32;

/// The contacts of a body that count: all solid ones, or all with one other body. Overlaps with
/// sensors are visits, and count only where the other body is named.
#[derive(Clone, Copy)]
pub(super) struct Contacts<'w> {
    world: &'w World,
    body: u32,
    with: Option<u32>,
}

impl<'w> Contacts<'w> {
    /// `None` if one of the bodies is gone.
    pub(super) fn of(world: &'w World, body: BodyId, with: Option<BodyId>) -> Option<Contacts<'w>> {
        world.get(body)?;
        let with = match with {
            Some(with) => {
                world.get(with)?;
                Some(with.index() as u32)
            }
            None => None,
        };
        Some(Contacts { world, body: body.index() as u32, with })
    }

    /// The slot of the other body of a contact, if the contact counts.
    #[inline]
    fn other_in(&self, slot: u32) -> Option<u32> {
        let link = &self.world.contacts.link[slot as usize];
        let other = if link.body_a == self.body { link.body_b } else { link.body_a };
        let counts = match self.with {
            Some(with) => other == with,
            None => link.flags & flag::SENSOR == 0,
        };
        (counts && self.world.touches_now(slot)).then_some(other)
    }

    /// Slots of contacts, in an order on which nothing may depend.
    fn slots(&self) -> impl Iterator<Item = u32> + use<'_, 'w> {
        let all = self.world.contacts.edges().of(self.body);
        all.filter(|&slot| self.other_in(slot).is_some())
    }

    /// Whether there is a contact.
    pub(super) fn any(&self) -> bool {
        self.slots().next().is_some()
    }

    /// Whether there is a contact with a body that is not in a list.
    pub(super) fn any_but(&self, except: &[BodyId]) -> bool {
        let is_other = |slot: u32| {
            let other = self.other_in(slot)?;
            Some(!except.contains(&self.world.body_id(other)))
        };
        self.world.contacts.edges().of(self.body).any(|slot| is_other(slot) == Some(true))
    }

    /// How many pairs of parts touch.
    pub(super) fn count(&self) -> usize {
        self.slots().count()
    }

    /// Sum of the normal impulses of the last step, in N s, added up in the order of the slots: the
    /// order of a body's list depends on how the list came to be, and the sum on the order.
    pub(super) fn impulse(&self) -> f32 {
        let (mut few, mut count) = ([0; FEW], 0);
        for slot in self.slots() {
            let Some(place) = few.get_mut(count) else { return self.impulse_of_all() };
            *place = slot;
            count += 1;
        }
        few[..count].sort_unstable();
        self.sum(few[..count].iter().copied())
    }

    /// The sum of a body with many contacts: goes through all contacts of the world.
    #[cold]
    fn impulse_of_all(&self) -> f32 {
        let contacts = &self.world.contacts;
        let is_of_body = |slot: &u32| {
            let link = &contacts.link[*slot as usize];
            (link.body_a == self.body || link.body_b == self.body) && self.other_in(*slot).is_some()
        };
        self.sum((1..contacts.link.len() as u32).filter(is_of_body))
    }

    fn sum(&self, slots: impl Iterator<Item = u32>) -> f32 {
        slots.map(|slot| self.world.contacts.impulse[slot as usize].total).sum()
    }
}
