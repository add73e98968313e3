//! Definitions of bodies and shapes, from which a world makes them.
//!
//! In: numbers from the user, in plain structs with public fields. Out: the same, checked by the
//! world when it takes them. Nothing here fails; `World::add` reports errors.

use glam::Vec2;

use super::material::Material;
use crate::math::WorldPoint;
use crate::shape::Shape;

/// Whether a body is fixed, follows its velocity alone, or reacts to forces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyKind {
    /// Nothing moves it: ground, walls.
    #[default]
    Fixed,
    /// Its velocity alone moves it, whatever is in its way: lifts, doors.
    Kinematic,
    /// Forces, contacts and joints move it: crates, balls, characters.
    Dynamic,
}

/// Which of two shapes may touch each other.
///
/// They do when each one's mask has a bit of the other's category, unless both have the same
/// `group` other than 0: then they do if it is positive, and do not if it is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Filter {
    /// Category of this shape, usually one bit.
    pub category: u64,
    /// Categories that it touches.
    pub mask: u64,
    /// Overrules both within one group.
    pub group: i32,
}

impl Default for Filter {
    /// Category 1, which touches everything.
    fn default() -> Filter {
        Filter { category: 1, mask: u64::MAX, group: 0 }
    }
}

impl Filter {
    /// Whether shapes with these two filters may touch.
    #[must_use]
    pub fn allows(&self, other: &Filter) -> bool {
        if self.group == other.group && self.group != 0 {
            return self.group > 0;
        }
        self.mask & other.category != 0 && other.mask & self.category != 0
    }
}

/// How much a shape weighs. Segments, chains and half-planes have no area, and have no mass
/// whatever is set here; nor do sensors. A dynamic body whose shapes have no mass gets 1 kg, and
/// forces do not turn it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Weight {
    /// In kg/m².
    Density(f32),
    /// In kg, spread evenly.
    Mass(f32),
}

/// A shape to be attached to a body.
///
/// ```
/// use carom::{Shape, ShapeDef, Weight, vec2};
///
/// let ledge = ShapeDef::from(Shape::rect(4.0, 0.2)).one_way(vec2(0.0, 1.0));
/// let keel = ShapeDef { weight: Weight::Mass(200.0), ..Shape::rect(0.2, 1.0).at([0.0, -1.0]).into() };
/// # assert!(ledge.one_way.is_some() && keel.weight == Weight::Mass(200.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeDef {
    /// Its geometry, in the frame of the body.
    pub shape: Shape,
    /// How much it weighs; segments, chains and half-planes weigh nothing.
    pub weight: Weight,
    /// Its material: friction, restitution and the like.
    pub material: Material,
    /// A material for each edge of a chain or part of a compound, in order, or for each number of a
    /// material of a tile map; those beyond take `material`.
    pub part_materials: Vec<Material>,
    /// Its collision filter.
    pub filter: Filter,
    /// Whether it is a sensor: it reports shapes that enter it, and pushes nothing. It does not
    /// count for the mass of its body.
    pub sensor: bool,
    /// Solid only for bodies that move against this direction, in the frame of the body: (0, 1)
    /// lets a player jump up through a platform and stand on it.
    ///
    /// A body that is wholly on this side of the shape's faces when it comes near is held there,
    /// however it turns. Any other body passes through until it is wholly on this side, or apart.
    pub one_way: Option<Vec2>,
    /// Whether its contacts are shown to the world's contact hook.
    pub contact_hook: bool,
    /// User data: a number of the program's own, which carom keeps and does not read.
    pub user_data: u64,
}

impl From<Shape> for ShapeDef {
    #[inline]
    fn from(shape: Shape) -> ShapeDef {
        ShapeDef {
            shape,
            weight: Weight::Density(1.0),
            material: Material::default(),
            part_materials: Vec::new(),
            filter: Filter::default(),
            sensor: false,
            one_way: None,
            contact_hook: false,
            user_data: 0,
        }
    }
}

impl ShapeDef {
    /// With a density, in kg/m².
    #[must_use]
    #[inline]
    pub fn density(self, density: f32) -> ShapeDef {
        ShapeDef { weight: Weight::Density(density), ..self }
    }

    /// With a mass in kg, spread evenly over its outline.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let runner = world.add(BodyDef::dynamic().shape(ShapeDef::from(Shape::circle(0.4)).mass(70.0)))?;
    /// assert_eq!(world[runner].mass(), 70.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn mass(self, kilograms: f32) -> ShapeDef {
        ShapeDef { weight: Weight::Mass(kilograms), ..self }
    }

    /// With a surface.
    #[must_use]
    #[inline]
    pub fn material(self, material: Material) -> ShapeDef {
        ShapeDef { material, ..self }
    }

    /// With a surface for each edge of a chain, part of a compound, or number of a tile map.
    #[must_use]
    #[inline]
    pub fn part_materials(self, materials: impl Into<Vec<Material>>) -> ShapeDef {
        ShapeDef { part_materials: materials.into(), ..self }
    }

    /// With a filter.
    #[must_use]
    #[inline]
    pub fn filter(self, filter: Filter) -> ShapeDef {
        ShapeDef { filter, ..self }
    }

    /// As a sensor: it reports shapes that enter and leave, and pushes nothing.
    #[must_use]
    #[inline]
    pub fn sensor(self) -> ShapeDef {
        ShapeDef { sensor: true, ..self }
    }

    /// Solid only for bodies that move against `direction`.
    #[must_use]
    #[inline]
    pub fn one_way(self, direction: impl Into<Vec2>) -> ShapeDef {
        ShapeDef { one_way: Some(direction.into()), ..self }
    }

    /// With its contacts shown to the world's contact hook.
    #[must_use]
    #[inline]
    pub fn contact_hook(self) -> ShapeDef {
        ShapeDef { contact_hook: true, ..self }
    }

    /// With a number of the program's own.
    #[must_use]
    #[inline]
    pub fn user_data(self, user_data: u64) -> ShapeDef {
        ShapeDef { user_data, ..self }
    }
}

/// Defaults for shapes given to a [`BodyDef`], where they set nothing of their own; `None` leaves
/// them as they are.
///
/// A value counts as not set if it equals that of a fresh [`ShapeDef`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct ShapeDefaults {
    /// In place of [`Material::default`].
    pub material: Option<Material>,
    /// In place of [`Filter::default`].
    pub filter: Option<Filter>,
    /// In place of a density of 1 kg/m².
    pub weight: Option<Weight>,
}

impl ShapeDefaults {
    fn fill(&self, shape: &mut ShapeDef) {
        fn fill<T: PartialEq>(own: &mut T, fresh: &T, default: Option<T>) {
            if let Some(default) = default
                && own == fresh
            {
                *own = default;
            }
        }
        fill(&mut shape.material, &Material::default(), self.material);
        fill(&mut shape.filter, &Filter::default(), self.filter);
        fill(&mut shape.weight, &Weight::Density(1.0), self.weight);
    }
}

/// Locked axes: motions that a body does not make, whatever pushes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Locks {
    /// Move along x.
    pub x: bool,
    /// Move along y.
    pub y: bool,
    /// Turn.
    pub rotation: bool,
}

impl Locks {
    /// No rotation, as most characters need.
    pub const ROTATION: Locks = Locks { x: false, y: false, rotation: true };
}

/// A body to be added to a world.
///
/// ```
/// use carom::prelude::*;
///
/// let crate_ = BodyDef::dynamic().at([0.0, 4.0]).angle(0.1).shape(Shape::rect(1.0, 1.0));
/// let spinner = BodyDef { angular_velocity: 3.0, ..BodyDef::kinematic() }.shape(Shape::rect(6.0, 0.2));
/// # let _ = (crate_, spinner);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyDef {
    /// Fixed, kinematic or dynamic.
    pub kind: BodyKind,
    /// Position of its origin in the world.
    pub position: WorldPoint,
    /// Its angle in radians, counter-clockwise.
    pub angle: f32,
    /// Speed of its centre of mass, in m/s.
    pub linear_velocity: Vec2,
    /// In radians a second, counter-clockwise.
    pub angular_velocity: f32,
    /// Linear damping d, 0 or more: the velocity is divided by 1 + d h in each sub-step of h
    /// seconds, so about exp(-d t) of it is left after t seconds.
    pub linear_damping: f32,
    /// Angular damping: the same for the angular velocity.
    pub angular_damping: f32,
    /// Its gravity scale: the world's gravity acts on it times this.
    pub gravity_scale: f32,
    /// A gravity of its own in place of the world's, in m/s²: see
    /// [`World::set_gravity_of`](crate::World::set_gravity_of).
    #[cfg_attr(feature = "serde", serde(default))]
    pub gravity: Option<Vec2>,
    /// The fastest that it may go, in m/s; infinite for as fast as the world allows: see
    /// [`World::set_max_speed_of`](crate::World::set_max_speed_of).
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above", default = "unlimited"))]
    pub max_speed: f32,
    /// Dominance: when two dynamic bodies touch, the body with the greater number takes no impulse.
    /// See [`World::set_dominance`](crate::World::set_dominance).
    #[cfg_attr(feature = "serde", serde(default))]
    pub dominance: i8,
    /// Its locked axes.
    pub locks: Locks,
    /// Whether it may fall asleep.
    pub can_sleep: bool,
    /// Whether it starts awake.
    pub awake: bool,
    /// Whether it takes part in the world at all.
    pub enabled: bool,
    /// Its shapes.
    pub shapes: Vec<ShapeDef>,
    /// In place of the mass of its shapes: mass in kg, centre of mass, rotational inertia about it
    /// in kg m².
    pub mass: Option<crate::shape::Mass>,
    /// Defaults that [`BodyDef::shape`] gives to a shape that sets none of its own.
    pub shape_defaults: ShapeDefaults,
    /// User data: a number of the program's own, which carom keeps and does not read.
    pub user_data: u64,
}

impl BodyDef {
    /// A fixed body: nothing moves it.
    #[must_use]
    #[inline]
    pub fn fixed() -> BodyDef {
        BodyDef::new(BodyKind::Fixed)
    }

    /// A kinematic body: only its velocity moves it.
    #[must_use]
    #[inline]
    pub fn kinematic() -> BodyDef {
        BodyDef::new(BodyKind::Kinematic)
    }

    /// A dynamic body: forces and impulses move it.
    #[must_use]
    #[inline]
    pub fn dynamic() -> BodyDef {
        BodyDef::new(BodyKind::Dynamic)
    }

    #[inline]
    fn new(kind: BodyKind) -> BodyDef {
        BodyDef {
            kind,
            position: WorldPoint::ORIGIN,
            angle: 0.0,
            linear_velocity: Vec2::ZERO,
            angular_velocity: 0.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            gravity_scale: 1.0,
            gravity: None,
            max_speed: f32::INFINITY,
            dominance: 0,
            locks: Locks::default(),
            can_sleep: true,
            awake: true,
            enabled: true,
            shapes: Vec::new(),
            mass: None,
            shape_defaults: ShapeDefaults::default(),
            user_data: 0,
        }
    }

    /// With its origin at `position`.
    #[must_use]
    #[inline]
    pub fn at(self, position: impl Into<WorldPoint>) -> BodyDef {
        BodyDef { position: position.into(), ..self }
    }

    /// Turned by `angle` radians, counter-clockwise.
    #[must_use]
    #[inline]
    pub fn angle(self, angle: f32) -> BodyDef {
        BodyDef { angle, ..self }
    }

    /// With its centre of mass moving at `velocity`, in m/s.
    #[must_use]
    #[inline]
    pub fn velocity(self, velocity: impl Into<Vec2>) -> BodyDef {
        BodyDef { linear_velocity: velocity.into(), ..self }
    }

    /// Turning at `speed`, in radians a second, counter-clockwise.
    #[must_use]
    #[inline]
    pub fn spin(self, speed: f32) -> BodyDef {
        BodyDef { angular_velocity: speed, ..self }
    }

    /// With one more shape. If its surface, filter or weight is that of a fresh [`ShapeDef`], it
    /// takes what [`BodyDef::material`], [`BodyDef::filter`] and [`BodyDef::density`] set before.
    #[must_use]
    #[inline]
    pub fn shape(mut self, shape: impl Into<ShapeDef>) -> BodyDef {
        if self.shapes.is_empty() {
            // Most bodies have one: room for four is more than the allocator has at hand.
            self.shapes.reserve_exact(1);
        }
        let mut shape = shape.into();
        self.shape_defaults.fill(&mut shape);
        self.shapes.push(shape);
        self
    }

    /// With this surface on every shape given so far, and on every later shape without a surface of
    /// its own.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let ice = Material::default().friction(0.02);
    /// let sled = BodyDef::dynamic().material(ice).density(7.0).shape(Shape::rect(1.0, 0.2));
    /// assert_eq!(sled.shapes[0].material, ice);
    /// assert_eq!(sled, BodyDef::dynamic().shape(Shape::rect(1.0, 0.2)).material(ice).density(7.0));
    /// ```
    #[must_use]
    #[inline]
    pub fn material(mut self, material: Material) -> BodyDef {
        self.shapes.iter_mut().for_each(|shape| shape.material = material);
        self.shape_defaults.material = Some(material);
        self
    }

    /// With this filter on every shape given so far, and on every later shape without a filter of
    /// its own.
    #[must_use]
    #[inline]
    pub fn filter(mut self, filter: Filter) -> BodyDef {
        self.shapes.iter_mut().for_each(|shape| shape.filter = filter);
        self.shape_defaults.filter = Some(filter);
        self
    }

    /// With this density, in kg/m², of every shape given so far, and of every later shape that does
    /// not set its weight.
    #[must_use]
    #[inline]
    pub fn density(mut self, density: f32) -> BodyDef {
        let weight = Weight::Density(density);
        self.shapes.iter_mut().for_each(|shape| shape.weight = weight);
        self.shape_defaults.weight = Some(weight);
        self
    }

    /// With a mass, a centre of mass and an inertia, whatever its shapes weigh. To give one shape a
    /// mass in kg and have the rest follow from its outline, use [`ShapeDef::mass`].
    ///
    /// ```
    /// use carom::{Mass, prelude::*};
    ///
    /// let mut world = World::default();
    /// let keel = Mass { mass: 400.0, center: vec2(0.0, -0.5), inertia: 300.0 };
    /// let boat = world.add(BodyDef::dynamic().shape(Shape::rect(4.0, 1.0)).mass(keel))?;
    /// assert_eq!((world[boat].mass(), world[boat].local_center()), (400.0, vec2(0.0, -0.5)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn mass(self, mass: crate::shape::Mass) -> BodyDef {
        BodyDef { mass: Some(mass), ..self }
    }

    /// With linear and angular damping: see [`BodyDef::linear_damping`].
    #[must_use]
    #[inline]
    pub fn damping(self, linear: f32, angular: f32) -> BodyDef {
        BodyDef { linear_damping: linear, angular_damping: angular, ..self }
    }

    /// Taking no part in the world until [`World::set_enabled`](crate::World::set_enabled) says so.
    #[must_use]
    #[inline]
    pub fn disabled(self) -> BodyDef {
        BodyDef { enabled: false, ..self }
    }

    /// Not moving or turning by itself where `locks` says so.
    #[must_use]
    #[inline]
    pub fn locks(self, locks: Locks) -> BodyDef {
        BodyDef { locks, ..self }
    }

    /// Feeling `scale` times the world's gravity.
    #[must_use]
    #[inline]
    pub fn gravity_scale(self, scale: f32) -> BodyDef {
        BodyDef { gravity_scale: scale, ..self }
    }

    /// Feeling this gravity in place of the world's, in m/s².
    #[must_use]
    #[inline]
    pub fn gravity(self, gravity: impl Into<Vec2>) -> BodyDef {
        BodyDef { gravity: Some(gravity.into()), ..self }
    }

    /// Going at most so fast, in m/s.
    #[must_use]
    #[inline]
    pub fn max_speed(self, max_speed: f32) -> BodyDef {
        BodyDef { max_speed, ..self }
    }

    /// Not feeling dynamic bodies with a smaller number, in contacts.
    #[must_use]
    #[inline]
    pub fn dominance(self, dominance: i8) -> BodyDef {
        BodyDef { dominance, ..self }
    }

    /// Never falling asleep by itself, and keeping its island awake.
    #[must_use]
    #[inline]
    pub fn sleepless(self) -> BodyDef {
        BodyDef { can_sleep: false, ..self }
    }

    /// Starting asleep: it stands still, even in mid-air, until something touches or wakes it.
    #[must_use]
    #[inline]
    pub fn asleep(self) -> BodyDef {
        BodyDef { awake: false, ..self }
    }

    /// With a number of the program's own.
    #[must_use]
    #[inline]
    pub fn user_data(self, user_data: u64) -> BodyDef {
        BodyDef { user_data, ..self }
    }
}

/// As fast as the world allows.
#[cfg(feature = "serde")]
fn unlimited() -> f32 {
    f32::INFINITY
}
