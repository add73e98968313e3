//! Flocks: members follow the trail of a leader.
//!
//! In: positions of the leader. Out: its trail, and the preferred velocity of each member. The mean
//! of a flock may lie behind a wall; the trail never does, because the leader walked it.
//!
//! The rules of flocks are three (Reynolds 1987, "Flocks, herds, and schools"). Separation is left
//! to avoidance and to contacts. Cohesion is the trail, up to a distance that grows with the root
//! of a member's rank, like the radius of a disc of members. Alignment is the leader's velocity,
//! which members take over within that distance.

use carom::{Vec2, WorldPoint};

use super::choose::Row;
use super::math::{length, max, min, unit};
use super::orders::Task;
use super::{Crowd, Walker};

/// Greatest number of points of a trail; beyond it, the oldest points are dropped.
const TRAIL: usize = Flock::MOST as usize;

/// A leader, members, and a trail.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Flock {
    pub(super) leader: u32,
    /// Sorted; empty when the flock is dissolved.
    pub(super) members: Vec<u32>,
    /// Positions of the leader, and the number of the first point.
    pub(super) trail: Vec<WorldPoint>,
    pub(super) first: u32,
    /// Whether the leader has no task; updated in each tick.
    pub(super) stands: bool,
}

impl Flock {
    pub(super) const MOST: u32 = 256;

    pub(super) fn new(leader: u32, members: Vec<u32>) -> Flock {
        Flock { leader, members, trail: Vec::new(), first: 0, stands: false }
    }

    pub(super) fn is_over(&self) -> bool {
        self.members.is_empty()
    }

    /// Adds the leader's position to the trail.
    pub(super) fn trace(&mut self, leader: &Row) {
        let step = leader.radius;
        if self.trail.last().is_some_and(|last| length(last.to(leader.place)) < step) {
            return;
        }
        if self.trail.len() == TRAIL {
            self.trail.drain(..TRAIL / 4);
            self.first += TRAIL as u32 / 4;
        }
        self.trail.push(leader.place);
    }

    /// The preferred velocity of a member, and its distance behind the leader.
    pub(super) fn lead(&self, index: u32, walker: &mut Walker, me: &Row, leader: &Row) -> (Vec2, f32) {
        let Some(last) = self.trail.len().checked_sub(1) else { return (Vec2::ZERO, 0.0) };
        let mut at = match walker.at {
            u32::MAX => self.join(me),
            at => (at.saturating_sub(self.first) as usize).min(last),
        };
        // A point counts as passed at some distance too, so that members need not walk in file.
        while at < last && length(me.place.to(self.trail[at])) < 3.0 * me.radius + leader.radius {
            at += 1;
        }
        walker.at = at as u32 + self.first;
        let to = me.place.to(if at == last { leader.place } else { self.trail[at] });
        let behind = length(to) + (last - at) as f32 * leader.radius;
        let rank = self.members.partition_point(|member| *member < index);
        let gap = (me.radius + leader.radius) * 1.1 * max((rank as f32 + 2.0).sqrt(), 1.0);
        // A leader that stands and is pushed about does not lead.
        let lead = if self.stands { 0.0 } else { length(leader.velocity) };
        if behind <= gap {
            // In its place it takes over the leader's velocity.
            return (if lead < 0.1 { Vec2::ZERO } else { leader.velocity }, behind);
        }
        // It catches up in half a second, and is never faster than it can walk.
        let speed = min(me.speed, lead + (behind - gap) / 0.5);
        let aside = unit(to) * speed;
        // Near its place it follows the leader's direction rather than going straight to the place.
        let share = min((behind - gap) / gap, 1.0);
        (aside * share + (if lead < 0.1 { aside } else { leader.velocity }) * (1.0 - share), behind)
    }

    /// The point at which a member joins the trail: the nearest one, the latest of equally near
    /// ones.
    fn join(&self, me: &Row) -> usize {
        let mut best = (f32::INFINITY, 0);
        for (k, point) in self.trail.iter().enumerate() {
            let distance = length(me.place.to(*point));
            if distance <= best.0 {
                best = (distance, k);
            }
        }
        best.1
    }
}

impl Crowd {
    /// Takes an agent out of its flock; if it was the leader, the first member leads.
    pub(super) fn leave_flocks(&mut self, index: u32) {
        for flock in &mut self.flocks {
            flock.members.retain(|member| *member != index);
            if flock.leader == index && !flock.is_over() {
                flock.leader = flock.members.remove(0);
                if let Some(leader) = &mut self.walkers[flock.leader as usize] {
                    leader.begin(Task::Stand);
                    leader.returns = false;
                    leader.fresh = true;
                }
            }
        }
    }
}
