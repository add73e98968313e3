//! Which of the three axes a joint solves: constants for the usual joints.

use crate::solver::joints::block::RowMask;

/// The axes that a joint solves, in order, and how many.
pub(super) type Numbers = ([usize; 3], usize);

/// Points held together; then the angle as well, or its limits.
pub(super) const POINT: Numbers = ([0, 1, 0], 2);
pub(super) const ALL_NUMBERS: Numbers = ([0, 1, 2], 3);

/// Whether these are the two axes of a point. Compared one by one: arrays are compared in memory,
/// even if constant.
#[inline(always)]
pub(super) fn is_point((numbers, size): Numbers) -> bool {
    size == 2 && numbers[0] == 0 && numbers[1] == 1
}

/// Kinds of edges that are compiled with constant axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeKind {
    /// Along x and y: a hinge that is at no limit.
    Point,
    /// Along x and y, and the angle: a hinge at a limit, a weld.
    All,
    Other,
}

impl EdgeKind {
    pub(super) fn of(form: RowMask) -> EdgeKind {
        match (form.upright(), form.rows()) {
            (true, POINT) => EdgeKind::Point,
            (true, ALL_NUMBERS) => EdgeKind::All,
            _ => EdgeKind::Other,
        }
    }
}

/// Runs `$body` with the `$numbers` and `$axes` of an edge: constants for the usual joints.
macro_rules! by_kind {
    ($w:expr, ($edge:expr, $drive_rows:expr), ($numbers:ident, $axes:ident) => $body:expr) => {
        match $edge.solves($w, $drive_rows) {
            EdgeKind::Point => {
                let ($numbers, $axes) = (POINT, Upright);
                $body
            }
            EdgeKind::All => {
                let ($numbers, $axes) = (ALL_NUMBERS, Upright);
                $body
            }
            EdgeKind::Other => {
                let ($numbers, $axes) = ($edge.form.rows(), Turned(two($w, &$edge.axis)));
                $body
            }
        }
    };
}

/// Runs `$body` with `$axes` alone.
macro_rules! by_axes {
    ($w:expr, $edge:expr, $axes:ident => $body:expr) => {
        if $edge.kind == EdgeKind::Other {
            let $axes = Turned(two($w, &$edge.axis));
            $body
        } else {
            let $axes = Upright;
            $body
        }
    };
}

pub(super) use {by_axes, by_kind};
