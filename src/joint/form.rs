//! The form of a joint: a mask of its locked and driven axes.
//!
//! In: the rules of a joint's axes. Out: a number with one bit per locked axis, and one per axis
//! and drive. It is the solver's layout key: joints in one block have one form.

use super::def::Drive;
use super::{AxisMode, AxisModes};

/// Which axes of a joint are locked, and which are driven by what: one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowMask(pub(crate) u32);

/// Drives of an axis, in the order of the bits of a form and of the impulses.
pub(crate) const SERVO: usize = 0;
pub(crate) const MOTOR: usize = 1;
pub(crate) const LIMITS: usize = 2;

impl RowMask {
    const LINE: u32 = 1 << 12;
    const ROUND: u32 = 1 << 13;

    pub(crate) fn hold(&mut self, number: usize) {
        self.0 |= 1 << number;
    }

    pub(crate) fn drive(&mut self, number: usize, by: usize) {
        self.0 |= 1 << (3 + 3 * number + by);
    }

    pub(crate) fn set_line(&mut self) {
        self.0 |= RowMask::LINE;
    }

    pub(crate) fn set_round(&mut self) {
        self.0 |= RowMask::ROUND;
    }

    /// Whether an axis is locked.
    #[inline(always)]
    pub(crate) fn holds(self, number: usize) -> bool {
        self.0 & (1 << number) != 0
    }

    /// Whether an axis is driven by a servo, a motor or limits, as `by` says.
    #[inline(always)]
    pub(crate) fn drives(self, number: usize, by: usize) -> bool {
        self.0 & (1 << (3 + 3 * number + by)) != 0
    }

    /// Whether an axis has any drive.
    #[inline(always)]
    pub(crate) fn is_driven_along(self, number: usize) -> bool {
        self.0 & (0b111 << (3 + 3 * number)) != 0
    }

    /// Whether the axis is the line between the anchors.
    #[inline(always)]
    pub(crate) fn line(self) -> bool {
        self.0 & RowMask::LINE != 0
    }

    /// Whether along and across share one strength.
    #[inline(always)]
    pub(crate) fn round(self) -> bool {
        self.0 & RowMask::ROUND != 0
    }

    /// The locked axes, in order, and how many.
    pub(crate) fn held(self) -> ([usize; 3], usize) {
        let (mut numbers, mut count) = ([0; 3], 0);
        for number in (0..3).filter(|&number| self.holds(number)) {
            numbers[count] = number;
            count += 1;
        }
        (numbers, count)
    }

    /// The axes that trees solve directly, locked or limited, in order, and how many.
    pub(crate) fn rows(self) -> ([usize; 3], usize) {
        let (mut numbers, mut count) = ([0; 3], 0);
        for number in (0..3).filter(|&number| self.holds(number) || self.drives(number, LIMITS)) {
            numbers[count] = number;
            count += 1;
        }
        (numbers, count)
    }

    /// Whether any axis is locked or limited.
    pub(crate) fn is_firm(self) -> bool {
        self.held().1 > 0 || self.is_limited()
    }

    /// Whether any axis is limited.
    pub(crate) fn is_limited(self) -> bool {
        (0..3).any(|number| self.drives(number, LIMITS))
    }

    /// Whether the angle is locked or driven.
    #[inline(always)]
    pub(crate) fn turns(self) -> bool {
        self.0 & 0b1110_0000_0100 != 0
    }

    /// Whether a point is held whatever the axis: along and across are x and y of the world then,
    /// and nothing has to be rotated.
    #[inline(always)]
    pub(crate) fn upright(self) -> bool {
        self.0 & (RowMask::LINE | 0b11) == 0b11
    }

    /// Whether it only holds two points together: a hinge without drives.
    pub(crate) fn is_pin(self) -> bool {
        self.0 == 0b011
    }

    /// Whether any axis is driven.
    pub(crate) fn is_driven(self) -> bool {
        self.0 & 0b1111_1111_1000 != 0
    }
}

impl AxisModes {
    /// The form of the joint.
    pub(super) fn form(&self) -> RowMask {
        let mut form = RowMask::default();
        for (number, mode) in self.modes.iter().enumerate() {
            match mode {
                AxisMode::Free => {}
                AxisMode::Locked(_) => form.hold(number),
                AxisMode::Driven(Drive { limits, motor, servo }) => {
                    for (by, is) in
                        [(SERVO, servo.is_some()), (MOTOR, motor.is_some()), (LIMITS, limits.is_some())]
                    {
                        if is {
                            form.drive(number, by);
                        }
                    }
                }
            }
        }
        if form != RowMask::default() {
            if self.line {
                form.set_line();
            }
            if self.round {
                form.set_round();
            }
        }
        form
    }
}
