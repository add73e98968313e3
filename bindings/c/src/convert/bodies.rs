//! Definitions of worlds, bodies and shapes, and their readable states.

use carom::{
    Body, BodyDef, BodyKind, Collider, Combine, Filter, Locks, Material, ShapeDef, Weight, World,
    WorldDef, WorldPoint,
};

use super::{number_of, one_of, shape};
use crate::failure::{Failure, Result};
use crate::types as c;
use crate::types::status;

const KINDS: [BodyKind; 3] = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic];
const RULES: [Combine; 5] =
    [Combine::Average, Combine::GeometricMean, Combine::Max, Combine::Multiply, Combine::Min];

/// The kind of a body by its number.
pub(crate) fn kind(number: c::BodyKind) -> Result<BodyKind> {
    one_of(&KINDS, number, "body_kind")
}

impl From<&c::WorldDef> for WorldDef {
    fn from(def: &c::WorldDef) -> WorldDef {
        WorldDef {
            gravity: def.gravity.into(),
            sub_steps: def.sub_steps,
            max_speed: def.max_speed,
            sleep: def.sleep != 0,
            continuous: def.continuous != 0,
            sleep_speed: def.sleep_speed,
            sleep_time: def.sleep_time,
            hit_speed: def.hit_speed,
            unit: def.unit,
            period: carom::IVec2::new(def.period_x, def.period_y),
        }
    }
}

impl From<&WorldDef> for c::WorldDef {
    fn from(def: &WorldDef) -> c::WorldDef {
        c::WorldDef {
            gravity: def.gravity.into(),
            sub_steps: def.sub_steps,
            max_speed: def.max_speed,
            sleep: def.sleep.into(),
            continuous: def.continuous.into(),
            sleep_speed: def.sleep_speed,
            sleep_time: def.sleep_time,
            hit_speed: def.hit_speed,
            unit: def.unit,
            period_x: def.period.x,
            period_y: def.period.y,
        }
    }
}

impl TryFrom<&c::Material> for Material {
    type Error = Failure;

    fn try_from(material: &c::Material) -> Result<Material> {
        Ok(Material {
            restitution: material.restitution,
            static_friction: material.static_friction,
            kinetic_friction: material.kinetic_friction,
            rolling_resistance: material.rolling_resistance,
            surface_speed: material.surface_speed,
            friction_rule: one_of(&RULES, material.friction_rule, "combine")?,
            restitution_rule: one_of(&RULES, material.restitution_rule, "combine")?,
            weld_on_touch: material.weld_on_touch != 0,
        })
    }
}

impl From<&Material> for c::Material {
    fn from(material: &Material) -> c::Material {
        c::Material {
            restitution: material.restitution,
            static_friction: material.static_friction,
            kinetic_friction: material.kinetic_friction,
            rolling_resistance: material.rolling_resistance,
            surface_speed: material.surface_speed,
            friction_rule: number_of(&RULES, &material.friction_rule),
            restitution_rule: number_of(&RULES, &material.restitution_rule),
            weld_on_touch: material.weld_on_touch.into(),
        }
    }
}

impl From<&c::Filter> for Filter {
    fn from(filter: &c::Filter) -> Filter {
        Filter { category: filter.category, mask: filter.mask, group: filter.group }
    }
}

impl From<Filter> for c::Filter {
    fn from(filter: Filter) -> c::Filter {
        c::Filter { category: filter.category, mask: filter.mask, group: filter.group }
    }
}

impl TryFrom<&c::ShapeDef> for ShapeDef {
    type Error = Failure;

    fn try_from(def: &c::ShapeDef) -> Result<ShapeDef> {
        let by_mass = def.by_mass != 0;
        let parts = def.part_materials()?.iter().map(Material::try_from);
        Ok(ShapeDef {
            shape: shape(&def.geometry)?,
            weight: if by_mass { Weight::Mass(def.weight) } else { Weight::Density(def.weight) },
            material: Material::try_from(&def.material)?,
            part_materials: parts.collect::<Result<Vec<Material>>>()?,
            filter: (&def.filter).into(),
            sensor: def.sensor != 0,
            one_way: (def.one_way != 0).then(|| def.way.into()),
            contact_hook: def.contact_hook != 0,
            user_data: def.user_data,
        })
    }
}

impl TryFrom<&c::BodyDef> for BodyDef {
    type Error = Failure;

    fn try_from(def: &c::BodyDef) -> Result<BodyDef> {
        let dominance = i8::try_from(def.dominance)
            .map_err(|_| Failure::Rule(status::BAD_NUMBER, "dominance is -128 to 127"))?;
        let shapes = def.shapes()?;
        let mut own = BodyDef {
            kind: kind(def.kind)?,
            position: WorldPoint::from(def.position),
            angle: def.angle,
            linear_velocity: def.velocity.into(),
            angular_velocity: def.spin,
            linear_damping: def.linear_damping,
            angular_damping: def.angular_damping,
            gravity_scale: def.gravity_scale,
            gravity: (def.own_gravity != 0).then(|| def.gravity.into()),
            max_speed: def.max_speed,
            dominance,
            locks: Locks {
                x: def.lock_x != 0,
                y: def.lock_y != 0,
                rotation: def.lock_rotation != 0,
            },
            can_sleep: def.can_sleep != 0,
            awake: def.awake != 0,
            enabled: def.enabled != 0,
            mass: (def.own_mass != 0).then(|| def.mass.into()),
            user_data: def.user_data,
            ..BodyDef::fixed()
        };
        own.shapes.reserve_exact(shapes.len());
        for shape in shapes {
            own.shapes.push(shape.try_into()?);
        }
        Ok(own)
    }
}

/// The readable state of a body.
pub(crate) fn body_state(world: &World, id: carom::BodyId, body: &Body) -> c::BodyState {
    let locks = body.locks();
    let (force, torque) = world.lasting_force(id);
    let gravity = world.gravity_of(id);
    c::BodyState {
        kind: number_of(&KINDS, &body.kind()),
        awake: body.is_awake().into(),
        enabled: body.is_enabled().into(),
        can_sleep: body.can_sleep().into(),
        lock_x: locks.x.into(),
        lock_y: locks.y.into(),
        lock_rotation: locks.rotation.into(),
        own_gravity: gravity.is_some().into(),
        place: body.world_position().into(),
        position: body.position().into(),
        center: body.world_center().into(),
        local_center: body.local_center().into(),
        rotation: body.rotation().into(),
        angle: body.angle(),
        velocity: body.velocity().into(),
        spin: body.angular_velocity(),
        mass: body.mass(),
        inertia: body.inertia(),
        energy: body.kinetic_energy(),
        linear_damping: body.linear_damping(),
        angular_damping: body.angular_damping(),
        gravity_scale: body.gravity_scale(),
        gravity: gravity.unwrap_or_default().into(),
        max_speed: world.max_speed_of(id),
        dominance: world.dominance_of(id).into(),
        force: body.force().into(),
        torque: body.torque(),
        lasting_force: force.into(),
        lasting_torque: torque,
        user_data: body.user_data(),
    }
}

/// The readable state of a shape.
pub(crate) fn shape_state(body: carom::BodyId, shape: &Collider) -> c::ShapeState {
    c::ShapeState {
        body: body.into(),
        sensor: shape.is_sensor().into(),
        one_way: shape.one_way().is_some().into(),
        way: shape.one_way().unwrap_or_default().into(),
        material: shape.material().into(),
        filter: shape.filter().into(),
        mass: shape.mass().into(),
        user_data: shape.user_data(),
    }
}

impl From<&carom::Freeze> for c::Freeze {
    fn from(freeze: &carom::Freeze) -> c::Freeze {
        c::Freeze { body: freeze.body.into(), kind: number_of(&KINDS, &freeze.kind) }
    }
}
