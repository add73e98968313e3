//! Lists of the shapes of fixed bodies that were added, changed or removed: for navigation maps and
//! meshes beside a world.
//!
//! In: notes of `edit/` when parts of shapes enter or leave the grid, move, or change their filter.
//! Out: a list since a mark. The notes are kept in a ring of fixed length. A reader that comes too
//! late, or after the world was loaded or cloned, is told to read the whole world. They are no part
//! of the state: neither saved nor hashed.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::body::{ShapeId, flag};
use crate::util::sort;
use crate::world::World;

/// How many notes are kept.
const RING: usize = 4096;

/// How far a reader has read a world's changes; a new mark has read nothing.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    /// Id of its journal; 0 for none.
    journal: u64,
    next: u64,
    notes: Vec<(ShapeId, Note)>,
    list: Vec<Change>,
}

/// A change of a shape of a fixed body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was added.
    Added(ShapeId),
    /// It is still there; its form, its place or its filter may have changed.
    Changed(ShapeId),
    /// It is gone: removed, disabled, or its body is no longer fixed.
    Removed(ShapeId),
}

/// Changes since a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes<'m> {
    /// The mark is new, too old, or of another world, or the world was loaded: anything may have
    /// changed.
    All,
    /// All changes, each shape once, in the order of ids.
    Some(&'m [Change]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Note {
    Entered,
    Moved,
    Left,
}

/// The last notes.
#[derive(Debug)]
pub(crate) struct Journal {
    /// Unique for each journal.
    id: u64,
    ring: Vec<(ShapeId, Note)>,
    /// Number of notes so far.
    count: u64,
    /// Number of notes that some mark has read.
    read: AtomicU64,
}

impl Default for Journal {
    fn default() -> Journal {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Journal {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            ring: Vec::new(),
            count: 0,
            read: AtomicU64::new(0),
        }
    }
}

impl Journal {
    /// Makes all marks invalid.
    pub(crate) fn begin_anew(&mut self) {
        let ring = core::mem::take(&mut self.ring);
        *self = Journal { ring, ..Journal::default() };
        self.ring.clear();
    }

    /// Whether the last note says that a shape changed, and no mark has read it yet.
    fn ends_with(&self, shape: ShapeId) -> bool {
        if self.read.load(Ordering::Relaxed) >= self.count {
            return false;
        }
        let last = self.count.checked_sub(1).map(|last| (last % RING as u64) as usize);
        last.and_then(|last| self.ring.get(last)) == Some(&(shape, Note::Moved))
    }

    fn note(&mut self, shape: ShapeId, note: Note) {
        let at = (self.count % RING as u64) as usize;
        if at < self.ring.len() {
            self.ring[at] = (shape, note);
        } else {
            self.ring.push((shape, note));
        }
        self.count += 1;
    }
}

impl World {
    /// Returns the shapes of fixed bodies that were added, changed or removed since the mark, and
    /// moves the mark to the present.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Change, Changes, Mark};
    ///
    /// let mut world = World::default();
    /// let mut mark = Mark::default();
    /// assert_eq!(world.changes(&mut mark), Changes::All); // a new mark has read nothing
    /// let wall = world.add(BodyDef::fixed().shape(Shape::rect(4.0, 1.0)))?;
    /// let (shape, _) = world.shapes_of(wall).next().expect("it has one");
    /// assert_eq!(world.changes(&mut mark), Changes::Some(&[Change::Added(shape)]));
    /// world.teleport(wall, [0.0, 2.0], 0.0)?;
    /// assert_eq!(world.changes(&mut mark), Changes::Some(&[Change::Changed(shape)]));
    /// assert_eq!(world.changes(&mut mark), Changes::Some(&[]));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// Sensors are shapes, too. A new material or new user data is no change. After more than 4096
    /// changes in between, and after [`World::load`], it is [`Changes::All`].
    pub fn changes<'m>(&self, mark: &'m mut Mark) -> Changes<'m> {
        let journal = &self.journal;
        let is_lost = mark.journal != journal.id || journal.count - mark.next > RING as u64;
        let from = mark.next;
        (mark.journal, mark.next) = (journal.id, journal.count);
        journal.read.fetch_max(journal.count, Ordering::Relaxed);
        mark.list.clear();
        if is_lost {
            return Changes::All;
        }
        mark.notes.clear();
        mark.notes.extend((from..journal.count).map(|at| journal.ring[(at % RING as u64) as usize]));
        // The notes of a shape together, in the order they were made.
        sort::by_key(&mut mark.notes, |&(shape, _)| shape);
        for notes in mark.notes.chunk_by(|a, b| a.0 == b.0) {
            let (shape, first) = notes[0];
            let (_, last) = notes[notes.len() - 1];
            match (first == Note::Entered, last == Note::Left) {
                (true, true) => {}
                (true, false) => mark.list.push(Change::Added(shape)),
                (false, true) => mark.list.push(Change::Removed(shape)),
                (false, false) => mark.list.push(Change::Changed(shape)),
            }
        }
        Changes::Some(&mark.list)
    }

    fn note_shape(&mut self, shape: u32, note: Note) {
        let body = self.shapes.colliders[shape as usize].body;
        if self.bodies.rows[body as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) == 0 {
            let id = self.shape_id(shape);
            self.journal.note(id, note);
        }
    }

    /// The parts of a shape have entered the grid.
    pub(in crate::world) fn note_entered(&mut self, shape: u32) {
        self.note_shape(shape, Note::Entered);
    }

    /// Notes that a shape of a fixed body has entered the grid.
    pub(in crate::world) fn note_arrival(&mut self, shape: ShapeId) {
        self.journal.note(shape, Note::Entered);
    }

    /// The parts of a shape, if it has any in the grid, are about to leave.
    pub(in crate::world) fn note_left(&mut self, shape: u32) {
        if self.shapes.links[shape as usize].first_proxy != crate::body::NONE {
            self.note_shape(shape, Note::Left);
        }
    }

    /// A shape in the grid has changed.
    pub(in crate::world) fn note_changed(&mut self, shape: u32) {
        if self.proxies_of(shape).next().is_some() {
            self.note_shape(shape, Note::Moved);
        }
    }

    /// A cell of a map has changed. Noted once until a mark reads it, if nothing else is noted in
    /// between: a program may change thousands.
    pub(in crate::world) fn note_tile(&mut self, shape: u32) {
        if !self.journal.ends_with(self.shape_id(shape)) {
            self.note_changed(shape);
        }
    }

    /// Notes a change of all shapes of a body.
    pub(in crate::world) fn note_moved(&mut self, slot: u32) {
        if self.bodies.rows[slot as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) != 0 {
            return;
        }
        let mut shape = self.bodies.rows[slot as usize].first_shape;
        while shape != crate::body::NONE {
            self.note_changed(shape);
            shape = self.shapes.links[shape as usize].next;
        }
    }
}
