//! NaN quarantine: bodies whose numbers are not finite are taken out of motion before they spoil
//! others.
//!
//! In: bodies without a valid position after the sub-steps: not finite, too far away for one step,
//! or beyond the end of the world. Out: one of them becomes fixed where it stood, and is reported;
//! the others miss the step. Called after bodies are finalized, and at the end of the step.
//!
//! Definitions within their limits do not make numbers overflow. This is for unforeseen cases, and
//! for speeds and positions without a limit. NaN spreads from body to body within a step. So the
//! source is found by a body's own numbers: it would not have been finite alone, or its speed is
//! finite but leads to no valid position. If there is no such body, the fastest one is taken. If
//! that was the wrong one, the next step takes another, until all numbers are finite.

use glam::Vec2;

use crate::body::{Body, BodyKind, NONE};
use crate::contact::ImpulseRow;
use crate::event::Freeze;
use crate::math::WorldPoint;
use crate::step::begin::gather::row_of;
use crate::util::sort;
use crate::world::World;

/// A body without a valid position after a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lost {
    pub(crate) slot: u32,
    /// Whether its speed is finite, so that no NaN spread to it from another body.
    pub(crate) alone: bool,
}

/// Displacement in a step, in metres, that counts as lost: beyond it a position may not exist.
pub(crate) const NOWHERE: f32 = 1.0e12;

/// Regions from the origin to where bodies are stopped: far enough from the greatest region that a
/// shape, a centre of mass or an anchor of a body there still has a position.
pub(super) const LAST_REGION: i32 = i32::MAX - (1 << 22);

/// Regions from the origin to the last ones in which bodies may be placed: from there no single
/// step leads beyond [`LAST_REGION`].
const LAST_HOME: i32 = i32::MAX - (1 << 23);

fn is_within(point: WorldPoint, last: i32) -> bool {
    point.is_valid() && is_before(point, last)
}

fn is_before(point: WorldPoint, last: i32) -> bool {
    let near = |region: i32| (-last..=last).contains(&region);
    near(point.region.x) && near(point.region.y)
}

/// Whether a body may be placed there.
pub(crate) fn is_home(point: WorldPoint) -> bool {
    is_within(point, LAST_HOME)
}

/// Whether a moving body may get there.
pub(crate) fn is_reachable(point: WorldPoint) -> bool {
    // In the regions that a body uses: see `WorldPoint::offset_in`.
    !point.local.is_nan() && is_before(point, LAST_REGION)
}

/// Whether the origin of a body may be there: its centre of mass, which moved there, is within
/// 1.42e9 m of it.
pub(crate) fn is_origin(point: WorldPoint) -> bool {
    is_within(point, LAST_REGION + (1 << 21))
}

impl World {
    /// Bodies without a valid position stay where they were, and miss the step. The sources among
    /// them, or one body if there is none, freeze at its end.
    pub(crate) fn quarantine(&mut self) {
        if self.scratch.lost.is_empty() {
            return;
        }
        let mut lost = core::mem::take(&mut self.scratch.lost);
        let guilty: Vec<Lost> = lost.iter().copied().filter(|lost| self.is_source(lost)).collect();
        for &Lost { slot, .. } in &lost {
            self.stop_for_this_step(slot);
        }
        if guilty.is_empty() {
            let speed = |lost: &Lost| self.bodies.rows[lost.slot as usize].linear_velocity.length_squared();
            sort::by(&mut lost, |p, q| speed(q).total_cmp(&speed(p)).then(p.slot.cmp(&q.slot)));
            lost.truncate(1);
        } else {
            lost = guilty;
        }
        self.scratch.lost = lost;
    }

    /// Makes a body miss this step: it does not move, and its forces are cleared.
    fn stop_for_this_step(&mut self, slot: u32) {
        let body = &mut self.bodies.rows[slot as usize];
        (body.force, body.torque) = (Vec2::ZERO, 0.0);
        let row = self.bodies.solver_rows[slot as usize];
        if row != 0 {
            self.fill_row(slot, row, 0.0);
        }
        self.forget_all_impulses(slot);
    }

    /// Whether this body is a source: no NaN spread to it, or it would not have been finite alone.
    fn is_source(&self, lost: &Lost) -> bool {
        lost.alone || !self.is_sound(&self.bodies.rows[lost.slot as usize])
    }

    /// Whether a body's own numbers are finite, and give finite results.
    fn is_sound(&self, body: &Body) -> bool {
        let (velocity, push, mass) = row_of(body, self.def.gravity, self.step.h);
        let turn = [body.rotation.cos, body.rotation.sin, body.center.x, body.center.y];
        [velocity, push, mass, turn].as_flattened().iter().all(|x| x.is_finite())
    }

    /// Makes the bodies that are to freeze fixed, and reports them.
    pub(crate) fn freeze(&mut self) {
        let mut lost = core::mem::take(&mut self.scratch.lost);
        for Lost { slot, .. } in lost.drain(..) {
            let (body, kind) = (self.body_id(slot), self.bodies.rows[slot as usize].kind());
            if self.check_room_for_parts_of(slot).is_err() {
                // It will be lost again in the next step.
                continue;
            }
            self.become_kind(slot, BodyKind::Fixed);
            self.events.next.frozen.push(Freeze { body, kind });
        }
        self.scratch.lost = lost;
    }

    /// Clears the impulses of contacts and joints of a body.
    fn forget_all_impulses(&mut self, slot: u32) {
        if self.joints.first_of(slot) != NONE {
            self.forget_joint_impulses(slot);
        }
        self.contacts.change_loads_of(slot, |impulse| {
            let a_to_b = impulse.a_to_b.to_array().map(|x| if x.is_finite() { x } else { 0.0 });
            *impulse = ImpulseRow { a_to_b: a_to_b.into(), ..ImpulseRow::default() };
        });
    }
}
