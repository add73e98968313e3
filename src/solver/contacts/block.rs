//! Blocks: eight contacts side by side, as the solver reads them.
//!
//! In: masses, arms and limits of contacts, which `prepare.rs` writes once a step. Out: impulses,
//! read back by `store.rs`. A block has 128 bytes per contact of two points, and 40 more in a
//! [`ColdBlock`] of its own, which most passes over most blocks do not read: with many contacts, a
//! pass is bound by memory bandwidth. The number of points is part of the type, so that contacts of
//! round shapes do not carry an unused second point.

use crate::simd::{LANES, Width};
use crate::solver::LANDING_ROUNDS;
use crate::solver::columns::Column;

/// Eight contacts of `P` points each. Unused lanes name row 0 and have no mass. Aligned, so that no
/// column crosses a cache line.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactBlock<const P: usize> {
    /// Solver rows of the bodies.
    pub(crate) row_a: [u32; LANES],
    pub(crate) row_b: [u32; LANES],
    /// Unit vector from A to B.
    pub(crate) normal: [Column; 2],
    /// Inverse masses (those along x, if they differ along y), and inverse rotational inertias.
    pub(crate) inv_mass_a: Column,
    pub(crate) inv_mass_b: Column,
    pub(crate) inv_inertia_a: Column,
    pub(crate) inv_inertia_b: Column,
    pub(crate) points: [ContactPoints; P],
    pub(crate) static_friction: Column,
    pub(crate) flags: BlockFlags,
    /// Dynamic masks: which of the bodies A, and which of the bodies B, impulses move, one bit per
    /// lane. Only their rows are written, so that no two blocks of a colour write to the same row.
    pub(crate) dynamic: [u8; 2],
}

/// Flags for rare cases among eight contacts; most blocks have none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockFlags {
    /// Whether any lane has rolling resistance, or may have an impact.
    pub(crate) rolls: bool,
    pub(crate) bounces: bool,
    /// Whether the surfaces of any lane came together as fast as hits do.
    pub(crate) strikes: bool,
    /// Whether any lane slides with less friction than it rests with.
    pub(crate) slips: bool,
    /// Whether a surface of any lane moves, whether any lane has extra softness, and whether an
    /// axis of any body is locked.
    pub(crate) drives: bool,
    pub(crate) yields: bool,
    pub(crate) locks: bool,
    /// Lanes that a lone body is to be solved once more for: its surfaces overlap, or come together
    /// fast, or leave each other fast after the warm start. See `lone.rs`.
    pub(crate) marked: u8,
    /// Lanes that are solved more often: see `step/prepare/blows.rs`.
    pub(crate) repeated: u8,
    /// Rounds of impacts that the block takes part in: more for greater restitution.
    pub(crate) rounds: u32,
}

impl BlockFlags {
    pub(crate) const NONE: BlockFlags = BlockFlags {
        rolls: false,
        bounces: false,
        strikes: false,
        slips: false,
        drives: false,
        yields: false,
        locks: false,
        marked: 0,
        repeated: 0,
        rounds: LANDING_ROUNDS,
    };
}

/// Cold data of eight contacts: read only if a flag of the block says so.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColdBlock {
    pub(crate) kinetic_friction: Column,
    /// Speed of A's surface relative to B's, along the tangent.
    pub(crate) tangent_speed: Column,
    pub(crate) restitution: Column,
    /// Time at which the block was last checked for impacts: see `impacts.rs`.
    pub(crate) looked: Column,
    pub(crate) rolling_resistance: Column,
    pub(crate) rolling_impulse: Column,
    /// Inverse masses of A and of B along y.
    pub(crate) inv_mass_y: [Column; 2],
    /// Share of its load by which the contact yields, if it has extra softness.
    pub(crate) softness: Column,
    /// Approach speed at the start of the step, at the fastest point: negative. Filled for all
    /// blocks.
    pub(crate) approach: Column,
}

impl ColdBlock {
    pub(crate) const EMPTY: ColdBlock = ColdBlock {
        kinetic_friction: [0.0; LANES],
        tangent_speed: [0.0; LANES],
        restitution: [0.0; LANES],
        looked: [0.0; LANES],
        rolling_resistance: [0.0; LANES],
        rolling_impulse: [0.0; LANES],
        inv_mass_y: [[0.0; LANES]; 2],
        softness: [0.0; LANES],
        approach: [0.0; LANES],
    };

    /// Inverse masses of A and of B, per axis.
    #[inline(always)]
    pub(super) fn inv_masses<W: Width, const P: usize>(
        &self,
        w: W,
        block: &ContactBlock<P>,
    ) -> [[W::L; 2]; 2] {
        let (a, b) = (w.read(&block.inv_mass_a), w.read(&block.inv_mass_b));
        if block.flags.locks {
            [[a, w.read(&self.inv_mass_y[0])], [b, w.read(&self.inv_mass_y[1])]]
        } else {
            [[a, a], [b, b]]
        }
    }
}

/// One contact point of each of eight contacts.
///
/// With r from a centre of mass to the point, n the normal and t the tangent to the right of it, an
/// arm is r × n and a lever r × t: the torque per unit of impulse along n or t.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactPoints {
    pub(crate) arm_a: Column,
    pub(crate) arm_b: Column,
    /// Distance of the surfaces at the start of the step.
    pub(crate) separation: Column,
    /// Effective mass along the normal: one over the sum of the inverse masses.
    pub(crate) normal_mass: Column,
    pub(crate) normal_impulse: Column,
    pub(crate) lever_a: Column,
    pub(crate) lever_b: Column,
    pub(crate) tangent_mass: Column,
    pub(crate) tangent_impulse: Column,
    /// Sum of the normal impulses of all sub-steps, bounces included.
    pub(crate) total: Column,
    /// The remembered load: the smoothed normal impulse of a sub-step.
    pub(crate) load: Column,
}

impl<const P: usize> ContactBlock<P> {
    /// A block without contacts.
    pub(crate) const EMPTY: ContactBlock<P> = ContactBlock {
        row_a: [0; LANES],
        row_b: [0; LANES],
        normal: [[0.0; LANES]; 2],
        inv_mass_a: [0.0; LANES],
        inv_mass_b: [0.0; LANES],
        inv_inertia_a: [0.0; LANES],
        inv_inertia_b: [0.0; LANES],
        points: [ContactPoints::EMPTY; P],
        static_friction: [0.0; LANES],
        flags: BlockFlags::NONE,
        dynamic: [0; 2],
    };
}

impl<const P: usize> ContactBlock<P> {
    /// Lanes that hold a contact.
    #[inline(always)]
    pub(crate) fn used(&self) -> u8 {
        self.dynamic[0] | self.dynamic[1]
    }

    /// Lanes with a body for whose row `is_near` holds. (Row 0 stands for immovable bodies.)
    pub(crate) fn lanes_with(&self, is_near: impl Fn(u32) -> bool) -> u8 {
        let mut lanes = 0;
        for lane in 0..LANES {
            let mut rows = [self.row_a[lane], self.row_b[lane]].into_iter();
            lanes |= u8::from(rows.any(|row| row > 0 && is_near(row))) << lane;
        }
        lanes
    }
}

impl ContactPoints {
    const EMPTY: ContactPoints = ContactPoints {
        arm_a: [0.0; LANES],
        arm_b: [0.0; LANES],
        separation: [0.0; LANES],
        normal_mass: [0.0; LANES],
        normal_impulse: [0.0; LANES],
        lever_a: [0.0; LANES],
        lever_b: [0.0; LANES],
        tangent_mass: [0.0; LANES],
        tangent_impulse: [0.0; LANES],
        total: [0.0; LANES],
        load: [0.0; LANES],
    };
}
