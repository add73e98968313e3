//! Drawing as numbers: what scenes and debug layers draw, for the page to play.
//!
//! In: lines, circles, polygons and words, in metres. Out: one list of numbers, and one of letters
//! for the words.
//!
//! ```text
//!   0 … x y x y               line                    3 … fill r x y x y       capsule
//!   1 … fill r n (x y) × n    polygon grown by r      4 … r x y                point, its radius in pixels
//!   2 … fill r x y u v        circle, (u, v) a        5 … from len x y         words, letters of the other list
//!                             radius or (0, 0)        …   colour, opacity
//! ```
//!
//! A colour from 0 on is 0xRRGGBB, one below 0 is an [`Ink`] of the page, which knows whether it is
//! dark.

use carom::Vec2;

/// A colour that the page chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Of text and thin lines.
    Plain,
    /// Of what stands still.
    Soft,
    /// Of marks.
    Yellow,
    /// Of marks.
    Orange,
    /// Of marks.
    Red,
    /// Of marks.
    Blue,
}

impl Ink {
    /// As the page takes it.
    pub fn number(self) -> f32 {
        -1.0 - f32::from(self as u8)
    }
}

/// A colour and an opacity, 0 to 1, as the page takes them.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// A colour from 0 on, or an ink below.
    pub number: f32,
    /// 0 to 1.
    pub opacity: f32,
}

impl Ink {
    /// With an opacity.
    #[must_use]
    pub fn faint(self, opacity: f32) -> Paint {
        Paint { number: self.number(), opacity }
    }
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Paint {
        Paint { number: ink.number(), opacity: 1.0 }
    }
}

/// The two lists.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    /// Commands.
    pub numbers: Vec<f32>,
    /// Of words.
    pub letters: Vec<u8>,
}

impl Commands {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.letters.clear();
    }

    fn put(&mut self, op: f32, paint: impl Into<Paint>) {
        let Paint { number, opacity } = paint.into();
        self.numbers.extend([op, number, opacity]);
    }

    /// A line.
    pub fn put_line(&mut self, paint: impl Into<Paint>, a: Vec2, b: Vec2) {
        self.put(0.0, paint);
        self.numbers.extend([a.x, a.y, b.x, b.y]);
    }

    /// A polygon, grown by `radius`.
    pub fn put_polygon(&mut self, paint: impl Into<Paint>, fill: bool, radius: f32, corners: &[Vec2]) {
        self.put(1.0, paint);
        self.numbers.extend([flag(fill), radius, corners.len() as f32]);
        self.numbers.extend(corners.iter().flat_map(|corner| corner.to_array()));
    }

    /// With a line from its middle along `axis`, which is as long as the radius; or none if it is
    /// zero.
    pub fn put_circle(
        &mut self,
        paint: impl Into<Paint>,
        fill: bool,
        (center, radius): (Vec2, f32),
        axis: Vec2,
    ) {
        self.put(2.0, paint);
        self.numbers.extend([flag(fill), radius, center.x, center.y, axis.x, axis.y]);
    }

    /// A capsule.
    pub fn put_capsule(&mut self, paint: impl Into<Paint>, fill: bool, radius: f32, [a, b]: [Vec2; 2]) {
        self.put(3.0, paint);
        self.numbers.extend([flag(fill), radius, a.x, a.y, b.x, b.y]);
    }

    /// Of `radius` pixels, however near one looks.
    pub fn put_point(&mut self, paint: impl Into<Paint>, radius: f32, at: Vec2) {
        self.put(4.0, paint);
        self.numbers.extend([radius, at.x, at.y]);
    }

    /// Words, with their middle at a point.
    pub fn put_words(&mut self, paint: impl Into<Paint>, at: Vec2, words: &str) {
        self.put(5.0, paint);
        self.numbers.extend([self.letters.len() as f32, words.len() as f32, at.x, at.y]);
        self.letters.extend(words.as_bytes());
    }
}

fn flag(on: bool) -> f32 {
    f32::from(u8::from(on))
}
