//! Keeping those apart who nearly touch: what contacts would hold is held a moment before.
//!
//! In: the velocities that all chose, each without seeing what others chose. Out: velocities at
//! which nearly no pair comes to touch.
//!
//! A throng has no velocities that avoid all; each then takes what breaks its half-planes least,
//! and they press. Contacts are soft: a hundred who press sink into each other by 0.6 % of their
//! width. So of each pair that is near, the speed at which it closes is cut to what uses up the gap
//! in [`TIME`] ticks, some rounds over all pairs, as contacts are solved (projected Gauss-Seidel).
//! It takes from speeds and never adds to them, so whoever was thrown still strikes.

use carom::Vec2;

use super::Crowd;
use core::cmp::Ordering;

use super::choose::{makes_way, rank_of};
use super::comrades::Rank;
use super::math::{dot, max};

/// Two who nearly touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Close {
    a: u32,
    b: u32,
    /// From a to b, of length 1.
    normal: Vec2,
    /// How fast they may come nearer, in m/s.
    most: f32,
    /// The part of a in what has to change; the rest is b's.
    share: f32,
}

/// Nearer than this share of their width is near.
const NEAR: f32 = 0.1;

/// A gap is counted from this share of the width on: what f32 and contacts leave.
const KEPT: f32 = 0.002;

/// A gap may be used up in so many ticks.
const TIME: f32 = 4.0;

/// How often all pairs are gone through. (4: the circle of 100 keeps 0.9993 of the width, 6:
/// 0.9998.)
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
                // Of two who are awake, the first has the pair.
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
