//! Variations as data: ranges from which a world that begins anew draws its differences.
//!
//! In: a seed, and the ranges of a spec. Out: a world with other positions, velocities, weights,
//! surfaces or motors. A spec draws in the order of its items, so an item added at the end changes
//! no earlier draw.

use glam::Vec2;

use super::super::seed::Draws;
use super::action::{dynamic, has_motor, has_servo, set_motor_speed, set_servo_target};
use super::error::{Fault, Field, Rule, finite, fits};
use crate::body::{BodyId, JointId, Material, ShapeId, Weight};
use crate::error::Error;
use crate::math::Rot;
use crate::shape::Mass;
use crate::world::World;

/// A range from which each world draws when it is reset, by its seed.
///
/// The number that is drawn, all of the range being equally likely, replaces the number that the
/// start world has, or changes it:
///
/// * by default it is set to the drawn number;
/// * [`Variation::added`] adds the drawn number to it;
/// * [`Variation::multiplied`] multiplies it by the drawn number.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Batch, Spec, Variation};
///
/// let mut world = World::default();
/// let cart = world.add(BodyDef::dynamic().shape(Shape::rect(1.0, 0.5)))?;
/// let pole = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(0.1, 1.0)))?;
/// world.add_joint(JointDef::revolute(cart, pole).at([0.0, 0.0]))?;
/// let spec = Spec::new()
///     // The pole leans about its foot, and is up to a fifth heavier or lighter.
///     .variation(Variation::angle(pole, -0.05, 0.05).about([0.0, -0.5]))
///     .variation(Variation::mass(pole, 0.8, 1.2).multiplied())
///     // Cart and pole begin up to 2 m to the side.
///     .variation(Variation::position(cart, [-2.0, 0.0], [2.0, 0.0]).also(pole).added());
/// let mut batch = Batch::new(&world, 100)?.seed(7).spec(&spec)?;
/// batch.reset_all()?;
/// let [first, second] = [0, 1].map(|k| batch.world(k).expect("of a hundred"));
/// assert_ne!(first[pole].angle(), second[pole].angle());
/// assert!(first[cart].position().x.abs() <= 2.0);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    misfit: Option<Field>,
    what: What,
    low: Vec2,
    high: Vec2,
    mode: Mode,
    about: Vec2,
    also: Vec<BodyId>,
}

/// The drawn quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Body(BodyId, Quantity),
    MotorSpeed(JointId),
    ServoTarget(JointId),
    Gravity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    Position,
    Angle,
    Velocity,
    Spin,
    Density,
    Mass,
    Friction,
    Restitution,
    GravityScale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Set,
    Add,
    Multiply,
}

impl Mode {
    fn change<T: core::ops::Add<Output = T> + core::ops::Mul<Output = T>>(self, from: T, drawn: T) -> T {
        match self {
            Mode::Set => drawn,
            Mode::Add => from + drawn,
            Mode::Multiply => from * drawn,
        }
    }
}

impl Variation {
    fn new(what: What, low: Vec2, high: Vec2) -> Variation {
        Variation { misfit: None, what, low, high, mode: Mode::Set, about: Vec2::ZERO, also: Vec::new() }
    }

    fn of_number(body: BodyId, quantity: Quantity, low: f32, high: f32) -> Variation {
        Variation::new(What::Body(body, quantity), Vec2::splat(low), Vec2::splat(high))
    }

    fn of_vector(body: BodyId, quantity: Quantity, low: Vec2, high: Vec2) -> Variation {
        Variation::new(What::Body(body, quantity), low, high)
    }

    /// Varies the position of a body's origin, within the box from `low` to `high`.
    #[must_use]
    pub fn position(body: BodyId, low: impl Into<Vec2>, high: impl Into<Vec2>) -> Variation {
        Variation::of_vector(body, Quantity::Position, low.into(), high.into())
    }

    /// Varies the angle of a body, in radians. It turns about its origin, or about the point of
    /// [`Variation::about`].
    #[must_use]
    pub fn angle(body: BodyId, low: f32, high: f32) -> Variation {
        Variation::of_number(body, Quantity::Angle, low, high)
    }

    /// Varies the velocity of a body, in m/s, within the box from `low` to `high`.
    #[must_use]
    pub fn velocity(body: BodyId, low: impl Into<Vec2>, high: impl Into<Vec2>) -> Variation {
        Variation::of_vector(body, Quantity::Velocity, low.into(), high.into())
    }

    /// Varies the angular velocity of a body, in rad/s.
    #[must_use]
    pub fn spin(body: BodyId, low: f32, high: f32) -> Variation {
        Variation::of_number(body, Quantity::Spin, low, high)
    }

    /// Varies the density of all shapes of a body, in kg/m². A shape with a mass of its own gets a
    /// density in its place; multiplied, its mass is.
    #[must_use]
    pub fn density(body: BodyId, low: f32, high: f32) -> Variation {
        Variation::of_number(body, Quantity::Density, low, high)
    }

    /// Varies the mass of a dynamic body, in kg; its inertia grows in proportion.
    #[must_use]
    pub fn mass(body: BodyId, low: f32, high: f32) -> Variation {
        Variation::of_number(body, Quantity::Mass, low, high)
    }

    /// Varies the friction of all shapes of a body, static and kinetic.
    #[must_use]
    pub fn friction(body: BodyId, low: f32, high: f32) -> Variation {
        Variation::of_number(body, Quantity::Friction, low, high)
    }

    /// Varies the restitution of all shapes of a body, 0 to 1.
    #[must_use]
    pub fn restitution(body: BodyId, low: f32, high: f32) -> Variation {
        Variation::of_number(body, Quantity::Restitution, low, high)
    }

    /// Varies the gravity scale of a body.
    #[must_use]
    pub fn gravity_scale(body: BodyId, low: f32, high: f32) -> Variation {
        Variation::of_number(body, Quantity::GravityScale, low, high)
    }

    /// Varies the gravity of the world, in m/s², within the box from `low` to `high`.
    #[must_use]
    pub fn gravity(low: impl Into<Vec2>, high: impl Into<Vec2>) -> Variation {
        Variation::new(What::Gravity, low.into(), high.into())
    }

    /// Varies the speed of a joint's motor, in rad/s or m/s.
    #[must_use]
    pub fn motor_speed(joint: JointId, low: f32, high: f32) -> Variation {
        Variation::new(What::MotorSpeed(joint), Vec2::splat(low), Vec2::splat(high))
    }

    /// Varies the target of a joint's servo, in radians or metres.
    #[must_use]
    pub fn servo_target(joint: JointId, low: f32, high: f32) -> Variation {
        Variation::new(What::ServoTarget(joint), Vec2::splat(low), Vec2::splat(high))
    }

    /// Adds the drawn number to the number that the world has.
    #[must_use]
    pub fn added(mut self) -> Variation {
        self.mode = Mode::Add;
        self
    }

    /// Multiplies the number that the world has by the drawn number.
    #[must_use]
    pub fn multiplied(mut self) -> Variation {
        self.mode = Mode::Multiply;
        self
    }

    /// Turns a body about a point of its frame in place of its origin: about the hinge that holds
    /// it.
    #[must_use]
    pub fn about(mut self, point: impl Into<Vec2>) -> Variation {
        match self.what {
            What::Body(_, Quantity::Angle) => self.about = point.into(),
            _ => self.misfit = Some(Field::About),
        }
        self
    }

    /// Varies another body, too. Where positions and angles vary it moves along with the first
    /// body, as if both were one; else the same number is drawn for both.
    #[must_use]
    pub fn also(mut self, body: BodyId) -> Variation {
        match self.what {
            What::Body(..) => self.also.push(body),
            _ => self.misfit = Some(Field::Also),
        }
        self
    }

    /// Checks that a world has the bodies or the joint, and that all numbers are in range.
    pub(super) fn check(&self, world: &World) -> Result<(), Fault> {
        fits(self.misfit)?;
        match self.what {
            What::Body(body, quantity) => {
                check_body(world, Field::Body, body, quantity)?;
                self.also.iter().try_for_each(|&body| check_body(world, Field::Also, body, quantity))?;
                if self.also.contains(&body) {
                    return Err((Field::Also, Rule::SameBody));
                }
            }
            What::MotorSpeed(joint) => has_motor(world, joint)?,
            What::ServoTarget(joint) => has_servo(world, joint)?,
            What::Gravity => {}
        }
        self.check_range()?;
        finite(Field::About, &self.about.to_array())
    }

    fn check_range(&self) -> Result<(), Fault> {
        let (low, high) = (self.low.to_array(), self.high.to_array());
        finite(Field::Range, &low)?;
        finite(Field::Range, &high)?;
        if low[0] > high[0] || low[1] > high[1] {
            return Err((Field::Range, Rule::LowAboveHigh));
        }
        let (is_size, is_share) = match self.what {
            What::Body(_, Quantity::Restitution) => (true, true),
            What::Body(_, Quantity::Density | Quantity::Mass | Quantity::Friction) => (true, false),
            _ => (false, false),
        };
        if is_size && self.mode != Mode::Add && low[0] < 0.0 {
            return Err((Field::Range, Rule::Negative));
        }
        if is_share && self.mode == Mode::Set && high[0] > 1.0 {
            return Err((Field::Range, Rule::AboveOne));
        }
        Ok(())
    }
}

fn check_body(world: &World, field: Field, body: BodyId, quantity: Quantity) -> Result<(), Fault> {
    world.get(body).ok_or((field, Rule::NoSuchBody))?;
    match quantity {
        Quantity::Mass | Quantity::GravityScale => dynamic(world, field, body),
        Quantity::Density | Quantity::Friction | Quantity::Restitution => {
            world.shapes_of(body).next().map(drop).ok_or((field, Rule::NoShape))
        }
        _ => Ok(()),
    }
}

/// Changing a world that begins anew.
impl Variation {
    /// Draws, and changes the world. Bodies and joints that are gone are passed over, but their
    /// numbers are drawn.
    pub(super) fn vary(&self, world: &mut World, draws: &mut Draws) -> Result<(), Error> {
        match self.what {
            What::Body(body, quantity) => {
                let drawn = self.draw_for(quantity, draws);
                if world.get(body).is_none() {
                    return Ok(());
                }
                match quantity {
                    Quantity::Position => self.displace(world, body, drawn),
                    Quantity::Angle => self.turn(world, body, drawn.x),
                    _ => [body].iter().chain(&self.also).try_for_each(|&body| match world.get(body) {
                        Some(_) => self.vary_body(world, (body, quantity), drawn),
                        None => Ok(()),
                    }),
                }
            }
            What::Gravity => {
                let drawn = draws.vector(self.low, self.high);
                world.set_gravity(self.mode.change(world.def().gravity, drawn))
            }
            What::MotorSpeed(joint) => {
                let drawn = draws.number(self.low.x, self.high.x);
                let motor = world.get_joint(joint).and_then(|joint| joint.def().drive.motor);
                let speed = motor.map_or(0.0, |motor| motor.speed);
                set_motor_speed(world, joint, self.mode.change(speed, drawn))
            }
            What::ServoTarget(joint) => {
                let drawn = draws.number(self.low.x, self.high.x);
                let servo = world.get_joint(joint).and_then(|joint| joint.def().drive.servo);
                let target = servo.map_or(0.0, |servo| servo.target);
                set_servo_target(world, joint, self.mode.change(target, drawn))
            }
        }
    }

    /// One number in both places for quantities that are no vectors.
    fn draw_for(&self, quantity: Quantity, draws: &mut Draws) -> Vec2 {
        match quantity {
            Quantity::Position | Quantity::Velocity => draws.vector(self.low, self.high),
            _ => Vec2::splat(draws.number(self.low.x, self.high.x)),
        }
    }

    /// Puts a body elsewhere, and the others as far from where they were.
    fn displace(&self, world: &mut World, body: BodyId, drawn: Vec2) -> Result<(), Error> {
        let from = world[body].world_position();
        let to = match self.mode {
            Mode::Set => drawn.into(),
            Mode::Add => from.offset(drawn),
            Mode::Multiply => (from.position() * drawn).into(),
        };
        let displacement = from.to(to);
        world.teleport(body, to, None)?;
        for &other in &self.also {
            if let Some(row) = world.get(other) {
                let to = row.world_position().offset(displacement);
                world.teleport(other, to, None)?;
            }
        }
        Ok(())
    }

    /// Turns a body about a point of its frame, and the others along with it.
    fn turn(&self, world: &mut World, body: BodyId, drawn: f32) -> Result<(), Error> {
        let row = &world[body];
        let (before, pivot) = (row.rotation(), row.to_world(self.about));
        let angle = self.mode.change(row.angle(), drawn);
        let after = Rot::from_angle(angle);
        let origin = match self.about {
            Vec2::ZERO => row.world_position(),
            about => pivot.offset(-(after * about)),
        };
        world.teleport(body, origin, angle)?;
        let turn = after * before.inverse();
        for &other in &self.also {
            if let Some(row) = world.get(other) {
                let to = pivot.offset(turn * pivot.to(row.world_position()));
                let angle = (turn * row.rotation()).angle();
                world.teleport(other, to, angle)?;
            }
        }
        Ok(())
    }

    fn vary_body(
        &self,
        world: &mut World,
        (id, quantity): (BodyId, Quantity),
        drawn: Vec2,
    ) -> Result<(), Error> {
        let (mode, number) = (self.mode, drawn.x);
        let body = &world[id];
        match quantity {
            Quantity::Position | Quantity::Angle => Ok(()),
            Quantity::Velocity => world.set_velocity(id, mode.change(body.velocity(), drawn)),
            Quantity::Spin => world.set_angular_velocity(id, mode.change(body.angular_velocity(), number)),
            Quantity::GravityScale => world.set_gravity_scale(id, mode.change(body.gravity_scale(), number)),
            Quantity::Mass => {
                let mass = mode.change(body.mass(), number);
                let per_mass = if body.mass() > 0.0 { body.inertia() / body.mass() } else { 0.0 };
                let mass = Mass { mass, center: body.local_center(), inertia: mass * per_mass };
                world.set_mass(id, Some(mass))
            }
            Quantity::Density | Quantity::Friction | Quantity::Restitution => {
                // By number: a list of the shapes would have to be allocated.
                let count = world.shapes_of(id).count();
                (0..count).try_for_each(|k| {
                    let shape = world.shapes_of(id).nth(k).map(|(shape, _)| shape);
                    match (shape, quantity) {
                        (Some(shape), Quantity::Density) => self.vary_weight(world, shape, number),
                        (Some(shape), _) => self.vary_materials(world, shape, (quantity, number)),
                        (None, _) => Ok(()),
                    }
                })
            }
        }
    }

    fn vary_weight(&self, world: &mut World, shape: ShapeId, number: f32) -> Result<(), Error> {
        let weight = match (world[shape].traits.weight, self.mode) {
            (Weight::Mass(mass), Mode::Multiply) => Weight::Mass(mass * number),
            (Weight::Mass(_), _) => Weight::Density(number),
            (Weight::Density(density), mode) => Weight::Density(mode.change(density, number)),
        };
        world.set_weight(shape, weight)
    }

    /// Changes the material of a shape, and of all parts that have their own.
    fn vary_materials(&self, world: &mut World, shape: ShapeId, drawn: (Quantity, f32)) -> Result<(), Error> {
        let material = self.varied(*world[shape].material(), drawn);
        world.set_material(shape, material)?;
        for part in 0..world[shape].traits.part_materials.len() {
            let material = self.varied(world[shape].traits.part_materials[part], drawn);
            world.set_part_material(shape, part, material)?;
        }
        Ok(())
    }

    fn varied(&self, mut material: Material, (quantity, number): (Quantity, f32)) -> Material {
        if quantity == Quantity::Friction {
            material.static_friction = self.mode.change(material.static_friction, number);
            material.kinetic_friction = self.mode.change(material.kinetic_friction, number);
        } else {
            material.restitution = self.mode.change(material.restitution, number);
        }
        material
    }
}
