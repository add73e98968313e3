//! Queries of a mesh.
//!
//! In: places in metres, which are rounded, and moved if they do not hold the disc. Out: ways and
//! answers in metres.

use core::fmt;

use glam::Vec2;

use super::Mesh;
use super::corners::{Corners, Found, Search};
use super::fixed::{PER_METRE, Place, Point};
use super::near::Near;
use super::seek::{Root, Seek};
use super::tangent::{contact, tangent, turn};
use super::way::{Bend, Way};

/// Reason why there is no way.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoWay {
    /// A number is NaN or infinite, or the radius is not 0 to the mesh's greatest.
    BadNumber,
    /// The start lies on no free land, or does not hold the disc.
    BadStart,
    /// The goal lies on no free land, or does not hold the disc.
    BadGoal,
    /// Start and goal lie apart, for a disc of this radius.
    Apart,
}

impl fmt::Display for NoWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoWay::BadNumber => {
                write!(f, "places are finite, and the radius is not above the mesh's greatest")
            }
            NoWay::BadStart => write!(f, "the start holds no disc of this radius"),
            NoWay::BadGoal => write!(f, "the goal holds no disc of this radius"),
            NoWay::Apart => write!(f, "no way is wide enough"),
        }
    }
}

impl core::error::Error for NoWay {}

/// Memory that queries keep from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pub(super) seek: Seek,
    ends: Seek,
    corners: Corners,
    search: Search,
    near: Near,
    from: Vec<u32>,
    to: Vec<u32>,
}

/// After this many corners a search checks whether there is a way at all.
const FIRST_CORNERS: u64 = 256;
/// Tolerance of clearance, in units, as places are rounded.
pub(super) const SLACK: f64 = 1.5;

impl Mesh {
    /// Finds the shortest path (way) of a disc from one place to another, in metres; with areas of
    /// other costs ([`Mesh::add_area`]), the cheapest.
    ///
    /// The shortest way is exact. The cheapest way is exact if the shortest one keeps to the
    /// cheapest land; otherwise it is the cheapest through the borders that a coarse search chose,
    /// and never dearer than the shortest. In 300 crowded scenes (tests/mesh/areas.rs) half of all
    /// ways are the cheapest to a thousandth, 99 of 100 are within 1 %, and the worst is 3 %
    /// dearer. It takes a search over all faces around; the first search after a change copies
    /// them.
    ///
    /// A start or goal that does not hold the disc is moved to the nearest place that does, if
    /// there is one within 16 radii and a metre; the way tells whether it was moved. A place beyond
    /// the mesh's border by more than a quarter of half its side is refused.
    ///
    /// Lines between corners are kept for the next ways of the same radius, for eight radii: the
    /// first way of a radius takes tens of times as long as later ones.
    ///
    /// # Errors
    /// [`NoWay::BadNumber`], [`NoWay::BadStart`] or [`NoWay::BadGoal`] for an invalid request,
    /// [`NoWay::Apart`] if no path is wide enough. `way` is empty then.
    pub fn way(
        &mut self,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        self.find_way([from.into(), to.into()], radius, false, way)
    }

    /// Finds the shortest way at any costs of its land: for flying units. [`Way::cost`] is the cost
    /// of walking it.
    ///
    /// # Errors
    ///
    /// As [`Mesh::way`].
    pub fn shortest(
        &mut self,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        self.find_way([from.into(), to.into()], radius, true, way)
    }

    fn find_way(
        &mut self,
        [from, to]: [Vec2; 2],
        radius: f32,
        is_shortest: bool,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        way.clear();
        if !(from.is_finite() && to.is_finite() && radius >= 0.0 && radius <= self.max_radius) {
            return Err(NoWay::BadNumber);
        }
        let r = f64::from(radius) * PER_METRE;
        let mut faces = core::mem::take(&mut self.kept.from);
        let start = self.place_for(from, r, &mut faces);
        self.kept.from = faces;
        let start = start.ok_or(NoWay::BadStart)?;
        let mut faces = core::mem::take(&mut self.kept.to);
        let goal = self.place_for(to, r, &mut faces);
        self.kept.to = faces;
        let goal = goal.ok_or(NoWay::BadGoal)?;
        way.from_moved = start.1;
        way.to_moved = goal.1;
        let (start, goal) = (start.0, goal.0);
        way.start = if way.from_moved { start.metres() } else { from };
        way.goal = if way.to_moved { goal.metres() } else { to };
        way.radius = radius;
        let (length, last) = self.find((start, goal), r).ok_or(NoWay::Apart)?;
        way.length = length / PER_METRE;
        way.cost = way.length;
        trace(&self.kept.seek.roots, last, goal.place(), (r - 1.0).max(0.0), &mut way.bends);
        if !self.areas.is_empty() {
            self.price([start, goal], last, r, is_shortest, way);
        }
        let mut at = start;
        for bend in &way.bends {
            let corner = Point::of(bend.corner);
            self.tiles.cross(at, corner, &mut way.tiles);
            at = corner;
        }
        self.tiles.cross(at, goal, &mut way.tiles);
        Ok(())
    }

    /// The length of the shortest way between two places, and its last root; `kept.from` and
    /// `kept.to` hold the faces that contain the places.
    fn find(&mut self, (start, goal): (Point, Point), r: f64) -> Option<(f64, u32)> {
        let ends = (*self.kept.from.first()?, *self.kept.to.first()?);
        let is_apart = |mesh: &mut Mesh| mesh.is_apart(gap_of(r));
        // An up-to-date forest avoids a vain search of all the land.
        let mut is_known = self.forest.revision == self.revision;
        if is_known && is_apart(self) {
            return None;
        }
        let places = [start.place(), goal.place()];
        let Kept { ends: ends_seek, search, from, to, .. } = &mut self.kept;
        if ends_seek.is_straight(&self.cdt, (places[0], ends.0), places[1], r) {
            search.expansions = 0;
            return Some(((places[1] - places[0]).length(), u32::MAX));
        }
        search.start(&self.cdt, ends_seek, [(places[0], from), (places[1], to)], r);
        loop {
            let most = if is_known { u64::MAX } else { FIRST_CORNERS };
            let Kept { seek, ends: ends_seek, corners, search, from, to, .. } = &mut self.kept;
            let ends: [(Place, &[u32]); 2] = [(places[0], from), (places[1], to)];
            let found = search.run(&self.cdt, [seek, ends_seek], ends, (corners, &self.changed), r, most);
            match found {
                Found::Way(length, last) => return Some((length, last)),
                Found::Pause | Found::None if is_apart(self) => return None,
                Found::Pause => is_known = true,
                Found::None | Found::Unsure => break,
            }
        }
        // This happens once in 1,000 times: with circles that nearly touch, walls that are points,
        // and places from which a disc cannot move on although the faces there are wide enough.
        let Kept { seek, from, to, .. } = &mut self.kept;
        let found = seek.way(&self.cdt, (places[0], from), (places[1], to), r)?;
        seek.is_free(&self.cdt, found.1, (places[1], to), r).then_some(found)
    }

    /// The shortest way between two places that hold the disc: its length, and its last root.
    pub(super) fn find_between(&mut self, from: Point, to: Point, r: f64) -> Option<(f64, u32)> {
        let Kept { from: from_faces, to: to_faces, .. } = &mut self.kept;
        self.cdt.faces_at(self.cdt.locate(from), from_faces);
        self.cdt.faces_at(self.cdt.locate(to), to_faces);
        self.find((from, to), r)
    }

    /// The roots of the last way.
    pub(super) fn roots(&self) -> &[Root] {
        &self.kept.seek.roots
    }

    /// Whether a disc of a radius can get from a place to another; the same answer as from
    /// [`Mesh::way`], without a search. They differ only where a disc stands in a corner so narrow
    /// that it cannot turn out of it, though the faces there are wide enough: there [`Mesh::way`]
    /// finds no way.
    ///
    /// The first call after a change sorts all edges; later calls take a constant time, plus the
    /// time to test the walls about both places.
    pub fn reachable(&mut self, from: impl Into<Vec2>, to: impl Into<Vec2>, radius: f32) -> bool {
        let (from, to) = (from.into(), to.into());
        if !(from.is_finite() && to.is_finite() && radius >= 0.0 && radius <= self.max_radius) {
            return false;
        }
        let r = f64::from(radius) * PER_METRE;
        self.keep_forest();
        let ends = self.faces_for(from, to, |mesh, at, faces| {
            let point = Point::of(at);
            let inside = if mesh.is_beyond(point) { None } else { mesh.forest.face_at(&mesh.cdt, point) };
            match inside.filter(|&face| mesh.holds(point, face, r)) {
                Some(face) => faces.push(face),
                None if mesh.place_for(at, r, faces).is_none() => faces.clear(),
                None => {}
            }
        });
        self.with_ends(ends, |mesh, from, to| {
            mesh.narrowest(from, to).is_some_and(|square| square >= gap_of(r)).then_some(0.0)
        })
        .is_some()
    }

    /// The radius of the widest disc that can get from a place to another, in metres; `None` if not
    /// even a point can. Passages wider than the mesh's greatest radius may count as wider than
    /// they are.
    pub fn widest(&mut self, from: impl Into<Vec2>, to: impl Into<Vec2>) -> Option<f32> {
        let (from, to) = (from.into(), to.into());
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        self.keep_forest();
        let ends = self.faces_for(from, to, |mesh, at, faces| {
            let point = Point::of(at);
            if mesh.is_beyond(point) {
                return;
            }
            match mesh.forest.face_at(&mesh.cdt, point) {
                Some(face) => faces.extend(Some(face).filter(|&face| mesh.cdt.is_free(face))),
                None => mesh.cdt.faces_at(mesh.cdt.locate(point), faces),
            }
        });
        let [at_start, at_goal] = [from, to].map(|at| Point::of(at).place());
        self.with_ends(ends, |mesh, from, to| {
            let square = mesh.narrowest(from, to)?;
            // Without a narrowest place, half of the diagonal of any mesh.
            let most = ((square as f64).sqrt() / 2.0).clamp(0.0, 1e9);
            let most = mesh.cdt.room(at_start, from, most);
            Some((mesh.cdt.room(at_goal, to, most) / PER_METRE) as f32)
        })
    }

    /// The faces of a start and a goal, filled in by `fill`. Where walls touch, a vertex has faces
    /// on land that is not connected, and so may the two sides of an edge.
    fn faces_for(
        &mut self,
        from: Vec2,
        to: Vec2,
        fill: impl Fn(&mut Mesh, Vec2, &mut Vec<u32>),
    ) -> [Vec<u32>; 2] {
        let mut ends = [core::mem::take(&mut self.kept.from), core::mem::take(&mut self.kept.to)];
        for (faces, at) in ends.iter_mut().zip([from, to]) {
            faces.clear();
            fill(self, at, faces);
        }
        ends
    }

    /// The greatest answer of `ask` for a face of the start and a face of the goal.
    fn with_ends(
        &mut self,
        [from, to]: [Vec<u32>; 2],
        ask: impl Fn(&mut Mesh, u32, u32) -> Option<f32>,
    ) -> Option<f32> {
        let mut best: Option<f32> = None;
        for &a in &from {
            for &b in &to {
                best = ask(self, a, b).into_iter().chain(best).max_by(f32::total_cmp);
            }
        }
        (self.kept.from, self.kept.to) = (from, to);
        best
    }

    /// Whether passages of this width join no face of the start to a face of the goal. Where walls
    /// touch, a vertex has faces on land that is not connected.
    fn is_apart(&mut self, gap: u64) -> bool {
        let (from, to) = (core::mem::take(&mut self.kept.from), core::mem::take(&mut self.kept.to));
        let is_joined =
            |mesh: &mut Mesh, a: u32, b: u32| mesh.narrowest(a, b).is_some_and(|square| square >= gap);
        let is_any = from.iter().any(|&a| to.iter().any(|&b| is_joined(self, a, b)));
        (self.kept.from, self.kept.to) = (from, to);
        !is_any
    }

    /// The square of the narrowest passage between two faces.
    fn narrowest(&mut self, from: u32, to: u32) -> Option<u64> {
        self.keep_forest();
        self.forest.narrowest(from, to)
    }

    /// Builds the forest anew if the mesh has changed.
    fn keep_forest(&mut self) {
        if self.forest.revision != self.revision {
            self.forest.build(&self.cdt, self.half);
            self.forest.revision = self.revision;
        }
    }

    /// Whether a place lies beyond the triangles about the border, so that no face of land contains
    /// it.
    fn is_beyond(&self, at: Point) -> bool {
        let frame = self.half + self.half / 4;
        at.x.abs().max(at.y.abs()) > frame
    }

    /// Whether a place in `face` holds a disc.
    pub(super) fn holds(&self, at: Point, face: u32, r: f64) -> bool {
        // A clear place needs no exact distance.
        let is_clear = || self.cdt.is_clear(at.place(), face, r);
        self.cdt.is_free(face) && (is_clear() || self.cdt.room(at.place(), face, r + 2.0) >= r - SLACK)
    }

    /// Whether a way is one of this mesh and up to date: no face near it has changed since it was
    /// found.
    pub fn is_current(&self, way: &Way) -> bool {
        way.tiles.iter().all(|&(tile, revision)| self.tiles.get(tile) == Some(revision))
    }

    /// The whole-unit place that holds a disc, with the faces that contain it in `faces`, and
    /// whether it is another than the requested place.
    fn place_for(&mut self, at: Vec2, r: f64, faces: &mut Vec<u32>) -> Option<(Point, bool)> {
        let point = Point::of(at);
        if self.is_beyond(point) {
            return None;
        }
        self.cdt.faces_at(self.cdt.locate(point), faces);
        let holds = |&face: &u32| r == 0.0 || self.cdt.room(point.place(), face, r + 2.0) >= r - SLACK;
        if faces.first().is_some_and(holds) {
            return Some((point, false));
        }
        let most = 16.0 * r + PER_METRE;
        let found = self.cdt.nearest_room(point.place(), r, most, &mut self.kept.near)?.nearest();
        self.cdt.faces_at(self.cdt.locate(found), faces);
        Some((found, true))
    }

    /// Checks the arguments of a way.
    pub(super) fn check_ends(&mut self, from: Vec2, to: Vec2, radius: f32) -> Result<(), NoWay> {
        if !(from.is_finite() && to.is_finite() && radius >= 0.0 && radius <= self.max_radius) {
            return Err(NoWay::BadNumber);
        }
        let r = f64::from(radius) * PER_METRE;
        let mut faces = Vec::new();
        self.place_for(from, r, &mut faces).ok_or(NoWay::BadStart)?;
        self.place_for(to, r, &mut faces).ok_or(NoWay::BadGoal)?;
        Ok(())
    }

    /// Number of corners that the last search for a way visited.
    pub fn expansions(&self) -> u64 {
        self.kept.search.expansions
    }
}

/// The square of the least length of an edge that a disc passes; the disc is taken a unit smaller
/// than requested.
fn gap_of(r: f64) -> u64 {
    let gap = 2.0 * (r - 1.0).max(0.0);
    (gap * gap) as u64
}

/// Lists the bends of a way, from its last root back.
pub(super) fn trace(roots: &[Root], last: u32, goal: Place, r: f64, bends: &mut Vec<Bend>) {
    let mut at = last;
    let mut to = (goal, 0);
    let metres = |place: Place| Vec2::new((place.x / PER_METRE) as f32, (place.y / PER_METRE) as f32);
    while at != u32::MAX {
        let root = &roots[at as usize];
        let circle = (root.at, root.side);
        if root.side != 0 {
            let (leaves, _) = tangent(circle, to, r);
            bends.push(Bend {
                corner: metres(root.at),
                from: metres(contact(circle, root.came, r)),
                to: metres(contact(circle, leaves, r)),
                angle: (turn(root.came, leaves, root.side) * f64::from(root.side)) as f32,
            });
        }
        to = circle;
        at = root.before;
    }
    bends.reverse();
}
