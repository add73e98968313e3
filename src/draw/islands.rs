//! Islands for drawing: which bodies are connected.
//!
//! In: contacts and joints, asleep or not. Out: for each body the least slot of its island. Steps
//! find islands only now and then, and keep only sleeping islands (`step/islands/mod.rs`); here
//! they are found again by the same rule (union-find), without changing the world.

use crate::body::{NONE, flag as body_flag};
use crate::contact::flag;
use crate::util::UnionFind;
use crate::world::World;

/// Returns the least slot of the island of each body, by slot.
pub(super) fn roots(world: &World) -> Vec<u32> {
    let mut groups = UnionFind::new(world.bodies.rows.len());
    let dynamic = |slot: u32| slot != NONE && world.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
    for slot in 1..world.contacts.link.len() as u32 {
        let link = &world.contacts.link[slot as usize];
        let solid = link.flags & flag::SENSOR == 0 && dynamic(link.body_a) && dynamic(link.body_b);
        if solid && world.touches_now(slot) {
            groups.join(link.body_a, link.body_b);
        }
    }
    for (_, joint) in world.joints() {
        if dynamic(joint.body_a) && dynamic(joint.body_b) {
            groups.join(joint.body_a, joint.body_b);
        }
    }
    for island in 0..world.islands.count() as u32 {
        world.islands.bodies_of(island).windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
    }
    (0..world.bodies.rows.len() as u32).map(|slot| groups.root(slot)).collect()
}
