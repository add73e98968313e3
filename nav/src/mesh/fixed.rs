//! Integer coordinates, and the two exact predicates of a triangulation: orientation and in-circle.
//!
//! A unit is 2^-16 m, 15 micrometres; coordinates stay below 2^29 (8 km from the mesh's origin).
//! So differences are below 2^30, an orientation fits in `i64` and an in-circle determinant in
//! `i128`.

use glam::Vec2;

/// Units in a metre.
pub(crate) const PER_METRE: f64 = 65_536.0;
/// Bound of coordinates.
pub(crate) const LIMIT: i32 = 1 << 29;

/// A place in units of 2^-16 m from a mesh's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl Point {
    pub(crate) const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// The nearest point to a place in metres; NaN counts as 0.
    pub(crate) fn of(at: Vec2) -> Point {
        let unit = |metres: f32| {
            let limit = f64::from(LIMIT - 1);
            (f64::from(metres) * PER_METRE).clamp(-limit, limit).round() as i32
        };
        Point::new(unit(at.x), unit(at.y))
    }

    pub(crate) fn metres(self) -> Vec2 {
        Vec2::new((f64::from(self.x) / PER_METRE) as f32, (f64::from(self.y) / PER_METRE) as f32)
    }

    pub(crate) fn place(self) -> Place {
        Place { x: f64::from(self.x), y: f64::from(self.y) }
    }

    /// The square of the distance, exact.
    #[inline(always)]
    pub(crate) fn square_to(self, to: Point) -> u64 {
        let (dx, dy) = (i64::from(to.x) - i64::from(self.x), i64::from(to.y) - i64::from(self.y));
        (dx * dx + dy * dy) as u64
    }
}

/// Twice the area of a triangle: above 0 if it runs counter-clockwise, 0 if it is flat.
#[inline(always)]
pub(crate) fn orient(a: Point, b: Point, c: Point) -> i64 {
    let (bx, by) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    let (cx, cy) = (i64::from(c.x) - i64::from(a.x), i64::from(c.y) - i64::from(a.y));
    bx * cy - by * cx
}

/// Whether c lies ahead of a, seen from a towards b.
#[inline(always)]
pub(crate) fn is_ahead(a: Point, b: Point, c: Point) -> bool {
    let (bx, by) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
    let (cx, cy) = (i64::from(c.x) - i64::from(a.x), i64::from(c.y) - i64::from(a.y));
    bx * cx + by * cy > 0
}

/// Whether d lies strictly inside the circle through a, b, c, which run counter-clockwise.
#[inline]
pub(crate) fn is_in_circle(a: Point, b: Point, c: Point, d: Point) -> bool {
    // The determinant | x y x^2+y^2 | of a, b, c seen from d. Differences are exact in f64;
    // `doubt` is Shewchuk's bound for the rounding below (Adaptive Precision, 1997).
    let from_d = |p: Point| (f64::from(p.x) - f64::from(d.x), f64::from(p.y) - f64::from(d.y));
    let ((ax, ay), (bx, by), (cx, cy)) = (from_d(a), from_d(b), from_d(c));
    let (a2, b2, c2) = (ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy);
    let (bc, cb) = (bx * cy, cx * by);
    let (ca, ac) = (cx * ay, ax * cy);
    let (ab, ba) = (ax * by, bx * ay);
    let det = a2 * (bc - cb) + b2 * (ca - ac) + c2 * (ab - ba);
    let sum = a2 * (bc.abs() + cb.abs()) + b2 * (ca.abs() + ac.abs()) + c2 * (ab.abs() + ba.abs());
    let doubt = 1.2e-15 * sum;
    if det > doubt {
        true
    } else if det < -doubt {
        false
    } else {
        is_in_circle_exactly(a, b, c, d)
    }
}

#[cold]
fn is_in_circle_exactly(a: Point, b: Point, c: Point, d: Point) -> bool {
    let from_d = |p: Point| (i64::from(p.x) - i64::from(d.x), i64::from(p.y) - i64::from(d.y));
    let ((ax, ay), (bx, by), (cx, cy)) = (from_d(a), from_d(b), from_d(c));
    let lift = |x: i64, y: i64| i128::from(x * x + y * y);
    let det = lift(ax, ay) * i128::from(bx * cy - cx * by)
        + lift(bx, by) * i128::from(cx * ay - ax * cy)
        + lift(cx, cy) * i128::from(ax * by - bx * ay);
    det > 0
}

/// A place or a direction in units, as floats: for measuring, not for decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Place {
    pub(crate) const fn new(x: f64, y: f64) -> Place {
        Place { x, y }
    }

    #[inline(always)]
    pub(crate) fn cross(self, to: Place) -> f64 {
        self.x * to.y - self.y * to.x
    }

    #[inline(always)]
    pub(crate) fn dot(self, to: Place) -> f64 {
        self.x * to.x + self.y * to.y
    }

    pub(crate) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The direction turned by a quarter counter-clockwise.
    #[inline(always)]
    pub(crate) fn left(self) -> Place {
        Place::new(-self.y, self.x)
    }

    pub(crate) fn nearest(self) -> Point {
        let limit = f64::from(LIMIT - 1);
        Point::new(self.x.clamp(-limit, limit).round() as i32, self.y.clamp(-limit, limit).round() as i32)
    }
}

impl core::ops::Add for Place {
    type Output = Place;
    #[inline(always)]
    fn add(self, to: Place) -> Place {
        Place::new(self.x + to.x, self.y + to.y)
    }
}

impl core::ops::Sub for Place {
    type Output = Place;
    #[inline(always)]
    fn sub(self, to: Place) -> Place {
        Place::new(self.x - to.x, self.y - to.y)
    }
}

impl core::ops::Mul<f64> for Place {
    type Output = Place;
    #[inline(always)]
    fn mul(self, by: f64) -> Place {
        Place::new(self.x * by, self.y * by)
    }
}
