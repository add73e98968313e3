//! Tile maps of fixed bodies (destructible terrain): cells near moving bodies are parts.
//!
//! In: boxes in the grid that are new, and cells that changed. Out: parts for the cells under these
//! boxes, put into the grid before it looks for pairs, and taken out when no contact has them any
//! more. A contact of a cell is then an ordinary contact, tested in lanes like any box; and a
//! million cells that are near nothing cost only two bytes each.
//!
//! ```text
//!   whole map   a part that stands in the grid always: queries find it, and walk over its cells;
//!               it touches nothing
//!   cell        a part as long as a contact has it; no query sees it
//! ```
//!
//! On bodies that move, each cell that is not empty is a part, like the parts of a compound.
//!
//! `edit.rs`: cells that change.

mod edit;

use super::World;
use crate::body::collider::OfMap;
use crate::body::{Body, NONE, flag};
use crate::bounds::Aabb;
use crate::broadphase::{Pair, WorldAabb};
use crate::contact::pair_map::PairMap;
use crate::shape::tiles::{CellRect, TileMap};

/// Most non-empty cells of a map on a moving body.
pub(crate) const MOST_MOVING: usize = u16::MAX as usize;

/// Data of tile maps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiles {
    /// Slots of the shapes that are maps of fixed bodies, and in the grid; ascending.
    maps: Vec<u32>,
    /// The maps of an excerpt of another world, each with its slot in that world, ascending. Their
    /// cells become parts in this order. Empty for other worlds, which go in the order of `maps`.
    excerpts: Vec<(u32, u32)>,
    /// Parts of cells, by cell and shape.
    shown: PairMap,
    /// Per part, for parts that are cells.
    rows: Vec<Shown>,
    /// Cells that may be without a contact.
    idle: Vec<u32>,
    /// Parts whose boxes are new since the grid last looked for pairs.
    pub(super) moved: Vec<u32>,
    /// Shapes and their cells that were filled since then; [`NONE`] for the whole map.
    pub(super) filled: Vec<(u32, u32)>,
}

/// A cell that is a part.
#[derive(Clone, Copy, Debug)]
struct Shown {
    /// The part before it in the list of its shape.
    before: u32,
    /// Number of its contacts.
    uses: u32,
}

fn key(shape: u32, cell: u32) -> Pair {
    Pair { a: cell, b: shape }
}

impl Tiles {
    pub(super) fn clear(&mut self) {
        self.maps.clear();
        self.excerpts.clear();
        self.shown.clear();
        self.rows.clear();
        self.idle.clear();
        self.moved.clear();
        self.filled.clear();
    }

    /// Lists a map.
    pub(super) fn list(&mut self, shape: u32) {
        if let Err(place) = self.maps.binary_search(&shape) {
            self.maps.insert(place, shape);
        }
    }

    /// Whether there are any tile maps to save.
    pub(super) fn is_there(&self) -> bool {
        !self.maps.is_empty()
    }

    /// Whether the next step has no cells to remove or to search.
    pub(super) fn is_settled(&self) -> bool {
        self.idle.is_empty() && self.filled.is_empty()
    }

    /// The shapes that are maps of fixed bodies.
    pub(super) fn maps(&self) -> &[u32] {
        &self.maps
    }
}

/// Relation of a body to the cells of maps.
struct Guest {
    aabb: WorldAabb,
    part: u32,
    /// Whether it touches cells that are solid, or sensors only.
    meets_solid: bool,
}

impl World {
    /// The map of a shape, if its cells are parts only on demand.
    pub(crate) fn map_on_demand(&self, shape: u32) -> Option<&TileMap> {
        let collider = &self.shapes.colliders[shape as usize];
        let is_fixed =
            self.bodies.rows[collider.body as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) == 0;
        collider.shape.tile_map().filter(|_| is_fixed)
    }

    /// Notes that a part has a new box.
    #[inline]
    pub(crate) fn note_box(&mut self, proxy: u32) {
        if self.tiles.is_there() {
            self.tiles.moved.push(proxy);
        }
    }

    /// Notes that all parts of a shape have new boxes; for a map, that everything near it has to be
    /// searched.
    pub(crate) fn note_boxes_of(&mut self, shape: u32) {
        if !self.tiles.is_there() {
            return;
        }
        if self.tiles.maps.binary_search(&shape).is_ok() {
            self.tiles.filled.push((shape, NONE));
            return;
        }
        let mut proxy = self.shapes.links[shape as usize].first_proxy;
        while proxy != NONE {
            self.tiles.moved.push(proxy);
            proxy = self.shapes.proxies.rows[proxy as usize].next;
        }
    }

    /// Adds a map to the grid, as one part for all of it.
    pub(crate) fn enter_map(&mut self, shape: u32) {
        self.tiles.list(shape);
        self.tiles.filled.push((shape, NONE));
    }

    /// Lists a map of an excerpt, with its slot in the original world: cells under bodies there are
    /// parts already.
    pub(crate) fn list_excerpt(&mut self, shape: u32, there: u32) {
        self.tiles.list(shape);
        let place = self.tiles.excerpts.partition_point(|&(other, _)| other < there);
        self.tiles.excerpts.insert(place, (there, shape));
    }

    /// Removes the map of a shape that leaves the grid; its parts are still listed.
    pub(crate) fn leave_map(&mut self, shape: u32) {
        let Ok(place) = self.tiles.maps.binary_search(&shape) else { return };
        self.tiles.maps.remove(place);
        self.tiles.excerpts.retain(|&(_, other)| other != shape);
        let mut proxy = self.shapes.links[shape as usize].first_proxy;
        while proxy != NONE {
            let row = self.shapes.proxies.rows[proxy as usize];
            if row.of_map == OfMap::Cell {
                self.tiles.shown.remove(key(shape, row.part));
            }
            proxy = row.next;
        }
        self.tiles.filled.retain(|&(other, _)| other != shape);
        if self.tiles.maps.is_empty() {
            self.tiles.clear();
        }
    }

    /// Makes parts of the cells under new boxes.
    pub(crate) fn show_cells(&mut self) {
        if self.tiles.moved.is_empty() {
            return;
        }
        let mut moved = core::mem::take(&mut self.tiles.moved);
        moved.sort_unstable();
        moved.dedup();
        for &proxy in &moved {
            if let Some(aabb) = self.grid.aabb(proxy) {
                self.show_under(proxy, aabb);
            }
        }
        moved.clear();
        self.tiles.moved = moved;
    }

    /// Makes parts of the cells under the box of a part that may touch them.
    pub(crate) fn show_under(&mut self, part: u32, aabb: WorldAabb) {
        let row = &self.shapes.proxies.rows[part as usize];
        if row.body == NONE || row.of_map != OfMap::No {
            return;
        }
        let body = &self.bodies.rows[row.body as usize];
        let dynamic = body.has(flag::DYNAMIC);
        let moves = dynamic || body.has(flag::KINEMATIC);
        if !moves || !(body.is_awake() || row.sensor) {
            return;
        }
        let guest = Guest { aabb, part, meets_solid: dynamic || row.sensor };
        for index in 0..self.tiles.maps.len() {
            let shape = self.tiles.excerpts.get(index).map_or(self.tiles.maps[index], |&(_, shape)| shape);
            self.show_of_map(shape, &guest);
        }
    }

    /// Makes parts of the cells near a body that left its boxes.
    pub(crate) fn show_beside(&mut self, slot: u32, aabb: WorldAabb) {
        if self.tiles.is_there() {
            let parts: Vec<u32> = self.parts_of_body(slot).collect();
            parts.into_iter().for_each(|part| self.show_under(part, aabb));
        }
    }

    fn show_of_map(&mut self, shape: u32, guest: &Guest) {
        let whole = self.shapes.links[shape as usize].first_proxy;
        if !self.grid.aabb(whole).is_some_and(|whole| self.def.period().overlap(&guest.aabb, &whole)) {
            return;
        }
        let own = self.shapes.proxies.rows[guest.part as usize].shape;
        let (collider, other) =
            (&self.shapes.colliders[shape as usize], &self.shapes.colliders[own as usize]);
        if !collider.traits.filter.allows(&other.traits.filter) {
            return;
        }
        let Some(rect) = self.cells_under(shape, &guest.aabb) else { return };
        for cell in rect.cells() {
            let Some(map) = self.shapes.colliders[shape as usize].shape.tile_map() else { return };
            let number = map.number(cell);
            let is_sensor = self.shapes.colliders[shape as usize].is_sensor_at(number);
            if guest.meets_solid || is_sensor {
                self.show_cell(shape, number);
            }
        }
    }

    /// The cells of a map under a box in the world, with the margin of cells' boxes.
    fn cells_under(&self, shape: u32, aabb: &WorldAabb) -> Option<CellRect> {
        let collider = &self.shapes.colliders[shape as usize];
        let body = &self.bodies.rows[collider.body as usize];
        let seen = self.box_beside(*aabb, body).grown(self.tuning.margins.speculative);
        let local = seen.transformed(body.local_transform().inverse());
        Some(collider.shape.tile_map()?.rect_of(&local))
    }

    /// Makes a cell a part, if it is not empty and not one already.
    fn show_cell(&mut self, shape: u32, cell: u32) {
        let is_empty =
            self.shapes.colliders[shape as usize].shape.tile_map().is_none_or(|map| map.is_empty_at(cell));
        let is_shown = || self.tiles.shown.get(key(shape, cell)).is_some();
        if is_empty || is_shown() || !self.shapes.proxies.has_room(1, self.room.parts) {
            return;
        }
        let proxy = self.shapes.proxies.take();
        self.show_as(shape, cell, proxy);
        let body = self.shapes.colliders[shape as usize].body;
        self.grid.set_group(proxy, self.group_of(body));
    }

    /// The part of a cell, which becomes one if it is none; `None` for an empty cell.
    pub(crate) fn cell_shown(&mut self, shape: u32, cell: u32) -> Option<u32> {
        let map = self.shapes.colliders[shape as usize].shape.tile_map();
        map.filter(|map| cell < map.frame_part())?;
        self.show_cell(shape, cell);
        self.tiles.shown.get(key(shape, cell))
    }

    /// Whether a cell is a part already.
    pub(crate) fn shows(&self, shape: u32, cell: u32) -> bool {
        self.tiles.shown.get(key(shape, cell)).is_some()
    }

    /// Copies the contact count of a cell from another world with the same index.
    pub(crate) fn keep_shown(&mut self, there: &World, proxy: u32) {
        let uses = there.tiles.rows.get(proxy as usize).map_or(0, |row| row.uses);
        self.tiles.rows[proxy as usize].uses = uses;
    }

    /// Makes a cell a part with a given index, in no group yet.
    pub(crate) fn show_as(&mut self, shape: u32, cell: u32, proxy: u32) {
        let slot = self.shapes.colliders[shape as usize].body;
        let whole = self.shapes.links[shape as usize].first_proxy;
        let next = self.shapes.proxies.rows[whole as usize].next;
        self.enter_part((slot, shape, cell), (proxy, next));
        self.list_cell((shape, cell), proxy, whole);
        self.note_sole_part(slot);
    }

    /// Notes a cell as a part behind another one in the list of its shape.
    pub(crate) fn list_cell(&mut self, (shape, cell): (u32, u32), proxy: u32, before: u32) {
        let none = Shown { before: NONE, uses: 0 };
        if self.tiles.rows.len() < self.shapes.proxies.rows.len() {
            self.tiles.rows.resize(self.shapes.proxies.rows.len(), none);
        }
        let next = self.shapes.proxies.rows[proxy as usize].next;
        self.shapes.proxies.rows[proxy as usize].of_map = OfMap::Cell;
        self.shapes.proxies.rows[before as usize].next = proxy;
        self.tiles.rows[proxy as usize] = Shown { before, uses: 0 };
        if next != NONE {
            self.tiles.rows[next as usize].before = proxy;
        }
        self.tiles.shown.insert(key(shape, cell), proxy);
        self.tiles.idle.push(proxy);
    }

    /// Removes parts of cells without contacts.
    pub(crate) fn hide_cells(&mut self) {
        if self.tiles.idle.is_empty() {
            return;
        }
        let mut idle = core::mem::take(&mut self.tiles.idle);
        idle.sort_unstable();
        idle.dedup();
        for &proxy in &idle {
            if self.is_shown(proxy) && self.tiles.rows[proxy as usize].uses == 0 {
                self.hide(proxy);
            }
        }
        idle.clear();
        self.tiles.idle = idle;
    }

    /// Cells without contacts that the next step removes; some of them twice.
    pub(crate) fn idle_cells(&self) -> impl Iterator<Item = u32> + '_ {
        let is_unused = |&part: &u32| self.is_shown(part) && self.tiles.rows[part as usize].uses == 0;
        self.tiles.idle.iter().copied().filter(is_unused)
    }

    /// Whether a part is a cell that is in the grid.
    fn is_shown(&self, proxy: u32) -> bool {
        let row = &self.shapes.proxies.rows[proxy as usize];
        row.of_map == OfMap::Cell && self.tiles.shown.get(key(row.shape, row.part)) == Some(proxy)
    }

    /// Removes the part of a cell without contacts from the grid.
    fn hide(&mut self, proxy: u32) {
        let row = self.shapes.proxies.rows[proxy as usize];
        let before = self.tiles.rows[proxy as usize].before;
        self.shapes.proxies.rows[before as usize].next = row.next;
        if row.next != NONE {
            self.tiles.rows[row.next as usize].before = before;
        }
        self.tiles.shown.remove(key(row.shape, row.part));
        self.grid.remove(proxy);
        self.shapes.proxies.retire(proxy);
        self.note_sole_part(row.body);
    }

    /// Counts a contact of two parts that began or ended at their cells.
    #[inline]
    pub(crate) fn count_cells(&mut self, pair: Pair, begins: bool) {
        if !self.tiles.is_there() {
            return;
        }
        for proxy in [pair.a, pair.b] {
            if self.shapes.proxies.rows[proxy as usize].of_map != OfMap::Cell {
                continue;
            }
            let Some(row) = self.tiles.rows.get_mut(proxy as usize) else { continue };
            if begins {
                row.uses += 1;
            } else {
                row.uses = row.uses.saturating_sub(1);
                if row.uses == 0 {
                    self.tiles.idle.push(proxy);
                }
            }
        }
    }

    /// Whether a shape is a map of a fixed body, and in the grid.
    pub(crate) fn is_map(&self, shape: u32) -> bool {
        self.tiles.maps.binary_search(&shape).is_ok()
    }

    /// Whether a cell is a part.
    pub(crate) fn has_shown(&self, shape: u32, cell: u32) -> bool {
        self.tiles.shown.get(key(shape, cell)).is_some()
    }

    /// How many cells are parts.
    pub(crate) fn shown_count(&self) -> usize {
        self.tiles.shown.len()
    }

    /// The cells that are parts of a shape, in the order of their list.
    pub(crate) fn shown_cells(&self, shape: u32) -> impl Iterator<Item = u32> + '_ {
        self.proxies_of(shape).skip(1)
    }

    /// Checks the invariants of cells that are parts.
    pub(crate) fn validate_cells(&self, shape: u32) -> Result<(), String> {
        use super::validate::ensure;
        let mut before = self.shapes.links[shape as usize].first_proxy;
        let mut uses = std::collections::BTreeMap::<u32, u32>::new();
        for contact in self.contacts.edges().of(self.shapes.colliders[shape as usize].body) {
            let pair = self.contacts.pair[contact as usize];
            [pair.a, pair.b].into_iter().for_each(|part| *uses.entry(part).or_default() += 1);
        }
        ensure(
            self.shapes.proxies.rows[before as usize].of_map == OfMap::Whole,
            "a map stands in the grid whole",
        )?;
        for proxy in self.shown_cells(shape) {
            let row = &self.shapes.proxies.rows[proxy as usize];
            let map = self.shapes.colliders[shape as usize].shape.tile_map();
            ensure(map.is_some_and(|map| !map.is_empty_at(row.part)), "a cell that is a part is not empty")?;
            ensure(self.is_shown(proxy), "a cell is one part")?;
            let shown = self.tiles.rows[proxy as usize];
            ensure(shown.before == before, "cells know the part before them")?;
            let counted = uses.get(&proxy).copied().unwrap_or(0);
            ensure(counted == shown.uses, "cells count their contacts")?;
            before = proxy;
        }
        Ok(())
    }
}

/// A box in the frame of a body, as a box of the grid.
fn in_world(aabb: &Aabb, body: &Body) -> WorldAabb {
    WorldAabb { region: body.region, aabb: aabb.transformed(body.local_transform()) }
}
