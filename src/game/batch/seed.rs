//! Seeds of worlds, and the numbers that are drawn from them.
//!
//! In: the seed of a batch, the number of a world, how often it was reset. Out: 64 bits for it; and
//! from those bits a sequence of numbers: Steele's SplitMix64.

use glam::Vec2;

/// Mixes three numbers into 64 bits; each bit depends on all three: SplitMix64 over them.
pub(super) fn seed_of(seed: u64, number: usize, resets: u64) -> u64 {
    [number as u64, resets].into_iter().fold(mix(seed), |sum, part| mix(sum ^ part))
}

/// The step between two states of SplitMix64: 2⁶⁴ over the golden ratio.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of SplitMix64.
pub(super) fn mix(bits: u64) -> u64 {
    let mut z = bits.wrapping_add(STRIDE);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Numbers drawn from a seed, one after the other.
#[derive(Debug)]
pub(super) struct Draws(u64);

impl Draws {
    pub(super) fn new(seed: u64) -> Draws {
        Draws(seed)
    }

    /// A number of a range, `high` included by rounding alone.
    pub(super) fn number(&mut self, low: f32, high: f32) -> f32 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(STRIDE);
        // 24 bits are as many as a number has.
        let share = (bits >> 40) as f32 / (1_u32 << 24) as f32;
        // Halves do not overflow, and the sum of two shares does not leave the range.
        (low * (1.0 - share) + high * share).clamp(low, high)
    }

    /// A point of a box; x first.
    pub(super) fn vector(&mut self, low: Vec2, high: Vec2) -> Vec2 {
        let x = self.number(low.x, high.x);
        Vec2::new(x, self.number(low.y, high.y))
    }
}
