//! Comparison of two worlds, word by word.
//!
//! In: the state of two worlds, as each world tells it. Out: the first difference. Columns come in
//! the order in which a step writes them, so the first column that differs names the stage that
//! computed different numbers.

use super::{Column, Sink};

/// The whole state of a world, kept for a comparison.
#[derive(Debug, Default)]
pub(crate) struct Told {
    columns: Vec<Kept>,
    words: Vec<u32>,
    /// For each row that is not plain, the slot of its body.
    of: Vec<u32>,
}

/// A column: its words end at `end` and form rows of `width` words.
#[derive(Debug)]
struct Kept {
    column: &'static Column,
    count: usize,
    width: usize,
    end: usize,
    /// Index of its first row in `Told::of`; `None` for plain columns.
    of: Option<usize>,
}

/// The first word in which two worlds differ.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) column: &'static Column,
    pub(crate) field: &'static str,
    /// The word of each world; `None` for a world that has no such row.
    pub(crate) words: [Option<u32>; 2],
    /// The slot of the body that the row describes, or `u32::MAX` for no body.
    pub(crate) of: u32,
}

impl Sink for Told {
    fn begin(&mut self, column: &'static Column, count: usize) {
        let of = Some(self.of.len());
        self.columns.push(Kept { column, count, width: 0, end: self.words.len(), of });
    }

    fn row<const N: usize>(&mut self, of: u32, row: &[u32; N]) {
        self.of.push(of);
        self.words.extend_from_slice(row);
        if let Some(last) = self.columns.last_mut() {
            (last.width, last.end) = (N, self.words.len());
        }
    }

    fn plain(&mut self, column: &'static Column, width: usize, words: &[u32]) {
        self.words.extend_from_slice(words);
        let count = words.len() / width;
        self.columns.push(Kept { column, count, width, end: self.words.len(), of: None });
    }
}

impl Told {
    /// The words of each column.
    fn all(&self) -> impl Iterator<Item = (&Kept, &[u32])> {
        let begins = core::iter::once(0).chain(self.columns.iter().map(|kept| kept.end));
        self.columns.iter().zip(begins).map(|(kept, begin)| (kept, &self.words[begin..kept.end]))
    }
}

/// Returns the first word in which two worlds differ.
pub(crate) fn first_difference(a: &Told, b: &Told) -> Option<Place> {
    for ((kept, of_a), (other, of_b)) in a.all().zip(b.all()) {
        let width = kept.width.max(other.width).max(1);
        let differs = of_a.iter().zip(of_b).position(|(a, b)| a != b);
        let shorter = of_a.len().min(of_b.len());
        let Some(at) = differs.or((kept.count != other.count).then_some(shorter)) else { continue };
        let (row, field) = (at / width, at % width);
        let of = |told: &Told, kept: &Kept| told.of.get(kept.of? + row).copied();
        let of = if of_a.len() > at { of(a, kept) } else { of(b, other) };
        let names = kept.column.fields;
        return Some(Place {
            column: kept.column,
            field: names.get(field).or(names.last()).copied().unwrap_or(""),
            words: [of_a, of_b].map(|words| words.get(at).copied()),
            of: of.unwrap_or(u32::MAX),
        });
    }
    // One world has a column more than the other.
    let shorter = a.columns.len().min(b.columns.len());
    let (kept, words) = a.all().nth(shorter).or_else(|| b.all().nth(shorter))?;
    let word = words.first().copied();
    let words = if a.columns.len() > shorter { [word, None] } else { [None, word] };
    let field = kept.column.fields.first().copied().unwrap_or("");
    Some(Place { column: kept.column, field, words, of: u32::MAX })
}
