//! carom for Python: the extension module `carom._carom`.
//!
//! In: Python's numbers, sequences and NumPy arrays. Out: worlds, shapes and answers as classes and
//! arrays. The package `carom` in `python/` lists the public names and adds helpers for drawing.
//!
//! ```text
//!   convert, arrays       numbers, points, arrays in and out   errors   carom.Error; panics
//!   shapes/, materials    shapes, surfaces, filters            world/   World and its handles
//!   batch/                many worlds at once                  nav/     ways on tiles and meshes
//!   draw                  pictures
//! ```
//!
//! There is no unsafe code here: arrays are made from vectors that they own, and arrays of others
//! are borrowed by the checks of rust-numpy.

mod arrays;
mod batch;
mod convert;
mod draw;
mod errors;
mod materials;
mod nav;
mod shapes;
mod world;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shapes::{make, pairs};

/// The extension module of the package `carom`.
#[pymodule]
fn _carom(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", py.get_type::<errors::Error>())?;
    module.add("LAYERS", PyTuple::new(py, carom::DrawOptions::LAYERS)?)?;
    module.add("TILES", PyTuple::new(py, make::tile_names())?)?;

    module.add_class::<world::PyWorld>()?;
    module.add_class::<world::PyBody>()?;
    module.add_class::<world::PyCollider>()?;
    module.add_class::<world::PyJoint>()?;
    module.add_class::<world::PyJointState>()?;
    module.add_class::<world::PyEvents>()?;
    module.add_class::<world::PyLive>()?;
    module.add_class::<world::PyRing>()?;
    module.add_class::<world::PyArea>()?;
    module.add_class::<world::PyMover>()?;
    module.add_class::<world::PyMove>()?;
    module.add_class::<batch::PySpec>()?;
    module.add_class::<batch::PyBatch>()?;
    module.add_class::<nav::PyGrid>()?;
    module.add_class::<nav::PyFlow>()?;
    module.add_class::<nav::PyMesh>()?;
    module.add_class::<nav::PyWay>()?;
    module.add_class::<shapes::PyShape>()?;
    module.add_class::<materials::PyMaterial>()?;
    module.add_class::<materials::PyFilter>()?;
    module.add_class::<materials::PyPart>()?;

    module.add_function(wrap_pyfunction!(world::restore, module)?)?;
    module.add_function(wrap_pyfunction!(errors::fail_inside, module)?)?;
    module.add_function(wrap_pyfunction!(make::circle, module)?)?;
    module.add_function(wrap_pyfunction!(make::rect, module)?)?;
    module.add_function(wrap_pyfunction!(make::capsule, module)?)?;
    module.add_function(wrap_pyfunction!(make::segment, module)?)?;
    module.add_function(wrap_pyfunction!(make::polygon, module)?)?;
    module.add_function(wrap_pyfunction!(make::hull, module)?)?;
    module.add_function(wrap_pyfunction!(make::regular, module)?)?;
    module.add_function(wrap_pyfunction!(make::polar, module)?)?;
    module.add_function(wrap_pyfunction!(make::compound, module)?)?;
    module.add_function(wrap_pyfunction!(make::outline, module)?)?;
    module.add_function(wrap_pyfunction!(make::chain, module)?)?;
    module.add_function(wrap_pyfunction!(make::half_plane, module)?)?;
    module.add_function(wrap_pyfunction!(make::tiles, module)?)?;
    module.add_function(wrap_pyfunction!(make::from_mask, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::overlaps, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::contact, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::distance, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::cast, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::ray, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::contains, module)?)?;
    module.add_function(wrap_pyfunction!(pairs::closest_point, module)?)?;
    Ok(())
}
