//! Costs of straight pieces and arcs: the length of each part times the factor of its land.
//!
//! In: a segment. Out: the integral of the factor along it. The segment is cut where it crosses
//! outlines; the middle between two cuts decides the factor of that part.

use super::super::fixed::Place;
use super::super::near::segment_square;
use super::super::tangent::{Side, contact, tangent, turn};
use super::{Areas, Row};
use crate::mesh::seek::Root;

/// Within this distance of a border, in units, the factors of both sides count, as places are
/// rounded.
const ON_BORDER: f64 = 1.5;
/// An arc is integrated as chords of this angle.
const CHORD: f64 = 0.25;

/// Work space.
#[derive(Clone, Debug, Default)]
pub(super) struct Cuts {
    /// Positions of the cuts along a segment, from 0 to 1.
    pub(super) shares: Vec<f64>,
    /// Areas near the segment.
    near: Vec<u32>,
}

impl Row {
    fn edges(&self) -> impl Iterator<Item = (Place, Place)> + '_ {
        let count = self.points.len();
        (0..count).map(move |k| (self.points[k].place(), self.points[(k + 1) % count].place()))
    }

    fn is_near(&self, from: Place, to: Place) -> bool {
        let (low, high) = (self.bounds.low.place(), self.bounds.high.place());
        let apart = |a: f64, b: f64, low: f64, high: f64| {
            a < low - ON_BORDER && b < low - ON_BORDER || a > high + ON_BORDER && b > high + ON_BORDER
        };
        !apart(from.x, to.x, low.x, high.x) && !apart(from.y, to.y, low.y, high.y)
    }

    /// Whether a place lies inside, and whether it lies on the border.
    fn holds(&self, p: Place) -> (bool, bool) {
        let (mut number, mut is_on) = (0, false);
        for (a, b) in self.edges() {
            is_on |= segment_square(a - p, b - p) <= ON_BORDER * ON_BORDER;
            let side = (b - a).cross(p - a);
            if a.y <= p.y && b.y > p.y && side > 0.0 {
                number += 1;
            } else if a.y > p.y && b.y <= p.y && side < 0.0 {
                number -= 1;
            }
        }
        (number != 0, is_on)
    }

    /// Adds the positions at which a segment crosses the outline.
    fn cut(&self, from: Place, to: Place, shares: &mut Vec<f64>) {
        let along = to - from;
        for (c, d) in self.edges() {
            let (sc, sd) = (along.cross(c - from), along.cross(d - from));
            if sc > 0.0 && sd > 0.0 || sc < 0.0 && sd < 0.0 {
                continue;
            }
            let cross = along.cross(d - c);
            if cross == 0.0 {
                let square = along.dot(along);
                shares.extend([c, d].map(|end| (end - from).dot(along) / square));
            } else {
                shares.push((c - from).cross(d - c) / cross);
            }
        }
    }
}

impl Areas {
    /// The factor at a place.
    pub(super) fn factor_at(&self, at: Place) -> f64 {
        self.factor_of(at, self.order.iter().copied())
    }

    /// The factor at a place, by the listed areas from the top down.
    fn factor_of(&self, at: Place, areas: impl Iterator<Item = u32>) -> f64 {
        let mut least = f64::INFINITY;
        for area in areas {
            let row = &self.rows[area as usize];
            if !row.is_near(at, at) {
                continue;
            }
            let (is_in, is_on) = row.holds(at);
            let factor = f64::from(row.factor);
            if (is_in || is_on) && factor < least {
                least = factor;
            }
            if is_in && !is_on {
                return least;
            }
        }
        if least < 1.0 { least } else { 1.0 }
    }

    /// The cost of a straight piece, in units.
    pub(super) fn cost(&self, cuts: &mut Cuts, from: Place, to: Place) -> f64 {
        let length = (to - from).length();
        cuts.near.clear();
        cuts.near.extend(self.order.iter().filter(|&&at| self.rows[at as usize].is_near(from, to)));
        if cuts.near.is_empty() || length == 0.0 {
            return length;
        }
        self.find_cuts(cuts, from, to);
        let mut cost = 0.0;
        for pair in cuts.shares.windows(2) {
            let share = pair[1] - pair[0];
            if share > 0.0 {
                let middle = from + (to - from) * ((pair[0] + pair[1]) / 2.0);
                cost += share * self.factor_of(middle, cuts.near.iter().copied());
            }
        }
        cost * length
    }

    /// Finds the positions at which a segment crosses outlines, from 0 to 1 in order.
    fn find_cuts(&self, cuts: &mut Cuts, from: Place, to: Place) {
        cuts.shares.clear();
        cuts.shares.push(0.0);
        for &at in &cuts.near {
            self.rows[at as usize].cut(from, to, &mut cuts.shares);
        }
        cuts.shares.retain(|share| (0.0..1.0).contains(share));
        cuts.shares.push(1.0);
        cuts.shares.sort_unstable_by(f64::total_cmp);
    }

    /// Adds the places at which a straight piece enters land with another factor.
    pub(super) fn find_changes(&self, cuts: &mut Cuts, from: Place, to: Place, found: &mut Vec<Place>) {
        cuts.near.clear();
        cuts.near.extend(self.order.iter().filter(|&&at| self.rows[at as usize].is_near(from, to)));
        self.find_cuts(cuts, from, to);
        let mut before = None;
        for pair in cuts.shares.windows(2).filter(|pair| pair[1] > pair[0]) {
            let at = |share: f64| from + (to - from) * share;
            let factor = self.factor_of(at((pair[0] + pair[1]) / 2.0), cuts.near.iter().copied());
            if before.is_some_and(|before| before != factor) {
                found.push(at(pair[0]));
            }
            before = Some(factor);
        }
    }

    /// The cost of an arc about a corner, from the direction of arrival to that of departure.
    pub(super) fn cost_of_arc(
        &self,
        cuts: &mut Cuts,
        circle: (Place, Side),
        [came, leaves]: [Place; 2],
        r: f64,
    ) -> f64 {
        let angle = turn(came, leaves, circle.1);
        let count = (angle / CHORD).ceil();
        if r == 0.0 || angle <= 0.0 || count >= 64.0 {
            return r * angle;
        }
        let (from, to) = (contact(circle, came, r), contact(circle, leaves, r));
        let (mut at, mut chords, mut cost) = (from, 0.0, 0.0);
        for k in 1..=count as u32 {
            // Mixed directions give points on the arc that are not evenly spaced, but nearly so.
            let share = f64::from(k) / count;
            let mixed = if angle < 3.0 { came * (1.0 - share) + leaves * share } else { leaves };
            let size = mixed.length();
            let next =
                if k as f64 == count || size == 0.0 { to } else { contact(circle, mixed * (1.0 / size), r) };
            cost += self.cost(cuts, at, next);
            chords += (next - at).length();
            at = next;
        }
        if chords > 0.0 { cost * r * angle / chords } else { cost }
    }

    /// The cost of a way in units, from its last root back to a start.
    pub(super) fn cost_of_way(
        &self,
        cuts: &mut Cuts,
        roots: &[Root],
        last: u32,
        [start, goal]: [Place; 2],
        r: f64,
    ) -> f64 {
        let (mut at, mut to, mut leaves) = (last, (goal, 0), None);
        let mut cost = 0.0;
        while at != u32::MAX && roots[at as usize].side != 0 {
            let root = &roots[at as usize];
            let circle = (root.at, root.side);
            let (direction, _) = tangent(circle, to, r);
            cost += self.cost(cuts, contact(circle, direction, r), touch(to, direction, r, leaves));
            cost += self.cost_of_arc(cuts, circle, [root.came, direction], r);
            (to, leaves, at) = (circle, Some(root.came), root.before);
        }
        let (direction, _) = tangent((start, 0), to, r);
        cost + self.cost(cuts, start, touch(to, direction, r, leaves))
    }
}

/// The point at which a line touches a circle; the point itself if there is no circle.
fn touch(circle: (Place, Side), direction: Place, r: f64, came: Option<Place>) -> Place {
    contact(circle, came.unwrap_or(direction), r)
}
