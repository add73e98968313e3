//! Areas (force fields, effectors): sensors that act on the bodies in them by gravity, drag, wind
//! or buoyancy.
//!
//! In: areas on sensor shapes, and the bodies that were in them when the step before ended. Out:
//! forces and torques on bodies, before the step fills its columns. A world without areas only
//! checks an empty list.
//!
//! ```text
//!   here        definition of areas      forces.rs   bodies in areas, and their forces
//!   fluid.rs    buoyancy: the area of a part under a surface line
//! ```

mod fluid;
mod forces;

pub(crate) use forces::AreaScratch;

use glam::Vec2;

use crate::body::ShapeId;
use crate::error::Error;
use crate::state::{LoadError, Parse, Put};
use crate::world::World;
use crate::world::edit::check::{check, check_size};
use crate::world::record::Input;

/// The effect of a sensor on the dynamic bodies in it. It acts from the second step with both on:
/// the first one finds out which bodies are in it.
///
/// Areas act from the highest priority down, and add up; but an area that
/// [`replaces`](Area::replaces) gravity hides that of the world and of all areas of lower priority.
///
/// ```
/// use carom::{Area, prelude::*};
///
/// let mut world = World::default();
/// let pool = BodyDef::fixed().at([0.0, -2.0]).shape(ShapeDef::from(Shape::rect(9.0, 4.0)).sensor());
/// let pool = world.add(pool)?;
/// let (water, _) = world.shapes_of(pool).next().expect("it has one");
/// world.set_area(water, Some(Area::fluid(1000.0, 2.0)))?; // up to 2 m above the body's origin
/// let raft = ShapeDef::from(Shape::rect(1.0, 0.4)).density(500.0);
/// let raft = world.add(BodyDef::dynamic().at([0.0, 0.3]).shape(raft))?;
/// for _ in 0..900 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!(world[raft].position().y.abs() < 0.002); // half of it is under water
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Area {
    /// Areas of higher priority act first; areas of the same priority act in the order of the
    /// indices of their shapes.
    pub priority: i32,
    /// Acceleration, times each body's gravity scale.
    pub gravity: Option<Pull>,
    /// Whether its gravity replaces that of the world and of areas of lower priority.
    pub replaces: bool,
    /// Share of the velocity relative to `wind` that is lost per second.
    pub drag: f32,
    /// Share of the angular velocity that is lost per second.
    pub angular_drag: f32,
    /// The velocity that `drag` brings bodies to, in m/s.
    pub wind: Vec2,
    /// The fluid that fills it.
    pub fluid: Option<Fluid>,
}

/// Gravity of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pull {
    /// The same everywhere, in m/s², along the axes of the world.
    Along(Vec2),
    /// To a point: `strength` at `radius`, beyond it `strength · (radius / distance)^falloff`,
    /// within it `strength · distance / radius`, as in a planet of even density.
    Toward {
        /// In the frame of the sensor's body.
        point: Vec2,
        /// In m/s²; negative ones push away.
        strength: f32,
        /// In metres, above 0.
        radius: f32,
        /// 0 to 4; 2 for planets.
        falloff: u32,
    },
}

/// The fluid that fills an area, up to a line.
///
/// The area of each part of a body under the line is computed exactly: for circles by the segment
/// formula, for boxes and polygons by clipping; round corners become polygons of the same area.
/// Buoyancy acts at its centroid, with the weight of the displaced fluid (in the gravity of the
/// area, or the world), and so does the fluid's drag. The fluid does not end where the sensor's
/// shape ends: a body that overlaps the sensor is in the fluid up to the line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fluid {
    /// In kg/m².
    pub density: f32,
    /// A point of the surface, in the frame of the sensor's body.
    pub surface: Vec2,
    /// Out of the fluid, of any length, in the frame of the sensor's body.
    pub up: Vec2,
    /// Share of the velocity relative to `flow` that a body loses per second if it displaces its
    /// own mass.
    pub drag: f32,
    /// Share of the angular velocity that a body loses per second if it displaces its own mass.
    pub angular_drag: f32,
    /// The velocity of the fluid, in m/s.
    pub flow: Vec2,
}

impl Default for Area {
    /// An area without any effect.
    fn default() -> Area {
        Area {
            priority: 0,
            gravity: None,
            replaces: false,
            drag: 0.0,
            angular_drag: 0.0,
            wind: Vec2::ZERO,
            fluid: None,
        }
    }
}

impl Area {
    /// Gravity in place of the world's, in m/s².
    #[must_use]
    pub fn gravity(gravity: impl Into<Vec2>) -> Area {
        Area { gravity: Some(Pull::Along(gravity.into())), replaces: true, ..Area::default() }
    }

    /// Gravity to the origin of the sensor's body, in place of the world's: `strength` m/s² at
    /// `radius` metres, falling off with the square of the distance beyond.
    #[must_use]
    pub fn planet(strength: f32, radius: f32) -> Area {
        let pull = Pull::Toward { point: Vec2::ZERO, strength, radius, falloff: 2 };
        Area { gravity: Some(pull), replaces: true, ..Area::default() }
    }

    /// Moving air: bodies in it lose `drag` of their speed relative to `velocity` (m/s) per second.
    #[must_use]
    pub fn wind(velocity: impl Into<Vec2>, drag: f32) -> Area {
        Area { wind: velocity.into(), drag, ..Area::default() }
    }

    /// A fluid of `density` kg/m² whose surface is `level` metres above the origin of the sensor's
    /// body; its drag is 1 a second, of the spin as well.
    #[must_use]
    pub fn fluid(density: f32, level: f32) -> Area {
        let (surface, up) = (Vec2::new(0.0, level), Vec2::Y);
        let fluid = Fluid { density, surface, up, drag: 1.0, angular_drag: 1.0, flow: Vec2::ZERO };
        Area { fluid: Some(fluid), ..Area::default() }
    }

    /// With a priority.
    #[must_use]
    pub fn priority(self, priority: i32) -> Area {
        Area { priority, ..self }
    }

    fn check(&self) -> Result<(), Error> {
        check(&self.wind.to_array(), "a wind must be finite, and at most 1e9")?;
        for drag in [self.drag, self.angular_drag] {
            check_size(drag, "drag must be 0 or more, and at most 1e9")?;
        }
        match self.gravity {
            None => {}
            Some(Pull::Along(pull)) => check_pull(&pull.to_array())?,
            Some(Pull::Toward { point, strength, radius, falloff }) => {
                check_pull(&[strength])?;
                check(&point.to_array(), "a point must be finite, and within 1e9")?;
                check_size(radius, "a radius must be above 0, and at most 1e9")?;
                if radius < 1.0e-3 {
                    return Err(Error::BadNumber("a radius must be at least 1 mm"));
                }
                if falloff > 4 {
                    return Err(Error::BadNumber("gravity falls off with a power of at most 4"));
                }
            }
        }
        let Some(fluid) = self.fluid else { return Ok(()) };
        check_size(fluid.density, "a density must be 0 or more, and at most 1e9")?;
        for drag in [fluid.drag, fluid.angular_drag] {
            check_size(drag, "drag must be 0 or more, and at most 1e9")?;
        }
        for vector in [fluid.surface, fluid.up, fluid.flow] {
            check(&vector.to_array(), "a surface and a flow must be finite, and at most 1e9")?;
        }
        if fluid.up.length() < 1.0e-6 {
            return Err(Error::BadNumber("the way up must have a length"));
        }
        Ok(())
    }
}

fn check_pull(numbers: &[f32]) -> Result<(), Error> {
    let ok = numbers.iter().all(|x| x.is_finite() && x.abs() <= 1.0e6);
    if ok { Ok(()) } else { Err(Error::BadNumber("gravity must be finite, and at most 1e6 m/s²")) }
}

/// Words of an area.
pub(crate) const AREA: usize = 22;

impl Area {
    pub(crate) fn words(&self) -> [u32; AREA] {
        Put::row(|put| {
            put.word(self.priority as u32);
            put.flag(self.replaces);
            put.floats(&[self.drag, self.angular_drag]);
            put.vector(self.wind);
            let (tag, numbers, falloff) = match self.gravity {
                None => (0, [0.0; 4], 0),
                Some(Pull::Along(pull)) => (1, [pull.x, pull.y, 0.0, 0.0], 0),
                Some(Pull::Toward { point, strength, radius, falloff }) => {
                    (2, [point.x, point.y, strength, radius], falloff)
                }
            };
            put.words(&[tag, falloff]);
            put.floats(&numbers);
            put.option(self.fluid.map(|fluid| {
                let Fluid { density, surface, up, drag, angular_drag, flow } = fluid;
                [density, surface.x, surface.y, up.x, up.y, drag, angular_drag, flow.x, flow.y]
            }));
        })
    }

    /// An area that may break its rules.
    pub(crate) fn of_words(words: &[u32; AREA]) -> Result<Area, LoadError> {
        let mut parse = Parse::new(words);
        let (priority, replaces) = (parse.word() as i32, parse.flag()?);
        let [drag, angular_drag] = parse.floats();
        let wind = parse.vector();
        let [tag, falloff] = parse.array();
        let [x, y, strength, radius] = parse.floats();
        let point = Vec2::new(x, y);
        let gravity = match tag {
            0 => None,
            1 => Some(Pull::Along(point)),
            2 => Some(Pull::Toward { point, strength, radius, falloff }),
            _ => return Err(LoadError::Broken("gravity is of a known kind")),
        };
        let fluid = parse.option()?.map(|[density, sx, sy, ux, uy, drag, angular_drag, fx, fy]| Fluid {
            density,
            surface: Vec2::new(sx, sy),
            up: Vec2::new(ux, uy),
            drag,
            angular_drag,
            flow: Vec2::new(fx, fy),
        });
        Ok(Area { priority, gravity, replaces, drag, angular_drag, wind, fluid })
    }

    /// An area that was checked.
    pub(crate) fn sound_of_words(words: &[u32; AREA]) -> Result<Area, LoadError> {
        let area = Area::of_words(words)?;
        area.check().map_err(|_| LoadError::Broken("an area keeps its rules"))?;
        Ok(area)
    }
}

/// All areas, sorted by the index of their shapes. Some shapes may be gone: the next step drops
/// them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Areas {
    pub(crate) list: Vec<(ShapeId, Area)>,
    pub(crate) scratch: AreaScratch,
}

impl Areas {
    /// The area of a shape, if it has one.
    pub(crate) fn of(&self, id: ShapeId) -> Option<&Area> {
        let at = self.list.binary_search_by_key(&id.index(), |(other, _)| other.index()).ok()?;
        Some(&self.list[at]).filter(|(shape, _)| *shape == id).map(|(_, area)| area)
    }

    /// Sets the area of a shape, replacing the one of its slot.
    pub(crate) fn put(&mut self, id: ShapeId, area: Area) {
        self.list.retain(|(other, _)| other.index() != id.index());
        let at = self.list.partition_point(|(other, _)| other.index() < id.index());
        self.list.insert(at, (id, area));
    }
}

impl World {
    /// Makes a sensor act on the bodies in it, or ends that; these bodies wake. Areas go along with
    /// pieces that are cut out of a world.
    ///
    /// ```
    /// use carom::{Area, prelude::*};
    ///
    /// let mut world = World::default();
    /// let shaft = BodyDef::fixed().shape(ShapeDef::from(Shape::rect(2.0, 20.0)).sensor());
    /// let shaft = world.add(shaft)?;
    /// let (shaft, _) = world.shapes_of(shaft).next().expect("it has one");
    /// world.set_area(shaft, Some(Area::gravity([0.0, 2.0])))?; // up
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// for _ in 0..61 {
    ///     world.step(1.0 / 60.0)?; // what is in it is known after the first
    /// }
    /// assert!((world[ball].velocity().y - 2.0 + 9.81 / 60.0).abs() < 0.001);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A shape that is gone or no sensor, or a number out of its range.
    pub fn set_area(&mut self, id: ShapeId, area: Option<Area>) -> Result<(), Error> {
        self.note(|| Input::SetArea { id, area });
        let slot = self.shape_slot_of(id)?;
        area.iter().try_for_each(Area::check)?;
        if !self.shapes.colliders[slot as usize].traits.sensor {
            return Err(Error::BadNumber("only a sensor has an area"));
        }
        self.areas.list.retain(|(other, _)| other.index() != id.index());
        if let Some(area) = area {
            self.areas.put(id, area);
        }
        self.disturb(self.shapes.colliders[slot as usize].body);
        for visitor in self.visitors(id) {
            let body = self.shapes.colliders[visitor.index()].body;
            self.wake(body);
            self.bodies.rows[body as usize].sleep_time = 0.0;
        }
        Ok(())
    }

    /// The area of a sensor, if it has one.
    #[must_use]
    pub fn area(&self, id: ShapeId) -> Option<&Area> {
        self.get_shape(id).and_then(|_| self.areas.of(id))
    }

    /// Areas of shapes that are still there.
    pub(crate) fn live_areas(&self) -> impl Iterator<Item = &(ShapeId, Area)> {
        self.areas.list.iter().filter(|(shape, _)| self.get_shape(*shape).is_some())
    }
}
