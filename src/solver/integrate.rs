//! Bodies in a sub-step: velocities, then positions.
//!
//! In: the columns. Out: velocities and displacements after a sub-step. Contacts are not read.
//!
//! A velocity that changes evenly by Δv during a sub-step of h covers h v - ½ h Δv, with v the
//! speed at its end. Gravity, forces and the steady part of the constraints add such a Δv, so half
//! of it is taken off the displacement when it is added to the velocity, before contacts are
//! solved: they see where the body will be. A resting body has no Δv. A body in flight follows its
//! parabola, and a body slowed by friction stops where Coulomb's law says, both to rounding.
//!
//! That holds for changes no greater than the changes by gravity and forces alone. Where bodies
//! collide, the impulses of the last sub-step are no even change, and counting half of them let
//! heaps sink through a moving wall.
//!

use glam::Vec4;

use super::columns::Columns;
use crate::threads::Team;
use crate::tuning::ContactTuning;

/// Bodies per chunk: a few microseconds of work.
pub(super) const INTEGRATE_GRAIN: usize = 512;

/// How a pass goes over the rows of all bodies: its threads, and the rows per chunk.
#[derive(Clone, Copy)]
pub(crate) struct RowPass<'t> {
    pub(crate) team: &'t Team,
    pub(crate) grain: usize,
}

/// Which sub-step of a step it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubStep {
    /// The first one: warm starting comes after gravity.
    First,
    /// A later one: it adds the constraint impulses of the sub-step before.
    Later,
}

/// Adds gravity and forces. From the second sub-step on, also adds each body's velocity change by
/// constraints in the sub-step before.
///
/// Normals and arms stay the same during a step, so the impulses that a warm start would apply
/// again add up to exactly that change: one addition per body in place of a pass over all contacts.
pub(crate) fn integrate_velocities(pass: RowPass, columns: &mut Columns, h: f32, sub_step: SubStep) {
    let first = sub_step == SubStep::First;
    if !first && columns.has_lag() {
        let all = columns.moving_with_lag();
        pass.team.for_columns(all, pass.grain, |_, [velocity, unconstrained, moved, push, mass, lag]| {
            let rows = velocity.iter_mut().zip(unconstrained).zip(moved).zip(push).zip(mass).zip(lag);
            for (((((v, unconstrained), moved), push), mass), lag) in rows {
                *lag = integrate_velocity((v, unconstrained, moved), (push, mass), h, first).into();
            }
        });
        return;
    }
    pass.team.for_columns(columns.moving(), pass.grain, |_, [velocity, unconstrained, moved, push, mass]| {
        let rows = velocity.iter_mut().zip(unconstrained).zip(moved).zip(push).zip(mass);
        for ((((v, unconstrained), moved), push), mass) in rows {
            _ = integrate_velocity((v, unconstrained, moved), (push, mass), h, first);
        }
    });
}

/// Integrates the velocity of one row. Returns the amount taken off the displacement.
#[inline(always)]
fn integrate_velocity(
    (v, unconstrained, moved): (&mut [f32; 4], &mut [f32; 4], &mut [f32; 4]),
    (push, mass): (&[f32; 4], &[f32; 4]),
    h: f32,
    first: bool,
) -> Vec4 {
    let (keeps, force_delta) = damping_and_force_delta(mass, push);
    let (velocity, before) = (Vec4::from(*v), Vec4::from(*unconstrained));
    let held = if first { Vec4::ZERO } else { velocity - before };
    let now = (velocity + force_delta) * keeps;
    (*unconstrained, *v) = (now.into(), (now + held).into());
    // In the first sub-step the warm start has not been applied yet.
    if first { Vec4::ZERO } else { take_half_off(moved, (now + held) - velocity, force_delta, h) }
}

/// The share of a velocity that damping leaves, and the change by gravity and forces: x, y, spin,
/// and a fourth number that stays 0.
#[inline(always)]
fn damping_and_force_delta(mass: &[f32; 4], force_delta: &[f32; 4]) -> (Vec4, Vec4) {
    (
        Vec4::new(mass[3], mass[3], force_delta[3], 1.0),
        Vec4::new(force_delta[0], force_delta[1], force_delta[2], 0.0),
    )
}

/// Takes half of the first sub-step's change off the displacement, after the warm start.
pub(crate) fn lag_warm_start(pass: RowPass, columns: &mut Columns, h: f32) {
    if columns.has_lag() {
        let all = columns.moving_with_lag();
        pass.team.for_columns(all, pass.grain, |_, [velocity, unconstrained, moved, push, mass, lag]| {
            let rows = velocity.iter().zip(unconstrained).zip(moved).zip(push).zip(mass).zip(lag);
            for (((((v, unconstrained), moved), push), mass), lag) in rows {
                *lag = lag_first((v, unconstrained, moved), (push, mass), h).into();
            }
        });
        return;
    }
    pass.team.for_columns(columns.moving(), pass.grain, |_, [velocity, unconstrained, moved, push, mass]| {
        let rows = velocity.iter().zip(unconstrained).zip(moved).zip(push).zip(mass);
        for ((((v, unconstrained), moved), push), mass) in rows {
            _ = lag_first((v, unconstrained, moved), (push, mass), h);
        }
    });
}

/// The same for one row. Returns the amount taken off.
#[inline(always)]
fn lag_first(
    (v, unconstrained, moved): (&[f32; 4], &[f32; 4], &mut [f32; 4]),
    (push, mass): (&[f32; 4], &[f32; 4]),
    h: f32,
) -> Vec4 {
    let (keeps, force_delta) = damping_and_force_delta(mass, push);
    let even = Vec4::from(*v) - (Vec4::from(*unconstrained) / keeps - force_delta);
    take_half_off(moved, even, force_delta, h)
}

/// Takes half of an even change off the displacement, and returns that half: see `Columns::lag`.
#[inline(always)]
fn take_half_off(moved: &mut [f32; 4], even: Vec4, force_delta: Vec4, h: f32) -> Vec4 {
    let squared = |v: Vec4| v.x * v.x + v.y * v.y;
    let share = if squared(even) <= ContactTuning::EVEN_CHANGE * squared(force_delta) { 0.5 } else { 0.0 };
    let half = share * even;
    *moved = (Vec4::from(*moved) - h * half).into();
    half
}

/// The result of a whole step for one row that nothing touches: its velocity and displacement. The
/// row is velocity, push and mass.
pub(crate) fn integrate_alone(
    (velocity, force_delta, mass): ([f32; 4], [f32; 4], [f32; 4]),
    h: f32,
    sub_steps: u32,
) -> ([f32; 4], [f32; 4]) {
    let (keeps, add) = damping_and_force_delta(&mass, &force_delta);
    let (mut v, mut unconstrained) = (Vec4::from(velocity), Vec4::ZERO);
    let mut moved = [0.0; 4];
    for sub_step in 0..sub_steps {
        let (before, first) = (v, sub_step == 0);
        let held = if first { Vec4::ZERO } else { before - unconstrained };
        let now = (before + add) * keeps;
        (unconstrained, v) = (now, now + held);
        let even = if first { v - (unconstrained / keeps - add) } else { v - before };
        take_half_off(&mut moved, even, add, h);
        moved = (Vec4::from(moved) + h * v).into();
    }
    (v.into(), moved)
}

/// Moves the bodies by a sub-step of `h` seconds.
pub(crate) fn integrate_positions(pass: RowPass, columns: &mut Columns, h: f32) {
    let [velocity, _, moved, ..] = columns.moving();
    pass.team.for_columns([moved, velocity], pass.grain, |_, [moved, velocity]| {
        for (moved, v) in moved.iter_mut().zip(velocity) {
            // The fourth number of a velocity is 0: all four at once.
            *moved = [moved[0] + h * v[0], moved[1] + h * v[1], moved[2] + h * v[2], moved[3] + h * v[3]];
        }
    });
}
