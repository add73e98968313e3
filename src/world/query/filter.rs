//! Filter of queries: the shapes that may be found.
//!
//! In: conditions from the game. Out: yes or no per shape. Tested by every query before the exact
//! test.

use core::fmt;

use crate::body::{BodyId, BodyKind, Filter, ShapeId};

/// The shapes that a query may find; by default all solid ones.
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
    /// Category of the query: shapes whose mask shares no bit with it are not found. All bits, the
    /// default, are no restriction at all: then even shapes that touch nothing are found.
    pub category: u64,
    /// Categories to find: shapes without a category in the mask are not found. All bits are no
    /// restriction.
    ///
    /// The `group` of a shape's [`Filter`](crate::Filter) is ignored.
    pub mask: u64,
    /// Whether sensors are found, too.
    pub sensors: bool,
    /// Kinds of bodies that are found.
    pub kinds: Kinds,
    /// Whether rays and casts skip every shape that touches or overlaps their start, instead of
    /// meeting it at once.
    pub hollow: bool,
    /// A body to skip: usually the body that asks.
    pub without: Option<BodyId>,
    /// More bodies to skip: a crew, a chain of links. The list is searched for every nearby shape,
    /// so it should be short; [`QueryFilter::predicate`] can use a set.
    pub without_all: &'f [BodyId],
    /// Called for every nearby shape that passed the other conditions, in no particular order, and
    /// possibly more than once.
    pub predicate: Option<&'f dyn Fn(ShapeId) -> bool>,
}

/// Kinds of bodies that a query finds.
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

    /// Finds only bodies of the given kinds.
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

    /// For rays and casts that skip shapes that touch or overlap their start. A start right at a
    /// wall skips that wall, too.
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

    /// Whether filters of shapes are ignored.
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
