//! Images and hashes of a mesh.
//!
//! In: a mesh. Out: all of its columns, so that a loaded mesh gives the same answers and changes as
//! the saved one, bit for bit. Loading checks all invariants of a mesh (audit.rs; owners of edges
//! here), because with a broken image a search might not end.

use super::areas::Areas;
use super::cdt::{Cdt, Face, NONE, UNUSED, Vertex};
use super::fixed::Point;
use super::obstacles::Outline;
use super::walls::{FRAME, Hold};
use super::{BORDER_OWNER, Mesh, MeshDef, Slot};
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

saved!(Mesh as Mesh);

const BROKEN: LoadError = LoadError::Broken("faces, walls and vertices belong together");
/// Greatest winding number of a valid outline.
const MAX_WIND: i32 = 1 << 20;

impl Mesh {
    /// Loads a mesh.
    ///
    /// ```
    /// use carom_nav::Vec2;
    /// use carom_nav::mesh::{Mesh, MeshDef};
    ///
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 2.0 })?;
    /// let wall = mesh.add(&[[-1.0, -2.0], [1.0, -2.0], [1.0, 2.0], [-1.0, 2.0]].map(Vec2::from))?;
    /// let mut image = Vec::new();
    /// mesh.save_into(&mut image);
    /// let mut loaded = Mesh::load(&image)?;
    /// assert_eq!(loaded.hash(), mesh.hash());
    /// assert!(loaded.contains(wall) && loaded.remove(wall));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A [`LoadError`] for bytes that are damaged, of another kind or version, or inconsistent.
    pub fn load(image: &[u8]) -> Result<Mesh, LoadError> {
        state::read(Kind::Mesh, image, Mesh::decode)
    }

    fn encode(&self, to: &mut impl Sink) {
        to.word((self.half_metres()).to_bits());
        to.word(self.max_radius.to_bits());
        to.long(self.revision);
        self.tiles.encode(to);
        to.list(self.slots.iter(), |to, slot| {
            to.word(slot.generation);
            to.flag(slot.is_used);
            to.flag(slot.outline.is_closed);
            to.list(slot.outline.corners.iter(), |to, &corner| to.word(corner));
        });
        to.list(self.unused.iter(), |to, &slot| to.word(slot));
        self.cdt.encode(to);
        self.areas.encode(to);
    }

    fn decode(from: &mut Reader) -> Result<Mesh, LoadError> {
        let (half, max_radius) = (f32::from_bits(from.word()?), f32::from_bits(from.word()?));
        let def = MeshDef { half, max_radius };
        let mut mesh = Mesh::new(def).map_err(|_| LoadError::Broken("a mesh's numbers are good ones"))?;
        mesh.revision = from.counter()?;
        if mesh.revision == 0 {
            return Err(LoadError::Broken("a mesh begins with revision 1"));
        }
        mesh.changed.revision = mesh.revision;
        mesh.tiles.decode(from)?;
        mesh.slots = from.list(4, |from| {
            let (generation, is_used, is_closed) = (from.word()?, from.flag()?, from.flag()?);
            let corners = from.list(1, Reader::word)?;
            Ok(Slot { generation, is_used, outline: Outline { corners, is_closed } })
        })?;
        mesh.unused = from.list(1, Reader::word)?;
        mesh.cdt.decode(from)?;
        mesh.areas = Areas::decode(from, mesh.half)?;
        mesh.check_slots()?;
        mesh.check_owners()?;
        Ok(mesh)
    }

    /// Checks that each slot is either in use or in the list of unused slots, and pins its corners.
    fn check_slots(&self) -> Result<(), LoadError> {
        let mut is_free = vec![false; self.slots.len()];
        for &slot in &self.unused {
            let flag = is_free.get_mut(slot as usize).ok_or(BROKEN)?;
            if core::mem::replace(flag, true) {
                return Err(BROKEN);
            }
        }
        let mut pins = vec![0_u32; self.cdt.vertices.len()];
        // Corners of the frame and of the border.
        pins.iter_mut().take(9).for_each(|count| *count = 1);
        for (slot, &is_free) in self.slots.iter().zip(&is_free) {
            let corners = &slot.outline.corners;
            if slot.is_used == is_free || slot.is_used == corners.is_empty() {
                return Err(BROKEN);
            }
            for &corner in corners {
                *pins.get_mut(corner as usize).ok_or(BROKEN)? += 1;
            }
        }
        let fits = |(vertex, pins): (&Vertex, u32)| match vertex.out {
            NONE => pins == 0,
            _ => vertex.pins == pins,
        };
        if self.cdt.vertices.len() >= 9 && self.cdt.vertices.iter().zip(pins).all(fits) {
            Ok(())
        } else {
            Err(BROKEN)
        }
    }

    /// Checks that walls belong to existing obstacles; that an outline enters each vertex as often
    /// as it leaves it; and that faces inside an outline are covered.
    fn check_owners(&mut self) -> Result<(), LoadError> {
        let is_known = |owner: u32| match owner {
            FRAME | BORDER_OWNER => true,
            _ => self.slots.get(owner as usize).is_some_and(|slot| slot.is_used),
        };
        let mut winds: Vec<(u32, u32, i32)> = Vec::new();
        for vertex in
            (0..self.cdt.vertices.len() as u32).filter(|&v| self.cdt.vertices[v as usize].out != NONE)
        {
            winds.clear();
            for h in self.cdt.spokes(vertex) {
                for hold in self.cdt.holds(h) {
                    if !is_known(hold.owner) || hold.wind.abs() > MAX_WIND {
                        return Err(BROKEN);
                    }
                    let out = if vertex < self.cdt.dest(h) { hold.wind } else { -hold.wind };
                    winds.push((hold.owner, h, out));
                }
            }
            winds.sort_unstable();
            let is_twice = winds.windows(2).any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
            let comes_and_leaves =
                |run: &[(u32, u32, i32)]| run.iter().map(|&(_, _, wind)| i64::from(wind)).sum::<i64>() == 0;
            if is_twice || !winds.chunk_by(|a, b| a.0 == b.0).all(comes_and_leaves) {
                return Err(BROKEN);
            }
        }
        self.check_cover()
    }

    /// Checks that a mesh without its obstacles is empty.
    fn check_cover(&mut self) -> Result<(), LoadError> {
        let covers: Vec<i32> = self.cdt.faces.iter().map(|face| face.cover).collect();
        for (owner, slot) in (0..).zip(&self.slots) {
            let Some(&corner) = slot.outline.corners.first() else { continue };
            if slot.outline.is_closed {
                self.cdt.count(owner, corner, -1);
            }
        }
        // Vertices 5 to 8 are the corners of the border, inside of which the cover is less by one.
        self.cdt.count(BORDER_OWNER, 5, 1);
        let is_empty = self.cdt.faces.iter().all(|face| matches!(face.cover, 1 | UNUSED));
        for (face, cover) in self.cdt.faces.iter_mut().zip(covers) {
            face.cover = cover;
        }
        if is_empty { Ok(()) } else { Err(BROKEN) }
    }
}

impl Cdt {
    fn encode(&self, to: &mut impl Sink) {
        to.list(self.faces.iter(), |to, face| {
            [face.org, face.twin, face.con].as_flattened().iter().for_each(|&word| to.word(word));
            to.word(face.cover as u32);
        });
        to.list(self.vertices.iter(), |to, vertex| {
            to.word(vertex.at.x as u32);
            to.word(vertex.at.y as u32);
            [vertex.out, vertex.pins, vertex.foot_of].iter().for_each(|&word| to.word(word));
        });
        let (holds, unused) = self.walls.columns();
        to.list(holds.iter(), |to, hold| {
            to.word(hold.owner);
            to.word(hold.next);
            to.word(hold.wind as u32);
        });
        for list in [&self.free_faces, &self.free_vertices, unused] {
            to.list(list.iter(), |to, &word| to.word(word));
        }
        self.hints.encode(to);
    }

    fn decode(&mut self, from: &mut Reader) -> Result<(), LoadError> {
        let frame: Vec<Point> = self.vertices[..5].iter().map(|vertex| vertex.at).collect();
        self.faces = from.list(10, |from| {
            let mut words = [0; 9];
            for word in &mut words {
                *word = from.word()?;
            }
            let [org, twin, con] = [0, 3, 6].map(|at| [words[at], words[at + 1], words[at + 2]]);
            Ok(Face { org, twin, con, cover: from.word()? as i32 })
        })?;
        self.vertices = from.list(5, |from| {
            let at = Point::new(from.word()? as i32, from.word()? as i32);
            Ok(Vertex { at, out: from.word()?, pins: from.word()?, foot_of: from.word()? })
        })?;
        let holds = from.list(3, |from| {
            Ok(Hold { owner: from.word()?, next: from.word()?, wind: from.word()? as i32 })
        })?;
        self.free_faces = from.list(1, Reader::word)?;
        self.free_vertices = from.list(1, Reader::word)?;
        let unused = from.list(1, Reader::word)?;
        self.hints.decode(from, &self.vertices)?;
        self.is_suspect = vec![false; self.faces.len()];
        if self.vertices.len() < 5 || self.vertices.iter().zip(&frame).any(|(vertex, &at)| vertex.at != at) {
            return Err(BROKEN);
        }
        self.check_ranges(holds.len() as u32, frame[2].x)?;
        self.check_free()?;
        self.check_lists(&holds, &unused)?;
        self.walls.restore(holds, unused);
        self.audit().map_err(|_| BROKEN)?;
        self.check_area(frame[2].x)
    }

    /// Checks that all indices are valid.
    fn check_ranges(&self, holds: u32, out: i32) -> Result<(), LoadError> {
        let (faces, vertices) = (self.faces.len() as u32, self.vertices.len() as u32);
        let is_half_edge = |h: u32| h & 3 < 3 && h >> 2 < faces && self.is_used(h >> 2);
        for face in self.faces.iter().filter(|face| face.cover != UNUSED) {
            let is_sound = face.org.iter().all(|&v| v < vertices && self.vertices[v as usize].out != NONE)
                && face.twin.iter().all(|&h| is_half_edge(h))
                && face.con.iter().all(|&con| con == NONE || con < holds)
                && (0..1 << 20).contains(&face.cover);
            if !is_sound {
                return Err(BROKEN);
            }
        }
        for vertex in self.vertices.iter().filter(|vertex| vertex.out != NONE) {
            let is_in = |x: i32| x >= -out && x <= out;
            let is_sound = is_half_edge(vertex.out)
                && is_in(vertex.at.x)
                && is_in(vertex.at.y)
                && (vertex.foot_of == NONE || vertex.foot_of < vertices);
            if !is_sound {
                return Err(BROKEN);
            }
        }
        Ok(())
    }

    /// Checks that unused entries are in the free lists, once.
    fn check_free(&self) -> Result<(), LoadError> {
        let faces: Vec<bool> = self.faces.iter().map(|face| face.cover == UNUSED).collect();
        let vertices: Vec<bool> = self.vertices.iter().map(|vertex| vertex.out == NONE).collect();
        for (mut is_free, list) in [(faces, &self.free_faces), (vertices, &self.free_vertices)] {
            for &at in list {
                let flag = is_free.get_mut(at as usize).ok_or(BROKEN)?;
                if !core::mem::replace(flag, false) {
                    return Err(BROKEN);
                }
            }
            if is_free.contains(&true) {
                return Err(BROKEN);
            }
        }
        Ok(())
    }

    /// Checks that lists of owners end, and are disjoint.
    fn check_lists(&self, holds: &[Hold], unused: &[u32]) -> Result<(), LoadError> {
        let mut is_taken = vec![false; holds.len()];
        let mut take = |at: u32| {
            let flag = is_taken.get_mut(at as usize).ok_or(BROKEN)?;
            if core::mem::replace(flag, true) { Err(BROKEN) } else { Ok(()) }
        };
        unused.iter().try_for_each(|&at| take(at))?;
        for (face, row) in (0..).zip(&self.faces).filter(|(_, row)| row.cover != UNUSED) {
            for (h, &first) in (4 * face..).zip(&row.con) {
                let twin = self.twin(h);
                if self.con(twin) != first || self.twin(twin) != h {
                    return Err(BROKEN);
                }
                let mut at = if h < twin { first } else { NONE };
                while at != NONE {
                    take(at)?;
                    at = holds[at as usize].next;
                }
            }
        }
        if is_taken.contains(&false) { Err(BROKEN) } else { Ok(()) }
    }

    /// Checks that faces do not overlap: their areas add up to the frame's area.
    fn check_area(&self, out: i32) -> Result<(), LoadError> {
        let mut area = 0_i128;
        for face in (0..self.faces.len() as u32).filter(|&face| self.is_used(face)) {
            let corners = self.faces[face as usize].org;
            if !corners.contains(&4) {
                let [a, b, c] = corners.map(|vertex| self.at(vertex));
                area += i128::from(super::fixed::orient(a, b, c));
            }
        }
        let side = 2 * i128::from(out);
        if area == 2 * side * side { Ok(()) } else { Err(BROKEN) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Way;
    use crate::mesh::tests::rects;
    use crate::random::Random;
    use crate::state::{refuses_damage, restamp};

    fn busy(count: usize) -> (Mesh, Vec<crate::mesh::ObstacleId>) {
        let mut mesh = Mesh::new(MeshDef { half: 10.3, max_radius: 0.7 }).expect("a mesh");
        let mut ids: Vec<_> = rects(3, count, 9.0).iter().map(|r| mesh.add(r).expect("built")).collect();
        ids.push(
            mesh.add_wall(&[[-9.0, -9.0], [9.0, 8.0], [9.0, -8.0]].map(glam::Vec2::from)).expect("built"),
        );
        for k in (0..ids.len()).rev().filter(|k| k % 3 == 0) {
            assert!(mesh.remove(ids.swap_remove(k)));
        }
        (mesh, ids)
    }

    /// A loaded mesh gives the same answers and changes as the saved one.
    #[test]
    fn loaded_meshes_answer_and_change_alike() {
        let (mut mesh, mut ids) = busy(60);
        let mut image = Vec::new();
        mesh.save_into(&mut image);
        let mut loaded = Mesh::load(&image).expect("an image");
        let (mut one, mut other) = (Way::default(), Way::default());
        let mut random = Random(8);
        for (k, rect) in rects(5, 100, 10.0).iter().enumerate() {
            assert_eq!(mesh.hash(), loaded.hash(), "edit {k}");
            if k % 2 == 0 {
                let id = mesh.add(rect);
                assert_eq!(id, loaded.add(rect));
                ids.extend(id.ok());
            } else {
                let id = ids.swap_remove(random.below(ids.len()));
                assert!(mesh.remove(id) && loaded.remove(id));
            }
            let ends = [rect[0], -rect[0]];
            let found = mesh.way(ends[0], ends[1], 0.2, &mut one);
            assert_eq!(found, loaded.way(ends[0], ends[1], 0.2, &mut other));
            assert_eq!((one.bends(), one.length()), (other.bends(), other.length()));
        }
        loaded.audit().expect("sound");
    }

    #[test]
    fn images_that_lie_are_refused_or_harmless() {
        let (mesh, _) = busy(9);
        let mut image = Vec::new();
        mesh.save_into(&mut image);
        refuses_damage(&image, |bytes| Mesh::load(bytes).map(|_| ()));
        let mut random = Random(1);
        let mut taken = 0;
        for k in 0..if cfg!(debug_assertions) { 2_000 } else { 40_000 } {
            let mut bytes = image.clone();
            for _ in 0..=k % 3 {
                // Replaces a word by another word of the image, or by one close to it.
                let words = bytes.len() / 4;
                let (at, from) = (4 * (6 + random.below(words - 6)), 4 * (6 + random.below(words - 6)));
                let word =
                    u32::from_le_bytes([bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]]);
                let word = word.wrapping_add(random.below(3) as u32);
                bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
            restamp(&mut bytes);
            let Ok(mut mesh) = Mesh::load(&bytes) else { continue };
            taken += 1;
            // The image may hold another mesh, but the mesh is sound.
            for rect in &rects(k as u64, 3, 10.0) {
                let _ = mesh.add(rect);
                mesh.reachable([-9.0, 0.0], [9.0, 1.0], 0.2);
                let _ = mesh.way([-9.0, 0.0], [9.0, 1.0], 0.2, &mut Way::default());
            }
            mesh.audit().expect("sound");
        }
        assert!(taken > 0);
    }
}
