//! Joints, from an image.
//!
//! In: rows of joints, of their impulses, and of their turns. Out: joints in the lists of their
//! bodies, without lanes yet.

use super::{ReadScratch, ensure, read_free, refill};
use core::num::NonZeroU32;

use crate::body::{BodyId, NONE};
use crate::joint::state::DEF;
use crate::joint::{Impulses, Joint, JointDef, JointKind};
use crate::state::{LoadError, Parse, Reader};
use crate::world::World;
use crate::world::joints::revolutions::Turns;
use crate::world::snapshot::write::{JOINT, LOADED, Steps};

impl World {
    pub(super) fn read_joints(
        &mut self,
        image: &mut Reader,
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let count = scratch.counts.joints;
        self.joints.slots.reset(count);
        // Free slots hold a dummy joint.
        let nothing = JointDef::weld(None, BodyId::new(0, NonZeroU32::MIN));
        refill(&mut self.joints.rows, count, Joint::new(nothing, NONE, 0));
        refill(&mut self.joints.turns, count, Turns::default());
        let mut steps = Steps::START;
        let read = &mut scratch.by_serial;
        read.clear();
        let (slots, joints, bodies) = (&mut self.joints.slots, &mut self.joints.rows, &self.bodies.slots);
        image.rows::<JOINT>(|row| {
            let mut parse = Parse::new(row);
            let (slot, generation) = (steps.by(parse.word()), parse.word());
            let (by_touch, sum, serial) = (parse.flag()?, f64::from_bits(parse.long()), parse.long());
            let def = JointDef::parse(&parse.array::<DEF>())?;
            def.check().map_err(|_| LoadError::Broken("a joint keeps the rules of its kind"))?;
            ensure(slots.revive(slot, generation, true), "a place has one tenant")?;
            ensure(sum.is_finite() && serial < self.joints.serial, "joints are counted")?;
            ensure(def.is_resolved(), "a joint holds its bodies at points of theirs")?;
            let ids = def.body_a.into_iter().chain([def.body_b]);
            let there = ids.into_iter().all(|id| bodies.holds(id.index(), id.generation()));
            ensure(there, "a joint has its bodies")?;
            let body_a = Joint::first_of(&def).unwrap_or(NONE);
            let joint = Joint::new(def, body_a, def.body_b.index() as u32);
            joints[slot as usize] = Joint { sum, serial, by_touch, ..joint };
            read.push((serial, slot));
            Ok(())
        })?;
        read_free(&mut self.joints.slots, image)?;
        self.restore_lists(read)
    }

    /// Puts joints into the lists of their bodies, and counts gears at the joints that they couple.
    fn restore_lists(&mut self, joints: &mut [(u64, u32)]) -> Result<(), LoadError> {
        joints.sort_unstable();
        ensure(joints.windows(2).all(|pair| pair[0].0 != pair[1].0), "joints are counted")?;
        let flags = (self.dirty.joint_layout, self.dirty.colouring);
        for &(serial, slot) in &*joints {
            let so_far = core::mem::replace(&mut self.joints.serial, serial);
            self.link_joint(slot);
            self.joints.serial = so_far;
        }
        (self.dirty.joint_layout, self.dirty.colouring) = flags;
        for &(_, slot) in &*joints {
            for id in self.joints.rows[slot as usize].def.kind.gears().into_iter().flatten() {
                let joint = self.get_joint(id).map(|joint| joint.def.kind);
                let geared = matches!(joint, Some(JointKind::Revolute | JointKind::Prismatic { .. }));
                ensure(geared, "a gear couples joints that can be geared")?;
                self.joints.rows[id.index()].gears += 1;
            }
        }
        Ok(())
    }

    pub(super) fn read_joint_impulses(&mut self, image: &mut Reader) -> Result<(), LoadError> {
        let mut slots = self.joints.slots.iter();
        let joints = &mut self.joints.rows;
        image.rows::<LOADED>(|row| {
            let slot = slots.next().ok_or(LoadError::Broken("impulses belong to a joint"))?;
            let mut parse = Parse::new(row);
            let joint = &mut joints[slot as usize];
            joint.impulses = Impulses::parse(&mut parse);
            (joint.force, joint.torque) = (parse.vector(), parse.float());
            ensure(row.iter().all(|&word| f32::from_bits(word).is_finite()), "impulses are finite")
        })?;
        ensure(slots.next().is_none(), "a joint has impulses")
    }

    pub(super) fn read_turns(&mut self, image: &mut Reader) -> Result<(), LoadError> {
        let mut slots = self.joints.slots.iter();
        let turns = &mut self.joints.turns;
        image.rows::<3>(|row| {
            let slot = slots.next().ok_or(LoadError::Broken("turns belong to a joint"))?;
            turns[slot as usize] = Turns::of_words(*row).ok_or(LoadError::Broken("turns are finite"))?;
            Ok(())
        })?;
        ensure(slots.next().is_none(), "a joint has turns")
    }
}
