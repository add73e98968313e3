//! Hosts that die, come back with an old epoch, and partitions.

use carom_shard::{Refusal, Verdict, verdict};

use crate::cluster::{Cluster, Sums};
use crate::scenes::{four, gas};

/// A host that dies is given up: the others return to a checkpoint, one of them goes on with its
/// shard, and everything is as it would have been. It comes back, and is refused.
#[test]
fn a_dead_host_costs_ten_ticks_and_changes_nothing() {
    for dead in 0..4 {
        let count = 24;
        let world = gas(5, count, 30.0, Some(45.0));
        let mut whole = Cluster::calm(&world, &four());
        whole.run_to(400);
        let mut cluster = Cluster::calm(&world, &four());
        cluster.run_to(207);
        cluster.dead = vec![dead];
        for _ in 0..20 {
            cluster.slot();
        }
        let stopped = cluster.shards().map(|shard| shard.next_tick()).max().expect("three live");
        let living: Vec<u16> = (0..4).filter(|&host| host != dead).collect();
        assert_eq!(verdict(cluster.hosts[usize::from(living[0])].members(), &living), Verdict::GoOn);
        let plan = cluster.begin_epoch();
        assert!(stopped - plan.tick <= 12, "{} ticks are lost", stopped - plan.tick);
        assert_eq!(cluster.shards().count(), 4, "one host has two shards");
        cluster.hashes.clear();
        cluster.run_to(300);
        // It comes back as it was, sends and hears: all refuse it, and it refuses all.
        cluster.dead.clear();
        let before: Vec<u64> =
            cluster.hosts[usize::from(dead)].shards().iter().map(|of| of.next_tick()).collect();
        cluster.refusals.clear();
        for _ in 0..40 {
            cluster.slot();
        }
        assert!(cluster.refusals.contains(&(living[0], Refusal::OldEpoch)));
        assert!(cluster.refusals.contains(&(dead, Refusal::LaterEpoch)));
        let after: Vec<u64> =
            cluster.hosts[usize::from(dead)].shards().iter().map(|of| of.next_tick()).collect();
        assert!(after.iter().zip(&before).all(|(after, before)| after <= &(before + 1)), "it makes no ticks");
        cluster.dead = vec![dead];
        cluster.run_to(400);
        let differs = whole
            .hashes
            .iter()
            .find(|(key, hash)| key.0 <= 400 && cluster.hashes.get(key).is_some_and(|other| other != *hash));
        assert_eq!(differs, None, "host {dead}");
        assert!(cluster.hashes.contains_key(&(400, dead)));
        Sums::of(&cluster, count);
    }
}

/// Of any two sides that hear nothing of each other at most one goes on.
#[test]
fn at_most_one_side_of_a_partition_goes_on() {
    for count in 1..=7_u16 {
        let members: Vec<u16> = (0..count).map(|k| 3 * k + 1).collect();
        for sides in 0..3_usize.pow(u32::from(count)) {
            let side_of = |index: usize| sides / 3_usize.pow(index as u32) % 3;
            let goes_on = (0..3).filter(|&side| {
                let heard: Vec<u16> =
                    (0..members.len()).filter(|&k| side_of(k) == side).map(|k| members[k]).collect();
                !heard.is_empty() && verdict(&members, &heard) != Verdict::Stop
            });
            assert!(goes_on.count() <= 1, "{count} hosts, {sides}");
        }
    }
    assert_eq!(verdict(&[0, 1, 2, 3], &[0, 3]), Verdict::GoOn, "the half with the lowest host");
    assert_eq!(verdict(&[0, 1, 2, 3], &[1, 2]), Verdict::Stop);
}

/// A partition of two and two: the side with the lowest host goes on with all regions, the other
/// side stops, and is refused when the network is whole again.
#[test]
fn a_partition_of_two_and_two_leaves_one_owner() {
    let count = 24;
    let world = gas(9, count, 30.0, Some(45.0));
    let mut cluster = Cluster::calm(&world, &four());
    cluster.run_to(100);
    for a in [0, 1] {
        [2, 3].into_iter().for_each(|b| cluster.net.set_cut([a, b], true));
    }
    for _ in 0..30 {
        cluster.slot();
    }
    let stuck = cluster.tick();
    assert!(stuck < 105, "nobody makes ticks alone");
    cluster.dead = vec![2, 3];
    let plan = cluster.begin_epoch();
    assert_eq!(plan.members, [0, 1]);
    cluster.run_to(200);
    Sums::of(&cluster, count);
    cluster.dead.clear();
    for a in [0, 1] {
        [2, 3].into_iter().for_each(|b| cluster.net.set_cut([a, b], false));
    }
    for _ in 0..20 {
        cluster.slot();
    }
    assert!(cluster.refusals.iter().any(|&(at, why)| at < 2 && why == Refusal::OldEpoch));
    cluster.dead = vec![2, 3];
    assert!(cluster.tick() >= 200);
    Sums::of(&cluster, count);
}
