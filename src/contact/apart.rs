//! Pairs whose boxes overlap, and whose parts have not come near each other since: no contacts yet.
//!
//! In: pairs that came and went in the grid. Out: the sorted list that is sieved in every step.
//!
//! Boxes reach over the whole way of a step, so what moves together at speed has four times as many pairs as touch. Eight
//! bytes in a list are less than the rows of a contact, and its places in a hash table and in the lists of two bodies.

use crate::broadphase::Pair;

/// The list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Apart {
    pairs: Vec<Pair>,
    /// Those that join it with the next update.
    new: Vec<Pair>,
    /// Those that leave it then.
    gone: Vec<Pair>,
    /// Memory for the next list.
    spare: Vec<Pair>,
}

impl Apart {
    /// Sorted, each of them once.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The list, and what joins and leaves it with the next update.
    pub(crate) fn lists(&self) -> [&[Pair]; 3] {
        [&self.pairs, &self.new, &self.gone]
    }

    /// The same, to be filled anew.
    pub(crate) fn lists_mut(&mut self) -> [&mut Vec<Pair>; 3] {
        [&mut self.pairs, &mut self.new, &mut self.gone]
    }

    /// Puts a pair in with the next update, which may find it there.
    pub(crate) fn put(&mut self, pair: Pair) {
        self.new.push(pair);
    }

    /// Takes pairs out with the next update. (At once, which is one more walk in every step: 1 % of it in a stirred heap.)
    pub(crate) fn take_out(&mut self, pairs: &[Pair]) {
        self.gone.extend_from_slice(pairs);
    }

    /// Takes out what is to go, and then puts in what is new: a pair that left may be back with other parts, whose places were free.
    pub(crate) fn update(&mut self) {
        if self.new.is_empty() && self.gone.is_empty() {
            return;
        }
        let Apart { pairs, new, gone, spare } = self;
        new.sort_unstable();
        gone.sort_unstable();
        let (mut new, mut gone) = (new.iter().copied().peekable(), gone.iter().copied().peekable());
        let mut stays = |pair: Pair| {
            while gone.next_if(|&other| other < pair).is_some() {}
            gone.peek() != Some(&pair)
        };
        spare.clear();
        let mut put = |pair: Pair| {
            if spare.last() != Some(&pair) {
                spare.push(pair);
            }
        };
        for &pair in pairs.iter() {
            while let Some(before) = new.next_if(|&other| other < pair) {
                put(before);
            }
            if stays(pair) {
                put(pair);
            }
        }
        new.for_each(put);
        core::mem::swap(&mut self.pairs, &mut self.spare);
        self.new.clear();
        self.gone.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_agrees_with_an_ordered_set() {
        let (mut apart, mut reference) = (Apart::default(), BTreeSet::new());
        let mut state = 3_u64;
        for _ in 0..500 {
            let mut some = || {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
                let count = state >> 60;
                let pairs =
                    (0..count).map(|k| Pair::new((state >> (3 * k)) as u32 & 7, (state >> 50) as u32 & 31));
                pairs.collect::<Vec<_>>()
            };
            let (new, gone) = (some(), some());
            new.iter().for_each(|&pair| apart.put(pair));
            apart.take_out(&gone);
            apart.update();
            gone.iter().for_each(|pair| _ = reference.remove(pair));
            reference.extend(new);
            assert!(apart.pairs().iter().eq(reference.iter()));
        }
    }
}
