//! A cow and hens on one mesh: each its own shortest way, by its own radius.
//!
//! Bales lie about. While they sleep they are walls of the mesh; dragged into a gap, they close it
//! for the cow, and perhaps not for the hens.

use carom::prelude::*;
use carom::{Error, QueryFilter};
use carom_nav::crowd::{Agent, AgentId, Crowd, CrowdEvent};
use carom_nav::mesh::{Ground, Mesh, MeshDef, Way};
use core::fmt::Write as _;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

use demo_shell::people::{from_above, refused, walls};

pub(crate) static SCENE: Info = Info {
    name: "cow-and-hen",
    title: "Cow and hen",
    hint: "One mesh serves every radius. Press where they are to go; drag the bales: where one comes to rest, the \
           mesh has a wall. The naive way knows one radius, the cow's: hens walk around gaps that they fit through.",
    counted: "cow's radius, cm",
    count: [30, 80, 120],
    view: [vec2(-15.0, -8.5), vec2(15.0, 8.5)],
    naive: "one radius for all",
    build,
    ..PLAIN
};

const HEN: f32 = 0.22;
const HENS: usize = 4;
const HALF: f32 = 16.0;
/// Fences with gaps from 0.6 to 2.8 m, and sheds.
const WALLS: [([f32; 2], [f32; 2]); 15] = [
    ([0.0, 8.2], [30.0, 0.4]),
    ([0.0, -8.2], [30.0, 0.4]),
    ([-14.8, 0.0], [0.4, 16.8]),
    ([14.8, 0.0], [0.4, 16.8]),
    ([-6.0, 5.6], [0.3, 5.2]),
    ([-6.0, -0.4], [0.3, 5.4]),
    ([-6.0, -7.1], [0.3, 2.4]),
    ([0.5, 4.4], [0.3, 7.6]),
    ([0.5, -2.9], [0.3, 5.8]),
    ([6.5, 6.4], [0.3, 3.6]),
    ([6.5, 1.1], [0.3, 5.6]),
    ([6.5, -6.0], [0.3, 4.6]),
    ([-10.5, 2.5], [2.4, 1.8]),
    ([3.4, -2.5], [1.8, 1.8]),
    ([10.6, 3.4], [1.6, 2.6]),
];
const BALES: [[f32; 2]; 5] = [[-9.0, -3.0], [-2.6, 2.0], [-2.0, -5.0], [3.4, 5.0], [10.0, -3.5]];
/// Where they go by themselves, one after the other.
const GOALS: [[f32; 2]; 6] =
    [[12.5, -5.5], [-12.0, 5.8], [12.0, 6.3], [-12.0, -5.5], [3.4, 1.2], [-2.8, -1.5]];

struct Animal {
    body: BodyId,
    agent: AgentId,
    radius: f32,
    /// What its way was asked for.
    asked: f32,
    /// Of its own to the goal, so that hens do not stand on each other.
    aside: Vec2,
    way: Way,
    stands: bool,
}

struct Meadow {
    mesh: Mesh,
    ground: Ground,
    crowd: Crowd,
    /// The cow, and hens.
    animals: Vec<Animal>,
    goal: Vec2,
    next: usize,
    /// Steps since all stand.
    idle: u32,
    searches: usize,
    walls: usize,
    naive: bool,
    points: Vec<Vec2>,
}

fn build(radius: u32) -> Result<Scene, Error> {
    let mut world = from_above();
    walls(&mut world, &WALLS)?;
    for at in BALES {
        let bale = BodyDef::dynamic().at(at).shape(Shape::rect(1.3, 0.9)).density(30.0).damping(5.0, 5.0);
        world.add(hue(bale, 1))?;
    }
    let mesh = Mesh::new(MeshDef { half: HALF, max_radius: 1.25 });
    let mesh = mesh.map_err(|_| Error::BadNumber("a mesh could not be made"))?;
    let mut meadow = Meadow {
        mesh,
        ground: Ground::new([0.0, 0.0]).with_sleepers(),
        crowd: Crowd::default(),
        animals: Vec::new(),
        goal: Vec2::from(GOALS[0]),
        next: 0,
        idle: 0,
        searches: 0,
        walls: 0,
        naive: false,
        points: Vec::new(),
    };
    for k in 0..=HENS {
        let is_cow = k == 0;
        let radius = if is_cow { radius as f32 / 100.0 } else { HEN };
        let speed = if is_cow { 2.2 } else { 2.6 };
        let agent = Agent { radius, speed, priority: u8::from(is_cow), ..Agent::default() };
        let spread = vec2(0.6 * (k % 2) as f32, 0.6 * (k / 2) as f32);
        let at = if is_cow { vec2(-12.0, -5.8) } else { vec2(-13.5, -2.0) + spread };
        // What is an agent is no wall, even while it sleeps.
        let body = agent.body(at).sleepless();
        let body = world.add(hue(body, if is_cow { 0 } else { 3 }))?;
        let agent = meadow.crowd.add(&world, body, agent).map_err(refused)?;
        let aside = if is_cow { Vec2::ZERO } else { spread - vec2(0.3, 0.6) };
        meadow.animals.push(Animal {
            body,
            agent,
            radius,
            asked: 0.0,
            aside,
            way: Way::default(),
            stands: false,
        });
    }
    Ok(Scene::new(world, meadow))
}

impl Meadow {
    /// Asks for the ways of those who have none that holds.
    fn send(&mut self, world: &World) -> Result<(), Error> {
        let cow = self.animals[0].radius;
        for animal in &mut self.animals {
            let radius = if self.naive { cow } else { animal.radius };
            let goal = self.goal + animal.aside;
            let is_old = animal.asked != radius
                || !animal.stands && !self.mesh.is_current(&animal.way)
                || animal.way.goal() != goal && !animal.way.to_moved();
            let Some(at) = world.get(animal.body).filter(|_| is_old) else { continue };
            self.searches += 1;
            animal.asked = radius;
            let found = self.mesh.way(at.position(), goal, radius, &mut animal.way);
            animal.stands = found.is_err();
            if found.is_err() {
                self.crowd.stand(world, animal.agent).map_err(refused)?;
                continue;
            }
            animal.way.points(0.02, &mut self.points);
            let way: Vec<WorldPoint> = self.points.iter().map(|point| WorldPoint::from(*point)).collect();
            self.crowd.follow(animal.agent, &way).map_err(refused)?;
        }
        Ok(())
    }

    fn go(&mut self, goal: Vec2) {
        self.goal = goal;
        self.idle = 0;
        // All ask anew.
        self.animals.iter_mut().for_each(|animal| animal.asked = 0.0);
    }

    /// When all have stood for a while, they go on.
    fn wander(&mut self) {
        let all = self.animals.iter().all(|animal| self.crowd.is_idle(animal.agent));
        self.idle = if all { self.idle + 1 } else { 0 };
        if self.idle > 90 {
            self.next = (self.next + 1) % GOALS.len();
            self.go(Vec2::from(GOALS[self.next]));
        }
    }
}

impl Play for Meadow {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        let synced = self.mesh.sync(world, &mut self.ground);
        self.walls = (self.walls + synced.added).saturating_sub(synced.removed);
        self.send(world)?;
        self.crowd.steer(world, DT).map_err(refused)?;
        for event in self.crowd.events() {
            if let CrowdEvent::Stuck(who) = event {
                // Pushed against something: another way, from here.
                let stuck = self.animals.iter_mut().filter(|animal| animal.agent == *who);
                stuck.for_each(|animal| animal.asked = 0.0);
            }
        }
        self.wander();
        world.step(DT).map(drop)
    }

    fn press(&mut self, places: &mut [Place], point: Vec2) -> bool {
        let world = &places[0].world;
        let is_free = world.nearest(point, 0.05, &QueryFilter::default()).is_none();
        let is_inside = point.abs().cmple(vec2(14.5, 8.0)).all();
        if is_free && is_inside {
            self.go(point);
        }
        is_free && is_inside
    }

    fn set_naive(&mut self, _places: &mut [Place], on: bool) {
        self.naive = on;
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        let mut points = Vec::new();
        for (k, animal) in self.animals.iter().enumerate().filter(|(_, animal)| animal.asked > 0.0) {
            animal.way.points(0.02, &mut points);
            let ink = if k == 0 { Ink::Red } else { Ink::Blue };
            points.windows(2).for_each(|two| out.put_line(ink, two[0], two[1]));
        }
        out.put_circle(Ink::Orange, true, (self.goal, 0.2), Vec2::ZERO);
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let told = |animal: &Animal| match animal.stands {
            true => "no way is wide enough".to_string(),
            false => format!("{:.1} m", animal.way.length()),
        };
        let _ = writeln!(out, "the cow's way\t{}\tred", told(&self.animals[0]));
        let _ = writeln!(out, "a hen's way\t{}", told(&self.animals[1]));
        let _ = writeln!(out, "walls in the mesh\t{}", self.walls);
        let _ = writeln!(out, "ways asked for\t{}", self.searches);
    }

    fn hash(&self, places: &[Place]) -> u64 {
        places[0].world.hash() ^ self.crowd.hash() ^ self.mesh.hash()
    }
}
