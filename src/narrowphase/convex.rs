//! The form in which pair tests see a convex piece: a core of one to eight corners, and a radius
//! around it.
//!
//! In: a piece and where it stands. Out: corners and normals in the frame of the test, x and y in
//! arrays of their own, so that a loop over eight corners is a handful of vector instructions.
//!
//! ```text
//!   count 1: a point    (circle)            count 3 to 8: a polygon (box, polygon)
//!   count 2: a segment  (segment, capsule)  radius: all points within it of the core belong to the
//!                                           shape
//! ```
//!
//! A segment has two edges, one a side, with opposite normals, so that the loops over edges need no
//! case for it. Corners beyond `count` repeat the last one: the minimum over a block is the minimum
//! over its corners.

use glam::Vec2;

use crate::math::{Transform, max, min, right_of, unit_or_zero};
use crate::shape::{Capsule, ChainSegment, Circle, HalfPlane, Obb, Polygon, Segment};
use crate::tuning::MAX_POLYGON_VERTICES;

const CORNERS: usize = MAX_POLYGON_VERTICES;

/// Corners of one block. Shapes of up to four corners, the most frequent in games, use the first
/// block alone.
pub(crate) const BLOCK: usize = 4;

/// Most blocks of a core.
pub(super) const CORE_BLOCKS: usize = CORNERS / BLOCK;

/// One column of a block: the operand of one vector instruction.
pub(crate) type Row = [f32; BLOCK];

/// Points or directions, x and y apart.
type Columns = [[Row; 2]; CORE_BLOCKS];

const EMPTY_BLOCK: [Row; 2] = [[0.0; BLOCK]; 2];

/// A convex core and a radius.
#[derive(Clone, Copy)]
pub(crate) struct Convex {
    vertices: Columns,
    normals: Columns,
    count: usize,
    pub(crate) radius: f32,
}

impl Convex {
    /// Returns the core of a segment. A segment whose ends rounding makes equal, far from the
    /// origin of the frame, gets the normals of a horizontal segment, so that contacts have
    /// normals.
    #[inline(always)]
    fn from_segment(a: Vec2, b: Vec2, radius: f32) -> Convex {
        let along = unit_or_zero(b - a);
        let n = right_of(if along == Vec2::ZERO { Vec2::X } else { along });
        Convex {
            vertices: [columns([a, b, b, b]), EMPTY_BLOCK],
            normals: [columns([n, -n, -n, -n]), EMPTY_BLOCK],
            count: 2,
            radius,
        }
    }

    #[inline(always)]
    fn from_four(corners: [Vec2; 4], normals: [Vec2; 4], radius: f32) -> Convex {
        Convex {
            vertices: [columns(corners), EMPTY_BLOCK],
            normals: [columns(normals), EMPTY_BLOCK],
            count: 4,
            radius,
        }
    }

    /// Returns the square of side 2 `extent` below the middle of a half-plane's border. It stands
    /// in for the half-plane in tests that need corners, when no point of the other shape is
    /// farther away than `extent`.
    pub(crate) fn from_half_plane(plane: &HalfPlane, extent: f32) -> Convex {
        let along = plane.normal.perp();
        let (middle, side, deep) =
            (plane.normal * plane.offset, along * extent, plane.normal * (2.0 * extent));
        let corners = [middle + side, middle + side - deep, middle - side - deep, middle - side];
        Convex::from_four(corners, [along, -plane.normal, -along, plane.normal], 0.0)
    }

    /// The piece transformed by `by`.
    #[inline(always)]
    pub(crate) fn transformed(&self, by: Transform) -> Convex {
        let mut moved = Convex {
            vertices: [EMPTY_BLOCK; CORE_BLOCKS],
            normals: [EMPTY_BLOCK; CORE_BLOCKS],
            count: self.count,
            radius: self.radius,
        };
        let turn = Transform { position: Vec2::ZERO, rotation: by.rotation };
        for block in 0..self.blocks() {
            moved.vertices[block] = placed(&self.vertices[block], by);
            moved.normals[block] = placed(&self.normals[block], turn);
        }
        moved
    }

    /// How many blocks hold corners.
    #[inline(always)]
    pub(super) fn blocks(&self) -> usize {
        if self.count > BLOCK { 2 } else { 1 }
    }

    #[inline(always)]
    pub(crate) fn vertex(&self, i: usize) -> Vec2 {
        let block = &self.vertices[i / BLOCK];
        Vec2::new(block[0][i % BLOCK], block[1][i % BLOCK])
    }

    /// The outward normal of the edge from corner `i` to the next.
    #[inline(always)]
    pub(crate) fn normal(&self, i: usize) -> Vec2 {
        let block = &self.normals[i / BLOCK];
        Vec2::new(block[0][i % BLOCK], block[1][i % BLOCK])
    }

    #[inline]
    pub(crate) fn vertices(&self) -> impl Iterator<Item = Vec2> {
        (0..self.count).map(|i| self.vertex(i))
    }

    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The number of the corner after corner `i`.
    #[inline]
    pub(crate) fn next(&self, i: usize) -> usize {
        if i + 1 < self.count { i + 1 } else { 0 }
    }

    /// The number of the corner before corner `i`.
    #[inline]
    pub(crate) fn previous(&self, i: usize) -> usize {
        if i > 0 { i - 1 } else { self.count - 1 }
    }

    /// Both ends of edge `i`.
    #[inline]
    pub(crate) fn edge(&self, i: usize) -> (Vec2, Vec2) {
        (self.vertex(i), self.vertex(self.next(i)))
    }

    /// For every edge, how far the lowest corner of `other` lies over it; unused places repeat the
    /// last edge.
    ///
    /// Edges in lanes, corners in the loop: a running minimum a lane, and nothing to sum up across
    /// lanes.
    #[inline(always)]
    pub(crate) fn edge_separations(&self, other: &Convex) -> [Row; CORE_BLOCKS] {
        let mut lowest = [[f32::INFINITY; BLOCK]; CORE_BLOCKS];
        for (block, lowest) in lowest.iter_mut().enumerate().take(self.blocks()) {
            let ([vx, vy], [nx, ny]) = (&self.vertices[block], &self.normals[block]);
            for j in 0..other.count {
                let w = other.vertex(j);
                for k in 0..BLOCK {
                    lowest[k] = min(lowest[k], (w.x - vx[k]) * nx[k] + (w.y - vy[k]) * ny[k]);
                }
            }
        }
        if self.count <= BLOCK {
            lowest[1] = lowest[0];
        }
        lowest
    }

    /// How far the lowest corner lies over the line through `v` with normal `n`.
    #[inline]
    pub(crate) fn lowest(&self, v: Vec2, n: Vec2) -> f32 {
        self.vertices().fold(f32::INFINITY, |least, w| min(least, (w - v).dot(n)))
    }

    /// The corner that lies lowest over the line through `v` with normal `n`.
    #[inline]
    pub(crate) fn support(&self, v: Vec2, n: Vec2) -> usize {
        let height = |k: usize| (self.vertex(k) - v).dot(n);
        let mut lowest = (0, height(0));
        for k in 1..self.count {
            let height = height(k);
            if height < lowest.1 {
                lowest = (k, height);
            }
        }
        lowest.0
    }

    /// Returns the greatest coordinate; the rounding of all coordinates is measured by it.
    #[inline(always)]
    pub(crate) fn extent(&self) -> f32 {
        let mut most = [0.0; BLOCK];
        for [x, y] in &self.vertices[..self.blocks()] {
            for k in 0..BLOCK {
                most[k] = max(most[k], max(x[k].abs(), y[k].abs()));
            }
        }
        max(max(most[0], most[2]), max(most[1], most[3]))
    }

    /// Distance of the farthest corner from the origin of the frame.
    pub(crate) fn reach(&self) -> f32 {
        self.vertices().fold(0.0, |most, v| max(most, v.length_squared())).sqrt()
    }
}

#[inline(always)]
fn columns(rows: [Vec2; BLOCK]) -> [Row; 2] {
    [rows.map(|row| row.x), rows.map(|row| row.y)]
}

#[inline(always)]
fn placed([x, y]: &[Row; 2], by: Transform) -> [Row; 2] {
    let (cos, sin, at) = (by.rotation.cos, by.rotation.sin, by.position);
    let mut moved = EMPTY_BLOCK;
    for k in 0..BLOCK {
        moved[0][k] = cos * x[k] - sin * y[k] + at.x;
        moved[1][k] = sin * x[k] + cos * y[k] + at.y;
    }
    moved
}

impl From<&Circle> for Convex {
    #[inline(always)]
    fn from(circle: &Circle) -> Convex {
        let vertices = [columns([circle.center; BLOCK]), EMPTY_BLOCK];
        Convex { vertices, normals: [[[0.0; BLOCK]; 2]; 2], count: 1, radius: circle.radius }
    }
}

impl From<&Capsule> for Convex {
    #[inline(always)]
    fn from(capsule: &Capsule) -> Convex {
        Convex::from_segment(capsule.a, capsule.b, capsule.radius)
    }
}

impl From<&Segment> for Convex {
    #[inline(always)]
    fn from(segment: &Segment) -> Convex {
        Convex::from_segment(segment.a, segment.b, 0.0)
    }
}

impl From<&ChainSegment> for Convex {
    #[inline(always)]
    fn from(segment: &ChainSegment) -> Convex {
        Convex::from_segment(segment.a, segment.b, 0.0)
    }
}

impl From<&Obb> for Convex {
    #[inline(always)]
    fn from(obb: &Obb) -> Convex {
        Convex::from_four(obb.corners(), obb.normals(), obb.radius)
    }
}

impl From<&Polygon> for Convex {
    #[inline(always)]
    fn from(polygon: &Polygon) -> Convex {
        let (vertices, normals, count) = polygon.rows();
        let blocks = |rows: &[Vec2; CORNERS]| {
            let [a, b, c, d, e, f, g, h] = *rows;
            [columns([a, b, c, d]), if count > BLOCK { columns([e, f, g, h]) } else { EMPTY_BLOCK }]
        };
        Convex { vertices: blocks(vertices), normals: blocks(normals), count, radius: polygon.radius }
    }
}
