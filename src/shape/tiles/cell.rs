//! Cells of a tile map: kind, material, and the corners of each kind.
//!
//! In: kinds from the user. Out: 16 bits a cell, and outlines in a cell of side 1.
//!
//! ```text
//!   SlopeUp   SlopeDown   CeilingUp   CeilingDown
//!      /|       |\         +--/         \--+         a half slope rises by half a cell:
//!     / |       | \        | /           \ |         HalfUpLow and HalfUpHigh side by side make
//!    +--+       +--+       |/             \|         a slope of 1 in 2
//! ```

/// The kind of a cell of a [`TileMap`](super::TileMap).
///
/// "Up" rises to the right, "down" falls to the right. Slopes of a half rise by half of a cell: two
/// of them, low and high, side by side make a slope of 1 in 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[non_exhaustive]
pub enum TileKind {
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
    /// All of the cell, but only for bodies that come from above in the frame of the map: see
    /// [`ShapeDef::one_way`](crate::ShapeDef::one_way).
    OneWay,
    /// All of the cell, but it only reports.
    Sensor,
}

impl TileKind {
    /// All kinds: empty first, then solid kinds, sensors last.
    pub const ALL: [TileKind; 16] = [
        TileKind::Empty,
        TileKind::Solid,
        TileKind::SlopeUp,
        TileKind::SlopeDown,
        TileKind::CeilingUp,
        TileKind::CeilingDown,
        TileKind::HalfUpLow,
        TileKind::HalfUpHigh,
        TileKind::HalfDownHigh,
        TileKind::HalfDownLow,
        TileKind::HalfCeilingUpLow,
        TileKind::HalfCeilingUpHigh,
        TileKind::HalfCeilingDownHigh,
        TileKind::HalfCeilingDownLow,
        TileKind::OneWay,
        TileKind::Sensor,
    ];

    /// The corners of the kind in a cell of side 1, counter-clockwise; none of an empty cell.
    pub(crate) fn corners(self) -> &'static [[f32; 2]] {
        match self {
            TileKind::Empty => &[],
            TileKind::Solid | TileKind::OneWay | TileKind::Sensor => {
                &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
            }
            TileKind::SlopeUp => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
            TileKind::SlopeDown => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            TileKind::CeilingUp => &[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            TileKind::CeilingDown => &[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            TileKind::HalfUpLow => &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]],
            TileKind::HalfUpHigh => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.5]],
            TileKind::HalfDownHigh => &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 1.0]],
            TileKind::HalfDownLow => &[[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]],
            TileKind::HalfCeilingUpLow => &[[0.0, 0.0], [1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            TileKind::HalfCeilingUpHigh => &[[0.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            TileKind::HalfCeilingDownHigh => &[[1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            TileKind::HalfCeilingDownLow => &[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.5]],
        }
    }

    /// Whether it fills the cell.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, TileKind::Solid | TileKind::OneWay | TileKind::Sensor)
    }

    /// The kind in a mirror in which left and right change places.
    pub(crate) fn mirrored(self) -> TileKind {
        match self {
            TileKind::SlopeUp => TileKind::SlopeDown,
            TileKind::SlopeDown => TileKind::SlopeUp,
            TileKind::CeilingUp => TileKind::CeilingDown,
            TileKind::CeilingDown => TileKind::CeilingUp,
            TileKind::HalfUpLow => TileKind::HalfDownLow,
            TileKind::HalfUpHigh => TileKind::HalfDownHigh,
            TileKind::HalfDownHigh => TileKind::HalfUpHigh,
            TileKind::HalfDownLow => TileKind::HalfUpLow,
            TileKind::HalfCeilingUpLow => TileKind::HalfCeilingDownLow,
            TileKind::HalfCeilingUpHigh => TileKind::HalfCeilingDownHigh,
            TileKind::HalfCeilingDownHigh => TileKind::HalfCeilingUpHigh,
            TileKind::HalfCeilingDownLow => TileKind::HalfCeilingUpLow,
            TileKind::Empty | TileKind::Solid | TileKind::OneWay | TileKind::Sensor => self,
        }
    }
}

/// A cell of a [`TileMap`](super::TileMap): its kind, and the number of its material among the
/// shape's [`part_materials`](crate::ShapeDef::part_materials). The shape's own material counts if
/// there are not so many.
///
/// ```
/// use carom::{TileCell, TileKind};
///
/// let ice = TileCell::new(TileKind::SlopeUp, 3);
/// assert_eq!(TileCell::from(TileKind::Solid), TileCell::SOLID);
/// assert_eq!((ice.kind, ice.material), (TileKind::SlopeUp, 3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TileCell {
    /// Its kind.
    pub kind: TileKind,
    /// Number of its material.
    pub material: u8,
}

impl TileCell {
    /// Nothing.
    pub const EMPTY: TileCell = TileCell::new(TileKind::Empty, 0);
    /// A full cell of the first material.
    pub const SOLID: TileCell = TileCell::new(TileKind::Solid, 0);

    /// A cell of a kind and a material.
    #[must_use]
    pub const fn new(kind: TileKind, material: u8) -> TileCell {
        TileCell { kind, material }
    }

    /// As 16 bits.
    pub(crate) fn packed(self) -> u16 {
        u16::from(self.material) | (self.kind as u16) << 8
    }

    /// Returns the cell of packed bits; bits above the kind are ignored.
    pub(crate) fn of_packed(bits: u16) -> TileCell {
        TileCell { kind: TileKind::ALL[usize::from(bits >> 8 & 15)], material: bits as u8 }
    }
}

impl From<TileKind> for TileCell {
    fn from(kind: TileKind) -> TileCell {
        TileCell::new(kind, 0)
    }
}
