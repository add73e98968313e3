//! Maps drawn in Tiled and LDtk, and SVG paths, as bodies, tile maps and sensors of carom.
//!
//! In: files of an editor. Out: a [`Map`]: definitions of bodies in metres, y up, and named points;
//! or an error that says where in which file. [`Map::add_to`] puts them into a world.
//!
//! ```no_run
//! use carom::World;
//! use carom_maps::{Options, tiled};
//!
//! let map = tiled::load("data/harbour.tmx", &Options::pixels_per_metre(16.0))?;
//! let mut world = World::default();
//! let ids = map.add_to(&mut world)?;
//! let start = map.point("player").expect("the map has a place to begin");
//! # let _ = (ids, start);
//! # Ok::<(), carom_maps::MapError>(())
//! ```
//!
//! # What means what
//!
//! **Tiles.** A cell is what its tile says: by its class (in Tiled), or the name of its value or
//! enum tag (in LDtk). Names are those of [`TileKind`] in lower case with underscores: `solid`,
//! `slope_up`, `slope_down`, `ceiling_up`, `half_up_low`, `one_way`, `sensor` and so on; `empty` is
//! for what is only seen. A tile without a class is solid. Tiles that are flipped or turned in
//! Tiled are what they look like. A layer of tiles is one fixed body with one tile map, unless the
//! layer has the property `collides` = false.
//!
//! **Materials.** A property `material` of a tile, or an underscore and a name after the kind in
//! LDtk (`slope_up_ice`), is looked up in [`Options::materials`].
//!
//! **Objects.** A point is a named point. A shape is a body: `body` = `"fixed"` (also where nothing
//! is said), `"dynamic"` or `"kinematic"`; `sensor` = true for a sensor; `material`, `density`,
//! `mass`, `gravity_scale`, `one_way`, `fixed_rotation` as in carom. In LDtk, an entity with
//! neither `body` nor `sensor` is a point. All properties are handed on, for the game's own.
//!
//! **Units.** Lengths are divided by [`Options::pixels_per_metre`]; y, which points down in
//! editors, points up. The lower left corner of the map is the origin; angles turn
//! counter-clockwise.

mod error;
mod kinds;
pub mod ldtk;
mod objects;
pub mod svg;
pub mod tiled;

use std::collections::BTreeMap;

use carom::{BodyDef, BodyId, Material, Vec2, World};

pub use carom::TileKind;
pub use error::{Fault, MapError};
pub use objects::Value;

/// How a map is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How many pixels of the editor are a metre.
    pub pixels_per_metre: f32,
    /// How far a curve may be from what stands for it, in metres.
    pub tolerance: f32,
    /// Surfaces by name, for tiles and objects that name one.
    pub materials: BTreeMap<String, Material>,
}

impl Options {
    /// With this many pixels to a metre, curves within a centimetre, and no materials.
    #[must_use]
    pub fn pixels_per_metre(pixels: f32) -> Options {
        Options { pixels_per_metre: pixels, tolerance: 0.01, materials: BTreeMap::new() }
    }

    /// With a surface under a name.
    #[must_use]
    pub fn material(mut self, name: impl Into<String>, material: Material) -> Options {
        self.materials.insert(name.into(), material);
        self
    }

    /// With another tolerance, in metres.
    #[must_use]
    pub fn tolerance(self, tolerance: f32) -> Options {
        Options { tolerance, ..self }
    }
}

/// What a map says of a body or a point besides where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tags {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its class in Tiled, the identifier of its kind in LDtk.
    pub class: String,
    /// The name of its layer.
    pub layer: String,
    /// All of its properties, those that carom has used among them.
    pub properties: BTreeMap<String, Value>,
}

/// A body of a [`Map`].
#[derive(Clone, Debug, PartialEq)]
pub struct MapBody {
    /// Its name, class, layer and properties.
    pub tags: Tags,
    /// What it is made from.
    pub def: BodyDef,
}

/// A named point of a [`Map`].
#[derive(Clone, Debug, PartialEq)]
pub struct MapPoint {
    /// Its name, class, layer and properties.
    pub tags: Tags,
    /// Where it is, in metres.
    pub at: Vec2,
}

/// A map in metres: what is solid, what stands around, and where things begin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Its width and height, from the origin to the right and up.
    pub size: Vec2,
    /// Its bodies, in the order of the file: a layer of tiles is one of them.
    pub bodies: Vec<MapBody>,
    /// Its points, in the order of the file.
    pub points: Vec<MapPoint>,
}

impl Map {
    /// Adds its bodies to a world, all of them or none. The ids are in their order.
    ///
    /// # Errors
    /// A body that breaks a rule of carom. (Those of maps that were read keep them all, but the
    /// world may be full.)
    pub fn add_to(&self, world: &mut World) -> Result<Vec<BodyId>, MapError> {
        let defs = self.bodies.iter().map(|body| body.def.clone());
        world.add_all(defs).map_err(|error| MapError::new("", "the world", Fault::Body(error)))
    }

    /// The first point of this name, or if none has it, of this class.
    #[must_use]
    pub fn point(&self, name: &str) -> Option<&MapPoint> {
        let of_class = || self.points.iter().find(|point| point.tags.class == name);
        self.points.iter().find(|point| point.tags.name == name).or_else(of_class)
    }

    /// The first body of this name, with its place in [`Map::bodies`].
    #[must_use]
    pub fn body(&self, name: &str) -> Option<(usize, &MapBody)> {
        self.bodies.iter().enumerate().find(|(_, body)| body.tags.name == name)
    }
}
