//! Many worlds at once: each is a world alone, whatever the others and the threads do.

use carom::prelude::*;
use carom::{Batch, Error, Limits, Mass};
use testkit::memory;
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, earth, ground, valid};

/// A cart with a pole on it, on the ground, beside a crate that falls: contacts, a joint that
/// drives, and one that only holds.
struct Cart {
    world: World,
    cart: BodyId,
    pole: BodyId,
}

fn cart() -> Cart {
    let mut world = earth();
    ground(&mut world);
    let cart = add(&mut world, BodyDef::dynamic().at([0.0, 0.75]).shape(Shape::rect(1.0, 0.5)));
    let pole = add(&mut world, BodyDef::dynamic().at([0.0, 1.75]).shape(Shape::rect(0.1, 1.5)));
    add(&mut world, BodyDef::dynamic().at([3.0, 2.0]).shape(Shape::rect(1.0, 1.0)));
    world.add_joint(JointDef::prismatic(None, cart, [1.0, 0.0])).expect("it breaks no rule");
    world.add_joint(JointDef::revolute(cart, pole).at([0.0, 1.0])).expect("it breaks no rule");
    Cart { world, cart, pole }
}

fn push(world: &mut World, cart: BodyId, force: f32) -> Result<(), Error> {
    world.apply_force(cart, [force, 0.0])
}

fn lean(world: &mut World, pole: BodyId, seed: u64) -> Result<(), Error> {
    world.set_angular_velocity(pole, (seed % 1_000) as f32 * 1.0e-3 - 0.5)
}

/// Position of the cart, angle of the pole, and speed of the cart.
fn see(world: &World, cart: BodyId, pole: BodyId) -> [f32; 3] {
    [world[cart].position().x, world[pole].angle(), world[cart].velocity().x]
}

fn batch(count: usize, threads: usize) -> Batch {
    let Cart { world, cart, pole } = cart();
    Batch::new(&world, count)
        .expect("not too many")
        .seed(11)
        .threads(threads)
        .variation(move |world, seed| lean(world, pole, seed))
        .actions(1, move |world, actions| push(world, cart, actions[0]))
        .observations(3, move |world, seen| seen.copy_from_slice(&see(world, cart, pole)))
}

/// What is done to world `number` in step `step`.
fn force(number: usize, step: usize) -> f32 {
    Random::new((number * 1_000 + step) as u64).range(-20.0_f32, 20.0)
}

/// Whether world `number` begins anew after step `step`.
fn begins_anew(number: usize, step: usize) -> bool {
    (number + step) % 37 == 36
}

/// Steps and resets; hashes of all worlds, and their observations, after each step.
fn played(batch: &mut Batch, steps: usize) -> Vec<(Vec<u64>, Vec<u32>)> {
    let count = batch.len();
    let hashes = |batch: &Batch| (0..count).filter_map(|k| batch.world(k)).map(World::hash).collect();
    batch.reset_all().expect("nothing is refused");
    let mut all = Vec::new();
    for step in 0..steps {
        batch.action_mut(0).iter_mut().enumerate().for_each(|(k, action)| *action = force(k, step));
        batch.step(DT).expect("nothing is refused");
        let mask: Vec<bool> = (0..count).map(|k| begins_anew(k, step)).collect();
        batch.reset(&mask).expect("nothing is refused");
        let seen = batch.columns().1.iter().map(|x| x.to_bits()).collect();
        all.push((hashes(batch), seen));
    }
    (0..count).filter_map(|k| batch.world(k)).for_each(valid);
    all
}

/// 70 worlds, pushed differently and begun anew now and then: the bits of the same world alone, and
/// the columns are what it tells.
#[test]
fn each_world_is_a_world_alone() {
    let (count, steps) = (70, 60);
    let Cart { world: start, cart, pole } = cart();
    let mut batch = batch(count, 1);
    let all = played(&mut batch, steps);
    let again = batch.seed_of(3).expect("there is a fourth world");
    for number in [0, 3, 15, 16, 69] {
        let mut resets = 0;
        let mut begin = |world: &mut World| {
            resets += 1;
            world.clone_from(&start);
            lean(world, pole, seed_after(number, resets)).expect("nothing is refused");
        };
        let mut world = start.clone();
        begin(&mut world);
        for (step, (hashes, seen)) in all.iter().enumerate() {
            push(&mut world, cart, force(number, step)).expect("nothing is refused");
            world.step(DT).expect("dt is in range");
            if begins_anew(number, step) {
                begin(&mut world);
            }
            assert_eq!(hashes[number], world.hash(), "world {number}, step {step}");
            let told = [0, 1, 2].map(|column| f32::from_bits(seen[column * count + number]));
            assert_eq!(told, see(&world, cart, pole), "world {number}, step {step}");
        }
    }
    assert_eq!(again, seed_after(3, 2), "world 3 began twice");
}

/// The seed of a world that was reset so often.
fn seed_after(number: usize, resets: usize) -> u64 {
    let mut batch = batch(number + 1, 1);
    (0..resets).for_each(|_| batch.reset_all().expect("nothing is refused"));
    batch.seed_of(number).expect("there is such a world")
}

/// A chain of five links with motors and limits, one on springs, a loop of four planks, and two
/// wheels in gear, over some crates.
fn workshop() -> (World, Vec<BodyId>, Vec<JointId>) {
    let mut world = earth();
    ground(&mut world);
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    let place = |world: &mut World, at: [f32; 2], size: [f32; 2]| {
        add(world, BodyDef::dynamic().at(at).shape(Shape::rect(size[0], size[1])))
    };
    for (y, is_sprung) in [(6.0, false), (7.5, true)] {
        let mut last = None;
        for k in 0..5 {
            let x = k as f32;
            let link = place(&mut world, [x, y], [0.8, 0.2]);
            let hinge = match last {
                Some(last) => JointDef::revolute(last, link),
                None => JointDef::revolute(None, link),
            };
            let hinge = hinge.at([x - 0.5, y]).limits(-1.0, 1.0);
            let joint = if is_sprung {
                JointDef { spring: Some(Spring::new(3.0, 0.5)), ..hinge }
            } else {
                hinge.motor(1.0, 5.0)
            };
            joints.push(world.add_joint(joint).expect("it breaks no rule"));
            bodies.push(link);
            last = Some(link);
        }
    }
    (0..6).for_each(|k| {
        bodies.push(place(&mut world, [-3.0 - (k % 2) as f32, 0.5 + (k / 2) as f32], [1.0; 2]))
    });
    (world, bodies, joints)
}

/// One of some things that a game does to a world between two steps, by a number.
fn meddle(world: &mut World, bodies: &[BodyId], joints: &[JointId], number: f32) -> Result<(), Error> {
    let mut random = Random::new(u64::from(number.to_bits()));
    let body = bodies[random.below(bodies.len())];
    let joint = joints[random.below(joints.len())];
    let at = [random.range(-4.0_f32, 6.0), random.range(1.0_f32, 9.0)];
    match random.below(24) {
        0..=3 => {
            _ = world.change_joint(joint, |def| def.drive.motor = Some(Motor { speed: at[0], max: 9.0 }))
        }
        4 => _ = world.remove_joint(joint),
        5 => _ = world.remove(body),
        6 => _ = world.add(BodyDef::dynamic().at(at).shape(Shape::circle(0.3))),
        7 => _ = world.teleport(body, at, Some(at[0])),
        // A loop, as long as it lasts: two links are held together, or one is held to the ground.
        8 => _ = world.add_joint(JointDef::distance(bodies[1], bodies[8])),
        9 => _ = world.add_joint(JointDef::revolute(bodies[0], bodies[2])),
        10 => {
            let last = world.joints().map(|(id, _)| id).last();
            last.map(|id| world.remove_joint(id));
        }
        11 => _ = world.change_joint(joint, |def| def.break_force = 40.0),
        12 => _ = world.add_joint(JointDef::gear(joints[1], joints[7], 2.0)),
        13 => _ = world.set_enabled(body, at[0] > 0.0),
        14 => _ = world.set_kind(body, if at[0] > 2.0 { BodyKind::Kinematic } else { BodyKind::Dynamic }),
        15 => world.step(0.0).map(|_| ())?,
        16 => {
            _ = world.change_joint(joint, |def| def.drive.limits = Some(Limits { lower: -0.2, upper: 0.9 }))
        }
        17 => _ = world.apply_impulse(body, [at[0], at[1]]),
        18 => _ = world.set_joint_enabled(joint, at[0] > 0.0),
        19 => {
            _ = world.set_mass(body, Some(Mass { mass: at[1], center: vec2(0.1, 0.0), inertia: 0.5 * at[1] }))
        }
        20 => _ = world.set_locks(body, if at[0] > 2.0 { Locks::ROTATION } else { Locks::default() }),
        // Over the border of a region.
        21 => _ = world.teleport(body, [at[0] + 511.0, at[1]], None),
        _ => {}
    }
    Ok(())
}

/// 30 worlds that become as different as can be, and share what their threads step in: each has the
/// bits of the same world alone, and tells the same forces of its joints.
#[test]
fn worlds_that_part_ways_are_each_a_world_alone() {
    let (count, steps) = (rounds(10, 30), 150);
    let (start, bodies, joints) = workshop();
    let forces = |world: &World| -> f32 {
        let all = world.joints().filter_map(|(id, _)| world.joint_state(id));
        all.map(|state| state.force.length() + state.torque.abs()).sum()
    };
    let (of_batch, hinges) = (bodies.clone(), joints.clone());
    let mut batch = Batch::new(&start, count)
        .expect("not too many")
        .threads(2)
        .repeat(2)
        .actions(1, move |world, numbers| meddle(world, &of_batch, &hinges, numbers[0]))
        .observations(1, move |world, seen| seen[0] = forces(world));
    let mut alone: Vec<World> = (0..count).map(|_| start.clone()).collect();
    for step in 0..steps {
        for (number, world) in alone.iter_mut().enumerate() {
            batch.action_mut(0)[number] = force(number, step);
            for _ in 0..2 {
                meddle(world, &bodies, &joints, force(number, step)).expect("nothing is refused");
                world.step(DT).expect("dt is in range");
            }
        }
        batch.step(DT).expect("nothing is refused");
        for (number, world) in alone.iter().enumerate() {
            let its = batch.world(number).expect("there is such a world");
            assert_eq!(its.hash(), world.hash(), "world {number}, step {step}");
            assert_eq!(batch.observation(0)[number], forces(world), "world {number}, step {step}");
            valid(its);
        }
        if step % 50 == 49 {
            let mask: Vec<bool> = (0..count).map(|number| (number + step) % 3 == 0).collect();
            batch.reset(&mask).expect("a place for each");
            let again = alone.iter_mut().zip(&mask).filter(|&(_, &begins)| begins);
            again.for_each(|(world, _)| world.clone_from(&start));
        }
    }
    alone.iter().for_each(valid);
}

/// 1, 2, 3 and 8 threads, of a pool that has as many: the same bits in every world and column.
#[test]
fn threads_do_not_change_a_bit() {
    let reference = played(&mut batch(70, 1), 40);
    for threads in [2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let same = pool.install(|| played(&mut batch(70, threads), 40));
        assert!(same == reference, "{threads} threads");
    }
}

/// A reset leads to the bits of the first beginning, whatever happened: what was removed is there
/// again, and what fell stands.
#[test]
fn a_reset_undoes_everything() {
    let Cart { world, cart, .. } = cart();
    let mut batch = Batch::new(&world, 3).expect("three").actions(2, move |world, actions| {
        if actions[0] > 0.0 && world.get(cart).is_some() {
            world.remove(cart)?;
        }
        if actions[1] > 0.0 {
            world.add(BodyDef::dynamic().at([0.0, 9.0]).shape(Shape::circle(0.5)))?;
        }
        Ok(())
    });
    let first = |batch: &Batch| [0, 1, 2].map(|k| batch.world(k).map(World::hash));
    let begun = first(&batch);
    for round in 0..3 {
        batch.action_mut(0).copy_from_slice(&[1.0, 0.0, 0.0]);
        batch.action_mut(1).copy_from_slice(&[0.0, 1.0, 0.0]);
        (0..30).for_each(|_| batch.step(DT).expect("nothing is refused"));
        assert_ne!(first(&batch), begun, "round {round}");
        batch.reset(&[true, false, true]).expect("three places");
        let now = first(&batch);
        assert_eq!([now[0], now[2]], [begun[0], begun[2]], "round {round}");
        assert_ne!(now[1], begun[1], "who is not asked for goes on");
        batch.reset_all().expect("nothing is refused");
        assert_eq!(first(&batch), begun, "round {round}");
    }
}

/// Actions that last: one call makes as many steps as so many calls would.
#[test]
fn repeated_actions_are_steps_in_a_row() {
    let (mut often, mut long) = (batch(20, 1), batch(20, 1).repeat(4));
    for batch in [&mut often, &mut long] {
        batch.reset_all().expect("nothing is refused");
        batch.action_mut(0).fill(5.0);
    }
    (0..8).for_each(|_| often.step(DT).expect("nothing is refused"));
    (0..2).for_each(|_| long.step(DT).expect("nothing is refused"));
    let hashes = |batch: &Batch| (0..20).map(|k| batch.world(k).map(World::hash)).collect::<Vec<_>>();
    assert_eq!(hashes(&often), hashes(&long));
    assert_eq!(long.world(7).map(World::step_count), Some(8));
}

/// Seeds differ between worlds, resets and batches, and are the same in a batch like it.
#[test]
fn seeds_are_of_a_batch_a_world_and_a_reset() {
    let Cart { world, .. } = cart();
    let seeds = |seed: u64| {
        let mut batch = Batch::new(&world, 50).expect("fifty").seed(seed);
        let of_all = |batch: &Batch| (0..50).filter_map(|k| batch.seed_of(k)).collect::<Vec<_>>();
        let before = of_all(&batch);
        batch.reset_all().expect("nothing is refused");
        [before, of_all(&batch)].concat()
    };
    let mut all = [seeds(1), seeds(2)].concat();
    assert_eq!(seeds(1), all[..100]);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 200);
}

/// Once the worlds have their sizes, resets allocate nothing, and steps hardly anything, but for
/// the first one after a reset: it lays out what joints hold.
#[test]
fn warm_resets_allocate_nothing_and_steps_hardly_anything() {
    let mut world = earth();
    ground(&mut world);
    let boxes: [BodyId; 12] = core::array::from_fn(|k| {
        let at = [1.2 * (k % 4) as f32, 0.6 + 1.1 * (k / 4) as f32];
        add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)))
    });
    let mut batch = Batch::new(&world, 40)
        .expect("not too many")
        .variation(move |world, seed| world.set_velocity(boxes[0], [(seed % 9) as f32 - 4.0, 0.0]))
        .actions(1, move |world, actions| push(world, boxes[11], actions[0]))
        .observations(1, move |world, seen| seen[0] = world[boxes[11]].position().y);
    let mask = [[true, false]; 20];
    let mut episode = || {
        let reset = memory::asked_by(|| {
            batch.reset_all().expect("nothing is refused");
            batch.reset(mask.as_flattened()).expect("forty places");
        });
        batch.step(DT).expect("nothing is refused");
        let steps = memory::asked_by(|| (0..100).for_each(|_| batch.step(DT).expect("nothing is refused")));
        [reset.pieces, steps.pieces]
    };
    for round in 0..6 {
        let asked = episode();
        // Each episode is another one, so a list may still reach a size that it never had: two in a
        // hundred steps of a world.
        assert!(round < 4 || asked[0] == 0 && asked[1] <= 80, "{asked:?}");
    }
}

/// What is refused changes nothing; what a function of the program is refused is told, and the
/// other worlds go on.
#[test]
fn batches_refuse_what_is_wrong() {
    let Cart { world, cart, .. } = cart();
    let why = |error: Result<(), Error>| error.expect_err("it is refused").to_string();
    for count in [0, usize::MAX] {
        assert!(Batch::new(&world, count).is_err());
    }
    let mut batch = batch(2, 1);
    batch.reset_all().expect("nothing is refused");
    let before = batch.world(1).map(World::hash);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        batch.action_mut(0)[1] = bad;
        assert_eq!(why(batch.step(DT)), "actions must be finite");
    }
    batch.action_mut(0)[1] = 0.0;
    for bad in [f32::NAN, f32::INFINITY, -DT, 1.5] {
        assert!(batch.step(bad).is_err());
    }
    for mask in [&[][..], &[true], &[true; 3]] {
        assert_eq!(why(batch.reset(mask)), "a mask has a place for each world of the batch");
    }
    assert_eq!(batch.world(1).map(World::hash), before);
    assert!(batch.observation(3).is_empty() && batch.action_mut(1).is_empty());
    assert!(batch.world(2).is_none() && batch.seed_of(2).is_none());

    let mut odd = Batch::new(&world, 3).expect("three").actions(1, move |world, actions| {
        if actions[0] > 0.0 { world.apply_force(cart, [f32::NAN, 0.0]) } else { Ok(()) }
    });
    odd.action_mut(0)[1] = 1.0;
    assert!(matches!(odd.step(DT), Err(Error::BadNumber(_))));
    odd.action_mut(0)[1] = 0.0;
    assert_eq!(odd.step(DT), Ok(()));
    let steps = [0, 1, 2].map(|k| odd.world(k).map(World::step_count));
    assert_eq!(steps, [Some(2); 3]);
}
