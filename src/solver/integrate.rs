//! Bodies in a sub-step: velocities, then positions.
//!
//! In: the columns. Out: the same, a sub-step on. No contact is looked at.
//!
//! A velocity that changes evenly by Δv during a sub-step of h covers h v - ½ h Δv, with v the speed at its end. What
//! gravity, forces and the steady part of the constraints add is such a Δv, so half of it is taken off the way when it is
//! added to the velocity, before contacts are solved: they see where the body will be. What rests has no Δv. A body in
//! flight falls along its parabola, and one that friction slows stops where Coulomb says, both to rounding.

use super::block::Columns;

/// Adds gravity and forces. From the second sub-step on, also what constraints did to each body in the one before.
///
/// Normals and arms stay the same during a step, so the impulses that a warm start would apply again add up, body by body,
/// to just that: one addition a body in place of a pass over all contacts.
pub(crate) fn integrate_velocities(columns: &mut Columns, h: f32, first: bool) {
    let Columns { velocity, free, moved, push, mass } = columns;
    let rows = velocity.iter_mut().zip(free).zip(moved).zip(push).zip(mass);
    for ((((v, free), moved), push), mass) in rows.skip(1) {
        let keeps = [mass[3], mass[3], push[3]];
        for k in 0..3 {
            let held = if first { 0.0 } else { v[k] - free[k] };
            free[k] = (v[k] + push[k]) * keeps[k];
            let next = free[k] + held;
            moved[k] -= 0.5 * h * (next - v[k]);
            v[k] = next;
        }
    }
}

/// Takes half of what the warm start added off the way, as [`integrate_velocities`] does in later sub-steps.
pub(crate) fn lag_warm_start(columns: &mut Columns, h: f32) {
    let rows = columns.moved.iter_mut().zip(&columns.velocity).zip(&columns.free);
    for ((moved, v), free) in rows.skip(1) {
        for k in 0..3 {
            moved[k] -= 0.5 * h * (v[k] - free[k]);
        }
    }
}

/// Moves the bodies by a sub-step of `h` seconds.
pub(crate) fn integrate_positions(columns: &mut Columns, h: f32) {
    let rows = columns.moved.iter_mut().zip(&columns.velocity);
    for (moved, v) in rows.skip(1) {
        for k in 0..3 {
            moved[k] += h * v[k];
        }
    }
}
