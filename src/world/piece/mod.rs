//! Pieces of a world (prefabs, tiles for streaming): bodies with their contacts and joints, to be
//! cut out, kept, and pasted again.
//!
//! In: an area or a list of bodies. Out: a piece, which is a small world of its own around its
//! corner; as bytes, if wanted; and the bodies of a piece in another place, as they were: contacts
//! with their impulses, sleep, joints and velocities.
//!
//! ```text
//!   find.rs    which bodies are in an area
//!   ties.rs    which bodies go along     graft.rs   copies bodies into another world
//!   leave.rs   takes bodies out of a world without waking them
//!   outside.rs contacts with immovable bodies that stay, under names
//!   exact.rs   places that rounding changed, as they were
//! ```
//!
//! A piece is a world, so its bytes are a snapshot: every rule of a world is checked when they are
//! read, on any thread. Pasting copies rows, and tests nothing again.

mod exact;
mod find;
pub(in crate::world) mod graft;
mod leave;
mod outside;
mod ties;

use super::World;
use super::record::Input;
use crate::body::{BodyId, JointId, NONE};
use crate::broadphase::WorldAabb;
use crate::error::Error;
use crate::math::WorldPoint;
use crate::state::LoadError;
use exact::ExactPlaces;
use graft::{Bond, Names, Shift, Trees};
use outside::Outside;

pub use ties::Ties;

/// The first bytes of a piece, and the version of the bytes that follow.
const PIECE_MAGIC: [u8; 4] = *b"crmP";
const PIECE_VERSION: u32 = 1;

/// The version of pieces with exact places behind the snapshot.
const VERSION_EXACT: u32 = 2;

/// The version of pieces with outside contacts, which come behind the exact places, if there are any.
const VERSION_OUTSIDE: u32 = 3;

/// Bytes before the snapshot: magic and version.
const PIECE_HEADER: usize = 8;

/// Bodies that were taken out of a world, or that wait to be put into one: a tile of a map, a
/// prefab, a crate on its way from one level to the next.
///
/// Places are relative to its corner. It can be pasted as often as wanted, and sent to other
/// threads.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Aabb, Piece, Ties};
///
/// let mut world = World::default();
/// world.add(BodyDef::fixed().at([20.0, 0.5]).shape(Shape::rect(8.0, 1.0)))?;
/// let crate_ = world.add(BodyDef::dynamic().at([20.0, 1.5]).shape(Shape::rect(1.0, 1.0)))?;
/// (0..120).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
/// assert!(!world[crate_].is_awake());
///
/// let tile = Aabb { min: vec2(16.0, 0.0), max: vec2(32.0, 16.0) };
/// let piece = world.cut(tile, Ties::Stay)?; // both are gone from the world
/// let mut bytes = Vec::new();
/// piece.write(&mut bytes); // to a file
///
/// let piece = Piece::read(&bytes).expect("the bytes are whole"); // on any thread
/// let pasted = world.paste(&piece, [16.0, 0.0])?;
/// assert!(!world[pasted.bodies[1]].is_awake()); // as it was, to the bit
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Piece {
    world: World,
    taken: Vec<BodyId>,
    stayed: Vec<BodyId>,
    exact: ExactPlaces,
    outside: Outside,
}

impl Piece {
    /// The ids that the bodies had in the world, in the piece's order. Empty for a piece that was
    /// read.
    #[must_use]
    pub fn taken(&self) -> &[BodyId] {
        &self.taken
    }

    /// Bodies that stayed although they were in the area, because of [`Ties::Stay`]. Empty for a
    /// piece that was read.
    #[must_use]
    pub fn stayed(&self) -> &[BodyId] {
        &self.stayed
    }

    /// The piece as a small world, for reading: positions are relative to the corner.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Writes the piece as bytes: equal pieces give equal bytes on every machine. `bytes` is
    /// overwritten.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        self.world.save_whole_into(bytes);
        let version = match (self.outside.is_empty(), self.exact.is_empty()) {
            (true, true) => PIECE_VERSION,
            (true, false) => VERSION_EXACT,
            (false, _) => VERSION_OUTSIDE,
        };
        bytes.splice(0..0, PIECE_MAGIC.into_iter().chain(version.to_le_bytes()));
        if version != PIECE_VERSION {
            self.exact.write(bytes);
        }
        if version == VERSION_OUTSIDE {
            self.outside.write(bytes);
        }
    }

    /// Reads the bytes of a piece. They may come from anywhere: every byte is checked.
    ///
    /// # Errors
    /// Bytes that are no piece, of another version, damaged, or inconsistent.
    pub fn read(bytes: &[u8]) -> Result<Piece, LoadError> {
        let Some((&[a, b, c, d, version @ ..], snapshot)) = bytes.split_first_chunk::<PIECE_HEADER>() else {
            return Err(LoadError::NotASnapshot);
        };
        if [a, b, c, d] != PIECE_MAGIC {
            return Err(LoadError::NotASnapshot);
        }
        let (snapshot, exact, outside) = match u32::from_le_bytes(version) {
            PIECE_VERSION => (snapshot, ExactPlaces::default(), Outside::default()),
            VERSION_EXACT => {
                let (snapshot, exact) = ExactPlaces::split(snapshot)?;
                (snapshot, exact, Outside::default())
            }
            VERSION_OUTSIDE => {
                let (rest, outside) = Outside::split(snapshot)?;
                let (snapshot, exact) = ExactPlaces::split(rest)?;
                (snapshot, exact, outside)
            }
            other => return Err(LoadError::OtherVersion(other)),
        };
        let mut world = World::default();
        world.load(snapshot)?;
        if !exact.is_empty() && !exact.are_of(&world) {
            return Err(LoadError::Broken("exact places are those of a piece"));
        }
        if !outside.are_of(&world) {
            return Err(Outside::BROKEN);
        }
        // Scratch memory of reading is larger than the world itself.
        world.loading = Default::default();
        Ok(Piece { exact, outside, ..Piece::from(world) })
    }
}

/// A piece of all bodies of a world, whose corner is the origin: a prefab, built as any world is.
impl From<World> for Piece {
    fn from(mut world: World) -> Piece {
        // Trees are sorted here, on any thread, and not by the step that follows a paste.
        world.prepare_queries();
        Piece { world, ..Piece::default() }
    }
}

/// Ids of a pasted piece in its world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pasted {
    /// Its bodies, in the piece's order: that of [`Piece::taken`], or of the bodies of
    /// [`Piece::world`].
    pub bodies: Vec<BodyId>,
    /// Its joints, in the order they were made.
    pub joints: Vec<JointId>,
}

/// Pieces.
impl World {
    /// Takes out the bodies whose centre of mass lies in `area`, with their shapes, joints,
    /// contacts and sleep. Its left and lower sides belong to the area, its right and upper sides
    /// do not, so that tiles share no body.
    ///
    /// Bodies that are taken out sleep on. Bodies that stay wake if they rested on them. Joints
    /// between the two are lost, as when a body is removed. Contacts with fixed and kinematic bodies
    /// that stay end here, and the piece keeps them under names: see [`World::paste`].
    ///
    /// # Errors
    /// An area with a side that is not finite, or a body that would be too far from its corner; a
    /// piece that reaches half round a world that [wraps round](crate::WorldDef::periodic). The
    /// world is unchanged then.
    pub fn cut(&mut self, area: impl Into<WorldAabb>, ties: Ties) -> Result<Piece, Error> {
        let area = area.into();
        self.note(|| Input::Cut { area, ties });
        let sides = [area.aabb.min.x, area.aabb.min.y, area.aabb.max.x, area.aabb.max.y];
        if !sides.iter().all(|side| side.is_finite()) {
            return Err(Error::BadNumber("the sides of an area must be finite"));
        }
        let (size, period) = (area.aabb.size(), self.def.period());
        if !period.holds(size) {
            return Err(Error::BadNumber("an area must not be larger than a world that wraps round"));
        }
        let inside = self.bodies_in(&area);
        let mut names = core::mem::take(&mut self.scratch.names);
        let [slots, stayed] = self.with_ties(inside, ties, &mut names.bodies);
        self.scratch.names = names;
        let corner = WorldPoint::new(area.region, area.aabb.min);
        let stayed = stayed.into_iter().map(|slot| self.body_id(slot)).collect();
        let middle = WorldPoint::new(area.region, area.aabb.center());
        let mut piece = self.take_piece(&slots, (corner, middle))?;
        piece.stayed = stayed;
        Ok(piece)
    }

    /// Takes out the listed bodies, to be put into this world again or into another one. Pasted at
    /// [`WorldPoint::ORIGIN`] they return to their old places. Joints with other bodies are lost.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let (mut cave, mut meadow) = (World::default(), World::default());
    /// let hero = cave.add(BodyDef::dynamic().at([3.0, 1.0]).velocity([2.0, 0.0]).shape(Shape::circle(0.4)))?;
    /// let hero = meadow.paste(&cave.extract(&[hero])?, [100.0, 0.0])?.bodies[0];
    /// assert_eq!(meadow[hero].position(), vec2(103.0, 1.0));
    /// assert_eq!(meadow[hero].velocity(), vec2(2.0, 0.0));
    /// assert_eq!(cave.body_count(), 0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone; the world is unchanged then.
    pub fn extract(&mut self, ids: &[BodyId]) -> Result<Piece, Error> {
        self.note(|| Input::Extract { ids: ids.to_vec() });
        let mut slots = ids.iter().map(|&id| self.slot_of(id)).collect::<Result<Vec<u32>, Error>>()?;
        slots.sort_unstable();
        slots.dedup();
        let first =
            slots.first().map_or(WorldPoint::ORIGIN, |&slot| self.bodies.rows[slot as usize].center_point());
        self.take_piece(&slots, (WorldPoint::ORIGIN, first))
    }

    /// Puts the bodies of a piece in, its corner at `corner`.
    ///
    /// Everything is as it was when the piece was made: bodies that slept sleep, and bodies that
    /// touched touch with the same impulses. Places are equal to the bit if a piece returns to its
    /// old corner, or if the two corners differ by whole regions; else each is rounded once.
    ///
    /// A contact with a fixed or kinematic body that stayed goes on with its impulses too, if this
    /// world has a fixed or kinematic body of the same id, with the same shapes in their order, that
    /// stands where the other stood relative to the piece, within a millimetre. So a tower goes from
    /// one world to another without a jolt, if both have built the same level in the same order,
    /// before any body that comes and goes. Elsewhere the contact is found again by the next step,
    /// and begins without impulses.
    ///
    /// A piece of [`World::extract`] that is pasted at [`WorldPoint::ORIGIN`] before the next step
    /// finds its old places in all lists again: if all awake dynamic bodies went along, the world
    /// goes on to the bit as if nothing had been done, but bodies, shapes and joints have new ids.
    /// Where other dynamic bodies are awake, or steps were made in between, the solver may have
    /// bodies and contacts in another order, and last bits may differ.
    ///
    /// # Errors
    /// A world that is full, or of another [unit](crate::WorldDef::unit), or bodies that would be
    /// too far out; the world is unchanged then.
    pub fn paste(&mut self, piece: &Piece, corner: impl Into<WorldPoint>) -> Result<Pasted, Error> {
        let corner = corner.into();
        self.note(|| {
            let mut bytes = Vec::new();
            piece.write(&mut bytes);
            Input::Paste { bytes, corner }
        });
        if piece.world.def.unit != self.def.unit {
            return Err(Error::BadNumber("a piece goes into worlds of its own unit alone"));
        }
        let slots: Vec<u32> = piece.world.bodies.slots.iter().collect();
        if !piece.world.def.period().is_none() {
            return Err(Error::BadNumber("a piece is built in a world that does not wrap round"));
        }
        let shift = Shift { exact: Some(&piece.exact), ..Shift::new(WorldPoint::ORIGIN, corner) };
        let mut names = core::mem::take(&mut self.scratch.names);
        let bond = Bond::new(&piece.world, &slots);
        let pasted = self.graft((&bond, &piece.outside), &shift, Trees::Planted, &mut names);
        names.clear();
        self.scratch.names = names;
        pasted
    }

    /// The call of a recording.
    #[cfg(feature = "record")]
    pub(super) fn paste_bytes(&mut self, bytes: &[u8], corner: WorldPoint) -> Result<(), Error> {
        let piece = Piece::read(bytes).map_err(|_| Error::BadNumber("a recorded piece is one"))?;
        self.paste(&piece, corner).map(drop)
    }

    /// Cuts bodies out, relative to a corner; in a world that wraps round, the images that are
    /// nearest to `middle`.
    fn take_piece(&mut self, slots: &[u32], around: (WorldPoint, WorldPoint)) -> Result<Piece, Error> {
        let mut names = core::mem::take(&mut self.scratch.names);
        let piece = self.take_named_piece(slots, around, &mut names);
        names.clear();
        self.scratch.names = names;
        piece
    }

    fn take_named_piece(
        &mut self,
        slots: &[u32],
        (corner, middle): (WorldPoint, WorldPoint),
        names: &mut Names,
    ) -> Result<Piece, Error> {
        let shift =
            Shift { period: self.def.period(), near: middle, ..Shift::new(corner, WorldPoint::ORIGIN) };
        let mut world = World::new(self.def.periodic(0, 0));
        (world.step.dt, world.step.h) = (self.step.dt, self.step.h);
        let bond = Bond::new(self, slots);
        if !bond.is_whole(&shift) {
            return Err(Error::BadNumber("a piece must not reach half round a world that wraps round"));
        }
        world.graft((&bond, &Outside::default()), &shift, Trees::InOrder, names)?;
        let outside = Outside::of(&bond, &shift, names);
        let taken = slots.iter().map(|&slot| self.body_id(slot)).collect();
        let bonds = (bond.contacts, bond.outside, bond.joints);
        let exact = core::mem::take(&mut names.exact);
        let leaves = |slot: u32| names.bodies.of(slot) != NONE;
        self.take_leave(slots, leaves, bonds);
        Ok(Piece { world, taken, stayed: Vec::new(), exact, outside })
    }
}
