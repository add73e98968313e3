//! A scene being played by one engine.
//!
//! In: what a scene of the testkit says to add, join, drive and remove. Out: the same said to the
//! engine, and a record of it, from which `quality.rs` measures without asking the engine for more
//! than places and speeds.

use carom::Vec2;
use testkit::scenes::Stage;
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan};

use crate::engines::{Engine, Parts, State};

pub(crate) struct EngineStage {
    engine: Box<dyn Engine>,
    /// By handle; nothing for a body that was removed.
    bodies: Vec<Option<BodyPlan>>,
    hinges: Vec<HingePlan>,
}

impl EngineStage {
    pub(crate) fn new(engine: Box<dyn Engine>) -> EngineStage {
        EngineStage { engine, bodies: Vec::new(), hinges: Vec::new() }
    }

    pub(crate) fn step(&mut self) {
        self.engine.step();
    }

    pub(crate) fn stop_clock(&mut self) {
        self.engine.stop_clock();
    }

    pub(crate) fn parts(&self) -> Parts {
        self.engine.parts()
    }

    pub(crate) fn awake_count(&self) -> usize {
        self.engine.awake_count()
    }

    pub(crate) fn state(&self, body: Handle) -> State {
        self.engine.state(body)
    }

    /// The bodies that are there now.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (Handle, &BodyPlan)> {
        let plans = self.bodies.iter().enumerate();
        plans.filter_map(|(index, plan)| Some((Handle(index as u32), plan.as_ref()?)))
    }

    /// The hinges that are there now: one goes with either of its bodies.
    pub(crate) fn hinges(&self) -> impl Iterator<Item = &HingePlan> {
        let is_there = |body: Handle| self.bodies[body.index()].is_some();
        self.hinges.iter().filter(move |hinge| is_there(hinge.a) && is_there(hinge.b))
    }

    /// How many bodies the engine has; as many as there should be, or an adapter is wrong.
    pub(crate) fn body_count(&self) -> usize {
        self.engine.body_count()
    }
}

impl Stage for EngineStage {
    fn add(&mut self, plan: BodyPlan) -> Handle {
        self.engine.add(&plan);
        self.bodies.push(Some(plan));
        Handle(self.bodies.len() as u32 - 1)
    }

    fn remove(&mut self, body: Handle) {
        self.engine.remove(body);
        self.bodies[body.index()] = None;
    }

    fn join(&mut self, plan: HingePlan) {
        self.engine.join(&plan);
        self.hinges.push(plan);
    }

    fn drive(&mut self, body: Handle, velocity: Vec2) {
        self.engine.drive(body, velocity);
    }
}
