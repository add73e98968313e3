//! Drives of a joint axis: servos, motors, limits.
//!
//! In: blocks with up-to-date Jacobians, and their drives. Out: impulses in the drives, velocities.

use super::block::{Driven, Drives, JointBlock, LIMITS, MOTOR, Now, RowMask, SERVO};
use super::jacobian::weigh_along;
use super::small_matrix::{inverse, only, solve_two};
use super::two_bodies::{Axes, Hold, Upright};
use crate::simd::{Lane, OneLane, Width};
use crate::solver::columns::Column;
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;

/// How a pass goes over drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DriveStage {
    /// All of them, with their warm start, among joints that are iterated.
    Iterated,
    /// The damping of servos, where joints are solved directly: see [`Reply::damping`].
    Damp,
    /// Springs and motors, where joints are solved directly.
    Pull,
}

/// Solves servo, motor and limits of one axis, in this order: limits come last, so they hold.
#[inline(always)]
pub(super) fn push_driven<W: Width>(
    w: W,
    (block, number): (&mut JointBlock, usize),
    driven: &mut Driven,
    hold: &mut Hold<W::L>,
    (half, params, stage): (Half, &JointParams, DriveStage),
) {
    let form = block.form;
    if !form.is_driven_along(number) {
        return;
    }
    let reply = Reply::of(w, (form, &block.now), number, driven);
    let held = &mut block.held[half as usize];
    let half_h = w.splat(0.5 * params.h);
    if form.drives(number, SERVO) {
        let bounds = [w.read(&driven.least) * half_h, w.read(&driven.most) * half_h];
        let impulse = &mut driven.impulse[half as usize][SERVO];
        let (share, before) = (w.read(&driven.share), w.read(impulse));
        let (after, push) = reply.servo_at(stage, hold, (share, before, bounds));
        w.write(impulse, after);
        push_along(w, (form, held), hold, (number, &reply.answer), push);
    }
    if form.drives(number, MOTOR) && stage != DriveStage::Damp {
        let impulse = &mut driven.impulse[half as usize][MOTOR];
        let before = w.read(impulse);
        let after = reply.motor(hold, w.read(&driven.speed), before, w.read(&driven.max) * half_h);
        w.write(impulse, after);
        push_along(w, (form, held), hold, (number, &reply.answer), after - before);
    }
    if form.drives(number, LIMITS) && stage == DriveStage::Iterated {
        let before = w.read(&driven.impulse[half as usize][LIMITS]);
        // The speed without the impulse, clamped between the two.
        let free = reply.answer.speed(hold) - reply.answer.k * before;
        let (least, greatest) = room(w, (w.read(&block.now.value[number]), number), driven, (half, params));
        let after = reply.mass * (free.larger(least).smaller(greatest) - free);
        let after = if half == Half::After { both_push(w, driven, after) } else { after };
        w.write(&mut driven.impulse[half as usize][LIMITS], after);
        push_along(w, (form, held), hold, (number, &reply.answer), after - before);
    }
}

/// Response of an axis to an impulse at the present pose: its `DriveResponse`, the effective mass,
/// and the strength of a servo.
pub(super) struct Reply<L> {
    pub(super) answer: DriveResponse<L>,
    pub(super) mass: L,
    pub(super) toward: L,
}

impl<L: Lane> Reply<L> {
    #[inline(always)]
    fn of<W: Width<L = L>>(w: W, (form, now): (RowMask, &Now), number: usize, driven: &Driven) -> Reply<L> {
        let off = w.read(&now.value[number]) - w.read(&driven.target);
        Reply::with(
            w,
            answer(w, (form, now), number),
            (off, [w.read(&driven.pull), w.read(&driven.most_pull)]),
        )
    }

    /// A spring keeps the strength that suits the effective mass at rest, unless that is too stiff
    /// for the present effective mass. (Scaled by the present mass, it would be stiffer one way
    /// than the other, and do work in each cycle.)
    #[inline(always)]
    pub(super) fn with<W: Width<L = L>>(
        w: W,
        answer: DriveResponse<L>,
        (off, [pull, most]): (L, [L; 2]),
    ) -> Reply<L> {
        Reply { mass: inverse(w, answer.k), toward: off * (pull * answer.k).smaller(most), answer }
    }

    /// The impulse of a servo in a stage, and the part of it that is still to be applied.
    #[inline(always)]
    pub(super) fn servo_at(
        &self,
        stage: DriveStage,
        hold: &Hold<L, impl Axes<L>>,
        (share, before, bounds): (L, L, [L; 2]),
    ) -> (L, L) {
        match stage {
            DriveStage::Iterated => {
                let after = self.servo(hold, share, before, bounds);
                (after, after - before)
            }
            DriveStage::Damp => {
                let damping = self.damping(hold, share, bounds);
                (damping, damping)
            }
            DriveStage::Pull => {
                let pull = self.pull(bounds);
                (before + pull, pull)
            }
        }
    }

    /// The impulse of an iterated servo: λ = -mass (share u + (1 - share) pull off), with u the
    /// speed without λ: the spring and the damping of `joint/spring.rs` at once.
    #[inline(always)]
    fn servo(&self, hold: &Hold<L, impl Axes<L>>, share: L, before: L, [least, most]: [L; 2]) -> L {
        let pull = self.toward - share * self.toward;
        let wanted = share * before - self.mass * (share * self.answer.speed(hold) + pull);
        wanted.larger(least).smaller(most)
    }

    /// The impulse of a spring alone, whatever its bodies do: λ = -mass pull off.
    #[inline(always)]
    fn pull(&self, [least, most]: [L; 2]) -> L {
        (-(self.mass * self.toward)).larger(least).smaller(most)
    }

    /// The impulse of its damping, -mass share u, with u the speed at which the bodies came: joints
    /// and limits hold in it. It only ever takes energy. Spring and damping together stay within
    /// the bounds: a spring that would pull harder than it may is not damped.
    ///
    /// (With u the speed after gravity and springs of this half, before joints and limits, dampers
    /// worked against motion that joints and limits were about to stop: a body that rests on a
    /// limit was held up by its damper in part, and a slider on soft sliders gained half of the
    /// energy that was in motion.)
    #[inline(always)]
    fn damping(&self, hold: &Hold<L, impl Axes<L>>, share: L, [least, most]: [L; 2]) -> L {
        let wanted = -(self.mass * (share * self.answer.speed(hold) + self.toward));
        wanted.larger(least).smaller(most) - self.pull([least, most])
    }

    /// The impulse of a motor.
    #[inline(always)]
    pub(super) fn motor(&self, hold: &Hold<L, impl Axes<L>>, speed: L, before: L, most: L) -> L {
        let wanted = before - self.mass * (self.answer.speed(hold) - speed);
        wanted.larger(-most).smaller(most)
    }
}

/// The other two axes.
#[inline(always)]
pub(super) fn others(number: usize) -> [usize; 2] {
    match number {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}

/// Solves a servo or motor along and across, which share one strength. A locked angle adds to their
/// inverse mass: K_pp - K_p2 K_2p / K_22.
#[inline(always)]
pub(super) fn push_round<W: Width>(
    w: W,
    block: &mut JointBlock,
    drives: &mut Drives,
    hold: &mut Hold<W::L>,
    (half, params, stage): (Half, &JointParams, DriveStage),
) {
    let side = half as usize;
    let half_h = w.splat(0.5 * params.h);
    let round = Round::of(w, block);
    if block.form.drives(0, SERVO) {
        let before = [w.read(&drives[0].impulse[side][SERVO]), w.read(&drives[1].impulse[side][SERVO])];
        let most = w.read(&drives[0].most) * half_h;
        let (after, push) = round.servo_at(w, stage, (block, drives), hold, (before, most));
        for k in 0..2 {
            w.write(&mut drives[k].impulse[side][SERVO], after[k]);
        }
        push_both(w, block, hold, (side, &round), push);
    }
    if block.form.drives(0, MOTOR) && stage != DriveStage::Damp {
        let speed = round.speeds(hold);
        let before = [w.read(&drives[0].impulse[side][MOTOR]), w.read(&drives[1].impulse[side][MOTOR])];
        let excess = [speed[0] - w.read(&drives[0].speed), speed[1] - w.read(&drives[1].speed)];
        let found = solve_two(w, round.k, excess);
        let most = w.read(&drives[0].max) * half_h;
        let after = shortened(w, [before[0] - found[0], before[1] - found[1]], most);
        for k in 0..2 {
            w.write(&mut drives[k].impulse[side][MOTOR], after[k]);
        }
        push_both(w, block, hold, (side, &round), [after[0] - before[0], after[1] - before[1]]);
    }
}

/// A vector, no longer than `most`.
#[inline(always)]
fn shortened<W: Width>(w: W, [x, y]: [W::L; 2], most: W::L) -> [W::L; 2] {
    let length = (x * x + y * y).sqrt();
    let shorter = W::L::select(most.lt(length), most / length, w.splat(1.0));
    [x * shorter, y * shorter]
}

/// Applies an impulse along and across, and a locked angle's response to it.
#[inline(always)]
fn push_both<W: Width>(
    w: W,
    block: &mut JointBlock,
    hold: &mut Hold<W::L>,
    (side, round): (usize, &Round<W::L>),
    push: [W::L; 2],
) {
    let turn = round.turn(push);
    hold.push([push[0], push[1], turn]);
    if block.form.holds(2) {
        let held = &mut block.held[side][2];
        w.write(held, w.read(held) + turn);
    }
}

/// Both linear axes together.
struct Round<L> {
    /// K of the two: 00, 01, 11.
    k: [L; 3],
    /// Impulse on a locked angle per unit of impulse on either.
    turns: [L; 2],
}

impl<L: Lane> Round<L> {
    #[inline(always)]
    fn of<W: Width<L = L>>(w: W, block: &JointBlock) -> Round<L> {
        let (k, cross) = (&block.now.k, &block.now.k_cross);
        let (k_00, k_11, k_01) = (w.read(&k[0]), w.read(&k[1]), w.read(&cross[0]));
        if !block.form.holds(2) {
            return Round { k: [k_00, k_01, k_11], turns: [w.splat(0.0); 2] };
        }
        let (k_02, k_12, k_22) = (w.read(&cross[1]), w.read(&cross[2]), inverse(w, w.read(&k[2])));
        let turns = [-(k_02 * k_22), -(k_12 * k_22)];
        let least = w.splat(LEAST_ANSWER);
        let along = (k_00 + k_02 * turns[0]).larger(k_00 * least);
        let across = (k_11 + k_12 * turns[1]).larger(k_11 * least);
        Round { k: [along, k_01 + k_02 * turns[1], across], turns }
    }

    /// Strength of a spring per metre, the same in all directions and in all poses, unless that is
    /// too stiff for the direction of least effective mass: the greater eigenvalue of K.
    #[inline(always)]
    fn pull<W: Width<L = L>>(&self, w: W, driven: &Driven) -> L {
        let ([k_00, k_01, k_11], half) = (self.k, w.splat(0.5));
        let (mean, apart) = ((k_00 + k_11) * half, (k_00 - k_11) * half);
        let most = mean + (apart * apart + k_01 * k_01).sqrt();
        w.read(&driven.pull).smaller(w.read(&driven.most_pull) * inverse(w, most))
    }

    /// As [`Reply::servo_at`], along both axes; the impulse is no longer than `most`.
    #[inline(always)]
    fn servo_at<W: Width<L = L>>(
        &self,
        w: W,
        stage: DriveStage,
        (block, drives): (&JointBlock, &Drives),
        hold: &Hold<L, impl Axes<L>>,
        (before, most): ([L; 2], L),
    ) -> ([L; 2], [L; 2]) {
        let share = w.read(&drives[0].share);
        let mut pull = [w.splat(0.0); 2];
        for (k, pull) in pull.iter_mut().enumerate() {
            let off = w.read(&block.now.value[k]) - w.read(&drives[k].target);
            *pull = -(off * self.pull(w, &drives[k]));
        }
        if stage == DriveStage::Pull {
            let pull = shortened(w, pull, most);
            return ([before[0] + pull[0], before[1] + pull[1]], pull);
        }
        let speed = self.speeds(hold);
        let found = solve_two(w, self.k, [share * speed[0], share * speed[1]]);
        if stage == DriveStage::Damp {
            let both = shortened(w, [pull[0] - found[0], pull[1] - found[1]], most);
            let alone = shortened(w, pull, most);
            let damping = [both[0] - alone[0], both[1] - alone[1]];
            return (damping, damping);
        }
        let mut wanted = pull;
        for (k, wanted) in wanted.iter_mut().enumerate() {
            *wanted = share * before[k] - found[k] + (pull[k] - share * pull[k]);
        }
        let after = shortened(w, wanted, most);
        (after, [after[0] - before[0], after[1] - before[1]])
    }

    /// Speeds along the two axes, with a locked angle satisfied.
    #[inline(always)]
    fn speeds(&self, hold: &Hold<L, impl Axes<L>>) -> [L; 2] {
        let [along, across, turn] = hold.speeds();
        [along + self.turns[0] * turn, across + self.turns[1] * turn]
    }

    /// The impulse on the angle.
    #[inline(always)]
    fn turn(&self, [along, across]: [L; 2]) -> L {
        self.turns[0] * along + self.turns[1] * across
    }
}

/// Least and greatest speed of a limited axis. Before bodies move, the room up to each limit may be
/// used up, and a value beyond a limit is brought back. After bodies have moved, an axis on which a
/// limit pushed stands still: the speed that brought it back must not remain.
#[inline(always)]
fn room<W: Width>(
    w: W,
    (value, number): (W::L, usize),
    driven: &Driven,
    (half, params): (Half, &JointParams),
) -> (W::L, W::L) {
    let (zero, endless) = (w.splat(0.0), w.splat(f32::INFINITY));
    if half == Half::After {
        let before = w.read(&driven.impulse[0][LIMITS]);
        let is_free = before.eq(zero);
        return (W::L::select(is_free, -endless, zero), W::L::select(is_free, endless, zero));
    }
    let (low, high) = (w.read(&driven.lower) - value, w.read(&driven.upper) - value);
    let (rate, inv_h, most) =
        (w.splat(params.rate * params.inv_h), w.splat(params.inv_h), w.splat(params.most_push(number)));
    let least = W::L::select(zero.lt(low), (low * rate).smaller(most), low * inv_h);
    (least, W::L::select(high.lt(zero), (high * rate).larger(-most), high * inv_h))
}

/// The impulse of limits after the bodies moved: its sum with the impulse before they moved does
/// not pull, and it is 0 if there was none then.
#[inline(always)]
fn both_push<W: Width>(w: W, driven: &Driven, after: W::L) -> W::L {
    let (zero, before) = (w.splat(0.0), w.read(&driven.impulse[0][LIMITS]));
    let after = W::L::select(zero.lt(before), after.larger(-before), after);
    let after = W::L::select(before.lt(zero), after.smaller(-before), after);
    W::L::select(before.eq(zero), zero, after)
}

/// Response of an axis to an impulse while the locked axes hold: its inverse effective mass, and
/// the impulses on the locked axes per unit of impulse.
///
/// A rod on a hinge turns about the hinge, not about its middle: k = K_dd - K_dh K_hh⁻¹ K_hd over
/// the locked axes h.
pub(super) struct DriveResponse<L> {
    pub(super) k: L,
    pub(super) push: [L; 3],
}

#[inline(always)]
pub(super) fn answer<W: Width>(w: W, (form, now): (RowMask, &Now), number: usize) -> DriveResponse<W::L> {
    let own = w.read(&now.k[number]);
    let mut push = only(w, number, w.splat(1.0));
    // K between this axis and another: [0 1], [0 2], [1 2].
    let cross = |other: usize| w.read(&now.k_cross[number + other - 1]);
    let [first, second] = others(number);
    match (form.holds(first), form.holds(second)) {
        (false, false) => DriveResponse { k: own, push },
        (true, true) => {
            let (k_11, k_22) = (w.read(&now.k[first]), w.read(&now.k[second]));
            let k_12 = w.read(&now.k_cross[first + second - 1]);
            let (d_1, d_2) = (cross(first), cross(second));
            let [p_1, p_2] = solve_two(w, [k_11, k_12, k_22], [d_1, d_2]);
            (push[first], push[second]) = (-p_1, -p_2);
            let k = own + d_1 * push[first] + d_2 * push[second];
            DriveResponse { k: k.larger(own * w.splat(LEAST_ANSWER)), push }
        }
        (one, _) => {
            let held = if one { first } else { second };
            let d = cross(held);
            push[held] = -(d * inverse(w, w.read(&now.k[held])));
            DriveResponse { k: (own + d * push[held]).larger(own * w.splat(LEAST_ANSWER)), push }
        }
    }
}

impl<L: Lane> DriveResponse<L> {
    /// The speed of the axis with the locked axes satisfied: push·u, as K is symmetric. Gravity
    /// alone does not turn a rod on a hinge, but the hinge does.
    #[inline(always)]
    fn speed(&self, hold: &Hold<L, impl Axes<L>>) -> L {
        let u = hold.speeds();
        self.push[0] * u[0] + self.push[1] * u[1] + self.push[2] * u[2]
    }
}

/// Effective masses of the three axes of a joint with its springs at rest, along the axis and
/// across it: springs are tuned for these. Takes the arms of A and B, and their inverse masses and
/// inertias.
pub(crate) fn masses_at_rest(
    form: RowMask,
    (a, b): ([f32; 2], [f32; 2]),
    [(m_a, i_a), (m_b, i_b)]: [(f32, f32); 2],
) -> [f32; 3] {
    let (w, mut block) = (OneLane(0), JointBlock { form, ..JointBlock::EMPTY });
    for k in 0..2 {
        (block.start.inv_mass_a[k][0], block.start.inv_mass_b[k][0]) = (m_a, m_b);
    }
    weigh_along(w, &mut block, Upright, (a, b), (i_a, i_b));
    core::array::from_fn(|number| inverse(w, answer(w, (form, &block.now), number).k))
}

/// Least share of an inverse mass that is left when other axes are locked: below it only rounding
/// is left.
const LEAST_ANSWER: f32 = 1.0e-4;

/// Applies an impulse along one axis, and the locked axes' response to it.
#[inline(always)]
pub(super) fn push_along<W: Width>(
    w: W,
    (form, held): (RowMask, &mut [Column; 3]),
    hold: &mut Hold<W::L, impl Axes<W::L>>,
    (number, answer): (usize, &DriveResponse<W::L>),
    impulse: W::L,
) {
    let mut pushes = answer.push;
    for (k, push) in pushes.iter_mut().enumerate() {
        *push = *push * impulse;
        if form.holds(k) && k != number {
            let sum = w.read(&held[k]) + *push;
            w.write(&mut held[k], sum);
        }
    }
    hold.push(pushes);
}
