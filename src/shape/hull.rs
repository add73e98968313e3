//! Convex hulls, and the test whether a list of points is already a hull.
//!
//! In: points as a user gives them, in any order and number. Out: the corners of a strictly convex
//! polygon, counter-clockwise, or the rule that the points broke. Every product is formed in `f64`,
//! with a relative error of at most 1e-15, far below the slop by which corners must stand out.

use glam::{DVec2, Vec2};

use super::error::{ShapeError, check_coordinates};
use crate::math::max;
use crate::tuning::{MAX_POLYGON_VERTICES, MIN_POLYGON_THINNESS, MIN_SIZE};
use crate::util::sort;

/// The corners of the convex hull of `points`, counter-clockwise.
///
/// Corners that stand out by less than the slop (see [`least_thickness`]) are dropped, so that
/// every edge of the result has a direction that rounding cannot turn.
pub(crate) fn convex_hull(points: &[Vec2]) -> Result<Vec<Vec2>, ShapeError> {
    check_all(points)?;
    let slop = least_thickness(points);
    let mut sorted = points.to_vec();
    sort::by(&mut sorted, |p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));

    // Monotone chain (Andrew 1979): the lower border from left to right, then the upper one back.
    let mut hull: Vec<Vec2> = Vec::with_capacity(sorted.len() + 1);
    for pass in 0..2 {
        let floor = hull.len() + 1;
        for k in 0..sorted.len() {
            let p = if pass == 0 { sorted[k] } else { sorted[sorted.len() - 1 - k] };
            while hull.len() > floor && turn(hull[hull.len() - 2], hull[hull.len() - 1], p) <= 0.0 {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    }
    drop_flat_corners(&mut hull, slop);
    check_thickness(&hull, slop)?;
    Ok(hull)
}

/// Returns `points` counter-clockwise if they run around a strictly convex polygon, either way
/// round.
pub(crate) fn convex_outline(points: &[Vec2]) -> Result<Vec<Vec2>, ShapeError> {
    check_all(points)?;
    if points.len() > MAX_POLYGON_VERTICES {
        return Err(ShapeError::TooManyVertices);
    }
    let slop = least_thickness(points);
    let mut outline = points.to_vec();
    if doubled_area(&outline) < 0.0 {
        outline.reverse();
    }
    if let Err(error) = check_thickness(&outline, slop) {
        // The points may span an area, but then they do not run around it in their order.
        let next = outline.iter().cycle().skip(1);
        let coincide = outline.iter().zip(next).any(|(&p, &q)| wide_difference(p, q).length() < slop);
        return Err(match convex_hull(points) {
            Ok(_) if coincide => ShapeError::FlatCorner,
            Ok(_) => ShapeError::NotConvex,
            Err(_) => error,
        });
    }
    let count = outline.len();
    let mut has_flat_corner = false;
    for i in 0..count {
        let (p, q) = (outline[i], outline[(i + 1) % count]);
        // Every corner must be left of every edge; left turns at every corner are not enough: a
        // pentagram has them, too.
        let lowest = (2..count).map(|k| height(p, q, outline[(i + k) % count])).fold(f64::INFINITY, f64::min);
        if lowest < -slop {
            return Err(ShapeError::NotConvex);
        }
        has_flat_corner |= lowest <= 0.0 || height(p, outline[(i + 2) % count], q).abs() < slop;
    }
    if has_flat_corner { Err(ShapeError::FlatCorner) } else { Ok(outline) }
}

/// The thickness below which a polygon is refused: `MIN_SIZE`, or more where coordinates are large
/// and coarse.
pub(crate) fn least_thickness(points: &[Vec2]) -> f64 {
    let reach = points.iter().fold(0.0_f32, |reach, p| max(reach, p.abs().max_element()));
    f64::from(max(MIN_SIZE, reach * MIN_POLYGON_THINNESS))
}

/// Twice the signed area: positive when the points run counter-clockwise.
pub(crate) fn doubled_area(points: &[Vec2]) -> f64 {
    let fan = points.windows(2).map(|edge| turn(points[0], edge[0], edge[1]));
    fan.sum()
}

/// (q - p) × (r - p): positive when p, q, r turn left.
pub(crate) fn turn(p: Vec2, q: Vec2, r: Vec2) -> f64 {
    wide_difference(q, p).perp_dot(wide_difference(r, p))
}

/// Height of `r` over the line from `p` to `q`, positive to its left; 0 where `p` and `q` coincide.
pub(crate) fn height(p: Vec2, q: Vec2, r: Vec2) -> f64 {
    let length = wide_difference(q, p).length();
    if length > 0.0 { turn(p, q, r) / length } else { 0.0 }
}

fn wide_difference(a: Vec2, b: Vec2) -> DVec2 {
    DVec2::new(f64::from(a.x) - f64::from(b.x), f64::from(a.y) - f64::from(b.y))
}

fn check_all(points: &[Vec2]) -> Result<(), ShapeError> {
    points.iter().try_for_each(|p| check_coordinates(&p.to_array()))
}

/// Removes, one at a time, the corner that stands out least, until all stand out by at least
/// `slop`.
fn drop_flat_corners(hull: &mut Vec<Vec2>, slop: f64) {
    while hull.len() > 2 {
        let count = hull.len();
        let stands_out = |i: usize| {
            let (before, corner, after) = (hull[(i + count - 1) % count], hull[i], hull[(i + 1) % count]);
            let edge = wide_difference(after, corner).length();
            height(before, after, corner).abs().min(edge)
        };
        let Some(flattest) = (0..count).min_by(|&i, &j| stands_out(i).total_cmp(&stands_out(j))) else {
            return;
        };
        if stands_out(flattest) >= slop {
            return;
        }
        hull.remove(flattest);
    }
}

/// Every edge must be long enough, and some corner far enough from every edge.
fn check_thickness(outline: &[Vec2], slop: f64) -> Result<(), ShapeError> {
    let count = outline.len();
    if count < 3 {
        return Err(ShapeError::Degenerate);
    }
    for i in 0..count {
        let (p, q) = (outline[i], outline[(i + 1) % count]);
        let thickness = outline.iter().fold(0.0_f64, |most, &r| most.max(height(p, q, r)));
        if wide_difference(q, p).length() < slop || thickness < slop {
            return Err(ShapeError::Degenerate);
        }
    }
    Ok(())
}
