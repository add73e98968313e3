//! A host: a process that runs one shard or several, and keeps checkpoints of its neighbours'.
//!
//! In: packets of other hosts, in any order and number. Out: ticks of its shards, each made when
//! all messages of the tick before are there; packets for others.
//!
//! ```text
//!   Message   of a shard in a tick, to every host
//!   Ask       for a message that is missing: the sender repeats it
//!   Keep      a checkpoint of a shard, every KEEP ticks, to the two next hosts
//!   GivenUp   to a host of an older epoch: its shards are elsewhere by now
//! ```
//!
//! If a host falls silent, the side that may go on (`quorum.rs`) begins the next epoch: its hosts
//! return to the latest tick with a checkpoint of every shard, and the shards of the lost host go
//! on at the hosts that have their checkpoints. All shards return to one tick (a consistent cut),
//! so no body is lost or doubled, and the world goes on to the bit as if no host had been lost.
//! Inputs that came after that tick are lost, unless clients give them again. Packets of an older
//! epoch are refused, and so is a host that comes back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::{Broken, Input, Message, Shard, ShardId};

/// The number of a host.
pub type HostId = u16;

/// Ticks from one checkpoint to the next.
const KEEP: u64 = 10;

/// How many ticks messages and checkpoints are kept.
const KEPT: u64 = 4 * KEEP;

/// A packet from one host to another.
#[derive(Clone, Debug)]
pub struct Packet {
    /// The epoch of the sender.
    pub epoch: u32,
    /// The sender.
    pub from: HostId,
    /// Its content.
    pub cargo: Cargo,
}

/// The content of a packet.
#[derive(Clone, Debug)]
pub enum Cargo {
    /// The message of a shard.
    Message(Message),
    /// A question for the message of a shard in a tick.
    Ask(ShardId, u64),
    /// A checkpoint: a shard before a tick.
    Keep(Box<Shard>),
    /// The answer to a packet of an older epoch.
    GivenUp,
}

/// Why a packet was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its sender is in an older epoch: it was given up, and others have its regions.
    OldEpoch,
    /// Its sender is in a later epoch: this host was given up.
    LaterEpoch,
    /// Its sender is no member.
    Stranger,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::OldEpoch => "the sender is in an older epoch",
            Refusal::LaterEpoch => "the sender is in a later epoch",
            Refusal::Stranger => "the sender is no member",
        })
    }
}

impl std::error::Error for Refusal {}

/// See the head of this file.
#[derive(Debug)]
pub struct Host {
    id: HostId,
    epoch: u32,
    members: Vec<HostId>,
    /// The host of each shard.
    homes: Vec<HostId>,
    shards: Vec<Shard>,
    messages: BTreeMap<(u64, ShardId), Message>,
    kept: BTreeMap<(u64, ShardId), Shard>,
    inputs: BTreeMap<ShardId, Vec<Input>>,
    /// Slots in which nothing happened.
    waits: u32,
}

impl Host {
    /// A host of some shards; entry k of `homes` is the host of shard k.
    #[must_use]
    pub fn new(id: HostId, homes: Vec<HostId>, shards: Vec<Shard>) -> Host {
        let members: Vec<HostId> = homes.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let kept = shards.iter().map(|shard| ((shard.next_tick(), shard.number()), shard.clone())).collect();
        let (messages, inputs) = (BTreeMap::new(), BTreeMap::new());
        Host { id, epoch: 0, members, homes, shards, messages, kept, inputs, waits: 0 }
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> HostId {
        self.id
    }

    /// Its epoch.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The hosts of this epoch.
    #[must_use]
    pub fn members(&self) -> &[HostId] {
        &self.members
    }

    /// Its shards.
    #[must_use]
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// Takes an input of a client, for the next message of one of its shards. An input may be given
    /// several times, and to several hosts: it is applied once. Returns false without a shard.
    pub fn give(&mut self, input: Input) -> bool {
        let Some(first) = self.shards.first() else { return false };
        self.inputs.entry(first.number()).or_default().push(input);
        true
    }

    /// Takes a packet; answers go to `out`.
    ///
    /// # Errors
    /// A packet of another epoch, or of a host that is no member: nothing changes.
    pub fn receive(&mut self, packet: Packet, out: &mut Vec<(HostId, Packet)>) -> Result<(), Refusal> {
        if packet.epoch < self.epoch {
            out.push((packet.from, self.packet(Cargo::GivenUp)));
            return Err(Refusal::OldEpoch);
        }
        if packet.epoch > self.epoch {
            return Err(Refusal::LaterEpoch);
        }
        if !self.members.contains(&packet.from) {
            return Err(Refusal::Stranger);
        }
        match packet.cargo {
            Cargo::Message(message) => {
                _ = self.messages.entry((message.tick, message.from)).or_insert(message);
            }
            Cargo::Ask(shard, tick) => {
                if let Some(message) = self.messages.get(&(tick, shard)) {
                    out.push((packet.from, self.packet(Cargo::Message(message.clone()))));
                }
            }
            Cargo::GivenUp => {}
            Cargo::Keep(shard) => _ = self.kept.insert((shard.next_tick(), shard.number()), *shard),
        }
        Ok(())
    }

    fn packet(&self, cargo: Cargo) -> Packet {
        Packet { epoch: self.epoch, from: self.id, cargo }
    }

    /// Makes a tick of each shard whose messages are there. Asks for missing messages after
    /// `patience` calls without a tick. Returns how many ticks were made.
    ///
    /// # Errors
    /// A shard that broke.
    pub fn advance(&mut self, patience: u32, out: &mut Vec<(HostId, Packet)>) -> Result<u32, Broken> {
        let mut made = 0;
        for index in 0..self.shards.len() {
            let (tick, number) = (self.shards[index].next_tick(), self.shards[index].number());
            let mut missing = Vec::new();
            if let Some(before) = tick.checked_sub(1) {
                let is_missing = |shard: &ShardId| !self.messages.contains_key(&(before, *shard));
                missing.extend((0..self.homes.len() as ShardId).filter(is_missing));
            }
            if missing.is_empty() {
                let message = self.make_tick(index)?;
                self.send_message(&message, out);
                self.messages.insert((tick, number), message);
                made += 1;
            } else if self.waits >= patience {
                for shard in missing {
                    let ask = self.packet(Cargo::Ask(shard, tick - 1));
                    out.push((self.homes[usize::from(shard)], ask));
                }
            }
        }
        self.waits = if made > 0 || self.waits >= patience { 0 } else { self.waits + 1 };
        for index in 0..self.shards.len() {
            self.keep(index, out);
        }
        let oldest = self.shards.iter().map(Shard::next_tick).min().unwrap_or(0).saturating_sub(KEPT);
        self.messages.retain(|&(tick, _), _| tick >= oldest);
        self.kept.retain(|&(tick, _), _| tick >= oldest);
        Ok(made)
    }

    fn make_tick(&mut self, index: usize) -> Result<Message, Broken> {
        let Host { shards, messages, inputs, .. } = self;
        let shard = &mut shards[index];
        let tick = shard.next_tick();
        let inbox: Vec<&Message> = match tick.checked_sub(1) {
            Some(before) => messages.range((before, 0)..=(before, ShardId::MAX)).map(|(_, of)| of).collect(),
            None => Vec::new(),
        };
        shard.tick(&inbox, inputs.remove(&shard.number()).unwrap_or_default())
    }

    fn send_message(&self, message: &Message, out: &mut Vec<(HostId, Packet)>) {
        for &member in self.members.iter().filter(|&&member| member != self.id) {
            out.push((member, self.packet(Cargo::Message(message.clone()))));
        }
    }

    /// Keeps a checkpoint of a shard, here and at the two next hosts, if one is due.
    fn keep(&mut self, index: usize, out: &mut Vec<(HostId, Packet)>) {
        let shard = &self.shards[index];
        let key = (shard.next_tick(), shard.number());
        if !key.0.is_multiple_of(KEEP) || self.kept.contains_key(&key) {
            return;
        }
        let own = self.members.iter().position(|&member| member == self.id).unwrap_or(0);
        for step in 1..=2.min(self.members.len() - 1) {
            let neighbour = self.members[(own + step) % self.members.len()];
            out.push((neighbour, self.packet(Cargo::Keep(Box::new(shard.clone())))));
        }
        self.kept.insert(key, shard.clone());
    }

    /// The checkpoints that this host has, by tick and shard.
    pub fn checkpoints(&self) -> impl Iterator<Item = (u64, ShardId)> + '_ {
        self.kept.keys().copied()
    }

    /// Begins the next epoch with the hosts that go on, from a plan that all of them have computed.
    pub fn begin_epoch(&mut self, plan: &Plan) {
        self.epoch = plan.epoch;
        self.members.clone_from(&plan.members);
        self.homes.clone_from(&plan.homes);
        let mine =
            |&(tick, shard): &(u64, ShardId)| tick == plan.tick && plan.homes[usize::from(shard)] == self.id;
        self.shards = self.kept.iter().filter(|(key, _)| mine(key)).map(|(_, shard)| shard.clone()).collect();
        self.messages.retain(|&(tick, _), _| tick < plan.tick);
        self.kept.retain(|&(tick, _), _| tick <= plan.tick);
        self.waits = 0;
    }
}

/// How an epoch begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its number.
    pub epoch: u32,
    /// The tick to which all shards return.
    pub tick: u64,
    /// Its hosts.
    pub members: Vec<HostId>,
    /// The host of each shard.
    pub homes: Vec<HostId>,
}

impl Plan {
    /// Plans the next epoch of some hosts, at the latest tick for which they have checkpoints of all
    /// shards. Shards stay where they are; shards of lost hosts go to the lowest host that has the
    /// checkpoint. `None` if there is no such tick.
    #[must_use]
    pub fn of(hosts: &[&Host]) -> Option<Plan> {
        let first = hosts.first()?;
        let mut members: Vec<HostId> = hosts.iter().map(|host| host.id).collect();
        members.sort_unstable();
        let count = first.homes.len() as ShardId;
        let holder = |tick: u64, shard: ShardId| {
            let holders = hosts.iter().filter(|host| host.kept.contains_key(&(tick, shard)));
            let home = first.homes[usize::from(shard)];
            holders.map(|host| host.id).min_by_key(|&id| (id != home, id))
        };
        let ticks: BTreeSet<u64> =
            hosts.iter().flat_map(|host| host.checkpoints()).map(|(tick, _)| tick).collect();
        ticks.into_iter().rev().find_map(|tick| {
            let homes = (0..count).map(|shard| holder(tick, shard)).collect::<Option<Vec<HostId>>>()?;
            let epoch = hosts.iter().map(|host| host.epoch).max()? + 1;
            Some(Plan { epoch, tick, members: members.clone(), homes })
        })
    }
}
