//! Who gets clusters that may meet.
//!
//! In: the claims of all shards of one tick. Out: for each claim the shard that has it after the
//! next cut. Every shard computes this from the same messages, and comes to the same.
//!
//! Claims with boxes that overlap belong together, directly or through others. The shard with most
//! of their mass gets all of them, of two with as much the one with the lower number. Masses are
//! summed in the order of keys, so sums have the same bits everywhere.

use crate::meet::{Reach, meet};
use crate::{Claim, ShardId};

/// The result for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The key of the claim.
    pub key: u64,
    /// The shard that has it now.
    pub from: ShardId,
    /// The shard that gets it, or keeps it.
    pub to: ShardId,
    /// Whether it meets claims of other shards.
    pub is_contested: bool,
}

/// Settles the claims of a tick. The result is sorted by key.
#[must_use]
pub fn settle<'c>(claims: impl Iterator<Item = &'c Claim>) -> Vec<Settled> {
    let mut claims: Vec<&Claim> = claims.collect();
    claims.sort_by_key(|claim| (claim.key, claim.owner));
    let mut reaches = Vec::new();
    for (of, claim) in claims.iter().enumerate() {
        reaches.extend(claim.boxes.iter().map(|&bounds| Reach { of, bounds, speed: claim.speed }));
    }
    let groups = meet(claims.len(), &mut reaches);
    // The owners of each group and their masses, in the order of keys.
    let mut owners: Vec<Vec<(ShardId, f64)>> = vec![Vec::new(); claims.len()];
    for (index, claim) in claims.iter().enumerate() {
        let owners = &mut owners[groups.root(index)];
        match owners.iter_mut().find(|(owner, _)| *owner == claim.owner) {
            Some((_, mass)) => *mass += claim.mass,
            None => owners.push((claim.owner, claim.mass)),
        }
    }
    let settled = |(index, claim): (usize, &&Claim)| {
        let owners = &owners[groups.root(index)];
        let heavier = |one: &&(ShardId, f64), other: &&(ShardId, f64)| {
            one.1.total_cmp(&other.1).then(other.0.cmp(&one.0))
        };
        let to = owners.iter().max_by(heavier).map_or(claim.owner, |(owner, _)| *owner);
        Settled { key: claim.key, from: claim.owner, to, is_contested: owners.len() > 1 }
    };
    claims.iter().enumerate().map(settled).collect()
}
