//! Eight numbers of double precision, for results that must be exact to the last bit of single
//! precision.

use core::ops::{Add, Mul};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};

use crate::math::Double;

/// Eight numbers in two halves.
#[derive(Clone, Copy)]
pub(crate) struct Doubles<S: Simd>(pub(super) f64x4<S>, pub(super) f64x4<S>);

impl<S: Simd> Add for Doubles<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Doubles(self.0 + other.0, self.1 + other.1)
    }
}

impl<S: Simd> Mul for Doubles<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Doubles(self.0 * other.0, self.1 * other.1)
    }
}

impl<S: Simd> Double for Doubles<S> {
    #[inline(always)]
    fn splat(self, value: f64) -> Self {
        let value = SimdBase::splat(self.0.simd, value);
        Doubles(value, value)
    }
}
