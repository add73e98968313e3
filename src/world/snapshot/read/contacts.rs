//! Pairs and contacts, from an image.
//!
//! In: rows of pairs, contacts, manifolds and impulses. Out: contacts in their places, found by
//! their pairs, listed by their bodies and counted by their shapes, once it is known whose the
//! parts are.

use super::{Scratch, are_distinct, ensure, read_pairs, read_slots};
use crate::body::NONE;
use crate::broadphase::Pair;
use crate::contact::{Link, flag};
use crate::state::{LoadError, Reader};
use crate::world::World;
use crate::world::events::key;
use crate::world::snapshot::write::{ACTIVE, Steps};

impl World {
    pub(super) fn read_pairs(&mut self, image: &mut Reader, scratch: &mut Scratch) -> Result<(), LoadError> {
        let parts = scratch.counts.parts as u32;
        read_pairs(image, &mut scratch.words, &mut scratch.pairs, parts)?;
        ensure(scratch.pairs.is_sorted_by(|p, q| p < q), "pairs of boxes are sorted")?;
        let [apart, new, gone] = self.contacts.apart.lists_mut();
        read_pairs(image, &mut scratch.words, apart, parts)?;
        ensure(apart.is_sorted_by(|p, q| p < q), "pairs wait in order")?;
        let overlap = |pair: &Pair| scratch.pairs.binary_search(pair).is_ok();
        ensure(apart.iter().all(overlap), "who waits has boxes that overlap")?;
        read_pairs(image, &mut scratch.words, new, parts)?;
        ensure(new.is_empty(), "nobody joins those who wait between steps")?;
        read_pairs(image, &mut scratch.words, gone, parts)
    }

    pub(super) fn read_contacts(
        &mut self,
        image: &mut Reader,
        scratch: &mut Scratch,
    ) -> Result<(), LoadError> {
        let (parts, count) = (scratch.counts.parts as u32, scratch.counts.contacts);
        scratch.links.clear();
        self.contacts.reset(count);
        let (contacts, links) = (&mut self.contacts, &mut scratch.links);
        let mut steps = Steps::START;
        image.rows::<12>(|row| {
            let slot = steps.by(row[0]);
            let pair = Pair { a: row[1], b: row[2] };
            ensure(slot > 0 && (slot as usize) < count, "a contact has a place")?;
            ensure(pair.a < pair.b && pair.b < parts, "a contact has two parts")?;
            let surface = [4, 5, 6, 7, 8, 9, 10, 11].map(|k| f32::from_bits(row[k]));
            let [rub, slide, bounce, roll, speed, loads @ ..] = surface;
            let [.., leak] = loads;
            let sizes = [rub, slide, roll, leak].iter().all(|x| x.is_finite() && *x >= 0.0);
            // What is remembered of the load of one point may be below zero: only the sum of both
            // is a load.
            let known = loads.iter().all(|x| x.is_finite()) && speed.is_finite();
            ensure(sizes && known && (0.0..=1.0).contains(&bounce), "a surface keeps its rules")?;
            contacts.surface[slot as usize] = surface;
            if surface[7] != 0.0 {
                contacts.yielding.insert(slot);
            }
            links.push((slot, pair, row[3]));
            Ok(())
        })?;
        // A place is given to one contact, and all others are free.
        links.sort_unstable_by_key(|&(slot, ..)| slot);
        ensure(links.windows(2).all(|two| two[0].0 != two[1].0), "a place has one contact")?;
        read_slots(image, &mut scratch.free_contacts, count as u32)?;
        ensure(are_distinct(&scratch.free_contacts, &mut scratch.sorted), "a place is free once")?;
        ensure(
            links.len() + scratch.free_contacts.len() + 1 == count.max(1),
            "places of contacts are counted",
        )?;
        let mut index = 0;
        image.rows::<10>(|row| {
            let slot = links.get(index).ok_or(LoadError::Broken("a contact has a manifold"))?.0 as usize;
            index += 1;
            contacts.ids[slot] = bytemuck::cast([row[0], row[1]]);
            contacts.manifold[slot] = core::array::from_fn(|k| f32::from_bits(row[k + 2]));
            ensure(contacts.manifold[slot].iter().all(|x| x.abs() < 1.0e14), "a manifold is near")
        })?;
        ensure(index == links.len(), "a contact has a manifold")?;
        index = 0;
        image.rows::<8>(|row| {
            let slot = links.get(index).ok_or(LoadError::Broken("a contact has impulses"))?.0 as usize;
            index += 1;
            contacts.impulse[slot] = row.map(f32::from_bits);
            ensure(contacts.impulse[slot].iter().all(|x| x.is_finite()), "impulses are finite")
        })?;
        ensure(index == links.len(), "a contact has impulses")
    }

    /// Contacts into their places, now that their parts are known.
    pub(super) fn restore_contacts(&mut self, scratch: &Scratch) -> Result<(), LoadError> {
        self.events.touch_counts.clear();
        self.events.visit_counts.clear();
        for &(slot, pair, word) in &scratch.links {
            let [a, b] = [pair.a, pair.b].map(|part| &self.shapes.proxies.rows[part as usize]);
            let (flags, count) = (word as u16, (word >> 16) as u8);
            let known = word & !(ACTIVE | 0x3_FFFF) == 0 && flags <= flag::KNOWN && count <= 2;
            ensure(known, "a contact has known flags, and two points at most")?;
            ensure((flags & flag::TOUCHING != 0) == (count > 0), "a contact touches in its points")?;
            let there = a.body != NONE && b.body != NONE && a.body != b.body;
            ensure(there && self.contacts.find(pair).is_none(), "a contact is the one of two bodies")?;
            let (body_a, body_b) = (a.body, b.body);
            let link = Link { body_a, body_b, flags, count, test: self.test_of(pair) };
            self.contacts.put(slot, pair, link, word & ACTIVE != 0);
            self.count_cells(pair, true);
            self.bodies.contact_counts[body_a as usize] += 1;
            self.bodies.contact_counts[body_b as usize] += 1;
            if flags & flag::WAS_TOUCHING != 0 {
                self.count_touch(slot, true);
            }
        }
        self.contacts.set_free(&scratch.free_contacts);
        let free = scratch.free_contacts.iter().all(|&slot| slot > 0 && !self.contacts.holds(slot));
        ensure(free, "a place has a contact or is free")?;
        // What ended since the last step is still counted.
        for touch in &self.events.next.ended {
            self.events.touch_counts.count_up(key(touch.a, touch.b));
        }
        for visit in &self.events.next.left {
            self.events.visit_counts.count_up(key(visit.sensor, visit.visitor));
        }
        Ok(())
    }
}
