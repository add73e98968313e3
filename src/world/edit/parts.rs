//! Parts of shapes as proxies in the grid (broadphase).
//!
//! In: shapes that are added and removed. Out: a row, an index and a box in the grid for each of
//! their parts. Called by everything that adds, changes or removes bodies and shapes.

use bytemuck::Zeroable;

use crate::body::collider::{
    Class, LocalRow, Manner, OfMap, PlacedRow, Proxy, ShapeLinks, local_row, place, placed_box,
};
use crate::body::core_table::Forms;
use crate::body::local_table::LocalRows;
use crate::body::{NONE, flag};
use crate::bounds::Aabb;
use crate::broadphase::{Activity, WorldAabb};
use crate::step::finish::fat_aabb::SweptBody;
use crate::tuning::MarginTuning;
use crate::world::World;

impl World {
    /// Adds a proxy to the grid for every part of a shape, with the groups of [`World::regroup`].
    pub(crate) fn enter_grid(&mut self, slot: u32, shape: u32) {
        self.enter_grid_as(slot, shape, None);
    }

    /// Adds proxies for every part of a shape, with given indices if wanted.
    pub(crate) fn enter_grid_as(&mut self, slot: u32, shape: u32, numbers: Option<&[u32]>) {
        let listed = self.listed_parts(shape);
        let count =
            listed.as_ref().map_or(self.shapes.colliders[shape as usize].shape.piece_count(), Vec::len);
        let mut next = NONE;
        for index in (0..count).rev() {
            let part = listed.as_ref().map_or(index as u32, |parts| parts[index]);
            let proxy = numbers.map_or_else(|| self.shapes.proxies.take(), |numbers| numbers[index]);
            self.enter_part((slot, shape, part), (proxy, next));
            next = proxy;
        }
        self.shapes.links[shape as usize].first_proxy = next;
        if self.map_on_demand(shape).is_some() {
            self.enter_map(shape);
        }
        self.note_sole_part(slot);
        self.note_entered(shape);
        if self.bodies.rows[slot as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) != 0 {
            self.dirty.boxes.push(slot);
        }
    }

    /// The parts that a shape has in the grid, if these are not all of its pieces: for a tile map,
    /// the map as a whole on a fixed body, and the cells that are not empty on a moving one.
    pub(crate) fn listed_parts(&self, shape: u32) -> Option<Vec<u32>> {
        let map = self.shapes.colliders[shape as usize].shape.tile_map()?;
        let cells = || map.all().cells().map(|cell| map.number(cell)).filter(|&cell| !map.is_empty_at(cell));
        let is_whole = self.map_on_demand(shape).is_some();
        Some(if is_whole { vec![map.frame_part()] } else { cells().collect() })
    }

    /// A proxy in the grid for a part of a shape, `next` behind it in its list.
    pub(crate) fn enter_part(&mut self, (slot, shape, part): (u32, u32, u32), (proxy, next): (u32, u32)) {
        let (row, local) = self.part_row((slot, shape, part));
        let form = if row.class == Class::Core {
            let piece = self.shapes.colliders[shape as usize].shape.piece(part as usize);
            self.shapes.proxies.forms.take(piece, piece.circle_around().0)
        } else {
            Forms::BOX
        };
        self.enter_known_part((proxy, Proxy { next, ..row }), &local, form, (0, None));
    }

    /// Adds a proxy for a part whose rows, form and group in the grid are known; and its box, if it
    /// has one already that is large enough.
    pub(crate) fn enter_known_part(
        &mut self,
        (proxy, part): (u32, Proxy),
        local: &LocalRow,
        form: u32,
        (group, kept): (u32, Option<WorldAabb>),
    ) {
        let body = &self.bodies.rows[part.body as usize];
        let moves = body.flags & (flag::DYNAMIC | flag::KINEMATIC) != 0;
        let row = place(local, body);
        let index = proxy as usize;
        self.shapes.proxies.rows[index] = part;
        self.shapes.proxies.placed[index] = row;
        self.shapes.proxies.local[index] = self.shapes.proxies.locals.take(local);
        self.shapes.proxies.form[index] = form;
        let aabb = kept.unwrap_or_else(|| {
            let body = &self.bodies.rows[part.body as usize];
            let tight = match part.class {
                Class::Other => {
                    let piece = self.shapes.colliders[part.shape as usize].shape.piece(part.part as usize);
                    piece.aabb(body.local_transform())
                }
                _ => placed_box(part.class, &row, (&self.shapes.proxies.forms, form)),
            };
            // The box has its margin at once; else all boxes of a new scene would be made anew in
            // its second step.
            let boxed = if moves {
                SweptBody::new(body, self.sweep_params()).fat_aabb(&tight)
            } else {
                grown(&tight, &self.tuning.margins)
            };
            WorldAabb { region: body.region, aabb: boxed }
        });
        // Cells are parts while something awake is beside them.
        let active = (moves && body.island == NONE) || (part.sensor && part.of_map == OfMap::No);
        self.grid.insert_new(proxy, aabb, if active { Activity::Active } else { Activity::Resting }, group);
        if moves {
            self.note_box(proxy);
        }
    }

    /// Lists the parts of a shape: proxies that are in the grid already, and new ones in place of
    /// [`NONE`]. The proxies get the groups of [`World::regroup`].
    #[cfg(feature = "breaking")]
    pub(crate) fn lay_parts(&mut self, shape: u32, known: &[u32]) {
        let body = self.shapes.colliders[shape as usize].body;
        let mut next = NONE;
        for (part, &known) in known.iter().enumerate().rev() {
            let place = (body, shape, part as u32);
            let proxy = if known == NONE { self.shapes.proxies.take() } else { known };
            if known == NONE {
                self.enter_part(place, (proxy, next));
            } else {
                let (row, _) = self.part_row(place);
                self.shapes.proxies.rows[proxy as usize] = Proxy { next, ..row };
            }
            next = proxy;
        }
        self.shapes.links[shape as usize].first_proxy = next;
    }

    /// Removes some parts of a fixed body from the grid; the caller removes them from the list of
    /// their shape. Bodies that touch them wake.
    #[cfg(feature = "breaking")]
    pub(crate) fn clear_parts(&mut self, parts: &[u32]) {
        let Some(&first) = parts.first() else { return };
        let body = self.shapes.proxies.rows[first as usize].body;
        let is_of_them = |&contact: &u32| {
            let pair = self.contacts.pair[contact as usize];
            parts.contains(&pair.a) || parts.contains(&pair.b)
        };
        let mut contacts: Vec<u32> = self.contacts.edges().of(body).filter(is_of_them).collect();
        contacts.sort_unstable();
        for &contact in &contacts {
            let link = self.contacts.link[contact as usize];
            self.wake(if link.body_a == body { link.body_b } else { link.body_a });
        }
        contacts.into_iter().for_each(|contact| self.end_contact(contact));
        for &proxy in parts {
            self.grid.remove(proxy);
            self.shapes.proxies.retire(proxy);
        }
    }

    /// The proxy of a part, without its list link, and its row in the frame of its body.
    pub(crate) fn part_row(&self, (body, shape, part): (u32, u32, u32)) -> (Proxy, LocalRow) {
        let collider = &self.shapes.colliders[shape as usize];
        let piece = collider.shape.piece(part as usize);
        let (class, local) = local_row(&piece);
        let of_map = match self.map_on_demand(shape) {
            None => OfMap::No,
            Some(map) if map.frame_part() == part => OfMap::Whole,
            Some(_) => OfMap::Cell,
        };
        let (sensor, line) = (collider.is_sensor_at(part), piece.line().is_some());
        let special = collider.traits.hooked || collider.one_way_at(part).is_some();
        let manner = if line {
            Manner::Line
        } else if class == Class::Other || sensor || special {
            Manner::Special
        } else {
            Manner::Plain
        };
        (Proxy { shape, part, body, next: NONE, class, sensor, manner, of_map }, local)
    }

    /// Removes the parts of a shape from the grid; their contacts end first, while parts still
    /// exist.
    pub(crate) fn remove_proxies(&mut self, shape: u32) {
        let body = self.shapes.colliders[shape as usize].body;
        if self.contacts.edges().has(body) {
            for contact in self.contacts_of(shape) {
                self.end_contact(contact);
            }
        }
        self.remove_untouched_proxies(shape);
        self.note_sole_part(body);
    }

    /// Removes the parts of a shape without contacts from the grid; the sole part of its body is
    /// left to the caller.
    pub(crate) fn remove_untouched_proxies(&mut self, shape: u32) {
        let mut proxy = self.shapes.links[shape as usize].first_proxy;
        if proxy == NONE {
            return;
        }
        self.note_left(shape);
        self.leave_map(shape);
        while proxy != NONE {
            self.grid.remove(proxy);
            self.shapes.proxies.retire(proxy);
            proxy = self.shapes.proxies.rows[proxy as usize].next;
        }
        self.shapes.links[shape as usize].first_proxy = NONE;
    }

    /// Updates the sole part of a body after its parts changed, and whether these are near it.
    pub(crate) fn note_sole_part(&mut self, slot: u32) {
        self.bodies.sole_parts[slot as usize] = self.sole_part(slot);
        self.note_off_center(slot);
    }

    /// The sole part of a body in the grid, if it has exactly one.
    pub(crate) fn sole_part(&self, slot: u32) -> u32 {
        let (mut sole, mut shape) = (NONE, self.bodies.rows[slot as usize].first_shape);
        while shape != NONE {
            let ShapeLinks { next, first_proxy } = self.shapes.links[shape as usize];
            if first_proxy != NONE {
                let has_more = self.shapes.proxies.rows[first_proxy as usize].next != NONE;
                if sole != NONE || has_more {
                    return NONE;
                }
                sole = first_proxy;
            }
            shape = next;
        }
        sole
    }
}

/// The initial box of an immovable part.
pub(crate) fn grown(tight: &Aabb, margins: &MarginTuning) -> Aabb {
    tight.grown(margins.speculative)
}

impl World {
    /// The contacts of a shape, in the order of their places.
    pub(crate) fn contacts_of(&self, shape: u32) -> Vec<u32> {
        let body = self.shapes.colliders[shape as usize].body;
        let of_shape = |proxy: u32| self.shapes.proxies.rows[proxy as usize].shape == shape;
        let of_body = self.contacts.edges().of(body);
        let pair = |contact: u32| self.contacts.pair[contact as usize];
        let mut contacts: Vec<u32> =
            of_body.filter(|&contact| of_shape(pair(contact).a) || of_shape(pair(contact).b)).collect();
        contacts.sort_unstable();
        contacts
    }
}

impl crate::world::Proxies {
    /// Whether there is room for `count` more rows, of `most` rows at most.
    pub(crate) fn has_room(&self, count: usize, most: usize) -> bool {
        self.free.len() + most.saturating_sub(self.rows.len()) >= count
    }

    /// Makes room for `count` more rows.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.rows.reserve(count);
        self.placed.reserve(count);
        self.local.reserve(count);
        self.form.reserve(count);
    }

    pub(crate) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.rows.push(Proxy::NOTHING);
            self.placed.push(PlacedRow::zeroed());
            self.local.push(LocalRows::NONE);
            self.form.push(Forms::BOX);
            self.rows.len() as u32 - 1
        })
    }

    /// Takes several indices, the same and in the same order as so many calls of [`Self::take`].
    pub(crate) fn take_many(&mut self, count: usize) -> Vec<u32> {
        let old = count.min(self.free.len());
        let first = self.rows.len();
        let all = first + count - old;
        self.rows.resize(all, Proxy::NOTHING);
        self.placed.resize(all);
        self.local.resize(all, LocalRows::NONE);
        self.form.resize(all, Forms::BOX);
        self.free.drain(self.free.len() - old..).rev().chain(first as u32..all as u32).collect()
    }

    /// Releases a part: its index is not used again before the grid has looked for pairs.
    pub(crate) fn retire(&mut self, proxy: u32) {
        self.retired.push(proxy);
        self.forms.release(self.form[proxy as usize]);
        self.locals.release(self.local[proxy as usize]);
    }

    /// Frees the indices of parts that were released before the grid looked for pairs.
    pub(crate) fn reuse_retired(&mut self) {
        self.free.append(&mut self.retired);
    }
}
