//! Bodies in a sub-step: velocities, then positions.
//!
//! In: the columns. Out: the same, a sub-step on. No contact is looked at.

use super::block::Columns;

/// Adds gravity and forces. From the second sub-step on, also what constraints did to each body in the one before.
///
/// Normals and arms stay the same during a step, so the impulses that a warm start would apply again add up, body by body,
/// to just that: one addition a body in place of a pass over all contacts. (With a pass: solver a quarter slower.)
pub(crate) fn integrate_velocities(columns: &mut Columns, first: bool) {
    let rows = columns.velocity.iter_mut().zip(&mut columns.free).zip(&columns.push).zip(&columns.mass);
    for (((v, free), push), mass) in rows.skip(1) {
        let keeps = [mass[3], mass[3], push[3]];
        for k in 0..3 {
            let held = if first { 0.0 } else { v[k] - free[k] };
            free[k] = (v[k] + push[k]) * keeps[k];
            v[k] = free[k] + held;
        }
    }
}

/// Moves the bodies by a sub-step of `h` seconds.
///
/// A body that nothing touched falls along its parabola: with v the speed after the kick of gravity, h v - ½ h² g.
/// So energy is kept to rounding, as far as a ball of restitution 1 bounces. Where contacts act, the speed they left counts.
pub(crate) fn integrate_positions(columns: &mut Columns, h: f32) {
    let rows = columns.moved.iter_mut().zip(&columns.velocity).zip(&columns.free).zip(&columns.push);
    for (((moved, v), free), push) in rows.skip(1) {
        let flies = (v[0] == free[0]) & (v[1] == free[1]);
        let half = if flies { 0.5 } else { 0.0 };
        moved[0] += h * (v[0] - half * push[0]);
        moved[1] += h * (v[1] - half * push[1]);
        moved[2] += h * v[2];
    }
}
