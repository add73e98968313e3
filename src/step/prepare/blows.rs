//! Blows: near a heavy body that strikes light ones, contacts are solved more often.
//!
//! In: by how much light bodies changed the speeds of heavy ones in the step before
//! (`mass_scaling.rs`), and touching contacts. Out: per row of the columns, whether contacts of the
//! body are solved more often in this step.
//!
//! Iteration passes an impact on by a few contacts per sub-step, and slower for greater mass
//! ratios. A box of a hundred times the weight of the others compresses a stack by a twentieth of
//! its height before the ground stops it; then all of that is pushed out again, which one relaxing
//! pass does not remove from the velocities of so many layers: the stack bursts like a spring, and
//! throws the box up at 4 m/s. So while light bodies change the speed of a heavy one by more than
//! their usual load would, the contacts around it are solved in [`ITERATIONS`] passes per sub-step:
//! shock propagation by iteration. (Contacts of jointed bodies do not count as blows, but are
//! solved more often where one is near. Counted, boxes of 200 kg sank 19 mm into balls that hang by
//! springs.)
//!
//! Number of bodies moved by more than half their width by a box that falls onto them from 2 m,
//! with 100 and 30 times the mass of one: medians of 60 drops a little off-centre and askew, of 20
//! with Box2D 3.2 and rapier2d 0.36. (`blows_of_heavy_boxes_move_little`)
//!
//! ```text
//!                                   one pass    six passes    Box2D     rapier2d
//!   pyramid of 54 boxes               0, 0         0, 0        0, 0       0, 0
//!   the same, most of any drop       44, 3         0, 0        0, 0       0, 0
//!   wall of 144 bricks               14, 1         1, 1        1, 1       1, 1
//!   house of cards, 30 parts         30, 28       20, 0       23, 9      23, 10
//! ```
//!
//! Tried instead, wall and cards of 100 times: contacts that yield twice as much, 4 and 30; half of
//! the push, 5 and 30; two relaxing passes, 8 and 30; masses scaled by the load of the moment, 16
//! and 30; eight rounds of impacts, 17 and 30; friction in both passes, 22 and 30; 8 sub-steps, 25
//! and 30. Two relaxing passes beside six others: 1 and 18, as without.
//!
//! Only contacts of the striker and of what is far lighter around it are solved more often: among
//! pebbles of mixed sizes, somewhere one strikes another in half of all steps. (With more passes
//! for the whole world, `Solver::solve` took 3.3 times the instructions for 4,000 pebbles on a
//! level of 60,000 boxes.)

use super::mass_scaling::Pressure;
use crate::contact::flag;
use crate::math::{max, min};
use crate::util::trim::trim;
use crate::world::World;

/// Change of a heavy body's speed by light ones in a step, beyond their remembered load, that
/// counts as a blow, in m/s: more than carrying it at rest, which they may not be used to.
const BLOW: f32 = 0.25;

/// Iterations of a sub-step over contacts near a blow.
pub(super) const ITERATIONS: u32 = 6;

/// A body counts as a heavy striker, and others as far lighter, from this mass ratio on.
pub(super) const STRIKER: f32 = 8.0;

/// How many contacts away from the striker a blow is passed on: more than the layers of any stack
/// that stands, and few of the contacts of a large heap.
const REACH: u8 = 32;

/// Whether a body is near a blow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nearness {
    Far,
    /// Around a striker, as so many contacts away.
    Reached(u8),
    Near,
}

/// A body, and the inverse mass of the striker that it is near to.
#[derive(Clone, Copy, Debug)]
struct NearBody {
    nearness: Nearness,
    inv_striker: f32,
}

/// The bodies near blows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blows {
    /// By row; empty if there is no blow.
    bodies_near: Vec<NearBody>,
    /// Rows in the order in which they were found.
    found: Vec<u32>,
    /// Those around strikers.
    reached: Vec<u32>,
}

impl Blows {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.bodies_near.clear();
        self.found.clear();
    }

    /// Frees memory that the last steps did not need.
    pub(crate) fn trim(&mut self) {
        trim(&mut self.bodies_near);
        trim(&mut self.found);
        trim(&mut self.reached);
    }

    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.bodies_near.is_empty()
    }

    /// Whether the body of a row is near a blow.
    pub(super) fn is_near(&self, row: u32) -> bool {
        self.bodies_near[row as usize].nearness == Nearness::Near
    }

    fn find(&mut self, row: u32, nearness: Nearness, inv_striker: f32) {
        self.bodies_near[row as usize] = NearBody { nearness, inv_striker };
        self.found.push(row);
    }

    fn bring_near(&mut self, row: u32) {
        self.bodies_near[row as usize].nearness = Nearness::Near;
        self.found.push(row);
    }
}

/// Inverse mass along the axis along which a body is lighter: the other one may be locked.
fn inv_mass(masses: &[[f32; 4]], row: u32) -> f32 {
    let [x, y, ..] = masses[row as usize];
    max(x, y)
}

impl World {
    /// Finds the bodies near blows. The result does not depend on the order of contacts.
    pub(super) fn find_blows(&self, masses: &[[f32; 4]], pressures: &[Pressure], blows: &mut Blows) {
        let strikes = |(_, pressure): &(u32, &Pressure)| pressure.answers_more_than(BLOW);
        let mut strikers = (0u32..).zip(pressures).filter(strikes).peekable();
        if strikers.peek().is_none() {
            return;
        }
        blows
            .bodies_near
            .resize(pressures.len(), NearBody { nearness: Nearness::Far, inv_striker: f32::INFINITY });
        strikers.for_each(|(row, _)| blows.find(row, Nearness::Reached(0), inv_mass(masses, row)));
        let mut start = 0;
        for ring in 1..=REACH {
            let end = blows.found.len();
            (start..end).for_each(|at| self.reach_lighter(blows, masses, (at, ring)));
            start = end;
        }
        self.keep_supported(blows, masses);
    }

    /// Reaches the far lighter bodies that touch a body which was found before.
    fn reach_lighter(&self, blows: &mut Blows, masses: &[[f32; 4]], (at, ring): (usize, u8)) {
        let row = blows.found[at];
        let inv_striker = blows.bodies_near[row as usize].inv_striker;
        for (_, other) in self.touching_of(row) {
            if inv_mass(masses, other) < STRIKER * inv_striker {
                continue;
            }
            let spot = &mut blows.bodies_near[other as usize];
            match spot.nearness {
                Nearness::Far => blows.find(other, Nearness::Reached(ring), inv_striker),
                // Of two strikers at the same distance the heavier one counts.
                Nearness::Reached(found) if found == ring => {
                    spot.inv_striker = min(spot.inv_striker, inv_striker);
                }
                Nearness::Reached(_) | Nearness::Near => {}
            }
        }
    }

    /// Only what presses on something that holds it, itself or by others, is near a blow: a ram
    /// that hits a floating wall is none.
    fn keep_supported(&self, blows: &mut Blows, masses: &[[f32; 4]]) {
        let mut reached = core::mem::take(&mut blows.reached);
        core::mem::swap(&mut reached, &mut blows.found);
        blows.found.clear();
        for &row in &reached {
            if self.is_supported(row, blows, masses) {
                blows.bring_near(row);
            }
        }
        let mut at = 0;
        while at < blows.found.len() {
            for (_, other) in self.touching_of(blows.found[at]) {
                if matches!(blows.bodies_near[other as usize].nearness, Nearness::Reached(_)) {
                    blows.bring_near(other);
                }
            }
            at += 1;
        }
        if blows.found.is_empty() {
            blows.bodies_near.clear();
        }
        blows.reached = reached;
    }

    /// Whether a body presses on an immovable one, or on one that is not far lighter than the
    /// striker and is none itself.
    fn is_supported(&self, row: u32, blows: &Blows, masses: &[[f32; 4]]) -> bool {
        let inv_striker = blows.bodies_near[row as usize].inv_striker;
        self.touching_of(row).any(|(contact, other)| {
            let is_heavy = || inv_mass(masses, other) < STRIKER * inv_striker;
            let holds = other == 0 && self.contacts.has(contact, flag::ONE_SIDED)
                || other > 0 && blows.bodies_near[other as usize].nearness == Nearness::Far && is_heavy();
            holds && self.contacts.impulse[contact as usize].total > 0.0
        })
    }

    /// The contacts in which the body of a row touches others, and the rows of these.
    fn touching_of(&self, row: u32) -> impl Iterator<Item = (u32, u32)> {
        let slot = self.bodies.awake[row as usize - 1];
        self.contacts.edges().of(slot).filter_map(move |contact| {
            let link = &self.contacts.link[contact as usize];
            let other = if link.body_a == slot { link.body_b } else { link.body_a };
            let touches = link.flags & (flag::TOUCHING | flag::SENSOR) == flag::TOUCHING;
            touches.then(|| (contact, self.bodies.solver_rows[other as usize]))
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::vec2;

    use super::*;
    use crate::{BodyDef, Shape, WorldDef};

    /// Places of bodies that are near a blow, in any of the next steps.
    fn near_blows(world: &mut World, steps: usize) -> Vec<f32> {
        let mut places = Vec::new();
        for _ in 0..steps {
            world.step(1.0 / 60.0).expect("a step");
            let blows = &world.scratch.blows;
            let rows = (1..blows.bodies_near.len() as u32).filter(|&row| blows.is_near(row));
            let place = |row: u32| world.bodies.rows[world.bodies.awake[row as usize - 1] as usize].center.x;
            places.extend(rows.map(place));
        }
        places
    }

    fn put(world: &mut World, x: f32, y: f32, density: f32) {
        let def = BodyDef::dynamic().at([x, y]).shape(Shape::rect(1.0, 1.0)).density(density);
        _ = world.add(def.sleepless()).expect("a box");
    }

    /// A blow on one of two stacks is near that one alone.
    #[test]
    fn blows_are_near_what_is_struck() {
        let mut world = World::new(WorldDef::default().gravity([0.0, -10.0]));
        _ = world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(200.0, 1.0))).expect("ground");
        for x in [0.0, 50.0] {
            (0..6).for_each(|k| put(&mut world, x, 0.5 + k as f32, 1.0));
        }
        put(&mut world, 0.0, 8.5, 100.0);
        let places = near_blows(&mut world, 90);
        assert!(places.len() > 6 && places.iter().all(|x| x.abs() < 20.0), "{places:?}");
    }

    /// What floats is no stack, however many boxes there are in a row.
    #[test]
    fn a_ram_that_hits_what_floats_is_no_blow() {
        for count in [5, 60] {
            let mut world = World::new(WorldDef::default().gravity(vec2(0.0, 0.0)));
            (0..count).for_each(|k| put(&mut world, k as f32, 0.0, 1.0));
            put(&mut world, -1.5, 0.0, 100.0);
            let ram = world.bodies().last().map(|(id, _)| id).expect("a ram");
            world.set_velocity(ram, [10.0, 0.0]).expect("a velocity");
            let places = near_blows(&mut world, 60);
            assert!(places.is_empty(), "{count} boxes: {places:?}");
        }
    }
}
