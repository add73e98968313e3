//! How far bodies moved in a step. CCD, narrowphase and `finish` all use the functions here, so
//! that they agree.
//!
//! A displacement is `[x, y, angle, 0]`, a row of `Columns::moved`.

use glam::Vec2;

use crate::body::Body;
use crate::math::{Motion, Rot, Transform};
use crate::tuning::CcdTuning;

/// Whether any point of a body moved farther in this step than [`CcdTuning::FAR`] says.
#[inline]
pub(crate) fn went_far(body: &Body, moved: [f32; 4]) -> bool {
    let slack = CcdTuning::FAR * body.min_extent - moved[2].abs() * body.max_extent;
    slack < 0.0 || way(moved).length_squared() > slack * slack
}

pub(crate) fn way(moved: [f32; 4]) -> Vec2 {
    Vec2::new(moved[0], moved[1])
}

/// The motion of the step that just ended, from `start` on.
pub(crate) fn motion(body: &Body, start: Vec2, moved: [f32; 4]) -> Motion {
    let rotation = Rot::from_angle(-moved[2]) * body.rotation;
    Motion { start: Transform { position: start, rotation }, translation: way(moved), turn: moved[2] }
}
