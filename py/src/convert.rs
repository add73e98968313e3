//! Conversion between Python's numbers, sequences and arrays and carom's types.
//!
//! In: whatever a caller passes for a point, a vector, a list of points. Out: carom's types, or a
//! `TypeError` or `ValueError` that names the expected type. Numbers are taken as Python has them,
//! in 64 bits: positions keep them (see [`point`]), all else is rounded to 32.

use carom::tuning::REGION_SIZE;
use carom::{BodyKind, IVec2, Rot, Transform, Vec2, WorldPoint};
use numpy::{AllowTypeChange, PyArrayLikeDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Two numbers: a tuple, a list, an array.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pair(pub(crate) f64, pub(crate) f64);

impl Pair {
    pub(crate) fn vector(self) -> Vec2 {
        Vec2::new(self.0 as f32, self.1 as f32)
    }

    pub(crate) fn point(self) -> WorldPoint {
        point(self.0, self.1)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Pair {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Pair> {
        let numbers = floats::<2>(&object, "(x, y)")?;
        Ok(Pair(numbers[0], numbers[1]))
    }
}

/// A place and an angle: `(x, y)` or `(x, y, angle)`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place(pub(crate) f64, pub(crate) f64, pub(crate) f64);

impl Place {
    pub(crate) fn transform(self) -> Transform {
        Transform::new([self.0 as f32, self.1 as f32], self.2 as f32)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Place {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Place> {
        let length = object.len().unwrap_or(0);
        if length == 3 {
            let numbers = floats::<3>(&object, "(x, y, angle)")?;
            return Ok(Place(numbers[0], numbers[1], numbers[2]));
        }
        let numbers = floats::<2>(&object, "(x, y) or (x, y, angle)")?;
        Ok(Place(numbers[0], numbers[1], 0.0))
    }
}

/// `N` numbers out of any sequence.
fn floats<const N: usize>(object: &Borrowed<'_, '_, PyAny>, wanted: &str) -> PyResult<[f64; N]> {
    let wrong = || PyTypeError::new_err(format!("expected {wanted}, got {}", name_of_type(object)));
    let mut numbers = [0.0; N];
    if let Ok(tuple) = object.cast::<PyTuple>() {
        if tuple.len() != N {
            return Err(wrong());
        }
        for (number, item) in numbers.iter_mut().zip(tuple.iter()) {
            *number = item.extract().map_err(|_| wrong())?;
        }
        return Ok(numbers);
    }
    let mut items = object.try_iter().map_err(|_| wrong())?;
    for number in &mut numbers {
        let item = items.next().ok_or_else(wrong)?;
        *number = item?.extract().map_err(|_| wrong())?;
    }
    if items.next().is_some() { Err(wrong()) } else { Ok(numbers) }
}

/// The name of an object's type, for messages.
pub(crate) fn name_of_type(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

/// A point of a world from numbers of 64 bits. Within the region of the origin they are rounded to
/// 32 bits, as Rust's `[f32; 2]` is; farther out the region takes the large part, so that a place
/// 1000 km out is as exact as one nearby. Other numbers become an invalid point, which the world
/// refuses.
pub(crate) fn point(x: f64, y: f64) -> WorldPoint {
    let side = f64::from(REGION_SIZE);
    let (column, row) = ((x / side).round(), (y / side).round());
    let most = f64::from(i32::MAX);
    if !(column.abs() < most && row.abs() < most) {
        return WorldPoint::new(IVec2::ZERO, Vec2::NAN);
    }
    let local = Vec2::new((x - column * side) as f32, (y - row * side) as f32);
    WorldPoint::new(IVec2::new(column as i32, row as i32), local)
}

/// A point of a world as numbers of 64 bits, exactly.
pub(crate) fn coordinates(point: WorldPoint) -> [f64; 2] {
    let side = f64::from(REGION_SIZE);
    [
        f64::from(point.region.x) * side + f64::from(point.local.x),
        f64::from(point.region.y) * side + f64::from(point.local.y),
    ]
}

/// [`coordinates`] as a tuple.
pub(crate) fn xy(point: WorldPoint) -> (f64, f64) {
    let [x, y] = coordinates(point);
    (x, y)
}

/// A vector as a tuple of Python's numbers.
pub(crate) fn tuple(vector: Vec2) -> (f64, f64) {
    (f64::from(vector.x), f64::from(vector.y))
}

/// The rotation by an angle of 64 bits.
pub(crate) fn rotation(angle: f64) -> Rot {
    Rot::from_angle(angle as f32)
}

/// Rows of `N` numbers from anything that NumPy makes an array of; one row may be given alone.
pub(crate) fn rows<const N: usize>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<[f64; N]>> {
    let wrong = |shape: &[usize]| {
        PyValueError::new_err(format!("{what} must be an array of shape (k, {N}), not {shape:?}"))
    };
    let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = object
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{what} must be numbers in an array of shape (k, {N})")))?;
    let shape = array.shape();
    let fits = match *shape {
        [0] => true,
        [count] => count == N,
        [_, columns] => columns == N,
        _ => false,
    };
    if !fits {
        return Err(wrong(shape));
    }
    let mut numbers = array.as_array().into_iter().copied().collect::<Vec<f64>>().into_iter();
    let mut rows = Vec::with_capacity(numbers.len() / N);
    while numbers.len() >= N {
        rows.push(std::array::from_fn(|_| numbers.next().unwrap_or(f64::NAN)));
    }
    Ok(rows)
}

/// [`rows`] as vectors.
pub(crate) fn vectors(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vec2>> {
    Ok(rows::<2>(object, what)?.into_iter().map(|[x, y]| Pair(x, y).vector()).collect())
}

/// [`rows`] as points of a world.
pub(crate) fn points(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<WorldPoint>> {
    Ok(rows::<2>(object, what)?.into_iter().map(|[x, y]| point(x, y)).collect())
}

/// Numbers in a row; a single one stands for `count` equal ones.
pub(crate) fn numbers(object: &Bound<'_, PyAny>, count: usize, what: &str) -> PyResult<Vec<f64>> {
    let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> =
        object.extract().map_err(|_| PyTypeError::new_err(format!("{what} must be numbers")))?;
    let values: Vec<f64> = array.as_array().iter().copied().collect();
    match (array.ndim(), values.len()) {
        (0, 1) => Ok(vec![values[0]; count]),
        (1, length) if length == count => Ok(values),
        _ => Err(PyValueError::new_err(format!(
            "{what} must be one number or {count} of them, not an array of shape {:?}",
            array.shape()
        ))),
    }
}

/// Two lists that must be as long as each other; one of a single row is repeated.
pub(crate) fn matched<A: Copy, B: Copy>(a: Vec<A>, b: Vec<B>, what: &str) -> PyResult<Vec<(A, B)>> {
    match (a.len(), b.len()) {
        (m, n) if m == n => Ok(a.into_iter().zip(b).collect()),
        (1, _) => Ok(b.into_iter().map(|b| (a[0], b)).collect()),
        (_, 1) => Ok(a.into_iter().map(|a| (a, b[0])).collect()),
        (m, n) => Err(PyValueError::new_err(format!("{what}: {m} rows and {n} rows do not match"))),
    }
}

/// The kind of a body by its name.
pub(crate) fn body_kind(name: &str) -> PyResult<BodyKind> {
    match name {
        "fixed" => Ok(BodyKind::Fixed),
        "kinematic" => Ok(BodyKind::Kinematic),
        "dynamic" => Ok(BodyKind::Dynamic),
        _ => Err(PyValueError::new_err(format!("a body is 'fixed', 'kinematic' or 'dynamic', not '{name}'"))),
    }
}

/// The name of a kind.
pub(crate) fn kind_name(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Fixed => "fixed",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Dynamic => "dynamic",
    }
}
