//! The SIMD setting of a world.
//!
//! In: the levels of this machine. Out: each level by name, and the scalar reference.
//! [`World::set_lanes`](crate::World::set_lanes) sets it, for checks of bits and for measurements.

use core::fmt;

use super::Level;

/// The instruction set that a world computes with. A world takes the widest of the machine, and
/// computes the same bits with any. Use this to check the bits, and to measure the gain of wider
/// registers.
///
/// ```
/// use carom::{Lanes, World};
///
/// let mut world = World::default();
/// for lanes in Lanes::all() {
///     println!("{lanes}"); // scalar, sse2, …
///     world.set_lanes(lanes);
///     world.step(1.0 / 60.0)?;
/// }
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    pub(crate) level: Level,
}

impl Default for Lanes {
    /// Returns the widest level of this machine, or the scalar reference if it has none.
    fn default() -> Lanes {
        Lanes { level: Level::widest() }
    }
}

impl Lanes {
    /// Returns the scalar reference: contacts and joints one after the other. Only the search for
    /// pairs, which has no arithmetic, still uses lanes, the narrowest of the machine.
    #[must_use]
    pub fn scalar() -> Lanes {
        Lanes { level: Level::Scalar }
    }

    /// Returns all levels that this machine can run: the scalar reference first, the widest last.
    /// SSE2 and AVX-512 are only for the passes of sub-steps; other code then runs scalar, or with
    /// AVX2. Debug builds have AVX2 alone, to compile faster.
    #[must_use]
    pub fn all() -> Vec<Lanes> {
        Level::all().into_iter().map(|level| Lanes { level }).collect()
    }

    /// Returns `scalar`, or the name of the instruction set: `sse2`, `avx2`, `avx512`, `neon`,
    /// `simd128`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.level.name()
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
