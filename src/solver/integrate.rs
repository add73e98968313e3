//! Bodies in a sub-step: velocities, then positions.
//!
//! In: the columns. Out: the same, a sub-step on. No contact is looked at.
//!
//! A velocity that changes evenly by Δv during a sub-step of h covers h v - ½ h Δv, with v the speed at its end. What
//! gravity, forces and the steady part of the constraints add is such a Δv, so half of it is taken off the way when it is
//! added to the velocity, before contacts are solved: they see where the body will be. What rests has no Δv. A body in
//! flight falls along its parabola, and one that friction slows stops where Coulomb says, both to rounding.
//!
//! That holds for changes no greater than what gravity and forces make by themselves. Where bodies are knocked about, what
//! constraints did in the last sub-step is no even change, and counting half of it let heaps sink through a moving wall.

use super::block::Columns;
use crate::threads::Team;

/// Bodies of a chunk: a few microseconds of work.
const GRAIN: usize = 512;

/// Adds gravity and forces. From the second sub-step on, also what constraints did to each body in the one before.
///
/// Normals and arms stay the same during a step, so the impulses that a warm start would apply again add up, body by body,
/// to just that: one addition a body in place of a pass over all contacts.
pub(crate) fn integrate_velocities(team: &Team, columns: &mut Columns, h: f32, first: bool) {
    team.for_columns(columns.moving(), GRAIN, |_, [velocity, free, moved, push, kick, mass]| {
        let rows = velocity.iter_mut().zip(free).zip(moved).zip(push).zip(kick).zip(mass);
        for (((((v, free), moved), push), kick), mass) in rows {
            let keeps = [mass[3], mass[3], push[3]];
            let mut even = [0.0; 3];
            for k in 0..3 {
                let held = if first { 0.0 } else { v[k] - free[k] };
                free[k] = (v[k] + push[k]) * keeps[k];
                even[k] = (free[k] + held) - v[k];
                v[k] = free[k] + held;
            }
            // The first sub-step does not know yet what is held: the warm start tells.
            if !first {
                lag((moved, kick), even, push, h);
            }
        }
    });
}

/// Takes half of the change of the first sub-step off the way, once the warm start has told what is held.
pub(crate) fn lag_warm_start(team: &Team, columns: &mut Columns, h: f32) {
    team.for_columns(columns.moving(), GRAIN, |_, [velocity, free, moved, push, kick, mass]| {
        let rows = velocity.iter().zip(free).zip(moved).zip(push).zip(kick).zip(mass);
        for (((((v, free), moved), push), kick), mass) in rows {
            let keeps = [mass[3], mass[3], push[3]];
            let mut even = [0.0; 3];
            for k in 0..3 {
                even[k] = v[k] - (free[k] / keeps[k] - push[k]);
            }
            lag((moved, kick), even, push, h);
        }
    });
}

/// Takes half of an even change off the way, and notes it.
#[inline(always)]
fn lag((moved, kick): (&mut [f32; 4], &mut [f32; 4]), even: [f32; 3], push: &[f32; 4], h: f32) {
    let squared = |x: f32, y: f32| x * x + y * y;
    let is_even = squared(even[0], even[1]) <= 1.02 * squared(push[0], push[1]);
    let share = if is_even { 0.5 } else { 0.0 };
    for k in 0..3 {
        kick[k] = share * even[k];
        moved[k] -= h * kick[k];
    }
}

/// Moves the bodies by a sub-step of `h` seconds.
pub(crate) fn integrate_positions(team: &Team, columns: &mut Columns, h: f32) {
    let [velocity, _, moved, ..] = columns.moving();
    team.for_columns([moved, velocity], GRAIN, |_, [moved, velocity]| {
        for (moved, v) in moved.iter_mut().zip(velocity) {
            // The fourth number of a velocity is 0: all four at once.
            *moved = [moved[0] + h * v[0], moved[1] + h * v[1], moved[2] + h * v[2], moved[3] + h * v[3]];
        }
    });
}
