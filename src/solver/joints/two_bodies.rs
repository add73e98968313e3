//! Both bodies of eight joints in a pass: relative speeds, effect of impulses, predicted anchors.
//!
//! In: a block with up-to-date Jacobian, the velocities of its bodies. Out: velocities after
//! impulses. The derivation is in `loops/solve.rs`.

use super::block::JointBlock;
use super::small_matrix::two;
use crate::simd::{LANES, Lane, Table, Width};
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use crate::threads::Shared;
use crate::tuning::JointTuning;

/// The axes of a joint: rotated, or x and y.
pub(super) trait Axes<L>: Copy {
    /// Whether they are x and y.
    const UPRIGHT: bool;

    /// A vector in the axes of the joint.
    fn seen(self, v: [L; 2]) -> [L; 2];
    /// Inverse of [`Axes::seen`].
    fn unseen(self, v: [L; 2]) -> [L; 2];
    /// Inverse masses (which may differ along x and y) in the axes of the joint: along, across, and
    /// the cross term.
    fn masses(self, m: [L; 2]) -> ([L; 2], Option<L>);
}

/// Along n, and a quarter turn to the left of it.
#[derive(Clone, Copy)]
pub(super) struct Turned<L>(pub(super) [L; 2]);

/// Along x and y: for joints that hold a point, whatever their axis, see
/// [`Form::upright`](super::block::Form::upright).
#[derive(Clone, Copy)]
pub(super) struct Upright;

impl<L: Lane> Axes<L> for Turned<L> {
    const UPRIGHT: bool = false;

    #[inline(always)]
    fn seen(self, v: [L; 2]) -> [L; 2] {
        let Turned(n) = self;
        [n[0] * v[0] + n[1] * v[1], n[0] * v[1] - n[1] * v[0]]
    }
    #[inline(always)]
    fn unseen(self, v: [L; 2]) -> [L; 2] {
        let Turned(n) = self;
        [n[0] * v[0] - n[1] * v[1], n[1] * v[0] + n[0] * v[1]]
    }
    #[inline(always)]
    fn masses(self, m: [L; 2]) -> ([L; 2], Option<L>) {
        let Turned(n) = self;
        let (xx, yy) = (n[0] * n[0], n[1] * n[1]);
        ([xx * m[0] + yy * m[1], yy * m[0] + xx * m[1]], Some(n[0] * n[1] * (m[1] - m[0])))
    }
}

impl<L: Lane> Axes<L> for Upright {
    const UPRIGHT: bool = true;

    #[inline(always)]
    fn seen(self, v: [L; 2]) -> [L; 2] {
        v
    }
    #[inline(always)]
    fn unseen(self, v: [L; 2]) -> [L; 2] {
        v
    }
    #[inline(always)]
    fn masses(self, m: [L; 2]) -> ([L; 2], Option<L>) {
        (m, None)
    }
}

/// Velocities, arms, inverse masses and inertias of both bodies.
#[derive(Clone, Copy)]
pub(super) struct Hold<L, A = Turned<L>> {
    pub(super) v_a: [L; 4],
    pub(super) v_b: [L; 4],
    axes: A,
    pub(super) a: [L; 2],
    pub(super) b: [L; 2],
    m_a: [L; 2],
    m_b: [L; 2],
    i_a: L,
    i_b: L,
}

/// The rows of eight pairs, copied before anything is written: after a write the compiler would
/// have to load them again and repeat bounds checks.
#[derive(Clone, Copy)]
pub(super) struct PairRows {
    pub(super) a: [u32; LANES],
    pub(super) b: [u32; LANES],
    /// See [`Block::gives`].
    pub(super) gives: [u8; 2],
}

/// Writes velocities of bodies A and B to their rows, if they have a mass: immovable bodies may be
/// in several blocks at once.
#[inline(always)]
pub(super) fn scatter_both<W: Width>(
    w: W,
    mut velocity: Shared<[f32; 4]>,
    PairRows { a, b, gives }: &PairRows,
    (v_a, v_b): ([W::L; 4], [W::L; 4]),
) {
    if *gives == [u8::MAX; 2] {
        w.scatter(&mut velocity, a, v_a);
        w.scatter(&mut velocity, b, v_b);
    } else {
        w.scatter_some(&mut velocity, a, gives[0], v_a);
        w.scatter_some(&mut velocity, b, gives[1], v_b);
    }
}

impl<L: Lane> Hold<L> {
    #[inline(always)]
    pub(super) fn load<W: Width<L = L>>(w: W, block: &JointBlock, velocity: &impl Table) -> Hold<L> {
        let pair = (w.gather(velocity, &block.row_a), w.gather(velocity, &block.row_b));
        Hold::of(w, block, pair)
    }

    /// From a block, with the given velocities.
    #[inline(always)]
    pub(super) fn of<W: Width<L = L>>(w: W, block: &JointBlock, (v_a, v_b): ([L; 4], [L; 4])) -> Hold<L> {
        Hold {
            v_a,
            v_b,
            axes: Turned(two(w, &block.now.axis)),
            a: two(w, &block.now.a),
            b: two(w, &block.now.b),
            m_a: two(w, &block.start.inv_mass_a),
            m_b: two(w, &block.start.inv_mass_b),
            i_a: w.read(&block.now.inv_inertia_a),
            i_b: w.read(&block.now.inv_inertia_b),
        }
    }

    #[inline(always)]
    pub(super) fn store<W: Width<L = L>>(&self, w: W, block: &JointBlock, velocity: Shared<[f32; 4]>) {
        let rows = PairRows { a: block.row_a, b: block.row_b, gives: block.dynamic };
        scatter_both(w, velocity, &rows, (self.v_a, self.v_b));
    }

    /// Speed errors of the locked axes; `rate` is the share of their gaps to close.
    #[inline(always)]
    pub(super) fn excess<W: Width<L = L>>(
        &self,
        w: W,
        block: &JointBlock,
        half: Half,
        params: &JointParams,
        rate: f32,
    ) -> [L; 3] {
        let mut speed = self.speeds();
        if half == Half::After {
            return speed;
        }
        let closing = closing(w, block, params, rate);
        for k in 0..3 {
            speed[k] = speed[k] + closing[k];
        }
        speed
    }
}

impl<L: Lane, A: Axes<L>> Hold<L, A> {
    /// From axes, arms, velocities, inverse masses and inertias.
    #[inline(always)]
    pub(super) fn between(
        axes: A,
        (a, b): ([L; 2], [L; 2]),
        (v_a, v_b): ([L; 4], [L; 4]),
        ((m_a, i_a), (m_b, i_b)): (([L; 2], L), ([L; 2], L)),
    ) -> Hold<L, A> {
        Hold { v_a, v_b, axes, a, b, m_a, m_b, i_a, i_b }
    }

    /// With A and B the other way round.
    #[inline(always)]
    pub(super) fn swapped(&self) -> Hold<L, A> {
        let Hold { v_a, v_b, axes, a, b, m_a, m_b, i_a, i_b } = *self;
        Hold { v_a: v_b, v_b: v_a, axes, a: b, b: a, m_a: m_b, m_b: m_a, i_a: i_b, i_b: i_a }
    }

    /// v_b - v_a in the axes of the joint.
    #[inline(always)]
    fn parting(&self) -> [L; 2] {
        self.axes.seen([self.v_b[0] - self.v_a[0], self.v_b[1] - self.v_a[1]])
    }

    /// Speeds of the three axes.
    #[inline(always)]
    pub(super) fn speeds(&self) -> [L; 3] {
        let [along, across] = self.parting();
        let (w_a, w_b) = (self.v_a[2], self.v_b[2]);
        [along + (self.a[1] * w_a - self.b[1] * w_b), across + (self.b[0] * w_b - self.a[0] * w_a), w_b - w_a]
    }

    /// Applies impulses along the three axes.
    #[inline(always)]
    pub(super) fn push(&mut self, impulse: [L; 3]) {
        let [along, across, turn] = impulse;
        let p = self.axes.unseen([along, across]);
        for (k, p) in p.into_iter().enumerate() {
            self.v_a[k] = self.v_a[k] - self.m_a[k] * p;
            self.v_b[k] = self.v_b[k] + self.m_b[k] * p;
        }
        self.v_a[2] = self.v_a[2] + self.i_a * (self.a[1] * along - self.a[0] * across - turn);
        self.v_b[2] = self.v_b[2] + self.i_b * (self.b[0] * across - self.b[1] * along + turn);
    }

    /// Applies impulses along and across only.
    #[inline(always)]
    pub(super) fn push_point(&mut self, [along, across]: [L; 2]) {
        let p = self.axes.unseen([along, across]);
        for (k, p) in p.into_iter().enumerate() {
            self.v_a[k] = self.v_a[k] - self.m_a[k] * p;
            self.v_b[k] = self.v_b[k] + self.m_b[k] * p;
        }
        self.v_a[2] = self.v_a[2] + self.i_a * (self.a[1] * along - self.a[0] * across);
        self.v_b[2] = self.v_b[2] + self.i_b * (self.b[0] * across - self.b[1] * along);
    }

    /// The bend term: the part of the values along and across after the sub-step beyond c + h u, as
    /// bodies and axis turn while they move. `length` is c of a joint whose axis is the line
    /// between its anchors.
    #[inline(always)]
    pub(super) fn bend<W: Width<L = L>>(&self, w: W, length: Option<L>, params: &JointParams) -> [L; 2] {
        let h = w.splat(params.h);
        let (turn_a, turn_b) = (small_turn(w, h * self.v_a[2]), small_turn(w, h * self.v_b[2]));
        let [along, across] = self.parting();
        let (way, b) = ([h * along, h * across], self.b);
        // (R_b - 1) b, without its linear part φ_b b⊥
        let round = turn_b.less_linear(b);
        let turned = [round[0] - turn_b.angle * b[1], round[1] + turn_b.angle * b[0]];
        let moved = [way[0] + turned[0], way[1] + turned[1]];
        if let Some(c) = length {
            let arm = [self.a[0] - c, self.a[1]];
            let of_a = turn_a.less_linear(arm);
            let turned_a = [of_a[0] - turn_a.angle * arm[1], of_a[1] + turn_a.angle * arm[0]];
            let off = moved[1] - turned_a[1];
            let along = c + (moved[0] - turned_a[0]);
            let length = (along * along + off * off).sqrt();
            // |d'| - d'·n, without taking the difference of like numbers
            let has_line = w.splat(params.tuning.short_line).lt(along);
            let longer = off * off / W::L::select(has_line, length + along, w.splat(1.0));
            let longer = W::L::select(has_line, longer, w.splat(0.0));
            return [longer + (round[0] - of_a[0]), w.splat(0.0)];
        }
        // Seen from A, which turns: (R_a⁻¹ - 1) of the arm to where B's anchor will be. It is 0
        // where it is 0 in the world's axes.
        let back = turn_a.back();
        let reach = [self.a[0] + moved[0], self.a[1] + moved[1]];
        let seen = back.less_linear(reach);
        [round[0] + seen[0] - back.angle * moved[1], round[1] + seen[1] + back.angle * moved[0]]
    }
}

/// The speeds that close the gaps of locked axes; `rate` is the share to close in a sub-step.
#[inline(always)]
pub(super) fn closing<W: Width>(w: W, block: &JointBlock, params: &JointParams, rate: f32) -> [W::L; 3] {
    let (most, close) = (w.splat(params.max_push), w.splat(rate * params.inv_h));
    let mut closing = [w.splat(0.0); 3];
    for (k, closing) in closing.iter_mut().enumerate() {
        if block.form.holds(k) {
            *closing = (w.read(&block.now.value[k]) - w.read(&block.seat.goal[k])) * close;
        }
    }
    // Clamped as a vector, so that the direction is kept.
    let fast = (closing[0] * closing[0] + closing[1] * closing[1]).sqrt();
    let scale = W::L::select(most.lt(fast), most / fast, w.splat(1.0));
    if block.form.holds(2) {
        // A rotation also moves the far end of a wide gap: its speed is limited, too.
        let (along, across) = (w.read(&block.now.value[0]), w.read(&block.now.value[1]));
        let lever = (along * along + across * across).sqrt().larger(w.splat(params.tuning.least_arm));
        closing[2] = closing[2].smaller(most / lever).larger(-most / lever);
    }
    [closing[0] * scale, closing[1] * scale, closing[2]]
}

/// A rotation by a small angle, as its change of a vector: (cos φ - 1) v + (sin φ) v⊥.
struct SmallTurn<L> {
    angle: L,
    /// 1 - cos φ
    versine: L,
    /// sin φ - φ
    lag: L,
}

/// For angles up to twice [`JointTuning::BEND_TURN`], beyond which the bend term is 0: within it
/// the series are exact to a relative 4e-6.
#[inline(always)]
fn small_turn<W: Width>(w: W, angle: W::L) -> SmallTurn<W::L> {
    let most = w.splat(2.0 * JointTuning::BEND_TURN);
    let angle = angle.smaller(most).larger(-most);
    let u = angle * angle;
    SmallTurn {
        angle,
        versine: u * (w.splat(1.0 / 2.0) - u * w.splat(1.0 / 24.0)),
        lag: -(angle * u * (w.splat(1.0 / 6.0) - u * w.splat(1.0 / 120.0))),
    }
}

impl<L: Lane> SmallTurn<L> {
    /// The change of v beyond the linear part φ v⊥.
    #[inline(always)]
    fn less_linear(&self, v: [L; 2]) -> [L; 2] {
        [-(self.versine * v[0]) - self.lag * v[1], self.lag * v[0] - self.versine * v[1]]
    }

    /// The inverse rotation.
    #[inline(always)]
    fn back(&self) -> SmallTurn<L> {
        SmallTurn { angle: -self.angle, versine: self.versine, lag: -self.lag }
    }
}

/// Share of the bend term that is used: all of it while bodies turn less than
/// [`JointTuning::BEND_TURN`] in a sub-step, none from twice that on.
///
/// Where a slack chain snaps taut, no impulse along the present axes may close all gaps, and trying
/// to throws the links about. Without the bend term a solve only ever removes energy.
#[inline(always)]
pub(super) fn foreseen<W: Width>(w: W, (w_a, w_b): (W::L, W::L), h: f32) -> W::L {
    let turn = w_a.abs().larger(w_b.abs()) * w.splat(h / JointTuning::BEND_TURN);
    (w.splat(2.0) - turn).smaller(w.splat(1.0)).larger(w.splat(0.0))
}
