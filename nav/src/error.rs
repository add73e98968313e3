//! Errors of maps. A refused call changes nothing.

use core::fmt;

/// The rule that a map's definition, or a call to change one, broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapError {
    /// A map without cells.
    Empty,
    /// More cells than [`Map::MAX_CELLS`](crate::grid::Map::MAX_CELLS), or a side beyond
    /// [`Map::MAX_SIDE`](crate::grid::Map::MAX_SIDE).
    TooLarge,
    /// The cell is not on the map.
    Outside,
    /// Entering a cell costs 1 at least.
    ZeroCost,
    /// A unit's size is out of 1 to 16.
    BadSize,
    /// A line of a text (counted from 1) is longer or shorter than the first.
    Ragged(usize),
    /// A line (counted from 1) holds an unknown character.
    BadCharacter(usize),
    /// A line (counted from 1) of a MovingAI header or scenario is invalid.
    BadLine(usize),
    /// The text ends too early.
    TooShort,
    /// A number is NaN, infinite, or outside its range; the text names the number.
    BadNumber(&'static str),
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapError::Empty => write!(f, "a map has one cell at least"),
            MapError::TooLarge => {
                write!(f, "a map has at most 2^26 cells, and no side is longer than 32,768")
            }
            MapError::Outside => write!(f, "the cell is not on the map"),
            MapError::ZeroCost => write!(f, "entering a cell costs 1 at least"),
            MapError::BadSize => write!(f, "a unit is 1 to 16 cells wide"),
            MapError::Ragged(line) => write!(f, "line {line} is not as long as the first"),
            MapError::BadCharacter(line) => {
                write!(f, "line {line} holds a character that stands for nothing")
            }
            MapError::BadLine(line) => write!(f, "line {line} is not what the format asks for"),
            MapError::TooShort => write!(f, "the text ends before the map does"),
            MapError::BadNumber(rule) => write!(f, "{rule}"),
        }
    }
}

impl core::error::Error for MapError {}
