//! Approximate equality, for tests: the numbers of a type are compared one by one.

use approx::{AbsDiffEq, RelativeEq};

use super::{Rot, Transform, WorldPoint};
use crate::bounds::Aabb;

/// Compares two values through the `f32` and `Vec2` parts that they are made of.
macro_rules! by_parts {
    ($type:ty, |$value:ident| $parts:expr) => {
        impl AbsDiffEq for $type {
            type Epsilon = f32;

            fn default_epsilon() -> f32 {
                f32::EPSILON
            }

            fn abs_diff_eq(&self, other: &Self, epsilon: f32) -> bool {
                let parts = |$value: &Self| $parts;
                parts(self).iter().zip(&parts(other)).all(|(p, q)| p.abs_diff_eq(q, epsilon))
            }
        }

        impl RelativeEq for $type {
            fn default_max_relative() -> f32 {
                f32::EPSILON
            }

            fn relative_eq(&self, other: &Self, epsilon: f32, max_relative: f32) -> bool {
                let parts = |$value: &Self| $parts;
                parts(self).iter().zip(&parts(other)).all(|(p, q)| p.relative_eq(q, epsilon, max_relative))
            }
        }
    };
}

by_parts!(Rot, |r| [r.cos, r.sin]);
by_parts!(Transform, |x| [x.position.x, x.position.y, x.rotation.cos, x.rotation.sin]);
by_parts!(Aabb, |b| [b.min.x, b.min.y, b.max.x, b.max.y]);

/// Two points are compared by the way from one to the other, so neighbours across a region's border
/// are close.
impl AbsDiffEq for WorldPoint {
    type Epsilon = f32;

    fn default_epsilon() -> f32 {
        f32::EPSILON
    }

    fn abs_diff_eq(&self, other: &Self, epsilon: f32) -> bool {
        let way = self.to(*other);
        way.x.abs() <= epsilon && way.y.abs() <= epsilon
    }
}
