//! A squad as bytes and as one number.

use super::{NONE, Squad, Unit};
use crate::field::Flow;
use crate::grid::{Cell, Map};
use crate::state::{Hash, LoadError, Reader, Sink, Writer};

const KIND: u8 = b'P';

impl Squad {
    /// The squad as 64 bits: tick, goals and units. Ways follow from the map.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.tell(&mut hash);
        hash.finish()
    }

    /// Writes an image; what `out` holds is dropped, its memory is used.
    pub fn save_into(&self, out: &mut Vec<u8>) {
        let mut image = Writer::new(KIND, out);
        self.tell(&mut image);
        image.finish();
    }

    fn tell(&self, to: &mut impl Sink) {
        to.rule(self.rule);
        to.cell(Cell::from(self.size));
        to.long(self.tick);
        to.word(self.fields.len() as u32);
        self.fields.iter().flat_map(Flow::goals).for_each(|&goal| to.cell(goal));
        to.word(self.units.len() as u32);
        for unit in &self.units {
            [unit.at, unit.goal, unit.waits].into_iter().for_each(|word| to.word(word));
        }
        // In the order in which ids are given again.
        to.word(self.free.len() as u32);
        self.free.iter().for_each(|&id| to.word(id));
    }

    /// Takes an image in, of a squad on a map of the same size.
    ///
    /// # Errors
    ///
    /// The bytes are damaged, no image of a squad, or of one on another map. Nothing is changed
    /// then.
    pub fn load(&mut self, map: &Map, image: &[u8]) -> Result<(), LoadError> {
        let mut image = Reader::new(KIND, image)?;
        let rule = image.rule()?;
        let mut squad =
            Squad::new(map, rule).map_err(|_| LoadError::Broken("units do not step diagonally"))?;
        if image.cell()? != Cell::from(squad.size) {
            return Err(LoadError::Broken("a map is as large as the one the units stand on"));
        }
        squad.tick = image.long()?;
        for _ in 0..image.count(2)? {
            let (goals, goal) = (squad.fields.len(), image.cell()?);
            if squad.goal(goal).0 as usize != goals {
                return Err(LoadError::Broken("no goal is there twice"));
            }
        }
        for id in 0..image.count(3)? as u32 {
            let [at, goal, waits] = [image.word()?, image.word()?, image.word()?];
            if goal as usize >= squad.fields.len() {
                return Err(LoadError::Broken("a unit has a goal"));
            }
            if at != NONE {
                let tile = squad.now.get_mut(at as usize).filter(|tile| **tile == NONE);
                *tile.ok_or(LoadError::Broken("a unit has a cell of its own"))? = id;
            }
            squad.units.push(Unit { at, to: NONE, goal, waits });
        }
        for _ in 0..image.count(1)? {
            let id = image.word()?;
            let is_gone = squad.units.get(id as usize).is_some_and(|unit| unit.at == NONE);
            if !is_gone || squad.free.contains(&id) {
                return Err(LoadError::Broken("an id is free once, and nobody's"));
            }
            squad.free.push(id);
        }
        image.finish()?;
        if squad.free.len() != squad.units.iter().filter(|unit| unit.at == NONE).count() {
            return Err(LoadError::Broken("every unit that is gone has left its id"));
        }
        *self = squad;
        Ok(())
    }
}
