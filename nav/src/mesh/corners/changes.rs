//! Changes of a mesh: the revision of the last change in each tile.

use super::super::feet::Area;

/// Greatest number of tiles per side.
const MAX_SIDE: i64 = 256;
/// A tile's side is 8 m or more: 2^19 units.
const LEAST_SHIFT: u32 = 19;
/// A wall that runs along existing edges may be this far off its outline, in units.
const OFF: i64 = 512;

#[derive(Clone, Debug)]
pub(crate) struct Changed {
    /// The mesh's revision.
    pub(crate) revision: u64,
    tiles: Vec<u64>,
    side: i64,
    shift: u32,
    half: i64,
}

impl Changed {
    pub(crate) fn new(half: i32, revision: u64) -> Changed {
        let half = i64::from(half);
        let mut shift = LEAST_SHIFT;
        while (2 * half) >> shift >= MAX_SIDE {
            shift += 1;
        }
        let side = ((2 * half) >> shift) + 1;
        Changed { revision, tiles: vec![revision; (side * side) as usize], side, shift, half }
    }

    fn along(&self, x: i64) -> i64 {
        ((x + self.half) >> self.shift).clamp(0, self.side - 1)
    }

    /// First and last tile along x and y.
    fn span(&self, area: &Area, reach: i64) -> [i64; 4] {
        let at = |x: i32, by: i64| self.along(i64::from(x) + by);
        [at(area.low.x, -reach), at(area.high.x, reach), at(area.low.y, -reach), at(area.high.y, reach)]
    }

    /// Notes a change in an area at the present revision.
    pub(crate) fn mark(&mut self, area: &Area) {
        let [x0, x1, y0, y1] = self.span(area, OFF);
        for y in y0..=y1 {
            let row = (y * self.side) as usize;
            self.tiles[row + x0 as usize..=row + x1 as usize].fill(self.revision);
        }
    }

    /// The revision of the last change in an area.
    pub(crate) fn latest(&self, area: &Area) -> u64 {
        let [x0, x1, y0, y1] = self.span(area, 0);
        let row = |y: i64| {
            let row = (y * self.side) as usize;
            self.tiles[row + x0 as usize..=row + x1 as usize].iter().copied().max().unwrap_or(0)
        };
        (y0..=y1).map(row).max().unwrap_or(0)
    }
}
