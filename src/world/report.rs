//! Events: what the step's contacts say.
//!
//! In: contacts before and after the step, impulses. Out: sorted lists of begun and ended touches, visits to sensors, hits,
//! bodies that slept and woke.

use super::World;
use crate::contact::flag;
use crate::event::{Hit, SensorEvent, Touch};
use crate::tuning::{HIT_SPEED, NEAR_GAP};

impl World {
    /// Notes what began, ended and struck.
    pub(crate) fn report(&mut self) {
        self.stats.contacts = 0;
        for index in 0..self.contacts.active.len() {
            let contact = self.contacts.active[index];
            let flags = self.contacts.link[contact as usize].flags;
            if flags & (flag::TOUCHING | flag::WAS_TOUCHING | flag::SENSOR) == 0 {
                continue;
            }
            self.stats.contacts += usize::from(flags & flag::TOUCHING != 0);
            let met = if flags & flag::SENSOR != 0 { flags & flag::MET != 0 } else { self.meets(contact) };
            if met != (flags & flag::WAS_TOUCHING != 0) {
                self.contacts.set(contact, flag::WAS_TOUCHING, met);
                self.contacts.set(contact, flag::MET, met);
                if met { self.note_begin(contact) } else { self.note_parting(contact) }
            }
        }
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

    fn touch_of(&self, contact: u32) -> Touch {
        let pair = self.contacts.pair[contact as usize];
        let (a, b) = (self.proxies.rows[pair.a as usize], self.proxies.rows[pair.b as usize]);
        Touch {
            a: self.shape_id(a.shape),
            b: self.shape_id(b.shape),
            body_a: self.body_id(a.body),
            body_b: self.body_id(b.body),
        }
    }

    fn note_begin(&mut self, contact: u32) {
        let touch = self.touch_of(contact);
        if !self.contacts.has(contact, flag::SENSOR) {
            self.events.begun.push(touch);
            return;
        }
        self.visits(contact, touch).into_iter().flatten().for_each(|visit| self.events.entered.push(visit));
    }

    fn note_parting(&mut self, contact: u32) {
        let touch = self.touch_of(contact);
        if !self.contacts.has(contact, flag::SENSOR) {
            self.events.ended.push(touch);
            return;
        }
        self.visits(contact, touch).into_iter().flatten().for_each(|visit| self.events.left.push(visit));
    }

    /// A contact that is about to go: if it touched, that ends.
    pub(crate) fn note_end(&mut self, contact: u32) {
        if self.contacts.has(contact, flag::WAS_TOUCHING) {
            self.note_parting(contact);
        }
    }

    /// One visit, or two if both are sensors.
    fn visits(&self, contact: u32, touch: Touch) -> [Option<SensorEvent>; 2] {
        let pair = self.contacts.pair[contact as usize];
        let visit = |of_a: bool| {
            let sensor = self.proxies.rows[if of_a { pair.a } else { pair.b } as usize].sensor;
            let Touch { a, b, body_a, body_b } = touch;
            let (sensor_id, visitor, sensor_body, visitor_body) =
                if of_a { (a, b, body_a, body_b) } else { (b, a, body_b, body_a) };
            sensor.then_some(SensorEvent { sensor: sensor_id, visitor, sensor_body, visitor_body, time: 1.0 })
        };
        [visit(true), visit(false)]
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
