//! Contacts and sensor overlaps of the small world of a prediction.
//!
//! In: contacts of the large world. Out: the contacts of the predicted bodies, in the same order,
//! and free slots in the order in which the large world takes them. The solver goes in the order of
//! the slots, and last bits depend on that order.

use super::scene::Scene;
use crate::body::NONE;
use crate::body::collider::OfMap;
use crate::broadphase::{Activity, Pair};
use crate::contact::flag;
use crate::world::World;

/// Free contact slots that keep their order at first: bodies seldom begin more contacts than that.
/// If they do, the prediction is made again with more.
pub(super) const ORDERED_PLACES: usize = 32;

impl Scene {
    /// Makes a part of a body that is not predicted rest in the grid, where it makes no pair with
    /// other resting parts. A sensor stays active: it keeps the cells of tile maps that a predicted
    /// body leaves.
    pub(super) fn put_to_rest(&mut self, from: &World, part: u32) {
        let is_sensor = |world: &World, part: u32| {
            let row = &world.shapes.proxies.rows[part as usize];
            row.sensor && row.of_map == OfMap::No
        };
        if !is_sensor(from, part) {
            self.world.grid.set_activity(part, Activity::Resting);
            for index in 0..self.sensors.len() {
                self.take_visit(from, Pair::new(part, self.sensors[index]));
            }
            return;
        }
        for index in 0..self.taken.len() {
            let other = self.taken[index];
            let body = self.world.shapes.proxies.rows[other as usize].body;
            if body != NONE && !self.is_asked(body) {
                self.take_visit(from, Pair::new(part, other));
            }
        }
        self.sensors.push(part);
    }

    /// Copies the overlap of a sensor with a body that is not predicted. The overlap has begun
    /// already, so it must not take another contact slot.
    fn take_visit(&mut self, from: &World, pair: Pair) {
        if let Some(contact) = from.contacts.find(pair).filter(|_| self.world.contacts.find(pair).is_none()) {
            let slot = self.world.contacts.append_slot();
            self.place_count += 1;
            self.world.take_contact(from, contact, slot);
            self.world.contacts.deactivate(slot);
        }
    }

    /// Copies the contacts of the bodies, and the slots that will be taken next.
    pub(super) fn take_contacts(&mut self, from: &World) {
        let (mut contacts, mut places) =
            (core::mem::take(&mut self.contacts), core::mem::take(&mut self.places));
        contacts.clear();
        for body in 0..self.asked {
            contacts.extend(from.contacts.edges().of(self.bodies[body as usize].index() as u32));
        }
        contacts.sort_unstable();
        contacts.dedup();
        let free = from.contacts.free();
        let free = &free[free.len().saturating_sub(self.kept_free)..];
        places.clear();
        places.extend(contacts.iter().chain(free));
        places.sort_unstable();
        let place = |slot: u32| places.partition_point(|&other| other < slot) as u32 + 1;
        self.place_count = places.len() + 1;
        self.world.contacts.reset(self.place_count);
        self.world.contacts.extend_free(free.iter().map(|&slot| place(slot)));
        let mut touching = 0;
        self.pairs.clear();
        for &contact in &contacts {
            let Pair { a, b } = from.contacts.pair[contact as usize];
            self.take_part(from, a);
            self.take_part(from, b);
            self.world.take_contact(from, contact, place(contact));
            if from.contacts.is_active(contact) && !from.islands.woken_contacts.contains(&contact) {
                self.pairs.push(Pair { a, b });
            }
            touching += usize::from(
                from.contacts.is_active(contact)
                    && from.contacts.has(contact, flag::TOUCHING)
                    && !from.contacts.has(contact, flag::SENSOR),
            );
        }
        let touches = |&contact: &u32| {
            from.contacts.has(contact, flag::TOUCHING) && !from.contacts.has(contact, flag::SENSOR)
        };
        let woken = &mut self.world.islands.woken_contacts;
        let asked = from.islands.woken_contacts.iter().filter(|&contact| contacts.contains(contact));
        woken.extend(asked.map(|&contact| place(contact)));
        self.take_parked(from);
        self.take_new_sensors(from);
        self.background = from.contacts.active.iter().filter(touches).count() - touching;
        (self.contacts, self.places) = (contacts, places);
        // Contacts whose boxes parted after the last search for pairs end in the next step. The
        // list of the grid lacks the contacts of bodies that slept.
        self.pairs.sort_unstable();
        self.world.grid.recall(&self.pairs);
    }

    /// Copies pairs whose contacts ended as both bodies fell asleep. Such a contact begins again if
    /// a body wakes before the next step, or if a part is a sensor.
    fn take_parked(&mut self, from: &World) {
        for &Pair { a, b } in &from.islands.parked {
            if is_gone(from, a) || is_gone(from, b) {
                continue;
            }
            let goes_on = [a, b].iter().any(|&part| {
                let row = &from.shapes.proxies.rows[part as usize];
                row.sensor || row.body != NONE && self.names.bodies.of(row.body) < self.asked
            });
            if goes_on {
                self.take_part(from, a);
                self.take_part(from, b);
                self.world.islands.parked.push(Pair { a, b });
                self.pairs.push(Pair { a, b });
            }
        }
    }

    /// Copies sensors whose boxes are new, and the parts in them: the next step looks for cells
    /// under them. (Other parts are skipped: the step does not look under parts of sleeping
    /// bodies.)
    fn take_new_sensors(&mut self, from: &World) {
        for &part in &from.tiles.moved {
            let row = &from.shapes.proxies.rows[part as usize];
            if is_gone(from, part) || !row.sensor || row.of_map != OfMap::No || self.is_here[part as usize] {
                continue;
            }
            self.take_part(from, part);
            for contact in from.contacts.edges().of(row.body) {
                let Pair { a, b } = from.contacts.pair[contact as usize];
                self.take_part(from, a);
                self.take_part(from, b);
            }
        }
    }

    /// Whether more contacts began than there were copies of the large world's free slots. If so,
    /// more slots are copied from now on.
    pub(super) fn wants_more_places(&mut self, from: &World) -> bool {
        let has_all = self.kept_free >= from.contacts.free().len();
        if has_all || self.world.contacts.pair.len() <= self.place_count {
            return false;
        }
        self.kept_free *= 4;
        true
    }
}

/// Whether a part left the world since it was listed. It may keep its row until the next step.
fn is_gone(from: &World, part: u32) -> bool {
    from.shapes.proxies.rows[part as usize].body == NONE || from.grid.aabb(part).is_none()
}
