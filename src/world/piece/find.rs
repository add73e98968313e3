//! The search for bodies whose centre of mass is in an area.
//!
//! In: an area. Out: the slots of the bodies, ascending. The grid finds the boxes of parts near the
//! area; then the centre of each body with such a part is tested.
//!
//! That finds a body only if its centre is near a box of its own. This is so for nearly all bodies:
//! the middle of a part is inside its box at any angle, and the centre of mass is near the middle
//! of a part. The others, off-centre bodies, are in a list and are tested one by one: bodies
//! without parts, rings, chains far from their origin, and bodies with many parts.

use super::World;
use crate::body::NONE;
use crate::body::collider::ShapeLinks;
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::math::WorldPoint;
use crate::tuning::REGION_SIZE;

/// How far a centre of mass may be from the middle of a part, in metres, for the body to be found
/// by the box of that part.
const NEAR_MIDDLE: f32 = 0.5;

/// How far from the area boxes are looked for, in metres. The rest is room for the rounding of
/// places of parts, whose size is limited for that.
const SEARCH_REACH: f32 = 2.0 * NEAR_MIDDLE;

/// A body that reaches farther than so many metres counts as off-centre: the rounding of its parts
/// may exceed the margin.
const LARGEST_REACH: f32 = 1.0e5;

/// Most shapes of a body that are tested, and most parts of each: every change of a part repeats
/// the test, and a body may have thousands.
const PARTS: usize = 4;

/// With fewer bodies, each of them is tested.
const FEW_BODIES: usize = 256;

/// If more than one in this many bodies has a part near the area, each of them is tested: a pass
/// over all rows is quicker than a walk through trees and a sort.
const ASKED_SHARE: usize = 8;

/// Number of bodies, spread over the list, that are tested first: if too large a share of them is
/// in the area, the walk through trees would be in vain.
const SAMPLES: usize = 24;

impl World {
    /// The bodies whose centre lies in an area, by slot.
    pub(super) fn bodies_in(&self, area: &WorldAabb) -> Vec<u32> {
        let is_in = self.has_center_in(area);
        let all = || self.bodies.slots.iter().filter(|&slot| is_in(slot)).collect();
        let rows = self.bodies.rows.len();
        let sample = (0..rows as u32).step_by(rows / SAMPLES + 1);
        if rows < FEW_BODIES || sample.filter(|&slot| is_in(slot)).count() > SAMPLES / ASKED_SHARE {
            return all();
        }
        let Some(mut found) = self.bodies_around(area) else { return all() };
        found.retain(|&slot| self.bodies.slots.tenant(slot).is_some() && is_in(slot));
        found.sort_unstable();
        found.dedup();
        debug_assert_eq!(found, all(), "off-centre bodies are known");
        found
    }

    /// The bodies that have parts near an area, and all off-centre ones, some of them several
    /// times; `None` if these are many.
    fn bodies_around(&self, area: &WorldAabb) -> Option<Vec<u32>> {
        let most = self.bodies.rows.len() / ASKED_SHARE;
        if self.bodies.off_center.len() > most {
            return None;
        }
        let mut found: Vec<u32> = self.bodies.off_center.iter().collect();
        let unit = self.def.unit;
        let Aabb { min, max } = area.aabb;
        // The sum of a side and the reach is rounded, too.
        let rounding = f32::EPSILON * min.abs().max(max.abs()).max_element();
        let around = WorldAabb { aabb: area.aabb.grown(SEARCH_REACH * unit + 2.0 * rounding), ..*area };
        let mut is_all = true;
        self.grid.query(&around, |part| {
            let body = self.shapes.proxies.rows[part as usize].body;
            if body != NONE && found.last() != Some(&body) {
                found.push(body);
            }
            is_all = found.len() <= most;
            is_all
        });
        is_all.then_some(found)
    }

    /// Whether the centre of a body lies in an area: on its lower sides, and not on its upper ones.
    fn has_center_in(&self, area: &WorldAabb) -> impl Fn(u32) -> bool {
        // In f64, where differences of nearby positions are exact: exactly one of two adjacent
        // tiles has the body.
        let along = |region: i32, local: f32, origin: i32| {
            (i64::from(region) - i64::from(origin)) as f64 * f64::from(REGION_SIZE) + f64::from(local)
        };
        let area = *area;
        let middle = WorldPoint::new(area.region, area.aabb.center());
        let (period, Aabb { min, max }) = (self.def.period(), area.aabb);
        let is_endless = period.is_none();
        move |slot: u32| {
            let body = &self.bodies.rows[slot as usize];
            if is_endless && body.region == area.region {
                let center = body.center;
                // The test has no branch for each side.
                return (min.x <= center.x) & (center.x < max.x) & (min.y <= center.y) & (center.y < max.y);
            }
            let region = period.image(body.center_point(), middle).region;
            let x = along(region.x, body.center.x, area.region.x);
            let y = along(region.y, body.center.y, area.region.y);
            (f64::from(min.x)..f64::from(max.x)).contains(&x)
                && (f64::from(min.y)..f64::from(max.y)).contains(&y)
        }
    }

    /// Updates whether a body is off-centre, after its parts or its centre of mass changed.
    #[inline]
    pub(crate) fn note_off_center(&mut self, slot: u32) {
        if self.is_off_center(slot) {
            self.bodies.off_center.insert(slot);
        } else {
            self.bodies.off_center.remove(slot);
        }
    }

    /// Whether the centre of a body may be far from the boxes of its first parts.
    pub(crate) fn is_off_center(&self, slot: u32) -> bool {
        let (body, unit) = (&self.bodies.rows[slot as usize], self.def.unit);
        if body.max_extent > LARGEST_REACH * unit {
            return true;
        }
        let near = NEAR_MIDDLE * unit * (NEAR_MIDDLE * unit);
        let mut shape = body.first_shape;
        for _ in 0..PARTS {
            if shape == NONE {
                return true;
            }
            let ShapeLinks { next, first_proxy } = self.shapes.links[shape as usize];
            let mut part = first_proxy;
            for _ in 0..PARTS {
                if part == NONE {
                    break;
                }
                let middle = self.shapes.proxies.local_of(part).middle;
                if (middle - body.local_center).length_squared() <= near {
                    return false;
                }
                part = self.shapes.proxies.rows[part as usize].next;
            }
            shape = next;
        }
        true
    }
}
