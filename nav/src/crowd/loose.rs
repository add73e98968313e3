//! Loose bodies and narrow land: what an agent walks around, and when it backs out.
//!
//! In: the walls and dynamic bodies about an agent, and a neighbour. Out: a half-plane of velocities
//! that lead around a body; whether the agent makes way by walking back.

use carom::{BodyKind, NearestAnswer, ShapeId, Vec2, World};

use super::avoid::Encounter;
use super::choose::{PRESS, Row, Scene};
use super::math::{cross, dot, length, min as least};
use super::near::Near;
use super::program::HalfPlane;

/// An agent goes towards another if the cosine of the angle is above this. It backs out of the way
/// of one within the first distance, and goes on to do so while one comes within the second, as
/// multiples of the sum of their radii. (Two that brake for each other stop two widths apart.)
const TOWARDS: f32 = 0.3;
const NEAR: f32 = 3.0;
const COMES: f32 = 6.0;
/// Two walls are on both sides if the cosine of the angle between their normals is below this.
const OPPOSITE: f32 = -0.7;

/// Dynamic bodies up to this radius, in metres, are walked around; and the time ahead for which
/// they are, in seconds.
const LARGEST: f32 = 1.5;
const AROUND: f32 = 1.0;

impl Scene<'_> {
    /// The half-plane of velocities that lead around a dynamic body, awake or asleep, as around a
    /// disc that does not make way. The agent may press on it a little: so a crate in a door is
    /// pushed out of it. (Without this, agents that were sent straight on stood before a crate for
    /// minutes, and 5 of 480 among thrown crates never arrived.)
    /// Also the side to which the agent turns, if the body is in its way: 1 left, -1 right.
    pub(super) fn walk_around(
        &self,
        me: &Row,
        found: &NearestAnswer,
        velocity: Vec2,
    ) -> Option<(HalfPlane, Option<f32>)> {
        let body = self.world.get(found.body)?;
        let circle = self.world.get_shape(found.shape)?.shape().bounding_circle();
        if circle.radius > LARGEST {
            return None;
        }
        let middle = body.world_position().offset(body.rotation() * circle.center);
        let to = me.place.to(middle);
        let encounter = Encounter {
            to,
            mine: me.velocity,
            theirs: velocity,
            radius: me.radius + circle.radius,
            horizon: least(me.horizon, AROUND),
            share: 1.0,
        };
        let mut plane = encounter.half_plane();
        plane.offset -= PRESS;
        let distance = length(to);
        let is_ahead = dot(me.wish, to) > TOWARDS * me.wish_size * distance;
        let is_near = distance < 1.2 * (me.radius + circle.radius);
        let side = if cross(me.wish, to) > 0.0 { -1.0 } else { 1.0 };
        Some((plane, (is_ahead && is_near).then_some(side)))
    }
}

/// The width of the land between two walls on both sides of an agent; infinite without such walls.
pub(super) fn width_between(walls: &[NearestAnswer], looks: bool) -> f32 {
    let Some(first) = walls.first().filter(|_| looks) else { return f32::INFINITY };
    let opposite = walls.iter().find(|wall| dot(wall.normal, first.normal) < OPPOSITE);
    opposite.map_or(f32::INFINITY, |wall| first.distance + wall.distance)
}

/// Whether an agent has to back out: it and an oncoming neighbour that it touches are both stuck,
/// and the neighbour has the right of way; or it stands behind one that backs out; or it backs out
/// already, and the neighbour still comes.
pub(super) fn backs_out(
    (index, me): (usize, &Row),
    (other, row): (usize, &Row),
    to: Vec2,
    width: f32,
) -> bool {
    if row.idle || (me.idle && !me.backs) {
        return false;
    }
    let distance = length(to);
    let comes = dot(row.wish, to) < -TOWARDS * row.wish_size * distance;
    if me.backs {
        return comes && !row.backs && distance < COMES * (me.radius + row.radius);
    }
    let is_near = distance < NEAR * (me.radius + row.radius) && width < 2.0 * (me.radius + row.radius);
    let goes = dot(me.wish, to) > TOWARDS * me.wish_size * distance;
    let has_way = (row.priority, other) < (me.priority, index);
    let has_way = if row.priority == me.priority { has_way } else { row.priority > me.priority };
    is_near && comes && goes && (row.backs || me.stuck && row.stuck && has_way)
}

/// Whether a shape belongs to a dynamic body that is walked around.
pub(super) fn is_small_body(world: &World, shape: ShapeId) -> bool {
    let body = world.body_of(shape).and_then(|id| world.get(id));
    body.is_some_and(|body| body.kind() == BodyKind::Dynamic)
        && world.get_shape(shape).is_some_and(|shape| shape.shape().bounding_circle().radius <= LARGEST)
}

/// Whether a shape counts as a wall, or belongs to a dynamic body that is no agent.
pub(super) fn is_wall_or_loose(world: &World, near: &Near, shape: ShapeId) -> bool {
    let Some(id) = world.body_of(shape) else { return false };
    let Some(body) = world.get(id) else { return false };
    body.kind() != BodyKind::Dynamic || near.agent_of(id).is_none()
}
