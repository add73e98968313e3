//! The joint solver itself: what is done to a block, before the bodies move and after.
//!
//! In: blocks aimed at this moment, velocities. Out: impulses in the blocks, velocities in the columns. Written over
//! [`Width`]: one lane is the scalar reference.
//!
//! # Derivation
//!
//! n is the axis, t across it, a and b the arms of A and B to B's anchor in these axes (a = a_n n + a_t t). The speeds of the three
//! numbers, and what impulses λ along them do:
//!
//! ```text
//!   u_0 = n·(v_b - v_a) - b_t w_b + a_t w_a       v_a -= m_a p      w_a += i_a (a_t λ_0 - a_n λ_1 - λ_2)
//!   u_1 = t·(v_b - v_a) + b_n w_b - a_n w_a       v_b += m_b p      w_b += i_b (b_n λ_1 - b_t λ_0 + λ_2)
//!   u_2 = w_b - w_a                               p = n λ_0 + t λ_1
//! ```
//!
//! A sub-step is the symmetric one of Andersen (RATTLE, 1983; Leimkuhler and Reich, Simulating Hamiltonian Dynamics, 2004,
//! chapter 7): joints push once before the bodies move, along the axes of then, so that everything is in its place afterwards;
//! and once after, along the axes of now, so that nothing moves out of it. Nothing is lost in this, and nothing gained: a pendulum
//! swings as high as before. What drives a number pushes half before and half after.
//!
//! `Before` must foresee where the anchors will be once the bodies have moved and turned: with R_a, R_b the turns by h w_a, h w_b,
//!
//! ```text
//!   c' = R_a⁻¹ (a + h (v_b - v_a) + (R_b - 1) b) - (a - c) = c + h u + bend        on a line: c_0' = |d'|
//! ```
//!
//! bend is of second order in h; it is what a solver leaves out that takes the way to be straight, and what costs the energy.

use super::block::{Block, Driven, Drives, LIMITS, MOTOR, SERVO};
use crate::simd::{Lane, Width};
use crate::solver::block::Column;

/// The laws of joints in a sub-step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Share of a gap that is closed in a sub-step by iteration.
    pub(crate) rate: f32,
    /// Share of what it bears that an iterated joint yields in a sub-step.
    pub(crate) leak: f32,
    /// Fastest that a gap is closed, in m/s.
    pub(crate) max_push: f32,
    /// Fastest a body may go, in m/s.
    pub(crate) max_speed: f32,
}

/// Which of the two pushes of a sub-step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Before = 0,
    After = 1,
}

/// Velocities of both bodies, and what it takes to change them.
pub(super) struct Hold<L> {
    pub(super) v_a: [L; 4],
    pub(super) v_b: [L; 4],
    pub(super) n: [L; 2],
    pub(super) a: [L; 2],
    pub(super) b: [L; 2],
    m_a: [L; 2],
    m_b: [L; 2],
    i_a: L,
    i_b: L,
}

impl<L: Lane> Hold<L> {
    #[inline(always)]
    pub(super) fn load<W: Width<L = L>>(w: W, block: &Block, velocity: &[[f32; 4]]) -> Hold<L> {
        let pair = (w.gather(velocity, &block.row_a), w.gather(velocity, &block.row_b));
        Hold::of(w, block, pair)
    }

    /// With velocities from elsewhere.
    #[inline(always)]
    pub(super) fn of<W: Width<L = L>>(w: W, block: &Block, (v_a, v_b): ([L; 4], [L; 4])) -> Hold<L> {
        Hold {
            v_a,
            v_b,
            n: two(w, &block.now.axis),
            a: two(w, &block.now.a),
            b: two(w, &block.now.b),
            m_a: two(w, &block.start.inv_mass_a),
            m_b: two(w, &block.start.inv_mass_b),
            i_a: w.read(&block.now.inv_inertia_a),
            i_b: w.read(&block.now.inv_inertia_b),
        }
    }

    /// With other inverse inertias.
    #[inline(always)]
    pub(super) fn with_inertias(self, (i_a, i_b): (L, L)) -> Hold<L> {
        Hold { i_a, i_b, ..self }
    }

    #[inline(always)]
    pub(super) fn store<W: Width<L = L>>(&self, w: W, block: &Block, velocity: &mut [[f32; 4]]) {
        w.scatter(velocity, &block.row_a, self.v_a);
        w.scatter(velocity, &block.row_b, self.v_b);
    }

    /// v_b - v_a in the axes of the joint.
    #[inline(always)]
    fn parting(&self) -> [L; 2] {
        let (x, y) = (self.v_b[0] - self.v_a[0], self.v_b[1] - self.v_a[1]);
        [self.n[0] * x + self.n[1] * y, self.n[0] * y - self.n[1] * x]
    }

    /// The speeds of the three numbers.
    #[inline(always)]
    pub(super) fn speeds(&self) -> [L; 3] {
        let [along, across] = self.parting();
        let (w_a, w_b) = (self.v_a[2], self.v_b[2]);
        [along + (self.a[1] * w_a - self.b[1] * w_b), across + (self.b[0] * w_b - self.a[0] * w_a), w_b - w_a]
    }

    /// What impulses along the three numbers do.
    #[inline(always)]
    pub(super) fn push(&mut self, impulse: [L; 3]) {
        let [along, across, turn] = impulse;
        let p = [self.n[0] * along - self.n[1] * across, self.n[1] * along + self.n[0] * across];
        for (k, p) in p.into_iter().enumerate() {
            self.v_a[k] = self.v_a[k] - self.m_a[k] * p;
            self.v_b[k] = self.v_b[k] + self.m_b[k] * p;
        }
        self.v_a[2] = self.v_a[2] + self.i_a * (self.a[1] * along - self.a[0] * across - turn);
        self.v_b[2] = self.v_b[2] + self.i_b * (self.b[0] * across - self.b[1] * along + turn);
    }

    /// What impulses along and across alone do.
    #[inline(always)]
    fn push_point(&mut self, [along, across]: [L; 2]) {
        let p = [self.n[0] * along - self.n[1] * across, self.n[1] * along + self.n[0] * across];
        for (k, p) in p.into_iter().enumerate() {
            self.v_a[k] = self.v_a[k] - self.m_a[k] * p;
            self.v_b[k] = self.v_b[k] + self.m_b[k] * p;
        }
        self.v_a[2] = self.v_a[2] + self.i_a * (self.a[1] * along - self.a[0] * across);
        self.v_b[2] = self.v_b[2] + self.i_b * (self.b[0] * across - self.b[1] * along);
    }

    /// What along and across will be after the sub-step, beyond c + h u: bodies turn while they move, and so does the axis.
    #[inline(always)]
    fn bend<W: Width<L = L>>(&self, w: W, block: &Block, h: f32) -> [L; 2] {
        let h = w.splat(h);
        let (turn_a, turn_b) = (small_turn(w, h * self.v_a[2]), small_turn(w, h * self.v_b[2]));
        let [along, across] = self.parting();
        let (way, b) = ([h * along, h * across], self.b);
        // (R_b - 1) b, and what of it is not φ_b b⊥
        let round = turn_b.less_linear(b);
        let turned = [round[0] - turn_b.angle * b[1], round[1] + turn_b.angle * b[0]];
        let moved = [way[0] + turned[0], way[1] + turned[1]];
        if block.form.line() {
            let c = w.read(&block.now.value[0]);
            let arm = [self.a[0] - c, self.a[1]];
            let of_a = turn_a.less_linear(arm);
            let turned_a = [of_a[0] - turn_a.angle * arm[1], of_a[1] + turn_a.angle * arm[0]];
            let off = moved[1] - turned_a[1];
            let along = c + (moved[0] - turned_a[0]);
            let length = (along * along + off * off).sqrt();
            // |d'| - d'·n, without taking the difference of like numbers
            let has_line = w.splat(1.0e-3).lt(along);
            let longer = off * off / W::L::select(has_line, length + along, w.splat(1.0));
            let longer = W::L::select(has_line, longer, w.splat(0.0));
            return [longer + (round[0] - of_a[0]), w.splat(0.0)];
        }
        // Seen from A, which turns: (R_a⁻¹ - 1) of the arm to where B's anchor will be.
        let back = turn_a.back();
        let reach = [self.a[0] + moved[0], self.a[1] + moved[1]];
        let seen = back.less_linear(reach);
        [round[0] + seen[0] - back.angle * moved[1], round[1] + seen[1] + back.angle * moved[0]]
    }

    /// The speeds that the held numbers have too much, with `rate` the share of their gaps that is to be closed.
    #[inline(always)]
    fn excess<W: Width<L = L>>(&self, w: W, block: &Block, half: Half, law: &Law, rate: f32) -> [L; 3] {
        let mut speed = self.speeds();
        if half == Half::After {
            return speed;
        }
        let (most, close) = (w.splat(law.max_push), w.splat(rate * law.inv_h));
        let mut closing = [w.splat(0.0); 3];
        for (k, closing) in closing.iter_mut().enumerate() {
            if block.form.holds(k) {
                *closing = (w.read(&block.now.value[k]) - w.read(&block.seat.goal[k])) * close;
            }
        }
        // Along and across are one way: its direction is kept.
        let fast = (closing[0] * closing[0] + closing[1] * closing[1]).sqrt();
        let scale = L::select(most.lt(fast), most / fast, w.splat(1.0));
        speed[0] = speed[0] + closing[0] * scale;
        speed[1] = speed[1] + closing[1] * scale;
        speed[2] = speed[2] + closing[2].smaller(most).larger(-most);
        speed
    }

    /// The same, foreseeing where the anchors will be.
    #[inline(always)]
    pub(super) fn excess_foreseen<W: Width<L = L>>(
        &self,
        w: W,
        block: &Block,
        half: Half,
        law: &Law,
    ) -> [L; 3] {
        let mut speed = self.excess(w, block, half, law, 1.0);
        if half == Half::Before {
            let bend = self.bend(w, block, law.h);
            let inv_h = w.splat(law.inv_h) * foreseen(w, (self.v_a[2], self.v_b[2]), law.h);
            speed[0] = speed[0] + inv_h * bend[0];
            speed[1] = speed[1] + inv_h * bend[1];
        }
        speed
    }
}

/// Adds the impulses that the same half of the sub-step before ended with. Where trees are solved directly only those of the
/// drives, with what the joint answers to them: the rest is found anew.
#[inline(always)]
pub(crate) fn warm_start<W: Width>(
    w: W,
    block: &mut Block,
    drives: Option<&Drives>,
    velocity: &mut [[f32; 4]],
    (half, direct): (Half, bool),
) {
    let mut hold = Hold::load(w, block, velocity);
    let zero = w.splat(0.0);
    let mut sum = [zero; 3];
    for (k, sum) in sum.iter_mut().enumerate() {
        let held = &mut block.held[half as usize][k];
        if direct {
            w.write(held, zero);
        } else if block.form.holds(k) {
            *sum = w.read(held);
        }
    }
    for (k, driven) in drives.into_iter().flatten().enumerate() {
        let mut driving = zero;
        for by in [SERVO, MOTOR, LIMITS] {
            // Limits of trees are solved with what is held.
            if block.form.drives(k, by) && !(direct && by == LIMITS) {
                driving = driving + w.read(&driven.impulse[half as usize][by]);
            }
        }
        if direct {
            let answer = answer(w, block, k);
            push_along(w, (block, half), &mut hold, (k, &answer), driving);
        } else {
            sum[k] = sum[k] + driving;
        }
    }
    if !direct {
        hold.push(sum);
    }
    hold.store(w, block, velocity);
}

/// One push at everything that a block drives and, unless that is done directly, holds.
#[inline(always)]
pub(crate) fn push<W: Width>(
    w: W,
    block: &mut Block,
    drives: Option<&mut Drives>,
    velocity: &mut [[f32; 4]],
    (half, law, direct): (Half, &Law, bool),
) {
    let mut hold = Hold::load(w, block, velocity);
    if let Some(drives) = drives {
        if block.form.round() {
            push_round(w, block, drives, &mut hold, (half, law));
            push_driven(w, (block, 2), &mut drives[2], &mut hold, (half, law, direct));
        } else {
            for number in [2, 1, 0] {
                push_driven(w, (block, number), &mut drives[number], &mut hold, (half, law, direct));
            }
        }
    }
    if !direct {
        push_held(w, block, &mut hold, half, law);
    }
    hold.store(w, block, velocity);
}

/// What holds: the angle first, then the point, or one way of it.
///
/// Before the bodies move it yields a little to what it bears, as contacts do: what a net has wound itself up to runs down again.
#[inline(always)]
fn push_held<W: Width>(w: W, block: &mut Block, hold: &mut Hold<W::L>, half: Half, law: &Law) {
    let zero = w.splat(0.0);
    let side = half as usize;
    let leak = w.splat(if half == Half::Before { law.leak } else { 0.0 });
    let keep = w.splat(1.0) - leak;
    if block.form.holds(2) {
        let excess = hold.excess(w, block, half, law, law.rate)[2];
        let before = w.read(&block.held[side][2]);
        let impulse = -(keep * excess * inverse(w, w.read(&block.now.k[2]))) - leak * before;
        w.write(&mut block.held[side][2], before + impulse);
        hold.push([zero, zero, impulse]);
    }
    match (block.form.holds(0), block.form.holds(1)) {
        (true, true) => {
            let excess = hold.excess(w, block, half, law, law.rate);
            let (k_00, k_11, k_01) =
                (w.read(&block.now.k[0]), w.read(&block.now.k[1]), w.read(&block.now.k_cross[0]));
            let before = [w.read(&block.held[side][0]), w.read(&block.held[side][1])];
            let found = solve_two(w, [k_00, k_01, k_11], [excess[0], excess[1]]);
            let along = -(keep * found[0]) - leak * before[0];
            let across = -(keep * found[1]) - leak * before[1];
            w.write(&mut block.held[side][0], before[0] + along);
            w.write(&mut block.held[side][1], before[1] + across);
            hold.push_point([along, across]);
        }
        (false, false) => {}
        (along, _) => {
            let k = if along { 0 } else { 1 };
            let excess = hold.excess(w, block, half, law, law.rate)[k];
            let before = w.read(&block.held[side][k]);
            let impulse = -(keep * excess * inverse(w, w.read(&block.now.k[k]))) - leak * before;
            w.write(&mut block.held[side][k], before + impulse);
            hold.push_point(if along { [impulse, zero] } else { [zero, impulse] });
        }
    }
}

/// How a number answers a push when what the joint holds answers too: one over its mass, and what passes along the others for
/// each unit of the push.
///
/// A rod on a hinge turns about the hinge, not about its middle: k = K_dd - K_dh K_hh⁻¹ K_hd over the held numbers h.
struct Answer<L> {
    k: L,
    push: [L; 3],
}

#[inline(always)]
fn answer<W: Width>(w: W, block: &Block, number: usize) -> Answer<W::L> {
    let now = &block.now;
    let own = w.read(&now.k[number]);
    let mut push = only(w, number, w.splat(1.0));
    // K between this number and another: [0 1], [0 2], [1 2].
    let cross = |other: usize| w.read(&now.k_cross[number + other - 1]);
    let (first, second) = match number {
        0 => (1, 2),
        1 => (0, 2),
        _ => (0, 1),
    };
    match (block.form.holds(first), block.form.holds(second)) {
        (false, false) => Answer { k: own, push },
        (true, true) => {
            let (k_11, k_22) = (w.read(&now.k[first]), w.read(&now.k[second]));
            let k_12 = w.read(&now.k_cross[first + second - 1]);
            let (d_1, d_2) = (cross(first), cross(second));
            let [p_1, p_2] = solve_two(w, [k_11, k_12, k_22], [d_1, d_2]);
            (push[first], push[second]) = (-p_1, -p_2);
            let k = own + d_1 * push[first] + d_2 * push[second];
            Answer { k: k.larger(own * w.splat(LEAST_ANSWER)), push }
        }
        (one, _) => {
            let held = if one { first } else { second };
            let d = cross(held);
            push[held] = -(d * inverse(w, w.read(&now.k[held])));
            Answer { k: (own + d * push[held]).larger(own * w.splat(LEAST_ANSWER)), push }
        }
    }
}

impl<L: Lane> Answer<L> {
    /// The speed of the number once what is held is held: push·u, for K is symmetric. Gravity does not turn a rod on a hinge, but the
    /// hinge will.
    #[inline(always)]
    fn speed(&self, hold: &Hold<L>) -> L {
        let u = hold.speeds();
        self.push[0] * u[0] + self.push[1] * u[1] + self.push[2] * u[2]
    }
}

/// Least share that is left of one over a mass when others are held: below it only rounding is left.
const LEAST_ANSWER: f32 = 1.0e-4;

/// Pushes along one number, and along what the joint holds as that answers.
#[inline(always)]
fn push_along<W: Width>(
    w: W,
    (block, half): (&mut Block, Half),
    hold: &mut Hold<W::L>,
    (number, answer): (usize, &Answer<W::L>),
    impulse: W::L,
) {
    let mut pushes = answer.push;
    for (k, push) in pushes.iter_mut().enumerate() {
        *push = *push * impulse;
        if block.form.holds(k) && k != number {
            let held = &mut block.held[half as usize][k];
            let sum = w.read(held) + *push;
            w.write(held, sum);
        }
    }
    hold.push(pushes);
}

/// Servo, motor and limits of one number, in this order: what limits say stands.
#[inline(always)]
fn push_driven<W: Width>(
    w: W,
    (block, number): (&mut Block, usize),
    driven: &mut Driven,
    hold: &mut Hold<W::L>,
    (half, law, direct): (Half, &Law, bool),
) {
    let form = block.form;
    if !(form.drives(number, SERVO) || form.drives(number, MOTOR) || form.drives(number, LIMITS)) {
        return;
    }
    let answer = answer(w, block, number);
    let mass = inverse(w, answer.k);
    let half_h = w.splat(0.5 * law.h);
    let side = half as usize;
    if form.drives(number, SERVO) {
        let (share, pull) = (w.read(&driven.share), w.read(&driven.pull));
        let off = w.read(&block.now.value[number]) - w.read(&driven.target);
        let before = w.read(&driven.impulse[side][SERVO]);
        // λ = -mass (share u + pull off), with u the speed without λ; see joint/spring.rs.
        let wanted = share * before - mass * (share * answer.speed(hold) + pull * off);
        let after = wanted.larger(w.read(&driven.least) * half_h).smaller(w.read(&driven.most) * half_h);
        w.write(&mut driven.impulse[side][SERVO], after);
        push_along(w, (block, half), hold, (number, &answer), after - before);
    }
    if form.drives(number, MOTOR) {
        let before = w.read(&driven.impulse[side][MOTOR]);
        let most = w.read(&driven.max) * half_h;
        let wanted = before - mass * (answer.speed(hold) - w.read(&driven.speed));
        let after = wanted.larger(-most).smaller(most);
        w.write(&mut driven.impulse[side][MOTOR], after);
        push_along(w, (block, half), hold, (number, &answer), after - before);
    }
    if form.drives(number, LIMITS) && !direct {
        let before = w.read(&driven.impulse[side][LIMITS]);
        // The speed without the impulse, brought between the two.
        let free = answer.speed(hold) - answer.k * before;
        let (least, greatest) = room(w, w.read(&block.now.value[number]), driven, (half, law));
        let after = mass * (free.larger(least).smaller(greatest) - free);
        let after = if half == Half::After { both_push(w, driven, after) } else { after };
        w.write(&mut driven.impulse[side][LIMITS], after);
        push_along(w, (block, half), hold, (number, &answer), after - before);
    }
}

/// How fast a number may go one way and the other. Before bodies move, room on either side may be used up, and what is beyond is
/// brought back; after that, only what was needed before goes on.
#[inline(always)]
fn room<W: Width>(w: W, value: W::L, driven: &Driven, (half, law): (Half, &Law)) -> (W::L, W::L) {
    let (zero, endless) = (w.splat(0.0), w.splat(f32::INFINITY));
    if half == Half::After {
        let before = w.read(&driven.impulse[0][LIMITS]);
        let least = W::L::select(zero.lt(before), zero, -endless);
        return (least, W::L::select(before.lt(zero), zero, endless));
    }
    let (low, high) = (w.read(&driven.lower) - value, w.read(&driven.upper) - value);
    let (rate, inv_h, most) = (w.splat(law.rate * law.inv_h), w.splat(law.inv_h), w.splat(law.max_push));
    let least = W::L::select(zero.lt(low), (low * rate).smaller(most), low * inv_h);
    (least, W::L::select(high.lt(zero), (high * rate).larger(-most), high * inv_h))
}

/// The impulse of limits after the bodies moved: with that of before it does not pull, and without one it is none.
#[inline(always)]
fn both_push<W: Width>(w: W, driven: &Driven, after: W::L) -> W::L {
    let (zero, before) = (w.splat(0.0), w.read(&driven.impulse[0][LIMITS]));
    let after = W::L::select(zero.lt(before), after.larger(-before), after);
    let after = W::L::select(before.lt(zero), after.smaller(-before), after);
    W::L::select(before.eq(zero), zero, after)
}

/// Servo or motor along and across, which share one strength.
#[inline(always)]
fn push_round<W: Width>(
    w: W,
    block: &Block,
    drives: &mut Drives,
    hold: &mut Hold<W::L>,
    (half, law): (Half, &Law),
) {
    let side = half as usize;
    let half_h = w.splat(0.5 * law.h);
    for by in [SERVO, MOTOR] {
        if !block.form.drives(0, by) {
            continue;
        }
        let speed = hold.speeds();
        let (k_00, k_11, k_01) =
            (w.read(&block.now.k[0]), w.read(&block.now.k[1]), w.read(&block.now.k_cross[0]));
        let (mut before, mut excess) = ([w.splat(0.0); 2], [w.splat(0.0); 2]);
        let mut keep = w.splat(1.0);
        for k in 0..2 {
            let driven = &drives[k];
            before[k] = w.read(&driven.impulse[side][by]);
            excess[k] = if by == SERVO {
                let (share, pull) = (w.read(&driven.share), w.read(&driven.pull));
                keep = share;
                share * speed[k] + pull * (w.read(&block.now.value[k]) - w.read(&driven.target))
            } else {
                speed[k] - w.read(&driven.speed)
            };
        }
        let found = solve_two(w, [k_00, k_01, k_11], excess);
        let mut wanted = [keep * before[0] - found[0], keep * before[1] - found[1]];
        let most = (if by == SERVO { w.read(&drives[0].most) } else { w.read(&drives[0].max) }) * half_h;
        let length = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt();
        let shorter = W::L::select(most.lt(length), most / length, w.splat(1.0));
        for k in 0..2 {
            let after = wanted[k] * shorter;
            w.write(&mut drives[k].impulse[side][by], after);
            wanted[k] = after - before[k];
        }
        hold.push_point(wanted);
    }
}

/// Adds up what the joint did in this sub-step.
#[inline(always)]
pub(crate) fn count<W: Width>(w: W, block: &mut Block, drives: Option<&Drives>) {
    for k in 0..3 {
        let mut sum = w.read(&block.total[k]);
        if block.form.holds(k) {
            sum = sum + (w.read(&block.held[0][k]) + w.read(&block.held[1][k]));
        }
        if let Some(drives) = drives {
            for by in [SERVO, MOTOR, LIMITS] {
                if block.form.drives(k, by) {
                    let [before, after] = &drives[k].impulse;
                    sum = sum + (w.read(&before[by]) + w.read(&after[by]));
                }
            }
        }
        w.write(&mut block.total[k], sum);
    }
}

/// A turn by a small angle, as what it adds to a vector: (cos φ - 1) v + (sin φ) v⊥.
struct SmallTurn<L> {
    angle: L,
    /// 1 - cos φ
    versine: L,
    /// sin φ - φ
    lag: L,
}

/// Greatest angle that is foreseen, in radians: bodies do not turn further in a sub-step.
const MOST: f32 = 1.0;

#[inline(always)]
fn small_turn<W: Width>(w: W, angle: W::L) -> SmallTurn<W::L> {
    let angle = angle.smaller(w.splat(MOST)).larger(w.splat(-MOST));
    let (one, u) = (w.splat(1.0), angle * angle);
    let cos_series =
        one - u * w.splat(1.0 / 12.0) * (one - u * w.splat(1.0 / 30.0) * (one - u * w.splat(1.0 / 56.0)));
    let sin_series =
        one - u * w.splat(1.0 / 20.0) * (one - u * w.splat(1.0 / 42.0) * (one - u * w.splat(1.0 / 72.0)));
    SmallTurn {
        angle,
        versine: u * w.splat(0.5) * cos_series,
        lag: -(angle * u * w.splat(1.0 / 6.0) * sin_series),
    }
}

/// Share of a bend that is taken into account: all of it while bodies turn less than [`SURE`] in a sub-step, nothing from twice
/// that on.
///
/// Where a slack chain snaps tight there may be no push along the axes of now that puts everything in its place, and looking for one
/// throws the links about. Without the bend a push only ever takes energy.
#[inline(always)]
fn foreseen<W: Width>(w: W, (w_a, w_b): (W::L, W::L), h: f32) -> W::L {
    let turn = w_a.abs().larger(w_b.abs()) * w.splat(h / SURE);
    (w.splat(2.0) - turn).smaller(w.splat(1.0)).larger(w.splat(0.0))
}

/// See [`foreseen`]; in radians.
const SURE: f32 = 0.1;

impl<L: Lane> SmallTurn<L> {
    /// What the turn adds to v beyond φ v⊥.
    #[inline(always)]
    fn less_linear(&self, v: [L; 2]) -> [L; 2] {
        [-(self.versine * v[0]) - self.lag * v[1], self.lag * v[0] - self.versine * v[1]]
    }

    /// The turn the other way round.
    #[inline(always)]
    fn back(&self) -> SmallTurn<L> {
        SmallTurn { angle: -self.angle, versine: self.versine, lag: -self.lag }
    }
}

/// An impulse along one number.
#[inline(always)]
fn only<W: Width>(w: W, number: usize, impulse: W::L) -> [W::L; 3] {
    let mut row = [w.splat(0.0); 3];
    row[number] = impulse;
    row
}

#[inline(always)]
fn two<W: Width>(w: W, columns: &[Column; 2]) -> [W::L; 2] {
    [w.read(&columns[0]), w.read(&columns[1])]
}

/// x with K x = y for two rows, K = [00 01; 01 11], by L D Lᵀ: products of two of its numbers may be beyond all floats. A row that only
/// repeats the other one adds nothing.
#[inline(always)]
fn solve_two<W: Width>(w: W, [k_00, k_01, k_11]: [W::L; 3], [y_0, y_1]: [W::L; 2]) -> [W::L; 2] {
    let d_0 = inverse(w, k_00);
    let l = k_01 * d_0;
    let left = k_11 - l * k_01;
    let d_1 = W::L::select((k_11 * w.splat(NO_ROW)).lt(left), inverse(w, left), w.splat(0.0));
    let x_1 = (y_1 - l * y_0) * d_1;
    [y_0 * d_0 - l * x_1, x_1]
}

/// Share of a row below which only rounding is left of it.
const NO_ROW: f32 = 1.0e-6;

/// One over a mass that may be that of nothing: nothing then, and also where the quotient would overflow.
#[inline(always)]
pub(super) fn inverse<W: Width>(w: W, x: W::L) -> W::L {
    let zero = w.splat(0.0);
    W::L::select(w.splat(LEAST_INVERTED).lt(x), w.splat(1.0) / x, zero)
}

/// See [`inverse`]: a product of two inverse inertias of the heaviest bodies is more than that.
const LEAST_INVERTED: f32 = 1.0e-37;
