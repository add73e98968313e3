//! What a world computes with, where it is not left to the machine.
//!
//! In: the levels of this machine. Out: each of them by name, and the scalar reference beside them. A world is told by
//! [`World::set_lanes`](crate::World::set_lanes); checks of bits and measurements do.

use core::fmt;

use super::{EIGHT, Level};

/// The instructions that a world computes with. A world takes the widest that the machine has, and comes to the same bits with any:
/// this is for checking that, and for measuring what width is worth.
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
    /// Solves and tests one lane at a time: the reference, to the bit.
    pub(crate) one_by_one: bool,
}

impl Default for Lanes {
    /// The widest of this machine; the scalar reference where it has none.
    fn default() -> Lanes {
        Lanes { level: Level::new(), one_by_one: !EIGHT }
    }
}

impl Lanes {
    /// The reference: contacts and joints one after the other. Only the search for pairs, which computes nothing, has lanes, the
    /// narrowest there are.
    #[must_use]
    pub fn scalar() -> Lanes {
        Lanes { level: Level::baseline(), one_by_one: true }
    }

    /// All that this machine can run: the scalar reference first, the widest last.
    #[must_use]
    pub fn all() -> Vec<Lanes> {
        let wide = levels().into_iter().filter(|_| EIGHT).map(|level| Lanes { level, one_by_one: false });
        core::iter::once(Lanes::scalar()).chain(wide).collect()
    }

    /// `scalar`, or what the instruction set is called: `sse2`, `sse4.2`, `avx2`, `avx512`, `neon`, `simd128`; `fallback` is
    /// eight lanes on a machine that has none.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.one_by_one { "scalar" } else { name_of(self.level) }
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Every level that this machine can run, the narrowest first.
pub(crate) fn levels() -> Vec<Level> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let wider = {
        let best = Level::new();
        let (sse4_2, avx2) = (best.as_sse4_2().map(Level::Sse4_2), best.as_avx2().map(Level::Avx2));
        [sse4_2, avx2, best.as_avx512().map(Level::Avx512)]
    };
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let wider: [Option<Level>; 0] = [];
    core::iter::once(Level::baseline()).chain(wider.into_iter().flatten()).collect()
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn name_of(level: Level) -> &'static str {
    match level {
        _ if level.as_avx512().is_some() => "avx512",
        _ if level.as_avx2().is_some() => "avx2",
        _ if level.as_sse4_2().is_some() => "sse4.2",
        _ if level.is_fallback() => "fallback",
        _ => "sse2",
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn name_of(level: Level) -> &'static str {
    match level {
        _ if level.is_fallback() => "fallback",
        _ if cfg!(target_arch = "aarch64") => "neon",
        _ => "simd128",
    }
}
