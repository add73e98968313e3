//! The one random generator of the repository: the same numbers from a seed on every machine.
//!
//! In: a seed. Out: numbers, places, angles. Tests, benches, examples, rivals and the demo all draw
//! from it, so a scene that names its seed is the same scene everywhere.
//!
//! Each draw takes 64 bits. `f64` numbers are made from the upper 53 of them, `f32` numbers from
//! the upper 24, so a scene that draws `f32` never depends on how a wider number is rounded.

use core::f64::consts::{PI, TAU};

use carom::{Transform, Vec2, vec2};
use glam::DVec2;

/// SplitMix64 (Steele, Lea, Flood 2014: "Fast splittable pseudorandom number generators").
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

/// `f32` or `f64`: what [`Random::range`] can draw.
pub trait Real: Copy {
    /// `low` + (`high` - `low`) u, where u comes evenly from 0..1 by the upper bits of `bits`.
    fn between(low: Self, high: Self, bits: u64) -> Self;
}

impl Real for f32 {
    fn between(low: f32, high: f32, bits: u64) -> f32 {
        low + (high - low) * ((bits >> 40) as f32 / (1_u32 << 24) as f32)
    }
}

impl Real for f64 {
    fn between(low: f64, high: f64, bits: u64) -> f64 {
        low + (high - low) * ((bits >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

impl Random {
    /// A generator of its own; every seed is as good as any other.
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Any finite `f32`, all magnitudes alike: subnormal numbers and both zeros too.
    pub fn finite(&mut self) -> f32 {
        loop {
            let value = f32::from_bits(self.bits() as u32);
            if value.is_finite() {
                return value;
            }
        }
    }

    /// Evenly in 0..1. For an `f32`, write `range(0.0, 1.0)`.
    pub fn unit(&mut self) -> f64 {
        f64::between(0.0, 1.0, self.bits())
    }

    /// Evenly from `low` to `high`, of the type that the two have.
    pub fn range<T: Real>(&mut self, low: T, high: T) -> T {
        T::between(low, high, self.bits())
    }

    /// Between two positive numbers, evenly on a logarithmic scale.
    pub fn log_range(&mut self, low: f64, high: f64) -> f64 {
        self.range(low.log2(), high.log2()).exp2()
    }

    /// One of 0..`count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// One of many.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// -1 or 1.
    pub fn sign(&mut self) -> f64 {
        if self.below(2) == 0 { -1.0 } else { 1.0 }
    }

    /// In radians; one in four is a multiple of an eighth turn.
    pub fn angle(&mut self) -> f32 {
        match self.below(4) {
            0 => ((self.below(9) as f64 - 4.0) * 0.25 * PI) as f32,
            _ => self.range(-PI, PI) as f32,
        }
    }

    /// A unit vector.
    pub fn direction(&mut self) -> DVec2 {
        let (sin, cos) = self.range(0.0, TAU).sin_cos();
        DVec2::new(cos, sin)
    }

    /// Anywhere in a square of half-side `reach` around the origin; drawn in `f64`, then rounded.
    pub fn vec2(&mut self, reach: f64) -> Vec2 {
        let x = self.range(-reach, reach) as f32;
        vec2(x, self.range(-reach, reach) as f32)
    }

    /// Anywhere in a square of half-side `half` around the origin; drawn in `f32`.
    pub fn square(&mut self, half: f32) -> Vec2 {
        let x = self.range(-half, half);
        vec2(x, self.range(-half, half))
    }

    /// A pose within a square of half-side `reach`, turned by an [`angle`](Self::angle).
    pub fn transform(&mut self, reach: f64) -> Transform {
        Transform::new(self.vec2(reach), self.angle())
    }
}
