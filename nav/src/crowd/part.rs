//! Limits on velocities of agents that nearly touch, a moment before contacts would.
//!
//! In: the velocities, each chosen without knowing the others. Out: velocities at which hardly any
//! pair comes to touch.
//!
//! In a throng no velocity avoids all neighbours; each agent then violates its half-planes least,
//! and they press. Contacts are soft: a hundred pressing agents sink into each other by 0.6 % of
//! their width. So the closing speed of each near pair is limited to use up the gap in [`TIME`]
//! ticks at the soonest, in several rounds over all pairs, as contacts are solved (projected
//! Gauss-Seidel). This only reduces speeds, so a thrown agent still strikes.

use carom::Vec2;

use super::Crowd;
use core::cmp::Ordering;

use super::choose::{makes_way, rank_of};
use super::comrades::Rank;
use super::math::{dot, max};

/// Two agents that nearly touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Close {
    a: u32,
    b: u32,
    /// From a to b, of length 1.
    normal: Vec2,
    /// Greatest closing speed, in m/s.
    most: f32,
    /// The share of a in the change; the rest is b's.
    share: f32,
}

/// Pairs with a gap below this share of their width are near.
const NEAR: f32 = 0.1;

/// A gap counts only beyond this share of the width: the error of f32 and contacts.
const KEPT: f32 = 0.002;

/// Least number of ticks in which a gap may be used up.
const TIME: f32 = 4.0;

/// Rounds over all pairs. (4: the circle of 100 keeps 0.9993 of the width, 6: 0.9998.)
const ROUNDS: usize = 6;

impl Crowd {
    /// Cuts velocities at which pairs would touch.
    pub(super) fn part(&mut self, dt: f32) {
        self.find_close(dt);
        for _ in 0..ROUNDS {
            for close in &self.close {
                let (a, b) = (close.a as usize, close.b as usize);
                let closing = dot(self.outcomes[a].velocity - self.outcomes[b].velocity, close.normal);
                let excess = closing - close.most;
                if excess > 0.0 {
                    self.outcomes[a].velocity -= close.normal * (excess * close.share);
                    self.outcomes[b].velocity += close.normal * (excess * (1.0 - close.share));
                }
            }
        }
    }

    fn find_close(&mut self, dt: f32) {
        self.close.clear();
        for (a, row) in self.rows.iter().enumerate().filter(|(_, row)| row.present && !row.asleep) {
            for &b in self.near.of(a) {
                let other = &self.rows[b as usize];
                // If both are awake, the pair is listed at its first agent.
                if b as usize <= a && !other.asleep {
                    continue;
                }
                let radius = row.radius + other.radius;
                let to = row.place.to(other.place);
                let square = dot(to, to);
                let far = radius * (1.0 + NEAR);
                if square > far * far || square == 0.0 || !other.present {
                    continue;
                }
                let distance = square.sqrt();
                let gap = max(distance - radius * (1.0 + KEPT), 0.0);
                let rank = rank_of(&self.rows, &self.paths, a, b as usize, to, self.tick);
                let share = if makes_way(row, other, rank) || rank == Rank::First {
                    1.0
                } else if makes_way(other, row, rank.flip()) || rank == Rank::Yields {
                    0.0
                } else {
                    match row.priority.cmp(&other.priority) {
                        Ordering::Less => 1.0,
                        Ordering::Equal => 0.5,
                        Ordering::Greater => 0.0,
                    }
                };
                let (a, normal) = (a as u32, to / distance);
                self.close.push(Close { a, b, normal, most: gap / (TIME * dt), share });
            }
        }
    }
}
