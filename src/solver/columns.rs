//! Columns: rows of all bodies, as the solver reads them.
//!
//! In: bodies, filled in once a step. Out: velocities and displacements since the step began; no
//! positions. Passes see columns through views that several threads may write, each its own rows.

use bytemuck::Zeroable;

use crate::simd::LANES;
use crate::threads::Shared;
use crate::util::trim::trim;

/// Eight numbers.
pub(crate) type Column = [f32; LANES];

/// A zero for each lane.
pub(crate) const ZERO: Column = [0.0; LANES];

/// Bodies in the solver: one row of four numbers per body in each column. Row 0 stands for
/// everything that does not move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// `[x, y, spin, 0]`; while impacts are solved, the last number is the time at which the body
    /// was struck.
    pub(crate) velocity: Vec<[f32; 4]>,
    /// Unconstrained velocity: the velocity of the body in this sub-step if nothing touched it.
    pub(crate) unconstrained: Vec<[f32; 4]>,
    /// Displacement since the step began: `[x, y, angle, 0]`.
    pub(crate) moved: Vec<[f32; 4]>,
    /// Velocity change by gravity and forces in a sub-step, and the share of the spin that damping
    /// leaves.
    pub(crate) force_delta: Vec<[f32; 4]>,
    /// ½ Δv: the part of this sub-step's velocity change that the position update leaves out (see
    /// `integrate.rs`); only joints and impacts read it, and where there are none it is empty.
    pub(crate) lag: Vec<[f32; 4]>,
    /// `moved` with the displacement of `lag` included; filled while impacts are solved.
    pub(crate) moved_full: Vec<[f32; 4]>,
    /// The constrained velocity, set aside while impacts are solved with the unconstrained one.
    pub(crate) with_held: Vec<[f32; 4]>,
    /// Whether the body has joints; empty if no body has any. While impacts are solved, the last
    /// number of `with_held` is 1 for such bodies.
    pub(crate) jointed: Vec<bool>,
    /// Pose at the start of the step: `[x, y, cos, sin]`, from the centre of its region; filled
    /// where there are joints. Bodies that joints hold and steps do not move come first.
    pub(crate) pose: Vec<[f32; 4]>,
    /// `[1 / mass for x, for y, 1 / inertia, share of the linear velocity that damping leaves]`
    pub(crate) mass: Vec<[f32; 4]>,
    /// Whether impacts were looked for since memory was last given back.
    are_impacts_near: bool,
}

impl Columns {
    /// Makes room for the immovable row and `count` others; the caller fills them.
    pub(crate) fn resize(&mut self, count: usize) {
        let Columns { velocity, unconstrained, moved, force_delta, mass, .. } = self;
        for column in [velocity, unconstrained, moved, force_delta, mass] {
            column.resize(count + 1, Zeroable::zeroed());
            column[0] = [0.0; 4];
        }
        if self.has_lag() {
            self.make_room_for_lag(true);
        }
        self.force_delta[0] = [0.0, 0.0, 0.0, 1.0];
        self.mass[0] = [0.0, 0.0, 0.0, 1.0];
    }
}

impl Columns {
    /// Forgets all rows, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        let Columns { velocity, unconstrained, moved, force_delta, lag, mass, .. } = self;
        for column in [velocity, unconstrained, moved, force_delta, lag, mass] {
            column.clear();
        }
    }

    /// Makes room for `lag`, if it is wanted in this step.
    pub(crate) fn make_room_for_lag(&mut self, is_wanted: bool) {
        if is_wanted {
            self.lag.resize(self.velocity.len(), Zeroable::zeroed());
            self.lag[0] = [0.0; 4];
        } else {
            self.lag.clear();
        }
    }

    /// Whether `lag` is kept in this step.
    pub(crate) fn has_lag(&self) -> bool {
        !self.lag.is_empty()
    }

    /// Makes room in the columns that only impacts need; while everything rests they are empty.
    pub(crate) fn make_room_for_impacts(&mut self) {
        self.are_impacts_near = true;
        for column in [&mut self.moved_full, &mut self.with_held] {
            column.resize(self.velocity.len(), Zeroable::zeroed());
            column[0] = [0.0; 4];
        }
    }

    /// Frees the memory of rows that are no longer used.
    pub(crate) fn trim(&mut self) {
        if !core::mem::take(&mut self.are_impacts_near) {
            self.moved_full.clear();
            self.with_held.clear();
        }
        let Columns {
            velocity,
            unconstrained,
            moved,
            force_delta,
            lag,
            moved_full,
            with_held,
            jointed,
            pose,
            mass,
            ..
        } = self;
        let all = [velocity, unconstrained, moved, force_delta, lag, moved_full, with_held, pose, mass];
        all.into_iter().for_each(trim);
        trim(jointed);
    }
}

/// The columns for a pass over blocks: several blocks run at a time, each on rows of its own.
#[derive(Clone, Copy)]
pub(crate) struct Shares<'c> {
    pub(crate) velocity: Shared<'c, [f32; 4]>,
    moved: Shared<'c, [f32; 4]>,
    reach: Shared<'c, [f32; 4]>,
    with_held: Shared<'c, [f32; 4]>,
    pub(crate) force_delta: &'c [[f32; 4]],
}

/// All columns, for a pass over trees of joints: several trees run at a time, each on rows of its
/// own. Rows of bodies that do not move are read by all.
#[derive(Clone, Copy)]
pub(crate) struct SharedColumns<'c> {
    pub(crate) velocity: Shared<'c, [f32; 4]>,
    pub(crate) unconstrained: Shared<'c, [f32; 4]>,
    pub(crate) moved: Shared<'c, [f32; 4]>,
    pub(crate) force_delta: &'c [[f32; 4]],
    pub(crate) lag: &'c [[f32; 4]],
    pub(crate) mass: &'c [[f32; 4]],
}

impl Columns {
    /// The columns velocity, unconstrained, moved, force_delta and mass, without the immovable row.
    pub(crate) fn moving(&mut self) -> [&mut [[f32; 4]]; 5] {
        let Columns { velocity, unconstrained, moved, force_delta, mass, .. } = self;
        [velocity, unconstrained, moved, force_delta, mass].map(|column| &mut column[1..])
    }

    /// The same columns, and lag. Call [`Columns::make_room_for_lag`] first.
    pub(crate) fn moving_with_lag(&mut self) -> [&mut [[f32; 4]]; 6] {
        let Columns { velocity, unconstrained, moved, force_delta, lag, mass, .. } = self;
        [velocity, unconstrained, moved, force_delta, mass, lag].map(|column| &mut column[1..])
    }

    /// The columns that impacts read and change: velocity, unconstrained, moved, lag, moved_full
    /// and with_held, without the immovable row. Call [`Columns::make_room_for_impacts`]
    /// and [`Columns::make_room_for_lag`] first.
    pub(crate) fn struck(&mut self) -> [&mut [[f32; 4]]; 6] {
        let Columns { velocity, unconstrained, moved, lag, moved_full, with_held, .. } = self;
        [velocity, unconstrained, moved, lag, moved_full, with_held].map(|column| &mut column[1..])
    }

    /// The columns, shared for one pass over blocks.
    pub(crate) fn share(&mut self) -> Shares<'_> {
        Shares {
            velocity: Shared::new(&mut self.velocity),
            moved: Shared::new(&mut self.moved),
            reach: Shared::new(&mut self.moved_full),
            with_held: Shared::new(&mut self.with_held),
            force_delta: &self.force_delta,
        }
    }
}

impl Columns {
    /// The columns, shared for one pass over trees.
    pub(crate) fn share_all(&mut self) -> SharedColumns<'_> {
        SharedColumns {
            velocity: Shared::new(&mut self.velocity),
            unconstrained: Shared::new(&mut self.unconstrained),
            moved: Shared::new(&mut self.moved),
            force_delta: &self.force_delta,
            lag: &self.lag,
            mass: &self.mass,
        }
    }
}

impl<'c> Shares<'c> {
    /// Displacements of the bodies, cut to as many rows as there are velocities, so that the
    /// compiler needs one bounds check for both.
    #[inline(always)]
    pub(crate) fn moved(&self) -> Shared<'c, [f32; 4]> {
        self.moved.first(self.velocity.len())
    }

    /// Constrained velocities, cut to as many rows as there are velocities.
    #[inline(always)]
    pub(crate) fn with_held(&self) -> Shared<'c, [f32; 4]> {
        self.with_held.first(self.velocity.len())
    }

    /// `moved_full`, cut to as many rows as there are velocities.
    #[inline(always)]
    pub(crate) fn reach(&self) -> Shared<'c, [f32; 4]> {
        self.reach.first(self.velocity.len())
    }
}
