//! Drive rows: servos, motors and limits of the joints of a tree, kept in one list for all
//! sub-steps of a step.
//!
//! In: drives, copied by `working_copy.rs`, and responses of axes, noted by `jacobian.rs`. Out:
//! impulses of servos and motors.

use crate::solver::columns::{Column, ZERO};

/// Drives and limits of one axis of an edge, with the signs of the joint.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct DriveRow {
    pub(super) number: u32,
    /// Response of the axis to an impulse at the present poses, see `joints/drives.rs`: effective
    /// mass, impulses along the other two axes, and the strength of a servo.
    pub(super) mass: Column,
    pub(super) passed: [Column; 2],
    pub(super) toward: Column,
    /// Impulses of servo and motor, before the bodies moved and after.
    pub(super) impulse: [[Column; 2]; 2],
    /// Share of a soft constraint, least and greatest force of a servo.
    pub(super) share: Column,
    pub(super) bounds: [Column; 2],
    /// Target and strength of a servo.
    pub(super) target: Column,
    pub(super) pull: Column,
    pub(super) most_pull: Column,
    /// Speed of the motor, and its greatest force.
    pub(super) speed: Column,
    pub(super) max: Column,
    /// Present value.
    pub(super) value: Column,
    /// Lower and upper limit; then 1 at the lower one, -1 at the upper one, 0 between them.
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
