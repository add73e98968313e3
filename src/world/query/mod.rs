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
pub use filter::QueryFilter;

use super::World;
use crate::body::collider::Proxy;
use crate::body::{BodyId, Collider, ShapeId};
use crate::math::{Transform, WorldPoint};

/// A part that may answer.
#[derive(Clone, Copy)]
struct Candidate<'w> {
    proxy: &'w Proxy,
    collider: &'w Collider,
    /// Where its body stands, seen from the place of the question.
    at: Transform,
}

impl Candidate<'_> {
    fn part(&self) -> usize {
        self.proxy.part as usize
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

    /// The part behind an id of the grid, if it may answer.
    #[inline]
    fn candidate(&self, proxy: u32, from: WorldPoint, filter: &QueryFilter) -> Option<Candidate<'_>> {
        let proxy = &self.proxies.rows[proxy as usize];
        if proxy.sensor && !filter.sensors {
            return None;
        }
        let collider = &self.colliders[proxy.shape as usize];
        if !filter.admits_bits(collider.filter()) || !self.admits_ids(proxy, filter) {
            return None;
        }
        let body = &self.bodies[proxy.body as usize];
        let position = from.to(body.world_center()) - body.rotation * body.local_center;
        Some(Candidate { proxy, collider, at: Transform { position, rotation: body.rotation } })
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
        let Proxy { shape, body, part, .. } = *candidate.proxy;
        (self.shape_id(shape), self.body_id(body), part)
    }
}
