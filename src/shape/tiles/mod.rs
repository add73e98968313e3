//! A tile map: a grid of square cells, each empty, solid, a slope, one-way, or a sensor.
//!
//! In: cells from the user, row by row. Out: a part for each cell that is not empty, named by the
//! number of the cell, two bytes a cell. A world asks only for the cells under the boxes of moving
//! bodies (`world/tiles/`); pair tests walk over the cells as over a tree.
//!
//! ```text
//!   cell.rs    kinds of cells         chunk.rs   cells as boxes and polygons, made when asked for
//!   walk.rs    walks over the cells   here       the map, its edits, its mass
//! ```
//!
//! A map has a name, the stamp of the cells that it was made of. Changed cells are kept beside it
//! with their first values, so that a snapshot holds only the name and the changes.

mod cell;
mod chunk;
mod walk;

pub use cell::{TileCell, TileKind};
pub(crate) use walk::{CellRect, PartTree};

use core::mem::size_of;
use std::sync::OnceLock;

use glam::{DVec2, Vec2};

use super::error::{ShapeError, check_coordinates, check_size};
use super::state::stamp_of;
use super::{Mass, Obb, Piece, Polygon};
use crate::bounds::Aabb;
use crate::math::{Rot, Transform};
use crate::tuning::MIN_POLYGON_THINNESS;
use chunk::{Chunk, SIDE};

/// Most cells of a map.
const MOST_CELLS: usize = 1 << 24;

/// Most cells that one word of an image stands for: memory grows with the image.
const LONGEST_RUN: usize = 64;

/// Flag of a cell that has changed since the map was made: its first value is noted.
const EDITED: u16 = 1 << 15;

/// A grid of square cells. Its frame's origin is the lower left corner of the first cell; rows
/// count upward.
///
/// Parts are named by the numbers of their cells: [`TileMap::place`] says which column and row a
/// part of an answer or a contact is.
pub struct TileMap {
    /// Side of a cell.
    pub(super) side: f32,
    pub(super) frame: Transform,
    size: [u32; 2],
    cells: Vec<u16>,
    /// How many cells of a chunk are not empty.
    pub(super) filled: Vec<u16>,
    chunks: Vec<OnceLock<Box<Chunk>>>,
    /// How many cells are of each kind.
    counts: [u32; 16],
    /// Cells that have changed since the map was made, and their first values.
    edits: Vec<(u32, u16)>,
    /// A cell around the origin.
    pub(super) square: Obb,
    /// Around all cells.
    whole: Obb,
    /// How far rounding may carry a piece out of its cell.
    pub(super) slack: f32,
    /// Hash that identifies the cells that the map was made of.
    pub(super) stamp: u64,
}

impl TileMap {
    /// A map of `width` columns of cells of side `side`; `cells` row by row, the lowest first.
    ///
    /// # Errors
    /// A side out of range, or too small for so many columns or rows to be told apart; no cells, a
    /// last row that is not full, or more than 2^24 of them.
    pub fn new(side: f32, width: u32, cells: &[TileCell]) -> Result<TileMap, ShapeError> {
        let packed = cells.iter().map(|cell| cell.packed()).collect();
        TileMap::of_packed(side, width, packed, Transform::IDENTITY)
    }

    pub(super) fn of_packed(
        side: f32,
        width: u32,
        cells: Vec<u16>,
        frame: Transform,
    ) -> Result<TileMap, ShapeError> {
        check_size(side)?;
        if cells.is_empty() || width == 0 || !cells.len().is_multiple_of(width as usize) {
            return Err(ShapeError::Empty);
        }
        if cells.len() > MOST_CELLS {
            return Err(ShapeError::TooManyParts);
        }
        let size = [width, (cells.len() / width as usize) as u32];
        let extent = Vec2::new(size[0] as f32, size[1] as f32) * side;
        let reach = frame.position.length() + extent.length();
        check_coordinates(&[reach])?;
        // Half slopes are half as high, and neighbours must agree on their common side.
        if 0.25 * side < reach * MIN_POLYGON_THINNESS {
            return Err(ShapeError::TooSmall);
        }
        let whole = Obb::new(extent.x, extent.y)?;
        let at = Transform { position: frame.apply(extent * 0.5), ..frame };
        let chunk_count = size.map(|k| k.div_ceil(SIDE) as usize).iter().product();
        let mut map = TileMap {
            side,
            frame,
            size,
            cells,
            filled: vec![0; chunk_count],
            chunks: core::iter::repeat_with(OnceLock::new).take(chunk_count).collect(),
            counts: [0; 16],
            edits: Vec::new(),
            square: Obb::new(side, side)?,
            whole: whole.placed(at),
            slack: 8.0 * f32::EPSILON * reach,
            stamp: 0,
        };
        map.count();
        map.stamp = map.stamp_now();
        Ok(map)
    }

    fn count(&mut self) {
        self.filled.fill(0);
        self.counts = [0; 16];
        for (row, y) in self.cells.chunks_exact(self.size[0] as usize).zip(0_u32..) {
            let columns = self.size[0].div_ceil(SIDE);
            for (&bits, x) in row.iter().zip(0_u32..) {
                let kind = TileCell::of_packed(bits).kind;
                self.counts[kind as usize] += 1;
                self.filled[(y / SIDE * columns + x / SIDE) as usize] += u16::from(kind != TileKind::Empty);
            }
        }
    }

    fn stamp_now(&self) -> u64 {
        let Transform { position, rotation } = self.frame;
        let head = [self.side, position.x, position.y, rotation.cos, rotation.sin].map(f32::to_bits);
        let [a, b, c, d, e] = head;
        let words: Vec<u32> = self
            .cells
            .chunks(2)
            .map(|two| u32::from(two[0]) | u32::from(two.get(1).copied().unwrap_or(0)) << 16)
            .collect();
        stamp_of(super::state::TILES, &words, &[a, b, c, d, e, self.size[0]])
    }

    /// The number of columns and of rows.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Side of a cell, in metres.
    #[must_use]
    pub fn side(&self) -> f32 {
        self.side
    }

    /// How many cells there are, the empty ones among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether all of its cells are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.solid_count() == 0
    }

    /// How many cells are not empty.
    pub(crate) fn solid_count(&self) -> usize {
        self.cells.len() - self.counts[TileKind::Empty as usize] as usize
    }

    /// The cell in a column and row; `None` outside of the map.
    #[must_use]
    pub fn cell_at(&self, [x, y]: [u32; 2]) -> Option<TileCell> {
        (x < self.size[0] && y < self.size[1])
            .then(|| TileCell::of_packed(self.cells[self.number([x, y]) as usize]))
    }

    /// Column and row of a part, as answers and contacts name it.
    #[must_use]
    pub fn place(&self, part: u32) -> [u32; 2] {
        [part % self.size[0], part / self.size[0]]
    }

    /// Column and row of the cell that a point of the shape's frame lies in; `None` outside of the
    /// map. A point on a border belongs to the cell above it or to its right.
    ///
    /// ```
    /// use carom::{TileCell, Shape, vec2};
    ///
    /// let Shape::Tiles(map) = Shape::tiles(0.5, 4, &[TileCell::SOLID; 8]).at([10.0, 0.0]) else { panic!() };
    /// assert_eq!(map.cell_around(vec2(10.7, 0.2)), Some([1, 0]));
    /// assert_eq!(map.cell_around(vec2(9.9, 0.2)), None);
    /// ```
    #[must_use]
    pub fn cell_around(&self, point: Vec2) -> Option<[u32; 2]> {
        let at = self.frame.apply_inverse(point) / self.side;
        let inside = (0..2).all(|axis| at[axis] >= 0.0 && at[axis] < self.size[axis] as f32);
        inside.then_some([at.x as u32, at.y as u32])
    }

    /// The corners of the polygon in a cell, in the frame of the shape, counter-clockwise. An empty
    /// cell and one outside of the map have none.
    ///
    /// ```
    /// use carom::{Shape, TileCell, TileKind, vec2};
    ///
    /// let cells = [TileCell::SOLID, TileKind::SlopeUp.into()];
    /// let Shape::Tiles(map) = Shape::tiles(2.0, 2, &cells) else { panic!() };
    /// assert_eq!(map.corners([1, 0]).collect::<Vec<_>>(), [vec2(2.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 2.0)]);
    /// ```
    pub fn corners(&self, place: [u32; 2]) -> impl Iterator<Item = Vec2> + use<'_> {
        let of_kind = self.cell_at(place).map_or(&[][..], |cell| cell.kind.corners());
        let corner = Vec2::new(place[0] as f32, place[1] as f32);
        of_kind.iter().map(move |&of| self.frame.apply((corner + Vec2::from(of)) * self.side))
    }

    /// Columns and rows of the cells, empty ones included, that a box in the shape's frame may
    /// overlap, row by row.
    ///
    /// ```
    /// use carom::{Aabb, Shape, TileCell};
    ///
    /// let Shape::Tiles(map) = Shape::tiles(1.0, 9, &[TileCell::SOLID; 90]) else { panic!() };
    /// let there: Vec<_> = map.cells_in(Aabb::new([3.2, 1.5], [4.5, 1.7])).collect();
    /// assert_eq!(there, [[3, 1], [4, 1]]);
    /// ```
    pub fn cells_in(&self, aabb: Aabb) -> impl Iterator<Item = [u32; 2]> + use<> {
        self.rect_of(&aabb).cells()
    }

    /// Returns the number of an existing cell.
    pub(crate) fn number(&self, [x, y]: [u32; 2]) -> u32 {
        y * self.size[0] + x
    }

    pub(crate) fn cell(&self, number: u32) -> TileCell {
        self.cells.get(number as usize).map_or(TileCell::EMPTY, |&bits| TileCell::of_packed(bits))
    }

    pub(crate) fn is_empty_at(&self, number: u32) -> bool {
        self.cell(number).kind == TileKind::Empty
    }

    fn chunk_number(&self, column: u32, row: u32) -> usize {
        (row * self.size[0].div_ceil(SIDE) + column) as usize
    }

    /// The number of the part that is the whole map, its proxy in the grid.
    pub(crate) fn frame_part(&self) -> u32 {
        self.cells.len() as u32
    }

    /// A part as pair tests see it.
    // Inlined into `Shape::piece`, its registers are saved for shapes of one piece, too: rays took
    // nine instructions more.
    #[inline(never)]
    pub(crate) fn piece(&self, part: usize) -> Piece<'_> {
        let place = self.place(part as u32);
        let [column, row] = place.map(|k| k / SIDE);
        let chunk = || {
            let chunk = self.chunks.get(self.chunk_number(column, row))?;
            chunk.get_or_init(|| Box::new(Chunk::new(self, column, row))).piece(place[0], place[1])
        };
        let is_cell = part < self.cells.len();
        is_cell.then(chunk).flatten().unwrap_or(Piece::Obb(&self.whole))
    }

    /// Changes a cell. Returns whether it was different before.
    pub(crate) fn set(&mut self, number: u32, cell: TileCell) -> bool {
        let before = self.cells[number as usize];
        let now = cell.packed();
        if before & !EDITED == now {
            return false;
        }
        if before & EDITED == 0 {
            self.edits.push((number, before));
        }
        self.put(number, now | EDITED);
        true
    }

    /// Changes the bits of a cell, and the counts of cells.
    fn put(&mut self, number: u32, bits: u16) {
        let [x, y] = self.place(number).map(|k| k / SIDE);
        let chunk = self.chunk_number(x, y);
        let kind = |bits: u16| TileCell::of_packed(bits).kind;
        let before = core::mem::replace(&mut self.cells[number as usize], bits);
        self.chunks[chunk].take();
        self.counts[kind(before) as usize] -= 1;
        self.counts[kind(bits) as usize] += 1;
        self.filled[chunk] -= u16::from(kind(before) != TileKind::Empty);
        self.filled[chunk] += u16::from(kind(bits) != TileKind::Empty);
    }

    /// Number and bits of each cell that has changed since the map was made, by number.
    pub(crate) fn edits(&self) -> Vec<u32> {
        let bits = |number: u32| u32::from(self.cells[number as usize] & !EDITED);
        let is_other = |&(number, was): &(u32, u16)| (bits(number) != u32::from(was)).then_some(number);
        let mut others: Vec<u32> = self.edits.iter().filter_map(is_other).collect();
        others.sort_unstable();
        others.into_iter().flat_map(|number| [number, bits(number)]).collect()
    }

    /// Resets the map to its first cells and makes the given edits. Returns whether they are valid.
    pub(crate) fn edit_to(&mut self, edits: &[u32]) -> bool {
        for (number, was) in core::mem::take(&mut self.edits) {
            self.put(number, was);
        }
        let pairs = edits.as_chunks::<2>().0;
        let known = |&[number, bits]: &[u32; 2]| {
            (number as usize) < self.cells.len() && bits < u32::from(EDITED) && bits >> 8 < 16
        };
        if !pairs.iter().all(known) || !pairs.is_sorted_by(|p, q| p[0] < q[0]) {
            return false;
        }
        pairs.iter().all(|&[number, bits]| self.set(number, TileCell::of_packed(bits as u16)))
    }

    /// Returns the map as if it were made of its present cells.
    pub(crate) fn settled(&self) -> Option<TileMap> {
        if self.edits.is_empty() {
            return None;
        }
        let mut map = self.clone();
        map.edits.clear();
        map.cells.iter_mut().for_each(|bits| *bits &= !EDITED);
        map.stamp = map.stamp_now();
        Some(map)
    }

    /// The words of the map as it was made: a head of six, and then runs of equal cells, each a
    /// count and the cell.
    pub(super) fn words(&self, out: &mut Vec<u32>) {
        let Transform { position, rotation } = self.frame;
        out.extend([self.side, position.x, position.y, rotation.cos, rotation.sin].map(f32::to_bits));
        out.push(self.size[0]);
        let mut cells = self.cells.clone();
        for &(number, was) in &self.edits {
            cells[number as usize] = was;
        }
        for run in cells.chunk_by(|p, q| p == q) {
            for part in run.chunks(LONGEST_RUN) {
                out.push((part.len() as u32) << 16 | u32::from(part[0]));
            }
        }
    }

    /// Makes the map of the words that [`Self::words`] writes.
    pub(super) fn of_words(words: &[u32]) -> Option<TileMap> {
        let (&[side, x, y, cos, sin, width], runs) = words.split_first_chunk::<6>()?;
        let count = runs.iter().map(|run| (run >> 16) as usize).sum::<usize>();
        let known =
            runs.iter().all(|run| run >> 8 & 0xFF < 16 && (1..=LONGEST_RUN as u32).contains(&(run >> 16)));
        if !known || count > MOST_CELLS {
            return None;
        }
        let [side, x, y, cos, sin] = [side, x, y, cos, sin].map(f32::from_bits);
        let frame = Transform { position: Vec2::new(x, y), rotation: Rot { cos, sin } };
        let is_unit = (cos * cos + sin * sin - 1.0).abs() < 1.0e-4;
        if !is_unit || check_coordinates(&[x, y]).is_err() {
            return None;
        }
        let runs = runs.iter().map(|&run| (run as u16, (run >> 16) as usize));
        let cells = runs.flat_map(|(bits, count)| core::iter::repeat_n(bits, count)).collect();
        TileMap::of_packed(side, width, cells, frame).ok()
    }

    /// A total order of maps.
    pub(crate) fn order(&self, other: &TileMap) -> core::cmp::Ordering {
        let head = |map: &TileMap| (map.side.to_bits(), map.size);
        let cells = |map: &TileMap| map.cells.iter().map(|bits| bits & !EDITED).collect::<Vec<u16>>();
        head(self).cmp(&head(other)).then_with(|| cells(self).cmp(&cells(other)))
    }

    /// The cells, as they are now.
    #[cfg(feature = "serde")]
    pub(super) fn packed(&self) -> Vec<u16> {
        self.cells.iter().map(|bits| bits & !EDITED).collect()
    }

    /// The map, transformed by `by`.
    pub(super) fn placed(&self, by: Transform) -> Result<TileMap, ShapeError> {
        let cells = self.cells.iter().map(|bits| bits & !EDITED).collect();
        TileMap::of_packed(self.side, self.size[0], cells, by * self.frame)
    }

    /// The same map, `factor` times as large, and left and right exchanged where it `mirrors`.
    pub(super) fn resized(&self, factor: f32, mirrors: bool) -> Result<TileMap, ShapeError> {
        let Transform { position, rotation: Rot { cos, sin } } = self.frame;
        let mut cells: Vec<u16> = self.cells.iter().map(|bits| bits & !EDITED).collect();
        let mut frame = Transform { position: position * factor, ..self.frame };
        if mirrors {
            for row in cells.chunks_exact_mut(self.size[0] as usize) {
                row.reverse();
                for bits in row {
                    let cell = TileCell::of_packed(*bits);
                    *bits = TileCell { kind: cell.kind.mirrored(), ..cell }.packed();
                }
            }
            // The first cell is now at the former far end of the lowest row, and a frame that was
            // turned to the left is turned to the right.
            let far = self.frame.apply(Vec2::new(self.size[0] as f32 * self.side, 0.0)) * factor;
            frame = Transform { position: Vec2::new(-far.x, far.y), rotation: Rot { cos, sin: -sin } };
        }
        TileMap::of_packed(self.side * factor, self.size[0], cells, frame)
    }

    /// The box around all cells, the empty ones too, at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        self.whole.aabb(at)
    }

    pub(crate) fn whole(&self) -> &Obb {
        &self.whole
    }

    /// Half of the thickness of the thinnest kind of cell in the map.
    pub(crate) fn half_thickness(&self) -> f32 {
        let of = |kind: &TileKind| {
            let corners: Vec<Vec2> = kind.corners().iter().map(|&c| Vec2::from(c) * self.side).collect();
            Polygon::from_corners(&corners).map_or(f32::INFINITY, |it| it.discs().inner)
        };
        let there =
            TileKind::ALL.iter().filter(|&&kind| kind != TileKind::Empty && self.counts[kind as usize] > 0);
        there.map(of).fold(f32::INFINITY, crate::math::min)
    }

    /// Area, centroid and inertia, summed exactly: a sensor weighs nothing.
    ///
    /// A cell at x = (column, row) with area a, centroid c and second moment s about its lower left
    /// corner adds a, a (x + c) and s + 2 a c·x + a x·x to the sums about the corner of the map.
    pub(crate) fn unit_mass(&self) -> Mass {
        let of_kind =
            TileKind::ALL.map(|kind| if kind == TileKind::Sensor { Unit::default() } else { Unit::of(kind) });
        let (mut area, mut first, mut second) = (0.0, DVec2::ZERO, 0.0);
        for (row, y) in self.cells.chunks_exact(self.size[0] as usize).zip(0_u32..) {
            for (&bits, x) in row.iter().zip(0_u32..) {
                let Unit { area: a, first: c, second: s } = of_kind[TileCell::of_packed(bits).kind as usize];
                let at = DVec2::new(f64::from(x), f64::from(y));
                area += a;
                first += c + at * a;
                second += s + 2.0 * c.dot(at) + a * at.length_squared();
            }
        }
        if area <= 0.0 {
            return Mass::default();
        }
        let (side, center) = (f64::from(self.side), first / area);
        let inertia = second - area * center.length_squared();
        Mass {
            mass: (area * side * side) as f32,
            center: self.frame.apply((center * side).as_vec2()),
            inertia: (inertia * side * side * side * side) as f32,
        }
    }
}

/// Area, its first and its second moment about the lower left corner, in a cell of side 1.
#[derive(Clone, Copy, Default)]
struct Unit {
    area: f64,
    first: DVec2,
    second: f64,
}

impl Unit {
    /// The sum over triangles (0, p, q): see `mass.rs`.
    fn of(kind: TileKind) -> Unit {
        let corners: Vec<DVec2> =
            kind.corners().iter().map(|&[x, y]| DVec2::new(f64::from(x), f64::from(y))).collect();
        let mut sum = Unit::default();
        for (k, &p) in corners.iter().enumerate() {
            let q = corners[(k + 1) % corners.len()];
            let m = 0.5 * p.perp_dot(q);
            sum.area += m;
            sum.first += (p + q) * (m / 3.0);
            sum.second += m * (p.dot(p) + p.dot(q) + q.dot(q)) / 6.0;
        }
        sum
    }
}

/// A clone makes the pieces of its cells anew.
impl Clone for TileMap {
    fn clone(&self) -> TileMap {
        TileMap {
            cells: self.cells.clone(),
            filled: self.filled.clone(),
            chunks: core::iter::repeat_with(OnceLock::new).take(self.chunks.len()).collect(),
            edits: self.edits.clone(),
            ..*self
        }
    }
}

/// Maps are equal if their present cells are.
impl PartialEq for TileMap {
    fn eq(&self, other: &TileMap) -> bool {
        let head = |map: &TileMap| (map.side, map.frame, map.size);
        let same = |(p, q): (&u16, &u16)| p & !EDITED == q & !EDITED;
        head(self) == head(other) && self.cells.iter().zip(&other.cells).all(same)
    }
}

impl core::fmt::Debug for TileMap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TileMap")
            .field("side", &self.side)
            .field("size", &self.size)
            .field("filled", &self.solid_count())
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

/// Memory: at most four bytes a cell, apart from the pieces that are made of cells near bodies.
impl TileMap {
    /// Bytes of memory that the map takes, without the pieces that were made of cells near bodies.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<TileMap>()
            + self.cells.capacity() * size_of::<u16>()
            + self.filled.capacity() * size_of::<u16>()
            + self.chunks.capacity() * size_of::<OnceLock<Box<Chunk>>>()
            + self.edits.capacity() * size_of::<(u32, u16)>()
    }
}
