//! Navigation on arrays: grids, flow fields, meshes.
//!
//! In: arrays of walls, costs, places. Out: ways as arrays of cells or points, fields as arrays of
//! the shape of the map. Cells are `(x, y)` with `[0, 0]` at the lower left; arrays of a map have
//! shape `(height, width)`, so that the cell (x, y) is `array[y, x]`.

mod grid;
mod mesh;

pub(crate) use grid::{PyFlow, PyGrid};
pub(crate) use mesh::{PyMesh, PyWay};

use carom_nav::grid::{Cell, Corners, Rule};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::rows;

/// A rule of steps by its name.
fn rule(name: &str) -> PyResult<Rule> {
    match name {
        "four" => Ok(Rule::Four),
        "eight" => Ok(Rule::Eight(Corners::Never)),
        "eight_one_free" => Ok(Rule::Eight(Corners::OneFree)),
        "eight_always" => Ok(Rule::Eight(Corners::Always)),
        "six" => Ok(Rule::Six),
        _ => Err(PyValueError::new_err(format!(
            "a rule is 'four', 'eight', 'eight_one_free', 'eight_always' or 'six', not '{name}'"
        ))),
    }
}

/// A column or row as the library takes it; any other number becomes one outside of every map.
fn axis(number: f64) -> i32 {
    let inside = number.fract() == 0.0 && (-1.0e9..=1.0e9).contains(&number);
    if inside { number as i32 } else { i32::MIN / 2 }
}

/// Cells from an array of shape (k, 2), or from one cell.
fn cells(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Cell>> {
    Ok(rows::<2>(object, what)?.into_iter().map(|[x, y]| Cell::new(axis(x), axis(y))).collect())
}

/// One cell.
fn cell(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Cell> {
    match cells(object, what)?.as_slice() {
        [cell] => Ok(*cell),
        _ => Err(PyValueError::new_err(format!("{what} must be one cell (x, y)"))),
    }
}
