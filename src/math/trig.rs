//! Sine, cosine and the angle of a vector, with the same bits on every platform.
//!
//! In come `f32` radians, or the two legs of an angle; out comes, with very few exceptions, the
//! `f32` nearest to the true value. [`Rot`](super::Rot) and all that goes from angles to directions
//! or back calls this file. The standard library hands these functions to the platform's C library,
//! whose last bits differ between Linux, Windows, macOS and wasm, and one such bit is enough for
//! two machines to drift apart.
//!
//! All arithmetic is `f64` sums, products and one quotient, never fused, which IEEE 754 defines to
//! the last bit. The 29 bits that an `f64` has in excess hide the rounding of the steps: only the
//! last conversion shows.
//!
//! Each polynomial is a minimax fit made for this file: Remez exchange on the relative error of the
//! function named, with 50 digits, the coefficients then rounded to `f64`.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};
use core::ops::{Add, Mul};

/// sin r = r (1 + u P(u)), u = r², |r| <= π/4, with P's coefficients from u⁰ upwards; relative
/// error below 2^-47.
const SIN: [f64; 5] = [
    -0.166_666_666_666_303_14,
    0.008_333_333_325_071_145,
    -0.000_198_412_637_249_566_3,
    2.755_533_886_346_831_2e-6,
    -2.476_039_627_892_273e-8,
];

/// cos r = 1 - u/2 + u² P(u), u = r², |r| <= π/4; relative error below 2^-42.
const COS: [f64; 4] = [
    0.041_666_666_619_453_68,
    -0.001_388_888_349_685_81,
    2.479_945_931_005_656_6e-5,
    -2.720_568_464_360_206_5e-7,
];

/// atan t = t (1 + u P(u)), u = t², |t| <= tan(π/8); relative error below 2^-45.
const ATAN: [f64; 8] = [
    -0.333_333_333_316_612_75,
    0.199_999_996_802_427_17,
    -0.142_856_933_234_889_32,
    0.111_104_434_395_330_4,
    -0.090_790_536_121_927_47,
    0.075_679_476_741_020_05,
    -0.058_888_939_138_195_96,
    0.030_862_673_139_692_588,
];

/// tan(π/8) = √2 - 1.
const TAN_PI_8: f64 = 0.414_213_562_373_095_03;

/// Angles up to this, just below π/4, need no reduction. Nearly every turn of a body in a step is
/// that small.
pub(crate) const SMALL_ANGLE: f32 = 0.785;

/// Angles below this many radians are reduced by [`reduce`], all others by [`reduce_large`]. 2^20.
const LARGE_ANGLE: f32 = 1_048_576.0;

/// π/2 in two parts. The first has 33 bits, so that its product with a count of at most 20 bits is
/// exact.
const HALF_PI_HIGH: f64 = 1.570_796_326_734_125_6;
const HALF_PI_LOW: f64 = 6.077_100_506_506_192e-11;

/// 1.5 × 2^52: at this size an `f64` has no bits for a fraction. Adding it rounds to the nearest
/// whole number, the same way for both signs, and leaves that number in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// 64 zeros, then the first 256 bits of 2/π after the binary point.
const TWO_OVER_PI: [u64; 5] =
    [0, 0xa2f9_836e_4e44_1529, 0xfc27_57d1_f534_ddc0, 0xdb62_9599_3c43_9041, 0xfe51_63ab_debb_c561];

/// Sine and cosine of an angle in radians, in this order.
///
/// Measured over all 2^32 values of `angle`, the error is at most 0.500002 units in the last place,
/// where the nearest `f32` has up to 0.5; fewer than one result in four million is not the nearest.
/// There is no limit to `angle`: the whole `f32` is taken at its word and reduced exactly.
///
/// - Both results lie in `[-1, 1]`.
/// - `sin(-x)` is `-sin(x)` and `cos(-x)` is `cos(x)`, to the bit; `sin(-0.0)` is `-0.0`.
/// - An infinite or NaN `angle` gives NaN twice, always of the same bits.
///
/// ```
/// use carom::math::sin_cos;
///
/// assert_eq!(sin_cos(0.0), (0.0, 1.0));
/// assert_eq!(sin_cos(std::f32::consts::FRAC_PI_2), (1.0, -4.371139e-8)); // just past a right angle
/// assert_eq!(sin_cos(1.0e30).0, -0.79116344);
/// ```
#[inline]
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    let (r, quarters) = if angle.abs() <= SMALL_ANGLE {
        (f64::from(angle), 0)
    } else if angle.abs() < LARGE_ANGLE {
        reduce(angle)
    } else if angle.is_finite() {
        reduce_large(angle)
    } else {
        return (f32::NAN, f32::NAN);
    };
    let (sin, cos) = of_reduced(r);
    turn_by_quarters(sin as f32, cos as f32, quarters)
}

/// A number of double precision, or several side by side.
pub(crate) trait Double: Copy + Add<Output = Self> + Mul<Output = Self> {
    /// The same number, as many times as there are numbers in `self`.
    fn splat(self, value: f64) -> Self;
}

impl Double for f64 {
    #[inline(always)]
    fn splat(self, value: f64) -> f64 {
        value
    }
}

/// Sine and cosine of angles within π/4 of 0: the whole of [`sin_cos`] up to [`SMALL_ANGLE`].
#[inline(always)]
pub(crate) fn of_reduced<D: Double>(r: D) -> (D, D) {
    let (u, one) = (r * r, r.splat(1.0));
    let sin = r * (one + u * horner(u, SIN));
    let cos = one + u * (r.splat(-0.5) + u * horner(u, COS));
    (sin, cos)
}

/// Sine of an angle in radians; see [`sin_cos`].
#[inline]
#[must_use]
pub fn sin(angle: f32) -> f32 {
    sin_cos(angle).0
}

/// Cosine of an angle in radians; see [`sin_cos`].
#[inline]
#[must_use]
pub fn cos(angle: f32) -> f32 {
    sin_cos(angle).1
}

/// The angle in radians from the x axis to the direction `(x, y)`, counter-clockwise, in `[-π, π]`.
///
/// Measured over 10^9 pairs, the error is at most 0.5000005 units in the last place. `atan2(-y, x)`
/// is `-atan2(y, x)` to the bit. Zeros and infinities follow IEEE 754, where the sign of a zero
/// tells from which side it was reached:
///
/// | `y` | `x` | angle |
/// |---|---|---|
/// | ±0 | above 0, or +0 | ±0 |
/// | ±0 | below 0, or -0 | ±π |
/// | above / below 0 | ±0 | ±π/2 |
/// | ±infinite | finite | ±π/2 |
/// | finite, by its sign | +infinite / -infinite | ±0 / ±π |
/// | ±infinite | +infinite / -infinite | ±π/4 / ±3π/4 |
/// | NaN in either | | NaN, always of the same bits |
#[inline]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    if y.is_nan() || x.is_nan() {
        return f32::NAN;
    }
    let (height, width) = (f64::from(y.abs()), f64::from(x.abs()));
    let steep = height > width;
    let from_axis = if steep { atan_of_ratio(width, height) } else { atan_of_ratio(height, width) };
    let from_x_axis = if steep { FRAC_PI_2 - from_axis } else { from_axis };
    let angle = if x.is_sign_negative() { PI - from_x_axis } else { from_x_axis };
    (angle as f32).copysign(y)
}

/// [`atan2`] of finite numbers, to the bit, with a select for each of its branches: a loop over
/// several is one over vectors.
#[inline(always)]
pub(crate) fn atan2_straight(y: f32, x: f32) -> f32 {
    let (height, width) = (f64::from(y.abs()), f64::from(x.abs()));
    let steep = height > width;
    let (small, large) = if steep { (width, height) } else { (height, width) };
    let upper = small > TAN_PI_8 * large;
    let (base, above, below) =
        if upper { (FRAC_PI_4, small - large, small + large) } else { (0.0, small, large) };
    let from_axis = base + atan_of_small(above / if below == 0.0 { 1.0 } else { below });
    let from_x_axis = if steep { FRAC_PI_2 - from_axis } else { from_axis };
    let angle = if x.is_sign_negative() { PI - from_x_axis } else { from_x_axis };
    (angle as f32).copysign(y)
}

/// The rest r in [-π/4, π/4] of an angle, and a count n of quarter turns, whose last two bits alone
/// matter: angle = r + n π/2 (Cody and Waite, Software Manual for the Elementary Functions, 1980).
#[inline]
fn reduce(angle: f32) -> (f64, u64) {
    let x = f64::from(angle);
    let rounded = x * FRAC_2_PI + ROUND;
    let n = rounded - ROUND;
    ((x - n * HALF_PI_HIGH) - n * HALF_PI_LOW, rounded.to_bits())
}

/// The same for any finite angle of at least 2^20 (Payne and Hanek, Radian reduction for
/// trigonometric functions, SIGNUM Newsletter 18, 1983).
///
/// |angle| = m 2^e with whole m < 2^24. In m 2^e × 2/π the bits of 2/π that weigh 4 or more after
/// the shift by e make whole turns only; so the product is taken modulo 4, in units of 2^-126, with
/// the 128 bits that follow.
#[cold]
fn reduce_large(angle: f32) -> (f64, u64) {
    let bits = angle.to_bits();
    let m = u128::from(bits & 0x007f_ffff | 0x0080_0000);
    let e = ((bits >> 23 & 0xff) as i32) - 150;

    // The first bit taken weighs 2^(1 - e) in 2/π, which is bit e + 62 of the table; -3 <= e <=
    // 104.
    let first = (e + 62) as usize;
    let (word, shift) = (first / 64, first % 64);
    let head = u128::from(TWO_OVER_PI[word]) << 64 | u128::from(TWO_OVER_PI[word + 1]);
    let tail = u128::from(TWO_OVER_PI[word + 2]) << shift >> 64;

    let quarters_2_126 = m.wrapping_mul(head << shift | tail);
    let n = quarters_2_126.wrapping_add(1 << 125) >> 126;
    let rest = quarters_2_126.wrapping_sub(n << 126) as i128;
    let r = rest as f64 * (FRAC_PI_2 / (1_u128 << 126) as f64);
    if angle < 0.0 { (-r, (n as u64).wrapping_neg()) } else { (r, n as u64) }
}

/// The sine and cosine of r + n π/2 from the sine and cosine of r: each quarter turn makes (s, c)
/// into (c, -s).
///
/// On the bits and without a branch, since n is as good as random: 5.4 ns a [`sin_cos`] instead of
/// 6.1.
#[inline]
fn turn_by_quarters(sin: f32, cos: f32, n: u64) -> (f32, f32) {
    let n = n as u32;
    let (sin, cos) = (sin.to_bits(), cos.to_bits());
    let exchange = (sin ^ cos) & (n & 1).wrapping_neg();
    let sin_sign = (n & 2) << 30; // n = 2, 3
    let cos_sign = (n.wrapping_add(1) & 2) << 30; // n = 1, 2
    (f32::from_bits(sin ^ exchange ^ sin_sign), f32::from_bits(cos ^ exchange ^ cos_sign))
}

/// atan(small / large) for 0 <= small <= large, which may both be zero (0) or infinite (π/4).
#[inline]
fn atan_of_ratio(small: f64, large: f64) -> f64 {
    if small == large {
        return if large == 0.0 { 0.0 } else { FRAC_PI_4 };
    }
    // atan(s/l) = π/4 + atan((s - l) / (s + l)) brings the upper half to |t| <= tan(π/8) before the
    // one division.
    let (base, t) = if small > TAN_PI_8 * large {
        (FRAC_PI_4, (small - large) / (small + large))
    } else {
        (0.0, small / large)
    };
    base + atan_of_small(t)
}

/// atan t for |t| <= tan(π/8).
///
/// P by pairs of terms (Estrin), half as long a chain as Horner's: 4.4 ns an `atan2` instead of
/// 5.4.
#[inline(always)]
fn atan_of_small(t: f64) -> f64 {
    let u = t * t;
    let u2 = u * u;
    let low = (ATAN[0] + u * ATAN[1]) + u2 * (ATAN[2] + u * ATAN[3]);
    let high = (ATAN[4] + u * ATAN[5]) + u2 * (ATAN[6] + u * ATAN[7]);
    t * (1.0 + u * (low + u2 * u2 * high))
}

/// c₀ + c₁ u + c₂ u² + … from the last term down (Horner). Pairs of terms were no faster here: sine
/// and cosine already run side by side.
#[inline(always)]
fn horner<D: Double, const N: usize>(u: D, c: [f64; N]) -> D {
    let mut sum = u.splat(c[N - 1]);
    for k in (0..N - 1).rev() {
        sum = sum * u + u.splat(c[k]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_find_the_same_angles_as_branches() {
        let mut state = 1_u64;
        let mut number = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            let some = [0.0, -0.0, 1.0, -1.0, f32::MIN_POSITIVE, -0.5, f32::MAX, 1.0e-40];
            match state >> 60 {
                0..4 => some[(state >> 40) as usize % 8],
                4 => f32::from_bits((state >> 20) as u32),
                _ => (state >> 40) as f32 / 8_388_608.0 - 1.0,
            }
        };
        for _ in 0..200_000 {
            let (y, x) = (number(), number());
            if y.is_finite() && x.is_finite() {
                assert_eq!(atan2_straight(y, x).to_bits(), atan2(y, x).to_bits(), "{y:e} {x:e}");
            }
        }
    }
}
