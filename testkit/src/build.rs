//! What scenes and benches do with a world that keeps all rules: add, join, step, check. Tests add
//! and step by [`worlds`](crate::worlds), which checks more.
//!
//! In: a world and a definition. Out: an id. What breaks a rule panics: such a scene is wrong.

use carom::prelude::*;

/// The step of nearly all scenes, in s.
pub const DT: f32 = 1.0 / 60.0;

/// Adds a body.
#[track_caller]
pub fn add(world: &mut World, def: BodyDef) -> BodyId {
    world.add(def).expect("a body that keeps all rules")
}

/// Adds a joint.
#[track_caller]
pub fn join(world: &mut World, def: JointDef) -> JointId {
    world.add_joint(def).expect("a joint that keeps all rules")
}

/// One step of [`DT`].
pub fn step(world: &mut World) {
    world.step(DT).expect("a step of 1/60 s");
}

/// So many steps.
pub fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| step(world));
}

/// Asserts that everything in a world is valid, which includes finite.
pub fn check(world: &World, name: &str) {
    world.validate().unwrap_or_else(|broken| panic!("{name}: {broken}"));
}
