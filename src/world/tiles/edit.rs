//! Changes of cells.
//!
//! In: a map, a column and row, a cell. Out: the map changes at once, for queries too. Bodies that
//! touched the cell wake, and its contacts end; bodies that a new cell overlaps are found before
//! the next step.

use std::sync::Arc;

use super::{MOST_MOVING, in_world, key};
use crate::body::collider::OfMap;
use crate::body::{NONE, ShapeId, flag};
use crate::error::Error;
use crate::shape::tiles::{CellRect, TileCell, TileKind};
use crate::shape::{Shape, ShapeError};
use crate::world::World;
use crate::world::record::Input;

impl World {
    /// Changes a cell of a tile map, given by its column and row.
    ///
    /// Bodies that rest on it wake. On a fixed body this takes time in proportion to the contacts
    /// of the cell, whatever the size of the map; on a moving body, all parts of the shape and its
    /// mass are computed anew. A map that is shared with a copy of the world, or that the program
    /// keeps a clone of, is copied once before its first change.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ground = world.add(BodyDef::fixed().shape(Shape::tiles(1.0, 8, &[TileCell::SOLID; 8])))?;
    /// let (map, _) = world.shapes_of(ground).next().expect("it has one");
    /// let crate_ = world.add(BodyDef::dynamic().at([3.5, 1.25]).shape(Shape::rect(0.5, 0.5)))?;
    /// (0..120).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert!(!world[crate_].is_awake());
    ///
    /// world.set_tile(map, [3, 0], TileCell::EMPTY)?;
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert!(world[crate_].position().y < -1.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A shape that is gone or is no tile map, a column or row outside of the map, or too many
    /// cells for a body that moves.
    pub fn set_tile(&mut self, id: ShapeId, place: [u32; 2], cell: TileCell) -> Result<(), Error> {
        self.note(|| Input::SetTile { id, column: place[0], row: place[1], bits: cell.packed().into() });
        let shape = self.shape_slot_of(id)?;
        let collider = &self.shapes.colliders[shape as usize];
        let map = collider.shape.tile_map().ok_or(Error::Shape(ShapeError::NotApplicable))?;
        let before = map.cell_at(place).ok_or(Error::BadNumber("a cell must be one that the map has"))?;
        if before == cell {
            return Ok(());
        }
        let number = map.number(place);
        let is_enabled = self.bodies.rows[collider.body as usize].is_enabled();
        if self.map_on_demand(shape).is_none() {
            let grows = before.kind == TileKind::Empty;
            if grows && map.solid_count() >= MOST_MOVING {
                return Err(Error::Shape(ShapeError::TooManyParts));
            }
            self.check_room_for_parts(map.solid_count() + 1)?;
            self.reform(shape, |collider| change(collider.shape.make_mut(), number, cell));
        } else {
            if let Some(proxy) = self.tiles.shown.get(key(shape, number)) {
                self.bare(proxy);
            }
            change(self.shapes.colliders[shape as usize].shape.make_mut(), number, cell);
            if is_enabled && cell.kind != TileKind::Empty {
                self.tiles.filled.push((shape, number));
            }
            self.note_tile(shape);
        }
        Ok(())
    }

    /// Ends the contacts of a cell and removes it from the grid. Bodies that touched it wake.
    fn bare(&mut self, proxy: u32) {
        let body = self.shapes.proxies.rows[proxy as usize].body;
        let mut contacts = Vec::new();
        // With an up-to-date grid, a cell's few contacts are found by a search around it.
        self.grid.refresh();
        if let Some(aabb) = self.grid.aabb(proxy) {
            self.grid.query(&aabb, |other| {
                contacts.extend(self.contacts.find(crate::broadphase::Pair::new(proxy, other)));
                true
            });
        }
        if contacts.len() < self.tiles.rows[proxy as usize].uses as usize {
            // A body has left its box since, and the grid was not updated yet.
            contacts.clear();
            contacts.extend(self.contacts.edges().of(body).filter(|&contact| {
                let pair = self.contacts.pair[contact as usize];
                pair.a == proxy || pair.b == proxy
            }));
        }
        contacts.sort_unstable();
        for &contact in &contacts {
            let link = &self.contacts.link[contact as usize];
            let other = if link.body_a == body { link.body_b } else { link.body_a };
            self.wake(other);
        }
        contacts.into_iter().for_each(|contact| self.end_contact(contact));
        self.hide(proxy);
    }

    /// Searches around filled cells: they become parts for awake bodies, and sleeping ones wake.
    pub(crate) fn take_fills(&mut self) {
        if self.tiles.filled.is_empty() {
            return;
        }
        let mut filled = core::mem::take(&mut self.tiles.filled);
        filled.sort_unstable();
        filled.dedup();
        let mut near = Vec::new();
        for group in filled.chunk_by(|p, q| p.0 == q.0) {
            let shape = group[0].0;
            if self.tiles.maps.binary_search(&shape).is_ok() {
                self.look_around(shape, group, &mut near);
            }
        }
        filled.clear();
        self.tiles.filled = filled;
    }

    /// Searches around filled cells of one map, in ascending order.
    fn look_around(&mut self, shape: u32, cells: &[(u32, u32)], near: &mut Vec<u32>) {
        let Some(map) = self.shapes.colliders[shape as usize].shape.tile_map() else { return };
        let is_whole = cells.last().is_some_and(|&(_, cell)| cell == NONE);
        let mut rect = map.all();
        if !is_whole {
            let places = cells.iter().map(|&(_, cell)| map.place(cell));
            let none = CellRect { from: [u32::MAX; 2], to: [0; 2] };
            rect = places.fold(none, |rect, [x, y]| CellRect {
                from: [rect.from[0].min(x), rect.from[1].min(y)],
                to: [rect.to[0].max(x + 1), rect.to[1].max(y + 1)],
            });
        }
        let body = &self.bodies.rows[self.shapes.colliders[shape as usize].body as usize];
        let aabb = in_world(&map.box_of(&rect), body);
        near.clear();
        self.grid.query(&aabb, |part| {
            near.push(part);
            true
        });
        near.sort_unstable();
        for &part in &*near {
            let row = &self.shapes.proxies.rows[part as usize];
            let other = &self.bodies.rows[row.body as usize];
            if row.of_map != OfMap::No || other.flags & (flag::DYNAMIC | flag::KINEMATIC) == 0 {
                continue;
            }
            if other.is_awake() || row.sensor {
                self.tiles.moved.push(part);
            } else if !is_whole && self.is_over(part, shape, cells) {
                self.wake(self.shapes.proxies.rows[part as usize].body);
            }
        }
    }

    /// Whether the box of a part is over one of the given cells, which are ascending.
    fn is_over(&self, part: u32, shape: u32, cells: &[(u32, u32)]) -> bool {
        let rect = self.grid.aabb(part).and_then(|aabb| self.cells_under(shape, &aabb));
        let Some((rect, map)) = rect.zip(self.shapes.colliders[shape as usize].shape.tile_map()) else {
            return false;
        };
        if rect.is_empty() {
            return false;
        }
        let mut rows = rect.from[1]..rect.to[1];
        rows.any(|y| {
            let [first, last] = [rect.from[0], rect.to[0] - 1].map(|x| map.number([x, y]));
            let at = cells.partition_point(|&(_, cell)| cell < first);
            cells.get(at).is_some_and(|&(_, cell)| cell <= last)
        })
    }
}

/// Changes a cell of a shape that is a map.
fn change(shape: &mut Shape, number: u32, cell: TileCell) {
    if let Shape::Tiles(map) = shape {
        Arc::make_mut(map).set(number, cell);
    }
}
