//! Tests of closed forms against an integration that shares no code with them, and of every way in
//! which a battle may not end.

use super::*;
use crate::random::Random;

impl Random {
    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A random number: often 0, often a multiple of a quarter of `high`.
    fn any(&mut self, high: f64) -> f64 {
        match self.bits() % 4 {
            0 => 0.0,
            1 => (self.range(0.0, 4.0).floor() + 1.0) * high / 4.0,
            _ => self.range(0.0, high),
        }
    }
}

const ROUNDS: usize = if cfg!(debug_assertions) { 300 } else { 3_000 };

/// The right sides of the third law and of the first two, written independently.
fn slope(war: &War, [x, y]: [f64; 2]) -> [f64; 2] {
    let [h, w] = war.attrition;
    let [u, v] = war.reinforcement;
    let [a, b] = war.fire;
    match war.law {
        Law::Aimed => [-a * y - h * x + u, -b * x - w * y + v],
        Law::Area => [-a * x * y - h * x + u, -b * x * y - w * y + v],
    }
}

/// Runge and Kutta's fourth order in many equal steps.
fn fine(war: &War, time: f64, steps: usize) -> [f64; 2] {
    let h = time / steps as f64;
    let mut at = war.start;
    for _ in 0..steps {
        let go = |k: [f64; 2], s: f64| [at[0] + k[0] * s, at[1] + k[1] * s];
        let k1 = slope(war, at);
        let k2 = slope(war, go(k1, h / 2.0));
        let k3 = slope(war, go(k2, h / 2.0));
        let k4 = slope(war, go(k3, h));
        at = [0, 1].map(|i| at[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    at
}

fn near(ours: [f64; 2], theirs: [f64; 2], tolerance: f64, what: &dyn fmt::Debug) {
    for k in 0..2 {
        assert!((ours[k] - theirs[k]).abs() <= tolerance, "{ours:?} against {theirs:?}: {what:?}");
    }
}

fn end_of(war: War) -> End {
    war.end().expect("valid").unwrap_or_else(|| panic!("{war:?} ends"))
}

/// L1: the text's numbers, and a constant b x^2 - a y^2 over the whole battle.
#[test]
fn the_square_law_keeps_its_constant() {
    let war = War::aimed(0.03, 0.02).from(100.0, 70.0);
    let end = end_of(war);
    assert!((end.time - 52.384).abs() < 5e-4 && (end.left[0] - 51.478).abs() < 5e-4, "{end:?}");
    assert_eq!((end.left[1], end.winner()), (0.0, Some(0)));
    let constant = |[x, y]: [f64; 2]| 0.02 * x * x - 0.03 * y * y;
    for step in 0..=1_000 {
        let at = war.at(end.time * f64::from(step) / 1_000.0).expect("valid");
        assert!((constant(at) - constant(war.start)).abs() < 1e-9 * constant(war.start), "{at:?}");
    }
    // The battle stops: no strength goes below zero, and the winner loses no more.
    assert_eq!(war.at(1e6), Ok(end.left));
    assert_eq!(war.at(f64::INFINITY), Err(WarError::BadTime));
    // Exchanging the sides exchanges the answer, bit for bit.
    let turned = end_of(War::aimed(0.02, 0.03).from(70.0, 100.0));
    assert_eq!((turned.time, turned.left), (end.time, [end.left[1], end.left[0]]));
}

/// L1 and L2: strengths at any time are within 10^-9 of an integration in 4,000 steps; the end is
/// where the integration passes the level.
#[test]
fn aimed_fire_is_what_integration_says() {
    let mut random = Random(1);
    let (mut ended, mut both) = (0, 0);
    for round in 0..ROUNDS {
        let war = War::aimed(random.any(0.2), random.any(0.2))
            .attrition(random.any(0.2), random.any(0.2))
            .reinforced(random.any(3.0), random.any(3.0))
            .from(random.range(1.0, 100.0), random.range(1.0, 100.0))
            .breaking(random.any(0.5), random.any(0.5));
        let end = war.end().expect("valid");
        let until = end.map_or(40.0, |end| end.time);
        let until = if until < 40.0 { until } else { 40.0 };
        for part in [0.1, 0.5, 1.0] {
            let theirs = fine(&war, until * part, 2_000);
            near(war.at(until * part).expect("valid"), theirs, 1e-9 * 200.0, &(round, war));
        }
        let Some(end) = end else { continue };
        ended += 1;
        both += usize::from(end.winner().is_none());
        if end.time > 200.0 {
            continue;
        }
        // Before the end both strengths are above their levels, and at the end one is not.
        for part in 1..50 {
            let at = fine(&war, end.time * f64::from(part) / 50.0, 1_000);
            assert!((0..2).all(|k| at[k] > war.breaks[k] - 1e-7), "beaten before its end: {war:?} {end:?}");
        }
        let loser = usize::from(end.beaten[1]);
        assert!(end.left[loser] == war.breaks[loser] || end.time == 0.0);
        near(end.left, fine(&war, end.time, 4_000), 1e-6, &(round, war, end));
    }
    assert!(ended > ROUNDS / 3 && both < ROUNDS / 10, "{ended} of {ROUNDS} ended, {both} without a winner");
}

/// A battle declared endless does not end, for a very long time.
#[test]
fn what_never_ends_does_not() {
    let mut random = Random(2);
    let mut never = 0;
    for _ in 0..ROUNDS {
        let war = War::aimed(random.any(0.1), random.any(0.1))
            .attrition(random.any(0.3), random.any(0.3))
            .reinforced(random.any(3.0), random.any(3.0))
            .from(random.range(1.0, 20.0), random.range(1.0, 20.0));
        if war.end() != Ok(None) {
            continue;
        }
        never += 1;
        let at = fine(&war, 300.0, 6_000);
        assert!(at.iter().all(|&strength| strength > -1e-6), "{war:?} comes to {at:?}");
        near(war.at(300.0).expect("valid"), at, 1e-6 * (1.0 + at[0] + at[1]), &war);
    }
    assert!(never > ROUNDS / 20, "{never}");
}

/// L2: without attrition and reinforcements the second law equals the first; with numbers like the
/// text's it agrees with Runge and Kutta.
#[test]
fn the_second_law_contains_the_first() {
    let first = War::aimed(0.03, 0.02).from(100.0, 70.0);
    let almost = first.attrition(1e-13, 1e-13);
    let (one, two) = (end_of(first), end_of(almost));
    assert!((one.time - two.time).abs() < 1e-8 && (one.left[0] - two.left[0]).abs() < 1e-8);
    let second = first.attrition(0.01, 0.02).reinforced(1.2, 0.7);
    for time in [1.0, 10.0, 30.0] {
        near(second.at(time).expect("valid"), fine(&second, time, 20_000), 1e-10, &time);
    }
}

/// Stiff: attrition times time is a million, and the answer is the equilibrium.
#[test]
fn great_rates_come_to_the_equilibrium() {
    let war = War::aimed(0.001, 0.001).attrition(1e6, 2e6).reinforced(1e6, 1e6).from(5.0, 5.0);
    near(war.at(1.0).expect("valid"), [1.0, 0.5], 1e-6, &war);
    assert_eq!(war.end(), Ok(None));
    near(war.at(1e12).expect("valid"), [1.0, 0.5], 1e-6, &war);
}

/// L3: the linear law, d x - c y constant; the closed form and the integration agree with it.
#[test]
fn area_fire_keeps_its_constant() {
    let war = War::area(0.004, 0.003).from(60.0, 40.0).breaking(0.0, 1.0);
    let end = end_of(war);
    assert_eq!(end.winner(), Some(0));
    for step in 0..=100 {
        let time = end.time * f64::from(step) / 100.0;
        let [x, y] = war.at(time).expect("valid");
        assert!((0.003 * x - 0.004 * y - (0.18 - 0.16)).abs() < 1e-12, "{x} {y}");
        near([x, y], fine(&war, time, 20_000), 1e-9, &time);
    }
    // With a hint of attrition the battle is integrated instead, and the result is the same.
    let integrated = end_of(war.attrition(1e-14, 1e-14));
    assert!((integrated.time - end.time).abs() < 1e-6 * end.time, "{integrated:?} {end:?}");
    near(integrated.left, end.left, 1e-8, &war);
    // To the last unit it never ends: fewer units are harder to hit.
    assert_eq!(war.breaking(0.0, 0.0).end(), Ok(None));
    // Equal sides, D = 0: x0 / (1 + d x0 t).
    let equal = War::area(0.01, 0.01).from(10.0, 10.0).breaking(5.0, 5.0);
    let end = end_of(equal);
    assert_eq!((end.beaten, end.left), ([true, true], [5.0, 5.0]));
    assert!((end.time - 10.0).abs() < 1e-12, "{end:?}");
}

/// L3 in general, within 10^-9; the last term of the second line is v, the second side's
/// reinforcement.
#[test]
fn area_fire_is_what_integration_says() {
    let mut random = Random(3);
    let mut ended = 0;
    for round in 0..ROUNDS / 10 {
        let war = War::area(random.any(0.02), random.any(0.02))
            .attrition(random.any(0.1), random.any(0.1))
            .reinforced(random.any(2.0), random.any(2.0))
            .from(random.range(1.0, 50.0), random.range(1.0, 50.0))
            .breaking(random.any(2.0), random.any(2.0));
        let end = war.end().expect("valid");
        let until = end.map_or(30.0, |end| if end.time < 30.0 { end.time } else { 30.0 });
        near(war.at(until).expect("valid"), fine(&war, until, 8_000), 1e-9 * 50.0, &(round, war, end));
        if let Some(end) = end {
            ended += 1;
            assert!((0..2).any(|k| end.beaten[k]));
            if end.time < 300.0 {
                near(end.left, fine(&war, end.time, 20_000), 1e-6, &(round, war, end));
            }
        }
    }
    assert!(ended > ROUNDS / 30, "{ended}");
    let only_v = War::area(0.0, 0.0).reinforced(0.0, 2.0).from(1.0, 1.0);
    near(only_v.at(3.0).expect("valid"), [1.0, 7.0], 1e-9, &only_v);
}

/// The first time at which a side is below its level, in steps of 0.01 up to 300; and the greatest
/// depth below, so that a strength that only touches the level does not count.
fn first_below(war: &War) -> (Option<f64>, f64) {
    const STEP: f64 = 0.01;
    let (mut at, mut found, mut depth) = (war.start, None, f64::NEG_INFINITY);
    for step in 1..=30_000 {
        at = fine(&War { start: at, ..*war }, STEP, 1);
        let below = [0, 1].map(|k| if war.breaks[k] > 0.0 { war.breaks[k] - at[k] } else { -1.0 });
        let most = if below[0] > below[1] { below[0] } else { below[1] };
        depth = if most > depth { most } else { depth };
        if most > 0.0 {
            found = found.or(Some(STEP * f64::from(step)));
        }
        if most > 1e-6 {
            break;
        }
    }
    (found, depth)
}

/// Area fire ends when a small integrator finds an end, and not when it finds none. Both sides grew
/// at first in one of four battles with reinforcements that were wrongly declared endless.
#[test]
fn area_fire_with_reinforcements_ends() {
    let example = War::area(0.01, 0.01).from(10.0, 10.0).reinforced(2.0, 5.0).breaking(3.0, 3.0);
    assert!((end_of(example).time - 22.8).abs() < 0.1, "{:?}", example.end());
    let mut random = Random(6);
    let (mut ended, mut never) = (0, 0);
    for round in 0..ROUNDS / 3 {
        let start = [random.range(1.0, 50.0), random.range(1.0, 50.0)];
        let war = War::area(random.any(0.04), random.any(0.04))
            .attrition(random.any(0.1), random.any(0.1))
            .reinforced(random.any(8.0), random.any(8.0))
            .from(start[0], start[1])
            .breaking(random.any(0.9) * start[0], random.any(0.9) * start[1]);
        let (theirs, depth) = first_below(&war);
        if depth.abs() < 1e-5 {
            continue;
        }
        let ours = war.end().expect("valid").map(|end| end.time).filter(|time| *time < 299.0);
        match (ours, theirs.filter(|time| *time < 299.0)) {
            (Some(ours), Some(theirs)) => {
                assert!((ours - theirs).abs() < 0.02, "round {round}: {ours}, not {theirs}: {war:?}");
                ended += 1;
            }
            (None, None) => never += 1,
            (ours, theirs) => panic!("round {round}: {ours:?}, not {theirs:?}: {war:?}"),
        }
    }
    assert!(ended > ROUNDS / 10 && never > ROUNDS / 30, "{ended} end, {never} do not");
}

/// Equal sides melt away together and neither is beaten, though rounding would choose one in the
/// end.
#[test]
fn equal_sides_never_end() {
    let mut random = Random(4);
    for _ in 0..ROUNDS {
        let (p, q) = (random.range(0.01, 2.0), random.range(0.01, 2.0));
        let (x, y) = (random.range(1.0, 1e3), random.range(1.0, 1e3));
        // b x^2 = a y^2.
        let war = War::aimed(p * x * x, p * y * y * (1.0 + 1e-17 * q)).from(x, y);
        assert_eq!(war.end(), Ok(None), "{war:?}");
        let rate = p * x * y;
        let at = war.at(30.0 / rate).expect("valid");
        let share = (-30.0_f64).exp();
        near([at[0] / x, at[1] / y], [share, share], 1e-15, &war);
    }
    // Attrition alike on both sides: also no end.
    let war = War::aimed(0.02, 0.02).attrition(0.1, 0.1).from(50.0, 50.0);
    assert_eq!(war.end(), Ok(None));
    // Both sides are in equilibrium with their reinforcements.
    let still = War::aimed(0.1, 0.2).reinforced(4.0, 2.0).from(10.0, 40.0);
    assert_eq!((still.end(), still.at(1e9)), (Ok(None), Ok([10.0, 40.0])));
}

#[test]
fn nobody_who_shoots_and_nobody_there() {
    assert_eq!(War::aimed(0.0, 0.0).from(3.0, 4.0).end(), Ok(None));
    assert_eq!(War::aimed(0.0, 0.0).from(3.0, 4.0).at(1e300), Ok([3.0, 4.0]));
    // One side shoots, the other cannot.
    let end = end_of(War::aimed(0.0, 0.5).from(2.0, 4.0));
    assert_eq!((end.winner(), end.left), (Some(0), [2.0, 0.0]));
    assert!((end.time - 4.0).abs() < 1e-12);
    // Attrition alone takes shares, so it never ends; down to a tenth it does.
    let ill = War::aimed(0.0, 0.0).attrition(0.5, 0.0).from(10.0, 1.0);
    assert_eq!(ill.end(), Ok(None));
    let end = end_of(ill.breaking(1.0, 0.0));
    assert!((end.time - 10.0_f64.ln() / 0.5).abs() < 1e-12 && end.winner() == Some(1), "{end:?}");
    // No units are beaten, unless reinforcements come.
    let no_units = War::aimed(0.1, 0.1);
    assert_eq!(end_of(no_units).beaten, [true, true]);
    assert_eq!(end_of(no_units.from(1.0, 0.0)).winner(), Some(0));
    let comes = no_units.reinforced(1.0, 1.0).from(0.0, 0.0);
    assert_eq!(comes.end(), Ok(None));
    // The first side is beaten at time 0 already, because it does not grow against an enemy.
    assert_eq!(end_of(War::aimed(0.1, 0.1).reinforced(0.5, 0.0).from(0.0, 50.0)).time, 0.0);
    // The side falls, but reinforcements save it in time: it never reaches zero.
    let relieved = War::aimed(0.1, 0.0).attrition(0.0, 0.5).reinforced(1.0, 0.0).from(30.0, 40.0);
    assert_eq!(relieved.end(), Ok(None));
    // Here the reinforcements come too late.
    assert_eq!(end_of(relieved.from(3.0, 40.0)).winner(), Some(1));
    // Area fire: an empty side is beaten, a growing one is not.
    assert_eq!(end_of(War::area(0.1, 0.1).from(0.0, 5.0)).winner(), Some(1));
    assert_eq!(War::area(0.1, 0.1).reinforced(1.0, 0.0).from(0.0, 5.0).end(), Ok(None));
}

/// A nearly equal battle ends as late as the closed form says.
#[test]
fn near_equal_battles_end_late() {
    let war = War::aimed(1.0, 1.0).from(1.0 + 1e-9, 1.0);
    let end = end_of(war);
    let x = 1.0 + 1e-9;
    assert!((end.time - (1.0_f64 / x).atanh()).abs() < 1e-6, "{end:?}");
    assert!((end.left[0] - ((x - 1.0) * (x + 1.0)).sqrt()).abs() < 1e-12);
}

/// L4: rate, probability and areas; and invalid numbers.
#[test]
fn coefficients_are_rate_times_probability_times_areas() {
    let fire = Fire { rate: 6.0, hit: 0.25, lethal_area: 20.0, target_area: 400.0 };
    assert_eq!(fire.aimed(), Ok(1.5));
    assert!((fire.area().expect("valid") - 0.075).abs() < 1e-16);
    for bad in [
        Fire { rate: -1.0, ..fire },
        Fire { rate: f64::NAN, ..fire },
        Fire { hit: 1.5, ..fire },
        Fire { lethal_area: 0.0, ..fire },
        Fire { target_area: 10.0, ..fire },
        Fire { target_area: f64::INFINITY, ..fire },
    ] {
        assert!(matches!(bad.area(), Err(WarError::BadNumber(_))), "{bad:?}");
    }
}

#[test]
fn what_is_no_number_is_refused() {
    let war = War::aimed(0.1, 0.1).from(10.0, 10.0);
    for bad in [
        War::aimed(f64::NAN, 0.1),
        War::aimed(-0.1, 0.1),
        war.attrition(0.0, f64::INFINITY),
        war.reinforced(1e13, 0.0),
        war.from(-1.0, 1.0),
        war.breaking(0.0, f64::NAN),
    ] {
        assert!(matches!(bad.end(), Err(WarError::BadNumber(_))), "{bad:?}");
        assert!(matches!(bad.at(0.0), Err(WarError::BadNumber(_))), "{bad:?}");
    }
    assert_eq!(war.at(-1.0), Err(WarError::BadTime));
    assert_eq!(war.at(f64::NAN), Err(WarError::BadTime));
    let mut curve = vec![[1.0; 2]];
    assert_eq!(war.sample(&[0.0, f64::NAN], &mut curve), Err(WarError::BadTime));
    assert_eq!(curve, [[1.0; 2]]);
    war.sample(&[0.0, 1.0], &mut curve).expect("valid");
    assert_eq!(curve, [[10.0, 10.0], war.at(1.0).expect("valid")]);
}

/// With any magnitudes answers are numbers, no strength is negative, and an end has a beaten side.
#[test]
fn all_magnitudes_have_an_answer() {
    let mut random = Random(5);
    let mut any = move || match random.bits() % 5 {
        0 => 0.0,
        1 => 1.0,
        _ => 10_f64.powf(random.range(-15.0, 12.0)),
    };
    let mut pair = move || [any(), any()];
    for round in 0..ROUNDS * 3 {
        let law = if round % 8 == 0 { Law::Area } else { Law::Aimed };
        let war = War {
            law,
            fire: pair(),
            attrition: pair(),
            reinforcement: pair(),
            start: pair(),
            breaks: if round % 2 == 0 { [0.0; 2] } else { pair() },
        };
        // Stiff and curved battles take long to integrate.
        if law == Law::Area && (war.attrition, war.reinforcement) != ([0.0; 2], [0.0; 2]) {
            continue;
        }
        let end = war.end().expect("valid");
        if let Some(end) = end {
            assert!(end.time >= 0.0 && end.left.iter().all(|left| *left >= 0.0), "{war:?} {end:?}");
            assert!(end.beaten.contains(&true));
        }
        for time in [0.0, 1e-9, 1.0, 1e9, 1e300] {
            let at = war.at(time).expect("valid");
            assert!(at.iter().all(|strength| *strength >= 0.0), "{war:?} at {time}: {at:?}");
        }
    }
}
