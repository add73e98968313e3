//! The constants that users see or that several files share: meaning, unit, and what breaks when they are changed.
//!
//! Metres, kilograms, seconds, radians.

/// Side of a region, in metres: a [`WorldPoint`](crate::WorldPoint) is a whole number of regions and a
/// remainder in `[-REGION_SIZE / 2, REGION_SIZE / 2)`.
///
/// A power of two, so that going over to a neighbour region is exact. At 512 m an `f32` resolves 0.03 mm;
/// a larger region would make bodies near its border visibly coarser than bodies at the origin.
pub const REGION_SIZE: f32 = 1024.0;

/// Most vertices of one convex polygon.
///
/// Eight vertices and eight normals are two cache lines, and two blocks of a test. More corners than that
/// are better served by a rounded polygon or by a compound of parts.
pub const MAX_POLYGON_VERTICES: usize = 8;

/// Smallest size of anything that must have a size, in metres: a radius, a side, the length of a segment,
/// the thickness of a polygon.
///
/// The area of a shape this small is 1e-12 and its rotational inertia 1e-24: still normal numbers.
pub const MIN_SIZE: f32 = 1.0e-6;

/// Largest coordinate or size of a shape, in metres.
///
/// The fourth power of a length (it stands in rotational inertias) is 1e36, below the 3.4e38 at which an
/// `f32` overflows. Beyond it no single shape can be built.
pub const MAX_SIZE: f32 = 1.0e9;

/// Least thickness of a polygon as a share of its greatest coordinate.
///
/// A vertex at coordinate x is known to 6e-8 x, so a thinner polygon would not know which way its edges
/// face: the triangle whose area comes out negative is of this family.
pub const MIN_POLYGON_THINNESS: f32 = 1.0e-5;

/// Share of the size of a pair below which a separation along an edge normal says nothing, because its
/// rounding errors are as large: four units in the last place. Segments end to end and needle
/// points land here, and are decided by the distance of their edges instead. Much smaller, and needles are called
/// overlapping that are apart; much larger, and resting contacts take the slow way.
pub const SEPARATION_NOISE: f32 = 2.5e-7;

/// Most rounds of a cast before it answers with the time reached so far, which is never too late.
///
/// Of a million random casts, straight ones take 3.2 on average and 11 at most, those that turn by up to 6 radians
/// 5.2 and 31; the unit tests of `narrowphase/cast.rs` count them.
pub const MAX_CAST_ROUNDS: usize = 64;

/// Distance at which a cast counts as touching, as a share of the size of the smaller shape. Smaller costs rounds;
/// larger stops shapes visibly early.
pub const CAST_TOLERANCE: f32 = 1.0e-5;
