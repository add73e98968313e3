//! Chains and bridges that are solved at once: what hangs on several things, on what moves, and
//! what answers in between.

use super::kinds::{crossings, period};
use super::*;

/// A bridge of eight planks between two posts, once with limits on all its hinges that it never
/// reaches: the same to 1 mm.
#[test]
fn limits_that_are_not_reached_do_nothing() {
    let bridge = |limited: bool| {
        let mut world = earth();
        let planks: Vec<BodyId> = (0..8).map(|k| rod(&mut world, [k as f32 + 0.5, 0.0], 1.0)).collect();
        for k in 0..=8_usize {
            let before = k.checked_sub(1).map(|k| planks[k]);
            let def = match (before, planks.get(k)) {
                (before, Some(&plank)) => JointDef::revolute(before, plank),
                (Some(last), None) => JointDef::revolute(None, last),
                (None, None) => unreachable!("there are planks"),
            };
            let def = def.at([k as f32, 0.0]);
            join(&mut world, if limited { def.limits(-3.0, 3.0) } else { def });
        }
        let mut places = Vec::new();
        for _ in 0..120 {
            step(&mut world);
            places.extend(planks.iter().map(|&plank| world[plank].position()));
        }
        places
    };
    let off = bridge(true).into_iter().zip(bridge(false)).map(|(a, b)| f64::from(a.distance(b)));
    check_range("with limits against without, m", worst(off), ..=1.0e-3);
}

/// A slack chain of ten links snaps tight under its nail, once on the world and once on a platform
/// that goes at 30 m/s: seen from the platform, the middle of the chain is at the same place to 5
/// cm, while it falls, snaps and swings.
#[test]
fn a_chain_on_a_platform_falls_like_one_at_rest() {
    let chain = |speed: f32| {
        let mut world = earth();
        let platform = BodyDef::kinematic().velocity([speed, 0.0]);
        let platform = add(&mut world, platform);
        let (mut before, mut links) = (platform, Vec::new());
        for k in 0..10 {
            // Every other link folded back on the one before.
            let x = if k % 2 == 0 { 0.5 } else { 0.45 };
            let link = rod(&mut world, [x, 0.0], 1.0);
            world.set_velocity(link, [speed, 0.0]).expect("it is there");
            let at = if k % 2 == 0 { [0.0, 0.0] } else { [0.95, 0.0] };
            join(&mut world, JointDef::revolute(before, link).at(at));
            before = link;
            links.push(link);
        }
        let mut middles = Vec::new();
        for _ in 0..120 {
            step(&mut world);
            let ways = links.iter().map(|&link| world[link].position() - world[platform].position());
            middles.push(ways.sum::<Vec2>() / links.len() as f32);
        }
        middles
    };
    let off = chain(0.0).into_iter().zip(chain(30.0)).map(|(a, b)| f64::from(a.distance(b)));
    check_range("riding against still, m", worst(off), ..=0.05);
}

/// A rod that is glued to the world at its end, softly along and across but not in its angle,
/// swings across as it is told: 1 %.
#[test]
fn a_stiff_angle_answers_to_a_soft_point() {
    for hertz in [1.0_f32, 3.0] {
        let mut world = space();
        let rod = rod(&mut world, [0.5, 0.0], 1.0);
        let glue = join(&mut world, JointDef::weld(None, rod).at([0.0, 0.0]).soft(Spring::new(hertz, 0.0)));
        world.set_velocity(rod, [0.0, 1.0]).expect("it is there");
        let times = crossings(&mut world, 600, |world| f64::from(world[rod].position().y));
        check_range(&format!("{hertz} Hz: period"), period(&times) * f64::from(hertz), 0.99..=1.01);
        check_range("twist, rad", state(&world, glue).twist, ..=1.0e-3);
    }
}
