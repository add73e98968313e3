//! Queries of a mesh: searches that read the mesh, and the memory that they keep.
//!
//! In: a mesh, and places in metres, which are rounded, and moved if they do not hold the disc.
//! Out: ways and answers in metres. [`Mesh`] has the same calls with a query object of its own
//! (ways.rs); other threads bring one each.

use core::sync::atomic::{AtomicU64, Ordering};

use glam::Vec2;

use super::areas::Pricing;
use super::corners::{Corners, Found, Search};
use super::fixed::{PER_METRE, Place, Point};
use super::forest::Forest;
use super::near::Near;
use super::places::Shares;
use super::seek::{Root, Seek};
use super::way::Way;
use super::ways::trace;
use super::{Links, Mesh, NoWay, Route, links};

/// Searches in meshes that are only read: several threads search one mesh, each with a query object
/// of its own.
///
/// ```
/// use carom_nav::Vec2;
/// use carom_nav::mesh::{Mesh, MeshDef, MeshQuery, Way};
///
/// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
/// mesh.add(&[[-1.0, -2.0], [1.0, -2.0], [1.0, 2.0], [-1.0, 2.0]].map(Vec2::from))?;
/// let mesh = &mesh;
/// let lengths = std::thread::scope(|scope| {
///     let search = |y: f32| move || {
///         let (mut query, mut way) = (MeshQuery::default(), Way::default());
///         query.way(mesh, [-9.0, y], [9.0, y], 0.5, &mut way).map(|()| way.length())
///     };
///     [0.0, 5.0].map(|y| scope.spawn(search(y))).map(|thread| thread.join())
/// });
/// assert!(matches!(lengths, [Ok(Ok(about)), Ok(Ok(straight))] if about > 18.5 && straight == 18.0));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A query object keeps lines between corners, and the order of all passages, for the next search
/// in the same mesh. After changes of the mesh it notices which of them are out of date; with
/// another mesh it begins anew. So it changes the time of a search, never its result.
#[derive(Clone, Debug, Default)]
pub struct MeshQuery {
    /// The mesh of the last query; 0 for none.
    identity: u64,
    pub(super) kept: Kept,
    pub(super) forest: Forest,
    pub(super) pricing: Pricing,
    pub(super) links: links::Search,
    pub(super) shares: Shares,
}

/// Memory that searches for ways keep from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pub(super) seek: Seek,
    pub(super) ends: Seek,
    corners: Corners,
    search: Search,
    pub(super) near: Near,
    pub(super) from: Vec<u32>,
    pub(super) to: Vec<u32>,
}

/// A number for each mesh of a program, by which a query object notices another mesh; and the
/// mesh's own query object.
#[derive(Debug)]
pub(super) struct Own {
    identity: u64,
    query: Option<Box<MeshQuery>>,
}

impl Own {
    pub(super) fn new() -> Own {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Own { identity: NEXT.fetch_add(1, Ordering::Relaxed), query: None }
    }
}

impl Clone for Own {
    /// A clone is another mesh, as both may change; what its query object knows is still true.
    fn clone(&self) -> Own {
        let mut own = Own::new();
        own.query = self.query.clone();
        if let Some(query) = own.query.as_mut().filter(|query| query.identity == self.identity) {
            query.identity = own.identity;
        }
        own
    }
}

/// After this many corners a search checks whether there is a way at all.
const FIRST_CORNERS: u64 = 256;
/// Tolerance of clearance, in units, as places are rounded.
pub(super) const SLACK: f64 = 1.5;

impl Mesh {
    /// Asks the mesh's own query object.
    pub(super) fn ask<T>(&mut self, ask: impl FnOnce(&mut MeshQuery, &Mesh) -> T) -> T {
        let mut query = self.own.query.take().unwrap_or_default();
        let answer = ask(&mut query, self);
        self.own.query = Some(query);
        answer
    }

    /// The mesh's own query object, if it was asked.
    pub(super) fn own_query(&self) -> Option<&MeshQuery> {
        self.own.query.as_deref()
    }

    /// Whether places are finite, and a radius is in the mesh's range.
    pub(super) fn is_good(&self, places: &[Vec2], radius: f32) -> bool {
        places.iter().all(|at| at.is_finite()) && radius >= 0.0 && radius <= self.max_radius
    }

    /// Whether a place lies beyond the triangles about the border, so that no face of land contains
    /// it.
    pub(super) fn is_beyond(&self, at: Point) -> bool {
        let frame = self.half + self.half / 4;
        at.x.abs().max(at.y.abs()) > frame
    }

    /// Whether a place in `face` holds a disc.
    pub(super) fn holds(&self, at: Point, face: u32, r: f64) -> bool {
        // A clear place needs no exact distance.
        let is_clear = || self.cdt.is_clear(at.place(), face, r);
        self.cdt.is_free(face) && (is_clear() || self.cdt.room(at.place(), face, r + 2.0) >= r - SLACK)
    }
}

impl MeshQuery {
    /// Forgets what is known of another mesh.
    pub(super) fn begin(&mut self, mesh: &Mesh) {
        if self.identity != mesh.own.identity {
            *self = MeshQuery { identity: mesh.own.identity, ..MeshQuery::default() };
        }
    }

    /// Finds the cheapest way: see [`Mesh::way`].
    ///
    /// # Errors
    /// As [`Mesh::way`].
    pub fn way(
        &mut self,
        mesh: &Mesh,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        self.find_way(mesh, [from.into(), to.into()], radius, false, way)
    }

    /// Finds the shortest way at any costs of its land: see [`Mesh::shortest`].
    ///
    /// # Errors
    /// As [`Mesh::way`].
    pub fn shortest(
        &mut self,
        mesh: &Mesh,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        self.find_way(mesh, [from.into(), to.into()], radius, true, way)
    }

    /// Finds the shortest route over land and links: see [`Mesh::route`].
    ///
    /// # Errors
    /// As [`Mesh::route`].
    #[allow(clippy::too_many_arguments, reason = "the arguments of `Mesh::route`, and the mesh")]
    pub fn route(
        &mut self,
        mesh: &Mesh,
        links: &Links,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        kinds: u64,
        route: &mut Route,
    ) -> Result<(), NoWay> {
        self.find_route(mesh, links, [from.into(), to.into()], (radius, kinds), route)
    }

    fn find_way(
        &mut self,
        mesh: &Mesh,
        [from, to]: [Vec2; 2],
        radius: f32,
        is_shortest: bool,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        way.clear();
        if !mesh.is_good(&[from, to], radius) {
            return Err(NoWay::BadNumber);
        }
        self.begin(mesh);
        let r = f64::from(radius) * PER_METRE;
        let mut faces = core::mem::take(&mut self.kept.from);
        let start = self.place_for(mesh, from, r, &mut faces);
        self.kept.from = faces;
        let start = start.ok_or(NoWay::BadStart)?;
        let mut faces = core::mem::take(&mut self.kept.to);
        let goal = self.place_for(mesh, to, r, &mut faces);
        self.kept.to = faces;
        let goal = goal.ok_or(NoWay::BadGoal)?;
        way.from_moved = start.1;
        way.to_moved = goal.1;
        let at = [(start, from), (goal, to)];
        let ends = at.map(|((end, is_moved), asked)| (end, if is_moved { end.metres() } else { asked }));
        self.fill_way(mesh, ends, radius, is_shortest, way)
    }

    /// Finds and writes the way between two places that hold the disc, each in units and in metres;
    /// `kept.from` and `kept.to` hold the faces that contain them.
    pub(super) fn fill_way(
        &mut self,
        mesh: &Mesh,
        [(start, from), (goal, to)]: [(Point, Vec2); 2],
        radius: f32,
        is_shortest: bool,
        way: &mut Way,
    ) -> Result<(), NoWay> {
        let r = f64::from(radius) * PER_METRE;
        (way.start, way.goal, way.radius) = (from, to, radius);
        let (length, last) = self.find(mesh, (start, goal), r).ok_or(NoWay::Apart)?;
        way.length = length / PER_METRE;
        way.cost = way.length;
        trace(&self.kept.seek.roots, last, goal.place(), (r - 1.0).max(0.0), &mut way.bends);
        if !mesh.areas.is_empty() {
            self.price(mesh, [start, goal], last, r, is_shortest, way);
        }
        let mut at = start;
        for bend in &way.bends {
            let corner = Point::of(bend.corner);
            mesh.tiles.cross(at, corner, &mut way.tiles);
            at = corner;
        }
        mesh.tiles.cross(at, goal, &mut way.tiles);
        Ok(())
    }

    /// The length of the shortest way between two places, and its last root; `kept.from` and
    /// `kept.to` hold the faces that contain the places.
    fn find(&mut self, mesh: &Mesh, (start, goal): (Point, Point), r: f64) -> Option<(f64, u32)> {
        let ends = (*self.kept.from.first()?, *self.kept.to.first()?);
        // An up-to-date forest avoids a vain search of all the land.
        let mut is_known = self.forest.revision == mesh.revision;
        if is_known && self.is_apart(mesh, gap_of(r)) {
            return None;
        }
        let places = [start.place(), goal.place()];
        let Kept { ends: ends_seek, search, from, to, .. } = &mut self.kept;
        if ends_seek.is_straight(&mesh.cdt, (places[0], ends.0), places[1], r) {
            search.expansions = 0;
            return Some(((places[1] - places[0]).length(), u32::MAX));
        }
        search.start(&mesh.cdt, ends_seek, [(places[0], from), (places[1], to)], r);
        loop {
            let most = if is_known { u64::MAX } else { FIRST_CORNERS };
            let Kept { seek, ends: ends_seek, corners, search, from, to, .. } = &mut self.kept;
            let ends: [(Place, &[u32]); 2] = [(places[0], from), (places[1], to)];
            let found = search.run(&mesh.cdt, [seek, ends_seek], ends, (corners, &mesh.changed), r, most);
            match found {
                Found::Way(length, last) => return Some((length, last)),
                Found::Pause | Found::None if self.is_apart(mesh, gap_of(r)) => return None,
                Found::Pause => is_known = true,
                Found::None | Found::Unsure => break,
            }
        }
        // This happens once in 1,000 times: with circles that nearly touch, walls that are points,
        // and places from which a disc cannot move on although the faces there are wide enough.
        let Kept { seek, from, to, .. } = &mut self.kept;
        let found = seek.way(&mesh.cdt, (places[0], from), (places[1], to), r)?;
        seek.is_free(&mesh.cdt, found.1, (places[1], to), r).then_some(found)
    }

    /// The shortest way between two places that hold the disc: its length, and its last root.
    pub(super) fn find_between(&mut self, mesh: &Mesh, from: Point, to: Point, r: f64) -> Option<(f64, u32)> {
        let Kept { from: from_faces, to: to_faces, .. } = &mut self.kept;
        mesh.cdt.faces_at(mesh.cdt.locate(from), from_faces);
        mesh.cdt.faces_at(mesh.cdt.locate(to), to_faces);
        self.find(mesh, (from, to), r)
    }

    /// The roots of the last way.
    pub(super) fn roots(&self) -> &[Root] {
        &self.kept.seek.roots
    }

    /// Whether a disc of a radius can get from a place to another: see [`Mesh::reachable`].
    pub fn reachable(
        &mut self,
        mesh: &Mesh,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
    ) -> bool {
        let (from, to) = (from.into(), to.into());
        if !mesh.is_good(&[from, to], radius) {
            return false;
        }
        let r = f64::from(radius) * PER_METRE;
        self.keep_forest(mesh);
        let ends = self.faces_for(from, to, |query, at, faces| {
            let point = Point::of(at);
            let inside = if mesh.is_beyond(point) { None } else { query.forest.face_at(&mesh.cdt, point) };
            match inside.filter(|&face| mesh.holds(point, face, r)) {
                Some(face) => faces.push(face),
                None if query.place_for(mesh, at, r, faces).is_none() => faces.clear(),
                None => {}
            }
        });
        self.with_ends(ends, |query, from, to| {
            query.forest.narrowest(from, to).is_some_and(|square| square >= gap_of(r)).then_some(0.0)
        })
        .is_some()
    }

    /// The radius of the widest disc that can get from a place to another: see [`Mesh::widest`].
    pub fn widest(&mut self, mesh: &Mesh, from: impl Into<Vec2>, to: impl Into<Vec2>) -> Option<f32> {
        let (from, to) = (from.into(), to.into());
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        self.keep_forest(mesh);
        let ends = self.faces_for(from, to, |query, at, faces| {
            let point = Point::of(at);
            if mesh.is_beyond(point) {
                return;
            }
            match query.forest.face_at(&mesh.cdt, point) {
                Some(face) => faces.extend(Some(face).filter(|&face| mesh.cdt.is_free(face))),
                None => mesh.cdt.faces_at(mesh.cdt.locate(point), faces),
            }
        });
        let [at_start, at_goal] = [from, to].map(|at| Point::of(at).place());
        self.with_ends(ends, |query, from, to| {
            let square = query.forest.narrowest(from, to)?;
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
        fill: impl Fn(&mut MeshQuery, Vec2, &mut Vec<u32>),
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
        ask: impl Fn(&MeshQuery, u32, u32) -> Option<f32>,
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
    fn is_apart(&mut self, mesh: &Mesh, gap: u64) -> bool {
        self.keep_forest(mesh);
        let (forest, Kept { from, to, .. }) = (&self.forest, &self.kept);
        let is_joined = |a: u32, b: u32| forest.narrowest(a, b).is_some_and(|square| square >= gap);
        !from.iter().any(|&a| to.iter().any(|&b| is_joined(a, b)))
    }

    /// Builds the forest anew if the mesh has changed.
    pub(super) fn keep_forest(&mut self, mesh: &Mesh) {
        self.begin(mesh);
        if self.forest.revision != mesh.revision {
            self.forest.build(&mesh.cdt, mesh.half);
            self.forest.revision = mesh.revision;
        }
    }

    /// The whole-unit place that holds a disc, with the faces that contain it in `faces`, and
    /// whether it is another than the requested place.
    pub(super) fn place_for(
        &mut self,
        mesh: &Mesh,
        at: Vec2,
        r: f64,
        faces: &mut Vec<u32>,
    ) -> Option<(Point, bool)> {
        let point = Point::of(at);
        if mesh.is_beyond(point) {
            return None;
        }
        mesh.cdt.faces_at(mesh.cdt.locate(point), faces);
        let holds = |&face: &u32| r == 0.0 || mesh.cdt.room(point.place(), face, r + 2.0) >= r - SLACK;
        if faces.first().is_some_and(holds) {
            return Some((point, false));
        }
        let most = 16.0 * r + PER_METRE;
        let found = mesh.cdt.nearest_room(point.place(), r, most, &mut self.kept.near)?.nearest();
        mesh.cdt.faces_at(mesh.cdt.locate(found), faces);
        Some((found, true))
    }

    /// Checks the arguments of a way.
    pub(super) fn check_ends(&mut self, mesh: &Mesh, from: Vec2, to: Vec2, radius: f32) -> Result<(), NoWay> {
        if !mesh.is_good(&[from, to], radius) {
            return Err(NoWay::BadNumber);
        }
        let r = f64::from(radius) * PER_METRE;
        let mut faces = Vec::new();
        self.place_for(mesh, from, r, &mut faces).ok_or(NoWay::BadStart)?;
        self.place_for(mesh, to, r, &mut faces).ok_or(NoWay::BadGoal)?;
        Ok(())
    }

    /// Number of corners that the last search for a way visited.
    pub fn expansions(&self) -> u64 {
        self.kept.search.expansions
    }
}

/// The square of the least length of an edge that a disc passes; the disc is taken a unit smaller
/// than requested.
pub(super) fn gap_of(r: f64) -> u64 {
    let gap = 2.0 * (r - 1.0).max(0.0);
    (gap * gap) as u64
}
