//! Checks of all invariants of a triangulation.

use super::cdt::{Cdt, NONE, next, prev};
use super::fixed::orient;

const GHOST: u32 = 4;

impl Cdt {
    /// The first broken rule, if any.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let used = |face: &u32| self.is_used(*face);
        for face in (0..self.faces.len() as u32).filter(used) {
            self.audit_face(face)?;
        }
        let mut lists = std::collections::BTreeSet::new();
        for face in (0..self.faces.len() as u32).filter(used) {
            for h in 4 * face..4 * face + 3 {
                if self.is_wall(h) && !lists.insert(self.con(h)) && self.con(self.twin(h)) != self.con(h) {
                    return Err(format!("edge {h}: a list of owners that another edge has"));
                }
            }
        }
        let mut holds = 0;
        for face in (0..self.faces.len() as u32).filter(used) {
            for h in 4 * face..4 * face + 3 {
                holds += self.holds(h).count();
            }
        }
        if holds != 2 * self.walls.in_use() {
            return Err(format!("{holds} holds on half-edges, {} in use", self.walls.in_use()));
        }
        for (id, vertex) in self.vertices.iter().enumerate().filter(|(_, vertex)| vertex.out != NONE) {
            if self.org(vertex.out) != id as u32 || !self.is_used(vertex.out >> 2) {
                return Err(format!("vertex {id}: the half-edge is not its own"));
            }
            if id > 4 && vertex.pins == 0 && vertex.foot_of == NONE {
                let walls = self.spokes(id as u32).filter(|&h| self.is_wall(h)).count();
                if walls == 0 {
                    return Err(format!("vertex {id}: nothing needs it"));
                }
            }
        }
        Ok(())
    }

    fn audit_face(&self, face: u32) -> Result<(), String> {
        let corners = self.faces[face as usize].org;
        let is_beyond = corners.contains(&GHOST);
        if !is_beyond {
            let [a, b, c] = corners.map(|vertex| self.at(vertex));
            if orient(a, b, c) <= 0 {
                return Err(format!("face {face}: flat, or clockwise"));
            }
        }
        for h in 4 * face..4 * face + 3 {
            let twin = self.twin(h);
            if twin == NONE || self.twin(twin) != h || self.org(twin) != self.dest(h) {
                return Err(format!("edge {h}: its twin is another's"));
            }
            if self.org(next(h)) != self.dest(h) || self.dest(prev(h)) != self.org(h) {
                return Err(format!("edge {h}: the face is not closed"));
            }
            if self.con(h) != self.con(twin) {
                return Err(format!("edge {h}: a wall on one side only"));
            }
            if self.vertices[self.org(h) as usize].out == NONE {
                return Err(format!("edge {h}: leaves a vertex that is not there"));
            }
            if !self.is_wall(h) && self.cover(face) != self.cover(twin >> 2) {
                return Err(format!("edge {h}: no wall, yet more obstacles on one side"));
            }
            if !is_beyond && self.is_illegal(h) {
                return Err(format!("edge {h}: not Delaunay"));
            }
        }
        if self.cover(face) < 0 {
            return Err(format!("face {face}: fewer than no obstacles"));
        }
        Ok(())
    }

    /// Twice the area of all free faces, in square units.
    #[cfg(test)]
    pub(crate) fn free_area(&self) -> i128 {
        let faces = (0..self.faces.len() as u32).filter(|&face| self.is_used(face) && self.is_free(face));
        faces
            .map(|face| {
                let [a, b, c] = self.faces[face as usize].org.map(|vertex| self.at(vertex));
                i128::from(orient(a, b, c))
            })
            .sum()
    }
}
