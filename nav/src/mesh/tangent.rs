//! Tangents of discs, and the lengths of arcs.
//!
//! A way about corners that keeps a radius r from them consists of tangents and arcs. A directed
//! line that leaves a circle has the circle's middle on its left (`Side` 1) or on its right (-1),
//! or it leaves a point (0). Only + - * / and square roots are used, so the bits are the same
//! everywhere.

use core::f64::consts::{FRAC_PI_2, PI};

use super::fixed::Place;

/// The side of a line on which the middle of a circle lies; 0 for a point on the line.
pub(crate) type Side = i8;

/// The line that leaves a circle of radius r about `from` and touches the circle about `to`: its
/// direction, of length 1, and its length between the points of contact.
///
/// With d from one middle to the other and n the line's left normal, d . n = (side of `to` - side
/// of `from`) r, and the rest of d is along the line.
#[inline(always)]
pub(crate) fn tangent(from: (Place, Side), to: (Place, Side), r: f64) -> (Place, f64) {
    let d = to.0 - from.0;
    let offset = f64::from(to.1 - from.1) * r;
    let square = d.dot(d);
    let rest = square - offset * offset;
    if rest > 0.0 {
        let along = rest.sqrt();
        ((d * along - d.left() * offset) * (1.0 / square), along)
    } else if offset != 0.0 && square > 0.0 {
        // The circles touch, or nearly.
        (d.left() * (-offset.signum() / square.sqrt()), 0.0)
    } else {
        (Place::new(1.0, 0.0), 0.0)
    }
}

/// The point at which a line leaves or touches a circle.
pub(crate) fn contact((middle, side): (Place, Side), direction: Place, r: f64) -> Place {
    middle - direction.left() * (f64::from(side) * r)
}

/// The angle from one direction to another, counter-clockwise, in (-pi, pi].
pub(crate) fn angle(from: Place, to: Place) -> f64 {
    atan2(from.cross(to), from.dot(to))
}

/// The angle from one direction to another along an arc that turns to a side: 0 to 2 pi; 0 if
/// rounding puts the second direction slightly behind the first.
pub(crate) fn turn(from: Place, to: Place, side: Side) -> f64 {
    let angle = angle(from, to) * f64::from(side);
    if angle >= 0.0 {
        angle
    } else if angle > -1e-6 {
        0.0
    } else {
        angle + 2.0 * PI
    }
}

fn atan2(y: f64, x: f64) -> f64 {
    let (ax, ay) = (x.abs(), y.abs());
    let (low, high) = if ax > ay { (ay, ax) } else { (ax, ay) };
    if high == 0.0 {
        return 0.0;
    }
    let acute = atan(low / high);
    let first = if ay > ax { FRAC_PI_2 - acute } else { acute };
    let upper = if x < 0.0 { PI - first } else { first };
    if y < 0.0 { -upper } else { upper }
}

/// The arc tangent of 0 to 1: subtracts the nearest multiple of pi/16, then uses the series, which
/// is exact to the last bits below tan(pi/32).
fn atan(t: f64) -> f64 {
    /// tan(k pi / 16).
    const TAN: [f64; 5] =
        [0.0, 0.198_912_367_379_658, 0.414_213_562_373_095_03, 0.668_178_637_919_298_9, 1.0];
    /// tan((2k + 1) pi / 32).
    const BETWEEN: [f64; 4] =
        [0.098_491_403_357_164_25, 0.303_346_683_607_342_4, 0.534_511_135_950_791_6, 0.820_678_790_828_660_3];
    let k = BETWEEN.iter().filter(|&&border| t > border).count();
    let s = (t - TAN[k]) / (1.0 + t * TAN[k]);
    let q = s * s;
    // 1 - q/3 + q^2/5 - ... , Horner.
    let series = 1.0
        + q * (-1.0 / 3.0
            + q * (1.0 / 5.0
                + q * (-1.0 / 7.0 + q * (1.0 / 9.0 + q * (-1.0 / 11.0 + q * (1.0 / 13.0 - q / 15.0))))));
    k as f64 * (PI / 16.0) + s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arc_tangents_are_those_of_the_library() {
        for k in 0..100_000 {
            let angle = (f64::from(k) + 0.5) / 100_000.0 * 2.0 * PI - PI;
            let length = 1.0 + f64::from(k % 7);
            let found = atan2(angle.sin() * length, angle.cos() * length);
            assert!((found - angle).abs() < 1e-14, "{angle}: {found}");
        }
        assert_eq!(atan2(0.0, 0.0), 0.0);
    }

    #[test]
    fn tangents_touch_both_circles() {
        let (a, b) = (Place::new(1.0, 2.0), Place::new(7.0, -3.0));
        for (sa, sb) in [(0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 0)] {
            let (direction, length) = tangent((a, sa), (b, sb), 0.75);
            let (from, to) = (contact((a, sa), direction, 0.75), contact((b, sb), direction, 0.75));
            let gap = to - (from + direction * length);
            assert!(gap.length() < 1e-12 && (direction.length() - 1.0).abs() < 1e-12);
            let left = |middle: Place| direction.cross(middle - from);
            assert!((left(a) - f64::from(sa) * 0.75).abs() < 1e-12);
            assert!((left(b) - f64::from(sb) * 0.75).abs() < 1e-12);
        }
    }
}
