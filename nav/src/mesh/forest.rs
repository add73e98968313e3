//! Widest paths: the width of the narrowest passage on the widest way between two faces.
//!
//! Edges of faces, longest first, join faces (Kruskal): the edge that joins two groups is the
//! narrowest place of the widest way between any face of the one and any face of the other. Each
//! group is a list; when two groups are joined, one list follows the other, and the edge stands
//! between them. So the narrowest place between two faces is the shortest edge between their
//! positions in the list. It is found in constant time: by a scan of two blocks of the list, and
//! two entries of a table for the blocks between.
//!
//! ```text
//!   faces   4   0   7   2   9   5
//!   edges     8   3   6   1   5       between 0 and 9: min(3, 6, 1) = 1
//! ```
//!
//! The forest also keeps a face near each place, so that a walk of one or two steps finds the face
//! at a place.

use super::cdt::{Cdt, GHOST, NONE, Spot};
use super::fixed::Point;

/// The order of all free faces, and the edges between neighbours in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    /// The mesh's revision at the last build; 0 for never.
    pub(crate) revision: u64,
    /// Per face: its index in the order.
    places: Vec<u32>,
    /// By index: the rank of the edge before it, in order of length; [`NONE`] where a group begins.
    before: Vec<u32>,
    /// For each power of two: by block, the shortest edge of that many blocks from it on.
    table: Vec<Vec<u32>>,
    /// Squares of lengths with their half-edges, longest first.
    edges: Vec<(u64, u32)>,
    groups: Vec<Group>,
    face_hints: FaceHints,
}

/// A list of faces; its data is at its root.
#[derive(Clone, Copy, Debug)]
struct Group {
    up: u32,
    size: u32,
    /// The first and the last face of the list.
    first: u32,
    last: u32,
    /// The face that follows this one, and the rank of the edge between.
    next: u32,
    edge: u32,
}

/// Entries in a block.
const BLOCK: usize = 16;

impl Forest {
    pub(crate) fn build(&mut self, cdt: &Cdt, half: i32) {
        self.sort(cdt);
        self.join(cdt);
        self.order();
        self.tabulate();
        self.face_hints.refresh(cdt, half);
    }

    /// Lists all passages, the widest first.
    fn sort(&mut self, cdt: &Cdt) {
        self.edges.clear();
        let faces = cdt.faces.len() as u32;
        for face in (0..faces).filter(|&face| cdt.is_used(face) && cdt.is_free(face)) {
            for h in 4 * face..4 * face + 3 {
                if h < cdt.twin(h) && !cdt.is_wall(h) {
                    self.edges.push((cdt.square(h), h));
                }
            }
        }
        self.edges.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    fn join(&mut self, cdt: &Cdt) {
        self.groups.clear();
        self.groups.extend((0..cdt.faces.len() as u32).map(|face| Group {
            up: face,
            size: 1,
            first: face,
            last: face,
            next: NONE,
            edge: NONE,
        }));
        for at in 0..self.edges.len() {
            let h = self.edges[at].1;
            let (a, b) = (self.root(h >> 2), self.root(cdt.twin(h) >> 2));
            if a == b {
                continue;
            }
            let [one, other] = [a, b].map(|root| self.groups[root as usize]);
            let (low, high) = if one.size <= other.size { (a, b) } else { (b, a) };
            let between = &mut self.groups[one.last as usize];
            (between.next, between.edge) = (other.first, at as u32);
            self.groups[low as usize].up = high;
            let joined = &mut self.groups[high as usize];
            joined.size = one.size + other.size;
            (joined.first, joined.last) = (one.first, other.last);
        }
    }

    fn root(&mut self, mut face: u32) -> u32 {
        loop {
            let up = self.groups[face as usize].up;
            if up == face {
                return face;
            }
            // Path halving.
            let next = self.groups[up as usize].up;
            self.groups[face as usize].up = next;
            face = next;
        }
    }

    /// Writes all groups into one order, one after the other.
    fn order(&mut self) {
        self.places.clear();
        self.places.resize(self.groups.len(), 0);
        self.before.clear();
        for root in 0..self.groups.len() {
            if self.groups[root].up != root as u32 {
                continue;
            }
            let (mut face, mut edge) = (self.groups[root].first, NONE);
            while face != NONE {
                self.places[face as usize] = self.before.len() as u32;
                self.before.push(edge);
                let group = &self.groups[face as usize];
                (face, edge) = (group.next, group.edge);
            }
        }
    }

    fn tabulate(&mut self) {
        let blocks = self.before.len().div_ceil(BLOCK);
        let levels = blocks.checked_ilog2().map_or(0, |log| log as usize + 1);
        self.table.resize_with(levels, Vec::new);
        for level in 0..levels {
            let (done, rest) = self.table.split_at_mut(level);
            let line = &mut rest[0];
            line.clear();
            match done.last() {
                None => line.extend(self.before.chunks(BLOCK).map(shortest)),
                Some(half) => {
                    let step = 1 << (level - 1);
                    line.extend(half.iter().zip(&half[step..]).map(|(a, b)| *a.max(b)));
                }
            }
        }
    }

    /// The square of the narrowest passage on the widest way; `None` if there is no way, and the
    /// greatest number from a face to itself.
    #[inline]
    pub(crate) fn narrowest(&self, a: u32, b: u32) -> Option<u64> {
        if a == b {
            return Some(u64::MAX);
        }
        let (a, b) = (self.places[a as usize] as usize, self.places[b as usize] as usize);
        // The edges after the first position, up to the last position.
        let (from, to) = (a.min(b) + 1, a.max(b) + 1);
        let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
        let edge = if first >= last {
            shortest(&self.before[from..to])
        } else {
            let level = (last - first).ilog2() as usize;
            let line = &self.table[level];
            let whole = line[first].max(line[last - (1 << level)]);
            let ends = [&self.before[from..first * BLOCK], &self.before[last * BLOCK..to]];
            whole.max(shortest(ends[0])).max(shortest(ends[1]))
        };
        (edge != NONE).then(|| self.edges[edge as usize].0)
    }

    /// The face that contains a place, unless the place lies on an edge or a corner.
    #[inline]
    pub(crate) fn face_at(&self, cdt: &Cdt, at: Point) -> Option<u32> {
        match cdt.locate_from(self.face_hints.near(cdt, at)?, at) {
            Spot::Face(face) => Some(face),
            Spot::Vertex(_) | Spot::Edge(_) => None,
        }
    }
}

/// The highest of some ranks of edges, which is the shortest edge; [`NONE`], which stands for a
/// missing edge, is the highest of all.
#[inline]
fn shortest(edges: &[u32]) -> u32 {
    edges.iter().copied().max().unwrap_or(0)
}

/// A face near each place: a square grid, whose cells hold the face at their middle at the time of
/// the build. Later changes of faces only make walks longer.
#[derive(Clone, Debug, Default)]
struct FaceHints {
    cells: Vec<u32>,
    /// Cells a side; a place's cell is (x + half) >> shift.
    side: i64,
    shift: u32,
    half: i64,
    /// Number of faces at the build, and number of calls since.
    faces: usize,
    kept: usize,
}

impl FaceHints {
    /// Builds the grid anew if many faces may have changed.
    fn refresh(&mut self, cdt: &Cdt, half: i32) {
        let faces = cdt.faces.len();
        self.kept += 1;
        let is_near = faces <= self.faces + self.faces / 4 && faces >= self.faces - self.faces / 4;
        if is_near && self.kept * 64 < self.faces {
            return;
        }
        self.half = i64::from(half);
        // About as many cells as faces.
        let mut shift = 0;
        while ((2 * self.half) >> shift) * ((2 * self.half) >> shift) > faces as i64 {
            shift += 1;
        }
        self.shift = shift;
        self.side = ((2 * self.half) >> shift) + 1;
        (self.faces, self.kept) = (faces, 0);
        self.cells.clear();
        self.cells.resize((self.side * self.side) as usize, NONE);
        let middle = |k: i64| ((k << shift) - self.half + (1 << shift >> 1)).min(self.half) as i32;
        let mut face = NONE;
        for y in 0..self.side {
            for k in 0..self.side {
                // Every other row runs backwards, so that the next cell is near.
                let x = if y % 2 == 0 { k } else { self.side - 1 - k };
                let at = Point::new(middle(x), middle(y));
                let spot = if is_inner(cdt, face) { cdt.locate_from(face, at) } else { cdt.locate(at) };
                face = match spot {
                    Spot::Face(face) => face,
                    Spot::Edge(h) => h >> 2,
                    Spot::Vertex(vertex) => cdt.vertices[vertex as usize].out >> 2,
                };
                self.cells[(y * self.side + x) as usize] = face;
            }
        }
    }

    #[inline]
    fn near(&self, cdt: &Cdt, at: Point) -> Option<u32> {
        let along = |x: i32| ((i64::from(x) + self.half) >> self.shift).clamp(0, (self.side - 1).max(0));
        let face = *self.cells.get((along(at.y) * self.side + along(at.x)) as usize)?;
        is_inner(cdt, face).then_some(face)
    }
}

/// Whether a walk may begin at a face.
#[inline]
fn is_inner(cdt: &Cdt, face: u32) -> bool {
    (face as usize) < cdt.faces.len() && cdt.is_used(face) && !cdt.faces[face as usize].org.contains(&GHOST)
}
