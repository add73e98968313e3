//! Clips outlines at the mesh's border.

use super::fixed::{Place, Point};

/// Clips a closed outline to a square of `2 half` units (Sutherland and Hodgman 1974). Coinciding
/// neighbours become one corner.
pub(crate) fn clip_outline(points: &mut Vec<Point>, spare: &mut Vec<Point>, half: i32) {
    let is_out = |p: &Point| p.x.abs() > half || p.y.abs() > half;
    if points.iter().any(is_out) {
        for side in 0..4 {
            clip_side(points, spare, side, half);
            core::mem::swap(points, spare);
        }
    }
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
}

/// The depth of a place inside one side of the square.
fn depth(p: Point, side: u32, half: i32) -> i64 {
    let along = match side {
        0 => i64::from(p.x),
        1 => -i64::from(p.x),
        2 => i64::from(p.y),
        _ => -i64::from(p.y),
    };
    i64::from(half) - along
}

fn clip_side(from: &[Point], to: &mut Vec<Point>, side: u32, half: i32) {
    to.clear();
    for (k, &b) in from.iter().enumerate() {
        let a = from[(k + from.len() - 1) % from.len()];
        let (in_a, in_b) = (depth(a, side, half), depth(b, side, half));
        if (in_a >= 0) != (in_b >= 0) {
            to.push(between(a, b, in_a as f64 / (in_a - in_b) as f64, half));
        }
        if in_b >= 0 {
            to.push(b);
        }
    }
}

/// Clips a segment to the square.
pub(crate) fn clip_segment(mut a: Point, mut b: Point, half: i32) -> Option<(Point, Point)> {
    for side in 0..4 {
        let (in_a, in_b) = (depth(a, side, half), depth(b, side, half));
        if in_a < 0 && in_b < 0 {
            return None;
        }
        if (in_a < 0) != (in_b < 0) {
            let cut = between(a, b, in_a as f64 / (in_a - in_b) as f64, half);
            if in_a < 0 { a = cut } else { b = cut }
        }
    }
    Some((a, b))
}

fn between(a: Point, b: Point, share: f64, half: i32) -> Point {
    let at: Place = a.place() + (b.place() - a.place()) * share;
    let cut = at.nearest();
    // Snaps to the side itself, because the product is rounded.
    Point::new(snap(cut.x, half), snap(cut.y, half))
}

fn snap(x: i32, half: i32) -> i32 {
    if (x.abs() - half).abs() <= 1 { half * x.signum() } else { x }
}
