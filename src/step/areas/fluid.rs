//! Buoyancy: area and centroid of the part of a convex shape under a line.
//!
//! In: a part, its rotation, and the line. Out: area and centroid, relative to the centre of mass
//! of its body.
//!
//! ```text
//!          .------.          height s of a corner over the line: up · r + s_0
//!    -----/--------\-----    corners with s < 0 stay, edges that cross are cut; the rest is the
//!        '----------'        shoelace formula
//!
//!    circle: s the height of its middle, c = s / r. Under the line are r² (acos c - c √(1 - c²)),
//!    with the centroid 2 r³ √(1 - c²)³ / (3 A) below the middle
//! ```

use glam::Vec2;

use crate::math::{Rot, atan2, cross, unit_or_zero};
use crate::shape::{Mass, Piece};

/// A round corner becomes 2^ARC_HALVINGS edges.
const ARC_HALVINGS: u32 = 3;

/// Most corners of an outline: eight round ones, each with one corner more than edges.
const MOST_CORNERS: usize = 8 * ((1 << ARC_HALVINGS) + 1);

/// The surface line, relative to a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Unit vector out of the fluid.
    pub(super) up: Vec2,
    /// Height of the body's centre of mass.
    pub(super) height: f32,
}

/// The frame of a body, from its centre of mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) rotation: Rot,
    pub(super) local_center: Vec2,
}

impl Frame {
    fn place(&self, point: Vec2) -> Vec2 {
        self.rotation * (point - self.local_center)
    }
}

/// Area under the line, and its centroid from the centre of mass.
pub(super) fn under(piece: &Piece, frame: Frame, line: Line) -> (f32, Vec2) {
    if let Piece::Circle(circle) = piece {
        return under_circle(frame.place(circle.center), circle.radius, line);
    }
    let mut outline = Outline { corners: [Vec2::ZERO; MOST_CORNERS], count: 0 };
    let mut share = 1.0;
    let drawn = piece.corners(|corners, radius| {
        if radius > 0.0 {
            outline.add_round(corners, radius);
            let area = outline.area();
            share = if area > 0.0 { Mass::rounded_hull(corners, radius).mass / area } else { 0.0 };
        } else {
            corners.iter().for_each(|&corner| outline.add(corner));
        }
    });
    if drawn.is_none() || outline.count < 3 {
        // No floating body has half-planes, and lines displace nothing.
        return (0.0, Vec2::ZERO);
    }
    let corners = &mut outline.corners[..outline.count];
    corners.iter_mut().for_each(|corner| *corner = frame.place(*corner));
    let (area, center) = under_polygon(corners, line);
    (area * share, center)
}

fn under_circle(middle: Vec2, radius: f32, line: Line) -> (f32, Vec2) {
    let height = line.up.dot(middle) + line.height;
    let c = height / radius;
    if c >= 1.0 {
        return (0.0, Vec2::ZERO);
    }
    if c <= -1.0 {
        return (core::f32::consts::PI * radius * radius, middle);
    }
    let half_chord = ((1.0 - c) * (1.0 + c)).sqrt();
    let area = radius * radius * (atan2(half_chord, c) - c * half_chord);
    if area <= 0.0 {
        return (0.0, Vec2::ZERO);
    }
    let below = 2.0 * (radius * half_chord) * (radius * half_chord) * (radius * half_chord) / (3.0 * area);
    (area, middle - line.up * below)
}

/// Sums triangles from the first point under the line, edge by edge, counter-clockwise.
fn under_polygon(corners: &[Vec2], line: Line) -> (f32, Vec2) {
    let height = |p: Vec2| line.up.dot(p) + line.height;
    let mut sums = Sums { origin: None, last: Vec2::ZERO, area: 0.0, first: Vec2::ZERO };
    let mut p = corners[corners.len() - 1];
    let mut s_p = height(p);
    for &q in corners {
        let s_q = height(q);
        if (s_p < 0.0) != (s_q < 0.0) {
            sums.add(p + (q - p) * (s_p / (s_p - s_q)));
        }
        if s_q < 0.0 {
            sums.add(q);
        }
        (p, s_p) = (q, s_q);
    }
    let area = 0.5 * sums.area;
    if area <= 0.0 {
        return (0.0, Vec2::ZERO);
    }
    (area, sums.origin.unwrap_or(Vec2::ZERO) + sums.first / (3.0 * sums.area))
}

/// Sums over a fan of triangles.
struct Sums {
    origin: Option<Vec2>,
    last: Vec2,
    /// Twice the area, and twice the area times three times the centroid, from the origin.
    area: f32,
    first: Vec2,
}

impl Sums {
    fn add(&mut self, corner: Vec2) {
        let Some(origin) = self.origin else {
            self.origin = Some(corner);
            return;
        };
        let here = corner - origin;
        let doubled = cross(self.last, here);
        self.area += doubled;
        self.first += (self.last + here) * doubled;
        self.last = here;
    }
}

/// Corners in order.
struct Outline {
    corners: [Vec2; MOST_CORNERS],
    count: usize,
}

impl Outline {
    fn add(&mut self, corner: Vec2) {
        if self.count < MOST_CORNERS {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// The outline of all points within `radius` of a polygon, or of a segment: at every corner an
    /// arc between the normals of its edges, in equal steps.
    fn add_round(&mut self, corners: &[Vec2], radius: f32) {
        let n = corners.len();
        for (i, &corner) in corners.iter().enumerate() {
            let (before, next) = (corners[(i + n - 1) % n], corners[(i + 1) % n]);
            let (from, to) = (unit_or_zero(corner - before), unit_or_zero(next - corner));
            let outward = |along: Vec2| Vec2::new(along.y, -along.x);
            self.add(corner + outward(from) * radius);
            self.add_arc(corner, radius, [outward(from), outward(to)], ARC_HALVINGS);
            self.add(corner + outward(to) * radius);
        }
    }

    /// The points of an arc between two directions, both left out.
    fn add_arc(&mut self, corner: Vec2, radius: f32, [from, to]: [Vec2; 2], depth: u32) {
        if depth == 0 {
            return;
        }
        let sum = from + to;
        // Half a turn, at the end of a segment: the middle is a quarter turn on.
        let middle = if sum.length_squared() < 1.0e-6 { from.perp() } else { unit_or_zero(sum) };
        self.add_arc(corner, radius, [from, middle], depth - 1);
        self.add(corner + middle * radius);
        self.add_arc(corner, radius, [middle, to], depth - 1);
    }

    fn area(&self) -> f32 {
        let mut sums = Sums { origin: None, last: Vec2::ZERO, area: 0.0, first: Vec2::ZERO };
        self.corners[..self.count].iter().for_each(|&corner| sums.add(corner));
        0.5 * sums.area
    }
}
