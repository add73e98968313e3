//! Touching contacts into colours and blocks.
//!
//! In: contacts with their manifolds. Out: a filled solver. Colours are made anew when the touching contacts are others
//! than before; else the blocks keep their layout, and only their numbers change.

use super::World;
use crate::body::{NONE, flag as body_flag};
use crate::contact::colour::Edge;
use crate::contact::flag;
use crate::solver::Rows;
use crate::tuning::JOINTED_LEAK;

impl World {
    /// Colours what touches, and fills the blocks.
    pub(crate) fn prepare(&mut self, blow: f32) {
        if self.recolour {
            self.settle();
            self.colour();
            self.soften_jointed();
            self.recolour = false;
        }
        let rows = Rows {
            manifold: &self.contacts.manifold,
            impulse: &self.contacts.impulse,
            surface: &self.contacts.surface,
        };
        self.solver.prepare(rows, &self.columns, blow);
        self.prepare_joints();
        self.stats.awake = self.awake.len();
        self.stats.colours = self.colouring.count();
    }

    /// Contacts of what joints hold yield more: where both cannot be satisfied, the contact must not wind itself up against the joint.
    fn soften_jointed(&mut self) {
        if self.joint_serial == 0 {
            return;
        }
        for &contact in &self.contacts.active {
            let link = &self.contacts.link[contact as usize];
            let jointed = |slot: u32| self.first_joint[slot as usize] != NONE;
            let soft = jointed(link.body_a) || jointed(link.body_b);
            self.contacts.surface[contact as usize][7] = if soft { JOINTED_LEAK } else { 0.0 };
        }
    }

    fn colour(&mut self) {
        let (contacts, bodies, rows) = (&self.contacts, &self.bodies, &self.solver_rows);
        self.colouring.clear(self.awake.len() + 1);
        // Rows that impulses move: a kinematic body may be in every lane at once.
        let giving = |slot: u32| {
            let gives = bodies[slot as usize].has(body_flag::DYNAMIC);
            if gives { rows[slot as usize] } else { 0 }
        };
        for &contact in &contacts.active {
            let link = &contacts.link[contact as usize];
            if link.flags & flag::TOUCHING == 0 {
                continue;
            }
            let (row_a, row_b) = (giving(link.body_a), giving(link.body_b));
            if row_a != 0 || row_b != 0 {
                self.colouring.add(Edge { contact, row_a, row_b, points: link.count });
            }
        }
        self.solver.lay_out(&self.colouring, |contact| {
            let link = &contacts.link[contact as usize];
            (rows[link.body_a as usize], rows[link.body_b as usize])
        });
    }
}
