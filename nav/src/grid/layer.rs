//! Layers of extra costs: danger, units in the way, claims. They come and go, and are never written
//! into the map.

/// Extra cost of a cell that must not be entered.
pub const BLOCKED: u32 = u32::MAX;

/// Extra costs of entering cells, beyond those of the map, in the same unit as
/// [`Map::cost`](super::Map::cost).
pub trait Layer {
    /// Extra cost of the cell with this index; [`BLOCKED`] closes it.
    fn extra(&self, index: usize) -> u32;

    /// Number of cells of the layer, if it is limited.
    fn cell_count(&self) -> Option<usize> {
        None
    }
}

macro_rules! layer_of {
    ($($number:ty)*) => { $(
        impl Layer for [$number] {
            #[inline]
            fn extra(&self, index: usize) -> u32 {
                u32::from(self[index])
            }

            fn cell_count(&self) -> Option<usize> {
                Some(self.len())
            }
        }
    )* };
}

layer_of! { u8 u16 u32 }

/// A layer whose extra costs are a function of the cell's number.
#[derive(Clone, Copy, Debug)]
pub struct By<F>(pub F);

impl<F: Fn(usize) -> u32> Layer for By<F> {
    #[inline]
    fn extra(&self, index: usize) -> u32 {
        (self.0)(index)
    }
}

/// The layer without extra costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bare;

impl Layer for Bare {
    #[inline]
    fn extra(&self, _: usize) -> u32 {
        0
    }
}
