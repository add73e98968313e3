//! Exponential and logarithm of `f64`: sums and products only, so the same bits on every processor.
//!
//! Within 2 units in the last place of `f64`'s own functions, which differ between platforms.

/// The upper 42 bits of ln 2, so that multiples up to 2^11 are exact, and the rest.
const LN_2: [f64; 2] = [f64::from_bits(0x3FE6_2E42_FEFA_3800), f64::from_bits(0x3D2E_F357_93C7_6730)];

/// e^x - 1.
///
/// x = k ln 2 + r with |r| <= ln 2 / 2; e^r - 1 by its Taylor series, and e^x - 1 = 2^k (e^r - 1) +
/// (2^k - 1).
pub(super) fn exp_m1(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 710.0 {
        return f64::INFINITY;
    }
    if x < -40.0 {
        return -1.0;
    }
    let k = (x * core::f64::consts::LOG2_E).round();
    let r = (x - k * LN_2[0]) - k * LN_2[1];
    let mut sum = 1.0;
    for n in (2..=16).rev() {
        sum = 1.0 + sum * r / f64::from(n);
    }
    let small = sum * r;
    if k == 0.0 {
        return small;
    }
    // 2^1024 is no finite number, so the last doubling is done at the end.
    let half = power_of_two(k as i32 - 1);
    (small * half + (half - 0.5)) * 2.0
}

/// e^x.
pub(super) fn exp(x: f64) -> f64 {
    // Below -1, e^x - 1 is close to -1 and loses the digits of e^x.
    if x < -1.0 { if x < -700.0 { 0.0 } else { 1.0 / (exp_m1(-x) + 1.0) } } else { exp_m1(x) + 1.0 }
}

/// 2^k for normal numbers.
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// (e^(rate time) - 1) / rate, and `time` where the rate is 0.
pub(super) fn grown(rate: f64, time: f64) -> f64 {
    if rate == 0.0 { time } else { exp_m1(rate * time) / rate }
}

/// atanh of -1 to 1, infinite at the ends; NaN beyond.
///
/// Near 0 its Taylor series, else ln((1 + x) / (1 - x)) / 2.
pub(super) fn atanh(x: f64) -> f64 {
    if x.abs() < 0.2 { atanh_near_zero(x) } else { 0.5 * ln((1.0 + x) / (1.0 - x)) }
}

/// x + x^3 / 3 + x^5 / 5 + ..., for |x| < 0.2.
fn atanh_near_zero(x: f64) -> f64 {
    let square = x * x;
    let mut sum = 0.0;
    for odd in (3..=23).rev().step_by(2) {
        sum = (sum + 1.0 / f64::from(odd)) * square;
    }
    x + x * sum
}

/// ln(1 + x) for x > -1.
pub(super) fn ln_1p(x: f64) -> f64 {
    if x.abs() < 0.3 { 2.0 * atanh_near_zero(x / (2.0 + x)) } else { ln(1.0 + x) }
}

/// Natural logarithm of a number above 0; negative infinity at 0, NaN below.
///
/// x = 2^k m with m from 1/sqrt 2 to sqrt 2; ln m = 2 atanh((m - 1) / (m + 1)).
pub(super) fn ln(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    if x == f64::INFINITY {
        return x;
    }
    // Subnormal numbers are scaled to normal ones first.
    let (x, below) = if x < f64::MIN_POSITIVE { (x * power_of_two(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let mut k = (bits >> 52) as i32 - 1023 - below;
    let mut m = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if m > core::f64::consts::SQRT_2 {
        m *= 0.5;
        k += 1;
    }
    let k = f64::from(k);
    k * LN_2[0] + (2.0 * atanh_near_zero((m - 1.0) / (m + 1.0)) + k * LN_2[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, theirs: f64, what: &str, x: f64) {
        let off = (ours - theirs).abs();
        assert!(
            ours == theirs || off <= 8.0 * f64::EPSILON * theirs.abs(),
            "{what}({x}): {ours}, not {theirs}"
        );
    }

    /// Compares with the platform's functions, over all magnitudes.
    #[test]
    fn agree_with_the_platform() {
        for step in -7_000..=7_000 {
            let x = f64::from(step) * 0.1;
            close(exp(x), x.exp(), "exp", x);
            for x in [x, x * 1e-3, x * 1e-6] {
                close(exp_m1(x), x.exp_m1(), "exp_m1", x);
                close(ln(x.abs()), x.abs().ln(), "ln", x.abs());
                close(ln(x.exp()), x.exp().ln(), "ln", x.exp());
                let unit = x / 701.0;
                // Rust's own `atanh` loses digits below 0.
                close(atanh(unit), unit.abs().atanh().copysign(unit), "atanh", unit);
                close(ln_1p(unit), unit.ln_1p(), "ln_1p", unit);
            }
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(f64::from_bits(1)), f64::from_bits(1).ln());
        assert_eq!(exp_m1(1e9), f64::INFINITY);
        assert_eq!(exp(-1e9), 0.0);
        assert!(ln(-1.0).is_nan() && exp_m1(f64::NAN).is_nan() && atanh(1.5).is_nan());
        assert_eq!(atanh(1.0), f64::INFINITY);
    }
}
