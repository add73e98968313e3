//! Who may answer a question.
//!
//! In: what the game says. Out: yes or no, a shape at a time. Asked by every question before the
//! exact test.

use core::fmt;

use crate::body::{BodyId, BodyKind, Filter, ShapeId};

/// Who may answer a question; by default everything that is solid.
///
/// ```
/// use carom::prelude::*;
///
/// const WALLS: u64 = 2;
/// let mut world = World::new(WorldDef::default());
/// let guard = world.add(BodyDef::fixed().shape(Shape::circle(1.0)))?;
/// let sight = WorldRay::between([0.0, 0.0], [9.0, 0.0]);
/// assert!(world.ray_any(sight, &QueryFilter::default()), "he sees himself");
/// assert!(!world.ray_any(sight, &QueryFilter::default().without(guard).mask(WALLS)));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct QueryFilter<'f> {
    /// What the question counts as: shapes whose mask has none of these bits do not answer. All
    /// bits, the default, are no restriction at all: then even shapes that touch nothing answer.
    pub category: u64,
    /// What is looked for: shapes of none of these categories do not answer. All bits are no
    /// restriction.
    ///
    /// The `group` of a shape's [`Filter`](crate::Filter) has no say.
    pub mask: u64,
    /// Whether sensors answer too.
    pub sensors: bool,
    /// Bodies of which kinds answer.
    pub kinds: Kinds,
    /// Whether rays and casts pass by every shape that touches or overlaps their start, where else
    /// they meet it at once.
    pub hollow: bool,
    /// A body that does not answer: the one that asks, mostly.
    pub without: Option<BodyId>,
    /// More bodies that do not answer: a crew, a chain of links. Looked through for every shape
    /// that is near, so a few; [`QueryFilter::predicate`] can ask a set.
    pub without_all: &'f [BodyId],
    /// Asked of every shape that passed the rest and is near, in no particular order, and possibly
    /// more than once.
    pub predicate: Option<&'f dyn Fn(ShapeId) -> bool>,
}

/// Kinds of bodies that answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kinds {
    /// [`BodyKind::Fixed`].
    pub fixed: bool,
    /// [`BodyKind::Kinematic`].
    pub kinematic: bool,
    /// [`BodyKind::Dynamic`].
    pub dynamic: bool,
}

impl Kinds {
    /// All of them.
    pub const ALL: Kinds = Kinds { fixed: true, kinematic: true, dynamic: true };

    #[inline]
    pub(super) fn admits(self, kind: BodyKind) -> bool {
        match kind {
            BodyKind::Fixed => self.fixed,
            BodyKind::Kinematic => self.kinematic,
            BodyKind::Dynamic => self.dynamic,
        }
    }
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        QueryFilter {
            category: u64::MAX,
            mask: u64::MAX,
            sensors: false,
            kinds: Kinds::ALL,
            hollow: false,
            without: None,
            without_all: &[],
            predicate: None,
        }
    }
}

impl fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryFilter")
            .field("category", &self.category)
            .field("mask", &self.mask)
            .field("sensors", &self.sensors)
            .field("kinds", &self.kinds)
            .field("hollow", &self.hollow)
            .field("without", &self.without)
            .field("without_all", &self.without_all)
            .field("predicate", &self.predicate.is_some())
            .finish()
    }
}

impl<'f> QueryFilter<'f> {
    /// Counting as `category`.
    #[must_use]
    pub fn category(self, category: u64) -> Self {
        QueryFilter { category, ..self }
    }

    /// Looking for `mask`.
    #[must_use]
    pub fn mask(self, mask: u64) -> Self {
        QueryFilter { mask, ..self }
    }

    /// With sensors.
    #[must_use]
    pub fn with_sensors(self) -> Self {
        QueryFilter { sensors: true, ..self }
    }

    /// With bodies of these kinds alone.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let wall = world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(1.0, 4.0)))?;
    /// world.add(BodyDef::dynamic().at([2.0, 0.0]).shape(Shape::circle(0.5)))?;
    /// let sight = WorldRay::toward([0.0, 0.0], [1.0, 0.0], 20.0);
    /// let hit = world.ray(sight, &QueryFilter::default().kinds(&[BodyKind::Fixed])).expect("a wall");
    /// assert_eq!(hit.body, wall);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn kinds(self, kinds: &[BodyKind]) -> Self {
        let has = |kind| kinds.contains(&kind);
        let [fixed, kinematic, dynamic] = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic].map(has);
        QueryFilter { kinds: Kinds { fixed, kinematic, dynamic }, ..self }
    }

    /// For rays and casts that pass by what touches or overlaps their start. A start right at a
    /// wall passes by that wall too.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().shape(Shape::circle(1.0)))?; // around the muzzle
    /// let target = world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::circle(1.0)))?;
    /// let shot = WorldRay::toward([0.0, 0.0], [1.0, 0.0], 20.0);
    /// assert_eq!(world.ray(shot, &QueryFilter::default()).map(|hit| hit.fraction), Some(0.0));
    /// assert_eq!(world.ray(shot, &QueryFilter::default().hollow()).map(|hit| hit.body), Some(target));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn hollow(self) -> Self {
        QueryFilter { hollow: true, ..self }
    }

    /// Without a body.
    #[must_use]
    pub fn without(self, body: BodyId) -> Self {
        QueryFilter { without: Some(body), ..self }
    }

    /// Without several bodies.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let row = world.add_all((0..3).map(|k| {
    ///     BodyDef::fixed().at([3.0 * k as f32, 0.0]).shape(Shape::circle(1.0))
    /// }))?;
    /// let ray = WorldRay::between([-9.0, 0.0], [9.0, 0.0]);
    /// let hit = world.ray(ray, &QueryFilter::default().without_all(&row[..2]));
    /// assert_eq!(hit.map(|hit| hit.body), Some(row[2]));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn without_all(self, bodies: &'f [BodyId]) -> Self {
        QueryFilter { without_all: bodies, ..self }
    }

    /// With only those shapes that `predicate` holds for.
    #[must_use]
    pub fn only(self, predicate: &'f dyn Fn(ShapeId) -> bool) -> Self {
        QueryFilter { predicate: Some(predicate), ..self }
    }

    /// Whether no filter of a shape has a say.
    #[inline]
    pub(super) fn has_all_bits(&self) -> bool {
        self.category & self.mask == u64::MAX
    }

    #[inline]
    pub(super) fn admits_bits(&self, shape: Filter) -> bool {
        let meet = |wanted: u64, has: u64| wanted == u64::MAX || wanted & has != 0;
        meet(self.category, shape.mask) && meet(self.mask, shape.category)
    }
}
