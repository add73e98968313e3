//! Any graph: nodes by index, edges with lengths.
//!
//! In: a type that lists the edges of a node ([`List`], [`Matrix`], or your own [`Graph`]). Out:
//! paths, by the same searches as on tiles. Tiles have searches of their own, which know more and
//! are faster; both find the same lengths.

mod list;
mod matrix;
mod search;
#[cfg(feature = "world")]
mod waypoints;

pub use list::List;
pub use matrix::Matrix;
pub use search::{GraphSearch, Order};
#[cfg(feature = "world")]
pub use waypoints::Waypoints;

use core::fmt;

/// Nodes `0..node_count`, and the edges that leave each node.
pub trait Graph {
    /// The number of nodes.
    fn node_count(&self) -> usize;

    /// Calls `take` for each edge that leaves a node, with the edge's end, which is below
    /// [`node_count`](Graph::node_count) (a search may panic otherwise), and its length. The order
    /// of the edges decides between paths of equal length.
    fn each_edge(&self, node: usize, take: impl FnMut(usize, u32));
}

/// The rule that a graph's definition, or a search on one, broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// The graph has no such node.
    NoSuchNode(usize),
    /// More than 2^31 nodes or edges.
    TooLarge,
    /// The shortest path is longer than [`LIMIT`](crate::length::LIMIT).
    TooFar,
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::NoSuchNode(node) => write!(f, "the graph has no node {node}"),
            GraphError::TooLarge => write!(f, "a graph has at most 2^31 nodes and edges"),
            GraphError::TooFar => write!(f, "the shortest way is longer than lengths can say"),
        }
    }
}

impl core::error::Error for GraphError {}
