//! Bodies as lanes read them (gather and scatter): a row of 128 bytes is eight groups of four
//! words, here called quarters (of the 64 bytes of a cache line).
//!
//! In: the rows of bodies. Out: the quarters that a kernel names, gathered and scattered eight
//! bodies at a time, and whole bodies for scalar code. Words that are not floats pass through lanes
//! unchanged.

use super::Body;
use crate::simd::{Table, TableMut};
use crate::threads::Shared;

/// How many quarters a row has.
const COUNT: usize = 8;

/// The quarters of a row, and their contents.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub(crate) enum Quarter {
    /// `[region x, region y, center x, center y]`
    Place,
    /// `[cos, sin, local center x, local center y]`
    Turn,
    /// `[velocity x, velocity y, spin, sleep time]`
    Motion,
    /// `[inverse mass for x, for y, inverse inertia, gravity scale]`
    Mass,
    /// `[force x, force y, torque, linear damping]`
    Force,
    /// `[angular damping, flags, push limit, island]`
    State,
    /// `[first shape, awake index, mass, inertia]`
    Lists,
    /// `[reach, core, user data, user data]`
    Size,
}

/// Bodies that several chunks change, each its own.
#[derive(Clone, Copy)]
pub(crate) struct Quarters<'b>(Shared<'b, [[f32; 4]; COUNT]>);

impl<'b> Quarters<'b> {
    pub(crate) fn new(bodies: &'b mut [Body]) -> Quarters<'b> {
        Quarters(Shared::new(bytemuck::cast_slice_mut(bodies)))
    }

    /// One quarter of all bodies.
    #[inline(always)]
    pub(crate) fn all(&self, quarter: Quarter) -> AllOf<'b> {
        AllOf(self.0, quarter as usize)
    }

    /// A body, copied.
    #[inline(always)]
    pub(crate) fn body(&self, slot: u32) -> Body {
        bytemuck::cast(self.0.get(slot as usize))
    }

    /// Writes a body.
    #[inline(always)]
    pub(crate) fn set_body(&self, slot: u32, body: Body) {
        self.0.set(slot as usize, bytemuck::cast(body));
    }
}

/// One quarter of all bodies, by slot.
#[derive(Clone, Copy)]
pub(crate) struct AllOf<'b>(Shared<'b, [[f32; 4]; COUNT]>, usize);

impl Table for AllOf<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn row(&self, at: u32) -> [f32; 4] {
        self.0.part(at as usize, self.1)
    }
}

impl TableMut for AllOf<'_> {
    #[inline(always)]
    fn set_row(&mut self, at: u32, row: [f32; 4]) {
        self.0.set_part(at as usize, self.1, row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::offset_of;

    #[test]
    fn quarters_are_where_their_names_say() {
        let ends = [
            (Quarter::Place, offset_of!(Body, region), offset_of!(Body, center) + 8),
            (Quarter::Turn, offset_of!(Body, rotation), offset_of!(Body, local_center) + 8),
            (Quarter::Motion, offset_of!(Body, linear_velocity), offset_of!(Body, sleep_time) + 4),
            (Quarter::Mass, offset_of!(Body, inv_mass), offset_of!(Body, gravity_scale) + 4),
            (Quarter::Force, offset_of!(Body, force), offset_of!(Body, linear_damping) + 4),
            (Quarter::State, offset_of!(Body, angular_damping), offset_of!(Body, island) + 4),
            (Quarter::Lists, offset_of!(Body, first_shape), offset_of!(Body, inertia) + 4),
            (Quarter::Size, offset_of!(Body, max_extent), offset_of!(Body, user_data) + 8),
        ];
        for (quarter, begin, end) in ends {
            assert_eq!((begin, end), (quarter as usize * 16, quarter as usize * 16 + 16), "{quarter:?}");
        }
        assert_eq!(offset_of!(Body, flags), Quarter::State as usize * 16 + 4);
        assert_eq!(offset_of!(Body, min_extent), Quarter::Size as usize * 16 + 4);
    }
}
