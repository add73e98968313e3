//! A shard: a world with a part of the bodies.
//!
//! In: the messages of the tick before. Out: a message, and a step. In between, in this order:
//!
//! ```text
//!   arrive   bodies that were cut a tick ago make the missing step and come in
//!   push     inputs of clients that are due
//!   settle   clusters that may meet those of other shards leave, if others get them
//!   go_home  clusters that have been in another shard's regions for a while leave
//!   claim    boxes of what may meet others soon
//!   step
//! ```
//!
//! Bodies are known by their keys, which their `user_data` holds: unique in all shards.

use std::collections::BTreeMap;
use std::fmt;

use carom::broadphase::WorldAabb;
use carom::{BodyId, BodyKind, Piece, World, WorldPoint};

use crate::clusters::{Cluster, clusters};
use crate::inputs::Waiting;
use crate::meet::max;
use crate::{AHEAD, Claim, DT, Input, Layout, Message, Moved, Settled, ShardId, settle};

/// Ticks that a cluster is abroad before it goes home: it may return by itself.
const ABROAD: u32 = 30;

/// Why a tick failed: a wrong message, or a world that refuses a piece or a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The messages are not one of each shard, of the tick before, in the order of shards.
    Inbox,
    /// A piece is damaged, or the world is full.
    Piece,
    /// A step failed.
    Step,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Broken::Inbox => "a tick needs one message of each shard, of the tick before",
            Broken::Piece => "a piece is damaged, or the world is full",
            Broken::Step => "a step failed",
        })
    }
}

impl std::error::Error for Broken {}

/// Counts of a shard's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Clusters that went to other shards, and their bodies.
    pub moves: u64,
    /// Their bodies.
    pub bodies: u64,
    /// Bytes of their pieces.
    pub piece_bytes: u64,
    /// Bytes of messages, without pieces.
    pub message_bytes: u64,
    /// Inputs that were applied to bodies of this shard.
    pub inputs: u64,
    /// Boxes of claims.
    pub boxes: u64,
}

/// See the head of this file.
#[derive(Clone, Debug)]
pub struct Shard {
    number: ShardId,
    layout: Layout,
    tick: u64,
    world: World,
    /// The level alone, as of the step before.
    level: World,
    keys: BTreeMap<u64, BodyId>,
    /// The bodies of the clusters of the last claims, by the keys of the clusters.
    claimed: BTreeMap<u64, Vec<u64>>,
    /// Ticks that clusters have been abroad, by their keys.
    abroad: BTreeMap<u64, u32>,
    waiting: Waiting,
    counts: Counts,
}

impl Shard {
    /// Makes a shard from its level: fixed and kinematic bodies, added in the same order in all
    /// shards; and from the bodies that it begins with.
    ///
    /// # Errors
    /// Bodies that do not fit in.
    pub fn new(number: ShardId, layout: Layout, level: World, bodies: &Piece) -> Result<Shard, Broken> {
        let mut shard = Shard {
            number,
            layout,
            tick: 0,
            world: level.clone(),
            level,
            keys: BTreeMap::new(),
            claimed: BTreeMap::new(),
            abroad: BTreeMap::new(),
            waiting: Waiting::default(),
            counts: Counts::default(),
        };
        shard.take_in(bodies)?;
        Ok(shard)
    }

    /// Divides the bodies of a world, which has a level and everything else: a shard each. A cluster
    /// goes to the shard with the least of its keys' places.
    ///
    /// # Errors
    /// Bodies that do not fit in.
    pub fn divide(world: &World, layout: &Layout) -> Result<Vec<Shard>, Broken> {
        let mut of_shard: Vec<Vec<BodyId>> = vec![Vec::new(); usize::from(layout.count())];
        let all = clusters(world, |_| 0.0);
        for cluster in &all {
            let first = cluster.bodies.iter().min_by_key(|&&id| world[id].user_data());
            let owner = first.map_or(0, |&id| layout.owner_of(world[id].world_center()));
            of_shard[usize::from(owner)].extend(&cluster.bodies);
        }
        let moving: Vec<BodyId> = all.iter().flat_map(|cluster| cluster.bodies.iter().copied()).collect();
        let mut level = world.clone();
        level.extract(&moving).map_err(|_| Broken::Piece)?;
        (0..layout.count())
            .map(|number| {
                let own = world.clone().extract(&of_shard[usize::from(number)]).map_err(|_| Broken::Piece)?;
                Shard::new(number, layout.clone(), level.clone(), &own)
            })
            .collect()
    }

    /// Its number.
    #[must_use]
    pub fn number(&self) -> ShardId {
        self.number
    }

    /// The tick that comes next.
    #[must_use]
    pub fn next_tick(&self) -> u64 {
        self.tick
    }

    /// Its world, between two steps.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Keys and ids of its bodies.
    pub fn bodies(&self) -> impl Iterator<Item = (u64, BodyId)> + '_ {
        self.keys.iter().map(|(&key, &id)| (key, id))
    }

    /// Counts of its work so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Makes a tick. `inbox` has the messages of the tick before, one of each shard in their order;
    /// in the first tick it is empty. `inputs` came from clients to this shard.
    ///
    /// # Errors
    /// See [`Broken`]. After `Broken::Inbox` the shard is unchanged.
    pub fn tick(&mut self, inbox: &[&Message], inputs: Vec<Input>) -> Result<Message, Broken> {
        self.check(inbox)?;
        let arrived = self.arrive(inbox)?;
        self.push(inbox);
        let mut moves = Vec::new();
        let mut claims = Vec::new();
        for settled in settle(inbox.iter().flat_map(|message| &message.claims)) {
            if settled.from != self.number {
                continue;
            }
            let bodies = self.claimed.get(&settled.key).or_else(|| arrived.get(&settled.key)).cloned();
            let to = self.new_owner(&settled, bodies.as_deref().unwrap_or(&[]));
            if let Some(bodies) = bodies.filter(|_| to != self.number) {
                let (moved, claim) = self.cut(settled.key, to, &bodies)?;
                moves.extend(moved);
                claims.extend(claim);
            }
        }
        self.claim(inbox, &mut claims);
        claims.sort_by_key(|claim| claim.key);
        let message = Message { from: self.number, tick: self.tick, claims, moves, inputs };
        self.counts.message_bytes += message.size() as u64;
        self.counts.boxes += message.claims.iter().map(|claim| claim.boxes.len() as u64).sum::<u64>();
        self.world.step(DT).map_err(|_| Broken::Step)?;
        self.tick += 1;
        Ok(message)
    }

    fn check(&self, inbox: &[&Message]) -> Result<(), Broken> {
        let is_right = match self.tick.checked_sub(1) {
            None => inbox.is_empty(),
            Some(before) => {
                inbox.len() == usize::from(self.layout.count())
                    && inbox
                        .iter()
                        .zip(0..)
                        .all(|(message, from)| message.from == from && message.tick == before)
            }
        };
        if is_right { Ok(()) } else { Err(Broken::Inbox) }
    }

    /// Takes in the bodies that were cut for this shard one tick ago. They make the step of that
    /// tick in a world of the level and each other: nothing else was near them. Returns the bodies
    /// of each claim among them.
    fn arrive(&mut self, inbox: &[&Message]) -> Result<BTreeMap<u64, Vec<u64>>, Broken> {
        let mut arrived = BTreeMap::new();
        if self.tick == 0 {
            return Ok(arrived);
        }
        let mine: Vec<&Moved> =
            inbox.iter().flat_map(|message| &message.moves).filter(|moved| moved.to == self.number).collect();
        if !mine.is_empty() {
            let mut apart = self.level.clone();
            let mut bodies = Vec::new();
            for moved in mine {
                let piece = Piece::read(&moved.piece).map_err(|_| Broken::Piece)?;
                let pasted = apart.paste(&piece, WorldPoint::ORIGIN).map_err(|_| Broken::Piece)?;
                bodies.extend(pasted.bodies);
                arrived.insert(moved.key, moved.bodies.clone());
            }
            apart.step(DT).map_err(|_| Broken::Step)?;
            let piece = apart.extract(&bodies).map_err(|_| Broken::Piece)?;
            self.take_in(&piece)?;
        }
        self.level.step(DT).map_err(|_| Broken::Step)?;
        Ok(arrived)
    }

    fn take_in(&mut self, piece: &Piece) -> Result<(), Broken> {
        let pasted = self.world.paste(piece, WorldPoint::ORIGIN).map_err(|_| Broken::Piece)?;
        for id in pasted.bodies {
            if self.keys.insert(self.world[id].user_data(), id).is_some() {
                return Err(Broken::Piece);
            }
        }
        Ok(())
    }

    /// Applies the inputs that are due to bodies of this shard.
    fn push(&mut self, inbox: &[&Message]) {
        self.waiting.take_in(self.tick, inbox.iter().flat_map(|message| &message.inputs));
        for input in self.waiting.take_due(self.tick) {
            if let Some(&id) = self.keys.get(&input.body)
                && self.world.apply_impulse(id, input.impulse).is_ok()
            {
                self.counts.inputs += 1;
            }
        }
    }

    /// The shard that gets a cluster: as it was settled; or, if nothing of other shards is near, the
    /// shard in whose regions most of its mass has been for some time.
    fn new_owner(&mut self, settled: &Settled, bodies: &[u64]) -> ShardId {
        if settled.is_contested {
            self.abroad.remove(&settled.key);
            return settled.to;
        }
        let mut masses = vec![0.0; usize::from(self.layout.count())];
        for id in bodies.iter().filter_map(|key| self.keys.get(key)) {
            let body = &self.world[*id];
            masses[usize::from(self.layout.owner_of(body.world_center()))] += f64::from(body.mass());
        }
        let home = (0..self.layout.count())
            .max_by(|&one, &other| {
                let [one_mass, other_mass] = [one, other].map(|shard| masses[usize::from(shard)]);
                one_mass.total_cmp(&other_mass).then(other.cmp(&one))
            })
            .unwrap_or(self.number);
        if home == self.number {
            self.abroad.remove(&settled.key);
            return self.number;
        }
        let ticks = self.abroad.entry(settled.key).or_insert(0);
        *ticks += 1;
        if *ticks < ABROAD {
            return self.number;
        }
        self.abroad.remove(&settled.key);
        home
    }

    /// Cuts a cluster out for another shard. Its claim says where it may be meanwhile.
    fn cut(
        &mut self,
        key: u64,
        to: ShardId,
        bodies: &[u64],
    ) -> Result<(Option<Moved>, Option<Claim>), Broken> {
        let ids: Vec<BodyId> = bodies.iter().filter_map(|key| self.keys.get(key).copied()).collect();
        if ids.is_empty() {
            return Ok((None, None));
        }
        let piece = self.world.extract(&ids).map_err(|_| Broken::Piece)?;
        let keys: Vec<u64> = piece.world().bodies().map(|(_, body)| body.user_data()).collect();
        for key in &keys {
            self.keys.remove(key);
        }
        let apart = clusters(piece.world(), |key| self.boost_of(piece.world(), key));
        let claim = Claim {
            key,
            owner: to,
            mass: apart.iter().map(|cluster| cluster.mass).sum(),
            speed: apart.iter().map(|cluster| cluster.speed).fold(0.0, max),
            boxes: apart.iter().flat_map(|cluster| cluster.boxes.iter().copied()).collect(),
        };
        let mut bytes = Vec::new();
        piece.write(&mut bytes);
        self.counts.moves += 1;
        self.counts.bodies += keys.len() as u64;
        self.counts.piece_bytes += bytes.len() as u64;
        Ok((Some(Moved { to, key, bodies: keys, piece: bytes }), Some(claim)))
    }

    /// The speed that waiting inputs will add to a body.
    fn boost_of(&self, world: &World, key: u64) -> f32 {
        if self.waiting.is_empty() {
            return 0.0;
        }
        let push = self.waiting.push_on(key);
        let body = world.bodies().find(|(_, body)| body.user_data() == key);
        body.filter(|_| push > 0.0).map_or(0.0, |(_, body)| push / max(body.mass(), f32::MIN_POSITIVE))
    }

    /// Claims the clusters near the border, or near claims of others.
    fn claim(&mut self, inbox: &[&Message], claims: &mut Vec<Claim>) {
        // Nothing gets from beyond this margin into a box of a claim unseen.
        let margin = 2.0 * (AHEAD + 1) as f32 * DT * self.world.def().max_speed;
        let foreign: Vec<WorldAabb> = inbox
            .iter()
            .flat_map(|message| &message.claims)
            .filter(|claim| claim.owner != self.number)
            .flat_map(|claim| &claim.boxes)
            .chain(claims.iter().flat_map(|claim| &claim.boxes))
            .map(|bounds| WorldAabb { aabb: bounds.aabb.grown(margin), ..*bounds })
            .collect();
        let regions = self.layout.regions_of(self.number).copied();
        let is_near = |bounds: &&WorldAabb| {
            !regions.is_some_and(|regions| regions.holds(bounds, margin))
                || foreign.iter().any(|other| other.overlaps(bounds))
        };
        let found = clusters(&self.world, |key| self.boost_of(&self.world, key));
        self.claimed.clear();
        for Cluster { key, mass, speed, bodies, boxes } in found {
            let boxes: Vec<WorldAabb> = boxes.iter().filter(is_near).copied().collect();
            if boxes.is_empty() {
                self.abroad.remove(&key);
                continue;
            }
            let keys = bodies.iter().map(|&id| self.world[id].user_data()).collect();
            self.claimed.insert(key, keys);
            claims.push(Claim { key, owner: self.number, mass, speed, boxes });
        }
    }

    /// The sum of masses and of momenta of its bodies.
    #[must_use]
    pub fn momentum(&self) -> (f64, [f64; 2]) {
        let mut sum = (0.0, [0.0; 2]);
        for (_, body) in self.world.bodies().filter(|(_, body)| body.kind() == BodyKind::Dynamic) {
            let mass = f64::from(body.mass());
            sum.0 += mass;
            sum.1[0] += mass * f64::from(body.velocity().x);
            sum.1[1] += mass * f64::from(body.velocity().y);
        }
        sum
    }
}
