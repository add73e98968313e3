//! Which bodies go along with a piece: those that touch or are joined.
//!
//! In: the bodies of an area. Out: the bodies that are taken, according to how ties across its
//! border are treated.

use super::World;
use crate::body::{NONE, flag as body_flag};
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::contact::flag;
use crate::math::WorldPoint;
use crate::tuning::REGION_SIZE;

/// Treatment of bodies that touch or are joined to others across the border of a cut area.
///
/// Two dynamic bodies are tied if they touch, any two bodies if a joint connects them. Touching a
/// fixed or kinematic body is no tie: a wall is cut out, and bodies that leant on it fall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// A body that is tied to one outside stays, with all that is tied to it.
    #[default]
    Stay,
    /// A body that is tied to one inside comes along, wherever it is.
    Come,
    /// Ties are cut: contacts end, and joints are lost.
    Part,
}

impl World {
    /// The bodies whose centre lies in an area, by slot.
    pub(super) fn bodies_in(&self, area: &WorldAabb) -> Vec<u32> {
        // In f64, where differences of nearby positions are exact: exactly one of two adjacent
        // tiles has the body.
        let along = |region: i32, local: f32, origin: i32| {
            (i64::from(region) - i64::from(origin)) as f64 * f64::from(REGION_SIZE) + f64::from(local)
        };
        let middle = WorldPoint::new(area.region, area.aabb.center());
        let (period, Aabb { min, max }) = (self.def.period(), area.aabb);
        let is_endless = period.is_none();
        let is_in = |slot: &u32| {
            let body = &self.bodies.rows[*slot as usize];
            if is_endless && body.region == area.region {
                let center = body.center;
                // Without a branch for each side: most are decided by another one.
                return (min.x <= center.x) & (center.x < max.x) & (min.y <= center.y) & (center.y < max.y);
            }
            let region = period.image(body.center_point(), middle).region;
            let x = along(region.x, body.center.x, area.region.x);
            let y = along(region.y, body.center.y, area.region.y);
            let (low, high) = (area.aabb.min, area.aabb.max);
            (f64::from(low.x)..f64::from(high.x)).contains(&x)
                && (f64::from(low.y)..f64::from(high.y)).contains(&y)
        };
        self.bodies.slots.iter().filter(is_in).collect()
    }

    /// The bodies of an area that are taken, and those that stay; all by slot.
    pub(super) fn with_ties(&self, inside: &[u32], ties: Ties) -> (Vec<u32>, Vec<u32>) {
        let mut is_taken = vec![false; self.bodies.rows.len()];
        inside.iter().for_each(|&slot| is_taken[slot as usize] = true);
        // Bodies whose neighbours are visited: those inside that are tied to the outside, or all
        // inside.
        let mut open: Vec<u32> = match ties {
            Ties::Part => Vec::new(),
            Ties::Come => inside.to_vec(),
            Ties::Stay => {
                let reaches = |&slot: &u32| {
                    self.has_ends(slot) && self.tied_to(slot).any(|other| !is_taken[other as usize])
                };
                inside.iter().copied().filter(reaches).collect()
            }
        };
        if open.is_empty() {
            return (inside.to_vec(), Vec::new());
        }
        let comes = ties == Ties::Come;
        open.iter().for_each(|&slot| is_taken[slot as usize] = comes);
        while let Some(slot) = open.pop() {
            for other in self.tied_to(slot) {
                if is_taken[other as usize] != comes {
                    is_taken[other as usize] = comes;
                    open.push(other);
                }
            }
        }
        let stayed = inside.iter().copied().filter(|&slot| !is_taken[slot as usize]).collect();
        let mut taken = Vec::with_capacity(inside.len());
        taken.extend((0_u32..).zip(&is_taken).filter(|&(_, &taken)| taken).map(|(slot, _)| slot));
        (taken, stayed)
    }

    /// Whether a body has contacts or joints at all.
    fn has_ends(&self, slot: u32) -> bool {
        self.bodies.contact_counts[slot as usize] > 0 || self.joints.first[slot as usize] != NONE
    }

    /// The bodies that a body is tied to, some of them several times.
    fn tied_to(&self, slot: u32) -> impl Iterator<Item = u32> + '_ {
        let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
        let touched = self.contacts.by_body.of(slot).filter_map(move |contact| {
            let link = &self.contacts.link[contact as usize];
            let solid = link.flags & flag::TOUCHING != 0 && link.flags & flag::SENSOR == 0;
            let tied = solid && dynamic(link.body_a) && dynamic(link.body_b);
            tied.then_some(if link.body_a == slot { link.body_b } else { link.body_a })
        });
        let joined = self.joint_slots_of(slot).filter_map(move |joint| {
            let joint = &self.joints.rows[joint as usize];
            let other = if joint.body_a == slot { joint.body_b } else { joint.body_a };
            (other != NONE).then_some(other)
        });
        touched.chain(joined)
    }
}
