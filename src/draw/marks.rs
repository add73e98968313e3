//! Signs of a fixed size: arrows, crosses, springs.

use core::f32::consts::TAU;
use glam::Vec2;

use super::color::Color;
use super::debug_draw::{DebugDraw, arc};
use crate::math::{Rot, max, min};

/// Draws a line from `a` with an arrow head at `b`, no longer than `head`.
pub(super) fn arrow<D: DebugDraw + ?Sized>(draw: &mut D, a: Vec2, b: Vec2, head: f32, color: Color) {
    draw.line(a, b, color);
    wings(draw, b, b - a, min(head, 0.5 * a.distance(b)), color);
}

/// Draws the head of an arrow that points along `direction`.
fn wings<D: DebugDraw + ?Sized>(draw: &mut D, tip: Vec2, direction: Vec2, size: f32, color: Color) {
    let along = direction.normalize_or_zero();
    for side in [along.perp(), -along.perp()] {
        draw.line(tip, tip + (0.5 * side - along) * size, color);
    }
}

/// Draws an x.
pub(super) fn cross<D: DebugDraw + ?Sized>(draw: &mut D, at: Vec2, axis: Vec2, size: f32, color: Color) {
    for arm in [axis + axis.perp(), axis - axis.perp()] {
        draw.line(at - arm * (0.5 * size), at + arm * (0.5 * size), color);
    }
}

/// Draws a square of side `size` along `axis`.
pub(super) fn square<D: DebugDraw + ?Sized>(draw: &mut D, at: Vec2, axis: Vec2, size: f32, color: Color) {
    let (x, y) = (axis * (0.5 * size), axis.perp() * (0.5 * size));
    draw.polygon(&[at - x - y, at + x - y, at + x + y, at - x + y], 0.0, color);
}

/// Draws a short line across an axis.
pub(super) fn tick<D: DebugDraw + ?Sized>(draw: &mut D, at: Vec2, axis: Vec2, size: f32, color: Color) {
    let across = axis.perp() * (0.5 * size);
    draw.line(at - across, at + across, color);
}

/// Draws a line of dashes about `size` long.
pub(super) fn dashes<D: DebugDraw + ?Sized>(draw: &mut D, a: Vec2, b: Vec2, size: f32, color: Color) {
    const MOST: f32 = 64.0;
    let count = min(max((a.distance(b) / size).floor(), 1.0), MOST) as usize | 1;
    for k in (0..count).step_by(2) {
        let at = |k: usize| a.lerp(b, k as f32 / count as f32);
        draw.line(at(k), at(k + 1), color);
    }
}

/// Draws a zigzag: a spring.
pub(super) fn zigzag<D: DebugDraw + ?Sized>(draw: &mut D, a: Vec2, b: Vec2, size: f32, color: Color) {
    const TEETH: usize = 12;
    let side = (b - a).normalize_or_zero().perp() * (0.4 * size);
    let at = |k: usize| {
        let way = match k {
            1 => Vec2::ZERO,
            TEETH => Vec2::ZERO,
            k if k % 2 == 0 => side,
            _ => -side,
        };
        a.lerp(b, (k as f32 - 0.5) / TEETH as f32) + way
    };
    let mut from = a;
    for k in 1..=TEETH {
        draw.line(from, at(k), color);
        from = at(k);
    }
    draw.line(from, b, color);
}

/// Draws a sector from angle `lower` to `upper`, counted from `axis`.
pub(super) fn sector<D: DebugDraw + ?Sized>(
    draw: &mut D,
    at: Vec2,
    axis: Vec2,
    [lower, upper]: [f32; 2],
    color: Color,
) {
    const LINES: usize = 12;
    let (first, last) = (Rot::from_angle(lower) * axis, Rot::from_angle(upper) * axis);
    draw.line(at, at + first, color);
    draw.line(at, at + last, color);
    arc(draw, at, first, max(min(upper - lower, TAU), 0.0), LINES, color);
}

/// Draws an arrow three quarters round, counter-clockwise if `turn` is above 0.
pub(super) fn turn<D: DebugDraw + ?Sized>(draw: &mut D, at: Vec2, arm: Vec2, turn: f32, color: Color) {
    const LINES: usize = 9;
    let sign = if turn < 0.0 { -1.0 } else { 1.0 };
    let angle = 0.75 * TAU * sign;
    arc(draw, at, arm, angle, LINES, color);
    let end = Rot::from_angle(angle) * arm;
    wings(draw, at + end, end.perp() * sign, 0.5 * arm.length(), color);
}
