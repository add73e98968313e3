//! Seams between fixed parts.

use super::World;

impl World {
    pub(crate) fn smooth_seams(&mut self) {}

    pub(crate) fn continuous(&mut self, dt: f32) {
        let _ = dt;
    }
}
