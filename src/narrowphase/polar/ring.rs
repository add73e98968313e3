//! Tables for rotations that go in steps.
//!
//! In: two outlines and a number of steps for the full turn. Out: a table a step, and the step
//! nearest to a rotation.

use core::f32::consts::TAU;
use glam::Vec2;

use super::Table;
use crate::math::Rot;
use crate::shape::PolarShape;

/// Most steps of a ring: 1/180 of a degree each.
const MAX_STEPS: usize = 65_536;

/// A [`Table`] for each of n relative rotations, equally spaced over the full turn.
///
/// Exact for shapes whose headings are multiples of the step, as in arcade shooters: their relative
/// rotation is a multiple too. For any other rotation the nearest step is at most π / n off, so b's
/// border is drawn at most ρ_max π / n from where it is, ρ_max being b's greatest border distance;
/// an answer can be wrong only when the two shapes are closer to just touching than that.
///
/// ```
/// use carom::{PolarShape, Transform, polar::Ring};
///
/// let ship = PolarShape::from_radii(&[2.0, 0.8, 1.0, 0.8])?;
/// let ring = Ring::new(&ship, &ship, 64);
/// let (xa, xb) = (Transform::new([0.0, 0.0], 0.3), Transform::new([3.0, 0.0], 2.1));
/// let b_in_a = xa.relative(xb);
/// assert!(!ring.overlaps(ring.nearest(b_in_a.rotation), b_in_a.position));
/// # Ok::<(), carom::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    tables: Vec<Table>,
}

impl Ring {
    /// Tables for `b` turned by 0, 1, 2, … of `steps` parts of the full turn as seen from `a`; at
    /// least one and at most 65,536.
    #[must_use]
    pub fn new(a: &PolarShape, b: &PolarShape, steps: usize) -> Ring {
        let steps = steps.clamp(1, MAX_STEPS);
        let turn = |step: usize| Rot::from_angle(step as f32 * (TAU / steps as f32));
        Ring { tables: (0..steps).map(|step| Table::new(a, b, turn(step))).collect() }
    }

    /// How many steps make a full turn.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.tables.len()
    }

    /// The table for `step`, counted on around the turn.
    #[must_use]
    pub fn table(&self, step: usize) -> &Table {
        &self.tables[step % self.tables.len()]
    }

    /// The step nearest to the rotation of b as seen from a.
    #[must_use]
    pub fn nearest(&self, relative: Rot) -> usize {
        let count = self.tables.len();
        let turns = relative.angle() / TAU;
        let steps = (turns * count as f32).round();
        (if steps < 0.0 { steps + count as f32 } else { steps }) as usize % count
    }

    /// [`Table::overlaps`] at `step`.
    #[must_use]
    pub fn overlaps(&self, step: usize, offset: Vec2) -> bool {
        self.table(step).overlaps(offset)
    }
}
