//! Events: touches that began and ended, and hits, read from the contacts of a step.
//!
//! In: contacts before and after the step, impulses. Out: sorted lists of begun and ended touches,
//! visits to sensors, hits, bodies that slept and woke.
//!
//! `sensors.rs`: visits. `welds.rs`: welds by touch.

mod sensors;
mod welds;

use crate::body::ShapeId;
use crate::broadphase::Pair;
use crate::contact::flag;
use crate::contact::pair_map::PairMap;
use crate::event::{Hit, Touch};
use crate::world::World;

impl World {
    /// Notes touches that began and ended, and hits.
    pub(crate) fn report(&mut self) {
        let mut unsure = core::mem::take(&mut self.events.candidates);
        for contact in unsure.drain(..) {
            let link = &self.contacts.link[contact as usize];
            if !self.contacts.is_active(contact) {
                // A joint that broke since has ended it, or its bodies sleep.
                continue;
            }
            let flags = link.flags;
            let met = self.meets(contact);
            if met != (flags & flag::WAS_TOUCHING != 0) {
                self.contacts.set(contact, flag::WAS_TOUCHING, met);
                self.contacts.set(contact, flag::MET, met);
                let (touch, _) = self.touch_of(contact);
                if met { self.events.next.begun.push(touch) } else { self.events.next.ended.push(touch) }
            }
        }
        self.events.candidates = unsure;
        self.step.contacts_before = self.step.stats.contacts;
        self.sense();
        self.note_hits();
        self.weld_touched();
    }

    /// Whether two surfaces touch: there was an impulse between them, or the gap is closed. A touch
    /// ends only at a gap that resting contacts never have (hysteresis).
    fn meets(&self, contact: u32) -> bool {
        let link = &self.contacts.link[contact as usize];
        let (row, impulse) =
            (&self.contacts.manifold[contact as usize], &self.contacts.impulse[contact as usize]);
        if link.count == 0 {
            return false;
        }
        let (gap, near) = (row.separation(link.count), self.tuning.margins.near_gap);
        impulse.total > 0.0 || gap <= if link.flags & flag::WAS_TOUCHING != 0 { near } else { 0.0 }
    }

    /// The two shapes that touch, the one with the lower index first; and whether they are swapped
    /// compared with the contact.
    #[inline]
    pub(crate) fn touch_of(&self, contact: u32) -> (Touch, bool) {
        let pair = self.contacts.pair[contact as usize];
        let (a, b) = (&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]);
        let swapped = a.shape > b.shape;
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let touch = Touch {
            a: self.shape_id(a.shape),
            b: self.shape_id(b.shape),
            body_a: self.body_id(a.body),
            body_b: self.body_id(b.body),
        };
        (touch, swapped)
    }

    /// Events of contacts that ended between two steps. They come before anything that begins in
    /// the next step, as their slots may be used again.
    pub(crate) fn merge_late_ends(&mut self) {
        self.merge_ends();
        core::mem::swap(&mut self.events.late.ended, &mut self.events.next.ended);
        core::mem::swap(&mut self.events.late.left, &mut self.events.next.left);
    }

    /// For shapes of several parts, only the first contact begins a touch and only the last one
    /// ends it. Beginnings count before ends: moving from one part to the next is no end.
    fn merge_parts(&mut self) {
        if self.events.next.is_empty() && self.events.late.is_empty() && self.events.welded.is_empty() {
            return;
        }
        let (touches, visits) = (&mut self.events.touch_counts, &mut self.events.visit_counts);
        self.events.next.sort(&mut self.events.sorter);
        let colliders = &self.shapes.colliders;
        let has_parts = |key: Pair| [key.a, key.b].iter().any(|&shape| colliders[shape as usize].has_parts());
        self.events.next.begun.retain(|t| {
            let key = key(t.a, t.b);
            !has_parts(key) || touches.count_up(key) == 1
        });
        self.events.next.entered.retain(|v| visits.count_up(key(v.sensor, v.visitor)) == 1);
        for touch in self.events.welded.drain(..) {
            self.events.touch_counts.count_down(key(touch.a, touch.b));
        }
        self.merge_ends();
        self.events.next.add_ends(&mut self.events.late);
    }

    fn merge_ends(&mut self) {
        let (touches, visits) = (&mut self.events.touch_counts, &mut self.events.visit_counts);
        self.events.next.ended.retain(|t| touches.count_down(key(t.a, t.b)) == 0);
        self.events.next.left.retain(|v| visits.count_down(key(v.sensor, v.visitor)) == 0);
    }

    /// Counts a touch that came or goes together with its shapes (a piece that is pasted or cut);
    /// there is no event for it. A touch of two shapes of one part each is not counted: there is at
    /// most one, and its contact says whether there is.
    pub(crate) fn count_touch(&mut self, contact: u32, comes: bool) {
        let count = |counts: &mut PairMap, pair: Pair| {
            if comes {
                counts.count_up(pair)
            } else {
                counts.count_down(pair)
            };
        };
        let pair = self.contacts.pair[contact as usize];
        let [a, b] = [pair.a, pair.b].map(|part| self.shapes.proxies.rows[part as usize]);
        if !self.contacts.has(contact, flag::SENSOR) {
            let (low, high) = if a.shape < b.shape { (a.shape, b.shape) } else { (b.shape, a.shape) };
            let has_parts = |shape: u32| self.shapes.colliders[shape as usize].has_parts();
            if !comes || has_parts(low) || has_parts(high) {
                count(&mut self.events.touch_counts, Pair { a: low, b: high });
            }
            return;
        }
        for (sensor, visitor) in [(a, b), (b, a)] {
            if sensor.sensor {
                count(&mut self.events.visit_counts, Pair { a: sensor.shape, b: visitor.shape });
            }
        }
    }

    /// Notes the end of a touch for a contact that is about to be removed.
    pub(crate) fn note_end(&mut self, contact: u32) {
        if !self.contacts.has(contact, flag::WAS_TOUCHING) {
            return;
        }
        if self.contacts.has(contact, flag::SENSOR) {
            self.note_exit(contact);
        } else {
            let (touch, _) = self.touch_of(contact);
            self.events.next.ended.push(touch);
        }
    }

    fn note_hits(&mut self) {
        let mut hits = core::mem::take(&mut self.events.next.hits);
        self.solver.for_hits(self.def.hit_speed, |contact, speed, impulse| {
            let row = &self.contacts.manifold[contact as usize];
            let link = &self.contacts.link[contact as usize];
            let (Touch { a, b, body_a, body_b }, swapped) = self.touch_of(contact);
            let normal = row.normal * if swapped { -1.0 } else { 1.0 };
            let gap = crate::math::max(row.points[0].separation, 0.0);
            let time = crate::math::min(gap / (speed * self.step.dt), 1.0);
            // The point is given from A's centre at that time.
            let moved = self.displacement_of(link.body_a);
            let back = glam::Vec2::new(moved[0], moved[1]) * (time - 1.0);
            let center = self.bodies.rows[link.body_a as usize].center_point().offset_within(back);
            let point = center.offset_within(row.points[0].at);
            hits.push(Hit { a, b, body_a, body_b, point, normal, speed, impulse, time });
        });
        self.events.next.hits = hits;
    }

    /// Sorts the events, and counts the step.
    pub(crate) fn finish_events(&mut self) {
        let mut woken = core::mem::take(&mut self.islands.woken);
        woken.retain(|&slot| self.bodies.slots.tenant(slot).is_some());
        let mut ids = core::mem::take(&mut self.events.next.woken);
        ids.extend(woken.iter().map(|&slot| self.body_id(slot)));
        self.events.next.woken = ids;
        woken.clear();
        self.islands.woken = woken;
        self.merge_parts();
        core::mem::swap(&mut self.events.now, &mut self.events.next);
        self.events.next.clear();
        self.step.number += 1;
    }
}

/// Key under which the touches of two shapes are counted.
pub(crate) fn key(a: ShapeId, b: ShapeId) -> Pair {
    Pair { a: a.index() as u32, b: b.index() as u32 }
}
