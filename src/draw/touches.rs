//! The layers of contacts and impulses.

use core::fmt::Write as _;

use glam::Vec2;

use super::color::Color;
use super::debug_draw::DebugDraw;
use super::marks;
use super::scene::Scene;
use crate::math::min;

/// The least impulse that is written, in N s: smaller ones would read 0.
const LEAST_WRITTEN: f32 = 0.005;

/// The size of a dot at a point of a contact, in pixels.
const POINT_DOT: f32 = 4.5;

impl Scene<'_> {
    /// Draws points, and the normal at each, from the first shape to the second. Sensors have none.
    pub(super) fn draw_contacts<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        for slot in self.contacts() {
            let contact = self.world.contact_at(slot);
            for point in contact.points() {
                let at = self.at(point.point);
                if self.sees(at) && !contact.sensor {
                    marks::arrow(
                        draw,
                        at,
                        at + contact.normal * self.options.mark,
                        0.3 * self.options.mark,
                        Color::RED,
                    );
                    draw.point(at, POINT_DOT, Color::RED);
                }
            }
        }
    }

    /// Draws the impulse at each point in the last step, as a line along the normal, in both
    /// directions: it acts on both bodies. The number stands at the middle of the contact.
    pub(super) fn draw_impulses<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        let mut text = String::new();
        for slot in self.contacts() {
            let contact = self.world.contact_at(slot);
            let points: Vec<Vec2> = contact.points().iter().map(|point| self.at(point.point)).collect();
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            if contact.sensor || contact.impulse <= 0.0 {
                continue;
            }
            let shares = self.world.contacts.impulse[slot as usize].normal;
            let sum = shares[0] + shares[1];
            for (k, &at) in points.iter().enumerate() {
                let share = if sum > 0.0 { shares[k] / sum } else { 1.0 / points.len() as f32 };
                let length = 0.5 * min(share * contact.impulse * self.options.impulse_scale, 1.0e6);
                if self.sees(at) {
                    let way = contact.normal * length;
                    draw.line(at - way, at + way, Color::ORANGE);
                }
            }
            let middle = 0.5 * (*first + *last);
            if self.sees(middle) && contact.impulse >= LEAST_WRITTEN {
                text.clear();
                let _ = write!(text, "{:.*}", digits(contact.impulse), contact.impulse);
                draw.text(middle, &text, Color::ORANGE);
            }
        }
    }
}

/// Returns the decimals with which a number has about two digits.
fn digits(x: f32) -> usize {
    match x {
        10.0.. => 0,
        1.0.. => 1,
        _ => 2,
    }
}
