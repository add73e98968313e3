//! Numbers from bytes.
//!
//! In: the bytes of an input, taken from the front. Out: numbers, most of them such as a program
//! would say, some of them not. Bytes that are used up count as zeros, so that every input means
//! something, and a shorter one nearly the same.

use arbitrary::Unstructured;
use carom::{Rot, Transform, Vec2, WorldPoint, vec2};

/// Numbers that break rules, or nearly do: see tests/misuse/bad_input/.
const HOSTILE: [f32; 24] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    -0.0,
    1.0e-45,
    1.0e-40,
    f32::MIN_POSITIVE,
    f32::MAX,
    f32::MIN,
    -1.0e-3,
    1.0e-9,
    1.0e-6,
    1.0e-5,
    1.0e-4,
    1.0e3,
    511.999_97,
    512.0,
    1.0e5,
    -1.0e5,
    1.0e6,
    1.0e9,
    -1.0e9,
    1.000_000_1e9,
    3.0e38,
];

/// What is left of an input.
pub(super) struct Input<'b>(Unstructured<'b>);

impl<'b> Input<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Input<'b> {
        Input(Unstructured::new(bytes))
    }

    pub(super) fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub(super) fn word(&mut self) -> u32 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// One of 0..count.
    pub(super) fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    /// True once in `count` times.
    pub(super) fn once_in(&mut self, count: usize) -> bool {
        // The last value, not the first: bytes that are used up say no.
        self.below(count) + 1 == count
    }

    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Within ±14 as a rule, in eighths; a hostile number, or any bits, now and then.
    pub(super) fn number(&mut self) -> f32 {
        match self.byte() {
            byte @ 0..=223 => (f32::from(byte) - 112.0) / 8.0,
            byte @ 224..=247 => HOSTILE[usize::from(byte - 224)],
            248..=251 => f32::from_bits(self.word()),
            // Any bits, brought near.
            _ => (self.word() >> 8) as f32 / (1 << 20) as f32 - 8.0,
        }
    }

    /// 1/16 to 4 as a rule.
    pub(super) fn size(&mut self) -> f32 {
        match self.byte() {
            byte @ 0..=63 => f32::from(byte + 1) / 16.0,
            byte @ 64..=223 => f32::from(byte - 63) / 40.0,
            byte @ 224..=247 => HOSTILE[usize::from(byte - 224)],
            248..=251 => f32::from_bits(self.word()),
            _ => self.word() as f32 / u32::MAX as f32,
        }
    }

    pub(super) fn vector(&mut self) -> Vec2 {
        vec2(self.number(), self.number())
    }

    pub(super) fn angle(&mut self) -> f32 {
        match self.below(4) {
            0 => 0.0,
            1 => core::f32::consts::FRAC_PI_4 * self.below(8) as f32,
            2 => f32::from(self.byte()) / 40.0 - 3.2,
            _ => self.number(),
        }
    }

    /// Near the origin as a rule, or near that of another region, or anywhere.
    pub(super) fn place(&mut self) -> WorldPoint {
        let local = self.vector();
        if !self.once_in(16) {
            return local.into();
        }
        let far = [0, 1, -1, 1_000_000, i32::MAX, i32::MIN];
        let (x, y) = (self.pick(&far), self.pick(&far));
        let region = if self.once_in(8) { [self.word() as i32, y] } else { [x, y] };
        WorldPoint { region: region.into(), local }
    }

    pub(super) fn transform(&mut self) -> Transform {
        let position = self.vector();
        if self.once_in(16) {
            return Transform { position, rotation: Rot { cos: self.number(), sin: self.number() } };
        }
        Transform::new(position, self.angle())
    }
}
