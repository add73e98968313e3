//! Queries in bulk: arrays in, structured arrays out, without the GIL.
//!
//! In: arrays of origins, places, boxes, and keywords that filter the shapes. Out: a row for each
//! query, or, where a query has any number of answers, rows in the order of the queries that each
//! say which it answers. A row without an answer has `body` 0, `hit` false and NaN for numbers.

use bytemuck::Zeroable;
use carom::{
    Aabb, Answers, BodyId, BodyKind, CastAnswer, NearestAnswer, OverlapAnswer, PlacedShape, QueryFilter,
    RayAnswer, ShapeCast, WorldPoint, WorldRay, broadphase::WorldAabb,
};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Inner, Key, PyWorld, handles};
use crate::arrays::{line, row, structured};
use crate::convert::{body_kind, coordinates, matched, numbers, points, rotation, rows, vectors};
use crate::shapes::PyShape;

row! {
    /// An answer to a ray.
    RayRow {
        body: u64 = "u8",
        shape: u64 = "u8",
        point: [f64; 2] = "2f8",
        normal: [f32; 2] = "2f4",
        fraction: f32 = "f4",
        part: u32 = "u4",
        query: u32 = "u4",
        hit: u8 = "?",
        _gap: [u8; 3] = "3u1",
    }
}

row! {
    /// An answer to a cast.
    CastRow {
        body: u64 = "u8",
        shape: u64 = "u8",
        point: [f64; 2] = "2f8",
        normal: [f32; 2] = "2f4",
        time: f32 = "f4",
        part: u32 = "u4",
        own_part: u32 = "u4",
        hit: u8 = "?",
        _gap: [u8; 3] = "3u1",
    }
}

row! {
    /// An answer to an overlap.
    OverlapRow {
        body: u64 = "u8",
        shape: u64 = "u8",
        part: u32 = "u4",
        query: u32 = "u4",
    }
}

row! {
    /// An answer to a search for the nearest.
    NearestRow {
        body: u64 = "u8",
        shape: u64 = "u8",
        point: [f64; 2] = "2f8",
        normal: [f32; 2] = "2f4",
        distance: f32 = "f4",
        part: u32 = "u4",
        query: u32 = "u4",
        hit: u8 = "?",
        _gap: [u8; 3] = "3u1",
    }
}

fn ray_row(query: usize, answer: Option<&RayAnswer>) -> RayRow {
    match answer {
        None => RayRow {
            query: query as u32,
            fraction: f32::NAN,
            point: [f64::NAN; 2],
            normal: [f32::NAN; 2],
            ..RayRow::zeroed()
        },
        Some(answer) => RayRow {
            body: answer.body.to_bits(),
            shape: answer.shape.to_bits(),
            point: coordinates(answer.point),
            normal: answer.normal.to_array(),
            fraction: answer.fraction,
            part: answer.part,
            query: query as u32,
            hit: 1,
            _gap: [0; 3],
        },
    }
}

fn cast_row(answer: Option<&CastAnswer>) -> CastRow {
    match answer {
        None => CastRow { time: f32::NAN, point: [f64::NAN; 2], normal: [f32::NAN; 2], ..CastRow::zeroed() },
        Some(answer) => CastRow {
            body: answer.body.to_bits(),
            shape: answer.shape.to_bits(),
            point: coordinates(answer.point),
            normal: answer.normal.to_array(),
            time: answer.time,
            part: answer.part,
            own_part: answer.own_part,
            hit: 1,
            _gap: [0; 3],
        },
    }
}

fn nearest_row(query: usize, answer: Option<&NearestAnswer>) -> NearestRow {
    match answer {
        None => NearestRow {
            query: query as u32,
            distance: f32::NAN,
            point: [f64::NAN; 2],
            normal: [f32::NAN; 2],
            ..NearestRow::zeroed()
        },
        Some(answer) => NearestRow {
            body: answer.body.to_bits(),
            shape: answer.shape.to_bits(),
            point: coordinates(answer.point),
            normal: answer.normal.to_array(),
            distance: answer.distance,
            part: answer.part,
            query: query as u32,
            hit: 1,
            _gap: [0; 3],
        },
    }
}

/// The lists of answers as rows that each say which query they answer.
fn flattened<T, R>(answers: &Answers<T>, row: impl Fn(usize, &T) -> R) -> Vec<R> {
    let lists = answers.iter().enumerate();
    lists
        .flat_map(|(query, list)| list.iter().map(move |answer| (query, answer)))
        .map(|(query, answer)| row(query, answer))
        .collect()
}

fn overlap_row(query: usize, answer: &OverlapAnswer) -> OverlapRow {
    OverlapRow {
        body: answer.body.to_bits(),
        shape: answer.shape.to_bits(),
        part: answer.part,
        query: query as u32,
    }
}

/// The filter of a query, by its keywords.
#[derive(Default)]
pub(super) struct Among {
    category: Option<u64>,
    mask: Option<u64>,
    sensors: bool,
    kinds: Option<Vec<BodyKind>>,
    hollow: bool,
    without: Vec<Key>,
}

impl Among {
    pub(super) fn new(given: Option<&Bound<'_, PyDict>>) -> PyResult<Among> {
        let mut among = Among::default();
        for (key, value) in given.into_iter().flatten() {
            let key: String = key.extract()?;
            match key.as_str() {
                _ if value.is_none() => {}
                "category" => among.category = Some(value.extract()?),
                "mask" => among.mask = Some(value.extract()?),
                "sensors" => among.sensors = value.extract()?,
                "hollow" => among.hollow = value.extract()?,
                "kinds" => {
                    let names: Vec<String> = match value.extract::<String>() {
                        Ok(name) => vec![name],
                        Err(_) => value.extract()?,
                    };
                    among.kinds = Some(names.iter().map(|name| body_kind(name)).collect::<PyResult<_>>()?);
                }
                "without" => among.without = handles::keys(&value)?,
                _ => return Err(PyTypeError::new_err(format!("a query has no option '{key}'"))),
            }
        }
        Ok(among)
    }

    /// Runs `job` with the filter.
    pub(super) fn filtered<R>(
        &self,
        inner: &mut Inner,
        job: impl FnOnce(&mut Inner, &QueryFilter) -> R,
    ) -> PyResult<R> {
        let without: Vec<BodyId> = inner.bodies(&self.without)?;
        let mut filter = QueryFilter { sensors: self.sensors, hollow: self.hollow, ..QueryFilter::default() };
        filter.category = self.category.unwrap_or(filter.category);
        filter.mask = self.mask.unwrap_or(filter.mask);
        filter.without_all = &without;
        if let Some(kinds) = &self.kinds {
            filter = filter.kinds(kinds);
        }
        Ok(job(inner, &filter))
    }
}

/// Origins and translations as rays; one of either stands for all of the other.
fn rays(origins: &Bound<'_, PyAny>, translations: &Bound<'_, PyAny>) -> PyResult<Vec<WorldRay>> {
    let origins = points(origins, "origins")?;
    let translations = vectors(translations, "translations")?;
    let pairs = matched(origins, translations, "origins and translations")?;
    Ok(pairs.into_iter().map(|(from, translation)| WorldRay { from, translation }).collect())
}

/// One shape for all rows, or a shape for each.
fn shapes(object: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<carom::Shape>> {
    if let Ok(shape) = object.cast::<PyShape>() {
        return Ok(vec![shape.get().0.clone()]);
    }
    let shapes: Vec<Bound<'_, PyShape>> = object
        .try_iter()
        .and_then(|items| items.map(|item| Ok(item?.cast_into::<PyShape>()?)).collect())
        .map_err(|_| PyTypeError::new_err("expected a shape, or a list of shapes"))?;
    if shapes.len() != count {
        let text = format!("{} shapes for {count} places", shapes.len());
        return Err(PyValueError::new_err(text));
    }
    Ok(shapes.iter().map(|shape| shape.get().0.clone()).collect())
}

fn of<T>(list: &[T], k: usize) -> &T {
    &list[k.min(list.len() - 1)]
}

#[pymethods]
impl PyWorld {
    /// The first shape on each ray.
    #[pyo3(signature = (origins, translations, **among))]
    fn rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        translations: &Bound<'py, PyAny>,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rays, among) = (rays(origins, translations)?, Among::new(among)?);
        let rows = self.heavy(py, |inner| {
            let mut out = Vec::new();
            among.filtered(inner, |inner, filter| inner.world.rays(&rays, filter, &mut out))?;
            Ok(out.iter().enumerate().map(|(query, answer)| ray_row(query, answer.as_ref())).collect())
        })?;
        structured(py, rows)
    }

    /// All shapes on each ray, from the origin outward.
    #[pyo3(signature = (origins, translations, **among))]
    fn rays_all<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        translations: &Bound<'py, PyAny>,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rays, among) = (rays(origins, translations)?, Among::new(among)?);
        let rows = self.heavy(py, |inner| {
            let mut out = Answers::default();
            among.filtered(inner, |inner, filter| inner.world.rays_all(&rays, filter, &mut out))?;
            Ok(flattened(&out, |query, answer| ray_row(query, Some(answer))))
        })?;
        structured(py, rows)
    }

    /// Whether anything is on each ray.
    #[pyo3(signature = (origins, translations, **among))]
    fn rays_any<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        translations: &Bound<'py, PyAny>,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (rays, among) = (rays(origins, translations)?, Among::new(among)?);
        let blocked = self.heavy(py, |inner| {
            let mut out = Vec::new();
            among.filtered(inner, |inner, filter| inner.world.rays_any(&rays, filter, &mut out))?;
            Ok(out)
        })?;
        Ok(line(py, blocked))
    }

    /// The first touch of each moving shape; one shape for all casts, or a list.
    #[pyo3(signature = (
        shape, origins, translations, *, angles = None, turns = None, distance = 0.0, **among
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn casts<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        origins: &Bound<'py, PyAny>,
        translations: &Bound<'py, PyAny>,
        angles: Option<&Bound<'py, PyAny>>,
        turns: Option<&Bound<'py, PyAny>>,
        distance: f64,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (ways, among) = (rays(origins, translations)?, Among::new(among)?);
        let shapes = shapes(shape, ways.len())?;
        let angles = angles.map(|list| numbers(list, ways.len(), "angles")).transpose()?;
        let turns = turns.map(|list| numbers(list, ways.len(), "turns")).transpose()?;
        let rows = self.heavy(py, |inner| {
            let casts: Vec<ShapeCast> = ways
                .iter()
                .enumerate()
                .map(|(k, way)| {
                    let angle = angles.as_ref().map_or(0.0, |angles| angles[k]);
                    let turn = turns.as_ref().map_or(0.0, |turns| turns[k]);
                    let cast = ShapeCast::new(of(&shapes, k), way.from, way.translation);
                    let cast = cast.turning(turn as f32).stopping_at(distance as f32);
                    if angle == 0.0 { cast } else { cast.angle(angle as f32) }
                })
                .collect();
            let mut out = Vec::new();
            among.filtered(inner, |inner, filter| inner.world.casts(&casts, filter, &mut out))?;
            Ok(out.iter().map(|answer| cast_row(answer.as_ref())).collect())
        })?;
        structured(py, rows)
    }

    /// The overlaps of shapes at places; one shape for all places, or a list.
    #[pyo3(signature = (shape, positions, *, angles = None, **among))]
    fn overlap_shapes<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        positions: &Bound<'py, PyAny>,
        angles: Option<&Bound<'py, PyAny>>,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (places, among) = (points(positions, "positions")?, Among::new(among)?);
        let shapes = shapes(shape, places.len())?;
        let angles = angles.map(|list| numbers(list, places.len(), "angles")).transpose()?;
        let rows = self.heavy(py, |inner| {
            let placed: Vec<PlacedShape> = places
                .iter()
                .enumerate()
                .map(|(k, &position)| {
                    let rotation = rotation(angles.as_ref().map_or(0.0, |angles| angles[k]));
                    PlacedShape { shape: of(&shapes, k), position, rotation }
                })
                .collect();
            let mut out = Answers::default();
            among.filtered(inner, |inner, filter| inner.world.overlap_shapes(&placed, filter, &mut out))?;
            Ok(flattened(&out, overlap_row))
        })?;
        structured(py, rows)
    }

    /// The shapes at points.
    #[pyo3(signature = (points, **among))]
    fn overlap_points<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (places, among) = (crate::convert::points(points, "points")?, Among::new(among)?);
        let rows = self.heavy(py, |inner| {
            let mut out = Answers::default();
            among.filtered(inner, |inner, filter| inner.world.overlap_points(&places, filter, &mut out))?;
            Ok(flattened(&out, overlap_row))
        })?;
        structured(py, rows)
    }

    /// The shapes that overlap boxes, each of four numbers: the lower left corner and the upper
    /// right.
    #[pyo3(signature = (boxes, **among))]
    fn overlap_boxes<'py>(
        &self,
        py: Python<'py>,
        boxes: &Bound<'py, PyAny>,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (corners, among) = (rows::<4>(boxes, "boxes")?, Among::new(among)?);
        let boxes: Vec<WorldAabb> = corners
            .iter()
            .map(|&[left, low, right, high]| {
                let corner = crate::convert::point(left, low);
                let size = [(right - left) as f32, (high - low) as f32];
                let from = corner.local;
                WorldAabb {
                    region: corner.region,
                    aabb: Aabb { min: from, max: from + carom::Vec2::from(size) },
                }
            })
            .collect();
        let rows = self.heavy(py, |inner| {
            let mut out = Answers::default();
            among.filtered(inner, |inner, filter| inner.world.overlap_aabbs(&boxes, filter, &mut out))?;
            Ok(flattened(&out, overlap_row))
        })?;
        structured(py, rows)
    }

    /// The nearest shape to each point, within `max_distance`; with `count`, the nearest few.
    #[pyo3(signature = (points, max_distance, count = None, **among))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        max_distance: f64,
        count: Option<usize>,
        among: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (places, among): (Vec<WorldPoint>, _) =
            (crate::convert::points(points, "points")?, Among::new(among)?);
        let reach = max_distance as f32;
        let rows = self.heavy(py, |inner| match count {
            None => {
                let mut out = Vec::new();
                among.filtered(inner, |inner, filter| {
                    inner.world.nearest_to_points(&places, reach, filter, &mut out);
                })?;
                Ok(out.iter().enumerate().map(|(k, answer)| nearest_row(k, answer.as_ref())).collect())
            }
            Some(count) => {
                let mut out = Answers::default();
                among.filtered(inner, |inner, filter| {
                    inner.world.nearest_few_to_points(&places, reach, count, filter, &mut out);
                })?;
                Ok(flattened(&out, |query, answer| nearest_row(query, Some(answer))))
            }
        })?;
        structured(py, rows)
    }
}
