//! Shapes and outlines, from an image.
//!
//! In: rows of shapes, then their geometry, then outlines that several may share. Out: shapes in
//! the lists of their bodies. A shape that is only named, or has a known stamp, is taken from the
//! present world.

use std::sync::Arc;

use super::{Known, ReadScratch, Trust, ensure, read_free, refill};
use crate::body::collider::{RecentShapes, ShapeLinks, ShapeTraits};
use crate::body::state::SURFACE;
use crate::body::{Body, Collider, Material, NONE, ShapeDef};
use crate::shape::Shape;
use crate::shape::state::{FORM, Form, Outline};
use crate::state::{GROUP, LoadError, Parse, Reader};
use crate::world::World;
use crate::world::edit::check::check_shape;
use crate::world::snapshot::write::{SHAPE, Steps};

impl World {
    pub(super) fn read_shapes(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
        known: Known,
        trust: Trust,
    ) -> Result<(), LoadError> {
        let count = scratch.counts.shapes;
        self.shapes.slots.reset(count);
        self.shapes.colliders.truncate(count);
        let more = count - self.shapes.colliders.len();
        self.shapes.colliders.reserve_exact(more);
        if self.shapes.colliders.len() < count {
            // Free slots hold a dummy shape.
            let nothing = Collider::new(ShapeDef::from(Shape::circle(1.0)), NONE);
            self.shapes.colliders.resize(count, nothing);
        }
        refill(&mut self.shapes.links, count, ShapeLinks::NONE);
        scratch.shapes.order.clear();
        let (colliders, recent) = (&mut self.shapes.colliders, &mut self.shapes.recent);
        let mut read = Shapes { colliders, recent, lists: &mut scratch.shapes, last: NONE };
        let (mut slots, mut bodies) = (Steps::START, Steps::START);
        let mut last = (NONE, NONE);
        image.rows_and_repeats::<SHAPE>(|row, repeats| {
            let [step, generation, body, words @ ..] = row;
            if repeats == GROUP && [*step, *body] == [1, 1] {
                let (slot, body) = (slots.by(1), bodies.by(1));
                let there = self.bodies.slots.are_taken(body, GROUP);
                let rows = self.bodies.rows.get_mut(body as usize..).and_then(|rows| rows.first_chunk_mut());
                if let Some(rows) = rows.filter(|_| there)
                    && read.add_eight((body, slot), rows)
                    && self.shapes.slots.revive_all(slot, GROUP, *generation)
                {
                    let more = GROUP as u32 - 1;
                    slots.by(more);
                    bodies.by(more);
                    read.last = slot + more;
                    last = (body + more, slot + more);
                    return Ok(());
                }
                slots.by(u32::MAX);
                bodies.by(u32::MAX);
            }
            for _ in 0..repeats.max(1) {
                let (slot, body) = (slots.by(*step), bodies.by(*body));
                ensure(self.shapes.slots.revive(slot, *generation, true), "a place has one tenant")?;
                ensure(self.bodies.slots.tenant(body).is_some(), "a shape has a body")?;
                if !(repeats > 0 && read.add_another((body, slot))) {
                    read.add(words, (body, slot))?;
                }
                read.last = slot;
                if last.0 == body {
                    self.shapes.links[last.1 as usize].next = slot;
                } else {
                    let first = &mut self.bodies.rows[body as usize].first_shape;
                    ensure(*first == NONE, "the shapes of a body stand together")?;
                    *first = slot;
                }
                last = (body, slot);
            }
            Ok(())
        })?;
        read.forms(image, known, trust)?;
        read_free(&mut self.shapes.slots, image)?;
        read.outlines(image)
    }
}

/// Shapes being read: first their rows, then their geometry.
struct Shapes<'w> {
    colliders: &'w mut Vec<Collider>,
    recent: &'w mut RecentShapes,
    lists: &'w mut Lists,
    /// The slot of the last one.
    last: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// Slots in the order of the rows, each with the number of part materials, and the stamp if the
    /// geometry is only named so far.
    order: Vec<(u32, usize, Option<u64>)>,
    /// Stamps of shapes still without geometry, sorted, with their slots.
    missing: Vec<(u64, u32)>,
    outlines: Vec<Outline>,
    words: Vec<u32>,
}

impl Shapes<'_> {
    /// Adds eight shapes at once, the first ones of eight bodies in a row, whose rows in the image
    /// repeat the row of the last shape. False if they cannot be added so; then at most the old
    /// contents of the eight slots are lost.
    fn add_eight(&mut self, (body, slot): (u32, u32), bodies: &mut [Body; GROUP]) -> bool {
        if self.last == NONE || slot != self.last + 1 || bodies.iter().any(|body| body.first_shape != NONE) {
            return false;
        }
        let Some((before, rest)) = self.colliders.split_at_mut_checked(slot as usize) else { return false };
        let (Some(last), Some(eight)) = (before.last(), rest.first_chunk_mut::<GROUP>()) else {
            return false;
        };
        let materials = self.lists.order.last().map_or(0, |&(_, materials, _)| materials);
        for (index, (collider, of)) in (0..).zip(eight.iter_mut().zip(bodies)) {
            if !collider.traits.is(&last.traits) {
                collider.traits = last.traits.clone();
            }
            (collider.user_data, collider.body) = (last.user_data, body + index);
            of.first_shape = slot + index;
            self.lists.order.push((slot + index, materials, None));
        }
        true
    }

    /// Adds a shape whose row repeats the row of the last shape, as nearly each in a heap of equal
    /// boxes. False if there is no last shape.
    fn add_another(&mut self, (body, slot): (u32, u32)) -> bool {
        let Ok([last, collider]) = self.colliders.get_disjoint_mut([self.last as usize, slot as usize])
        else {
            return false;
        };
        if !collider.traits.is(&last.traits) {
            collider.traits = last.traits.clone();
        }
        (collider.user_data, collider.body) = (last.user_data, body);
        let materials = self.lists.order.last().map_or(0, |&(_, materials, _)| materials);
        self.lists.order.push((slot, materials, None));
        true
    }

    fn add(&mut self, words: &[u32; SURFACE], (body, slot): (u32, u32)) -> Result<(), LoadError> {
        let (def, materials) = Collider::parse(words, Shape::circle(1.0))?;
        check_shape(&def).map_err(|_| LoadError::Broken("a shape keeps its rules"))?;
        let (traits, user_data) = (ShapeTraits::of(&def), def.user_data);
        // The geometry follows; until then the shape keeps the geometry of the slot.
        let collider = &mut self.colliders[slot as usize];
        (collider.user_data, collider.body) = (user_data, body);
        if !collider.traits.part_materials.is_empty() || !collider.traits.has_bits_of(&traits) {
            collider.traits = self.recent.share_traits(traits);
        }
        self.lists.order.push((slot, materials, None));
        Ok(())
    }

    fn forms(&mut self, image: &mut Reader, known: Known, trust: Trust) -> Result<(), LoadError> {
        let (mut next, mut last) = (0, None::<usize>);
        image.rows_and_repeats::<FORM>(|row, repeats| {
            if repeats == GROUP
                && let Some(last) = last
                && let Some(places) = self.lists.order.get(next..next + GROUP)
            {
                let shape = self.colliders[last].shape.clone();
                for &(slot, ..) in places {
                    let collider = &mut self.colliders[slot as usize];
                    if !collider.shape.is(&shape) {
                        collider.shape = shape.clone();
                    }
                }
                next += GROUP;
                return Ok(());
            }
            for _ in 0..repeats.max(1) {
                let place = self.lists.order.get_mut(next);
                next += 1;
                let (slot, _, named) = place.ok_or(LoadError::Broken("a form belongs to a shape"))?;
                // A repeated row has the last form, if that was whole.
                if let Some(last) = last.filter(|_| repeats > 0) {
                    same_form(self.colliders, *slot as usize, last)?;
                    continue;
                }
                let collider = &mut self.colliders[*slot as usize];
                let form = Shape::parse(&mut Parse::new(row))?;
                last = matches!(form, Form::Whole(_)).then_some(*slot as usize);
                match form {
                    // The present geometry was checked when it was added.
                    Form::Whole(shape) if collider.shape.has_bits_of(&shape) => {}
                    Form::Whole(shape) if trust == Trust::Own => collider.shape = self.recent.share(shape),
                    Form::Whole(shape) => collider.shape = self.recent.share(shape.sound()?),
                    Form::Named(stamp) if trust == Trust::Own && collider.shape.stamp() == Some(stamp) => {}
                    Form::Named(stamp) => match known(*slot, stamp) {
                        Some(shape) => collider.shape = shape,
                        None => *named = Some(stamp),
                    },
                }
            }
            Ok(())
        })?;
        ensure(next == self.lists.order.len(), "a shape has a form")?;
        let mut wanted =
            self.lists.order.iter().flat_map(|&(slot, count, _)| core::iter::repeat_n(slot, count));
        image.rows(|row| {
            let slot = wanted.next().ok_or(LoadError::Broken("a material belongs to a part"))?;
            let material = Material::of_words(row)?.checked();
            let material = material.map_err(|_| LoadError::Broken("a material keeps its rules"))?;
            self.colliders[slot as usize].traits.make_mut().part_materials.push(material);
            Ok(())
        })?;
        ensure(wanted.next().is_none(), "a part has its material")
    }

    /// Reads written outlines, for shapes that are still without geometry.
    fn outlines(&mut self, image: &mut Reader) -> Result<(), LoadError> {
        let Lists { order, missing, outlines, words } = &mut *self.lists;
        outlines.clear();
        image.rows(|row| {
            outlines.push(Outline::parse(row)?);
            Ok(())
        })?;
        image.words(words)?;
        let mut rest = words.as_slice();
        let mut edited: Vec<(u32, &[u32])> = Vec::new();
        missing.clear();
        missing.extend(order.iter().filter_map(|&(slot, _, named)| Some((named?, slot))));
        missing.sort_unstable();
        for outline in outlines {
            let (own, others) = rest
                .split_at_checked(outline.words as usize)
                .ok_or(LoadError::Broken("an outline has its words"))?;
            rest = others;
            if let Some(slot) = outline.edits_of() {
                edited.push((slot, own));
                continue;
            }
            let first = missing.partition_point(|&(stamp, _)| stamp < outline.stamp);
            let count = missing[first..].iter().take_while(|&&(stamp, _)| stamp == outline.stamp).count();
            if count == 0 {
                continue;
            }
            let shape = Shape::from_outline(outline, own)?;
            for (_, slot) in missing.drain(first..first + count) {
                self.colliders[slot as usize].shape = shape.clone().into();
            }
        }
        ensure(rest.is_empty(), "words belong to an outline")?;
        if !missing.is_empty() {
            return Err(LoadError::MissingShape);
        }
        edited.sort_unstable_by_key(|&(slot, _)| slot);
        ensure(edited.is_sorted_by(|p, q| p.0 < q.0), "the cells of a map change once")?;
        let mut used = 0;
        for &(slot, ..) in order.iter() {
            let shape = &mut self.colliders[slot as usize].shape;
            let Some(map) = shape.tile_map() else { continue };
            let place = edited.binary_search_by_key(&slot, |&(slot, _)| slot);
            let edits = place.map_or(&[][..], |place| edited[place].1);
            used += usize::from(place.is_ok());
            // Usually it is the map in the present world.
            if map.edits() == edits {
                continue;
            }
            let Shape::Tiles(map) = shape.make_mut() else { continue };
            ensure(Arc::make_mut(map).edit_to(edits), "cells that change are cells of a map")?;
        }
        ensure(used == edited.len(), "cells that change belong to a map")
    }
}

/// Gives a shape the form of another one.
#[inline(always)]
fn same_form(colliders: &mut [Collider], slot: usize, last: usize) -> Result<(), LoadError> {
    let [collider, last] =
        colliders.get_disjoint_mut([slot, last]).map_err(|_| LoadError::Broken("a shape has one form"))?;
    if !collider.shape.is(&last.shape) {
        collider.shape = last.shape.clone();
    }
    Ok(())
}
