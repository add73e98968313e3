//! Spatial partition (domain decomposition): bodies that are near each other get neighbouring rows,
//! in zones.
//!
//! In: awake bodies in any order, and the touching contacts. Out: how rows are cut into zones, and
//! an order of rows in which few contacts cross from one zone to another, so that a thread has a
//! zone to itself (`contact/colour.rs`). The partition is checked every few steps, and kept while
//! it is good enough, as bodies keep their neighbours for long.
//!
//! The order of rows and their cut are part of the state of a world, and every decision here
//! follows from state, so zones are the same on any number of threads.

use core::ops::Range;

use crate::body::NONE;
use crate::contact::colour::ZoneCut;
use crate::contact::flag;
use crate::math::WorldPoint;
use crate::tuning::REGION_SIZE;
use crate::util::trim::release;
use crate::world::World;

/// Contacts per zone. (Half as many: more blocks with empty lanes, 2 % more time on one thread.)
const CONTACTS: usize = 4096;

/// Number of contacts from which there are two zones.
const LEAST_CONTACTS: usize = 2048;

/// Steps between checks of the zones.
const PERIOD: u64 = 8;

/// One in this many contacts is sampled.
const SAMPLE: usize = 16;

/// If more than one in this many contacts crosses zones, rows are assigned anew.
const CROSSING_SHARE: usize = 20;

/// Number of bodies sampled for the extent of a range that is halved.
const ASKED: usize = 256;

/// Memory for assigning rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dealing {
    /// Contacts in the sample, by the slots of their bodies: the same slot twice if only one body
    /// is movable.
    sample: Vec<[u32; 2]>,
    places: Vec<Place>,
    asked: Vec<i64>,
    /// New zone per body, or [`ZoneCut::MOST`] for bodies without contacts, which come after all
    /// zones.
    zone_of: Vec<u8>,
}

impl Dealing {
    /// Frees the lists that each search for zones fills anew.
    pub(crate) fn release(&mut self) {
        release(&mut self.sample);
        release(&mut self.places);
        release(&mut self.asked);
        release(&mut self.zone_of);
    }
}

/// Position and slot of a body.
type Place = ([i64; 2], u32);

/// Quality of a partition, in contacts of the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Load {
    zones: usize,
    all: usize,
    across: usize,
    /// Contacts of the largest zone.
    fullest: usize,
}

impl Load {
    fn new(sample: &[[u32; 2]], zones: usize, zone_of: impl Fn(u32) -> usize) -> Load {
        let (mut across, mut counts) = (0, [0; ZoneCut::MOST]);
        for &[a, b] in sample {
            match (zone_of(a), zone_of(b)) {
                (zone, other) if zone == other => counts[zone] += 1,
                _ => across += 1,
            }
        }
        Load { zones, all: sample.len(), across, fullest: counts.into_iter().max().unwrap_or(0) }
    }

    /// Contacts on the critical path of many threads.
    fn longest(self) -> usize {
        self.fullest + self.across
    }

    /// Few contacts go across, and no zone has half as much again as the others.
    fn is_good(self) -> bool {
        CROSSING_SHARE * self.across <= self.all && 2 * self.zones * self.fullest <= 3 * self.all
    }

    /// Whether zones help at all.
    fn is_of_use(self) -> bool {
        4 * self.longest() <= 3 * self.all
    }

    fn is_much_less_than(self, other: Load) -> bool {
        4 * self.longest() < 3 * other.longest()
    }
}

impl World {
    /// Checks the zones every few steps: their number, and whether rows are to be assigned anew.
    pub(crate) fn partition_rows(&mut self) {
        if self.step.number.is_multiple_of(PERIOD) {
            let cut = self.better_cut();
            self.dirty.colouring |= cut != self.graph.row_cut;
            self.graph.row_cut = cut;
        }
    }

    fn better_cut(&mut self) -> ZoneCut {
        let zones = self.zones_wanted();
        if zones == 1 {
            return ZoneCut::default();
        }
        self.take_sample();
        let load = |cut: ZoneCut| {
            Load::new(&self.scratch.dealing.sample, zones, |slot| {
                cut.zone_of(self.bodies.solver_rows[slot as usize])
            })
        };
        let even = ZoneCut::even(zones, self.bodies.awake.len() + 1);
        let (mut cut, mut now) = (even, load(even));
        if self.graph.row_cut.zones() == zones && !now.is_much_less_than(load(self.graph.row_cut)) {
            (cut, now) = (self.graph.row_cut, load(self.graph.row_cut));
        }
        if !now.is_good() {
            let (dealt, then) = self.find_zones(zones);
            if then.is_much_less_than(now) {
                self.deal_rows();
                (cut, now) = (dealt, then);
            }
        }
        if now.is_of_use() { cut } else { ZoneCut::default() }
    }

    /// Number of zones that the contacts fill; it is reduced only if far fewer are enough.
    fn zones_wanted(&self) -> usize {
        let active = &self.contacts.active;
        let now = self.graph.row_cut.zones();
        if active.len() < LEAST_CONTACTS && now == 1 {
            return 1;
        }
        let contacts = active.iter().filter(|&contact| self.touches(contact)).count();
        let (wanted, with_more) = (zones_for(contacts), zones_for(contacts + contacts / 4));
        if wanted < now && now <= with_more { now } else { wanted }
    }

    fn touches(&self, contact: u32) -> bool {
        self.contacts.link[contact as usize].flags & (flag::TOUCHING | flag::SENSOR) == flag::TOUCHING
    }

    fn take_sample(&mut self) {
        let mut sample = core::mem::take(&mut self.scratch.dealing.sample);
        sample.clear();
        let some = self.contacts.active.iter().filter(|&contact| self.touches(contact)).step_by(SAMPLE);
        sample.extend(some.map(|contact| {
            let link = &self.contacts.link[contact as usize];
            match (link.flags & flag::ONE_SIDED != 0, link.flags & flag::A_STANDS != 0) {
                (false, _) => [link.body_a, link.body_b],
                (true, true) => [link.body_b; 2],
                (true, false) => [link.body_a; 2],
            }
        }));
        self.scratch.dealing.sample = sample;
    }

    /// Finds zones of neighbouring bodies, with equally many bodies that have contacts, and their
    /// quality.
    fn find_zones(&mut self, zones: usize) -> (ZoneCut, Load) {
        let mut dealing = core::mem::take(&mut self.scratch.dealing);
        let Dealing { sample, places, asked, zone_of, .. } = &mut dealing;
        zone_of.clear();
        zone_of.resize(self.bodies.rows.len(), ZoneCut::MOST as u8);
        for contact in self.contacts.active.iter().filter(|&contact| self.touches(contact)) {
            let link = &self.contacts.link[contact as usize];
            for slot in [link.body_a, link.body_b] {
                zone_of[slot as usize] = 0;
            }
        }
        places.clear();
        let center = |slot: u32| self.bodies.rows[slot as usize].center_point();
        let touching = || self.bodies.awake.iter().copied().filter(|&slot| zone_of[slot as usize] == 0);
        // In a world that wraps round, positions are relative to the first body.
        let (period, first) = (self.def.period(), touching().next().map_or(WorldPoint::ORIGIN, center));
        places.extend(touching().map(|slot| (place(period.image(center(slot), first)), slot)));
        let cut = ZoneCut::even(zones, places.len() + 1);
        let [_, size] = cut.words();
        halve(places, 0..zones, size as usize, asked, &mut |slot, zone| zone_of[slot as usize] = zone as u8);
        let load = Load::new(sample, zones, |slot| usize::from(zone_of[slot as usize]).min(zones - 1));
        self.scratch.dealing = dealing;
        (cut, load)
    }

    /// Assigns bodies to the rows of their zones; within a zone by slot, which is their order in
    /// memory. (In the order of their old rows, which becomes less sorted each time, the scene
    /// `rain` of `versus` took 4 % longer.)
    fn deal_rows(&mut self) {
        let zone_of = &self.scratch.dealing.zone_of;
        let mut ends = [0; ZoneCut::MOST + 2];
        for &slot in &self.bodies.awake {
            ends[usize::from(zone_of[slot as usize]) + 1] += 1;
        }
        for zone in 0..=ZoneCut::MOST {
            ends[zone + 1] += ends[zone];
        }
        let rows = (0_u32..).zip(&self.bodies.solver_rows).zip(zone_of);
        for ((slot, _), &zone) in rows.filter(|((_, row), _)| **row != 0) {
            let end = &mut ends[usize::from(zone)];
            self.bodies.awake[*end] = slot;
            *end += 1;
        }
        for (&slot, index) in self.bodies.awake.iter().zip(0_u32..) {
            let body = &mut self.bodies.rows[slot as usize];
            if body.awake_index != index {
                body.awake_index = index;
                self.bodies.solver_rows[slot as usize] = index + 1;
                self.dirty.joint_layout |= self.joints.first_of(slot) != NONE;
            }
        }
        self.dirty.colouring = true;
    }
}

/// Number of zones for some contacts, a power of two.
fn zones_for(contacts: usize) -> usize {
    let least = if contacts < LEAST_CONTACTS { 1 } else { 2 };
    1 << (contacts / CONTACTS).clamp(least, ZoneCut::MOST).ilog2()
}

/// A point in units of about a millionth of a metre: differences do not depend on regions.
fn place(point: WorldPoint) -> [i64; 2] {
    const PARTS: f64 = (1 << 20) as f64;
    let axis = |region: i32, local: f32| {
        i64::from(region) * (f64::from(REGION_SIZE) * PARTS) as i64 + (f64::from(local) * PARTS) as i64
    };
    [axis(point.region.x, point.local.x), axis(point.region.y, point.local.y)]
}

/// Halves bodies along the axis of their greater extent, until each zone has as many as it has
/// rows.
fn halve(
    bodies: &mut [Place],
    zones: Range<usize>,
    size: usize,
    asked: &mut Vec<i64>,
    found: &mut impl FnMut(u32, usize),
) {
    let half = zones.len() / 2;
    if half == 0 {
        bodies.iter().for_each(|&(_, slot)| found(slot, zones.start));
        return;
    }
    // Row 0 belongs to no body: the first zone has one body less.
    let count = (half * size - usize::from(zones.start == 0)).min(bodies.len());
    let axis = usize::from(spread(bodies, 1, asked) > spread(bodies, 0, asked));
    if count < bodies.len() {
        bodies.select_nth_unstable_by_key(count, |&(at, slot)| (at[axis], slot));
    }
    let (low, high) = bodies.split_at_mut(count);
    let middle = zones.start + half;
    halve(low, zones.start..middle, size, asked, found);
    halve(high, middle..zones.end, size, asked, found);
}

/// The extent of the bodies along an axis, without the outer quarter at either end, so that strays
/// do not decide the cut.
fn spread(bodies: &[Place], axis: usize, asked: &mut Vec<i64>) -> i64 {
    // Samples by slot, as the bodies come in no order.
    let one_in = bodies.len().div_ceil(ASKED) as u32;
    let is_asked = |slot: u32| (slot.wrapping_mul(0x9E37_79B9) >> 8).is_multiple_of(one_in);
    asked.clear();
    asked.extend(bodies.iter().filter(|&&(_, slot)| is_asked(slot)).map(|(at, _)| at[axis]));
    asked.sort_unstable();
    let at = |quarters: usize| asked.get(quarters * asked.len() / 4).copied().unwrap_or(0);
    at(3) - at(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, JointDef, Shape, WorldDef};

    /// A wall of bricks on a floor, laid in no order; every seventh one hangs on another far from
    /// it in rows.
    fn wall(columns: u32, rows: u32) -> World {
        let mut world = World::new(WorldDef::default().sleepless());
        world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(400.0, 2.0))).expect("a floor");
        let (count, mut last) = (columns * rows, None);
        for k in 0..count {
            let place = k * 947 % count;
            let (column, row) = ((place % columns) as f32, (place / columns) as f32);
            let at = [column + 0.5 * (row % 2.0), 0.5 * row + 0.25];
            let brick = world.add(BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 0.5))).expect("a brick");
            match last {
                Some(other) if k % 7 == 0 => {
                    world.add_joint(JointDef::rope(other, brick, 500.0)).expect("no rule is broken");
                }
                _ => last = Some(brick),
            }
        }
        world
    }

    fn load(world: &mut World, cut: ZoneCut) -> Load {
        world.take_sample();
        let zone_of = |slot| cut.zone_of(world.bodies.solver_rows[slot as usize]);
        Load::new(&world.scratch.dealing.sample, cut.zones(), zone_of)
    }

    fn step(world: &mut World) {
        world.step(1.0 / 60.0).expect("a step");
    }

    #[test]
    fn rows_are_dealt_out_until_few_contacts_go_across() {
        let mut world = wall(60, 50);
        step(&mut world);
        let even = ZoneCut::even(zones_for(world.graph.touching.len()), world.bodies.awake.len() + 1);
        let before = load(&mut world, even);
        assert!(before.zones > 1 && 3 * before.across > before.all, "in no order: {before:?}");
        while world.step_count() <= PERIOD {
            step(&mut world);
        }
        let (cut, dealt) = (world.graph.row_cut, world.bodies.awake.clone());
        let after = load(&mut world, cut);
        assert!(after.zones == before.zones && after.is_good(), "{after:?}");
        assert_eq!(world.validate(), Ok(()));
        for _ in 0..2 * PERIOD {
            step(&mut world);
        }
        assert_eq!((world.bodies.awake, world.graph.row_cut), (dealt, cut), "good enough");
    }

    /// Neither strays at the ends of the world nor thousands in flight keep a heap from being
    /// halved.
    #[test]
    fn zones_have_as_many_contacts_each() {
        let mut world = wall(50, 30);
        for at in [[-1e9, 2e8], [500.0, -9e6]] {
            world.add(BodyDef::dynamic().at(at).shape(Shape::circle(0.5))).expect("a stray");
        }
        for k in 0..3_000_u32 {
            let at = [(k % 100) as f32 * 2.0 - 300.0, 100.0 + (k / 100) as f32 * 2.0];
            world.add(BodyDef::dynamic().at(at).shape(Shape::circle(0.5))).expect("a bird");
        }
        while world.step_count() <= PERIOD {
            step(&mut world);
        }
        let cut = world.graph.row_cut;
        let load = load(&mut world, cut);
        assert!(load.zones > 1 && load.is_good(), "{load:?}");
        assert_eq!(world.validate(), Ok(()));
    }

    /// A thousand crates on one heavy movable lid: whatever zone the lid is in, contacts of other
    /// zones go across.
    #[test]
    fn rows_stay_where_zones_are_of_no_use() {
        let mut world = World::new(WorldDef::default().sleepless());
        world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(4000.0, 2.0))).expect("a floor");
        world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(3000.0, 1.0))).expect("a lid");
        for k in 0..2_400_u32 {
            let at = [1.2 * (k * 947 % 2_400) as f32 - 1440.0, 1.5];
            world.add(BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0))).expect("a crate");
        }
        let rows = world.bodies.awake.clone();
        while world.step_count() <= 2 * PERIOD {
            step(&mut world);
        }
        assert!(world.stats().contacts > LEAST_CONTACTS);
        assert_eq!((world.graph.row_cut, world.bodies.awake), (ZoneCut::default(), rows));
    }

    #[test]
    fn a_world_that_was_loaded_goes_on_in_the_same_rows() {
        let mut world = wall(60, 30);
        for before in [1, PERIOD - 1, 1, 1, 3] {
            for _ in 0..before {
                step(&mut world);
            }
            let (mut bytes, mut loaded) = (Vec::new(), World::default());
            world.save_whole_into(&mut bytes);
            loaded.load(&bytes).expect("nobody touched the bytes");
            let mut other = world.clone();
            for _ in 0..2 * PERIOD {
                step(&mut other);
                step(&mut loaded);
                assert_eq!(other.hash(), loaded.hash(), "step {}", other.step_count());
            }
            assert_eq!(other.bodies.awake, loaded.bodies.awake);
        }
    }

    #[test]
    fn a_wall_far_away_is_halved_as_at_the_origin() {
        let at = |region: i32, local: f32| WorldPoint {
            region: crate::IVec2::new(region, -region),
            local: [local; 2].into(),
        };
        for (a, b) in [(0.0, 1e-5), (-511.99997, 511.99997), (0.1, -0.3)] {
            let apart = |region| {
                let [a, b] = [place(at(region, a)), place(at(region, b))];
                [b[0] - a[0], b[1] - a[1]]
            };
            assert_eq!(apart(0), apart(i32::MAX));
            assert_eq!(apart(0), apart(i32::MIN + 1));
        }
    }

    #[test]
    fn halving_gives_each_zone_its_rows() {
        for (count, zones) in [(1, 4), (3, 2), (7, 4), (9, 4), (500, 8), (501, 2), (1023, 16)] {
            let [_, size] = ZoneCut::even(zones, count + 1).words().map(|word| word as usize);
            let spread = |k: u32, by: u32| i64::from(k.wrapping_mul(by) >> 8);
            let mut bodies: Vec<_> = (0..count as u32)
                .map(|k| ([spread(k, 0x9E37_79B1), spread(k % 50, 0x85EB_CA77)], k))
                .collect();
            let mut of_zone = vec![Vec::new(); zones];
            halve(&mut bodies, 0..zones, size, &mut Vec::new(), &mut |slot, zone| of_zone[zone].push(slot));
            let mut left = count;
            for (zone, slots) in of_zone.iter().enumerate() {
                let room = size - usize::from(zone == 0);
                assert_eq!(slots.len(), room.min(left), "{count} bodies, zone {zone} of {zones}");
                left -= slots.len();
            }
            let mut all: Vec<u32> = of_zone.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count as u32));
        }
    }
}
