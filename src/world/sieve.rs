//! Which pairs are worth an exact test.
//!
//! In: contacts, or pairs that are none yet, whose parts are in one region, as placed circles and velocities. Out: those whose
//! circles come within the speculative distance at any time of the step.
//!
//! Boxes of the grid have room around them, and corners: most pairs of a loose heap are apart.
//! What a pair is asked here stands in two rows of 32 bytes and two of 16, eight pairs at a time; bodies, shapes and the
//! pairs' own rows are not touched.
//!
//! ```text
//!   c(t) = d + u t     from middle to middle, t from 0 to 1        u = (v + w × o) dt of B minus that of A
//!   t*   = -d·u / u·u, within 0 and 1: where c is shortest         o: from the centre of mass to the middle
//!   near when |c(t*)| <= r_a + r_b + margin + arcs                 arcs: ½ (w dt)² |o|, by which a turning middle leaves its line
//! ```
//!
//! At the end of a step the same is asked backwards: who may have gone through whom? With the ways of the bodies for v dt, and t
//! from 0 to -1.

use crate::body::collider::{PlacedRow, Proxy};
use crate::broadphase::Pair;
use crate::contact::Contacts;
use crate::simd::{AllLanes, EIGHT, LANES, Lane, Level, OneLane, Width, bits, dispatch, inlined};
use crate::tuning::SPECULATIVE_DISTANCE;

/// Room for the rounding of the test itself, as a share of what it compares.
const ROUNDING: f32 = 2.0e-6;

/// What pairs are made from.
pub(super) struct Circles<'w> {
    pub(super) placed: &'w [PlacedRow],
    pub(super) velocity: &'w [[f32; 4]],
    pub(super) rows: &'w [u32],
    pub(super) dt: f32,
    /// How far gravity may move anything in the step.
    pub(super) fall: f32,
    /// By row, how far a body must go to get through another; with a minus if it did not. If it is not empty, only pairs are near
    /// that moved as far as that against each other, and of which one went farther than it is thick.
    pub(super) cores: &'w [f32],
}

/// Eight pairs; those beyond the last one repeat the first.
struct Job {
    a: [u32; LANES],
    b: [u32; LANES],
    row_a: [u32; LANES],
    row_b: [u32; LANES],
    /// See [`Circles::cores`].
    core_a: [f32; LANES],
    core_b: [f32; LANES],
}

impl Job {
    #[inline(always)]
    fn new<T: Copy>(some: &[T], ends: impl Fn(T) -> (Pair, [u32; 2]), circles: &Circles) -> Job {
        let none = [0; LANES];
        let cores = [0.0; LANES];
        let mut job = Job { a: none, b: none, row_a: none, row_b: none, core_a: cores, core_b: cores };
        for k in 0..LANES {
            let (pair, bodies) = ends(some[if k < some.len() { k } else { 0 }]);
            (job.a[k], job.b[k]) = (pair.a, pair.b);
            let (row_a, row_b) = (circles.rows[bodies[0] as usize], circles.rows[bodies[1] as usize]);
            (job.row_a[k], job.row_b[k]) = (row_a, row_b);
            if !circles.cores.is_empty() {
                (job.core_a[k], job.core_b[k]) =
                    (circles.cores[row_a as usize], circles.cores[row_b as usize]);
            }
        }
        job
    }
}

/// Goes through `some` contacts, and tells `visit` of each whether it is near.
pub(super) fn sieve(
    level: Option<Level>,
    some: &[u32],
    contacts: &Contacts,
    circles: &Circles,
    visit: impl FnMut(u32, bool),
) {
    let ends = inlined(
        #[inline(always)]
        |contact: u32| {
            let link = &contacts.link[contact as usize];
            (contacts.pair[contact as usize], [link.body_a, link.body_b])
        },
    );
    sieve_all(level, some, ends, circles, visit);
}

/// The same of pairs that are no contacts.
pub(super) fn sieve_pairs(
    level: Option<Level>,
    some: &[Pair],
    parts: &[Proxy],
    circles: &Circles,
    visit: impl FnMut(Pair, bool),
) {
    let ends = inlined(
        #[inline(always)]
        |pair: Pair| (pair, [parts[pair.a as usize].body, parts[pair.b as usize].body]),
    );
    sieve_all(level, some, ends, circles, visit);
}

/// The same of anything that has two parts on two bodies.
#[inline(always)]
fn sieve_all<T: Copy>(
    level: Option<Level>,
    some: &[T],
    ends: impl Fn(T) -> (Pair, [u32; 2]) + Copy,
    circles: &Circles,
    mut visit: impl FnMut(T, bool),
) {
    match level {
        Some(level) if EIGHT => dispatch!(level, simd => {
            for some in some.chunks(LANES) {
                let job = Job::new(some, ends, circles);
                let near = bits(near(AllLanes(simd), &job, circles));
                for (lane, &one) in some.iter().enumerate() {
                    visit(one, near >> lane & 1 == 1);
                }
            }
        }),
        _ => {
            for some in some.chunks(LANES) {
                let job = Job::new(some, ends, circles);
                for (lane, &one) in some.iter().enumerate() {
                    visit(one, near(OneLane(lane), &job, circles));
                }
            }
        }
    }
}

/// Whether the circles of the pairs come near each other: see the head.
#[inline(always)]
fn near<W: Width>(w: W, job: &Job, circles: &Circles) -> <W::L as Lane>::Mask {
    let [a_x, a_y, _, _, a_hx, a_hy, a_ox, a_oy] = w.gather_eight(circles.placed, &job.a);
    let [b_x, b_y, _, _, b_hx, b_hy, b_ox, b_oy] = w.gather_eight(circles.placed, &job.b);
    let [va_x, va_y, w_a, _] = w.gather(circles.velocity, &job.row_a);
    let [vb_x, vb_y, w_b, _] = w.gather(circles.velocity, &job.row_b);
    let (zero, one, dt) = (w.splat(0.0), w.splat(1.0), w.splat(circles.dt));
    let (turn_a, turn_b) = (w_a * dt, w_b * dt);
    let (d_x, d_y) = (b_x - a_x, b_y - a_y);
    let u_x = (vb_x - va_x) * dt - (turn_b * b_oy - turn_a * a_oy);
    let u_y = (vb_y - va_y) * dt + (turn_b * b_ox - turn_a * a_ox);
    let along = d_x * u_x + d_y * u_y;
    let squared = (u_x * u_x + u_y * u_y).larger(w.splat(f32::MIN_POSITIVE));
    let t = (-along / squared).larger(zero).smaller(one);
    let (c_x, c_y) = (d_x + u_x * t, d_y + u_y * t);
    let arcs = turn_a * turn_a * (a_ox.abs() + a_oy.abs()) + turn_b * turn_b * (b_ox.abs() + b_oy.abs());
    let (r_a, r_b) = ((a_hx * a_hx + a_hy * a_hy).sqrt(), (b_hx * b_hx + b_hy * b_hy).sqrt());
    let radii = r_a + r_b;
    let rounding = (d_x.abs() + d_y.abs() + radii) * w.splat(ROUNDING);
    let room = w.splat(SPECULATIVE_DISTANCE + circles.fall) + w.splat(0.5) * arcs + rounding;
    let reach = radii + room;
    let near = (c_x * c_x + c_y * c_y).le(reach * reach);
    if circles.cores.is_empty() {
        return near;
    }
    // As the larger one sees it, which may turn: what goes round with it does not move. However the smaller one spins, the circle
    // inside of it only goes round with its own middle.
    let turn = W::L::select(r_b.le(r_a), turn_a, turn_b);
    let (way_x, way_y) = (u_x + turn * d_y, u_y - turn * d_x);
    let (core_a, core_b) = (w.read(&job.core_a), w.read(&job.core_b));
    let core = core_a.abs().smaller(core_b.abs());
    let arm = (r_a.smaller(r_b) - core).larger(zero) + rounding;
    let far = (way_x * way_x + way_y * way_y).sqrt() + (turn_b - turn_a).abs() * arm;
    near & (zero.lt(core_a) | zero.lt(core_b)) & (core - rounding).lt(far)
}
