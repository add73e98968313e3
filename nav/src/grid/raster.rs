//! A world of bodies as tiles.
//!
//! In: a world, the position of the map in it, and a filter for walls. Out: a map whose walls are
//! the cells that a shape reaches into. Squares of cells without shapes are filled at once, so that
//! empty land costs little.

use carom::{PlacedShape, QueryFilter, Shape, Vec2, World, WorldPoint};

use super::{Cell, Map, Path};
use crate::error::MapError;

/// Position of a map in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiling {
    /// The lower left corner of cell `[0, 0]`.
    pub corner: WorldPoint,
    /// The side of a cell, in metres.
    pub cell: f32,
    /// Cells along x and y.
    pub size: [usize; 2],
}

/// A shape that reaches into a cell by less than this share of the cell's side leaves the cell
/// free: walls are often flush with cells, and contacts sink a little.
const MARGIN: f32 = 1.0 / 1024.0;

impl Tiling {
    /// The centre of a cell, in the world.
    pub fn center(&self, cell: impl Into<Cell>) -> WorldPoint {
        self.corner.offset((cell.into().as_vec2() + 0.5) * self.cell)
    }

    /// The cell that contains a position; it may be outside of the map.
    pub fn cell_at(&self, place: impl Into<WorldPoint>) -> Cell {
        (self.corner.to(place.into()) / self.cell).floor().as_ivec2()
    }

    /// The turns of a path as points of the world, from the first cell to the last: the middles of
    /// the cells, or of all the cells that a larger unit covers.
    pub fn points(&self, path: &Path, points: &mut Vec<WorldPoint>) {
        points.clear();
        let middle = f32::from(path.size()) / 2.0;
        points.extend(
            path.turns().iter().map(|cell| self.corner.offset((cell.as_vec2() + middle) * self.cell)),
        );
    }

    fn check(&self) -> Result<(), MapError> {
        let [width, height] = self.size;
        Map::check(width, height)?;
        if !(1e-3..=1e6).contains(&self.cell) {
            return Err(MapError::BadNumber("a cell is 1 mm to 1,000 km wide"));
        }
        if self.corner.is_valid() { Ok(()) } else { Err(MapError::BadNumber("a corner is a place")) }
    }
}

impl Map {
    /// The map of a part of a world: a cell is a wall if a shape accepted by the filter reaches
    /// into it.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom_nav::grid::{Map, Tiling};
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().at([2.5, 1.5]).shape(Shape::rect(1.0, 3.0)))?;
    /// let tiling = Tiling { corner: WorldPoint::from([0.0, 0.0]), cell: 1.0, size: [6, 4] };
    /// let map = Map::raster(&world, &tiling, &QueryFilter::default())?;
    /// assert!(!map.is_free([2, 0]) && map.is_free([1, 0]) && map.is_free([2, 3]));
    /// assert!(map.connected([0, 0], tiling.cell_at([5.5, 0.5])));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::Empty`] or [`MapError::TooLarge`] as in [`Map::new`], [`MapError::BadNumber`]
    /// for a cell that is not 1 mm to 1,000 km wide or a corner that is not finite.
    pub fn raster(world: &World, tiling: &Tiling, filter: &QueryFilter) -> Result<Map, MapError> {
        tiling.check()?;
        let [width, height] = tiling.size;
        let words = width.div_ceil(64);
        let mut walls = vec![0_u64; words * height];
        let mut found = Vec::new();
        // Squares as corner and side; a square that a shape overlaps is split into smaller ones.
        let mut squares: Vec<(Cell, i32)> = Vec::new();
        for y in (0..height as i32).step_by(16) {
            squares.extend((0..width as i32).step_by(16).map(|x| (Cell::new(x, y), 16)));
        }
        while let Some((low, side)) = squares.pop() {
            if low.x >= width as i32 || low.y >= height as i32 {
                continue;
            }
            let span = side as f32 * tiling.cell;
            let square = Shape::rect(span - tiling.cell * MARGIN * 2.0, span - tiling.cell * MARGIN * 2.0);
            let middle = tiling.corner.offset(low.as_vec2() * tiling.cell + Vec2::splat(span / 2.0));
            world.overlap_shape(&PlacedShape::at(&square, middle), filter, &mut found);
            if found.is_empty() {
                continue;
            }
            if side == 1 {
                walls[low.y as usize * words + low.x as usize / 64] |= 1 << (low.x % 64);
                continue;
            }
            let half = side / 2;
            let corners = [[0, 0], [half, 0], [0, half], [half, half]];
            squares.extend(corners.map(|corner| (low + Cell::from(corner), half)));
        }
        Map::from_rows(width, height, |y| &walls[y as usize * words..(y as usize + 1) * words])
    }
}
