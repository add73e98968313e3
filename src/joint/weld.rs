//! A weld: two bodies move as one.
//!
//! # Derivation
//!
//! ```text
//!   C = (x_b + r_b - x_a - r_a,  θ_b - θ_a - θ_0)                 three numbers, all to be zero
//!   Cdot = (v_b + w_b r_b⊥ - v_a - w_a r_a⊥,  w_b - w_a)           ⊥: a quarter turn to the left
//!   K = | m_x + i_a r_ay² + i_b r_by²      -(i_a r_ax r_ay + i_b ..)      -(i_a r_ay + i_b r_by) |
//!       |                               m_y + i_a r_ax² + i_b r_bx²        i_a r_ax + i_b r_bx   |
//!       | symmetric                                                        i_a + i_b             |
//!   λ = -K⁻¹ (Cdot + rate C)
//! ```
//!
//! m_x and m_y are sums of inverse masses, i inverse inertias, r from a centre of mass to the common point (Catto, Iterative
//! Dynamics, 2005, in two dimensions with both parts solved at once).

use glam::{Vec2, Vec3};

use crate::solver::Columns;

/// Two bodies welded at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weld {
    /// Slots of the bodies.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// The common point, from each centre of mass in the frame of its body.
    pub(crate) anchor_a: Vec2,
    pub(crate) anchor_b: Vec2,
    /// The angle from A to B at which they were welded.
    pub(crate) angle: f32,
    /// Of the last sub-step: force x, y, torque, times h.
    pub(crate) impulse: Vec3,
    pub(crate) now: Now,
}

/// What stays the same during a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Now {
    pub(crate) row_a: u32,
    pub(crate) row_b: u32,
    r_a: Vec2,
    r_b: Vec2,
    /// C at the start of the step.
    gap: Vec3,
    /// Columns of K⁻¹.
    inverse: [Vec3; 3],
}

/// Where the two bodies stand when a step begins.
pub(crate) struct Stand {
    pub(crate) rows: (u32, u32),
    pub(crate) r_a: Vec2,
    pub(crate) r_b: Vec2,
    /// From A's centre of mass to B's.
    pub(crate) way: Vec2,
    /// The angle from A to B.
    pub(crate) angle: f32,
}

impl Weld {
    /// Anchors, gap and masses for this step.
    pub(crate) fn prepare(&mut self, stand: &Stand, columns: &Columns) {
        let Stand { rows: (row_a, row_b), r_a, r_b, way, angle } = *stand;
        let [mass_a, mass_b] = [columns.mass[row_a as usize], columns.mass[row_b as usize]];
        let apart = way + r_b - r_a;
        let gap = Vec3::new(apart.x, apart.y, angle);
        let (i_a, i_b) = (mass_a[2], mass_b[2]);
        let xx = mass_a[0] + mass_b[0] + i_a * r_a.y * r_a.y + i_b * r_b.y * r_b.y;
        let yy = mass_a[1] + mass_b[1] + i_a * r_a.x * r_a.x + i_b * r_b.x * r_b.x;
        let xy = -(i_a * r_a.x * r_a.y + i_b * r_b.x * r_b.y);
        let xt = -(i_a * r_a.y + i_b * r_b.y);
        let yt = i_a * r_a.x + i_b * r_b.x;
        // Bodies that cannot turn leave the last row empty.
        let tt = if i_a + i_b > 0.0 { i_a + i_b } else { 1.0 };
        let k = [Vec3::new(xx, xy, xt), Vec3::new(xy, yy, yt), Vec3::new(xt, yt, tt)];
        self.now = Now { row_a, row_b, r_a, r_b, gap, inverse: inverse(k) };
    }

    /// Adds the impulse of the step before.
    pub(crate) fn warm_start(&self, columns: &mut Columns) {
        self.push(columns, self.impulse);
    }

    /// Brings both speeds together, and closes a share `rate` of the gap a second.
    pub(crate) fn solve(&mut self, columns: &mut Columns, rate: f32) {
        let gap = self.now.gap + self.form(&columns.moved);
        let wanted = -(self.form(&columns.velocity) + gap * rate);
        let [x, y, t] = self.now.inverse;
        let impulse = x * wanted.x + y * wanted.y + t * wanted.z;
        self.impulse += impulse;
        self.push(columns, impulse);
    }

    /// Cdot of velocities, or how much C changed by the ways the bodies went.
    fn form(&self, rows: &[[f32; 4]]) -> Vec3 {
        let Now { row_a, row_b, r_a, r_b, .. } = self.now;
        let ([ax, ay, aw, _], [bx, by, bw, _]) = (rows[row_a as usize], rows[row_b as usize]);
        Vec3::new((bx - bw * r_b.y) - (ax - aw * r_a.y), (by + bw * r_b.x) - (ay + aw * r_a.x), bw - aw)
    }

    fn push(&self, columns: &mut Columns, impulse: Vec3) {
        let Now { row_a, row_b, r_a, r_b, .. } = self.now;
        for (row, r, sign) in [(row_a, r_a, -1.0), (row_b, r_b, 1.0)] {
            let mass = columns.mass[row as usize];
            let v = &mut columns.velocity[row as usize];
            v[0] += sign * mass[0] * impulse.x;
            v[1] += sign * mass[1] * impulse.y;
            v[2] += sign * mass[2] * (r.x * impulse.y - r.y * impulse.x + impulse.z);
        }
    }
}

/// The inverse of a symmetric matrix by cofactors; zero where it has none.
fn inverse(k: [Vec3; 3]) -> [Vec3; 3] {
    let [a, b, c] = k;
    let determinant = a.dot(b.cross(c));
    let scale = if determinant.abs() > 0.0 { 1.0 / determinant } else { 0.0 };
    [b.cross(c) * scale, c.cross(a) * scale, a.cross(b) * scale]
}
