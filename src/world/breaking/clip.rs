//! Convex outlines, cut by straight lines (half-plane clipping).
//!
//! In: convex pieces of shapes. Out: their corners counter-clockwise, round borders as polygons of
//! the same area, and the part on one side of a line. Both sides of a cut, and neighbours that are
//! cut by one line, get the same corners to the bit.

use glam::{DVec2, Vec2};

use crate::math::Rot;
use crate::shape::{Mass, Piece, Polygon, Shape};
use crate::tuning::MAX_POLYGON_VERTICES;

/// Corners of a whole circle. Its border is off by 0.5 % of the radius at most.
const CIRCLE_CORNERS: usize = 32;

/// The half-plane to the left of a line: all p with normal · p >= offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    pub(super) normal: DVec2,
    pub(super) offset: f64,
    /// Distance up to which a corner counts as on the line: the precision of corners.
    pub(super) slop: f64,
}

impl HalfPlane {
    /// The half-plane on the other side of the line.
    pub(super) fn flipped(self) -> HalfPlane {
        HalfPlane { normal: -self.normal, offset: -self.offset, ..self }
    }

    /// The depth of a corner inside the half-plane; 0 on the line.
    pub(super) fn depth(&self, p: Vec2) -> f64 {
        let depth = self.normal.dot(p.as_dvec2()) - self.offset;
        if depth.abs() <= self.slop { 0.0 } else { depth }
    }
}

/// Result of clipping an outline.
#[derive(Debug, PartialEq)]
pub(super) enum Clipped {
    All,
    Some(Vec<Vec2>),
    None,
}

/// The part of a convex outline in a half-plane.
pub(super) fn clip(corners: &[Vec2], half: &HalfPlane) -> Clipped {
    let depths: Vec<f64> = corners.iter().map(|&p| half.depth(p)).collect();
    if depths.iter().all(|&depth| depth >= 0.0) {
        return if depths.iter().any(|&depth| depth > 0.0) { Clipped::All } else { Clipped::None };
    }
    let mut left = Vec::with_capacity(corners.len() + 1);
    for (i, &p) in corners.iter().enumerate() {
        let j = (i + 1) % corners.len();
        if depths[i] >= 0.0 {
            left.push(p);
        }
        if depths[i] * depths[j] < 0.0 {
            left.push(crossing((p, depths[i]), (corners[j], depths[j])));
        }
    }
    let has_area = left.len() >= 3 && depths.iter().any(|&depth| depth > 0.0);
    if has_area { Clipped::Some(left) } else { Clipped::None }
}

/// Divides convex outlines by lines; lists are used again from cut to cut.
#[derive(Debug, Default)]
pub(super) struct Knife {
    depths: Vec<f64>,
    /// The part of the outline on the left of the last line, and the part on its right.
    pub(super) inside: Vec<Vec2>,
    pub(super) outside: Vec<Vec2>,
}

/// On which side of a line an outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    /// Both parts were cut off as outlines of their own; the right one may have less than three
    /// corners.
    Both,
}

impl Knife {
    /// Divides a convex outline by the border of a half-plane. Both parts are as [`clip`] gives
    /// them for the half-plane and its opposite.
    pub(super) fn divide(&mut self, corners: &[Vec2], half: &HalfPlane) -> Side {
        self.depths.clear();
        self.depths.extend(corners.iter().map(|&p| half.depth(p)));
        let any_left = self.depths.iter().any(|&depth| depth > 0.0);
        if !any_left {
            return Side::Right;
        }
        if self.depths.iter().all(|&depth| depth >= 0.0) {
            return Side::Left;
        }
        self.inside.clear();
        self.outside.clear();
        let last = corners.len() - 1;
        for (i, (&p, &depth)) in corners.iter().zip(&self.depths).enumerate() {
            let j = if i == last { 0 } else { i + 1 };
            if depth >= 0.0 {
                self.inside.push(p);
            }
            if depth <= 0.0 {
                self.outside.push(p);
            }
            if depth * self.depths[j] < 0.0 {
                let cut = crossing((p, depth), (corners[j], self.depths[j]));
                self.inside.push(cut);
                self.outside.push(cut);
            }
        }
        if self.inside.len() >= 3 { Side::Both } else { Side::Right }
    }
}

/// Outlines one behind the other in one list.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    corners: Vec<Vec2>,
    ends: Vec<usize>,
}

impl Outlines {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, corners: &[Vec2]) {
        self.corners.extend_from_slice(corners);
        self.ends.push(self.corners.len());
    }

    /// Keeps the first `count` of them.
    pub(super) fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.corners.truncate(self.ends.last().copied().unwrap_or(0));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Vec2]> {
        let begin = |k: usize| if k == 0 { 0 } else { self.ends[k - 1] };
        (0..self.ends.len()).map(move |k| &self.corners[begin(k)..self.ends[k]])
    }
}

/// Returns the point where an edge crosses the line, the same for both orders of its ends.
fn crossing(a: (Vec2, f64), b: (Vec2, f64)) -> Vec2 {
    let is_first = (a.0.x, a.0.y) < (b.0.x, b.0.y);
    let ((p, at_p), (q, at_q)) = if is_first { (a, b) } else { (b, a) };
    let (p, q) = (p.as_dvec2(), q.as_dvec2());
    (p + (q - p) * (at_p / (at_p - at_q))).as_vec2()
}

/// The corners of a convex piece, counter-clockwise; none for a line or a half-plane.
///
/// Round borders become polygons of the same area.
pub(super) fn corners_of(piece: &Piece) -> Option<Vec<Vec2>> {
    corners_by(piece, CIRCLE_CORNERS)
}

/// The corners of a convex piece, with a given number of corners for a whole circle.
pub(super) fn corners_by(piece: &Piece, circle: usize) -> Option<Vec<Vec2>> {
    let (core, radius) = match piece {
        Piece::Circle(_) | Piece::Capsule(_) | Piece::Obb(_) | Piece::Polygon(_) => {
            piece.corners(|corners, radius| (corners.to_vec(), radius))?
        }
        Piece::Segment(_) | Piece::ChainSegment(_) | Piece::HalfPlane(_) => return None,
    };
    if radius == 0.0 {
        return Some(core);
    }
    Some(rounded(&core, f64::from(radius), circle))
}

/// A core with a polygon around each corner, instead of an arc of `radius`.
///
/// With a core of perimeter L, an arc of k steps of the angle φ, all arcs one whole turn, the area
/// beyond the core is L ρ + ½ k sin φ ρ², which is to be L r + π r²: that gives ρ, a little more
/// than r.
fn rounded(core: &[Vec2], radius: f64, circle: usize) -> Vec<Vec2> {
    let core: Vec<DVec2> = core.iter().map(|p| p.as_dvec2()).collect();
    let count = core.len();
    let perimeter: f64 =
        if count == 1 { 0.0 } else { (0..count).map(|i| core[i].distance(core[(i + 1) % count])).sum() };
    let ways: Vec<DVec2> = (0..count).map(|i| outward(core[i], core[(i + 1) % count])).collect();
    // Directions from each corner: from the normal of the edge before to that of the edge after.
    let mut arcs: Vec<(DVec2, DVec2)> = Vec::new();
    let mut sines = 0.0;
    for i in 0..count {
        let (from, to) = (ways[(i + count - 1) % count], ways[i]);
        let angle = if count == 1 { core::f64::consts::TAU } else { angle_between(from, to) };
        let steps = ((angle / core::f64::consts::TAU * circle as f64).ceil() as usize).max(1);
        let step = angle / steps as f64;
        let last = if count == 1 { steps - 1 } else { steps };
        for k in 0..=last {
            let turn = Rot::from_angle((step * k as f64) as f32);
            let (cos, sin) = (f64::from(turn.cos), f64::from(turn.sin));
            arcs.push((core[i], DVec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y)));
        }
        sines += steps as f64 * f64::from(Rot::from_angle(step as f32).sin);
    }
    let (square, area) = (0.5 * sines, perimeter * radius + core::f64::consts::PI * radius * radius);
    let reach = 2.0 * area / (perimeter + (perimeter * perimeter + 4.0 * square * area).sqrt());
    let mut corners: Vec<Vec2> = arcs.iter().map(|(tip, way)| (*tip + *way * reach).as_vec2()).collect();
    corners.dedup();
    corners
}

/// The unit normal to the right of the edge from p to q; to the right of the picture for a point.
fn outward(p: DVec2, q: DVec2) -> DVec2 {
    let along = (q - p).normalize_or_zero();
    if along == DVec2::ZERO { DVec2::X } else { DVec2::new(along.y, -along.x) }
}

/// The angle from one direction counter-clockwise to another, 0 to π.
fn angle_between(from: DVec2, to: DVec2) -> f64 {
    f64::from(crate::math::atan2(from.perp_dot(to) as f32, from.dot(to) as f32)).abs()
}

/// Passes a convex outline on as polygons of at most eight corners each; leaves out polygons that
/// are too thin to be valid.
pub(super) fn push_polygons(corners: &[Vec2], mut push: impl FnMut(Polygon)) {
    let triangles = corners.len().saturating_sub(2);
    let parts = triangles.div_ceil(MAX_POLYGON_VERTICES - 2);
    for part in 0..parts {
        // Triangles are dealt out evenly, so that no polygon is a sliver.
        let [from, to] = [part, part + 1].map(|k| 1 + triangles * k / parts);
        let hull = if parts == 1 {
            Polygon::hull(corners)
        } else {
            Polygon::hull(&[&corners[..1], &corners[from..=to]].concat())
        };
        if let Ok(polygon) = hull {
            push(polygon);
        }
    }
}

/// The area of a convex outline.
pub(super) fn area(corners: &[Vec2]) -> f64 {
    let from = |p: Vec2| p.as_dvec2() - corners[0].as_dvec2();
    0.5 * corners.windows(2).map(|edge| from(edge[0]).perp_dot(from(edge[1]))).sum::<f64>()
}

/// The mass of all shapes together, at these densities.
pub(super) fn mass_of(shapes: &[(Shape, f32)]) -> Mass {
    Mass::sum(&shapes.iter().map(|(shape, density)| shape.mass(*density)).collect::<Vec<Mass>>())
}
