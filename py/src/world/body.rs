//! A body's values and forces: the members of the handle `Body`.

use carom::{Body, BodyId, Error, Mass, World};
use pyo3::prelude::*;

use super::handles::{PyBody, PyCollider, PyJoint};
use crate::convert::{Pair, body_kind, kind_name, tuple, xy};
use crate::errors::OrRaise;
use crate::materials::{Choice, shape_def};

impl PyBody {
    /// Reads the body.
    fn read<R>(&self, py: Python<'_>, job: impl FnOnce(&Body) -> R) -> PyResult<R> {
        let id = self.id;
        self.world
            .get()
            .quick(py, |inner| inner.world.get(id).map(job).ok_or(Error::NoSuchBody(id)).or_raise())
    }

    /// Reads a value that the world keeps for the body.
    fn look<R>(&self, py: Python<'_>, job: impl FnOnce(&World, BodyId) -> R) -> PyResult<R> {
        let id = self.id;
        self.set(py, |world, _| match world.get(id) {
            Some(_) => Ok(job(world, id)),
            None => Err(Error::NoSuchBody(id)),
        })
    }

    /// Changes the body.
    fn set<R>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut World, BodyId) -> Result<R, Error>,
    ) -> PyResult<R> {
        self.world.get().change(py, |world| job(world, self.id))
    }
}

/// Place and motion.
#[pymethods]
impl PyBody {
    /// The position of its origin, exactly.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.read(py, |body| xy(body.world_position()))
    }

    #[setter]
    fn set_position(&self, py: Python<'_>, to: Pair) -> PyResult<()> {
        self.set(py, |world, id| world.teleport(id, to.point(), None))
    }

    /// Its angle in radians, -pi to pi.
    #[getter]
    fn angle(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.angle()))
    }

    #[setter]
    fn set_angle(&self, py: Python<'_>, angle: f64) -> PyResult<()> {
        self.set(py, |world, id| {
            let position = world.get(id).ok_or(Error::NoSuchBody(id))?.world_position();
            world.teleport(id, position, angle as f32)
        })
    }

    /// The velocity of its centre of mass, in m/s.
    #[getter]
    fn velocity(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.read(py, |body| tuple(body.velocity()))
    }

    #[setter]
    fn set_velocity(&self, py: Python<'_>, to: Pair) -> PyResult<()> {
        self.set(py, |world, id| world.set_velocity(id, to.vector()))
    }

    /// Its angular velocity, in radians a second.
    #[getter]
    fn spin(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.angular_velocity()))
    }

    #[setter]
    fn set_spin(&self, py: Python<'_>, to: f64) -> PyResult<()> {
        self.set(py, |world, id| world.set_angular_velocity(id, to as f32))
    }

    /// The position of its centre of mass.
    #[getter]
    fn center(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.read(py, |body| xy(body.world_center()))
    }

    /// Puts it elsewhere, at once.
    #[pyo3(signature = (position, angle = None))]
    fn teleport(&self, py: Python<'_>, position: Pair, angle: Option<f64>) -> PyResult<()> {
        self.set(py, |world, id| world.teleport(id, position.point(), angle.map(|angle| angle as f32)))
    }

    /// Moves a kinematic body to a place in the next step, pushing bodies out of its way.
    #[pyo3(signature = (position, angle = None))]
    fn move_to(&self, py: Python<'_>, position: Pair, angle: Option<f64>) -> PyResult<()> {
        self.set(py, |world, id| world.move_to(id, position.point(), angle.map(|angle| angle as f32)))
    }

    /// The velocity of its point at a place of the world.
    fn velocity_at(&self, py: Python<'_>, point: Pair) -> PyResult<(f64, f64)> {
        self.read(py, |body| tuple(body.velocity_at(point.point())))
    }

    /// A point of the body's frame in the world.
    fn to_world(&self, py: Python<'_>, point: Pair) -> PyResult<(f64, f64)> {
        self.read(py, |body| xy(body.to_world(point.vector())))
    }

    /// A point of the world in the body's frame.
    fn to_local(&self, py: Python<'_>, point: Pair) -> PyResult<(f64, f64)> {
        self.read(py, |body| tuple(body.to_local(point.point())))
    }
}

/// Forces.
#[pymethods]
impl PyBody {
    /// Pushes with a force in N during the next step, at its centre of mass or at a point.
    #[pyo3(signature = (force, at = None))]
    fn apply_force(&self, py: Python<'_>, force: Pair, at: Option<Pair>) -> PyResult<()> {
        self.set(py, |world, id| match at {
            None => world.apply_force(id, force.vector()),
            Some(at) => world.apply_force_at(id, force.vector(), at.point()),
        })
    }

    /// Turns with a torque in N m during the next step.
    fn apply_torque(&self, py: Python<'_>, torque: f64) -> PyResult<()> {
        self.set(py, |world, id| world.apply_torque(id, torque as f32))
    }

    /// Changes its momentum at once, by an impulse in N s.
    #[pyo3(signature = (impulse, at = None))]
    fn apply_impulse(&self, py: Python<'_>, impulse: Pair, at: Option<Pair>) -> PyResult<()> {
        self.set(py, |world, id| match at {
            None => world.apply_impulse(id, impulse.vector()),
            Some(at) => world.apply_impulse_at(id, impulse.vector(), at.point()),
        })
    }

    /// Changes its angular momentum at once, in N m s.
    fn apply_angular_impulse(&self, py: Python<'_>, impulse: f64) -> PyResult<()> {
        self.set(py, |world, id| world.apply_angular_impulse(id, impulse as f32))
    }

    /// A force and a torque that act in every step until they are set anew.
    #[pyo3(signature = (force = Pair(0.0, 0.0), torque = 0.0))]
    fn set_lasting_force(&self, py: Python<'_>, force: Pair, torque: f64) -> PyResult<()> {
        self.set(py, |world, id| world.set_lasting_force(id, force.vector(), torque as f32))
    }

    /// The force and torque that `set_lasting_force` set.
    #[getter]
    fn lasting_force(&self, py: Python<'_>) -> PyResult<((f64, f64), f64)> {
        self.look(py, |world, id| {
            let (force, torque) = world.lasting_force(id);
            (tuple(force), f64::from(torque))
        })
    }
}

/// Mass and energy.
#[pymethods]
impl PyBody {
    /// Its mass in kg.
    #[getter]
    fn mass(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.mass()))
    }

    /// Its rotational inertia about its centre of mass, in kg m².
    #[getter]
    fn inertia(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.inertia()))
    }

    /// The centre of mass in its own frame.
    #[getter]
    fn local_center(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.read(py, |body| tuple(body.local_center()))
    }

    /// Sets mass, centre and inertia in place of the sums over its shapes; without arguments, back
    /// to these sums.
    #[pyo3(signature = (mass = None, center = Pair(0.0, 0.0), inertia = 0.0))]
    fn set_mass(&self, py: Python<'_>, mass: Option<f64>, center: Pair, inertia: f64) -> PyResult<()> {
        let mass =
            mass.map(|mass| Mass { mass: mass as f32, center: center.vector(), inertia: inertia as f32 });
        self.set(py, |world, id| world.set_mass(id, mass))
    }

    /// Its kinetic energy in J.
    #[getter]
    fn kinetic_energy(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.kinetic_energy()))
    }

    /// Its momentum in kg m/s.
    #[getter]
    fn momentum(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.read(py, |body| tuple(body.momentum()))
    }
}

/// State and rules.
#[pymethods]
impl PyBody {
    /// 'fixed', 'kinematic' or 'dynamic'.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py, |body| kind_name(body.kind()))
    }

    #[setter]
    fn set_kind(&self, py: Python<'_>, kind: &str) -> PyResult<()> {
        let kind = body_kind(kind)?;
        self.set(py, |world, id| world.set_kind(id, kind))
    }

    /// Its name, if it has one.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.world.get().quick(py, |inner| Ok(inner.name_of(self.id)))
    }

    #[setter]
    fn set_name(&self, py: Python<'_>, name: Option<String>) -> PyResult<()> {
        self.world.get().quick(py, |inner| {
            inner.world.get(self.id).ok_or(Error::NoSuchBody(self.id)).or_raise()?;
            if name.is_some() && name == inner.name_of(self.id) {
                return Ok(());
            }
            name.as_deref().map_or(Ok(()), |name| inner.check_name(name))?;
            inner.bodies.retain(|_, known| *known != self.id);
            if let Some(name) = name {
                inner.bodies.insert(name, self.id);
            }
            Ok(())
        })
    }

    /// Whether it is still in its world.
    #[getter]
    fn exists(&self, py: Python<'_>) -> PyResult<bool> {
        self.world.get().quick(py, |inner| Ok(inner.world.get(self.id).is_some()))
    }

    /// Whether it is awake.
    #[getter]
    fn awake(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, Body::is_awake)
    }

    /// Wakes it, and all that rest with it.
    fn wake(&self, py: Python<'_>) -> PyResult<()> {
        self.set(py, World::wake_up)
    }

    /// Puts it to sleep in the next step, with all that it rests with.
    fn sleep(&self, py: Python<'_>) -> PyResult<()> {
        self.set(py, World::put_to_sleep)
    }

    /// Whether it may fall asleep.
    #[getter]
    fn can_sleep(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, Body::can_sleep)
    }

    #[setter]
    fn set_can_sleep(&self, py: Python<'_>, can: bool) -> PyResult<()> {
        self.set(py, |world, id| world.set_can_sleep(id, can))
    }

    /// Whether it takes part in the world at all.
    #[getter]
    fn enabled(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, Body::is_enabled)
    }

    #[setter]
    fn set_enabled(&self, py: Python<'_>, enabled: bool) -> PyResult<()> {
        self.set(py, |world, id| world.set_enabled(id, enabled))
    }

    /// Its locked axes: any of 'x', 'y' and 'rotation'.
    #[getter]
    fn locks(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        let locks = self.read(py, Body::locks)?;
        let all = [("x", locks.x), ("y", locks.y), ("rotation", locks.rotation)];
        Ok(all.into_iter().filter(|(_, locked)| *locked).map(|(name, _)| name).collect())
    }

    #[setter]
    fn set_locks(&self, py: Python<'_>, names: &Bound<'_, PyAny>) -> PyResult<()> {
        let locks = super::add::locks(names)?;
        self.set(py, |world, id| world.set_locks(id, locks))
    }

    /// The world's gravity acts on it times this.
    #[getter]
    fn gravity_scale(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.gravity_scale()))
    }

    #[setter]
    fn set_gravity_scale(&self, py: Python<'_>, scale: f64) -> PyResult<()> {
        self.set(py, |world, id| world.set_gravity_scale(id, scale as f32))
    }

    /// A gravity of its own in place of the world's, or `None`.
    #[getter]
    fn gravity(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        self.look(py, |world, id| world.gravity_of(id).map(tuple))
    }

    #[setter]
    fn set_gravity(&self, py: Python<'_>, gravity: Option<Pair>) -> PyResult<()> {
        self.set(py, |world, id| world.set_gravity_of(id, gravity.map(Pair::vector)))
    }

    /// Linear damping.
    #[getter]
    fn linear_damping(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.linear_damping()))
    }

    #[setter]
    fn set_linear_damping(&self, py: Python<'_>, damping: f64) -> PyResult<()> {
        let other = self.read(py, Body::angular_damping)?;
        self.set(py, |world, id| world.set_damping(id, damping as f32, other))
    }

    /// Angular damping.
    #[getter]
    fn angular_damping(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |body| f64::from(body.angular_damping()))
    }

    #[setter]
    fn set_angular_damping(&self, py: Python<'_>, damping: f64) -> PyResult<()> {
        let other = self.read(py, Body::linear_damping)?;
        self.set(py, |world, id| world.set_damping(id, other, damping as f32))
    }

    /// The fastest that it may go, in m/s.
    #[getter]
    fn max_speed(&self, py: Python<'_>) -> PyResult<f64> {
        self.look(py, |world, id| f64::from(world.max_speed_of(id)))
    }

    #[setter]
    fn set_max_speed(&self, py: Python<'_>, speed: f64) -> PyResult<()> {
        self.set(py, |world, id| world.set_max_speed_of(id, speed as f32))
    }

    /// Of two bodies that touch, the one with the greater number takes no impulse.
    #[getter]
    fn dominance(&self, py: Python<'_>) -> PyResult<i8> {
        self.look(py, World::dominance_of)
    }

    #[setter]
    fn set_dominance(&self, py: Python<'_>, dominance: i8) -> PyResult<()> {
        self.set(py, |world, id| world.set_dominance(id, dominance))
    }

    /// A number of the program's own.
    #[getter]
    fn user_data(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, Body::user_data)
    }

    #[setter]
    fn set_user_data(&self, py: Python<'_>, number: u64) -> PyResult<()> {
        self.set(py, |world, id| world.set_user_data(id, number))
    }
}

/// Shapes, joints, and the end.
#[pymethods]
impl PyBody {
    /// Its shapes.
    #[getter]
    fn colliders(&self, py: Python<'_>) -> PyResult<Vec<PyCollider>> {
        let ids: Vec<_> = self
            .world
            .get()
            .quick(py, |inner| Ok(inner.world.shapes_of(self.id).map(|(id, _)| id).collect()))?;
        Ok(ids.into_iter().map(|id| PyCollider { world: self.world.clone_ref(py), id }).collect())
    }

    /// Its joints.
    #[getter]
    fn joints(&self, py: Python<'_>) -> PyResult<Vec<PyJoint>> {
        let ids: Vec<_> = self
            .world
            .get()
            .quick(py, |inner| Ok(inner.world.joints_of(self.id).map(|(id, _)| id).collect()))?;
        Ok(ids.into_iter().map(|id| PyJoint { world: self.world.clone_ref(py), id }).collect())
    }

    /// Attaches one more shape or part.
    fn attach(&self, py: Python<'_>, shape: &Bound<'_, PyAny>) -> PyResult<PyCollider> {
        let def = shape_def(shape, &Choice::default())?;
        let id = self.set(py, |world, id| world.attach(id, def))?;
        Ok(PyCollider { world: self.world.clone_ref(py), id })
    }

    /// Removes it from its world.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        self.world.get().quick(py, |inner| {
            inner.world.remove(self.id).or_raise()?;
            inner.bodies.retain(|_, known| *known != self.id);
            Ok(())
        })
    }

    /// Cuts it along the line from `a` to `b`; returns the pieces, itself first.
    fn slice(&self, py: Python<'_>, a: Pair, b: Pair) -> PyResult<Vec<PyBody>> {
        let ids = self.set(py, |world, id| world.slice(id, a.point(), b.point()))?;
        Ok(ids.into_iter().map(|id| PyBody { world: self.world.clone_ref(py), id }).collect())
    }

    /// Breaks it into the Voronoi cells of points of the world.
    fn fragment(&self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Vec<PyBody>> {
        let points = crate::convert::points(points, "points")?;
        let ids = self.set(py, |world, id| world.fragment(id, &points))?;
        Ok(ids.into_iter().map(|id| PyBody { world: self.world.clone_ref(py), id }).collect())
    }

    fn __index__(&self) -> usize {
        self.id.index()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let place = self.read(py, |body| (kind_name(body.kind()), xy(body.world_position())));
        Ok(match place {
            Ok((kind, (x, y))) => format!("<carom.Body {}: {kind} at ({x:.3}, {y:.3})>", self.id),
            Err(_) => format!("<carom.Body {}: removed>", self.id),
        })
    }
}
