//! Maps of cells, searches on them, and flow fields.

use std::sync::{Mutex, MutexGuard};

use carom_nav::field::{Flow, Fov, Occupied, Reach};
use carom_nav::grid;
use carom_nav::grid::{Ask, Bad, Cell, Found, Heuristic, Map, Method, Path, Rule, Search, Tiling};
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{cell, cells, rule};
use crate::arrays::{line, table};
use crate::convert::{Pair, matched, vectors};
use crate::errors::{OrRaise, broken, guarded};
use crate::shapes::make::grid as bytes_of;
use crate::world::PyWorld;

/// A map, and the memory of its searches.
#[derive(Default)]
struct Inner {
    map: Option<Map>,
    search: Search,
    path: Path,
    tier: grid::Tier,
}

/// A map of square or hexagonal cells: walls, and costs of entering.
#[pyclass(frozen, name = "Grid", module = "carom.nav")]
pub(crate) struct PyGrid(Mutex<Inner>);

/// Cells as rows of an array.
fn rows_of(cells: impl IntoIterator<Item = Cell>) -> Vec<[i32; 2]> {
    cells.into_iter().map(|cell| cell.to_array()).collect()
}

/// Why a search was refused.
fn refusal(bad: Bad) -> PyErr {
    broken(match bad {
        Bad::Start => "the start is a wall, or not on the map",
        Bad::Goal => "the goal is a wall, or not on the map",
        Bad::Size => "the map does not keep this size of units: see keep_size",
        Bad::Scale => "lengths of steps must be above 0, and a diagonal at most two straight ones",
        Bad::Method(why) => return broken(why.to_string()),
        _ => "a layer must have as many cells as the map",
    })
}

/// How to search.
#[derive(Clone, Copy)]
struct Manner {
    rule: Rule,
    method: Method,
    heuristic: Heuristic,
    size: u8,
    turn: u8,
    /// Whether to search by two tiers.
    tiers: bool,
}

impl Manner {
    fn new(name: &str, method: &str, heuristic: &str, size: u8, turn: u8) -> PyResult<Manner> {
        let (method, tiers) = match method {
            "auto" => (Method::Auto, false),
            "astar" => (Method::AStar, false),
            "jump" => (Method::Jump, false),
            "dijkstra" => (Method::Dijkstra, false),
            "greedy" => (Method::Greedy, false),
            "breadth" => (Method::Breadth, false),
            "depth" => (Method::Depth, false),
            "tiers" => (Method::Auto, true),
            _ => return Err(PyValueError::new_err(format!("there is no method '{method}'"))),
        };
        let heuristic = match heuristic {
            "octile" => Heuristic::Octile,
            "manhattan" => Heuristic::Manhattan,
            "chebyshev" => Heuristic::Chebyshev,
            "euclid" => Heuristic::Euclid,
            "zero" => Heuristic::Zero,
            _ => return Err(PyValueError::new_err(format!("there is no heuristic '{heuristic}'"))),
        };
        Ok(Manner { rule: rule(name)?, method, heuristic, size, turn, tiers })
    }

    fn ask(self, start: Cell, goal: Cell) -> Ask {
        let ask = Ask::new(start, goal).rule(self.rule).method(self.method);
        ask.heuristic(self.heuristic).size(self.size).turn(self.turn)
    }
}

impl Inner {
    /// Finds a way into `path`; its length in straight steps, or `None`.
    fn find(&mut self, manner: Manner, start: Cell, goal: Cell) -> PyResult<Option<f64>> {
        let Inner { map, search, path, tier } = self;
        let map = map.as_ref().ok_or_else(|| broken("the map is gone"))?;
        let ask = manner.ask(start, goal);
        let found = match manner.tiers {
            true => tier.path(map, search, ask, path),
            false => search.path(map, ask, path),
        };
        match found {
            Found::Way { .. } => Ok(found.cells()),
            Found::None => Ok(None),
            Found::TooFar => Err(broken("the way is longer than lengths can be")),
            Found::Bad(bad) => Err(refusal(bad)),
        }
    }
}

impl PyGrid {
    fn of(map: Map) -> PyGrid {
        PyGrid(Mutex::new(Inner { map: Some(map), ..Inner::default() }))
    }

    fn locked(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.0.lock().map_err(|_| broken("this grid failed inside in an earlier call"))
    }

    /// Computes without the GIL.
    fn heavy<R: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Inner) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        py.detach(|| guarded(|| job(&mut *self.locked()?)))
    }

    fn on_map<R: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Map) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        self.heavy(py, |inner| job(inner.map.as_mut().ok_or_else(|| broken("the map is gone"))?))
    }

    fn picture<'py, T: Element + Send>(
        &self,
        py: Python<'py>,
        value: impl Fn(&Map, Cell) -> T + Send + Sync,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        let array = self.on_map(py, |map| {
            let (width, height) = (map.width(), map.height());
            let all = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
            let values: Vec<T> = all.map(|at| value(map, at)).collect();
            Array2::from_shape_vec((height as usize, width as usize), values).or_raise()
        })?;
        Ok(array.into_pyarray(py))
    }
}

#[pymethods]
impl PyGrid {
    /// A map from an array of shape (height, width): 0 or false is free, all else a wall.
    #[new]
    #[pyo3(signature = (walls, *, costs = None, top_first = false))]
    fn new(walls: &Bound<'_, PyAny>, costs: Option<&Bound<'_, PyAny>>, top_first: bool) -> PyResult<PyGrid> {
        let (walls, [height, width]) = bytes_of(walls, "walls")?;
        let place = |at: Cell| {
            let row = if top_first { height - 1 - at.y as usize } else { at.y as usize };
            row * width + at.x as usize
        };
        let costs = costs.map(|costs| bytes_of(costs, "costs")).transpose()?;
        if costs.as_ref().is_some_and(|(_, size)| *size != [height, width]) {
            return Err(PyValueError::new_err("costs must have the shape of walls"));
        }
        guarded(|| {
            let mut map = Map::from_fn(width, height, |at| walls[place(at)] != 0).or_raise()?;
            if let Some((costs, _)) = &costs {
                for y in 0..height as i32 {
                    for x in 0..width as i32 {
                        let cost = costs[place(Cell::new(x, y))];
                        if cost == 0 {
                            return Err(broken("a cost is 1 to 255"));
                        }
                        map.set_cost([x, y], cost);
                    }
                }
            }
            Ok(PyGrid::of(map))
        })
    }

    /// A map from text: '.' is free, '#' a wall; the first line is the top row.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<PyGrid> {
        guarded(|| Map::parse(text).map(PyGrid::of).or_raise())
    }

    /// A map of a world: cells that any of its shapes overlaps are walls. The map has `width` times
    /// `height` cells of side `cell` from the lower left `corner` on.
    #[staticmethod]
    fn raster(
        py: Python<'_>,
        world: &Bound<'_, PyWorld>,
        corner: Pair,
        cell: f64,
        width: usize,
        height: usize,
    ) -> PyResult<PyGrid> {
        let tiling = Tiling { corner: corner.point(), cell: cell as f32, size: [width, height] };
        world.get().heavy(py, |inner| {
            let kinds = [carom::BodyKind::Fixed, carom::BodyKind::Kinematic];
            let filter = carom::QueryFilter::default().kinds(&kinds);
            Map::raster(&inner.world, &tiling, &filter).map(PyGrid::of).or_raise()
        })
    }

    /// Height and width, as of an array.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        self.on_map(py, |map| Ok((map.height(), map.width())))
    }

    /// Walls as an array of truths.
    #[getter]
    fn walls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        self.picture(py, |map, at| !map.is_free(at))
    }

    /// Costs of entering, 0 for walls.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        self.picture(py, |map, at| if map.is_free(at) { map.cost(at) } else { 0 })
    }

    /// Makes cells walls, or free; returns how many changed.
    #[pyo3(signature = (cells, wall = true))]
    fn set_walls(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, wall: bool) -> PyResult<usize> {
        let cells = self::cells(cells, "cells")?;
        self.on_map(py, |map| Ok(cells.into_iter().filter(|&at| map.set_wall(at, wall)).count()))
    }

    /// Sets the cost of entering cells, 1 to 255; returns how many changed.
    fn set_costs(&self, py: Python<'_>, cells: &Bound<'_, PyAny>, cost: u8) -> PyResult<usize> {
        let cells = self::cells(cells, "cells")?;
        if cost == 0 {
            return Err(broken("a cost is 1 to 255"));
        }
        self.on_map(py, |map| Ok(cells.into_iter().filter(|&at| map.set_cost(at, cost)).count()))
    }

    /// Keeps the map for units of `size` by `size` cells, too, so that searches may name the size.
    fn keep_size(&self, py: Python<'_>, size: u8) -> PyResult<()> {
        self.on_map(py, |map| map.keep_size(size).or_raise())
    }

    /// The cells of a shortest way, shape (k, 2), or `None` where there is none.
    #[pyo3(signature = (
        start, goal, *, rule = "eight", method = "auto", heuristic = "octile", size = 1, turn = 0
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        rule: &str,
        method: &str,
        heuristic: &str,
        size: u8,
        turn: u8,
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let manner = Manner::new(rule, method, heuristic, size, turn)?;
        let (start, goal) = (cell(start, "start")?, cell(goal, "goal")?);
        let way = self.heavy(py, |inner| {
            let found = inner.find(manner, start, goal)?;
            Ok(found.map(|_| rows_of(inner.path.cells())))
        })?;
        way.map(|way| table(py, way)).transpose()
    }

    /// Many ways: their cells one after the other, where each begins in that list, and their
    /// lengths in straight steps, infinite where there is no way.
    #[pyo3(signature = (
        starts, goals, *, rule = "eight", method = "auto", heuristic = "octile", size = 1, turn = 0
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    #[expect(clippy::type_complexity, reason = "three arrays")]
    fn paths<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        rule: &str,
        method: &str,
        heuristic: &str,
        size: u8,
        turn: u8,
    ) -> PyResult<(Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>)> {
        let manner = Manner::new(rule, method, heuristic, size, turn)?;
        let pairs = matched(cells(starts, "starts")?, cells(goals, "goals")?, "starts and goals")?;
        let (all, begins, lengths) = self.heavy(py, |inner| {
            let (mut all, mut begins, mut lengths) = (Vec::new(), vec![0], Vec::new());
            for (start, goal) in pairs {
                let found = inner.find(manner, start, goal)?;
                if found.is_some() {
                    all.extend(rows_of(inner.path.cells()));
                }
                begins.push(all.len() as i64);
                lengths.push(found.unwrap_or(f64::INFINITY));
            }
            Ok((all, begins, lengths))
        })?;
        Ok((table(py, all)?, line(py, begins), line(py, lengths)))
    }

    /// The corners of the way, pulled taut: any-angle moves between cells that see each other.
    #[pyo3(signature = (start, goal, *, rule = "eight"))]
    fn taut_path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
        goal: &Bound<'py, PyAny>,
        rule: &str,
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let manner = Manner::new(rule, "auto", "octile", 1, 0)?;
        let (start, goal) = (cell(start, "start")?, cell(goal, "goal")?);
        let way = self.heavy(py, |inner| {
            if inner.find(manner, start, goal)?.is_none() {
                return Ok(None);
            }
            let mut corners = Vec::new();
            if let Some(map) = &inner.map {
                map.taut(manner.rule, &inner.path, &mut corners);
            }
            Ok(Some(rows_of(corners)))
        })?;
        way.map(|way| table(py, way)).transpose()
    }

    /// Whether there is a way between cells, without a search: one truth a pair.
    #[pyo3(signature = (starts, goals))]
    fn connected<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let pairs = matched(cells(starts, "starts")?, cells(goals, "goals")?, "starts and goals")?;
        let truths =
            self.on_map(py, |map| Ok(pairs.into_iter().map(|(a, b)| map.connected(a, b)).collect()))?;
        Ok(line(py, truths))
    }

    /// The reachable cell nearest to a goal, or `None`.
    #[pyo3(signature = (start, goal, *, rule = "eight"))]
    fn nearest_reachable(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        rule: &str,
    ) -> PyResult<Option<(i32, i32)>> {
        let (rule, from, to) = (super::rule(rule)?, cell(start, "start")?, cell(goal, "goal")?);
        self.on_map(py, |map| Ok(map.nearest_reachable(rule, from, to).map(|cell| (cell.x, cell.y))))
    }

    /// The cells in sight from a cell within a radius: truths of the shape of the map.
    fn field_of_view<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        radius: u32,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let from = cell(origin, "origin")?;
        let array = self.on_map(py, |map| {
            let mut seen = Vec::new();
            if map.contains(from) {
                Fov::default().see(map, from, radius.min(1 << 16), &mut seen);
            }
            let mut array = Array2::from_elem((map.height() as usize, map.width() as usize), false);
            for cell in seen {
                array[[cell.y as usize, cell.x as usize]] = true;
            }
            Ok(array)
        })?;
        Ok(array.into_pyarray(py))
    }

    /// How many points are left of `points` after going to each cell, -1 where they do not suffice.
    #[pyo3(signature = (origin, points, *, rule = "eight"))]
    fn reach<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        points: u32,
        rule: &str,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let (rule, from) = (super::rule(rule)?, cell(origin, "origin")?);
        let array = self.on_map(py, |map| {
            let mut reach = Reach::default().rule(rule);
            reach.fill(map, from, points, &Occupied::default());
            let mut array = Array2::from_elem((map.height() as usize, map.width() as usize), -1_i64);
            for cell in reach.cells() {
                let left = reach.left(*cell).map_or(-1, i64::from);
                array[[cell.y as usize, cell.x as usize]] = left;
            }
            Ok(array)
        })?;
        Ok(array.into_pyarray(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (height, width) = self.shape(py)?;
        Ok(format!("<carom.nav.Grid: {width} by {height}>"))
    }
}

/// A flow field: from every cell the direction to the nearest of some goals, and its length.
#[pyclass(frozen, name = "Flow", module = "carom.nav")]
pub(crate) struct PyFlow {
    grid: Py<PyGrid>,
    flow: Mutex<Flow>,
}

impl PyFlow {
    /// Works on the field and its map, without the GIL.
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Flow, &Map) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        self.grid.get().on_map(py, |map| {
            let mut flow = self.flow.lock().map_err(|_| broken("this field failed inside"))?;
            flow.update(map);
            flow.fill(map);
            job(&mut flow, map)
        })
    }

    fn picture<'py, T: Element + Send>(
        &self,
        py: Python<'py>,
        value: impl Fn(&Flow, &Map, Cell) -> T + Send + Sync,
    ) -> PyResult<Bound<'py, PyArray2<T>>> {
        let array = self.with(py, |flow, map| {
            let (width, height) = (map.width(), map.height());
            let all = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
            let values: Vec<T> = all.map(|at| value(flow, map, at)).collect();
            Array2::from_shape_vec((height as usize, width as usize), values).or_raise()
        })?;
        Ok(array.into_pyarray(py))
    }
}

/// The field follows changes of its map: each call first repairs the changed part.
#[pymethods]
impl PyFlow {
    #[new]
    #[pyo3(signature = (grid, goals, *, rule = "eight"))]
    fn new(grid: Py<PyGrid>, goals: &Bound<'_, PyAny>, rule: &str) -> PyResult<PyFlow> {
        let goals = cells(goals, "goals")?;
        let flow = Flow::to(&goals).rule(super::rule(rule)?);
        Ok(PyFlow { grid, flow: Mutex::new(flow) })
    }

    /// Lengths in straight steps to the nearest goal, infinite where there is no way.
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.picture(py, |flow, _, at| flow.distance(at).map_or(f64::INFINITY, |length| length.cells()))
    }

    /// Directions to step in: 0 is east, 2 north, counter-clockwise to 7; -1 at goals and where
    /// there is no way.
    #[getter]
    fn directions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        self.picture(py, |flow, map, at| {
            flow.direction(map, at).and_then(|way| i8::try_from(way).ok()).unwrap_or(-1)
        })
    }

    /// Unit vectors to walk along, for places in cells: shape (k, 2).
    fn headings<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let places = vectors(positions, "positions")?;
        let headings = self
            .with(py, |flow, map| Ok(places.iter().map(|&at| flow.heading(map, at).to_array()).collect()))?;
        table(py, headings)
    }

    /// The cells from a start to the nearest goal, or `None`.
    fn path<'py>(
        &self,
        py: Python<'py>,
        start: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let start = cell(start, "start")?;
        let way = self.with(py, |flow, map| {
            let mut out = Vec::new();
            Ok(flow.way(map, start, &mut out).then(|| rows_of(out)))
        })?;
        way.map(|way| table(py, way)).transpose()
    }
}
