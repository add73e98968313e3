//! Feet: extra vertices on walls, so that lengths of edges measure the widths of passages.
//!
//! ```text
//!            u            a disc that passes between corner u and the wall crosses u-c and u-d,
//!          / : \          which are longer than the gap is wide. With a vertex at the foot f of u,
//!   c ----- f ----- d     the disc crosses u-f.
//! ```
//!
//! A passage is narrowest between two corners, or between a corner and its foot on a wall that it
//! sees straight on. In a Delaunay triangulation, an edge joins two vertices if the circle with
//! diameter between them contains no other vertex. So, if all corners that see a wall straight on,
//! with an empty circle, have their feet, each narrowest place is an edge, and a disc passes a
//! chain of faces if it passes between the ends of each edge. (Kallmann, Dynamic and robust local
//! clearance triangulations, 2014, refines for the same end, and keeps clearances per traversal of
//! a face.)
//!
//! A corner may lie on a wall except for rounding. Then its foot is a unit or so away; if not even
//! that fits, the wall is moved onto the corner.
//!
//! In: the box of an edit. Out: all needed feet within reach of the box, and no foot whose corner
//! is gone.

use super::cdt::{Cdt, NONE, next, prev};
use super::fixed::{Point, orient};

/// Greatest depth, in faces, of a search for a wall.
const MAX_DEPTH: usize = 64;

/// A box of places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) low: Point,
    pub(crate) high: Point,
}

impl Area {
    pub(crate) const EMPTY: Area =
        Area { low: Point::new(i32::MAX, i32::MAX), high: Point::new(i32::MIN, i32::MIN) };

    pub(crate) fn add(&mut self, at: Point) {
        self.low = Point::new(self.low.x.min(at.x), self.low.y.min(at.y));
        self.high = Point::new(self.high.x.max(at.x), self.high.y.max(at.y));
    }

    /// Moves all sides out.
    pub(crate) fn grow(&mut self, by: i32) {
        self.low = Point::new(self.low.x.saturating_sub(by), self.low.y.saturating_sub(by));
        self.high = Point::new(self.high.x.saturating_add(by), self.high.y.saturating_add(by));
    }

    fn is_near(&self, other: &Area, reach: i64) -> bool {
        let apart = |low: i32, high: i32| i64::from(low) - i64::from(high) > reach;
        !(apart(self.low.x, other.high.x)
            || apart(other.low.x, self.high.x)
            || apart(self.low.y, other.high.y)
            || apart(other.low.y, self.high.y))
    }
}

/// An edge that a search for feet looks through.
#[derive(Clone, Copy)]
struct Gate {
    /// The half-edge on the near side.
    h: u32,
    /// Bounds of the view on the right and on the left.
    right: u32,
    left: u32,
}

/// The edit that makes an edge of a narrow place.
#[derive(Clone, Copy, Debug)]
enum FootEdit {
    /// Put a foot on a wall (a half-edge), at a place.
    Foot(u32, Point),
    /// Close the gap: move a wall, given by a half-edge, onto the corner of its face.
    Close(u32),
}

/// The walls beside a corner, by the other ends of their edges; [`NONE`] for a point.
#[derive(Clone, Copy)]
struct Sector {
    first: u32,
    walls: [u32; 2],
}

impl Cdt {
    /// Adds feet where they are needed within reach of an area, and removes the others. `seed` is
    /// any place in the area.
    pub(crate) fn update_feet_near(&mut self, mut area: Area, seed: Point, reach: i64) {
        let mut near = core::mem::take(&mut self.near);
        self.find_near(&area, seed, reach, &mut near);
        let mut is_grown = false;
        for &vertex in &near {
            let Some(at) = self.stale_foot(vertex, reach) else { continue };
            self.vertices[vertex as usize].foot_of = NONE;
            self.remove_if_needless(vertex);
            self.legalize();
            area.add(at);
            is_grown = true;
        }
        if is_grown {
            self.find_near(&area, seed, reach, &mut near);
        }
        for &vertex in &near {
            self.add_feet_of(vertex, reach);
        }
        self.near = near;
    }

    /// Adds and removes feet for all vertices.
    pub(crate) fn update_all_feet(&mut self, reach: i64) {
        for vertex in 5..self.vertices.len() as u32 {
            if self.vertices[vertex as usize].out != NONE {
                self.add_feet_of(vertex, reach);
            }
        }
    }

    /// Lists all vertices of faces within reach of an area.
    fn find_near(&mut self, area: &Area, seed: Point, reach: i64, near: &mut Vec<u32>) {
        near.clear();
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.begin(self.faces.len(), self.vertices.len());
        let mut faces = core::mem::take(&mut scratch.inside);
        // Faces that meet a box are connected.
        let face = self.face_at(seed);
        scratch.number(face, 0);
        faces.push(face);
        let mut at = 0;
        while at < faces.len() {
            let face = faces[at];
            at += 1;
            for vertex in self.faces[face as usize].org {
                if vertex > 4 && scratch.mark(vertex) {
                    near.push(vertex);
                }
            }
            for beyond in self.faces[face as usize].twin {
                let face = beyond >> 2;
                let corners = self.faces[face as usize].org;
                if corners.iter().all(|&vertex| vertex != 4) && scratch.is_new(face) {
                    let mut bounds = Area::EMPTY;
                    corners.iter().for_each(|&vertex| bounds.add(self.at(vertex)));
                    if bounds.is_near(area, reach) {
                        scratch.number(face, 0);
                        faces.push(face);
                    }
                }
            }
        }
        scratch.inside = faces;
        self.scratch = scratch;
    }

    /// The place of a foot whose corner is gone.
    fn stale_foot(&self, vertex: u32, reach: i64) -> Option<Point> {
        let entry = self.vertices.get(vertex as usize)?;
        if entry.out == NONE || entry.foot_of == NONE {
            return None;
        }
        let corner = self.vertices[entry.foot_of as usize];
        let mut walls = self.spokes(vertex).filter(|&h| self.is_wall(h)).map(|h| self.at(self.dest(h)));
        let ends = (walls.next(), walls.next());
        let (Some(c), Some(d)) = ends else { return Some(entry.at) };
        let along = c.place() - d.place();
        let lean = (corner.at.place() - entry.at.place()).dot(along).abs();
        let is_fresh = corner.out != NONE
            && corner.foot_of == NONE
            && corner.at.square_to(entry.at) as i64 <= reach * reach
            && lean <= 4.0 * along.length();
        (!is_fresh).then_some(entry.at)
    }

    /// Puts the feet of one corner.
    fn add_feet_of(&mut self, vertex: u32, reach: i64) {
        let entry = self.vertices[vertex as usize];
        if entry.out == NONE || entry.foot_of != NONE || vertex < 5 {
            return;
        }
        // Each new foot or moved wall may change the faces about the corner.
        for _ in 0..64 {
            match self.missing_foot(vertex, reach) {
                Some(FootEdit::Foot(h, at)) => {
                    let foot = self.split_edge(h, at);
                    self.vertices[foot as usize].foot_of = vertex;
                }
                Some(FootEdit::Close(h)) => self.bend_onto(h, self.apex(h)),
                None => return,
            }
            self.legalize();
        }
    }

    /// A narrow place between a corner and a wall that is not an edge yet.
    fn missing_foot(&self, vertex: u32, reach: i64) -> Option<FootEdit> {
        let first = self.vertices[vertex as usize].out;
        let is_start = |h: &u32| self.is_wall(*h) && self.is_free(*h >> 2);
        let mut has_walls = false;
        for h in self.spokes(vertex).filter(is_start) {
            has_walls = true;
            let mut last = self.turn(h);
            while !self.is_wall(last) {
                last = self.turn(last);
            }
            let sector = Sector { first: h, walls: [self.dest(h), self.dest(last)] };
            if self.is_reflex(vertex, sector.walls)
                && let Some(found) = self.missing_in(vertex, sector, last, reach)
            {
                return Some(found);
            }
        }
        if has_walls || !self.is_free(first >> 2) {
            return None;
        }
        self.missing_in(vertex, Sector { first, walls: [NONE; 2] }, first, reach)
    }

    /// Whether the angle from the first wall counter-clockwise to the second is more than half a
    /// turn.
    pub(crate) fn is_reflex(&self, vertex: u32, [a, b]: [u32; 2]) -> bool {
        let (at, pa, pb) = (self.at(vertex), self.at(a), self.at(b));
        let side = orient(at, pa, pb);
        side < 0 || side == 0 && super::fixed::is_ahead(at, pa, pb)
    }

    /// Whether the free angle between walls at a vertex is more than half a turn, or there are no
    /// walls. Feet are skipped along walls: a foot is rounded, and a foot that sticks out by a unit
    /// beside a corner would make that corner level.
    pub(crate) fn is_reflex_somewhere(&self, vertex: u32) -> bool {
        let mut has_walls = false;
        for h in self.spokes(vertex).filter(|&h| self.is_wall(h)) {
            has_walls = true;
            if !self.is_free(h >> 2) {
                continue;
            }
            let mut last = self.turn(h);
            while !self.is_wall(last) {
                last = self.turn(last);
            }
            if self.is_reflex(vertex, [self.corner_after(h), self.corner_before(last)]) {
                return true;
            }
        }
        !has_walls
    }

    /// The next corner along a wall, skipping feet; free faces lie on the left.
    pub(crate) fn corner_after(&self, wall: u32) -> u32 {
        let mut h = wall;
        while self.vertices[self.dest(h) as usize].foot_of != NONE {
            h = next(h);
            while !self.is_wall(h) {
                h = next(self.twin(h));
            }
            if h == wall {
                break;
            }
        }
        self.dest(h)
    }

    /// The next corner along a wall, skipping feet; free faces lie on the right.
    pub(crate) fn corner_before(&self, wall: u32) -> u32 {
        let mut h = self.twin(wall);
        while self.vertices[self.org(h) as usize].foot_of != NONE {
            h = prev(h);
            while !self.is_wall(h) {
                h = prev(self.twin(h));
            }
            if h == self.twin(wall) {
                break;
            }
        }
        self.org(h)
    }

    fn missing_in(&self, vertex: u32, sector: Sector, last: u32, reach: i64) -> Option<FootEdit> {
        let mut h = sector.first;
        loop {
            let gate = Gate { h: next(h), right: self.dest(h), left: self.apex(h) };
            let mut passed = [NONE; MAX_DEPTH];
            passed[..2].copy_from_slice(&[gate.right, gate.left]);
            if let Some(found) = self.missing_beyond(vertex, sector, gate, reach, &mut passed, 2) {
                return Some(found);
            }
            h = self.turn(h);
            if h == last {
                return None;
            }
        }
    }

    fn missing_beyond(
        &self,
        vertex: u32,
        sector: Sector,
        gate: Gate,
        reach: i64,
        passed: &mut [u32; MAX_DEPTH],
        depth: usize,
    ) -> Option<FootEdit> {
        if self.is_wall(gate.h) {
            return self.foot_on(vertex, sector, gate, reach, &passed[..depth]);
        }
        if depth == passed.len() || !self.is_within(vertex, gate.h, reach) {
            return None;
        }
        let beyond = self.twin(gate.h);
        let x = self.apex(beyond);
        let (u, px) = (self.at(vertex), self.at(x));
        passed[depth] = x;
        // Seen from u, the gate runs from right to left; x lies between its ends or beside them.
        let is_right_open = orient(u, self.at(gate.right), px) > 0;
        let is_left_open = orient(u, px, self.at(gate.left)) > 0;
        if is_right_open {
            let left = if is_left_open { x } else { gate.left };
            let gate = Gate { h: next(beyond), right: gate.right, left };
            if let Some(found) = self.missing_beyond(vertex, sector, gate, reach, passed, depth + 1) {
                return Some(found);
            }
        }
        if is_left_open {
            let right = if is_right_open { x } else { gate.right };
            let gate = Gate { h: prev(beyond), right, left: gate.left };
            return self.missing_beyond(vertex, sector, gate, reach, passed, depth + 1);
        }
        None
    }

    /// Whether a segment comes within reach of a vertex.
    fn is_within(&self, vertex: u32, h: u32, reach: i64) -> bool {
        let u = self.at(vertex).place();
        let (c, d) = (self.at(self.org(h)).place() - u, self.at(self.dest(h)).place() - u);
        let along = d - c;
        let share = (-c.dot(along) / along.dot(along)).clamp(0.0, 1.0);
        let nearest = c + along * share;
        nearest.dot(nearest) < reach as f64 * reach as f64
    }

    fn foot_on(
        &self,
        vertex: u32,
        sector: Sector,
        gate: Gate,
        reach: i64,
        passed: &[u32],
    ) -> Option<FootEdit> {
        let (u, c, d) = (self.at(vertex), self.at(self.org(gate.h)), self.at(self.dest(gate.h)));
        let along = d.place() - c.place();
        let square = along.dot(along);
        let share = (u.place() - c.place()).dot(along) / square;
        if !(share > 0.0 && share < 1.0) {
            return None;
        }
        let foot = (c.place() + along * share).nearest();
        let gap = u.square_to(foot);
        let is_at_end = foot.square_to(c) <= 8 || foot.square_to(d) <= 8;
        // A corner that nearly touches the wall needs a foot, too: without one a disc passes
        // between the corner and an end of the wall, at any distance.
        if is_at_end || gap as i64 >= reach * reach {
            return None;
        }
        if orient(u, self.at(gate.right), foot) < 0 || orient(u, foot, self.at(gate.left)) < 0 {
            return None;
        }
        // Where the corner's own wall leads closer, the gap is narrower elsewhere. (Closer by two
        // units at the wall's end: a vertex beside the corner is rounded, and tells little of the
        // wall further on.)
        let straight = foot.place() - u.place();
        let leads_closer = |&wall: &u32| {
            wall != NONE && {
                let along = self.at(wall).place() - u.place();
                along.dot(straight) > along.length().max(straight.length()) * 2.0
            }
        };
        if sector.walls.iter().any(leads_closer) {
            return None;
        }
        // Inside the circle over the gap: the sum of the two squares is less than the gap's square.
        let is_inside = |&other: &u32| {
            let at = self.at(other);
            at.square_to(u) + at.square_to(foot) < gap
        };
        if passed.iter().any(is_inside) {
            return None;
        }
        self.edit_for(gate.h, foot)
    }

    /// Makes an edge of the narrow place between a corner and its foot on a wall. Between two walls
    /// that run along each other there may be no room for a vertex; then the gap is closed.
    fn edit_for(&self, h: u32, foot: Point) -> Option<FootEdit> {
        let place = self.place_on_wall(h, foot).map(|place| FootEdit::Foot(h, place));
        place.or_else(|| self.flat_wall(h).map(FootEdit::Close))
    }

    /// A face at a place.
    pub(crate) fn face_at(&self, at: Point) -> u32 {
        match self.locate(at) {
            super::cdt::Spot::Vertex(vertex) => self.vertices[vertex as usize].out >> 2,
            super::cdt::Spot::Edge(h) => h >> 2,
            super::cdt::Spot::Face(face) => face,
        }
    }
}
