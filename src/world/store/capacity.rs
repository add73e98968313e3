//! Capacity of a world: indices have 32 bits.
//!
//! In: the number of bodies, shapes or joints to add. Out: nothing, or [`Error::Full`], before
//! anything changes. Memory ends first on most machines: 2^32 bodies take 550 GB.
//!
//! ```text
//!   bodies, shapes    a slot each, 0 to 2^32 - 3; slot + 1 is the group in the grid, and the row in
//!                     the solver
//!   parts             an index in the grid each, up to 2^32 - 3; removed parts count until the next
//!                     step
//!   contacts          slots 1 to 2^32 - 2; pairs beyond that do not touch each other
//!   joints            8 lanes are a block, and a block may hold a single joint: 2^28 joints have
//!                     2^31 lanes
//! ```
//!
//! Other counts (islands, forms of parts, rows of a step) never exceed the number of bodies or
//! parts.

use crate::body::id::MOST_PLACES;
use crate::body::{BodyDef, ShapeDef};
use crate::error::Error;
use crate::tuning::MOST_JOINTS;
use crate::world::World;

/// Limits per kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) bodies: usize,
    pub(crate) shapes: usize,
    pub(crate) parts: usize,
    pub(crate) contacts: usize,
    pub(crate) joints: usize,
}

impl Default for Room {
    fn default() -> Room {
        let most = MOST_PLACES;
        Room { bodies: most, shapes: most, parts: most, contacts: most, joints: MOST_JOINTS }
    }
}

fn must(fits: bool) -> Result<(), Error> {
    if fits { Ok(()) } else { Err(Error::Full) }
}

impl World {
    pub(crate) fn check_room_for_body(&self, shapes: &[ShapeDef]) -> Result<(), Error> {
        must(self.bodies.slots.has_room(1, self.room.bodies))?;
        self.check_room_for_shapes(shapes)
    }

    pub(crate) fn check_room_for_shapes(&self, shapes: &[ShapeDef]) -> Result<(), Error> {
        must(self.shapes.slots.has_room(shapes.len(), self.room.shapes))?;
        let parts = shapes.iter().map(|def| def.shape.most_parts());
        self.check_room_for_parts(parts.fold(0, usize::saturating_add))
    }

    pub(crate) fn check_room_for_parts(&self, count: usize) -> Result<(), Error> {
        must(self.shapes.proxies.has_room(count, self.room.parts))
    }

    /// A body that leaves the grid and enters it again has new parts, and its old ones are free
    /// only after the next step.
    pub(crate) fn check_room_for_parts_of(&self, body: u32) -> Result<(), Error> {
        let shapes = self.shape_slots_from(self.bodies.rows[body as usize].first_shape);
        let parts = shapes.map(|shape| self.shapes.colliders[shape as usize].shape.most_parts());
        self.check_room_for_parts(parts.sum())
    }

    pub(crate) fn check_room_for_bodies(&self, defs: &[BodyDef]) -> Result<(), Error> {
        let shapes = || defs.iter().flat_map(|def| &def.shapes);
        let parts = shapes().map(|def| def.shape.most_parts()).fold(0, usize::saturating_add);
        self.check_room_for_piece([defs.len(), shapes().count(), parts, 0])
    }

    /// Bodies, shapes, parts and joints at once.
    pub(crate) fn check_room_for_piece(
        &self,
        [bodies, shapes, parts, joints]: [usize; 4],
    ) -> Result<(), Error> {
        must(self.bodies.slots.has_room(bodies, self.room.bodies))?;
        must(self.shapes.slots.has_room(shapes, self.room.shapes))?;
        must(self.joints.slots.has_room(joints, self.room.joints))?;
        self.check_room_for_parts(parts)
    }

    /// Makes room for bodies, shapes and parts at once: lists that double as they grow would be
    /// copied again and again.
    pub(crate) fn reserve_for_piece(&mut self, [bodies, shapes, parts]: [usize; 3]) {
        let bodies = bodies.saturating_sub(self.bodies.slots.free().len());
        self.bodies.slots.reserve(bodies);
        self.bodies.rows.reserve(bodies);
        let store = &mut self.bodies;
        for column in [&mut store.solver_rows, &mut store.sole_parts] {
            column.reserve(bodies);
        }
        let shapes = shapes.saturating_sub(self.shapes.slots.free().len());
        self.shapes.slots.reserve(shapes);
        self.shapes.colliders.reserve(shapes);
        self.shapes.links.reserve(shapes);
        self.reserve_parts(parts);
    }

    /// Makes room for parts alone.
    pub(crate) fn reserve_parts(&mut self, parts: usize) {
        let proxies = &mut self.shapes.proxies;
        let more = parts.saturating_sub(proxies.free.len());
        proxies.reserve(more);
        self.grid.reserve(parts, proxies.rows.len() + more);
    }

    pub(crate) fn check_room_for_joint(&self) -> Result<(), Error> {
        must(self.joints.slots.has_room(1, self.room.joints))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{BodyId, BodyKind};
    use crate::joint::JointDef;
    use crate::shape::Shape;

    const DT: f32 = 1.0 / 60.0;

    fn ball(x: f32) -> BodyDef {
        BodyDef::dynamic().at([x, 0.0]).shape(Shape::circle(0.5))
    }

    /// A world with three balls that is full in the kind that `change` sets.
    fn full(change: fn(&mut Room)) -> (World, [BodyId; 3]) {
        let mut world = World::default();
        let ids = [0.0, 1.0, 2.0].map(|x| world.add(ball(x)).expect("there is room"));
        world.add_joint(JointDef::distance(ids[0], ids[2])).expect("there is room");
        world.step(DT).expect("a step");
        change(&mut world.room);
        (world, ids)
    }

    fn state(world: &World) -> String {
        format!(
            "{:?} {:?} {:?} {:?}",
            world.bodies.rows,
            world.shapes.colliders,
            world.joints.rows,
            world.grid.pairs()
        )
    }

    /// A call without capacity is refused and changes nothing; after a removal it succeeds again.
    #[track_caller]
    fn expect_full(
        change: fn(&mut Room),
        call: fn(&mut World, [BodyId; 3]) -> Result<(), Error>,
        make_room: fn(&mut World, [BodyId; 3]) -> Result<(), Error>,
    ) {
        let (mut world, ids) = full(change);
        let before = state(&world);
        assert_eq!(call(&mut world, ids), Err(Error::Full));
        assert_eq!(state(&world), before);
        world.validate().expect("valid");
        make_room(&mut world, ids).expect("that is allowed");
        // Parts are free after the next step.
        world.step(DT).expect("a step");
        call(&mut world, ids).expect("there is room now");
        for _ in 0..10 {
            world.step(DT).expect("a step");
            world.validate().expect("valid");
        }
    }

    #[test]
    fn a_world_full_of_bodies_refuses_more() {
        expect_full(
            |room| room.bodies = 3,
            |world, _| world.add(ball(5.0)).map(|_| ()),
            |world, ids| world.remove(ids[1]),
        );
        expect_full(
            |room| room.bodies = 4,
            |world, _| world.add_all([ball(5.0), ball(7.0)]).map(|_| ()),
            |world, ids| world.remove(ids[1]),
        );
    }

    #[test]
    fn a_world_full_of_shapes_refuses_more() {
        let lower = |room: &mut Room| room.shapes = 3;
        expect_full(lower, |world, _| world.add(ball(5.0)).map(|_| ()), |world, ids| world.remove(ids[1]));
        expect_full(
            lower,
            |world, ids| world.attach(ids[0], Shape::circle(1.0)).map(|_| ()),
            |world, ids| world.remove(ids[1]),
        );
    }

    #[test]
    fn a_world_full_of_parts_refuses_more() {
        let lower = |room: &mut Room| room.parts = 3;
        let less = |world: &mut World, ids: [BodyId; 3]| world.remove(ids[1]);
        expect_full(lower, |world, _| world.add(ball(5.0)).map(|_| ()), less);
        expect_full(lower, |world, ids| world.attach(ids[0], Shape::circle(1.0)).map(|_| ()), less);
        // A body that enters the grid again has new parts.
        expect_full(lower, |world, ids| world.set_kind(ids[0], BodyKind::Kinematic), less);
        expect_full(
            lower,
            |world, ids| {
                world.set_shape(
                    world.shape_id(world.bodies.rows[ids[0].index()].first_shape),
                    Shape::circle(0.4),
                )
            },
            less,
        );
        expect_full(
            lower,
            |world, ids| {
                world.set_sensor(world.shape_id(world.bodies.rows[ids[0].index()].first_shape), true)
            },
            less,
        );
        expect_full(
            lower,
            |world, ids| {
                let shape = world.shape_id(world.bodies.rows[ids[0].index()].first_shape);
                world.set_one_way(shape, Some(glam::Vec2::Y))
            },
            less,
        );
        // To leave takes no room; to come back does.
        let (mut world, ids) = full(|room| room.parts = 3);
        world.set_enabled(ids[0], false).expect("to leave takes no room");
        assert_eq!(world.set_enabled(ids[0], true), Err(Error::Full));
        world.step(DT).expect("a step");
        world.set_enabled(ids[0], true).expect("there is room again");
        world.step(DT).expect("a step");
        world.validate().expect("valid");
    }

    #[test]
    fn a_world_full_of_joints_refuses_more() {
        expect_full(
            |room| room.joints = 1,
            |world, ids| world.add_joint(JointDef::weld(ids[0], ids[1])).map(|_| ()),
            |world, _| world.remove_joint(world.joint_id(0)),
        );
    }

    /// Pairs beyond the last contact do not touch; once there is room, new pairs do.
    #[test]
    fn a_world_full_of_contacts_goes_on() {
        let mut world = World::default();
        world.room.contacts = 2;
        world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0))).expect("there is room");
        let balls: Vec<BodyId> = (0..5)
            .map(|k| world.add(ball(2.0 * k as f32).at([2.0 * k as f32, 0.5])).expect("there is room"))
            .collect();
        for _ in 0..30 {
            world.step(DT).expect("a step");
            assert!(world.contacts.len() <= 2);
        }
        let heights: Vec<bool> = balls.iter().map(|&id| world[id].position().y > 0.4).collect();
        assert_eq!(heights.iter().filter(|&&stands| stands).count(), 2, "two stand, three fall: {heights:?}");
        assert!(world.bodies().all(|(_, body)| body.position().is_finite()));
    }

    /// A million bodies one after the other in one place, with a shape and a joint each: nothing
    /// grows.
    #[test]
    fn a_million_bodies_come_and_go() {
        let cycles = if cfg!(debug_assertions) { 10_000 } else { 1_000_000 };
        let mut world = World::default();
        let ground = world.add(BodyDef::fixed().shape(Shape::rect(9.0, 1.0))).expect("there is room");
        let mut ids = std::collections::BTreeSet::new();
        let mut memory = 0;
        for cycle in 0..cycles {
            let body = world.add(ball(0.0)).expect("there is room");
            let joint = world.add_joint(JointDef::weld(ground, body)).expect("there is room");
            assert!(body.index() == 1 && joint.index() == 0);
            if cycle % (cycles / 100) == 0 {
                ids.insert((body, joint));
                world.step(DT).expect("a step");
                world.validate().expect("valid");
            }
            world.remove(body).expect("it is there");
            assert!(world.get(body).is_none() && world.get_joint(joint).is_none());
            if cycle == cycles / 10 {
                memory = world.shapes.proxies.rows.len();
            }
        }
        assert_eq!(ids.len(), 100, "no id twice");
        assert_eq!(
            (world.bodies.rows.len(), world.shapes.colliders.len(), world.joints.rows.len()),
            (2, 2, 1)
        );
        assert!(
            world.shapes.proxies.rows.len() <= memory + cycles / 100,
            "{}",
            world.shapes.proxies.rows.len()
        );
    }
}
