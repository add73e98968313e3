//! The linear program: the permitted velocity nearest to the preferred one.
//!
//! In: half-planes of velocities, the hard ones first, a wish and a greatest speed. Out: the
//! velocity in all half-planes nearest to the wish; if there is none, the velocity in the hard
//! half-planes whose greatest violation of a soft one is least. Called for each agent, each tick.
//!
//! The method is Seidel's (1991, "Small-dimensional linear programming"): planes are added one
//! after the other. If the next plane permits the best velocity so far, it stays the best.
//! Otherwise the new best lies on the border of that plane, and is found as a point on a line, cut
//! by the planes before. Seidel shuffles the planes; here the nearest neighbour comes first, as it
//! matters most, and ten planes need no expected bound.
//!
//! ```text
//!   n . v >= d     permitted      n: unit normal, towards permitted velocities; d: offset
//!   v = n d + t e  the border     e: n turned to the left
//! ```
//!
//! The code is symmetric: mirrored input gives mirrored bits.

use glam::Vec2;

use super::math::{cross, dot, left_of, length, max, min};

/// Velocities `v` with `normal . v >= offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HalfPlane {
    /// Unit normal, towards permitted velocities.
    pub normal: Vec2,
    /// Distance of the border from velocity zero, along the normal.
    pub offset: f32,
}

impl HalfPlane {
    /// Depth of a velocity outside of the half-plane; below 0 it is inside.
    #[inline]
    #[must_use]
    pub fn violation(&self, v: Vec2) -> f32 {
        self.offset - dot(self.normal, v)
    }
}

/// Solution of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solution {
    /// The velocity in all half-planes, nearest to the wish.
    Permitted(Vec2),
    /// The velocity in the hard half-planes with the least violation of the soft ones.
    Least(Vec2),
    /// No velocity is in all hard half-planes and slow enough: stand still.
    Stop,
}

impl Solution {
    /// The velocity; zero for [`Solution::Stop`].
    #[must_use]
    pub fn velocity(self) -> Vec2 {
        match self {
            Solution::Permitted(v) | Solution::Least(v) => v,
            Solution::Stop => Vec2::ZERO,
        }
    }
}

/// Two borders are parallel below this sine of their angle: their crossing is too far away to
/// count.
const PARALLEL: f32 = 1.0e-6;

/// Solver, with scratch memory for the least violation; kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Program {
    level: Vec<HalfPlane>,
}

impl Program {
    /// Solves one program; `planes[..hard]` are never relaxed.
    #[must_use]
    pub fn solve(&mut self, planes: &[HalfPlane], hard: usize, wish: Vec2, speed: f32) -> Solution {
        let mut v = within(wish, speed);
        for (i, plane) in planes.iter().enumerate() {
            if plane.violation(v) <= 0.0 {
                continue;
            }
            match Border::of(plane, &planes[..i], speed) {
                Some(border) => v = border.nearest(wish),
                None if i < hard => return Solution::Stop,
                None => return Solution::Least(self.least(planes, hard, i, v, wish, speed)),
            }
        }
        Solution::Permitted(v)
    }

    /// Finds the velocity of least violation, where plane `first` cannot be satisfied: the same
    /// method one dimension higher, for `v` and the depth together.
    ///
    /// If plane i is violated more by the best velocity so far than all planes before, then at the
    /// new best plane i is violated as much as some other. So plane i becomes the ground: maximise
    /// n_i . v where no plane j before is violated more, (n_j - n_i) . v >= d_j - d_i.
    fn least(
        &mut self,
        planes: &[HalfPlane],
        hard: usize,
        first: usize,
        mut v: Vec2,
        wish: Vec2,
        speed: f32,
    ) -> Vec2 {
        let mut worst = 0.0;
        for i in first..planes.len() {
            let ground = planes[i];
            if ground.violation(v) <= worst {
                continue;
            }
            self.level.clear();
            self.level.extend_from_slice(&planes[..hard]);
            self.level.extend(planes[hard..i].iter().filter_map(|plane| {
                let normal = plane.normal - ground.normal;
                let size = length(normal);
                // Parallel to the ground: both violations differ by a constant.
                (size > PARALLEL).then(|| HalfPlane {
                    normal: normal / size,
                    offset: (plane.offset - ground.offset) / size,
                })
            }));
            let mut best = ground.normal * speed;
            for (k, plane) in self.level.iter().enumerate() {
                if plane.violation(best) <= 0.0 {
                    continue;
                }
                // All these planes permit the previous best, so a border exists, except for
                // rounding.
                let Some(border) = Border::of(plane, &self.level[..k], speed) else {
                    best = v;
                    break;
                };
                best = border.farthest(ground.normal, wish);
            }
            v = best;
            worst = max(ground.violation(v), worst);
        }
        v
    }
}

/// The part of a half-plane's border inside a disc and other half-planes.
struct Border {
    base: Vec2,
    along: Vec2,
    low: f32,
    high: f32,
}

impl Border {
    fn of(plane: &HalfPlane, others: &[HalfPlane], speed: f32) -> Option<Border> {
        let (along, base) = (left_of(plane.normal), plane.normal * plane.offset);
        // Pythagoras in the disc: |n d + t e|^2 = d^2 + t^2 <= speed^2.
        let square = speed * speed - plane.offset * plane.offset;
        if square < 0.0 {
            return None;
        }
        let half = square.sqrt();
        let (mut low, mut high) = (-half, half);
        for other in others {
            // n' . (b + t e) >= d' is t (n' . e) >= d' - n' . b.
            let (slope, rest) = (cross(plane.normal, other.normal), other.violation(base));
            if slope > PARALLEL {
                low = max(low, rest / slope);
            } else if slope < -PARALLEL {
                high = min(high, rest / slope);
            } else if rest > PARALLEL {
                return None;
            }
            if low > high {
                return None;
            }
        }
        Some(Border { base, along, low, high })
    }

    fn at(&self, t: f32) -> Vec2 {
        self.base + self.along * t
    }

    fn nearest(&self, wish: Vec2) -> Vec2 {
        self.at(max(self.low, min(self.high, dot(wish - self.base, self.along))))
    }

    /// The farthest point in a direction; where all are equally far, the point nearest to the wish.
    fn farthest(&self, direction: Vec2, wish: Vec2) -> Vec2 {
        let slope = dot(direction, self.along);
        if slope > 0.0 {
            self.at(self.high)
        } else if slope < 0.0 {
            self.at(self.low)
        } else {
            self.nearest(wish)
        }
    }
}

/// A velocity, shortened to the greatest speed.
fn within(v: Vec2, speed: f32) -> Vec2 {
    let square = dot(v, v);
    if square > speed * speed { v * (speed / square.sqrt()) } else { v }
}
