//! Walls: constrained edges, and their owners.
//!
//! In: two vertices and an owner. Out: a chain of edges from one to the other, each of which holds
//! the owner. Where the chain meets another wall, both get a vertex at the crossing, rounded to
//! whole units; so both bend by less than a unit there. Where walls run along each other, too close
//! for a vertex between them, they become one, and move by less than three units. A wall is bent in
//! place: the two faces beside it stay the same two faces, so that the side of every other place
//! stays known.

use super::cdt::{Cdt, NONE, next, prev};
use super::fixed::{Place, Point, is_ahead, orient};

/// Owner of the frame's edges.
pub(crate) const FRAME: u32 = u32::MAX - 1;
/// Number of times a wall may leave its straight line for a nearby vertex before it fails.
const MAX_DETOURS: u32 = 200;
/// A face of less height, in units, is flat: a wall may be moved this far onto a corner.
const FLAT: f64 = 3.0;

/// An owner of a wall. The owners of one edge are a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    pub(crate) owner: u32,
    pub(crate) next: u32,
    /// The number of times the owner's outline runs from the edge's lower vertex to its higher one,
    /// minus the number of times it runs back.
    pub(crate) wind: i32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Walls {
    holds: Vec<Hold>,
    unused: Vec<u32>,
    todo: Vec<(u32, u32, u32)>,
    crossed: Vec<(u32, u32)>,
}

impl Walls {
    pub(crate) fn get(&self, hold: u32) -> Hold {
        self.holds[hold as usize]
    }

    /// All holds, and the list of free ones.
    pub(crate) fn columns(&self) -> (&[Hold], &Vec<u32>) {
        (&self.holds, &self.unused)
    }

    pub(crate) fn restore(&mut self, holds: Vec<Hold>, unused: Vec<u32>) {
        *self = Walls { holds, unused, ..Walls::default() };
    }

    fn put(&mut self, hold: Hold) -> u32 {
        if let Some(unused) = self.unused.pop() {
            self.holds[unused as usize] = hold;
            return unused;
        }
        self.holds.push(hold);
        self.holds.len() as u32 - 1
    }

    /// Frees a list of holds.
    pub(crate) fn free(&mut self, mut hold: u32) {
        while hold != NONE {
            self.unused.push(hold);
            hold = self.get(hold).next;
        }
    }

    pub(crate) fn in_use(&self) -> usize {
        self.holds.len() - self.unused.len()
    }
}

/// Result of going straight from one vertex to another.
enum Reach {
    /// Along an existing edge.
    Along(u32),
    /// To a vertex exactly on the line, over edges without walls, which are listed.
    To(u32),
    /// To a wall: the half-edge on the near side.
    Wall(u32),
    /// No result: the triangulation is broken.
    Lost,
}

impl Cdt {
    /// The owners of an edge.
    pub(crate) fn holds(&self, h: u32) -> impl Iterator<Item = Hold> + '_ {
        let mut at = self.con(h);
        core::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let hold = self.walls.get(at);
            at = hold.next;
            Some(hold)
        })
    }

    /// The wind of an owner along a half-edge, if the owner holds the edge.
    #[inline]
    pub(crate) fn wind(&self, h: u32, owner: u32) -> Option<i32> {
        let mut at = self.con(h);
        while at != NONE {
            let hold = self.walls.get(at);
            if hold.owner == owner {
                return Some(if self.org(h) < self.dest(h) { hold.wind } else { -hold.wind });
            }
            at = hold.next;
        }
        None
    }

    /// Adds an owner to an edge; the winds of several calls add up.
    pub(crate) fn hold(&mut self, h: u32, owner: u32, wind: i32) {
        let wind = if self.org(h) < self.dest(h) { wind } else { -wind };
        let first = self.con(h);
        let mut at = first;
        while at != NONE {
            let hold = &mut self.walls.holds[at as usize];
            if hold.owner == owner {
                hold.wind += wind;
                return;
            }
            at = hold.next;
        }
        let hold = self.walls.put(Hold { owner, next: first, wind });
        self.set_con(h, hold);
    }

    /// Adds a list of owners, of an edge between two vertices, to a half-edge with the same
    /// direction.
    pub(crate) fn carry(&mut self, list: u32, (from, to): (u32, u32), h: u32) {
        let mut at = list;
        while at != NONE {
            let hold = self.walls.get(at);
            self.hold(h, hold.owner, if from < to { hold.wind } else { -hold.wind });
            at = hold.next;
        }
    }

    /// Removes an owner from an edge.
    pub(crate) fn release(&mut self, h: u32, owner: u32) {
        let (mut at, mut before) = (self.con(h), NONE);
        while at != NONE {
            let hold = self.walls.get(at);
            if hold.owner == owner {
                match before {
                    NONE => self.set_con(h, hold.next),
                    _ => self.walls.holds[before as usize].next = hold.next,
                }
                self.walls.unused.push(at);
                return;
            }
            (before, at) = (at, hold.next);
        }
    }

    /// Builds an owner's wall from a vertex to another. If it fails, a part may be built, connected
    /// to the first vertex or not.
    pub(crate) fn force(&mut self, from: u32, to: u32, owner: u32, wind: i32) -> bool {
        let mut todo = core::mem::take(&mut self.walls.todo);
        todo.clear();
        todo.push((from, to, 0));
        let mut is_whole = true;
        while let Some((a, b, detours)) = todo.pop() {
            if a == b {
                continue;
            }
            if detours > MAX_DETOURS {
                is_whole = false;
                break;
            }
            match self.reach(a, b) {
                Reach::Along(h) => {
                    let stop = self.dest(h);
                    self.hold(h, owner, wind);
                    todo.push((stop, b, detours));
                }
                Reach::To(stop) => {
                    todo.push((stop, b, detours));
                    match self.clear_edge(a, stop) {
                        Some(h) => self.hold(h, owner, wind),
                        None => {
                            is_whole = false;
                            break;
                        }
                    }
                }
                Reach::Wall(h) => match self.cross(h, a, b) {
                    // Edges were flipped or a wall was moved, so the same stretch is tried again.
                    None => todo.push((a, b, detours + 1)),
                    Some((stop, is_detour)) => {
                        todo.push((stop, b, detours + u32::from(is_detour)));
                        todo.push((a, stop, detours + 1));
                    }
                },
                Reach::Lost => {
                    is_whole = false;
                    break;
                }
            }
        }
        self.walls.todo = todo;
        is_whole
    }

    /// Goes straight from a vertex towards another until it meets a vertex or a wall.
    fn reach(&mut self, a: u32, b: u32) -> Reach {
        let (from, to) = (self.at(a), self.at(b));
        let mut crossed = core::mem::take(&mut self.walls.crossed);
        crossed.clear();
        let reach = self.reach_over(a, (from, to), &mut crossed);
        self.walls.crossed = crossed;
        reach
    }

    fn reach_over(&self, a: u32, (from, to): (Point, Point), crossed: &mut Vec<(u32, u32)>) -> Reach {
        // The edge opposite to a, through which the line leaves the face.
        let mut gate = NONE;
        for h in self.spokes(a) {
            let x = self.at(self.dest(h));
            let side = orient(from, to, x);
            if side == 0 && is_ahead(from, to, x) {
                return Reach::Along(h);
            }
            // Less than half a turn counter-clockwise from its right to its left: ahead.
            if side < 0 && orient(from, to, self.at(self.apex(h))) > 0 {
                gate = next(h);
            }
        }
        for _ in 0..2 * self.faces.len() {
            if gate == NONE {
                return Reach::Lost;
            }
            if self.is_wall(gate) {
                return Reach::Wall(gate);
            }
            crossed.push((self.org(gate), self.dest(gate)));
            let beyond = self.twin(gate);
            let z = self.apex(beyond);
            let side = orient(from, to, self.at(z));
            if side == 0 {
                return Reach::To(z);
            }
            // The gate runs from right to left, its twin back.
            gate = if side > 0 { next(beyond) } else { prev(beyond) };
        }
        Reach::Lost
    }

    /// Flips the crossed edges between two vertices out of the way.
    fn clear_edge(&mut self, a: u32, b: u32) -> Option<u32> {
        let (from, to) = (self.at(a), self.at(b));
        let mut queue = core::mem::take(&mut self.walls.crossed);
        // An edge whose two faces form no convex quadrilateral waits until other edges are flipped.
        let mut rounds = 64 + 16 * queue.len() * queue.len();
        let mut at = 0;
        while at < queue.len() && rounds > 0 {
            rounds -= 1;
            let (x, y) = queue[at];
            at += 1;
            let Some(h) = self.find_edge(x, y) else { break };
            let (c, d) = (self.apex(h), self.apex(self.twin(h)));
            let [px, py, pc, pd] = [x, y, c, d].map(|vertex| self.at(vertex));
            if orient(pd, py, pc) <= 0 || orient(pc, px, pd) <= 0 {
                queue.push((x, y));
                continue;
            }
            self.flip(h);
            let (left, right) = (orient(from, to, pc), orient(from, to, pd));
            if (left > 0 && right < 0) || (left < 0 && right > 0) {
                queue.push((c, d));
            }
        }
        self.walls.crossed = queue;
        self.find_edge(a, b)
    }

    /// Crosses an existing wall with a new one from a to b: returns the vertex of the crossing, and
    /// whether it existed before. `None` if edges were flipped, or the wall was split or moved onto
    /// a corner that nearly touched it: the caller has to try the same stretch again.
    fn cross(&mut self, h: u32, a: u32, b: u32) -> Option<(u32, bool)> {
        let (c, d) = (self.org(h), self.dest(h));
        let [pa, pb, pc, pd] = [a, b, c, d].map(|vertex| self.at(vertex));
        let meet = crossing(pa, pb, pc, pd);
        if is_close(meet, pc) && c != a {
            return Some((c, true));
        }
        if is_close(meet, pd) && d != a {
            return Some((d, true));
        }
        let (near, far) = (self.apex(h), self.apex(self.twin(h)));
        if is_close(meet, self.at(near)) {
            self.bend_onto(h, near);
            return None;
        }
        if is_close(meet, self.at(far)) {
            self.bend_onto(self.twin(h), far);
            return None;
        }
        if let Some(vertex) = self.split_wall(h, meet) {
            return Some((vertex, false));
        }
        self.cross_flat(h, meet, [pa, pb])
    }

    /// Crosses a wall whose two faces are so flat that they contain no place beside the crossing.
    /// Returns like [`Cdt::cross`].
    ///
    /// ```text
    ///   c -------------- d    Walls along each other, not a unit apart: one is moved onto the
    ///    `-- e ------- f      corner of the other, e, until both have the same edges.
    ///
    ///   c --- q -------- d    Walls that part: a vertex is put on one at q, the first place beyond
    ///    `- .                 the crossing where it fits. Up to q they run along each other.
    ///         ` - . _ e
    /// ```
    ///
    /// Going by the nearer end of the crossed wall instead would bend the new wall, by metres at
    /// worst.
    fn cross_flat(&mut self, h: u32, meet: Point, [pa, pb]: [Point; 2]) -> Option<(u32, bool)> {
        if self.has_suspects() {
            // Edges that were flipped out of the way made faces flat.
            self.legalize();
            return None;
        }
        if let Some(wall) = self.flat_wall(h) {
            self.bend_onto(wall, self.apex(wall));
            return None;
        }
        let (c, d) = (self.org(h), self.dest(h));
        let end = if meet.square_to(self.at(c)) <= meet.square_to(self.at(d)) { c } else { d };
        let at = self.at(end);
        let off = orient(pa, pb, at) as f64 / (pa.square_to(pb) as f64).sqrt();
        let is_on_line = off.abs() < FLAT && is_ahead(pa, pb, at) && is_ahead(pb, pa, at);
        // Splitting a wall that the new one runs along would only move the crossing.
        if !is_on_line && self.split_beyond(h, end, meet) {
            return None;
        }
        Some((end, true))
    }

    /// Splits a wall at a place that is further from one of its ends than `place`. Returns whether
    /// a vertex fits anywhere.
    fn split_beyond(&mut self, h: u32, end: u32, place: Point) -> bool {
        let (from, square) = (self.at(end).place(), self.square(h) as f64);
        let mut by = (place.place() - from) * 2.0;
        while by.dot(by) < square {
            if self.split_wall(h, (from + by).nearest()).is_some() {
                return true;
            }
            by = by * 2.0;
        }
        false
    }

    /// Puts a vertex on a wall at a place, or at one of the eight places beside it.
    fn split_wall(&mut self, h: u32, at: Point) -> Option<u32> {
        let place = self.place_on_wall(h, at)?;
        Some(self.split_edge(h, place))
    }

    /// The first place, among `at` and the eight places beside it, at which a wall can be split.
    pub(crate) fn place_on_wall(&self, h: u32, at: Point) -> Option<Point> {
        const AROUND: [(i32, i32); 9] =
            [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
        let places = AROUND.map(|(dx, dy)| Point::new(at.x + dx, at.y + dy));
        places.into_iter().find(|&place| self.can_split(h, place))
    }

    /// A wall that another corner nearly lies on, near a wall whose faces are flat: the half-edge
    /// on the side of the corner, which is the apex of its face.
    pub(crate) fn flat_wall(&self, h: u32) -> Option<u32> {
        let sides = [h, self.twin(h)].into_iter().filter_map(|h| self.flat_wall_from(h));
        sides.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, wall)| wall)
    }

    /// Goes from flat face to flat face, each time over the longest edge, until that edge is a
    /// wall. Returns the face's height over it, and its half-edge.
    fn flat_wall_from(&self, h: u32) -> Option<(f64, u32)> {
        const MAX_FACES: usize = 8;
        let mut at = h;
        for _ in 0..MAX_FACES {
            let longest = [at, next(at), prev(at)].into_iter().max_by_key(|&h| self.square(h))?;
            let [c, d, x] =
                [self.org(longest), self.dest(longest), self.apex(longest)].map(|vertex| self.at(vertex));
            // Twice the area over the side.
            let height = orient(c, d, x) as f64 / (c.square_to(d) as f64).sqrt();
            if height >= FLAT {
                return None;
            }
            if self.is_wall(longest) {
                return Some((height, longest));
            }
            if longest == at {
                return None;
            }
            at = self.twin(longest);
        }
        None
    }

    /// Moves a wall onto the corner of the face on one side of it. The face is then on the wall's
    /// other side.
    pub(crate) fn bend_onto(&mut self, h: u32, corner: u32) {
        let (c, d) = (self.org(h), self.dest(h));
        let list = self.con(h);
        let (to_corner, from_corner) = (self.twin(prev(h)), self.twin(next(h)));
        debug_assert_eq!(self.apex(h), corner);
        self.carry(list, (c, d), to_corner);
        self.carry(list, (c, d), from_corner);
        self.set_con(h, NONE);
        self.walls.free(list);
        let cover = self.cover(self.twin(h) >> 2);
        self.faces[(h >> 2) as usize].cover = cover;
        self.suspect(h >> 2);
    }
}

/// Whether two points are within a unit and a half.
fn is_close(a: Point, b: Point) -> bool {
    a.square_to(b) <= 2
}

/// The crossing of two segments, in whole units.
fn crossing(a: Point, b: Point, c: Point, d: Point) -> Point {
    let (left, right) = (orient(a, b, c) as f64, orient(a, b, d) as f64);
    // From c to d the side of a-b changes; both are exact before this line.
    let share = left / (left - right);
    let (from, to) = (Place::new(f64::from(c.x), f64::from(c.y)), Place::new(f64::from(d.x), f64::from(d.y)));
    (from + (to - from) * share).nearest()
}
