//! A kinematic character: where it gets to in a step, over ground, steps and slopes.

use std::sync::Mutex;

use carom::{MoveOutcome, Mover, MoverDef, SteepRule, Stride};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::PyWorld;
use super::handles::{Key, PyBody};
use super::queries::Among;
use crate::convert::{Pair, tuple, xy};
use crate::errors::{OrRaise, broken, guarded};
use crate::shapes::PyShape;

/// Where a mover got to in a step.
#[pyclass(frozen, get_all, name = "Move", module = "carom")]
pub(crate) struct PyMove {
    position: (f64, f64),
    motion: (f64, f64),
    velocity: (f64, f64),
    inherited: (f64, f64),
    grounded: bool,
    ground_normal: Option<(f64, f64)>,
    ground: Option<Py<PyBody>>,
    hit_wall: bool,
    hit_ceiling: bool,
    stepped: bool,
    crushed: f64,
}

#[pymethods]
impl PyMove {
    fn __repr__(&self) -> String {
        let ground = if self.grounded { "on the ground" } else { "in the air" };
        format!("<carom.Move to ({:.3}, {:.3}), {ground}>", self.position.0, self.position.1)
    }
}

/// A character that slides along obstacles.
#[pyclass(frozen, name = "Mover", module = "carom")]
pub(crate) struct PyMover(Mutex<Mover>);

impl PyMover {
    fn moved(
        &self,
        world: &Bound<'_, PyWorld>,
        stride: (Pair, f64),
        among: Option<&Bound<'_, PyDict>>,
        go: impl FnOnce(&mut Mover, &mut super::Inner, &Stride) -> PyResult<MoveOutcome> + Send,
    ) -> PyResult<PyMove> {
        let py = world.py();
        let among = Among::new(among)?;
        let (velocity, dt) = stride;
        let out = world.get().heavy(py, |inner| {
            let mut mover = self.0.lock().map_err(|_| broken("this mover failed inside"))?;
            among.filtered(inner, |inner, filter| {
                go(&mut mover, inner, &Stride::new(velocity.vector(), dt as f32).among(*filter))
            })?
        })?;
        let ground =
            out.ground.map(|ground| Py::new(py, PyBody { world: world.clone().unbind(), id: ground.body }));
        Ok(PyMove {
            position: xy(out.position),
            motion: tuple(out.motion),
            velocity: tuple(out.velocity),
            inherited: tuple(out.inherited),
            grounded: out.grounded(),
            ground_normal: out.ground.map(|ground| tuple(ground.normal)),
            ground: ground.transpose()?,
            hit_wall: out.hit_wall,
            hit_ceiling: out.hit_ceiling,
            stepped: out.stepped,
            crushed: out.crushed.into(),
        })
    }
}

#[pymethods]
impl PyMover {
    #[new]
    #[pyo3(signature = (
        shape = None, *, up = None, skin = None, max_slope = None, steep = "slide", step_height = None,
        step_width = None, step_on_dynamic = None, snap = None, one_way = None, mass = None,
        push_force = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        shape: Option<&PyShape>,
        up: Option<Pair>,
        skin: Option<f64>,
        max_slope: Option<f64>,
        steep: &str,
        step_height: Option<f64>,
        step_width: Option<f64>,
        step_on_dynamic: Option<bool>,
        snap: Option<f64>,
        one_way: Option<bool>,
        mass: Option<f64>,
        push_force: Option<f64>,
    ) -> PyResult<PyMover> {
        let base = MoverDef::default();
        let own = |given: Option<f64>, old: f32| given.map_or(old, |given| given as f32);
        let def = MoverDef {
            up: up.map_or(base.up, Pair::vector),
            skin: own(skin, base.skin),
            max_slope: own(max_slope, base.max_slope),
            steep: match steep {
                "slide" => SteepRule::Slide,
                "stand" => SteepRule::Stand,
                _ => return Err(PyValueError::new_err("steep is 'slide' or 'stand'")),
            },
            step_height: own(step_height, base.step_height),
            step_width: own(step_width, base.step_width),
            step_on_dynamic: step_on_dynamic.unwrap_or(base.step_on_dynamic),
            snap: own(snap, base.snap),
            one_way: one_way.unwrap_or(base.one_way),
            mass: own(mass, base.mass),
            push_force: own(push_force, base.push_force),
            shape: shape.map_or(base.shape, |shape| shape.0.clone()),
        };
        guarded(|| Ok(PyMover(Mutex::new(Mover::new(def).or_raise()?))))
    }

    /// Where the mover gets to from a place in a step; the world does not change.
    #[pyo3(signature = (world, at, velocity, dt = 1.0 / 60.0, **among))]
    fn slide(
        &self,
        world: &Bound<'_, PyWorld>,
        at: Pair,
        velocity: Pair,
        dt: f64,
        among: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyMove> {
        self.moved(world, (velocity, dt), among, |mover, inner, stride| {
            mover.slide_by(&inner.world, at.point(), stride).or_raise()
        })
    }

    /// Moves a kinematic body like this mover, and pushes dynamic bodies.
    #[pyo3(signature = (world, body, velocity, dt = 1.0 / 60.0, **among))]
    fn move_body(
        &self,
        world: &Bound<'_, PyWorld>,
        body: Key,
        velocity: Pair,
        dt: f64,
        among: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyMove> {
        self.moved(world, (velocity, dt), among, |mover, inner, stride| {
            let id = inner.body(&body)?;
            let out = mover.move_body_by(&mut inner.world, id, stride).or_raise()?;
            mover.push(&mut inner.world, stride.dt).or_raise()?;
            Ok(out)
        })
    }

    /// Forgets the ground: after the character was put elsewhere.
    fn forget(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            self.0.lock().map_err(|_| broken("this mover failed inside"))?.forget();
            Ok(())
        })
    }
}
