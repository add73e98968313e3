//! A graph as lists of edges.

use super::{Graph, GraphError};

/// For each node, the edges that leave it, in the given order.
///
/// ```
/// use carom_nav::graph::{Graph, List};
///
/// let list = List::both_ways(3, &[(0, 1, 5), (1, 2, 7)])?;
/// let mut edges = Vec::new();
/// list.each_edge(1, |to, length| edges.push((to, length)));
/// assert_eq!(edges, [(0, 5), (2, 7)]);
/// # Ok::<(), carom_nav::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// Index of the first edge of each node, and at the end the number of edges.
    starts: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl List {
    /// A list of directed edges: first node, last node, and length in any unit.
    ///
    /// # Errors
    /// [`GraphError::NoSuchNode`] for an end that is `node_count` or more, [`GraphError::TooLarge`]
    /// for more than 2^31 nodes or edges.
    pub fn new(node_count: usize, edges: &[(usize, usize, u32)]) -> Result<List, GraphError> {
        if node_count > 1 << 31 || edges.len() > 1 << 31 {
            return Err(GraphError::TooLarge);
        }
        let strange = edges.iter().flat_map(|&(from, to, _)| [from, to]).find(|&node| node >= node_count);
        if let Some(node) = strange {
            return Err(GraphError::NoSuchNode(node));
        }
        let mut starts = vec![0; node_count + 1];
        edges.iter().for_each(|&(from, ..)| starts[from + 1] += 1);
        for node in 0..node_count {
            starts[node + 1] += starts[node];
        }
        let mut sorted = vec![(0, 0); edges.len()];
        let mut next = starts.clone();
        for &(from, to, length) in edges {
            sorted[next[from] as usize] = (to as u32, length);
            next[from] += 1;
        }
        Ok(List { starts, edges: sorted })
    }

    /// A list with each edge in both directions.
    ///
    /// # Errors
    /// As [`List::new`]; each edge counts twice.
    pub fn both_ways(node_count: usize, edges: &[(usize, usize, u32)]) -> Result<List, GraphError> {
        let both: Vec<_> =
            edges.iter().flat_map(|&(from, to, length)| [(from, to, length), (to, from, length)]).collect();
        List::new(node_count, &both)
    }
}

impl Graph for List {
    fn node_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn each_edge(&self, node: usize, mut take: impl FnMut(usize, u32)) {
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        self.edges[range].iter().for_each(|&(to, length)| take(to as usize, length));
    }
}
