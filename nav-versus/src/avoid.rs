//! Avoidance beside dodgy_2d's: the same neighbours, and the velocity that each chooses.
//!
//! Agents do not touch, share what has to change by halves, and there are no walls; what is left
//! beyond that is all mine, for that is dodgy's rule (carom-nav's own gives each a half of that
//! too). So both solve the same program: the permitted velocity nearest to the wish is one and the
//! same. Where nothing is permitted both look for the least violation, and what counts is how far
//! outside of the half-planes each answer is.

use std::borrow::Cow;

use carom_nav::crowd::avoid::Encounter;
use carom_nav::crowd::program::{HalfPlane, Program, Solution};
use dodgy_2d::{Agent, AvoidanceOptions};
use glam::Vec2;
use testkit::random::Random;

use crate::least;

const HORIZON: f32 = 2.0;
const RADIUS: f32 = 0.3;
const SPEED: f32 = 1.5;
const NEIGHBOURS: usize = 10;

/// One agent at the origin, what it wants, and the others.
struct Throng {
    mine: Vec2,
    wish: Vec2,
    /// Where each is, and its velocity.
    others: Vec<(Vec2, Vec2)>,
}

fn throng(random: &mut Random, count: usize) -> Throng {
    let place =
        |random: &mut Random, most: f32| Vec2::new(random.range(-most, most), random.range(-most, most));
    let (mine, wish) = (place(random, 1.0), place(random, 1.5));
    let mut others = Vec::new();
    while others.len() < count {
        let at = place(random, 4.0);
        if at.length() > 2.02 * RADIUS {
            others.push((at, place(random, 1.0)));
        }
    }
    // The nearest first, as crowds have them.
    others.sort_by(|a, b| a.0.length_squared().total_cmp(&b.0.length_squared()));
    Throng { mine, wish, others }
}

/// Half of what has to change is mine.
fn half(throng: &Throng, (to, theirs): (Vec2, Vec2)) -> Encounter {
    Encounter { to, mine: throng.mine, theirs, radius: 2.0 * RADIUS, horizon: HORIZON, share: 0.5 }
}

/// By dodgy's rule.
fn planes(throng: &Throng, planes: &mut Vec<HalfPlane>) {
    planes.clear();
    planes.extend(throng.others.iter().map(|&other| {
        let half = half(throng, other);
        let plane = half.half_plane();
        // A share of 0 leaves the whole of what is left.
        if plane.violation(throng.mine) < 0.0 { Encounter { share: 0.0, ..half }.half_plane() } else { plane }
    }));
}

/// dodgy's own agents: me, and the others.
fn rivals(throng: &Throng) -> (Agent, Vec<Cow<'static, Agent>>) {
    let turned = |v: Vec2| dodgy_2d::Vec2::new(v.x, v.y);
    let agent = |at: Vec2, velocity: Vec2| Agent {
        position: turned(at),
        velocity: turned(velocity),
        radius: RADIUS,
        avoidance_responsibility: 1.0,
    };
    let others = throng.others.iter().map(|&(at, velocity)| Cow::Owned(agent(at, velocity)));
    (agent(Vec2::ZERO, throng.mine), others.collect())
}

fn rival_velocity((me, others): &(Agent, Vec<Cow<'_, Agent>>), wish: Vec2) -> Vec2 {
    let options =
        AvoidanceOptions { obstacle_margin: 0.0, time_horizon: HORIZON, obstacle_time_horizon: 1.0 };
    let wish = dodgy_2d::Vec2::new(wish.x, wish.y);
    let v = me.compute_avoiding_velocity(others, &[], wish, SPEED, 1.0 / 60.0, &options);
    Vec2::new(v.x, v.y)
}

fn deepest(planes: &[HalfPlane], v: Vec2) -> f32 {
    planes.iter().fold(0.0, |deepest, plane| {
        let depth = plane.violation(v);
        if depth > deepest { depth } else { deepest }
    })
}

pub(crate) fn run(rounds: usize) {
    println!("## Avoidance beside dodgy_2d\n");
    let mut random = Random::new(31);
    let (mut program, mut half_planes) = (Program::default(), Vec::new());
    let (mut permitted, mut other, mut farthest) = (0, 0, 0.0_f32);
    let (mut nothing, mut deeper, mut its_deeper) = (0, 0, 0);
    for round in 0..rounds {
        let throng = throng(&mut random, 1 + round % NEIGHBOURS);
        planes(&throng, &mut half_planes);
        let solution = program.solve(&half_planes, 0, throng.wish, SPEED);
        let (mine, its) = (solution.velocity(), rival_velocity(&rivals(&throng), throng.wish));
        if matches!(solution, Solution::Permitted(_)) {
            permitted += 1;
            let apart = (mine - its).length();
            other += usize::from(apart > 1e-4);
            farthest = if apart > farthest { apart } else { farthest };
        } else {
            nothing += 1;
            let [mine, its] = [mine, its].map(|v| deepest(&half_planes, v));
            deeper += usize::from(mine > its + 1e-3);
            its_deeper += usize::from(its > mine + 1e-3);
        }
    }
    println!(
        "{rounds} agents with 1 to {NEIGHBOURS} others. A velocity was permitted for {permitted}: {other} times \
         the two are more than 1e-4 m/s apart, at most {farthest:.1e}. None was for {nothing}: carom-nav's \
         answer is deeper outside {deeper} times, dodgy's {its_deeper} times.\n"
    );
    let throngs: Vec<Throng> = (0..1_000).map(|_| throng(&mut random, NEIGHBOURS)).collect();
    let (mine, _) = least(50, || {
        throngs.iter().fold(Vec2::ZERO, |sum, throng| {
            half_planes.clear();
            half_planes.extend(throng.others.iter().map(|&other| half(throng, other).half_plane()));
            sum + program.solve(&half_planes, 0, throng.wish, SPEED).velocity()
        })
    });
    let agents: Vec<_> = throngs.iter().map(rivals).collect();
    let (its, _) = least(50, || {
        agents
            .iter()
            .zip(&throngs)
            .fold(Vec2::ZERO, |sum, (agents, throng)| sum + rival_velocity(agents, throng.wish))
    });
    println!("| half-planes and program, {NEIGHBOURS} others | carom-nav | dodgy_2d |\n|---|---|---|");
    println!("| ns an agent | {mine:.0} | {its:.0} |\n");
}
