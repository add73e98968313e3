//! Sleep: islands of bodies that touch each other, or are joined, fall asleep and wake as a whole.
//!
//! In: how long each body has been slow (its sleep timer), and the touching contacts. Out: fewer
//! awake bodies. Islands are found by union-find every few steps, and only if some body has rested
//! long enough; no data is kept for them in between.
//!
//! A sleeping island is a list of its bodies and of the contacts between them, which keep their
//! impulses.
//!
//! `joints.rs`: joints as island edges. `members.rs`: the lists of sleeping islands.

pub(crate) mod joints;
mod members;

use crate::body::{Body, NONE, flag as body_flag};
use crate::broadphase::{Activity, Pair};
use crate::contact::flag;
use crate::tuning::SLEEP_INTERVAL;
use crate::util::UnionFind;
use crate::util::trim::{release, trim};
use crate::world::World;
use members::{MemberLists, Members};

/// A sleeping island.
#[derive(Clone, Copy, Debug, Default)]
struct Island {
    bodies: Members,
    contacts: Members,
}

/// Sleeping islands, bodies that are to sleep, bodies and contacts that woke; and scratch memory.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    list: Vec<Island>,
    members: MemberLists,
    free: Vec<u32>,
    /// Bodies that are to sleep after the next step, whatever their speed.
    pub(crate) told_to_sleep: Vec<u32>,
    /// Contacts that woke since the grid last looked for pairs.
    pub(crate) woken_contacts: Vec<u32>,
    /// Pairs whose contacts ended with sleep since then.
    pub(crate) parked: Vec<Pair>,
    /// Bodies that woke since the last step ended.
    pub(crate) woken: Vec<u32>,
    /// Union-find of rows that touch or are joined.
    groups: UnionFind,
    /// Per root: the shortest sleep timer of the island.
    rested: Vec<f32>,
    /// Joints with a sleeping body at one end, as of the last time joints were laid out.
    pub(crate) pulled: Vec<u32>,
    /// Rows that joints keep together, and rows that may not sleep.
    jointed: Vec<(u32, u32)>,
    restless: Vec<u32>,
    /// Per root: the island that it became.
    numbers: Vec<u32>,
}

crate::state::clone_by_field! { Islands { list, members, free, told_to_sleep, woken_contacts, parked, woken, pulled } kept { groups, rested, jointed, restless, numbers } }

impl Islands {
    /// Removes a body that leaves the world from the lists: its slot may belong to another one by
    /// the next step.
    pub(crate) fn forget(&mut self, slot: u32) {
        self.forget_all(|other| other == slot);
    }

    /// Removes many bodies that leave the world from the lists.
    pub(crate) fn forget_all(&mut self, leaves: impl Fn(u32) -> bool) {
        self.told_to_sleep.retain(|&slot| !leaves(slot));
        self.woken.retain(|&slot| !leaves(slot));
    }

    /// The free list of islands; the last one is used next.
    pub(crate) fn free_islands(&self) -> &[u32] {
        &self.free
    }

    /// The free list of islands, mutable, to be restored.
    pub(crate) fn free_islands_mut(&mut self) -> &mut Vec<u32> {
        &mut self.free
    }

    /// Resets all lists: no body sleeps, nor is about to.
    pub(crate) fn begin_anew(&mut self) {
        self.list.fill(Island::default());
        self.members.clear_all();
        self.free.clear();
        self.free.extend((0..self.list.len() as u32).rev());
        for list in [&mut self.told_to_sleep, &mut self.woken_contacts, &mut self.woken, &mut self.pulled] {
            list.clear();
        }
        self.parked.clear();
    }

    pub(crate) fn new_island(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.list.push(Island::default());
            self.list.len() as u32 - 1
        })
    }

    /// Makes `count` islands without members, and none besides; no island is free.
    pub(crate) fn reset(&mut self, count: usize) {
        self.list.clear();
        self.list.reserve_exact(count);
        self.list.resize(count, Island::default());
        self.members.clear_all();
        self.free.clear();
    }

    /// How many islands there are, free ones included.
    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// The bodies of an island, in the order in which they fell asleep.
    pub(crate) fn bodies_of(&self, island: u32) -> &[u32] {
        self.members.of(&self.list[island as usize].bodies)
    }

    /// The contacts that an island keeps.
    pub(crate) fn contacts_of(&self, island: u32) -> &[u32] {
        self.members.of(&self.list[island as usize].contacts)
    }

    /// The bodies of all islands, one island after the other.
    pub(crate) fn all_bodies(&self) -> impl Iterator<Item = u32> {
        self.list.iter().flat_map(|island| self.members.of(&island.bodies)).copied()
    }

    /// The contacts of all islands, one island after the other.
    pub(crate) fn all_contacts(&self) -> impl Iterator<Item = u32> {
        self.list.iter().flat_map(|island| self.members.of(&island.contacts)).copied()
    }

    /// How many bodies and contacts the islands have, one after the other.
    pub(crate) fn counts(&self) -> impl ExactSizeIterator<Item = [usize; 2]> {
        self.list.iter().map(|island| [island.bodies.len(), island.contacts.len()])
    }

    pub(crate) fn push_body(&mut self, island: u32, body: u32) {
        self.members.push(&mut self.list[island as usize].bodies, body);
    }

    pub(crate) fn push_contact(&mut self, island: u32, contact: u32) {
        self.members.push(&mut self.list[island as usize].contacts, contact);
    }

    /// Removes the members of an island, and frees it.
    pub(crate) fn dissolve(&mut self, island: u32) {
        let Island { bodies, contacts } = &mut self.list[island as usize];
        self.members.clear(bodies);
        self.members.clear(contacts);
        self.free.push(island);
    }

    /// Frees memory that is needed only while much is awake.
    pub(crate) fn trim(&mut self) {
        // A search makes these anew.
        self.groups.release();
        release(&mut self.rested);
        release(&mut self.numbers);
        trim(&mut self.jointed);
        trim(&mut self.restless);
        let lists = [&mut self.told_to_sleep, &mut self.woken_contacts, &mut self.woken, &mut self.pulled];
        lists.into_iter().for_each(trim);
        trim(&mut self.parked);
    }
}

impl World {
    /// Puts islands to sleep that have rested long enough.
    pub(crate) fn sleep(&mut self) {
        self.sleep_as_told();
        // In a step of no length sleep timers stand still, and gaps of joints are unknown.
        let asked = self.def.sleep && self.step.h > 0.0 && self.step.number.is_multiple_of(SLEEP_INTERVAL);
        let long = self.def.sleep_time;
        let rests = |slot: &u32| self.bodies.rows[*slot as usize].sleep_time >= long;
        if !asked || !self.bodies.awake.iter().any(rests) {
            return;
        }
        self.find_islands();
        let rested = |row: usize, islands: &mut Islands| {
            let root = islands.groups.root(row as u32 + 1);
            islands.rested[root as usize]
        };
        let resting: Vec<u32> = (0..self.bodies.awake.len())
            .filter(|&index| rested(index, &mut self.islands) >= long)
            .map(|index| self.bodies.awake[index])
            .collect();
        self.put_islands_to_sleep(&resting);
    }

    /// Puts bodies that were told to sleep to sleep, with their present island.
    fn sleep_as_told(&mut self) {
        if self.islands.told_to_sleep.is_empty() {
            return;
        }
        let mut told = core::mem::take(&mut self.islands.told_to_sleep);
        told.sort_unstable();
        told.dedup();
        told.retain(|&slot| {
            self.bodies.slots.tenant(slot).is_some() && self.bodies.rows[slot as usize].is_awake()
        });
        self.find_islands();
        self.put_islands_to_sleep(&told);
        told.clear();
        self.islands.told_to_sleep = told;
    }

    /// Joins the rows of all awake bodies that touch.
    fn find_islands(&mut self) {
        let rows = self.bodies.awake.len() as u32 + 1;
        self.islands.groups.reset(rows as usize);
        for contact in self.contacts.active.iter() {
            let link = self.contacts.link[contact as usize];
            let solid = link.flags & flag::TOUCHING != 0 && link.flags & flag::SENSOR == 0;
            let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
            if solid && dynamic(link.body_a) && dynamic(link.body_b) {
                let row = |slot: u32| self.bodies.solver_rows[slot as usize];
                self.islands.groups.join(row(link.body_a), row(link.body_b));
            }
        }
        let mut jointed = core::mem::take(&mut self.islands.jointed);
        let mut restless = core::mem::take(&mut self.islands.restless);
        self.find_jointed(&mut jointed, &mut restless);
        jointed.iter().for_each(|&(a, b)| self.islands.groups.join(a, b));
        self.islands.rested.clear();
        self.islands.rested.resize(rows as usize, f32::INFINITY);
        self.step.stats.islands = 0;
        for index in 0..self.bodies.awake.len() {
            let row = index as u32 + 1;
            let root = self.islands.groups.root(row);
            self.step.stats.islands += usize::from(root == row);
            let rested = self.bodies.rows[self.bodies.awake[index] as usize].sleep_time;
            let least = &mut self.islands.rested[root as usize];
            *least = crate::math::min(*least, rested);
        }
        for &row in &restless {
            let root = self.islands.groups.root(row);
            self.islands.rested[root as usize] = 0.0;
        }
        (self.islands.jointed, self.islands.restless) = (jointed, restless);
    }

    /// Puts bodies to sleep, by the islands that were just found.
    fn put_islands_to_sleep(&mut self, slots: &[u32]) {
        self.islands.numbers.clear();
        self.islands.numbers.resize(self.bodies.awake.len() + 1, NONE);
        for &slot in slots {
            let root = self.islands.groups.root(self.bodies.solver_rows[slot as usize]) as usize;
            if self.islands.numbers[root] == NONE {
                self.islands.numbers[root] = self.islands.new_island();
            }
            let island = self.islands.numbers[root];
            self.bodies.rows[slot as usize].island = island;
            self.islands.push_body(island, slot);
        }
        self.park_contacts();
        for &slot in slots {
            self.pop_awake(slot);
            let body = &mut self.bodies.rows[slot as usize];
            (body.linear_velocity, body.angular_velocity) = (glam::Vec2::ZERO, 0.0);
            self.events.next.slept.push(self.body_id(slot));
            self.set_activity(slot, Activity::Resting);
        }
    }

    /// Contacts of bodies that fall asleep: touching ones are kept with the island, others end.
    fn park_contacts(&mut self) {
        let mut from = 0;
        while let Some(contact) = self.contacts.active.next_from(from) {
            from = contact + 1;
            let link = self.contacts.link[contact as usize];
            let (a, b) = (&self.bodies.rows[link.body_a as usize], &self.bodies.rows[link.body_b as usize]);
            let island = if a.island != NONE { a.island } else { b.island };
            let awake = |body: &Body| body.is_awake() && body.island == NONE;
            if island == NONE || awake(a) || awake(b) {
                continue;
            }
            if link.flags & (flag::TOUCHING | flag::MET) != 0 {
                self.contacts.deactivate(contact);
                // A contact between two islands is listed in both: the island that wakes first
                // takes it along.
                let both = [a.island, b.island];
                for &island in if both[0] == both[1] { &both[..1] } else { &both[..] } {
                    if island != NONE {
                        self.islands.push_contact(island, contact);
                    }
                }
            } else {
                self.islands.parked.push(self.contacts.pair[contact as usize]);
                self.end_contact(contact);
            }
        }
        self.dirty.colouring = true;
    }

    /// Wakes the island of a body; nothing if it is awake, or fixed.
    pub(crate) fn wake(&mut self, slot: u32) {
        let island = self.bodies.rows[slot as usize].island;
        if island == NONE {
            return;
        }
        for index in 0..self.islands.bodies_of(island).len() {
            let slot = self.islands.bodies_of(island)[index];
            self.bodies.rows[slot as usize].island = NONE;
            self.bodies.rows[slot as usize].sleep_time = 0.0;
            self.push_awake(slot);
            self.islands.woken.push(slot);
            self.set_activity(slot, Activity::Active);
            self.dirty.boxes.push(slot);
        }
        for index in 0..self.islands.contacts_of(island).len() {
            let contact = self.islands.contacts_of(island)[index];
            // The contact may have ended since, and its slot may belong to another one.
            let pair = self.contacts.pair[contact as usize];
            let link = self.contacts.link[contact as usize];
            let awake = |slot: u32| self.bodies.rows[slot as usize].is_awake();
            if self.contacts.find(pair) == Some(contact) && (awake(link.body_a) || awake(link.body_b)) {
                self.contacts.activate(contact);
                self.islands.woken_contacts.push(contact);
            }
        }
        self.islands.dissolve(island);
    }

    pub(crate) fn set_activity(&mut self, slot: u32, activity: Activity) {
        let mut shape = self.bodies.rows[slot as usize].first_shape;
        while shape != NONE {
            let link = self.shapes.links[shape as usize];
            let mut proxy = link.first_proxy;
            while proxy != NONE {
                if !self.shapes.proxies.rows[proxy as usize].sensor {
                    self.grid.set_activity(proxy, activity);
                    if activity == Activity::Active {
                        self.note_box(proxy);
                    }
                }
                proxy = self.shapes.proxies.rows[proxy as usize].next;
            }
            shape = link.next;
        }
    }

    /// Wakes sleeping bodies that awake ones touch, within the step.
    pub(crate) fn wake_touched(&mut self) {
        if self.islands.free.len() == self.islands.list.len() {
            return;
        }
        // Waking islands bring contacts along, which may wake further islands.
        let mut asleep = usize::MAX;
        while asleep != self.islands.free.len() {
            asleep = self.islands.free.len();
            self.wake_touched_once();
        }
    }

    fn wake_touched_once(&mut self) {
        let mut from = 0;
        while let Some(contact) = self.contacts.active.next_from(from) {
            from = contact + 1;
            let link = self.contacts.link[contact as usize];
            if link.flags & flag::TOUCHING == 0 || link.flags & flag::SENSOR != 0 {
                continue;
            }
            // Two solver rows are enough, without reading bodies: at most contacts neither side
            // sleeps.
            let awake = |slot: u32| self.bodies.solver_rows[slot as usize] != 0;
            if awake(link.body_a) && awake(link.body_b) {
                continue;
            }
            let (a, b) = (&self.bodies.rows[link.body_a as usize], &self.bodies.rows[link.body_b as usize]);
            if a.island == NONE && b.island == NONE {
                continue;
            }
            // Only a moving body wakes others: a resting neighbour that is still awake does not.
            let stirs = |body: &Body| body.is_awake() && body.sleep_time == 0.0;
            if a.island != NONE && stirs(b) {
                self.wake_in_step(link.body_a);
            }
            if self.bodies.rows[link.body_b as usize].island != NONE
                && stirs(&self.bodies.rows[link.body_a as usize])
            {
                self.wake_in_step(link.body_b);
            }
        }
    }

    /// Wakes an island while the columns are filled: its bodies get rows at the end.
    fn wake_in_step(&mut self, slot: u32) {
        let before = self.bodies.awake.len();
        self.wake(slot);
        self.columns.resize(self.bodies.awake.len());
        let h = self.step.h;
        for index in before..self.bodies.awake.len() {
            let slot = self.bodies.awake[index];
            self.fill_row(slot, index as u32 + 1, h);
            let (push, mass) = (self.columns.force_delta[index + 1], self.columns.mass[index + 1]);
            let v = &mut self.columns.velocity[index + 1];
            for (k, keeps) in [mass[3], mass[3], push[3]].into_iter().enumerate() {
                v[k] = (v[k] + push[k]) * keeps;
            }
            self.columns.unconstrained[index + 1] = *v;
        }
    }

    /// Wakes a body's island and all islands that touch the body, as its change may affect them.
    pub(crate) fn disturb(&mut self, slot: u32) {
        self.wake(slot);
        self.wake_jointed(slot);
        let mut touched = Vec::new();
        for contact in self.contacts.edges().of(slot) {
            let (link, Pair { a, b }) =
                (self.contacts.link[contact as usize], self.contacts.pair[contact as usize]);
            let other = if link.body_a == slot { link.body_b } else { link.body_a };
            if self.bodies.rows[other as usize].island != NONE && self.boxes_overlap(a, b) {
                touched.push(other);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for body in touched {
            self.wake(body);
        }
    }
}
