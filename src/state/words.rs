//! Values as words, and back.
//!
//! In: numbers, flags and options, one after the other. Out: words in that order; or the values
//! again, as long as the words are valid.

use glam::{IVec2, Vec2};

use super::{LoadError, WIDEST};

/// A row that is being written.
pub(crate) struct Put {
    words: [u32; WIDEST],
    len: usize,
}

impl Put {
    /// Returns the words that `put` writes, filled up with zeros to `N` words.
    pub(crate) fn row<const N: usize>(put: impl FnOnce(&mut Put)) -> [u32; N] {
        let mut row = Put { words: [0; WIDEST], len: 0 };
        put(&mut row);
        debug_assert!(row.len <= N, "{} words in a row of {N}", row.len);
        core::array::from_fn(|k| row.words[k])
    }

    pub(crate) fn word(&mut self, word: u32) {
        self.words[self.len] = word;
        self.len += 1;
    }

    pub(crate) fn words(&mut self, words: &[u32]) {
        self.words[self.len..][..words.len()].copy_from_slice(words);
        self.len += words.len();
    }

    pub(crate) fn flag(&mut self, flag: bool) {
        self.word(u32::from(flag));
    }

    pub(crate) fn long(&mut self, long: u64) {
        self.words(&[long as u32, (long >> 32) as u32]);
    }

    pub(crate) fn float(&mut self, float: f32) {
        self.word(float.to_bits());
    }

    pub(crate) fn floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|&float| self.float(float));
    }

    pub(crate) fn vector(&mut self, vector: Vec2) {
        self.floats(&[vector.x, vector.y]);
    }

    pub(crate) fn region(&mut self, region: IVec2) {
        self.words(&[region.x as u32, region.y as u32]);
    }

    /// Writes a flag, and the numbers of the value, or as many zeros for `None`.
    pub(crate) fn option<const N: usize>(&mut self, floats: Option<[f32; N]>) {
        self.flag(floats.is_some());
        self.floats(&floats.unwrap_or([0.0; N]));
    }
}

/// A row that is being read.
pub(crate) struct Parse<'w> {
    words: &'w [u32],
}

impl<'w> Parse<'w> {
    pub(crate) fn new(words: &'w [u32]) -> Parse<'w> {
        Parse { words }
    }

    /// Returns the next word, or 0 behind the last one: rows are filled up with zeros.
    pub(crate) fn word(&mut self) -> u32 {
        let Some((&word, rest)) = self.words.split_first() else { return 0 };
        self.words = rest;
        word
    }

    /// Returns how many words are left.
    #[cfg(feature = "record")]
    pub(crate) fn left(&self) -> usize {
        self.words.len()
    }

    /// Reads the length of a list whose values take at least one word each.
    #[cfg(feature = "record")]
    pub(crate) fn count(&mut self) -> Result<usize, LoadError> {
        let count = self.word() as usize;
        if count <= self.left() {
            Ok(count)
        } else {
            Err(LoadError::Broken("a list is no longer than its words"))
        }
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u32; N] {
        core::array::from_fn(|_| self.word())
    }

    pub(crate) fn flag(&mut self) -> Result<bool, LoadError> {
        match self.word() {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(LoadError::Broken("a flag is 0 or 1")),
        }
    }

    pub(crate) fn long(&mut self) -> u64 {
        let [low, high] = self.array();
        u64::from(low) | u64::from(high) << 32
    }

    pub(crate) fn float(&mut self) -> f32 {
        f32::from_bits(self.word())
    }

    pub(crate) fn floats<const N: usize>(&mut self) -> [f32; N] {
        core::array::from_fn(|_| self.float())
    }

    pub(crate) fn vector(&mut self) -> Vec2 {
        self.floats::<2>().into()
    }

    pub(crate) fn region(&mut self) -> IVec2 {
        let [x, y] = self.array();
        IVec2::new(x as i32, y as i32)
    }

    pub(crate) fn option<const N: usize>(&mut self) -> Result<Option<[f32; N]>, LoadError> {
        let is_some = self.flag()?;
        let floats = self.floats();
        Ok(is_some.then_some(floats))
    }
}
