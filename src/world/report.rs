//! Events: what the step's contacts say.
//!
//! In: contacts before and after the step, impulses. Out: sorted lists of begun and ended touches, visits to sensors, hits,
//! bodies that slept and woke.

use super::World;
use crate::contact::flag;
use crate::event::{Hit, Touch};
use crate::tuning::{HIT_SPEED, NEAR_GAP};

impl World {
    /// Notes what began, ended and struck.
    pub(crate) fn report(&mut self) {
        self.stats.contacts = 0;
        for index in 0..self.contacts.active.len() {
            let contact = self.contacts.active[index];
            let flags = self.contacts.link[contact as usize].flags;
            if flags & (flag::TOUCHING | flag::WAS_TOUCHING) == 0 || flags & flag::SENSOR != 0 {
                continue;
            }
            self.stats.contacts += usize::from(flags & flag::TOUCHING != 0);
            let met = self.meets(contact);
            if met != (flags & flag::WAS_TOUCHING != 0) {
                self.contacts.set(contact, flag::WAS_TOUCHING, met);
                self.contacts.set(contact, flag::MET, met);
                let touch = self.touch_of(contact);
                if met { self.events.begun.push(touch) } else { self.events.ended.push(touch) }
            }
        }
        self.contacts_before = self.stats.contacts;
        self.sense();
        self.note_hits();
        self.weld_touched();
    }

    /// Whether two surfaces touch: something passed between them, or the gap is closed. They part at a gap that
    /// resting contacts never have.
    fn meets(&self, contact: u32) -> bool {
        let link = &self.contacts.link[contact as usize];
        let (row, impulse) =
            (&self.contacts.manifold[contact as usize], &self.contacts.impulse[contact as usize]);
        if link.count == 0 {
            return false;
        }
        let second = if link.count == 2 { row[7] } else { row[4] };
        let gap = crate::math::min(row[4], second);
        impulse[7] > 0.0 || gap <= if link.flags & flag::WAS_TOUCHING != 0 { NEAR_GAP } else { 0.0 }
    }

    pub(crate) fn touch_of(&self, contact: u32) -> Touch {
        let pair = self.contacts.pair[contact as usize];
        let (a, b) = (self.proxies.rows[pair.a as usize], self.proxies.rows[pair.b as usize]);
        Touch {
            a: self.shape_id(a.shape),
            b: self.shape_id(b.shape),
            body_a: self.body_id(a.body),
            body_b: self.body_id(b.body),
        }
    }

    /// A contact that is about to go: if it touched, that ends.
    pub(crate) fn note_end(&mut self, contact: u32) {
        if !self.contacts.has(contact, flag::WAS_TOUCHING) {
            return;
        }
        if self.contacts.has(contact, flag::SENSOR) {
            self.note_exit(contact);
        } else {
            let touch = self.touch_of(contact);
            self.events.ended.push(touch);
        }
    }

    fn note_hits(&mut self) {
        let mut hits = core::mem::take(&mut self.events.hits);
        self.solver.for_hits(HIT_SPEED, |contact, speed, impulse| {
            let row = &self.contacts.manifold[contact as usize];
            let link = &self.contacts.link[contact as usize];
            let Touch { a, b, body_a, body_b } = self.touch_of(contact);
            let normal = glam::Vec2::new(row[0], row[1]);
            let center = self.bodies[link.body_a as usize].world_center();
            let point = center.offset(glam::Vec2::new(row[2], row[3]));
            let gap = crate::math::max(row[4], 0.0);
            let time = crate::math::min(gap / (speed * self.last_dt), 1.0);
            hits.push(Hit { a, b, body_a, body_b, point, normal, speed, impulse, time });
        });
        self.events.hits = hits;
    }

    /// Sorts the events, and counts the step.
    pub(crate) fn finish(&mut self) {
        let mut woken = core::mem::take(&mut self.sleep.woken);
        woken.retain(|&slot| self.body_slots.tenant(slot).is_some());
        let mut ids = core::mem::take(&mut self.events.woken);
        ids.extend(woken.iter().map(|&slot| self.body_id(slot)));
        self.events.woken = ids;
        woken.clear();
        self.sleep.woken = woken;
        self.events.sort();
        self.steps += 1;
    }
}
