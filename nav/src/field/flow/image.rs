//! A field as bytes and as one number.

use super::{ALL, Flow, UNKNOWN, scale_on};
use crate::grid::Map;
use crate::length::Scale;
use crate::state::{Hash, LoadError, Reader, Sink, Writer};

const KIND: u8 = b'F';

impl Flow {
    /// The field as 64 bits: what it leads to, how far it was found, and every length that is
    /// final.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.tell(&mut hash);
        let finals = self.lengths.iter().map(|&length| if length < self.reached { length } else { UNKNOWN });
        if self.size != [0; 2] {
            finals.for_each(|length| hash.word(length));
        }
        hash.finish()
    }

    /// Writes an image: goals, steps, and how far it was found. Lengths are not in it, for they
    /// follow from the map.
    pub fn save_into(&self, out: &mut Vec<u8>) {
        let mut image = Writer::new(KIND, out);
        self.tell(&mut image);
        image.finish();
    }

    fn tell(&self, to: &mut impl Sink) {
        to.rule(self.rule);
        let scale = |scale: Option<Scale>| {
            scale.map_or(0, |scale| u32::from(scale.straight) | u32::from(scale.diagonal) << 16)
        };
        to.word(scale(self.asked));
        let begun = self.size != [0; 2];
        to.word(u32::from(begun));
        to.word(if begun { self.reached } else { 0 });
        to.word(self.goals.len() as u32);
        self.goals.iter().for_each(|&goal| to.cell(goal));
    }

    /// Takes an image in, and finds on the map what was found when it was written. The map has to
    /// be as it was then.
    ///
    /// # Errors
    ///
    /// The bytes are damaged or no image of a field. Nothing is changed then.
    pub fn load(&mut self, map: &Map, image: &[u8]) -> Result<(), LoadError> {
        let mut image = Reader::new(KIND, image)?;
        let rule = image.rule()?;
        let scale = image.word()?;
        let asked = Some(Scale { straight: scale as u16, diagonal: (scale >> 16) as u16 });
        let asked = asked.filter(|_| scale != 0);
        if asked.is_some_and(|scale| !scale.is_valid()) {
            return Err(LoadError::Broken("a scale is a valid one"));
        }
        let begun = match image.word()? {
            0 => false,
            1 => true,
            _ => return Err(LoadError::Broken("a flag is 0 or 1")),
        };
        let reached = image.word()?;
        let goals = (0..image.count(2)?).map(|_| image.cell()).collect::<Result<Vec<_>, _>>()?;
        image.finish()?;
        let width = 1 << scale_on(map, asked).straight.ilog2();
        if reached != ALL && reached % width != 0 {
            return Err(LoadError::Broken("a field is found bucket by bucket"));
        }
        (self.goals, self.rule, self.asked, self.size) = (goals, rule, asked, [0; 2]);
        if begun {
            self.update(map);
            while self.reached < reached && self.opens_below(reached) {
                self.advance(map);
            }
            self.reached = reached;
        }
        Ok(())
    }

    /// Whether a bucket below this length is not final yet.
    fn opens_below(&self, length: u32) -> bool {
        let from = self.open.bucket(self.reached);
        self.open.next(from).is_some_and(|next| self.open.begins(next) < length)
    }
}
