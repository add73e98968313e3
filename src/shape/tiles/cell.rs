//! What a cell of a tile map is: its kind, its material, and the corners of its kind.
//!
//! In: kinds from the user. Out: 16 bits a cell, and outlines in a cell of side 1.
//!
//! ```text
//!   SlopeUp  SlopeDown  CeilingUp  CeilingDown    HalfUpLow HalfUpHigh   HalfCeilingDownHigh HalfCeilingDownLow
//!      /|       |\        |‾‾/        \‾‾|            __--|    _--|            ‾--_|   |‾‾‾‾
//!     / |       | \       | /          \ |        _--     | -     |                    ‾--_|
//!    /__|       |__\      |/            \|        --------  ------
//! ```

/// What a cell of a [`TileMap`](super::TileMap) is.
///
/// "Up" rises to the right, "down" falls to the right. Slopes of a half rise by half of a cell: two
/// of them, low and high, side by side make a slope of 1 in 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[non_exhaustive]
pub enum CellKind {
    /// Nothing.
    #[default]
    Empty,
    /// All of the cell.
    Solid,
    /// Below the line from the lower left corner to the upper right one.
    SlopeUp,
    /// Below the line from the upper left corner to the lower right one.
    SlopeDown,
    /// Above the line from the lower left corner to the upper right one.
    CeilingUp,
    /// Above the line from the upper left corner to the lower right one.
    CeilingDown,
    /// Below the line from the lower left corner to the middle of the right side.
    HalfUpLow,
    /// Below the line from the middle of the left side to the upper right corner.
    HalfUpHigh,
    /// Below the line from the upper left corner to the middle of the right side.
    HalfDownHigh,
    /// Below the line from the middle of the left side to the lower right corner.
    HalfDownLow,
    /// Above the line from the lower left corner to the middle of the right side.
    HalfCeilingUpLow,
    /// Above the line from the middle of the left side to the upper right corner.
    HalfCeilingUpHigh,
    /// Above the line from the upper left corner to the middle of the right side.
    HalfCeilingDownHigh,
    /// Above the line from the middle of the left side to the lower right corner.
    HalfCeilingDownLow,
    /// All of the cell, but only for what comes from above in the frame of the map: see
    /// [`ShapeDef::one_way`](crate::ShapeDef::one_way).
    OneWay,
    /// All of the cell, but it only reports.
    Sensor,
}

impl CellKind {
    /// All of them, by number.
    pub(crate) const ALL: [CellKind; 16] = [
        CellKind::Empty,
        CellKind::Solid,
        CellKind::SlopeUp,
        CellKind::SlopeDown,
        CellKind::CeilingUp,
        CellKind::CeilingDown,
        CellKind::HalfUpLow,
        CellKind::HalfUpHigh,
        CellKind::HalfDownHigh,
        CellKind::HalfDownLow,
        CellKind::HalfCeilingUpLow,
        CellKind::HalfCeilingUpHigh,
        CellKind::HalfCeilingDownHigh,
        CellKind::HalfCeilingDownLow,
        CellKind::OneWay,
        CellKind::Sensor,
    ];

    /// The corners of the kind in a cell of side 1, counter-clockwise; none of an empty cell.
    pub(crate) fn corners(self) -> &'static [[f32; 2]] {
        match self {
            CellKind::Empty => &[],
            CellKind::Solid | CellKind::OneWay | CellKind::Sensor => {
                &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
            }
            CellKind::SlopeUp => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
            CellKind::SlopeDown => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            CellKind::CeilingUp => &[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            CellKind::CeilingDown => &[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            CellKind::HalfUpLow => &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]],
            CellKind::HalfUpHigh => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.5]],
            CellKind::HalfDownHigh => &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 1.0]],
            CellKind::HalfDownLow => &[[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]],
            CellKind::HalfCeilingUpLow => &[[0.0, 0.0], [1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            CellKind::HalfCeilingUpHigh => &[[0.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            CellKind::HalfCeilingDownHigh => &[[1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            CellKind::HalfCeilingDownLow => &[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.5]],
        }
    }

    /// Whether it fills the cell.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, CellKind::Solid | CellKind::OneWay | CellKind::Sensor)
    }

    /// The kind in a mirror in which left and right change places.
    pub(crate) fn mirrored(self) -> CellKind {
        match self {
            CellKind::SlopeUp => CellKind::SlopeDown,
            CellKind::SlopeDown => CellKind::SlopeUp,
            CellKind::CeilingUp => CellKind::CeilingDown,
            CellKind::CeilingDown => CellKind::CeilingUp,
            CellKind::HalfUpLow => CellKind::HalfDownLow,
            CellKind::HalfUpHigh => CellKind::HalfDownHigh,
            CellKind::HalfDownHigh => CellKind::HalfUpHigh,
            CellKind::HalfDownLow => CellKind::HalfUpLow,
            CellKind::HalfCeilingUpLow => CellKind::HalfCeilingDownLow,
            CellKind::HalfCeilingUpHigh => CellKind::HalfCeilingDownHigh,
            CellKind::HalfCeilingDownHigh => CellKind::HalfCeilingUpHigh,
            CellKind::HalfCeilingDownLow => CellKind::HalfCeilingUpLow,
            CellKind::Empty | CellKind::Solid | CellKind::OneWay | CellKind::Sensor => self,
        }
    }
}

/// A cell of a [`TileMap`](super::TileMap): what it is, and which of the shape's
/// [`part_materials`](crate::ShapeDef::part_materials) it has; the shape's own where there are not
/// so many.
///
/// ```
/// use carom::{Cell, CellKind};
///
/// let ice = Cell::new(CellKind::SlopeUp, 3);
/// assert_eq!(Cell::from(CellKind::Solid), Cell::SOLID);
/// assert_eq!((ice.kind, ice.material), (CellKind::SlopeUp, 3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// What it is.
    pub kind: CellKind,
    /// Number of its material.
    pub material: u8,
}

impl Cell {
    /// Nothing.
    pub const EMPTY: Cell = Cell::new(CellKind::Empty, 0);
    /// A full cell of the first material.
    pub const SOLID: Cell = Cell::new(CellKind::Solid, 0);

    /// A cell of a kind and a material.
    #[must_use]
    pub const fn new(kind: CellKind, material: u8) -> Cell {
        Cell { kind, material }
    }

    /// As 16 bits.
    pub(crate) fn packed(self) -> u16 {
        u16::from(self.material) | (self.kind as u16) << 8
    }

    /// Of such bits; those above the kind are left out.
    pub(crate) fn of_packed(bits: u16) -> Cell {
        Cell { kind: CellKind::ALL[usize::from(bits >> 8 & 15)], material: bits as u8 }
    }
}

impl From<CellKind> for Cell {
    fn from(kind: CellKind) -> Cell {
        Cell::new(kind, 0)
    }
}
