//! Muscles: what drives or limits the joints of a tree, kept at hand for all sub-steps of a step.
//!
//! In: drives, as `load.rs` fetches them, and how numbers answer, as `jacobian.rs` notes it. Out:
//! impulses of servos and motors.

use super::tree::ZERO;
use crate::solver::columns::Column;

/// What drives or limits a number of an edge, as the joint counts it.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct DriveRow {
    pub(super) number: u32,
    /// How the number answers a push from where the joints stand now: see `joints/drives.rs`. One
    /// over what gives way, what passes along the other two numbers, and how hard a servo pulls.
    pub(super) mass: Column,
    pub(super) passed: [Column; 2],
    pub(super) toward: Column,
    /// Impulses of servo and motor, before the bodies moved and after.
    pub(super) impulse: [[Column; 2]; 2],
    /// Share of a kick, least and greatest force of a servo.
    pub(super) share: Column,
    pub(super) bounds: [Column; 2],
    /// Where a servo pulls it to, and how hard.
    pub(super) target: Column,
    pub(super) pull: Column,
    pub(super) most_pull: Column,
    /// Speed of the motor, and its greatest force.
    pub(super) speed: Column,
    pub(super) max: Column,
    /// Where it stands now.
    pub(super) value: Column,
    /// Lower and upper limit; and 1 at the lower one, -1 at the upper one, 0 between them.
    pub(super) limits: [Column; 2],
    pub(super) at_limit: Column,
}

impl DriveRow {
    pub(super) fn new(number: usize) -> DriveRow {
        DriveRow {
            number: number as u32,
            mass: ZERO,
            passed: [ZERO; 2],
            toward: ZERO,
            impulse: [[ZERO; 2]; 2],
            share: ZERO,
            bounds: [ZERO; 2],
            target: ZERO,
            pull: ZERO,
            most_pull: ZERO,
            speed: ZERO,
            max: ZERO,
            value: ZERO,
            limits: [ZERO; 2],
            at_limit: ZERO,
        }
    }
}
