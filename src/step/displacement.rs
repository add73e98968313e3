//! How far bodies moved in a step: what CCD, the narrowphase and the end of bodies agree on.
//!
//! A displacement is `[x, y, angle, 0]`, a row of `Columns::moved`.

use glam::Vec2;

use crate::body::Body;
use crate::math::{Motion, Rot, Transform};

/// Displacement from which a body is cast against immovable ones, as a share of that which passes
/// through. An end that swings into the ground after the other end hit it dips by less than that.
///
/// With 1, planks of 20 cm that fell from 3 m dipped by 15 cm. Of 12,000 nearly flat landings, 840
/// dip by more than 1 cm with 0.5, 341 with 0.25, 101 with 0.1.
/// (`nearly_flat_landings_dip_little`)
///
/// Tried instead: all points of the predicted manifold up to 1.5 times what the rest of the step
/// closes, so that both ends have their points before the step begins. 62 of the 12,000 dip, and 31
/// of 5,139 landings gain energy instead of 85; but flush seams stop boxes at 30 m/s, a bend of
/// tiles throws them up by 46 cm, elastic planks on hills are off four times as often, a stick
/// falls through a hilly chain, and sticks in a pile end 11 cm deep instead of 7.
pub(crate) const DIPS: f32 = 0.25;

/// [`DIPS`] as a share of the body's own half-thickness: what passes through is at most twice that.
pub(crate) const FAR: f32 = 2.0 * DIPS;

/// Whether any point of a body moved farther in this step than [`FAR`] says.
#[inline]
pub(crate) fn went_far(body: &Body, moved: [f32; 4]) -> bool {
    let slack = FAR * body.min_extent - moved[2].abs() * body.max_extent;
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
