//! The working copy of a tree: the joint data that sub-steps read and write, copied from blocks and
//! drives, and kept until the next layout.
//!
//! In: blocks and drives, masses. Out: edges, drive rows and nodes; and impulses back in blocks and
//! drives on demand. Passes read only this copy, in order; it is a third of the whole.

pub(super) use super::tree::{DriveRow, Tree, TreeBlocks, TreeEdge};
use crate::simd::{Lane, Width};
use crate::solver::joints::block::{Driven, Drives, JointBlock, LIMITS, MOTOR, SERVO};
use crate::solver::joints::small_matrix::{read, write};

/// Changes in the blocks and drives of trees since they were copied.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fresh {
    /// The drives.
    pub(crate) drives: bool,
    /// Impulses that joints kept from the step before.
    pub(crate) impulses: bool,
}

impl Fresh {
    pub(crate) const ALL: Fresh = Fresh { drives: true, impulses: true };
}

/// Begins a step: copies masses and changed data, and sets the gain of energy to 0.
#[inline(always)]
pub(crate) fn begin<W: Width>(w: W, tree: &mut Tree, home: &TreeBlocks, mass: &[[f32; 4]]) {
    let (zero, fresh) = (w.splat(0.0), tree.fresh);
    w.write(&mut tree.gain, zero);
    for node in &mut tree.nodes {
        let [x, y, spin, _] = w.gather(mass, &node.rows);
        write(w, &mut node.inv_mass, [x, y]);
        w.write(&mut node.inv_spin, spin);
        for (mass, inverse) in node.mass.iter_mut().zip([x, y, spin]) {
            w.write(mass, W::L::select(zero.lt(inverse), w.splat(1.0) / inverse, zero));
        }
    }
    for edge in &mut tree.edges {
        write(w, &mut edge.total, [zero; 3]);
        if !fresh.drives && !fresh.impulses {
            continue;
        }
        let (block, drives) = home.read(edge);
        if fresh.impulses {
            for (held, of_block) in edge.held.iter_mut().zip(&block.held) {
                write(w, held, read(w, of_block));
            }
        }
        let Some(drives) = drives else { continue };
        for muscle in &mut tree.drive_rows[edge.drive_rows()] {
            let driven = &drives[muscle.number as usize];
            if fresh.impulses {
                fetch_impulses(w, edge, muscle, driven);
            }
            fetch_drive(w, muscle, driven);
        }
    }
}

#[inline(always)]
fn fetch_impulses<W: Width>(w: W, edge: &mut TreeEdge, muscle: &mut DriveRow, driven: &Driven) {
    let number = muscle.number as usize;
    for half in 0..2 {
        let [servo, motor, limits] = read(w, &driven.impulse[half]);
        write(w, &mut muscle.impulse[half], [servo, motor]);
        if edge.form.drives(number, LIMITS) {
            w.write(&mut edge.held[half][number], limits);
        }
    }
}

#[inline(always)]
fn fetch_drive<W: Width>(w: W, muscle: &mut DriveRow, driven: &Driven) {
    let columns = [
        (&mut muscle.share, &driven.share),
        (&mut muscle.target, &driven.target),
        (&mut muscle.pull, &driven.pull),
        (&mut muscle.most_pull, &driven.most_pull),
        (&mut muscle.speed, &driven.speed),
        (&mut muscle.max, &driven.max),
    ];
    for (to, from) in columns {
        w.write(to, w.read(from));
    }
    write(w, &mut muscle.bounds, [w.read(&driven.least), w.read(&driven.most)]);
    write(w, &mut muscle.limits, [w.read(&driven.lower), w.read(&driven.upper)]);
}

/// Writes impulses of an edge back to its block and drives.
#[inline(always)]
pub(crate) fn bring_in<W: Width>(
    w: W,
    (tree, edge): (&Tree, &TreeEdge),
    block: &mut JointBlock,
    drives: &mut Option<&mut Drives>,
) {
    write(w, &mut block.total, read(w, &edge.total));
    for (held, of_edge) in block.held.iter_mut().zip(&edge.held) {
        write(w, held, read(w, of_edge));
    }
    let Some(drives) = drives else { return };
    for muscle in &tree.drive_rows[edge.drive_rows()] {
        let number = muscle.number as usize;
        for (half, impulse) in drives[number].impulse.iter_mut().enumerate() {
            w.write(&mut impulse[SERVO], w.read(&muscle.impulse[half][0]));
            w.write(&mut impulse[MOTOR], w.read(&muscle.impulse[half][1]));
            if edge.form.drives(number, LIMITS) {
                w.write(&mut impulse[LIMITS], w.read(&edge.held[half][number]));
                w.write(&mut block.held[half][number], w.splat(0.0));
            }
        }
    }
}
