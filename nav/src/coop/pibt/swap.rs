//! The swap rule: two units that have to pass each other in a street back out to a fork.
//!
//! In: a unit's turn, and the units around it. Out: the unit that it has to pull along while it
//! goes away from its goal.

use super::{NONE, Squad, Turn};
use crate::grid::Map;

/// The continuation of a street.
enum Ahead {
    /// The street ends.
    End,
    /// The street goes on to a tile.
    On(u32),
    /// The street has a fork, with room to let units pass.
    Fork,
}

impl Squad {
    /// The unit to pull along, instead of going to the best tile. Either the unit on the best tile,
    /// if the two have to pass each other and there is a fork behind; or a neighbour that has to
    /// pass, once this unit has come out of the street.
    pub(super) fn to_pull(&self, map: &Map, turn: &Turn) -> u32 {
        let at = self.units[turn.unit as usize].at;
        let best = turn.tiles[0];
        // A unit is not pulled into a wall that was built on the cell of the leaving unit.
        if best == at || !map.is_free(self.cell_at(at)) {
            return NONE;
        }
        let there = self.now[best as usize];
        if there != NONE
            && self.units[there as usize].to == NONE
            && self.must_pass(map, turn.unit, there, at, best)
            && self.has_fork(map, best, at)
        {
            return there;
        }
        let pusher = self.neighbours(map, at).map(|tile| self.now[tile as usize]).find(|&beside| {
            beside != NONE
                && beside != there
                && self.must_pass(map, beside, turn.unit, at, best)
                && self.has_fork(map, best, at)
        });
        pusher.unwrap_or(NONE)
    }

    /// The continuation of a street at `at`, coming from `behind`. A dead end whose unit is at its
    /// goal is no exit.
    fn ahead(&self, map: &Map, behind: u32, at: u32) -> Ahead {
        let (mut exits, mut on) = (0, at);
        for tile in self.neighbours(map, at).filter(|tile| *tile != behind) {
            let there = self.now[tile as usize];
            let is_filled = there != NONE
                && self.is_goal(self.units[there as usize].goal, tile)
                && map.moves(self.rule, self.cell_at(tile)).count_ones() == 1;
            if !is_filled {
                exits += 1;
                on = tile;
            }
        }
        match exits {
            0 => Ahead::End,
            1 => Ahead::On(on),
            _ => Ahead::Fork,
        }
    }

    /// Whether `pusher` and `puller`, on `behind` and `at`, have to pass each other along a street
    /// without a fork.
    fn must_pass(&self, map: &Map, pusher: u32, puller: u32, mut behind: u32, mut at: u32) -> bool {
        let length =
            |unit: u32, tile: u32| self.fields[self.units[unit as usize].goal as usize].length_at(tile);
        let begin = behind;
        while length(pusher, at) < length(pusher, behind) {
            match self.ahead(map, behind, at) {
                Ahead::Fork => return false,
                Ahead::End => break,
                Ahead::On(next) => (behind, at) = (at, next),
            }
            if at == begin {
                break;
            }
        }
        let wants_on = length(pusher, behind) == 0 || length(pusher, at) < length(pusher, behind);
        length(puller, behind) < length(puller, at) && wants_on
    }

    /// Whether the street has a fork, going from `from` to `at` and on.
    fn has_fork(&self, map: &Map, from: u32, mut at: u32) -> bool {
        let mut behind = from;
        while at != from {
            match self.ahead(map, behind, at) {
                Ahead::Fork => return true,
                Ahead::End => return false,
                Ahead::On(next) => (behind, at) = (at, next),
            }
        }
        false
    }
}
