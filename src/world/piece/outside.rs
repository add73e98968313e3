//! Contacts of a piece with immovable bodies that stay: the ground, walls, tile maps, lifts.
//!
//! In: a world, and the bodies that are taken out of it. Out: their contacts with fixed and
//! kinematic bodies, whose parts are named, with manifold and impulses. When the piece is pasted,
//! each contact is tied again if the named body is there and stands where it stood.
//!
//! ```text
//!   a name:   id of the body | how many shapes of the body come before | number of the part
//!   a place:  centre and rotation of the body, relative to the corner of the piece
//! ```
//!
//! Impulses find their contact again by the features of its points. So the two parts may be in the
//! other order where the piece is pasted: the contact is mirrored then.

use glam::{IVec2, Vec2};

use super::graft::{Bond, Names, Shift};
use crate::body::{BodyId, NONE, flag as body_flag};
use crate::broadphase::Pair;
use crate::contact::{ImpulseRow, ManifoldRow, SurfaceRow, flag};
use crate::math::{Rot, WorldPoint};
use crate::narrowphase::FeatureId;
use crate::state::{LoadError, append, split_appendix};
use crate::world::World;

/// Words of a contact in the bytes of a piece.
const CONTACT_WORDS: usize = 34;

/// How far a named body may stand from its place, in units, and be turned from its rotation: less
/// than places are rounded by near the end of a region, and more than a body ever moves unseen.
const SLACK: f32 = 1.0e-3;

/// Flags of a contact that a piece keeps. Touches end when bodies leave and begin when they come,
/// so flags of events are not among them.
const KEPT: u16 = flag::TOUCHING | flag::PASSING | flag::PREDICTED;

/// State of a contact, without its bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactState {
    pub(super) flags: u16,
    pub(super) count: u8,
    pub(super) surface: SurfaceRow,
    pub(super) manifold: ManifoldRow,
    pub(super) impulse: ImpulseRow,
    pub(super) ids: [FeatureId; 2],
}

/// A contact of a part of the piece with a named part.
#[derive(Clone, Copy, Debug)]
struct NamedContact {
    /// How many contacts among the bodies of the piece come before it: the solver goes in the order
    /// of contacts.
    before: u32,
    /// The part in the piece, and whether it is the first of the two.
    part: u32,
    is_first: bool,
    body: BodyId,
    shape: u32,
    number: u32,
    place: WorldPoint,
    rotation: Rot,
    state: ContactState,
}

/// See the head of this file. In the order of the contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    list: Vec<NamedContact>,
}

impl ContactState {
    /// The state of a contact of a world.
    pub(super) fn of(world: &World, contact: u32) -> ContactState {
        let (contacts, place) = (&world.contacts, contact as usize);
        ContactState {
            flags: contacts.link[place].flags,
            count: contacts.link[place].count,
            surface: contacts.surface[place],
            manifold: contacts.manifold[place],
            impulse: contacts.impulse[place],
            ids: contacts.ids[place],
        }
    }

    /// The same contact with its two parts exchanged. The tangent turns round with the normal, so
    /// impulses along it keep their sign.
    fn mirrored(mut self) -> ContactState {
        let way = self.impulse.a_to_b;
        let [first, second] = &mut self.manifold.points;
        first.at -= way;
        // The second place of a single point holds how far the two arms moved.
        second.at = if self.count == 1 { Vec2::new(second.at.y, second.at.x) } else { second.at - way };
        self.manifold.normal = -self.manifold.normal;
        (self.impulse.a_to_b, self.impulse.rolling) = (-way, -self.impulse.rolling);
        self.ids = self.ids.map(FeatureId::flipped);
        self
    }

    /// Whether a world may have it.
    fn is_sound(&self) -> bool {
        let Self { flags, count, surface, manifold, impulse, .. } = self;
        let numbers = [manifold.numbers(), impulse.numbers()];
        numbers.as_flattened().iter().all(|number| number.is_finite())
            && flags & !KEPT == 0
            && *count <= 2
            && (*count > 0) == (flags & flag::TOUCHING != 0)
            && (*count == 0 || (manifold.normal.length_squared() - 1.0).abs() < 1.0e-4)
            && impulse.normal.iter().all(|&normal| normal >= 0.0)
            && surface.loads.iter().chain([&surface.softness]).all(|load| load.is_finite())
    }
}

impl Outside {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Names the contacts of bodies that were copied into a piece.
    pub(super) fn of(bond: &Bond, shift: &Shift, names: &Names) -> Outside {
        let world = bond.world;
        let named = |&contact: &u32| {
            let Pair { a, b } = world.contacts.pair[contact as usize];
            let is_first = names.part(a) != NONE;
            let (own, other) = if is_first { (a, b) } else { (b, a) };
            let row = &world.shapes.proxies.rows[other as usize];
            let body = &world.bodies.rows[row.body as usize];
            let shape = world.shape_slots_from(body.first_shape).position(|shape| shape == row.shape)?;
            let state = ContactState::of(world, contact);
            Some(NamedContact {
                before: bond.contacts.partition_point(|&inner| inner < contact) as u32,
                part: names.part(own),
                is_first,
                body: world.body_id(row.body),
                shape: shape as u32,
                number: row.part,
                place: shift.carried(body.center_point()),
                rotation: body.rotation,
                state: ContactState { flags: state.flags & KEPT, ..state },
            })
        };
        Outside { list: bond.outside.iter().filter_map(named).collect() }
    }

    /// Appends the contacts to the bytes of a piece.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let mut words = Vec::with_capacity(CONTACT_WORDS * self.list.len());
        for named in &self.list {
            let NamedContact { place, rotation, state, .. } = named;
            let [id, generation] = named.body.words();
            let packed = u32::from(state.flags) | u32::from(state.count) << 16;
            let packed = packed | u32::from(named.is_first) << 24;
            words.extend([named.before, named.part, packed, id, generation, named.shape, named.number]);
            words.extend(place.region.to_array().map(|axis| axis as u32));
            let [first, second] = state.surface.loads;
            let numbers = [place.local.x, place.local.y, rotation.cos, rotation.sin, first, second];
            let rows = [state.manifold.numbers(), state.impulse.numbers()];
            let numbers = numbers.iter().chain([&state.surface.softness]).chain(rows.as_flattened());
            words.extend(numbers.map(|number| number.to_bits()));
            words.extend(state.ids.map(|id| u32::from_le_bytes([id.a, id.b, id.end, 0])));
        }
        append(&words, bytes);
    }

    /// Splits the contacts off the end of the bytes of a piece.
    pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Outside), LoadError> {
        let parts = split_appendix(bytes).and_then(|(image, words)| Some((image, Outside::of_bytes(words)?)));
        parts.ok_or(Outside::BROKEN)
    }

    pub(super) const BROKEN: LoadError = LoadError::Broken("contacts with what stays are those of a piece");

    fn of_bytes(bytes: &[u8]) -> Option<Outside> {
        let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let (entries, rest) = words.as_chunks::<CONTACT_WORDS>();
        let entry = |words: &[u32; CONTACT_WORDS]| {
            let [before, part, packed, id, generation, shape, number, x, y, numbers @ .., first, second] =
                *words;
            let numbers = numbers.map(f32::from_bits);
            let vector = |at: usize| Vec2::new(numbers[at], numbers[at + 1]);
            let row = |at: usize| core::array::from_fn(|k| numbers[at + k]);
            let surface = SurfaceRow { loads: vector(4).into(), softness: numbers[6], ..Default::default() };
            let state = ContactState {
                flags: packed as u16,
                count: (packed >> 16) as u8,
                surface,
                manifold: ManifoldRow::from_lanes(row(7)),
                impulse: bytemuck::cast(row(15)),
                ids: [first, second].map(FeatureId::from_number),
            };
            let place = WorldPoint { region: IVec2::new(x as i32, y as i32), local: vector(0) };
            let rotation = Rot { cos: numbers[2], sin: numbers[3] };
            let is_sound = state.is_sound() && packed >> 25 == 0 && place.is_valid() && rotation.is_valid();
            let body = BodyId::of_words([id, generation]).filter(|_| is_sound)?;
            let is_first = packed >> 24 != 0;
            Some(NamedContact { before, part, is_first, body, shape, number, place, rotation, state })
        };
        let list = entries.iter().map(entry).collect::<Option<_>>().filter(|_| rest.is_empty())?;
        Some(Outside { list })
    }

    /// Whether the contacts are of parts of a piece, and in their order.
    pub(super) fn are_of(&self, piece: &World) -> bool {
        let is_part = |part: u32| {
            let row = piece.shapes.proxies.rows.get(part as usize);
            row.is_some_and(|row| row.body != NONE) && piece.grid.contains(part)
        };
        self.list.is_sorted_by_key(|named| named.before) && self.list.iter().all(|named| is_part(named.part))
    }

    /// The contacts that come between two contacts among the bodies of a piece: behind the first
    /// `inner` of them.
    pub(super) fn behind(&self, inner: usize) -> core::ops::Range<usize> {
        let first = self.list.partition_point(|named| (named.before as usize) < inner);
        first..self.list.partition_point(|named| named.before as usize <= inner)
    }
}

impl World {
    /// Ties a contact of a pasted piece to the part that it names.
    pub(super) fn tie(&mut self, outside: &Outside, index: usize, shift: &Shift, names: &Names) {
        let named = &outside.list[index];
        let own = names.part(named.part);
        let place = named.place.carried(shift.from, shift.to);
        if own == NONE || !self.stands_at(named.body, (place, named.rotation)) {
            return;
        }
        let Some(other) = self.part_named(named.body, (named.shape, named.number)) else { return };
        let pair = Pair::new(own, other);
        if self.may_touch(pair) && self.contacts.find(pair).is_none() {
            let is_mirrored = (pair.a == own) != named.is_first;
            let mut state = if is_mirrored { named.state.mirrored() } else { named.state };
            state.surface.surface = self.surface_of(pair);
            self.add_with(pair, state);
        }
    }

    /// Whether a body is there, immovable, and within [`SLACK`] of a place.
    fn stands_at(&self, id: BodyId, (place, rotation): (WorldPoint, Rot)) -> bool {
        let slot = id.index();
        let Some(body) = self.bodies.rows.get(slot).filter(|_| self.get(id).is_some()) else { return false };
        let gap = self.def.period().image(body.center_point(), place).to(place);
        let turned = Vec2::new(body.rotation.cos - rotation.cos, body.rotation.sin - rotation.sin);
        let slack = SLACK * self.def.unit;
        !body.has(body_flag::DYNAMIC)
            && gap.length_squared() <= slack * slack
            && turned.length_squared() <= SLACK * SLACK
    }

    /// The part of a body by its name. A cell of a tile map becomes a part, if it is none.
    fn part_named(&mut self, id: BodyId, (shape, number): (u32, u32)) -> Option<u32> {
        let first = self.bodies.rows[id.index()].first_shape;
        let shape = self.shape_slots_from(first).nth(shape as usize)?;
        if self.is_map(shape) {
            return self.cell_shown(shape, number);
        }
        self.proxies_of(shape).find(|&part| self.shapes.proxies.rows[part as usize].part == number)
    }
}
