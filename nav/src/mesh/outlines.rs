//! Shapes as outlines.
//!
//! In: a shape of the physics world, and its pose relative to the mesh's middle. Out: closed
//! outlines, counter-clockwise, and walls. Arcs become corners outside of the arc, at most [`SAG`]
//! from it, so that ways keep clear of the true shape.

use carom::{Aabb, Shape, TileKind, TileMap, Transform};
use glam::Vec2;

/// Greatest distance of a corner outside of an arc, in metres.
const SAG: f32 = 0.01;
/// Outlines that reach beyond this, in metres, are cut before they are rounded.
const FAR: f32 = 7_000.0;

/// Lists of corners, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlines {
    corners: Vec<Vec2>,
    /// The end of each list, and whether it is closed.
    ends: Vec<(u32, bool)>,
    spare: Vec<Vec2>,
}

impl Outlines {
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
        self.ends.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[Vec2], bool)> {
        let mut from = 0;
        self.ends.iter().map(move |&(end, is_closed)| {
            let corners = &self.corners[from as usize..end as usize];
            from = end;
            (corners, is_closed)
        })
    }

    /// Adds the outlines of a shape, on a mesh with this half side.
    pub(crate) fn add(&mut self, shape: &Shape, at: Transform, half: f32) {
        match shape {
            Shape::Circle(circle) => self.add_round(&[at.apply(circle.center())], circle.radius(), half),
            Shape::Capsule(capsule) => {
                self.add_round(&capsule.ends().map(|end| at.apply(end)), capsule.radius(), half);
            }
            Shape::Segment(segment) => self.add_wall(segment.ends().map(|end| at.apply(end)), half),
            Shape::Obb(obb) => self.add_round(&obb.corners().map(|c| at.apply(c)), obb.radius(), half),
            Shape::Polygon(polygon) => {
                let mut corners = [Vec2::ZERO; 8];
                let count = polygon.vertices().len().min(corners.len());
                for (to, &corner) in corners.iter_mut().zip(polygon.vertices()) {
                    *to = at.apply(corner);
                }
                self.add_round(&corners[..count], polygon.radius(), half);
            }
            Shape::Polar(polar) => {
                self.corners.extend(polar.vertices().iter().map(|&corner| at.apply(corner)));
                self.close(half);
            }
            Shape::Compound(compound) => compound.parts().iter().for_each(|part| self.add(part, at, half)),
            Shape::Chain(chain) => {
                for segment in chain.segments() {
                    self.add_wall(segment.segment().ends().map(|end| at.apply(end)), half);
                }
            }
            Shape::Tiles(map) => self.add_tiles(map, at, half),
            Shape::HalfPlane(plane) => {
                let normal = at.rotation * plane.normal();
                let offset = plane.offset() + normal.dot(at.position);
                let side = half * 1.5;
                self.corners.extend(
                    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec2::new(x, y) * side),
                );
                self.cut(normal, offset);
                self.close(half);
            }
            // Other shapes are invalid, and no world contains them.
            _ => {}
        }
    }

    /// Adds the near cells of a tile map, except sensors. If the map is level, full cells side by
    /// side become one outline. (On a turned map, the long side of such an outline would miss the
    /// corners of its neighbours in the last digit: where two cells had only a corner in common,
    /// there was a slit.)
    fn add_tiles(&mut self, map: &TileMap, at: Transform, half: f32) {
        let reach = Vec2::splat(1.5 * half + map.side());
        let near = Aabb { min: -reach, max: reach }.transformed(at.inverse());
        let kind = |place| map.cell_at(place).map_or(TileKind::Empty, |cell| cell.kind);
        let is_full = |place| matches!(kind(place), TileKind::Solid | TileKind::OneWay);
        let mut cells = map.cells_in(near).peekable();
        while let Some(first) = cells.next() {
            let mut last = first;
            while is_full(first)
                && Outlines::is_level(map, first, at)
                && let Some(next) = cells.next_if(|&next| is_full(next) && next == [last[0] + 1, last[1]])
            {
                last = next;
            }
            if matches!(kind(first), TileKind::Empty | TileKind::Sensor) {
                continue;
            }
            self.corners.extend(map.corners(first).map(|corner| at.apply(corner)));
            if last != first {
                // The right side is the last cell's.
                let start = self.start();
                let right = map.corners(last).skip(1).take(2);
                for (to, corner) in self.corners[start + 1..start + 3].iter_mut().zip(right) {
                    *to = at.apply(corner);
                }
            }
            self.close(half);
        }
    }

    /// Whether the lower side of a full cell is level to the last digit.
    fn is_level(map: &TileMap, cell: [u32; 2], at: Transform) -> bool {
        let mut lower = map.corners(cell).take(2).map(|corner| at.apply(corner).y);
        lower.next() == lower.next()
    }

    /// Adds the outline of all places within a radius of a convex outline, a segment, or a place.
    fn add_round(&mut self, corners: &[Vec2], radius: f32, half: f32) {
        if radius <= 0.0 {
            self.corners.extend_from_slice(corners);
            return self.close(half);
        }
        let count = corners.len();
        if count == 1 {
            for (from, to) in
                [(Vec2::X, Vec2::Y), (Vec2::Y, -Vec2::X), (-Vec2::X, -Vec2::Y), (-Vec2::Y, Vec2::X)]
            {
                self.add_arc(corners[0], radius, from, to);
            }
            return self.close(half);
        }
        // The outward normal is the direction of an edge, turned clockwise by a quarter.
        let along = |k: usize| (corners[(k + 1) % count] - corners[k % count]).normalize_or(Vec2::X);
        for (k, &corner) in corners.iter().enumerate() {
            let (before, after) = (along(k + count - 1), along(k));
            let (from, to) = (-before.perp(), -after.perp());
            if from.dot(to) < 0.0 {
                let middle = (before - after).normalize_or(before);
                self.add_arc(corner, radius, from, middle);
                self.add_arc(corner, radius, middle, to);
            } else {
                self.add_arc(corner, radius, from, to);
            }
        }
        self.close(half);
    }

    /// Adds corners around an arc of at most a quarter turn, from one direction to another: the
    /// points where tangents meet.
    fn add_arc(&mut self, middle: Vec2, radius: f32, from: Vec2, to: Vec2) {
        let sum = from + to;
        // With an angle a between the two directions, their sum has length 2 cos(a/2), and their
        // tangents meet at a distance of r / cos(a/2) from the middle.
        let half_cos = sum.length() / 2.0;
        let is_short = radius * (1.0 - half_cos) <= SAG * half_cos;
        if is_short || half_cos > 0.9999 {
            self.corners.push(middle + sum * (radius / (2.0 * half_cos * half_cos)));
        } else {
            let between = sum / (2.0 * half_cos);
            self.add_arc(middle, radius, from, between);
            self.add_arc(middle, radius, between, to);
        }
    }

    fn add_wall(&mut self, ends: [Vec2; 2], half: f32) {
        self.corners.extend_from_slice(&ends);
        self.trim(half);
        let from = self.start();
        if self.corners.len() - from >= 2 {
            // A segment that was cut runs there and back; keep one direction.
            self.corners.truncate(from + 2);
            self.ends.push((self.corners.len() as u32, false));
        } else {
            self.corners.truncate(from);
        }
    }

    fn close(&mut self, half: f32) {
        self.trim(half);
        let from = self.start();
        if self.corners.len() - from >= 3 {
            self.ends.push((self.corners.len() as u32, true));
        } else {
            self.corners.truncate(from);
        }
    }

    /// Index of the first corner of the outline being built.
    fn start(&self) -> usize {
        self.ends.last().map_or(0, |&(end, _)| end as usize)
    }

    /// Cuts off parts beyond the coordinates of a mesh.
    fn trim(&mut self, half: f32) {
        let start = self.start();
        if self.corners[start..].iter().any(|corner| corner.x.abs() > FAR || corner.y.abs() > FAR) {
            for normal in [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y] {
                self.cut(normal, half * 1.1);
            }
        }
    }

    /// Keeps the part of the last outline on one side of a line: where normal . p <= offset.
    fn cut(&mut self, normal: Vec2, offset: f32) {
        let start = self.start();
        self.spare.clear();
        let corners = &self.corners[start..];
        for (k, &b) in corners.iter().enumerate() {
            let a = corners[(k + corners.len() - 1) % corners.len()];
            let height =
                |p: Vec2| f64::from(normal.x) * f64::from(p.x) + f64::from(normal.y) * f64::from(p.y);
            let (above_a, above_b) = (height(a) - f64::from(offset), height(b) - f64::from(offset));
            if (above_a > 0.0) != (above_b > 0.0) {
                let cut = a + (b - a) * (above_a / (above_a - above_b)) as f32;
                if self.spare.last() != Some(&cut) {
                    self.spare.push(cut);
                }
            }
            if above_b <= 0.0 && self.spare.last() != Some(&b) {
                self.spare.push(b);
            }
        }
        self.corners.truncate(start);
        self.corners.append(&mut self.spare);
    }
}
