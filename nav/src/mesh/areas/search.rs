//! A coarse way over places on the edges of faces of one factor each (A*).
//!
//! In: the layer, two places, a radius, and an upper bound of the cost. Out: a chain of places from
//! start to goal, and the cost up to each.
//!
//! ```text
//!        v                From a place on an edge of a face, straight to the places on its other
//!      / . \              edges, and to its corners without walls: [`PER_EDGE`] on each edge.
//!     .  .  .             Lines keep the radius from corners of walls. Walls between two places of
//!    /  .----- .          one face are not tested here: the refined way is tested against them.
//!   u ---.---.--- w
//! ```
//!
//! A disc has to go around corners of walls, so there are places about these, too: [`ABOUT`] in
//! each face, far enough away that straight lines from one to the next keep the radius.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::cdt::{Cdt, NONE};
use super::super::fixed::{Place, Point};
use super::super::near::segment_square;
use super::super::seek::Seek;
use super::layer::Layer;

/// Places on an edge. (5: one way in a hundred is 5 % above the cheapest; 7: 1.4 %.)
const PER_EDGE: u32 = 7;

/// Places about a corner of a face, and their distance from it, in radii: a quarter of half a turn
/// apart, 1 / cos(22.5 degrees).
const ABOUT: u32 = 3;
const OFF_CORNER: f64 = 1.083;
/// Least distance of a line from a corner, in radii. (From an edge to a corner: 0.95.)
const NEAR_CORNER: f64 = 0.9;

/// The best way to a place so far.
#[derive(Clone, Copy, Debug, Default)]
struct Best {
    stamp: u32,
    before: u32,
    cost: f64,
    holds: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    stamp: u32,
    best: Vec<Best>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// The way found: places, and the cost up to each.
    pub(super) path: Vec<(Point, f64)>,
}

/// Input of the search.
pub(super) struct Ask<'a> {
    /// The mesh's own triangulation, which decides where a disc fits.
    pub(super) mesh: &'a Cdt,
    pub(super) ends: [Point; 2],
    pub(super) r: f64,
    /// The least factor anywhere.
    pub(super) least: f64,
    /// Upper bound of the cost: the search drops dearer ways.
    pub(super) most: f64,
}

struct Task<'a> {
    layer: &'a Layer,
    cdt: &'a Cdt,
    ask: &'a Ask<'a>,
    search: &'a mut Search,
    goal_faces: &'a [u32],
}

impl Search {
    /// Fills `path`. Returns whether there is a way below the bound.
    pub(super) fn run(&mut self, layer: &Layer, ask: &Ask) -> bool {
        self.path.clear();
        let Some(cdt) = &layer.cdt else { return false };
        if self.stamp == u32::MAX {
            *self = Search::default();
        }
        self.stamp += 1;
        self.heap.clear();
        let count = 4 * cdt.faces.len() * (PER_EDGE + ABOUT) as usize + cdt.vertices.len() + 2;
        self.best.resize(count.max(self.best.len()), Best::default());
        let [mut from, mut to] = [Vec::new(), Vec::new()];
        cdt.faces_at(cdt.locate(ask.ends[0]), &mut from);
        cdt.faces_at(cdt.locate(ask.ends[1]), &mut to);
        Task { layer, cdt, ask, search: self, goal_faces: &to }.run(&from)
    }
}

impl Task<'_> {
    fn vertices(&self) -> u32 {
        4 * self.cdt.faces.len() as u32 * PER_EDGE
    }

    fn abouts(&self) -> u32 {
        self.vertices() + self.cdt.vertices.len() as u32
    }

    fn start(&self) -> u32 {
        self.abouts() + 4 * self.cdt.faces.len() as u32 * ABOUT
    }

    fn goal(&self) -> u32 {
        self.start() + 1
    }

    fn run(mut self, from: &[u32]) -> bool {
        let (start, goal) = (self.start(), self.goal());
        let here = self.ask.ends[0].place();
        self.search.best[start as usize] =
            Best { stamp: self.search.stamp, before: NONE, cost: 0.0, holds: true };
        let home = self.home(here);
        for &face in from {
            self.expand((start, here, home), 0.0, face);
        }
        let mut steps = 0_u64;
        while let Some(Reverse((f, node))) = self.search.heap.pop() {
            if node == goal {
                self.trace();
                return true;
            }
            let (at, cost) = (self.place(node), self.search.best[node as usize].cost);
            steps += 1;
            if f > (cost + self.rest(at) + 1e-3).to_bits() {
                continue;
            }
            debug_assert!(steps < 1 << 32, "each place is expanded once or a few times");
            let home = self.home(at);
            if node >= self.abouts() {
                self.expand((node, at, home), cost, ((node - self.abouts()) / ABOUT) >> 2);
            } else if node >= self.vertices() {
                let vertex = node - self.vertices();
                let cdt = self.cdt;
                for h in cdt.spokes(vertex) {
                    self.expand((node, at, home), cost, h >> 2);
                }
            } else {
                let h = node / PER_EDGE;
                self.expand((node, at, home), cost, h >> 2);
                self.expand((node, at, home), cost, self.cdt.twin(h) >> 2);
            }
        }
        false
    }

    /// A lower bound of the cost from a place to the goal.
    #[inline(always)]
    fn rest(&self, at: Place) -> f64 {
        (self.ask.ends[1].place() - at).length() * self.ask.least
    }

    /// Relaxes all other places of a face from one of its places.
    fn expand(&mut self, (node, at, home): (u32, Place, u32), cost: f64, face: u32) {
        if !self.cdt.is_free(face) {
            return;
        }
        let from = (node, at, home);
        let factor = f64::from(self.layer.factors[face as usize]);
        if self.goal_faces.contains(&face) {
            self.relax(from, cost, self.goal(), self.ask.ends[1].place(), (face, factor));
        }
        for h in 4 * face..4 * face + 3 {
            let vertex = self.cdt.org(h);
            if self.layer.is_soft[vertex as usize] {
                let to = self.cdt.at(vertex).place();
                self.relax(from, cost, self.vertices() + vertex, to, (face, factor));
            } else if self.ask.r > 0.0 {
                for k in 0..ABOUT {
                    if let Some(to) = self.place_about(h, k) {
                        self.relax(from, cost, self.abouts() + h * ABOUT + k, to, (face, factor));
                    }
                }
            }
            if !self.layer.is_open(h) {
                continue;
            }
            let edge = h.min(self.cdt.twin(h));
            if node < self.vertices() && node / PER_EDGE == edge {
                continue;
            }
            let Some((first, step)) = self.places_on(edge) else { continue };
            for k in 0..PER_EDGE {
                let to = (first + step * f64::from(k)).nearest().place();
                self.relax(from, cost, edge * PER_EDGE + k, to, (face, factor));
            }
        }
    }

    /// A place about the corner of a face at the origin of a half-edge, if it lies in the face.
    fn place_about(&self, h: u32, k: u32) -> Option<Place> {
        let [a, b, c] =
            [self.cdt.org(h), self.cdt.dest(h), self.cdt.apex(h)].map(|vertex| self.cdt.at(vertex).place());
        let [u, v] = [b - a, c - a].map(|along| along * (1.0 / along.length()));
        // Halves of the angle: bisectors of two directions, or the left normal if these are
        // opposite.
        let half = |u: Place, v: Place| {
            let sum = u + v;
            let size = sum.length();
            if size > 1e-3 { sum * (1.0 / size) } else { u.left() }
        };
        let middle = half(u, v);
        let along = match k {
            0 => half(u, middle),
            1 => middle,
            _ => half(middle, v),
        };
        let at = (a + along * (self.ask.r * OFF_CORNER + 2.0)).nearest().place();
        ((c - b).cross(at - b) > 0.0).then_some(at)
    }

    /// The first place on an edge, and the step to the next place; `None` if the disc does not
    /// pass.
    fn places_on(&self, h: u32) -> Option<(Place, Place)> {
        let ends = [self.cdt.org(h), self.cdt.dest(h)];
        let [a, b] = ends.map(|vertex| self.cdt.at(vertex).place());
        let length = (b - a).length();
        let off = ends.map(|vertex| match self.layer.is_soft[vertex as usize] {
            // The corner is a place itself.
            true => length / f64::from(PER_EDGE + 1),
            false => self.ask.r - 1.0,
        });
        let [low, high] = [off[0].max(0.0), length - off[1].max(0.0)];
        if low > high + 1.0 || length == 0.0 {
            return None;
        }
        let along = (b - a) * (1.0 / length);
        Some((a + along * low, along * ((high - low).max(0.0) / f64::from(PER_EDGE - 1))))
    }

    fn place(&self, node: u32) -> Place {
        if node == self.start() {
            return self.ask.ends[0].place();
        }
        if node == self.goal() {
            return self.ask.ends[1].place();
        }
        if node >= self.abouts() {
            let at = node - self.abouts();
            return self.place_about(at / ABOUT, at % ABOUT).unwrap_or_default();
        }
        if node >= self.vertices() {
            return self.cdt.at(node - self.vertices()).place();
        }
        let places = self.places_on(node / PER_EDGE);
        places.map_or(Place::default(), |(first, step)| {
            (first + step * f64::from(node % PER_EDGE)).nearest().place()
        })
    }

    #[inline]
    fn relax(
        &mut self,
        (from, at, home): (u32, Place, u32),
        cost: f64,
        node: u32,
        to: Place,
        (face, factor): (u32, f64),
    ) {
        let cost = cost + (to - at).length() * factor;
        let stamp = self.search.stamp;
        let best = &self.search.best[node as usize];
        if best.stamp == stamp && (cost >= best.cost || !best.holds) {
            return;
        }
        let f = cost + self.rest(to);
        if f >= self.ask.most {
            return;
        }
        let holds = best.stamp == stamp || node == self.goal() || self.holds(to);
        if holds && !(self.is_off(face, at, to) && self.passes(at, home, to)) {
            return;
        }
        self.search.best[node as usize] = Best { stamp, before: from, cost, holds };
        if holds {
            self.search.heap.push(Reverse((f.to_bits(), node)));
        }
    }

    /// Whether a line in a face keeps its distance from the face's corners that have walls.
    fn is_off(&self, face: u32, from: Place, to: Place) -> bool {
        let near = self.ask.r * NEAR_CORNER;
        near == 0.0
            || self.cdt.faces[face as usize].org.into_iter().all(|vertex| {
                let at = self.cdt.at(vertex).place();
                self.layer.is_soft[vertex as usize] || segment_square(from - at, to - at) >= near * near
            })
    }

    /// The mesh's face at a place; any face if the radius is 0.
    fn home(&self, at: Place) -> u32 {
        if self.ask.r == 0.0 { 0 } else { self.ask.mesh.face_at(at.nearest()) }
    }

    /// Whether the disc passes all edges of the mesh on a line, by their lengths (feet.rs). Faces
    /// of the layer cannot decide that, because borders of areas cut narrow passages in two.
    fn passes(&self, from: Place, home: u32, to: Place) -> bool {
        let (r, mesh) = (self.ask.r, self.ask.mesh);
        if r == 0.0 {
            return true;
        }
        let (along, gap) = (to - from, Seek::gap(r));
        let (mut face, mut came) = (home, NONE);
        for _ in 0..256 {
            let leaves = |&h: &u32| {
                let [c, d] = [mesh.org(h), mesh.dest(h)].map(|vertex| mesh.at(vertex).place());
                let is_beyond = (d - c).cross(to - c) < 0.0;
                h != came && is_beyond && along.cross(c - from) <= 0.0 && along.cross(d - from) >= 0.0
            };
            let Some(h) = (4 * face..4 * face + 3).find(leaves) else { return true };
            if mesh.is_wall(h) || mesh.square(h) < gap {
                return false;
            }
            came = mesh.twin(h);
            face = came >> 2;
        }
        false
    }

    /// Whether a place holds the disc.
    fn holds(&self, at: Place) -> bool {
        let r = self.ask.r;
        r == 0.0 || {
            let face = self.ask.mesh.face_at(at.nearest());
            self.ask.mesh.room(at, face, r + 2.0) >= r - super::super::query::SLACK
        }
    }

    fn trace(&mut self) {
        let mut node = self.goal();
        while node != NONE {
            let best = self.search.best[node as usize];
            let at = self.place(node).nearest();
            self.search.path.push((at, best.cost));
            node = best.before;
        }
        self.search.path.reverse();
    }
}
