//! The relative pose of two parts, in lanes: their contact at that pose, and a conservative bound
//! of the separation from there on.
//!
//! In: placed parts, A at the origin. Out: contacts, kind by kind; and lower bounds of their gaps.

use crate::narrowphase::cores::{self, Cores, Terms, Touch};
use crate::narrowphase::{FeatureId, obb, round};
use crate::simd::{Lane, Width, inlined};

/// The relative pose of two parts, and how they are tested.
pub(super) struct RelativePose<L: Lane> {
    pub(super) a: Placed<L>,
    pub(super) b: Placed<L>,
    /// From the middle of A's part to that of B's, and between the centres of mass.
    pub(super) between: [L; 2],
    pub(super) way: [L; 2],
    pub(super) terms: Terms<L>,
}

/// The row of a part.
#[derive(Clone, Copy)]
pub(super) struct Placed<L> {
    pub(super) cos: L,
    pub(super) sin: L,
    pub(super) half: [L; 2],
    pub(super) offset: [L; 2],
}

impl<L: Lane> Placed<L> {
    /// A direction in the frame of the part.
    #[inline(always)]
    pub(super) fn own(&self, m: [L; 2]) -> [L; 2] {
        [m[0] * self.cos + m[1] * self.sin, m[1] * self.cos - m[0] * self.sin]
    }
}

/// Contact tests at the present pose.
impl<L: Lane> RelativePose<L> {
    #[inline(always)]
    pub(super) fn boxes<W: Width<L = L>>(&self, w: W) -> Touch<L> {
        w.apart(
            #[inline(always)]
            || {
                let (zero, margin) = (w.splat(0.0), self.terms.margin);
                let boxed = |placed: &Placed<L>, center: [L; 2]| obb::Boxes {
                    center,
                    half: placed.half,
                    cos: placed.cos,
                    sin: placed.sin,
                    radius: zero,
                };
                let (a, b) = (boxed(&self.a, [zero, zero]), boxed(&self.b, self.between));
                let packed = obb::pack(&obb::contacts(&a, &b, margin), margin);
                let [a_stands, b_stands] = self.terms.stands;
                // From the x axis of the immovable box, finds the axis nearest to the normal.
                let x = [Lane::select(a_stands, a.cos, b.cos), Lane::select(a_stands, a.sin, b.sin)];
                let n = packed.normal;
                let (along, across) = (n[0] * x[0] + n[1] * x[1], n[1] * x[0] - n[0] * x[1]);
                let is_x = across.abs().lt(along.abs());
                let face = [Lane::select(is_x, x[0], -x[1]), Lane::select(is_x, x[1], x[0])];
                let back = Lane::select(is_x, along, across).lt(zero);
                let face = [Lane::select(back, -face[0], face[0]), Lane::select(back, -face[1], face[1])];
                Touch {
                    normal: cores::straightened(n, face, a_stands | b_stands),
                    points: packed.points,
                    ids: packed.ids,
                    count: packed.count,
                    doubtful: packed.corners,
                }
            },
        )
    }

    #[inline(always)]
    pub(super) fn circles<W: Width<L = L>>(&self, w: W) -> Touch<L> {
        let (zero, one) = (w.splat(0.0), w.splat(1.0));
        let a = round::Circles { center: [zero, zero], radius: self.a.half[0] };
        let b = round::Circles { center: self.between, radius: self.b.half[0] };
        let found = round::contacts(&a, &b);
        let near = found.separation.le(self.terms.margin);
        let only = |number: L| Lane::select(near, number, zero);
        let point = [only(found.point[0]), only(found.point[1])];
        Touch {
            normal: [only(found.normal[0]), only(found.normal[1])],
            points: [
                obb::KernelPoint { point, separation: only(found.separation) },
                obb::KernelPoint { point: [zero, zero], separation: zero },
            ],
            ids: [only(w.splat(FeatureId::ROUND_NUMBER)), zero],
            count: only(one),
            doubtful: one.lt(zero),
        }
    }

    /// B is the circle.
    #[inline(always)]
    pub(super) fn core_circle<W: Width<L = L>>(&self, w: W, core: &Cores<L>) -> Touch<L> {
        let (a, [x, y]) = (&self.a, self.between);
        let center = [x * a.cos + y * a.sin, y * a.cos - x * a.sin];
        let radius = self.b.half[0];
        cores::collide_circles(w, core, (center, radius), &self.terms, true).turned(a.cos, a.sin)
    }

    /// A is the circle.
    #[inline(always)]
    pub(super) fn circle_core<W: Width<L = L>>(&self, w: W, core: &Cores<L>) -> Touch<L> {
        let (b, [x, y]) = (&self.b, self.between);
        let center = [-(x * b.cos + y * b.sin), -(y * b.cos - x * b.sin)];
        let [a_stands, b_stands] = self.terms.stands;
        let terms = Terms { stands: [b_stands, a_stands], ..self.terms };
        let radius = self.a.half[0];
        let touch = cores::collide_circles(w, core, (center, radius), &terms, false);
        touch.turned(b.cos, b.sin).flipped(self.between)
    }

    #[inline(always)]
    pub(super) fn cores<W: Width<L = L>>(&self, w: W, (core_a, core_b): (&Cores<L>, &Cores<L>)) -> Touch<L> {
        let (a, b, [x, y]) = (&self.a, &self.b, self.between);
        let turn = [a.cos * b.cos + a.sin * b.sin, a.cos * b.sin - a.sin * b.cos];
        let at = [x * a.cos + y * a.sin, y * a.cos - x * a.sin];
        cores::collide(w, core_a, core_b, (turn, at), &self.terms).turned(a.cos, a.sin)
    }
}

/// The motion of two parts in a step if they hit nothing: both bodies turn, and B moves relative to
/// A.
pub(super) struct Course<L> {
    pub(super) goes: [L; 2],
    pub(super) turns: [L; 2],
    /// Greatest distance of each from its centre of mass.
    pub(super) reaches: [L; 2],
    /// Upper bound of the curvature of B's path: |q″| for a whole step. 0 in the world frame, where
    /// it is straight.
    pub(super) bend: L,
}

impl<L: Lane> Course<L> {
    /// The motion in a frame that turns by Ω, `rate`, in the step about A's centre of mass; B is at
    /// q, `way`, from there.
    ///
    /// ```text
    ///   q' = goes - Ω q⊥        |q″| <= Ω² |q| + 2 |Ω| |goes|: K of `cast.rs` without corners
    /// ```
    #[inline(always)]
    pub(super) fn seen_turning(&self, way: [L; 2], rate: L) -> Course<L> {
        let ([x, y], [goes_x, goes_y], [turn_a, turn_b]) = (way, self.goes, self.turns);
        let speed = (goes_x * goes_x + goes_y * goes_y).sqrt();
        let distance = (x * x + y * y).sqrt() + speed;
        Course {
            goes: [goes_x + rate * y, goes_y - rate * x],
            turns: [turn_a - rate, turn_b - rate],
            reaches: self.reaches,
            bend: rate * rate * distance + (rate + rate).abs() * speed,
        }
    }

    #[inline(always)]
    pub(super) fn select(mask: L::Mask, a: &Course<L>, b: &Course<L>) -> Course<L> {
        let pick = inlined(
            #[inline(always)]
            |a: [L; 2], b: [L; 2]| [L::select(mask, a[0], b[0]), L::select(mask, a[1], b[1])],
        );
        Course {
            goes: pick(a.goes, b.goes),
            turns: pick(a.turns, b.turns),
            reaches: a.reaches,
            bend: L::select(mask, a.bend, b.bend),
        }
    }
}

/// Support functions of a part, for the bounds.
pub(super) trait Side<L> {
    /// Lowest extent along a direction in its own frame (of any length), from its middle.
    fn lowest(&self, m: [L; 2]) -> L;
    /// Reach of the points that rotation moves, if the whole part reaches as far as `reach`.
    fn arm(&self, reach: L) -> L;
}

/// A sharp box, by its half sizes.
pub(super) struct Brick<L>(pub(super) [L; 2]);

impl<L: Lane> Side<L> for Brick<L> {
    #[inline(always)]
    fn lowest(&self, [x, y]: [L; 2]) -> L {
        -(x.abs() * self.0[0] + y.abs() * self.0[1])
    }
    #[inline(always)]
    fn arm(&self, reach: L) -> L {
        reach
    }
}

/// A circle, by its radius: the same extent in all directions, and rotation moves only its centre.
pub(super) struct Ball<L>(L);

impl<L: Lane> Ball<L> {
    #[inline(always)]
    pub(super) fn of(placed: &Placed<L>) -> Ball<L> {
        Ball(placed.half[0])
    }
}

impl<L: Lane> Side<L> for Ball<L> {
    #[inline(always)]
    fn lowest(&self, _: [L; 2]) -> L {
        -self.0
    }
    #[inline(always)]
    fn arm(&self, reach: L) -> L {
        reach - self.0
    }
}

impl<L: Lane> Side<L> for Cores<L> {
    #[inline(always)]
    fn lowest(&self, m: [L; 2]) -> L {
        Cores::lowest(self, m) - self.radius
    }
    #[inline(always)]
    fn arm(&self, reach: L) -> L {
        reach
    }
}

impl<L: Lane> RelativePose<L> {
    /// Lower bound of the gap along `n` after a share t, `time`, of the `course`.
    ///
    /// A corner c, relative to the centre of mass, of a part that turns by φ rises by φ n·c⊥, with
    /// an error of at most ½ φ² |c|: K of `cast.rs`. So, with φ = t turn,
    ///
    /// ```text
    ///   gap >= n·(between + t goes) + φ_b n·o_b⊥ - φ_a n·o_a⊥
    ///          + low_b(n + φ_b n') + low_a(-(n + φ_a n')) - ½ (t² bend + Σ φ² arm)
    /// ```
    ///
    /// with o from the centre of mass to the middle, n' = (n_y, -n_x), low and arm of [`Side`]. It
    /// is a minimum of linear functions less a square, hence concave: between two times it lies
    /// above the chord.
    #[inline(always)]
    pub(super) fn gap_after<W: Width<L = L>>(
        &self,
        w: W,
        course: &Course<L>,
        n: [L; 2],
        (side_a, side_b): (&impl Side<L>, &impl Side<L>),
        time: L,
    ) -> L {
        w.apart(
            #[inline(always)]
            || {
                let ([turn_a, turn_b], [goes_x, goes_y]) = (course.turns, course.goes);
                let (turn_a, turn_b) = (turn_a * time, turn_b * time);
                let rises = inlined(
                    #[inline(always)]
                    |turn: L, o: [L; 2]| turn * (n[1] * o[0] - n[0] * o[1]),
                );
                let along = inlined(
                    #[inline(always)]
                    |turn: L| [n[0] + turn * n[1], n[1] - turn * n[0]],
                );
                let [back_x, back_y] = along(turn_a);
                let lowest =
                    side_b.lowest(self.b.own(along(turn_b))) + side_a.lowest(self.a.own([-back_x, -back_y]));
                let (x, y) = (self.between[0] + goes_x * time, self.between[1] + goes_y * time);
                let [reach_a, reach_b] = course.reaches;
                let bend = course.bend * time * time
                    + (turn_a * turn_a * side_a.arm(reach_a) + turn_b * turn_b * side_b.arm(reach_b));
                let (rise_a, rise_b) = (rises(turn_a, self.a.offset), rises(turn_b, self.b.offset));
                (n[0] * x + n[1] * y) + (rise_b - rise_a) + lowest - time.splat(0.5) * bend
            },
        )
    }
}
