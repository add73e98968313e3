//! Contacts: persistent data of a pair of shape parts.
//!
//! In: pairs that came and went in the grid, manifolds from the narrowphase, impulses from the
//! solver. Out: rows of 32 bytes that the solver reads eight at a time. A contact begins when its
//! parts come near each other, and keeps its place as long as their boxes overlap.

mod candidates;
pub(crate) mod colour;
mod edges;
pub(crate) mod pair_map;
mod rows;
mod slot_map;
pub(crate) mod slot_set;

use crate::body::material::Surface;
use crate::broadphase::Pair;
use crate::narrowphase::FeatureId;
use crate::simd::AlignedRows;
use crate::threads::Shared;
use crate::util::{Lazy, Prefetch};
use candidates::Candidates;
use edges::ContactEdges;
pub(crate) use rows::{ImpulseRow, ManifoldPoint, ManifoldRow, Row, SurfaceRow};
use slot_map::SlotMap;
pub(crate) use slot_set::SlotSet;

/// Bodies and parts of a contact, its flags and its test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactHeader {
    /// Slots of the bodies.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    pub(crate) flags: u16,
    /// Points of the manifold, 0 to 2.
    pub(crate) count: u8,
    /// How the pair is tested: see [`Test`].
    pub(crate) test: Test,
}

/// How a pair is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// Two sharp boxes.
    Boxes,
    /// Two circles.
    Circles,
    /// A circle and a core with corners, in this order and the other.
    CircleCore,
    CoreCircle,
    /// Two cores of at most two corners, of at most four, and of more.
    Lines,
    Fours,
    Eights,
    /// Any other pair: tested one by one.
    Any,
}

/// Flags of a contact.
pub(crate) mod flag {
    /// The parts are within the speculative margin and the solver sees them.
    pub(crate) const TOUCHING: u16 = 1;
    /// They were touching after the step before.
    pub(crate) const WAS_TOUCHING: u16 = 1 << 1;
    /// One of the two is a sensor.
    pub(crate) const SENSOR: u16 = 1 << 2;
    /// One of the two is solid from one side only.
    pub(crate) const ONE_WAY: u16 = 1 << 3;
    /// The one-way side lets the other through until they part.
    pub(crate) const PASSING: u16 = 1 << 4;
    /// The manifold is that of an impact later in this step.
    pub(crate) const PREDICTED: u16 = 1 << 5;
    /// One of the two is fixed or kinematic: impulses do not move it.
    pub(crate) const ONE_SIDED: u16 = 1 << 6;
    /// Restitution is above zero.
    pub(crate) const BOUNCY: u16 = 1 << 7;
    /// One of the two surfaces welds bodies that touch it.
    pub(crate) const WELDS: u16 = 1 << 8;
    /// In a one-sided pair, A is the body that impulses do not move.
    pub(crate) const A_STANDS: u16 = 1 << 11;
    /// It is passed to the contact hook.
    pub(crate) const HOOKED: u16 = 1 << 10;
    /// The parts overlap or touch, without the margin: events report this flag.
    pub(crate) const MET: u16 = 1 << 9;
    /// One of the two is a segment, alone or of a chain: it has no thickness.
    pub(crate) const LINE: u16 = 1 << 12;
    /// Both bodies are in one region.
    pub(crate) const ONE_REGION: u16 = 1 << 13;
    /// All flags.
    pub(crate) const KNOWN: u16 = (1 << 14) - 1;
}

/// Contacts by slot, and the set of active ones. Slot 0 is no contact: it pads blocks.
#[derive(Debug)]
pub(crate) struct Contacts {
    pub(crate) pair: Vec<Pair>,
    pub(crate) link: Vec<ContactHeader>,
    pub(crate) surface: AlignedRows<SurfaceRow>,
    pub(crate) manifold: AlignedRows<ManifoldRow>,
    pub(crate) impulse: AlignedRows<ImpulseRow>,
    pub(crate) ids: Vec<[FeatureId; 2]>,
    free: Vec<u32>,
    pub(crate) active: SlotSet,
    pub(crate) map: SlotMap,
    /// Lists by body: see [`Contacts::edges`].
    by_body: Lazy<ContactEdges>,
    /// Contacts with extra softness, or that had some: for all others `softness` is 0 and their
    /// surface row is not read.
    pub(crate) yielding: SlotSet,
    /// Number of contacts with welding surfaces.
    pub(crate) welding: usize,
    /// Candidate pairs, which are no contacts yet.
    pub(crate) apart: Candidates,
}

crate::state::clone_by_field! { Contacts { pair, link, surface, manifold, impulse, ids, free, active, map, by_body, yielding, welding, apart } }

impl Default for Contacts {
    fn default() -> Contacts {
        let mut contacts = Contacts {
            pair: Vec::new(),
            link: Vec::new(),
            surface: AlignedRows::default(),
            manifold: AlignedRows::default(),
            impulse: AlignedRows::default(),
            ids: Vec::new(),
            free: Vec::new(),
            active: SlotSet::default(),
            map: SlotMap::default(),
            by_body: Lazy::default(),
            yielding: SlotSet::default(),
            welding: 0,
            apart: Candidates::default(),
        };
        contacts.grow();
        contacts
    }
}

/// The columns for exact tests: several pairs run at a time, each on rows of its own.
#[derive(Clone, Copy)]
pub(crate) struct ContactShares<'c> {
    pub(crate) pair: &'c [Pair],
    pub(crate) link: Shared<'c, ContactHeader>,
    pub(crate) surface: Shared<'c, SurfaceRow>,
    pub(crate) manifold: Shared<'c, ManifoldRow>,
    pub(crate) impulse: Shared<'c, ImpulseRow>,
    pub(crate) ids: Shared<'c, [FeatureId; 2]>,
}

/// Link of a slot without a contact.
const NO_LINK: ContactHeader = ContactHeader { body_a: 0, body_b: 0, flags: 0, count: 0, test: Test::Any };

impl Contacts {
    /// Prefetches the struct itself, without the contents of its lists.
    pub(crate) fn prefetch_head(&self, fetch: &mut Prefetch) {
        fetch.lengths([self.pair.len(), self.link.len(), self.surface.len(), self.manifold.len()]);
        fetch.lengths([self.impulse.len(), self.ids.len(), self.free.len(), self.active.len()]);
        let [pairs, new, gone] = self.apart.lists();
        fetch.lengths([pairs.len(), new.len(), gone.len(), self.yielding.len(), self.welding]);
    }

    /// Prefetches the rows that a step reads when contacts are few.
    pub(crate) fn prefetch(&self, fetch: &mut Prefetch) {
        fetch.list(&self.pair);
        fetch.rows(&self.link, |link| link.body_a);
        [self.surface.lanes(), self.manifold.lanes(), self.impulse.lanes()]
            .into_iter()
            .for_each(|rows| fetch.list(rows));
        fetch.list(&self.ids);
        self.map.prefetch(fetch);
        if let Some(edges) = self.by_body.made() {
            edges.prefetch(fetch);
        }
    }

    /// Adds a contact, active from now on.
    pub(crate) fn add(&mut self, pair: Pair, link: ContactHeader, surface: &Surface) -> u32 {
        self.edges();
        let slot = self.free.pop().unwrap_or_else(|| self.grow());
        let place = slot as usize;
        let is_new = self.map.insert_new(pair, slot, &self.pair);
        debug_assert!(is_new, "{pair:?} has one contact");
        self.pair[place] = pair;
        self.link[place] = link;
        self.manifold[place] = ManifoldRow::default();
        self.impulse[place] = ImpulseRow::default();
        self.ids[place] = [FeatureId::default(); 2];
        self.surface[place] = SurfaceRow::default();
        self.set_surface(slot, surface);
        self.active.insert(slot);
        self.edges_mut().add(slot, [link.body_a, link.body_b]);
        self.welding += usize::from(link.flags & flag::WELDS != 0);
        slot
    }

    /// Makes an empty slot behind all others, and not in the free list.
    pub(crate) fn append_slot(&mut self) -> u32 {
        self.grow()
    }

    fn grow(&mut self) -> u32 {
        self.pair.push(Pair::default());
        self.link.push(NO_LINK);
        self.surface.push(SurfaceRow::default());
        self.manifold.push(ManifoldRow::default());
        self.impulse.push(ImpulseRow::default());
        self.ids.push([FeatureId::default(); 2]);
        if self.by_body.made().is_some() {
            self.edges_mut().grow();
        }
        self.link.len() as u32 - 1
    }

    /// Removes a contact.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.active.remove(slot);
        self.map.remove(self.pair[slot as usize], &self.pair);
        let link = self.link[slot as usize];
        self.edges_mut().remove(slot, [link.body_a, link.body_b]);
        self.pair[slot as usize] = Pair::default();
        self.welding -= usize::from(link.flags & flag::WELDS != 0);
        self.free.push(slot);
    }

    /// Makes a contact active: steps update it again.
    pub(crate) fn activate(&mut self, slot: u32) {
        self.active.insert(slot);
    }

    /// Makes a contact inactive: its bodies are asleep, and steps skip it.
    pub(crate) fn deactivate(&mut self, slot: u32) {
        self.active.remove(slot);
    }

    /// Whether a contact is active.
    pub(crate) fn is_active(&self, slot: u32) -> bool {
        self.active.contains(slot)
    }

    /// The columns, shared for the exact tests of a step.
    pub(crate) fn share(&mut self) -> ContactShares<'_> {
        ContactShares {
            pair: &self.pair,
            link: Shared::new(&mut self.link),
            surface: Shared::new(&mut self.surface),
            manifold: Shared::new(&mut self.manifold),
            impulse: Shared::new(&mut self.impulse),
            ids: Shared::new(&mut self.ids),
        }
    }

    /// The contact of two parts.
    pub(crate) fn find(&self, pair: Pair) -> Option<u32> {
        self.map.get(pair, &self.pair)
    }

    /// Sets the mixed material of a contact.
    pub(crate) fn set_surface(&mut self, slot: u32, surface: &Surface) {
        self.surface[slot as usize].surface = *surface;
        let link = &mut self.link[slot as usize];
        link.flags =
            if surface.restitution > 0.0 { link.flags | flag::BOUNCY } else { link.flags & !flag::BOUNCY };
    }

    /// Sets the extra softness of a contact, as a share of its load.
    #[inline]
    pub(crate) fn set_softness(&mut self, slot: u32, softness: f32) {
        if softness == 0.0 && !self.yielding.contains(slot) {
            return;
        }
        self.surface[slot as usize].softness = softness;
        if softness == 0.0 { self.yielding.remove(slot) } else { self.yielding.insert(slot) }
    }

    /// Whether a flag of a contact is set.
    #[inline(always)]
    pub(crate) fn has(&self, slot: u32, flag: u16) -> bool {
        self.link[slot as usize].flags & flag != 0
    }

    /// Sets or clears a flag of a contact.
    #[inline(always)]
    pub(crate) fn set(&mut self, slot: u32, flag: u16, on: bool) {
        let flags = &mut self.link[slot as usize].flags;
        *flags = if on { *flags | flag } else { *flags & !flag };
    }

    /// All slots that hold a contact, asleep or not.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        (1..self.pair.len() as u32).filter(|&slot| self.holds(slot))
    }

    /// The free list of slots; the last one is used next.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// Removes all contacts, and makes `count` empty slots. The first is never used. Rows keep
    /// their old values, like rows of contacts that ended: they are written before they are read.
    pub(crate) fn reset(&mut self, count: usize) {
        self.free.clear();
        self.active.clear();
        self.yielding.clear();
        self.map.put_off();
        self.welding = 0;
        let count = count.max(1);
        self.pair.truncate(count);
        self.pair.fill(Pair::default());
        self.pair.resize(count, Pair::default());
        self.link.resize(count, NO_LINK);
        self.surface.resize(count);
        self.manifold.resize(count);
        self.impulse.resize(count);
        self.ids.resize(count, [FeatureId::default(); 2]);
        self.by_body.put_off();
    }

    /// Sets the free list; the last slot is used next.
    pub(crate) fn set_free(&mut self, free: &[u32]) {
        self.free.clear();
        self.free.extend_from_slice(free);
    }

    /// Appends slots to the free list.
    pub(crate) fn extend_free(&mut self, free: impl Iterator<Item = u32>) {
        self.free.extend(free);
    }

    /// Whether a slot holds a contact.
    pub(crate) fn holds(&self, slot: u32) -> bool {
        self.pair[slot as usize] != Pair::default()
    }

    /// Puts a contact into a slot that has none. The pair must have no contact.
    pub(crate) fn put(&mut self, slot: u32, pair: Pair, link: ContactHeader, active: bool) {
        let is_new = self.map.insert_new(pair, slot, &self.pair);
        debug_assert!(is_new, "{pair:?} has one contact");
        self.edges();
        self.put_unlisted(slot, pair, link, active);
        self.edges_mut().add(slot, [link.body_a, link.body_b]);
    }

    /// Puts a contact into a slot that has none, after [`Contacts::reset`]. The table by pair and
    /// the lists of bodies are made when they are first asked for.
    #[inline(always)]
    pub(crate) fn put_unlisted(&mut self, slot: u32, pair: Pair, link: ContactHeader, active: bool) {
        (self.pair[slot as usize], self.link[slot as usize]) = (pair, link);
        if active {
            self.active.insert(slot);
        }
        self.welding += usize::from(link.flags & flag::WELDS != 0);
    }

    /// The contacts of each body. Where contacts were read from an image, the lists are made when
    /// they are first asked for, as the table by pair is: in loops of their own, of so little work
    /// each that many wait for memory at a time.
    #[inline]
    pub(crate) fn edges(&self) -> &ContactEdges {
        self.by_body.get(|edges| list_all(&self.pair, &self.link, edges))
    }

    #[inline]
    fn edges_mut(&mut self) -> &mut ContactEdges {
        let Contacts { by_body, pair, link, .. } = self;
        by_body.get_mut(|edges| list_all(pair, link, edges))
    }

    /// Changes the impulses of a body's contacts, and forgets the loads that they remember.
    pub(crate) fn change_loads_of(&mut self, body: u32, change: impl Fn(&mut ImpulseRow)) {
        self.edges();
        for contact in self.by_body.made().into_iter().flat_map(|edges| edges.of(body)) {
            change(&mut self.impulse[contact as usize]);
            self.surface[contact as usize].loads = [0.0; 2];
        }
    }

    /// Makes the tables that are made when they are asked for: clones then have them too.
    pub(crate) fn make_tables(&mut self) {
        self.find(Pair::default());
        self.edges();
    }

    /// Makes the table by pair; false if two contacts are of one pair.
    pub(crate) fn are_pairs_distinct(&mut self) -> bool {
        self.map.fill(&self.pair)
    }

    /// Frees memory that candidate pairs no longer need.
    pub(crate) fn trim(&mut self) {
        self.apart.trim();
    }

    /// Number of contacts, asleep or not.
    pub(crate) fn len(&self) -> usize {
        self.link.len() - self.free.len() - 1
    }
}

/// Lists all contacts of a column by their bodies.
fn list_all(pairs: &[Pair], links: &[ContactHeader], edges: &mut ContactEdges) {
    let there = || links.iter().zip(pairs).filter(|(_, pair)| **pair != Pair::default());
    let last = there().fold(0, |last, (link, _)| last.max(link.body_a).max(link.body_b));
    let slots = (0..).zip(links).zip(pairs).filter(|(_, pair)| **pair != Pair::default());
    let contacts = slots.map(|((slot, link), _)| (slot, [link.body_a, link.body_b]));
    edges.refill((links.len(), last as usize + 1), contacts);
}
