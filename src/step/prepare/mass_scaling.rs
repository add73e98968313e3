//! Mass scaling: light bodies pressed by heavy ones get more mass for the step.
//!
//! In: remembered loads of contacts, and impulses of the step before. Out: less inverse mass and
//! inertia in the columns of bodies pressed hard by heavier ones; and which heavy bodies struck
//! light ones, for `blows.rs`.
//!
//! # What heavy bodies press
//!
//! ```text
//!   q  = dt² N / (m r)      N: twice the greatest load of a contact, r: the least half-thickness
//!   m' = m (1 + q)          but no heavier than the heaviest body that presses it
//! ```
//!
//! dt² N / m is how far a load would move the body in a step without reaction. If that exceeds its
//! own size, a pass over its contacts throws it from one heavy neighbour against the other, and
//! neither yields: a squeezed body trembles at metres per second, and is pressed deep into its
//! neighbours. With m' it is still light beside them.
//!
//! In 400 rooms of bodies of densities from 0.03 to 30, 15 % of the rooms still moved after 25 s
//! without this, and 1.5 % with it; in 66 % and 6 % of them some overlap of more than 5 cm was left
//! (`rooms_come_to_rest`).
//!
//! Only bodies that touch two others are squeezed: a body that is pressed from one side alone flies
//! off with the momentum that it was given, so it keeps its mass. (With more mass a stick that a
//! disc struck took 6 % of the momentum of both with it, a step after the hit:
//! `hits_keep_momentum`.)
//!
//! Mass and inertia go together: with a plank whose mass grew alone, cubes of 30 times its density
//! sank through it. A load is smoothed over a third of a second, so impacts use the real masses.
//! The greatest load is taken, not the sum, because a sum would depend on the order of contacts. If
//! two steps have different lengths, the longer counts, as for the loads themselves: otherwise
//! heaps whose steps were of 1/120 and 1/30 s in turn kept moving.

use crate::ablate::Rule;
use crate::body::NONE;
use crate::contact::ContactHeader;
use crate::math::{max, min};
use crate::tuning::ContactTuning;
use crate::world::World;

use super::blows::Blows;

/// Speeds are counted in whole numbers, so many per 1 m/s: their sum does not depend on the order
/// of contacts.
const SPEED_UNITS: f32 = 1024.0;

/// Pressure on a body, and the reaction of light bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pressure {
    /// Greatest load of a contact, in N.
    load: f32,
    /// Least inverse mass of the dynamic bodies that press it.
    inv_heaviest: f32,
    /// The slot of a body that touches it, and whether another one does as well.
    first: u32,
    is_between: bool,
    /// Whether it touches a heavier body.
    is_light: bool,
    /// Change of its speed by far lighter bodies in the step before, beyond their load, in units of
    /// speed.
    answer: i64,
}

impl Pressure {
    /// Whether light bodies changed its speed by more than `speed`, in m/s for a
    /// [`unit`](crate::WorldDef::unit) of 1.
    pub(super) fn answers_more_than(&self, speed: f32) -> bool {
        self.answer > (speed * SPEED_UNITS) as i64
    }

    const NONE: Pressure = Pressure {
        load: 0.0,
        inv_heaviest: f32::INFINITY,
        first: NONE,
        is_between: false,
        is_light: false,
        answer: 0,
    };
}

/// Outputs of scaling: masses of the columns, and which bodies are near a blow.
pub(super) struct Scaling {
    mass: Vec<[f32; 4]>,
    pressures: Vec<Pressure>,
    blows: Blows,
}

impl World {
    /// Takes the outputs of scaling out of the world, if there is anything to scale.
    pub(super) fn begin_scaling(&mut self) -> Option<Scaling> {
        let is_mixed = self.step.h > 0.0 && self.has_light_and_heavy();
        is_mixed.then(|| Scaling {
            mass: core::mem::take(&mut self.columns.mass),
            pressures: core::mem::take(&mut self.scratch.pressures),
            blows: core::mem::take(&mut self.scratch.blows),
        })
    }

    /// Puts it back.
    pub(super) fn end_scaling(&mut self, scaling: Option<Scaling>) {
        match scaling {
            Some(Scaling { mass, pressures, blows }) => {
                self.columns.mass = mass;
                (self.scratch.pressures, self.scratch.blows) = (pressures, blows);
            }
            None => self.scratch.blows.clear(),
        }
    }

    /// Scales the masses of bodies that heavier ones press, and finds the bodies near blows.
    /// `before`: the length of a sub-step of the step before.
    pub(super) fn scale_masses(&self, before: f32, scaling: &mut Scaling) {
        let Scaling { mass: masses, pressures, blows } = scaling;
        blows.clear();
        pressures.clear();
        pressures.resize(masses.len(), Pressure::NONE);
        if self.note_light(masses, pressures) {
            self.note_loads(before * self.def.sub_steps as f32, (masses, pressures));
            self.find_blows(masses, pressures, blows);
            self.add_mass(before, (masses, pressures));
        }
    }

    /// Adds mass to bodies that heavy bodies press.
    fn add_mass(&self, before: f32, (masses, pressures): (&mut [[f32; 4]], &[Pressure])) {
        let dt = max(self.step.h, before) * self.def.sub_steps as f32;
        let rows = masses.iter_mut().zip(pressures).skip(1);
        for (&slot, (mass, pressure)) in self.bodies.awake.iter().zip(rows) {
            let most = mass[0] / pressure.inv_heaviest;
            // Jointed bodies have their masses in the joints' blocks already.
            let is_squeezed = most > ContactTuning::SQUEEZED && pressure.is_between;
            if Rule::MassScaling.acts(is_squeezed && self.joints.first_of(slot) == NONE) {
                let size = max(self.bodies.rows[slot as usize].min_extent, f32::MIN_POSITIVE);
                let stiffness = 2.0 * pressure.load * (dt * dt) * mass[0] / size;
                let by = 1.0 / min(1.0 + stiffness, most);
                (mass[0], mass[1], mass[2]) = (mass[0] * by, mass[1] * by, mass[2] * by);
            }
        }
    }

    /// Notes per row which bodies touch a heavier body; returns whether there are any. Only such
    /// bodies are squeezed, and only their contacts are looked at closely. Masses alone are read.
    fn note_light(&self, masses: &[[f32; 4]], pressures: &mut [Pressure]) -> bool {
        let mut any = false;
        for &contact in &self.graph.touching {
            let link = &self.contacts.link[contact as usize];
            let rows = self.rows_of(link);
            let [a, b] = rows.map(|row| masses[row][0]);
            for (row, inv_own, inv_other) in [(rows[0], a, b), (rows[1], b, a)] {
                let is_light = inv_other > 0.0 && inv_own > ContactTuning::SQUEEZED * inv_other;
                pressures[row].is_light |= is_light;
                any |= is_light;
            }
        }
        any
    }

    pub(super) fn rows_of(&self, link: &ContactHeader) -> [usize; 2] {
        [link.body_a, link.body_b].map(|slot| self.bodies.solver_rows[slot as usize] as usize)
    }

    /// Notes pressure and strikes per row, from the contacts of light bodies. `dt`: the length of
    /// the step before.
    fn note_loads(&self, dt: f32, (masses, pressures): (&[[f32; 4]], &mut [Pressure])) {
        let per_speed = SPEED_UNITS / self.def.unit;
        for &contact in &self.graph.touching {
            let link = &self.contacts.link[contact as usize];
            let rows = self.rows_of(link);
            if !rows.into_iter().any(|row| pressures[row].is_light) {
                continue;
            }
            let [first, second] = self.contacts.surface[contact as usize].loads;
            let load = first + if link.count == 2 { second } else { 0.0 };
            let beyond = self.contacts.impulse[contact as usize].total - load * dt;
            let (a, b) = (link.body_a as usize, link.body_b as usize);
            for (row, other, slot) in [(rows[0], rows[1], link.body_b), (rows[1], rows[0], link.body_a)] {
                let (inv_own, inv_other) = (masses[row][0], masses[other][0]);
                let pressure = &mut pressures[row];
                pressure.load = max(pressure.load, load);
                pressure.is_between |= pressure.first != NONE && pressure.first != slot;
                pressure.first = slot;
                if inv_other > 0.0 && load > 0.0 {
                    pressure.inv_heaviest = min(pressure.inv_heaviest, inv_other);
                }
                // Springs and other joints do not act between contact passes.
                let is_free =
                    || self.joints.first_of(a as u32) == NONE && self.joints.first_of(b as u32) == NONE;
                if inv_own > 0.0 && ContactTuning::STRIKER * inv_own <= inv_other && is_free() {
                    // As an i32 it is bounded, so that the sum of any number of contacts fits.
                    pressure.answer += i64::from((per_speed * beyond * inv_own) as i32);
                }
            }
        }
    }

    /// Whether masses differ by enough that a body may be squeezed.
    fn has_light_and_heavy(&self) -> bool {
        let (mut least, mut greatest) = (f32::INFINITY, 0.0);
        for mass in self.columns.mass.iter().filter(|mass| mass[0] > 0.0) {
            (least, greatest) = (min(least, mass[0]), max(greatest, mass[0]));
        }
        greatest > ContactTuning::SQUEEZED * least
    }
}
