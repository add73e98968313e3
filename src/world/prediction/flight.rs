//! A step in which nothing is near a body: what each stage would do to it, and no more.
//!
//! In: a world of a few bodies, of whose boxes none overlaps any other. Out: the same world a step
//! on, as [`World::step`] would have left it. That takes a microsecond however little there is to
//! do; this a tenth of it.

use crate::math::{max, min};
use crate::solver::integrate_alone;
use crate::threads::Team;
use crate::world::World;
use crate::world::finish::bodies::{Beginning, Ending, Left, Parts, begin_one, max_spin, put_back_one};

impl World {
    /// Whether a step of `dt` has nothing to do but to move bodies, as long as no boxes overlap.
    pub(super) fn may_coast(&self, dt: f32) -> bool {
        let h = dt / self.def.sub_steps as f32;
        let rests = self.awake.is_empty();
        h > 0.0
            && h == self.last_h
            && dt <= self.last_dt
            && self.changed.is_empty()
            && self.areas.list.is_empty()
            && self.contacts.active.len() == 0
            && self.contacts.apart.lists().iter().all(|list| list.is_empty())
            && self.sleep.to_bed.is_empty()
            && (rests || self.joint_slots.is_empty())
    }

    /// A step of `dt` of bodies that touch nothing.
    pub(super) fn coast(&mut self, dt: f32) {
        let sub_steps = self.def.sub_steps;
        let h = dt / sub_steps as f32;
        let (max_speed, max_spin) = (self.def.max_speed, max_spin(h));
        let (continuous, sleep_speed) = (self.def.continuous, self.def.sleep_speed);
        let ending = Ending { dt, max_speed, max_spin, continuous, sleep_speed, span: self.def.span() };
        (self.regions_changed, self.any_far) = (false, false);
        if self.columns.moved.len() != self.awake.len() + 1 {
            self.columns.resize(self.awake.len());
        }
        self.proxies.reuse_retired();
        self.feel_own_laws(dt);
        let mut left = self.left.pop().unwrap_or_default();
        for index in 0..self.awake.len() {
            let slot = self.awake[index];
            let beginning = Beginning { gravity: self.gravity_at(slot), h, max_speed, max_spin };
            let rows = begin_one(&mut self.bodies[slot as usize], &beginning);
            let (velocity, moved) = integrate_alone(rows, h, sub_steps);
            self.columns.moved[index + 1] = moved;
            self.end_flight(slot, (velocity, moved), &ending, &mut left);
        }
        self.clean_up(&mut left);
        self.left.push(left);
        self.keep_own_speeds();
        self.blame();
        if self.continuous_is_due() {
            self.ccd(&Team::ALONE, dt);
        }
        self.contacts_before = 0;
        self.sleep();
        self.freeze();
        self.finish_events();
    }

    fn end_flight(&mut self, slot: u32, ways: ([f32; 4], [f32; 4]), ending: &Ending, left: &mut Left) {
        let law = self.sweep_params();
        let World { bodies, proxies, colliders, shape_links, grid, .. } = self;
        let body = &mut bodies[slot as usize];
        if put_back_one(body, slot, ways, ending, left) {
            Parts::new(proxies, (colliders, shape_links), grid, law).place(body, &mut left.boxes);
        }
    }

    /// Whether continuous collision has anything to look at; notes who was cut short before.
    fn continuous_is_due(&mut self) -> bool {
        let looks = self.def.continuous && self.any_far;
        if looks && self.collide.strays.is_empty() {
            self.note_cut_before();
            return false;
        }
        looks
    }
}

/// How far a body may get in a step, whatever happens to it, in metres: as fast as it is, and some
/// more.
pub(super) fn reach_of(speed: f32, dt: f32, unit: f32) -> f32 {
    min(max(2.0 * speed * dt, 0.1 * unit), 1.0e9)
}
