//! Rays and points against one shape.
//!
//! In: a shape, where it stands, a ray or a point. Out: first hit, closest point, containment.
//!
//! Special cases. A ray that starts inside or on the border hits at fraction 0, without a normal. A
//! ray without length answers as [`contains`] does, up to rounding. A ray that ends exactly on a
//! face hits at 1. A ray that runs along a face or grazes a corner hits, because touching counts. A
//! ray that runs along a segment hits the near end.

use glam::Vec2;

use super::convex::Convex;
use super::manifold::{ClosestPoint, Ray, RayHit};
use super::{convex, round};
use crate::bounds::Aabb;
use crate::math::{Transform, cross, max, min, unit_or_zero};
use crate::shape::{Circle, HalfPlane, Obb, Piece, Shape};
use std::cell::Cell;

/// The first point at which a ray meets a shape.
///
/// ```
/// use carom::{Ray, Shape, Transform, Vec2, ray};
///
/// let wall = Shape::rect(1.0, 10.0);
/// let hit = ray(&wall, Transform::at([5.0, 0.0]), Ray::between([0.0, 0.0], [9.0, 0.0])).expect("a hit");
/// assert_eq!((hit.point.x, hit.normal), (4.5, Vec2::NEG_X));
/// ```
#[must_use]
pub fn ray(shape: &Shape, at: Transform, ray: Ray) -> Option<RayHit> {
    let local =
        Ray { from: at.apply_inverse(ray.from), translation: at.rotation.inverse_rotate(ray.translation) };
    let hit = match shape.only_piece() {
        Some(piece) => ray_piece(piece, local),
        None => ray_parts(shape, local),
    }?;
    Some(RayHit { fraction: hit.fraction, point: ray.at(hit.fraction), normal: at.rotation * hit.normal })
}

/// The nearest hit among the parts of a shape. If two are equally near, a hit without a normal
/// wins: the ray starts inside that part.
fn ray_parts(shape: &Shape, ray: Ray) -> Option<RayHit> {
    let best: Cell<Option<RayHit>> = Cell::new(None);
    let wanted = |node: &Aabb| crosses(node, &ray, best.get().map_or(1.0, |hit| hit.fraction));
    shape.tree()?.visit(wanted, |part| {
        let hit = ray_piece(shape.piece(part as usize), ray);
        let is_nearer = |hit: &RayHit, best: RayHit| {
            hit.fraction < best.fraction || (hit.fraction == best.fraction && hit.normal == Vec2::ZERO)
        };
        let nearer = hit.filter(|hit| best.get().is_none_or(|best| is_nearer(hit, best)));
        best.set(nearer.or(best.get()));
        true
    });
    best.get()
}

/// Whether a point lies in a shape, its border included.
#[must_use]
pub fn contains(shape: &Shape, at: Transform, point: Vec2) -> bool {
    closest_point(shape, at, point).distance <= 0.0
}

/// The border point of a shape that is closest to `point`, and its distance; negative inside.
///
/// An invalid shape is infinitely far.
#[must_use]
pub fn closest_point(shape: &Shape, at: Transform, point: Vec2) -> ClosestPoint {
    let local = at.apply_inverse(point);
    let best = Cell::new(ClosestPoint { point: Vec2::ZERO, distance: f32::INFINITY, normal: Vec2::ZERO });
    let take = |part: usize| {
        let closest = closest_point_of_piece(shape.piece(part), local);
        if closest.distance < best.get().distance {
            best.set(closest);
        }
    };
    match shape.tree() {
        None => (0..shape.piece_count()).for_each(take),
        Some(tree) => {
            let here = Aabb::around_point(local);
            let wanted = |node: &Aabb| {
                let bound = max(best.get().distance, 0.0);
                node.distance_squared(&here) <= bound * bound
            };
            tree.visit(wanted, |part| {
                take(part as usize);
                true
            });
        }
    }
    let found = best.get();
    ClosestPoint { point: at.apply(found.point), normal: at.rotation * found.normal, ..found }
}

/// [`contains`] for one piece, in its own frame.
pub(crate) fn piece_contains(piece: Piece, p: Vec2) -> bool {
    closest_point_of_piece(piece, p).distance <= 0.0
}

/// [`closest_point`] of one piece, in its own frame.
pub(crate) fn closest_point_of_piece(piece: Piece, p: Vec2) -> ClosestPoint {
    match piece {
        Piece::Circle(circle) => round::closest_point_of_circle(circle, p),
        Piece::HalfPlane(plane) => {
            let height = plane.height(p);
            ClosestPoint { point: p - plane.normal * height, distance: height, normal: plane.normal }
        }
        Piece::Obb(obb) => round::closest_point_of_box(obb, p),
        Piece::Capsule(_) | Piece::Segment(_) | Piece::Polygon(_) | Piece::ChainSegment(_) => {
            round::closest_point(&convex(piece), p).0
        }
    }
}

/// [`closest_point_of_piece`] for several points: the core is computed once.
#[inline]
pub(crate) fn closest_points_of_piece<'p>(piece: Piece<'p>) -> impl Fn(Vec2) -> ClosestPoint + use<'p> {
    let is_own_core = matches!(piece, Piece::Circle(_) | Piece::HalfPlane(_) | Piece::Obb(_));
    let core = (!is_own_core).then(|| convex(piece));
    move |p| match &core {
        Some(core) => round::closest_point(core, p).0,
        None => closest_point_of_piece(piece, p),
    }
}

/// [`ray`] against one piece, in its own frame.
pub(crate) fn ray_piece(piece: Piece, ray: Ray) -> Option<RayHit> {
    match piece {
        Piece::Circle(circle) if circle.center.distance_squared(ray.from) > circle.radius * circle.radius => {
            return ray_circle(circle, ray);
        }
        Piece::Obb(obb) if obb.radius == 0.0 => return ray_box(obb, ray),
        _ if closest_point_of_piece(piece, ray.from).distance <= 0.0 => return Some(starts_inside(ray)),
        _ => {}
    }
    match piece {
        Piece::Circle(circle) => ray_circle(circle, ray),
        Piece::HalfPlane(plane) => ray_half_plane(plane, ray),
        Piece::Segment(_) | Piece::ChainSegment(_) => ray_segment(&convex(piece), ray),
        Piece::Capsule(_) => ray_rounded(&convex(piece), ray),
        Piece::Obb(_) | Piece::Polygon(_) => {
            let convex = convex(piece);
            if convex.radius > 0.0 { ray_rounded(&convex, ray) } else { ray_polygon(&convex, ray) }
        }
    }
}

/// A ray that starts in a shape or on its border meets it there, and crosses no border.
fn starts_inside(ray: Ray) -> RayHit {
    RayHit { fraction: 0.0, point: ray.from, normal: Vec2::ZERO }
}

/// In the frame of the box, x and y are two slabs; the ray is inside the box from the later entry
/// to the earlier exit.
fn ray_box(obb: &Obb, ray: Ray) -> Option<RayHit> {
    let from = obb.place.apply_inverse(ray.from);
    let along = obb.place.rotation.inverse_rotate(ray.translation);
    let half = obb.half;
    if from.x.abs() <= half.x && from.y.abs() <= half.y {
        return Some(starts_inside(ray));
    }
    let (enter_x, leave_x) = slab(from.x, along.x, half.x)?;
    let (enter_y, leave_y) = slab(from.y, along.y, half.y)?;
    let (enter, leave) = (max(enter_x, enter_y), min(leave_x, leave_y));
    let hit = 0.0 <= enter && enter <= min(leave, 1.0);
    hit.then(|| {
        let (axis, towards) = if enter_x >= enter_y {
            (obb.place.rotation.x_axis(), along.x)
        } else {
            (obb.place.rotation.y_axis(), along.y)
        };
        let normal = if towards > 0.0 { -axis } else { axis };
        RayHit { fraction: enter, point: ray.at(enter), normal }
    })
}

/// Returns the interval in which a ray is within `half` of 0 in one coordinate, if there is one.
fn slab(from: f32, along: f32, half: f32) -> Option<(f32, f32)> {
    if along == 0.0 {
        return (from.abs() <= half).then_some((f32::NEG_INFINITY, f32::INFINITY));
    }
    let (t0, t1) = ((-half - from) / along, (half - from) / along);
    Some((min(t0, t1), max(t0, t1)))
}

/// Slab test: whether the first `limit` of the ray comes into the box.
fn crosses(aabb: &Aabb, ray: &Ray, limit: f32) -> bool {
    let (center, half) = (aabb.center(), aabb.size() * 0.5);
    let from = ray.from - center;
    // The box is a little wider, so that the exact test after it loses no grazing hit.
    let half = half + Vec2::splat(8.0 * f32::EPSILON * (from.abs().max_element() + half.max_element()));
    let (Some(x), Some(y)) =
        (slab(from.x, ray.translation.x, half.x), slab(from.y, ray.translation.y, half.y))
    else {
        return false;
    };
    max(max(x.0, y.0), 0.0) <= min(min(x.1, y.1), limit)
}

/// With m from the centre to the start and unit direction d: the ray passes the centre at distance
/// |m × d|, at
/// -m·d, and enters sqrt(r² - (m × d)²) before that. No small difference of large squares.
pub(super) fn ray_circle(circle: &Circle, ray: Ray) -> Option<RayHit> {
    let length = ray.translation.length();
    if length == 0.0 || !length.is_finite() {
        return None;
    }
    let d = ray.translation / length;
    let m = ray.from - circle.center;
    let miss = cross(m, d);
    let inside = circle.radius * circle.radius - miss * miss;
    let nearest = -m.dot(d);
    let enter = nearest - max(inside, 0.0).sqrt();
    let hit = inside >= 0.0 && nearest >= 0.0 && enter <= length;
    hit.then(|| {
        let enter = max(enter, 0.0);
        let normal = unit_or_zero(m + d * enter);
        RayHit { fraction: min(enter / length, 1.0), point: ray.from + d * enter, normal }
    })
}

fn ray_half_plane(plane: &HalfPlane, ray: Ray) -> Option<RayHit> {
    let (height, descent) = (plane.height(ray.from), -plane.normal.dot(ray.translation));
    let hit = descent > 0.0 && height <= descent;
    hit.then(|| {
        let fraction = height / descent;
        RayHit { fraction, point: ray.at(fraction), normal: plane.normal }
    })
}

/// Clips the ray by the inner side of every edge. The ray hits the edge whose inner side it enters
/// last.
fn ray_polygon(convex: &Convex, ray: Ray) -> Option<RayHit> {
    let (mut enter, mut leave, mut normal, mut face) = (0.0, 1.0, Vec2::ZERO, 0);
    for edge in 0..convex.count() {
        let (v, n) = (convex.vertex(edge), convex.normal(edge));
        let (height, descent) = ((ray.from - v).dot(n), -ray.translation.dot(n));
        if descent == 0.0 {
            if height > 0.0 {
                return None;
            }
        } else if descent > 0.0 {
            if height > enter * descent || (height >= 0.0 && normal == Vec2::ZERO) {
                (enter, normal, face) = (max(height / descent, 0.0), n, edge);
            }
        } else {
            leave = min(leave, height / descent);
        }
    }
    let point = ray.at(enter);
    let hit = enter <= leave && normal != Vec2::ZERO && is_in_box(convex, face, point, ray);
    hit.then_some(RayHit { fraction: enter, point, normal })
}

/// Whether a point at which a ray seems to cross a face is in the box around all corners, up to
/// rounding. Beyond the tip of a needle its two sides are nearer to each other than rounding can
/// tell, and a ray seems to cross one after the other. The crossing with a face is less certain for
/// rays that run nearly along it.
fn is_in_box(convex: &Convex, face: usize, point: Vec2, ray: Ray) -> bool {
    let (mut low, mut high) = (convex.vertex(0), convex.vertex(0));
    for k in 1..convex.count() {
        (low, high) = (low.min(convex.vertex(k)), high.max(convex.vertex(k)));
    }
    let way = ray.translation.length();
    let unknown =
        8.0 * f32::EPSILON * (ray.from.length() + way + low.abs().max(high.abs()).length()) + 1.0e-6;
    let slack = unknown * way / -ray.translation.dot(convex.normal(face));
    let inside = point.cmpge(low - slack) & point.cmple(high + slack);
    inside.all()
}

/// Two lines cross where cross(a + s e - o, t) = 0 and cross(o + f t - a, e) = 0.
fn ray_segment(convex: &Convex, ray: Ray) -> Option<RayHit> {
    let (a, b) = convex.edge(0);
    // e from a to b; t the way of the ray; p and q on which sides of the ray's line the ends lie.
    // Two segments of a chain find the same side for the end they share, so no ray slips through a
    // joint.
    let (e, t, from_a) = (b - a, ray.translation, ray.from - a);
    let (p, q) = (cross(t, a - ray.from), cross(t, b - ray.from));
    let area = cross(t, e);
    if area == 0.0 {
        return ray_along_segment(a, b, ray);
    }
    let fraction = cross(e, from_a) / area;
    let on_one_side = (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    let hit = (0.0..=1.0).contains(&fraction) && !on_one_side;
    hit.then(|| {
        let side = convex.normal(0);
        let normal = if side.dot(t) > 0.0 { -side } else { side };
        // For a ray almost along the segment the quotient is mostly rounding, but the crossing is
        // between the ends. A ray so long that its square is no number keeps the quotient.
        let squared = t.length_squared();
        let (from, to) = ((a - ray.from).dot(t) / squared, (b - ray.from).dot(t) / squared);
        let between = max(min(from, to), min(fraction, max(from, to))).clamp(0.0, 1.0);
        let fraction = if from.is_finite() && to.is_finite() { between } else { fraction };
        RayHit { fraction, point: ray.at(fraction), normal }
    })
}

/// A ray parallel to a segment meets it only when both lie in one line: at the near end, head on.
fn ray_along_segment(a: Vec2, b: Vec2, ray: Ray) -> Option<RayHit> {
    let t = ray.translation;
    let squared = t.length_squared();
    if squared == 0.0 || cross(a - ray.from, t) != 0.0 {
        return None;
    }
    let fraction = min((a - ray.from).dot(t), (b - ray.from).dot(t)) / squared;
    let normal = -unit_or_zero(t);
    (0.0..=1.0).contains(&fraction).then(|| RayHit { fraction, point: ray.at(fraction), normal })
}

/// The border of a rounded core is made of its edges, moved outward by the radius, and of arcs
/// around its corners. A ray from outside hits the first of all these; it reaches those inside the
/// shape later.
fn ray_rounded(convex: &Convex, ray: Ray) -> Option<RayHit> {
    let mut best: Option<RayHit> = None;
    let mut take = |hit: Option<RayHit>| {
        let nearer = hit.filter(|hit| best.is_none_or(|best| hit.fraction < best.fraction));
        best = nearer.or(best);
    };
    for edge in 0..convex.count() {
        let (n, (v1, v2)) = (convex.normal(edge), convex.edge(edge));
        take(ray_face(v1 + n * convex.radius, v2 + n * convex.radius, n, ray));
        take(ray_circle(&Circle { center: v1, radius: convex.radius }, ray));
    }
    best
}

/// A one-sided segment, hit only against its normal.
fn ray_face(v1: Vec2, v2: Vec2, n: Vec2, ray: Ray) -> Option<RayHit> {
    let (height, descent) = ((ray.from - v1).dot(n), -ray.translation.dot(n));
    if descent <= 0.0 || height < 0.0 || height > descent {
        return None;
    }
    let fraction = height / descent;
    let along = (ray.at(fraction) - v1).dot(v2 - v1);
    let on_face = 0.0 <= along && along <= (v2 - v1).length_squared();
    on_face.then(|| RayHit { fraction, point: ray.at(fraction), normal: n })
}
