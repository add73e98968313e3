//! Adding many bodies at once, all of them or none.
//!
//! In: definitions, one after the other. Out: bodies and their ids; or the first rule that is
//! broken, and a world as it was.
//!
//! No body may be added before all definitions are checked, and storing two hundred thousand
//! definitions takes longer than adding them: 480 bytes each, in two pieces. So rows of bodies and
//! shapes are made at once, behind the existing rows, where nothing reads them; they become valid
//! when all rows exist.

use super::add_remove::body_row;
use super::check::check_body;
use crate::body::collider::ShapeLinks;
use crate::body::{BodyDef, BodyId, BodyKind, Collider, NONE};
use crate::error::Error;
use crate::world::World;
use crate::world::record::Input;
use crate::world::store::own_laws::OwnLaw;

/// Data to complete a body that has its rows.
struct Waiting {
    shapes: u32,
    enabled: bool,
    awake: bool,
}

/// Rows that are not valid yet. Dropping this removes them: after an error, or if an iterator
/// panics.
struct Staging<'w> {
    world: &'w mut World,
    waiting: Vec<Waiting>,
    /// Settings that few bodies have, with the place of the body.
    laws: Vec<(u32, OwnLaw)>,
    parts: usize,
    /// How many rows of bodies and of shapes there were.
    before: [usize; 2],
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        self.world.bodies.rows.truncate(self.before[0]);
        self.world.shapes.colliders.truncate(self.before[1]);
    }
}

impl World {
    /// Adds many bodies, all of them or none. Returns their ids, in the order of the definitions.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let crate_at = |k: u32| BodyDef::dynamic().at([0.0, k as f32]).shape(Shape::rect(1.0, 1.0));
    /// let stack = world.add_all((0..5).map(crate_at))?;
    /// assert_eq!((stack.len(), world.body_count()), (5, 5));
    /// assert!(world.add_all([crate_at(9), BodyDef::dynamic().at([f32::NAN, 0.0])]).is_err());
    /// assert_eq!(world.body_count(), 5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first rule that a definition breaks, or a world that has no room for all of them; the
    /// world is unchanged then.
    pub fn add_all(&mut self, defs: impl IntoIterator<Item = BodyDef>) -> Result<Vec<BodyId>, Error> {
        // Rows behind all others belong to slots that were never taken.
        let is_dense = self.bodies.slots.free().is_empty() && self.shapes.slots.free().is_empty();
        if self.log.is_some() || !is_dense {
            return self.add_collected(defs.into_iter().collect());
        }
        let before = [self.bodies.rows.len(), self.shapes.colliders.len()];
        let mut staging = Staging { world: self, waiting: Vec::new(), laws: Vec::new(), parts: 0, before };
        let defs = defs.into_iter();
        staging.reserve(defs.size_hint().0);
        for def in defs {
            staging.stage(&def)?;
        }
        staging.check_room()?;
        let (waiting, parts) = (core::mem::take(&mut staging.waiting), staging.parts);
        let laws = core::mem::take(&mut staging.laws);
        // The rows are kept.
        staging.before = [usize::MAX; 2];
        drop(staging);
        // A chain or a tile map may have millions of parts: those are rare, and added one by one.
        let shapes = self.shapes.colliders.len() - before[1];
        self.bodies.slots.reserve(waiting.len());
        self.shapes.slots.reserve(shapes);
        self.reserve_parts(parts.min(shapes));
        for list in [&mut self.bodies.awake, &mut self.dirty.boxes] {
            list.reserve(waiting.len());
        }
        laws.into_iter().for_each(|(slot, law)| self.bodies.own_laws.set(slot, law));
        Ok(self.admit(before, &waiting))
    }

    /// Adds bodies from a list: used if slots are free, or calls are recorded.
    fn add_collected(&mut self, defs: Vec<BodyDef>) -> Result<Vec<BodyId>, Error> {
        self.note(|| Input::AddAll { defs: defs.clone() });
        defs.iter().try_for_each(|def| check_body(def, &self.def))?;
        self.check_room_for_bodies(&defs)?;
        Ok(defs.iter().map(|def| self.insert(def)).collect())
    }

    /// Takes in bodies that have their rows.
    fn admit(&mut self, [first, first_shape]: [usize; 2], waiting: &[Waiting]) -> Vec<BodyId> {
        let count = waiting.len();
        let bodies = &mut self.bodies;
        bodies.solver_rows.resize(first + count, 0);
        bodies.sole_parts.resize(first + count, NONE);
        self.shapes.links.resize(self.shapes.colliders.len(), ShapeLinks::NONE);
        let mut shape = first_shape as u32;
        let mut ids = Vec::with_capacity(count);
        for (slot, waiting) in (first as u32..).zip(waiting) {
            let (taken, generation) = self.bodies.slots.take();
            debug_assert_eq!(taken, slot, "no place was free");
            ids.push(BodyId::new(slot, generation));
            if waiting.shapes > 0 {
                self.bodies.rows[slot as usize].first_shape = shape;
            }
            for index in 0..waiting.shapes {
                self.shapes.slots.take();
                let next = if index + 1 < waiting.shapes { shape + 1 } else { NONE };
                self.shapes.links[shape as usize].next = next;
                shape += 1;
            }
            // The velocity of the definition, which weighing may change.
            let body = &self.bodies.rows[slot as usize];
            let velocity = (body.kind() != BodyKind::Fixed).then_some(body.linear_velocity);
            self.complete(slot, velocity, waiting.enabled.then_some(waiting.awake));
        }
        ids
    }
}

impl Staging<'_> {
    /// Makes room for so many bodies, of one shape each.
    fn reserve(&mut self, count: usize) {
        // The size hint of an iterator may be wrong.
        let count = count.min(1 << 20);
        self.waiting.reserve(count);
        self.world.bodies.rows.reserve(count);
        self.world.shapes.colliders.reserve(count);
    }

    /// Makes the rows of a body, if its definition is valid.
    fn stage(&mut self, def: &BodyDef) -> Result<(), Error> {
        let world = &mut *self.world;
        check_body(def, &world.def)?;
        let slot = world.bodies.rows.len() as u32;
        world.bodies.rows.push(body_row(def, &world.def));
        let law = OwnLaw::of(def);
        if law != OwnLaw::NONE {
            self.laws.push((slot, law));
        }
        self.waiting.push(Waiting {
            shapes: def.shapes.len() as u32,
            enabled: def.enabled,
            awake: def.awake,
        });
        for shape in &def.shapes {
            self.parts = self.parts.saturating_add(shape.shape.most_parts());
            let collider = Collider::sharing(shape, slot, &mut world.shapes.recent);
            world.shapes.colliders.push(collider);
        }
        Ok(())
    }

    fn check_room(&self) -> Result<(), Error> {
        let shapes = self.world.shapes.colliders.len() - self.before[1];
        self.world.check_room_for_piece([self.waiting.len(), shapes, self.parts, 0])
    }
}
