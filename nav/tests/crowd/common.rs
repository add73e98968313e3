//! Scenes of crowds: agents, their places, and measurements.

use carom::prelude::*;
use carom_nav::crowd::{Agent, AgentId, Crowd, CrowdDef, CrowdEvent};

pub(crate) const DT: f32 = 1.0 / 60.0;

/// An agent with the size and speed of a person.
pub(crate) fn person() -> Agent {
    Agent { radius: 0.25, speed: 1.34, ..Agent::default() }
}

/// A world seen from above, a crowd in it, and the events so far.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) crowd: Crowd,
    pub(crate) ids: Vec<AgentId>,
    pub(crate) bodies: Vec<BodyId>,
    pub(crate) arrived: Vec<bool>,
    pub(crate) stuck: usize,
    pub(crate) ticks: usize,
}

impl Scene {
    pub(crate) fn new(def: CrowdDef) -> Scene {
        Scene {
            world: World::new(WorldDef::default().gravity([0.0, 0.0])),
            crowd: Crowd::new(def).expect("a definition"),
            ids: Vec::new(),
            bodies: Vec::new(),
            arrived: Vec::new(),
            stuck: 0,
            ticks: 0,
        }
    }

    pub(crate) fn wall(&mut self, middle: [f32; 2], size: [f32; 2]) {
        let shape = Shape::rect(size[0], size[1]);
        self.world.add(BodyDef::fixed().at(middle).shape(shape)).expect("a wall");
    }

    pub(crate) fn add(&mut self, agent: Agent, place: impl Into<WorldPoint>) -> AgentId {
        let body = self.world.add(agent.body(place)).expect("a body");
        let id = self.crowd.add(&self.world, body, agent).expect("an agent");
        self.ids.push(id);
        self.bodies.push(body);
        self.arrived.push(false);
        id
    }

    pub(crate) fn place(&self, k: usize) -> Vec2 {
        self.world[self.bodies[k]].position()
    }

    pub(crate) fn velocity(&self, k: usize) -> Vec2 {
        self.world[self.bodies[k]].velocity()
    }

    pub(crate) fn tick(&mut self) {
        self.tick_by(&carom_nav::crowd::NoFields);
    }

    pub(crate) fn tick_by(&mut self, fields: &(impl carom_nav::crowd::Fields + ?Sized)) {
        self.crowd.steer_by(&mut self.world, fields, DT).expect("a tick");
        self.world.step(DT).expect("a step");
        self.ticks += 1;
        for event in self.crowd.events() {
            match event {
                CrowdEvent::Arrived(id) => {
                    let k = self.ids.iter().position(|other| other == id).expect("an agent of the scene");
                    self.arrived[k] = true;
                }
                CrowdEvent::Stuck(_) => self.stuck += 1,
                _ => {}
            }
        }
    }

    pub(crate) fn seconds(&self) -> f32 {
        self.ticks as f32 * DT
    }

    /// The least distance between two middles over the sum of the radii.
    pub(crate) fn least_separation(&self) -> f32 {
        let places: Vec<Vec2> = self.bodies.iter().map(|&body| self.world[body].position()).collect();
        let radius = |k: usize| self.crowd.get(self.ids[k]).expect("an agent").radius;
        let mut least = f32::INFINITY;
        for a in 0..places.len() {
            for b in 0..a {
                let ratio = places[a].distance(places[b]) / (radius(a) + radius(b));
                if ratio < least {
                    least = ratio;
                }
            }
        }
        least
    }
}

/// Agents on a circle, each with the opposite point as its goal.
pub(crate) fn circle(count: usize, radius: f32, agent: Agent, def: CrowdDef) -> Scene {
    let mut scene = Scene::new(def);
    for k in 0..count {
        let angle = k as f32 * core::f32::consts::TAU / count as f32;
        let at = Rot::from_angle(angle).x_axis() * radius;
        let id = scene.add(agent, at);
        scene.crowd.go(id, -at).expect("a place");
    }
    scene
}
