//! Golden scenes: worlds whose bits after 100, 500, 1,000, 1,500 and 2,000 steps are written down,
//! and must be the same on every machine, with any lanes, on any number of threads, however it was
//! compiled.
//!
//! In: the name of a scene. Out: a world and the script that plays it: the input of a game, always
//! the same. What scripts ask of a world (events, rays, casts) goes back into it as impulses, so
//! that its bits hold those answers too. Played by the tests, the example `hash`, `ci/golden` and
//! the demo; `tests/golden/hashes.txt` has the bits.

mod jointed;
mod loose;
#[cfg(feature = "nav")]
pub mod nav;
#[cfg(feature = "nav")]
mod nav_bodies;
mod scripted;
mod shapes;
mod tiles;

pub use jointed::{dolls, net};
pub use loose::{bullets, churn, far, heap, pyramid};
pub use scripted::{islands, machines, questions};
pub use shapes::{compounds, ships};
pub use tiles::tiles;

use carom::prelude::*;
use carom::{Error, IVec2};

pub use crate::build::DT;
use crate::random::Random;

/// After so many steps a hash is written down: soon, for debug builds, and then every 500.
pub const FRAMES: [u32; 5] = [100, 500, 1_000, 1_500, STEPS];

/// How long a scene is.
pub const STEPS: u32 = 2_000;

/// All scenes by name.
pub const SCENES: [(&str, Build); 13] = [
    ("pyramid", pyramid),
    ("churn", churn),
    ("heap", heap),
    ("bullets", bullets),
    ("far", || far(FAR)),
    ("net", net),
    ("dolls", dolls),
    ("ships", ships),
    ("compounds", compounds),
    ("machines", machines),
    ("islands", islands),
    ("questions", questions),
    ("tiles", tiles),
];

/// The region of the scene `far`: a million regions from the origin in both directions, which is a
/// thousand million metres.
pub const FAR: IVec2 = IVec2::new(1_000_000, -1_000_000);

/// Makes a scene.
pub type Build = fn() -> Result<Scene, Error>;

/// What is done to a world before the step of a number.
type Script = Box<dyn FnMut(&mut World, u32) -> Result<(), Error>>;

/// A world and its script.
pub struct Scene {
    /// As it stands after `frame` steps.
    pub world: World,
    script: Script,
    /// Steps taken.
    pub frame: u32,
}

impl Scene {
    /// A scene by its name.
    ///
    /// # Errors
    /// No such scene.
    pub fn named(name: &str) -> Result<Scene, Error> {
        let known = SCENES.iter().find(|(known, _)| *known == name);
        known.map_or(Err(Error::BadNumber("there is no such scene")), |(_, build)| build())
    }

    fn new(world: World, script: impl FnMut(&mut World, u32) -> Result<(), Error> + 'static) -> Scene {
        Scene { world, script: Box::new(script), frame: 0 }
    }

    /// One step.
    ///
    /// # Errors
    /// A script that breaks a rule of the crate.
    pub fn step(&mut self) -> Result<(), Error> {
        (self.script)(&mut self.world, self.frame)?;
        self.world.step(DT)?;
        self.frame += 1;
        Ok(())
    }

    /// Steps until step `frame` is over, and says what the bits are then.
    ///
    /// # Errors
    /// A script that breaks a rule of the crate.
    pub fn hash_at(&mut self, frame: u32) -> Result<u64, Error> {
        while self.frame < frame {
            self.step()?;
        }
        Ok(self.world.hash())
    }
}

/// What is written down: scene, steps, hash. A line that begins with `#` is a comment.
pub fn golden() -> impl Iterator<Item = (&'static str, u32, u64)> {
    lines_of(include_str!("../../../tests/golden/hashes.txt"))
}

/// Scene, steps and hash of each line.
fn lines_of(text: &'static str) -> impl Iterator<Item = (&'static str, u32, u64)> {
    let number = |line: &'static str| {
        let mut words = line.split_whitespace();
        let (name, steps, hash) = (words.next()?, words.next()?, words.next()?);
        Some((name, steps.parse().ok()?, u64::from_str_radix(hash, 16).ok()?))
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(number)
}

/// Plays a scene for `steps` steps in a world made ready by `prepare`, and compares it with what is
/// written down of it.
///
/// # Errors
/// The first hash that is another; or that nothing is written down for so few steps.
pub fn check(name: &str, steps: u32, prepare: impl Fn(&mut World)) -> Result<(), String> {
    let mut scene = Scene::named(name).map_err(|error| error.to_string())?;
    prepare(&mut scene.world);
    let mut compared = 0;
    for (_, frame, golden) in golden().filter(|&(known, frame, _)| known == name && frame <= steps) {
        let hash = scene.hash_at(frame).map_err(|error| format!("{name}, step {}: {error}", scene.frame))?;
        if hash != golden {
            return Err(format!("{name} after {frame} steps: {hash:016x}, golden is {golden:016x}"));
        }
        compared += 1;
    }
    if compared == 0 { Err(format!("no golden hash of {name} within {steps} steps")) } else { Ok(()) }
}

/// A closed room of full size `size`, its floor at y = 0: four walls a metre thick.
///
/// # Errors
/// A size or a material that the world refuses.
pub fn room(world: &mut World, size: Vec2, material: Material) -> Result<BodyId, Error> {
    let half = 0.5 * size.x;
    let flat = Shape::rect(size.x + 2.0, 1.0);
    let wall = Shape::rect(1.0, size.y);
    let room = BodyDef::fixed().shape(flat.clone().at([0.0, -0.5])).shape(flat.at([0.0, size.y + 0.5]));
    let room = room.shape(wall.clone().at([-half - 0.5, 0.5 * size.y]));
    world.add(room.shape(wall.at([half + 0.5, 0.5 * size.y])).material(material))
}

/// One of every kind of shape that a moving body can have, about `size` metres across.
pub fn any_shape(random: &mut Random, size: f32) -> Shape {
    let half = 0.5 * size;
    match random.below(10) {
        0 => Shape::circle(half),
        1 => Shape::capsule([-half, 0.0], [half, 0.1 * size], 0.3 * half),
        2 => Shape::regular(3 + random.below(5), half),
        3 => Shape::rect(size, 0.6 * size).rounded(0.1 * size),
        4 => star(5, half, 0.5),
        5 => {
            Shape::compound([Shape::rect(size, 0.3 * size), Shape::circle(0.3 * half).at([half, 0.2 * size])])
        }
        6 => Shape::triangle([-half, -half], [half, -0.8 * half], [0.2 * half, half]),
        7 => Shape::circle(0.7 * half).at([0.2 * half, 0.1 * half]),
        _ => Shape::rect(size, random.range(0.4, 1.0) * size),
    }
}

/// A polar shape of `count` points, with as many notches of `depth` between them.
pub fn star(count: u32, radius: f32, depth: f32) -> Shape {
    let point = |k: u32| {
        let reach = if k.is_multiple_of(2) { radius } else { depth * radius };
        let angle = core::f32::consts::PI * k as f32 / count as f32;
        Rot::from_angle(angle) * vec2(reach, 0.0)
    };
    Shape::polar(&(0..2 * count).map(point).collect::<Vec<_>>())
}
