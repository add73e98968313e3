//! Bodies and their shapes as words of a snapshot, and back.
//!
//! In: rows as a world keeps them. Out: the words that are state, without derived data such as list
//! memberships.

use glam::Vec2;

use super::collider::Collider;
use super::def::{Filter, ShapeDef, Weight};
use super::material::{Combine, Material};
use super::{Body, NONE};
use crate::shape::Shape;
use crate::state::{LoadError, Parse, Put};

/// Words of either half of a body's row.
pub(crate) const HALF: usize = 16;

/// Words of a shape besides its form.
pub(crate) const SURFACE: usize = 24;

/// Words of a material.
pub(crate) const MATERIAL: usize = 6;

const RULES: [Combine; 5] =
    [Combine::Average, Combine::GeometricMean, Combine::Max, Combine::Multiply, Combine::Min];

impl Body {
    /// Both halves of the row: pose and motion; settings.
    pub(crate) fn words(&self) -> [[u32; HALF]; 2] {
        let lists = Body { island: 0, first_shape: 0, awake_index: 0, ..*self };
        bytemuck::cast(lists)
    }

    /// A body in no list.
    pub(crate) fn of_words(halves: [[u32; HALF]; 2]) -> Body {
        let body: Body = bytemuck::cast(halves);
        Body { island: NONE, first_shape: NONE, awake_index: NONE, ..body }
    }
}

impl Material {
    fn put(&self, put: &mut Put) {
        put.floats(&[
            self.restitution,
            self.static_friction,
            self.kinetic_friction,
            self.rolling_resistance,
            self.surface_speed,
        ]);
        let (friction, restitution) = (self.friction_rule as u32, self.restitution_rule as u32);
        put.word(friction | restitution << 8 | u32::from(self.weld_on_touch) << 16);
    }

    fn parse(parse: &mut Parse) -> Result<Material, LoadError> {
        let [restitution, static_friction, kinetic_friction, rolling_resistance, surface_speed] =
            parse.floats();
        let [friction, restitution_rule, welds, none] = parse.word().to_le_bytes();
        let rule = |number: u8| RULES.get(usize::from(number)).copied();
        let (Some(friction_rule), Some(restitution_rule), 0..=1, 0) =
            (rule(friction), rule(restitution_rule), welds, none)
        else {
            return Err(LoadError::Broken("surfaces are mixed by a known rule"));
        };
        Ok(Material {
            restitution,
            static_friction,
            kinetic_friction,
            rolling_resistance,
            surface_speed,
            friction_rule,
            restitution_rule,
            weld_on_touch: welds == 1,
        })
    }

    pub(crate) fn words(&self) -> [u32; MATERIAL] {
        Put::row(|put| self.put(put))
    }

    /// A material that may break its rules.
    pub(crate) fn of_words(words: &[u32; MATERIAL]) -> Result<Material, LoadError> {
        Material::parse(&mut Parse::new(words))
    }
}

impl Collider {
    /// Words of a shape besides its geometry.
    pub(crate) fn words(&self) -> [u32; SURFACE] {
        let Filter { category, mask, group } = self.filter;
        Put::row(|put| {
            let (by_mass, weight) = match self.weight {
                Weight::Density(density) => (false, density),
                Weight::Mass(mass) => (true, mass),
            };
            put.flag(by_mass);
            put.float(weight);
            self.material.put(put);
            put.long(category);
            put.long(mask);
            put.word(group as u32);
            put.flag(self.sensor);
            put.option(self.one_way.map(|way| way.to_array()));
            put.flag(self.hooked);
            put.long(self.user_data);
            put.word(self.part_materials.len() as u32);
        })
    }

    /// A shape without its form and the materials of its parts, and how many those are.
    pub(crate) fn parse(words: &[u32; SURFACE], shape: Shape) -> Result<(ShapeDef, usize), LoadError> {
        let mut parse = Parse::new(words);
        let by_mass = parse.flag()?;
        let weight = parse.float();
        let def = ShapeDef {
            shape,
            weight: if by_mass { Weight::Mass(weight) } else { Weight::Density(weight) },
            material: Material::parse(&mut parse)?,
            part_materials: Vec::new(),
            filter: Filter { category: parse.long(), mask: parse.long(), group: parse.word() as i32 },
            sensor: parse.flag()?,
            one_way: parse.option()?.map(|[x, y]| Vec2::new(x, y)),
            contact_hook: parse.flag()?,
            user_data: parse.long(),
        };
        Ok((def, parse.word() as usize))
    }
}
