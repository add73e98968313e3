//! Boxes that go to and fro, for what finds pairs: the bench `broadphase` and the example
//! `profile`.
//!
//! In: how they are spread, how many, how fast. Out: boxes in random order in space, 0.5 to 1 m
//! wide but where their sizes differ by design.

use carom::{Aabb, Vec2, vec2};

use crate::random::Random;

/// How boxes lie in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Evenly, about 3 pairs a box.
    Packed,
    /// Evenly with room, one pair in ten boxes.
    Sparse,
    /// In 16 heaps, dense in the middle, far apart.
    Clustered,
    /// Evenly, with sides 1 : 100, even on a logarithmic scale.
    Mixed,
}

/// A box on its way.
#[derive(Clone, Copy, Debug)]
pub struct MovingBox {
    center: Vec2,
    size: Vec2,
    speed: Vec2,
}

impl MovingBox {
    /// Where it is after so many frames.
    pub fn at(&self, frames: f32) -> Aabb {
        let center = self.center + self.speed * frames;
        Aabb { min: center - self.size / 2.0, max: center + self.size / 2.0 }
    }
}

impl Spread {
    /// So many boxes, each of which moves by up to `speed` metres a frame along x and along y.
    pub fn boxes(self, count: usize, speed: f32) -> Vec<MovingBox> {
        let mut random = Random::new(count as u64);
        let side = (count as f32).sqrt() / 2.0;
        let moving = |k: usize| {
            let (center, width) = self.place(&mut random, side, k);
            let size = vec2(width, width * random.range(0.7, 1.0));
            MovingBox { center, size, speed: random.square(speed) }
        };
        (0..count).map(moving).collect()
    }

    /// Centre and width of box `k`.
    fn place(self, random: &mut Random, side: f32, k: usize) -> (Vec2, f32) {
        match self {
            Spread::Packed => (random.square(side * 0.6), random.range(0.5, 1.0)),
            Spread::Sparse => (random.square(side * 3.5), random.range(0.5, 1.0)),
            Spread::Clustered => {
                let middle = Random::new((k % 16) as u64).square(side * 20.0);
                let spread = (0..4).fold(Vec2::ZERO, |sum, _| sum + random.square(side * 0.15));
                (middle + spread, random.range(0.5, 1.0))
            }
            Spread::Mixed => (random.square(side * 3.0), random.log_range(0.1, 10.0) as f32),
        }
    }
}
