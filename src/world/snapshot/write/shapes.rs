//! Writes the definitions of bodies and shapes: settings, materials, geometry.
//!
//! In: bodies and their shapes by slot. Out: their rows. In a heap of equal bodies nearly each row
//! repeats the row before, and one comparison covers eight of them.

use super::{BODY, SHAPE, Steps, tell_free};
use crate::body::collider::{Collider, SharedShape};
use crate::body::{Body, NONE};
use crate::shape::state::FORM;
use crate::state::{GROUP, Put, Sink};
use crate::world::World;
use crate::world::snapshot::schema as of;

impl World {
    /// Writes settings of bodies, and free slots.
    #[inline(never)]
    pub(super) fn tell_bodies(&self, sink: &mut impl Sink) {
        sink.begin(&of::BODIES, self.bodies.slots.len());
        let (mut steps, mut slot) = (Steps::START, 0);
        let mut last: Option<([u32; 2], &Body)> = None;
        while (slot as usize) < self.bodies.slots.places() {
            if self.bodies.slots.tenant(slot).is_none() {
                slot += 1;
                continue;
            }
            let body = &self.bodies.rows[slot as usize];
            if let Some((of_slot, last)) = &mut last
                && sink.same_rows_left() == GROUP
                && self.are_bodies_like(slot, (of_slot, last))
            {
                sink.same_rows();
                slot += GROUP as u32;
                steps.to(slot - 1);
                *last = &self.bodies.rows[slot as usize - 1];
                continue;
            }
            let of_slot = [steps.to(slot), self.bodies.slots.generation_at(slot)];
            let row = || {
                let mut row = [0; BODY];
                row[..2].copy_from_slice(&of_slot);
                row[2..].copy_from_slice(&body.words()[1]);
                row
            };
            // In a heap of equal bodies, nearly each equals the body before.
            if last.is_some_and(|(before, last)| before == of_slot && body.has_settings_of(last)) {
                sink.same_row(slot, row);
            } else {
                sink.row(slot, &row());
            }
            last = Some((of_slot, body));
            slot += 1;
        }
        tell_free(&self.bodies.slots, [&of::FREE_BODIES, &of::RETIRED_BODIES], sink);
    }

    /// Whether eight bodies from a slot on follow the last one without a gap, and equal it.
    #[inline(always)]
    fn are_bodies_like(&self, slot: u32, (of_slot, last): (&[u32; 2], &Body)) -> bool {
        let [1, generation] = *of_slot else { return false };
        let rows = self.bodies.rows.get(slot as usize..).and_then(|rows| rows.first_chunk::<GROUP>());
        self.bodies.slots.are_of(generation, slot, GROUP)
            && core::ptr::eq(last, &self.bodies.rows[slot as usize - 1])
            && rows.is_some_and(|rows| rows.iter().all(|body| body.has_settings_of(last)))
    }

    /// Visits shapes, body by body, in the order of their lists. If eight bodies have one shape
    /// each, in eight consecutive slots, it first asks `visit`, with `true`, whether that takes all
    /// of them at once.
    #[inline(always)]
    fn for_each_shape(&self, mut visit: impl FnMut(u32, u32, bool) -> bool) {
        let mut body = 0;
        while let Some(row) = self.bodies.rows.get(body as usize) {
            let is_there = self.bodies.slots.tenant(body).is_some();
            let mut shape = if is_there { row.first_shape } else { NONE };
            if shape != NONE && visit(body, shape, true) {
                body += GROUP as u32;
                continue;
            }
            while shape != NONE {
                visit(body, shape, false);
                shape = self.shapes.links[shape as usize].next;
            }
            body += 1;
        }
    }

    /// Whether eight bodies have one shape each, in consecutive slots.
    #[inline(always)]
    fn have_one_shape_each(&self, body: u32, shape: u32) -> bool {
        let rows = self.bodies.rows.get(body as usize..).and_then(|rows| rows.first_chunk::<GROUP>());
        let links = self.shapes.links.get(shape as usize..).and_then(|links| links.first_chunk::<GROUP>());
        let (Some(rows), Some(links)) = (rows, links) else { return false };
        let is_next = |(row, shape): (&Body, u32)| row.first_shape == shape;
        self.bodies.slots.are_taken(body, GROUP)
            && rows.iter().zip(shape..).all(is_next)
            && links.iter().all(|links| links.next == NONE)
    }

    /// Writes shapes; returns whether any of them has an outline of its own.
    #[inline(never)]
    pub(super) fn tell_shapes(&self, sink: &mut impl Sink) -> bool {
        let materials = self.tell_traits(sink);
        let any = self.tell_forms(sink);
        sink.begin(&of::MATERIALS, materials);
        if materials > 0 {
            for (body, slot) in self.shapes_in_order() {
                for material in &self.shapes.colliders[slot as usize].traits.part_materials {
                    sink.row(body, &material.words());
                }
            }
        }
        tell_free(&self.shapes.slots, [&of::FREE_SHAPES, &of::RETIRED_SHAPES], sink);
        any
    }

    /// Writes all of shapes but their geometry; returns how many part materials they have.
    fn tell_traits(&self, sink: &mut impl Sink) -> usize {
        sink.begin(&of::SHAPES, self.shapes.slots.len());
        let (mut bodies, mut slots, mut materials) = (Steps::START, Steps::START, 0);
        let mut last: Option<([u32; 3], (u32, u32), &Collider)> = None;
        let all_like = |(body, slot): (u32, u32), last: Option<([u32; 3], (u32, u32), &Collider)>| {
            let Some(([1, generation, 1], at, last)) = last else { return false };
            let colliders = &self.shapes.colliders[slot as usize..];
            at == (body.wrapping_sub(1), slot.wrapping_sub(1))
                && self.have_one_shape_each(body, slot)
                && self.shapes.slots.are_of(generation, slot, GROUP)
                && colliders.iter().take(GROUP).all(|collider| collider.has_words_of(last))
        };
        self.for_each_shape(|body, slot, is_eight| {
            if is_eight {
                if sink.same_rows_left() < GROUP || !all_like((body, slot), last) {
                    return false;
                }
                sink.same_rows();
                let more = GROUP as u32 - 1;
                slots.to(slot + more);
                bodies.to(body + more);
                last = last.map(|(of_slot, _, collider)| (of_slot, (body + more, slot + more), collider));
                materials += last.map_or(0, |(.., collider)| GROUP * collider.traits.part_materials.len());
                return true;
            }
            let collider = &self.shapes.colliders[slot as usize];
            let of_slot = [slots.to(slot), self.shapes.slots.generation_at(slot), bodies.to(body)];
            let row = || {
                let mut row = [0; SHAPE];
                row[..3].copy_from_slice(&of_slot);
                row[3..].copy_from_slice(&collider.words());
                row
            };
            materials += collider.traits.part_materials.len();
            if last.is_some_and(|(before, _, last)| before == of_slot && collider.has_words_of(last)) {
                sink.same_row(body, row);
            } else {
                sink.row(body, &row());
            }
            last = Some((of_slot, (body, slot), collider));
            true
        });
        materials
    }

    /// Writes the geometry of shapes; returns whether any of them has an outline of its own.
    fn tell_forms(&self, sink: &mut impl Sink) -> bool {
        sink.begin(&of::FORMS, self.shapes.slots.len());
        let (mut last, mut any): (Option<&SharedShape>, _) = (None, false);
        self.for_each_shape(|body, slot, is_eight| {
            let shape = &self.shapes.colliders[slot as usize].shape;
            if is_eight {
                let colliders = &self.shapes.colliders[slot as usize..];
                let all_like = |last| colliders.iter().take(GROUP).all(|collider| collider.shape.is(last));
                let is_run = sink.same_rows_left() == GROUP
                    && last.is_some_and(all_like)
                    && self.have_one_shape_each(body, slot);
                if is_run {
                    sink.same_rows();
                }
                return is_run;
            }
            let row = || Put::row(|put| shape.put(put));
            // Equal forms are mostly kept in one place.
            if last.is_some_and(|last| shape.is(last)) {
                sink.same_row::<FORM>(body, row);
            } else {
                sink.row::<FORM>(body, &row());
                any |= shape.stamp().is_some();
            }
            last = Some(shape);
            true
        });
        any
    }
}
