//! Writes contacts: links, manifolds, and impulses.
//!
//! In: contacts by slot. Out: their rows; to images, eight at a time and word by word, with a
//! prediction of each.

use super::Steps;
use super::groups::{columns_of, next_slots, turned};
use crate::body::Body;
use crate::body::collider::OfMap;
use crate::broadphase::Pair;
use crate::contact::flag;
use crate::simd::{LANES, Vectors, dispatch_wide};
use crate::state::{GROUP, PIECE, Sink, Ways, way, ways_from, ways_from_before};
use crate::world::World;
use crate::world::snapshot::expect::{Axis, ContactGuess, LastInDirection, sums_of_step, way_between};
use crate::world::snapshot::schema as of;

/// Bit of a contact's flags for an active contact; the low half holds its own flags, then the
/// number of its points.
pub(in crate::world::snapshot) const ACTIVE: u32 = 1 << 24;

/// Words of a contact's row: slot, parts, flags, and its surface with the loads it remembers.
pub(in crate::world::snapshot) const LINK: usize = 12;

/// Words of a contact in an image: its row, impulses, ids of features, manifold, and axis.
pub(in crate::world::snapshot) const CONTACT: usize = LINK + 8 + 2 + 8 + 1;

/// Where they begin, and those of its surface.
pub(in crate::world::snapshot) const SURFACE: usize = 4;
pub(in crate::world::snapshot) const IMPULSE: usize = LINK;
pub(in crate::world::snapshot) const IDS: usize = IMPULSE + 8;
pub(in crate::world::snapshot) const MANIFOLD: usize = IDS + 2;
pub(in crate::world::snapshot) const AXIS: usize = MANIFOLD + 8;

/// The remembered loads, of which the second is told from the first.
pub(in crate::world::snapshot) const LOADS: [usize; 2] = [SURFACE + 5, SURFACE + 6];

/// Words that are told from those of the contact before.
pub(in crate::world::snapshot) const AS_BEFORE: [usize; 12] = [0, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15, 16];

impl World {
    /// Writes contacts, their manifolds and their impulses.
    pub(super) fn tell_contacts<S: Sink>(&self, sink: &mut S) {
        if S::IS_IMAGE {
            self.write_contacts(sink);
            return sink.plain(&of::FREE_CONTACTS, 1, self.contacts.free());
        }
        self.tell_links(sink);
        sink.plain(&of::FREE_CONTACTS, 1, self.contacts.free());
        self.tell_manifolds(sink);
        self.tell_impulses(sink);
    }

    #[inline(never)]
    fn tell_links(&self, sink: &mut impl Sink) {
        let contacts = &self.contacts;
        sink.begin(&of::LINKS, contacts.len());
        let mut steps = Steps::START;
        for slot in contacts.slots() {
            let pair = contacts.pair[slot as usize];
            let mut row = [0; LINK];
            (row[0], row[1], row[2]) = (steps.to(slot), pair.a, pair.b);
            row[3] = self.flags_of(slot);
            row[4..].copy_from_slice(&contacts.surface[slot as usize].numbers().map(f32::to_bits));
            sink.row(contacts.link[slot as usize].body_a, &row);
        }
    }

    #[inline(never)]
    fn tell_manifolds(&self, sink: &mut impl Sink) {
        let contacts = &self.contacts;
        sink.begin(&of::MANIFOLDS, contacts.len());
        for slot in contacts.slots() {
            let place = slot as usize;
            let mut row = [0; 10];
            // A contact that does not touch keeps an unused manifold.
            if contacts.has(slot, flag::TOUCHING) {
                row[..2].copy_from_slice(&bytemuck::cast::<_, [u32; 2]>(contacts.ids[place]));
                row[2..].copy_from_slice(&contacts.manifold[place].numbers().map(f32::to_bits));
            }
            sink.row(contacts.link[place].body_a, &row);
        }
    }

    #[inline(never)]
    fn tell_impulses(&self, sink: &mut impl Sink) {
        let contacts = &self.contacts;
        sink.begin(&of::IMPULSES, contacts.len());
        for slot in contacts.slots() {
            let row = contacts.impulse[slot as usize].numbers().map(f32::to_bits);
            sink.row(contacts.link[slot as usize].body_a, &row);
        }
    }

    #[inline(always)]
    fn flags_of(&self, slot: u32) -> u32 {
        let link = &self.contacts.link[slot as usize];
        let active = if self.contacts.is_active(slot) { ACTIVE } else { 0 };
        u32::from(link.flags) | u32::from(link.count) << 16 | active
    }

    #[inline(never)]
    fn write_contacts(&self, sink: &mut impl Sink) {
        sink.begin_groups::<CONTACT>(&of::LINKS, self.contacts.len());
        dispatch_wide!(self.lanes().level, simd => self.write_groups(simd, sink));
    }

    /// Writes all that is told of contacts, eight at a time.
    #[inline(always)]
    fn write_groups<S: Vectors>(&self, simd: S, sink: &mut impl Sink) {
        let (mut all, mut guess) = (0, ContactGuess::new(self.grid.pairs()));
        let mut rest = self.contacts.slots();
        loop {
            let (slots, count) = next_slots(&mut rest);
            if count == 0 {
                return;
            }
            if all % PIECE == 0 {
                guess.begin_piece();
            }
            all += count;
            let mut ways = [[0; GROUP]; CONTACT];
            let mut bodies = [None; GROUP];
            for (bodies, &slot) in bodies.iter_mut().zip(&slots[..count]) {
                *bodies = self.bodies_of_contact(slot, self.contacts.pair[slot as usize]);
            }
            self.link_ways(simd, (&slots, count), &bodies, &mut guess, &mut ways);
            self.manifold_ways(simd, &slots[..count], &bodies, &mut guess.manifolds, &mut ways);
            if count < GROUP {
                ways.iter_mut().for_each(|ways| ways[count..].fill(0));
            }
            sink.group(&ways, count);
        }
    }

    /// Slots, pairs, flags, surfaces and impulses.
    #[inline(always)]
    fn link_ways<S: Vectors>(
        &self,
        simd: S,
        (slots, count): (&[u32; GROUP], usize),
        bodies: &[Option<[&Body; 2]>; GROUP],
        guess: &mut ContactGuess,
        ways: &mut [Ways; CONTACT],
    ) {
        let contacts = &self.contacts;
        let mut columns = [[0; GROUP]; LINK + 8];
        let [mut way_x, mut way_y] = [[0; GROUP]; 2];
        for (index, &slot) in slots[..count].iter().enumerate() {
            [ways[1][index], ways[2][index]] = guess.walk.ways_to(contacts.pair[slot as usize]);
            columns[0][index] = guess.steps.to(slot);
            columns[3][index] = self.flags_of(slot);
            [way_x[index], way_y[index]] = self.expected_way(bodies[index]);
        }
        columns[SURFACE..][..8].copy_from_slice(&columns_of(simd, contacts.surface.lanes(), slots));
        columns[IMPULSE..].copy_from_slice(&columns_of(simd, contacts.impulse.lanes(), slots));
        for k in AS_BEFORE {
            ways[k] = ways_from_before(guess.last[k], &columns[k]);
            guess.last[k] = columns[k][GROUP - 1];
        }
        let [load_1, load_2] = LOADS;
        ways[load_2] = ways_from(&columns[load_1], &columns[load_2]);
        let [.., first, second, _, _, _, x, y, total] = &columns;
        let [load_1, load_2] = LOADS.map(|k| &columns[k]);
        ways[IMPULSE] = ways_from(load_1, first);
        ways[IMPULSE + 1] = ways_from(load_2, second);
        ways[IMPULSE + 5] = ways_from(&way_x, x);
        ways[IMPULSE + 6] = ways_from(&way_y, y);
        ways[IMPULSE + 7] = ways_from(&sums_of_step([first, second], self.step.dt), total);
    }

    /// Manifolds of contacts that touch: others keep one that is not used.
    #[inline(always)]
    fn manifold_ways<S: Vectors>(
        &self,
        simd: S,
        slots: &[u32],
        bodies: &[Option<[&Body; 2]>; GROUP],
        guess: &mut LastInDirection,
        ways: &mut [Ways; CONTACT],
    ) {
        let (contacts, manifolds) = (&self.contacts, self.contacts.manifold.lanes());
        // Rows, and those that they are expected to be like.
        let [mut rows, mut like] = [[&NO_ROW; GROUP]; 2];
        let [mut is_axis, mut normal_x, mut normal_y] = [[0; GROUP]; 3];
        for (index, &slot) in slots.iter().enumerate() {
            if !contacts.has(slot, flag::TOUCHING) {
                continue;
            }
            let last = guess.of(contacts.impulse[slot as usize].a_to_b);
            let (before, axis_before) = core::mem::replace(last, (slot, Axis::NONE));
            let mut ids_before = [0; 2];
            if before != 0 {
                ids_before = bytemuck::cast(contacts.ids[before as usize]);
                like[index] = &manifolds[before as usize];
            }
            let ids: [u32; 2] = bytemuck::cast(contacts.ids[slot as usize]);
            ways[IDS][index] = way(ids_before[0], ids[0]);
            ways[IDS + 1][index] = way(ids_before[1], ids[1]);
            rows[index] = &manifolds[slot as usize];
            if let Some(bodies) = bodies[index] {
                let axis = Axis::near(contacts.manifold[slot as usize].normal, bodies, axis_before);
                last.1 = axis;
                if let Some(normal) = axis.normal(bodies) {
                    is_axis[index] = u32::MAX;
                    (normal_x[index], normal_y[index]) = (normal.x.to_bits(), normal.y.to_bits());
                }
            }
            ways[AXIS][index] = last.1.told(axis_before);
        }
        let (columns, mut expected) = (turned(simd, rows), turned(simd, like));
        for (column, normal) in expected.iter_mut().zip([normal_x, normal_y]) {
            for index in 0..GROUP {
                column[index] = column[index] & !is_axis[index] | normal[index];
            }
        }
        for k in 0..GROUP {
            ways[MANIFOLD + k] = ways_from(&expected[k], &columns[k]);
        }
    }

    /// The way from centre to centre, in words; zeros if it cannot be known yet.
    #[inline(always)]
    pub(in crate::world::snapshot) fn expected_way(&self, bodies: Option<[&Body; 2]>) -> [u32; 2] {
        bodies.map_or([0; 2], |[a, b]| way_between(self.def.period(), a, b).to_array().map(f32::to_bits))
    }

    /// The bodies of a contact, unless one of its parts is a cell of a map, which is written later.
    #[inline(always)]
    pub(in crate::world::snapshot) fn bodies_of_contact(&self, slot: u32, pair: Pair) -> Option<[&Body; 2]> {
        let link = &self.contacts.link[slot as usize];
        let is_cell = |part: u32| self.shapes.proxies.rows[part as usize].of_map == OfMap::Cell;
        if self.tiles.is_there() && (is_cell(pair.a) || is_cell(pair.b)) {
            return None;
        }
        Some([self.bodies.rows.get(link.body_a as usize)?, self.bodies.rows.get(link.body_b as usize)?])
    }
}

/// Of a contact that does not touch, and of the first in its direction.
const NO_ROW: [f32; LANES] = [0.0; LANES];
