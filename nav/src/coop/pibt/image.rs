//! Images and hashes of a squad.

use super::{NONE, Squad, Unit};
use crate::field::Flow;
use crate::grid::{Cell, Map};
use crate::length::Scale;
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

saved!(Squad as Squad);

impl Squad {
    /// Greatest number of lengths in all fields of a loaded squad together, so that a small image
    /// cannot ask for unlimited memory.
    const MOST_LENGTHS: usize = 1 << 30;

    /// Writes tick, goals with the reach of their fields (which decides the order of making room),
    /// and units. Lengths are not written, because they follow from the map.
    fn encode(&self, to: &mut impl Sink) {
        to.rule(self.rule);
        to.cell(Cell::from(self.size));
        to.long(self.tick);
        to.list(self.fields.iter(), |to, field| field.encode(to));
        to.list(self.units.iter(), |to, unit| {
            [unit.at, unit.goal, unit.waits].into_iter().for_each(|word| to.word(word));
        });
        // Free ids, in the order of their reuse.
        to.list(self.free.iter(), |to, &id| to.word(id));
    }

    /// Loads an image of a squad; the map must be unchanged.
    ///
    /// # Errors
    ///
    /// The bytes are damaged, no image of a squad, or an image for another map. Nothing is changed
    /// then.
    pub fn load(&mut self, map: &Map, image: &[u8]) -> Result<(), LoadError> {
        let (mut squad, reached) = state::read(Kind::Squad, image, |from| Squad::decode(from, map))?;
        for (field, reached) in squad.fields.iter_mut().zip(reached) {
            field.find(map, reached);
        }
        *self = squad;
        Ok(())
    }

    /// Reads a squad without its fields, and the reach of each field.
    fn decode(from: &mut Reader, map: &Map) -> Result<(Squad, Vec<Option<u32>>), LoadError> {
        let rule = from.rule()?;
        let mut squad =
            Squad::new(map, rule).map_err(|_| LoadError::Broken("units do not step diagonally"))?;
        from.size(map.width(), map.height())?;
        squad.tick = from.counter()?;
        let fields = from.list(8, |from| Flow::decode(from, map))?;
        let reached: Vec<_> = fields.iter().map(|(_, reached)| *reached).collect();
        squad.fields = fields.into_iter().map(|(field, _)| field).collect();
        let begun = reached.iter().filter(|reached| reached.is_some()).count();
        if begun.saturating_mul(map.cell_count()) > Squad::MOST_LENGTHS {
            return Err(LoadError::Broken("fields have at most 2^30 lengths in sum"));
        }
        if !squad.has_sound_goals() {
            return Err(LoadError::Broken("a goal is one cell, and none is there twice"));
        }
        squad.units = from.list(3, |from| {
            let [at, goal, waits] = [from.word()?, from.word()?, from.word()?];
            Ok(Unit { at, to: NONE, goal, waits })
        })?;
        for (id, unit) in squad.units.iter().enumerate() {
            if unit.goal as usize >= squad.fields.len() {
                return Err(LoadError::Broken("a unit has a goal"));
            }
            if unit.at != NONE {
                let tile = squad.now.get_mut(unit.at as usize).filter(|tile| **tile == NONE);
                *tile.ok_or(LoadError::Broken("a unit has a cell of its own"))? = id as u32;
            }
        }
        squad.free = from.list(1, Reader::word)?;
        let mut gone: Vec<bool> = squad.units.iter().map(|unit| unit.at == NONE).collect();
        for &id in &squad.free {
            if !gone.get_mut(id as usize).is_some_and(core::mem::take) {
                return Err(LoadError::Broken("an id is free once, and nobody's"));
            }
        }
        if gone.contains(&true) {
            return Err(LoadError::Broken("every unit that is gone has left its id"));
        }
        Ok((squad, reached))
    }

    fn has_sound_goals(&self) -> bool {
        let like_ours = |field: &Flow| field.is_for(self.rule, Scale::STEPS) && field.goals().len() == 1;
        let mut goals: Vec<[i32; 2]> =
            self.fields.iter().flat_map(Flow::goals).map(|goal| goal.to_array()).collect();
        goals.sort_unstable();
        self.fields.iter().all(like_ours) && goals.windows(2).all(|two| two[0] != two[1])
    }
}
