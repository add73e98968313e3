//! Observations as data: columns of numbers that show a world after a step.
//!
//! In: bodies and joints of the start world. Out: an item of a spec, with a name for each of its
//! columns. `reading.rs` reads the numbers.

use glam::Vec2;

use super::error::{Fault, Field, Rule, finite, fits, positive};
use super::reading::{BodyReading, ContactReading, Fan, JointReading, MOST_RAYS, Reading};
use super::title;
use crate::body::{BodyId, JointId};
use crate::world::World;

/// The component of a vector that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    X,
    Y,
}

/// One or several columns that show something of a world after each step.
///
/// Positions are in metres, velocities in m/s, angles in radians, forces in N, impulses in N s. A
/// number x is shown as `offset + scale * x`. If the body or joint is gone, all columns are 0.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Batch, Observation, Spec};
///
/// let mut world = World::default();
/// world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
/// let pad = world.add(BodyDef::fixed().at([4.0, 0.1]).shape(Shape::rect(2.0, 0.2)))?;
/// let hull = world.add(BodyDef::dynamic().at([1.0, 3.0]).shape(Shape::rect(1.0, 1.0)))?;
/// let spec = Spec::new()
///     .observation(Observation::position(hull).relative_to(pad))
///     .observation(Observation::sine_and_cosine(hull))
///     .observation(Observation::touches(hull).with_body(pad))
///     .observation(Observation::rays(hull, 3, 10.0).fan(-1.0, 1.0).name("lidar"));
/// assert_eq!(
///     spec.observation_names()[4..],
///     ["body#2v1.touches.body#1v1", "lidar.0", "lidar.1", "lidar.2"]
/// );
/// let batch = Batch::new(&world, 2)?.spec(&spec)?;
/// assert!((batch.observation(0)[1] - -3.0).abs() < 1e-5); // x of the hull, seen from the pad
/// assert_eq!(batch.observation(4), [0.0, 0.0]); // it does not touch the pad
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    name: Option<String>,
    misfit: Option<Field>,
    reading: Reading,
    component: Option<Component>,
    scale: f32,
    offset: f32,
}

/// An observation as a batch reads it, without its name.
#[derive(Clone, Debug)]
pub(super) struct ObservationRun {
    pub(super) reading: Reading,
    pub(super) component: Option<Component>,
    pub(super) scale: f32,
    pub(super) offset: f32,
    /// Number of columns.
    pub(super) width: usize,
    /// Ends of the rays of a fan, in the frame of the body or of the world.
    pub(super) rays: Vec<Vec2>,
}

impl Observation {
    fn new(reading: Reading) -> Observation {
        Observation { name: None, misfit: None, reading, component: None, scale: 1.0, offset: 0.0 }
    }

    fn of_body(body: BodyId, of: BodyReading) -> Observation {
        Observation::new(Reading::Body { body, other: None, of })
    }

    fn of_joint(joint: JointId, of: JointReading) -> Observation {
        Observation::new(Reading::Joint { joint, of })
    }

    fn of_contacts(body: BodyId, of: ContactReading) -> Observation {
        Observation::new(Reading::Contacts { body, other: None, of })
    }

    /// x and y of a body's origin.
    #[must_use]
    pub fn position(body: BodyId) -> Observation {
        Observation::of_body(body, BodyReading::Position)
    }

    /// The angle of a body, in -pi to pi.
    #[must_use]
    pub fn angle(body: BodyId) -> Observation {
        Observation::of_body(body, BodyReading::Angle)
    }

    /// Sine and cosine of a body's angle, in this order: two numbers that do not jump where the
    /// angle passes pi.
    #[must_use]
    pub fn sine_and_cosine(body: BodyId) -> Observation {
        Observation::of_body(body, BodyReading::SineAndCosine)
    }

    /// x and y of the velocity of a body's centre of mass.
    #[must_use]
    pub fn velocity(body: BodyId) -> Observation {
        Observation::of_body(body, BodyReading::Velocity)
    }

    /// Angular velocity of a body, in rad/s, counter-clockwise.
    #[must_use]
    pub fn spin(body: BodyId) -> Observation {
        Observation::of_body(body, BodyReading::Spin)
    }

    /// Angle of a joint: see [`JointState::angle`](crate::JointState::angle).
    #[must_use]
    pub fn joint_angle(joint: JointId) -> Observation {
        Observation::of_joint(joint, JointReading::Angle)
    }

    /// How fast the angle of a joint changes, in rad/s.
    #[must_use]
    pub fn joint_spin(joint: JointId) -> Observation {
        Observation::of_joint(joint, JointReading::Spin)
    }

    /// Length of a joint, or extension along its axis: see
    /// [`JointState::length`](crate::JointState::length).
    #[must_use]
    pub fn joint_length(joint: JointId) -> Observation {
        Observation::of_joint(joint, JointReading::Length)
    }

    /// How fast the length of a joint changes, in m/s.
    #[must_use]
    pub fn joint_speed(joint: JointId) -> Observation {
        Observation::of_joint(joint, JointReading::Speed)
    }

    /// x and y of the force of a joint on its second body: see
    /// [`JointState::force`](crate::JointState::force).
    #[must_use]
    pub fn joint_force(joint: JointId) -> Observation {
        Observation::of_joint(joint, JointReading::Force)
    }

    /// The torque of a joint on its second body, in N m.
    #[must_use]
    pub fn joint_torque(joint: JointId) -> Observation {
        Observation::of_joint(joint, JointReading::Torque)
    }

    /// 1 if a body touches something solid, else 0. With [`Observation::with_body`]: if it touches
    /// this body, or is in a sensor of it.
    #[must_use]
    pub fn touches(body: BodyId) -> Observation {
        Observation::of_contacts(body, ContactReading::Touches)
    }

    /// Sum of the normal impulses of a body's contacts in the last step, in N s.
    #[must_use]
    pub fn contact_impulse(body: BodyId) -> Observation {
        Observation::of_contacts(body, ContactReading::Impulse)
    }

    /// How many pairs of parts a body's contacts are.
    #[must_use]
    pub fn contact_count(body: BodyId) -> Observation {
        Observation::of_contacts(body, ContactReading::Count)
    }

    /// How far each of `count` rays gets that start at a body's origin: a share of `reach` metres,
    /// 1 where nothing is hit. The rays do not see the body itself, nor sensors.
    ///
    /// They are spread evenly over the whole circle, the first one along the x axis of the body's
    /// frame, unless [`Observation::fan`] says otherwise.
    #[must_use]
    pub fn rays(body: BodyId, count: usize, reach: f32) -> Observation {
        let fan = Fan { count, angles: None, turns: true };
        Observation::new(Reading::Rays { body, at: Vec2::ZERO, mask: u64::MAX, reach, fan })
    }

    /// Distance from a body's origin to the nearest shape of another body, in metres; below 0
    /// inside of one. `reach` where none is nearer. Sensors do not count.
    #[must_use]
    pub fn nearest_distance(body: BodyId, reach: f32) -> Observation {
        Observation::new(Reading::Nearest { body, at: Vec2::ZERO, mask: u64::MAX, reach })
    }

    /// Shows position, angle, velocity or spin as seen from another body, in its frame: a velocity
    /// is that against the point of the other body that is there.
    #[must_use]
    pub fn relative_to(mut self, body: BodyId) -> Observation {
        match &mut self.reading {
            Reading::Body { other, .. } => *other = Some(body),
            _ => self.misfit = Some(Field::Other),
        }
        self
    }

    /// Counts only contacts with another body: touches, impulses, or contacts.
    #[must_use]
    pub fn with_body(mut self, body: BodyId) -> Observation {
        match &mut self.reading {
            Reading::Contacts { other, .. } => *other = Some(body),
            _ => self.misfit = Some(Field::Other),
        }
        self
    }

    /// Starts rays, or measures the nearest distance, at a point of the body, given in its frame.
    #[must_use]
    pub fn at(mut self, point: impl Into<Vec2>) -> Observation {
        match &mut self.reading {
            Reading::Rays { at, .. } | Reading::Nearest { at, .. } => *at = point.into(),
            _ => self.misfit = Some(Field::At),
        }
        self
    }

    /// Spreads rays evenly from the angle `first` to the angle `last`, both included; a single ray
    /// has the angle `first`. Angles are in radians, counter-clockwise from the x axis.
    #[must_use]
    pub fn fan(mut self, first: f32, last: f32) -> Observation {
        match &mut self.reading {
            Reading::Rays { fan, .. } => fan.angles = Some([first, last]),
            _ => self.misfit = Some(Field::Fan),
        }
        self
    }

    /// Keeps the directions of rays in the world, so that they do not turn with the body.
    #[must_use]
    pub fn in_world_frame(mut self) -> Observation {
        match &mut self.reading {
            Reading::Rays { fan, .. } => fan.turns = false,
            _ => self.misfit = Some(Field::Frame),
        }
        self
    }

    /// Lets rays, or the nearest distance, find only shapes with a category in `categories`: see
    /// [`QueryFilter::mask`](crate::QueryFilter::mask).
    #[must_use]
    pub fn mask(mut self, categories: u64) -> Observation {
        match &mut self.reading {
            Reading::Rays { mask, .. } | Reading::Nearest { mask, .. } => *mask = categories,
            _ => self.misfit = Some(Field::Mask),
        }
        self
    }

    /// Shows only x of a position, a velocity or a force.
    #[must_use]
    pub fn only_x(self) -> Observation {
        self.only(Component::X)
    }

    /// Shows only y of a position, a velocity or a force.
    #[must_use]
    pub fn only_y(self) -> Observation {
        self.only(Component::Y)
    }

    fn only(mut self, component: Component) -> Observation {
        if self.reading.is_vector() {
            self.component = Some(component);
        } else {
            self.misfit = Some(Field::Component);
        }
        self
    }

    /// Multiplies the columns by `scale`; 1 by default.
    #[must_use]
    pub fn scale(mut self, scale: f32) -> Observation {
        self.scale = scale;
        self
    }

    /// Adds `offset` to the columns, after the scale; 0 by default.
    #[must_use]
    pub fn offset(mut self, offset: f32) -> Observation {
        self.offset = offset;
        self
    }

    /// Names the columns: where there are several, a component or number is added.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Observation {
        self.name = Some(name.into());
        self
    }

    /// Whether it is a fan of rays or a nearest distance.
    pub(super) fn is_query(&self) -> bool {
        matches!(self.reading, Reading::Rays { .. } | Reading::Nearest { .. })
    }

    /// Number of its columns.
    pub(super) fn width(&self) -> usize {
        if self.component.is_some() { 1 } else { self.reading.width() }
    }

    /// Names of its columns.
    pub(super) fn titles(&self) -> Vec<String> {
        let (target, what) = self.reading.words();
        let base = title(self.name.as_deref(), &target, &what);
        let parts: [&str; 2] = match self.reading {
            Reading::Body { of: BodyReading::SineAndCosine, .. } => ["sine", "cosine"],
            _ => ["x", "y"],
        };
        match self.component {
            Some(_) if self.name.is_some() => vec![base],
            Some(component) => vec![format!("{base}.{}", parts[component as usize])],
            None if matches!(self.reading, Reading::Rays { .. }) => {
                (0..self.width()).map(|ray| format!("{base}.{ray}")).collect()
            }
            None if self.width() == 2 => parts.iter().map(|part| format!("{base}.{part}")).collect(),
            None => vec![base],
        }
    }

    /// Checks that a world has the bodies or the joint, and that all numbers are in range.
    pub(super) fn check(&self, world: &World) -> Result<(), Fault> {
        fits(self.misfit)?;
        let exists = |field: Field, body: BodyId| world.get(body).map(drop).ok_or((field, Rule::NoSuchBody));
        match self.reading {
            Reading::Body { body, other, .. } | Reading::Contacts { body, other, .. } => {
                exists(Field::Body, body)?;
                other.map_or(Ok(()), |other| exists(Field::Other, other))?;
                if other == Some(body) {
                    return Err((Field::Other, Rule::SameBody));
                }
            }
            Reading::Joint { joint, .. } => {
                world.get_joint(joint).map(drop).ok_or((Field::Joint, Rule::NoSuchJoint))?;
            }
            Reading::Rays { body, at, reach, fan, .. } => {
                exists(Field::Body, body)?;
                finite(Field::At, &at.to_array())?;
                positive(Field::Reach, reach)?;
                finite(Field::Fan, &fan.angles.unwrap_or_default())?;
                if !(1..=MOST_RAYS).contains(&fan.count) {
                    return Err((Field::Count, Rule::NoCount));
                }
            }
            Reading::Nearest { body, at, reach, .. } => {
                exists(Field::Body, body)?;
                finite(Field::At, &at.to_array())?;
                positive(Field::Reach, reach)?;
            }
        }
        finite(Field::Scale, &[self.scale])?;
        finite(Field::Offset, &[self.offset])
    }

    /// Compiles it; it was checked.
    pub(super) fn run(&self) -> ObservationRun {
        let rays = match self.reading {
            Reading::Rays { reach, fan, .. } => fan.rays(reach),
            _ => Vec::new(),
        };
        let Observation { reading, component, scale, offset, .. } = *self;
        ObservationRun { reading, component, scale, offset, width: self.width(), rays }
    }
}
