//! The thresholds of the step: [`Tuning`], and a struct for each stage in it.
//!
//! Lengths and speeds depend on the unit of a world. They are fields, written here in metres; a
//! world scales them once, and its stages read `tuning.ccd.deeper`. Pure numbers (shares, angles,
//! ratios) are constants of the same structs, as `CcdTuning::CORE`: kernels in lanes get their
//! shares as constants, not from memory. No stage reads a length unscaled, public ones included:
//! `tests/misuse/constants.rs` checks that.
//!
//! Elsewhere: the restitution threshold follows from gravity and the sub-step, and is worked out in
//! `step/begin/step_params.rs`. How slowly a contact's remembered load changes is `LOAD_MEMORY` in
//! `tuning.rs`; times and speeds of sleep are there too.

use super::{
    BLOW, FLUSH, LONE_DEPTH, MAX_BOX_ROOM, MAX_JOINT_PUSH, MAX_PUSH, MIN_DYNAMIC_SIZE, NEAR_GAP, SLIP_SPEED,
    SMALL_MARGIN, SPECULATIVE_DISTANCE,
};

/// Lengths and speeds of all stages, in the units of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tuning {
    pub(crate) margins: MarginTuning,
    pub(crate) surfaces: SurfaceTuning,
    pub(crate) contacts: ContactTuning,
    pub(crate) overlaps: OverlapTuning,
    pub(crate) ccd: CcdTuning,
    pub(crate) joints: JointTuning,
    pub(crate) webs: WebTuning,
    pub(crate) sleep: SleepTuning,
}

impl Tuning {
    /// The thresholds where a metre has `unit` units of length.
    pub(crate) fn scaled(unit: f32) -> Tuning {
        Tuning {
            margins: MarginTuning::scaled(unit),
            surfaces: SurfaceTuning::scaled(unit),
            contacts: ContactTuning::scaled(unit),
            overlaps: OverlapTuning::scaled(unit),
            ccd: CcdTuning::scaled(unit),
            joints: JointTuning::scaled(unit),
            webs: WebTuning::scaled(unit),
            sleep: SleepTuning::scaled(unit),
        }
    }
}

/// Lengths and speeds that go from metres to the unit of a world.
trait Scale {
    fn scale(self, unit: f32) -> Self;
}

impl Scale for f32 {
    fn scale(self, unit: f32) -> f32 {
        self * unit
    }
}

impl Scale for f64 {
    fn scale(self, unit: f32) -> f64 {
        self * f64::from(unit)
    }
}

/// One number for each axis of a joint: along and across are lengths, the third is an angle.
impl<F: Scale> Scale for [F; 3] {
    fn scale(self, unit: f32) -> [F; 3] {
        let [along, across, angle] = self;
        [along.scale(unit), across.scale(unit), angle]
    }
}

/// Declares the lengths and speeds of a stage, each with its value in metres, and
/// `scaled(unit)`, which multiplies all of them.
macro_rules! lengths {
    ($(#[$about:meta])* $Stage:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $metres:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) struct $Stage {
            $($(#[$doc])* pub(crate) $field: $type,)*
        }

        impl $Stage {
            fn scaled(unit: f32) -> $Stage {
                $Stage { $($field: <$type as Scale>::scale($metres, unit),)* }
            }
        }
    };
}

lengths! {
    /// Distances at which contacts begin, and sizes of boxes.
    MarginTuning {
        /// [`SPECULATIVE_DISTANCE`], in metres.
        speculative: f32 = SPECULATIVE_DISTANCE,
        /// [`SMALL_MARGIN`], in metres.
        small: f32 = SMALL_MARGIN,
        /// [`NEAR_GAP`], in metres. Surfaces that touched still do up to this gap.
        near_gap: f32 = NEAR_GAP,
        /// Gap, in metres, at which two parts of a predicted impact count as meeting: from there on
        /// the normal is kept, as in any contact with a small gap. Larger, and parts that pass each
        /// other by meet; smaller, and the search takes more rounds.
        meeting_gap: f32 = 0.1 * NEAR_GAP,
        /// [`MAX_BOX_ROOM`], in metres.
        max_box_room: f32 = MAX_BOX_ROOM,
        /// [`FLUSH`], in metres.
        flush: f32 = FLUSH,
        /// Distance at which two lines rest on each other, in metres: so each has a side. Larger,
        /// and the gap between resting sticks is seen; smaller, and rounding decides the side.
        line_skin: f32 = 1.0e-3,
    }
}

impl MarginTuning {
    /// Greatest [`line_skin`](Self::line_skin), as a share of the length of the shorter line.
    /// Larger, and short sticks float on each other.
    pub(crate) const LINE_SKIN_SHARE: f32 = 1.0e-2;

    /// Greatest [`meeting_gap`](Self::meeting_gap), as a share of the extent of the smaller part:
    /// with more, small parts that pass each other by would meet.
    pub(crate) const MEETING_SHARE: f32 = 0.002;

    /// The greatest [`meeting_gap`](Self::meeting_gap) of circles, as such a share: their normal
    /// turns most.
    pub(crate) const MEETING_SHARE_OF_CIRCLES: f32 = 2.0e-4;

    /// Greatest excess width and height of a box in the grid, as a multiple of its room: a looser
    /// box is made anew. A new box has four. Larger, and a heap that fell keeps the long boxes of
    /// its fall; below four, each box is made anew in each step.
    pub(crate) const LOOSE_BOX: f32 = 6.0;

    /// Greatest rotation of a normal in a step, in radians, for the contact to count as the same:
    /// beyond it another feature may touch, and arms are not extrapolated.
    pub(crate) const MOST_ROLLED: f32 = 0.2;
}

lengths! {
    /// Which normals a surface has: faces of the ground, chains, internal edges, bends, one-way
    /// parts.
    SurfaceTuning {
        /// Displacement in a step, in metres, up to which contacts at a bend stay as they are: at
        /// an angle of 5 degrees they miss a tenth of that. Smaller costs time.
        bend_move: f32 = 1.0e-3,
        /// Overlap, in metres, up to which a point at a bend may come over a face: bodies at rest
        /// overlap by less, and on the other side of a ridge it is more.
        bend_overlap: f32 = 2.0e-4,
        /// A body this far below the face of a one-way part, in metres, still counts as above it:
        /// more than the overlap of a resting body.
        parted: f32 = 1.0e-3,
    }
}

impl SurfaceTuning {
    /// Sine of the angle up to which a normal counts as that of a face: 0.06 degrees. A normal that
    /// leans more, at the segment of a chain, belongs to a corner; a normal that leans less, on
    /// immovable ground, is snapped to the face. Smaller, and boxes that lean by rounding feel
    /// seams.
    pub(crate) const OWN_NORMAL: f32 = 1.0e-3;

    /// Sine of the angle up to which two faces, or the normals of a contact and of a face, count as
    /// one. Larger, and bends of tiles are taken for flat.
    pub(crate) const SAME_FACE: f32 = 1.0e-4;

    /// Cosine of the angle up to which two normals at one corner of a chain do the same work, so
    /// that one contact is enough.
    pub(crate) const SAME_WORK: f32 = 0.9;

    /// Cosine of the angle to its own normal up to which the contact of a neighbour segment tells
    /// the side of the chain.
    pub(crate) const TELLS_SIDE: f32 = 0.7;

    /// By how much a normal at a corner has to be nearer to the neighbour segment for the neighbour
    /// to keep it. On a roof with equal sides the two are equal, up to rounding: without it both
    /// would leave the ridge to each other.
    pub(crate) const RIDGE_TIE: f32 = 1.0e-5;

    /// Sine up to which two closest corners stand upright on a face. Its square is twice the share
    /// by which their distance exceeds the height over the face, a few units in the last place. (An
    /// end of a capsule that had come 20 µm over the end of a face was its closest corner, and the
    /// contact lost its other end for a step, which fell by 1.5 mm.)
    pub(crate) const UPRIGHT: f32 = 2.0e-3;

    /// How far beyond a point the neighbour of a part must extend to cover it, as a multiple of
    /// [`FLUSH`].
    pub(crate) const NEIGHBOUR_REACH: f32 = 4.0;

    /// Least cosine between a covered normal and that of the face that takes its place. Faces that
    /// look away belong to other contacts.
    pub(crate) const LEAST_FACING: f32 = -0.5;

    /// Least cosine between the normals of a face that a body slides on and of the face that it
    /// will slide on, and greatest sine between its displacement and that face.
    pub(crate) const ALONG: f32 = 0.5;

    /// Least cosine between a one-way part's direction and the normal at which it is solid: about
    /// 45 degrees.
    pub(crate) const SOLID: f32 = 0.7;
}

lengths! {
    /// The solver of contacts: landings, the load of new contacts, heavy loads and blows.
    ContactTuning {
        /// [`SLIP_SPEED`], in m/s.
        slip_speed: f32 = SLIP_SPEED,
        /// [`BLOW`], in m/s.
        landing_speed: f32 = BLOW,
        /// [`LONE_DEPTH`], in metres.
        lone_depth: f32 = LONE_DEPTH,
        /// Greatest gap, in metres, at which a body of a new scene counts as standing on another:
        /// margin for the rounding of positions that were meant to touch. With a wider gap it falls
        /// first, and carries nothing yet.
        resting_gap: f32 = 1.0e-3,
    }
}

impl ContactTuning {
    /// How far ahead arms of single-point contacts are extrapolated, in steps.
    /// [`MOST_BRAKED`](Self::MOST_BRAKED) bounds the share of its spin that a body loses by it in a
    /// step.
    ///
    /// A rocking body, as a bar on a ball, moves its contact point. Arms are taken at the start of
    /// the step, so the restoring torque comes late, and each swing is wider than the one before,
    /// by 0.2 (ω dt)² per step: in 8 and 11 of 100 rooms of bodies at rest, calm and made inside
    /// each other, some bar rocked for ever. The arm half a step ahead would keep the swing as it
    /// is, and farther ahead damps it: at 1, something moves in 3 and 4 of 100 rooms, at 1.5 in 1
    /// and 2. Without the bound it acts as an explicit spring, and a body pressed hard between
    /// heavy ones oscillates.
    pub(crate) const ARM_AHEAD: f32 = 1.5;

    /// Greatest share of its spin that a body loses in a step by [`ARM_AHEAD`](Self::ARM_AHEAD).
    pub(crate) const MOST_BRAKED: f32 = 0.3;

    /// How much more than the change by gravity and forces, squared, a change of velocity may be to
    /// count as an even one: their own change, and rounding.
    pub(crate) const EVEN_CHANGE: f32 = 1.02;

    /// Least share of a contact's normal along gravity with which the upper body of a new scene
    /// stands on the lower one: steeper faces carry nothing in the first step.
    pub(crate) const BEARING: f32 = 0.1;

    /// Greatest guessed load of a new contact, as a multiple of a body's weight. The rounding of a
    /// million times its weight equals its own weight; more would throw it.
    pub(crate) const MOST_BORNE: f32 = 1.0e6;

    /// Mass ratio from which a neighbour counts as heavy: a body that such neighbours squeeze gets
    /// more mass. Larger, and light bodies between heavy ones shake.
    pub(crate) const SQUEEZED: f32 = 2.0;

    /// Mass ratio from which a body counts as a heavy striker, and others as far lighter.
    pub(crate) const STRIKER: f32 = 8.0;

    /// Change of a heavy body's speed by light ones in a step, beyond their remembered load, that
    /// counts as a blow, in m/s: more than carrying it at rest, which they may not be used to. A
    /// number and not scaled, as the sums that it is compared with are in m/s in every world.
    pub(crate) const STRIKE_SPEED: f32 = 0.25;
}

lengths! {
    /// Deep overlaps, which are pushed out slowly. Depths are shares of the half-thickness of the
    /// thinner body.
    OverlapTuning {
        /// [`MAX_PUSH`], in m/s.
        max_push: f32 = MAX_PUSH,
    }
}

impl OverlapTuning {
    /// Depth from which a contact shares its push with all other deep contacts of its bodies, so
    /// that together they push no faster. (All contacts were counted once: then whatever lies in a
    /// heap is in a crowd, and compounds that 80 m/s had crushed stayed 0.9 m deep in each other.)
    pub(crate) const CROWDED: f32 = 0.3;

    /// Two contacts of one pair push against each other if the cosine between their normals is
    /// below this, or the mean of all normals is shorter than [`OPPOSED_MEAN`](Self::OPPOSED_MEAN).
    pub(crate) const OPPOSED: f32 = -0.7;

    /// See [`OPPOSED`](Self::OPPOSED).
    pub(crate) const OPPOSED_MEAN: f32 = 0.3;

    /// Depth from which a contact without restitution has no impact, and the speed of its bodies is
    /// limited.
    pub(crate) const PUSHED_OUT: f32 = 0.8;
}

lengths! {
    /// Continuous collision: casts at the end of a step, late impacts, strides, sides of lines.
    CcdTuning {
        /// Greatest thickness of parts that a stride takes into account, in metres: half-planes are
        /// infinite.
        most_thick: f32 = 1.0,
        /// Depth that strides may add, in metres. Larger, and bodies in strides sink in; smaller,
        /// and they stop at once.
        deeper: f32 = 0.001,
        /// Least half-thickness of parts at a line, in metres, half the smallest body: thinner ones
        /// would be held by less than positions are rounded by.
        least_thickness: f32 = 0.5 * MIN_DYNAMIC_SIZE,
    }
}

impl CcdTuning {
    /// Displacement from which a body is cast against immovable ones, as a share of that which
    /// passes through. An end that swings into the ground after the other end hit it dips by less
    /// than that.
    ///
    /// With 1, planks of 20 cm that fell from 3 m dipped by 15 cm. Among 12,000 nearly flat
    /// landings, 840 dip by more than 1 cm with 0.5, 341 with 0.25, 101 with 0.1.
    /// (`nearly_flat_landings_dip_little`)
    ///
    /// Tried instead: all points of the predicted manifold up to 1.5 times the gap that the rest of
    /// the step closes, so that both ends have their points before the step begins. 62 of the
    /// 12,000 dip, and 31 of 5,139 landings gain energy instead of 85; but flush seams stop boxes
    /// at 30 m/s, a bend of tiles throws them up by 46 cm, elastic planks on hills are off four
    /// times as often, a stick falls through a hilly chain, and sticks in a pile end 11 cm deep
    /// instead of 7.
    pub(crate) const DIPS: f32 = 0.25;

    /// [`DIPS`](Self::DIPS) of surfaces with restitution. (With 0.25, an elastic gas gained 1.6 %
    /// of its energy: a body that is cut short loses the rest of its step.)
    pub(crate) const DIPS_OF_BOUNCY: f32 = 0.5;

    /// [`DIPS`](Self::DIPS) as a share of the body's own half-thickness: a displacement that passes
    /// through is at most twice that.
    pub(crate) const FAR: f32 = 2.0 * CcdTuning::DIPS;

    /// Radius of a part's core, as a share of its half-thickness. Larger, and bodies that only
    /// overlap are cut short; smaller, and bodies are deeper in each other before they are.
    pub(crate) const CORE: f32 = 0.5;

    /// Overlap at the end of a fast displacement that is left to the contact, as a share of the
    /// half-thickness of the thinner part.
    pub(crate) const HELD_OFF: f32 = 0.1;

    /// Relative rotation in a step, in radians, from which two overlapping bodies continue in
    /// strides.
    pub(crate) const SPINS: f32 = 0.5;

    /// Greatest rotation of a stride, in radians: too short to tunnel.
    pub(crate) const STRIDE_TURN: f32 = 0.1;

    /// Greatest displacement of any point in a stride, as a share of its own half-thickness and of
    /// that of the thinnest part that it may meet: too short to tunnel.
    pub(crate) const STRIDE_WAY: f32 = 0.5;

    /// Depth that strides may add, as a share of the half-thickness of the thinner part, where that
    /// is more than [`deeper`](Self::deeper).
    pub(crate) const DEEPER_SHARE: f32 = 0.05;

    /// Overlap from which strides may add none, as a share of the half-thickness of the thinner
    /// part.
    pub(crate) const STRIDE_DEPTH: f32 = 0.25;

    /// Least distance of a centre from a line, as a share of the part's half-thickness, or of the
    /// resting distance of two lines.
    pub(crate) const GRIP: f32 = 0.1;

    /// Least distance for a centre that was put back already: it may miss [`GRIP`](Self::GRIP) by
    /// rounding.
    pub(crate) const LEAST_GRIP: f32 = 0.5 * CcdTuning::GRIP;

    /// How far a line reaches beyond its ends, as a share of its length, so that there is no gap
    /// between two segments of a chain.
    pub(crate) const LINE_END: f32 = 1.0e-4;
}

lengths! {
    /// Joints of all solvers, trees and loops.
    JointTuning {
        /// [`MAX_JOINT_PUSH`], in m/s and radians a second.
        max_push: [f32; 3] = [MAX_JOINT_PUSH; 3],
        /// Anchors nearer than this, in metres, define no direction. Smaller, and the direction is
        /// rounding.
        no_line: f32 = 1.0e-6,
        /// Lines between anchors up to this length, in metres, have no lengthening by sideways
        /// motion in their bend term: it would divide by nearly nothing.
        short_line: f32 = 1.0e-3,
        /// Least arm, in metres, by which the closing of an angle is limited: the far end of a wide
        /// gap closes no faster than the gap.
        least_arm: f32 = 1.0,
        /// A body that cannot turn gets the inertia of its mass at this arm, in metres, and a body
        /// that cannot move the mass of its inertia.
        inertia_arm: f32 = 1.0,
        /// Gap in metres, or radians, from which a joint of a loop counts as open: about where the
        /// closing speed reaches its limit. The energy of an open loop is watched.
        open: [f32; 3] = [0.2; 3],
    }
}

impl JointTuning {
    /// A joint that pulls less than this share of the pull for ω h = 1 is left out of the sum:
    /// eight such joints on one body do not reach it.
    pub(crate) const TAUT: f32 = 0.125;

    /// Rotation in a sub-step, in radians, up to which all of the bend term is used; none of it
    /// from twice that on. Larger, and a slack chain that snaps taut throws its links about.
    pub(crate) const BEND_TURN: f32 = 0.1;

    /// Mass ratio of two bodies from which a tree is heavy, and has more rounds. Larger, and long
    /// chains with heavy loads stretch.
    pub(crate) const HEAVY_TREE: f32 = 10.0;

    /// Compliance of a second joint to the ground, as a share of the inverse mass of its body.
    pub(crate) const GROUND_GIVES: f32 = 1.0e-3;

    /// Apparent gain of energy that a tree, or a web with limits, is allowed in a step, as a share:
    /// the error of the order of sub-steps.
    pub(crate) const MOST_GAIN: f64 = 1.0e-3;

    /// Energy that joints of loops and webs took may be given back up to this share of the energy:
    /// within a sub-step it goes both ways.
    pub(crate) const CREDIT: f64 = 0.02;
}

lengths! {
    /// Webs: joints with loops or ropes, which are solved directly.
    WebTuning {
        /// Speed that a joint may be off after a pass, in m/s and rad/s: less than the f32 of a
        /// speed of 10 m/s tells. (A solve leaves a millionth of its input: in nets of 12 × 12
        /// that hang the second solve of a pass had an input of 1e-8 m/s.)
        settled: [f64; 3] = [1.0e-6; 3],
        /// Gaps from this on are closed by moving bodies, in metres.
        moved_gap: f64 = 2.0e-4,
        /// Wider gaps, in metres, did not open in one sub-step: solves close them, at the limited
        /// speed.
        wide_gap: f64 = 0.1,
        /// Joints with a gap this wide, in metres, contradict each other.
        contradicting_gap: f64 = 0.02,
        /// Greatest displacement of a body to close gaps, in metres.
        most_move: f64 = 0.02,
        /// Limits of a range narrower than this, in metres or radians, are told apart by the sign
        /// of their impulse alone.
        same_limit: [f32; 3] = [5.0e-3; 3],
        /// Least length of the line between two anchors, in metres, by which the softness of its
        /// gap is computed.
        short_line: f64 = 1.0e-3,
        /// Least distance from the centre of a region, in metres, by which positions are rounded.
        rounding_distance: f32 = 1.0,
    }
}

impl WebTuning {
    /// Greatest rotation of a body to close gaps, in radians.
    pub(crate) const MOST_MOVE_TURN: f64 = 0.1;

    /// ε of joints that hold: the share by which they yield. Much smaller, and redundant joints
    /// make the matrix singular.
    pub(crate) const GIVES: f64 = 1.0e-9;

    /// Least ε of a solve that closes gaps.
    pub(crate) const LEAST_SOFTNESS: f64 = 1.0e-8;

    /// A gap below this share of a body's distance from the centre of its region is rounding.
    pub(crate) const POSITION_ROUNDING: f64 = 2.0e-7;

    /// An angle below this, in radians, is rounding.
    pub(crate) const ANGLE_ROUNDING: f64 = 5.0e-7;

    /// [`JointTuning::MOST_GAIN`] of webs without limits.
    pub(crate) const MOST_GAIN_UNLIMITED: f64 = 1.0e-4;

    /// Share of its energy that a web with contradicting joints loses in a sub-step: the work that
    /// closing gaps does on springs is unknown, and would add up without end where gaps cannot
    /// close.
    pub(crate) const ENERGY_LOSS: f64 = 0.02;
}

lengths! {
    /// Rest.
    SleepTuning {
        /// Gap of a joint, in metres or radians, above which its bodies do not rest; within this
        /// distance of a limit a joint counts as being at it.
        joint_gap: [f32; 3] = [1.0e-3; 3],
    }
}

impl SleepTuning {
    /// A floating body counts as resting below this share of the sleep speed, so that it falls
    /// asleep within 1 % of its draught.
    pub(crate) const AFLOAT: f32 = 0.1;
}
