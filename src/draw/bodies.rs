//! The layers of centres, velocities and slot numbers.

use core::fmt::Write as _;

use super::color::Color;
use super::debug_draw::DebugDraw;
use super::marks;
use super::scene::Scene;
use crate::body::flag;

impl Scene<'_> {
    /// Draws centres of mass with the axes of the body: x in red, y in green.
    pub(super) fn draw_centers<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        for &slot in self.bodies.iter().filter(|&&slot| self.body(slot).has(flag::DYNAMIC)) {
            let body = self.body(slot);
            let (at, size) = (self.at(body.center_point()), 0.5 * self.options.mark);
            draw.line(at, at + body.rotation.x_axis() * size, Color::RED);
            draw.line(at, at + body.rotation.y_axis() * size, Color::GREEN);
        }
    }

    /// Draws velocities as arrows from centres of mass; none for bodies that hardly move.
    pub(super) fn draw_velocities<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        for &slot in &self.bodies {
            let body = self.body(slot);
            let (at, way) = (self.at(body.center_point()), body.velocity() * self.options.velocity_scale);
            if way.length() > 0.1 * self.options.mark {
                marks::arrow(draw, at, at + way, 0.5 * self.options.mark, Color::SKY);
            }
        }
    }

    /// Draws the slot number in the id of each body.
    pub(super) fn draw_ids<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        let mut text = String::new();
        for &slot in &self.bodies {
            text.clear();
            let _ = write!(text, "{slot}");
            draw.text(self.at(self.body(slot).center_point()), &text, self.color_of(slot, false));
        }
    }
}
