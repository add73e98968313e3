//! Layout: the joints that are solved, and their lanes.
//!
//! In: the awake bodies and their joints. Out: empty blocks that name them. Done when joints or
//! awake bodies changed.

use std::sync::Arc;

use super::super::World;
use crate::body::{NONE, flag};
use crate::joint::Joint;
use crate::simd::LANES;
use crate::solver::Solver;
use crate::solver::joints::block::RowMask;
use crate::solver::joints::layout::{LaidOut, Layout, Spec};
use crate::solver::joints::{Coupled, NO_JOINT};

impl World {
    /// Takes over the layout that was set aside in this workspace, if it is the layout of this
    /// world's joints and nothing changed since.
    pub(super) fn take_own_layout(&mut self) -> bool {
        let is_own = match (&self.joints.layout, &self.solver.parked.layout) {
            (Some(own), Some(parked)) => Arc::ptr_eq(own, parked),
            _ => false,
        };
        is_own && self.take_parked()
    }

    /// Whether a joint breaks under some load.
    fn may_break(&self, slot: u32) -> bool {
        let def = &self.joints.rows[slot as usize].def;
        def.break_force < f32::INFINITY || def.break_torque < f32::INFINITY
    }

    /// Takes over the trees that were set aside, unless the masses of this world would group them
    /// in other blocks.
    fn take_parked(&mut self) -> bool {
        let Solver { joints, parked, .. } = &mut *self.solver;
        let bodies = &self.bodies;
        let inv_mass = |row: u32| bodies.rows[bodies.awake[row as usize - 1] as usize].inv_mass.max_element();
        if !parked.weigh_trees(inv_mass) {
            return false;
        }
        core::mem::swap(joints, parked);
        joints.take_lanes(parked);
        joints.renew();
        true
    }

    /// Makes a full layout, or takes over an equal layout that was set aside.
    pub(super) fn lay_out_joints(&mut self) {
        // Joints that were parked and are now in no lane still have their old place.
        self.joints.rows.iter_mut().for_each(|joint| joint.place = NONE);
        self.joints.at_rest.clear();
        if self.solver.is_shared {
            self.joints.at_rest.resize(self.joints.rows.len(), None);
        }
        let (specs, couplings) = self.list_joints();
        let laid = LaidOut { specs, bodies: self.bodies.awake.clone(), moves: self.list_moving() };
        if couplings.is_empty()
            && let Some(parked) = &self.solver.parked.layout
            && parked.is_like(&laid, laid.specs.iter().any(|spec| self.may_break(spec.joint)))
        {
            let parked = parked.clone();
            if self.take_parked() {
                self.joints.layout = Some(parked);
                return self.note_held();
            }
        }
        let coupled = couplings.iter().filter_map(|&slot| self.coupling_of(slot));
        let coupled: Vec<u32> =
            coupled.flat_map(|coupling| coupling.sides.into_iter().flatten().map(|(row, _)| row)).collect();
        let layout = Layout::new(&laid.specs, self.bodies.awake.len() + 1, &coupled);
        self.solver.joints.lay_out(layout);
        self.lay_out_couplings(&couplings);
        self.note_laid(laid.moves.clone());
        let may_be_taken = self.solver.is_shared && self.solver.joints.has_only_trees();
        self.joints.layout = may_be_taken.then(|| Arc::new(laid));
        self.solver.joints.layout.clone_from(&self.joints.layout);
    }

    /// Returns the joints of awake bodies: joints that are solved in blocks of joints, and
    /// couplings.
    fn list_joints(&mut self) -> (Vec<Spec>, Vec<u32>) {
        let mut specs = Vec::with_capacity(self.joints.slots.len());
        let mut couplings = Vec::new();
        let mut pulled = core::mem::take(&mut self.islands.pulled);
        pulled.clear();
        for &body in &self.bodies.awake {
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints.rows[slot as usize];
                let row_a =
                    if joint.body_a == NONE { 0 } else { self.bodies.solver_rows[joint.body_a as usize] };
                // Each joint once: by its body A, if that is awake.
                if joint.body_a != body && row_a != 0 {
                    continue;
                }
                if self.pulls_sleeper(slot) {
                    pulled.push(slot);
                }
                if self.ends_of(joint).is_some() {
                    couplings.push(slot);
                } else if let Some(spec) = self.spec_of(slot) {
                    specs.push(spec);
                }
            }
        }
        self.islands.pulled = pulled;
        (specs, couplings)
    }

    /// Per solver row, whether impulses move it.
    pub(super) fn list_moving(&self) -> Vec<bool> {
        let moves = |&slot: &u32| {
            let body = &self.bodies.rows[slot as usize];
            body.inv_mass.max_element() > 0.0 || body.inv_inertia > 0.0
        };
        core::iter::once(false).chain(self.bodies.awake.iter().map(moves)).collect()
    }

    /// Notes the rows of the layout, and the awake bodies that joints constrain.
    pub(super) fn note_laid(&mut self, moves: Vec<bool>) {
        self.solver.joints.note_laid(&self.bodies.awake, moves);
        if self.solver.joints.couples {
            // A joint may be in no lane and still constrain a body.
            return self.note_held();
        }
        let mut held = core::mem::take(&mut self.joints.held);
        held.clear();
        held.resize(self.bodies.awake.len() + 1, false);
        self.solver.joints.note_held(&mut held);
        for (held, &slot) in held[1..].iter_mut().zip(&self.bodies.awake) {
            *held &= self.bodies.rows[slot as usize].has(flag::DYNAMIC);
            debug_assert_eq!(*held, self.is_held(slot), "lanes hold the same");
        }
        self.joints.held = held;
    }

    /// Notes which awake bodies joints constrain, by solver row: once, not per contact.
    pub(crate) fn note_held(&mut self) {
        let mut held = core::mem::take(&mut self.joints.held);
        held.clear();
        if self.joints.slots.is_empty() {
            held.resize(self.bodies.awake.len() + 1, false);
        } else {
            held.push(false);
            held.extend(self.bodies.awake.iter().map(|&body| self.is_held(body)));
        }
        self.joints.held = held;
    }

    /// Input of the layout for a joint; `None` if it has no effect now.
    pub(super) fn spec_of(&self, slot: u32) -> Option<Spec> {
        let joint = &self.joints.rows[slot as usize];
        let (row_a, gives_a) = self.side(joint.body_a)?;
        let (row_b, gives_b) = self.side(joint.body_b)?;
        let form = joint.form;
        // A joint between a kinematic body and the world moves nothing, but its angle is counted.
        let works = (row_a != 0 || row_b != 0) && form != RowMask::default();
        let inv_mass = |body: u32, gives: bool| {
            if gives { self.bodies.rows[body as usize].inv_mass.max_element() } else { 0.0 }
        };
        let inv_masses = [inv_mass(joint.body_a, gives_a), inv_mass(joint.body_b, gives_b)];
        let serial = joint.serial;
        works.then_some(Spec { joint: slot, row_a, row_b, gives_a, gives_b, form, inv_masses, serial })
    }

    /// The solver row of a body, and whether impulses move it; `None` if it takes no part in the
    /// world.
    fn side(&self, body: u32) -> Option<(u32, bool)> {
        if body == NONE {
            return Some((0, false));
        }
        let row = &self.bodies.rows[body as usize];
        let enabled = row.is_enabled();
        enabled.then(|| (self.bodies.solver_rows[body as usize], row.is_awake() && row.has(flag::DYNAMIC)))
    }

    /// Couplings go into blocks of one kind, with no body twice in a block. A coupling that fits
    /// into none gets a new block.
    fn lay_out_couplings(&mut self, couplings: &[u32]) {
        let mut joints = core::mem::take(&mut self.solver.joints);
        joints.coupled.clear();
        joints.of_coupled.clear();
        joints.couples = !couplings.is_empty();
        for &slot in couplings {
            let Some(coupling) = self.coupling_of(slot) else { continue };
            // Only the last few blocks are tried, to keep the search short.
            let recent = joints.coupled.len().saturating_sub(8);
            let free = |index: usize| joints.of_coupled[index].iter().position(|&slot| slot == NO_JOINT);
            let fits = |&index: &usize| free(index).is_some() && coupling.fits(&joints.coupled[index]);
            let found = (recent..joints.coupled.len()).find(fits);
            let (index, lane) =
                found.map_or((joints.coupled.len(), 0), |index| (index, free(index).unwrap_or(0)));
            if found.is_none() {
                joints.coupled.push(coupling.block());
                joints.of_coupled.push([NO_JOINT; LANES]);
            }
            joints.of_coupled[index][lane] = slot;
            coupling.fill(&mut joints.coupled[index], lane);
        }
        self.solver.joints = joints;
    }

    /// Whether a coupling is on, and all that it couples.
    fn couples(&self, joint: &Joint) -> bool {
        let geared = joint.def.kind.gears().into_iter().flatten();
        joint.is_on && geared.into_iter().all(|id| self.joints.rows[id.index()].is_on)
    }

    /// Input of the layout for a coupling; `None` if it has no effect now.
    fn coupling_of(&self, slot: u32) -> Option<Coupling> {
        let joint = &self.joints.rows[slot as usize];
        let ends = self.ends_of(joint).filter(|_| self.couples(joint))?;
        let [first, second] = ends.map(|end| Some([self.side(end.body_a)?, self.side(end.body_b)?]));
        let slack = joint.def.kind.slackens();
        Some(Coupling {
            numbers: ends.map(|end| end.number),
            lines: ends.map(|end| end.line),
            slack,
            sides: [first?, second?],
        })
    }
}

/// Input of the layout for a coupling.
struct Coupling {
    /// Coupled axis of each end, and whether it is the axis of a line.
    numbers: [usize; 2],
    lines: [bool; 2],
    slack: bool,
    /// Rows of A and B at each end, and whether impulses move them.
    sides: [[(u32, bool); 2]; 2],
}

impl Coupling {
    /// Whether a block is of its kind and has none of its bodies.
    fn fits(&self, coupled: &Coupled) -> bool {
        let taken =
            |row: u32| coupled.ends.iter().any(|end| end.row_a.contains(&row) || end.row_b.contains(&row));
        let mut rows = self.sides.iter().flatten();
        coupled.numbers == self.numbers
            && coupled.slack == self.slack
            && !rows.any(|&(row, _)| row != 0 && taken(row))
    }

    /// An empty block of its kind.
    fn block(&self) -> Coupled {
        let mut coupled = Coupled::new(self.numbers, self.slack);
        for (block, line) in coupled.ends.iter_mut().zip(self.lines) {
            if line {
                block.form.set_line();
            }
        }
        coupled
    }

    /// Its rows into a lane, and which bodies come in both ends.
    fn fill(&self, coupled: &mut Coupled, lane: usize) {
        for (block, [a, b]) in coupled.ends.iter_mut().zip(self.sides) {
            (block.row_a[lane], block.row_b[lane]) = (a.0, b.0);
        }
        for (x, first) in self.sides[0].into_iter().enumerate() {
            for (y, second) in self.sides[1].into_iter().enumerate() {
                let shared = first.0 != 0 && first.0 == second.0 && first.1;
                coupled.shared[x][y][lane] = if shared { 1.0 } else { 0.0 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, JointDef, Shape};

    /// Joints of sleeping bodies are in no block, and cost no time.
    #[test]
    fn sleepers_are_not_laid_out() {
        let mut world = World::default();
        let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5))).expect("no rule is broken");
        world.add_joint(JointDef::weld(None, ball)).expect("no rule is broken");
        for number in 0..120 {
            world.step(1.0 / 60.0).expect("dt is in range");
            let laid_out = !world.solver.joints.is_empty();
            assert!(laid_out || !world[ball].is_awake(), "after {number} steps");
        }
        assert!(world.solver.joints.is_empty() && !world[ball].is_awake());
    }
}
