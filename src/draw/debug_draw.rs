//! The drawing trait, with defaults that draw everything by lines.

use core::f32::consts::TAU;
use glam::Vec2;

use super::color::Color;
use crate::math::{Rot, atan2, cross, right_of};

/// Corners of a circle that is drawn by lines.
const CIRCLE_LINES: usize = 32;

/// Lines of a rounded corner.
const CORNER: usize = 4;

/// Receives the picture of a world: lines on a screen, elements of a file, vertices of a buffer.
///
/// Coordinates are metres from [`DrawOptions::origin`](crate::DrawOptions::origin), y up. Every
/// method has a default, and [`line`](DebugDraw::line) alone is enough to show every shape.
/// Override the `solid_` methods if you can fill areas: a pale inside and a strong border of the
/// given colour look well. Corners run counter-clockwise.
///
/// ```
/// use carom::{Color, DebugDraw, Vec2};
///
/// /// Text that a plotter takes.
/// struct Plotter(String);
///
/// impl DebugDraw for Plotter {
///     fn line(&mut self, a: Vec2, b: Vec2, _color: Color) {
///         self.0 += &format!("up {} {} down {} {}\n", a.x, a.y, b.x, b.y);
///     }
/// }
///
/// let mut plotter = Plotter(String::new());
/// carom::World::default().draw(&mut plotter, &carom::DrawOptions::all());
/// assert!(plotter.0.is_empty()); // nothing there
/// ```
pub trait DebugDraw {
    /// Draws a line. Does nothing by default.
    fn line(&mut self, a: Vec2, b: Vec2, color: Color) {
        let _ = (a, b, color);
    }

    /// Draws the outline of a convex polygon grown by `radius`, so that its corners are round; 0
    /// for sharp corners.
    fn polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        rounded_outline(self, corners, radius, color);
    }

    /// Draws a convex polygon grown by `radius`. By default an outline.
    fn solid_polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.polygon(corners, radius, color);
    }

    /// Draws a sharp outline that may turn inward, but is seen whole from `center`: the triangles
    /// of `center` and its edges fill it. By default calls
    /// [`solid_polygon`](DebugDraw::solid_polygon), which is enough if that method takes polygons
    /// that are not convex.
    fn solid_star(&mut self, center: Vec2, corners: &[Vec2], color: Color) {
        let _ = center;
        self.solid_polygon(corners, 0.0, color);
    }

    /// Draws a circle. By default a polygon of 32 lines.
    fn circle(&mut self, center: Vec2, radius: f32, color: Color) {
        let step = Rot::from_angle(TAU / CIRCLE_LINES as f32);
        let start = Vec2::X * radius;
        let (mut arm, mut turn) = (start, step);
        for k in 1..=CIRCLE_LINES {
            let next = if k < CIRCLE_LINES { turn * start } else { start };
            self.line(center + arm, center + next, color);
            (arm, turn) = (next, turn * step);
        }
    }

    /// Draws a disc, and a line from its centre along `axis`, of length 1, to show its rotation. By
    /// default an outline.
    fn solid_circle(&mut self, center: Vec2, radius: f32, axis: Vec2, color: Color) {
        self.circle(center, radius, color);
        self.line(center, center + axis * radius, color);
    }

    /// Draws the outline of a capsule: all points within `radius` of the line from `a` to `b`.
    fn capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        capsule_outline(self, [a, b], radius, color);
    }

    /// Draws a capsule. By default an outline.
    fn solid_capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.capsule(a, b, radius, color);
    }

    /// Draws a dot of a size in pixels, at any scale. Nothing by default: the normal of a contact
    /// is drawn as a line too.
    fn point(&mut self, at: Vec2, pixels: f32, color: Color) {
        let _ = (at, pixels, color);
    }

    /// Draws a short text with its middle at `at`. Nothing by default.
    fn text(&mut self, at: Vec2, text: &str, color: Color) {
        let _ = (at, text, color);
    }
}

/// Draws a polygon whose edges are moved outward by `radius`, with an arc around each corner.
fn rounded_outline<D: DebugDraw + ?Sized>(draw: &mut D, corners: &[Vec2], radius: f32, color: Color) {
    let count = corners.len();
    let out = |k: usize| {
        let (from, to) = (corners[k % count], corners[(k + 1) % count]);
        right_of((to - from).normalize_or_zero()) * radius
    };
    for k in 0..count {
        let (from, to) = (corners[k], corners[(k + 1) % count]);
        if radius <= 0.0 {
            draw.line(from, to, color);
            continue;
        }
        let (here, next) = (out(k), out(k + 1));
        draw.line(from + here, to + here, color);
        let angle = atan2(cross(here, next), here.dot(next));
        arc(draw, to, here, angle, CORNER, color);
    }
}

fn capsule_outline<D: DebugDraw + ?Sized>(draw: &mut D, [a, b]: [Vec2; 2], radius: f32, color: Color) {
    let side = right_of((b - a).normalize_or(Vec2::X)) * radius;
    draw.line(a + side, b + side, color);
    arc(draw, b, side, 0.5 * TAU, CIRCLE_LINES / 2, color);
    draw.line(b - side, a - side, color);
    arc(draw, a, -side, 0.5 * TAU, CIRCLE_LINES / 2, color);
}

/// Draws lines from `center + arm` round the centre by `angle`.
pub(super) fn arc<D: DebugDraw + ?Sized>(
    draw: &mut D,
    center: Vec2,
    arm: Vec2,
    angle: f32,
    count: usize,
    color: Color,
) {
    let step = Rot::from_angle(angle / count as f32);
    let mut arm = arm;
    for _ in 0..count {
        let next = step * arm;
        draw.line(center + arm, center + next, color);
        arm = next;
    }
}
