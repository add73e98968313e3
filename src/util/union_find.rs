//! Union-find: groups of things that are connected, directly or indirectly.
//!
//! In: connected pairs. Out: the root of each thing, the least member of its group, so that roots
//! do not depend on the order of pairs. Paths are halved on the way up; there are no ranks, because
//! the least member must be the root (Tarjan and van Leeuwen, Worst-case analysis of set union
//! algorithms, 1984).

use super::trim::release;

/// Numbers from 0 on, and their groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// Makes `count` numbers, each in a group of its own.
    pub(crate) fn new(count: usize) -> UnionFind {
        let mut groups = UnionFind::default();
        groups.reset(count);
        groups
    }

    /// Resets to `count` separate numbers, in the present memory.
    pub(crate) fn reset(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
    }

    /// Drops all numbers and their memory, if there are many.
    pub(crate) fn release(&mut self) {
        release(&mut self.parents);
    }

    /// Returns the least number of the group.
    pub(crate) fn root(&mut self, mut of: u32) -> u32 {
        while self.parents[of as usize] != of {
            let above = self.parents[self.parents[of as usize] as usize];
            self.parents[of as usize] = above;
            of = above;
        }
        of
    }

    /// Joins the groups of two numbers.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        self.parents[high as usize] = low;
    }
}

#[cfg(test)]
mod tests {
    use super::UnionFind;

    /// Compared with a list of names that is scanned whole for each pair.
    #[test]
    fn roots_are_least_members_in_any_order_of_pairs() {
        let mut names: Vec<u32> = (0..200).collect();
        let mut groups = UnionFind::new(names.len());
        for k in 0..150_u32 {
            let (a, b) = (k * 37 % 200, (k * 91 + 11) % 200);
            groups.join(a, b);
            let (one, other) = (names[a as usize], names[b as usize]);
            let (low, high) = (one.min(other), one.max(other));
            names.iter_mut().filter(|name| **name == high).for_each(|name| *name = low);
        }
        let roots: Vec<u32> = (0..200).map(|number| groups.root(number)).collect();
        assert_eq!(roots, names);
        assert!(roots.iter().enumerate().any(|(number, &root)| root != number as u32));
    }
}
