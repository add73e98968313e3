//! A cart learns to balance a pole by random search, in five hundred worlds at once.
//!
//! A policy is four weights and says how hard the cart is pushed: their sum over position, speed,
//! angle and spin. Each round a batch of worlds plays one policy each, all of them neighbours of
//! the best policy so far; each begins with another lean, by its seed. The policy whose pole stood
//! longest, and nearest to the middle, is the next one to look around. Prints each round, and
//! leaves `out/cart_pole.svg`: how long poles stood, and the last cart over time.
//!
//! ```text
//! cargo run --release -p carom-examples --example cart_pole
//! ```

use std::error::Error;

use carom::Batch;
use carom::prelude::*;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, Style, Svg};
use testkit::random::Random;

const DT: f32 = 1.0 / 60.0;
const WORLDS: usize = 512;
const ROUNDS: usize = 7;
/// Steps of a game: ten seconds.
const STEPS: usize = 600;
/// Numbers of a policy.
const WEIGHTS: usize = 4;
/// A pole that leans by more has fallen, in radians; so has a cart that is farther out, in metres.
const FALLEN: f32 = 0.6;
const OUT: f32 = 4.0;
/// The strongest push, in N.
const STRENGTH: f32 = 40.0;

type Policy = [f32; WEIGHTS];

#[derive(Clone, Copy)]
struct Cart {
    cart: BodyId,
    pole: BodyId,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new(WorldDef::default().sleepless());
    let cart = build(&mut world)?;
    let mut batch = batch(&world, cart)?;
    let mut random = Random::new(1);
    let (mut best, mut reach) = ([0.0; WEIGHTS], 60.0);
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        // The first one is the best so far itself.
        let near = |k: usize, random: &mut Random| {
            best.map(|weight| if k == 0 { weight } else { weight + random.range(-reach, reach) })
        };
        let policies: Vec<Policy> = (0..WORLDS).map(|k| near(k, &mut random)).collect();
        let scores = play(&mut batch, &policies)?;
        let winner = (0..WORLDS).reduce(|a, b| if scores[b] > scores[a] { b } else { a }).unwrap_or(0);
        best = policies[winner];
        reach *= 0.75;
        let mean = scores.iter().sum::<f32>() / WORLDS as f32;
        println!(
            "round {:>2}: best {:>6.2} s, mean {mean:>6.2} s, policy {best:.1?}",
            round + 1,
            scores[winner]
        );
        rounds.push((scores[winner], mean));
    }
    let track = show(&mut batch, best)?;
    let stood = track.len() as f32 * DT;
    println!("the last policy stands for {stood:.1} s, on a lean that it never saw");
    draw(&rounds, &track).save("out/cart_pole.svg")?;
    if stood < STEPS as f32 * DT { Err("it did not learn to balance".into()) } else { Ok(()) }
}

/// A cart on a rail, and a pole 1 m long that is hinged to it.
fn build(world: &mut World) -> Result<Cart, carom::Error> {
    let cart = world.add(BodyDef::dynamic().shape(ShapeDef::from(Shape::rect(0.6, 0.3)).mass(1.0)))?;
    let pole = world
        .add(BodyDef::dynamic().at([0.0, 0.5]).shape(ShapeDef::from(Shape::rect(0.06, 1.0)).mass(0.2)))?;
    world.add_joint(JointDef::prismatic(None, cart, [1.0, 0.0]))?;
    world.add_joint(JointDef::revolute(cart, pole).at([0.0, 0.0]))?;
    Ok(Cart { cart, pole })
}

fn batch(world: &World, Cart { cart, pole }: Cart) -> Result<Batch, carom::Error> {
    Ok(Batch::new(world, WORLDS)?
        .seed(2)
        .variation(move |world, seed| {
            let mut random = Random::new(seed);
            world.set_velocity(cart, [random.range(-0.5, 0.5), 0.0])?;
            world.set_angular_velocity(pole, random.range(-0.5, 0.5))
        })
        .actions(1, move |world, push| world.apply_force(cart, [push[0], 0.0]))
        .observations(WEIGHTS, move |world, seen| {
            let (cart, pole) = (&world[cart], &world[pole]);
            let numbers = [cart.position().x, cart.velocity().x, pole.angle(), pole.angular_velocity()];
            seen.copy_from_slice(&numbers);
        }))
}

/// How well each policy plays, each in a world of its own: seconds until the pole fell, where those
/// far from the middle count less.
fn play(batch: &mut Batch, policies: &[Policy]) -> Result<Vec<f32>, carom::Error> {
    let mut scores = vec![0.0; WORLDS];
    let mut stands = vec![true; WORLDS];
    batch.reset_all()?;
    for _ in 0..STEPS {
        let (pushes, seen) = batch.columns();
        for (k, push) in pushes.iter_mut().enumerate() {
            let row = [0, 1, 2, 3].map(|column| seen[column * WORLDS + k]);
            stands[k] &= row[0].abs() < OUT && row[2].abs() < FALLEN;
            scores[k] += if stands[k] { DT * (1.0 - 0.25 * row[0].abs()) } else { 0.0 };
            *push = if stands[k] { push_of(&policies[k], row) } else { 0.0 };
        }
        if !stands.contains(&true) {
            break;
        }
        batch.step(DT)?;
    }
    Ok(scores)
}

fn push_of(policy: &Policy, row: [f32; WEIGHTS]) -> f32 {
    let sum: f32 = policy.iter().zip(row).map(|(weight, seen)| weight * seen).sum();
    sum.clamp(-STRENGTH, STRENGTH)
}

/// A game of one policy: where the cart was and how the pole leant, until it fell.
fn show(batch: &mut Batch, policy: Policy) -> Result<Vec<[f32; 2]>, carom::Error> {
    let mut track = Vec::new();
    batch.reset_all()?;
    while track.len() < STEPS {
        let row = [0, 1, 2, 3].map(|column| batch.observation(column)[0]);
        if row[0].abs() >= OUT || row[2].abs() >= FALLEN {
            break;
        }
        track.push([row[0], row[2]]);
        batch.action_mut(0)[0] = push_of(&policy, row);
        batch.step(DT)?;
    }
    Ok(track)
}

/// Above, what each round came to; below, the last game.
fn draw(rounds: &[(f32, f32)], track: &[[f32; 2]]) -> Svg {
    let mut svg = Svg::new(vec2(-1.2, -4.4), vec2(12.6, 6.4), 60.0);
    let frame = Style::outline(GREY);
    let text = Style::flat(INK);
    let place = |round: usize, seconds: f32| vec2(1.0 + round as f32, 0.5 * seconds);
    svg.text(vec2(0.0, 5.9), 16.0, "seconds that a pole stood: best and mean of a round", text);
    for seconds in [0.0_f32, 5.0, 10.0] {
        svg.line(vec2(0.0, 0.5 * seconds), vec2(12.4, 0.5 * seconds), frame);
        svg.text(vec2(-0.7, 0.5 * seconds - 0.1), 14.0, &format!("{seconds}"), text);
    }
    let curve = |pick: fn(&(f32, f32)) -> f32| -> Vec<Vec2> {
        rounds.iter().enumerate().map(|(k, round)| place(k, pick(round))).collect()
    };
    let curves = [(curve(|&(best, _)| best), GREEN), (curve(|&(_, mean)| mean), BLUE)];
    for (points, color) in &curves {
        svg.polyline(points, Style::outline(color));
        points.iter().for_each(|&at| svg.dot(at, color));
    }
    svg.text(vec2(0.0, -0.9), 16.0, "the last policy: a picture every quarter of a second", text);
    for (k, &[x, angle]) in track.iter().enumerate().step_by(15) {
        let at = vec2(0.3 + 12.0 * k as f32 / STEPS as f32 + 0.5 * x, -3.4);
        let (sin, cos) = carom::math::sin_cos(angle);
        svg.rect(at - vec2(0.15, 0.08), at + vec2(0.15, 0.08), Style::flat(ORANGE));
        svg.line(at, at + vec2(-sin, cos), Style::outline(INK));
    }
    svg
}
