//! Single worlds of a batch: out as bytes and in again, and changed by the program.

use carom::prelude::*;
use carom::{AutoReset, Batch, LoadError};
use testkit::worlds::DT;

use super::{action, batch, batch as batch_of, bits, cart, fill, hashes, told};

/// Saved in the middle of an episode, a world goes on to the bit: as itself, as another world, and
/// in another batch; its episode comes to the same end. Bytes that are no such state change
/// nothing.
#[test]
fn a_world_goes_out_and_in() {
    let mut first = batch(6, AutoReset::NextStep);
    first.reset_all().expect("nothing is refused");
    let act = |batch: &mut Batch, step: usize, numbers: &[usize]| {
        for column in 0..2 {
            for &number in numbers {
                // All of them are pushed as world 2.
                batch.action_mut(column)[number] = 0.1 * action(2, column, step);
            }
        }
        batch.step(DT).expect("nothing is refused");
    };
    (0..20).for_each(|step| act(&mut first, step, &[2]));
    let mut bytes = Vec::new();
    assert!(first.save(2, &mut bytes) && !first.save(6, &mut bytes.clone()));
    let row = bits(first.observation_row(2));
    let mut second = batch(9, AutoReset::NextStep);
    first.load(5, &bytes).expect("its own bytes");
    second.load(8, &bytes).expect("the bytes of a batch like it");
    assert_eq!((bits(first.observation_row(5)), bits(second.observation_row(8))), (row.clone(), row));
    assert_ne!(first.seed_of(2), first.seed_of(5), "the number of a world is part of its seed");
    let mut ends = 0;
    for step in 20..120 {
        act(&mut first, step, &[2, 5]);
        act(&mut second, step, &[8]);
        let ended = first.ended()[2];
        assert_eq!([first.ended()[5], second.ended()[8]], [ended; 2], "step {step}");
        let hash = |batch: &Batch, number: usize| batch.world(number).map(World::hash);
        // Later episodes begin by other seeds.
        if ends == 0 {
            let others = [hash(&first, 5), hash(&second, 8)];
            assert_eq!(others, [hash(&first, 2); 2], "step {step}");
        }
        ends += usize::from(ended != Batch::RUNS);
        if ends > 0 {
            break;
        }
    }
    assert_eq!(ends, 1, "the episode came to its end");
    // The state before the reset is loaded over it, and the reset comes again.
    assert!(first.save(2, &mut bytes));
    second.load(0, &bytes).expect("the bytes of a batch like it");
    let last = |batch: &Batch, number: usize| {
        let count = batch.len();
        let all = batch.final_observations().chunks(count).map(|column| column[number].to_bits());
        all.collect::<Vec<u32>>()
    };
    assert_eq!(last(&second, 0), last(&first, 2), "what it showed at its end goes with it");
    assert!(last(&first, 2).iter().any(|&bits| bits != 0));
    act(&mut first, 0, &[2]);
    assert_eq!(first.ended()[2], Batch::RUNS);
    let begun = hashes(&first)[2];
    first.load(2, &bytes).expect("its own bytes");
    assert_ne!(first.ended()[2], Batch::RUNS);
    act(&mut first, 0, &[2]);
    assert_eq!((hashes(&first)[2], first.ended()[2]), (begun, Batch::RUNS));
    // A reset after a load leads to the bits of any other reset.
    let mut third = batch(6, AutoReset::NextStep);
    first.set_seed(11);
    first.reset_all().expect("nothing is refused");
    third.reset_all().expect("nothing is refused");
    assert_eq!(hashes(&first), hashes(&third));
    hostile_bytes(&mut first, &bytes);
}

fn hostile_bytes(batch: &mut Batch, bytes: &[u8]) {
    let before = told(batch);
    let mut plain = Vec::new();
    batch.world(0).expect("the first").save_into(&mut plain);
    assert!(batch.load(0, &plain).is_err() && batch.load(0, &[]).is_err());
    assert!(matches!(batch.load(6, bytes), Err(LoadError::Broken(_))));
    for at in (0..bytes.len()).step_by(7).chain(bytes.len() - 40..bytes.len()) {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 0x10;
        assert!(batch.load(0, &damaged).is_err(), "byte {at}");
        assert!(batch.load(0, &bytes[..at]).is_err(), "cut at {at}");
    }
    assert_eq!(told(batch), before);
}

/// A world in the hands of the program: changed, exchanged for another one, told to use threads;
/// its next reset leads to the start all the same.
#[test]
fn a_world_may_be_changed_by_hand() {
    let mut batch = batch(3, AutoReset::Never);
    batch.reset_all().expect("nothing is refused");
    let begun = hashes(&batch);
    let it = cart();
    let world = batch.world_mut(1).expect("the second");
    world.teleport(it.cart, [1.5, 0.75], None).expect("a place");
    assert_ne!(batch.observation_row(1)[0], 1.5);
    batch.observe(1);
    assert_eq!((batch.observation_row(1)[0], batch.observation(0)[1]), (1.5, 1.5));
    let world = batch.world_mut(2).expect("the third");
    *world = World::new(WorldDef::default().unit(50.0).periodic(2, 2));
    world.set_threads(4);
    (0..40).for_each(|_| batch.step(DT).expect("nothing is refused"));
    assert_eq!(batch.world(2).map(World::threads), Some(1));
    assert!(batch.observation_row(2).iter().all(|&number| number == 0.0));
    batch.set_seed(11);
    batch.reset_all().expect("nothing is refused");
    assert_eq!(hashes(&batch), begun);
    let mut fresh = batch_of(3, AutoReset::Never);
    fresh.reset_all().expect("nothing is refused");
    for step in 0..40 {
        fill(&mut batch, step);
        fill(&mut fresh, step);
        batch.step(DT).expect("nothing is refused");
        fresh.step(DT).expect("nothing is refused");
        assert_eq!(hashes(&batch), hashes(&fresh), "step {step}");
    }
    assert!(batch.world_mut(3).is_none());
    batch.observe(3);
}
