//! Numbers that look random, and are the same in every run: SplitMix64.

use carom::{Vec2, vec2};

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// From 0 to 1, the end left out.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u32 << 24) as f32
    }

    pub(crate) fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// In a square around the origin.
    pub(crate) fn point(&mut self, reach: f32) -> Vec2 {
        vec2(self.range(-reach, reach), self.range(-reach, reach))
    }
}
