//! Places on a mesh: the nearest one that holds a disc, and random ones.
//!
//! In: a place or a seed. Out: a place in metres that holds the disc.
//!
//! The nearest place touches one wall or two (near.rs). Near walls are tried in windows, nearest
//! first, because two walls that a disc touches are about equally far away; when a place is found,
//! all walls that a nearer one could touch are tried once more, each with each.

use glam::Vec2;

use super::cdt::Cdt;
use super::fixed::{PER_METRE, Place, Point};
use super::near::{Near, reach_square, room_square, segment_square, sort_by_distance};
use super::query::gap_of;
use super::{Mesh, MeshQuery};
use crate::random::Random;

/// Walls in a window, and walls from one window to the next.
const WINDOW: usize = 48;
const NEXT: usize = 24;
/// Greatest number of walls that are tried each with each.
const MOST: usize = 384;
/// Walls of faces so many edges away from accepted land may bound it, too.
const HOPS: u32 = 6;
/// Draws of a random place before it is given up.
const DRAWS: u32 = 4_096;

/// Faces in which a disc may stand, for draws by area.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// The mesh's revision and the bits of the radius at the last listing.
    listed: (u64, u64),
    /// By face: the area of this and all faces before it.
    faces: Vec<(f64, u32)>,
}

impl Mesh {
    /// The nearest place that holds a disc, in metres, if there is one within `most` metres: the
    /// place itself, if it does.
    ///
    /// ```
    /// use carom_nav::Vec2;
    /// use carom_nav::mesh::{Mesh, MeshDef};
    ///
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
    /// mesh.add(&[[-1.0, -2.0], [1.0, -2.0], [1.0, 2.0], [-1.0, 2.0]].map(Vec2::from))?;
    /// let beside = mesh.nearest_place([0.9, 0.0], 0.5, 2.0).unwrap();
    /// assert!(beside.distance(Vec2::new(1.5, 0.0)) < 1e-3);
    /// assert!(mesh.nearest_place([0.9, 0.0], 0.5, 0.5).is_none());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// Where a disc touches two of more than 384 walls that are nearer, another place may be
    /// nearer. A place beyond the mesh counts as the nearest place of the mesh's square.
    pub fn nearest_place(&mut self, at: impl Into<Vec2>, radius: f32, most: f32) -> Option<Vec2> {
        self.ask(|query, mesh| query.nearest_place(mesh, at, radius, most))
    }

    /// A random place that holds a disc, uniform by area: the same place for the same seed, on any
    /// machine. `None` if none was found in some thousand draws: there may be none.
    ///
    /// ```
    /// use carom_nav::mesh::{Mesh, MeshDef};
    ///
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
    /// let place = mesh.random_place(0.5, 7).unwrap();
    /// assert!(place.abs().max_element() <= 19.5 && mesh.random_place(0.5, 7) == Some(place));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// The first call after a change, or with another radius, lists all faces.
    pub fn random_place(&mut self, radius: f32, seed: u64) -> Option<Vec2> {
        self.ask(|query, mesh| query.random_place(mesh, radius, seed))
    }

    /// A random place to which a disc can get from `from`, at most `within` metres away as the crow
    /// flies, uniform by area.
    pub fn random_place_near(
        &mut self,
        from: impl Into<Vec2>,
        within: f32,
        radius: f32,
        seed: u64,
    ) -> Option<Vec2> {
        self.ask(|query, mesh| query.random_place_near(mesh, from, within, radius, seed))
    }

    /// The nearest place of the mesh's square.
    pub(super) fn inside(&self, at: Vec2) -> Point {
        let point = Point::of(at);
        Point::new(point.x.clamp(-self.half, self.half), point.y.clamp(-self.half, self.half))
    }
}

impl MeshQuery {
    /// The nearest place that holds a disc: see [`Mesh::nearest_place`].
    pub fn nearest_place(
        &mut self,
        mesh: &Mesh,
        at: impl Into<Vec2>,
        radius: f32,
        most: f32,
    ) -> Option<Vec2> {
        let at = at.into();
        if !(mesh.is_good(&[at], radius) && most >= 0.0) {
            return None;
        }
        let (place, r) = (mesh.inside(at).place(), f64::from(radius) * PER_METRE);
        let most = (f64::from(most) * PER_METRE).min(4.0 * f64::from(mesh.half));
        let found = mesh.cdt.nearest_where(place, r, (-1.0, most), &mut self.kept.near, |_| true)?;
        let found = found.nearest();
        // A place in metres is not rounded to whole units.
        Some(if found == Point::of(at) { at } else { found.metres() })
    }

    /// A random place that holds a disc: see [`Mesh::random_place`].
    pub fn random_place(&mut self, mesh: &Mesh, radius: f32, seed: u64) -> Option<Vec2> {
        if !mesh.is_good(&[], radius) {
            return None;
        }
        self.begin(mesh);
        let r = f64::from(radius) * PER_METRE;
        let state = (mesh.revision, r.to_bits());
        if self.shares.listed != state {
            self.shares.listed = state;
            self.shares.faces.clear();
            let faces = 0..mesh.cdt.faces.len() as u32;
            let wide = faces.filter(|&face| mesh.cdt.is_used(face) && mesh.cdt.is_wide(face, r));
            self.shares.list(&mesh.cdt, wide);
        }
        let mut random = Random(seed);
        let places = (0..DRAWS).map_while(|_| self.shares.draw(&mesh.cdt, &mut random));
        places.map(Place::nearest).find(|at| mesh.holds(*at, mesh.cdt.face_at(*at), r)).map(Point::metres)
    }

    /// A random place to which a disc can get: see [`Mesh::random_place_near`].
    pub fn random_place_near(
        &mut self,
        mesh: &Mesh,
        from: impl Into<Vec2>,
        within: f32,
        radius: f32,
        seed: u64,
    ) -> Option<Vec2> {
        let from = from.into();
        if !(mesh.is_good(&[from], radius) && within >= 0.0) {
            return None;
        }
        let r = f64::from(radius) * PER_METRE;
        self.keep_forest(mesh);
        let mut starts = Vec::new();
        self.place_for(mesh, from, r, &mut starts)?;
        let (forest, gap) = (&self.forest, gap_of(r));
        let is_reached =
            |face: u32| starts.iter().any(|&start| forest.narrowest(start, face).is_some_and(|sq| sq >= gap));
        let middle = Point::of(from).place();
        let within = (f64::from(within) * PER_METRE).min(4.0 * f64::from(mesh.half));
        let mut faces = Vec::new();
        mesh.cdt.flood(middle, within, &mut self.kept.near.scratch, |face, edge| {
            if edge.is_none() && mesh.cdt.is_wide(face, r) && is_reached(face) {
                faces.push(face);
            }
            false
        });
        let mut shares = Shares::default();
        shares.list(&mesh.cdt, faces.into_iter());
        // A circle that is small beside the faces is drawn from, instead of the faces.
        let is_small = 4.0 * within * within < shares.faces.last()?.0;
        let mut random = Random(seed);
        let places = (0..DRAWS).map_while(|_| {
            if !is_small {
                return shares.draw(&mesh.cdt, &mut random);
            }
            let [x, y] = [share(&mut random), share(&mut random)];
            Some(middle + Place::new(2.0 * x - 1.0, 2.0 * y - 1.0) * within)
        });
        let is_good = |at: &Point| {
            let by = at.place() - middle;
            let face = mesh.cdt.face_at(*at);
            by.dot(by) <= within * within && mesh.holds(*at, face, r) && is_reached(face)
        };
        places.map(Place::nearest).filter(|at| !mesh.is_beyond(*at)).find(is_good).map(Point::metres)
    }
}

/// A random number from 0 to 1.
fn share(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

impl Shares {
    fn list(&mut self, cdt: &Cdt, faces: impl Iterator<Item = u32>) {
        let mut sum = 0.0;
        for face in faces {
            let [a, b, c] = cdt.faces[face as usize].org.map(|vertex| cdt.at(vertex).place());
            sum += (b - a).cross(c - a) / 2.0;
            self.faces.push((sum, face));
        }
    }

    /// A random place in one of the faces; `None` if there are none.
    fn draw(&self, cdt: &Cdt, random: &mut Random) -> Option<Place> {
        let at = share(random) * self.faces.last()?.0;
        let index = self.faces.partition_point(|(sum, _)| *sum <= at).min(self.faces.len() - 1);
        let corners = cdt.faces[self.faces[index].1 as usize].org;
        let [a, b, c] = corners.map(|vertex| cdt.at(vertex).place());
        // The other half of the parallelogram is folded back.
        let (u, v) = (share(random), share(random));
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        Some(a + (b - a) * u + (c - a) * v)
    }
}

impl Cdt {
    /// Whether a face is free and so wide that a place in it may hold a disc.
    fn is_wide(&self, face: u32, r: f64) -> bool {
        let corners = || self.faces[face as usize].org.map(|vertex| self.at(vertex).place());
        self.is_free(face) && reach_square(corners()) >= room_square(r)
    }

    /// The nearest place on accepted faces that holds a disc, farther away than the first distance
    /// and at most the second.
    pub(super) fn nearest_where(
        &self,
        at: Place,
        r: f64,
        (beyond, most): (f64, f64),
        near: &mut Near,
        accept: impl Fn(u32) -> bool,
    ) -> Option<Place> {
        let is_accepted = |spot: Place, square: f64| {
            let is_far = beyond < 0.0 || square > beyond * beyond;
            is_far && accept(self.face_at(spot.nearest()))
        };
        let mut all = Vec::new();
        let mut look = (4.0 * r).max(PER_METRE) + beyond.max(0.0);
        loop {
            look = look.min(most + r + 2.0);
            self.list_walls(at, look, near, &accept, &mut all);
            if let Some(found) = self.nearest_of(at, r, &all, near, &is_accepted) {
                let distance = (found - at).length();
                // A wall beyond `look` may bound a nearer place.
                if distance + r + 2.0 <= look || look >= most + r + 2.0 {
                    return Some(found).filter(|_| distance <= most);
                }
            } else if look >= most + r + 2.0 {
                return None;
            }
            look *= 2.0;
        }
    }

    /// The nearest accepted place beside some walls, which are sorted by their distance.
    fn nearest_of(
        &self,
        at: Place,
        r: f64,
        all: &[(Place, Place)],
        near: &mut Near,
        accept: &impl Fn(Place, f64) -> bool,
    ) -> Option<Place> {
        let mut try_all = |walls: &[(Place, Place)], best: Option<Place>| {
            near.walls.clear();
            near.walls.extend_from_slice(walls);
            near.index();
            let least = best.map_or(f64::INFINITY, |best| (best - at).dot(best - at));
            self.nearest_beside(at, r, near, 0, |spot, square| square < least && accept(spot, square))
                .or(best)
        };
        let mut first = 0;
        let mut best = try_all(&all[..all.len().min(WINDOW)], None);
        while best.is_none() && first + WINDOW < all.len() {
            first += NEXT;
            best = try_all(&all[first..all.len().min(first + WINDOW)], None);
        }
        let far = (best? - at).length() + r + 2.0;
        let count = all.partition_point(|&(a, b)| segment_square(a - at, b - at) <= far * far);
        if count > WINDOW { try_all(&all[..count.min(MOST)], best) } else { best }
    }

    /// Lists walls within a distance that bound accepted land, by distance.
    fn list_walls(
        &self,
        at: Place,
        look: f64,
        near: &mut Near,
        accept: &impl Fn(u32) -> bool,
        all: &mut Vec<(Place, Place)>,
    ) {
        all.clear();
        self.flood(at, look, &mut near.scratch, |face, edge| {
            if let Some((h, c, d)) = edge
                && self.is_wall(h)
                && self.is_free(face)
                && self.is_beside(face, u32::MAX, HOPS, accept)
            {
                all.push((c, d));
            }
            false
        });
        sort_by_distance(all, at);
    }

    /// Whether a face is accepted, or one a few edges away, over land.
    fn is_beside(&self, face: u32, came: u32, hops: u32, accept: &impl Fn(u32) -> bool) -> bool {
        accept(face)
            || hops > 0
                && (4 * face..4 * face + 3).any(|h| {
                    h != came
                        && !self.is_wall(h)
                        && self.is_beside(self.twin(h) >> 2, self.twin(h), hops - 1, accept)
                })
    }
}
