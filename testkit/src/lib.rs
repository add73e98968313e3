//! What carom's tests, benches, examples, rivals and demo share, so that each scene is written
//! once.

pub mod boxes;
pub mod build;
pub mod calls;
pub mod chaos;
pub mod cloth;
pub mod convex;
pub mod doll;
pub mod draw;
#[cfg(feature = "fuzz")]
pub mod fuzz;
pub mod golden;
pub mod joint_defs;
pub mod joint_scenes;
pub mod level;
pub mod memory;
pub mod oracle;
pub mod pair_rules;
pub mod pile;
pub mod played;
pub mod pyramid;
pub mod random;
pub mod samples;
pub mod scenes;
pub mod worlds;

/// `many` in release builds, `few` in debug builds: how often a random test repeats.
pub const fn rounds(few: usize, many: usize) -> usize {
    if cfg!(debug_assertions) { few } else { many }
}

/// The same for tests that would take minutes: `most` where the environment has `CAROM_LONG`, as in
/// `CAROM_LONG=1 cargo test --release -p carom-tests`.
#[must_use]
pub fn long_rounds(few: usize, many: usize, most: usize) -> usize {
    if std::env::var_os("CAROM_LONG").is_some() { most } else { rounds(few, many) }
}

/// The greater of two numbers, the first one if the second is none. (`f32::max` is refused by the
/// linter, since of two zeros it may be either.)
#[must_use]
pub fn greater<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// The smaller of two numbers, the first one if the second is none.
#[must_use]
pub fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}
