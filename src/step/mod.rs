//! The step: a table of contents, one line per stage. A large stage is a folder, and its parts are
//! the files of that folder.
//!
//! In: a world, and the length of a step. Out: the world after it, with its events. Stages are
//! methods of `World`, and work on its stores (`../world/store/`). A stage imports only from stages
//! that run before it; a few methods are called from anywhere, such as `wake` of `islands/`.
//!
//! ```text
//!   begin               edits applied, bodies into solver rows  begin/gather.rs, gather_wide.rs
//!     apply_areas       forces of areas                         areas/
//!     partition_rows    domain decomposition of the rows        begin/partition.rs
//!     step_params       softness, thresholds and limits         begin/step_params.rs
//!   find_pairs          broadphase: contacts begin and end      pairs/
//!   collide             narrowphase: manifolds                  collide/
//!     begin_near, sieve mid-phase culling: circles and slabs    collide/cull.rs
//!     wide              eight pairs of a kind                   collide/wide.rs, wide/pose.rs
//!     write             impulses carried over, point by point   collide/write.rs
//!     hooks             one-way parts, hooks of the game        collide/hooks.rs
//!     predict           speculative contacts, time of impact    collide/predicted_impacts.rs
//!     deep overlaps     limits of depenetration                 collide/deep_overlap.rs
//!     internal edges    ghost collisions of flush tiles         collide/tile_ghosts.rs
//!     bends             faces at an angle, slid over            collide/bends.rs
//!   prepare             constraints into blocks                 prepare/
//!     link_joints       layout of joints                        ../world/joints/fill.rs
//!     settle            first impulses of a new scene           prepare/initial_load.rs
//!     colour            graph colouring, beside scale_masses    ../contact/colour.rs
//!     scale_masses      mass scaling of light bodies            prepare/mass_scaling.rs
//!     solver.prepare    contacts into blocks                    ../solver/contacts/prepare.rs
//!     mark_blows        contacts that are solved more often     prepare/blows.rs
//!     prepare_joints    joints into blocks                      ../world/joints/fill.rs
//!   sub_steps           warm start, impacts, solve, move, relax ../solver/{contacts/,integrate.rs}
//!     fly, land         isolated trees: all sub-steps in one    ../solver/joints/trees/isolated.rs
//!                       run (fly); rows filled after it (land)
//!     lone bodies       bodies that touch immovable ones only   ../solver/contacts/lone.rs
//!     push_joints       trees, webs directly; loops iterated    ../solver/joints/
//!   finish              impulses and bodies back, boxes         finish/
//!     quarantine        bodies whose numbers are not finite     finish/quarantine.rs
//!   ccd                 continuous collision after the solve    ccd/
//!     carry             cut bodies move on with struck ones     ccd/carry.rs
//!     late impacts      impulses of bodies that are cut short   ccd/late_impacts.rs
//!   hold_lines          centres stay on their side of segments  ccd/segment_side.rs
//!   note_ways           displacements, to draw between steps    ../world/read/poses.rs
//!   report              begun and ended touches, hits           events/
//!     sensors, welds    visits; welds by touch                  events/{sensors,welds}.rs
//!   sleep               islands fall asleep and wake            islands/
//!   freeze              the source of a NaN becomes fixed       finish/quarantine.rs
//!   finish_events       events sorted, for the game             events/
//!   note_step           the recording, where there is one       ../world/record/
//!   trim                room that resting bodies do not need    ../world/store/trim.rs
//! ```
//!
//! `displacement.rs`: how far bodies moved, for all stages after the solver. `speed_limit.rs`: how
//! fast they may go, for `begin` and `finish`.

pub(crate) mod areas;
pub(crate) mod begin;
pub(crate) mod ccd;
pub(crate) mod collide;
pub(crate) mod displacement;
pub(crate) mod events;
pub(crate) mod finish;
pub(crate) mod islands;
pub(crate) mod pairs;
pub(crate) mod prepare;
pub(crate) mod speed_limit;

use crate::error::Error;
use crate::solver::{JointPass, RowPass, SubStep, integrate_positions, integrate_velocities, lag_warm_start};
use crate::threads::Team;
use crate::world::World;
use crate::world::record::Input;

/// Times and counts of a step. Times are in the unit of the given clock, and 0 without one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepStats {
    /// Bodies that were moved.
    pub awake: usize,
    /// Pairs of parts whose boxes overlap. Not counted: two parts of one body, and parts of two
    /// bodies with one filter by which they ignore each other.
    pub pairs: usize,
    /// Pairs that touch.
    pub contacts: usize,
    /// Islands of awake bodies, as of the last search for islands that may sleep.
    pub islands: usize,
    /// Colours of the constraint graph in use.
    pub colours: usize,
    /// Time of stage `begin`: changes of the game, forces of areas, zones of threads, bodies into
    /// the solver's rows.
    pub begin: u64,
    /// Time of finding pairs in the grid, and of contacts that begin and end with them.
    pub find_pairs: u64,
    /// Time of testing pairs: culling, exact tests, and times of impact.
    pub collide: u64,
    /// Time of stage `prepare`: layout of joints, colours and blocks.
    pub prepare: u64,
    /// Time of the sub-steps (`sub_steps` in the code), all of them together.
    pub solve: u64,
    /// Time after the sub-steps (`finish` in the code): impulses and poses back to contacts and
    /// bodies, boxes into the grid.
    pub store: u64,
    /// Time of continuous collision at the end of the step (`ccd` and `hold_lines` in the code):
    /// fast bodies that may have passed through something.
    pub continuous: u64,
    /// Time of islands that fall asleep.
    pub sleep: u64,
    /// Time of events.
    pub report: u64,
}

/// Steps shorter than this, in seconds, are steps of no length: their reciprocal would overflow.
const SHORTEST_STEP: f32 = 1.0e-9;

/// With fewer awake bodies than this, a step runs on one thread.
const FEW_AWAKE: usize = 200;

impl World {
    /// Moves everything by `dt` seconds.
    ///
    /// With `dt` 0, or less than a nanosecond, positions and velocities keep their bits, and
    /// contacts are found.
    ///
    /// # Errors
    /// A `dt` that is negative, not finite, or longer than a second; nothing is changed then.
    pub fn step(&mut self, dt: f32) -> Result<StepStats, Error> {
        self.note(|| Input::Step { dt });
        World::check_dt(dt)?;
        let dt = if dt < SHORTEST_STEP { 0.0 } else { dt };
        let team = &self.crew.begin(self.bodies.awake.len() >= FEW_AWAKE);
        let params = self.stage(|stats| &mut stats.begin, |world| world.begin(team, dt));
        self.stage(|stats| &mut stats.find_pairs, |world| world.find_pairs(team));
        self.stage(|stats| &mut stats.collide, |world| world.collide(team, dt));
        self.stage(|stats| &mut stats.prepare, |world| world.prepare(team, &params));
        if dt > 0.0 {
            self.stage(|stats| &mut stats.solve, |world| world.sub_steps(team, &params));
            self.stage(|stats| &mut stats.store, |world| world.finish(team, &params));
            self.stage(|stats| &mut stats.continuous, |world| world.ccd(team, dt, Some(&params.joint)));
            self.stage(|stats| &mut stats.continuous, World::hold_lines);
        }
        self.note_ways();
        self.stage(|stats| &mut stats.report, World::report);
        self.stage(|stats| &mut stats.sleep, World::sleep);
        self.freeze();
        self.finish_events();
        self.note_step();
        self.trim();
        self.grid.refresh_if_asked();
        Ok(self.step.stats)
    }

    /// Refuses a length that a step cannot have.
    pub(crate) fn check_dt(dt: f32) -> Result<(), Error> {
        if (0.0..=1.0).contains(&dt) {
            return Ok(());
        }
        Err(Error::BadNumber("a step takes 0 to 1 s: give seconds, as in 1.0 / 60.0"))
    }

    /// Sub-steps: the first one starts from the impulses of the step before.
    pub(super) fn sub_steps(&mut self, team: &Team, params: &crate::solver::StepParams) {
        let (solver, columns) = (&mut self.solver, &mut self.columns);
        columns.make_room_for_lag(solver.needs_lag());
        solver.joints.fly(team, columns, &params.joint, self.def.sub_steps);
        let rows = RowPass { team, grain: solver.grain(team, columns) };
        for sub_step in 0..self.def.sub_steps {
            if sub_step == 0 {
                solver.warm_start(team, columns);
                lag_warm_start(rows, columns, params.bounce.h);
            } else {
                integrate_velocities(rows, columns, params.bounce.h, SubStep::Later);
            }
            solver.drop_blows(columns);
            solver.bounce(rows, columns, &params.bounce);
            solver.push_joints(team, columns, &params.joint, JointPass::BeforeFirst);
            solver.solve(team, columns, params);
            solver.push_joints(team, columns, &params.joint, JointPass::BeforeLast);
            integrate_positions(rows, columns, params.bounce.h);
            solver.push_joints(team, columns, &params.joint, JointPass::AfterFirst);
            solver.relax(team, columns, params);
            solver.push_joints(team, columns, &params.joint, JointPass::AfterLast);
        }
        solver.joints.land(team, columns);
    }

    /// Runs a stage and adds its time.
    fn stage<R>(&mut self, time: fn(&mut StepStats) -> &mut u64, run: impl FnOnce(&mut World) -> R) -> R {
        let start = self.now();
        let done = run(self);
        if let (Some(end), Some(start)) = (self.now(), start) {
            *time(&mut self.step.stats) += end.saturating_sub(start);
        }
        done
    }

    /// The time, if there is a clock. If more threads are modelled than the machine has
    /// (`threads/model.rs`), the time that they would have saved is taken off.
    fn now(&self) -> Option<u64> {
        self.clock.map(|clock| clock().wrapping_sub(self.crew.saved()))
    }
}
