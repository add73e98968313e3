//! Parts of shapes as proxies in the grid (broadphase).
//!
//! In: shapes that are added and removed. Out: a row, an index and a box in the grid for each of
//! their parts. Called by everything that adds, changes or removes bodies and shapes.

use bytemuck::Zeroable;

use crate::body::collider::{Class, LocalRow, OfMap, PlacedRow, Proxy, local_row, place, placed_box};
use crate::body::core_table::Forms;
use crate::body::{NONE, flag};
use crate::bounds::Aabb;
use crate::broadphase::{Activity, WorldAabb};
use crate::tuning::SPECULATIVE_DISTANCE;
use crate::world::World;
use crate::world::finish::sweep::Sweep;

impl World {
    /// A proxy in the grid for every part of a shape; groups are those of [`World::regroup`].
    pub(crate) fn enter_grid(&mut self, slot: u32, shape: u32) {
        self.enter_grid_as(slot, shape, None);
    }

    /// The same, if wanted with a number for each part.
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

    /// The parts with which a shape stands in the grid, if these are not all of its pieces: of a
    /// tile map, the whole of it on a fixed body, and on one that moves the cells that are not
    /// empty.
    pub(crate) fn listed_parts(&self, shape: u32) -> Option<Vec<u32>> {
        let map = self.shapes.colliders[shape as usize].shape.tile_map()?;
        let cells = || map.all().cells().map(|cell| map.number(cell)).filter(|&cell| !map.is_empty_at(cell));
        let is_whole = self.map_on_demand(shape).is_some();
        Some(if is_whole { vec![map.frame_part()] } else { cells().collect() })
    }

    /// A proxy in the grid for a part of a shape, `next` behind it in its list.
    pub(crate) fn enter_part(&mut self, (slot, shape, part): (u32, u32, u32), (proxy, next): (u32, u32)) {
        let body = self.bodies.rows[slot as usize];
        let moves = body.flags & (flag::DYNAMIC | flag::KINEMATIC) != 0;
        let index = proxy as usize;
        let (part_row, local) = self.part_row((slot, shape, part));
        self.shapes.proxies.rows[index] = Proxy { next, ..part_row };
        let Proxy { class, sensor, of_map, .. } = part_row;
        let piece = self.shapes.colliders[shape as usize].shape.piece(part as usize);
        let row = place(&local, &body);
        let form = if class == Class::Core {
            self.shapes.proxies.forms.take(piece, piece.circle_around().0)
        } else {
            Forms::BOX
        };
        let tight = match class {
            Class::Other => piece.aabb(body.local_transform()),
            _ => placed_box(class, &row, (&self.shapes.proxies.forms, form)),
        };
        self.shapes.proxies.placed[index] = row;
        self.shapes.proxies.local[index] = local;
        self.shapes.proxies.form[index] = form;
        // With its room at once, or all boxes of a new scene would be made anew together in its
        // second step.
        let boxed = if moves {
            Sweep::new(&body, self.sweep_params()).roomy(&tight)
        } else {
            grown(&tight, self.def.unit)
        };
        let aabb = WorldAabb { region: body.region, aabb: boxed };
        // Cells are parts while something awake is beside them.
        let active = moves || (sensor && of_map == OfMap::No);
        self.grid.insert(proxy, aabb, if active { Activity::Active } else { Activity::Resting });
        if moves {
            self.note_box(proxy);
        }
    }

    /// What a part is, whatever comes behind it in its list, and its row in the frame of its body.
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
        let special = collider.hooked || collider.one_way_at(part).is_some();
        let plain = class != Class::Other && !(sensor || line || special);
        (Proxy { shape, part, body, next: NONE, class, sensor, line, plain, of_map }, local)
    }

    /// Takes the parts of a shape out of the grid; their contacts end, as long as they can be
    /// named.
    pub(crate) fn remove_proxies(&mut self, shape: u32) {
        self.note_left(shape);
        for contact in self.contacts_of(shape) {
            self.end_contact(contact);
        }
        self.leave_map(shape);
        let mut proxy = self.shapes.links[shape as usize].first_proxy;
        while proxy != NONE {
            self.grid.remove(proxy);
            self.shapes.proxies.retire(proxy);
            proxy = self.shapes.proxies.rows[proxy as usize].next;
        }
        self.shapes.links[shape as usize].first_proxy = NONE;
        self.note_sole_part(self.shapes.colliders[shape as usize].body);
    }

    /// Parts of a body have come or gone.
    pub(crate) fn note_sole_part(&mut self, slot: u32) {
        self.bodies.sole_parts[slot as usize] = self.sole_part(slot);
    }

    /// The only part that a body has in the grid.
    pub(crate) fn sole_part(&self, slot: u32) -> u32 {
        let shapes = self.shape_slots_from(self.bodies.rows[slot as usize].first_shape);
        let mut parts = shapes.flat_map(|shape| self.proxies_of(shape));
        let first = parts.next().unwrap_or(NONE);
        if parts.next().is_none() { first } else { NONE }
    }
}

/// The box that a part which nothing moves is made with.
pub(crate) fn grown(tight: &Aabb, unit: f32) -> Aabb {
    tight.grown(SPECULATIVE_DISTANCE * unit)
}

impl World {
    /// The contacts of a shape, in the order of their places.
    pub(crate) fn contacts_of(&self, shape: u32) -> Vec<u32> {
        let body = self.shapes.colliders[shape as usize].body;
        let of_shape = |proxy: u32| self.shapes.proxies.rows[proxy as usize].shape == shape;
        let of_body = self.contacts.by_body.of(body);
        let pair = |contact: u32| self.contacts.pair[contact as usize];
        let mut contacts: Vec<u32> =
            of_body.filter(|&contact| of_shape(pair(contact).a) || of_shape(pair(contact).b)).collect();
        contacts.sort_unstable();
        contacts
    }
}

impl crate::world::Proxies {
    /// Whether `count` more fit in, where there may be `most`.
    pub(crate) fn has_room(&self, count: usize, most: usize) -> bool {
        self.free.len() + most.saturating_sub(self.rows.len()) >= count
    }

    pub(crate) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.rows.push(Proxy::NOTHING);
            self.placed.push(PlacedRow::zeroed());
            self.local.push(LocalRow::zeroed());
            self.form.push(Forms::BOX);
            self.rows.len() as u32 - 1
        })
    }

    /// Releases a part: its index is not used again before the grid has looked for pairs.
    pub(crate) fn retire(&mut self, proxy: u32) {
        self.retired.push(proxy);
        self.forms.release(self.form[proxy as usize]);
    }

    /// Frees the indices of parts that were released before the grid looked for pairs.
    pub(crate) fn reuse_retired(&mut self) {
        self.free.append(&mut self.retired);
    }
}
