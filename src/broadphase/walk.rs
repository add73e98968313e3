//! Walks over all boxes, for queries.
//!
//! In: a predicate or a query. Out: ids. Walks use the trees, and the lists of boxes that moved
//! since the trees were refreshed.

use core::iter::Chain;
use glam::IVec2;

use super::best_first::{TREES, Walk};
use super::fan::{Question, Sieve};
use super::flight::{FLIGHT, Flight, sift};
use super::forest::{AllFans, Boxes, Forest, Home};
use super::proxy::{BOUNDED, LAST_EPOCH, PRESENT};
use super::tree::is_wanted;
use super::upkeep::FreshTrees;
use super::{Grid, WorldAabb};
use crate::bounds::Aabb;
use crate::simd::inlined;

/// Among fewer boxes all memory is near: a walk hardly waits, and several at a time take more
/// instructions. (Overlaps of 4 m, several at a time beside one by one: among 1,000 shapes 1.2
/// times as long, among 10,000 as long, among 100,000 0.73 times.)
const MANY_BOXES: usize = 1 << 14;

/// If more than one in this many boxes must be sorted into a tree anyway, the copy is one tree of
/// all boxes.
const SORTED_SHARE: usize = 4;

/// One tree of all boxes is worth it only if the smaller of the two trees has more than one in this
/// many boxes.
const ALIKE: usize = 8;

/// The trees that a walk goes through, and the place of each box in them.
#[derive(Clone, Copy)]
struct Trees<'g> {
    /// The forests of active and of resting boxes; or one of all boxes, and an empty one.
    forests: [&'g Forest; 2],
    homes: &'g [Home],
}

impl<'g> Trees<'g> {
    /// Returns how many boxes a query tests one by one.
    fn waiting(&self) -> usize {
        self.forests.iter().map(|forest| forest.waiting()).sum()
    }

    /// Returns all trees in lanes.
    fn fans(&self) -> Chain<AllFans<'g>, AllFans<'g>> {
        let [active, resting] = self.forests;
        active.fans().chain(resting.fans())
    }

    /// Whether a tree may have an old place of a box.
    fn any_moved(&self) -> bool {
        self.forests.iter().any(|forest| forest.any_moved())
    }
}

impl<'g> From<&'g FreshTrees> for Trees<'g> {
    fn from(copies: &'g FreshTrees) -> Trees<'g> {
        Trees { forests: copies.forests.each_ref(), homes: &copies.homes }
    }
}

/// [`Grid::refresh_if_scattered`] refreshes if more boxes changed than these.
const MANY_CHANGED: usize = 48;

/// Walks over all boxes, active and resting.
impl Grid {
    /// Returns the trees of the grid, or the copies that queries have refreshed.
    fn trees(&self) -> Trees<'_> {
        let copies = self.upkeep.copies();
        copies.map_or_else(|| self.own_trees(), Trees::from)
    }

    /// Returns the trees for some queries. Makes copies first if there were enough queries to pay
    /// for it.
    fn trees_for(&self, questions: usize) -> Trees<'_> {
        let own = self.own_trees();
        if own.forests.iter().all(|forest| forest.unplanted() == 0) {
            self.upkeep.note(0);
            let [some, others] = own.forests.map(Forest::planted);
            let are_alike = ALIKE * some.min(others) > self.len();
            let make = || self.one_tree();
            let one = are_alike.then(|| self.upkeep.one_tree_if_worth(questions, self.len(), make));
            return one.flatten().map_or(own, Trees::from);
        }
        let copies = self.upkeep.copies_if_worth(self.len(), || self.fresh_trees());
        self.upkeep.note(if copies.is_some() { 0 } else { own.waiting() });
        copies.map_or(own, Trees::from)
    }

    fn own_trees(&self) -> Trees<'_> {
        Trees { forests: [&self.active_forest, &self.resting_forest], homes: &self.homes }
    }

    #[cold]
    fn fresh_trees(&self) -> FreshTrees {
        let loose: usize = [&self.active_forest, &self.resting_forest].map(Forest::loose_count).iter().sum();
        if SORTED_SHARE * loose > self.len() {
            return self.one_tree();
        }
        let mut fresh = FreshTrees {
            forests: [self.active_forest.clone(), self.resting_forest.clone()],
            homes: self.homes.clone(),
        };
        let boxes = Boxes { proxies: &self.proxies, before: None };
        for forest in &mut fresh.forests {
            forest.refresh(boxes, &mut fresh.homes);
            forest.gather(boxes, &mut fresh.homes);
        }
        fresh
    }

    /// Builds one tree of all boxes, active and resting: a walk down two trees opens nearly twice
    /// as many fans.
    fn one_tree(&self) -> FreshTrees {
        let mut homes = vec![Home::NOWHERE; self.homes.len()];
        let mut all = Forest::default();
        let is_bounded = |id: &u32| self.proxies[*id as usize].is(PRESENT | BOUNDED);
        (0..self.proxies.len() as u32).filter(is_bounded).for_each(|id| all.insert(id, &mut homes));
        let boxes = Boxes { proxies: &self.proxies, before: None };
        all.refresh(boxes, &mut homes);
        all.gather(boxes, &mut homes);
        FreshTrees { forests: [all, Forest::default()], homes }
    }

    /// Makes walks quick again after changes.
    pub fn refresh(&mut self) {
        // Copies, if there are some, contain the present boxes: they stay in use.
        let boxes = Boxes { proxies: &self.proxies, before: None };
        for forest in [&mut self.active_forest, &mut self.resting_forest] {
            forest.refresh(boxes, &mut self.homes);
            forest.gather(boxes, &mut self.homes);
        }
        // From here on the trees must be told again of every move.
        if self.epoch + 1 < LAST_EPOCH {
            self.epoch += 1;
        } else {
            self.active_forest.outdate();
        }
    }

    /// [`refresh`](Self::refresh) between moves, if many boxes changed: each walk tests changed
    /// boxes one by one.
    pub(crate) fn refresh_if_scattered(&mut self) {
        if self.active_forest.unplanted() > MANY_CHANGED {
            self.refresh();
        }
    }

    /// Calls [`refresh`](Self::refresh) after a step, if enough queries came since the last step to
    /// pay for it.
    pub(crate) fn refresh_if_asked(&mut self) {
        if self.upkeep.is_due(self.active_count) {
            self.refresh();
        }
    }

    /// Calls `visit` with every id whose box satisfies `wanted`, until `visit` returns false.
    ///
    /// `wanted` is also called with boxes around groups of boxes: it must hold for a box whenever
    /// it holds for a box inside. It may become stricter as the walk goes on, as in a search for
    /// the nearest. Its box is in metres from the centre of region `origin`, rounded outward.
    pub fn visit(
        &self,
        origin: IVec2,
        mut wanted: impl FnMut(&Aabb) -> bool,
        visit: impl FnMut(u32) -> bool,
    ) {
        self.walk(|aabb| wanted(&aabb.relative_to(origin)), visit);
    }

    /// Calls `visit` with every id whose box overlaps `aabb`, touching included, until `visit`
    /// returns false.
    pub fn query(&self, aabb: &WorldAabb, mut visit: impl FnMut(u32) -> bool) {
        self.query_for(aabb, &mut visit);
    }

    /// Walks for [`Grid::query`], compiled once for all callers.
    fn query_for(&self, aabb: &WorldAabb, visit: &mut dyn FnMut(u32) -> bool) {
        if aabb.is_valid() {
            self.walk(|other| aabb.overlaps(other), visit);
        }
    }

    /// Calls `visit` with ids, the most promising first, while `key` of their box is within a
    /// bound.
    ///
    /// `key` returns a lower bound of the answer in a box, for example a distance, or infinity if
    /// there is no answer; a box inside must not have a lower one. `visit` returns the new bound:
    /// the best answer so far. The bound begins at infinity. Boxes are in metres from the centre of
    /// region `origin`, rounded outward.
    pub fn visit_nearest(
        &self,
        origin: IVec2,
        mut key: impl FnMut(&Aabb) -> f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        // Inlined at each level of the walk: calls for each box are a fifth of the instructions of
        // a ray.
        let mut key = inlined(
            #[inline(always)]
            |aabb: &WorldAabb| key(&aabb.relative_to(origin)),
        );
        let mut bound = f32::INFINITY;
        for &id in &self.unbounded {
            if is_wanted(key(&self.proxies[id as usize].aabb), bound) {
                bound = visit(id);
            }
        }
        let Trees { forests, homes } = self.trees();
        let boxes = (Boxes { proxies: &self.proxies, before: None }, homes);
        for forest in forests {
            let key = inlined(
                #[inline(always)]
                |aabb: &WorldAabb| key(aabb),
            );
            bound = forest.visit_nearest(boxes, bound, key, &mut visit);
        }
    }

    /// Does [`Grid::visit_nearest`] for a query that tests eight boxes at a time.
    pub(crate) fn ask_nearest<Q: Question>(&self, question: &Q, mut visit: impl FnMut(u32) -> f32) {
        let trees = self.trees_for(1);
        let mut bound = self.ask_apart(trees, question, &mut visit);
        let (level, any_moved) = (self.lanes().level, trees.any_moved());
        let is_current = |id: u32| !any_moved || !trees.homes[id as usize].is_stale();
        // Walks all trees at once, always at the most promising place: a near answer from one tree
        // saves the farther boxes of the others.
        let mut fans = trees.fans();
        let mut walk = Walk::new(*question);
        loop {
            let all_begun = walk.begin(&mut fans);
            while let Some(id) = walk.next(level, bound) {
                bound = if is_current(id) { visit(id) } else { bound };
            }
            if all_begun {
                break;
            }
        }
    }

    /// Does [`Grid::ask_nearest`] for many queries, each with a number. `visit` gets ids with the
    /// numbers of the queries that they may answer, at most [`FLIGHT`] and no two of one query, and
    /// writes their new bounds. It gets several at a time so that their rows can be fetched
    /// together. Each query has the same visits as alone.
    pub(crate) fn ask_nearest_each<Q: Question>(
        &self,
        questions: impl IntoIterator<Item = (usize, Q)>,
        mut visit: impl FnMut(&[(usize, u32)], &mut [f32]),
    ) {
        let mut questions = questions.into_iter();
        let trees = self.trees_for(questions.size_hint().1.unwrap_or(1));
        if trees.fans().count() > TREES {
            questions.for_each(|(number, question)| {
                self.ask_nearest(&question, visit_one(number, &mut visit));
            });
            return;
        }
        let Some(first) = questions.next() else { return };
        let (level, any_moved) = (self.lanes().level, trees.any_moved());
        let is_current = |id: u32| !any_moved || !trees.homes[id as usize].is_stale();
        let mut flight = Flight::new(first.1, trees.fans());
        let mut questions = core::iter::once(first).chain(questions);
        // The number of the query of each walk.
        let mut numbers = [None; FLIGHT];
        loop {
            let (mut waiting, mut bounds, mut seats) = ([(0, 0); FLIGHT], [0.0; FLIGHT], [0; FLIGHT]);
            let mut count = 0;
            for (seat, walked) in numbers.iter_mut().enumerate() {
                if flight.is_going(seat) {
                    continue;
                }
                match (*walked, flight.entry(seat)) {
                    (Some(_), Some(id)) if !is_current(id) => flight.resume(seat),
                    (Some(number), Some(id)) => {
                        (waiting[count], bounds[count], seats[count]) =
                            ((number, id), flight.bounds[seat], seat);
                        count += 1;
                    }
                    _ => {
                        let next = questions.next();
                        *walked = next.as_ref().map(|&(number, _)| number);
                        if let Some((number, question)) = next {
                            let bound = self.ask_apart(trees, &question, &mut visit_one(number, &mut visit));
                            flight.begin(seat, (question, bound));
                        }
                    }
                }
            }
            if numbers == [None; FLIGHT] {
                break;
            }
            if count > 0 {
                visit(&waiting[..count], &mut bounds[..count]);
            }
            for (&seat, &bound) in seats[..count].iter().zip(&bounds) {
                flight.bounds[seat] = bound;
                flight.resume(seat);
            }
            flight.advance(level);
        }
    }

    /// Calls `visit` with ids whose boxes may contain an answer, the most promising first, until it
    /// returns false.
    pub(crate) fn ask_any(&self, question: &impl Question, mut visit: impl FnMut(u32) -> bool) {
        self.ask_nearest(question, |id| if visit(id) { f32::INFINITY } else { f32::NEG_INFINITY });
    }

    /// Calls `visit` with all ids whose boxes may contain an answer, and with their promises; do
    /// not depend on the order.
    pub(crate) fn ask<Q: Question>(&self, question: &Q, visit: impl FnMut(u32, f32)) {
        self.ask_alone(question, |found| found.each(visit));
    }

    /// Does [`Grid::ask`] for callers that prefer an object they can walk.
    pub(crate) fn ask_alone<Q: Question>(&self, question: &Q, answer: impl FnOnce(Found<'_, '_, Q>)) {
        let trees = self.trees_for(1);
        let mut sieve = Sieve::new(*question, trees.fans());
        answer(Found { grid: self, trees, sieve: &mut sieve });
    }

    /// Does [`Grid::ask`] for many queries: calls `answer` with the number of each and its results,
    /// in order. Among many boxes several walk at a time (`flight.rs`). Before their answers, it
    /// calls `fetch` with the ids that each has found by then, so that rows of several can be
    /// fetched together.
    pub(crate) fn ask_each<Q: Question>(
        &self,
        questions: impl IntoIterator<Item = Q>,
        fetch: impl Fn(&[(u32, f32)]),
        mut answer: impl FnMut(usize, Found<'_, '_, Q>),
    ) {
        let mut questions = questions.into_iter().peekable();
        let Some(&first) = questions.peek() else { return };
        let trees = self.trees_for(questions.size_hint().1.unwrap_or(1));
        if self.len() < MANY_BOXES {
            let mut sieve = Sieve::new(first, trees.fans());
            for (number, question) in questions.enumerate() {
                sieve.restart(question, trees.fans());
                answer(number, Found { grid: self, trees, sieve: &mut sieve });
            }
            return;
        }
        let (level, mut number) = (self.lanes().level, 0);
        let mut sieves: [_; FLIGHT] = core::array::from_fn(|_| Sieve::new(first, trees.fans()));
        while questions.peek().is_some() {
            let mut count = 0;
            for (sieve, question) in sieves.iter_mut().zip(questions.by_ref()) {
                sieve.restart(question, trees.fans());
                count += 1;
            }
            let sieves = &mut sieves[..count];
            sift(sieves, level);
            sieves.iter().for_each(|sieve| fetch(sieve.found()));
            for sieve in sieves {
                answer(number, Found { grid: self, trees, sieve });
                number += 1;
            }
        }
    }

    /// Tests all boxes outside of the trees, without a bound at first: boxes too large for a cell,
    /// new and moved ones. Returns the new bound. These boxes are few, so one walk is compiled for
    /// all callers.
    fn ask_apart(
        &self,
        trees: Trees<'_>,
        question: &impl Question,
        visit: &mut dyn FnMut(u32) -> f32,
    ) -> f32 {
        let mut bound = question.most();
        for &id in &self.unbounded {
            if is_wanted(question.promise_of(&self.proxies[id as usize].aabb), bound) {
                bound = visit(id);
            }
        }
        let boxes = (Boxes { proxies: &self.proxies, before: None }, trees.homes);
        for forest in trees.forests {
            bound = forest.ask_loose(boxes, question, bound, visit);
        }
        bound
    }

    fn walk(&self, mut wanted: impl FnMut(&WorldAabb) -> bool, mut visit: impl FnMut(u32) -> bool) {
        for &id in &self.unbounded {
            if wanted(&self.proxies[id as usize].aabb) && !visit(id) {
                return;
            }
        }
        let Trees { forests: [active, resting], homes } = self.trees();
        let boxes = (Boxes { proxies: &self.proxies, before: None }, homes);
        if active.visit(boxes, &mut wanted, &mut visit) {
            resting.visit(boxes, &mut wanted, &mut visit);
        }
    }
}

/// All boxes that may contain an answer to a query; some of them were found already.
pub(crate) struct Found<'g, 's, Q> {
    grid: &'g Grid,
    trees: Trees<'g>,
    sieve: &'s mut Sieve<'g, Q, Chain<AllFans<'g>, AllFans<'g>>>,
}

impl<Q: Question> Found<'_, '_, Q> {
    pub(crate) fn question(&self) -> Q {
        self.sieve.question
    }

    /// Calls `visit` with all ids, and with their promises.
    #[inline]
    pub(crate) fn each(self, mut visit: impl FnMut(u32, f32)) {
        let Found { grid, trees, sieve } = self;
        let question = sieve.question;
        grid.ask_apart(trees, &question, &mut |id| {
            visit(id, question.promise_of(&grid.proxies[id as usize].aabb));
            f32::INFINITY
        });
        let (level, any_moved) = (grid.lanes().level, trees.any_moved());
        loop {
            for &(id, promise) in sieve.found() {
                if !any_moved || !trees.homes[id as usize].is_stale() {
                    visit(id, promise);
                }
            }
            if !sieve.next(level) {
                break;
            }
        }
    }
}

/// Visits one id at a time for the query with a number.
fn visit_one(number: usize, mut visit: impl FnMut(&[(usize, u32)], &mut [f32])) -> impl FnMut(u32) -> f32 {
    let mut bound = [f32::INFINITY];
    move |id| {
        visit(&[(number, id)], &mut bound);
        bound[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broadphase::Activity;
    use crate::simd::{Lane, Width};
    use glam::{Vec2, vec2};

    /// A query for all boxes that reach to the left of a line.
    #[derive(Clone, Copy)]
    struct LeftOf(f32);

    impl Question for LeftOf {
        fn seen_from(&self, _region: IVec2) -> LeftOf {
            *self
        }

        #[inline(always)]
        fn promise<W: Width>(&self, w: W, [left, ..]: [W::L; 4]) -> W::L {
            Lane::select(left.lt(w.splat(self.0)), w.splat(1.0), w.splat(f32::INFINITY))
        }
    }

    fn found(grid: &Grid, question: LeftOf) -> Vec<u32> {
        let mut found = Vec::new();
        grid.ask(&question, |id, _| found.push(id));
        found.sort_unstable();
        found
    }

    #[test]
    fn one_tree_of_all_answers_until_a_box_changes() {
        let mut grid = Grid::new();
        let aabb = |at: Vec2| Aabb { min: at, max: at + 1.0 };
        for id in 0..400 {
            let activity = [Activity::Active, Activity::Resting][id as usize % 2];
            grid.insert(id, aabb(vec2((id / 20) as f32, (id % 20) as f32) * 2.0), activity);
        }
        grid.refresh();
        let few: Vec<u32> = (0..100).collect();
        for _ in 0..1_601 {
            assert_eq!(found(&grid, LeftOf(9.0)), few);
        }
        assert!(grid.upkeep.copies().is_some(), "so many questions are worth one tree");
        grid.refresh();
        assert!(grid.upkeep.copies().is_some(), "a refresh changes no box");
        assert_eq!(found(&grid, LeftOf(9.0)), few);
        grid.update(50, aabb(vec2(90.0, 0.0)));
        assert!(grid.upkeep.copies().is_none());
        grid.update(300, aabb(vec2(0.0, 90.0)));
        grid.remove(51);
        let now: Vec<u32> = (0..50).chain(52..100).chain([300]).collect();
        assert_eq!(found(&grid, LeftOf(9.0)), now);
        grid.refresh();
        assert_eq!(found(&grid, LeftOf(9.0)), now);
    }

    /// Few moving boxes keep their own tree: one tree of all boxes would answer no sooner.
    #[test]
    fn few_moving_boxes_are_not_worth_one_tree() {
        let mut grid = Grid::new();
        for id in 0..400 {
            let at = vec2(id as f32, 0.0);
            let activity = if id < 20 { Activity::Active } else { Activity::Resting };
            grid.insert(id, Aabb { min: at, max: at + 0.5 }, activity);
        }
        grid.refresh();
        (0..2_000).for_each(|_| assert_eq!(found(&grid, LeftOf(2.5)), [0, 1, 2]));
        assert!(grid.upkeep.copies().is_none());
    }
}
