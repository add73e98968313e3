//! Random numbers of the unit tests: Steele's SplitMix64. Other tests use `testkit`.

/// A stream of random numbers from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number of `0..count`.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.bits() % count
    }

    /// Returns a number of `low..high`, in 2^24 steps.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 40) as f32 / 16_777_216.0)
    }
}
