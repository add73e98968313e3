//! A convex polygon of three to eight corners, optionally rounded.
//!
//! In: points from the user, checked or brought into shape by `hull.rs`. Out: corners, normals and
//! the discs that decide most overlaps, all formed once, here. Outlines with more corners are cut
//! into several polygons by `outline/`.

use bytemuck::{Pod, Zeroable};
use core::f32::consts::TAU;
use glam::Vec2;

use super::Discs;
use super::error::{ShapeError, check_coordinates, check_rounding, check_size};
use super::hull::{convex_hull, convex_outline, turn};
use super::mass::Mass;
use crate::bounds::{Aabb, BoundingCircle};
use crate::math::{Rot, Transform, max, min, right_of};
use crate::tuning::MAX_POLYGON_VERTICES;

/// Distance of a polygon from the origin, in multiples of its radius, up to which the rounding of
/// its corners hardly turns its normals: by a few millionths.
const NEAR_RADII: f32 = 32.0;

/// A convex polygon of three to eight corners, optionally rounded.
///
/// Corners run counter-clockwise; edge k goes from corner k to corner k + 1, and its normal points
/// outward. Corners beyond `count` repeat the last one, so that lanes may read all eight.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Polygon {
    vertices: [Vec2; MAX_POLYGON_VERTICES],
    normals: [Vec2; MAX_POLYGON_VERTICES],
    pub(crate) center: Vec2,
    pub(crate) radius: f32,
    /// Radii about the centre without the rounding: around all corners, and inside all edges.
    outer: f32,
    inner: f32,
    count: u32,
}

impl Polygon {
    /// The polygon with these corners, given in order, either way round.
    ///
    /// # Errors
    /// Numbers out of range, no area, not strictly convex, or more than eight corners.
    pub fn new(points: &[Vec2]) -> Result<Polygon, ShapeError> {
        Polygon::from_corners(&convex_outline(points)?)
    }

    /// The convex hull of any number of points in any order. Corners that stand out by less than
    /// the slop (1e-5 of the coordinates) are dropped, so points may stick out by that much.
    ///
    /// # Errors
    /// Numbers out of range, no area, or a hull with more than eight corners.
    pub fn hull(points: &[Vec2]) -> Result<Polygon, ShapeError> {
        Polygon::from_corners(&convex_hull(points)?)
    }

    /// A regular polygon of `count` corners at distance `radius` from the origin, the first on the
    /// x axis.
    ///
    /// # Errors
    /// A radius out of range, fewer than three or more than eight corners.
    pub fn regular(count: usize, radius: f32) -> Result<Polygon, ShapeError> {
        check_size(radius)?;
        match count {
            0..3 => return Err(ShapeError::Degenerate),
            3..=MAX_POLYGON_VERTICES => {}
            _ => return Err(ShapeError::TooManyVertices),
        }
        let step = TAU / count as f32;
        let corners: Vec<Vec2> =
            (0..count).map(|k| Rot::from_angle(k as f32 * step).x_axis() * radius).collect();
        Polygon::new(&corners)
    }

    /// The polygon with corners of `radius`: all points within `radius` of it.
    ///
    /// # Errors
    /// A radius that is neither zero nor a valid size.
    pub fn rounded(self, radius: f32) -> Result<Polygon, ShapeError> {
        check_rounding(radius)?;
        Ok(Polygon { radius, ..self })
    }

    /// From corners that are known to be strictly convex and counter-clockwise.
    pub(super) fn from_corners(corners: &[Vec2]) -> Result<Polygon, ShapeError> {
        let Some(&last) = corners.last() else { return Err(ShapeError::Degenerate) };
        if corners.len() > MAX_POLYGON_VERTICES {
            return Err(ShapeError::TooManyVertices);
        }
        let mut polygon = Polygon {
            vertices: [last; MAX_POLYGON_VERTICES],
            normals: [Vec2::ZERO; MAX_POLYGON_VERTICES],
            center: Mass::rounded_hull(corners, 0.0).center,
            radius: 0.0,
            outer: 0.0,
            inner: 0.0,
            count: corners.len() as u32,
        };
        polygon.vertices[..corners.len()].copy_from_slice(corners);
        for (i, &corner) in corners.iter().enumerate() {
            let next = corners[(i + 1) % corners.len()];
            polygon.normals[i] = right_of(edge_direction(corner, next));
        }
        let last_normal = polygon.normals[corners.len() - 1];
        polygon.normals[corners.len()..].fill(last_normal);
        polygon.outer = BoundingCircle::around(polygon.center, corners, 0.0).radius;
        let edges = corners.iter().zip(&polygon.normals);
        let depths = edges.map(|(&corner, &normal)| (corner - polygon.center).dot(normal));
        polygon.inner = depths.fold(polygon.outer, min) * (1.0 - 4.0 * f32::EPSILON);
        Ok(polygon)
    }

    /// The corners, counter-clockwise, without the rounding.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices[..(self.count as usize).clamp(1, MAX_POLYGON_VERTICES)]
    }

    /// The outward unit normals: number k belongs to the edge from corner k to corner k + 1.
    #[inline]
    #[must_use]
    pub fn normals(&self) -> &[Vec2] {
        &self.normals[..(self.count as usize).clamp(1, MAX_POLYGON_VERTICES)]
    }

    /// All eight rows of corners and normals, and how many of them count.
    #[inline]
    pub(crate) fn rows(&self) -> (&[Vec2; MAX_POLYGON_VERTICES], &[Vec2; MAX_POLYGON_VERTICES], usize) {
        (&self.vertices, &self.normals, self.vertices().len())
    }

    /// The circles around and inside it.
    #[inline(always)]
    pub(crate) fn discs(&self) -> Discs {
        Discs::new(self.center, self.outer, self.inner, self.radius)
    }

    /// Whether the corners still turn left everywhere, after a change of place that may have
    /// rounded them together.
    pub(crate) fn check_corners(&self) -> Result<(), ShapeError> {
        let corners = self.vertices();
        let corner = |i: usize| corners[i % corners.len()];
        let convex = (0..corners.len()).all(|i| turn(corner(i), corner(i + 1), corner(i + 2)) > 0.0);
        if convex { Ok(()) } else { Err(ShapeError::Degenerate) }
    }

    /// Whether normals, centre and circles fit the corners, up to the rounding of changes of place.
    pub(super) fn is_sound(&self) -> bool {
        let count = self.count as usize;
        if !(3..=MAX_POLYGON_VERTICES).contains(&count) || check_rounding(self.radius).is_err() {
            return false;
        }
        let (corners, center) = (self.vertices(), self.center);
        let last = |all: &[Vec2; MAX_POLYGON_VERTICES]| all[count..].iter().all(|&v| v == all[count - 1]);
        let known = corners.iter().chain([&center]).all(|p| check_coordinates(&p.to_array()).is_ok());
        if !known || !last(&self.vertices) || !last(&self.normals) || self.check_corners().is_err() {
            return false;
        }
        let faces = corners.iter().zip(self.normals()).enumerate().all(|(i, (&corner, normal))| {
            let wanted = right_of(edge_direction(corner, corners[(i + 1) % count]));
            // Contacts use it as a normal, whose length must be 1 within twice as much.
            normal.distance(wanted) < 1.0e-2 && (normal.length_squared() - 1.0).abs() < 5.0e-5
        });
        let far = corners.iter().map(|corner| corner.distance(center)).fold(0.0, max);
        let near = corners.iter().zip(self.normals()).map(|(&corner, n)| (corner - center).dot(*n));
        let slack = 1.0e-3 * (far + center.abs().max_element());
        let inner = near.fold(far, min);
        faces && (self.outer - far).abs() <= slack && (self.inner - inner).abs() <= slack
    }

    /// The centroid of the polygon without its rounding.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// The rounding radius, usually 0.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The sharp polygon of the same form, of `share` times the size about the same centre.
    pub(crate) fn scaled(&self, share: f32) -> Polygon {
        let vertices = self.vertices.map(|v| self.center + (v - self.center) * share);
        Polygon { vertices, radius: 0.0, outer: share * self.outer, inner: share * self.inner, ..*self }
    }

    /// The polygon, transformed by `by`.
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Polygon {
        let corners = self.vertices.map(|v| by.apply(v));
        // All other numbers are computed from the rounded corners: far out, normals that were only
        // turned would not fit these corners.
        let there = Polygon::from_corners(&corners[..self.vertices().len()]);
        there.map_or(*self, |there| Polygon { radius: self.radius, ..there })
    }

    /// The polygon, shifted by `by`.
    pub(crate) fn shifted(&self, by: Vec2) -> Polygon {
        let center = self.center + by;
        // Near the origin a shift hardly rounds the corners, and the normals still fit.
        if center.abs().max_element() > NEAR_RADII * self.outer {
            return self.transformed(Transform::at(by));
        }
        Polygon { vertices: self.vertices.map(|v| v + by), center, ..*self }
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        let (cos, sin) = (at.rotation.cos, at.rotation.sin);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        // A loop and not `map`, which is a call: this is done for every polygon in every step.
        for v in &self.vertices {
            let (x, y) = (cos * v.x - sin * v.y, sin * v.x + cos * v.y);
            low = Vec2::new(min(low.x, x), min(low.y, y));
            high = Vec2::new(max(high.x, x), max(high.y, y));
        }
        Aabb { min: at.position + low, max: at.position + high }.grown(self.radius)
    }

    pub(crate) fn unit_mass(&self) -> Mass {
        Mass::rounded_hull(self.vertices(), self.radius)
    }
}

/// The unit direction from `p` to `q`, rounded once: formed in `f64`, because short edges far from
/// the origin of the shape leave few digits, and a normal should not lose more of them.
fn edge_direction(p: Vec2, q: Vec2) -> Vec2 {
    let (x, y) = (f64::from(q.x) - f64::from(p.x), f64::from(q.y) - f64::from(p.y));
    let length = (x * x + y * y).sqrt();
    Vec2::new((x / length) as f32, (y / length) as f32)
}
