//! Shapes: a frozen class, and a function for each kind.
//!
//! In: numbers and arrays of points. Out: [`PyShape`], checked when it is made, so that the line
//! with the mistake is the line of the error. Queries between two shapes are in `pairs.rs`.

pub(crate) mod make;
pub(crate) mod pairs;

use carom::Shape;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::arrays;
use crate::convert::{Pair, Place};
use crate::errors::{OrRaise, guarded};

/// A shape in its own frame.
#[pyclass(frozen, name = "Shape", module = "carom")]
#[derive(Clone)]
pub(crate) struct PyShape(pub(crate) Shape);

/// Makes a shape: the shape, or the rule that its definition broke.
pub(crate) fn checked(make: impl FnOnce() -> Shape) -> PyResult<PyShape> {
    guarded(|| make().checked().map(PyShape).or_raise())
}

/// The name of a shape's kind.
pub(crate) fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Circle(_) => "circle",
        Shape::Capsule(_) => "capsule",
        Shape::Segment(_) => "segment",
        Shape::Obb(_) => "rect",
        Shape::Polygon(_) => "polygon",
        Shape::Polar(_) => "polar",
        Shape::Compound(_) => "compound",
        Shape::Chain(_) => "chain",
        Shape::Tiles(_) => "tiles",
        Shape::HalfPlane(_) => "half_plane",
        _ => "invalid",
    }
}

/// A shape as Python shows it.
pub(crate) fn describe(shape: &Shape) -> String {
    match shape {
        Shape::Circle(circle) => format!("circle({})", circle.radius()),
        Shape::Obb(rect) => {
            let size = 2.0 * rect.half_size();
            format!("rect({}, {})", size.x, size.y)
        }
        Shape::Polygon(polygon) => format!("polygon of {} corners", polygon.vertices().len()),
        Shape::Polar(polar) => format!("polar of {} corners", polar.vertices().len()),
        Shape::Compound(compound) => format!("compound of {} parts", compound.parts().len()),
        Shape::Chain(chain) => format!("chain of {} segments", chain.segments().len()),
        Shape::Tiles(map) => format!("tiles of {} by {}", map.size()[0], map.size()[1]),
        other => kind(other).to_owned(),
    }
}

#[pymethods]
impl PyShape {
    /// The kind: 'circle', 'rect', 'chain' and so on.
    #[getter]
    fn kind(&self) -> &'static str {
        kind(&self.0)
    }

    /// The same shape, moved.
    fn at(&self, offset: Pair) -> PyResult<PyShape> {
        checked(|| self.0.clone().at(offset.vector()))
    }

    /// The same shape, turned about the origin, in radians, counter-clockwise.
    fn turned(&self, angle: f64) -> PyResult<PyShape> {
        checked(|| self.0.clone().turned(angle as f32))
    }

    /// With round corners, grown by `radius`.
    fn rounded(&self, radius: f64) -> PyResult<PyShape> {
        checked(|| self.0.clone().rounded(radius as f32))
    }

    /// Scaled about the origin.
    fn scaled(&self, factor: f64) -> PyResult<PyShape> {
        checked(|| self.0.clone().scaled(factor as f32))
    }

    /// Mirrored: x becomes -x.
    fn mirrored(&self) -> PyResult<PyShape> {
        checked(|| self.0.clone().mirrored())
    }

    /// Mass in kg, centre of mass, and rotational inertia about it.
    #[pyo3(signature = (density = 1.0))]
    fn mass(&self, density: f64) -> (f64, (f64, f64), f64) {
        let mass = self.0.mass(density as f32);
        (f64::from(mass.mass), crate::convert::tuple(mass.center), f64::from(mass.inertia))
    }

    /// The box around the shape at a place: two corners.
    #[pyo3(signature = (at = None))]
    fn aabb(&self, at: Option<Place>) -> ((f64, f64), (f64, f64)) {
        let aabb = self.0.aabb(at.unwrap_or_default().transform());
        (crate::convert::tuple(aabb.min), crate::convert::tuple(aabb.max))
    }

    /// Corners of a polygon, points of a chain, ends of a segment or capsule, the centre of a
    /// circle: an array of shape (k, 2).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let points: Vec<[f32; 2]> = match &self.0 {
            Shape::Circle(circle) => vec![circle.center().to_array()],
            Shape::Capsule(capsule) => capsule.ends().map(|end| end.to_array()).to_vec(),
            Shape::Segment(segment) => segment.ends().map(|end| end.to_array()).to_vec(),
            Shape::Obb(rect) => rect.corners().map(|corner| corner.to_array()).to_vec(),
            Shape::Polygon(polygon) => polygon.vertices().iter().map(|at| at.to_array()).collect(),
            Shape::Polar(polar) => polar.vertices().iter().map(|at| at.to_array()).collect(),
            Shape::Chain(chain) => chain.points().iter().map(|at| at.to_array()).collect(),
            _ => Vec::new(),
        };
        arrays::table(py, points)
    }

    /// The radius of a circle or capsule, or of round corners; 0 for all else.
    #[getter]
    fn radius(&self) -> f64 {
        f64::from(match &self.0 {
            Shape::Circle(circle) => circle.radius(),
            Shape::Capsule(capsule) => capsule.radius(),
            Shape::Obb(rect) => rect.radius(),
            Shape::Polygon(polygon) => polygon.radius(),
            _ => 0.0,
        })
    }

    /// The parts of a compound; empty for all else.
    #[getter]
    fn parts(&self) -> Vec<PyShape> {
        match &self.0 {
            Shape::Compound(compound) => compound.parts().iter().cloned().map(PyShape).collect(),
            _ => Vec::new(),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyShape>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let circle = self.0.bounding_circle();
        u64::from(circle.radius.to_bits()) << 32 | u64::from(circle.center.x.to_bits())
    }

    fn __repr__(&self) -> String {
        format!("<carom.Shape: {}>", describe(&self.0))
    }

    fn _repr_svg_(&self) -> String {
        crate::draw::svg_of_shape(&self.0)
    }
}
