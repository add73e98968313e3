//! Point location: a walk through faces from a nearby vertex.
//!
//! In: a place within the frame. Out: the vertex, edge or face there. [`Hints`] keeps a vertex near
//! each place, so that walks are short.

use super::cdt::{Cdt, GHOST, NONE, Spot, Vertex};
use super::fixed::{Point, orient};
use crate::state::{LoadError, Reader, Sink};

impl Cdt {
    /// The element at a place within the frame.
    pub(crate) fn locate(&self, at: Point) -> Spot {
        // Corner 0 of the frame, if there is no hint.
        let near = self.hints.near(at).unwrap_or(0);
        // A vertex from another cell may be gone.
        let near = if self.vertices[near as usize].out == NONE { 0 } else { near };
        let inner = |&h: &u32| !self.faces[(h >> 2) as usize].org.contains(&GHOST);
        let start = self.spokes(near).find(inner).unwrap_or(0) >> 2;
        self.locate_from(start, at)
    }

    /// Walks from face to face, each time over an edge that separates the face from the place.
    pub(super) fn locate_from(&self, start: u32, at: Point) -> Spot {
        let mut face = start;
        let mut came = NONE;
        // With walls, a walk with a fixed order of edges may go in circles, so the order varies.
        for step in 0..4 * self.faces.len() as u32 + 64 {
            let first = (step.wrapping_mul(0x9e37_79b9) >> 16) % 3;
            let mut on = NONE;
            let mut over = NONE;
            for k in 0..3 {
                let i = (first + k) % 3;
                let h = 4 * face + i;
                if h == came {
                    continue;
                }
                let side = orient(self.at(self.org(h)), self.at(self.dest(h)), at);
                if side < 0 {
                    over = h;
                    break;
                }
                if side == 0 {
                    on = h;
                }
            }
            if over != NONE {
                came = self.twin(over);
                face = came >> 2;
                continue;
            }
            return self.spot(face, at, on);
        }
        self.scan(at)
    }

    /// The element of a face at a place in it; `on` is an edge of the face that contains the place,
    /// or [`NONE`].
    fn spot(&self, face: u32, at: Point, on: u32) -> Spot {
        if on == NONE {
            return Spot::Face(face);
        }
        let corner = self.faces[face as usize].org.into_iter().find(|&vertex| self.at(vertex) == at);
        corner.map_or(Spot::Edge(on), Spot::Vertex)
    }

    /// Tests every face, in case a walk does not end.
    #[cold]
    fn scan(&self, at: Point) -> Spot {
        for face in 0..self.faces.len() as u32 {
            let corners = self.faces[face as usize].org;
            if !self.is_used(face) || corners.contains(&GHOST) {
                continue;
            }
            let side = |h: u32| orient(self.at(self.org(h)), self.at(self.dest(h)), at);
            let sides = [4 * face, 4 * face + 1, 4 * face + 2].map(side);
            if sides.iter().all(|&side| side >= 0) {
                let on = sides.iter().position(|&side| side == 0).map_or(NONE, |i| 4 * face + i as u32);
                return self.spot(face, at, on);
            }
        }
        Spot::Face(0)
    }
}

/// A vertex near each place: a square grid over the mesh, whose cells hold the vertex last added in
/// them.
#[derive(Clone, Debug)]
pub(crate) struct Hints {
    cells: Vec<u32>,
    /// Cells a side, as a power of two.
    bits: u32,
    /// The cell of a coordinate is (x + half) >> shift.
    shift: u32,
    half: i64,
    count: usize,
}

impl Hints {
    pub(crate) fn new(half: i32) -> Hints {
        let reach = 2 * i64::from(half) + 1;
        let side = 64 - (reach as u64).leading_zeros();
        let bits = 3;
        Hints {
            cells: vec![NONE; 1 << (2 * bits)],
            bits,
            shift: side.saturating_sub(bits),
            half: i64::from(half),
            count: 0,
        }
    }

    fn cell(&self, at: Point) -> (i64, i64) {
        let most = (1 << self.bits) - 1;
        let along = |x: i32| ((i64::from(x) + self.half) >> self.shift).clamp(0, most);
        (along(at.x), along(at.y))
    }

    fn index(&self, (x, y): (i64, i64)) -> usize {
        ((y << self.bits) + x) as usize
    }

    /// Adds a vertex. Returns whether the grid has become too coarse.
    pub(crate) fn add(&mut self, vertex: u32, at: Point) -> bool {
        let cell = self.index(self.cell(at));
        self.cells[cell] = vertex;
        self.count += 1;
        self.count > 2 * self.cells.len() && self.bits < 12 && self.shift > 1
    }

    /// Replaces a removed vertex by one beside it.
    pub(crate) fn remove(&mut self, vertex: u32, at: Point, beside: u32) {
        let cell = self.index(self.cell(at));
        if self.cells[cell] == vertex {
            self.cells[cell] = beside;
        }
        self.count -= 1;
    }

    pub(crate) fn refill(&mut self, vertices: impl Iterator<Item = (u32, Point)>) {
        self.bits += 1;
        self.shift -= 1;
        self.cells.clear();
        self.cells.resize(1 << (2 * self.bits), NONE);
        self.count = 0;
        for (vertex, at) in vertices {
            let cell = self.index(self.cell(at));
            self.cells[cell] = vertex;
            self.count += 1;
        }
    }

    pub(crate) fn encode(&self, to: &mut impl Sink) {
        to.word(self.bits);
        self.cells.iter().for_each(|&cell| to.word(cell));
    }

    /// Reads hints for existing vertices; the grid never becomes coarser.
    pub(crate) fn decode(&mut self, from: &mut Reader, vertices: &[Vertex]) -> Result<(), LoadError> {
        const BROKEN: LoadError = LoadError::Broken("hints are vertices");
        let bits = from.word()?;
        if !(self.bits..=12).contains(&bits) || bits - self.bits >= self.shift.max(1) {
            return Err(BROKEN);
        }
        self.shift -= bits - self.bits;
        self.bits = bits;
        self.cells.clear();
        for _ in 0..1_usize << (2 * bits) {
            // Memory grows with the bytes read, not with a count in them.
            self.cells.push(from.word()?);
        }
        let is_vertex = |&cell: &u32| cell == NONE || (cell as usize) < vertices.len();
        self.count = vertices.iter().skip(5).filter(|vertex| vertex.out != NONE).count();
        if self.cells.iter().all(is_vertex) { Ok(()) } else { Err(BROKEN) }
    }

    pub(crate) fn near(&self, at: Point) -> Option<u32> {
        let (x, y) = self.cell(at);
        let found = self.cells[self.index((x, y))];
        if found != NONE {
            return Some(found);
        }
        let side = 1_i64 << self.bits;
        for reach in 1..side.min(6) {
            for dy in -reach..=reach {
                let step = if dy.abs() == reach { 1 } else { 2 * reach };
                for dx in (-reach..=reach).step_by(step as usize) {
                    let (x, y) = (x + dx, y + dy);
                    if (0..side).contains(&x) && (0..side).contains(&y) {
                        let found = self.cells[self.index((x, y))];
                        if found != NONE {
                            return Some(found);
                        }
                    }
                }
            }
        }
        None
    }
}
