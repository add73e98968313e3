//! Rows of a contact: manifold, impulses, and surface.
//!
//! In and out: rows of 32 bytes by slot. The solver reads eight of them at a time, number by number
//! in the order of their fields, so `solver/contacts/prepare.rs` depends on this order.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::body::material::Surface;
use crate::math::min;
use crate::simd::LANES;

/// Eight numbers: a row as lanes read and write it.
pub(crate) type Row = [f32; LANES];

/// The contact manifold: where two parts touch, or nearly.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct ManifoldRow {
    /// From A to B, of unit length.
    pub(crate) normal: Vec2,
    /// The first [`Link::count`](super::Link::count) of them are in use.
    pub(crate) points: [ManifoldPoint; 2],
}

/// A contact point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct ManifoldPoint {
    /// From A's centre of mass. If a contact has one point, the second one holds how far the arms
    /// of A and of B moved in the step before.
    pub(crate) at: Vec2,
    /// Below zero where the parts overlap.
    pub(crate) separation: f32,
}

/// The impulses that the next step starts from (warm starting).
///
/// All but `total` are forces, per second of a sub-step, and so are loads: steps may be of any
/// length.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct ImpulseRow {
    /// Normal impulse of each point.
    pub(crate) normal: [f32; 2],
    /// Friction impulse of each point.
    pub(crate) tangent: [f32; 2],
    /// Impulse of rolling resistance.
    pub(crate) rolling: f32,
    /// From A's centre of mass to B's.
    pub(crate) a_to_b: Vec2,
    /// Sum of all normal impulses of the last step.
    pub(crate) total: f32,
}

/// Mixed material of two surfaces, and the remembered load.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct SurfaceRow {
    pub(crate) surface: Surface,
    /// Remembered load: the normal force of each point, smoothed over steps.
    pub(crate) loads: [f32; 2],
    /// Extra softness, as a share of the load.
    pub(crate) softness: f32,
}

impl ManifoldRow {
    /// From the numbers that a kernel wrote.
    #[inline(always)]
    pub(crate) fn from_lanes(row: Row) -> ManifoldRow {
        bytemuck::cast(row)
    }

    /// The least separation of its points.
    #[inline(always)]
    pub(crate) fn separation(&self, count: u8) -> f32 {
        let [first, second] = self.points;
        if count == 2 { min(first.separation, second.separation) } else { first.separation }
    }

    /// The numbers, in the order of the fields.
    pub(crate) fn numbers(&self) -> Row {
        bytemuck::cast(*self)
    }
}

impl ImpulseRow {
    /// Sets impulses to 0; `a_to_b` and `total` are kept.
    pub(crate) fn forget(&mut self) {
        *self = ImpulseRow { a_to_b: self.a_to_b, total: self.total, ..ImpulseRow::default() };
    }

    /// See [`ManifoldRow::numbers`].
    pub(crate) fn numbers(&self) -> Row {
        bytemuck::cast(*self)
    }
}

impl SurfaceRow {
    /// See [`ManifoldRow::numbers`].
    pub(crate) fn numbers(&self) -> Row {
        bytemuck::cast(*self)
    }
}
