//! Builds a world from a level.
//!
//! In: definitions under names. Out: a world made by public calls, in the order of the level, and
//! the ids behind the names; or the name of the definition that is wrong.

use std::collections::BTreeMap;

use super::{Level, LevelBody, LevelError, LevelJoint};
use crate::body::{BodyId, JointId, ShapeId};
use crate::error::Error;
use crate::joint::JointKind;
use crate::world::World;

/// The ids behind the names, in a world that was made from a [`Level`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelIds {
    bodies: BTreeMap<String, BodyId>,
    shapes: BTreeMap<String, BTreeMap<String, ShapeId>>,
    joints: BTreeMap<String, JointId>,
}

impl LevelIds {
    /// The body of this name.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        self.bodies.get(name).copied()
    }

    /// The shape of this name, of the body of that name.
    #[must_use]
    pub fn shape(&self, body: &str, name: &str) -> Option<ShapeId> {
        self.shapes.get(body)?.get(name).copied()
    }

    /// The joint of this name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<JointId> {
        self.joints.get(name).copied()
    }

    /// All names of bodies, in alphabetical order.
    pub fn bodies(&self) -> impl Iterator<Item = (&str, BodyId)> {
        self.bodies.iter().map(|(name, &id)| (name.as_str(), id))
    }

    /// All names of joints, in alphabetical order.
    pub fn joints(&self) -> impl Iterator<Item = (&str, JointId)> {
        self.joints.iter().map(|(name, &id)| (name.as_str(), id))
    }
}

impl Level {
    /// Builds a world from the definitions, and returns the ids behind their names. The same level
    /// makes the same world, to the bit, on every machine.
    ///
    /// # Errors
    /// The first rule that a definition breaks, and the name of the body or joint that does.
    pub fn to_world(&self) -> Result<(World, LevelIds), LevelError> {
        let mut world = World::try_new(self.world).map_err(LevelError::World)?;
        let mut ids = LevelIds::default();
        for body in &self.bodies {
            ids.add_body(&mut world, body)?;
        }
        for joint in &self.joints {
            ids.add_joint(&mut world, joint)?;
        }
        Ok((world, ids))
    }
}

impl LevelIds {
    fn add_body(&mut self, world: &mut World, body: &LevelBody) -> Result<(), LevelError> {
        let name = || body.name.clone();
        let id = world.add(body.def.clone()).map_err(|error| match bad_shape(body) {
            Some((shape, error)) => LevelError::Shape { body: name(), shape, error },
            None => LevelError::Body { body: name(), error },
        })?;
        if self.bodies.insert(name(), id).is_some() {
            return Err(LevelError::Twice(name()));
        }
        let shapes: Vec<ShapeId> = world.shapes_of(id).map(|(shape, _)| shape).collect();
        for (number, (said, &shape)) in body.shapes.iter().zip(&shapes).enumerate() {
            if let Some(area) = said.area {
                world.set_area(shape, Some(area)).map_err(|error| LevelError::Shape {
                    body: name(),
                    shape: number,
                    error,
                })?;
            }
            let Some(of_shape) = &said.name else { continue };
            if self.shapes.entry(name()).or_default().insert(of_shape.clone(), shape).is_some() {
                return Err(LevelError::Twice(of_shape.clone()));
            }
        }
        Ok(())
    }

    fn add_joint(&mut self, world: &mut World, joint: &LevelJoint) -> Result<(), LevelError> {
        let name = || joint.name.clone();
        let mut def = joint.def;
        if let JointKind::Gear { first, second, .. } = &mut def.kind {
            let geared = joint.geared.as_ref().ok_or_else(|| LevelError::Loose { joint: name() })?;
            let find = |other: &String| {
                let none = || LevelError::NoSuchJoint { joint: name(), geared: other.clone() };
                self.joints.get(other).copied().ok_or_else(none)
            };
            (*first, *second) = (find(&geared[0])?, find(&geared[1])?);
        } else {
            let find = |body: &String| {
                let none = || LevelError::NoSuchBody { joint: name(), body: body.clone() };
                self.bodies.get(body).copied().ok_or_else(none)
            };
            let [body_a, body_b] = &joint.bodies;
            let body_b = body_b.as_ref().ok_or_else(|| LevelError::Loose { joint: name() })?;
            def.body_a = body_a.as_ref().map(find).transpose()?;
            def.body_b = find(body_b)?;
        }
        let id = world.add_joint(def).map_err(|error| LevelError::Joint { joint: name(), error })?;
        match self.joints.insert(name(), id) {
            Some(_) => Err(LevelError::Twice(name())),
            None => Ok(()),
        }
    }
}

/// Which shape of a refused body is at fault, if the body would do without it.
fn bad_shape(body: &LevelBody) -> Option<(usize, Error)> {
    let mut alone = World::default();
    let mut def = body.def.clone();
    for (number, shape) in body.def.shapes.iter().enumerate() {
        def.shapes = Vec::new();
        alone.add(def.clone()).ok()?;
        def.shapes = vec![shape.clone()];
        if let Err(error) = alone.add(def.clone()) {
            return Some((number, error));
        }
    }
    None
}
