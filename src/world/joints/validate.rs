//! Checks of all invariants of joints: a part of [`World::validate`].
//!
//! In: a world. Out: nothing, or the first rule that does not hold and where.

use super::super::World;
use super::super::validate::ensure;
use crate::body::NONE;
use crate::joint::Joint;
use crate::simd::LANES;
use crate::solver::joints::block::JointBlock;
use crate::world::edit::joints::lanes_of;

impl World {
    /// The first rule about joints that is broken, in words.
    pub(crate) fn validate_joints(&self) -> Result<(), String> {
        ensure(self.joints.slots.free_are_distinct(), "each free place of a joint is free once")?;
        let mut ends = 0;
        for slot in self.joints.slots.iter() {
            self.validate_joint(slot).map_err(|rule| format!("{}: {rule}", self.joint_id(slot)))?;
            ends += 1 + usize::from(self.joints.rows[slot as usize].body_a != NONE);
        }
        let mut listed = 0;
        for body in self.bodies.slots.iter() {
            listed += self.validate_list(body).map_err(|rule| format!("{}: {rule}", self.body_id(body)))?;
        }
        ensure(listed == ends, "joints are in the lists of their bodies, and in no other")?;
        self.validate_lanes()
    }

    fn validate_joint(&self, slot: u32) -> Result<(), String> {
        let joint = &self.joints.rows[slot as usize];
        let Joint { body_a, body_b, def, .. } = joint;
        ensure(*body_a == NONE || self.bodies.slots.tenant(*body_a).is_some(), "its first body is there")?;
        ensure(self.bodies.slots.tenant(*body_b).is_some(), "its second body is there")?;
        let ids = def.body_a.into_iter().chain([def.body_b]);
        ensure(
            ids.into_iter().all(|id| self.get(id).is_some()),
            "its definition names bodies that are there",
        )?;
        if let Some(geared) = def.kind.gears() {
            ensure(geared.iter().all(|&id| self.get_joint(id).is_some()), "the joints it couples are there")?;
            let movers = geared.map(|id| self.mover_of(id).ok());
            ensure(
                movers == [Some(def.body_a.map_or(NONE, |id| id.index() as u32)), Some(*body_b)],
                "it hangs on what its joints move",
            )?;
        } else {
            ensure(def.body_a.is_none() == (*body_a == NONE), "it holds the bodies it was told to")?;
        }
        ensure(def.is_resolved(), "nothing is left open in its definition")?;
        ensure(joint.is_known(), "it knows what its definition comes to")?;
        ensure(self.gears_of(slot).len() == joint.gears as usize, "it counts the gears that couple it")?;
        let held = joint.impulses.held.iter().flatten();
        let mut all = held.chain(joint.impulses.driven.iter().flatten().flatten());
        ensure(all.all(|x| x.is_finite()), "its impulses are finite")?;
        ensure(
            joint.sum.is_finite() && self.joints.turns[slot as usize].angle().is_finite(),
            "its angle is finite",
        )?;
        // A world that has left its workspace remembers where joints were in the layout that it
        // left there.
        let has_left = self.solver.joints.is_empty() && self.joints.layout.is_some();
        let is_away = self.dirty.joint_layout || has_left;
        ensure(self.lane_of(slot).is_some() || joint.place == NONE || is_away, "it is where it says")
    }

    /// The list of a body, forth and back; how long it is.
    fn validate_list(&self, body: u32) -> Result<usize, String> {
        let mut before = NONE;
        let mut count = 0;
        for slot in self.joint_slots_of(body) {
            let joint = &self.joints.rows[slot as usize];
            ensure(self.joints.slots.tenant(slot).is_some(), "its list has joints that are there")?;
            ensure(joint.body_a == body || joint.body_b == body, "its list has its own joints")?;
            ensure(self.joint_before(slot, body) == before, "its list leads back as it leads forth")?;
            before = slot;
            count += 1;
            ensure(count <= self.joints.rows.len(), "its list has an end")?;
        }
        ensure(self.joints.last_of(body) == before, "its last joint is the last of its list")?;
        Ok(count)
    }

    /// Blocks and joints refer to each other, and to existing rows.
    fn validate_lanes(&self) -> Result<(), String> {
        let joints = &self.solver.joints;
        let ends = joints.coupled.iter().flat_map(|coupled| &coupled.ends);
        // A lane keeps its values after its joint took the impulses back, until blocks are laid out
        // anew.
        let finite = |block: &JointBlock, lane: usize| {
            block.held.iter().chain([&block.total]).flatten().all(|column| column[lane].is_finite())
        };
        let is_finite = |index: usize| {
            lanes_of(&joints.of_blocks[index]).all(|(lane, _)| finite(&joints.block_of(index, lane).0, lane))
        };
        ensure((0..joints.blocks.len()).all(is_finite), "impulses in blocks are finite")?;
        let all_finite = |block: &JointBlock| (0..LANES).all(|lane| finite(block, lane));
        ensure(ends.clone().all(all_finite), "impulses of couplings are finite")?;
        if self.dirty.joint_layout {
            return Ok(());
        }
        let rows = |block: &JointBlock| {
            block.row_a.iter().chain(&block.row_b).all(|&row| row as usize <= self.bodies.awake.len())
        };
        ensure(joints.blocks.iter().chain(ends).all(rows), "blocks name rows that there are")?;
        for (couples, all) in [(false, &joints.of_blocks), (true, &joints.of_coupled)] {
            for (index, of) in all.iter().enumerate() {
                for (lane, slot) in lanes_of(of) {
                    let there = self.joints.slots.tenant(slot).is_some();
                    let joint = &self.joints.rows[slot as usize];
                    let place = (index * LANES + lane) as u32;
                    ensure(there && joint.place == place, "joints are where blocks say")?;
                    ensure(joint.def.kind.ratio().is_some() == couples, "couplings are among couplings")?;
                    let row =
                        |body: u32| if body == NONE { 0 } else { self.bodies.solver_rows[body as usize] };
                    let of_bodies = [row(joint.body_a), row(joint.body_b)];
                    let rows = |block: &JointBlock| [block.row_a[lane], block.row_b[lane]] == of_bodies;
                    ensure(couples || rows(&joints.blocks[index]), "blocks name the rows of bodies")?;
                }
            }
        }
        Ok(())
    }
}
