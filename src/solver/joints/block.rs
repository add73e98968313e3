//! Blocks: eight joints side by side, as the solver reads them.
//!
//! In: data of joints, which `world/joints/fill.rs` writes once a step, lane by lane. Out:
//! impulses, read back the same way. Joints of one block have one form: the same axes locked and
//! driven, so a kernel branches once per block and not once per joint.

pub(crate) use crate::joint::form::{LIMITS, MOTOR, RowMask, SERVO};
use crate::simd::LANES;
use crate::solver::columns::{Column, ZERO};

/// Eight joints and the bodies they hold. Lanes that are not used name row 0 twice and have no
/// mass.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct JointBlock {
    pub(crate) form: RowMask,
    /// Index of its drives, if it has any.
    pub(crate) drives: u32,
    /// Whether any lane breaks.
    pub(crate) breaks: bool,
    /// Dynamic masks: which of the bodies A, and which of the bodies B, have a mass in this step,
    /// one bit per lane. Only their rows are written, so that no two blocks of a phase write to the
    /// same row.
    pub(crate) dynamic: [u8; 2],
    /// Solver rows of the bodies.
    pub(crate) row_a: [u32; LANES],
    pub(crate) row_b: [u32; LANES],
    pub(crate) seat: Seat,
    pub(crate) start: JointStart,
    pub(crate) now: Now,
    /// Impulses of the locked axes in the last sub-step, before the bodies moved and after.
    pub(crate) held: [[Column; 3]; 2],
    /// Sum of all impulses on B in the step.
    pub(crate) total: [Column; 3],
}

/// Data that stays the same until a joint is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// Rows of the bodies' poses in `Columns::pose`.
    pub(crate) pose_a: [u32; LANES],
    pub(crate) pose_b: [u32; LANES],
    /// From the centres of mass to the anchors, in the frames of the bodies.
    pub(crate) anchor_a: [Column; 2],
    pub(crate) anchor_b: [Column; 2],
    /// In the frame of A.
    pub(crate) axis: [Column; 2],
    /// From the region of A to that of B, in metres.
    pub(crate) regions: [Column; 2],
    /// The value at which each axis is locked.
    pub(crate) goal: [Column; 3],
}

/// Joint frames and masses at the start of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointStart {
    /// Inverse masses, one column per axis, and inverse rotational inertias.
    pub(crate) inv_mass_a: [Column; 2],
    pub(crate) inv_mass_b: [Column; 2],
    pub(crate) inv_inertia_a: Column,
    pub(crate) inv_inertia_b: Column,
    /// From the centres of mass to the anchors.
    pub(crate) anchor_a: [Column; 2],
    pub(crate) anchor_b: [Column; 2],
    /// From A's centre of mass to B's.
    pub(crate) way: [Column; 2],
    pub(crate) axis: [Column; 2],
    /// Angle of B relative to A, whole turns included, less the reference angle. Kept from step to
    /// step.
    pub(crate) angle: Column,
}

/// Joint frames at the present poses, in the axes of the joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    /// n; t is a quarter turn to the left of it. For a form that is [`Form::upright`], n is x and t
    /// is y.
    pub(crate) axis: [Column; 2],
    /// From A's centre of mass to B's anchor, along n and t.
    pub(crate) a: [Column; 2],
    /// From B's centre of mass to its anchor, along n and t.
    pub(crate) b: [Column; 2],
    /// The joint coordinates: along, across, angle.
    pub(crate) value: [Column; 3],
    /// Inverse inertias as the joint sees them, extra inertia included.
    pub(crate) inv_inertia_a: Column,
    pub(crate) inv_inertia_b: Column,
    /// Inverse effective masses of the three axes: the diagonal of K.
    pub(crate) k: [Column; 3],
    /// K between along and across, along and angle, across and angle.
    pub(crate) k_cross: [Column; 3],
}

/// Servo, motor and limits of one axis of eight joints.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Driven {
    /// Servo (soft constraint): share; impulse per unit of error, and the greatest speed; target,
    /// least and greatest force. If along and across share one servo, speed in place of impulse.
    pub(crate) share: Column,
    pub(crate) pull: Column,
    pub(crate) most_pull: Column,
    pub(crate) target: Column,
    pub(crate) least: Column,
    pub(crate) most: Column,
    /// Speed of the motor, and its greatest force.
    pub(crate) speed: Column,
    pub(crate) max: Column,
    pub(crate) lower: Column,
    pub(crate) upper: Column,
    /// Impulses of servo, motor and limits, before the bodies moved and after.
    pub(crate) impulse: [[Column; 3]; 2],
}

/// The drives of the three axes of a block.
pub(crate) type Drives = [Driven; 3];

const AXIS_X: [Column; 2] = [[1.0; LANES], ZERO];

impl JointBlock {
    pub(crate) const EMPTY: JointBlock = JointBlock {
        form: RowMask(0),
        drives: u32::MAX,
        breaks: false,
        dynamic: [0; 2],
        row_a: [0; LANES],
        row_b: [0; LANES],
        seat: Seat {
            pose_a: [0; LANES],
            pose_b: [0; LANES],
            anchor_a: [ZERO; 2],
            anchor_b: [ZERO; 2],
            axis: AXIS_X,
            regions: [ZERO; 2],
            goal: [ZERO; 3],
        },
        start: JointStart {
            inv_mass_a: [ZERO; 2],
            inv_mass_b: [ZERO; 2],
            inv_inertia_a: ZERO,
            inv_inertia_b: ZERO,
            anchor_a: [ZERO; 2],
            anchor_b: [ZERO; 2],
            way: [ZERO; 2],
            axis: AXIS_X,
            angle: ZERO,
        },
        now: Now {
            axis: AXIS_X,
            a: [ZERO; 2],
            b: [ZERO; 2],
            value: [ZERO; 3],
            inv_inertia_a: ZERO,
            inv_inertia_b: ZERO,
            k: [ZERO; 3],
            k_cross: [ZERO; 3],
        },
        held: [[ZERO; 3]; 2],
        total: [ZERO; 3],
    };
}

impl JointBlock {
    /// Clears a lane, except the fields that each step fills anew.
    pub(crate) fn clear_lane(&mut self, lane: usize) {
        let Seat { pose_a, pose_b, anchor_a, anchor_b, axis, regions, goal } = &mut self.seat;
        for rows in [&mut self.row_a, &mut self.row_b, pose_a, pose_b] {
            rows[lane] = 0;
        }
        let twos = [anchor_a, anchor_b, regions].into_iter().flatten();
        let threes = self.held.iter_mut().chain([goal, &mut self.total]).flatten();
        for column in twos.chain(threes).chain([&mut self.start.angle]) {
            column[lane] = 0.0;
        }
        (axis[0][lane], axis[1][lane]) = (AXIS_X[0][lane], AXIS_X[1][lane]);
    }
}

impl Driven {
    /// Empties a lane.
    pub(crate) fn clear_lane(&mut self, lane: usize) {
        let Driven { share, pull, most_pull, target, least, most, speed, max, lower, upper, impulse } = self;
        let columns = [share, pull, most_pull, target, least, most, speed, max, lower, upper];
        for column in columns.into_iter().chain(impulse.iter_mut().flatten()) {
            column[lane] = 0.0;
        }
    }

    pub(crate) const NOTHING: Driven = Driven {
        share: ZERO,
        pull: ZERO,
        most_pull: ZERO,
        target: ZERO,
        least: ZERO,
        most: ZERO,
        speed: ZERO,
        max: ZERO,
        lower: ZERO,
        upper: ZERO,
        impulse: [[ZERO; 3]; 2],
    };
}
