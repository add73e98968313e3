//! Off-mesh links: doors, bridges, ladders, teleporters.
//!
//! In: links, each from a place to another at a cost, and a mesh. Out: the shortest route, as ways
//! over land with links between them.
//!
//! The search is A* over links. A way of the mesh leads from the end of one link to the beginning
//! of another, and is only searched for when the straight line between the two is short enough to
//! matter (lazy evaluation of edges, Dellin and Srinivasa 2016). The estimate is the shortest route
//! over straight lines and links, a lower bound.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec2;

use super::{Mesh, MeshError, MeshQuery, NoWay, Way};
use crate::state::id_bits;

/// A passage that does not lead over land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Its first end.
    pub from: Vec2,
    /// Its second end.
    pub to: Vec2,
    /// Its cost, in metres of way: 0 or more.
    pub cost: f32,
    /// Whether it leads back, too.
    pub is_two_way: bool,
    /// The radius of the greatest disc that passes.
    pub max_radius: f32,
    /// Kinds of passage, as bits: a route uses only links of the requested kinds. A shut door has
    /// no bits.
    pub kinds: u64,
}

impl Link {
    /// A link from a place to another at the cost of the straight line, in both directions, for all
    /// radii and kinds.
    #[must_use]
    pub fn between(from: impl Into<Vec2>, to: impl Into<Vec2>) -> Link {
        let (from, to) = (from.into(), to.into());
        let cost = straight(from, to) as f32;
        Link { from, to, cost, is_two_way: true, max_radius: f32::MAX, kinds: u64::MAX }
    }

    fn check(&self) -> Result<(), MeshError> {
        if !(self.from.is_finite() && self.to.is_finite()) {
            return Err(MeshError::BadNumber("ends of a link are finite"));
        }
        if !(0.0..=1e9).contains(&self.cost) {
            return Err(MeshError::BadNumber("a link costs 0 to 1e9 m"));
        }
        if self.max_radius.is_nan() || self.max_radius < 0.0 {
            return Err(MeshError::BadNumber("the greatest radius is 0 or more"));
        }
        Ok(())
    }
}

/// A link in a list of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId {
    index: u32,
    generation: u32,
}

id_bits!(LinkId);

/// The links of a mesh.
#[derive(Clone, Debug, Default)]
pub struct Links {
    rows: Vec<(u32, Option<Link>)>,
    unused: Vec<u32>,
    revision: u64,
}

/// The use of a link in a route, after a way over land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The link.
    pub link: LinkId,
    /// Whether the route goes from its second end to its first.
    pub is_back: bool,
}

/// A route: ways over land, and the links between them.
#[derive(Clone, Debug, Default)]
pub struct Route {
    ways: Vec<Way>,
    used: usize,
    crossings: Vec<Crossing>,
    length: f64,
    revision: u64,
}

impl Route {
    /// The ways, one more than there are crossings.
    #[must_use]
    pub fn ways(&self) -> &[Way] {
        &self.ways[..self.used]
    }

    /// The crossings: crossing k follows way k.
    #[must_use]
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Its cost, in metres: lengths of ways, times the factors of their land, plus costs of links.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Whether the route is up to date: no link, and no face near its ways, has changed since it
    /// was found.
    #[must_use]
    pub fn is_current(&self, mesh: &Mesh, links: &Links) -> bool {
        self.revision == links.revision && self.ways().iter().all(|way| mesh.is_current(way))
    }

    fn clear(&mut self) {
        (self.used, self.length) = (0, 0.0);
        self.crossings.clear();
    }

    fn next(&mut self) -> &mut Way {
        if self.used == self.ways.len() {
            self.ways.push(Way::default());
        }
        self.used += 1;
        &mut self.ways[self.used - 1]
    }
}

/// A link in one direction. Index 0 is the start, 1 the goal: both are places without a cost.
#[derive(Clone, Copy, Debug)]
struct Stop {
    from: Vec2,
    to: Vec2,
    cost: f64,
    crossing: Crossing,
    /// A lower bound of the length from its end to the goal.
    left: f64,
    /// The length of the shortest route to its end, and the stop before.
    length: f64,
    before: u32,
    is_settled: bool,
}

/// A search's arrays, kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    stops: Vec<Stop>,
    /// By estimate: from stop, to stop, and the bits of the length up to the end of the latter, or
    /// [`ESTIMATED`].
    heap: BinaryHeap<Reverse<(u64, u32, u32, u64)>>,
    /// The least cost of a metre.
    factor: f64,
    way: Way,
}

const START: u32 = 0;
const GOAL: u32 = 1;
/// Marks an estimate, in place of the bits of a length.
const ESTIMATED: u64 = u64::MAX;

impl Links {
    /// Adds an off-mesh link. Routes use it from the next request on.
    ///
    /// # Errors
    /// [`MeshError::BadNumber`] for an end that is not finite, a cost that is not 0 to 1e9 m, or a
    /// greatest radius that is NaN or below 0.
    pub fn add(&mut self, link: Link) -> Result<LinkId, MeshError> {
        link.check()?;
        self.revision += 1;
        let index = self.unused.pop().unwrap_or(self.rows.len() as u32);
        if index as usize == self.rows.len() {
            self.rows.push((0, None));
        }
        let row = &mut self.rows[index as usize];
        row.1 = Some(link);
        Ok(LinkId { index, generation: row.0 })
    }

    /// A link, if it exists.
    #[must_use]
    pub fn get(&self, id: LinkId) -> Option<&Link> {
        let row = self.rows.get(id.index as usize)?;
        row.1.as_ref().filter(|_| row.0 == id.generation)
    }

    /// Replaces a link, for example when a door shuts. Returns whether the link exists.
    ///
    /// # Errors
    /// As [`Links::add`]; the link is unchanged then.
    pub fn set(&mut self, id: LinkId, link: Link) -> Result<bool, MeshError> {
        link.check()?;
        if self.get(id).is_none() {
            return Ok(false);
        }
        self.rows[id.index as usize].1 = Some(link);
        self.revision += 1;
        Ok(true)
    }

    /// Removes a link. Returns whether it existed.
    pub fn remove(&mut self, id: LinkId) -> bool {
        if self.get(id).is_none() {
            return false;
        }
        let row = &mut self.rows[id.index as usize];
        *row = (row.0.wrapping_add(1), None);
        self.unused.push(id.index);
        self.revision += 1;
        true
    }

    fn fill(&self, search: &mut Search, (from, to): (Vec2, Vec2), radius: f32, kinds: u64) {
        search.heap.clear();
        search.stops.clear();
        let none = Crossing { link: LinkId { index: u32::MAX, generation: 0 }, is_back: false };
        let stop = |from: Vec2, to: Vec2, cost: f32, crossing: Crossing| Stop {
            from,
            to,
            cost: f64::from(cost),
            crossing,
            left: f64::INFINITY,
            length: f64::INFINITY,
            before: START,
            is_settled: false,
        };
        search.stops.extend([stop(from, from, 0.0, none), stop(to, to, 0.0, none)]);
        for (index, &(generation, row)) in (0..).zip(&self.rows) {
            let Some(link) = row else { continue };
            if link.kinds & kinds == 0 || radius > link.max_radius {
                continue;
            }
            let crossing = Crossing { link: LinkId { index, generation }, is_back: false };
            search.stops.push(stop(link.from, link.to, link.cost, crossing));
            if link.is_two_way {
                let back = Crossing { is_back: true, ..crossing };
                search.stops.push(stop(link.to, link.from, link.cost, back));
            }
        }
    }
}

impl Search {
    /// Computes the estimates of all stops over straight lines: Dijkstra's search from the goal,
    /// over all pairs.
    fn estimate(&mut self) {
        self.stops[GOAL as usize].left = 0.0;
        loop {
            let open = self.stops.iter().zip(0..).filter(|(stop, _)| !stop.is_settled);
            let nearest = open.min_by(|a, b| a.0.left.total_cmp(&b.0.left)).map(|(stop, at)| (*stop, at));
            let Some((stop, at)) = nearest else { break };
            self.stops[at as usize].is_settled = true;
            for other in &mut self.stops {
                let left = straight(other.to, stop.from) * self.factor + stop.cost + stop.left;
                if left < other.left {
                    other.left = left;
                }
            }
        }
        self.stops.iter_mut().for_each(|stop| stop.is_settled = false);
    }

    fn push(&mut self, from: u32, to: u32, length: f64, is_true: bool) {
        // Rounding must not make an estimate greater than the true length.
        let estimate = length + self.stops[to as usize].left * (1.0 - 1e-12);
        self.heap.push(Reverse((
            estimate.to_bits(),
            from,
            to,
            if is_true { length.to_bits() } else { ESTIMATED },
        )));
    }

    /// Settles stops until the goal is settled. Returns whether a route was found.
    fn run(&mut self, query: &mut MeshQuery, mesh: &Mesh, radius: f32) -> bool {
        self.stops[START as usize].length = 0.0;
        self.settle(START);
        while let Some(Reverse((_, from, to, bits))) = self.heap.pop() {
            let (a, b) = (self.stops[from as usize], self.stops[to as usize]);
            if b.is_settled {
                continue;
            }
            if bits != ESTIMATED {
                let stop = &mut self.stops[to as usize];
                (stop.length, stop.before) = (f64::from_bits(bits), from);
                if to == GOAL {
                    return true;
                }
                self.settle(to);
            } else if query.reachable(mesh, a.to, b.from, radius)
                && query.way(mesh, a.to, b.from, radius, &mut self.way).is_ok()
            {
                self.push(from, to, a.length + self.way.cost() + b.cost, true);
            }
        }
        false
    }

    fn settle(&mut self, at: u32) {
        let stop = self.stops[at as usize];
        self.stops[at as usize].is_settled = true;
        for to in GOAL..self.stops.len() as u32 {
            let next = self.stops[to as usize];
            if !next.is_settled {
                self.push(
                    at,
                    to,
                    stop.length + straight(stop.to, next.from) * self.factor + next.cost,
                    false,
                );
            }
        }
    }
}

impl Mesh {
    /// The shortest route of a disc from a place to another, over land and over links of the given
    /// kinds. Ends of links that do not hold the disc are moved, like ends of ways.
    ///
    /// ```
    /// use carom_nav::Vec2;
    /// use carom_nav::mesh::{Link, Links, Mesh, MeshDef, Route};
    ///
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
    /// mesh.add(&[[-1.0, -20.0], [1.0, -20.0], [1.0, 20.0], [-1.0, 20.0]].map(Vec2::from))?; // a river
    /// let mut links = Links::default();
    /// let ferry = links.add(Link { cost: 10.0, ..Link::between([-2.0, 5.0], [2.0, 5.0]) })?;
    /// let mut route = Route::default();
    /// mesh.route(&links, [-9.0, 5.0], [9.0, 5.0], 0.5, u64::MAX, &mut route)?;
    /// assert_eq!(route.crossings()[0].link, ferry);
    /// assert!((route.length() - 24.0).abs() < 1e-3);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Mesh::way`]; [`NoWay::Apart`] if no route over these links leads to the goal. `route`
    /// is empty then.
    pub fn route(
        &mut self,
        links: &Links,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        kinds: u64,
        route: &mut Route,
    ) -> Result<(), NoWay> {
        self.ask(|query, mesh| query.route(mesh, links, from, to, radius, kinds, route))
    }
}

impl MeshQuery {
    pub(super) fn find_route(
        &mut self,
        mesh: &Mesh,
        links: &Links,
        ends: [Vec2; 2],
        (radius, kinds): (f32, u64),
        route: &mut Route,
    ) -> Result<(), NoWay> {
        route.clear();
        route.revision = links.revision;
        // Invalid ends are refused even if links lead to them.
        self.check_ends(mesh, ends[0], ends[1], radius)?;
        let mut search = core::mem::take(&mut self.links);
        links.fill(&mut search, (ends[0], ends[1]), radius, kinds);
        search.factor = mesh.areas.least_factor();
        search.estimate();
        let is_found = search.run(self, mesh, radius);
        if is_found {
            self.trace(mesh, &search.stops, radius, route);
        }
        self.links = search;
        if is_found { Ok(()) } else { Err(NoWay::Apart) }
    }

    /// Finds the ways between the stops of a route again, and writes them.
    fn trace(&mut self, mesh: &Mesh, stops: &[Stop], radius: f32, route: &mut Route) {
        route.length = stops[GOAL as usize].length;
        let mut at = GOAL;
        let mut order = vec![GOAL];
        while at != START {
            at = stops[at as usize].before;
            order.push(at);
        }
        order.reverse();
        for pair in order.windows(2) {
            let (a, b) = (&stops[pair[0] as usize], &stops[pair[1] as usize]);
            // The search has found this way before, so it exists.
            let found = self.way(mesh, a.to, b.from, radius, route.next());
            debug_assert!(found.is_ok());
            if pair[1] != GOAL {
                route.crossings.push(b.crossing);
            }
        }
    }
}

/// The straight distance, in f64, so that a sum of true lengths cannot be below a sum of distances.
fn straight(a: Vec2, b: Vec2) -> f64 {
    let (x, y) = (f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y));
    (x * x + y * y).sqrt()
}
