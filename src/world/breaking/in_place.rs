//! Changes of a fixed body's shapes that leave unchanged parts alone.
//!
//! In: a shape in the grid, and the changes of its parts. Out: unchanged parts in the grid with the
//! same contacts, under new indices or in several shapes; only cut parts are removed, and wake
//! bodies that touch them. A fixed body may have thousands of parts, and carry a whole level.

use super::pieces::as_one;
use super::subtract::{Change, density_of};
use crate::body::{Collider, NONE, ShapeDef, Weight};
use crate::contact::flag;
use crate::error::Error;
use crate::world::World;

impl World {
    /// The proxies of a shape, by index of the part.
    fn proxies_by_part(&self, shape: u32) -> Vec<u32> {
        let mut proxies = vec![NONE; self.shapes.colliders[shape as usize].shape.piece_count()];
        for proxy in self.proxies_of(shape) {
            proxies[self.shapes.proxies.rows[proxy as usize].part as usize] = proxy;
        }
        proxies
    }

    /// Splits a shape into several, each of some of its parts, given by index. Nothing wakes, and
    /// touches go on without events.
    pub(super) fn part_in_place(&mut self, old: u32, chunks: Vec<(ShapeDef, Vec<u32>)>) -> Result<(), Error> {
        self.check_room_for_piece([0, chunks.len(), 0, 0])?;
        let body = self.shapes.colliders[old as usize].body;
        let proxies = self.proxies_by_part(old);
        let touches = |contact: &u32| self.contacts.has(*contact, flag::WAS_TOUCHING);
        let touching: Vec<u32> = self.contacts_of(old).into_iter().filter(touches).collect();
        touching.iter().for_each(|&contact| self.count_touch(contact, false));
        self.note_left(old);
        let mut last =
            self.shape_slots_from(self.bodies.rows[body as usize].first_shape).last().unwrap_or(old);
        for (def, parts) in chunks {
            last = self.attach_behind(last, body, Collider::new(def, body));
            let known: Vec<u32> = parts.iter().map(|&part| proxies[part as usize]).collect();
            self.lay_parts(last, &known);
            self.note_entered(last);
        }
        touching.iter().for_each(|&contact| self.count_touch(contact, true));
        self.shapes.links[old as usize].first_proxy = NONE;
        self.unlink_shape(old);
        self.shapes.slots.release(old);
        self.note_sole_part(body);
        self.weigh(body);
        Ok(())
    }

    /// Applies a change to a shape in the grid. Bodies that touch a changed part wake.
    pub(super) fn change_in_place(&mut self, change: Change) {
        let shape = change.shape.index() as u32;
        let proxies = self.proxies_by_part(shape);
        let known: Vec<u32> = change
            .parts
            .iter()
            .map(|left| if left.is_whole { proxies[left.of as usize] } else { NONE })
            .collect();
        let gone: Vec<u32> = proxies.iter().copied().filter(|proxy| !known.contains(proxy)).collect();
        self.clear_parts(&gone);
        let numbers: Vec<u32> = change.parts.iter().map(|left| left.of).collect();
        let Some(form) = as_one(change.parts.into_iter().map(|left| left.form).collect()) else {
            self.note_left(shape);
            self.shapes.links[shape as usize].first_proxy = NONE;
            self.drop_shape(shape);
            return;
        };
        self.reform_in_place(shape, &known, |collider| {
            let has_own = !collider.traits.part_materials.is_empty();
            let own = numbers.iter().filter(|_| has_own);
            let part_materials = own.map(|&part| *collider.material_of(part as usize)).collect();
            let weight = Weight::Density(density_of(collider));
            let traits = collider.traits.make_mut();
            (traits.part_materials, traits.weight) = (part_materials, weight);
            collider.shape = form.into();
        });
    }
}
