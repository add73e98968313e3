//! Bodies and their shapes as words of a snapshot, and back.
//!
//! In: rows as a world keeps them. Out: the words that are state, without derived data such as list
//! memberships.

use glam::Vec2;

use super::collider::{Collider, ShapeTraits};
use super::def::{Filter, ShapeDef, Weight};
use super::material::{Combine, Material};
use super::{Body, NONE};
use crate::shape::Shape;
use crate::state::{LoadError, Parse};

/// Words of either half of a body's row.
pub(crate) const HALF: usize = 16;

/// Words of a shape besides its form.
pub(crate) const SURFACE: usize = 24;

/// Words of a material.
pub(crate) const MATERIAL: usize = 6;

const COMBINE_RULES: [Combine; 5] =
    [Combine::Average, Combine::GeometricMean, Combine::Max, Combine::Multiply, Combine::Min];

impl Body {
    /// Both halves of the row: pose and motion; settings.
    pub(crate) fn words(&self) -> [[u32; HALF]; 2] {
        let lists = Body { island: 0, first_shape: 0, awake_index: 0, ..*self };
        bytemuck::cast(lists)
    }

    /// Whether the second half of its words is that of another body.
    #[inline]
    pub(crate) fn has_settings_of(&self, other: &Body) -> bool {
        const LISTS: [u32; HALF] = {
            let mut kept = [u32::MAX; HALF];
            (kept[7], kept[8], kept[9]) = (0, 0, 0);
            kept
        };
        let [[_, a], [_, b]] = [self, other].map(bytemuck::cast_ref::<Body, [[u32; HALF]; 2]>);
        a.iter().zip(b).zip(&LISTS).fold(0, |all, ((a, b), kept)| all | (a ^ b) & kept) == 0
    }

    /// A body in no list.
    pub(crate) fn of_words(halves: [[u32; HALF]; 2]) -> Body {
        let body: Body = bytemuck::cast(halves);
        Body { island: NONE, first_shape: NONE, awake_index: NONE, ..body }
    }
}

impl Material {
    fn parse(parse: &mut Parse) -> Result<Material, LoadError> {
        let [restitution, static_friction, kinetic_friction, rolling_resistance, surface_speed] =
            parse.floats();
        let [friction, restitution_rule, welds, none] = parse.word().to_le_bytes();
        let rule = |number: u8| COMBINE_RULES.get(usize::from(number)).copied();
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

    #[inline]
    pub(crate) fn words(&self) -> [u32; MATERIAL] {
        let (friction, restitution) = (self.friction_rule as u32, self.restitution_rule as u32);
        [
            self.restitution.to_bits(),
            self.static_friction.to_bits(),
            self.kinetic_friction.to_bits(),
            self.rolling_resistance.to_bits(),
            self.surface_speed.to_bits(),
            friction | restitution << 8 | u32::from(self.weld_on_touch) << 16,
        ]
    }

    /// A material that may break its rules.
    pub(crate) fn of_words(words: &[u32; MATERIAL]) -> Result<Material, LoadError> {
        Material::parse(&mut Parse::new(words))
    }
}

impl Collider {
    /// Words of a shape besides its geometry.
    pub(crate) fn words(&self) -> [u32; SURFACE] {
        let traits = &*self.traits;
        let Filter { category, mask, group } = traits.filter;
        let (by_mass, weight) = match traits.weight {
            Weight::Density(density) => (false, density),
            Weight::Mass(mass) => (true, mass),
        };
        let halves = |long: u64| [long as u32, (long >> 32) as u32];
        let mut words = [0; SURFACE];
        (words[0], words[1]) = (u32::from(by_mass), weight.to_bits());
        words[2..8].copy_from_slice(&traits.material.words());
        words[8..10].copy_from_slice(&halves(category));
        words[10..12].copy_from_slice(&halves(mask));
        (words[12], words[13]) = (group as u32, u32::from(traits.sensor));
        if let Some(way) = traits.one_way {
            words[14..17].copy_from_slice(&[1, way.x.to_bits(), way.y.to_bits()]);
        }
        words[17] = u32::from(traits.hooked);
        words[18..20].copy_from_slice(&halves(self.user_data));
        words[20] = traits.part_materials.len() as u32;
        words
    }

    /// Whether its words equal the words of `other`. Most shapes of a heap equal the shape before
    /// them.
    #[inline]
    pub(crate) fn has_words_of(&self, other: &Collider) -> bool {
        self.user_data == other.user_data
            && (self.traits.is(&other.traits)
                || self.traits.has_bits_of(&other.traits)
                    && self.traits.part_materials.len() == other.traits.part_materials.len())
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

impl ShapeTraits {
    /// Whether others have the same bits, materials of parts aside.
    pub(crate) fn has_bits_of(&self, other: &ShapeTraits) -> bool {
        // Numbers by their bits: equal zeros may have two signs.
        let numbers = |of: &ShapeTraits| {
            let Material { restitution, static_friction, kinetic_friction, .. } = of.material;
            let Material { rolling_resistance, surface_speed, .. } = of.material;
            let (Weight::Density(weight) | Weight::Mass(weight)) = of.weight;
            let of_material = [restitution, static_friction, kinetic_friction, rolling_resistance];
            let [a, b, c, d] = of_material.map(f32::to_bits);
            [a, b, c, d, surface_speed.to_bits(), weight.to_bits()]
        };
        let rules = |of: &ShapeTraits| {
            let Material { friction_rule, restitution_rule, weld_on_touch, .. } = of.material;
            let by_mass = matches!(of.weight, Weight::Mass(_));
            let one_way = of.one_way.map(|way| way.to_array().map(f32::to_bits));
            let flags = [by_mass, weld_on_touch, of.sensor, of.hooked];
            (flags, friction_rule as u32, restitution_rule as u32, one_way)
        };
        numbers(self) == numbers(other) && rules(self) == rules(other) && self.filter == other.filter
    }
}
