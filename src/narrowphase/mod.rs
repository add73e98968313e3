//! Tests of two shapes without a world: overlap, contact, distance, casts and rays.
//!
//! In: two shapes and the place of each. Out: an answer. Shapes of several parts are taken apart
//! here (`parts.rs`). Each test of two convex pieces is one exhaustive `match`, so a new kind of
//! shape does not compile until each test handles it.
//!
//! ```text
//!   order.rs    which of the two goes first          sat.rs    the deciding features of two cores
//!   parts.rs    which parts are worth a test         clip.rs   two-point manifolds from them
//!   convex.rs   a core of corners and a radius
//!   obb.rs      box against box, in any number of lanes
//!   round.rs    circles and points                   wide.rs   many pairs at once
//!   cast.rs     motion; ray.rs: rays and points      face.rs   manifolds along a given face
//!   advance.rs  how far a motion is safe             polar.rs  ships with a centre
//!   half_plane.rs  heights over a border             lines.rs  line against line, in a world
//!   manifold.rs    types of the answers              straight.rs  straight casts that cannot hit
//!   chain_ghosts.rs  ghost collisions of chains, whose segments know their neighbours
//! ```
//!
//! Conventions: normals point from the first shape to the second; a separation below 0 is overlap;
//! touching is overlap. Exchanging the two shapes exchanges the answer, bit for bit. Only the
//! difference of the two positions enters, so moving both shapes together changes nothing but
//! rounding of the answer's points.

mod advance;
mod cast;
mod chain_ghosts;
mod clip;
mod convex;
pub(crate) mod cores;
mod face;
mod half_plane;
mod lines;
mod manifold;
pub(crate) mod obb;
mod order;
mod parts;
pub mod polar;
mod ray;
pub(crate) mod round;
mod sat;
mod straight;
mod wide;

pub use cast::cast;
pub(crate) use cast::{cast_parts, cast_pieces};
pub(crate) use chain_ghosts::is_on_side;
pub(crate) use face::{Faces, segment_ahead};
pub(crate) use lines::{collide as collide_lines, skin as skin_of_lines};
pub use manifold::{CastHit, ClosestPoint, Distance, FeatureId, Manifold, ManifoldPoint, Ray, RayHit};
pub use ray::{closest_point, contains, ray};
pub(crate) use ray::{closest_point_of_piece, closest_points_of_piece, piece_contains, ray_piece};

/// Tests of many pairs of one kind at once, in lanes.
pub mod batch {
    pub use super::wide::{contact_boxes, contact_circles, overlap_boxes, overlap_circles};
}

use crate::math::Transform;
use crate::shape::{Discs, Piece, Shape};
use convex::Convex;
use order::OrderedPair;

/// Whether two shapes have a point in common. Touching counts.
///
/// ```
/// use carom::{Shape, Transform, overlaps};
///
/// let sword = Shape::capsule([0.0, 0.0], [0.0, 1.2], 0.1);
/// let slime = Shape::circle(0.5);
/// assert!(overlaps(&sword, Transform::IDENTITY, &slime, Transform::at([0.55, 0.6])));
/// assert!(!overlaps(&sword, Transform::IDENTITY, &slime, Transform::at([0.7, 0.6])));
/// ```
#[must_use]
#[inline]
pub fn overlaps(a: &Shape, xa: Transform, b: &Shape, xb: Transform) -> bool {
    match (a, b) {
        // If the shapes are centred on their bodies, as most are, these two tests are symmetric by
        // themselves.
        (Shape::Circle(a), Shape::Circle(b)) if a.is_centered() && b.is_centered() => {
            round::circles_overlap(&a.transformed(xa), &b.transformed(xb))
        }
        (Shape::Obb(a), Shape::Obb(b)) if a.is_plain() && b.is_plain() => {
            obb::sharp_overlap(&a.placed(xa), &b.placed(xb))
        }
        (Shape::Polygon(p), Shape::Polygon(q)) => discs_decide(&p.discs(), &xa, &q.discs(), &xb)
            .unwrap_or_else(|| overlaps_in_order(a, &xa, b, &xb)),
        _ => overlaps_in_stages(a, &xa, b, &xb),
    }
}

/// The remaining kinds of [`overlaps`]. (With circles and boxes in there, two boxes took 94
/// instructions instead of 80.)
fn overlaps_in_stages(a: &Shape, xa: &Transform, b: &Shape, xb: &Transform) -> bool {
    let decided = match (a, b) {
        (Shape::Circle(circle), Shape::Obb(obb)) => round::disc_decides(circle, xa, obb, xb),
        (Shape::Obb(obb), Shape::Circle(circle)) => round::disc_decides(circle, xb, obb, xa),
        _ => match (a.discs(), b.discs()) {
            (Some(discs_a), Some(discs_b)) => discs_decide(&discs_a, xa, &discs_b, xb),
            _ => None,
        },
    };
    decided.unwrap_or_else(|| overlaps_in_order(a, xa, b, xb))
}

/// The first two of three stages of the overlap test of convex shapes: the circles around them may
/// say no, the circles inside them yes. Pairs left undecided go to the separating axis test.
///
/// The circles settle 46 % of random pairs of triangles and 93 % of hexagons, half of them
/// overlapping, and make the test 1.8 and 7 times as quick. The polar test along the centre line as
/// a stage between settles another 14 % and 3 %. As `polar::accept_convex` it costs more than the
/// whole separating axis test; in a form without divisions it saved 0 to 13 % from run to run, too
/// little for a stage of its own. Bench `narrowphase/stages` (AMD EPYC, Zen 5) has both. Symmetric
/// by itself, like the kinds above.
#[inline(always)]
fn discs_decide(a: &Discs, xa: &Transform, b: &Discs, xb: &Transform) -> Option<bool> {
    let centers = xb.rotation * b.center - xa.rotation * a.center;
    let between = (xb.position - xa.position) + centers;
    let squared = between.length_squared();
    // Room for the rounding of the vector between the centres; the discs have room for the rounding
    // of the centres.
    let slack = 4.0 * f32::EPSILON * between.abs().max_element();
    let (outer, inner) = (a.outer + b.outer + slack, a.inner + b.inner - slack);
    if squared > outer * outer {
        Some(false)
    } else if inner > 0.0 && squared < inner * inner {
        Some(true)
    } else {
        None
    }
}

/// Returns the manifold of the deepest pair of parts of two shapes, or nothing when they do not
/// touch.
///
/// ```
/// use carom::{Shape, Transform, Vec2, contact};
///
/// let sword = Shape::capsule([0.0, 0.0], [0.0, 1.2], 0.1);
/// let slime = Shape::circle(0.5);
/// let hit = contact(&sword, Transform::IDENTITY, &slime, Transform::at([0.55, 0.6])).expect("they touch");
/// assert!((hit.normal - Vec2::X).length() < 1e-5);
/// assert!((hit.depth() - 0.05).abs() < 1e-5);
/// ```
#[must_use]
pub fn contact(a: &Shape, xa: Transform, b: &Shape, xb: Transform) -> Option<Manifold> {
    contact_within(a, xa, b, xb, 0.0)
}

/// Like [`contact`], but also for shapes that are up to `margin` apart: speculative contacts for a
/// solver.
#[must_use]
pub fn contact_within(a: &Shape, xa: Transform, b: &Shape, xb: Transform, margin: f32) -> Option<Manifold> {
    match (a, b) {
        (Shape::Circle(a), Shape::Circle(b)) if a.is_centered() && b.is_centered() => {
            round::collide_circles(&a.transformed(xa), &b.transformed(xb), margin)
        }
        (Shape::Obb(a), Shape::Obb(b)) if a.is_plain() && b.is_plain() => {
            obb::collide(&a.transformed(xa), &b.transformed(xb), margin)
        }
        _ => contact_in_order(a, &xa, b, &xb, margin),
    }
}

fn contact_in_order(a: &Shape, xa: &Transform, b: &Shape, xb: &Transform, margin: f32) -> Option<Manifold> {
    let pair = OrderedPair::new(a, xa, b, xb);
    let found = match pair.only_pieces() {
        Some((a, b)) => collide_pieces(a, b, pair.b_in_a, margin),
        None => deepest_contact(&pair, margin),
    };
    found.map(|manifold| pair.manifold_out(&manifold))
}

/// Calls `visit` with the manifold of every pair of parts that come within `margin`.
///
/// Shapes of one part give one manifold at most. A chain gives one for each segment that has a
/// share in the contact, with normals that are smooth along the chain.
pub fn contacts_within(
    a: &Shape,
    xa: Transform,
    b: &Shape,
    xb: Transform,
    margin: f32,
    mut visit: impl FnMut(&Manifold),
) {
    let pair = OrderedPair::new(a, &xa, b, &xb);
    if pair.only_pieces().is_some() {
        contact_within(a, xa, b, xb, margin).iter().for_each(visit);
    } else {
        contacts_of_parts(&pair, margin, |manifold| visit(&pair.manifold_out(manifold)));
    }
}

/// Returns the distance of two shapes, with the closest points; negative when they overlap.
///
/// For shapes of several parts it is the least over the pairs of parts. An invalid shape is
/// infinitely far from everything.
///
/// ```
/// use carom::{Shape, Transform, distance};
///
/// let (ball, crate_) = (Shape::circle(1.0), Shape::rect(2.0, 2.0));
/// let found = distance(&ball, Transform::IDENTITY, &crate_, Transform::at([5.0, 0.0]));
/// assert_eq!(found.separation, 3.0);
/// assert_eq!((found.point_a.x, found.point_b.x), (1.0, 4.0));
/// ```
#[must_use]
pub fn distance(a: &Shape, xa: Transform, b: &Shape, xb: Transform) -> Distance {
    match (a, b) {
        (Shape::Circle(a), Shape::Circle(b)) if a.is_centered() && b.is_centered() => {
            round::circles(&a.transformed(xa), &b.transformed(xb))
        }
        _ => {
            let pair = OrderedPair::new(a, &xa, b, &xb);
            pair.distance_out(least_distance(&pair))
        }
    }
}

#[inline(never)]
fn overlaps_in_order(a: &Shape, xa: &Transform, b: &Shape, xb: &Transform) -> bool {
    let pair = OrderedPair::new(a, xa, b, xb);
    if let Some((a, b)) = pair.only_pieces() {
        return pieces_overlap(a, b, pair.b_in_a);
    }
    let mut found = false;
    parts::for_near_parts(pair.a, pair.b, pair.b_in_a, 0.0, |part_a, part_b| {
        found = pieces_overlap(pair.a.piece(part_a), pair.b.piece(part_b), pair.b_in_a);
        !found
    });
    found
}

fn deepest_contact(pair: &OrderedPair, margin: f32) -> Option<Manifold> {
    let mut deepest: Option<Manifold> = None;
    contacts_of_parts(pair, margin, |manifold| {
        if deepest.is_none_or(|best| manifold.separation() < best.separation()) {
            deepest = Some(*manifold);
        }
    });
    deepest
}

fn contacts_of_parts(pair: &OrderedPair, margin: f32, mut visit: impl FnMut(&Manifold)) {
    let mut any = false;
    let mut pass = |collide: fn(Piece, Piece, Transform, f32) -> Option<Manifold>| {
        parts::for_near_parts(pair.a, pair.b, pair.b_in_a, margin, |part_a, part_b| {
            let (piece_a, piece_b) = (pair.a.piece(part_a), pair.b.piece(part_b));
            if let Some(mut manifold) = collide(piece_a, piece_b, pair.b_in_a, margin) {
                (manifold.part_a, manifold.part_b) = (part_a as u32, part_b as u32);
                visit(&manifold);
                any = true;
            }
            true
        });
        any
    };
    // If smoothing leaves no contact (a shape wedged in a corner from behind), the plain overlap is
    // the answer.
    if !pass(collide_smoothly) {
        pass(collide_pieces);
    }
}

fn least_distance(pair: &OrderedPair) -> Distance {
    if let Some((a, b)) = pair.only_pieces() {
        return piece_distance(a, b, pair.b_in_a);
    }
    if pair.a.piece_count() == 0 || pair.b.piece_count() == 0 {
        return Distance::INFINITE;
    }
    parts::least_distance(pair.a, pair.b, pair.b_in_a, |part_a, part_b| {
        piece_distance(pair.a.piece(part_a), pair.b.piece(part_b), pair.b_in_a)
    })
}

/// [`overlaps`] for one part of each shape.
pub(crate) fn parts_overlap(
    (a, part_a, xa): (&Shape, usize, Transform),
    (b, part_b, xb): (&Shape, usize, Transform),
) -> bool {
    let pair = [(a.piece(part_a), xa), (b.piece(part_b), xb)];
    let swapped = order::is_swapped(a, &xa, b, &xb);
    let ((a, xa), (b, xb)) = (pair[usize::from(swapped)], pair[usize::from(!swapped)]);
    pieces_overlap(a, b, xa.relative(xb))
}

/// Whether two convex pieces touch.
pub(crate) fn pieces_overlap(a: Piece, b: Piece, b_in_a: Transform) -> bool {
    use Piece::{Capsule, ChainSegment, Circle, HalfPlane, Obb, Polygon, Segment};
    match (a, b) {
        (Circle(a), Circle(b)) => round::circles_overlap(a, &b.transformed(b_in_a)),
        (Obb(a), Obb(b)) => obb::overlaps(a, &b.transformed(b_in_a)),
        (Circle(_) | HalfPlane(_), _) | (_, Circle(_) | HalfPlane(_)) => {
            piece_distance(a, b, b_in_a).separation <= 0.0
        }
        (
            Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_),
            Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_),
        ) => sat::overlaps(&convex(a), &convex(b).transformed(b_in_a)),
    }
}

/// The signed distance of two convex pieces, in the frame of the first.
pub(crate) fn piece_distance(a: Piece, b: Piece, b_in_a: Transform) -> Distance {
    use Piece::{Capsule, ChainSegment, Circle, HalfPlane, Obb, Polygon, Segment};
    match (a, b) {
        (Circle(a), Circle(b)) => round::circles(a, &b.transformed(b_in_a)),
        (HalfPlane(a), HalfPlane(b)) => half_plane::distance_of_planes(a, &b.transformed(b_in_a)),
        (HalfPlane(a), _) => half_plane::distance(a, &convex(b).transformed(b_in_a)),
        (Circle(a), Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_)) => {
            round::circle_distance(a, &convex(b).transformed(b_in_a)).0
        }
        (
            Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_),
            Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_),
        ) => sat::distance(&convex(a), &convex(b).transformed(b_in_a)),
        (_, Circle(_) | HalfPlane(_)) => piece_distance(b, a, b_in_a.inverse()).flipped().transformed(b_in_a),
    }
}

/// The manifold of two convex pieces, if they are within `margin`, in the frame of the first.
pub(crate) fn collide_pieces(a: Piece, b: Piece, b_in_a: Transform, margin: f32) -> Option<Manifold> {
    use Piece::{Capsule, ChainSegment, Circle, HalfPlane, Obb, Polygon, Segment};
    match (a, b) {
        (Circle(a), Circle(b)) => round::collide_circles(a, &b.transformed(b_in_a), margin),
        (Obb(a), Obb(b)) => obb::collide(a, &b.transformed(b_in_a), margin),
        (HalfPlane(a), HalfPlane(b)) => half_plane::collide_planes(a, &b.transformed(b_in_a), margin),
        (HalfPlane(a), _) => half_plane::collide(a, &convex(b).transformed(b_in_a), margin),
        (Circle(a), Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_)) => {
            round::collide_circle(a, &convex(b).transformed(b_in_a), margin)
        }
        (
            Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_),
            Capsule(_) | Segment(_) | Obb(_) | Polygon(_) | ChainSegment(_),
        ) => clip::collide(&convex(a), &convex(b).transformed(b_in_a), margin),
        (_, Circle(_) | HalfPlane(_)) => {
            let turned = collide_pieces(b, a, b_in_a.inverse(), margin)?;
            Some(turned.flipped().transformed(b_in_a))
        }
    }
}

/// [`collide_pieces`], with normals that are smooth along a chain where one of the two is a segment
/// of it.
pub(crate) fn collide_smoothly(a: Piece, b: Piece, b_in_a: Transform, margin: f32) -> Option<Manifold> {
    smoothed(a, b, b_in_a, collide_pieces(a, b, b_in_a, margin)?, margin)
}

/// Returns the `plain` manifold of two pieces without ghost collisions, which segments of chains
/// cause.
#[inline]
pub(crate) fn smoothed(
    a: Piece,
    b: Piece,
    b_in_a: Transform,
    plain: Manifold,
    margin: f32,
) -> Option<Manifold> {
    match (a, b) {
        (Piece::ChainSegment(_), Piece::ChainSegment(_) | Piece::HalfPlane(_))
        | (Piece::HalfPlane(_), Piece::ChainSegment(_)) => Some(plain),
        (Piece::ChainSegment(segment), _) => {
            chain_ghosts::collide(segment, &convex(b).transformed(b_in_a), plain, margin)
        }
        (_, Piece::ChainSegment(segment)) => {
            let segment = segment.transformed(b_in_a);
            let smooth = chain_ghosts::collide(&segment, &convex(a), plain.flipped(), margin)?;
            Some(smooth.flipped())
        }
        _ => Some(plain),
    }
}

/// The core and radius of a piece. The arms above have answered for half-planes, which have no
/// corners.
#[inline(always)]
#[expect(clippy::unreachable, reason = "no input gets here: see above")]
fn convex(piece: Piece) -> Convex {
    match piece {
        Piece::Circle(circle) => circle.into(),
        Piece::Capsule(capsule) => capsule.into(),
        Piece::Segment(segment) => segment.into(),
        Piece::Obb(obb) => obb.into(),
        Piece::Polygon(polygon) => polygon.into(),
        Piece::ChainSegment(segment) => segment.into(),
        Piece::HalfPlane(plane) => unreachable!("{plane:?} has no corners"),
    }
}
