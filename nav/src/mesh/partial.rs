//! Ways as far as they lead: to the goal, or to the nearest place to it that can be reached.
//!
//! In: two places and a radius. Out: a way, and whether it ends at the goal.
//!
//! Faces that a disc can get to are known without a search (forest.rs). So the nearest place on
//! such a face that holds the disc is found from the goal outwards (places.rs), and then a way to
//! it.

use glam::Vec2;

use super::fixed::PER_METRE;
use super::query::gap_of;
use super::{Mesh, MeshQuery, NoWay, Way};

/// The end of a way of [`Mesh::way_towards`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "the way may end elsewhere than at the goal"]
pub enum Reached {
    /// The goal, or the nearest place that holds the disc, as in [`Mesh::way`].
    Goal,
    /// The nearest place to the goal that the disc can get to, at a distance from the goal.
    Nearest {
        /// The distance from the end of the way to the requested goal, in metres.
        gap: f32,
    },
}

/// Places tried, each farther from the goal than the one before. One is nearly always enough: a
/// face may be wide enough for a disc that cannot turn out of a narrow corner in it.
const TRIES: usize = 4;

impl Mesh {
    /// Finds a way to a place, or else to the nearest place to it that the disc can get to (a
    /// partial path).
    ///
    /// ```
    /// use carom_nav::Vec2;
    /// use carom_nav::mesh::{Mesh, MeshDef, Reached, Way};
    ///
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
    /// mesh.add(&[[-1.0, -20.0], [1.0, -20.0], [1.0, 20.0], [-1.0, 20.0]].map(Vec2::from))?; // a river
    /// let mut way = Way::default();
    /// let reached = mesh.way_towards([-9.0, 3.0], [5.0, 3.0], 0.5, &mut way)?;
    /// assert!(matches!(reached, Reached::Nearest { gap } if (gap - 6.5).abs() < 1e-3));
    /// assert!(way.goal().distance(Vec2::new(-1.5, 3.0)) < 1e-3 && way.to_moved());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// Near as the crow flies, not by land. A goal beyond the mesh counts as the nearest place of
    /// its square. The search of a place takes a time in proportion to the faces that are nearer to
    /// the goal.
    ///
    /// # Errors
    /// [`NoWay::BadNumber`] or [`NoWay::BadStart`]; `way` is empty then.
    pub fn way_towards(
        &mut self,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<Reached, NoWay> {
        self.ask(|query, mesh| query.way_towards(mesh, from, to, radius, way))
    }
}

impl MeshQuery {
    /// Finds a way to a place, or to the nearest place to it: see [`Mesh::way_towards`].
    ///
    /// # Errors
    /// As [`Mesh::way_towards`].
    pub fn way_towards(
        &mut self,
        mesh: &Mesh,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
        way: &mut Way,
    ) -> Result<Reached, NoWay> {
        let (from, to) = (from.into(), to.into());
        match self.way(mesh, from, to, radius, way) {
            Ok(()) => return Ok(Reached::Goal),
            Err(NoWay::BadGoal | NoWay::Apart) => {}
            Err(no) => return Err(no),
        }
        let r = f64::from(radius) * PER_METRE;
        self.keep_forest(mesh);
        let mut starts = Vec::new();
        let start = self.place_for(mesh, from, r, &mut starts).ok_or(NoWay::BadStart)?;
        let goal = mesh.inside(to).place();
        let most = 4.0 * f64::from(mesh.half);
        let mut beyond = -1.0;
        for _ in 0..TRIES {
            let (forest, near, gap) = (&self.forest, &mut self.kept.near, gap_of(r));
            let is_reached = |face: u32| {
                starts.iter().any(|&start| forest.narrowest(start, face).is_some_and(|square| square >= gap))
            };
            let Some(place) = mesh.cdt.nearest_where(goal, r, (beyond, most), near, is_reached) else {
                break;
            };
            let end = place.nearest();
            self.kept.from.clone_from(&starts);
            mesh.cdt.faces_at(mesh.cdt.locate(end), &mut self.kept.to);
            let ends = [(start.0, if start.1 { start.0.metres() } else { from }), (end, end.metres())];
            (way.from_moved, way.to_moved) = (start.1, true);
            if self.fill_way(mesh, ends, radius, false, way).is_ok() {
                return Ok(Reached::Nearest { gap: way.goal.distance(to) });
            }
            beyond = (place - goal).length() + 1.0;
        }
        // The disc cannot move at all.
        self.kept.from.clone_from(&starts);
        self.kept.to.clone_from(&starts);
        (way.from_moved, way.to_moved) = (start.1, true);
        let at = if start.1 { start.0.metres() } else { from };
        self.fill_way(mesh, [(start.0, at); 2], radius, false, way)?;
        Ok(Reached::Nearest { gap: at.distance(to) })
    }
}
