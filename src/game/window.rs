//! Streaming of an unlimited map: which tiles are loaded, the four around the view.
//!
//! In: the middle of the view. Out: the tiles to load now, the tiles to unload now, and the tiles
//! that will be needed soon (prefetch). Arithmetic alone: no files, no threads, no clock.
//!
//! ```text
//!   +-------+-------+
//!   |     +-|---+   |     The view may move within the four tiles. Where it would leave them, two
//!   |     | view|   |     tiles go and two come, or three and three where it leaves by a corner.
//!   +-----|-+---|---+     Tiles are exchanged again only when the view has gone back over the
//!   |     +-----+   |     border, and twice the margin more (hysteresis). So pacing to and fro at
//!   |       |       |     a border loads nothing.
//!   +-------+-------+
//! ```

use glam::Vec2;

use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::error::Error;
use crate::math::WorldPoint;
use crate::tuning::REGION_SIZE;

/// A tile of the map; tile 0, 0 has its lower left corner at the origin.
pub type Tile = [i64; 2];

/// The least and the greatest side of a tile, in metres.
const LEAST_SIDE: f32 = 16.0;
const GREATEST_SIDE: f32 = 1_048_576.0;

/// Four tiles of an endless map around a view: the tiles to keep in memory.
///
/// ```
/// use carom::prelude::*;
/// use carom::Window;
///
/// let mut window = Window::new(64.0, [30.0, 20.0], 8.0)?;
/// let first = window.look(WorldPoint::from([40.0, 40.0]));
/// assert_eq!(first.entered().count(), 4); // load them
/// let next = window.look(WorldPoint::from([120.0, 40.0]));
/// assert_eq!((next.entered().count(), next.left().count()), (2, 2));
/// for tile in next.left() {
///     let _area = window.area(tile); // `world.cut` it, and write it to a file
/// }
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    side: i64,
    half_view: Vec2,
    /// The lower left tile of the four.
    first: Option<Tile>,
}

/// The tiles that come and go by a call of [`Window::look`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileChange {
    before: Option<Tile>,
    now: Option<Tile>,
}

impl TileChange {
    /// Returns the tiles to load: four at first and after a jump, else none, two or three.
    pub fn entered(&self) -> impl Iterator<Item = Tile> + use<> {
        difference(self.now, self.before)
    }

    /// Returns the tiles to unload.
    pub fn left(&self) -> impl Iterator<Item = Tile> + use<> {
        difference(self.before, self.now)
    }

    /// Whether the four tiles are unchanged.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.before == self.now
    }
}

impl Window {
    /// Makes a window of tiles of `side` metres, a power of two from 16 to 1,048,576, for a view of
    /// this size. Between two changes at one border the view moves at least twice the `margin`.
    /// Choose it so that this is at least the way of the view while a tile loads.
    ///
    /// # Errors
    /// A side that is no such power, a view without size, a margin of 0 or less, or tiles that are
    /// too small: a side must be at least the view plus the margin on either side.
    pub fn new(side: f32, view: impl Into<Vec2>, margin: f32) -> Result<Window, Error> {
        let view = view.into();
        let is_power = (LEAST_SIDE..=GREATEST_SIDE).contains(&side) && (side as u64).is_power_of_two();
        if !(is_power && side.fract() == 0.0) {
            return Err(Error::BadNumber(
                "the side of a tile must be a power of two, from 16 m to 1,048,576 m",
            ));
        }
        if !(view.is_finite() && view.min_element() > 0.0 && margin.is_finite() && margin > 0.0) {
            return Err(Error::BadNumber("a view must have a size, and a margin above 0"));
        }
        if side < view.max_element() + 2.0 * margin {
            return Err(Error::BadNumber(
                "a tile must be as large as the view with its margin on either side",
            ));
        }
        Ok(Window { side: side as i64, half_view: 0.5 * view, first: None })
    }

    /// Moves the view to `center`, and returns the tiles that come and go: none, as long as the
    /// view stays within the four.
    ///
    /// A `center` that is not finite changes nothing.
    pub fn look(&mut self, center: impl Into<WorldPoint>) -> TileChange {
        let before = self.first;
        let center = center.into();
        if center.is_valid() {
            self.first = Some(self.around(before, center));
        }
        TileChange { before, now: self.first }
    }

    /// Returns the tiles to load if the view continues like this for `seconds`: load them in the
    /// background.
    pub fn ahead(
        &self,
        center: WorldPoint,
        velocity: Vec2,
        seconds: f32,
    ) -> impl Iterator<Item = Tile> + use<> {
        let mut later = *self;
        later.look(center.offset(velocity * seconds)).entered()
    }

    /// Returns the four tiles; none before the first call of [`Window::look`].
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        four(self.first)
    }

    /// Returns the tile that contains a place. Left and lower borders belong to a tile, right and
    /// upper borders to its neighbours.
    #[must_use]
    pub fn tile_of(&self, place: impl Into<WorldPoint>) -> Tile {
        let place = place.into();
        let along = |region: i32, local: f32| metres(region, f64::from(local).floor()).div_euclid(self.side);
        [along(place.region.x, place.local.x), along(place.region.y, place.local.y)]
    }

    /// Returns the lower left corner of a tile: paste its piece there. The point is invalid if it
    /// is beyond the end of the world.
    #[must_use]
    pub fn corner(&self, tile: Tile) -> WorldPoint {
        let size = i128::from(REGION_SIZE as i64);
        let metres = tile.map(|count| i128::from(count) * i128::from(self.side));
        // Metres from the middle of a region, which is half a region from its border.
        let region = metres.map(|along| (along + size / 2).div_euclid(size));
        let local = [0, 1].map(|axis| (metres[axis] - region[axis] * size) as f32);
        match region.map(i32::try_from) {
            [Ok(x), Ok(y)] => WorldPoint { region: glam::IVec2::new(x, y), local: Vec2::from(local) },
            _ => WorldPoint { region: glam::IVec2::ZERO, local: Vec2::NAN },
        }
    }

    /// Returns the area of a tile: cut it out of the world to unload the tile.
    #[must_use]
    pub fn area(&self, tile: Tile) -> WorldAabb {
        let corner = self.corner(tile);
        let aabb = Aabb { min: corner.local, max: corner.local + Vec2::splat(self.side as f32) };
        WorldAabb { region: corner.region, aabb }
    }

    /// Returns the lower left tile of the four for a view around `center`.
    fn around(&self, before: Option<Tile>, center: WorldPoint) -> Tile {
        let axis = |region: i32, local: f32, half: f32, before: Option<i64>| {
            let (local, half) = (f64::from(local), f64::from(half));
            let low = metres(region, (local - half).floor()).div_euclid(self.side);
            let high = (metres(region, (local + half).ceil()) - 1).div_euclid(self.side);
            match before {
                Some(first) if low < first => low,
                Some(first) if high > first + 1 => high - 1,
                Some(first) => first,
                // At first the tile of the middle, and the nearer one of its neighbours.
                None if low < high => low,
                None => {
                    let within = metres(region, local.floor()).rem_euclid(self.side);
                    if 2 * within < self.side { low - 1 } else { low }
                }
            }
        };
        let first = |axis: usize| before.map(|tile| tile[axis]);
        let x = axis(center.region.x, center.local.x, self.half_view.x, first(0));
        let y = axis(center.region.y, center.local.y, self.half_view.y, first(1));
        [x, y]
    }
}

/// Returns whole metres from the middle of region 0.
fn metres(region: i32, local: f64) -> i64 {
    i64::from(region) * REGION_SIZE as i64 + local as i64
}

fn four(first: Option<Tile>) -> impl Iterator<Item = Tile> {
    let tiles = |[x, y]: Tile| [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
    first.into_iter().flat_map(tiles)
}

/// Returns the tiles of one four that are not in the other.
fn difference(these: Option<Tile>, those: Option<Tile>) -> impl Iterator<Item = Tile> {
    let is_other = move |&[x, y]: &Tile| {
        those.is_none_or(|[a, b]| !((a..a + 2).contains(&x) && (b..b + 2).contains(&y)))
    };
    four(these).filter(is_other)
}
