//! Rows of bits.
//!
//! A set bit is a wall. All cells around the map are walls: a word before each row, a row below, a
//! row above, and the end of each last word. So a scan along a row stops by itself, and the
//! neighbours of any cell can be read without a check.
//!
//! ```text
//! row -1     ████ ████ ████ ████
//! row  0     ████ .... .... ..██      the word after a row is the one before the next
//! row  1     ████ .... .... ..██
//! row  h     ████ ████ ████ ████  ████
//! ```

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    /// Words from one row to the next.
    stride: usize,
}

impl Clone for Bits {
    fn clone(&self) -> Bits {
        Bits { words: self.words.clone(), stride: self.stride }
    }

    /// Reuses the memory of the old value.
    fn clone_from(&mut self, other: &Bits) {
        self.words.clone_from(&other.words);
        self.stride = other.stride;
    }
}

impl Bits {
    /// Bits of `width` by `height` free cells.
    pub(crate) fn new(width: usize, height: usize) -> Bits {
        let stride = width.div_ceil(64) + 1;
        let mut bits = Bits { words: vec![!0; stride * (height + 2) + 1], stride };
        for y in 0..height {
            let start = bits.start(y as i32);
            for word in &mut bits.words[start..start + stride - 1] {
                *word = 0;
            }
            if !width.is_multiple_of(64) {
                bits.words[start + stride - 2] = !0 << (width % 64);
            }
        }
        bits
    }

    /// Index of the first word of row `y`, for `y` from -1 to the height.
    #[inline]
    pub(crate) fn start(&self, y: i32) -> usize {
        (y + 1) as usize * self.stride + 1
    }

    #[inline]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of row `y`, without the word before it.
    #[inline]
    pub(crate) fn row(&self, y: i32) -> &[u64] {
        let start = self.start(y);
        &self.words[start..start + self.stride - 1]
    }

    #[inline]
    pub(crate) fn row_mut(&mut self, y: i32) -> &mut [u64] {
        let start = self.start(y);
        &mut self.words[start..start + self.stride - 1]
    }

    #[inline]
    pub(crate) fn get(&self, x: i32, y: i32) -> bool {
        self.words[self.start(y) + (x >> 6) as usize] >> (x & 63) & 1 != 0
    }

    #[inline]
    pub(crate) fn set(&mut self, x: i32, y: i32, wall: bool) {
        let at = self.start(y) + (x >> 6) as usize;
        let bit = 1 << (x & 63);
        self.words[at] = if wall { self.words[at] | bit } else { self.words[at] & !bit };
    }

    /// The cell `[x, y]` and its eight neighbours as bits: three of the row below, three of its own
    /// row, three of the row above.
    #[inline(always)]
    pub(crate) fn nine(&self, x: i32, y: i32) -> usize {
        let (words, at) = (&self.words, self.start(y) - 1 + ((x + 63) >> 6) as usize);
        let shift = (x + 63) & 63;
        let mut lines =
            [words[at - self.stride], words[at], words[at + self.stride]].map(|word| word >> shift);
        if shift > 61 {
            // The three cells of a row lie in two words.
            let behind = [words[at + 1 - self.stride], words[at + 1], words[at + 1 + self.stride]];
            for (line, behind) in lines.iter_mut().zip(behind) {
                *line |= behind << 1 << (63 - shift);
            }
        }
        let [below, own, above] = lines.map(|line| line as usize & 7);
        below | own << 3 | above << 6
    }

    /// The transposed bits: bit `[x, y]` becomes bit `[y, x]`. Blocks of 64 x 64 bits are
    /// transposed at once.
    pub(crate) fn transposed(&self, width: usize, height: usize) -> Bits {
        let mut turned = Bits::new(height, width);
        let mut block = [0_u64; 64];
        for y in (0..height).step_by(64) {
            for word in 0..width.div_ceil(64) {
                for (k, line) in block.iter_mut().enumerate() {
                    let row = y + k;
                    *line = if row < height { self.words[self.start(row as i32) + word] } else { !0 };
                }
                transpose(&mut block);
                for (k, line) in block.iter().enumerate() {
                    let column = word * 64 + k;
                    if column < width {
                        let at = turned.start(column as i32) + y / 64;
                        turned.words[at] = *line;
                    }
                }
            }
        }
        turned
    }
}

/// Transposes a block of 64 x 64 bits: swaps the two off-diagonal quarters, then the off-diagonal
/// quarters of each quarter, and so on.
fn transpose(block: &mut [u64; 64]) {
    let (mut half, mut mask) = (32, 0x0000_0000_FFFF_FFFF_u64);
    while half > 0 {
        let mut k = 0;
        while k < 64 {
            let swap = (block[k] >> half ^ block[k + half]) & mask;
            block[k] ^= swap << half;
            block[k + half] ^= swap;
            k = (k + half + 1) & !half;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn columns_are_rows_turned_and_all_around_is_wall() {
        let mut random = Random(1);
        for (width, height) in [(1, 1), (63, 2), (64, 64), (65, 130), (200, 3)] {
            let mut bits = Bits::new(width, height);
            for y in 0..height as i32 {
                for x in 0..width as i32 {
                    bits.set(x, y, random.below(4) == 0);
                }
            }
            let turned = bits.transposed(width, height);
            let wall = |x: i32, y: i32| {
                let inside = x >= 0 && y >= 0 && x < width as i32 && y < height as i32;
                !inside || bits.get(x, y)
            };
            for y in 0..height as i32 {
                for x in 0..width as i32 {
                    for k in 0..9 {
                        let expected = wall(x + k % 3 - 1, y + k / 3 - 1);
                        assert_eq!(bits.nine(x, y) >> k & 1 != 0, expected, "{x} {y} {k}");
                        let turned = turned.nine(y, x) >> (k % 3 * 3 + k / 3) & 1 != 0;
                        assert_eq!(turned, expected, "{x} {y} {k}");
                    }
                }
            }
        }
    }
}
