//! Pairs and contacts, from an image.
//!
//! In: rows of pairs, contacts, manifolds and impulses. Out: contacts in their slots, in the pair
//! map, contact edges and touch counts, once the owners of parts are known.

use super::{ReadScratch, are_distinct, ensure, read_pairs, read_slots, refill};
use crate::body::NONE;
use crate::broadphase::Pair;
use crate::contact::{ContactHeader, ManifoldRow, SurfaceRow, flag};
use crate::state::{LoadError, Reader, end_of_way};
use crate::world::World;
use crate::world::events::key;
use crate::world::snapshot::expect::{ManifoldGuess, PairWalk, sum_of_step, way_between};
use crate::world::snapshot::write::{ACTIVE, LINK, LOAD_1, LOAD_2, Steps};

impl World {
    pub(super) fn read_pairs(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let parts = scratch.counts.parts as u32;
        read_pairs(image, &mut scratch.pairs, parts)?;
        ensure(scratch.pairs.is_sorted_by(|p, q| p < q), "pairs of boxes are sorted")?;
        let [apart, new, gone] = self.contacts.apart.lists_mut();
        read_pairs(image, apart, parts)?;
        ensure(apart.is_sorted_by(|p, q| p < q), "pairs wait in order")?;
        let overlap = |pair: &Pair| scratch.pairs.binary_search(pair).is_ok();
        ensure(apart.iter().all(overlap), "who waits has boxes that overlap")?;
        read_pairs(image, new, parts)?;
        ensure(new.is_empty(), "nobody joins those who wait between steps")?;
        read_pairs(image, gone, parts)
    }

    pub(super) fn read_contacts(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let count = scratch.counts.contacts;
        self.contacts.reset(count);
        self.read_links(image, scratch)?;
        // Each slot has one contact or is free.
        let links = &mut scratch.links;
        links.sort_unstable_by_key(|&(slot, ..)| slot);
        ensure(links.windows(2).all(|two| two[0].0 != two[1].0), "a place has one contact")?;
        read_slots(image, &mut scratch.free_contacts, count as u32)?;
        ensure(are_distinct(&scratch.free_contacts, &mut scratch.sorted), "a place is free once")?;
        ensure(
            links.len() + scratch.free_contacts.len() + 1 == count.max(1),
            "places of contacts are counted",
        )?;
        self.read_manifolds(image, scratch)?;
        self.read_impulses(image, scratch)
    }

    fn read_links(&mut self, image: &mut Reader, scratch: &mut ReadScratch) -> Result<(), LoadError> {
        let (parts, count) = (scratch.counts.parts as u32, scratch.counts.contacts);
        let (contacts, links) = (&mut self.contacts, &mut scratch.links);
        let proxies = &self.shapes.proxies.rows;
        links.clear();
        refill(&mut scratch.has_contact, scratch.pairs.len(), false);
        let (mut rows, mut walk) = (image.begin()?, PairWalk::new(&scratch.pairs));
        let (mut steps, mut row) = (Steps::START, [0; LINK]);
        while let Some(is_first) = image.next(&mut rows)? {
            if is_first {
                row = [0; LINK];
                walk.begin_piece();
            }
            [row[1], row[2]] = walk.next();
            image.row(&rows, &mut row)?;
            let slot = steps.by(row[0]);
            let pair = Pair { a: row[1], b: row[2] };
            let place = walk.go_over([pair.a, pair.b]);
            if let Some(has_contact) = scratch.has_contact.get_mut(place)
                && scratch.pairs[place] == pair
            {
                *has_contact = true;
            }
            ensure(slot > 0 && (slot as usize) < count, "a contact has a place")?;
            ensure(pair.a < pair.b && pair.b < parts, "a contact has two parts")?;
            let mut surface: [u32; 8] = core::array::from_fn(|k| row[k + 4]);
            surface[LOAD_2 - 4] = end_of_way(row[LOAD_1], row[LOAD_2]);
            let kept: SurfaceRow = bytemuck::cast(surface);
            let of = kept.surface;
            let sizes = [of.static_friction, of.kinetic_friction, of.rolling_resistance, kept.softness];
            let sizes = sizes.iter().all(|x| x.is_finite() && *x >= 0.0);
            // The remembered load of one point may be below zero: only the sum of both is a load.
            let known = kept.loads.iter().all(|x| x.is_finite()) && of.tangent_speed.is_finite();
            ensure(sizes && known && (0.0..=1.0).contains(&of.restitution), "a surface keeps its rules")?;
            contacts.surface[slot as usize] = kept;
            if kept.softness != 0.0 {
                contacts.yielding.insert(slot);
            }
            // Cells of maps have no owner yet.
            let [body_a, body_b] = [pair.a, pair.b].map(|part| proxies[part as usize].body);
            let link = &mut contacts.link[slot as usize];
            (link.body_a, link.body_b) = (body_a, body_b);
            links.push((slot, pair, row[3]));
        }
        Ok(())
    }

    fn read_manifolds(&mut self, image: &mut Reader, scratch: &ReadScratch) -> Result<(), LoadError> {
        let (mut rows, mut guess) = (image.begin()?, ManifoldGuess::new());
        let mut links = scratch.links.iter();
        while let Some(is_first) = image.next(&mut rows)? {
            let &(slot, pair, word) = links.next().ok_or(LoadError::Broken("a contact has a manifold"))?;
            if is_first {
                guess = ManifoldGuess::new();
            }
            let touches = word as u16 & flag::TOUCHING != 0;
            let mut row = [0; 10];
            match self.bodies_of_contact(slot, pair).filter(|_| touches) {
                Some([a, b]) => {
                    let way = way_between(self.def.period(), a, b);
                    row = guess.row(a, b, way);
                    image.row(&rows, &mut row)?;
                    guess.note(&row, a, b, way);
                }
                None => image.row(&rows, &mut row)?,
            }
            let place = slot as usize;
            self.contacts.ids[place] = bytemuck::cast([row[0], row[1]]);
            let numbers: [f32; 8] = core::array::from_fn(|k| f32::from_bits(row[k + 2]));
            ensure(numbers.iter().all(|x| x.abs() < 1.0e14), "a manifold is near")?;
            self.contacts.manifold[place] = ManifoldRow::from_lanes(numbers);
        }
        ensure(links.next().is_none(), "a contact has a manifold")
    }

    fn read_impulses(&mut self, image: &mut Reader, scratch: &ReadScratch) -> Result<(), LoadError> {
        let (mut rows, mut last) = (image.begin()?, [0; 8]);
        let mut links = scratch.links.iter();
        while let Some(is_first) = image.next(&mut rows)? {
            let &(slot, pair, _) = links.next().ok_or(LoadError::Broken("a contact has impulses"))?;
            if is_first {
                last = [0; 8];
            }
            let mut row = self.expected_impulses((slot, pair), &last);
            image.row(&rows, &mut row)?;
            last = row;
            row[7] = end_of_way(sum_of_step([row[0], row[1]], self.step.dt), row[7]);
            let impulse = row.map(f32::from_bits);
            ensure(impulse.iter().all(|x| x.is_finite()), "impulses are finite")?;
            self.contacts.impulse[slot as usize] = bytemuck::cast(impulse);
        }
        ensure(links.next().is_none(), "a contact has impulses")
    }

    /// Completes contacts, now that their parts are known.
    pub(super) fn restore_contacts(&mut self, scratch: &ReadScratch) -> Result<(), LoadError> {
        self.events.touch_counts.clear();
        self.events.visit_counts.clear();
        self.contacts.map.reserve(scratch.links.len());
        self.events.touch_counts.reserve(scratch.links.len());
        for &(slot, pair, word) in &scratch.links {
            let [a, b] = [pair.a, pair.b].map(|part| &self.shapes.proxies.rows[part as usize]);
            let (flags, count) = (word as u16, (word >> 16) as u8);
            let known = word & !(ACTIVE | 0x3_FFFF) == 0 && flags <= flag::KNOWN && count <= 2;
            ensure(known, "a contact has known flags, and two points at most")?;
            ensure((flags & flag::TOUCHING != 0) == (count > 0), "a contact touches in its points")?;
            let there = a.body != NONE && b.body != NONE && a.body != b.body;
            ensure(there, "a contact is of two bodies")?;
            let (body_a, body_b) = (a.body, b.body);
            let link = ContactHeader { body_a, body_b, flags, count, test: self.test_of(pair) };
            let is_new = self.contacts.put(slot, pair, link, word & ACTIVE != 0);
            ensure(is_new, "two parts have one contact")?;
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
        // Touches that ended since the last step are still counted.
        for touch in &self.events.next.ended {
            self.events.touch_counts.count_up(key(touch.a, touch.b));
        }
        for visit in &self.events.next.left {
            self.events.visit_counts.count_up(key(visit.sensor, visit.visitor));
        }
        Ok(())
    }
}
