//! Scenes of all sorts behind one name each: samples, golden scenes, and those of the race with
//! other engines.
//!
//! In: a name. Out: a world that can be stepped, with what its script does before each step.

use carom::Error;
use carom::prelude::*;

use crate::scenes::CaromStage;
use crate::{golden, samples, scenes};

/// Golden scenes have this before their names, because some are called like scenes of the race.
const GOLDEN: &str = "golden/";

/// Makes a sample.
type Sample = fn() -> Result<World, Error>;

const SAMPLES: [(&str, Sample); 2] = [("shapes", samples::shapes), ("joints", samples::joints)];

/// A scene being played.
pub enum Played {
    /// One of [`samples`].
    Sample(Box<World>),
    /// One of [`golden`].
    Golden(Box<golden::Scene>),
    /// One of [`scenes`].
    Raced {
        /// With its world.
        stage: Box<CaromStage>,
        /// What is done before each step.
        script: scenes::Script,
        /// Steps taken.
        frame: usize,
    },
}

/// What scenes there are.
pub fn names() -> Vec<String> {
    let samples = SAMPLES.iter().map(|(name, _)| name.to_string());
    let raced = scenes::ALL.iter().map(|scene| scene.name.to_string());
    let golden = golden::SCENES.iter().map(|(name, _)| format!("{GOLDEN}{name}"));
    samples.chain(raced).chain(golden).collect()
}

impl Played {
    /// A scene at its start.
    ///
    /// # Errors
    /// There is no such scene; the message names those there are.
    pub fn named(name: &str) -> Result<Played, String> {
        let played = if let Some((_, sample)) = SAMPLES.iter().find(|(known, _)| *known == name) {
            sample().map(|world| Played::Sample(Box::new(world)))
        } else if let Some(scene) = scenes::ALL.iter().find(|scene| scene.name == name) {
            let def = WorldDef { sleep: scene.sleep, ..WorldDef::default().gravity(scene.gravity) };
            let mut stage = Box::new(CaromStage::new(World::new(def)));
            let script = (scene.build)(&mut *stage).script;
            Ok(Played::Raced { stage, script, frame: 0 })
        } else if let Some(golden) = name.strip_prefix(GOLDEN).filter(|name| is_golden(name)) {
            golden::Scene::named(golden).map(|scene| Played::Golden(Box::new(scene)))
        } else {
            return Err(format!("there is no scene '{name}'; there are {}", names().join(", ")));
        };
        played.map_err(|error| format!("{name}: {error}"))
    }

    /// Its world.
    pub fn world(&self) -> &World {
        match self {
            Played::Sample(world) => world,
            Played::Golden(scene) => &scene.world,
            Played::Raced { stage, .. } => &stage.world,
        }
    }

    /// Its world, to be changed.
    pub fn world_mut(&mut self) -> &mut World {
        match self {
            Played::Sample(world) => world,
            Played::Golden(scene) => &mut scene.world,
            Played::Raced { stage, .. } => &mut stage.world,
        }
    }

    /// One step.
    ///
    /// # Errors
    /// A script that breaks a rule of the crate.
    pub fn step(&mut self) -> Result<(), Error> {
        match self {
            Played::Sample(world) => world.step(golden::DT).map(drop),
            Played::Golden(scene) => scene.step(),
            Played::Raced { stage, script, frame } => {
                script(&mut **stage, *frame);
                *frame += 1;
                stage.world.step(golden::DT).map(drop)
            }
        }
    }
}

fn is_golden(name: &str) -> bool {
    golden::SCENES.iter().any(|(known, _)| *known == name)
}
