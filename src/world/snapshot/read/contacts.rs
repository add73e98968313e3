//! Pairs and contacts, from an image.
//!
//! In: rows of pairs, contacts, manifolds and impulses. Out: contacts in their slots, in the pair
//! map, contact edges and touch counts, once the owners of parts are known.

use super::{ReadScratch, are_distinct, ensure, read_pairs, read_slots, refill, turned_words};
use crate::body::{Body, NONE};
use crate::broadphase::Pair;
use crate::contact::{ContactHeader, flag};
use crate::simd::{Vectors, dispatch_wide};
use crate::state::{GROUP, Groups, LoadError, Reader, end_of_way, words_from};
use crate::world::World;
use crate::world::events::key;
use crate::world::snapshot::expect::{Axis, ContactGuess, LastInDirection, sums_of_step};
use crate::world::snapshot::write::{ACTIVE, AS_BEFORE, AXIS, CONTACT, IDS, IMPULSE, LINK, LOADS};

/// Contacts that are looked up together.
const AT_A_TIME: usize = 16;

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
        scratch.links.clear();
        refill(&mut scratch.has_contact, scratch.pairs.len(), false);
        let groups = image.groups()?;
        dispatch_wide!(self.lanes().level, simd => self.read_groups(simd, (image, groups), scratch))?;
        read_slots(image, &mut scratch.free_contacts, count as u32)?;
        ensure(are_distinct(&scratch.free_contacts, &mut scratch.sorted), "a place is free once")?;
        // Each slot has one contact or is free.
        ensure(
            scratch.links.len() + scratch.free_contacts.len() + 1 == count.max(1),
            "places of contacts are counted",
        )
    }

    /// Reads all that is told of contacts, eight at a time.
    #[inline(always)]
    fn read_groups<S: Vectors>(
        &mut self,
        simd: S,
        (image, mut groups): (&mut Reader, Groups<CONTACT>),
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let ReadScratch { pairs, has_contact, links, .. } = scratch;
        let mut guess = ContactGuess::new(pairs);
        let mut before = 0;
        while image.next_group(&mut groups)? {
            if groups.is_first {
                guess.begin_piece();
            }
            let columns = told_from_before(&groups, &mut guess.last);
            let first = links.len();
            for (index, (&step, &word)) in columns[0].iter().zip(&columns[3]).enumerate().take(groups.count) {
                let slot = guess.steps.by(step);
                // In ascending order, so that a place has one contact.
                ensure(slot > before && (slot as usize) < self.contacts.link.len(), "a contact has a place")?;
                before = slot;
                let (pair, place) = if groups.told & 0b110 == 0 {
                    guess.walk.step()
                } else {
                    guess.walk.go([1, 2].map(|k| groups.ways[k][index]))
                };
                let parts = self.shapes.proxies.rows.len();
                ensure(pair.a < pair.b && (pair.b as usize) < parts, "a contact has two parts")?;
                if let Some(has_contact) = has_contact.get_mut(place) {
                    *has_contact |= pairs[place] == pair;
                }
                links.push((slot, pair, word));
            }
            let links = &links[first..];
            self.read_rows(simd, &groups, columns, links)?;
            self.read_manifolds(simd, &groups, &mut guess.manifolds, links)?;
        }
        Ok(())
    }

    /// Surfaces and impulses of contacts whose slots are known.
    #[inline(always)]
    fn read_rows<S: Vectors>(
        &mut self,
        simd: S,
        groups: &Groups<CONTACT>,
        mut columns: [[u32; GROUP]; LINK + 8],
        links: &[(u32, Pair, u32)],
    ) -> Result<(), LoadError> {
        let ways = &groups.ways;
        let [load_1, load_2] = LOADS;
        columns[load_2] = words_from(&columns[load_1], &ways[load_2]);
        columns[IMPULSE] = words_from(&columns[load_1], &ways[IMPULSE]);
        columns[IMPULSE + 1] = words_from(&columns[load_2], &ways[IMPULSE + 1]);
        let [mut way_x, mut way_y] = [[0; GROUP]; 2];
        for (index, &(_, pair, _)) in links.iter().enumerate().take(GROUP) {
            [way_x[index], way_y[index]] = self.expected_way(self.bodies_of_pair(pair));
        }
        columns[IMPULSE + 5] = words_from(&way_x, &ways[IMPULSE + 5]);
        columns[IMPULSE + 6] = words_from(&way_y, &ways[IMPULSE + 6]);
        let sums = sums_of_step([&columns[IMPULSE], &columns[IMPULSE + 1]], self.step.dt);
        columns[IMPULSE + 7] = words_from(&sums, &ways[IMPULSE + 7]);
        columns[IMPULSE + 7][links.len().min(GROUP)..].fill(0);
        let [_, _, _, _, surface @ .., _, _, _, _, _, _, _, _] = &columns;
        // Columns of what is no contact are those of the last one.
        check_surfaces(surface)?;
        let Some(impulse) = columns.last_chunk::<GROUP>() else { return Ok(()) };
        ensure(greatest(impulse.as_flattened(), size) < INFINITE, "impulses are finite")?;
        let (surfaces, impulses) = (turned_words(simd, surface), turned_words(simd, impulse));
        for (&(slot, ..), (surface, impulse)) in links.iter().zip(surfaces.iter().zip(&impulses)) {
            self.contacts.surface.lanes_mut()[slot as usize] = bytemuck::cast(*surface);
            self.contacts.impulse.lanes_mut()[slot as usize] = bytemuck::cast(*impulse);
            if self.contacts.surface[slot as usize].softness != 0.0 {
                self.contacts.yielding.insert(slot);
            }
        }
        Ok(())
    }

    /// Manifolds, one after the other: each is told from the last one in its direction.
    #[inline(always)]
    fn read_manifolds<S: Vectors>(
        &mut self,
        simd: S,
        groups: &Groups<CONTACT>,
        guess: &mut LastInDirection,
        links: &[(u32, Pair, u32)],
    ) -> Result<(), LoadError> {
        let [.., a, b, c, d, e, f, g, h, _] = groups.ways;
        let rows = turned_words(simd, &[a, b, c, d, e, f, g, h]);
        let (mut sizes, mut keeps) = ([0; GROUP], true);
        for (index, &(slot, pair, word)) in links.iter().enumerate().take(GROUP) {
            let (mut ids, mut row) = ([0; 2], [0; GROUP]);
            let touches = word as u16 & flag::TOUCHING != 0;
            if touches {
                let last = guess.of(self.contacts.impulse[slot as usize].a_to_b);
                let (before, axis_before) = core::mem::replace(last, (slot, Axis::NONE));
                if before != 0 {
                    ids = bytemuck::cast(self.contacts.ids[before as usize]);
                    row = bytemuck::cast(self.contacts.manifold[before as usize]);
                }
                let axis = Axis::of_told(groups.ways[AXIS][index], axis_before);
                last.1 = axis.ok_or(LoadError::Broken("a body has four axes"))?;
                let bodies = self.bodies_of_pair(pair);
                if let Some(normal) = bodies.and_then(|bodies| last.1.normal(bodies)) {
                    (row[0], row[1]) = (normal.x.to_bits(), normal.y.to_bits());
                }
            }
            let ids = [0, 1].map(|k| end_of_way(ids[k], groups.ways[IDS + k][index]));
            let row = words_from(&row, &rows[index]);
            for (greatest, &word) in sizes.iter_mut().zip(&row) {
                *greatest = size(word).max(*greatest);
            }
            // Asked of those that sleep too: steps look at them once they wake.
            let [first, second] = self.contacts.impulse[slot as usize].normal;
            let [x, y, ..] = row.map(f32::from_bits);
            let is_unit = (x * x + y * y - 1.0).abs() < 1.0e-4;
            keeps &= first >= 0.0 && second >= 0.0 && (is_unit || !touches);
            self.contacts.ids[slot as usize] = bytemuck::cast(ids);
            self.contacts.manifold.lanes_mut()[slot as usize] = bytemuck::cast(row);
        }
        ensure(keeps, "a contact does not pull, and has a normal of unit length")?;
        ensure(greatest(&sizes, size) < 1.0e14_f32.to_bits(), "a manifold is near")
    }

    /// The bodies of two parts, unless one of these is a cell of a map, which is read later.
    #[inline(always)]
    fn bodies_of_pair(&self, pair: Pair) -> Option<[&Body; 2]> {
        let body = |part: u32| self.bodies.rows.get(self.shapes.proxies.rows[part as usize].body as usize);
        Some([body(pair.a)?, body(pair.b)?])
    }

    /// Looks where the table by pair has a contact, without a branch that waits for an answer: so
    /// the lines of the cache for several come at the same time. (One after the other, a seventh of
    /// a load was waiting for them.)
    #[inline(always)]
    fn look_up(&self, pair: Pair) -> u32 {
        self.contacts.map.at_home(pair)
    }

    #[inline(always)]
    fn restore_contact(&mut self, (slot, pair, word): (u32, Pair, u32)) -> Result<(), LoadError> {
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
        if flags & flag::WAS_TOUCHING != 0 {
            self.count_touch(slot, true);
        }
        Ok(())
    }

    /// Completes contacts, now that their parts are known.
    pub(super) fn restore_contacts(&mut self, scratch: &ReadScratch) -> Result<(), LoadError> {
        self.events.touch_counts.clear();
        self.events.visit_counts.clear();
        self.contacts.reserve(scratch.links.len());
        self.contacts.active.make_room(scratch.counts.contacts as u32);
        for links in scratch.links.chunks(AT_A_TIME) {
            core::hint::black_box(links.iter().fold(0, |sum, &(_, pair, _)| sum ^ self.look_up(pair)));
            links.iter().try_for_each(|&link| self.restore_contact(link))?;
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

/// Columns that are told from the contact before; zeros in place of the others.
#[inline(always)]
fn told_from_before(groups: &Groups<CONTACT>, last: &mut [u32; CONTACT]) -> [[u32; GROUP]; LINK + 8] {
    let mut columns = [[0; GROUP]; LINK + 8];
    for k in AS_BEFORE {
        columns[k] = groups.words_of(k, last);
    }
    columns
}

/// The bits of infinity: those of NaN are greater, as those of numbers are less.
const INFINITE: u32 = f32::INFINITY.to_bits();

/// The size of a number, of which greater ones have greater bits.
#[inline(always)]
fn size(word: u32) -> u32 {
    word & !(1 << 31)
}

/// The same of a number that is to be none below zero: of those, more than of all others.
#[inline(always)]
fn size_from_zero(word: u32) -> u32 {
    if word == 1 << 31 { 0 } else { word }
}

/// The greatest size of some numbers: asked of all, without a branch.
#[inline(always)]
fn greatest(words: &[u32], size: impl Fn(u32) -> u32) -> u32 {
    words.iter().fold(0, |greatest, &word| size(word).max(greatest))
}

/// Checks the columns of eight surfaces.
#[inline(always)]
fn check_surfaces(columns: &[[u32; GROUP]; GROUP]) -> Result<(), LoadError> {
    let [fixed, kinetic, restitution, rolling, tangent, load_1, load_2, softness] = *columns;
    let sizes = greatest([fixed, kinetic, rolling, softness].as_flattened(), size_from_zero);
    // The remembered load of one point may be below zero: only the sum of both is a load.
    let known = greatest([load_1, load_2, tangent].as_flattened(), size);
    let share = greatest(&restitution, size_from_zero);
    let keeps = sizes.max(known) < INFINITE && share <= 1.0_f32.to_bits();
    ensure(keeps, "a surface keeps its rules")
}
