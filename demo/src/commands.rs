//! Drawing as numbers: what scenes and debug layers draw, for the page to play.
//!
//! In: lines, circles, polygons and words, in metres. Out: one list of numbers, and one of letters for the words.
//!
//! ```text
//!   0 colour x y x y               line               3 colour fill r x y x y          capsule
//!   1 colour fill r n (x y) × n    polygon            4 colour size x y                point, its size in pixels
//!   2 colour fill r x y u v        circle, (u, v) a   5 colour from len x y            words, letters of the other list
//!                                  radius or (0, 0)
//! ```
//!
//! A colour from 0 on is 0xRRGGBB, one below 0 is an [`Ink`] of the page, which knows whether it is dark.

use carom::Vec2;

/// A colour that the page chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Of text and thin lines.
    Plain,
    Soft,
    Yellow,
    Orange,
    Red,
    Blue,
}

impl Ink {
    pub(crate) fn number(self) -> f32 {
        -1.0 - f32::from(self as u8)
    }
}

/// The two lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commands {
    pub(crate) numbers: Vec<f32>,
    pub(crate) letters: Vec<u8>,
}

impl Commands {
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.letters.clear();
    }

    pub(crate) fn line(&mut self, color: f32, a: Vec2, b: Vec2) {
        self.numbers.extend([0.0, color, a.x, a.y, b.x, b.y]);
    }

    pub(crate) fn polygon(&mut self, color: f32, fill: bool, radius: f32, corners: &[Vec2]) {
        self.numbers.extend([1.0, color, flag(fill), radius, corners.len() as f32]);
        self.numbers.extend(corners.iter().flat_map(|corner| corner.to_array()));
    }

    /// With a line from its middle along `axis`, which is as long as the radius; or none if it is zero.
    pub(crate) fn circle(&mut self, color: f32, fill: bool, (center, radius): (Vec2, f32), axis: Vec2) {
        self.numbers.extend([2.0, color, flag(fill), radius, center.x, center.y, axis.x, axis.y]);
    }

    /// Of `size` pixels, however near one looks.
    pub(crate) fn point(&mut self, color: f32, size: f32, at: Vec2) {
        self.numbers.extend([4.0, color, size, at.x, at.y]);
    }

    pub(crate) fn words(&mut self, color: f32, at: Vec2, words: &str) {
        self.numbers.extend([5.0, color, self.letters.len() as f32, words.len() as f32, at.x, at.y]);
        self.letters.extend(words.as_bytes());
    }
}

fn flag(on: bool) -> f32 {
    f32::from(u8::from(on))
}
