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
//! Tried for five restless heaps of mixed sizes, which have a blow in most steps, and whose passes
//! and search take a sixth to a third of a step:
//!
//! - Strikers from 24 times the mass on: four heaps take 0.9 of the time and one 1.1, but a house
//!   of cards falls under 10 to 22 times the mass (12 to 29 of 30 parts in the median, none with
//!   8).
//! - Passes that follow their own changes: a contact is solved again if one of its bodies was
//!   changed since. From changes of 3 cm/s, begun where an uneven contact changes a speed by 0.25
//!   m/s, heaps take 0.66 to 1, and the house falls (28 parts under 30 times the mass). From 1 and
//!   3 cm/s, with twelve passes, it stands, and heaps take 1.1 to 1.4.
//!
//! Only contacts of the striker, and of far lighter bodies around it, are solved more often: among
//! pebbles of mixed sizes, somewhere one strikes another in half of all steps. (With more passes
//! for the whole world, `Solver::solve` took 3.3 times the instructions for 4,000 pebbles on a
//! level of 60,000 boxes.)

use super::mass_scaling::Pressure;
use crate::ablate::Rule;
use crate::contact::flag;
use crate::math::{max, min};
use crate::tuning::ContactTuning;
use crate::util::trim::trim;
use crate::world::World;

/// Iterations of a sub-step over contacts near a blow.
pub(super) const ITERATIONS: u32 = 6;

/// How many contacts away from the striker a blow is passed on: more than the layers of any stack
/// that stands, and few of the contacts of a large heap.
const BLOW_REACH: u8 = 32;

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
    /// Rows of bodies around strikers.
    reached: Vec<u32>,
    touches: Touches,
}

/// The touches of all bodies in one list, body after body. (By the edges of contacts,
/// touching or not, the search and mass scaling took a fifth of a step of 1,600 sticks that balls
/// strike.)
#[derive(Clone, Debug, Default)]
struct Touches {
    /// By row, where its touches begin; and the end of the last.
    starts: Vec<u32>,
    list: Vec<TouchedRow>,
}

/// A body that another one touches.
#[derive(Clone, Copy, Debug, Default)]
struct TouchedRow {
    row: u32,
    /// Whether their contact carries anything; if the other is immovable, whether it holds, too.
    presses: bool,
}

impl Touches {
    fn of(&self, row: u32) -> &[TouchedRow] {
        &self.list[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }

    /// Lists touches between rows below `count`; row 0 stands for immovable bodies, and has none.
    fn fill(&mut self, count: usize, touches: impl Iterator<Item = ([usize; 2], bool)> + Clone) {
        let Touches { starts, list } = self;
        starts.clear();
        starts.resize(count + 2, 0);
        for row in touches.clone().flat_map(|(rows, _)| rows).filter(|&row| row != 0) {
            starts[row + 2] += 1;
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        list.clear();
        list.resize(starts[count + 1] as usize, TouchedRow::default());
        for ([a, b], presses) in touches {
            for (row, other) in [(a, b), (b, a)].into_iter().filter(|&(row, _)| row != 0) {
                list[starts[row + 1] as usize] = TouchedRow { row: other as u32, presses };
                starts[row + 1] += 1;
            }
        }
    }
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
        trim(&mut self.touches.starts);
        trim(&mut self.touches.list);
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
        let strikes =
            |(_, pressure): &(u32, &Pressure)| pressure.answers_more_than(ContactTuning::STRIKE_SPEED);
        let mut strikers = (0u32..).zip(pressures).filter(strikes).peekable();
        if !Rule::Blows.acts(strikers.peek().is_some()) {
            return;
        }
        blows
            .bodies_near
            .resize(pressures.len(), NearBody { nearness: Nearness::Far, inv_striker: f32::INFINITY });
        self.list_touches(pressures.len(), &mut blows.touches);
        strikers.for_each(|(row, _)| blows.find(row, Nearness::Reached(0), inv_mass(masses, row)));
        let mut start = 0;
        for ring in 1..=BLOW_REACH {
            let end = blows.found.len();
            (start..end).for_each(|at| reach_lighter(blows, masses, (at, ring)));
            start = end;
        }
        keep_supported(blows, masses);
    }

    fn list_touches(&self, count: usize, touches: &mut Touches) {
        let ends = self.graph.touching.iter().map(|&contact| {
            let link = &self.contacts.link[contact as usize];
            let rows = self.rows_of(link);
            let may_hold = link.flags & flag::ONE_SIDED != 0 || rows.iter().all(|&row| row != 0);
            (rows, may_hold && self.contacts.impulse[contact as usize].total > 0.0)
        });
        touches.fill(count, ends);
    }
}

/// Reaches the far lighter bodies that touch a body which was found before.
fn reach_lighter(blows: &mut Blows, masses: &[[f32; 4]], (at, ring): (usize, u8)) {
    let Blows { bodies_near, found, touches, .. } = blows;
    let row = found[at];
    let inv_striker = bodies_near[row as usize].inv_striker;
    for touched in touches.of(row) {
        if inv_mass(masses, touched.row) < ContactTuning::STRIKER * inv_striker {
            continue;
        }
        let spot = &mut bodies_near[touched.row as usize];
        match spot.nearness {
            Nearness::Far => {
                *spot = NearBody { nearness: Nearness::Reached(ring), inv_striker };
                found.push(touched.row);
            }
            // Between two strikers at the same distance, the heavier one counts.
            Nearness::Reached(found) if found == ring => {
                spot.inv_striker = min(spot.inv_striker, inv_striker);
            }
            Nearness::Reached(_) | Nearness::Near => {}
        }
    }
}

/// Only bodies that press on a support, directly or through others, are near a blow: the bricks of
/// a floating wall that a ram hits are not.
fn keep_supported(blows: &mut Blows, masses: &[[f32; 4]]) {
    let mut reached = core::mem::take(&mut blows.reached);
    core::mem::swap(&mut reached, &mut blows.found);
    blows.found.clear();
    for &row in &reached {
        if is_supported(row, blows, masses) {
            blows.bring_near(row);
        }
    }
    let Blows { bodies_near, found, touches, .. } = blows;
    let mut at = 0;
    while at < found.len() {
        for touched in touches.of(found[at]) {
            let spot = &mut bodies_near[touched.row as usize];
            if matches!(spot.nearness, Nearness::Reached(_)) {
                spot.nearness = Nearness::Near;
                found.push(touched.row);
            }
        }
        at += 1;
    }
    if found.is_empty() {
        bodies_near.clear();
    }
    blows.reached = reached;
}

/// Whether a body presses on an immovable one, or on a body that is not far lighter than the
/// striker, and is no striker itself.
fn is_supported(row: u32, blows: &Blows, masses: &[[f32; 4]]) -> bool {
    let inv_striker = blows.bodies_near[row as usize].inv_striker;
    blows.touches.of(row).iter().any(|&TouchedRow { row, presses }| {
        let is_far = || blows.bodies_near[row as usize].nearness == Nearness::Far;
        presses && (row == 0 || is_far() && inv_mass(masses, row) < ContactTuning::STRIKER * inv_striker)
    })
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

    /// A floating row is no stack, however many boxes there are in a row.
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
