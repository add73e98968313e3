//! Pairs of shapes to time: the same bodies at the same places for carom and for parry2d.
//!
//! In: two kinds and the name of a distribution. Out: 1,024 seeded pairs as each library wants
//! them. Every kind comes in sixteen sizes, 0.75 to 1.25 times its own, and each pair names its
//! shapes by reference: so the kind is found out pair by pair, as it is in a game, and no loop over
//! a batch can keep a shape in registers.

use carom::{Rot, Shape, Transform, Vec2, vec2};
use parry2d::math::{Pose, Rot2};
use parry2d::shape::{Ball, Capsule, ConvexPolygon, Cuboid, RoundShape, Segment, SharedShape, Triangle};
use std::f32::consts::{PI, TAU};
use testkit::random::Random;

/// Pairs in one batch: what a timed call goes through.
pub(crate) const PAIRS: usize = 1024;

const SIZES: usize = 16;

/// One kind of shape in its sizes, number k of the one list being the same body as number k of the
/// other.
pub(crate) struct Kind {
    /// As it stands in the names of the benches.
    pub(crate) name: &'static str,
    carom: Vec<Shape>,
    parry: Vec<SharedShape>,
}

impl Kind {
    fn new(name: &'static str, carom: impl Fn(f32) -> Shape, parry: impl Fn(f32) -> SharedShape) -> Kind {
        let sizes = || (0..SIZES).map(|k| 0.75 + 0.5 * k as f32 / (SIZES - 1) as f32);
        let carom: Vec<Shape> = sizes().map(carom).collect();
        assert!(carom.iter().all(|shape| shape.check().is_ok()), "{name} breaks a rule");
        Kind { name, carom, parry: sizes().map(parry).collect() }
    }

    /// A disc of diameter 1.
    pub(crate) fn circle() -> Kind {
        Kind::new("circle", |s| Shape::circle(0.5 * s), |s| SharedShape::new(Ball::new(0.5 * s)))
    }

    /// 1.2 long, 0.5 thick.
    pub(crate) fn capsule() -> Kind {
        let end = |s: f32| vec2(0.35 * s, 0.0);
        Kind::new(
            "capsule",
            |s| Shape::capsule(-end(s), end(s), 0.25 * s),
            |s| SharedShape::new(Capsule::new(-end(s), end(s), 0.25 * s)),
        )
    }

    /// 1.2 long.
    pub(crate) fn segment() -> Kind {
        let end = |s: f32| vec2(0.6 * s, 0.0);
        let parry = |s| SharedShape::new(Segment::new(-end(s), end(s)));
        Kind::new("segment", |s| Shape::segment(-end(s), end(s)), parry)
    }

    /// 1 by 0.8: an oriented box.
    pub(crate) fn rect() -> Kind {
        let parry = |s: f32| SharedShape::new(Cuboid::new(vec2(0.5, 0.4) * s));
        Kind::new("rect", |s| Shape::rect(s, 0.8 * s), parry)
    }

    /// A ship: nose ahead, its sides twice as long as its stern.
    pub(crate) fn triangle() -> Kind {
        let corners = |s: f32| [vec2(0.6, 0.0), vec2(-0.4, 0.35), vec2(-0.4, -0.35)].map(|corner| corner * s);
        let triangle = |[a, b, c]: [Vec2; 3]| Triangle::new(a, b, c);
        Kind::new("triangle", |s| Shape::polygon(&corners(s)), |s| SharedShape::new(triangle(corners(s))))
    }

    /// A regular hexagon, 1.1 across its corners.
    pub(crate) fn hexagon() -> Kind {
        let corners =
            |s: f32| (0..6).map(|k| Rot::from_angle(k as f32 * TAU / 6.0).x_axis() * (0.55 * s)).collect();
        let parry = move |s| ConvexPolygon::from_convex_polyline(corners(s)).expect("a hexagon is convex");
        let shape = move |s| Shape::polygon(&Vec::from_iter(corners(s)));
        Kind::new("hexagon", shape, move |s| SharedShape::new(parry(s)))
    }

    /// 1 by 0.8 with its rounding of 0.1.
    pub(crate) fn rounded() -> Kind {
        let parry =
            |s: f32| RoundShape { inner_shape: Cuboid::new(vec2(0.4, 0.3) * s), border_radius: 0.1 * s };
        let shape = |s: f32| Shape::rect(0.8 * s, 0.6 * s).rounded(0.1 * s);
        Kind::new("rounded", shape, move |s| SharedShape::new(parry(s)))
    }

    /// Its sizes.
    pub(crate) fn shapes(&self) -> &[Shape] {
        &self.carom
    }

    /// The directions that its faces look to.
    fn normals(shape: &Shape) -> Vec<Vec2> {
        match shape {
            Shape::Capsule(_) | Shape::Segment(_) => vec![Vec2::Y, -Vec2::Y],
            Shape::Obb(_) => vec![Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y],
            Shape::Polygon(polygon) => polygon.normals().to_vec(),
            _ => Vec::new(),
        }
    }
}

/// One pair for carom.
pub(crate) struct CaromPair<'a> {
    pub(crate) a: &'a Shape,
    pub(crate) xa: Transform,
    pub(crate) b: &'a Shape,
    pub(crate) xb: Transform,
}

/// The same pair for parry2d.
pub(crate) struct ParryPair<'a> {
    pub(crate) a: &'a dyn parry2d::shape::Shape,
    pub(crate) xa: Pose,
    pub(crate) b: &'a dyn parry2d::shape::Shape,
    pub(crate) xb: Pose,
}

/// 1,024 pairs, in both forms.
pub(crate) struct Batch<'a> {
    pub(crate) carom: Vec<CaromPair<'a>>,
    pub(crate) parry: Vec<ParryPair<'a>>,
}

/// How the pairs of a batch lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// Any angle, any direction, any distance up to the one at which half of the pairs overlap.
    Mixed,
    /// Any angle, any place at which the boxes around the two overlap: what a broadphase passes on.
    Near,
    /// 1 to 20 mm into each other; in every other pair a face rests on a face, to 0.02 rad.
    Touching,
    /// 0.05 to 2 m apart.
    Apart,
}

impl<'a> Batch<'a> {
    /// The pairs of two kinds, the same at every call.
    pub(crate) fn new(a: &'a Kind, b: &'a Kind, lie: Lie) -> Batch<'a> {
        let mut random = Random::new(0x0001_2345);
        let mut batch = Batch { carom: Vec::new(), parry: Vec::new() };
        for k in 0..PAIRS {
            let (size_a, size_b) = (random.below(SIZES), random.below(SIZES));
            let (shape_a, shape_b) = (&a.carom[size_a], &b.carom[size_b]);
            let xa = Transform::new(
                vec2(random.range(-50.0, 50.0), random.range(-50.0, 50.0)),
                random.range(-PI, PI),
            );
            let xb = match lie {
                Lie::Mixed => {
                    Transform::new(direction(&mut random) * random.range(0.0, 1.0), random.range(-PI, PI))
                }
                Lie::Near => near(&mut random, shape_a, xa, shape_b),
                Lie::Touching => {
                    let depth = random.range(0.001, 0.02);
                    pressed(&mut random, (shape_a, xa), shape_b, -depth, k % 2 == 0)
                }
                Lie::Apart => {
                    let gap = random.range(0.05, 2.0);
                    pressed(&mut random, (shape_a, xa), shape_b, gap, false)
                }
            };
            batch.carom.push(CaromPair { a: shape_a, xa, b: shape_b, xb });
            let (parry_a, parry_b) = (&*a.parry[size_a], &*b.parry[size_b]);
            batch.parry.push(ParryPair { a: parry_a, xa: pose(xa), b: parry_b, xb: pose(xb) });
        }
        if lie == Lie::Mixed {
            batch.spread_until_half_overlap();
        }
        batch
    }

    /// How many pairs overlap.
    pub(crate) fn hits(&self) -> usize {
        self.carom.iter().filter(|pair| carom::overlaps(pair.a, pair.xa, pair.b, pair.xb)).count()
    }

    /// Takes the place of each B as an offset in units that are all the same, and finds that unit
    /// by halving.
    fn spread_until_half_overlap(&mut self) {
        let offsets: Vec<Vec2> = self.carom.iter().map(|pair| pair.xb.position).collect();
        let (mut low, mut high) = (0.0, 16.0);
        for _ in 0..24 {
            let unit = 0.5 * (low + high);
            for (k, &offset) in offsets.iter().enumerate() {
                let pair = &mut self.carom[k];
                pair.xb.position = pair.xa.position + offset * unit;
                self.parry[k].xb = pose(pair.xb);
            }
            if 2 * self.hits() > PAIRS {
                low = unit;
            } else {
                high = unit;
            }
        }
    }
}

/// A place for B at which its box overlaps the box of A.
fn near(random: &mut Random, a: &Shape, xa: Transform, b: &Shape) -> Transform {
    loop {
        let offset = vec2(random.range(-2.0, 2.0), random.range(-2.0, 2.0));
        let xb = Transform::new(xa.position + offset, random.range(-PI, PI));
        if a.aabb(xa).overlaps(&b.aabb(xb)) {
            return xb;
        }
    }
}

/// A place for B at `separation` from A: along a line through A, or face on face.
fn pressed(
    random: &mut Random,
    (a, xa): (&Shape, Transform),
    b: &Shape,
    separation: f32,
    flush: bool,
) -> Transform {
    let (mut direction, mut angle) = (direction(random), random.range(-PI, PI));
    let mut start = xa.position;
    let (normals_a, normals_b) = (Kind::normals(a), Kind::normals(b));
    let lines = matches!((a, b), (Shape::Segment(_), Shape::Segment(_)));
    if flush && !lines && !normals_a.is_empty() && !normals_b.is_empty() {
        direction = xa.rotation * normals_a[random.below(normals_a.len())];
        let facing = Rot { cos: -direction.x, sin: -direction.y };
        let normal = normals_b[random.below(normals_b.len())];
        let turn = facing * Rot { cos: normal.x, sin: -normal.y };
        angle = turn.angle() + random.range(-0.02, 0.02);
        start += direction.perp() * random.range(-0.15, 0.15);
    }
    let at = |way: f32| Transform::new(start + direction * way, angle);
    let gap = |way: f32| carom::distance(a, xa, b, at(way)).separation;
    // Two lines that cross at a small angle are never deep in each other.
    let separation = if gap(0.0) < separation { separation } else { 0.5 * gap(0.0) };
    let (mut low, mut high) = (0.0, 8.0);
    for _ in 0..24 {
        let way = 0.5 * (low + high);
        if gap(way) < separation {
            low = way;
        } else {
            high = way;
        }
    }
    at(low)
}

/// The same place for parry2d, to the bit.
pub(crate) fn pose(at: Transform) -> Pose {
    Pose::from_parts(at.position, Rot2::from_cos_sin_unchecked(at.rotation.cos, at.rotation.sin))
}

/// A unit vector.
pub(crate) fn direction(random: &mut Random) -> Vec2 {
    Rot::from_angle(random.range(-PI, PI)).x_axis()
}
