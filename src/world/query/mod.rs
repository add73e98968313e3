//! Questions to the world: rays, casts, overlaps, what is nearest.
//!
//! In: a question, stated at a place in the unlimited world, and who may answer. Out: shapes, with
//! what was asked of them, in an order that depends on the answers alone. Called by games between
//! steps, at any time.
//!
//! ```text
//!   filter.rs   who may answer                    sweep.rs   boxes along a way
//!   ask.rs      questions                         rays.rs    casts.rs   overlaps.rs   nearest.rs
//!   answer.rs   answers and their order           batch.rs   many questions at once
//! ```
//!
//! Every question goes the same way: the grid names parts whose boxes qualify, the filter says
//! which may answer, and the narrowphase gives the answer of each. All arithmetic is relative to
//! the place of the question, so it has the same bits a million regions out. A shape answers once,
//! by the part that answers first.

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
use crate::math::{Transform, WorldPoint};
use crate::shape::TileMap;
use glam::Vec2;

/// A part that may answer.
#[derive(Clone, Copy)]
struct Candidate<'w> {
    proxy: &'w Proxy,
    collider: &'w Collider,
    /// Which part of its shape.
    part: u32,
    /// Where its body stands, seen from the place of the question.
    at: Transform,
}

impl<'w> Candidate<'w> {
    fn part(&self) -> usize {
        self.part as usize
    }

    /// The map, if it is all of a tile map: its cells answer, each as [`Candidate::cell`].
    #[inline]
    fn map(&self) -> Option<&'w TileMap> {
        if self.proxy.of_map == OfMap::No { None } else { self.collider.shape.tile_map() }
    }

    /// A cell of a map, if it may answer.
    fn cell(&self, cell: u32, filter: &QueryFilter) -> Option<Candidate<'w>> {
        let admits = filter.sensors || !self.collider.is_sensor_at(cell);
        admits.then_some(Candidate { part: cell, ..*self })
    }
}

/// What all questions share.
impl World {
    /// Makes questions quick again after steps and changes. The batches do it by themselves.
    ///
    /// Answers are right without it; but until then, every question looks at the boxes that changed
    /// one by one. Worth a call between a step and more than a few questions.
    pub fn prepare_queries(&mut self) {
        self.grid.refresh();
    }

    /// Asks a question that reaches so far along each axis, as from a place, until the answer is
    /// false. In a world that wraps round it is asked from images of the place too: as seen from
    /// one of them, all that it meets across the seam stands where it is kept.
    #[inline]
    fn each_image(&self, of: WorldPoint, reach: Vec2, mut ask: impl FnMut(WorldPoint) -> bool) {
        let period = self.def.period();
        if period.is_none() {
            ask(of);
        } else {
            _ = period.images_within(reach, of).all(ask);
        }
    }

    /// The part behind an id of the grid, if it may answer. Usually its own row is all that is
    /// looked at.
    #[inline]
    fn admitted(&self, proxy: u32, filter: &QueryFilter) -> Option<&Proxy> {
        let proxy = &self.shapes.proxies.rows[proxy as usize];
        // Cells of maps answer when the whole map is asked.
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

    /// A part as seen from the place of a question.
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

    /// Both.
    #[inline]
    fn candidate(&self, proxy: u32, from: WorldPoint, filter: &QueryFilter) -> Option<Candidate<'_>> {
        self.admitted(proxy, filter).map(|proxy| self.seen(proxy, from))
    }

    #[inline]
    fn admits_ids(&self, proxy: &Proxy, filter: &QueryFilter) -> bool {
        let is_it = |id: BodyId| id.index() == proxy.body as usize && self.get(id).is_some();
        let is_left_out = filter.without.is_some_and(is_it) || filter.without_all.iter().any(|&id| is_it(id));
        !is_left_out && filter.predicate.is_none_or(|admits| admits(self.shape_id(proxy.shape)))
    }

    /// Whose part it is: what every answer names.
    #[inline]
    fn owner(&self, candidate: &Candidate) -> (ShapeId, BodyId, u32) {
        let (shape, body) = self.ids_of(candidate.proxy);
        (shape, body, candidate.part)
    }

    #[inline]
    fn ids_of(&self, proxy: &Proxy) -> (ShapeId, BodyId) {
        let Proxy { shape, body, .. } = *proxy;
        // They are there: one look each, and none whether the place is taken.
        let [shape_age, body_age] =
            [self.shapes.slots.generation_at(shape), self.bodies.slots.generation_at(body)];
        let [shape_age, body_age] =
            [shape_age, body_age].map(|age| NonZeroU32::new(age).unwrap_or(NonZeroU32::MIN));
        (ShapeId::new(shape, shape_age), BodyId::new(body, body_age))
    }
}
