//! Boxes and spheres in three dimensions.
//!
//! The oracle is `f64` and knows no axes: faces of one box are clipped by the other, and what is
//! left of any is a common point. It is asked of the box as it is, a little grown and a little
//! shrunk; where these differ, the pair nearly touches and is counted, not compared.

use carom::bounds::Aabb;
use carom::bounds::three::{Aabb3, Obb3, Sphere, Vec3};
use glam::DVec3;

use testkit::random::Random;
use testkit::{long_rounds, rounds};

/// Half of the band around touching that is left out, as a share of the size.
const BAND: f64 = 1.0e-6;

/// A box in `f64`: its centre and the ways to its faces.
#[derive(Clone, Copy)]
struct Wide {
    center: DVec3,
    axes: [DVec3; 3],
    half: [f64; 3],
}

impl Wide {
    fn of(obb: &Obb3) -> Wide {
        let half = obb.size().as_dvec3() * 0.5;
        Wide {
            center: obb.center().as_dvec3(),
            axes: obb.axes().map(|a| a.as_dvec3().normalize()),
            half: half.to_array(),
        }
    }

    fn of_aabb(aabb: &Aabb3) -> Wide {
        let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        Wide { center: (low + high) * 0.5, axes, half: ((high - low) * 0.5).to_array() }
    }

    fn grown(self, by: f64) -> Wide {
        Wide { half: self.half.map(|half| half + by), ..self }
    }

    fn size(&self) -> f64 {
        self.half.iter().sum()
    }

    fn contains(&self, p: DVec3) -> bool {
        (0..3).all(|k| (p - self.center).dot(self.axes[k]).abs() <= self.half[k])
    }

    /// The corners of face `k` (axis k / 2, lower or upper), in order.
    fn face(&self, k: usize) -> Vec<DVec3> {
        let (axis, side) = (k / 2, if k.is_multiple_of(2) { -1.0 } else { 1.0 });
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let middle = self.center + self.axes[axis] * (self.half[axis] * side);
        let (u, v) = (self.axes[u] * self.half[u], self.axes[v] * self.half[v]);
        vec![middle - u - v, middle + u - v, middle + u + v, middle - u + v]
    }

    /// What is left of a face of another box within this one (Sutherland and Hodgman).
    fn clip(&self, mut face: Vec<DVec3>) -> Vec<DVec3> {
        for k in 0..6 {
            let normal = if k % 2 == 0 { -self.axes[k / 2] } else { self.axes[k / 2] };
            let past = |p: DVec3| (p - self.center).dot(normal) - self.half[k / 2];
            let mut left = Vec::new();
            for (i, &p) in face.iter().enumerate() {
                let q = face[(i + 1) % face.len()];
                let (at_p, at_q) = (past(p), past(q));
                if at_p <= 0.0 {
                    left.push(p);
                }
                if (at_p < 0.0 && at_q > 0.0) || (at_p > 0.0 && at_q < 0.0) {
                    left.push(p + (q - p) * (at_p / (at_p - at_q)));
                }
            }
            face = left;
        }
        face
    }

    /// A box of no thickness is none: its half sizes are to be positive.
    fn overlaps(&self, other: &Wide) -> bool {
        let some = self.half.iter().chain(&other.half).all(|&half| half >= 0.0);
        some && (self.contains(other.center)
            || other.contains(self.center)
            || (0..6).any(|k| !other.clip(self.face(k)).is_empty())
            || other.face(0).iter().chain(&other.face(1)).any(|&p| self.contains(p)))
    }

    fn distance(&self, p: DVec3) -> f64 {
        let past = |k: usize| ((p - self.center).dot(self.axes[k]).abs() - self.half[k]).max(0.0);
        DVec3::new(past(0), past(1), past(2)).length()
    }
}

fn point(random: &mut Random, reach: f64) -> Vec3 {
    let mut next = || random.range(-reach, reach) as f32;
    Vec3::new(next(), next(), next())
}

fn sizes(random: &mut Random) -> Vec3 {
    let mut next = || random.log_range(1.0e-2, 4.0) as f32;
    Vec3::new(next(), next(), next())
}

/// A box among others: turned at random, by eighths of a turn about axes, by a hair, or not at all.
/// Eighths and hairs give edges that are parallel and nearly so.
fn turned(random: &mut Random, obb: Obb3) -> Obb3 {
    let axis = [Vec3::X, Vec3::Y, Vec3::Z][random.below(3)];
    match random.below(5) {
        0 => obb,
        1 => obb.turned(axis, random.below(8) as f32 * core::f32::consts::FRAC_PI_4),
        2 => obb.turned(axis, random.log_range(1.0e-9, 1.0e-2) as f32),
        _ => obb.rotated(core::array::from_fn(|_| random.range(-1.0, 1.0) as f32)),
    }
}

/// Two boxes, apart and overlapping about equally often. The second may begin where the first
/// stands, so that their axes are equal to the bit, or differ by a hair.
fn pair(random: &mut Random) -> (Obb3, Obb3) {
    let size = sizes(random);
    let a = Obb3::new(point(random, 2.0), size);
    let a = turned(random, a);
    let reach = 0.5 * f64::from(size.length());
    let size = sizes(random);
    let b = if random.below(3) == 0 {
        let moved = a.moved(point(random, reach));
        let b = Obb3::new(moved.center(), size);
        // The same turn: the axes of `a` as a quaternion's matrix are reached from its own.
        if random.below(2) == 0 { like(b, &a) } else { turned(random, like(b, &a)) }
    } else {
        let b = Obb3::new(a.center() + point(random, reach), size);
        turned(random, b)
    };
    (a, b)
}

/// `of` turned as `obb` is, by the quaternion of its axes.
fn like(of: Obb3, obb: &Obb3) -> Obb3 {
    let [x, y, z] = obb.axes();
    of.rotated(glam::Quat::from_mat3(&glam::Mat3::from_cols(x, y, z)).to_array())
}

/// Compares `rounds` pairs: how many overlapped, and how many nearly touched.
fn compare(seed: u64, mut pair: impl FnMut(&mut Random) -> (Wide, Wide, bool)) -> (usize, usize, usize) {
    let (mut random, all) = (Random::new(seed), long_rounds(20_000, 300_000, 1_000_000));
    let (mut yes, mut near) = (0, 0);
    for round in 0..all {
        let (a, b, answer) = pair(&mut random);
        let band = BAND * (a.size() + b.size());
        let (grown, shrunk) = (a.grown(band).overlaps(&b), a.grown(-band).overlaps(&b));
        if grown == shrunk {
            assert_eq!(answer, grown, "round {round} of seed {seed}");
            yes += usize::from(grown);
        } else {
            near += 1;
        }
    }
    println!("{all} pairs: {yes} overlap, {near} nearly touch");
    (all, yes, near)
}

/// A million pairs; at most one in 10,000 may nearly touch.
#[test]
fn oriented_boxes_overlap_where_clipping_finds_a_common_point() {
    let (all, yes, near) = compare(1, |random| {
        let (a, b) = pair(random);
        assert_eq!(a.overlaps(&b), b.overlaps(&a));
        (Wide::of(&a), Wide::of(&b), a.overlaps(&b))
    });
    assert!(yes > all / 4 && yes < all * 3 / 4 && near <= all / 10_000, "{yes} {near}");
}

#[test]
fn oriented_boxes_overlap_axis_aligned_ones_where_clipping_does() {
    let (all, yes, near) = compare(2, |random| {
        let (a, b) = pair(random);
        let half = b.size() * 0.5;
        let aabb = Aabb3::new(b.center() - half, b.center() + half);
        (Wide::of(&a), Wide::of_aabb(&aabb), a.overlaps_aabb(&aabb))
    });
    assert!(yes > all / 4 && yes < all * 3 / 4 && near <= all / 10_000, "{yes} {near}");
}

#[test]
fn spheres_and_boxes_agree_with_distances() {
    let (mut random, all) = (Random::new(3), long_rounds(20_000, 300_000, 1_000_000));
    let (mut yes, mut near) = (0, 0);
    for _ in 0..all {
        let (obb, other) = pair(&mut random);
        let sphere = Sphere::new(other.center(), random.log_range(1.0e-2, 2.0) as f32);
        let half = obb.size() * 0.5;
        let aabb = Aabb3::new(obb.center() - half, obb.center() + half);
        for (wide, answer) in [
            (Wide::of(&obb), obb.overlaps_sphere(&sphere)),
            (Wide::of_aabb(&aabb), sphere.overlaps_aabb(&aabb)),
            (Wide { half: [0.0; 3], ..Wide::of(&obb) }, sphere.overlaps(&Sphere::new(obb.center(), 0.0))),
        ] {
            let gap = wide.distance(sphere.center.as_dvec3()) - f64::from(sphere.radius);
            if gap.abs() < BAND * (wide.size() + f64::from(sphere.radius)) {
                near += 1;
            } else {
                assert_eq!(answer, gap < 0.0, "{obb:?} {sphere:?}");
                yes += usize::from(answer);
            }
        }
    }
    println!("{all} spheres: {yes} overlap, {near} nearly touch");
    assert!(yes > all / 2 && near <= all / 10_000, "{yes} {near}");
}

/// Two sticks of 2 m, crossed or side by side or a hair from it, 1 mm nearer or farther than their
/// thickness. Edges are parallel to the bit, or so nearly that their cross product is rounding.
#[test]
fn parallel_edges_part_nothing_that_overlaps() {
    for tilt in [0.0, 1.0e-12, 1.0e-9, 1.0e-8, 1.0e-7, 3.0e-7, 1.0e-6, 1.0e-5, 1.0e-4] {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 2.0, -1.0)] {
            for base in [0.0, 0.3, 1.0, 2.5] {
                let stick = Obb3::new([5.0, -3.0, 2.0], [0.1, 0.1, 2.0]).turned([1.0, -1.0, 0.5], base);
                let [x, _, z] = stick.axes();
                for (away, expected) in [(0.099, true), (0.1015, false)] {
                    // Along the stick too: that they pass each other lengthwise parts nothing.
                    let other = stick.moved(x * away + z * 0.7).turned(axis, tilt);
                    assert_eq!(stick.overlaps(&other), expected, "{tilt} about {axis}, {away}");
                    assert_eq!(other.overlaps(&stick), expected);
                }
            }
        }
    }
}

/// Only the cross product of two edges parts crossed sticks that are turned by 45° each: the six
/// normals of their faces all find an overlap.
#[test]
fn crossed_edges_need_their_cross_product() {
    let eighth = core::f32::consts::FRAC_PI_4;
    let along_x = Obb3::new([0.0; 3], [4.0, 1.0, 1.0]).turned(Vec3::X, eighth);
    let along_y = Obb3::new([0.0; 3], [1.0, 4.0, 1.0]).turned(Vec3::Y, eighth);
    // Edge to edge, each is half a diagonal high: √2 between the centres.
    assert!(along_x.overlaps(&along_y.moved([0.0, 0.0, 1.4140])));
    assert!(!along_x.overlaps(&along_y.moved([0.0, 0.0, 1.4144])));
    assert!(along_x.bounding_sphere().overlaps(&along_y.bounding_sphere()));
}

#[test]
fn touching_is_overlap_and_flat_boxes_are_boxes() {
    let cube = Obb3::new([0.0; 3], [2.0; 3]);
    assert!(cube.overlaps(&cube.moved([2.0, 0.0, 0.0])) && cube.overlaps(&cube.moved([2.0; 3])));
    assert!(!cube.overlaps(&cube.moved([2.000001, 0.0, 0.0])));
    let aabb = Aabb3::new([1.0, 1.0, 1.0], [3.0, 2.0, 2.0]);
    assert!(cube.overlaps_aabb(&aabb) && cube.aabb().overlaps(&aabb));
    assert!(Sphere::new([2.0, 0.0, 0.0], 1.0).overlaps(&Sphere::new([0.0; 3], 1.0)));
    assert!(cube.overlaps_sphere(&Sphere::new([3.0, 0.0, 0.0], 2.0)));
    let plate = Obb3::new([0.0, 0.0, 1.0], [4.0, 4.0, 0.0]);
    let (stick, point) = (Obb3::new([0.0; 3], [0.0, 0.0, 2.0]), Obb3::new([1.0, 1.0, 1.0], [0.0; 3]));
    assert!(plate.overlaps(&cube) && plate.overlaps(&stick) && plate.overlaps(&point));
    assert!(point.overlaps(&point) && !stick.overlaps(&point));
}

/// Corners lie in the sphere and in the box around them, and turning keeps them a box however
/// often.
#[test]
fn bounds_contain_the_corners_after_many_turns() {
    let mut random = Random::new(5);
    for _ in 0..rounds(200, 2_000) {
        let size = sizes(&mut random);
        let mut obb = Obb3::new(point(&mut random, 1000.0), size);
        for _ in 0..50 {
            obb = turned(&mut random, obb);
        }
        let [x, y, z] = obb.axes();
        assert!((x.cross(y) - z).length() < 1.0e-6 && x.dot(y).abs() < 1.0e-6);
        for corner in obb.corners() {
            assert!(obb.aabb().overlaps(&Aabb3::new(corner, corner)), "{obb:?}");
            assert!(obb.bounding_sphere().overlaps(&Sphere::new(corner, 4.0e-4)));
        }
    }
}

/// Numbers that are none overlap nothing and panic nowhere.
#[test]
fn numbers_that_are_not_finite_overlap_nothing() {
    let cube = Obb3::new([0.0; 3], [2.0; 3]);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert!(!cube.overlaps(&cube.moved([bad, 0.0, 0.0])));
        assert!(!cube.overlaps_sphere(&Sphere::new([0.0, bad, 0.0], 1.0)));
        assert!(!Sphere::new([bad, 0.0, 0.0], 1.0).overlaps_aabb(&cube.aabb()));
        assert_eq!(cube.turned(Vec3::X, bad), cube);
        assert_eq!(cube.turned([bad, 0.0, 0.0], 1.0), cube);
        assert_eq!(cube.rotated([bad, 0.0, 0.0, 1.0]), cube);
    }
    assert!(!cube.overlaps(&Obb3::new([0.0; 3], [1.0, f32::NAN, 1.0])));
    assert!(!cube.overlaps_aabb(&Aabb3 { min: Vec3::NAN, max: Vec3::ONE }));
    assert!(!cube.overlaps_aabb(&Aabb3 { min: Vec3::ONE, max: Vec3::ZERO }));
    assert!(!Sphere::new([0.0; 3], -1.0).overlaps(&Sphere::new([0.0; 3], 2.0)));
    assert_eq!((cube.turned(Vec3::ZERO, 1.0), cube.rotated([0.0; 4])), (cube, cube));
    let house = Aabb3::above(Aabb::new([0.0, 0.0], [1.0, 2.0]), 3.0, 4.0);
    assert_eq!((house.center(), house.size()), (Vec3::new(0.5, 1.0, 3.5), Vec3::new(1.0, 2.0, 1.0)));
    assert_eq!(house.union(&cube.aabb()).max, Vec3::new(1.0, 2.0, 4.0).max(cube.aabb().max));
}
