//! Rays, casts, overlaps and what is nearest, in worlds of a thousand to a million shapes: carom in
//! batches, the others one by one, as each offers it.
//!
//! In: how many shapes, and what they do. Out: a table in Markdown, nanoseconds a question. Discs
//! and boxes of 0.5 to 1 m lie on a square, half of them fixed, none in another; questions come in
//! random order. [`Scene`] has what else they may do.
//!
//! All engines are asked the same round of questions one after the other, round after round, so
//! that they see the same machine. A round is timed in parts, its step if there is one and the
//! questions in slices, and of each part the median over all rounds counts: a busy machine
//! interrupts some parts of each round, and none of them always. Engines must agree on the number
//! of answers but for one in a hundred: a ray that starts in a shape goes on to the next one in
//! Box2D, and hits what it starts in elsewhere.

use carom::math::sin_cos;
use carom::{Vec2, vec2};
use std::ops::Range;
use std::time::Instant;
use testkit::random::Random;
use testkit::scenes::plan::{BodyPlan, Handle, Part, WorldPlan};

use crate::Fallible;
use crate::engines::{Engine, Rival, Way};

const QUESTIONS: usize = 2_000;

/// How many shapes there are, unless that is said.
const COUNTS: [usize; 3] = [1_000, 100_000, 1_000_000];

/// Rounds that count, and those before that do not.
const ROUNDS: usize = 15;
const WARM_UP: usize = 2;

/// Parts of the questions of a round.
const SLICES: usize = 8;

/// How far from a point the nearest shape may be.
const NEAR: f32 = 20.0;

/// The number of answers to some questions; `None` where an engine has no such question.
type Ask<'a> = dyn Fn(&mut dyn Engine, Range<usize>) -> Option<usize> + 'a;

/// What the shapes do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scene {
    /// They lie evenly, and have made one step.
    Spread,
    /// They lie in heaps of a hundred, with fifteen times as much room between the heaps.
    Clusters,
    /// One in two moves; each round of questions comes after a step, and its time counts.
    Moving,
    /// All sleep but one in a hundred, which moves; rounds as of those that move.
    Asleep,
}

impl Scene {
    pub(crate) const ALL: [Scene; 4] = [Scene::Spread, Scene::Clusters, Scene::Moving, Scene::Asleep];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Scene::Spread => "spread",
            Scene::Clusters => "clusters",
            Scene::Moving => "moving",
            Scene::Asleep => "asleep",
        }
    }

    /// How far the numbers of answers may be apart: rays that start in a heap start in a shape more
    /// often.
    fn percent(self) -> usize {
        if self == Scene::Spread { 1 } else { 4 }
    }

    /// Whether each round of questions is of another step.
    fn moves(self) -> bool {
        matches!(self, Scene::Moving | Scene::Asleep)
    }

    /// Steps before the first question.
    fn steps(self) -> usize {
        if self == Scene::Asleep { 60 } else { 1 }
    }
}

/// What is to be measured: everything, where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) count: Option<usize>,
    pub(crate) scene: Option<Scene>,
    /// A part of the name of a question.
    pub(crate) question: Option<String>,
    pub(crate) rounds: Option<usize>,
    /// Whether questions are asked one at a time, and not in batches.
    pub(crate) one_by_one: bool,
}

pub(crate) fn run(choice: &Choice) -> Fallible<()> {
    let counts = choice.count.map_or(COUNTS.to_vec(), |count| vec![count]);
    for scene in Scene::ALL.into_iter().filter(|&it| choice.scene.is_none_or(|wanted| wanted == it)) {
        for &count in &counts {
            table(count, scene, choice)?;
        }
    }
    Ok(())
}

fn worlds(count: usize, reach: f32, scene: Scene) -> Fallible<Vec<Box<dyn Engine>>> {
    let mut worlds = Vec::new();
    for rival in Rival::ALL {
        let mut world = rival.world(&WorldPlan { gravity: Vec2::ZERO, sleep: true, threads: 1 })?;
        let plans = shapes(count, reach, scene);
        plans.iter().for_each(|(plan, _)| world.add(plan));
        for (index, (_, velocity)) in plans.iter().enumerate() {
            velocity.iter().for_each(|&velocity| world.drive(Handle(index as u32), velocity));
        }
        (0..scene.steps()).for_each(|_| world.step());
        worlds.push(world);
    }
    Ok(worlds)
}

fn table(count: usize, scene: Scene, choice: &Choice) -> Fallible<()> {
    // As wide as keeps a shape on every 6.4 m², or 100,000 on 800 m.
    let reach = 0.5 * (6.4 * count as f32).sqrt() * if scene == Scene::Clusters { 4.0 } else { 1.0 };
    let mut worlds = worlds(count, reach, scene)?;
    if choice.one_by_one {
        worlds.iter_mut().for_each(|world| world.ask_one_by_one());
    }
    let near = ways(count, reach, 20.0, scene);
    let far = ways(count, reach, 200.0, scene);
    let centers: Vec<Vec2> = far.iter().map(|way| way.from).collect();
    let asks: [(&str, Box<Ask>); 5] = [
        ("rays of 20 m", Box::new(|world, some| Some(world.rays(&near[some])))),
        ("rays of 200 m", Box::new(|world, some| Some(world.rays(&far[some])))),
        ("casts of 20 m", Box::new(|world, some| Some(world.casts(0.5, &near[some])))),
        ("overlaps of 4 m", Box::new(|world, some| Some(world.overlaps(2.0, &centers[some])))),
        ("nearest", Box::new(|world, some| world.nearest(NEAR, &centers[some]))),
    ];
    let names = Rival::ALL.map(|rival| format!(" {} |", rival.name())).concat();
    let step = if scene.moves() { " and its share of a step" } else { "" };
    let asked = if choice.one_by_one { "one at a time" } else { "in batches where there are" };
    println!("ns a question{step}, {count} shapes, {}, {asked}:\n", scene.name());
    println!("| question | answers |{names} quicker rival over carom |");
    println!("|---|---|{}---|", Rival::ALL.map(|_| "---|").concat());
    let wanted = |name: &str| choice.question.as_ref().is_none_or(|part| name.contains(part));
    for (name, ask) in asks.into_iter().filter(|(name, _)| wanted(name)) {
        let measured = measure(&mut worlds, &ask, scene, choice.rounds.unwrap_or(ROUNDS));
        let (answers, ours) = measured[0].ok_or("carom has every question")?;
        let mut row = format!("| {name} | {answers} |");
        let mut best = f64::INFINITY;
        for (rival, measured) in Rival::ALL.iter().zip(&measured) {
            let Some((theirs, time)) = *measured else {
                row += " – |";
                continue;
            };
            if theirs.abs_diff(answers) > 2 + answers / 100 * scene.percent() {
                let name = format!("{name}, {}", rival.name());
                return Err(format!("{name}: {theirs} answers, where carom has {answers}").into());
            }
            row += &format!(" {time:.0} |");
            best = if *rival == Rival::Carom { best } else { best.min(time) };
        }
        println!("{row} {:.2} |", best / ours);
    }
    println!();
    Ok(())
}

/// Of each engine, answers and nanoseconds a question.
fn measure(
    worlds: &mut [Box<dyn Engine>],
    ask: &Ask,
    scene: Scene,
    rounds: usize,
) -> Vec<Option<(usize, f64)>> {
    let mut times = vec![vec![Vec::new(); SLICES + 1]; worlds.len()];
    let mut answers = vec![None; worlds.len()];
    let slice = QUESTIONS / SLICES;
    for round in 0..rounds + WARM_UP {
        for (world, (times, answers)) in worlds.iter_mut().zip(times.iter_mut().zip(&mut answers)) {
            let mut note = |part: usize, start: Instant| {
                if round >= WARM_UP {
                    times[part].push(start.elapsed().as_secs_f64());
                }
            };
            let start = Instant::now();
            if scene.moves() {
                world.step();
            }
            note(SLICES, start);
            let mut sum = Some(0);
            for part in 0..SLICES {
                let start = Instant::now();
                let found = ask(&mut **world, part * slice..(part + 1) * slice);
                note(part, start);
                sum = sum.zip(found).map(|(sum, found)| sum + found);
            }
            *answers = sum;
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let time = |parts: &mut Vec<Vec<f64>>| parts.iter_mut().map(median).sum::<f64>();
    let answers = answers.into_iter().zip(&mut times);
    answers.map(|(answers, parts)| Some((answers?, time(parts) * 1.0e9 / QUESTIONS as f64))).collect()
}

/// On a lattice, not quite: no two touch, so that in no engine the first step moves them.
/// Velocities of those that have one.
fn shapes(count: usize, reach: f32, scene: Scene) -> Vec<(BodyPlan, Option<Vec2>)> {
    let mut random = Random::new(1);
    let side = (count as f32).sqrt().ceil() as usize;
    let apart = 2.0 * reach / side as f32;
    let mut shape = |k: usize| {
        let (width, height) = (random.range(0.25, 0.5), random.range(0.25, 0.5));
        let lattice = [k % side, k / side];
        let place = match scene {
            Scene::Clusters => lattice.map(|at| (at / 10 * 10) as f32 + 0.25 * (at % 10) as f32),
            _ => lattice.map(|at| at as f32),
        };
        let at = apart * (Vec2::from(place) + Vec2::splat(0.5)) - Vec2::splat(reach) + random.square(0.5);
        let (is_fixed, drawn) = (random.unit() < 0.5, random.square(2.0));
        let moves = match scene {
            Scene::Spread | Scene::Clusters => false,
            Scene::Moving => !is_fixed,
            Scene::Asleep => k.is_multiple_of(100),
        };
        let body = match (moves, is_fixed) {
            (true, _) => BodyPlan::kinematic(at),
            (false, true) => BodyPlan::fixed(at),
            (false, false) => BodyPlan::dynamic(at),
        };
        let body =
            body.part(if random.unit() < 0.5 { Part::circle(width) } else { Part::rect(width, height) });
        (body, moves.then_some(drawn))
    };
    (0..count).map(&mut shape).collect()
}

/// Ways in random directions, from anywhere; where shapes lie in heaps, from within those.
fn ways(count: usize, reach: f32, length: f32, scene: Scene) -> Vec<Way> {
    let mut random = Random::new(2);
    let heaps = (count as f32).sqrt() * 0.1;
    let mut way = |_| {
        let mut from = random.square(reach);
        if scene == Scene::Clusters {
            let heap = 2.0 * reach / heaps;
            let in_heap = |at: f32| {
                let at = (at + reach) / heap;
                heap * (at.floor() + 0.25 * (at - at.floor())) - reach
            };
            from = vec2(in_heap(from.x), in_heap(from.y));
        }
        let (sin, cos) = sin_cos(random.range(0.0, core::f32::consts::TAU));
        Way { from, by: length * vec2(cos, sin) }
    };
    (0..QUESTIONS).map(&mut way).collect()
}
