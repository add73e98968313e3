//! Determinism: the same bits everywhere.
//!
//! Two worlds with the same calls in the same order hold the same bits after any number of steps:
//! on x86-64 with SSE2, AVX2 or AVX-512, on 64-bit Arm, in a browser; in debug builds and in
//! release builds; on one thread or on eight. There is no switch for it.
//!
//! # How
//!
//! - IEEE 754 fixes the rounding of basic arithmetic and square roots. carom uses no other
//!   mathematics of the standard library: sine, cosine and arc tangent are its own
//!   ([`math::sin_cos`](crate::math::sin_cos), [`math::atan2`](crate::math::atan2)).
//! - There is no fused multiply-add, no approximate reciprocal, no sum across lanes. The kernels
//!   for one contact and for eight have one source.
//! - Nothing depends on addresses, hashes of a map, time, or the order of threads. Contacts of one
//!   colour share no body that moves.
//! - Distant places are no exception: coordinates are regions and offsets, and only differences of
//!   regions count.
//!
//! # What you have to do
//!
//! - Make the same calls in the same order. Iterating over a `HashMap` of players, and pushing
//!   each, is the usual way to diverge.
//! - Step by the same `dt`: 1.0 / 60.0, not the frame time.
//! - Compute the arguments of calls in a way that is equal on every machine. `f32::sin` of the
//!   standard library is not; use [`math::sin_cos`](crate::math::sin_cos), [`Rot`](crate::Rot), and
//!   friends.
//! - Hooks must depend on their arguments alone.
//! - Use exactly the same version of carom on all machines. Minor versions may change bits, and so
//!   may a patch that mends a panic, a hang or a wrong answer (`docs/versions.md`).
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
