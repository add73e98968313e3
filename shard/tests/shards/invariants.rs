//! Bodies, mass, momentum, owners and contacts in every tick; equal hashes on any network.

use std::time::{Duration, Instant};

use carom::Body;
use carom::prelude::*;
use carom_shard::{DT, Net, Weather};
use testkit::worlds::add;

use crate::cluster::{Cluster, Sums};
use crate::scenes::{four, gas, heaps, two};

/// A gas at 50 m/s that flies together over the corner of four shards and apart again: mass and
/// momentum are kept, and no body touches one of another shard.
#[test]
fn a_fast_gas_keeps_its_momentum_over_borders() {
    let (mut moves, mut worst) = (0, [0.0_f64; 2]);
    for seed in 0..4 {
        let count = 40;
        let mut cluster = Cluster::calm(&gas(seed, count, 50.0, None), &four());
        let first = Sums::of(&cluster, count);
        let scale = first.mass * 50.0;
        let mut whole = gas(seed, count, 50.0, None);
        for tick in 0..240 {
            cluster.run_to(tick + 1);
            let now = Sums::of(&cluster, count);
            assert_eq!(now.violations, 0, "seed {seed}, tick {tick}");
            assert!((now.mass - first.mass).abs() < 1e-9 * first.mass);
            whole.step(DT).expect("a step");
            let drift =
                (0..2).map(|axis| (now.momentum[axis] - first.momentum[axis]).abs()).fold(0.0, f64::max);
            let undivided = (0..2).map(|axis| (momentum(&whole)[axis] - first.momentum[axis]).abs());
            let undivided = undivided.fold(0.0, f64::max);
            worst = [f64::max(worst[0], drift / scale), f64::max(worst[1], undivided / scale)];
        }
        moves += cluster.shards().map(|shard| shard.counts().bodies).sum::<u64>();
    }
    println!("{moves} bodies changed hands, momentum drifts by {worst:?} of its scale, divided and not");
    assert!(moves > 60 && worst[0] < 1.0e-5 + 1.01 * worst[1]);
}

/// The momentum of a world.
fn momentum(world: &World) -> [f64; 2] {
    let of = |velocity: f32, mass: f32| f64::from(velocity) * f64::from(mass);
    let add = |[x, y]: [f64; 2], (_, body): (BodyId, &Body)| {
        [x + of(body.velocity().x, body.mass()), y + of(body.velocity().y, body.mass())]
    };
    world.bodies().filter(|(_, body)| body.kind() == BodyKind::Dynamic).fold([0.0; 2], add)
}

/// Ticks and seeds of a gas in a box, in the time that is given.
fn gas_for(time: Duration, ticks: u64) -> (u64, u64, u64) {
    let (begin, mut seed, mut moves) = (Instant::now(), 0, 0);
    while seed == 0 || begin.elapsed() < time {
        let count = 24;
        let mut cluster = Cluster::calm(&gas(100 + seed, count, 30.0, Some(45.0)), &four());
        let first = Sums::of(&cluster, count);
        for tick in 0..ticks {
            cluster.run_to(tick + 1);
            let now = Sums::of(&cluster, count);
            assert_eq!(now.violations, 0, "seed {seed}, tick {tick}");
            assert!((now.mass - first.mass).abs() < 1e-9 * first.mass);
        }
        moves += cluster.shards().map(|shard| shard.counts().bodies).sum::<u64>();
        seed += 1;
    }
    (seed, seed * ticks, moves)
}

#[test]
fn a_gas_in_a_box_loses_no_body() {
    let (seeds, ticks, moves) = gas_for(Duration::from_secs(10), 1_000);
    println!("{seeds} seeds, {ticks} ticks, {moves} bodies changed hands");
    assert!(moves > 20 * seeds);
}

#[test]
#[ignore = "takes twenty minutes: for changes to the protocol"]
fn a_gas_in_a_box_loses_no_body_for_long() {
    let (seeds, ticks, moves) = gas_for(Duration::from_secs(1200), 100_000);
    println!("{seeds} seeds, {ticks} ticks, {moves} bodies changed hands");
}

/// Whatever the network does, all shards have the same hashes in every tick.
#[test]
fn hashes_are_equal_on_any_network() {
    for seed in 0..3 {
        let (heaps, count) = heaps(seed);
        for (world, layout, count) in [(gas(seed, 24, 30.0, Some(45.0)), four(), 24), (heaps, two(), count)] {
            let ticks = 300;
            let mut calm = Cluster::calm(&world, &layout);
            for tick in 0..ticks {
                calm.run_to(tick + 1);
                Sums::of(&calm, count);
            }
            let moves: u64 = calm.shards().map(|shard| shard.counts().bodies).sum();
            assert!(moves > 0, "something crosses");
            for weather in [Weather::STORM, Weather { loss: 0.3, repeat: 0.5, delay: 9 }] {
                let mut storm = Cluster::new(&world, &layout, Net::new(seed + 7, weather));
                storm.run_to(ticks);
                let differs = calm.hashes.iter().find(|(key, hash)| {
                    key.0 <= ticks && storm.hashes.get(key).is_some_and(|other| other != *hash)
                });
                assert_eq!(differs, None, "{weather:?}");
                let all = (0..=ticks).flat_map(|tick| (0..layout.count()).map(move |shard| (tick, shard)));
                assert!(all.skip(usize::from(layout.count())).all(|key| storm.hashes.contains_key(&key)));
            }
        }
    }
}

/// Islands that touch are in one shard: joints and heaps over the border move as one.
#[test]
fn heaps_and_chains_over_a_border_stay_whole() {
    for seed in 0..3 {
        let (world, count) = heaps(seed);
        let joints = world.joints().count();
        let mut cluster = Cluster::calm(&world, &two());
        for tick in 0..600 {
            cluster.run_to(tick + 1);
            Sums::of(&cluster, count);
        }
        let now: usize = cluster.shards().map(|shard| shard.world().joints().count()).sum();
        assert_eq!(now, joints, "no joint is lost");
        let counts: Vec<_> = cluster.shards().map(|shard| shard.counts()).collect();
        let bytes: u64 = counts.iter().map(|counts| counts.piece_bytes).sum();
        let bodies: u64 = counts.iter().map(|counts| counts.bodies).sum();
        let boxes: u64 = counts.iter().map(|counts| counts.boxes).sum();
        let messages: u64 = counts.iter().map(|counts| counts.message_bytes).sum();
        println!("seed {seed}: {bodies} bodies in {bytes} bytes; {boxes} boxes in {messages} bytes");
        assert!(bodies > 0);
    }
}

/// A heap of 200 in one piece: the bytes of its hand-over.
#[test]
fn a_hand_over_of_two_hundred_bodies_is_small() {
    let mut world = World::default();
    add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(80.0, 2.0)));
    let heap: Vec<BodyId> = (0..200)
        .map(|k| {
            let at = [(k % 20) as f32 * 1.02 - 10.0, 0.5 + (k / 20) as f32 * 1.01];
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)).user_data(k))
        })
        .collect();
    (0..20).for_each(|_| _ = world.step(DT).expect("a step"));
    let (begin, mut bytes) = (Instant::now(), Vec::new());
    let piece = world.extract(&heap).expect("they are there");
    piece.write(&mut bytes);
    let cut = begin.elapsed();
    let piece = Piece::read(&bytes).expect("nobody touched the bytes");
    let read = begin.elapsed();
    world.paste(&piece, WorldPoint::ORIGIN).expect("there is room");
    let (whole, contacts) = (begin.elapsed(), piece.world().contacts().count());
    println!("200 bodies, {contacts} contacts: {} bytes", bytes.len());
    println!("cut and written {cut:?}, read {:?}, pasted {:?}", read - cut, whole - read);
    assert!(bytes.len() < 60_000);
}
