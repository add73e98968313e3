//! Images and hashes of a flow field.

use super::{ALL, Flow, UNKNOWN, scale_on};
use crate::grid::Map;
use crate::state::{self, Kind, LoadError, Reader, Sink};

impl Flow {
    /// A hash of the field in 64 bits: its goals, its reach, and every final length.
    #[must_use]
    pub fn hash(&self) -> u64 {
        state::sum(|hash| {
            self.encode(hash);
            let finals =
                self.lengths.iter().map(|&length| if length < self.reached { length } else { UNKNOWN });
            if self.size != [0; 2] {
                finals.for_each(|length| hash.word(length));
            }
        })
    }

    /// Writes an image: goals, steps, and the length up to which the field was found. The image has
    /// no lengths, because they follow from the map. `out` is overwritten; its memory is reused.
    pub fn save_into(&self, out: &mut Vec<u8>) {
        state::write(Kind::Flow, out, |to| self.encode(to));
    }

    pub(crate) fn encode(&self, to: &mut impl Sink) {
        to.rule(self.rule);
        to.scale(self.asked);
        to.word(u32::from(self.straight.radius));
        let begun = self.size != [0; 2];
        to.flag(begun);
        to.word(if begun { self.reached } else { 0 });
        to.list(self.goals.iter(), |to, &goal| to.cell(goal));
    }

    /// Loads an image, and finds the field on the map as far as it was found when the image was
    /// written. The map must be unchanged.
    ///
    /// # Errors
    ///
    /// The bytes are damaged or no image of a field. Nothing is changed then.
    pub fn load(&mut self, map: &Map, image: &[u8]) -> Result<(), LoadError> {
        let (loaded, reached) = state::read(Kind::Flow, image, |from| Flow::decode(from, map))?;
        (self.goals, self.rule, self.asked, self.size) = (loaded.goals, loaded.rule, loaded.asked, [0; 2]);
        self.straight.radius = loaded.straight.radius;
        self.find(map, reached);
        Ok(())
    }

    /// A field without lengths, and the length up to which it was found, if its search had begun.
    pub(crate) fn decode(from: &mut Reader, map: &Map) -> Result<(Flow, Option<u32>), LoadError> {
        let (rule, asked, radius) = (from.rule()?, from.scale()?, from.word()?);
        if radius > u32::from(Flow::FARTHEST_SIGHT) {
            return Err(LoadError::Broken("nobody sees so far"));
        }
        let (begun, reached) = (from.flag()?, from.word()?);
        let goals = from.list(2, Reader::cell)?;
        let width = 1 << scale_on(map, asked).straight.ilog2();
        if reached != ALL && reached % width != 0 {
            return Err(LoadError::Broken("a field is found bucket by bucket"));
        }
        let field = Flow { goals, rule, asked, ..Flow::default() };
        Ok((field.straight(radius as u16), begun.then_some(reached)))
    }

    /// Finds the field up to the length that an image holds.
    pub(crate) fn find(&mut self, map: &Map, reached: Option<u32>) {
        if let Some(reached) = reached {
            self.update(map);
            self.go_to(map, reached);
        }
    }
}
