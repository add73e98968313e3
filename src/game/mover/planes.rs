//! Limits of a displacement, and the allowed displacement nearest to the wanted one.
//!
//! In: planes, each a unit normal n and a number b; a displacement p is allowed where n·p >= b for
//! all of them. Out: the allowed p nearest to a wanted one, exactly. Called by walks, which must
//! not enter the parts that they touch, and by the way out of an overlap.
//!
//! ```text
//!        \  allowed  /        The nearest allowed point is the wanted one itself, or lies straight
//!         \    p    /         across one border, or in the corner of two. There are few planes, so
//!          \   '   /          all of them are tried.
//!           \ '   /  . wanted
//! ```

use glam::Vec2;

use crate::math::{cross, max};

/// The most planes held at once. A convex shape touches a handful; if there are more, the planes
/// with the greatest b are kept.
const MOST_PLANES: usize = 12;

/// Room for rounding: in metres, and as a share of the displacement.
const ROUNDING_ROOM: f32 = 1.0e-6;
const ROUNDING_SHARE: f32 = 1.0e-5;

/// The least sine of the angle between two planes that meet in a corner.
const LEAST_SINE: f32 = 1.0e-4;

/// Halvings in the search for a displacement between planes that allow none.
const HALVINGS: usize = 20;

/// A half-plane: allows the displacements p with `normal`·p >= `least`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Plane {
    pub(super) normal: Vec2,
    pub(super) least: f32,
}

/// A few planes at once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Planes {
    list: [Plane; MOST_PLANES],
    count: usize,
}

impl Planes {
    fn all(&self) -> &[Plane] {
        &self.list[..self.count]
    }

    pub(super) fn push(&mut self, plane: Plane) {
        let all = &mut self.list[..self.count];
        if let Some(same) = all.iter_mut().find(|other| other.normal == plane.normal) {
            same.least = max(same.least, plane.least);
        } else if self.count < MOST_PLANES {
            self.list[self.count] = plane;
            self.count += 1;
        } else if let Some(mildest) = all.iter_mut().min_by(|a, b| a.least.total_cmp(&b.least))
            && mildest.least < plane.least
        {
            *mildest = plane;
        }
    }

    /// Returns the allowed displacement nearest to `want`, if any is allowed.
    pub(super) fn nearest(&self, want: Vec2) -> Option<Vec2> {
        self.nearest_with(want, 0.0)
    }

    /// Returns the shortest allowed displacement. If it is longer than `longest` or does not exist,
    /// returns the displacement of at most this length with the least violation of the worst plane,
    /// and this violation.
    pub(super) fn shortest_within(&self, longest: f32) -> (Vec2, f32) {
        let short =
            |yielding: f32| self.nearest_with(Vec2::ZERO, yielding).filter(|way| way.length() <= longest);
        if let Some(found) = short(0.0) {
            return (found, 0.0);
        }
        let (mut low, mut high) = (0.0, self.deepest());
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if short(middle).is_some() { high = middle } else { low = middle }
        }
        (short(high).unwrap_or(Vec2::ZERO), high)
    }

    /// Returns the greatest `least` of all planes; at least 0.
    pub(super) fn deepest(&self) -> f32 {
        self.all().iter().fold(0.0, |most, plane| max(most, plane.least))
    }

    /// Computes [`Planes::nearest`] with the limit of every plane lowered by `yielding`.
    fn nearest_with(&self, want: Vec2, yielding: f32) -> Option<Vec2> {
        if self.allows(want, yielding) {
            return Some(want);
        }
        let mut best: Option<Vec2> = None;
        let mut offer = |p: Vec2| {
            let nearer = best.is_none_or(|best| p.distance_squared(want) < best.distance_squared(want));
            if nearer && self.allows(p, yielding) {
                best = Some(p);
            }
        };
        for (index, a) in self.all().iter().enumerate() {
            let least = a.least - yielding;
            offer(want + a.normal * (least - a.normal.dot(want)));
            for b in &self.all()[index + 1..] {
                corner(a, b, yielding).into_iter().for_each(&mut offer);
            }
        }
        best
    }

    fn allows(&self, p: Vec2, yielding: f32) -> bool {
        let room = yielding + ROUNDING_ROOM + ROUNDING_SHARE * p.length();
        self.all().iter().all(|plane| plane.normal.dot(p) >= plane.least - room)
    }
}

/// Returns the point where two borders meet: n_a·p = b_a and n_b·p = b_b, by Cramer's rule.
fn corner(a: &Plane, b: &Plane, yielding: f32) -> Option<Vec2> {
    let sine = cross(a.normal, b.normal);
    let (least_a, least_b) = (a.least - yielding, b.least - yielding);
    let x = least_a * b.normal.y - least_b * a.normal.y;
    let y = least_b * a.normal.x - least_a * b.normal.x;
    (sine.abs() > LEAST_SINE).then(|| Vec2::new(x, y) / sine)
}
