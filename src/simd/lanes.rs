//! What a world computes with, where it is not left to the machine.
//!
//! In: the levels of this machine. Out: each of them by name, and the scalar reference beside them.
//! A world is told by [`World::set_lanes`](crate::World::set_lanes); checks of bits and
//! measurements do.

use core::fmt;

use super::Level;

/// The instructions that a world computes with. A world takes the widest that the machine has, and
/// comes to the same bits with any: this is for checking that, and for measuring what width is
/// worth.
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
    /// The widest of this machine; the scalar reference where it has none.
    fn default() -> Lanes {
        Lanes { level: Level::widest() }
    }
}

impl Lanes {
    /// The reference: contacts and joints one after the other. Only the search for pairs, which
    /// computes nothing, has lanes, the narrowest there are.
    #[must_use]
    pub fn scalar() -> Lanes {
        Lanes { level: Level::Scalar }
    }

    /// All that this machine can run: the scalar reference first, the widest last. SSE2 and AVX-512
    /// are for the passes of sub-steps; the rest is then scalar, or AVX2. Debug builds, which are to
    /// be built soon, have AVX2 alone.
    #[must_use]
    pub fn all() -> Vec<Lanes> {
        Level::all().into_iter().map(|level| Lanes { level }).collect()
    }

    /// `scalar`, or what the instruction set is called: `sse2`, `avx2`, `avx512`, `neon`,
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
