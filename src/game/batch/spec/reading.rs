//! Reads observations of a world.
//!
//! In: a world after a step, and the checked observations of a spec. Out: one number for each
//! column. Consecutive observations of one joint compute its state once.

use core::f32::consts::TAU;

use glam::Vec2;

use super::contacts::Contacts;
use super::observation::{Component, ObservationRun};
use crate::body::{Body, BodyId, JointId};
use crate::math::Rot;
use crate::world::{JointState, QueryFilter, World, WorldRay};

/// Most rays of a fan.
pub(super) const MOST_RAYS: usize = 4096;

/// The quantity that an observation reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reading {
    Body { body: BodyId, other: Option<BodyId>, of: BodyReading },
    Joint { joint: JointId, of: JointReading },
    Contacts { body: BodyId, other: Option<BodyId>, of: ContactReading },
    Rays { body: BodyId, at: Vec2, mask: u64, reach: f32, fan: Fan },
    Nearest { body: BodyId, at: Vec2, mask: u64, reach: f32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyReading {
    Position,
    Angle,
    SineAndCosine,
    Velocity,
    Spin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointReading {
    Angle,
    Spin,
    Length,
    Speed,
    Force,
    Torque,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContactReading {
    Touches,
    Impulse,
    Count,
}

/// Directions of rays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fan {
    pub(super) count: usize,
    /// Angles of the first and the last ray; `None` for the whole circle.
    pub(super) angles: Option<[f32; 2]>,
    /// Whether the fan turns with the body.
    pub(super) turns: bool,
}

impl Fan {
    /// The end of each ray, seen from its start.
    pub(super) fn rays(self, reach: f32) -> Vec<Vec2> {
        let (first, step) = match self.angles {
            None => (0.0, TAU / self.count as f32),
            Some([first, last]) => {
                let gaps = if self.count > 1 { self.count - 1 } else { 1 };
                (first, (last - first) / gaps as f32)
            }
        };
        let end = |ray: usize| reach * Rot::from_angle(first + step * ray as f32).x_axis();
        (0..self.count).map(end).collect()
    }
}

impl Reading {
    /// Whether it has an x and a y.
    pub(super) fn is_vector(&self) -> bool {
        matches!(
            self,
            Reading::Body { of: BodyReading::Position | BodyReading::Velocity, .. }
                | Reading::Joint { of: JointReading::Force, .. }
        )
    }

    /// Number of columns.
    pub(super) fn width(&self) -> usize {
        match self {
            // A spec that was not checked may ask for any number.
            Reading::Rays { fan, .. } => fan.count.min(MOST_RAYS),
            Reading::Body { of: BodyReading::SineAndCosine, .. } => 2,
            _ if self.is_vector() => 2,
            _ => 1,
        }
    }

    /// The id of the body or joint, and the quantity: for names of columns.
    pub(super) fn words(&self) -> (String, String) {
        let beside = |what: &str, other: Option<BodyId>| match other {
            Some(other) => format!("{what}.{other}"),
            None => what.to_owned(),
        };
        match *self {
            Reading::Body { body, other, of } => {
                let what = match of {
                    BodyReading::Position => "position",
                    BodyReading::Angle | BodyReading::SineAndCosine => "angle",
                    BodyReading::Velocity => "velocity",
                    BodyReading::Spin => "spin",
                };
                (body.to_string(), beside(what, other))
            }
            Reading::Contacts { body, other, of } => {
                let what = match of {
                    ContactReading::Touches => "touches",
                    ContactReading::Impulse => "contact_impulse",
                    ContactReading::Count => "contact_count",
                };
                (body.to_string(), beside(what, other))
            }
            Reading::Joint { joint, of } => {
                let what = match of {
                    JointReading::Angle => "angle",
                    JointReading::Spin => "spin",
                    JointReading::Length => "length",
                    JointReading::Speed => "speed",
                    JointReading::Force => "force",
                    JointReading::Torque => "torque",
                };
                (joint.to_string(), what.to_owned())
            }
            Reading::Rays { body, .. } => (body.to_string(), "rays".to_owned()),
            Reading::Nearest { body, .. } => (body.to_string(), "nearest_distance".to_owned()),
        }
    }
}

/// A number or two.
#[derive(Clone, Copy)]
enum Value {
    One(f32),
    Two([f32; 2]),
}

/// The state of the joint that was read last.
type LastJoint = Option<(JointId, Option<JointState>)>;

/// Writes all observations of a world into its row, which is all 0.
pub(super) fn read(observations: &[ObservationRun], world: &World, mut row: &mut [f32]) {
    let mut last = None;
    for observation in observations {
        let Some((own, rest)) = row.split_at_mut_checked(observation.width) else { return };
        observation.read(world, &mut last, own);
        row = rest;
    }
}

impl ObservationRun {
    fn read(&self, world: &World, last: &mut LastJoint, row: &mut [f32]) {
        let value = match self.reading {
            Reading::Body { body, other, of } => of_body(world, body, other, of),
            Reading::Joint { joint, of } => {
                if last.as_ref().is_none_or(|(known, _)| *known != joint) {
                    *last = Some((joint, world.joint_state(joint)));
                }
                last.as_ref().and_then(|(_, state)| state.as_ref()).map(|state| of_joint(state, of))
            }
            Reading::Contacts { body, other, of } => {
                Contacts::of(world, body, other).map(|contacts| of_contacts(contacts, of))
            }
            Reading::Rays { body, at, mask, fan, .. } => {
                self.cast_rays(world, (body, at), (mask, fan.turns), row);
                None
            }
            Reading::Nearest { body, at, mask, reach } => world.get(body).map(|row| {
                let filter = QueryFilter::default().without(body).mask(mask);
                let nearest = world.nearest(row.to_world(at), reach, &filter);
                Value::One(nearest.map_or(reach, |nearest| nearest.distance))
            }),
        };
        match (value, row, self.component) {
            (Some(Value::One(value)), [number], _) => *number = self.scaled(value),
            (Some(Value::Two([x, _])), [number], Some(Component::X)) => *number = self.scaled(x),
            (Some(Value::Two([_, y])), [number], Some(Component::Y)) => *number = self.scaled(y),
            (Some(Value::Two([x, y])), [one, two], _) => (*one, *two) = (self.scaled(x), self.scaled(y)),
            _ => {}
        }
    }

    #[inline]
    fn scaled(&self, value: f32) -> f32 {
        self.offset + self.scale * value
    }

    fn cast_rays(
        &self,
        world: &World,
        (id, at): (BodyId, Vec2),
        (mask, turns): (u64, bool),
        row: &mut [f32],
    ) {
        let Some(body) = world.get(id) else { return };
        let from = body.to_world(at);
        let filter = QueryFilter::default().without(id).mask(mask);
        for (number, &end) in row.iter_mut().zip(&self.rays) {
            let end = if turns { body.rotation() * end } else { end };
            let hit = world.ray(WorldRay::new(from, end), &filter);
            *number = self.scaled(hit.map_or(1.0, |hit| hit.fraction));
        }
    }
}

fn of_body(world: &World, body: BodyId, other: Option<BodyId>, of: BodyReading) -> Option<Value> {
    let body = world.get(body)?;
    match other {
        Some(other) => Some(beside(world, body, world.get(other)?, of)),
        None => Some(match of {
            BodyReading::Position => Value::Two(body.position().to_array()),
            BodyReading::Angle => Value::One(body.angle()),
            BodyReading::SineAndCosine => sine_and_cosine(body.rotation()),
            BodyReading::Velocity => Value::Two(body.velocity().to_array()),
            BodyReading::Spin => Value::One(body.angular_velocity()),
        }),
    }
}

/// A body as seen from another one.
fn beside(world: &World, body: &Body, other: &Body, of: BodyReading) -> Value {
    match of {
        BodyReading::Position => {
            let place = world.nearest_image(body.world_position(), other.world_center());
            Value::Two(other.to_local(place).to_array())
        }
        BodyReading::Angle => Value::One((other.rotation().inverse() * body.rotation()).angle()),
        BodyReading::SineAndCosine => sine_and_cosine(other.rotation().inverse() * body.rotation()),
        BodyReading::Velocity => {
            let place = world.nearest_image(body.world_center(), other.world_center());
            let velocity = body.velocity() - other.velocity_at(place);
            Value::Two(other.rotation().inverse_rotate(velocity).to_array())
        }
        BodyReading::Spin => Value::One(body.angular_velocity() - other.angular_velocity()),
    }
}

fn sine_and_cosine(rotation: Rot) -> Value {
    Value::Two([rotation.sin, rotation.cos])
}

fn of_joint(state: &JointState, of: JointReading) -> Value {
    match of {
        JointReading::Angle => Value::One(state.angle),
        JointReading::Spin => Value::One(state.angular_speed),
        JointReading::Length => Value::One(state.length),
        JointReading::Speed => Value::One(state.speed),
        JointReading::Force => Value::Two(state.force.to_array()),
        JointReading::Torque => Value::One(state.torque),
    }
}

fn of_contacts(contacts: Contacts, of: ContactReading) -> Value {
    Value::One(match of {
        ContactReading::Touches => f32::from(u8::from(contacts.any())),
        ContactReading::Impulse => contacts.impulse(),
        ContactReading::Count => contacts.count() as f32,
    })
}
