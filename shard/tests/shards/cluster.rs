//! Hosts of one shard each on a network in memory.

use std::collections::BTreeMap;

use carom::{BodyKind, Piece, World};
use carom_shard::{Cargo, Host, HostId, Layout, Net, Packet, Plan, Refusal, Shard, ShardId, Weather};

/// Slots without a tick before hosts ask for messages.
const PATIENCE: u32 = 6;

pub(crate) struct Cluster {
    pub(crate) hosts: Vec<Host>,
    pub(crate) net: Net,
    /// The hash of each shard before each tick.
    pub(crate) hashes: BTreeMap<(u64, ShardId), u64>,
    /// Bodies on the way: per key its mass, momentum and receiver.
    pub(crate) on_the_way: BTreeMap<u64, (f64, [f64; 2], ShardId)>,
    pub(crate) refusals: Vec<(HostId, Refusal)>,
    /// Hosts that make no ticks and hear nothing.
    pub(crate) dead: Vec<HostId>,
}

impl Cluster {
    pub(crate) fn new(world: &World, layout: &Layout, net: Net) -> Cluster {
        let shards = Shard::divide(world, layout).expect("all fit in");
        let homes: Vec<HostId> = (0..layout.count()).collect();
        let hosts = shards.into_iter().map(|shard| Host::new(shard.number(), homes.clone(), vec![shard]));
        Cluster {
            hosts: hosts.collect(),
            net,
            hashes: BTreeMap::new(),
            on_the_way: BTreeMap::new(),
            refusals: Vec::new(),
            dead: Vec::new(),
        }
    }

    pub(crate) fn calm(world: &World, layout: &Layout) -> Cluster {
        Cluster::new(world, layout, Net::new(1, Weather::CALM))
    }

    /// The least tick that comes next.
    pub(crate) fn tick(&self) -> u64 {
        let living = self.hosts.iter().filter(|host| !self.dead.contains(&host.id()));
        living.flat_map(|host| host.shards()).map(Shard::next_tick).min().expect("somebody lives")
    }

    /// One slot of the network: packets arrive, and each host makes the ticks that it can.
    pub(crate) fn slot(&mut self) {
        let mut out: Vec<(HostId, Packet)> = Vec::new();
        for (to, packet) in self.net.arrivals() {
            if !self.dead.contains(&to) {
                let answer = self.hosts[usize::from(to)].receive(packet, &mut out);
                self.refusals.extend(answer.err().map(|refusal| (to, refusal)));
            }
        }
        self.on_the_way.clear();
        for host in self.hosts.iter_mut().filter(|host| !self.dead.contains(&host.id())) {
            host.advance(PATIENCE, &mut out).expect("no shard breaks");
            for shard in host.shards() {
                self.hashes
                    .entry((shard.next_tick(), shard.number()))
                    .or_insert_with(|| shard.world().hash());
            }
        }
        for (_, packet) in &out {
            if let Cargo::Message(message) = &packet.cargo {
                for moved in &message.moves {
                    let piece = Piece::read(&moved.piece).expect("nobody touched the bytes");
                    for (_, body) in piece.world().bodies() {
                        let (mass, velocity) = (f64::from(body.mass()), body.velocity());
                        let momentum = [mass * f64::from(velocity.x), mass * f64::from(velocity.y)];
                        self.on_the_way.insert(body.user_data(), (mass, momentum, moved.to));
                    }
                }
            }
        }
        out.into_iter().for_each(|(to, packet)| self.net.send(to, packet));
    }

    /// Runs until all shards have made so many ticks.
    pub(crate) fn run_to(&mut self, tick: u64) {
        for _ in 0..200 * tick + 10_000 {
            if self.tick() >= tick {
                return;
            }
            self.slot();
        }
        panic!("stuck at tick {} of {tick}", self.tick());
    }

    /// All living shards.
    pub(crate) fn shards(&self) -> impl Iterator<Item = &Shard> {
        self.hosts.iter().filter(|host| !self.dead.contains(&host.id())).flat_map(|host| host.shards())
    }

    /// Gives up the dead, as the living do.
    pub(crate) fn begin_epoch(&mut self) -> Plan {
        let living: Vec<&Host> = self.hosts.iter().filter(|host| !self.dead.contains(&host.id())).collect();
        let plan = Plan::of(&living).expect("there are checkpoints");
        for host in self.hosts.iter_mut().filter(|host| !self.dead.contains(&host.id())) {
            host.begin_epoch(&plan);
        }
        plan
    }
}

/// Sums over all bodies of a cluster whose shards are at one tick, on a calm network.
#[derive(Debug, PartialEq)]
pub(crate) struct Sums {
    pub(crate) mass: f64,
    pub(crate) momentum: [f64; 2],
    /// Pairs of round bodies of two shards that overlap.
    pub(crate) violations: usize,
}

impl Sums {
    /// Fails unless each of the keys below `count` has one owner.
    pub(crate) fn of(cluster: &Cluster, count: u64) -> Sums {
        let mut sums = Sums { mass: 0.0, momentum: [0.0; 2], violations: 0 };
        let mut keys: Vec<u64> = cluster.on_the_way.keys().copied().collect();
        for (mass, momentum, _) in cluster.on_the_way.values() {
            sums.mass += mass;
            (sums.momentum[0], sums.momentum[1]) =
                (sums.momentum[0] + momentum[0], sums.momentum[1] + momentum[1]);
        }
        let mut places = Vec::new();
        for shard in cluster.shards() {
            let (mass, [x, y]) = shard.momentum();
            sums.mass += mass;
            (sums.momentum[0], sums.momentum[1]) = (sums.momentum[0] + x, sums.momentum[1] + y);
            keys.extend(shard.bodies().map(|(key, _)| key));
            let world = shard.world();
            assert_eq!(
                world.bodies().filter(|(_, body)| body.kind() == BodyKind::Dynamic).count(),
                shard.bodies().count()
            );
            for (_, id) in shard.bodies() {
                let radius =
                    world.shapes_of(id).next().map_or(0.0, |(_, of)| of.shape().bounding_circle().radius);
                places.push((world[id].world_center(), radius, shard.number()));
            }
        }
        keys.sort_unstable();
        assert!(keys.iter().copied().eq(0..count), "each body has one owner: {} of {count}", keys.len());
        for (index, one) in places.iter().enumerate() {
            for other in places[..index].iter().filter(|other| other.2 != one.2) {
                sums.violations += usize::from(one.0.to(other.0).length() < one.1 + other.1);
            }
        }
        sums
    }
}
