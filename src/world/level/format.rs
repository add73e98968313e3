//! The file format of levels.
//!
//! In: a level, for serde. Out: its version, then each name with its definition, in order; and
//! back. Fields have names of their own here, with defaults, so that definitions in memory may
//! change while earlier files are still read.
//!
//! ```text
//!   version: 1
//!   world:   WorldDef; fields left out have their defaults
//!   bodies:  name -> BodyData      with shapes: [ShapeEntry]
//!   joints:  name -> JointData     in joints.rs
//! ```

use core::fmt;
use core::marker::PhantomData;

use glam::{IVec2, Vec2};
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::joints::JointData;
use super::{LEVEL_VERSION, Level, LevelBody, LevelJoint, LevelShape};
use crate::body::{BodyDef, BodyKind, Filter, Locks, Material, ShapeDef, Weight};
use crate::math::WorldPoint;
use crate::shape::{Mass, Shape};
use crate::step::areas::Area;
use crate::world::WorldDef;

#[derive(Serialize, Deserialize)]
#[serde(rename = "Level")]
struct LevelData {
    #[serde(deserialize_with = "known_version")]
    version: u32,
    #[serde(default)]
    world: WorldDef,
    #[serde(default)]
    bodies: Names<BodyData>,
    #[serde(default)]
    joints: Names<JointData>,
}

fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    if (1..=LEVEL_VERSION).contains(&version) {
        return Ok(version);
    }
    let message = format!("a level of version {version}: this version of carom reads 1 to {LEVEL_VERSION}");
    Err(de::Error::custom(message))
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bodies = self.bodies.iter().map(|body| (body.name.clone(), BodyData::from(body)));
        let joints = self.joints.iter().map(|joint| (joint.name.clone(), JointData::from(joint)));
        let (bodies, joints) = (Names(bodies.collect()), Names(joints.collect()));
        LevelData { version: LEVEL_VERSION, world: self.world, bodies, joints }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let data = LevelData::deserialize(deserializer)?;
        Ok(Level {
            world: data.world,
            bodies: data.bodies.0.into_iter().map(|(name, body)| body.named(name)).collect(),
            joints: data
                .joints
                .0
                .into_iter()
                .map(|(name, joint)| joint.named(name))
                .collect::<Vec<LevelJoint>>(),
        })
    }
}

/// A map that keeps its order, and says under which name something is wrong.
struct Names<T>(Vec<(String, T)>);

impl<T> Default for Names<T> {
    fn default() -> Names<T> {
        Names(Vec::new())
    }
}

impl<T: Serialize> Serialize for Names<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Names<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names<T>, D::Error> {
        deserializer.deserialize_map(NamesVisitor(PhantomData))
    }
}

struct NamesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamesVisitor<T> {
    type Value = Names<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a map from names to definitions")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value().map_err(|error| de::Error::custom(format!("{name:?}: {error}")))?;
            all.push((name, value));
        }
        Ok(Names(all))
    }
}

/// A point of the world: `[x, y]` where two numbers say it to the bit, as they do within 512 m of
/// the origin; else a region and a place in it.
pub(super) struct Place(pub(super) WorldPoint);

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let point = self.0.position();
        if WorldPoint::from(point) == self.0 {
            point.serialize(serializer)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Place, D::Error> {
        deserializer.deserialize_any(PlaceVisitor)
    }
}

struct PlaceVisitor;

impl<'de> Visitor<'de> for PlaceVisitor {
    type Value = Place;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a point [x, y], or one with `region` and `local`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Place, A::Error> {
        let mut next = |at| seq.next_element::<f32>()?.ok_or_else(|| de::Error::invalid_length(at, &self));
        let point = Vec2::new(next(0)?, next(1)?);
        match seq.next_element::<f32>()? {
            None => Ok(Place(WorldPoint::from(point))),
            Some(_) => Err(de::Error::invalid_length(3, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Place, A::Error> {
        let (mut region, mut local) = (None::<IVec2>, None::<Vec2>);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "region" => region = Some(map.next_value()?),
                "local" => local = Some(map.next_value()?),
                other => return Err(de::Error::unknown_field(other, &["region", "local"])),
            }
        }
        let region = region.ok_or_else(|| de::Error::missing_field("region"))?;
        let local = local.ok_or_else(|| de::Error::missing_field("local"))?;
        Ok(Place(WorldPoint::new(region, local)))
    }
}

/// A body as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Body", default)]
struct BodyData {
    kind: BodyKind,
    position: Place,
    angle: f32,
    linear_velocity: Vec2,
    angular_velocity: f32,
    linear_damping: f32,
    angular_damping: f32,
    gravity_scale: f32,
    #[serde(default)]
    gravity: Option<Vec2>,
    #[serde(with = "crate::math::infinite::above", default = "unlimited")]
    max_speed: f32,
    #[serde(default)]
    dominance: i8,
    locks: Locks,
    can_sleep: bool,
    awake: bool,
    enabled: bool,
    shapes: Vec<ShapeEntry>,
    mass: Option<Mass>,
    user_data: u64,
}

impl Default for BodyData {
    fn default() -> BodyData {
        BodyData::from(&LevelBody::new("", BodyDef::fixed()))
    }
}

impl From<&LevelBody> for BodyData {
    fn from(body: &LevelBody) -> BodyData {
        let BodyDef {
            kind,
            position,
            angle,
            linear_velocity,
            angular_velocity,
            linear_damping,
            angular_damping,
            gravity_scale,
            gravity,
            max_speed,
            dominance,
            locks,
            can_sleep,
            awake,
            enabled,
            shapes,
            mass,
            // The shapes hold these values already.
            shape_defaults: _,
            user_data,
        } = body.def.clone();
        let said = body.shapes.iter().cloned().chain(core::iter::repeat(LevelShape::default()));
        let shapes = shapes.into_iter().zip(said).map(|(def, said)| ShapeEntry::of(def, said)).collect();
        BodyData {
            kind,
            position: Place(position),
            angle,
            linear_velocity,
            angular_velocity,
            linear_damping,
            angular_damping,
            gravity_scale,
            gravity,
            max_speed,
            dominance,
            locks,
            can_sleep,
            awake,
            enabled,
            shapes,
            mass,
            user_data,
        }
    }
}

impl BodyData {
    fn named(self, name: String) -> LevelBody {
        let (defs, mut shapes): (Vec<_>, Vec<_>) = self.shapes.into_iter().map(ShapeEntry::parts).unzip();
        while shapes.last().is_some_and(|said| *said == LevelShape::default()) {
            shapes.pop();
        }
        let def = BodyDef {
            kind: self.kind,
            position: self.position.0,
            angle: self.angle,
            linear_velocity: self.linear_velocity,
            angular_velocity: self.angular_velocity,
            linear_damping: self.linear_damping,
            angular_damping: self.angular_damping,
            gravity_scale: self.gravity_scale,
            gravity: self.gravity,
            max_speed: self.max_speed,
            dominance: self.dominance,
            locks: self.locks,
            can_sleep: self.can_sleep,
            awake: self.awake,
            enabled: self.enabled,
            shapes: defs,
            mass: self.mass,
            shape_defaults: Default::default(),
            user_data: self.user_data,
        };
        LevelBody { name, def, shapes }
    }
}

/// A shape as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape")]
struct ShapeEntry {
    #[serde(default)]
    name: Option<String>,
    shape: Shape,
    #[serde(default = "density")]
    weight: Weight,
    #[serde(default)]
    material: Material,
    #[serde(default)]
    part_materials: Vec<Material>,
    #[serde(default)]
    filter: Filter,
    #[serde(default)]
    sensor: bool,
    #[serde(default)]
    one_way: Option<Vec2>,
    #[serde(default)]
    contact_hook: bool,
    #[serde(default)]
    area: Option<Area>,
    #[serde(default)]
    user_data: u64,
}

fn density() -> Weight {
    Weight::Density(1.0)
}

impl ShapeEntry {
    fn of(def: ShapeDef, said: LevelShape) -> ShapeEntry {
        let ShapeDef {
            shape,
            weight,
            material,
            part_materials,
            filter,
            sensor,
            one_way,
            contact_hook,
            user_data,
        } = def;
        let LevelShape { name, area } = said;
        ShapeEntry {
            name,
            shape,
            weight,
            material,
            part_materials,
            filter,
            sensor,
            one_way,
            contact_hook,
            area,
            user_data,
        }
    }

    fn parts(self) -> (ShapeDef, LevelShape) {
        let def = ShapeDef {
            shape: self.shape,
            weight: self.weight,
            material: self.material,
            part_materials: self.part_materials,
            filter: self.filter,
            sensor: self.sensor,
            one_way: self.one_way,
            contact_hook: self.contact_hook,
            user_data: self.user_data,
        };
        (def, LevelShape { name: self.name, area: self.area })
    }
}

/// No limit beyond that of the world.
fn unlimited() -> f32 {
    f32::INFINITY
}
