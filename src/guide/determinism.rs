//! Determinism: the same bits everywhere.
//!
//! Two worlds that are given the same calls in the same order hold the same bits after any number
//! of steps: on x86-64 with SSE2, AVX2 or AVX-512, on 64-bit Arm, in a browser; in debug builds and
//! in release builds; on one thread or on eight. There is no switch for it.
//!
//! # How
//!
//! - IEEE 754 fixes the rounding of basic arithmetic and square roots. Nothing else of the standard
//!   library's mathematics is used: sine, cosine and arc tangent are carom's own
//!   ([`math::sin_cos`](crate::math::sin_cos), [`math::atan2`](crate::math::atan2)).
//! - No fused multiply-add, no approximate reciprocals, no sums across lanes. The kernel for one
//!   contact and the one for eight are one source.
//! - Nothing depends on addresses, hashes of a map, time, or on which thread came first. Contacts
//!   of one colour share no body that moves.
//! - Places far out are no exception: coordinates are regions and offsets, and only differences of
//!   regions count.
//!
//! # What you have to do
//!
//! - Give the same calls in the same order. Iterating over a `HashMap` of players, and pushing
//!   each, is the usual way to diverge.
//! - Step by the same `dt`: 1.0 / 60.0, not the frame time.
//! - Compute what you give to the world in a way that is the same everywhere. `f32::sin` of the
//!   standard library is not; use [`math::sin_cos`](crate::math::sin_cos), [`Rot`](crate::Rot), and
//!   friends.
//! - Hooks must depend on what they are given, and on nothing else.
//! - Use the same version of carom: results may change between minor versions, for the better.
//!
//! # How it is tested
//!
//! Thirteen scenes have golden hashes in the repository, which tests compare at every level of SIMD
//! and for several numbers of threads; scripts in `ci/` do it on Arm, in WebAssembly and for other
//! optimisation levels. Print them yourself:
//!
//! ```text
//! cargo run --release -p carom-examples --example hash -- --scene pyramid --steps 500
//! ```
