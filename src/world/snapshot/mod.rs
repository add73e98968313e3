//! Snapshots of a world, its hash, and the first difference of two worlds.
//!
//! In: a world between two steps. Out: bytes that restore the same world, here or on another
//! machine; a hash of 64 bits; or the first difference of two worlds, by the stage that made it.
//!
//! ```text
//!   schema.rs   columns, with the stage that changes each   read/     a world from an image
//!   write.rs    state into rows                             ring.rs   the last steps, for rollback
//!   expect.rs   prediction of rows                          diff.rs   first difference of two worlds
//!   poses.rs    bodies of eight contacts, for that
//!   begin_as.rs back to a clone, row by row
//! ```

mod begin_as;
mod diff;
mod expect;
mod poses;
mod read;
mod ring;
mod schema;
mod write;

pub use diff::Difference;
pub use ring::Ring;

use super::World;
use crate::state::{Hash, LoadError, Reader, Writer};
use read::{Known, ReadScratch, Trust};
use write::Outlines;

/// Scratch memory of loading: lists, and a world to read bytes into, as they may be invalid.
#[derive(Debug, Default)]
pub(super) struct Loading {
    scratch: ReadScratch,
    image: Vec<u8>,
    spare: Option<Box<World>>,
}

/// A copy with equal future, ids, hooks, clock and number of threads.
///
/// `clone_from` reuses the memory of the overwritten world, and allocates nothing once that has
/// been as large.
impl Clone for World {
    fn clone(&self) -> World {
        let mut world = World::with(self.def);
        world.clone_from(self);
        world
    }

    fn clone_from(&mut self, source: &World) {
        let mut image = core::mem::take(&mut self.loading.image);
        // Shapes are taken from the source itself.
        let mut writer = Writer::new(&mut image, None, source.image_size());
        source.tell(Outlines::None, &mut writer);
        writer.close();
        let known =
            |slot: u32, _| source.shapes.colliders.get(slot as usize).map(|collider| collider.shape.clone());
        let read = self.restore_own(Reader::trusted(&image), &known);
        debug_assert_eq!(read, Ok(()), "a world is its own image");
        self.loading.image = image;
        self.hooks.clone_from(&source.hooks);
        self.filtered = source.filtered;
        self.crew.clone_from(&source.crew);
        self.events.now.clone_from(&source.events.now);
        self.poses.clone_from(&source.poses);
        (self.clock, self.step.stats, self.room) = (source.clock, source.step.stats, source.room);
        self.set_lanes(source.lanes());
        self.journal.begin_anew();
        self.note_key(true);
    }
}

/// Snapshots.
impl World {
    /// A hash of the whole state in 64 bits: equal for equal worlds, on every machine, and
    /// different for worlds that differ in any bit, except in one case in 2^64. Hooks, clock and
    /// threads do not count.
    ///
    /// Peers of a game compare it every so many steps; [`World::first_difference`] then finds the
    /// cause.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let mut other = world.clone();
    /// world.step(1.0 / 60.0)?;
    /// assert_ne!(world.hash(), other.hash());
    /// other.step(1.0 / 60.0)?;
    /// assert_eq!(world.hash(), other.hash());
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::default();
        self.tell(Outlines::None, &mut hash);
        hash.finish()
    }

    /// The state as bytes: [`World::load`] makes an equal world of them, bit for bit, with equal
    /// ids.
    ///
    /// Polar shapes, compounds, chains and tile maps of fixed bodies are only named: loading takes
    /// them from the present world. For a map, only changed cells are written. For a file, or
    /// another process that has not built the level, [`World::save_whole_into`] writes all of them
    /// out. Hooks, clock and threads are not part of it.
    ///
    /// `bytes` is overwritten; its memory is used again, so that saving every step allocates
    /// nothing, except for a short list if moving bodies have polar shapes or compounds.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0)))?;
    /// let ball = world.add(BodyDef::dynamic().at([0.0, 3.0]).shape(Shape::circle(0.5)))?;
    /// let mut bytes = Vec::new();
    /// world.save_into(&mut bytes);
    ///
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// let there = world[ball].position();
    /// world.load(&bytes).expect("nobody touched the bytes");
    /// assert_eq!(world[ball].position(), vec2(0.0, 3.0));
    ///
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert_eq!(world[ball].position(), there); // to the bit
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn save_into(&self, bytes: &mut Vec<u8>) {
        let mut writer = Writer::new(bytes, None, self.image_size());
        self.tell(Outlines::OfMoving, &mut writer);
        writer.finish();
    }

    /// [`World::save_into`] with all shapes written out: for files, and for worlds that have none
    /// of them yet.
    pub fn save_whole_into(&self, bytes: &mut Vec<u8>) {
        let mut writer = Writer::new(bytes, None, self.image_size());
        self.tell(Outlines::All, &mut writer);
        writer.finish();
    }

    /// Becomes the world that was saved. Hooks, clock and threads stay; [`World::events`] are empty
    /// until the next step.
    ///
    /// The bytes may come from anywhere: they are checked like arguments of a program, and the
    /// world is changed only if all checks pass. From the first call on, a second world is kept to
    /// read into, so that later calls allocate nothing once lists have been as long.
    ///
    /// # Errors
    /// Bytes that are no snapshot, of another version, damaged, or inconsistent; the world is
    /// unchanged then.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let image = Reader::new(bytes)?;
        let mut loading = core::mem::take(&mut self.loading);
        let mut spare = loading.spare.take().unwrap_or_default();
        let known = |slot: u32, stamp: u64| {
            let is_it = |&slot: &u32| {
                self.shapes.slots.tenant(slot).is_some()
                    && self.shapes.colliders[slot as usize].shape.stamp() == Some(stamp)
            };
            let here = Some(slot).filter(is_it).or_else(|| self.shapes.slots.iter().find(is_it));
            here.map(|slot| self.shapes.colliders[slot as usize].shape.clone())
        };
        let read = spare.restore(image, &known, Trust::None, &mut loading.scratch);
        if read.is_ok() {
            core::mem::swap(&mut spare.hooks, &mut self.hooks);
            core::mem::swap(&mut spare.crew, &mut self.crew);
            core::mem::swap(&mut spare.poses, &mut self.poses);
            core::mem::swap(&mut spare.log, &mut self.log);
            spare.clock = self.clock;
            spare.set_lanes(self.lanes());
            spare.forget_ways();
            core::mem::swap(&mut *spare, self);
            self.journal.begin_anew();
        }
        loading.spare = Some(spare);
        self.loading = loading;
        read.inspect(|()| self.note_key(true))
    }

    /// Loads an image that another world has just written.
    fn restore_own(&mut self, image: Reader, known: Known) -> Result<(), LoadError> {
        let mut scratch = core::mem::take(&mut self.loading.scratch);
        let read = self.restore(image, known, Trust::Own, &mut scratch);
        self.loading.scratch = scratch;
        read
    }
}
