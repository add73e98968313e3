//! Stages in front of the separating axis test of two convex polygons, each on its own.
//!
//! In: polygons, taken apart once. Out: verdicts, stage by stage, so that a bench can put any of
//! them together. The crate offers its test only with its stages; the one here is the same loop
//! (edges in lanes, corners one after the other) over public accessors. The bench times
//! `carom::overlaps` beside it.
//!
//! ```text
//!   circles around    |c| > R_a + R_b: no         c     from centre A to centre B
//!   circles inside    |c| < r_a + r_b: yes        R, r  radii around all corners, inside all edges
//!   centre line       rho_a + rho_b >= |c|: yes   rho   from the centre to the border along c
//!   separating axes   the last word
//! ```
//!
//! The centre line without a division: for an edge at depth h with normal n let q = n / h. Then |c|
//! / rho = max q·c = g, and rho_a + rho_b >= |c| is 1 / g_a + 1 / g_b >= 1, or g_a + g_b >= g_a
//! g_b.

use super::pairs::{Batch, CaromPair, Kind};
use carom::{Polygon, Rot, Shape, Transform, Vec2};

/// A polygon of at most `N` corners, columns apart; rows beyond its count repeat the last one.
#[derive(Clone, Copy)]
pub(crate) struct Outline<const N: usize> {
    vertices: [[f32; N]; 2],
    normals: [[f32; N]; 2],
    /// Normals divided by the depth of their edge under the centre.
    reciprocal: [[f32; N]; 2],
    count: usize,
    center: Vec2,
    outer: f32,
    inner: f32,
}

/// Two polygons, and where they stand.
pub(crate) struct Two<'a, const N: usize> {
    a: &'a Outline<N>,
    xa: Transform,
    b: &'a Outline<N>,
    xb: Transform,
}

impl<const N: usize> Outline<N> {
    /// The shapes of a kind of polygons.
    pub(crate) fn all(kind: &Kind) -> Vec<Outline<N>> {
        let outline = |shape: &Shape| match shape {
            Shape::Polygon(polygon) => Outline::new(polygon),
            other => panic!("{other:?} is not a polygon"),
        };
        kind.shapes().iter().map(outline).collect()
    }

    fn new(polygon: &Polygon) -> Outline<N> {
        let (vertices, normals) = (polygon.vertices(), polygon.normals());
        let last = vertices.len() - 1;
        let columns = |row: &dyn Fn(usize) -> Vec2| {
            [std::array::from_fn(|k| row(k.min(last)).x), std::array::from_fn(|k| row(k.min(last)).y)]
        };
        let depth = |k: usize| (vertices[k] - polygon.center()).dot(normals[k]);
        let depths = (0..=last).map(depth);
        let reaches = vertices.iter().map(|v| v.distance(polygon.center()));
        Outline {
            vertices: columns(&|k| vertices[k]),
            normals: columns(&|k| normals[k]),
            reciprocal: columns(&|k| normals[k] / depth(k)),
            count: vertices.len(),
            center: polygon.center(),
            outer: reaches.fold(0.0, larger),
            inner: depths.fold(f32::INFINITY, smaller),
        }
    }

    fn placed(&self, at: Transform) -> Outline<N> {
        let mut moved = *self;
        moved.vertices = placed(&self.vertices, at);
        moved.normals = placed(&self.normals, Transform { position: Vec2::ZERO, ..at });
        moved
    }

    /// The greatest separation of `other` along an edge normal.
    fn separation(&self, other: &Outline<N>) -> f32 {
        let mut lowest = [f32::INFINITY; N];
        for j in 0..other.count {
            let (x, y) = (other.vertices[0][j], other.vertices[1][j]);
            for (k, lowest) in lowest.iter_mut().enumerate() {
                let along_x = (x - self.vertices[0][k]) * self.normals[0][k];
                *lowest = smaller(*lowest, along_x + (y - self.vertices[1][k]) * self.normals[1][k]);
            }
        }
        greatest(lowest)
    }

    /// How many times farther than the border `to` lies, seen from the centre; both turned by
    /// `rotation`.
    fn gauge(&self, rotation: Rot, to: Vec2) -> f32 {
        let to = rotation.inverse_rotate(to);
        greatest::<N>(std::array::from_fn(|k| self.reciprocal[0][k] * to.x + self.reciprocal[1][k] * to.y))
    }
}

impl<'a, const N: usize> Two<'a, N> {
    /// The pairs of a batch of two times the same kind, whose outlines are given.
    pub(crate) fn all(kind: &Kind, outlines: &'a [Outline<N>], batch: &Batch) -> Vec<Two<'a, N>> {
        let outline = |shape: &Shape| {
            let size = kind.shapes().iter().position(|candidate| std::ptr::eq(candidate, shape));
            &outlines[size.expect("the batch is made of this kind")]
        };
        let two = |pair: &CaromPair| Two { a: outline(pair.a), xa: pair.xa, b: outline(pair.b), xb: pair.xb };
        batch.carom.iter().map(two).collect()
    }

    /// From centre to centre.
    fn centers(&self) -> Vec2 {
        let turned = self.xb.rotation * self.b.center - self.xa.rotation * self.a.center;
        (self.xb.position - self.xa.position) + turned
    }

    /// The quick no.
    pub(crate) fn circles_apart(&self) -> bool {
        let reach = self.a.outer + self.b.outer;
        self.centers().length_squared() > reach * reach
    }

    /// The quick yes.
    pub(crate) fn inner_circles_meet(&self) -> bool {
        let reach = self.a.inner + self.b.inner;
        self.centers().length_squared() < reach * reach
    }

    /// The other quick yes.
    pub(crate) fn centre_line_meets(&self) -> bool {
        let to = self.centers();
        let (a, b) = (self.a.gauge(self.xa.rotation, to), self.b.gauge(self.xb.rotation, -to));
        a + b >= a * b
    }

    /// The last word, alone: the verdict of the axes.
    pub(crate) fn by_axes(&self) -> bool {
        let b = self.b.placed(self.xa.relative(self.xb));
        self.a.separation(&b) <= 0.0 && b.separation(self.a) <= 0.0
    }

    /// The same verdict with one stage before it,
    pub(crate) fn by_circles(&self) -> bool {
        !self.circles_apart() && self.by_axes()
    }

    /// with two,
    pub(crate) fn by_inner_circles(&self) -> bool {
        !self.circles_apart() && (self.inner_circles_meet() || self.by_axes())
    }

    /// and with three.
    pub(crate) fn by_centre_line(&self) -> bool {
        !self.circles_apart() && (self.inner_circles_meet() || self.centre_line_meets() || self.by_axes())
    }
}

fn placed<const N: usize>([x, y]: &[[f32; N]; 2], at: Transform) -> [[f32; N]; 2] {
    let (Rot { cos, sin }, by) = (at.rotation, at.position);
    [
        std::array::from_fn(|k| cos * x[k] - sin * y[k] + by.x),
        std::array::from_fn(|k| sin * x[k] + cos * y[k] + by.y),
    ]
}

fn greatest<const N: usize>(mut row: [f32; N]) -> f32 {
    let mut half = N / 2;
    while half > 0 {
        for k in 0..half {
            row[k] = larger(row[k], row[k + half]);
        }
        half /= 2;
    }
    row[0]
}

fn smaller(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
