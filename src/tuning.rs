//! The constants of the step: meaning, unit, and effects of a change.
//!
//! Metres, kilograms, seconds, radians. A world with another unit of length multiplies every length
//! and speed by [`WorldDef::unit`](crate::WorldDef::unit), once; the smallest and largest sizes of
//! shapes, and [`REGION_SIZE`], are in units of any world.
//!
//! Constants that users may want to know are here. All other thresholds are in
//! `tuning/thresholds.rs`, by stage: lengths and speeds as fields of one struct `Tuning`, which a
//! world holds in its unit, and pure numbers as constants of its parts. Counts (rounds, passes,
//! trials) are at the loops that they bound, and guards of algebra (a pivot that is zero, a root of
//! nothing) at their formulas: `tests/misuse/constants.rs` lists them.

mod thresholds;

pub(crate) use thresholds::{
    CcdTuning, ContactTuning, JointTuning, MarginTuning, OverlapTuning, SleepTuning, SurfaceTuning, Tuning,
    WebTuning,
};

/// Side of a region, in metres: a [`WorldPoint`](crate::WorldPoint) is a whole number of regions
/// and a remainder in `[-REGION_SIZE / 2, REGION_SIZE / 2)`.
///
/// A power of two, so that going over to a neighbour region is exact. At 512 m an `f32` resolves
/// 0.03 mm; a larger region would make bodies near its border visibly coarser than bodies at the
/// origin.
pub const REGION_SIZE: f32 = 1024.0;

/// Most joints of a world. A block has 8 lanes and may hold a single joint, so that many joints
/// have 2^31 lanes.
///
/// A build in which this is 0 refuses joints as a full world does, and leaves out their solver, a
/// quarter of a program. `demo/build.sh` makes one.
pub(crate) const MOST_JOINTS: usize = 1 << 28;

/// Most vertices of one convex polygon.
///
/// Eight vertices and eight normals are two cache lines, and two blocks of a test. More corners
/// than that are better served by a rounded polygon or by a compound of parts.
pub const MAX_POLYGON_VERTICES: usize = 8;

/// Smallest size of anything that must have a size, in metres: a radius, a side, the length of a
/// segment, the thickness of a polygon.
///
/// The area of a shape this small is 1e-12 and its rotational inertia 1e-24: still normal numbers.
pub const MIN_SIZE: f32 = 1.0e-6;

/// Smallest solid shape of a dynamic body, in metres across.
///
/// A body falls 2.7 mm in a step of 1/60 s: every error carries a much smaller body over its own
/// size. In 100 worlds with a dozen bodies each on all kinds of ground, bodies fell through in 20
/// worlds at 0.1 mm, in none at 0.2 mm and above.
pub const MIN_DYNAMIC_SIZE: f32 = 1.0e-3;

/// Largest coordinate or size of a shape, in metres.
///
/// The fourth power of a length (it stands in rotational inertias) is 1e36, below the 3.4e38 at
/// which an `f32` overflows. Beyond it no single shape can be built.
pub const MAX_SIZE: f32 = 1.0e9;

/// Least thickness of a polygon as a share of its greatest coordinate.
///
/// A vertex at coordinate x is known to 6e-8 x, so a thinner polygon would not know which way its
/// edges face: the triangle whose area comes out negative is of this family.
pub const MIN_POLYGON_THINNESS: f32 = 1.0e-5;

/// Share of the size of a pair below which a separation along an edge normal says nothing, because
/// its rounding errors are as large: four units in the last place. Segments end to end and needle
/// points land here, and are decided by the distance of their edges instead. With a much smaller
/// share, separate needles count as overlapping; with a much larger one, resting contacts take the
/// slow way.
pub const SEPARATION_NOISE: f32 = 2.5e-7;

/// Most rounds of a cast before it answers with the time reached so far, which is never too late.
///
/// In a million random casts, straight ones take 3.2 on average and 11 at most, casts that turn by
/// up to 6 radians 5.2 and 31; the unit tests of `narrowphase/cast.rs` count them.
pub const MAX_CAST_ROUNDS: usize = 64;

/// Distance at which a cast counts as touching, as a share of the size of the smaller shape.
/// Smaller costs rounds; larger stops shapes visibly early.
pub const CAST_TOLERANCE: f32 = 1.0e-5;

/// Sub-steps of a step, unless a world is told otherwise.
///
/// Stiffness grows with the square of their number, cost in proportion. Below 2, tall stacks lean.
pub const SUB_STEPS: u32 = 4;

/// Distance up to which surfaces that are apart already count for the solver, in metres.
///
/// They may close the gap within the step, but no more. Too small, and resting contacts come and
/// go; too large, and bodies feel corners that they pass at a distance.
pub const SPECULATIVE_DISTANCE: f32 = 0.02;

/// The speculative distance of parts smaller than [`SPECULATIVE_DISTANCE`] is their own size plus
/// this, in metres: about as far as they fall in a step. (With the whole distance, each of 2,000
/// grains of 1 mm in a heap had contacts with all others, and a step took 0.3 s.)
pub const SMALL_MARGIN: f32 = 0.0025;

/// Gap, in metres, beyond which a cast finds the point of impact of a fast approach, if any. Below
/// it the nearest features will meet.
pub const NEAR_GAP: f32 = 0.005;

/// [`NEAR_GAP`] for two circles, as a share of both radii; and how far one must move around the
/// other in a step for it to count: while that gap closes, their normal turns by as much. (With 5
/// mm, balls of 3 cm went off by up to 11 degrees.)
pub const NEAR_CIRCLES: f32 = 2.0e-4;
/// See [`NEAR_CIRCLES`].
pub const ROUND_SHARE: f32 = 2.0e-3;

/// [`NEAR_GAP`] for circles that come straight at each other, as a share of both radii.
pub const STRAIGHT_SHARE: f32 = 2.0e-3;

/// Fat AABB margin: room between a part and its box in the grid, as a share of its size, and at
/// most [`MAX_BOX_ROOM`] metres. `step/finish/fat_aabb.rs` makes the boxes.
///
/// A larger box is left less often and meets more others.
pub const BOX_ROOM: f32 = 0.15;
/// Greatest [`BOX_ROOM`], in metres.
pub const MAX_BOX_ROOM: f32 = 0.1;

/// Stiffness of contacts: oscillations a sub-step, so that more sub-steps are stiffer.
///
/// It decides how hard a load is to displace. At 0.165 heaps that were crushed stay 28 cm deep, and
/// sticks fall through hilly chains; at 0.125 a body under a thousand times its weight is 26 cm
/// deep. From 0.18 on, a blow of something a hundred times as heavy shakes walls out unless
/// contacts are solved several times a sub-step while it lasts (`step/prepare/blows.rs`). To yield
/// to 5 % of a load instead of 3 %, with all else as it is, would keep more in its place too; but a
/// ball that rolls over tiles at an angle feels their corners then.
pub const CONTACT_HERTZ: f32 = 0.22;

/// Damping ratio of contacts: far above 1, so that pushing out adds no bounce.
pub const CONTACT_DAMPING: f32 = 11.0;

/// How far points of a face contact and centres of its bodies may be from where they were when
/// their levers were taken, as a share of the width of the contact. Less, and a column of 60 boxes
/// buckles while it settles; more, and bodies that hang over an edge and ought to tip stay there.
pub const LEVER_SLACK: f32 = 0.005;

/// How far both bodies of a face contact may have turned together since, in radians.
pub const LEVER_LEAN: f32 = 0.02;

/// Share by which a contact's remembered load approaches its present load, per second. It remembers
/// the load that its points have in common. (When each point remembered its own, a leaning body
/// leaned further, and a column of 20 fell within minutes.)
///
/// The spring of a contact yields to the difference of its load from the remembered one, so a body
/// at rest does not sink. At 1 nothing yields and nothing is damped: a pyramid of 100 rows rings
/// until it falls. At 0 a body sinks into the one below it, 7.5 mm a row under a column of 12
/// boxes.
pub const LOAD_MEMORY: f32 = 0.3;

/// Fastest push out of an overlap, in m/s. Higher, and bodies created inside each other fly apart.
pub const MAX_PUSH: f32 = 3.0;

/// Share of a gap that iterated joints close in a sub-step; trees, which are solved directly, close
/// all of it. At 1 a net rings.
pub const JOINT_RATE: f32 = 0.25;

/// Share of their load that iterated joints yield in a sub-step. At 0 a large net winds itself
/// up and bursts; the more, the further it stretches.
pub const JOINT_SOFTNESS: f32 = 0.02;

/// [`JOINT_SOFTNESS`] of nets that no contact may push and nothing drives: these are over-relaxed,
/// so they stretch little all the same.
pub const HANGING_SOFTNESS: f32 = 0.1;

/// Factor by which joints of hanging nets overdo the impulse that stops a gap from opening, once
/// bodies have moved (successive over-relaxation). Any number below 2 takes energy away, and the
/// nearer to 2 the faster a pull gets through a net of a hundred links: a net of 100 × 100 that
/// hangs opens by 24 mm, at 1 by 90 mm, and at 1.8 by 33 mm. (A net that lies on something bursts
/// with it: contacts between two pushes answer to speeds that are not to stay.)
pub const OVER_RELAXATION: f32 = 1.9;

/// Share of their load that contacts of jointed bodies yield in a pass. Lower, and a chain that is
/// jammed against itself bursts; higher, and dolls sink further into the ground before it bears
/// them.
pub const JOINTED_SOFTNESS: f32 = 0.25;

/// Fastest that a joint closes a gap, in m/s, or an angle, in radians a second. Higher, and bodies
/// that are joined far apart are torn along.
pub const MAX_JOINT_PUSH: f32 = 10.0;

/// Speed limit: the fastest a body may go unless a world is told otherwise, in m/s.
/// `step/speed_limit.rs` clamps velocities to it.
pub const MAX_SPEED: f32 = 1000.0;

/// Farthest a body may turn in a sub-step, in radians: the limit of its angular velocity.
pub const MAX_TURN: f32 = core::f32::consts::FRAC_PI_4;

/// Speed in m/s of a body, and of its farthest point around its centre, below which it counts as
/// resting, unless a world is told otherwise.
pub const SLEEP_SPEED: f32 = 0.05;

/// How long all bodies of an island must rest before it sleeps, in seconds, unless a world is told
/// otherwise.
pub const SLEEP_TIME: f32 = 0.5;

/// Steps between two searches for islands that may sleep.
pub const SLEEP_INTERVAL: u64 = 8;

/// Slowest approach that is reported as a hit, in m/s, unless a world is told otherwise.
pub const HIT_SPEED: f32 = 1.0;

/// Height of a step between neighbouring fixed parts that is not felt, in metres.
pub const FLUSH: f32 = 0.005;

/// Slowest approach that counts as an impact at restitution 0, in m/s; at least the speed that
/// gravity gives in a step. Slower landings are left to the contact solver.
///
/// (With 0.3 the hardest landing of 3,441 gains 0.06 J/kg and not 0.19, but houses of cards move
/// more under blows, and a ball whose bounce is too slow to be seen leaves.)
pub const BLOW: f32 = 0.5;

/// Overlap of a lone body from which on it is solved once more, in metres: see
/// `solver/contacts/lone.rs`. Bodies at rest overlap by less.
pub const LONE_DEPTH: f32 = 0.002;

/// Sliding speed above which a surface has its kinetic friction, in m/s.
///
/// Too small, and a block that settles on a slope slips off it; too large, and slides begin late.
pub const SLIP_SPEED: f32 = 0.02;
