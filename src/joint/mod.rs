//! Joints: what holds two bodies together.
//!
//! In: definitions. Out: what each kind is made of. A joint has three numbers: how far B's anchor
//! is from A's along an axis, how far across it, and the angle of B against A. A kind says which
//! axis, and for each number whether it is held, driven or free; the solver knows nothing else of
//! kinds. A file a kind, with its derivation:
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
//! `def.rs` says what a joint is made from, `build.rs` makes that short, `check.rs` refuses what
//! cannot be, `form.rs` tells the solver what it comes to.
//!
//! What is held gives way like a spring if the definition says so; then it is driven by that
//! spring.

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

/// What is done with one of a joint's three numbers.
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

/// What a joint is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AxisModes {
    /// The axis is the line from anchor to anchor, and not one that turns with A.
    pub(crate) line: bool,
    /// The axis in the frame of A.
    pub(crate) axis: Vec2,
    /// Along, across, angle.
    pub(crate) modes: [AxisMode; 3],
    /// What is driven along and across is one: it shares one strength, and is solved at once.
    pub(crate) round: bool,
}

impl Default for AxisModes {
    fn default() -> AxisModes {
        AxisModes { line: false, axis: Vec2::X, modes: [AxisMode::Free; 3], round: false }
    }
}

impl JointDef {
    /// What it is made of; nothing for couplings and filters.
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

/// What passed through a joint in the last sub-step: before and after the bodies moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Impulses {
    /// By what holds each number.
    pub(crate) held: [[f32; 3]; 2],
    /// By servo, motor and limits of each number.
    pub(crate) driven: [[[f32; 3]; 3]; 2],
}

/// A joint of a world, to be read: `world[id]`. What changes it are the functions of the world.
///
/// What those read who go through the lists of bodies comes first, in one cache line: a joint has
/// several.
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
    /// Its block and lane in the solver, which keep its impulses while its bodies are awake; or
    /// [`NONE`].
    pub(crate) place: u32,
    /// What the definition comes to: which numbers are held, which are driven; nothing for
    /// couplings and filters.
    pub(crate) form: RowMask,
    /// Whether it holds or limits anything, with all it needs.
    pub(crate) firm: bool,
    /// Whether it does anything: as its definition says.
    pub(crate) is_on: bool,
    /// Made by a sticky surface.
    pub(crate) by_touch: bool,
    /// How many gears couple it.
    pub(crate) gears: u32,
    pub(crate) def: JointDef,
    pub(crate) impulses: Impulses,
    /// On B, as an average over the last step in which it was awake.
    pub(crate) force: Vec2,
    pub(crate) torque: f32,
    /// What a coupling keeps its sum at.
    pub(crate) sum: f64,
}

/// What a definition comes to: nothing, while it is off.
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

    /// Gives it another definition; all else stays.
    pub(crate) fn redefine(&mut self, def: JointDef) {
        self.form = form_of(&def);
        (self.firm, self.is_on, self.def) = (is_firm(&def, self.form), def.enabled, def);
    }

    /// Whether it says of its definition what that comes to.
    pub(crate) fn is_known(&self) -> bool {
        let form = form_of(&self.def);
        self.form == form && self.firm == is_firm(&self.def, form) && self.is_on == self.def.enabled
    }

    /// What it is made from, with everything that was left open filled in: anchors in the frames of
    /// the bodies, lengths, the angle that counts as none.
    #[must_use]
    pub fn def(&self) -> &JointDef {
        &self.def
    }

    /// Whether it does anything: see [`World::set_joint_enabled`](crate::World::set_joint_enabled).
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

    /// Lists of joints are walked by the first line of each.
    #[test]
    fn what_lists_need_is_one_cache_line() {
        assert!(core::mem::offset_of!(Joint, gears) < 64 && align_of::<Joint>() == 64);
    }
}
