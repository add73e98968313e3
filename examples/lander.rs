//! A lander that comes down on a pad, in 256 worlds, defined as data: no function of the program is
//! called within a step.
//!
//! A lander has a hull on two legs, a main engine below and a nozzle at its side. It begins at any
//! height and lean, by the seed of its world. Two pilots fly 1,200 steps in each world: one at
//! random, one by a few rules. An episode returns 100 for a landing and -100 for a crash or a
//! flight off the map, less fuel; prints how many ended in which way, and the mean return of each
//! pilot.
//!
//! ```text
//! cargo run --release -p carom-examples --example lander
//! ```

use carom::prelude::*;
use carom::{Action, AutoReset, Batch, BatchLayout, End, Observation, Spec, Variation};
use testkit::random::Random;

const DT: f32 = 1.0 / 50.0;
const WORLDS: usize = 256;
const STEPS: usize = 1_200;

/// Columns of actions: thrust of the main engine, 0 to 1, and of the nozzle, -1 to 1.
const ENGINES: usize = 2;
/// Columns of observations: place, velocity, lean, spin, and whether each leg touches the ground.
const SEEN: usize = 8;

/// The ends of an episode, in the order of the spec.
const ENDS: [&str; 3] = ["crashed", "off the map", "landed"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (world, spec) = lander()?;
    println!("actions:      {}", spec.action_names().join(", "));
    println!("observations: {}", spec.observation_names().join(", "));
    let mut random = Random::new(1);
    let by_chance = fly(&world, &spec, "at random", |_, engines| {
        engines.copy_from_slice(&[random.range(0.0_f32, 1.0), random.range(-1.0_f32, 1.0)]);
    })?;
    let by_rules = fly(&world, &spec, "by rules", steer)?;
    if by_rules > 50.0 && by_rules > by_chance + 100.0 { Ok(()) } else { Err("it lands badly".into()) }
}

/// The world of a lander, and its spec.
fn lander() -> Result<(World, Spec), Error> {
    let mut world = World::new(WorldDef::default().gravity([0.0, -3.0]));
    let hills = [(-30.0, 6.0), (-14.0, 1.0), (-8.0, 2.0), (-4.0, 0.0), (4.0, 0.0), (9.0, 2.5), (30.0, 5.0)];
    let hills = hills.map(|(x, y)| vec2(x, y));
    world.add(BodyDef::fixed().shape(Shape::chain(&hills)))?;
    let hull = ShapeDef::from(Shape::rect(1.6, 1.0)).mass(5.0);
    let hull = world.add(BodyDef::dynamic().at([0.0, 14.0]).shape(hull))?;
    let mut legs = Vec::new();
    for x in [-0.9_f32, 0.9] {
        let leg = ShapeDef::from(Shape::rect(0.2, 0.9)).mass(0.3);
        let leg = world.add(BodyDef::dynamic().at([x, 13.2]).shape(leg))?;
        let knee = JointDef::revolute(hull, leg).at([0.8 * x, 13.6]).limits(-0.3, 0.3);
        world.add_joint(knee.servo(0.0, Spring::new(5.0, 1.0)))?;
        legs.push(leg);
    }
    let spec = Spec::new()
        .action(Action::force(hull, [0.0, 1.0]).in_body_frame().range(0.0, 1.0).scale(40.0).name("main"))
        .action(
            Action::force(hull, [1.0, 0.0])
                .in_body_frame()
                .at([0.0, 0.4])
                .range(-1.0, 1.0)
                .scale(4.0)
                .name("side"),
        )
        .observation(Observation::position(hull).name("place"))
        .observation(Observation::velocity(hull).name("velocity"))
        .observation(Observation::angle(hull).name("lean"))
        .observation(Observation::spin(hull).name("spin"))
        .observation(Observation::touches(legs[0]).name("left leg"))
        .observation(Observation::touches(legs[1]).name("right leg"))
        .variation(Variation::position(hull, [-6.0, 10.0], [6.0, 16.0]).also(legs[0]).also(legs[1]))
        .variation(Variation::angle(hull, -0.3, 0.3).also(legs[0]).also(legs[1]))
        .variation(Variation::velocity(hull, [-2.0, -2.0], [2.0, 0.0]).also(legs[0]).also(legs[1]))
        .end(End::touches(hull).except(legs[0]).except(legs[1]).name(ENDS[0]))
        .end(End::outside(hull, [-25.0, -5.0], [25.0, 25.0]).name(ENDS[1]))
        .end(End::asleep(hull).name(ENDS[2]))
        .step_limit(800);
    Ok((world, spec))
}

/// Brakes the fall, leans against the drift, and lets go when both legs stand.
fn steer(seen: &[f32], engines: &mut [f32]) {
    let &[x, y, vx, vy, lean, spin, left, right] = seen else { return };
    let stands = left > 0.0 && right > 0.0;
    // A lean to the right, below 0, pushes to the right.
    let wanted_lean = (0.06 * x + 0.18 * vx).clamp(-0.4, 0.4);
    let wanted_fall = if y > 2.0 { -0.4 * y } else { -0.6 };
    let hover = 0.42; // of the weight: 5.6 kg at 3 m/s² against 40 N
    engines[0] = if stands { 0.0 } else { hover + 0.4 * (wanted_fall - vy) };
    engines[1] = if stands { 0.0 } else { 3.0 * (lean - wanted_lean) + 2.5 * spin };
}

/// Flies in all worlds; prints how episodes ended, and returns their mean return.
fn fly(
    world: &World,
    spec: &Spec,
    pilot: &str,
    mut steer: impl FnMut(&[f32], &mut [f32]),
) -> Result<f32, Error> {
    let batch = Batch::new(world, WORLDS)?.seed(5).spec(spec)?;
    let mut batch = batch.layout(BatchLayout::Rows).auto_reset(AutoReset::SameStep);
    batch.reset_all()?;
    let mut returns = [0.0_f32; WORLDS];
    let (mut total, mut ended) = (0.0, [0_usize; ENDS.len() + 1]);
    for _ in 0..STEPS {
        let (engines, seen) = batch.columns();
        for (engines, seen) in engines.chunks_exact_mut(ENGINES).zip(seen.chunks_exact(SEEN)) {
            steer(seen, engines);
        }
        for (sum, engines) in returns.iter_mut().zip(engines.chunks_exact(ENGINES)) {
            *sum -= 0.05 * engines[0].clamp(0.0, 1.0) + 0.01 * engines[1].abs().clamp(0.0, 1.0);
        }
        batch.step(DT)?;
        for (sum, &end) in returns.iter_mut().zip(batch.ended()) {
            if end != Batch::RUNS {
                let kind = usize::try_from(end).unwrap_or(0).min(ENDS.len());
                ended[kind] += 1;
                total += *sum + [-100.0, -100.0, 100.0, 0.0][kind];
                *sum = 0.0;
            }
        }
    }
    let episodes: usize = ended.iter().sum();
    let mean = total / episodes.max(1) as f32;
    print!("{pilot:<10} {episodes:>5} episodes, mean return {mean:>7.1}:");
    ENDS.iter().chain(&["out of time"]).zip(ended).for_each(|(end, count)| print!("  {count} {end}"));
    println!();
    Ok(mean)
}
