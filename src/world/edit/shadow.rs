//! Occlusion of shapes from a point: for each direction, the distance beyond which everything is
//! hidden.
//!
//! In: arcs of directions that are covered, each with the distance of the cover at most. Out:
//! whether everything within an arc, at a distance or more, is surely hidden. Directions are sorted
//! into equal sectors. A cover counts for sectors that it covers wholly, and a query looks at all
//! sectors that its arc touches, with a margin, so that rounding hides nothing that is visible.

use core::f32::consts::{PI, TAU};
use glam::Vec2;

use crate::math::{atan2, min};

/// 0.35 degrees each.
const SECTORS: usize = 1024;

/// Allowance for rounding, in sectors, and as a share of distances.
const MARGIN: f32 = 0.01;

/// Directions from one angle to another, as numbers of sectors that may lie beyond the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    from: f32,
    to: f32,
}

impl Arc {
    /// From `right` to `left` of a direction, in radians.
    pub(super) fn about(ahead: Vec2, right: f32, left: f32) -> Arc {
        let sectors = |angle: f32| angle * (SECTORS as f32 / TAU);
        let middle = sectors(atan2(ahead.y, ahead.x) + PI);
        Arc { from: middle + sectors(right), to: middle + sectors(left) }
    }

    /// The numbers of sectors from one border to another, once round at most.
    fn sectors(&self, from: f32, to: f32) -> impl Iterator<Item = usize> + use<> {
        let (first, last) = (from as i32, to as i32);
        (first..last.min(first + SECTORS as i32)).map(|k| k.rem_euclid(SECTORS as i32) as usize)
    }

    /// The sectors that it covers wholly.
    fn covered(&self) -> impl Iterator<Item = usize> + use<> {
        self.sectors((self.from + MARGIN).ceil(), (self.to - MARGIN).floor())
    }

    /// The sectors that it touches.
    fn touched(&self) -> impl Iterator<Item = usize> + use<> {
        self.sectors((self.from - MARGIN).floor(), (self.to + MARGIN).ceil())
    }
}

/// The hidden part of each sector.
pub(super) struct Shadow {
    /// The distance beyond which a sector is hidden.
    ends: [f32; SECTORS],
}

impl Default for Shadow {
    fn default() -> Shadow {
        Shadow { ends: [f32::INFINITY; SECTORS] }
    }
}

impl Shadow {
    /// Notes that a cover meets all directions of an arc within `farthest`.
    pub(super) fn add(&mut self, arc: &Arc, farthest: f32) {
        for sector in arc.covered() {
            self.ends[sector] = min(self.ends[sector], farthest);
        }
    }

    /// Whether everything in an arc, at `nearest` or farther, is hidden.
    pub(super) fn hides(&self, arc: &Arc, nearest: f32) -> bool {
        arc.touched().all(|sector| self.ends[sector] < nearest * (1.0 - MARGIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn what_is_wholly_behind_is_hidden_and_nothing_else() {
        let mut shadow = Shadow::default();
        // Across the border of the first and the last sector.
        shadow.add(&Arc::about(vec2(-1.0, 0.0), -0.2, 0.2), 3.0);
        let hides =
            |ahead: Vec2, half: f32, nearest: f32| shadow.hides(&Arc::about(ahead, -half, half), nearest);
        assert!(hides(vec2(-1.0, 0.0), 0.1, 4.0));
        assert!(hides(vec2(-1.0, 0.1).normalize(), 0.05, 4.0));
        assert!(!hides(vec2(-1.0, 0.0), 0.1, 3.0), "it may be in front");
        assert!(!hides(vec2(-1.0, 0.0), 0.21, 4.0), "it looks out at the sides");
        assert!(!hides(vec2(1.0, 0.0), 0.1, 4.0));
        assert!(!hides(vec2(1.0, 0.0), PI, 4.0));
    }
}
