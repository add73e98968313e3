//! Incremental layout: only changed joints are laid out anew.
//!
//! In: bodies whose joints changed, whose pose or mass changed from outside, or that slept or woke.
//! Out: a layout in which everything connected to them is new, and all other trees have new rows at
//! most. Only trees can be kept: loops and couplings are coloured together.

use super::super::World;
use super::read_back::{load_on, take_impulses};
use super::springs::Kicks;
use crate::body::{NONE, flag};
use crate::solver::joints::Joints;
use crate::solver::joints::layout::{Layout, Spec};
use crate::world::edit::joints::lanes_of;

impl World {
    /// Lays out the joints that changed. False if a full layout is needed, which overwrites
    /// anything done so far.
    pub(super) fn lay_out_changed(&mut self) -> bool {
        let mut joints = core::mem::take(&mut self.solver.joints);
        let is_done = self.lay_out_changed_of(&mut joints).is_some();
        self.solver.joints = joints;
        if is_done {
            self.note_laid(self.list_moving());
        }
        is_done
    }

    fn lay_out_changed_of(&mut self, joints: &mut Joints) -> Option<()> {
        self.dirty.joints_of.sort_unstable();
        self.dirty.joints_of.dedup();
        if !self.may_keep(joints) {
            return None;
        }
        let mut bodies = core::mem::take(&mut self.dirty.joints_of);
        self.empty_stale(joints, &mut bodies);
        joints.rename(&self.bodies.solver_rows);
        let specs = self.specs_of(&bodies);
        self.dirty.joints_of = bodies;
        let layout = Layout::new(&specs?, self.bodies.awake.len() + 1, &[]);
        if !layout.phases.is_empty() || !layout.webs.is_empty() {
            return None;
        }
        let mut kicks = Kicks::new(self.step.h);
        for place in joints.take_in(layout) {
            self.seat_joint(joints, place, &mut kicks);
        }
        joints.note_places();
        self.begin_turns(joints);
        Some(())
    }

    /// Whether enough of the layout may be kept.
    fn may_keep(&self, joints: &Joints) -> bool {
        // Joints that pull sleeping bodies are in a list in the order of all joints.
        let few = 2 * self.dirty.joints_of.len() <= self.bodies.awake.len() && self.islands.pulled.is_empty();
        few && joints.has_only_trees() && !joints.is_sparse()
    }

    /// Empties the lanes of stale bodies, and adds all bodies of the emptied lanes to the list.
    fn empty_stale(&mut self, joints: &mut Joints, bodies: &mut Vec<u32>) {
        let mut is_stale = vec![false; self.bodies.rows.len()];
        for &body in &*bodies {
            is_stale[body as usize] = true;
        }
        // A body without a row was a ground, or took no part: joints at it are stale, or were in no
        // lane.
        let had_row = joints.had_rows(self.bodies.rows.len());
        let mut hung = Vec::new();
        for &body in bodies.iter().filter(|&&body| !had_row[body as usize]) {
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints.rows[slot as usize];
                let ends = [joint.body_a, joint.body_b].into_iter().filter(|&body| body != NONE);
                hung.extend(ends.filter(|&end| self.bodies.rows[end as usize].has(flag::DYNAMIC)));
            }
        }
        hung.iter().for_each(|&body| is_stale[body as usize] = true);
        bodies.append(&mut hung);
        for (tree, lane) in joints.stale_lanes(&is_stale) {
            bodies.extend(joints.bodies_in((tree, lane)));
            for index in joints.blocks_of(tree) {
                let block = &joints.blocks[index];
                let drives = joints.drives.get(block.drives as usize);
                for (_, slot) in lanes_of(&joints.of_blocks[index]).filter(|&(used, _)| used == lane) {
                    let joint = &mut self.joints.rows[slot as usize];
                    joint.place = NONE;
                    take_impulses(joint, block, drives, lane);
                    (joint.force, joint.torque) = load_on(block, lane, joints.dt);
                }
            }
            joints.clear_lane((tree, lane));
        }
        bodies.sort_unstable();
        bodies.dedup();
    }

    /// Returns the input of the layout for joints of the given bodies that are in no lane. `None`
    /// if one of the joints cannot be in a tree.
    fn specs_of(&self, bodies: &[u32]) -> Option<Vec<Spec>> {
        let awake = bodies.iter().filter(|&&body| self.bodies.solver_rows[body as usize] != 0);
        let all = awake.flat_map(|&body| self.joint_slots_of(body));
        let mut slots: Vec<u32> = all.filter(|&slot| self.joints.rows[slot as usize].place == NONE).collect();
        slots.sort_unstable();
        slots.dedup();
        let is_other = |&slot: &u32| {
            self.pulls_sleeper(slot) || self.ends_of(&self.joints.rows[slot as usize]).is_some()
        };
        if slots.iter().any(is_other) {
            return None;
        }
        Some(slots.into_iter().filter_map(|slot| self.spec_of(slot)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::Random;
    use crate::world::Workspace;
    use crate::{BodyDef, BodyId, BodyKind, Filter, JointDef, JointId, Locks, Shape};

    /// Three worlds with the same calls: the second makes a full layout in each step, the third
    /// steps in a workspace that it shares with a stranger.
    struct Twins {
        worlds: [World; 3],
        stranger: World,
        workspace: Workspace,
        grounds: Vec<BodyId>,
        bodies: Vec<BodyId>,
        joints: Vec<JointId>,
        random: Random,
        /// Number of incremental layouts.
        kept: usize,
        /// Number of steps after which a layout was left in the workspace.
        shared: usize,
    }

    impl Twins {
        fn both<T: PartialEq + core::fmt::Debug>(&mut self, mut act: impl FnMut(&mut World) -> T) -> T {
            let [one, other, third] = self.worlds.each_mut().map(&mut act);
            assert_eq!(one, other);
            assert_eq!(one, third);
            one
        }

        fn pick<T: Copy>(random: &mut Random, all: &[T]) -> Option<T> {
            all.get((random.between(0.0, 1.0) * all.len() as f32) as usize).copied()
        }

        fn add_body(&mut self, at: [f32; 2]) -> BodyId {
            let filter = Filter { group: -1, ..Filter::default() };
            let size = self.random.between(0.1, 0.3);
            let def = BodyDef::dynamic().at(at).shape(Shape::rect(size, 0.2)).filter(filter);
            let body = self.both(|world| world.add(def.clone()).expect("a body"));
            self.bodies.push(body);
            body
        }

        fn add_joint(&mut self, def: JointDef) {
            let joint = self.both(|world| world.add_joint(def).ok());
            self.joints.extend(joint);
        }

        fn add_for_a_step(&mut self, def: JointDef) {
            let joint = self.both(|world| world.add_joint(def));
            self.step();
            self.both(|world| joint.is_ok_and(|joint| world.remove_joint(joint).is_ok()));
        }

        /// A chain of one of a few shapes, which hangs or falls.
        fn add_chain(&mut self) {
            let links = if self.random.between(0.0, 1.0) < 0.5 { 1 } else { 4 };
            let (x, y) = (self.random.between(-40.0, 40.0), self.random.between(3.0, 9.0));
            let mut last = None;
            for k in 0..links {
                let at = [x + 0.3 * k as f32, y];
                let body = self.add_body(at);
                let way = self.random.between(0.0, 3.0) as u32;
                if let Some(before) = last {
                    let hinge = JointDef::revolute(before, body).at([at[0] - 0.15, y]);
                    self.add_joint(if links > 2 {
                        JointDef { spring: None, ..hinge.limits(-1.0, 1.0).motor(0.0, 0.5) }
                    } else {
                        hinge
                    });
                } else if way == 0 {
                    self.add_joint(JointDef::revolute(None, body).at(at));
                } else if way == 1 {
                    let ground = Twins::pick(&mut self.random, &self.grounds).expect("there are some");
                    self.add_joint(JointDef::revolute(ground, body).at(at).motor(1.0, 3.0));
                }
                last = Some(body);
            }
        }

        fn change_something(&mut self) {
            let body = Twins::pick(&mut self.random, &self.bodies);
            let joint = Twins::pick(&mut self.random, &self.joints);
            let ground = Twins::pick(&mut self.random, &self.grounds).expect("there are some");
            let number = self.random.between(-1.0, 1.0);
            match (self.random.between(0.0, 15.0) as u32, body, joint) {
                (0..=3, ..) => self.add_chain(),
                (4, Some(body), _) => {
                    self.bodies.retain(|&other| other != body);
                    self.both(|world| world.remove(body).is_ok());
                }
                (5, _, Some(joint)) => _ = self.both(|world| world.remove_joint(joint).is_ok()),
                (6, _, Some(joint)) if number > 0.8 => {
                    let limits = (number > 0.9).then_some(crate::Limits { lower: -0.5, upper: 0.5 });
                    self.both(|world| world.change_joint(joint, |def| def.drive.limits = limits).is_ok());
                }
                (7, Some(body), _) => {
                    self.both(|world| world.teleport(body, [30.0 * number, 5.0], number).is_ok());
                }
                (8, Some(body), _) => {
                    let kind = if number > 0.0 { BodyKind::Dynamic } else { BodyKind::Kinematic };
                    self.both(|world| world.set_kind(body, kind).is_ok());
                }
                (9, Some(body), _) => _ = self.both(|world| world.set_enabled(body, number > -0.5).is_ok()),
                (10, Some(body), _) => {
                    let locks = Locks { x: number > 0.0, y: number > 0.5, rotation: false };
                    self.both(|world| world.set_locks(body, locks).is_ok());
                }
                (11, Some(a), _) if number > 0.8 => {
                    let b = Twins::pick(&mut self.random, &self.bodies).expect("there is one");
                    self.add_for_a_step(JointDef::revolute(a, b));
                }
                (12, ..) => _ = self.both(|world| world.teleport(ground, [number, 9.0], number).is_ok()),
                // A joint that only drives is in no tree: while there is one, nothing is kept.
                (13, Some(body), _) if number > 0.6 => {
                    self.add_for_a_step(JointDef::drag(body, [0.0, 5.0], 1.0));
                }
                (14, ..) => {
                    let other = Twins::pick(&mut self.random, &self.grounds).filter(|&other| other != ground);
                    let def = JointDef::revolute(other, ground);
                    let joint = self.both(|world| world.add_joint(def).ok());
                    (0..3).for_each(|_| self.step());
                    self.both(|world| joint.is_some_and(|joint| world.remove_joint(joint).is_ok()));
                }
                (_, Some(body), _) => {
                    _ = self.both(|world| world.set_velocity(body, [number, 4.0 * number]).is_ok())
                }
                _ => {}
            }
        }

        fn step(&mut self) {
            let [one, other, lent] = &mut self.worlds;
            other.dirty.joint_lanes = true;
            self.kept += usize::from(one.dirty.joint_layout && one.may_keep(&one.solver.joints));
            // Now and then the stranger is laid out alike: then the layout goes from one to the
            // other.
            if one.step_count() % 8 == 3 {
                self.stranger.clone_from(lent);
            }
            for world in [&mut self.stranger, lent] {
                world.borrow_workspace(&mut self.workspace);
                world.step(1.0 / 60.0).expect("a step");
                world.return_workspace(&mut self.workspace);
                self.shared += usize::from(world.joints.layout.is_some());
                assert_eq!(world.validate(), Ok(()));
            }
            for world in [one, other] {
                world.step(1.0 / 60.0).expect("a step");
                assert_eq!(world.validate(), Ok(()));
            }
            let [one, other, lent] = self.worlds.each_ref().map(World::hash);
            assert_eq!(one, other);
            assert_eq!(one, lent);
        }
    }

    /// Edits and loads without steps are noted once.
    #[test]
    fn a_world_that_is_not_stepped_remembers_no_edits() {
        let mut world = World::default();
        let mut last = world.add(BodyDef::fixed().shape(Shape::rect(9.0, 1.0))).expect("a floor");
        for k in 0..10 {
            let link = world.add(BodyDef::dynamic().at([k as f32, 5.0]).shape(Shape::circle(0.4)));
            let link = link.expect("a link");
            world.add_joint(JointDef::revolute(last, link)).expect("a joint");
            last = link;
        }
        world.step(1.0 / 60.0).expect("a step");
        let mut bytes = Vec::new();
        world.save_whole_into(&mut bytes);
        for _ in 0..1000 {
            world.teleport(last, [9.0, 5.0], 0.0).expect("it is there");
            world.step(0.0).expect("no time passes");
            assert!(world.dirty.joints_of.len() < 40, "{}", world.dirty.joints_of.len());
        }
        for _ in 0..1000 {
            world.load(&bytes).expect("nobody touched the bytes");
            assert!(world.dirty.joints_of.len() < 40, "{}", world.dirty.joints_of.len());
        }
    }

    /// A world steps with the same bits as one with a full layout in each step, and as one whose
    /// solver another world uses between its steps.
    #[test]
    fn incremental_joint_layout_equals_full_layout() {
        let seeds = if cfg!(debug_assertions) { 4 } else { 40 };
        let (mut kept, mut shared) = (0, 0);
        for seed in 0..seeds {
            let mut world = World::default();
            let floor = world.add(BodyDef::fixed().shape(Shape::rect(100.0, 1.0))).expect("a floor");
            let mut ground = || world.add(BodyDef::kinematic().at([0.0, 9.0]).velocity([0.1, 0.0]).spin(3.0));
            let grounds = vec![floor, ground().expect("a ground"), ground().expect("a ground")];
            let worlds = [world.clone(), world.clone(), world];
            let (stranger, workspace) = (World::default(), Workspace::default());
            let (bodies, joints) = (Vec::new(), Vec::new());
            let random = Random(seed + 1);
            let mut twins =
                Twins { worlds, stranger, workspace, grounds, bodies, joints, random, kept: 0, shared: 0 };
            for _ in 0..60 {
                twins.add_chain();
            }
            for _ in 0..60 {
                for _ in 0..(twins.random.between(0.0, 3.0) as usize) {
                    twins.change_something();
                }
                twins.step();
            }
            kept += twins.kept;
            shared += twins.shared;
        }
        assert!(kept as u64 > 5 * seeds, "{kept} of all layouts");
        assert!(shared as u64 > 5 * seeds, "{shared} layouts were left for the next world");
    }
}
