//! At the end of a step: a body that is cut short moves on with the body that it struck.
//!
//! In: the cuts of the step. Out: bodies at their time of impact, moved on over the rest of the
//! step so that they keep their pose relative to the bodies that they struck.
//!
//! ```text
//!   time      0              τ               1
//!   plate     [ ]<- - - - - [ ]              struck at τ, it goes on for (1 - τ) dt
//!   body       o------------>o               cut short at τ
//!             [ ]o<----------o               at the end of the step: at its face still
//! ```
//!
//! Each such body follows a leader: the body that it struck, or, if both are cut short by the
//! impact, their common centre of mass. So equal impacts in a wagon end at equal places in it,
//! whatever the speed of the wagon; and a pair that collides in each step still falls. (Left where
//! they met, such pairs hung in the air: in 23 of 150 rooms of bodies at 200 m/s, for up to 9
//! steps.) Movable jointed bodies that strike each other stay where they met: their joints may hold
//! them to something else. (Moved on as a whole, ragdolls cost 17 % more, and gaps opened by 6 cm.)
//!
//! This motion is cast too. At an obstacle bodies leave their leader, and the obstacle leads.
//!
//! Tests: physics/frames.rs, physics/hanging.rs.

use glam::Vec2;

use super::scratch::CutBody;
use super::{MANY_STRAYS, cast_cores, way_through};
use crate::ablate::Rule;
use crate::body::{Body, NONE, flag as body_flag};
use crate::bounds::Aabb;
use crate::broadphase::{Pair, WorldAabb};
use crate::contact::flag;
use crate::math::{Motion, Rot, Transform, max, min};
use crate::narrowphase::{CastHit, cast_pieces};
use crate::step::collide::write::Approach;
use crate::step::displacement::way;
use crate::tuning::CcdTuning;
use crate::world::World;

/// Most leaders of a body, one after the other, in the rest of a step. It leaves the first ones at
/// any obstacle, the last but one at immovable obstacles only, and the last one never.
const LEADERS: usize = 4;

/// Boxes per contact, and besides, that a step looks at for obstacles and strides. After that,
/// bodies that are cut short stay where they met, in the order of their impacts. (A box of 100 m
/// that falls onto 5,000 balls at 200 m/s took half a second: each ball has hundreds of others on
/// its way.)
const BOXES_SEEN: [usize; 2] = [4, 10_000];

/// A displacement of a body's centre of mass, and its rotation in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shift {
    pub(super) way: Vec2,
    pub(super) turn: f32,
}

impl Shift {
    fn of(moved: [f32; 4]) -> Shift {
        Shift { way: way(moved), turn: moved[2] }
    }

    fn times(self, share: f32) -> Shift {
        Shift { way: self.way * share, turn: self.turn * share }
    }

    fn plus(self, more: Shift) -> Shift {
        Shift { way: self.way + more.way, turn: self.turn + more.turn }
    }

    /// Upper bound of the displacement of any point of a body.
    fn reach(self, body: &Body) -> f32 {
        self.way.length() + self.turn.abs() * body.max_extent
    }
}

/// The frame in which bodies move on.
#[derive(Clone, Copy)]
enum Leader {
    /// A body that was not cut short by the same impact.
    Body(u32),
    /// A common centre of mass, with its displacement over a whole step.
    Center(Vec2),
}

impl World {
    /// Puts bodies back to their times of impact, and moves them on with the bodies that they
    /// struck. `cuts` are sorted by body, `order` by time.
    pub(super) fn move_on_with_struck(&mut self, cuts: &mut [CutBody], order: &mut [CutBody], dt: f32) {
        let are_many = order.len() > MANY_STRAYS;
        let [each, more] = BOXES_SEEN;
        let most = each * self.contacts.active.len() + more;
        self.scratch.ccd.boxes_left = if Rule::BoxesSeen.is_on() { most } else { usize::MAX };
        for group in order.chunk_by_mut(|p, q| p.time == q.time && p.pair == q.pair) {
            if are_many {
                self.grid.refresh_if_scattered();
            }
            let leader = self.leader_of(group);
            for cut in &mut *group {
                cut.put_back = way(self.displacement_of(cut.slot)) * (1.0 - cut.time);
                self.take_back(cut.slot, 1.0 - cut.time);
            }
            self.move_on(group, leader, cuts);
            for cut in &mut *group {
                cut.put_back -= cut.moved_on.unwrap_or_default().way;
                self.slow_put_back(cut, (1.0 - cut.time) * dt);
                self.update_boxes(cut.slot);
                if let Ok(index) = cuts.binary_search_by_key(&cut.slot, |cut| cut.slot) {
                    cuts[index] = *cut;
                }
            }
        }
    }

    /// Moves on bodies that were cut short by one impact, up to the end of the step.
    fn move_on(&mut self, group: &mut [CutBody], mut leader: Leader, cuts: &[CutBody]) {
        let mut from = group[0].time;
        for round in 1..=LEADERS {
            let is_spent = Rule::BoxesSeen.acts(self.scratch.ccd.boxes_left == 0);
            if is_spent || !Rule::MovesOn.acts(true) {
                group.iter_mut().for_each(|cut| cut.moved_on = Some(cut.moved_on.unwrap_or_default()));
                return;
            }
            let obstacle = if round < LEADERS && Rule::Obstacles.is_on() {
                self.first_obstacle(group, (leader, from), (cuts, round + 1 < LEADERS))
            } else {
                None
            };
            let share = obstacle.map_or(1.0, |(share, _)| share);
            for cut in &mut *group {
                let shift = self.shift_with(cut.slot, (leader, from), cuts).times(share);
                if shift != Shift::default() {
                    self.place_late(cut.slot, shift.way, shift.turn);
                }
                cut.moved_on = Some(cut.moved_on.unwrap_or_default().plus(shift));
            }
            let Some((_, slot)) = obstacle else { return };
            Rule::Obstacles.count();
            (leader, from) = (Leader::Body(slot), from + (1.0 - from) * share);
        }
    }

    /// The leader of the bodies that one impact cut short.
    fn leader_of(&self, group: &[CutBody]) -> Leader {
        let is_cut = |slot: u32| group.iter().any(|cut| cut.slot == slot);
        if let Some(struck) = self.bodies_of(group[0].pair).into_iter().find(|&slot| !is_cut(slot)) {
            return Leader::Body(struck);
        }
        let is_jointed = group.iter().any(|cut| self.joints.first_of(cut.slot) != NONE);
        let is_jointed = Rule::JointedStay.acts(is_jointed);
        let is_common = Rule::CommonCenter.acts(!is_jointed);
        Leader::Center(if is_common { self.common_way(group) } else { Vec2::ZERO })
    }

    /// Displacement of the common centre of mass of bodies in the step.
    fn common_way(&self, group: &[CutBody]) -> Vec2 {
        let (mut whole, mut sum) = (Vec2::ZERO, Vec2::ZERO);
        for cut in group {
            let mass = self.bodies.rows[cut.slot as usize].inv_mass.recip();
            whole += mass;
            sum += mass * way(self.displacement_of(cut.slot));
        }
        // A locked axis has an infinite mass.
        let common = |sum: f32, whole: f32| if whole.is_finite() { sum / whole } else { 0.0 };
        Vec2::new(common(sum.x, whole.x), common(sum.y, whole.y))
    }

    /// Displacement of a body from `time` to the end of the step: as it moved, or as it moved on.
    fn rest_of(&self, slot: u32, time: f32, cuts: &[CutBody]) -> Shift {
        if let Ok(index) = cuts.binary_search_by_key(&slot, |cut| cut.slot)
            && let Some(moved_on) = cuts[index].moved_on
        {
            return moved_on.times(min((1.0 - time) / (1.0 - cuts[index].time), 1.0));
        }
        Shift::of(self.displacement_of(slot)).times(1.0 - time)
    }

    /// How a body at its pose of `time` moves on with its leader to the end of the step: not along
    /// locked axes.
    fn shift_with(&self, slot: u32, (leader, time): (Leader, f32), cuts: &[CutBody]) -> Shift {
        let body = &self.bodies.rows[slot as usize];
        let shift = match leader {
            Leader::Center(common) => Shift { way: common * (1.0 - time), turn: 0.0 },
            Leader::Body(leader) => {
                let rest = self.rest_of(leader, time, cuts);
                let from = self.bodies.rows[leader as usize].center_point();
                let arm = self.way(from, body.center_point()) + rest.way;
                let round =
                    if rest.turn == 0.0 { Vec2::ZERO } else { Rot::from_angle(rest.turn) * arm - arm };
                Shift { way: rest.way + round, turn: rest.turn }
            }
        };
        let along = |way: f32, inv_mass: f32| if inv_mass == 0.0 { 0.0 } else { way };
        Shift {
            way: Vec2::new(along(shift.way.x, body.inv_mass.x), along(shift.way.y, body.inv_mass.y)),
            turn: along(shift.turn, body.inv_inertia),
        }
    }

    /// The first obstacle on the way of bodies that move on: the share of that way, and the body.
    /// An immovable leader pushes movable bodies before it.
    fn first_obstacle(
        &mut self,
        group: &[CutBody],
        (leader, time): (Leader, f32),
        (cuts, any): (&[CutBody], bool),
    ) -> Option<(f32, u32)> {
        let mut first: Option<(f32, Pair, u32)> = None;
        let mut others = core::mem::take(&mut self.scratch.ccd.late_others);
        for cut in group {
            let shift = self.shift_with(cut.slot, (leader, time), cuts);
            let body = &self.bodies.rows[cut.slot as usize];
            if shift.reach(body) <= CcdTuning::DIPS * body.min_extent {
                continue;
            }
            // Boxes of parts are out of date since the cut: the box is taken around the body.
            let here = Aabb { min: body.center, max: body.center };
            let ends = Aabb { min: here.min + shift.way, max: here.max + shift.way };
            let round = WorldAabb { region: body.region, aabb: here.union(ends).grown(body.max_extent) };
            self.show_beside(cut.slot, round);
            others.clear();
            let mut seen = 0;
            self.grid.query(&round, |other| {
                seen += 1;
                let slot = self.shapes.proxies.rows[other as usize].body;
                let gives = self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
                let counts = (any || !gives) && group.iter().all(|cut| cut.slot != slot);
                if counts && !self.is_led_past(leader, slot) {
                    others.push(other);
                }
                true
            });
            // The grid finds them in an order of its own; filter hooks are called in a fixed order,
            // as their answers are recorded.
            others.sort_unstable();
            let left = &mut self.scratch.ccd.boxes_left;
            *left = left.saturating_sub(seen);
            for part in self.parts_of_body(cut.slot) {
                for &other in &others {
                    let pair = Pair::new(part, other);
                    let slot = self.shapes.proxies.rows[other as usize].body;
                    let rest = self.rest_of(slot, time, cuts);
                    if let Some(share) = self.meets_moved_on((part, shift), (other, rest))
                        && first.is_none_or(|(least, old, _)| (share, pair) < (least, old))
                    {
                        first = Some((share, pair, slot));
                    }
                }
            }
        }
        self.scratch.ccd.late_others = others;
        first.map(|(share, _, slot)| (share, slot))
    }

    /// Whether a body is no obstacle to the followers of `leader`: the leader itself, and dynamic
    /// bodies in the way of a leader that is not dynamic, which pushes them.
    fn is_led_past(&self, leader: Leader, slot: u32) -> bool {
        let gives = |slot: u32| self.bodies.rows[slot as usize].has(body_flag::DYNAMIC);
        match leader {
            Leader::Center(_) => false,
            Leader::Body(leader) => leader == slot || (gives(slot) && !gives(leader)),
        }
    }

    /// At which share of the rest of a step a part that moves on meets another part.
    fn meets_moved_on(&self, (part, shift): (u32, Shift), (other, rest): (u32, Shift)) -> Option<f32> {
        let [own, its] = [part, other].map(|part| &self.shapes.proxies.rows[part as usize]);
        let (a, b) = (&self.bodies.rows[own.body as usize], &self.bodies.rows[its.body as usize]);
        let between = self.way(a.center_point(), b.center_point()) - rest.way;
        if !come_near(between, shift.way - rest.way, a.max_extent + b.max_extent) {
            return None;
        }
        let approach = Approach::new(
            ((shift.way, shift.turn), a.max_extent),
            ((rest.way, rest.turn), b.max_extent),
            between,
            self.tuning.margins.near_gap,
        );
        // (With the whole thickness where both give, as at the end of the step, a crushed heap stays
        // 86 mm deep in place of 50.)
        if approach.way.length() + approach.turn <= CcdTuning::DIPS * way_through(a, b) {
            return None;
        }
        let pair = Pair::new(part, other);
        let passes = flag::SENSOR | flag::ONE_WAY | flag::HOOKED;
        let may_touch = self.contacts.find(pair).is_some() || self.may_touch(pair);
        if self.link_of(pair).flags & passes != 0 || !may_touch {
            return None;
        }
        let (own_a, own_b) = (self.centred(own), self.centred(its));
        let motion = |position: Vec2, rotation: Rot, shift: Shift| Motion {
            start: Transform { position, rotation },
            translation: shift.way,
            turn: shift.turn,
        };
        let motion_a = motion(Vec2::ZERO, a.rotation, shift);
        let motion_b = motion(between, b.rotation.turned(-rest.turn), rest);
        let (piece_a, piece_b) = (own_a.piece(), own_b.piece());
        let ahead = |hit: &CastHit| Some(hit.time).filter(|&time| time < 1.0);
        let mut closes = 0.0;
        if !self.is_held(own.body) {
            let hit = cast_pieces(piece_a, motion_a, piece_b, motion_b)?;
            if hit.time > 0.0 {
                return ahead(&hit);
            }
            closes = approach.closes(hit.normal);
        }
        // A core that is in an obstacle does not get deeper.
        let hit = cast_cores((&piece_a, motion_a, a), (&piece_b, motion_b, b))?;
        if hit.time > 0.0 || closes > 0.0 { ahead(&hit) } else { None }
    }
}

/// Whether a circle that moves by `way` comes near another one, which is `between` away at its
/// start, if the two touch at a distance of `reach`.
fn come_near(between: Vec2, way: Vec2, reach: f32) -> bool {
    let nearest = min(max(between.dot(way), 0.0) / max(way.length_squared(), f32::MIN_POSITIVE), 1.0);
    (between - way * nearest).length_squared() <= reach * reach
}
