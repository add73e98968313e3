//! Spheres, boxes and oriented boxes in three dimensions: whether two of them overlap.
//!
//! In: centres, sizes, rotations. Out: yes or no; touching is overlap. Nothing else in carom has a
//! third dimension: this is for games that think in a plane and draw in space (culling by a camera,
//! order of height, a first test before a 3D engine is called).
//!
//! ```
//! use carom::bounds::three::{Aabb3, Obb3, Sphere, Vec3};
//!
//! let room = Aabb3::new([0.0, 0.0, 0.0], [4.0, 3.0, 4.0]);
//! let lamp = Sphere::new([2.0, 3.2, 2.0], 0.25);
//! assert!(lamp.overlaps_aabb(&room));
//!
//! // A plank of 3 m leans into the room from outside.
//! let plank = Obb3::new([4.6, 1.0, 2.0], [3.0, 0.2, 0.4]).turned(Vec3::Z, -1.2);
//! assert!(plank.overlaps_aabb(&room));
//! // A bird beside it is in the plank's box, and not in the plank.
//! let bird = Sphere::new([5.1, 2.2, 2.0], 0.2);
//! assert!(bird.overlaps_aabb(&plank.aabb()) && !plank.overlaps_sphere(&bird));
//! ```
//!
//! Vectors are glam's [`Vec3`]: 12 bytes, aligned to 4, in arrays without gaps. Rotations come as
//! an axis and an angle or as a quaternion's four numbers, and are kept as three axes. The answers
//! have the same bits on every machine: sums, products and roots in `f64`, no sine but carom's own.
//!
//! # Oriented boxes: 15 axes
//!
//! Two convex polyhedra are apart exactly when they are along a normal of a face of one, or along a
//! cross product of an edge of each (Gottschalk, Lin, Manocha 1996, "OBBTree"). Two boxes have 3 +
//! 3 faces and 3 × 3 pairs of edges. Before these axes come the bounding spheres, which answer for
//! most pairs of a scene.
//!
//! Where two edges are parallel, their product is zero, and along zero everything overlaps: the
//! axis then says nothing, and the others suffice. Where they are *nearly* parallel it is short,
//! and the usual test, in `f32` with the rotation between the boxes taken for exact, has more
//! rounding in it than length: it needs a tolerance so wide that gaps of a thousandth of the size
//! are lost, or it parts boxes that overlap. Here the three axes of a box are taken as the numbers
//! they are, which need not be exactly perpendicular: the box is the parallelepiped that they span,
//! its face normals are cross products of its axes, and every projection is an exact product of
//! three of those numbers up to the rounding of `f64`. Boxes that an axis separates are apart;
//! boxes that no axis separates overlap, up to about 1e-12 of their size.

pub use glam::Vec3;

use glam::DVec3;

use super::Aabb;
use crate::math::{max, min, sin_cos};

/// Wider by this share than computed, so that rounding in `f32` loses no hit.
const ROUND_UP: f32 = 1.0 + 16.0 * f32::EPSILON;

/// Tolerance of a separation of two projections, as a share of the lengths that were multiplied: a
/// hundred times the rounding of an `f64`.
const ROUNDING: f64 = 100.0 * f64::EPSILON;

/// A ball: all points within `radius` of `center`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// The centre.
    pub center: Vec3,
    /// The radius. A negative one contains nothing.
    pub radius: f32,
}

impl Sphere {
    /// Around `center`.
    #[must_use]
    pub fn new(center: impl Into<Vec3>, radius: f32) -> Sphere {
        Sphere { center: center.into(), radius }
    }

    /// Whether the two have a point in common. Touching counts.
    #[must_use]
    pub fn overlaps(&self, other: &Sphere) -> bool {
        let reach = f64::from(self.radius) + f64::from(other.radius);
        let between = other.center.as_dvec3() - self.center.as_dvec3();
        self.radius >= 0.0 && other.radius >= 0.0 && between.length_squared() <= reach * reach
    }

    /// Whether it has a point in common with a box. Touching counts.
    #[must_use]
    pub fn overlaps_aabb(&self, aabb: &Aabb3) -> bool {
        let center = self.center.as_dvec3();
        let past = past_sides(center - aabb.min.as_dvec3(), center - aabb.max.as_dvec3());
        let radius = f64::from(self.radius);
        radius >= 0.0 && aabb.is_valid() && past.length_squared() <= radius * radius
    }
}

/// How far a point is past the lower or the upper sides of a box, by its place relative to both;
/// NaN stays NaN.
fn past_sides(from_min: DVec3, from_max: DVec3) -> DVec3 {
    let past = |low: f64, high: f64| match (low < 0.0, low >= 0.0 && high <= 0.0) {
        (true, _) => low,
        (_, true) => 0.0,
        _ => high,
    };
    DVec3::new(past(from_min.x, from_max.x), past(from_min.y, from_max.y), past(from_min.z, from_max.z))
}

/// An axis-aligned box in space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb3 {
    /// The corner with the least coordinates.
    pub min: Vec3,
    /// The corner with the greatest coordinates.
    pub max: Vec3,
}

impl Aabb3 {
    /// The box between two opposite corners, given in any order.
    #[must_use]
    pub fn new(corner: impl Into<Vec3>, opposite: impl Into<Vec3>) -> Aabb3 {
        let (a, b) = (corner.into(), opposite.into());
        Aabb3 { min: by_axis(min, a, b), max: by_axis(max, a, b) }
    }

    /// The box over a box of the plane, from `low` to `high` along z.
    ///
    /// ```
    /// use carom::bounds::{Aabb, three::Aabb3};
    ///
    /// let house = Aabb3::above(Aabb::new([0.0, 0.0], [8.0, 6.0]), 0.0, 5.0);
    /// assert_eq!((house.max.y, house.max.z), (6.0, 5.0));
    /// ```
    #[must_use]
    pub fn above(ground: Aabb, low: f32, high: f32) -> Aabb3 {
        Aabb3 { min: ground.min.extend(low), max: ground.max.extend(high) }
    }

    /// Whether the two have a point in common. Touching counts.
    #[must_use]
    pub fn overlaps(&self, other: &Aabb3) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Aabb3) -> Aabb3 {
        Aabb3 { min: by_axis(min, self.min, other.min), max: by_axis(max, self.max, other.max) }
    }

    /// Its middle.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Its extents along x, y and z.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Whether no corner is NaN and `min` is not beyond `max`.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.min.cmple(self.max).all()
    }
}

fn by_axis(of: fn(f32, f32) -> f32, a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(of(a.x, b.x), of(a.y, b.y), of(a.z, b.z))
}

/// A box in space with axes of its own.
///
/// Its numbers should be finite. With NaN for a centre or size it overlaps nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb3 {
    center: Vec3,
    half: Vec3,
    /// Unit vectors, perpendicular up to the rounding of `f32`, right-handed.
    axes: [Vec3; 3],
    /// Radius of the sphere around its centre that contains it, rounded up.
    reach: f32,
}

impl Obb3 {
    /// A box of full size `size` around `center`, not turned. A size may be 0: a plate, a stick, a
    /// point. The sign of a size does not matter.
    #[must_use]
    pub fn new(center: impl Into<Vec3>, size: impl Into<Vec3>) -> Obb3 {
        let half = size.into().abs() * 0.5;
        let reach = half.as_dvec3().length() as f32 * ROUND_UP;
        Obb3 { center: center.into(), half, axes: [Vec3::X, Vec3::Y, Vec3::Z], reach }
    }

    /// Turned further about its centre by `angle` radians, counter-clockwise when `axis` points at
    /// the viewer. An axis without direction, and numbers that are not finite, leave it as it is.
    ///
    /// ```
    /// use carom::bounds::three::{Obb3, Vec3};
    ///
    /// let quarter = Obb3::new([0.0; 3], [2.0, 1.0, 1.0]).turned(Vec3::Z, core::f32::consts::FRAC_PI_2);
    /// assert!((quarter.axes()[0] - Vec3::Y).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn turned(self, axis: impl Into<Vec3>, angle: f32) -> Obb3 {
        let (sin, cos) = sin_cos(0.5 * angle);
        let axis = axis.into().as_dvec3();
        let axis = axis / axis.length() * f64::from(sin);
        if axis.is_finite() { self.turned_by([axis.x, axis.y, axis.z, f64::from(cos)]) } else { self }
    }

    /// Turned further about its centre by a quaternion (x, y, z, w), such as glam's
    /// `Quat::to_array` gives. It need not have length 1; one without direction, and numbers that
    /// are not finite, leave the box as it is.
    #[must_use]
    pub fn rotated(self, quaternion: [f32; 4]) -> Obb3 {
        self.turned_by(quaternion.map(f64::from))
    }

    /// v' = v + 2 w (q × v) + 2 q × (q × v) for each axis v, with the vector q and the number w of
    /// a unit quaternion; divided by the square of its length for any other.
    fn turned_by(self, [x, y, z, w]: [f64; 4]) -> Obb3 {
        let q = DVec3::new(x, y, z);
        let twice = 2.0 / (q.length_squared() + w * w);
        let turn = |v: Vec3| {
            let v = v.as_dvec3();
            v + (q.cross(v) * w + q.cross(q.cross(v))) * twice
        };
        let turned = [turn(self.axes[0]), turn(self.axes[1])];
        // Rounding of many turns does not add up: axes are made perpendicular again each time.
        let first = turned[0] / turned[0].length();
        let second = turned[1] - first * first.dot(turned[1]);
        let second = second / second.length();
        let axes = [first, second, first.cross(second)].map(|axis| axis.as_vec3());
        if axes.iter().all(|axis| axis.is_finite()) { Obb3 { axes, ..self } } else { self }
    }

    /// Moved by a vector.
    #[must_use]
    pub fn moved(self, by: impl Into<Vec3>) -> Obb3 {
        Obb3 { center: self.center + by.into(), ..self }
    }

    /// The middle.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// The full size along each of its axes.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.half * 2.0
    }

    /// Its axes: unit vectors, each perpendicular to the others up to rounding.
    #[must_use]
    pub fn axes(&self) -> [Vec3; 3] {
        self.axes
    }

    /// Its eight corners. Bit k of a corner's number says on which side it is along axis k.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        let arms = self.arms();
        core::array::from_fn(|corner| {
            let side = |axis: usize| if corner >> axis & 1 == 1 { arms[axis] } else { -arms[axis] };
            (self.center.as_dvec3() + side(0) + side(1) + side(2)).as_vec3()
        })
    }

    /// The smallest sphere around it, rounded up.
    #[must_use]
    pub fn bounding_sphere(&self) -> Sphere {
        Sphere { center: self.center, radius: self.reach }
    }

    /// The axis-aligned box around it, rounded up.
    #[must_use]
    pub fn aabb(&self) -> Aabb3 {
        let [x, y, z] = self.arms();
        let half = (x.abs() + y.abs() + z.abs()).as_vec3();
        // Coordinates far from the origin round by their own size.
        let half = half * ROUND_UP + self.center.abs() * (2.0 * f32::EPSILON);
        Aabb3 { min: self.center - half, max: self.center + half }
    }

    /// Whether it has a point in common with a sphere. Touching counts.
    #[must_use]
    pub fn overlaps_sphere(&self, sphere: &Sphere) -> bool {
        if !self.bounding_sphere().overlaps(sphere) {
            return false;
        }
        let to_center = sphere.center.as_dvec3() - self.center.as_dvec3();
        let [x, y, z] = self.axes.map(|axis| axis.as_dvec3().dot(to_center));
        let (local, half) = (DVec3::new(x, y, z), self.half.as_dvec3());
        let radius = f64::from(sphere.radius);
        past_sides(local + half, local - half).length_squared() <= radius * radius
    }

    /// Whether it has a point in common with an axis-aligned box. Touching counts.
    #[must_use]
    pub fn overlaps_aabb(&self, aabb: &Aabb3) -> bool {
        // The middle of two `f32` may not be one: a box of exactly these corners is made in `f64`.
        let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
        let (center, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let to_aabb = center - self.center.as_dvec3();
        let reach = half.length() * (1.0 + ROUNDING) + f64::from(self.reach);
        aabb.is_valid()
            && to_aabb.length_squared() <= reach * reach
            && !apart(&self.spans(), &Spans::new([DVec3::X, DVec3::Y, DVec3::Z], half), to_aabb)
    }

    /// Whether the two have a point in common: bounding spheres first, then 15 axes. Touching
    /// counts.
    #[must_use]
    pub fn overlaps(&self, other: &Obb3) -> bool {
        self.bounding_sphere().overlaps(&other.bounding_sphere())
            && !apart(&self.spans(), &other.spans(), other.center.as_dvec3() - self.center.as_dvec3())
    }

    /// From the centre to the middle of each positive face.
    fn arms(&self) -> [DVec3; 3] {
        let half = self.half.as_dvec3();
        let [x, y, z] = self.axes.map(|axis| axis.as_dvec3());
        [x * half.x, y * half.y, z * half.z]
    }

    fn spans(&self) -> Spans {
        Spans::new(self.axes.map(|axis| axis.as_dvec3()), self.half.as_dvec3())
    }
}

/// A box around the origin, for the axes: axes a0 a1 a2, half sizes, and the normals
/// n0 = a1 × a2, n1 = a2 × a0, n2 = a0 × a1 of its faces.
struct Spans {
    axes: [DVec3; 3],
    normals: [DVec3; 3],
    half: [f64; 3],
    /// Sum of the half sizes: no projection on a unit vector is longer.
    sum: f64,
}

impl Spans {
    fn new(axes: [DVec3; 3], half: DVec3) -> Spans {
        let [x, y, z] = axes;
        let normals = [y.cross(z), z.cross(x), x.cross(y)];
        Spans { axes, normals, half: half.to_array(), sum: half.x + half.y + half.z }
    }
}

/// Whether `b`, whose centre is `between` away from that of `a`, is apart from it along one of 15
/// axes.
///
/// ```text
///   P[i][j] = n_i(a) · a_j(b)      Q[i][j] = a_i(a) · n_j(b)       t = between
///
///   normal i of a:  |t · n_i(a)| > half_i(a) |a_i(a) · n_i(a)| + Σ_j half_j(b) |P[i][j]|
///   normal j of b:  the same with a and b exchanged, and Q
///   edges i, j:     L = a_i(a) × a_j(b);   t · L = (t × a_i(a)) · a_j(b)
///                   a_k(a) · L = (a_k × a_i)(a) · a_j(b) = ± P[m][j],  k ≠ i, m the third of both
///                   a_k(b) · L = a_i(a) · (a_j × a_k)(b) = ± Q[i][m],  k ≠ j, m the third of both
/// ```
fn apart(a: &Spans, b: &Spans, t: DVec3) -> bool {
    let p: [[f64; 3]; 3] = core::array::from_fn(|i| b.axes.map(|axis| a.normals[i].dot(axis).abs()));
    let q: [[f64; 3]; 3] = core::array::from_fn(|i| b.normals.map(|normal| a.axes[i].dot(normal).abs()));
    // No product of `t` with these axes of length 1 or less has more rounding than this.
    let slack = ROUNDING * (a.sum + b.sum);
    for (i, p) in p.iter().enumerate() {
        let reach_a = a.half[i] * a.axes[i].dot(a.normals[i]).abs();
        let reach_b = b.half[0] * p[0] + b.half[1] * p[1] + b.half[2] * p[2];
        if t.dot(a.normals[i]).abs() > reach_a + reach_b + slack {
            return true;
        }
    }
    for (j, normal) in b.normals.iter().enumerate() {
        let reach_b = b.half[j] * b.axes[j].dot(*normal).abs();
        let reach_a = a.half[0] * q[0][j] + a.half[1] * q[1][j] + a.half[2] * q[2][j];
        if t.dot(*normal).abs() > reach_a + reach_b + slack {
            return true;
        }
    }
    const OTHERS: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];
    for (i, (k, l)) in OTHERS.into_iter().enumerate() {
        let crossed = t.cross(a.axes[i]);
        for (j, (m, n)) in OTHERS.into_iter().enumerate() {
            let reach_a = a.half[k] * p[l][j] + a.half[l] * p[k][j];
            let reach_b = b.half[m] * q[i][n] + b.half[n] * q[i][m];
            if crossed.dot(b.axes[j]).abs() > reach_a + reach_b + slack {
                return true;
            }
        }
    }
    false
}
