//! A scene of the race with other engines, played by carom alone.
//!
//! In: what the files in `versus/src/scenes/` say to add, join, drive and remove. Out: a world. The stage of `versus` says the same
//! to any engine.

use crate::carom_defs::{body_def, hinge_def};
use crate::plan::{BodyPlan, Handle, HingePlan};
use carom::prelude::*;

pub(crate) struct Stage {
    pub(crate) world: World,
    /// By handle.
    bodies: Vec<BodyId>,
}

impl Stage {
    pub(crate) fn new(def: WorldDef) -> Stage {
        Stage { world: World::new(def), bodies: Vec::new() }
    }

    pub(crate) fn add(&mut self, plan: BodyPlan) -> Handle {
        self.bodies.push(self.world.add(body_def(&plan)).expect("a body that keeps carom's rules"));
        Handle(self.bodies.len() as u32 - 1)
    }

    pub(crate) fn remove(&mut self, body: Handle) {
        self.world.remove(self.bodies[body.index()]).expect("a body that is there");
    }

    pub(crate) fn join(&mut self, plan: HingePlan) {
        let ends = [plan.a, plan.b].map(|body| self.bodies[body.index()]);
        self.world.add_joint(hinge_def(&plan, ends)).expect("a hinge that keeps carom's rules");
    }

    pub(crate) fn drive(&mut self, body: Handle, velocity: Vec2) {
        self.world.set_velocity(self.bodies[body.index()], velocity).expect("a body that is there");
    }
}
