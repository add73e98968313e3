//! Walks over all boxes, for queries.
//!
//! In: what a caller wants of a box. Out: ids. Trees answer, and lists of what has moved since they
//! were refreshed.

use core::iter::Chain;
use glam::IVec2;

use super::best_first::{TREES, Walk};
use super::fan::{Question, Sieve};
use super::flight::{FLIGHT, Flight, sift};
use super::forest::{AllFans, Boxes, Forest};
use super::proxy::LAST_EPOCH;
use super::tree::is_wanted;
use super::{Grid, WorldAabb};
use crate::bounds::Aabb;
use crate::simd::inlined;

/// Among fewer boxes all is near: a walk hardly waits, and several at a time take more
/// instructions. (Overlaps of 4 m, several at a time beside one by one: among 1,000 shapes 1.2
/// times as long, among 10,000 as long, among 100,000 0.73 times.)
const FAR: usize = 1 << 14;

/// Walks over all boxes, active and resting.
impl Grid {
    /// Makes walks quick again after changes.
    pub fn refresh(&mut self) {
        let boxes = Boxes { proxies: &self.proxies, before: None };
        for forest in [&mut self.active_forest, &mut self.resting_forest] {
            forest.refresh(boxes, &mut self.homes);
            forest.gather(boxes, &mut self.homes);
        }
        // From here on every move is news to the trees once more.
        if self.epoch + 1 < LAST_EPOCH {
            self.epoch += 1;
        } else {
            self.active_forest.outdate();
        }
    }

    /// After a step: the same, if questions have come since the last one for which that pays.
    pub(crate) fn refresh_if_asked(&mut self) {
        if self.upkeep.is_due(self.active_count) {
            self.refresh();
        }
    }

    /// Calls `visit` with every id whose box satisfies `wanted`, until it answers false.
    ///
    /// `wanted` is asked about boxes around groups of boxes too: it must hold for a box whenever it
    /// holds for a box inside. It may change its mind as the walk goes on, as a search for the
    /// nearest does. It is given metres from the centre of region `origin`, rounded outward.
    pub fn visit(
        &self,
        origin: IVec2,
        mut wanted: impl FnMut(&Aabb) -> bool,
        visit: impl FnMut(u32) -> bool,
    ) {
        self.walk(|aabb| wanted(&aabb.relative_to(origin)), visit);
    }

    /// Calls `visit` with every id whose box overlaps `aabb`, touching included, until it answers
    /// false.
    pub fn query(&self, aabb: &WorldAabb, visit: impl FnMut(u32) -> bool) {
        if aabb.is_valid() {
            self.walk(|other| aabb.overlaps(other), visit);
        }
    }

    /// Calls `visit` with ids, the most promising first, as long as `key` of their box is within a
    /// bound.
    ///
    /// `key` gives a lower bound for what is sought in a box, a distance say, or infinity where
    /// there is nothing; a box inside must not have a lower one. `visit` answers the new bound:
    /// what the best is so far. The bound begins at infinity. Boxes are given in metres from the
    /// centre of region `origin`, rounded outward.
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
        let boxes = (Boxes { proxies: &self.proxies, before: None }, self.homes.as_slice());
        for forest in [&self.active_forest, &self.resting_forest] {
            let key = inlined(
                #[inline(always)]
                |aabb: &WorldAabb| key(aabb),
            );
            bound = forest.visit_nearest(boxes, bound, key, &mut visit);
        }
    }

    /// [`Grid::visit_nearest`] for a question that is asked of eight boxes at a time.
    pub(crate) fn ask_nearest<Q: Question>(&self, question: &Q, mut visit: impl FnMut(u32) -> f32) {
        let mut bound = self.ask_apart(question, &mut visit);
        let (level, forests) = (self.lanes().level, [&self.active_forest, &self.resting_forest]);
        let any_moved = forests.iter().any(|forest| forest.any_moved());
        let is_current = |id: u32| !any_moved || !self.homes[id as usize].is_stale();
        // All trees at a time, wherever there is most to be hoped for: what one finds near spares
        // the others what is farther.
        let mut trees = forests.into_iter().flat_map(Forest::fans);
        let mut walk = Walk::new(*question);
        loop {
            let all_begun = walk.begin(&mut trees);
            while let Some(id) = walk.next(level, bound) {
                bound = if is_current(id) { visit(id) } else { bound };
            }
            if all_begun {
                break;
            }
        }
    }

    /// [`Grid::ask_nearest`] for many questions, each with a number. `visit` is given ids with the
    /// numbers of the questions that they may answer, at most [`FLIGHT`] and no two of one
    /// question, and writes the new bounds of these: several at a time, so that their rows can be
    /// fetched together. Each question has the same visits as alone.
    pub(crate) fn ask_nearest_each<Q: Question>(
        &self,
        questions: impl IntoIterator<Item = (usize, Q)>,
        mut visit: impl FnMut(&[(usize, u32)], &mut [f32]),
    ) {
        let mut questions = questions.into_iter();
        let forests = [&self.active_forest, &self.resting_forest];
        if forests.iter().flat_map(|forest| forest.fans()).count() > TREES {
            questions.for_each(|(number, question)| {
                self.ask_nearest(&question, visit_one(number, &mut visit));
            });
            return;
        }
        let Some(first) = questions.next() else { return };
        let (level, any_moved) = (self.lanes().level, forests.iter().any(|forest| forest.any_moved()));
        let is_current = |id: u32| !any_moved || !self.homes[id as usize].is_stale();
        let mut flight = Flight::new(first.1, forests.into_iter().flat_map(Forest::fans));
        let mut questions = core::iter::once(first).chain(questions);
        // The number of the question of each walk.
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
                            let bound = self.ask_apart(&question, visit_one(number, &mut visit));
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

    /// Calls `visit` with an id in whose box a question may have an answer, until it answers false;
    /// the most promising first.
    pub(crate) fn ask_any(&self, question: &impl Question, mut visit: impl FnMut(u32) -> bool) {
        self.ask_nearest(question, |id| if visit(id) { f32::INFINITY } else { f32::NEG_INFINITY });
    }

    /// Calls `visit` with all ids in whose boxes a question may have an answer, and with what those
    /// promise; in no order that anything may depend on.
    pub(crate) fn ask<Q: Question>(&self, question: &Q, visit: impl FnMut(u32, f32)) {
        self.ask_alone(question, |found| found.each(visit));
    }

    /// The same, for whom it suits to be handed what can be visited.
    pub(crate) fn ask_alone<Q: Question>(&self, question: &Q, answer: impl FnOnce(Found<'_, '_, Q>)) {
        let mut sieve = Sieve::new(*question, self.all_fans());
        answer(Found { grid: self, sieve: &mut sieve });
    }

    /// [`Grid::ask`] of many questions: `answer` is called with the number of each and what it
    /// found, in their order. Among many boxes several walk at a time (`flight.rs`); before their
    /// answers, `fetch` is called with what each has found by then, so that rows of several can be
    /// fetched together.
    pub(crate) fn ask_each<Q: Question>(
        &self,
        questions: impl IntoIterator<Item = Q>,
        fetch: impl Fn(&[(u32, f32)]),
        mut answer: impl FnMut(usize, Found<'_, '_, Q>),
    ) {
        let mut questions = questions.into_iter().peekable();
        let Some(&first) = questions.peek() else { return };
        if self.len() < FAR {
            let mut sieve = Sieve::new(first, self.all_fans());
            for (number, question) in questions.enumerate() {
                sieve.restart(question, self.all_fans());
                answer(number, Found { grid: self, sieve: &mut sieve });
            }
            return;
        }
        let (level, mut number) = (self.lanes().level, 0);
        let mut sieves: [_; FLIGHT] = core::array::from_fn(|_| Sieve::new(first, self.all_fans()));
        while questions.peek().is_some() {
            let mut count = 0;
            for (sieve, question) in sieves.iter_mut().zip(questions.by_ref()) {
                sieve.restart(question, self.all_fans());
                count += 1;
            }
            let sieves = &mut sieves[..count];
            sift(sieves, level);
            sieves.iter().for_each(|sieve| fetch(sieve.found()));
            for sieve in sieves {
                answer(number, Found { grid: self, sieve });
                number += 1;
            }
        }
    }

    /// All trees in lanes.
    fn all_fans(&self) -> Chain<AllFans<'_>, AllFans<'_>> {
        self.active_forest.fans().chain(self.resting_forest.fans())
    }

    /// Asks all that no tree knows of, from no bound on: what is too large for one, what is new,
    /// what has moved. Answers the bound after it.
    fn ask_apart(&self, question: &impl Question, mut visit: impl FnMut(u32) -> f32) -> f32 {
        let mut bound = f32::INFINITY;
        for &id in &self.unbounded {
            if is_wanted(question.promise_of(&self.proxies[id as usize].aabb), bound) {
                bound = visit(id);
            }
        }
        self.upkeep.note(self.active_forest.waiting() + self.resting_forest.waiting());
        let boxes = (Boxes { proxies: &self.proxies, before: None }, self.homes.as_slice());
        for forest in [&self.active_forest, &self.resting_forest] {
            bound = forest.ask_loose(boxes, question, bound, &mut visit);
        }
        bound
    }

    fn walk(&self, mut wanted: impl FnMut(&WorldAabb) -> bool, mut visit: impl FnMut(u32) -> bool) {
        for &id in &self.unbounded {
            if wanted(&self.proxies[id as usize].aabb) && !visit(id) {
                return;
            }
        }
        let boxes = (Boxes { proxies: &self.proxies, before: None }, self.homes.as_slice());
        if self.active_forest.visit(boxes, &mut wanted, &mut visit) {
            self.resting_forest.visit(boxes, &mut wanted, &mut visit);
        }
    }
}

/// All in which a question may have an answer: some of it was found already.
pub(crate) struct Found<'g, 's, Q> {
    grid: &'g Grid,
    sieve: &'s mut Sieve<'g, Q, Chain<AllFans<'g>, AllFans<'g>>>,
}

impl<Q: Question> Found<'_, '_, Q> {
    pub(crate) fn question(&self) -> Q {
        self.sieve.question
    }

    /// Calls `visit` with all ids, and with what they promise.
    #[inline]
    pub(crate) fn each(self, mut visit: impl FnMut(u32, f32)) {
        let Found { grid, sieve } = self;
        let question = sieve.question;
        grid.ask_apart(&question, |id| {
            visit(id, question.promise_of(&grid.proxies[id as usize].aabb));
            f32::INFINITY
        });
        let (level, forests) = (grid.lanes().level, [&grid.active_forest, &grid.resting_forest]);
        let any_moved = forests.iter().any(|forest| forest.any_moved());
        loop {
            for &(id, promise) in sieve.found() {
                if !any_moved || !grid.homes[id as usize].is_stale() {
                    visit(id, promise);
                }
            }
            if !sieve.next(level) {
                break;
            }
        }
    }
}

/// Visits for the question of a number, one id at a time.
fn visit_one(number: usize, mut visit: impl FnMut(&[(usize, u32)], &mut [f32])) -> impl FnMut(u32) -> f32 {
    let mut bound = [f32::INFINITY];
    move |id| {
        visit(&[(number, id)], &mut bound);
        bound[0]
    }
}
