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

/// What bodies are to the solver: a row of four numbers a body in each column. Row 0 is what does
/// not move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// `[x, y, spin, 0]`; while impacts are looked for, the last place tells when the body was
    /// struck.
    pub(crate) velocity: Vec<[f32; 4]>,
    /// The velocity that it would have in this sub-step if nothing touched it.
    pub(crate) unconstrained: Vec<[f32; 4]>,
    /// How far it has come in this step: `[x, y, angle, 0]`.
    pub(crate) moved: Vec<[f32; 4]>,
    /// What gravity and forces add to the velocity in a sub-step, and the share of the spin that
    /// damping leaves.
    pub(crate) force_delta: Vec<[f32; 4]>,
    /// Half of the change of velocity that the way of this sub-step leaves out; filled where there
    /// are joints.
    pub(crate) lag: Vec<[f32; 4]>,
    /// How far it has come with that part of the way: while impacts are looked for.
    pub(crate) moved_full: Vec<[f32; 4]>,
    /// The velocity with what contacts and joints hold: while impacts are looked for, in the
    /// velocities without.
    pub(crate) with_held: Vec<[f32; 4]>,
    /// Whether it has joints; empty if no body has any. While impacts are looked for, the last
    /// place of `with_held` is 1 then.
    pub(crate) jointed: Vec<bool>,
    /// Where it stands as the step begins: `[x, y, cos, sin]`, from the centre of its region;
    /// filled where there are joints. Bodies that joints hold and steps do not move come first.
    pub(crate) pose: Vec<[f32; 4]>,
    /// `[1 / mass for x, for y, 1 / inertia, share of the linear velocity that damping leaves]`
    pub(crate) mass: Vec<[f32; 4]>,
}

impl Columns {
    /// Room for the immovable row and `count` others; what they hold is up to the caller.
    pub(crate) fn resize(&mut self, count: usize) {
        let Columns { velocity, unconstrained, moved, force_delta, lag, moved_full, with_held, mass, .. } =
            self;
        for column in [velocity, unconstrained, moved, force_delta, lag, moved_full, with_held, mass] {
            column.resize(count + 1, Zeroable::zeroed());
            column[0] = [0.0; 4];
        }
        self.force_delta[0] = [0.0, 0.0, 0.0, 1.0];
        self.mass[0] = [0.0, 0.0, 0.0, 1.0];
    }
}

impl Columns {
    /// Gives back the rows of what no longer moves.
    pub(crate) fn trim(&mut self) {
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
        } = self;
        let all = [velocity, unconstrained, moved, force_delta, lag, moved_full, with_held, pose, mass];
        all.into_iter().for_each(trim);
        trim(jointed);
    }
}

/// The columns as a pass over blocks sees them: several blocks at a time, each with rows of its
/// own.
#[derive(Clone, Copy)]
pub(crate) struct Shares<'c> {
    pub(crate) velocity: Shared<'c, [f32; 4]>,
    moved: Shared<'c, [f32; 4]>,
    reach: Shared<'c, [f32; 4]>,
    with_held: Shared<'c, [f32; 4]>,
    pub(crate) force_delta: &'c [[f32; 4]],
}

/// All columns, as trees of joints see them: several at a time, each with rows of its own. Those of
/// what stands are read by all.
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
    /// Velocity, free, moved, push, kick, mass: of all but the immovable row.
    pub(crate) fn moving(&mut self) -> [&mut [[f32; 4]]; 6] {
        let Columns { velocity, unconstrained, moved, force_delta, lag, mass, .. } = self;
        [velocity, unconstrained, moved, force_delta, lag, mass].map(|column| &mut column[1..])
    }

    /// What impacts change, and by what: velocity, free, moved, kick, reach, with_held of all but
    /// the immovable row.
    pub(crate) fn struck(&mut self) -> [&mut [[f32; 4]]; 6] {
        let Columns { velocity, unconstrained, moved, lag, moved_full, with_held, .. } = self;
        [velocity, unconstrained, moved, lag, moved_full, with_held].map(|column| &mut column[1..])
    }

    /// For one pass.
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
    /// For one pass over trees.
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
    /// How far the bodies have come: as many rows as velocities, told so that the compiler knows.
    /// What has one has the other, and is asked for once.
    #[inline(always)]
    pub(crate) fn moved(&self) -> Shared<'c, [f32; 4]> {
        self.moved.first(self.velocity.len())
    }

    /// The same of their velocities with what is held.
    #[inline(always)]
    pub(crate) fn with_held(&self) -> Shared<'c, [f32; 4]> {
        self.with_held.first(self.velocity.len())
    }

    /// The same of their reach.
    #[inline(always)]
    pub(crate) fn reach(&self) -> Shared<'c, [f32; 4]> {
        self.reach.first(self.velocity.len())
    }
}
