//! Images (serialization) and hashes of state that lives from tick to tick.
//!
//! In: words, one after the other. Out: an image with its kind, its length and a hash of its
//! content, so that `read` refuses cut, changed or foreign bytes before it changes anything; and
//! the words again. A type writes its words once, by `encode`; [`write`] makes an image from them,
//! [`sum`] a hash (`saved!` provides both as methods), and [`read`] reads them again.
//!
//! ```text
//!   image   "nav", a letter for its kind | version | bytes that follow (8) | their hash (8)
//!           | words, least byte first
//! ```

use core::fmt;

use crate::grid::{Corners, Rule};
use crate::length::Scale;

/// Reason why an image was not loaded. The target is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes do not begin like an image of this kind.
    NotAnImage,
    /// The image has another version of the format than [`LoadError::VERSION`].
    OtherVersion(u32),
    /// The bytes end before the image does, or continue after its end.
    WrongLength,
    /// The bytes differ from the saved bytes.
    Damaged,
    /// The bytes are inconsistent, or do not fit the target; the text states the broken rule.
    Broken(&'static str),
}

impl LoadError {
    /// The version of the format that this crate writes and reads.
    pub const VERSION: u32 = 2;
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotAnImage => write!(f, "these bytes are no image of this kind"),
            LoadError::OtherVersion(version) => {
                write!(f, "the image has version {version}, and only {} can be read", LoadError::VERSION)
            }
            LoadError::WrongLength => write!(f, "the image has another length than it says"),
            LoadError::Damaged => write!(f, "the image was changed since it was written"),
            LoadError::Broken(rule) => write!(f, "the image breaks a rule: {rule}"),
        }
    }
}

impl core::error::Error for LoadError {}

const HEADER: usize = 24;

/// Kind of an image: the letter in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Adaptive = b'A',
    Flow = b'F',
    Influence = b'I',
    Known = b'K',
    Claims = b'L',
    #[cfg(feature = "world")]
    Crowd = b'C',
    Map = b'M',
    #[cfg(feature = "mesh")]
    Mesh = b'N',
    Path = b'W',
    Queue = b'Q',
    Squad = b'P',
    Minds = b'B',
}

/// Greatest counter in an image: far above any real counter, so that counting on cannot overflow.
pub(crate) const MOST: u64 = 1 << 62;

const RULES: [Rule; 5] = [
    Rule::Four,
    Rule::Eight(Corners::Never),
    Rule::Eight(Corners::OneFree),
    Rule::Eight(Corners::Always),
    Rule::Six,
];

/// Sink of words: an image or a hash. A type writes its state by one function to both.
pub(crate) trait Sink {
    fn word(&mut self, word: u32);

    fn long(&mut self, long: u64) {
        self.word(long as u32);
        self.word((long >> 32) as u32);
    }

    fn cell(&mut self, cell: glam::IVec2) {
        self.word(cell.x as u32);
        self.word(cell.y as u32);
    }

    fn flag(&mut self, flag: bool) {
        self.word(u32::from(flag));
    }

    /// Lengths of steps; 0 and 0 for `None`.
    fn scale(&mut self, scale: Option<Scale>) {
        let Scale { straight, diagonal } = scale.unwrap_or(Scale { straight: 0, diagonal: 0 });
        self.word(u32::from(straight) | u32::from(diagonal) << 16);
    }

    /// A list: its length, then each item.
    fn list<T>(&mut self, items: impl Iterator<Item = T> + Clone, mut encode: impl FnMut(&mut Self, T)) {
        self.word(items.clone().count() as u32);
        items.for_each(|item| encode(self, item));
    }

    fn rule(&mut self, rule: Rule) {
        self.word(RULES.iter().position(|its| *its == rule).unwrap_or(RULES.len()) as u32);
    }

    /// A list of bytes, four a word.
    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u32);
        for four in bytes.chunks(4) {
            let mut word = [0; 4];
            word[..four.len()].copy_from_slice(four);
            self.word(u32::from_le_bytes(word));
        }
    }
}

/// Writes words as bytes.
pub(crate) struct Writer<'o> {
    out: &'o mut Vec<u8>,
}

/// Writes an image into `out`; earlier content is dropped, its memory is reused.
pub(crate) fn write(kind: Kind, out: &mut Vec<u8>, encode: impl FnOnce(&mut Writer)) {
    out.clear();
    out.extend_from_slice(&[b'n', b'a', b'v', kind as u8]);
    out.extend_from_slice(&LoadError::VERSION.to_le_bytes());
    out.resize(HEADER, 0);
    encode(&mut Writer { out });
    restamp(out);
}

/// Reads an image to its end.
pub(crate) fn read<T>(
    kind: Kind,
    image: &[u8],
    decode: impl FnOnce(&mut Reader) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    let mut reader = Reader::new(kind, image)?;
    let value = decode(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// Hash of words.
pub(crate) fn sum(encode: impl FnOnce(&mut Hash)) -> u64 {
    let mut hash = Hash::new();
    encode(&mut hash);
    hash.finish()
}

/// `save_into` and `hash` of a type that writes its words by a method `encode`.
macro_rules! saved {
    ($of:ty as $kind:ident) => {
        impl $of {
            /// Writes an image into `out`; earlier content is dropped, its memory is reused.
            pub fn save_into(&self, out: &mut Vec<u8>) {
                crate::state::write(crate::state::Kind::$kind, out, |to| self.encode(to));
            }

            /// A hash of all the state in an image.
            #[must_use]
            pub fn hash(&self) -> u64 {
                crate::state::sum(|to| self.encode(to))
            }
        }
    };
}

pub(crate) use saved;

/// The bits of an id of an index and a generation.
#[cfg(feature = "mesh")]
macro_rules! id_bits {
    ($id:ident) => {
        impl $id {
            /// The id as one number, for programs in other languages and for files.
            #[must_use]
            pub fn to_bits(self) -> u64 {
                u64::from(self.index) | u64::from(self.generation) << 32
            }

            /// The id of a number that [`to_bits`](Self::to_bits) made. Any other number is an id
            /// that may belong to nothing, which every call refuses.
            #[must_use]
            pub fn from_bits(bits: u64) -> $id {
                $id { index: bits as u32, generation: (bits >> 32) as u32 }
            }
        }
    };
}

#[cfg(feature = "mesh")]
pub(crate) use id_bits;

impl Sink for Writer<'_> {
    #[inline]
    fn word(&mut self, word: u32) {
        self.out.extend_from_slice(&word.to_le_bytes());
    }
}

/// Replaces the length and the hash in a header by the right ones, so that tests get a changed body
/// past the header.
#[doc(hidden)]
pub fn restamp(image: &mut [u8]) {
    let Some((header, body)) = image.split_at_mut_checked(HEADER) else { return };
    header[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
    header[16..24].copy_from_slice(&hash_of(body).to_le_bytes());
}

/// Reads an image. It trusts no number in the image: memory grows with the bytes read, not with the
/// counts in them.
pub(crate) struct Reader<'b> {
    words: &'b [[u8; 4]],
}

const TOO_SHORT: LoadError = LoadError::Broken("a list is no longer than its image");

impl<'b> Reader<'b> {
    /// Checks the header and the hash.
    fn new(kind: Kind, image: &'b [u8]) -> Result<Reader<'b>, LoadError> {
        if !image.starts_with(&[b'n', b'a', b'v', kind as u8]) {
            return Err(LoadError::NotAnImage);
        }
        let (header, body) = image.split_at_checked(HEADER).ok_or(LoadError::WrongLength)?;
        let word = |at: usize| header[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let long = |at: usize| header[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        if word(4) != LoadError::VERSION {
            return Err(LoadError::OtherVersion(word(4)));
        }
        let (words, rest) = body.as_chunks::<4>();
        if long(8) != body.len() as u64 || !rest.is_empty() {
            return Err(LoadError::WrongLength);
        }
        if long(16) == hash_of(body) { Ok(Reader { words }) } else { Err(LoadError::Damaged) }
    }

    #[inline]
    pub(crate) fn word(&mut self) -> Result<u32, LoadError> {
        let (word, rest) = self.words.split_first().ok_or(TOO_SHORT)?;
        self.words = rest;
        Ok(u32::from_le_bytes(*word))
    }

    pub(crate) fn long(&mut self) -> Result<u64, LoadError> {
        Ok(u64::from(self.word()?) | u64::from(self.word()?) << 32)
    }

    pub(crate) fn cell(&mut self) -> Result<glam::IVec2, LoadError> {
        Ok(glam::IVec2::new(self.word()? as i32, self.word()? as i32))
    }

    /// A counter that is small enough to count on from.
    pub(crate) fn counter(&mut self) -> Result<u64, LoadError> {
        let counter = self.long()?;
        if counter <= MOST { Ok(counter) } else { Err(LoadError::Broken("a counter can go on")) }
    }

    pub(crate) fn flag(&mut self) -> Result<bool, LoadError> {
        match self.word()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(LoadError::Broken("a flag is 0 or 1")),
        }
    }

    pub(crate) fn scale(&mut self) -> Result<Option<Scale>, LoadError> {
        let word = self.word()?;
        let scale = Scale { straight: word as u16, diagonal: (word >> 16) as u16 };
        match word {
            0 => Ok(None),
            _ if scale.is_valid() => Ok(Some(scale)),
            _ => Err(LoadError::Broken("a scale is a valid one")),
        }
    }

    /// Width and height, which have to match the given ones.
    pub(crate) fn size(&mut self, width: i32, height: i32) -> Result<(), LoadError> {
        if self.cell()? == glam::IVec2::new(width, height) {
            Ok(())
        } else {
            Err(LoadError::Broken("the map has the size that it had"))
        }
    }

    /// A list of items, each of at least `width` words.
    pub(crate) fn list<T>(
        &mut self,
        width: usize,
        mut decode: impl FnMut(&mut Self) -> Result<T, LoadError>,
    ) -> Result<Vec<T>, LoadError> {
        let count = self.count(width)?;
        (0..count).map(|_| decode(self)).collect()
    }

    pub(crate) fn rule(&mut self) -> Result<Rule, LoadError> {
        let word = self.word()? as usize;
        RULES.get(word).copied().ok_or(LoadError::Broken("a rule is one of five"))
    }

    /// The number of items that follow, each of at least `width` words.
    pub(crate) fn count(&mut self, width: usize) -> Result<usize, LoadError> {
        let count = self.word()? as usize;
        if count.checked_mul(width).is_some_and(|words| words <= self.words.len()) {
            Ok(count)
        } else {
            Err(TOO_SHORT)
        }
    }

    /// A list of bytes.
    pub(crate) fn bytes(&mut self) -> Result<&'b [u8], LoadError> {
        let count = self.word()? as usize;
        let (words, rest) = self.words.split_at_checked(count.div_ceil(4)).ok_or(TOO_SHORT)?;
        self.words = rest;
        let (bytes, padding) = words.as_flattened().split_at(count);
        if padding.iter().all(|&byte| byte == 0) {
            Ok(bytes)
        } else {
            Err(LoadError::Broken("nothing stands between lists"))
        }
    }

    /// Checks that everything was read.
    fn finish(self) -> Result<(), LoadError> {
        if self.words.is_empty() { Ok(()) } else { Err(LoadError::Broken("nothing follows the last list")) }
    }
}

/// A hash of words as 64 bits: each word is multiplied into the hash of the words before it, and
/// both halves of the product are kept.
pub(crate) struct Hash {
    sum: u64,
    count: u64,
}

/// Odd numbers without a pattern: digits of π and of √3.
const FACTORS: [u64; 2] = [0x243F_6A88_85A3_08D3, 0xBB67_AE85_84CA_A73B];

impl Hash {
    fn new() -> Hash {
        Hash { sum: FACTORS[0], count: 0 }
    }

    fn finish(&self) -> u64 {
        let mixed = (self.sum ^ self.count).wrapping_mul(FACTORS[1]);
        (mixed ^ mixed >> 29).wrapping_mul(FACTORS[0]).rotate_left(32)
    }
}

impl Sink for Hash {
    #[inline]
    fn word(&mut self, word: u32) {
        self.count += 1;
        let product = u128::from(self.sum ^ u64::from(word)) * u128::from(FACTORS[1]);
        self.sum = (product as u64 ^ (product >> 64) as u64).wrapping_add(FACTORS[0]);
    }
}

fn hash_of(body: &[u8]) -> u64 {
    sum(|hash| {
        let (words, rest) = body.as_chunks::<4>();
        words.iter().for_each(|word| hash.word(u32::from_le_bytes(*word)));
        rest.iter().for_each(|&byte| hash.word(u32::from(byte)));
    })
}

/// Asserts that `load` refuses an image that is cut or differs in one bit, and inconsistent content
/// with a valid header.
#[cfg(test)]
pub(crate) fn refuses_damage(image: &[u8], mut load: impl FnMut(&[u8]) -> Result<(), LoadError>) {
    assert_eq!(load(image), Ok(()), "the image itself is taken");
    for len in 0..image.len().min(200) {
        assert!(load(&image[..len]).is_err(), "cut to {len}");
    }
    let mut longer = image.to_vec();
    longer.extend([0; 4]);
    assert_eq!(load(&longer), Err(LoadError::WrongLength));
    restamp(&mut longer);
    assert!(matches!(load(&longer), Err(LoadError::Broken(_))), "a word too many");
    let step = (image.len() / 500).max(1);
    for at in (0..image.len()).step_by(step) {
        let mut bytes = image.to_vec();
        bytes[at] ^= 1 << (at % 8);
        assert!(load(&bytes).is_err(), "byte {at}");
        // With a valid header the image may load or not; it must not panic.
        restamp(&mut bytes);
        let _ = load(&bytes);
        bytes[at] = 0xFF;
        restamp(&mut bytes);
        let _ = load(&bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut image = vec![9; 3];
        write(Kind::Path, &mut image, |to| {
            to.long(1 << 40);
            to.rule(Rule::Six);
            to.bytes(&[4, 5, 6, 7, 8]);
            to.cell(glam::IVec2::new(-1, 7));
            to.scale(Some(Scale::FINE));
            to.flag(true);
            to.list([7, 8].iter(), |to, &word| to.word(word));
        });
        let decode = |bytes: &[u8]| {
            read(Kind::Path, bytes, |from| {
                assert_eq!(from.counter()?, 1 << 40);
                let (rule, bytes) = (from.rule()?, from.bytes()?.to_vec());
                let value = (rule, bytes, from.cell()?, from.scale()?, from.flag()?);
                Ok((value, from.list(1, Reader::word)?))
            })
        };
        let expected = (Rule::Six, vec![4, 5, 6, 7, 8], glam::IVec2::new(-1, 7), Some(Scale::FINE), true);
        assert_eq!(decode(&image), Ok((expected, vec![7, 8])));
        let other = read(Kind::Map, &image, |_| Ok(()));
        assert_eq!(other, Err(LoadError::NotAnImage));
        refuses_damage(&image, |bytes| {
            read(Kind::Path, bytes, |from| {
                from.long()?;
                from.rule()?;
                from.bytes()?;
                from.cell()?;
                from.scale()?;
                from.flag()?;
                from.list(1, Reader::word).map(|_| ())
            })
        });
    }

    /// Changing any bit of some words, or any two bits, changes the hash.
    #[test]
    fn every_bit_counts() {
        let of = |words: &[u32]| sum(|hash| words.iter().for_each(|&word| hash.word(word)));
        let words = [1_u32, 0, 77, 0xFFFF_FFFF, 5];
        let mut seen = std::collections::BTreeSet::from([of(&words)]);
        for first in 0..160 {
            for second in 0..=first {
                let mut other = words;
                other[first / 32] ^= 1 << (first % 32);
                if second < first {
                    other[second / 32] ^= 1 << (second % 32);
                }
                assert!(seen.insert(of(&other)), "bits {first} and {second}");
            }
        }
        assert_ne!(of(&[0]), of(&[0, 0]));
    }
}
