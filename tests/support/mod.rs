//! What the tests of the shape questions share: seeded random scenes, and a brute force in `f64` that
//! answers the same questions by other means.
//!
//! Each file in tests/ is a program of its own and takes only a part of this.
#![allow(dead_code, reason = "every test program uses another part of the support code")]

pub(crate) mod oracle;
pub(crate) mod random;

/// `many` in release builds, `few` in debug builds: how often a random test repeats.
pub(crate) const fn rounds(few: usize, many: usize) -> usize {
    if cfg!(debug_assertions) { few } else { many }
}
