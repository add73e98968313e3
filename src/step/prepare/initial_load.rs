//! Initial warm start: a first guess of the contact impulses that hold a scene up (load
//! propagation). The call is `settle`: a scene that is built at rest settles before its first
//! solve.
//!
//! In: touching contacts, many of them new. Out: impulses and loads for the new ones, as if
//! everything were at rest.
//!
//! A solver finds the load of a stack by passing it on from contact to contact, a few per sub-step:
//! a column of 80 boxes would collapse for half a second before the top feels the ground. So when a
//! scene begins, weights are propagated once, from the highest body to the lowest. Each body passes
//! on its own weight and the weight that it carries, in equal shares to the bodies it stands on. A
//! body that stands on one face alone divides its load between the two points of the face by the
//! law of the lever. (With equal halves, a column of 60 boxes placed 2 cm off its axis swayed by
//! half a metre until the solver had found the loads.) Wrong guesses do little harm, as the solver
//! corrects them like any impulse. But bodies that approach fast get no guess, or bounces would
//! gain energy.
//!
//! Only a supported body carries weight: bodies that fall together do not press on each other.
//! (With a guess for them, 90 rows in free fall were blown apart at 1.8 m/s.) So every body that is
//! supported by something immovable is marked first, from bottom to top; then weights are
//! propagated from top to bottom.
//!
//! The remembered load of a contact begins with the guess made here; `solver/contacts/store.rs`
//! updates it at the end of each step.

use glam::Vec2;

use crate::ablate::Rule;
use crate::body::{NONE, flag as body_flag};
use crate::contact::flag;
use crate::math::{max, min};
use crate::tuning::ContactTuning;
use crate::util::trim::release;
use crate::world::World;

/// The guess is made if at least one in this many touching contacts is new.
const NEW_SHARE: usize = 4;

/// Scratch lists, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadScratch {
    supports: Vec<Support>,
    /// Bodies by height, highest first.
    order: Vec<(f32, u32)>,
    /// Per row: the load of a body, and the sum of loads times their sideways offset from its
    /// centre.
    load: Vec<[f32; 2]>,
    /// Per row: whether the body is supported, directly or through others, by an immovable one.
    held: Vec<bool>,
}

impl LoadScratch {
    /// Frees the memory.
    pub(crate) fn release(&mut self) {
        release(&mut self.supports);
        release(&mut self.order);
        release(&mut self.load);
        release(&mut self.held);
    }
}

/// A contact that holds up a body.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// Row of the body above, and of the one below.
    upper: u32,
    lower: u32,
    contact: u32,
    /// Cosine between the normal and up.
    rise: f32,
}

/// The two points of a support, or one twice: sideways offsets from the centres of the upper and of
/// the lower body.
#[derive(Clone, Copy, Debug)]
struct Feet {
    above: [f32; 2],
    below: [f32; 2],
}

impl Feet {
    /// Share of the second point of a load at this sideways offset from the upper body's centre.
    fn share_at(&self, place: f32) -> f32 {
        let [first, second] = self.above;
        let width = second - first;
        if width == 0.0 { 0.5 } else { max(min((place - first) / width, 1.0), 0.0) }
    }

    /// Where the load acts on the lower body.
    fn below(&self, second: f32) -> f32 {
        self.below[0] + second * (self.below[1] - self.below[0])
    }
}

/// The contacts that hold up the body of a row.
fn supports_of(supports: &[Support], row: u32) -> impl Iterator<Item = &Support> + Clone {
    let first = supports.partition_point(|support| support.upper < row);
    supports[first..].iter().take_while(move |support| support.upper == row)
}

impl World {
    /// Guesses the loads of new contacts, if the scene is new.
    pub(crate) fn settle(&mut self) {
        if self.step.h == 0.0 {
            // A step of no length: new contacts are still new in the next one.
            return;
        }
        let new = core::mem::take(&mut self.step.new_touches);
        let gravity = self.def.gravity;
        let are_few = new == 0 || new * NEW_SHARE < self.step.contacts_before + new;
        if !Rule::InitialLoad.acts(!are_few && gravity != Vec2::ZERO) {
            return;
        }
        let up = -gravity.normalize_or_zero();
        let mut scratch = core::mem::take(&mut self.scratch.settle);
        let LoadScratch { supports, order, load, held } = &mut scratch;
        let side = Vec2::new(up.y, -up.x);
        self.find_supports(up, supports);
        self.find_heights(up, order);
        order.sort_unstable_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
        self.find_held(order, supports, held);
        let weight = gravity.length();
        load.clear();
        load.resize(self.bodies.awake.len() + 1, [0.0; 2]);
        for &(_, row) in order.iter() {
            let body = &self.bodies.rows[self.bodies.awake[row as usize - 1] as usize];
            let [carried, moment] = load[row as usize];
            let weight = match self.bodies.own_laws.get(self.bodies.awake[row as usize - 1]).gravity {
                Some(gravity) => max(-gravity.dot(up), 0.0),
                None => weight,
            };
            let own = carried + max(body.mass * weight * body.gravity_scale, 0.0);
            let mine = supports_of(supports, row).filter(|support| held[support.lower as usize]);
            let sum: f32 = mine.clone().map(|support| support.rise * support.rise).sum();
            let is_alone = mine.clone().count() == 1;
            for support in mine {
                // On a slope, friction carries the rest.
                let impulse = own * support.rise / max(sum, 1.0);
                let feet = self.feet(support, side);
                let second = if is_alone && own > 0.0 { feet.share_at(moment / own) } else { 0.5 };
                let below = &mut load[support.lower as usize];
                below[0] += impulse * support.rise;
                below[1] += impulse * support.rise * feet.below(second);
                self.guess(support.contact, impulse, second);
            }
        }
        self.scratch.settle = scratch;
    }

    /// Heights of all dynamic bodies, from the first one.
    fn find_heights(&self, up: Vec2, heights: &mut Vec<(f32, u32)>) {
        heights.clear();
        let Some(&first) = self.bodies.awake.first() else { return };
        let origin = self.bodies.rows[first as usize].center_point();
        let rows = self.bodies.awake.iter().zip(1_u32..);
        let dynamic = rows.filter(|&(&slot, _)| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC));
        heights.extend(dynamic.map(|(&slot, row)| {
            let center = self.bodies.rows[slot as usize].center_point();
            (self.way(origin, center).dot(up), row)
        }));
    }

    /// Marks supported bodies: immovable ones, bodies that hang on them by joints, and, from the
    /// lowest body upwards, bodies that stand on marked ones.
    fn find_held(&self, order: &[(f32, u32)], supports: &[Support], held: &mut Vec<bool>) {
        held.clear();
        held.push(true);
        held.extend(
            self.bodies.awake.iter().map(|&slot| !self.bodies.rows[slot as usize].has(body_flag::DYNAMIC)),
        );
        self.find_hanging(held);
        for &(_, row) in order.iter().rev() {
            held[row as usize] |= supports_of(supports, row).any(|support| held[support.lower as usize]);
        }
    }

    /// Marks bodies that hang, by joints from body to body, on an immovable one: the planks of a
    /// bridge.
    fn find_hanging(&self, held: &mut [bool]) {
        let falls = |slot: u32| slot != NONE && self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
        let joined = |body: u32| {
            let bearing = self.joint_slots_of(body).filter(|&slot| self.bears(slot));
            bearing.map(move |slot| {
                let joint = &self.joints.rows[slot as usize];
                if joint.body_a == body { joint.body_b } else { joint.body_a }
            })
        };
        let jointed = self.bodies.awake.iter().copied().filter(|&slot| self.joints.first_of(slot) != NONE);
        let mut hanging: Vec<u32> =
            jointed.filter(|&slot| falls(slot) && joined(slot).any(|other| !falls(other))).collect();
        hanging.iter().for_each(|&slot| held[self.bodies.solver_rows[slot as usize] as usize] = true);
        while let Some(body) = hanging.pop() {
            for other in joined(body).filter(|&other| falls(other)) {
                // Row 0, of sleeping and immovable bodies, is marked already.
                let row = self.bodies.solver_rows[other as usize] as usize;
                if !core::mem::replace(&mut held[row], true) {
                    hanging.push(other);
                }
            }
        }
    }

    /// Finds the contacts that support bodies, sorted by the body above.
    fn find_supports(&self, up: Vec2, supports: &mut Vec<Support>) {
        supports.clear();
        for &contact in &self.graph.touching {
            let link = &self.contacts.link[contact as usize];
            if link.flags & flag::TOUCHING == 0 || link.flags & flag::PREDICTED != 0 {
                continue;
            }
            let row = &self.contacts.manifold[contact as usize];
            let gap = row.separation(link.count);
            let most = self.tuning.contacts.resting_gap;
            if gap > most || self.comes_together(contact) > self.def.gravity.length() * self.step.dt {
                continue;
            }
            let rise = row.normal.dot(up);
            let (upper, lower) =
                if rise > 0.0 { (link.body_b, link.body_a) } else { (link.body_a, link.body_b) };
            let (above, below) = (&self.bodies.rows[upper as usize], &self.bodies.rows[lower as usize]);
            let bearable =
                !below.has(body_flag::DYNAMIC) || above.mass <= ContactTuning::MOST_BORNE * below.mass;
            // A dominant body gets no impulse from bodies that lie on it or below it.
            let (sinks, stands) = (self.dominates(upper, lower), self.dominates(lower, upper));
            if above.has(body_flag::DYNAMIC) && bearable && !sinks && rise.abs() > ContactTuning::BEARING {
                let rows = &self.bodies.solver_rows;
                let (upper, lower) = (rows[upper as usize], if stands { 0 } else { rows[lower as usize] });
                supports.push(Support { upper, lower, contact, rise: rise.abs() });
            }
        }
        supports.sort_unstable_by_key(|support| (support.upper, support.contact));
    }

    /// Approach speed of two centres of mass along the normal: for resting bodies no more than
    /// gravity adds in a step.
    fn comes_together(&self, contact: u32) -> f32 {
        let (link, row) = (&self.contacts.link[contact as usize], &self.contacts.manifold[contact as usize]);
        let speed = |slot: u32| self.bodies.rows[slot as usize].linear_velocity;
        (speed(link.body_a) - speed(link.body_b)).dot(row.normal).abs()
    }

    /// The points of a support.
    fn feet(&self, support: &Support, side: Vec2) -> Feet {
        let contact = support.contact as usize;
        let (row, impulse) = (&self.contacts.manifold[contact], &self.contacts.impulse[contact]);
        let link = &self.contacts.link[contact];
        let way = impulse.a_to_b.dot(side);
        let first = row.points[0].at.dot(side);
        let second = if link.count == 2 { row.points[1].at.dot(side) } else { first };
        // Points are given from A's centre.
        let upper_is_a = self.bodies.solver_rows[link.body_a as usize] == support.upper;
        let (from_upper, from_lower) = if upper_is_a { (0.0, way) } else { (way, 0.0) };
        Feet {
            above: [first - from_upper, second - from_upper],
            below: [first - from_lower, second - from_lower],
        }
    }

    /// Sets force and load of a contact that has none yet; the second point, if any, gets a share.
    fn guess(&mut self, contact: u32, impulse: f32, second: f32) {
        let count = usize::from(self.contacts.link[contact as usize].count);
        let shares = if count == 2 { [1.0 - second, second] } else { [1.0, 0.0] };
        let row = &mut self.contacts.impulse[contact as usize];
        if row.normal[0] + row.normal[1] != 0.0 {
            return;
        }
        let surface = &mut self.contacts.surface[contact as usize];
        for (k, share) in shares.into_iter().enumerate().take(count) {
            row.normal[k] = impulse * share;
            surface.loads[k] = row.normal[k];
        }
    }
}
