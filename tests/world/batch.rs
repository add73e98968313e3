//! Many worlds at once: each is a world alone, whatever the others and the threads do.

use carom::prelude::*;
use carom::{Batch, Error};
use testkit::memory;
use testkit::random::Random;
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
