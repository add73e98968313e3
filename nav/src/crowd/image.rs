//! Images and hashes of a crowd.
//!
//! Bodies are written by their ids, so an image fits the world that was saved with it. Neighbours,
//! walls and rows are not written, because each tick computes them.

use core::hash::{Hash as _, Hasher};

use carom::{BodyId, IVec2, Vec2, World, WorldPoint};

use super::choose::MOST_URGENT;
use super::flock::Flock;
use super::orders::Task;
use super::{Agent, Crowd, CrowdDef, Walker, Wander};
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

saved!(Crowd as Crowd);

impl Crowd {
    fn encode(&self, to: &mut impl Sink) {
        let CrowdDef { neighbours, sight, wall_horizon, walls, margin, bias } = self.def;
        to.word(neighbours as u32);
        [sight, wall_horizon, margin, bias].iter().for_each(|x| to.word(x.to_bits()));
        to.long(walls);
        to.long(self.tick);
        to.word(self.walkers.len() as u32);
        for (walker, generation) in self.walkers.iter().zip(&self.generations) {
            to.word(*generation);
            to.word(u32::from(walker.is_some()));
            walker.iter().for_each(|walker| walker.encode(to));
        }
        to.word(self.free.len() as u32);
        self.free.iter().for_each(|index| to.word(*index));
        to.word(self.flocks.len() as u32);
        for flock in &self.flocks {
            to.word(flock.leader);
            to.word(flock.first);
            to.word(flock.members.len() as u32);
            flock.members.iter().for_each(|member| to.word(*member));
            to.word(flock.trail.len() as u32);
            flock.trail.iter().for_each(|point| place(to, *point));
        }
    }

    /// Loads an image of a crowd in this world. The number of threads stays; events are dropped.
    ///
    /// # Errors
    ///
    /// The bytes are damaged, no image of a crowd, or an image with bodies that this world does not
    /// have. Nothing is changed then.
    pub fn load(&mut self, world: &World, image: &[u8]) -> Result<(), LoadError> {
        let mut crowd = state::read(Kind::Crowd, image, |image| Crowd::decode(world, image))?;
        crowd.threads = self.threads;
        *self = crowd;
        Ok(())
    }

    fn decode(world: &World, image: &mut Reader<'_>) -> Result<Crowd, LoadError> {
        let mut def = CrowdDef { neighbours: image.word()? as usize, ..CrowdDef::default() };
        for number in [&mut def.sight, &mut def.wall_horizon, &mut def.margin, &mut def.bias] {
            *number = f32::from_bits(image.word()?);
        }
        def.walls = image.long()?;
        let mut crowd = Crowd::new(def).map_err(|_| LoadError::Broken("a crowd keeps its rules"))?;
        crowd.tick = image.long()?;
        let bodies: std::collections::BTreeMap<u64, BodyId> =
            world.bodies().map(|(id, _)| (words_of(id), id)).collect();
        for index in 0..image.count(2)? as u32 {
            let generation = image.word()?;
            crowd.generations.push(generation);
            let walker = match image.word()? {
                0 => None,
                _ => Some(Walker::read(image, &bodies, generation)?),
            };
            if let Some(walker) = &walker {
                if crowd.agent_of(walker.body).is_some() {
                    return Err(LoadError::Broken("a body is one agent"));
                }
                crowd.near.enter(walker.body, index);
            }
            crowd.walkers.push(walker);
        }
        for _ in 0..image.count(1)? {
            let index = image.word()?;
            if !matches!(crowd.walkers.get(index as usize), Some(None)) || crowd.free.contains(&index) {
                return Err(LoadError::Broken("a place is free once"));
            }
            crowd.free.push(index);
        }
        if crowd.free.len() != crowd.walkers.iter().filter(|walker| walker.is_none()).count() {
            return Err(LoadError::Broken("every agent that is gone has left its place"));
        }
        crowd.read_flocks(image)?;
        Ok(crowd)
    }

    fn read_flocks(&mut self, image: &mut Reader<'_>) -> Result<(), LoadError> {
        for _ in 0..image.count(4)? {
            let [leader, first] = [image.word()?, image.word()?];
            let mut flock = Flock { first, ..Flock::new(leader, Vec::new()) };
            for _ in 0..image.count(1)? {
                flock.members.push(image.word()?);
            }
            for _ in 0..image.count(4)? {
                flock.trail.push(read_place(image)?);
            }
            let is_there = |index: u32| matches!(self.walkers.get(index as usize), Some(Some(_)));
            if !flock.members.is_sorted_by(|a, b| a < b)
                || !flock.is_over() && !is_there(leader)
                || !flock.members.iter().all(|member| is_there(*member))
                || u32::MAX - first < flock.trail.len() as u32 + Flock::MOST
                || flock.trail.len() > Flock::MOST as usize
            {
                return Err(LoadError::Broken(FLOCKS));
            }
            self.flocks.push(flock);
        }
        let flocks = self.flocks.len();
        let has_flock = |walker: &Walker| match walker.task {
            Task::Flock { flock } => (flock as usize) < flocks && !self.flocks[flock as usize].is_over(),
            _ => true,
        };
        if self.walkers.iter().flatten().all(has_flock) { Ok(()) } else { Err(LoadError::Broken(FLOCKS)) }
    }
}

const FLOCKS: &str = "a flock has a leader and members, in their order";

impl Walker {
    fn encode(&self, to: &mut impl Sink) {
        to.long(words_of(self.body));
        let Agent { radius, speed, acceleration, horizon, priority } = self.agent;
        [radius, speed, acceleration, horizon].iter().for_each(|x| to.word(x.to_bits()));
        to.word(u32::from(priority));
        match self.task {
            Task::Stand => to.word(0),
            Task::Way { key, disc } => [1, key, disc.to_bits()].into_iter().for_each(|word| to.word(word)),
            Task::Stream { field } => [2, field].into_iter().for_each(|word| to.word(word)),
            Task::Flock { flock } => [3, flock].into_iter().for_each(|word| to.word(word)),
            Task::Wander(Wander { seed, turn, leash }) => {
                to.word(if leash.is_some() { 5 } else { 4 });
                to.long(seed);
                to.word(turn.to_bits());
                if let Some((middle, radius)) = leash {
                    place(to, middle);
                    to.word(radius.to_bits());
                }
            }
        }
        to.word(self.way.len() as u32);
        self.way.iter().for_each(|corner| place(to, *corner));
        to.word(self.at);
        to.word(self.key);
        place(to, self.home);
        place(to, self.start);
        for v in [self.heading, self.wall] {
            [v.x, v.y].iter().for_each(|x| to.word(x.to_bits()));
        }
        [self.sight, self.clear, self.left, self.gained, self.waited, self.progress, self.elapsed]
            .iter()
            .for_each(|x| to.word(x.to_bits()));
        to.word(self.look);
        to.word(self.slow);
        to.word(self.backs);
        let flags = [self.returns, self.stuck, self.fresh, self.begins, self.strayed, self.first];
        let flags: u32 = (0..).zip(flags).map(|(bit, flag)| u32::from(flag) << bit).sum();
        to.word(
            flags
                | u32::from(self.urgency) << 6
                | u32::from(self.lost) << 16
                | u32::from(self.courteous) << 17
                | u32::from(self.sent) << 18
                | u32::from(self.arrived) << 19,
        );
    }

    fn read(
        image: &mut Reader<'_>,
        bodies: &std::collections::BTreeMap<u64, BodyId>,
        generation: u32,
    ) -> Result<Walker, LoadError> {
        let body = *bodies.get(&image.long()?).ok_or(LoadError::Broken("the world has an agent's body"))?;
        let [radius, speed, acceleration, horizon] =
            [read_number(image)?, read_number(image)?, read_number(image)?, read_number(image)?];
        let priority = u8::try_from(image.word()?).map_err(|_| LoadError::Broken("a priority is a byte"))?;
        let agent = Agent { radius, speed, acceleration, horizon, priority };
        agent.check().map_err(|_| LoadError::Broken("an agent keeps its rules"))?;
        let task = match image.word()? {
            0 => Task::Stand,
            1 => Task::Way { key: image.word()?, disc: read_number(image)? },
            2 => Task::Stream { field: image.word()? },
            3 => Task::Flock { flock: image.word()? },
            kind @ (4 | 5) => {
                let (seed, turn) = (image.long()?, read_number(image)?);
                let leash = if kind == 5 { Some((read_place(image)?, read_number(image)?)) } else { None };
                Task::Wander(Wander { seed, turn, leash })
            }
            _ => return Err(LoadError::Broken("an agent does one of five things")),
        };
        let mut way = Vec::new();
        for _ in 0..image.count(4)? {
            way.push(read_place(image)?);
        }
        let [at, key] = [image.word()?, image.word()?];
        if matches!(task, Task::Way { .. }) && at as usize >= way.len() {
            return Err(LoadError::Broken("who walks has a way"));
        }
        let [home, start] = [read_place(image)?, read_place(image)?];
        let mut numbers = [0.0; 11];
        for number in &mut numbers {
            *number = read_number(image)?;
        }
        let [hx, hy, wx, wy, sight, clear, left, gained, waited, progress, elapsed] = numbers;
        let [look, slow, backs, flags] = [image.word()?, image.word()?, image.word()?, image.word()?];
        if !(0.0..=1e4).contains(&sight)
            || (flags & !(LOST | COURTEOUS | SENT | HAS_ARRIVED)) >> 6 > u32::from(MOST_URGENT)
        {
            return Err(LoadError::Broken("an agent keeps its rules"));
        }
        Ok(Walker {
            agent,
            body,
            generation,
            task,
            way,
            start,
            at,
            home,
            key,
            heading: Vec2::new(hx, hy),
            wall: Vec2::new(wx, wy),
            sight,
            clear,
            look,
            left,
            gained,
            waited,
            progress,
            elapsed,
            slow,
            backs,
            returns: flags & 1 != 0,
            stuck: flags & 2 != 0,
            fresh: flags & 4 != 0,
            begins: flags & 8 != 0,
            strayed: flags & 16 != 0,
            first: flags & 32 != 0,
            urgency: (flags >> 6) as u8,
            lost: flags & LOST != 0,
            courteous: flags & COURTEOUS != 0,
            sent: flags & SENT != 0,
            arrived: flags & HAS_ARRIVED != 0,
        })
    }
}

/// Flags of an agent, above the bits of its urgency.
const LOST: u32 = 1 << 16;
const COURTEOUS: u32 = 1 << 17;
const SENT: u32 = 1 << 18;
const HAS_ARRIVED: u32 = 1 << 19;

fn place(to: &mut impl Sink, place: WorldPoint) {
    to.cell(place.region);
    to.word(place.local.x.to_bits());
    to.word(place.local.y.to_bits());
}

fn read_place(image: &mut Reader<'_>) -> Result<WorldPoint, LoadError> {
    let region: IVec2 = image.cell()?;
    let local = Vec2::new(f32::from_bits(image.word()?), f32::from_bits(image.word()?));
    let place = WorldPoint { region, local };
    if place.is_valid() { Ok(place) } else { Err(LoadError::Broken("a place is a valid point")) }
}

fn read_number(image: &mut Reader<'_>) -> Result<f32, LoadError> {
    let number = f32::from_bits(image.word()?);
    if number.is_finite() { Ok(number) } else { Err(LoadError::Broken("a number is finite")) }
}

/// Slot and generation of a body as one number.
fn words_of(id: BodyId) -> u64 {
    let mut words = Words(0);
    id.hash(&mut words);
    words.0
}

struct Words(u64);

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = self.0 << 32 | u64::from(word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
