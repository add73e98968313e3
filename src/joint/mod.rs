//! Joints: constraints between two bodies.
//!
//! In: definitions. Out: the rules of each kind. A joint has three degrees of freedom (axes): the
//! offset of B's anchor from A's along an axis, the offset across it, and the angle of B against A.
//! A kind says which axis, and for each of the three whether it is held (locked), driven or free;
//! the solver knows nothing else of kinds. There is a file per kind, with its derivation:
//!
//! ```text
//!             along        across       angle
//!   revolute  held         held         driven       prismatic  driven  held  held
//!   weld      held         held         held         wheel      driven  held  driven
//!   distance  held or driven                         rope       driven
//!   motor     driven       driven       driven       friction   driven  driven  driven
//!   gear, pulley: a sum of the numbers of two joints
//! ```
//!
//! `def.rs` has the definitions, `build.rs` short ways to write them, `check.rs` their checks,
//! `form.rs` the mask of axes for the solver.
//!
//! If the definition has a spring, a locked axis is soft: it is driven by that spring instead.

mod build;
mod check;
pub(crate) mod def;
mod distance;
pub(crate) mod form;
mod friction;
mod gear;
mod motor;
mod prismatic;
mod pulley;
mod revolute;
mod rope;
pub(crate) mod spring;
pub(crate) mod state;
mod weld;
mod wheel;

pub use def::{Anchor, Drive, JointDef, JointKind, Limits, Motor, Servo, Spring};

use glam::Vec2;

use crate::body::NONE;
use form::RowMask;

/// Mode of one of a joint's three axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AxisMode {
    Free,
    /// Locked at a value.
    Locked(f32),
    Driven(Drive),
}

impl AxisMode {
    /// Locked at `value`, stiff or by a spring.
    fn locked(value: f32, spring: Option<Spring>) -> AxisMode {
        match spring {
            None => AxisMode::Locked(value),
            Some(spring) => {
                AxisMode::Driven(Drive { servo: Some(Servo::new(value, spring)), ..Drive::default() })
            }
        }
    }
}

/// The axes and rules of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AxisModes {
    /// The axis is the line from anchor to anchor, instead of an axis fixed to A.
    pub(crate) line: bool,
    /// The axis in the frame of A.
    pub(crate) axis: Vec2,
    /// Modes of along, across, and angle.
    pub(crate) modes: [AxisMode; 3],
    /// The drives along and across share one strength, and are solved together.
    pub(crate) round: bool,
}

impl Default for AxisModes {
    fn default() -> AxisModes {
        AxisModes { line: false, axis: Vec2::X, modes: [AxisMode::Free; 3], round: false }
    }
}

impl JointDef {
    /// Its axes and rules; all free for couplings and filters.
    pub(crate) fn axis_modes(&self) -> AxisModes {
        match self.kind {
            JointKind::Revolute => revolute::axis_modes(self),
            JointKind::Prismatic { axis } => prismatic::axis_modes(self, axis),
            JointKind::Distance { length, force } => distance::axis_modes(self, length.unwrap_or(0.0), force),
            JointKind::Rope => rope::axis_modes(self),
            JointKind::Weld { bend } => weld::axis_modes(self, bend),
            JointKind::Wheel { axis, suspension } => wheel::axis_modes(self, axis, suspension),
            JointKind::Motor { offset, angle, spring, max_force, max_torque } => {
                motor::axis_modes(&motor::Goal { offset, angle, spring, max_force, max_torque })
            }
            JointKind::Friction { max_force, max_torque } => friction::axis_modes(max_force, max_torque),
            JointKind::Gear { .. } | JointKind::Pulley { .. } | JointKind::Filter => AxisModes::default(),
        }
    }
}

/// Impulses of a joint in the last sub-step, before and after the bodies moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Impulses {
    /// Impulses of each locked axis.
    pub(crate) held: [[f32; 3]; 2],
    /// Impulses of servo, motor and limits of each axis.
    pub(crate) driven: [[[f32; 3]; 3]; 2],
}

/// A joint of a world, to be read: `world[id]`. The functions of the world change it.
///
/// Fields used while walking a body's joint list come first, so that the walk touches one cache
/// line per joint.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Joint {
    /// Slots of the bodies; [`NONE`] for the world.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// The next joints of the same bodies, and those before.
    pub(crate) next_a: u32,
    pub(crate) next_b: u32,
    pub(crate) before_a: u32,
    pub(crate) before_b: u32,
    /// Counts the joints of the world in the order in which they came into the lists of their
    /// bodies.
    pub(crate) serial: u64,
    /// Its solver slot (block × 8 + lane), which keeps its impulses while its bodies are awake; or
    /// [`NONE`]. In a world that has left its workspace, the slot that it had there.
    pub(crate) place: u32,
    /// The form of its definition: locked and driven axes; empty for couplings and filters.
    pub(crate) form: RowMask,
    /// Whether it locks or limits any axis.
    pub(crate) firm: bool,
    /// Whether it is enabled, from its definition.
    pub(crate) is_on: bool,
    /// Made by a sticky surface.
    pub(crate) by_touch: bool,
    /// Number of gears that use it.
    pub(crate) gears: u32,
    pub(crate) def: JointDef,
    pub(crate) impulses: Impulses,
    /// Force on B, averaged over the last step in which it was awake.
    pub(crate) force: Vec2,
    pub(crate) torque: f32,
    /// The constant sum of a coupling.
    pub(crate) sum: f64,
}

/// The form of a definition: empty while it is off.
fn form_of(def: &JointDef) -> RowMask {
    if def.enabled { def.axis_modes().form() } else { RowMask::default() }
}

fn is_firm(def: &JointDef, form: RowMask) -> bool {
    form.is_firm() || (def.enabled && def.kind.ratio().is_some())
}

impl Joint {
    pub(crate) fn new(def: JointDef, body_a: u32, body_b: u32) -> Joint {
        let form = form_of(&def);
        Joint {
            body_a,
            body_b,
            next_a: NONE,
            next_b: NONE,
            before_a: NONE,
            before_b: NONE,
            serial: 0,
            place: NONE,
            form,
            firm: is_firm(&def, form),
            is_on: def.enabled,
            by_touch: false,
            gears: 0,
            def,
            impulses: Impulses::default(),
            force: Vec2::ZERO,
            torque: 0.0,
            sum: 0.0,
        }
    }

    /// Replaces its definition; everything else stays.
    pub(crate) fn redefine(&mut self, def: JointDef) {
        self.form = form_of(&def);
        (self.firm, self.is_on, self.def) = (is_firm(&def, self.form), def.enabled, def);
    }

    /// Whether the derived fields agree with the definition.
    pub(crate) fn is_known(&self) -> bool {
        let form = form_of(&self.def);
        self.form == form && self.firm == is_firm(&self.def, form) && self.is_on == self.def.enabled
    }

    /// Its definition, with all optional values filled in: anchors in the frames of the bodies,
    /// lengths, the reference angle.
    #[must_use]
    pub fn def(&self) -> &JointDef {
        &self.def
    }

    /// Whether it is enabled: see [`World::set_joint_enabled`](crate::World::set_joint_enabled).
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.is_on
    }

    /// The number of the program's own that its definition carried.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.def.user_data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks of joint lists read only the first cache line of each joint.
    #[test]
    fn what_lists_need_is_one_cache_line() {
        assert!(core::mem::offset_of!(Joint, gears) < 64 && align_of::<Joint>() == 64);
    }
}
