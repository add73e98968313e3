//! Queries: rays, casts, overlaps, nearest shapes.
//!
//! In: a query at a place in the unlimited world, and a filter. Out: shapes with the data of the
//! query, in an order that depends on the answers alone. Called by games between steps, at any
//! time.
//!
//! ```text
//!   filter.rs   shapes that may be found          sweep.rs   moving boxes
//!   ask.rs      queries                           rays.rs    casts.rs   overlaps.rs   nearest.rs
//!   answer.rs   answers and their order           batch.rs   batches of queries
//! ```
//!
//! Every query has three stages: the grid finds parts whose boxes qualify, the filter rejects some,
//! and the narrowphase tests each of the rest. All arithmetic is relative to the place of the
//! query, so it has the same bits a million regions out. A shape is found once, by its first part.

mod answer;
mod ask;
mod batch;
mod casts;
mod filter;
mod nearest;
mod overlaps;
mod rays;
mod sweep;

pub use answer::{Answers, CastAnswer, NearestAnswer, OverlapAnswer, RayAnswer};
pub use ask::{PlacedShape, ShapeCast, WorldRay};
pub use filter::{Kinds, QueryFilter};

use core::num::NonZeroU32;

use super::World;
use crate::body::collider::{OfMap, Proxy};
use crate::body::{BodyId, Collider, ShapeId};
use crate::broadphase::{FLIGHT, Question};
use crate::math::{Transform, WorldPoint};
use crate::shape::TileMap;
use glam::Vec2;

/// A candidate part, which passed the filter.
#[derive(Clone, Copy)]
struct Candidate<'w> {
    proxy: &'w Proxy,
    collider: &'w Collider,
    /// The index of the part in its shape.
    part: u32,
    /// Pose of its body, relative to the place of the query.
    at: Transform,
}

impl<'w> Candidate<'w> {
    fn part(&self) -> usize {
        self.part as usize
    }

    /// The map, if the part is a whole tile map: its cells are tested, each as [`Candidate::cell`].
    #[inline]
    fn map(&self) -> Option<&'w TileMap> {
        if self.proxy.of_map == OfMap::No { None } else { self.collider.shape.tile_map() }
    }

    /// A cell of a map, if it passes the filter.
    fn cell(&self, cell: u32, filter: &QueryFilter) -> Option<Candidate<'w>> {
        let admits = filter.sensors || !self.collider.is_sensor_at(cell);
        admits.then_some(Candidate { part: cell, ..*self })
    }
}

/// Code shared by all queries.
impl World {
    /// Makes queries fast again after steps and changes. Batches do it by themselves, and so do
    /// steps, as long as enough queries follow each step.
    ///
    /// Answers are correct without it; but until then, a query tests the changed boxes one by one,
    /// and after some twenty queries, one makes a copy of all trees for later queries. Worth a call
    /// between many changes and more than a few queries.
    pub fn prepare_queries(&mut self) {
        self.grid.refresh();
    }

    /// Runs a query with this reach along each axis from a place, until `ask` returns false. In a
    /// world that wraps round it also runs from images of the place, so that shapes across the seam
    /// are tested where they are stored.
    #[inline]
    fn each_image(&self, of: WorldPoint, reach: Vec2, mut ask: impl FnMut(WorldPoint) -> bool) {
        let period = self.def.period();
        if period.is_none() {
            ask(of);
        } else {
            _ = period.images_within(reach, of).all(ask);
        }
    }

    /// The part behind an id of the grid, if it passes the filter. Usually only its own row is
    /// read.
    #[inline]
    fn admitted(&self, proxy: u32, filter: &QueryFilter) -> Option<&Proxy> {
        let proxy = &self.shapes.proxies.rows[proxy as usize];
        // Cells of maps are tested with the whole map.
        if (proxy.sensor && !filter.sensors) || proxy.of_map == OfMap::Cell {
            return None;
        }
        let bits = || filter.admits_bits(self.shapes.colliders[proxy.shape as usize].filter());
        let kinds = || filter.kinds.admits(self.bodies.rows[proxy.body as usize].kind());
        let is_admitted = (filter.has_all_bits() || bits())
            && (filter.kinds == Kinds::ALL || kinds())
            && self.admits_ids(proxy, filter);
        is_admitted.then_some(proxy)
    }

    /// A part relative to the place of a query.
    #[inline]
    fn seen<'w>(&'w self, proxy: &'w Proxy, from: WorldPoint) -> Candidate<'w> {
        let body = &self.bodies.rows[proxy.body as usize];
        let position = from.to(body.center_point()) - body.rotation * body.local_center;
        Candidate {
            proxy,
            collider: &self.shapes.colliders[proxy.shape as usize],
            part: proxy.part,
            at: Transform { position, rotation: body.rotation },
        }
    }

    /// The candidate behind an id of the grid, if it passes the filter.
    #[inline]
    fn candidate(&self, proxy: u32, from: WorldPoint, filter: &QueryFilter) -> Option<Candidate<'_>> {
        self.admitted(proxy, filter).map(|proxy| self.seen(proxy, from))
    }

    /// The best answers to many questions, each with a number: `test` keeps the answer of a
    /// candidate if it is better, and beyond `bound_of` that nothing matters. `from` is the place
    /// of a question. Candidates of several questions are looked up together, list by list, so that
    /// the loads from each are in flight together.
    #[inline(always)]
    fn answer_each<Q: Question, T>(
        &self,
        questions: impl IntoIterator<Item = (usize, Q)>,
        filter: &QueryFilter,
        (from, out): (impl Fn(usize) -> WorldPoint, &mut [Option<T>]),
        bound_of: impl Fn(&Option<T>) -> f32,
        mut test: impl FnMut(&Candidate, usize, &mut Option<T>),
    ) {
        self.grid.ask_nearest_each(questions, |waiting, bounds| {
            let mut proxies = [None; FLIGHT];
            for (proxy, &(_, id)) in proxies.iter_mut().zip(waiting) {
                *proxy = self.admitted(id, filter);
            }
            let mut candidates = [None; FLIGHT];
            for ((candidate, &proxy), &(number, _)) in candidates.iter_mut().zip(&proxies).zip(waiting) {
                *candidate = proxy.map(|proxy| self.seen(proxy, from(number)));
            }
            candidates.iter().flatten().for_each(|candidate| self.fetch(candidate));
            for ((candidate, &(number, _)), bound) in candidates.iter().zip(waiting).zip(bounds) {
                let best = &mut out[number];
                candidate.iter().for_each(|candidate| test(candidate, number, best));
                *bound = bound_of(best);
            }
        });
    }

    /// Prefetches the data of a candidate that the exact test and the answer read.
    #[inline]
    fn fetch(&self, candidate: &Candidate) {
        let form = core::mem::discriminant(candidate.collider.shape());
        core::hint::black_box((form, self.ids_of(candidate.proxy)));
    }

    #[inline]
    fn admits_ids(&self, proxy: &Proxy, filter: &QueryFilter) -> bool {
        let is_it = |id: BodyId| id.index() == proxy.body as usize && self.get(id).is_some();
        let is_left_out = filter.without.is_some_and(is_it) || filter.without_all.iter().any(|&id| is_it(id));
        !is_left_out && filter.predicate.is_none_or(|admits| admits(self.shape_id(proxy.shape)))
    }

    /// Shape, body and part index for an answer.
    #[inline]
    fn owner(&self, candidate: &Candidate) -> (ShapeId, BodyId, u32) {
        let (shape, body) = self.ids_of(candidate.proxy);
        (shape, body, candidate.part)
    }

    #[inline]
    fn ids_of(&self, proxy: &Proxy) -> (ShapeId, BodyId) {
        let Proxy { shape, body, .. } = *proxy;
        // Both exist, so their slots need no check.
        let [shape_age, body_age] =
            [self.shapes.slots.generation_at(shape), self.bodies.slots.generation_at(body)];
        let [shape_age, body_age] =
            [shape_age, body_age].map(|age| NonZeroU32::new(age).unwrap_or(NonZeroU32::MIN));
        (ShapeId::new(shape, shape_age), BodyId::new(body, body_age))
    }
}
