//! The calls that change a world, with their codes.
//!
//! In: a call, from its method. Out: its words; and from words, the call made again.

use glam::Vec2;

use crate::body::{BodyDef, BodyId, BodyKind, Filter, JointId, Locks, Material, ShapeDef, ShapeId, Weight};
use crate::broadphase::WorldAabb;
use crate::joint::JointDef;
use crate::math::WorldPoint;
use crate::shape::{Mass, Shape};
use crate::step::areas::Area;
use crate::world::{Ties, WorldDef};
#[cfg(feature = "record")]
use {
    super::store::Store,
    crate::error::Error,
    crate::math::Rot,
    crate::shape::TileCell,
    crate::state::{LoadError, Parse},
    crate::world::{World, query::PlacedShape},
};

/// Declares calls: code, name, arguments, and the call itself.
macro_rules! inputs {
    ($($code:literal $input:ident { $($field:ident: $type:ty),* } => |$world:ident| $call:expr;)*) => {
        /// A call that changes a world.
        #[derive(Clone, Debug)]
        #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "nothing reads what is not noted"))]
        pub(crate) enum Input {
            $($input { $($field: $type),* },)*
        }

        #[cfg(feature = "record")]
        impl Input {
            pub(super) fn code(&self) -> u32 {
                match self {
                    $(Input::$input { .. } => $code,)*
                }
            }

            /// The arguments of the call, as words.
            pub(super) fn store(&self, out: &mut Vec<u32>) {
                match self {
                    $(Input::$input { $($field),* } => { $($field.store(out);)* let _ = &out; })*
                }
            }

            /// Reads a call from its code and words.
            pub(super) fn fetch(code: u32, words: &mut Parse) -> Result<Input, LoadError> {
                let _ = &words;
                Ok(match code {
                    $($code => Input::$input { $($field: <$type>::fetch(words)?),* },)*
                    _ => return Err(LoadError::Broken("a call is one that there is")),
                })
            }

            /// Makes the call again. A refused call is refused again.
            pub(super) fn run(self, world: &mut World) -> Result<(), Error> {
                match self {
                    $(Input::$input { $($field),* } => { let $world = world; $call })*
                }
            }
        }
    };
}

inputs! {
    // Entries between calls, which `replay.rs` handles.
    0 Key { step: u64, jump: bool, filter: bool, modify: bool, image: Vec<u8> } => |_world| {
        let _ = (step, jump, filter, modify, image);
        Ok(())
    };
    1 Stepped { hash: u64 } => |_world| { let _ = hash; Ok(()) };
    2 SetFilterHook {} => |_world| Ok(());
    3 SetContactHook {} => |_world| Ok(());
    4 ClearHooks {} => |world| { world.clear_hooks(); Ok(()) };

    10 Step { dt: f32 } => |world| world.step(dt).map(drop);
    11 SetDef { def: WorldDef } => |world| world.set_def(def);

    20 Add { def: BodyDef } => |world| world.add(def).map(drop);
    27 AddAll { defs: Vec<BodyDef> } => |world| world.add_all(defs).map(drop);
    21 Remove { id: BodyId } => |world| world.remove(id);
    22 Attach { id: BodyId, def: ShapeDef } => |world| world.attach(id, def).map(drop);
    23 Detach { id: ShapeId } => |world| world.detach(id);

    24 Cut { area: WorldAabb, ties: Ties } => |world| world.cut(area, ties).map(drop);
    25 Extract { ids: Vec<BodyId> } => |world| world.extract(&ids).map(drop);
    28 Subtract { id: BodyId, shape: Shape, position: WorldPoint, turn: Vec2 } => |world| {
        let rotation = Rot { cos: turn.x, sin: turn.y };
        world.subtract(id, &PlacedShape { shape: &shape, position, rotation }).map(drop)
    };
    26 Paste { bytes: Vec<u8>, corner: WorldPoint } => |world| world.paste_bytes(&bytes, corner);

    30 Teleport { id: BodyId, position: WorldPoint, angle: f32 } => |world| world.teleport(id, position, angle);
    31 SetVelocity { id: BodyId, velocity: Vec2 } => |world| world.set_velocity(id, velocity);
    32 SetAngularVelocity { id: BodyId, velocity: f32 } => |world| world.set_angular_velocity(id, velocity);
    33 MoveTo { id: BodyId, position: WorldPoint, angle: f32 } => |world| world.move_to(id, position, angle);
    34 ApplyForce { id: BodyId, force: Vec2 } => |world| world.apply_force(id, force);
    35 ApplyForceAt { id: BodyId, force: Vec2, point: WorldPoint } => |world| world.apply_force_at(id, force, point);
    36 ApplyTorque { id: BodyId, torque: f32 } => |world| world.apply_torque(id, torque);
    37 ApplyImpulse { id: BodyId, impulse: Vec2 } => |world| world.apply_impulse(id, impulse);
    38 ApplyImpulseAt { id: BodyId, impulse: Vec2, point: WorldPoint } => |world| world.apply_impulse_at(id, impulse, point);
    39 ApplyAngularImpulse { id: BodyId, impulse: f32 } => |world| world.apply_angular_impulse(id, impulse);
    40 TeleportUnturned { id: BodyId, position: WorldPoint } => |world| world.teleport(id, position, None);
    41 MoveToUnturned { id: BodyId, position: WorldPoint } => |world| world.move_to(id, position, None);

    42 Explode { center: WorldPoint, radius: f32, impulse: f32, falloff: f32 } => |world| world.explode(center, radius, impulse, falloff);

    50 SetKind { id: BodyId, kind: BodyKind } => |world| world.set_kind(id, kind);
    51 SetEnabled { id: BodyId, enabled: bool } => |world| world.set_enabled(id, enabled);
    52 SetLocks { id: BodyId, locks: Locks } => |world| world.set_locks(id, locks);
    53 SetMass { id: BodyId, mass: Option<Mass> } => |world| world.set_mass(id, mass);
    54 SetGravityScale { id: BodyId, scale: f32 } => |world| world.set_gravity_scale(id, scale);
    55 SetDamping { id: BodyId, linear: f32, angular: f32 } => |world| world.set_damping(id, linear, angular);
    56 SetCanSleep { id: BodyId, can: bool } => |world| world.set_can_sleep(id, can);
    57 WakeUp { id: BodyId } => |world| world.wake_up(id);
    58 PutToSleep { id: BodyId } => |world| world.put_to_sleep(id);
    59 SetUserData { id: BodyId, user_data: u64 } => |world| world.set_user_data(id, user_data);

    60 SetGravityOf { id: BodyId, gravity: Option<Vec2> } => |world| world.set_gravity_of(id, gravity);
    61 SetMaxSpeedOf { id: BodyId, max_speed: f32 } => |world| world.set_max_speed_of(id, max_speed);
    62 SetLastingForce { id: BodyId, force: Vec2, torque: f32 } => |world| world.set_lasting_force(id, force, torque);
    63 SetDominance { id: BodyId, dominance: i8 } => |world| world.set_dominance(id, dominance);

    70 SetShape { id: ShapeId, shape: Shape } => |world| world.set_shape(id, shape);
    71 SetSensor { id: ShapeId, sensor: bool } => |world| world.set_sensor(id, sensor);
    72 SetOneWay { id: ShapeId, direction: Option<Vec2> } => |world| world.set_one_way(id, direction);
    73 SetWeight { id: ShapeId, weight: Weight } => |world| world.set_weight(id, weight);
    74 SetMaterial { id: ShapeId, material: Material } => |world| world.set_material(id, material);
    75 SetPartMaterial { id: ShapeId, part: usize, material: Material } => |world| world.set_part_material(id, part, material);
    76 SetFilter { id: ShapeId, filter: Filter } => |world| world.set_filter(id, filter);
    77 SetShapeUserData { id: ShapeId, user_data: u64 } => |world| world.set_shape_user_data(id, user_data);

    79 SetTile { id: ShapeId, column: u32, row: u32, bits: u32 } => |world| world.set_tile(id, [column, row], TileCell::of_packed(bits as u16));

    78 SetArea { id: ShapeId, area: Option<Area> } => |world| world.set_area(id, area);

    90 AddJoint { def: JointDef } => |world| world.add_joint(def).map(drop);
    91 ChangeJoint { id: JointId, def: JointDef } => |world| world.change_joint(id, |it| *it = def);
    92 RemoveJoint { id: JointId } => |world| world.remove_joint(id);
    93 BreakWelds { id: BodyId } => |world| world.break_welds(id);
}
