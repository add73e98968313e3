//! Which shard owns a region.
//!
//! In: rectangles of regions, a shard each. Out: the shard of a place; the lowest shard for a place
//! in none.

use carom::WorldPoint;
use carom::broadphase::Regions;

use crate::ShardId;

/// The rectangles of all shards: entry k is that of shard k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    regions: Vec<Regions>,
}

impl Layout {
    /// A layout of rectangles that have no region in common; `None` if two have, or if there is
    /// none, or more than [`ShardId`] counts.
    #[must_use]
    pub fn new(regions: Vec<Regions>) -> Option<Layout> {
        let apart =
            (0..regions.len()).all(|k| regions[..k].iter().all(|one| one.common(&regions[k]).is_none()));
        let fits = !regions.is_empty() && regions.len() <= usize::from(ShardId::MAX);
        (apart && fits).then_some(Layout { regions })
    }

    /// How many shards there are.
    #[must_use]
    pub fn count(&self) -> ShardId {
        self.regions.len() as ShardId
    }

    /// The rectangle of a shard; an empty one beyond the last.
    #[must_use]
    pub fn regions_of(&self, shard: ShardId) -> Option<&Regions> {
        self.regions.get(usize::from(shard))
    }

    /// The shard that owns a place.
    #[must_use]
    pub fn owner_of(&self, place: WorldPoint) -> ShardId {
        self.regions.iter().position(|regions| regions.contains(place)).unwrap_or(0) as ShardId
    }
}
