//! Outlines of shapes as numbers: handed to the page once, and then drawn at the poses of each
//! frame.
//!
//! In: worlds. Out: a list of records, in the frames of the bodies. Called when bodies came, went
//! or changed.
//!
//! ```text
//!   pose kind hue flags speed n   and then    circle: x y r      outline, closed: (x y) × n      line, open: (x y) × n
//! ```
//!
//! `pose` is a place in the buffer of poses. Roundings become corners here: the page knows circles
//! and outlines only.

use carom::math::sin_cos;
use carom::prelude::*;
use carom::{Body, Capsule, Obb, Polygon, TileMap};
use core::f32::consts::{PI, TAU};

use crate::scene::Place;

const CIRCLE: f32 = 0.0;
const CLOSED: f32 = 1.0;
const OPEN: f32 = 2.0;

const FIXED: u32 = 1;
const KINEMATIC: u32 = 2;
const SENSOR: u32 = 4;
const ONE_WAY: u32 = 8;

/// Corners of a rounding, for a full turn.
const ROUND: usize = 32;
/// Half the side of what is drawn of a half-plane, in m.
const FAR: f32 = 1.0e3;

/// Writes the outlines of all shapes, those of the first world first.
pub fn outlines(places: &[Place], counts: &[usize], out: &mut Vec<f32>) {
    out.clear();
    let mut base = 0;
    for (place, count) in places.iter().zip(counts) {
        for (id, body) in place.world.bodies() {
            for (_, collider) in place.world.shapes_of(id) {
                let style = Style::of(body, collider);
                outline(collider.shape(), &Record { pose: (base + id.index()) as f32, style }, out);
            }
        }
        base += count;
    }
}

/// A number that is another one when bodies or shapes are others, or what is drawn in them is.
pub fn fingerprint(places: &[Place], drawing: u64) -> u64 {
    let mut hash = Fnv::default();
    hash.add(drawing);
    for place in places {
        for (id, body) in place.world.bodies() {
            hash.add(id.index() as u64 ^ (body.kind() as u64) << 32 ^ body.user_data() << 36);
            for (id, collider) in place.world.shapes_of(id) {
                let circle = collider.shape().bounding_circle();
                hash.add(id.index() as u64);
                hash.add(u64::from(circle.center.x.to_bits()) << 32 ^ u64::from(circle.radius.to_bits()));
            }
        }
    }
    hash.0
}

/// The hash of Fowler, Noll and Vo over words.
pub struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    /// Takes in a word.
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01B3);
    }
}

/// What a shape looks like, beside its outline.
#[derive(Clone, Copy)]
struct Style {
    /// One of the page's hues, or below 0 for the one that the place of its body has.
    hue: f32,
    flags: u32,
    /// Of its surface.
    speed: f32,
}

impl Style {
    fn of(body: &Body, collider: &carom::Collider) -> Style {
        let mut flags = match body.kind() {
            BodyKind::Fixed => FIXED,
            BodyKind::Kinematic => KINEMATIC,
            BodyKind::Dynamic => 0,
        };
        flags |= if collider.is_sensor() { SENSOR } else { 0 };
        flags |= if collider.one_way().is_some() { ONE_WAY } else { 0 };
        Style { hue: body.user_data() as f32 - 1.0, flags, speed: collider.material().surface_speed }
    }
}

struct Record {
    pose: f32,
    style: Style,
}

impl Record {
    fn head(&self, kind: f32, count: usize, out: &mut Vec<f32>) {
        let Style { hue, flags, speed } = self.style;
        out.extend([self.pose, kind, hue, flags as f32, speed, count as f32]);
    }

    fn path(&self, kind: f32, points: &[Vec2], out: &mut Vec<f32>) {
        self.head(kind, points.len(), out);
        out.extend(points.iter().flat_map(|point| point.to_array()));
    }
}

fn outline(shape: &Shape, record: &Record, out: &mut Vec<f32>) {
    match shape {
        Shape::Circle(circle) => {
            record.head(CIRCLE, 1, out);
            out.extend([circle.center().x, circle.center().y, circle.radius()]);
        }
        Shape::Capsule(capsule) => record.path(CLOSED, &around_capsule(capsule), out),
        Shape::Segment(segment) => record.path(OPEN, &segment.ends(), out),
        Shape::Obb(obb) => record.path(CLOSED, &around_box(obb), out),
        Shape::Polygon(polygon) => record.path(CLOSED, &around_polygon(polygon), out),
        Shape::Polar(polar) => record.path(CLOSED, polar.vertices(), out),
        Shape::Compound(compound) => compound.parts().iter().for_each(|part| outline(part, record, out)),
        Shape::Chain(chain) => {
            let mut points = chain.points();
            if chain.is_closed() {
                points.extend(points.first().copied());
            }
            record.path(OPEN, &points, out);
        }
        Shape::HalfPlane(plane) => {
            let (normal, along) = (plane.normal(), plane.normal().perp() * FAR);
            let (on, below) = (normal * plane.offset(), normal * (plane.offset() - FAR));
            record.path(CLOSED, &[on - along, on + along, below + along, below - along], out);
        }
        Shape::Tiles(map) => cells(map, record, out),
        Shape::Invalid(_) | _ => {}
    }
}

/// Full cells side by side are one outline, others one each.
fn cells(map: &TileMap, record: &Record, out: &mut Vec<f32>) {
    let [width, height] = map.size();
    let kind_at = |x: u32, y: u32| map.cell_at([x, y]).map_or(TileKind::Empty, |cell| cell.kind);
    for y in 0..height {
        let mut x = 0;
        while x < width {
            let (from, kind) = (x, kind_at(x, y));
            x += 1;
            let is_full = matches!(kind, TileKind::Solid | TileKind::Sensor | TileKind::OneWay);
            while is_full && x < width && kind_at(x, y) == kind {
                x += 1;
            }
            let mut corners: Vec<Vec2> = map.corners([from, y]).collect();
            if is_full && let [_, b, c, _] = &mut corners[..] {
                let last: Vec<Vec2> = map.corners([x - 1, y]).collect();
                (*b, *c) = (last[1], last[2]);
            }
            let flags = record.style.flags
                | match kind {
                    TileKind::OneWay => ONE_WAY,
                    TileKind::Sensor => SENSOR,
                    _ => 0,
                };
            if !corners.is_empty() {
                Record { pose: record.pose, style: Style { flags, ..record.style } }
                    .path(CLOSED, &corners, out);
            }
        }
    }
}

fn around_box(obb: &Obb) -> Vec<Vec2> {
    // The corners of a box are those without its rounding.
    rounded(&obb.corners(), obb.radius())
}

fn around_polygon(polygon: &Polygon) -> Vec<Vec2> {
    rounded(polygon.vertices(), polygon.radius())
}

fn around_capsule(capsule: &Capsule) -> Vec<Vec2> {
    rounded(&capsule.ends(), capsule.radius())
}

/// A convex outline, counter-clockwise, or a segment there and back, grown by `radius`.
fn rounded(corners: &[Vec2], radius: f32) -> Vec<Vec2> {
    if radius == 0.0 {
        return corners.to_vec();
    }
    let count = corners.len();
    let mut points = Vec::new();
    for k in 0..count {
        let before = corners[k] - corners[(k + count - 1) % count];
        let after = corners[(k + 1) % count] - corners[k];
        let start = carom::math::atan2(before.y, before.x) - 0.5 * PI;
        let turn = match carom::math::atan2(before.perp_dot(after), before.dot(after)) {
            // There and back, at the end of a segment, is half a turn to the left.
            turn if turn <= -0.99 * PI => turn + TAU,
            turn => turn,
        };
        let steps = 1 + (ROUND as f32 * turn.abs() / TAU) as usize;
        for step in 0..=steps {
            let (sin, cos) = sin_cos(start + turn * step as f32 / steps as f32);
            points.push(corners[k] + vec2(cos, sin) * radius);
        }
    }
    points
}
