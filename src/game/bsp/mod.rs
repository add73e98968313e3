//! A BSP of the walls of a fixed level: tests whether a point is solid, and finds the first hit of
//! a ray.
//!
//! In: closed outlines, as segments with a front. Out: a tree that knows no bodies and never
//! changes, built by `build.rs`. It stands beside a world, for queries that concern only the walls:
//! lines of sight, bullets, free places.
//!
//! A binary space partition (Fuchs, Kedem, Naylor 1980): each node is a line that splits its piece
//! of the plane, each leaf is free or solid. A ray visits leaves in the order of its way, so the
//! first solid leaf is the answer, and only walls on the way are tested.

mod build;

use core::fmt;

use glam::{DVec2, Vec2};

use crate::narrowphase::{Ray, RayHit};

/// The greatest depth of a tree: a thousand million walls well cut need 60.
const MAX_BSP_DEPTH: usize = 128;

/// The greatest difference of two crossings of a ray that count as equal, as a share of the ray.
const SAME_CROSSING: f64 = 1.0e-12;

/// Why a level was refused. Numbers count segments from 0, in the order given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BspError {
    /// A number of this segment is NaN, infinite, or beyond the largest coordinate.
    OutOfRange(usize),
    /// This segment is shorter than 1e-6 of the level's greatest coordinate.
    TooShort(usize),
    /// Outlines must be closed: at an end of this segment as many segments must begin as end.
    Open(usize),
    /// This segment is solid on its front, or free behind it: outlines cross or overlap, or one
    /// within another runs the same way round.
    Inconsistent(usize),
    /// Outlines cross so often that cutting them at each other does not end.
    TooEntangled,
}

impl fmt::Display for BspError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BspError::OutOfRange(k) => {
                write!(f, "segment {k}: every number must be finite and within the largest coordinate")
            }
            BspError::TooShort(k) => {
                write!(f, "segment {k} is too short: its ends must be apart by 1e-6 of the level's extent")
            }
            BspError::Open(k) => {
                write!(f, "segment {k}: outlines must be closed, so that each end is where another begins")
            }
            BspError::Inconsistent(k) => write!(
                f,
                "segment {k} must have free space on its right and solid on its left: outlines cross or overlap, or nest the same way round"
            ),
            BspError::TooEntangled => write!(f, "outlines cross too often: they must not cross at all"),
        }
    }
}

impl core::error::Error for BspError {}

/// The walls of a fixed level, as a tree for queries of points and rays.
///
/// Walls are outlines that run as everywhere in carom: counter-clockwise round a solid region,
/// clockwise round a hole or a room. A segment's front, the free side, is on its right.
///
/// ```
/// use carom::{Bsp, Ray, Vec2};
///
/// // A room of 10 m by 6 m in solid rock, and a pillar in it.
/// let room = [[0.0, 0.0], [0.0, 6.0], [10.0, 6.0], [10.0, 0.0]];
/// let pillar = [[4.0, 2.0], [6.0, 2.0], [6.0, 4.0], [4.0, 4.0]];
/// let level = Bsp::from_outlines(&[room, pillar])?;
///
/// assert!(level.is_solid([5.0, 3.0]) && level.is_solid([-1.0, 3.0]) && !level.is_solid([1.0, 3.0]));
/// let hit = level.ray(Ray::between([1.0, 3.0], [9.0, 3.0])).expect("the pillar stands in between");
/// assert_eq!((hit.point.x, hit.normal), (4.0, Vec2::NEG_X));
/// assert!(level.ray(Ray::between([1.0, 1.0], [9.0, 1.0])).is_none());
/// # Ok::<(), carom::BspError>(())
/// ```
///
/// # On the line
///
/// Solid regions include their border: a point on a wall is solid, and a ray that starts there,
/// runs along it or grazes a corner hits it, as with the shapes of a world. Sides are computed in
/// `f64` by products of the coordinates as given. So for walls along the axes, for ends of walls,
/// and wherever the numbers allow it exactly, *on* means on. A slanted wall hardly has a point in
/// `f32` that lies on it; there, either side may be the answer within rounding of `f64`.
///
/// Outlines may touch at corners. A corner may touch the middle of another's side, up to 5e-7 of
/// the level's extent off it; the space between counts as either. Outlines may lie side by side
/// along the whole of an edge: two segments that run to and fro between the same two points cancel
/// out, so tiles can be given one by one. Sides that overlap in part are refused.
///
/// # When to use it
///
/// For walls that never change and lie close together: on a map of tiles a ray takes a fifth of the
/// time of [`World::ray`](crate::World::ray). Among scattered convex rocks, where boxes fit well,
/// the world is as quick or quicker (`cargo bench -p carom-benches --bench bsp` has both, and
/// docs/journal/queries.md the figures), and it includes moving bodies. A wall without thickness is
/// no solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Bsp {
    nodes: Vec<Node>,
    root: Child,
    depth: usize,
}

/// A line, and the subtrees on its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    origin: DVec2,
    /// The direction, of any length: a difference of two ends, so that both are exactly on the
    /// line.
    direction: DVec2,
    /// The subtree on the right.
    front: Child,
    /// The subtree on the left.
    back: Child,
}

impl Node {
    /// Returns how far left of the line a point is, in lengths of `direction`: above 0 behind it.
    #[inline]
    fn behind(&self, point: DVec2) -> f64 {
        self.direction.perp_dot(point - self.origin)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Child {
    Free,
    Solid,
    Node(u32),
}

/// A part of a ray that is still to be followed, within the piece of the plane of `child`.
#[derive(Clone, Copy)]
struct Span {
    child: Child,
    enter: f64,
    exit: f64,
    /// The node whose line it crossed last.
    crossed: Option<u32>,
}

impl Bsp {
    /// Makes a level of segments from a first point to a second one, in any order: free on the
    /// right, solid on the left.
    ///
    /// # Errors
    /// Numbers out of range, segments too short, outlines that are not closed, cross or overlap.
    pub fn new(segments: &[[Vec2; 2]]) -> Result<Bsp, BspError> {
        build::build(segments)
    }

    /// Makes a level of closed outlines: counter-clockwise round a solid region, clockwise round a
    /// hollow one. The last point of each is joined to its first.
    ///
    /// # Errors
    /// As [`Bsp::new`]; segments count on from one outline to the next.
    pub fn from_outlines<P: Into<Vec2> + Copy>(outlines: &[impl AsRef<[P]>]) -> Result<Bsp, BspError> {
        let mut segments = Vec::new();
        for outline in outlines {
            let points = outline.as_ref();
            let ends = points.iter().zip(points.iter().cycle().skip(1));
            segments.extend(ends.map(|(&a, &b)| [a.into(), b.into()]));
        }
        Bsp::new(&segments)
    }

    /// Whether a point is solid, the border included.
    #[must_use]
    pub fn is_solid(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into().as_dvec2();
        if !point.is_finite() {
            return false;
        }
        // If the point is on a line, both sides are searched: one of them later.
        let mut later = [Child::Free; MAX_BSP_DEPTH];
        let (mut count, mut child) = (0, self.root);
        loop {
            match child {
                Child::Solid => return true,
                Child::Free if count == 0 => return false,
                Child::Free => {
                    count -= 1;
                    child = later[count];
                }
                Child::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let behind = node.behind(point);
                    child = if behind > 0.0 { node.back } else { node.front };
                    if behind == 0.0 {
                        later[count] = node.back;
                        count += 1;
                    }
                }
            }
        }
    }

    /// Returns the first solid point on a ray. For a ray that starts in a solid region, the
    /// fraction is 0 and there is no normal.
    #[must_use]
    pub fn ray(&self, ray: Ray) -> Option<RayHit> {
        let (from, way) = (ray.from.as_dvec2(), ray.translation.as_dvec2());
        if !from.is_finite() || !way.is_finite() {
            return None;
        }
        let whole = Span { child: self.root, enter: 0.0, exit: 1.0, crossed: None };
        let mut later = [whole; MAX_BSP_DEPTH];
        let (mut count, mut span) = (0, whole);
        let mut best: Option<Span> = None;
        loop {
            if let Child::Node(index) = span.child
                && best.is_none_or(|best| span.enter < best.enter)
            {
                let (near, far) = self.part(index, span, from, way);
                if let Some(far) = far {
                    later[count] = far;
                    count += 1;
                }
                span = near;
                continue;
            }
            if span.child == Child::Solid && best.is_none_or(|best| span.enter < best.enter) {
                best = Some(span);
            }
            if count == 0 {
                return best.map(|span| self.hit(ray, span));
            }
            count -= 1;
            span = later[count];
        }
    }

    /// Splits a span at the line of a node: returns the first part, and the second if there are
    /// two.
    #[inline]
    fn part(&self, index: u32, span: Span, from: DVec2, way: DVec2) -> (Span, Option<Span>) {
        let node = &self.nodes[index as usize];
        let (behind, rate) = (node.behind(from), node.direction.perp_dot(way));
        let in_front = Span { child: node.front, ..span };
        let at_back = Span { child: node.back, ..span };
        if rate == 0.0 {
            return match behind {
                0.0 => (in_front, Some(at_back)),
                _ => (if behind > 0.0 { at_back } else { in_front }, None),
            };
        }
        let crossing = -behind / rate;
        let (near, far) = if rate > 0.0 { (in_front, at_back) } else { (at_back, in_front) };
        if crossing > span.exit + SAME_CROSSING {
            (near, None)
        } else if crossing < span.enter - SAME_CROSSING {
            (far, None)
        } else {
            let crossing = crossing.clamp(span.enter, span.exit);
            (Span { exit: crossing, ..near }, Some(Span { enter: crossing, crossed: Some(index), ..far }))
        }
    }

    fn hit(&self, ray: Ray, span: Span) -> RayHit {
        let normal = match span.crossed {
            Some(index) if span.enter > 0.0 => {
                let right = -self.nodes[index as usize].direction.perp();
                let along = right.dot(ray.translation.as_dvec2());
                (if along > 0.0 { -right } else { right } / right.length()).as_vec2()
            }
            _ => Vec2::ZERO,
        };
        let fraction = span.enter as f32;
        RayHit { fraction, point: ray.at(fraction), normal }
    }

    /// Returns how many lines cut the plane: at least one a wall, and one for each cut of a wall.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the most lines from the whole plane to a leaf.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }
}
