//! The instruction sets that kernels are compiled for, and the choice among them.
//!
//! In: the processor, asked once. Out: a [`Level`]; and `dispatch!` and `dispatch_wide!`, which run
//! a kernel at it.
//!
//! Every level is one more copy of a kernel in every build. So on x86-64 each kernel is compiled
//! twice: as the scalar reference, and for AVX2, which nearly every processor has. Only hot
//! kernels, the passes over all contacts in every sub-step, are compiled for all levels: also for
//! SSE2, which every processor has, and for AVX-512. A processor without AVX2 runs the scalar
//! reference elsewhere. A pyramid of 1,830 boxes on Zen 4, ms a step: scalar 1.79, SSE2 1.13, AVX2
//! 0.66, AVX-512 0.61. (Tried: all kernels for AVX-512 and SSE2 as well: 1.04 times as quick in the
//! mean of ten scenes, and 1.3 times as long to build. A net of 900 joints that are iterated:
//! scalar 1.35, SSE2 0.49 to 0.68, AVX2 0.605, AVX-512 0.595; so joints have no copies for SSE2 and
//! AVX-512, which took a thirtieth of the build.) There is no SSE4.2: kernels could use few of the
//! instructions that it adds to SSE2.
//!
//! Debug builds have no copies of hot kernels for SSE2 and AVX-512 either, to compile faster. The
//! golden hashes of release builds (`tests/determinism/golden.rs`) compare these two levels with
//! the bits of the scalar reference.

use super::{AllLanes, LANES, OneLane, Vectors};

/// An instruction set.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// One lane after the other: the reference for all bits.
    Scalar,
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Sse2(fearless_simd::Sse2),
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Avx2(fearless_simd::Avx2),
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Avx512(fearless_simd::Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(fearless_simd::WasmSimd128),
}

impl Level {
    /// Returns the widest level that this machine and this build have.
    pub(crate) fn widest() -> Level {
        wide_levels().last().unwrap_or(Level::Scalar)
    }

    /// Returns all levels that this machine can run: the scalar reference first, the widest last.
    pub(crate) fn all() -> Vec<Level> {
        core::iter::once(Level::Scalar).chain(wide_levels()).collect()
    }

    /// Replaces the scalar level by the narrowest wide one: for code without arithmetic, which has
    /// no scalar version.
    pub(crate) fn or_narrowest(self) -> Level {
        match self {
            Level::Scalar => wide_levels().next().unwrap_or(Level::Scalar),
            #[allow(unreachable_patterns, reason = "the only one on targets without vectors")]
            wide => wide,
        }
    }

    /// Returns the level for hot kernels: any level, but in debug builds the same as for others.
    pub(crate) fn hot(self) -> Level {
        if cfg!(debug_assertions) { self.warm() } else { self }
    }

    /// Returns the level for other kernels. A browser has one level, and kernels have no scalar
    /// versions there that a page would have to load.
    pub(crate) fn warm(self) -> Level {
        let level = self.in_phases();
        if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
            level.or_narrowest()
        } else {
            level
        }
    }

    /// Returns the level for passes in phases, where some phases go lane by lane.
    pub(crate) fn in_phases(self) -> Level {
        match self {
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Level::Sse2(_) => Level::Scalar,
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Level::Avx512(wider) => {
                fearless_simd::Level::Avx512(wider).as_avx2().map_or(Level::Scalar, Level::Avx2)
            }
            same => same,
        }
    }

    /// Returns the name of the level.
    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Level::Sse2(_) => "sse2",
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Level::Avx2(_) => "avx2",
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Level::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(_) => "simd128",
        }
    }
}

/// Returns the wide levels that this machine can run, the narrowest first; in debug builds one.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
fn wide_levels() -> impl Iterator<Item = Level> {
    let machine = fearless_simd::Level::new();
    let sse2 = machine.as_sse2().map(Level::Sse2);
    let avx2 = machine.as_avx2().map(Level::Avx2);
    let avx512 = machine.as_avx512().map(Level::Avx512);
    let levels = if cfg!(debug_assertions) { [avx2.or(sse2), None, None] } else { [sse2, avx2, avx512] };
    levels.into_iter().flatten()
}

/// Returns the one wide level of this target.
#[cfg(target_arch = "aarch64")]
fn wide_levels() -> impl Iterator<Item = Level> {
    fearless_simd::Level::new().as_neon().map(Level::Neon).into_iter()
}

/// Returns the one wide level of this target.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn wide_levels() -> impl Iterator<Item = Level> {
    fearless_simd::Level::new().as_wasm_simd128().map(Level::Simd128).into_iter()
}

/// Returns nothing: eight lanes of single numbers are no faster than one after the other, and LLVM
/// takes too long to compile them.
#[cfg(not(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
fn wide_levels() -> impl Iterator<Item = Level> {
    core::iter::empty()
}

/// The lanes of a block, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Serial;

impl Serial {
    /// Returns each lane as a [`Width`](super::Width).
    #[inline(always)]
    pub(crate) fn each(self) -> impl Iterator<Item = OneLane> {
        (0..LANES).map(OneLane)
    }
}

/// The lanes of a block, all at a time.
#[derive(Clone, Copy)]
pub(crate) struct Wide<S>(pub(crate) S);

impl<S: Vectors> Wide<S> {
    /// Returns all lanes as one [`Width`](super::Width).
    #[inline(always)]
    pub(crate) fn each(self) -> impl Iterator<Item = AllLanes<S>> {
        Some(AllLanes(self.0)).into_iter()
    }
}

/// Runs `$body` with `$lanes` as the lanes of a level: `for w in $lanes.each() { kernel(w, …) }`
/// runs the kernel in each lane, or in all at once.
///
/// The body is compiled for each level: put loops over blocks into it, but no tables and lists.
/// Functions that it calls must be `#[inline(always)]` or begin with
/// [`Width::apart`](super::Width::apart): others lose the wide registers. It is a closure: no
/// `return`, no `?`.
///
/// The second form has a body for one lane after the other, and a body for all lanes, with `$simd`
/// as their vectors. `hot` before the level compiles for all levels: see the head. `in_phases`
/// keeps the scalar version for phases that go lane by lane.
macro_rules! dispatch {
    (hot $level:expr, $($bodies:tt)*) => {
        $crate::simd::dispatch!(@hot, $level, $($bodies)*)
    };
    (@$heat:ident, $level:expr, $lanes:ident => $body:expr) => {
        $crate::simd::dispatch!(
            @$heat,
            $level,
            serial => {
                let $lanes = $crate::simd::Serial;
                $body
            },
            simd => {
                let $lanes = $crate::simd::Wide(simd);
                $body
            }
        )
    };
    (@$heat:ident, $level:expr, serial => $one_by_one:expr, $simd:ident => $wide:expr) => {
        match $crate::simd::Level::$heat($level) {
            // Type-checked, so that nothing is unused, but never compiled.
            #[cfg(not(any(
                all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
                target_arch = "aarch64",
                all(target_arch = "wasm32", target_feature = "simd128")
            )))]
            level if false => {
                let _ = || $crate::simd::at_level!($heat, level, $simd => $wide);
                unreachable!()
            }
            $crate::simd::Level::Scalar => $one_by_one,
            #[cfg(any(
                all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
                target_arch = "aarch64",
                all(target_arch = "wasm32", target_feature = "simd128")
            ))]
            level => $crate::simd::at_level!($heat, level, $simd => $wide),
        }
    };
    (in_phases $level:expr, $($bodies:tt)*) => {
        $crate::simd::dispatch!(@in_phases, $level, $($bodies)*)
    };
    ($level:expr, $($bodies:tt)*) => {
        $crate::simd::dispatch!(@warm, $level, $($bodies)*)
    };
}

/// Runs `$body`, which has no scalar version, with `$simd` as the vectors of a level; the scalar
/// level counts as the narrowest wide one.
macro_rules! dispatch_wide {
    ($level:expr, $simd:ident => $body:expr) => {
        $crate::simd::at_level!(
            no_twin,
            $crate::simd::Level::or_narrowest($crate::simd::Level::warm($level)),
            $simd => $body
        )
    };
}

/// Runs `$body` with the vectors of a level that it was compiled for. On x86 that is AVX2; for hot
/// kernels all levels; for kernels without a scalar version also SSE2, which every processor has.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
macro_rules! at_level {
    (warm, $level:expr, $simd:ident => $body:expr) => {
        $crate::simd::with_vectors!($level, $simd => $body, Avx2)
    };
    (in_phases, $level:expr, $simd:ident => $body:expr) => {
        $crate::simd::with_vectors!($level, $simd => $body, Avx2)
    };
    (no_twin, $level:expr, $simd:ident => $body:expr) => {
        $crate::simd::with_vectors!($level, $simd => $body, Sse2, Avx2)
    };
    (hot, $level:expr, $simd:ident => $body:expr) => {
        $crate::simd::hot_vectors!($level, $simd => $body)
    };
}

/// Runs `$body` at one of the levels of hot kernels.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2", not(debug_assertions)))]
macro_rules! hot_vectors {
    ($level:expr, $simd:ident => $body:expr) => {
        $crate::simd::with_vectors!($level, $simd => $body, Sse2, Avx2, Avx512)
    };
}

/// Runs `$body` in debug builds, where hot kernels have no more levels than others.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2", debug_assertions))]
macro_rules! hot_vectors {
    ($level:expr, $simd:ident => $body:expr) => {
        $crate::simd::with_vectors!($level, $simd => $body, Avx2)
    };
}

/// Runs `$body` on a target with one set of vectors.
#[cfg(target_arch = "aarch64")]
macro_rules! at_level {
    ($heat:ident, $level:expr, $simd:ident => $body:expr) => {
        $crate::simd::with_vectors!($level, $simd => $body, Neon)
    };
}

/// Runs `$body` on a target with one set of vectors.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
macro_rules! at_level {
    ($heat:ident, $level:expr, $simd:ident => $body:expr) => {
        $crate::simd::with_vectors!($level, $simd => $body, Simd128)
    };
}

/// Runs `$body` on a target without vectors: kernels without a scalar version use emulated lanes.
#[cfg(not(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
macro_rules! at_level {
    ($heat:ident, $level:expr, $simd:ident => $body:expr) => {{
        let $crate::simd::Level::Scalar = $level;
        let $simd = fearless_simd::Fallback::new();
        $body
    }};
}

/// Runs `$body` at one of the given levels.
#[cfg(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! with_vectors {
    ($level:expr, $simd:ident => $body:expr, $($set:ident),*) => {
        match $level {
            $($crate::simd::Level::$set($simd) => $crate::simd::with_features(
                $simd,
                #[inline(always)]
                || $body,
            ),)*
            _ => unreachable!("no kernel has this level"),
        }
    };
}

#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(crate) use hot_vectors;
#[cfg(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use with_vectors;
pub(crate) use {at_level, dispatch, dispatch_wide};

/// Runs a kernel compiled for the instructions of `simd`.
#[cfg(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[inline(always)]
pub(crate) fn with_features<S: Vectors, R>(simd: S, kernel: impl FnOnce() -> R) -> R {
    simd.vectorize(kernel)
}
