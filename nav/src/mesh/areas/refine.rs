//! Refines a coarse way into an exact one between the borders that it crosses.
//!
//! In: a chain of places, and the cost of each part. Out: the shortest ways of the disc between
//! fewer places, each on a border and moved along it so that the whole way costs least.
//!
//! ```text
//!   a .            a chain is halved until the shortest way between its ends costs no more than
//!      \           the chain; where such a way enters other land, it gets a place; each place then
//!  ---- p ----     moves along its border, by ever smaller steps, and is removed if the way
//!        |  swamp  without it costs no more
//!        b
//! ```
//!
//! For one sequence of borders the cost is a convex function of the places, so moving each to its
//! cheapest place in turn converges to the cheapest way through these borders.

use super::super::fixed::{Place, Point};
use super::super::near::segment_square;
use super::super::seek::Seek;
use super::super::tangent::{angle, contact, tangent};
use super::super::way::{Bend, Way};
use super::super::ways::trace;
use super::Areas;
use super::cost::Cuts;
use super::search::Ask;
use crate::mesh::fixed::PER_METRE;
use crate::mesh::{Mesh, MeshQuery};

/// Most rounds in which all places move in turn.
const ROUNDS: usize = 24;
/// The rounds end when one saves less than this share.
const ENOUGH: f64 = 2e-6;
/// If there are more places than this, they do not move.
const MOST: usize = 256;
/// A place within so many units of a border lies on it.
const ON: f64 = 3.0;

/// The shortest way between two places over any land.
#[derive(Clone, Debug, Default)]
struct Leg {
    bends: Vec<Bend>,
    length: f64,
    cost: f64,
    /// The end of the first straight piece, and the beginning of the last one.
    first: Place,
    last: Place,
}

/// Work space.
#[derive(Clone, Debug, Default)]
pub(super) struct Refine {
    /// Places from the start to the goal, one more than there are legs.
    places: Vec<Point>,
    legs: Vec<Leg>,
    found: Vec<Place>,
}

impl MeshQuery {
    /// Computes the cost of the shortest way just found, and replaces the way by the cheapest one.
    pub(in crate::mesh) fn price(
        &mut self,
        mesh: &Mesh,
        ends: [Point; 2],
        last: u32,
        r: f64,
        is_shortest: bool,
        way: &mut Way,
    ) {
        let mut kept = core::mem::take(&mut self.pricing);
        let areas = &mesh.areas;
        let [start, goal] = ends.map(Point::place);
        let inner = Seek::radius(r);
        let cost = areas.cost_of_way(&mut kept.cuts, self.roots(), last, [start, goal], inner);
        way.cost = cost / PER_METRE;
        let least = areas.least_factor();
        // No way costs less than the shortest way would over the cheapest land.
        if !is_shortest && cost > way.length * PER_METRE * least * (1.0 + 1e-9) + 1.0 {
            kept.layer.refresh(&mesh.cdt, areas, mesh.revision);
            let ask = Ask { mesh: &mesh.cdt, ends, r, least, most: cost * 1.1 };
            if kept.search.run(&kept.layer, &ask) {
                let mut work = Work { mesh, query: self, areas, cuts: &mut kept.cuts, r };
                if let Some(legs) = work.refine(&mut kept.refine, &kept.search.path)
                    && legs < cost
                {
                    kept.refine.write(ends, way);
                }
            }
        }
        self.pricing = kept;
    }
}

struct Work<'a> {
    mesh: &'a Mesh,
    query: &'a mut MeshQuery,
    areas: &'a Areas,
    cuts: &'a mut Cuts,
    r: f64,
}

impl Work<'_> {
    /// The cost of the refined way; `None` if the disc cannot pass a part of it.
    fn refine(&mut self, refine: &mut Refine, path: &[(Point, f64)]) -> Option<f64> {
        refine.places.clear();
        refine.legs.clear();
        refine.places.push(path.first()?.0);
        self.simplify(refine, path)?;
        self.add_changes(refine)?;
        let total = |refine: &Refine| refine.legs.iter().map(|leg| leg.cost).sum::<f64>();
        let mut before = total(refine);
        for round in 0..ROUNDS {
            if refine.places.len() < MOST {
                for at in 1..refine.places.len() - 1 {
                    self.slide(refine, at);
                }
            }
            if round % 4 == 0 {
                self.drop_needless(refine);
            }
            let after = total(refine);
            if before - after <= before * ENOUGH {
                break;
            }
            before = after;
        }
        self.drop_needless(refine);
        Some(total(refine))
    }

    /// The shortest way from a place to another.
    fn leg(&mut self, from: Point, to: Point) -> Option<Leg> {
        let r = Seek::radius(self.r);
        let (length, last) = self.query.find_between(self.mesh, from, to, self.r)?;
        let roots = self.query.roots();
        let ends = [from.place(), to.place()];
        let cost = self.areas.cost_of_way(self.cuts, roots, last, ends, r);
        let mut leg = Leg { bends: Vec::new(), length, cost, first: ends[1], last: ends[0] };
        trace(roots, last, ends[1], r, &mut leg.bends);
        let mut at = last;
        while at != u32::MAX && roots[at as usize].side != 0 {
            let root = &roots[at as usize];
            let circle = (root.at, root.side);
            if at == last {
                leg.last = contact(circle, tangent(circle, (ends[1], 0), r).0, r);
            }
            leg.first = contact(circle, root.came, r);
            at = root.before;
        }
        Some(leg)
    }

    /// A straight leg.
    fn straight(&mut self, from: Point, to: Point) -> Leg {
        let (a, b) = (from.place(), to.place());
        let cost = self.areas.cost(self.cuts, a, b);
        Leg { bends: Vec::new(), length: (b - a).length(), cost, first: b, last: a }
    }

    /// Finds legs that cost no more than the chain.
    fn simplify(&mut self, refine: &mut Refine, path: &[(Point, f64)]) -> Option<()> {
        let (first, last) = (path.first()?, path.last()?);
        if first.0 == last.0 {
            return Some(());
        }
        let leg = match self.leg(first.0, last.0) {
            None if path.len() == 2 && self.r == 0.0 => Some(self.straight(first.0, last.0)),
            leg => leg,
        };
        let most = (last.1 - first.1) * (1.0 + 1e-9) + 1.0;
        if let Some(leg) = leg.filter(|leg| path.len() == 2 || leg.cost <= most) {
            refine.legs.push(leg);
            refine.places.push(last.0);
            return Some(());
        }
        if path.len() == 2 {
            return None;
        }
        let middle = path.len() / 2;
        self.simplify(refine, &path[..=middle])?;
        self.simplify(refine, &path[middle..])
    }

    /// Adds a place wherever a straight piece enters other land.
    fn add_changes(&mut self, refine: &mut Refine) -> Option<()> {
        let (places, legs) = (core::mem::take(&mut refine.places), core::mem::take(&mut refine.legs));
        refine.places.push(places[0]);
        for (pair, leg) in places.windows(2).zip(legs) {
            refine.found.clear();
            let mut at = pair[0].place();
            for bend in &leg.bends {
                let to = Point::of(bend.from).place();
                self.areas.find_changes(self.cuts, at, to, &mut refine.found);
                at = Point::of(bend.to).place();
            }
            self.areas.find_changes(self.cuts, at, pair[1].place(), &mut refine.found);
            let from = refine.places.len();
            let mut before = pair[0];
            let mut legs = Vec::new();
            for point in refine.found.iter().map(|place| place.nearest()).chain([pair[1]]) {
                if point == before {
                    continue;
                }
                let Some(part) = self.leg(before, point) else { break };
                legs.push(part);
                refine.places.push(point);
                before = point;
            }
            let cost: f64 = legs.iter().map(|leg| leg.cost).sum();
            if before == pair[1] && cost <= leg.cost * (1.0 + 1e-6) + 4.0 {
                refine.legs.append(&mut legs);
            } else {
                refine.places.truncate(from);
                refine.places.push(pair[1]);
                refine.legs.push(leg);
            }
        }
        Some(())
    }

    /// Removes places if the way without them costs no more.
    fn drop_needless(&mut self, refine: &mut Refine) {
        let mut at = 1;
        while at + 1 < refine.places.len() {
            let (from, to) = (refine.places[at - 1], refine.places[at + 1]);
            let with = refine.legs[at - 1].cost + refine.legs[at].cost;
            match self.leg(from, to) {
                Some(leg) if from != to && leg.cost <= with * (1.0 + 1e-9) + 1e-3 => {
                    refine.legs[at - 1] = leg;
                    refine.legs.remove(at);
                    refine.places.remove(at);
                    // The place before may be needless now.
                    at = if at > 1 { at - 1 } else { 1 };
                }
                _ => at += 1,
            }
        }
    }

    /// Moves a place along the borders that it lies on until its two straight pieces cost least.
    fn slide(&mut self, refine: &mut Refine, at: usize) {
        let (before, after) = (refine.legs[at - 1].last, refine.legs[at].first);
        let here = refine.places[at];
        let mut best = (here, self.bent(before, here, after));
        for k in 0..self.areas.order.len() {
            let row = &self.areas.rows[self.areas.order[k] as usize];
            let count = row.points.len();
            for edge in 0..count {
                let row = &self.areas.rows[self.areas.order[k] as usize];
                let (c, d) = (row.points[edge].place(), row.points[(edge + 1) % count].place());
                if segment_square(c - here.place(), d - here.place()) <= ON * ON {
                    self.slide_on((c, d), here, [before, after], &mut best);
                }
            }
        }
        let (to, cost) = best;
        if to == here || cost >= self.bent(before, here, after) * (1.0 - 1e-9) {
            return;
        }
        let ends = [refine.places[at - 1], refine.places[at + 1]];
        let with = refine.legs[at - 1].cost + refine.legs[at].cost;
        let Some(first) = self.leg(ends[0], to) else { return };
        let Some(second) = self.leg(to, ends[1]) else { return };
        if first.cost + second.cost < with {
            refine.places[at] = to;
            refine.legs[at - 1] = first;
            refine.legs[at] = second;
        }
    }

    fn slide_on(
        &mut self,
        (c, d): (Place, Place),
        here: Point,
        [before, after]: [Place; 2],
        best: &mut (Point, f64),
    ) {
        let along = d - c;
        let length = along.length();
        if length == 0.0 {
            return;
        }
        let at = |share: f64| (c + along * share.clamp(0.0, 1.0)).nearest();
        // Places where the disc does not fit are out.
        let bent = |work: &mut Self, to: Point| {
            let is_free = to == here || work.r == 0.0 || work.holds(to);
            if is_free { work.bent(before, to, after) } else { f64::INFINITY }
        };
        let mut share = ((here.place() - c).dot(along) / (length * length)).clamp(0.0, 1.0);
        let mut least = bent(self, at(share));
        let mut step = 0.25;
        while step * length > 0.5 {
            let tries = [share - step, share + step].map(|share| share.clamp(0.0, 1.0));
            let costs = tries.map(|share| bent(self, at(share)));
            let k = usize::from(costs[1] < costs[0]);
            if costs[k] < least {
                (share, least) = (tries[k], costs[k]);
            } else {
                step *= 0.5;
            }
        }
        if least < best.1 {
            *best = (at(share), least);
        }
    }

    fn holds(&self, at: Point) -> bool {
        self.mesh.holds(at, self.mesh.cdt.face_at(at), self.r)
    }

    /// The cost of two straight pieces that meet at `at`.
    fn bent(&mut self, before: Place, at: Point, after: Place) -> f64 {
        let at = at.place();
        self.areas.cost(self.cuts, before, at) + self.areas.cost(self.cuts, at, after)
    }
}

impl Refine {
    /// Writes the legs as one way, with a bend at each place between two legs.
    fn write(&self, [start, goal]: [Point; 2], way: &mut Way) {
        way.bends.clear();
        (way.length, way.cost) = (0.0, 0.0);
        for (k, leg) in self.legs.iter().enumerate() {
            way.bends.extend_from_slice(&leg.bends);
            way.length += leg.length / PER_METRE;
            way.cost += leg.cost / PER_METRE;
            if let Some(next) = self.legs.get(k + 1) {
                let place = self.places[k + 1].place();
                let corner = self.places[k + 1].metres();
                let angle = angle(place - leg.last, next.first - place) as f32;
                way.bends.push(Bend { corner, from: corner, to: corner, angle });
            }
        }
        debug_assert!(self.places.first() == Some(&start) && self.places.last() == Some(&goal));
    }
}
