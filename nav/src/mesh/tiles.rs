//! Changes by place: a revision for each tile of 64 m, which grows with each change near the tile.

use super::feet::Area;
use super::fixed::Point;
use crate::state::{LoadError, Reader, Sink};

/// A tile's side is 2^22 units: 64 m.
const SHIFT: u32 = 22;

#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    revisions: Vec<u32>,
    side: i64,
    half: i64,
}

impl Tiles {
    pub(crate) fn new(half: i32) -> Tiles {
        let side = ((2 * i64::from(half)) >> SHIFT) + 1;
        Tiles { revisions: vec![0; (side * side) as usize], side, half: i64::from(half) }
    }

    fn along(&self, x: i64) -> i64 {
        ((x + self.half) >> SHIFT).clamp(0, self.side - 1)
    }

    /// All tiles within reach of an area.
    fn within(&self, area: &Area, reach: i64) -> impl Iterator<Item = u32> + use<> {
        let (low, high) = (area.low, area.high);
        let (x0, x1) = (self.along(i64::from(low.x) - reach), self.along(i64::from(high.x) + reach));
        let (y0, y1) = (self.along(i64::from(low.y) - reach), self.along(i64::from(high.y) + reach));
        let side = self.side;
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| (y * side + x) as u32))
    }

    /// The revision of a tile; `None` if the mesh has no such tile, as for a way of a larger one.
    pub(crate) fn get(&self, tile: u32) -> Option<u32> {
        self.revisions.get(tile as usize).copied()
    }

    pub(crate) fn change(&mut self, area: &Area, reach: i64) {
        for tile in self.within(area, reach) {
            let revision = &mut self.revisions[tile as usize];
            *revision = revision.wrapping_add(1);
        }
    }

    pub(crate) fn encode(&self, to: &mut impl Sink) {
        self.revisions.iter().for_each(|&revision| to.word(revision));
    }

    pub(crate) fn decode(&mut self, from: &mut Reader) -> Result<(), LoadError> {
        self.revisions.iter_mut().try_for_each(|revision| from.word().map(|word| *revision = word))
    }

    /// Lists the tiles about a segment with their revisions.
    pub(crate) fn cross(&self, a: Point, b: Point, tiles: &mut Vec<(u32, u32)>) {
        let mut area = Area::EMPTY;
        area.add(a);
        area.add(b);
        for tile in self.within(&area, 0) {
            if !tiles.iter().any(|&(other, _)| other == tile) {
                tiles.push((tile, self.revisions[tile as usize]));
            }
        }
    }
}
