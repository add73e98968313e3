//! Parts of shapes and the grid, from an image.
//!
//! In: a row for the box of each part, in the order of bodies and their shapes. Out: placed parts,
//! and a grid whose next search finds the same pairs as in the saved world.

use core::cell::Cell;

use super::{ReadScratch, Trust, are_distinct, ensure, read_slots, refill, turned_words};
use crate::body::NONE;
use crate::body::collider::{Class, OfMap, Proxy, place, placed_box};
use crate::body::core_table::Forms;
use crate::body::local_table::LocalRows;
use crate::broadphase::{Activity, WorldAabb};
use crate::simd::{Vectors, dispatch_wide};
use crate::state::{GROUP, Groups, LoadError, Reader, words_from};
use crate::world::World;
use crate::world::edit::parts::grown;
use crate::world::snapshot::expect::BoxGuess;
use crate::world::snapshot::write::{NO_BOX, PART, Steps, with_words};

impl World {
    pub(super) fn read_parts(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
        trust: Trust,
    ) -> Result<(), LoadError> {
        // Empty rows for all parts.
        let count = scratch.counts.parts;
        let proxies = &mut self.shapes.proxies;
        refill(&mut proxies.rows, count, Proxy::NOTHING);
        proxies.placed.refill(count);
        refill(&mut proxies.local, count, LocalRows::NONE);
        proxies.locals.clear();
        refill(&mut proxies.form, count, Forms::BOX);
        proxies.forms.clear();
        refill(&mut scratch.boxes, count, None);
        self.tiles.clear();
        let groups = image.groups()?;
        let read = dispatch_wide!(
            self.lanes().level,
            simd => self.read_boxes(simd, (image, groups), scratch, trust)
        )?;
        // Free and retired places: all places that no part has.
        let mut free = core::mem::take(&mut self.shapes.proxies.free);
        read_slots(image, &mut free, count as u32)?;
        let mut retired = core::mem::take(&mut self.shapes.proxies.retired);
        read_slots(image, &mut retired, count as u32)?;
        let seen = &mut scratch.sorted;
        ensure(are_distinct(free.iter().chain(&retired), seen), "a place is free once")?;
        ensure(
            seen.iter().all(|&proxy| self.shapes.proxies.rows[proxy as usize].body == NONE),
            "a place has one part",
        )?;
        scratch.parts_read = read + seen.len();
        (self.shapes.proxies.free, self.shapes.proxies.retired) = (free, retired);
        read_slots(image, &mut self.dirty.boxes, scratch.counts.bodies as u32)
    }

    /// Reads the boxes of the parts, shape by shape, each as the difference from the expected box;
    /// returns their number.
    #[inline(always)]
    fn read_boxes<S: Vectors>(
        &mut self,
        simd: S,
        (image, mut groups): (&mut Reader, Groups<PART>),
        scratch: &mut ReadScratch,
        trust: Trust,
    ) -> Result<usize, LoadError> {
        let (mut order, mut steps) = (self.parts_in_order(), Steps::START);
        let (mut read, mut last, mut known) = (0, (NONE, NONE), None);
        let mut guess = BoxGuess::new();
        scratch.has_several_parts = false;
        while image.next_group(simd, &mut groups)? {
            if groups.is_first {
                guess = BoxGuess::new();
            }
            let [a, b, c, d, e, f, g] = groups.ways;
            let ways = turned_words(simd, &[a, b, c, d, e, f, g, [0; GROUP]]);
            if groups.count == GROUP
                && let Some(known) = known
                && let Some(run) = order.next_eight_alike(self, known)
            {
                self.read_eight_alike(simd, (&ways, known, run), (&mut guess, &mut steps), scratch, trust)?;
                last = (NONE, NONE);
                read += GROUP;
                continue;
            }
            for ways in &ways[..groups.count.min(GROUP)] {
                let (body, shape, part) =
                    order.next(self).ok_or(LoadError::Broken("a box belongs to a part of a shape"))?;
                let of = &self.bodies.rows[body as usize];
                let [step, words @ .., _] = words_from(simd, &guess.row_in_lanes(simd, of), ways);
                guess.note(&[step, words[0], words[1], words[2], words[3], words[4], words[5]], of);
                let proxy = steps.by(step);
                let free = self.shapes.proxies.rows.get(proxy as usize).is_some_and(|part| part.body == NONE);
                ensure(free, "a place has one part")?;
                if !known.is_some_and(|known| self.restore_known_part((body, shape, part), proxy, known)) {
                    self.restore_part((body, shape, part), proxy);
                    let collider = &self.shapes.colliders[shape as usize];
                    known = collider.shape.tile_map().is_none().then_some(proxy);
                    scratch.has_several_parts |= collider.has_parts();
                    if self.shapes.proxies.rows[proxy as usize].of_map == OfMap::Whole {
                        self.tiles.list(shape);
                    }
                }
                if last.0 == shape {
                    self.shapes.proxies.rows[last.1 as usize].next = proxy;
                } else {
                    self.shapes.links[shape as usize].first_proxy = proxy;
                }
                last = (shape, proxy);
                scratch.boxes[proxy as usize] = Some(self.box_of_part(proxy, words, trust)?);
                read += 1;
            }
        }
        ensure(order.next(self).is_none(), "a part has a box")?;
        Ok(read)
    }

    /// Reads the boxes of eight bodies in a row, each with one shape of one part that equals a part
    /// restored before.
    #[inline(always)]
    fn read_eight_alike<S: Vectors>(
        &mut self,
        simd: S,
        (ways, known, (body, shape)): (&[[u32; GROUP]; GROUP], u32, (u32, u32)),
        (guess, steps): (&mut BoxGuess, &mut Steps),
        scratch: &mut ReadScratch,
        trust: Trust,
    ) -> Result<(), LoadError> {
        let proxies = &mut self.shapes.proxies;
        let (like, local) = (proxies.rows[known as usize], proxies.local[known as usize]);
        let form = proxies.form[known as usize];
        let local_row = *proxies.locals.row(local);
        for (index, ways) in (0..).zip(ways) {
            let (body, shape) = (body + index, shape + index);
            let of = &self.bodies.rows[body as usize];
            let [step, words @ .., _] = words_from(simd, &guess.row_in_lanes(simd, of), ways);
            guess.note(&[step, words[0], words[1], words[2], words[3], words[4], words[5]], of);
            let proxy = steps.by(step);
            let proxies = &mut self.shapes.proxies;
            let free = proxies.rows.get(proxy as usize).is_some_and(|part| part.body == NONE);
            ensure(free, "a place has one part")?;
            proxies.placed[proxy as usize] = place(&local_row, of);
            proxies.local[proxy as usize] = proxies.locals.take_again(local);
            proxies.form[proxy as usize] = proxies.forms.take_again(form);
            proxies.rows[proxy as usize] = Proxy { shape, body, next: NONE, ..like };
            self.shapes.links[shape as usize].first_proxy = proxy;
            scratch.boxes[proxy as usize] = Some(self.box_of_part(proxy, words, trust)?);
        }
        Ok(())
    }

    /// The parts of all shapes of enabled bodies, in the order of the image.
    fn parts_in_order(&self) -> Parts {
        Parts { body: 0, shape: NONE, part: 0, fresh: true, like: None }
    }

    /// A part of a shape, as it was made when the shape entered the grid.
    fn restore_part(&mut self, (body, shape, part): (u32, u32, u32), proxy: u32) {
        let index = proxy as usize;
        let (row, local) = self.part_row((body, shape, part));
        if row.class == Class::Core {
            let piece = self.shapes.colliders[shape as usize].shape.piece(part as usize);
            self.shapes.proxies.form[index] = self.shapes.proxies.forms.take(piece, piece.circle_around().0);
        }
        let proxies = &mut self.shapes.proxies;
        proxies.placed[index] = place(&local, &self.bodies.rows[body as usize]);
        proxies.local[index] = proxies.locals.take(&local);
        proxies.rows[index] = row;
    }

    /// Restores a part that equals a part restored before, on another body; false if it does not.
    /// Parts of maps equal no others.
    #[inline(always)]
    fn restore_known_part(&mut self, (body, shape, part): (u32, u32, u32), proxy: u32, known: u32) -> bool {
        let proxies = &mut self.shapes.proxies;
        let like = proxies.rows[known as usize];
        let [of, other] = [shape, like.shape].map(|shape| &self.shapes.colliders[shape as usize]);
        if part != like.part || !of.shape.is(&other.shape) || !of.traits.is(&other.traits) {
            return false;
        }
        let index = proxy as usize;
        let local = proxies.locals.take_again(proxies.local[known as usize]);
        proxies.local[index] = local;
        proxies.form[index] = proxies.forms.take_again(proxies.form[known as usize]);
        proxies.placed[index] = place(proxies.locals.row(local), &self.bodies.rows[body as usize]);
        proxies.rows[index] = Proxy { shape, body, next: NONE, ..like };
        true
    }

    /// Returns the box of a restored part; its words are the difference from the expected box.
    /// Unless this program has just made the image, it checks that the box holds the part.
    #[inline(always)]
    fn box_of_part(&self, proxy: u32, words: [u32; 6], trust: Trust) -> Result<WorldAabb, LoadError> {
        let index = proxy as usize;
        let part = &self.shapes.proxies.rows[index];
        let body = &self.bodies.rows[part.body as usize];
        let tight = if part.class == Class::Other {
            let shape = &self.shapes.colliders[part.shape as usize].shape;
            shape.piece(part.part as usize).aabb(body.local_transform())
        } else {
            let form = (&*self.shapes.proxies.forms, self.shapes.proxies.form[index]);
            placed_box(part.class, &self.shapes.proxies.placed[index], form)
        };
        let expected = if body.moves() { NO_BOX } else { grown(&tight, &self.tuning.margins) };
        let stored = with_words(&WorldAabb { region: body.region, aabb: expected }, words);
        // In a world that wraps round, it may hold an image of the part.
        if trust == Trust::None && self.def.period().is_none() {
            let seen =
                if stored.region == body.region { stored.aabb } else { stored.relative_to(body.region) };
            if seen.contains(&tight) {
                return Ok(stored);
            }
            // The box may hold it up to rounding: the part is placed from another origin.
            ensure(self.does_box_hold(proxy, stored), "the box of a part holds it")?;
        }
        Ok(stored)
    }

    /// Reads the cells of tile maps that are parts, and pending updates of them.
    pub(super) fn read_tiles(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let count = scratch.counts.parts as u32;
        let mut shown = 0;
        let mut last = (NONE, NONE);
        if image.bytes_left() > 0 {
            image.rows::<9>(|&[shape, cell, proxy, words @ ..]| {
                let known = self.tiles.maps().binary_search(&shape).is_ok();
                ensure(known, "a cell is one of a map that stands in the grid")?;
                let map = self.map_on_demand(shape).filter(|map| (cell as usize) < map.len());
                let is_there = map.is_some_and(|map| !map.is_empty_at(cell));
                ensure(
                    is_there && !self.has_shown(shape, cell),
                    "a cell that is a part is not empty, and one",
                )?;
                let free = self.shapes.proxies.rows.get(proxy as usize).is_some_and(|part| part.body == NONE);
                ensure(free, "a place has one part")?;
                let body = self.shapes.colliders[shape as usize].body;
                let before =
                    if last.0 == shape { last.1 } else { self.shapes.links[shape as usize].first_proxy };
                ensure(
                    self.shapes.proxies.rows[before as usize].next == NONE,
                    "the cells of a map stand together",
                )?;
                self.restore_part((body, shape, cell), proxy);
                self.list_cell((shape, cell), proxy, before);
                last = (shape, proxy);
                let expected = self.expected_box(&self.bodies.rows[body as usize], proxy);
                scratch.boxes[proxy as usize] = Some(with_words(&expected, words));
                shown += 1;
                Ok(())
            })?;
            let mut moved = core::mem::take(&mut self.tiles.moved);
            read_slots(image, &mut moved, count)?;
            self.tiles.moved = moved;
            let shapes = self.shapes.colliders.len() as u32;
            image.pairs(|[shape, cell]| self.tiles.filled.push((shape, cell)))?;
            ensure(self.tiles.filled.iter().all(|&(shape, _)| shape < shapes), "a cell is one of a shape")?;
            let is_cell = |&(shape, cell): &(u32, u32)| {
                let map = self.shapes.colliders[shape as usize].shape.tile_map();
                cell == NONE || map.is_some_and(|map| (cell as usize) < map.len())
            };
            ensure(self.tiles.filled.iter().all(is_cell), "a cell is one of its map")?;
            ensure(self.tiles.is_there() || image.bytes_left() > 0, "a column of cells belongs to maps")?;
        }
        ensure(scratch.parts_read + shown == count as usize, "places of parts are counted")?;
        let places = self.shapes.proxies.free.iter().chain(&self.shapes.proxies.retired);
        ensure(
            places.clone().all(|&proxy| self.shapes.proxies.rows[proxy as usize].body == NONE),
            "a place has one part",
        )?;
        self.note_sole_parts();
        Ok(())
    }

    /// Notes the sole parts of all bodies, and which bodies are off their centres. A body with the
    /// part and centre of mass of the body before it is off its centre if that body is.
    fn note_sole_parts(&mut self) {
        self.bodies.off_center.clear();
        let mut last = None;
        for slot in 0..self.bodies.rows.len() as u32 {
            if self.bodies.slots.tenant(slot).is_none() {
                continue;
            }
            let body = &self.bodies.rows[slot as usize];
            let sole = self.sole_part(slot);
            let links = self.shapes.links.get(body.first_shape as usize);
            let of_sole = (sole != NONE && links.is_some_and(|links| links.next == NONE)).then(|| {
                let center = body.local_center.to_array().map(f32::to_bits);
                (self.shapes.proxies.local[sole as usize], center, body.max_extent.to_bits())
            });
            self.bodies.sole_parts[slot as usize] = sole;
            match (last, of_sole) {
                (Some((like, false)), Some(of_sole)) if like == of_sole => {}
                _ => {
                    self.note_off_center(slot);
                    last = of_sole.map(|of_sole| (of_sole, self.bodies.off_center.contains(slot)));
                }
            }
        }
    }

    /// Restores the grid.
    pub(super) fn restore_grid(&mut self, scratch: &ReadScratch) {
        let has_groups = self.has_filter_groups();
        if has_groups {
            (0..self.bodies.rows.len() as u32).for_each(|slot| self.name_filter(slot));
        }
        let mut grid = core::mem::take(&mut self.grid);
        let (rows, bodies) = (&self.shapes.proxies.rows, &self.bodies.rows);
        // The parts of a body mostly follow each other: its group is computed once for them.
        let last = Cell::new((NONE, 0));
        let group_of = |body: u32| {
            if !has_groups {
                return body + 1;
            }
            if last.get().0 != body {
                last.set((body, self.group_of(body)));
            }
            last.get().1
        };
        let of = |proxy: u32| {
            let part = &rows[proxy as usize];
            let aabb = scratch.boxes[proxy as usize]?;
            let active = (part.sensor && part.of_map == OfMap::No) || bodies[part.body as usize].is_awake();
            let activity = if active { Activity::Active } else { Activity::Resting };
            Some((aabb, activity, group_of(part.body)))
        };
        grid.restore(rows.len(), of, &scratch.pairs);
        self.grid = grid;
    }
}

/// A walk over all parts in the grid.
struct Parts {
    body: u32,
    shape: u32,
    part: u32,
    /// Whether the shapes of `body` have not been visited yet.
    fresh: bool,
    /// The last shape that is no map, and its number of parts: the next shape mostly equals it.
    like: Option<(u32, u32)>,
}

impl Parts {
    /// Returns the first body and shape of the next eight parts, if their bodies are in a row with
    /// one shape each, of one part that equals `known`; goes behind them.
    #[inline(always)]
    fn next_eight_alike(&mut self, world: &World, known: u32) -> Option<(u32, u32)> {
        let (like, 1) = self.like? else { return None };
        // Behind the last part of a body, whose only shape has one.
        if self.fresh || self.shape == NONE || self.part != 1 {
            return None;
        }
        let (colliders, links) = (&world.shapes.colliders, &world.shapes.links);
        let before = &colliders[self.shape as usize];
        let part = &world.shapes.proxies.rows[known as usize];
        let of = &colliders[part.shape as usize];
        if links[self.shape as usize].next != NONE
            || part.part != 0
            || !before.shape.is(&of.shape)
            || !of.shape.is(&colliders[like as usize].shape)
        {
            return None;
        }
        let first = self.body + 1;
        let bodies = world.bodies.rows.get(first as usize..)?.first_chunk::<GROUP>()?;
        let shape = bodies[0].first_shape;
        let links = links.get(shape as usize..)?.first_chunk::<GROUP>()?;
        let colliders = colliders.get(shape as usize..)?.first_chunk::<GROUP>()?;
        let are_alike = world.bodies.slots.are_taken(first, GROUP)
            && bodies.iter().zip(shape..).all(|(body, shape)| body.first_shape == shape && body.is_enabled())
            && links.iter().all(|links| links.next == NONE)
            && colliders.iter().all(|other| other.shape.is(&of.shape) && other.traits.is(&of.traits));
        if !are_alike {
            return None;
        }
        let last = GROUP as u32 - 1;
        (self.body, self.shape) = (first + last, shape + last);
        Some((first, shape))
    }

    fn next(&mut self, world: &World) -> Option<(u32, u32, u32)> {
        loop {
            let body = world.bodies.rows.get(self.body as usize)?;
            if self.fresh {
                let there = world.bodies.slots.tenant(self.body).is_some() && body.is_enabled();
                self.shape = if there { body.first_shape } else { NONE };
                (self.part, self.fresh) = (0, false);
            }
            if self.shape == NONE {
                (self.body, self.fresh) = (self.body + 1, true);
                continue;
            }
            let collider = &world.shapes.colliders[self.shape as usize];
            let is_it = |like: u32| collider.shape.is(&world.shapes.colliders[like as usize].shape);
            let known = self.like.filter(|&(like, _)| is_it(like));
            if let Some((_, count)) = known {
                if self.part < count {
                    self.part += 1;
                    return Some((self.body, self.shape, self.part - 1));
                }
            } else if let Some(map) = collider.shape.tile_map() {
                // For a map on demand the whole map comes first; its cells come later.
                let whole = map.frame_part();
                let is_whole = world.map_on_demand(self.shape).is_some();
                while self.part < whole && (is_whole || map.is_empty_at(self.part)) {
                    self.part = if is_whole { whole } else { self.part + 1 };
                }
                let end = if is_whole { whole + 1 } else { whole };
                if self.part < end {
                    self.part += 1;
                    return Some((self.body, self.shape, self.part - 1));
                }
            } else {
                self.like = Some((self.shape, collider.shape.piece_count() as u32));
                continue;
            }
            (self.shape, self.part) = (world.shapes.links[self.shape as usize].next, 0);
        }
    }
}
