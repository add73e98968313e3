//! The workspace of a step: the solver with its blocks, the columns, and lists of the stages.
//!
//! In: a world between two steps. Out: the world, with the memory of another one to step in. A step
//! that begins without a workspace, as after loading, computes its contents anew. So worlds that
//! step one after the other on one thread may share a workspace, and only their state goes through
//! the cache. For a world of 12 bodies and 10 joints, the state is a quarter of the whole.
//!
//! Only the layout of joints is expensive to compute anew. It stays in the workspace with its
//! input, and the next world takes it over if its joints and bodies make the same input. Impulses
//! go back to the joints in any case.
//!
//! A world whose joints form loops keeps the workspace in which it was stepped: the order of their
//! elimination takes longer than a step.

use super::super::World;
use super::scratch::StageMemory;
use crate::broadphase::SearchMemory;
use crate::solver::{Columns, Solver};

/// The memory in which a world steps.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    solver: Box<Solver>,
    columns: Box<Columns>,
    scratch: Box<StageMemory>,
    search: SearchMemory,
}

impl World {
    /// Steps in this workspace from now on, until [`World::return_workspace`].
    pub(crate) fn borrow_workspace(&mut self, workspace: &mut Workspace) {
        if self.solver.joints.is_empty() {
            self.swap(workspace);
            // World and workspace hold nothing of each other's last step.
            for (solver, columns) in
                [(&mut self.solver, &mut self.columns), (&mut workspace.solver, &mut workspace.columns)]
            {
                if solver.is_laid_out() {
                    solver.forget_blocks();
                    columns.clear();
                }
            }
            self.solver.is_shared = true;
            let lanes = self.lanes();
            self.solver.set_lanes(lanes);
            self.dirty.joint_lanes = !self.joints.slots.is_empty();
        }
    }

    /// Gives the workspace back; the world takes its impulses and other state out of it first.
    pub(crate) fn return_workspace(&mut self, workspace: &mut Workspace) {
        if self.solver.joints.is_empty() || self.solver.joints.has_only_trees() {
            self.park_joints();
            self.swap(workspace);
        }
    }

    fn swap(&mut self, workspace: &mut Workspace) {
        core::mem::swap(&mut self.solver, &mut workspace.solver);
        core::mem::swap(&mut self.columns, &mut workspace.columns);
        core::mem::swap(&mut self.scratch, &mut workspace.scratch);
        self.grid.swap_memory(&mut workspace.search);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, JointDef, Shape};

    /// A chain that hangs on the world: a tree of joints.
    fn chain() -> World {
        let mut world = World::default();
        let mut last = None;
        for k in 0..6 {
            let at = [k as f32, 5.0];
            let link = world.add(BodyDef::dynamic().at(at).shape(Shape::rect(0.9, 0.2))).expect("a link");
            let hinge = last.map_or(JointDef::revolute(None, link), |last| JointDef::revolute(last, link));
            world.add_joint(hinge.at([at[0] - 0.5, 5.0]).limits(-0.5, 0.5)).expect("a hinge");
            last = Some(link);
        }
        world
    }

    /// Steps once in a workspace; returns whether all lanes kept their contents. A mark that
    /// changes no bit tells: only filling a lane anew removes it.
    fn step(world: &mut World, workspace: &mut Workspace) -> bool {
        workspace.solver.parked.blocks.iter_mut().for_each(|block| block.breaks = true);
        world.borrow_workspace(workspace);
        world.step(1.0 / 60.0).expect("a step");
        world.return_workspace(workspace);
        assert_eq!(world.validate(), Ok(()));
        let blocks = &workspace.solver.parked.blocks;
        assert!(!blocks.is_empty(), "joints have lanes");
        blocks.iter().all(|block| block.breaks)
    }

    /// Two worlds of one start take turns in a workspace: only the impulses in lanes are filled
    /// anew, and both worlds go on as alone. After a change of one, its lanes are filled anew.
    #[test]
    fn lanes_that_are_filled_are_not_filled_anew() {
        let mut start = chain().clone();
        start.seal();
        let clone = || {
            let mut world = start.clone();
            world.begin_as(&start);
            world
        };
        let (mut worlds, mut alone, mut workspace) = ([clone(), clone()], chain(), Workspace::default());
        let mut brought_back = Vec::new();
        for _ in 0..30 {
            alone.step(1.0 / 60.0).expect("a step");
            for world in &mut worlds {
                brought_back.push(step(world, &mut workspace));
                assert_eq!(world.hash(), alone.hash());
            }
        }
        // Each world lays its joints out once and finds the same layout.
        assert_eq!(brought_back.iter().position(|&kept| kept), Some(2));
        assert!(brought_back[2..].iter().all(|&kept| kept), "{brought_back:?}");
        let (joint, _) = worlds[0].joints().last().expect("there are six");
        for world in [&mut worlds[0], &mut alone] {
            world.set_motor(joint, crate::Motor { speed: 3.0, max: 50.0 }).expect("it is there");
            assert!(!step(world, &mut workspace), "the motor is new");
        }
        assert_eq!(worlds[0].hash(), alone.hash());
        assert!(!step(&mut worlds[1], &mut workspace), "the lanes are those of another motor");
    }
}
