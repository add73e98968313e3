//! Navigation meshes: shortest ways of discs of any radius between obstacles.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use carom_nav::Vec2;
use carom_nav::mesh::{Ground, Mesh, MeshDef, NoWay, ObstacleId, Way};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::arrays::{line, table};
use crate::convert::{Pair, matched, vectors};
use crate::errors::{OrRaise, broken, guarded};
use crate::world::PyWorld;

/// A mesh, its obstacles by number, and the world that it follows.
struct Inner {
    mesh: Mesh,
    obstacles: BTreeMap<u64, ObstacleId>,
    next: u64,
    ground: Option<Ground>,
}

/// A navigation mesh: triangles between obstacles, in a square about the origin.
#[pyclass(frozen, name = "Mesh", module = "carom.nav")]
pub(crate) struct PyMesh(Mutex<Inner>);

/// A shortest way over a mesh.
#[pyclass(frozen, name = "Way", module = "carom.nav")]
pub(crate) struct PyWay(Way);

#[pymethods]
impl PyWay {
    /// Its length in metres.
    #[getter]
    fn length(&self) -> f64 {
        self.0.length()
    }

    /// Its cost: its length where there are no areas of other costs.
    #[getter]
    fn cost(&self) -> f64 {
        self.0.cost()
    }

    /// The radius of the disc that it is for.
    #[getter]
    fn radius(&self) -> f64 {
        f64::from(self.0.radius())
    }

    /// Whether the start was moved to the nearest place that holds the disc.
    #[getter]
    fn start_moved(&self) -> bool {
        self.0.from_moved()
    }

    /// Whether the goal was moved to the nearest place that holds the disc.
    #[getter]
    fn goal_moved(&self) -> bool {
        self.0.to_moved()
    }

    /// Its points, shape (k, 2); arcs round corners stray from it by `sag` metres at most.
    #[pyo3(signature = (sag = 0.01))]
    fn points<'py>(&self, py: Python<'py>, sag: f64) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mut points = Vec::new();
        self.0.points(sag as f32, &mut points);
        table(py, points.iter().map(|at| at.to_array()).collect())
    }

    fn __repr__(&self) -> String {
        format!("<carom.nav.Way: {:.3} m, {} bends>", self.0.length(), self.0.bends().len())
    }
}

impl Inner {
    fn note(&mut self, id: ObstacleId) -> u64 {
        self.next += 1;
        self.obstacles.insert(self.next, id);
        self.next
    }

    /// A way, or `None` where there is none.
    fn find(&mut self, from: Vec2, to: Vec2, radius: f32) -> PyResult<Option<Way>> {
        let mut way = Way::default();
        match self.mesh.way(from, to, radius, &mut way) {
            Ok(()) => Ok(Some(way)),
            Err(NoWay::BadNumber) => Err(broken(NoWay::BadNumber.to_string())),
            Err(_) => Ok(None),
        }
    }
}

impl PyMesh {
    fn locked(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.0.lock().map_err(|_| broken("this mesh failed inside in an earlier call"))
    }

    /// Computes without the GIL.
    fn heavy<R: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Inner) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        py.detach(|| guarded(|| job(&mut *self.locked()?)))
    }
}

#[pymethods]
impl PyMesh {
    /// An empty square from -half to half in both directions, for discs up to a radius.
    #[new]
    #[pyo3(signature = (half, *, max_radius = 1.0))]
    fn new(half: f64, max_radius: f64) -> PyResult<PyMesh> {
        let def = MeshDef { half: half as f32, max_radius: max_radius as f32 };
        guarded(|| {
            let mesh = Mesh::new(def).or_raise()?;
            Ok(PyMesh(Mutex::new(Inner { mesh, obstacles: BTreeMap::new(), next: 0, ground: None })))
        })
    }

    /// Adds an obstacle by its outline; returns its number.
    fn add(&self, py: Python<'_>, corners: &Bound<'_, PyAny>) -> PyResult<u64> {
        let corners = vectors(corners, "corners")?;
        self.heavy(py, |inner| {
            let id = inner.mesh.add(&corners).or_raise()?;
            Ok(inner.note(id))
        })
    }

    /// Adds a thin wall along points; returns its number.
    fn add_wall(&self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<u64> {
        let points = vectors(points, "points")?;
        self.heavy(py, |inner| {
            let id = inner.mesh.add_wall(&points).or_raise()?;
            Ok(inner.note(id))
        })
    }

    /// Removes an obstacle by its number; returns whether it was there.
    fn remove(&self, py: Python<'_>, obstacle: u64) -> PyResult<bool> {
        self.heavy(py, |inner| {
            let id = inner.obstacles.remove(&obstacle);
            Ok(id.is_some_and(|id| inner.mesh.remove(id)))
        })
    }

    /// Takes over fixed and kinematic shapes of a world, and their changes since the last
    /// call: how many were added, removed and refused. `origin` of the first call is where the
    /// middle of the mesh lies.
    #[pyo3(signature = (world, *, origin = Pair(0.0, 0.0)))]
    fn sync(
        &self,
        py: Python<'_>,
        world: &Bound<'_, PyWorld>,
        origin: Pair,
    ) -> PyResult<(usize, usize, usize)> {
        world.get().heavy(py, |inner| {
            let mut own = self.locked()?;
            let own = &mut *own;
            let ground = own.ground.get_or_insert_with(|| Ground::new(origin.point()));
            let synced = own.mesh.sync(&inner.world, ground);
            Ok((synced.added, synced.removed, synced.refused))
        })
    }

    /// The shortest way of a disc, or `None`.
    #[pyo3(signature = (start, goal, radius = 0.0))]
    fn way(&self, py: Python<'_>, start: Pair, goal: Pair, radius: f64) -> PyResult<Option<PyWay>> {
        self.heavy(py, |inner| {
            let way = inner.find(start.vector(), goal.vector(), radius as f32)?;
            Ok(way.map(PyWay))
        })
    }

    /// Many ways of one radius: a list with `None` where there is no way.
    #[pyo3(signature = (starts, goals, radius = 0.0))]
    fn ways(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        radius: f64,
    ) -> PyResult<Vec<Option<PyWay>>> {
        let (starts, goals) = (vectors(starts, "starts")?, vectors(goals, "goals")?);
        let pairs = matched(starts, goals, "starts and goals")?;
        self.heavy(py, |inner| {
            let mut find = |(from, to)| Ok(inner.find(from, to, radius as f32)?.map(PyWay));
            pairs.into_iter().map(&mut find).collect()
        })
    }

    /// Whether a disc gets from each start to its goal, without a search.
    #[pyo3(signature = (starts, goals, radius = 0.0))]
    fn reachable<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        radius: f64,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (starts, goals) = (vectors(starts, "starts")?, vectors(goals, "goals")?);
        let pairs = matched(starts, goals, "starts and goals")?;
        let truths = self.heavy(py, |inner| {
            let mut test = |(from, to)| inner.mesh.reachable(from, to, radius as f32);
            Ok(pairs.into_iter().map(&mut test).collect())
        })?;
        Ok(line(py, truths))
    }

    /// The radius of the widest disc that gets from one place to the other, or `None`.
    fn widest(&self, py: Python<'_>, start: Pair, goal: Pair) -> PyResult<Option<f64>> {
        self.heavy(py, |inner| Ok(inner.mesh.widest(start.vector(), goal.vector()).map(f64::from)))
    }

    /// Whether nothing near a way changed since it was found.
    fn is_current(&self, py: Python<'_>, way: &Bound<'_, PyWay>) -> PyResult<bool> {
        let way = way.get();
        self.heavy(py, |inner| Ok(inner.mesh.is_current(&way.0)))
    }

    /// The free triangles, shape (k, 3, 2).
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let corners: Vec<f32> = self.heavy(py, |inner| {
            let all = inner.mesh.triangles().flatten();
            Ok(all.flat_map(|corner| corner.to_array()).collect())
        })?;
        let count = corners.len() / 6;
        let array = numpy::ndarray::Array3::from_shape_vec((count, 3, 2), corners).or_raise()?;
        Ok(array.into_pyarray(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.heavy(py, |inner| Ok(format!("<carom.nav.Mesh: {} faces>", inner.mesh.face_count())))
    }
}
