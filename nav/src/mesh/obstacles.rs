//! Adding and removing obstacles.
//!
//! In: outlines in whole units. Out: walls along them, and covered faces. Removing an obstacle
//! keeps the walls of others, and straightens walls that were bent at a crossing with it.

use super::cdt::{Cdt, NONE};
use super::fixed::Point;

/// One obstacle's corners, as vertices; the outline pins each of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    pub(crate) corners: Vec<u32>,
    /// Whether the last corner is joined to the first, and the inside is covered.
    pub(crate) is_closed: bool,
}

impl Cdt {
    /// Builds an obstacle. If a wall could not be built, the obstacle is removed again, and the
    /// result is false.
    pub(crate) fn add(&mut self, owner: u32, points: &[Point], outline: &mut Outline) -> bool {
        outline.corners.clear();
        for &point in points {
            let vertex = self.insert(point);
            self.vertices[vertex as usize].pins += 1;
            // A foot that becomes a corner is no longer a foot.
            self.vertices[vertex as usize].foot_of = NONE;
            outline.corners.push(vertex);
            self.legalize();
        }
        let count = points.len();
        let edges = if outline.is_closed { count } else { count - 1 };
        let wind = i32::from(outline.is_closed);
        for k in 0..edges {
            let (a, b) = (outline.corners[k], outline.corners[(k + 1) % count]);
            let is_whole = self.force(a, b, owner, wind);
            self.legalize();
            if !is_whole {
                self.remove_walls(owner, outline);
                return false;
            }
        }
        if outline.is_closed {
            self.count(owner, outline.corners[0], 1);
        }
        true
    }

    /// Removes an obstacle.
    pub(crate) fn remove(&mut self, owner: u32, outline: &mut Outline) {
        if outline.is_closed {
            self.count(owner, outline.corners[0], -1);
        }
        self.remove_walls(owner, outline);
    }

    fn remove_walls(&mut self, owner: u32, outline: &mut Outline) {
        let mut scratch = core::mem::take(&mut self.scratch);
        let mut loose = core::mem::take(&mut self.loose);
        loose.clear();
        for &corner in &outline.corners {
            self.vertices[corner as usize].pins -= 1;
            // A partly built outline is connected to some corner.
            self.find_chain(owner, corner, &mut scratch);
            for &vertex in &scratch.chain {
                let first = self.vertices[vertex as usize].out;
                let mut h = first;
                loop {
                    if self.wind(h, owner).is_some() {
                        self.release(h, owner);
                        self.suspect(h >> 2);
                    }
                    h = self.turn(h);
                    if h == first {
                        break;
                    }
                }
                loose.push(vertex);
            }
        }
        self.scratch = scratch;
        outline.corners.clear();
        for &vertex in &loose {
            self.drop_vertex(vertex);
        }
        self.loose = loose;
        self.drop_blocked();
        self.legalize();
    }

    /// Removes a vertex if it is not needed, and then vertices that were kept only because of it.
    pub(crate) fn remove_if_needless(&mut self, vertex: u32) {
        self.drop_vertex(vertex);
        self.drop_blocked();
    }

    /// Removes a vertex if it is not needed, and lists its neighbours that may not be needed
    /// either.
    fn drop_vertex(&mut self, vertex: u32) {
        let entry = self.vertices[vertex as usize];
        if entry.out == NONE || entry.pins > 0 {
            return;
        }
        if entry.foot_of != NONE && self.spokes(vertex).any(|h| self.is_wall(h)) {
            return;
        }
        let mut blocked = core::mem::take(&mut self.blocked);
        let before = blocked.len();
        let ends = self.spokes(vertex).map(|h| self.dest(h));
        blocked.extend(ends.filter(|&end| self.vertices[end as usize].pins == 0));
        if !self.remove_on_wall(vertex) {
            blocked.truncate(before);
        }
        self.blocked = blocked;
    }

    /// Removes listed vertices on walls that had to stay because a corner, now removed, lay in the
    /// area that the wall would have swept. (Such a corner is a neighbour. Without this they stayed
    /// for ever: a mesh without its obstacles had 16 faces in place of 14.)
    fn drop_blocked(&mut self) {
        while let Some(vertex) = self.blocked.pop() {
            self.drop_vertex(vertex);
        }
    }

    /// Removes a vertex if no wall starts or ends there.
    fn remove_on_wall(&mut self, vertex: u32) -> bool {
        let mut ends = [NONE; 2];
        let mut count = 0;
        for h in self.spokes(vertex) {
            if self.is_wall(h) {
                if count == 2 {
                    return false;
                }
                ends[count] = h;
                count += 1;
            }
        }
        match count {
            0 => self.remove_vertex(vertex, None),
            2 if self.is_one_wall(ends[0], ends[1]) => {
                let keep = ends.map(|h| self.dest(h));
                self.remove_vertex(vertex, Some(keep))
            }
            _ => false,
        }
    }

    /// Whether two edges have the same owners, with walls that run from one edge into the other.
    fn is_one_wall(&self, a: u32, b: u32) -> bool {
        let runs_on = |hold: super::walls::Hold| {
            self.wind(a, hold.owner).is_some_and(|wind| self.wind(b, hold.owner) == Some(-wind))
        };
        self.holds(a).count() == self.holds(b).count() && self.holds(a).all(runs_on)
    }
}
