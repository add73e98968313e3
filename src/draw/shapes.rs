//! The layer of shapes.

use glam::Vec2;

use super::color::Color;
use super::debug_draw::DebugDraw;
use super::scene::Scene;
use crate::body::collider::OfMap;
use crate::bounds::Aabb;
use crate::math::Transform;
use crate::shape::{HalfPlane, Piece, Shape};
use crate::tuning::MAX_POLYGON_VERTICES;

impl Scene<'_> {
    /// Draws all shapes in view: polar shapes whole, others part by part.
    pub(super) fn draw_shapes<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        let mut outline: Vec<Vec2> = Vec::new();
        let mut last = None;
        for &part in &self.parts {
            let proxy = &self.world.shapes.proxies.rows[part as usize];
            let color = self.color_of(proxy.body, proxy.sensor);
            let first = last.replace(proxy.shape) != Some(proxy.shape);
            let collider = &self.world.shapes.colliders[proxy.shape as usize];
            match collider.shape() {
                Shape::Polar(polar) if first => {
                    let at = self.place_of(self.body(proxy.body));
                    outline.clear();
                    outline.extend(polar.vertices().iter().map(|&corner| at.apply(corner)));
                    draw.solid_star(at.apply(polar.center()), &outline, color);
                }
                Shape::Polar(_) => {}
                Shape::Tiles(_) if proxy.of_map == OfMap::Cell => {}
                Shape::Tiles(map) if proxy.of_map == OfMap::Whole => {
                    let at = self.place_of(self.body(proxy.body));
                    map.visit(
                        |aabb| aabb.transformed(at).overlaps(&self.frame),
                        |cell| {
                            let hollow = collider.is_sensor_at(cell);
                            let color = self.color_of(proxy.body, hollow);
                            if let Some(own) = map.own_piece(map.place(cell)) {
                                self.draw_piece(draw, &own.piece(), at, (color, hollow));
                            }
                            true
                        },
                    );
                }
                _ => {
                    let (piece, at) = self.piece(part);
                    self.draw_piece(draw, &piece, at, (color, proxy.sensor));
                }
            }
        }
    }

    /// Draws a convex part; sensors as outlines.
    fn draw_piece<D: DebugDraw + ?Sized>(
        &self,
        draw: &mut D,
        piece: &Piece<'_>,
        at: Transform,
        (color, hollow): (Color, bool),
    ) {
        match piece {
            Piece::Circle(circle) => {
                let (center, radius) = (at.apply(circle.center()), circle.radius());
                if hollow {
                    draw.circle(center, radius, color);
                } else {
                    draw.solid_circle(center, radius, at.rotation.x_axis(), color);
                }
            }
            Piece::Capsule(capsule) => {
                let [a, b] = capsule.ends().map(|end| at.apply(end));
                if hollow {
                    draw.capsule(a, b, capsule.radius(), color);
                } else {
                    draw.solid_capsule(a, b, capsule.radius(), color);
                }
            }
            Piece::Segment(segment) => {
                let [a, b] = segment.ends().map(|end| at.apply(end));
                draw.line(a, b, color);
            }
            Piece::ChainSegment(link) => {
                let [a, b] = link.segment().ends().map(|end| at.apply(end));
                draw.line(a, b, color);
            }
            Piece::Obb(obb) => area(draw, &obb.corners(), at, (obb.radius(), hollow), color),
            Piece::Polygon(polygon) => area(draw, polygon.vertices(), at, (polygon.radius(), hollow), color),
            Piece::HalfPlane(plane) => {
                let (corners, count) = cut(&self.frame, &plane.transformed(at));
                area(draw, &corners[..count], Transform::IDENTITY, (0.0, hollow), color);
            }
        }
    }
}

/// Draws a polygon by its corners in the frame of `at`.
fn area<D: DebugDraw + ?Sized>(
    draw: &mut D,
    corners: &[Vec2],
    at: Transform,
    (radius, hollow): (f32, bool),
    color: Color,
) {
    let mut placed = [Vec2::ZERO; MAX_POLYGON_VERTICES];
    for (to, &corner) in placed.iter_mut().zip(corners) {
        *to = at.apply(corner);
    }
    let placed = &placed[..corners.len().min(MAX_POLYGON_VERTICES)];
    if hollow {
        draw.polygon(placed, radius, color);
    } else if !placed.is_empty() {
        draw.solid_polygon(placed, radius, color);
    }
}

/// Clips a box by a half-plane: returns up to five corners, counter-clockwise, or none.
///
/// Every edge of the box gives its end that lies in the half-plane, and the point where it crosses
/// the border (Sutherland and Hodgman, "Reentrant polygon clipping", 1974).
fn cut(frame: &Aabb, plane: &HalfPlane) -> ([Vec2; MAX_POLYGON_VERTICES], usize) {
    let (low, high) = (frame.min, frame.max);
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let (mut out, mut count) = ([Vec2::ZERO; MAX_POLYGON_VERTICES], 0);
    let mut push = |point: Vec2| {
        if count < MAX_POLYGON_VERTICES {
            out[count] = point;
            count += 1;
        }
    };
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        let (height_a, height_b) = (plane.height(a), plane.height(b));
        if height_a <= 0.0 {
            push(a);
        }
        if (height_a <= 0.0) != (height_b <= 0.0) {
            push(a.lerp(b, height_a / (height_a - height_b)));
        }
    }
    (out, count)
}
