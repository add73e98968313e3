//! How wide the widest passage between two faces is.
//!
//! Edges of faces, longest first, join faces (Kruskal): what joins two groups first is the
//! narrowest place of the widest way between any two faces of them. Groups are trees by union by
//! size, without shortening of paths; each link bears the length of its edge. From two faces
//! upwards, link by link, the longer one first, until they meet: a tree is at most as high as the
//! logarithm of the number of faces.

use super::cdt::Cdt;

/// Trees of all free faces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forest {
    /// The revision that it was built at; 0 for never.
    pub(crate) revision: u64,
    links: Vec<Link>,
    edges: Vec<(u64, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    up: u32,
    size: u32,
    /// The square of the edge's length; 0 at a root.
    square: u64,
}

impl Forest {
    pub(crate) fn build(&mut self, cdt: &Cdt) {
        let faces = cdt.faces.len() as u32;
        self.links.clear();
        self.links.extend((0..faces).map(|face| Link { up: face, size: 1, square: 0 }));
        self.edges.clear();
        for face in (0..faces).filter(|&face| cdt.is_used(face) && cdt.is_free(face)) {
            for h in 4 * face..4 * face + 3 {
                if h < cdt.twin(h) && !cdt.is_wall(h) {
                    self.edges.push((cdt.square(h), h));
                }
            }
        }
        self.edges.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        for at in 0..self.edges.len() {
            let (square, h) = self.edges[at];
            let (a, b) = (self.root(h >> 2), self.root(cdt.twin(h) >> 2));
            if a != b {
                let size = |root: u32| self.links[root as usize].size;
                let (low, high) = if size(a) <= size(b) { (a, b) } else { (b, a) };
                self.links[high as usize].size += self.links[low as usize].size;
                let link = &mut self.links[low as usize];
                (link.up, link.square) = (high, square);
            }
        }
    }

    fn root(&self, mut face: u32) -> u32 {
        loop {
            let up = self.links[face as usize].up;
            if up == face {
                return face;
            }
            face = up;
        }
    }

    /// The square of the narrowest passage on the widest way; none if there is no way, and the
    /// greatest number from a face to itself.
    pub(crate) fn narrowest(&self, mut a: u32, mut b: u32) -> Option<u64> {
        let mut square = u64::MAX;
        while a != b {
            let (up_a, up_b) = (self.links[a as usize], self.links[b as usize]);
            if up_a.square >= up_b.square {
                if up_a.up == a {
                    return None;
                }
                (a, square) = (up_a.up, up_a.square);
            } else {
                (b, square) = (up_b.up, up_b.square);
            }
        }
        Some(square)
    }
}
