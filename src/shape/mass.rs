//! Area, centroid and rotational inertia of every shape, in closed form.
//!
//! In: corners and a rounding radius. Out: [`Mass`] for density 1; a world multiplies it by the
//! density. Sums are formed in `f64`: a triangle at (48.76, -60.57) with sides of 0.03 keeps only
//! three digits of its area in `f32`, and its inertia may come out negative.

use bytemuck::{Pod, Zeroable};
use core::f64::consts::PI;
use glam::{DVec2, Vec2};

use crate::math::{Rot, atan2};

/// Mass, centre of mass and rotational inertia about that centre.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mass {
    /// Mass in kilograms; with density 1 the area in square metres.
    pub mass: f32,
    /// Centre of mass in the frame of the shape.
    pub center: Vec2,
    /// Rotational inertia about the centre of mass, in kg m².
    pub inertia: f32,
}

impl Mass {
    /// The body with `density` times the mass.
    #[must_use]
    pub fn times(self, density: f32) -> Mass {
        Mass { mass: self.mass * density, center: self.center, inertia: self.inertia * density }
    }

    /// The mass of several bodies joined to one.
    #[must_use]
    pub fn sum(bodies: &[Mass]) -> Mass {
        let heaviest = bodies.iter().max_by(|a, b| a.mass.total_cmp(&b.mass));
        let Some(heaviest) = heaviest.filter(|body| body.mass > 0.0) else { return Mass::default() };
        // Positions are relative to the heaviest body, and a second pass sums the inertia about the
        // common centre: so no terms cancel, however far away a body is.
        let origin = wide(heaviest.center);
        let place = |body: &Mass| (f64::from(body.mass), wide(body.center) - origin);
        let mass: f64 = bodies.iter().map(|body| place(body).0).sum();
        let center = bodies.iter().map(place).map(|(m, c)| c * m).sum::<DVec2>() / mass;
        let about = |body: &Mass| {
            let (m, c) = place(body);
            f64::from(body.inertia) + m * c.distance_squared(center)
        };
        let inertia: f64 = bodies.iter().map(about).sum();
        Mass { mass: mass as f32, center: (origin + center).as_vec2(), inertia: inertia as f32 }
    }

    /// A disc: area π r², inertia ½ m r².
    pub(crate) fn disc(center: Vec2, radius: f32) -> Mass {
        let r = f64::from(radius);
        let area = PI * r * r;
        Mass { mass: area as f32, center, inertia: (0.5 * area * r * r) as f32 }
    }

    /// All points within `radius` of the convex polygon `corners` (counter-clockwise; two corners:
    /// a segment).
    ///
    /// ```text
    ///        .--------.         the polygon itself, as a fan of triangles,
    ///      /  +------+  \       a rectangle L × r outside every edge,
    ///     |   |      |   |      and at every corner a sector whose angle φ is the turn between
    ///      \  +------+  /       the normals of its two edges
    ///        '--------'
    /// ```
    ///
    /// Sector: area ½ φ r², centroid (4 r sin ½φ) / (3 φ) from its tip, second moment about the tip
    /// ¼ φ r⁴ (integrals of ρ, ρ² cos and ρ³ over the sector).
    pub(crate) fn rounded_hull(corners: &[Vec2], radius: f32) -> Mass {
        let origin = wide(corners[0]);
        let corner = |i: usize| wide(corners[i % corners.len()]) - origin;
        let mut sum = Moments::default();
        for i in 1..corners.len().saturating_sub(1) {
            sum.add_triangle(corner(i), corner(i + 1));
        }
        if radius > 0.0 {
            let r = f64::from(radius);
            for i in 0..corners.len() {
                let (p, q, next) = (corner(i), corner(i + 1), corner(i + 2));
                sum.add_border(p, q, r);
                sum.add_sector(q, outward(p, q), outward(q, next), r);
            }
        }
        sum.mass_about(origin)
    }
}

/// Running sums about the origin: mass, mass × position, and second moment.
#[derive(Default)]
struct Moments {
    mass: f64,
    first: DVec2,
    second: f64,
}

impl Moments {
    /// A body of mass `m` centred on `c`, whose inertia about its own centre is `inertia`.
    fn add(&mut self, m: f64, c: DVec2, inertia: f64) {
        self.mass += m;
        self.first += c * m;
        self.second += inertia + m * c.length_squared();
    }

    /// The triangle (0, p, q): area ½ p×q, centroid (p + q) / 3, second moment about 0: m (p·p +
    /// p·q + q·q) / 6.
    fn add_triangle(&mut self, p: DVec2, q: DVec2) {
        let m = 0.5 * p.perp_dot(q);
        self.mass += m;
        self.first += (p + q) * (m / 3.0);
        self.second += m * (p.dot(p) + p.dot(q) + q.dot(q)) / 6.0;
    }

    /// The rectangle of height `r` outside the edge from `p` to `q`.
    fn add_border(&mut self, p: DVec2, q: DVec2, r: f64) {
        let length = p.distance(q);
        let m = length * r;
        let center = (p + q) * 0.5 + outward(p, q) * (0.5 * r);
        self.add(m, center, m * (length * length + r * r) / 12.0);
    }

    /// The sector of radius `r` at `tip`, from normal `from` counter-clockwise to normal `to`.
    fn add_sector(&mut self, tip: DVec2, from: DVec2, to: DVec2, r: f64) {
        let angle = f64::from(atan2(from.perp_dot(to) as f32, from.dot(to) as f32)).abs();
        if angle < 1.0e-6 {
            return;
        }
        let half = Rot::from_angle((0.5 * angle) as f32);
        let (cos, sin) = (f64::from(half.cos), f64::from(half.sin));
        let middle = DVec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y);
        let m = 0.5 * angle * r * r;
        let reach = 4.0 * r * sin / (3.0 * angle);
        let about_tip = 0.25 * angle * r * r * r * r;
        self.add(m, tip + middle * reach, about_tip - m * reach * reach);
    }

    /// The body, whose sums were taken about `origin`.
    fn mass_about(&self, origin: DVec2) -> Mass {
        if self.mass <= 0.0 {
            return Mass::default();
        }
        let center = self.first / self.mass;
        let inertia = self.second - self.mass * center.length_squared();
        Mass { mass: self.mass as f32, center: (origin + center).as_vec2(), inertia: inertia as f32 }
    }
}

fn wide(v: Vec2) -> DVec2 {
    DVec2::new(f64::from(v.x), f64::from(v.y))
}

/// The unit normal to the right of the edge from `p` to `q`.
fn outward(p: DVec2, q: DVec2) -> DVec2 {
    let along = (q - p).normalize_or_zero();
    DVec2::new(along.y, -along.x)
}
