//! Answers of queries, and their order.
//!
//! In: answers of parts, in any order. Out: sorted answers: by the key of the query, then by shape,
//! then by part. So equal worlds give equal lists, whatever happened to their grids.

use core::cmp::Ordering;
use core::ops::Index;
use glam::Vec2;

use crate::body::{BodyId, ShapeId};
use crate::math::WorldPoint;

/// The hit of a ray on a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayAnswer {
    /// The shape that was found.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Index of its part, 0 where there is only one.
    pub part: u32,
    /// Share of the ray up to the hit, 0 to 1.
    pub fraction: f32,
    /// Point of the hit.
    pub point: WorldPoint,
    /// Out of the shape, of unit length; zero when the ray starts inside or on the border.
    pub normal: Vec2,
}

/// The first touch of a moving shape with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastAnswer {
    /// The touched shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Index of its part, 0 where there is only one.
    pub part: u32,
    /// Index of the part of the moving shape, 0 where there is only one.
    pub own_part: u32,
    /// Share of the way up to the touch, 0 to 1; 0 when the two touch from the start. Never too
    /// late.
    pub time: f32,
    /// The point of the touch.
    pub point: WorldPoint,
    /// Out of the shape that was touched, of unit length.
    pub normal: Vec2,
}

/// A shape that overlaps the region of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlapAnswer {
    /// The shape that was found.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// The first part that overlaps the region, 0 if there is only one.
    pub part: u32,
}

/// A shape near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestAnswer {
    /// The shape that was found.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Its nearest part, 0 where there is only one.
    pub part: u32,
    /// From the point to the border of the part; negative when the point is inside.
    pub distance: f32,
    /// On the border, closest to the point.
    pub point: WorldPoint,
    /// Out of the shape at that place.
    pub normal: Vec2,
}

/// Sort key of an answer.
pub(super) trait Ranked: Copy {
    /// Whether keys differ.
    const HAS_KEY: bool = true;

    /// The lower the better.
    fn key(&self) -> f32;
    fn shape(&self) -> ShapeId;
    fn part(&self) -> u32;

    /// Whether the answer comes before another.
    #[inline]
    fn is_before(&self, other: &Self) -> bool {
        let rank = |x: &Self| (x.shape(), x.part());
        self.key() < other.key() || (self.key() == other.key() && rank(self) < rank(other))
    }
}

/// Keeps an answer if it comes before the best so far.
#[inline]
pub(super) fn keep_first<T: Ranked>(best: &mut Option<T>, found: T) {
    if best.as_ref().is_none_or(|best| found.is_before(best)) {
        *best = Some(found);
    }
}

macro_rules! ranked {
    ($type:ty, $answer:ident => $key:expr) => {
        impl Ranked for $type {
            #[inline]
            fn key(&self) -> f32 {
                let $answer = self;
                $key
            }

            #[inline]
            fn shape(&self) -> ShapeId {
                self.shape
            }

            #[inline]
            fn part(&self) -> u32 {
                self.part
            }
        }
    };
}

ranked!(RayAnswer, answer => answer.fraction);
ranked!(CastAnswer, answer => answer.time);
ranked!(NearestAnswer, answer => answer.distance);

impl Ranked for OverlapAnswer {
    const HAS_KEY: bool = false;

    #[inline]
    fn key(&self) -> f32 {
        0.0
    }

    #[inline]
    fn shape(&self) -> ShapeId {
        self.shape
    }

    #[inline]
    fn part(&self) -> u32 {
        self.part
    }
}

/// Sorts the answers from `start` on, and keeps the first of each shape.
pub(super) fn settle<T: Ranked>(answers: &mut Vec<T>, start: usize) {
    let tail = &mut answers[start..];
    if tail.len() < 2 {
        return;
    }
    sort(tail, true);
    let mut kept = 1;
    for k in 1..tail.len() {
        if tail[k].shape() != tail[kept - 1].shape() {
            tail[kept] = tail[k];
            kept += 1;
        }
    }
    answers.truncate(start + kept);
    if T::HAS_KEY {
        sort(&mut answers[start..], false);
    }
}

/// By shape and then by key, or by key and then by shape; last by part. (Both in one function: a
/// sort is 7 kB of code.)
fn sort<T: Ranked>(answers: &mut [T], shape_first: bool) {
    answers.sort_unstable_by(|a, b| {
        let by_shape = || a.shape().cmp(&b.shape());
        let by_key = || if T::HAS_KEY { a.key().total_cmp(&b.key()) } else { Ordering::Equal };
        let order = if shape_first { by_shape().then_with(by_key) } else { by_key().then_with(by_shape) };
        order.then_with(|| a.part().cmp(&b.part()))
    });
}

/// The answers to a batch of queries that each have any number of answers.
///
/// Keep one, and hand it to the same kind of batch again: it does not allocate once it has been
/// full.
///
/// ```
/// use carom::prelude::*;
/// use carom::Answers;
///
/// let mut world = World::new(WorldDef::default());
/// world.add(BodyDef::fixed().at([2.0, 0.0]).shape(Shape::circle(0.5)))?;
/// world.add(BodyDef::fixed().at([4.0, 0.0]).shape(Shape::circle(0.5)))?;
/// let rays = [[9.0, 0.0], [0.0, 9.0]].map(|to| WorldRay::between([0.0, 0.0], to));
/// let mut hits = Answers::default();
/// world.rays_all(&rays, &QueryFilter::default(), &mut hits);
/// assert_eq!((hits[0].len(), hits[1].len()), (2, 0));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answers<T> {
    all: Vec<T>,
    /// End of the answers to each query.
    ends: Vec<usize>,
}

impl<T> Default for Answers<T> {
    fn default() -> Self {
        Answers { all: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Answers<T> {
    /// Number of queries, those without answers included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there were no queries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The answers to each query, in the order of the queries.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|question| &self[question])
    }

    /// All answers, those to the first query first.
    #[must_use]
    pub fn all(&self) -> &[T] {
        &self.all
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.ends.clear();
    }

    /// Adds one query, whose answers `ask` appends.
    pub(super) fn push(&mut self, ask: impl FnOnce(&mut Vec<T>)) {
        ask(&mut self.all);
        self.ends.push(self.all.len());
    }
}

impl<T> Index<usize> for Answers<T> {
    type Output = [T];

    /// The answers to one query.
    ///
    /// # Panics
    /// When there were fewer queries.
    #[track_caller]
    fn index(&self, question: usize) -> &[T] {
        let end = self.ends[question];
        let begin = if question == 0 { 0 } else { self.ends[question - 1] };
        &self.all[begin..end]
    }
}
