//! Islands and how far they may get: for programs that must know in advance which bodies may meet,
//! such as a program that spreads a world over several machines.
//!
//! In: a world between two steps, and a time. Out: its islands, asleep or awake, each with a box
//! that holds its bodies for that time, in the order of their first bodies: the root of a group is
//! its least slot.

use crate::body::{Body, BodyId, NONE, flag as body_flag};
use crate::broadphase::{WorldAabb, union_of};
use crate::contact::flag;
use crate::math::{max, min};
use crate::util::UnionFind;
use crate::world::World;

/// An island: dynamic bodies that touch each other or are joined, directly or through others.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct IslandBox {
    /// A box that holds its bodies for the time that was asked for, unless something outside the
    /// island pushes them: each is as fast in every direction as the fastest of them.
    pub bounds: WorldAabb,
    /// The sum of their masses, added in the order of their ids.
    pub mass: f32,
    /// Whether any of them is awake.
    pub is_awake: bool,
    first: u32,
    count: u32,
}

/// The islands of a world, in the order of their first bodies; filled by [`World::island_boxes`].
#[derive(Clone, Debug, Default)]
pub struct IslandBoxes {
    list: Vec<IslandBox>,
    bodies: Vec<BodyId>,
    groups: UnionFind,
    /// Root and slot of each dynamic body.
    members: Vec<(u32, u32)>,
}

impl IslandBoxes {
    /// Number of islands.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no dynamic body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The islands, in the order of their first bodies.
    #[must_use]
    pub fn as_slice(&self) -> &[IslandBox] {
        &self.list
    }

    /// The bodies of an island, by ascending slot.
    #[must_use]
    pub fn bodies_of(&self, island: &IslandBox) -> &[BodyId] {
        let first = (island.first as usize).min(self.bodies.len());
        &self.bodies[first..(first + island.count as usize).min(self.bodies.len())]
    }
}

/// Islands.
impl World {
    /// Finds the islands of all dynamic bodies, and boxes that hold them for `ahead` seconds. The
    /// order of the islands is that of their first bodies, by slot.
    ///
    /// Boxes cover gravity and forces that are set; pushes by bodies outside an island are not
    /// foreseen, but two bodies whose boxes are apart do not meet within that time. Disabled bodies
    /// have no box and are in no island. An `ahead` that is negative or not finite counts as 0. Takes
    /// time in proportion to the number of bodies.
    ///
    /// ```
    /// use carom::{IslandBoxes, prelude::*};
    ///
    /// let mut world = World::default();
    /// let ball = |x: f32| BodyDef::dynamic().at([x, 0.0]).velocity([6.0, 0.0]).shape(Shape::circle(0.5));
    /// let (a, b) = (world.add(ball(0.0))?, world.add(ball(5.0))?);
    /// world.add_joint(JointDef::rope(a, b, 9.0))?;
    /// let far = world.add(ball(50.0))?;
    /// let mut islands = IslandBoxes::default();
    /// world.island_boxes(1.0 / 30.0, &mut islands);
    /// let bodies: Vec<_> = islands.as_slice().iter().map(|island| islands.bodies_of(island)).collect();
    /// assert_eq!(bodies, [&[a, b][..], &[far]]);
    /// assert!(islands.as_slice()[0].bounds.aabb.max.x > 5.0 + 0.5 + 6.0 / 30.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn island_boxes(&self, ahead: f32, islands: &mut IslandBoxes) {
        let IslandBoxes { list, bodies, groups, members } = islands;
        let ahead = if ahead >= 0.0 && ahead.is_finite() { ahead } else { 0.0 };
        list.clear();
        bodies.clear();
        self.group(groups);
        members.clear();
        let is_in = |slot: &u32| {
            let body = &self.bodies.rows[*slot as usize];
            body.has(body_flag::DYNAMIC) && body.is_enabled()
        };
        members.extend(self.bodies.slots.iter().filter(is_in).map(|slot| (groups.root(slot), slot)));
        members.sort_unstable();
        for group in members.chunk_by(|(one, _), (other, _)| one == other) {
            let slots = || group.iter().map(|&(_, slot)| slot);
            let rows = || slots().map(|slot| &self.bodies.rows[slot as usize]);
            let speed = rows().map(|body| self.speed_within(body, ahead)).fold(0.0, max);
            let spun = |body: &Body| min(body.angular_velocity.abs() * ahead, 2.0) * body.max_extent;
            let reach = speed * ahead + rows().map(spun).fold(0.0, max);
            let boxes = slots().flat_map(|slot| self.boxes_of(slot));
            let Some(bounds) = boxes.reduce(|one, other| union_of(&one, &other)) else {
                continue;
            };
            list.push(IslandBox {
                bounds: WorldAabb { aabb: bounds.aabb.grown(reach), ..bounds },
                mass: rows().map(|body| body.mass).sum(),
                is_awake: rows().any(Body::is_awake),
                first: bodies.len() as u32,
                count: group.len() as u32,
            });
            bodies.extend(slots().map(|slot| self.body_id(slot)));
        }
    }

    /// Joins the slots of dynamic bodies that touch or are joined.
    fn group(&self, groups: &mut UnionFind) {
        groups.reset(self.bodies.rows.len());
        let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
        for contact in self.contacts.slots() {
            let link = &self.contacts.link[contact as usize];
            let solid = link.flags & flag::TOUCHING != 0 && link.flags & flag::SENSOR == 0;
            if solid && dynamic(link.body_a) && dynamic(link.body_b) {
                groups.join(link.body_a, link.body_b);
            }
        }
        for joint in self.joints.slots.iter() {
            let joint = &self.joints.rows[joint as usize];
            if joint.body_a != NONE && dynamic(joint.body_a) && dynamic(joint.body_b) {
                groups.join(joint.body_a, joint.body_b);
            }
        }
    }

    /// The greatest speed of a body within some time.
    fn speed_within(&self, body: &Body, ahead: f32) -> f32 {
        let gravity = self.def.gravity.length() * body.gravity_scale.abs();
        let pushed = (body.force * body.inv_mass).length();
        let speed = body.linear_velocity.length() + (gravity + pushed) * ahead;
        min(speed, self.def.max_speed)
    }

    /// The boxes of a body's parts in the grid.
    fn boxes_of(&self, slot: u32) -> impl Iterator<Item = WorldAabb> + '_ {
        let first = self.bodies.rows[slot as usize].first_shape;
        let parts = self.shape_slots_from(first).flat_map(|shape| self.proxies_of(shape));
        parts.filter_map(|part| self.grid.aabb(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, JointDef, Shape};
    use glam::Vec2;

    /// Boxes hold their islands for two steps: a heap that is struck, a chain that swings, and a
    /// ball that bounces.
    #[test]
    fn boxes_hold_their_bodies_for_two_steps() {
        let mut world = World::default();
        world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(60.0, 2.0))).expect("a floor");
        for k in 0..30 {
            let at = [(k % 6) as f32 * 1.01, 0.5 + (k / 6) as f32];
            world.add(BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0))).expect("a crate");
        }
        let mut before = None;
        for k in 0..6 {
            let at = [-8.0 - k as f32, 9.0];
            let link = world.add(BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 0.2))).expect("a link");
            world.add_joint(JointDef::revolute(before, link).at([at[0] + 0.5, 9.0])).expect("a joint");
            before = Some(link);
        }
        let shot = BodyDef::dynamic().at([14.0, 3.0]).velocity([-30.0, 0.0]).shape(Shape::circle(0.4));
        world.add(shot).expect("a ball");
        let (dt, mut islands, mut seen) = (1.0 / 60.0, IslandBoxes::default(), 0);
        for _ in 0..240 {
            world.island_boxes(2.0 * dt, &mut islands);
            let mut ahead = world.clone();
            for step in 0..2 {
                ahead.step(dt).expect("a step");
                for island in islands.as_slice() {
                    // Struck by another island in the first step, bodies are faster than they were.
                    let is_alone =
                        |other: &IslandBox| other == island || !other.bounds.overlaps(&island.bounds);
                    if !islands.as_slice().iter().all(is_alone) {
                        continue;
                    }
                    for &id in islands.bodies_of(island) {
                        let body = &ahead[id];
                        let at = body.world_center();
                        let held = island.bounds.relative_to(at.region).contains(&around(at.local));
                        assert!(held, "step {}, {step} ahead: {id}", world.step_count());
                        seen += 1;
                    }
                }
            }
            world.step(dt).expect("a step");
        }
        assert!(seen > 8_000, "{seen}");
    }

    /// Seconds that are no number of seconds give the boxes of now.
    #[test]
    fn bad_seconds_count_as_none() {
        let mut world = World::default();
        let ball = BodyDef::dynamic().velocity([9.0, 0.0]).shape(Shape::circle(0.5));
        world.add(ball).expect("a ball");
        let (mut now, mut islands) = (IslandBoxes::default(), IslandBoxes::default());
        world.island_boxes(0.0, &mut now);
        for ahead in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0] {
            world.island_boxes(ahead, &mut islands);
            assert_eq!(islands.as_slice(), now.as_slice(), "{ahead}");
        }
    }

    fn around(point: Vec2) -> crate::Aabb {
        crate::Aabb { min: point - 0.1, max: point + 0.1 }
    }
}
