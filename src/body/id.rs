//! Handles (generational indices): a slot, and the generation of its present object; and the free
//! list of slots.
//!
//! In: requests for a slot. Out: 8-byte ids that are never given out twice. A slot whose
//! generations are used up is retired, so a stale id stays stale for ever. The order of the free
//! slots is state: it decides the next id.

use core::fmt;
use core::num::NonZeroU32;

/// Declares one kind of id: same layout, different type, so that a shape is not taken for a body.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name {
            index: u32,
            generation: NonZeroU32,
        }

        impl $name {
            pub(crate) fn new(index: u32, generation: NonZeroU32) -> $name {
                $name { index, generation }
            }

            /// An id from two words of a snapshot.
            pub(crate) fn of_words([index, generation]: [u32; 2]) -> Option<$name> {
                NonZeroU32::new(generation).map(|generation| $name { index, generation })
            }

            /// The id as two words of a snapshot.
            pub(crate) fn words(self) -> [u32; 2] {
                [self.index, self.generation.get()]
            }

            pub(crate) fn generation(self) -> NonZeroU32 {
                self.generation
            }

            /// The id as one number, for programs in other languages and for files: the index in
            /// the low half, the generation in the high one. It is never 0.
            #[must_use]
            pub fn to_bits(self) -> u64 {
                u64::from(self.index) | u64::from(self.generation.get()) << 32
            }

            /// The id of a number that [`to_bits`](Self::to_bits) made; `None` where the
            /// generation is 0. Any other number is an id that may belong to no object, which
            /// every call of a world refuses.
            #[must_use]
            pub fn from_bits(bits: u64) -> Option<$name> {
                $name::of_words([bits as u32, (bits >> 32) as u32])
            }

            /// The index in columns of the world, such as [`World::poses`](crate::World::poses):
            /// small dense numbers, used again after removal.
            #[must_use]
            pub fn index(self) -> usize {
                self.index as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, "#{}v{}"), self.index, self.generation)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id! {
    /// A body of a world. Prints as `body#12v3`: place 12, third tenant.
    BodyId, "body"
}

id! {
    /// A shape that is attached to a body. Prints as `shape#12v3`.
    ShapeId, "shape"
}

id! {
    /// A joint of a world. Prints as `joint#12v3`.
    JointId, "joint"
}

/// The slots of one kind of object: which are taken, which are free, and how often each was used.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    /// Generation of the present object, or of the next one if the slot is free; 0: retired.
    generations: Vec<u32>,
    taken: Vec<bool>,
    free: Vec<u32>,
}

crate::state::clone_by_field! { Slots { generations, taken, free } }

/// Most slots of one kind: [`NONE`](super::NONE) is not a slot, and the count must still fit.
pub(crate) const MOST_PLACES: usize = u32::MAX as usize - 1;

impl Slots {
    /// Whether `count` more fit in, where there may be `most` places.
    pub(crate) fn has_room(&self, count: usize, most: usize) -> bool {
        self.free.len() + most.saturating_sub(self.taken.len()) >= count
    }

    /// Makes room for so many more places.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.generations.reserve(count);
        self.taken.reserve(count);
    }

    /// The place that was freed last, or a new place if none is free; and the generation of its new
    /// tenant.
    pub(crate) fn take(&mut self) -> (u32, NonZeroU32) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(1);
            self.taken.push(false);
            self.generations.len() as u32 - 1
        });
        self.taken[index as usize] = true;
        (index, NonZeroU32::new(self.generations[index as usize]).unwrap_or(NonZeroU32::MIN))
    }

    /// Takes several places: the same as `count` calls of [`Slots::take`], in their order.
    pub(crate) fn take_many(&mut self, count: usize) -> Vec<(u32, NonZeroU32)> {
        let old = count.min(self.free.len());
        let first = self.taken.len();
        let places = first + count - old;
        self.generations.resize(places, 1);
        self.taken.resize(places, true);
        let mut taken = Vec::with_capacity(count);
        for index in self.free.drain(self.free.len() - old..).rev() {
            self.taken[index as usize] = true;
            let generation = self.generations[index as usize];
            taken.push((index, NonZeroU32::new(generation).unwrap_or(NonZeroU32::MIN)));
        }
        taken.extend((first..places).map(|index| (index as u32, NonZeroU32::MIN)));
        taken
    }

    /// Gives a place back. After its last generation it is never taken again.
    pub(crate) fn release(&mut self, index: u32) {
        debug_assert!(self.taken[index as usize], "a place is released once");
        self.taken[index as usize] = false;
        let generation = &mut self.generations[index as usize];
        *generation = generation.wrapping_add(1);
        if *generation != 0 {
            self.free.push(index);
        }
    }

    /// The generation of the present tenant.
    pub(crate) fn tenant(&self, index: u32) -> Option<NonZeroU32> {
        let taken = *self.taken.get(index as usize)?;
        if taken { NonZeroU32::new(self.generations[index as usize]) } else { None }
    }

    /// Whether `index` is taken by the tenant of `generation`.
    pub(crate) fn holds(&self, index: usize, generation: NonZeroU32) -> bool {
        self.taken.get(index) == Some(&true) && self.generations[index] == generation.get()
    }

    /// How many places there are, taken or not.
    pub(crate) fn places(&self) -> usize {
        self.taken.len()
    }

    /// The generation at a place: that of its tenant, or of its next tenant if it is free.
    pub(crate) fn generation_at(&self, index: u32) -> u32 {
        self.generations[index as usize]
    }

    /// The free places, the next one last.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// The places that are never taken again.
    pub(crate) fn retired(&self) -> impl Iterator<Item = u32> + '_ {
        let gone = |&index: &u32| self.generations[index as usize] == 0;
        (0..self.taken.len() as u32).filter(gone)
    }

    /// Removes everything, and makes `count` retired slots: to be taken or freed one by one.
    pub(crate) fn reset(&mut self, count: usize) {
        self.free.clear();
        self.taken.clear();
        self.generations.clear();
        self.taken.resize(count, false);
        self.generations.resize(count, 0);
    }

    /// Takes or frees a retired slot; false if that is impossible.
    pub(crate) fn revive(&mut self, index: u32, generation: u32, taken: bool) -> bool {
        let place = index as usize;
        if generation == 0 || self.generations.get(place) != Some(&0) {
            return false;
        }
        (self.generations[place], self.taken[place]) = (generation, taken);
        if !taken {
            self.free.push(index);
        }
        true
    }

    /// Takes so many retired slots for tenants of one generation; false, and nothing is done, if
    /// that is impossible.
    pub(crate) fn revive_all(&mut self, first: u32, count: usize, generation: u32) -> bool {
        let places = first as usize..(first as usize).saturating_add(count);
        let Some(generations) = self.generations.get_mut(places.clone()) else { return false };
        if generation == 0 || generations.iter().any(|&other| other != 0) {
            return false;
        }
        generations.fill(generation);
        self.taken[places].fill(true);
        true
    }

    /// How many places are taken.
    pub(crate) fn len(&self) -> usize {
        self.taken.iter().filter(|&&taken| taken).count()
    }

    /// Whether no slot is taken, judged from counts alone.
    pub(crate) fn is_empty(&self) -> bool {
        self.taken.is_empty() || self.free.len() == self.taken.len()
    }

    /// Whether each free place is free once, and not taken.
    pub(crate) fn free_are_distinct(&self) -> bool {
        let mut free = self.free.clone();
        free.sort_unstable();
        free.windows(2).all(|pair| pair[0] != pair[1])
            && free.iter().all(|&index| !self.taken[index as usize])
    }

    /// The taken places, lowest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.taken.len() as u32).filter(|&index| self.taken[index as usize])
    }

    /// The taken places from `next` on, up to eight, and how many they are; `next` is behind them
    /// afterwards. Behind the last one is place 0.
    #[inline(always)]
    pub(crate) fn eight_from(&self, next: &mut u32) -> ([u32; 8], usize) {
        let (mut places, mut count) = ([0; 8], 0);
        if self.are_taken(*next, 8) {
            places = core::array::from_fn(|k| *next + k as u32);
            *next += 8;
            return (places, 8);
        }
        while count < 8
            && let Some(&taken) = self.taken.get(*next as usize)
        {
            if taken {
                places[count] = *next;
                count += 1;
            }
            *next += 1;
        }
        (places, count)
    }

    /// Whether there are so many places from one on, and all of them are taken.
    #[inline(always)]
    pub(crate) fn are_taken(&self, first: u32, count: usize) -> bool {
        let some = self.taken.get(first as usize..).and_then(|taken| taken.get(..count));
        some.is_some_and(|some| some.iter().fold(true, |all, &taken| all & taken))
    }

    /// Whether so many places from one on are taken by tenants of one generation.
    #[inline(always)]
    pub(crate) fn are_of(&self, generation: u32, first: u32, count: usize) -> bool {
        let some = self.generations.get(first as usize..).and_then(|some| some.get(..count));
        self.are_taken(first, count)
            && some.is_some_and(|some| some.iter().fold(0, |all, other| all | generation ^ other) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_number_and_back() {
        let id = BodyId::new(12, NonZeroU32::new(3).expect("above 0"));
        assert_eq!(id.to_bits(), 3 << 32 | 12);
        assert_eq!(BodyId::from_bits(id.to_bits()), Some(id));
        assert_eq!(BodyId::from_bits(12), None);
    }

    #[test]
    fn a_place_is_used_again_under_a_new_name() {
        let mut slots = Slots::default();
        let (first, one) = slots.take();
        slots.release(first);
        let (again, two) = slots.take();
        assert_eq!((first, again), (0, 0));
        assert_ne!(one, two);
        assert!(slots.holds(0, two) && !slots.holds(0, one));
    }

    #[test]
    fn a_place_without_generations_left_is_retired() {
        let mut slots = Slots::default();
        let (index, _) = slots.take();
        slots.generations[index as usize] = u32::MAX;
        slots.release(index);
        assert_eq!(slots.take().0, 1);
    }

    /// A hundred million tenants of one place: each has an id of its own, and only the last id is
    /// valid.
    #[test]
    fn a_place_is_used_a_hundred_million_times() {
        let cycles = if cfg!(debug_assertions) { 1_000_000 } else { 100_000_000 };
        let mut slots = Slots::default();
        let (_, first) = slots.take();
        let mut last = first;
        for _ in 0..cycles {
            slots.release(0);
            let (index, generation) = slots.take();
            assert!(index == 0 && generation > last);
            last = generation;
        }
        assert_eq!(last.get(), cycles + 1);
        assert!(slots.holds(0, last) && !slots.holds(0, first));
        assert_eq!((slots.len(), slots.taken.len(), slots.free.len()), (1, 1, 0));
    }

    /// After the last generation a slot is never used again: old ids stay stale.
    #[test]
    fn the_last_tenant_of_a_place_is_its_last() {
        let mut slots = Slots::default();
        slots.take();
        slots.generations[0] = u32::MAX - 1;
        let names: Vec<(u32, u32)> = (0..4)
            .map(|_| {
                let last = slots.iter().next().expect("one is taken");
                slots.release(last);
                let (index, generation) = slots.take();
                (index, generation.get())
            })
            .collect();
        assert_eq!(names, [(0, u32::MAX), (1, 1), (1, 2), (1, 3)]);
        assert!(!slots.holds(0, NonZeroU32::MAX) && !slots.holds(0, NonZeroU32::MIN));
        assert!(slots.free_are_distinct() && slots.tenant(0).is_none());
    }

    #[test]
    fn many_places_at_once_are_those_of_single_calls() {
        for (released, count) in [(0, 0), (0, 3), (2, 1), (2, 2), (3, 7), (5, 5)] {
            let mut slots = Slots::default();
            (0..5).for_each(|_| _ = slots.take());
            // Not in the order of places.
            [3, 0, 4, 1, 2].into_iter().take(released).for_each(|index| slots.release(index));
            let mut copy = slots.clone();
            let single: Vec<_> = (0..count).map(|_| copy.take()).collect();
            assert_eq!(slots.take_many(count), single);
            assert_eq!(
                (&slots.generations, &slots.taken, &slots.free),
                (&copy.generations, &copy.taken, &copy.free)
            );
        }
    }

    #[test]
    fn retired_places_take_up_room() {
        let mut slots = Slots::default();
        assert!(slots.has_room(3, 3) && !slots.has_room(4, 3));
        for _ in 0..3 {
            slots.take();
        }
        assert!(slots.has_room(0, 3) && !slots.has_room(1, 3) && !slots.has_room(1, 2));
        slots.release(1);
        assert!(slots.has_room(1, 3) && !slots.has_room(2, 3));
        slots.take();
        slots.generations[1] = u32::MAX;
        slots.release(1);
        assert!(!slots.has_room(1, 3) && slots.has_room(1, 4));
        assert!(slots.has_room(MOST_PLACES - 3, MOST_PLACES) && !slots.has_room(MOST_PLACES, MOST_PLACES));
    }

    #[test]
    fn ids_take_eight_bytes_and_print_their_place() {
        assert_eq!(size_of::<Option<BodyId>>(), 8);
        let id = BodyId::new(12, NonZeroU32::new(3).expect("not zero"));
        assert_eq!(id.to_string(), "body#12v3");
    }

    #[test]
    fn ids_return_from_their_bits() {
        let id = ShapeId::new(12, NonZeroU32::MAX);
        assert_eq!(id.to_bits(), 0xffff_ffff_0000_000c);
        assert_eq!(ShapeId::from_bits(id.to_bits()), Some(id));
        assert_eq!(ShapeId::from_bits(u64::from(u32::MAX)), None);
    }
}
