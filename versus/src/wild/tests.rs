//! Wild scenes are the same from a seed, keep carom's rules, start apart, and differ in kind.

use carom::World;
use carom::prelude::WorldDef;
use std::collections::HashSet;
use std::mem::discriminant;
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan};
use testkit::scenes::wild::WildScene;
use testkit::scenes::{CaromStage, Container};

use crate::engines::Rival;
use crate::quality::{self, Quality};
use crate::stage::EngineStage;
use crate::tests::{Still, WORLDS};

const SEEDS: u64 = 20;

/// The scene as it starts, in an engine in which nothing moves.
fn built(seed: u64) -> (EngineStage, Option<Container>) {
    let mut stage = EngineStage::new(Box::new(Still::default()));
    let play = WildScene::new(seed).build(&mut stage);
    (stage, play.container)
}

/// All that the first steps add, too.
fn record(seed: u64) -> (Vec<(Handle, BodyPlan)>, Vec<HingePlan>) {
    let mut stage = EngineStage::new(Box::new(Still::default()));
    let mut play = WildScene::new(seed).build(&mut stage);
    (0..130).for_each(|step| (play.script)(&mut stage, step));
    let bodies = stage.bodies().map(|(body, plan)| (body, plan.clone())).collect();
    (bodies, stage.hinges().copied().collect())
}

#[test]
fn equal_seeds_give_equal_scenes() {
    for seed in 0..SEEDS {
        assert_eq!(WildScene::new(seed), WildScene::new(seed));
        assert!(record(seed) == record(seed), "seed {seed}");
        assert!(record(seed) != record(seed + 1), "seeds {seed} and {}", seed + 1);
    }
}

#[test]
fn carom_refuses_nothing() {
    for seed in 0..SEEDS {
        let scene = WildScene::new(seed);
        let plan = scene.world_plan();
        let def = WorldDef { gravity: plan.gravity, sleep: plan.sleep, ..WorldDef::default() };
        let mut stage = CaromStage::new(World::new(def));
        let mut play = scene.build(&mut stage);
        for step in 0..2 {
            (play.script)(&mut stage, step);
            stage.world.step(1.0 / 60.0).expect("a step");
        }
        stage.world.validate().unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
    }
}

#[test]
fn bodies_start_apart_joints_closed_and_all_within_bounds() {
    for seed in 0..2 * SEEDS {
        let (stage, container) = built(seed);
        let quality: Quality = quality::measure(&stage, container);
        let words = WildScene::new(seed).words();
        assert!(quality.max_penetration < 1.0e-3, "seed {seed}: {quality:?}; {words}");
        assert!(quality.max_joint_gap.unwrap_or(0.0) < 1.0e-3, "seed {seed}: {quality:?}; {words}");
        assert_eq!(quality.escaped, Some(0), "seed {seed}: {words}");
    }
}

#[test]
fn seeds_differ_in_kind() {
    let recipes: Vec<_> = (0..200).map(|seed| WildScene::new(seed).recipe).collect();
    let grounds: HashSet<_> = recipes.iter().map(|recipe| discriminant(&recipe.ground)).collect();
    let stirs: HashSet<_> = recipes.iter().map(|recipe| discriminant(&recipe.stir)).collect();
    let joined = recipes.iter().filter(|recipe| recipe.machines.count > 0);
    let machines: HashSet<_> = joined.map(|recipe| discriminant(&recipe.machines.kind)).collect();
    let forms: HashSet<_> = recipes.iter().map(|recipe| format!("{:?}", recipe.forms)).collect();
    assert_eq!((grounds.len(), stirs.len(), machines.len()), (9, 5, 7));
    assert!(forms.len() > 6, "{forms:?}");
    let counts: Vec<usize> = recipes.iter().map(|recipe| recipe.body_count()).collect();
    assert!(counts.iter().all(|&count| count <= 8_000), "{counts:?}");
    assert!(counts.iter().any(|&count| count > 4_000) && counts.contains(&1), "{counts:?}");
}

#[test]
fn every_engine_plays_a_wild_scene() {
    let _alone = WORLDS.lock();
    let scene = WildScene { steps: 4, ..WildScene::new(9) };
    let round = super::round::Round::play(scene, &Rival::ALL, Some(1)).expect("a round");
    assert!(round.entries.iter().all(|entry| entry.result.is_some()));
    assert!(round.ratio().is_some_and(|ratio| ratio > 0.0), "{round:?}");
    assert!(super::table::line(&round).contains("nets"));
}
