//! Contact edges: a linked list of contacts for each body.
//!
//! In: contacts that begin and end, with the slots of their two bodies. Out: the contacts of a
//! body, in an order on which nothing may depend: lists that are made anew have another.
//!
//! Used when a body is removed or changed. (Searching the boxes nearby instead, with all boxes
//! moving, removing dolls took as long as two steps. Keeping the lists is 0.2 % of the instructions
//! of a step in which thousands of boxes tumble.)

use crate::body::NONE;
use crate::util::Prefetch;

/// The lists of all bodies. End `2 k` is that of contact k in the list of its body A, `2 k + 1`
/// that in the list of B.
#[derive(Debug, Default)]
pub(crate) struct ContactEdges {
    /// First end of each body's list, by slot.
    first: Vec<u32>,
    ends: Vec<End>,
}

crate::state::clone_by_field! { ContactEdges { first, ends } }

/// The neighbouring ends in the list of a body.
#[derive(Clone, Copy, Debug)]
struct End {
    before: u32,
    next: u32,
}

const LOOSE: End = End { before: NONE, next: NONE };

impl ContactEdges {
    /// Asks for the lists.
    pub(super) fn prefetch(&self, fetch: &mut Prefetch) {
        fetch.list(&self.first);
        fetch.rows(&self.ends, |end| end.next);
    }

    /// Makes room for one more contact.
    pub(super) fn grow(&mut self) {
        self.ends.extend([LOOSE; 2]);
    }

    /// Adds a contact to the head of its bodies' lists.
    #[inline]
    pub(super) fn add(&mut self, contact: u32, bodies: [u32; 2]) {
        let count = bodies[0].max(bodies[1]) as usize + 1;
        if self.first.len() < count {
            self.first.resize(count, NONE);
        }
        for (end, body) in [2 * contact, 2 * contact + 1].into_iter().zip(bodies) {
            let next = core::mem::replace(&mut self.first[body as usize], end);
            self.ends[end as usize] = End { before: NONE, next };
            if next != NONE {
                self.ends[next as usize].before = end;
            }
        }
    }

    /// Lists these contacts of so many slots and bodies, and no others.
    pub(super) fn refill(
        &mut self,
        (slots, bodies): (usize, usize),
        contacts: impl Iterator<Item = (u32, [u32; 2])>,
    ) {
        self.first.clear();
        self.first.resize(bodies, NONE);
        self.ends.resize(2 * slots, LOOSE);
        let (first, ends) = (self.first.as_mut_slice(), self.ends.as_mut_slice());
        for (contact, bodies) in contacts {
            for (end, body) in [2 * contact, 2 * contact + 1].into_iter().zip(bodies) {
                let next = core::mem::replace(&mut first[body as usize], end);
                ends[end as usize] = End { before: NONE, next };
                if let Some(next) = ends.get_mut(next as usize) {
                    next.before = end;
                }
            }
        }
    }

    /// Removes a contact from its bodies' lists.
    pub(super) fn remove(&mut self, contact: u32, bodies: [u32; 2]) {
        for (end, body) in [2 * contact, 2 * contact + 1].into_iter().zip(bodies) {
            let End { before, next } = core::mem::replace(&mut self.ends[end as usize], LOOSE);
            if before == NONE {
                self.first[body as usize] = next;
            } else {
                self.ends[before as usize].next = next;
            }
            if next != NONE {
                self.ends[next as usize].before = before;
            }
        }
    }

    /// Whether a body has contacts, asleep or not. Without any, most edits need no search.
    #[inline]
    pub(crate) fn has(&self, body: u32) -> bool {
        self.first.get(body as usize).is_some_and(|&first| first != NONE)
    }

    /// Two bodies, the one with fewer contacts first; as they are given if both have as many.
    pub(crate) fn shorter_first(&self, [a, b]: [u32; 2]) -> [u32; 2] {
        let (mut of_a, mut of_b) = (self.of(a), self.of(b));
        loop {
            match (of_a.next(), of_b.next()) {
                (Some(_), None) => return [b, a],
                (None, _) => return [a, b],
                _ => {}
            }
        }
    }

    /// The contacts of a body.
    pub(crate) fn of(&self, body: u32) -> impl Iterator<Item = u32> + '_ {
        let known = |end: &u32| *end != NONE;
        let first = self.first.get(body as usize).copied().filter(known);
        core::iter::successors(first, move |&end| Some(self.ends[end as usize].next).filter(known))
            .map(|end| end / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contacts of five bodies come and go; every list has the contacts of its body, the latest
    /// first.
    #[test]
    fn lists_have_what_was_put_in() {
        let mut lists = ContactEdges::default();
        let pairs = [[0, 4], [4, 1], [1, 0], [2, 4], [3, 4]];
        pairs.iter().for_each(|_| lists.grow());
        let mut there = Vec::new();
        let check = |lists: &ContactEdges, there: &[usize]| {
            for body in 0..5 {
                let wanted = there.iter().rev().filter(|&&k| pairs[k].contains(&body)).map(|&k| k as u32);
                assert!(lists.of(body).eq(wanted), "of {body} with {there:?}");
            }
        };
        for (k, &pair) in pairs.iter().enumerate() {
            lists.add(k as u32, pair);
            there.push(k);
            check(&lists, &there);
        }
        for k in [1, 4, 0, 3, 2] {
            lists.remove(k as u32, pairs[k]);
            there.retain(|&other| other != k);
            check(&lists, &there);
        }
    }
}
