//! A graph as a table of lengths.

use super::{Graph, GraphError};

/// A length for every pair of nodes, or none. Memory grows with the square of the number of nodes:
/// for small graphs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    count: usize,
    /// Row by row; `u32::MAX` for a missing edge.
    lengths: Vec<u32>,
}

impl Matrix {
    /// A graph of `node_count` nodes without edges. It takes 4 bytes for each pair of nodes.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`] for more than 32,768 nodes.
    pub fn new(node_count: usize) -> Result<Matrix, GraphError> {
        if node_count > 1 << 15 {
            return Err(GraphError::TooLarge);
        }
        Ok(Matrix { count: node_count, lengths: vec![u32::MAX; node_count * node_count] })
    }

    /// Sets the length of the edge between two nodes, in this direction alone; `None` removes it.
    ///
    /// # Errors
    /// [`GraphError::NoSuchNode`] for an end that the graph does not have.
    pub fn set(&mut self, from: usize, to: usize, length: Option<u32>) -> Result<(), GraphError> {
        if let Some(&node) = [from, to].iter().find(|&&node| node >= self.count) {
            return Err(GraphError::NoSuchNode(node));
        }
        self.lengths[from * self.count + to] =
            length.unwrap_or(u32::MAX).min(u32::MAX - u32::from(length.is_some()));
        Ok(())
    }
}

impl Graph for Matrix {
    fn node_count(&self) -> usize {
        self.count
    }

    fn each_edge(&self, node: usize, mut take: impl FnMut(usize, u32)) {
        let row = &self.lengths[node * self.count..(node + 1) * self.count];
        row.iter()
            .enumerate()
            .filter(|&(_, &length)| length < u32::MAX)
            .for_each(|(to, &length)| take(to, length));
    }
}
