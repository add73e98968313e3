//! Areas of other costs: swamps, roads.
//!
//! In: outlines with factors, and the shortest way. Out: the cheapest way, and its cost.
//!
//! Areas are no walls, and not part of the mesh's triangles: passages keep their widths.
//!
//! ```text
//!   cost.rs     the cost of a straight piece, by the outlines
//!   layer.rs    a copy of the triangulation that has the areas' borders as edges
//!   search.rs   a coarse way over places on these edges (A*)
//!   refine.rs   exact ways between the places where the coarse way changes land; these places then
//!               move along the borders until the whole way is cheapest (Snell's law)
//! ```
//!
//! The cheapest way over areas does not turn at corners alone: where it enters an area it bends as
//! light does, and no finite method finds it exactly (De Carufel, Grimm, Maheshwari, Owen and Smid
//! 2014, "A note on the unsolvability of the weighted region shortest path problem"). So the search
//! finds the sequence of borders of a way, using places spread over the edges (Lanthier, Maheshwari
//! and Sack 2001), and refinement then makes the way exact. Of two sequences with nearly equal
//! costs the search may choose the dearer one.

mod cost;
mod layer;
mod refine;
mod search;

use glam::Vec2;

use super::feet::Area;
use super::fixed::Point;
use super::{BORDER, Mesh, MeshError, clip};
use crate::state::{LoadError, Reader, Sink, id_bits};

use cost::Cuts;
use layer::Layer;
use refine::Refine;
use search::Search;

/// The least and the greatest factor.
const FACTORS: core::ops::RangeInclusive<f32> = 0.05..=100.0;

/// An area of another cost in a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaId {
    index: u32,
    generation: u32,
}

id_bits!(AreaId);

/// An area; it is unused if it has no corners.
#[derive(Clone, Debug)]
struct Row {
    generation: u32,
    factor: f32,
    points: Vec<Point>,
    bounds: Area,
}

/// All areas of a mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Areas {
    rows: Vec<Row>,
    unused: Vec<u32>,
    /// Areas in use; the last added area comes first, and lies on top.
    order: Vec<u32>,
    /// Grows with each change.
    pub(super) clock: u64,
}

/// Memory that searches for cheapest ways keep from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Pricing {
    cuts: Cuts,
    layer: Layer,
    search: Search,
    refine: Refine,
}

impl Areas {
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The least cost of a metre anywhere.
    pub(super) fn least_factor(&self) -> f64 {
        let factors = self.order.iter().map(|&at| f64::from(self.rows[at as usize].factor));
        factors.fold(1.0, |least, factor| if factor < least { factor } else { least })
    }

    fn row(&self, id: AreaId) -> Option<&Row> {
        let row = self.rows.get(id.index as usize)?;
        (row.generation == id.generation && !row.points.is_empty()).then_some(row)
    }

    fn row_mut(&mut self, id: AreaId) -> Option<&mut Row> {
        let row = self.rows.get_mut(id.index as usize)?;
        (row.generation == id.generation && !row.points.is_empty()).then_some(row)
    }

    pub(super) fn encode(&self, to: &mut impl Sink) {
        to.long(self.clock);
        to.list(self.rows.iter(), |to, row| {
            to.word(row.generation);
            to.word(row.factor.to_bits());
            to.list(row.points.iter(), |to, point| {
                to.word(point.x as u32);
                to.word(point.y as u32);
            });
        });
        for list in [&self.unused, &self.order] {
            to.list(list.iter(), |to, &at| to.word(at));
        }
    }

    /// Reads areas of a mesh with this half side.
    pub(super) fn decode(from: &mut Reader, half: i32) -> Result<Areas, LoadError> {
        const BROKEN: LoadError = LoadError::Broken("an area's numbers are good ones");
        let clock = from.counter()?;
        let rows = from.list(3, |from| {
            let (generation, factor) = (from.word()?, f32::from_bits(from.word()?));
            let points = from.list(2, |from| Ok(Point::new(from.word()? as i32, from.word()? as i32)))?;
            let most = half + BORDER / 2;
            let is_in = |p: &Point| (-most..=most).contains(&p.x) && (-most..=most).contains(&p.y);
            let is_good = points.is_empty() || points.len() >= 3;
            if !(is_good && points.iter().all(is_in) && FACTORS.contains(&factor)) {
                return Err(BROKEN);
            }
            let bounds = bounds(&points);
            Ok(Row { generation, factor, points, bounds })
        })?;
        let (unused, order) = (from.list(1, Reader::word)?, from.list(1, Reader::word)?);
        let mut is_taken = vec![false; rows.len()];
        for (list, is_empty) in [(&unused, true), (&order, false)] {
            for &at in list {
                let taken = is_taken.get_mut(at as usize).ok_or(BROKEN)?;
                if core::mem::replace(taken, true) || rows[at as usize].points.is_empty() != is_empty {
                    return Err(BROKEN);
                }
            }
        }
        if is_taken.contains(&false) {
            return Err(BROKEN);
        }
        Ok(Areas { rows, unused, order, clock })
    }
}

fn bounds(points: &[Point]) -> Area {
    let mut bounds = Area::EMPTY;
    points.iter().for_each(|&point| bounds.add(point));
    bounds
}

impl Mesh {
    /// Adds an area with another cost factor than 1, from 0.05 to 100: above 1 for a swamp, below 1
    /// for a road. [`Mesh::way`] then finds the cheapest way, and [`Way::cost`] is its cost. Where
    /// areas overlap, the last added area counts.
    ///
    /// ```
    /// use carom_nav::Vec2;
    /// use carom_nav::mesh::{Mesh, MeshDef, Way};
    ///
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
    /// let mut way = Way::default();
    /// let swamp = mesh.add_area(&[[-5.0, -4.0], [5.0, -4.0], [5.0, 4.0], [-5.0, 4.0]].map(Vec2::from), 5.0)?;
    /// mesh.way([-9.0, 1.0], [9.0, 1.0], 0.3, &mut way)?; // about two of its corners
    /// assert!(way.bends().len() == 2 && (way.cost() - 20.0).abs() < 0.01);
    /// mesh.set_area_factor(swamp, 1.1)?; // straight through
    /// mesh.way([-9.0, 1.0], [9.0, 1.0], 0.3, &mut way)?;
    /// assert!(way.bends().is_empty() && (way.cost() - 19.0).abs() < 0.01);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// The position of the disc's middle counts; areas are no walls. An outline that crosses itself
    /// contains every place that it winds around. On a border, and within a unit or two (15
    /// micrometres) of it, the cheaper side counts.
    ///
    /// # Errors
    ///
    /// There are fewer than three corners, a number is out of its range, or no part lies on the
    /// mesh.
    ///
    /// [`Way::cost`]: super::Way::cost
    pub fn add_area(&mut self, corners: &[Vec2], factor: f32) -> Result<AreaId, MeshError> {
        if corners.len() < 3 {
            return Err(MeshError::TooFew);
        }
        if !corners.iter().all(|corner| corner.is_finite()) {
            return Err(MeshError::BadNumber("corners are finite"));
        }
        check(factor)?;
        let mut points: Vec<Point> = corners.iter().map(|&corner| Point::of(corner)).collect();
        clip::clip_outline(&mut points, &mut self.spare, self.half + BORDER / 2);
        if points.len() < 3 {
            return Err(MeshError::Outside);
        }
        let areas = &mut self.areas;
        let index = areas.unused.pop().unwrap_or(areas.rows.len() as u32);
        let bounds = bounds(&points);
        let mut row = Row { generation: 0, factor, points, bounds };
        match areas.rows.get_mut(index as usize) {
            Some(old) => {
                row.generation = old.generation;
                *old = row;
            }
            None => areas.rows.push(row),
        }
        areas.order.insert(0, index);
        self.note_area(&bounds);
        let generation = self.areas.rows[index as usize].generation;
        Ok(AreaId { index, generation })
    }

    /// Removes an area. Returns whether it existed.
    pub fn remove_area(&mut self, id: AreaId) -> bool {
        let Some(row) = self.areas.row_mut(id) else { return false };
        row.generation = row.generation.wrapping_add(1);
        row.points.clear();
        let bounds = row.bounds;
        self.areas.order.retain(|&at| at != id.index);
        self.areas.unused.push(id.index);
        self.note_area(&bounds);
        true
    }

    /// Sets an area's factor, for example when a swamp dries. Returns whether the area exists.
    ///
    /// # Errors
    ///
    /// The factor is not 0.05 to 100.
    pub fn set_area_factor(&mut self, id: AreaId, factor: f32) -> Result<bool, MeshError> {
        check(factor)?;
        let Some(row) = self.areas.row_mut(id) else { return Ok(false) };
        let is_same = core::mem::replace(&mut row.factor, factor).to_bits() == factor.to_bits();
        let bounds = row.bounds;
        if !is_same {
            self.note_area(&bounds);
        }
        Ok(true)
    }

    /// The factor of an area, if it exists.
    #[must_use]
    pub fn area_factor(&self, id: AreaId) -> Option<f32> {
        self.areas.row(id).map(|row| row.factor)
    }

    /// The cost of a metre at a place: 1 outside of areas, and where there is no land.
    #[must_use]
    pub fn factor_at(&self, place: impl Into<Vec2>) -> f32 {
        let place = place.into();
        if place.is_finite() { self.areas.factor_at(Point::of(place).place()) as f32 } else { 1.0 }
    }

    fn note_area(&mut self, bounds: &Area) {
        self.areas.clock += 1;
        self.tiles.change(bounds, 0);
    }
}

fn check(factor: f32) -> Result<(), MeshError> {
    if FACTORS.contains(&factor) {
        Ok(())
    } else {
        Err(MeshError::BadNumber("an area's factor is 0.05 to 100"))
    }
}
