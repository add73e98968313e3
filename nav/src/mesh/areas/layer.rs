//! A copy of the triangulation with the borders of areas as edges, so that each face has one
//! factor.
//!
//! In: the mesh's triangulation and areas. Out: faces with factors, and edges that may be crossed.
//! Rebuilt when first needed after a change.

use super::super::cdt::{Cdt, NONE};
use super::Areas;

/// Owners from here on are areas.
const AREAS: u32 = 1 << 31;

#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The mesh's revision and the areas' clock at the last build.
    built: (u64, u64),
    pub(super) cdt: Option<Cdt>,
    /// Factor by face.
    pub(super) factors: Vec<f32>,
    /// By face, a bit for each edge that may be crossed.
    open: Vec<u8>,
    /// By vertex: whether only borders of areas meet there, and no wall.
    pub(super) is_soft: Vec<bool>,
}

impl Layer {
    pub(super) fn refresh(&mut self, mesh: &Cdt, areas: &Areas, revision: u64) {
        if self.built == (revision, areas.clock) && self.cdt.is_some() {
            return;
        }
        self.built = (revision, areas.clock);
        let mut cdt = mesh.clone();
        let mut first = Vec::new();
        // The lowest area first, so that the area on top overwrites the others.
        for &at in areas.order.iter().rev() {
            let owner = AREAS | at;
            // An area whose border cannot be built is missing in the layer; its cost still counts.
            if let Some(vertex) = cdt.add_border(owner, &areas.rows[at as usize].points) {
                first.push((at, owner, vertex));
            }
        }
        self.factors.clear();
        self.factors.resize(cdt.faces.len(), 1.0);
        let mut inside = Vec::new();
        for (at, owner, vertex) in first {
            cdt.faces_inside(owner, vertex, &mut inside);
            for &face in &inside {
                self.factors[face as usize] = areas.rows[at as usize].factor;
            }
        }
        self.find_open(&cdt);
        self.cdt = Some(cdt);
    }

    fn find_open(&mut self, cdt: &Cdt) {
        self.open.clear();
        self.open.resize(cdt.faces.len(), 0);
        self.is_soft.clear();
        self.is_soft.resize(cdt.vertices.len(), true);
        for face in 0..cdt.faces.len() as u32 {
            if !cdt.is_used(face) {
                continue;
            }
            for h in 4 * face..4 * face + 3 {
                let is_wall = cdt.holds(h).any(|hold| hold.owner < AREAS || hold.owner >= NONE - 2);
                if !is_wall && cdt.is_free(face) && cdt.is_free(cdt.twin(h) >> 2) {
                    self.open[face as usize] |= 1 << (h & 3);
                } else {
                    self.is_soft[cdt.org(h) as usize] = false;
                    self.is_soft[cdt.dest(h) as usize] = false;
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn is_open(&self, h: u32) -> bool {
        self.open[(h >> 2) as usize] >> (h & 3) & 1 != 0
    }
}

impl Cdt {
    /// Builds the border of an area, and returns one vertex of it.
    fn add_border(&mut self, owner: u32, points: &[super::Point]) -> Option<u32> {
        let mut corners = Vec::with_capacity(points.len());
        for &point in points {
            let vertex = self.insert(point);
            self.vertices[vertex as usize].pins += 1;
            corners.push(vertex);
            self.legalize();
        }
        for k in 0..corners.len() {
            let is_whole = self.force(corners[k], corners[(k + 1) % corners.len()], owner, 1);
            self.legalize();
            if !is_whole {
                return None;
            }
        }
        corners.first().copied()
    }
}
