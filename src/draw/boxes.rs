//! The layers of the grid, of boxes and of circles.

use core::fmt::Write as _;
use glam::Vec2;

use super::color::Color;
use super::debug_draw::DebugDraw;
use super::scene::Scene;
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::math::{WorldPoint, max, min};

impl Scene<'_> {
    /// Draws cells with moving boxes, in a colour for each level, more opaque for more boxes; and
    /// groups of resting boxes.
    pub(super) fn draw_grid<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        let (grid, origin) = (self.world.grid.plain(), self.options.origin);
        let frame = WorldAabb { region: origin.region, aabb: moved(self.frame, origin.local) };
        let view = self.options.view.map(|_| &frame);
        grid.visit_groups(view, |group| {
            self.rectangle(draw, &self.seen(group), Color::GREY.alpha(110));
        });
        let mut text = String::new();
        for cell in grid.cells(self.parts.iter().copied(), origin) {
            let color = Color::numbered(cell.level);
            let opacity = 70 + 30 * cell.count.min(6) as u8;
            let there = WorldAabb { region: origin.region, aabb: moved(cell.aabb, origin.local) };
            let aabb = if self.world.def.period().is_none() { cell.aabb } else { self.seen(&there) };
            self.rectangle(draw, &aabb, color.alpha(opacity));
            text.clear();
            let _ = write!(text, "{}", cell.count);
            draw.text(aabb.center(), &text, color);
        }
    }

    /// Draws the box of each part in view, as in the grid: the present box and its margin.
    pub(super) fn draw_boxes<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        for &part in &self.parts {
            if let Some(aabb) = self.world.grid.aabb(part) {
                let body = self.world.shapes.proxies.rows[part as usize].body;
                let color = if self.body(body).is_awake() { Color::SKY } else { Color::GREY };
                self.rectangle(draw, &self.seen(&aabb), color.alpha(150));
            }
        }
    }

    /// Draws the circle around each shape; none around half-planes.
    pub(super) fn draw_circles<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        let mut last = None;
        for &part in &self.parts {
            let proxy = &self.world.shapes.proxies.rows[part as usize];
            if last.replace(proxy.shape) == Some(proxy.shape) {
                continue;
            }
            let circle = self.world.shapes.colliders[proxy.shape as usize].shape.bounding_circle();
            if circle.radius.is_finite() {
                let circle = circle.transformed(self.place_of(self.body(proxy.body)));
                draw.circle(circle.center, circle.radius, Color::PURPLE.alpha(130));
            }
        }
    }

    /// Returns a box of the grid relative to the origin.
    fn seen(&self, aabb: &WorldAabb) -> Aabb {
        let WorldPoint { region, local } = self.options.origin;
        let near = self.options.view.map(|view| self.options.origin.offset(view.center()));
        let aabb = near.map_or(*aabb, |near| self.world.def.period().box_image(*aabb, near));
        moved(aabb.relative_to(region), -local)
    }

    /// Draws an upright rectangle. Infinite and far larger ones are cut off at the frame.
    fn rectangle<D: DebugDraw + ?Sized>(&self, draw: &mut D, aabb: &Aabb, color: Color) {
        let Aabb { min: low, max: high } = self.frame;
        let far = 4.0 * (high - low).max_element();
        let within = |v: Vec2| {
            Vec2::new(min(max(v.x, low.x - far), high.x + far), min(max(v.y, low.y - far), high.y + far))
        };
        let (low, high) = (within(aabb.min), within(aabb.max));
        draw.polygon(&[low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)], 0.0, color);
    }
}

fn moved(aabb: Aabb, by: Vec2) -> Aabb {
    Aabb { min: aabb.min + by, max: aabb.max + by }
}
