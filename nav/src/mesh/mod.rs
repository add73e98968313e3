//! A navigation mesh: triangles between walls, and shortest paths (ways) of discs of any radius on
//! one mesh.
//!
//! ```
//! use carom_nav::Vec2;
//! use carom_nav::mesh::{Mesh, MeshDef, Way};
//!
//! let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 2.0 })?;
//! let wall = mesh.add(&[[-1.0, -20.0], [1.0, -20.0], [1.0, 18.0], [-1.0, 18.0]].map(Vec2::from))?;
//! let (mut way, cow, meadow) = (Way::default(), [-10.0, 0.0], [10.0, 0.0]);
//! mesh.way(cow, meadow, 0.9, &mut way)?; // about two corners, in arcs
//! assert_eq!(way.bends().len(), 2);
//! assert!(!mesh.reachable(cow, meadow, 1.1) && mesh.widest(cow, meadow) == Some(1.0));
//! mesh.remove(wall);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! Obstacles are outlines, rounded to units of 2^-16 m. They are edges of a constrained Delaunay
//! triangulation (cdt.rs, walls.rs), which is updated where an obstacle is added or removed
//! (obstacles.rs); each triangle counts the obstacles that cover it (cover.rs). All decisions use
//! integers, so nothing overflows, loops or depends on rounding, and the same edits in the same
//! order give the same bits on every machine. Walls that cross get a vertex at the rounded
//! crossing: they move by a unit there, and are straight again when the other wall is removed.
//! Walls that run along each other within three units become one wall there.
//!
//! Each corner that sees a wall straight on has a vertex on this wall (feet.rs), so that each
//! narrowest place is an edge. So a disc of any radius passes an edge if its ends are two radii
//! apart, and an order of all triangles gives the narrowest place between two places (forest.rs).
//! Ways are tangents of circles about corners (tangent.rs). Tangents from one corner to the next
//! depend on the surroundings of the corner alone: they are found when a search first visits the
//! corner, and kept until something there changes (corners/). From the two ends of a way, lines are
//! found edge by edge, each edge with all directions in which it is seen (seek/). Caching changes
//! the time of a search, never its result.
//!
//! # What it costs
//!
//! Adding or removing an obstacle takes time in proportion to its surroundings within twice the
//! greatest radius, mostly independent of the number of obstacles. [`Mesh::reachable`] and
//! [`Mesh::widest`] take a constant time, plus a test of the walls about both places; the first
//! call after a change sorts all edges. [`Mesh::way`] visits a share of the corners between its
//! ends. The first way of a radius takes tens of times as long as later ones there, and so does the
//! next visit to corners near a change; lines of eight radii are kept. A face takes 40 bytes, with
//! its share of vertices and owners about 70; a line between corners takes 64, and each visited
//! corner has about ten. `cargo run --release -p carom-examples --example nav_mesh_speed` measures.
//!
//! # Queries
//!
//! | question | call |
//! |---|---|
//! | the shortest way, the cheapest way | [`Mesh::shortest`], [`Mesh::way`] |
//! | a way as far as it leads | [`Mesh::way_towards`] |
//! | a way over links | [`Mesh::route`] |
//! | is there a way, and for which radius | [`Mesh::reachable`], [`Mesh::widest`] |
//! | how far in a straight line, and what is there | [`Mesh::ray`] |
//! | the nearest place for a disc | [`Mesh::nearest_place`] |
//! | a random place, anywhere or near a place | [`Mesh::random_place`], [`Mesh::random_place_near`] |
//!
//! These take `&mut self`, as the mesh keeps what searches find. A [`MeshQuery`] has the same calls
//! for a mesh that is only read, for example by several threads.
//!
//! # What it does not do
//!
//! A disc is taken one unit (15 micrometres) smaller than requested, so that it passes gaps of
//! exactly its width. A passage that is wider than the mesh's greatest radius may count as wider
//! than it is. Ways over areas of other costs ([`Mesh::add_area`]) are the cheapest within a
//! percent or two. Links such as doors and ferries are in a list beside the mesh: [`Mesh::route`].

mod areas;
pub(crate) mod audit;
pub(crate) mod cdt;
mod clip;
mod corners;
mod cover;
mod feet;
pub(crate) mod fixed;
mod forest;
mod image;
mod links;
mod locate;
mod near;
pub(crate) mod obstacles;
#[cfg(feature = "world")]
mod outlines;
mod partial;
mod places;
mod query;
mod ray;
mod seek;
#[cfg(feature = "world")]
mod sync;
mod tangent;
mod tiles;
pub(crate) mod walls;
mod way;
mod ways;

#[cfg(test)]
mod tests;

use core::fmt;

use glam::Vec2;

use areas::Areas;
use cdt::Cdt;
use corners::Changed;
use feet::Area;
use fixed::{LIMIT, PER_METRE, Point};
use obstacles::Outline;
use query::Own;

use crate::state::id_bits;
use tiles::Tiles;

pub use areas::AreaId;
pub use links::{Crossing, Link, LinkId, Links, Route};
pub use partial::Reached;
pub use query::MeshQuery;
pub use ray::{Ray, RayHit};
#[cfg(feature = "world")]
pub use sync::{Ground, Synced};
pub use way::{Bend, Way};
pub use ways::NoWay;

/// Settings of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshDef {
    /// Half the side of the mesh's square, in metres: 0.01 to [`Mesh::MAX_HALF`].
    pub half: f32,
    /// The greatest radius of an agent, in metres: 0 to 1,000. A greater radius makes more faces.
    pub max_radius: f32,
}

impl Default for MeshDef {
    fn default() -> MeshDef {
        MeshDef { half: 512.0, max_radius: 2.0 }
    }
}

/// An obstacle in a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId {
    index: u32,
    generation: u32,
}

id_bits!(ObstacleId);

/// Reason why a mesh, or an obstacle in one, was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeshError {
    /// A number is NaN, infinite, or outside its range; the text names the number.
    BadNumber(&'static str),
    /// An outline has at least three corners, a wall two.
    TooFew,
    /// No part of it lies on the mesh.
    Outside,
    /// Its walls could not be built between the present walls. Nothing changed, except that walls
    /// may have moved by a few units.
    Tangled,
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshError::BadNumber(rule) => write!(f, "{rule}"),
            MeshError::TooFew => write!(f, "an outline has three corners at least, a wall two"),
            MeshError::Outside => write!(f, "none of it lies on the mesh"),
            MeshError::Tangled => write!(f, "walls too close to each other to be told apart"),
        }
    }
}

impl core::error::Error for MeshError {}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    is_used: bool,
    outline: Outline,
}

/// Obstacles in a square, and the land between them in triangles. See [the module](self).
#[derive(Clone, Debug)]
pub struct Mesh {
    cdt: Cdt,
    slots: Vec<Slot>,
    unused: Vec<u32>,
    /// Half the side, in units.
    half: i32,
    max_radius: f32,
    /// Twice the greatest radius, in units: walls nearer than this get feet.
    reach: i64,
    revision: u64,
    points: Vec<Point>,
    spare: Vec<Point>,
    own: Own,
    tiles: Tiles,
    changed: Changed,
    areas: Areas,
}

impl Mesh {
    /// The greatest half side, in metres.
    pub const MAX_HALF: f32 = 6_000.0;

    /// A mesh without obstacles: a square about the origin.
    ///
    /// # Errors
    /// [`MeshError::BadNumber`] for a half side that is not 0.01 m to [`Mesh::MAX_HALF`], or a
    /// greatest radius that is not 0 to 1,000 m.
    pub fn new(def: MeshDef) -> Result<Mesh, MeshError> {
        if !(def.half >= 0.01 && def.half <= Mesh::MAX_HALF) {
            return Err(MeshError::BadNumber("half a side is 0.01 m to 6 km"));
        }
        if !(def.max_radius >= 0.0 && def.max_radius <= 1_000.0) {
            return Err(MeshError::BadNumber("the greatest radius is 0 to 1 km"));
        }
        let half = (f64::from(def.half) * PER_METRE).round() as i32;
        debug_assert!(half + half / 4 + 1024 < LIMIT);
        let mut mesh = Mesh {
            cdt: Cdt::new(half + BORDER),
            slots: Vec::new(),
            unused: Vec::new(),
            half,
            max_radius: def.max_radius,
            reach: (2.0 * f64::from(def.max_radius) * PER_METRE) as i64 + 2,
            revision: 1,
            points: Vec::new(),
            spare: Vec::new(),
            own: Own::new(),
            tiles: Tiles::new(half),
            changed: Changed::new(half, 1),
            areas: Areas::default(),
        };
        // All land beyond the border is covered once: every face starts covered, and the inside is
        // counted out.
        let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)].map(|(x, y)| Point::new(half * x, half * y));
        let mut outline = Outline { is_closed: true, ..Outline::default() };
        mesh.cdt.add(BORDER_OWNER, &corners, &mut outline);
        mesh.cdt.count(BORDER_OWNER, outline.corners[0], -2);
        Ok(mesh)
    }

    /// The greatest radius of an agent, in metres.
    pub fn max_radius(&self) -> f32 {
        self.max_radius
    }

    /// Adds an obstacle, given the corners of its outline in order, in metres from the mesh's
    /// middle.
    ///
    /// It may be concave, and overlap others. An outline that crosses itself covers every place
    /// that it winds around.
    ///
    /// # Errors
    /// [`MeshError::TooFew`] for fewer than three corners, [`MeshError::BadNumber`] for a corner
    /// that is not finite, [`MeshError::Outside`] if no part lies on the mesh, and, rarely,
    /// [`MeshError::Tangled`].
    pub fn add(&mut self, corners: &[Vec2]) -> Result<ObstacleId, MeshError> {
        let id = self.build(corners, true)?;
        self.update_feet(id);
        Ok(id)
    }

    /// Adds a wall without thickness, from point to point.
    ///
    /// # Errors
    /// As [`Mesh::add`], but two points are enough.
    pub fn add_wall(&mut self, points: &[Vec2]) -> Result<ObstacleId, MeshError> {
        let id = self.build(points, false)?;
        self.update_feet(id);
        Ok(id)
    }

    /// Adds many obstacles at once, which is faster than one by one; or none, if one of them is
    /// refused.
    ///
    /// # Errors
    /// The first error that [`Mesh::add`] would return for an outline; no obstacle is added then,
    /// and `ids` is empty.
    pub fn add_all<'a>(
        &mut self,
        outlines: impl IntoIterator<Item = &'a [Vec2]>,
        ids: &mut Vec<ObstacleId>,
    ) -> Result<(), MeshError> {
        let mut built = Vec::new();
        self.build_all(outlines.into_iter().map(|outline| (outline, true)), &mut built);
        ids.clear();
        ids.extend(built.iter().copied().filter_map(Result::ok));
        let Some(error) = built.into_iter().find_map(Result::err) else { return Ok(()) };
        ids.drain(..).for_each(|id| _ = self.remove(id));
        Err(error)
    }

    /// Builds many outlines (or walls, if not closed), and returns the result of each.
    fn build_all<'a>(
        &mut self,
        outlines: impl IntoIterator<Item = (&'a [Vec2], bool)>,
        built: &mut Vec<Result<ObstacleId, MeshError>>,
    ) {
        let outlines: Vec<(&[Vec2], bool)> = outlines.into_iter().collect();
        built.clear();
        built.resize(outlines.len(), Err(MeshError::Outside));
        // Few outlines get their feet one by one; many, all at the end.
        let are_few = outlines.len() < 64;
        // In spatial order, for the cache.
        let mut order: Vec<(u64, u32)> = outlines.iter().zip(0..).map(|((o, _), k)| (curve(o), k)).collect();
        order.sort_unstable();
        for (_, at) in order {
            let (outline, is_closed) = outlines[at as usize];
            let id = self.build(outline, is_closed);
            built[at as usize] = id;
            let Ok(id) = id else { continue };
            if are_few {
                self.update_feet(id);
            } else {
                let mut area = Area::EMPTY;
                self.points.iter().for_each(|&point| area.add(point));
                self.tiles.change(&area, self.reach);
            }
        }
        if !are_few {
            self.cdt.update_all_feet(self.reach);
            self.note_change();
        }
    }

    fn build(&mut self, corners: &[Vec2], is_closed: bool) -> Result<ObstacleId, MeshError> {
        if corners.len() < if is_closed { 3 } else { 2 } {
            return Err(MeshError::TooFew);
        }
        if !corners.iter().all(|corner| corner.is_finite()) {
            return Err(MeshError::BadNumber("corners are finite"));
        }
        self.points.clear();
        self.points.extend(corners.iter().map(|&corner| Point::of(corner)));
        if is_closed {
            clip::clip_outline(&mut self.points, &mut self.spare, self.half + BORDER / 2);
        } else {
            self.clip_wall();
        }
        if self.points.is_empty() {
            return Err(MeshError::Outside);
        }
        let index = self.unused.pop().unwrap_or(self.slots.len() as u32);
        if index as usize == self.slots.len() {
            self.slots.push(Slot { generation: 0, is_used: false, outline: Outline::default() });
        }
        let slot = &mut self.slots[index as usize];
        slot.outline.is_closed = is_closed;
        self.revision += 1;
        if !self.cdt.add(index, &self.points, &mut slot.outline) {
            self.unused.push(index);
            self.note_change();
            return Err(MeshError::Tangled);
        }
        slot.is_used = true;
        Ok(ObstacleId { index, generation: slot.generation })
    }

    /// Keeps the part of a wall from its first point on the mesh up to the border.
    fn clip_wall(&mut self) {
        self.spare.clear();
        for pair in self.points.windows(2) {
            match clip::clip_segment(pair[0], pair[1], self.half + BORDER / 2) {
                Some((a, b)) => {
                    if self.spare.last() != Some(&a) {
                        if !self.spare.is_empty() {
                            break;
                        }
                        self.spare.push(a);
                    }
                    if b != a {
                        self.spare.push(b);
                    }
                }
                None if !self.spare.is_empty() => break,
                None => {}
            }
        }
        core::mem::swap(&mut self.points, &mut self.spare);
    }

    /// Updates the feet about an obstacle.
    fn update_feet(&mut self, id: ObstacleId) {
        let outline = &self.slots[id.index as usize].outline;
        self.points.clear();
        self.points.extend(outline.corners.iter().map(|&corner| self.cdt.at(corner)));
        self.update_feet_at_points();
    }

    fn update_feet_at_points(&mut self) {
        let mut area = Area::EMPTY;
        self.points.iter().for_each(|&point| area.add(point));
        self.cdt.update_feet_near(area, self.points[0], self.reach);
        self.tiles.change(&area, self.reach);
        self.points.iter().for_each(|&point| self.cdt.touched.add(point));
        self.note_change();
    }

    /// Marks the area of the faces that were written.
    fn note_change(&mut self) {
        let area = core::mem::replace(&mut self.cdt.touched, Area::EMPTY);
        self.changed.revision = self.revision;
        if area.low.x <= area.high.x {
            self.changed.mark(&area);
        }
    }

    /// Removes an obstacle. Returns whether it existed.
    pub fn remove(&mut self, id: ObstacleId) -> bool {
        if !self.contains(id) {
            return false;
        }
        let slot = &mut self.slots[id.index as usize];
        slot.is_used = false;
        slot.generation = slot.generation.wrapping_add(1);
        self.points.clear();
        self.points.extend(slot.outline.corners.iter().map(|&corner| self.cdt.at(corner)));
        self.cdt.remove(id.index, &mut slot.outline);
        self.unused.push(id.index);
        self.revision += 1;
        self.update_feet_at_points();
        true
    }

    /// Whether an obstacle is in the mesh.
    pub fn contains(&self, id: ObstacleId) -> bool {
        let slot = self.slots.get(id.index as usize);
        slot.is_some_and(|slot| slot.is_used && slot.generation == id.generation)
    }

    /// Half the side, in metres.
    fn half_metres(&self) -> f32 {
        (f64::from(self.half) / PER_METRE) as f32
    }

    /// A number that grows with each change.
    pub fn revision(&self) -> u64 {
        self.revision + self.areas.clock
    }

    /// Checks all invariants of faces, edges and vertices, and returns the first broken one.
    #[doc(hidden)]
    pub fn audit(&self) -> Result<(), String> {
        self.cdt.audit()
    }

    /// The number of faces, including the faces of obstacles and of the frame.
    pub fn face_count(&self) -> usize {
        (0..self.cdt.faces.len() as u32).filter(|&face| self.cdt.is_used(face)).count()
    }

    /// All free triangles, in metres, for drawing.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec2; 3]> + '_ {
        let faces = 0..self.cdt.faces.len() as u32;
        let free = faces.filter(|&face| self.cdt.is_used(face) && self.cdt.is_free(face));
        free.map(|face| self.cdt.faces[face as usize].org.map(|vertex| self.cdt.at(vertex).metres()))
    }
}

/// Index of a place along a Z-curve: interleaved bits of x and y.
fn curve(outline: &[Vec2]) -> u64 {
    let at = outline.first().map_or(Point::default(), |&corner| Point::of(corner));
    let spread = |x: i32| {
        let mut bits = u64::from(x.wrapping_add(LIMIT) as u32);
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
        (bits | bits << 1) & 0x5555_5555_5555_5555
    };
    spread(at.x) | spread(at.y) << 1
}

/// Distance by which outlines may reach over the border, in units.
const BORDER: i32 = 512;
/// Owner of the border.
const BORDER_OWNER: u32 = u32::MAX - 2;
