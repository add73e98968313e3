//! The instruction sets that kernels are compiled for, and the choice among them.
//!
//! In: the processor, asked once. Out: a [`Level`]; and `dispatch!` and `dispatch_wide!`, which run
//! a kernel at it.
//!
//! Every level is one more copy of every kernel in everybody's build. On x86-64 there are the
//! scalar reference, SSE2, which every processor has, and AVX2, which nearly every one has. The
//! feature `avx512` adds AVX-512: 1.07 times as quick as AVX2 in the mean of ten scenes (Zen 4).
//! There is no SSE4.2: it has few instructions that kernels could use and SSE2 lacks.

use super::{AllLanes, LANES, OneLane, Vectors};

/// An instruction set.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// One lane after the other: the reference, to the bit.
    Scalar,
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Sse2(fearless_simd::Sse2),
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Avx2(fearless_simd::Avx2),
    #[cfg(all(
        feature = "avx512",
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2"
    ))]
    Avx512(fearless_simd::Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(fearless_simd::WasmSimd128),
}

impl Level {
    /// The widest that this machine and this build have.
    pub(crate) fn widest() -> Level {
        wide_levels().last().unwrap_or(Level::Scalar)
    }

    /// All that this machine can run: the scalar reference first, the widest last.
    pub(crate) fn all() -> Vec<Level> {
        core::iter::once(Level::Scalar).chain(wide_levels()).collect()
    }

    /// The narrowest wide one in place of the scalar one: for what computes nothing and has no
    /// scalar twin.
    pub(crate) fn or_narrowest(self) -> Level {
        match self {
            Level::Scalar => wide_levels().next().unwrap_or(Level::Scalar),
            #[allow(unreachable_patterns, reason = "the only one on targets without vectors")]
            wide => wide,
        }
    }

    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Level::Scalar)
    }

    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Level::Sse2(_) => "sse2",
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            Level::Avx2(_) => "avx2",
            #[cfg(all(
                feature = "avx512",
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            Level::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128(_) => "simd128",
        }
    }
}

/// What is wide of all that this machine can run: the narrowest first.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
fn wide_levels() -> impl Iterator<Item = Level> {
    let machine = fearless_simd::Level::new();
    let levels = [
        machine.as_sse2().map(Level::Sse2),
        machine.as_avx2().map(Level::Avx2),
        #[cfg(feature = "avx512")]
        machine.as_avx512().map(Level::Avx512),
    ];
    levels.into_iter().flatten()
}

/// The one that this target has.
#[cfg(target_arch = "aarch64")]
fn wide_levels() -> impl Iterator<Item = Level> {
    fearless_simd::Level::new().as_neon().map(Level::Neon).into_iter()
}

/// The one that this target has.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn wide_levels() -> impl Iterator<Item = Level> {
    fearless_simd::Level::new().as_wasm_simd128().map(Level::Simd128).into_iter()
}

/// None: eight lanes of single numbers are no faster than one after the other, and LLVM needs
/// longer for them than anyone waits.
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
    /// Each a [`Width`](super::Width) of its own.
    #[inline(always)]
    pub(crate) fn each(self) -> impl Iterator<Item = OneLane> {
        (0..LANES).map(OneLane)
    }
}

/// The lanes of a block, all at a time.
#[derive(Clone, Copy)]
pub(crate) struct Wide<S>(pub(crate) S);

impl<S: Vectors> Wide<S> {
    /// The one [`Width`](super::Width) that there is to go through.
    #[inline(always)]
    pub(crate) fn each(self) -> impl Iterator<Item = AllLanes<S>> {
        Some(AllLanes(self.0)).into_iter()
    }
}

/// Runs `$body` with `$lanes` the lanes of a level: `for w in $lanes.each() { kernel(w, …) }` is
/// the kernel in each lane, or in all.
///
/// The body is compiled for each level: loops over blocks belong into it, tables and lists do not.
/// What it calls is `#[inline(always)]` or begins with [`Width::apart`](super::Width::apart):
/// anything else loses the wide registers. It is a closure: no `return`, no `?`.
///
/// The second form has a body for one lane after the other, and one for all of them, with `$simd`
/// their vectors.
macro_rules! dispatch {
    ($level:expr, $lanes:ident => $body:expr) => {
        $crate::simd::dispatch!(
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
    ($level:expr, serial => $one_by_one:expr, $simd:ident => $wide:expr) => {
        match $level {
            $crate::simd::Level::Scalar => $one_by_one,
            #[cfg(any(
                all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
                target_arch = "aarch64",
                all(target_arch = "wasm32", target_feature = "simd128")
            ))]
            level => $crate::simd::dispatch_wide!(level, $simd => $wide),
        }
    };
}

/// Runs `$body` with `$simd` the vectors of a level; of the narrowest where that is
/// [`Level::Scalar`].
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
macro_rules! dispatch_wide {
    ($level:expr, $simd:ident => $body:expr) => {
        match $crate::simd::Level::or_narrowest($level) {
            $crate::simd::Level::Avx2($simd) => $crate::simd::with_features(
                $simd,
                #[inline(always)]
                || $body,
            ),
            #[cfg(feature = "avx512")]
            $crate::simd::Level::Avx512($simd) => $crate::simd::with_features(
                $simd,
                #[inline(always)]
                || $body,
            ),
            $crate::simd::Level::Sse2($simd) => $crate::simd::with_features(
                $simd,
                #[inline(always)]
                || $body,
            ),
            $crate::simd::Level::Scalar => unreachable!("SSE2 is there"),
        }
    };
}

/// The same for a target with one set of vectors.
#[cfg(target_arch = "aarch64")]
macro_rules! dispatch_wide {
    ($level:expr, $simd:ident => $body:expr) => {
        match $crate::simd::Level::or_narrowest($level) {
            $crate::simd::Level::Neon($simd) => $crate::simd::with_features(
                $simd,
                #[inline(always)]
                || $body,
            ),
            $crate::simd::Level::Scalar => unreachable!("NEON is there"),
        }
    };
}

/// The same for a target with one set of vectors.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
macro_rules! dispatch_wide {
    ($level:expr, $simd:ident => $body:expr) => {
        match $crate::simd::Level::or_narrowest($level) {
            $crate::simd::Level::Simd128($simd) => $crate::simd::with_features(
                $simd,
                #[inline(always)]
                || $body,
            ),
            $crate::simd::Level::Scalar => unreachable!("simd128 is there"),
        }
    };
}

/// The same for a target without: what has no scalar twin has lanes of single numbers.
#[cfg(not(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
macro_rules! dispatch_wide {
    ($level:expr, $simd:ident => $body:expr) => {
        match $level {
            $crate::simd::Level::Scalar => {
                let $simd = fearless_simd::Fallback::new();
                $body
            }
        }
    };
}

pub(crate) use {dispatch, dispatch_wide};

/// Runs a kernel compiled for the instructions of `simd`.
#[inline(always)]
pub(crate) fn with_features<S: Vectors, R>(simd: S, kernel: impl FnOnce() -> R) -> R {
    simd.vectorize(kernel)
}
