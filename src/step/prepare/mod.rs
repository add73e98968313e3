//! Stage `prepare`: touching contacts into the colours of the constraint graph, and into blocks.
//!
//! In: contacts with their manifolds. Out: a filled solver. Graph colouring is done anew when the
//! set of touching contacts has changed. Otherwise the blocks keep their layout, and only their
//! values change.
//!
//! `initial_load.rs`: impulses for contacts that are new, before their first solve.
//! `mass_scaling.rs`: more mass for light bodies between heavy ones.
//! `blows.rs`: more passes where a heavy body strikes light ones.

pub(crate) mod blows;
pub(crate) mod initial_load;
pub(crate) mod mass_scaling;

use glam::Vec2;

use crate::ablate::Rule;
use crate::contact::colour::{Colouring, GraphEdge};
use crate::contact::{ContactHeader, Contacts, flag};
use crate::solver::{ContactColumns, StepParams};
use crate::threads::Team;
use crate::tuning::JOINTED_SOFTNESS;
use crate::world::World;

impl World {
    /// Colours the touching contacts, and fills the blocks.
    pub(crate) fn prepare(&mut self, team: &Team, params: &StepParams) {
        self.link_joints();
        self.colour_and_scale(team, params.before);
        if !self.solver.is_laid_out() {
            self.solver.lay_out(&self.graph.colouring);
        }
        self.keep_jointed_arms();
        self.note_jointed();
        let rows = ContactColumns {
            manifold: self.contacts.manifold.lanes(),
            impulse: self.contacts.impulse.lanes(),
            surface: self.contacts.surface.lanes(),
            h: self.step.h,
            carried: params.carried,
            hit_speed: self.def.hit_speed,
            deep: self.tuning.contacts.lone_depth,
            sub_steps: self.def.sub_steps as f32,
            before: params.before,
            dominant: self.bodies.own_laws.any_dominance(),
        };
        self.solver.prepare(team, rows, &self.columns, params.bounce.blow);
        self.mark_blows();
        self.list_lone_bodies();
        self.restore_surfaces();
        self.prepare_joints(team, &params.joint);
        self.step.stats.contacts = self.graph.touching.len();
        self.step.stats.awake = self.bodies.awake.len();
        self.step.stats.colours = self.graph.colouring.count();
    }

    /// Colours the touching contacts if they have changed, and scales masses: side by side, as each
    /// takes a third of the stage in a stirred heap and has nothing to tell the other.
    fn colour_and_scale(&mut self, team: &Team, before: f32) {
        let is_changed = core::mem::take(&mut self.dirty.colouring);
        let is_new = core::mem::take(&mut self.dirty.colours) || is_changed;
        if is_new {
            self.list_touching();
        }
        if is_changed {
            self.settle();
        }
        let (mut colouring, mut scaling) = (core::mem::take(&mut self.graph.colouring), self.begin_scaling());
        let world = &*self;
        match (is_new, &mut scaling) {
            (true, Some(scaling)) => {
                team.both(|| world.colour(&mut colouring), || world.scale_masses(before, scaling));
            }
            (true, None) => world.colour(&mut colouring),
            (false, Some(scaling)) => world.scale_masses(before, scaling),
            (false, None) => {}
        }
        self.graph.colouring = colouring;
        self.end_scaling(scaling);
        if is_new {
            self.solver.forget_blocks();
        }
        if is_changed {
            self.soften_jointed();
        }
    }

    /// Marks the contacts that are solved more often.
    fn mark_blows(&mut self) {
        let (blows, solver) = (&self.scratch.blows, &mut self.solver);
        if blows.is_empty() {
            solver.iterate_once();
        } else {
            solver.iterate_some(blows::ITERATIONS, |row| blows.is_near(row));
        }
    }

    /// Notes per row which bodies have joints, for impacts; skipped without contacts. (Checking
    /// each body of a net takes 4 % of its step.)
    fn note_jointed(&mut self) {
        let mut jointed = core::mem::take(&mut self.columns.jointed);
        jointed.clear();
        if !self.joints.slots.is_empty() && !self.graph.touching.is_empty() {
            jointed.push(false);
            jointed.extend(self.bodies.awake.iter().map(|&slot| self.is_jointed(slot)));
        }
        self.columns.jointed = jointed;
    }

    /// Lists bodies without joints all of whose contacts are with surfaces that stand still.
    fn list_lone_bodies(&mut self) {
        let World { solver, columns, bodies, contacts, .. } = self;
        solver.list_lone(|row| {
            let slot = bodies.awake[row as usize - 1];
            let stands = |contact: u32| {
                let link = &contacts.link[contact as usize];
                let other = if link.body_a == slot { link.body_b } else { link.body_a };
                link.flags & (flag::TOUCHING | flag::SENSOR) != flag::TOUCHING
                    || bodies.solver_rows[other as usize] == 0
                        && contacts.surface[contact as usize].surface.tangent_speed == 0.0
            };
            !columns.jointed.get(row as usize).is_some_and(|&is_jointed| is_jointed)
                && contacts.edges().of(slot).all(stands)
        });
    }

    /// Jointed bodies are not braked when they rock (`ARM_AHEAD`): the joints' own reaction would
    /// come on top. (Boxes of 200 kg on balls that hang by springs sank by 12 mm, without it by
    /// less than 10.) Bodies that impulses do not move may have joints: those joints do not react.
    fn keep_jointed_arms(&mut self) {
        if self.joints.slots.is_empty() {
            return;
        }
        for &contact in &self.graph.touching {
            let link = &self.contacts.link[contact as usize];
            let gives = gives_of(link);
            let is_jointed =
                || gives[0] && self.is_jointed(link.body_a) || gives[1] && self.is_jointed(link.body_b);
            if Rule::JointedArms.acts(link.count == 1 && is_jointed()) {
                let row = &mut self.contacts.manifold[contact as usize];
                row.points[1].at = Vec2::ZERO;
            }
        }
    }

    /// Whether a contact gets extra softness, as contacts of jointed bodies do: if both cannot be
    /// satisfied, the contact must not wind up against the joint.
    ///
    /// Not between a free body and a body that hangs alone on a single joint, like a drum or a bar
    /// on its motor: there the free body can move out of the way. (With softness it sank into a
    /// turning drum by its own size.) Tried for all pairs that are not jointed to each other:
    /// chains that are dragged through posts burst.
    fn gives_way(&self, link: &ContactHeader) -> bool {
        let is_held = |body: u32| match self.bodies.solver_rows[body as usize] {
            0 => self.is_held(body),
            row => self.joints.held.get(row as usize).copied().unwrap_or(false),
        };
        let one_sided = link.flags & flag::ONE_SIDED != 0;
        match (is_held(link.body_a), is_held(link.body_b)) {
            (false, false) => false,
            (true, true) => true,
            (true, false) => one_sided || !self.hangs_alone(link.body_a),
            (false, true) => one_sided || !self.hangs_alone(link.body_b),
        }
    }

    /// Lists the contacts for the solver: a third of all, or less, in fast scenes. Each is written,
    /// and the count grows if it touches: the processor could not predict a branch here.
    fn list_touching(&mut self) {
        let Contacts { active, link, .. } = &self.contacts;
        self.graph.touching.resize(active.len(), 0);
        let mut count = 0;
        for contact in active.iter() {
            self.graph.touching[count] = contact;
            let flags = link[contact as usize].flags & (flag::TOUCHING | flag::SENSOR);
            count += usize::from(flags == flag::TOUCHING);
        }
        self.graph.touching.truncate(count);
    }

    /// Colours the touching contacts.
    fn colour(&self, colouring: &mut Colouring) {
        // Without contacts no row has a colour.
        let rows = if self.graph.touching.is_empty() { 0 } else { self.bodies.awake.len() + 1 };
        colouring.clear(rows, self.graph.row_cut);
        let dominant = self.bodies.own_laws.any_dominance();
        for &contact in &self.graph.touching {
            let link = &self.contacts.link[contact as usize];
            let rows = [link.body_a, link.body_b].map(|slot| self.bodies.solver_rows[slot as usize]);
            let heavy = if dominant { self.heavy_of(link) } else { [false; 2] };
            colouring.add(GraphEdge { contact, rows, gives: gives_of(link), heavy, points: link.count });
        }
    }

    /// Notes which of the touching contacts get extra softness because of joints.
    fn soften_jointed(&mut self) {
        if self.joints.serial == 0 {
            return;
        }
        for index in 0..self.graph.touching.len() {
            let contact = self.graph.touching[index];
            let gives_way = self.gives_way(&self.contacts.link[contact as usize]);
            let gives_way = Rule::JointedSoftness.acts(gives_way);
            self.contacts.set_softness(contact, if gives_way { JOINTED_SOFTNESS } else { 0.0 });
        }
    }
}

/// Which of the two bodies of a contact impulses move.
fn gives_of(link: &ContactHeader) -> [bool; 2] {
    let (one_sided, a_stands) = (link.flags & flag::ONE_SIDED != 0, link.flags & flag::A_STANDS != 0);
    [!(one_sided && a_stands), !one_sided || a_stands]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, BodyId, JointDef, Shape};

    /// A crate on the ground that cannot sleep, and the softness of its contact.
    fn crate_on_ground() -> (World, BodyId, BodyId) {
        let mut world = World::default();
        let ground = world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(9.0, 2.0)));
        let crate_ = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)));
        (world, ground.expect("no rule is broken"), crate_.expect("no rule is broken"))
    }

    fn softness(world: &mut World) -> f32 {
        world.step(1.0 / 60.0).expect("dt is in range");
        let Some(contact) = world.contacts.active.iter().next() else { panic!("one contact") };
        world.contacts.surface[contact as usize].softness
    }

    /// A contact has extra softness when the world is saved: the loaded world drops it with the
    /// joint, like the original.
    #[test]
    fn what_yields_yields_no_more_in_a_world_that_was_loaded() {
        let (mut world, _, crate_) = crate_on_ground();
        let hinge =
            world.add_joint(JointDef::revolute(None, crate_).at([0.0, 0.5])).expect("no rule is broken");
        assert_eq!(softness(&mut world), JOINTED_SOFTNESS);
        let (mut bytes, mut loaded) = (Vec::new(), World::default());
        world.save_whole_into(&mut bytes);
        loaded.load(&bytes).expect("nobody touched the bytes");
        for world in [&mut world, &mut loaded] {
            world.remove_joint(hinge).expect("it is there");
            assert_eq!(softness(world), 0.0);
        }
        assert_eq!(world.hash(), loaded.hash());
    }

    /// Regression: extra softness depended on when contacts last began or ended, not on the present
    /// joints.
    #[test]
    fn contacts_yield_as_long_as_a_joint_holds() {
        let (mut world, ground, crate_) = crate_on_ground();
        assert_eq!(softness(&mut world), 0.0);
        let hinge =
            world.add_joint(JointDef::revolute(None, crate_).at([0.0, 0.5])).expect("no rule is broken");
        assert_eq!(softness(&mut world), JOINTED_SOFTNESS);
        world
            .change_joint(hinge, |def| def.spring = Some(crate::Spring::new(1.0, 1.0)))
            .expect("it is there");
        assert_eq!(softness(&mut world), 0.0, "what gives way by itself has one master");
        world.change_joint(hinge, |def| def.spring = None).expect("it is there");
        assert_eq!(softness(&mut world), JOINTED_SOFTNESS);
        world.remove_joint(hinge).expect("it is there");
        assert_eq!(softness(&mut world), 0.0);
        for def in [
            JointDef::drag(crate_, [0.0, 0.5], 10.0),
            JointDef::friction(ground, crate_, 1.0, 1.0),
            JointDef::weld(None, crate_).breaks_at(0.0, 0.0),
        ] {
            world.add_joint(def).expect("no rule is broken");
            world.step(1.0 / 60.0).expect("dt is in range");
            assert_eq!(softness(&mut world), 0.0, "{:?}", def.kind);
        }
    }
}
