//! Rays, casts and overlaps in a world that has made a step: carom in batches, the others one by
//! one, as each offers it.
//!
//! In: how many shapes. Out: a table, nanoseconds a question. Discs and boxes of 0.5 to 1 m lie on
//! a square, half of them fixed, none in another; questions come in random order. Engines must
//! agree on the number of answers but for one in a hundred: a ray that starts in a shape goes on to
//! the next one in Box2D, and hits what it starts in elsewhere.

use carom::math::sin_cos;
use carom::{Vec2, vec2};
use std::time::Instant;
use testkit::random::Random;
use testkit::scenes::plan::{BodyPlan, Part, WorldPlan};

use crate::Fallible;
use crate::engines::{Engine, Rival, Way};

const QUESTIONS: usize = 2_000;
/// The best of so many rounds counts.
const ROUNDS: usize = 7;

/// A kind of question, and the number of answers to all of them.
type Ask<'a> = (&'static str, Box<dyn Fn(&mut dyn Engine) -> usize + 'a>);

pub(crate) fn run(count: usize) -> Fallible<()> {
    // As wide as keeps a shape on every 6.4 m², or 100,000 on 800 m.
    let reach = 0.5 * (6.4 * count as f32).sqrt();
    let mut worlds = Vec::new();
    for rival in Rival::ALL {
        let mut world = rival.world(&WorldPlan { gravity: Vec2::ZERO, sleep: true, threads: 1 })?;
        shapes(count, reach).iter().for_each(|plan| world.add(plan));
        world.step();
        worlds.push(world);
    }
    let (near, far) = (ways(reach, 20.0), ways(reach, 200.0));
    let centers: Vec<Vec2> = far.iter().map(|way| way.from).collect();
    let asks: [Ask; 4] = [
        ("rays of 20 m", Box::new(|world| world.rays(&near))),
        ("rays of 200 m", Box::new(|world| world.rays(&far))),
        ("casts of 20 m", Box::new(|world| world.casts(0.5, &near))),
        ("overlaps of 4 m", Box::new(|world| world.overlaps(2.0, &centers))),
    ];
    let names = Rival::ALL.map(|rival| format!("{:>14}", rival.name())).concat();
    println!("{:<17}{:>9}{names}   ns a question, {count} shapes", "", "answers");
    for (name, ask) in asks {
        let measured: Vec<(usize, f64)> =
            worlds.iter_mut().map(|world| measure(&mut **world, &ask)).collect();
        let (answers, ours) = measured[0];
        for (rival, (theirs, _)) in Rival::ALL.iter().zip(&measured) {
            if theirs.abs_diff(answers) > 2 + answers / 100 {
                let name = format!("{name}, {}", rival.name());
                return Err(format!("{name}: {theirs} answers, where carom has {answers}").into());
            }
        }
        let cell = |&(_, time): &(usize, f64)| format!("{:>14}", format!("{time:.0} ({:.1})", time / ours));
        println!("{name:<17}{answers:>9}{}", measured.iter().map(cell).collect::<String>());
    }
    Ok(())
}

/// Answers, and nanoseconds a question.
fn measure(world: &mut dyn Engine, ask: &dyn Fn(&mut dyn Engine) -> usize) -> (usize, f64) {
    let (mut best, mut answers) = (f64::INFINITY, 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        answers = ask(world);
        best = best.min(start.elapsed().as_secs_f64());
    }
    (answers, best * 1.0e9 / QUESTIONS as f64)
}

/// On a lattice, not quite: no two touch, so that in no engine the first step moves them.
fn shapes(count: usize, reach: f32) -> Vec<BodyPlan> {
    let mut random = Random::new(1);
    let side = (count as f32).sqrt().ceil() as usize;
    let apart = 2.0 * reach / side as f32;
    let mut shape = |k: usize| {
        let (width, height) = (random.range(0.25, 0.5), random.range(0.25, 0.5));
        let place = vec2((k % side) as f32, (k / side) as f32) + Vec2::splat(0.5);
        let at = apart * place - Vec2::splat(reach) + random.square(0.5);
        let body = if random.unit() < 0.5 { BodyPlan::fixed(at) } else { BodyPlan::dynamic(at) };
        body.part(if random.unit() < 0.5 { Part::circle(width) } else { Part::rect(width, height) })
    };
    (0..count).map(&mut shape).collect()
}

fn ways(reach: f32, length: f32) -> Vec<Way> {
    let mut random = Random::new(2);
    let mut way = |_| {
        let from = random.square(reach);
        let (sin, cos) = sin_cos(random.range(0.0, core::f32::consts::TAU));
        Way { from, by: length * vec2(cos, sin) }
    };
    (0..QUESTIONS).map(&mut way).collect()
}
