//! The list of pairs that the caller reads, in order, and what came and went.
//!
//! In: pairs in any order, each once; or a few changed ids with the pairs they now have. Out: the sorted list and
//! its difference to the list before. Called by the grid once each time it has found pairs.

use super::Pair;

#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    pub(super) pairs: Vec<Pair>,
    pub(super) added: Vec<Pair>,
    pub(super) removed: Vec<Pair>,
    previous: Vec<Pair>,
    /// Where the run of each first id begins, while sorting.
    starts: Vec<u32>,
}

impl PairList {
    /// Says that nothing changed.
    pub(super) fn keep(&mut self) {
        self.added.clear();
        self.removed.clear();
    }

    /// Takes `found`, which holds every pair once, as the new list. All ids are below `ids`.
    pub(super) fn replace(&mut self, found: &[Pair], ids: usize) {
        core::mem::swap(&mut self.pairs, &mut self.previous);
        self.sort(found, ids);
        self.compare();
    }

    /// Takes away every pair with a changed member and puts `found` in their place.
    ///
    /// `found` may hold pairs twice and is sorted here.
    pub(super) fn merge(&mut self, found: &mut Vec<Pair>, is_changed: impl Fn(u32) -> bool) {
        core::mem::swap(&mut self.pairs, &mut self.previous);
        found.sort_unstable();
        found.dedup();
        self.pairs.clear();
        let mut rest = found.as_slice();
        for &pair in &self.previous {
            if is_changed(pair.a) || is_changed(pair.b) {
                continue;
            }
            while let Some((&first, others)) = rest.split_first()
                && first < pair
            {
                self.pairs.push(first);
                rest = others;
            }
            self.pairs.push(pair);
        }
        self.pairs.extend_from_slice(rest);
        self.compare();
    }

    /// Sorts by `a` with a counting sort, then each run of the same `a` by `b`.
    fn sort(&mut self, found: &[Pair], ids: usize) {
        let PairList { pairs, starts, .. } = self;
        starts.clear();
        starts.resize(ids + 1, 0);
        for pair in found {
            starts[pair.a as usize] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += core::mem::replace(start, sum);
        }
        pairs.clear();
        pairs.resize(found.len(), Pair::default());
        for &pair in found {
            let start = &mut starts[pair.a as usize];
            pairs[*start as usize] = pair;
            *start += 1;
        }
        let mut begin = 0;
        for &end in starts.iter() {
            let end = end as usize;
            if end > begin + 1 {
                sort_run(&mut pairs[begin..end]);
            }
            begin = end;
        }
    }

    /// Fills `added` and `removed` from the lists now and before.
    fn compare(&mut self) {
        let PairList { pairs, added, removed, previous, .. } = self;
        added.clear();
        removed.clear();
        let (mut now, mut before) = (pairs.as_slice(), previous.as_slice());
        while let (Some((&p, now_rest)), Some((&q, before_rest))) = (now.split_first(), before.split_first())
        {
            if p == q {
                (now, before) = (now_rest, before_rest);
            } else if p < q {
                added.push(p);
                now = now_rest;
            } else {
                removed.push(q);
                before = before_rest;
            }
        }
        added.extend_from_slice(now);
        removed.extend_from_slice(before);
    }
}

/// Sorts pairs of the same `a`.
///
/// Most runs are short and in random order, where each step of an insertion sort is a branch that is wrong half of the
/// time; networks have none.
#[inline]
fn sort_run(run: &mut [Pair]) {
    match run {
        [_] | [] => {}
        [p, q] => order(p, q),
        [p, q, r] => {
            order(p, q);
            order(q, r);
            order(p, q);
        }
        [p, q, r, s] => {
            order(p, q);
            order(r, s);
            order(p, r);
            order(q, s);
            order(q, r);
        }
        _ => run.sort_unstable_by_key(|pair| pair.b),
    }
}

/// Exchanges the second members of two pairs of the same `a` if they are out of order.
#[inline(always)]
fn order(p: &mut Pair, q: &mut Pair) {
    (p.b, q.b) = (p.b.min(q.b), p.b.max(q.b));
}
