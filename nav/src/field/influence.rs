//! Influence maps: effects of many units on the land around them, as integers.
//!
//! In: stamps, put on cells and taken off again. Out: their exact sum in each cell. Integers that
//! are added and subtracted leave nothing, where floats would leave a growing error. Sums wrap
//! around, so they stay exact beyond the range of an integer too.
//!
//! A layer either holds the present (stamps of units, moved as they move) or the past (shots,
//! losses, which decay by the tick): removing a stamp after it decayed would leave a hole.

use crate::error::MapError;
use crate::grid::{Cell, Layer, Map};
use crate::state::{self, Kind, LoadError, Sink, saved};

saved!(Influence as Influence);

/// The values that one unit adds to the cells around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    radius: i32,
    /// Values row by row; a side has 2 radius + 1 cells.
    values: Vec<i32>,
}

impl Stamp {
    /// The greatest radius of a stamp.
    pub const MAX_RADIUS: u32 = 256;

    /// `peak` in the middle, falling evenly to 0 at a straight distance of `radius` + 1. A greater
    /// radius than [`MAX_RADIUS`](Stamp::MAX_RADIUS) becomes `MAX_RADIUS`.
    #[must_use]
    pub fn cone(radius: u32, peak: i32) -> Stamp {
        let reach = i64::from(radius.min(Stamp::MAX_RADIUS)) + 1;
        // The distance in 256ths, so that the cone is round.
        Stamp::by(radius, |square| {
            let distance = ((square as u64) << 16).isqrt() as i64;
            (i64::from(peak) * (256 * reach - distance).max(0) / (256 * reach)) as i32
        })
    }

    /// `value` everywhere within a straight distance of `radius`.
    #[must_use]
    pub fn disc(radius: u32, value: i32) -> Stamp {
        let square = i64::from(radius.min(Stamp::MAX_RADIUS)).pow(2);
        Stamp::by(radius, |distance| if distance <= square { value } else { 0 })
    }

    /// A stamp from values as a function of the squared distance.
    fn by(radius: u32, value: impl Fn(i64) -> i32) -> Stamp {
        let radius = radius.min(Stamp::MAX_RADIUS) as i32;
        let side = -radius..=radius;
        let values =
            side.clone().flat_map(|y| side.clone().map(move |x| i64::from(x * x + y * y))).map(value);
        Stamp { radius, values: values.collect() }
    }
}

/// A layer of numbers over a map.
///
/// ```
/// use carom_nav::prelude::*;
/// use carom_nav::field::{Influence, Stamp};
///
/// let map = Map::new(64, 64)?;
/// let (mut danger, tank) = (Influence::new(&map), Stamp::cone(8, 100));
/// danger.add(&tank, [20, 20]);
/// assert_eq!((danger.value([20, 20]), danger.value([40, 20])), (100, 0));
/// danger.sub(&tank, [20, 20]); // it moves on
/// danger.add(&tank, [21, 20]);
/// danger.sub(&tank, [21, 20]);
/// assert!(danger.values().iter().all(|value| *value == 0));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
///
/// As a [`Layer`] of extra costs, a cell costs as much as its value, if that is above 0. The peak
/// that you give to stamps decides how much a point of influence is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Influence {
    width: i32,
    height: i32,
    values: Vec<i32>,
}

impl Influence {
    /// Zero everywhere, as large as a map.
    #[must_use]
    pub fn new(map: &Map) -> Influence {
        Influence { width: map.width(), height: map.height(), values: vec![0; map.cell_count()] }
    }

    /// Puts a stamp on; the part beyond the map is dropped.
    pub fn add(&mut self, stamp: &Stamp, at: impl Into<Cell>) {
        self.each(stamp, at.into(), i32::wrapping_add);
    }

    /// Removes a stamp that was put on at this cell, exactly.
    pub fn sub(&mut self, stamp: &Stamp, at: impl Into<Cell>) {
        self.each(stamp, at.into(), i32::wrapping_sub);
    }

    /// Takes a stamp off one cell and puts it on another; does nothing if they are the same cell.
    pub fn shift(&mut self, stamp: &Stamp, from: impl Into<Cell>, to: impl Into<Cell>) {
        let (from, to) = (from.into(), to.into());
        if from != to {
            self.sub(stamp, from);
            self.add(stamp, to);
        }
    }

    #[inline]
    fn each(&mut self, stamp: &Stamp, at: Cell, change: impl Fn(i32, i32) -> i32) {
        let (radius, side) = (i64::from(stamp.radius), 2 * stamp.radius as usize + 1);
        let clip = |at: i32, size: i32| {
            let (first, size) = (i64::from(at) - radius, i64::from(size));
            let low = first.clamp(0, size);
            (low as usize, (first + side as i64).clamp(low, size) as usize, (low - first).max(0) as usize)
        };
        let (low_x, high_x, skip_x) = clip(at.x, self.width);
        let (low_y, high_y, skip_y) = clip(at.y, self.height);
        for (row, y) in (low_y..high_y).enumerate() {
            let from = &stamp.values[((row + skip_y) * side + skip_x).min(stamp.values.len())..];
            let to = &mut self.values[y * self.width as usize..][low_x..high_x];
            for (value, &by) in to.iter_mut().zip(from) {
                *value = change(*value, by);
            }
        }
    }

    /// Takes the share 1 / 2^`shift` from every cell, at least 1, so that every value reaches 0 in
    /// the end. Shifts beyond 31 become 31.
    pub fn decay(&mut self, shift: u32) {
        let shift = shift.min(31);
        let rest = ((1_u64 << shift) - 1) as i64;
        for value in &mut self.values {
            let size = (i64::from(*value).abs() + rest) >> shift;
            *value -= (i64::from(value.signum()) * size) as i32;
        }
    }

    /// Adds another layer times a factor; sums wrap around.
    ///
    /// # Errors
    ///
    /// The other layer has another size. Nothing is changed then.
    pub fn add_layer(&mut self, other: &Influence, factor: i32) -> Result<(), MapError> {
        if [self.width, self.height] != [other.width, other.height] {
            return Err(MapError::BadNumber("layers are as large as one another"));
        }
        for (value, by) in self.values.iter_mut().zip(&other.values) {
            *value = value.wrapping_add(by.wrapping_mul(factor));
        }
        Ok(())
    }

    /// The value of a cell; 0 outside.
    #[must_use]
    pub fn value(&self, cell: impl Into<Cell>) -> i32 {
        let Cell { x, y } = cell.into();
        let is_in = (x as u32) < self.width as u32 && (y as u32) < self.height as u32;
        if is_in { self.values[y as usize * self.width as usize + x as usize] } else { 0 }
    }

    /// The values of all cells, by the cells' numbers.
    #[must_use]
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// Sets every cell to 0.
    pub fn clear(&mut self) {
        self.values.fill(0);
    }

    /// Writes runs: the number of zeros, which are most of a layer; then the number of other
    /// values, and the values.
    fn encode(&self, to: &mut impl Sink) {
        to.word(self.width as u32);
        to.word(self.height as u32);
        let mut left = &self.values[..];
        while !left.is_empty() {
            let zeros = left.iter().position(|value| *value != 0).unwrap_or(left.len());
            let rest = &left[zeros..];
            let others = rest.iter().position(|value| *value == 0).unwrap_or(rest.len());
            to.word(zeros as u32);
            to.word(others as u32);
            rest[..others].iter().for_each(|value| to.word(*value as u32));
            left = &rest[others..];
        }
    }

    /// Loads an image of a layer of the same size.
    ///
    /// # Errors
    ///
    /// The bytes are damaged, no image of a layer, or an image of a layer of another size. Nothing
    /// is changed then.
    pub fn load(&mut self, image: &[u8]) -> Result<(), LoadError> {
        let values = state::read(Kind::Influence, image, |from| {
            from.size(self.width, self.height)?;
            let mut values = Vec::with_capacity(self.values.len());
            while values.len() < self.values.len() {
                let (zeros, others) = (from.word()? as usize, from.count(1)?);
                let left = self.values.len() - values.len();
                if zeros == 0 && others == 0 || zeros.saturating_add(others) > left {
                    return Err(LoadError::Broken("a layer has as many values as cells"));
                }
                values.resize(values.len() + zeros, 0);
                for _ in 0..others {
                    values.push(from.word()? as i32);
                }
            }
            Ok(values)
        })?;
        self.values = values;
        Ok(())
    }
}

impl Layer for Influence {
    #[inline]
    fn extra(&self, index: usize) -> u32 {
        self.values[index].max(0) as u32
    }

    fn cell_count(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

/// Whether a new choice is worth changing to (hysteresis): its cost is lower by more than `percent`
/// percent.
///
/// Where danger changes every tick, two paths take turns in being slightly cheaper. A unit that
/// keeps the old path until the new one is better by a tenth does not dither between them.
///
/// ```
/// use carom_nav::field::is_worth_changing;
///
/// assert!(!is_worth_changing(100, 95, 10) && is_worth_changing(100, 89, 10));
/// ```
#[must_use]
pub fn is_worth_changing(old: u32, new: u32, percent: u32) -> bool {
    u64::from(new) * 100 < u64::from(old) * u64::from(100 - percent.min(100))
}

/// A number that is above a threshold or not, without flicker: it rises above at one value, and
/// falls below at a lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// Values from here on rise above.
    pub rise: i32,
    /// Values up to here fall below; less than `rise`.
    pub fall: i32,
}

impl Threshold {
    /// Whether a value is above, given whether the last one `was`.
    #[must_use]
    pub fn is_above(self, value: i32, was: bool) -> bool {
        if was { value > self.fall } else { value >= self.rise }
    }
}
