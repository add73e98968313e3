//! Maps as bytes, and as one number.

use super::Map;
use super::islands::Links;
use super::rule::{Corners, Rule};
use crate::state::{Hash, LoadError, Reader, Sink, Writer};

const KIND: u8 = b'M';

/// For each kind of labels, a rule that has it.
const RULES: [Rule; 3] = [Rule::Four, Rule::Eight(Corners::Always), Rule::Six];

impl Map {
    /// Writes walls, costs, numbers of changes, and which sizes and islands are kept.
    pub fn save_into(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new(KIND, out);
        self.tell(&mut writer);
        writer.finish();
    }

    /// The map that was written.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let mut map = Map::parse(".#3\n...\n")?;
    /// map.set_wall([0, 0], true);
    /// let mut image = Vec::new();
    /// map.save_into(&mut image);
    /// let loaded = Map::load(&image)?;
    /// assert_eq!(loaded.hash(), map.hash());
    /// assert!(!loaded.is_free([0, 0]) && loaded.cost([2, 1]) == 3 && loaded.revision() == 1);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn load(image: &[u8]) -> Result<Map, LoadError> {
        let mut reader = Reader::new(KIND, image)?;
        let (width, height) = (reader.word()? as usize, reader.word()? as usize);
        if Map::check(width, height).is_err() {
            return Err(LoadError::Broken("a map has cells, and not too many"));
        }
        let (revision, opened) = (reader.long()?, reader.long()?);
        let kept = reader.word()?;
        let words = width.div_ceil(64);
        let mut walls = Vec::new();
        for _ in 0..words * height {
            // Memory grows with what is read.
            walls.push(reader.long()?);
        }
        let mut map = Map::from_rows(width, height, |y| &walls[y as usize * words..(y as usize + 1) * words])
            .map_err(|_| LoadError::Broken("a map has cells, and not too many"))?;
        let costs = reader.bytes()?;
        if !costs.is_empty() && costs.len() != map.cell_count() || costs.contains(&0) {
            return Err(LoadError::Broken("each cell has a cost, or none has"));
        }
        for (index, &cost) in costs.iter().enumerate() {
            map.put_cost(map.cell_at(index), cost);
        }
        let mut chunks = Vec::new();
        for _ in 0..map.chunk_revisions().len() {
            chunks.push(reader.long()?);
        }
        reader.finish()?;
        if kept >> 18 != 0 {
            return Err(LoadError::Broken("what is kept is known"));
        }
        for (_, rule) in RULES.into_iter().enumerate().filter(|(k, _)| kept >> k & 1 != 0) {
            map.keep_islands(rule);
        }
        for size in (2..=16).filter(|size| kept >> (size + 1) & 1 != 0) {
            map.keep_size(size).map_err(|_| LoadError::Broken("a kept size is one"))?;
        }
        map.restore_revisions([revision, opened], &chunks);
        Ok(map)
    }

    /// The map as one number: walls, costs and numbers of changes.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.tell(&mut hash);
        hash.finish()
    }

    fn tell(&self, sink: &mut impl Sink) {
        sink.word(self.width() as u32);
        sink.word(self.height() as u32);
        sink.long(self.revision());
        sink.long(self.last_opened());
        let rules = RULES.iter().enumerate().filter(|(_, rule)| self.keeps(Links::of(**rule)));
        let sizes = (2..=16).filter(|&size| self.view(size).is_some()).map(|size| 1 << (size + 1));
        sink.word(rules.map(|(k, _)| 1 << k).chain(sizes).sum());
        (0..self.height()).for_each(|y| self.row(y).iter().for_each(|&word| sink.long(word)));
        sink.bytes(if self.is_uniform() { &[] } else { self.costs() });
        self.chunk_revisions().iter().for_each(|&revision| sink.long(revision));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::refuses_damage;

    #[test]
    fn images_are_refused_when_damaged() {
        let mut map = Map::from_fn(70, 20, |cell| (cell.x * 3 + cell.y) % 7 == 0).expect("a map");
        map.keep_size(3).expect("a size");
        map.keep_islands(Rule::Six);
        map.set_cost([3, 3], 9);
        map.set_wall([5, 5], true);
        let mut image = Vec::new();
        map.save_into(&mut image);
        let loaded = Map::load(&image).expect("an image");
        assert_eq!(loaded.hash(), map.hash());
        assert!(loaded.view(3).is_some() && loaded.island(Rule::Six, [1, 1]).is_some());
        assert_eq!(loaded.chunk_revisions(), map.chunk_revisions());
        refuses_damage(&image, |bytes| Map::load(bytes).map(|_| ()));
    }
}
