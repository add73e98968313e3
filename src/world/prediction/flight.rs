//! A step of bodies that are near no others: only the parts of the stages that act on them.
//!
//! In: a world of a few bodies whose boxes do not overlap. Out: the world after a step, as
//! [`World::step`] would have left it. A full step takes at least a microsecond; this one a tenth
//! of it.

use crate::math::{max, min};
use crate::solver::integrate_alone;
use crate::step::begin::gather::{Beginning, begin_one};
use crate::step::finish::bodies::{Deferred, Ending, Parts, put_back_one};
use crate::step::speed_limit::max_spin;
use crate::threads::Team;
use crate::world::World;
use crate::world::store::shapes::ShapeStore;

impl World {
    /// Whether a step of `dt` only moves bodies, as long as no boxes overlap.
    pub(super) fn may_coast(&self, dt: f32) -> bool {
        let h = dt / self.def.sub_steps as f32;
        let rests = self.bodies.awake.is_empty();
        h > 0.0
            && h == self.step.h
            && dt <= self.step.dt
            && self.dirty.boxes.is_empty()
            && self.areas.list.is_empty()
            && self.tiles.is_settled()
            && self.islands.parked.is_empty()
            && self.islands.woken_contacts.is_empty()
            && self.contacts.active.len() == 0
            && self.contacts.apart.lists().iter().all(|list| list.is_empty())
            && self.islands.told_to_sleep.is_empty()
            && (rests || self.joints.slots.is_empty())
    }

    /// Steps bodies without contacts by `dt`.
    pub(super) fn coast(&mut self, dt: f32) {
        let sub_steps = self.def.sub_steps;
        let h = dt / sub_steps as f32;
        let (max_speed, max_spin) = (self.def.max_speed_in(dt), max_spin(h));
        let (continuous, sleep_speed) = (self.def.continuous, self.def.sleep_speed);
        let (span, period) = (self.def.span(), self.def.period());
        let ending = Ending { dt, max_speed, max_spin, continuous, sleep_speed, span, period };
        (self.dirty.regions, self.step.any_far) = (false, false);
        if self.columns.moved.len() != self.bodies.awake.len() + 1 {
            self.columns.resize(self.bodies.awake.len());
        }
        self.shapes.proxies.reuse_retired();
        self.feel_own_laws(dt);
        let mut left = self.scratch.left.pop().unwrap_or_default();
        for index in 0..self.bodies.awake.len() {
            let slot = self.bodies.awake[index];
            let beginning = Beginning { gravity: self.gravity_at(slot), h, max_speed, max_spin };
            let rows = begin_one(&mut self.bodies.rows[slot as usize], &beginning);
            let (velocity, moved) = integrate_alone(rows, h, sub_steps);
            self.columns.moved[index + 1] = moved;
            self.end_flight(slot, (velocity, moved), &ending, &mut left);
        }
        self.clean_up(&mut left);
        self.scratch.left.push(left);
        self.keep_own_speeds();
        self.quarantine();
        if self.continuous_is_due() {
            self.ccd(&Team::ALONE, dt, None);
        }
        self.step.contacts_before = 0;
        self.sleep();
        self.freeze();
        self.finish_events();
    }

    fn end_flight(&mut self, slot: u32, ways: ([f32; 4], [f32; 4]), ending: &Ending, left: &mut Deferred) {
        let params = self.sweep_params();
        let World { bodies, shapes, grid, .. } = self;
        let body = &mut bodies.rows[slot as usize];
        if put_back_one(body, slot, ways, ending, left) {
            let ShapeStore { proxies, colliders, links, .. } = shapes;
            Parts::new(proxies, (colliders, links), grid, params).place(body, &mut left.boxes);
        }
    }

    /// Whether continuous collision must run; lists the bodies that were cut short before.
    fn continuous_is_due(&mut self) -> bool {
        let looks = self.def.continuous && self.step.any_far;
        if looks && self.scratch.ccd.strays.is_empty() {
            self.note_cut_before();
            return false;
        }
        looks
    }
}

/// Upper bound of a body's displacement in a step, in metres: by its speed, with a margin.
pub(super) fn reach_of(speed: f32, dt: f32, unit: f32) -> f32 {
    min(max(2.0 * speed * dt, 0.1 * unit), 1.0e9)
}
