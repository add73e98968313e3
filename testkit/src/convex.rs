//! Random convex shapes, and pairs of poses for them.
//!
//! In: a generator. Out: the same scenes on every machine. Shapes come with sizes from 0.1 to 10,
//! evenly on a logarithmic scale; poses are chosen so that about half of the pairs overlap, many
//! nearly or exactly touch, and many have parallel edges.

use carom::{Rot, Shape, Transform, Vec2};

use crate::oracle::{Convex, separation};
use crate::random::Random;

/// The kinds of convex shapes whose pairs are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A disc.
    Circle,
    /// A segment with a radius.
    Capsule,
    /// A segment without a radius.
    Segment,
    /// A box.
    Rect,
    /// A box with a radius.
    RoundedRect,
    /// Three to eight corners, some of them nearly in line.
    Polygon,
    /// A polygon with a radius.
    RoundedPolygon,
    /// A triangle or box that is 30 to 10,000 times longer than thick.
    Needle,
}

impl Kind {
    /// Every kind once.
    pub const ALL: [Kind; 8] = [
        Kind::Circle,
        Kind::Capsule,
        Kind::Segment,
        Kind::Rect,
        Kind::RoundedRect,
        Kind::Polygon,
        Kind::RoundedPolygon,
        Kind::Needle,
    ];

    /// A random shape of this kind and what it is in `f64`; every second one off its own origin.
    pub fn sample(self, random: &mut Random) -> (Shape, Convex) {
        let size = random.log_range(0.1, 10.0);
        loop {
            let mut shape = self.centered(random, size);
            if random.below(2) == 0 {
                shape = shape.transformed(random.transform(0.5 * size));
            }
            if let Ok(shape) = shape.checked() {
                let convex = Convex::of(&shape);
                return (shape, convex);
            }
        }
    }

    fn centered(self, random: &mut Random, size: f64) -> Shape {
        let rounding = (size * random.log_range(0.01, 0.5)) as f32;
        match self {
            Kind::Circle => Shape::circle((0.5 * size) as f32),
            Kind::Capsule => segment(random, size).rounded(rounding),
            Kind::Segment => segment(random, size),
            Kind::Rect => rect(random, size),
            Kind::RoundedRect => rect(random, size).rounded(rounding),
            Kind::Polygon => polygon(random, size),
            Kind::RoundedPolygon => polygon(random, size).rounded(rounding),
            Kind::Needle => needle(random, size),
        }
    }
}

fn segment(random: &mut Random, size: f64) -> Shape {
    let half = random.direction() * (0.5 * size);
    Shape::segment((-half).as_vec2(), half.as_vec2())
}

fn rect(random: &mut Random, size: f64) -> Shape {
    let side = match random.below(4) {
        0 => size,
        _ => size * random.log_range(0.1, 1.0),
    };
    Shape::rect(size as f32, side as f32)
}

/// The hull of up to eight points in a square, of eight points near a circle, a regular polygon, or
/// a box with sides that bulge.
fn polygon(random: &mut Random, size: f64) -> Shape {
    let half = 0.5 * size;
    let count = 3 + random.below(6);
    match random.below(5) {
        0 => Shape::regular(count, half as f32),
        1 => {
            let points: Vec<Vec2> = (0..count).map(|_| (random.direction() * half).as_vec2()).collect();
            Shape::hull(&points)
        }
        2 => bulging_box(random, half),
        _ => {
            let points: Vec<Vec2> = (0..count).map(|_| random.vec2(half)).collect();
            Shape::hull(&points)
        }
    }
}

/// A box with one more corner on each side, which stands out by 2e-5 to 1e-2 of the size: edges
/// that are nearly in one line.
///
/// ```text
///   +-----'-----+
///   |           |
///   :           :
///   |           |
///   +-----.-----+
/// ```
fn bulging_box(random: &mut Random, half: f64) -> Shape {
    let (x, y) = (half, half * random.range(0.2, 1.0));
    let mut points = vec![[-x, -y], [x, -y], [x, y], [-x, y]];
    for [dx, dy] in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]] {
        let (out, along) = (1.0 + random.log_range(2.0e-5, 1.0e-2), random.range(-0.9, 0.9));
        points.push([(dx * out + dy * along) * x, (dy * out + dx * along) * y]);
    }
    let points: Vec<Vec2> = points.into_iter().map(|[x, y]| Vec2::new(x as f32, y as f32)).collect();
    Shape::hull(&points)
}

/// A triangle or box that is 30 to 10,000 times longer than thick.
fn needle(random: &mut Random, size: f64) -> Shape {
    let thickness = size * random.log_range(1.0e-4, 0.03);
    if random.below(2) == 0 {
        return Shape::rect(size as f32, thickness as f32);
    }
    let tip = random.range(-0.5, 1.5) * size;
    let points = [(-0.5 * size, 0.0), (0.5 * size, 0.0), (tip - 0.5 * size, random.sign() * thickness)];
    let shape = Shape::polygon(&points.map(|(x, y)| Vec2::new(x as f32, y as f32)));
    shape.turned(random.angle())
}

/// Two poses for a pair of shapes.
///
/// One in eight puts the two origins at the same place, three in eight anywhere within reach. The
/// others nearly touch: placed anywhere, then moved along the oracle's normal until the separation
/// is 1e-7 to 1e-1 of the size, of either sign, or 0. One in four pairs is turned alike or by a
/// right angle, so that edges are parallel.
pub fn poses(random: &mut Random, a: &Convex, b: &Convex) -> [Transform; 2] {
    let size = a.extent().max(b.extent());
    let at_a = random.transform(size);
    let mut at_b = Transform { position: at_a.position, rotation: rotation_beside(random, at_a.rotation) };
    match random.below(8) {
        0 => {}
        1..4 => {
            let reach = random.unit().sqrt() * 0.6 * (a.extent() + b.extent());
            at_b.position += (random.direction() * reach).as_vec2();
        }
        _ => {
            let reach = random.unit().sqrt() * 0.6 * (a.extent() + b.extent());
            at_b.position += (random.direction() * reach).as_vec2();
            let gap = match random.below(8) {
                0 => 0.0,
                _ => random.sign() * size * random.log_range(1.0e-7, 0.1),
            };
            let apart = separation(&a.placed(at_a), &b.placed(at_b));
            at_b.position += (apart.normal * (gap - apart.value)).as_vec2();
        }
    }
    [at_a, at_b]
}

fn rotation_beside(random: &mut Random, rotation: Rot) -> Rot {
    match random.below(8) {
        0 => rotation,
        1 => Rot { cos: -rotation.sin, sin: rotation.cos },
        _ => Rot::from_angle(random.angle()),
    }
}
