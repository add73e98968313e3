//! Members of sleeping islands: their bodies, and the contacts that they keep.
//!
//! In: members one by one, and islands that wake. Out: the members of an island, in the order in
//! which they came. Most sleepers lie alone or in small heaps, so an island with one member or none
//! has no list of its own: eight bytes, where an empty list has 24 and one of a single number 40.

/// The members of one island: none, one, or a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Members {
    count: u32,
    /// The only one, or the index of the list.
    value: u32,
}

/// The lists of owners with several members, and free lists, kept for their memory.
#[derive(Debug, Default)]
pub(super) struct MemberLists {
    lists: Vec<Vec<u32>>,
    free: Vec<u32>,
}

crate::state::clone_by_field! { MemberLists { lists, free } }

impl MemberLists {
    /// The members, in the order in which they came.
    #[inline]
    pub(super) fn of<'m>(&'m self, members: &'m Members) -> &'m [u32] {
        match members.count {
            0 => &[],
            1 => core::slice::from_ref(&members.value),
            _ => &self.lists[members.value as usize],
        }
    }

    pub(super) fn push(&mut self, members: &mut Members, member: u32) {
        members.count += 1;
        match members.count {
            1 => members.value = member,
            2 => {
                let index = self.free.pop().unwrap_or_else(|| {
                    self.lists.push(Vec::new());
                    self.lists.len() as u32 - 1
                });
                let first = core::mem::replace(&mut members.value, index);
                self.lists[index as usize].extend([first, member]);
            }
            _ => self.lists[members.value as usize].push(member),
        }
    }

    /// Empties the members, and keeps the memory of their list.
    pub(super) fn clear(&mut self, members: &mut Members) {
        if members.count > 1 {
            self.lists[members.value as usize].clear();
            self.free.push(members.value);
        }
        *members = Members::default();
    }

    /// Empties all lists. The `Members` that name them must be emptied too.
    pub(super) fn clear_all(&mut self) {
        self.lists.iter_mut().for_each(Vec::clear);
        self.free.clear();
        self.free.extend((0..self.lists.len() as u32).rev());
    }
}

impl Members {
    pub(super) fn len(self) -> usize {
        self.count as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_their_order_and_lists_are_used_again() {
        let mut lists = MemberLists::default();
        let mut islands = [Members::default(); 3];
        for round in 0..3 {
            for member in 0..7 {
                // 0, 1 and 6 members.
                let island = if member == 3 { 1 } else { 2 };
                lists.push(&mut islands[island], member + round);
            }
            let [none, one, six] = [0, 1, 2].map(|k| lists.of(&islands[k]).to_vec());
            assert_eq!((none, one), (vec![], vec![3 + round]));
            assert_eq!(six, [0, 1, 2, 4, 5, 6].map(|member| member + round));
            assert_eq!((lists.lists.len(), islands[2].len()), (1, 6));
            islands.iter_mut().for_each(|members| lists.clear(members));
            assert!(islands.iter().all(|members| lists.of(members).is_empty()));
        }
    }
}
