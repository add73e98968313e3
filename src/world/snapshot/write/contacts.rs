//! Writes contacts: links, manifolds, and impulses.
//!
//! In: contacts by slot. Out: their rows; to images, eight at a time and word by word, with a
//! prediction of each.

use super::Steps;
use super::groups::{columns_of, turned};
use crate::body::collider::OfMap;
use crate::broadphase::Pair;
use crate::contact::{ContactHeader, flag};
use crate::simd::{LANES, Vectors, Words, dispatch_wide};
use crate::state::{GROUP, PIECE, Sink, Ways, way, ways_from, ways_from_before};
use crate::world::World;
use crate::world::snapshot::expect::{ContactGuess, sums_of_step};
use crate::world::snapshot::poses::{LastInDirection, Poses, directions, numbers_of};
use crate::world::snapshot::schema as of;

/// Bit of a contact's flags for an active contact; the low half holds its own flags, then the
/// number of its points.
pub(in crate::world::snapshot) const IS_ACTIVE: u32 = 1 << 24;

/// Words of a contact's row: slot, parts, flags, and its surface with the loads it remembers.
pub(in crate::world::snapshot) const LINK: usize = 12;

/// Words of a contact in an image: its row, impulses, ids of features, manifold, and axis.
pub(in crate::world::snapshot) const CONTACT: usize = LINK + 8 + 2 + 8 + 1;

/// Columns where the surface, the impulses, the ids, the manifold and the axis begin.
pub(in crate::world::snapshot) const SURFACE_COLUMN: usize = 4;
pub(in crate::world::snapshot) const IMPULSE: usize = LINK;
pub(in crate::world::snapshot) const IDS: usize = IMPULSE + 8;
pub(in crate::world::snapshot) const MANIFOLD: usize = IDS + 2;
pub(in crate::world::snapshot) const AXIS: usize = MANIFOLD + 8;

/// The remembered loads; the second is predicted from the first.
pub(in crate::world::snapshot) const LOADS: [usize; 2] = [SURFACE_COLUMN + 5, SURFACE_COLUMN + 6];

/// Words that are predicted from the contact before.
pub(in crate::world::snapshot) const AS_BEFORE: [usize; 12] = [0, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15, 16];

/// Words of `AS_BEFORE` that mostly equal the contact before.
const SAME_SURFACE: [usize; 7] = [4, 5, 6, 7, 8, 11, 16];

/// Whether all words of some columns repeat the last ones.
#[inline(always)]
fn are_all<S: Vectors>(
    simd: S,
    last: &[u32; CONTACT],
    columns: &[[u32; GROUP]; LINK + 8],
    some: [usize; 7],
) -> bool {
    let mut apart = Words::splat(simd, 0);
    for k in some {
        apart = apart | (Words::load(simd, &columns[k]) ^ Words::splat(simd, last[k]));
    }
    apart.nonzero_mask() == 0
}

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
            row[3] = flags_of(&contacts.link[slot as usize], contacts.is_active(slot));
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

    #[inline(never)]
    fn write_contacts(&self, sink: &mut impl Sink) {
        sink.begin_groups::<CONTACT>(&of::LINKS, self.contacts.len());
        dispatch_wide!(self.lanes().level, simd => self.write_groups(simd, sink));
    }

    /// Writes all columns of contacts, eight contacts at a time.
    #[inline(always)]
    fn write_groups<S: Vectors>(&self, simd: S, sink: &mut impl Sink) {
        let (mut all, mut guess) = (0, ContactGuess::new(self.grid.pairs()));
        let mut next = 1;
        loop {
            let eight = self.next_contacts(&mut next);
            if eight.count == 0 {
                return;
            }
            if all % PIECE == 0 {
                guess.begin_piece();
            }
            all += eight.count;
            let mut ways = [[0; GROUP]; CONTACT];
            let poses = self.poses_of(simd, &eight.bodies, eight.known);
            let direction = self.link_ways(simd, &eight, &poses, &mut guess, &mut ways);
            self.manifold_ways(simd, (&eight, direction), &poses, &mut guess.manifolds, &mut ways);
            if eight.count < GROUP {
                ways.iter_mut().for_each(|ways| ways[eight.count..].fill(0));
            }
            sink.group(simd, &ways, eight.count);
        }
    }

    /// The next contacts, up to eight.
    #[inline(always)]
    fn next_contacts(&self, next: &mut u32) -> EightContacts {
        let contacts = &self.contacts;
        let mut eight = EightContacts::NONE;
        let has_cells = self.tiles.is_there();
        let first = *next as usize;
        let pairs = contacts.pair.get(first..).and_then(|pairs| pairs.first_chunk::<GROUP>());
        if let Some(pairs) = pairs
            && !has_cells
            && pairs.iter().fold(true, |all, pair| all & (*pair != Pair::default()))
            && let Some(links) = contacts.link.get(first..).and_then(|links| links.first_chunk::<GROUP>())
        {
            // Mostly all eight places are taken.
            let active = contacts.active.eight_from(*next);
            for (index, link) in links.iter().enumerate() {
                eight.slots[index] = *next + index as u32;
                eight.flags[index] = flags_of(link, active >> index & 1 != 0);
                (eight.bodies[0][index], eight.bodies[1][index]) = (link.body_a, link.body_b);
            }
            *next += GROUP as u32;
            (eight.pairs, eight.known, eight.count) = (*pairs, 0xFF, GROUP);
            return eight;
        }
        while eight.count < GROUP
            && let Some(&pair) = contacts.pair.get(*next as usize)
        {
            let (slot, index) = (*next, eight.count % GROUP);
            *next += 1;
            if pair == Pair::default() {
                continue;
            }
            let link = &contacts.link[slot as usize];
            eight.slots[index] = slot;
            eight.pairs[index] = pair;
            eight.flags[index] = flags_of(link, contacts.is_active(slot));
            eight.bodies[0][index] = link.body_a;
            eight.bodies[1][index] = link.body_b;
            eight.count += 1;
            eight.known |= u32::from(!has_cells || self.is_without_cells(pair)) << index;
        }
        eight
    }

    /// Whether none of two parts is a cell of a map: those are written later, so that nothing is
    /// expected from their bodies.
    #[inline(never)]
    fn is_without_cells(&self, pair: Pair) -> bool {
        [pair.a, pair.b].iter().all(|&part| self.shapes.proxies.rows[part as usize].of_map != OfMap::Cell)
    }

    /// Computes the ways of slots, pairs, flags, surfaces and impulses; returns the direction of
    /// each contact.
    #[inline(always)]
    fn link_ways<S: Vectors>(
        &self,
        simd: S,
        eight: &EightContacts,
        poses: &Poses<S>,
        guess: &mut ContactGuess,
        ways: &mut [Ways; CONTACT],
    ) -> [u32; GROUP] {
        let contacts = &self.contacts;
        [ways[1], ways[2]] = guess.walk.ways_to_eight(&eight.pairs, eight.count);
        let mut columns = [[0; GROUP]; LINK + 8];
        columns[0] = guess.steps.eight(simd, &eight.slots);
        columns[3] = eight.flags;
        columns[SURFACE_COLUMN..][..8].copy_from_slice(&columns_of(
            simd,
            contacts.surface.lanes(),
            &eight.slots,
        ));
        columns[IMPULSE..].copy_from_slice(&columns_of(simd, contacts.impulse.lanes(), &eight.slots));
        // Contacts of equal materials mostly repeat all words of the surface.
        if !are_all(simd, &guess.last, &columns, SAME_SURFACE) {
            for k in SAME_SURFACE {
                ways[k] = ways_from_before(simd, &mut guess.last[k], &columns[k]);
            }
        }
        for k in AS_BEFORE.into_iter().filter(|k| !SAME_SURFACE.contains(k)) {
            ways[k] = ways_from_before(simd, &mut guess.last[k], &columns[k]);
        }
        let [.., first, second, _, _, _, x, y, total] = &columns;
        let [load_1, load_2] = LOADS.map(|k| &columns[k]);
        ways[LOADS[1]] = ways_from(simd, load_1, load_2);
        ways[IMPULSE] = ways_from(simd, load_1, first);
        ways[IMPULSE + 1] = ways_from(simd, load_2, second);
        ways[IMPULSE + 5] = ways_from(simd, &poses.way[0], x);
        ways[IMPULSE + 6] = ways_from(simd, &poses.way[1], y);
        ways[IMPULSE + 7] = ways_from(simd, &sums_of_step(simd, [first, second], self.step.dt), total);
        directions(simd, [x, y])
    }

    /// Manifolds of contacts that touch; the manifolds of other contacts are not used.
    #[inline(always)]
    fn manifold_ways<S: Vectors>(
        &self,
        simd: S,
        (eight, direction): (&EightContacts, [u32; GROUP]),
        poses: &Poses<S>,
        guess: &mut LastInDirection,
        ways: &mut [Ways; CONTACT],
    ) {
        let (contacts, manifolds) = (&self.contacts, self.contacts.manifold.lanes());
        let mut rows = [&NO_IMPULSE; GROUP];
        for index in 0..eight.count.min(GROUP) {
            if eight.flags[index] & u32::from(flag::TOUCHING) != 0 {
                rows[index] = &manifolds[eight.slots[index] as usize];
            }
        }
        let columns = turned(simd, rows);
        let axes = poses.near([numbers_of(simd, &columns[0]), numbers_of(simd, &columns[1])]);
        // The predicted rows.
        let (mut like, mut is_axis) = ([&NO_IMPULSE; GROUP], [0; GROUP]);
        for index in 0..eight.count.min(GROUP) {
            if eight.flags[index] & u32::from(flag::TOUCHING) == 0 {
                continue;
            }
            let (slot, axis) = (eight.slots[index], axes[index]);
            let (before, axis_before) = core::mem::replace(guess.of(direction[index]), (slot, axis));
            let mut ids_before = [0; 2];
            if before != 0 {
                ids_before = bytemuck::cast(contacts.ids[before as usize]);
                like[index] = &manifolds[before as usize];
            }
            let ids: [u32; 2] = bytemuck::cast(contacts.ids[slot as usize]);
            if ids != ids_before {
                ways[IDS][index] = way(ids_before[0], ids[0]);
                ways[IDS + 1][index] = way(ids_before[1], ids[1]);
            }
            ways[AXIS][index] = axis ^ axis_before;
            is_axis[index] = if axis != 0 { u32::MAX } else { 0 };
        }
        let mut expected = turned(simd, like);
        let normals = poses.normals(&axes);
        for k in 0..2 {
            let normal = Words::of(simd, normals[k]);
            expected[k] = Words::load(simd, &expected[k]).blend(&is_axis, normal).to_array();
        }
        for k in 0..GROUP {
            ways[MANIFOLD + k] = ways_from(simd, &expected[k], &columns[k]);
        }
    }
}

#[inline(always)]
fn flags_of(link: &ContactHeader, is_active: bool) -> u32 {
    let active = if is_active { IS_ACTIVE } else { 0 };
    u32::from(link.flags) | u32::from(link.count) << 16 | active
}

/// Up to eight contacts, as columns.
pub(in crate::world::snapshot) struct EightContacts {
    pub(in crate::world::snapshot) slots: [u32; GROUP],
    pub(in crate::world::snapshot) pairs: [Pair; GROUP],
    pub(in crate::world::snapshot) flags: [u32; GROUP],
    /// A and B.
    pub(in crate::world::snapshot) bodies: [[u32; GROUP]; 2],
    /// A bit for each contact whose bodies are known when it is read.
    pub(in crate::world::snapshot) known: u32,
    pub(in crate::world::snapshot) count: usize,
}

impl EightContacts {
    pub(in crate::world::snapshot) const NONE: EightContacts = EightContacts {
        slots: [0; GROUP],
        pairs: [Pair { a: 0, b: 0 }; GROUP],
        flags: [0; GROUP],
        bodies: [[0; GROUP]; 2],
        known: 0,
        count: 0,
    };
}

/// The manifold written for a contact that does not touch, and the prediction of the first in a
/// direction.
const NO_IMPULSE: [f32; LANES] = [0.0; LANES];
