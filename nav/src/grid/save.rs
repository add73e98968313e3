//! Images and hashes of maps.

use super::islands::Links;
use super::rule::{Corners, Rule};
use super::{Cell, Map};
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

saved!(Map as Map);

/// A rule for each kind of labels.
const RULES: [Rule; 3] = [Rule::Four, Rule::Eight(Corners::Always), Rule::Six];

impl Map {
    /// Loads a map.
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
    ///
    /// # Errors
    /// A [`LoadError`] for bytes that are damaged, of another kind or version, or inconsistent.
    pub fn load(image: &[u8]) -> Result<Map, LoadError> {
        state::read(Kind::Map, image, Map::decode)
    }

    fn decode(from: &mut Reader) -> Result<Map, LoadError> {
        let size = from.cell()?;
        let too_large = LoadError::Broken("a map has cells, and not too many");
        let (width, height) = (size.x as u32 as usize, size.y as u32 as usize);
        Map::check(width, height).map_err(|_| too_large)?;
        let kept = from.word()?;
        if kept >> 18 != 0 {
            return Err(LoadError::Broken("what is kept is known"));
        }
        let sizes = || (2..=16).filter(|size| kept >> (size + 1) & 1 != 0);
        let mut revisions = vec![from.counter()?];
        for _ in sizes() {
            revisions.push(from.counter()?);
        }
        let words = width.div_ceil(64);
        let mut walls = Vec::new();
        for _ in 0..words * height {
            // Memory grows with the bytes read, not with the size in the header.
            walls.push(from.long()?);
        }
        let mut map = Map::from_rows(width, height, |y| &walls[y as usize * words..(y as usize + 1) * words])
            .map_err(|_| too_large)?;
        let costs = from.bytes()?;
        if !costs.is_empty() && costs.len() != map.cell_count() || costs.contains(&0) {
            return Err(LoadError::Broken("each cell has a cost, or none has"));
        }
        for (index, &cost) in costs.iter().enumerate() {
            map.put_cost(map.cell_at(index), cost);
        }
        for (_, rule) in RULES.into_iter().enumerate().filter(|(k, _)| kept >> k & 1 != 0) {
            map.keep_islands(rule);
        }
        for size in sizes() {
            map.keep_size(size).map_err(|_| LoadError::Broken("a kept size is one"))?;
        }
        map.restore_revisions(&revisions);
        Ok(map)
    }

    /// Writes walls, costs, revisions, and the kept sizes and islands.
    fn encode(&self, to: &mut impl Sink) {
        to.cell(Cell::new(self.width(), self.height()));
        let rules = RULES.iter().enumerate().filter(|(_, rule)| self.keeps(Links::of(**rule)));
        let sizes = self.each_view().map(|(size, _)| 1 << (size + 1));
        to.word(rules.map(|(k, _)| 1 << k).chain(sizes).sum());
        to.long(self.revision());
        self.each_view().for_each(|(_, view)| to.long(view.revision()));
        (0..self.height()).for_each(|y| self.row(y).iter().for_each(|&word| to.long(word)));
        to.bytes(if self.is_uniform() { &[] } else { self.costs() });
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
        assert_eq!((loaded.chunk_prints(), loaded.print()), (map.chunk_prints(), map.print()));
        let revision = |map: &Map| map.view(3).map(Map::revision);
        assert!(revision(&map) > Some(0) && revision(&map) == revision(&loaded));
        refuses_damage(&image, |bytes| Map::load(bytes).map(|_| ()));
    }
}
