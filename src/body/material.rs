//! Materials: friction, restitution and other properties of a surface.
//!
//! In: the surfaces of both shapes. Out: one [`Surface`] for the pair, mixed by the stronger of
//! both rules. Called when a contact comes into being and when a material changes.

use bytemuck::{Pod, Zeroable};

use crate::math::{max, min};

/// Rule that combines two values. If the rules of two surfaces differ, the later in this list wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Combine {
    /// The mean of both.
    Average,
    /// The root of the product: zero if one of them is.
    #[default]
    GeometricMean,
    /// The larger one.
    Max,
    /// The product.
    Multiply,
    /// The smaller one.
    Min,
}

impl Combine {
    fn apply(self, a: f32, b: f32) -> f32 {
        match self {
            Combine::Average => 0.5 * (a + b),
            Combine::GeometricMean => (a * b).sqrt(),
            Combine::Max => max(a, b),
            Combine::Multiply => a * b,
            Combine::Min => min(a, b),
        }
    }
}

/// How a surface answers a touch.
///
/// ```
/// use carom::Material;
///
/// let ice = Material { static_friction: 0.05, kinetic_friction: 0.03, ..Material::default() };
/// assert_eq!(ice.restitution, 0.0);
/// assert!(Material::default().friction(f32::NAN).checked().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Material {
    /// Coefficient of restitution, 0 to 1: the share of the approach speed that is given back. 0
    /// stays, 1 bounces for ever.
    pub restitution: f32,
    /// Coulomb's coefficient of friction while nothing slides: at least the kinetic one, at most
    /// 1e9.
    pub static_friction: f32,
    /// Coulomb's coefficient of friction while the surfaces slide, 0 or more.
    pub kinetic_friction: f32,
    /// Arm of the resisting torque of a rolling contact, in metres: a ball of radius r stops
    /// rolling on slopes up to about this over r. The larger arm of two surfaces counts.
    pub rolling_resistance: f32,
    /// Speed of the surface along its tangent, in m/s: a conveyor moves things that lie on it to
    /// its right-hand side seen along its outward normal. Speeds of two surfaces add up.
    pub surface_speed: f32,
    /// How frictions are mixed.
    pub friction_rule: Combine,
    /// How restitutions are mixed.
    pub restitution_rule: Combine,
    /// Whether bodies that touch the surface are welded to it; see [`Material::welding`].
    pub weld_on_touch: bool,
}

impl Default for Material {
    fn default() -> Material {
        Material {
            restitution: 0.0,
            static_friction: 0.6,
            kinetic_friction: 0.6,
            rolling_resistance: 0.0,
            surface_speed: 0.0,
            friction_rule: Combine::GeometricMean,
            restitution_rule: Combine::Max,
            weld_on_touch: false,
        }
    }
}

/// The rule that a material broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaterialError {
    /// [`Material::restitution`] is not within 0 to 1.
    Restitution,
    /// [`Material::static_friction`] is not within 0 to 1e9.
    StaticFriction,
    /// [`Material::kinetic_friction`] is not within 0 to 1e9.
    KineticFriction,
    /// [`Material::kinetic_friction`] is above the static one.
    KineticAboveStatic,
    /// [`Material::rolling_resistance`] is not within 0 to 1e9.
    RollingResistance,
    /// [`Material::surface_speed`] is not within -1e9 to 1e9.
    SurfaceSpeed,
}

impl core::fmt::Display for MaterialError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            MaterialError::Restitution => "a restitution must be 0 to 1",
            MaterialError::StaticFriction => "a static friction must be 0 or more, and at most 1e9",
            MaterialError::KineticFriction => "a kinetic friction must be 0 or more, and at most 1e9",
            MaterialError::KineticAboveStatic => "a kinetic friction must not be above the static one",
            MaterialError::RollingResistance => "a rolling resistance must be 0 m or more, and at most 1e9 m",
            MaterialError::SurfaceSpeed => "a surface speed must be finite, and at most 1e9 m/s",
        })
    }
}

impl core::error::Error for MaterialError {}

impl Material {
    /// No friction, restitution 1.
    #[must_use]
    pub fn elastic() -> Material {
        Material { restitution: 1.0, static_friction: 0.0, kinetic_friction: 0.0, ..Material::default() }
    }

    /// Restitution 0; friction as usual.
    #[must_use]
    pub fn inelastic() -> Material {
        Material::default()
    }

    /// So much friction that a touch ends all sliding, and restitution 0. On another surface whose
    /// friction rule is [`Combine::Min`] the friction of that one counts; with
    /// [`Combine::Multiply`] there is none if that one has none.
    #[must_use]
    pub fn sticky() -> Material {
        Material {
            static_friction: 1.0e9,
            kinetic_friction: 1.0e9,
            friction_rule: Combine::Max,
            restitution_rule: Combine::Multiply,
            ..Material::default()
        }
    }

    /// The surface also welds bodies that touch it: the two bodies move as one from then on.
    #[must_use]
    pub fn welding(self) -> Material {
        Material { weld_on_touch: true, ..self }
    }

    /// With one coefficient for both kinds of friction.
    #[must_use]
    pub fn friction(self, coefficient: f32) -> Material {
        Material { static_friction: coefficient, kinetic_friction: coefficient, ..self }
    }

    /// With another restitution.
    #[must_use]
    pub fn restitution(self, restitution: f32) -> Material {
        Material { restitution, ..self }
    }

    /// With another rolling resistance, in metres.
    #[must_use]
    pub fn rolling_resistance(self, rolling_resistance: f32) -> Material {
        Material { rolling_resistance, ..self }
    }

    /// The material itself, if all numbers are valid.
    ///
    /// # Errors
    /// The first rule that a number breaks.
    pub fn checked(self) -> Result<Material, MaterialError> {
        let size = |x: f32| (0.0..=1.0e9).contains(&x);
        let rules = [
            ((0.0..=1.0).contains(&self.restitution), MaterialError::Restitution),
            (size(self.static_friction), MaterialError::StaticFriction),
            (size(self.kinetic_friction), MaterialError::KineticFriction),
            (self.kinetic_friction <= self.static_friction, MaterialError::KineticAboveStatic),
            (size(self.rolling_resistance), MaterialError::RollingResistance),
            (size(self.surface_speed.abs()), MaterialError::SurfaceSpeed),
        ];
        rules.into_iter().find(|(holds, _)| !holds).map_or(Ok(self), |(_, broken)| Err(broken))
    }
}

/// Mixed material of a pair of surfaces.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct Surface {
    pub(crate) static_friction: f32,
    pub(crate) kinetic_friction: f32,
    pub(crate) restitution: f32,
    pub(crate) rolling_resistance: f32,
    /// Along the tangent to the right of the normal, of A's surface relative to B's.
    pub(crate) tangent_speed: f32,
}

impl Surface {
    /// Both materials mixed.
    ///
    /// The tangent lies to the right of the normal, which points from A to B. Seen from B's surface
    /// the normal points the other way, so its right is A's left: speeds of both add up.
    pub(crate) fn mix(a: &Material, b: &Material) -> Surface {
        let friction = a.friction_rule.max(b.friction_rule);
        let restitution = a.restitution_rule.max(b.restitution_rule);
        Surface {
            static_friction: friction.apply(a.static_friction, b.static_friction),
            kinetic_friction: friction.apply(a.kinetic_friction, b.kinetic_friction),
            restitution: restitution.apply(a.restitution, b.restitution),
            rolling_resistance: max(a.rolling_resistance, b.rolling_resistance),
            tangent_speed: a.surface_speed + b.surface_speed,
        }
    }
}
