//! Parts of shapes and the grid, from an image.
//!
//! In: a row for the box of each part, in the order of bodies and their shapes. Out: placed parts,
//! and a grid whose next search finds the same pairs as in the saved world.

use core::cell::Cell;

use super::{ReadScratch, are_distinct, ensure, read_slots, refill};
use crate::body::NONE;
use crate::body::collider::{Class, OfMap, Proxy, place};
use crate::body::core_table::Forms;
use crate::body::local_table::LocalRows;
use crate::broadphase::Activity;
use crate::state::{LoadError, Reader};
use crate::world::World;
use crate::world::snapshot::expect::BoxGuess;
use crate::world::snapshot::write::{Steps, with_words};

impl World {
    pub(super) fn read_parts(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
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
        // The boxes of the parts, shape by shape, each as the difference from the expected one.
        let mut order = self.parts_in_order();
        let mut steps = Steps::START;
        let (mut read, mut last) = (0, (NONE, NONE));
        self.tiles.clear();
        let (mut rows, mut guess) = (image.begin()?, BoxGuess::new());
        while let Some(is_first) = image.next(&mut rows)? {
            let (body, shape, part) =
                order.next(self).ok_or(LoadError::Broken("a box belongs to a part of a shape"))?;
            if is_first {
                guess = BoxGuess::new();
            }
            let mut row = guess.row(&self.bodies.rows[body as usize]);
            rows.row(&mut row);
            guess.note(&row, &self.bodies.rows[body as usize]);
            let proxy = steps.by(row[0]);
            let free = self.shapes.proxies.rows.get(proxy as usize).is_some_and(|part| part.body == NONE);
            ensure(free, "a place has one part")?;
            self.restore_part((body, shape, part), proxy);
            if last.0 == shape {
                self.shapes.proxies.rows[last.1 as usize].next = proxy;
            } else {
                self.shapes.links[shape as usize].first_proxy = proxy;
            }
            last = (shape, proxy);
            if self.shapes.proxies.rows[proxy as usize].of_map == OfMap::Whole {
                self.tiles.list(shape);
            }
            let expected = self.expected_box(&self.bodies.rows[body as usize], proxy);
            let words = core::array::from_fn(|k| row[k + 1]);
            scratch.boxes[proxy as usize] = Some(with_words(&expected, words));
            read += 1;
        }
        ensure(order.next(self).is_none(), "a part has a box")?;
        // Free and retired places: all those that no part has.
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

    /// The parts of all shapes of enabled bodies, in the order of the image.
    fn parts_in_order(&self) -> Parts {
        Parts { body: 0, shape: NONE, part: 0, fresh: true }
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
        self.bodies.off_center.clear();
        for slot in 0..self.bodies.rows.len() as u32 {
            if self.bodies.slots.tenant(slot).is_some() {
                self.note_sole_part(slot);
            }
        }
        Ok(())
    }

    /// Restores the grid.
    pub(super) fn restore_grid(&mut self, scratch: &ReadScratch) {
        (0..self.bodies.rows.len() as u32).for_each(|slot| self.name_filter(slot));
        let mut grid = core::mem::take(&mut self.grid);
        let (rows, bodies) = (&self.shapes.proxies.rows, &self.bodies.rows);
        // The parts of a body mostly follow each other: its group is computed once for them.
        let last = Cell::new((NONE, 0));
        let group_of = |body: u32| {
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
    /// Whether the shapes of `body` are still to be looked at.
    fresh: bool,
}

impl Parts {
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
            if let Some(map) = collider.shape.tile_map() {
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
            } else if (self.part as usize) < collider.shape.piece_count() {
                self.part += 1;
                return Some((self.body, self.shape, self.part - 1));
            }
            (self.shape, self.part) = (world.shapes.links[self.shape as usize].next, 0);
        }
    }
}
