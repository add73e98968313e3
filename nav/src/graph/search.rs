//! Searches on graphs.

use super::{Graph, GraphError};
use crate::length::LIMIT;
use crate::open::{Heap, Open};

/// The order in which nodes are expanded. Among equal nodes, the last one pushed comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// By length so far plus estimate: A*, or Dijkstra's search if all estimates are 0. A shortest
    /// path, if no estimate is too great; a node that is reached by a shorter path after its
    /// expansion is expanded again.
    #[default]
    Shortest,
    /// By estimate alone. A node keeps the parent that opened it.
    Greedy,
    /// Level by level: the path with fewest edges.
    Breadth,
    /// Along the first edge as far as possible, then back to the last branch.
    Depth,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    stamp: u32,
    closed: bool,
    g: u32,
    parent: u32,
}

/// Searches on any [`Graph`]. Reuse it: it keeps its arrays.
///
/// ```
/// use carom_nav::graph::{GraphSearch, List, Order};
///
/// let roads = List::both_ways(4, &[(0, 1, 5), (1, 3, 5), (0, 2, 1), (2, 3, 8)])?;
/// let (mut search, mut way) = (GraphSearch::default(), Vec::new());
/// assert_eq!(search.path(&roads, 0, 3, Order::Shortest, |_| 0, &mut way)?, Some(9));
/// assert_eq!(way, [0, 2, 3]);
/// # Ok::<(), carom_nav::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphSearch {
    nodes: Vec<Node>,
    stamp: u32,
    heap: Heap,
    expanded: Vec<u32>,
    branch: Vec<(u32, u32)>,
}

impl GraphSearch {
    /// A path from one node to another, and its length; `None` if there is no path.
    ///
    /// `estimate` is the heuristic: a lower bound for the length from a node to the goal; 0 is
    /// always valid. With [`Order::Shortest`] the path is a shortest one. `way` gets its nodes,
    /// both ends included.
    ///
    /// # Errors
    /// [`GraphError::NoSuchNode`] for a start or goal that the graph does not have,
    /// [`GraphError::TooLarge`] for more than 2^31 nodes, [`GraphError::TooFar`] if no path is
    /// within [`LIMIT`] and a longer one may exist. `way` is empty then, and also if there is no
    /// path.
    pub fn path<G: Graph>(
        &mut self,
        graph: &G,
        start: usize,
        goal: usize,
        order: Order,
        estimate: impl Fn(usize) -> u32,
        way: &mut Vec<usize>,
    ) -> Result<Option<u32>, GraphError> {
        if goal >= graph.node_count() {
            way.clear();
            return Err(GraphError::NoSuchNode(goal));
        }
        self.path_to(graph, start, |node| node == goal, order, estimate, way)
    }

    /// Like [`GraphSearch::path`], to any node for which `is_goal` holds. With [`Order::Shortest`]
    /// the path leads to the nearest such node, if `estimate` is a lower bound for the length to
    /// each of them; 0 always is.
    ///
    /// # Errors
    /// As [`GraphSearch::path`].
    pub fn path_to<G: Graph>(
        &mut self,
        graph: &G,
        start: usize,
        is_goal: impl Fn(usize) -> bool,
        order: Order,
        estimate: impl Fn(usize) -> u32,
        way: &mut Vec<usize>,
    ) -> Result<Option<u32>, GraphError> {
        way.clear();
        self.expanded.clear();
        let count = graph.node_count();
        if count > 1 << 31 {
            return Err(GraphError::TooLarge);
        }
        if start >= count {
            return Err(GraphError::NoSuchNode(start));
        }
        self.begin(count, start);
        self.heap.push(0, start as u32);
        let (mut too_far, mut arrived) = (false, 0);
        while let Some(at) = self.heap.pop() {
            let Node { closed, g, .. } = self.nodes[at as usize];
            if closed {
                continue;
            }
            self.nodes[at as usize].closed = true;
            self.expanded.push(at);
            if is_goal(at as usize) {
                self.trace(start, at as usize, way);
                return Ok(Some(g));
            }
            let mut branch = core::mem::take(&mut self.branch);
            branch.clear();
            graph.each_edge(at as usize, |to, length| branch.push((to as u32, length)));
            if order == Order::Depth {
                // The last branch pushed is the first one popped.
                branch.reverse();
            }
            for &(to, length) in &branch {
                let length = g.saturating_add(length);
                if length > LIMIT {
                    too_far = true;
                } else if self.reach(to as usize, length, at, order) {
                    arrived += 1;
                    let key = match order {
                        Order::Shortest => length.saturating_add(estimate(to as usize)),
                        Order::Greedy => estimate(to as usize),
                        Order::Breadth => arrived,
                        Order::Depth => 0,
                    };
                    self.heap.push(key, to);
                }
            }
            self.branch = branch;
        }
        if too_far { Err(GraphError::TooFar) } else { Ok(None) }
    }

    /// The nodes that the last search expanded, in order.
    pub fn expanded(&self) -> &[u32] {
        &self.expanded
    }

    fn begin(&mut self, count: usize, start: usize) {
        self.heap.clear();
        if self.nodes.len() < count {
            self.nodes.resize(count, Node::default());
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.nodes.fill(Node::default());
            self.stamp = 1;
        }
        self.nodes[start] = Node { stamp: self.stamp, closed: false, g: 0, parent: start as u32 };
    }

    /// Notes a path to a node. Returns whether the search should follow it.
    fn reach(&mut self, to: usize, g: u32, parent: u32, order: Order) -> bool {
        let node = &mut self.nodes[to];
        if node.stamp == self.stamp {
            let is_worse = match order {
                Order::Shortest => g >= node.g,
                Order::Greedy | Order::Breadth => true,
                Order::Depth => node.closed,
            };
            if is_worse {
                return false;
            }
        }
        *node = Node { stamp: self.stamp, closed: false, g, parent };
        true
    }

    fn trace(&self, start: usize, end: usize, way: &mut Vec<usize>) {
        let mut at = end;
        way.push(at);
        while at != start {
            at = self.nodes[at].parent as usize;
            way.push(at);
        }
        way.reverse();
    }
}
