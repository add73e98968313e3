//! Islands and events, from an image; and derived data of the world.

use super::{Counts, ReadScratch, are_distinct, ensure, read_pairs, read_slots};
use crate::body::{Body, JointId, NONE};
use crate::event::{JointLoss, SensorEvent, Touch};
use crate::joint::state::parse_body;
use crate::state::{LoadError, Parse, Reader};
use crate::world::World;
use crate::world::snapshot::write::Steps;

impl World {
    pub(super) fn read_sleep(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let Counts { bodies, joints, contacts, islands, parts, .. } = scratch.counts;
        let (bodies, contacts) = (bodies as u32, contacts as u32);
        read_slots(image, &mut self.bodies.awake, bodies)?;
        for (index, &slot) in self.bodies.awake.iter().enumerate() {
            let body = &mut self.bodies.rows[slot as usize];
            let there = self.bodies.slots.tenant(slot).is_some() && body.awake_index == NONE;
            ensure(there && body.moves() && body.is_enabled(), "who is awake can move, and is so once")?;
            body.awake_index = index as u32;
            self.bodies.solver_rows[slot as usize] = index as u32 + 1;
        }
        self.read_islands(image, islands, &mut scratch.lengths)?;
        let bodies_there = || self.bodies.slots.iter().map(|slot| &self.bodies.rows[slot as usize]);
        let rests = |body: &Body| body.awake_index != NONE || body.island != NONE;
        let all = bodies_there().all(|body| rests(body) == (body.moves() && body.is_enabled()));
        ensure(all, "who can move is awake or asleep")?;
        let named = self.islands.all_contacts().all(|contact| contact < contacts);
        ensure(named, "an island names contacts that there are")?;
        let sleep = &mut self.islands;
        read_slots(image, sleep.free_islands_mut(), islands as u32)?;
        let is_empty =
            |&island: &u32| sleep.bodies_of(island).is_empty() && sleep.contacts_of(island).is_empty();
        let empty = sleep.counts().filter(|&[bodies, _]| bodies == 0).count();
        let sorted = &mut scratch.sorted;
        let all_free = are_distinct(sleep.free_islands(), sorted) && sorted.len() == empty;
        ensure(all_free && sorted.iter().all(is_empty), "an island without bodies is free once")?;
        read_slots(image, &mut sleep.told_to_sleep, bodies)?;
        read_slots(image, &mut sleep.woken, bodies)?;
        read_slots(image, &mut sleep.woken_contacts, contacts)?;
        read_pairs(image, &mut sleep.parked, parts as u32)?;
        read_slots(image, &mut sleep.pulled, joints as u32)
    }

    fn read_islands(
        &mut self,
        image: &mut Reader,
        count: usize,
        lengths: &mut Vec<[u32; 2]>,
    ) -> Result<(), LoadError> {
        let islands = &mut self.islands;
        islands.reset(count);
        lengths.clear();
        image.rows::<2>(|row| {
            lengths.push(*row);
            Ok(())
        })?;
        ensure(lengths.len() == count, "islands are counted")?;
        for list in 0..2 {
            let mut owners = (0_u32..)
                .zip(&*lengths)
                .flat_map(|(number, lengths)| core::iter::repeat_n(number, lengths[list] as usize));
            let mut steps = Steps::START;
            let (bodies, slots) = (&mut self.bodies.rows, &self.bodies.slots);
            image.rows::<1>(|&[step]| {
                let island = owners.next().ok_or(LoadError::Broken("islands are counted"))?;
                let slot = steps.by(step);
                if list == 1 {
                    islands.push_contact(island, slot);
                    return Ok(());
                }
                ensure(slots.tenant(slot).is_some(), "an island has bodies that there are")?;
                let body = &mut bodies[slot as usize];
                let rests = body.moves() && body.awake_index == NONE && body.island == NONE;
                ensure(rests && body.is_enabled(), "who sleeps can move, and is in one island")?;
                body.island = island;
                islands.push_body(island, slot);
                Ok(())
            })?;
            ensure(owners.next().is_none(), "islands are counted")?;
        }
        Ok(())
    }

    pub(super) fn read_events(&mut self, image: &mut Reader) -> Result<(), LoadError> {
        for events in [&mut self.events.now, &mut self.events.next, &mut self.events.late] {
            events.clear();
        }
        let events = &mut self.events.next;
        image.rows::<8>(|row| {
            events.ended.push(parse_touch(&mut Parse::new(row))?);
            Ok(())
        })?;
        image.rows::<9>(|row| {
            let mut parse = Parse::new(row);
            let Touch { a: sensor, b: visitor, body_a: sensor_body, body_b: visitor_body } =
                parse_touch(&mut parse)?;
            let time = parse.float();
            ensure((0.0..=1.0).contains(&time), "a visit ends within a step")?;
            events.left.push(SensorEvent { sensor, visitor, sensor_body, visitor_body, time });
            Ok(())
        })?;
        image.rows::<9>(|row| {
            let mut parse = Parse::new(row);
            let joint =
                JointId::of_words(parse.array()).ok_or(LoadError::Broken("an id has a generation"))?;
            let hangs = parse.flag()?;
            let body_a = if hangs { Some(parse_body(&mut parse)?) } else { (parse.long(), None).1 };
            let (body_b, user_data) = (parse_body(&mut parse)?, parse.long());
            events.lost.push(JointLoss { joint, body_a, body_b, user_data });
            Ok(())
        })
    }

    /// Clears data of the world before; colours follow in the next step. Which bodies joints
    /// constrain is left to the caller: see [`World::note_held`].
    pub(in crate::world) fn restore_rest(&mut self, colouring: bool) {
        self.events.candidates.clear();
        self.events.welded.clear();
        self.step.any_far = false;
        self.solver.joints.clear();
        self.dirty.joint_lanes = true;
        self.dirty.joints_of.clear();
        self.columns.clear();
        self.joints.layout = None;
        self.graph.touching.clear();
        (self.dirty.colouring, self.dirty.colours) = (colouring, true);
        self.solver.forget_blocks();
        self.forget_ways();
    }
}

fn parse_touch(parse: &mut Parse) -> Result<Touch, LoadError> {
    use crate::body::ShapeId;
    let mut shape = || ShapeId::of_words(parse.array()).ok_or(LoadError::Broken("an id has a generation"));
    let (a, b) = (shape()?, shape()?);
    Ok(Touch { a, b, body_a: parse_body(parse)?, body_b: parse_body(parse)? })
}
