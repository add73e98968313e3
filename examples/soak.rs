//! A world that is kept busy for as long as one likes: does it stay sound, small and as fast as it
//! was?
//!
//! ```text
//! cargo run --release -p carom-examples --example soak -- --minutes 20
//! ```
//!
//! 5,000 bodies of all kinds in a basin with a stirrer. In every step some are removed and others
//! fall in; there are explosions, chains of joints that break, and bodies that are teleported.
//! Every second the world is kept in a ring; every ten it goes back by half a second and has to
//! come to the same hash again, and every invariant is checked. Without arguments it runs for a few
//! seconds.
//!
//! Printed each minute: times of a step; memory of the process, and what of it world and ring have
//! come to hold; allocations of the calls between two steps, which make definitions and shapes, and
//! of the step; and what went wrong, which has to be nothing.
//!
//! Memory grows more and more slowly: the ring's pieces keep the room of the largest rows that
//! stood in them, and the world's columns theirs. Steps allocate where joints are laid out anew,
//! which here is nearly every time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use carom::prelude::*;
use carom::{Ring, WorldPoint};
use testkit::random::Random;

const DT: f32 = 1.0 / 60.0;
const BODIES: usize = 5_000;
/// Steps between two frames of the ring, and between two times that the world goes back.
const KEEP: u64 = 6;
const GO_BACK: u64 = 600;
/// How far it goes back.
const BACK: u64 = 30;
/// Steps between two explosions.
const BANG: u64 = 150;

/// What happens to the world; all of it follows from the dice.
#[derive(Clone)]
struct Fate {
    random: Random,
    bodies: Vec<BodyId>,
}

fn some_shape(random: &mut Random) -> Shape {
    let size = random.range(0.3, 0.7);
    match random.below(7) {
        0 | 1 => Shape::circle(0.5 * size),
        2 | 3 => Shape::rect(size, random.range(0.3, 0.7)),
        4 => Shape::capsule([-0.3 * size, 0.0], [0.3 * size, 0.0], 0.15),
        5 => Shape::regular(3 + random.below(6), 0.5 * size),
        _ => Shape::compound([Shape::circle(0.2).at([-0.2, 0.0]), Shape::rect(0.3, 0.3).at([0.2, 0.0])]),
    }
}

impl Fate {
    fn drop_in(&mut self, world: &mut World) -> Result<(), Error> {
        let random = &mut self.random;
        let at = [random.range(-45.0, 45.0), random.range(30.0, 60.0)];
        let material = Material::default().restitution([0.0, 0.2, 0.8][random.below(3)]);
        let def = BodyDef::dynamic().at(at).velocity([random.range(-5.0, 5.0), 0.0]);
        let body = world.add(def.shape(some_shape(random)).material(material))?;
        if let Some(&other) = self.bodies.last().filter(|_| random.below(12) == 0)
            && world.get(other).is_some_and(|other| (other.position() - vec2(at[0], at[1])).length() < 20.0)
        {
            world.add_joint(JointDef::distance(other, body).breaks_at(400.0, f32::INFINITY))?;
        }
        self.bodies.push(body);
        Ok(())
    }

    /// The calls of one step, and the step.
    fn step(&mut self, world: &mut World) -> Result<(), Error> {
        self.call(world)?;
        world.step(DT).map(drop)
    }

    fn call(&mut self, world: &mut World) -> Result<(), Error> {
        for _ in 0..4 {
            let place = self.random.below(self.bodies.len());
            world.remove(self.bodies.swap_remove(place))?;
            self.drop_in(world)?;
        }
        let body = self.bodies[self.random.below(self.bodies.len())];
        let angle = self.random.range(-3.0, 3.0);
        world.teleport(body, [self.random.range(-40.0, 40.0), self.random.range(20.0, 50.0)], angle)?;
        if world.step_count() % BANG == BANG - 1 {
            let center = vec2(self.random.range(-40.0, 40.0), self.random.range(0.0, 15.0));
            self.explode(world, center)?;
        }
        Ok(())
    }

    fn explode(&self, world: &mut World, center: Vec2) -> Result<(), Error> {
        for &body in &self.bodies {
            let way = WorldPoint::from(center).to(world[body].world_center());
            let distance = way.length();
            if distance < 8.0 && distance > 0.0 {
                let mass = world[body].mass();
                world.apply_impulse(body, way / distance * (mass * 20.0 * (1.0 - distance / 8.0)))?;
            }
        }
        Ok(())
    }
}

fn basin() -> Result<World, Error> {
    let mut world = World::default();
    let floor: Vec<Vec2> = (0..101).map(|k| vec2(50.0 - k as f32, (k % 5) as f32 * 0.2)).collect();
    world.add(BodyDef::fixed().shape(Shape::chain(&floor)))?;
    world.add(BodyDef::fixed().shape(Shape::half_plane([0.0, -2.0], [0.0, 1.0])))?;
    for x in [-50.0, 50.0] {
        world.add(BodyDef::fixed().at([x, 50.0]).shape(Shape::rect(2.0, 120.0)))?;
    }
    world.add(BodyDef::fixed().at([20.0, 8.0]).shape(ShapeDef::from(Shape::circle(4.0)).sensor()))?;
    let stirrer = BodyDef::kinematic().at([0.0, 8.0]).spin(0.7);
    world.add(stirrer.shape(Shape::rect(30.0, 0.8)).shape(Shape::rect(0.8, 14.0)))?;
    Ok(world)
}

/// What a stretch of the run measured.
#[derive(Default)]
struct Tally {
    times: Vec<u64>,
    /// Of calls, which make definitions and shapes, and of steps.
    allocations: [u64; 2],
    /// Bytes that world and ring hold, beyond what the world was made with.
    held: [i64; 2],
    unsound: usize,
    not_finite: usize,
    other_hash: usize,
}

fn run(length: Duration) -> Result<Tally, Error> {
    let mut world = basin()?;
    let mut fate = Fate { random: Random::new(1), bodies: Vec::new() };
    (0..BODIES).try_for_each(|_| fate.drop_in(&mut world))?;
    let (mut ring, mut fates) = (Ring::new((BACK / KEEP) as usize + 1), VecDeque::new());
    let (mut all, mut tally) = (Tally::default(), Tally::default());
    let (begin, mut printed) = (Instant::now(), 0);
    println!("minute    steps   median      p99   memory    world     ring   calls   steps  wrong");
    while begin.elapsed() < length {
        let steps = world.step_count();
        if steps.is_multiple_of(KEEP) {
            tally.held[1] += allocation_counter::measure(|| ring.save(&world)).bytes_current;
            fates.push_back((steps, fate.clone()));
            fates.drain(..fates.len().saturating_sub((BACK / KEEP) as usize + 1));
        }
        let clock = Instant::now();
        let (mut called, mut stepped) = (Ok(()), Ok(()));
        let of_calls = allocation_counter::measure(|| called = fate.call(&mut world));
        let of_step = allocation_counter::measure(|| stepped = world.step(DT).map(drop));
        called?;
        stepped?;
        tally.times.push(clock.elapsed().as_nanos() as u64);
        tally.allocations[0] += of_calls.count_total;
        tally.allocations[1] += of_step.count_total;
        tally.held[0] += of_calls.bytes_current + of_step.bytes_current;
        if world.step_count().is_multiple_of(GO_BACK) {
            let mut looked = Ok(());
            let fates = &mut fates;
            let asked =
                allocation_counter::measure(|| looked = look(&mut world, (&mut ring, fates), &mut tally));
            looked?;
            tally.held[0] += asked.bytes_current;
        }
        let minute = begin.elapsed().as_secs() / 60;
        if minute > printed {
            printed = minute;
            report(&world, minute, &mut tally, &mut all);
        }
    }
    report(&world, printed + 1, &mut tally, &mut all);
    Ok(all)
}

/// Checks everything, and goes back and forth.
fn look(
    world: &mut World,
    (ring, fates): (&mut Ring, &mut VecDeque<(u64, Fate)>),
    tally: &mut Tally,
) -> Result<(), Error> {
    if let Err(rule) = world.validate() {
        println!("after {} steps: {rule}", world.step_count());
        tally.unsound += 1;
    }
    let finite = |body: &carom::Body| body.position().is_finite() && body.velocity().is_finite();
    tally.not_finite +=
        world.bodies().filter(|(_, body)| !finite(body)).count() + world.events().frozen().len();
    let (now, hash) = (world.step_count(), world.hash());
    let Some((step, mut fate)) = fates.front().cloned() else { return Ok(()) };
    if ring.load(step, world).is_err() {
        tally.other_hash += 1;
        return Ok(());
    }
    while world.step_count() < now {
        fate.step(world)?;
    }
    if world.hash() != hash {
        println!("after {now} steps, from {step} on: another hash");
        tally.other_hash += 1;
    }
    Ok(())
}

/// A line, and the stretch into the sum.
fn report(world: &World, minute: u64, tally: &mut Tally, all: &mut Tally) {
    let mut times = core::mem::take(&mut tally.times);
    if times.is_empty() {
        return;
    }
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] as f64 * 1.0e-6;
    let (median, p99) = (at(0.5), at(0.99));
    let wrong = tally.unsound + tally.not_finite + tally.other_hash;
    let [calls, steps] = tally.allocations.map(|count| count as f64 / times.len() as f64);
    let megabytes = |bytes: f64| format!("{:.1} MB", bytes * 1.0e-6);
    let memory = memory().map_or("?".into(), |bytes| megabytes(bytes as f64));
    let [of_world, of_ring] = tally.held.map(|bytes| megabytes(bytes as f64));
    println!(
        "{minute:>6} {:>8} {median:>5.2} ms {p99:>5.2} ms {memory:>8} {of_world:>8} {of_ring:>8} {calls:>7.1} {steps:>7.3} {wrong:>6}",
        world.step_count()
    );
    all.times.push((median * 1.0e6) as u64);
    all.unsound += tally.unsound;
    all.not_finite += tally.not_finite;
    all.other_hash += tally.other_hash;
    *tally = Tally { held: tally.held, ..Tally::default() };
}

/// What the process holds in memory, where the system tells.
fn memory() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    pages.split_whitespace().nth(1)?.parse::<usize>().ok().map(|pages| pages * 4096)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut minutes = 0.1;
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--minutes", Some(number)) => minutes = number.parse()?,
            _ => return Err("usage: soak [--minutes N]".into()),
        }
    }
    let all = run(Duration::from_secs_f64(60.0 * minutes))?;
    let (first, last) = (all.times.first().copied().unwrap_or(0), all.times.last().copied().unwrap_or(0));
    println!("median of the last stretch over that of the first: {:.2}", last as f64 / first.max(1) as f64);
    let wrong = all.unsound + all.not_finite + all.other_hash;
    println!("{} unsound, {} not finite, {} times another hash", all.unsound, all.not_finite, all.other_hash);
    if wrong == 0 { Ok(()) } else { Err("something went wrong: see above".into()) }
}
