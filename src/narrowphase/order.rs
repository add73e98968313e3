//! The order of two shapes in a test.
//!
//! Every pair is brought into one order before it is tested, and the answer is turned round
//! afterwards. So exchanging the arguments exchanges the answer bit for bit, whatever the test does
//! in between.

use core::cmp::Ordering;

use super::manifold::{Distance, Manifold};
use crate::math::Transform;
use crate::shape::{Piece, Shape};

/// A pair in its order, and the place of the second shape in the frame of the first.
pub(crate) struct OrderedPair<'s> {
    pub(crate) a: &'s Shape,
    pub(crate) b: &'s Shape,
    pub(crate) b_in_a: Transform,
    place_a: Transform,
    swapped: bool,
}

impl<'s> OrderedPair<'s> {
    #[inline]
    pub(crate) fn new(a: &'s Shape, xa: &Transform, b: &'s Shape, xb: &Transform) -> OrderedPair<'s> {
        // Picked by index: the order is a coin toss, so a branch would be mispredicted half the
        // time. By reference: a place that is copied in halves and read back whole waits for the
        // store buffer.
        let pair = [(a, xa), (b, xb)];
        let swapped = is_swapped(a, xa, b, xb);
        let ((a, xa), (b, xb)) = (pair[usize::from(swapped)], pair[usize::from(!swapped)]);
        OrderedPair { a, b, b_in_a: xa.relative(*xb), place_a: *xa, swapped }
    }

    /// Both pieces, when each shape consists of one.
    #[inline]
    pub(crate) fn only_pieces(&self) -> Option<(Piece<'s>, Piece<'s>)> {
        self.a.only_piece().zip(self.b.only_piece())
    }

    /// A manifold of the ordered pair, for the pair as it was given.
    pub(crate) fn manifold_out(&self, found: &Manifold) -> Manifold {
        let placed = found.transformed(self.place_a);
        if self.swapped { placed.flipped() } else { placed }
    }

    /// A distance of the ordered pair, for the pair as it was given.
    pub(crate) fn distance_out(&self, found: Distance) -> Distance {
        let placed = found.transformed(self.place_a);
        if self.swapped { placed.flipped() } else { placed }
    }
}

/// Whether `b` goes before `a`.
#[inline]
pub(crate) fn is_swapped(a: &Shape, xa: &Transform, b: &Shape, xb: &Transform) -> bool {
    let (rank_a, rank_b) = (rank(a), rank(b));
    if rank_a != rank_b {
        return rank_a > rank_b;
    }
    let (x_a, x_b) = (xa.position.x, xb.position.x);
    if x_a != x_b { x_a > x_b } else { is_swapped_on_a_tie(a, xa, b, xb) }
}

/// Equal kinds at equal x: by the rest of the place, then by content.
#[cold]
fn is_swapped_on_a_tie(a: &Shape, xa: &Transform, b: &Shape, xb: &Transform) -> bool {
    by_place(xa, xb).then_with(|| by_bytes(a, b)) == Ordering::Greater
}

fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Invalid(_) => 0,
        Shape::HalfPlane(_) => 1,
        Shape::Circle(_) => 2,
        Shape::Capsule(_) => 3,
        Shape::Segment(_) => 4,
        Shape::Obb(_) => 5,
        Shape::Polygon(_) => 6,
        Shape::Polar(_) => 7,
        Shape::Compound(_) => 8,
        Shape::Chain(_) => 9,
        Shape::Tiles(_) => 10,
    }
}

/// By position and rotation. Moving both shapes together keeps the order.
fn by_place(xa: &Transform, xb: &Transform) -> Ordering {
    let key = |x: &Transform| [x.position.x, x.position.y, x.rotation.cos, x.rotation.sin];
    let (ka, kb) = (key(xa), key(xb));
    ka.iter().zip(&kb).map(|(p, q)| p.total_cmp(q)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// By content; equal content at an equal place is the same pair either way round.
fn by_bytes(a: &Shape, b: &Shape) -> Ordering {
    if let (Some(a), Some(b)) = (a.tile_map(), b.tile_map()) {
        return a.order(b);
    }
    let count = a.piece_count();
    let by_pieces = || {
        let pairs = (0..count).map(|part| (a.piece(part), b.piece(part)));
        pairs.map(|(p, q)| p.bytes().cmp(q.bytes())).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    count.cmp(&b.piece_count()).then_with(by_pieces)
}
