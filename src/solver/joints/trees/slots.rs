//! Filling and emptying single lanes of a tree.
//!
//! In: a tree, and others of its shape. Out: the tree with lanes emptied, filled, or with new rows.
//! Their data is loaded from blocks as the next step begins: see `working_copy.rs`.

use super::tree::Tree;
use super::working_copy::Fresh;
use crate::body::NONE;

impl Tree {
    /// Whether a lane has a tree.
    pub(crate) fn uses(&self, lane: usize) -> bool {
        self.nodes[0].rows[lane] != 0
    }

    /// Whether lanes of `other` fit into this tree: it has the same shape.
    pub(crate) fn is_like(&self, other: &Tree) -> bool {
        let same = |(p, q): (&super::tree::TreeEdge, &super::tree::TreeEdge)| {
            (p.child, p.parent, p.child_is_b, p.extra, p.form)
                == (q.child, q.parent, q.child_is_b, q.extra, q.form)
        };
        (self.nodes.len(), self.edges.len(), self.heavy, self.own)
            == (other.nodes.len(), other.edges.len(), other.heavy, other.own)
            && self.edges.iter().zip(&other.edges).all(same)
    }

    /// All rows in a lane, ground rows included.
    pub(crate) fn rows_in(&self, lane: usize) -> impl Iterator<Item = u32> + '_ {
        let grounds = self.edges.iter().map(move |edge| edge.ground[lane]);
        self.nodes.iter().map(move |node| node.rows[lane]).chain(grounds).filter(|&row| row != 0)
    }

    /// Empties a lane.
    pub(crate) fn clear_lane(&mut self, lane: usize) {
        self.nodes.iter_mut().for_each(|node| node.rows[lane] = 0);
        self.edges.iter_mut().for_each(|edge| edge.ground[lane] = 0);
        self.note_ground();
    }

    /// Fills a lane from a lane of a tree of the same shape.
    pub(crate) fn fill_lane(&mut self, lane: usize, (other, its): (&Tree, usize)) {
        for (node, other) in self.nodes.iter_mut().zip(&other.nodes) {
            node.rows[lane] = other.rows[its];
        }
        for (edge, other) in self.edges.iter_mut().zip(&other.edges) {
            edge.ground[lane] = other.ground[its];
        }
        self.note_ground();
    }

    /// Changes the rows of bodies: `rows` is indexed by old row.
    pub(crate) fn rename(&mut self, rows: &[u32]) {
        let of_nodes = self.nodes.iter_mut().map(|node| &mut node.rows);
        for row in of_nodes.chain(self.edges.iter_mut().map(|edge| &mut edge.ground)).flatten() {
            *row = rows[*row as usize];
        }
    }

    /// All lanes are to be loaded anew from their blocks.
    pub(crate) fn renew(&mut self) {
        self.fresh = Fresh::ALL;
    }

    fn note_ground(&mut self) {
        let moves =
            |edge: &super::tree::TreeEdge| edge.parent == NONE && edge.ground.iter().any(|&row| row != 0);
        self.is_carried = self.edges.iter().any(moves);
    }
}
