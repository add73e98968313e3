//! Sorts of little code.
//!
//! In: a list, and an order or a key. Out: the list in that order; equal elements keep their order.
//!
//! The standard library's sorts are compiled anew for each type and each order, some 7 kB at a
//! time: sixty of them were a tenth of the crate's build. Here all lists share one sort of indices,
//! which compares through a pointer and allocates. So code that sorts long lists in every step
//! calls the standard library; rare sorts and short lists use this module.

use core::cmp::Ordering;

/// The greatest length of a list that is sorted in place.
const SORTED_IN_PLACE: usize = 20;

/// Sorts by an order.
pub(crate) fn by<T>(list: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    sort(list, &order);
}

/// Sorts by a key.
pub(crate) fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort(list, &|p, q| key(p).cmp(&key(q)));
}

/// Sorts by the order of the elements.
pub(crate) fn plain<T: Ord>(list: &mut [T]) {
    sort(list, &T::cmp);
}

/// Sorts a short list by insertion; for a long list, sorts indices and moves the elements after it.
fn sort<T>(list: &mut [T], order: &dyn Fn(&T, &T) -> Ordering) {
    if list.len() > SORTED_IN_PLACE {
        let mut from: Vec<u32> = (0..list.len() as u32).collect();
        sort_places(&mut from, &|p, q| order(&list[p as usize], &list[q as usize]));
        return follow(list, &mut from);
    }
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && order(&list[at], &list[at - 1]).is_lt() {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Sorts indices: the one sort that is compiled.
fn sort_places(places: &mut [u32], order: &dyn Fn(u32, u32) -> Ordering) {
    places.sort_unstable_by(|&p, &q| order(p, q).then(p.cmp(&q)));
}

/// Moves the element at `from[k]` to place k, for all k, cycle by cycle: swaps carry the first
/// element of a cycle to its end.
fn follow<T>(list: &mut [T], from: &mut [u32]) {
    for start in 0..list.len() {
        let mut at = start;
        loop {
            let next = from[at] as usize;
            from[at] = at as u32;
            if next == start {
                break;
            }
            list.swap(at, next);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::Random;

    #[test]
    fn lists_of_any_length_are_sorted_and_equals_keep_their_order() {
        let mut random = Random(7);
        for count in (0..40).chain([200, 1000]) {
            let list: Vec<(u64, usize)> = (0..count).map(|place| (random.below(30), place)).collect();
            let (mut sorted, mut expected) = (list.clone(), list);
            by_key(&mut sorted, |&(key, _)| core::cmp::Reverse(key));
            expected.sort_by_key(|&(key, _)| core::cmp::Reverse(key));
            assert_eq!(sorted, expected, "{count} elements");
            by(&mut sorted, |p, q| p.0.cmp(&q.0));
            expected.sort_by_key(|p| p.0);
            assert_eq!(sorted, expected, "{count} elements");
            plain(&mut sorted);
            assert!(sorted.is_sorted(), "{count} elements");
        }
    }
}
