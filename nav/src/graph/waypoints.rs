//! Waypoints of a world.
//!
//! In: places, and a unit's shape. Out: a graph with an edge between two places if the shape moves
//! straight from one to the other and touches nothing. A ray is not enough, because it has no
//! width.

use carom::{QueryFilter, Shape, ShapeCast, World, WorldPoint};

use super::{Graph, GraphError, List};

/// Places, joined where a shape can move straight between them.
///
/// ```
/// use carom::prelude::*;
/// use carom_nav::graph::{GraphSearch, Order, Waypoints};
///
/// let mut world = World::default();
/// world.add(BodyDef::fixed().shape(Shape::rect(2.0, 2.0)))?;
/// let places = [[-3.0, 0.0], [0.0, 3.0], [3.0, 0.0]].map(WorldPoint::from);
/// let graph = Waypoints::new(&world, &places, &Shape::circle(0.3), f32::INFINITY, &QueryFilter::default())?;
/// let (mut search, mut way) = (GraphSearch::default(), Vec::new());
/// search.path(&graph, 0, 2, Order::Shortest, |node| graph.length(node, 2), &mut way)?;
/// assert_eq!(way, [0, 1, 2]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Waypoints {
    places: Vec<WorldPoint>,
    edges: List,
}

/// Units of length per metre.
const PER_METRE: f32 = 1024.0;

impl Waypoints {
    /// Joins every two places that are at most `farthest` metres apart if a cast of `shape` from
    /// one to the other hits nothing that `filter` lets through. One cast for each such pair.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`] for more than 2^31 edges, each direction counted.
    pub fn new(
        world: &World,
        places: &[WorldPoint],
        shape: &Shape,
        farthest: f32,
        filter: &QueryFilter,
    ) -> Result<Waypoints, GraphError> {
        let mut edges = Vec::new();
        for (a, &from) in places.iter().enumerate() {
            for (b, &to) in places.iter().enumerate().skip(a + 1) {
                let way = from.to(to);
                let is_free = || world.cast(&ShapeCast::new(shape, from, way), filter).is_none();
                if way.length() <= farthest && is_free() {
                    edges.push((a, b, units(way.length())));
                }
            }
        }
        Ok(Waypoints { places: places.to_vec(), edges: List::both_ways(places.len(), &edges)? })
    }

    /// The places.
    pub fn places(&self) -> &[WorldPoint] {
        &self.places
    }

    /// The straight distance from a place to another, in 1024ths of a metre, rounded down: a lower
    /// bound for [`GraphSearch::path`](super::GraphSearch::path).
    ///
    /// # Panics
    /// If an index is not below the number of [`Waypoints::places`].
    pub fn length(&self, from: usize, to: usize) -> u32 {
        (self.places[from].to(self.places[to]).length() * PER_METRE) as u32
    }
}

/// A length in metres as units, rounded up: so no estimate is greater than a length.
fn units(metres: f32) -> u32 {
    (metres * PER_METRE).ceil() as u32
}

impl Graph for Waypoints {
    fn node_count(&self) -> usize {
        self.edges.node_count()
    }

    fn each_edge(&self, node: usize, take: impl FnMut(usize, u32)) {
        self.edges.each_edge(node, take);
    }
}
