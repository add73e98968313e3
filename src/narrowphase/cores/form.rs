//! Cores as lanes read them.
//!
//! In: pieces, once each. Out: rows of numbers; and from the rows of eight parts, their corners in
//! lanes, a lane for each part.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::narrowphase::convex;
use crate::narrowphase::convex::Convex;
use crate::shape::Piece;
use crate::simd::{LANES, Lane, Width, inlined};
use crate::tuning::MAX_POLYGON_VERTICES;

/// The core of a part about a middle of its own, as lanes read it. It never changes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Form {
    /// x of corners 0 to 3, y of them; x and y of the normals of the edges that begin there; and
    /// likewise corners 4 to 7. Beyond the last corner they begin again.
    pub(crate) rows: [[f32; LANES]; 4],
    /// `[radius, 1 where half sizes scale the corners and 0 elsewhere, number of corners, 0]`
    pub(crate) facts: [f32; 4],
}

impl Form {
    /// Every sharp box: a square that its half sizes scale.
    pub(crate) const BOX: Form = Form {
        rows: [
            [-1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, 1.0],
            [0.0, 1.0, 0.0, -1.0, -1.0, 0.0, 1.0, 0.0],
            [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
            [0.0, 0.0, 0.0, 0.0, -1.0, -1.0, -1.0, -1.0],
        ],
        facts: [0.0, 1.0, 4.0, 0.0],
    };

    /// The form of a piece, seen from `middle`; half-planes have none.
    pub(crate) fn new(piece: Piece, middle: Vec2) -> Option<Form> {
        if matches!(piece, Piece::HalfPlane(_)) {
            return None;
        }
        let core: Convex = convex(piece);
        let mut form = Form { rows: [[0.0; LANES]; 4], facts: [core.radius, 0.0, core.count() as f32, 0.0] };
        for k in 0..MAX_POLYGON_VERTICES {
            let corner = if k < core.count() { k } else { 0 };
            let (v, n) = (core.vertex(corner) - middle, core.normal(corner));
            let (row, place) = (k / 4 * 2, k % 4);
            (form.rows[row][place], form.rows[row][4 + place]) = (v.x, v.y);
            (form.rows[row + 1][place], form.rows[row + 1][4 + place]) = (n.x, n.y);
        }
        Some(form)
    }
}

/// Where forms stand: four rows each, and the facts.
#[derive(Clone, Copy)]
pub(crate) struct Forms<'w> {
    pub(crate) rows: &'w [[f32; LANES]],
    pub(crate) facts: &'w [[f32; 4]],
}

/// One core, or eight.
#[derive(Clone, Copy)]
pub(crate) struct Cores<L> {
    pub(super) x: [L; MAX_POLYGON_VERTICES],
    pub(super) y: [L; MAX_POLYGON_VERTICES],
    pub(super) nx: [L; MAX_POLYGON_VERTICES],
    pub(super) ny: [L; MAX_POLYGON_VERTICES],
    pub(crate) radius: L,
    pub(super) count: L,
    /// The greatest number of corners of the eight.
    pub(super) most: usize,
}

impl<L: Lane> Cores<L> {
    /// The forms `at`; `half` are half sizes where they scale.
    #[inline(always)]
    pub(crate) fn read<W: Width<L = L>>(w: W, forms: &Forms, at: &[u32; LANES], half: [L; 2]) -> Cores<L> {
        w.apart(
            #[inline(always)]
            || {
                let most = at.iter().fold(0, |most, &at| forms.facts[at as usize][2].to_bits().max(most));
                let most = f32::from_bits(most) as usize;
                let row = inlined(
                    #[inline(always)]
                    |number: u32| {
                        let [a, b, c, d, e, f, g, h] = *at;
                        let row = |at: u32| 4 * at + number;
                        w.gather_eight(
                            forms.rows,
                            &[row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)],
                        )
                    },
                );
                let [radius, scaled, count, _] = w.gather(forms.facts, at);
                let scaled = w.splat(0.5).lt(scaled);
                let one = w.splat(1.0);
                let (h, v) = (L::select(scaled, half[0], one), L::select(scaled, half[1], one));
                let ([a, b, c, d, p, q, r, s], [na, nb, nc, nd, np, nq, nr, ns]) = (row(0), row(1));
                let first = Cores {
                    x: [a * h, b * h, c * h, d * h, a * h, a * h, a * h, a * h],
                    y: [p * v, q * v, r * v, s * v, p * v, p * v, p * v, p * v],
                    nx: [na, nb, nc, nd, na, na, na, na],
                    ny: [np, nq, nr, ns, np, np, np, np],
                    radius,
                    count,
                    most,
                };
                if most <= 4 {
                    return first;
                }
                let ([e, f, g, i, t, u, j, k], [ne, nf, ng, ni, nt, nu, nj, nk]) = (row(2), row(3));
                Cores {
                    x: [first.x[0], first.x[1], first.x[2], first.x[3], e * h, f * h, g * h, i * h],
                    y: [first.y[0], first.y[1], first.y[2], first.y[3], t * v, u * v, j * v, k * v],
                    nx: [na, nb, nc, nd, ne, nf, ng, ni],
                    ny: [np, nq, nr, ns, nt, nu, nj, nk],
                    ..first
                }
            },
        )
    }
}
