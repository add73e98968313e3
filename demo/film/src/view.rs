//! What is to be seen of a world that nobody has described.

use carom::prelude::*;
use demo_shell::Place;

/// Half-planes, and ground as large as they, say nothing of where things are.
const LARGE: f32 = 500.0;

/// The box around all shapes, with some room.
pub(crate) fn all_of(place: &Place) -> Option<[Vec2; 2]> {
    let boxes = place.world.bodies().flat_map(|(id, body)| {
        let at = Transform { position: place.home().to(body.world_position()), rotation: body.rotation() };
        place.world.shapes_of(id).map(move |(_, collider)| collider.shape().aabb(at))
    });
    let all = boxes.filter(|one| one.size().max_element() < LARGE).reduce(|all, one| all.union(one))?;
    let rim = 0.04 * all.size();
    Some([all.min - rim, all.max + rim])
}
