//! Levels (scene files): definitions of bodies, shapes and joints under names, as text.
//!
//! In: a file that a person or an editor wrote, in any format of serde; or a world. Out: a world
//! and the ids behind the names; or the file. Called by programs, tools and editors; nothing here
//! is part of a step.
//!
//! ```text
//!   format.rs   how a level is written down, and read in any version there was
//!   joints.rs   joints between names
//!   build.rs    a level as a world           save.rs   a world as a level
//! ```

mod build;
mod format;
mod joints;
mod save;

use core::fmt;

use crate::body::{BodyDef, BodyId};
use crate::error::Error;
use crate::joint::JointDef;
use crate::step::areas::Area;
use crate::world::WorldDef;

pub use build::LevelIds;

/// The version of the format that is written.
pub(super) const LEVEL_VERSION: u32 = 1;

/// A world as named definitions, written by a level editor, a map converter or a person.
///
/// It goes through serde, so any format does: JSON by `serde_json`, RON by `ron`. It needs the
/// feature `serde`. Fields that a file leaves out have the defaults of the builders, so that a
/// short level is a short file:
///
/// ```json
/// {
///     "version": 1,
///     "bodies": {
///         "ground": { "shapes": [{ "shape": { "rect": { "size": [20, 1] } } }] },
///         "crate": { "kind": "Dynamic", "position": [0, 3],
///                    "shapes": [{ "shape": { "rect": { "size": [1, 1] } }, "weight": { "Mass": 20 } }] }
///     },
///     "joints": {
///         "rope": { "kind": "Rope", "body_b": "crate", "anchor_a": { "World": [0, 5] },
///                   "drive": { "limits": { "lower": 0, "upper": 2 } } }
///     }
/// }
/// ```
///
/// `let level: Level = serde_json::from_str(text)?` reads it, `let (mut world, ids) =
/// level.to_world()?` makes it a world, and `ids.body("crate")` is the id of the crate.
///
/// # What it holds, and what not
///
/// [`World::to_level`](crate::World::to_level) writes a world down as it stands: the definition of
/// the world; the pose, velocities, sleep, shapes, surfaces, filters, areas and present tile maps
/// of every body; and the definition of every joint, with open values filled in. A world that was
/// made from a level, saved and made again has the same [`hash`](crate::World::hash): nothing is
/// lost on that way. (In a world that has made steps, some positions and angles are rounded once,
/// by a last bit, because origin and angle cannot give the centre of mass exactly.)
///
/// It does not hold the state of a running simulation: contacts and their impulses, sleep timers,
/// forces not yet applied, targets of `move_to`, turns of hinges, state of hooks, ids, and joints
/// that a sticky surface made, which it makes again at the next touch. Snapshots hold the running
/// state ([`World::save_whole_into`](crate::World::save_whole_into)), which only this version of
/// carom reads.
///
/// # Versions
///
/// A file says its version, which is 1. Later versions of carom read it: the default of an added
/// field is the behaviour before it was added, and files of earlier versions are kept as tests. A
/// file of an unknown version is refused by an error that says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// How the world behaves as a whole.
    pub world: WorldDef,
    /// The bodies, in the order in which they are added. No two have one name.
    pub bodies: Vec<LevelBody>,
    /// The joints, in the order in which they are added. No two have one name.
    pub joints: Vec<LevelJoint>,
}

/// A body of a [`Level`].
#[derive(Clone, Debug, PartialEq)]
pub struct LevelBody {
    /// Its name, for joints and the program.
    pub name: String,
    /// Its definition.
    pub def: BodyDef,
    /// Names and areas of its shapes, in their order; shapes beyond the end of this list have none.
    pub shapes: Vec<LevelShape>,
}

impl LevelBody {
    /// A body under a name, whose shapes have none.
    #[must_use]
    pub fn new(name: impl Into<String>, def: BodyDef) -> LevelBody {
        LevelBody { name: name.into(), def, shapes: Vec::new() }
    }
}

/// Name and area of a shape of a [`Level`], besides its definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelShape {
    /// Its name for the program, if it has one; unique within the body.
    pub name: Option<String>,
    /// Its area, if it is a sensor.
    pub area: Option<Area>,
}

/// A joint of a [`Level`].
#[derive(Clone, Debug, PartialEq)]
pub struct LevelJoint {
    /// Its name, for gears and the program.
    pub name: String,
    /// The names of its bodies; `None` for the world itself. A gear has the bodies of its joints.
    pub bodies: [Option<String>; 2],
    /// The names of the joints that a gear couples.
    pub geared: Option<[String; 2]>,
    /// Its definition. The ids in it are stand-ins: names take their place.
    pub def: JointDef,
}

impl LevelJoint {
    /// A joint from a body, or the world, to another body, made by a constructor that is given
    /// stand-ins for both.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Level, LevelBody, LevelJoint};
    ///
    /// let mut level = Level::default();
    /// level.bodies.push(LevelBody::new("post", BodyDef::fixed().shape(Shape::rect(0.2, 2.0))));
    /// level.bodies.push(LevelBody::new("door", BodyDef::dynamic().shape(Shape::rect(1.0, 0.1))));
    /// let hinge = |post, door| JointDef::revolute(post, door).limits(-1.5, 1.5);
    /// level.joints.push(LevelJoint::new("hinge", "post", "door", hinge));
    /// let (world, ids) = level.to_world().expect("a level");
    /// assert_eq!(world[ids.joint("hinge").expect("it is there")].def().body_b, ids.body("door").expect("too"));
    /// ```
    #[must_use]
    pub fn new<'a>(
        name: impl Into<String>,
        body_a: impl Into<Option<&'a str>>,
        body_b: impl Into<String>,
        make: impl FnOnce(Option<BodyId>, BodyId) -> JointDef,
    ) -> LevelJoint {
        let body_a = body_a.into().map(str::to_owned);
        let def = make(body_a.is_some().then(joints::stand_in), joints::stand_in());
        LevelJoint { name: name.into(), bodies: [body_a, Some(body_b.into())], geared: None, def }
    }
}

/// Why a level is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelError {
    /// The definition of the world breaks a rule.
    World(Error),
    /// A body breaks a rule, with all of its shapes.
    Body {
        /// Its name.
        body: String,
        /// The rule.
        error: Error,
    },
    /// A shape breaks a rule, or its area does.
    Shape {
        /// The name of its body.
        body: String,
        /// Its number among the shapes of the body, from 0.
        shape: usize,
        /// The rule.
        error: Error,
    },
    /// A joint breaks a rule.
    Joint {
        /// Its name.
        joint: String,
        /// The rule.
        error: Error,
    },
    /// A joint names a body that is not in the level.
    NoSuchBody {
        /// The name of the joint.
        joint: String,
        /// The name that no body has.
        body: String,
    },
    /// A gear names a joint that does not come before it.
    NoSuchJoint {
        /// The name of the gear.
        joint: String,
        /// The name that no joint before it has.
        geared: String,
    },
    /// A joint says nothing of its second body, or a gear of its two joints.
    Loose {
        /// The name of the joint.
        joint: String,
    },
    /// Two bodies, two joints, or two shapes of one body have one name.
    Twice(String),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::World(error) => write!(f, "world: {error}"),
            LevelError::Body { body, error } => write!(f, "body {body:?}: {error}"),
            LevelError::Shape { body, shape, error } => write!(f, "body {body:?}, shape {shape}: {error}"),
            LevelError::Joint { joint, error } => write!(f, "joint {joint:?}: {error}"),
            LevelError::NoSuchBody { joint, body } => write!(f, "joint {joint:?}: there is no body {body:?}"),
            LevelError::NoSuchJoint { joint, geared } => {
                write!(f, "joint {joint:?}: there is no joint {geared:?} before it")
            }
            LevelError::Loose { joint } => {
                write!(f, "joint {joint:?}: it needs a `body_b`, or a gear two joints")
            }
            LevelError::Twice(name) => write!(f, "the name {name:?} is there twice"),
        }
    }
}

impl core::error::Error for LevelError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            LevelError::World(error)
            | LevelError::Body { error, .. }
            | LevelError::Shape { error, .. }
            | LevelError::Joint { error, .. } => Some(error),
            _ => None,
        }
    }
}
