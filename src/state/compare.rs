//! Two worlds, word by word.
//!
//! In: the state of two worlds as each tells it. Out: where they first differ. Columns are told in
//! the order in which a step writes them, so the first one that differs is that of the stage that
//! went another way.

use super::{Column, Sink};

/// Everything a world told, kept.
#[derive(Debug, Default)]
pub(crate) struct Told {
    columns: Vec<Kept>,
    words: Vec<u32>,
    /// Of each row that is not plain, whose it is.
    of: Vec<u32>,
}

/// A column: its rows are the words up to `end`, `width` of them each.
#[derive(Debug)]
struct Kept {
    column: &'static Column,
    count: usize,
    width: usize,
    end: usize,
    /// Where its rows begin in `Told::of`; nothing for plain ones.
    of: Option<usize>,
}

/// Where two tellings part.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) column: &'static Column,
    pub(crate) field: &'static str,
    /// The words that differ; nothing of the one that has no such row.
    pub(crate) words: [Option<u32>; 2],
    /// The slot of the body that the row is of, or a number that none has.
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

/// The first word in which two tellings differ.
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
    // A column that only one of them has.
    let shorter = a.columns.len().min(b.columns.len());
    let (kept, words) = a.all().nth(shorter).or_else(|| b.all().nth(shorter))?;
    let word = words.first().copied();
    let words = if a.columns.len() > shorter { [word, None] } else { [None, word] };
    let field = kept.column.fields.first().copied().unwrap_or("");
    Some(Place { column: kept.column, field, words, of: u32::MAX })
}
