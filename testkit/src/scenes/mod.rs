//! The ten scenes on which 2D engines are compared, a file each, in no engine's words.
//!
//! In: a [`Stage`] to fill; `versus` has one for each engine, [`CaromStage`] is carom alone. Out: a
//! [`Script`] to be called before each step, and what nothing may leave. All scenes: steps of
//! 1/60 s in 4 sub-steps, density 1, friction 0.6 and restitution 0 unless a file says otherwise.
//!
//! Three more stand beside them, of kinds that the ten have little of: [`MORE`]. To add one: a file
//! with a `SCENE`, and its line in one of both. [`wild`] draws scenes from seeds.

mod compounds;
mod gravel;
mod hanging_chains;
pub mod joint_grid;
mod junkyard;
mod large_pyramid;
mod many_pyramids;
mod rain;
mod smash;
mod spinner;
mod sticks;
mod tumbler;
mod washer;

pub mod defs;
pub mod plan;
pub mod small;
pub mod stage;
pub mod wild;

use carom::{Vec2, vec2};

use plan::{BodyPlan, Handle, Part};
pub use stage::{CaromStage, Stage};

/// A scene before it is built.
#[derive(Clone, Copy)]
pub struct Scene {
    /// By which it is asked for.
    pub name: &'static str,
    /// How many steps it is played for.
    pub steps: usize,
    /// In m/s².
    pub gravity: Vec2,
    /// Whether bodies may sleep.
    pub sleep: bool,
    /// Adds all that is there at the start.
    pub build: fn(&mut dyn Stage) -> Play,
}

/// What is done before each step, given its number.
pub type Script = Box<dyn FnMut(&mut dyn Stage, usize)>;

/// What goes on in a scene that was built.
pub struct Play {
    /// Called before each step.
    pub script: Script,
    /// What nothing may leave, if there is such a thing.
    pub container: Option<Container>,
}

impl Play {
    /// Nothing is done, and there is nothing to leave.
    fn still() -> Play {
        Play { script: Box::new(|_, _| {}), container: None }
    }

    fn within(container: Container) -> Play {
        Play { container: Some(container), ..Play::still() }
    }
}

/// What dynamic bodies must not leave with their centres of mass. It moves with a body.
#[derive(Clone, Copy, Debug)]
pub enum Container {
    /// Round.
    Disc {
        /// The body that it is made of.
        of: Handle,
        /// In m.
        radius: f32,
    },
    /// As wide as high.
    Square {
        /// The body that it is made of.
        of: Handle,
        /// Half its side, in m.
        half: f32,
    },
    /// Open at the top.
    Pit {
        /// The body that it is made of.
        of: Handle,
        /// From its middle to either wall, in m.
        half_width: f32,
        /// How high it lies, in m.
        floor: f32,
    },
}

impl Container {
    /// The body that it is made of, and which is not to be in it.
    pub fn of(self) -> Handle {
        match self {
            Container::Disc { of, .. } | Container::Square { of, .. } | Container::Pit { of, .. } => of,
        }
    }

    /// Whether it holds a point in the frame of its body. NaN is nowhere.
    pub fn holds(self, point: Vec2) -> bool {
        match self {
            Container::Disc { radius, .. } => point.length() <= radius,
            Container::Square { half, .. } => point.abs().max_element() <= half && point.is_finite(),
            Container::Pit { half_width, floor, .. } => point.x.abs() <= half_width && point.y >= floor,
        }
    }
}

const GRAVITY: Vec2 = Vec2::new(0.0, -10.0);

/// In the order of the tables.
pub const ALL: [Scene; 10] = [
    large_pyramid::SCENE,
    many_pyramids::SCENE,
    joint_grid::SCENE,
    smash::SCENE,
    tumbler::SCENE,
    washer::SCENE,
    spinner::SCENE,
    rain::SCENE,
    junkyard::SCENE,
    compounds::SCENE,
];

/// What the ten have little of: raced only when asked for by name.
pub const MORE: [Scene; 3] = [sticks::SCENE, hanging_chains::SCENE, gravel::SCENE];

/// The scene of that name.
///
/// # Errors
/// There is none; the message names those there are.
pub fn find(name: &str) -> Result<Scene, String> {
    let all = ALL.into_iter().chain(MORE);
    all.clone().find(|scene| scene.name == name).ok_or_else(|| {
        let known: Vec<&str> = all.map(|scene| scene.name).collect();
        format!("there is no scene '{name}'; there are {}", known.join(", "))
    })
}

/// A pit of fixed boxes on one body: a floor along y = 0, and walls of `height` boxes that stand
/// beside it.
///
/// ```text
///   #          #
///   #          #   half width, from the middle to the middle of a wall
///   ############
/// ```
fn pit(stage: &mut dyn Stage, half_width: u32, height: u32) -> Handle {
    let reach = half_width as f32;
    let mut pit = BodyPlan::fixed(Vec2::ZERO);
    for k in 0..=2 * half_width {
        pit = pit.part(Part::rect(0.55, 0.5).at(vec2(k as f32 - reach, 0.0)));
    }
    for k in 1..=height {
        for x in [-reach, reach] {
            pit = pit.part(Part::rect(0.5, 0.55).at(vec2(x, k as f32)));
        }
    }
    stage.add(pit)
}

/// The container that a pit is.
fn inside_pit(pit: Handle, half_width: u32) -> Container {
    Container::Pit { of: pit, half_width: half_width as f32 + 0.5, floor: -0.5 }
}
