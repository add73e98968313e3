//! Switches for the guards of a step, to measure the use and the cost of each guard.
//!
//! In: the condition of a guard, at its place in the step. Out: whether the guard acts. Without the
//! feature `ablate`, which is for tests alone, `Rule::acts` is the condition itself. With it, a
//! rule can be turned off, and the times that it acts can be counted, by calls or by environment
//! variables. A rule that is off does nothing; the step goes on without it.
//!
//! ```text
//!   CAROM_ABLATE=Blows,Bends     rules that are off
//!   CAROM_ACTED=file             each thread that stepped a world adds to the file, as it ends,
//!                                the rules that acted: run one test a process
//! ```
//!
//! docs/mechanisms.md has a row per rule: the test that fails without it, and its price.

/// Defines the rules, and lists them.
macro_rules! rules {
    ($($(#[$doc:meta])+ $rule:ident,)+) => {
        /// A guard of the step: a rule with a condition of its own, in the order of the stages.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule {
            $($(#[$doc])+ $rule,)+
        }

        impl Rule {
            /// All rules, in their order.
            pub const ALL: &[Rule] = &[$(Rule::$rule),+];
        }
    };
}

rules! {
    /// Bodies that were told to sleep have no mass in their last step.
    ToldToSleep,
    /// Loads and softness follow the longer of two steps of different length.
    LongerStep,
    /// Concentric circles part in different directions.
    ConcentricCircles,
    /// Two lines keep a distance, each on its side of the other.
    LineSides,
    /// Contacts with a chain get normals of the whole chain.
    ChainCorners,
    /// A segment of a chain that a body gets over in this step has a contact before.
    SegmentAhead,
    /// The normal of a contact with an immovable part is snapped to its face.
    GroundSnap,
    /// Circles that move round each other are cast from a smaller gap on.
    RoundCircles,
    /// An impact with a segment of a chain must come from the side to which it pushes.
    ImpactSide,
    /// A contact with a one-way part pushes along its solid face.
    OneWayFace,
    /// Several deep contacts of two bodies have neither restitution nor, if opposed, friction.
    DeepMuted,
    /// Deep contacts of two bodies that push against each other become one.
    DeepOpposed,
    /// Deep contacts of a body share their push.
    DeepShared,
    /// Bodies that are pushed out of deep overlaps have a speed limit.
    PushLimit,
    /// Contacts that neighbours of the touched part cover are replaced or dropped.
    GhostContacts,
    /// Ghost contacts of predicted impacts are judged by the gaps at the time of impact.
    GapsAtImpact,
    /// The face of a part that a body slides onto in this step replaces a ghost contact.
    FaceAhead,
    /// Manifolds at bends are widened by the displacement of the step.
    Bends,
    /// Arms of single points are extrapolated, which brakes rocking bodies.
    ArmAhead,
    /// The brake takes at most a bounded share of the spin of rocking bodies.
    BrakeBound,
    /// Jointed rocking bodies are not braked.
    JointedArms,
    /// New contacts of a scene start with an estimate of their load.
    InitialLoad,
    /// Light bodies between heavy ones get more mass.
    MassScaling,
    /// Contacts near a heavy body that strikes light ones are solved more often.
    Blows,
    /// Contacts of jointed bodies are softer.
    JointedSoftness,
    /// Jointed bodies use their full velocities in impacts.
    JointedImpacts,
    /// Warm starts that add energy to a lone body are dropped.
    LoneWarmStart,
    /// Lone bodies have more relaxing passes.
    LonePasses,
    /// Lone bodies are slowed down to the energy that they had.
    LoneEnergy,
    /// Hard landings are impacts, with restitution 0 as well.
    Landings,
    /// An impact replaces the warm start of its contact.
    ImpactReplaces,
    /// Deep contacts keep their warm start in an impact.
    DeepWarmStart,
    /// Joints have a second pass before bodies move, after contacts.
    SecondPass,
    /// Connected bodies with contacts have no half kick.
    LevelKicks,
    /// Trees with great mass ratios have more rounds, and trials for their pulls.
    HeavyTrees,
    /// The active limits of trees are found by more than one trial.
    TreeTrials,
    /// Bodies of taut trees get extra inertia.
    TreeInertia,
    /// Joints of trees do no work.
    TreeEnergy,
    /// A second joint of a body to the ground yields more.
    GroundGives,
    /// Gaps of webs are closed by a soft solve of their own.
    WebGaps,
    /// Small gaps of webs are closed by moving bodies.
    WebMoves,
    /// Webs with wide gaps have no extra inertia, and lose energy.
    Contradictions,
    /// Active limits of a web that pull are released in the first trials only.
    WebReleases,
    /// An impulse of a limit belongs to the limit that is nearer.
    NearerLimit,
    /// Bodies of taut webs get extra inertia.
    WebInertia,
    /// Joints of webs do no work.
    WebEnergy,
    /// Impulses of webs are computed from the motion that they give.
    WebMotion,
    /// Hanging nets are over-relaxed, and softer.
    OverRelaxation,
    /// Bodies of taut nets get extra inertia.
    NetInertia,
    /// Joints of nets do no work.
    NetEnergy,
    /// Bodies are cast from a share of the displacement that passes through on.
    Dips,
    /// The share of the displacement is larger for surfaces with restitution.
    DipsOfBouncy,
    /// A body that its contact kept apart is not cut short.
    HeldOff,
    /// A body that lies on the ground slides over the end of a part.
    SlidesOver,
    /// Bodies that touched all along are cast with their cores.
    CoreCasts,
    /// A body that spins inside another one is cut short at once.
    SpinCuts,
    /// Two movable bodies that did not pass through each other are not cut short.
    LeftToContact,
    /// Jointed bodies are cast with their cores alone.
    JointedCores,
    /// Jointed bodies are cut short together.
    SharedCuts,
    /// Gaps that cuts open in joints are closed.
    CutJoints,
    /// Bodies that were cut short move on with the body that they struck.
    MovesOn,
    /// Bodies that struck each other move on with their centre of mass.
    CommonCenter,
    /// Jointed bodies that struck each other stay where they met.
    JointedStay,
    /// Bodies that move on stop at obstacles.
    Obstacles,
    /// A step looks at so many boxes for obstacles and strides, and no more.
    BoxesSeen,
    /// A body that was cut short gets the impulse of its impact at once.
    LateImpacts,
    /// The two points of an impact after a cut are solved together.
    LatePoints,
    /// Elastic bodies that are put back or stride keep their energy.
    LateEnergy,
    /// A body that is cut short in two steps in a row goes on in strides.
    Strides,
    /// Strides in a crowd are not made.
    StrideCrowd,
    /// A stride that ends too deep is taken back.
    StrideDepth,
    /// The centre of a part stays on its side of a line.
    SegmentSide,
    /// A body that two lines push apart is put back to the start of the step.
    SegmentReturn,
}

impl Rule {
    /// Whether the rule acts: where its condition holds, unless it is off.
    #[inline(always)]
    pub(crate) fn acts(self, condition: bool) -> bool {
        condition && self.is_on() && self.count()
    }

    /// Whether the rule is on. For rules whose condition is checked in several places; these call
    /// [`Rule::count`].
    #[inline(always)]
    pub(crate) fn is_on(self) -> bool {
        switches::is_on(self)
    }

    /// Counts that the rule acted; always true.
    #[inline(always)]
    pub(crate) fn count(self) -> bool {
        switches::count(self)
    }

    /// Counts that the rule acted, if it did: `acted` is asked only with the feature.
    #[inline(always)]
    pub(crate) fn count_if(self, acted: impl FnOnce() -> bool) {
        switches::count_if(self, acted);
    }
}

#[cfg(not(feature = "ablate"))]
mod switches {
    use super::Rule;

    #[inline(always)]
    pub(super) const fn is_on(_: Rule) -> bool {
        true
    }

    #[inline(always)]
    pub(super) const fn count(_: Rule) -> bool {
        true
    }

    #[inline(always)]
    pub(super) fn count_if(_: Rule, _: impl FnOnce() -> bool) {}
}

#[cfg(feature = "ablate")]
mod switches {
    use super::Rule;
    use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::io::Write as _;
    use std::sync::LazyLock;

    pub(super) static OFF: LazyLock<[AtomicBool; Rule::ALL.len()]> = LazyLock::new(|| {
        let names = std::env::var("CAROM_ABLATE").unwrap_or_default();
        let is_named = |rule: Rule| names.split(',').any(|name| Rule::named(name) == Some(rule));
        core::array::from_fn(|index| AtomicBool::new(is_named(Rule::ALL[index])))
    });
    pub(super) static COUNTS: LazyLock<AtomicBool> = LazyLock::new(|| AtomicBool::new(REPORT.is_some()));
    pub(super) static ACTED: [AtomicU64; Rule::ALL.len()] = [const { AtomicU64::new(0) }; Rule::ALL.len()];

    #[inline]
    pub(super) fn is_on(rule: Rule) -> bool {
        !OFF[rule as usize].load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn count(rule: Rule) -> bool {
        if COUNTS.load(Ordering::Relaxed) {
            ACTED[rule as usize].fetch_add(1, Ordering::Relaxed);
            if REPORT.is_some() {
                AT_END.with(|_| {});
            }
        }
        true
    }

    #[inline]
    pub(super) fn count_if(rule: Rule, acted: impl FnOnce() -> bool) {
        if COUNTS.load(Ordering::Relaxed) && acted() {
            count(rule);
        }
    }

    /// The file for the rules that acted.
    static REPORT: LazyLock<Option<std::path::PathBuf>> =
        LazyLock::new(|| std::env::var_os("CAROM_ACTED").map(Into::into));

    /// Reports the rules that acted when a thread ends.
    struct Reporter;

    thread_local! {
        static AT_END: Reporter = const { Reporter };
    }

    impl Drop for Reporter {
        fn drop(&mut self) {
            let Some(path) = &*REPORT else { return };
            let acted = |rule: &Rule| ACTED[*rule as usize].load(Ordering::Relaxed) > 0;
            let names = Rule::ALL.iter().copied().filter(acted).map(|rule| format!("{rule:?}\n"));
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            // The reader notices a report that could not be written.
            _ = file.and_then(|mut file| file.write_all(names.collect::<String>().as_bytes()));
        }
    }
}

#[cfg(feature = "ablate")]
pub use controls::{acted, count_all, turn_off, turn_on};

#[cfg(feature = "ablate")]
mod controls {
    use super::{Rule, switches};
    use core::sync::atomic::Ordering;

    impl Rule {
        /// Returns the rule of a name as in [`Rule`].
        pub fn named(name: &str) -> Option<Rule> {
            Rule::ALL.iter().copied().find(|rule| format!("{rule:?}") == name)
        }
    }

    /// Turns a rule off, for all worlds.
    pub fn turn_off(rule: Rule) {
        switches::OFF[rule as usize].store(true, Ordering::Relaxed);
    }

    /// Turns a rule on again.
    pub fn turn_on(rule: Rule) {
        switches::OFF[rule as usize].store(false, Ordering::Relaxed);
    }

    /// Begins to count, from 0, how often each rule acts; or stops counting.
    pub fn count_all(counts: bool) {
        switches::COUNTS.store(counts, Ordering::Relaxed);
        if counts {
            switches::ACTED.iter().for_each(|acted| acted.store(0, Ordering::Relaxed));
        }
    }

    /// How often a rule acted while rules were counted. A rule in lanes counts eight pairs once.
    pub fn acted(rule: Rule) -> u64 {
        switches::ACTED[rule as usize].load(Ordering::Relaxed)
    }
}
