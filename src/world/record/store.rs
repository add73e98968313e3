//! Arguments of calls, as words and back.
//!
//! In: values of all types that a call takes. Out: words, appended to a list; and the values again.

use glam::Vec2;

use crate::body::state::{MATERIAL, SURFACE};
use crate::body::{
    BodyDef, BodyId, BodyKind, Collider, Filter, JointId, Locks, Material, ShapeDef, ShapeId, Weight,
};
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::joint::JointDef;
use crate::joint::state::DEF;
use crate::math::WorldPoint;
use crate::shape::state::{FORM, Form, Outline};
use crate::shape::{Mass, Shape, ShapeError, TileMap};
use crate::state::{LoadError, Parse, Put};
use crate::step::areas::{AREA, Area};
use crate::world::{Ties, WorldDef};

/// A value that can be written down.
pub(super) trait Store: Sized {
    fn store(&self, out: &mut Vec<u32>);
    fn fetch(words: &mut Parse) -> Result<Self, LoadError>;
}

const UNKNOWN: LoadError = LoadError::Broken("a value is one of its type");

macro_rules! ids {
    ($($id:ident),*) => {
        $(impl Store for $id {
            fn store(&self, out: &mut Vec<u32>) {
                out.extend(self.words());
            }
            fn fetch(words: &mut Parse) -> Result<$id, LoadError> {
                $id::of_words(words.array()).ok_or(UNKNOWN)
            }
        })*
    };
}

ids!(BodyId, ShapeId, JointId);

/// Structs by their fields, in order; fields that a call does not read are not kept.
macro_rules! structs {
    ($($name:ident { $($field:ident),* $(; ..$rest:expr)? })*) => {
        $(impl Store for $name {
            fn store(&self, out: &mut Vec<u32>) {
                $(self.$field.store(out);)*
            }
            fn fetch(words: &mut Parse) -> Result<$name, LoadError> {
                $(let $field = Store::fetch(words)?;)*
                Ok($name { $($field,)* $(..$rest)? })
            }
        })*
    };
}

structs! {
    WorldPoint { region, local }
    Aabb { min, max }
    WorldAabb { region, aabb }
    Locks { x, y, rotation }
    Mass { mass, center, inertia }
    Filter { category, mask, group }
    BodyDef {
        kind, position, angle, linear_velocity, angular_velocity, linear_damping, angular_damping, gravity_scale, locks, mass,
        can_sleep, awake, enabled, user_data, gravity, max_speed, dominance, shapes; ..BodyDef::fixed()
    }
}

/// The period is in the words of the two flags, above them, so that older definitions without one
/// are read as well.
impl Store for WorldDef {
    fn store(&self, out: &mut Vec<u32>) {
        self.gravity.store(out);
        self.sub_steps.store(out);
        self.max_speed.store(out);
        // A refused value is refused in a replay, too: 1 is no valid period.
        let [x, y] = self.period.to_array().map(|period| if period < 0 { 1 } else { period as u32 });
        out.push(u32::from(self.sleep) | x << 1);
        out.push(u32::from(self.continuous) | y << 1);
        [self.sleep_speed, self.sleep_time, self.hit_speed, self.unit].iter().for_each(|x| x.store(out));
    }
    fn fetch(words: &mut Parse) -> Result<WorldDef, LoadError> {
        let (gravity, sub_steps, max_speed) = (words.vector(), words.word(), words.float());
        let flags = words.array::<2>();
        let [sleep_speed, sleep_time, hit_speed, unit] = words.floats();
        Ok(WorldDef {
            gravity,
            sub_steps,
            max_speed,
            sleep: flags[0] & 1 != 0,
            continuous: flags[1] & 1 != 0,
            sleep_speed,
            sleep_time,
            hit_speed,
            unit,
            period: flags.map(|word| (word >> 1) as i32).into(),
        })
    }
}

impl Store for u32 {
    fn store(&self, out: &mut Vec<u32>) {
        out.push(*self);
    }
    fn fetch(words: &mut Parse) -> Result<u32, LoadError> {
        Ok(words.word())
    }
}

impl Store for i32 {
    fn store(&self, out: &mut Vec<u32>) {
        out.push(*self as u32);
    }
    fn fetch(words: &mut Parse) -> Result<i32, LoadError> {
        Ok(words.word() as i32)
    }
}

impl Store for i8 {
    fn store(&self, out: &mut Vec<u32>) {
        i32::from(*self).store(out);
    }
    fn fetch(words: &mut Parse) -> Result<i8, LoadError> {
        i8::try_from(words.word() as i32).map_err(|_| UNKNOWN)
    }
}

impl Store for usize {
    /// Values beyond any possible index are all equal.
    fn store(&self, out: &mut Vec<u32>) {
        out.push(u32::try_from(*self).unwrap_or(u32::MAX));
    }
    fn fetch(words: &mut Parse) -> Result<usize, LoadError> {
        Ok(words.word() as usize)
    }
}

impl Store for u64 {
    fn store(&self, out: &mut Vec<u32>) {
        out.extend([*self as u32, (*self >> 32) as u32]);
    }
    fn fetch(words: &mut Parse) -> Result<u64, LoadError> {
        Ok(words.long())
    }
}

impl Store for f32 {
    fn store(&self, out: &mut Vec<u32>) {
        out.push(self.to_bits());
    }
    fn fetch(words: &mut Parse) -> Result<f32, LoadError> {
        Ok(words.float())
    }
}

impl Store for bool {
    fn store(&self, out: &mut Vec<u32>) {
        out.push(u32::from(*self));
    }
    fn fetch(words: &mut Parse) -> Result<bool, LoadError> {
        words.flag()
    }
}

impl Store for Vec2 {
    fn store(&self, out: &mut Vec<u32>) {
        out.extend(self.to_array().map(f32::to_bits));
    }
    fn fetch(words: &mut Parse) -> Result<Vec2, LoadError> {
        Ok(words.vector())
    }
}

impl Store for glam::IVec2 {
    fn store(&self, out: &mut Vec<u32>) {
        out.extend([self.x as u32, self.y as u32]);
    }
    fn fetch(words: &mut Parse) -> Result<glam::IVec2, LoadError> {
        Ok(words.region())
    }
}

impl<T: Store> Store for Option<T> {
    fn store(&self, out: &mut Vec<u32>) {
        self.is_some().store(out);
        self.iter().for_each(|value| value.store(out));
    }
    fn fetch(words: &mut Parse) -> Result<Option<T>, LoadError> {
        Ok(if bool::fetch(words)? { Some(T::fetch(words)?) } else { None })
    }
}

impl<T: Store> Store for Vec<T> {
    fn store(&self, out: &mut Vec<u32>) {
        self.len().store(out);
        self.iter().for_each(|value| value.store(out));
    }
    fn fetch(words: &mut Parse) -> Result<Vec<T>, LoadError> {
        let count = words.count()?;
        (0..count).map(|_| T::fetch(words)).collect()
    }
}

/// An image, whose length is a multiple of four.
impl Store for Vec<u8> {
    fn store(&self, out: &mut Vec<u32>) {
        let words = self.as_chunks::<4>().0;
        words.len().store(out);
        out.extend(words.iter().map(|word| u32::from_le_bytes(*word)));
    }
    fn fetch(words: &mut Parse) -> Result<Vec<u8>, LoadError> {
        let count = words.count()?;
        Ok((0..count).flat_map(|_| words.word().to_le_bytes()).collect())
    }
}

impl Store for BodyKind {
    fn store(&self, out: &mut Vec<u32>) {
        out.push(*self as u32);
    }
    fn fetch(words: &mut Parse) -> Result<BodyKind, LoadError> {
        let kinds = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic];
        kinds.get(words.word() as usize).copied().ok_or(UNKNOWN)
    }
}

impl Store for Ties {
    fn store(&self, out: &mut Vec<u32>) {
        out.push(*self as u32);
    }
    fn fetch(words: &mut Parse) -> Result<Ties, LoadError> {
        let ties = [Ties::Stay, Ties::Come, Ties::Part];
        ties.get(words.word() as usize).copied().ok_or(UNKNOWN)
    }
}

impl Store for Weight {
    fn store(&self, out: &mut Vec<u32>) {
        let (by_mass, weight) = match *self {
            Weight::Density(density) => (false, density),
            Weight::Mass(mass) => (true, mass),
        };
        by_mass.store(out);
        weight.store(out);
    }
    fn fetch(words: &mut Parse) -> Result<Weight, LoadError> {
        Ok(if bool::fetch(words)? { Weight::Mass(words.float()) } else { Weight::Density(words.float()) })
    }
}

impl Store for Material {
    fn store(&self, out: &mut Vec<u32>) {
        out.extend(self.words());
    }
    fn fetch(words: &mut Parse) -> Result<Material, LoadError> {
        Material::of_words(&words.array::<MATERIAL>())
    }
}

impl Store for Area {
    fn store(&self, out: &mut Vec<u32>) {
        out.extend(self.words());
    }
    fn fetch(words: &mut Parse) -> Result<Area, LoadError> {
        Area::of_words(&words.array::<AREA>())
    }
}

impl Store for ShapeDef {
    fn store(&self, out: &mut Vec<u32>) {
        self.shape.store(out);
        out.extend(Collider::new(self.clone(), 0).words());
        self.part_materials.iter().for_each(|material| material.store(out));
    }
    fn fetch(words: &mut Parse) -> Result<ShapeDef, LoadError> {
        let shape = Shape::fetch(words)?;
        let (mut def, materials) = Collider::parse(&words.array::<SURFACE>(), shape)?;
        if materials > words.left() {
            return Err(UNKNOWN);
        }
        def.part_materials = (0..materials).map(|_| Material::fetch(words)).collect::<Result<_, _>>()?;
        Ok(def)
    }
}

impl Store for Shape {
    fn store(&self, out: &mut Vec<u32>) {
        if let Some(map) = self.tile_map().and_then(TileMap::settled) {
            return Shape::Tiles(map.into()).store(out);
        }
        out.extend(Put::row::<FORM>(|put| self.put(put)));
        let begin = out.len();
        if self.stamp().is_some() {
            out.resize(begin + Outline::WIDTH, 0);
            if let Some(outline) = self.told_outline(out) {
                out[begin..begin + Outline::WIDTH].copy_from_slice(&outline.row());
            }
        }
    }
    fn fetch(words: &mut Parse) -> Result<Shape, LoadError> {
        let row = words.array::<FORM>();
        if row[0] == 0 {
            // An invalid shape is refused again, whatever its error.
            return Ok(Shape::Invalid(ShapeError::Empty));
        }
        match Shape::parse(&mut Parse::new(&row))? {
            Form::Whole(shape) => shape.sound(),
            Form::Named(_) => {
                let outline = Outline::parse(&words.array())?;
                if outline.words as usize > words.left() {
                    return Err(UNKNOWN);
                }
                let own: Vec<u32> = (0..outline.words).map(|_| words.word()).collect();
                Shape::from_outline(&outline, &own)
            }
        }
    }
}

impl Store for JointDef {
    fn store(&self, out: &mut Vec<u32>) {
        self.misfit.is_some().store(out);
        out.extend(self.words());
    }
    fn fetch(words: &mut Parse) -> Result<JointDef, LoadError> {
        let misfit = bool::fetch(words)?;
        let def = JointDef::parse(&words.array::<DEF>())?;
        Ok(JointDef { misfit: misfit.then_some("a joint has what its kind has"), ..def })
    }
}
