//! Clusters: islands of one shard that may meet each other within [`AHEAD`] ticks, and must stay in
//! one world.
//!
//! In: a world, and speeds that inputs will add. Out: clusters, sorted by their least key, each
//! with its bodies and the boxes of its islands.

use carom::broadphase::WorldAabb;
use carom::{BodyId, IslandBox, IslandBoxes, World};

use crate::meet::{Reach, max, meet};
use crate::{AHEAD, DT};

/// See the head of this file.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// The least key of its bodies.
    pub(crate) key: u64,
    pub(crate) mass: f64,
    /// The greatest speed of a body.
    pub(crate) speed: f32,
    pub(crate) bodies: Vec<BodyId>,
    pub(crate) boxes: Vec<WorldAabb>,
}

/// Finds the clusters of a world. `boost` is the speed that inputs will add to a body, by its key.
pub(crate) fn clusters(world: &World, boost: impl Fn(u64) -> f32) -> Vec<Cluster> {
    let mut islands = IslandBoxes::default();
    let ahead = AHEAD as f32 * DT;
    world.island_boxes(ahead, &mut islands);
    let list = islands.as_slice();
    let most = |of: &IslandBox, number: &dyn Fn(BodyId) -> f32| {
        islands.bodies_of(of).iter().map(|&id| number(id)).fold(0.0, max)
    };
    let mut reaches: Vec<Reach> = (0..list.len())
        .map(|of| {
            let faster = most(&list[of], &|id| boost(world[id].user_data()));
            let speed = faster + most(&list[of], &|id| world[id].velocity().length());
            let bounds = list[of].bounds;
            Reach { of, bounds: WorldAabb { aabb: bounds.aabb.grown(faster * ahead), ..bounds }, speed }
        })
        .collect();
    let groups = meet(list.len(), &mut reaches);
    let mut found: Vec<Option<Cluster>> = vec![None; list.len()];
    for (index, island) in list.iter().enumerate() {
        let bodies = islands.bodies_of(island);
        let cluster = found[groups.root(index)].get_or_insert_with(|| Cluster {
            key: u64::MAX,
            mass: 0.0,
            speed: 0.0,
            bodies: Vec::new(),
            boxes: Vec::new(),
        });
        let key = bodies.iter().map(|&id| world[id].user_data()).min();
        cluster.key = cluster.key.min(key.unwrap_or(u64::MAX));
        cluster.mass += f64::from(island.mass);
        cluster.speed = max(cluster.speed, reaches[index].speed);
        cluster.bodies.extend(bodies);
        cluster.boxes.push(reaches[index].bounds);
    }
    let mut found: Vec<Cluster> = found.into_iter().flatten().collect();
    found.sort_by_key(|cluster| cluster.key);
    found
}
