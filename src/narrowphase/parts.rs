//! Shapes of several convex pieces: the search for pairs of pieces that are worth a test.
//!
//! In: two shapes and the place of the second in the frame of the first. Out: pairs of part
//! numbers, found through the trees of boxes; the pair tests themselves are in `mod.rs`.

use std::cell::Cell;

use super::manifold::Distance;
use crate::bounds::Aabb;
use crate::math::{Transform, max};
use crate::shape::Shape;

/// Calls `visit` with every pair of parts whose boxes come within `margin`, until it answers false.
pub(crate) fn for_near_parts(
    a: &Shape,
    b: &Shape,
    b_in_a: Transform,
    margin: f32,
    mut visit: impl FnMut(usize, usize) -> bool,
) {
    let near = |boxed: Aabb| move |node: &Aabb| node.overlaps(&boxed);
    match (a.tree(), b.tree()) {
        (None, None) => {
            if a.piece_count() > 0 && b.piece_count() > 0 {
                visit(0, 0);
            }
        }
        (Some(tree_a), None) => {
            if b.piece_count() > 0 {
                let box_b = b.aabb(b_in_a).grown(margin);
                tree_a.visit(near(box_b), |part_a| visit(part_a as usize, 0));
            }
        }
        (None, Some(tree_b)) => {
            if a.piece_count() > 0 {
                let box_a = a.aabb(b_in_a.inverse()).grown(margin);
                tree_b.visit(near(box_a), |part_b| visit(0, part_b as usize));
            }
        }
        (Some(tree_a), Some(tree_b)) => {
            let box_b = tree_b.aabb().transformed(b_in_a).grown(margin);
            let a_in_b = b_in_a.inverse();
            let going = Cell::new(true);
            tree_a.visit(near(box_b), |part_a| {
                let box_a = a.piece(part_a as usize).aabb(a_in_b).grown(margin);
                tree_b.visit(near(box_a), |part_b| {
                    going.set(visit(part_a as usize, part_b as usize));
                    going.get()
                });
                going.get()
            });
        }
    }
}

/// The least of the distances between parts, by branch and bound over the trees.
pub(crate) fn least_distance(
    a: &Shape,
    b: &Shape,
    b_in_a: Transform,
    mut test: impl FnMut(usize, usize) -> Distance,
) -> Distance {
    let best = Cell::new(Distance::INFINITE);
    let mut take = |part_a: usize, part_b: usize| {
        let distance = test(part_a, part_b);
        if distance.separation < best.get().separation {
            best.set(distance);
        }
        true
    };
    // A box farther than the best distance so far holds no nearer piece; after an overlap, only
    // boxes that overlap can hold a deeper piece.
    let promising = |boxed: Aabb| {
        let best = &best;
        move |node: &Aabb| {
            let bound = max(best.get().separation, 0.0);
            node.distance_squared(&boxed) <= bound * bound
        }
    };
    match (a.tree(), b.tree()) {
        (None, None) => {
            take(0, 0);
        }
        (Some(tree_a), None) => {
            tree_a.visit(promising(b.aabb(b_in_a)), |part_a| take(part_a as usize, 0));
        }
        (None, Some(tree_b)) => {
            tree_b.visit(promising(a.aabb(b_in_a.inverse())), |part_b| take(0, part_b as usize));
        }
        (Some(tree_a), Some(tree_b)) => {
            let a_in_b = b_in_a.inverse();
            tree_a.visit(promising(tree_b.aabb().transformed(b_in_a)), |part_a| {
                let box_a = a.piece(part_a as usize).aabb(a_in_b);
                tree_b.visit(promising(box_a), |part_b| take(part_a as usize, part_b as usize));
                true
            });
        }
    }
    best.get()
}
