//! The convex parts that a mover may meet in a step, with their places now and later.
//!
//! In: a box of the world. Out: one row for each part in it, which can be placed anywhere along its
//! way through the step. Kinematic bodies, and the body that the mover stands on, are placed where
//! they will be; other bodies where they are.

use glam::Vec2;

use crate::body::{Body, BodyId, BodyKind, ShapeId, flag};
use crate::bounds::Aabb;
use crate::math::{Rot, Transform, WorldPoint, max};
use crate::shape::Piece;
use crate::util::sort;
use crate::world::{OverlapAnswer, World};

/// A convex part of a shape of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) shape: ShapeId,
    pub(super) body: BodyId,
    pub(super) number: u32,
    pub(super) kind: BodyKind,
    /// The direction against which a one-way part is solid, in the frame of its body.
    pub(super) one_way: Option<Vec2>,
    /// Whether it is a one-way part with the mover inside.
    pub(super) is_passed: bool,
    /// Whether it belongs to a dynamic body that goes ahead of the mover, because it is pushed.
    pub(super) goes_ahead: bool,
    /// The displacement of the centre of mass in the whole step, and the turn about it.
    pub(super) way: Vec2,
    pub(super) turn: f32,
    /// The frame of the body at the present share of the step.
    pub(super) home: WorldPoint,
    pub(super) rotation: Rot,
    /// The box around the part, relative to the start of the mover in this step.
    pub(super) around: Aabb,
    /// The rounding error of the direction of a normal.
    pub(super) doubt: f32,
}

impl Part {
    /// Returns the geometry of the part, in the frame of its body.
    pub(super) fn piece<'w>(&self, world: &'w World) -> Piece<'w> {
        world.shapes.colliders[self.shape.index()].shape.piece(self.number as usize)
    }

    /// Returns the transform of its body relative to `from`.
    pub(super) fn seen_from(&self, from: WorldPoint) -> Transform {
        Transform { position: from.to(self.home), rotation: self.rotation }
    }

    /// Returns the direction against which it is solid, with its present rotation.
    pub(super) fn direction(&self) -> Option<Vec2> {
        self.one_way.map(|direction| self.rotation * direction.normalize_or_zero())
    }

    /// Places it where it is after a share of the step.
    pub(super) fn place(&mut self, world: &World, from: WorldPoint, share: f32) {
        let body = &world.bodies.rows[self.body.index()];
        let start_of_body = world.nearest_image(body.center_point(), from);
        let center = start_of_body.offset(self.way * share);
        let turn = self.turn * share;
        let start = body.rotation;
        self.rotation = if turn == 0.0 { start } else { start.turned(turn) };
        self.home = center.offset(-(self.rotation * body.local_center));
        self.around = self.piece(world).aabb(self.seen_from(from));
    }

    /// Returns the distance of its farthest corner from the mover; 0 for an infinite part.
    pub(super) fn extent(&self) -> f32 {
        let farthest = max(self.around.min.abs().max_element(), self.around.max.abs().max_element());
        if farthest.is_finite() { farthest } else { 0.0 }
    }
}

/// Returns displacement and turn of a body in the next `dt` seconds, as far as known before the
/// step.
pub(super) fn motion(body: &Body, dt: f32) -> (Vec2, f32) {
    // A kinematic body stores its target in the fields for forces.
    if body.has(flag::HAS_TARGET) && dt > 0.0 {
        (body.force, body.torque)
    } else {
        (body.linear_velocity * dt, body.angular_velocity * dt)
    }
}

/// The search of parts.
pub(super) struct Search {
    pub(super) from: WorldPoint,
    /// The box to search, relative to `from`.
    pub(super) within: Aabb,
    pub(super) dt: f32,
    /// The body that the mover stands on.
    pub(super) ground: Option<BodyId>,
}

/// Lists the parts of the shapes that were found.
pub(super) fn list(world: &World, search: &Search, found: &[OverlapAnswer], parts: &mut Vec<Part>) {
    parts.clear();
    for answer in found {
        let collider = &world.shapes.colliders[answer.shape.index()];
        let Some(tree) = collider.shape.tree() else {
            parts.push(part(world, search, answer, 0));
            continue;
        };
        let body = &world.bodies.rows[answer.body.index()];
        let place = world.nearest_image(body.world_position(), search.from);
        let at = Transform { position: search.from.to(place), rotation: body.rotation };
        let near = search.within.transformed(at.inverse());
        let first = parts.len();
        tree.visit(
            |node| node.overlaps(&near),
            |number| {
                if !collider.is_sensor_at(number) {
                    parts.push(part(world, search, answer, number));
                }
                true
            },
        );
        sort::by_key(&mut parts[first..], |part| part.number);
    }
}

/// Makes a row for a part of a shape, placed as before the step.
fn part(world: &World, search: &Search, of: &OverlapAnswer, number: u32) -> Part {
    let body = &world.bodies.rows[of.body.index()];
    let moves = body.kind() == BodyKind::Kinematic || search.ground == Some(of.body);
    let (way, turn) = if moves { motion(body, search.dt) } else { (Vec2::ZERO, 0.0) };
    let mut part = Part {
        shape: of.shape,
        body: of.body,
        number,
        kind: body.kind(),
        one_way: world.shapes.colliders[of.shape.index()].one_way_at(number),
        is_passed: false,
        goes_ahead: false,
        way,
        turn,
        home: search.from,
        rotation: Rot::IDENTITY,
        around: Aabb::EMPTY,
        doubt: 0.0,
    };
    part.place(world, search.from, 0.0);
    part
}
