//! Ways of a mesh: its queries with a query object of its own, and the reasons for a refusal.
//!
//! In: places in metres. Out: ways and answers in metres, by query.rs; the bends of a way from the
//! roots of a search.

use core::fmt;

use glam::Vec2;

use super::Mesh;
use super::fixed::{PER_METRE, Place};
use super::query::MeshQuery;
use super::seek::Root;
use super::tangent::{contact, tangent, turn};
use super::way::{Bend, Way};

/// Reason why there is no way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoWay {
    /// A number is NaN or infinite, or the radius is not 0 to the mesh's greatest.
    BadNumber,
    /// The start lies on no free land, or does not hold the disc.
    BadStart,
    /// The goal lies on no free land, or does not hold the disc.
    BadGoal,
    /// Start and goal lie apart, for a disc of this radius.
    Apart,
}

impl fmt::Display for NoWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoWay::BadNumber => {
                write!(f, "places are finite, and the radius is not above the mesh's greatest")
            }
            NoWay::BadStart => write!(f, "the start holds no disc of this radius"),
            NoWay::BadGoal => write!(f, "the goal holds no disc of this radius"),
            NoWay::Apart => write!(f, "no way is wide enough"),
        }
    }
}

impl core::error::Error for NoWay {}

impl Mesh {
    /// Finds the shortest path (way) of a disc from one place to another, in metres; with areas of
    /// other costs ([`Mesh::add_area`]), the cheapest.
    ///
    /// The shortest way is exact. The cheapest way is exact if the shortest one keeps to the
    /// cheapest land; otherwise it is the cheapest through the borders that a coarse search chose,
    /// and never dearer than the shortest. In 300 crowded scenes (tests/mesh/areas.rs) half of all
    /// ways are the cheapest to a thousandth, 99 of 100 are within 1 %, and the worst is 3 %
    /// dearer. It takes a search over all faces around; the first search after a change copies
    /// them.
    ///
    /// A start or goal that does not hold the disc is moved to the nearest place that does, if
    /// there is one within 16 radii and a metre; the way tells whether it was moved. A place beyond
    /// the mesh's border by more than a quarter of half its side is refused.
    ///
    /// Lines between corners are kept for the next ways of the same radius, for eight radii: the
    /// first way of a radius takes tens of times as long as later ones.
    ///
    /// # Errors
    /// [`NoWay::BadNumber`], [`NoWay::BadStart`] or [`NoWay::BadGoal`] for an invalid request,
    /// [`NoWay::Apart`] if no path is wide enough. `way` is empty then.
    pub fn way(
        &mut self,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        self.ask(|query, mesh| query.way(mesh, from, to, radius, way))
    }

    /// Finds the shortest way at any costs of its land: for flying units. [`Way::cost`] is the cost
    /// of walking it.
    ///
    /// # Errors
    ///
    /// As [`Mesh::way`].
    pub fn shortest(
        &mut self,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        self.ask(|query, mesh| query.shortest(mesh, from, to, radius, way))
    }

    /// Whether a disc of a radius can get from a place to another; the same answer as from
    /// [`Mesh::way`], without a search. They differ only where a disc stands in a corner so narrow
    /// that it cannot turn out of it, though the faces there are wide enough: there [`Mesh::way`]
    /// finds no way.
    ///
    /// The first call after a change sorts all edges; later calls take a constant time, plus the
    /// time to test the walls about both places.
    pub fn reachable(&mut self, from: impl Into<Vec2>, to: impl Into<Vec2>, radius: f32) -> bool {
        self.ask(|query, mesh| query.reachable(mesh, from, to, radius))
    }

    /// The radius of the widest disc that can get from a place to another, in metres; `None` if not
    /// even a point can. Passages wider than the mesh's greatest radius may count as wider than
    /// they are.
    pub fn widest(&mut self, from: impl Into<Vec2>, to: impl Into<Vec2>) -> Option<f32> {
        self.ask(|query, mesh| query.widest(mesh, from, to))
    }

    /// Whether a way is one of this mesh and up to date: no face near it has changed since it was
    /// found.
    pub fn is_current(&self, way: &Way) -> bool {
        way.tiles.iter().all(|&(tile, revision)| self.tiles.get(tile) == Some(revision))
    }

    /// Number of corners that the last search for a way visited.
    pub fn expansions(&self) -> u64 {
        self.own_query().map_or(0, MeshQuery::expansions)
    }
}

/// Lists the bends of a way, from its last root back.
pub(super) fn trace(roots: &[Root], last: u32, goal: Place, r: f64, bends: &mut Vec<Bend>) {
    let mut at = last;
    let mut to = (goal, 0);
    let metres = |place: Place| Vec2::new((place.x / PER_METRE) as f32, (place.y / PER_METRE) as f32);
    while at != u32::MAX {
        let root = &roots[at as usize];
        let circle = (root.at, root.side);
        if root.side != 0 {
            let (leaves, _) = tangent(circle, to, r);
            bends.push(Bend {
                corner: metres(root.at),
                from: metres(contact(circle, root.came, r)),
                to: metres(contact(circle, leaves, r)),
                angle: (turn(root.came, leaves, root.side) * f64::from(root.side)) as f32,
            });
        }
        to = circle;
        at = root.before;
    }
    bends.reverse();
}
