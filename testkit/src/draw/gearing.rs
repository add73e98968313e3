//! Drawings of gears, racks and ropes, for examples whose bodies are plain discs and bars.
//!
//! In: the sizes of teeth and the angles of bodies. Out: outlines with teeth that mesh where the
//! bodies turn as they should. A module is the radius of a gear for each of its teeth.

use super::svg::{Style, Svg};
use carom::{Rot, Vec2, vec2};
use std::f32::consts::{PI, TAU};

/// A tooth: places along the pitch line in widths of a tooth and its gap, heights over it in
/// modules.
const TOOTH: [Vec2; 4] = [vec2(-0.32, -0.9), vec2(-0.14, 0.8), vec2(0.14, 0.8), vec2(0.32, -0.9)];

/// A gear of some teeth whose first one points along `angle`, with a mark towards that.
pub fn gear(svg: &mut Svg, (teeth, module): (u32, f32), center: Vec2, angle: f32, style: Style) {
    let radius = module * teeth as f32;
    let at = |share: f32, radius: f32| {
        center + Rot::from_angle(angle + share * TAU / teeth as f32).x_axis() * radius
    };
    let tooth = |k: u32| TOOTH.map(|p| at(k as f32 + p.x, radius + module * p.y));
    svg.polygon(&(0..teeth).flat_map(tooth).collect::<Vec<_>>(), style);
    svg.line(center, at(0.0, 0.75 * radius), style);
    svg.circle(center, 0.08, Style { opacity: 1.0, ..style });
}

/// Where the first tooth of the next gear points, so that it meshes with one of `teeth` whose first
/// tooth points along `angle`.
pub fn meshing(teeth: u32, angle: f32, next: u32, direction: f32) -> f32 {
    // Where one has a tooth, the other has a gap; angles run against each other.
    let share = (direction - angle) * teeth as f32 / TAU;
    direction + PI - (0.5 - share) * TAU / next as f32
}

/// A bar with teeth on its upper side, one of which is at `tooth`, wherever that is.
pub fn rack(svg: &mut Svg, module: f32, [low, high]: [Vec2; 2], tooth: f32, style: Style) {
    let width = TAU * module;
    let first = tooth - ((tooth - low.x) / width - 0.5).floor() * width;
    let count = ((high.x - first) / width - 0.5).floor() as i32 + 1;
    let foot = high.y + module * TOOTH[0].y;
    let mut points = vec![vec2(low.x, foot), low, vec2(high.x, low.y), vec2(high.x, foot)];
    let at = |k: i32, p: Vec2| vec2(first + (k as f32 + p.x) * width, high.y + module * p.y);
    points.extend((0..count).rev().flat_map(|k| TOOTH.map(|p| at(k, p * vec2(-1.0, 1.0)))));
    svg.polygon(&points, style);
}

/// A rope from point to point that is longer than the way by `loose`: it bends to the left of the
/// way.
pub fn rope(svg: &mut Svg, from: Vec2, to: Vec2, loose: f32, style: Style) {
    let way = to - from;
    // A bow of height h over a way of length d is longer than it by 8 h² / 3 d.
    let side = way.perp().normalize_or_zero() * (0.375 * loose.clamp(0.0, f32::MAX) * way.length()).sqrt();
    let shares = (0..=12).map(|k| k as f32 / 12.0);
    let points: Vec<Vec2> = shares.map(|s| from + way * s + side * (4.0 * s * (1.0 - s))).collect();
    svg.polyline(&points, style);
}
