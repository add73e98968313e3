//! Exact positions of a piece, for all that rounding changed.
//!
//! In: places in a world, and the corner of a piece. Out: the places that rounding changes when
//! they are stored relative to that corner, in the frame of the corner's region. A point 1 m right
//! of a corner at x = -8 m is at 9 m, where an `f32` is 64 times as coarse as near the origin; with
//! the list, a piece comes back to the bit wherever its corner is.
//!
//! ```text
//!   behind the snapshot of a piece, if there are such places:
//!   corner x, y | kind, slot, region x, y, local x, y | ... | how many | magic
//! ```

use glam::{IVec2, Vec2};

use crate::joint::{Anchor, JointKind};
use crate::math::WorldPoint;
use crate::state::{LoadError, append, split_appendix};
use crate::util::sort;
use crate::world::World;

/// Words of an entry.
const ENTRY: usize = 6;

/// The owner of a place: a body or a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Center,
    AnchorA,
    AnchorB,
    GroundA,
    GroundB,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Center, Kind::AnchorA, Kind::AnchorB, Kind::GroundA, Kind::GroundB];
}

/// A kind, and the slot of the body or joint.
pub(super) type Key = (Kind, u32);

/// See the head of this file.
#[derive(Clone, Debug, Default)]
pub(in crate::world) struct ExactPlaces {
    /// The corner, in region (0, 0).
    corner: WorldPoint,
    /// Sorted.
    list: Vec<(Key, WorldPoint)>,
}

impl ExactPlaces {
    /// No places yet, around a corner.
    pub(super) fn around(corner: WorldPoint) -> ExactPlaces {
        ExactPlaces { corner: WorldPoint { region: IVec2::ZERO, ..corner }, list: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Notes a place `was` that is `now` relative to a corner, if rounding changed it.
    #[inline]
    pub(super) fn note(&mut self, key: Key, (was, now): (WorldPoint, WorldPoint), corner: WorldPoint) {
        if now.carried(WorldPoint::ORIGIN, corner) == was || !was.is_valid() {
            return;
        }
        if let (Some(x), Some(y)) =
            (was.region.x.checked_sub(corner.region.x), was.region.y.checked_sub(corner.region.y))
        {
            self.list.push((key, WorldPoint { region: IVec2::new(x, y), ..was }));
        }
    }

    /// Ends a series of notes.
    pub(super) fn sort(&mut self) {
        sort::by_key(&mut self.list, |&(key, _)| key);
    }

    /// An exact place, carried along when the corner is carried to `to`.
    #[inline]
    pub(super) fn carried(&self, key: Key, to: WorldPoint) -> Option<WorldPoint> {
        if self.list.is_empty() {
            return None;
        }
        let place = self.list.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(self.list[place].1.carried(self.corner, to))
    }

    /// Appends the list to the bytes of a piece.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let mut words = vec![self.corner.local.x.to_bits(), self.corner.local.y.to_bits()];
        for &((kind, slot), WorldPoint { region, local }) in &self.list {
            let [x, y] = region.to_array().map(|axis| axis as u32);
            words.extend([kind as u32, slot, x, y, local.x.to_bits(), local.y.to_bits()]);
        }
        append(&words, bytes);
    }

    /// Splits the list off the end of the bytes of a piece.
    pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], ExactPlaces), LoadError> {
        let parts =
            split_appendix(bytes).and_then(|(image, places)| Some((image, ExactPlaces::of_bytes(places)?)));
        parts.ok_or(LoadError::Broken("exact places are those of a piece"))
    }

    fn of_bytes(bytes: &[u8]) -> Option<ExactPlaces> {
        let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let point = |x: i32, y: i32, local_x: u32, local_y: u32| WorldPoint {
            region: IVec2::new(x, y),
            local: Vec2::new(f32::from_bits(local_x), f32::from_bits(local_y)),
        };
        let [x, y, entries @ ..] = words.as_slice() else { return None };
        let (entries, rest) = entries.as_chunks::<ENTRY>();
        let entry = |&[kind, slot, x, y, local_x, local_y]: &[u32; ENTRY]| {
            let kind = *Kind::ALL.get(kind as usize)?;
            Some(((kind, slot), point(x as i32, y as i32, local_x, local_y)))
        };
        let list = entries.iter().map(entry).collect::<Option<_>>().filter(|_| rest.is_empty())?;
        Some(ExactPlaces { corner: point(0, 0, *x, *y), list })
    }

    /// Whether the list names places of a world, and rounding makes each the place that the world
    /// has.
    pub(super) fn are_of(&self, world: &World) -> bool {
        let is_one = |&((kind, slot), place): &(Key, WorldPoint)| {
            place.is_valid()
                && place_of(world, (kind, slot))
                    .is_some_and(|rounded| place.carried(self.corner, WorldPoint::ORIGIN) == rounded)
        };
        let ascend = self.list.windows(2).all(|pair| pair[0].0 < pair[1].0);
        !self.is_empty() && self.corner.is_valid() && ascend && self.list.iter().all(is_one)
    }
}

/// Returns a place of a world, if its owner exists.
fn place_of(world: &World, (kind, slot): Key) -> Option<WorldPoint> {
    if kind == Kind::Center {
        world.bodies.slots.tenant(slot)?;
        return Some(world.bodies.rows[slot as usize].center_point());
    }
    world.joints.slots.tenant(slot)?;
    let def = &world.joints.rows[slot as usize].def;
    let of_world = |anchor: Anchor| match anchor {
        Anchor::World(point) => Some(point),
        Anchor::Local(_) => None,
    };
    match (kind, def.kind) {
        (Kind::AnchorA, _) => of_world(def.anchor_a),
        (Kind::AnchorB, _) => of_world(def.anchor_b),
        (Kind::GroundA, JointKind::Pulley { ground_a, .. }) => Some(ground_a),
        (Kind::GroundB, JointKind::Pulley { ground_b, .. }) => Some(ground_b),
        _ => None,
    }
}
