//! Who a scene is told to: an engine, or carom alone.
//!
//! In: what a scene says to add, join, drive and remove. Out: a world. `versus` has a stage of its
//! own, which says the same to any engine.

use carom::prelude::*;

use super::defs::{body_def, hinge_def};
use super::plan::{BodyPlan, Handle, HingePlan};

/// What a scene is built on and played by.
pub trait Stage {
    /// Adds a body. Its handle is the count of bodies added before it.
    fn add(&mut self, plan: BodyPlan) -> Handle;
    /// Removes a body with its hinges.
    fn remove(&mut self, body: Handle);
    /// Adds a hinge.
    fn join(&mut self, plan: HingePlan);
    /// Gives a kinematic or dynamic body another velocity.
    fn drive(&mut self, body: Handle, velocity: Vec2);
}

/// A world of carom as a stage.
pub struct CaromStage {
    /// With all that was added.
    pub world: World,
    /// By handle.
    bodies: Vec<BodyId>,
}

impl CaromStage {
    /// An empty world.
    pub fn new(world: World) -> CaromStage {
        CaromStage { world, bodies: Vec::new() }
    }

    /// Adds a body, as [`Stage::add`] does, and leaves the plan with the caller.
    pub fn add_body(&mut self, plan: &BodyPlan) -> Handle {
        self.bodies.push(self.world.add(body_def(plan)).expect("a body that keeps carom's rules"));
        Handle(self.bodies.len() as u32 - 1)
    }

    /// Adds many bodies at once.
    pub fn add_bodies(&mut self, plans: &[BodyPlan]) {
        let ids = self.world.add_all(plans.iter().map(body_def));
        self.bodies.extend(ids.expect("bodies that keep carom's rules"));
    }

    /// carom's id of a body, which may be gone.
    pub fn id(&self, body: Handle) -> BodyId {
        self.bodies[body.index()]
    }
}

impl Stage for CaromStage {
    fn add(&mut self, plan: BodyPlan) -> Handle {
        self.add_body(&plan)
    }

    fn remove(&mut self, body: Handle) {
        self.world.remove(self.id(body)).expect("a body that is there");
    }

    fn join(&mut self, plan: HingePlan) {
        let ends = [plan.a, plan.b].map(|body| self.id(body));
        self.world.add_joint(hinge_def(&plan, ends)).expect("a hinge that keeps carom's rules");
    }

    fn drive(&mut self, body: Handle, velocity: Vec2) {
        self.world.set_velocity(self.id(body), velocity).expect("a body that is there");
    }
}
