//! Constrained Delaunay triangulation.
//!
//! ```text
//!            c               a face is three half-edges, counter-clockwise:
//!          / ^ \             half-edge 4f + i goes from org[i] to org[i + 1];
//!         /   \ \            its twin is the same edge of the face beside it
//!        a --> b             (a, b, c): a -> b has number 4f, b -> c 4f + 1, c -> a 4f + 2
//! ```
//!
//! In: points and walls, by [`Cdt::insert`] and `force` (walls.rs). No place is outside: four
//! corners of a frame far out exist from the start, and beyond the frame four faces meet in a
//! vertex without a place, so that a turn about any vertex closes. An edge with a wall on it (`con`
//! is not [`NONE`]) is never flipped.

use super::feet::Area;
use super::fixed::{LIMIT, Point, is_in_circle, orient};
use super::locate::Hints;
use super::walls::Walls;

pub(crate) const NONE: u32 = u32::MAX;
/// The cover of an unused face.
pub(crate) const UNUSED: i32 = i32::MIN;
/// The vertex without a place.
pub(crate) const GHOST: u32 = 4;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) org: [u32; 3],
    pub(crate) twin: [u32; 3],
    /// The first hold in the list of the wall on each edge (walls.rs), equal for both half-edges.
    pub(crate) con: [u32; 3],
    /// Number of obstacles that cover the face.
    pub(crate) cover: i32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub(crate) at: Point,
    /// A half-edge that leaves the vertex; [`NONE`] if the vertex is unused.
    pub(crate) out: u32,
    /// Number of outline corners here.
    pub(crate) pins: u32,
    /// For a foot (feet.rs): the corner that it belongs to.
    pub(crate) foot_of: u32,
}

/// Element of the triangulation at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Vertex(u32),
    /// An edge, as a half-edge of the face.
    Edge(u32),
    Face(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Cdt {
    pub(crate) faces: Vec<Face>,
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) free_faces: Vec<u32>,
    pub(crate) free_vertices: Vec<u32>,
    pub(crate) walls: Walls,
    pub(crate) hints: Hints,
    /// Faces whose edges may violate the Delaunay rule, and a flag for each face in this list.
    suspects: Vec<u32>,
    pub(crate) is_suspect: Vec<bool>,
    /// Spokes of a vertex that is being removed.
    spokes: Vec<u32>,
    pub(crate) scratch: super::cover::Scratch,
    /// A box of all faces written since it was last cleared.
    pub(crate) touched: Area,
    /// Vertices that may no longer be needed.
    pub(crate) loose: Vec<u32>,
    /// Vertices on walls that may have been kept only by removed corners.
    pub(crate) blocked: Vec<u32>,
    /// Vertices near an edit.
    pub(crate) near: Vec<u32>,
}

#[inline(always)]
pub(crate) fn next(h: u32) -> u32 {
    if h & 3 == 2 { h - 2 } else { h + 1 }
}

#[inline(always)]
pub(crate) fn prev(h: u32) -> u32 {
    if h & 3 == 0 { h + 2 } else { h - 1 }
}

impl Cdt {
    /// An empty frame for places whose coordinates are at most `half`.
    pub(crate) fn new(half: i32) -> Cdt {
        let out = (half + half / 4 + 1024).min(LIMIT - 1);
        let vertex = |x: i32, y: i32, out: u32| Vertex { at: Point::new(x, y), out, pins: 1, foot_of: NONE };
        let vertices = vec![
            vertex(-out, -out, 0),
            vertex(out, -out, 1),
            vertex(out, out, 2),
            vertex(-out, out, 6),
            vertex(0, 0, 10),
        ];
        // 3 - 2    faces 0 = (0, 1, 2), 1 = (0, 2, 3); beyond edge k from k to k + 1
        // | / |    face 2 + k = (k + 1, k, ghost)
        // 0 - 1
        let face = |org: [u32; 3]| Face { org, twin: [NONE; 3], con: [NONE; 3], cover: 1 };
        let mut faces = vec![face([0, 1, 2]), face([0, 2, 3])];
        faces.extend((0..4).map(|k| face([(k + 1) % 4, k, GHOST])));
        let mut cdt = Cdt {
            is_suspect: vec![false; faces.len()],
            faces,
            vertices,
            free_faces: Vec::new(),
            free_vertices: Vec::new(),
            walls: Walls::default(),
            hints: Hints::new(half),
            suspects: Vec::new(),
            spokes: Vec::new(),
            scratch: super::cover::Scratch::default(),
            touched: Area::EMPTY,
            loose: Vec::new(),
            blocked: Vec::new(),
            near: Vec::new(),
        };
        cdt.link(2, 4);
        for (k, edge) in [0, 1, 5, 6].into_iter().enumerate() {
            let beyond = 4 * (2 + k as u32);
            cdt.link(edge, beyond);
            // b -> ghost's face on the other side of spoke k.
            let before = 4 * (2 + (k as u32 + 3) % 4);
            cdt.link(beyond + 1, before + 2);
            cdt.hold(edge, super::walls::FRAME, 0);
        }
        cdt
    }

    #[inline(always)]
    pub(crate) fn org(&self, h: u32) -> u32 {
        self.faces[(h >> 2) as usize].org[(h & 3) as usize]
    }

    #[inline(always)]
    pub(crate) fn dest(&self, h: u32) -> u32 {
        self.org(next(h))
    }

    /// The vertex of the face opposite to a half-edge.
    #[inline(always)]
    pub(crate) fn apex(&self, h: u32) -> u32 {
        self.org(prev(h))
    }

    #[inline(always)]
    pub(crate) fn twin(&self, h: u32) -> u32 {
        self.faces[(h >> 2) as usize].twin[(h & 3) as usize]
    }

    #[inline(always)]
    pub(crate) fn con(&self, h: u32) -> u32 {
        self.faces[(h >> 2) as usize].con[(h & 3) as usize]
    }

    #[inline(always)]
    pub(crate) fn is_wall(&self, h: u32) -> bool {
        self.con(h) != NONE
    }

    #[inline(always)]
    pub(crate) fn set_con(&mut self, h: u32, con: u32) {
        let twin = self.twin(h);
        self.faces[(h >> 2) as usize].con[(h & 3) as usize] = con;
        self.faces[(twin >> 2) as usize].con[(twin & 3) as usize] = con;
    }

    #[inline(always)]
    pub(crate) fn at(&self, vertex: u32) -> Point {
        self.vertices[vertex as usize].at
    }

    #[inline(always)]
    pub(crate) fn cover(&self, face: u32) -> i32 {
        self.faces[face as usize].cover
    }

    #[inline(always)]
    pub(crate) fn is_free(&self, face: u32) -> bool {
        self.cover(face) == 0
    }

    pub(crate) fn is_used(&self, face: u32) -> bool {
        self.cover(face) != UNUSED
    }

    /// The square of an edge's length.
    #[inline(always)]
    pub(crate) fn square(&self, h: u32) -> u64 {
        self.at(self.org(h)).square_to(self.at(self.dest(h)))
    }

    /// The next half-edge that leaves the same vertex, counter-clockwise.
    #[inline(always)]
    pub(crate) fn turn(&self, h: u32) -> u32 {
        self.twin(prev(h))
    }

    /// The half-edges that leave a vertex, counter-clockwise.
    pub(crate) fn spokes(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.vertices[vertex as usize].out;
        let mut at = Some(first);
        core::iter::from_fn(move || {
            let now = at?;
            let then = self.turn(now);
            at = (then != first).then_some(then);
            Some(now)
        })
    }

    pub(crate) fn find_edge(&self, from: u32, to: u32) -> Option<u32> {
        self.spokes(from).find(|&h| self.dest(h) == to)
    }

    #[inline(always)]
    fn link(&mut self, h: u32, twin: u32) {
        self.faces[(h >> 2) as usize].twin[(h & 3) as usize] = twin;
        self.faces[(twin >> 2) as usize].twin[(twin & 3) as usize] = h;
    }

    fn new_face(&mut self) -> u32 {
        let face = Face { org: [NONE; 3], twin: [NONE; 3], con: [NONE; 3], cover: 0 };
        if let Some(free) = self.free_faces.pop() {
            self.faces[free as usize] = face;
            return free;
        }
        self.faces.push(face);
        self.is_suspect.push(false);
        self.faces.len() as u32 - 1
    }

    fn free_face(&mut self, face: u32) {
        self.faces[face as usize].cover = UNUSED;
        self.free_faces.push(face);
    }

    fn new_vertex(&mut self, at: Point) -> u32 {
        let vertex = Vertex { at, out: NONE, pins: 0, foot_of: NONE };
        let id = match self.free_vertices.pop() {
            Some(free) => {
                self.vertices[free as usize] = vertex;
                free
            }
            None => {
                self.vertices.push(vertex);
                self.vertices.len() as u32 - 1
            }
        };
        if self.hints.add(id, at) {
            let all = self.vertices.iter().enumerate().skip(5);
            let used = all.filter(|(_, vertex)| vertex.out != NONE);
            self.hints.refill(used.map(|(id, vertex)| (id as u32, vertex.at)));
            self.hints.add(id, at);
        }
        id
    }

    fn free_vertex(&mut self, vertex: u32) {
        // The removal of the vertex left a face at its place.
        let beside = self.faces[(self.vertices[vertex as usize].out >> 2) as usize].org;
        let beside = beside.into_iter().find(|&other| other != vertex && other > GHOST);
        self.hints.remove(vertex, self.at(vertex), beside.unwrap_or(NONE));
        self.vertices[vertex as usize].out = NONE;
        self.free_vertices.push(vertex);
    }

    /// Writes a face: its corners, and for each edge the half-edge beyond it and the wall on it.
    #[inline]
    fn put(&mut self, face: u32, org: [u32; 3], beyond: [(u32, u32); 3], cover: i32) {
        self.faces[face as usize] = Face { org, twin: [NONE; 3], con: beyond.map(|(_, con)| con), cover };
        for (i, (twin, _)) in beyond.into_iter().enumerate() {
            let h = 4 * face + i as u32;
            if twin != NONE {
                self.link(h, twin);
            }
            self.vertices[org[i] as usize].out = h;
        }
        self.suspect(face);
    }

    #[inline(always)]
    fn beyond(&self, h: u32) -> (u32, u32) {
        (self.twin(h), self.con(h))
    }

    #[inline(always)]
    pub(crate) fn suspect(&mut self, face: u32) {
        for vertex in self.faces[face as usize].org {
            if vertex != GHOST {
                self.touched.add(self.vertices[vertex as usize].at);
            }
        }
        if !self.is_suspect[face as usize] {
            self.is_suspect[face as usize] = true;
            self.suspects.push(face);
        }
    }

    /// Turns the edge of two faces into the other diagonal of their quadrilateral.
    ///
    /// ```text
    ///      c             c         h = a -> b  becomes  d -> c in the same two faces
    ///    / f \         / | \
    ///   a --> b  =>   a f|g b
    ///    \ g /         \ | /
    ///      d             d
    /// ```
    pub(crate) fn flip(&mut self, h: u32) {
        let t = self.twin(h);
        let (f, g) = (h >> 2, t >> 2);
        let (a, b, c, d) = (self.org(h), self.org(t), self.apex(h), self.apex(t));
        let (ca, ad) = (self.beyond(prev(h)), self.beyond(next(t)));
        let (db, bc) = (self.beyond(prev(t)), self.beyond(next(h)));
        let (cover_f, cover_g) = (self.cover(f), self.cover(g));
        self.put(f, [c, a, d], [ca, ad, (NONE, NONE)], cover_f);
        self.put(g, [d, b, c], [db, bc, (NONE, NONE)], cover_g);
        self.link(4 * f + 2, 4 * g + 2);
    }

    /// Whether [`Cdt::legalize`] has faces to test.
    pub(crate) fn has_suspects(&self) -> bool {
        !self.suspects.is_empty()
    }

    /// Flips edges until no edge without a wall has the opposite corner in its circle.
    pub(crate) fn legalize(&mut self) {
        while let Some(face) = self.suspects.pop() {
            self.is_suspect[face as usize] = false;
            if !self.is_used(face) {
                continue;
            }
            for h in 4 * face..4 * face + 3 {
                if self.is_illegal(h) {
                    self.flip(h);
                    break;
                }
            }
        }
    }

    #[inline]
    pub(crate) fn is_illegal(&self, h: u32) -> bool {
        let face = &self.faces[(h >> 2) as usize];
        let i = (h & 3) as usize;
        if face.con[i] != NONE {
            return false;
        }
        let apex = self.apex(face.twin[i]);
        if apex == GHOST || face.org.contains(&GHOST) {
            return false;
        }
        let [a, b, c] = face.org.map(|vertex| self.at(vertex));
        is_in_circle(a, b, c, self.at(apex))
    }

    /// Returns the vertex at a place, inserting it if needed. The place lies within the frame.
    pub(crate) fn insert(&mut self, at: Point) -> u32 {
        match self.locate(at) {
            Spot::Vertex(vertex) => vertex,
            Spot::Edge(h) => self.split_edge(h, at),
            Spot::Face(face) => self.split_face(face, at),
        }
    }

    fn split_face(&mut self, f: u32, at: Point) -> u32 {
        let p = self.new_vertex(at);
        let [a, b, c] = self.faces[f as usize].org;
        let [ab, bc, ca] = [4 * f, 4 * f + 1, 4 * f + 2].map(|h| self.beyond(h));
        let cover = self.cover(f);
        let (g, k) = (self.new_face(), self.new_face());
        let none = (NONE, NONE);
        self.put(f, [a, b, p], [ab, none, none], cover);
        self.put(g, [b, c, p], [bc, none, none], cover);
        self.put(k, [c, a, p], [ca, none, none], cover);
        self.link(4 * f + 1, 4 * g + 2);
        self.link(4 * g + 1, 4 * k + 2);
        self.link(4 * k + 1, 4 * f + 2);
        p
    }

    /// Puts a vertex on an edge; a wall on the edge is then on both halves. The place need not lie
    /// exactly on the edge: see [`Cdt::can_split`].
    ///
    /// ```text
    ///        c               c
    ///      /   \           / | \         h = a -> b
    ///     a --> b    =>   a--p--b
    ///      \   /           \ | /
    ///        d               d
    /// ```
    pub(crate) fn split_edge(&mut self, h: u32, at: Point) -> u32 {
        let p = self.new_vertex(at);
        let t = self.twin(h);
        let (a, b, c, d) = (self.org(h), self.org(t), self.apex(h), self.apex(t));
        let (f, g) = (h >> 2, t >> 2);
        let (bc, ca) = (self.beyond(next(h)), self.beyond(prev(h)));
        let (ad, db) = (self.beyond(next(t)), self.beyond(prev(t)));
        let (above, below) = (self.cover(f), self.cover(g));
        let wall = self.con(h);
        let (f2, g2) = (self.new_face(), self.new_face());
        let none = (NONE, NONE);
        self.put(f, [a, p, c], [none, none, ca], above);
        self.put(f2, [p, b, c], [none, bc, none], above);
        self.put(g, [b, p, d], [none, none, db], below);
        self.put(g2, [p, a, d], [none, ad, none], below);
        self.link(4 * f, 4 * g2);
        self.link(4 * f2, 4 * g);
        self.link(4 * f + 1, 4 * f2 + 2);
        self.link(4 * g + 1, 4 * g2 + 2);
        if wall != NONE {
            self.carry(wall, (a, b), 4 * f);
            self.carry(wall, (a, b), 4 * f2);
            self.walls.free(wall);
        }
        p
    }

    /// Whether an edge may be bent to run through a place: the four faces stay faces.
    pub(crate) fn can_split(&self, h: u32, p: Point) -> bool {
        let t = self.twin(h);
        let [a, b, c, d] =
            [self.org(h), self.org(t), self.apex(h), self.apex(t)].map(|vertex| self.at(vertex));
        orient(a, p, c) > 0 && orient(p, b, c) > 0 && orient(b, p, d) > 0 && orient(p, a, d) > 0
    }

    /// Removes a vertex at which no wall starts; or, with two of its neighbours `keep`, a vertex on
    /// a wall between these two, which then runs straight. Returns whether it was removed: a vertex
    /// on a wall stays if a corner lies in the area that the wall would sweep.
    pub(crate) fn remove_vertex(&mut self, vertex: u32, keep: Option<[u32; 2]>) -> bool {
        let v = self.at(vertex);
        let mut spokes = core::mem::take(&mut self.spokes);
        let done = loop {
            spokes.clear();
            spokes.extend(self.spokes(vertex));
            if spokes.len() == 3 {
                break self.join_last_faces([spokes[0], spokes[1], spokes[2]], keep);
            }
            // An ear: the corner b of the hole about v, cut off by an edge from a to c.
            let count = spokes.len();
            let ear = |at: usize, least: i64| {
                let [a, b, c] = [at + count - 1, at, at + 1].map(|k| self.at(self.dest(spokes[k % count])));
                let is_kept = keep.is_some_and(|keep| keep.contains(&self.dest(spokes[at])));
                !is_kept && orient(a, b, c) > 0 && orient(v, a, c) >= least
            };
            let strict = (0..count).find(|&at| ear(at, 1));
            // A flat face is allowed only where the next step removes it.
            let flat = || (0..count).find(|&at| count == 4 && ear(at, 0));
            match strict.or_else(flat) {
                Some(at) => self.flip(spokes[at]),
                None => break false,
            }
        };
        self.spokes = spokes;
        done
    }

    /// Joins the three faces about a vertex into one.
    fn join_last_faces(&mut self, spokes: [u32; 3], keep: Option<[u32; 2]>) -> bool {
        let vertex = self.org(spokes[0]);
        let ends = spokes.map(|h| self.dest(h));
        let [a, b, c] = ends.map(|end| self.at(end));
        if orient(a, b, c) <= 0 {
            return false;
        }
        let outer = spokes.map(|h| self.beyond(next(h)));
        let mut cover = self.cover(spokes[0] >> 2);
        let mut wall = None;
        if let Some([c, d]) = keep {
            // The face between the two ends of the wall changes sides.
            let swept = (0..3).find(|&k| {
                let (x, y) = (ends[k], ends[(k + 1) % 3]);
                (x, y) == (c, d) || (x, y) == (d, c)
            });
            let Some(swept) = swept else { return false };
            cover = self.cover(spokes[(swept + 1) % 3] >> 2);
            let along = spokes[swept];
            wall = Some((swept as u32, self.con(along), vertex, ends[swept]));
            let other = spokes[(swept + 1) % 3];
            self.walls.free(self.con(other));
        }
        let face = spokes[0] >> 2;
        self.free_face(spokes[1] >> 2);
        self.free_face(spokes[2] >> 2);
        self.put(face, ends, outer, cover);
        if let Some((edge, con, vertex, end)) = wall {
            // The wall ran from the vertex to the first end, and the edge leaves that end.
            self.carry(con, (end, vertex), 4 * face + edge);
            self.walls.free(con);
        }
        self.free_vertex(vertex);
        true
    }
}
