//! A point of the unlimited world: which region, and where in it.
//!
//! In come positions as `f32` pairs and movements; out come points whose local part is small, and
//! the vectors from one to the other. Bodies, shapes, queries and the grid all state positions this
//! way, and go over to plain vectors by [`WorldPoint::to`], from a point nearby.
//!
//! ```text
//!      region (-1, 0)      |      region (0, 0)      |      region (1, 0)          S = REGION_SIZE
//!   ----------o------------|------------o------------|------------o----------> x
//!            -S          -S/2           0           S/2           S
//!                   local +S/2 of one region is local -S/2 of the next
//! ```

use bytemuck::{Pod, Zeroable};
use core::fmt;
use core::ops::{Add, AddAssign, Sub, SubAssign};
use glam::{IVec2, Vec2};

use crate::tuning::REGION_SIZE;

const HALF_REGION: f32 = REGION_SIZE / 2.0;

/// A point of a world without a practical limit: `region * REGION_SIZE + local`.
///
/// An `f32` holds about seven digits: 0.03 mm at 512 m, but 6 cm at 1000 km, where stacks tremble
/// and joints gape. Here only the distance from the centre of a region is an `f32`; the region
/// itself is a pair of integers. So within 512 m of the origin all is as with plain `f32`
/// positions, and nothing degrades beyond: the same scene built at region (1 000 000, -1 000 000)
/// gives the same bits as at (0, 0). The world ends
/// 2.2e12 m out, where the regions leave `i32`.
///
/// A `Vec2`, `[f32; 2]` or `(f32, f32)` converts into a point.
///
/// ```
/// use carom::{Vec2, WorldPoint};
///
/// let home = WorldPoint::from([500.0, 0.0]);
/// let next = home.offset(Vec2::new(20.25, 0.0)); // across the border at 512
/// assert_eq!((next.region.x, next.local.x), (1, -503.75));
/// assert_eq!((home + Vec2::new(20.25, 0.0), next - Vec2::new(20.25, 0.0)), (next, home));
/// assert_eq!(home.to(next), Vec2::new(20.25, 0.0));
/// assert_eq!(next.position(), Vec2::new(520.25, 0.0));
/// ```
///
/// # Valid points
///
/// A point is valid when `local` is in `[-S/2, S/2)` on both axes, S being
/// [`REGION_SIZE`](crate::tuning::REGION_SIZE). The functions here make valid points of valid
/// points and finite numbers. NaN, infinities and places beyond the last region become an invalid
/// point, at NaN in region (0, 0), and stay invalid. Nothing panics;
/// [`is_valid`](WorldPoint::is_valid) tells.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldPoint {
    /// Which region, counted from the one around the origin.
    pub region: IVec2,
    /// Where in the region, from its centre, in metres.
    pub local: Vec2,
}

impl WorldPoint {
    /// The centre of region (0, 0).
    pub const ORIGIN: WorldPoint = WorldPoint { region: IVec2::ZERO, local: Vec2::ZERO };

    const INVALID: WorldPoint = WorldPoint { region: IVec2::ZERO, local: Vec2::NAN };

    /// The point at `local` metres from the centre of `region`, stated from the region that it lies
    /// in.
    ///
    /// Exact, however large `local` is, since only multiples of a power of two are taken off.
    #[inline]
    #[must_use]
    pub fn new(region: IVec2, local: Vec2) -> WorldPoint {
        WorldPoint::normalised(region, f64::from(local.x), f64::from(local.y))
    }

    /// Whether this is a point at all, and stated from the region that it lies in.
    #[inline]
    #[must_use]
    pub fn is_valid(self) -> bool {
        is_local(self.local.x) && is_local(self.local.y)
    }

    /// The vector from here to `other`.
    ///
    /// Computed in `f64` and rounded once: across a border it is as good as inside a region. Only
    /// the difference of the regions counts, so moving both points by the same number of regions
    /// changes no bit.
    #[inline]
    #[must_use]
    pub fn to(self, other: WorldPoint) -> Vec2 {
        Vec2::new(
            axis_difference(self.region.x, self.local.x, other.region.x, other.local.x),
            axis_difference(self.region.y, self.local.y, other.region.y, other.local.y),
        )
    }

    /// The point `by` further on, with the local part rounded to the nearest `f32`.
    ///
    /// That is the rounding of `local + by` in `f32` as long as the point stays in its region.
    #[inline]
    #[must_use]
    pub fn offset(self, by: Vec2) -> WorldPoint {
        WorldPoint::normalised(
            self.region,
            f64::from(self.local.x) + f64::from(by.x),
            f64::from(self.local.y) + f64::from(by.y),
        )
    }

    /// The point `by` further on, or this one where the world ends before: deep in a half-plane, a
    /// touch may be that far away.
    #[inline]
    pub(crate) fn offset_within(self, by: Vec2) -> WorldPoint {
        Some(self.offset(by)).filter(|point| point.is_valid()).unwrap_or(self)
    }

    /// The position as one vector from the origin: exact in region (0, 0), elsewhere the nearest
    /// `f32`s.
    ///
    /// For drawing and printing. To measure, use [`to`](WorldPoint::to) from a point nearby: a
    /// camera's, say.
    #[inline]
    #[must_use]
    pub fn position(self) -> Vec2 {
        WorldPoint::ORIGIN.to(self)
    }

    /// This point, carried along when `from` is carried to `to`. Computed in `f64` and rounded
    /// once, so carrying it back gives the same point wherever nothing was lost on the way.
    pub(crate) fn carried(self, from: WorldPoint, to: WorldPoint) -> WorldPoint {
        let x = carried_axis(
            (self.region.x, self.local.x),
            (from.region.x, from.local.x),
            (to.region.x, to.local.x),
        );
        let y = carried_axis(
            (self.region.y, self.local.y),
            (from.region.y, from.local.y),
            (to.region.y, to.local.y),
        );
        let (Some((region_x, x)), Some((region_y, y))) = (x, y) else { return WorldPoint::INVALID };
        WorldPoint { region: IVec2::new(region_x, region_y), local: Vec2::new(x, y) }
    }

    /// This point, found by a question from an image of a place, beside the place itself.
    #[inline]
    pub(crate) fn seen_from_image(self, place: WorldPoint, image: WorldPoint) -> WorldPoint {
        let region = place.region.checked_sub(image.region).and_then(|by| self.region.checked_add(by));
        region.map_or(self, |region| WorldPoint { region, ..self })
    }

    /// [`WorldPoint::offset`] where `span` regions count as one: the region is a multiple of `span`
    /// on both axes, as that of this point is, and the local part up to `span` times as large. Only
    /// bodies keep such points; [`WorldPoint::split`] turns them into points with single regions
    /// before a caller sees them.
    #[inline]
    pub(crate) fn offset_in(self, by: Vec2, span: i32) -> WorldPoint {
        WorldPoint::normalised_in(
            self.region,
            f64::from(self.local.x) + f64::from(by.x),
            f64::from(self.local.y) + f64::from(by.y),
            span,
        )
    }

    /// The same point where `span` regions count as one.
    #[inline]
    pub(crate) fn joined(self, span: i32) -> WorldPoint {
        if span == 1 { self } else { self.joined_afar(span) }
    }

    #[inline(never)]
    fn joined_afar(self, span: i32) -> WorldPoint {
        let axis = |region: i32, local: f32| {
            let (region, span) = (i64::from(region), i64::from(span));
            let whole = (region + span / 2).div_euclid(span) * span;
            (whole, (region - whole) as f64 * f64::from(REGION_SIZE) + f64::from(local))
        };
        let ((r_x, x), (r_y, y)) = (axis(self.region.x, self.local.x), axis(self.region.y, self.local.y));
        match (i32::try_from(r_x), i32::try_from(r_y)) {
            (Ok(r_x), Ok(r_y)) => WorldPoint::normalised_in(IVec2::new(r_x, r_y), x, y, span),
            _ => WorldPoint::INVALID,
        }
    }

    /// Whether this is a point where `span` regions count as one.
    pub(crate) fn is_joined(self, span: i32) -> bool {
        let half = HALF_REGION * span as f32;
        let axis = |region: i32, x: f32| region % span == 0 && (-half..half).contains(&x);
        axis(self.region.x, self.local.x) && axis(self.region.y, self.local.y)
    }

    /// The same point, stated from the region that it lies in.
    #[inline]
    pub(crate) fn split(self) -> WorldPoint {
        if self.is_valid() { self } else { WorldPoint::new(self.region, self.local) }
    }

    #[inline]
    fn normalised(region: IVec2, x: f64, y: f64) -> WorldPoint {
        WorldPoint::normalised_in(region, x, y, 1)
    }

    #[inline]
    fn normalised_in(region: IVec2, x: f64, y: f64, span: i32) -> WorldPoint {
        match (normalised_axis(region.x, x, span), normalised_axis(region.y, y, span)) {
            (Some((region_x, x)), Some((region_y, y))) => {
                WorldPoint { region: IVec2::new(region_x, region_y), local: Vec2::new(x, y) }
            }
            _ => WorldPoint::INVALID,
        }
    }
}

impl From<Vec2> for WorldPoint {
    #[inline]
    fn from(position: Vec2) -> WorldPoint {
        WorldPoint::new(IVec2::ZERO, position)
    }
}

impl From<[f32; 2]> for WorldPoint {
    #[inline]
    fn from(position: [f32; 2]) -> WorldPoint {
        WorldPoint::from(Vec2::from(position))
    }
}

impl From<(f32, f32)> for WorldPoint {
    #[inline]
    fn from(position: (f32, f32)) -> WorldPoint {
        WorldPoint::from(Vec2::from(position))
    }
}

/// [`WorldPoint::offset`].
impl Add<Vec2> for WorldPoint {
    type Output = WorldPoint;

    #[inline]
    fn add(self, by: Vec2) -> WorldPoint {
        self.offset(by)
    }
}

/// [`WorldPoint::offset`], the other way.
impl Sub<Vec2> for WorldPoint {
    type Output = WorldPoint;

    #[inline]
    fn sub(self, by: Vec2) -> WorldPoint {
        self.offset(-by)
    }
}

impl AddAssign<Vec2> for WorldPoint {
    #[inline]
    fn add_assign(&mut self, by: Vec2) {
        *self = *self + by;
    }
}

impl SubAssign<Vec2> for WorldPoint {
    #[inline]
    fn sub_assign(&mut self, by: Vec2) {
        *self = *self - by;
    }
}

impl fmt::Display for WorldPoint {
    /// `[1.5, 2]`, or `[1.5, 2] in region [3, -4]`; a precision applies to the local part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.local, f)?;
        if self.region == IVec2::ZERO { Ok(()) } else { write!(f, " in region {}", self.region) }
    }
}

#[inline]
fn is_local(x: f32) -> bool {
    (-HALF_REGION..HALF_REGION).contains(&x)
}

/// (region_b - region_a) S + (local_b - local_a).
///
/// The integers differ by up to 33 bits, so they are subtracted as `i64`. The sum is `f64`: in
/// `f32` the difference of two locals near opposite borders would lose its last bit before S takes
/// away the first ones. Inside one region the answer is that of the plain `f32` subtraction,
/// because rounding a sum of two `f32`s first to `f64` changes nothing (53 >= 2 · 24 + 2; Figueroa,
/// When is double rounding innocuous?, SIGNUM Newsletter 30, 1995).
#[inline]
fn axis_difference(region_a: i32, local_a: f32, region_b: i32, local_b: f32) -> f32 {
    let regions = (i64::from(region_b) - i64::from(region_a)) as f64;
    (regions * f64::from(REGION_SIZE) + (f64::from(local_b) - f64::from(local_a))) as f32
}

/// The region and local part of `region * S + local` on one axis, where `span` regions count as
/// one; or nothing where there is no such region.
#[inline]
fn normalised_axis(region: i32, local: f64, span: i32) -> Option<(i32, f32)> {
    let (rounded, half) = (local as f32, HALF_REGION * span as f32);
    if (-half..half).contains(&rounded) { Some((region, rounded)) } else { moved_axis(region, local, span) }
}

/// One axis of [`WorldPoint::carried`]: a region and a place in it. By whole regions nothing is
/// rounded, however small the place is beside the way.
#[inline]
fn carried_axis(own: (i32, f32), from: (i32, f32), to: (i32, f32)) -> Option<(i32, f32)> {
    let regions = i64::from(own.0) - i64::from(from.0);
    if from.1 == to.1
        && (-HALF_REGION..HALF_REGION).contains(&own.1)
        && let Ok(region) = i32::try_from(i64::from(to.0) + regions)
    {
        return Some((region, own.1));
    }
    let along = regions as f64 * f64::from(REGION_SIZE) + (f64::from(own.1) - f64::from(from.1));
    normalised_axis(to.0, along + f64::from(to.1), 1)
}

/// [`normalised_axis`] for a point that leaves its region, or is no point.
#[cold]
fn moved_axis(region: i32, local: f64, span: i32) -> Option<(i32, f32)> {
    let (size, half) = (f64::from(REGION_SIZE) * f64::from(span), HALF_REGION * span as f32);
    let mut steps = (local / size + 0.5).floor();
    let mut rest = (local - steps * size) as f32;
    // A rest just below S/2 may round up to it, and there the next region begins.
    if rest >= half {
        steps += 1.0;
        rest = -half;
    }
    // Exact where it matters, and false for NaN and infinities.
    let region = f64::from(region) + steps * f64::from(span);
    let exists = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&region);
    debug_assert!(!exists || (-half..half).contains(&rest), "{local} left {rest}");
    exists.then_some((region as i32, rest))
}
