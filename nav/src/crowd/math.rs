//! Arithmetic of crowds, with the same bits on every machine.

use glam::Vec2;

/// The smaller number; the second if they are equal, so that zeros of both signs are settled by
/// order.
#[inline]
pub(super) fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater number; the second if they are equal.
#[inline]
pub(super) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline]
pub(super) fn dot(a: Vec2, b: Vec2) -> f32 {
    a.x * b.x + a.y * b.y
}

#[inline]
pub(super) fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

#[inline]
pub(super) fn left_of(v: Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

#[inline]
pub(super) fn length(v: Vec2) -> f32 {
    dot(v, v).sqrt()
}

/// The vector scaled to length 1, or zero if it has no direction.
#[inline]
pub(super) fn unit(v: Vec2) -> Vec2 {
    let square = dot(v, v);
    if square > 1.0e-24 { v / square.sqrt() } else { Vec2::ZERO }
}

/// `v` turned by an angle, given by its cosine and sine.
#[inline]
pub(super) fn turned(v: Vec2, (cos, sin): (f32, f32)) -> Vec2 {
    Vec2::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos)
}

/// Pseudo-random bits from a number (the finisher of SplitMix64).
#[inline]
pub(super) fn scatter(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// A pseudo-random number from -1 to 1, from a number.
#[inline]
pub(super) fn noise(x: u64) -> f32 {
    (scatter(x) >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
}
