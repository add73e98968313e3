//! Islands for the eyes: which bodies hang together.
//!
//! In: contacts and joints, asleep or not. Out: for each body the least slot of those that it hangs
//! together with. Steps look for islands only now and then, and keep those of sleepers alone
//! (`world/islands/mod.rs`); here they are looked for again, by the same rule, without touching the
//! world.

use crate::body::{NONE, flag as body_flag};
use crate::contact::flag;
use crate::world::World;

/// By slot of a body: the least slot of its island.
pub(super) fn roots(world: &World) -> Vec<u32> {
    let mut roots: Vec<u32> = (0..world.bodies.len() as u32).collect();
    let dynamic = |slot: u32| slot != NONE && world.bodies[slot as usize].has(body_flag::DYNAMIC);
    for slot in 1..world.contacts.link.len() as u32 {
        let link = &world.contacts.link[slot as usize];
        let solid = link.flags & flag::SENSOR == 0 && dynamic(link.body_a) && dynamic(link.body_b);
        if solid && world.touches_now(slot) {
            join(&mut roots, link.body_a, link.body_b);
        }
    }
    for (_, joint) in world.joints() {
        if dynamic(joint.body_a) && dynamic(joint.body_b) {
            join(&mut roots, joint.body_a, joint.body_b);
        }
    }
    for island in &world.sleep.islands {
        island.bodies.windows(2).for_each(|pair| join(&mut roots, pair[0], pair[1]));
    }
    (0..roots.len() as u32).for_each(|slot| roots[slot as usize] = root(&mut roots, slot));
    roots
}

/// The root of a slot, with its path halved.
fn root(roots: &mut [u32], mut slot: u32) -> u32 {
    while roots[slot as usize] != slot {
        let up = roots[roots[slot as usize] as usize];
        roots[slot as usize] = up;
        slot = up;
    }
    slot
}

/// The smaller root leads.
fn join(roots: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(roots, a), root(roots, b));
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    roots[high as usize] = low;
}
