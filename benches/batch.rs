//! Thousands of small worlds: how near a batch comes to as many worlds alone, the cost of a reset,
//! and the cost of data beside functions that do the same.
//!
//! The world is a doll on the ground, 12 bodies and 10 joints, which falls. Alone, it has the cache
//! to itself; a batch streams through memory. Times are of a world and a step. Other threads are
//! those of the global pool of rayon.
//!
//! ```text
//! cargo bench -p carom-benches --bench batch
//! cargo bench -p carom-benches --bench batch -- cart        data beside functions, one world alone
//! ```
//!
//! On a busy machine the instructions of `--test cart data` and `--test cart functions` under
//! callgrind tell more.

use carom::prelude::*;
use carom::{Action, AutoReset, Batch, End, Observation, Spec};
use std::time::Instant;
use testkit::build::{DT, add, steps};
use testkit::doll::{DollDef, doll};

/// The best of so many rounds counts.
const ROUNDS: usize = 5;

/// Steps of a round, from the start of the world: the doll falls on its feet and over.
const STEPS: usize = 40;

fn main() {
    let is_trial = std::env::args().any(|arg| arg == "--test");
    if !ONLY.iter().any(|&name| is_asked(name)) {
        alone_and_together(is_trial);
    }
    let worlds = if is_trial { 16 } else { 256 };
    for (name, make) in [("cart", cart as fn(usize) -> [Batch; 2]), ("doll", sensing_doll)] {
        if is_asked(name) || !ONLY.iter().any(|&name| is_asked(name)) {
            compare(name, make(worlds), if is_trial { 1 } else { 30 });
        }
    }
}

/// Words that choose a comparison.
const ONLY: [&str; 2] = ["cart", "doll"];

fn is_asked(word: &str) -> bool {
    std::env::args().any(|arg| arg == word)
}

/// How near a batch comes to worlds alone, and the cost of a reset.
fn alone_and_together(is_trial: bool) {
    let worlds = if is_trial { 64 } else { 4096 };
    let world = scene();
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    println!("{} bodies, {} joints, {worlds} worlds", world.body_count(), world.joint_count());

    let mut one = world.clone();
    let rounds = 50 * ROUNDS;
    let alone = best(rounds, STEPS, &mut one, |one| one.clone_from(&world), |one| steps(one, STEPS));
    println!("alone                {alone:>9.0} ns a step");
    for count in [1, threads] {
        let mut batch = Batch::new(&world, worlds).expect("not too many").threads(count);
        let mask = vec![true; worlds];
        let reset = |batch: &mut Batch| batch.reset(&mask).expect("a mask for all");
        let run = |batch: &mut Batch| (0..STEPS).for_each(|_| batch.step(DT).expect("a step of 1/60 s"));
        let together = best(ROUNDS, worlds * STEPS, &mut batch, reset, run);
        let share = 100.0 * alone / (together * count as f64);
        println!("batch, {count:>2} threads    {together:>9.0} ns a step, {share:.0} % of {count} x alone");
        assert_eq!(batch.world(worlds - 1).map(World::hash), Some(one.hash()), "the same bits");
        let reset = best(ROUNDS, worlds, &mut batch, run, reset);
        println!("reset, {count:>2} threads    {reset:>9.0} ns a world");
    }
}

/// Steps two batches in turns; the best round of each counts. Both come to the same bits.
fn compare(name: &str, mut batches: [Batch; 2], rounds: usize) {
    let wanted = [!is_asked("data"), !is_asked("functions")];
    let mut least = [f64::INFINITY; 2];
    for _ in 0..rounds {
        for kind in (0..2).filter(|&kind| wanted[kind]) {
            let reset = |batch: &mut Batch| batch.reset_all().expect("nothing is refused");
            let count = batches[kind].len() * STEPS;
            let time = best(1, count, &mut batches[kind], reset, |batch| {
                (0..STEPS).for_each(|_| batch.step(DT).expect("a step of 1/60 s"));
            });
            least[kind] = if time < least[kind] { time } else { least[kind] };
        }
        if wanted == [true; 2] {
            let [functions, data] = &mut batches;
            let hash = |batch: &Batch| batch.world(batch.len() - 1).map(World::hash);
            assert_eq!(hash(functions), hash(data), "the same bits");
            assert_eq!(functions.columns().1, data.columns().1, "the same numbers");
        }
    }
    let [by_functions, by_data] = least;
    let more = 100.0 * (by_data / by_functions - 1.0);
    println!("{name}: by functions {by_functions:.0} ns a step, by data {by_data:.0} ns: {more:+.1} %");
}

/// A cart with a pole, the least world of all: by functions, and by data.
fn cart(worlds: usize) -> [Batch; 2] {
    let mut world = World::new(WorldDef::default().sleepless());
    let cart = add(&mut world, BodyDef::dynamic().shape(ShapeDef::from(Shape::rect(0.6, 0.3)).mass(1.0)));
    let pole = BodyDef::dynamic().at([0.0, 0.5]).shape(ShapeDef::from(Shape::rect(0.06, 1.0)).mass(0.1));
    let pole = add(&mut world, pole);
    world.add_joint(JointDef::prismatic(None, cart, [1.0, 0.0])).expect("a rail");
    world.add_joint(JointDef::revolute(cart, pole).at([0.0, 0.0])).expect("a hinge");
    let spec = Spec::new()
        .action(Action::force(cart, [1.0, 0.0]))
        .observation(Observation::position(cart).only_x())
        .observation(Observation::velocity(cart).only_x())
        .observation(Observation::angle(pole))
        .observation(Observation::spin(pole))
        .end(End::outside(cart, [-2.4, -9.0], [2.4, 9.0]))
        .end(End::angle_beyond(pole, 0.3))
        .step_limit(500);
    let new = || Batch::new(&world, worlds).expect("not too many").auto_reset(AutoReset::SameStep);
    let field = Aabb { min: vec2(-2.4, -9.0), max: vec2(2.4, 9.0) };
    let functions = new()
        .actions(1, move |world, row| world.apply_force(cart, [row[0], 0.0]))
        .observations(4, move |world, row| {
            let (cart, pole) = (&world[cart], &world[pole]);
            let seen = [cart.position().x, cart.velocity().x, pole.angle(), pole.angular_velocity()];
            row.copy_from_slice(&seen);
        })
        .ends(move |world| match () {
            () if !field.contains_point(world[cart].position()) => Some(0),
            () if world[pole].angle().abs() > 0.3 => Some(1),
            () => None,
        })
        .step_limit(500);
    let mut batches = [functions, new().spec(&spec).expect("it fits")];
    for batch in &mut batches {
        let pushes = batch.action_mut(0).iter_mut().enumerate();
        pushes.for_each(|(k, push)| *push = 0.1 * k as f32 - 10.0);
    }
    batches
}

/// A doll that moves its muscles and sees all of its bones, its hinges, touches and ten rays.
fn sensing_doll(worlds: usize) -> [Batch; 2] {
    let world = scene();
    let bones: Vec<BodyId> = world.bodies().map(|(id, _)| id).skip(1).collect();
    let hinges: Vec<JointId> = world.joints().map(|(id, _)| id).collect();
    let hips = bones[0];
    let mut spec = Spec::new();
    for &hinge in &hinges {
        spec = spec.action(Action::servo_target(hinge)).observation(Observation::joint_angle(hinge));
        spec = spec.observation(Observation::joint_spin(hinge));
    }
    for &bone in &bones[1..] {
        spec = spec.observation(Observation::position(bone).relative_to(hips));
        spec = spec.observation(Observation::touches(bone));
    }
    spec = spec.observation(Observation::rays(hips, 10, 5.0)).end(End::angle_beyond(hips, 3.0));
    let new = || Batch::new(&world, worlds).expect("not too many").auto_reset(AutoReset::SameStep);
    let (servos, (joints, bodies)) = (hinges.clone(), (hinges.clone(), bones.clone()));
    let ends: Vec<Vec2> =
        (0..10).map(|k| 5.0 * Rot::from_angle(core::f32::consts::TAU / 10.0 * k as f32).x_axis()).collect();
    let functions = new()
        .actions(hinges.len(), move |world, row| {
            // Targets that a servo has already are not set, as in an action.
            servos.iter().zip(row).try_for_each(|(&hinge, &target)| {
                let servo = world.get_joint(hinge).and_then(|joint| joint.def().drive.servo);
                let is_new = servo.is_some_and(|servo| servo.target != target);
                if is_new { world.set_target(hinge, target) } else { Ok(()) }
            })
        })
        .observations(spec.observation_names().len(), move |world, mut row| {
            let mut put = |number: f32| {
                let (first, rest) = core::mem::take(&mut row).split_first_mut().expect("a place");
                (*first, row) = (number, rest);
            };
            for &joint in &joints {
                let state = world.joint_state(joint).expect("it is there");
                put(state.angle);
                put(state.angular_speed);
            }
            let hips = &world[bodies[0]];
            for &bone in &bodies[1..] {
                let place = hips.to_local(world[bone].world_position());
                put(place.x);
                put(place.y);
                put(f32::from(u8::from(world.contacts_of_body(bone).any(|contact| !contact.sensor))));
            }
            let filter = QueryFilter::default().without(bodies[0]);
            for &end in &ends {
                let ray = WorldRay::new(hips.world_position(), hips.rotation() * end);
                put(world.ray(ray, &filter).map_or(1.0, |hit| hit.fraction));
            }
        })
        .ends(move |world| (world[hips].angle().abs() > 3.0).then_some(0));
    let mut batches = [functions, new().spec(&spec).expect("it fits")];
    for batch in &mut batches {
        let (targets, _) = batch.columns();
        targets.iter_mut().enumerate().for_each(|(k, target)| *target = 0.01 * (k % 60) as f32 - 0.3);
    }
    batches
}

/// Nanoseconds of one of `count` pieces of work, without what is to be done before.
fn best<T>(rounds: usize, count: usize, on: &mut T, before: impl Fn(&mut T), work: impl Fn(&mut T)) -> f64 {
    let round = |_| {
        before(on);
        let start = Instant::now();
        work(on);
        start.elapsed().as_secs_f64() * 1.0e9 / count as f64
    };
    (0..rounds).map(round).fold(f64::INFINITY, |least, time| if time < least { time } else { least })
}

fn scene() -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    add(&mut world, BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)));
    let muscle = Spring::new(3.0, 0.7);
    let def = DollDef {
        at: vec2(0.0, 1.0),
        angle: 0.0,
        group: -1,
        density: 1000.0,
        friction: 1.0,
        muscle,
        strength: 40.0,
    };
    doll(&mut world, &def);
    world
}
