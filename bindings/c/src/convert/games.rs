//! Areas, movers, pieces and lines.

use carom::{Area, Color, Fluid, MoveOutcome, MoverDef, MoverTouch, Pull, SteepRule, Ties};

use super::{number_of, one_of, shape};
use crate::failure::{Failure, Result};
use crate::types as c;
use crate::types::pull_kind;

const TIES: [Ties; 3] = [Ties::Stay, Ties::Come, Ties::Part];
const STEEP: [SteepRule; 2] = [SteepRule::Slide, SteepRule::Stand];

/// The treatment of ties by its number.
pub(crate) fn ties(number: c::Ties) -> Result<Ties> {
    one_of(&TIES, number, "ties")
}

impl TryFrom<&c::Area> for Area {
    type Error = Failure;

    fn try_from(area: &c::Area) -> Result<Area> {
        let gravity = match area.pull {
            pull_kind::NONE => None,
            pull_kind::ALONG => Some(Pull::Along(area.gravity.into())),
            pull_kind::TOWARD => Some(Pull::Toward {
                point: area.point.into(),
                strength: area.strength,
                radius: area.radius,
                falloff: area.falloff,
            }),
            other => return Err(Failure::Enum("pull_kind", other)),
        };
        let fluid = || Fluid {
            density: area.fluid_density,
            surface: area.surface.into(),
            up: area.up.into(),
            drag: area.fluid_drag,
            angular_drag: area.fluid_angular_drag,
            flow: area.flow.into(),
        };
        Ok(Area {
            priority: area.priority,
            gravity,
            replaces: area.replaces != 0,
            drag: area.drag,
            angular_drag: area.angular_drag,
            wind: area.wind.into(),
            fluid: (area.has_fluid != 0).then(fluid),
        })
    }
}

impl From<&Area> for c::Area {
    fn from(area: &Area) -> c::Area {
        let mut own = c::Area {
            priority: area.priority,
            replaces: area.replaces.into(),
            drag: area.drag,
            angular_drag: area.angular_drag,
            wind: area.wind.into(),
            has_fluid: area.fluid.is_some().into(),
            ..c::Area::default()
        };
        match area.gravity {
            None => {}
            Some(Pull::Along(pull)) => (own.pull, own.gravity) = (pull_kind::ALONG, pull.into()),
            Some(Pull::Toward { point, strength, radius, falloff }) => {
                (own.pull, own.point) = (pull_kind::TOWARD, point.into());
                (own.strength, own.radius, own.falloff) = (strength, radius, falloff);
            }
        }
        if let Some(fluid) = area.fluid {
            own.fluid_density = fluid.density;
            (own.surface, own.up) = (fluid.surface.into(), fluid.up.into());
            (own.fluid_drag, own.fluid_angular_drag) = (fluid.drag, fluid.angular_drag);
            own.flow = fluid.flow.into();
        }
        own
    }
}

impl TryFrom<&c::MoverDef> for MoverDef {
    type Error = Failure;

    fn try_from(def: &c::MoverDef) -> Result<MoverDef> {
        Ok(MoverDef {
            shape: shape(&def.geometry)?,
            up: def.up.into(),
            skin: def.skin,
            max_slope: def.max_slope,
            steep: one_of(&STEEP, def.steep, "steep_rule")?,
            step_height: def.step_height,
            step_width: def.step_width,
            step_on_dynamic: def.step_on_dynamic != 0,
            snap: def.snap,
            one_way: def.one_way != 0,
            mass: def.mass,
            push_force: def.push_force,
        })
    }
}

/// The default definition of a mover, whose shape is a capsule.
pub(crate) fn mover_def() -> c::MoverDef {
    let def = MoverDef::default();
    let geometry = match &def.shape {
        carom::Shape::Capsule(capsule) => {
            let [a, b] = capsule.ends().map(c::Vec2::from);
            let (kind, radius) = (c::geometry_kind::CAPSULE, capsule.radius());
            c::Geometry { kind, a, b, radius, ..c::Geometry::default() }
        }
        // A test says that this is never so.
        _ => c::Geometry::default(),
    };
    c::MoverDef {
        geometry,
        up: def.up.into(),
        skin: def.skin,
        max_slope: def.max_slope,
        steep: number_of(&STEEP, &def.steep),
        step_height: def.step_height,
        step_width: def.step_width,
        step_on_dynamic: def.step_on_dynamic.into(),
        one_way: def.one_way.into(),
        snap: def.snap,
        mass: def.mass,
        push_force: def.push_force,
    }
}

impl From<&MoveOutcome> for c::MoveOutcome {
    fn from(outcome: &MoveOutcome) -> c::MoveOutcome {
        let mut own = c::MoveOutcome {
            place: outcome.position.into(),
            position: outcome.position.position().into(),
            motion: outcome.motion.into(),
            velocity: outcome.velocity.into(),
            grounded: outcome.grounded().into(),
            hit_wall: outcome.hit_wall.into(),
            hit_ceiling: outcome.hit_ceiling.into(),
            stepped: outcome.stepped.into(),
            inherited: outcome.inherited.into(),
            crushed: outcome.crushed,
            ..c::MoveOutcome::default()
        };
        if let Some(ground) = outcome.ground {
            (own.ground_shape, own.ground_body) = (ground.shape.into(), ground.body.into());
            (own.ground_point, own.ground_normal) = (ground.point.into(), ground.normal.into());
            own.ground_velocity = ground.velocity.into();
        }
        own
    }
}

impl From<&MoverTouch> for c::MoverTouch {
    fn from(touch: &MoverTouch) -> c::MoverTouch {
        c::MoverTouch {
            shape: touch.shape.into(),
            body: touch.body.into(),
            part: touch.part,
            point: touch.point.into(),
            normal: touch.normal.into(),
            speed: touch.speed,
        }
    }
}

/// A colour as 0xRRGGBBAA.
pub(crate) fn line_color(color: Color) -> u32 {
    u32::from_be_bytes([color.r, color.g, color.b, color.a])
}
