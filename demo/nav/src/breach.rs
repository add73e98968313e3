//! Soldiers before a wall of bricks: an explosion opens it, and the rubble that falls asleep is the
//! new wall.

use carom::prelude::*;
use carom::{Error, QueryFilter};
use carom_nav::crowd::{Agent, AgentId, Crowd, CrowdEvent};
use carom_nav::mesh::{Ground, Mesh, MeshDef, Way};
use core::fmt::Write as _;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

use demo_shell::people::{from_above, refused, walls};

pub(crate) static SCENE: Info = Info {
    name: "breach",
    title: "Breach",
    hint: "Bricks that sleep are walls of the mesh. After five seconds a charge goes off; press to set off others. \
           Rubble that comes to rest is the new wall, and each soldier finds the way through. The naive mesh is \
           never told: they wait before a hole.",
    counted: "soldiers",
    count: [5, 40, 80],
    view: [vec2(-17.0, -9.0), vec2(17.0, 9.0)],
    naive: "the mesh does not follow the world",
    build,
    ..PLAIN
};

const SOLDIER: Agent = Agent { radius: 0.25, speed: 1.6, acceleration: 20.0, horizon: 2.0, priority: 0 };
const WALLS: [([f32; 2], [f32; 2]); 6] = [
    ([0.0, 8.6], [33.0, 0.4]),
    ([0.0, -8.6], [33.0, 0.4]),
    ([-16.4, 0.0], [0.4, 17.6]),
    ([16.4, 0.0], [0.4, 17.6]),
    ([0.0, 7.0], [1.2, 2.8]),
    ([0.0, -7.0], [1.2, 2.8]),
];
/// Bricks of the wall, and the size of one.
const ROWS: usize = 14;
/// They do not touch, so that only those wake that the blast moves.
const BRICK: Vec2 = vec2(0.8, 0.74);
const GOAL: Vec2 = vec2(12.5, 0.0);
/// When the charge goes off by itself, in steps; and where.
const FUSE: u64 = 5 * 60;
const CHARGE: Vec2 = vec2(-1.1, 0.9);
/// Steps that they wait for the dust to settle: what is awake is no wall yet.
const DUST: u64 = 150;
/// Steps between two questions of somebody who has no way.
const PATIENCE: u64 = 30;

struct Soldier {
    body: BodyId,
    agent: AgentId,
    way: Way,
    /// Whether it has been sent along its way; the step in which it asks again if not.
    is_sent: bool,
    next: u64,
    spot: Vec2,
}

struct Breach {
    mesh: Mesh,
    ground: Ground,
    crowd: Crowd,
    soldiers: Vec<Soldier>,
    /// Of late explosions: where, and the step.
    blasts: Vec<(Vec2, u64)>,
    bricks: Vec<BodyId>,
    /// They wait until this step, or until all bricks sleep.
    dust: u64,
    walls: usize,
    searches: usize,
    changes: usize,
    naive: bool,
    points: Vec<Vec2>,
}

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = from_above();
    walls(&mut world, &WALLS)?;
    let mut bricks = Vec::new();
    for k in 0..ROWS {
        let at = vec2(0.0, 0.8 * (k as f32 - 0.5 * (ROWS as f32 - 1.0)));
        let brick = BodyDef::dynamic().at(at).shape(Shape::rect(BRICK.x, BRICK.y)).density(25.0);
        bricks.push(world.add(hue(brick.damping(2.5, 2.5).asleep(), k % 2))?);
    }
    let mesh = Mesh::new(MeshDef { half: 18.0, max_radius: 0.5 });
    let mut breach = Breach {
        mesh: mesh.map_err(|_| Error::BadNumber("a mesh could not be made"))?,
        ground: Ground::new([0.0, 0.0]).with_sleepers(),
        crowd: Crowd::default(),
        soldiers: Vec::new(),
        blasts: Vec::new(),
        bricks,
        dust: 0,
        walls: 0,
        searches: 0,
        changes: 0,
        naive: false,
        points: Vec::new(),
    };
    breach.follow(&world);
    for k in 0..count {
        let (row, line) = ((k / 10) as f32, (k % 10) as f32 - 4.5);
        // As heavy as a brick, so that a blast does not carry it off.
        let body = SOLDIER.body(vec2(-5.0 - 0.9 * row, 1.2 * line)).density(60.0).sleepless();
        let body = world.add(hue(body, 4))?;
        let agent = breach.crowd.add(&world, body, SOLDIER).map_err(refused)?;
        let spot = GOAL + vec2(0.7 * (3.0 - row), 0.7 * line);
        let next = u64::from(k % 15);
        breach.soldiers.push(Soldier { body, agent, way: Way::default(), is_sent: false, next, spot });
    }
    Ok(Scene::new(world, breach))
}

impl Breach {
    fn follow(&mut self, world: &World) {
        let synced = self.mesh.sync(world, &mut self.ground);
        self.walls = (self.walls + synced.added).saturating_sub(synced.removed);
        self.changes += synced.added + synced.removed;
    }

    /// Asks for a way for those who have none, or one that does not hold any more.
    fn send(&mut self, world: &World) -> Result<(), Error> {
        let now = world.step_count();
        let is_awake = |brick: &BodyId| world.get(*brick).is_some_and(|brick| brick.is_awake());
        if self.dust > now && self.bricks.iter().any(is_awake) {
            return Ok(());
        }
        for soldier in &mut self.soldiers {
            if soldier.is_sent && self.mesh.is_current(&soldier.way) || soldier.next > now {
                continue;
            }
            let Some(at) = world.get(soldier.body).map(|body| body.position()) else { continue };
            self.searches += 1;
            soldier.next = now + PATIENCE;
            // A little wider than the soldier is: rubble is pushed about.
            let found = self.mesh.way(at, soldier.spot, 1.2 * SOLDIER.radius, &mut soldier.way);
            soldier.is_sent = found.is_ok();
            if found.is_err() {
                self.crowd.stand(world, soldier.agent).map_err(refused)?;
                continue;
            }
            soldier.way.points(0.02, &mut self.points);
            let way: Vec<WorldPoint> = self.points.iter().map(|point| WorldPoint::from(*point)).collect();
            self.crowd.follow(soldier.agent, &way).map_err(refused)?;
        }
        Ok(())
    }

    fn blast(&mut self, world: &mut World, at: Vec2) -> Result<(), Error> {
        self.blasts.push((at, world.step_count()));
        self.dust = world.step_count() + DUST;
        world.explode(at, 1.6, 300.0, 1.6)
    }

    fn through(&self, world: &World) -> usize {
        let is_through = |soldier: &&Soldier| world.get(soldier.body).is_some_and(|it| it.position().x > 1.0);
        self.soldiers.iter().filter(is_through).count()
    }
}

impl Play for Breach {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        let now = world.step_count();
        if now == FUSE {
            self.blast(world, CHARGE)?;
        }
        self.blasts.retain(|(_, step)| step + 40 > now);
        if !self.naive {
            self.follow(world);
        }
        self.send(world)?;
        self.crowd.steer(world, DT).map_err(refused)?;
        for event in self.crowd.events() {
            if let CrowdEvent::Stuck(who) = event {
                let stuck = self.soldiers.iter_mut().filter(|soldier| soldier.agent == *who);
                stuck.for_each(|soldier| soldier.is_sent = false);
            }
        }
        world.step(DT).map(drop)
    }

    fn press(&mut self, places: &mut [Place], point: Vec2) -> bool {
        let world = &mut places[0].world;
        let is_free = world.nearest(point, 0.05, &QueryFilter::default()).is_none();
        is_free && point.abs().cmple(vec2(16.0, 8.2)).all() && self.blast(world, point).is_ok()
    }

    fn set_naive(&mut self, _places: &mut [Place], on: bool) {
        self.naive = on;
    }

    fn overlay(&self, places: &[Place], out: &mut Commands) {
        let now = places[0].world.step_count();
        let mut points = Vec::new();
        for soldier in
            self.soldiers.iter().filter(|it| it.is_sent && !self.crowd.is_idle(it.agent)).step_by(4)
        {
            soldier.way.points(0.05, &mut points);
            points.windows(2).for_each(|two| out.put_line(Ink::Blue.faint(0.35), two[0], two[1]));
        }
        if now < FUSE {
            out.put_circle(Ink::Red, true, (CHARGE, 0.22), Vec2::ZERO);
            let words = format!("{:.0}", ((FUSE - now) as f32 * DT).ceil());
            out.put_words(Ink::Red, CHARGE - vec2(0.9, 0.15), &words);
        }
        for (at, step) in &self.blasts {
            let age = (now - step) as f32 / 40.0;
            out.put_circle(
                Ink::Orange.faint(1.0 - age.clamp(0.0, 1.0)),
                true,
                (*at, 0.4 + 2.6 * age),
                Vec2::ZERO,
            );
        }
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let through = self.through(&places[0].world);
        let mark = if through == self.soldiers.len() { "\tgood" } else { "" };
        let _ = writeln!(out, "came through\t{through} of {}{mark}", self.soldiers.len());
        let _ = writeln!(out, "walls in the mesh\t{}", self.walls);
        let _ = writeln!(out, "walls that came or went\t{}", self.changes);
        let _ = writeln!(out, "ways asked for\t{}", self.searches);
    }

    fn hash(&self, places: &[Place]) -> u64 {
        places[0].world.hash() ^ self.crowd.hash() ^ self.mesh.hash()
    }
}
