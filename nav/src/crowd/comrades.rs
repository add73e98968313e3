//! Comrades: agents on their way through the same place, and the order of any two of them.
//!
//! In: the paths of two agents about their next corners. Out: their relation ([`Rank`]): a comrade
//! ahead or behind, an agent that comes through from the other side, or a stranger.
//!
//! Agents with one goal are comrades. So are agents whose paths lead through one *gate* in one
//! direction and part behind it, as at a door. The gate of an agent is its next corner, or the
//! corner that it has just passed. Paths need not have the same corners: two agents of different
//! radii turn about a doorpost in different places, and an agent that goes straight through has no
//! corner there at all. So the gate of one agent is searched for on the path of the other.
//!
//! ```text
//!                  | |
//!     a --------.  | |        a: turns at its gate g
//!                \ | |        b: goes straight on; the point f of its path nearest to g is
//!                 g| |           within the width of the gate ([`GATE`]), so they are comrades:
//!     b ----------f-------       a has |ag| to go, b has |bf|
//! ```
//!
//! At the gate itself, within that width, the agent that is farther through the gate is ahead.
//! Corners of two paths may lie on either side of the door and at either end of it; if lengths to
//! them decided, two agents at the doorposts would be ahead by turns, and neither would go.
//!
//! Agents that come through a gate against each other take turns, for some seconds each: an agent
//! inside comes out first, and agents on the other side step back, row by row, as they do before a
//! first and held-up agent. (Without turns fewer than half of 50 agents get through a door of 0.9 m
//! in two minutes, with pauses of 20 s; with turns all do in half a minute.)

use carom::Vec2;

use super::math::{dot, length, max, unit};

/// Paths lead through one gate if their points are nearer than this multiple of the sum of both
/// radii.
const GATE: f32 = 1.5;

/// From the edge of a gate on, over this share of its width, distances through the gate blend into
/// lengths of paths. (At once, an agent that steps back across the edge may come to be ahead by it:
/// two at the posts of a door of 0.9 m were ahead by turns for half a minute. Over all of the
/// width, agents along the wall beside a door count as near: each of three was ahead of the next,
/// none was first, and a door of 1.5 m had pauses of 3.8 s.)
const FAR: f32 = 0.25;

/// A passed corner remains a gate within this distance, in metres. Corners that follow each other
/// within this distance are one gate, at the last corner: the end of an arc, the far side of a
/// door.
pub(super) const GATE_DEPTH: f32 = 1.5;

/// Directions through one gate are alike if the cosine of their angle is above this: agents come
/// along the wall from both sides of a door, and meet agents that come out.
const OPPOSED: f32 = -0.5;

/// Relation of a neighbour to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    /// It goes elsewhere.
    Stranger,
    /// A comrade at the same distance from the gate or goal.
    Level,
    /// A comrade nearer to the gate or goal.
    Ahead,
    /// A comrade farther from the gate or goal.
    Behind,
    /// It comes through the same gate from the other side, and has the right of way.
    First,
    /// It comes through the same gate from the other side, and the agent has the right of way.
    Yields,
}

impl Rank {
    /// Rank of a comrade, by its and the agent's remaining distances.
    pub(super) fn of(its: f32, mine: f32) -> Rank {
        if its < mine {
            Rank::Ahead
        } else if its > mine {
            Rank::Behind
        } else {
            Rank::Level
        }
    }

    /// The rank of the agent for the other.
    pub(super) fn flip(self) -> Rank {
        match self {
            Rank::Ahead => Rank::Behind,
            Rank::Behind => Rank::Ahead,
            Rank::First => Rank::Yields,
            Rank::Yields => Rank::First,
            rank => rank,
        }
    }

    pub(super) fn is_comrade(self) -> bool {
        matches!(self, Rank::Level | Rank::Ahead | Rank::Behind)
    }
}

/// An agent nearer to its gate than this, in metres, or past it, goes through before agents from
/// the other side.
const INSIDE: f32 = 0.75;

/// Ticks for which one side of a gate has the right of way, then the other. (128: as good.)
const TURN: u64 = 256;

/// The path of an agent, relative to its present position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    /// The passed corner, the next one, the last corner of its gate, and a point beyond it.
    points: [Vec2; 4],
    /// The gate; the direction through it, between the directions before and behind it; and the
    /// distance to it, below 0 if it was passed.
    gate: Vec2,
    through: Vec2,
    left: f32,
    has_gate: bool,
    is_way: bool,
}

impl Path {
    /// A path from the passed corner, with the direction of arrival there, and the corners ahead.
    /// The last corner is the goal, and no gate.
    pub(super) fn new(before: Option<(Vec2, Vec2)>, mut ahead: impl Iterator<Item = Vec2>) -> Path {
        let Some(next) = ahead.next() else { return Path::default() };
        let (mut last, mut depth, mut beyond) = (next, 0.0, ahead.next());
        while let Some(corner) = beyond {
            depth += length(corner - last);
            let Some(after) = ahead.next().filter(|_| depth <= GATE_DEPTH) else { break };
            (last, beyond) = (corner, Some(after));
        }
        let mut path = Path {
            points: [before.map_or(Vec2::ZERO, |(corner, _)| corner), next, last, beyond.unwrap_or(last)],
            is_way: true,
            ..Path::default()
        };
        if let Some(beyond) = beyond {
            path.gate = last;
            path.through = between(next, beyond - last, last - next);
            path.left = length(next) + length(last - next);
            path.has_gate = true;
        } else if let Some((before, inward)) = before {
            path.gate = before;
            path.through = between(inward, next - before, Vec2::ZERO);
            path.left = passed(before, path.through);
            path.has_gate = true;
        }
        path
    }

    /// The next corner, relative to the agent.
    pub(super) fn next(&self) -> Option<Vec2> {
        self.is_way.then_some(self.points[1])
    }

    /// Distance along this path to a gate (given relative to this agent), and the direction of the
    /// path through it; `None` if the path does not pass the gate.
    fn left_to(&self, gate: Vec2, through: Vec2, width: f32) -> Option<(f32, Vec2)> {
        let mut best = (width * width, None);
        let mut from = self.points[0];
        let mut left = 0.0;
        for (k, to) in [Vec2::ZERO, self.points[1], self.points[2], self.points[3]].into_iter().enumerate() {
            let leg = to - from;
            let square = dot(leg, leg);
            if square > 0.0 {
                let t = (dot(gate - from, leg) / square).clamp(0.0, 1.0);
                let apart = from + leg * t - gate;
                let apart = dot(apart, apart);
                let size = square.sqrt();
                // Where two legs meet, the second one gives the direction.
                if apart <= best.0 {
                    // A corner counts as passed a little early, so the first leg may point back.
                    let along = if k == 0 { self.points[1] } else { leg };
                    let is_passed = k == 0 || k == 1 && t == 0.0;
                    let way = if is_passed { passed(gate, through) } else { left + t * size };
                    best = (apart, Some((way, along)));
                }
                left += if k == 0 { 0.0 } else { size };
            }
            from = to;
        }
        let (left, along) = best.1?;
        let own = self.gate - gate;
        let has_own = self.has_gate && dot(own, own) <= width * width;
        Some((left, if has_own { self.through } else { unit(along) }))
    }
}

/// The direction through a gate from the directions of the path before, behind and in it. Behind
/// it, two agents that came through side by side may go to either side, and before it they come
/// from either side: only both directions together show whether an agent comes from the other side.
fn between(inward: Vec2, onward: Vec2, inside: Vec2) -> Vec2 {
    unit(unit(inward) + unit(onward) + unit(inside))
}

/// Distance to a gate whose corner counts as passed, perhaps slightly too early. Below 0 if the
/// gate is behind.
fn passed(gate: Vec2, through: Vec2) -> f32 {
    let ahead = dot(gate, through);
    if ahead < 0.0 { ahead } else { length(gate) }
}

/// Rank of a guest, seen at `to`, for an agent (the owner) at the owner's gate; `radius` is the sum
/// of both radii. `None` if the guest does not pass the gate.
///
/// Far from the gate the lengths of the paths to it count, because agents come along the wall from
/// both sides. At the gate the distances through it count: two agents turn about different corners,
/// and the first must not become the second by its first step.
fn at_gate(owner: &Path, guest: &Path, to: Vec2, radius: f32, tick: u64) -> Option<Rank> {
    let width = GATE * radius;
    let (gate, its_gate) = (owner.gate, owner.gate - to);
    let (its, along) = guest.left_to(its_gate, owner.through, width)?;
    if dot(along, owner.through) < OPPOSED {
        return Some(opposed(owner.left, if guest.has_gate { guest.left } else { its }, owner.through, tick));
    }
    let along = unit(owner.through + along);
    let left = |gate: Vec2, way: f32| {
        let through = dot(gate, along);
        let far = ((length(gate) - width) / (FAR * width)).clamp(0.0, 1.0);
        through + (max(way, through) - through) * far
    };
    Some(Rank::of(left(its_gate, its), left(gate, owner.left)))
}

/// Rank of the second agent, seen at `to`, for the first, at a gate. The first agent's gate is
/// tried before the second's.
fn by_gate(first: &Path, second: &Path, to: Vec2, radius: f32, tick: u64) -> Rank {
    let of_first = if first.has_gate { at_gate(first, second, to, radius, tick) } else { None };
    let of_second =
        || if second.has_gate { at_gate(second, first, -to, radius, tick).map(Rank::flip) } else { None };
    of_first.or_else(of_second).unwrap_or(Rank::Stranger)
}

/// The right of way between two agents that come through a gate against each other, by their
/// distances to the gate and the agent's direction through it.
fn opposed(mine: f32, its: f32, through: Vec2, tick: u64) -> Rank {
    let (am_inside, is_inside) = (mine < INSIDE, its < INSIDE);
    // Any line separates the two directions, unless a gate lies along the line.
    let is_my_turn = (through.x + 0.618 * through.y > 0.0) == (tick / TURN).is_multiple_of(2);
    let is_mine = if am_inside == is_inside { is_my_turn } else { am_inside };
    if is_mine { Rank::Yields } else { Rank::First }
}

/// Rank of `other` for `me`, which sees it at `to`, at a gate; both agents get the same answer.
pub(super) fn rank(me: (usize, &Path), other: (usize, &Path), to: Vec2, radius: f32, tick: u64) -> Rank {
    if !(me.1.has_gate && other.1.is_way || other.1.has_gate && me.1.is_way) {
        return Rank::Stranger;
    }
    if me.0 < other.0 {
        by_gate(me.1, other.1, to, radius, tick)
    } else {
        by_gate(other.1, me.1, -to, radius, tick).flip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent whose path turns at `corners`.
    fn path(at: Vec2, corners: &[Vec2]) -> Path {
        Path::new(None, corners.iter().map(|corner| *corner - at))
    }

    fn both(a: (Vec2, Path), b: (Vec2, Path), tick: u64) -> Rank {
        let there = rank((0, &a.1), (1, &b.1), b.0 - a.0, 0.5, tick);
        let back = rank((1, &b.1), (0, &a.1), a.0 - b.0, 0.5, tick);
        assert_eq!(there, back.flip(), "both see it alike");
        there
    }

    const DOOR: [Vec2; 2] = [Vec2::new(-0.2, 0.0), Vec2::new(0.3, 0.0)];

    fn through(at: Vec2, goal: Vec2) -> (Vec2, Path) {
        (at, path(at, &[DOOR[0], DOOR[1], goal]))
    }

    #[test]
    fn who_is_nearer_to_a_door_is_ahead() {
        let (near, far) = (Vec2::new(-1.0, 0.5), Vec2::new(-2.0, -0.5));
        let rank = both(through(near, Vec2::new(9.0, 9.0)), through(far, Vec2::new(9.0, -9.0)), 0);
        assert_eq!(rank, Rank::Behind);
        // An agent that goes straight through has no corner there.
        let straight = (far, path(far, &[Vec2::new(20.0, 5.0)]));
        assert_eq!(both(through(near, Vec2::new(9.0, 9.0)), straight, 0), Rank::Behind);
        // Another door does not matter.
        let elsewhere = (far, path(far, &[Vec2::new(-0.2, -4.0), Vec2::new(9.0, -4.0)]));
        assert_eq!(both(through(near, Vec2::new(9.0, 9.0)), elsewhere, 0), Rank::Stranger);
    }

    /// Paths that come along the wall from both sides, and go on along it behind the door to either
    /// side, are not against each other, at either doorpost.
    #[test]
    fn ways_that_part_behind_a_door_go_the_same_way() {
        let posts = [1.0, -1.0].map(|side: f32| [Vec2::new(-0.2, side * 0.2), Vec2::new(0.2, side * 0.2)]);
        let from = |side: f32| Vec2::new(-0.6, side * 1.2);
        let to = |side: f32| Vec2::new(3.0, side * 9.0);
        for (side, other) in [(1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let [upper, lower] = posts;
            let by = |post: [Vec2; 2], at: Vec2, goal: Vec2| (at, path(at, &[post[0], post[1], goal]));
            let first = by(upper, from(1.0), to(side));
            let second = by(lower, from(-0.5), to(other));
            assert_eq!(both(first, second, 0), Rank::Ahead, "{side}, {other}");
        }
    }

    /// The agent that is ahead of another at the doorposts stays ahead when it steps on, though its
    /// path turns at the far end of the door and the other's path at the near end.
    #[test]
    fn who_is_ahead_at_a_door_stays_ahead() {
        let mut ahead = Vec2::new(-0.45, 0.3);
        let behind = Vec2::new(-0.47, -0.3);
        let gone = (
            behind,
            Path::new(
                Some((Vec2::new(-0.3, -0.2) - behind, Vec2::new(1.0, 1.0))),
                [Vec2::new(9.0, 4.0) - behind].into_iter(),
            ),
        );
        for _ in 0..20 {
            let corners = [Vec2::new(0.2, 0.2), Vec2::new(4.0, -9.0)];
            assert_eq!(both(gone, (ahead, path(ahead, &corners)), 0), Rank::Ahead, "{ahead}");
            ahead += Vec2::new(0.01, -0.005);
        }
    }

    #[test]
    fn who_has_passed_a_door_is_ahead() {
        let (before, after) = (Vec2::new(-0.6, 0.1), Vec2::new(0.7, 0.1));
        let gone =
            Path::new(Some((DOOR[1] - after, DOOR[1] - DOOR[0])), [Vec2::new(9.0, -9.0) - after].into_iter());
        assert_eq!(both(through(before, Vec2::new(9.0, 9.0)), (after, gone), 0), Rank::Ahead);
    }

    #[test]
    fn two_streams_take_turns_and_who_is_inside_comes_out() {
        let against = |at: Vec2| (at, path(at, &[-DOOR[0], -DOOR[1], Vec2::new(-9.0, 3.0)]));
        let (left, right) = (Vec2::new(-1.5, 0.0), Vec2::new(1.5, 0.0));
        let goal = Vec2::new(9.0, 3.0);
        assert_eq!(both(through(left, goal), against(right), 0), Rank::Yields);
        assert_eq!(both(through(left, goal), against(right), TURN), Rank::First);
        for tick in [0, TURN] {
            assert_eq!(both(through(left, goal), against(Vec2::new(0.1, 0.0)), tick), Rank::First);
        }
    }
}
