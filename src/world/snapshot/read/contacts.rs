//! Pairs and contacts, from an image.
//!
//! In: rows of pairs, contacts, manifolds and impulses. Out: contacts in their slots, and touch
//! counts; contacts with cells of tile maps follow once the owners of cells are known. The pair map
//! and the contact edges are made when they are first asked for.

use super::{INFINITE, SIGN, sizes, sizes_from_zero, turned_words};
use super::{ReadScratch, are_distinct, are_in_order, ensure, read_pairs, read_slots, refill};
use crate::body::NONE;
use crate::broadphase::Pair;
use crate::contact::{ContactHeader, flag};
use crate::simd::{Eight, LANES, Vector, Vectors, Words, dispatch_wide, transpose_lanes};
use crate::state::{GROUP, Groups, LoadError, Reader, end_of_way, words_from, words_from_words};
use crate::step::events::key;
use crate::world::World;
use crate::world::snapshot::expect::{ContactGuess, PairWalk, sums_of_step};
use crate::world::snapshot::poses::{LastInDirection, Poses, directions, is_unit};
use crate::world::snapshot::write::{AS_BEFORE, AXIS, CONTACT, IDS, IMPULSE, IS_ACTIVE, LINK, LOADS};
use crate::world::snapshot::write::{EightContacts, turned};

impl World {
    pub(super) fn read_pairs(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let parts = scratch.counts.parts as u32;
        read_pairs(image, &mut scratch.pairs, parts)?;
        ensure(are_in_order(&scratch.pairs), "pairs of boxes are sorted")?;
        let [apart, new, gone] = self.contacts.apart.lists_mut();
        read_pairs(image, apart, parts)?;
        ensure(are_in_order(apart), "pairs wait in order")?;
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
        self.contacts.active.make_room(count as u32);
        self.events.touch_counts.clear();
        self.events.visit_counts.clear();
        scratch.links.clear();
        refill(&mut scratch.has_contact, scratch.pairs.len(), false);
        let groups = image.groups()?;
        let read =
            dispatch_wide!(self.lanes().level, simd => self.read_groups(simd, (image, groups), scratch))?;
        read_slots(image, &mut scratch.free_contacts, count as u32)?;
        ensure(are_distinct(&scratch.free_contacts, &mut scratch.sorted), "a place is free once")?;
        // Each slot has one contact or is free.
        ensure(read + scratch.free_contacts.len() + 1 == count.max(1), "places of contacts are counted")
    }

    /// Reads all columns of contacts, eight contacts at a time; returns their number.
    #[inline(always)]
    fn read_groups<S: Vectors>(
        &mut self,
        simd: S,
        (image, mut groups): (&mut Reader, Groups<CONTACT>),
        scratch: &mut ReadScratch,
    ) -> Result<usize, LoadError> {
        let may_count = self.touches_to_count(scratch);
        let ReadScratch { pairs, has_contact, links, all_listed, .. } = scratch;
        let mut read = 0;
        let mut guess = ContactGuess::new(pairs);
        let mut before = 0;
        *all_listed = true;
        while image.next_group(simd, &mut groups)? {
            if groups.is_first {
                guess.begin_piece();
            }
            let columns = told_from_before(simd, &groups, &mut guess.last);
            let mut eight = EightContacts { count: groups.count.min(GROUP), ..EightContacts::NONE };
            for (slot, step) in eight.slots.iter_mut().zip(columns[0]).take(eight.count) {
                *slot = guess.steps.by(step);
                // In ascending order, so that a place has one contact.
                ensure(
                    *slot > before && (*slot as usize) < self.contacts.link.len(),
                    "a contact has a place",
                )?;
                before = *slot;
            }
            eight.flags = columns[3];
            *all_listed &= self.read_pairs_of(&groups, &mut guess.walk, has_contact, &mut eight)?;
            self.note_bodies(&mut eight);
            read += eight.count;
            for index in 0..eight.count {
                let link = (eight.slots[index], eight.pairs[index], eight.flags[index]);
                if eight.known >> index & 1 != 0 {
                    self.put_contact(link, may_count)?;
                } else {
                    links.push(link);
                }
            }
            let poses = self.poses_of(simd, &eight.bodies, eight.known);
            let direction = self.read_rows(simd, &groups, columns, (&eight, &poses))?;
            self.read_manifolds(simd, &groups, (&mut guess.manifolds, direction), (&eight, &poses))?;
        }
        Ok(read)
    }

    /// Returns the flags of contacts whose touches are counted. If all shapes have one part, these
    /// are only contacts with sensors, see `count_touch`.
    fn touches_to_count(&self, scratch: &ReadScratch) -> u16 {
        if scratch.has_several_parts || self.tiles.is_there() { u16::MAX } else { flag::SENSOR }
    }

    /// Puts a contact whose parts are known into its place.
    #[inline(always)]
    fn put_contact(&mut self, link: (u32, Pair, u32), may_count: u16) -> Result<(), LoadError> {
        let header = self.header_of(link)?;
        let (slot, pair, word) = link;
        self.contacts.put_unlisted(slot, pair, header, word & IS_ACTIVE != 0);
        if header.flags & flag::WAS_TOUCHING != 0 && header.flags & may_count != 0 {
            self.count_touch(slot, true);
        }
        Ok(())
    }

    /// Reads the pairs of a group, and notes which pairs of the list have a contact. Returns
    /// whether all pairs are in the list, each for the first time.
    #[inline(always)]
    fn read_pairs_of(
        &self,
        groups: &Groups<CONTACT>,
        walk: &mut PairWalk,
        has_contact: &mut [bool],
        eight: &mut EightContacts,
    ) -> Result<bool, LoadError> {
        if groups.told & 0b110 == 0
            && eight.count == GROUP
            && let Some((pairs, at)) = walk.step_eight()
            && let Some(has_contact) = has_contact.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
        {
            eight.pairs = *pairs;
            return Ok(core::mem::replace(has_contact, [true; GROUP]) == [false; GROUP]);
        }
        let mut all_listed = true;
        for index in 0..eight.count {
            let (pair, place, is_it) = walk.go([1, 2].map(|k| groups.ways[k][index]));
            let parts = self.shapes.proxies.rows.len();
            ensure(pair.a < pair.b && (pair.b as usize) < parts, "a contact has two parts")?;
            match has_contact.get_mut(place) {
                Some(has_contact) if is_it => all_listed &= !core::mem::replace(has_contact, true),
                _ => all_listed = false,
            }
            eight.pairs[index] = pair;
        }
        Ok(all_listed)
    }

    /// The bodies of eight contacts, unless one of their parts is a cell of a map, which is read
    /// later.
    #[inline(always)]
    fn note_bodies(&self, eight: &mut EightContacts) {
        let (proxies, bodies) = (&self.shapes.proxies.rows, self.bodies.rows.len());
        for index in 0..eight.count.min(GROUP) {
            let Pair { a, b } = eight.pairs[index];
            let [a, b] = [proxies[a as usize].body, proxies[b as usize].body];
            if (a.max(b) as usize) < bodies {
                (eight.bodies[0][index], eight.bodies[1][index]) = (a, b);
                eight.known |= 1 << index;
            }
        }
    }

    /// Reads surfaces and impulses of contacts whose slots are known; returns the direction of each
    /// contact.
    #[inline(always)]
    fn read_rows<S: Vectors>(
        &mut self,
        simd: S,
        groups: &Groups<CONTACT>,
        mut columns: [[u32; GROUP]; LINK + 8],
        (eight, poses): (&EightContacts, &Poses<S>),
    ) -> Result<[u32; GROUP], LoadError> {
        let ways = &groups.ways;
        let [load_1, load_2] = LOADS;
        columns[load_2] = words_from(simd, &columns[load_1], &ways[load_2]);
        columns[IMPULSE] = words_from(simd, &columns[load_1], &ways[IMPULSE]);
        columns[IMPULSE + 1] = words_from(simd, &columns[load_2], &ways[IMPULSE + 1]);
        columns[IMPULSE + 5] = words_from(simd, &poses.way[0], &ways[IMPULSE + 5]);
        columns[IMPULSE + 6] = words_from(simd, &poses.way[1], &ways[IMPULSE + 6]);
        let sums = sums_of_step(simd, [&columns[IMPULSE], &columns[IMPULSE + 1]], self.step.dt);
        columns[IMPULSE + 7] = words_from(simd, &sums, &ways[IMPULSE + 7]);
        columns[IMPULSE + 7][eight.count.min(GROUP)..].fill(0);
        let [_, _, _, _, surface @ .., _, _, _, _, _, _, _, _] = &columns;
        // Unused lanes repeat the last contact.
        check_surfaces(simd, surface)?;
        let Some(impulse) = columns.last_chunk::<GROUP>() else { return Ok([0; GROUP]) };
        check_impulses(simd, impulse, eight.count)?;
        let (surfaces, impulses) = (turned_words(simd, surface), turned_words(simd, impulse));
        let rows = (self.contacts.surface.lanes_mut(), self.contacts.impulse.lanes_mut());
        for index in 0..eight.count.min(GROUP) {
            let slot = eight.slots[index] as usize;
            (rows.0[slot], rows.1[slot]) = (bytemuck::cast(surfaces[index]), bytemuck::cast(impulses[index]));
        }
        let softness = surface[GROUP - 1];
        if softness != [0; GROUP] {
            for index in (0..eight.count.min(GROUP)).filter(|&index| softness[index] << 1 != 0) {
                self.contacts.yielding.insert(eight.slots[index]);
            }
        }
        Ok(directions(simd, [&columns[IMPULSE + 5], &columns[IMPULSE + 6]]))
    }

    /// Reads manifolds, one after the other: each is predicted from the last one in its direction.
    #[inline(always)]
    fn read_manifolds<S: Vectors>(
        &mut self,
        simd: S,
        groups: &Groups<CONTACT>,
        (guess, direction): (&mut LastInDirection, [u32; GROUP]),
        (eight, poses): (&EightContacts, &Poses<S>),
    ) -> Result<(), LoadError> {
        let touching = u32::from(flag::TOUCHING);
        let (mut before, mut axes) = ([0; GROUP], [0; GROUP]);
        for index in (0..eight.count.min(GROUP)).filter(|&index| eight.flags[index] & touching != 0) {
            let last = guess.of(direction[index]);
            axes[index] = groups.ways[AXIS][index] ^ last.1;
            before[index] = core::mem::replace(last, (eight.slots[index], axes[index])).0;
        }
        ensure(axes.iter().fold(0, |all, &axis| all.max(axis)) <= 8, "a body has four axes")?;
        let [normal_x, normal_y] = poses.normals(&axes);
        let none = Vector::all(simd, 0.0);
        let normals: [Eight<S>; LANES] =
            transpose_lanes([normal_x, normal_y, none, none, none, none, none, none]);
        let [.., a, b, c, d, e, f, g, h, _] = &groups.ways;
        let rows: [[u32; GROUP]; GROUP] = turned(simd, [a, b, c, d, e, f, g, h].map(as_numbers));
        let (mut sizes, mut keeps) = (Words::splat(simd, 0), true);
        let has_ids = groups.told >> IDS & 0b11 != 0;
        for index in 0..eight.count.min(GROUP) {
            let slot = eight.slots[index] as usize;
            let (mut ids, mut row) = ([0; 2], Words::splat(simd, 0));
            if before[index] != 0 {
                ids = bytemuck::cast(self.contacts.ids[before[index] as usize]);
                row = Words::of_array(simd, &self.contacts.manifold.lanes()[before[index] as usize]);
            }
            let is_axis = eight.known >> index & u32::from(axes[index] != 0);
            if is_axis != 0 {
                row = row.blend(&FIRST_TWO, Words::of(simd, normals[index]));
            }
            let row = words_from_words(simd, row, &rows[index]);
            sizes = sizes.larger(row & Words::splat(simd, !SIGN));
            let row: [f32; LANES] = bytemuck::cast(row.to_array());
            // Checked for contacts of sleeping bodies, too: steps read them after the bodies wake.
            let is_touching = eight.flags[index] & touching != 0;
            keeps &= !is_touching | is_unit([row[0], row[1]].into());
            if has_ids {
                ids = [0, 1].map(|k| end_of_way(ids[k], groups.ways[IDS + k][index]));
            }
            self.contacts.ids[slot] = bytemuck::cast(ids);
            self.contacts.manifold.lanes_mut()[slot] = row;
        }
        ensure(keeps, "a contact does not pull, and has a normal of unit length")?;
        ensure(sizes.reduce_max() < 1.0e14_f32.to_bits(), "a manifold is near")
    }

    /// The header of a contact whose parts are known.
    #[inline(always)]
    fn header_of(&self, (_, pair, word): (u32, Pair, u32)) -> Result<ContactHeader, LoadError> {
        let [a, b] = [&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]];
        let (flags, count) = (word as u16, (word >> 16) as u8);
        let known = word & !(IS_ACTIVE | 0x3_FFFF) == 0 && flags <= flag::KNOWN && count <= 2;
        ensure(known, "a contact has known flags, and two points at most")?;
        ensure((flags & flag::TOUCHING != 0) == (count > 0), "a contact touches in its points")?;
        let there = a.body != NONE && b.body != NONE && a.body != b.body;
        ensure(there, "a contact is of two bodies")?;
        Ok(ContactHeader {
            body_a: a.body,
            body_b: b.body,
            flags,
            count,
            test: self.test_of_parts(pair, [a, b]),
        })
    }

    /// Completes contacts: puts in the contacts of cells of maps, now that the cells are known.
    pub(super) fn restore_contacts(&mut self, scratch: &ReadScratch) -> Result<(), LoadError> {
        let may_count = self.touches_to_count(scratch);
        for &link in &scratch.links {
            self.put_contact(link, may_count)?;
            self.count_cells(link.1, true);
        }
        let is_new = scratch.all_listed || self.contacts.are_pairs_distinct();
        ensure(is_new, "two parts have one contact")?;
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

/// Columns that are predicted from the contact before; zeros in place of the others.
#[inline(always)]
fn told_from_before<S: Vectors>(
    simd: S,
    groups: &Groups<CONTACT>,
    last: &mut [u32; CONTACT],
) -> [[u32; GROUP]; LINK + 8] {
    let mut columns = [[0; GROUP]; LINK + 8];
    for k in AS_BEFORE {
        columns[k] = groups.words_of(simd, k, last);
    }
    columns
}

/// The words of a normal, in the row of a manifold.
const FIRST_TWO: [u32; GROUP] = [u32::MAX, u32::MAX, 0, 0, 0, 0, 0, 0];

/// Checks the columns of eight surfaces.
#[inline(always)]
fn check_surfaces<S: Vectors>(simd: S, columns: &[[u32; GROUP]; GROUP]) -> Result<(), LoadError> {
    let [fixed, kinetic, restitution, rolling, tangent, load_1, load_2, softness] = columns;
    let friction = sizes_from_zero(simd, fixed).larger(sizes_from_zero(simd, kinetic));
    let others = sizes_from_zero(simd, rolling).larger(sizes_from_zero(simd, softness));
    // The remembered load of one point may be below zero: only the sum of both is a load.
    let known = sizes(simd, load_1).larger(sizes(simd, load_2)).larger(sizes(simd, tangent));
    let share = sizes_from_zero(simd, restitution);
    let keeps = friction.larger(others).larger(known).reduce_max() < INFINITE
        && share.reduce_max() <= 1.0_f32.to_bits();
    ensure(keeps, "a surface keeps its rules")
}

/// Checks the columns of eight impulses. In the unused lanes of a group, loads stand in place of
/// normal impulses, and one of the two alone may be below zero.
#[inline(always)]
fn check_impulses<S: Vectors>(
    simd: S,
    columns: &[[u32; GROUP]; GROUP],
    count: usize,
) -> Result<(), LoadError> {
    let [normal_1, normal_2, tangent_1, tangent_2, rolling, x, y, total] = columns;
    let pushes = sizes_from_zero(simd, normal_1).larger(sizes_from_zero(simd, normal_2));
    let tangents = sizes(simd, tangent_1).larger(sizes(simd, tangent_2));
    let others = sizes(simd, rolling).larger(sizes(simd, x)).larger(sizes(simd, y));
    let others = others.larger(sizes(simd, total)).larger(tangents);
    ensure(others.reduce_max() < INFINITE, "impulses are finite")?;
    let pulls = !pushes.less_than(INFINITE) & ((1 << count) - 1);
    ensure(pulls == 0, "a contact does not pull, and has a normal of unit length")
}

/// Words as the numbers whose bits they are.
#[inline(always)]
fn as_numbers(words: &[u32; GROUP]) -> &[f32; LANES] {
    bytemuck::cast_ref(words)
}
