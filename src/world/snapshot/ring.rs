//! Rollback buffer: the last steps of a world.
//!
//! In: a world after each step. Out: the world at any of the last steps. Frames share unchanged
//! pieces.

use std::collections::HashMap;

use super::write::Outlines;
use crate::body::collider::SharedShape;
use crate::state::{LoadError, Pages, Reader};
use crate::world::World;

/// The states of the last steps of a world, for rollback.
///
/// Each frame is an image as [`World::save_into`] writes it, cut into pieces of 64 rows; a piece
/// that equals the same piece of the frame before is kept once. Shapes that leave the world are
/// kept as long as a frame names them.
///
/// ```
/// use carom::prelude::*;
/// use carom::Ring;
///
/// let mut world = World::default();
/// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
/// let mut ring = Ring::new(8); // frames to go back
/// for _ in 0..60 {
///     ring.save(&world);
///     world.step(1.0 / 60.0)?;
/// }
/// let hash = world.hash();
///
/// // Input for step 55 came late: go back, apply it, and step to the present again.
/// ring.load(55, &mut world).expect("one of the last 8");
/// world.apply_impulse(ball, [1.0, 0.0])?;
/// while world.step_count() < 60 {
///     ring.save(&world);
///     world.step(1.0 / 60.0)?;
/// }
/// assert_ne!(world.hash(), hash);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ring {
    pages: Pages,
    most: usize,
    /// Polar shapes, compounds and chains of fixed bodies by stamp, with the last step in which
    /// they were there. Used for look-ups only, never iterated.
    shapes: HashMap<u64, (SharedShape, u64)>,
    image: Vec<u8>,
}

impl Ring {
    /// Keeps up to `frames` steps, one at least.
    #[must_use]
    pub fn new(frames: usize) -> Ring {
        Ring { most: frames.max(1), ..Ring::default() }
    }

    /// Keeps the world as it is now, under the number of its step ([`World::step_count`]). Frames
    /// of this step and of later ones are dropped: they were of another future.
    pub fn save(&mut self, world: &World) {
        self.pages.push((world.step.number, self.most), |writer| world.tell(Outlines::OfMoving, writer));
        self.note_shapes(world);
    }

    fn note_shapes(&mut self, world: &World) {
        for slot in world.shapes.slots.iter() {
            let shape = &world.shapes.colliders[slot as usize].shape;
            if let Some(stamp) = shape.stamp() {
                self.shapes.entry(stamp).or_insert_with(|| (shape.clone(), 0)).1 = world.step.number;
            }
        }
        let oldest = self.steps().next().unwrap_or(0);
        self.shapes.retain(|_, (_, seen)| *seen >= oldest);
    }

    /// Restores the state of a world at `step`.
    ///
    /// # Errors
    /// A step that is not kept; the world is unchanged then.
    pub fn load(&mut self, step: u64, world: &mut World) -> Result<(), LoadError> {
        self.pages.image(step, &mut self.image).ok_or(LoadError::NoSuchStep)?;
        let library = |_, stamp: u64| self.shapes.get(&stamp).map(|(shape, _)| shape.clone());
        world.restore_own(Reader::trusted(&self.image), &library).inspect(|()| world.note_key(true))
    }

    /// The steps that are kept, the oldest first.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::Ring;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let mut ring = Ring::new(3);
    /// for _ in 0..10 {
    ///     ring.save(&world);
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let oldest = ring.steps().next().expect("three are kept"); // of 7, 8 and 9
    /// ring.load(oldest, &mut world).expect("it is kept");
    /// assert_eq!(world.step_count(), 7);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.pages.steps()
    }

    /// Bytes of all frames together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.pages.bytes()
    }
}
