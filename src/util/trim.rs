//! Gives back memory that is kept for the next use, if little of it is used.
//!
//! In: a list that is filled anew now and then. Out: the same list, with less room. Small lists
//! keep their memory, so that a warm world allocates nothing. For a large list, allocating again
//! costs less than filling it.

/// Bytes from which on a list is large.
const LARGE: usize = 1 << 20;

/// A list is trimmed if at most one in this many places is in use.
const USED_SHARE: usize = 4;

/// Shrinks a large list to twice its length, if it has room for four times its length or more.
pub(crate) fn trim<T>(list: &mut Vec<T>) {
    if is_large(list) && list.len() <= list.capacity() / USED_SHARE {
        list.shrink_to(2 * list.len());
    }
}

/// Does [`trim`] for several lists, which count as one: `each` calls its argument with all of them.
pub(crate) fn trim_all<T>(mut each: impl FnMut(&mut dyn FnMut(&mut Vec<T>))) {
    let (mut room, mut used) = (0, 0);
    each(&mut |list| (room, used) = (room + list.capacity(), used + list.len()));
    if room * size_of::<T>() >= LARGE && used <= room / USED_SHARE {
        each(&mut |list| list.shrink_to(2 * list.len()));
    }
}

/// Drops the contents and the memory of a large list.
pub(crate) fn release<T>(list: &mut Vec<T>) {
    if is_large(list) {
        *list = Vec::new();
    }
}

fn is_large<T>(list: &Vec<T>) -> bool {
    list.capacity() * size_of::<T>() >= LARGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_large_together_shrink() {
        let rooms = |lists: usize| {
            let mut all: Vec<Vec<u64>> = (0..lists).map(|_| Vec::with_capacity(LARGE / 80)).collect();
            all.iter_mut().for_each(|list| list.extend([1, 2, 3]));
            trim_all(|visit| all.iter_mut().for_each(visit));
            assert!(all.iter().all(|list| *list == [1, 2, 3]));
            all.iter().map(Vec::capacity).sum::<usize>()
        };
        assert_eq!([rooms(5), rooms(20)], [5 * (LARGE / 80), 20 * 6]);
    }

    #[test]
    fn only_large_lists_that_are_mostly_empty_shrink() {
        let room = |capacity: usize, len: usize| {
            let mut list: Vec<u64> = Vec::with_capacity(capacity);
            list.resize(len, 7);
            trim(&mut list);
            assert!(list.len() == len && list.iter().all(|&number| number == 7));
            list.capacity()
        };
        let large = LARGE / 8;
        assert_eq!([room(large - 1, 0), room(large, large / 4 + 1)], [large - 1, large]);
        assert_eq!([room(large, 0), room(large, 100), room(4 * large, large)], [0, 200, 2 * large]);
    }
}
