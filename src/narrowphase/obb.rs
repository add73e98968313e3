//! Box against box: the four axes of the separating axis test, and the manifold, without a branch.
//!
//! In: two boxes in one frame. Out: overlap, or a manifold of up to two points. The kernel is
//! written over [`Lane`], so the same lines serve one pair and eight pairs at a time (`wide.rs`).
//!
//! Legend: `u_a`, `v_a` x and y axis of box A; `h` half sizes; `d` from centre A to centre B;
//! `c`, `s` cosine and sine of the angle from A to B.
//!
//! Everything that decides is formed from products and magnitudes that keep their bits when A and B
//! are exchanged, so swapping the arguments swaps the answer exactly, without sorting the pair
//! first.

use super::clip;
use super::convex::Convex;
use super::manifold::{FeatureId, Manifold, ManifoldPoint};
use crate::math::{Rot, Transform};
use crate::shape::Obb;
use crate::simd::{Lane, inlined};
use crate::tuning::SEPARATION_NOISE;

/// One box, or eight.
#[derive(Clone, Copy)]
pub(crate) struct Boxes<L> {
    pub(crate) center: [L; 2],
    pub(crate) half: [L; 2],
    pub(crate) cos: L,
    pub(crate) sin: L,
    pub(crate) radius: L,
}

impl From<&Obb> for Boxes<f32> {
    #[inline(always)]
    fn from(obb: &Obb) -> Boxes<f32> {
        let Rot { cos, sin } = obb.place.rotation;
        Boxes {
            center: obb.place.position.to_array(),
            half: obb.half.to_array(),
            cos,
            sin,
            radius: obb.radius,
        }
    }
}

/// The separations of two boxes along their four axes.
#[derive(Clone, Copy)]
pub(crate) struct BoxAxes<L> {
    /// Cosine and sine of the angle from A to B.
    c: L,
    s: L,
    /// From centre A to centre B, along the axes of A and of B.
    d_a: [L; 2],
    d_b: [L; 2],
    /// Separation along the axes of A and of B, radii left out.
    s_a: [L; 2],
    s_b: [L; 2],
}

/// The four separations: |d·axis| minus both half extents along that axis.
#[inline(always)]
pub(crate) fn axes<L: Lane>(a: &Boxes<L>, b: &Boxes<L>) -> BoxAxes<L> {
    let d = [b.center[0] - a.center[0], b.center[1] - a.center[1]];
    let c = a.cos * b.cos + a.sin * b.sin;
    let s = a.cos * b.sin - a.sin * b.cos;
    let (abs_c, abs_s) = (c.abs(), s.abs());
    let d_a = [d[0] * a.cos + d[1] * a.sin, d[1] * a.cos - d[0] * a.sin];
    let d_b = [d[0] * b.cos + d[1] * b.sin, d[1] * b.cos - d[0] * b.sin];
    // The half extents of one box along the x and y axes of the other.
    let across = inlined(
        #[inline(always)]
        |h: [L; 2]| [abs_c * h[0] + abs_s * h[1], abs_c * h[1] + abs_s * h[0]],
    );
    let (b_across, a_across) = (across(b.half), across(a.half));
    let s_a = [d_a[0].abs() - (a.half[0] + b_across[0]), d_a[1].abs() - (a.half[1] + b_across[1])];
    let s_b = [d_b[0].abs() - (b.half[0] + a_across[0]), d_b[1].abs() - (b.half[1] + a_across[1])];
    BoxAxes { c, s, d_a, d_b, s_a, s_b }
}

/// Where no axis separates two boxes without rounding. Touching is overlap.
#[inline(always)]
pub(crate) fn touching<L: Lane>(a: &Boxes<L>, b: &Boxes<L>) -> L::Mask {
    let axes = axes(a, b);
    let zero = a.cos.splat(0.0);
    axes.s_a[0].le(zero) & axes.s_a[1].le(zero) & axes.s_b[0].le(zero) & axes.s_b[1].le(zero)
}

/// Whether two boxes touch, rounding included.
#[inline]
pub(crate) fn overlaps(a: &Obb, b: &Obb) -> bool {
    let sharp = a.radius + b.radius == 0.0;
    if sharp { sharp_overlap(a, b) } else { collide(a, b, 0.0).is_some() }
}

/// [`touching`] for one pair of sharp boxes, the four axes side by side: the same products and sums
/// in the same order, which the compiler turns into instructions on rows of four.
#[inline(always)]
pub(crate) fn sharp_overlap(a: &Obb, b: &Obb) -> bool {
    let d = b.place.position - a.place.position;
    let (Rot { cos: ca, sin: sa }, Rot { cos: cb, sin: sb }) = (a.place.rotation, b.place.rotation);
    let (ha, hb) = (a.half, b.half);
    let (c, s) = ((ca * cb + sa * sb).abs(), (ca * sb - sa * cb).abs());
    // Axes: x and y of A, x and y of B.
    let first = [d.x, d.y, d.x, d.y];
    let second = [d.y, -d.x, d.y, -d.x];
    let (cos, sin) = ([ca, ca, cb, cb], [sa, sa, sb, sb]);
    let own = [ha.x, ha.y, hb.x, hb.y];
    let (along, across) = ([hb.x, hb.y, ha.x, ha.y], [hb.y, hb.x, ha.y, ha.x]);
    let mut separation = [0.0; 4];
    for k in 0..4 {
        separation[k] =
            (first[k] * cos[k] + second[k] * sin[k]).abs() - (own[k] + (c * along[k] + s * across[k]));
    }
    separation.iter().fold(true, |all, &s| all & (s <= 0.0))
}

/// One contact point of the kernel.
#[derive(Clone, Copy)]
pub(crate) struct KernelPoint<L> {
    pub(crate) point: [L; 2],
    pub(crate) separation: L,
}

/// The manifold of a pair, or of eight, as numbers.
pub(crate) struct BoxManifold<L: Lane> {
    pub(crate) normal: [L; 2],
    /// Lower and upper end along the tangent of A's face.
    pub(crate) points: [KernelPoint<L>; 2],
    pub(crate) face_a: L,
    pub(crate) face_b: L,
    /// The greatest of the four separations, radii included.
    pub(crate) separation: L,
    /// Whether the separation is within the margin.
    pub(crate) near: L::Mask,
    /// Whether the incident face lies beside the reference face, or is nearest beside it: then two
    /// corners decide.
    pub(crate) beside: L::Mask,
    pub(crate) reference_is_b: L::Mask,
}

/// The manifold of two boxes.
///
/// 1. [`view`]: the reference box is the one with the greater separation along its best axis; it is
///    looked at in its own frame, turned so that this axis, pointing at the other box, is n, and
///    t = n turned left.
/// 2. [`incident_face`]: the face of the other box that faces n most, as two ends in (n, t).
/// 3. [`clip_to_face`]: the ends cut to |t| <= the half length of the reference face.
/// 4. Back to the frame of the boxes, and to the order A, B.
#[inline(always)]
pub(crate) fn contacts<L: Lane>(a: &Boxes<L>, b: &Boxes<L>, margin: L) -> BoxManifold<L> {
    let axes = axes(a, b);
    let view = view(a, b, &axes);
    let face = incident_face(&view);
    let (low, high) = clip_to_face(&face, view.half[1]);

    let (zero, one, half) = (a.cos.splat(0.0), a.cos.splat(1.0), a.cos.splat(0.5));
    let pick = inlined(
        #[inline(always)]
        |of_b: L, of_a: L| L::select(view.reference_is_b, of_b, of_a),
    );
    let (cos, sin) = (pick(b.cos, a.cos), pick(b.sin, a.sin));
    let n = [view.side * L::select(view.y_leads, -sin, cos), view.side * L::select(view.y_leads, cos, sin)];
    let center = [pick(b.center[0], a.center[0]), pick(b.center[1], a.center[1])];
    let (r_radius, i_radius) = (pick(b.radius, a.radius), pick(a.radius, b.radius));
    let reach = a.radius + b.radius;
    let place = inlined(
        #[inline(always)]
        |end: [L; 2]| {
            // Halfway between the reference's surface and the incident one's.
            let middle = half * (end[0] + view.half[0] + r_radius - i_radius);
            let point =
                [center[0] + (n[0] * middle - n[1] * end[1]), center[1] + (n[1] * middle + n[0] * end[1])];
            KernelPoint { point, separation: (end[0] - view.half[0]) - reach }
        },
    );
    // The tangent of A's face runs against that of B's.
    let (first, second) = (place(low), place(high));
    let either = inlined(
        #[inline(always)]
        |of_b: KernelPoint<L>, of_a: KernelPoint<L>| KernelPoint {
            point: [pick(of_b.point[0], of_a.point[0]), pick(of_b.point[1], of_a.point[1])],
            separation: pick(of_b.separation, of_a.separation),
        },
    );
    // Faces 0 to 3 look along -y, +x, +y, -x.
    let number = inlined(
        #[inline(always)]
        |along_y: L::Mask, positive: L::Mask| {
            let of_y = L::select(positive, a.cos.splat(2.0), zero);
            let of_x = L::select(positive, one, a.cos.splat(3.0));
            L::select(along_y, of_y, of_x)
        },
    );
    let r_face = number(view.y_leads, zero.lt(view.side));
    let i_face = number(!face.along_x, zero.lt(face.side));
    BoxManifold {
        normal: [pick(-n[0], n[0]), pick(-n[1], n[1])],
        points: [either(second, first), either(first, second)],
        face_a: pick(i_face, r_face),
        face_b: pick(r_face, i_face),
        separation: view.separation - reach,
        near: (view.separation - reach).le(margin),
        beside: !low[1].le(high[1]) | overhangs(&view, low[0].smaller(high[0])),
        reference_is_b: view.reference_is_b,
    }
}

/// Whether two boxes that are apart are nearest at two corners: the corner that is nearest along n
/// is beyond the end of the face, and `lowest`, the lowest point of its clipped edge, is farther
/// away.
#[inline(always)]
fn overhangs<L: Lane>(view: &View<L>, lowest: L) -> L::Mask {
    let size = view.half[0] + view.half[1] + view.incident_half[0] + view.incident_half[1];
    let noise = size * size.splat(SEPARATION_NOISE);
    noise.lt(view.separation) & noise.lt((lowest - view.half[0]) - view.separation)
}

/// The incident box as the reference box sees it, along its best axis n and to the left, t.
struct View<L: Lane> {
    reference_is_b: L::Mask,
    /// Whether n lies along the reference's y axis, and whether it points along it (1) or against
    /// it (-1).
    y_leads: L::Mask,
    side: L,
    separation: L,
    /// Half sizes of the reference box along n and t.
    half: [L; 2],
    /// Centre of the incident box, and its x axis; its y axis is the latter turned left.
    center: [L; 2],
    x_axis: [L; 2],
    /// Half sizes of the incident box along its own axes.
    incident_half: [L; 2],
}

/// Stage 1 of [`contacts`]. Ties between the boxes go by [`precedes`].
#[inline(always)]
fn view<L: Lane>(a: &Boxes<L>, b: &Boxes<L>, axes: &BoxAxes<L>) -> View<L> {
    let zero = a.cos.splat(0.0);
    let one = a.cos.splat(1.0);
    let (y_leads_a, y_leads_b) = (axes.s_a[0].lt(axes.s_a[1]), axes.s_b[0].lt(axes.s_b[1]));
    let best_a = L::select(y_leads_a, axes.s_a[1], axes.s_a[0]);
    let best_b = L::select(y_leads_b, axes.s_b[1], axes.s_b[0]);
    let reference_is_b = best_a.lt(best_b) | (best_a.eq(best_b) & precedes(b, a));
    let pick = inlined(
        #[inline(always)]
        |of_b: L, of_a: L| L::select(reference_is_b, of_b, of_a),
    );
    let y_leads = (reference_is_b & y_leads_b) | (!reference_is_b & y_leads_a);

    let half = [pick(b.half[0], a.half[0]), pick(b.half[1], a.half[1])];
    let p = [pick(-axes.d_b[0], axes.d_a[0]), pick(-axes.d_b[1], axes.d_a[1])];
    let (c, s) = (axes.c, pick(-axes.s, axes.s));
    let ahead = L::select(y_leads, p[1], p[0]);
    let side = L::select(ahead.lt(zero), -one, one);
    View {
        reference_is_b,
        y_leads,
        side,
        separation: pick(best_b, best_a),
        half: [L::select(y_leads, half[1], half[0]), L::select(y_leads, half[0], half[1])],
        center: [side * ahead, side * L::select(y_leads, -p[0], p[1])],
        x_axis: [side * L::select(y_leads, s, c), side * L::select(y_leads, -c, s)],
        incident_half: [pick(a.half[0], b.half[0]), pick(a.half[1], b.half[1])],
    }
}

/// The incident face in (n, t).
struct Face<L: Lane> {
    /// Whether it belongs to the incident box's x axis, and on which side.
    along_x: L::Mask,
    side: L,
    low: [L; 2],
    high: [L; 2],
    /// How n changes with t along it.
    slope: L,
}

/// Stage 2 of [`contacts`]: with m the normal of the face, `h_m` the half size along m and `h_e`
/// the one along the face, the ends are p + m `h_m` ± (-`m_t`, `m_n`) `h_e`. As m faces against n,
/// `m_n` is at most -√½.
#[inline(always)]
fn incident_face<L: Lane>(view: &View<L>) -> Face<L> {
    let zero = view.side.splat(0.0);
    let one = view.side.splat(1.0);
    let sign = inlined(
        #[inline(always)]
        |x: L| L::select(x.lt(zero), -one, one),
    );
    let ([p_n, p_t], [u_n, u_t]) = (view.center, view.x_axis);
    let along_x = u_t.abs().le(u_n.abs());
    let side = L::select(along_x, -sign(u_n), sign(u_t));
    let m_n = side * L::select(along_x, u_n, -u_t);
    let m_t = side * L::select(along_x, u_t, u_n);
    let h_m = L::select(along_x, view.incident_half[0], view.incident_half[1]);
    let h_e = L::select(along_x, view.incident_half[1], view.incident_half[0]);
    let middle = [p_n + m_n * h_m, p_t + m_t * h_m];
    Face {
        along_x,
        side,
        low: [middle[0] - m_t * h_e, middle[1] + m_n * h_e],
        high: [middle[0] + m_t * h_e, middle[1] - m_n * h_e],
        slope: -m_t / m_n,
    }
}

/// Stage 3 of [`contacts`]. Where the faces lie beside each other, low ends up above high.
#[inline(always)]
fn clip_to_face<L: Lane>(face: &Face<L>, half_length: L) -> ([L; 2], [L; 2]) {
    let t_low = face.low[1].larger(-half_length);
    let t_high = face.high[1].smaller(half_length);
    let n_low = face.low[0] + (t_low - face.low[1]) * face.slope;
    let n_high = face.high[0] + (t_high - face.high[1]) * face.slope;
    ([n_low, t_low], [n_high, t_high])
}

/// An order of two boxes that does not depend on where both of them are: by centre, turn, size,
/// radius.
#[inline(always)]
fn precedes<L: Lane>(a: &Boxes<L>, b: &Boxes<L>) -> L::Mask {
    let radius = a.radius.lt(b.radius);
    let height = a.half[1].lt(b.half[1]) | (a.half[1].eq(b.half[1]) & radius);
    let size = a.half[0].lt(b.half[0]) | (a.half[0].eq(b.half[0]) & height);
    let sin = a.sin.lt(b.sin) | (a.sin.eq(b.sin) & size);
    let cos = a.cos.lt(b.cos) | (a.cos.eq(b.cos) & sin);
    let y = a.center[1].lt(b.center[1]) | (a.center[1].eq(b.center[1]) & cos);
    a.center[0].lt(b.center[0]) | (a.center[0].eq(b.center[0]) & y)
}

/// The manifold as it is stored, unused places zero.
pub(crate) struct Packed<L: Lane> {
    pub(crate) normal: [L; 2],
    pub(crate) points: [KernelPoint<L>; 2],
    /// a + 256 b + 65,536 end, as [`FeatureId::from_number`] reads it.
    pub(crate) ids: [L; 2],
    pub(crate) count: L,
    /// Whether two corners must decide instead: [`collide_corners`].
    pub(crate) corners: L::Mask,
    pub(crate) reference_is_b: L::Mask,
}

/// Keeps the points that are within `margin`, the lower end first, without a branch.
#[inline(always)]
pub(crate) fn pack<L: Lane>(contacts: &BoxManifold<L>, margin: L) -> Packed<L> {
    let zero = margin.splat(0.0);
    let one = margin.splat(1.0);
    let [low, high] = contacts.points;
    let faces = contacts.near & !contacts.beside;
    let (keep_low, keep_high) = (faces & low.separation.le(margin), faces & high.separation.le(margin));
    // Ends and axes round differently: if a pair is within the margin by its axes but not by its
    // ends, the deeper end stays, or both.
    let neither = faces & !(keep_low | keep_high);
    let keep_low = keep_low | (neither & low.separation.le(high.separation));
    let keep_high = keep_high | (neither & high.separation.le(low.separation));
    let within = inlined(
        #[inline(always)]
        |separation: L| L::select(neither, contacts.separation, separation),
    );
    let (any, both) = (keep_low | keep_high, keep_low & keep_high);
    let first = inlined(
        #[inline(always)]
        |of_low: L, of_high: L| L::select(keep_low, of_low, L::select(keep_high, of_high, zero)),
    );
    let second = inlined(
        #[inline(always)]
        |of_high: L| L::select(both, of_high, zero),
    );
    let faces_id = contacts.face_a + contacts.face_b * margin.splat(256.0);
    let high_id = faces_id + margin.splat(65_536.0);
    let as_number = inlined(
        #[inline(always)]
        |mask: L::Mask| L::select(mask, one, zero),
    );
    Packed {
        normal: contacts.normal.map(
            #[inline(always)]
            |n| L::select(any, n, zero),
        ),
        points: [
            KernelPoint {
                point: [first(low.point[0], high.point[0]), first(low.point[1], high.point[1])],
                separation: within(first(low.separation, high.separation)),
            },
            KernelPoint {
                point: [second(high.point[0]), second(high.point[1])],
                separation: L::select(both, within(high.separation), zero),
            },
        ],
        ids: [first(faces_id, high_id), second(high_id)],
        count: as_number(keep_low) + as_number(keep_high),
        corners: contacts.near & !any,
        reference_is_b: contacts.reference_is_b,
    }
}

/// The manifold of two boxes, if they are within `margin`: the scalar twin of
/// `wide::contact_boxes`.
pub(crate) fn collide(a: &Obb, b: &Obb, margin: f32) -> Option<Manifold> {
    let contacts = contacts(&Boxes::from(a), &Boxes::from(b), margin);
    if !contacts.near {
        return None;
    }
    let packed = pack(&contacts, margin);
    if packed.corners {
        return collide_corners(a, b, packed.reference_is_b, margin);
    }
    let point = |end: usize| ManifoldPoint {
        point: packed.points[end].point.into(),
        separation: packed.points[end].separation,
        id: FeatureId::from_number(packed.ids[end] as u32),
    };
    Some(Manifold::from_points(packed.normal.into(), [point(0), point(1)], packed.count as u32))
}

/// The rare pair whose faces lie beside each other, corner to corner: through the general test, in
/// the order that the kernel chose, so that it stays symmetric, and seen from the reference box, so
/// that it is as exact far from the origin as near it.
pub(crate) fn collide_corners(a: &Obb, b: &Obb, reference_is_b: bool, margin: f32) -> Option<Manifold> {
    let (reference, incident) = if reference_is_b { (b, a) } else { (a, b) };
    let origin = reference.place.position;
    let seen = |obb: &Obb| Convex::from(&obb.shifted(-origin));
    let found = clip::collide(&seen(reference), &seen(incident), margin)?.transformed(Transform::at(origin));
    Some(if reference_is_b { found.flipped() } else { found })
}
