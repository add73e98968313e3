//! The message of a shard to all others in a tick.

use carom::broadphase::WorldAabb;

use crate::{Input, ShardId};

/// The message of a shard in a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The shard that sent it, and the tick before whose step it did.
    pub from: ShardId,
    /// The tick.
    pub tick: u64,
    /// Clusters of islands that may meet other shards' islands, sorted by key.
    pub claims: Vec<Claim>,
    /// Bodies that change hands, in the order in which they were cut.
    pub moves: Vec<Moved>,
    /// Inputs that clients gave to this shard since the message before.
    pub inputs: Vec<Input>,
}

/// A cluster of islands that must stay in one world, and how far it may get.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The least key of its bodies.
    pub key: u64,
    /// The shard that has it in the next tick, if nothing is settled about it.
    pub owner: ShardId,
    /// Its mass in kilograms.
    pub mass: f64,
    /// The greatest speed of its bodies, with the speed that inputs will add.
    pub speed: f32,
    /// Boxes that hold its islands for [`crate::AHEAD`] ticks; islands far from all other shards
    /// have none.
    pub boxes: Vec<WorldAabb>,
}

/// Bodies that change hands.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Their new owner.
    pub to: ShardId,
    /// The key of the cluster's claim.
    pub key: u64,
    /// The keys of the bodies, in the order of the piece.
    pub bodies: Vec<u64>,
    /// The bytes of the [`carom::Piece`], cut with its corner at the origin.
    pub piece: Vec<u8>,
}

impl Message {
    /// Bytes that a plain encoding takes, without pieces: 24 of a box, 22 of a claim, 8 of
    /// a body's key, 24 of an input, 16 of the message.
    #[must_use]
    pub fn size(&self) -> usize {
        let claims: usize = self.claims.iter().map(|claim| 22 + 24 * claim.boxes.len()).sum();
        let moves: usize = self.moves.iter().map(|moved| 10 + 8 * moved.bodies.len()).sum();
        16 + claims + moves + 24 * self.inputs.len()
    }
}
