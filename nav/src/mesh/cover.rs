//! Cover: the faces inside an obstacle.
//!
//! An owner's outline is a closed chain of edges. Around each of its vertices, the winding number
//! changes by the owner's wind at each of its edges; it is 0 below the lowest vertex, where the
//! chain cannot be. So the faces beside the chain get their numbers, and faces further inside get
//! theirs from these. Faces with another number than 0 lie inside, for any outline.

use super::cdt::Cdt;

/// Columns of marks for a search through faces or vertices; entries with an older stamp count as
/// empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    stamp: u32,
    faces: Vec<(u32, i32)>,
    vertices: Vec<u32>,
    /// Vertices of the chain.
    pub(crate) chain: Vec<u32>,
    /// Half-edges out of vertices, each with a numbered face.
    starts: Vec<u32>,
    /// Numbered faces inside the outline.
    pub(crate) inside: Vec<u32>,
}

impl Scratch {
    pub(crate) fn begin(&mut self, faces: usize, vertices: usize) {
        if self.stamp == u32::MAX {
            *self = Scratch::default();
        }
        self.stamp += 1;
        self.faces.resize(faces.max(self.faces.len()), (0, 0));
        self.vertices.resize(vertices.max(self.vertices.len()), 0);
        self.chain.clear();
        self.starts.clear();
        self.inside.clear();
    }

    /// Marks a vertex. Returns whether it was unmarked.
    pub(crate) fn mark(&mut self, vertex: u32) -> bool {
        let stamp = self.stamp;
        core::mem::replace(&mut self.vertices[vertex as usize], stamp) != stamp
    }

    pub(crate) fn is_new(&self, face: u32) -> bool {
        self.faces[face as usize].0 != self.stamp
    }

    /// Gives a face a number. Returns whether it had none.
    pub(crate) fn number(&mut self, face: u32, number: i32) -> bool {
        let entry = &mut self.faces[face as usize];
        let is_new = entry.0 != self.stamp;
        if is_new {
            *entry = (self.stamp, number);
        }
        is_new
    }
}

impl Cdt {
    /// Counts an owner's obstacle in or out (`by` = 1 or -1), given one vertex of its outline.
    pub(crate) fn count(&mut self, owner: u32, vertex: u32, by: i32) {
        let mut scratch = core::mem::take(&mut self.scratch);
        self.find_chain(owner, vertex, &mut scratch);
        self.find_inside(owner, &mut scratch);
        for &face in &scratch.inside {
            self.faces[face as usize].cover += by;
        }
        self.scratch = scratch;
    }

    /// The faces that an owner's outline winds around, given one vertex of it.
    pub(crate) fn faces_inside(&mut self, owner: u32, vertex: u32, inside: &mut Vec<u32>) {
        let mut scratch = core::mem::take(&mut self.scratch);
        self.find_chain(owner, vertex, &mut scratch);
        self.find_inside(owner, &mut scratch);
        inside.clear();
        inside.extend_from_slice(&scratch.inside);
        self.scratch = scratch;
    }

    /// Lists the vertices of an owner's outline, beginning with one of them.
    pub(crate) fn find_chain(&self, owner: u32, vertex: u32, scratch: &mut Scratch) {
        scratch.begin(self.faces.len(), self.vertices.len());
        scratch.mark(vertex);
        scratch.chain.push(vertex);
        let mut at = 0;
        while at < scratch.chain.len() {
            for h in self.spokes(scratch.chain[at]) {
                if self.wind(h, owner).is_some() {
                    let end = self.dest(h);
                    if scratch.mark(end) {
                        scratch.chain.push(end);
                    }
                }
            }
            at += 1;
        }
    }

    fn find_inside(&self, owner: u32, scratch: &mut Scratch) {
        let Some(&lowest) = scratch.chain.iter().min_by_key(|&&vertex| self.at(vertex)) else { return };
        scratch.begin_again();
        // The chain has no part below the lowest vertex.
        let Some(first) = self.spokes(lowest).find(|&h| self.at(self.dest(h)) < self.at(lowest)) else {
            return;
        };
        scratch.mark(lowest);
        scratch.number(first >> 2, 0);
        scratch.starts.push(first);
        while let Some(first) = scratch.starts.pop() {
            self.go_round(owner, first, scratch);
        }
        let mut at = 0;
        while at < scratch.inside.len() {
            let face = scratch.inside[at];
            let number = scratch.faces[face as usize].1;
            for h in 4 * face..4 * face + 3 {
                let beyond = self.twin(h) >> 2;
                if scratch.faces[beyond as usize].0 != scratch.stamp && self.wind(h, owner).unwrap_or(0) == 0
                {
                    scratch.number(beyond, number);
                    scratch.inside.push(beyond);
                }
            }
            at += 1;
        }
    }

    /// Numbers the faces around a vertex, beginning with a half-edge whose face has its number.
    fn go_round(&self, owner: u32, first: u32, scratch: &mut Scratch) {
        let mut number = scratch.faces[(first >> 2) as usize].1;
        let mut h = first;
        loop {
            if scratch.number(h >> 2, number) && number != 0 {
                scratch.inside.push(h >> 2);
            }
            debug_assert_eq!(scratch.faces[(h >> 2) as usize].1, number, "an outline that is not closed");
            let then = self.turn(h);
            if let Some(wind) = self.wind(then, owner) {
                // Crosses the half-edge, from the face on its right to the face on its left.
                number += wind;
                let end = self.dest(then);
                if scratch.mark(end) {
                    // Its twin leaves the end, and its face is the numbered one.
                    scratch.starts.push(self.twin(then));
                }
            }
            h = then;
            if h == first {
                return;
            }
        }
    }
}

impl Scratch {
    /// Takes a new stamp, and keeps the chain.
    fn begin_again(&mut self) {
        let chain = core::mem::take(&mut self.chain);
        self.begin(self.faces.len(), self.vertices.len());
        self.chain = chain;
    }
}
