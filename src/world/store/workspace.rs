//! The workspace of a step: the solver with its blocks, the columns, and lists of the stages.
//!
//! In: a world between two steps. Out: the world, with the memory of another one to step in. What a
//! workspace holds is found anew by a step that begins without it, as after loading; so worlds that
//! step one after the other on one thread may share one, and only their state goes through the
//! cache. Of a world of 12 bodies and 10 joints that is a quarter of the whole.
//!
//! Joints are the one thing that is dear to find anew: their layout. It stays in the workspace with
//! what it was made of, and the next world takes it over if its joints and bodies are such.
//! Impulses go home to the joints in any case.
//!
//! A world whose joints form loops keeps the workspace in which it was stepped: the order of their
//! elimination takes longer than a step.

use super::super::World;
use super::scratch::StageMemory;
use crate::broadphase::SearchMemory;
use crate::solver::{Columns, Solver};

/// What a world steps in.
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
            // Neither knows anything of the other's last step.
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

    /// Gives the workspace back, and has all that it knows by itself.
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
