//! Writes contacts: links, manifolds, and impulses.
//!
//! In: contacts by slot. Out: their rows; to images, with a prediction of each.

use super::Steps;
use crate::body::Body;
use crate::body::collider::OfMap;
use crate::broadphase::Pair;
use crate::contact::flag;
use crate::state::{PIECE, Sink, way};
use crate::world::World;
use crate::world::snapshot::expect::{ManifoldGuess, PairWalk, sum_of_step, way_between};
use crate::world::snapshot::schema as of;

/// Bit of a contact's flags for an active contact; the low half holds its own flags, then the
/// number of its points.
pub(in crate::world::snapshot) const ACTIVE: u32 = 1 << 24;

/// Words of a contact's row: slot, parts, flags, and its surface with the loads it remembers.
pub(in crate::world::snapshot) const LINK: usize = 12;

/// Index of the first load. In an image the second is written as its difference from the first.
pub(in crate::world::snapshot) const LOAD_1: usize = 9;
pub(in crate::world::snapshot) const LOAD_2: usize = 10;

impl World {
    /// Writes contacts, their manifolds and their impulses.
    pub(super) fn tell_contacts<S: Sink>(&self, sink: &mut S) {
        self.tell_links(sink);
        sink.plain(&of::FREE_CONTACTS, 1, self.contacts.free());
        self.tell_manifolds(sink);
        self.tell_impulses(sink);
    }

    #[inline(never)]
    fn tell_links<S: Sink>(&self, sink: &mut S) {
        let contacts = &self.contacts;
        sink.begin(&of::LINKS, contacts.len());
        let (mut steps, mut walk, mut expected) = (Steps::START, PairWalk::new(self.grid.pairs()), [0; LINK]);
        for (index, slot) in contacts.slots().enumerate() {
            let (place, pair) = (slot as usize, contacts.pair[slot as usize]);
            let link = &contacts.link[place];
            let active = if contacts.is_active(slot) { ACTIVE } else { 0 };
            let mut row = [0; LINK];
            (row[0], row[1], row[2]) = (steps.to(slot), pair.a, pair.b);
            row[3] = u32::from(link.flags) | u32::from(link.count) << 16 | active;
            row[4..].copy_from_slice(&contacts.surface[place].numbers().map(f32::to_bits));
            if !S::IS_IMAGE {
                sink.row(link.body_a, &row);
                continue;
            }
            if index % PIECE == 0 {
                expected = [0; LINK];
                walk.begin_piece();
            }
            [expected[1], expected[2]] = walk.next();
            row[LOAD_2] = way(row[LOAD_1], row[LOAD_2]);
            sink.row_like(link.body_a, &row, &expected);
            walk.go_over([pair.a, pair.b]);
            expected = row;
        }
    }

    #[inline(never)]
    fn tell_manifolds<S: Sink>(&self, sink: &mut S) {
        let contacts = &self.contacts;
        sink.begin(&of::MANIFOLDS, contacts.len());
        let mut guess = ManifoldGuess::new();
        for (index, slot) in contacts.slots().enumerate() {
            let place = slot as usize;
            let mut row = [0; 10];
            // A contact that does not touch keeps an unused manifold.
            let touches = contacts.has(slot, flag::TOUCHING);
            if touches {
                row[..2].copy_from_slice(&bytemuck::cast::<_, [u32; 2]>(contacts.ids[place]));
                row[2..].copy_from_slice(&contacts.manifold[place].numbers().map(f32::to_bits));
            }
            let body_a = contacts.link[place].body_a;
            if S::IS_IMAGE && index % PIECE == 0 {
                guess = ManifoldGuess::new();
            }
            match self.bodies_of_contact(slot, contacts.pair[place]).filter(|_| S::IS_IMAGE && touches) {
                Some([a, b]) => {
                    let way = way_between(self.def.period(), a, b);
                    sink.row_like(body_a, &row, &guess.row(a, b, way));
                    guess.note(&row, a, b, way);
                }
                None => sink.row_like(body_a, &row, &[0; 10]),
            }
        }
    }

    #[inline(never)]
    fn tell_impulses<S: Sink>(&self, sink: &mut S) {
        let contacts = &self.contacts;
        sink.begin(&of::IMPULSES, contacts.len());
        let mut last = [0; 8];
        for (index, slot) in contacts.slots().enumerate() {
            let place = slot as usize;
            let mut row = contacts.impulse[place].numbers().map(f32::to_bits);
            let body_a = contacts.link[place].body_a;
            if !S::IS_IMAGE {
                sink.row(body_a, &row);
                continue;
            }
            if index % PIECE == 0 {
                last = [0; 8];
            }
            let expected = self.expected_impulses((slot, contacts.pair[place]), &last);
            row[7] = way(sum_of_step([row[0], row[1]], self.step.dt), row[7]);
            sink.row_like(body_a, &row, &expected);
            last = row;
        }
    }

    /// Predicts the impulses of a contact from its remembered load, the poses of its bodies, and
    /// the impulses of the last contact.
    #[inline]
    pub(in crate::world::snapshot) fn expected_impulses(
        &self,
        (slot, pair): (u32, Pair),
        last: &[u32; 8],
    ) -> [u32; 8] {
        let place = slot as usize;
        let mut row = *last;
        [row[0], row[1]] = self.contacts.surface[place].loads.map(f32::to_bits);
        if let Some([a, b]) = self.bodies_of_contact(slot, pair) {
            [row[5], row[6]] = way_between(self.def.period(), a, b).to_array().map(f32::to_bits);
        }
        row[7] = 0;
        row
    }

    /// The bodies of a contact, unless one of its parts is a cell of a map, which is written later.
    #[inline]
    pub(in crate::world::snapshot) fn bodies_of_contact(&self, slot: u32, pair: Pair) -> Option<[&Body; 2]> {
        let link = &self.contacts.link[slot as usize];
        let is_cell = |part: u32| self.shapes.proxies.rows[part as usize].of_map == OfMap::Cell;
        if self.tiles.is_there() && (is_cell(pair.a) || is_cell(pair.b)) {
            return None;
        }
        Some([self.bodies.rows.get(link.body_a as usize)?, self.bodies.rows.get(link.body_b as usize)?])
    }
}
