//! At the end of a step: the centre of a part does not cross a segment (one-sided tunnelling
//! guard). The call is `hold_lines`; a line is a segment, alone or in a chain.
//!
//! In: contacts with segments and chains, bodies with their old and new positions. Out: bodies
//! whose centre would have crossed to the other side are put back to their own side.
//!
//! ```text
//!                 o  centre at the start
//!                 :                          A line has no inside that pushes out. A body that is
//!     h = grip    x  <- where it is put      pressed into it by more than half would be pushed out
//!   ==============:=================  line   on the far side. So the side of a centre never
//!                 o  centre at the end       changes: contacts push to that side, and a body that
//!                                            presses harder than they can is stopped here.
//! ```
//!
//! For two lines, each is kept on its side of the other (`narrowphase/lines.rs`), by a share of
//! their resting distance.
//!
//! Casts (`ccd/mod.rs`) stop fast bodies. They cannot help with a body that already lies half in
//! the line and moves on slowly. The side of a centre is taken at the start of the step, in the
//! frame of the line, so a line that moves takes its bodies along.

use glam::Vec2;

use crate::ablate::Rule;
use crate::body::flag as body_flag;
use crate::contact::{ContactHeader, ManifoldRow, flag};
use crate::math::{Rot, max, min, unit_or_zero};
use crate::narrowphase::skin_of_lines;
use crate::shape::Piece;
use crate::step::displacement::way;
use crate::tuning::CcdTuning;
use crate::world::World;

/// A centre on the wrong side of a line, or too near to it.
struct Breach {
    /// The body to move.
    slot: u32,
    /// The other one.
    other: u32,
    /// The displacement that brings it far enough to its own side.
    back: Vec2,
}

impl World {
    /// Puts centres back to the side of the line that they came from.
    pub(crate) fn hold_lines(&mut self) {
        if !self.def.continuous || self.scratch.collide.lines.is_empty() {
            return;
        }
        let lines = core::mem::take(&mut self.scratch.collide.lines);
        let mut breached = false;
        for &contact in &lines {
            let breach = self.breach(contact, CcdTuning::GRIP).filter(|_| Rule::SegmentSide.acts(true));
            if let Some(Breach { slot, back, .. }) = breach {
                self.shift(slot, back);
                breached = true;
            }
        }
        // Where two lines meet, putting a centre back from one may carry it over the other. At the
        // start of the step it was on the right side of both.
        for &contact in lines.iter().filter(|_| breached) {
            let breach =
                self.breach(contact, CcdTuning::LEAST_GRIP).filter(|_| Rule::SegmentReturn.acts(true));
            if let Some(Breach { slot, other, .. }) = breach {
                self.take_along(slot, other);
            }
        }
        self.scratch.collide.lines = lines;
    }

    /// Whether the centre of the other part crossed the line of a contact, or is nearer to it than
    /// `share` of its half-thickness.
    fn breach(&self, contact: u32, share: f32) -> Option<Breach> {
        let link = &self.contacts.link[contact as usize];
        let passes = link.flags & (flag::ONE_WAY | flag::HOOKED) != 0 && link.flags & flag::TOUCHING == 0;
        if passes || link.flags & flag::PASSING != 0 || !self.contacts.is_active(contact) {
            return None;
        }
        if self.stays_clear(link, &self.contacts.manifold[contact as usize]) {
            return None;
        }
        let pair = self.contacts.pair[contact as usize];
        let (a, b) = (&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]);
        let piece = |proxy: &crate::body::collider::Proxy| {
            self.shapes.colliders[proxy.shape as usize].shape.piece(proxy.part as usize)
        };
        let (of_a, of_b) = (piece(a), piece(b));
        let skin = match (of_a.line(), of_b.line()) {
            (Some(p), Some(q)) => {
                skin_of_lines([p, q].map(|[start, end]| start.distance(end)), &self.tuning.margins)
            }
            _ => 0.0,
        };
        let over = |line: Option<[Vec2; 2]>, host: u32, other: &Piece, guest: u32| {
            // A half-plane has no centre, and is not thin.
            if matches!(other, Piece::HalfPlane(_)) {
                return None;
            }
            let least = max(self.tuning.ccd.least_thickness, skin);
            self.breach_of(line?, host, (other, guest), share * max(other.half_thickness(), least))
        };
        over(of_a.line(), link.body_a, &of_b, link.body_b)
            .or_else(|| over(of_b.line(), link.body_b, &of_a, link.body_a))
    }

    /// Whether the middle of a part of `guest` went over a line of `host`, or came nearer than
    /// `grip`.
    fn breach_of(
        &self,
        line: [Vec2; 2],
        host: u32,
        (other, guest): (&Piece, u32),
        grip: f32,
    ) -> Option<Breach> {
        let [before, after] = self.ways_of_middle(other, guest, host);
        let along = unit_or_zero(line[1] - line[0]);
        let up = if (before - line[0]).dot(along.perp()) < 0.0 { -along.perp() } else { along.perp() };
        let (start, end) = ((before - line[0]).dot(up), (after - line[0]).dot(up));
        let grip = min(grip, start);
        if end >= grip {
            return None;
        }
        // Where the path crosses the line; its end if it does not.
        let time = if end < 0.0 { start / max(start - end, f32::MIN_POSITIVE) } else { 1.0 };
        let (x, length) =
            ((before + (after - before) * time - line[0]).dot(along), line[0].distance(line[1]));
        if !(-CcdTuning::LINE_END * length..=(1.0 + CcdTuning::LINE_END) * length).contains(&x) {
            return None;
        }
        let back = self.bodies.rows[host as usize].rotation * (up * (grip - end));
        let moves = |slot: u32| {
            let body = &self.bodies.rows[slot as usize];
            body.has(body_flag::DYNAMIC) && body.is_awake()
        };
        match (moves(guest), moves(host)) {
            (true, _) => Some(Breach { slot: guest, other: host, back }),
            (false, true) => Some(Breach { slot: host, other: guest, back: -back }),
            _ => None,
        }
    }

    /// Whether a body at a line at rest has not moved far enough for its middle to come near: the
    /// middle was at least the part's half-thickness away, less the overlap. Most bodies that rest
    /// on a line end here.
    fn stays_clear(&self, link: &ContactHeader, row: &ManifoldRow) -> bool {
        if link.count == 0 || link.flags & (flag::PREDICTED | flag::ONE_SIDED) != flag::ONE_SIDED {
            return false;
        }
        let stands_a = link.flags & flag::A_STANDS != 0;
        let (mover, other) = if stands_a { (link.body_b, link.body_a) } else { (link.body_a, link.body_b) };
        // A moving line has no core.
        let (body, moved) = (&self.bodies.rows[mover as usize], self.displacement_of(mover));
        let least = row.separation(link.count);
        let far = way(moved).length() + moved[2].abs() * body.max_extent;
        self.displacement_of(other) == [0.0; 4]
            && body.min_extent.is_finite()
            && far < body.min_extent * (1.0 - CcdTuning::GRIP) + least
    }

    /// The middle of a part of `guest` in the frame of `host`, at the start and at the end of the
    /// step.
    fn ways_of_middle(&self, piece: &Piece, guest: u32, host: u32) -> [Vec2; 2] {
        let (g, h) = (&self.bodies.rows[guest as usize], &self.bodies.rows[host as usize]);
        let (moved_g, moved_h) = (self.displacement_of(guest), self.displacement_of(host));
        let arm = piece.middle() - g.local_center;
        let now = self.way(h.center_point(), g.center_point());
        let then = now - (way(moved_g) - way(moved_h));
        let turned_back = |turn: f32, rotation: Rot| {
            if turn == 0.0 { rotation } else { Rot::from_angle(-turn) * rotation }
        };
        let seen = |between: Vec2, rot_g: Rot, rot_h: Rot| {
            rot_h.inverse_rotate(between + rot_g * arm) + h.local_center
        };
        [
            seen(then, turned_back(moved_g[2], g.rotation), turned_back(moved_h[2], h.rotation)),
            seen(now, g.rotation, h.rotation),
        ]
    }

    /// Puts a body back to its position at the start of the step, relative to another body that may
    /// have moved since.
    ///
    /// (Put back to its old place in the world, a thin plank ended behind the wall of a turning
    /// drum.)
    fn take_along(&mut self, slot: u32, other: u32) {
        let (moved, moved_other) = (self.displacement_of(slot), self.displacement_of(other));
        let turn = moved_other[2];
        let [from, to] = [other, slot].map(|slot| self.bodies.rows[slot as usize].center_point());
        let now = self.way(from, to);
        let then = now - (way(moved) - way(moved_other));
        let carried = if turn == 0.0 { then } else { Rot::from_angle(turn) * then };
        let body = &mut self.bodies.rows[slot as usize];
        body.rotation = body.rotation.turned(turn - moved[2]);
        let row = self.bodies.solver_rows[slot as usize] as usize;
        self.columns.moved[row][2] = turn;
        self.shift(slot, carried - now);
    }

    /// Moves a body within the step.
    fn shift(&mut self, slot: u32, by: Vec2) {
        let row = self.bodies.solver_rows[slot as usize] as usize;
        self.put_moved(slot, by);
        let moved = &mut self.columns.moved[row];
        (moved[0], moved[1]) = (moved[0] + by.x, moved[1] + by.y);
        self.update_boxes(slot);
    }
}
